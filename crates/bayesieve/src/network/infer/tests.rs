use super::*;
use crate::counts::CountColumn;
use crate::data::Codes;
use crate::network::testing::{Shape, all_rows, estimated, random_network, variable};
use crate::network::{Cpt, Dag, Smoothing, Variable};
use crate::random::{Purpose, below, stream};

/// The definition: the sum, over all rows that agree with the evidence, of the product of
/// some tables. `None` where it is 0.
fn by_enumeration(network: &Network, query: Query<'_>, tables: &[usize]) -> Option<Vec<f64>> {
    let n_states: Vec<usize> = network.variables().iter().map(|v| v.states.len()).collect();
    let mut sums = vec![0.0; n_states[query.node]];
    for row in all_rows(&n_states) {
        let agrees = |(i, known): (usize, &Option<u32>)| {
            i == query.node || known.is_none_or(|code| code == row[i])
        };
        if !query.evidence.iter().enumerate().all(agrees) {
            continue;
        }
        let probability = |&node: &usize| {
            let parents: Vec<u32> = network
                .dag()
                .parents(node)
                .iter()
                .map(|&p| row[p])
                .collect();
            network.table(node).row(&parents)[row[node] as usize]
        };
        sums[row[query.node] as usize] += tables.iter().map(probability).product::<f64>();
    }
    let total: f64 = sums.iter().sum();
    (total > 0.0).then(|| sums.iter().map(|sum| sum / total).collect())
}

#[derive(Debug, Clone, Copy)]
struct Query<'a> {
    node: usize,
    evidence: &'a [Option<u32>],
}

/// The tables that hold an unknown node which bears on the query. The others multiply every
/// state alike; where such a table says that the evidence is impossible, nobody notices.
fn bearing(network: &Network, query: Query<'_>) -> Vec<usize> {
    let known: Vec<bool> = query.evidence.iter().map(Option::is_some).collect();
    relevant::Relevant::new(network.dag(), query.node, &known).tables
}

fn assert_close(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (p, e) in found.iter().zip(expected) {
        assert!((p - e).abs() <= 1e-12, "{what}: {found:?} for {expected:?}");
    }
}

#[test]
fn the_posterior_is_that_of_enumeration_whatever_is_known() {
    let mut rng = stream(1, Purpose::Split, 0);
    let (mut n_impossible, mut n_possible) = (0, 0);
    for round in 0..200 {
        let shape = Shape {
            n_nodes: 1 + below(&mut rng, 8) as usize,
            max_states: 4,
            max_parents: 4,
            one_zero_in: if round % 2 == 0 { 0 } else { 4 },
        };
        let network = random_network(shape, &mut rng);
        for _ in 0..4 {
            let node = below(&mut rng, shape.n_nodes as u64) as usize;
            let evidence: Vec<Option<u32>> = network
                .variables()
                .iter()
                .map(|variable| {
                    let code = below(&mut rng, variable.states.len() as u64) as u32;
                    (below(&mut rng, 2) == 0).then_some(code)
                })
                .collect();
            let found = network.posterior(node, &evidence).unwrap();
            let query = Query {
                node,
                evidence: &evidence,
            };
            let all: Vec<usize> = (0..shape.n_nodes).collect();
            let expected = by_enumeration(&network, query, &all)
                .or_else(|| by_enumeration(&network, query, &bearing(&network, query)));
            let what = format!("round {round}, {query:?}");
            match (found, expected) {
                (Some(found), Some(expected)) => {
                    n_possible += 1;
                    assert_close(&found, &expected, &what);
                }
                (None, None) => n_impossible += 1,
                (found, expected) => panic!("{what}: {found:?} for {expected:?}"),
            }
        }
    }
    assert!(
        n_possible > 600 && n_impossible > 5,
        "{n_possible} {n_impossible}"
    );
}

#[test]
fn one_plan_serves_all_rows_of_its_pattern_in_one_buffer() {
    let mut rng = stream(2, Purpose::Split, 0);
    let shape = Shape {
        n_nodes: 7,
        max_states: 3,
        max_parents: 3,
        one_zero_in: 0,
    };
    let mut buffer = PosteriorBuffer::default();
    for _ in 0..20 {
        let network = random_network(shape, &mut rng);
        let known = [true, false, true, false, true, false, true];
        let plan = PosteriorPlan::new(&network, 1, &known).unwrap();
        for _ in 0..5 {
            let row: Vec<u32> = (0..7)
                .map(|node| below(&mut rng, network.n_states(node) as u64) as u32)
                .collect();
            let evidence: Vec<Option<u32>> = row
                .iter()
                .zip(known)
                .map(|(&code, known)| known.then_some(code))
                .collect();
            let expected = network.posterior(1, &evidence).unwrap();
            // Codes of unknown nodes are not looked at, not even wrong ones.
            let with_rubbish: Vec<u32> = evidence.iter().map(|c| c.unwrap_or(99)).collect();
            let found = plan.posterior(&with_rubbish, &mut buffer).unwrap();
            assert_eq!(found, expected.as_deref());
        }
    }
}

/// A class of two states and so many children; child i says class 0 with `given[0](i)`.
fn naive_bayes(n_children: usize, given: [fn(usize) -> f64; 2]) -> Network {
    let mut dag = Dag::new(n_children + 1);
    let mut tables = vec![Cpt::dense(2, vec![], vec![0.25, 0.75]).unwrap()];
    for i in 0..n_children {
        dag.add_arc(0, i + 1).unwrap();
        let rows = given.map(|p| [p(i), 1.0 - p(i)]).concat();
        tables.push(Cpt::dense(2, vec![2], rows).unwrap());
    }
    let variables = (0..=n_children).map(|i| variable(format!("n{i}"), 2));
    Network::new(variables.collect(), dag, tables).unwrap()
}

#[test]
fn a_thousand_children_do_not_underflow() {
    // The first half speaks for class 0 by 10^500, the second for class 1 by as much: both
    // products are 10^-1500 and more, and in between one is 10^-500 of the other.
    let network = naive_bayes(
        1000,
        [
            |i| if i < 500 { 0.01 } else { 0.001 },
            |i| if i < 500 { 0.001 } else { 0.01 },
        ],
    );
    let mut evidence = vec![Some(0); 1001];
    evidence[0] = None;
    let posterior = network.posterior(0, &evidence).unwrap().unwrap();
    assert_close(&posterior, &[0.25, 0.75], "balanced");
}

#[test]
fn a_long_chain_of_unknown_nodes_is_summed_out() {
    // Symmetric steps that stay with probability 0.999: after n of them, the chance of the
    // start's state is (1 + 0.998^n) / 2.
    let n = 800;
    let mut dag = Dag::new(n + 1);
    let mut tables = vec![Cpt::dense(2, vec![], vec![0.5, 0.5]).unwrap()];
    for i in 0..n {
        dag.add_arc(i, i + 1).unwrap();
        tables.push(Cpt::dense(2, vec![2], vec![0.999, 0.001, 0.001, 0.999]).unwrap());
    }
    let variables = (0..=n).map(|i| variable(format!("n{i}"), 2)).collect();
    let network = Network::new(variables, dag, tables).unwrap();
    let mut evidence = vec![None; n + 1];
    evidence[n] = Some(1);
    let p = 0.5 * (1.0 - 0.998f64.powi(n as i32));
    let posterior = network.posterior(0, &evidence).unwrap().unwrap();
    assert_close(&posterior, &[p, 1.0 - p], "from the far end");
}

#[test]
fn what_does_not_bear_on_the_node_costs_nothing() {
    // Forty parents of two states with a common child: 2^41 cells once the child is known.
    let network = tangled();
    let posterior = network.posterior(0, &[None; 41]).unwrap().unwrap();
    assert_close(&posterior, &[0.5, 0.5], "the child is barren");
    let mut evidence = vec![Some(0); 41];
    evidence[0] = None;
    evidence[1] = None;
    // With parents 0 and 1 both 0 the child is 0 for sure; the other three combinations were
    // never seen and have its own frequencies: 1 + 1/2 against 1/2 + 1/2.
    let posterior = network.posterior(0, &evidence).unwrap().unwrap();
    assert_close(&posterior, &[0.6, 0.4], "thirty-eight parents are known");
}

/// Forty parents and their child, node 40, whose table holds the rows seen only.
fn tangled() -> Network {
    let mut dag = Dag::new(41);
    for parent in 0..40 {
        dag.add_arc(parent, 40).unwrap();
    }
    let codes = Codes::new(2, [0, 1].map(Some));
    let columns = [CountColumn {
        codes: &codes,
        n_values: 2,
    }; 41];
    let variables: Vec<Variable> = (0..41).map(|i| variable(format!("n{i}"), 2)).collect();
    estimated(variables, dag, &columns, Smoothing::MaximumLikelihood)
}

#[test]
fn tables_too_large_are_named_with_a_way_out() {
    let mut evidence = [None; 41];
    evidence[40] = Some(0);
    let text = tangled().posterior(0, &evidence).unwrap_err().to_string();
    assert_eq!(
        text,
        "the posterior of \"n0\" needs a table over \"n0\" (2), \"n1\" (2), \"n2\" (2), \
         \"n3\" (2), \"n4\" (2), \"n5\" (2), \"n6\" (2), \"n7\" (2), and 32 more: \
         1,099,511,627,776 cells, limit 67,108,864. \
         Give some of these nodes a value, or use a network with fewer arcs."
    );
}

#[test]
fn a_table_with_some_rows_answers_like_one_with_all() {
    // Two parents of 1,100 values: 2.4 million cells, of which four rows are seen.
    let column = |n_values, codes: [u32; 6]| (Codes::new(n_values, codes.map(Some)), n_values);
    let columns = [
        column(1100, [5, 5, 5, 7, 7, 1099]),
        column(1100, [2, 2, 3, 3, 3, 0]),
        column(2, [0, 1, 1, 0, 1, 1]),
    ];
    let columns = columns.each_ref().map(|(codes, n_values)| CountColumn {
        codes,
        n_values: *n_values,
    });
    let mut dag = Dag::new(3);
    dag.add_arc(0, 2).unwrap();
    dag.add_arc(1, 2).unwrap();
    let variables = vec![variable("a", 1100), variable("b", 1100), variable("c", 2)];
    let smoothing = Smoothing::Laplace(1.0);
    let network = estimated(variables, dag, &columns, smoothing);
    assert!(network.table(2).as_dense().is_none());

    // c given both parents: a row seen (1 and 2 of 3) and one never seen.
    let c = |a, b| {
        network
            .posterior(2, &[Some(a), Some(b), None])
            .unwrap()
            .unwrap()
    };
    assert_close(&c(7, 3), &[0.5, 0.5], "two rows, one each");
    assert_close(&c(5, 3), &[1.0 / 3.0, 2.0 / 3.0], "one row");
    assert_close(&c(0, 0), &[0.5, 0.5], "never seen");

    // a given b = 3 and c = 1: P(a) P(c = 1 | a, b), over a by definition.
    let found = network
        .posterior(0, &[None, Some(3), Some(1)])
        .unwrap()
        .unwrap();
    let weight = |a: u32| {
        let prior = network.table(0).row(&[])[a as usize];
        prior * network.table(2).row(&[a, 3])[1]
    };
    let total: f64 = (0..1100).map(weight).sum();
    let expected: Vec<f64> = (0..1100).map(|a| weight(a) / total).collect();
    assert_close(&found, &expected, "a given b and c");

    // The same with b summed out.
    let found = network
        .posterior(0, &[None, None, Some(1)])
        .unwrap()
        .unwrap();
    let weight = |a: u32| -> f64 {
        let prior = |node: usize, code: u32| network.table(node).row(&[])[code as usize];
        let given = |b: u32| prior(1, b) * network.table(2).row(&[a, b])[1];
        prior(0, a) * (0..1100).map(given).sum::<f64>()
    };
    let weights: Vec<f64> = (0..1100).map(weight).collect();
    let total: f64 = weights.iter().sum();
    let expected: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
    assert_close(&found, &expected, "a given c");
}

#[test]
fn nodes_of_one_state_are_as_good_as_known() {
    let mut dag = Dag::new(3);
    dag.add_arc(0, 1).unwrap(); // two states → one state ← two states
    dag.add_arc(2, 1).unwrap();
    let tables = vec![
        Cpt::dense(2, vec![], vec![0.25, 0.75]).unwrap(),
        Cpt::dense(1, vec![2, 2], vec![1.0; 4]).unwrap(),
        Cpt::dense(2, vec![], vec![0.5, 0.5]).unwrap(),
    ];
    let variables = vec![variable("a", 2), variable("b", 1), variable("c", 2)];
    let network = Network::new(variables, dag, tables).unwrap();
    let of = |node, b| network.posterior(node, &[None, b, None]).unwrap().unwrap();
    assert_close(&of(0, None), &[0.25, 0.75], "b unknown");
    assert_close(&of(0, Some(0)), &[0.25, 0.75], "b known");
    assert_close(&of(1, None), &[1.0], "b itself");
}

#[test]
fn nodes_states_and_rows_that_do_not_exist_are_errors() {
    let network = naive_bayes(2, [|_| 0.5, |_| 0.5]);
    assert!(network.posterior(3, &[None; 3]).is_err());
    assert!(network.posterior(0, &[None; 2]).is_err());
    assert!(network.posterior(0, &[None, Some(2), None]).is_err());
    // What is said of the node itself does not count.
    assert!(network.posterior(0, &[Some(2), None, None]).is_ok());
    let plan = PosteriorPlan::new(&network, 0, &[false, true, true]).unwrap();
    let mut buffer = PosteriorBuffer::default();
    assert_eq!(plan.evidence(), [1, 2]);
    assert!(plan.posterior(&[0, 0], &mut buffer).is_err());
    assert!(plan.posterior(&[0, 0, 2], &mut buffer).is_err());
    assert!(plan.posterior(&[9, 0, 1], &mut buffer).is_ok());
    assert!(PosteriorPlan::new(&network, 0, &[false; 2]).is_err());
}
