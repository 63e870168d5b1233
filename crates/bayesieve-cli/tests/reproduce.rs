//! `reproduce` on networks small enough to write here.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod common;

use common::Folder;
use serde_json::Value;

/// Five nodes: a → c ← b, c → d, and e alone.
const SMALL: &str = "network small { }
variable a { type discrete [ 2 ] { no, yes }; }
variable b { type discrete [ 2 ] { no, yes }; }
variable c { type discrete [ 2 ] { no, yes }; }
variable d { type discrete [ 2 ] { no, yes }; }
variable e { type discrete [ 2 ] { no, yes }; }
probability ( a ) { table 0.5, 0.5; }
probability ( b ) { table 0.4, 0.6; }
probability ( c | a, b ) {
  (no, no) 0.95, 0.05;
  (no, yes) 0.4, 0.6;
  (yes, no) 0.3, 0.7;
  (yes, yes) 0.1, 0.9;
}
probability ( d | c ) {
  (no) 0.9, 0.1;
  (yes) 0.2, 0.8;
}
probability ( e ) { table 0.5, 0.5; }
";

/// A folder with two networks, one beside and one inside `networks`.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("alarm.bif", SMALL);
    std::fs::create_dir(folder.path("networks")).unwrap();
    folder.write(
        "networks/boblo.bif",
        SMALL.replace("0.95, 0.05", "0.6, 0.4"),
    );
    folder
}

const PLAIN: [&str; 8] = [
    "reproduce",
    "acid2011",
    "--data",
    ".",
    "--networks",
    "boblo,alarm",
    "--sizes",
    "1000,100",
];

fn run(folder: &Folder, more: &[&str]) -> common::Ran {
    folder.run(&[&PLAIN[..], more].concat())
}

/// The document without what a clock or a checkpoint may change.
fn timeless(mut document: Value) -> Value {
    let entries = document.as_object_mut().unwrap();
    assert!(entries.remove("seconds").unwrap()["run"].is_number());
    entries.remove("warnings");
    document
}

#[test]
fn cells_come_in_the_papers_order_beside_its_figures() {
    let document = run(&folder(), &["--json", "--methods", "mrmr"]).json();
    assert_eq!(document["schema"], "bayesieve.reproduction.v1");
    assert_eq!(document["paper"]["name"], "acid2011");
    let cells = document["cells"].as_array().unwrap();
    let of = |cell: &Value| {
        (
            cell["network"].clone(),
            cell["rows"].clone(),
            cell["published"].clone(),
        )
    };
    let expected = [
        ("alarm", 100, 0.5019),
        ("alarm", 1000, 0.6452),
        ("boblo", 100, 0.3817),
        ("boblo", 1000, 0.4983),
    ];
    for (cell, (network, rows, published)) in cells.iter().zip(expected) {
        assert_eq!(of(cell), (network.into(), rows.into(), published.into()));
        assert_eq!(cell["units"], 25); // five nodes, five samples
        let f = cell["f"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&f));
        assert_eq!(cell["difference"].as_f64().unwrap(), f - published);
        // As many are found as are true: the shares are the same.
        assert_eq!(cell["precision"], cell["recall"]);
    }
    assert_eq!(cells.len(), 4);
    let summary = &document["summary"]["methods"][0];
    assert_eq!(
        (&summary["method"], &summary["cells"]),
        (&"mrmr".into(), &4.into())
    );
    // Neither is the network of that name.
    let warnings = document["warnings"].to_string();
    assert!(
        warnings.contains("alarm.bif has 5 nodes and 3 arcs"),
        "{warnings}"
    );
    assert!(warnings.contains("37 nodes and 46 arcs"), "{warnings}");
}

#[test]
fn threads_and_other_cells_change_nothing() {
    let folder = folder();
    let one = timeless(run(&folder, &["--json", "--threads", "1"]).json());
    let two = timeless(run(&folder, &["--json", "--threads", "2"]).json());
    assert_eq!(one, two);
    let arguments = [
        "reproduce",
        "acid2011",
        "--data",
        ".",
        "--networks",
        "boblo",
        "--sizes",
        "100",
        "--json",
    ];
    let alone = folder.run(&arguments).json();
    let cells = one["cells"].as_array().unwrap();
    let same: Vec<&Value> = cells
        .iter()
        .filter(|cell| cell["network"] == "boblo" && cell["rows"] == 100)
        .collect();
    assert_eq!(
        alone["cells"]
            .as_array()
            .unwrap()
            .iter()
            .collect::<Vec<_>>(),
        same
    );
    let other = timeless(run(&folder, &["--json", "--seed", "2"]).json());
    assert_ne!(one["cells"], other["cells"]);
}

#[test]
fn a_checkpoint_is_gone_on_from_and_that_of_another_run_refused() {
    let folder = folder();
    let whole = run(&folder, &["--json", "--checkpoint", "c", "-o", "out.json"]);
    let written = std::fs::read_to_string(folder.path("out.json")).unwrap();
    assert_eq!(written, whole.stdout);
    let whole = timeless(whole.json());
    run(&folder, &["--checkpoint", "c"]).fails(2, &["the checkpoint exists", "--resume"]);

    let text = std::fs::read_to_string(folder.path("c")).unwrap();
    let half = &text[..text.len() / 2];
    folder.write("c", half);
    let resumed = run(&folder, &["--json", "--checkpoint", "c", "--resume"]);
    assert!(
        resumed.stderr.contains("came from the checkpoint"),
        "{}",
        resumed.stderr
    );
    assert_eq!(timeless(resumed.json()), whole);

    let resume = ["--checkpoint", "c", "--resume"];
    run(&folder, &[&resume[..], &["--seed", "2"]].concat())
        .fails(3, &["c: ", "another run: its seed is 1, this one's 2"]);
    folder.write("alarm.bif", SMALL.replace("0.95, 0.05", "0.94, 0.06"));
    run(&folder, &resume).fails(3, &["c, line 2", "alarm, 100 rows", "other data"]);
    folder.write("c", "nothing of this kind\n");
    run(&folder, &resume).fails(3, &["c, line 1", "broken"]);
}

#[test]
fn what_is_not_there_is_named() {
    let folder = folder();
    let with = |arguments: &[&str]| {
        folder.run(&[&["reproduce", "acid2011", "--data", "."], arguments].concat())
    };
    with(&["--networks", "alarm,pigs"]).fails(3, &["pigs.bif", "./networks", "--data"]);
    with(&["--networks", "alram"]).fails(2, &["\"alram\"", "Did you mean \"alarm\"?"]);
    with(&["--sizes", "300"]).fails(2, &["there is no size", "\"300\"", "100"]);
    with(&["--methods", "mrmmr"]).fails(2, &["\"mrmmr\"", "Did you mean \"mrmr\"?"]);
    with(&["--networks", "alarm,"]).fails(2, &["--networks: a name is empty"]);
    with(&["--networks", "alarm", "-o", "absent/x.json"]).fails(1, &["the folder does not exist"]);
    // Also a network that is not asked for.
    for file in ["alarm.bif", "networks/boblo.bif"] {
        with(&["--networks", "alarm", "-o", file]).fails(2, &["would overwrite the input"]);
    }
    with(&["--networks", "alarm", "-o", "x", "--checkpoint", "x"])
        .fails(2, &["--checkpoint would overwrite"]);
    folder.write("alarm.bif", "no network");
    with(&["--networks", "alarm"]).fails(3, &["alarm.bif"]);
    let unknown = folder.run(&["reproduce", "acid2012", "--data", "."]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.stderr.contains("acid2011"), "{}", unknown.stderr);
    for wrong in [["--samples", "0"], ["--seed", "x"], ["--methods", "some"]] {
        assert_eq!(with(&wrong).code, Some(2));
    }
    assert!(!folder.files().contains(&"x".to_owned()));
}

#[test]
fn papers_are_listed_with_what_they_need() {
    let listed = Folder::new().run(&["reproduce"]);
    assert_eq!(listed.code, Some(0));
    for word in ["acid2011", "alarm.bif", "Markov boundaries", "--data DIR"] {
        assert!(listed.stdout.contains(word), "{}", listed.stdout);
    }
}

#[test]
fn people_see_ours_the_published_figure_and_the_difference() {
    let folder = folder();
    let ran = run(&folder, &["--quiet", "--samples", "1"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    for word in [
        "network",
        "published",
        "difference",
        "0.6452",
        "1,000",
        "seed 1",
    ] {
        assert!(ran.stdout.contains(word), "no {word} in {}", ran.stdout);
    }
    assert!(!ran.stdout.contains('±')); // one sample has no standard error
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_shows_whole_cells_and_goes_on_later() {
    use std::process::Stdio;

    let folder = folder();
    let arguments = [
        "reproduce",
        "acid2011",
        "--data",
        ".",
        "--networks",
        "alarm",
        "--samples",
        "300",
        "--methods",
        "mrmr",
        "--checkpoint",
        "c",
        "--json",
    ];
    let mut child = folder
        .command(&arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The first lines are in the file: there is something to go on from.
    while std::fs::read(folder.path("c")).map_or(true, |bytes| bytes.len() < 1_000) {
        if child.try_wait().unwrap().is_some() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let pid = child.id().to_string();
    std::process::Command::new("kill")
        .args(["-INT", &pid])
        .status()
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let code = output.status.code();
    // It may have been done before the signal came.
    assert!(matches!(code, Some(0 | 130)), "{output:?}");
    if code == Some(130) && !output.stdout.is_empty() {
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(document["stop"]["reason"], "interrupted");
        for cell in document["cells"].as_array().unwrap() {
            assert_eq!(cell["units"], 1_500);
        }
    }
    let resumed = folder.run(&[&arguments[..], &["--resume"]].concat()).json();
    std::fs::remove_file(folder.path("c")).unwrap();
    let whole = folder.run(&arguments).json();
    assert_eq!(timeless(resumed), timeless(whole));
}
