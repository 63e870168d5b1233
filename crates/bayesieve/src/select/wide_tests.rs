//! Many columns and few rows: what chance must not pass, and what must still be found.

use super::testing::{Run, coded, run_on};
use super::{Method, SelectOptions, select};
use crate::Silent;
use crate::classify::ModelKind;
use crate::data::CodedTable;
use crate::random::{Purpose, stream, unit};
use crate::score::testing::example1;
use crate::search::Limits;

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
    // Naming 2 of 8 features: log2(9) + log2(28) = 7.97728 bits on top of 1165.9962; a third one
    // would cost log2(6 / 3) = 1 bit more, in 3,200 rows.
    let options = SelectOptions::new(Method::named("mdl-fs").unwrap()).unwrap();
    let options = options.with_model(ModelKind::NaiveBayes).unwrap();
    let options = options.with_settings(["naming=on"]).unwrap();
    let selection = select(&example1(3200), &options, &Limits::new(&Silent)).unwrap();
    assert_eq!(selection.kept_names(), ["A2", "A6"]);
    assert_eq!(format!("{:.4}", selection.value), "1173.9735");
    let a1 = selection.dropped[0].reason.parts();
    let price = (3200.0_f64.log2() / 2.0 + 1.0) / 3200.0;
    assert_eq!(a1.numbers[2].0, "naming_bits");
    assert!((a1.numbers[2].1 - 1.0 / 3200.0).abs() < 1e-12);
    assert!((a1.numbers[1].1 - price).abs() < 1e-12);
    let sentence = selection.dropped[0].reason.sentence();
    assert!(
        sentence.contains("its table and its name cost 0.0021"),
        "{sentence}"
    );
}
