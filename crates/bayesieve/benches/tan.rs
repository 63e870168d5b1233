//! The structure of TAN, against one addition per row and Prim's algorithm.
//!
//! `cargo bench --bench tan`

mod common;

use common::{
    Size, W1, W2, W2_PART, W3, Workload, fastest, growth_of_w1, on_one_thread, plain_information,
    report, report_alone,
};

use bayesieve::Silent;
use bayesieve::network::learn::{SpanningTree, tan_tree};

fn main() {
    on_one_thread(|| {
        for size in [W1, W2_PART, W3] {
            structure(size);
        }
        let whole = Workload::new(W2);
        let (seconds, _) = fastest(1, || learn(&whole));
        report_alone("W2: TAN structure, all included", seconds);
        let time = |size| {
            let work = Workload::new(size);
            fastest(5, || learn(&work)).0
        };
        growth_of_w1(time);
    });
}

/// From codes to the tree: ordering rows by class and making bitmaps included.
fn learn(work: &Workload) -> SpanningTree {
    tan_tree(&work.index(), &Silent).expect("learned")
}

fn structure(size: Size) {
    let work = Workload::new(size);
    let (plain, expected) = fastest(1, || plain_weight(&work));
    let (seconds, tree) = fastest(5, || learn(&work));
    assert!(
        (tree.weight() - expected).abs() < 1e-9,
        "the trees differ: {} and {expected}",
        tree.weight()
    );
    let what = format!("{}: TAN structure", size.name);
    report(&format!("{what}, plain loop"), plain, plain);
    report(&format!("{what}, all included"), seconds, plain);
}

/// Weight of the best tree, bits: histograms of every pair, logarithms, Prim.
fn plain_weight(work: &Workload) -> f64 {
    let n = work.columns.len();
    let mut best = vec![f64::NEG_INFINITY; n];
    let mut is_in = vec![false; n];
    let (mut last, mut weight) = (0, 0.0);
    for _ in 1..n {
        is_in[last] = true;
        for other in (0..n).filter(|&other| !is_in[other]) {
            best[other] = best[other].max(information_given_class(work, last, other));
        }
        let outside = (0..n).filter(|&other| !is_in[other]);
        last = outside
            .max_by(|&x, &y| best[x].total_cmp(&best[y]))
            .expect("a node is left");
        weight += best[last];
    }
    weight
}

/// `I(A; B | C)` from one pass over the rows.
fn information_given_class(work: &Workload, a: usize, b: usize) -> f64 {
    let (k, l) = (work.n_values[a], work.n_values[b]);
    let cells = work.plain_pair::<u32>(a, b);
    let classes = cells.chunks(k * l);
    let sum: f64 = classes.map(|cells| plain_information(cells, k, l)).sum();
    sum / work.class.len() as f64
}
