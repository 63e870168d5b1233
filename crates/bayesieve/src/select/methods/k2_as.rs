//! K2-AS: the feature with which a K2 network predicts the other half best joins, while that
//! is better. K2-AS<= beside it: while that is no worse.
//!
//! Paper: Singh and Provan, 1995, section 3; 1996, section 2.
//! Score of a list of features: the accuracy of the network that K2 learns from one half of
//! the rows, with the class first and the features in order of selection, on the other half.
//! Cost: at most n rounds of n networks, each learned from one half of the rows.
//! Where the paper is silent: the candidate comes last in K2's order; it starts with what
//! the larger class of the learning half gets right; ties go to the lowest column index.
//!
//! Singh, M. and Provan, G. (1995). A comparison of induction algorithms for selective and
//! non-selective Bayesian classifiers. Proceedings of the 12th International Conference on
//! Machine Learning.

use std::collections::HashMap;

use super::wrapper::accuracy;
use crate::classify::ModelKind;
use crate::score::{Accuracy, FeatureSet, Score};
use crate::search::{FeatureOrder, SearchResult, Step, Stop, unless_early};
use crate::select::method::{Method, MethodRun, Outcome, Takes, Task};
use crate::select::reason::Reason;
use crate::select::selection::InnerEstimate;
use crate::select::walk::{outcome, sides};
use crate::{Error, Observer, Result, Silent};

const TAKES: Takes = Takes {
    models: &[ModelKind::K2],
    accuracy: true,
    classifier: Some(ModelKind::Cb),
    counts: false,
    order: Some(FeatureOrder::Added),
    ..Takes::NOTHING
};

/// As long as the accuracy rises.
pub(in crate::select) static K2_AS: Method = Method {
    name: "k2-as",
    summary: "adds the feature with which a K2 network predicts the other half of the rows best, \
              while that is better; the paper then trains cb on what is kept",
    formula: "accuracy of a K2 network, the class first, then features in order of selection, \
              learned from one half of the rows, on the other; larger is better; or another \
              measure, in its own sense",
    cost: "at most n rounds of n networks, each learned from one half of the rows",
    source: "Singh and Provan, 1995",
    settings: &[],
    takes: TAKES,
    run: MethodRun::Own(|task| forward(task, Joins::IfBetter)),
};

/// As long as the accuracy does not fall.
pub(in crate::select) static K2_AS_LE: Method = Method {
    name: "k2-as-le",
    summary: "as k2-as, but a feature also joins where the accuracy stays the same (K2-AS<=)",
    run: MethodRun::Own(|task| forward(task, Joins::UnlessWorse)),
    ..K2_AS
};

/// When the best feature of a round joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joins {
    IfBetter,
    UnlessWorse,
    /// Until there are so many features.
    UpTo(usize),
}

/// Forward by the accuracy of networks whose features come in order of selection.
fn forward(task: &Task<'_, '_>, joins: Joins) -> Result<Outcome> {
    let joins = task.count.map_or(joins, Joins::UpTo);
    let mut networks = Networks::new(task)?;
    let mut found = networks.start()?;
    while networks.round(&mut found, joins)? {}
    let mut outcome = outcome(&networks.accuracy, found);
    if outcome.value.is_nan() {
        return Ok(outcome);
    }
    outcome.misses = networks.missed(&outcome)?;
    outcome.estimate = Some(InnerEstimate {
        measure: task.options.measure,
        mean: outcome.value,
        standard_error: networks.error_of(&outcome.kept, outcome.value)?,
        n_folds: 1,
        n_runs: 1,
    });
    Ok(outcome)
}

/// The accuracies of networks by their lists of features.
struct Networks<'n, 't, 'a> {
    task: &'n Task<'t, 'a>,
    accuracy: Accuracy<'t>,
    /// Those of the checkpoint. A walk comes to a set by one order only.
    known: HashMap<FeatureSet, f64>,
    /// The candidates of the last whole round with their values.
    last: Vec<(usize, f64)>,
}

impl<'n, 't, 'a> Networks<'n, 't, 'a> {
    fn new(task: &'n Task<'t, 'a>) -> Result<Self> {
        let known = task.journal.map(|journal| &journal.known[..]);
        Ok(Networks {
            task,
            accuracy: accuracy(task)?,
            known: known.unwrap_or_default().iter().cloned().collect(),
            last: Vec::new(),
        })
    }

    /// What must stay in; its accuracy is no number where the time was over before.
    fn start(&self) -> Result<SearchResult> {
        let (task, kept) = (self.task, self.task.keep.to_vec());
        let order = [kept.clone()];
        let values = if kept.is_empty() {
            let limits = task.limits.without_budget();
            Ok(self.accuracy.of_orders(&order, &limits)?)
        } else {
            unless_early(
                self.accuracy.of_orders(&order, task.limits),
                task.limits,
                false,
            )?
        };
        let value = values.map_or(Some(f64::NAN), |values| values.first().copied());
        let value = value.ok_or_else(without_value)?;
        Ok(SearchResult::of_start(kept, value))
    }

    /// Lets the best feature join, where its accuracy is good enough; the lowest of equal
    /// ones. Whether one joined.
    fn round(&mut self, found: &mut SearchResult, joins: Joins) -> Result<bool> {
        if matches!(joins, Joins::UpTo(count) if found.kept.len() >= count) {
            found.stop = Stop::Count;
            return Ok(false);
        }
        let (_, outside) = sides(self.task.informations.n_features(), &found.kept)?;
        let values = self.with_each(&found.kept, &outside);
        let values = match unless_early(values, self.task.limits, !found.steps.is_empty())? {
            Ok(values) => values,
            Err(stop) => {
                self.last.clear();
                found.stop = stop;
                return Ok(false);
            }
        };
        found.n_evaluations += values.len() as u64;
        let score = &self.accuracy;
        let Some(best) = score.best(&values) else {
            return Ok(false);
        };
        let joins = match joins {
            Joins::IfBetter => score.is_better(values[best], found.value),
            Joins::UnlessWorse => !score.is_better(found.value, values[best]),
            Joins::UpTo(_) => true,
        };
        let step = Step::add(outside[best], values[best]);
        self.last = outside.into_iter().zip(values).collect();
        if !joins {
            found.stop = Stop::NoImprovement;
            return Ok(false);
        }
        found.step(step);
        let stage = format!("searching forward, {} {:.4}", score.name(), step.score);
        let n_steps = found.steps.len() as u64;
        self.task.limits.progress(&stage, n_steps, 0);
        Ok(true)
    }

    /// The last round's values of what is still out.
    fn missed(&self, outcome: &Outcome) -> Result<Vec<(usize, Reason)>> {
        let out = self.last.iter().filter(|(f, _)| !outcome.kept.contains(f));
        out.map(|&(feature, with)| {
            let order = [&outcome.kept[..], &[feature]].concat();
            let miss = Reason::WorseByEstimate {
                measure: self.task.options.measure,
                with,
                without: outcome.value,
                standard_error: self.error_of(&order, with)?,
                redundancy: None,
            };
            Ok((feature, miss))
        })
        .collect()
    }

    /// The standard error of the value of features in this order.
    fn error_of(&self, order: &[usize], value: f64) -> Result<f64> {
        self.accuracy.error_of_division(order, value, &Silent)
    }

    /// The accuracies with each candidate last.
    fn with_each(&mut self, kept: &[usize], candidates: &[usize]) -> Result<Vec<f64>> {
        let (base, _) = sides(self.task.informations.n_features(), kept)?;
        let is_new = |f: &usize| !self.known.contains_key(&base.with(*f));
        let new: Vec<usize> = candidates.iter().copied().filter(is_new).collect();
        let orders = new.iter().map(|&f| [kept, &[f]].concat());
        let orders: Vec<Vec<usize>> = orders.collect();
        let values = self.accuracy.of_orders(&orders, self.task.limits)?;
        let sets = new.iter().map(|&f| base.with(f));
        let scored: Vec<(FeatureSet, f64)> = sets.zip(values).collect();
        if let Some(journal) = self.task.journal {
            journal.append(&scored)?;
        }
        self.known.extend(scored);
        let value = |f: &usize| self.known.get(&base.with(*f)).copied();
        let values: Option<Vec<f64>> = candidates.iter().map(value).collect();
        values.ok_or_else(without_value)
    }
}

fn without_value() -> Error {
    Error::internal("a list of features has no accuracy")
}
