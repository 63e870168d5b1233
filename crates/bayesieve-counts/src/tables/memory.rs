//! Tables of rows that are in memory.

use std::sync::OnceLock;

use rayon::prelude::*;

use super::joint_counter::MAX_JOINT_CELLS;
use super::joint_table::n_combinations;
use super::{JointCounter, JointTable, PairKind, Tables, renumbered};
use crate::codes::Codes;
use crate::error::{Error, Result};
use crate::histogram::count_codes;
use crate::index::{CountColumn, RowIndex};
use crate::observer::{Observer, check};
use crate::table::CountTable;

/// Joint tables up to this many cells, or four per row, are counted whole.
const DENSE_CELLS: u64 = 65_536;

/// [`Tables`] of columns in memory.
#[derive(Debug)]
pub struct MemoryTables<'a> {
    /// The features, and the class behind them where there is one.
    columns: Vec<CountColumn<'a>>,
    /// Number of values of every feature.
    n_values: Vec<usize>,
    n_rows: usize,
    class_counts: Vec<u64>,
    singles: OnceLock<Vec<CountTable>>,
    index: OnceLock<RowIndex<'a>>,
    /// The features with all rows in one class.
    plain: OnceLock<RowIndex<'a>>,
}

impl<'a> MemoryTables<'a> {
    /// Takes features and a class.
    ///
    /// # Errors
    /// Columns of different lengths, a code outside its domain, or a row without a class.
    pub fn new(features: &[CountColumn<'a>], class: CountColumn<'a>) -> Result<Self> {
        let index = RowIndex::new(features, class)?;
        let mut class_counts = count_codes(class.codes, class.n_values);
        class_counts.truncate(class.n_values);
        let columns = features.iter().copied().chain([class]).collect();
        let tables = MemoryTables::of(columns, class_counts, features.len());
        Ok(MemoryTables {
            index: OnceLock::from(index),
            ..tables
        })
    }

    /// Takes columns none of which is the class: all rows are of one class.
    ///
    /// # Errors
    /// Columns of different lengths.
    pub fn without_class(columns: &[CountColumn<'a>]) -> Result<Self> {
        let n_rows = columns.first().map_or(0, |column| column.codes.len());
        if columns.iter().any(|column| column.codes.len() != n_rows) {
            return Err(Error::internal("columns of different lengths"));
        }
        Ok(MemoryTables::of(
            columns.to_vec(),
            vec![n_rows as u64],
            columns.len(),
        ))
    }

    fn of(columns: Vec<CountColumn<'a>>, class_counts: Vec<u64>, n_features: usize) -> Self {
        MemoryTables {
            n_values: columns[..n_features].iter().map(|c| c.n_values).collect(),
            n_rows: class_counts.iter().sum::<u64>() as usize,
            columns,
            class_counts,
            singles: OnceLock::new(),
            index: OnceLock::new(),
            plain: OnceLock::new(),
        }
    }

    fn plain_index(&self) -> Result<&RowIndex<'a>> {
        if let Some(plain) = self.plain.get() {
            return Ok(plain);
        }
        let one_class = Codes::U8(vec![0; self.n_rows]);
        let class = CountColumn {
            codes: &one_class,
            n_values: 1,
        };
        let plain = RowIndex::new(&self.columns[..self.n_values.len()], class)?;
        Ok(self.plain.get_or_init(|| plain))
    }

    /// The features given the class, or given nothing where there is none.
    fn own_index(&self) -> Result<&RowIndex<'a>> {
        self.index.get().map_or_else(|| self.plain_index(), Ok)
    }

    /// The table of some nodes; `None` where its cells are not counted one by one.
    fn count_whole(&self, set: &[usize]) -> Result<Option<JointTable>> {
        let mut sorted = set.to_vec();
        sorted.sort_unstable();
        let is_twice = sorted.windows(2).any(|pair| pair[0] == pair[1]);
        let columns: Option<Vec<CountColumn<'_>>> = set
            .iter()
            .map(|&node| self.columns.get(node).copied())
            .collect();
        let Some((first, others)) = columns.as_deref().and_then(<[_]>::split_first) else {
            return Ok(None);
        };
        let n_values: Vec<usize> = [first]
            .into_iter()
            .chain(others)
            .map(|c| c.n_values)
            .collect();
        let is_small = n_combinations(&n_values)
            .is_ok_and(|n_cells| n_cells <= DENSE_CELLS.max(4 * self.n_rows as u64));
        if is_twice || !is_small {
            return Ok(None);
        }
        let mut joined = None;
        let mut n_cells = first.n_values;
        for column in others {
            let before = (joined.as_ref().unwrap_or(first.codes), n_cells);
            joined = Some(Codes::joined(before, (column.codes, column.n_values)));
            n_cells *= column.n_values;
        }
        let mut cells = count_codes(joined.as_ref().unwrap_or(first.codes), n_cells);
        cells.truncate(n_cells); // the rows with a missing cell
        JointTable::from_dense(&n_values, cells).map(Some)
    }
}

impl Tables for MemoryTables<'_> {
    fn n_rows(&self) -> u64 {
        self.n_rows as u64
    }

    fn class_counts(&self) -> &[u64] {
        &self.class_counts
    }

    fn n_values(&self) -> &[usize] {
        &self.n_values
    }

    fn singles(&self) -> &[CountTable] {
        if let Some(singles) = self.singles.get() {
            return singles;
        }
        let count = |index: &RowIndex<'_>| {
            let features = (0..self.n_values.len()).into_par_iter();
            features
                .map(|feature| index.count_single(feature))
                .collect()
        };
        // Counted before the lock is taken: a thread that waits for it while its work is stolen
        // would wait for itself. Columns that cannot be counted have no tables.
        let singles = self.own_index().and_then(count).unwrap_or_default();
        self.singles.get_or_init(|| singles)
    }

    fn pairs(&self, pairs: &[(usize, usize)], observer: &dyn Observer) -> Result<Vec<CountTable>> {
        self.own_index()?
            .map_pairs(pairs, observer, |_, table| table.clone())
    }

    fn joint(&self, sets: &[Vec<usize>], observer: &dyn Observer) -> Result<Vec<JointTable>> {
        let count = |set: &Vec<usize>| {
            check(observer)?;
            if let Some(table) = self.count_whole(set)? {
                return Ok(table);
            }
            let (nodes, set) = renumbered(std::slice::from_ref(set));
            let columns = nodes.iter().map(|&node| self.columns.get(node).copied());
            let columns: Option<Vec<CountColumn<'_>>> = columns.collect();
            let columns = columns.ok_or_else(|| Error::internal(format!("the nodes {nodes:?}")))?;
            let n_values: Vec<usize> = columns.iter().map(|column| column.n_values).collect();
            let mut counter = JointCounter::with_room(&n_values, set, MAX_JOINT_CELLS)?;
            counter.observe(
                &columns
                    .iter()
                    .map(|column| column.codes)
                    .collect::<Vec<_>>(),
            )?;
            let table = counter.finish().pop();
            table.ok_or_else(|| Error::internal("a table was not counted"))
        };
        sets.iter().map(count).collect()
    }

    fn columns(&self) -> Option<&[CountColumn<'_>]> {
        Some(&self.columns)
    }

    fn index(&self, kind: PairKind) -> Option<Result<&RowIndex<'_>>> {
        Some(match kind {
            PairKind::GivenClass => self.own_index(),
            PairKind::Plain => self.plain_index(),
        })
    }
}
