//! Forward search: the best feature of every round joins, while that is better.
//!
//! Paper: Drugan and Wiering, 2010, section 6.1.
//! Cost: at most n rounds of at most n candidates, each round one call of the score.
//! Where the paper is silent: ties go to the lowest column index.

use super::climb::Climb;
use super::{Action, SearchDescription, Strategy};

/// The best feature of every round joins.
pub(super) static FORWARD: SearchDescription = SearchDescription {
    name: "forward",
    summary: "from the empty set, the best feature of every round joins while that is better",
    settings: &[],
    strategy: Strategy::Grows(|task| {
        Climb::from_kept(task, "searching forward")?.run(Action::Add, None)
    }),
};

#[cfg(test)]
mod tests {
    use crate::Silent;
    use crate::info::Informations;
    use crate::score::testing::{example1, features};
    use crate::score::{Auxiliary, DescriptionLength, Score, Structure};
    use crate::search::{Limits, Search, SearchTask};

    fn kept(n_rows: usize, structure: Structure, auxiliary: Option<Auxiliary>) -> Vec<usize> {
        let table = example1(n_rows);
        let informations = Informations::new(&features(&table), &table.class).unwrap();
        let score = match auxiliary {
            None => DescriptionLength::mdl(&informations, structure),
            Some(auxiliary) => DescriptionLength::mdl_fs(&informations, structure, auxiliary),
        };
        let score = score.unwrap();
        let all: Vec<usize> = (0..8).collect();
        let walk = SearchTask {
            score: &score,
            candidates: &all,
            keep: &[],
            limits: &Limits::new(&Silent),
            seed: 1,
            options: crate::search::SearchOptions::default(),
        };
        let found = Search::FORWARD.run(&walk).unwrap();
        let last = found.steps.last().map_or(found.start, |step| step.score);
        assert_eq!(found.value, last);
        assert_eq!(score.better(), crate::stats::Better::Lower);
        found.kept.iter().map(|feature| feature + 1).collect()
    }

    #[test]
    fn example_1_keeps_what_its_worked_numbers_say_in_their_order() {
        let (nb, tan, tree) = (Structure::NaiveBayes, Structure::Tan, Some(Auxiliary::Tree));
        assert_eq!(kept(3200, nb, tree), [2, 6]);
        assert_eq!(kept(3200, nb, None), [2, 8, 6, 3]);
        assert_eq!(kept(3200, tan, tree), [2, 6, 1, 4]);
        assert_eq!(kept(3200, tan, None), [2, 8, 3, 6, 1, 4]);
        assert_eq!(kept(32, nb, None), [2, 8, 6]);
        assert_eq!(kept(32, nb, tree), [2, 6]);
        assert_eq!(kept(32, tan, tree), [2]);
    }
}
