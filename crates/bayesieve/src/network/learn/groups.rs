//! Rows numbered by the values of several columns, to be counted as classes.
//!
//! Tables of many columns that share all but one or two are counted together: the shared
//! ones make the classes of a [`RowIndex`], and its kernels count the others.

use crate::counts::{CountColumn, Partition, RowIndex};
use crate::data::{Code, Codes};
use crate::{Error, Result, with_codes};

/// A row with a missing cell: in no group.
const NOWHERE: u32 = u32::MAX;

/// The group of every row: the place of its values in a table of some columns, the first
/// changing slowest.
#[derive(Debug, Clone)]
pub(super) struct RowGroups {
    group_of_row: Vec<u32>,
    n_groups: usize,
}

impl RowGroups {
    /// One group per part.
    pub(super) fn new(partition: &Partition) -> Self {
        RowGroups {
            group_of_row: partition
                .iter()
                .map(|part| part.unwrap_or(NOWHERE))
                .collect(),
            n_groups: partition.n_parts(),
        }
    }

    /// All rows in one group.
    pub(super) fn whole(n_rows: usize) -> Self {
        RowGroups {
            group_of_row: vec![0; n_rows],
            n_groups: 1,
        }
    }

    /// Splits every group by the values of a column, whether they occur or not.
    pub(super) fn split(mut self, column: CountColumn<'_>) -> Result<Self> {
        fn split<C: Code>(groups: &mut [u32], cells: &[C], n_values: usize) -> bool {
            let mut is_inside = true;
            for (group, &cell) in groups.iter_mut().zip(cells) {
                if *group == NOWHERE || cell == C::MISSING {
                    *group = NOWHERE;
                } else {
                    is_inside &= cell.index() < n_values;
                    *group = *group * n_values as u32 + cell.index() as u32;
                }
            }
            is_inside
        }
        let n_groups = self.n_groups.checked_mul(column.n_values);
        let n_groups = n_groups.filter(|&n| n < NOWHERE as usize);
        let Some(n_groups) = n_groups else {
            return Err(Error::internal("more groups of rows than can be numbered"));
        };
        let groups = &mut self.group_of_row;
        if column.codes.len() != groups.len()
            || !with_codes!(column.codes, cells => split(groups, cells, column.n_values))
        {
            return Err(Error::internal(
                "a column does not fit the groups it splits",
            ));
        }
        self.n_groups = n_groups;
        Ok(self)
    }

    /// Number of rows in every group.
    pub(super) fn sizes(&self) -> Vec<u64> {
        let mut sizes = vec![0; self.n_groups];
        for &group in self.group_of_row.iter().filter(|&&group| group != NOWHERE) {
            sizes[group as usize] += 1;
        }
        sizes
    }

    /// The columns given, ready to be counted by group. Rows in no group make up one more
    /// class, behind the groups; its counts mean nothing.
    pub(super) fn index<'a>(&self, columns: &[CountColumn<'a>]) -> Result<RowIndex<'a>> {
        let has_gap = self.group_of_row.contains(&NOWHERE);
        let n_classes = self.n_groups + usize::from(has_gap);
        let gap = self.n_groups as u32;
        let codes = Codes::new(
            n_classes,
            self.group_of_row.iter().map(|&group| Some(group.min(gap))),
        );
        let class = CountColumn {
            codes: &codes,
            n_values: n_classes,
        };
        RowIndex::new(columns, class)
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
        assert_eq!(groups.group_of_row, [2, 3, 5, NOWHERE]);
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
        assert_eq!(RowGroups::new(&parts).group_of_row, [2, 0, 2, 1]);
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
