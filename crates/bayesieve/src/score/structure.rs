//! The two structures whose scores follow from pair tables.

use std::fmt;
use std::str::FromStr;

use crate::{Error, Result, quoted};

/// How a selective classifier hangs together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Structure {
    /// Every kept feature has the class as its only parent.
    NaiveBayes,
    /// As naive Bayes, and the kept features form the maximum spanning tree over their
    /// information given the class.
    #[default]
    Tan,
}

impl Structure {
    /// Its name in options and documents.
    pub fn name(self) -> &'static str {
        match self {
            Structure::NaiveBayes => "nb",
            Structure::Tan => "tan",
        }
    }
}

impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Structure {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "nb" => Ok(Structure::NaiveBayes),
            "tan" => Ok(Structure::Tan),
            _ => Err(Error::usage(format!(
                "{} has no score by description length",
                quoted(text)
            ))
            .with_hint("Use nb or tan.")),
        }
    }
}
