//! Bad input of every kind: the exit code, and a message with the place and the way out.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod common;

use common::Folder;

/// Describes a CSV of these bytes.
fn describe(bytes: impl AsRef<[u8]>) -> common::Ran {
    let folder = Folder::new();
    folder.write("data.csv", bytes);
    folder.run(&["describe", "data.csv"])
}

#[test]
fn an_empty_file_is_refused() {
    describe("").fails(3, &["data.csv", "the file is empty"]);
    describe("\n\n\n").fails(3, &["data.csv", "the file is empty"]);
}

#[test]
fn a_header_without_rows_is_refused() {
    describe("a,b,class\n").fails(3, &["data.csv", "names, but no rows"]);
}

#[test]
fn one_row_is_described() {
    let folder = Folder::new();
    folder.write("data.csv", "a,class\n1,x\n");
    let document = folder.run(&["describe", "data.csv", "--json"]).json();
    assert_eq!(document["rows"], 1);
    assert_eq!(document["columns"][0]["kind"], "constant");
}

#[test]
fn one_class_is_described() {
    let folder = Folder::new();
    folder.write("data.csv", "a,class\n1,x\n2,x\n");
    let document = folder.run(&["describe", "data.csv", "--json"]).json();
    assert_eq!(document["class_counts"]["x"], 2);
    assert_eq!(document["class_entropy"], 0.0);
    assert_eq!(document["columns"][0]["information_bits"], 0.0);
    assert_eq!(document["columns"][0]["redundant_level0"], true);
}

#[test]
fn a_class_that_is_not_there_is_refused_with_the_nearest_name() {
    let folder = Folder::new();
    folder.write("data.csv", "age,income\n1,x\n2,y\n");
    let run = |class| folder.run(&["describe", "data.csv", "--class", class]);
    run("incom").fails(2, &["--class", "\"incom\"", "Did you mean \"income\"?"]);
    run("zzzzzz").fails(2, &["--class", "\"zzzzzz\"", "\"age\""]);
}

#[test]
fn options_that_name_absent_columns_are_refused() {
    let folder = Folder::new();
    folder.write("data.csv", "age,size,class\n1,s,x\n2,l,y\n");
    for option in ["--features", "--ignore", "--nominal", "--numeric"] {
        folder
            .run(&["describe", "data.csv", option, "sise"])
            .fails(2, &["\"sise\"", "Did you mean \"size\"?"]);
    }
}

#[test]
fn constant_and_empty_columns_are_named_as_such() {
    let folder = Folder::new();
    folder.write("data.csv", "c,e,class\n1,,x\n1,,y\n1,?,y\n");
    let document = folder.run(&["describe", "data.csv", "--json"]).json();
    assert_eq!(document["columns"][0]["kind"], "constant");
    assert_eq!(document["columns"][1]["kind"], "empty");
    assert_eq!(document["columns"][1]["missing"], 3);
    assert_eq!(document["columns"][1]["redundant_level0"], true);
}

#[test]
fn a_class_without_any_value_is_refused() {
    describe("a,class\n1,\n2,\n").fails(3, &["\"class\"", "no value in any row", "--class"]);
}

#[test]
fn rows_without_a_class_are_left_out_with_a_note() {
    let folder = Folder::new();
    folder.write("data.csv", "a,class\n1,x\n2,\n2,y\n");
    let ran = folder.run(&["describe", "data.csv", "--json"]);
    assert_eq!(ran.json()["rows"], 2);
    assert!(
        ran.stderr.contains("1 row without a class"),
        "{}",
        ran.stderr
    );
}

#[test]
fn duplicate_and_empty_names_are_refused() {
    describe("a,b,a,class\n1,2,3,x\n").fails(3, &["data.csv", "\"a\"", "1", "3"]);
    describe("a,,class\n1,2,x\n").fails(3, &["data.csv", "2", "name"]);
}

#[test]
fn ragged_rows_are_refused_with_the_line() {
    describe("a,b,class\n1,2,x\n1,2\n").fails(3, &["line 3", "2 cells", "3 columns"]);
    describe("a,b,class\n1,2,x\n1,2,x,9\n").fails(3, &["line 3", "4 cells", "3 columns"]);
}

#[test]
fn an_unterminated_quote_is_refused_with_its_line() {
    describe("a,class\n1,x\n2,\"y\n3,x\n").fails(3, &["line 3", "quote", "never closed"]);
}

#[test]
fn nul_bytes_and_other_encodings_are_refused_with_the_place() {
    describe(b"a,class\n1,x\n\0,y\n").fails(3, &["line 3", "\"a\"", "NUL"]);
    describe(b"a,class\n1,x\nM\xfcnchen,y\n").fails(3, &["line 3", "\"a\"", "UTF-8", "iconv"]);
    describe(b"\xff\xfea\0,\0b\0").fails(3, &["UTF-16"]);
}

#[test]
fn nan_is_missing_and_infinity_is_refused() {
    let folder = Folder::new();
    folder.write("data.csv", "a,class\n1.5,x\nNaN,y\n2.5,y\n");
    let document = folder.run(&["describe", "data.csv", "--json"]).json();
    assert_eq!(document["columns"][0]["missing"], 1);
    describe("a,class\n1.5,x\n-inf,y\n").fails(3, &["line 3", "\"a\"", "\"-inf\"", "infinite"]);
    describe("a,class\n1e999,x\n2,y\n").fails(3, &["line 2", "\"1e999\"", "infinite"]);
}

#[test]
fn a_numeric_class_with_many_values_is_refused() {
    let rows: String = (0..21).map(|i| format!("a,{i}.5\n")).collect();
    describe(format!("f,class\n{rows}")).fails(3, &["\"class\"", "21 distinct", "--nominal class"]);
}

#[test]
fn ten_thousand_columns_are_described() {
    let folder = Folder::new();
    let line = |cell: &dyn Fn(usize) -> String| (0..10_000).map(cell).collect::<Vec<_>>().join(",");
    let mut text = line(&|i| format!("f{i}")) + ",class\n";
    for row in 0..20 {
        text += &format!("{},{}\n", line(&|i| ((i * row) % 3).to_string()), row % 2);
    }
    folder.write("data.csv", text);
    let ran = folder.run(&["describe", "data.csv", "--json"]);
    assert_eq!(ran.json()["columns"].as_array().map(Vec::len), Some(10_000));
    assert!(ran.stderr.contains("level 1 is left out"), "{}", ran.stderr);
}

#[test]
fn seventy_thousand_labels_and_a_label_of_a_megabyte_are_described() {
    let folder = Folder::new();
    let mut text = String::from("id,huge,class\n");
    for row in 0..70_000 {
        text += &format!("id{row},b,{}\n", row % 2);
    }
    text += &format!("last,{},1\n", "x".repeat(1 << 20));
    folder.write("data.csv", text);
    let ran = folder.run(&["describe", "data.csv"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("70,001"), "{}", ran.stdout);
    assert!(ran.stdout.len() < 5_000, "a label of a megabyte is cut");
}

#[test]
fn truncated_gzip_and_parquet_are_refused() {
    let folder = Folder::new();
    let ran = folder.run(&["generate", "led24", "--rows", "500", "-o", "whole.parquet"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let whole = std::fs::read(folder.path("whole.parquet")).unwrap();
    for length in [4, 100, whole.len() / 2, whole.len() - 1] {
        folder.write("cut.parquet", &whole[..length]);
        folder
            .run(&["describe", "cut.parquet"])
            .fails(3, &["cut.parquet"]);
    }
    let ran = folder.run(&["generate", "led24", "--rows", "500", "-o", "whole.csv.gz"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let whole = std::fs::read(folder.path("whole.csv.gz")).unwrap();
    assert_eq!(&whole[..2], b"\x1f\x8b");
    folder.write("cut.csv.gz", &whole[..whole.len() / 2]);
    folder
        .run(&["describe", "cut.csv.gz"])
        .fails(3, &["cut.csv.gz", "ends too early"]);
}

#[test]
fn folders_and_absent_files_are_refused() {
    let folder = Folder::new();
    folder.run(&["describe", "."]).fails(3, &["folder"]);
    folder
        .run(&["describe", "absent.csv"])
        .fails(3, &["absent.csv", "no such file"]);
}

#[test]
fn odd_names_pass_through_unharmed() {
    let folder = Folder::new();
    let names = ["<script>alert(1)</script>", "🦀", "say \"hi\"", "a\tb"];
    folder.write(
        "data.csv",
        "<script>alert(1)</script>,🦀,\"say \"\"hi\"\"\",a\tb,class\n1,2,3,4,x\n2,2,1,4,y\n",
    );
    let document = folder.run(&["describe", "data.csv", "--json"]).json();
    for (column, name) in document["columns"].as_array().unwrap().iter().zip(names) {
        assert_eq!(column["name"], name);
    }
    assert_eq!(folder.run(&["describe", "data.csv"]).code, Some(0));
}

#[test]
fn output_that_cannot_be_written_leaves_nothing_behind() {
    let folder = Folder::new();
    folder.write("data.csv", "a,class\n1,x\n2,y\n");
    let ran = folder.run(&["describe", "data.csv", "-o", "absent/out.json"]);
    ran.fails(1, &["absent/out.json"]);
    let ran = folder.run(&["describe", "data.csv", "--pairs", "absent/pairs.csv"]);
    ran.fails(1, &["absent/pairs.csv"]);
    let ran = folder.run(&["generate", "example1", "-o", "."]);
    assert!(matches!(ran.code, Some(1 | 2)), "{ran:?}");
    assert_eq!(folder.files(), ["data.csv"]);
}

#[test]
fn an_output_that_is_the_input_is_refused_before_reading() {
    let folder = Folder::new();
    folder.write("data.csv", "broken");
    folder
        .run(&["describe", "data.csv", "-o", "./data.csv"])
        .fails(2, &["-o", "overwrite"]);
    folder
        .run(&["describe", "data.csv", "-o", "x.csv", "--pairs", "x.csv"])
        .fails(2, &["--pairs", "overwrite"]);
    assert_eq!(std::fs::read(folder.path("data.csv")).unwrap(), b"broken");
}

#[test]
fn wrong_values_of_options_are_wrong_usage() {
    let folder = Folder::new();
    folder.write("data.csv", "a,class\n1,x\n2,y\n");
    let cases: [&[&str]; 8] = [
        &["describe", "data.csv", "--missing", "skip"],
        &["describe", "data.csv", "--discretize", "width:0"],
        &["describe", "data.csv", "--discretize", "magic"],
        &["describe", "data.csv", "--delimiter", "ab"],
        &["describe", "data.csv", "--levels", "2"],
        &["generate", "led25"],
        &["generate", "led24", "--rows", "0"],
        &["methods", "mdpl"],
    ];
    for arguments in cases {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {ran:?}");
        assert!(!ran.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_class_that_names_the_rows_is_refused() {
    let rows: String = (0..1_001).map(|i| format!("{i},name{i}\n")).collect();
    describe(format!("id,who\n{rows}")).fails(3, &["data.csv", "\"who\"", "1001", "--class"]);
}

#[test]
fn dropped_rows_leave_no_labels_behind() {
    let folder = Folder::new();
    folder.write("clean.csv", "a,b,class\nu,1,x\nv,2,y\nu,1,x\nv,2,y\n");
    folder.write(
        "more.csv",
        "a,b,class\nu,1,x\nv,2,y\nodd,,other\nu,1,x\nv,2,y\nz,1,\n",
    );
    let run = |file| {
        let mut document = folder
            .run(&["describe", file, "--json", "--missing", "drop"])
            .json();
        document["seconds"] = serde_json::Value::Null;
        document["warnings"] = serde_json::Value::Null;
        document
    };
    assert_eq!(run("clean.csv"), run("more.csv"));
}

#[test]
fn a_word_among_numbers_is_noted() {
    let rows: String = (0..30).map(|i| format!("{i}.5,{}\n", i % 2)).collect();
    let ran = describe(format!("a,class\n{rows}N/A,1\n"));
    assert_eq!(ran.code, Some(0));
    assert!(ran.stderr.contains("but for \"N/A\""), "{}", ran.stderr);
}

#[test]
fn too_many_threads_are_refused() {
    let folder = Folder::new();
    folder.write("data.csv", "a,class\n1,x\n2,y\n");
    folder
        .run(&["describe", "data.csv", "--threads", "100000"])
        .fails(2, &["--threads 100000"]);
}

#[cfg(unix)]
#[test]
fn a_signal_stops_a_run_that_waits_for_input() {
    use std::process::Stdio;
    let folder = Folder::new();
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let mut child = folder
            .command(&["describe", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The handlers are there when the command has begun to read: wait for its threads.
        std::thread::sleep(std::time::Duration::from_millis(500));
        let id = child.id().to_string();
        assert!(
            std::process::Command::new("kill")
                .args(["-s", signal, &id])
                .status()
                .unwrap()
                .success()
        );
        assert_eq!(child.wait().unwrap().code(), Some(code), "{signal}");
    }
}

#[test]
fn missing_cells_are_refused_or_dropped_when_asked() {
    let folder = Folder::new();
    folder.write("data.csv", "a,b,class\n1,u,x\n,v,y\n2,u,y\n");
    let run = |policy| folder.run(&["describe", "data.csv", "--json", "--missing", policy]);
    run("refuse").fails(3, &["\"a\"", "1 cell is missing", "data row 2"]);
    assert_eq!(run("drop").json()["rows"], 2);
    assert_eq!(run("available").json()["rows"], 3);
    folder.write("data.csv", "a,b,class\n,u,x\n,v,y\n");
    run("drop").fails(3, &["no row is complete", "--missing value"]);
}
