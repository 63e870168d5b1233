//! Counts of a node and its parents, over the parent combinations that occur.

use crate::counts::{CountColumn, Partition};
use crate::error::{Error, Result};

/// Cells that the counts of one family may take: 512 MB.
const MOST_CELLS: usize = 1 << 26;

/// How often each value of a node occurs with each combination of its parents' values.
///
/// Only combinations that occur are held, in the order of their values (the first parent
/// changes slowest); there are never more of them than rows. A row with a missing cell in
/// the node or a parent is not counted.
///
/// # Example
/// ```
/// use bayesieve::counts::CountColumn;
/// use bayesieve::data::Codes;
/// use bayesieve::network::FamilyCounts;
///
/// let child = Codes::new(2, [0, 1, 1, 1].map(Some));
/// let parent = Codes::new(3, [0, 2, 2, 0].map(Some));
/// let column = |codes, n_values| CountColumn { codes, n_values };
/// let family = FamilyCounts::count(column(&child, 2), &[column(&parent, 3)])?;
/// let seen: Vec<_> = family.iter().collect();
/// assert_eq!(seen, [(&[0][..], &[1, 1][..]), (&[2][..], &[0, 2][..])]);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilyCounts {
    n_states: usize,
    parent_states: Vec<usize>,
    /// The parents' values of every combination, one behind the other.
    values: Vec<u32>,
    /// The node's counts of every combination, one behind the other.
    counts: Vec<u64>,
}

impl FamilyCounts {
    /// Counts a node with its parents.
    ///
    /// # Errors
    /// Columns of different lengths, or a code outside its domain.
    ///
    /// # Cost
    /// One or two passes over the rows per parent.
    pub fn count(node: CountColumn<'_>, parents: &[CountColumn<'_>]) -> Result<Self> {
        let mut partition = Partition::whole(node.codes.len());
        for parent in parents {
            partition = partition.refine(parent.codes, parent.n_values)?;
        }
        let n_cells = partition.n_parts().saturating_mul(node.n_values);
        if n_cells > MOST_CELLS {
            return Err(Error::data(format!(
                "{} distinct values are too many for a table with {} combinations of its \
                 parents: {n_cells} cells, limit {MOST_CELLS}",
                node.n_values,
                partition.n_parts()
            ))
            .with_hint("Leave out columns in which nearly every row has a value of its own."));
        }
        let joint = partition.count(node.codes, node.n_values)?;
        let mut values = Vec::new();
        let mut counts = Vec::new();
        for (row, part) in partition.representatives().into_iter().zip(joint.parts()) {
            // The node itself may be missing in every row of a part.
            if part.iter().all(|&n| n == 0) {
                continue;
            }
            values.extend(
                parents
                    .iter()
                    .map(|p| p.codes.get(row as usize).unwrap_or_default()),
            );
            counts.extend_from_slice(part);
        }
        Ok(FamilyCounts {
            n_states: node.n_values,
            parent_states: parents.iter().map(|parent| parent.n_values).collect(),
            values,
            counts,
        })
    }

    /// From the parents' values and the node's counts of every combination, rising.
    ///
    /// # Errors
    /// Rows of another length, values outside their domain, or rows that do not rise.
    pub fn from_rows<'a>(
        n_states: usize,
        parent_states: Vec<usize>,
        rows: impl IntoIterator<Item = (&'a Vec<u32>, &'a Vec<u64>)>,
    ) -> Result<Self> {
        let mut family = FamilyCounts {
            n_states,
            parent_states,
            values: Vec::new(),
            counts: Vec::new(),
        };
        let mut before: Option<&Vec<u32>> = None;
        for (values, counts) in rows {
            let states = &family.parent_states;
            let total = counts.iter().try_fold(0u64, |sum, &n| sum.checked_add(n));
            let is_right = total.is_some_and(|n| n < 1 << 48)
                && values.len() == states.len()
                && counts.len() == n_states
                && values
                    .iter()
                    .zip(states)
                    .all(|(&value, &n)| (value as usize) < n)
                && before.is_none_or(|before| before < values);
            if !is_right {
                return Err(Error::data("counts do not fit the node and its parents"));
            }
            family.values.extend(values);
            family.counts.extend(counts);
            before = Some(values);
        }
        Ok(family)
    }

    /// Number of values of the node.
    pub fn n_states(&self) -> usize {
        self.n_states
    }

    /// Number of values of each parent.
    pub fn parent_states(&self) -> &[usize] {
        &self.parent_states
    }

    /// Number of parent combinations, seen or not, as a float since it may be huge.
    pub fn n_configurations(&self) -> f64 {
        self.parent_states.iter().map(|&n| n as f64).product()
    }

    /// Every parent combination that occurs, with the node's counts.
    pub fn iter(&self) -> impl Iterator<Item = (&[u32], &[u64])> {
        let n_parents = self.parent_states.len();
        let counts = self.counts.chunks_exact(self.n_states.max(1));
        counts
            .enumerate()
            .map(move |(i, counts)| (&self.values[i * n_parents..(i + 1) * n_parents], counts))
    }

    /// The node's counts over all parent combinations.
    pub fn marginal(&self) -> Vec<u64> {
        let mut marginal = vec![0; self.n_states];
        for (_, counts) in self.iter() {
            for (sum, n) in marginal.iter_mut().zip(counts) {
                *sum += n;
            }
        }
        marginal
    }

    /// Number of rows counted.
    pub fn n_rows(&self) -> u64 {
        self.counts.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Codes;

    #[test]
    fn rows_with_a_gap_in_the_family_are_not_counted() {
        let child = Codes::new(2, [Some(0), None, Some(1), None]);
        let parent = Codes::new(2, [Some(0), Some(0), None, Some(1)]);
        let column = |codes| CountColumn { codes, n_values: 2 };
        let family = FamilyCounts::count(column(&child), &[column(&parent)]).unwrap();
        assert_eq!(family.iter().collect::<Vec<_>>(), [(&[0][..], &[1, 0][..])]);
        assert_eq!(family.n_rows(), 1);
    }

    #[test]
    fn a_table_that_would_fill_the_memory_is_refused() {
        let ids = Codes::new(70_000, (0..70_000).map(Some));
        let column = CountColumn {
            codes: &ids,
            n_values: 70_000,
        };
        let error = FamilyCounts::count(column, &[column]).unwrap_err();
        assert!(error.to_string().contains("4900000000 cells"), "{error}");
    }

    #[test]
    fn a_node_without_parents_has_one_combination() {
        let child = Codes::new(3, [0, 1, 1].map(Some));
        let family = FamilyCounts::count(
            CountColumn {
                codes: &child,
                n_values: 3,
            },
            &[],
        )
        .unwrap();
        assert_eq!(
            family.iter().collect::<Vec<_>>(),
            [(&[][..], &[1, 2, 0][..])]
        );
        assert_eq!(family.n_configurations(), 1.0);
    }
}
