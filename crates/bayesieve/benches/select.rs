//! Selections, against a forward search that refits both trees for every candidate.
//!
//! `cargo bench --bench select`

mod common;

use common::{
    Size, W1, W2, W2_PART, W3, Workload, bytes, fastest, growth_of_w1, on_one_thread, report,
};

use bayesieve::Silent;
use bayesieve::data::{CodedTable, CodingOptions, Domain, Nominal, RoleOptions, Roles};
use bayesieve::info::Informations;
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
            let columns = Columns::new(&Workload::new(W2_PART));
            let (seconds, _) = fastest(1, || columns.walk(search));
            let what = format!("{}: mdl-fs, TAN, {search}", W2_PART.name);
            println!("{what:<58} {:>10.3} ms", seconds * 1e3);
        }
        let time = |size| {
            let columns = Columns::new(&Workload::new(size));
            fastest(3, || columns.walk("forward")).0
        };
        growth_of_w1(time);
    });
}

/// The columns of a workload as the library takes them.
struct Columns {
    features: Vec<Nominal>,
    class: Nominal,
}

impl Columns {
    fn new(work: &Workload) -> Self {
        let nominal = |codes: &bayesieve::data::Codes, k: usize| Nominal {
            codes: codes.clone(),
            domain: Domain::ordered((0..k).map(|v| v.to_string()).collect()),
        };
        let features = work.columns.iter().zip(&work.n_values);
        Columns {
            features: features.map(|(codes, &k)| nominal(codes, k)).collect(),
            class: nominal(&work.class, work.n_classes),
        }
    }

    /// A walk by MDL-FS of TAN, from codes to the result.
    fn walk(&self, search: &str) -> SearchResult {
        let search = Search::named(search).expect("a search");
        let features: Vec<&Nominal> = self.features.iter().collect();
        let told = Informations::new(&features, &self.class).expect("counted");
        let score = DescriptionLength::mdl_fs(&told, Structure::Tan, Auxiliary::Tree);
        let candidates: Vec<usize> = (0..features.len()).collect();
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
}

fn forward(size: Size) {
    let work = Workload::new(size);
    let columns = Columns::new(&work);
    let (plain, expected) = fastest(1, || plain_forward(&work));
    let (seconds, found) = fastest(3, || columns.walk("forward"));
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
    let table = Workload::new(size).table();
    let roles = Roles::resolve(&table, &RoleOptions::default()).expect("roles");
    let coded = CodedTable::new(&table, &roles, CodingOptions::default()).expect("coded");
    for method in methods {
        let (seconds, selection) = fastest(1, || run(&coded, method));
        let n_kept = selection.kept.len();
        let what = format!("{}: {method} with reasons, {n_kept} kept", size.name);
        println!("{what:<58} {:>10.3} ms", seconds * 1e3);
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
        let (told, edges) = tree(set, &given_class);
        let (auxiliary, _) = tree(set, &mutual);
        let mut n_parameters: f64 = set.iter().map(|&f| free(f) * (classes - 1.0)).sum();
        n_parameters += edges
            .iter()
            .map(|&(a, b)| classes * free(a) * free(b))
            .sum::<f64>();
        let singles: f64 = set.iter().map(|&f| alone[f]).sum();
        rows.log2() / 2.0 * n_parameters - rows * (singles + told - auxiliary)
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

fn n_log_n(n: u32) -> f64 {
    f64::from(n) * f64::from(n.max(1)).log2()
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
    let mut cells = vec![0u32; work.n_classes * k * l];
    let rows = bytes(&work.class)
        .iter()
        .zip(work.bytes(a))
        .zip(work.bytes(b));
    for ((&class, &a), &b) in rows {
        cells[(class as usize * k + a as usize) * l + b as usize] += 1;
    }
    let bits = |cells: &[u32]| {
        let rows = (0..k).map(|a| cells[a * l..(a + 1) * l].iter().sum::<u32>());
        let columns = (0..l).map(|b| cells.iter().skip(b).step_by(l).sum::<u32>());
        let margins = rows.chain(columns).map(n_log_n).sum::<f64>();
        cells.iter().map(|&n| n_log_n(n)).sum::<f64>() - margins + n_log_n(cells.iter().sum())
    };
    let mut all = vec![0; k * l];
    for cells in cells.chunks(k * l) {
        all.iter_mut().zip(cells).for_each(|(all, &n)| *all += n);
    }
    let n = work.class.len() as f64;
    let given = cells.chunks(k * l).map(bits).sum::<f64>();
    (bits(&all) / n, given / n)
}
