//! Algorithm B: add the best arc of all, again and again.
//!
//! Paper: Buntine, 1991, as used by Etxeberria and Larrañaga, 1999 (EBNA). From the empty
//! graph, the arc that raises the score most among those that close no cycle is added,
//! until none raises it.
//! Cost: all pairs are counted once, O(n² N); an arc added then costs O(n N), since only
//! the gains of arcs into its child change.
//! Where the papers are silent: ties go to the lowest parent, then to the lowest child; a
//! raise counts above 1e-9.
//!
//! Buntine, W. (1991). Theory refinement on Bayesian networks. UAI, 52-60. Etxeberria, R.
//! and Larrañaga, P. (1999). Global optimization using Bayesian networks. CIMAF, 332-339.

use super::reach::Reach;
use super::{FamilyScorer, TOLERANCE, rounded};
use crate::network::Dag;
use crate::{Error, Observer, Result, check};

/// Nodes whose gains still fit in memory: 800 MB.
const MAX_NODES: usize = 10_000;

/// Settings of [`algorithm_b`].
///
/// | setting | default | meaning |
/// |---|---|---|
/// | `max_parents` | none | the most parents of a node |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AlgorithmBOptions {
    /// The most parents of a node; `None` for no limit.
    pub max_parents: Option<usize>,
}

/// Learns a network by the scorer's score, BIC in the papers.
///
/// # Errors
/// More than 10,000 nodes, columns that cannot be counted, or the observer cancelled.
///
/// # Cost
/// O(n² N) to start and O(n N) per arc, with memory for n² gains.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::counts::CountColumn;
/// use bayesieve::data::Codes;
/// use bayesieve::network::learn::{
///     AlgorithmBOptions, FamilyScorer, LocalScore, algorithm_b,
/// };
///
/// let a = Codes::new(2, [0, 0, 1, 1, 1, 0, 1, 0].map(Some));
/// let b = Codes::new(2, [0, 0, 0, 0, 1, 1, 0, 0].map(Some));
/// let columns = [&a, &a, &b].map(|codes| CountColumn { codes, n_values: 2 });
/// let scorer = FamilyScorer::new(&columns, LocalScore::Bic)?;
/// let dag = algorithm_b(&scorer, AlgorithmBOptions::default(), &Silent)?;
/// assert_eq!(dag.arcs().collect::<Vec<_>>(), [(0, 1)]); // the copies
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn algorithm_b(
    scorer: &FamilyScorer<'_>,
    options: AlgorithmBOptions,
    observer: &dyn Observer,
) -> Result<Dag> {
    let n = scorer.n_nodes();
    let mut gains = Gains::new(scorer, options, observer)?;
    let mut dag = Dag::new(n);
    while let Some((parent, child)) = gains.best() {
        check(observer)?;
        dag.add_arc(parent, child)?;
        gains.add_arc(&dag, (parent, child), observer)?;
        observer.progress("adding arcs", dag.n_arcs() as u64, 0);
    }
    Ok(dag)
}

/// What every arc would add to the score.
struct Gains<'s, 'a> {
    scorer: &'s FamilyScorer<'a>,
    options: AlgorithmBOptions,
    n_nodes: usize,
    /// `[child][parent]`: minus infinity where the arc is there or cannot be.
    gains: Vec<f64>,
    /// The best parent of every child and its gain, if it raises the score.
    best: Vec<Option<(usize, f64)>>,
    reach: Reach,
}

impl<'s, 'a> Gains<'s, 'a> {
    fn new(
        scorer: &'s FamilyScorer<'a>,
        options: AlgorithmBOptions,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let n_nodes = scorer.n_nodes();
        if n_nodes > MAX_NODES {
            return Err(Error::data(format!(
                "{n_nodes} columns are too many to weigh every arc between them, \
                 limit {MAX_NODES}"
            ))
            .with_hint("Leave out columns that tell little first."));
        }
        let mut gains = Gains {
            scorer,
            options,
            n_nodes,
            gains: vec![f64::NEG_INFINITY; n_nodes * n_nodes],
            best: vec![None; n_nodes],
            reach: Reach::new(n_nodes),
        };
        if options.max_parents == Some(0) {
            return Ok(gains);
        }
        let pairs = scorer.score_pairs(observer)?;
        for child in 0..n_nodes {
            check(observer)?;
            let alone = scorer.score(child, &[])?;
            for parent in (0..n_nodes).filter(|&parent| parent != child) {
                gains.gains[child * n_nodes + parent] = pairs.get(child, parent) - alone;
            }
            gains.find_best(child);
        }
        Ok(gains)
    }

    /// The arc of largest gain, if one raises the score.
    fn best(&self) -> Option<(usize, usize)> {
        let mut best: Option<((usize, usize), f64)> = None;
        for (child, found) in self.best.iter().enumerate() {
            let Some((parent, gain)) = *found else {
                continue;
            };
            let is_better = best.is_none_or(|(arc, before)| {
                let (gain, before) = (rounded(gain), rounded(before));
                gain > before || gain == before && (parent, child) < arc
            });
            if is_better {
                best = Some(((parent, child), gain));
            }
        }
        best.map(|(arc, _)| arc)
    }

    /// Takes in an arc: its child's gains change, and arcs that would now close a cycle go.
    fn add_arc(
        &mut self,
        dag: &Dag,
        (parent, child): (usize, usize),
        observer: &dyn Observer,
    ) -> Result<()> {
        self.reach.add_arc(parent, child);
        let n = self.n_nodes;
        let parents = dag.parents(child);
        let column = &mut self.gains[child * n..(child + 1) * n];
        column.fill(f64::NEG_INFINITY);
        if self
            .options
            .max_parents
            .is_none_or(|max| parents.len() < max)
        {
            let is_open =
                |&node: &usize| !self.reach.has_path(child, node) && !parents.contains(&node);
            let candidates: Vec<usize> = (0..n).filter(is_open).collect();
            let before = self.scorer.score(child, parents)?;
            let scores = self
                .scorer
                .score_with_each(child, parents, &candidates, observer)?;
            for (candidate, score) in candidates.into_iter().zip(scores) {
                column[candidate] = score - before;
            }
        }
        self.find_best(child);
        // The other best arcs stand unless they now lead back.
        for node in 0..n {
            if let Some((from, _)) = self.best[node]
                && self.reach.has_path(node, from)
            {
                self.find_best(node);
            }
        }
        Ok(())
    }

    /// Finds the best arc into a child among those that close no cycle.
    fn find_best(&mut self, child: usize) {
        let n = self.n_nodes;
        self.best[child] = None;
        for parent in 0..n {
            let gain = self.gains[child * n + parent];
            let is_open = gain > TOLERANCE && !self.reach.has_path(child, parent);
            let is_better = |(_, before): (usize, f64)| rounded(gain) > rounded(before);
            if is_open && self.best[child].is_none_or(is_better) {
                self.best[child] = Some((parent, gain));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Silent;
    use crate::counts::CountColumn;
    use crate::data::Codes;
    use crate::network::Smoothing;
    use crate::network::learn::LocalScore;

    fn columns(rows: &[&str]) -> Vec<Codes> {
        (0..rows[0].len())
            .map(|node| {
                let cell = |row: &&str| Some(u32::from(row.as_bytes()[node] - b'0'));
                Codes::new(2, rows.iter().map(cell))
            })
            .collect()
    }

    fn scorer(columns: &[Codes], n_values: usize) -> FamilyScorer<'_> {
        let column = |codes| CountColumn { codes, n_values };
        let columns: Vec<CountColumn<'_>> = columns.iter().map(column).collect();
        FamilyScorer::new(&columns, LocalScore::Bic).unwrap()
    }

    #[test]
    fn the_worked_example_of_ebna_comes_out() {
        let columns = columns(&["000", "000", "110", "110", "111", "001", "110", "000"]);
        let scorer = scorer(&columns, 2);
        for (node, parents, expected) in [
            (0, &[][..], -6.584898),
            (0, &[1], -2.079442),
            (0, &[2], -7.624619),
            (1, &[], -6.584898),
            (1, &[0], -2.079442),
            (2, &[], -5.538402),
            (2, &[0], -6.578123),
        ] {
            let score = scorer.score(node, parents).unwrap();
            assert!(
                (score - expected).abs() < 5e-7,
                "{node} {parents:?}: {score}"
            );
        }
        let dag = algorithm_b(&scorer, AlgorithmBOptions::default(), &Silent).unwrap();
        // Both directions gain 4.505457; the lower parent wins. The next best loses 1.039721.
        assert_eq!(dag.arcs().collect::<Vec<_>>(), [(0, 1)]);
        let theta = scorer.estimate(&dag, Smoothing::Laplace(1.0)).unwrap();
        let p = [
            theta[0].row(&[])[1],
            theta[1].row(&[1])[1],
            theta[1].row(&[0])[1],
            theta[2].row(&[])[1],
        ];
        for (p, expected) in p.into_iter().zip([0.5, 5.0 / 6.0, 1.0 / 6.0, 0.3]) {
            assert!((p - expected).abs() < 1e-15);
        }
        let of_110 = p[0] * p[1] * (1.0 - p[3]);
        assert!((of_110 - 0.291667).abs() < 5e-7);
    }

    /// The definition: score every arc anew in every step.
    fn plain(scorer: &FamilyScorer<'_>, max_parents: Option<usize>) -> Dag {
        let n = scorer.n_nodes();
        let mut dag = Dag::new(n);
        loop {
            let mut best: Option<((usize, usize), f64)> = None;
            for parent in 0..n {
                for child in 0..n {
                    let parents = dag.parents(child);
                    if dag.is_reachable(child, parent)
                        || parents.contains(&parent)
                        || max_parents.is_some_and(|max| parents.len() >= max)
                    {
                        continue;
                    }
                    let wider = [parents, &[parent]].concat();
                    let gain = scorer.score(child, &wider).unwrap()
                        - scorer.score(child, parents).unwrap();
                    if gain > TOLERANCE
                        && best.is_none_or(|(_, before)| rounded(gain) > rounded(before))
                    {
                        best = Some(((parent, child), gain));
                    }
                }
            }
            let Some(((parent, child), _)) = best else {
                return dag;
            };
            dag.add_arc(parent, child).unwrap();
        }
    }

    proptest! {
        #[test]
        fn kept_gains_lead_to_the_same_graph_as_gains_computed_anew(
            n in 1usize..7,
            cells in prop::collection::vec(0u32..3, 7 * 30),
            n_rows in 1usize..30,
            copies in prop::collection::vec(any::<bool>(), 7 * 30),
            max_parents in prop::option::of(0usize..3),
        ) {
            // Columns that lean on their left neighbor, so that there is something to find.
            let mut all: Vec<Vec<u32>> = Vec::new();
            for node in 0..n {
                let cell = |row: usize| match all.last() {
                    Some(left) if copies[node * 30 + row] => left[row],
                    _ => cells[node * 30 + row],
                };
                all.push((0..n_rows).map(cell).collect());
            }
            let codes: Vec<Codes> = all
                .into_iter()
                .map(|cells| Codes::new(3, cells.into_iter().map(Some)))
                .collect();
            let scorer = scorer(&codes, 3);
            let dag = algorithm_b(&scorer, AlgorithmBOptions { max_parents }, &Silent).unwrap();
            prop_assert_eq!(dag, plain(&scorer, max_parents));
        }
    }

    #[test]
    fn no_node_and_no_row_give_no_arc() {
        let none = FamilyScorer::new(&[], LocalScore::Bic).unwrap();
        let learn = |scorer| algorithm_b(scorer, AlgorithmBOptions::default(), &Silent).unwrap();
        assert_eq!(learn(&none).n_nodes(), 0);
        let empty = [Codes::new(2, []), Codes::new(2, [])];
        assert_eq!(learn(&scorer(&empty, 2)).n_arcs(), 0);
    }
}
