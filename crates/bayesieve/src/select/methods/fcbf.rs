//! FCBF: no feature stays that goes better with a stronger one than with the class.
//!
//! Papers: Yu and Liu, 2003 and 2004.
//! With SU the symmetric uncertainty `2 I(X;Y) / (H(X) + H(Y))`: features by falling
//! SU(X,C), while it is above delta; each removes every later Y with SU(X,Y) >= SU(Y,C).
//! Cost: pair tables without the class of the kept features with those not yet removed.
//! Where the papers are silent: delta is 0; ties go to the lowest column index; features
//! that must stay come first and remove others, but are not removed.
//!
//! Yu, L. and Liu, H. (2004). Efficient feature selection via analysis of relevance and
//! redundancy. Journal of Machine Learning Research 5, 1205-1224.

use crate::info::Informations;
use crate::select::explain::rounded;
use crate::select::method::{Method, MethodRun, Takes};
use crate::select::rank::{Objection, RankCandidate, Ranker, best_of};
use crate::select::reason::Reason;
use crate::setting::{Setting, SettingKind};
use crate::{Observer, Result};

/// The fast correlation-based filter.
pub(in crate::select) static FCBF: Method = Method {
    name: "fcbf",
    summary: "takes features by their correlation with the class; each removes those that go better \
              with it than with the class",
    formula: "SU(X,C) = 2 I(X;C) / (H(X) + H(C)); Y goes if a kept X with a larger one has \
              SU(X,Y) >= SU(Y,C)",
    cost: "pair tables of the kept features with those not yet removed, O(n k N / 64)",
    source: "Yu and Liu, 2003 and 2004",
    settings: &[Setting {
        name: "delta",
        default: "0",
        kind: SettingKind::Number { min: 0.0, max: 1.0 },
        meaning: "the symmetric uncertainty with the class that a feature must exceed",
    }],
    takes: Takes::RANKER,
    run: MethodRun::Ranker {
        unit: "",
        ranker: |informations, settings| {
            Ok(Box::new(Fcbf::new(informations, settings.number("delta")?)))
        },
    },
};

struct Fcbf<'i, 'a> {
    informations: &'i Informations<'a>,
    delta: f64,
    with_class: Vec<f64>,
    /// The correlation with a stronger feature that removed it.
    removed_by: Vec<Option<f64>>,
}

impl<'i, 'a> Fcbf<'i, 'a> {
    fn new(informations: &'i Informations<'a>, delta: f64) -> Self {
        let singles = informations.singles().iter();
        Fcbf {
            informations,
            delta,
            with_class: singles.map(|s| s.symmetric_uncertainty()).collect(),
            removed_by: vec![None; informations.n_features()],
        }
    }

    fn is_correlated(&self, feature: usize) -> bool {
        rounded(self.with_class[feature]) > rounded(self.delta)
    }

    /// Those that are neither removed nor too weak.
    fn left(&self, open: &[usize]) -> Vec<usize> {
        let is_left = |&f: &usize| self.removed_by[f].is_none() && self.is_correlated(f);
        open.iter().copied().filter(is_left).collect()
    }
}

impl Ranker for Fcbf<'_, '_> {
    fn admit(&mut self, feature: usize, open: &[usize], observer: &dyn Observer) -> Result<()> {
        let left = self.left(open);
        let pairs: Vec<(usize, usize)> = left.iter().map(|&other| (other, feature)).collect();
        let together = self
            .informations
            .map_plain_pairs(&pairs, observer, |pair| pair.symmetric_uncertainty())?;
        for (other, together) in left.into_iter().zip(together) {
            if rounded(together) >= rounded(self.with_class[other]) {
                self.removed_by[other] = Some(together);
            }
        }
        Ok(())
    }

    fn value(&self, feature: usize) -> f64 {
        self.with_class[feature]
    }

    fn best(&mut self, open: &[usize], _observer: &dyn Observer) -> Result<Option<RankCandidate>> {
        Ok(best_of(&self.left(open), |feature| self.value(feature)))
    }

    fn objection(&self, _best: RankCandidate) -> Result<Option<Objection>> {
        // Too weak ones are never offered.
        Ok(None)
    }

    fn lost_by(&self, feature: usize) -> Option<Reason> {
        let below = |threshold| Reason::BelowThreshold {
            value: self.with_class[feature],
            threshold,
        };
        if let Some(together) = self.removed_by[feature] {
            return Some(below(together));
        }
        (!self.is_correlated(feature)).then(|| below(self.delta))
    }
}
