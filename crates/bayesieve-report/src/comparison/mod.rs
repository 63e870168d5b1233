//! The page of a comparison: who predicts best from how many features, and what is chance.

mod answer;
mod curves;
mod data_set;
mod ranks;
mod stability;
#[cfg(test)]
mod tests;

use bayesieve::Result;
use bayesieve::document::CompareOutcome;
use bayesieve::evaluate::{Comparison, Entry, Quantity};
use bayesieve::printable;
use bayesieve::stats::Better;

use crate::html::Html;
use crate::page::{About, Page, more, notes, section};
use crate::series::{key, legend};

/// Data sets that have charts of their own.
const MAX_DATA: usize = 24;

/// Writes the page of a comparison.
///
/// # Errors
/// A level outside 1e-6 to 0.5.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::{Generator, RoleOptions, Roles};
/// use bayesieve::document::{CompareOutcome, Seconds};
/// use bayesieve::evaluate::{ComparisonStudy, DataSet, Pipeline, conduct};
/// use bayesieve::search::Limits;
/// use bayesieve_report::{About, comparison};
///
/// let table = Generator::Example1.generate(320, 1)?;
/// let roles = Roles::resolve(&table, &RoleOptions::default())?;
/// let protocol = "holdout:3:2/3".parse()?;
/// let data = DataSet::new("example1", (table, roles), Default::default(), protocol)?;
/// let pipelines = vec![Pipeline::named("all/nb")?, Pipeline::named("mdl-fs/tan")?];
/// let study = ComparisonStudy::of_all(vec![data], pipelines, 1);
/// let found = study.comparison(conduct(&study, None, &Limits::new(&Silent))?);
/// let shown = CompareOutcome {
///     comparison: found,
///     test: None,
///     alpha: 0.05,
///     early: None,
///     seconds: Seconds { read: 0.0, run: 0.0 },
/// };
/// let page = comparison(&About::default(), &shown)?;
/// assert!(page.contains("mdl-fs/tan is the most accurate of 2"));
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn comparison(about: &About, report: &CompareOutcome) -> Result<String> {
    let found = &report.comparison;
    let ranks = ranks::PipelineRanks::new(report)?;
    let answers = answer::Answers::new(report, ranks.by_measure())?;
    let page = Page {
        kicker: "Bayesieve · comparison",
        title: &answers.title(),
        about,
        settings: settings(report),
    };
    Ok(page.write(|html| {
        answers.write(html);
        who_is_who(html, found);
        if found.data.len() > 1 {
            ranks::write(html, report, &ranks);
        }
        for (place, marks) in answers.marks().iter().enumerate().take(MAX_DATA) {
            data_set::write(html, report, place, marks);
        }
        let rest = " data sets; the JSON document (-o FILE) has them all.";
        more(html, found.data.len(), MAX_DATA, rest);
        notes(html, &found.warnings);
    }))
}

/// What the letters stand for.
fn who_is_who(html: &mut Html, found: &Comparison) {
    section(html, "Who is who", |html| {
        html.note("In charts every pipeline, a method and a model, has a letter.");
        let names = found
            .pipelines
            .iter()
            .map(|pipeline| pipeline.name.as_str());
        legend(html, names.enumerate());
    });
}

fn settings(report: &CompareOutcome) -> Vec<(&'static str, String)> {
    let mut protocols: Vec<String> = Vec::new();
    for protocol in report
        .comparison
        .data
        .iter()
        .map(|data| data.protocol.to_string())
    {
        if !protocols.contains(&protocol) {
            protocols.push(protocol);
        }
    }
    vec![
        ("protocol", protocols.join(", ")),
        ("level of tests", report.alpha.to_string()),
        ("seed", report.comparison.seed.to_string()),
    ]
}

/// Names a pipeline by its letter and its name.
fn label(found: &Comparison, pipeline: usize) -> String {
    let name = printable(&found.pipelines[pipeline].name, 48);
    format!("{} {name}", key(pipeline))
}

/// The mean of a measure, worst where there is none.
fn mean(entry: &Entry, quantity: Quantity) -> f64 {
    let worst = match quantity.better() {
        Better::Higher => f64::NEG_INFINITY,
        Better::Lower => f64::INFINITY,
    };
    entry
        .mean_sd(quantity)
        .map_or(worst, |of_runs| of_runs.mean)
}
