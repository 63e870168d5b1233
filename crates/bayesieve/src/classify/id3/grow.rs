//! Growing a tree from the root down, without recursion and without copying cells.
//!
//! Every node owns the same stretch of several lists of rows: one in row order, and one per
//! numeric feature in order of its numbers, missing ones last. A split brings the stretch of
//! every list into the order of the branches and keeps the order inside, so numbers are
//! sorted only once.
//! Classes are numbered anew at every node, the most frequent first and equals as in the
//! parent, at the root by their first rows: so number 0 is the majority, and tables have no room for classes that are gone.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::bitmaps::NodeMaps;
use super::cut::{Presorted, Ranked};
use super::feature::{Division, Feature, NodeRows};
use super::split::{ChanceTest, Margins, rounded};
use super::tally::{Size, Tally};
use super::{Id3Cuts, Id3Node, Id3Options, Id3Split};
use crate::data::{Column, Nominal, places_by_first_row};
use crate::math::NLogN;
use crate::{Error, Observer, Result, check};

/// Below this many cells a node is not worth waking other threads for.
const SHARED_CELLS: usize = 1 << 15;

/// The nodes of a tree; the first is the root.
pub(super) fn grow(
    columns: &[(&Column, &Presorted)],
    class: &Nominal,
    options: &Id3Options,
    observer: &dyn Observer,
) -> Result<Vec<Id3Node>> {
    let mut grower = Grower::new(columns, class, (options.cuts, observer))?;
    let n_rows = grower.rows.len() as u64;
    let mut n_settled = 0;
    let mut open = vec![Stretch {
        node: 0,
        rows: 0..grower.rows.len(),
        features: (0..columns.len()).collect(),
    }];
    while let Some(stretch) = open.pop() {
        // Inside, features are passed over once the run is cancelled.
        let split = grower.find_split(&stretch, options.alpha);
        check(observer)?;
        match split? {
            Some(split) => grower.split(&stretch, &split, &mut open),
            None => n_settled += stretch.rows.len() as u64,
        }
        observer.progress("growing the tree", n_settled, n_rows);
    }
    Ok(grower.nodes)
}

/// The rows of a node, and the features that may still differ in them.
struct Stretch {
    node: usize,
    rows: Range<usize>,
    features: Arc<[usize]>,
}

/// A split that is not chance.
struct Split {
    best: Candidate,
    /// Its branches, without the rows that have no value.
    branches: Margins,
    /// The features that may still differ below.
    features: Arc<[usize]>,
}

/// A feature that could divide a node.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    feature: usize,
    division: Division,
}

struct Grower<'a> {
    cuts: Id3Cuts,
    observer: &'a dyn Observer,
    features: Vec<Feature<'a>>,
    nodes: Vec<Id3Node>,
    /// Rows with a class, node by node.
    rows: Vec<u32>,
    /// The same in order of the numbers of every numeric feature; empty for nominal ones.
    sorted: Vec<Vec<Ranked>>,
    /// By row: its class, as numbered in its node.
    classes: Vec<u32>,
    /// By row: its branch in the split at work.
    branches: Vec<u32>,
    n_log_n: NLogN,
    tally: Tally,
    /// By class or value, whatever is numbered anew; only entries just written are read.
    numbers: Vec<u32>,
}

impl<'a> Grower<'a> {
    /// With the root as a leaf.
    fn new(
        columns: &[(&'a Column, &Presorted)],
        class: &Nominal,
        (cuts, observer): (Id3Cuts, &'a dyn Observer),
    ) -> Result<Self> {
        let rows = rows_with_class(class)?;
        let n_rows = class.codes.len();
        let places = places_by_first_row(&class.codes);
        let features = columns
            .iter()
            .map(|(column, _)| Feature::new(column, class))
            .collect::<Result<Vec<_>>>()?;
        let n_values = features.iter().map(Feature::n_values);
        let n_numbers = n_values.chain([class.n_values()]).max();
        let mut grower = Grower {
            cuts,
            observer,
            nodes: Vec::new(),
            sorted: columns.iter().map(|(_, sorted)| sorted.0.clone()).collect(),
            classes: class
                .codes
                .iter()
                .map(|code| code.map_or(0, |code| places[code as usize]))
                .collect(),
            branches: vec![0; n_rows],
            n_log_n: NLogN::new(rows.len()),
            tally: Tally::default(),
            numbers: vec![0; n_numbers.unwrap_or(0)],
            features,
            rows,
        };
        // Numbered by first rows: of classes that tie, the one that comes first is predicted.
        let mut codes: Vec<u32> = (0..places.len() as u32).collect();
        codes.sort_by_key(|&code| places[code as usize]);
        grower.add_leaf(0..grower.rows.len(), &codes);
        Ok(grower)
    }

    /// Adds a leaf over some rows and numbers their classes; `known` are the classes as they
    /// are numbered so far.
    fn add_leaf(&mut self, rows: Range<usize>, known: &[u32]) -> usize {
        let size = Size {
            n_values: 1,
            n_classes: known.len(),
            n_rows: rows.len(),
        };
        let rows = &self.rows[rows];
        let classes = rows.iter().map(|&row| (0, self.classes[row as usize]));
        let mut cells = self.tally.count(classes, size).to_vec();
        // Stable: equals stay in the order of the parent.
        cells.sort_by_key(|cell| Reverse(cell.n));
        for (number, cell) in (0..).zip(&cells) {
            self.numbers[cell.class as usize] = number;
        }
        for &row in rows {
            let class = &mut self.classes[row as usize];
            *class = self.numbers[*class as usize];
        }
        let counts = cells
            .iter()
            .map(|cell| (known[cell.class as usize], cell.n));
        self.nodes.push(Id3Node {
            class_counts: counts.collect(),
            split: None,
        });
        self.nodes.len() - 1
    }

    /// The rows of a node as a feature sees them.
    fn node_rows<'n>(
        &'n self,
        stretch: &Stretch,
        feature: usize,
        maps: Option<&'n NodeMaps>,
    ) -> NodeRows<'n> {
        let sorted = &self.sorted[feature];
        NodeRows {
            rows: &self.rows[stretch.rows.clone()],
            sorted: sorted.get(stretch.rows.clone()).unwrap_or_default(),
            classes: &self.classes,
            n_classes: self.nodes[stretch.node].class_counts.len(),
            cuts: self.cuts,
            maps,
        }
    }

    /// The split of a node, `None` where it stays a leaf.
    fn find_split(&mut self, stretch: &Stretch, alpha: f64) -> Result<Option<Split>> {
        let n_classes = self.nodes[stretch.node].class_counts.len();
        if n_classes < 2 {
            return Ok(None);
        }
        let mut tally = std::mem::take(&mut self.tally);
        let maps = NodeMaps::new(&self.rows[stretch.rows.clone()], &self.classes, n_classes);
        let maps = maps.as_ref();
        let candidates = self.candidates(stretch, maps, &mut tally);
        let Some(best) = choose(&candidates) else {
            self.tally = tally;
            return Ok(None);
        };
        let at = self.node_rows(stretch, best.feature, maps);
        let cells = self.features[best.feature].count(at, best.division.cut, &mut tally);
        let branches = Margins::of(cells, n_classes);
        let test = ChanceTest::of(cells, &branches)?;
        self.tally = tally;
        // Logarithms, because p may be too small for a float where alpha is 0.
        let is_chance = test.ln_p > alpha.ln();
        Ok((!is_chance).then(|| Split {
            best,
            branches,
            features: candidates.iter().map(|c| c.feature).collect(),
        }))
    }

    /// The features that differ in the rows of a node, each with the best it can do.
    fn candidates(
        &self,
        stretch: &Stretch,
        maps: Option<&NodeMaps>,
        tally: &mut Tally,
    ) -> Vec<Candidate> {
        let candidate = |tally: &mut Tally, &feature: &usize| {
            if self.observer.is_cancelled() {
                return None;
            }
            let at = self.node_rows(stretch, feature, maps);
            let division = self.features[feature].divide(at, &self.n_log_n, tally)?;
            Some(Candidate { feature, division })
        };
        if stretch.features.len() * stretch.rows.len() < SHARED_CELLS {
            let features = stretch.features.iter();
            return features.filter_map(|f| candidate(tally, f)).collect();
        }
        let features = stretch.features.par_iter();
        let candidates = features.map_init(Tally::default, candidate);
        candidates.flatten().collect()
    }

    /// Divides the rows of a node among new leaves, which are open.
    fn split(&mut self, stretch: &Stretch, split: &Split, open: &mut Vec<Stretch>) {
        let ends = self.set_branches(stretch, split);
        self.arrange(stretch, split, &ends);
        let known: Vec<u32> = self.nodes[stretch.node]
            .class_counts
            .iter()
            .map(|&(class, _)| class)
            .collect();
        let first_child = self.nodes.len();
        let mut start = 0;
        for end in ends {
            let rows = stretch.rows.start + start..stretch.rows.start + end;
            let node = self.add_leaf(rows.clone(), &known);
            open.push(Stretch {
                node,
                rows,
                features: Arc::clone(&split.features),
            });
            start = end;
        }
        let largest = first_child + split.branches.largest();
        let Candidate { feature, division } = split.best;
        self.nodes[stretch.node].split = Some(match self.features[feature] {
            Feature::Nominal { .. } => Id3Split::Nominal {
                feature,
                branches: (first_child..)
                    .zip(&split.branches.values)
                    .map(|(node, &(code, _))| (code, node))
                    .collect(),
                largest,
            },
            Feature::Numeric(_) => Id3Split::Numeric {
                feature,
                cut: division.cut,
                below: first_child,
                above: first_child + 1,
                largest,
            },
        });
    }

    /// Says the branch of every row; gives where each branch will end among them.
    fn set_branches(&mut self, stretch: &Stretch, split: &Split) -> Vec<usize> {
        let largest = split.branches.largest();
        for (number, &(value, _)) in (0..).zip(&split.branches.values) {
            self.numbers[value as usize] = number;
        }
        let feature = &self.features[split.best.feature];
        let mut sizes = vec![0; split.branches.values.len()];
        for &row in &self.rows[stretch.rows.clone()] {
            let value = feature.value(row, split.best.division.cut);
            let branch = value.map_or(largest as u32, |value| self.numbers[value as usize]);
            self.branches[row as usize] = branch;
            sizes[branch as usize] += 1;
        }
        let mut end = 0;
        for size in &mut sizes {
            end += *size;
            *size = end;
        }
        sizes
    }

    /// Brings the node's stretch of every list into the order of the branches.
    fn arrange(&mut self, stretch: &Stretch, split: &Split, ends: &[usize]) {
        let rows = stretch.rows.clone();
        let (branches, observer) = (&self.branches, self.observer);
        let in_row_order = &mut self.rows[rows.clone()];
        by_branch(
            in_row_order,
            |&row| branches[row as usize],
            ends,
            &mut Vec::new(),
        );
        let arrange = |room: &mut Vec<Ranked>, list: &mut [Ranked]| {
            if observer.is_cancelled() {
                return; // the tree is given up before the list is read again
            }
            by_branch(list, |ranked| branches[ranked.row as usize], ends, room);
        };
        if split.features.len() * rows.len() < SHARED_CELLS {
            let mut room = Vec::new();
            for &feature in &*split.features {
                if let Some(list) = self.sorted[feature].get_mut(rows.clone()) {
                    arrange(&mut room, list);
                }
            }
        } else {
            self.sorted
                .par_iter_mut()
                .enumerate()
                .filter(|(feature, _)| split.features.binary_search(feature).is_ok())
                .filter_map(|(_, list)| list.get_mut(rows.clone()))
                .for_each_init(Vec::new, arrange);
        }
    }
}

/// The rows that have a class.
pub(super) fn rows_with_class(class: &Nominal) -> Result<Vec<u32>> {
    let n_rows = u32::try_from(class.codes.len())
        .map_err(|_| Error::data("a tree cannot be grown from more than 4,294,967,295 rows"))?;
    let mut rows = Vec::new();
    for (row, code) in (0..n_rows).zip(class.codes.iter()) {
        match code {
            Some(code) if code as usize >= class.n_values() => {
                return Err(Error::internal(format!(
                    "class {code} of {}",
                    class.n_values()
                )));
            }
            Some(_) => rows.push(row),
            None => {}
        }
    }
    if rows.is_empty() {
        return Err(Error::data("no row has a class")
            .with_hint("A tree is grown from rows whose class is known."));
    }
    Ok(rows)
}

/// The feature of largest gain ratio among those whose gain is at least the mean of the
/// positive gains; of equals the lowest.
fn choose(candidates: &[Candidate]) -> Option<Candidate> {
    let gains = candidates.iter().map(|c| c.division.worth.gain);
    let positive: Vec<f64> = gains.filter(|&gain| rounded(gain) > 0.0).collect();
    let mean = positive.iter().sum::<f64>() / positive.len() as f64;
    let mut best: Option<Candidate> = None;
    for candidate in candidates {
        let worth = candidate.division.worth;
        // No positive gain: the mean is not a number, and nothing is at least that.
        if rounded(worth.gain) >= rounded(mean) {
            let ratio = |c: Candidate| rounded(c.division.worth.ratio());
            if best.is_none_or(|best| ratio(*candidate) > ratio(best)) {
                best = Some(*candidate);
            }
        }
    }
    best
}

/// Sorts a list by branch and keeps the order inside a branch.
fn by_branch<T: Copy>(
    list: &mut [T],
    branch: impl Fn(&T) -> u32,
    ends: &[usize],
    room: &mut Vec<T>,
) {
    room.clear();
    room.extend_from_slice(list);
    // Where the next entry of every branch goes: behind the branch before.
    let mut next: Vec<usize> = [0].iter().chain(ends).copied().collect();
    for entry in &*room {
        let place = &mut next[branch(entry) as usize];
        list[*place] = *entry;
        *place += 1;
    }
}
