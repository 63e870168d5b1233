//! A comparison: schema `bayesieve.comparison.v1`.

use serde_json::{Map, Value, json};

use super::{Seconds, finite};
use crate::Result;
use crate::evaluate::{
    ComparedData, Comparison, Entry, PairTest, PairTestKind, Quantity, RankSummary, Run,
};
use crate::measure::{MEASURES, Measure};
use crate::stats::{FriedmanVariant, RankTest};

/// What was compared, with all that is shown of it.
#[derive(Debug)]
pub struct CompareOutcome {
    /// Every run, with means, tests and ranks.
    pub comparison: Comparison,
    /// The test that wins and losses go by; the protocol's own where none is named.
    pub test: Option<PairTestKind>,
    /// The level of the tests.
    pub alpha: f64,
    /// Why it ended early, if it did.
    pub early: Option<Early>,
    /// How long it took.
    pub seconds: Seconds,
}

/// Why a comparison ended before its last cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Early {
    /// The time that it was given was over.
    Budget,
    /// It was stopped from outside.
    Interrupted,
}

impl Early {
    /// Its name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Early::Budget => "budget",
            Early::Interrupted => "interrupted",
        }
    }
}

impl CompareOutcome {
    /// The document of the comparison, schema `bayesieve.comparison.v1`: every run, means, tests,
    /// ranks and learning curves.
    ///
    /// # Errors
    /// A level outside 1e-6 to 0.5, where there are data sets enough to test ranks at it.
    ///
    /// # Example
    /// ```
    /// use std::time::Duration;
    ///
    /// use bayesieve::Silent;
    /// use bayesieve::data::{Generator, RoleOptions, Roles};
    /// use bayesieve::document::{CompareOutcome, Seconds};
    /// use bayesieve::evaluate::{ComparisonStudy, DataSet, Pipeline, conduct};
    /// use bayesieve::search::Limits;
    ///
    /// let table = Generator::Example1.generate(320, 1)?;
    /// let roles = Roles::resolve(&table, &RoleOptions::default())?;
    /// let data = DataSet::new("example1", (table, roles), Default::default(), "cv:2".parse()?)?;
    /// let pipelines = vec![Pipeline::named("all/nb")?, Pipeline::named("mrmr:1/nb")?];
    /// let study = ComparisonStudy::of_all(vec![data], pipelines, 1);
    /// let outcome = CompareOutcome {
    ///     comparison: study.comparison(conduct(&study, None, &Limits::new(&Silent))?),
    ///     test: None,
    ///     alpha: 0.05,
    ///     early: None,
    ///     seconds: Seconds::new(Duration::ZERO, Duration::from_millis(2)),
    /// };
    /// let document = outcome.document()?;
    /// assert_eq!(document["runs"].as_array().map(Vec::len), Some(4)); // two folds, two pipelines
    /// assert_eq!(document["summary"][1]["kept"]["mean"], 1.0);
    /// assert_eq!(document["stop"]["reason"], "finished");
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    pub fn document(&self) -> Result<Value> {
        let comparison = &self.comparison;
        let entries: Vec<&Entry> = comparison.wholes().collect();
        let runs = entries.iter().flat_map(|entry| {
            let runs = entry.runs.iter();
            runs.map(|one| run(comparison, entry, one))
        });
        // All data sets have the same.
        let protocol = comparison.data.first().map(|data| data.protocol);
        let protocol = protocol
            .map(|protocol| json!({"name": protocol.to_string(), "splits": protocol.n_splits()}));
        let ranked = comparison.all_ranks()?;
        let of_pairs = comparison.pair_tests()?;
        let of_pairs = of_pairs.iter().map(|test| pair_test(comparison, test));
        let mut tests: Vec<Value> = of_pairs.collect();
        for summary in &ranked {
            tests.extend(rank_tests(comparison, summary)?);
        }
        Ok(json!({
            "schema": "bayesieve.comparison.v1",
            "protocol": protocol,
            "seed": comparison.seed,
            "alpha": self.alpha,
            "measure": comparison.measure.key,
            "data": comparison.data.iter().map(data).collect::<Vec<_>>(),
            "pipelines": comparison.pipelines.iter().map(|pipeline| json!({
                "pipeline": pipeline.name, "method": pipeline.method, "model": pipeline.model,
            })).collect::<Vec<_>>(),
            "runs": runs.collect::<Vec<_>>(),
            "summary": entries.iter().map(|entry| summary(comparison, entry)).collect::<Vec<_>>(),
            "tests": tests,
            "ranks": ranks(self, &ranked)?,
            "learning_curves": curves(comparison),
            "stop": {
                "reason": self.early.map_or("finished", Early::name),
                "cells": comparison.entries.len(),
                "of": comparison.n_asked,
                "resumed_runs": comparison.n_resumed,
            },
            "warnings": comparison.warnings,
            "seconds": self.seconds,
        }))
    }
}

fn data(data: &ComparedData) -> Value {
    let counts = data.classes.iter().zip(&data.class_counts);
    let counts: Map<String, Value> = counts
        .map(|(label, &count)| (label.clone(), count.into()))
        .collect();
    json!({
        "data": data.name,
        "rows": data.n_rows,
        "features": data.features.len(),
        "class": data.class,
        "class_counts": counts,
        "positive": data.classes.get(data.positive),
        "accuracy_of_guessing": data.guessing(),
    })
}

/// What there is to say of a pipeline on a data set, behind their names.
fn named(comparison: &Comparison, entry: &Entry, rest: Value) -> Value {
    let pipeline = &comparison.pipelines[entry.pipeline];
    let mut document = json!({
        "data": comparison.data[entry.data].name,
        "pipeline": pipeline.name,
        "method": pipeline.method,
        "model": pipeline.model,
    });
    if let (Some(document), Value::Object(rest)) = (document.as_object_mut(), rest) {
        document.extend(rest);
    }
    document
}

fn run(comparison: &Comparison, entry: &Entry, run: &Run) -> Value {
    let rest = json!({
        "run": run.run,
        "fold": run.fold,
        "training_rows": run.n_train,
        "test_rows": run.n_test,
        "kept": comparison.data[entry.data].kept_names(run),
        "accuracy": run.accuracy,
        "log_loss": run.log_loss,
        "brier": run.brier,
        "measures": run.measures,
        "call_per_row": run.call_per_row,
        "call_per_row_without_class": run.call_per_row_without_class,
        "inner_accuracy": run.inner_accuracy,
        "seconds": run.seconds,
    });
    named(comparison, entry, rest)
}

fn mean_sd(entry: &Entry, quantity: Quantity) -> Option<Value> {
    let of_runs = entry.mean_sd(quantity)?;
    Some(json!({"mean": of_runs.mean, "sd": of_runs.sd}))
}

fn summary(comparison: &Comparison, entry: &Entry) -> Value {
    let data = &comparison.data[entry.data];
    let n_features = data.features.len();
    let kept = entry.mean_sd(Quantity::Kept);
    let share = kept.map(|kept| kept.mean / n_features.max(1) as f64);
    let shares = data.features.iter().zip(entry.frequencies(n_features));
    let frequencies: Map<String, Value> = shares
        .filter(|(_, share)| *share > 0.0)
        .map(|(name, share)| (name.clone(), json!(share)))
        .collect();
    let measures = MEASURES.into_iter().filter_map(|measure| {
        let of_runs = mean_sd(entry, Quantity::Measured(measure))?;
        Some((measure.key.to_owned(), of_runs))
    });
    let measures: Map<String, Value> = measures.collect();
    let rest = json!({
        "runs": entry.runs.len(),
        "accuracy": mean_sd(entry, Quantity::ACCURACY),
        "log_loss": mean_sd(entry, Quantity::LOG_LOSS),
        "brier": mean_sd(entry, Quantity::Measured(Measure::BRIER)),
        "measures": measures,
        "kept": {"mean": kept.map(|kept| kept.mean), "sd": kept.and_then(|kept| kept.sd),
                 "share": share},
        "call": mean_sd(entry, Quantity::Call),
        "call_with_class": mean_sd(entry, Quantity::CallWithClass),
        "inner_accuracy": entry.inner_accuracy(),
        "stability": entry.stability(n_features),
        "frequencies": frequencies,
        "seconds": mean_sd(entry, Quantity::Seconds),
    });
    named(comparison, entry, rest)
}

fn pair_test(comparison: &Comparison, test: &PairTest) -> Value {
    let [a, b] = [test.a, test.b].map(|place| &comparison.pipelines[place]);
    json!({
        "test": test.kind.name(),
        "a": a.name,
        "b": b.name,
        "model": Some(a.model).filter(|model| *model == b.model),
        "data": comparison.data[test.data].name,
        "measure": test.quantity.name(),
        "difference": test.difference,
        "statistic": finite(test.statistic),
        "p": test.p,
    })
}

/// Friedman's test of all pipelines, and Nemenyi's of all pairs.
fn rank_tests(comparison: &Comparison, summary: &RankSummary) -> Result<Vec<Value>> {
    let Some(friedman) = &summary.friedman else {
        return Ok(Vec::new());
    };
    let test = |test: &RankTest| json!({"statistic": finite(test.statistic), "p": test.p});
    let variant = |variant: &FriedmanVariant| {
        json!({
            "statistic": finite(variant.chi_square.statistic),
            "p": variant.chi_square.p,
            "iman_davenport": test(&variant.iman_davenport),
        })
    };
    let data = summary
        .data
        .iter()
        .map(|&place| &comparison.data[place].name);
    let corrected = &friedman.tie_corrected;
    let mut tests = vec![json!({
        "test": "friedman",
        "a": null,
        "b": null,
        "model": null,
        "data": null,
        "measure": summary.quantity.name(),
        "statistic": finite(corrected.chi_square.statistic),
        "p": corrected.chi_square.p,
        "iman_davenport": test(&corrected.iman_davenport),
        "without_tie_correction": variant(&friedman.plain),
        "data_sets": data.collect::<Vec<_>>(),
    })];
    let of_pairs = summary.nemenyi()?.into_iter().map(|(a, b, distance, p)| {
        let [a, b] = [a, b].map(|place| &comparison.pipelines[place]);
        json!({
            "test": "nemenyi",
            "a": a.name,
            "b": b.name,
            "model": Some(a.model).filter(|model| *model == b.model),
            "data": null,
            "measure": summary.quantity.name(),
            "statistic": distance,
            "p": p,
        })
    });
    tests.extend(of_pairs);
    Ok(tests)
}

fn ranks(shown: &CompareOutcome, ranked: &[RankSummary]) -> Result<Vec<Value>> {
    let mut ranks = Vec::new();
    for summary in ranked {
        let verdicts = shown
            .comparison
            .verdicts(summary.quantity, shown.test, shown.alpha)?;
        let critical = summary.critical_difference(shown.alpha)?;
        ranks.extend(summary.ranks.iter().map(|rank| {
            let verdicts = verdicts[rank.pipeline];
            json!({
                "pipeline": shown.comparison.pipelines[rank.pipeline].name,
                "measure": summary.quantity.name(),
                "average_rank": rank.average,
                "competition_rank": rank.competition,
                "wins": verdicts.wins,
                "losses": verdicts.losses,
                "draws": verdicts.draws,
                "critical_difference": critical,
                "data_sets": summary.data.len(),
            })
        }));
    }
    Ok(ranks)
}

/// Points of learning curves, the whole training part among them.
fn curves(comparison: &Comparison) -> Vec<Value> {
    let mut points = Vec::new();
    for data in 0..comparison.data.len() {
        for pipeline in 0..comparison.pipelines.len() {
            for (n_train, entry) in comparison.curve(data, pipeline) {
                let accuracy = entry.mean_sd(Quantity::ACCURACY);
                let n = entry.runs.len() as f64;
                let sd = accuracy.and_then(|accuracy| accuracy.sd);
                let rest = json!({
                    "training_rows": n_train,
                    "accuracy": {
                        "mean": accuracy.map(|accuracy| accuracy.mean),
                        "sd": sd,
                        "standard_error": sd.map(|sd| sd / n.sqrt()),
                    },
                    "kept": mean_sd(entry, Quantity::Kept),
                });
                points.push(named(comparison, entry, rest));
            }
        }
    }
    points
}
