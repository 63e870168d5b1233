//! All pairs of columns, counted in batches that fit in memory.

use crate::counts::{CountTable, RowIndex};
use crate::info::{Informations, PairInformation};
use crate::{Observer, Part, Result};

/// Pairs counted in one call. Up to 1,448 columns are one batch; more would need more
/// memory for the list of pairs than for anything else.
const BATCH: usize = 1 << 20;

/// Counts every pair (a, b) with a < b once, and hands over what `map` makes of the
/// tables, column by column: `each` gets b and the values of (0, b), (1, b), ….
pub(super) fn for_each_column<T: Send>(
    index: &RowIndex<'_>,
    observer: &dyn Observer,
    map: impl Fn(&CountTable) -> T + Sync,
    each: impl FnMut(usize, Vec<T>) -> Result<()>,
) -> Result<()> {
    let values = |pairs: &[(usize, usize)], part: &Part<'_>| {
        index.map_pairs(pairs, part, |_, table| map(table))
    };
    in_batches(index.n_columns(), observer, values, each)
}

/// As [`for_each_column`], of what the features tell, wherever their rows are.
pub(super) fn for_each_feature<T: Send>(
    informations: &Informations<'_>,
    observer: &dyn Observer,
    map: impl Fn(&PairInformation) -> T + Sync,
    each: impl FnMut(usize, Vec<T>) -> Result<()>,
) -> Result<()> {
    let values =
        |pairs: &[(usize, usize)], part: &Part<'_>| informations.map_pairs(pairs, part, &map);
    in_batches(informations.n_features(), observer, values, each)
}

fn in_batches<T>(
    n: usize,
    observer: &dyn Observer,
    values: impl Fn(&[(usize, usize)], &Part<'_>) -> Result<Vec<T>>,
    mut each: impl FnMut(usize, Vec<T>) -> Result<()>,
) -> Result<()> {
    let mut part = Part {
        whole: observer,
        n_before: 0,
        n_all: (n as u64 * n.saturating_sub(1) as u64) / 2,
    };
    let mut first = 0;
    while first < n {
        let mut pairs = Vec::new();
        let mut end = first;
        while end < n && (pairs.is_empty() || pairs.len() + end <= BATCH) {
            pairs.extend((0..end).map(|a| (a, end)));
            end += 1;
        }
        let mut values = values(&pairs, &part)?.into_iter();
        for b in first..end {
            each(b, values.by_ref().take(b).collect())?;
        }
        part.n_before += pairs.len() as u64;
        first = end;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::counts::CountColumn;
    use crate::data::Codes;

    struct Last(AtomicU64);

    impl Observer for Last {
        fn progress(&self, _: &str, done: u64, total: u64) {
            assert!(done <= total);
            self.0.fetch_max(done, Ordering::Relaxed);
        }
    }

    #[test]
    fn every_pair_comes_once_whatever_the_batches() {
        // 1,500 columns are two batches; column i has its one in row i % 3.
        let columns: Vec<Codes> = (0..1_500)
            .map(|i| Codes::new(2, (0..3).map(|row| Some(u32::from(row == i % 3)))))
            .collect();
        let all: Vec<CountColumn<'_>> = columns
            .iter()
            .map(|codes| CountColumn { codes, n_values: 2 })
            .collect();
        let class = Codes::U8(vec![0; 3]);
        let class = CountColumn {
            codes: &class,
            n_values: 1,
        };
        let index = RowIndex::new(&all, class).unwrap();
        let last = Last(AtomicU64::new(0));
        let mut n_columns = 0;
        // The last of four cells counts the rows where both are one.
        let both = |table: &CountTable| table.as_dense().map(|cells| cells[3]);
        for_each_column(&index, &last, both, |b, values| {
            assert_eq!((b, values.len()), (n_columns, n_columns));
            for (a, both) in values.iter().enumerate() {
                assert_eq!(*both, Some(u64::from(a % 3 == b % 3)), "({a}, {b})");
            }
            n_columns += 1;
            Ok(())
        })
        .unwrap();
        assert_eq!(n_columns, 1_500);
        assert_eq!(last.0.into_inner(), 1_500 * 1_499 / 2);
    }
}
