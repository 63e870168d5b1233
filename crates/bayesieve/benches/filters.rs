//! The rankers' first 50 features, against one addition per row for every pair.
//!
//! `cargo bench --bench filters`

mod common;

use common::{
    Nominals, Size, W1, W2, W3, Workload, bytes, fastest, growth_in_columns, growth_in_rows,
    on_one_thread, report,
};

use bayesieve::Silent;
use bayesieve::search::Limits;
use bayesieve::select::{Method, rank};

/// Features asked for.
const COUNT: usize = 50;

fn main() {
    on_one_thread(|| {
        for size in [W1, W2, W3] {
            let data = Labeled::new(size);
            let plain = plain_mrmr_seconds(&data.work);
            println!("{}: plain mRMR {:.3} s", size.name, plain);
            for method in ["mrmr", "jmi", "cmim", "fcbf"] {
                let (seconds, _) = fastest(5, || data.rank(method));
                let what = format!("{}: {method}, top {COUNT}, all included", size.name);
                report(&what, seconds, plain);
            }
            let (seconds, _) = fastest(5, || data.nominals.informations());
            report(
                &format!("{}: singles alone, part of each above", size.name),
                seconds,
                plain,
            );
            check(&data);
        }
        let time = |size| {
            let data = Labeled::new(size);
            fastest(5, || data.rank("jmi")).0
        };
        growth_in_rows(W1, [25_000, 100_000, 400_000], time);
        growth_in_columns(W2, [1_250, 2_500, 5_000], time);
    });
}

/// A workload as columns of labels.
struct Labeled {
    work: Workload,
    nominals: Nominals,
}

impl Labeled {
    fn new(size: Size) -> Self {
        let work = Workload::new(size);
        let nominals = work.nominals();
        Labeled { work, nominals }
    }

    fn rank(&self, method: &str) -> Vec<(usize, f64)> {
        let limits = Limits::new(&Silent);
        let method = Method::named(method).expect("a method");
        rank(&self.nominals.informations(), method, COUNT, &limits).expect("ranked")
    }
}

/// The information of two byte columns: one addition per row, one logarithm per cell.
fn plain_information(a: &[u8], b: &[u8]) -> f64 {
    let mut cells = [[0u32; 8]; 8];
    for (&a, &b) in a.iter().zip(b) {
        cells[a as usize][b as usize] += 1;
    }
    let n = a.len() as f64;
    let mut sum = 0.0;
    for row in &cells {
        let in_a = f64::from(row.iter().sum::<u32>());
        for (vb, &both) in row.iter().enumerate() {
            if both > 0 {
                let in_b = f64::from(cells.iter().map(|row| row[vb]).sum::<u32>());
                let both = f64::from(both);
                sum += both / n * (both * n / (in_a * in_b)).log2();
            }
        }
    }
    sum
}

/// mRMR the plain way, with running sums.
fn plain_mrmr(work: &Workload) -> Vec<usize> {
    let n = work.columns.len();
    let class = bytes(&work.class);
    let relevance: Vec<f64> = (0..n)
        .map(|x| plain_information(work.bytes(x), class))
        .collect();
    let mut redundancy = vec![0.0; n];
    let mut kept: Vec<usize> = Vec::new();
    while kept.len() < COUNT.min(n) {
        let value = |x: usize| relevance[x] - redundancy[x] / kept.len().max(1) as f64;
        let open = (0..n).filter(|x| !kept.contains(x));
        let best = open.reduce(|best, x| {
            if value(x) > value(best) + 1e-10 {
                x
            } else {
                best
            }
        });
        let Some(best) = best else { break };
        kept.push(best);
        if kept.len() < COUNT {
            for (x, sum) in redundancy.iter_mut().enumerate() {
                if !kept.contains(&x) {
                    *sum += plain_information(work.bytes(x), work.bytes(best));
                }
            }
        }
    }
    kept
}

fn plain_mrmr_seconds(work: &Workload) -> f64 {
    fastest(2, || plain_mrmr(work)).0
}

/// Both ways take the same features in the same order.
fn check(data: &Labeled) {
    let ranked = data.rank("mrmr").into_iter();
    let ranked: Vec<usize> = ranked.map(|(feature, _)| feature).collect();
    assert_eq!(ranked, plain_mrmr(&data.work), "the rankings differ");
}
