//! Model files, selection files and the details of the commands that use them.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod common;

use common::{Folder, Ran};
use serde_json::{Value, json};

fn with_data() -> Folder {
    let folder = Folder::new();
    let ran = folder.run(&["generate", "example1", "--rows", "320", "-o", "e.csv"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    folder
}

fn read_json(folder: &Folder, name: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder.path(name)).unwrap()).unwrap()
}

fn succeeds(ran: &Ran) -> &str {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    &ran.stderr
}

#[test]
fn a_broken_model_names_its_file_and_the_way_out() {
    let folder = with_data();
    succeeds(&folder.run(&["train", "e.csv", "-o", "m.json"]));
    let mut model = read_json(&folder, "m.json");
    model["settings"]["divisor"] = json!("n+1");
    folder.write("bad.json", model.to_string());
    folder
        .run(&["predict", "bad.json", "e.csv"])
        .fails(3, &["bad.json", "\"n+1\"", "Train the model again."]);
    model["model"] = json!("nb");
    model["settings"]["divisor"] = json!("n");
    folder.write("bad.json", model.to_string());
    folder
        .run(&["predict", "bad.json", "e.csv"])
        .fails(3, &["bad.json", "nb", "Train the model again."]);
    folder.write("bytes.json", b"\xff\xfe");
    folder
        .run(&["predict", "bytes.json", "e.csv"])
        .fails(3, &["bytes.json", "no model file", "`train` wrote"]);
}

#[test]
fn empty_cells_are_those_of_training() {
    let folder = Folder::new();
    folder.write("t.csv", "a,class\n1.5,x\n-9,x\n2.5,y\n1.25,x\n2.75,y\n");
    folder.write("p.csv", "a\n-9\n2.5\n");
    let train = ["train", "t.csv", "--model", "nb", "--discretize", "none"];
    succeeds(&folder.run(&[&train[..], &["--na", "-9", "-o", "m.json"]].concat()));
    succeeds(&folder.run(&[&train[..], &["-o", "usual.json"]].concat()));
    let ran = folder.run(&["predict", "m.json", "p.csv", "--proba=false"]);
    assert_eq!(ran.stdout, "predicted\nx\ny\n");
    let notes = succeeds(&ran);
    assert!(notes.contains("as in training: \"NaN\", \"-9\""), "{notes}");
    assert!(notes.contains("a: 1 missing cell"), "{notes}");
    // What the user says now wins, and needs no note.
    let ran = folder.run(&["predict", "m.json", "p.csv", "--na", ""]);
    let notes = succeeds(&ran);
    assert!(!notes.contains("as in training"), "{notes}");
    assert!(!notes.contains("missing cell"), "{notes}");
    // The usual cells need no note either.
    let ran = folder.run(&["predict", "usual.json", "p.csv"]);
    assert!(!succeeds(&ran).contains("as in training"), "{}", ran.stderr);
}

#[test]
fn an_output_that_cannot_be_written_is_refused_before_the_data_are_read() {
    let folder = Folder::new();
    // There are no data: whoever reads them first fails with 3.
    let train = |options: &[&str]| folder.run(&[&["train", "absent.csv"], options].concat());
    train(&["-o", "no/m.json"]).fails(1, &["no/m.json", "folder does not exist"]);
    train(&["--model", "id3", "--format", "bif", "-o", "t.bif"]).fails(2, &["no network"]);
    train(&["-o", "m.bif"]).fails(2, &["m.bif", ".bif", "--format bif"]);
    train(&["--format", "bif", "-o", "m.net"]).fails(2, &["--format net", ".bif"]);
    train(&["-o", "m.csv"]).fails(2, &["m.csv", "end in .json"]);
    train(&["-o", "-"]).fails(2, &["-o -", "Name the file"]);
    train(&["-o", "m.json"]).fails(3, &["absent.csv"]);
    let convert = |file: &str| folder.run(&["network", "convert", "absent.bif", "-o", file]);
    convert("m.txt").fails(2, &["m.txt", ".bif, .xml"]);
    convert("no/m.net").fails(1, &["no/m.net"]);
    convert("-").fails(2, &["-o -", "Name the file"]);
}

fn selection(kept: Value, class: &str) -> String {
    json!({
        "schema": "bayesieve.selection.v1",
        "data": {"rows": 320, "features": 8, "class": class, "classes": ["0", "1"]},
        "method": "mdl-fs", "model": "nb", "search": "forward",
        "settings": {"auxiliary": "tree"}, "seed": 1, "kept": kept,
        "steps": [{"action": "add", "feature": "A2", "score": 0.0}],
    })
    .to_string()
}

#[test]
fn a_model_remembers_the_selection_that_led_to_it() {
    let folder = with_data();
    folder.write("s.json", selection(json!(["A6", "A2"]), "C"));
    succeeds(&folder.run(&["train", "e.csv", "--selection", "s.json", "-o", "m.json"]));
    let remembered = &read_json(&folder, "m.json")["selection"];
    assert_eq!(remembered["method"], "mdl-fs");
    assert_eq!(remembered["kept"], json!(["A6", "A2"]));
    assert_eq!(remembered["settings"], json!({"auxiliary": "tree"}));
    assert!(remembered.get("steps").is_none());
    succeeds(&folder.run(&["predict", "m.json", "e.csv"]));
}

#[test]
fn a_selection_that_does_not_fit_is_named_with_what_is_wrong() {
    let folder = with_data();
    let train = |text: &str, options: &[&str]| {
        folder.write("s.json", text);
        let train = ["train", "e.csv", "--selection", "s.json", "-o", "m.json"];
        folder.run(&[&train[..], options].concat())
    };
    let cases = [
        ("no JSON".into(), "no selection file"),
        ("[]".into(), "no selection file"),
        ("{}".into(), "names no schema"),
        (
            "{\"schema\": \"bayesieve.model.v1\"}".into(),
            "\"bayesieve.model.v1\"",
        ),
        (
            "{\"schema\": \"bayesieve.selection.v9\"}".into(),
            "this version reads",
        ),
        (
            "{\"schema\": \"bayesieve.selection.v1\"}".into(),
            "no list \"kept\"",
        ),
        (selection(json!([]), "C"), "keeps no feature"),
        (selection(json!([7]), "C"), "no name"),
        (selection(json!(["A2", "A2"]), "C"), "\"A2\" twice"),
        (
            selection(json!(["A2", "A99"]), "C"),
            "\"A99\", which is no column",
        ),
        (selection(json!(["A2", "C"]), "C"), "which is the class"),
        (
            selection(json!(["A2"]), "A1"),
            "the class \"A1\", but the class is \"C\"",
        ),
    ];
    for (text, words) in cases {
        train(&text, &[]).fails(3, &["s.json", words, ". "]);
    }
    let ignoring = train(&selection(json!(["A2", "A6"]), "C"), &["--ignore", "A6"]);
    ignoring.fails(2, &["s.json", "\"A6\", which --ignore names"]);
    let other = train(&selection(json!(["A2"]), "A1"), &["--class", "A1"]);
    assert_eq!(other.code, Some(0), "{}", other.stderr);
    folder
        .run(&[
            "train",
            "e.csv",
            "--selection",
            "none.json",
            "-o",
            "m2.json",
        ])
        .fails(3, &["none.json", "no such file"]);
}

#[test]
fn settings_that_mean_nothing_are_refused() {
    let folder = with_data();
    let train = |settings: &[&str]| {
        let mut arguments = vec!["train", "e.csv", "--model", "k2", "-o", "m.json"];
        settings.iter().for_each(|s| arguments.extend(["--set", s]));
        folder.run(&arguments)
    };
    train(&["parents=2.7"]).fails(2, &["parents=2.7", "whole number"]);
    train(&["smoothing=ml", "alpha=2"]).fails(2, &["ml has no alpha"]);
    train(&["parents=2", "parents=3"]).fails(2, &["parents is given twice"]);
    folder.write("gap.csv", "a,class\nu,x\n,y\nu,x\n");
    let ran = folder.run(&["train", "gap.csv", "--missing", "refuse", "-o", "m.json"]);
    ran.fails(3, &["gap.csv", "--missing value or drop"]);
    assert!(!ran.stderr.contains("available"), "{}", ran.stderr);
}

#[test]
fn all_numeric_leaves_the_class_alone() {
    let folder = Folder::new();
    folder.write("t.csv", "a,kind,b\n1,x,7\n2,y,8\n1,x,7\n2,y,8\n");
    let train = ["train", "t.csv", "--class", "kind", "--numeric", "all"];
    let options = ["--discretize", "none", "--model", "nb", "-o", "m.json"];
    succeeds(&folder.run(&[&train[..], &options].concat()));
    assert_eq!(
        read_json(&folder, "m.json")["features"][1]["kind"],
        "numeric"
    );
    let ran = folder.run(&["predict", "m.json", "t.csv", "--numeric", "all"]);
    assert!(succeeds(&ran).contains("accuracy 1.0000"), "{}", ran.stderr);
}

#[test]
fn the_class_is_found_in_another_letter_case() {
    let folder = Folder::new();
    folder.write("t.csv", "a,class\nu,x\nv,y\nu,x\nv,y\n");
    folder.write("p.csv", "a,CLASS\nu,x\nv,y\n");
    folder.write("two.csv", "a,CLASS,Class\nu,x,x\nv,y,y\n");
    succeeds(&folder.run(&["train", "t.csv", "--model", "nb", "-o", "m.json"]));
    let ran = folder.run(&["predict", "m.json", "p.csv"]);
    let notes = succeeds(&ran);
    assert!(
        notes.contains("the class \"class\" is taken to be \"CLASS\""),
        "{notes}"
    );
    assert!(notes.contains("accuracy 1.0000"), "{notes}");
    let ran = folder.run(&["predict", "m.json", "two.csv"]);
    assert!(!succeeds(&ran).contains("accuracy"), "{}", ran.stderr);
}

#[test]
fn notes_and_hints_name_the_right_columns() {
    let folder = Folder::new();
    let rows: String = (0..40)
        .map(|row| format!("{},{},{}\n", row % 2, row / 2 % 2, ["x", "y"][row % 2]))
        .collect();
    folder.write("t.csv", format!("a1,a2,class\n{rows}"));
    folder.write("p.csv", "a1,a2\n0,\n1,zzz\n");
    folder.write("q.csv", "a2,class\n0,x\n");
    folder.write("r.csv", "b1,a2,class\n0,0,x\n");
    // a2 tells nothing: a tree never asks for it.
    succeeds(&folder.run(&["train", "t.csv", "--model", "id3", "-o", "m.json"]));
    let ran = folder.run(&["predict", "m.json", "p.csv", "--proba", "false"]);
    assert_eq!(succeeds(&ran), "");
    assert_eq!(ran.stdout, "predicted\nx\ny\n");
    let ran = folder.run(&["predict", "m.json", "q.csv"]);
    ran.fails(3, &["\"a1\"", "--absent sum-out"]);
    folder
        .run(&["predict", "m.json", "r.csv"])
        .fails(3, &["Is \"a1\" called \"b1\" here?"]);
}

#[test]
fn swapped_and_mistaken_files_are_explained() {
    let folder = with_data();
    succeeds(&folder.run(&["train", "e.csv", "-o", "m.json"]));
    folder
        .run(&["predict", "e.csv", "m.json"])
        .fails(3, &["e.csv", "m.json is", "model first"]);
    folder
        .run(&["network", "info", "m.json"])
        .fails(3, &["m.json", "model file", "export its network"]);
    let ran = folder.run(&["predict", "--proba", "m.json", "e.csv"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("--proba=false"), "{}", ran.stderr);
}

#[test]
fn documents_count_in_integers_and_say_how_long_it_took() {
    let folder = with_data();
    let documents = [
        folder.run(&["train", "e.csv", "-o", "m.json", "--json"]),
        folder.run(&["train", "e.csv", "--format", "bif", "-o", "n.bif", "--json"]),
        folder.run(&["predict", "m.json", "e.csv", "-o", "p.csv", "--json"]),
        folder.run(&["network", "info", "n.bif", "--json"]),
        folder.run(&["network", "boundary", "n.bif", "C", "--json"]),
        folder.run(&["network", "sample", "n.bif", "-o", "s.csv", "--json"]),
        folder.run(&["network", "convert", "n.bif", "-o", "n.net", "--json"]),
        folder.run(&["generate", "led24", "-o", "l.csv", "--json"]),
        folder.run(&["describe", "e.csv", "--json"]),
        folder.run(&["methods", "--json"]),
    ];
    for ran in &documents {
        let document = ran.json();
        for part in ["read", "run"] {
            assert!(document["seconds"][part].is_number(), "{document}");
        }
    }
    // TAN over 8 features of 2 values: 2 for the root, 4 for each of the others, 1 prior.
    assert_eq!(documents[0].json()["parameters"].as_u64(), Some(31));
    assert_eq!(documents[3].json()["parameters"].as_u64(), Some(31));
    assert_eq!(documents[6].json()["arcs"].as_u64(), Some(15));
}

#[test]
fn a_conversion_says_what_it_wrote() {
    let folder = with_data();
    succeeds(&folder.run(&["train", "e.csv", "--format", "bif", "-o", "n.bif"]));
    let convert = ["network", "convert", "n.bif", "-o", "n.net"];
    let ran = folder.run(&convert);
    assert_eq!(succeeds(&ran), "note: wrote 9 nodes and 15 arcs to n.net\n");
    let ran = folder.run(&[&convert[..], &["--quiet"]].concat());
    assert_eq!(succeeds(&ran), "");
}

#[test]
fn large_numbers_of_small_spread_survive_the_file() {
    // 1e15 + 0..6: a sum of squares would lose the spread, and so would 15 digits in the file.
    let folder = Folder::new();
    let rows = |values: &[u64], class: &str| -> String {
        let row = |x: &u64| format!("{}.5,{class}\n", 1_000_000_000_000_000 + x);
        values.iter().map(row).collect()
    };
    let text = format!(
        "a,class\n{}{}",
        rows(&[0, 1, 2], "x"),
        rows(&[4, 5, 6], "y")
    );
    folder.write("t.csv", text);
    let train = ["train", "t.csv", "--model", "nb", "--discretize", "none"];
    succeeds(&folder.run(&[&train[..], &["-o", "m.json"]].concat()));
    // Means 1e15 + 1.5 and 1e15 + 5.5, variances (1 + 0 + 1) / 2 = 1.
    let moments = &read_json(&folder, "m.json")["network"]["gaussians"][0];
    let mean = |class: usize| moments["means"][class].as_f64().unwrap() - 1e15;
    assert_eq!((mean(0), mean(1)), (1.5, 5.5));
    assert_eq!(moments["variances"], json!([1.0, 1.0]));
    let ran = folder.run(&["predict", "m.json", "t.csv"]);
    assert!(succeeds(&ran).contains("accuracy 1.0000"), "{}", ran.stderr);
    // At 1e15 + 2.5, 1 from the mean of x and 3 from that of y: odds exp((9 - 1) / 2).
    let line = ran.stdout.lines().nth(3).unwrap();
    let p: f64 = line.split(',').nth(1).unwrap().parse().unwrap();
    assert!((p - 1.0 / (1.0 + (-4f64).exp())).abs() < 1e-12, "{line}");
}
