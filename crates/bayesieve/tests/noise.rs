//! Nothing is learned from test rows: on noise every method is right as often as chance.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests stop at the first surprise"
)]

use bayesieve::Silent;
use bayesieve::data::{
    CodingOptions, Column, KindOrigin, Nominal, RoleOptions, Roles, Table, Values,
};
use bayesieve::evaluate::{ComparisonStudy, DataSet, Pipeline, Quantity, conduct};
use bayesieve::random::{Purpose, below, normal, stream};
use bayesieve::search::Limits;
use bayesieve::select::METHODS;

const N_ROWS: usize = 120;

/// Features and a class of two labels, all of them drawn apart from each other.
fn noise(n_features: usize, has_numbers: bool) -> Table {
    let mut rng = stream(7, Purpose::Generate, u32::from(has_numbers));
    let mut column = |name: &str, is_number: bool| {
        let values = if is_number {
            Values::Numeric((0..N_ROWS).map(|_| normal(&mut rng)).collect())
        } else {
            let bits = (0..N_ROWS).map(|_| ["no", "yes"][below(&mut rng, 2) as usize]);
            let bits: Vec<&str> = bits.collect();
            Values::Nominal(Nominal::from_labels(bits.iter().map(|&bit| Some(bit))))
        };
        Column::new(name, values, KindOrigin::Derived)
    };
    let mut columns: Vec<Column> = (0..n_features)
        .map(|f| column(&format!("f{f}"), has_numbers))
        .collect();
    columns.push(column("class", false));
    Table::new(columns).unwrap()
}

fn data(has_numbers: bool) -> DataSet {
    let table = noise(12, has_numbers);
    let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
    let protocol = "holdout:40:2/3".parse().unwrap();
    DataSet::new("noise", (table, roles), CodingOptions::default(), protocol).unwrap()
}

/// Mean accuracy on test rows, and that by the method's own estimate.
fn accuracies(names: &[String], has_numbers: bool) -> Vec<(String, f64, Option<f64>)> {
    let pipelines = names.iter().map(|name| Pipeline::named(name).unwrap());
    let study = ComparisonStudy::of_all(vec![data(has_numbers)], pipelines.collect(), 1);
    let comparison = study.comparison(conduct(&study, None, &Limits::new(&Silent)).unwrap());
    let entries = comparison.entries.iter();
    entries
        .map(|entry| {
            let accuracy = entry.mean_sd(Quantity::ACCURACY).unwrap().mean;
            let name = comparison.pipelines[entry.pipeline].name.clone();
            (name, accuracy, entry.inner_accuracy())
        })
        .collect()
}

/// Every method, with what it chooses by or trains; populations small, for the time's sake.
fn pipelines() -> Vec<String> {
    let names = METHODS.iter().map(|method| match method.name {
        "fss-ebna" => "fss-ebna/nb,population=20".to_owned(),
        name => name.to_owned(),
    });
    names.collect()
}

#[test]
fn every_method_guesses_on_noise_and_own_estimates_flatter() {
    for has_numbers in [false, true] {
        let found = accuracies(&pipelines(), has_numbers);
        assert_eq!(found.len(), METHODS.len());
        let mut flattery = Vec::new();
        for (name, accuracy, inner) in &found {
            // The mean over 40 splits of the same 120 rows; about 0.05 is what the rows
            // themselves may lie off by chance.
            assert!((0.40..=0.60).contains(accuracy), "{name}: {accuracy}");
            // By how much the estimate that a search went by is above the truth.
            flattery.extend(inner.map(|inner| inner - accuracy));
        }
        let mean = flattery.iter().sum::<f64>() / flattery.len() as f64;
        assert!(flattery.len() >= 4, "{found:?}");
        assert!(mean > 0.02, "{found:?}");
        assert!(flattery.iter().all(|&more| more > 0.0), "{found:?}");
    }
}

#[test]
fn auto_guesses_too() {
    for (name, accuracy, _) in accuracies(&["auto/nb".to_owned()], false) {
        assert!((0.40..=0.60).contains(&accuracy), "{name}: {accuracy}");
    }
}
