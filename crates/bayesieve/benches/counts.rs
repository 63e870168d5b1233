//! Single and pair tables given the class, against one addition per row.
//!
//! `cargo bench --bench counts`

mod common;

use common::{Size, W1, W2, W3, Workload, bytes, fastest, growth_of_w1, on_one_thread, report};

use bayesieve::counts::InstructionSet;
use bayesieve::info::SingleInformation;

fn main() {
    println!("instruction set: {}", InstructionSet::detect().name());
    on_one_thread(|| {
        for size in [W1, W2, W3] {
            let work = Workload::new(size);
            singles(size, &work);
            pairs(size, &work);
        }
        let time = |size| {
            let work = Workload::new(size);
            let pairs = work.pairs();
            fastest(5, || work.index().count_pairs(&pairs).expect("counted")).0
        };
        growth_of_w1(time);
        popcount_limit();
    });
}

fn plain_single(work: &Workload, a: usize) -> Vec<u64> {
    let k = work.n_values[a];
    let mut cells = vec![0; work.n_classes * k];
    for (&class, &a) in bytes(&work.class).iter().zip(work.bytes(a)) {
        cells[class as usize * k + a as usize] += 1;
    }
    cells
}

fn singles(size: Size, work: &Workload) {
    let columns = 0..work.columns.len();
    let (plain, expected) = fastest(3, || {
        columns
            .clone()
            .map(|a| plain_single(work, a))
            .collect::<Vec<_>>()
    });
    let (seconds, tables) = fastest(5, || {
        let index = work.index();
        columns
            .clone()
            .map(|a| index.count_single(a).expect("counted"))
            .collect::<Vec<_>>()
    });
    for (table, expected) in tables.iter().zip(&expected) {
        assert_eq!(table.as_dense(), Some(&expected[..]), "the counts differ");
    }
    report(&format!("{}: all single tables", size.name), seconds, plain);
    let (seconds, _) = fastest(5, || {
        let index = work.index();
        columns
            .clone()
            .map(|a| SingleInformation::new(&index.count_single(a).expect("counted")).mutual)
            .sum::<f64>()
    });
    report(
        &format!("{}: information of every feature", size.name),
        seconds,
        plain,
    );
}

fn pairs(size: Size, work: &Workload) {
    // The plain loop over all 12.5 million pairs of W2 would take minutes.
    let mut pairs = work.pairs();
    pairs.truncate(250_000);
    let (plain, expected) = fastest(2, || {
        pairs
            .iter()
            .map(|&(a, b)| work.plain_pair(a, b))
            .collect::<Vec<_>>()
    });
    let (whole, tables) = fastest(5, || work.index().count_pairs(&pairs).expect("counted"));
    for (table, expected) in tables.iter().zip(&expected) {
        assert_eq!(table.as_dense(), Some(&expected[..]), "the counts differ");
    }
    let index = work.index();
    let (counting, _) = fastest(5, || index.count_pairs(&pairs).expect("counted"));
    let what = format!("{}: {} pair tables", size.name, pairs.len());
    report(&format!("{what}, plain loop"), plain, plain);
    report(&format!("{what}, counting alone"), counting, plain);
    report(&format!("{what}, all included"), whole, plain);
    let passes: usize = pairs
        .iter()
        .map(|&(a, b)| (work.n_values[a] - 1) * (work.n_values[b] - 1))
        .sum();
    let per_pass = counting / passes as f64 / work.class.len() as f64 * 1e12;
    println!("{:<58} {per_pass:>10.2} us per million rows and pass", "");
}

/// The kernel's own limit: two columns whose bitmaps all stay in the nearest cache.
fn popcount_limit() {
    let size = Size {
        n_columns: 2,
        n_values: (9, 9),
        n_classes: 1,
        n_rows: 1 << 14,
        ..W1
    };
    let work = Workload::new(size);
    let index = work.index();
    let pairs = vec![(0, 1); 2_000];
    let (seconds, _) = fastest(9, || index.count_pairs(&pairs).expect("counted"));
    let passes = (pairs.len() * 8 * 8) as f64;
    let per_pass = seconds / passes / size.n_rows as f64 * 1e12;
    println!(
        "{:<58} {per_pass:>10.2} us per million rows and pass",
        "limit, all in the nearest cache"
    );
}
