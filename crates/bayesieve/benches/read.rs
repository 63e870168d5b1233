//! Reading CSV into coded columns, against a hash map of owned strings per column.
//!
//! `cargo bench --bench read`

mod common;

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use bayesieve::Silent;
use bayesieve::data::{ReadOptions, read_table, write_table};
use common::{Size, W1, W2, W3, Workload, fastest, growth_of_w1, on_one_thread, report};

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    on_one_thread(|| {
        for size in [W1, W2, W3] {
            compare(size, folder.path());
        }
        let time = |size| {
            let path = folder.path().join("growth.csv");
            write_table(&path, &Workload::new(size).table(), &Silent).expect("written");
            fastest(3, || {
                read_table(&path, &ReadOptions::default(), &Silent).expect("read")
            })
            .0
        };
        growth_of_w1(time);
    });
}

/// The plain way: every cell an owned string, looked up in a map of its column.
fn plain(path: &Path) -> Vec<Vec<u32>> {
    let mut reader = csv::Reader::from_path(path).expect("a readable file");
    let n_columns = reader.headers().expect("a header").len();
    let mut maps: Vec<HashMap<String, u32>> = vec![HashMap::new(); n_columns];
    let mut columns: Vec<Vec<u32>> = vec![Vec::new(); n_columns];
    for record in reader.records() {
        let record = record.expect("a row");
        for ((cell, map), column) in record.iter().zip(&mut maps).zip(&mut columns) {
            let next = map.len() as u32;
            column.push(*map.entry(cell.trim().to_owned()).or_insert(next));
        }
    }
    columns
}

fn compare(size: Size, folder: &Path) {
    let path = folder.join("work.csv");
    let work = Workload::new(size);
    write_table(&path, &work.table(), &Silent).expect("written");
    let (slow, expected) = fastest(1, || plain(&path));
    let (seconds, table) = fastest(3, || {
        read_table(&path, &ReadOptions::default(), &Silent).expect("read")
    });
    assert_eq!(table.n_rows(), expected[0].len(), "rows are missing");
    for (column, codes) in table.columns().iter().zip(work.columns.iter()) {
        let read = &column.as_nominal().expect("labels").codes;
        assert!(read == codes, "column {} differs", column.name());
    }
    let megabytes = fs::metadata(&path).expect("a file").len() as f64 / 1e6;
    report(
        &format!("{}: read {megabytes:.0} MB of CSV", size.name),
        seconds,
        slow,
    );
    let cells = (size.n_rows * (size.n_columns + 1)) as f64;
    println!("{:<58} {:>10.1} ns per cell", "", seconds / cells * 1e9);
}
