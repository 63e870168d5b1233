//! Tables of three features given the class: one with two others as one column.

use rayon::prelude::*;

use super::{JointTable, TableNodes};
use crate::codes::Codes;
use crate::error::Result;
use crate::index::{CountColumn, RowIndex};
use crate::joint::Partition;
use crate::observer::Observer;
use crate::table::{Cell, CountTable, Shape};

/// Cells of joined columns held at a time; bounds the memory.
const BATCH_CELLS: usize = 1 << 26;

/// Up to this many values two columns are joined by arithmetic alone; of more combinations only
/// those that occur are numbered.
const MAX_JOINED: usize = 1 << 16;

/// A feature, and two others that are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Triple {
    /// The two that are known.
    pub given: [usize; 2],
    /// The feature.
    pub feature: usize,
}

impl TableNodes<'_> {
    /// Counts a feature with the joined values of two others given the class, and keeps of
    /// each table only what `map` makes of the number of the triple and of the table. Triples
    /// of the same two others should stand together.
    ///
    /// # Errors
    /// As [`TableNodes::map_joint`].
    ///
    /// # Cost
    /// For rows in memory two columns are joined once for all their features: a table of three
    /// is then a table of two, for the fast kernels.
    pub fn map_triples<T: Send>(
        &self,
        triples: &[Triple],
        observer: &dyn Observer,
        map: impl Fn(usize, &CountTable) -> T + Sync,
    ) -> Result<Vec<T>> {
        if !self.is_in_memory() {
            let class = self.n_features();
            let set = |triple: &Triple| [&triple.given[..], &[class, triple.feature]].concat();
            let sets: Vec<Vec<usize>> = triples.iter().map(set).collect();
            return self.map_joint(&sets, observer, |number, joint| {
                Ok(map(number, &as_pair(joint, self.n_rows())?))
            });
        }
        let n_at_a_time = (BATCH_CELLS / (self.n_rows() as usize).max(1)).max(1);
        let runs: Vec<&[Triple]> = triples.chunk_by(|x, y| x.given == y.given).collect();
        let mut values = Vec::with_capacity(triples.len());
        for batch in runs.chunks(n_at_a_time) {
            let first = values.len();
            let map = |number, table: &CountTable| map(first + number, table);
            values.extend(self.map_joined(batch, observer, map)?);
        }
        Ok(values)
    }

    /// Counts triples of rows in memory, those of the same two others side by side.
    fn map_joined<T: Send>(
        &self,
        runs: &[&[Triple]],
        observer: &dyn Observer,
        map: impl Fn(usize, &CountTable) -> T + Sync,
    ) -> Result<Vec<T>> {
        let joined = runs.par_iter().map(|run| self.joined(run[0].given));
        let joined: Vec<(Codes, usize)> = joined.collect::<Result<_>>()?;
        // The places of the features among the columns, each once.
        let mut place_of = vec![None; self.n_features()];
        let mut columns: Vec<CountColumn<'_>> = Vec::new();
        for triple in runs.iter().copied().flatten() {
            if place_of[triple.feature].is_none() {
                place_of[triple.feature] = Some(columns.len());
                columns.push(self.row_column(triple.feature)?);
            }
        }
        let n_features = columns.len();
        columns.extend(joined.iter().map(|(codes, n_values)| CountColumn {
            codes,
            n_values: *n_values,
        }));
        let index = RowIndex::new(&columns, self.row_column(self.n_features())?)?;
        let pairs = runs.iter().enumerate().flat_map(|(at, run)| {
            let features = run.iter().filter_map(|triple| place_of[triple.feature]);
            features.map(move |place| (place, n_features + at))
        });
        index.map_pairs(&pairs.collect::<Vec<_>>(), observer, map)
    }

    /// Two columns as one, and the number of its values.
    fn joined(&self, given: [usize; 2]) -> Result<(Codes, usize)> {
        let (a, b) = (self.row_column(given[0])?, self.row_column(given[1])?);
        let n_values = a.n_values.saturating_mul(b.n_values);
        if n_values <= MAX_JOINED {
            let codes = Codes::joined((a.codes, a.n_values), (b.codes, b.n_values));
            return Ok((codes, n_values));
        }
        let whole = Partition::whole(a.codes.len());
        let joint = whole.refine(a.codes, a.n_values)?;
        let joint = joint.refine(b.codes, b.n_values)?;
        Ok((Codes::new(joint.n_parts(), joint.iter()), joint.n_parts()))
    }
}

/// A table of two known features, the class and a feature as one of two columns.
fn as_pair(joint: &JointTable, n_rows: u64) -> Result<CountTable> {
    let n_values = joint.n_values();
    let n_behind = (n_values[2] * n_values[3]).max(1) as u64;
    let n_joined = n_values[0].saturating_mul(n_values[1]);
    let mut seen: Vec<u64> = Vec::new();
    if n_joined > MAX_JOINED {
        seen = joint.iter().map(|(key, _)| key / n_behind).collect();
        seen.dedup();
    }
    let n_b = if n_joined > MAX_JOINED {
        seen.len()
    } else {
        n_joined
    };
    let shape = Shape::of(n_values[2], n_values[3], n_b);
    let cells = joint.iter().map(|(key, n)| {
        let (given, rest) = (key / n_behind, (key % n_behind) as usize);
        let cell = Cell {
            class: rest / n_values[3],
            a: rest % n_values[3],
            b: if n_joined > MAX_JOINED {
                seen.partition_point(|&other| other < given)
            } else {
                given as usize
            },
        };
        (cell, n)
    });
    CountTable::from_cells(shape, cells, n_rows)
}
