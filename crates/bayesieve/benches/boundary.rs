//! Markov boundaries, against the textbook loop with one addition per row and test.
//!
//! `cargo bench --bench boundary`

mod common;

use bayesieve::Silent;
use bayesieve::boundary::{
    IambOptions, IndependenceTests, PcKind, PcOptions, Pruning, RpdmbOptions, TestOptions, iamb,
    pc_boundary, rpdmb,
};
use bayesieve::counts::CountColumn;
use bayesieve::data::Codes;
use bayesieve::network::Dag;
use bayesieve::network::learn::{FamilyScorer, LocalScore};
use bayesieve::random::{Purpose, below, stream};
use bayesieve::search::Limits;
use bayesieve::stats::chi_square_tail;
use common::{
    Size, bytes, count_columns, fastest, growth_in_columns, growth_in_rows, network, on_one_thread,
    random_table, report, report_alone,
};

/// Rows drawn from a network of 37 nodes of two to four values; the class has two.
const NET37: Size = Size {
    name: "NET37",
    n_rows: 10_000,
    n_columns: 36,
    n_values: (2, 4),
    n_classes: 2,
};

/// Few rows, many columns.
const WIDE: Size = Size {
    name: "1,000 x 10,000",
    n_rows: 1_000,
    n_columns: 10_000,
    n_values: (2, 3),
    n_classes: 2,
};

fn main() {
    on_one_thread(|| {
        let nodes = Nodes::drawn(NET37);
        let (plain, expected) = fastest(3, || nodes.plain_iamb());
        let (seconds, members) = fastest(20, || nodes.iamb());
        assert_eq!(members, expected, "the boundaries differ");
        let what = format!("NET37: iamb, {} members", members.len());
        report(&format!("{what}, plain loop"), plain, plain);
        report(&what, seconds, plain);
        for (name, kind) in [("hiton-mb", PcKind::Hiton), ("mmmb", PcKind::MaxMin)] {
            let (seconds, members) = fastest(5, || nodes.linked(kind));
            let what = format!("NET37: {name}, {} members", members.len());
            report_alone(&what, seconds);
        }

        rpdmb_of_all(&nodes);

        let wide = Nodes::drawn(WIDE);
        let (seconds, members) = fastest(3, || wide.iamb());
        let what = format!("{}: iamb, {} members", WIDE.name, members.len());
        report_alone(&what, seconds);

        let time = |size| {
            let nodes = Nodes::drawn(size);
            fastest(5, || nodes.iamb()).0
        };
        let (rows, columns) = ([2_500, 10_000, 40_000], [18, 36, 72]);
        growth_in_rows(NET37, rows, time);
        growth_in_columns(NET37, columns, time);
        println!("rpdmb, pruning smart:");
        let time = |size| {
            let nodes = Nodes::drawn(size);
            fastest(3, || nodes.rpdmb(nodes.class(), Pruning::Smart)).0
        };
        growth_in_rows(NET37, rows, time);
        growth_in_columns(NET37, columns, time);
    });
}

/// RPDMB with every node as the class in turn, from one scorer; and what as many local scores
/// would take if each counted all rows anew.
fn rpdmb_of_all(nodes: &Nodes) {
    for pruning in [Pruning::Any, Pruning::Smart] {
        let (seconds, n_scores) = fastest(3, || nodes.rpdmb_of_all(pruning));
        let (plain, _) = fastest(3, || nodes.plain_scores());
        let plain = plain / (nodes.class() as f64) * n_scores as f64;
        let what = format!("NET37: rpdmb {pruning:?}, all 37 classes, {n_scores} scores");
        report(&what, seconds, plain);
    }
}

/// Columns of features, and behind them the class.
struct Nodes {
    codes: Vec<Codes>,
    n_values: Vec<usize>,
}

impl Nodes {
    /// Rows of a random network: every node leans on up to two of the eight nodes before it,
    /// four of them on the class. More columns or rows leave the class's boundary as it is.
    fn drawn(size: Size) -> Self {
        let mut rng = stream(1, Purpose::Generate, 0);
        let n_nodes = size.n_columns + 1;
        let class = 9;
        let (fewest, most) = size.n_values;
        let mut n_values = Vec::new();
        let mut dag = Dag::new(n_nodes);
        let mut tables = Vec::new();
        for node in 0..n_nodes {
            let n_states = if node == class {
                size.n_classes
            } else {
                fewest + below(&mut rng, (most - fewest + 1) as u64) as usize
            };
            n_values.push(n_states);
            if (class + 1..=class + 4).contains(&node) {
                dag.add_arc(class, node).expect("from low to high");
            }
            for _ in 0..below(&mut rng, 3).min(node as u64) {
                let parent = node - 1 - below(&mut rng, node.min(8) as u64) as usize;
                dag.add_arc(parent, node).expect("from low to high");
            }
            let parents: Vec<usize> = dag.parents(node).iter().map(|&p| n_values[p]).collect();
            tables.push(random_table(&mut rng, n_states, parents, 0.05));
        }
        let network = network(&n_values, dag, tables);
        let codes = network.sample_codes(size.n_rows, 1, &Silent);
        let mut codes = codes.expect("drawn");
        let class_codes = codes.remove(class);
        codes.push(class_codes);
        n_values.remove(class);
        n_values.push(size.n_classes);
        Nodes { codes, n_values }
    }

    fn class(&self) -> usize {
        self.codes.len() - 1
    }

    fn columns(&self) -> Vec<CountColumn<'_>> {
        count_columns(&self.codes, &self.n_values)
    }

    /// From codes to the boundary, counting included.
    fn iamb(&self) -> Vec<usize> {
        let tests = IndependenceTests::new(&self.columns(), TestOptions::default());
        let limits = Limits::new(&Silent);
        let tests = tests.expect("columns of one length");
        let boundary = iamb(&tests, self.class(), &IambOptions::default(), &limits);
        boundary.expect("found").roles.members()
    }

    fn linked(&self, kind: PcKind) -> Vec<usize> {
        let tests = IndependenceTests::new(&self.columns(), TestOptions::default());
        let options = PcOptions {
            kind,
            ..PcOptions::default()
        };
        let tests = tests.expect("columns of one length");
        let boundary = pc_boundary(&tests, self.class(), &options, &Limits::new(&Silent));
        boundary.expect("found").roles.members()
    }

    fn scorer(&self) -> FamilyScorer<'_> {
        let bdeu = LocalScore::Bdeu {
            equivalent_sample_size: 1.0,
        };
        FamilyScorer::new(&self.columns(), bdeu).expect("columns of one length")
    }

    fn rpdmb(&self, class: usize, pruning: Pruning) -> u64 {
        self.climb(&self.scorer(), class, pruning)
    }

    fn rpdmb_of_all(&self, pruning: Pruning) -> u64 {
        let scorer = self.scorer();
        let classes = 0..self.codes.len();
        classes
            .map(|class| self.climb(&scorer, class, pruning))
            .sum()
    }

    fn climb(&self, scorer: &FamilyScorer<'_>, class: usize, pruning: Pruning) -> u64 {
        let options = RpdmbOptions {
            pruning,
            ..RpdmbOptions::default()
        };
        let found = rpdmb(scorer, class, &options, &Limits::new(&Silent));
        found.expect("found").n_scores
    }

    /// The counts of every feature with the class and the first feature, one addition per row,
    /// and the logs of their cells: less than a local score takes.
    fn plain_scores(&self) -> f64 {
        let (class, first) = (self.class(), 0);
        let (l, m) = (self.n_values[class], self.n_values[first]);
        let of_class = bytes(&self.codes[class]);
        let of_first = bytes(&self.codes[first]);
        let mut sum = 0.0;
        for x in 0..class {
            let of_x = bytes(&self.codes[x]);
            let mut cells = vec![0u32; self.n_values[x] * l * m];
            for row in 0..of_x.len() {
                let pair = usize::from(of_class[row]) * m + usize::from(of_first[row]);
                cells[usize::from(of_x[row]) * l * m + pair] += 1;
            }
            sum += cells.iter().map(|&n| f64::from(n + 1).ln()).sum::<f64>();
        }
        sum
    }

    /// The textbook: every candidate of every round counts all rows anew.
    fn plain_iamb(&self) -> Vec<usize> {
        let class = self.class();
        let mut members: Vec<usize> = Vec::new();
        loop {
            let mut best: Option<(f64, usize)> = None;
            for x in (0..class).filter(|x| !members.contains(x)) {
                let Some(ln_p) = self.plain_test(x, &members) else {
                    continue;
                };
                if best.is_none_or(|(known, _)| ln_p < known) {
                    best = Some((ln_p, x));
                }
            }
            match best {
                Some((ln_p, x)) if ln_p <= 0.05f64.ln() => members.push(x),
                _ => break,
            }
        }
        let mut place = 0;
        while place < members.len() {
            let mut rest = members.clone();
            let x = rest.remove(place);
            let ln_p = self.plain_test(x, &rest);
            if ln_p.is_some_and(|ln_p| ln_p > 0.05f64.ln()) {
                members = rest;
                place = 0;
            } else {
                place += 1;
            }
        }
        members.sort_unstable();
        members
    }

    /// The log of p for the G test of a node and the class, with five rows per cell.
    fn plain_test(&self, x: usize, given: &[usize]) -> Option<f64> {
        let (k, l) = (self.n_values[x], self.n_values[self.class()]);
        let n_layers: usize = given.iter().map(|&z| self.n_values[z]).product();
        let n_rows = self.codes[0].len();
        if n_rows < 5 * n_layers * k * l {
            return None;
        }
        let mut cells = vec![0u32; n_layers * k * l];
        let class = bytes(&self.codes[self.class()]);
        let of_x = bytes(&self.codes[x]);
        for row in 0..n_rows {
            let layer = given.iter().fold(0, |layer, &z| {
                layer * self.n_values[z] + usize::from(bytes(&self.codes[z])[row])
            });
            cells[(layer * k + usize::from(of_x[row])) * l + usize::from(class[row])] += 1;
        }
        let mut g = 0.0;
        for cells in cells.chunks(k * l) {
            let n: u32 = cells.iter().sum();
            for a in 0..k {
                let row: u32 = cells[a * l..(a + 1) * l].iter().sum();
                for b in 0..l {
                    let column: u32 = cells.iter().skip(b).step_by(l).sum();
                    let cell = f64::from(cells[a * l + b]);
                    if cell > 0.0 {
                        let expected = f64::from(row) * f64::from(column) / f64::from(n);
                        g += 2.0 * cell * (cell / expected).ln();
                    }
                }
            }
        }
        let freedom = ((k - 1) * (l - 1) * n_layers) as f64;
        Some(chi_square_tail(g.max(0.0), freedom).expect("a tail").ln_p)
    }
}
