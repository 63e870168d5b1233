//! Worked numbers, and the definition over pairs of rows.

use std::fmt::Write;

use super::*;
use crate::data::{CodedTable, CodingOptions, ReadOptions, RoleOptions, Roles, Table, Values};
use crate::random::stream;
use crate::score::testing::example1;
use crate::select::{Method, SelectOptions, Selection, select};
use rand::RngExt;

fn run_with(table: &CodedTable, settings: &[&str], count: Option<usize>) -> Selection {
    let options = SelectOptions::new(Method::named("relief-f").unwrap()).unwrap();
    let mut options = options.with_settings(settings.iter().copied()).unwrap();
    options.count = count;
    select(table, &options, &Limits::new(&Silent)).unwrap()
}

/// Weights by feature name, in order of names.
fn weights(selection: &Selection) -> Vec<(String, f64)> {
    let steps = selection.steps.iter();
    let mut weights: Vec<(String, f64)> = steps.map(|s| (s.feature.clone(), s.score)).collect();
    weights.sort_by(|a, b| a.0.cmp(&b.0));
    weights
}

#[test]
fn example_1_has_the_weights_of_its_worked_numbers() {
    let cases = [
        (
            "k=10",
            [
                0.02589, 0.425, 0.20714, 0.02589, 0.13214, 0.35714, 0.13214, 0.425,
            ],
        ),
        ("k=1", [0.375, 0.5, -0.5, 0.375, 0.0, 0.25, 0.0, 0.5]),
    ];
    for (k, expected) in cases {
        let selection = run_with(&example1(32), &[k], Some(8));
        for ((feature, weight), expected) in weights(&selection).iter().zip(expected) {
            assert!((weight - expected).abs() < 5e-6, "{k} {feature}: {weight}");
        }
    }
}

#[test]
fn without_a_count_the_weights_above_the_threshold_stay() {
    let selection = run_with(&example1(32), &["k=1"], None);
    assert_eq!(selection.kept_names(), ["A2", "A8", "A1", "A4", "A6"]);
    assert!(matches!(selection.stop, Stop::Threshold { value, .. } if value.abs() < 1e-12));
    let selection = run_with(&example1(32), &["k=1", "threshold=0.4"], None);
    assert_eq!(selection.kept_names(), ["A2", "A8"]);
}

fn table(text: &str) -> CodedTable {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.csv");
    std::fs::write(&path, text).unwrap();
    let table: Table = crate::data::read_table(&path, &ReadOptions::default(), &Silent).unwrap();
    let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
    CodedTable::new(&table, &roles, CodingOptions::default()).unwrap()
}

/// Two labels, two numbers, one cell in seven missing.
fn mixed(seed: u32) -> CodedTable {
    let mut rng = stream(3, crate::random::Purpose::Generate, seed);
    let mut text = String::from("a,b,x,y,class\n");
    for row in 0..rng.random_range(12..40) {
        let class = if row < 2 { row } else { rng.random_range(0..3) };
        let mut cells = vec![
            format!("l{}", rng.random_range(0..2) + class / 2),
            format!("m{}", rng.random_range(0..3)),
            format!("{:.2}", f64::from(class) + rng.random_range(0.0..3.0)),
            format!("{:.3}", rng.random_range(-500.0..500.0)),
        ];
        for cell in &mut cells {
            if row > 3 && rng.random_range(0..7) == 0 {
                cell.clear();
            }
        }
        writeln!(text, "{},c{class}", cells.join(",")).unwrap();
    }
    table(&text)
}

/// A cell: a label's code or a number.
fn cell(values: &Values, row: usize) -> Option<f64> {
    match values {
        Values::Nominal(nominal) => nominal.codes.get(row).map(f64::from),
        Values::Numeric(numbers) => Some(numbers[row]).filter(|x| !x.is_nan()),
    }
}

/// The difference as an average over everything that a missing cell could be.
fn plain_difference(values: &Values, class: &[u32], a: usize, b: usize) -> f64 {
    let n_rows = class.len();
    let all: Vec<f64> = (0..n_rows).filter_map(|row| cell(values, row)).collect();
    let could_be = |row: usize| match cell(values, row) {
        Some(cell) => vec![cell],
        None => {
            let same = (0..n_rows).filter(|&other| class[other] == class[row]);
            let same: Vec<f64> = same.filter_map(|row| cell(values, row)).collect();
            if same.is_empty() { all.clone() } else { same }
        }
    };
    let most = |x: f64, y: &f64| x.max(*y);
    let range =
        all.iter().fold(f64::MIN, most) + all.iter().map(|x| -x).fold(f64::MIN, |x, y| x.max(y));
    let (xs, ys) = (could_be(a), could_be(b));
    let mut sum = 0.0;
    for x in &xs {
        for y in &ys {
            sum += match values {
                Values::Nominal(_) => f64::from(u8::from(x != y)),
                Values::Numeric(_) if range > 0.0 => (x - y).abs() / range,
                Values::Numeric(_) => 0.0,
            };
        }
    }
    sum / (xs.len() * ys.len()) as f64
}

fn plain_weights(table: &CodedTable, k: usize) -> Vec<f64> {
    let class: Vec<u32> = table.class.codes.iter().flatten().collect();
    let n_rows = class.len();
    let values: Vec<&Values> = table.features.iter().map(|f| f.column.values()).collect();
    let difference = |f: usize, a: usize, b: usize| plain_difference(values[f], &class, a, b);
    let share = |c: u32| class.iter().filter(|&&other| other == c).count() as f64 / n_rows as f64;
    let mut weights = vec![0.0; values.len()];
    for row in 0..n_rows {
        for c in 0..table.class.n_values() as u32 {
            let others = (0..n_rows).filter(|&other| other != row && class[other] == c);
            let mut others: Vec<(i64, usize)> = others
                .map(|other| {
                    let sum: f64 = (0..values.len()).map(|f| difference(f, row, other)).sum();
                    ((sum * 1e10).round() as i64, other)
                })
                .collect();
            others.sort_unstable();
            others.truncate(k);
            for &(_, other) in &others {
                for (f, weight) in weights.iter_mut().enumerate() {
                    let mean = difference(f, row, other) / (others.len() * n_rows) as f64;
                    *weight += if c == class[row] {
                        -mean
                    } else {
                        share(c) / (1.0 - share(class[row])) * mean
                    };
                }
            }
        }
    }
    weights
}

#[test]
fn labels_numbers_and_gaps_weigh_as_the_definition_says() {
    for seed in 0..20 {
        let table = mixed(seed);
        for k in [1, 3, 10] {
            let selection = run_with(&table, &[&format!("k={k}")], Some(4));
            let found = weights(&selection);
            assert_eq!(found.len(), 4);
            let expected = plain_weights(&table, k);
            for ((feature, weight), expected) in found.iter().zip(expected) {
                let error = (weight - expected).abs();
                assert!(
                    error < 1e-9,
                    "table {seed}, k = {k}, {feature}: {weight} {expected}"
                );
            }
        }
    }
}

#[test]
fn numbers_beyond_half_of_the_largest_have_a_range() {
    let text = "x,class\n-1.7e308,a\n-1.6e308,a\n1.6e308,b\n1.7e308,b\n0.5,a\n1.5,b\n";
    let selection = run_with(&table(text), &["k=1"], None);
    assert_eq!(selection.kept_names(), ["x"]);
    assert!(selection.value > 0.0 && selection.value <= 1.0);
}

#[test]
fn rows_of_a_sample_are_evenly_spaced() {
    // Eight rows, four looked at: 0, 2, 4, 6, which are all of class a.
    let mut text = String::from("x,class\n");
    for row in 0..8 {
        let class = if row % 2 == 0 { "a" } else { "b" };
        // In class a the label never changes, in class b it does.
        let label = if class == "a" { 0 } else { row };
        writeln!(text, "l{label},{class}").unwrap();
    }
    let sampled = run_with(&table(&text), &["k=1", "sample=4"], None);
    assert_eq!(sampled.value, 1.0);
    let all = run_with(&table(&text), &["k=1"], None);
    // The four rows of class b: 1 - 1 each.
    assert_eq!(all.value, 0.5);
}

#[test]
fn numbers_that_no_cut_divides_have_their_weights_as_reasons() {
    // Forty rows of noise: MDLP cuts neither column, RELIEF-F still weighs both.
    let mut text = String::from("x,y,class\n");
    for row in 0..40 {
        let (x, y) = ((row * 17) % 40, (row * 29) % 40);
        writeln!(text, "{x}.5,{y}.25,c{}", row % 2).unwrap();
    }
    let selection = run_with(&table(&text), &[], Some(1));
    assert_eq!(selection.kept.len(), 1);
    assert_eq!(selection.dropped[0].reason.name(), "outranked");
}
