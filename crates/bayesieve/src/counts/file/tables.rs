//! A count file as the answer to what methods ask about the rows.

use super::CountFile;
use crate::Observer;
use crate::counts::CountTable;
use crate::counts::KnownTables;
use crate::counts::{JointTable, Tables};
use crate::{Error, Result};

impl Tables for CountFile {
    fn n_rows(&self) -> u64 {
        self.counts.n_rows
    }

    fn class_counts(&self) -> &[u64] {
        &self.counts.class_counts
    }

    fn n_values(&self) -> &[usize] {
        &self.n_values
    }

    fn singles(&self) -> &[CountTable] {
        &self.counts.singles
    }

    fn pairs(&self, pairs: &[(usize, usize)], _: &dyn Observer) -> Result<Vec<CountTable>> {
        let tables = KnownTables::new(&self.counts).pairs(pairs)?;
        tables.ok_or_else(|| Error::internal("a count file without pairs"))
    }

    fn joint(&self, sets: &[Vec<usize>], _: &dyn Observer) -> Result<Vec<JointTable>> {
        KnownTables::new(&self.counts).joint(sets, |_| Err(too_large()))
    }

    fn max_features(&self) -> Option<usize> {
        Some(2)
    }
}

/// More than a count file can tell. Whoever asks knows what does with less, and says so.
fn too_large() -> Error {
    Error::usage("tables of three or more features are needed, and count files hold pairs only")
}
