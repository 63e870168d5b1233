//! Rows numbered by the values of several columns, to be counted as classes.
//!
//! Tables of many columns that share all but one or two are counted together: the shared
//! ones make the classes of a [`RowIndex`], and its kernels count the others.

use crate::counts::{CountColumn, Partition, RowIndex, count_codes};
use crate::data::Codes;
use crate::{Error, Result};

/// A group of rows for every combination of values, also for those that do not occur.
#[derive(Debug, Clone)]
pub(super) struct RowGroups {
    /// The group of every row; rows with a missing cell have none.
    codes: Codes,
    n_groups: usize,
}

impl RowGroups {
    /// The parts of a partition.
    pub(super) fn new(partition: &Partition) -> Self {
        RowGroups {
            codes: Codes::new(partition.n_parts(), partition.iter()),
            n_groups: partition.n_parts(),
        }
    }

    /// One group of all rows.
    pub(super) fn whole(n_rows: usize) -> Self {
        RowGroups {
            codes: Codes::U8(vec![0; n_rows]),
            n_groups: 1,
        }
    }

    /// Every group split by the values of a column, which changes fastest.
    ///
    /// # Errors
    /// A column of another length or with a code outside its values, and more groups than
    /// can be numbered.
    pub(super) fn split(self, column: CountColumn<'_>) -> Result<Self> {
        let n_groups = self.n_groups.checked_mul(column.n_values);
        let n_groups = n_groups.filter(|&n| n < u32::MAX as usize);
        let Some(n_groups) = n_groups else {
            return Err(Error::internal("more groups of rows than can be numbered"));
        };
        let n_values = column.n_values;
        let mut codes = column.codes.iter().flatten();
        if column.codes.len() != self.codes.len() || codes.any(|c| c as usize >= n_values) {
            return Err(Error::internal(
                "a column does not fit the groups it splits",
            ));
        }
        Ok(RowGroups {
            codes: Codes::joined((&self.codes, self.n_groups), (column.codes, n_values)),
            n_groups,
        })
    }

    /// Number of rows of every group.
    pub(super) fn sizes(&self) -> Vec<u64> {
        let mut sizes = count_codes(&self.codes, self.n_groups);
        sizes.truncate(self.n_groups);
        sizes
    }

    /// An index of columns given the group; rows of no group stand behind the others.
    pub(super) fn index<'a>(&self, columns: &[CountColumn<'a>]) -> Result<RowIndex<'a>> {
        let has_gap = self.codes.n_missing() > 0;
        let n_values = self.n_groups + usize::from(has_gap);
        let gap = Some(self.n_groups as u32);
        let with_gap = Codes::new(n_values, self.codes.iter().map(|code| code.or(gap)));
        let codes = &with_gap;
        RowIndex::new(columns, CountColumn { codes, n_values })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Cell;

    #[test]
    fn groups_are_places_in_a_table_and_gaps_stand_behind() {
        let a = Codes::new(2, [Some(0), Some(1), Some(1), None]);
        let b = Codes::new(3, [Some(2), Some(0), Some(2), Some(1)]);
        let column = |codes, n_values| CountColumn { codes, n_values };
        let groups = RowGroups::whole(4).split(column(&a, 2)).unwrap();
        let groups = groups.split(column(&b, 3)).unwrap();
        // 0,2 → 2; 1,0 → 3; 1,2 → 5; the gap → 6.
        let expected = [Some(2), Some(3), Some(5), None];
        assert_eq!(groups.codes.iter().collect::<Vec<_>>(), expected);
        assert_eq!(groups.sizes(), [0, 0, 1, 1, 0, 1]);
        let index = groups.index(&[column(&b, 3)]).unwrap();
        let table = index.count_single(0).unwrap();
        let count = |class, a| {
            table.get(Cell {
                class,
                a,
                ..Cell::default()
            })
        };
        assert_eq!([count(2, 2), count(5, 2), count(6, 1)], [1, 1, 1]);
        let parts = Partition::whole(4).refine(&b, 3).unwrap();
        let codes = RowGroups::new(&parts).codes;
        assert_eq!(codes, Codes::U8(vec![2, 0, 2, 1]));
    }

    #[test]
    fn columns_that_do_not_fit_are_refused() {
        let short = Codes::U8(vec![0]);
        let outside = Codes::U8(vec![0, 7]);
        for codes in [&short, &outside] {
            let column = CountColumn { codes, n_values: 2 };
            assert!(RowGroups::whole(2).split(column).is_err());
        }
        let huge = CountColumn {
            codes: &short,
            n_values: 1 << 32,
        };
        assert!(RowGroups::whole(1).split(huge).is_err());
    }
}
