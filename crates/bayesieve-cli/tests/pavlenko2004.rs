//! `reproduce pavlenko2004`: trials that need no data.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod common;

use common::Folder;
use serde_json::Value;

const SMALL: [&str; 4] = ["reproduce", "pavlenko2004", "--trials", "20"];

fn run(folder: &Folder, more: &[&str]) -> common::Ran {
    folder.run(&[&SMALL[..], more].concat())
}

/// The cells and histograms, which no clock changes.
fn timeless(document: &Value) -> [Value; 3] {
    ["cells", "histograms", "summary"].map(|name| document[name].clone())
}

/// Whether every number of a document is one; JSON has no word for others but null.
fn has_no_null(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Array(values) => values.iter().all(has_no_null),
        Value::Object(entries) => entries.values().all(has_no_null),
        _ => true,
    }
}

#[test]
fn cells_hold_all_means_with_their_errors() {
    let document = run(&Folder::new(), &["--json"]).json();
    assert_eq!(document["schema"], "bayesieve.reproduction.v1");
    assert_eq!(document["paper"]["name"], "pavlenko2004");
    assert_eq!(document["settings"]["block_size"], 12);
    assert_eq!(document["stop"]["reason"], "finished");
    assert!(has_no_null(&document), "{document}");
    let cells = document["cells"].as_array().unwrap();
    let of = |figure: &str| cells.iter().filter(|cell| cell["figure"] == figure).count();
    assert_eq!([of("1"), of("2"), of("irrelevant")], [10, 14, 3]);
    let tenth = &cells[2];
    assert_eq!((&tenth["b"], &tenth["place"]), (&0.1.into(), &60.0.into()));
    assert_eq!(tenth["law"], "uniform 0 to 60");
    let mean = |path: [&str; 2]| tenth[path[0]][path[1]]["mean"].as_f64().unwrap();
    // 1.89 in the limit; twenty trials are off by less than 0.1.
    assert!((mean(["true", "distance"]) - 1.89).abs() < 0.1);
    assert!((mean(["true", "risk"]) - 0.172).abs() < 0.02);
    assert!(mean(["plug_in", "gain"]) > mean(["true", "gain"]));
    // 20 trials of ten laws in the first histogram, none lost.
    for judge in ["true", "plug_in"] {
        let histogram = &document["histograms"][0][judge];
        let counts = histogram["counts"].as_array().unwrap();
        let inside: u64 = counts.iter().map(|n| n.as_u64().unwrap()).sum();
        let outside = [&histogram["below"], &histogram["above"]].map(|n| n.as_u64().unwrap());
        assert_eq!(inside + outside[0] + outside[1], 200);
    }
    let text = document["summary"]["text"].to_string();
    assert!(text.contains("is not reproduced"), "{text}");
    assert!(text.contains("the gain is real"), "{text}");
}

#[test]
fn threads_and_other_figures_change_nothing() {
    let folder = Folder::new();
    let one = run(&folder, &["--json", "--threads", "1"]).json();
    let two = run(&folder, &["--json", "--threads", "2"]).json();
    assert_eq!(timeless(&one), timeless(&two));
    let alone = run(&folder, &["--json", "--figures", "irrelevant"]).json();
    assert_eq!(
        alone["cells"].as_array().unwrap()[..],
        one["cells"].as_array().unwrap()[24..]
    );
    let other = run(&folder, &["--json", "--seed", "2"]).json();
    assert_ne!(one["cells"], other["cells"]);
}

#[test]
fn people_read_tables_errors_and_what_it_means() {
    let ran = run(&Folder::new(), &["--quiet", "-o", "out.json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    for word in [
        "Figure 1",
        "Figure 2",
        "truly irrelevant",
        "1 to 1200",
        "Monte-Carlo standard error",
        "up to 20 %",
        "selection bias",
        "the gain is real",
        "540 trials",
    ] {
        assert!(ran.stdout.contains(word), "no {word} in {}", ran.stdout);
    }
    // One trial has no error, and is no reason to fail.
    let one = Folder::new().run(&[
        "reproduce",
        "pavlenko2004",
        "--trials",
        "1",
        "--figures",
        "1",
    ]);
    assert_eq!(one.code, Some(0), "{}", one.stderr);
    assert!(!one.stdout.contains('±'), "{}", one.stdout);
    assert!(!one.stdout.contains("truly irrelevant"), "{}", one.stdout);
}

#[test]
fn figures_are_drawn_whole_and_stand_alone() {
    let folder = Folder::new();
    let ran = run(
        &folder,
        &["--quiet", "--plots", "new/figures", "-o", "new/out.json"],
    );
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for name in ["figure1.svg", "figure2.svg"] {
        let text = std::fs::read_to_string(folder.path(&format!("new/figures/{name}"))).unwrap();
        let document = roxmltree::Document::parse(&text).unwrap();
        let count = |tag: &str| {
            let nodes = document.descendants();
            nodes.filter(|node| node.tag_name().name() == tag).count()
        };
        assert_eq!(document.root_element().tag_name().name(), "svg");
        assert_eq!([count("title"), count("desc")], [1, 1]);
        // Four lines in each of two panels; the rest is axes.
        let is_thick = |node: &roxmltree::Node| {
            let width = node.attribute("stroke-width").unwrap_or_default();
            node.tag_name().name() == "polyline" && width != "1"
        };
        assert_eq!(document.descendants().filter(is_thick).count(), 8 + 4); // and the legend
        assert!(count("rect") > 4, "no bars in {name}");
        assert_eq!(
            [count("script"), count("image"), count("a"), count("style")],
            [0; 4]
        );
        for word in ["NaN", "inf", "href", "url("] {
            assert!(!text.contains(word), "{word} in {name}");
        }
    }
    // The same again over the same files: results may be written anew.
    let again = run(
        &folder,
        &["--quiet", "--plots", "new/figures", "--figures", "1"],
    );
    assert_eq!(again.code, Some(0), "{}", again.stderr);
}

#[test]
fn what_cannot_be_is_said_before_anything_is_drawn() {
    let folder = Folder::new();
    run(&folder, &["--figures", "3"]).fails(2, &["\"3\"", "figure of this paper"]);
    run(&folder, &["--figures", "irrelevant", "--plots", "p"]).fails(2, &["--plots", "--figures"]);
    run(&folder, &["--plots", "p", "-o", "p/figure1.svg"])
        .fails(2, &["--plots would overwrite", "figure1.svg"]);
    folder.write("file", "");
    run(&folder, &["--plots", "file"]).fails(1, &["file"]);
    for wrong in [
        ["--blocks", "0"],
        ["--block-size", "0"],
        ["--rows", "1"],
        ["--seed", "x"],
        ["--data", "."],
    ] {
        assert_eq!(run(&folder, &wrong).code, Some(2), "{wrong:?}");
    }
    let none = folder.run(&["reproduce", "pavlenko2004", "--trials", "0"]);
    assert_eq!(none.code, Some(2));
}

#[test]
fn extreme_designs_still_have_numbers() {
    let folder = Folder::new();
    for design in [
        ["1", "1", "2"],
        ["2", "500", "1000000000"],
        ["300", "1", "5"],
    ] {
        let [blocks, size, rows] = design;
        let more = [
            "--blocks",
            blocks,
            "--block-size",
            size,
            "--rows",
            rows,
            "--json",
        ];
        let document = run(&folder, &more).json();
        assert!(has_no_null(&document["cells"]), "{design:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_draws_nothing() {
    use std::process::Stdio;

    let folder = Folder::new();
    // Half a minute of work: no figure is whole when the signal comes.
    let arguments = [
        "reproduce",
        "pavlenko2004",
        "--trials",
        "100000",
        "--plots",
        "p",
    ];
    let child = folder
        .command(&arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(700));
    let pid = child.id().to_string();
    let kill = std::process::Command::new("kill")
        .args(["-INT", &pid])
        .status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let drawn = std::fs::read_dir(folder.path("p")).map_or(0, Iterator::count);
    assert_eq!(drawn, 0);
}
