//! How good predictions with the kept features are, by which estimate.

use bayesieve::run::SelectOutcome;
use bayesieve::select::Selection;
use bayesieve::stats::Better;
use bayesieve::wording::counted;

use crate::balance::most_frequent;
use crate::chart::ChartLine;
use crate::confusion::Confusion;
use crate::html::Html;
use crate::page::{percent, section};
use crate::table::{ColumnStyle, PageCell, PageTable};

/// The most frequent class and its share of the rows.
pub(super) fn guess(report: &SelectOutcome) -> Option<(&str, f64)> {
    let labels = report.selection.data.classes.iter().map(String::as_str);
    let counts = labels.zip(report.class_counts.iter().copied());
    most_frequent(&counts.collect::<Vec<_>>())
}

pub(super) fn write(html: &mut Html, report: &SelectOutcome) {
    let selection = &report.selection;
    let has_accuracy = selection.honest.is_some()
        || selection.estimate.is_some_and(|inner| inner.is_accuracy())
        || selection.auto.is_some();
    if !has_accuracy && selection.estimate.is_none() {
        return;
    }
    section(html, "How well they predict", |html| {
        if has_accuracy {
            rows(html, report);
        }
        explained(html, selection);
        measures(html, selection);
        curve(html, selection);
        let tested = match (&selection.auto, &selection.honest) {
            (Some(auto), _) => Some((&auto.confusion, "Every row was tested once.")),
            (None, Some(honest)) => Some((
                &honest.confusion,
                "Every row was tested five times, and counts five times.",
            )),
            (None, None) => None,
        };
        let Some((counts, how_often)) = tested else {
            return;
        };
        let confusion = Confusion {
            classes: &selection.data.classes,
            counts,
        };
        if confusion.is_whole() {
            html.words("h3", "Which class is taken for which");
            confusion.write(html);
            html.note(how_often);
        }
    });
}

/// An accuracy and where it comes from.
#[derive(Debug, Clone, Copy)]
struct AccuracyRow {
    name: &'static str,
    /// A share of 1.
    accuracy: f64,
    /// Half the length of its error bar, where there is one.
    off: f64,
    style: &'static str,
}

fn rows(html: &mut Html, report: &SelectOutcome) {
    let selection = &report.selection;
    let row = |name, accuracy, off, style| AccuracyRow {
        name,
        accuracy,
        off,
        style,
    };
    let auto = selection.auto.as_ref();
    let corrected = auto.and_then(|auto| auto.corrected).map(|corrected| {
        let off = corrected.sd.unwrap_or(f64::NAN);
        row("rows not seen before (corrected)", corrected.mean, off, "")
    });
    let chosen = auto.map(|auto| {
        let name = "the folds that it was chosen by";
        row(name, auto.accuracy, auto.standard_error, "second")
    });
    let outer = selection.honest.as_ref();
    let outer = outer.map(|outer| row("rows not seen before (outer)", outer.mean, outer.sd, ""));
    let inner = selection.estimate.filter(|inner| inner.is_accuracy());
    let inner = inner.map(|inner| {
        let name = "the search's own estimate (inner)";
        row(name, inner.mean, inner.standard_error, "second")
    });
    let guess = guess(report);
    let name = "majority-class baseline";
    let guess = guess.map(|(_, share)| row(name, share, f64::NAN, "quiet"));
    let rows = [corrected, chosen, outer, inner, guess];
    let mut table = PageTable::new("Accuracy", rows.into_iter().flatten());
    table.words("accuracy", |row| row.name);
    table.number("", |row| percent(row.accuracy));
    table.column("", ColumnStyle::Bar, |row| {
        PageCell::Bar(row.accuracy, row.style)
    });
    table.number("", |row| {
        if row.off.is_finite() {
            format!("± {:.1}", row.off * 100.0)
        } else {
            String::new()
        }
    });
    table.write(html);
}

/// Writes every measure with its standard error and its baseline.
fn measures(html: &mut Html, selection: &Selection) {
    let Some(performance) = &selection.performance else {
        return;
    };
    html.words("h3", "By every measure");
    let mut table = PageTable::new("Measures of the predictions", &performance.measures);
    table.words("measure", |one| one.measure.name);
    table.number("on new rows", |one| {
        PageCell::with_error(Some(one.mean), one.standard_error, 3)
    });
    table.value("baseline", 3, |one| one.baseline);
    table.words("", |one| match one.measure.better {
        Better::Higher => "larger is better",
        Better::Lower => "smaller is better",
    });
    table.write(html);
    let positive = selection.data.classes.get(performance.positive);
    if let Some(positive) = positive.filter(|_| selection.data.classes.len() == 2) {
        html.sentence("The positive class is ", positive, ".");
    }
    html.note(&format!(
        "± is the standard error ({}); the baseline says the shares of the classes in the training \
         rows, whatever the row.",
        performance.protocol
    ));
}

/// Draws the measure that decided by the number of features.
fn curve(html: &mut Html, selection: &Selection) {
    let Some(measure) = selection.measure() else {
        return;
    };
    let points = selection.path.iter();
    let points = points.map(|point| (point.size as f64, point.value));
    let points: Vec<(f64, f64)> = points.filter(|point| point.1.is_finite()).collect();
    let line = ChartLine {
        id: "sizes",
        title: measure.name,
        description: "The measure on the test rows of the folds by the number of features",
        x_title: "features",
    };
    if let Some(drawing) = line.draw(&points) {
        html.words("h3", "By the number of features");
        html.drawing(drawing);
        html.note(&format!(
            "{}; the best features first. Taken: {}.",
            measure.summary,
            counted(selection.kept.len() as u64, "feature")
        ));
    }
}

fn explained(html: &mut Html, selection: &Selection) {
    if let Some(auto) = &selection.auto {
        html.note(&format!(
            "The best among {} looks better than it is. The corrected accuracy takes that off: \
             again and again the choice is made on drawn rows and tested on the others. ± is a \
             standard error.",
            auto.candidates.len()
        ));
    }
    if let Some(honest) = &selection.honest {
        html.note(&format!(
            "Outer: five times the rows were split into halves; on each half features were \
             selected and {} was trained anew, and the other half says how often that is right. \
             On average {:.1} features were kept. ± is the standard deviation of the ten.",
            honest.model, honest.mean_kept
        ));
    }
    if let Some(inner) = selection.estimate {
        let among = match selection.n_evaluations {
            0 | 1 => String::new(),
            n => format!(": the best among {}", counted(n, "set")),
        };
        let (value, off) = if inner.is_accuracy() {
            (String::new(), " ± is its standard error.".to_owned())
        } else {
            let value = format!(", {} {:.4}", inner.measure, inner.mean);
            let off = match inner.standard_error {
                off if off.is_finite() => format!(" Its standard error is {off:.4}."),
                _ => String::new(),
            };
            (value, off)
        };
        html.note(&format!(
            "Inner: the estimate that the search went by{value}, over {} of {}; optimistic, \
             because the search took what looked best{among}.{off}",
            counted(inner.n_runs as u64, "run"),
            counted(inner.n_folds as u64, "part"),
        ));
    }
}
