use super::*;
use crate::Silent;
use crate::counts::CountColumn;
use crate::network::testing::{Shape, all_rows, estimated, random_network, variable};
use crate::network::{Dag, Smoothing};
use crate::testing::assert_stops;

fn network(shape: Shape, seed: u64) -> Network {
    random_network(shape, &mut stream(seed, Purpose::Split, 0))
}

const SMALL: Shape = Shape {
    n_nodes: 5,
    max_states: 4,
    max_parents: 3,
    one_zero_in: 4,
};

/// A node without parents.
fn single(probabilities: Vec<f64>) -> Network {
    let n_states = probabilities.len();
    let table = Cpt::dense(n_states, vec![], probabilities).unwrap();
    Network::new(vec![variable("a", n_states)], Dag::new(1), vec![table]).unwrap()
}

/// How often every row occurs.
fn counts(columns: &[Codes], rows: &[Vec<u32>]) -> Vec<u64> {
    let mut counts = vec![0; rows.len()];
    for row in 0..columns[0].len() {
        let drawn: Vec<u32> = columns.iter().map(|c| c.get(row).unwrap()).collect();
        counts[rows.binary_search(&drawn).unwrap()] += 1;
    }
    counts
}

#[test]
fn rows_come_as_often_as_their_probability_says() {
    let n = 100_000;
    for seed in 0..5 {
        let network = network(SMALL, seed);
        let n_states: Vec<usize> = network.variables().iter().map(|v| v.states.len()).collect();
        let rows = all_rows(&n_states);
        let counts = counts(&network.sample_codes(n, seed, &Silent).unwrap(), &rows);
        let mut n_impossible = 0;
        for (row, &count) in rows.iter().zip(&counts) {
            let p = network.ln_probability(row).exp();
            if p == 0.0 {
                n_impossible += 1;
                assert_eq!(count, 0, "{row:?} is impossible");
            }
            // Five standard deviations, and one row for the probabilities too small for them.
            let expected = n as f64 * p;
            let limit = 5.0 * (expected * (1.0 - p)).sqrt() + 1.0;
            assert!(
                (count as f64 - expected).abs() <= limit,
                "{row:?}: {count} for {expected}"
            );
        }
        assert!(n_impossible > 0);
    }
}

#[test]
fn states_of_probability_zero_are_never_drawn() {
    let cases: [(&[f64], &[u32]); 4] = [
        (&[0.0, 1.0, 0.0], &[1]),
        (&[0.5, 0.0, 0.5, 0.0], &[0, 2]),
        (&[0.0, 0.0, 1.0], &[2]),
        // Ten states are searched for, not compared with.
        (
            &[0.0, 0.1, 0.0, 0.2, 0.0, 0.3, 0.0, 0.4, 0.0, 0.0],
            &[1, 3, 5, 7],
        ),
    ];
    for (probabilities, expected) in cases {
        let network = single(probabilities.to_vec());
        let columns = network.sample_codes(10_000, 1, &Silent).unwrap();
        let mut seen: Vec<u32> = columns[0].iter().flatten().collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, expected, "{probabilities:?}");
    }
}

#[test]
fn the_last_possible_state_ends_above_every_number() {
    // 0.1 ten times over is 0.9999999999999999, which still has to mean "always".
    let mut row = vec![0.1; 10];
    row.push(0.0);
    assert_eq!(thresholds(&row).last(), Some(1 << DRAWN_BITS));
    // A state that cannot be ends where the one before ends.
    let ends: Vec<u64> = thresholds(&[0.25, 0.0, 0.75]).collect();
    assert_eq!(ends, [1 << (DRAWN_BITS - 2); 2]);
    // Sums are divided out: a third each, whatever they are thirds of.
    let ends: Vec<u64> = thresholds(&[0.3333, 0.3333, 0.3333]).collect();
    assert_eq!(ends[0].abs_diff((1 << DRAWN_BITS) / 3) >> 11, 0);
}

#[test]
fn threads_and_length_change_no_row() {
    let network = network(SMALL, 7);
    let n_rows = 2 * BLOCK_ROWS + 100;
    let drawn = |n_threads, n_rows| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
        let pool = pool.build().unwrap();
        pool.install(|| network.sample_codes(n_rows, 3, &Silent).unwrap())
    };
    let all = drawn(1, n_rows);
    assert_eq!(all, drawn(3, n_rows));
    for shorter in [0, 1, BLOCK_ROWS, BLOCK_ROWS + 1] {
        for (long, short) in all.iter().zip(drawn(2, shorter)) {
            assert!(short.iter().eq(long.iter().take(shorter)), "{shorter} rows");
        }
    }
    assert_ne!(all, network.sample_codes(n_rows, 4, &Silent).unwrap());
}

#[test]
fn nodes_draw_different_numbers() {
    // Two fair coins that know nothing of each other agree half of the time.
    let coin = || Cpt::dense(2, vec![], vec![0.5, 0.5]).unwrap();
    let variables = vec![variable("a", 2), variable("b", 2)];
    let network = Network::new(variables, Dag::new(2), vec![coin(), coin()]).unwrap();
    let columns = network.sample_codes(10_000, 1, &Silent).unwrap();
    let pairs = columns[0].iter().zip(columns[1].iter());
    let n_equal = pairs.filter(|(a, b)| a == b).count();
    assert!(n_equal.abs_diff(5_000) < 250, "{n_equal}");
}

#[test]
fn a_seed_draws_these_rows_for_ever() {
    // Three coins; the last two rows of each are in the second block.
    let coin = || Cpt::dense(3, vec![], vec![0.2, 0.3, 0.5]).unwrap();
    let variables = ["a", "b", "c"].map(|name| variable(name, 3)).to_vec();
    let network = Network::new(variables, Dag::new(3), vec![coin(), coin(), coin()]).unwrap();
    let columns = network.sample_codes(BLOCK_ROWS + 2, 1, &Silent).unwrap();
    let drawn = columns.iter().map(|column| {
        let rows = (0..6).chain(BLOCK_ROWS..BLOCK_ROWS + 2);
        rows.map(|row| column.get(row).unwrap()).collect::<Vec<_>>()
    });
    let expected = [
        [2, 2, 0, 2, 2, 2, 2, 1],
        [2, 2, 1, 0, 2, 0, 2, 2],
        [1, 0, 1, 0, 2, 2, 2, 1],
    ];
    assert_eq!(drawn.collect::<Vec<_>>(), expected);
}

#[test]
fn a_table_that_holds_some_rows_is_drawn_from_like_any_other() {
    // Two parents of 1,100 values each and their child: 2.4 million cells. Both parents are
    // always 3 or 4 and equal, and the child says which.
    let parent = Codes::new(1100, [3, 4].map(Some));
    let child = Codes::new(2, [0, 1].map(Some));
    let columns = [(&parent, 1100), (&parent, 1100), (&child, 2)]
        .map(|(codes, n_values)| CountColumn { codes, n_values });
    let mut dag = Dag::new(3);
    for (from, to) in [(0, 1), (0, 2), (1, 2)] {
        dag.add_arc(from, to).unwrap();
    }
    let variables = vec![variable("a", 1100), variable("b", 1100), variable("c", 2)];
    let smoothing = Smoothing::MaximumLikelihood;
    let network = estimated(variables, dag, &columns, smoothing);
    assert!(network.table(2).as_dense().is_none());
    let drawn = network.sample_codes(1000, 1, &Silent).unwrap();
    assert!(matches!(drawn[0], Codes::U16(_)));
    for row in 0..1000 {
        let [a, b, c] = [0, 1, 2].map(|node: usize| drawn[node].get(row).unwrap());
        assert!((a == 3 || a == 4) && b == a && c == a - 3, "{a} {b} {c}");
    }
    let n_fours = drawn[2].iter().filter(|&c| c == Some(1)).count();
    assert!(n_fours.abs_diff(500) < 80, "{n_fours}");
}

#[test]
fn a_drawn_table_has_the_nodes_states_in_their_order() {
    let mut states = variable("size", 3);
    states.states = ["small", "large", "huge"].map(String::from).to_vec();
    let table = Cpt::dense(3, vec![], vec![0.0, 1.0, 0.0]).unwrap();
    let network = Network::new(vec![states], Dag::new(1), vec![table]).unwrap();
    let drawn = network.sample(5, 1, &Silent).unwrap();
    let column = drawn.column("size").unwrap();
    assert_eq!(column.origin(), KindOrigin::Derived);
    let nominal = column.as_nominal().unwrap();
    assert_eq!(nominal.domain.labels(), ["small", "large", "huge"]);
    assert_eq!(nominal.codes, Codes::U8(vec![1; 5]));
}

#[test]
fn impossible_numbers_of_rows_are_refused() {
    let network = single(vec![1.0]);
    for n_rows in [0, u32::MAX as usize + 1, usize::MAX] {
        let error = network.sample(n_rows, 1, &Silent).unwrap_err();
        assert_eq!(error.kind(), crate::ErrorKind::Usage, "{n_rows}");
    }
}

#[test]
fn drawing_stops_when_it_is_cancelled() {
    let network = network(SMALL, 1);
    let n_rows = 20 * BLOCK_ROWS;
    assert_stops(20, |observer| network.sample(n_rows, 1, observer));
}
