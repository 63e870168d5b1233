//! The block model, as a user trains it and predicts with it.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod common;

use common::Folder;
use serde_json::json;

/// Three numbers, of which the first two lean on each other, a label and a class.
fn with_data() -> Folder {
    let folder = Folder::new();
    let mut text = String::from("a,b,c,l,class\n");
    for row in 0..60_u32 {
        let (class, x) = (row % 2, f64::from(row * 37 % 53) / 10.0);
        let a = x + f64::from(class) * 2.0 + 0.03;
        let b = x - f64::from(class) * 2.0 + f64::from(row * 7 % 11) / 10.0;
        let c = f64::from(row * row % 31) + 0.5;
        text += &format!(
            "{a},{b},{c},{},{}\n",
            ["u", "v"][row as usize / 2 % 2],
            ["n", "p"][class as usize]
        );
    }
    folder.write("d.csv", &text);
    folder.write("gaps.csv", text.replacen("0.5,u,n", ",u,n", 1));
    folder.write("blocks.json", r#"[["a", "b"], ["c"]]"#);
    folder
}

#[test]
fn numbers_in_blocks_are_trained_and_predicted() {
    let folder = with_data();
    let train = ["train", "d.csv", "--model", "block", "-o", "m.json"];
    let set = ["--set", "blocks=blocks.json"];
    let trained = folder.run(&[&train[..], &set, &["--json"]].concat()).json();
    assert_eq!(trained["blocks"], json!([["a", "b"], ["c"]]));
    assert_eq!(trained["features"], json!(["a", "b", "c", "l"]));
    // One share, a label's share in two classes; 4 means and 3 elements, 2 means and 1.
    assert_eq!(trained["parameters"], 1 + 2 + 7 + 3);
    let ran = folder.run(&["predict", "m.json", "d.csv", "-o", "p.csv", "--json"]);
    assert!(ran.json()["accuracy"].as_f64().unwrap() > 0.95, "{ran:?}");
    let ran = folder.run(&[&train[..], &set].concat());
    assert!(ran.stdout.contains("4 features in 2 blocks"), "{ran:?}");
    // Without the file they are found.
    let found = folder.run(&[&train[..], &["--json"]].concat()).json();
    assert_eq!(found["blocks"][0], json!(["a", "b"]));
    // A file may name more than the model has: it stays the same for fewer features.
    let fewer = ["--features", "b,c,l"];
    let ran = folder.run(&[&train[..], &set, &fewer].concat());
    let note = "name \"a\", not among the features: passed over";
    assert!(ran.stderr.contains(note), "{ran:?}");
    // Another model has none.
    let other = ["train", "d.csv", "--model", "nb", "-o", "nb.json", "--json"];
    assert!(folder.run(&other).json().get("blocks").is_none());
}

#[test]
fn gaps_are_told_and_summed_out() {
    let folder = with_data();
    let ran = folder.run(&["train", "gaps.csv", "--model", "block", "-o", "m.json"]);
    assert!(ran.stderr.contains("1 row with an empty cell"), "{ran:?}");
    let ran = folder.run(&["predict", "m.json", "gaps.csv"]);
    assert!(
        ran.stderr.contains("c: 1 missing cell summed out"),
        "{ran:?}"
    );
    folder.write("less.csv", "b,l\n1.5,u\n,v\n");
    let less = ["predict", "m.json", "less.csv"];
    folder.run(&less).fails(3, &["\"a\", \"c\"", "--absent"]);
    let ran = folder.run(&[&less[..], &["--absent", "sum-out"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.stdout.lines().count(), 3);
}

#[test]
fn the_graph_shows_blocks_and_other_formats_are_refused() {
    let folder = with_data();
    let set = ["--set", "blocks=blocks.json", "--model", "block"];
    let write = ["train", "d.csv", "--format", "dot", "-o", "m.dot"];
    assert_eq!(folder.run(&[&write[..], &set].concat()).code, Some(0));
    let text = std::fs::read_to_string(folder.path("m.dot")).unwrap();
    let expected = "digraph network {\n  \"l\";\n  \"class\";\n  subgraph \"cluster_0\" {\n    \"a\";\n    \
                    \"b\";\n  }\n  subgraph \"cluster_1\" {\n    \"c\";\n  }\n  \"class\" -> \"l\";\n  \
                    \"class\" -> \"a\";\n  \"class\" -> \"b\";\n  \"a\" -> \"b\";\n  \"class\" -> \"c\";\n}\n";
    assert_eq!(text, expected);
    for (format, file) in [
        ("bif", "m.bif"),
        ("xmlbif", "m.xml"),
        ("net", "m.net"),
        ("json", "m.json"),
    ] {
        // There are no data: whoever reads them first fails with 3.
        let write = ["train", "absent.csv", "--format", format, "-o", file];
        let ran = folder.run(&[&write[..], &set].concat());
        ran.fails(2, &["cannot hold the numbers", "--format dot"]);
    }
}

#[test]
fn the_file_of_blocks_is_an_input() {
    let folder = with_data();
    let train = [
        "train",
        "absent.csv",
        "--model",
        "block",
        "-o",
        "blocks.json",
    ];
    let set = ["--set", "blocks=./blocks.json"];
    let ran = folder.run(&[&train[..], &set].concat());
    ran.fails(2, &["overwrite the input", "blocks.json"]);
    let train = ["train", "d.csv", "--model", "block", "-o", "m.json"];
    let ran = folder.run(&[&train[..], &["--set", "blocks=none.json"]].concat());
    ran.fails(3, &["none.json"]);
    let ran = folder.run(&[&train[..], &["--set", "wieghts=optimal"]].concat());
    ran.fails(2, &["Did you mean \"weights\"?"]);
}

#[test]
fn a_selection_and_wrappers_take_it() {
    let folder = with_data();
    let select = [
        "select", "d.csv", "--method", "wrapper", "--model", "block", "-o", "s.json",
    ];
    let settings = [
        "--set",
        "cv=3",
        "--set",
        "repeat=1",
        "--set",
        "covariance=own",
        "--json",
    ];
    let honest = ["--honest", "--set", "blocks=blocks.json"];
    let ran = folder.run(&[&select[..], &settings, &honest].concat());
    let selection = ran.json();
    assert_eq!(selection["settings"]["covariance"], "own", "{ran:?}");
    assert_eq!(selection["estimate"]["honest"]["model"], "block");
    let train = [
        "train", "d.csv", "--model", "block", "-o", "m.json", "--json",
    ];
    let ran = folder.run(&[&train[..], &["--selection", "s.json"]].concat());
    let mut kept: Vec<String> = serde_json::from_value(selection["kept"].clone()).unwrap();
    kept.sort();
    assert_eq!(ran.json()["features"], json!(kept));
}

#[test]
fn methods_tell_of_its_settings() {
    let page = Folder::new().run(&["methods", "block"]).stdout;
    for words in [
        "Pavlenko, Hall and von Rosen, 2004",
        "alpha",
        "block_size",
        "covariance",
        "prior",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
}
