//! Counts of a node and its parents, over the combinations that occur.

use crate::counts::{CountColumn, Partition, TableRows};
use crate::{Error, Result};

/// Tables up to this many cells, or four per row, are counted whole before they are thinned.
const DENSE_CELLS: usize = 65_536;

/// Counts of a family sum to less than this, so that no sum of theirs can overflow.
const MAX_ROWS: u64 = 1 << 48;

/// How often each value of a node occurs with each combination of its parents' values.
///
/// Only combinations that occur are held, in the order of their values (the first parent
/// changes slowest), and of each only the node's values that occur with it: never more
/// cells than rows, however many values the columns have. A row with a missing cell in the
/// node or a parent is not counted.
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
/// assert_eq!(seen, [(&[0][..], &[(0, 1), (1, 1)][..]), (&[2][..], &[(1, 2)][..])]);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilyCounts {
    n_states: usize,
    parent_states: Vec<usize>,
    /// The parents' values of every combination, one behind the other.
    values: Vec<u32>,
    /// Where the cells of every combination end.
    ends: Vec<usize>,
    /// The node's values that occur and how often, rising in every combination.
    cells: Vec<(u32, u64)>,
}

impl FamilyCounts {
    /// Counts a node with its parents.
    ///
    /// # Errors
    /// Columns of different lengths, or a code outside its domain.
    ///
    /// # Cost
    /// One or two passes over the rows per parent; memory by the rows, not by the values.
    pub fn count(node: CountColumn<'_>, parents: &[CountColumn<'_>]) -> Result<Self> {
        FamilyCounts::count_weighted(node, parents, None)
    }

    /// From the rows of the parents and the node, the node last.
    ///
    /// # Errors
    /// Rows of no column.
    pub(crate) fn of_rows(rows: &TableRows<'_>) -> Result<Self> {
        let columns: Vec<CountColumn<'_>> = (0..rows.n_nodes()).map(|i| rows.column(i)).collect();
        let split = columns.split_last();
        let (&node, parents) = split.ok_or_else(|| Error::internal("a family of nobody"))?;
        FamilyCounts::count_weighted(node, parents, rows.weights())
    }

    fn count_weighted(
        node: CountColumn<'_>,
        parents: &[CountColumn<'_>],
        weights: Option<&[u64]>,
    ) -> Result<Self> {
        let mut partition = Partition::whole(node.codes.len());
        for parent in parents {
            partition = partition.refine(parent.codes, parent.n_values)?;
        }
        let n_cells = partition.n_parts().saturating_mul(node.n_values);
        let cells = if n_cells <= DENSE_CELLS.max(4 * node.codes.len()) {
            count_whole(&partition, node, weights)?
        } else {
            count_seen(&partition, node, weights)?
        };
        let parent_states = parents.iter().map(|parent| parent.n_values).collect();
        let mut family = FamilyCounts::empty(node.n_values, parent_states);
        let rows = partition.representatives();
        // The node itself may be missing in every row of a part: such parts have no cell.
        for part in cells.chunk_by(|x, y| x.part == y.part) {
            let row = rows[part[0].part] as usize;
            let value = |parent: &CountColumn<'_>| parent.codes.get(row).unwrap_or_default();
            let cells = part.iter().map(|cell| (cell.state, cell.n));
            family.push(parents.iter().map(value), cells);
        }
        Ok(family)
    }

    /// From the parents' values of every combination, rising, and in each the node's values
    /// that occur, rising, with how often.
    ///
    /// # Errors
    /// Values outside their domain, combinations or values that do not rise, counts of 0, or
    /// more rows than 2^48.
    pub fn from_cells<'a>(
        n_states: usize,
        parent_states: Vec<usize>,
        combinations: impl IntoIterator<Item = (&'a [u32], &'a [(u32, u64)])>,
    ) -> Result<Self> {
        let mut family = FamilyCounts::empty(n_states, parent_states);
        let mut before: Option<&[u32]> = None;
        let mut n_rows = 0u64;
        for (values, cells) in combinations {
            let states = &family.parent_states;
            let is_inside = |(&value, &n): (&u32, &usize)| (value as usize) < n;
            let mut is_right = values.len() == states.len()
                && values.iter().zip(states).all(is_inside)
                && before.is_none_or(|before| before < values)
                && cells.windows(2).all(|pair| pair[0].0 < pair[1].0);
            for &(state, n) in cells {
                n_rows = n_rows.saturating_add(n);
                is_right &= (state as usize) < n_states && n > 0;
            }
            if !is_right || n_rows >= MAX_ROWS {
                return Err(Error::data("counts do not fit the node and its parents"));
            }
            before = Some(values);
            // A combination that does not occur says nothing.
            if !cells.is_empty() {
                family.push(values.iter().copied(), cells.iter().copied());
            }
        }
        Ok(family)
    }

    fn empty(n_states: usize, parent_states: Vec<usize>) -> Self {
        FamilyCounts {
            n_states,
            parent_states,
            values: Vec::new(),
            ends: Vec::new(),
            cells: Vec::new(),
        }
    }

    /// Adds a combination behind the others.
    fn push(&mut self, values: impl Iterator<Item = u32>, cells: impl Iterator<Item = (u32, u64)>) {
        self.values.extend(values);
        self.cells.extend(cells);
        self.ends.push(self.cells.len());
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

    /// Number of parent combinations that occur.
    pub fn n_seen(&self) -> usize {
        self.ends.len()
    }

    /// Number of combinations of the node and its parents that occur.
    pub fn n_cells(&self) -> usize {
        self.cells.len()
    }

    /// Every parent combination that occurs, with the node's values that occur in it and how
    /// often.
    pub fn iter(&self) -> impl Iterator<Item = (&[u32], &[(u32, u64)])> {
        let n_parents = self.parent_states.len();
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        let stretches = starts.zip(&self.ends).enumerate();
        stretches.map(move |(i, (start, &end))| {
            let values = &self.values[i * n_parents..(i + 1) * n_parents];
            (values, &self.cells[start..end])
        })
    }

    /// The node's counts over all parent combinations.
    pub fn marginal(&self) -> Vec<u64> {
        let mut marginal = vec![0; self.n_states];
        for &(state, n) in &self.cells {
            marginal[state as usize] += n;
        }
        marginal
    }

    /// Number of rows counted.
    pub fn n_rows(&self) -> u64 {
        self.cells.iter().map(|&(_, n)| n).sum()
    }
}

/// How often a value of the node occurs in a part.
#[derive(Clone, Default)]
struct PartCell {
    part: usize,
    state: u32,
    n: u64,
}

/// Cells by part and value, from a table with room for all.
fn count_whole(
    partition: &Partition,
    node: CountColumn<'_>,
    weights: Option<&[u64]>,
) -> Result<Vec<PartCell>> {
    let joint = partition.count_weighted(node.codes, node.n_values, weights)?;
    let mut cells = Vec::new();
    for (part, counts) in joint.parts().enumerate() {
        let seen = (0..).zip(counts).filter(|&(_, &n)| n > 0);
        cells.extend(seen.map(|(state, &n)| PartCell { part, state, n }));
    }
    Ok(cells)
}

/// Cells by part and value, from a partition into those that occur.
fn count_seen(
    partition: &Partition,
    node: CountColumn<'_>,
    weights: Option<&[u64]>,
) -> Result<Vec<PartCell>> {
    let family = partition.refine(node.codes, node.n_values)?;
    let mut cells = vec![PartCell::default(); family.n_parts()];
    let rows = family.iter().zip(partition.iter()).zip(node.codes.iter());
    for (row, ((cell, part), state)) in rows.enumerate() {
        // A row without the node's value is in no cell.
        if let (Some(cell), Some(part), Some(state)) = (cell, part, state) {
            let cell = &mut cells[cell as usize];
            (cell.part, cell.state) = (part as usize, state);
            cell.n += weights.map_or(1, |weights| weights[row]);
        }
    }
    Ok(cells)
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
        assert_eq!(
            family.iter().collect::<Vec<_>>(),
            [(&[0][..], &[(0, 1)][..])]
        );
        assert_eq!(family.n_rows(), 1);
    }

    #[test]
    fn columns_of_as_many_values_as_rows_take_a_cell_a_row() {
        // 70,000 by 70,000 cells would be 39 GB.
        let ids = Codes::new(70_000, (0..70_000).map(|row| (row != 7).then_some(row)));
        let column = CountColumn {
            codes: &ids,
            n_values: 70_000,
        };
        let family = FamilyCounts::count(column, &[column]).unwrap();
        assert_eq!((family.n_seen(), family.n_cells()), (69_999, 69_999));
        for ((values, cells), id) in family.iter().zip((0..70_000).filter(|&id| id != 7)) {
            assert_eq!((values, cells), (&[id][..], &[(id, 1)][..]));
        }
    }

    #[test]
    fn both_ways_of_counting_give_the_same_cells() {
        // About one cell in seven is missing.
        let cell = |i: u32, n: u32| (!i.is_multiple_of(7)).then_some(i * i % n);
        let node = Codes::new(50, (0..500).map(|i| cell(i, 50)));
        let parent = Codes::new(9, (0..500).map(|i| cell(i + i / 9, 9)));
        let node = CountColumn {
            codes: &node,
            n_values: 50,
        };
        let partition = Partition::whole(500).refine(&parent, 9).unwrap();
        let cells = |cells: Vec<PartCell>| -> Vec<(usize, u32, u64)> {
            cells.iter().map(|c| (c.part, c.state, c.n)).collect()
        };
        let whole = cells(count_whole(&partition, node, None).unwrap());
        assert_eq!(whole, cells(count_seen(&partition, node, None).unwrap()));
        assert!(whole.len() > 50);
    }

    #[test]
    fn cells_that_do_not_fit_are_refused() {
        type Combination<'a> = (&'a [u32], &'a [(u32, u64)]);
        let read = |combinations: &[Combination<'_>]| {
            FamilyCounts::from_cells(2, vec![3], combinations.iter().copied())
        };
        let family = read(&[(&[0], &[(0, 2)]), (&[1], &[]), (&[2], &[(0, 1), (1, 1)])]).unwrap();
        assert_eq!((family.n_seen(), family.marginal()), (2, vec![3, 1]));
        let bad: [&[Combination<'_>]; 8] = [
            &[(&[3], &[(0, 1)])],
            &[(&[0, 0], &[(0, 1)])],
            &[(&[0], &[(2, 1)])],
            &[(&[0], &[(0, 0)])],
            &[(&[0], &[(1, 1), (0, 1)])],
            &[(&[0], &[(1, 1), (1, 1)])],
            &[(&[1], &[(0, 1)]), (&[1], &[(0, 1)])],
            &[(&[0], &[(0, u64::MAX)]), (&[1], &[(0, u64::MAX)])],
        ];
        for combinations in bad {
            assert!(read(combinations).is_err(), "{combinations:?}");
        }
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
            [(&[][..], &[(0, 1), (1, 2)][..])]
        );
        assert_eq!(family.n_configurations(), 1.0);
    }
}
