//! Pages of comparisons.

use bayesieve::Silent;
use bayesieve::data::{Generator, RoleOptions, Roles};
use bayesieve::document::Seconds;
use bayesieve::evaluate::{ComparisonStudy, DataSet, Pipeline, conduct};
use bayesieve::search::Limits;

use super::*;
use crate::testing::check;

fn study(names: &[&str], pipelines: &[&str], protocol: &str) -> ComparisonStudy {
    let data = names.iter().enumerate().map(|(seed, name)| {
        let table = Generator::Example1.generate(160, seed as u64).unwrap();
        let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
        let protocol = protocol.parse().unwrap();
        DataSet::new(*name, (table, roles), Default::default(), protocol).unwrap()
    });
    let pipelines = pipelines.iter().map(|text| Pipeline::named(text).unwrap());
    ComparisonStudy::of_all(data.collect(), pipelines.collect(), 1)
}

fn page(study: &ComparisonStudy) -> String {
    let conducted = conduct(study, None, &Limits::new(&Silent)).unwrap();
    let mut found = study.comparison(conducted);
    // Times differ from run to run.
    let runs = found.entries.iter_mut().flat_map(|entry| &mut entry.runs);
    runs.for_each(|run| run.seconds = 0.5);
    let shown = CompareOutcome {
        comparison: found,
        test: None,
        alpha: 0.05,
        early: None,
        seconds: Seconds {
            read: 0.0,
            run: 0.0,
        },
    };
    let page = comparison(&About::default(), &shown);
    let page = page.unwrap();
    check(&page);
    page
}

#[test]
fn one_data_set_has_a_scatter_and_no_ranks() {
    let page = page(&study(
        &["<script>"],
        &["all/nb", "mdl-fs/tan", "cfs/nb"],
        "cv:3",
    ));
    assert!(page.contains("mdl-fs/tan is the most accurate of 3 on &lt;script&gt;"));
    assert!(page.contains("aria-labelledby=\"scatter-0-title scatter-0-desc\""));
    assert!(!page.contains("Critical-difference"));
    assert!(page.contains("Which features are kept"));
}

#[test]
fn several_data_sets_have_ranks_and_a_diagram() {
    let names = ["a", "b", "c"];
    let page = page(&study(
        &names,
        &["all/nb", "mdl-fs/tan", "cfs/nb", "all/tan"],
        "cv:3",
    ));
    assert!(page.contains("Critical-difference diagram"));
    assert!(page.contains("Ranks and wins"));
    assert_eq!(page.matches("aria-labelledby=\"scatter-").count(), 3);
}

#[test]
fn where_all_tie_nobody_is_ahead() {
    // Features that are copies and noise: both keep what decides, and are never wrong.
    let page = page(&study(&["a", "b"], &["mdl-fs/tan", "all/tan"], "cv:3"));
    assert!(page.contains("No difference among 2 pipelines"));
}

#[test]
fn learning_curves_are_lines_and_a_table() {
    let study = study(&["a"], &["all/nb", "mdl-fs/tan"], "holdout:2:1/2");
    let page = page(&study.with_curve(&[20, 40]));
    assert!(page.contains("Learning curves on a"));
    assert!(page.contains("Accuracy in % by training rows"));
}

#[test]
fn a_comparison_that_was_cut_short_still_has_a_page() {
    let study = study(&["a", "b"], &["all/nb"], "cv:2");
    let limits = Limits::new(&Silent).with_budget(Some(std::time::Duration::ZERO));
    let found = study.comparison(conduct(&study, None, &limits).unwrap());
    let shown = CompareOutcome {
        comparison: found,
        test: None,
        alpha: 0.05,
        early: None,
        seconds: Seconds {
            read: 0.0,
            run: 0.0,
        },
    };
    let page = comparison(&About::default(), &shown);
    let page = page.unwrap();
    check(&page);
    assert!(page.contains("The run ended early"));
}
