//! The worked example, and the pseudocode taken by its word on random tables.

use std::cell::Cell;
use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::Silent;
use crate::counts::CountColumn;
use crate::data::Codes;
use crate::network::learn::LocalScore;
use crate::stats::chi_square_tail;
use crate::testing::assert_stops;

fn counted(columns: &[Codes], n_values: usize) -> Vec<CountColumn<'_>> {
    let column = |codes| CountColumn { codes, n_values };
    columns.iter().map(column).collect()
}

fn scorer<'a>(columns: &[CountColumn<'a>]) -> FamilyScorer<'a> {
    FamilyScorer::new(columns, LocalScore::K2).unwrap()
}

/// Counts over (a, b, c): c leans on both, a and b are exactly independent; 80 rows.
fn v_structure() -> Vec<Codes> {
    let times = [18, 2, 4, 16, 4, 16, 2, 18];
    let column = |bit: u32| {
        let cells = (0..8u32).flat_map(|i| vec![Some(i >> bit & 1); times[i as usize]]);
        Codes::new(2, cells)
    };
    vec![column(2), column(1), column(0)]
}

#[test]
fn the_worked_v_structure_comes_out() {
    let columns = v_structure();
    let scorer = scorer(&counted(&columns, 2));
    let network = cb(&scorer, CbOptions::default(), CbStop::Score, &Silent).unwrap();
    assert_eq!(network.dag.arcs().collect::<Vec<_>>(), [(0, 2), (1, 2)]);
    let close = |score: f64, expected: f64| {
        assert!((score - expected).abs() < 5e-7, "{score} is not {expected}");
    };
    close(network.quality, -154.496131);
    for (node, expected) in [(0, -57.426294), (1, -57.426294), (2, -39.643543)] {
        close(
            scorer.score(node, network.dag.parents(node)).unwrap(),
            expected,
        );
    }
    // Order 0 removes a - b; order 1 removes nothing, the score stays, so that is the end.
    assert_eq!(network.rounds.len(), 2);
    for round in &network.rounds {
        assert_eq!((round.n_edges, &round.node_order[..]), (2, &[0, 1, 2][..]));
    }
    let other = k2(&scorer, &[2, 0, 1], K2Options::default(), &Silent).unwrap();
    close(scorer.score_dag(&other).unwrap(), -155.109340);
}

#[test]
fn a_chain_is_separated_by_its_middle_and_has_no_collider() {
    // 0 → 1 → 2, each the one before it in 7 of 8 rows; 512 rows.
    let column = |rule: &dyn Fn(u32) -> u32| Codes::new(2, (0..512).map(|i| Some(rule(i))));
    let first = |i: u32| i & 1;
    let second = move |i: u32| first(i) ^ u32::from(i >> 1 & 7 == 0);
    let third = move |i: u32| second(i) ^ u32::from(i >> 4 & 7 == 0);
    let columns = [column(&first), column(&second), column(&third)];
    let columns = counted(&columns, 2);
    let tests = Independence {
        columns: &columns,
        n_rows: 512,
        alpha: 0.05,
        power: PowerRule::FiveRowsPerCell,
    };
    let mut skeleton = Skeleton::new(3);
    skeleton.thin(&tests, 0, &Silent).unwrap();
    assert_eq!(skeleton.graph().edges().len(), 3);
    skeleton.thin(&tests, 1, &Silent).unwrap();
    assert_eq!(skeleton.graph().edges(), [(0, 1), (1, 2)]);
    assert_eq!(skeleton.separator(0, 2), [1]);
    let graph = orient::direct_colliders(&skeleton, &Silent).unwrap();
    assert!(graph.plain.has(0, 1) && graph.plain.has(1, 2));
}

#[test]
fn the_search_goes_on_while_the_quality_rises() {
    let columns = v_structure();
    let scorer = scorer(&counted(&columns, 2));
    for (qualities, n_rounds, best) in [
        ([0.5, 0.5, 0.9, 0.9], 2, 0.5),
        ([0.5, 0.6, 0.6, 0.9], 3, 0.6),
        ([0.5, 0.4, 0.9, 0.9], 2, 0.5),
        // Three nodes: no set of two neighbors is left in round 2, so none follows.
        ([0.1, 0.2, 0.3, 0.4], 3, 0.3),
    ] {
        let n_calls = Cell::new(0);
        let quality = |_: &Dag| {
            n_calls.set(n_calls.get() + 1);
            Ok(qualities[n_calls.get() - 1])
        };
        let stop = CbStop::Quality(&quality);
        let network = cb(&scorer, CbOptions::default(), stop, &Silent).unwrap();
        assert_eq!((network.rounds.len(), network.quality), (n_rounds, best));
        assert_eq!(n_calls.get(), n_rounds);
    }
    let refuse = |_: &Dag| Err(Error::data("no accuracy"));
    let stop = CbStop::Quality(&refuse);
    assert!(cb(&scorer, CbOptions::default(), stop, &Silent).is_err());
}

#[test]
fn a_node_may_be_told_to_come_first() {
    // The tests give a, b, c; with c first K2 finds what the worked numbers have for c, a, b.
    let columns = v_structure();
    let columns = counted(&columns, 2);
    let options = CbOptions {
        first: Some(2),
        ..CbOptions::default()
    };
    let network = cb(&scorer(&columns), options, CbStop::Score, &Silent).unwrap();
    assert_eq!(network.rounds[0].node_order, [2, 0, 1]);
    assert!((network.quality + 155.109340).abs() < 5e-7);
}

#[test]
fn empty_and_constant_columns_and_bad_levels_are_met_calmly() {
    let learn = |columns: &[CountColumn<'_>], alpha| {
        let options = CbOptions {
            alpha,
            ..CbOptions::default()
        };
        cb(&scorer(columns), options, CbStop::Score, &Silent)
    };
    assert_eq!(learn(&[], 0.05).unwrap().dag.n_nodes(), 0);
    let no_rows = [Codes::new(2, []), Codes::new(2, [])];
    assert_eq!(learn(&counted(&no_rows, 2), 0.05).unwrap().dag.n_arcs(), 0);
    let no_values = [Codes::new(1, [None; 20]), Codes::new(1, [None; 20])];
    for n_values in [0, 1] {
        let columns = counted(&no_values, n_values);
        assert_eq!(learn(&columns, 0.05).unwrap().dag.n_arcs(), 0);
    }
    // A constant among three nodes that hang together stays isolated.
    let mut columns = v_structure();
    columns.push(Codes::new(2, [Some(0); 80]));
    let network = learn(&counted(&columns, 2), 0.05).unwrap();
    assert_eq!(network.rounds[0].n_edges, 2);
    assert!(network.dag.boundary(3).is_empty());
    for alpha in [-0.1, 1.1, f64::NAN] {
        assert!(learn(&counted(&columns, 2), alpha).is_err(), "{alpha}");
    }
}

#[test]
fn tables_too_large_for_a_test_are_refused_unless_the_rule_forbids_the_test() {
    let cells = || (0..50u32).map(Some);
    let columns = [Codes::new(70_000, cells()), Codes::new(70_000, cells())];
    let columns = counted(&columns, 70_000);
    let with = |power| {
        let options = CbOptions {
            power,
            ..CbOptions::default()
        };
        cb(&scorer(&columns), options, CbStop::Score, &Silent)
    };
    let text = with(PowerRule::Off).unwrap_err().to_string();
    assert!(text.contains("Bin columns"), "{text}");
    assert_eq!(
        with(PowerRule::FiveRowsPerCell).unwrap().rounds[0].n_edges,
        1
    );
}

#[test]
fn every_step_stops_when_it_is_cancelled() {
    // Twelve columns, each leaning on the one before.
    let cell = |node: u32, row: u32| {
        let own = row.wrapping_mul(2_654_435_761 + 40 * node) >> 9;
        if own.is_multiple_of(3) {
            own >> 3 & 1
        } else {
            row >> (node / 3) & 1
        }
    };
    let column = |node: u32| Codes::new(2, (0..400).map(|row| Some(cell(node, row))));
    let columns: Vec<Codes> = (0..12).map(column).collect();
    let columns = counted(&columns, 2);
    for score in [LocalScore::K2, LocalScore::Bic] {
        // Scores must not be remembered from run to run: looks would be fewer.
        assert_stops(100, |observer| {
            let scorer = FamilyScorer::new(&columns, score)?;
            cb(&scorer, CbOptions::default(), CbStop::Score, observer)
        });
    }
}

/// The test as the definition has it: Pearson's statistic over the layers of S.
fn is_independent(rows: &[Vec<Option<u32>>], a: usize, b: usize, given: &[usize]) -> bool {
    let mut layers: BTreeMap<Vec<u32>, Vec<(u32, u32)>> = BTreeMap::new();
    for row in rows {
        let layer: Option<Vec<u32>> = given.iter().map(|&node| row[node]).collect();
        if let (Some(layer), Some(a), Some(b)) = (layer, row[a], row[b]) {
            layers.entry(layer).or_default().push((a, b));
        }
    }
    let (mut statistic, mut freedom) = (0.0, 0.0);
    for cells in layers.values() {
        let count = |is_in: &dyn Fn(&(u32, u32)) -> bool| {
            cells.iter().filter(|cell| is_in(cell)).count() as f64
        };
        let seen_a: Vec<u32> = (0..3).filter(|&v| count(&|c| c.0 == v) > 0.0).collect();
        let seen_b: Vec<u32> = (0..3).filter(|&v| count(&|c| c.1 == v) > 0.0).collect();
        freedom += (seen_a.len() - 1) as f64 * (seen_b.len() - 1) as f64;
        for &v in &seen_a {
            for &w in &seen_b {
                let expected = count(&|c| c.0 == v) * count(&|c| c.1 == w) / cells.len() as f64;
                statistic += (count(&|c| *c == (v, w)) - expected).powi(2) / expected;
            }
        }
    }
    freedom == 0.0 || chi_square_tail(statistic, freedom).unwrap().p > 0.05
}

/// All subsets of a size, in lexicographic order.
fn subsets(nodes: &[usize], size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let with = |at: usize| {
        let behind = subsets(&nodes[at + 1..], size - 1);
        behind
            .into_iter()
            .map(move |set| [&nodes[at..=at], &set].concat())
    };
    (0..nodes.len()).flat_map(with).collect()
}

/// Step a of the pseudocode, word by word, for one order.
fn thin_plainly(
    edges: &mut Vec<(usize, usize)>,
    separators: &mut BTreeMap<(usize, usize), Vec<usize>>,
    rows: &[Vec<Option<u32>>],
    (order, power): (usize, PowerRule),
) {
    for (a, b) in edges.clone() {
        let is_edge = |x: usize, y: usize| edges.contains(&(x.min(y), x.max(y)));
        let others: Vec<usize> = (0..rows[0].len())
            .filter(|&c| c != a && c != b && (is_edge(a, c) || is_edge(b, c)))
            .collect();
        let has_power = power == PowerRule::Off || rows.len() >= 5 * 3usize.pow(order as u32 + 2);
        let found = subsets(&others, order)
            .into_iter()
            .find(|set| has_power && is_independent(rows, a, b, set));
        if let Some(set) = found {
            edges.retain(|&edge| edge != (a, b));
            separators.insert((a, b), set);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn skeletons_follow_the_pseudocode(
        n in 2usize..7,
        drawn in prop::collection::vec((0u32..20, 0u32..4), 6 * 160),
        n_rows in 1usize..160,
        is_off in any::<bool>(),
    ) {
        let power = if is_off { PowerRule::Off } else { PowerRule::FiveRowsPerCell };
        // Nodes lean on the two before them; about one cell in 40 is missing.
        let mut rows: Vec<Vec<Option<u32>>> = vec![Vec::new(); n_rows];
        for (at, row) in rows.iter_mut().enumerate() {
            for node in 0..n {
                let (kind, value) = drawn[node * 160 + at];
                let left = |by: usize| node.checked_sub(by).and_then(|i| row[i]);
                row.push(match (kind, value) {
                    (0, 0..=1) => None,
                    (1..=8, _) => left(1).or(Some(value % 3)),
                    (9..=14, _) => left(2).or(Some(value % 3)),
                    _ => Some(value % 3),
                });
            }
        }
        let columns: Vec<Codes> = (0..n)
            .map(|node| Codes::new(3, rows.iter().map(|row| row[node])))
            .collect();
        let columns = counted(&columns, 3);
        let tests = Independence { columns: &columns, n_rows, alpha: 0.05, power };
        let mut skeleton = Skeleton::new(n);
        let mut edges = skeleton.graph().edges();
        let mut separators = BTreeMap::new();
        for order in 0..=4 {
            skeleton.thin(&tests, order, &Silent).unwrap();
            thin_plainly(&mut edges, &mut separators, &rows, (order, power));
            prop_assert_eq!(skeleton.graph().edges(), edges.clone(), "order {}", order);
        }
        for ((a, b), separator) in separators {
            prop_assert_eq!(skeleton.separator(a, b), separator);
        }
        // The way for tables too large for batches.
        let others: Vec<usize> = (2..n).collect();
        for given in (0..=others.len()).flat_map(|size| subsets(&others, size)) {
            let expected = is_independent(&rows, 0, 1, &given);
            prop_assert_eq!(tests.test_sparse((0, 1), &given).unwrap(), expected);
        }
    }

    #[test]
    fn the_order_of_rows_changes_nothing(
        cells in prop::collection::vec(0u32..3, 5 * 60),
        keys in prop::collection::vec(any::<u32>(), 60),
    ) {
        // Every column leans on the first.
        let cell = |node: usize, row: usize| {
            let (first, own) = (cells[row], cells[node * 60 + row]);
            Some(if own == 0 { first } else { own })
        };
        let column = |node: usize, order: &[usize]| {
            Codes::new(3, order.iter().map(|&row| cell(node, row)))
        };
        let plain: Vec<usize> = (0..60).collect();
        let mut mixed = plain.clone();
        mixed.sort_by_key(|&row| keys[row]);
        let learn = |order: &[usize]| {
            let columns: Vec<Codes> = (0..5).map(|node| column(node, order)).collect();
            let scorer = scorer(&counted(&columns, 3));
            cb(&scorer, CbOptions::default(), CbStop::Score, &Silent).unwrap()
        };
        prop_assert_eq!(learn(&plain), learn(&mixed));
    }
}
