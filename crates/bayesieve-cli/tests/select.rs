//! `select` and `score` from outside: results, files, and what they refuse.

mod common;

use common::Folder;
use serde_json::Value;

/// Example 1 of the MDL-FS paper with 3,200 rows.
fn example1(folder: &Folder) -> &'static str {
    let ran = folder.run(&["generate", "example1", "--rows", "3200", "-o", "e.csv"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    "e.csv"
}

fn names(list: &Value) -> Vec<&str> {
    let list = list.as_array().expect("a list");
    list.iter().filter_map(Value::as_str).collect()
}

#[test]
fn example_1_gives_the_document_of_its_worked_numbers() {
    let folder = Folder::new();
    let data = example1(&folder);
    let ran = folder.run(&[
        "select", data, "--class", "C", "--method", "mdl-fs", "--model", "nb", "--json",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let document = ran.json();
    assert_eq!(document["schema"], "bayesieve.selection.v1");
    assert_eq!(names(&document["kept"]), ["A2", "A6"]);
    let value = document["score"]["value"].as_f64().expect("a number");
    assert!((value - 1165.9962).abs() < 5e-5);
    assert_eq!(document["score"]["better"], "smaller");
    assert_eq!(document["method"], "mdl-fs");
    assert_eq!(document["model"], "nb");
    assert_eq!(document["search"], "forward");
    assert_eq!(document["settings"]["auxiliary"], "tree");
    assert_eq!(document["data"]["features"], 8);
    assert_eq!(names(&document["data"]["classes"]), ["0", "1"]);
    assert_eq!(document["steps"][0]["feature"], "A2");
    assert_eq!(document["stop"]["reason"], "no-improvement");
    assert_eq!(document["evaluations"], 1 + 8 + 7 + 6);
    let a3 = &document["dropped"][1];
    assert_eq!(a3["feature"], "A3");
    assert_eq!(a3["reason"], "redundant");
    assert_eq!(a3["level"], 1);
    assert_eq!(names(&a3["given"]), ["A2"]);
    // log2(3200) / 6400 * 2 values of A2.
    let price = a3["price_bits"].as_f64().expect("a number");
    assert!((price - 3200f64.log2() / 3200.0).abs() < 1e-12);
    assert!(document["seconds"]["read"].is_number());
}

#[test]
fn every_feature_has_its_place_also_what_the_user_left_out() {
    let folder = Folder::new();
    let data = example1(&folder);
    let ran = folder.run(&[
        "select", data, "--method", "mdl-fs", "--ignore", "A2", "--keep", "A5", "--json",
    ]);
    let document = ran.json();
    let kept = names(&document["kept"]);
    assert_eq!(kept[0], "A5");
    assert!(kept.contains(&"A8") && !kept.contains(&"A2"));
    let dropped = document["dropped"].as_array().expect("a list");
    assert_eq!(kept.len() + dropped.len(), 8);
    let last = dropped.last().expect("something is dropped");
    assert_eq!(last["feature"], "A2");
    assert_eq!(last["reason"], "excluded-by-user");
    assert_eq!(document["data"]["features"], 7);
    let candidates = ["A1", "A3", "A4", "A5", "A6", "A7", "A8"];
    assert_eq!(names(&document["data"]["columns"]), candidates);
}

#[test]
fn a_selection_trains_a_model() {
    let folder = Folder::new();
    let data = example1(&folder);
    let ran = folder.run(&["select", data, "--method", "mdl-fs", "-o", "selection.json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("it says the same as A2 in every row"));
    let ran = folder.run(&[
        "train",
        data,
        "--selection",
        "selection.json",
        "-o",
        "model.json",
        "--json",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let ran = folder.run(&["predict", "model.json", data, "--json", "-o", "out.csv"]);
    assert_eq!(ran.json()["accuracy"], 1.0);
}

#[test]
fn what_cannot_be_asked_for_is_said_with_the_way_out() {
    let folder = Folder::new();
    let data = example1(&folder);
    let cases: [(&[&str], &str); 15] = [
        (&["--method", "mdlfs"], "mdl-fs"),
        (&["--model", "id3"], "nb or tan"),
        (&["--search", "upward"], "forward"),
        (&["--count", "3", "--method", "rpdmb"], "mrmr"),
        (&["--set", "auxiliary=forest"], "own-tree"),
        (&["--set", "auxilary=tree"], "auxiliary"),
        (
            &["--set", "auxiliary=tree", "--set", "auxiliary=tree"],
            "twice",
        ),
        (&["--keep", "A9"], "A9"),
        (&["--keep", "C"], "class"),
        (&["--keep", "A1", "--ignore", "A1"], "--ignore"),
        (&["--keep", "A1,A1"], "twice"),
        (&["--missing", "available"], "available"),
        (&["--budget", "30"], "unit"),
        (&["--budget", "0s"], "unit"),
        (&["-o", "e.csv"], "overwrite"),
    ];
    for (options, hint) in cases {
        let mut arguments = vec!["select", data];
        arguments.extend(options);
        if !options.contains(&"--method") {
            arguments.extend(["--method", "mdl-fs"]);
        }
        let ran = folder.run(&arguments);
        assert_eq!(ran.code, Some(2), "{options:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(hint), "{options:?}: {}", ran.stderr);
        assert!(ran.stdout.is_empty());
    }
}

#[test]
fn data_that_tell_nothing_are_an_error_or_an_empty_selection() {
    let folder = Folder::new();
    folder.write("one.csv", "a,class\n1,x\n2,x\n");
    let ran = folder.run(&["select", "one.csv"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("of one class") && ran.stderr.contains("one.csv"));
    folder.write("row.csv", "a,class\n1,x\n");
    assert_eq!(folder.run(&["select", "row.csv"]).code, Some(3));
    // A constant column and one without any cell: both out, nothing kept.
    folder.write("flat.csv", "a,b,class\n1,,x\n1,,y\n1,,x\n1,,y\n");
    let ran = folder.run(&["select", "flat.csv", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let document = ran.json();
    assert_eq!(document["kept"].as_array().map(Vec::len), Some(0));
    assert_eq!(document["dropped"][0]["reason"], "constant");
    assert_eq!(document["dropped"][1]["reason"], "constant");
}

#[test]
fn numbers_without_bins_are_refused_by_methods_that_count() {
    let folder = Folder::new();
    folder.run(&["generate", "waveform40", "--rows", "60", "-o", "w.csv"]);
    let ran = folder.run(&[
        "select",
        "w.csv",
        "--method",
        "mdl-fs",
        "--discretize",
        "none",
    ]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("--discretize none"), "{}", ran.stderr);
    let ran = folder.run(&[
        "select",
        "w.csv",
        "--discretize",
        "none",
        "--method",
        "all",
        "--json",
    ]);
    assert_eq!(ran.json()["kept"].as_array().map(Vec::len), Some(40));
}

#[test]
fn names_cannot_break_the_table() {
    let folder = Folder::new();
    let mut text = String::from("<script>,\"a\nb\",class\n");
    (0..64).for_each(|row| text += &format!("{},{},{}\n", row % 2, row % 3, row % 2));
    folder.write("odd.csv", text);
    let ran = folder.run(&["select", "odd.csv"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("<script>") && ran.stdout.contains("a\\nb"));
}

#[test]
fn a_score_has_every_term() {
    let folder = Folder::new();
    let data = example1(&folder);
    let ran = folder.run(&[
        "score",
        data,
        "--features",
        "A2,A6",
        "--model",
        "nb",
        "--json",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let document = ran.json();
    let number = |name: &str| document[name].as_f64().expect("a number");
    assert_eq!(document["schema"], "bayesieve.score.v1");
    assert_eq!(number("parameters"), 5.0);
    assert_eq!(number("isolated_parameters"), 6.0);
    assert!((number("mdl") - 24260.1312).abs() < 5e-5);
    assert!((number("mdl_fs") - 1165.9962).abs() < 5e-5);
    assert!((number("call_per_row_without_class") - 0.4669).abs() < 5e-5);
    assert!((number("cfs_merit") - 0.5061).abs() < 5e-5);
    assert_eq!(
        document["auxiliary_tree"],
        serde_json::json!([["A2", "A6"]])
    );
    assert_eq!(document["accuracy"]["train"], 0.875);
    assert_eq!(document["accuracy"]["folds"], 10);
}

#[test]
fn many_sets_are_scored_by_names_or_bits() {
    let folder = Folder::new();
    let data = example1(&folder);
    folder.write("sets.txt", "A2,A6\n01000100\n\nnone\n");
    let ran = folder.run(&[
        "score",
        data,
        "--subsets",
        "sets.txt",
        "--json",
        "--cv",
        "0",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let document = ran.json();
    let sets = document["subsets"].as_array().expect("a list");
    assert_eq!(sets.len(), 4);
    assert_eq!(sets[0]["mdl"], sets[1]["mdl"]);
    assert_eq!(sets[2], sets[3]);
    assert!(sets[0]["accuracy"].is_null());
    assert!(document["warnings"].is_array());
    // A byte order mark, as some editors write it, is no part of a name.
    folder.write("mark.txt", "\u{feff}A2,A6\n");
    let ran = folder.run(&["score", data, "--subsets", "mark.txt", "--cv", "0"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for (line, hint) in [("A2,B9", "B9"), ("0101", "4 bits"), ("C", "class")] {
        folder.write("bad.txt", format!("A2\n{line}\n"));
        let ran = folder.run(&["score", data, "--subsets", "bad.txt"]);
        assert_ne!(ran.code, Some(0));
        assert!(
            ran.stderr.contains(hint) && ran.stderr.contains("line 2"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn given_folds_are_used() {
    let folder = Folder::new();
    let mut text = String::from("a,class\n");
    // In fold 0 the feature says the class, in fold 1 the opposite: a model of one is
    // wrong on all of the other.
    for row in 0..40 {
        let (a, fold) = (row % 2, row / 20);
        text += &format!("{a},{}\n", a ^ fold);
    }
    folder.write("d.csv", text);
    let folds: String = (0..40).map(|row| format!("{}\n", row / 20)).collect();
    folder.write("folds.txt", folds);
    let ran = folder.run(&[
        "score",
        "d.csv",
        "--features",
        "a",
        "--folds",
        "folds.txt",
        "--json",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.json()["accuracy"]["cv"], 0.0);
    assert_eq!(ran.json()["accuracy"]["folds"], 2);
    folder.write("short.txt", "1\n2\n");
    let ran = folder.run(&["score", "d.csv", "--features", "a", "--folds", "short.txt"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
}

#[test]
fn one_row_is_wrong_data_not_wrong_usage() {
    let folder = Folder::new();
    folder.write("one.csv", "a,class\n1,x\n");
    for cv in ["10", "0"] {
        let ran = folder.run(&["score", "one.csv", "--cv", cv]);
        assert_eq!(ran.code, Some(3), "{}", ran.stderr);
        assert!(ran.stderr.contains("two"), "{}", ran.stderr);
    }
}

#[test]
fn boundary_methods_say_roles_evidence_and_what_separates() {
    let folder = Folder::new();
    let data = example1(&folder);
    let run = |method: &str| {
        let ran = folder.run(&["select", data, "--method", method, "--json"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.json()
    };
    for method in ["iamb", "inter-iamb"] {
        let document = run(method);
        assert_eq!(names(&document["kept"]), ["A1", "A2", "A4"]);
        assert_eq!(
            names(&document["boundary"]["open"]),
            ["A1", "A2", "A4"],
            "{method}"
        );
        assert_eq!(names(&document["boundary"]["parents"]), [""; 0]);
        let a2 = &document["kept_features"][1];
        assert_eq!(names(&a2["given"]), ["A1", "A4"]);
        // 2 N ln 2 times half a bit.
        let statistic = a2["statistic"].as_f64().expect("a number");
        assert!((statistic - 3200.0 * 2f64.ln()).abs() < 1e-8);
        assert_eq!(a2["degrees_of_freedom"], 4.0);
        let a8 = &document["dropped"][4];
        assert_eq!(a8["reason"], "duplicate");
        let a6 = &document["dropped"][2];
        assert_eq!(a6["reason"], "not-in-boundary");
        assert_eq!(a6["p"], 1.0);
        assert_eq!(names(&a6["given"]), ["A1", "A2", "A4"]);
    }
    for method in ["hiton-mb", "mmmb"] {
        let document = run(method);
        assert_eq!(names(&document["boundary"]["children"]), ["A6"]);
        assert_eq!(names(&document["boundary"]["spouses"]), ["A1"]);
        assert_eq!(names(&document["boundary"]["siblings"]), ["A2"]);
        let graph = &document["graph"];
        assert_eq!(names(&graph["arcs"][1]), ["C", "A6"]);
        assert_eq!(names(&graph["edges"][0]), ["A2", "C"]);
    }
    let others = run("cfs");
    assert!(others.get("boundary").is_none() && others.get("graph").is_none());
    let page = folder.run(&["select", data, "--method", "mmmb"]).stdout;
    assert!(page.contains("spouse"), "{page}");
    assert!(page.contains("given A6"), "{page}");
}

#[test]
fn shuffled_classes_never_do_as_well_where_features_decide_the_class() {
    let folder = Folder::new();
    let data = example1(&folder);
    let select = ["select", data, "--method", "mdl-fs", "--permutations"];
    let ran = folder.run(&[&select[..], &["9", "--json"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let test = &ran.json()["permutations"];
    assert_eq!(test["n"], 9);
    assert_eq!(test["as_good"], 0);
    assert_eq!(test["p"], 0.1);
    assert!(test["kept_mean"].as_f64().is_some_and(|kept| kept < 4.0));
    let ran = folder.run(&[&select[..], &["9"]].concat());
    let line = "shuffled classes do as well in 0 of 9 (p = 0.100)";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
    let ran = folder.run(&[&select[..], &["0"]].concat());
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    let ran = folder.run(&["select", data, "--permutations", "9"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("--permutations"), "{}", ran.stderr);
}

#[test]
fn a_recoded_column_is_a_duplicate_that_says_so() {
    let folder = Folder::new();
    let mut text = String::from("education,initial,class\n");
    for row in 0..60 {
        let (name, initial) = [("none", "n"), ("school", "s"), ("college", "c")][row % 3];
        text += &format!("{name},{initial},{}\n", row % 3 == 2 || row % 12 == 0);
    }
    folder.write("schooling.csv", &text);
    let mrmr = ["--method", "mrmr", "--count", "1", "--json"];
    for method in [&mrmr[..], &["--json"]] {
        let ran = folder.run(&[&["select", "schooling.csv"][..], method].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let document = ran.json();
        assert_eq!(names(&document["kept"]), ["education"]);
        let initial = &document["dropped"][0];
        assert_eq!(initial["reason"], "duplicate");
        assert_eq!(initial["recoding"], true);
        assert_eq!(initial["text"], "it recodes education, value for value");
    }
}
