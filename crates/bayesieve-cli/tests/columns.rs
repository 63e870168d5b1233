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
    folder.write("patients.csv", &patients(60));
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
    assert!(warnings.contains("--nominal"), "{warnings}");
    for more in [
        ["--nominal", "patient"],
        ["--features", "patient,smoker"],
        ["--keep", "patient"],
    ] {
        let document = run(&more).json();
        assert_ne!(reason(&document, "patient"), "identifier", "{more:?}");
    }
}
