//! TAN over many sets: informations and tables of pairs are counted once per fold.
//!
//! A set needs its maximum spanning tree (Prim, 1957; the order of edges is total, so there
//! is one tree whatever way it is found) and a sum of log terms along the tree. In rows with
//! missing or unseen values these are summed out along the tree; tables too large to hold go the
//! long way: a classifier is trained.
//!
//! Prim, R. C. (1957). Shortest connection networks and some generalizations. Bell System
//! Technical Journal 36, 1389-1401.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use rayon::prelude::*;

use super::fold_measure::FoldMeasure;
use super::judge::{FeaturePath, Judge};
use super::part::FoldRows;
use super::posteriors::Posteriors;
use super::refit::Refit;
use super::tree_nodes::{GAP, LogTable, TreeNode, logs_summed_out};
use super::votes::{Planes, TILE, Tile, Vote};
use crate::classify::{EncodedCells, TrainOptions};
use crate::counts::{CountColumn, RowIndex};
use crate::data::Nominal;
use crate::info::PairInformation;
use crate::network::{Cpt, FamilyCounts, Smoothing};
use crate::score::FeatureSet;
use crate::wording::grouped;
use crate::{Error, Observer, Result, check, parameter, setting};

/// Cells of one table of logs; larger ones are not held.
const MAX_CELLS: usize = 1 << 16;

/// Bytes of the informations of all folds together.
const MAX_BYTES: usize = 2 << 30;

/// One fold.
pub(super) struct Tan {
    refit: Refit,
    planes: Planes,
    /// By plane.
    prior: Vec<f64>,
    /// The test rows of every feature, [`GAP`] for a cell without a known value; `None` where
    /// values are too many.
    codes: Vec<Option<Vec<u16>>>,
    /// By feature: the test rows without a known value.
    gaps: Vec<Vec<u32>>,
    /// By feature: its information with all others given the class, in steps of 1e-10 bits.
    weights: Vec<OnceLock<Box<[i64]>>>,
    /// Bytes that they may take.
    max_bytes: usize,
    /// Logs by child and parent; looked up only, never listed.
    tables: RwLock<HashMap<TreeEdge, Arc<LogTable>>>,
}

/// A feature and its parent among the features, if any.
type TreeEdge = (usize, Option<usize>);

impl Tan {
    /// One of so many folds of all runs.
    pub(super) fn new(part: Arc<FoldRows>, training: TrainOptions, n_folds: usize) -> Result<Self> {
        // Only these leave no probability at 0.
        let planes = match training.smoothing {
            Smoothing::Laplace(weight) | Smoothing::Dirichlet(weight) if weight > 0.0 => {
                Planes::Differences
            }
            _ => Planes::Logs,
        };
        let codes = part.test.iter().enumerate().map(|(feature, test)| {
            let EncodedCells::Codes(codes) = &test.as_ref()?.cells else {
                return None;
            };
            let n_values = part.train.features[feature].coded()?.n_values();
            let narrow = |code: Option<u32>| code.map_or(GAP, |code| code as u16);
            (n_values < usize::from(GAP)).then(|| codes.iter().map(narrow).collect())
        });
        let codes: Vec<Option<Vec<u16>>> = codes.collect();
        let gaps = codes.iter().map(|codes| {
            let codes = codes.iter().flatten().zip(0..);
            let gaps = codes.filter(|&(&code, _)| code == GAP);
            gaps.map(|(_, row)| row).collect()
        });
        Ok(Tan {
            planes,
            prior: planes.of(part.log_shares()),
            gaps: gaps.collect(),
            codes,
            weights: part
                .train
                .features
                .iter()
                .map(|_| OnceLock::new())
                .collect(),
            max_bytes: MAX_BYTES / n_folds.max(1),
            tables: RwLock::default(),
            refit: Refit::new(part, training)?,
        })
    }

    /// Counts the pairs of some features with all others, where that has not been done.
    fn weigh(&self, features: &[usize], observer: &dyn Observer) -> Result<()> {
        let is_new = |&&feature: &&usize| self.weights[feature].get().is_none();
        let new: Vec<usize> = features.iter().filter(is_new).copied().collect();
        if new.is_empty() {
            return Ok(());
        }
        let n = self.weights.len();
        let n_known = self
            .weights
            .iter()
            .filter(|row| row.get().is_some())
            .count();
        if (n_known + new.len()).saturating_mul(n * size_of::<i64>()) > self.max_bytes {
            return Err(Error::usage(format!(
                "accuracy of tan needs all pairs of {} features in every fold, more than memory \
                 should hold",
                grouped(n as u64)
            ))
            .with_hint(format!(
                "Use {search}, {model}, {repeat}, or fewer features.",
                search = parameter("search").is("forward"),
                model = parameter("model").is("nb"),
                repeat = setting("repeat").is("1")
            )));
        }
        let nothing = Nominal::from_labels((0..self.refit.part.train.n_rows()).map(|_| None));
        let coded = self.refit.part.train.features.iter();
        let columns: Vec<CountColumn<'_>> = coded
            .map(|feature| feature.coded().unwrap_or(&nothing).into())
            .collect();
        let index = RowIndex::new(&columns, (&self.refit.part.train.class).into())?;
        for feature in new {
            check(observer)?;
            let pairs: Vec<(usize, usize)> = (0..n)
                .filter(|&other| other != feature)
                .map(|other| (feature.min(other), feature.max(other)))
                .collect();
            let informations = index.map_pairs(&pairs, observer, |_, table| {
                rounded(PairInformation::new(table).given_class)
            })?;
            let mut row = informations;
            row.insert(feature, i64::MIN);
            self.weights[feature].get_or_init(|| row.into());
        }
        Ok(())
    }

    fn link(&self, feature: usize, parent: usize) -> TreeLink {
        let row = |of: usize, with: usize| self.weights[of].get().map(|row| row[with]);
        let weight = row(feature, parent).or_else(|| row(parent, feature));
        TreeLink {
            feature,
            parent,
            weight: weight.unwrap_or(i64::MIN),
        }
    }

    /// The parent of every feature of a set in its tree, whose root is the first.
    fn tree(&self, members: &[usize]) -> Vec<TreeEdge> {
        let Some((&root, rest)) = members.split_first() else {
            return Vec::new();
        };
        let mut edges = vec![(root, None)];
        // Of every feature that is not in yet, its best edge into the tree.
        let mut open: Vec<TreeLink> = rest.iter().map(|&f| self.link(f, root)).collect();
        while !open.is_empty() {
            let mut best = 0;
            for place in 1..open.len() {
                if open[place].comes_before(open[best]) {
                    best = place;
                }
            }
            let TreeLink {
                feature, parent, ..
            } = open.swap_remove(best);
            edges.push((feature, Some(parent)));
            for link in &mut open {
                let other = self.link(link.feature, feature);
                if other.comes_before(*link) {
                    *link = other;
                }
            }
        }
        edges
    }

    /// The logs of a feature given its parent, `None` where they are too many.
    fn table(&self, edge: TreeEdge) -> Result<Option<Arc<LogTable>>> {
        let known = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = known.get(&edge) {
            return Ok(Some(Arc::clone(table)));
        }
        drop(known);
        let Some(table) = self.count(edge)? else {
            return Ok(None);
        };
        let table = Arc::new(table);
        let mut known = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(edge, Arc::clone(&table));
        Ok(Some(table))
    }

    fn count(&self, (child, parent): TreeEdge) -> Result<Option<LogTable>> {
        let train = &self.refit.part.train;
        let coded = |feature: usize| train.features[feature].coded();
        let parent = parent.and_then(coded);
        let Some(child) = coded(child) else {
            return Ok(None);
        };
        let n_parent = parent.map_or(1, Nominal::n_values);
        let n_cells = n_parent.saturating_mul(child.n_values());
        if n_cells.saturating_mul(self.prior.len()) > MAX_CELLS {
            return Ok(None);
        }
        let parents = parent.into_iter().chain([&train.class]);
        let parents: Vec<CountColumn<'_>> = parents.map(CountColumn::from).collect();
        let family = FamilyCounts::count(child.into(), &parents)?;
        let probabilities = Cpt::estimate(&family, self.refit.training.smoothing)?;
        let mut logs = vec![0.0; n_cells * self.prior.len()];
        let has_gaps = self.gaps.iter().any(|rows| !rows.is_empty());
        let mut kept = Vec::new();
        for cell in 0..n_cells {
            let (above, own) = (cell / child.n_values(), cell % child.n_values());
            let probability = |&class: &u32| match parent {
                Some(_) => probabilities.probability(&[above as u32, class], own),
                None => probabilities.probability(&[class], own),
            };
            let of_classes: Vec<f64> = self.refit.part.classes.iter().map(probability).collect();
            let of_logs: Vec<f64> = of_classes.iter().map(|p| p.ln()).collect();
            for (plane, term) in self.planes.of(&of_logs).into_iter().enumerate() {
                logs[plane * n_cells + cell] = term;
            }
            if has_gaps {
                kept.extend(of_classes);
            }
        }
        Ok(Some(LogTable {
            logs,
            probabilities: kept,
            n_values: child.n_values(),
            n_cells,
        }))
    }

    /// The nodes of the tree of some features, parents before children; `None` where a table is
    /// too large to hold.
    fn nodes(&self, members: &[usize]) -> Result<Option<Vec<TreeNode<'_>>>> {
        let edges = self.tree(members);
        let mut nodes: Vec<TreeNode<'_>> = Vec::with_capacity(edges.len());
        for (feature, parent) in edges {
            let (Some(table), Some(own)) = (self.table((feature, parent))?, &self.codes[feature])
            else {
                return Ok(None);
            };
            let parent = parent.and_then(|parent| nodes.iter().position(|n| n.feature == parent));
            nodes.push(TreeNode {
                feature,
                parent,
                table,
                own,
            });
        }
        Ok(Some(nodes))
    }

    /// The sums of every test row, by plane and tile; `None` where it takes the long way.
    fn sums_along_tree(&self, members: &[usize]) -> Result<Option<Vec<Vec<Tile>>>> {
        let Some(nodes) = self.nodes(members)? else {
            return Ok(None);
        };
        let n_test = self.refit.part.n_test();
        let tile = |plane: usize, start: usize| {
            let rows = start..n_test.min(start + TILE);
            let mut sums = [self.prior[plane]; TILE];
            for node in &nodes {
                let above = node.parent.map(|parent| &nodes[parent].own[rows.clone()]);
                node.table
                    .add(plane, &node.own[rows.clone()], above, &mut sums);
            }
            sums
        };
        let starts = (0..n_test).step_by(TILE);
        let plane = |plane: usize| starts.clone().map(|start| tile(plane, start)).collect();
        let mut sums: Vec<Vec<Tile>> = (0..self.prior.len()).map(plane).collect();
        let mut gappy: Vec<u32> = nodes
            .iter()
            .flat_map(|node| self.gaps[node.feature].iter().copied())
            .collect();
        gappy.sort_unstable();
        gappy.dedup();
        for row in gappy.into_iter().map(|row| row as usize) {
            let logs = logs_summed_out(&nodes, row, self.refit.part.log_shares());
            for (plane, log) in self.planes.of(&logs).into_iter().enumerate() {
                sums[plane][row / TILE][row % TILE] = log;
            }
        }
        Ok(Some(sums))
    }

    /// What a tree over some features says of the test rows; their pairs are counted.
    fn predict_by_tree(&self, features: &[usize], observer: &dyn Observer) -> Result<Posteriors> {
        check(observer)?;
        let known = features.iter().copied();
        let mut members: Vec<usize> = known
            .filter(|&f| self.refit.part.test[f].is_some())
            .collect();
        members.sort_unstable();
        if members.is_empty() || self.refit.part.classes.len() < 2 {
            return Ok(Posteriors::of_shares(&self.refit.part));
        }
        match self.sums_along_tree(&members)? {
            Some(sums) => Ok(Posteriors::of_sums(&self.refit.part, self.planes, &sums)),
            None => self.refit.predict(&members, observer),
        }
    }

    /// The values of sets whose pairs are counted.
    fn measure_trees(
        &self,
        sets: &[FeatureSet],
        by: &FoldMeasure,
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        let value = |set: &FeatureSet| {
            let members: Vec<usize> = set.iter().collect();
            let posteriors = self.predict_by_tree(&members, observer)?;
            Ok(by.of(&self.refit.part, &posteriors))
        };
        sets.par_iter().map(value).collect()
    }

    /// Counts the pairs that the trees of sets need.
    fn weigh_sets(&self, sets: &[FeatureSet], observer: &dyn Observer) -> Result<()> {
        let mut is_used = vec![false; self.weights.len()];
        // A tree of two features is known without their information.
        let large = sets.iter().filter(|set| set.len() > 2);
        large
            .flat_map(FeatureSet::iter)
            .for_each(|feature| is_used[feature] = true);
        let used: Vec<usize> = (0..is_used.len()).filter(|&f| is_used[f]).collect();
        self.weigh(&used, observer)
    }

    /// Counts the pairs of a set that single features join or leave: every pair has a feature
    /// of the set in it.
    fn weigh_base(&self, base: &FeatureSet, observer: &dyn Observer) -> Result<()> {
        self.weigh(&base.iter().collect::<Vec<_>>(), observer)
    }

    /// How many test rows are predicted right; `None` where it takes the long way.
    fn n_right_along_tree(&self, members: &[usize]) -> Result<Option<u32>> {
        let Some(sums) = self.sums_along_tree(members)? else {
            return Ok(None);
        };
        let tiles = self.refit.part.truth.chunks(TILE).enumerate();
        let n_right = tiles.map(|(place, truth)| {
            let mut vote = Vote::default();
            for (plane, tiles) in sums.iter().enumerate() {
                vote.hear(self.planes, plane, &tiles[place]);
            }
            vote.n_right(truth)
        });
        Ok(Some(n_right.sum()))
    }

    fn n_right_of(&self, set: &FeatureSet, observer: &dyn Observer) -> Result<u32> {
        check(observer)?;
        let known = set
            .iter()
            .filter(|&feature| self.refit.part.test[feature].is_some());
        let members: Vec<usize> = known.collect();
        if members.is_empty() || self.refit.part.classes.len() < 2 {
            return Ok(self.refit.part.n_of_largest_class());
        }
        match self.n_right_along_tree(&members)? {
            Some(n_right) => Ok(n_right),
            None => self.refit.n_right_of(&members, observer),
        }
    }
}

impl Judge for Tan {
    fn part(&self) -> &FoldRows {
        &self.refit.part
    }

    fn predict(&self, features: &[usize], observer: &dyn Observer) -> Result<Posteriors> {
        self.weigh(features, observer)?;
        self.predict_by_tree(features, observer)
    }

    fn predict_along(
        &self,
        path: FeaturePath<'_>,
        observer: &dyn Observer,
    ) -> Result<Vec<Posteriors>> {
        let n_used = path.sizes.last().copied().unwrap_or(0);
        self.weigh(&path.order[..n_used], observer)?;
        let sizes = path.sizes.par_iter();
        sizes
            .map(|&size| self.predict_by_tree(&path.order[..size], observer))
            .collect()
    }

    fn measure_sets(
        &self,
        sets: &[FeatureSet],
        by: &FoldMeasure,
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        self.weigh_sets(sets, observer)?;
        self.measure_trees(sets, by, observer)
    }

    fn measure_changed(
        &self,
        base: &FeatureSet,
        candidates: &[usize],
        by: &FoldMeasure,
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        self.weigh_base(base, observer)?;
        self.measure_trees(&base.changed(candidates), by, observer)
    }

    fn n_right(&self, sets: &[FeatureSet], observer: &dyn Observer) -> Result<Vec<u32>> {
        self.weigh_sets(sets, observer)?;
        let sets = sets.par_iter();
        sets.map(|set| self.n_right_of(set, observer)).collect()
    }

    fn n_right_changed(
        &self,
        base: &FeatureSet,
        candidates: &[usize],
        observer: &dyn Observer,
    ) -> Result<Vec<u32>> {
        self.weigh_base(base, observer)?;
        let sets = base.changed(candidates);
        let sets = sets.par_iter();
        sets.map(|set| self.n_right_of(set, observer)).collect()
    }
}

/// In steps of 1e-10 bits, as spanning trees compare informations.
fn rounded(bits: f64) -> i64 {
    let units = bits * 1e10;
    (units + 0.5f64.copysign(units)) as i64
}

/// A feature outside a tree with its edge into it.
#[derive(Clone, Copy)]
struct TreeLink {
    feature: usize,
    parent: usize,
    weight: i64,
}

impl TreeLink {
    /// Kruskal's order of edges: by falling weight, then by the lower and the higher feature.
    fn comes_before(self, other: TreeLink) -> bool {
        let nodes = |link: TreeLink| {
            let (a, b) = (link.feature, link.parent);
            (a.min(b), a.max(b))
        };
        self.weight > other.weight || (self.weight == other.weight && nodes(self) < nodes(other))
    }
}
