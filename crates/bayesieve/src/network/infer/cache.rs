//! Posteriors of one node for rows with any nodes known, nothing worked out twice.

use std::collections::HashMap;

use super::plan::{PosteriorBuffer, PosteriorPlan, Question};
use crate::Result;
use crate::network::Network;

/// Patterns, plans and answers that are kept; with more, all start anew.
const MAX_PATTERNS: usize = 1 << 16;
const MAX_PLANS: usize = 1 << 12;
const MAX_ANSWER_CELLS: usize = 1 << 22;

/// Remembers plans by what they read, and posteriors by the values read.
///
/// Patterns of known nodes that differ only in nodes that do not bear on the query share a
/// plan. An answer never depends on what was asked before.
pub(crate) struct PosteriorCache<'a> {
    network: &'a Network,
    node: usize,
    /// Which plan serves a pattern of known nodes.
    patterns: HashMap<Vec<bool>, usize>,
    by_question: HashMap<Question, usize>,
    plans: Vec<PosteriorPlan<'a>>,
    /// The place in `posteriors` of a plan with the values it read, `None` where they rule
    /// out every state.
    answers: HashMap<Vec<u32>, Option<usize>>,
    /// Posteriors one behind the other.
    posteriors: Vec<f64>,
    /// Values that all keys of `answers` hold.
    n_key_values: usize,
    work: Work,
}

/// Memory for one row.
#[derive(Default)]
struct Work {
    known: Vec<bool>,
    values: Vec<u32>,
    key: Vec<u32>,
    buffer: PosteriorBuffer,
}

impl<'a> PosteriorCache<'a> {
    pub(crate) fn new(network: &'a Network, node: usize) -> Self {
        PosteriorCache {
            network,
            node,
            patterns: HashMap::new(),
            by_question: HashMap::new(),
            plans: Vec::new(),
            answers: HashMap::new(),
            posteriors: Vec::new(),
            n_key_values: 0,
            work: Work::default(),
        }
    }

    /// The probabilities of the node's states given a row, one cell per node, as
    /// [`Network::posterior`] has them.
    ///
    /// # Errors
    /// As [`PosteriorPlan::new`] and [`PosteriorPlan::posterior`].
    pub(crate) fn posterior(
        &mut self,
        row: impl Iterator<Item = Option<u32>>,
    ) -> Result<Option<&[f64]>> {
        self.work.known.clear();
        self.work.values.clear();
        for cell in row {
            self.work.known.push(cell.is_some());
            self.work.values.push(cell.unwrap_or_default());
        }
        self.forget_where_full();
        let number = self.plan_of_pattern()?;
        let plan = &self.plans[number];
        let work = &mut self.work;
        work.key.clear();
        work.key.push(number as u32);
        let read = plan.evidence().iter();
        work.key.extend(read.map(|&node| work.values[node]));
        let n_states = self.network.table(self.node).n_states();
        let place = match self.answers.get(&work.key[..]) {
            Some(&known) => known,
            None => {
                let posterior = plan.posterior(&work.values, &mut work.buffer)?;
                let place = posterior.map(|cells| {
                    self.posteriors.extend_from_slice(cells);
                    self.posteriors.len() - n_states
                });
                self.n_key_values += work.key.len();
                self.answers.insert(work.key.clone(), place);
                place
            }
        };
        Ok(place.map(|place| &self.posteriors[place..place + n_states]))
    }

    /// The plan for the nodes that are known now.
    fn plan_of_pattern(&mut self) -> Result<usize> {
        if let Some(&plan) = self.patterns.get(&self.work.known) {
            return Ok(plan);
        }
        let question = Question::new(self.network, self.node, &self.work.known)?;
        let plan = match self.by_question.get(&question) {
            Some(&plan) => plan,
            None => {
                self.plans.push(question.plan(self.network)?);
                self.by_question.insert(question, self.plans.len() - 1);
                self.plans.len() - 1
            }
        };
        self.patterns.insert(self.work.known.clone(), plan);
        Ok(plan)
    }

    fn forget_where_full(&mut self) {
        let is_full = self.patterns.len() >= MAX_PATTERNS || self.plans.len() >= MAX_PLANS;
        if is_full {
            self.patterns.clear();
            self.by_question.clear();
            self.plans.clear();
        }
        if is_full || self.posteriors.len() + self.n_key_values >= MAX_ANSWER_CELLS {
            self.answers.clear();
            self.posteriors.clear();
            self.n_key_values = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{Cpt, Dag, Variable};

    /// 0 → 1 → 2, two states each.
    fn chain() -> Network {
        let mut dag = Dag::new(3);
        dag.add_arc(0, 1).unwrap();
        dag.add_arc(1, 2).unwrap();
        let tables = vec![
            Cpt::dense(2, vec![], vec![0.5, 0.5]).unwrap(),
            Cpt::dense(2, vec![2], vec![0.75, 0.25, 0.25, 0.75]).unwrap(),
            Cpt::dense(2, vec![2], vec![1.0, 0.0, 0.25, 0.75]).unwrap(),
        ];
        let variables = (0..3).map(|node| Variable {
            name: node.to_string(),
            states: vec!["no".into(), "yes".into()],
        });
        Network::new(variables.collect(), dag, tables).unwrap()
    }

    #[test]
    fn patterns_that_read_the_same_nodes_share_a_plan_and_an_answer() {
        let network = chain();
        let mut cache = PosteriorCache::new(&network, 0);
        // With node 1 known, node 2 says nothing more about node 0.
        for below in [None, Some(0), Some(1)] {
            let row = [None, Some(1), below];
            let posterior = cache.posterior(row.into_iter()).unwrap();
            assert_eq!(posterior, Some(&[0.25, 0.75][..]));
        }
        assert_eq!(cache.patterns.len(), 2);
        assert_eq!((cache.plans.len(), cache.answers.len()), (1, 1));
    }

    #[test]
    fn every_answer_is_that_of_the_network_however_often_it_is_asked() {
        let network = chain();
        let mut cache = PosteriorCache::new(&network, 1);
        for _ in 0..2 {
            for (above, below) in (0..9).map(|i| (i / 3, i % 3)) {
                let cell = |i: u32| (i < 2).then_some(i);
                let row = [cell(above), None, cell(below)];
                let expected = network.posterior(1, &row).unwrap();
                let posterior = cache.posterior(row.into_iter()).unwrap();
                assert_eq!(posterior, expected.as_deref(), "{row:?}");
            }
        }
    }
}
