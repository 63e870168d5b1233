//! How well a set that was found matches the true one.

use serde::{Deserialize, Serialize};

/// Precision, recall and their harmonic mean, of one set or as means over many.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RecoveryParts")]
pub struct Recovery {
    /// The share of what was found that is true.
    pub precision: f64,
    /// The share of what is true that was found.
    pub recall: f64,
    /// `2 P R / (P + R)`.
    pub f: f64,
}

/// What a file says, not yet believed.
#[derive(Deserialize)]
struct RecoveryParts {
    precision: f64,
    recall: f64,
    f: f64,
}

impl TryFrom<RecoveryParts> for Recovery {
    type Error = String;

    fn try_from(parts: RecoveryParts) -> Result<Self, String> {
        let RecoveryParts {
            precision,
            recall,
            f,
        } = parts;
        let is_share = |share: f64| (0.0..=1.0).contains(&share);
        if [precision, recall, f].into_iter().all(is_share) {
            Ok(Recovery {
                precision,
                recall,
                f,
            })
        } else {
            Err("precision, recall and f lie between 0 and 1".into())
        }
    }
}

impl Recovery {
    /// Of a set and the true one, each without repeats.
    ///
    /// Where both are empty nothing could be better: all three are 1. Where one of them is,
    /// all three are 0.
    ///
    /// # Example
    /// ```
    /// use bayesieve::evaluate::Recovery;
    ///
    /// let recovery = Recovery::of(&[2, 5, 7], &[2, 7, 8, 9]); // 2 and 7 are right
    /// assert_eq!(recovery.precision, 2.0 / 3.0);
    /// assert_eq!(recovery.recall, 0.5);
    /// assert_eq!(recovery.f, 4.0 / 7.0);
    /// assert_eq!(Recovery::of(&[], &[]).f, 1.0);
    /// ```
    pub fn of(found: &[usize], truth: &[usize]) -> Self {
        if found.is_empty() && truth.is_empty() {
            return Recovery {
                precision: 1.0,
                recall: 1.0,
                f: 1.0,
            };
        }
        let n_right = found.iter().filter(|node| truth.contains(node)).count() as f64;
        let share = |n: usize| if n == 0 { 0.0 } else { n_right / n as f64 };
        Recovery {
            precision: share(found.len()),
            recall: share(truth.len()),
            // The harmonic mean of the two shares, with one rounding.
            f: 2.0 * n_right / (found.len() + truth.len()) as f64,
        }
    }

    /// The means of many, added in their order; nothing of none.
    pub fn mean(all: &[Recovery]) -> Option<Self> {
        if all.is_empty() {
            return None;
        }
        let mean =
            |part: fn(&Recovery) -> f64| all.iter().map(part).sum::<f64>() / all.len() as f64;
        Some(Recovery {
            precision: mean(|one| one.precision),
            recall: mean(|one| one.recall),
            f: mean(|one| one.f),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(found: &[usize], truth: &[usize]) -> [f64; 3] {
        let recovery = Recovery::of(found, truth);
        [recovery.precision, recovery.recall, recovery.f]
    }

    #[test]
    fn shares_and_their_harmonic_mean_are_those_of_hand_counted_sets() {
        // (found, true): right, P = right/|found|, R = right/|true|, F = 2PR/(P + R).
        assert_eq!(parts(&[1, 2, 3, 4], &[3]), [0.25, 1.0, 0.4]); // 2 · 0.25 / 1.25
        assert_eq!(parts(&[3], &[1, 2, 3, 4]), [1.0, 0.25, 0.4]);
        assert_eq!(parts(&[1, 2], &[1, 2]), [1.0, 1.0, 1.0]);
        assert_eq!(parts(&[2, 1], &[1, 3]), [0.5, 0.5, 0.5]);
        assert_eq!(parts(&[1, 2], &[3, 4]), [0.0, 0.0, 0.0]); // P + R = 0
    }

    #[test]
    fn an_empty_set_is_right_only_where_nothing_is_true() {
        assert_eq!(parts(&[], &[]), [1.0, 1.0, 1.0]);
        assert_eq!(parts(&[], &[1]), [0.0, 0.0, 0.0]);
        assert_eq!(parts(&[1], &[]), [0.0, 0.0, 0.0]);
    }

    #[test]
    fn a_mean_is_over_each_part() {
        let all = [Recovery::of(&[1, 2, 3, 4], &[3]), Recovery::of(&[], &[])];
        let mean = Recovery::mean(&all).unwrap();
        assert_eq!([mean.precision, mean.recall, mean.f], [0.625, 1.0, 0.7]);
        assert_eq!(Recovery::mean(&[]), None);
    }

    #[test]
    fn shares_outside_their_range_are_not_read() {
        let read = |text: &str| serde_json::from_str::<Recovery>(text);
        assert!(read(r#"{"precision":1.0,"recall":0.5,"f":0.66}"#).is_ok());
        assert!(read(r#"{"precision":1.0,"recall":0.5,"f":9.59}"#).is_err());
        assert!(read(r#"{"precision":-0.1,"recall":0.5,"f":0.2}"#).is_err());
    }
}
