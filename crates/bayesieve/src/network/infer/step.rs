//! One step of variable elimination: tables multiplied, a node summed out.

use super::restrict::{KnownCodes, Restriction};
use super::walk::{Grid, Walk};
use super::wide::Wide;
use crate::wording::grouped;
use crate::{Error, Result};

/// Tables up to this many cells keep their memory for the next row.
const KEPT_CELLS: usize = 1 << 16;

/// The product of some tables, with one node summed out.
pub(super) struct Step {
    pub(super) factors: Vec<Factor>,
    /// Over the nodes that stay, with the way to them in every factor.
    pub(super) grid: Grid,
    /// States of the node summed out; 1 where none is.
    pub(super) n_summed: usize,
    /// How far one more of it is in every factor.
    pub(super) summed_strides: Vec<usize>,
}

/// What is multiplied.
pub(super) enum Factor {
    /// A table of the network.
    Table(Restriction),
    /// What an earlier step left.
    Message(usize),
}

/// Where steps leave their products; its memory serves one row after the other.
#[derive(Default)]
pub(super) struct Memory {
    /// What every step left.
    messages: Vec<Vec<Wide>>,
    /// The factors of the step at work.
    factors: Vec<Vec<Wide>>,
    walk: Walk,
}

impl Memory {
    /// Runs the steps in order and gives what the last one left.
    pub(super) fn run(&mut self, steps: &[Step], source: KnownCodes<'_>) -> Result<&[Wide]> {
        if self.messages.len() < steps.len() {
            self.messages.resize_with(steps.len(), Vec::new);
        }
        for (number, step) in steps.iter().enumerate() {
            self.gather(step, source);
            let product = &mut self.messages[number];
            reserve(product, step.grid.n_cells())?;
            let factors = &self.factors[..step.factors.len()];
            step.multiply(factors, &mut self.walk, product);
            self.release(step);
        }
        let last = steps.len().checked_sub(1).map(|last| &self.messages[last]);
        Ok(last.map_or(&[], Vec::as_slice))
    }

    fn gather(&mut self, step: &Step, source: KnownCodes<'_>) {
        if self.factors.len() < step.factors.len() {
            self.factors.resize_with(step.factors.len(), Vec::new);
        }
        for (factor, cells) in step.factors.iter().zip(&mut self.factors) {
            match factor {
                Factor::Table(table) => table.read(source, &mut self.walk, cells),
                Factor::Message(from) => std::mem::swap(cells, &mut self.messages[*from]),
            }
        }
    }

    /// Gives messages their memory back, unless it is large: every message has one reader,
    /// and a plan may have many large ones, one after the other.
    fn release(&mut self, step: &Step) {
        for (factor, cells) in step.factors.iter().zip(&mut self.factors) {
            if cells.capacity() > KEPT_CELLS {
                *cells = Vec::new();
            }
            if let Factor::Message(from) = factor {
                std::mem::swap(cells, &mut self.messages[*from]);
            }
        }
    }
}

impl Step {
    fn multiply(&self, factors: &[Vec<Wide>], walk: &mut Walk, product: &mut Vec<Wide>) {
        walk.start(&self.grid, factors.len());
        for _ in 0..self.grid.n_cells() {
            let mut sum = Wide::ZERO;
            for state in 0..self.n_summed {
                let mut term = Wide::ONE;
                let places = walk.offsets().iter().zip(&self.summed_strides);
                for (cells, (offset, stride)) in factors.iter().zip(places) {
                    term = term.times(cells[offset + state * stride]);
                    if term.is_zero() {
                        break;
                    }
                }
                sum = sum.plus(term);
            }
            product.push(sum);
            walk.advance(&self.grid);
        }
    }
}

/// Empties a table and makes room for so many cells.
fn reserve(cells: &mut Vec<Wide>, n_cells: usize) -> Result<()> {
    cells.clear();
    cells.try_reserve_exact(n_cells).map_err(|_| {
        Error::data(format!(
            "a table of {} cells is more than memory can hold",
            grouped(n_cells as u64)
        ))
        .with_hint("Give more nodes a value.")
    })
}
