//! `compare` and `select --method auto` from outside.

mod common;

use common::Folder;
use serde_json::Value;

fn generated(folder: &Folder, name: &str, rows: &str, file: &str) {
    let ran = folder.run(&["generate", name, "--rows", rows, "-o", file]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

#[test]
fn the_document_has_runs_summaries_tests_and_ranks() {
    let folder = Folder::new();
    generated(&folder, "led24", "200", "led.csv");
    generated(&folder, "example1", "160", "e.csv");
    let ran = folder.run(&[
        "compare",
        "led.csv",
        "e.csv",
        "--pipeline",
        "all/nb",
        "--pipeline",
        "mrmr:2/tan",
        "--protocol",
        "cv:4",
        "--json",
        "-o",
        "c.json",
        "--runs",
        "runs.csv",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let document = ran.json();
    assert_eq!(document["schema"], "bayesieve.comparison.v1");
    assert_eq!(document["protocol"]["name"], "cv:4");
    let runs = list(&document["runs"]);
    assert_eq!(runs.len(), 2 * 2 * 4);
    let last = &runs[15];
    assert_eq!(
        (&last["data"], &last["method"], &last["model"]),
        (&"e".into(), &"mrmr".into(), &"tan".into())
    );
    assert_eq!((&last["run"], &last["fold"]), (&1.into(), &4.into()));
    assert_eq!(list(&last["kept"]).len(), 2);
    for name in [
        "accuracy",
        "log_loss",
        "call_per_row_without_class",
        "seconds",
    ] {
        assert!(last[name].is_number(), "{name}");
    }
    let summary = list(&document["summary"]);
    assert_eq!(summary.len(), 4);
    assert_eq!(summary[0]["kept"]["share"], 1.0);
    assert!(summary[0]["stability"].is_null() && summary[1]["stability"].is_number());
    let tests = list(&document["tests"]);
    let n_of = |name: &str| tests.iter().filter(|test| test["test"] == name).count();
    // One pair, two data sets, four measures; ranks over the data sets by four measures.
    assert_eq!(
        [n_of("paired-t"), n_of("corrected-t"), n_of("wilcoxon")],
        [8; 3]
    );
    assert_eq!(
        [n_of("friedman"), n_of("nemenyi"), n_of("5x2cv-f")],
        [4, 4, 0]
    );
    let ranks = list(&document["ranks"]);
    assert!(ranks.iter().any(|rank| rank["pipeline"] == "mrmr:2/tan"
        && rank["measure"] == "kept"
        && rank["average_rank"] == 1.0));
    let table = std::fs::read_to_string(folder.path("runs.csv")).expect("a file");
    assert_eq!(table.lines().count(), 17);
    assert!(table.starts_with("data,pipeline,method,model,run,fold,"));
}

#[test]
fn threads_and_interruptions_change_nothing_but_the_clock() {
    let folder = Folder::new();
    generated(&folder, "led24", "150", "led.csv");
    let run = |options: &[&str]| {
        let base = [
            "compare",
            "led.csv",
            "--methods",
            "mdl-fs,mrmr:5",
            "--protocol",
            "holdout:4:2/3",
            "--json",
        ];
        let ran = folder.run(&[&base[..], options].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let mut document = ran.json();
        let runs = document["runs"].as_array_mut().expect("a list");
        runs.iter_mut().for_each(|run| run["seconds"] = Value::Null);
        document["runs"].clone()
    };
    let plain = run(&["--threads", "1"]);
    assert_eq!(run(&["--threads", "3", "--checkpoint", "c.txt"]), plain);
    assert_eq!(run(&["--checkpoint", "c.txt", "--resume"]), plain);
}

#[test]
fn curves_have_a_point_for_every_size() {
    let folder = Folder::new();
    generated(&folder, "led24", "300", "led.csv");
    let curve = [
        "compare",
        "led.csv",
        "--pipeline",
        "all/nb",
        "--protocol",
        "split:200/100x3",
        "--learning-curve",
        "20,50,900",
    ];
    let ran = folder.run(&[&curve[..], &["--json"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let document = ran.json();
    let rows: Vec<&Value> = list(&document["learning_curves"])
        .iter()
        .map(|point| &point["training_rows"])
        .collect();
    assert_eq!(rows, [20, 50, 200]);
    let shown = folder.run(&curve).stdout;
    assert!(shown.contains("accuracy % from rows"), "{shown}");
}

#[test]
fn folds_of_a_file_are_the_splits() {
    let folder = Folder::new();
    generated(&folder, "example1", "96", "e.csv");
    folder.write("folds.txt", "1\n2\n3\n".repeat(32));
    let folds = ["compare", "e.csv", "--folds", "folds.txt", "--json"];
    let document = folder.run(&folds).json();
    let tested: Vec<&Value> = list(&document["runs"])[..3]
        .iter()
        .map(|run| &run["test_rows"])
        .collect();
    assert_eq!(tested, [32, 32, 32]);
    let two = ["compare", "e.csv", "e.csv", "--folds", "folds.txt"];
    folder.run(&two).fails(2, &["--folds is for one data set"]);
}

#[test]
fn wrong_words_are_refused_before_anything_is_read() {
    let folder = Folder::new();
    let cases: [(&[&str], &str); 12] = [
        (&["--pipeline", "mdl-sf/tan"], "mdl-fs"),
        (&["--pipeline", "all/nb", "--pipeline", "all/nb"], "twice"),
        (&["--pipeline", "all/nb", "--methods", "all"], "--methods"),
        (&["--methods", "all", "--models", "nbb"], "nb"),
        (&["--methods", ""], "method"),
        (&["--protocol", "cv:1"], "cv:10x3"),
        (&["--learning-curve", "9..3"], "25..2000"),
        (&["--set", "alhpa=1"], "alhpa"),
        (&["--set", "alpha"], "name=value"),
        (&["--test", "t"], "wilcoxon"),
        (&["--alpha", "2"], "0.5"),
        (&["-o", "x.csv", "--runs", "./x.csv"], "overwrite"),
    ];
    for (options, hint) in cases {
        let mut arguments = vec!["compare", "absent.csv"];
        arguments.extend(options);
        let ran = folder.run(&arguments);
        assert_eq!(ran.code, Some(2), "{options:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(hint), "{options:?}: {}", ran.stderr);
    }
    folder
        .run(&["compare", "absent.csv"])
        .fails(3, &["absent.csv"]);
    assert!(folder.files().is_empty());
}

#[test]
fn data_that_cannot_be_divided_are_named() {
    let folder = Folder::new();
    folder.write("few.csv", "a,class\n1,x\n2,y\n3,x\n");
    folder
        .run(&["compare", "few.csv"])
        .fails(2, &["few has 3 rows", "10 folds"]);
    folder.write("one.csv", "a,class\n1,x\n2,x\n3,x\n");
    folder
        .run(&["compare", "one.csv"])
        .fails(3, &["one.csv", "class"]);
    generated(&folder, "led24", "60", "led.csv");
    let curve = ["compare", "led.csv", "--learning-curve", "10..30"];
    folder.run(&curve).fails(2, &["learning curve", "holdout"]);
}

#[test]
fn auto_is_the_default_and_says_who_was_compared() {
    let folder = Folder::new();
    generated(&folder, "example1", "96", "e.csv");
    let ran = folder.run(&["select", "e.csv", "--json", "-o", "s.json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let document = ran.json();
    assert_eq!(document["method"], "auto");
    let auto = &document["auto"];
    assert_eq!(list(&auto["candidates"]).len(), 16);
    let chosen = list(&auto["candidates"])
        .iter()
        .find(|one| one["pipeline"] == auto["chosen"]);
    assert_eq!(chosen.expect("the chosen one")["agreement"], 1.0);
    assert!(auto["corrected"]["accuracy"].is_number());
    let n_placed = list(&document["kept"]).len() + list(&document["dropped"]).len();
    assert_eq!(n_placed, 8);

    let shown = folder.run(&["select", "e.csv"]).stdout;
    assert!(
        shown.contains("auto took") && shown.contains("Compared on 10 folds"),
        "{shown}"
    );
    // The model that was chosen is the one to train.
    let ran = folder.run(&[
        "train",
        "e.csv",
        "--selection",
        "s.json",
        "-o",
        "m.json",
        "--json",
    ]);
    assert_eq!(ran.json()["model"], auto["model"], "{}", ran.stderr);
}

#[test]
fn auto_takes_a_model_folds_and_a_budget_but_no_settings() {
    let folder = Folder::new();
    generated(&folder, "example1", "96", "e.csv");
    folder.write("folds.txt", "1\n2\n3\n".repeat(32));
    let of = |options: &[&str]| {
        let ran = folder.run(&[&["select", "e.csv", "--json"], options].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.json()
    };
    let by_folds = of(&["--folds", "folds.txt", "--model", "nb"]);
    assert_eq!(by_folds["auto"]["folds"], 3);
    let candidates = list(&by_folds["auto"]["candidates"]);
    assert!(candidates.iter().all(|one| one["model"] == "nb"));
    let short = of(&["--budget", "1ms"]);
    assert_eq!(
        (&short["stop"]["reason"], &short["auto"]["complete"]),
        (&"budget".into(), &false.into())
    );
    for (option, value) in [("--search", "forward"), ("--set", "alpha=1")] {
        let ran = folder.run(&["select", "e.csv", option, value]);
        ran.fails(2, &[option, "--method"]);
    }
    folder
        .run(&["select", "e.csv", "--honest"])
        .fails(2, &["--honest", "corrected"]);
}
