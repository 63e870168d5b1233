//! Some features of tables, numbered anew.

use std::sync::Arc;

use super::{JointTable, Tables};
use crate::error::{Error, Result};
use crate::observer::Observer;
use crate::table::CountTable;

/// Some features of other tables, as if there were no others.
#[derive(Debug)]
pub struct ChosenTables {
    tables: Arc<dyn Tables>,
    /// The place of every feature among those of the tables, rising.
    places: Vec<usize>,
    n_values: Vec<usize>,
    singles: Vec<CountTable>,
}

impl ChosenTables {
    /// Takes some features, named by their places in rising order.
    ///
    /// # Errors
    /// There is no such feature, or the places do not rise.
    pub fn new(tables: Arc<dyn Tables>, places: &[usize]) -> Result<Self> {
        let all = tables.n_values();
        let rises = places.windows(2).all(|pair| pair[0] < pair[1]);
        if !rises || places.last().is_some_and(|&last| last >= all.len()) {
            return Err(Error::internal(format!(
                "the features {places:?} of {} were chosen",
                all.len()
            )));
        }
        let singles = tables.singles();
        Ok(ChosenTables {
            n_values: places.iter().map(|&place| all[place]).collect(),
            singles: places.iter().map(|&place| singles[place].clone()).collect(),
            places: places.to_vec(),
            tables,
        })
    }

    /// A node as the tables number it.
    fn place(&self, node: usize) -> Result<usize> {
        match self.places.get(node) {
            Some(&place) => Ok(place),
            None if node == self.places.len() => Ok(self.tables.n_values().len()),
            None => Err(Error::internal(format!(
                "node {node} of {} was asked for",
                self.places.len() + 1
            ))),
        }
    }
}

impl Tables for ChosenTables {
    fn n_rows(&self) -> u64 {
        self.tables.n_rows()
    }

    fn class_counts(&self) -> &[u64] {
        self.tables.class_counts()
    }

    fn n_values(&self) -> &[usize] {
        &self.n_values
    }

    fn singles(&self) -> &[CountTable] {
        &self.singles
    }

    fn pairs(&self, pairs: &[(usize, usize)], observer: &dyn Observer) -> Result<Vec<CountTable>> {
        let place = |&(a, b): &(usize, usize)| {
            // The class is a node, but no feature of a pair.
            match (self.places.get(a), self.places.get(b)) {
                (Some(&a), Some(&b)) => Ok((a, b)),
                _ => Err(Error::internal(format!("the pair ({a}, {b}) of features"))),
            }
        };
        let pairs: Vec<(usize, usize)> = pairs.iter().map(place).collect::<Result<_>>()?;
        self.tables.pairs(&pairs, observer)
    }

    fn joint(&self, sets: &[Vec<usize>], observer: &dyn Observer) -> Result<Vec<JointTable>> {
        let places = |set: &Vec<usize>| set.iter().map(|&node| self.place(node)).collect();
        let sets: Vec<Vec<usize>> = sets.iter().map(places).collect::<Result<_>>()?;
        self.tables.joint(&sets, observer)
    }

    fn most_features(&self) -> Option<usize> {
        self.tables.most_features()
    }

    fn room(&self) -> u64 {
        self.tables.room()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::tables;
    use crate::{Codes, CountColumn, Silent};

    #[test]
    fn chosen_features_have_the_tables_they_had_among_all() {
        let codes = [
            [0, 1, 1, 0, 1],
            [0, 1, 2, 2, 2],
            [1, 1, 0, 0, 1],
            [0, 0, 1, 1, 1],
        ];
        let codes = codes.map(|cells| Codes::U8(cells.to_vec()));
        let column = |place: usize, n_values| CountColumn {
            codes: &codes[place],
            n_values,
        };
        let [a, b, c] = [column(0, 2), column(1, 3), column(2, 2)];
        let class = column(3, 2);
        let all = Arc::new(tables(&[a, b, c], class, 2, 1 << 20));
        let chosen = ChosenTables::new(Arc::clone(&all) as Arc<dyn Tables>, &[0, 2]).unwrap();
        let alone = tables(&[a, c], class, 2, 1 << 20);
        assert_eq!(chosen.n_values(), [2, 2]);
        assert_eq!(chosen.singles(), alone.singles());
        let pairs = [(0, 1)];
        assert_eq!(
            chosen.pairs(&pairs, &Silent).unwrap(),
            alone.pairs(&pairs, &Silent).unwrap()
        );
        // The second feature, then the class, which is the node behind both.
        let sets = [vec![1, 2], vec![0, 2, 1]];
        assert_eq!(
            chosen.joint(&sets, &Silent).unwrap(),
            alone.joint(&sets, &Silent).unwrap()
        );
        assert!(chosen.joint(&[vec![3]], &Silent).is_err());
        assert!(chosen.pairs(&[(0, 2)], &Silent).is_err());
        assert!(ChosenTables::new(all, &[2, 1]).is_err());
    }
}
