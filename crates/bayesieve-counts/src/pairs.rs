//! Pair tables in batches: tiles of columns that stay in the cache, threads over tiles.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::histogram;
use super::index::{Engine, RowIndex};
use super::kernel::GroupedPair;
use super::table::CountTable;
use crate::error::{Error, Result};
use crate::observer::{Observer, Silent, check};
use crate::with_codes;

/// Bitmaps on either side of a tile: twice 32 blocks of 4 KiB fit in a second-level cache.
const TILE_MAPS: usize = 32;

/// Cells of all tables of one tile.
const TILE_CELLS: usize = 32_768;

/// Up to this many words per bitmap no cache is short, and pairs are counted one by one in
/// the order asked for.
const SHORT_WORDS: usize = 64;

/// Pairs of few rows that a thread takes at a time.
const SHORT_PAIRS: usize = 512;

/// Tables up to this many cells, or a few per row, are held whole.
const DENSE_CELLS: u64 = 1 << 18;

/// Whether all cells of a table of two columns are held.
pub(crate) fn is_pair_held_whole(n_cells: u64, n_rows: u64) -> bool {
    n_cells <= DENSE_CELLS.max(4 * n_rows)
}

/// How one table is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PairEngine {
    Bitmap,
    Histogram,
    Sparse,
}

impl RowIndex<'_> {
    /// The counts of two columns given the class.
    ///
    /// # Errors
    /// There is no such column.
    pub fn count_pair(&self, a: usize, b: usize) -> Result<CountTable> {
        let mut tables = self.count_pairs(&[(a, b)])?;
        tables
            .pop()
            .ok_or_else(|| Error::internal("no table for a pair"))
    }

    /// The counts of many pairs of columns given the class, in the order asked for.
    ///
    /// # Errors
    /// There is no such column.
    pub fn count_pairs(&self, pairs: &[(usize, usize)]) -> Result<Vec<CountTable>> {
        self.map_pairs(pairs, &Silent, |_, table| table.clone())
    }

    /// Counts many pairs and keeps of each table only what `map` makes of it.
    ///
    /// `map` gets the pair's place in the list and its table. Tables are counted in
    /// tiles on all threads; the result is in the order asked for.
    ///
    /// # Errors
    /// There is no such column, or the observer cancelled.
    ///
    /// # Cost
    /// For columns of `k` and `l` values, `(k-1)(l-1)` AND+popcount passes of a bit per
    /// row, or one addition per row where that is cheaper.
    pub fn map_pairs<T: Send>(
        &self,
        pairs: &[(usize, usize)],
        observer: &dyn Observer,
        map: impl Fn(usize, &CountTable) -> T + Sync,
    ) -> Result<Vec<T>> {
        if self.groups.n_words() <= SHORT_WORDS {
            return self.map_short(pairs, observer, map);
        }
        let tiles = self.tiles(pairs)?;
        let segments = self.groups.segments();
        let done = AtomicU64::new(0);
        let parts: Vec<Vec<T>> = tiles
            .par_iter()
            .map(|tile| {
                check(observer)?;
                let values = self.count_tile(tile, pairs, &segments, &map)?;
                let done = done.fetch_add(tile.len() as u64, Ordering::Relaxed) + tile.len() as u64;
                observer.progress("counting pairs", done, pairs.len() as u64);
                Ok(values)
            })
            .collect::<Result<_>>()?;
        let mut slots: Vec<Option<T>> = Vec::new();
        slots.resize_with(pairs.len(), || None);
        for (tile, values) in tiles.iter().zip(parts) {
            for (&(place, _), value) in tile.iter().zip(values) {
                slots[place] = Some(value);
            }
        }
        slots
            .into_iter()
            .collect::<Option<Vec<T>>>()
            .ok_or_else(|| Error::internal("a pair is in no tile"))
    }

    /// Counts pairs of few rows, where tiles and calls per group cost more than the rows.
    fn map_short<T: Send>(
        &self,
        pairs: &[(usize, usize)],
        observer: &dyn Observer,
        map: impl Fn(usize, &CountTable) -> T + Sync,
    ) -> Result<Vec<T>> {
        let words: Vec<Range<usize>> = self.groups.all_words();
        let done = AtomicU64::new(0);
        let count = |(at, pairs_of_chunk): (usize, &[(usize, usize)])| {
            check(observer)?;
            let mut table = CountTable::default();
            let mut values = Vec::with_capacity(pairs_of_chunk.len());
            for (i, &pair) in pairs_of_chunk.iter().enumerate() {
                self.count_short(pair, &words, &mut table)?;
                values.push(map(at * SHORT_PAIRS + i, &table));
            }
            let n = pairs_of_chunk.len() as u64;
            let done = done.fetch_add(n, Ordering::Relaxed) + n;
            observer.progress("counting pairs", done, pairs.len() as u64);
            Ok(values)
        };
        // Few pairs are not worth waking a thread for.
        if pairs.len() <= SHORT_PAIRS {
            return count((0, pairs));
        }
        let chunks = pairs.par_chunks(SHORT_PAIRS).enumerate().map(count);
        let chunks: Vec<Vec<T>> = chunks.collect::<Result<_>>()?;
        Ok(chunks.into_iter().flatten().collect())
    }

    fn count_short(
        &self,
        (a, b): (usize, usize),
        words: &[Range<usize>],
        table: &mut CountTable,
    ) -> Result<()> {
        self.check(a)?;
        self.check(b)?;
        let shape = self.shape(a, Some(b));
        match self.engine_for((a, b)) {
            PairEngine::Bitmap => {
                let n_cells = shape.n_a * shape.n_b;
                let cells = table.reset(shape, self.groups.n_groups() * n_cells);
                let all = 0..self.groups.n_words();
                let pair = GroupedPair {
                    a: self.maps(a)?.run(all.clone()),
                    b: self.maps(b)?.run(all),
                    groups: words,
                    n_cells: n_cells.max(1),
                    row: shape.n_b,
                };
                self.set.count_groups(pair, cells);
                self.fill_margins(a, b, cells);
            }
            PairEngine::Histogram => table.refill(shape, &self.pair_by_histogram(a, b)),
            PairEngine::Sparse => *table = self.pair_by_keys(a, b)?,
        }
        Ok(())
    }

    /// Groups the pairs by their columns' blocks, so that a tile's bitmaps fit the cache.
    fn tiles(&self, pairs: &[(usize, usize)]) -> Result<Vec<Vec<(usize, PairEngine)>>> {
        let mut block_of = Vec::with_capacity(self.columns.len());
        let (mut block, mut n_maps) = (0u32, 0);
        for column in &self.columns {
            n_maps += column.n_maps();
            if n_maps > TILE_MAPS {
                block += 1;
                n_maps = column.n_maps();
            }
            block_of.push(block);
        }
        let mut keyed = Vec::with_capacity(pairs.len());
        for (place, &(a, b)) in pairs.iter().enumerate() {
            self.check(a)?;
            self.check(b)?;
            keyed.push(((block_of[a], block_of[b]), place));
        }
        // Stable, so that a tile keeps the order of the list.
        keyed.sort_by_key(|&(key, _)| key);
        let mut tiles = Vec::new();
        for run in keyed.chunk_by(|x, y| x.0 == y.0) {
            let (mut tile, mut n_cells) = (Vec::new(), 0);
            for &(_, place) in run {
                let engine = self.engine_for(pairs[place]);
                let cells = self.dense_cells(pairs[place], engine);
                if n_cells + cells > TILE_CELLS && !tile.is_empty() {
                    tiles.push(std::mem::take(&mut tile));
                    n_cells = 0;
                }
                tile.push((place, engine));
                n_cells += cells;
            }
            tiles.push(tile);
        }
        Ok(tiles)
    }

    /// Cells a table takes in its tile's common storage.
    fn dense_cells(&self, (a, b): (usize, usize), engine: PairEngine) -> usize {
        match engine {
            PairEngine::Bitmap => {
                self.groups.n_groups() * self.columns[a].n_values * self.columns[b].n_values
            }
            PairEngine::Histogram | PairEngine::Sparse => 0,
        }
    }

    /// The cost model. It picks the engine and can never change an answer.
    fn engine_for(&self, (a, b): (usize, usize)) -> PairEngine {
        let cells = self.shape(a, Some(b)).n_cells().unwrap_or(u64::MAX);
        let (a, b) = (&self.columns[a], &self.columns[b]);
        let has_bitmaps = a.may_have_maps() && b.may_have_maps();
        let is_dense = is_pair_held_whole(cells, self.n_rows() as u64);
        match self.engine {
            Engine::Sparse => PairEngine::Sparse,
            Engine::Bitmap if has_bitmaps => PairEngine::Bitmap,
            _ if !is_dense => PairEngine::Sparse,
            Engine::Auto if has_bitmaps => {
                let passes = a.n_maps() * b.n_maps();
                // Each pass has a start-up cost of about a hundred rows per group.
                let rows = self.n_rows() + 100 * self.groups.n_groups();
                let budget = self.set.passes_per_histogram() * (self.n_rows() + cells as usize);
                if passes * rows <= budget {
                    PairEngine::Bitmap
                } else {
                    PairEngine::Histogram
                }
            }
            _ => PairEngine::Histogram,
        }
    }

    fn count_tile<T>(
        &self,
        tile: &[(usize, PairEngine)],
        pairs: &[(usize, usize)],
        segments: &[(usize, Range<usize>)],
        map: &(impl Fn(usize, &CountTable) -> T + Sync),
    ) -> Result<Vec<T>> {
        let mut starts = vec![0];
        for &(place, engine) in tile {
            starts.push(starts[starts.len() - 1] + self.dense_cells(pairs[place], engine));
        }
        let mut cells = vec![0; starts[tile.len()]];
        for (group, words) in segments {
            for (&(place, engine), &start) in tile.iter().zip(&starts) {
                if engine == PairEngine::Bitmap {
                    self.count_segment(pairs[place], *group, words, &mut cells[start..])?;
                }
            }
        }
        let mut table = CountTable::default();
        let mut values = Vec::with_capacity(tile.len());
        for (i, &(place, engine)) in tile.iter().enumerate() {
            let (a, b) = pairs[place];
            let shape = self.shape(a, Some(b));
            match engine {
                PairEngine::Bitmap => {
                    let cells = &mut cells[starts[i]..starts[i + 1]];
                    self.fill_margins(a, b, cells);
                    table.refill(shape, cells);
                }
                PairEngine::Histogram => table.refill(shape, &self.pair_by_histogram(a, b)),
                PairEngine::Sparse => table = self.pair_by_keys(a, b)?,
            }
            values.push(map(place, &table));
        }
        Ok(values)
    }

    /// Adds the AND+popcounts of one run of words to a table's cells.
    fn count_segment(
        &self,
        (a, b): (usize, usize),
        group: usize,
        words: &Range<usize>,
        cells: &mut [u64],
    ) -> Result<()> {
        let (maps_a, maps_b) = (self.maps(a)?, self.maps(b)?);
        let (n_a, n_b) = (self.columns[a].n_values, self.columns[b].n_values);
        let out = &mut cells[group * n_a * n_b..];
        self.set.count_pair(
            maps_a.run(words.clone()),
            maps_b.run(words.clone()),
            out,
            n_b,
        );
        Ok(())
    }

    /// The cells that no pass counted: those of a last value, by subtraction.
    fn fill_margins(&self, a: usize, b: usize, cells: &mut [u64]) {
        let (single_a, single_b) = (self.single(a), self.single(b));
        let (a, b) = (&self.columns[a], &self.columns[b]);
        let (n_a, n_b) = (a.n_values, b.n_values);
        for (group, cells) in cells.chunks_mut((n_a * n_b).max(1)).enumerate() {
            if a.n_maps() < n_a {
                for vb in 0..b.n_maps() {
                    let counted: u64 = (0..n_a - 1).map(|va| cells[va * n_b + vb]).sum();
                    cells[(n_a - 1) * n_b + vb] = single_b[group * n_b + vb] - counted;
                }
            }
            if b.n_maps() < n_b {
                for va in 0..n_a {
                    let row = &mut cells[va * n_b..(va + 1) * n_b];
                    let counted: u64 = row[..n_b - 1].iter().sum();
                    row[n_b - 1] = single_a[group * n_a + va] - counted;
                }
            }
        }
    }

    fn pair_by_histogram(&self, a: usize, b: usize) -> Vec<u64> {
        let (axis_a, axis_b) = (self.columns[a].axis(), self.columns[b].axis());
        let n_groups = self.groups.n_groups();
        let with_missing = histogram::count_pair(&self.groups.codes, n_groups, axis_a, axis_b);
        let (row_a, row_b) = (axis_a.n_values + 1, axis_b.n_values + 1);
        let mut cells = Vec::with_capacity(n_groups * axis_a.n_values * axis_b.n_values);
        for row in 0..n_groups * row_a {
            if row % row_a < axis_a.n_values {
                cells.extend_from_slice(&with_missing[row * row_b..][..axis_b.n_values]);
            }
        }
        cells
    }

    fn pair_by_keys(&self, a: usize, b: usize) -> Result<CountTable> {
        let shape = self.shape(a, Some(b));
        let (codes_a, codes_b) = (self.columns[a].codes, self.columns[b].codes);
        let groups = with_codes!(&self.groups.codes, codes => codes.iter().map(|&g| u64::from(g)).collect::<Vec<_>>());
        let keys = groups
            .into_iter()
            .zip(codes_a.iter().zip(codes_b.iter()))
            .filter_map(|(group, (a, b))| {
                Some((group * shape.n_a as u64 + u64::from(a?)) * shape.n_b as u64 + u64::from(b?))
            })
            .collect();
        CountTable::from_keys(shape, keys)
    }
}
