//! Info-AS: add the feature that tells most about the class when the kept ones are known.
//!
//! Paper: Singh and Provan, 1996, definitions 4.1 to 4.3. With D the kept features:
//! CIG = I(A;C|D), CGR = I(A;C|D) / H(A|D), CDC = I(A;C|D) / H(A,C|D), each 0 where its
//! denominator is. The best feature joins while its value is above 0.
//! Cost: one pass over the rows per candidate and step; rows alone in their combination of
//! kept values tell nothing more and are left out.
//! Where the paper is silent: "above 0" is above 1e-9; ties go to the lowest column index.
//! A test may end it instead (`stop=chi2`), which the paper names as future work.
//!
//! Singh, M. and Provan, G. (1996). Efficient learning of selective Bayesian network
//! classifiers. ICML, 453-461.

mod layers;

use layers::KnownFeatures;

use crate::search::{FeatureOrder, Step, Stop, unless_early};
use crate::select::method::{Method, MethodRun, Outcome, ScoreKind, Takes, Task};
use crate::select::reason::Reason;
use crate::setting::{Setting, SettingKind};
use crate::stats::{Better, Statistic};
use crate::{Error, Observer, Result, parameter};

const SETTINGS: &[Setting] = &[
    Setting {
        name: "stop",
        default: "zero",
        kind: SettingKind::Choice(&["zero", "chi2"]),
        meaning: "when to stop: when no feature adds information, or when a test says that the best \
                  feature's gain could be chance",
    },
    Setting {
        name: "alpha",
        default: "0.05",
        kind: SettingKind::Number { min: 0.0, max: 1.0 },
        meaning: "the level of the test, for stop=chi2",
    },
    Setting {
        name: "test",
        default: "pearson",
        kind: SettingKind::Choice(&["pearson", "g"]),
        meaning: "the statistic of the test, for stop=chi2",
    },
];

const TAKES: Takes = Takes {
    order: Some(FeatureOrder::Added),
    ..Takes::NOTHING
};

const COST: &str = "a pass over the rows per candidate and step, O(n k N)";
const SOURCE: &str = "Singh and Provan, 1996";

/// By conditional information gain.
pub(in crate::select) static CIG_AS: Method = Method {
    name: "cig-as",
    summary: "adds the feature that tells most about the class when the kept ones are known",
    formula: "I(A;C|kept), in bits; larger is better",
    cost: COST,
    source: SOURCE,
    settings: SETTINGS,
    takes: TAKES,
    run: MethodRun::Own(|task| add_by(task, Metric::Gain)),
};

/// By conditional gain ratio.
pub(in crate::select) static CGR_AS: Method = Method {
    name: "cgr-as",
    summary: "as cig-as, with the gain divided by what is not known of the feature itself",
    formula: "I(A;C|kept) / H(A|kept); larger is better",
    cost: COST,
    source: SOURCE,
    settings: SETTINGS,
    takes: TAKES,
    run: MethodRun::Own(|task| add_by(task, Metric::Ratio)),
};

/// By the complement of conditional distance.
pub(in crate::select) static CDC_AS: Method = Method {
    name: "cdc-as",
    summary: "as cig-as, with the gain divided by what is not known of feature and class",
    formula: "I(A;C|kept) / H(A,C|kept); larger is better",
    cost: COST,
    source: SOURCE,
    settings: SETTINGS,
    takes: TAKES,
    run: MethodRun::Own(|task| add_by(task, Metric::Distance)),
};

/// What is made of the gain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Metric {
    Gain,
    Ratio,
    Distance,
}

impl Metric {
    fn kind(self) -> ScoreKind {
        let (name, unit) = match self {
            Metric::Gain => ("cig", "bits"),
            Metric::Ratio => ("cgr", ""),
            Metric::Distance => ("cdc", ""),
        };
        ScoreKind {
            name,
            unit,
            better: Better::Higher,
        }
    }
}

/// No more than this is nothing.
const NOTHING: f64 = 1e-9;

/// The test that may end it.
struct Test {
    statistic: Statistic,
    alpha: f64,
}

impl Test {
    /// `None` where the walk ends at zero.
    fn of(task: &Task<'_, '_>) -> Result<Option<Self>> {
        if task.settings.text("stop")? == "zero" {
            return Ok(None);
        }
        Ok(Some(Test {
            statistic: match task.settings.text("test")? {
                "g" => Statistic::G,
                _ => Statistic::Pearson,
            },
            alpha: task.settings.number("alpha")?,
        }))
    }
}

fn add_by(task: &Task<'_, '_>, metric: Metric) -> Result<Outcome> {
    let test = Test::of(task)?;
    check_whole_rows(task)?;
    let mut kept = task.keep.to_vec();
    let mut known = KnownFeatures::new(task.informations.nodes());
    for &feature in &kept {
        known.add(feature)?;
    }
    let mut steps: Vec<Step> = Vec::new();
    let mut n_evaluations = 0;
    let (stop, values) = loop {
        if task.count.is_some_and(|count| kept.len() >= count) {
            break (Stop::Count, Vec::new());
        }
        let is_kept = |feature: &usize| kept.contains(feature);
        let outside: Vec<usize> = (0..task.informations.n_features())
            .filter(|f| !is_kept(f))
            .collect();
        let layered = known.layered(metric)?;
        let values = layered.values(&outside, task.limits);
        let values = match unless_early(values, task.limits, !steps.is_empty())? {
            Ok(values) => values,
            Err(early) => break (early, Vec::new()),
        };
        n_evaluations += values.len() as u64;
        let values: Vec<(usize, f64)> = outside.into_iter().zip(values).collect();
        let Some(&(feature, value)) = best(&values) else {
            break (Stop::Exhausted, values);
        };
        if value <= NOTHING && task.count.is_none() {
            break (Stop::NoImprovement, values);
        }
        if let Some(test) = test.as_ref().filter(|_| task.count.is_none()) {
            let p = layered.p(feature, test.statistic, task.limits)?;
            if p > test.alpha {
                let alpha = test.alpha;
                break (Stop::NotSignificant { p, alpha }, values);
            }
        }
        known.add(feature)?;
        kept.push(feature);
        steps.push(Step::add(feature, value));
        let stage = format!("adding features, {} {value:.4}", metric.kind().name);
        task.limits.progress(&stage, steps.len() as u64, 0);
    };
    Ok(Outcome {
        misses: misses(&values, stop),
        kept,
        value: steps.last().map_or(0.0, |step| step.score),
        steps,
        stop,
        n_evaluations,
        ..Outcome::of(metric.kind())
    })
}

/// Layers of many features need every cell.
fn check_whole_rows(task: &Task<'_, '_>) -> Result<()> {
    let has_gaps = |&f: &usize| task.informations.has_gaps(f);
    match (0..task.informations.n_features()).find(has_gaps) {
        None => Ok(()),
        Some(feature) => {
            let column = task.table.features[task.places[feature]].column.name();
            Err(Error::data("a cell is empty")
                .in_column(column)
                .with_hint(format!("Use {} or drop.", parameter("missing").is("value"))))
        }
    }
}

/// The largest value, the first of equal ones.
fn best(values: &[(usize, f64)]) -> Option<&(usize, f64)> {
    let rounded = |value: f64| (value * 1e10).round();
    values.iter().reduce(|best, next| {
        if rounded(next.1) > rounded(best.1) {
            next
        } else {
            best
        }
    })
}

/// What the features that are out still told at the end.
fn misses(values: &[(usize, f64)], stop: Stop) -> Vec<(usize, Reason)> {
    let best = best(values).map_or(0.0, |best| best.1);
    let misses = values.iter().map(|&(feature, value)| {
        let miss = match stop {
            Stop::NotSignificant { p, alpha } => Reason::NotSignificant {
                value,
                best,
                p,
                alpha,
            },
            _ => Reason::BelowThreshold {
                value,
                threshold: 0.0,
            },
        };
        (feature, miss)
    });
    misses.collect()
}

#[cfg(test)]
mod tests;
