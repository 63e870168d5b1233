//! Scores of rows over all blocks, gaps summed out.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::{BlockGaussian, Discriminant, PairWeights};
use crate::{Observer, Result, check};

/// Log densities below this, or without a number, are this: far away from a class, and a sum
/// of them is still a number. None is above its opposite.
const FARTHEST: f64 = -1e300;

/// Bytes of what is remembered of blocks with gaps; beyond, they are worked out again.
const MAX_REMEMBERED: usize = 1 << 26;

/// The blocks of a model, ready to score the rows of a table.
pub(crate) struct BlockScorer<'a> {
    model: &'a BlockGaussian,
    n_classes: usize,
    /// Numbers of every feature of every block that is used, one block behind the other.
    numbers: &'a [&'a [f64]],
    with_gaps: Mutex<Remembered>,
}

/// Blocks without the features that some row does not have. Looked up only, never listed.
#[derive(Default)]
struct Remembered {
    known: HashMap<Pattern, Option<Arc<Discriminant>>>,
    n_bytes: usize,
}

/// A block and the places of the features that are there.
type Pattern = (usize, Vec<usize>);

impl<'a> BlockScorer<'a> {
    /// For rows of these numbers, which belong to [`BlockGaussian::used_features`].
    pub(crate) fn new(
        model: &'a BlockGaussian,
        n_classes: usize,
        numbers: &'a [&'a [f64]],
    ) -> Self {
        BlockScorer {
            model,
            n_classes,
            numbers,
            with_gaps: Mutex::default(),
        }
    }

    /// Whether blocks count differently for different classes.
    pub(crate) fn is_weighted(&self) -> bool {
        !self.model.weights.is_empty()
    }

    /// The weights of the blocks for every two classes.
    pub(super) fn pairs(&self) -> &'a [PairWeights] {
        &self.model.weights
    }

    /// Adds the log densities of all blocks to `scores[row][class]` of the rows from `start`.
    ///
    /// # Errors
    /// The observer cancelled.
    pub(crate) fn add(
        &self,
        start: usize,
        scores: &mut [f64],
        observer: &dyn Observer,
    ) -> Result<()> {
        let n_rows = scores.len() / self.n_classes.max(1);
        self.for_each_block(start, n_rows, observer, |_, part| {
            let pairs = scores.iter_mut().zip(part);
            pairs.for_each(|(score, part)| *score += part);
        })
    }

    /// Hands over every used block with `[row][class]` of its log densities: finite, and up to
    /// a term that is the same for all classes.
    ///
    /// # Errors
    /// The observer cancelled.
    pub(super) fn for_each_block(
        &self,
        start: usize,
        n_rows: usize,
        observer: &dyn Observer,
        mut take: impl FnMut(usize, &[f64]),
    ) -> Result<()> {
        let mut part = vec![0.0; n_rows * self.n_classes];
        let mut rest = self.numbers;
        let blocks = self.model.blocks.iter().zip(self.model.discriminants());
        for (place, (block, discriminant)) in blocks.enumerate() {
            if !self.model.is_used(place) {
                continue;
            }
            let (numbers, others) = rest.split_at(block.features.len());
            rest = others;
            let Some(discriminant) = discriminant else {
                continue;
            };
            let is_odd = |score: &f64| score.is_nan() || score.abs() > -FARTHEST;
            let cut = |numbers: &&'a [f64]| &numbers[start..start + n_rows];
            let columns: Vec<&[f64]> = numbers.iter().map(cut).collect();
            discriminant.score(&columns, &mut part);
            for (row, scores) in part.chunks_exact_mut(self.n_classes).enumerate() {
                if scores.iter().any(is_odd) {
                    self.score_odd_row(place, &columns, row, scores, observer)?;
                }
            }
            take(place, &part);
        }
        Ok(())
    }

    /// Scores a row with a gap, or so far away that its distance is no number.
    fn score_odd_row(
        &self,
        place: usize,
        columns: &[&[f64]],
        row: usize,
        scores: &mut [f64],
        observer: &dyn Observer,
    ) -> Result<()> {
        let is_there = |&feature: &usize| !columns[feature][row].is_nan();
        let there: Vec<usize> = (0..columns.len()).filter(is_there).collect();
        if there.len() < columns.len() {
            let cells = there.iter().map(|&feature| &columns[feature][row..=row]);
            let cells: Vec<&[f64]> = cells.collect();
            match self.without_gaps((place, there), observer)? {
                Some(discriminant) => discriminant.score(&cells, scores),
                None => scores.fill(0.0),
            }
        }
        // So far away from all classes that no distance is a number: nothing is told.
        let is_farthest = |score: &f64| score.is_nan() || *score == f64::NEG_INFINITY;
        if scores.iter().all(is_farthest) {
            scores.fill(0.0);
        }
        for score in scores {
            let is_number = !score.is_nan();
            *score = if is_number {
                score.clamp(FARTHEST, -FARTHEST)
            } else {
                FARTHEST
            };
        }
        Ok(())
    }

    /// What is left of a block; `None` where that tells nothing.
    fn without_gaps(
        &self,
        pattern: Pattern,
        observer: &dyn Observer,
    ) -> Result<Option<Arc<Discriminant>>> {
        if let Some(known) = self.remembered().known.get(&pattern) {
            return Ok(known.clone());
        }
        check(observer)?;
        let (place, there) = &pattern;
        let left = self.model.blocks[*place].part(there);
        let made = Discriminant::new(&left).map(Arc::new);
        let n_bytes = 100 + 8 * there.len() + made.as_ref().map_or(0, |made| made.n_bytes());
        let mut remembered = self.remembered();
        if remembered.n_bytes + n_bytes <= MAX_REMEMBERED {
            remembered.n_bytes += n_bytes;
            remembered.known.insert(pattern, made.clone());
        }
        Ok(made)
    }

    fn remembered(&self) -> std::sync::MutexGuard<'_, Remembered> {
        self.with_gaps
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
