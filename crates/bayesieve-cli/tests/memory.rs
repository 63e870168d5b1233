//! Rows that stay in their file: every command says what it says of rows in memory.

mod common;

use common::{Folder, Ran};
use serde_json::Value;

/// Numbers in three formats, few enough to be told apart in the least memory: 2,048 a column.
fn folder() -> Folder {
    let folder = Folder::new();
    for file in ["lab.csv", "lab.csv.gz", "lab.parquet"] {
        done(&folder.run(&["generate", "waveform40", "--rows", "2000", "-o", file]));
    }
    folder
}

fn done(ran: &Ran) {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

/// The document without what differs from run to run, and from rows to counts of them.
fn document(ran: &Ran) -> Value {
    done(ran);
    let mut document: Value = serde_json::from_str(&ran.stdout).expect("a document");
    document["seconds"] = Value::Null;
    document["warnings"] = Value::Null;
    document
}

fn both(folder: &Folder, arguments: &[&str]) -> (Value, Value) {
    let streamed = [arguments, &["--memory", "64MiB"]].concat();
    (
        document(&folder.run(arguments)),
        document(&folder.run(&streamed)),
    )
}

#[test]
fn selections_and_scores_are_those_of_rows_in_memory() {
    let folder = folder();
    for file in ["lab.csv", "lab.csv.gz", "lab.parquet"] {
        for method in ["mdl-fs", "mrmr", "cfs", "fcbf", "cig-as", "iamb"] {
            let (rows, stream) = both(&folder, &["select", file, "--method", method, "--json"]);
            assert_eq!(stream, rows, "{method} on {file}");
        }
        let (mut rows, mut stream) = both(
            &folder,
            &[
                "score",
                file,
                "--features",
                "x5,x7",
                "--model",
                "nb",
                "--json",
            ],
        );
        // Accuracies and measures need the rows in memory.
        assert!(rows["accuracy"].is_object() && rows["measures"].is_object());
        for document in [&mut rows, &mut stream] {
            document["accuracy"] = Value::Null;
            document["measures"] = Value::Null;
        }
        assert_eq!(stream, rows, "{file}");
    }
}

#[test]
fn descriptions_are_those_of_rows_in_memory() {
    let folder = folder();
    let (mut rows, mut stream) = both(&folder, &["describe", "lab.parquet", "--json"]);
    // Whether rows stand twice is not known from counts.
    assert_eq!(rows["duplicate_rows"], 0);
    assert_eq!(stream["duplicate_rows"], Value::Null);
    for document in [&mut rows, &mut stream] {
        document["duplicate_rows"] = Value::Null;
    }
    assert_eq!(stream, rows);
}

#[test]
fn more_numbers_than_are_told_apart_are_not_counted() {
    let folder = Folder::new();
    let mut rows = "x,class\n".to_owned();
    (0..17_000).for_each(|i| rows += &format!("{}.5,{}\n", i, i % 2));
    folder.write("rows.csv", rows);
    done(&folder.run(&["count", "rows.csv", "-o", "rows.counts"]));
    let describe = |arguments: &[&str]| {
        let people = folder.run(&[&["describe"][..], arguments].concat());
        done(&people);
        let json = [&["describe", "--json"][..], arguments].concat();
        let column = document(&folder.run(&json))["columns"][0].clone();
        let values = [column["values"].clone(), column["values_above"].clone()];
        (people.stdout, values)
    };
    let (people, values) = describe(&["rows.csv"]);
    assert!(people.contains(" 17,000 "), "{people}");
    assert_eq!(values, [Value::from(17_000), Value::Null]);
    for elsewhere in [
        &["rows.csv", "--memory", "64MiB"][..],
        &["--counts", "rows.counts"],
    ] {
        let (people, values) = describe(elsewhere);
        assert!(people.contains(" >16,384 "), "{people}");
        assert_eq!(values, [Value::Null, Value::from(16_384)]);
    }
}

#[test]
fn models_and_predictions_are_those_of_rows_in_memory() {
    let folder = folder();
    for model in ["nb", "tan"] {
        let train = ["train", "lab.csv", "--model", model, "-o"];
        done(&folder.run(&[&train[..], &["rows.json"]].concat()));
        let streamed = ["stream.json", "--memory", "64MiB"];
        done(&folder.run(&[&train[..], &streamed].concat()));
        let text = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap();
        assert_eq!(text("stream.json"), text("rows.json"), "{model}");
    }
    for file in ["large.csv", "large.csv.gz", "large.parquet"] {
        done(&folder.run(&["generate", "waveform40", "--rows", "20000", "-o", file]));
        let at_once = folder.run(&["predict", "rows.json", file]);
        // A twelfth of 64 MiB are 17,050 rows of 41 numbers: two blocks.
        let in_blocks = folder.run(&["predict", "rows.json", file, "--memory", "64MiB"]);
        done(&at_once);
        assert_eq!(in_blocks.stdout, at_once.stdout, "{file}");
        assert_eq!(in_blocks.stderr, at_once.stderr, "{file}");
    }
}

#[test]
fn a_fault_late_in_the_file_leaves_the_output_that_was_there() {
    let folder = folder();
    done(&folder.run(&["train", "lab.csv", "--model", "nb", "-o", "model.json"]));
    // Behind the first block, of 17,050 rows.
    done(&folder.run(&[
        "generate",
        "waveform40",
        "--rows",
        "20000",
        "-o",
        "large.csv",
    ]));
    let mut text = std::fs::read_to_string(folder.path("large.csv")).unwrap();
    text += "1,2,3\n";
    folder.write("broken.csv", &text);
    folder.write("out.csv", "before");
    let ran = folder.run(&[
        "predict",
        "model.json",
        "broken.csv",
        "-o",
        "out.csv",
        "--memory",
        "64MiB",
    ]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    // The header is line 1.
    assert!(ran.stderr.contains("line 20002"), "{}", ran.stderr);
    let out = std::fs::read_to_string(folder.path("out.csv")).unwrap();
    assert_eq!(out, "before");
}

#[test]
fn what_cannot_be_is_refused() {
    let folder = folder();
    let least = "this is too little, give 68MB or 64MiB at least";
    let cases: [(&[&str], &str); 6] = [
        (&["select", "lab.csv", "--memory", "64MB"], least),
        (&["predict", "model", "lab.csv", "--memory", "1KB"], least),
        (
            &["select", "lab.csv", "--memory", "2"],
            "a size with its unit",
        ),
        (
            &["select", "lab.csv", "--memory", "1GB", "--method", "auto"],
            "needs the rows",
        ),
        (
            &["select", "lab.csv", "--memory", "1GB", "--honest"],
            "--honest needs the rows in memory",
        ),
        (&["select", "--memory", "1GB"], "--memory needs the file"),
    ];
    for (arguments, told) in cases {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(told), "{arguments:?}: {}", ran.stderr);
    }
    let ran = folder.run(&["count", "-", "-o", "a.counts"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("only once"), "{}", ran.stderr);
}

#[test]
fn the_plan_is_said_before_the_rows_are_counted() {
    let folder = folder();
    let ran = folder.run(&[
        "select",
        "lab.parquet",
        "--method",
        "mrmr",
        "--memory",
        "64MiB",
    ]);
    done(&ran);
    let told = "plan: 2,000 rows of 40 features";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    let quiet = ["--method", "mrmr", "--memory", "64MiB", "--quiet"];
    let ran = folder.run(&[&["select", "lab.parquet"][..], &quiet].concat());
    assert_eq!(ran.stderr, "");
}
