use serde::Deserialize;
use std::collections::BTreeMap;

use super::*;
use crate::data::Nominal;

/// Twenty random problems of two to four classes, half of them with ties, and what scikit-learn
/// 1.9 makes of them; the calibration error by the bins of its `calibration_curve`.
const PROBLEMS: &str = include_str!("scikit_learn.json");

#[derive(Deserialize)]
struct Problem {
    positive: usize,
    truth: Vec<u32>,
    probabilities: Vec<Vec<f64>>,
    costs: Vec<Vec<f64>>,
    values: BTreeMap<String, f64>,
}

fn labels(n: usize) -> Vec<String> {
    (0..n).map(|class| class.to_string()).collect()
}

fn largest(probabilities: &[f64]) -> u32 {
    let places = 0..probabilities.len();
    let best = places.reduce(|best, next| {
        if probabilities[next] > probabilities[best] {
            next
        } else {
            best
        }
    });
    best.unwrap_or(0) as u32
}

#[test]
fn every_measure_is_that_of_scikit_learn() {
    let problems: Vec<Problem> = serde_json::from_str(PROBLEMS).unwrap();
    assert_eq!(problems.len(), 20);
    for problem in problems {
        let n_classes = problem.costs.len();
        let labels = labels(n_classes);
        let costs = CostTable {
            predicted: labels.clone(),
            rows: labels.iter().cloned().zip(problem.costs).collect(),
        };
        let stakes = Stakes::new(&vec![1; n_classes])
            .with_positive(&labels[problem.positive], &labels)
            .unwrap()
            .with_costs(costs.matrix(&labels).unwrap());
        let predicted: Vec<u32> = problem.probabilities.iter().map(|p| largest(p)).collect();
        let rows = PredictedRows {
            truth: &problem.truth,
            predicted: &predicted,
            probabilities: &problem.probabilities.concat(),
            n_classes,
        };
        let values = MeasuredValues::new(&rows, &stakes);
        assert_eq!(values.iter().count(), MEASURES.len());
        for (measure, value) in values.iter() {
            let expected = problem.values[measure.key];
            assert!(
                (value - expected).abs() < 1e-12,
                "{measure}: {value} {expected}"
            );
        }
    }
}

#[test]
fn classes_unknown_to_the_model_are_wrong_and_have_no_probability() {
    let rows = PredictedRows {
        truth: &[0, UNKNOWN],
        predicted: &[0, 1],
        probabilities: &[0.75, 0.25, 0.5, 0.5],
        n_classes: 2,
    };
    let values = MeasuredValues::new(&rows, &Stakes::new(&[1, 1]));
    assert_eq!(values.get(Measure::ACCURACY), Some(0.5));
    assert_eq!(values.get(Measure::DEFAULT), Some(-0.75f64.ln()));
    assert_eq!(rows.confusion(), [[1, 0], [0, 0]]);
}

#[test]
fn what_is_not_defined_has_no_value() {
    let rows = PredictedRows {
        truth: &[0, 0],
        predicted: &[0, 0],
        probabilities: &[1.0, 0.0, 1.0, 0.0],
        n_classes: 2,
    };
    let values = MeasuredValues::new(&rows, &Stakes::new(&[2, 0]));
    let of = |name: &str| values.get(name.parse::<&Measure>().unwrap());
    assert_eq!((of("auc"), of("cost")), (None, None));
    assert_eq!(of("accuracy"), Some(1.0));
}

#[test]
fn the_rarest_class_is_positive_and_of_equals_the_last() {
    assert_eq!(Stakes::new(&[5, 3, 3]).positive(), 2);
    assert_eq!(Stakes::new(&[1, 0, 4]).positive(), 0);
    let labels = ["bad".to_owned(), "good".to_owned()];
    let named = Stakes::new(&[1, 2]).with_positive("good", &labels).unwrap();
    assert_eq!(named.positive(), 1);
    let error = Stakes::new(&[1, 2])
        .with_positive("goood", &labels)
        .unwrap_err();
    assert!(error.to_string().contains("\"good\""), "{error}");
}

#[test]
fn names_of_scikit_learn_are_understood() {
    for (name, key) in [
        ("neg_log_loss", "log_loss"),
        ("roc_auc", "auc"),
        ("balanced_accuracy", "balanced_accuracy"),
        ("average-precision", "average_precision"),
    ] {
        assert_eq!(name.parse::<&Measure>().unwrap().key, key);
    }
    assert!(
        "acuracy"
            .parse::<&Measure>()
            .unwrap_err()
            .to_string()
            .contains("accuracy")
    );
}

#[test]
fn costs_must_name_every_class_once() {
    let table = |predicted: &[&str], truths: &[&str]| CostTable {
        predicted: predicted.iter().map(|&name| name.to_owned()).collect(),
        rows: truths
            .iter()
            .map(|&name| (name.to_owned(), vec![0.0, 1.0]))
            .collect(),
    };
    let labels = ["a".to_owned(), "b".to_owned()];
    let matrix = table(&["b", "a"], &["a", "b"]).matrix(&labels).unwrap();
    assert_eq!((matrix.of(0, 0), matrix.of(0, 1)), (1.0, 0.0));
    assert!(table(&["a", "b"], &["a"]).matrix(&labels).is_err());
    assert!(table(&["a", "a"], &["a", "b"]).matrix(&labels).is_err());
    assert!(table(&["a", "c"], &["a", "b"]).matrix(&labels).is_err());
}

#[test]
fn stakes_of_some_classes_follow_the_labels() {
    let nominal = |labels: &[&str]| Nominal::from_labels(labels.iter().copied().map(Some));
    let all = nominal(&["a", "b", "c", "c"]);
    let costs = CostTable {
        predicted: ["a", "b", "c"].map(String::from).to_vec(),
        rows: ["a", "b", "c"]
            .iter()
            .zip([[0.0, 1.0, 2.0], [3.0, 0.0, 4.0], [5.0, 6.0, 0.0]])
            .map(|(label, costs)| ((*label).to_owned(), costs.to_vec()))
            .collect(),
    };
    let labels = all.domain.labels();
    let stakes = Stakes::new(&all.counts())
        .with_positive("c", labels)
        .unwrap();
    let stakes = stakes.with_costs(costs.matrix(labels).unwrap());
    let some = stakes.among(&all, &nominal(&["a", "c"]));
    assert_eq!(some.positive(), 1);
    assert_eq!(some.costs().unwrap().costs(), [0.0, 2.0, 5.0, 0.0]);
    assert!(some.fit(2) && !some.fit(3) && stakes.fit(3));
    // Without the positive class the rarest is.
    assert_eq!(stakes.among(&all, &nominal(&["a", "a", "b"])).positive(), 1);
}
