//! Blocks of numbers found and scored, against the textbook loop over all pairs of columns.
//!
//! `cargo bench --bench separation`

mod common;

use bayesieve::Silent;
use bayesieve::data::Nominal;
use bayesieve::random::{Purpose, stream, unit};
use bayesieve::separation::{BlockFit, SeparationOptions, fit_blocks};
use common::{Size, fastest, growth_in_columns, growth_in_rows, on_one_thread, report};

/// As many rows and genes as a well-known microarray.
const GENES: Size = Size {
    name: "72 x 7,129",
    n_rows: 72,
    n_columns: 7_129,
    n_values: (0, 0),
    n_classes: 2,
};

/// Few columns, many rows.
const LONG: Size = Size {
    name: "2,000 x 500",
    n_rows: 2_000,
    n_columns: 500,
    ..GENES
};

fn main() {
    on_one_thread(|| {
        for size in [GENES, LONG] {
            let numbers = Numbers::drawn(size);
            let (plain, expected) = fastest(1, || numbers.plain_pairs());
            let (seconds, fit) = fastest(3, || numbers.fit());
            assert!(expected > 0, "no pair of columns is correlated");
            let what = format!("{}: {} blocks", size.name, fit.blocks.len());
            report(
                &format!("{what}, plain loop over pairs alone"),
                plain,
                plain,
            );
            report(&what, seconds, plain);
        }
        let time = |size| {
            let numbers = Numbers::drawn(size);
            fastest(3, || numbers.fit()).0
        };
        growth_in_columns(GENES, [1_782, 3_564, 7_129], time);
        growth_in_rows(LONG, [500, 1_000, 2_000], time);
    });
}

/// Columns that share parts in groups of thirty, and a class.
struct Numbers {
    columns: Vec<Vec<f64>>,
    class: Nominal,
}

impl Numbers {
    fn drawn(size: Size) -> Self {
        let mut rng = stream(1, Purpose::Generate, 0);
        let mut draw = || unit(&mut rng) + unit(&mut rng) + unit(&mut rng) - 1.5;
        let n_rows = size.n_rows;
        let mut columns = Vec::with_capacity(size.n_columns);
        let mut shared = Vec::new();
        for column in 0..size.n_columns {
            if column % 30 == 0 {
                shared = (0..n_rows).map(|_| draw()).collect();
            }
            columns.push(shared.iter().map(|x: &f64| 0.5 * x + draw()).collect());
        }
        let class = (0..n_rows).map(|row| Some(if row % 2 == 0 { "a" } else { "b" }));
        Numbers {
            columns,
            class: Nominal::from_labels(class),
        }
    }

    fn fit(&self) -> BlockFit {
        let columns: Vec<(&str, &[f64])> = self
            .columns
            .iter()
            .map(|column| ("", column.as_slice()))
            .collect();
        let options = SeparationOptions::default();
        fit_blocks(&columns, &self.class, &options, &Silent).expect("numbers of two classes")
    }

    /// One correlation after the other, each by a loop over the rows; counts those that are
    /// worth a look.
    fn plain_pairs(&self) -> usize {
        let centered: Vec<Vec<f64>> = self
            .columns
            .iter()
            .map(|column| unit_length(column))
            .collect();
        let mut n_strong = 0;
        for (place, a) in centered.iter().enumerate() {
            for b in &centered[place + 1..] {
                let r: f64 = a.iter().zip(b).map(|(x, y)| x * y).sum();
                n_strong += usize::from(r * r > 0.05);
            }
        }
        n_strong
    }
}

/// Centered by class (even and odd rows), of length 1.
fn unit_length(column: &[f64]) -> Vec<f64> {
    let mean = |first: usize| {
        let rows = column.iter().skip(first).step_by(2);
        let n = rows.len() as f64;
        rows.sum::<f64>() / n
    };
    let means = [mean(0), mean(1)];
    let centered: Vec<f64> = column
        .iter()
        .enumerate()
        .map(|(row, x)| x - means[row % 2])
        .collect();
    let length = centered.iter().map(|x| x * x).sum::<f64>().sqrt();
    centered.iter().map(|x| x / length).collect()
}
