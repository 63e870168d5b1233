use std::collections::BTreeMap;

use super::*;
use crate::data::{CodedTable, MissingPolicy};
use crate::score::testing::example1;
use crate::search::Limits;
use crate::select::testing::{
    CancelsAfter, Run, numbers, random_table, run, run_on, run_without_time,
};
use crate::select::{SelectOptions, select};

#[test]
fn example_1_follows_its_worked_trace() {
    // A2 goes before its copy A8, so A8 stays.
    for n_rows in [32, 320, 3200] {
        let selection = run("koller-sahami", n_rows, &[]);
        let trace = ["A1", "A2", "A3", "A4", "A5", "A7"].map(|name| format!("{name} 0.000000"));
        assert_eq!(numbers(&selection), trace);
        assert_eq!(selection.kept_names(), ["A6", "A8"]);
        match selection.stop {
            Stop::Threshold { value, threshold } => {
                assert_eq!(format!("{value:.6} {threshold}"), "0.155639 0.05");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn without_blankets_features_go_by_what_they_tell_alone() {
    let selection = run("koller-sahami", 32, &["k=0"]);
    let trace = ["A1", "A4", "A5", "A7"].map(|name| format!("{name} 0.000000"));
    assert_eq!(numbers(&selection), trace);
    // A3 tells 0.07376: gone at a threshold of 0.08.
    let more = run("koller-sahami", 32, &["k=0", "gamma=0.08"]);
    assert_eq!(numbers(&more)[4], "A3 0.073761");
    assert_eq!(more.kept_names(), ["A2", "A6", "A8"]);
}

#[test]
fn the_last_feature_stays_and_so_does_what_must() {
    let all = run("koller-sahami", 32, &["gamma=9"]);
    assert_eq!(all.kept.len(), 1);
    assert_eq!(all.stop, Stop::Exhausted);
    let selection = run_on(
        &example1(32),
        Run {
            keep: vec!["A5", "A2"],
            ..Run::of("koller-sahami")
        },
    );
    assert_eq!(selection.kept_names(), ["A2", "A5", "A6"]);
}

/// `I(feature; C | given)` from its definition, over the rows as they are.
fn plain_loss(table: &CodedTable, feature: usize, given: &[usize]) -> f64 {
    let entropy = |features: &[usize], with_class: bool| {
        let mut counts: BTreeMap<Vec<u32>, f64> = BTreeMap::new();
        for row in 0..table.n_rows() {
            let code = |&f: &usize| table.features[f].coded().unwrap().codes.get(row);
            let mut key: Vec<u32> = features.iter().map(|f| code(f).unwrap()).collect();
            if with_class {
                key.push(table.class.codes.get(row).unwrap());
            }
            *counts.entry(key).or_default() += 1.0;
        }
        let n = table.n_rows() as f64;
        let terms = counts.values().map(|count| -count / n * (count / n).log2());
        terms.sum::<f64>()
    };
    let all: Vec<usize> = given.iter().copied().chain([feature]).collect();
    let left = |features: &[usize]| entropy(features, true) - entropy(features, false);
    left(given) - left(&all)
}

struct Plain<'t> {
    table: &'t CodedTable,
    k: usize,
    is_nearest: bool,
    gamma: f64,
}

impl Plain<'_> {
    fn blanket(&self, feature: usize, remaining: &[usize]) -> Vec<usize> {
        let mut others: Vec<usize> = remaining.to_vec();
        others.retain(|&other| other != feature);
        others.sort_by_key(|&other| {
            if self.is_nearest {
                rounded(plain_loss(self.table, feature, &[other]))
            } else {
                -rounded(plain_loss(self.table, other, &[]))
            }
        });
        others.truncate(self.k);
        let values = |f: usize| self.table.features[f].coded().unwrap().n_values();
        let sizes = others.iter().chain([&feature]).map(|&f| values(f));
        let n_cells = sizes.product::<usize>() * self.table.class.n_values();
        if others.len() == 2 && self.table.n_rows() < 5 * n_cells {
            others.pop();
        }
        others
    }

    fn steps(&self) -> Vec<String> {
        let mut remaining: Vec<usize> = (0..self.table.features.len()).collect();
        let mut steps = Vec::new();
        while remaining.len() > 1 {
            let losses = remaining.iter().map(|&feature| {
                let blanket = self.blanket(feature, &remaining);
                (plain_loss(self.table, feature, &blanket), feature)
            });
            let (lost, feature) = losses.min_by_key(|&(lost, f)| (rounded(lost), f)).unwrap();
            if rounded(lost) >= rounded(self.gamma) {
                break;
            }
            remaining.retain(|&other| other != feature);
            let name = self.table.features[feature].column.name();
            steps.push(format!("{name} {:.6}", lost.max(0.0)));
        }
        steps
    }
}

#[test]
fn the_deletions_are_those_of_the_definition() {
    let rules = [
        (0, "min", ["k=0", "gamma=0.2", "blanket=min"]),
        (1, "min", ["k=1", "gamma=0.2", "blanket=min"]),
        (2, "min", ["k=2", "gamma=0.2", "blanket=min"]),
        (1, "strongest", ["k=1", "gamma=0.2", "blanket=strongest"]),
        (2, "strongest", ["k=2", "gamma=0.2", "blanket=strongest"]),
    ];
    for seed in 0..50 {
        let table = random_table(seed);
        for (k, rule, settings) in rules {
            let selection = run_on(
                &table,
                Run {
                    settings: settings.to_vec(),
                    ..Run::of("koller-sahami")
                },
            );
            let plain = Plain {
                table: &table,
                k,
                is_nearest: rule == "min",
                gamma: 0.2,
            };
            assert_eq!(
                numbers(&selection),
                plain.steps(),
                "seed {seed}, {settings:?}"
            );
        }
    }
}

#[test]
fn many_equal_features_outlive_what_is_remembered_of_them() {
    // 40 copies of one bit: each is covered by any other until one is left.
    let mut text: String = (0..40).map(|f| format!("f{f},")).collect();
    text += "class\n";
    for row in 0..8 {
        let cells: String = (0..40).map(|_| format!("{},", row % 2)).collect();
        text += &format!("{cells}{}\n", row % 2);
    }
    let table = crate::select::testing::coded(&text);
    for settings in [vec![], vec!["k=2"], vec!["blanket=strongest"]] {
        let selection = run_on(
            &table,
            Run {
                settings,
                ..Run::of("koller-sahami")
            },
        );
        assert_eq!(selection.kept_names(), ["f39"]);
        assert_eq!(selection.steps[0].feature, "f0");
    }
}

#[test]
fn time_over_keeps_the_rest_and_interruption_before_a_step_is_an_error() {
    let table = example1(32);
    for k in ["k=0", "k=1", "k=2"] {
        let run = Run {
            settings: vec![k],
            ..Run::of("koller-sahami")
        };
        let selection = run_without_time(&table, &run);
        assert_eq!((selection.kept.len(), selection.stop), (8, Stop::Budget));
        let options = run.options().unwrap();
        let at_once = CancelsAfter::new(0);
        assert!(select(&table, &options, &Limits::new(&at_once)).is_err());
    }
    let later = CancelsAfter::new(8);
    let options = Run::of("koller-sahami").options().unwrap();
    let selection = select(&table, &options, &Limits::new(&later)).unwrap();
    assert_eq!(selection.stop, Stop::Interrupted);
    assert_eq!(selection.steps[0].feature, "A1");
    assert!(selection.kept.len() > 2);
}

#[test]
fn open_gaps_are_for_blankets_of_at_most_one() {
    let options = |k: &str| -> crate::Result<SelectOptions> {
        SelectOptions::new(&KOLLER_SAHAMI)?
            .with_settings([k])?
            .with_missing(MissingPolicy::Available)
    };
    assert!(options("k=1").is_ok());
    assert!(options("k=2").is_err());
}
