//! Selections, against a forward search that refits both trees for every candidate.
//!
//! `cargo bench --bench select`

mod common;

use common::{
    Nominals, Size, W1, W2, W2_PART, W3, Workload, coded, fastest, growth_of_w1, on_one_thread,
    plain_information, report, report_alone,
};

use bayesieve::Silent;
use bayesieve::data::CodedTable;
use bayesieve::score::{Auxiliary, DescriptionLength, Structure};
use bayesieve::search::{Limits, Search, SearchResult, SearchTask};
use bayesieve::select::{Method, SelectOptions, Selection, select};

fn main() {
    on_one_thread(|| {
        for size in [W1, W2_PART, W3] {
            forward(size);
        }
        for (size, methods) in [
            (W1, &["mdl-fs", "cfs", "koller-sahami", "cig-as"][..]),
            (W2_PART, &["mdl-fs", "cfs", "koller-sahami", "cig-as"]),
            (W2, &["cfs", "cig-as"]),
        ] {
            whole_methods(size, methods);
        }
        for search in ["backward", "floating"] {
            let columns = Workload::new(W2_PART).nominals();
            let (seconds, _) = fastest(1, || walk(&columns, search));
            let what = format!("{}: mdl-fs, TAN, {search}", W2_PART.name);
            report_alone(&what, seconds);
        }
        let time = |size| {
            let columns = Workload::new(size).nominals();
            fastest(3, || walk(&columns, "forward")).0
        };
        growth_of_w1(time);
    });
}

/// A walk by MDL-FS of TAN, from codes to the result.
fn walk(columns: &Nominals, search: &str) -> SearchResult {
    let search = Search::named(search).expect("a search");
    let informations = columns.informations();
    let score = DescriptionLength::mdl_fs(&informations, Structure::Tan, Auxiliary::Tree);
    let candidates: Vec<usize> = (0..columns.features.len()).collect();
    let found = search.run(&SearchTask {
        score: &score.expect("rows enough"),
        candidates: &candidates,
        keep: &[],
        limits: &Limits::new(&Silent),
        seed: 1,
        options: bayesieve::search::SearchOptions::default(),
    });
    found.expect("found")
}

fn forward(size: Size) {
    let work = Workload::new(size);
    let columns = work.nominals();
    let (plain, expected) = fastest(1, || plain_forward(&work));
    let (seconds, found) = fastest(3, || walk(&columns, "forward"));
    assert_eq!(found.kept, expected, "the searches differ");
    let what = format!(
        "{}: mdl-fs, TAN, forward to {}",
        size.name,
        found.kept.len()
    );
    report(&format!("{what}, plain"), plain, plain);
    report(&what, seconds, plain);
}

/// Whole selections with their reasons.
fn whole_methods(size: Size, methods: &[&str]) {
    let (_, coded) = coded(&Workload::new(size).table());
    for method in methods {
        let (seconds, selection) = fastest(1, || run(&coded, method));
        let n_kept = selection.kept.len();
        let what = format!("{}: {method} with reasons, {n_kept} kept", size.name);
        report_alone(&what, seconds);
    }
}

fn run(coded: &CodedTable, method: &str) -> Selection {
    let method = Method::named(method).expect("a method");
    let options = SelectOptions::new(method).expect("defaults");
    select(coded, &options, &Limits::new(&Silent)).expect("selected")
}

/// Informations of all pairs by one addition per row, then both trees by Prim's algorithm
/// for every candidate of every round.
fn plain_forward(work: &Workload) -> Vec<usize> {
    let n = work.columns.len();
    let mut mutual = vec![vec![0.0; n]; n];
    let mut given_class = vec![vec![0.0; n]; n];
    for (a, b) in work.pairs() {
        let (plain, given) = informations(work, a, b);
        (mutual[a][b], mutual[b][a]) = (plain, plain);
        (given_class[a][b], given_class[b][a]) = (given, given);
    }
    let rows = work.class.len() as f64;
    let one = Workload {
        columns: vec![work.class.clone()],
        n_values: vec![work.n_classes],
        class: work.class.clone(),
        n_classes: work.n_classes,
    };
    let alone: Vec<f64> = (0..n).map(|f| with_class(work, f, &one)).collect();
    let value = |set: &[usize]| {
        let free = |f: usize| (work.n_values[f] - 1) as f64;
        let classes = work.n_classes as f64;
        let (given, edges) = tree(set, &given_class);
        let (auxiliary, _) = tree(set, &mutual);
        let mut n_parameters: f64 = set.iter().map(|&f| free(f) * (classes - 1.0)).sum();
        n_parameters += edges
            .iter()
            .map(|&(a, b)| classes * free(a) * free(b))
            .sum::<f64>();
        let singles: f64 = set.iter().map(|&f| alone[f]).sum();
        rows.log2() / 2.0 * n_parameters - rows * (singles + given - auxiliary)
    };
    let (mut set, mut best) = (Vec::new(), 0.0);
    loop {
        let mut next = None;
        for feature in (0..n).filter(|f| !set.contains(f)) {
            let mut with: Vec<usize> = set.clone();
            with.push(feature);
            let value = value(&with);
            if value < best - 1e-9 {
                (next, best) = (Some(feature), value);
            }
        }
        match next {
            Some(feature) => set.push(feature),
            None => return set,
        }
    }
}

/// The weight and the edges of the maximum tree over some nodes.
fn tree(nodes: &[usize], weights: &[Vec<f64>]) -> (f64, Vec<(usize, usize)>) {
    let Some((&first, rest)) = nodes.split_first() else {
        return (0.0, Vec::new());
    };
    let mut outside: Vec<(usize, usize)> = rest.iter().map(|&node| (node, first)).collect();
    let (mut sum, mut edges) = (0.0, Vec::new());
    while !outside.is_empty() {
        let weight = |&(node, near): &(usize, usize)| weights[node][near];
        let places = 0..outside.len();
        let place = places.max_by(|&x, &y| weight(&outside[x]).total_cmp(&weight(&outside[y])));
        let edge = outside.swap_remove(place.expect("a node is left"));
        sum += weight(&edge);
        edges.push(edge);
        for other in &mut outside {
            if weights[other.0][edge.0] > weights[other.0][other.1] {
                other.1 = edge.0;
            }
        }
    }
    (sum, edges)
}

/// `I(A; C)`: the class stands in for the second column.
fn with_class(work: &Workload, a: usize, class: &Workload) -> f64 {
    let both = Workload {
        columns: vec![work.columns[a].clone(), class.columns[0].clone()],
        n_values: vec![work.n_values[a], class.n_values[0]],
        class: work.class.clone(),
        n_classes: work.n_classes,
    };
    informations(&both, 0, 1).0
}

/// `I(A; B)` and `I(A; B | C)` from one pass over the rows.
fn informations(work: &Workload, a: usize, b: usize) -> (f64, f64) {
    let (k, l) = (work.n_values[a], work.n_values[b]);
    let cells = work.plain_pair(a, b);
    let mut all = vec![0; k * l];
    for cells in cells.chunks(k * l) {
        all.iter_mut().zip(cells).for_each(|(all, &n)| *all += n);
    }
    let n = work.class.len() as f64;
    let bits = |cells: &[u32]| plain_information(cells, k, l);
    let given = cells.chunks(k * l).map(bits).sum::<f64>();
    (bits(&all) / n, given / n)
}
