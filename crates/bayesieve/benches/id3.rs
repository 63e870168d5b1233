//! Trees, against one plain pass over all cells that counts values by class: a tree cannot
//! be grown with less.
//!
//! `cargo bench --bench id3`

mod common;

use bayesieve::Silent;
use bayesieve::classify::{Id3, Id3Options};
use bayesieve::data::{Column, Generator, Nominal, Table};
use common::{W1, Workload, fastest, on_one_thread, report};

fn main() {
    on_one_thread(|| {
        grow("W1", &Workload::new(W1).table());
        let numbers = Generator::Waveform40.generate(20_000, 1);
        grow("waveform40, 20,000 rows", &numbers.expect("generated"));
        let segments = Generator::Led24.generate(100_000, 1);
        grow("led24, 100,000 rows", &segments.expect("generated"));
    });
}

fn grow(name: &str, table: &Table) {
    let class = table.column("class").and_then(Column::as_nominal);
    let class = class.expect("a nominal class");
    let columns = table.columns().iter().map(|column| &**column);
    let columns: Vec<&Column> = columns.filter(|column| column.name() != "class").collect();
    let (plain, _) = fastest(3, || {
        let counts = columns.iter().map(|column| plain_counts(column, class));
        counts.collect::<Vec<_>>()
    });
    let options = Id3Options::default();
    let (seconds, tree) = fastest(3, || {
        Id3::fit(&columns, class, &options, &Silent).expect("a tree")
    });
    let n_nodes = tree.nodes().len();
    report(
        &format!("{name}: a tree of {n_nodes} nodes"),
        seconds,
        plain,
    );
}

/// How often each value occurs in each class; numbers by whether they are positive.
fn plain_counts(column: &Column, class: &Nominal) -> Vec<u32> {
    let n_classes = class.n_values();
    let value = |row: usize| match (column.as_nominal(), column.as_numeric()) {
        (Some(nominal), _) => nominal.codes.get(row).map_or(0, |code| code as usize),
        (_, Some(numbers)) => usize::from(numbers[row] > 0.0),
        _ => unreachable!("a column has one of two kinds"),
    };
    let n_values = column.as_nominal().map_or(2, Nominal::n_values);
    let mut counts = vec![0; n_values * n_classes];
    for row in 0..column.len() {
        let class = class.codes.get(row).map_or(0, |code| code as usize);
        counts[value(row) * n_classes + class] += 1;
    }
    counts
}
