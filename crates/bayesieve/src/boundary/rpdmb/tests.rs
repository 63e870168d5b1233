//! The traces of the spec, step by step.

use super::*;
use crate::boundary::OperatorKind;
use crate::counts::CountColumn;
use crate::data::Codes;
use crate::network::learn::LocalScore;
use crate::observer::Silent;

const BDEU: LocalScore = LocalScore::Bdeu {
    equivalent_sample_size: 1.0,
};

/// The 32 rows of example 1, each so many times: A1 to A8, and C as node 8.
fn example(times: usize) -> Vec<Codes> {
    let rows = (0..32u32).map(|row| {
        let [a1, a2, a4, a5, u] = [4, 3, 2, 1, 0].map(|bit| row >> bit & 1);
        let class = a2 | (a1 ^ a4);
        [a1, a2, a2 | u, a4, a5, a1 | a2 | a4, a5, a2, class]
    });
    let rows: Vec<[u32; 9]> = rows.flat_map(|row| vec![row; times]).collect();
    (0..9)
        .map(|node| Codes::new(2, rows.iter().map(|row| Some(row[node]))))
        .collect()
}

fn run(times: usize, score: LocalScore, pruning: Pruning) -> Rpdmb {
    let codes = example(times);
    let columns: Vec<CountColumn<'_>> = codes
        .iter()
        .map(|codes| CountColumn { codes, n_values: 2 })
        .collect();
    let scorer = FamilyScorer::new(&columns, score).unwrap();
    let options = RpdmbOptions {
        pruning,
        ..RpdmbOptions::default()
    };
    rpdmb(&scorer, 8, &options, &Limits::new(&Silent)).unwrap()
}

/// Kind, x and other (as in A1 = 1), gain to four digits.
type Trace<'t> = &'t [(OperatorKind, usize, usize, f64)];

fn assert_trace(found: &Rpdmb, trace: Trace<'_>, members: &[usize], total: f64) {
    let steps: Vec<_> = found
        .steps
        .iter()
        .map(|step| {
            (
                step.operator.kind,
                step.operator.x + 1,
                step.operator.other + 1,
            )
        })
        .collect();
    let expected: Vec<_> = trace.iter().map(|&(kind, x, y, _)| (kind, x, y)).collect();
    assert_eq!(steps, expected);
    for (step, (.., gain)) in found.steps.iter().zip(trace) {
        assert!((step.gain - gain).abs() < 5e-5, "{step:?}");
    }
    assert_result(found, members, total);
    let last = found.steps.last().unwrap().total;
    assert!((last - found.total).abs() < 1e-9);
}

fn assert_result(found: &Rpdmb, members: &[usize], total: f64) {
    let kept: Vec<usize> = found
        .graph
        .roles()
        .members()
        .iter()
        .map(|m| m + 1)
        .collect();
    assert_eq!(kept, members);
    assert!((found.total - total).abs() < 5e-5, "{}", found.total);
    assert_eq!(found.stop, Stop::NoImprovement);
}

const C: usize = 9;

#[test]
fn bdeu_makes_the_six_steps_of_the_spec() {
    use OperatorKind::{AddChild, AddChildOfChild, AddHeadToHeadOfChild, AddSibling};
    let trace = [
        (AddSibling, 2, C, 5.3410),
        (AddChildOfChild, 2, 8, 21.3334),
        (AddChildOfChild, 2, 3, 5.3410),
        (AddSibling, 6, C, 5.1969),
        (AddHeadToHeadOfChild, 1, 6, 4.9656),
        (AddChildOfChild, 6, 4, 1.5716),
        (AddChild, 4, C, 1.2544),
    ];
    for pruning in [Pruning::Any, Pruning::All] {
        assert_trace(&run(1, BDEU, pruning), &trace[..6], &[1, 2, 6], -155.0892);
    }
    // Nothing is ruled out: the exclusive or shows in the end.
    let found = run(1, BDEU, Pruning::None);
    assert_trace(&found, &trace, &[1, 2, 4, 6], -153.8349);
}

#[test]
fn k2_makes_the_six_steps_of_the_spec() {
    use OperatorKind::{AddChildOfChild, AddSibling};
    let trace = [
        (AddSibling, 2, C, 4.7864),
        (AddChildOfChild, 2, 8, 18.0443),
        (AddChildOfChild, 2, 3, 4.5361),
        (AddSibling, 6, C, 4.3221),
        (AddChildOfChild, 6, 1, 1.5033),
        (AddChildOfChild, 6, 4, 1.5033),
    ];
    assert_trace(
        &run(1, LocalScore::K2, Pruning::Any),
        &trace,
        &[2, 6],
        -160.8859,
    );
}

#[test]
fn bic_makes_the_three_steps_of_the_spec() {
    use OperatorKind::{AddChildOfChild, AddSibling};
    let trace = [
        (AddSibling, 2, C, 5.1715),
        (AddChildOfChild, 2, 8, 20.4478),
        (AddChildOfChild, 2, 3, 5.1715),
    ];
    assert_trace(
        &run(1, LocalScore::Bic, Pruning::Any),
        &trace,
        &[2],
        -165.9353,
    );
    assert_result(
        &run(1, LocalScore::Bic, Pruning::All),
        &[1, 2, 6],
        -157.7509,
    );
}

#[test]
fn ten_times_the_rows_give_the_boundaries_of_the_spec() {
    let any = run(10, BDEU, Pruning::Any);
    assert_result(&any, &[1, 2, 6, 8], -1336.9494);
    let is_copy = |step: &&RpdmbStep| {
        (step.operator.kind, step.operator.x + 1) == (OperatorKind::AddChild, 8)
    };
    let copy = any.steps.iter().find(is_copy).unwrap();
    assert!((copy.gain - 0.0456).abs() < 5e-5);
    assert_result(&run(10, BDEU, Pruning::All), &[1, 2, 6], -1337.3289);
    assert_result(&run(10, BDEU, Pruning::None), &[1, 2, 4, 6], -1263.8773);
}
