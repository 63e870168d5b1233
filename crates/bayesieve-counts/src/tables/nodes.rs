//! The seam between rows and methods: some features of tables and the class, numbered anew.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::{JointTable, MemoryTables, PairKind, TableRows, Tables};
use crate::error::{Error, Result};
use crate::index::CountColumn;
use crate::observer::{Observer, check};
use crate::table::CountTable;
use crate::wording::counted;

/// Tables of up to this many cells are held whole, whatever occurs in them.
const WHOLE_CELLS: u64 = 1 << 20;

/// Cells of the joint tables that are remembered, of eight bytes each.
const MAX_REMEMBERED: u64 = 1 << 22;

/// Rows looked at by one job: less is not worth a thread.
const ROWS_PER_JOB: u64 = 1 << 18;

/// Some features of [`Tables`] as nodes, the class behind them: all that methods know of rows.
///
/// Rows in memory are counted by the fastest way there is. Of rows that are out of core or distributed
/// joint tables that were asked for last are remembered, and asked for in as few calls as
/// their memory allows.
#[derive(Debug)]
pub struct TableNodes<'a> {
    tables: Arc<dyn Tables + 'a>,
    /// The place of every feature among those of the tables, rising.
    features: Vec<usize>,
    n_values: Vec<usize>,
    remembered: Mutex<RememberedTables>,
}

/// Looked up only: the order of the map reaches no result.
#[derive(Debug, Default)]
struct RememberedTables {
    tables: HashMap<Vec<usize>, Arc<JointTable>>,
    n_cells: u64,
}

impl<'a> TableNodes<'a> {
    /// Takes some features, named by their places in rising order.
    ///
    /// # Errors
    /// There is no such feature, or the places do not rise.
    pub fn new(tables: Arc<dyn Tables + 'a>, features: &[usize]) -> Result<Self> {
        let all = tables.n_values();
        let rises = features.windows(2).all(|pair| pair[0] < pair[1]);
        if !rises || features.last().is_some_and(|&last| last >= all.len()) {
            return Err(Error::internal(format!(
                "the features {features:?} of {} were asked for",
                all.len()
            )));
        }
        let n_values = features.iter().map(|&feature| all[feature]);
        let n_values = n_values.chain([tables.class_counts().len()]).collect();
        Ok(TableNodes {
            tables,
            features: features.to_vec(),
            n_values,
            remembered: Mutex::default(),
        })
    }

    /// Takes all features of tables.
    pub fn all(tables: Arc<dyn Tables + 'a>) -> Self {
        let features: Vec<usize> = (0..tables.n_values().len()).collect();
        TableNodes::new(tables, &features).expect("the places of all features rise")
    }

    /// Takes features and a class in memory.
    ///
    /// # Errors
    /// As [`MemoryTables::new`].
    pub fn of_rows(features: &[CountColumn<'a>], class: CountColumn<'a>) -> Result<Self> {
        Ok(Self::all(Arc::new(MemoryTables::new(features, class)?)))
    }

    /// Takes columns in memory none of which is the class.
    ///
    /// # Errors
    /// As [`MemoryTables::without_class`].
    pub fn of_columns(columns: &[CountColumn<'a>]) -> Result<Self> {
        Ok(Self::all(Arc::new(MemoryTables::without_class(columns)?)))
    }

    /// Takes some of these features, named by their places in rising order.
    ///
    /// # Errors
    /// As [`TableNodes::new`].
    pub fn choose(&self, features: &[usize]) -> Result<Self> {
        let places = features.iter().map(|&feature| self.feature_place(feature));
        let places: Vec<usize> = places.collect::<Result<_>>()?;
        TableNodes::new(Arc::clone(&self.tables), &places)
    }

    /// Number of rows.
    pub fn n_rows(&self) -> u64 {
        self.tables.n_rows()
    }

    /// Number of features: the node of the class.
    pub fn n_features(&self) -> usize {
        self.features.len()
    }

    /// Number of values of every node, those of the class last.
    pub fn n_values(&self) -> &[usize] {
        &self.n_values
    }

    /// Rows of every class.
    pub fn class_counts(&self) -> &[u64] {
        self.tables.class_counts()
    }

    /// The counts of a feature given the class.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn single(&self, feature: usize) -> &CountTable {
        &self.tables.singles()[self.features[feature]]
    }

    /// The maximum number of features of a joint table; `None` where there is no limit but
    /// memory.
    pub fn max_features(&self) -> Option<usize> {
        self.tables.max_features()
    }

    /// Whether the rows are in memory, so that a look at them costs no more than it needs.
    pub fn is_in_memory(&self) -> bool {
        self.tables.columns().is_some()
    }

    /// Whether a node has missing cells.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn has_gaps(&self, node: usize) -> bool {
        match self.column(node) {
            Some(column) => column.codes.n_missing() > 0,
            None => node < self.n_features() && self.single(node).n_rows() < self.n_rows(),
        }
    }

    /// The values of a node in every row, where they are in memory.
    pub fn column(&self, node: usize) -> Option<CountColumn<'_>> {
        let place = self.place(node).ok()?;
        self.tables.columns()?.get(place).copied()
    }

    /// As [`TableNodes::column`], for whoever cannot do without rows.
    ///
    /// # Errors
    /// The rows are not in memory, or there is no such node.
    pub fn row_column(&self, node: usize) -> Result<CountColumn<'_>> {
        let column = self.column(node);
        column.ok_or_else(no_rows)
    }

    /// The values of all nodes that there are in every row.
    ///
    /// # Errors
    /// The rows are not in memory.
    pub fn row_columns(&self) -> Result<Vec<CountColumn<'_>>> {
        let columns = (0..self.n_values.len())
            .map_while(|node| self.column(node))
            .collect();
        if self.is_in_memory() {
            Ok(columns)
        } else {
            Err(no_rows())
        }
    }

    /// Whether a node has one value in every row.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn is_constant(&self, node: usize) -> bool {
        if let Some(column) = self.column(node) {
            let mut codes = column.codes.iter();
            let first = codes.next();
            return codes.all(|code| Some(code) == first);
        }
        let mut counts = vec![0; self.n_values[node]];
        if node == self.n_features() {
            counts.copy_from_slice(self.class_counts());
        } else {
            self.single(node).for_each(|cell, n| counts[cell.a] += n);
        }
        counts.iter().filter(|&&n| n > 0).count() < 2
    }

    /// Counts pairs of features, the lower one first, and keeps of each table only what `map`
    /// makes of the place of the pair and of the table.
    ///
    /// # Errors
    /// There is no such feature, those of [`Tables::pairs`], or the observer cancelled.
    ///
    /// # Cost
    /// As few looks at the rows as the memory allows.
    pub fn map_pairs<T: Send>(
        &self,
        pairs: &[(usize, usize)],
        kind: PairKind,
        observer: &dyn Observer,
        map: impl Fn(usize, &CountTable) -> T + Sync,
    ) -> Result<Vec<T>> {
        let n_features = self.n_features();
        if let Some((a, b)) = pairs.iter().find(|(a, b)| *a.max(b) >= n_features) {
            return Err(self.no_node(*a.max(b)));
        }
        let place = |&(a, b): &(usize, usize)| (self.features[a.min(b)], self.features[a.max(b)]);
        let places: Vec<(usize, usize)> = pairs.iter().map(place).collect();
        if let Some(index) = self.tables.index(kind) {
            return index?.map_pairs(&places, observer, map);
        }
        if places.iter().any(|(a, b)| a == b) {
            return Err(Error::internal("a pair of one feature"));
        }
        let n_values = self.tables.n_values();
        let n_classes = self.class_counts().len() as u64;
        let weight = |&(a, b): &(usize, usize)| {
            let n_cells = (n_values[a] as u64).saturating_mul(n_values[b] as u64);
            self.weight(n_cells.saturating_mul(n_classes))
        };
        let n_rows = self.n_rows();
        let mut values = Vec::with_capacity(pairs.len());
        for part in parts(&places, self.room(), weight) {
            let tables = self.tables.pairs(part, observer)?;
            if tables.len() != part.len() {
                return Err(Error::internal("another number of tables than asked for"));
            }
            let start = values.len();
            values.par_extend(tables.into_par_iter().enumerate().map(|(i, table)| {
                let table = match kind {
                    PairKind::GivenClass => table,
                    PairKind::Plain => table.over_classes(),
                };
                map(start + i, &table.laid_out(n_rows))
            }));
            observer.progress("counting pairs", values.len() as u64, pairs.len() as u64);
        }
        Ok(values)
    }

    /// Counts sets of nodes together, the first node of a set changing slowest, and keeps of
    /// each table only what `map` makes of the place of its set and of the table.
    ///
    /// # Errors
    /// Those of [`Tables::joint`], a set of more features than the tables can count, and those
    /// of `map`.
    ///
    /// # Cost
    /// As few calls as the memory allows for those that are not remembered.
    pub fn map_joint<T: Send>(
        &self,
        sets: &[Vec<usize>],
        observer: &dyn Observer,
        map: impl Fn(usize, &JointTable) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        // Before anything is asked of the nodes.
        let places: Vec<Vec<usize>> = sets
            .iter()
            .map(|set| self.places(set))
            .collect::<Result<_>>()?;
        if self.is_in_memory() {
            let tables = self
                .tables
                .joint(&places, observer)?
                .into_iter()
                .enumerate();
            return tables.map(|(i, table)| map(i, &table)).collect();
        }
        let known: Vec<Option<Arc<JointTable>>> = {
            let known = self.remembered();
            sets.iter()
                .map(|set| known.tables.get(set).cloned())
                .collect()
        };
        let new: Vec<usize> = (0..sets.len()).filter(|&i| known[i].is_none()).collect();
        let known = known.into_par_iter().enumerate();
        let known = known.map(|(i, table)| table.map(|table| map(i, &table)).transpose());
        let mut found: Vec<Option<T>> = known.collect::<Result<_>>()?;
        let weight = |&i: &usize| {
            let n_values = sets[i].iter().map(|&node| self.n_values[node] as u64);
            self.weight(n_values.fold(1, u64::saturating_mul))
        };
        for part in parts(&new, self.room(), weight) {
            let asked: Vec<Vec<usize>> = part.iter().map(|&i| places[i].clone()).collect();
            let tables = self.tables.joint(&asked, observer)?;
            if tables.len() != part.len() {
                return Err(Error::internal("another number of tables than asked for"));
            }
            let both = part.par_iter().zip(&tables);
            let mapped: Vec<T> = both
                .map(|(&i, table)| map(i, table))
                .collect::<Result<_>>()?;
            for ((&i, table), mapped) in part.iter().zip(tables).zip(mapped) {
                self.remember(&sets[i], table);
                found[i] = Some(mapped);
            }
        }
        let all: Option<Vec<T>> = found.into_iter().collect();
        all.ok_or_else(|| Error::internal("a table was not counted"))
    }

    /// The rows of sets of nodes, and what `map` makes of the place of a set and of its rows.
    ///
    /// # Errors
    /// As [`TableNodes::map_joint`].
    ///
    /// # Cost
    /// Nothing for rows in memory, else a joint table for every set.
    pub fn map_rows<T: Send>(
        &self,
        sets: &[Vec<usize>],
        observer: &dyn Observer,
        map: impl Fn(usize, &TableRows<'_>) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        if !self.is_in_memory() {
            return self.map_joint(sets, observer, |i, table| {
                map(i, &TableRows::of_table(table))
            });
        }
        let of_set = |(i, set): (usize, &Vec<usize>)| {
            check(observer)?;
            map(i, &self.memory_rows(set)?)
        };
        let n_per_job = (ROWS_PER_JOB / self.n_rows().max(1)).max(1) as usize;
        if sets.len() <= n_per_job {
            return sets.iter().enumerate().map(of_set).collect();
        }
        let sets = sets.par_iter().with_min_len(n_per_job).enumerate();
        sets.map(of_set).collect()
    }

    /// The rows of some nodes, which are in memory.
    fn memory_rows(&self, set: &[usize]) -> Result<TableRows<'_>> {
        let columns = set.iter().map(|&node| self.row_column(node));
        TableRows::in_memory(columns, self.n_rows() as usize)
    }

    /// As [`TableNodes::map_rows`] of one set.
    ///
    /// # Errors
    /// As [`TableNodes::map_rows`].
    pub fn with_rows<T: Send>(
        &self,
        set: Vec<usize>,
        observer: &dyn Observer,
        map: impl Fn(&TableRows<'_>) -> Result<T> + Sync,
    ) -> Result<T> {
        if self.is_in_memory() {
            check(observer)?;
            return map(&self.memory_rows(&set)?);
        }
        let mut found = self.map_rows(&[set], observer, |_, rows| map(rows))?;
        found
            .pop()
            .ok_or_else(|| Error::internal("a set without rows"))
    }

    /// The numbers of rows of the joint values of some nodes with each of some others, and what
    /// `map` makes of the place of the other and of the numbers.
    ///
    /// # Errors
    /// As [`TableNodes::map_joint`].
    ///
    /// # Cost
    /// Rows in memory are parted by the shared nodes once.
    pub fn map_sizes<T: Send>(
        &self,
        shared: &[usize],
        others: &[usize],
        observer: &dyn Observer,
        map: impl Fn(usize, &[u64]) -> T + Sync,
    ) -> Result<Vec<T>> {
        if !self.is_in_memory() {
            let set = |&other: &usize| [shared, &[other]].concat();
            let sets: Vec<Vec<usize>> = others.iter().map(set).collect();
            return self.map_joint(&sets, observer, |place, table| {
                Ok(map(
                    place,
                    &table.iter().map(|(_, n)| n).collect::<Vec<_>>(),
                ))
            });
        }
        let parts = self.with_rows(shared.to_vec(), observer, |rows| {
            rows.parts(0..shared.len())
        })?;
        let others = others.par_iter().enumerate().map(|(place, &other)| {
            check(observer)?;
            let CountColumn { codes, n_values } = self.row_column(other)?;
            Ok(map(place, &parts.refine(codes, n_values)?.sizes(None)))
        });
        others.collect()
    }

    /// A feature as the tables number it.
    fn feature_place(&self, feature: usize) -> Result<usize> {
        let place = self.features.get(feature).copied();
        place.ok_or_else(|| self.no_node(feature))
    }

    /// A node as the tables number it.
    fn place(&self, node: usize) -> Result<usize> {
        if node == self.n_features() {
            return Ok(self.tables.n_values().len());
        }
        self.feature_place(node)
    }

    fn no_node(&self, node: usize) -> Error {
        let n_nodes = self.n_values.len();
        Error::internal(format!("node {node} of {n_nodes} was asked for"))
    }

    /// A set of nodes as the tables number them.
    fn places(&self, set: &[usize]) -> Result<Vec<usize>> {
        let n_asked = set.iter().filter(|&&node| node < self.n_features()).count();
        if let Some(max) = self.max_features().filter(|&max| n_asked > max) {
            return Err(too_large(n_asked, max));
        }
        set.iter().map(|&node| self.place(node)).collect()
    }

    /// What the tables of one call may take: half, as one that is held as a list of what occurs
    /// takes twice its cells.
    fn room(&self) -> u64 {
        self.tables.room() / 2
    }

    /// What a table takes of the room.
    fn weight(&self, n_cells: u64) -> u64 {
        if n_cells <= WHOLE_CELLS {
            n_cells
        } else {
            n_cells.min(self.n_rows()).saturating_mul(2)
        }
    }

    fn remembered(&self) -> MutexGuard<'_, RememberedTables> {
        // Nothing panics while it holds the lock, and what is remembered is whole at any time.
        let lock = self.remembered.lock();
        lock.unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, set: &[usize], table: JointTable) {
        let weight = self.weight(table.n_cells());
        let max = MAX_REMEMBERED.min(self.room());
        if weight > max {
            return;
        }
        let mut remembered = self.remembered();
        if remembered.n_cells + weight > max {
            *remembered = RememberedTables::default();
        }
        remembered.n_cells += weight;
        remembered.tables.insert(set.to_vec(), Arc::new(table));
    }
}

impl Clone for TableNodes<'_> {
    /// The same nodes, with nothing remembered.
    fn clone(&self) -> Self {
        TableNodes {
            tables: Arc::clone(&self.tables),
            features: self.features.clone(),
            n_values: self.n_values.clone(),
            remembered: Mutex::default(),
        }
    }
}

fn no_rows() -> Error {
    Error::internal("rows were asked for where there are counts only")
}

/// The error of a table of more features than counts hold. Whoever asks knows what does with
/// less, and says so.
fn too_large(n_asked: usize, max: usize) -> Error {
    Error::usage(format!(
        "a table of {} is needed, but the counts are of at most {max}",
        counted(n_asked as u64, "feature")
    ))
}

/// Cuts a list into parts whose weights fit a room, each with one entry at least.
fn parts<T>(list: &[T], room: u64, weight: impl Fn(&T) -> u64) -> Vec<&[T]> {
    let mut parts = Vec::new();
    let (mut start, mut sum) = (0, 0u64);
    for (place, entry) in list.iter().enumerate() {
        let weight = weight(entry);
        if place > start && sum.saturating_add(weight) > room {
            parts.push(&list[start..place]);
            (start, sum) = (place, 0);
        }
        sum = sum.saturating_add(weight);
    }
    if start < list.len() {
        parts.push(&list[start..]);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::tables;
    use crate::{Codes, CountColumn, ErrorKind, Silent};

    #[test]
    fn nodes_that_are_not_there_are_an_error() {
        let codes = [[0, 1, 2], [0, 0, 1], [0, 1, 1], [0, 1, 1]].map(|c| Codes::U8(c.to_vec()));
        let column = |place: usize, n_values| CountColumn {
            codes: &codes[place],
            n_values,
        };
        let features = [column(0, 3), column(1, 2), column(2, 2)];
        let elsewhere = Arc::new(tables(&features, column(3, 2), 2, 1 << 20));
        let in_memory = Arc::new(MemoryTables::new(&features, column(3, 2)).unwrap());
        for all in [elsewhere as Arc<dyn Tables>, in_memory] {
            let nodes = TableNodes::new(Arc::clone(&all), &[0, 2]).unwrap();
            // The class is node 2.
            let joint = |set: Vec<usize>| {
                nodes.map_joint(&[set], &Silent, |_, table| {
                    Ok(table.dense(4).unwrap().into_owned())
                })
            };
            assert_eq!(joint(vec![2, 1]).unwrap(), [[1, 0, 0, 2]]);
            for wrong in [vec![3], vec![0, 17], vec![], vec![1, 1]] {
                let error = joint(wrong).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Internal, "{error}");
            }
            for wrong in [&[0, 0][..], &[1, 0], &[3]] {
                assert!(TableNodes::new(Arc::clone(&all), wrong).is_err());
            }
        }
    }

    #[test]
    fn parts_fit_the_room_and_a_large_entry_stands_alone() {
        let list = [3, 4, 9, 1, 1];
        let parts = parts(&list, 7, |&weight| weight);
        assert_eq!(parts, [&[3, 4][..], &[9], &[1, 1]]);
        assert!(super::parts(&[], 7, |&weight| weight).is_empty());
    }
}
