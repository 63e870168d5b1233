//! Chow-Liu trees: the tree-shaped network of largest likelihood.
//!
//! Paper: Chow and Liu, 1968. The likelihood of a tree is that of the isolated features
//! plus N times the mutual information of its edges, so the best tree is the maximum
//! spanning tree over I(A; B). Its likelihood does not depend on the root.
//! Cost: one pass of pair counts, O(n² N); the tree itself O(n²).
//! Where the paper is silent: ties go to the lower pair, edges of information 0 are kept,
//! the root is the first feature.
//!
//! Chow, C. and Liu, C. (1968). Approximating discrete probability distributions with
//! dependence trees. IEEE Transactions on Information Theory 14, 462-467.

use super::SpanningTree;
use super::pairs::for_each_column;
use crate::counts::RowIndex;
use crate::info::PairInformation;
use crate::network::Dag;
use crate::{Observer, Result};

/// The maximum spanning tree over the mutual information of the features, in bits.
///
/// # Errors
/// The observer cancelled.
///
/// # Cost
/// All pair tables, counted once; memory for one batch of pairs at a time.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::counts::RowIndex;
/// use bayesieve::data::Nominal;
/// use bayesieve::network::learn::{chow_liu_dag, chow_liu_tree};
///
/// let a = Nominal::from_labels(["0", "0", "1", "1"].map(Some));
/// let b = Nominal::from_labels(["0", "1", "0", "1"].map(Some));
/// let copy_of_a = a.clone();
/// let index = RowIndex::new(&[(&a).into(), (&b).into(), (&copy_of_a).into()], (&b).into())?;
/// let tree = chow_liu_tree(&index, &Silent)?;
/// // The copies belong together; b is joined by a pair that tells nothing.
/// assert_eq!(tree.edges().collect::<Vec<_>>(), [(0, 2), (0, 1)]);
/// assert_eq!(tree.weight(), 1.0);
/// assert_eq!(chow_liu_dag(&tree, 3, None)?.parents(2), [0]);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn chow_liu_tree(index: &RowIndex<'_>, observer: &dyn Observer) -> Result<SpanningTree> {
    information_tree(index, observer, |pair| pair.mutual)
}

/// A tree's edges directed away from the root, over `n_nodes` nodes; nodes outside the
/// tree stay isolated. Without a root it is the lowest node of the tree.
///
/// # Errors
/// A node of the tree is not below `n_nodes`, or the root is no node of the tree.
pub fn chow_liu_dag(tree: &SpanningTree, n_nodes: usize, root: Option<usize>) -> Result<Dag> {
    let arcs = root.map_or_else(|| Ok(tree.arcs()), |root| tree.arcs_from(root))?;
    let mut dag = Dag::new(n_nodes);
    for (parent, child) in arcs {
        dag.add_arc(parent, child)?;
    }
    Ok(dag)
}

/// The maximum spanning tree over one of the informations of every pair of features.
pub(super) fn information_tree(
    index: &RowIndex<'_>,
    observer: &dyn Observer,
    weight: fn(&PairInformation) -> f64,
) -> Result<SpanningTree> {
    let mut tree = SpanningTree::default();
    // Features join one by one, each with its pairs to those before it: the list of all
    // pairs is never held, let alone sorted.
    for_each_column(
        index,
        observer,
        |table| weight(&PairInformation::new(table)),
        |feature, weights| {
            tree = tree.extend(feature, &weights)?;
            Ok(())
        },
    )?;
    Ok(tree)
}
