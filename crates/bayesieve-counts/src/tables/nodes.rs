//! Some features of tables and the class, numbered anew.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::{JointTable, Tables};
use crate::error::{Error, Result};
use crate::observer::Observer;
use crate::table::CountTable;
use crate::wording::counted;

/// Tables of up to this many cells are held whole, whatever occurs in them.
const WHOLE_CELLS: u64 = 1 << 20;

/// Cells of the joint tables that are remembered, of eight bytes each.
const MOST_REMEMBERED: u64 = 1 << 22;

/// Some features of [`Tables`] as nodes, the class behind them.
///
/// Joint tables that were asked for last are remembered, and asked for in as few calls as
/// their memory allows.
#[derive(Debug)]
pub struct TableNodes<'a> {
    tables: &'a dyn Tables,
    /// The place of every feature among those of the tables, rising.
    features: Vec<usize>,
    n_values: Vec<usize>,
    remembered: Mutex<Remembered>,
}

/// Looked up only: the order of the map reaches no result.
#[derive(Debug, Default)]
struct Remembered {
    tables: HashMap<Vec<usize>, Arc<JointTable>>,
    n_cells: u64,
}

impl<'a> TableNodes<'a> {
    /// Takes some features, named by their places in rising order.
    ///
    /// # Errors
    /// There is no such feature, or the places do not rise.
    pub fn new(tables: &'a dyn Tables, features: &[usize]) -> Result<Self> {
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

    /// The same nodes, with nothing remembered.
    #[must_use]
    pub fn again(&self) -> Self {
        TableNodes {
            tables: self.tables,
            features: self.features.clone(),
            n_values: self.n_values.clone(),
            remembered: Mutex::default(),
        }
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
    pub fn class_counts(&self) -> &'a [u64] {
        self.tables.class_counts()
    }

    /// The counts of a feature given the class.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn single(&self, feature: usize) -> &'a CountTable {
        &self.tables.singles()[self.features[feature]]
    }

    /// Whether a node has missing cells.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn has_gaps(&self, node: usize) -> bool {
        node < self.n_features() && self.single(node).n_rows() < self.n_rows()
    }

    /// Calls with pair tables of some features given the class, the lower feature first, part
    /// by part: `each` gets the place of the first of a part and its tables.
    ///
    /// # Errors
    /// Those of [`Tables::pairs`] and of `each`.
    ///
    /// # Cost
    /// As few parts as the memory allows.
    pub fn pairs(
        &self,
        pairs: &[(usize, usize)],
        observer: &dyn Observer,
        mut each: impl FnMut(usize, Vec<CountTable>) -> Result<()>,
    ) -> Result<()> {
        let n_classes = self.n_values[self.n_features()] as u64;
        let weight = |&(a, b): &(usize, usize)| {
            let n_cells = (self.n_values[a] as u64).saturating_mul(self.n_values[b] as u64);
            self.weight(n_cells.saturating_mul(n_classes))
        };
        let mut start = 0;
        for part in parts(pairs, self.room(), weight) {
            let places = |&(a, b): &(usize, usize)| (self.features[a], self.features[b]);
            let asked: Vec<(usize, usize)> = part.iter().map(places).collect();
            each(start, self.tables.pairs(&asked, observer)?)?;
            start += part.len();
        }
        Ok(())
    }

    /// The joint tables of sets of nodes, the first node of a set changing slowest.
    ///
    /// # Errors
    /// Those of [`Tables::joint`], and a set of more features than the tables can count.
    ///
    /// # Cost
    /// As few calls as the memory allows for those that are not remembered.
    pub fn joint(
        &self,
        sets: &[Vec<usize>],
        observer: &dyn Observer,
    ) -> Result<Vec<Arc<JointTable>>> {
        self.map_joint(sets, observer, |_, table| Ok(Arc::clone(table)))
    }

    /// As [`TableNodes::joint`], keeping of each table only what `map` makes of the place of
    /// its set and of the table.
    ///
    /// # Errors
    /// As [`TableNodes::joint`], and those of `map`.
    pub fn map_joint<T: Send>(
        &self,
        sets: &[Vec<usize>],
        observer: &dyn Observer,
        map: impl Fn(usize, &Arc<JointTable>) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        let known: Vec<Option<Arc<JointTable>>> = {
            let known = self.remembered();
            let known = sets.iter().map(|set| known.tables.get(set).cloned());
            known.collect()
        };
        let new: Vec<usize> = (0..sets.len()).filter(|&i| known[i].is_none()).collect();
        // Before anything is asked of the nodes.
        for &i in &new {
            self.places(&sets[i])?;
        }
        let known = known.into_par_iter().enumerate();
        let known = known.map(|(i, table)| table.map(|table| map(i, &table)).transpose());
        let mut found: Vec<Option<T>> = known.collect::<Result<_>>()?;
        let weight = |&i: &usize| {
            let n_values = sets[i].iter().map(|&node| self.n_values[node] as u64);
            self.weight(n_values.fold(1, u64::saturating_mul))
        };
        for part in parts(&new, self.room(), weight) {
            let asked = part.iter().map(|&i| self.places(&sets[i]));
            let asked: Vec<Vec<usize>> = asked.collect::<Result<_>>()?;
            let tables = self.tables.joint(&asked, observer)?;
            if tables.len() != part.len() {
                return Err(Error::internal("another number of tables than asked for"));
            }
            let tables: Vec<Arc<JointTable>> = tables.into_iter().map(Arc::new).collect();
            let both = part.par_iter().zip(&tables);
            let mapped: Vec<T> = both
                .map(|(&i, table)| map(i, table))
                .collect::<Result<_>>()?;
            for ((&i, table), mapped) in part.iter().zip(&tables).zip(mapped) {
                self.remember(&sets[i], table);
                found[i] = Some(mapped);
            }
        }
        let all: Option<Vec<T>> = found.into_iter().collect();
        all.ok_or_else(|| Error::internal("a table was not counted"))
    }

    /// The most features a joint table may have; `None` where there is no limit but memory.
    pub fn most_features(&self) -> Option<usize> {
        self.tables.most_features()
    }

    /// A set of nodes as the tables number them.
    fn places(&self, set: &[usize]) -> Result<Vec<usize>> {
        let n_asked = set.iter().filter(|&&node| node < self.n_features()).count();
        if let Some(most) = self.most_features().filter(|&most| n_asked > most) {
            return Err(too_large(n_asked, most));
        }
        let class = self.tables.n_values().len();
        let place = |&node: &usize| match self.features.get(node) {
            Some(&place) => Ok(place),
            None if node == self.n_features() => Ok(class),
            None => Err(Error::internal(format!(
                "node {node} of {} was asked for",
                self.n_values.len()
            ))),
        };
        set.iter().map(place).collect()
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

    fn remembered(&self) -> MutexGuard<'_, Remembered> {
        // Nothing panics while it holds the lock, and what is remembered is whole at any time.
        let lock = self.remembered.lock();
        lock.unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, set: &[usize], table: &Arc<JointTable>) {
        let weight = self.weight(table.n_cells());
        let most = MOST_REMEMBERED.min(self.room());
        if weight > most {
            return;
        }
        let mut remembered = self.remembered();
        if remembered.n_cells + weight > most {
            *remembered = Remembered::default();
        }
        remembered.n_cells += weight;
        remembered.tables.insert(set.to_vec(), Arc::clone(table));
    }
}

/// The error of a table of more features than counts hold. Whoever asks knows what does with
/// less, and says so.
fn too_large(n_asked: usize, most: usize) -> Error {
    Error::usage(format!(
        "a table of {} is needed, but the counts are of at most {most}",
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
        let rows = tables(&features, column(3, 2), 2, 1 << 20);
        let nodes = TableNodes::new(&rows, &[0, 2]).unwrap();
        // The class is node 2.
        let joint = nodes.joint(&[vec![2, 1]], &Silent).unwrap();
        assert_eq!(joint[0].dense(4).unwrap()[..], [1, 0, 0, 2]);
        for wrong in [vec![3], vec![0, 17], vec![], vec![1, 1]] {
            let error = nodes.joint(&[wrong], &Silent).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Internal, "{error}");
        }
        for wrong in [&[0, 0][..], &[1, 0], &[3]] {
            assert!(TableNodes::new(&rows, wrong).is_err());
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
