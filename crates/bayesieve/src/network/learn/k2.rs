//! K2: greedy parents for every node among those before it in an order.
//!
//! Paper: Cooper and Herskovits, 1992, section 3.1.2. A node starts without parents and
//! takes, again and again, the predecessor that raises its score most, until none does.
//! Cost: O(u n² N) for n nodes with at most u parents each.
//! Where the paper is silent: ties go to the earliest in the order, a raise counts above
//! 1e-9, and a node takes at most five parents.
//!
//! Cooper, G. and Herskovits, E. (1992). A Bayesian method for the induction of
//! probabilistic networks from data. Machine Learning 9, 309-347.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::{FamilyScorer, TOLERANCE, rounded};
use crate::network::Dag;
use crate::{Error, Observer, Result, check};

/// Parents a node may take unless told otherwise.
const MAX_PARENTS: usize = 5;

/// Settings of [`k2`].
///
/// | setting | default | meaning |
/// |---|---|---|
/// | `max_parents` | 5 | the most parents of a node; `None` for no limit |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct K2Options {
    /// The most parents of a node; `None` for no limit.
    pub max_parents: Option<usize>,
}

impl Default for K2Options {
    fn default() -> Self {
        K2Options {
            max_parents: Some(MAX_PARENTS),
        }
    }
}

/// Learns a network in which every arc goes forward in the order.
///
/// The order may name some of the nodes only; the others stay isolated. The scorer's score
/// is K2's own or any other.
///
/// # Errors
/// A node that does not exist or stands twice in the order, columns that cannot be
/// counted, or the observer cancelled.
///
/// # Cost
/// For every node and parent taken, one pass of counts over its predecessors; nodes are
/// shared among threads.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::counts::CountColumn;
/// use bayesieve::data::Codes;
/// use bayesieve::network::learn::{FamilyScorer, K2Options, LocalScore, k2};
///
/// // The ten cases of Cooper and Herskovits, 1992, Table 1.
/// let x1 = Codes::new(2, [1, 1, 0, 1, 0, 0, 1, 0, 1, 0].map(Some));
/// let x2 = Codes::new(2, [0, 1, 0, 1, 0, 1, 1, 0, 1, 0].map(Some));
/// let x3 = Codes::new(2, [0, 1, 1, 1, 0, 1, 1, 0, 1, 0].map(Some));
/// let columns = [&x1, &x2, &x3].map(|codes| CountColumn { codes, n_values: 2 });
/// let scorer = FamilyScorer::new(&columns, LocalScore::K2)?;
/// let dag = k2(&scorer, &[0, 1, 2], K2Options::default(), &Silent)?;
/// assert_eq!(dag.arcs().collect::<Vec<_>>(), [(0, 1), (1, 2)]); // x1 → x2 → x3
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn k2(
    scorer: &FamilyScorer<'_>,
    order: &[usize],
    options: K2Options,
    observer: &dyn Observer,
) -> Result<Dag> {
    check_order(order, scorer.n_nodes())?;
    // A node costs by its predecessors.
    let n_all = (order.len() * order.len().saturating_sub(1) / 2) as u64;
    let n_done = AtomicU64::new(0);
    let parents: Vec<Vec<usize>> = (0..order.len())
        .into_par_iter()
        .map(|place| {
            let (before, node) = (&order[..place], order[place]);
            let parents = best_parents(scorer, (node, before), options.max_parents, observer)?;
            let done = n_done.fetch_add(place as u64, Ordering::Relaxed) + place as u64;
            observer.progress("choosing parents", done, n_all);
            Ok(parents)
        })
        .collect::<Result<_>>()?;
    let mut dag = Dag::new(scorer.n_nodes());
    for (&node, parents) in order.iter().zip(parents) {
        for parent in parents {
            dag.add_arc(parent, node)?;
        }
    }
    Ok(dag)
}

fn check_order(order: &[usize], n_nodes: usize) -> Result<()> {
    let mut is_seen = vec![false; n_nodes];
    for &node in order {
        match is_seen.get_mut(node) {
            None => {
                return Err(Error::internal(format!(
                    "node {node} of {n_nodes} stands in an order"
                )));
            }
            Some(true) => {
                return Err(Error::internal(format!(
                    "node {node} stands twice in an order"
                )));
            }
            Some(is_seen) => *is_seen = true,
        }
    }
    Ok(())
}

/// The parents of one node among those before it, in the order they were taken.
fn best_parents(
    scorer: &FamilyScorer<'_>,
    (node, before): (usize, &[usize]),
    max_parents: Option<usize>,
    observer: &dyn Observer,
) -> Result<Vec<usize>> {
    check(observer)?;
    let mut candidates = before.to_vec();
    let mut parents = Vec::new();
    let mut score = scorer.score(node, &parents)?;
    while !candidates.is_empty() && max_parents.is_none_or(|max| parents.len() < max) {
        let scores = scorer.score_with_each(node, &parents, &candidates, observer)?;
        let mut best = 0;
        for (place, &score) in scores.iter().enumerate() {
            if rounded(score) > rounded(scores[best]) {
                best = place;
            }
        }
        if scores[best] <= score + TOLERANCE {
            break;
        }
        score = scores[best];
        parents.push(candidates.remove(best));
    }
    Ok(parents)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;
    use crate::counts::CountColumn;
    use crate::data::Codes;
    use crate::network::learn::LocalScore;

    /// The ten cases of Cooper and Herskovits.
    fn ten_cases() -> Vec<Codes> {
        let rows = [
            "100", "111", "001", "111", "000", "011", "111", "000", "111", "000",
        ];
        (0..3)
            .map(|node| {
                let cell = |row: &&str| Some(u32::from(row.as_bytes()[node] == b'1'));
                Codes::new(2, rows.iter().map(cell))
            })
            .collect()
    }

    fn scorer(columns: &[Codes]) -> FamilyScorer<'_> {
        let column = |codes| CountColumn { codes, n_values: 2 };
        let columns: Vec<CountColumn<'_>> = columns.iter().map(column).collect();
        FamilyScorer::new(&columns, LocalScore::K2).unwrap()
    }

    #[test]
    fn the_published_example_comes_out_to_the_last_digit_given() {
        let columns = ten_cases();
        let scorer = scorer(&columns);
        for (node, parents, expected) in [
            (0, &[][..], -7.927324),
            (1, &[], -7.927324),
            (1, &[0], -6.802395),
            (2, &[], -7.745003),
            (2, &[0], -7.495542),
            (2, &[1], -5.192957),
            (2, &[0, 1], -5.991465),
        ] {
            let score = scorer.score(node, parents).unwrap();
            assert!(
                (score - expected).abs() < 5e-7,
                "{node} {parents:?}: {score}"
            );
        }
        let dag = k2(&scorer, &[0, 1, 2], K2Options::default(), &Silent).unwrap();
        assert_eq!(dag.arcs().collect::<Vec<_>>(), [(0, 1), (1, 2)]);
        // Published: 2.23e-9 for this structure, 2.23e-10 for its rival x2 ← x1 → x3.
        let score = scorer.score_dag(&dag).unwrap();
        assert!((score.exp() / 2.2269e-9 - 1.0).abs() < 5e-5, "{score}");
        let mut rival = Dag::new(3);
        rival.add_arc(0, 1).unwrap();
        rival.add_arc(0, 2).unwrap();
        let score = scorer.score_dag(&rival).unwrap();
        assert!((score.exp() / 2.2269e-10 - 1.0).abs() < 5e-5, "{score}");
    }

    #[test]
    fn a_cap_of_none_and_of_zero_hold() {
        let columns = ten_cases();
        let scorer = scorer(&columns);
        let with = |max_parents| {
            let options = K2Options { max_parents };
            k2(&scorer, &[0, 1, 2], options, &Silent).unwrap().n_arcs()
        };
        assert_eq!([with(Some(0)), with(Some(1)), with(None)], [0, 2, 2]);
    }

    #[test]
    fn ties_go_to_the_earliest_in_the_order() {
        // Nodes 0 and 2 are copies, 3 is the copy with its values swapped: each is as good
        // a parent of 1 as the others.
        let cells = [0, 0, 1, 1, 0, 1, 0, 0, 1, 1];
        let copy = Codes::new(2, cells.map(Some));
        let swapped = Codes::new(2, cells.map(|cell| Some(1 - cell)));
        let mut child = cells;
        child[0] = 1;
        let child = Codes::new(2, child.map(Some));
        let columns = [copy.clone(), child, copy, swapped];
        let scorer = scorer(&columns);
        for (order, first) in [([0, 2, 3, 1], 0), ([3, 2, 0, 1], 3), ([2, 3, 0, 1], 2)] {
            let dag = k2(&scorer, &order, K2Options::default(), &Silent).unwrap();
            assert_eq!(dag.parents(1), [first], "{order:?}");
        }
    }

    #[test]
    fn nodes_outside_the_order_stay_isolated_and_wrong_orders_are_errors() {
        let columns = ten_cases();
        let scorer = scorer(&columns);
        let learn = |order: &[usize]| k2(&scorer, order, K2Options::default(), &Silent);
        let dag = learn(&[2, 1]).unwrap();
        assert_eq!(dag.arcs().collect::<Vec<_>>(), [(2, 1)]);
        assert!(learn(&[0, 1, 0]).is_err());
        assert!(learn(&[0, 3]).is_err());
        assert_eq!(learn(&[]).unwrap().n_arcs(), 0);
    }
}
