//! Rows drawn from a network: every node after its parents (probabilistic logic sampling).
//!
//! Rows come in blocks of fixed size, each with random numbers of its own, and inside a
//! block every node has its own stretch of them. So a row depends on the seed and its number
//! alone: not on threads, and a longer table begins with the shorter one.
//! Cost: one random number per cell, and one look into a table of thresholds; a block goes
//! through all nodes while it stays in the cache.

use std::sync::atomic::{AtomicU64, Ordering};

use rand::Rng;
use rayon::prelude::*;

use super::{Cpt, Network};
use crate::data::{Code, Codes, Column, Domain, KindOrigin, Nominal, Table, Values};
use crate::random::{Purpose, stream};
use crate::wording::counted;
use crate::{Error, Observer, Result, check};

/// Rows of a block.
const BLOCK_ROWS: usize = 4096;

/// Random numbers have this many bits, so that a threshold of "always" still fits 64.
const DRAWN_BITS: u32 = 63;

/// Above this many thresholds a search is faster than comparing with all.
const MAX_COMPARED: usize = 8;

impl Network {
    /// Draws a table of `n_rows` rows. Its columns are the nodes in their order, and the
    /// codes of a column are the node's states in theirs.
    ///
    /// # Errors
    /// No rows, more than 4,294,967,295, more than memory can hold, or the observer
    /// cancelled.
    ///
    /// # Example
    /// ```
    /// use bayesieve::Silent;
    /// use bayesieve::network::{Cpt, Dag, Network, Variable};
    ///
    /// let coin = Variable {
    ///     name: "coin".into(),
    ///     states: vec!["heads".into(), "tails".into(), "edge".into()],
    /// };
    /// let table = Cpt::dense(3, vec![], vec![0.5, 0.5, 0.0])?;
    /// let network = Network::new(vec![coin], Dag::new(1), vec![table])?;
    /// let drawn = network.sample(1000, 1, &Silent)?;
    /// assert_eq!(drawn.n_rows(), 1000);
    /// assert_eq!(drawn.columns()[0].n_distinct(), 2); // never on the edge
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    pub fn sample(&self, n_rows: usize, seed: u64, observer: &dyn Observer) -> Result<Table> {
        if n_rows == 0 {
            return Err(Error::usage("a table of no rows cannot be drawn")
                .with_hint("Ask for at least one row."));
        }
        let codes = self.sample_codes(n_rows, seed, observer)?;
        let columns = self.variables().iter().zip(codes).map(|(variable, codes)| {
            let domain = Domain::ordered(variable.states.clone());
            let values = Values::Nominal(Nominal { codes, domain });
            Column::new(variable.name.clone(), values, KindOrigin::Derived)
        });
        Table::new(columns.collect())
    }

    /// Draws `n_rows` rows as one column of codes per node.
    ///
    /// # Errors
    /// More than 4,294,967,295 rows, more than memory can hold, or the observer cancelled.
    pub fn sample_codes(
        &self,
        n_rows: usize,
        seed: u64,
        observer: &dyn Observer,
    ) -> Result<Vec<Codes>> {
        if u32::try_from(n_rows).is_err() {
            return Err(Error::usage(format!(
                "{} are too many: at most {} can be drawn",
                counted(n_rows as u64, "row"),
                u32::MAX
            )));
        }
        let mut columns = (0..self.variables().len())
            .map(|node| {
                check(observer)?;
                zeros(self.table(node).n_states(), n_rows)
            })
            .collect::<Result<Vec<Codes>>>()?;
        let sampler = Sampler::new(self, seed);
        let n_done = AtomicU64::new(0);
        in_blocks(&mut columns)
            .into_par_iter()
            .enumerate()
            .try_for_each(|(number, block)| {
                check(observer)?;
                let n_block = BLOCK_ROWS.min(n_rows - number * BLOCK_ROWS);
                let drawn = sampler.draw(number as u32, n_block);
                let cells = block.into_iter().zip(&drawn);
                cells.for_each(|(write, drawn)| write(drawn));
                let n_block = n_block as u64;
                let done = n_done.fetch_add(n_block, Ordering::Relaxed) + n_block;
                observer.progress("sampling", done, n_rows as u64);
                Ok(())
            })?;
        Ok(columns)
    }
}

/// A column of zeros, wide enough for so many states.
fn zeros(n_states: usize, n_rows: usize) -> Result<Codes> {
    fn cells<C: Code>(n_rows: usize) -> Result<Vec<C>> {
        let mut cells = Vec::new();
        cells.try_reserve_exact(n_rows).map_err(|_| {
            let rows = counted(n_rows as u64, "row");
            Error::usage(format!("{rows} are more than memory can hold"))
                .with_hint("Ask for fewer rows.")
        })?;
        cells.resize(n_rows, C::from_index(0));
        Ok(cells)
    }
    Ok(match Codes::new(n_states, []) {
        Codes::U8(_) => Codes::U8(cells(n_rows)?),
        Codes::U16(_) => Codes::U16(cells(n_rows)?),
        Codes::U32(_) => Codes::U32(cells(n_rows)?),
    })
}

/// Writes drawn states into a block's stretch of a column.
type WriteCells<'a> = Box<dyn FnOnce(&[u32]) + Send + 'a>;

/// The columns cut into blocks, each with its stretch of every column.
fn in_blocks(columns: &mut [Codes]) -> Vec<Vec<WriteCells<'_>>> {
    fn add<'a, C: Code>(blocks: &mut [Vec<WriteCells<'a>>], cells: &'a mut [C]) {
        for (block, stretch) in blocks.iter_mut().zip(cells.chunks_mut(BLOCK_ROWS)) {
            block.push(Box::new(|drawn| {
                for (cell, &state) in stretch.iter_mut().zip(drawn) {
                    *cell = C::from_index(state as usize);
                }
            }));
        }
    }
    let n_rows = columns.first().map_or(0, Codes::len);
    let mut blocks = Vec::new();
    blocks.resize_with(n_rows.div_ceil(BLOCK_ROWS), Vec::new);
    for column in columns {
        match column {
            Codes::U8(cells) => add(&mut blocks, cells),
            Codes::U16(cells) => add(&mut blocks, cells),
            Codes::U32(cells) => add(&mut blocks, cells),
        }
    }
    blocks
}

/// A network made ready to be drawn from.
struct Sampler<'a> {
    network: &'a Network,
    seed: u64,
    /// Nodes, parents before children.
    order: Vec<usize>,
    tables: Vec<Drawn<'a>>,
}

/// A node's table made ready to be drawn from.
enum Drawn<'a> {
    /// The thresholds of every row, one behind the other.
    Thresholds {
        /// Of every row: one less than states.
        n: usize,
        cells: Vec<u64>,
    },
    /// A table that holds only some rows, looked up row by row.
    Rows(&'a Cpt),
}

impl<'a> Sampler<'a> {
    fn new(network: &'a Network, seed: u64) -> Self {
        let tables = (0..network.variables().len())
            .map(|node| Drawn::new(network.table(node)))
            .collect();
        Sampler {
            network,
            seed,
            order: network.dag().topological_order(),
            tables,
        }
    }

    /// The states of a block's rows, node by node.
    fn draw(&self, number: u32, n_rows: usize) -> Vec<Vec<u32>> {
        let mut rng = stream(self.seed, Purpose::Sample, number);
        let mut numbers = vec![0u64; n_rows];
        let mut rows = vec![0u32; n_rows];
        let mut block = vec![Vec::new(); self.tables.len()];
        for &node in &self.order {
            // Two words of 32 bits a number.
            rng.set_word_pos(2 * BLOCK_ROWS as u128 * node as u128);
            numbers.fill_with(|| rng.next_u64() >> (u64::BITS - DRAWN_BITS));
            let parents = self.network.dag().parents(node);
            block[node] = match &self.tables[node] {
                Drawn::Thresholds { n, cells } => {
                    rows.fill(0);
                    for &parent in parents {
                        let n_states = self.network.table(parent).n_states() as u32;
                        for (row, state) in rows.iter_mut().zip(&block[parent]) {
                            *row = *row * n_states + state;
                        }
                    }
                    let drawn = rows.iter().zip(&numbers).map(|(&row, &number)| {
                        let limits = &cells[row as usize * n..][..*n];
                        state_of(limits, number) as u32
                    });
                    drawn.collect()
                }
                Drawn::Rows(table) => {
                    let draw = |(row, &number): (usize, &u64)| {
                        let values: Vec<u32> = parents.iter().map(|&p| block[p][row]).collect();
                        let limits: Vec<u64> = thresholds(&table.row(&values)).collect();
                        state_of(&limits, number) as u32
                    };
                    numbers.iter().enumerate().map(draw).collect()
                }
            };
        }
        block
    }
}

/// The state that a random number stands for: the number of thresholds it reaches.
fn state_of(limits: &[u64], number: u64) -> usize {
    if limits.len() <= MAX_COMPARED {
        limits.iter().filter(|&&limit| number >= limit).count()
    } else {
        limits.partition_point(|&limit| number >= limit)
    }
}

impl<'a> Drawn<'a> {
    fn new(table: &'a Cpt) -> Self {
        match table.as_dense() {
            Some(cells) if u32::try_from(cells.len()).is_ok() => Drawn::Thresholds {
                n: table.n_states() - 1,
                cells: cells
                    .chunks_exact(table.n_states())
                    .flat_map(thresholds)
                    .collect(),
            },
            _ => Drawn::Rows(table),
        }
    }
}

/// Where each state but the last ends in the range of the random numbers: state k is drawn
/// for a number below threshold k that is not below the one before.
///
/// Probabilities are divided by their sum, which in files is only nearly 1. A state of
/// probability 0 ends where the one before ends, the last one included: where nothing comes
/// behind, the sum so far is the sum of all and the threshold lies above every number.
fn thresholds(row: &[f64]) -> impl Iterator<Item = u64> {
    let total: f64 = row.iter().sum();
    let scale = (1u64 << DRAWN_BITS) as f64;
    let before_last = row.split_last().map_or(&[][..], |(_, before)| before);
    before_last.iter().scan(0.0, move |sum, p| {
        *sum += p;
        Some((*sum / total * scale) as u64)
    })
}

#[cfg(test)]
mod tests;
