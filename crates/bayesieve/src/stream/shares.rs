//! What each part of a run may take of its memory.

use crate::data::ProfileOptions;
use crate::{Error, Result, parameter};

/// The program itself, its threads and what the system's allocator keeps back.
const PROGRAM: u64 = 32 << 20;

/// Bytes of memory that a run needs at least: 64 MiB.
pub const MIN_MEMORY: u64 = 64 << 20;

/// What a label takes while it is looked up.
const BYTES_PER_LABEL: u64 = 96;

/// What a number takes, with its rows of sixteen classes; of more, fewer numbers are kept.
const BYTES_PER_NUMBER: u64 = 192;

/// Bytes for each part of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shares {
    /// A block of rows as it comes from the file; three of them may be around at a time: read,
    /// coded, and read ahead.
    pub(super) block: u64,
    /// Tables that are held; while some are added, there are twice as many, and the rows that
    /// are added take a third of this.
    pub(super) tables: u64,
    /// Rows that are kept.
    pub(super) rows: u64,
    /// Labels and numbers while they are learned, before there are tables or rows.
    profile: u64,
}

impl Shares {
    /// Shares out some memory.
    ///
    /// # Errors
    /// Less than a run needs.
    pub(super) fn of(memory: u64) -> Result<Self> {
        if memory < MIN_MEMORY {
            let [memory, least] = amounts(memory);
            return Err(Error::usage(format!(
                "{memory} of memory are too little, {least} are needed at least"
            ))
            .with_hint(format!("Give the run more ({}).", parameter("memory"))));
        }
        let memory = memory - PROGRAM;
        Ok(Shares {
            block: memory / 16,
            tables: memory / 6,
            rows: memory / 10 * 4,
            profile: memory / 2,
        })
    }

    /// How many labels and numbers each of so many features may have while they are learned.
    pub(super) fn profile(&self, n_features: usize) -> ProfileOptions {
        let usual = ProfileOptions::default();
        let most = |n_bytes: u64| {
            let most = self.profile / n_bytes / n_features.max(1) as u64;
            // A power of two, so that a little more or less memory changes nothing.
            1 << most.max(1).ilog2().clamp(8, 30)
        };
        ProfileOptions {
            max_labels: usual.max_labels.min(most(BYTES_PER_LABEL)),
            max_numbers: usual.max_numbers.min(most(BYTES_PER_NUMBER)),
            ..usual
        }
    }
}

/// Some memory and the least there must be, in the unit that the memory is a round number of.
fn amounts(memory: u64) -> [String; 2] {
    const MIB: u64 = 1 << 20;
    if memory > 0 && memory.is_multiple_of(MIB) {
        [memory, MIN_MEMORY].map(|bytes| format!("{} MiB", bytes / MIB))
    } else {
        [
            format!("{} MB", memory as f64 / 1e6),
            format!("{} MB", MIN_MEMORY.div_ceil(1_000_000)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_run_fit_its_memory() {
        for memory in [64 << 20, 1 << 30, 40 << 30] {
            let shares = Shares::of(memory).unwrap();
            // A third more for the rows that wait to be counted.
            let tables = 2 * shares.tables + shares.tables / 3;
            let counting = 3 * shares.block + tables + shares.rows + PROGRAM;
            assert!(counting <= memory, "{shares:?}");
            assert!(3 * shares.block + shares.profile + PROGRAM <= memory);
        }
        for (memory, told) in [
            (
                32 << 20,
                "32 MiB of memory are too little, 64 MiB are needed",
            ),
            (
                64_000_000,
                "64 MB of memory are too little, 68 MB are needed",
            ),
            (
                1_500,
                "0.0015 MB of memory are too little, 68 MB are needed",
            ),
        ] {
            let error = Shares::of(memory).unwrap_err();
            let told = format!("{told} at least. Give the run more (memory).");
            assert_eq!(error.to_string(), told);
        }
    }

    #[test]
    fn many_features_learn_fewer_values_each() {
        let shares = Shares::of(1 << 30).unwrap();
        // 0.5 GB for a hundred columns: 54,000 labels of 96 bytes or 27,000 numbers.
        let hundred = shares.profile(100);
        assert_eq!((hundred.max_labels, hundred.max_numbers), (32_768, 16_384));
        assert_eq!(shares.profile(10_000).max_numbers, 256);
        assert_eq!(shares.profile(10_000_000).max_numbers, 256);
    }
}
