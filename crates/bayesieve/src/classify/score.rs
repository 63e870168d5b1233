//! Log scores of rows under a network model, known features fast and missing ones exactly.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::network_model::NetworkModel;
use super::tree::Forest;
use crate::data::Codes;
use crate::error::Result;
use crate::network::{PosteriorBuffer, PosteriorPlan};

/// A model ready to score rows.
#[derive(Debug)]
pub(super) struct Scorer<'a> {
    model: &'a NetworkModel,
    forest: Option<Forest>,
    /// Features whose absence matters, rising.
    read: Vec<usize>,
}

/// The features of some rows as the model's codes and numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows<'a> {
    /// Codes of every node but the class.
    pub(super) codes: &'a [&'a Codes],
    /// Numbers of every Gaussian, in the model's order.
    pub(super) numbers: &'a [&'a [f64]],
    /// Nodes in which some row is missing.
    pub(super) gappy: &'a [bool],
}

impl<'a> Scorer<'a> {
    pub(super) fn new(model: &'a NetworkModel) -> Self {
        let forest = Forest::new(model.network(), model.class_node());
        Scorer {
            model,
            forest,
            read: model.factors().columns.clone(),
        }
    }

    /// Scores `scores.len() / n_classes` rows from `start` on: logs up to a constant.
    pub(super) fn score(&self, rows: Rows<'_>, start: usize, scores: &mut [f64]) -> Result<()> {
        let factors = self.model.factors();
        let n_classes = factors.n_classes;
        scores.fill(0.0);
        if !factors.has_too_large {
            for factor in &factors.list {
                factor.add(rows.codes, start, scores);
            }
        }
        if factors.has_too_large || !factors.is_naive {
            self.score_incomplete(rows, start, scores)?;
        }
        for (gaussian, numbers) in self.model.gaussians.iter().zip(rows.numbers) {
            gaussian.add(&numbers[start..start + scores.len() / n_classes], scores);
        }
        Ok(())
    }

    /// Scores the rows with missing features anew.
    fn score_incomplete(&self, rows: Rows<'_>, start: usize, scores: &mut [f64]) -> Result<()> {
        let factors = self.model.factors();
        let watched: Vec<usize> = self
            .read
            .iter()
            .copied()
            .filter(|&column| rows.gappy[column])
            .collect();
        if watched.is_empty() && !factors.has_too_large {
            return Ok(());
        }
        let mut plans = Plans::new(self.model);
        for (i, scores) in scores.chunks_mut(factors.n_classes).enumerate() {
            let row = start + i;
            let is_complete = watched.iter().all(|&c| rows.codes[c].get(row).is_some());
            if is_complete && !factors.has_too_large {
                continue;
            }
            match &self.forest {
                Some(forest) => forest.score(rows.codes, row, scores),
                None => plans.score(rows.codes, row, scores)?,
            }
        }
        Ok(())
    }
}

/// Elimination plans by pattern of known features; few patterns occur.
struct Plans<'a> {
    model: &'a NetworkModel,
    known: HashMap<Vec<bool>, PosteriorPlan<'a>>,
    buffer: PosteriorBuffer,
}

impl<'a> Plans<'a> {
    fn new(model: &'a NetworkModel) -> Self {
        Plans {
            model,
            known: HashMap::new(),
            buffer: PosteriorBuffer::default(),
        }
    }

    fn score(&mut self, codes: &[&Codes], row: usize, scores: &mut [f64]) -> Result<()> {
        let (network, class) = (self.model.network(), self.model.class_node());
        let cells = || codes.iter().map(|codes| codes.get(row)).chain([None]);
        let pattern: Vec<bool> = cells().map(|cell| cell.is_some()).collect();
        let values: Vec<u32> = cells().map(Option::unwrap_or_default).collect();
        let plan = match self.known.entry(pattern) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let plan = PosteriorPlan::new(network, class, place.key())?;
                place.insert(plan)
            }
        };
        match plan.posterior(&values, &mut self.buffer)? {
            Some(posterior) => {
                scores
                    .iter_mut()
                    .zip(posterior)
                    .for_each(|(score, p)| *score = p.ln());
            }
            None => scores.fill(f64::NEG_INFINITY),
        }
        Ok(())
    }
}
