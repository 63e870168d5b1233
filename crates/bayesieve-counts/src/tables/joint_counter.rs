//! Joint tables that grow batch by batch.

use rayon::prelude::*;

use super::joint_table::{JointTable, n_combinations};
use crate::cells::CellCounts;
use crate::codes::{Code, Codes};
use crate::error::{Error, Result};
use crate::index::{CountColumn, RowIndex};
use crate::parameter::parameter;
use crate::with_codes;
use crate::wording::grouped;

/// Tables up to this many cells are held whole, if there is room.
const DENSE_CELLS: u64 = 1 << 20;

/// CellCounts of all tables together, each of eight bytes (sixteen where only those that occur are
/// held).
pub(super) const MAX_JOINT_CELLS: usize = 1 << 27;

/// Joint tables of several sets of columns, counted batch by batch and merged with others.
///
/// A table that is larger than its share of the memory holds only the combinations that occur,
/// which are never more than the rows.
///
/// Sets that differ in their last column only share the work for the columns before it: put
/// the candidate last.
///
/// # Example
/// ```
/// use bayesieve_counts::JointCounter;
/// use bayesieve_counts::Codes;
///
/// let mut counter = JointCounter::new(&[2, 3], vec![vec![0, 1], vec![1]])?;
/// let columns = [Codes::U8(vec![0, 1, 1]), Codes::U8(vec![2, 0, 0])];
/// counter.observe(&[&columns[0], &columns[1]])?;
/// let tables = counter.finish();
/// assert_eq!(tables[0].dense(6).unwrap()[..], [0, 0, 1, 2, 0, 0]);
/// assert_eq!(tables[1].dense(3).unwrap()[..], [2, 0, 1]);
/// # Ok::<(), bayesieve_counts::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct JointCounter {
    n_values: Vec<usize>,
    sets: Vec<Vec<usize>>,
    cells: Vec<CellCounts>,
    max_cells: usize,
}

impl JointCounter {
    /// A counter that has seen no row; `n_values` are those of all columns that batches have.
    ///
    /// # Errors
    /// A set that names a column that does not exist, no column or one twice; or more
    /// combinations than can be numbered.
    pub fn new(n_values: &[usize], sets: Vec<Vec<usize>>) -> Result<Self> {
        JointCounter::with_room(n_values, sets, MAX_JOINT_CELLS)
    }

    /// As [`JointCounter::new`], with room for so many cells of eight bytes, all tables
    /// together; combinations that are kept one by one take two.
    ///
    /// # Errors
    /// As [`JointCounter::new`].
    pub fn with_room(n_values: &[usize], sets: Vec<Vec<usize>>, max_cells: usize) -> Result<Self> {
        let n_cells = sets.iter().map(|set| n_cells(n_values, set));
        let n_cells: Vec<u64> = n_cells.collect::<Result<_>>()?;
        let share = DENSE_CELLS.min((max_cells / sets.len().max(1)) as u64);
        let empty = |&n_cells: &u64| {
            if n_cells <= share {
                CellCounts::Dense(vec![0; n_cells as usize])
            } else {
                CellCounts::Sparse(Vec::new())
            }
        };
        Ok(JointCounter {
            n_values: n_values.to_vec(),
            cells: n_cells.iter().map(empty).collect(),
            sets,
            max_cells,
        })
    }

    /// The sets that are counted.
    pub fn sets(&self) -> &[Vec<usize>] {
        &self.sets
    }

    /// Number of values of every column.
    pub fn n_values(&self) -> &[usize] {
        &self.n_values
    }

    /// The combinations of a set that were seen, by rising key, with their rows.
    pub fn seen(&self, set: usize) -> Vec<(u64, u64)> {
        self.cells[set].iter().collect()
    }

    /// Adds combinations of a set by rising key.
    ///
    /// # Errors
    /// A key that does not rise or lies outside the table, or tables that do not fit in memory.
    pub fn add_seen(&mut self, set: usize, seen: Vec<(u64, u64)>) -> Result<()> {
        let n_cells = n_cells(&self.n_values, &self.sets[set])?;
        let rises = seen.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if !rises || seen.last().is_some_and(|&(key, _)| key >= n_cells) {
            return Err(Error::internal("a combination outside its table"));
        }
        self.cells[set].add(&CellCounts::Sparse(seen));
        self.check_memory()
    }

    /// Counts a batch of rows, one column of codes for every column of the counter.
    ///
    /// # Errors
    /// Another number of columns, columns of different lengths, or a code outside its domain:
    /// then nothing is counted. More combinations than fit in memory: then the counter is of no
    /// use.
    ///
    /// # Cost
    /// One pass over the batch for every set, and one for every run of sets that differ in
    /// their last column only.
    pub fn observe(&mut self, columns: &[&Codes]) -> Result<()> {
        let batch = Batch::new(columns, &self.n_values)?;
        let runs = self.sets.chunk_by(|a, b| prefix(a) == prefix(b));
        let mut rest = self.cells.as_mut_slice();
        for sets in runs {
            let (cells, others) = rest.split_at_mut(sets.len());
            rest = others;
            batch.count(sets, cells)?;
        }
        self.check_memory()
    }

    /// Takes over the counts of another counter of the same sets.
    ///
    /// # Errors
    /// The sets or the columns differ: then nothing is added. The tables no longer fit in
    /// memory: then the counter is of no use.
    pub fn merge(&mut self, other: JointCounter) -> Result<()> {
        if self.sets != other.sets || self.n_values != other.n_values {
            return Err(Error::data("joint counts of different sets of columns")
                .with_hint("Count every part with the same columns, domains and sets."));
        }
        for (mine, other) in self.cells.iter_mut().zip(other.cells) {
            mine.add(&other);
        }
        self.check_memory()
    }

    /// The tables of all rows seen, one per set.
    pub fn finish(self) -> Vec<JointTable> {
        let sets = self.sets.iter().zip(self.cells);
        sets.map(|(set, cells)| {
            let table = JointTable::of(&values_of(&self.n_values, set), cells);
            table.expect("the cells were laid out for this set")
        })
        .collect()
    }

    fn check_memory(&self) -> Result<()> {
        let n_cells: usize = self.cells.iter().map(CellCounts::weight).sum();
        if n_cells <= self.max_cells {
            return Ok(());
        }
        Err(too_large(&self.sets, self.max_cells))
    }
}

/// Number of combinations of a set that may be counted.
fn n_cells(n_values: &[usize], set: &[usize]) -> Result<u64> {
    let mut seen = set.to_vec();
    seen.sort_unstable();
    let is_twice = seen.windows(2).any(|pair| pair[0] == pair[1]);
    if is_twice || seen.last().is_none_or(|&last| last >= n_values.len()) {
        return Err(Error::internal(format!(
            "a table of the columns {set:?} of {}",
            n_values.len()
        )));
    }
    n_combinations(&values_of(n_values, set))
}

/// The room was asked for, so that it is no fault of the data.
fn too_large(sets: &[Vec<usize>], max_cells: usize) -> Error {
    let largest = sets.iter().map(Vec::len).max().unwrap_or_default();
    Error::usage(format!(
        "joint tables of up to {largest} columns have more than {} cells, which is all there is \
         room for",
        grouped(max_cells as u64)
    ))
    .with_hint(format!(
        "Give the run more memory ({memory}) or fewer features ({features}, {ignore}), or choose \
         a method by pairs.",
        memory = parameter("memory"),
        features = parameter("features"),
        ignore = parameter("ignore")
    ))
}

fn values_of(n_values: &[usize], set: &[usize]) -> Vec<usize> {
    set.iter().map(|&column| n_values[column]).collect()
}

fn prefix(set: &[usize]) -> &[usize] {
    &set[..set.len() - 1]
}

/// The key of a row with a missing cell.
const GAP: u64 = u64::MAX;

/// Rows of all columns.
struct Batch<'a> {
    columns: Vec<CountColumn<'a>>,
    n_rows: usize,
    is_gappy: Vec<bool>,
}

impl<'a> Batch<'a> {
    fn new(columns: &[&'a Codes], n_values: &[usize]) -> Result<Self> {
        let n_rows = columns.first().map_or(0, |column| column.len());
        if columns.len() != n_values.len() || columns.iter().any(|c| c.len() != n_rows) {
            return Err(Error::internal(format!(
                "a batch of {} columns for {}, or of different lengths",
                columns.len(),
                n_values.len()
            )));
        }
        let columns = columns.iter().zip(n_values);
        let columns: Vec<CountColumn<'_>> = columns
            .map(|(codes, &n_values)| CountColumn { codes, n_values })
            .collect();
        let is_gappy = columns.iter().map(check_codes).collect::<Result<_>>()?;
        Ok(Batch {
            columns,
            n_rows,
            is_gappy,
        })
    }

    /// Counts sets that share all columns but the last.
    fn count(&self, sets: &[Vec<usize>], cells: &mut [CellCounts]) -> Result<()> {
        let prefix = prefix(&sets[0]);
        let n_groups = n_combinations(
            &prefix
                .iter()
                .map(|&c| self.columns[c].n_values)
                .collect::<Vec<_>>(),
        )?;
        let is_whole = !prefix.iter().any(|&column| self.is_gappy[column]);
        // The kernels lay out a table for every batch: one that is larger than the batch costs
        // more than its rows.
        let is_narrow = (1..=DENSE_CELLS.min(self.n_rows as u64)).contains(&n_groups);
        if is_whole && is_narrow {
            self.count_by_groups(sets, cells, n_groups as usize)
        } else {
            self.count_by_keys(sets, cells)
        }
    }

    /// By the kernels for tables given the class, the shared columns being the class.
    fn count_by_groups(
        &self,
        sets: &[Vec<usize>],
        cells: &mut [CellCounts],
        n_groups: usize,
    ) -> Result<()> {
        let groups = self.joined(prefix(&sets[0]));
        let last = |set: &Vec<usize>| self.columns[set[set.len() - 1]];
        let columns: Vec<CountColumn<'_>> = sets.iter().map(last).collect();
        let class = CountColumn {
            codes: &groups,
            n_values: n_groups,
        };
        let index = RowIndex::new(&columns, class)?;
        cells
            .par_iter_mut()
            .enumerate()
            .try_for_each(|(place, cells)| {
                cells.add(&match index.single_cells(place)? {
                    Some(counted) => CellCounts::Dense(counted),
                    None => self.seen(&sets[place]),
                });
                Ok(())
            })
    }

    /// One row after the other; the shared columns are joined once.
    fn count_by_keys(&self, sets: &[Vec<usize>], cells: &mut [CellCounts]) -> Result<()> {
        let mut shared = vec![0; self.n_rows];
        for &column in prefix(&sets[0]) {
            self.join(&mut shared, column);
        }
        let sets = sets.par_iter().zip(cells.par_iter_mut());
        sets.for_each(|(set, cells)| {
            let mut keys = shared.clone();
            set.last()
                .into_iter()
                .for_each(|&last| self.join(&mut keys, last));
            match cells {
                CellCounts::Dense(cells) => {
                    for key in keys.into_iter().filter(|&key| key != GAP) {
                        cells[key as usize] += 1;
                    }
                }
                CellCounts::Sparse(_) => cells.add(&runs(keys)),
            }
        });
        Ok(())
    }

    /// Several columns as one; none has a gap.
    fn joined(&self, columns: &[usize]) -> Codes {
        let start = (Codes::U8(vec![0; self.n_rows]), 1);
        let (codes, _) = columns.iter().fold(start, |(codes, n_values), &column| {
            let column = self.columns[column];
            let joined = Codes::joined((&codes, n_values), (column.codes, column.n_values));
            (joined, n_values * column.n_values)
        });
        codes
    }

    /// Adds a column to the combination of every row, which becomes [`GAP`] where the cell is
    /// missing.
    fn join(&self, keys: &mut [u64], column: usize) {
        fn join<C: Code>(keys: &mut [u64], cells: &[C], n_values: usize) {
            for (key, &cell) in keys.iter_mut().zip(cells) {
                *key = if *key == GAP || cell == C::MISSING {
                    GAP
                } else {
                    *key * n_values as u64 + cell.index() as u64
                };
            }
        }
        let CountColumn { codes, n_values } = self.columns[column];
        with_codes!(codes, cells => join(keys, cells, n_values));
    }

    /// The combinations of a set that occur, by rising key.
    fn seen(&self, set: &[usize]) -> CellCounts {
        let mut keys = vec![0; self.n_rows];
        set.iter().for_each(|&column| self.join(&mut keys, column));
        runs(keys)
    }
}

/// The keys that occur, with how often they do.
fn runs(mut keys: Vec<u64>) -> CellCounts {
    keys.retain(|&key| key != GAP);
    CellCounts::of_keys(keys)
}

/// Whether a column has gaps; an error for a code outside its domain.
fn check_codes(column: &CountColumn<'_>) -> Result<bool> {
    fn check<C: Code>(cells: &[C], n_values: usize) -> (bool, bool) {
        cells
            .iter()
            .fold((true, false), |(is_inside, is_gappy), &cell| {
                let is_gap = cell == C::MISSING;
                (
                    is_inside && (is_gap || cell.index() < n_values),
                    is_gappy || is_gap,
                )
            })
    }
    let (is_inside, is_gappy) = with_codes!(column.codes, cells => check(cells, column.n_values));
    if !is_inside {
        return Err(Error::internal(format!(
            "a code is not below {}",
            column.n_values
        )));
    }
    Ok(is_gappy)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::ErrorKind;

    type Row = (Option<u32>, u32, u32);

    fn columns(rows: &[Row]) -> [Codes; 3] {
        [
            Codes::new(3, rows.iter().map(|row| row.0)),
            Codes::new(2, rows.iter().map(|row| Some(row.1))),
            Codes::new(5_000_000, rows.iter().map(|row| Some(row.2))),
        ]
    }

    fn sets() -> Vec<Vec<usize>> {
        vec![
            vec![1],
            vec![0, 1],
            vec![1, 0],
            vec![1, 2],
            vec![0, 1, 2],
            vec![2, 1],
        ]
    }

    proptest! {
        #[test]
        fn batches_in_any_cut_count_every_combination(
            rows in prop::collection::vec(
                (prop::option::weighted(0.8, 0u32..3), 0u32..2, 0u32..5_000_000), 0..60),
            cut in 0usize..60,
            // From room for nothing but what occurs to room for all.
            rooms in prop::array::uniform2(prop::sample::select(vec![720usize, 800, 1 << 27])),
        ) {
            let n_values = [3, 2, 5_000_000];
            let cut = cut.min(rows.len());
            let [mut counter, mut second] =
                rooms.map(|room| JointCounter::with_room(&n_values, sets(), room).unwrap());
            let (front, back) = (columns(&rows[..cut]), columns(&rows[cut..]));
            counter.observe(&front.each_ref()).unwrap();
            second.observe(&back.each_ref()).unwrap();
            counter.merge(second).unwrap();
            for (set, table) in sets().iter().zip(counter.finish()) {
                let mut expected: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
                for row in &rows {
                    let cells = [row.0, Some(row.1), Some(row.2)];
                    let key: Option<Vec<u32>> = set.iter().map(|&column| cells[column]).collect();
                    if let Some(key) = key {
                        *expected.entry(key).or_default() += 1;
                    }
                }
                let found = table.iter().map(|(key, n)| (table.values_of(key), n));
                prop_assert_eq!(found.collect::<Vec<_>>(), expected.into_iter().collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert!(JointCounter::new(&[2], vec![vec![1]]).is_err());
        assert!(JointCounter::new(&[2], vec![vec![]]).is_err());
        assert!(JointCounter::new(&[2, 2], vec![vec![0, 0]]).is_err());
        // Four combinations, of which two take four cells.
        let mut small = JointCounter::with_room(&[2, 2], vec![vec![0, 1]], 3).unwrap();
        let [zeros, ones] = [0, 1].map(|code| Codes::U8(vec![code]));
        small.observe(&[&zeros, &ones]).unwrap();
        let error = small.observe(&[&ones, &ones]).unwrap_err();
        // What was asked for is wrong, not the data.
        assert_eq!(error.kind(), ErrorKind::Usage);
        assert_eq!(
            error.to_string(),
            "joint tables of up to 2 columns have more than 3 cells, which is all there is room \
             for. Give the run more memory (memory) or fewer features (features, ignore), \
             or choose a method by pairs."
        );
        let counter = JointCounter::new(&[2, 2], vec![vec![0, 1]]).unwrap();
        let outside = Codes::U8(vec![2]);
        assert!(counter.clone().observe(&[&outside, &outside]).is_err());
        let other = JointCounter::new(&[2, 2], vec![vec![1, 0]]).unwrap();
        assert!(counter.clone().merge(other).is_err());
    }
}
