//! Which pairs of features depend on each other most, given the class: all of them, in
//! order, a bounded number at a time.
//!
//! The correlation within classes is a product of two columns of length 1. Columns stand in
//! panels of four, so that a tile of sixteen products takes eight loads a row. Every product
//! is summed row by row: the same digits for any width of vectors and any number of threads.
//! Cost: O(p² N) for p features and N rows.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::clusters::{Clusters, Edge};
use super::edges::{Best, EdgeSource, Pass};
use crate::{Result, check};

/// Columns of a panel.
const WIDTH: usize = 4;

/// Edges that a thread collects before it hands them over.
const LOCAL: usize = 1 << 14;

/// Columns of length 1, and what their squared correlations must exceed.
pub(super) struct Correlations<'c> {
    pub(super) columns: Vec<&'c [f64]>,
    pub(super) least: f64,
}

impl EdgeSource for Correlations<'_> {
    fn offer(
        &self,
        open: &[usize],
        clusters: &Clusters,
        best: &Best,
        pass: &Pass<'_>,
    ) -> Result<()> {
        let panels = Panels::new(&self.columns, open);
        let n_panels = panels.n_panels();
        let n_done = AtomicU64::new(0);
        // A late panel has few partners left: it goes with an early one.
        (0..n_panels.div_ceil(2))
            .into_par_iter()
            .try_for_each(|first| {
                check(pass.observer)?;
                let mut found = Vec::with_capacity(LOCAL);
                let last = n_panels - 1 - first;
                let both = [first, last];
                for &panel in &both[..if first == last { 1 } else { 2 }] {
                    self.offer_panel(&panels, panel, (clusters, best), &mut found);
                }
                best.take(&mut found);
                let done = n_done.fetch_add(1, Ordering::Relaxed) + 1;
                let all = n_panels.div_ceil(2) as u64;
                pass.observer.progress(pass.stage, done, all);
                Ok(())
            })
    }
}

impl Correlations<'_> {
    /// The pairs of a panel with itself and those behind it.
    fn offer_panel(
        &self,
        panels: &Panels<'_>,
        first: usize,
        (clusters, best): (&Clusters, &Best),
        found: &mut Vec<Edge>,
    ) {
        for second in first..panels.n_panels() {
            let floor = best.floor().max(self.least);
            let products = products(panels.panel(first), panels.panel(second));
            let places = (0..WIDTH * WIDTH).map(|place| (place / WIDTH, place % WIDTH));
            for (i, j) in places.filter(|&(i, j)| products[i][j] * products[i][j] > floor) {
                let (a, b) = (first * WIDTH + i, second * WIDTH + j);
                if a >= b || b >= panels.columns.len() {
                    continue;
                }
                let (a, b) = (panels.columns[a], panels.columns[b]);
                let edge = best.edge(products[i][j] * products[i][j], a, b);
                found.extend(edge.filter(|_| clusters.can_join(a, b)));
            }
            if found.len() >= LOCAL {
                best.take(found);
            }
        }
    }
}

/// Columns side by side, four at a time.
struct Panels<'o> {
    n_rows: usize,
    /// The columns, by number.
    columns: &'o [usize],
    /// Panel after panel; within a panel row after row. The last one is filled up with zeros.
    cells: Vec<f64>,
}

impl<'o> Panels<'o> {
    fn new(all: &[&[f64]], columns: &'o [usize]) -> Self {
        let n_rows = columns.first().map_or(0, |&column| all[column].len());
        let mut cells = vec![0.0; columns.len().div_ceil(WIDTH) * WIDTH * n_rows];
        for (place, &column) in columns.iter().enumerate() {
            let panel = &mut cells[place / WIDTH * WIDTH * n_rows..];
            for (row, &x) in all[column].iter().enumerate() {
                panel[row * WIDTH + place % WIDTH] = x;
            }
        }
        Panels {
            n_rows,
            columns,
            cells,
        }
    }

    fn n_panels(&self) -> usize {
        self.columns.len().div_ceil(WIDTH)
    }

    fn panel(&self, panel: usize) -> &[f64] {
        let size = WIDTH * self.n_rows;
        &self.cells[panel * size..(panel + 1) * size]
    }
}

/// All products of two panels' columns.
fn products(a: &[f64], b: &[f64]) -> [[f64; WIDTH]; WIDTH] {
    let mut sums = [[0.0; WIDTH]; WIDTH];
    let (a, b) = (a.as_chunks::<WIDTH>().0, b.as_chunks::<WIDTH>().0);
    for (x, y) in a.iter().zip(b) {
        for (sum, x) in sums.iter_mut().zip(x) {
            for (sum, y) in sum.iter_mut().zip(y) {
                *sum += x * y;
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::super::edges::merge;
    use super::*;
    use crate::Silent;
    use crate::random::{Purpose, stream, unit};

    /// Columns of length 1, some of them alike.
    fn columns(n: usize, n_rows: usize, seed: u64) -> Vec<Vec<f64>> {
        let mut rng = stream(seed, Purpose::Generate, 0);
        let mut columns: Vec<Vec<f64>> = Vec::new();
        for column in 0..n {
            let like = columns.get(column / 3).filter(|_| column % 3 > 0).cloned();
            let mut drawn: Vec<f64> = (0..n_rows).map(|_| unit(&mut rng) - 0.5).collect();
            if let Some(like) = like {
                drawn
                    .iter_mut()
                    .zip(like)
                    .for_each(|(x, y)| *x = 0.3 * *x + y);
            }
            let length = drawn.iter().map(|x| x * x).sum::<f64>().sqrt();
            drawn.iter_mut().for_each(|x| *x /= length);
            columns.push(drawn);
        }
        columns
    }

    fn merged(columns: &[Vec<f64>], least: f64, max_edges: usize) -> Vec<Vec<usize>> {
        let mut clusters = Clusters::new(columns.len(), 5);
        let columns = columns.iter().map(Vec::as_slice).collect();
        let source = Correlations { columns, least };
        merge(&source, &mut clusters, max_edges, &Silent).unwrap();
        clusters.members()
    }

    #[test]
    fn merging_is_that_of_all_pairs_sorted_however_few_fit_into_memory() {
        for (n, seed) in [(2, 1), (7, 2), (30, 3), (61, 4)] {
            let columns = columns(n, 23, seed);
            let mut edges = Vec::new();
            for a in 0..n {
                for b in a + 1..n {
                    let r: f64 = columns[a].iter().zip(&columns[b]).map(|(x, y)| x * y).sum();
                    edges.push((r * r, a, b));
                }
            }
            edges.sort_by(|x, y| y.0.total_cmp(&x.0).then((x.1, x.2).cmp(&(y.1, y.2))));
            let mut clusters = Clusters::new(n, 5);
            for (_, a, b) in edges.into_iter().take_while(|edge| edge.0 > 0.1) {
                clusters.join(Edge {
                    strength: std::cmp::Reverse(0),
                    a: a as u32,
                    b: b as u32,
                });
            }
            let plain = clusters.members();
            for max_edges in [1, 2, 10, 1_000_000] {
                assert_eq!(merged(&columns, 0.1, max_edges), plain, "{n} {max_edges}");
            }
        }
    }

    #[test]
    fn copies_are_ties_and_go_by_place() {
        // Six equal columns in blocks of five: the first five, whatever fits into memory.
        let one = columns(1, 9, 5).remove(0);
        let copies = vec![one; 6];
        for max_edges in [1, 3, 100] {
            let blocks = merged(&copies, 0.1, max_edges);
            assert_eq!(blocks, [vec![0, 1, 2, 3, 4], vec![5]], "{max_edges}");
        }
    }
}
