//! A network compiled to log tables over the class's boundary.
//!
//! With all features known, `P(c | x)` is proportional to the class's own table times the
//! tables of its children; every other table is the same for all classes and drops out.
//! Each of these tables becomes a [`Factor`]: one log probability per class for every
//! combination of the features in it. Small factors are multiplied together beforehand, so
//! that a row needs one look for several features. Which ones depends on the model alone:
//! a row's answer is the same to the last bit whatever other rows stand beside it.

use crate::data::{Code, Codes};
use crate::network::Network;
use crate::with_codes;

/// Cells of all factors together, 64 MiB; where they are more, the largest are looked up in
/// the network's own tables.
const MAX_CELLS: usize = 1 << 23;

/// Products of factors stay below this many cells: 16 KiB, half of a first-level cache.
const MAX_JOINED_CELLS: usize = 1 << 11;

/// Factors that the next one may be multiplied to; looking at all would be quadratic.
const N_OPEN: usize = 8;

/// Rows whose places in a factor are worked out at a time.
const STRIP: usize = 256;

/// Log probabilities of all classes for every combination of some features.
#[derive(Debug, Clone)]
struct Factor {
    /// The features, as nodes of the network.
    columns: Vec<usize>,
    /// Places of each: its values and, where a gap simply drops out, one for gaps.
    n_places: Vec<usize>,
    n_classes: usize,
    /// `[combination][class]`, the first feature changing slowest.
    logs: Vec<f64>,
}

/// The factors of a network for one class node.
#[derive(Debug, Clone)]
pub(super) struct Factors {
    list: Vec<Factor>,
    /// Nodes whose tables have no place among the factors.
    too_large: Vec<usize>,
    class: usize,
    pub(super) n_classes: usize,
    /// Whether a missing feature simply drops out: each hangs on the class and on nothing
    /// else, and nothing hangs on it.
    pub(super) is_naive: bool,
}

impl Factors {
    /// Compiles the boundary of the class.
    pub(super) fn new(network: &Network, class: usize) -> Self {
        Factors::with_limit(network, class, MAX_CELLS)
    }

    /// As [`Factors::new`], with another limit for all factors together.
    fn with_limit(network: &Network, class: usize, max_cells: usize) -> Self {
        let dag = network.dag();
        let mut factors = Factors {
            list: Vec::new(),
            too_large: Vec::new(),
            class,
            n_classes: network.variables()[class].states.len(),
            is_naive: dag.parents(class).is_empty()
                && dag
                    .children(class)
                    .iter()
                    .all(|&child| dag.parents(child) == [class] && dag.children(child).is_empty()),
        };
        let nodes = std::iter::once(&class).chain(dag.children(class));
        let blanks: Vec<(usize, Factor)> = nodes
            .map(|&node| (node, factors.blank(network, node)))
            .collect();
        let fits = fitting(&blanks, max_cells);
        for ((node, mut factor), fits) in blanks.into_iter().zip(fits) {
            if fits {
                factor.fill(network, class, node);
                factors.join(factor);
            } else {
                factors.too_large.push(node);
            }
        }
        factors
    }

    /// The factor of a node's table before its cells are worked out.
    fn blank(&self, network: &Network, node: usize) -> Factor {
        let members = network.dag().parents(node).iter().chain([&node]);
        let columns: Vec<usize> = members.copied().filter(|&m| m != self.class).collect();
        let for_gaps = usize::from(self.is_naive);
        let n_places = |&column: &usize| network.variables()[column].states.len() + for_gaps;
        let n_places: Vec<usize> = columns.iter().map(n_places).collect();
        Factor {
            columns,
            n_places,
            n_classes: self.n_classes,
            logs: Vec::new(),
        }
    }

    /// Multiplies a factor to the one of the last few that it makes grow least, of equals
    /// the first; where it fits nowhere, it stands alone.
    fn join(&mut self, factor: Factor) {
        let open = self.list.iter_mut().rev().take(N_OPEN).rev();
        let fits = |known: &Factor| {
            let growth = known.growth(&factor)?;
            let cells = known.logs.len().checked_mul(growth)?;
            (growth == 1 || cells <= MAX_JOINED_CELLS).then_some(growth)
        };
        let best = open
            .filter_map(|known| Some((fits(known)?, known)))
            .min_by_key(|(growth, _)| *growth);
        match best {
            Some((_, known)) => *known = known.product(&factor),
            None => self.list.push(factor),
        }
    }

    /// Adds all factors to `scores[row][class]`, the first row being `start`. What a row
    /// with gaps gets is right where the factors are naive, and of no use elsewhere.
    pub(super) fn add(
        &self,
        network: &Network,
        columns: &[&Codes],
        start: usize,
        scores: &mut [f64],
    ) {
        let mut places = [0; STRIP];
        let strips = scores.chunks_mut(STRIP * self.n_classes.max(1));
        for (strip, scores) in strips.enumerate() {
            let start = start + strip * STRIP;
            for factor in &self.list {
                factor.add(columns, start, scores, &mut places);
            }
        }
        for &node in &self.too_large {
            self.add_looked_up(network, node, columns, start, scores);
        }
    }

    /// Adds the logs of a table that is no factor.
    fn add_looked_up(
        &self,
        network: &Network,
        node: usize,
        columns: &[&Codes],
        start: usize,
        scores: &mut [f64],
    ) {
        let table = network.table(node);
        let parents = network.dag().parents(node);
        let class_place = parents.iter().position(|&parent| parent == self.class);
        let mut values = Vec::with_capacity(parents.len());
        for (row, scores) in scores.chunks_mut(self.n_classes.max(1)).enumerate() {
            let value = |node: usize| {
                if node == self.class {
                    return Some(0);
                }
                let n_states = network.variables()[node].states.len();
                let code = columns[node].get(start + row);
                code.filter(|&code| (code as usize) < n_states)
            };
            values.clear();
            values.extend(parents.iter().map_while(|&parent| value(parent)));
            let Some(own) = value(node).filter(|_| values.len() == parents.len()) else {
                continue;
            };
            for (class, score) in scores.iter_mut().enumerate() {
                *score += match class_place {
                    Some(place) => {
                        values[place] = class as u32;
                        table.probability(&values, own as usize).ln()
                    }
                    None => table.probability(&values, class).ln(),
                };
            }
        }
    }
}

/// Which factors are worked out: the smallest, of equals the first, up to so many cells
/// together.
fn fitting(blanks: &[(usize, Factor)], max_cells: usize) -> Vec<bool> {
    let mut by_size: Vec<usize> = (0..blanks.len()).collect();
    by_size.sort_by_key(|&i| blanks[i].1.n_cells());
    let mut fits = vec![false; blanks.len()];
    let mut left = max_cells;
    for i in by_size {
        match left.checked_sub(blanks[i].1.n_cells()) {
            Some(rest) => left = rest,
            None => break,
        }
        fits[i] = true;
    }
    fits
}

impl Factor {
    /// Number of cells, worked out or not.
    fn n_cells(&self) -> usize {
        let places = self.n_places.iter();
        places.fold(self.n_classes, |product, &n| product.saturating_mul(n))
    }

    /// Works out the cells from the table of a node; the place for a gap holds 0.
    fn fill(&mut self, network: &Network, class: usize, node: usize) {
        let n_combinations: usize = self.n_places.iter().product();
        let table = network.table(node);
        let family = network.dag().parents(node);
        self.logs.reserve_exact(n_combinations * self.n_classes);
        let mut values = vec![0u32; network.variables().len()];
        let mut parents = Vec::new();
        for combination in 0..n_combinations {
            let mut rest = combination;
            let mut is_gap = false;
            for (&column, &n) in self.columns.iter().zip(&self.n_places).rev() {
                values[column] = (rest % n) as u32;
                is_gap |= rest % n == network.variables()[column].states.len();
                rest /= n;
            }
            for c in 0..self.n_classes {
                values[class] = c as u32;
                parents.clear();
                parents.extend(family.iter().map(|&parent| values[parent]));
                self.logs.push(if is_gap {
                    0.0
                } else {
                    table.probability(&parents, values[node] as usize).ln()
                });
            }
        }
    }

    /// How many times larger this factor gets by a product; `None` where it has no number.
    fn growth(&self, other: &Factor) -> Option<usize> {
        let added = other.columns.iter().zip(&other.n_places);
        added
            .filter(|(column, _)| !self.columns.contains(column))
            .try_fold(1usize, |product, (_, &n)| product.checked_mul(n))
    }

    /// The product of two factors, over the features of both.
    fn product(&self, other: &Factor) -> Factor {
        let mut columns = self.columns.clone();
        let mut n_places = self.n_places.clone();
        for (&column, &n) in other.columns.iter().zip(&other.n_places) {
            if !self.columns.contains(&column) {
                columns.push(column);
                n_places.push(n);
            }
        }
        let place_there: Vec<Option<usize>> = columns
            .iter()
            .map(|column| other.columns.iter().position(|there| there == column))
            .collect();
        let strides: Vec<usize> = place_there
            .iter()
            .map(|place| place.map_or(0, |place| other.n_places[place + 1..].iter().product()))
            .collect();
        let n_combinations: usize = n_places.iter().product();
        let k = self.n_classes;
        let added = n_combinations / (self.logs.len() / k.max(1)).max(1);
        let mut logs = Vec::with_capacity(n_combinations * k);
        for combination in 0..n_combinations {
            let here = combination / added.max(1);
            let (mut rest, mut there) = (combination, 0);
            for (&n, stride) in n_places.iter().zip(&strides).rev() {
                there += rest % n * stride;
                rest /= n;
            }
            let pairs = self.logs[here * k..].iter().zip(&other.logs[there * k..]);
            logs.extend(pairs.take(k).map(|(a, b)| a + b));
        }
        Factor {
            columns,
            n_places,
            n_classes: k,
            logs,
        }
    }

    /// Adds this factor's logs to the scores of at most [`STRIP`] rows.
    fn add(&self, columns: &[&Codes], start: usize, scores: &mut [f64], places: &mut [u16; STRIP]) {
        let n_rows = scores.len() / self.n_classes.max(1);
        if self.logs.len() / self.n_classes.max(1) > usize::from(u16::MAX) {
            return self.add_wide(columns, start, scores);
        }
        let places = &mut places[..n_rows];
        places.fill(0);
        for (&column, &n) in self.columns.iter().zip(&self.n_places) {
            with_codes!(columns[column], cells => go_on(places, &cells[start..], n));
        }
        match self.n_classes {
            2 => self.add_classes::<2>(places, scores),
            3 => self.add_classes::<3>(places, scores),
            4 => self.add_classes::<4>(places, scores),
            5 => self.add_classes::<5>(places, scores),
            _ => self.add_any(places.iter().map(|&place| usize::from(place)), scores),
        }
    }

    fn add_classes<const N: usize>(&self, places: &[u16], scores: &mut [f64]) {
        let (logs, _) = self.logs.as_chunks::<N>();
        let (scores, _) = scores.as_chunks_mut::<N>();
        for (score, &place) in scores.iter_mut().zip(places) {
            if let Some(logs) = logs.get(usize::from(place)) {
                for (score, log) in score.iter_mut().zip(logs) {
                    *score += log;
                }
            }
        }
    }

    fn add_any(&self, places: impl Iterator<Item = usize>, scores: &mut [f64]) {
        let n = self.n_classes.max(1);
        for (scores, place) in scores.chunks_mut(n).zip(places) {
            let logs = self.logs.get(place * n..).unwrap_or_default();
            for (score, log) in scores.iter_mut().zip(logs) {
                *score += log;
            }
        }
    }

    /// As [`Factor::add`], for more combinations than fit in 16 bits.
    fn add_wide(&self, columns: &[&Codes], start: usize, scores: &mut [f64]) {
        let place = |row: usize| {
            let features = self.columns.iter().zip(&self.n_places);
            features.fold(0, |place, (&column, &n)| {
                let last = n.saturating_sub(1);
                let code = columns[column].get(start + row);
                place * n + code.map_or(last, |code| (code as usize).min(last))
            })
        };
        self.add_any((0..).map(place), scores);
    }
}

/// Goes on from the combinations so far by one feature of `n` places; what is missing or
/// outside of them has the last one.
fn go_on<C: Code>(places: &mut [u16], cells: &[C], n: usize) {
    let last = n.saturating_sub(1);
    let n = n as u16;
    if last <= C::MISSING.index() {
        // The missing code is the largest of its width: a minimum settles it, too.
        let last = C::from_index(last);
        for (place, &cell) in places.iter_mut().zip(cells) {
            *place = place
                .wrapping_mul(n)
                .wrapping_add(cell.min(last).index() as u16);
        }
    } else {
        for (place, &cell) in places.iter_mut().zip(cells) {
            let code = if cell == C::MISSING {
                last
            } else {
                cell.index()
            };
            *place = place.wrapping_mul(n).wrapping_add(code as u16);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{Cpt, Dag, Variable};

    /// The class (node 3) above all features, 0 above 1 as well: two, three and two states.
    fn network(has_tree: bool) -> Network {
        let mut dag = Dag::new(4);
        (0..3).for_each(|feature| dag.add_arc(3, feature).unwrap());
        if has_tree {
            dag.add_arc(0, 1).unwrap();
        }
        let row = |n: usize, i: usize| {
            let weights: Vec<f64> = (0..n)
                .map(|v| 1.0 + ((v * 7 + i * 5) % 11) as f64)
                .collect();
            let sum: f64 = weights.iter().sum();
            weights.into_iter().map(move |w| w / sum)
        };
        let table = |n: usize, parents: &[usize]| {
            let n_rows: usize = parents.iter().product();
            let cells = (0..n_rows).flat_map(|i| row(n, i)).collect();
            Cpt::dense(n, parents.to_vec(), cells).unwrap()
        };
        let parents_of_1: &[usize] = if has_tree { &[2, 2] } else { &[2] };
        let tables = vec![
            table(2, &[2]),
            table(3, parents_of_1),
            table(2, &[2]),
            table(2, &[]),
        ];
        let variables = [2, 3, 2, 2].iter().enumerate().map(|(node, &n)| Variable {
            name: node.to_string(),
            states: (0..n).map(|state| state.to_string()).collect(),
        });
        Network::new(variables.collect(), dag, tables).unwrap()
    }

    fn columns() -> [Codes; 3] {
        let cells = |n: u32, step: u32| Codes::new(n as usize, (0..12).map(|r| Some(r / step % n)));
        [cells(2, 6), cells(3, 2), cells(2, 1)]
    }

    fn scores(factors: &Factors, network: &Network, columns: &[Codes; 3]) -> Vec<f64> {
        let mut scores = vec![0.0; 24];
        let columns: Vec<&Codes> = columns.iter().collect();
        factors.add(network, &columns, 0, &mut scores);
        scores
    }

    #[test]
    fn the_largest_tables_are_looked_up_with_the_same_result() {
        for has_tree in [false, true] {
            let network = network(has_tree);
            let columns = columns();
            // The prior has 2 cells. With a tree, node 0 and 2 have 4 and node 1 has 12; else
            // there are places for gaps, too, and they have 6, 8 and 6.
            for (max_cells, n_looked_up) in [
                (1, [4, 4]),
                (2, [3, 3]),
                (7, [3, 2]),
                (10, [2, 1]),
                (21, [1, 1]),
                (22, [0, 0]),
            ] {
                let factors = Factors::with_limit(&network, 3, max_cells);
                assert_eq!(
                    factors.too_large.len(),
                    n_looked_up[usize::from(has_tree)],
                    "{max_cells}"
                );
                for (i, score) in scores(&factors, &network, &columns).iter().enumerate() {
                    let value = |c: usize| columns[c].get(i / 2).unwrap();
                    let row = [value(0), value(1), value(2), (i % 2) as u32];
                    let expected = network.ln_probability(&row);
                    assert!((score - expected).abs() < 1e-14, "{max_cells}: {row:?}");
                }
            }
        }
    }

    #[test]
    fn a_gap_drops_out_of_naive_factors_whether_joined_or_looked_up() {
        let network = network(false);
        let mut columns = columns();
        columns[1] = Codes::new(3, vec![None; 12]);
        for max_cells in [1, 100] {
            let factors = Factors::with_limit(&network, 3, max_cells);
            assert!(factors.is_naive);
            for (i, score) in scores(&factors, &network, &columns).iter().enumerate() {
                let value = |c: usize| columns[c].get(i / 2).unwrap() as usize;
                let class = i % 2;
                let cell = |node: usize| network.table(node).row(&[class as u32])[value(node)];
                let expected = (network.table(3).row(&[])[class] * cell(0) * cell(2)).ln();
                assert!(
                    (score - expected).abs() < 1e-14,
                    "{max_cells}: row {}",
                    i / 2
                );
            }
        }
    }

    #[test]
    fn codes_narrower_than_the_domain_keep_their_gaps() {
        // A gap in bytes is 255, which is a value among 300.
        let mut places = [0; 3];
        go_on(&mut places, &[7u8, 255, 254], 301);
        assert_eq!(places, [7, 300, 254]);
        let mut places = [0; 3];
        go_on(&mut places, &[1u8, 255, 9], 4);
        assert_eq!(places, [1, 3, 3]);
    }
}
