use super::*;
use crate::data::CodedTable;
use crate::score::testing::example1;
use crate::search::Limits;
use crate::select::select;
use crate::select::testing::{
    CancelsAfter, Run, numbers, random_table, run, run_on, run_without_time,
};

#[test]
fn example_1_follows_its_worked_traces() {
    let traces = [
        (
            "cig-as",
            ["A2 0.311278", "A6 0.155639", "A1 0.094361", "A4 0.250000"],
        ),
        (
            "cgr-as",
            ["A6 0.540073", "A2 0.201088", "A1 0.111754", "A4 0.333333"],
        ),
        (
            "cdc-as",
            ["A6 0.276614", "A2 0.143690", "A1 0.086225", "A4 0.333333"],
        ),
    ];
    for (method, trace) in traces {
        for n_rows in [32, 320, 3200] {
            let selection = run(method, n_rows, &[]);
            assert_eq!(numbers(&selection), trace, "{method} {n_rows}");
            assert_eq!(selection.stop, Stop::NoImprovement);
            assert_eq!(selection.kept.len(), 4);
        }
    }
}

#[test]
fn example_1_stops_by_the_test_where_its_worked_numbers_say() {
    // Pearson: A2 10.667, p .0011; A6 5.333, p .0209; A1 3.000 with one layer of (2-1)(2-1)
    // left that is not pure, p .0833. Ten times the rows, ten times the statistic.
    let few = run("cig-as", 32, &["stop=chi2"]);
    assert_eq!(few.kept_names(), ["A2", "A6"]);
    match few.stop {
        Stop::NotSignificant { p, alpha } => {
            assert_eq!(format!("{p:.4} {alpha}"), "0.0833 0.05");
        }
        other => panic!("{other:?}"),
    }
    let many = run("cig-as", 320, &["stop=chi2"]);
    assert_eq!(many.kept_names(), ["A2", "A6", "A1", "A4"]);
    // By G: A2 13.809, A6 6.904 with one degree of freedom, p = .0086; A1 4.186, p = .0408.
    let by_g = run("cig-as", 32, &["stop=chi2", "test=g"]);
    assert_eq!(by_g.kept_names(), ["A2", "A6", "A1", "A4"]);
    let strict = run("cig-as", 32, &["stop=chi2", "test=g", "alpha=0.01"]);
    assert_eq!(strict.kept_names(), ["A2", "A6"]);
    let never = run("cig-as", 32, &["stop=chi2", "alpha=0"]);
    assert!(never.kept.is_empty());
}

/// The definitions word by word: entropies within every combination of kept values.
fn plain_value(table: &CodedTable, kept: &[usize], feature: usize, metric: Metric) -> f64 {
    let code = |f: usize, row: usize| {
        let coded = table.features[f].coded().unwrap();
        coded.codes.get(row).unwrap()
    };
    let mut layers = std::collections::BTreeMap::new();
    for row in 0..table.n_rows() {
        let layer: Vec<u32> = kept.iter().map(|&f| code(f, row)).collect();
        let cell = (code(feature, row), table.class.codes.get(row).unwrap());
        layers.entry(layer).or_insert_with(Vec::new).push(cell);
    }
    fn entropy<T: Ord>(items: impl Iterator<Item = T>) -> f64 {
        let mut counts = std::collections::BTreeMap::new();
        items.for_each(|item| *counts.entry(item).or_insert(0.0) += 1.0);
        let n: f64 = counts.values().sum();
        counts.values().map(|c: &f64| -c / n * (c / n).log2()).sum()
    }
    let (mut gain, mut of_feature, mut of_cell) = (0.0, 0.0, 0.0);
    for cells in layers.values() {
        let share = cells.len() as f64 / table.n_rows() as f64;
        let (h_c, h_a) = (
            entropy(cells.iter().map(|cell| cell.1)),
            entropy(cells.iter().map(|cell| cell.0)),
        );
        let h_cell = entropy(cells.iter());
        gain += share * (h_c + h_a - h_cell);
        of_feature += share * h_a;
        of_cell += share * h_cell;
    }
    let below = match metric {
        Metric::Gain => 1.0,
        Metric::Ratio => of_feature,
        Metric::Distance => of_cell,
    };
    if below > 1e-12 { gain / below } else { 0.0 }
}

fn plain(table: &CodedTable, metric: Metric) -> Vec<(usize, f64)> {
    let mut steps: Vec<(usize, f64)> = Vec::new();
    loop {
        let kept: Vec<usize> = steps.iter().map(|step| step.0).collect();
        let outside = (0..table.features.len()).filter(|f| !kept.contains(f));
        let values: Vec<(usize, f64)> = outside
            .map(|f| (f, plain_value(table, &kept, f, metric)))
            .collect();
        let mut best: Option<(usize, f64)> = None;
        for &(feature, value) in &values {
            if best.is_none_or(|best| value > best.1 + 1e-10) {
                best = Some((feature, value));
            }
        }
        match best.filter(|best| best.1 > 1e-9) {
            Some(best) => steps.push(best),
            None => return steps,
        }
    }
}

#[test]
fn the_walk_is_that_of_the_definitions() {
    let methods = [
        ("cig-as", Metric::Gain),
        ("cgr-as", Metric::Ratio),
        ("cdc-as", Metric::Distance),
    ];
    for seed in 0..50 {
        let table = random_table(seed);
        for (method, metric) in methods {
            let selection = run_on(&table, Run::of(method));
            let name = |f: usize| table.features[f].column.name();
            let expected: Vec<String> = plain(&table, metric)
                .iter()
                .map(|&(f, value)| format!("{} {value:.6}", name(f)))
                .collect();
            assert_eq!(numbers(&selection), expected, "{method}, seed {seed}");
        }
    }
}

#[test]
fn what_must_stay_is_known_from_the_start() {
    let selection = run_on(
        &example1(32),
        Run {
            keep: vec!["A8"],
            ..Run::of("cig-as")
        },
    );
    assert_eq!(selection.kept_names(), ["A8", "A6", "A1", "A4"]);
}

#[test]
fn time_over_gives_what_was_found_and_interruption_nothing() {
    let run = Run::of("cig-as");
    let table = example1(32);
    let selection = run_without_time(&table, &run);
    assert!(selection.kept.is_empty());
    assert_eq!(selection.stop, Stop::Budget);
    let at_once = CancelsAfter::new(0);
    assert!(select(&table, &run.options().unwrap(), &Limits::new(&at_once)).is_err());
    // One question per candidate: the first step needs eight.
    let later = CancelsAfter::new(9);
    let selection = select(&table, &run.options().unwrap(), &Limits::new(&later)).unwrap();
    assert_eq!(selection.kept_names(), ["A2"]);
    assert_eq!(selection.stop, Stop::Interrupted);
}

#[test]
fn a_column_of_many_values_is_counted_like_any_other() {
    // 100 rows of 50 values: parts of two rows in tables of 100 cells.
    let mut text = String::from("id,bit,class\n");
    for row in 0..100 {
        text += &format!("v{},{},{}\n", row / 2, row % 2, (row + row / 50) % 2);
    }
    let table = crate::select::testing::coded(&text);
    let selection = run_on(&table, Run::of("cig-as"));
    let expected: Vec<String> = plain(&table, Metric::Gain)
        .iter()
        .map(|&(f, value)| format!("{} {value:.6}", table.features[f].column.name()))
        .collect();
    assert_eq!(numbers(&selection), expected);
}
