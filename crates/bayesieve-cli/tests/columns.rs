//! What columns are taken for: identifiers, numbers in other notations, dates, headers, classes.

mod common;

use std::fmt::Write;

use common::Folder;
use serde_json::Value;

/// A table with a text of its own in every row beside two features.
fn patients(n_rows: usize) -> String {
    let mut text = String::from("patient,smoker,age,class\n");
    for row in 0..n_rows {
        let (smoker, class) = (["no", "yes"][row / 2 % 2], ["well", "ill"][row / 2 % 2]);
        writeln!(text, "p{row},{smoker},{}.5,{class}", 20 + row % 31).expect("a text grows");
    }
    text
}

fn reason<'d>(document: &'d Value, feature: &str) -> &'d Value {
    let dropped = document["dropped"].as_array().expect("a list");
    let found = dropped.iter().find(|one| one["feature"] == feature);
    found.map_or(&Value::Null, |one| &one["reason"])
}

#[test]
fn identifiers_are_set_aside_unless_they_are_named() {
    let folder = Folder::new();
    folder.write("patients.csv", patients(60));
    let run = |more: &[&str]| {
        let usual = [
            "select",
            "patients.csv",
            "--method",
            "mrmr",
            "--count",
            "3",
            "--json",
        ];
        folder.run(&[&usual[..], more].concat())
    };
    let ran = run(&[]);
    let document = ran.json();
    assert_eq!(reason(&document, "patient"), "identifier");
    assert_eq!(document["data"]["features"], 2);
    let warnings = document["warnings"].to_string();
    assert!(
        warnings.contains("60 distinct values in 60 rows"),
        "{warnings}"
    );
    assert!(warnings.contains("declare it nominal"), "{warnings}");
    for more in [
        ["--nominal", "patient"],
        ["--features", "patient,smoker"],
        ["--keep", "patient"],
    ] {
        let document = run(&more).json();
        assert_ne!(reason(&document, "patient"), "identifier", "{more:?}");
    }
}

/// Rows of two classes that differ in a number, written by `number`, and in nothing else.
fn written(delimiter: char, number: impl Fn(usize) -> String) -> String {
    let mut text = format!("x{delimiter}noise{delimiter}class\n");
    for row in 0..60 {
        let class = ["low", "high"][row / 30];
        let (number, noise) = (number(row), ["a", "b", "c"][row % 3]);
        writeln!(text, "{number}{delimiter}{noise}{delimiter}{class}").expect("a text grows");
    }
    text
}

#[test]
fn numbers_and_dates_are_read_as_a_whole_column_writes_them() {
    let folder = Folder::new();
    let day = |row: usize| format!("{:02}/{:02}/2022", 1 + row % 28, 1 + row / 28);
    let cases = [
        (
            "thousands",
            written(';', |row| format!("1,{:03}.50", row * 7)),
            "thousands separators",
        ),
        (
            "commas",
            written(';', |row| format!("{row},25")),
            "decimal commas",
        ),
        ("dates", written(',', day), "day/month/year"),
    ];
    for (name, text, note) in cases {
        let (data, model) = (format!("{name}.csv"), format!("{name}.json"));
        folder.write(&data, text);
        let ran = folder.run(&["describe", &data, "--json"]);
        assert_eq!(ran.json()["columns"][0]["kind"], "numeric", "{name}");
        assert!(ran.stderr.contains(note), "{name}: {}", ran.stderr);
        // The model reads the same notation again.
        let ran = folder.run(&["train", &data, "--model", "nb", "-o", &model]);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.stderr);
        let ran = folder.run(&["predict", &model, &data, "-o", "predicted.csv", "--json"]);
        assert_eq!(ran.json()["accuracy"], 1.0, "{name}: {}", ran.stdout);
    }
    let ran = folder.run(&["describe", "dates.csv", "--dates", "label", "--json"]);
    assert_eq!(ran.json()["columns"][0]["kind"], "nominal");
    let ran = folder.run(&["describe", "dates.csv", "--dates", "weeks"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}

#[test]
fn a_file_without_names_is_refused_and_read_where_that_is_said() {
    let folder = Folder::new();
    let mut text = String::new();
    for row in 0..30 {
        let class = ["no", "yes"][row / 15];
        writeln!(text, "{}.5,{}.25,{class}", row, row * 7 % 30).expect("a text grows");
    }
    folder.write("bare.csv", text);
    let ran = folder.run(&["describe", "bare.csv"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("--no-header"), "{}", ran.stderr);
    let document = folder
        .run(&["describe", "bare.csv", "--no-header", "--json"])
        .json();
    assert_eq!(document["rows"], 30);
    assert_eq!(document["class"], "column3");
    let usual = [
        "train",
        "bare.csv",
        "--no-header",
        "--model",
        "nb",
        "-o",
        "m.json",
    ];
    assert_eq!(folder.run(&usual).code, Some(0));
    let ran = folder.run(&[
        "predict",
        "m.json",
        "bare.csv",
        "--no-header",
        "-o",
        "p.csv",
        "--json",
    ]);
    assert_eq!(ran.json()["accuracy"], 1.0, "{}", ran.stdout);
}

#[test]
fn a_class_of_many_numbers_is_cut_into_bins_where_that_is_said() {
    let folder = Folder::new();
    let mut text = String::from("x,price\n");
    for row in 0..60 {
        writeln!(text, "{},{}.5", ["a", "b", "c"][row / 20], row * row).expect("a text grows");
    }
    folder.write("prices.csv", text);
    let ran = folder.run(&["select", "prices.csv"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("--bins"), "{}", ran.stderr);
    let document = folder
        .run(&["describe", "prices.csv", "--bins", "3", "--json"])
        .json();
    let counts = document["class_counts"].as_object().expect("an object");
    assert!(
        counts.len() == 3 && counts.values().all(|n| n == 20),
        "{counts:?}"
    );
    for bins in ["1", "many"] {
        let ran = folder.run(&["describe", "prices.csv", "--bins", bins]);
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    }
    let ran = folder.run(&["count", "prices.csv", "--bins", "3", "-o", "counts"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}
