//! Boundaries against worked numbers, textbook versions, and odd tables.

mod reference;

use std::time::Duration;

use reference::Plain;

use super::*;
use crate::counts::CountColumn;
use crate::data::Codes;
use crate::network::learn::PowerRule;
use crate::network::testing::{Shape, random_network};
use crate::random::{Purpose, below, stream};
use crate::score::testing::{example1, features};
use crate::search::{Action, Limits, Stop};
use crate::stats::DegreesOfFreedom;
use crate::{Observer, Silent};

/// Columns that own their cells.
struct Columns {
    codes: Vec<Codes>,
    n_values: Vec<usize>,
}

impl Columns {
    /// Example 1: A1 to A8 are nodes 0 to 7, the class is node 8.
    fn example1(n_rows: usize) -> Self {
        let table = example1(n_rows);
        let mut nominals = features(&table);
        nominals.push(&table.class);
        Columns {
            codes: nominals.iter().map(|n| n.codes.clone()).collect(),
            n_values: nominals.iter().map(|n| n.n_values()).collect(),
        }
    }

    /// Rows drawn from a random network.
    fn drawn(seed: u64, n_nodes: usize, n_rows: usize) -> Self {
        let mut rng = stream(seed, Purpose::Generate, 3);
        let shape = Shape {
            n_nodes,
            max_states: 3,
            max_parents: 2,
            one_zero_in: if seed.is_multiple_of(4) { 5 } else { 0 },
        };
        let network = random_network(shape, &mut rng);
        Columns {
            codes: network.sample_codes(n_rows, seed, &Silent).unwrap(),
            n_values: (0..n_nodes)
                .map(|node| network.variables()[node].states.len())
                .collect(),
        }
    }

    fn from(columns: Vec<(usize, Vec<u32>)>) -> Self {
        let code = |(n, cells): &(usize, Vec<u32>)| Codes::new(*n, cells.iter().map(|&c| Some(c)));
        Columns {
            codes: columns.iter().map(code).collect(),
            n_values: columns.iter().map(|column| column.0).collect(),
        }
    }

    fn columns(&self) -> Vec<CountColumn<'_>> {
        let columns = self.codes.iter().zip(&self.n_values);
        columns
            .map(|(codes, &n_values)| CountColumn { codes, n_values })
            .collect()
    }

    fn tests(&self, options: TestOptions) -> IndependenceTests<'_> {
        IndependenceTests::new(&self.columns(), options).unwrap()
    }
}

fn found_by_iamb(tests: &IndependenceTests<'_>, class: usize, options: IambOptions) -> Boundary {
    iamb(tests, class, &options, &Limits::new(&Silent)).unwrap()
}

fn found_by_pc(tests: &IndependenceTests<'_>, class: usize, options: PcOptions) -> Boundary {
    pc_boundary(tests, class, &options, &Limits::new(&Silent)).unwrap()
}

fn assert_close(value: f64, expected: f64, tolerance: f64) {
    assert!(
        (value - expected).abs() < tolerance,
        "{value} is not {expected}"
    );
}

/// Settings of tests, some of each kind.
fn options_of(seed: u64) -> TestOptions {
    TestOptions {
        alpha: [0.05, 0.01, 0.2][(seed % 3) as usize],
        freedom: if seed.is_multiple_of(5) {
            DegreesOfFreedom::Adjusted
        } else {
            DegreesOfFreedom::Nominal
        },
        power: if seed.is_multiple_of(7) {
            PowerRule::Off
        } else {
            PowerRule::FiveRowsPerCell
        },
    }
}

#[test]
fn tests_of_example_1_give_the_worked_numbers() {
    let columns = Columns::example1(32);
    let tests = columns.tests(TestOptions::default());
    let (a1, a2, a6, class) = (0, 1, 5, 8);
    let test = tests.test((a2, class), &[]).unwrap().unwrap();
    assert_close(test.statistic, 13.808739, 5e-7);
    assert_eq!(test.degrees_of_freedom, 1.0);
    assert_close(test.p, 2.0239e-4, 5e-9);
    // 32 rows are fewer than 5 * 8.
    assert!(tests.test((a6, class), &[a2]).unwrap().is_none());
    let tests = columns.tests(TestOptions {
        power: PowerRule::Off,
        ..TestOptions::default()
    });
    let test = tests.test((class, a6), &[a2]).unwrap().unwrap();
    assert_close(test.statistic, 6.904370, 5e-7);
    assert_eq!(test.degrees_of_freedom, 2.0);
    assert_close(test.p, 0.031676, 5e-7);
    let test = tests.test((a1, class), &[a6, a2]).unwrap().unwrap();
    assert_close(test.statistic, 4.185985, 5e-7);
    assert_eq!(test.degrees_of_freedom, 4.0);
    assert_close(test.p, 0.381420, 5e-7);
    assert_eq!(tests.test((class, a1), &[a2, a6]).unwrap(), Some(test));
    for (pair, given) in [((a1, a1), vec![]), ((a1, a2), vec![a2]), ((a1, 9), vec![])] {
        assert!(tests.test(pair, &given).is_err());
    }
}

#[test]
fn iamb_of_example_1_goes_as_worked() {
    let columns = Columns::example1(32);
    let tests = columns.tests(TestOptions::default());
    let boundary = found_by_iamb(&tests, 8, IambOptions::default());
    assert_eq!(boundary.roles.open, [1]); // A2; nothing else can be tested
    assert_eq!(boundary.stop, Stop::TooFewRows);
    let a6 = &boundary.outside[4];
    assert_eq!(*a6, (5, Outside::TooFewRows { given: vec![1] }));
    assert_eq!(boundary.outside[6], (7, Outside::Copy { of: 1 }));

    let columns = Columns::example1(320);
    let tests = columns.tests(TestOptions::default());
    for shrinking in [Shrinking::AtTheEnd, Shrinking::EveryRound] {
        let options = IambOptions {
            shrinking,
            ..IambOptions::default()
        };
        let boundary = found_by_iamb(&tests, 8, options);
        assert_eq!(boundary.roles.open, [0, 1, 3]); // A1, A2, A4
        let steps: Vec<(Action, usize)> = boundary
            .steps
            .iter()
            .map(|step| (step.action, step.feature))
            .collect();
        let mut expected = [1, 5, 0, 3].map(|node| (Action::Add, node)).to_vec();
        expected.push((Action::Remove, 5));
        assert_eq!(steps, expected);
        // G2 138.0874 with 1, 69.0437 with 2, 41.8599 with 4, 110.9035 with 8.
        for (step, (given, freedom, g)) in boundary.steps.iter().zip([
            (vec![], 1.0, 138.0874),
            (vec![1], 2.0, 69.0437),
            (vec![1, 5], 4.0, 41.8599),
            (vec![0, 1, 5], 8.0, 110.9035),
        ]) {
            let test = tests.test((step.feature, 8), &given).unwrap().unwrap();
            assert_close(test.statistic, g, 5e-5);
            assert_eq!(test.degrees_of_freedom, freedom);
            assert_close(step.score / test.p, 1.0, 1e-9);
        }
        assert_eq!(boundary.steps[4].score, 1.0);
        let a6 = boundary.outside.iter().find(|(node, _)| *node == 5);
        let Some((_, Outside::Separated { given, test })) = a6 else {
            panic!("{a6:?}");
        };
        assert_eq!((given.as_slice(), test.p), ([0, 1, 3].as_slice(), 1.0));
    }
}

#[test]
fn copies_hide_each_other_unless_they_are_dropped() {
    let columns = Columns::example1(320);
    let tests = columns.tests(TestOptions::default());
    for kind in [PcKind::MaxMin, PcKind::Hiton] {
        let mut options = PcOptions {
            kind,
            copies: CopyRule::Keep,
            ..PcOptions::default()
        };
        // A2 and A8 separate each other from the class.
        let boundary = found_by_pc(&tests, 8, options);
        assert_eq!(boundary.roles.members(), [0, 5]);
        assert_eq!(boundary.roles.children, [5]);
        assert_eq!(boundary.roles.spouses, [0]);
        assert_eq!(boundary.graph.arcs, [(0, 5), (8, 5)]);
        options.copies = CopyRule::Drop;
        let boundary = found_by_pc(&tests, 8, options);
        assert_eq!(boundary.roles.members(), [0, 1, 5]);
        assert_eq!(boundary.graph.edges, [(1, 8)]);
        assert!(boundary.outside.contains(&(7, Outside::Copy { of: 1 })));
    }
}

#[test]
fn iamb_finds_what_the_textbook_version_finds() {
    let mut n_members = 0;
    for seed in 0..100 {
        let n_rows = 60 + 300 * (seed as usize % 7);
        let columns = Columns::drawn(seed, 5 + seed as usize % 4, n_rows);
        let options = options_of(seed);
        let tests = columns.tests(options);
        let plain = Plain::new(&columns.columns(), options);
        for shrinking in [Shrinking::AtTheEnd, Shrinking::EveryRound] {
            let association = match seed % 3 {
                0 => Association::Information,
                _ => Association::P,
            };
            let boundary = found_by_iamb(
                &tests,
                0,
                IambOptions {
                    shrinking,
                    association,
                    copies: CopyRule::Keep,
                },
            );
            let expected = plain.iamb(0, shrinking, association);
            assert_eq!(boundary.roles.open, expected.members, "seed {seed}");
            let outside: Vec<(usize, Option<Vec<usize>>)> = boundary
                .outside
                .iter()
                .map(|(node, why)| (*node, separating(why, &plain, (0, *node))))
                .collect();
            let separated: Vec<(usize, Option<Vec<usize>>)> =
                expected.separated.into_iter().collect();
            assert_eq!(outside, separated, "seed {seed}");
            assert_members(&boundary, &plain, 0);
            n_members += boundary.members.len();
        }
    }
    assert!(n_members > 200, "{n_members}");
}

/// The separating set of a node that is outside, after a look at its test.
fn separating(why: &Outside, plain: &Plain, (a, b): (usize, usize)) -> Option<Vec<usize>> {
    match why {
        Outside::Separated { given, test } | Outside::Dependent { given, test } => {
            // Levels are between these.
            match why {
                Outside::Separated { .. } => assert!(test.p > 0.01),
                _ => assert!(test.p <= 0.2),
            }
            let expected = plain.test(a, b, given).unwrap();
            assert_close(test.statistic, expected.g, 1e-7);
            assert_eq!(test.degrees_of_freedom, expected.freedom);
            assert_close(test.p, expected.p, 1e-8);
            Some(given.clone())
        }
        Outside::TooFewRows { .. } => None,
        other => panic!("{other:?}"),
    }
}

/// The evidence of every member is a test as the plain version makes it.
fn assert_members(boundary: &Boundary, plain: &Plain, class: usize) {
    for member in &boundary.members {
        let Evidence::Test { given, test } = &member.evidence else {
            panic!("{member:?}");
        };
        let expected = plain.test(class, member.node, given).unwrap();
        assert_close(test.statistic, expected.g, 1e-7);
        assert!(!test.is_independent(0.2));
    }
}

#[test]
fn links_and_spouses_are_those_of_the_textbook_versions() {
    let (mut n_linked, mut n_spouses) = (0, 0);
    for seed in 0..30 {
        let n_rows = 200 + 400 * (seed as usize % 5);
        let columns = Columns::drawn(seed, 6 + seed as usize % 3, n_rows);
        let options = options_of(seed);
        let tests = columns.tests(options);
        let plain = Plain::new(&columns.columns(), options);
        for kind in [PcKind::MaxMin, PcKind::Hiton] {
            let options = PcOptions {
                kind,
                kmax: 1 + seed as usize % 3,
                copies: CopyRule::Keep,
            };
            let boundary = found_by_pc(&tests, 0, options);
            let (expected, spouses) = plain.boundary(0, kind, options.kmax);
            let what = format!("seed {seed}, {kind:?}");
            let linked = independence::sorted(
                &[&boundary.roles.children[..], &boundary.roles.siblings].concat(),
            );
            assert_eq!(linked, expected.members, "{what}");
            let arcs = boundary.graph.arcs.iter().copied();
            let arcs: Vec<(usize, usize)> = arcs.filter(|arc| arc.0 != 0).collect();
            let mut sorted = spouses.clone();
            sorted.sort_unstable();
            assert_eq!(arcs, sorted, "{what}");
            for (node, why) in &boundary.outside {
                let given = separating(why, &plain, (0, *node));
                assert_eq!(given, expected.separated[node], "{what}, node {node}");
            }
            assert_members(&boundary, &plain, 0);
            n_linked += linked.len();
            n_spouses += spouses.len();
        }
    }
    assert!(n_linked > 50 && n_spouses > 5, "{n_linked} {n_spouses}");
}

#[test]
fn tests_with_many_nodes_given_count_what_occurs() {
    // Up to 3^14 combinations, of which at most 300 occur.
    let columns = Columns::drawn(8, 16, 300);
    for freedom in [DegreesOfFreedom::Nominal, DegreesOfFreedom::Adjusted] {
        let options = TestOptions {
            freedom,
            power: PowerRule::Off,
            ..TestOptions::default()
        };
        let tests = columns.tests(options);
        let plain = Plain::new(&columns.columns(), options);
        for n_given in 0..=14 {
            let given: Vec<usize> = (2..2 + n_given).collect();
            let test = tests.test((0, 1), &given).unwrap().unwrap();
            let expected = plain.test(0, 1, &given).unwrap();
            assert_close(test.statistic, expected.g, 1e-8);
            assert_eq!(test.degrees_of_freedom, expected.freedom, "{n_given}");
            assert_close(test.p, expected.p, 1e-10);
        }
    }
}

#[test]
fn sets_one_after_the_other_are_tested_as_each_alone() {
    let columns = Columns::drawn(11, 8, 900);
    for power in [PowerRule::FiveRowsPerCell, PowerRule::Off] {
        let tests = columns.tests(TestOptions {
            power,
            ..TestOptions::default()
        });
        let others = [0, 1, 3, 4, 6, 7];
        let mut pair = pair_tests::PairTests::new(&tests, (5, 2), &others);
        // Longer, shorter, with another beginning: whatever comes before.
        for given in [
            &[0, 1][..],
            &[0, 1, 3],
            &[0, 1, 7],
            &[0, 3, 4, 6],
            &[],
            &[4],
            &[1, 4, 6],
            &[1, 6],
            // In no order: the same to the last digit.
            &[6, 1],
            &[6, 1, 4],
            &[7, 0, 4, 3],
        ] {
            let expected = tests.test((2, 5), given).unwrap();
            assert_eq!(pair.test(given).unwrap(), expected, "{given:?}");
        }
    }
}

/// Tables that break careless code.
fn odd_tables() -> Vec<(&'static str, Columns)> {
    let draw = |n: u32, rows: u32, salt: u64| -> (usize, Vec<u32>) {
        let mut rng = stream(salt, Purpose::Generate, 5);
        let cells = (0..rows).map(|_| below(&mut rng, u64::from(n)) as u32);
        (n as usize, cells.collect())
    };
    let sum = |a: &(usize, Vec<u32>), b: &(usize, Vec<u32>)| -> (usize, Vec<u32>) {
        let cells = a.1.iter().zip(&b.1).map(|(a, b)| (a + b) % 2);
        (2, cells.collect())
    };
    let (a, b) = (draw(2, 400, 1), draw(2, 400, 2));
    let either = sum(&a, &b);
    vec![
        (
            "copies",
            Columns::from(vec![a.clone(), a.clone(), a.clone(), b.clone()]),
        ),
        (
            "constants",
            Columns::from(vec![a.clone(), (1, vec![0; 400]), (3, vec![2; 400])]),
        ),
        (
            "a constant class",
            Columns::from(vec![(1, vec![0; 400]), a.clone(), b.clone()]),
        ),
        (
            "a class that has one of its two values",
            Columns::from(vec![(2, vec![1; 400]), a.clone(), b.clone()]),
        ),
        (
            "fifty rows",
            Columns::from((0..8).map(|i| draw(2, 50, i)).collect()),
        ),
        (
            "a class of 67 values",
            Columns::from(vec![draw(67, 2000, 1), draw(3, 2000, 2), draw(2, 2000, 3)]),
        ),
        (
            "a function of parents",
            Columns::from(vec![either.clone(), a.clone(), b.clone()]),
        ),
        (
            "a class that is a parent of a function",
            Columns::from(vec![a, b, either]),
        ),
        ("one row", Columns::from(vec![(2, vec![1]), (2, vec![0])])),
        ("the class alone", Columns::from(vec![draw(2, 100, 1)])),
        ("no rows", Columns::from(vec![(2, vec![]), (2, vec![])])),
    ]
}

#[test]
fn odd_tables_have_boundaries_too() {
    for (what, columns) in odd_tables() {
        for power in [PowerRule::FiveRowsPerCell, PowerRule::Off] {
            for freedom in [DegreesOfFreedom::Nominal, DegreesOfFreedom::Adjusted] {
                let options = TestOptions {
                    power,
                    freedom,
                    ..TestOptions::default()
                };
                let tests = columns.tests(options);
                for boundary in all_boundaries(&tests) {
                    let n_inside = boundary.members.len();
                    assert_eq!(
                        n_inside + boundary.outside.len() + 1,
                        columns.codes.len(),
                        "{what}"
                    );
                    if what.contains("constant class") || what.contains("one of its two") {
                        assert_eq!(n_inside, 0, "{what}");
                    }
                }
            }
        }
    }
}

/// Every method, with copies dropped.
fn all_boundaries(tests: &IndependenceTests<'_>) -> Vec<Boundary> {
    let mut all = Vec::new();
    for shrinking in [Shrinking::AtTheEnd, Shrinking::EveryRound] {
        let options = IambOptions {
            shrinking,
            ..IambOptions::default()
        };
        all.push(found_by_iamb(tests, 0, options));
    }
    for kind in [PcKind::MaxMin, PcKind::Hiton] {
        let options = PcOptions {
            kind,
            ..PcOptions::default()
        };
        all.push(found_by_pc(tests, 0, options));
    }
    all
}

#[test]
fn a_copy_of_the_class_is_all_there_is_to_know() {
    let tables = odd_tables();
    let (_, columns) = tables
        .iter()
        .find(|(what, _)| *what == "copies")
        .expect("in the list");
    let tests = columns.tests(TestOptions::default());
    for boundary in all_boundaries(&tests) {
        // The class is the first of three copies; the second one is all there is to know.
        assert_eq!(boundary.roles.members(), [1]);
        assert!(boundary.outside.contains(&(2, Outside::Copy { of: 1 })));
    }
}

#[test]
fn threads_change_nothing() {
    let columns = Columns::drawn(3, 8, 3000);
    let tests = columns.tests(TestOptions::default());
    let on = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
        pool.build().unwrap().install(|| all_boundaries(&tests))
    };
    assert_eq!(on(1), on(3));
}

/// Cancels from the n-th question on.
struct Cancels {
    n: u64,
    n_asked: std::sync::atomic::AtomicU64,
}

impl Observer for Cancels {
    fn is_cancelled(&self) -> bool {
        let asked = &self.n_asked;
        asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= self.n
    }
}

#[test]
fn a_run_without_time_gives_what_it_has() {
    let columns = Columns::example1(320);
    let tests = columns.tests(TestOptions::default());
    let over = Limits::new(&Silent).with_budget(Some(Duration::ZERO));
    let boundary = iamb(&tests, 8, &IambOptions::default(), &over).unwrap();
    assert_eq!(boundary.stop, Stop::Budget);
    assert!(boundary.members.is_empty());
    let boundary = pc_boundary(&tests, 8, &PcOptions::default(), &over).unwrap();
    assert_eq!(boundary.stop, Stop::Budget);
    assert!(boundary.outside.contains(&(0, Outside::NotReached)));
    // Wherever it is stopped from outside, it says so, with some of the members or none.
    let mut most = 0;
    for n in 0..40 {
        let cancels = Cancels {
            n,
            n_asked: std::sync::atomic::AtomicU64::new(0),
        };
        let limits = Limits::new(&cancels);
        for result in [
            iamb(&tests, 8, &IambOptions::default(), &limits),
            pc_boundary(&tests, 8, &PcOptions::default(), &limits),
        ] {
            match result {
                Ok(boundary) if boundary.stop == Stop::Interrupted => {
                    assert!(!boundary.members.is_empty());
                    most = most.max(boundary.members.len());
                }
                Ok(_) => {}
                Err(error) => assert_eq!(error.kind(), crate::ErrorKind::Interrupted),
            }
        }
    }
    assert!(most >= 2);
}

#[test]
fn what_cannot_be_tested_is_refused() {
    let short = Codes::U8(vec![0]);
    let long = Codes::U8(vec![0, 1]);
    let gap = Codes::new(2, [Some(0), None]);
    let column = |codes| CountColumn { codes, n_values: 2 };
    let new = |columns: &[CountColumn<'_>], alpha: f64| {
        let options = TestOptions {
            alpha,
            ..TestOptions::default()
        };
        IndependenceTests::new(columns, options).map(|_| ())
    };
    assert!(new(&[column(&long), column(&short)], 0.05).is_err());
    assert!(new(&[column(&long), column(&gap)], 0.05).is_err());
    assert!(new(&[column(&long)], 1.5).is_err());
    assert!(new(&[column(&long)], f64::NAN).is_err());
    let columns = [column(&long)];
    let tests = IndependenceTests::new(&columns, TestOptions::default()).unwrap();
    let limits = Limits::new(&Silent);
    assert!(iamb(&tests, 1, &IambOptions::default(), &limits).is_err());
    assert!(pc_boundary(&tests, 1, &PcOptions::default(), &limits).is_err());
}
