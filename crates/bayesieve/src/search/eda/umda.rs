//! UMDA: every bit by itself, as often as among the selected sets.
//!
//! Paper: Mühlenbein, 1998. Probability of a bit: (count + 1) / (S + 2) over S sets, so
//! that no bit is ever lost.
//! Cost: one pass over the selected sets.
//!
//! Mühlenbein, H. (1998). The equation for response to selection and its use for
//! prediction. Evolutionary Computation 5, 303-346.

use rand_chacha::ChaCha8Rng;

use super::by_network;
use super::columns::BitColumns;
use crate::network::Dag;
use crate::search::SearchDescription;
use crate::{Observer, Result};

/// Every feature by itself.
pub(in crate::search) static UMDA: SearchDescription = by_network(
    "umda",
    "a population of sets, every feature drawn as often as its best half has it",
    structure,
);

/// No arcs.
fn structure(columns: &BitColumns, _: &mut ChaCha8Rng, _: &dyn Observer) -> Result<Dag> {
    Ok(Dag::new(columns.n_bits))
}

#[cfg(test)]
mod tests {
    use super::super::bit_network::BitNetwork;
    use super::super::testing::{EXAMPLE, columns};
    use super::*;
    use crate::Silent;
    use crate::random::{Purpose, stream};
    use crate::score::FeatureSet;

    #[test]
    fn the_example_has_smoothed_frequencies() {
        let columns = columns(&EXAMPLE);
        let dag = structure(&columns, &mut stream(1, Purpose::Population, 0), &Silent).unwrap();
        let network = BitNetwork::new(&columns, &dag);
        // 4, 4 and 2 of 8 sets: 5/10, 5/10, 3/10.
        let of_110 = network.probability(&FeatureSet::of(3, [0, 1]).unwrap());
        assert!((of_110 - 0.5 * 0.5 * 0.7).abs() < 1e-15);
    }
}
