//! Streams choose what tables in memory choose, whatever the format and the memory.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bayesieve::data::{
    CodedTable, CodingOptions, Generator, ReadOptions, RoleOptions, Roles, Table, read_table,
    write_table,
};
use bayesieve::document::{Seconds, selection};
use bayesieve::search::Limits;
use bayesieve::select::{Method, SelectOptions, Selection, select, select_counted};
use bayesieve::stream::{Stream, StreamOptions};
use bayesieve::{ErrorKind, Silent};
use serde_json::Value;

const MEMORY: u64 = 64 << 20;

fn options() -> StreamOptions {
    StreamOptions {
        read: ReadOptions::default(),
        coding: CodingOptions::default(),
        memory: MEMORY,
    }
}

fn written(folder: &tempfile::TempDir, name: &str, table: &Table) -> PathBuf {
    let path = folder.path().join(name);
    write_table(&path, table, &Silent).expect("a sound table");
    path
}

fn method(name: &str) -> SelectOptions {
    SelectOptions::new(Method::named(name).expect("a sound table")).expect("a sound table")
}

/// All that a selection says.
fn document(of: &Selection) -> Value {
    let seconds = Seconds::new(Duration::ZERO, Duration::ZERO);
    serde_json::to_value(selection(of, CodingOptions::default(), seconds)).expect("a sound table")
}

fn in_memory(path: &Path, name: &str) -> Value {
    let table = read_table(path, &ReadOptions::default(), &Silent).expect("a sound table");
    let roles = Roles::resolve(&table, &RoleOptions::default()).expect("a sound table");
    let coded = CodedTable::new(&table, &roles, CodingOptions::default()).expect("a sound table");
    document(&select(&coded, &method(name), &Limits::new(&Silent)).expect("a sound table"))
}

fn streamed(path: &Path, name: &str) -> Value {
    let stream = Stream::open(path, &options(), &Silent).expect("a sound table");
    let counted = stream
        .learn(&Silent)
        .expect("a sound table")
        .count(&Silent)
        .expect("a sound table");
    document(
        &select_counted(&counted, &method(name), &Limits::new(&Silent)).expect("a sound table"),
    )
}

#[test]
fn a_stream_chooses_as_the_table_does_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    // Numbers that are cut, few enough to be told apart: 2,048 of each of 40 columns are.
    let table = Generator::Waveform40.generate(2_000, 3).unwrap();
    for file in ["a.csv", "a.csv.gz", "a.parquet"] {
        let path = written(&folder, file, &table);
        for name in ["mdl-fs", "mrmr", "cdc-as", "iamb"] {
            assert_eq!(
                streamed(&path, name),
                in_memory(&path, name),
                "{file} {name}"
            );
        }
    }
}

#[test]
fn a_file_that_changes_between_passes_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let table = Generator::Led24.generate(500, 1).unwrap();
    let path = written(&folder, "a.csv", &table);
    let stream = Stream::open(&path, &options(), &Silent).unwrap();
    let learned = stream.learn(&Silent).unwrap();
    let mut text = std::fs::read(&path).unwrap();
    text.extend_from_slice(&text.clone()[text.len() / 2..]);
    std::fs::write(&path, text).unwrap();
    let error = learned.count(&Silent).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the file changed while it was read"),
        "{error}"
    );
}

#[test]
fn text_that_comes_after_many_numbers_makes_labels() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    let mut text = "x,y,class\n".to_owned();
    for row in 0..20_000 {
        let x = if row == 19_999 {
            "late".to_owned()
        } else {
            row.to_string()
        };
        text += &format!("{},{},{}\n", row % 7, x, row % 2);
    }
    std::fs::write(&path, &text).unwrap();
    let stream = Stream::open(&path, &options(), &Silent).unwrap();
    let learned = stream.learn(&Silent).unwrap();
    // 20,000 different texts: "0" to "19998", and one that is no number.
    assert_eq!(learned.domains().n_values(), [7, 20_000]);
}

#[test]
fn formats_without_parts_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.arff");
    std::fs::write(
        &path,
        "@relation r\n@attribute a {x}\n@attribute b {y}\n@data\nx,y\n",
    )
    .unwrap();
    let error = Stream::open(&path, &options(), &Silent).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(error.to_string().contains("ARFF is read whole"), "{error}");
}
