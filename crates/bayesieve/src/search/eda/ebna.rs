//! EBNA: a Bayesian network over the bits, learned anew in every generation.
//!
//! Papers: Etxeberria and Larrañaga, 1999; Inza, Larrañaga, Etxeberria and Sierra, 2000,
//! section 3.2, for selecting features. Arcs come by Algorithm B with BIC, `ln(S)/2` a
//! parameter for S selected sets, in nats.
//! Cost: O(n² S) and O(n S) per arc.
//! Where the papers are silent: ties go to the lowest parent, then to the lowest child; the
//! number of parents is bounded by BIC alone. For 500 sets that is six: k parents cost
//! `ln(500)/2 (2^k - 1)` nats more than none and gain at most `500 ln 2`.
//!
//! Etxeberria, R. and Larrañaga, P. (1999). Global optimization using Bayesian networks.
//! CIMAF, 332-339. Inza, I., Larrañaga, P., Etxeberria, R. and Sierra, B. (2000). Feature
//! subset selection by Bayesian network-based optimization. Artificial Intelligence 123,
//! 157-184.

use rand_chacha::ChaCha8Rng;

use super::by_network;
use super::columns::{BitColumns, count_columns};
use crate::network::Dag;
use crate::network::learn::{AlgorithmBOptions, FamilyScorer, LocalScore, algorithm_b};
use crate::search::SearchDescription;
use crate::{Hushed, Observer, Result};

/// A Bayesian network over the features.
pub(in crate::search) static EBNA: SearchDescription = by_network(
    "ebna",
    "a population of sets, drawn from a Bayesian network learned from its best half",
    structure,
);

/// The network of Algorithm B.
fn structure(columns: &BitColumns, _: &mut ChaCha8Rng, observer: &dyn Observer) -> Result<Dag> {
    let codes = columns.codes();
    let scorer = FamilyScorer::new(&count_columns(&codes), LocalScore::Bic)?;
    algorithm_b(&scorer, AlgorithmBOptions::default(), &Hushed(observer))
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
    fn the_worked_example_has_one_arc() {
        // x1 -> x2 gains 6.584898 - 2.079442 = 4.505457 nats either way, the lower parent
        // wins; x3 with any parent loses 1.039721.
        let columns = columns(&EXAMPLE);
        let codes = columns.codes();
        let scorer = FamilyScorer::new(&count_columns(&codes), LocalScore::Bic).unwrap();
        for (bit, parents, expected) in [
            (0, &[][..], -6.584898),
            (0, &[1], -2.079442),
            (0, &[2], -7.624619),
            (1, &[0], -2.079442),
            (2, &[], -5.538402),
            (2, &[0], -6.578123),
        ] {
            let score = scorer.score(bit, parents).unwrap();
            assert!(
                (score - expected).abs() < 5e-7,
                "{bit} {parents:?}: {score}"
            );
        }
        let dag = structure(&columns, &mut stream(1, Purpose::Population, 0), &Silent).unwrap();
        assert_eq!(dag.arcs().collect::<Vec<_>>(), [(0, 1)]);
        let of_110 = FeatureSet::of(3, [0, 1]).unwrap();
        let probability = BitNetwork::new(&columns, &dag).probability(&of_110);
        assert!((probability - 0.291667).abs() < 5e-7);
    }

    #[test]
    fn few_sets_and_constant_bits_give_no_arc() {
        for rows in [&["0110"][..], &["01", "01"], &["111", "111", "111"]] {
            let dag = structure(
                &columns(rows),
                &mut stream(1, Purpose::Population, 0),
                &Silent,
            )
            .unwrap();
            assert_eq!(dag.n_arcs(), 0, "{rows:?}");
        }
    }
}
