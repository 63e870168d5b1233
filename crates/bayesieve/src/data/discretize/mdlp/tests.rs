//! The worked cases of the rule, its edges, and its definition read aloud.

use super::*;
use crate::Silent;
use crate::data::discretize::sorted::Sorter;
use crate::data::{Codes, Discretizer, Training};
use crate::random::{Purpose, stream};
use rand::Rng;

/// Classes as letters, `.` where missing.
fn class_codes(letters: &str) -> Codes {
    let code = |letter: u8| letter.checked_sub(b'A').map(u32::from);
    Codes::new(26, letters.bytes().map(code))
}

fn cuts(values: &[f64], letters: &str) -> Vec<f64> {
    let training = Training {
        class: &class_codes(letters),
        n_classes: 26,
        rows: None,
    };
    let cuts = Discretizer::Mdlp.fit(values, &training).unwrap();
    cuts.as_slice().to_vec()
}

fn one_to(n: u32) -> Vec<f64> {
    (1..=n).map(f64::from).collect()
}

fn worth(total: &[u64], left: &[u64]) -> Worth {
    let right: Vec<u64> = total
        .iter()
        .zip(left)
        .map(|(all, left)| all - left)
        .collect();
    Worth::of(total, left, &right, &NLogN::new(1000))
}

#[track_caller]
fn assert_close(actual: f64, expected: f64) {
    assert!(
        (actual - expected).abs() < 5e-7,
        "{actual} is not {expected}"
    );
}

#[test]
fn three_runs_of_twelve_are_cut_twice() {
    let letters = ["A", "B", "A"].map(|letter| letter.repeat(12)).concat();
    assert_eq!(cuts(&one_to(36), &letters), [12.5, 24.5]);

    // 24 A and 12 B: H = .918296; left 12 A, right 12 A and 12 B: E = 24/36.
    // Delta = log2 7 - (2 * .918296 - 0 - 2 * 1) = 2.970763; (log2 35 + Delta)/36.
    let first = worth(&[24, 12], &[12, 0]);
    assert_close(first.gain, 0.251629);
    assert_close(first.threshold, 0.225001);
    // 12 A and 12 B, taken apart: Delta = log2 7 - 2 = .807355; (log2 23 + Delta)/24.
    let second = worth(&[12, 12], &[0, 12]);
    assert_close(second.gain, 1.0);
    assert_close(second.threshold, 0.222122);
}

#[test]
fn three_runs_of_ten_are_not_cut() {
    // The gain is that of runs of twelve, the price (log2 29 + 2.970763)/30 is higher.
    let letters = ["A", "B", "A"].map(|letter| letter.repeat(10)).concat();
    assert_eq!(cuts(&one_to(30), &letters), [] as [f64; 0]);
    let first = worth(&[20, 10], &[10, 0]);
    assert_close(first.gain, 0.251629);
    assert_close(first.threshold, 0.260958);
}

#[test]
fn equal_numbers_stay_together() {
    let values = [1.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
    assert_eq!(cuts(&values, "AAAAABBBBB"), [4.5]);
    // Delta = log2 7 - 2 = .807355; (log2 9 + Delta)/10.
    let only = worth(&[5, 5], &[5, 0]);
    assert_close(only.gain, 1.0);
    assert_close(only.threshold, 0.397728);
}

#[test]
fn a_good_cut_that_does_not_pay_is_refused() {
    assert_eq!(cuts(&one_to(8), "AAABABBB"), [] as [f64; 0]);
    let observed = runs_of(&one_to(8), "AAABABBB");
    let best = best_cut(
        &observed,
        &class_counts(&observed, 2),
        &NLogN::new(8),
        &Silent,
    )
    .unwrap();
    // A A A | B | A | B B B: one run on the left.
    let expected = Cut {
        runs_left: 1,
        rows_left: 3,
    };
    assert_eq!(best, Some(expected));
    let best = worth(&[4, 4], &[3, 0]);
    assert_close(best.gain, 0.548795);
    assert_close(best.threshold, 0.632321);
}

fn runs_of(values: &[f64], letters: &str) -> Vec<Run> {
    let training = Training {
        class: &class_codes(letters),
        n_classes: 26,
        rows: None,
    };
    let mut sorter = Sorter::default();
    let mut runs = Vec::new();
    let observations = sorter
        .observations(values, &training, true, &Silent)
        .unwrap();
    find_runs(observations, 26, &mut runs);
    runs
}

#[test]
fn blocks_end_at_boundary_points_only() {
    // 1A 2A 3AB 4B 4B 5B 6A: A A | A B | B B B | A.
    let values = [1.0, 2.0, 3.0, 3.0, 4.0, 4.0, 5.0, 6.0];
    let runs = runs_of(&values, "AAABBBBA");
    let shape: Vec<(u32, u64, bool)> = runs
        .iter()
        .map(|run| (run.class, run.count, run.ends_block))
        .collect();
    assert_eq!(shape.len(), 5);
    assert_eq!(shape[0], (0, 2, true));
    // The classes of one number come in any order; the last of them ends the block.
    assert_eq!([shape[1].2, shape[2].2], [false, true]);
    assert_eq!(shape[3..], [(1, 3, true), (0, 1, true)]);
}

#[test]
fn columns_without_a_candidate_are_one_bin() {
    let nan = f64::NAN;
    let cases: [(&[f64], &str); 7] = [
        (&[], ""),
        (&[nan, nan], "AB"),
        (&[5.0], "A"),
        (&[5.0, 5.0, 5.0, 5.0], "AABB"),
        (&[-0.0, 0.0], "AB"),
        (&[1.0, 2.0, 3.0], "AAA"),
        (&[1.0, 2.0, 3.0], "A.."),
    ];
    for (values, letters) in cases {
        assert_eq!(
            cuts(values, letters),
            [] as [f64; 0],
            "{values:?} {letters}"
        );
    }
}

#[test]
fn missing_numbers_and_missing_classes_are_passed_over() {
    // What is left is 1A 4B: gain 1 against (log2 1 + log2 7 - 2)/2 = .40.
    let values = [1.0, f64::NAN, 2.0, 4.0];
    assert_eq!(cuts(&values, "AA.B"), [2.5]);
}

#[test]
fn cuts_separate_numbers_of_any_size() {
    let tiny = f64::from_bits(1);
    let next = 1.0_f64.next_up();
    for (left, right, cut) in [
        (f64::MIN, f64::MAX, 0.0),
        (1.5e308, 1.7e308, 1.6e308),
        (next, next.next_up(), next),
        (-tiny, -0.0, -tiny),
        (-0.0, tiny, 0.0),
    ] {
        assert_eq!(cuts(&[right, left], "BA"), [cut], "{left:e} {right:e}");
    }
}

#[test]
fn the_smallest_of_equally_good_cuts_wins() {
    // A mirror image with A and C changed over: cuts after 5 and after 11 rows leave the same
    // bits, but summed in another order, which makes the later one smaller by 7e-15.
    let letters = "AAAAABBCABBCCCCC";
    let runs = runs_of(&one_to(16), letters);
    let cut = best_cut(&runs, &class_counts(&runs, 26), &NLogN::new(16), &Silent)
        .unwrap()
        .unwrap();
    assert_eq!(cut.rows_left, 5);
}

#[test]
fn deep_parts_and_many_classes_need_no_recursion() {
    // 2,000 pure runs of 40 rows, classes 0 1 0 2 0 3 ...: every border is a cut.
    let n_runs = 2_000;
    let class_of = |run: u32| if run.is_multiple_of(2) { 0 } else { run };
    let rows = n_runs * 40;
    let values: Vec<f64> = (0..rows).map(f64::from).collect();
    let class = Codes::new(n_runs as usize, (0..rows).map(|i| Some(class_of(i / 40))));
    let training = Training {
        class: &class,
        n_classes: n_runs as usize,
        rows: None,
    };
    let cuts = Discretizer::Mdlp.fit(&values, &training).unwrap();
    let expected: Vec<f64> = (1..n_runs).map(|i| f64::from(i * 40) - 0.5).collect();
    assert_eq!(cuts.as_slice(), expected);
}

#[test]
fn the_price_of_many_classes_is_finite() {
    // Both sides of the switch: 33 log2 3 = 52.303763, and one log2 3 more.
    assert_close(log2_of_power_of_three_less_two(1), 0.0);
    assert_close(log2_of_power_of_three_less_two(2), 2.807355);
    assert_close(log2_of_power_of_three_less_two(33), 52.303763);
    assert_close(log2_of_power_of_three_less_two(34), 53.888725);
    assert!(log2_of_power_of_three_less_two(u32::MAX).is_finite());
}

/// The definition, read aloud: every boundary point, all entropies from scratch.
fn cuts_by_definition(rows: &mut [(f64, u32)]) -> Vec<f64> {
    fn entropy(rows: &[(f64, u32)]) -> (f64, f64) {
        let mut classes: Vec<u32> = rows.iter().map(|row| row.1).collect();
        classes.sort_unstable();
        let groups = classes.chunk_by(|a, b| a == b);
        let shares = groups.map(|group| group.len() as f64 / rows.len() as f64);
        let terms: Vec<f64> = shares.map(|p| -p * p.log2()).collect();
        (terms.iter().sum(), terms.len() as f64)
    }
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let n = rows.len() as f64;
    let (h, k) = entropy(rows);
    let mut best: Option<(f64, usize)> = None;
    for i in 1..rows.len() {
        if rows[i - 1].0 == rows[i].0 {
            continue;
        }
        let neighbors = |x: f64| rows.iter().filter(move |row| row.0 == x);
        let around = neighbors(rows[i - 1].0).chain(neighbors(rows[i].0));
        if around.clone().all(|row| row.1 == rows[i].1) {
            continue;
        }
        let (left, right) = rows.split_at(i);
        let bits = left.len() as f64 * entropy(left).0 + right.len() as f64 * entropy(right).0;
        let e = rounded(bits / n);
        if best.is_none_or(|(least, _)| e < least) {
            best = Some((e, i));
        }
    }
    let Some((_, i)) = best else { return vec![] };
    let (left, right) = rows.split_at_mut(i);
    let ((h1, k1), (h2, k2)) = (entropy(left), entropy(right));
    let gain = h - (left.len() as f64 * h1 + right.len() as f64 * h2) / n;
    let delta = (3.0_f64.powf(k) - 2.0).log2() - (k * h - k1 * h1 - k2 * h2);
    if rounded(gain) <= rounded(((n - 1.0).log2() + delta) / n) {
        return vec![];
    }
    let cut = (left[i - 1].0 + right[0].0) / 2.0;
    let mut cuts = cuts_by_definition(left);
    cuts.push(cut);
    cuts.extend(cuts_by_definition(right));
    cuts
}

#[test]
fn cuts_are_those_of_the_definition() {
    let mut rng = stream(7, Purpose::Generate, 0);
    let mut below = |n: u64| rng.next_u64() % n;
    let mut n_cuts = 0;
    for case in 0..300 {
        let (n_values, n_classes) = (2 + below(60), 2 + below(4));
        let mut rows: Vec<(f64, u32)> = (0..1 + below(120))
            .map(|_| {
                let x = below(n_values);
                // Classes follow the number, with some noise.
                let class = if below(6) == 0 {
                    below(n_classes)
                } else {
                    x * n_classes / n_values
                };
                (x as f64 / 4.0 - 3.0, class as u32)
            })
            .collect();
        let values: Vec<f64> = rows.iter().map(|row| row.0).collect();
        let class = Codes::new(6, rows.iter().map(|row| Some(row.1)));
        let training = Training {
            class: &class,
            n_classes: 6,
            rows: None,
        };
        let fitted = Discretizer::Mdlp.fit(&values, &training).unwrap();
        assert_eq!(
            fitted.as_slice(),
            cuts_by_definition(&mut rows),
            "case {case}"
        );
        n_cuts += fitted.as_slice().len();
    }
    assert!(n_cuts > 300, "only {n_cuts} cuts were compared");
}
