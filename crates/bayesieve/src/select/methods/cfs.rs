//! CFS: keep features that go with the class and not with one another.
//!
//! Paper: Hall, 2000. Score of a set: the sum of symmetric uncertainties with the class,
//! divided by the root of the set's size plus twice the sum among its features.
//! Cost: pair counts of the sets extended, O(n k N); a best-first walk by default.
//! Where the paper is silent: ties go to fewer features, then to the lowest columns.

use crate::score::{FeatureSet, Merit, Score};
use crate::search::{Search, Step};
use crate::select::method::{Method, MethodRun, Outcome, Takes, Task};
use crate::select::walk::walk;
use crate::setting::{Setting, SettingKind};
use crate::{Result, Silent};

/// Correlation-based feature selection.
pub(in crate::select) static CFS: Method = Method {
    name: "cfs",
    summary: "keeps features that go with the class and not with one another",
    formula: "sum SU(A,C) / sqrt(k + 2 sum SU(A,B)), SU(X,Y) = 2 I(X;Y) / (H(X) + H(Y)); larger is \
              better",
    cost: "pair tables of the sets extended with all others, O(n k N / 64); then O(n k) a step",
    source: "Hall, 2000",
    settings: &[Setting {
        name: "locally_predictive",
        default: "off",
        kind: SettingKind::Choice(&["off", "on"]),
        meaning: "whether features join at the end that go with the class more than with any \
                  feature that is in",
    }],
    takes: Takes {
        search: Some(Search::BEST_FIRST),
        available: true,
        pairs: true,
        ..Takes::NOTHING
    },
    run: MethodRun::Own(|task| {
        let merit = Merit::new(task.informations);
        let mut outcome = walk(task, &merit)?;
        if task.settings.text("locally_predictive")? == "on" {
            add_locally_predictive(task, &merit, &mut outcome)?;
        }
        Ok(outcome)
    }),
};

/// Adds, by falling uncertainty with the class, what goes more with the class than with
/// any feature that is in.
fn add_locally_predictive(
    task: &Task<'_, '_>,
    merit: &Merit<'_, '_>,
    outcome: &mut Outcome,
) -> Result<()> {
    if outcome.stop.is_early() {
        return Ok(());
    }
    let n = task.informations.n_features();
    let mut set = FeatureSet::of(n, outcome.kept.iter().copied())?;
    let mut outside: Vec<usize> = (0..n).filter(|&f| !set.contains(f)).collect();
    // Stable: equal ones stay in column order.
    outside.sort_by_key(|&f| std::cmp::Reverse(rounded(merit.with_class(f))));
    for feature in outside {
        let with_class = rounded(merit.with_class(feature));
        let mut is_local = with_class > 0;
        for member in set.iter() {
            let row = merit.with_features(member, &Silent)?;
            is_local = is_local && with_class > rounded(row[feature]);
        }
        if !is_local {
            continue;
        }
        set.insert(feature);
        outcome.kept.push(feature);
        outcome.misses.retain(|(missed, _)| *missed != feature);
        outcome.n_evaluations += 1;
        outcome.value = merit.evaluate(std::slice::from_ref(&set), &Silent)?[0];
        outcome.steps.push(Step::add(feature, outcome.value));
    }
    if !task.search.keeps_order_of_entry() {
        outcome.kept.sort_unstable();
    }
    Ok(())
}

/// In units of 1e-10, where comparisons round.
fn rounded(x: f64) -> i64 {
    (x * 1e10).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::testing::example1;
    use crate::select::testing::{Run, numbers, run, run_on};

    #[test]
    fn example_1_keeps_a2_and_a6_by_either_search() {
        // Best first: the sets extended are {}, {A6}, {A2,A6}, then its rivals until five
        // extensions in a row bring nothing.
        let best_first = run("cfs", 32, &[]);
        assert_eq!(best_first.kept_names(), ["A2", "A6"]);
        assert_eq!(format!("{:.6}", best_first.value), "0.506104");
        assert_eq!(best_first.stop.name(), "stale");
        let steps = numbers(&best_first);
        assert_eq!(steps, ["A6 0.433356", "A2 0.506104"]);
        let forward = run_on(
            &example1(32),
            Run {
                search: Some(Search::FORWARD),
                ..Run::of("cfs")
            },
        );
        assert_eq!(forward.kept_names(), ["A6", "A2"]);
        assert_eq!(numbers(&forward), steps);
        assert_eq!(forward.stop.name(), "no-improvement");
    }

    #[test]
    fn example_1_takes_the_evaluations_of_its_worked_numbers() {
        // Seven extensions score 38 sets; the empty one comes first.
        let selection = run("cfs", 32, &[]);
        assert_eq!(selection.n_evaluations, 1 + 38);
    }

    #[test]
    fn what_is_locally_predictive_joins_at_the_end() {
        // Out: A8 with SU 0.3437 to the class but 1 to A2; A3 with 0.0909 but 0.3437 to A2;
        // the others tell nothing about the class. Without A2, A8 joins as A2 did.
        let on = run("cfs", 32, &["locally_predictive=on"]);
        assert_eq!(on.kept_names(), ["A2", "A6"]);
        // Two halves of the class: each tells of it, nothing of the other.
        let mut text = String::from("half,other,weak,class\n");
        for row in 0..64 {
            let (a, b) = (row % 2, row / 2 % 2);
            let weak = u8::from(row % 8 == 7);
            text += &format!("{a},{b},{weak},{}\n", 2 * a + b);
        }
        let table = crate::select::testing::coded(&text);
        let off = run_on(&table, Run::of("cfs"));
        let on = run_on(
            &table,
            Run {
                settings: vec!["locally_predictive=on"],
                ..Run::of("cfs")
            },
        );
        assert_eq!(off.kept_names(), ["half", "other"]);
        // weak = 1 only where half = other = 1: SU(weak, C) = 2 I / (H + 2), I(weak;C) =
        // 0.5436 - 0.25 = 0.2936, H = 0.5436: 0.2308; SU(weak, half) = 2 * 0.1379 / 1.5436.
        assert_eq!(on.kept_names(), ["half", "other", "weak"]);
        assert!(on.value < off.value);
    }
}
