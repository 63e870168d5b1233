//! What to do with empty cells.

use std::fmt;
use std::str::FromStr;

use crate::{Error, Result, quoted};

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

const NAMES: [(&str, MissingPolicy); 4] = [
    ("value", MissingPolicy::Value),
    ("drop", MissingPolicy::Drop),
    ("available", MissingPolicy::Available),
    ("refuse", MissingPolicy::Refuse),
];

impl FromStr for MissingPolicy {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let found = NAMES.iter().find(|(name, _)| *name == text);
        found.map(|&(_, policy)| policy).ok_or_else(|| {
            Error::usage(format!("{} is no way to treat missing cells", quoted(text)))
                .with_hint("Use value, drop, available or refuse.")
        })
    }
}

impl fmt::Display for MissingPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = NAMES.iter().find(|(_, policy)| policy == self);
        f.write_str(found.map_or("value", |&(name, _)| name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_reads_back_as_it_prints() {
        for (name, policy) in NAMES {
            assert_eq!(name.parse::<MissingPolicy>().unwrap(), policy);
            assert_eq!(policy.to_string(), name);
        }
        let text = "skip".parse::<MissingPolicy>().unwrap_err().to_string();
        assert!(text.contains("value, drop, available or refuse"), "{text}");
    }
}
