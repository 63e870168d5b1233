//! The worked examples of the papers, through the public call: every order and number.
//!
//! Example 1 of Drugan and Wiering, 2010, rebuilt: 32 rows of eight features and a class,
//! repeated where more rows are said. Numbers of information do not depend on the
//! repetition.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests stop at the first surprise"
)]

use bayesieve::Silent;
use bayesieve::classify::ModelKind;
use bayesieve::data::{CodedTable, CodingOptions, Generator, RoleOptions, Roles};
use bayesieve::search::{Limits, Search};
use bayesieve::select::{Method, SelectOptions, Selection, select};

const NB: ModelKind = ModelKind::NaiveBayes;
const TAN: ModelKind = ModelKind::Tan;

fn example1(n_rows: usize) -> CodedTable {
    let table = Generator::Example1.generate(n_rows, 1).unwrap();
    let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
    CodedTable::new(&table, &roles, CodingOptions::default()).unwrap()
}

fn options(method: &str) -> SelectOptions {
    SelectOptions::new(Method::named(method).unwrap()).unwrap()
}

fn with(method: &str, settings: &[&str]) -> SelectOptions {
    options(method)
        .with_settings(settings.iter().copied())
        .unwrap()
}

fn run(n_rows: usize, options: &SelectOptions) -> Selection {
    select(&example1(n_rows), options, &Limits::new(&Silent)).unwrap()
}

/// The steps as the features' numbers, and their values as text.
fn trace(selection: &Selection, digits: usize) -> Vec<(String, String)> {
    let steps = selection.steps.iter();
    steps
        .map(|step| (step.feature.clone(), format!("{:.digits$}", step.score)))
        .collect()
}

fn same_trace(selection: &Selection, digits: usize, expected: &[(&str, &str)]) {
    let expected: Vec<(String, String)> = expected
        .iter()
        .map(|(feature, value)| ((*feature).to_owned(), (*value).to_owned()))
        .collect();
    assert_eq!(trace(selection, digits), expected, "{}", selection.method);
}

#[test]
fn description_lengths_keep_what_the_paper_says() {
    let kept = |n_rows: usize, method: &str, model: ModelKind, search: Search| {
        let options = options(method).with_model(model).unwrap();
        let options = options.with_search(search).unwrap();
        let selection = run(n_rows, &options);
        let names: Vec<String> = selection.kept.iter().map(|k| k.feature.clone()).collect();
        (names.join(" "), format!("{:.4}", selection.value))
    };
    let forward = Search::named("forward").unwrap();
    let subset = |found: (String, String)| found.0;
    let (names, value) = kept(3200, "mdl-fs", NB, forward);
    assert_eq!((names.as_str(), value.as_str()), ("A2 A6", "1165.9962"));
    let (names, value) = kept(3200, "mdl-fs", TAN, forward);
    assert_eq!(
        (names.as_str(), value.as_str()),
        ("A2 A6 A1 A4", "299.2041")
    );
    assert_eq!(subset(kept(3200, "mdl", NB, forward)), "A2 A8 A6 A3");
    let (names, value) = kept(3200, "mdl", TAN, forward);
    assert_eq!(
        (names.as_str(), value.as_str()),
        ("A2 A8 A3 A6 A1 A4", "18349.4582")
    );
    let (names, value) = kept(3200, "mdl", TAN, Search::named("backward").unwrap());
    assert_eq!(
        (names.as_str(), value.as_str()),
        ("A1 A2 A3 A4 A5 A6 A7 A8", "15184.3898")
    );
    // With few rows tables cost more.
    assert_eq!(subset(kept(32, "mdl", NB, forward)), "A2 A8 A6");
    assert_eq!(subset(kept(32, "mdl-fs", NB, forward)), "A2 A6");
    assert_eq!(subset(kept(32, "mdl-fs", TAN, forward)), "A2");
}

#[test]
fn cfs_walks_as_in_the_example() {
    let best_first = run(32, &options("cfs"));
    assert_eq!(best_first.kept_names(), ["A2", "A6"]);
    assert_eq!(format!("{:.6}", best_first.value), "0.506104");
    // The empty set is scored too: it is where the walk starts.
    assert_eq!(best_first.n_evaluations, 38 + 1);
    let forward = run(
        32,
        &options("cfs")
            .with_search(Search::named("forward").unwrap())
            .unwrap(),
    );
    same_trace(&forward, 6, &[("A6", "0.433356"), ("A2", "0.506104")]);
}

#[test]
fn koller_sahami_deletes_as_in_the_example() {
    let one = run(32, &options("koller-sahami"));
    let deleted: Vec<&str> = one.steps.iter().map(|step| step.feature.as_str()).collect();
    assert_eq!(deleted, ["A1", "A2", "A3", "A4", "A5", "A7"]);
    assert!(one.steps.iter().all(|step| step.score.abs() < 1e-9));
    assert_eq!(one.kept_names(), ["A6", "A8"]);
    let none = run(32, &with("koller-sahami", &["k=0"]));
    let deleted: Vec<&str> = none
        .steps
        .iter()
        .map(|step| step.feature.as_str())
        .collect();
    assert_eq!(deleted, ["A1", "A4", "A5", "A7"]);
    // A3 would be next, but tells 0.07376.
    let next = run(32, &with("koller-sahami", &["k=0", "gamma=0.0738"]));
    assert_eq!(next.steps.len(), 5);
    assert_eq!(format!("{:.5}", next.steps[4].score), "0.07376");
}

#[test]
fn rankers_rank_as_in_the_example() {
    let ranked = |method: &str| run(32, &options(method).with_count(8).unwrap());
    same_trace(
        &ranked("mrmr"),
        6,
        &[
            ("A2", "0.311278"),
            ("A6", "0.155639"),
            ("A5", "0.000000"),
            ("A3", "-0.040125"),
            ("A1", "-0.034481"),
            ("A8", "0.021437"),
            ("A4", "-0.022988"),
            ("A7", "-0.142857"),
        ],
    );
    same_trace(
        &ranked("mrmr-miq"),
        6,
        &[
            ("A2", "0.311278"),
            ("A6", "2.128429"),
            ("A8", "0.547098"),
            ("A3", "0.338905"),
            ("A1", "0.000000"),
            ("A4", "0.000000"),
            ("A5", "0.000000"),
            ("A7", "0.000000"),
        ],
    );
    let jmi = ranked("jmi");
    same_trace(
        &Selection {
            steps: jmi.steps[..7].to_vec(),
            ..jmi.clone()
        },
        6,
        &[
            ("A2", "0.311278"),
            ("A6", "0.466917"),
            ("A8", "0.778195"),
            ("A1", "1.028195"),
            ("A4", "1.339473"),
            ("A3", "1.107022"),
            ("A5", "0.989882"),
        ],
    );
    assert_eq!(jmi.steps[7].feature, "A7");
    let cmim = ranked("cmim");
    assert_eq!(
        trace(&cmim, 6)[..2],
        [
            ("A2".to_owned(), "0.311278".to_owned()),
            ("A6".to_owned(), "0.155639".to_owned()),
        ]
    );
    assert!(cmim.steps[2..].iter().all(|step| step.score.abs() < 1e-9));
    assert_eq!(run(32, &options("fcbf")).kept_names(), ["A6", "A2"]);
}

#[test]
fn relief_f_weighs_as_in_the_example() {
    let weights = |k: &str| {
        let options = with("relief-f", &[k]).with_count(8).unwrap();
        let mut weights = trace(&run(32, &options), 5);
        weights.sort();
        weights
            .into_iter()
            .map(|(_, weight)| weight)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        weights("k=10"),
        [
            "0.02589", "0.42500", "0.20714", "0.02589", "0.13214", "0.35714", "0.13214", "0.42500"
        ]
    );
    assert_eq!(
        weights("k=1"),
        [
            "0.37500", "0.50000", "-0.50000", "0.37500", "0.00000", "0.25000", "0.00000", "0.50000"
        ]
    );
}

#[test]
fn info_as_adds_as_in_the_example() {
    same_trace(
        &run(32, &options("cig-as")),
        6,
        &[
            ("A2", "0.311278"),
            ("A6", "0.155639"),
            ("A1", "0.094361"),
            ("A4", "0.250000"),
        ],
    );
    same_trace(
        &run(32, &options("cgr-as")),
        6,
        &[
            ("A6", "0.540073"),
            ("A2", "0.201088"),
            ("A1", "0.111754"),
            ("A4", "0.333333"),
        ],
    );
    same_trace(
        &run(32, &options("cdc-as")),
        6,
        &[
            ("A6", "0.276614"),
            ("A2", "0.143690"),
            ("A1", "0.086225"),
            ("A4", "0.333333"),
        ],
    );
    let tested = with("cig-as", &["stop=chi2"]);
    assert_eq!(run(32, &tested).kept_names(), ["A2", "A6"]);
    assert_eq!(run(320, &tested).kept_names(), ["A2", "A6", "A1", "A4"]);
}
