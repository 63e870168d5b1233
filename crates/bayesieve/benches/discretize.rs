//! Fayyad-Irani cuts, against the definition computed anew at every candidate.
//!
//! `cargo bench --bench discretize`

mod common;

use bayesieve::data::{Codes, Column, Discretizer, KindOrigin, Training, Values};
use bayesieve::random::{Purpose, stream};
use common::{Size, WD, bytes, fastest, growth_in_columns, growth_in_rows, on_one_thread, report};
use rand::RngExt;

fn main() {
    on_one_thread(|| {
        let (columns, class) = numbers(WD);
        let fit = |columns: &[Column], class: &Codes| {
            let columns: Vec<&Column> = columns.iter().collect();
            let training = Training {
                class,
                n_classes: WD.n_classes,
                rows: None,
            };
            Discretizer::Mdlp
                .fit_columns(&columns, &training, &bayesieve::Silent)
                .expect("cut")
        };
        let (slow, expected) = fastest(1, || {
            let cut = |column: &Column| {
                let values = column.as_numeric().expect("numbers");
                plain(values, bytes(&class), WD.n_classes)
            };
            columns.iter().map(cut).collect::<Vec<_>>()
        });
        let (seconds, cuts) = fastest(5, || fit(&columns, &class));
        for (cuts, expected) in cuts.iter().zip(&expected) {
            assert_eq!(cuts.as_slice(), &expected[..], "the cuts differ");
        }
        let n_cuts: usize = expected.iter().map(Vec::len).sum();
        report(
            &format!("WD: {n_cuts} cuts in {} columns", WD.n_columns),
            seconds,
            slow,
        );
        let time = |size| {
            let (columns, class) = numbers(size);
            fastest(5, || fit(&columns, &class)).0
        };
        growth_in_rows(WD, [25_000, 100_000, 400_000], time);
        growth_in_columns(WD, [10, 20, 40], time);
    });
}

/// Numbers whose middle moves with the class, less and less from column to column.
fn numbers(size: Size) -> (Vec<Column>, Codes) {
    let mut rng = stream(2, Purpose::Generate, 0);
    let class: Vec<u8> = (0..size.n_rows)
        .map(|_| rng.random_range(0..size.n_classes as u8))
        .collect();
    let columns = (0..size.n_columns).map(|j| {
        let shift = 0.5 / (1.0 + j as f64 / 4.0);
        let values = class.iter().map(|&class| {
            // Three uniform numbers make a bell.
            let bell: f64 = (0..3).map(|_| rng.random::<f64>()).sum();
            bell + shift * f64::from(class)
        });
        Column::new(
            format!("x{j}"),
            Values::Numeric(values.collect()),
            KindOrigin::Numbers,
        )
    });
    (columns.collect(), Codes::U8(class.clone()))
}

/// The definition: one sort, then every part scanned with logarithms at every boundary.
fn plain(values: &[f64], class: &[u8], n_classes: usize) -> Vec<f64> {
    let mut rows: Vec<(f64, u8)> = values.iter().copied().zip(class.iter().copied()).collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut cuts = Vec::new();
    split(&rows, n_classes, &mut cuts);
    cuts.sort_by(f64::total_cmp);
    cuts
}

fn entropy(counts: &[f64]) -> f64 {
    let n: f64 = counts.iter().sum();
    counts
        .iter()
        .filter(|&&c| c > 0.0)
        .map(|c| -c / n * (c / n).log2())
        .sum()
}

fn split(rows: &[(f64, u8)], n_classes: usize, cuts: &mut Vec<f64>) {
    let count = |rows: &[(f64, u8)]| {
        let mut counts = vec![0.0; n_classes];
        rows.iter().for_each(|row| counts[row.1 as usize] += 1.0);
        counts
    };
    let (n, mut right) = (rows.len() as f64, count(rows));
    let (whole, mut left) = (entropy(&right), vec![0.0; n_classes]);
    let mut best: Option<(f64, usize)> = None;
    for i in 1..rows.len() {
        left[rows[i - 1].1 as usize] += 1.0;
        right[rows[i - 1].1 as usize] -= 1.0;
        if rows[i].0 > rows[i - 1].0 {
            let after = (i as f64 * entropy(&left) + (n - i as f64) * entropy(&right)) / n;
            if best.is_none_or(|(least, _)| after < least - 1e-10) {
                best = Some((after, i));
            }
        }
    }
    let Some((after, cut)) = best else { return };
    let present = |rows: &[(f64, u8)]| count(rows).iter().filter(|&&c| c > 0.0).count() as f64;
    let (k, k1, k2) = (present(rows), present(&rows[..cut]), present(&rows[cut..]));
    let (first, second) = (entropy(&count(&rows[..cut])), entropy(&count(&rows[cut..])));
    let delta = (3f64.powf(k) - 2.0).log2() - (k * whole - k1 * first - k2 * second);
    if whole - after > ((n - 1.0).log2() + delta) / n {
        cuts.push((rows[cut - 1].0 + rows[cut].0) / 2.0);
        split(&rows[..cut], n_classes, cuts);
        split(&rows[cut..], n_classes, cuts);
    }
}
