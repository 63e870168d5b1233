//! The order of rows and columns, the names of classes and the number of threads change no
//! answer.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests stop at the first surprise"
)]

#[path = "invariance/classes.rs"]
mod classes;
#[path = "invariance/selections.rs"]
mod selections;

use std::sync::Arc;

use bayesieve::Silent;
use bayesieve::data::{
    CodedTable, CodingOptions, Column, Discretizer, Generator, MissingPolicy, RoleOptions, Roles,
    Table, Values,
};
use bayesieve::describe::{Description, Levels, describe, describe_pairs};

/// Tables of labels, of numbers, and of both with gaps.
fn tables() -> Vec<(&'static str, Table)> {
    let mixed = Generator::Waveform40.generate(300, 3).unwrap();
    let with_gaps =
        mixed
            .columns()
            .iter()
            .enumerate()
            .map(|(place, column)| match column.values() {
                Values::Numeric(numbers) => {
                    let gaps = numbers.iter().enumerate().map(|(row, &x)| {
                        if place < 6 && (row * 7 + place).is_multiple_of(25) {
                            f64::NAN
                        } else {
                            x
                        }
                    });
                    Column::new(
                        column.name(),
                        Values::Numeric(gaps.collect()),
                        column.origin(),
                    )
                }
                Values::Nominal(_) => (**column).clone(),
            });
    vec![
        ("example1", Generator::Example1.generate(100, 1).unwrap()),
        ("led24", Generator::Led24.generate(400, 1).unwrap()),
        (
            "redundant21",
            Generator::Redundant21.generate(400, 1).unwrap(),
        ),
        (
            "waveform40 with gaps",
            Table::new(with_gaps.collect()).unwrap(),
        ),
    ]
}

fn options() -> Vec<CodingOptions> {
    let mut all = Vec::new();
    for missing in [
        MissingPolicy::Value,
        MissingPolicy::Available,
        MissingPolicy::Drop,
    ] {
        for discretizer in [
            Discretizer::Mdlp,
            Discretizer::Width(4),
            Discretizer::Frequency(3),
        ] {
            all.push(CodingOptions {
                missing,
                discretizer,
            });
        }
    }
    all
}

/// All that a description says, with features by name.
fn said(table: &Table, options: CodingOptions) -> Vec<String> {
    let class = if table.position("C").is_some() {
        "C"
    } else {
        "class"
    };
    let named = RoleOptions {
        class: Some(class.into()),
        ..RoleOptions::default()
    };
    let roles = Roles::resolve(table, &named).unwrap();
    let coded = CodedTable::new(table, &roles, options).unwrap();
    let description = describe(&coded, Levels::One, &Silent).unwrap();
    let mut lines = features_said(&description);
    let name = |i: usize| description.features[i].column.name();
    for pair in describe_pairs(&coded, &Silent).unwrap() {
        let mut names = [name(pair.pair.0), name(pair.pair.1)];
        names.sort_unstable();
        lines.push(format!(
            "{names:?} {:.10} {:.10}",
            pair.information_bits, pair.information_given_class_bits
        ));
    }
    for group in &description.duplicate_features {
        let mut names: Vec<&str> = group.iter().map(|&i| name(i)).collect();
        names.sort_unstable();
        lines.push(format!("{names:?}"));
    }
    lines.push(format!(
        "{:?} {:?}",
        description.class_counts, description.duplicate_rows
    ));
    lines.sort();
    lines
}

fn features_said(description: &Description) -> Vec<String> {
    let line = |feature: &bayesieve::describe::FeatureDescription| {
        format!(
            "{} {:?} {} {} {:?} {:.10?} {:?} {:?}",
            feature.column.name(),
            feature.kind,
            feature.n_distinct,
            feature.n_missing,
            feature.cut_points,
            feature
                .information
                .map(|i| (i.mutual, i.symmetric_uncertainty())),
            feature.redundant_level0,
            // Which of equally good features it is depends on the columns' order.
            feature
                .redundant_level1
                .map(|given| format!("{:.9}", given.gain_bits)),
        )
    };
    description.features.iter().map(line).collect()
}

/// Every row once, in an order that looks like chance.
fn scrambled(n: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.sort_by_key(|&row| (row + 1).wrapping_mul(2_654_435_761));
    order
}

#[test]
fn the_order_of_rows_does_not_matter() {
    for (name, table) in tables() {
        let other = table.take_rows(&scrambled(table.n_rows()));
        for options in options() {
            assert_eq!(
                said(&table, options),
                said(&other, options),
                "{name}, {options:?}"
            );
        }
    }
}

#[test]
fn the_order_of_columns_does_not_matter() {
    for (name, table) in tables() {
        let order = scrambled(table.columns().len());
        let columns: Vec<Column> = order
            .iter()
            .map(|&i| (*Arc::clone(&table.columns()[i as usize])).clone())
            .collect();
        let other = Table::new(columns).unwrap();
        for options in options() {
            assert_eq!(
                said(&table, options),
                said(&other, options),
                "{name}, {options:?}"
            );
        }
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    for (name, table) in tables() {
        for options in options() {
            let with = |threads| {
                let pool = rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .unwrap();
                pool.install(|| said(&table, options))
            };
            assert_eq!(with(1), with(4), "{name}, {options:?}");
        }
    }
}
