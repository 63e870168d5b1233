//! The page of a reproduction: a paper's figures and ours, side by side.

mod charts;
mod tables;
#[cfg(test)]
mod tests;

use bayesieve::printable;
use bayesieve::wording::{counted, grouped};

use crate::draw::Svg;
use crate::html::Html;
use crate::page::{About, Page, fact, notes, percent, section};
use crate::table::{PageCell, PageTable, scrolling};

/// What the page of a reproduction is made from.
#[derive(Debug, Clone, Copy)]
pub struct ReproductionReport<'a> {
    /// Where it comes from.
    pub about: &'a About,
    /// How the command calls the paper.
    pub paper: &'a str,
    /// The paper, as it is cited.
    pub citation: &'a str,
    /// What was computed, in a line.
    pub summary: &'a str,
    /// What the figures say, in sentences.
    pub findings: &'a [String],
    /// The paper's own drawings, made from our figures.
    pub drawings: &'a [Svg],
    /// Cells that are shown together, under a title each.
    pub panels: &'a [ReproducedPanel],
    /// What the paper concludes, and whether ours says the same.
    pub conclusions: &'a [ReproducedConclusion],
    /// What the numbers depend on besides the command: names and values.
    pub settings: &'a [(String, String)],
    /// What the reader should know.
    pub notes: &'a [String],
}

/// Cells that are shown together.
#[derive(Debug, Clone, PartialEq)]
pub struct ReproducedPanel {
    /// What they are of.
    pub title: String,
    /// The cells, in the order of the paper.
    pub cells: Vec<ReproducedCell>,
}

/// A figure of a paper's table and ours.
#[derive(Debug, Clone, PartialEq)]
pub struct ReproducedCell {
    /// The table of the paper.
    pub table: String,
    /// The words that its row goes by.
    pub row: String,
    /// The column, mostly a method.
    pub column: String,
    /// What is measured; only cells of the same measure share a chart.
    pub measure: String,
    /// What the paper prints, where it does.
    pub published: Option<f64>,
    /// The standard deviation that it prints.
    pub published_sd: Option<f64>,
    /// What we found.
    pub ours: Option<f64>,
    /// The standard deviation of ours.
    pub ours_sd: Option<f64>,
}

/// What a paper concludes from its tables.
#[derive(Debug, Clone, PartialEq)]
pub struct ReproducedConclusion {
    /// The sentence.
    pub text: String,
    /// Whether it holds of the published figures, where they say.
    pub published: Option<bool>,
    /// What the published figures say.
    pub published_detail: String,
    /// Whether it holds of ours.
    pub ours: Option<bool>,
    /// What ours say.
    pub ours_detail: String,
}

impl ReproducedCell {
    /// Ours less the published figure, where there are both.
    fn difference(&self) -> Option<f64> {
        let difference = self.ours? - self.published?;
        Some(difference).filter(|difference| difference.is_finite())
    }

    /// The difference in published standard deviations.
    fn in_sd(&self) -> Option<f64> {
        let sd = self.published_sd.filter(|sd| *sd > 0.0)?;
        Some(self.difference()? / sd)
    }
}

/// Writes the page of a reproduction.
///
/// # Example
/// ```
/// use bayesieve_report::{
///     About, ReproducedCell, ReproducedPanel, ReproductionReport, reproduction,
/// };
///
/// let cell = ReproducedCell {
///     table: "2".into(),
///     row: "chess".into(),
///     column: "mdl-fs".into(),
///     measure: "accuracy".into(),
///     published: Some(92.7),
///     published_sd: Some(0.6),
///     ours: Some(92.9),
///     ours_sd: Some(0.5),
/// };
/// let page = reproduction(&ReproductionReport {
///     about: &About::default(),
///     paper: "drugan2010",
///     citation: "Drugan and Wiering, 2010",
///     summary: "Feature selection by description length",
///     findings: &[],
///     drawings: &[],
///     panels: &[ReproducedPanel { title: "Table 2".into(), cells: vec![cell] }],
///     conclusions: &[],
///     settings: &[],
///     notes: &[],
/// });
/// assert!(page.contains("1 of 1 figure within one published standard deviation"));
/// assert!(page.contains("+0.20"));
/// ```
pub fn reproduction(report: &ReproductionReport<'_>) -> String {
    let page = Page {
        kicker: "Bayesieve · reproduction",
        title: &title(report),
        about: report.about,
        settings: report
            .settings
            .iter()
            .map(|(name, value)| (name.as_str(), printable(value, 200)))
            .collect(),
    };
    page.write(|html| {
        overview(html, report);
        conclusions(html, report.conclusions);
        charts::write(html, report);
        drawings(html, report.drawings);
        for panel in report.panels {
            section(html, &printable(&panel.title, 120), |html| {
                tables::write(html, &panel.cells)
            });
        }
        notes(html, report.notes);
    })
}

fn cells<'a>(report: &ReproductionReport<'a>) -> impl Iterator<Item = &'a ReproducedCell> + Clone {
    report.panels.iter().flat_map(|panel| &panel.cells)
}

fn title(report: &ReproductionReport<'_>) -> String {
    let sds: Vec<f64> = cells(report).filter_map(ReproducedCell::in_sd).collect();
    let n_both = cells(report).filter_map(ReproducedCell::difference).count() as u64;
    let paper = printable(report.paper, 40);
    match sds.len() as u64 {
        0 if n_both == 0 => format!("{paper}, computed again"),
        0 => {
            let figures = counted(n_both, "figure");
            format!("{paper}: {figures} beside the published ones")
        }
        n => {
            let near = sds.iter().filter(|sd| sd.abs() <= 1.0).count() as u64;
            format!(
                "{paper}: {} of {} within one published standard deviation",
                grouped(near),
                counted(n, "figure")
            )
        }
    }
}

fn overview(html: &mut Html, report: &ReproductionReport<'_>) {
    html.styled("p", "soft", report.citation);
    html.paragraph(report.summary);
    for finding in report.findings {
        html.paragraph(finding);
    }
    html.division("cards", |html| {
        let n_both = cells(report).filter_map(ReproducedCell::difference).count() as u64;
        let n_ours = cells(report).filter(|cell| cell.ours.is_some()).count() as u64;
        if n_both == 0 {
            let text = "The paper prints none to put beside them.";
            fact(html, "Figures computed", &grouped(n_ours), text);
        } else {
            let text = format!("of {} computed.", counted(n_ours, "figure"));
            fact(
                html,
                "Figures beside published ones",
                &grouped(n_both),
                &text,
            );
        }
        let sds: Vec<f64> = cells(report).filter_map(ReproducedCell::in_sd).collect();
        if !sds.is_empty() {
            let within = |limit: f64| {
                let near = sds.iter().filter(|sd| sd.abs() <= limit).count();
                percent(near as f64 / sds.len() as f64)
            };
            let text = format!("Within two: {}.", within(2.0));
            fact(html, "Within one published sd", &within(1.0), &text);
        }
        if !report.conclusions.is_empty() {
            let asked = || report.conclusions.iter().filter_map(|one| one.ours);
            let holds = asked().filter(|holds| *holds).count();
            let figure = format!("{holds} of {}", asked().count());
            let text = "as far as our figures can say.";
            fact(html, "Conclusions that hold of ours", &figure, text);
        }
    });
}

fn conclusions(html: &mut Html, conclusions: &[ReproducedConclusion]) {
    if conclusions.is_empty() {
        return;
    }
    let word = |holds: Option<bool>, detail: &str| {
        let word = match holds {
            Some(true) => "✓ holds",
            Some(false) => "✗ does not hold",
            None => "? not known",
        };
        match detail {
            "" => word.to_owned(),
            detail => format!("{word}: {}", printable(detail, 200)),
        }
    };
    let shade = |holds: Option<bool>| match holds {
        Some(true) => 0.6,
        Some(false) => -0.6,
        None => 0.0,
    };
    section(html, "What the paper concludes", |html| {
        let mut table = PageTable::new("Conclusions of the paper", conclusions);
        table.words("conclusion", |one| printable(&one.text, 400));
        table.words("published figures", |one| {
            word(one.published, &one.published_detail)
        });
        table.words("our figures", |one| {
            PageCell::Shaded(word(one.ours, &one.ours_detail), shade(one.ours))
        });
        table.write(html);
    });
}

/// The paper's drawings, as wide as they must be to be legible.
fn drawings(html: &mut Html, drawings: &[Svg]) {
    if drawings.is_empty() {
        return;
    }
    section(html, "The paper's figures, drawn from ours", |html| {
        for drawing in drawings {
            html.division("drawing", |html| {
                scrolling(html, "A figure of the paper", |html| {
                    html.drawing(drawing.clone());
                });
            });
        }
    });
}
