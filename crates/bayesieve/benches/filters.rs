//! The rankers' first 50 features, against one addition per row for every pair.
//!
//! `cargo bench --bench filters`

mod common;

use common::{Size, W1, W2, W3, Workload, bytes, fastest, growth, on_one_thread, report};

use bayesieve::Silent;
use bayesieve::data::{Domain, Nominal};
use bayesieve::info::Informations;
use bayesieve::search::Limits;
use bayesieve::select::{Method, rank};

/// Features asked for.
const COUNT: usize = 50;

fn main() {
    on_one_thread(|| {
        for size in [W1, W2, W3] {
            let data = Data::new(size);
            let plain = plain_mrmr_seconds(&data.work);
            println!("{}: plain mRMR {:.3} s", size.name, plain);
            for method in ["mrmr", "jmi", "cmim", "fcbf"] {
                let (seconds, _) = fastest(5, || data.rank(method));
                let what = format!("{}: {method}, top {COUNT}, all included", size.name);
                report(&what, seconds, plain);
            }
            let (seconds, _) = fastest(5, || data.told());
            report(
                &format!("{}: singles alone, part of each above", size.name),
                seconds,
                plain,
            );
            check(&data);
        }
        let time = |size| {
            let data = Data::new(size);
            fastest(5, || data.rank("jmi")).0
        };
        let rows = [25_000, 100_000, 400_000];
        growth("rows", rows.map(|n_rows| Size { n_rows, ..W1 }), time);
        let columns = [1_250, 2_500, 5_000];
        growth(
            "columns",
            columns.map(|n_columns| Size { n_columns, ..W2 }),
            time,
        );
    });
}

/// A workload as coded columns.
struct Data {
    work: Workload,
    features: Vec<Nominal>,
    class: Nominal,
}

impl Data {
    fn new(size: Size) -> Self {
        let work = Workload::new(size);
        let nominal = |codes: &bayesieve::data::Codes, n_values: usize| Nominal {
            codes: codes.clone(),
            domain: Domain::ordered((0..n_values).map(|value| value.to_string()).collect()),
        };
        let columns = work.columns.iter().zip(&work.n_values);
        Data {
            features: columns.map(|(codes, &k)| nominal(codes, k)).collect(),
            class: nominal(&work.class, work.n_classes),
            work,
        }
    }

    fn told(&self) -> Informations<'_> {
        let features: Vec<&Nominal> = self.features.iter().collect();
        Informations::new(&features, &self.class).expect("the workload is in order")
    }

    fn rank(&self, method: &str) -> Vec<(usize, f64)> {
        let limits = Limits::new(&Silent);
        let method = Method::named(method).expect("a method");
        rank(&self.told(), method, COUNT, &limits).expect("ranked")
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
fn check(data: &Data) {
    let ranked: Vec<usize> = data
        .rank("mrmr")
        .iter()
        .map(|&(feature, _)| feature)
        .collect();
    assert_eq!(ranked, plain_mrmr(&data.work), "the rankings differ");
}
