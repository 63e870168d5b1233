//! Predicting rows by naive Bayes and TAN, against one product of table cells per row.
//!
//! `cargo bench --bench predict`

mod common;

use bayesieve::Silent;
use bayesieve::classify::{Classifier, ModelKind, TrainOptions};
use bayesieve::data::Table;
use bayesieve::network::Network;
use common::{Size, W1, W3, Workload, coded, fastest, growth_of_w1, on_one_thread, report};

fn main() {
    on_one_thread(|| {
        for model in [ModelKind::NaiveBayes, ModelKind::Tan] {
            for size in [W1, W3] {
                compare(size, model);
            }
            let time = |size| {
                let table = Workload::new(size).table();
                let classifier = train(&table, model);
                fastest(3, || {
                    classifier.predict(&table, &Silent).expect("predicted")
                })
                .0
            };
            growth_of_w1(time);
        }
    });
}

fn train(table: &Table, model: ModelKind) -> Classifier {
    Classifier::train(&coded(table).1, &TrainOptions::new(model), &Silent).expect("a model")
}

fn compare(size: Size, model: ModelKind) {
    let work = Workload::new(size);
    let table = work.table();
    let classifier = train(&table, model);
    let network = classifier.network().expect("a network");
    let (slow, expected) = fastest(1, || plain(network, &work));
    let (seconds, prediction) = fastest(3, || {
        classifier.predict(&table, &Silent).expect("predicted")
    });
    let n_different = prediction
        .classes
        .iter()
        .zip(&expected)
        .filter(|(ours, plain)| ours != plain)
        .count();
    assert!(
        n_different <= size.n_rows / 100_000,
        "{n_different} rows differ"
    );
    let what = format!("{}: predict {} rows by {model}", size.name, size.n_rows);
    report(&what, seconds, slow);
}

/// The plain way: for every row and class the sum of the logs of all tables.
fn plain(network: &Network, work: &Workload) -> Vec<u32> {
    let n_features = work.columns.len();
    let mut values = vec![0; n_features + 1];
    let mut parents = Vec::new();
    (0..work.class.len())
        .map(|row| {
            (0..n_features).for_each(|f| values[f] = u32::from(work.bytes(f)[row]));
            let mut best = (f64::NEG_INFINITY, 0);
            for class in 0..work.n_classes as u32 {
                values[n_features] = class;
                let mut score = 0.0;
                for node in 0..=n_features {
                    parents.clear();
                    parents.extend(network.dag().parents(node).iter().map(|&p| values[p]));
                    score += network.table(node).row(&parents)[values[node] as usize].ln();
                }
                if score > best.0 {
                    best = (score, class);
                }
            }
            best.1
        })
        .collect()
}
