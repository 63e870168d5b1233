//! What all methods share that find Markov boundaries.
//!
//! Nodes are the features by number, then the class. What the user wants to keep stays, in
//! the boundary or not; it does not change the boundary.

use crate::boundary::{Boundary, CopyRule, IndependenceTests, Outside, TestOptions};
use crate::network::learn::{FamilyScorer, LocalScore, PowerRule};
use crate::select::method::{Findings, Outcome, ScoreKind, Task};
use crate::select::reason::{Absence, Reason};
use crate::setting::{Setting, SettingKind, choice};
use crate::stats::Better;
use crate::{Result, quoted};

/// The level of tests of independence.
pub(in crate::select) const ALPHA: Setting = Setting {
    name: "alpha",
    default: "0.05",
    kind: SettingKind::Number { min: 0.0, max: 1.0 },
    meaning: "the level of the tests: a feature counts as independent where p is above it",
};

/// Whether tests need rows enough.
pub(in crate::select) const POWER: Setting = Setting {
    name: "power",
    default: "on",
    kind: SettingKind::Choice(&["on", "off"]),
    meaning: "make a test only with five rows per cell of its table on average; a test that is not \
              made separates nobody, and by iamb brings nobody in",
};

/// How degrees of freedom are counted.
pub(in crate::select) const FREEDOM: Setting = Setting {
    name: "freedom",
    default: "nominal",
    kind: SettingKind::Choice(&["nominal", "adjusted"]),
    meaning: "degrees of freedom of every combination of values there could be, or only of \
              those that occur",
};

/// What becomes of copies.
pub(in crate::select) const DUPLICATES: Setting = Setting {
    name: "duplicates",
    default: "drop",
    kind: SettingKind::Choice(&["drop", "keep"]),
    meaning: "whether features that say the same as an earlier one in every row are left out \
              first; with them in, each can hide the other",
};

/// Scores of families of all nodes.
pub(in crate::select) fn scorer<'a>(
    task: &Task<'_, 'a>,
    score: LocalScore,
) -> Result<FamilyScorer<'a>> {
    FamilyScorer::of(task.informations.nodes().clone(), score)
}

/// The node of the class.
pub(in crate::select) fn class(task: &Task<'_, '_>) -> usize {
    task.informations.n_features()
}

/// What the setting says of copies.
pub(in crate::select) fn copy_rule(task: &Task<'_, '_>) -> Result<CopyRule> {
    choice(task.settings.text("duplicates")?)
}

/// The tests that the settings ask for.
pub(in crate::select) fn tests<'a>(task: &Task<'_, 'a>) -> Result<IndependenceTests<'a>> {
    let options = TestOptions {
        alpha: task.settings.number("alpha")?,
        freedom: choice(task.settings.text("freedom")?)?,
        power: match task.settings.text("power")? {
            "off" => PowerRule::Off,
            _ => PowerRule::FiveRowsPerCell,
        },
    };
    IndependenceTests::of(task.informations.nodes().clone(), options)
}

/// The outcome of a method by tests: the size of the boundary is all there is to count.
pub(in crate::select) fn outcome_of_tests(task: &Task<'_, '_>, boundary: Boundary) -> Outcome {
    let score = ScoreKind {
        name: "boundary-size",
        unit: "",
        better: Better::Lower,
    };
    let value = boundary.members.len() as f64;
    outcome(task, boundary, score, 0.0, value)
}

/// The outcome of a boundary with its score, before and after.
pub(in crate::select) fn outcome(
    task: &Task<'_, '_>,
    boundary: Boundary,
    score: ScoreKind,
    start: f64,
    value: f64,
) -> Outcome {
    let mut kept = boundary.roles.members();
    let is_member = |feature: &usize| kept.binary_search(feature).is_ok();
    let foreign: Vec<usize> = task
        .keep
        .iter()
        .copied()
        .filter(|f| !is_member(f))
        .collect();
    let names: Vec<String> = foreign.iter().map(|&f| quoted(name(task, f))).collect();
    let warnings = match names.len() {
        0 => Vec::new(),
        1 => vec![format!(
            "{} is kept as asked, but is not in the boundary",
            names[0]
        )],
        _ => vec![format!(
            "{} are kept as asked, but are not in the boundary",
            names.join(", ")
        )],
    };
    kept.extend(foreign);
    kept.sort_unstable();
    Outcome {
        kept,
        start,
        value,
        steps: boundary.steps.clone(),
        stop: boundary.stop,
        n_evaluations: boundary.n_evaluations,
        findings: Findings::Boundary(Box::new(boundary)),
        warnings,
        ..Outcome::of(score)
    }
}

fn name<'t>(task: &'t Task<'_, '_>, feature: usize) -> &'t str {
    task.table.features[task.places[feature]].column.name()
}

/// Why these features are not in the boundary.
pub(in crate::select) fn reasons(
    boundary: &Boundary,
    out: &[usize],
    names: &[&str],
) -> Vec<Reason> {
    let name = |node: usize| names.get(node).copied().unwrap_or_default().to_owned();
    let all = |nodes: &[usize]| -> Vec<String> { nodes.iter().map(|&node| name(node)).collect() };
    let absent = |absence: Absence, given: &[usize]| Reason::NotInBoundary {
        absence,
        given: all(given),
    };
    let reason = |feature: &usize| {
        let place = boundary
            .outside
            .binary_search_by_key(feature, |outside| outside.0);
        match place.ok().map(|place| &boundary.outside[place].1) {
            Some(Outside::Separated { given, test }) => {
                absent(Absence::Independent { test: *test }, given)
            }
            Some(Outside::Dependent { given, test }) => {
                absent(Absence::Dependent { test: *test }, given)
            }
            Some(Outside::TooFewRows { given }) => absent(Absence::TooFewRows, given),
            Some(Outside::Score { gain, through }) => {
                absent(Absence::Score { gain: *gain }, through)
            }
            Some(Outside::Copy { of }) => Reason::Duplicate {
                of: name(*of),
                recoding: false,
            },
            Some(Outside::NotReached) | None => absent(Absence::NotReached, &[]),
        }
    };
    out.iter().map(reason).collect()
}

#[cfg(test)]
mod tests {
    use crate::score::testing::example1;
    use crate::select::testing::{Run, run, run_on, run_without_time};
    use crate::select::{NamedEvidence, Role, Selection};

    const METHODS: [&str; 5] = ["iamb", "inter-iamb", "hiton-mb", "mmmb", "rpdmb"];

    /// Feature, name of the reason, sentence.
    fn reasons(selection: &Selection) -> Vec<[String; 3]> {
        let dropped = selection.dropped.iter();
        dropped
            .map(|dropped| {
                let name = dropped.reason.name().to_owned();
                [dropped.feature.clone(), name, dropped.reason.sentence()]
            })
            .collect()
    }

    #[test]
    fn every_feature_outside_has_its_test_as_reason() {
        for method in ["iamb", "inter-iamb"] {
            let selection = run(method, 320, &[]);
            assert_eq!(selection.kept_names(), ["A1", "A2", "A4"]);
            assert_eq!(selection.value, 3.0);
            let reasons = reasons(&selection);
            let [a3, a5, a6, a7, a8] = reasons.as_slice() else {
                panic!("{reasons:?}");
            };
            assert_eq!(
                a8[1..],
                ["duplicate", "it says the same as A2 in every row"]
            );
            assert_eq!(
                a7[1..],
                ["duplicate", "it says the same as A5 in every row"]
            );
            assert_eq!(
                a6[1..],
                [
                    "not-in-boundary",
                    "with A1, A2 and A4 known it is independent of the class (p = 1.0000)"
                ]
            );
            for [_, reason, sentence] in [a3, a5] {
                assert_eq!(reason, "not-in-boundary");
                assert!(sentence.ends_with("is independent of the class (p = 1.0000)"));
            }
        }
    }

    #[test]
    fn members_are_named_with_roles_evidence_and_graph() {
        let selection = run("mmmb", 320, &["duplicates=keep"]);
        let boundary = selection.boundary.unwrap();
        assert_eq!(boundary.of_role(Role::Child), ["A6"]);
        assert_eq!(boundary.of_role(Role::Spouse), ["A1"]);
        assert!(boundary.of_role(Role::Open).is_empty());
        let arc = |from: &str, to: &str| (from.to_owned(), to.to_owned());
        assert_eq!(boundary.arcs, [arc("A1", "A6"), arc("C", "A6")]);
        let a6 = boundary.member("A6").unwrap();
        let NamedEvidence::Test { given, test } = &a6.evidence else {
            panic!("{a6:?}");
        };
        // Of all tests that of A6 given A2 came closest: G2 69.0437 with 2 degrees.
        assert_eq!(given, &["A2"]);
        assert!((test.statistic - 69.0437).abs() < 5e-5);
        // A2 is out because of A8, which says the same.
        let a2 = &selection.dropped[0];
        assert_eq!(a2.reason.parts().given, ["A8"]);
        assert_eq!(a2.reason.parts().test.unwrap().p, 1.0);
    }

    #[test]
    fn too_few_rows_are_told() {
        let reasons = reasons(&run("iamb", 32, &[]));
        assert_eq!(
            reasons[0][2],
            "there are too few rows to test it with A2 known"
        );
        let selection = run("iamb", 32, &["power=off"]);
        assert_eq!(selection.kept_names(), ["A2", "A6"]);
    }

    #[test]
    fn what_must_stay_stays_beside_the_boundary() {
        for method in METHODS {
            let plain = run(method, 320, &[]);
            let kept = run_on(
                &example1(320),
                Run {
                    keep: vec!["A8", "A2", "A5"],
                    ..Run::of(method)
                },
            );
            let mut expected = plain.kept_names();
            expected.extend(["A5", "A8"]);
            expected.sort_unstable();
            assert_eq!(kept.kept_names(), expected, "{method}");
            assert_eq!(kept.boundary, plain.boundary, "{method}");
            assert_eq!(
                kept.warnings,
                ["\"A8\", \"A5\" are kept as asked, but are not in the boundary"]
            );
        }
    }

    #[test]
    fn without_time_nothing_is_in_and_all_are_said_to_be_not_reached() {
        for method in METHODS {
            let selection = run_without_time(&example1(320), &Run::of(method));
            assert!(selection.kept.is_empty(), "{method}");
            assert_eq!(selection.stop, crate::search::Stop::Budget);
            let reasons = reasons(&selection);
            // A2 would have been the first.
            assert_eq!(reasons[1][..2], ["A2", "not-in-boundary"], "{method}");
            assert_eq!(reasons[1][2], "the run ended before its turn came");
        }
    }
}
