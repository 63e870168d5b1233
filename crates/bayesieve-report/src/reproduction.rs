//! The page of a reproduction: a paper's figures and ours, side by side.

use bayesieve::printable;
use bayesieve::wording::{counted, grouped};

use crate::chart::FIELD;
use crate::draw::{Box2, Plot, Scale, Svg};
use crate::html::Html;
use crate::page::{About, Page, card, column_digits, notes, percent, section};
use crate::series::mark;
use crate::table::{Cell, Kind, Table};

/// Rows of a table that are shown.
const MOST_ROWS: usize = 400;

/// What the page of a reproduction is made from.
#[derive(Debug, Clone, Copy)]
pub struct ReproductionReport<'a> {
    /// Where it comes from.
    pub about: About<'a>,
    /// How the command calls the paper.
    pub paper: &'a str,
    /// The paper, as it is cited.
    pub citation: &'a str,
    /// What was computed, in a line.
    pub summary: &'a str,
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

/// The page of a reproduction.
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
///     about: About::default(),
///     paper: "drugan2010",
///     citation: "Drugan and Wiering, 2010",
///     summary: "Feature selection by description length",
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
        about: &report.about,
        settings: report
            .settings
            .iter()
            .map(|(name, value)| (name.as_str(), printable(value, 200)))
            .collect(),
    };
    page.write(|html| {
        overview(html, report);
        conclusions(html, report.conclusions);
        charts(html, report);
        for panel in report.panels {
            section(html, &printable(&panel.title, 120), |html| {
                table(html, &panel.cells)
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
        0 => format!(
            "{paper}: {} beside the published ones",
            counted(n_both, "figure")
        ),
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
    html.words("p", report.summary);
    let all: Vec<&ReproducedCell> = cells(report).collect();
    let differences: Vec<f64> = all.iter().filter_map(|cell| cell.difference()).collect();
    html.element("div", &[("class", "cards")], |html| {
        let n = grouped(differences.len() as u64);
        card(html, "Figures with both", &n, |html| {
            let ours = all.iter().filter(|cell| cell.ours.is_some()).count() as u64;
            html.words("p", &format!("of {} computed.", counted(ours, "figure")));
        });
        let sds: Vec<f64> = all.iter().filter_map(|cell| cell.in_sd()).collect();
        if !sds.is_empty() {
            let within = |limit: f64| {
                let near = sds.iter().filter(|sd| sd.abs() <= limit).count();
                percent(near as f64 / sds.len() as f64)
            };
            card(html, "Within one published sd", &within(1.0), |html| {
                html.words("p", &format!("Within two: {}.", within(2.0)));
            });
        }
        let holds = report
            .conclusions
            .iter()
            .filter(|conclusion| conclusion.ours == Some(true));
        let asked = report
            .conclusions
            .iter()
            .filter(|conclusion| conclusion.ours.is_some());
        if !report.conclusions.is_empty() {
            let figure = format!("{} of {}", holds.count(), asked.count());
            card(html, "Conclusions that hold of ours", &figure, |html| {
                html.words("p", "as far as our figures can say.");
            });
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
    let rows = conclusions.iter().map(|one| {
        vec![
            Cell::Text(printable(&one.text, 400)),
            Cell::Text(word(one.published, &one.published_detail)),
            Cell::Shaded(word(one.ours, &one.ours_detail), shade(one.ours)),
        ]
    });
    section(html, "What the paper concludes", |html| {
        let table = Table {
            label: "Conclusions of the paper",
            head: &[
                ("conclusion", Kind::Words),
                ("published figures", Kind::Words),
                ("our figures", Kind::Words),
            ],
            rows: rows.collect(),
        };
        table.write(html);
    });
}

/// A scatter of ours against published for every measure.
fn charts(html: &mut Html, report: &ReproductionReport<'_>) {
    let mut measures: Vec<&str> = Vec::new();
    for cell in cells(report).filter(|cell| cell.difference().is_some()) {
        if !measures.contains(&cell.measure.as_str()) {
            measures.push(&cell.measure);
        }
    }
    if measures.is_empty() {
        return;
    }
    section(html, "Published against ours", |html| {
        html.styled(
            "p",
            "note",
            "A point for every figure; on the line both are the same. Every table has its own mark.",
        );
        html.element("div", &[("class", "charts")], |html| {
            for (place, measure) in measures.iter().enumerate() {
                let of = cells(report).filter(|cell| cell.measure == *measure);
                html.element("div", &[], |html| html.drawing(scatter(place, measure, of)));
            }
        });
    });
}

fn scatter<'a>(
    place: usize,
    measure: &str,
    cells: impl Iterator<Item = &'a ReproducedCell> + Clone,
) -> Svg {
    let both = cells.filter(|cell| cell.difference().is_some());
    let mut tables: Vec<&str> = Vec::new();
    let mut points: Vec<(usize, f64, f64)> = Vec::new();
    for cell in both {
        let (Some(x), Some(y)) = (cell.published, cell.ours) else {
            continue;
        };
        let known = tables.iter().position(|table| *table == cell.table);
        let table = known.unwrap_or_else(|| {
            tables.push(&cell.table);
            tables.len() - 1
        });
        points.push((table, x, y));
    }
    let n = points.len() as f64;
    let away = points.iter().map(|(_, x, y)| (y - x).abs()).sum::<f64>() / f64::max(n, 1.0);
    let description = format!(
        "{} points; ours differ from the published ones by {} on average.",
        points.len(),
        crate::page::digits(away)
    );
    let shown = printable(measure, 40);
    let title = format!("Published and our figures of {shown}");
    let mut svg = Svg::inline(
        &format!("figures-{place}"),
        (420.0, 420.0),
        &title,
        &description,
    );
    let scale = Scale::around(points.iter().flat_map(|(_, x, y)| [*x, *y]));
    let plot = Plot {
        field: Box2 {
            height: FIELD.width,
            ..FIELD
        },
        x: scale,
        y: scale,
        title: &format!("{shown}: ours"),
        x_title: "published",
        y_title: "",
    };
    plot.axes(&mut svg);
    let ends = scale.ends();
    svg.line(
        &[plot.place(ends.0, ends.0), plot.place(ends.1, ends.1)],
        ("var(--soft)", 1.4),
        "6 4",
    );
    for (table, x, y) in points {
        mark(&mut svg, table, plot.place(x, y));
    }
    svg
}

fn table(html: &mut Html, cells: &[ReproducedCell]) {
    let numbers = cells.iter().flat_map(|cell| [cell.ours, cell.published]);
    let n_digits = column_digits(numbers.flatten()).min(2);
    let has_measures = cells
        .windows(2)
        .any(|pair| pair[0].measure != pair[1].measure);
    let has_sd = cells.iter().any(|cell| cell.in_sd().is_some());
    let mut head = vec![("row", Kind::Words), ("column", Kind::Plain)];
    if has_measures {
        head.push(("measure", Kind::Plain));
    }
    head.extend([
        ("published", Kind::Number),
        ("ours", Kind::Number),
        ("difference", Kind::Number),
    ]);
    if has_sd {
        head.push(("in published sd", Kind::Number));
    }
    let largest = cells.iter().filter_map(ReproducedCell::difference);
    let largest = largest.fold(0.0, |most, difference| f64::max(most, difference.abs()));
    let rows = cells.iter().take(MOST_ROWS).map(|cell| {
        let mut row = vec![
            Cell::Text(printable(&cell.row, 80)),
            Cell::Text(printable(&cell.column, 40)),
        ];
        if has_measures {
            row.push(Cell::Text(printable(&cell.measure, 40)));
        }
        row.push(with_sd(cell.published, cell.published_sd, n_digits));
        row.push(with_sd(cell.ours, cell.ours_sd, n_digits));
        row.push(difference(cell, largest, n_digits));
        if has_sd {
            row.push(match cell.in_sd() {
                Some(sds) => Cell::Text(format!("{sds:+.1}")),
                None => Cell::Text("–".into()),
            });
        }
        row
    });
    let table = Table {
        label: "Published and our figures",
        head: &head,
        rows: rows.collect(),
    };
    table.write(html);
    if let Some(rest) = cells.len().checked_sub(MOST_ROWS).filter(|rest| *rest > 0) {
        let text = format!(
            "{} more; the JSON document (-o FILE) has them all.",
            grouped(rest as u64)
        );
        html.styled("p", "note", &text);
    }
}

fn with_sd<'a>(number: Option<f64>, sd: Option<f64>, n_digits: usize) -> Cell<'a> {
    match (number, sd.filter(|sd| sd.is_finite())) {
        (Some(number), Some(sd)) if number.is_finite() => {
            Cell::Text(format!("{number:.n_digits$} ± {sd:.n_digits$}"))
        }
        _ => Cell::number(number, n_digits),
    }
}

/// Green where near, red where far: by published standard deviations, else by the largest
/// difference of the table.
fn difference<'a>(cell: &ReproducedCell, largest: f64, n_digits: usize) -> Cell<'a> {
    let Some(difference) = cell.difference() else {
        return Cell::Text("–".into());
    };
    let shade = match cell.in_sd() {
        Some(sds) => 1.0 - sds.abs(),
        None if largest > 0.0 => 1.0 - 2.0 * difference.abs() / largest,
        None => 1.0,
    };
    Cell::Shaded(format!("{difference:+.n_digits$}"), shade.clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    fn cell(published: Option<f64>, sd: Option<f64>, ours: Option<f64>) -> ReproducedCell {
        ReproducedCell {
            table: "<script>".into(),
            row: "<script>row".into(),
            column: "\"'".into(),
            measure: "accuracy".into(),
            published,
            published_sd: sd,
            ours,
            ours_sd: None,
        }
    }

    fn page(cells: Vec<ReproducedCell>, conclusions: &[ReproducedConclusion]) -> String {
        let panels = [ReproducedPanel {
            title: "Table <1>".into(),
            cells,
        }];
        let page = reproduction(&ReproductionReport {
            about: About::default(),
            paper: "paper",
            citation: "<script>",
            summary: "",
            panels: &panels,
            conclusions,
            settings: &[],
            notes: &[],
        });
        check(&page);
        page
    }

    #[test]
    fn differences_are_counted_in_published_standard_deviations() {
        let cells = vec![
            cell(Some(90.0), Some(1.0), Some(90.5)),
            cell(Some(90.0), Some(1.0), Some(91.5)),
            cell(Some(90.0), Some(0.0), Some(91.5)),
            cell(None, None, Some(3.0)),
            cell(Some(4.0), None, None),
            cell(Some(4.0), None, Some(f64::NAN)),
        ];
        let page = page(cells, &[]);
        assert!(page.contains("1 of 2 figures within one published standard deviation"));
        assert!(page.contains("Within two: 100.0 %."));
        assert!(page.contains(">+0.50<") && page.contains(">+1.5<"));
    }

    #[test]
    fn conclusions_say_by_word_what_holds() {
        let conclusion = |ours| ReproducedConclusion {
            text: "<script> is best".into(),
            published: Some(true),
            published_detail: "3 of 3".into(),
            ours,
            ours_detail: String::new(),
        };
        let page = page(
            Vec::new(),
            &[
                conclusion(Some(true)),
                conclusion(Some(false)),
                conclusion(None),
            ],
        );
        assert!(page.contains("✓ holds: 3 of 3"));
        assert!(page.contains("✗ does not hold") && page.contains("? not known"));
        assert!(page.contains("<p class=\"figure\">1 of 2</p>"));
    }

    #[test]
    fn many_figures_stay_a_page() {
        let cells = (0..3_000).map(|i| cell(Some(f64::from(i)), None, Some(f64::from(i) + 0.5)));
        let page = page(cells.collect(), &[]);
        assert!(page.contains("2,600 more"));
    }
}
