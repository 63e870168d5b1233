//! The traces of the spec, step by step.

use super::*;
use crate::Silent;
use crate::boundary::{Evidence, OperatorKind, Outside};
use crate::counts::CountColumn;
use crate::data::Codes;
use crate::network::learn::LocalScore;

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
    let options = RpdmbOptions::of(pruning);
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

fn columns(codes: &[Codes], n_values: usize) -> Vec<CountColumn<'_>> {
    codes
        .iter()
        .map(|codes| CountColumn { codes, n_values })
        .collect()
}

#[test]
fn a_smart_search_finds_the_parents_of_an_exclusive_or() {
    // With 320 rows the exclusive or of A1 and A4 speaks clearly; A6 and A8 hold nothing that
    // A1, A2 and A4 do not.
    let found = run(10, BDEU, Pruning::Smart);
    let members = found.graph.roles().members();
    assert!([0, 1, 3].iter().all(|x| members.contains(x)), "{members:?}");
    assert!(
        !run(10, BDEU, Pruning::Any)
            .graph
            .roles()
            .members()
            .contains(&3)
    );
}

#[test]
fn features_that_share_a_parent_with_the_class_do_not_stay_children() {
    // P and Q are parents of C; X has P as its only parent. The graph cannot hold P → X
    // without C → X, so that the paper's deletion keeps X for the sake of P.
    let bit = |i: u32, b: u32| i >> b & 1;
    let p = |i| bit(i, 0);
    let rows = 0..4096u32;
    let codes = [
        Codes::new(2, rows.clone().map(|i| Some(p(i)))),
        Codes::new(2, rows.clone().map(|i| Some(bit(i, 1)))),
        // Three in eight are turned: P is a parent of C before X can hang on it.
        Codes::new(
            2,
            rows.clone().map(|i| Some(p(i) ^ u32::from(i >> 2 & 7 < 3))),
        ),
        // C is P and Q, one in eight turned.
        Codes::new(
            2,
            rows.map(|i| Some((p(i) & bit(i, 1)) ^ u32::from(i >> 5 & 7 == 0))),
        ),
    ];
    let columns = columns(&codes, 2);
    let scorer = FamilyScorer::new(&columns, BDEU).unwrap();
    let members = |pruning, children| {
        let options = RpdmbOptions {
            pruning,
            children,
            ..RpdmbOptions::default()
        };
        let found = rpdmb(&scorer, 3, &options, &Limits::new(&Silent)).unwrap();
        found.graph.roles().members()
    };
    for pruning in [Pruning::All, Pruning::None] {
        assert_eq!(members(pruning, ChildRule::Total), [0, 1, 2], "{pruning:?}");
        assert_eq!(members(pruning, ChildRule::Link), [0, 1], "{pruning:?}");
    }
    assert_eq!(members(Pruning::Smart, ChildRule::Link), [0, 1]);
}

#[test]
fn members_have_a_loss_and_others_a_gain() {
    let codes = example(10);
    let columns = columns(&codes, 2);
    let scorer = FamilyScorer::new(&columns, BDEU).unwrap();
    let options = RpdmbOptions::default();
    let found = rpdmb(&scorer, 8, &options, &Limits::new(&Silent)).unwrap();
    let boundary = found.boundary(&scorer, &Silent).unwrap();
    assert_eq!(boundary.roles.members(), [0, 1, 5, 7]);
    let nodes: Vec<usize> = boundary.members.iter().map(|member| member.node).collect();
    assert_eq!(nodes, [0, 1, 5, 7]);
    for member in &boundary.members {
        let Evidence::Score { loss } = member.evidence else {
            panic!("{member:?}");
        };
        // Hill-climbing has taken out what was better out.
        assert!(loss > 0.0, "{member:?}");
        if member.node == 5 {
            // A6 is a child with the other parent A1, and nobody's parent.
            let own = scorer.score(5, &[0, 8]).unwrap() - scorer.score(5, &[0]).unwrap();
            assert_eq!(found.graph.parents(5), [0, 8]);
            assert!((loss - own).abs() < 1e-9);
        }
    }
    let outside: Vec<usize> = boundary.outside.iter().map(|&(node, _)| node).collect();
    assert_eq!(outside, [2, 3, 4, 6]);
    for (node, outside) in &boundary.outside {
        let Outside::Score { gain, through } = outside else {
            panic!("{outside:?}");
        };
        // A5 and A7 hang on nothing, A3 and A4 on members.
        assert_eq!(through.is_empty(), [4, 6].contains(node));
        // A4 had been ruled out before its time came.
        assert_eq!(*gain > 0.0, *node == 3, "{node}: {gain}");
    }
}

#[test]
fn a_member_that_came_last_is_worth_its_step() {
    // A4 became a child with +1.2544; without that it hangs on A6 again.
    let codes = example(1);
    let columns = columns(&codes, 2);
    let scorer = FamilyScorer::new(&columns, BDEU).unwrap();
    let found = run(1, BDEU, Pruning::None);
    let boundary = found.boundary(&scorer, &Silent).unwrap();
    let a4 = boundary.members.iter().find(|member| member.node == 3);
    let Some(Evidence::Score { loss }) = a4.map(|member| &member.evidence) else {
        panic!("{a4:?}");
    };
    assert!((loss - 1.2544).abs() < 5e-5, "{loss}");
}

#[test]
fn a_limit_on_tables_is_kept_and_told() {
    let codes = example(10);
    let columns = columns(&codes, 2);
    let scorer = FamilyScorer::new(&columns, BDEU).unwrap();
    let run = |max_cells| {
        let options = RpdmbOptions {
            pruning: Pruning::None,
            max_cells,
            ..RpdmbOptions::default()
        };
        rpdmb(&scorer, 8, &options, &Limits::new(&Silent)).unwrap()
    };
    assert!(!run(1 << 20).is_limited);
    let limited = run(4);
    assert!(limited.is_limited);
    // Four cells are a node with one parent.
    let n_parents = (0..9).map(|node| limited.graph.family(node).len()).max();
    assert_eq!(n_parents, Some(1));
}

#[test]
fn constant_columns_link_to_nothing() {
    let codes = [
        Codes::new(1, (0..50).map(|_| Some(0))),
        Codes::new(2, (0..50).map(|_| Some(1))),
        Codes::new(2, (0..50).map(|i| Some(i % 2))),
        Codes::new(2, (0..50).map(|i| Some(i % 2))),
    ];
    let columns: Vec<CountColumn<'_>> = codes
        .iter()
        .zip([1, 2, 2, 2])
        .map(|(codes, n_values)| CountColumn { codes, n_values })
        .collect();
    for score in [BDEU, LocalScore::Bic, LocalScore::K2] {
        let scorer = FamilyScorer::new(&columns, score).unwrap();
        for class in 0..4 {
            for pruning in Pruning::ALL {
                let options = RpdmbOptions::of(pruning);
                let found = rpdmb(&scorer, class, &options, &Limits::new(&Silent)).unwrap();
                let members = found.graph.roles().members();
                let expected: &[usize] = match class {
                    2 => &[3],
                    3 => &[2],
                    _ => &[],
                };
                assert_eq!(members, expected, "{score:?} {class} {pruning:?}");
            }
        }
    }
    let scorer = FamilyScorer::new(&columns, BDEU).unwrap();
    assert!(rpdmb(&scorer, 4, &RpdmbOptions::default(), &Limits::new(&Silent)).is_err());
}

#[test]
fn time_over_leaves_what_was_found() {
    let codes = example(10);
    let columns = columns(&codes, 2);
    let scorer = FamilyScorer::new(&columns, BDEU).unwrap();
    let limits = Limits::new(&Silent).with_budget(Some(std::time::Duration::ZERO));
    let found = rpdmb(&scorer, 8, &RpdmbOptions::default(), &limits).unwrap();
    assert_eq!(found.stop, Stop::Budget);
    assert!(found.steps.is_empty());
    assert_eq!(found.total, found.start);
}

#[test]
fn columns_with_gaps_are_refused() {
    // Families over different rows have no scores that could be compared.
    let codes = [
        Codes::new(2, [Some(0), None, Some(1)]),
        Codes::new(2, [0, 1, 1].map(Some)),
    ];
    let columns = columns(&codes, 2);
    let scorer = FamilyScorer::new(&columns, BDEU).unwrap();
    let found = rpdmb(&scorer, 1, &RpdmbOptions::default(), &Limits::new(&Silent));
    assert!(found.unwrap_err().to_string().contains("missing"));
}

/// Cancels when it has been asked so often.
struct After(std::sync::atomic::AtomicUsize);

impl Observer for After {
    fn is_cancelled(&self) -> bool {
        use std::sync::atomic::Ordering;
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        left == 0
    }
}

#[test]
fn a_stop_at_any_moment_leaves_the_moves_made_by_then() {
    let codes = example(10);
    let columns = columns(&codes, 2);
    let scorer = FamilyScorer::new(&columns, BDEU).unwrap();
    let options = RpdmbOptions::default();
    let whole = rpdmb(&scorer, 8, &options, &Limits::new(&Silent)).unwrap();
    let mut n_cut_short = 0;
    for n_asked in 0..100 {
        let observer = After(n_asked.into());
        let Ok(found) = rpdmb(&scorer, 8, &options, &Limits::new(&observer)) else {
            continue; // stopped before the first move
        };
        assert!(!found.steps.is_empty());
        assert_eq!(found.steps[..], whole.steps[..found.steps.len()]);
        let last = found.steps.last().unwrap().total;
        assert!((last - found.total).abs() < 1e-9);
        n_cut_short += usize::from(found.stop == Stop::Interrupted);
    }
    assert!(n_cut_short > 5, "{n_cut_short}");
}

#[test]
fn of_two_copies_of_the_class_one_is_enough() {
    let codes: Vec<Codes> = [0, 0, 1, 0]
        .map(|turn| Codes::new(2, (0..60).map(|i| Some((i / 7 + turn) % 2))))
        .into();
    let columns = columns(&codes, 2);
    let scorer = FamilyScorer::new(&columns, BDEU).unwrap();
    let members = |pruning| {
        let options = RpdmbOptions::of(pruning);
        let found = rpdmb(&scorer, 3, &options, &Limits::new(&Silent)).unwrap();
        found.graph.roles().members()
    };
    assert_eq!(members(Pruning::Smart), [0]);
    assert!(members(Pruning::Any).len() > 1);
}

#[test]
fn many_nodes_need_more_evidence() {
    assert_eq!(Pruning::Smart.asks(37), 1.0);
    assert_eq!(Pruning::Any.asks(10_000), 0.0);
    // ln 10,000 = 9.2103
    assert!((Pruning::Smart.asks(10_000) - 6.2103).abs() < 5e-5);
}

#[test]
fn a_sweep_finds_every_move_of_every_graph_with_its_gain() {
    let codes: Vec<Codes> = (0..5u32)
        .map(|node| Codes::new(2, (0..40).map(|i| Some((i * i + i / (node + 2)) % 7 % 2))))
        .collect();
    let columns = columns(&codes, 2);
    for score in [BDEU, LocalScore::K2] {
        let scorer = FamilyScorer::new(&columns, score).unwrap();
        let mut gains = FamilyGains::new(&scorer, usize::MAX, &Silent);
        let pruned = Pruned::new(Pruning::None, 4, &scorer, CopyRule::Keep).unwrap();
        let mut seen = std::collections::BTreeSet::from([FringedGraph::new(5, 4)]);
        let mut open: Vec<FringedGraph> = seen.iter().cloned().collect();
        while let Some(graph) = open.pop() {
            let mut swept: Vec<(Operator, f64)> = Sweep::new(&graph, &mut gains, &pruned)
                .additions()
                .unwrap()
                .iter()
                .map(|valued| (valued.operator, valued.gain))
                .collect();
            swept.extend(deletions(&graph).into_iter().map(|operator| {
                let gain = gains.of_move(&graph, operator).unwrap();
                (operator, gain.unwrap())
            }));
            swept.sort_by_key(|&(operator, _)| operator);
            let operators: Vec<Operator> = swept.iter().map(|&(operator, _)| operator).collect();
            assert_eq!(operators, graph.operators(), "{graph:?}");
            for (operator, gain) in swept {
                let expected = gains.of_move(&graph, operator).unwrap().unwrap();
                assert!((gain - expected).abs() < 1e-9, "{operator:?} of {graph:?}");
                let mut next = graph.clone();
                next.apply(operator).unwrap();
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        assert_eq!(seen.len(), 4541);
    }
}
