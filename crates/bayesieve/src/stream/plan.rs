//! What a run will do, told before it does.

use std::fmt;
use std::time::Duration;

use crate::wording::{counted, grouped};

/// What is left to do after labels and cut points are learned.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamPlan {
    /// Number of rows.
    pub n_rows: u64,
    /// Number of features.
    pub n_features: u64,
    /// Bytes of the file.
    pub n_bytes: u64,
    /// Number of pairs of features.
    pub n_pair_tables: u64,
    /// Bytes of the tables of all pairs.
    pub bytes_of_pairs: u64,
    /// Whether they are all counted in the next pass; else some at a time, when asked for.
    pub keeps_pairs: bool,
    /// Bytes that all rows would take in memory.
    pub bytes_of_rows: u64,
    /// Bytes that rows may take.
    pub bytes_for_rows: u64,
    /// How long the pass over the file took.
    pub pass: Duration,
}

impl StreamPlan {
    /// The share of the rows that stay in memory after the next pass.
    pub fn share_kept(&self) -> f64 {
        (self.bytes_for_rows as f64 / self.bytes_of_rows.max(1) as f64).min(1.0)
    }

    /// Bytes that tables and rows will take.
    pub fn bytes_held(&self) -> u64 {
        let tables = if self.keeps_pairs {
            self.bytes_of_pairs
        } else {
            0
        };
        tables + self.bytes_for_rows.min(self.bytes_of_rows)
    }
}

impl fmt::Display for StreamPlan {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "plan: {} of {} ({}); the next pass counts {} single tables",
            counted(self.n_rows, "row"),
            counted(self.n_features, "feature"),
            size(self.n_bytes),
            grouped(self.n_features),
        )?;
        let pairs = grouped(self.n_pair_tables);
        if self.keeps_pairs {
            write!(out, " and {pairs} of pairs ({})", size(self.bytes_of_pairs))?
        } else {
            write!(
                out,
                "; {pairs} of pairs ({}) do not fit and are counted as they are needed",
                size(self.bytes_of_pairs)
            )?
        }
        let kept = (100.0 * self.share_kept()).floor();
        let seconds = self.pass.as_secs_f64();
        write!(
            out,
            "; {kept} % of the rows stay in memory ({} held in all); a pass over the file takes \
             about {seconds:.1} s, and each step that needs larger tables one over what is not in \
             memory",
            size(self.bytes_held())
        )
    }
}

/// A number of bytes for people.
fn size(n_bytes: u64) -> String {
    match n_bytes {
        0..1_000_000 => format!("{:.1} kB", n_bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", n_bytes as f64 / 1e6),
        _ => format!("{:.1} GB", n_bytes as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_says_what_fits_and_what_a_pass_costs() {
        let mut plan = StreamPlan {
            n_rows: 50_000_000,
            n_features: 100,
            n_bytes: 970_000_000,
            n_pair_tables: 4_950,
            bytes_of_pairs: 970_200,
            keeps_pairs: true,
            bytes_of_rows: 1_000_000_000,
            bytes_for_rows: 400_000_000,
            pass: Duration::from_millis(9_040),
        };
        assert_eq!(
            plan.to_string(),
            "plan: 50,000,000 rows of 100 features (970.0 MB); the next pass counts 100 single \
             tables and 4,950 of pairs (970.2 kB); 40 % of the rows stay in memory (401.0 MB held \
             in all); a pass over the file takes about 9.0 s, and each step that needs larger \
             tables one over what is not in memory"
        );
        plan.keeps_pairs = false;
        plan.bytes_of_rows = 300_000_000;
        let text = plan.to_string();
        assert!(
            text.contains("4,950 of pairs (970.2 kB) do not fit"),
            "{text}"
        );
        assert!(
            text.contains("100 % of the rows stay in memory (300.0 MB"),
            "{text}"
        );
    }
}
