//! Files counted in passes, against reading and decoding them once.
//!
//! `cargo bench --bench stream`

mod common;

use std::path::Path;

use bayesieve::Silent;
use bayesieve::data::{
    BlockRequest, CodingOptions, Generator, ReadOptions, RoleOptions, RowBlocks, write_blocks,
};
use bayesieve::stream::{Stream, StreamOptions};
use common::{fastest, on_one_thread, report};

/// Rows of a row group.
const GROUP: usize = 250_000;

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    on_one_thread(|| {
        for file in ["rows.parquet", "rows.csv"] {
            let path = folder.path().join(file);
            write(&path, 1_000_000);
            compare(&path);
        }
        for n_rows in [500_000, 1_000_000, 2_000_000] {
            let path = folder.path().join("growth.parquet");
            write(&path, n_rows);
            let (seconds, _) = fastest(2, || count(&path));
            println!("{n_rows:>9} rows of 100 columns: {seconds:.3} s");
        }
    });
}

fn write(path: &Path, n_rows: usize) {
    let group = |i: usize| Generator::Planted100.generate(GROUP, i as u64);
    write_blocks(path, (0..n_rows / GROUP).map(group), &Silent).expect("written");
}

fn options() -> StreamOptions {
    StreamOptions {
        read: ReadOptions::default(),
        roles: RoleOptions::default(),
        coding: CodingOptions::default(),
        memory: 256 << 20,
    }
}

/// Reads and decodes every cell once, and does nothing with it.
fn decode(path: &Path) -> u64 {
    let blocks = RowBlocks::open(path, &ReadOptions::default(), 1 << 24, &Silent).expect("opened");
    let columns: Vec<usize> = (0..blocks.names().len()).collect();
    let request = BlockRequest {
        columns: &columns,
        kinds: &vec![None; columns.len()],
        n_skipped: 0,
    };
    let mut n_rows = 0;
    let read = blocks.read(request, &Silent, &mut |block| {
        n_rows += block.table.n_rows() as u64;
        Ok(())
    });
    read.expect("read");
    n_rows
}

/// Learns labels in one pass, counts all single and pair tables in another.
fn count(path: &Path) -> u64 {
    let stream = Stream::open(path, &options(), &Silent).expect("opened");
    let learned = stream.learn(&Silent).expect("learned");
    learned.count(&Silent).expect("counted").tables().n_rows()
}

fn compare(path: &Path) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (once, n_rows) = fastest(3, || decode(path));
    let (seconds, n_counted) = fastest(3, || count(path));
    assert_eq!(n_counted, n_rows, "rows are missing");
    report(
        &format!("{name}: labels learned, 4,950 pairs counted"),
        seconds,
        once,
    );
    println!("{name}: read and decoded once in {once:.3} s, all in {seconds:.3} s");
}
