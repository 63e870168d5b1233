//! What all methods share that find Markov boundaries.
//!
//! Nodes are the features by number, then the class. What the user wants to keep stays, in
//! the boundary or not; it does not change the boundary.

use super::method::{Outcome, ScoreKind, Task};
use super::reason::{Absence, Reason};
use crate::boundary::{Boundary, CopyRule, IndependenceTests, Outside, TestOptions};
use crate::counts::CountColumn;
use crate::error::{Result, quoted};
use crate::network::learn::PowerRule;
use crate::setting::{Setting, SettingKind};
use crate::stats::{Better, DegreesOfFreedom};

/// The level of tests of independence.
pub(super) const ALPHA: Setting = Setting {
    name: "alpha",
    default: "0.05",
    kind: SettingKind::Number { min: 0.0, max: 1.0 },
    meaning: "the level of the tests: a feature counts as independent where p is above it",
};

/// Whether tests need rows enough.
pub(super) const POWER: Setting = Setting {
    name: "power",
    default: "on",
    kind: SettingKind::Choice(&["on", "off"]),
    meaning: "make a test only with five rows per cell of its table on average; without them a \
              feature does not come in, and a member does not go",
};

/// How degrees of freedom are counted.
pub(super) const FREEDOM: Setting = Setting {
    name: "freedom",
    default: "nominal",
    kind: SettingKind::Choice(&["nominal", "adjusted"]),
    meaning: "degrees of freedom of every combination of values there could be, or only of \
              those that occur",
};

/// What becomes of copies.
pub(super) const DUPLICATES: Setting = Setting {
    name: "duplicates",
    default: "drop",
    kind: SettingKind::Choice(&["drop", "keep"]),
    meaning: "whether features that say the same as an earlier one in every row are left out \
              first; with them in, each can hide the other",
};

/// The columns of all nodes.
pub(super) fn columns<'a>(task: &Task<'_, 'a>) -> Vec<CountColumn<'a>> {
    let features = (0..task.told.n_features()).map(|feature| task.told.feature(feature));
    let nodes = features.chain(std::iter::once(task.told.class()));
    nodes.map(CountColumn::from).collect()
}

/// The node of the class.
pub(super) fn class(task: &Task<'_, '_>) -> usize {
    task.told.n_features()
}

/// What the setting says of copies.
pub(super) fn copy_rule(task: &Task<'_, '_>) -> Result<CopyRule> {
    Ok(match task.settings.text("duplicates")? {
        "keep" => CopyRule::Keep,
        _ => CopyRule::Drop,
    })
}

/// The tests that the settings ask for.
pub(super) fn tests<'a>(task: &Task<'_, 'a>) -> Result<IndependenceTests<'a>> {
    let options = TestOptions {
        alpha: task.settings.number("alpha")?,
        freedom: match task.settings.text("freedom")? {
            "adjusted" => DegreesOfFreedom::Adjusted,
            _ => DegreesOfFreedom::Nominal,
        },
        power: match task.settings.text("power")? {
            "off" => PowerRule::Off,
            _ => PowerRule::FiveRowsPerCell,
        },
    };
    IndependenceTests::new(&columns(task), options)
}

/// The outcome of a method by tests: the size of the boundary is all there is to count.
pub(super) fn outcome_of_tests(task: &Task<'_, '_>, boundary: Boundary) -> Outcome {
    let score = ScoreKind {
        name: "boundary-size",
        unit: "",
        better: Better::Lower,
    };
    let value = boundary.members.len() as f64;
    outcome(task, boundary, (score, 0.0, value))
}

/// The outcome of a boundary with its score, before and after.
pub(super) fn outcome(
    task: &Task<'_, '_>,
    boundary: Boundary,
    (score, start, value): (ScoreKind, f64, f64),
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
        score,
        start,
        value,
        steps: boundary.steps.clone(),
        stop: boundary.stop,
        n_evaluations: boundary.n_evaluations,
        n_repeated: 0,
        estimate: None,
        misses: Vec::new(),
        boundary: Some(boundary),
        warnings,
    }
}

fn name<'t>(task: &'t Task<'_, '_>, feature: usize) -> &'t str {
    task.table.features[task.places[feature]].column.name()
}

/// Why these features are not in the boundary.
pub(super) fn reasons(boundary: &Boundary, out: &[usize], names: &[&str]) -> Vec<Reason> {
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
            Some(Outside::TooFewRows { given }) => absent(Absence::TooFewRows, given),
            Some(Outside::Score { gain, through }) => {
                absent(Absence::Score { gain: *gain }, through)
            }
            Some(Outside::Copy { of }) => Reason::Duplicate { of: name(*of) },
            Some(Outside::NotReached) | None => absent(Absence::NotReached, &[]),
        }
    };
    out.iter().map(reason).collect()
}
