//! The table of `score` for people.

use std::path::Path;

use bayesieve::data::CodedTable;
use bayesieve::document::ScoredSet;
use bayesieve::measure::{Measure, MeasuredValues};
use bayesieve::run::ScoreOutcome;
use bayesieve::stats::Better;
use bayesieve::wording::counted;

use crate::text;

pub(super) fn show(file: &Path, found: &ScoreOutcome) -> String {
    let coded = &found.coded;
    let mut out = format!(
        "{}: {}, {}, class {}; model {}\n",
        text::file(file),
        counted(found.n_rows, "row"),
        counted(coded.features.len() as u64, "feature"),
        text::name(&coded.class_name),
        found.model
    );
    for scored in &found.sets {
        out += &format!("\n{}\n{}", set_name(&scored.features), table(coded, scored));
    }
    out
}

fn set_name(features: &[String]) -> String {
    if features.is_empty() {
        return "no feature".into();
    }
    let names: Vec<String> = features.iter().map(|name| text::name(name)).collect();
    names.join(", ")
}

fn table(coded: &CodedTable, scored: &ScoredSet) -> String {
    let rows = rows(scored).into_iter();
    let rows = rows.map(|(name, value, meaning)| vec![name.to_owned(), value, meaning.to_owned()]);
    let mut out = text::rows(&[1], rows.collect());
    let name = |feature: usize| text::name(coded.features[feature].column.name());
    for (what, edges) in [
        ("tree", &scored.terms.tree),
        ("auxiliary tree", &scored.terms.auxiliary_tree),
    ] {
        let edges = edges.iter();
        let edges: Vec<String> = edges
            .map(|&(a, b)| format!("{}-{}", name(a), name(b)))
            .collect();
        if !edges.is_empty() {
            out += &format!("  {what}: {}\n", edges.join(", "));
        }
    }
    out
}

/// Name, value and meaning of every term; a name counts for the rows below it.
fn rows(scored: &ScoredSet) -> Vec<(&'static str, String, &'static str)> {
    let terms = &scored.terms;
    let number = |x: f64| format!("{x:.4}");
    let mut rows = vec![
        ("MDL-FS", number(terms.mdl_fs), "bits; smaller is better"),
        ("MDL", number(terms.mdl), "bits"),
        (
            "parameters",
            terms.parameters.to_string(),
            "of the class and the set",
        ),
        (
            "isolated",
            terms.isolated_parameters.to_string(),
            "parameters of the other features",
        ),
        (
            "log-likelihood",
            number(terms.log_likelihood),
            "bits, of the classifier",
        ),
        (
            "",
            number(terms.auxiliary_log_likelihood),
            "bits, of the auxiliary network",
        ),
        ("CALL per row", number(terms.call_per_row), "bits"),
        (
            "",
            number(terms.call_per_row_without_class),
            "bits, without the class term",
        ),
        (
            "BIC",
            number(terms.bic),
            "nats, class and set alone; larger is better",
        ),
        ("BDeu", number(terms.bdeu), "nats, class and set alone"),
        ("class entropy", number(terms.class_entropy), "bits"),
    ];
    if let Some(entropy) = terms.conditional_entropy {
        rows.push(("", number(entropy), "bits, with the set known"));
    }
    rows.push(("CFS merit", number(terms.cfs_merit), "larger is better"));
    if let Some(accuracy) = scored.accuracy {
        rows.push(("accuracy", number(accuracy.train), "on the training rows"));
        let cv = number(accuracy.cross_validated);
        rows.push(("", cv, "by cross-validation"));
    }
    let others = scored.measures.iter().flat_map(MeasuredValues::iter);
    let others = others.filter(|(measure, _)| *measure != Measure::ACCURACY);
    rows.extend(others.map(|(measure, value)| {
        let which = match measure.better {
            Better::Higher => "by cross-validation; larger is better",
            Better::Lower => "by cross-validation; smaller is better",
        };
        (measure.name, number(value), which)
    }));
    rows
}
