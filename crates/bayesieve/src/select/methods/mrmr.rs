//! mRMR: what tells most about the class and least about the features already in.
//!
//! Papers: Ding and Peng, 2005; Peng, Long and Ding, 2005.
//! The first feature has the largest I(X;C). Then, with S the features that are in, the
//! largest `I(X;C) - mean I(X;s)` over s in S (MID), or the quotient of the two (MIQ).
//! Cost: pair tables without the class of the kept features with all others, O(n k N / 64).
//! Where the papers are silent: without a number of features it stops when the criterion is
//! no longer positive; a quotient by no redundancy at all divides by 1e-12; ties go to the
//! lowest column index.
//!
//! Ding, C. and Peng, H. (2005). Minimum redundancy feature selection from microarray gene
//! expression data. Journal of Bioinformatics and Computational Biology 3(2), 185-205.

use crate::info::{Informations, MutualInformations};
use crate::select::method::{Method, MethodRun, Takes};
use crate::select::rank::{Objection, RankCandidate, Ranker};
use crate::{Observer, Result};

/// What a redundancy of 0 counts as in a quotient.
const MIN_REDUNDANCY: f64 = 1e-12;

/// Relevance minus redundancy.
pub(in crate::select) static MRMR: Method = Method {
    name: "mrmr",
    summary: "takes features that tell most about the class and least about those already in",
    formula: "I(X;C) - mean over kept s of I(X;s), in bits; larger is better; stops when it is no \
              longer positive",
    cost: "pair tables of the kept features with all others, O(n k N / 64)",
    source: "Ding and Peng, 2005; Peng, Long and Ding, 2005",
    settings: &[],
    takes: Takes::RANKER,
    run: MethodRun::Ranker {
        unit: "bits",
        ranker: |informations, _| Ok(Box::new(Mrmr::difference(informations))),
    },
};

/// Relevance divided by redundancy.
pub(in crate::select) static MRMR_MIQ: Method = Method {
    name: "mrmr-miq",
    summary: "as mrmr, with the quotient of relevance and redundancy",
    formula: "I(X;C) / mean over kept s of I(X;s); larger is better; the first by I(X;C) in bits; \
              stops when it is no longer positive",
    source: "Ding and Peng, 2005",
    run: MethodRun::Ranker {
        unit: "bits",
        ranker: |informations, _| Ok(Box::new(Mrmr::quotient(informations))),
    },
    ..MRMR
};

/// How relevance and mean redundancy become one value.
type Combine = fn(f64, f64) -> f64;

/// Where the informations come from.
pub(in crate::select) trait PairSource {
    /// Number of features to choose from.
    fn n_features(&self) -> usize;

    /// What a feature tells about the class.
    fn relevance(&self, feature: usize) -> f64;

    /// What a feature and each of the others tell about each other.
    fn mutual(&self, feature: usize, others: &[usize], observer: &dyn Observer)
    -> Result<Vec<f64>>;
}

/// Pairs are counted when a feature comes in.
impl PairSource for &Informations<'_> {
    fn n_features(&self) -> usize {
        Informations::n_features(self)
    }

    fn relevance(&self, feature: usize) -> f64 {
        self.single(feature).mutual
    }

    fn mutual(
        &self,
        feature: usize,
        others: &[usize],
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        let pairs: Vec<(usize, usize)> = others.iter().map(|&other| (other, feature)).collect();
        self.map_plain_pairs(&pairs, observer, |pair| pair.mutual)
    }
}

/// Columns of which all pairs are known: one is the class, some are the features.
#[derive(Debug, Clone, Copy)]
pub struct Among<'m> {
    /// What the columns tell about each other.
    pub informations: &'m MutualInformations,
    /// The class.
    pub class: usize,
    /// The columns to choose from.
    pub features: &'m [usize],
}

impl PairSource for Among<'_> {
    fn n_features(&self) -> usize {
        self.features.len()
    }

    fn relevance(&self, feature: usize) -> f64 {
        self.informations.of(self.class)[self.features[feature]]
    }

    fn mutual(&self, feature: usize, others: &[usize], _: &dyn Observer) -> Result<Vec<f64>> {
        let row = self.informations.of(self.features[feature]);
        Ok(others
            .iter()
            .map(|&other| row[self.features[other]])
            .collect())
    }
}

pub(in crate::select) struct Mrmr<S> {
    source: S,
    combine: Combine,
    n_in: usize,
    /// Of every feature, the sum of its informations with those that are in.
    redundancy: Vec<f64>,
}

impl<S: PairSource> Mrmr<S> {
    pub(in crate::select) fn difference(source: S) -> Self {
        Self::new(source, |relevance, redundancy| relevance - redundancy)
    }

    fn quotient(source: S) -> Self {
        Self::new(source, |relevance, redundancy| {
            relevance / redundancy.max(MIN_REDUNDANCY)
        })
    }

    fn new(source: S, combine: Combine) -> Self {
        Mrmr {
            combine,
            n_in: 0,
            redundancy: vec![0.0; source.n_features()],
            source,
        }
    }
}

impl<S: PairSource> Ranker for Mrmr<S> {
    fn admit(&mut self, feature: usize, open: &[usize], observer: &dyn Observer) -> Result<()> {
        let mutual = self.source.mutual(feature, open, observer)?;
        for (&other, mutual) in open.iter().zip(mutual) {
            self.redundancy[other] += mutual;
        }
        self.n_in += 1;
        Ok(())
    }

    fn value(&self, feature: usize) -> f64 {
        let relevance = self.source.relevance(feature);
        if self.n_in == 0 {
            return relevance;
        }
        (self.combine)(relevance, self.redundancy[feature] / self.n_in as f64)
    }

    fn objection(&self, best: RankCandidate) -> Result<Option<Objection>> {
        Ok(Objection::unless_above(0.0, best.value))
    }
}
