//! Whether a gain could be chance: the likelihood ratio against its chi-square law.
//!
//! `G2 = 2 N ln 2 * gain` with the gain in bits; without any information it has
//! the chi-square distribution, nearly.

use std::f64::consts::LN_2;

use super::rank::Objection;
use crate::Result;
use crate::search::Stop;
use crate::setting::{Setting, SettingKind};
use crate::stats::chi_square_tail;

/// The level of the test, as a setting.
pub(super) const ALPHA: Setting = Setting {
    name: "alpha",
    default: "0.05",
    kind: SettingKind::Number { min: 0.0, max: 1.0 },
    meaning: "when no count is given: stop when a gain as large as the next one has at least this \
              probability by chance",
};

/// A gain and what it is tested with.
#[derive(Debug, Clone, Copy)]
pub(super) struct GainTest {
    pub(super) gain_bits: f64,
    pub(super) n_rows: f64,
    pub(super) degrees_of_freedom: f64,
}

impl GainTest {
    /// An objection unless the gain is too large to be chance.
    pub(super) fn objection(&self, alpha: f64) -> Result<Option<Objection>> {
        // Without freedom there is no information.
        if self.degrees_of_freedom < 1.0 {
            return Ok(Some(Objection {
                stop: Stop::NotSignificant { p: 1.0, alpha },
                threshold: 0.0,
            }));
        }
        let bits = 2.0 * LN_2 * self.n_rows;
        let p = self.p(bits * self.gain_bits)?;
        if p <= alpha {
            return Ok(None);
        }
        Ok(Some(Objection {
            stop: Stop::NotSignificant { p, alpha },
            threshold: self.critical(alpha)? / bits,
        }))
    }

    fn p(&self, statistic: f64) -> Result<f64> {
        Ok(chi_square_tail(statistic, self.degrees_of_freedom)?.p)
    }

    /// The smallest statistic that is not chance, by bisection; called once a run.
    fn critical(&self, alpha: f64) -> Result<f64> {
        let (mut low, mut high) = (0.0, self.degrees_of_freedom);
        // Ends for every level, because the tail itself becomes 0.
        while self.p(high)? > alpha {
            (low, high) = (high, 2.0 * high);
        }
        while high - low > 1e-12 * high {
            let middle = low + (high - low) / 2.0;
            if self.p(middle)? > alpha {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_is_the_quantile_in_bits() {
        // One degree of freedom, level 0.05: 3.841459 / (2 ln 2 * 100) = 0.027710 bits.
        let test = |gain_bits| GainTest {
            gain_bits,
            n_rows: 100.0,
            degrees_of_freedom: 1.0,
        };
        let objection = test(0.0277).objection(0.05).unwrap().unwrap();
        assert!((objection.threshold - 0.027_710_3).abs() < 1e-7);
        assert!(matches!(objection.stop, Stop::NotSignificant { p, .. } if p > 0.05));
        assert!(test(0.0278).objection(0.05).unwrap().is_none());
        // At level 0 the threshold is far, yet a number.
        assert!(
            test(0.1)
                .objection(0.0)
                .unwrap()
                .unwrap()
                .threshold
                .is_finite()
        );
    }

    #[test]
    fn one_value_tells_nothing() {
        let test = GainTest {
            gain_bits: 0.0,
            n_rows: 10.0,
            degrees_of_freedom: 0.0,
        };
        assert!(test.objection(1.0).unwrap().is_some());
    }
}
