//! Koller-Sahami: delete the feature whose news about the class is best covered by others.
//!
//! Paper: Koller and Sahami, 1996. With M the k features that leave least of F to tell
//! (its blanket), the information lost with F is I(F;C|M); the feature of the smallest loss
//! goes, until that is gamma or more. Blankets are chosen again as features go.
//! Drugan and Wiering, 2010, use k = 1 and gamma = 0.05; `blanket=strongest` takes those
//! that tell most about the class instead, which fits their tables better.
//! Cost: k = 1: about n²/2 pair tables, fewer where copies abound; memory O(n).
//! Where the papers are silent: the last feature stays; ties go to the lowest column index;
//! with k = 2 a blanket of two is used only where its table has five rows per cell, else
//! the first of the two alone.
//!
//! Koller, D. and Sahami, M. (1996). Toward optimal feature selection. ICML, 284-292.

mod blankets;
mod nearest;

use blankets::{BlanketRule, Blankets};
use nearest::Nearest;

use crate::search::{FeatureOrder, Step, Stop, unless_early};
use crate::select::method::{Method, MethodRun, Outcome, ScoreKind, Takes, Task};
use crate::select::reason::Reason;
use crate::setting::{Setting, SettingKind};
use crate::stats::Better;
use crate::{Observer, Result, check};

/// Deletes what a small blanket covers.
pub(in crate::select) static KOLLER_SAHAMI: Method = Method {
    name: "koller-sahami",
    summary: "deletes the feature whose news about the class the others cover best, until that \
              would lose too much",
    formula: "information lost with F: I(F;C|M), in bits, M its blanket of k features",
    cost: "k = 1: about n^2/2 pair tables, O(n^2 N / 64)",
    source: "Koller and Sahami, 1996; Drugan and Wiering, 2010",
    settings: &[
        Setting {
            name: "k",
            default: "1",
            kind: SettingKind::Integer { min: 0, max: 2 },
            meaning: "the size of a blanket; two only where a table has five rows per cell",
        },
        Setting {
            name: "gamma",
            default: "0.05",
            kind: SettingKind::Number {
                min: 0.0,
                max: f64::INFINITY,
            },
            meaning: "the information, in bits, that is too much to lose",
        },
        Setting {
            name: "blanket",
            default: "min",
            kind: SettingKind::Choice(&["min", "strongest"]),
            meaning: "the features that leave least to tell, or those that tell most themselves",
        },
    ],
    takes: Takes {
        order: Some(FeatureOrder::Removed),
        available: true,
        pairs: true,
        ..Takes::NOTHING
    },
    run: MethodRun::Own(|task| {
        let k = task.settings.integer("k")?;
        let is_nearest = task.settings.text("blanket")? == "min";
        let (info, limits) = (task.informations, task.limits);
        let mut losses: Box<dyn Losses + '_> = match (k, is_nearest) {
            (1, true) => Box::new(Nearest::new(info, limits)),
            (0, _) => Box::new(Blankets::new(info, limits, BlanketRule::Empty)),
            (_, true) => Box::new(Blankets::new(info, limits, BlanketRule::nearest(k))),
            (_, false) => Box::new(Blankets::new(info, limits, BlanketRule::strongest(k, info))),
        };
        eliminate(task, losses.as_mut())
    }),
};

/// What is lost when features leave.
trait Losses {
    /// The feature that loses least and how much that is, the lowest of equal ones; `None`
    /// if none may leave.
    fn least(&mut self, remaining: &Remaining) -> Result<Option<(usize, f64)>>;

    /// How many losses were computed.
    fn n_evaluations(&self) -> u64;
}

/// The features that are still in.
struct Remaining {
    is_in: Vec<bool>,
    /// Whether the user wants it.
    stays: Vec<bool>,
    n_in: usize,
}

impl Remaining {
    fn new(n: usize, keep: &[usize]) -> Self {
        let mut stays = vec![false; n];
        keep.iter().for_each(|&feature| stays[feature] = true);
        Remaining {
            is_in: vec![true; n],
            stays,
            n_in: n,
        }
    }

    fn may_leave(&self, feature: usize) -> bool {
        self.is_in[feature] && !self.stays[feature]
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.is_in.len()).filter(|&feature| self.is_in[feature])
    }

    fn remove(&mut self, feature: usize) {
        self.is_in[feature] = false;
        self.n_in -= 1;
    }
}

/// In units of 1e-10, where comparisons round.
fn rounded(bits: f64) -> i64 {
    (bits * 1e10).round() as i64
}

fn eliminate(task: &Task<'_, '_>, losses: &mut dyn Losses) -> Result<Outcome> {
    let gamma = task.settings.number("gamma")?;
    let mut remaining = Remaining::new(task.informations.n_features(), task.keep);
    let mut steps: Vec<Step> = Vec::new();
    let stop = loop {
        if task.count.is_some_and(|count| remaining.n_in <= count) {
            break Stop::Count;
        }
        if remaining.n_in <= 1 {
            break Stop::Exhausted;
        }
        let least = check(task.limits).and_then(|()| losses.least(&remaining));
        let (feature, lost) = match unless_early(least, task.limits, !steps.is_empty())? {
            Ok(Some(least)) => least,
            Ok(None) => break Stop::Exhausted,
            Err(early) => break early,
        };
        if rounded(lost) >= rounded(gamma) && task.count.is_none() {
            break Stop::Threshold {
                value: lost,
                threshold: gamma,
            };
        }
        remaining.remove(feature);
        steps.push(Step::remove(feature, lost));
        let n_all = remaining.is_in.len() as u64;
        task.limits
            .progress("deleting features", steps.len() as u64, n_all);
    };
    let misses = steps.iter().map(|step| {
        let miss = Reason::BelowThreshold {
            value: step.score,
            // Where a number is asked for, what is lost may be more.
            threshold: gamma.max(step.score),
        };
        (step.feature, miss)
    });
    let score = ScoreKind {
        name: "information-lost",
        unit: "bits",
        better: Better::Lower,
    };
    Ok(Outcome {
        misses: misses.collect(),
        kept: remaining.iter().collect(),
        value: steps.last().map_or(0.0, |step| step.score),
        steps,
        stop,
        n_evaluations: losses.n_evaluations(),
        ..Outcome::of(score)
    })
}

#[cfg(test)]
mod tests;
