//! The part of a network that bears on one node.
//!
//! A node without a known descendant sums out to 1 (it is barren), so only ancestors of the
//! query and of known nodes count. Among these, what is cut off from the query by known
//! nodes in the moral graph is d-separated from it and multiplies every state alike.

use crate::network::Dag;

/// What a posterior depends on.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Relevant {
    /// The query and the unknown nodes that must be summed out, rising.
    pub(super) hidden: Vec<usize>,
    /// The nodes whose tables are multiplied, rising.
    pub(super) tables: Vec<usize>,
}

impl Relevant {
    /// For one query; it is unknown whatever `is_known` says of it.
    pub(super) fn new(dag: &Dag, query: usize, is_known: &[bool]) -> Self {
        let is_hidden = |node: usize| node == query || !is_known[node];
        let is_ancestor = ancestors(dag, query, is_known);
        let mut is_reached = vec![false; dag.n_nodes()];
        let mut is_multiplied = vec![false; dag.n_nodes()];
        is_reached[query] = true;
        let mut open = vec![query];
        while let Some(node) = open.pop() {
            let children = dag.children(node).iter();
            let families = children.filter(|&&child| is_ancestor[child]).chain([&node]);
            for &member in families {
                if std::mem::replace(&mut is_multiplied[member], true) {
                    continue;
                }
                for &other in dag.parents(member).iter().chain([&member]) {
                    if is_hidden(other) && !std::mem::replace(&mut is_reached[other], true) {
                        open.push(other);
                    }
                }
            }
        }
        Relevant {
            hidden: positions(&is_reached),
            tables: positions(&is_multiplied),
        }
    }
}

/// The query, the known nodes and all nodes above them.
fn ancestors(dag: &Dag, query: usize, is_known: &[bool]) -> Vec<bool> {
    let mut is_ancestor = vec![false; dag.n_nodes()];
    let mut open = positions(is_known);
    open.push(query);
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut is_ancestor[node], true) {
            open.extend(dag.parents(node));
        }
    }
    is_ancestor
}

fn positions(flags: &[bool]) -> Vec<usize> {
    (0..flags.len()).filter(|&i| flags[i]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 → 1 → 2 → 3 and 4 → 2.
    fn dag() -> Dag {
        let mut dag = Dag::new(5);
        for (from, to) in [(0, 1), (1, 2), (2, 3), (4, 2)] {
            dag.add_arc(from, to).unwrap();
        }
        dag
    }

    #[track_caller]
    fn check(query: usize, known: &[usize], hidden: &[usize], tables: &[usize]) {
        let is_known: Vec<bool> = (0..5).map(|node| known.contains(&node)).collect();
        let relevant = Relevant::new(&dag(), query, &is_known);
        assert_eq!(
            relevant.hidden, hidden,
            "hidden for {query} given {known:?}"
        );
        assert_eq!(
            relevant.tables, tables,
            "tables for {query} given {known:?}"
        );
    }

    #[test]
    fn nodes_below_the_query_are_barren() {
        check(1, &[], &[0, 1], &[0, 1]);
    }

    #[test]
    fn a_known_descendant_opens_the_way_to_the_other_parent() {
        check(1, &[3], &[0, 1, 2, 4], &[0, 1, 2, 3, 4]);
    }

    #[test]
    fn a_known_node_cuts_off_what_is_behind_it() {
        check(3, &[2], &[3], &[3]);
        check(0, &[1, 3], &[0], &[0, 1]);
    }

    #[test]
    fn what_is_known_of_the_query_itself_does_not_count() {
        check(0, &[0, 1], &[0], &[0, 1]);
    }
}
