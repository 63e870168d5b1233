//! Classes and probabilities from pairs of classes, each with weights of its own.

use super::{BlockScorer, PairWeights};
use crate::{Observer, Result};

/// Scores of pairs held at a time: 2 MiB.
const MAX_SCORES: usize = 1 << 18;

/// Farther apart than this, two classes are this far apart: sums stay numbers.
const FARTHEST: f64 = 1e300;

/// Scores nearer than this are a tie.
const TIE: f64 = super::super::prediction::TIE;

/// Compares every two classes by weighted blocks.
pub(crate) struct Votes<'a> {
    scorer: &'a BlockScorer<'a>,
    pairs: &'a [PairWeights],
    /// Classes by falling size in training: of classes that tie, the first wins.
    order: &'a [usize],
}

/// What the pairs say about one class.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Standing {
    n_won: u32,
    /// The sum of the scores of the pairs that it won.
    margins: f64,
    /// `ln(1 + sum of e^s)` over the scores s of all others against it.
    against: f64,
}

impl<'a> Votes<'a> {
    pub(crate) fn new(scorer: &'a BlockScorer<'a>, order: &'a [usize]) -> Self {
        Votes {
            scorer,
            pairs: scorer.pairs(),
            order,
        }
    }

    /// Decides the rows from `start` on, whose scores without the blocks are given. Scores
    /// become logs of probabilities up to a constant; a class that was impossible stays so.
    ///
    /// `P(a)` is proportional to `1 / (1 + sum of e^s(b, a))`: exact where the scores of pairs
    /// are differences of one score per class. The class that wins most pairs need not be the
    /// one of largest probability.
    ///
    /// # Errors
    /// The observer cancelled.
    pub(crate) fn decide_all(
        &self,
        start: usize,
        scores: &mut [f64],
        classes: &mut [u32],
        observer: &dyn Observer,
    ) -> Result<()> {
        let (n_classes, n_pairs) = (self.order.len().max(1), self.pairs.len().max(1));
        let n_at_a_time = (MAX_SCORES / n_pairs).max(1);
        let mut sums = Vec::new();
        let mut standings = vec![Standing::default(); n_classes];
        let strips = scores.chunks_mut(n_at_a_time * n_classes);
        for (strip, (scores, classes)) in strips.zip(classes.chunks_mut(n_at_a_time)).enumerate() {
            self.sum_blocks(
                start + strip * n_at_a_time,
                classes.len(),
                &mut sums,
                observer,
            )?;
            let rows = scores
                .chunks_exact_mut(n_classes)
                .zip(sums.chunks_exact(n_pairs));
            for ((scores, sums), class) in rows.zip(classes) {
                *class = self.decide(scores, sums, &mut standings);
            }
        }
        Ok(())
    }

    /// The weighted differences of the blocks, `[row][pair]`.
    fn sum_blocks(
        &self,
        start: usize,
        n_rows: usize,
        sums: &mut Vec<f64>,
        observer: &dyn Observer,
    ) -> Result<()> {
        let (n_classes, n_pairs) = (self.order.len().max(1), self.pairs.len().max(1));
        sums.clear();
        sums.resize(n_rows * n_pairs, 0.0);
        self.scorer
            .for_each_block(start, n_rows, observer, |block, part| {
                let rows = sums
                    .chunks_exact_mut(n_pairs)
                    .zip(part.chunks_exact(n_classes));
                for (sums, part) in rows {
                    for (sum, pair) in sums.iter_mut().zip(self.pairs) {
                        let [a, b] = pair.classes;
                        let weight = pair.weights[block];
                        if weight > 0.0 {
                            *sum += weight * (part[a] - part[b]);
                        }
                    }
                }
            })
    }

    pub(super) fn decide(
        &self,
        scores: &mut [f64],
        sums: &[f64],
        standings: &mut [Standing],
    ) -> u32 {
        standings.fill(Standing::default());
        for (pair, sum) in self.pairs.iter().zip(sums) {
            let [a, b] = pair.classes;
            // An impossible class has no say; beside it, the other needs none.
            if scores[a] == f64::NEG_INFINITY || scores[b] == f64::NEG_INFINITY {
                continue;
            }
            let score = scores[a] - scores[b] + sum;
            let score = if score.is_nan() {
                0.0
            } else {
                score.clamp(-FARTHEST, FARTHEST)
            };
            standings[a].meet(score);
            standings[b].meet(-score);
        }
        let is_possible = |&&class: &&usize| scores[class] > f64::NEG_INFINITY;
        let mut possible = self.order.iter().filter(is_possible);
        let mut best = possible.next().copied().unwrap_or(self.order[0]);
        for &class in possible {
            if standings[class].is_better(&standings[best]) {
                best = class;
            }
        }
        for (score, standing) in scores.iter_mut().zip(&*standings) {
            if *score > f64::NEG_INFINITY {
                *score = -standing.against;
            }
        }
        best as u32
    }
}

impl Standing {
    /// Takes its score against another class.
    fn meet(&mut self, score: f64) {
        if score > TIE {
            self.n_won += 1;
            self.margins += score;
        }
        self.against = ln_add_exp(self.against, -score);
    }

    fn is_better(&self, other: &Standing) -> bool {
        let is_equal = self.n_won == other.n_won;
        self.n_won > other.n_won || (is_equal && self.margins > other.margins + TIE)
    }
}

/// `ln(e^a + e^b)`
fn ln_add_exp(a: f64, b: f64) -> f64 {
    a.max(b) + (-(a - b).abs()).exp().ln_1p()
}
