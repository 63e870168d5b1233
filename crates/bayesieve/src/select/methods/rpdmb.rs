//! RPDMB as a method: see [`rpdmb`](crate::boundary::rpdmb).

use super::boundaries;
use crate::boundary::{ChildRule, CopyRule, RpdmbOptions, rpdmb};
use crate::network::learn::LocalScore;
use crate::select::method::{Method, MethodRun, Outcome, ScoreKind, Takes, Task};
use crate::setting::{Setting, SettingKind, choice};
use crate::stats::Better;
use crate::wording::grouped;
use crate::{Result, Silent};

const SETTINGS: &[Setting] = &[
    Setting {
        name: "score",
        default: "bdeu",
        kind: SettingKind::Choice(&["bdeu", "bic", "k2"]),
        meaning: "what makes a graph good",
    },
    Setting {
        name: "ess",
        default: "1",
        kind: SettingKind::Number {
            min: 1e-6,
            max: 1e9,
        },
        meaning: "how many rows the prior of bdeu is worth",
    },
    Setting {
        name: "pruning",
        default: "smart",
        kind: SettingKind::Choice(&["smart", "any", "all", "none"]),
        meaning: "when a link is not looked at again: any (the paper's): once a move on it made \
                  the score smaller; all: once all moves on it did; none: never; smart: as all, \
                  but links to features that came in by another way may return, and additions need \
                  evidence of 1 nat, of more among 54 features or more",
    },
    Setting {
        name: "tolerance",
        default: "1e-9",
        kind: SettingKind::Number {
            min: 1e-12,
            max: 1e9,
        },
        meaning: "by how many nats a move must make the score larger at least; an addition also \
                  by what the pruning asks for",
    },
    Setting {
        name: "children",
        default: "auto",
        kind: SettingKind::Choice(&["auto", "total", "link"]),
        meaning: "what the deletion of a child is valued by: the total score, which counts the \
                  parents that go with it, or its link to the class alone; auto is link with \
                  smart pruning, else total",
    },
    Setting {
        name: "duplicates",
        default: "auto",
        kind: SettingKind::Choice(&["auto", "drop", "keep"]),
        meaning: "whether features that say the same as an earlier one in every row are left \
                  out first; auto is drop with smart pruning, else keep",
    },
    Setting {
        name: "max_cells",
        default: "16777216",
        kind: SettingKind::Integer {
            min: 4,
            max: 1 << 40,
        },
        meaning: "families whose table would have more cells are not looked at",
    },
];

/// The method.
pub(in crate::select) static RPDMB: Method = Method {
    name: "rpdmb",
    summary: "a Markov boundary by score: climbs among graphs around the class that are as \
              detailed as the boundary needs, and reads the boundary off the best",
    formula: "sum of local scores of a fringed C-RPDAG; the boundary are parents, children, \
              siblings and parents of children",
    cost: "O(n) local scores of O(N) per child and sibling, and few more",
    source: "Acid, de Campos and Fernandez, 2011",
    settings: SETTINGS,
    takes: Takes::NOTHING,
    run: MethodRun::Own(run),
};

fn run(task: &Task<'_, '_>) -> Result<Outcome> {
    let score = match task.settings.text("score")? {
        "bic" => LocalScore::Bic,
        "k2" => LocalScore::K2,
        _ => LocalScore::Bdeu {
            equivalent_sample_size: task.settings.number("ess")?,
        },
    };
    let max_cells = task.settings.integer("max_cells")?;
    let usual = RpdmbOptions::of(choice(task.settings.text("pruning")?)?);
    let options = RpdmbOptions {
        tolerance: task.settings.number("tolerance")?,
        children: match task.settings.text("children")? {
            "link" => ChildRule::Link,
            "total" => ChildRule::Total,
            _ => usual.children,
        },
        copies: match task.settings.text("duplicates")? {
            "drop" => CopyRule::Drop,
            "keep" => CopyRule::Keep,
            _ => usual.copies,
        },
        max_cells,
        ..usual
    };
    let scorer = boundaries::scorer(task, score)?;
    let found = rpdmb(&scorer, boundaries::class(task), &options, task.limits)?;
    // What was found must be explained, even if time is over.
    let boundary = found.boundary(&scorer, &Silent)?;
    let kind = ScoreKind {
        name: score.name(),
        unit: "nats",
        better: Better::Higher,
    };
    let mut outcome = boundaries::outcome(task, boundary, kind, found.start, found.total);
    if found.is_limited {
        outcome.warnings.push(format!(
            "families of more than {} cells were not looked at (max_cells)",
            grouped(max_cells as u64)
        ));
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use crate::score::testing::example1;
    use crate::search::Stop;
    use crate::select::testing::{Run, run, run_without_time};
    use crate::select::{NamedEvidence, Role};

    #[test]
    fn the_papers_pruning_gives_the_worked_example() {
        let selection = run("rpdmb", 32, &["pruning=any"]);
        assert_eq!(selection.kept_names(), ["A1", "A2", "A6"]);
        assert!((selection.value - -155.0892).abs() < 5e-5);
        let steps: Vec<String> = selection
            .steps
            .iter()
            .map(|step| {
                let operator = step.operator.as_ref().unwrap();
                format!("{} {} {}", operator.name, step.feature, operator.with)
            })
            .collect();
        assert_eq!(
            steps,
            [
                "A_Sibling A2 C",
                "A_ChildOfChild A8 A2",
                "A_ChildOfChild A3 A2",
                "A_Sibling A6 C",
                "A_HHOfChild A1 A6",
                "A_ChildOfChild A4 A6",
            ]
        );
        let boundary = selection.boundary.as_ref().unwrap();
        assert_eq!(boundary.of_role(Role::Sibling), ["A2"]);
        assert_eq!(boundary.of_role(Role::Child), ["A6"]);
        assert_eq!(boundary.of_role(Role::Spouse), ["A1"]);
        let NamedEvidence::Score { loss } = boundary.member("A1").unwrap().evidence else {
            panic!("no score");
        };
        assert!((loss - 4.9656).abs() < 5e-5); // the step that brought it
    }

    #[test]
    fn reasons_are_copies_or_scores() {
        let selection = run("rpdmb", 320, &[]);
        let sentence = |feature: &str| {
            let dropped = selection.dropped.iter().find(|d| d.feature == feature);
            dropped.map(|dropped| (dropped.reason.name(), dropped.reason.sentence()))
        };
        let copy = sentence("A8").unwrap();
        assert_eq!(
            copy,
            ("duplicate", "it says the same as A2 in every row".into())
        );
        let a5 = sentence("A5").unwrap();
        assert_eq!(a5.0, "not-in-boundary");
        assert!(a5.1.contains("would make the score worse by"), "{}", a5.1);
    }

    #[test]
    fn every_score_and_pruning_ends() {
        for score in ["score=bdeu", "score=bic", "score=k2"] {
            for pruning in [
                "pruning=smart",
                "pruning=any",
                "pruning=all",
                "pruning=none",
            ] {
                let selection = run("rpdmb", 320, &[score, pruning]);
                assert!(!selection.kept.is_empty(), "{score} {pruning}");
                assert!(selection.value > selection.start);
                assert_eq!(selection.stop, Stop::NoImprovement);
            }
        }
        let limited = run("rpdmb", 320, &["max_cells=4"]);
        assert!(limited.warnings[0].starts_with("families of more than 4 cells"));
    }

    #[test]
    fn without_time_the_boundary_is_empty() {
        let selection = run_without_time(&example1(320), &Run::of("rpdmb"));
        assert!(selection.kept.is_empty());
        assert_eq!(selection.stop, Stop::Budget);
    }
}
