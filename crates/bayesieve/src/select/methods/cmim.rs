//! CMIM: what still tells most about the class whichever feature already in is known.
//!
//! Paper: Fleuret, 2004.
//! The first feature has the largest I(X;C). Then, with S the features that are in, the
//! largest `min(I(X;C), min I(X;C|s))` over s in S.
//! Cost: at most the pair tables given the class of the kept features with all others,
//! O(n k N / 64). The minimum can only fall, so a candidate is compared with the next
//! feature that is in only while it is still the best (the paper's lazy evaluation).
//! Where the paper is silent: without a number of features it stops when
//! `G2 = 2 N ln 2 * value` fails a chi-square test with `(r_X - 1)(r_C - 1) r_s` degrees of
//! freedom, s being the feature of the minimum (1 instead of r_s for I(X;C) itself). Ties go
//! to the lowest column index, those of s to the one that came in first.
//!
//! Fleuret, F. (2004). Fast binary feature selection with conditional mutual information.
//! Journal of Machine Learning Research 5, 1531-1555.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::info::Informations;
use crate::select::explain::rounded;
use crate::select::gain_test::{ALPHA, GainTest};
use crate::select::method::{Method, MethodRun, Takes};
use crate::select::rank::{Objection, RankCandidate, Ranker};
use crate::{Observer, Result};

/// Candidates looked at together: enough to keep threads busy, few enough that hardly one
/// is looked at in vain.
const BATCH: usize = 8;

/// Conditional mutual information maximization.
pub(in crate::select) static CMIM: Method = Method {
    name: "cmim",
    summary: "takes features that tell most about the class whichever one already in is known",
    formula: "the least of I(X;C) and I(X;C|s) over kept s, in bits; larger is better; stops when \
              it fails a chi-square test",
    cost: "at most the pair tables given the class of the kept features with all others, \
           O(n k N / 64)",
    source: "Fleuret, 2004",
    settings: &[ALPHA],
    takes: Takes::RANKER,
    run: MethodRun::Ranker {
        unit: "bits",
        ranker: |informations, settings| {
            Ok(Box::new(Cmim::new(informations, settings.number("alpha")?)))
        },
    },
};

/// The smallest value of a feature so far.
#[derive(Debug, Clone, Copy)]
struct Least {
    value: f64,
    n_rows: u64,
    /// The feature that is known, `None` for none.
    given: Option<usize>,
    /// How many of those that are in it was compared with.
    n_seen: usize,
}

/// A candidate by its value so far; the greatest is to be looked at first.
type Bound = (i64, Reverse<usize>);

struct Cmim<'i, 'a> {
    informations: &'i Informations<'a>,
    alpha: f64,
    /// Those that are in, in order of entry.
    known: Vec<usize>,
    least: Vec<Least>,
    /// One bound per candidate.
    bounds: BinaryHeap<Bound>,
}

impl<'i, 'a> Cmim<'i, 'a> {
    fn new(informations: &'i Informations<'a>, alpha: f64) -> Self {
        let least: Vec<Least> = informations
            .singles()
            .iter()
            .map(|single| Least {
                value: single.mutual,
                n_rows: single.n_rows,
                given: None,
                n_seen: 0,
            })
            .collect();
        let bounds = least.iter().zip(0..);
        let bounds = bounds.map(|(least, feature)| (rounded(least.value) as i64, Reverse(feature)));
        Cmim {
            informations,
            alpha,
            known: Vec::new(),
            bounds: bounds.collect(),
            least,
        }
    }

    /// Compares each of these features with the next one that is in.
    fn advance(&mut self, features: &[usize], observer: &dyn Observer) -> Result<()> {
        let pair = |&feature: &usize| (feature, self.known[self.least[feature].n_seen]);
        let pairs: Vec<(usize, usize)> = features.iter().map(pair).collect();
        let informations = self.informations.map_pairs(&pairs, observer, |pair| {
            (pair.class_from_a_given_b, pair.n_rows)
        })?;
        for ((feature, known), (value, n_rows)) in pairs.into_iter().zip(informations) {
            let least = &mut self.least[feature];
            least.n_seen += 1;
            if rounded(value) < rounded(least.value) {
                (least.value, least.n_rows) = (value, n_rows);
                least.given = Some(known);
            }
        }
        Ok(())
    }

    fn bound(&self, feature: usize) -> Bound {
        (rounded(self.least[feature].value) as i64, Reverse(feature))
    }

    fn is_settled(&self, feature: usize) -> bool {
        self.least[feature].n_seen == self.known.len()
    }
}

impl Ranker for Cmim<'_, '_> {
    fn admit(&mut self, feature: usize, open: &[usize], observer: &dyn Observer) -> Result<()> {
        self.known.push(feature);
        if !self.informations.nodes().is_in_memory() {
            // A look at rows that are elsewhere is long: one for all, not one for every few.
            self.settle(open, observer)?;
            self.bounds = open.iter().map(|&feature| self.bound(feature)).collect();
        }
        Ok(())
    }

    fn value(&self, feature: usize) -> f64 {
        self.least[feature].value
    }

    fn settle(&mut self, features: &[usize], observer: &dyn Observer) -> Result<()> {
        loop {
            let open = features.iter().copied().filter(|&f| !self.is_settled(f));
            let open: Vec<usize> = open.collect();
            if open.is_empty() {
                return Ok(());
            }
            self.advance(&open, observer)?;
        }
    }

    fn best(&mut self, open: &[usize], observer: &dyn Observer) -> Result<Option<RankCandidate>> {
        loop {
            let mut batch = Vec::with_capacity(BATCH);
            while batch.len() < BATCH {
                let Some(&(_, Reverse(feature))) = self.bounds.peek() else {
                    break;
                };
                if open.binary_search(&feature).is_err() {
                    // It came in because it had to.
                    self.bounds.pop();
                } else if !self.is_settled(feature) {
                    self.bounds.pop();
                    batch.push(feature);
                } else if batch.is_empty() {
                    // No other can have more: this is the best. Its bound goes when it is in.
                    let value = self.value(feature);
                    return Ok(Some(RankCandidate { feature, value }));
                } else {
                    break;
                }
            }
            if batch.is_empty() {
                return Ok(None);
            }
            let looked_at = self.advance(&batch, observer);
            let bounds: Vec<Bound> = batch.iter().map(|&feature| self.bound(feature)).collect();
            self.bounds.extend(bounds);
            looked_at?;
        }
    }

    fn objection(&self, best: RankCandidate) -> Result<Option<Objection>> {
        let least = &self.least[best.feature];
        let n_given = least
            .given
            .map_or(1, |given| self.informations.n_values(given));
        let n_values = self.informations.n_values(best.feature).saturating_sub(1);
        let n_classes = self.informations.n_classes().saturating_sub(1);
        let test = GainTest {
            gain_bits: least.value,
            n_rows: least.n_rows as f64,
            degrees_of_freedom: (n_values * n_classes * n_given) as f64,
        };
        test.objection(self.alpha)
    }
}
