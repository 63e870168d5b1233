//! Documents of small results, written and read again.

use serde_json::{Value, json};

use super::*;
use crate::Silent;
use crate::classify::ModelKind;
use crate::data::{
    CodedTable, CodingOptions, Column, Discretizer, Generator, KindOrigin, Nominal, RoleOptions,
    Roles, Table, Values,
};
use crate::describe::{Levels, describe};
use crate::evaluate::{Comparison, ComparisonStudy, DataSet, Pipeline, conduct};
use crate::measure::Measure;
use crate::score::testing::example1;
use crate::search::Limits;
use crate::select::{
    AutoCandidate, AutoReport, Method, Reason, RunnerUp, SelectOptions, Selection, select,
};

const NO_TIME: Seconds = Seconds {
    read: 0.0,
    run: 0.0,
};

/// Columns of labels, the class last.
fn labeled(columns: &[(&str, Vec<String>)]) -> (Table, Roles) {
    let columns = columns.iter().map(|(name, labels)| {
        let labels = labels.iter().map(|label| Some(label.as_str()));
        let values = Values::Nominal(Nominal::from_labels(labels));
        Column::new(*name, values, KindOrigin::Text)
    });
    let table = Table::new(columns.collect()).unwrap();
    let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
    (table, roles)
}

fn selected(table: &CodedTable) -> Selection {
    let method = Method::named("mdl-fs").unwrap();
    let options = SelectOptions::new(method).unwrap();
    select(table, &options, &Limits::new(&Silent)).unwrap()
}

fn written(selected: &Selection) -> Value {
    selection(selected, CodingOptions::default(), NO_TIME)
}

fn read_again(document: &Value) -> SelectionFile {
    SelectionFile::from_json(&to_text(document).unwrap()).unwrap()
}

#[test]
fn a_selection_names_every_candidate_in_column_order() {
    let mut selected = selected(&example1(320));
    selected.exclude([("left out".to_owned(), Reason::ExcludedByUser)]);
    let document = written(&selected);
    // In order of entry, A2 before A1.
    assert_eq!(document["kept"], json!(["A2", "A6", "A1", "A4"]));
    let all = ["A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8"];
    assert_eq!(document["data"]["columns"], json!(all));
    assert_eq!(document["data"]["features"], 8);
}

#[test]
fn columns_that_no_method_looks_at_are_named_too() {
    let labels: Vec<String> = (0..16).map(|row| format!("v{}", row % 2)).collect();
    let one = vec!["1".to_owned(); 16];
    let (table, roles) = labeled(&[("a", labels.clone()), ("constant", one), ("class", labels)]);
    let coded = CodedTable::new(&table, &roles, CodingOptions::default()).unwrap();
    let document = written(&selected(&coded));
    assert_eq!(document["data"]["columns"], json!(["a", "constant"]));
    assert_eq!(document["dropped"][0]["reason"], "constant");
}

#[test]
fn numbers_that_do_not_exist_are_null() {
    let mut selected = selected(&example1(320));
    selected.start = f64::NAN;
    selected.steps[0].score = f64::INFINITY;
    let document = written(&selected);
    assert_eq!(document["score"]["start"], Value::Null);
    assert_eq!(document["steps"][0]["score"], Value::Null);
    assert_eq!(document["score"]["value"], selected.value);
}

#[test]
fn a_selection_that_was_written_is_read_again() {
    let file = read_again(&written(&selected(&example1(320))));
    assert_eq!(file.kept(), ["A2", "A6", "A1", "A4"]);
    assert_eq!(file.model(), Some(ModelKind::Tan));
    assert_eq!(file.coding_note(CodingOptions::default()), None);
    let other = CodingOptions {
        discretizer: Discretizer::None,
        ..CodingOptions::default()
    };
    assert_eq!(
        file.coding_note(other).as_deref(),
        Some("the selection was made with discretize mdlp, this model with none")
    );
}

#[test]
fn a_model_remembers_neither_steps_nor_the_names_of_all_candidates() {
    let file = read_again(&written(&selected(&example1(320))));
    let remembered = file.remembered();
    assert_eq!(remembered["kept"], json!(["A2", "A6", "A1", "A4"]));
    let data = json!({"rows": 320, "features": 8, "class": "C", "classes": ["0", "1"]});
    assert_eq!(remembered["data"], data);
    assert_eq!(remembered.get("steps"), None);
}

#[test]
fn a_choice_by_the_data_trains_the_model_that_it_took() {
    let candidate = |name: &str, model| AutoCandidate {
        name: name.into(),
        method: "cfs",
        model,
        accuracy: Some(0.75),
        log_loss: Some(0.5),
        value: Some(0.5),
        n_kept: Some(4),
        ..AutoCandidate::default()
    };
    let mut selected = selected(&example1(320));
    selected.auto = Some(AutoReport {
        chosen: 1,
        candidates: vec![candidate("cfs/tan", "tan"), candidate("cfs/nb", "nb")],
        not_tried: Vec::new(),
        n_folds: 10,
        accuracy: 0.75,
        standard_error: f64::NAN,
        confusion: vec![vec![3, 1], vec![0, 0]],
        corrected: None,
        is_cut_short: true,
        is_of_one_method: false,
        measure: Measure::LOG_LOSS,
        tolerance: None,
        runner_up: Some(RunnerUp {
            name: "cfs/nb".into(),
            features: vec!["A2".into()],
            log_loss: 0.6,
            accuracy: 0.7,
            accuracy_difference: -0.05,
            difference: 0.125,
        }),
    });
    selected.n_folds = Some(10);
    selected.kept[0].kept_in_folds = Some(9);
    let document = written(&selected);
    assert_eq!(document["method"], "auto");
    let auto = &document["auto"];
    assert_eq!(
        (&auto["chosen"], &auto["complete"]),
        (&json!("cfs/nb"), &json!(false))
    );
    assert_eq!(auto["standard_error"], Value::Null);
    // All four rows are of the first class.
    assert_eq!(auto["accuracy_of_guessing"], 1.0);
    assert_eq!(document["measure"], "log_loss");
    let candidate = &auto["candidates"][1];
    assert_eq!(candidate["size"], 4);
    assert_eq!(
        candidate["measures"],
        json!({"log_loss": 0.5, "accuracy": 0.75})
    );
    // 0.5 and 0.125 more; a feature.
    assert_eq!(auto["runner_up"]["difference"], 0.125);
    assert_eq!(auto["runner_up"]["size"], 1);
    assert_eq!(document["kept_features"][0]["kept_in_folds"], 9);
    assert_eq!(document["kept_features"][0]["folds"], 10);
    assert_eq!(read_again(&document).model(), Some(ModelKind::NaiveBayes));
}

#[test]
fn messages_name_the_file_where_there_is_one() {
    let text = to_text(&written(&selected(&example1(320)))).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.json");
    std::fs::write(&path, &text).unwrap();
    let label = vec!["x".to_owned()];
    let (table, roles) = labeled(&[("A2", label.clone()), ("class", label)]);
    let message = |file: &SelectionFile| file.check(&table, &roles).unwrap_err().to_string();
    let plain = message(&SelectionFile::from_json(&text).unwrap());
    assert_eq!(
        plain,
        "the selection was made for the class \"C\", but the class is \"class\". \
         Name that class (class), or select again."
    );
    let named = message(&SelectionFile::read(&path).unwrap());
    assert_eq!(named, format!("{}: {plain}", path.display()));
    std::fs::write(&path, "[]").unwrap();
    let error = SelectionFile::read(&path).unwrap_err().to_string();
    let start = format!("{}: this is no selection file", path.display());
    assert!(error.starts_with(&start), "{error}");
    let error = SelectionFile::from_json("[]").unwrap_err().to_string();
    assert!(error.starts_with("this is no selection file"), "{error}");
}

#[test]
fn a_description_lists_fifty_labels_of_a_column() {
    let labels = (0..60).map(|row| format!("v{row:02}")).collect();
    let classes = (0..60).map(|row| format!("c{}", row % 2)).collect();
    let (table, roles) = labeled(&[("a", labels), ("class", classes)]);
    let coded = CodedTable::new(&table, &roles, CodingOptions::default()).unwrap();
    let described = describe(&coded, Levels::Auto, &Silent).unwrap();
    let document = description(&coded, &described, &["a note".into()], NO_TIME);
    let column = &document["columns"][0];
    assert_eq!(column["values"], 60);
    let labels = column["labels"].as_array().unwrap();
    assert_eq!((labels.len(), &labels[49]), (50, &json!("v49")));
    assert_eq!(document["warnings"], json!(["a note"]));
}

/// Two pipelines on two folds of Example 1.
fn compared() -> Comparison {
    let table = Generator::Example1.generate(320, 1).unwrap();
    let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
    let protocol = "cv:2".parse().unwrap();
    let data = DataSet::new("e", (table, roles), CodingOptions::default(), protocol).unwrap();
    let pipelines = ["all/nb", "mrmr:1/nb"].map(|name| Pipeline::named(name).unwrap());
    let study = ComparisonStudy::of_all(vec![data], pipelines.into(), 1);
    study.comparison(conduct(&study, None, &Limits::new(&Silent)).unwrap())
}

#[test]
fn a_comparison_says_why_it_ended() {
    let compared = compared();
    let ends = [
        (None, "finished"),
        (Some(Early::Budget), "budget"),
        (Some(Early::Interrupted), "interrupted"),
    ];
    for (early, reason) in ends {
        let shown = CompareOutcome {
            comparison: compared.clone(),
            test: None,
            alpha: 0.05,
            early,
            seconds: NO_TIME,
        };
        let document = shown.document().unwrap();
        assert_eq!(document["stop"]["reason"], reason);
    }
}

#[test]
fn a_comparison_names_what_every_run_kept_and_ranks_by_all_measures() {
    let shown = CompareOutcome {
        comparison: compared(),
        test: None,
        alpha: 0.05,
        early: None,
        seconds: NO_TIME,
    };
    let document = shown.document().unwrap();
    let all = ["A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8"];
    assert_eq!(document["runs"][0]["kept"], json!(all));
    // A2 tells most about the class, in every half.
    assert_eq!(document["runs"][3]["kept"], json!(["A2"]));
    let ranks = document["ranks"].as_array().unwrap().iter();
    let measures: Vec<&str> = ranks
        .map(|rank| rank["measure"].as_str().unwrap())
        .collect();
    let twice = |measure| [measure, measure];
    let expected = ["accuracy", "log_loss", "kept", "call_per_row_without_class"];
    assert_eq!(measures, expected.map(twice).concat());
}
