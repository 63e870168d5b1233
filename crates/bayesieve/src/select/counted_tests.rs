//! Every method chooses the same from counts as from rows.

use super::{METHODS, Method, SelectOptions, Selection, select, select_counted};
use crate::data::{CodingOptions, MissingPolicy};
use crate::info::testing::{counted, counted_pairs, counted_tight, mixed, named_tables};
use crate::score::testing::example1;
use crate::search::Limits;
use crate::{ErrorKind, Result, Silent};

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

#[test]
fn counts_lead_to_the_same_selection_as_rows() {
    let limits = Limits::new(&Silent);
    for (name, table) in named_tables() {
        let roomy = counted(&table, 57, 1 << 30);
        let tight = counted_tight(&table);
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
    let tight = counted_tight(&table);
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
    for (name, table) in named_tables() {
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
                    let takes = Method::named(method).unwrap().takes;
                    let is_wide = settings.contains(&"k=2");
                    let is_wide = is_wide || settings.contains(&"auxiliary=complete");
                    assert!(!takes.pairs || is_wide, "{method} {settings:?}");
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
