//! What the commands say from a file of counts is what they say from the rows.

mod common;

use common::{Folder, Ran};
use serde_json::Value;

/// Methods that a count file is enough for.
const METHODS: [&str; 10] = [
    "mdl-fs",
    "mdl",
    "koller-sahami",
    "cfs",
    "mrmr",
    "mrmr-miq",
    "jmi",
    "cmim",
    "fcbf",
    "all",
];

/// Numbers with gaps, labels with gaps, a copy, a column of one value, one of noise, one
/// without any value, and rows without a class; the class is not the last column.
fn mixed() -> String {
    let mut text = String::from("size,kind,class,copy,same,noise,gappy,empty\n");
    let mut state = 7u64;
    let mut draw = |n: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    for row in 0..400 {
        let (size, kind) = (draw(1_000), draw(3));
        let class = match row % 50 {
            0 => String::new(),
            _ => format!("c{}", (u64::from(size > 450) + kind / 2 + draw(8) / 7) % 3),
        };
        let shown = match draw(11) {
            0 => String::new(),
            _ => format!("{size}.5"),
        };
        let gappy = match draw(5) {
            0 => "?".to_owned(),
            n => format!("g{}", (n + kind) % 3),
        };
        let noise = draw(4);
        text += &format!("{shown},k{kind},{class},x{kind},one,n{noise},{gappy},\n");
    }
    text
}

/// Data and its counts under several names: led24 in shards, mixed columns, and a class that
/// two features decide.
fn folder() -> Folder {
    let folder = Folder::new();
    done(&folder.run(&["generate", "led24", "--rows", "600", "-o", "led.csv"]));
    folder.write("mixed.csv", mixed());
    // y is a and b but for some rows; the others copy a or tell nothing.
    let rows = (0..360u64).map(|row| {
        let (a, b) = (row % 2, row / 2 % 2);
        let y = (a * 2 + b + u64::from(row / 12 % 9 == 0)) % 4;
        format!("{a},{b},{a},{},y{y}\n", row / 4 % 3)
    });
    let pair = "a,b,copy,noise,y\n".to_owned() + &rows.collect::<String>();
    folder.write("pair.csv", pair);
    for name in ["mixed", "pair"] {
        let (data, counts) = (format!("{name}.csv"), format!("{name}.counts"));
        done(&folder.run(&["count", &data, "-o", &counts]));
    }
    count_in_shards(&folder);
    folder
}

fn count_in_shards(folder: &Folder) {
    done(&folder.run(&["count", "led.csv", "--domains-only", "-o", "led.json"]));
    let text = std::fs::read_to_string(folder.path("led.csv")).expect("made by this test");
    let mut lines = text.lines();
    let header = lines.next().expect("made by this test");
    let rows: Vec<&str> = lines.collect();
    let mut merge = vec!["merge".to_owned(), "-o".into(), "led.counts".into()];
    for (part, rows) in rows.chunks(250).enumerate() {
        let (data, counts) = (format!("led-{part}.csv"), format!("led-{part}.counts"));
        folder.write(&data, format!("{header}\n{}\n", rows.join("\n")));
        done(&folder.run(&["count", &data, "--domains", "led.json", "-o", &counts]));
        merge.push(counts);
    }
    done(&folder.run(&merge.iter().map(String::as_str).collect::<Vec<_>>()));
}

fn done(ran: &Ran) {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

/// Runs a command on the rows of a data set and on its counts.
fn both(folder: &Folder, command: &str, name: &str, options: &[&str]) -> [Ran; 2] {
    let (data, counts) = (format!("{name}.csv"), format!("{name}.counts"));
    let run = |source: &[&str]| {
        let ran = folder.run(&[&[command], source, options].concat());
        done(&ran);
        ran
    };
    [run(&[&data]), run(&["--counts", &counts])]
}

/// A document without what may differ.
fn without(mut document: Value, keys: &[&str]) -> Value {
    let fields = document.as_object_mut().expect("made by this test");
    for key in keys {
        assert!(fields.contains_key(*key), "{key}");
        fields[*key] = Value::Null;
    }
    document
}

/// The text of a document without its last digits of time.
fn text_without_seconds(ran: &Ran) -> String {
    let (before, rest) = ran
        .stdout
        .split_once("\"seconds\"")
        .expect("made by this test");
    let (_, behind) = rest.split_once('}').expect("made by this test");
    format!("{before}{behind}")
}

#[test]
fn two_kept_features_give_the_same_selection_byte_for_byte() {
    let folder = folder();
    for method in METHODS {
        let mut options = vec!["--method", method, "--json"];
        if matches!(method, "mrmr" | "mrmr-miq" | "jmi" | "cmim" | "fcbf") {
            options.extend(["--count", "2"]);
        }
        if matches!(method, "mdl" | "cfs" | "all") {
            options.extend(["--ignore", "copy,noise"]);
        }
        let [rows, counts] = both(&folder, "select", "pair", &options);
        assert_eq!(text_without_seconds(&counts), text_without_seconds(&rows));
        assert_eq!(rows.json()["kept"].as_array().unwrap().len(), 2, "{method}");
        assert_eq!(rows.stderr, counts.stderr, "{method}");
    }
}

#[test]
fn counts_select_what_rows_select_for_ten_methods() {
    let folder = folder();
    for name in ["led", "mixed", "pair"] {
        for method in METHODS {
            let [rows, counts] = both(&folder, "select", name, &["--method", method, "--json"]);
            let (mut rows, mut counts) = (rows.json(), counts.json());
            let n_kept = rows["kept"].as_array().unwrap().len();
            for place in 0..n_kept {
                let rest = "information_given_rest_bits";
                let [by_rows, by_counts] = [&mut rows, &mut counts]
                    .map(|document| document["kept_features"][place][rest].take());
                assert!(by_rows.is_number());
                if n_kept > 2 {
                    // One table of all of them is more than a count file has.
                    assert_eq!(by_counts, Value::Null)
                } else {
                    assert_eq!(by_counts, by_rows)
                }
            }
            let is_pair = |dropped: &Value| dropped["level"] == 2;
            let dropped = rows["dropped"].as_array().unwrap().iter().zip(0..);
            let wide: Vec<usize> = dropped
                .filter(|(dropped, _)| is_pair(dropped))
                .map(|(_, place)| place)
                .collect();
            for place in wide {
                rows["dropped"][place].take();
                counts["dropped"][place].take();
            }
            let [rows, counts] = [rows, counts].map(|d| without(d, &["seconds", "warnings"]));
            assert_eq!(counts, rows, "{method} on {name}");
        }
    }
}

#[test]
fn features_and_what_must_stay_can_still_be_named() {
    let folder = folder();
    let cases: [&[&str]; 4] = [
        &["--ignore", "x1,x2"],
        &["--features", "x1,x2,x3,x9"],
        &["--ignore", "x5", "--keep", "x9,x2"],
        &[
            "--features",
            "x1,x2,x9",
            "--keep",
            "x9",
            "--method",
            "jmi",
            "--count",
            "2",
        ],
    ];
    for case in cases {
        let options = [&["--method", "mdl-fs", "--json"][..], case].concat();
        let options = if case.contains(&"jmi") {
            [&["--json"][..], case].concat()
        } else {
            options
        };
        let [rows, counts] = both(&folder, "select", "led", &options);
        let same = ["seconds", "warnings", "kept_features"];
        let [rows, counts] = [rows.json(), counts.json()].map(|d| without(d, &same));
        assert_eq!(counts, rows, "{case:?}");
    }
    // What was left out when the rows were counted is left out by the user, too.
    let count = ["count", "led.csv", "--ignore", "x3,x7", "-o", "few.counts"];
    done(&folder.run(&count));
    let counts = folder
        .run(&["select", "--counts", "few.counts", "--json"])
        .json();
    let dropped = counts["dropped"].as_array().unwrap();
    let excluded = dropped.iter().filter(|d| d["reason"] == "excluded-by-user");
    let excluded: Vec<&Value> = excluded.map(|dropped| &dropped["feature"]).collect();
    assert_eq!(excluded, ["x3", "x7"]);
    for (options, words) in [
        (["--ignore", "x1,zz"], ["--ignore", "zz"]),
        (["--features", "class"], ["--features", "class"]),
        (["--keep", "zz"], ["no feature", "zz"]),
    ] {
        let ran = folder.run(&[&["select", "--counts", "led.counts"], &options[..]].concat());
        ran.fails(2, &words);
    }
}

#[test]
fn one_source_is_needed_and_one_is_enough() {
    let folder = folder();
    for command in ["select", "describe", "score", "train"] {
        let output: &[&str] = match command {
            "train" => &["-o", "model.json"],
            _ => &[],
        };
        let run = |source: &[&str]| folder.run(&[&[command], source, output].concat());
        run(&[]).fails(2, &["file of rows", "--counts"]);
        run(&["led.csv", "--counts", "led.counts"]).fails(2, &["both", "--counts"]);
        run(&["--counts", "led.csv"]).fails(3, &["led.csv", "no file of counts"]);
        run(&["--counts", "absent"]).fails(3, &["absent", "there is no such file"]);
        let settled: [[&str; 2]; 7] = [
            ["--class", "x1"],
            ["--nominal", "all"],
            ["--numeric", "x1"],
            ["--na", "-"],
            ["--delimiter", ";"],
            ["--missing", "value"],
            ["--discretize", "mdlp"],
        ];
        for option in settled {
            let ran = run(&[&["--counts", "led.counts"], &option[..]].concat());
            ran.fails(2, &[option[0], "settled", "count again"]);
        }
    }
}

#[test]
fn what_needs_rows_says_so_and_names_what_does_not() {
    let folder = folder();
    let select =
        |options: &[&str]| folder.run(&[&["select", "--counts", "led.counts"], options].concat());
    for method in ["relief-f", "wrapper", "naive-as", "separation"] {
        select(&["--method", method]).fails(2, &[method, "needs the rows", "mdl-fs"]);
    }
    for method in ["iamb", "hiton-mb", "mmmb", "cig-as"] {
        let ran = select(&["--method", method]);
        ran.fails(2, &[method, "a table of ", "at most 2", "mdl-fs", "jmi"]);
    }
    let wide = ["--method", "koller-sahami", "--set", "k=2"];
    select(&wide).fails(2, &["koller-sahami", "at most 2"]);
    select(&["--method", "auto"]).fails(2, &["auto", "needs the rows", "mdl-fs", "fcbf"]);
    folder.write("folds.txt", "1\n2\n");
    for option in [
        &["--folds", "folds.txt"][..],
        &["--honest"],
        &["--checkpoint", "run.txt"],
    ] {
        select(option).fails(2, &[option[0], "needs the rows", "--counts"]);
    }
    let train = ["train", "--counts", "led.counts", "-o", "m.json", "--model"];
    for model in ["k2", "cb", "id3", "block"] {
        folder
            .run(&[&train[..], &[model]].concat())
            .fails(2, &[model, "needs the rows", "nb or tan"]);
    }
    let score = ["score", "--counts", "led.counts"];
    let cv = [&score[..], &["--cv", "5"]].concat();
    folder.run(&cv).fails(2, &["--cv", "needs the rows"]);
    let wide = [&score[..], &["--set", "auxiliary=complete"]].concat();
    folder
        .run(&wide)
        .fails(2, &["auxiliary=complete", "at most 2"]);
    assert!(!folder.files().contains(&"m.json".to_owned()));
}

#[test]
fn without_a_method_it_is_mdl_fs_with_a_note() {
    let folder = folder();
    let ran = folder.run(&["select", "--counts", "led.counts", "--json"]);
    assert_eq!(ran.json()["method"], "mdl-fs");
    assert!(ran.stderr.contains("auto needs the rows"), "{}", ran.stderr);
    let warnings = ran.json()["warnings"].to_string();
    assert!(warnings.contains("auto needs the rows"), "{warnings}");
}

#[test]
fn counts_describe_the_same_columns_and_pairs() {
    let folder = folder();
    for name in ["led", "mixed", "pair"] {
        for levels in ["0", "1"] {
            let options = ["--json", "--levels", levels];
            let [rows, counts] = both(&folder, "describe", name, &options);
            let note = "counts do not tell which rows are equal";
            assert!(counts.stderr.contains(note), "{}", counts.stderr);
            let (rows, counts) = (rows.json(), counts.json());
            assert!(rows["duplicate_rows"].is_number());
            assert_eq!(counts["duplicate_rows"], Value::Null);
            let same = ["seconds", "warnings", "duplicate_rows"];
            let [rows, counts] = [rows, counts].map(|d| without(d, &same));
            assert_eq!(counts, rows, "{name}");
        }
        let [by_rows, by_counts] = ["rows.csv", "counts.csv"];
        let (data, counts) = (format!("{name}.csv"), format!("{name}.counts"));
        done(&folder.run(&["describe", &data, "--pairs", by_rows]));
        done(&folder.run(&["describe", "--counts", &counts, "--pairs", by_counts]));
        let read = |file: &str| std::fs::read_to_string(folder.path(file)).unwrap();
        assert_eq!(read(by_counts), read(by_rows), "{name}");
    }
    let ignored = ["--ignore", "x1,x4", "--json"];
    let [rows, counts] = both(&folder, "describe", "led", &ignored);
    assert_eq!(counts.json()["columns"], rows.json()["columns"]);
}

#[test]
fn counts_train_the_same_model_byte_for_byte() {
    let folder = folder();
    let read = |file: &str| std::fs::read_to_string(folder.path(file)).unwrap();
    let select = ["select", "--counts", "mixed.counts", "-o", "selection.json"];
    done(&folder.run(&select));
    let cases: [(&str, &[&str]); 6] = [
        ("led", &["--model", "nb"]),
        ("led", &["--model", "tan", "--set", "alpha=0.5"]),
        ("mixed", &["--model", "nb", "--set", "smoothing=ml"]),
        ("mixed", &[]),
        ("mixed", &["--selection", "selection.json"]),
        ("pair", &["--features", "b,noise", "--json"]),
    ];
    for (name, options) in cases {
        let (data, counts) = (format!("{name}.csv"), format!("{name}.counts"));
        let by_rows = [&["train", &data, "-o", "rows.json"], options].concat();
        let by_counts = ["train", "--counts", &counts, "-o", "counts.json"];
        done(&folder.run(&by_rows));
        done(&folder.run(&[&by_counts[..], options].concat()));
        assert_eq!(read("counts.json"), read("rows.json"), "{name} {options:?}");
    }
    let ran = folder.run(&["predict", "counts.json", "pair.csv"]);
    done(&ran);
    assert_eq!(ran.stdout.lines().count(), 361);
    folder.write(
        "other.json",
        r#"{"schema": "bayesieve.selection.v1", "data": {"class": "class"}, "kept": ["x1", "zz"]}"#,
    );
    let train = ["train", "--counts", "led.counts", "-o", "m.json"];
    let other = [&train[..], &["--selection", "other.json"]].concat();
    folder.run(&other).fails(3, &["other.json", "zz"]);
}

#[test]
fn counts_score_the_same_sets() {
    let folder = folder();
    folder.write("sets.txt", "x1,x5\nnone\nx2\nx1,x2,x3,x9\n");
    for model in ["nb", "tan"] {
        let options = ["--subsets", "sets.txt", "--model", model, "--json"];
        let [rows, counts] = both(&folder, "score", "led", &options);
        let (mut rows, mut counts) = (rows.json(), counts.json());
        for place in 0..4 {
            let accuracy = rows["subsets"][place]["accuracy"].take();
            assert!(accuracy["cv"].is_number());
            assert_eq!(counts["subsets"][place]["accuracy"], Value::Null);
            let measures = rows["subsets"][place]["measures"].take();
            assert!(measures["log_loss"].is_number());
            assert_eq!(counts["subsets"][place]["measures"], Value::Null);
        }
        // Four features are more than the counts have in one table.
        assert!(rows["subsets"][3]["conditional_entropy"].take().is_number());
        assert_eq!(
            counts["subsets"][3]["conditional_entropy"].take(),
            Value::Null
        );
        let [rows, counts] = [rows, counts].map(|d| without(d, &["seconds", "warnings"]));
        assert_eq!(counts, rows);
    }
    let ran = folder.run(&["score", "--counts", "led.counts", "--features", "x1,x2,x3"]);
    done(&ran);
    for note in [
        "accuracies need the rows",
        "conditional entropies are left out",
    ] {
        assert!(ran.stderr.contains(note), "{}", ran.stderr);
    }
    assert!(
        ran.stdout.contains("led.counts: 600 rows, 24 features"),
        "{}",
        ran.stdout
    );
    let quiet = [
        "score",
        "--counts",
        "pair.counts",
        "--features",
        "a,b",
        "--cv",
        "0",
    ];
    let ran = folder.run(&quiet);
    assert_eq!(
        (ran.code, ran.stderr.contains("left out")),
        (Some(0), false)
    );
}

#[test]
fn gaps_left_open_are_refused_where_whole_rows_are_needed() {
    let folder = folder();
    let count = [
        "count",
        "mixed.csv",
        "--missing",
        "available",
        "-o",
        "open.counts",
    ];
    done(&folder.run(&count));
    let train = ["train", "--counts", "open.counts", "-o", "m.json"];
    folder
        .run(&train)
        .fails(2, &["--missing available", "train"]);
    let score = ["score", "--counts", "open.counts"];
    folder
        .run(&score)
        .fails(2, &["--missing available", "score"]);
    let select = ["select", "--counts", "open.counts", "--method"];
    folder
        .run(&[&select[..], &["mdl-fs"]].concat())
        .fails(2, &["--missing available", "mdl-fs"]);
    let options = ["--method", "jmi", "--json"];
    let rows = ["select", "mixed.csv", "--missing", "available"];
    let rows = folder.run(&[&rows[..], &options].concat()).json();
    let counts = ["select", "--counts", "open.counts"];
    let counts = folder.run(&[&counts[..], &options].concat()).json();
    let [rows, counts] = [rows, counts].map(|d| without(d, &["seconds", "warnings"]));
    assert_eq!(counts, rows);
}

#[test]
fn pages_are_written_from_counts() {
    let folder = folder();
    for command in ["select", "describe", "train"] {
        let mut arguments = vec![command, "--counts", "led.counts", "--report", "page.html"];
        if command == "train" {
            arguments.extend(["-o", "model.json"]);
        }
        done(&folder.run(&arguments));
        let page = std::fs::read_to_string(folder.path("page.html")).unwrap();
        assert!(page.contains("led.counts"), "{command}");
        assert!(page.contains("x5"), "{command}");
        std::fs::remove_file(folder.path("page.html")).unwrap();
    }
    let same = ["select", "--counts", "led.counts", "-o", "led.counts"];
    folder.run(&same).fails(2, &["-o", "overwrite"]);
}
