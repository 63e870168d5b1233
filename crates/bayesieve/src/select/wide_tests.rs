//! Many columns and few rows: what chance must not pass, and what must still be found.

use super::testing::{Run, coded, run_on};
use crate::data::CodedTable;
use crate::random::{Purpose, stream, unit};

/// Rows of columns of noise; the class lifts the first ones.
fn table_of_noise(seed: u64, n_columns: usize, n_planted: usize) -> CodedTable {
    let mut rng = stream(seed, Purpose::Generate, 11);
    let mut text: String = (0..n_columns).map(|f| format!("x{f},")).collect();
    text += "class\n";
    for row in 0..100 {
        let class = row % 2;
        for column in 0..n_columns {
            let noise: f64 = (0..4).map(|_| unit(&mut rng)).sum();
            let lift = if column < n_planted { 1.2 } else { 0.0 };
            text += &format!("{:.6},", noise + lift * f64::from(class));
        }
        text += &format!("c{class}\n");
    }
    coded(&text)
}

fn with_names(table: &CodedTable) -> Vec<String> {
    let run = Run {
        settings: vec!["naming=on"],
        ..Run::of("mdl-fs")
    };
    let selection = run_on(table, run);
    let names = selection.kept_names();
    names.into_iter().map(str::to_owned).collect()
}

#[test]
fn names_leave_noise_out_and_planted_features_in() {
    for seed in 1..=3 {
        let kept = with_names(&table_of_noise(seed, 400, 0));
        assert!(kept.len() <= 1, "{seed}: {kept:?}");
        // A lift of two standard deviations.
        let mut kept = with_names(&table_of_noise(seed, 400, 2));
        kept.sort_unstable();
        let planted = kept
            .iter()
            .filter(|name| ["x0", "x1"].contains(&name.as_str()));
        assert_eq!(planted.count(), 2, "{seed}: {kept:?}");
        assert!(kept.len() <= 3, "{seed}: {kept:?}");
    }
}

#[test]
fn a_reason_says_what_the_name_costs() {
    let table = table_of_noise(1, 400, 0);
    let run = Run {
        settings: vec!["naming=on"],
        ..Run::of("mdl")
    };
    let selection = run_on(&table, run);
    // log2(400) / 100 + log2(99) / 100 per row for the first one, one cut point each.
    let naming = (400.0_f64.log2() + 99.0_f64.log2()) / 100.0;
    let named = selection.dropped.iter().filter_map(|dropped| {
        let numbers = dropped.reason.parts().numbers;
        let found = numbers.iter().find(|(name, _)| *name == "naming_bits");
        found.map(|(_, bits)| *bits)
    });
    let named: Vec<f64> = named.collect();
    if selection.kept.is_empty() {
        assert!(
            named.iter().any(|bits| (bits - naming).abs() < 1e-9),
            "{named:?}"
        );
    }
    assert!(named.iter().all(|&bits| bits > 0.0));
}
