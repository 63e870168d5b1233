//! Each of some nodes tested against one, given all the others.
//!
//! These tests all have the same table, of the one node and all the others: it is counted
//! once, and every test reads it along other axes.

use super::independence::{IndependenceTests, sorted};
use crate::Result;
use crate::stats::{IndependenceTest, Layers, Statistic};

/// The counts of a class and its members.
pub(super) struct Joint<'t, 'a> {
    tests: &'t IndependenceTests<'a>,
    class: usize,
    /// The class and its members, rising: the first changes slowest.
    nodes: Vec<usize>,
    /// None where the table is too large to be held.
    cells: Option<Vec<u64>>,
    is_testable: bool,
}

impl<'t, 'a> Joint<'t, 'a> {
    /// Counts, where the tests have rows enough.
    pub(super) fn new(
        tests: &'t IndependenceTests<'a>,
        class: usize,
        members: &[usize],
    ) -> Result<Self> {
        let nodes = sorted(&[members, [class].as_slice()].concat());
        let is_testable = match members.split_first() {
            Some((&first, rest)) => tests.is_testable((class, first), rest),
            None => false,
        };
        let cells = if is_testable {
            tests.count(&nodes)?
        } else {
            None
        };
        Ok(Joint {
            tests,
            class,
            nodes,
            cells,
            is_testable,
        })
    }

    /// The test of a member given the others; `None` where there are too few rows.
    pub(super) fn test(&self, member: usize) -> Result<Option<IndependenceTest>> {
        if !self.is_testable {
            return Ok(None);
        }
        let Some(cells) = &self.cells else {
            let is_other = |&node: &usize| node != member && node != self.class;
            let given: Vec<usize> = self.nodes.iter().copied().filter(is_other).collect();
            return self.tests.test((self.class, member), &given);
        };
        let (a, b) = (self.class.min(member), self.class.max(member));
        let cells = self.layers_of(a, b, cells);
        let layers = Layers::new(self.tests.n_values(a), self.tests.n_values(b), &cells)?;
        Ok(Some(
            layers.test(Statistic::G, self.tests.options().freedom),
        ))
    }

    /// The cells with two of the nodes changing fastest: axes `before, a, between, b,
    /// behind` become `before, between, behind, a, b`.
    fn layers_of(&self, a: usize, b: usize, cells: &[u64]) -> Vec<u64> {
        let product = |nodes: &[usize]| -> usize {
            nodes
                .iter()
                .map(|&node| self.tests.n_values(node))
                .product()
        };
        let place = |node: usize| self.nodes.partition_point(|&other| other < node);
        let (at_a, at_b) = (place(a), place(b));
        let before = product(&self.nodes[..at_a]);
        let between = product(&self.nodes[at_a + 1..at_b]);
        let behind = product(&self.nodes[at_b + 1..]);
        let (n_a, n_b) = (self.tests.n_values(a), self.tests.n_values(b));
        let mut out = Vec::with_capacity(cells.len());
        for p in 0..before {
            for q in 0..between {
                for r in 0..behind {
                    for va in 0..n_a {
                        let row = ((p * n_a + va) * between + q) * n_b;
                        out.extend((0..n_b).map(|vb| cells[(row + vb) * behind + r]));
                    }
                }
            }
        }
        out
    }
}
