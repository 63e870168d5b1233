//! `train`, `predict` and `network`, as a user runs them.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod common;

use common::Folder;

/// A small network with odd names, as BIF.
const BIF: &str = "network n {}
variable rain { type discrete [ 2 ] { no, yes }; }
variable wet { type discrete [ 2 ] { a/b, <5 }; }
variable slip { type discrete [ 2 ] { no, yes }; }
probability ( rain ) { table 0.8, 0.2; }
probability ( wet | rain ) { (no) 0.9, 0.1; (yes) 0.3, 0.7; }
probability ( slip | wet ) { (a/b) 0.99, 0.01; (<5) 0.6, 0.4; }
";

fn with_data(rows: &str) -> Folder {
    let folder = Folder::new();
    let ran = folder.run(&["generate", "example1", "--rows", rows, "-o", "e.csv"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    folder
}

#[test]
fn every_model_trains_and_predicts_its_own_data() {
    let folder = with_data("320");
    for (model, least) in [
        ("nb", 0.81),
        ("tan", 1.0),
        ("k2", 0.87),
        ("cb", 0.87),
        ("id3", 0.87),
        ("block", 0.81),
    ] {
        let file = format!("{model}.json");
        let trained = folder
            .run(&["train", "e.csv", "--model", model, "-o", &file, "--json"])
            .json();
        assert_eq!(trained["model"], model);
        assert_eq!(trained["rows"], 320);
        let ran = folder.run(&["predict", &file, "e.csv", "-o", "p.csv", "--json"]);
        let accuracy = ran.json()["accuracy"].as_f64().unwrap();
        assert!(accuracy >= least, "{model}: {accuracy}");
        let text = std::fs::read_to_string(folder.path("p.csv")).unwrap();
        assert!(text.starts_with("predicted,p(0),p(1)\n"), "{text}");
        assert_eq!(text.lines().count(), 321);
    }
}

#[test]
fn a_tree_without_any_feature_predicts_every_row() {
    let folder = Folder::new();
    folder.write("e.csv", "a,class\n,p\n,q\n,p\n");
    let numbers = ["--numeric", "a", "--discretize", "none"];
    let train = ["train", "e.csv", "--model", "id3", "-o", "m.json"];
    let ran = folder.run(&[&train[..], &numbers[..]].concat());
    assert!(ran.stdout.contains(": 0 features"), "{ran:?}");
    let ran = folder.run(&["predict", "m.json", "e.csv"]);
    // Laplace's estimate of the root: (2 + 1) / (3 + 2).
    let expected = "predicted,p(p),p(q)\np,0.6,0.4\np,0.6,0.4\np,0.6,0.4\n";
    assert_eq!(ran.stdout, expected, "{}", ran.stderr);
}

#[test]
fn text_in_a_column_that_prediction_never_reads_is_no_error() {
    let folder = Folder::new();
    let row = |i: u32| {
        format!(
            "{},{}.5,{}\n",
            i % 2,
            i * 7 % 12,
            ["x", "y"][i as usize % 2]
        )
    };
    let rows: String = (0..48).map(row).collect();
    folder.write("train.csv", format!("a,b,class\n{rows}"));
    folder.write("text.csv", "a,b,class\n0,many,x\n1,few,y\n");
    for (model, code) in [("id3", 0), ("k2", 0), ("nb", 3)] {
        let bins = ["--discretize", "width:3", "--model", model];
        let ran = folder.run(&[&["train", "train.csv", "-o", "m.json"][..], &bins[..]].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let ran = folder.run(&["predict", "m.json", "text.csv", "--proba=false"]);
        assert_eq!(ran.code, Some(code), "{model}: {}", ran.stderr);
        if code == 0 {
            assert_eq!(ran.stdout, "predicted\nx\ny\n", "{model}");
        } else {
            ran.fails(3, &["\"few\" is not a number"]);
        }
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_stops_a_table_on_its_way_to_standard_output() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    let folder = Folder::new();
    folder.write("n.bif", BIF);
    let mut child = folder
        .command(&["network", "sample", "n.bif", "--rows", "1000000"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // The first bytes are there, and the pipe is full long before the last.
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut [0; 16]).unwrap();
    let signal = ["-INT", &child.id().to_string()];
    assert!(
        Command::new("kill")
            .args(signal)
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn a_model_reads_other_orders_delimiters_and_extra_columns() {
    let folder = Folder::new();
    folder.write(
        "train.csv",
        "a,b,class\nu,1.5,x\nv,2.5,y\nu,1.25,x\nv,2.75,y\n",
    );
    folder.write("other.csv", "more;class;b;a\n7;x;1.5;u\n7;y;2.5;v\n");
    folder.write("absent.csv", "b,class\n1.5,x\n2.5,y\n");
    folder.write("odd.csv", "a,b,class\nzzz,1.5,x\n,2.5,y\n");
    assert_eq!(
        folder
            .run(&["train", "train.csv", "--model", "nb", "-o", "m.json"])
            .code,
        Some(0)
    );
    let ran = folder.run(&["predict", "m.json", "other.csv", "--proba=false"]);
    assert_eq!(ran.stdout, "predicted\nx\ny\n", "{}", ran.stderr);
    assert!(
        ran.stderr.contains("accuracy 1.0000 over 2 rows"),
        "{}",
        ran.stderr
    );
    folder
        .run(&["predict", "m.json", "absent.csv"])
        .fails(3, &["absent.csv", "\"a\"", "--absent"]);
    let ran = folder.run(&[
        "predict",
        "m.json",
        "absent.csv",
        "--absent",
        "sum-out",
        "--proba=false",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let note = "note: a: not in the data, summed out in every row";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
    let ran = folder.run(&["predict", "m.json", "odd.csv"]);
    assert!(
        ran.stderr
            .contains("a: 1 missing cell and 1 value never seen"),
        "{}",
        ran.stderr
    );
}

#[test]
fn rows_without_a_class_have_no_accuracy() {
    let folder = Folder::new();
    folder.write("train.csv", "a,class\nu,x\nv,y\nu,x\nv,y\n");
    folder.write("none.csv", "a,class\nu,\nv,\n");
    folder.run(&["train", "train.csv", "--model", "nb", "-o", "m.json"]);
    let ran = folder.run(&["predict", "m.json", "none.csv", "-o", "p.csv", "--json"]);
    assert!(ran.json()["accuracy"].is_null());
    assert!(!ran.stderr.contains("accuracy"), "{}", ran.stderr);
}

#[test]
fn numbers_that_are_not_binned_are_not_exported() {
    let folder = Folder::new();
    folder.write("n.csv", "a,class\n1.5,x\n2.5,y\n1.25,x\n2.75,y\n");
    let train = |format, file| {
        let options = [
            "--model",
            "nb",
            "--discretize",
            "none",
            "--format",
            format,
            "-o",
            file,
        ];
        folder.run(&[&["train", "n.csv"], &options[..]].concat())
    };
    train("bif", "n.bif").fails(2, &["\"a\"", "--discretize mdlp"]);
    assert_eq!(train("model", "n.json").code, Some(0));
}

#[test]
fn a_selection_file_chooses_the_features() {
    let folder = with_data("320");
    folder.write(
        "s.json",
        "{\"schema\": \"bayesieve.selection.v1\", \"kept\": [\"A2\", \"A6\"]}",
    );
    let ran = folder.run(&[
        "train",
        "e.csv",
        "--selection",
        "s.json",
        "-o",
        "m.json",
        "--json",
    ]);
    assert_eq!(ran.json()["features"], serde_json::json!(["A2", "A6"]));
    folder.write("bad.json", "{\"schema\": \"other\"}");
    folder
        .run(&["train", "e.csv", "--selection", "bad.json", "-o", "m2.json"])
        .fails(3, &["bad.json"]);
}

#[test]
fn bad_models_and_settings_are_refused() {
    let folder = with_data("32");
    folder.write("broken.json", "{\"schema\": \"bayesieve.model.v7\"}");
    folder
        .run(&["predict", "broken.json", "e.csv"])
        .fails(3, &["broken.json", "bayesieve.model.v7"]);
    folder
        .run(&["predict", "absent.json", "e.csv"])
        .fails(3, &["absent.json", "no such file"]);
    folder
        .run(&["predict", "e.csv", "e.csv"])
        .fails(3, &["e.csv", "no model file"]);
    let set = |setting| folder.run(&["train", "e.csv", "-o", "m.json", "--set", setting]);
    set("alhpa=2").fails(2, &["\"alhpa\"", "Did you mean \"alpha\"?"]);
    set("alpha=-2").fails(2, &["alpha=-2"]);
    folder
        .run(&["train", "e.csv", "-o", "m.json", "--missing", "available"])
        .fails(2, &["available"]);
    folder
        .run(&["train", "e.csv", "-o", "e.csv"])
        .fails(2, &["overwrite"]);
    folder
        .run(&[
            "train", "e.csv", "--model", "id3", "--format", "bif", "-o", "t.bif",
        ])
        .fails(2, &["no network"]);
    folder.write("one.csv", "a,class\n1,x\n2,x\n");
    folder
        .run(&["train", "one.csv", "-o", "m.json"])
        .fails(3, &["one.csv", "one class"]);
    assert_eq!(folder.files(), ["broken.json", "e.csv", "one.csv"]);
}

#[test]
fn a_trained_network_is_written_in_every_format() {
    let folder = with_data("320");
    for (format, file) in [
        ("bif", "t.bif"),
        ("xmlbif", "t.xml"),
        ("net", "t.net"),
        ("json", "t.json"),
    ] {
        let ran = folder.run(&["train", "e.csv", "--format", format, "-o", file]);
        assert_eq!(ran.code, Some(0), "{format}: {}", ran.stderr);
        let info = folder.run(&["network", "info", file, "--json"]).json();
        assert_eq!(
            (info["nodes"].as_u64(), info["arcs"].as_u64()),
            (Some(9), Some(15)),
            "{format}"
        );
    }
}

#[test]
fn networks_are_shown_sampled_and_converted() {
    let folder = Folder::new();
    folder.write("n.bif", BIF);
    let info = folder.run(&["network", "info", "n.bif", "--json"]).json();
    assert_eq!(
        (info["nodes"].as_u64(), info["arcs"].as_u64()),
        (Some(3), Some(2))
    );
    assert_eq!(info["states"]["wet"], serde_json::json!(["a/b", "<5"]));
    let boundary = folder
        .run(&["network", "boundary", "n.bif", "wet", "--json"])
        .json();
    assert_eq!(boundary["boundary"], serde_json::json!(["rain", "slip"]));
    folder
        .run(&["network", "boundary", "n.bif", "wett"])
        .fails(2, &["Did you mean \"wet\"?"]);
    for file in ["n.xml", "n.net", "n.json"] {
        assert_eq!(
            folder
                .run(&["network", "convert", "n.bif", "-o", file])
                .code,
            Some(0),
            "{file}"
        );
        let other = folder.run(&["network", "info", file, "--json"]).json();
        assert_eq!(other["parents"], info["parents"], "{file}");
    }
    assert_eq!(
        folder
            .run(&["network", "convert", "n.bif", "-o", "n.dot"])
            .code,
        Some(0)
    );
    let sample = |threads: &str| {
        let mut command = folder.command(&["network", "sample", "n.bif", "--rows", "5000"]);
        let output = command.env("RAYON_NUM_THREADS", threads).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(sample("1"), sample("3"));
    assert_eq!(sample("1").lines().count(), 5001);
}

#[test]
fn broken_networks_are_refused_with_the_line() {
    let folder = Folder::new();
    folder.write("sum.bif", BIF.replace("0.9, 0.1", "0.9, 0.3"));
    folder
        .run(&["network", "info", "sum.bif"])
        .fails(3, &["sum.bif", "line 6"]);
    folder.write("cut.bif", &BIF[..BIF.len() - 20]);
    folder
        .run(&["network", "info", "cut.bif"])
        .fails(3, &["cut.bif", "line"]);
    folder.write("empty.bif", "");
    folder
        .run(&["network", "info", "empty.bif"])
        .fails(3, &["empty.bif"]);
}
