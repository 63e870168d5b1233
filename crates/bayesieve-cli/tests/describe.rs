//! `describe` and the rest of the command, as a user runs them.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod common;

use common::Folder;
use serde_json::Value;

fn column<'a>(document: &'a Value, name: &str) -> &'a Value {
    let columns = document["columns"].as_array().unwrap();
    columns
        .iter()
        .find(|column| column["name"] == name)
        .unwrap()
}

fn bits(document: &Value, name: &str) -> f64 {
    column(document, name)["information_bits"].as_f64().unwrap()
}

#[test]
fn example_1_tells_what_its_worked_numbers_say() {
    let folder = Folder::new();
    assert_eq!(
        folder
            .run(&["generate", "example1", "--rows", "3200", "-o", "e.csv"])
            .code,
        Some(0)
    );
    let document = folder
        .run(&["describe", "e.csv", "--class", "C", "--json"])
        .json();
    assert_eq!(document["schema"], "bayesieve.description.v1");
    assert_eq!(document["rows"], 3200);
    let expected = [
        ("A2", 0.311278),
        ("A8", 0.311278),
        ("A3", 0.073761),
        ("A6", 0.293564),
    ];
    for (name, expected) in expected {
        assert!((bits(&document, name) - expected).abs() < 5e-7, "{name}");
    }
    for name in ["A1", "A4", "A5", "A7"] {
        assert_eq!(bits(&document, name), 0.0, "{name}");
    }
    assert_eq!(
        document["duplicate_columns"],
        serde_json::json!([["A2", "A8"], ["A5", "A7"]])
    );
    let of = |key: &str, wanted: &dyn Fn(&Value) -> bool| -> Vec<String> {
        let columns = document["columns"].as_array().unwrap().iter();
        columns
            .filter(|column| wanted(&column[key]))
            .map(|column| column["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        of("redundant_level0", &|v| v == true),
        ["A1", "A4", "A5", "A7"]
    );
    // Given some other feature all but A6 are redundant (level 1, "exists").
    let level1 = of("redundant_level1_given", &|v| !v.is_null());
    assert_eq!(level1, ["A1", "A2", "A3", "A4", "A5", "A7", "A8"]);
    assert_eq!(column(&document, "A3")["redundant_level1_given"], "A2");
    // SU with the class, from the CFS example.
    let su = column(&document, "A6")["symmetric_uncertainty"]
        .as_f64()
        .unwrap();
    assert!((su - 0.433356).abs() < 5e-7);
    assert!(document["seconds"]["read"].is_number() && document["seconds"]["run"].is_number());
}

#[test]
fn the_table_for_people_names_every_feature() {
    let folder = Folder::new();
    folder.run(&["generate", "example1", "-o", "e.csv"]);
    let ran = folder.run(&["describe", "e.csv"]);
    for word in [
        "A1",
        "A8",
        "0.3113",
        "same cells: A2, A8",
        "32 rows",
        "8 features",
    ] {
        assert!(ran.stdout.contains(word), "no {word} in {}", ran.stdout);
    }
    assert!(
        ran.stderr.contains("the class is the last column"),
        "{}",
        ran.stderr
    );
    assert_eq!(folder.run(&["describe", "e.csv", "--quiet"]).stderr, "");
}

#[test]
fn standard_input_and_all_formats_describe_alike() {
    let folder = Folder::new();
    folder.run(&["generate", "redundant21", "--rows", "300", "-o", "r.csv"]);
    folder.run(&["generate", "redundant21", "--rows", "300", "-o", "r.csv.gz"]);
    folder.run(&[
        "generate",
        "redundant21",
        "--rows",
        "300",
        "-o",
        "r.parquet",
    ]);
    let columns = |ran: common::Ran| ran.json()["columns"].clone();
    let expected = columns(folder.run(&["describe", "r.csv", "--json"]));
    for file in ["r.csv.gz", "r.parquet"] {
        assert_eq!(
            columns(folder.run(&["describe", file, "--json"])),
            expected,
            "{file}"
        );
    }
    let bytes = std::fs::read(folder.path("r.csv")).unwrap();
    assert_eq!(
        columns(folder.run_with_input(&["describe", "-", "--json"], &bytes)),
        expected
    );
    let semicolons = String::from_utf8(bytes)
        .unwrap()
        .replace(',', ";")
        .replace('\n', "\r\n");
    folder.write("s.csv", format!("\u{feff}{semicolons}"));
    assert_eq!(
        columns(folder.run(&["describe", "s.csv", "--json"])),
        expected
    );
}

#[test]
fn threads_change_nothing() {
    let folder = Folder::new();
    folder.run(&["generate", "waveform40", "--rows", "500", "-o", "w.csv"]);
    let run = |threads| {
        let mut document = folder
            .run(&["describe", "w.csv", "--json", "--threads", threads])
            .json();
        document["seconds"] = Value::Null;
        document
    };
    assert_eq!(run("1"), run("3"));
}

#[test]
fn the_output_file_holds_the_document() {
    let folder = Folder::new();
    folder.run(&["generate", "example1", "-o", "e.csv"]);
    let ran = folder.run(&[
        "describe", "e.csv", "--json", "-o", "d.json", "--pairs", "p.csv",
    ]);
    let file = std::fs::read_to_string(folder.path("d.json")).unwrap();
    assert_eq!(file, ran.stdout);
    let pairs = std::fs::read_to_string(folder.path("p.csv")).unwrap();
    assert_eq!(pairs.lines().count(), 1 + 8 * 7 / 2);
    let line = pairs
        .lines()
        .find(|line| line.starts_with("A2,A3,"))
        .unwrap();
    // I(A2; A3) and I(A2; A3 | C) of the worked numbers.
    let numbers: Vec<f64> = line
        .split(',')
        .skip(2)
        .map(|x| x.parse().unwrap())
        .collect();
    assert!((numbers[0] - 0.311278).abs() < 5e-7, "{line}");
    assert!((numbers[1] - 0.237517).abs() < 5e-7, "{line}");
}

#[test]
fn features_can_be_chosen_and_ignored() {
    let folder = Folder::new();
    folder.run(&["generate", "example1", "-o", "e.csv"]);
    let names = |arguments: &[&str]| -> Vec<String> {
        let all = [&["describe", "e.csv", "--json"], arguments].concat();
        let document = folder.run(&all).json();
        let columns = document["columns"].as_array().unwrap().iter();
        columns
            .map(|column| column["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names(&["--features", "A6,A2"]), ["A2", "A6"]);
    assert_eq!(names(&["--ignore", "A1,A3,A4,A5,A6,A7"]), ["A2", "A8"]);
}

#[test]
fn generated_data_go_to_standard_output_by_default() {
    let folder = Folder::new();
    let ran = folder.run(&["generate", "led24", "--rows", "3", "--seed", "7"]);
    assert_eq!(ran.stdout.lines().count(), 4);
    let again = folder.run(&["generate", "led24", "--rows", "3", "--seed", "7"]);
    assert_eq!(ran.stdout, again.stdout);
    let other = folder.run(&["generate", "led24", "--rows", "3", "--seed", "8"]);
    assert_ne!(ran.stdout, other.stdout);
}

#[test]
fn the_repository_s_example_is_what_generate_writes() {
    let folder = Folder::new();
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/example1.csv");
    let ran = folder.run(&["generate", "example1"]);
    assert_eq!(ran.stdout, std::fs::read_to_string(example).unwrap());
}

#[test]
fn the_document_of_methods_is_what_the_command_prints() {
    let document = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/methods.md");
    let document = std::fs::read_to_string(document).unwrap();
    let printed = Folder::new().run(&["methods", "--markdown"]).stdout;
    // Line by line, so that a failure shows the place.
    for (ours, theirs) in printed.lines().zip(document.lines()) {
        assert_eq!(
            ours, theirs,
            "run: bayesieve methods --markdown > docs/methods.md"
        );
    }
    assert_eq!(printed.lines().count(), document.lines().count());
}

#[test]
fn methods_that_work_without_rows_in_memory_say_so() {
    let folder = Folder::new();
    // Three features, so that tables of more than two are asked for.
    let rows = "a,b,c,class\n0,0,0,0\n1,1,0,1\n0,1,1,1\n1,0,1,0\n".to_owned();
    folder.write("rows.csv", rows + &"1,1,1,1\n0,0,0,0\n0,0,1,0\n".repeat(30));
    let counted = folder.run(&["count", "rows.csv", "-o", "rows.counts"]);
    assert_eq!(counted.code, Some(0), "{}", counted.stderr);
    let all = folder.run(&["methods", "--json"]).json();
    let overview = folder.run(&["methods"]).stdout;
    let entries = all["entries"].as_array().unwrap().iter();
    for entry in entries.filter(|entry| entry["group"] == "methods") {
        let name = entry["name"].as_str().unwrap();
        let takes = entry["takes"].as_array().unwrap();
        let mut marks = String::new();
        for (option, value, mark) in [("--memory", "1GB", "m"), ("--counts", "rows.counts", "c")] {
            let data: &[&str] = if mark == "m" { &["rows.csv"] } else { &[] };
            let select = ["select", "--method", name, option, value];
            let is_refused = folder.run(&[&select[..], data].concat()).code == Some(2);
            let is_told = takes.iter().any(|taken| taken == option);
            // Whether a larger table is asked for depends on the rows.
            assert!(!(is_told && is_refused), "{name} {option}");
            assert!(is_told || is_refused || mark == "c", "{name} {option}");
            marks += if is_told { mark } else { "" };
        }
        let mut lines = overview.lines();
        let line = lines.find(|line| line.split_whitespace().next() == Some(name));
        let words: Vec<&str> = line.unwrap().split_whitespace().collect();
        assert_eq!(words[1] == marks, !marks.is_empty(), "{words:?}");
    }
}

#[test]
fn every_entry_of_methods_can_be_shown_alone() {
    let folder = Folder::new();
    let all = folder.run(&["methods", "--json"]).json();
    let entries = all["entries"].as_array().unwrap();
    assert!(entries.len() >= 10);
    for entry in entries {
        let name = entry["name"].as_str().unwrap();
        let ran = folder.run(&["methods", name]);
        assert_eq!(ran.code, Some(0));
        assert!(
            ran.stdout.contains(entry["summary"].as_str().unwrap()),
            "{name}"
        );
    }
}

#[test]
fn shells_get_their_completions() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = folder.run(&["completions", shell]);
        assert!(ran.stdout.contains("describe"), "{shell}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    use std::io::Read;
    use std::process::Stdio;
    let folder = Folder::new();
    let mut child = folder
        .command(&["generate", "led24", "--rows", "100000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
