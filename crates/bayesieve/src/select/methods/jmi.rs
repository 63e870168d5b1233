//! JMI: what tells most about the class together with each feature already in.
//!
//! Paper: Yang and Moody, 1999.
//! The first feature has the largest I(X;C). Then, with S the features that are in, the
//! largest `sum I(X,s;C)` over s in S.
//! Cost: pair tables given the class of the kept features with all others, O(n k N / 64).
//! Where the paper is silent: the sum grows with every feature, so without a number of
//! features the gain is tested, the mean of I(X;C|s) over s in S: it stops when
//! `G2 = 2 N ln 2 * gain` fails a chi-square test with `(r_X - 1)(r_C - 1)` times the mean
//! number of values of s degrees of freedom. Ties go to the lowest column index.
//!
//! Yang, H. and Moody, J. (1999). Data visualization and feature selection: new algorithms
//! for nongaussian data. NIPS 12, 687-693.

use crate::info::Informations;
use crate::select::gain_test::{ALPHA, GainTest};
use crate::select::method::{Method, MethodRun, Takes};
use crate::select::rank::{Objection, RankCandidate, Ranker};
use crate::{Observer, Result};

/// Joint mutual information.
pub(in crate::select) static JMI: Method = Method {
    name: "jmi",
    summary: "takes features that tell most about the class together with each one already in",
    formula: "sum over kept s of I(X,s;C), in bits; larger is better; stops when the mean of \
              I(X;C|s) fails a chi-square test",
    cost: "pair tables given the class of the kept features with all others, O(n k N / 64)",
    source: "Yang and Moody, 1999",
    settings: &[ALPHA],
    takes: Takes::RANKER,
    run: MethodRun::Ranker {
        unit: "bits",
        ranker: |informations, settings| {
            Ok(Box::new(Jmi::new(informations, settings.number("alpha")?)))
        },
    },
};

/// The sums of one feature over those that are in.
#[derive(Debug, Clone, Copy, Default)]
struct JmiSums {
    /// `I(X,s;C)`.
    joint: f64,
    /// `I(X;C|s)` times the rows it was counted on.
    gain: f64,
    n_rows: f64,
}

struct Jmi<'i, 'a> {
    informations: &'i Informations<'a>,
    alpha: f64,
    n_in: usize,
    /// The numbers of values of those that are in, added up.
    n_values_in: usize,
    sums: Vec<JmiSums>,
}

impl<'i, 'a> Jmi<'i, 'a> {
    fn new(informations: &'i Informations<'a>, alpha: f64) -> Self {
        Jmi {
            informations,
            alpha,
            n_in: 0,
            n_values_in: 0,
            sums: vec![JmiSums::default(); informations.n_features()],
        }
    }

    fn gain(&self, feature: usize) -> GainTest {
        let freedom = (self.informations.n_values(feature).saturating_sub(1)
            * self.informations.n_classes().saturating_sub(1)) as f64;
        let single = self.informations.single(feature);
        if self.n_in == 0 {
            return GainTest {
                gain_bits: single.mutual,
                n_rows: single.n_rows as f64,
                degrees_of_freedom: freedom,
            };
        }
        let (sums, n_in) = (&self.sums[feature], self.n_in as f64);
        GainTest {
            gain_bits: if sums.n_rows > 0.0 {
                sums.gain / sums.n_rows
            } else {
                0.0
            },
            n_rows: sums.n_rows / n_in,
            degrees_of_freedom: freedom * self.n_values_in as f64 / n_in,
        }
    }
}

impl Ranker for Jmi<'_, '_> {
    fn admit(&mut self, feature: usize, open: &[usize], observer: &dyn Observer) -> Result<()> {
        let pairs: Vec<(usize, usize)> = open.iter().map(|&other| (other, feature)).collect();
        let informations = self.informations.map_pairs(&pairs, observer, |pair| {
            let n_rows = pair.n_rows as f64;
            (pair.with_class, pair.class_from_a_given_b * n_rows, n_rows)
        })?;
        for (&other, (joint, gain, n_rows)) in open.iter().zip(informations) {
            let sums = &mut self.sums[other];
            sums.joint += joint;
            sums.gain += gain;
            sums.n_rows += n_rows;
        }
        self.n_in += 1;
        self.n_values_in += self.informations.n_values(feature);
        Ok(())
    }

    fn value(&self, feature: usize) -> f64 {
        if self.n_in == 0 {
            return self.informations.single(feature).mutual;
        }
        self.sums[feature].joint
    }

    fn objection(&self, best: RankCandidate) -> Result<Option<Objection>> {
        self.gain(best.feature).objection(self.alpha)
    }

    fn tested(&self, feature: usize) -> f64 {
        self.gain(feature).gain_bits
    }
}
