//! What missing values mean: which rows count, and what a missing cell becomes.

use std::fmt;
use std::str::FromStr;

use super::Column;
use super::names::any_of;
use crate::wording::counted;
use crate::{Error, Result, parameter, quoted};

/// What an empty cell of a feature means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MissingPolicy {
    /// A value of its own; after binning a bin of its own.
    #[default]
    Value,
    /// Rows with an empty cell are dropped.
    Drop,
    /// Every table counts the rows that are complete in its columns.
    Available,
    /// An empty cell is an error.
    Refuse,
}

impl MissingPolicy {
    /// All of them; the default is the first.
    pub const ALL: [MissingPolicy; 4] = [
        MissingPolicy::Value,
        MissingPolicy::Drop,
        MissingPolicy::Available,
        MissingPolicy::Refuse,
    ];

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            MissingPolicy::Value => "value",
            MissingPolicy::Drop => "drop",
            MissingPolicy::Available => "available",
            MissingPolicy::Refuse => "refuse",
        }
    }

    /// Whether a column with so many missing cells has one more value for them.
    pub(super) fn has_value_for(self, n_missing: u64) -> bool {
        self == MissingPolicy::Value && n_missing > 0
    }

    /// Whether a cell of a feature tells whether its row counts.
    pub(super) fn drops_rows(self) -> bool {
        self == MissingPolicy::Drop
    }

    /// The rows that count: those that have a class, and where rows with missing cells are
    /// dropped a value of every feature.
    pub(super) fn used_rows(self, class: &Column, features: &[&Column]) -> RowsInUse {
        let has_gaps = |column: &&&Column| self.drops_rows() && column.n_missing() > 0;
        let with_gaps: Vec<&&Column> = features.iter().filter(has_gaps).collect();
        let n_rows = class.len();
        if class.n_missing() == 0 && with_gaps.is_empty() {
            return RowsInUse {
                rows: None,
                n_used: n_rows,
                n_without_class: 0,
                n_with_gaps: 0,
            };
        }
        let mut is_used = vec![true; n_rows];
        class.unmark_missing(&mut is_used);
        let n_with_class = is_used.iter().filter(|&&used| used).count();
        for column in with_gaps {
            column.unmark_missing(&mut is_used);
        }
        let used = (0..).zip(is_used).filter(|(_, used)| *used);
        let rows: Vec<u32> = used.map(|(row, _)| row).collect();
        RowsInUse {
            n_used: rows.len(),
            n_without_class: (n_rows - n_with_class) as u64,
            n_with_gaps: (n_with_class - rows.len()) as u64,
            rows: (rows.len() < n_rows).then_some(rows),
        }
    }

    /// The first feature whose missing cells are refused, and the first row that has one.
    pub(super) fn refused_cell<'c>(
        self,
        features: impl IntoIterator<Item = &'c Column>,
    ) -> Option<(&'c Column, usize)> {
        if self != MissingPolicy::Refuse {
            return None;
        }
        let mut features = features.into_iter();
        features.find_map(|column| Some((column, column.first_missing()?)))
    }

    /// The error for missing cells, where they are refused.
    pub(super) fn refuse(
        self,
        column: &str,
        n_missing: u64,
        first_row: Option<usize>,
    ) -> Result<()> {
        if self != MissingPolicy::Refuse || n_missing == 0 {
            return Ok(());
        }
        let verb = if n_missing == 1 { "is" } else { "are" };
        let first = first_row.map(|row| format!(", the first in data row {}", row + 1));
        let cells = counted(n_missing, "cell");
        let what = format!("{cells} {verb} missing{}", first.unwrap_or_default());
        Err(Error::data(what).in_column(column).with_hint(format!(
            "Fill them, or choose {} or drop.",
            parameter("missing").is("value")
        )))
    }
}

/// The rows of a table that count.
#[derive(Debug)]
pub(super) struct RowsInUse {
    /// The rows, rising; `None` for all.
    pub(super) rows: Option<Vec<u32>>,
    pub(super) n_used: usize,
    pub(super) n_without_class: u64,
    /// Rows that were dropped because a cell is missing.
    pub(super) n_with_gaps: u64,
}

impl RowsInUse {
    /// What there is to say about the rows that do not count.
    pub(super) fn notes(n_without_class: u64, n_with_gaps: u64, class: &str) -> Vec<String> {
        let rows = |n_rows| counted(n_rows, "row");
        let without_class = (n_without_class > 0).then(|| {
            format!(
                "{} without a class ({class}) left out",
                rows(n_without_class)
            )
        });
        let with_gaps =
            (n_with_gaps > 0).then(|| format!("{} with missing cells left out", rows(n_with_gaps)));
        without_class.into_iter().chain(with_gaps).collect()
    }
}

impl FromStr for MissingPolicy {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut all = MissingPolicy::ALL.into_iter();
        all.find(|policy| policy.name() == text).ok_or_else(|| {
            Error::usage(format!("{} is no way to treat missing cells", quoted(text))).with_hint(
                format!("Use {}.", any_of(&MissingPolicy::ALL.map(Self::name))),
            )
        })
    }
}

impl fmt::Display for MissingPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_reads_back_as_it_prints() {
        for policy in MissingPolicy::ALL {
            assert_eq!(policy.to_string().parse::<MissingPolicy>().unwrap(), policy);
        }
        let text = "skip".parse::<MissingPolicy>().unwrap_err().to_string();
        assert!(text.contains("value, drop, available or refuse"), "{text}");
    }
}
