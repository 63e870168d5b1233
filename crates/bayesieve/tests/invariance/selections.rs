//! The same selections, whatever the order, the threads, the labels and the file.

use std::fmt::Write;

use bayesieve::Silent;
use bayesieve::data::{
    CodedTable, CodingOptions, Column, Generator, KindOrigin, Nominal, ReadOptions, RoleOptions,
    Roles, Table, Values, read_table, write_table,
};
use bayesieve::search::{Limits, Search};
use bayesieve::select::{METHODS, Method, SelectOptions, Selection, select};

use super::scrambled;

/// Labels without ties: every feature goes with the class, or with others, in its own way.
pub(super) fn labels() -> Table {
    let n_rows = 600usize;
    // A small generator of its own: nothing here may depend on the crate's random numbers.
    let mut state = 12_345u64;
    let mut draw = |n: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let mut columns: Vec<Vec<u64>> = vec![Vec::new(); 9];
    let mut class = Vec::new();
    for _ in 0..n_rows {
        let c = draw(3);
        let (x, y) = (draw(2), draw(2));
        let noisy = |value: u64, wrong: u64, draw: &mut dyn FnMut(u64) -> u64, n: u64| {
            if draw(100) < wrong {
                draw(n)
            } else {
                value % n
            }
        };
        let row = [
            noisy(c, 40, &mut draw, 3),
            noisy(c + 1, 55, &mut draw, 3),
            noisy(c / 2, 30, &mut draw, 2),
            x,
            noisy(x + c, 25, &mut draw, 4),
            y,
            noisy(x * 2 + y, 20, &mut draw, 4),
            draw(3),
            noisy(c * y, 45, &mut draw, 5),
        ];
        row.iter()
            .zip(&mut columns)
            .for_each(|(&cell, column)| column.push(cell));
        class.push(c);
    }
    let column = |name: String, cells: &[u64]| {
        let labels: Vec<String> = cells.iter().map(|cell| format!("v{cell}")).collect();
        let nominal = Nominal::from_labels(labels.iter().map(|label| Some(label.as_str())));
        Column::new(name, Values::Nominal(nominal), KindOrigin::Text)
    };
    let mut all: Vec<Column> = columns
        .iter()
        .enumerate()
        .map(|(place, cells)| column(format!("f{place}"), cells))
        .collect();
    all.push(column("class".into(), &class));
    Table::new(all).unwrap()
}

/// Numbers, of which no two rows are equally far from a third.
pub(super) fn numbers() -> Table {
    Generator::Waveform40.generate(200, 5).unwrap()
}

/// Every method, with every search it takes.
pub(super) fn runs() -> Vec<SelectOptions> {
    let mut runs = Vec::new();
    for &method in METHODS {
        let options = || SelectOptions::new(method).unwrap();
        match method.takes.search {
            None => runs.push(options()),
            Some(_) => {
                let searches = Search::all().filter(|&s| method.takes.takes_search(s));
                runs.extend(searches.map(|s| options().with_search(s).unwrap()));
            }
        }
        if method.takes.order.is_some() {
            runs.push(options().with_count(4).unwrap());
        }
    }
    runs
}

/// Nine features suit every search; forty are too many for some.
pub(super) fn suits(options: &SelectOptions, table: &Table) -> bool {
    let method: &Method = options.method();
    let is_wide = table.columns().len() > 26;
    // Rows of labels are often equally far apart: then the order of rows decides, as the
    // method's description says.
    let has_ties = method.name == "relief-f" && !is_wide;
    !(has_ties
        || is_wide
            && method
                .takes
                .search
                .is_some_and(|s| options.search() != Some(s)))
}

pub(super) fn selected(table: &Table, options: &SelectOptions) -> Selection {
    let named = RoleOptions {
        class: Some("class".into()),
        ..RoleOptions::default()
    };
    let roles = Roles::resolve(table, &named).unwrap();
    let coded = CodedTable::new(table, &roles, CodingOptions::default()).unwrap();
    select(&coded, options, &Limits::new(&Silent)).unwrap()
}

/// All that a selection says; numbers as far as the order of a sum leaves them alone.
pub(super) fn said(selection: &Selection, by_column: ByColumn) -> String {
    // An arc between two children scores the same in both directions: the lower column decides,
    // and the graphs that follow may differ while the boundary is the same.
    let has_equal_graphs = by_column == ByColumn::Moved && selection.method == "rpdmb";
    let mut kept: Vec<String> = selection
        .kept
        .iter()
        .map(|kept| {
            let bits = |bits: Option<f64>| bits.map(|bits| format!("{bits:.9}"));
            format!(
                "{} {:?} {:?}",
                kept.feature,
                bits(kept.alone_bits),
                bits(kept.given_rest_bits)
            )
        })
        .collect();
    let mut dropped: Vec<String> = selection
        .dropped
        .iter()
        .map(|dropped| {
            // Two features that are given stand in column order.
            let (reason, parts) = (&dropped.reason, dropped.reason.parts());
            let mut given = parts.given.to_vec();
            given.sort();
            let is_compared = |name| ["gain_bits", "price_bits", "value"].contains(&name);
            let numbers = parts.numbers.iter().filter(|(name, _)| is_compared(*name));
            let bits: Vec<String> = numbers
                .map(|(name, number)| format!("{name} {number:.8}"))
                .collect();
            if has_equal_graphs {
                format!("{} {}", dropped.feature, reason.name())
            } else {
                format!("{} {} {given:?} {bits:?}", dropped.feature, reason.name())
            }
        })
        .collect();
    let mut out = if has_equal_graphs {
        selection.method.to_owned()
    } else {
        format!("{} {:.6}", selection.method, selection.value)
    };
    if by_column == ByColumn::Moved {
        kept.sort();
        dropped.sort();
    } else {
        for step in &selection.steps {
            write!(
                out,
                "\n{:?} {} {:.6}",
                step.action, step.feature, step.score
            )
            .unwrap();
        }
    }
    write!(out, "\n{}\n{}", kept.join("\n"), dropped.join("\n")).unwrap();
    out
}

/// Whether columns stand in another order, so that lists in column order do too.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum ByColumn {
    Still,
    Moved,
}

/// Whether rows stand in another order.
#[derive(Clone, Copy, PartialEq)]
enum ByRow {
    Still,
    Moved,
}

/// Demands the same of another table for every method.
///
/// Folds and halves are drawn by the number of a row, and accuracies, which are shares of
/// few rows, are often equal, so that the lowest column decides: where rows or columns stand
/// in another order, methods by accuracy may say something else.
fn same(other: impl Fn(&Table) -> Table, by_column: ByColumn, by_row: ByRow) {
    for table in [labels(), numbers()] {
        let changed = other(&table);
        for options in runs() {
            // Searches that draw meet other bits under other columns.
            let draws = options.search().is_some_and(Search::draws);
            let is_moved = by_column == ByColumn::Moved;
            let has_ties = options.method().takes.accuracy;
            let is_other = has_ties && (is_moved || by_row == ByRow::Moved);
            if !suits(&options, &table) || draws && is_moved || is_other {
                continue;
            }
            assert_eq!(
                said(&selected(&table, &options), by_column),
                said(&selected(&changed, &options), by_column),
                "{} {:?}",
                options.method().name,
                options.search()
            );
        }
    }
}

#[test]
fn selections_do_not_depend_on_the_order_of_rows() {
    same(
        |table| table.take_rows(&scrambled(table.n_rows())),
        ByColumn::Still,
        ByRow::Moved,
    );
}

#[test]
fn selections_do_not_depend_on_the_order_of_columns() {
    let backwards = |table: &Table| {
        let columns = table.columns().iter().rev();
        Table::new(columns.map(|column| (**column).clone()).collect()).unwrap()
    };
    same(backwards, ByColumn::Moved, ByRow::Still);
}

#[test]
fn selections_do_not_depend_on_the_names_of_labels() {
    // Labels in the opposite order: v0 becomes z9, v1 becomes z8.
    let renamed = |label: &str| match label.strip_prefix('v') {
        Some(number) => format!("z{}", 9 - number.parse::<u8>().unwrap()),
        None => format!("z{label}"),
    };
    let other = |table: &Table| {
        let columns = table.columns().iter().map(|column| match column.values() {
            Values::Nominal(nominal) if column.name() != "class" => {
                let cells: Vec<Option<String>> = nominal
                    .codes
                    .iter()
                    .map(|code| code.map(|code| renamed(&nominal.domain.labels()[code as usize])))
                    .collect();
                let nominal = Nominal::from_labels(cells.iter().map(Option::as_deref));
                Column::new(column.name(), Values::Nominal(nominal), KindOrigin::Text)
            }
            _ => (**column).clone(),
        });
        Table::new(columns.collect()).unwrap()
    };
    same(other, ByColumn::Still, ByRow::Still);
}

#[test]
fn selections_do_not_depend_on_threads() {
    for table in [labels(), numbers()] {
        for options in runs().iter().filter(|options| suits(options, &table)) {
            let of_threads = |n: usize| {
                let pool = rayon::ThreadPoolBuilder::new()
                    .num_threads(n)
                    .build()
                    .unwrap();
                let selection = pool.install(|| selected(&table, options));
                // To the last bit.
                format!("{selection:?}")
            };
            let one = of_threads(1);
            assert_eq!(one, of_threads(2), "{}", options.method().name);
            assert_eq!(one, of_threads(8), "{}", options.method().name);
        }
    }
}

#[test]
fn selections_do_not_depend_on_the_format_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let table = labels();
    let arff = {
        let mut text = String::from("@relation labels\n");
        for column in table.columns() {
            let labels = &column.as_nominal().unwrap().domain;
            writeln!(
                text,
                "@attribute {} {{{}}}",
                column.name(),
                labels.labels().join(",")
            )
            .unwrap();
        }
        text += "@data\n";
        for row in 0..table.n_rows() {
            let cells = table.columns().iter().map(|column| {
                let nominal = column.as_nominal().unwrap();
                let code = nominal.codes.get(row).unwrap();
                nominal.domain.labels()[code as usize].as_str()
            });
            writeln!(text, "{}", cells.collect::<Vec<_>>().join(",")).unwrap();
        }
        text
    };
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("t.arff"), arff).unwrap();
    write_table(&path("t.csv"), &table, &Silent).unwrap();
    write_table(&path("t.parquet"), &table, &Silent).unwrap();
    for options in runs().iter().filter(|options| suits(options, &table)) {
        let expected = said(&selected(&table, options), ByColumn::Still);
        for name in ["t.csv", "t.arff", "t.parquet"] {
            let read = read_table(&path(name), &ReadOptions::default(), &Silent).unwrap();
            assert_eq!(
                said(&selected(&read, options), ByColumn::Still),
                expected,
                "{name}"
            );
        }
    }
}
