//! IAMB and Inter-IAMB as methods: see [`iamb`](crate::boundary::iamb).

use super::boundaries::{self, ALPHA, DUPLICATES, FREEDOM, POWER};
use crate::Result;
use crate::boundary::{Association, IambOptions, Shrinking, iamb};
use crate::select::method::{Method, MethodRun, Outcome, Takes, Task};
use crate::setting::{Setting, SettingKind};

const SETTINGS: &[Setting] = &[
    ALPHA,
    Setting {
        name: "association",
        default: "p",
        kind: SettingKind::Choice(&["p", "mi"]),
        meaning: "which feature comes in first: that of the smallest p, or, as the paper has it, \
                  that of the most information",
    },
    POWER,
    FREEDOM,
    DUPLICATES,
];

const FORMULA: &str =
    "G test of X and C given the members; comes in while p <= alpha, goes where p > alpha";
const COST: &str = "a pass over the rows per feature and round, O(n k N)";
const SOURCE: &str = "Tsamardinos, Aliferis and Statnikov, 2003";

/// Shrinks at the end.
pub(in crate::select) static IAMB: Method = Method {
    name: "iamb",
    summary: "a Markov boundary by tests: the strongest association given the members comes in, \
              then members go that the others make independent of the class",
    formula: FORMULA,
    cost: COST,
    source: SOURCE,
    settings: SETTINGS,
    takes: Takes::NOTHING,
    run: MethodRun::Own(|task| run(task, Shrinking::AtTheEnd)),
};

/// Shrinks after everyone that comes in.
pub(in crate::select) static INTER_IAMB: Method = Method {
    name: "inter-iamb",
    summary: "as iamb, with members going after every one that comes in",
    formula: FORMULA,
    cost: COST,
    source: SOURCE,
    settings: SETTINGS,
    takes: Takes::NOTHING,
    run: MethodRun::Own(|task| run(task, Shrinking::EveryRound)),
};

fn run(task: &Task<'_, '_>, shrinking: Shrinking) -> Result<Outcome> {
    let tests = boundaries::tests(task)?;
    let options = IambOptions {
        shrinking,
        association: match task.settings.text("association")? {
            "mi" => Association::Information,
            _ => Association::P,
        },
        copies: boundaries::copy_rule(task)?,
    };
    let boundary = iamb(&tests, boundaries::class(task), &options, task.limits)?;
    Ok(boundaries::outcome_of_tests(task, boundary))
}
