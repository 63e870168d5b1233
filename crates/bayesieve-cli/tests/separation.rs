//! Separation scores, as a user sees them.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod common;

use common::Folder;
use serde_json::{Value, json};

/// Numbers `a` and `b` that tell the classes, `c` that has the same cells in each, a label.
fn with_data(n_classes: u32) -> Folder {
    let folder = Folder::new();
    let mut text = String::from("a,<script>b,c,l,class\n");
    for row in 0..60 * n_classes {
        let (class, place) = (row % n_classes, row / n_classes);
        let a = f64::from(place * 37 % 53) / 53.0 + f64::from(class);
        let b = a + f64::from(place * 7 % 11) / 11.0;
        let c = f64::from(place * place % 31) + 0.5;
        text += &format!("{a},{b},{c},l{},k{class}\n", place % 2);
    }
    folder.write("d.csv", text);
    folder
}

fn select<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["select", "d.csv", "--method", "separation"], more].concat()
}

fn names(list: &Value) -> Vec<&str> {
    let list = list.as_array().unwrap();
    list.iter().map(|name| name.as_str().unwrap()).collect()
}

#[test]
fn the_document_has_every_block_with_its_numbers() {
    let folder = with_data(2);
    let document = folder.run(&select(&["--json", "--quiet"])).json();
    assert_eq!(names(&document["kept"]), ["a", "<script>b"]);
    let blocks = document["blocks"].as_array().unwrap();
    assert_eq!(blocks.len(), 3);
    assert_eq!(blocks[0]["features"], json!(["a", "<script>b"]));
    assert_eq!(
        (&blocks[0]["kept"], &blocks[0]["weight"]),
        (&json!(true), &json!(1.0))
    );
    for block in blocks {
        let number = |key: &str| block[key].as_f64().unwrap();
        // 60 * 60 / 120 rows.
        assert!((number("score") - 30.0 * number("j")).abs() < 1e-9);
        assert_eq!(
            number("score") >= number("threshold"),
            block["kept"] == json!(true)
        );
        assert!(block.get("classes").is_none());
    }
    let dropped = document["dropped"].as_array().unwrap();
    for entry in dropped {
        assert_eq!(entry["reason"], "below-threshold");
        assert!(entry["expected"].as_f64().unwrap() >= 0.9);
        assert!(entry["value"].as_f64().unwrap() < entry["needed"].as_f64().unwrap());
    }
    let pair = &document["separation"][0];
    assert_eq!(pair["classes"], json!(["k0", "k1"]));
    assert!(pair["d_selected"].as_f64().unwrap() > pair["d"].as_f64().unwrap());
    assert_eq!(document["score"]["better"], "smaller");
    let warnings = document["warnings"].to_string();
    assert!(warnings.contains("optimistic"), "{warnings}");
}

#[test]
fn more_classes_have_blocks_for_every_two_of_them() {
    let folder = with_data(3);
    let ran = folder.run(&select(&["--json", "--set", "weights=optimal"]));
    let document = ran.json();
    let blocks = document["blocks"].as_array().unwrap();
    assert_eq!(
        (
            blocks.len(),
            document["separation"].as_array().unwrap().len()
        ),
        (9, 3)
    );
    assert_eq!(blocks[8]["classes"], json!(["k1", "k2"]));
    let people = folder.run(&select(&[])).stdout;
    assert!(
        people.contains("k0 : k1") && people.contains("kept block"),
        "{people}"
    );
}

#[test]
fn blocks_of_a_file_are_taken_and_checked() {
    let folder = with_data(2);
    folder.write("blocks.json", r#"[["a", "c"], ["<script>b", "l"]]"#);
    let set = ["--set", "blocks=blocks.json"];
    let document = folder
        .run(&select(&[&set[..], &["--json"]].concat()))
        .json();
    let blocks = document["blocks"].as_array().unwrap().iter();
    let features: Vec<&Value> = blocks.map(|block| &block["features"]).collect();
    // A block of both kinds is two.
    assert_eq!(
        features,
        [&json!(["a", "c"]), &json!(["<script>b"]), &json!(["l"])]
    );
    let onto = folder.run(&select(&[&set[..], &["-o", "blocks.json"]].concat()));
    onto.fails(2, &["blocks.json"]);
    for (text, words) in [
        (r#"[["a", "d"]]"#, "\"d\""),
        (r#"[["a"], ["a"]]"#, "two places"),
        ("a,b", "list of lists"),
    ] {
        folder.write("blocks.json", text);
        let ran = folder.run(&select(&set));
        ran.fails(3, &["blocks.json", words]);
    }
}

#[test]
fn few_rows_and_gaps_give_a_result_or_a_way_out() {
    let folder = Folder::new();
    folder.write(
        "d.csv",
        "x,y,class\n1.5,2.25,a\n2.5,1,a\n3.5,9,b\n7.5,4,b\n",
    );
    let ran = folder.run(&select(&["--numeric", "all"]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("1 feature at most"), "{ran:?}");
    folder.write("d.csv", "x,y,class\n1.5,2.25,a\n2.5,1,a\n3.5,9,b\n");
    let ran = folder.run(&select(&["--numeric", "all"]));
    ran.fails(3, &["class \"b\" has 1 row", "join it"]);
    folder.write(
        "d.csv",
        "x,y,class\n1.5,,a\n2.5,1,a\n3.5,9,b\n7.5,,b\n9.5,8,b\n",
    );
    let ran = folder.run(&select(&["--numeric", "all"]));
    ran.fails(3, &["class \"a\" has 1 row without a gap", "\"y\""]);
    let ran = folder.run(&select(&["--numeric", "all", "--ignore", "y"]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = folder.run(&select(&["--set", "covariance=mine"]));
    ran.fails(2, &["common, own"]);
    let ran = folder.run(&select(&["--count", "2"]));
    ran.fails(2, &["--count"]);
}

#[test]
fn the_honest_estimate_is_of_the_block_model_unless_another_is_asked_for() {
    let folder = with_data(2);
    let honest = |more: &[&str]| {
        let more = [&["--honest", "--json"], more].concat();
        folder.run(&select(&more)).json()["estimate"]["honest"].clone()
    };
    let own = honest(&["--set", "covariance=own"]);
    assert_eq!(own["model"], "block");
    assert!(own["accuracy"].as_f64().unwrap() > 0.9, "{own}");
    assert_eq!(honest(&["--model", "nb"])["model"], "nb");
}
