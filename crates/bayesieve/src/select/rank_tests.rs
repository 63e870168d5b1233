//! The rankers against worked numbers and against their definitions, row by row.

use std::collections::BTreeMap;
use std::f64::consts::LN_2;
use std::sync::Arc;
use std::time::Duration;

use rand::RngExt;

use super::*;
use crate::Observer;
use crate::data::{Codes, Column, Domain, KindOrigin, MissingPolicy, Values};
use crate::random::{Purpose, stream};
use crate::score::testing::example1;
use crate::search::Stop;
use crate::stats::chi_square_tail;

type Cells = Vec<Option<u8>>;
/// (value, p of the gain) of a feature given those that are in.
type PlainCriterion<'c> = dyn Fn(usize, &[usize]) -> (f64, f64) + 'c;

fn options(method: &str) -> SelectOptions {
    SelectOptions::new(Method::named(method).unwrap()).unwrap()
}

fn run(table: &CodedTable, options: &SelectOptions) -> Selection {
    select(table, options, &Limits::new(&Silent)).unwrap()
}

/// The steps as text: `A2 0.311278`.
fn steps(selection: &Selection) -> Vec<String> {
    let steps = selection.steps.iter();
    steps
        .map(|step| format!("{} {:.6}", step.feature, step.score))
        .collect()
}

#[test]
fn example_1_is_ranked_as_its_worked_numbers_say() {
    let cases: [(&str, [&str; 8]); 4] = [
        (
            "mrmr",
            [
                "A2 0.311278",
                "A6 0.155639",
                "A5 0.000000",
                "A3 -0.040125",
                "A1 -0.034481",
                "A8 0.021437",
                "A4 -0.022988",
                "A7 -0.142857",
            ],
        ),
        (
            "mrmr-miq",
            [
                "A2 0.311278",
                "A6 2.128429",
                "A8 0.547098",
                "A3 0.338905",
                "A1 0.000000",
                "A4 0.000000",
                "A5 0.000000",
                "A7 0.000000",
            ],
        ),
        (
            "jmi",
            [
                "A2 0.311278",
                "A6 0.466917",
                "A8 0.778195",
                "A1 1.028195",
                "A4 1.339473",
                "A3 1.107022",
                "A5 0.989882",
                // As A5, and nothing more with A5 known.
                "A7 0.989882",
            ],
        ),
        (
            "cmim",
            [
                "A2 0.311278",
                "A6 0.155639",
                "A1 0.000000",
                "A3 0.000000",
                "A4 0.000000",
                "A5 0.000000",
                "A7 0.000000",
                "A8 0.000000",
            ],
        ),
    ];
    for (method, expected) in cases {
        let selection = run(&example1(32), &options(method).with_count(8).unwrap());
        assert_eq!(steps(&selection), expected, "{method}");
        assert_eq!(selection.stop, Stop::Exhausted);
    }
    let fcbf = run(&example1(32), &options("fcbf"));
    assert_eq!(steps(&fcbf), ["A6 0.433356", "A2 0.343711"]);
}

#[test]
fn a_count_is_met_exactly_and_what_must_stay_counts_among_it() {
    for method in ["mrmr", "mrmr-miq", "jmi", "cmim", "relief-f"] {
        let mut options = options(method).with_count(3).unwrap();
        options.keep = vec!["A7".into(), "A1".into()];
        let selection = run(&example1(32), &options);
        assert_eq!(selection.kept.len(), 3, "{method}");
        assert_eq!(selection.kept_names()[..2], ["A7", "A1"], "{method}");
        assert_eq!(selection.stop, Stop::Count);
        assert_eq!(selection.steps.len(), 3);
        // More must stay than were asked for: they stay.
        let selection = run(&example1(32), &{ options.with_count(1).unwrap() });
        assert_eq!(selection.kept_names(), ["A7", "A1"], "{method}");
    }
}

#[test]
fn without_a_count_every_ranker_stops_by_itself() {
    // mRMR: A5 has 0 after A6. JMI and CMIM at N = 32: A6 given A2 has G2 = 6.904370 with
    // 2 degrees of freedom, p = 0.031676; then nothing is significant.
    let kept = |method: &str, settings: &[&str]| {
        let options = options(method).with_settings(settings.iter().copied());
        run(&example1(32), &options.unwrap())
    };
    let mrmr = kept("mrmr", &[]);
    assert_eq!(mrmr.kept_names(), ["A2", "A6"]);
    assert!(matches!(mrmr.stop, Stop::Threshold { threshold, .. } if threshold == 0.0));
    assert_eq!(kept("mrmr-miq", &[]).kept_names(), ["A2", "A6", "A8", "A3"]);
    let cmim = kept("cmim", &[]);
    assert_eq!(cmim.kept_names(), ["A2", "A6"]);
    assert_eq!(
        cmim.stop,
        Stop::NotSignificant {
            p: 1.0,
            alpha: 0.05
        }
    );
    assert_eq!(kept("cmim", &["alpha=0.03"]).kept_names(), ["A2"]);
    assert_eq!(kept("cmim", &["alpha=0.0001"]).kept_names().len(), 0);
    let jmi = kept("jmi", &["alpha=0.03"]);
    assert_eq!(jmi.kept_names(), ["A2"]);
    let Stop::NotSignificant { p, .. } = jmi.stop else {
        panic!("{:?}", jmi.stop)
    };
    assert!((p - 0.031676).abs() < 5e-7, "{p}");
    assert_eq!(kept("fcbf", &["delta=0.4"]).kept_names(), ["A6"]);
}

#[test]
fn what_is_out_has_the_number_it_missed() {
    // Rows of Example 1 ten times, so that A6 is neither irrelevant nor redundant.
    let table = example1(320);
    let out = run(&table, &options("cmim").with_count(1).unwrap());
    let a6 = out.dropped.iter().find(|dropped| dropped.feature == "A6");
    let Reason::Outranked { value, needed } = a6.unwrap().reason else {
        panic!("{a6:?}")
    };
    // The round that A2 won: both by their own information.
    assert!((value - 0.293564).abs() < 5e-7 && (needed - 0.311278).abs() < 5e-7);
    let strict = options("jmi").with_settings(["alpha=0"]).unwrap();
    let out = run(&table, &strict);
    let a6 = out.dropped.iter().find(|dropped| dropped.feature == "A6");
    let Reason::BelowThreshold { value, threshold } = a6.unwrap().reason else {
        panic!("{a6:?}")
    };
    assert!(value < threshold, "{value} {threshold}");
}

#[test]
fn a_run_out_of_time_gives_what_it_has() {
    struct Cancelled;
    impl Observer for Cancelled {
        fn is_cancelled(&self) -> bool {
            true
        }
    }
    for method in ["mrmr", "jmi", "cmim", "fcbf", "relief-f"] {
        let over = Limits::new(&Silent).with_budget(Some(Duration::ZERO));
        let selection = select(&example1(32), &options(method), &over).unwrap();
        assert_eq!(selection.stop, Stop::Budget, "{method}");
        assert_eq!(selection.dropped.len(), 8, "{method}");
        let stopped = select(&example1(32), &options(method), &Limits::new(&Cancelled));
        assert!(stopped.is_err(), "{method}");
    }
}

/// The definitions, straight over rows; those where a cell is missing are left out.
mod plain {
    use super::*;

    /// `I(x;y|z)` in bits and the rows it was counted on.
    pub(super) fn information(x: &[Option<u16>], y: &Cells, z: &Cells) -> (f64, f64) {
        let rows = x.iter().zip(y).zip(z);
        let rows: Vec<(u16, u8, u8)> = rows
            .filter_map(|((&x, &y), &z)| Some((x?, y?, z?)))
            .collect();
        let n = rows.len() as f64;
        fn counts<K: Ord>(keys: impl Iterator<Item = K>) -> BTreeMap<K, f64> {
            let mut counts = BTreeMap::new();
            keys.for_each(|key| *counts.entry(key).or_insert(0.0) += 1.0);
            counts
        }
        let all = counts(rows.iter().copied());
        let (xz, yz) = (
            counts(rows.iter().map(|r| (r.0, r.2))),
            counts(rows.iter().map(|r| (r.1, r.2))),
        );
        let zs = counts(rows.iter().map(|r| r.2));
        let terms = all
            .iter()
            .map(|(&(x, y, z), &m)| m / n * (m * zs[&z] / (xz[&(x, z)] * yz[&(y, z)])).log2());
        (terms.sum::<f64>().max(0.0), n)
    }

    pub(super) fn one(x: &Cells) -> Vec<Option<u16>> {
        x.iter().map(|x| x.map(u16::from)).collect()
    }

    pub(super) fn two(x: &Cells, y: &Cells) -> Vec<Option<u16>> {
        let both = x.iter().zip(y);
        both.map(|(&x, &y)| Some(u16::from(x?) * 256 + u16::from(y?)))
            .collect()
    }

    pub(super) fn nothing(x: &Cells) -> Cells {
        vec![Some(0); x.len()]
    }

    /// Of the rows where both are known: `2 I(x;y) / (H(x) + H(y))`.
    pub(super) fn symmetric_uncertainty(x: &Cells, y: &Cells) -> f64 {
        let none = nothing(x);
        let both = x.iter().zip(y);
        let is_known: Vec<bool> = both.map(|(x, y)| x.is_some() && y.is_some()).collect();
        let only = |cells: &Cells| -> Cells {
            let known = cells.iter().zip(&is_known);
            known.map(|(&x, &known)| x.filter(|_| known)).collect()
        };
        let (x, y) = (only(x), only(y));
        let entropy = |cells: &Cells| information(&one(cells), cells, &none).0;
        let sum = entropy(&x) + entropy(&y);
        if sum > 0.0 {
            2.0 * information(&one(&x), &y, &none).0 / sum
        } else {
            0.0
        }
    }

    /// A random table; some columns lean on the class or copy others, so that there is
    /// something to rank and something to tie.
    pub(super) fn table(seed: u32, with_gaps: bool) -> (Vec<Cells>, Cells) {
        let mut rng = stream(7, Purpose::Generate, seed);
        let n_rows = rng.random_range(8..60);
        let n_classes = rng.random_range(2..4u8);
        let mut class: Vec<u8> = (0..n_rows)
            .map(|_| rng.random_range(0..n_classes))
            .collect();
        (class[0], class[1]) = (0, 1);
        let n_columns = rng.random_range(3..9usize);
        let mut columns: Vec<Cells> = Vec::new();
        for place in 0..n_columns {
            if place > 0 && rng.random_range(0..4) == 0 {
                let copied = columns[rng.random_range(0..place)].clone();
                columns.push(copied);
                continue;
            }
            let (n_values, lean) = (rng.random_range(2..5u8), rng.random_range(0..100));
            let cells = class.iter().map(|&class| {
                if with_gaps && rng.random_range(0..8) == 0 {
                    return None;
                }
                let leans = rng.random_range(0..100) < lean;
                Some(if leans {
                    class % n_values
                } else {
                    rng.random_range(0..n_values)
                })
            });
            let mut cells: Cells = cells.collect();
            // Every value occurs, so that no column is constant.
            (0..n_values).for_each(|v| cells[v as usize] = Some(v));
            columns.push(cells);
        }
        (columns, class.into_iter().map(Some).collect())
    }
}

fn nominal(cells: &Cells) -> Nominal {
    let n_values = 1 + usize::from(cells.iter().flatten().copied().max().unwrap());
    Nominal {
        codes: Codes::new(n_values, cells.iter().map(|cell| cell.map(u32::from))),
        domain: Domain::ordered((0..n_values).map(|v| v.to_string()).collect()),
    }
}

fn coded(columns: &[Cells], class: &Cells) -> CodedTable {
    let feature = |(place, cells): (usize, &Cells)| {
        let values = Values::Nominal(nominal(cells));
        let column = Column::new(format!("{place}"), values, KindOrigin::Text);
        Feature {
            column: Arc::new(column),
            recoded: None,
            cuts: None,
        }
    };
    CodedTable {
        features: columns.iter().enumerate().map(feature).collect(),
        class_name: "class".into(),
        class: nominal(class),
        rows: None,
        notes: Vec::new(),
    }
}

/// A ranking by a plain criterion.
fn plain_ranking(
    n: usize,
    criterion: &PlainCriterion<'_>,
    is_good: Option<&dyn Fn(f64, f64) -> bool>,
) -> Vec<(usize, f64)> {
    let mut ranking: Vec<(usize, f64)> = Vec::new();
    loop {
        let kept: Vec<usize> = ranking.iter().map(|r| r.0).collect();
        let mut best: Option<(usize, f64, f64)> = None;
        for feature in (0..n).filter(|f| !kept.contains(f)) {
            let (value, p) = criterion(feature, &kept);
            if best.is_none_or(|(_, most, _)| value > most + 0.5e-10) {
                best = Some((feature, value, p));
            }
        }
        match best {
            Some((feature, value, p)) if is_good.is_none_or(|good| good(value, p)) => {
                ranking.push((feature, value));
            }
            _ => return ranking,
        }
    }
}

fn n_values(cells: &Cells) -> f64 {
    f64::from(cells.iter().flatten().copied().max().unwrap()) + 1.0
}

fn p(g2: f64, freedom: f64) -> f64 {
    chi_square_tail(g2, freedom).unwrap().p
}

/// The criterion of a ranker from its definition.
fn plain_criterion(
    method: &str,
    (columns, class): (&[Cells], &Cells),
    x: usize,
    kept: &[usize],
) -> (f64, f64) {
    let (cells, none) = (&columns[x], plain::nothing(class));
    let (relevance, n) = plain::information(&plain::one(cells), class, &none);
    let freedom = (n_values(cells) - 1.0) * (n_values(class) - 1.0);
    if kept.is_empty() {
        return (relevance, p(2.0 * n * LN_2 * relevance, freedom));
    }
    let k = kept.len() as f64;
    let given = |s: &usize| plain::information(&plain::one(cells), class, &columns[*s]);
    match method {
        "jmi" => {
            let joint = |s: &usize| plain::two(cells, &columns[*s]);
            let joint = kept
                .iter()
                .map(|s| plain::information(&joint(s), class, &none).0);
            let g2 = kept
                .iter()
                .map(given)
                .map(|(gain, n)| 2.0 * n * LN_2 * gain / k);
            let r_s = kept.iter().map(|&s| n_values(&columns[s])).sum::<f64>() / k;
            (joint.sum(), p(g2.sum(), freedom * r_s))
        }
        "cmim" => {
            let mut least = (relevance, n, 1.0);
            for s in kept {
                let (gain, n) = given(s);
                if gain < least.0 - 0.5e-10 {
                    least = (gain, n, n_values(&columns[*s]));
                }
            }
            (
                least.0,
                p(2.0 * least.1 * LN_2 * least.0, freedom * least.2),
            )
        }
        _ => {
            let with = |s: &usize| plain::information(&plain::one(cells), &columns[*s], &none).0;
            let redundancy = kept.iter().map(with).sum::<f64>() / k;
            let value = match method {
                "mrmr" => relevance - redundancy,
                _ if redundancy < 1e-12 => relevance / 1e-12,
                _ => relevance / redundancy,
            };
            (value, 0.0)
        }
    }
}

fn assert_equal(selection: &Selection, expected: &[(usize, f64)], what: &str) {
    let found: Vec<usize> = selection
        .kept
        .iter()
        .map(|kept| kept.feature.parse().unwrap())
        .collect();
    let wanted: Vec<usize> = expected.iter().map(|e| e.0).collect();
    assert_eq!(found, wanted, "{what}");
    for (step, (_, value)) in selection.steps.iter().zip(expected) {
        let error = (step.score - value).abs() / value.abs().max(1.0);
        assert!(error < 1e-9, "{what}: {} {value}", step.score);
    }
}

#[test]
fn rankings_are_those_of_the_definitions() {
    for seed in 0..50 {
        let with_gaps = seed % 2 == 1;
        let (columns, class) = plain::table(seed, with_gaps);
        let table = coded(&columns, &class);
        let n = columns.len();
        for method in ["mrmr", "mrmr-miq", "jmi", "cmim"] {
            let what = format!("{method}, table {seed}");
            let criterion =
                |x: usize, kept: &[usize]| plain_criterion(method, (&columns, &class), x, kept);
            let all = plain_ranking(n, &criterion, None);
            let options = options(method);
            let options = options.with_missing(MissingPolicy::Available).unwrap();
            let counted = options.clone().with_count(n).unwrap();
            assert_equal(&run(&table, &counted), &all, &what);
            let is_good: &dyn Fn(f64, f64) -> bool = match method {
                "jmi" | "cmim" => &|_, p| p <= 0.05,
                _ => &|value, _| value > 0.5e-10,
            };
            let some = plain_ranking(n, &criterion, Some(is_good));
            assert_equal(&run(&table, &options), &some, &what);
        }
    }
}

#[test]
fn fcbf_is_that_of_its_definition() {
    for seed in 0..50 {
        let (columns, class) = plain::table(seed, seed % 2 == 1);
        let su = |x: &Cells, y: &Cells| plain::symmetric_uncertainty(x, y);
        let mut left: Vec<(usize, f64)> = (0..columns.len())
            .map(|x| (x, su(&columns[x], &class)))
            .filter(|&(_, su)| su > 0.5e-10)
            .collect();
        // Falling by the rounded value; a stable sort keeps the column order of ties.
        left.sort_by_key(|&(_, su)| std::cmp::Reverse((su * 1e10).round() as i64));
        let mut kept: Vec<(usize, f64)> = Vec::new();
        while !left.is_empty() {
            let best = left.remove(0);
            left.retain(|&(q, with_class)| {
                su(&columns[best.0], &columns[q]) < with_class - 0.5e-10
            });
            kept.push(best);
        }
        let options = options("fcbf")
            .with_missing(MissingPolicy::Available)
            .unwrap();
        let selection = run(&coded(&columns, &class), &options);
        assert_equal(&selection, &kept, &format!("table {seed}"));
        let cut = options.with_count(1).unwrap();
        let selection = run(&coded(&columns, &class), &cut);
        assert_equal(&selection, &kept[..kept.len().min(1)], "cut");
    }
}
