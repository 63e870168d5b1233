//! Sizes, seeded workloads and timing that all benches share.
//!
//! Machines are noisy, so every figure is printed as a ratio to a plain loop measured in
//! the same run; times are the fastest of several repeats on one thread.

#![allow(dead_code, reason = "no bench uses every piece")]

use std::ops::AddAssign;
use std::time::Instant;

use bayesieve::counts::{CountColumn, RowIndex};
use bayesieve::data::{
    CodedTable, Codes, CodingOptions, Column, Domain, KindOrigin, Nominal, RoleOptions, Roles,
    Table, Values,
};
use bayesieve::info::Informations;
use bayesieve::network::{Cpt, Dag, Network, Variable};
use bayesieve::random::{Purpose, stream, unit};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// The size of a nominal workload.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    /// How the table is called in `docs/benchmarks.md`.
    pub(crate) name: &'static str,
    /// Rows.
    pub(crate) n_rows: usize,
    /// Feature columns.
    pub(crate) n_columns: usize,
    /// Fewest and most values of a column.
    pub(crate) n_values: (usize, usize),
    /// Classes.
    pub(crate) n_classes: usize,
}

/// 100,000 rows, 100 columns of two or three values, two classes.
pub(crate) const W1: Size = Size {
    name: "W1",
    n_rows: 100_000,
    n_columns: 100,
    n_values: (2, 3),
    n_classes: 2,
};
/// 2,000 rows, 5,000 columns of three values, four classes.
pub(crate) const W2: Size = Size {
    name: "W2",
    n_rows: 2_000,
    n_columns: 5_000,
    n_values: (3, 3),
    n_classes: 4,
};
/// As many columns of W2 as the plain loop can do in a minute.
pub(crate) const W2_PART: Size = Size {
    name: "W2, 500 columns",
    n_columns: 500,
    ..W2
};

/// 1,000,000 rows, 50 columns of two to eight values, three classes.
pub(crate) const W3: Size = Size {
    name: "W3",
    n_rows: 1_000_000,
    n_columns: 50,
    n_values: (2, 8),
    n_classes: 3,
};
/// 3,196 rows, 36 columns of two or three values, two classes: the size of chess.
pub(crate) const W4: Size = Size {
    name: "W4",
    n_rows: 3_196,
    n_columns: 36,
    n_values: (2, 3),
    n_classes: 2,
};
/// 100,000 rows and 20 columns of numbers, three classes.
pub(crate) const WD: Size = Size {
    name: "WD",
    n_rows: 100_000,
    n_columns: 20,
    n_values: (0, 0),
    n_classes: 3,
};

/// A nominal table in memory.
pub(crate) struct Workload {
    /// One column of codes per feature.
    pub(crate) columns: Vec<Codes>,
    /// Number of values of each.
    pub(crate) n_values: Vec<usize>,
    /// The class of every row.
    pub(crate) class: Codes,
    /// Number of classes.
    pub(crate) n_classes: usize,
}

impl Workload {
    /// Cells that lean on the class, some more, some less.
    pub(crate) fn new(size: Size) -> Self {
        let mut rng = stream(1, Purpose::Generate, 0);
        let class: Vec<u8> = (0..size.n_rows)
            .map(|_| rng.random_range(0..size.n_classes as u8))
            .collect();
        let (fewest, most) = size.n_values;
        let n_values: Vec<usize> = (0..size.n_columns)
            .map(|_| rng.random_range(fewest..=most))
            .collect();
        let columns = n_values
            .iter()
            .map(|&k| {
                let lean = rng.random_range(0..80u32);
                let cells = class.iter().map(|&class| {
                    let draw: u32 = rng.random();
                    if draw % 100 < lean {
                        class % k as u8
                    } else {
                        ((draw >> 8) % k as u32) as u8
                    }
                });
                Codes::U8(cells.collect())
            })
            .collect();
        Workload {
            columns,
            n_values,
            class: Codes::U8(class),
            n_classes: size.n_classes,
        }
    }

    /// Ready to be counted.
    pub(crate) fn index(&self) -> RowIndex<'_> {
        let class = CountColumn {
            codes: &self.class,
            n_values: self.n_classes,
        };
        let columns = count_columns(&self.columns, &self.n_values);
        RowIndex::new(&columns, class).expect("the workload is in order")
    }

    /// All pairs of columns.
    pub(crate) fn pairs(&self) -> Vec<(usize, usize)> {
        let n = self.columns.len();
        (0..n)
            .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
            .collect()
    }

    /// The codes of a column, which all workloads keep in bytes.
    pub(crate) fn bytes(&self, column: usize) -> &[u8] {
        bytes(&self.columns[column])
    }

    /// The features and the class as columns of labels.
    pub(crate) fn nominals(&self) -> Nominals {
        let nominal = |codes: &Codes, k: usize| Nominal {
            codes: codes.clone(),
            domain: Domain::ordered((0..k).map(|value| value.to_string()).collect()),
        };
        let columns = self.columns.iter().zip(&self.n_values);
        Nominals {
            features: columns.map(|(codes, &k)| nominal(codes, k)).collect(),
            class: nominal(&self.class, self.n_classes),
        }
    }

    /// As a table with the columns f0, f1, … and the class.
    pub(crate) fn table(&self) -> Table {
        let named = |name: String, nominal: Nominal| {
            Column::new(name, Values::Nominal(nominal), KindOrigin::Derived)
        };
        let Nominals { features, class } = self.nominals();
        let features = features.into_iter().enumerate();
        let mut columns: Vec<Column> = features
            .map(|(place, feature)| named(format!("f{place}"), feature))
            .collect();
        columns.push(named("class".into(), class));
        Table::new(columns).expect("the workload is in order")
    }

    /// The plain loop: one addition per row into `[class][a][b]`.
    pub(crate) fn plain_pair<N>(&self, a: usize, b: usize) -> Vec<N>
    where
        N: Copy + Default + AddAssign + From<u8>,
    {
        let (k, l) = (self.n_values[a], self.n_values[b]);
        let mut cells = vec![N::default(); self.n_classes * k * l];
        let rows = bytes(&self.class)
            .iter()
            .zip(self.bytes(a))
            .zip(self.bytes(b));
        for ((&class, &a), &b) in rows {
            cells[(class as usize * k + a as usize) * l + b as usize] += N::from(1);
        }
        cells
    }
}

/// Columns of labels, as the library takes them.
pub(crate) struct Nominals {
    pub(crate) features: Vec<Nominal>,
    pub(crate) class: Nominal,
}

impl Nominals {
    /// What the features tell about the class and each other: nothing is counted yet.
    pub(crate) fn informations(&self) -> Informations<'_> {
        let features: Vec<&Nominal> = self.features.iter().collect();
        Informations::new(&features, &self.class).expect("the workload is in order")
    }
}

/// `n` times the logarithm of `n`.
fn n_log_n(n: u32) -> f64 {
    f64::from(n) * f64::from(n.max(1)).log2()
}

/// Rows times the information of two columns of `k` and `l` values, from their counts.
pub(crate) fn plain_information(cells: &[u32], k: usize, l: usize) -> f64 {
    let rows = (0..k).map(|a| cells[a * l..(a + 1) * l].iter().sum::<u32>());
    let columns = (0..l).map(|b| cells.iter().skip(b).step_by(l).sum::<u32>());
    let margins = rows.chain(columns).map(n_log_n).sum::<f64>();
    cells.iter().map(|&n| n_log_n(n)).sum::<f64>() - margins + n_log_n(cells.iter().sum())
}

/// Columns ready to be counted.
pub(crate) fn count_columns<'a>(codes: &'a [Codes], n_values: &[usize]) -> Vec<CountColumn<'a>> {
    let columns = codes.iter().zip(n_values);
    columns
        .map(|(codes, &n_values)| CountColumn { codes, n_values })
        .collect()
}

/// The roles of a table whose class is its last column, and its codes.
pub(crate) fn coded(table: &Table) -> (Roles, CodedTable) {
    let roles = Roles::resolve(table, &RoleOptions::default()).expect("roles");
    let coded = CodedTable::new(table, &roles, CodingOptions::default()).expect("coded");
    (roles, coded)
}

/// A table of random probabilities, none of them near 0 where `least` is not.
pub(crate) fn random_table(
    rng: &mut ChaCha8Rng,
    n_states: usize,
    parents: Vec<usize>,
    least: f64,
) -> Cpt {
    let mut cells = Vec::new();
    for _ in 0..parents.iter().product() {
        let weights: Vec<f64> = (0..n_states).map(|_| least + unit(rng)).collect();
        let sum: f64 = weights.iter().sum();
        cells.extend(weights.iter().map(|weight| weight / sum));
    }
    Cpt::dense(n_states, parents, cells).expect("rows sum to 1")
}

/// A network whose nodes are called n0, n1, …
pub(crate) fn network(n_states: &[usize], dag: Dag, tables: Vec<Cpt>) -> Network {
    let variables = n_states.iter().enumerate().map(|(node, &n)| Variable {
        name: format!("n{node}"),
        states: (0..n).map(|state| state.to_string()).collect(),
    });
    Network::new(variables.collect(), dag, tables).expect("the parts fit")
}

/// The bytes behind a column of at most 255 values.
pub(crate) fn bytes(codes: &Codes) -> &[u8] {
    match codes {
        Codes::U8(cells) => cells,
        _ => unreachable!("workloads have at most 255 values"),
    }
}

/// The fastest of `repeats` runs, in seconds, and the last result.
pub(crate) fn fastest<T>(repeats: usize, mut run: impl FnMut() -> T) -> (f64, T) {
    let mut best = f64::INFINITY;
    let mut result = None;
    for _ in 0..repeats.max(1) {
        let start = Instant::now();
        result = Some(std::hint::black_box(run()));
        best = best.min(start.elapsed().as_secs_f64());
    }
    (best, result.expect("at least one run"))
}

/// Runs on one thread, as all figures are taken.
pub(crate) fn on_one_thread<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("a pool of one thread")
        .install(run)
}

/// Prints one line: what, seconds, and how many times faster than the plain loop.
pub(crate) fn report(what: &str, seconds: f64, plain: f64) {
    println!(
        "{what:<58} {:>10.3} ms  {:>8.1} x",
        seconds * 1e3,
        plain / seconds
    );
}

/// Prints one line: what, and seconds, where no plain loop does the same.
pub(crate) fn report_alone(what: &str, seconds: f64) {
    println!("{what:<58} {:>10.3} ms", seconds * 1e3);
}

/// How the time grows with the rows and with the columns of W1.
pub(crate) fn growth_of_w1(seconds: impl Fn(Size) -> f64) {
    growth_in_rows(W1, [25_000, 100_000, 400_000], &seconds);
    growth_in_columns(W1, [50, 100, 200], &seconds);
}

/// Prints the time at three numbers of rows.
pub(crate) fn growth_in_rows(size: Size, rows: [usize; 3], seconds: impl Fn(Size) -> f64) {
    growth("rows", rows.map(|n_rows| Size { n_rows, ..size }), seconds);
}

/// Prints the time at three numbers of columns.
pub(crate) fn growth_in_columns(size: Size, columns: [usize; 3], seconds: impl Fn(Size) -> f64) {
    let sizes = columns.map(|n_columns| Size { n_columns, ..size });
    growth("columns", sizes, seconds);
}

/// Prints the time at three sizes, each with its ratio to the size before.
fn growth(axis: &str, sizes: [Size; 3], seconds: impl Fn(Size) -> f64) {
    let mut before: Option<f64> = None;
    for size in sizes {
        let seconds = seconds(size);
        let times = before.map_or(String::new(), |before| {
            format!("{:.2} times", seconds / before)
        });
        let what = format!("{} rows x {} columns", size.n_rows, size.n_columns);
        println!(
            "growth in {axis:<8} {what:<40} {:>10.3} ms  {times:>10}",
            seconds * 1e3
        );
        before = Some(seconds);
    }
}
