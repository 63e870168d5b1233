//! Methods by accuracy from outside: estimates, folds, and runs that are cut off.

mod common;

use std::process::Stdio;
use std::time::Duration;

use common::Folder;
use serde_json::Value;

fn generated(folder: &Folder, name: &str, rows: &str) {
    let ran = folder.run(&["generate", name, "--rows", rows, "-o", "data.csv"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

/// The document without what depends on the clock.
fn timeless(mut document: Value) -> Value {
    document["seconds"] = Value::Null;
    document
}

#[test]
fn a_wrapper_shows_what_it_searched_by_and_what_to_expect() {
    let folder = Folder::new();
    generated(&folder, "led24", "300");
    let ran = folder.run(&["select", "data.csv", "--method", "wrapper", "--json"]);
    let document = ran.json();
    assert_eq!(document["model"], "nb");
    assert_eq!(document["search"], "forward");
    assert_eq!(document["settings"]["repeat"], "auto");
    assert_eq!(document["settings"]["alpha"], 1);
    let inner = &document["estimate"]["inner"];
    assert_eq!(inner["accuracy"], document["score"]["value"]);
    assert_eq!(inner["folds"], 10);
    assert!(inner["standard_error"].is_number() && inner["runs"].is_number());
    let honest = &document["estimate"]["honest"];
    assert_eq!(honest["protocol"], "5x2cv");
    assert!(honest["accuracy"].is_number() && honest["sd"].is_number());
    assert!(honest["kept"].is_number());
    assert!(document["repeated"].is_number());
    let out = &document["dropped"][0];
    assert_eq!(out["reason"], "worse-by-estimate");
    for key in ["estimate_with", "estimate_without", "standard_error"] {
        assert!(out[key].is_number(), "{key}");
    }
    let ran = folder.run(&["select", "data.csv", "--method", "wrapper"]);
    assert!(ran.stdout.contains("optimistic"), "{}", ran.stdout);
    assert!(ran.stdout.contains("5x2cv"), "{}", ran.stdout);
}

#[test]
fn honesty_can_be_asked_for_and_refused() {
    let folder = Folder::new();
    generated(&folder, "example1", "320");
    let honest = |options: &[&str]| {
        let mut arguments = vec!["select", "data.csv", "--json"];
        arguments.extend(options);
        if !options.contains(&"--method") {
            arguments.extend(["--method", "mdl-fs"]);
        }
        folder.run(&arguments).json()["estimate"].clone()
    };
    assert!(honest(&[]).is_null());
    let asked = honest(&["--honest"]);
    assert!(asked["inner"].is_null());
    assert_eq!(asked["honest"]["model"], "tan");
    let by_k2 = honest(&[
        "--method", "mrmr", "--count", "2", "--honest", "--model", "k2",
    ]);
    assert_eq!(by_k2["honest"]["model"], "k2");
    for off in ["--no-honest", "--honest=false"] {
        let estimate = honest(&["--method", "naive-as", off]);
        assert!(estimate["honest"].is_null() && estimate["inner"].is_object());
    }
    let ran = folder.run(&["select", "data.csv", "--honest", "--no-honest"]);
    assert_eq!(ran.code, Some(2));
}

#[test]
fn a_half_of_one_class_predicts_that_class() {
    let folder = Folder::new();
    let rows: String = (0..19).map(|row| format!("{},x\n", row % 3)).collect();
    folder.write("rare.csv", format!("a,class\n{rows}1,y\n"));
    let ran = folder.run(&["select", "rare.csv", "--method", "naive-as", "--json"]);
    // Nine of ten where the one y is tested; all of them where it is learned from.
    let accuracy = ran.json()["estimate"]["honest"]["accuracy"].as_f64();
    assert!((accuracy.expect("a number") - 0.95).abs() < 1e-12);
}

#[test]
fn combinations_without_sense_say_which_work() {
    let folder = Folder::new();
    generated(&folder, "led24", "60");
    folder.write("folds.txt", "1\n2\n".repeat(30));
    let cases: [(&[&str], &[&str]); 10] = [
        (
            &["--method", "fss-ebna", "--search", "forward"],
            &["ebna, umda", "bmda"],
        ),
        (
            &["--method", "naive-as", "--search", "ebna"],
            &["search of its own"],
        ),
        (&["--method", "naive-as", "--model", "tan"], &["nb"]),
        (&["--method", "k2-as", "--model", "cb"], &["Use k2"]),
        (
            &["--method", "wrapper", "--missing", "available"],
            &["value or drop"],
        ),
        (
            &["--method", "wrapper", "--set", "population=5"],
            &["It takes estimate, cv"],
        ),
        (
            &["--method", "mdl-fs", "--folds", "folds.txt"],
            &["--folds", "wrapper"],
        ),
        (
            &["--method", "mrmr", "--checkpoint", "c"],
            &["--checkpoint"],
        ),
        (
            &["--method", "wrapper", "--checkpoint", "data.csv"],
            &["overwrite"],
        ),
        (&["--method", "wrapper", "--resume"], &["--checkpoint"]),
    ];
    for (options, hints) in cases {
        let mut arguments = vec!["select", "data.csv"];
        arguments.extend(options);
        let ran = folder.run(&arguments);
        assert_eq!(ran.code, Some(2), "{options:?}: {}", ran.stderr);
        for hint in hints {
            assert!(ran.stderr.contains(hint), "{options:?}: {}", ran.stderr);
        }
    }
    let ran = folder.run(&["generate", "waveform40", "--rows", "60", "-o", "w.csv"]);
    assert_eq!(ran.code, Some(0));
    let wrapper = [
        "select",
        "w.csv",
        "--method",
        "wrapper",
        "--discretize",
        "none",
    ];
    let ran = folder.run(&[&wrapper[..], &["--model", "tan"]].concat());
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("nb, block or id3"), "{}", ran.stderr);
}

#[test]
fn folds_of_a_file_are_used_and_checked() {
    let folder = Folder::new();
    generated(&folder, "led24", "60");
    folder.write("folds.txt", "1\n2\n3\n".repeat(20));
    let wrapper = [
        "select", "data.csv", "--method", "wrapper", "--json", "--folds",
    ];
    let document = folder.run(&[&wrapper[..], &["folds.txt"]].concat()).json();
    assert_eq!(document["estimate"]["inner"]["folds"], 3);
    assert_eq!(document["estimate"]["inner"]["runs"], 1);
    folder.write("short.txt", "1\n2\n");
    let ran = folder.run(&[&wrapper[..], &["short.txt"]].concat());
    ran.fails(3, &["short.txt"]);
}

#[test]
fn methods_tell_of_models_searches_and_settings() {
    let folder = Folder::new();
    let page = folder.run(&["methods", "fss-ebna"]).stdout;
    for words in [
        "--model nb|tan|k2|cb|id3",
        "--search ebna|genetic|umda",
        "--set cv=10",
    ] {
        assert!(page.contains(words), "{page}");
    }
    let page = folder.run(&["methods", "ebna"]).stdout;
    assert!(page.contains("--set population=auto"), "{page}");
}

/// A run of some seconds: a genetic search over trees that are grown for every set.
const LONG: [&str; 18] = [
    "select",
    "data.csv",
    "--method",
    "wrapper",
    "--search",
    "genetic",
    "--model",
    "id3",
    "--set",
    "population=100",
    "--set",
    "patience=4",
    "--set",
    "repeat=2",
    "--no-honest",
    "--json",
    "--threads",
    "1",
];

#[test]
fn a_run_killed_ten_times_ends_as_one_that_was_not() {
    let folder = Folder::new();
    generated(&folder, "led24", "300");
    let expected = timeless(folder.run(&LONG).json());
    let resumed = [&LONG[..], &["--checkpoint", "run.checkpoint", "--resume"]].concat();
    // Delays that look like chance.
    for kill in 0..10_u64 {
        let mut child = folder
            .command(&resumed)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        std::thread::sleep(Duration::from_millis(20 + kill * 7_919 % 230));
        // SIGKILL on Unix: nothing can be tidied up.
        child.kill().expect("the process is ours");
        child.wait().expect("it has ended");
    }
    let ran = folder.run(&resumed);
    assert_eq!(timeless(ran.json()), expected);
    // And once more from the whole journal.
    assert_eq!(timeless(folder.run(&resumed).json()), expected);
}

#[test]
fn a_checkpoint_is_not_overwritten_and_not_taken_for_another_run() {
    let folder = Folder::new();
    generated(&folder, "led24", "100");
    let run = |options: &[&str]| {
        let wrapper = [
            "select",
            "data.csv",
            "--method",
            "wrapper",
            "--no-honest",
            "--json",
        ];
        folder.run(&[&wrapper[..], &["--checkpoint", "c"], options].concat())
    };
    let first = timeless(run(&[]).json());
    run(&[]).fails(2, &["c", "--resume"]);
    assert_eq!(timeless(run(&["--resume"]).json()), first);
    run(&["--resume", "--seed", "2"]).fails(3, &["seed is 1, this one's 2"]);
    run(&["--resume", "--set", "cv=5"]).fails(3, &["settings"]);
    generated(&folder, "led24", "90");
    run(&["--resume"]).fails(3, &["other data"]);
    folder.write("c", "what is this\n");
    run(&["--resume"]).fails(3, &["line 1", "broken"]);
    std::fs::remove_file(folder.path("c")).expect("it is there");
    let ran = run(&["--resume"]);
    assert!(ran.stderr.contains("nothing to resume"), "{}", ran.stderr);
    assert_eq!(ran.code, Some(0));
}
