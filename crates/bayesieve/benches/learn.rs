//! Learning structures, against one addition per row and family or test.
//!
//! `cargo bench --bench learn`

mod common;

use bayesieve::Silent;
use bayesieve::data::Codes;
use bayesieve::network::Dag;
use bayesieve::network::learn::{
    AlgorithmBOptions, CbNetwork, CbOptions, CbStop, FamilyScorer, K2Options, LocalScore,
    algorithm_b, cb, k2,
};
use bayesieve::stats::chi_square_tail;
use common::{
    Size, W1, Workload, bytes, count_columns, fastest, growth_in_columns, growth_in_rows,
    on_one_thread, report,
};

/// What the plain loops can do in seconds.
const PART: Size = Size {
    name: "20,000 x 40",
    n_rows: 20_000,
    n_columns: 40,
    ..W1
};

fn main() {
    on_one_thread(|| {
        let nodes = Nodes::new(PART);
        let (plain, expected) = fastest(1, || plain_k2(&nodes));
        let (seconds, dag) = fastest(3, || learn_k2(&nodes));
        assert_eq!(parents(&dag), expected, "the networks differ");
        report("20,000 x 40: K2, plain loop", plain, plain);
        report("20,000 x 40: K2", seconds, plain);

        let (plain, expected) = fastest(1, || plain_b(&nodes));
        let (seconds, dag) = fastest(3, || learn_b(&nodes));
        assert_eq!(parents(&dag), expected, "the networks differ");
        report("20,000 x 40: Algorithm B, plain loop", plain, plain);
        report("20,000 x 40: Algorithm B", seconds, plain);

        let (plain, expected) = fastest(1, || plain_edges(&nodes));
        let (seconds, network) = fastest(1, || learn_cb(&nodes));
        let edges: Vec<usize> = network.rounds.iter().map(|round| round.n_edges).collect();
        let n = edges.len().min(expected.len());
        assert_eq!(edges[..n], expected[..n], "the tests differ");
        report(
            "20,000 x 40: tests of CB's rounds, plain loop",
            plain,
            plain,
        );
        let what = format!("20,000 x 40: CB, {} rounds with K2 in each", edges.len());
        report(&what, seconds, plain);

        type Learner = (&'static str, fn(&Nodes));
        let times: [Learner; 3] = [
            ("K2", |nodes| drop(learn_k2(nodes))),
            ("Algorithm B", |nodes| drop(learn_b(nodes))),
            ("CB", |nodes| drop(learn_cb(nodes))),
        ];
        for (name, learn) in times {
            println!("{name}");
            let time = |size| {
                let nodes = Nodes::new(size);
                fastest(1, || learn(&nodes)).0
            };
            growth_in_rows(PART, [5_000, 20_000, 80_000], time);
            growth_in_columns(PART, [10, 20, 40], time);
        }
    });
}

/// The class, then the features: the nodes of a network.
struct Nodes {
    codes: Vec<Codes>,
    n_values: Vec<usize>,
}

impl Nodes {
    /// Each feature leans on the class and, in every third row, on the one before it.
    fn new(size: Size) -> Self {
        let work = Workload::new(size);
        let mut codes = vec![work.class.clone()];
        let mut n_values = vec![work.n_classes];
        for (column, &k) in work.columns.iter().zip(&work.n_values) {
            let before = bytes(&codes[codes.len() - 1]);
            let cells = bytes(column).iter().zip(before).enumerate();
            let lean = |(row, (&own, &before)): (usize, (&u8, &u8))| {
                if row % 3 == 0 { before % k as u8 } else { own }
            };
            codes.push(Codes::U8(cells.map(lean).collect()));
            n_values.push(k);
        }
        Nodes { codes, n_values }
    }

    fn len(&self) -> usize {
        self.codes.len()
    }

    fn scorer(&self, score: LocalScore) -> FamilyScorer<'_> {
        let columns = count_columns(&self.codes, &self.n_values);
        FamilyScorer::new(&columns, score).expect("columns in order")
    }

    /// One addition per row into a table of some nodes, the last changing fastest.
    fn count(&self, nodes: &[usize]) -> Vec<u32> {
        let n_rows = self.codes[0].len();
        let mut places = vec![0u32; n_rows];
        for &node in nodes {
            for (place, &code) in places.iter_mut().zip(bytes(&self.codes[node])) {
                *place = *place * self.n_values[node] as u32 + u32::from(code);
            }
        }
        let n_cells = nodes.iter().map(|&node| self.n_values[node]).product();
        let mut cells = vec![0; n_cells];
        for place in places {
            cells[place as usize] += 1;
        }
        cells
    }

    /// Rows of `(parents, node)`, one behind the other.
    fn family(&self, node: usize, parents: &[usize]) -> Vec<u32> {
        self.count(&[parents, &[node]].concat())
    }
}

fn learn_k2(nodes: &Nodes) -> Dag {
    let order: Vec<usize> = (0..nodes.len()).collect();
    let scorer = nodes.scorer(LocalScore::K2);
    k2(&scorer, &order, K2Options::default(), &Silent).expect("learned")
}

fn learn_b(nodes: &Nodes) -> Dag {
    let scorer = nodes.scorer(LocalScore::Bic);
    algorithm_b(&scorer, AlgorithmBOptions::default(), &Silent).expect("learned")
}

fn learn_cb(nodes: &Nodes) -> CbNetwork {
    let scorer = nodes.scorer(LocalScore::K2);
    cb(&scorer, CbOptions::default(), CbStop::Score, &Silent).expect("learned")
}

fn parents(dag: &Dag) -> Vec<Vec<usize>> {
    (0..dag.n_nodes())
        .map(|node| dag.parents(node).to_vec())
        .collect()
}

fn plain_k2(nodes: &Nodes) -> Vec<Vec<usize>> {
    // ln n! for every n that can occur.
    let mut ln_factorial = vec![0.0];
    for n in 1..nodes.codes[0].len() + 10 {
        ln_factorial.push(ln_factorial[n - 1] + (n as f64).ln());
    }
    let score = |node: usize, parents: &[usize]| -> f64 {
        let r = nodes.n_values[node];
        let rows = nodes.family(node, parents);
        let score = |row: &[u32]| {
            let total: u32 = row.iter().sum();
            let cells: f64 = row.iter().map(|&n| ln_factorial[n as usize]).sum();
            ln_factorial[r - 1] - ln_factorial[total as usize + r - 1] + cells
        };
        rows.chunks(r).map(score).sum()
    };
    let best_parents = |node: usize| {
        let mut parents = Vec::new();
        let mut before = score(node, &parents);
        while parents.len() < 5 {
            let others = (0..node).filter(|other| !parents.contains(other));
            let with = |other| (score(node, &[&parents[..], &[other]].concat()), other);
            let Some((after, other)) = others.map(with).max_by(|x, y| x.0.total_cmp(&y.0)) else {
                break;
            };
            if after <= before + 1e-9 {
                break;
            }
            before = after;
            parents.push(other);
        }
        parents.sort_unstable();
        parents
    };
    (0..nodes.len()).map(best_parents).collect()
}

fn plain_b(nodes: &Nodes) -> Vec<Vec<usize>> {
    let n = nodes.len();
    let price = (nodes.codes[0].len() as f64).ln() / 2.0;
    let score = |node: usize, parents: &[usize]| -> f64 {
        let r = nodes.n_values[node];
        let n_ln_n = |n: u32| f64::from(n) * f64::from(n.max(1)).ln();
        let rows = nodes.family(node, parents);
        let score = |row: &[u32]| {
            let cells: f64 = row.iter().map(|&n| n_ln_n(n)).sum();
            cells - n_ln_n(row.iter().sum()) - price * (r - 1) as f64
        };
        rows.chunks(r).map(score).sum()
    };
    let mut dag = Dag::new(n);
    let gains = |dag: &Dag, child: usize| -> Vec<f64> {
        let before = score(child, dag.parents(child));
        let with = |parent: usize| {
            if parent == child || dag.has_arc(parent, child) {
                return f64::NEG_INFINITY;
            }
            score(child, &[dag.parents(child), &[parent]].concat()) - before
        };
        (0..n).map(with).collect()
    };
    let mut all: Vec<Vec<f64>> = (0..n).map(|child| gains(&dag, child)).collect();
    loop {
        let mut best = (1e-9, None);
        let arcs = (0..n).flat_map(|parent| (0..n).map(move |child| (parent, child)));
        for (parent, child) in arcs.filter(|&(parent, child)| !dag.is_reachable(child, parent)) {
            // To nine digits: a tie of two directions goes to the lower parent.
            let gain = (all[child][parent] * 1e9).round() / 1e9;
            if gain > best.0 {
                best = (gain, Some((parent, child)));
            }
        }
        let Some((parent, child)) = best.1 else {
            return parents(&dag);
        };
        dag.add_arc(parent, child).expect("closes no cycle");
        all[child] = gains(&dag, child);
    }
}

/// The edges left after the tests given nothing, and after those given one node.
fn plain_edges(nodes: &Nodes) -> [usize; 2] {
    let n = nodes.len();
    let mut edges: Vec<(usize, usize)> = (0..n)
        .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
        .collect();
    [0, 1].map(|order| {
        for (a, b) in edges.clone() {
            let is_neighbor = |c: usize| {
                let is_edge = |x: usize, y: usize| edges.contains(&(x.min(y), x.max(y)));
                c != a && c != b && (is_edge(a, c) || is_edge(b, c))
            };
            let others: Vec<usize> = (0..n).filter(|&c| is_neighbor(c)).collect();
            let is_separated = match order {
                0 => plain_test(nodes, [a, b], &[]),
                _ => others.iter().any(|&c| plain_test(nodes, [a, b], &[c])),
            };
            if is_separated {
                edges.retain(|&edge| edge != (a, b));
            }
        }
        edges.len()
    })
}

/// Whether two nodes are independent given others: Pearson's statistic at 0.05, with power.
fn plain_test(nodes: &Nodes, [a, b]: [usize; 2], given: &[usize]) -> bool {
    let (k, l) = (nodes.n_values[a], nodes.n_values[b]);
    let cells = nodes.count(&[given, &[a, b]].concat());
    if nodes.codes[0].len() < 5 * cells.len() {
        return false;
    }
    let (mut statistic, mut freedom) = (0.0, 0.0);
    for layer in cells.chunks(k * l) {
        let rows: Vec<u32> = layer.chunks(l).map(|row| row.iter().sum()).collect();
        let columns: Vec<u32> = (0..l)
            .map(|b| layer.iter().skip(b).step_by(l).sum())
            .collect();
        let total: u32 = rows.iter().sum();
        let n_seen = |margin: &[u32]| margin.iter().filter(|&&n| n > 0).count() as f64;
        freedom += (n_seen(&rows) - 1.0).max(0.0) * (n_seen(&columns) - 1.0).max(0.0);
        for (cell, &n) in layer.iter().enumerate() {
            let (row, column) = (f64::from(rows[cell / l]), f64::from(columns[cell % l]));
            let expected = row * column / f64::from(total);
            if expected > 0.0 {
                statistic += (f64::from(n) - expected).powi(2) / expected;
            }
        }
    }
    freedom == 0.0 || chi_square_tail(statistic, freedom).expect("a tail").p > 0.05
}
