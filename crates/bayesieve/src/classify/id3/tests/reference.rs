//! The definition of ID3, written down without any thought of speed, against the grower.

use super::*;
use crate::data::Domain;
use crate::info::entropy;
use crate::random::{Purpose, below, shuffle, stream};
use crate::stats::{DegreesOfFreedom, Layers, Statistic};

/// A tree as text: `class` or `feature[branch:tree ...]`, with the largest branch marked.
fn text(tree: &Id3, node: usize) -> String {
    let node = &tree.nodes()[node];
    let mark = |child: usize, largest: usize| if child == largest { "*" } else { "" };
    match &node.split {
        None => node.majority().to_string(),
        Some(Id3Split::Nominal {
            feature,
            branches,
            largest,
        }) => {
            let branches: Vec<String> = branches
                .iter()
                .map(|&(code, child)| {
                    format!("{}{code}:{}", mark(child, *largest), text(tree, child))
                })
                .collect();
            format!("{feature}[{}]", branches.join(" "))
        }
        Some(Id3Split::Numeric {
            feature,
            cut,
            below,
            above,
            largest,
        }) => format!(
            "{feature}<={cut}[{}0:{} {}1:{}]",
            mark(*below, *largest),
            text(tree, *below),
            mark(*above, *largest),
            text(tree, *above)
        ),
    }
}

struct Reference<'a> {
    columns: &'a [Column],
    class: &'a Nominal,
    alpha: f64,
}

/// The value of every row, `None` where it is missing.
type Branching = Vec<Option<u32>>;

impl Reference<'_> {
    fn class_counts(&self, rows: &[usize]) -> Vec<u64> {
        let mut counts = vec![0; self.class.n_values()];
        for &row in rows {
            counts[self.class.codes.get(row).unwrap() as usize] += 1;
        }
        counts
    }

    /// All ways to divide the rows by a column, with the cut.
    fn branchings(&self, column: &Column, rows: &[usize]) -> Vec<(Option<f64>, Branching)> {
        match column.values() {
            Values::Nominal(nominal) => vec![(
                None,
                rows.iter().map(|&row| nominal.codes.get(row)).collect(),
            )],
            Values::Numeric(numbers) => {
                let mut distinct: Vec<f64> = rows.iter().map(|&row| numbers[row]).collect();
                distinct.retain(|x| !x.is_nan());
                distinct.sort_by(f64::total_cmp);
                distinct.dedup();
                let cut = |pair: &[f64]| {
                    let cut = (pair[0] + pair[1]) / 2.0;
                    let side = |&row: &usize| {
                        (!numbers[row].is_nan()).then(|| u32::from(numbers[row] > cut))
                    };
                    (Some(cut), rows.iter().map(side).collect())
                };
                distinct.windows(2).map(cut).collect()
            }
        }
    }

    /// Counts of the rows that have a value, value by value that occurs.
    fn table(&self, rows: &[usize], branching: &Branching) -> Vec<(u32, Vec<u64>)> {
        let mut values: Vec<u32> = branching.iter().flatten().copied().collect();
        values.sort_unstable();
        values.dedup();
        let counts = |value: u32| {
            let with = rows.iter().zip(branching);
            let with: Vec<usize> = with
                .filter(|(_, branch)| **branch == Some(value))
                .map(|(&row, _)| row)
                .collect();
            self.class_counts(&with)
        };
        values.into_iter().map(|v| (v, counts(v))).collect()
    }

    /// Gain and ratio of a table, `None` where it has one value only.
    fn worth(&self, table: &[(u32, Vec<u64>)]) -> Option<(f64, f64)> {
        if table.len() < 2 {
            return None;
        }
        let sizes: Vec<u64> = table
            .iter()
            .map(|(_, counts)| counts.iter().sum())
            .collect();
        let n: u64 = sizes.iter().sum();
        let classes: Vec<u64> = (0..self.class.n_values())
            .map(|class| table.iter().map(|(_, counts)| counts[class]).sum())
            .collect();
        let inside: f64 = table
            .iter()
            .zip(&sizes)
            .map(|((_, counts), &size)| size as f64 / n as f64 * entropy(counts))
            .sum();
        let gain = entropy(&classes) - inside;
        Some((gain, gain / entropy(&sizes)))
    }

    fn grow(&self, rows: &[usize], above: &[u32]) -> String {
        let counts = self.class_counts(rows);
        let mut preferred = above.to_vec();
        preferred.sort_by_key(|&class| std::cmp::Reverse(counts[class as usize]));
        let leaf = preferred[0].to_string();
        if counts.iter().filter(|&&n| n > 0).count() < 2 {
            return leaf;
        }
        let round = |x: f64| (x * 1e10).round();
        let mut best_of_column = Vec::new();
        for (feature, column) in self.columns.iter().enumerate() {
            let mut best: Option<(f64, f64, Option<f64>, Branching)> = None;
            for (cut, branching) in self.branchings(column, rows) {
                if let Some((gain, ratio)) = self.worth(&self.table(rows, &branching))
                    && best.as_ref().is_none_or(|b| round(ratio) > round(b.1))
                {
                    best = Some((gain, ratio, cut, branching));
                }
            }
            best_of_column.extend(best.map(|best| (feature, best)));
        }
        best_of_column.retain(|(_, (gain, ..))| round(*gain) > 0.0);
        let sum: f64 = best_of_column.iter().map(|(_, (gain, ..))| gain).sum();
        let mean = sum / best_of_column.len() as f64;
        best_of_column.retain(|(_, (gain, ..))| round(*gain) >= round(mean));
        let ratios = best_of_column
            .iter()
            .map(|(_, (_, ratio, ..))| round(*ratio));
        let highest = ratios.fold(f64::NEG_INFINITY, f64::max);
        best_of_column.retain(|(_, (_, ratio, ..))| round(*ratio) == highest);
        let Some((feature, (_, _, cut, branching))) = best_of_column.into_iter().next() else {
            return leaf;
        };
        let table = self.table(rows, &branching);
        let cells: Vec<u64> = table
            .iter()
            .flat_map(|(_, counts)| counts.clone())
            .collect();
        let layers = Layers::new(table.len(), self.class.n_values(), &cells).unwrap();
        if layers
            .test(Statistic::Pearson, DegreesOfFreedom::Adjusted)
            .p
            > self.alpha
        {
            return leaf;
        }
        let size = |counts: &[u64]| counts.iter().sum::<u64>();
        let most = table.iter().map(|(_, counts)| size(counts)).max().unwrap();
        let largest = table
            .iter()
            .find(|(_, counts)| size(counts) == most)
            .unwrap()
            .0;
        let branches: Vec<String> = table
            .iter()
            .map(|&(value, _)| {
                let with = rows.iter().zip(&branching);
                let with: Vec<usize> = with
                    .filter(|(_, branch)| branch.unwrap_or(largest) == value)
                    .map(|(&row, _)| row)
                    .collect();
                let mark = if value == largest { "*" } else { "" };
                format!("{mark}{value}:{}", self.grow(&with, &preferred))
            })
            .collect();
        let cut = cut.map_or(String::new(), |cut| format!("<={cut}"));
        format!("{feature}{cut}[{}]", branches.join(" "))
    }
}

/// Columns of both kinds that lean on the class, with gaps.
fn random_table(n_rows: usize, part: u32) -> (Vec<Column>, Nominal) {
    let mut rng = stream(5, Purpose::Split, part);
    let n_classes = 2 + below(&mut rng, 3);
    let class: Vec<u32> = (0..n_rows)
        .map(|_| below(&mut rng, n_classes) as u32)
        .collect();
    let labels = |n: u64| Domain::ordered((0..n).map(|i| i.to_string()).collect());
    let mut columns = Vec::new();
    for i in 0..6 {
        let (n_values, lean) = (2 + below(&mut rng, 4), below(&mut rng, 5));
        let has_gaps = below(&mut rng, 2) == 0;
        let mut cell = |class: u32| {
            let value = if below(&mut rng, 6) < lean {
                u64::from(class) % n_values
            } else {
                below(&mut rng, n_values)
            };
            let is_missing = has_gaps && below(&mut rng, 5) == 0;
            (!is_missing).then_some(value as u32)
        };
        let cells: Vec<Option<u32>> = class.iter().map(|&class| cell(class)).collect();
        let values = if i % 2 == 0 {
            Values::Nominal(Nominal {
                codes: Codes::new(n_values as usize, cells),
                domain: labels(n_values),
            })
        } else {
            // Quarters and eighths, so that midpoints are exact.
            let number = |(row, cell): (usize, Option<u32>)| {
                cell.map_or(f64::NAN, |x| f64::from(x) + (row % 4) as f64 / 4.0)
            };
            Values::Numeric(cells.into_iter().enumerate().map(number).collect())
        };
        columns.push(Column::new(format!("x{i}"), values, KindOrigin::Derived));
    }
    let class = Nominal {
        codes: Codes::new(n_classes as usize, class.into_iter().map(Some)),
        domain: labels(n_classes),
    };
    (columns, class)
}

#[test]
fn trees_are_those_of_the_definition() {
    let mut n_nodes = 0;
    for part in 0..60 {
        let (columns, class) = random_table(20 + part as usize, part);
        for alpha in [1.0, 0.1, 0.01] {
            let reference = Reference {
                columns: &columns,
                class: &class,
                alpha,
            };
            let rows: Vec<usize> = (0..class.codes.len()).collect();
            // Ties go to the class whose first row comes first.
            let mut classes: Vec<u32> = class.codes.iter().flatten().collect();
            let mut is_new = vec![true; class.n_values()];
            classes.retain(|&code| std::mem::take(&mut is_new[code as usize]));
            classes.extend(
                (0..)
                    .zip(&is_new)
                    .filter(|(_, new)| **new)
                    .map(|(code, _)| code),
            );
            let tree = fit(&columns, &class, alpha);
            assert_eq!(
                text(&tree, 0),
                reference.grow(&rows, &classes),
                "table {part}"
            );
            n_nodes += tree.nodes().len();
        }
    }
    assert!(
        n_nodes > 1500,
        "{n_nodes} nodes are too few to say anything"
    );
}

#[test]
fn the_order_of_rows_and_the_number_of_threads_change_no_tree() {
    // Enough cells for the root to be shared among threads.
    let (columns, class) = random_table(20_000, 99);
    let tree = fit(&columns, &class, 0.5);
    assert!(tree.nodes().len() > 100);
    let mut rows: Vec<u32> = (0..20_000).collect();
    shuffle(&mut rows, &mut stream(1, Purpose::Split, 0));
    let shuffled: Vec<Column> = columns.iter().map(|column| column.take(&rows)).collect();
    let shuffled_class = Nominal {
        codes: class.codes.take(&rows),
        domain: class.domain.clone(),
    };
    for n_threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
        let pool = pool.build().unwrap();
        pool.install(|| {
            assert_eq!(fit(&columns, &class, 0.5), tree, "{n_threads} threads");
            let again = fit(&shuffled, &shuffled_class, 0.5);
            assert_eq!(again, tree, "rows in another order, {n_threads} threads");
            let predicted = predict(&tree, &columns);
            let expected: Vec<u32> = rows.iter().map(|&row| predicted[row as usize]).collect();
            assert_eq!(predict(&tree, &shuffled), expected);
        });
    }
}
