//! Every engine on every instruction set of this machine against a naive counter.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests stop at the first surprise"
)]

use std::collections::BTreeMap;

use bayesieve::counts::{
    Cell, CountColumn, CountPlan, CountTable, Counter, Engine, InstructionSet, PairChoice,
    RowIndex, Shape,
};
use bayesieve::data::Codes;
use proptest::prelude::*;

const ENGINES: [Engine; 4] = [
    Engine::Auto,
    Engine::Bitmap,
    Engine::Histogram,
    Engine::Sparse,
];

/// A table small enough to describe by numbers: cells follow from row and column.
struct Case {
    name: &'static str,
    n_rows: usize,
    n_classes: usize,
    n_values: &'static [usize],
    /// Every so many cells one is missing; 0 for none.
    missing_every: usize,
}

const fn case(name: &'static str, n_rows: usize, n_values: &'static [usize]) -> Case {
    Case {
        name,
        n_rows,
        n_classes: 2,
        n_values,
        missing_every: 0,
    }
}

const CASES: [Case; 17] = [
    case("no rows", 0, &[2, 3]),
    case("one row", 1, &[2, 3]),
    case("one row less than a word", 63, &[2, 3]),
    case("one word", 64, &[2, 3]),
    case("one row more than a word", 65, &[2, 3]),
    case("constant columns", 200, &[1, 1, 2]),
    case("one column", 5, &[2]),
    case("seventeen values", 500, &[17, 17, 2]),
    case("the widest byte", 2_000, &[255, 3]),
    case("one value more than a byte", 2_000, &[256, 255, 2]),
    case("more values than two bytes", 3_000, &[70_000, 2, 70_000]),
    case("several blocks", 90_000, &[2, 3, 4]),
    Case {
        n_classes: 1,
        ..case("one class", 130, &[2, 3, 4])
    },
    Case {
        n_classes: 12,
        ..case("more classes than are extracted", 700, &[2, 3, 4])
    },
    Case {
        n_classes: 300,
        ..case("more classes than a byte", 700, &[2, 3])
    },
    Case {
        n_classes: 10,
        ..case("ten classes", 333, &[2, 3, 4])
    },
    Case {
        missing_every: 3,
        n_classes: 4,
        ..case("missing everywhere", 400, &[1, 2, 3, 17, 256])
    },
];

struct Rows {
    columns: Vec<Codes>,
    class: Codes,
}

/// Scrambled but fixed cells: a different multiplier for every column.
fn rows(case: &Case) -> Rows {
    let scramble = |row: usize, salt: usize| {
        (row as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15u64.wrapping_add(2 * salt as u64)) >> 29
    };
    let columns = case.n_values.iter().enumerate().map(|(column, &k)| {
        Codes::new(
            k,
            (0..case.n_rows).map(|row| {
                let cell = scramble(row, column) as usize;
                let is_missing =
                    case.missing_every > 0 && (cell / 7).is_multiple_of(case.missing_every);
                (!is_missing).then_some((cell % k) as u32)
            }),
        )
    });
    Rows {
        columns: columns.collect(),
        class: Codes::new(
            case.n_classes,
            (0..case.n_rows).map(|row| Some((scramble(row, 91) % case.n_classes as u64) as u32)),
        ),
    }
}

/// The definition: look at every row.
fn naive(case: &Case, rows: &Rows, a: usize, b: Option<usize>) -> Vec<(Vec<u32>, u64)> {
    let mut counts = BTreeMap::new();
    for row in 0..case.n_rows {
        let class = rows.class.get(row).unwrap();
        let b = b.map_or(Some(0), |b| rows.columns[b].get(row));
        if let (Some(a), Some(b)) = (rows.columns[a].get(row), b) {
            *counts.entry(vec![class, a, b]).or_insert(0) += 1;
        }
    }
    counts.into_iter().collect()
}

fn listed(table: &CountTable) -> Vec<(Vec<u32>, u64)> {
    let mut cells = Vec::new();
    table.for_each(|cell, n| {
        let place = [cell.class, cell.a, cell.b];
        cells.push((place.map(|i| i as u32).to_vec(), n));
    });
    cells
}

fn index<'a>(case: &Case, rows: &'a Rows) -> RowIndex<'a> {
    let columns: Vec<CountColumn<'_>> = rows
        .columns
        .iter()
        .zip(case.n_values)
        .map(|(codes, &n_values)| CountColumn { codes, n_values })
        .collect();
    let class = CountColumn {
        codes: &rows.class,
        n_values: case.n_classes,
    };
    RowIndex::new(&columns, class).unwrap()
}

fn check(case: &Case, rows: &Rows) {
    let n = case.n_values.len();
    let pairs: Vec<(usize, usize)> = (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).collect();
    for engine in ENGINES {
        for set in InstructionSet::available() {
            let place = format!("{}, {engine:?} on {}", case.name, set.name());
            let index = index(case, rows).with_engine(engine, set);
            for column in 0..n {
                let single = index.count_single(column).unwrap();
                assert_eq!(
                    listed(&single),
                    naive(case, rows, column, None),
                    "{place}, column {column}"
                );
            }
            for (table, &(a, b)) in index.count_pairs(&pairs).unwrap().iter().zip(&pairs) {
                assert_eq!(
                    listed(table),
                    naive(case, rows, a, Some(b)),
                    "{place}, pair {a} {b}"
                );
            }
        }
    }
}

#[test]
fn every_engine_counts_the_named_cases_like_the_naive_counter() {
    for case in &CASES {
        check(case, &rows(case));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn every_engine_counts_random_tables_like_the_naive_counter(
        cells in prop::collection::vec(
            (prop::option::weighted(0.9, 0u32..5), 0u32..3, 0u32..8), 0..260),
    ) {
        let case = Case { n_classes: 8, ..case("random", cells.len(), &[5, 3]) };
        let rows = Rows {
            columns: vec![
                Codes::new(5, cells.iter().map(|c| c.0)),
                Codes::new(3, cells.iter().map(|c| Some(c.1))),
            ],
            class: Codes::new(8, cells.iter().map(|c| Some(c.2))),
        };
        check(&case, &rows);
    }
}

/// A domain may be smaller than the width of its codes: after rows were dropped, or by hand.
#[test]
fn codes_wider_than_their_domain_are_counted_right() {
    let wide = [
        (
            Codes::U16(vec![0, 1, 1, 0, 2, 2]),
            Codes::U32(vec![0, 0, 1, 1, 0, 1]),
        ),
        (
            Codes::U8(vec![0, 1, 1, 0, 2, 2]),
            Codes::U16(vec![0, 0, 1, 1, 0, 1]),
        ),
        (
            Codes::U16(vec![u16::MAX; 6]),
            Codes::U8(vec![0, 0, 1, 1, 0, 1]),
        ),
    ];
    for (a, b) in wide {
        let case = case("wide codes", 6, &[3, 2]);
        let class = Codes::U16(vec![0, 1, 0, 1, 0, 1]);
        check(
            &case,
            &Rows {
                columns: vec![a, b],
                class,
            },
        );
    }
}

#[test]
fn a_column_without_any_value_has_empty_tables() {
    let case = case("no values", 4, &[0, 2]);
    let rows = Rows {
        columns: vec![Codes::U8(vec![u8::MAX; 4]), Codes::U8(vec![0, 1, 1, 0])],
        class: Codes::U8(vec![0, 1, 0, 1]),
    };
    check(&case, &rows);
}

#[test]
fn an_identifier_beside_many_classes_takes_little_memory() {
    // 5,000 x 5,000 cells would be 200 MB; 5,000 of them are not zero.
    let ids = Codes::new(5_000, (0..5_000).map(Some));
    let column = CountColumn {
        codes: &ids,
        n_values: 5_000,
    };
    let index = RowIndex::new(&[column], column).unwrap();
    let table = index.count_single(0).unwrap();
    assert!(table.as_dense().is_none());
    assert_eq!(table.n_rows(), 5_000);
    let information = bayesieve::info::SingleInformation::new(&table);
    assert!((information.mutual - 5_000f64.log2()).abs() < 1e-12);
}

#[test]
fn batches_merged_in_any_order_count_like_the_whole() {
    let case = Case {
        missing_every: 5,
        ..case("batches", 1_000, &[3, 2, 70_000])
    };
    let rows = rows(&case);
    let plan = CountPlan {
        n_classes: 2,
        n_values: case.n_values.to_vec(),
        pairs: PairChoice::All,
    };
    let feed = |range: std::ops::Range<u32>| {
        let mut counter = Counter::new(plan.clone()).unwrap();
        let picked: Vec<u32> = range.collect();
        let columns: Vec<Codes> = rows.columns.iter().map(|c| c.take(&picked)).collect();
        let columns: Vec<&Codes> = columns.iter().collect();
        counter
            .observe(&columns, &rows.class.take(&picked))
            .unwrap();
        counter
    };
    let whole = feed(0..1_000).finish();
    assert_eq!(whole.n_rows, 1_000);
    assert_eq!(whole.pairs.len(), 3);
    for (table, (a, b)) in whole.pairs.iter().zip([(0, 1), (0, 2), (1, 2)]) {
        assert_eq!(listed(table), naive(&case, &rows, a, Some(b)));
    }
    let mut last_first = feed(777..1_000);
    last_first.merge(feed(0..1)).unwrap();
    last_first.merge(feed(1..777)).unwrap();
    assert_eq!(last_first.finish(), whole);
}

#[test]
fn a_refused_batch_adds_nothing() {
    let plan = CountPlan {
        n_classes: 2,
        n_values: vec![2, 300],
        pairs: PairChoice::All,
    };
    let mut counter = Counter::new(plan).unwrap();
    let narrow = |cells: &[u8]| Codes::U8(cells.to_vec());
    let wide = |cells: &[u16]| Codes::U16(cells.to_vec());
    let class = narrow(&[0, 1]);
    let good = [narrow(&[0, 1]), wide(&[299, u16::MAX])];
    counter.observe(&[&good[0], &good[1]], &class).unwrap();
    let before = counter.counts().clone();
    let cases: [(&str, &[&Codes], &Codes); 8] = [
        ("a value too many", &[&narrow(&[0, 2]), &good[1]], &class),
        ("in the last column", &[&good[0], &wide(&[0, 300])], &class),
        (
            "a row without a class",
            &[&good[0], &good[1]],
            &narrow(&[0, u8::MAX]),
        ),
        ("a class too many", &[&good[0], &good[1]], &narrow(&[2, 0])),
        ("no column", &[], &class),
        ("one column", &[&good[0]], &class),
        ("a short column", &[&good[0], &wide(&[1])], &class),
        ("a short class", &[&good[0], &good[1]], &narrow(&[1])),
    ];
    for (name, columns, class) in cases {
        assert!(counter.observe(columns, class).is_err(), "{name}");
        assert_eq!(counter.counts(), &before, "{name}");
    }
    let none = [narrow(&[]), wide(&[])];
    counter
        .observe(&[&none[0], &none[1]], &narrow(&[]))
        .unwrap();
    assert_eq!(counter.counts(), &before);
}

#[test]
fn counters_of_two_plans_are_not_merged() {
    let plan = |k| CountPlan {
        n_classes: 2,
        n_values: vec![k],
        pairs: PairChoice::None,
    };
    let mut counter = Counter::new(plan(2)).unwrap();
    assert!(counter.merge(Counter::new(plan(3)).unwrap()).is_err());
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let case = case("threads", 5_000, &[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    let rows = rows(&case);
    let pairs: Vec<(usize, usize)> = (0..12).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    let count = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| index(&case, &rows).count_pairs(&pairs).unwrap())
    };
    assert_eq!(count(1), count(3));
}

#[test]
fn columns_that_do_not_exist_are_refused() {
    let case = case("absent", 3, &[2]);
    let rows = rows(&case);
    let index = index(&case, &rows);
    assert!(index.count_single(1).is_err());
    assert!(index.count_pairs(&[(0, 1)]).is_err());
}

#[test]
fn a_cell_can_be_looked_up_in_either_kind_of_table() {
    // Three rows: (class 0, a 1, b 0) twice and (class 1, a 0, b 1) once.
    let a = Codes::U8(vec![1, 0, 1]);
    let b = Codes::U8(vec![0, 1, 0]);
    let class = Codes::U8(vec![0, 1, 0]);
    let column = |codes| CountColumn { codes, n_values: 2 };
    for engine in ENGINES {
        let index = RowIndex::new(&[column(&a), column(&b)], column(&class))
            .unwrap()
            .with_engine(engine, InstructionSet::detect());
        let table = index.count_pair(0, 1).unwrap();
        assert_eq!(
            table.shape(),
            Shape {
                n_classes: 2,
                n_a: 2,
                n_b: 2
            }
        );
        assert_eq!(
            table.get(Cell {
                class: 0,
                a: 1,
                b: 0
            }),
            2
        );
        assert_eq!(
            table.get(Cell {
                class: 1,
                a: 0,
                b: 1
            }),
            1
        );
        assert_eq!(
            table.get(Cell {
                class: 1,
                a: 1,
                b: 1
            }),
            0
        );
    }
}
