//! HITON-MB and MMMB as methods: see [`pc_boundary`](crate::boundary::pc_boundary).

use super::boundaries::{self, ALPHA, DUPLICATES, FREEDOM, POWER};
use crate::Result;
use crate::boundary::{PcKind, PcOptions, pc_boundary};
use crate::select::method::{Method, MethodRun, Outcome, Takes, Task};
use crate::setting::{Setting, SettingKind};

const SETTINGS: &[Setting] = &[
    ALPHA,
    Setting {
        name: "kmax",
        default: "3",
        kind: SettingKind::Integer { min: 0, max: 10 },
        meaning: "the most features held fixed in a test",
    },
    POWER,
    FREEDOM,
    DUPLICATES,
];

const FORMULA: &str = "G tests; linked where no set of at most kmax linked features gives p > alpha, from \
              both sides; a spouse depends on the class once a common child is given";
const COST: &str = "searches from the class, from everyone linked to it and from every spouse, \
                    each a pass over the rows per feature and set of up to kmax members";

/// Links by HITON-PC.
pub(in crate::select) static HITON_MB: Method = Method {
    name: "hiton-mb",
    summary: "a Markov boundary from links that no set of features breaks, found in the order of \
              association, and from what is linked to those",
    formula: FORMULA,
    cost: COST,
    source: "Aliferis, Tsamardinos and Statnikov, 2003; Peña and others, 2007",
    settings: SETTINGS,
    takes: Takes::NOTHING,
    run: MethodRun::Own(|task| run(task, PcKind::Hiton)),
};

/// Links by MMPC.
pub(in crate::select) static MMMB: Method = Method {
    name: "mmmb",
    summary: "as hiton-mb, with the feature linked next whose weakest association is strongest",
    formula: FORMULA,
    cost: COST,
    source: "Tsamardinos, Aliferis and Statnikov, 2003; Tsamardinos, Brown and Aliferis, 2006",
    settings: SETTINGS,
    takes: Takes::NOTHING,
    run: MethodRun::Own(|task| run(task, PcKind::MaxMin)),
};

fn run(task: &Task<'_, '_>, kind: PcKind) -> Result<Outcome> {
    let tests = boundaries::tests(task)?;
    let options = PcOptions {
        kind,
        kmax: task.settings.integer("kmax")?,
        copies: boundaries::copy_rule(task)?,
    };
    let boundary = pc_boundary(&tests, boundaries::class(task), &options, task.limits)?;
    Ok(boundaries::outcome_of_tests(task, boundary))
}
