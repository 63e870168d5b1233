//! Columns ready to be counted: rows by class, bitmaps made when first needed.

use std::sync::OnceLock;

use super::bitmap::Bitmaps;
use super::groups::Groups;
use super::histogram::{self, Axis};
use super::kernel::{InstructionSet, MapRun};
use super::table::{CountTable, Shape};
use crate::codes::{Code, Codes};
use crate::error::{Error, Result};
use crate::with_codes;

/// Columns of more values have no bitmaps: they would take more memory than the codes are
/// worth, and few of their tables would use them.
pub(super) const MAX_MAPS: usize = 40;

/// Single tables up to this many cells, or a few per row, are held whole.
const DENSE_CELLS: usize = 1 << 20;

/// Whether all cells of a single table are held.
pub fn is_single_held_whole(n_cells: u64, n_rows: u64) -> bool {
    n_cells <= (DENSE_CELLS as u64).max(4 * n_rows)
}

/// What a second-level cache holds beside other things.
const CACHED_BYTES: usize = 1 << 18;

/// Which engine counts. The answer is the same; only tests and benchmarks choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Engine {
    /// The cheapest for each table, by the cost model.
    #[default]
    Auto,
    /// AND and popcount over bitmaps wherever a column has any.
    Bitmap,
    /// One addition per row.
    Histogram,
    /// Sorted keys of the observed combinations.
    Sparse,
}

/// A column to be counted: its codes and how many values it can take.
///
/// A missing code is left out of every table it would fall in (the complete cases of
/// each table); to count it as a value, give it a code of its own.
#[derive(Debug, Clone, Copy)]
pub struct CountColumn<'a> {
    /// One code per row.
    pub codes: &'a Codes,
    /// Every code lies below this.
    pub n_values: usize,
}

/// Feature columns and a class, ready to be counted in any combination.
///
/// Rows are ordered by class once; a column's bitmaps are built when a table
/// first needs them and kept.
///
/// # Example
/// ```
/// use bayesieve_counts::{Cell, Codes, CountColumn, RowIndex};
///
/// let color = Codes::U8(vec![1, 1, 0]);
/// let size = Codes::U8(vec![1, 0, 0]);
/// let class = Codes::U8(vec![0, 1, 1]);
/// let column = |codes| CountColumn { codes, n_values: 2 };
/// let index = RowIndex::new(&[column(&color), column(&size)], column(&class))?;
/// let pair = index.count_pair(0, 1)?;
/// // One row has color 1, size 0 and class 1.
/// assert_eq!(pair.get(Cell { class: 1, a: 1, b: 0 }), 1);
/// # Ok::<(), bayesieve_counts::Error>(())
/// ```
#[derive(Debug)]
pub struct RowIndex<'a> {
    pub(super) columns: Vec<IndexedColumn<'a>>,
    pub(super) groups: Groups,
    pub(super) set: InstructionSet,
    pub(super) engine: Engine,
}

#[derive(Debug)]
pub(super) struct IndexedColumn<'a> {
    pub(super) codes: &'a Codes,
    pub(super) n_values: usize,
    pub(super) has_missing: bool,
    maps: OnceLock<Bitmaps>,
    single: OnceLock<Vec<u64>>,
}

impl IndexedColumn<'_> {
    /// Bitmaps needed: the last value follows from the margins, unless cells are missing.
    pub(super) fn n_maps(&self) -> usize {
        if self.has_missing {
            self.n_values
        } else {
            self.n_values.saturating_sub(1)
        }
    }

    /// Whether bitmaps are worth their memory: half a word per value and row at most.
    pub(super) fn may_have_maps(&self) -> bool {
        matches!(self.codes, Codes::U8(_)) && self.n_values <= MAX_MAPS
    }

    pub(super) fn axis(&self) -> Axis<'_> {
        Axis {
            codes: self.codes,
            n_values: self.n_values,
        }
    }
}

impl<'a> RowIndex<'a> {
    /// Takes the columns and the class.
    ///
    /// # Errors
    /// Columns of different lengths, a code outside its domain, or a row without a class.
    pub fn new(columns: &[CountColumn<'a>], class: CountColumn<'_>) -> Result<Self> {
        let n_rows = class.codes.len();
        // Every group is padded to whole words, and a bit's place must fit 32 bits.
        if n_rows.saturating_add(class.n_values.saturating_mul(64)) > u32::MAX as usize {
            return Err(
                Error::data(format!("{n_rows} rows are too many to count at once"))
                    .with_hint("Count them in batches and merge."),
            );
        }
        let columns = columns
            .iter()
            .map(|column| IndexedColumn::new(*column, n_rows))
            .collect::<Result<_>>()?;
        Ok(RowIndex {
            columns,
            groups: Groups::new(class.codes, class.n_values)?,
            set: InstructionSet::detect(),
            engine: Engine::Auto,
        })
    }

    /// Counts with this engine and instruction set, for tests and benchmarks.
    #[must_use]
    pub fn with_engine(mut self, engine: Engine, set: InstructionSet) -> Self {
        self.engine = engine;
        self.set = set;
        self
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.groups.n_rows()
    }

    /// Number of feature columns.
    pub fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.groups.n_groups()
    }

    /// Number of values of a column.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn n_values(&self, column: usize) -> usize {
        self.columns[column].n_values
    }

    /// The counts of one column given the class.
    ///
    /// # Errors
    /// There is no such column.
    pub fn count_single(&self, column: usize) -> Result<CountTable> {
        self.check(column)?;
        let shape = self.shape(column, None);
        if !self.is_dense(column) {
            return self.single_by_keys(column, shape);
        }
        CountTable::dense(shape, self.single(column).to_vec())
    }

    pub(super) fn check(&self, column: usize) -> Result<()> {
        if column < self.columns.len() {
            return Ok(());
        }
        Err(Error::internal(format!(
            "column {column} of {} was asked for",
            self.columns.len()
        )))
    }

    pub(super) fn shape(&self, a: usize, b: Option<usize>) -> Shape {
        let n_b = b.map_or(1, |b| self.columns[b].n_values);
        Shape::of(self.n_classes(), self.columns[a].n_values, n_b)
    }

    /// Counts `[group][value]` of a column, without its missing cells.
    pub(super) fn single(&self, column: usize) -> &[u64] {
        let indexed = &self.columns[column];
        indexed.single.get_or_init(|| self.count_cells(column))
    }

    /// As [`RowIndex::count_single`], without keeping the cells for another time; `None` where
    /// they are too many to be held whole.
    pub fn single_cells(&self, column: usize) -> Result<Option<Vec<u64>>> {
        self.check(column)?;
        Ok(self.is_dense(column).then(|| self.count_cells(column)))
    }

    /// Whether all cells of a single table are held.
    fn is_dense(&self, column: usize) -> bool {
        let n_cells = self.shape(column, None).n_cells();
        n_cells.is_some_and(|cells| is_single_held_whole(cells, self.n_rows() as u64))
    }

    fn count_cells(&self, column: usize) -> Vec<u64> {
        let indexed = &self.columns[column];
        match indexed.codes {
            Codes::U8(codes) if self.has_cheap_masks(indexed) => {
                self.single_by_masks(codes, indexed)
            }
            _ => {
                let n_groups = self.groups.n_groups();
                let mut cells =
                    histogram::count_single(&self.groups.codes, n_groups, indexed.axis());
                // Drop the column of missing cells behind each group.
                let row = indexed.n_values + 1;
                let mut place = 0;
                cells.retain(|_| {
                    place += 1;
                    place % row != 0
                });
                cells
            }
        }
    }

    /// Comparing every value against every group beats one addition per row.
    fn has_cheap_masks(&self, column: &IndexedColumn<'_>) -> bool {
        let n_groups = self.groups.n_groups();
        // More than a few groups only while their masks stay in a cache.
        let bytes_of_masks = n_groups * self.n_rows() / 8;
        let is_cheap = if bytes_of_masks <= CACHED_BYTES {
            column.n_maps() * n_groups <= self.set.passes_per_histogram()
        } else {
            column.n_values * n_groups <= 64
        };
        matches!(self.engine, Engine::Auto | Engine::Bitmap)
            && self.set.has_bit_extract()
            && column.n_values * n_groups > 0
            && is_cheap
    }

    fn single_by_masks(&self, codes: &[u8], column: &IndexedColumn<'_>) -> Vec<u64> {
        const STRIP_WORDS: usize = 128;
        let n_groups = self.groups.n_groups();
        let masks = self.groups.masks(self.set);
        let stride = codes.len().div_ceil(64);
        let (n_values, n_maps) = (column.n_values, column.n_maps());
        let mut by_value = vec![0; n_values * n_groups];
        let mut strip = [0; STRIP_WORDS];
        for (at, codes) in codes.chunks(STRIP_WORDS * 64).enumerate() {
            let strip = &mut strip[..codes.len().div_ceil(64)];
            let start = at * STRIP_WORDS;
            let groups = MapRun {
                words: masks,
                stride,
                n_maps: n_groups,
                start,
                end: start + strip.len(),
            };
            for value in 0..n_maps {
                self.set.equal_masks(codes, value as u8, strip);
                let run = MapRun {
                    words: strip,
                    stride: strip.len(),
                    n_maps: 1,
                    start: 0,
                    end: strip.len(),
                };
                self.set
                    .count_pair(run, groups, &mut by_value[value * n_groups..], n_groups);
            }
        }
        let mut cells = vec![0; n_groups * n_values];
        for group in 0..n_groups {
            let mut rest = self.groups.size(group);
            for value in 0..n_maps {
                let n = by_value[value * n_groups + group];
                cells[group * n_values + value] = n;
                rest -= n;
            }
            if n_maps < n_values {
                cells[group * n_values + n_maps] = rest;
            }
        }
        cells
    }

    /// The observed combinations only: for an identifier beside many classes.
    fn single_by_keys(&self, column: usize, shape: Shape) -> Result<CountTable> {
        let groups = self.groups.codes.iter().flatten();
        let keys = groups
            .zip(self.columns[column].codes.iter())
            .filter_map(|(group, value)| {
                Some(u64::from(group) * shape.n_a as u64 + u64::from(value?))
            });
        CountTable::from_keys(shape, keys.collect())
    }

    /// The bitmaps of a column that may have them.
    pub(super) fn maps(&self, column: usize) -> Result<&Bitmaps> {
        let indexed = &self.columns[column];
        let Codes::U8(codes) = indexed.codes else {
            return Err(Error::internal(format!("column {column} has no bitmaps")));
        };
        Ok(indexed
            .maps
            .get_or_init(|| Bitmaps::new(codes, indexed.n_maps(), &self.groups, self.set)))
    }
}

impl<'a> IndexedColumn<'a> {
    fn new(column: CountColumn<'a>, n_rows: usize) -> Result<Self> {
        /// The largest code present, and whether a cell is missing.
        fn scan<C: Code>(cells: &[C]) -> (Option<usize>, bool) {
            // Folds that compile to vector maxima; `Iterator::max` does not.
            let Some(&first) = cells.first() else {
                return (None, false);
            };
            let largest = cells.iter().fold(first, |largest, &cell| largest.max(cell));
            if largest != C::MISSING {
                return (Some(largest.index()), false);
            }
            let present = cells.iter().copied().filter(|&cell| cell != C::MISSING);
            (present.max().map(Code::index), true)
        }
        if column.codes.len() != n_rows {
            return Err(Error::internal(format!(
                "a column of {} rows beside a class of {n_rows}",
                column.codes.len()
            )));
        }
        let (largest, has_missing) = with_codes!(column.codes, cells => scan(cells));
        if largest.is_some_and(|code| code >= column.n_values) {
            return Err(Error::internal(format!(
                "code {} in a column of {} values",
                largest.unwrap_or_default(),
                column.n_values
            )));
        }
        Ok(IndexedColumn {
            codes: column.codes,
            n_values: column.n_values,
            has_missing,
            maps: OnceLock::new(),
            single: OnceLock::new(),
        })
    }
}
