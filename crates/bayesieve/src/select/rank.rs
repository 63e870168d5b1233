//! Ranking: features come in one at a time, the best by a criterion first.
//!
//! All rankers share this walk: the features that must stay come in first, in the order
//! they were named; then the best of those still out, until there are as many as were asked
//! for, or, if no number was given, until the ranker objects to the next one.
//! Ties go to the lowest column index; values are compared after rounding to 1e-10.

use super::explain::rounded;
use super::method::{Method, MethodRun, Outcome, ScoreKind, Task};
use super::methods::mrmr::{Among, Mrmr};
use super::reason::Reason;
use crate::info::Informations;
use crate::search::{Limits, Step, Stop, unless_early};
use crate::setting::Settings;
use crate::stats::Better;
use crate::{Error, Observer, Result};

/// Ranks features by what they tell, without reasons for those that are out.
///
/// At most `count` features, best first, each with the value it came in with. A run that
/// had to stop early gives those it had found.
///
/// # Errors
/// A method that does not rank by informations, or the observer cancelled before anything was
/// found.
///
/// # Cost
/// Pair tables of every feature that came in with every other one, O(n k N / 64); fewer
/// for CMIM, which looks only at candidates that may still win.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::Nominal;
/// use bayesieve::info::Informations;
/// use bayesieve::search::Limits;
/// use bayesieve::select::{Method, rank};
///
/// let a = Nominal::from_labels(["0", "0", "1", "1"].map(Some));
/// let b = Nominal::from_labels(["0", "1", "0", "1"].map(Some));
/// let class = Nominal::from_labels(["0", "1", "2", "2"].map(Some)); // b counts where a = 0
/// let informations = Informations::new(&[&b, &a, &a], &class)?;
/// let ranked = rank(&informations, Method::named("mrmr")?, 2, &Limits::new(&Silent))?;
/// assert_eq!(ranked, [(1, 1.0), (0, 0.5)]); // the copy of a tells 1 - 1 = 0
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn rank(
    informations: &Informations<'_>,
    method: &Method,
    count: usize,
    limits: &Limits<'_>,
) -> Result<Vec<(usize, f64)>> {
    let MethodRun::Ranker { ranker, .. } = method.run else {
        let message = format!("{} does not rank by informations", method.name);
        return Err(Error::usage(message).with_hint("Use mrmr, jmi, cmim or fcbf."));
    };
    let mut ranker = ranker(informations, &Settings::parse(method.settings, [])?)?;
    let order = Order {
        n_features: informations.n_features(),
        keep: &[],
        count: Some(count),
        limits,
    };
    order.ranked(&mut *ranker)
}

/// Ranks columns by mRMR with another column as the class, from informations that are known.
///
/// The same as [`rank`] by `mrmr` over these columns, for work in which many
/// columns are the class in turn.
///
/// # Errors
/// The class among the features, or a column that does not exist; or the observer cancelled
/// before anything was found.
///
/// # Cost
/// O(n) for every feature that comes in.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::Nominal;
/// use bayesieve::info::MutualInformations;
/// use bayesieve::search::Limits;
/// use bayesieve::select::{Among, rank_among};
///
/// let a = Nominal::from_labels(["0", "0", "1", "1"].map(Some));
/// let b = Nominal::from_labels(["0", "1", "0", "1"].map(Some));
/// let class = Nominal::from_labels(["0", "1", "2", "2"].map(Some)); // b counts where a = 0
/// let informations = MutualInformations::new(&[&b, &a, &a, &class], &Silent)?;
/// let among = Among { informations: &informations, class: 3, features: &[0, 1, 2] };
/// let ranked = rank_among(among, 2, &Limits::new(&Silent))?;
/// assert_eq!(ranked, [(1, 1.0), (0, 0.5)]); // the copy of a tells 1 - 1 = 0
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn rank_among(
    among: Among<'_>,
    count: usize,
    limits: &Limits<'_>,
) -> Result<Vec<(usize, f64)>> {
    let Among {
        informations,
        class,
        features,
    } = among;
    let n = informations.n_columns();
    let is_wrong = |&feature: &usize| feature == class || feature >= n;
    if class >= n || features.iter().any(is_wrong) {
        return Err(Error::internal(format!(
            "class {class} and features {features:?} of {n} columns"
        )));
    }
    let order = Order {
        n_features: features.len(),
        keep: &[],
        count: Some(count),
        limits,
    };
    let ranked = order.ranked(&mut Mrmr::difference(among))?;
    let column = |(feature, value)| (features[feature], value);
    Ok(ranked.into_iter().map(column).collect())
}

/// A feature that may come in, and its value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RankCandidate {
    pub(super) feature: usize,
    pub(super) value: f64,
}

/// Why the next feature should not come in, though it is the best.
#[derive(Debug, Clone, Copy)]
pub(super) struct Objection {
    pub(super) stop: Stop,
    /// What [`Ranker::tested`] had to pass.
    pub(super) threshold: f64,
}

impl Objection {
    /// The value had to be above a threshold.
    pub(super) fn unless_above(threshold: f64, value: f64) -> Option<Self> {
        (rounded(value) <= rounded(threshold)).then_some(Objection {
            stop: Stop::Threshold { value, threshold },
            threshold,
        })
    }
}

/// What a ranker knows about features that are out, given those that are in.
pub(super) trait Ranker {
    /// Takes note of a feature that has come in; `open` are those still out.
    fn admit(&mut self, feature: usize, open: &[usize], observer: &dyn Observer) -> Result<()>;

    /// The value of a feature that is out; for rankers that put off work, after
    /// [`Ranker::settle`].
    fn value(&self, feature: usize) -> f64;

    /// Does the work that was put off for these features.
    fn settle(&mut self, _features: &[usize], _observer: &dyn Observer) -> Result<()> {
        Ok(())
    }

    /// The best of those that are out, if any may still come in.
    fn best(&mut self, open: &[usize], _observer: &dyn Observer) -> Result<Option<RankCandidate>> {
        Ok(best_of(open, |feature| self.value(feature)))
    }

    /// Why the best one should stay out, if nobody asked for a number of features.
    fn objection(&self, best: RankCandidate) -> Result<Option<Objection>>;

    /// The quantity of a feature that an objection's threshold is for.
    fn tested(&self, feature: usize) -> f64 {
        self.value(feature)
    }

    /// What a feature lost by before the end, if that was for good.
    fn lost_by(&self, _feature: usize) -> Option<Reason> {
        None
    }
}

/// The candidate of the highest value, the first of equal ones.
pub(super) fn best_of(open: &[usize], value: impl Fn(usize) -> f64) -> Option<RankCandidate> {
    let mut best: Option<(f64, RankCandidate)> = None;
    for &feature in open {
        let value = value(feature);
        let key = rounded(value);
        if best.is_none_or(|(best, _)| key > best) {
            best = Some((key, RankCandidate { feature, value }));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// What a ranking is to hold.
struct Order<'o> {
    n_features: usize,
    keep: &'o [usize],
    count: Option<usize>,
    limits: &'o Limits<'o>,
}

/// How a ranking went.
struct Walked {
    steps: Vec<Step>,
    /// The features still out, in column order.
    open: Vec<usize>,
    stop: Stop,
    objection: Option<Objection>,
    n_evaluations: u64,
}

impl Order<'_> {
    /// The features that come in, each with the value it came in with.
    fn ranked(&self, ranker: &mut dyn Ranker) -> Result<Vec<(usize, f64)>> {
        let walked = self.walk(ranker)?;
        let steps = walked.steps.iter();
        Ok(steps.map(|step| (step.feature, step.score)).collect())
    }

    fn walk(&self, ranker: &mut dyn Ranker) -> Result<Walked> {
        let mut walked = Walked {
            steps: Vec::new(),
            open: (0..self.n_features).collect(),
            stop: Stop::Exhausted,
            objection: None,
            n_evaluations: 0,
        };
        while !walked.open.is_empty() {
            let n_in = walked.steps.len();
            if n_in >= self.keep.len() && self.count.is_some_and(|count| n_in >= count) {
                walked.stop = Stop::Count;
                break;
            }
            let next = self.next(ranker, &walked);
            let next = match unless_early(next, self.limits, n_in > 0)? {
                Ok(next) => next,
                Err(stop) => {
                    walked.stop = stop;
                    break;
                }
            };
            walked.n_evaluations += walked.open.len() as u64;
            let Some(next) = next.or_else(|| self.left_over(ranker, &walked.open)) else {
                break;
            };
            if self.count.is_none() && n_in >= self.keep.len() {
                walked.objection = ranker.objection(next)?;
                if let Some(objection) = walked.objection {
                    walked.stop = objection.stop;
                    break;
                }
            }
            walked.open.retain(|&feature| feature != next.feature);
            walked.steps.push(Step::add(next.feature, next.value));
            let total = self.count.unwrap_or(0) as u64;
            self.limits.progress("ranking", n_in as u64 + 1, total);
        }
        Ok(walked)
    }

    /// Where a number was asked for, the best of those that the ranker would not offer.
    fn left_over(&self, ranker: &dyn Ranker, open: &[usize]) -> Option<RankCandidate> {
        self.count?;
        best_of(open, |feature| ranker.value(feature))
    }

    /// The next feature to come in: one that must stay, else the best.
    fn next(&self, ranker: &mut dyn Ranker, walked: &Walked) -> Result<Option<RankCandidate>> {
        if self.limits.is_cancelled() {
            return Err(Error::interrupted());
        }
        // Only now, so that nothing is counted for the last one that comes in.
        if let Some(last) = walked.steps.last() {
            ranker.admit(last.feature, &walked.open, self.limits)?;
        }
        let Some(&feature) = self.keep.get(walked.steps.len()) else {
            return ranker.best(&walked.open, self.limits);
        };
        ranker.settle(&[feature], self.limits)?;
        let value = ranker.value(feature);
        Ok(Some(RankCandidate { feature, value }))
    }
}

/// Runs a ranker as a method: the ranking, and by what each feature that is out missed.
pub(super) fn run(
    task: &Task<'_, '_>,
    score: ScoreKind,
    ranker: &mut dyn Ranker,
) -> Result<Outcome> {
    let order = Order {
        n_features: task.places.len(),
        keep: task.keep,
        count: task.count,
        limits: task.limits,
    };
    let walked = order.walk(ranker)?;
    let is_early = walked.stop.is_early();
    if !is_early {
        // What was found must be explained, even if time is over by now.
        ranker.settle(&walked.open, &crate::Silent)?;
    }
    let value = walked.steps.last().map_or(0.0, |step| step.score);
    // Nothing was compared with features that must stay: they outrank nobody.
    let has_ranked = !is_early && walked.steps.len() > task.keep.len();
    let at_the_end = |feature: usize| match walked.objection {
        Some(objection) => Some(Reason::BelowThreshold {
            value: ranker.tested(feature),
            threshold: objection.threshold,
        }),
        None => has_ranked.then(|| Reason::Outranked {
            value: ranker.value(feature),
            needed: value,
        }),
    };
    let misses = walked.open.iter().filter_map(|&feature| {
        let miss = ranker.lost_by(feature).or_else(|| at_the_end(feature))?;
        Some((feature, miss))
    });
    Ok(Outcome {
        misses: misses.collect(),
        kept: walked.steps.iter().map(|step| step.feature).collect(),
        value,
        steps: walked.steps,
        stop: walked.stop,
        n_evaluations: walked.n_evaluations,
        ..Outcome::of(score)
    })
}

/// The score of a ranker: its own criterion.
pub(super) fn score(name: &'static str, unit: &'static str) -> ScoreKind {
    ScoreKind {
        name,
        unit,
        better: Better::Higher,
    }
}
