//! Log scores of rows under a network model, known features fast and missing ones exactly.

use std::sync::{Mutex, PoisonError};

use super::block_gaussian::{BlockScorer, Votes};
use super::network_model::NetworkModel;
use super::tree::{Forest, Messages};
use crate::data::Codes;
use crate::network::PosteriorCache;
use crate::{Error, Observer, Result};

/// A model ready to score rows.
pub(super) struct Scorer<'a> {
    model: &'a NetworkModel,
    rows: ScoredRows<'a>,
    /// Features whose gaps change more than their own table, and that have gaps; rising.
    watched: Vec<usize>,
    /// Numbers in blocks, where there are any.
    blocks: Option<BlockScorer<'a>>,
    /// For rows with gaps, where the features are a forest.
    forest: Option<Forest<'a>>,
    /// Memory of threads that are not at work now.
    idle: Mutex<Vec<Workspace<'a>>>,
}

/// The features of some rows as the model's codes and numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct ScoredRows<'a> {
    /// Codes of every node but the class.
    pub(super) codes: &'a [&'a Codes],
    /// Numbers of [`NetworkModel::number_features`], in that order.
    pub(super) numbers: &'a [&'a [f64]],
    /// Nodes in which some row is missing.
    pub(super) gappy: &'a [bool],
    pub(super) n_rows: usize,
}

/// What a thread keeps from row to row; it never changes a score.
struct Workspace<'a> {
    messages: Messages,
    posteriors: PosteriorCache<'a>,
}

impl<'a> Scorer<'a> {
    pub(super) fn new(model: &'a NetworkModel, rows: ScoredRows<'a>) -> Self {
        let (network, class) = (model.network(), model.class_node());
        let factors = model.factors();
        let watched: Vec<usize> = if factors.is_naive {
            Vec::new()
        } else {
            let mut boundary = network.dag().boundary(class);
            boundary.retain(|&column| rows.gappy[column]);
            boundary
        };
        let has_use = !watched.is_empty();
        Scorer {
            model,
            rows,
            watched,
            blocks: model.blocks.as_ref().map(|blocks| {
                let numbers = &rows.numbers[model.gaussians.len()..];
                BlockScorer::new(blocks, factors.n_classes, numbers)
            }),
            forest: has_use.then(|| Forest::new(network, class)).flatten(),
            idle: Mutex::default(),
        }
    }

    /// Scores `scores.len() / n_classes` rows from `start` on: logs up to a constant. Blocks
    /// are left to the votes where they have weights.
    ///
    /// # Errors
    /// Gaps that cannot be summed out, or the observer cancelled.
    pub(super) fn score(
        &self,
        start: usize,
        scores: &mut [f64],
        observer: &dyn Observer,
    ) -> Result<()> {
        let factors = self.model.factors();
        scores.fill(0.0);
        factors.add(self.model.network(), self.rows.codes, start, scores);
        if !self.watched.is_empty() {
            self.score_incomplete(start, scores, observer)?;
        }
        for (gaussian, numbers) in self.model.gaussians.iter().zip(self.rows.numbers) {
            gaussian.add(&numbers[start..], scores);
        }
        match &self.blocks {
            Some(blocks) if !blocks.is_weighted() => blocks.add(start, scores, observer),
            _ => Ok(()),
        }
    }

    /// The comparison of every two classes, where blocks have weights; `order` is that of
    /// classes which tie.
    pub(super) fn votes<'s>(&'s self, order: &'s [usize]) -> Option<Votes<'s>> {
        let blocks = self.blocks.as_ref().filter(|blocks| blocks.is_weighted());
        blocks.map(|blocks| Votes::new(blocks, order))
    }

    /// Scores the rows with missing features anew.
    fn score_incomplete(
        &self,
        start: usize,
        scores: &mut [f64],
        observer: &dyn Observer,
    ) -> Result<()> {
        let codes = self.rows.codes;
        let mut workspace = self.take_workspace();
        let n_classes = self.model.factors().n_classes.max(1);
        for (row, scores) in (start..).zip(scores.chunks_mut(n_classes)) {
            if self.watched.iter().all(|&c| codes[c].get(row).is_some()) {
                continue;
            }
            if let Some(forest) = &self.forest {
                forest.score(codes, row, scores, &mut workspace.messages);
                continue;
            }
            // A single row may take long where many features are tangled.
            if observer.is_cancelled() {
                return Err(Error::interrupted());
            }
            let cells = codes.iter().map(|codes| codes.get(row)).chain([None]);
            match workspace.posteriors.posterior(cells)? {
                Some(posterior) => {
                    let pairs = scores.iter_mut().zip(posterior);
                    pairs.for_each(|(score, p)| *score = p.ln());
                }
                None => scores.fill(f64::NEG_INFINITY),
            }
        }
        self.idle().push(workspace);
        Ok(())
    }

    fn take_workspace(&self) -> Workspace<'a> {
        self.idle().pop().unwrap_or_else(|| Workspace {
            messages: Messages::default(),
            posteriors: PosteriorCache::new(self.model.network(), self.model.class_node()),
        })
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Workspace<'a>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
