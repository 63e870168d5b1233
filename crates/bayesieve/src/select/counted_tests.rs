//! Every method chooses the same from counts as from rows.

use super::testing::coded_with;
use super::{METHODS, Method, SelectOptions, Selection, select, select_counted};
use crate::data::{CodedTable, CodingOptions, Generator, MissingPolicy, RoleOptions, Roles};
use crate::error::{ErrorKind, Result};
use crate::info::testing::{counted, counted_pairs};
use crate::observer::Silent;
use crate::random::{Purpose, below, stream};
use crate::score::testing::example1;
use crate::search::Limits;

/// A method with settings; those that work on counts, most of them several times.
const RUNS: &[(&str, &[&str])] = &[
    ("mdl-fs", &[]),
    ("mdl-fs", &["auxiliary=own-tree"]),
    ("mdl-fs", &["auxiliary=empty"]),
    ("mdl-fs", &["auxiliary=complete"]),
    ("mdl", &[]),
    ("koller-sahami", &[]),
    ("koller-sahami", &["k=0"]),
    ("koller-sahami", &["k=2", "gamma=0.02"]),
    ("koller-sahami", &["k=2", "blanket=strongest"]),
    ("cfs", &[]),
    ("mrmr", &[]),
    ("mrmr-miq", &[]),
    ("jmi", &[]),
    ("cmim", &[]),
    ("fcbf", &[]),
    ("cig-as", &[]),
    ("cig-as", &["stop=chi2", "test=g"]),
    ("cgr-as", &["stop=chi2"]),
    ("cdc-as", &[]),
    ("iamb", &[]),
    ("iamb", &["power=off", "freedom=adjusted"]),
    ("inter-iamb", &["duplicates=keep"]),
    ("hiton-mb", &[]),
    ("hiton-mb", &["duplicates=keep", "freedom=adjusted"]),
    ("mmmb", &[]),
    ("mmmb", &["power=off", "kmax=2"]),
    ("rpdmb", &[]),
    ("rpdmb", &["pruning=any", "score=bic"]),
    ("all", &[]),
];

fn generated(generator: Generator, n_rows: usize) -> CodedTable {
    let table = generator.generate(n_rows, 3).unwrap();
    let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
    CodedTable::new(&table, &roles, CodingOptions::default()).unwrap()
}

/// Three to six values, gaps, a copy under other labels, a constant column, three classes.
fn mixed(n_rows: u64, missing: MissingPolicy) -> CodedTable {
    let mut rng = stream(5, Purpose::Generate, 0);
    let mut text = String::from("a,b,c,d,e,copy,constant,gappy,class\n");
    for _ in 0..n_rows {
        let [a, b, c, d, e] = [3, 4, 5, 6, 3].map(|n| below(&mut rng, n));
        let noise = u64::from(below(&mut rng, 5) == 0);
        let class = (a + (b > 1) as u64 * noise + c / 3) % 3;
        let gappy = match below(&mut rng, 6) {
            0 => String::new(),
            n => format!("v{}", (n + class) % 4),
        };
        let d = if d == 5 {
            String::new()
        } else {
            format!("d{}", (d + a) % 5)
        };
        text += &format!(
            "a{a},b{b},c{c},{d},e{},x{},one,{gappy},k{class}\n",
            (e + b) % 3,
            2 - a
        );
    }
    let options = CodingOptions {
        missing,
        ..CodingOptions::default()
    };
    coded_with(&text, options)
}

fn tables() -> Vec<(&'static str, CodedTable)> {
    vec![
        ("example1", example1(320)),
        ("example1 of many rows", example1(3200)),
        ("led24", generated(Generator::Led24, 500)),
        ("redundant21", generated(Generator::Redundant21, 400)),
        ("gaps as values", mixed(700, MissingPolicy::Value)),
    ]
}

fn options(method: &str, settings: &[&str]) -> SelectOptions {
    let options = SelectOptions::new(Method::named(method).unwrap()).unwrap();
    options.with_settings(settings.iter().copied()).unwrap()
}

/// Everything a selection says; numbers are written to the last bit.
fn said(selection: Result<Selection>) -> String {
    match selection {
        Ok(selection) => format!("{selection:#?}"),
        Err(error) => error.to_string(),
    }
}

/// Room for what methods ask, but not for all pairs.
fn little_memory(table: &CodedTable) -> u64 {
    let n_values = table.features.iter().map(|f| f.coded().unwrap().n_values());
    let options = crate::counts::TableOptions {
        n_values: n_values.collect(),
        n_classes: table.class.n_values(),
        memory: 0,
    };
    2 * options.bytes_of_all_pairs() - 2
}

#[test]
fn counts_lead_to_the_same_selection_as_rows() {
    let limits = Limits::new(&Silent);
    for (name, table) in tables() {
        let roomy = counted(&table, 57, 1 << 30);
        let tight = counted(&table, 101, little_memory(&table));
        for &(method, settings) in RUNS {
            let options = options(method, settings);
            let by_rows = said(select(&table, &options, &limits));
            for counted in [&roomy, &tight] {
                let by_counts = said(select_counted(counted, &options, &limits));
                assert_eq!(by_counts, by_rows, "{method} {settings:?} on {name}");
            }
        }
    }
}

#[test]
fn gaps_left_open_are_counted_as_in_memory() {
    let limits = Limits::new(&Silent);
    let table = mixed(700, MissingPolicy::Available);
    let coding = CodingOptions {
        missing: MissingPolicy::Available,
        ..CodingOptions::default()
    };
    let roomy = counted(&table, 57, 1 << 30);
    let tight = counted(&table, 101, little_memory(&table));
    let mut n_compared = 0;
    for &(method, settings) in RUNS {
        if !Method::named(method).unwrap().takes.available {
            continue;
        }
        // Blankets of two need whole rows.
        let Ok(options) = options(method, settings).with_coding(coding) else {
            assert!(settings.contains(&"k=2"), "{method} {settings:?}");
            continue;
        };
        let by_rows = said(select(&table, &options, &limits));
        for counted in [&roomy, &tight] {
            let by_counts = said(select_counted(counted, &options, &limits));
            assert_eq!(by_counts, by_rows, "{method} {settings:?}");
        }
        n_compared += 1;
    }
    assert!(n_compared > 8);
}

#[test]
fn counts_of_pairs_give_the_same_or_say_which_method_needs_more() {
    let limits = Limits::new(&Silent);
    for (name, table) in tables() {
        let pairs = counted_pairs(&table);
        for &(method, settings) in RUNS {
            let options = options(method, settings);
            let by_rows = select(&table, &options, &limits).unwrap();
            match select_counted(&pairs, &options, &limits) {
                Ok(found) => {
                    assert_eq!(
                        found.kept_names(),
                        by_rows.kept_names(),
                        "{method} on {name}"
                    );
                    assert_eq!(found.steps, by_rows.steps, "{method} on {name}");
                    assert_eq!(found.value.to_bits(), by_rows.value.to_bits());
                }
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Usage);
                    let text = error.to_string();
                    assert!(
                        text.starts_with(&format!("{method}: a table of ")),
                        "{text}"
                    );
                }
            }
        }
    }
}

#[test]
fn methods_that_need_rows_say_so_and_name_others() {
    let table = counted(&example1(320), 57, 1 << 30);
    let limits = Limits::new(&Silent);
    let mut refused = Vec::new();
    for method in METHODS {
        let options = SelectOptions::new(method).unwrap();
        let Err(error) = select_counted(&table, &options, &limits) else {
            continue;
        };
        let text = error.to_string();
        assert!(text.contains("needs the rows in memory"), "{text}");
        assert!(text.contains("mdl-fs, mdl, koller-sahami"), "{text}");
        assert_eq!(error.kind(), ErrorKind::Usage);
        refused.push(method.name);
    }
    let expected = [
        "relief-f",
        "wrapper",
        "fss-ebna",
        "naive-as",
        "k2-as",
        "k2-as-le",
        "separation",
    ];
    assert_eq!(refused, expected);
    // Whatever works on counts is compared above.
    let compared = |name: &str| RUNS.iter().any(|&(method, _)| method == name);
    let counts = METHODS.iter().filter(|method| method.takes.counts);
    assert!(counts.into_iter().all(|method| compared(method.name)));
}
