//! Forward search: the best feature of every round joins, while that is better.
//!
//! Paper: Drugan and Wiering, 2010, section 6.1.
//! Cost: at most n rounds of at most n candidates, each round one call of the score.
//! Where the paper is silent: ties go to the lowest column index.

use super::{Action, Found, Step, Stop, Walk, unless_early};
use crate::error::Result;
use crate::observer::Observer;

pub(super) fn forward(walk: &Walk<'_>) -> Result<Found> {
    let (score, limits) = (walk.score, walk.limits);
    let mut set = walk.kept()?;
    let start = score.evaluate(std::slice::from_ref(&set), limits);
    let start = match unless_early(start, limits, false)? {
        Ok(values) => values[0],
        // Not even the start could be scored in time.
        Err(_) => return Err(crate::error::Error::interrupted()),
    };
    let mut found = Found {
        kept: walk.keep.to_vec(),
        start,
        value: start,
        steps: Vec::new(),
        stop: Stop::Exhausted,
        n_evaluations: 1,
    };
    loop {
        let candidates = walk.outside(&set);
        if candidates.is_empty() {
            return Ok(found);
        }
        let values = score.extend(&set, &candidates, limits);
        let values = match unless_early(values, limits, !found.steps.is_empty())? {
            Ok(values) => values,
            Err(stop) => {
                found.stop = stop;
                return Ok(found);
            }
        };
        found.n_evaluations += values.len() as u64;
        let best = score.best(&values);
        let Some(best) = best.filter(|&best| score.is_better(values[best], found.value)) else {
            found.stop = Stop::NoImprovement;
            return Ok(found);
        };
        set.insert(candidates[best]);
        found.kept.push(candidates[best]);
        found.value = values[best];
        found.steps.push(Step {
            action: Action::Add,
            feature: candidates[best],
            score: values[best],
        });
        limits.progress("searching forward", found.steps.len() as u64, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::info::Informations;
    use crate::observer::Silent;
    use crate::score::testing::{example1, features};
    use crate::score::{Auxiliary, DescriptionLength, Score, Structure};
    use crate::search::{Limits, Search};

    fn kept(n_rows: usize, structure: Structure, auxiliary: Option<Auxiliary>) -> Vec<usize> {
        let table = example1(n_rows);
        let told = Informations::new(&features(&table), &table.class).unwrap();
        let score = match auxiliary {
            None => DescriptionLength::mdl(&told, structure),
            Some(auxiliary) => DescriptionLength::mdl_fs(&told, structure, auxiliary),
        };
        let score = score.unwrap();
        let all: Vec<usize> = (0..8).collect();
        let walk = Walk {
            score: &score,
            candidates: &all,
            keep: &[],
            limits: &Limits::new(&Silent),
            seed: 1,
        };
        let found = Search::Forward.run(&walk).unwrap();
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
