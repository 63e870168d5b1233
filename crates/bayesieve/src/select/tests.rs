//! What all selections have in common.

use super::testing::{Run, coded, run_without_time};
use super::*;
use crate::classify::ModelKind;
use crate::data::MissingPolicy;
use crate::score::testing::example1;

fn run(table: &CodedTable, options: &SelectOptions) -> Selection {
    select(table, options, &Limits::new(&Silent)).unwrap()
}

fn options(method: &str) -> SelectOptions {
    SelectOptions::new(Method::named(method).unwrap()).unwrap()
}

#[test]
fn every_feature_is_kept_or_dropped_and_says_why() {
    let table = example1(3200);
    let selection = run(
        &table,
        &options("mdl-fs").with_model(ModelKind::NaiveBayes).unwrap(),
    );
    assert_eq!(selection.kept_names(), ["A2", "A6"]);
    assert_eq!(format!("{:.4}", selection.value), "1165.9962");
    let reasons: Vec<(&str, &str)> = selection
        .dropped
        .iter()
        .map(|dropped| (dropped.feature.as_str(), dropped.reason.name()))
        .collect();
    assert_eq!(
        reasons,
        [
            ("A1", "irrelevant"),
            ("A3", "redundant"),
            ("A4", "irrelevant"),
            ("A5", "irrelevant"),
            ("A7", "irrelevant"),
            ("A8", "duplicate"),
        ]
    );
    // A3 = A2 or U: with A2 known it tells nothing.
    assert_eq!(selection.dropped[1].reason.parts().given, ["A2"]);
    assert_eq!(
        selection.dropped[1].reason.parts().numbers[0],
        ("gain_bits", 0.0)
    );
}

#[test]
fn kept_features_tell_alone_and_given_the_rest() {
    // {A2, A6}: I(A6;C|A2) = 0.155639; I(A2;C|A6) = I(A2,A6;C) - I(A6;C)
    //   = 0.466917 - 0.293564.
    let selection = run(
        &example1(3200),
        &options("mdl-fs").with_model(ModelKind::NaiveBayes).unwrap(),
    );
    let bits: Vec<(String, String)> = selection
        .kept
        .iter()
        .map(|kept| {
            let text = |bits: Option<f64>| format!("{:.6}", bits.unwrap());
            (text(kept.alone_bits), text(kept.given_rest_bits))
        })
        .collect();
    assert_eq!(bits[0], ("0.311278".into(), "0.173353".into()));
    assert_eq!(bits[1], ("0.293564".into(), "0.155639".into()));
}

#[test]
fn what_must_stay_stays() {
    let mut options = options("mdl-fs").with_model(ModelKind::NaiveBayes).unwrap();
    options.keep = vec!["A5".into()];
    let selection = run(&example1(3200), &options);
    assert_eq!(selection.kept_names(), ["A5", "A2", "A6"]);
    options.keep = vec!["A9".into()];
    let limits = Limits::new(&Silent);
    let error = select(&example1(32), &options, &limits).unwrap_err();
    assert!(error.to_string().contains("A9"), "{error}");
    options.keep = vec!["C".into()];
    assert!(select(&example1(32), &options, &limits).is_err());
}

#[test]
fn one_class_tells_nothing() {
    let mut table = example1(32);
    table.class = Nominal::from_labels((0..32).map(|_| Some("only")));
    let error = select(&table, &options("mdl"), &Limits::new(&Silent)).unwrap_err();
    let message = r#"all rows are of one class, "only": there is nothing to tell"#;
    assert!(error.to_string().contains(message), "{error}");
}

#[test]
fn numbers_that_no_cut_divides_are_not_called_constant() {
    let mut text = String::from("noise,same,signal,class\n");
    for row in 0..100 {
        let noise = (row * 37) % 100;
        text += &format!("{noise}.5,x,{},{}\n", row % 2, row % 2);
    }
    let table = coded(&text);
    let selection = run(&table, &options("mdl-fs"));
    assert_eq!(selection.kept_names(), ["signal"]);
    let sentence = |place: usize| selection.dropped[place].reason.sentence();
    assert!(sentence(0).contains("no cut"), "{}", sentence(0));
    assert!(
        sentence(1).contains("two different values"),
        "{}",
        sentence(1)
    );
    assert_eq!(
        run(&table, &options("all")).kept_names(),
        ["noise", "signal"]
    );
}

fn reason_of<'s>(selection: &'s Selection, feature: &str) -> &'s Reason {
    let mut dropped = selection.dropped.iter();
    let found = dropped.find(|dropped| dropped.feature == feature);
    &found.unwrap().reason
}

/// Methods that rank features one after the other.
const RANKERS: [&str; 5] = ["mrmr", "jmi", "cmim", "fcbf", "relief-f"];

#[test]
fn what_a_run_had_no_time_for_is_not_called_outranked_by_others() {
    // A2 tells 0.3113 bits, so that it is out for no other reason than the time.
    for method in RANKERS.into_iter().chain(["cig-as", "cgr-as", "cdc-as"]) {
        let selection = run_without_time(&example1(320), &Run::of(method));
        assert!(selection.kept.is_empty(), "{method}");
        assert_eq!(*reason_of(&selection, "A2"), Reason::NotReached, "{method}");
    }
}

#[test]
fn features_that_must_stay_outrank_nobody() {
    // A5 tells nothing about the class, A2 0.3113 bits; yet the one place is A5's.
    for method in RANKERS {
        let mut options = options(method).with_count(1).unwrap();
        options.keep = vec!["A5".into()];
        let selection = run(&example1(320), &options);
        assert_eq!(selection.kept_names(), ["A5"], "{method}");
        let reason = reason_of(&selection, "A2");
        assert_eq!(*reason, Reason::NotReached, "{method}");
    }
}

#[test]
fn what_a_test_stopped_names_the_test() {
    // At level 0 everything could be chance. I(A2;C) = 0.311278 is the most, I(A6;C) =
    // 0.293564 comes next.
    let options = options("cig-as")
        .with_settings(["stop=chi2", "alpha=0"])
        .unwrap();
    let selection = run(&example1(320), &options);
    assert!(selection.kept.is_empty());
    let begins = |feature: &str, text: &str| {
        let sentence = reason_of(&selection, feature).sentence();
        assert!(sentence.starts_with(text), "{sentence}");
    };
    begins("A2", "its value, 0.3113, could be chance: p = ");
    begins(
        "A6",
        "its value is 0.2936; even the best one left, 0.3113, could be chance: p = ",
    );
}

#[test]
fn features_that_agree_where_both_are_known_are_no_copies_with_gaps_open() {
    // b is empty where a is known, but for two rows, in which they agree.
    let mut text = String::from("a,b,class\n");
    for row in 0..80 {
        let class = row % 2;
        let known = if row % 20 < 2 { 1 - class } else { class };
        text += &match row {
            0 | 1 => format!("{class},{class},{class}\n"),
            _ if row % 4 < 2 => format!("{known},,{class}\n"),
            _ => format!(",{class},{class}\n"),
        };
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.csv");
    std::fs::write(&path, text).unwrap();
    let reading = crate::data::ReadOptions::default();
    let table = crate::data::read_table(&path, &reading, &Silent).unwrap();
    let roles = crate::data::Roles::resolve(&table, &Default::default()).unwrap();
    let coding = crate::data::CodingOptions {
        missing: MissingPolicy::Available,
        ..Default::default()
    };
    let table = CodedTable::new(&table, &roles, coding).unwrap();
    let options = options("mrmr").with_coding(coding);
    let selection = run(&table, &options.unwrap().with_count(1).unwrap());
    assert_eq!(selection.kept_names(), ["b"]);
    assert_ne!(reason_of(&selection, "a").name(), "duplicate");
}
