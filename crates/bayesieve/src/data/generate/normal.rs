//! Normally distributed numbers.

use rand::Rng;

use crate::random::normal_pair;

/// Standard normal numbers. They come in pairs; the second one waits here.
#[derive(Debug, Default)]
pub(super) struct Normal {
    spare: Option<f64>,
}

impl Normal {
    /// The next number.
    pub(super) fn next(&mut self, rng: &mut impl Rng) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        let [next, spare] = normal_pair(rng);
        self.spare = Some(spare);
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, stream};

    #[test]
    fn moments_are_those_of_the_standard_normal() {
        let mut rng = stream(1, Purpose::Generate, 0);
        let mut normal = Normal::default();
        let n = 100_000;
        let numbers: Vec<f64> = (0..n).map(|_| normal.next(&mut rng)).collect();
        let moment = |power| numbers.iter().map(|x| x.powi(power)).sum::<f64>() / f64::from(n);
        // Four standard errors: 4/sqrt n times 1, sqrt 2, sqrt 15, sqrt 96.
        for (power, expected, tolerance) in [
            (1, 0.0, 0.0127),
            (2, 1.0, 0.0179),
            (3, 0.0, 0.049),
            (4, 3.0, 0.124),
        ] {
            let found: f64 = moment(power);
            assert!(
                (found - expected).abs() < tolerance,
                "moment {power}: {found}"
            );
        }
        let neighbors: f64 = numbers.chunks(2).map(|pair| pair[0] * pair[1]).sum();
        assert!((neighbors / 50_000.0).abs() < 0.0179);
    }
}
