//! Every measure of sets against trained classifiers on the same folds.

use super::tests::{CV, coded, mixed, options, random_sets};
use super::*;
use crate::Silent;
use crate::classify::Classifier;
use crate::data::{Column, KindOrigin, Nominal, Table, Values};
use crate::measure::{CostTable, MEASURES, PredictedRows};
use crate::network::Smoothing;
use crate::random::{Purpose, below, stream, unit};

const MODELS: [ModelKind; 3] = [ModelKind::NaiveBayes, ModelKind::Tan, ModelKind::Id3];

fn measure(name: &str) -> &'static Measure {
    name.parse().unwrap()
}

/// Five features of which three have labels that only one row has, now and then in the same
/// row: in its fold they are unseen. One cell is missing, which training does not know either.
fn with_strangers(n_rows: usize, n_classes: u64) -> CodedTable {
    let mut rng = stream(n_classes, Purpose::Generate, 13);
    let class: Vec<u64> = (0..n_rows).map(|_| below(&mut rng, n_classes)).collect();
    let mut columns = Vec::new();
    for feature in 0..5 {
        let cells = class.iter().enumerate().map(|(row, &class)| {
            let leans = unit(&mut rng) < 0.3 + 0.1 * feature as f64;
            let drawn = below(&mut rng, 3);
            let value = if leans { (class + feature) % 3 } else { drawn };
            match feature {
                0..3 if row % (9 - 2 * feature as usize) == 0 => Some(format!("only{row}")),
                3 if row == 10 => None,
                _ => Some(format!("v{value}")),
            }
        });
        let cells: Vec<Option<String>> = cells.collect();
        let nominal = Nominal::from_labels(cells.iter().map(Option::as_deref));
        let values = Values::Nominal(nominal);
        columns.push(Column::new(format!("f{feature}"), values, KindOrigin::Text));
    }
    let labels: Vec<String> = class.iter().map(|class| format!("c{class}")).collect();
    let nominal = Nominal::from_labels(labels.iter().map(|label| Some(label.as_str())));
    columns.push(Column::new(
        "class",
        Values::Nominal(nominal),
        KindOrigin::Text,
    ));
    coded(&Table::new(columns).unwrap(), CodingOptions::default())
}

/// What mistakes cost, twice as much for every class that they are away.
fn costly(table: &CodedTable) -> Stakes {
    let labels = table.class.domain.labels();
    let n = labels.len();
    let row = |truth: usize| {
        let costs = (0..n).map(|taken| 2.0 * truth.abs_diff(taken) as f64 + 0.1 * taken as f64);
        (labels[truth].clone(), costs.collect())
    };
    let costs = CostTable {
        predicted: labels.to_vec(),
        rows: (0..n).map(row).collect(),
    };
    Stakes::new(&table.class.counts()).with_costs(costs.matrix(labels).unwrap())
}

/// The plain way: a classifier per fold, trained on its rows, and the measure of what it
/// predicts, with so much added to the probability of the true class.
fn by_training(table: &CodedTable, set: &FeatureSet, options: &AccuracyOptions, shift: f64) -> f64 {
    let division = RowDivision::new(options.estimate, None, options.seed, table.n_rows());
    let splits = division.unwrap().splits(0, &table.class).unwrap();
    let stakes = options.stakes.clone();
    let stakes = stakes.unwrap_or_else(|| Stakes::new(&table.class.counts()));
    let n_classes = table.class.n_values();
    let values = splits.iter().map(|split| {
        let places: Vec<usize> = set.iter().collect();
        let train = table.part(&places, &split.train, options.coding).unwrap();
        let counts = train.class.counts();
        let truth = split.test.iter().map(|&row| {
            let class = table.class.codes.get(row as usize).unwrap();
            if counts[class as usize] > 0 {
                class
            } else {
                u32::MAX
            }
        });
        let truth: Vec<u32> = truth.collect();
        let n_train = split.train.len() as f64;
        let (predicted, mut probabilities) = if places.is_empty() {
            // A table without columns has no rows.
            let largest = crate::classify::by_size_and_row(&counts, &train.class.codes)[0] as u32;
            let shares: Vec<f64> = counts.iter().map(|&n| n as f64 / n_train).collect();
            (vec![largest; truth.len()], shares.repeat(truth.len()))
        } else {
            let model = Classifier::train(&train, &options.training, &Silent)
                .unwrap()
                .with_ties_by_row(&train.class.codes);
            let columns = places
                .iter()
                .map(|&place| table.features[place].column.take(&split.test));
            let test = Table::new(columns.collect()).unwrap();
            let prediction = model.predict(&test, &Silent).unwrap();
            (prediction.classes, prediction.probabilities)
        };
        let of_rows = probabilities.chunks_exact_mut(n_classes).zip(&truth);
        of_rows
            .filter(|(_, truth)| **truth != u32::MAX)
            .for_each(|(row, &truth)| row[truth as usize] += shift);
        let rows = PredictedRows {
            truth: &truth,
            predicted: &predicted,
            probabilities: &probabilities,
            n_classes,
        };
        options.measure.of(&rows, &stakes)
    });
    let values: Vec<f64> = values.flatten().collect();
    values.iter().sum::<f64>() / values.len() as f64
}

/// Whether rows are ranked: then the last digit of two sums that happen to be equal says which
/// comes first. The same leaf of a tree has the same probability.
fn is_ranking(options: &AccuracyOptions) -> bool {
    let ranks = ["auc", "average-precision"].contains(&options.measure.name);
    ranks && options.training.model != ModelKind::Id3
}

fn assert_as_measured(table: &CodedTable, options: &AccuracyOptions, what: &str) {
    let places: Vec<usize> = (0..table.features.len()).collect();
    let score = Accuracy::new(table, &places, options.clone()).unwrap();
    let sets = random_sets(places.len(), 6, 3);
    let values = score.evaluate(&sets, &Silent).unwrap();
    for (set, value) in sets.iter().zip(&values) {
        let shift = if is_ranking(options) { 1e-9 } else { 0.0 };
        let [low, high] = [-shift, shift].map(|shift| by_training(table, set, options, shift));
        assert!(
            (low - 1e-10..=high + 1e-10).contains(value),
            "{what} {}: {set} {value} {low} {high}",
            options.measure
        );
    }
    if is_ranking(options) {
        return;
    }
    let base = &sets[0];
    let (inside, outside): (Vec<usize>, Vec<usize>) =
        places.iter().partition(|&&feature| base.contains(feature));
    for candidates in [outside, inside] {
        let fresh = Accuracy::new(table, &places, options.clone()).unwrap();
        let values = fresh.change(base, &candidates, &Silent).unwrap();
        let whole = score.evaluate(&base.changed(&candidates), &Silent).unwrap();
        for (value, whole) in values.iter().zip(&whole) {
            assert!(
                (value - whole).abs() < 1e-10,
                "{what} {}: {value} {whole}",
                options.measure
            );
        }
    }
}

#[test]
fn every_measure_of_a_set_is_that_of_classifiers_trained_on_the_folds() {
    for n_classes in [2, 3] {
        let table = with_strangers(90, n_classes);
        for model in MODELS {
            // Probabilities on the edge of a bin go either way.
            let measures = MEASURES
                .iter()
                .filter(|measure| measure.name != "calibration");
            for measure in measures {
                let options = AccuracyOptions {
                    measure,
                    stakes: Some(costly(&table)),
                    ..options(model, CV)
                };
                assert_as_measured(&table, &options, &format!("{model} {n_classes}"));
            }
        }
    }
}

#[test]
fn numbers_and_gaps_have_the_probabilities_of_trained_classifiers() {
    let table = coded(&mixed(120, 3, 21), CodingOptions::default());
    for model in MODELS {
        for name in ["log-loss", "brier"] {
            let options = AccuracyOptions {
                measure: measure(name),
                ..options(model, CV)
            };
            assert_as_measured(&table, &options, model.name());
        }
    }
}

#[test]
fn impossible_values_have_the_probabilities_of_trained_classifiers() {
    let table = with_strangers(90, 2);
    for smoothing in [Smoothing::MaximumLikelihood, Smoothing::MarginalMixing(5.0)] {
        for model in [ModelKind::NaiveBayes, ModelKind::Tan] {
            let mut options = AccuracyOptions {
                measure: measure("log-loss"),
                ..options(model, CV)
            };
            options.training.smoothing = smoothing;
            assert_as_measured(&table, &options, &format!("{model} {smoothing:?}"));
        }
    }
}

#[test]
fn one_division_has_the_error_of_its_rows_where_the_measure_is_a_mean() {
    let table = with_strangers(90, 2);
    let places: Vec<usize> = (0..5).collect();
    let set = FeatureSet::empty(5);
    let estimate = |name: &str| {
        let options = AccuracyOptions {
            measure: measure(name),
            ..options(ModelKind::NaiveBayes, Estimate::Holdout)
        };
        let score = Accuracy::new(&table, &places, options).unwrap();
        score.estimate(&set, &Silent).unwrap().unwrap()
    };
    // Without a feature a row's loss is one of two numbers, a and b, and the mean says how many
    // rows have which: sd² = n/(n-1) · (mean - a)(b - mean).
    let division = RowDivision::new(Estimate::Holdout, None, 1, 90).unwrap();
    let split = division.splits(0, &table.class).unwrap().remove(0);
    let is_first = |row: &&u32| table.class.codes.get(**row as usize) == Some(0);
    let share = split.train.iter().filter(is_first).count() as f64 / 45.0;
    let (a, b) = (-share.ln(), -(1.0 - share).ln());
    let log_loss = estimate("log-loss");
    let variance = 45.0 / 44.0 * (log_loss.mean - a.min(b)) * (a.max(b) - log_loss.mean);
    assert!((log_loss.standard_error - (variance / 45.0).sqrt()).abs() < 1e-12);
    assert!(estimate("auc").standard_error.is_nan());
}

#[test]
fn a_measure_that_no_fold_has_is_refused() {
    // One row to a fold: nothing to be ranked.
    let table = with_strangers(30, 2);
    let leave_one_out = Estimate::CrossValidation {
        n_folds: 30,
        runs: Runs::Fixed(1),
    };
    let options = AccuracyOptions {
        measure: measure("auc"),
        ..options(ModelKind::NaiveBayes, leave_one_out)
    };
    let score = Accuracy::new(&table, &[0, 1], options).unwrap();
    let error = score.evaluate(&[FeatureSet::full(2)], &Silent).unwrap_err();
    assert_eq!(
        error.to_string(),
        "auc is not defined on the rows that models are tested on. Use fewer folds (cv), or \
         another measure."
    );
}

#[test]
fn scores_say_the_sense_of_their_measure() {
    let table = with_strangers(30, 2);
    let score = |name: &str| {
        let options = AccuracyOptions {
            measure: measure(name),
            stakes: Some(costly(&table)),
            ..options(ModelKind::NaiveBayes, CV)
        };
        Accuracy::new(&table, &[0, 1], options).unwrap()
    };
    let log_loss = score("log-loss");
    let said = (log_loss.name(), log_loss.unit(), log_loss.better());
    assert_eq!(said, ("log-loss", "nats", Better::Lower));
    assert!(log_loss.is_new_best(0.5, 0.502) && !log_loss.is_new_best(0.502, 0.5));
    assert_eq!(score("auc").better(), Better::Higher);
    // The largest cost is that of taking the first class for the second: 2 + 0.1.
    let cost = score("cost");
    assert!(!cost.is_new_best(0.5, 0.502) && cost.is_new_best(0.5, 0.5022));
    let empty = [FeatureSet::empty(2)];
    let nothing = |name: &str| {
        let score = score(name).without_guessing();
        score.evaluate(&empty, &Silent).unwrap()[0]
    };
    assert_eq!((nothing("accuracy"), nothing("auc")), (0.0, 0.0));
    assert_eq!((nothing("brier"), nothing("cost")), (2.0, 2.1));
    assert!((nothing("log-loss") - 36.0437).abs() < 1e-4);
}

#[test]
fn stakes_of_other_classes_are_refused() {
    let two = with_strangers(30, 2);
    let options = AccuracyOptions {
        stakes: Some(costly(&with_strangers(60, 3))),
        ..options(ModelKind::NaiveBayes, CV)
    };
    assert!(Accuracy::new(&two, &[0], options).is_err());
}
