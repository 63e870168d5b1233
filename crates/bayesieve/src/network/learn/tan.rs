//! TAN: naive Bayes whose features also lean on one another along a tree.
//!
//! Paper: Friedman, Geiger and Goldszmidt, 1997, section 4.1. As Chow-Liu, with the
//! information given the class: every feature has the class and at most one feature as
//! parents.
//! Cost: one pass of pair counts given the class, O(n² N); the tree itself O(n²).
//! Where the paper is silent: ties go to the lower pair, edges of information 0 are kept,
//! the root is the first feature.
//!
//! Friedman, N., Geiger, D. and Goldszmidt, M. (1997). Bayesian network classifiers.
//! Machine Learning 29, 131-163.

use super::chow_liu::information_tree;
use super::pairs::for_each_feature;
use super::{SpanningTree, chow_liu_dag};
use crate::counts::RowIndex;
use crate::info::{Informations, PairInformation};
use crate::network::Dag;
use crate::{Observer, Result};

/// The maximum spanning tree over the information of the features given the class, in bits.
///
/// # Errors
/// The observer cancelled.
///
/// # Cost
/// All pair tables given the class, counted once; memory for one batch of pairs at a time.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::counts::RowIndex;
/// use bayesieve::data::Nominal;
/// use bayesieve::network::learn::{tan_dag, tan_tree};
///
/// let a = Nominal::from_labels(["0", "0", "1", "1"].map(Some));
/// let b = Nominal::from_labels(["0", "1", "0", "1"].map(Some));
/// let either = Nominal::from_labels(["0", "1", "1", "0"].map(Some)); // one, not both
/// let index = RowIndex::new(&[(&a).into(), (&b).into()], (&either).into())?;
/// let tree = tan_tree(&index, &Silent)?;
/// assert_eq!(tree.weight(), 1.0); // with the class known, a tells b
/// let dag = tan_dag(&tree, 2, None)?; // nodes 0 and 1, class 2
/// assert_eq!(dag.parents(1), [0, 2]);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn tan_tree(index: &RowIndex<'_>, observer: &dyn Observer) -> Result<SpanningTree> {
    information_tree(index, observer, |pair| pair.given_class)
}

/// As [`tan_tree`], of features whose rows may be somewhere else.
///
/// # Errors
/// The observer cancelled, or the pairs cannot be counted.
///
/// # Cost
/// As [`tan_tree`]: for counts one call for every batch of pairs.
pub fn tan_tree_from_counts(
    informations: &Informations<'_>,
    observer: &dyn Observer,
) -> Result<SpanningTree> {
    let mut tree = SpanningTree::default();
    let weight = |pair: &PairInformation| pair.given_class;
    for_each_feature(informations, observer, weight, |feature, weights| {
        tree = tree.extend(feature, &weights)?;
        Ok(())
    })?;
    Ok(tree)
}

/// The network of a tree over features: nodes `0..n_features` are the features, the node
/// behind them is the class, parent of every feature of the tree. Features outside the
/// tree stay isolated; without a root it is the lowest feature of the tree.
///
/// # Errors
/// A node of the tree is no feature, or the root is no node of the tree.
pub fn tan_dag(tree: &SpanningTree, n_features: usize, root: Option<usize>) -> Result<Dag> {
    let mut dag = chow_liu_dag(tree, n_features + 1, root)?;
    for &feature in tree.members() {
        dag.add_arc(n_features, feature)?;
    }
    Ok(dag)
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::Silent;
    use crate::counts::CountColumn;
    use crate::data::Codes;
    use crate::info::PairInformation;
    use crate::network::learn::chow_liu_tree;
    use crate::random::{Purpose, stream};

    /// The best spanning tree among all, by Prüfer's sequences: of the sets of edges that
    /// are trees, the one whose edges come first in Kruskal's order.
    fn best_of_all(n: usize, weights: &[((usize, usize), f64)]) -> Vec<(usize, usize)> {
        let mut ranked = weights.to_vec();
        let rounded = |weight: f64| (weight * 1e10).round();
        ranked.sort_by(|x, y| {
            rounded(y.1)
                .total_cmp(&rounded(x.1))
                .then_with(|| x.0.cmp(&y.0))
        });
        let mut bit = vec![0u32; n * n];
        for (place, ((a, b), _)) in ranked.iter().enumerate() {
            bit[a * n + b] = 1 << (ranked.len() - 1 - place);
            bit[b * n + a] = bit[a * n + b];
        }
        let n_sequences = n.pow(n.saturating_sub(2) as u32);
        let best = (0..n_sequences)
            .map(|sequence| tree_of(sequence, n, &bit))
            .max()
            .unwrap();
        let is_in = |(a, b): (usize, usize)| best & bit[a * n + b] != 0;
        ranked
            .into_iter()
            .map(|(pair, _)| pair)
            .filter(|&pair| is_in(pair))
            .collect()
    }

    /// The bits of the edges of the tree with this Prüfer sequence.
    fn tree_of(mut sequence: usize, n: usize, bit: &[u32]) -> u32 {
        let mut degree = [1u8; 8];
        let mut code = [0; 8];
        let code = &mut code[..n - 2];
        for symbol in code.iter_mut() {
            *symbol = sequence % n;
            sequence /= n;
            degree[*symbol] += 1;
        }
        let mut edges = 0;
        for &symbol in code.iter() {
            let leaf = (0..n).find(|&node| degree[node] == 1).unwrap();
            edges |= bit[leaf * n + symbol];
            degree[leaf] = 0;
            degree[symbol] -= 1;
        }
        let mut last = (0..n).filter(|&node| degree[node] == 1);
        edges | bit[last.next().unwrap() * n + last.next().unwrap()]
    }

    #[test]
    fn the_tree_is_the_best_of_all_trees_on_200_random_tables() {
        let mut rng = stream(1, Purpose::Generate, 0);
        for table in 0..200 {
            let n = 2 + table % 7;
            // Few rows of few values: informations tie often, and many are 0.
            let n_rows = rng.random_range(1..40);
            let mut column = |n_values: u32| {
                Codes::new(3, (0..n_rows).map(|_| Some(rng.random_range(0..n_values))))
            };
            let columns: Vec<Codes> = (0..n).map(|i| column(1 + (i as u32 + 1) % 3)).collect();
            let class = column(2);
            let counted = |codes| CountColumn { codes, n_values: 3 };
            let all: Vec<CountColumn<'_>> = columns.iter().map(counted).collect();
            let index = RowIndex::new(&all, counted(&class)).unwrap();
            let pairs: Vec<(usize, usize)> = (0..n)
                .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
                .collect();
            for (tree, weight) in [
                (
                    tan_tree(&index, &Silent).unwrap(),
                    (|pair| pair.given_class) as fn(&PairInformation) -> f64,
                ),
                (chow_liu_tree(&index, &Silent).unwrap(), |pair| pair.mutual),
            ] {
                let weights: Vec<((usize, usize), f64)> = pairs
                    .iter()
                    .map(|&(a, b)| {
                        let counted = index.count_pair(a, b).unwrap();
                        ((a, b), weight(&PairInformation::new(&counted)))
                    })
                    .collect();
                let edges: Vec<(usize, usize)> = tree.edges().collect();
                assert_eq!(edges, best_of_all(n, &weights), "table {table}");
            }
        }
    }

    #[test]
    fn example_1_has_the_trees_its_scores_were_computed_from() {
        // All 32 rows: C = A2 or (A1 xor A4), A6 = A1 or A2 or A4; given C the tree over
        // A1, A2, A4, A6 weighs what makes CALL 0.7523:
        // CALL = sum I(A;C) + W_c - W = 0.311278 + 0.293564 + W_c - W.
        let bit = |row: u32, k: u32| row >> k & 1;
        let column = |rule: &dyn Fn(u32, u32, u32) -> u32| {
            let cells = (0..32).map(|row| Some(rule(bit(row, 4), bit(row, 3), bit(row, 2))));
            Codes::new(2, cells)
        };
        let columns = [
            column(&|a1, _, _| a1),
            column(&|_, a2, _| a2),
            column(&|_, _, a4| a4),
            column(&|a1, a2, a4| a1 | a2 | a4),
        ];
        let class = column(&|a1, a2, a4| a2 | (a1 ^ a4));
        let counted = |codes| CountColumn { codes, n_values: 2 };
        let all: Vec<CountColumn<'_>> = columns.iter().map(counted).collect();
        let index = RowIndex::new(&all, counted(&class)).unwrap();
        let (tan, plain) = (
            tan_tree(&index, &Silent).unwrap(),
            chow_liu_tree(&index, &Silent).unwrap(),
        );
        let information: f64 = (0..4)
            .map(|i| crate::info::SingleInformation::new(&index.count_single(i).unwrap()).mutual)
            .sum();
        let call = information + tan.weight() - plain.weight();
        assert!((call - 0.7523).abs() < 5e-5, "{call}");
        let dag = tan_dag(&tan, 4, None).unwrap();
        assert_eq!(dag.n_arcs(), 3 + 4);
        assert!((0..4).all(|feature| dag.has_arc(4, feature)));
        assert_eq!(dag.parents(0), [4]); // the root
        let other = tan_dag(&tan, 4, Some(3)).unwrap();
        assert_eq!(other.parents(3), [4]);
        assert!(tan_dag(&tan, 3, None).is_err()); // feature 3 would be the class
    }
}
