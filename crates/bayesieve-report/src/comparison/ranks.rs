//! Ranks over several data sets, and which of them differ by more than chance.

use bayesieve::Result;
use bayesieve::document::CompareOutcome;
use bayesieve::evaluate::{Quantity, Rank, RankSummary, Verdicts};
use bayesieve::measure::Measure;
use bayesieve::printable;
use bayesieve::wording::counted;

use super::label;
use crate::draw::{Anchor, Svg, Text};
use crate::html::Html;
use crate::labels::spread;
use crate::page::section;
use crate::series::key;
use crate::table::PageTable;

/// Ranks and what tests say of them.
pub(super) struct PipelineRanks {
    /// By every measure that pipelines have.
    ranked: Vec<RankSummary>,
    verdicts: Vec<Verdicts>,
    /// What decides which pipeline is the best.
    decides: &'static Measure,
    /// How far its ranks must lie apart to differ.
    critical: Option<f64>,
}

impl PipelineRanks {
    pub(super) fn new(report: &CompareOutcome) -> Result<Self> {
        let found = &report.comparison;
        let mut ranks = PipelineRanks {
            ranked: found.all_ranks()?,
            verdicts: found.verdicts(
                Quantity::Measured(found.measure),
                report.test,
                report.alpha,
            )?,
            decides: found.measure,
            critical: None,
        };
        if let Some(by_measure) = ranks.by_measure() {
            ranks.critical = by_measure.critical_difference(report.alpha)?;
        }
        Ok(ranks)
    }

    pub(super) fn by_measure(&self) -> Option<&RankSummary> {
        self.by(Quantity::Measured(self.decides))
    }

    fn by(&self, quantity: Quantity) -> Option<&RankSummary> {
        self.ranked.iter().find(|ranks| ranks.quantity == quantity)
    }

    /// The mean rank of a pipeline.
    fn of(&self, quantity: Quantity, pipeline: usize) -> Option<f64> {
        let mut ranks = self.by(quantity)?.ranks.iter();
        let rank = ranks.find(|rank| rank.pipeline == pipeline)?;
        Some(rank.average)
    }
}

pub(super) fn write(html: &mut Html, report: &CompareOutcome, ranked: &PipelineRanks) {
    let Some(by_measure) = ranked.by_measure() else {
        return;
    };
    section(html, "Over all data sets", |html| {
        html.paragraph(&format!(
            "On each of {} the pipelines are ranked by their mean accuracy, 1 for the best; shown \
             are the means of these ranks.",
            counted(by_measure.data.len() as u64, "data set")
        ));
        html.division("charts", |html| {
            html.element("div", &[], |html| {
                if let Some(critical) = ranked.critical {
                    let order = in_order(by_measure);
                    let diagram = Diagram {
                        report,
                        length: f64::max(200.0, 21.0 * (order.len() as f64 - 1.0)),
                        order,
                        critical,
                    };
                    html.drawing(diagram.draw());
                }
            });
            html.element("div", &[], |html| {
                tested(html, report, by_measure, ranked.critical)
            });
        });
        table(html, report, by_measure, ranked);
    });
}

/// Ranks from the best on.
fn in_order(ranks: &RankSummary) -> Vec<Rank> {
    let mut order = ranks.ranks.clone();
    // Stable: ties stay in the order of the pipelines.
    order.sort_by(|a, b| a.average.total_cmp(&b.average));
    order
}

fn tested(html: &mut Html, report: &CompareOutcome, ranks: &RankSummary, critical: Option<f64>) {
    if let Some(friedman) = &ranks.friedman {
        let tests = &friedman.tie_corrected;
        let (chi, f) = (tests.chi_square, tests.iman_davenport);
        // Where all data sets agree on the order F is infinite, however few they are.
        let (p, test) = if f.statistic.is_finite() {
            let about = format!("as Iman and Davenport correct it: F = {:.2}", f.statistic);
            (f.p, about)
        } else {
            (chi.p, format!("X² = {:.2}", chi.statistic))
        };
        let no = if p < report.alpha { "" } else { "no " };
        let verdict = format!("{no}more than chance would do");
        html.paragraph(&format!(
            "All together the ranks differ {verdict} (Friedman's test, {test}, p = {}).",
            probability(p)
        ));
    }
    if let Some(critical) = critical {
        html.paragraph(&format!(
            "Two pipelines differ by more than chance where their ranks lie {critical:.2} or more \
             apart (Nemenyi's test at level {}). In the drawing, a bar joins those that do not.",
            report.alpha
        ));
    }
}

fn probability(p: f64) -> String {
    match p {
        p if p < 1e-4 => format!("{p:.1e}"),
        p => format!("{p:.4}"),
    }
}

/// Where the axis of ranks is.
const AXIS: f64 = 118.0;
/// Where it begins, below the title.
const TOP: f64 = 34.0;

/// The critical-difference diagram, turned upright: labels have room there on any screen.
struct Diagram<'a> {
    report: &'a CompareOutcome,
    /// From the best on.
    order: Vec<Rank>,
    critical: f64,
    /// Of the axis.
    length: f64,
}

impl Diagram<'_> {
    fn draw(&self) -> Svg {
        let groups = groups(&self.order, self.critical);
        let title = "Critical-difference diagram of the accuracy ranks";
        let size = (420.0, TOP + self.length + 22.0);
        let mut svg = Svg::inline("ranks", size, title, &self.description(groups.len()));
        let heading = Text::at(4.0, 14.0).bold().sized(13.0);
        svg.text(heading, "mean rank, 1 is best");
        self.axis(&mut svg);
        self.critical_difference(&mut svg);
        for (place, (first, last)) in groups.iter().enumerate() {
            let x = AXIS - 30.0 - 7.0 * (place % 3) as f64;
            let [from, to] = [first, last].map(|&place| self.y(self.order[place].average));
            let bar = [(x, from - 3.0), (x, to + 3.0)];
            svg.line(&bar, ("var(--accent)", 4.0), "");
        }
        self.labels(&mut svg);
        svg
    }

    fn y(&self, rank: f64) -> f64 {
        let span = f64::max(self.order.len() as f64 - 1.0, 1.0);
        TOP + self.length * (rank - 1.0) / span
    }

    fn name(&self, rank: &Rank) -> String {
        printable(&self.report.comparison.pipelines[rank.pipeline].name, 26)
    }

    fn description(&self, n_groups: usize) -> String {
        let spoken = |rank: &Rank| format!("{} {:.2}", self.name(rank), rank.average);
        let spoken: Vec<String> = self.order.iter().map(spoken).collect();
        format!(
            "Mean ranks from the best on: {}. The critical difference is {:.2}; {} cannot be told \
             apart.",
            spoken.join(", "),
            self.critical,
            counted(n_groups as u64, "group")
        )
    }

    fn axis(&self, svg: &mut Svg) {
        let soft = svg.theme().soft_ink;
        let n = self.order.len();
        let ends = [(AXIS, self.y(1.0)), (AXIS, self.y(n as f64))];
        svg.line(&ends, (soft, 1.2), "");
        for tick in 1..=n {
            let y = self.y(tick as f64);
            svg.line(&[(AXIS - 4.0, y), (AXIS, y)], (soft, 1.0), "");
            if n <= 20 || tick == 1 || tick == n || tick % 5 == 0 {
                let text = Text::at(AXIS - 8.0, y + 4.0).anchored(Anchor::End);
                svg.text(text.sized(11.0).soft(), &tick.to_string());
            }
        }
    }

    /// The critical difference as a length to compare with, cut off where it is longer than all.
    fn critical_difference(&self, svg: &mut Svg) {
        let soft = svg.theme().soft_ink;
        let length = f64::min(self.critical, self.order.len() as f64 - 1.0);
        let [from, to] = [self.y(1.0), self.y(1.0 + length)];
        svg.line(&[(12.0, from), (12.0, to)], (soft, 1.2), "");
        for end in [from, to] {
            svg.line(&[(8.0, end), (16.0, end)], (soft, 1.2), "");
        }
        let text = Text::at(20.0, f64::midpoint(from, to) + 4.0);
        svg.text(text.sized(11.0).soft(), &format!("CD {:.2}", self.critical));
    }

    /// Names at the ends of bent lines, apart from each other.
    fn labels(&self, svg: &mut Svg) {
        let soft = svg.theme().soft_ink;
        let wanted = self.order.iter().map(|rank| self.y(rank.average) - TOP);
        let places = spread(&wanted.collect::<Vec<_>>(), 20.0, self.length);
        for (rank, place) in self.order.iter().zip(places) {
            let (from, to) = (self.y(rank.average), TOP + place);
            let path = [(0.0, from), (16.0, from), (34.0, to), (42.0, to)];
            let path = path.map(|(x, y)| (AXIS + x, y));
            svg.line(&path, (soft, 1.0), "");
            svg.dot((AXIS, from), 3.6, "var(--accent)");
            let key = key(rank.pipeline);
            let label = format!("{key} {} {:.2}", self.name(rank), rank.average);
            svg.text(Text::at(AXIS + 46.0, to + 4.2), &label);
        }
    }
}

/// Runs of ranks, first and last, that are no further apart than the critical difference; none
/// within another.
fn groups(order: &[Rank], critical: f64) -> Vec<(usize, usize)> {
    let mut groups: Vec<(usize, usize)> = Vec::new();
    for first in 0..order.len() {
        let is_near = |rank: &&Rank| rank.average - order[first].average < critical;
        let last = first + order[first..].iter().take_while(is_near).count().max(1) - 1;
        let is_new = groups.last().is_none_or(|group| last > group.1);
        if last > first && is_new {
            groups.push((first, last));
        }
    }
    groups
}

fn table(
    html: &mut Html,
    report: &CompareOutcome,
    by_measure: &RankSummary,
    ranked: &PipelineRanks,
) {
    html.words("h3", "Ranks and wins");
    let order = in_order(by_measure);
    let mut table = PageTable::new("Mean ranks and wins", &order);
    let verdicts = |rank: &Rank| {
        ranked
            .verdicts
            .get(rank.pipeline)
            .copied()
            .unwrap_or_default()
    };
    let by = |quantity: Quantity| move |rank: &Rank| ranked.of(quantity, rank.pipeline);
    table.words("pipeline", |rank| label(&report.comparison, rank.pipeline));
    let decides = report.comparison.measure;
    table.value(&format!("{decides} rank"), 2, |rank| Some(rank.average));
    table.value("ties share the best", 2, |rank| Some(rank.competition));
    table.number("wins", |rank| verdicts(rank).wins.to_string());
    table.number("draws", |rank| verdicts(rank).draws.to_string());
    table.number("losses", |rank| verdicts(rank).losses.to_string());
    if decides != Measure::ACCURACY {
        table.value("accuracy rank", 2, by(Quantity::ACCURACY));
    }
    table.value("log loss rank", 2, by(Quantity::LOG_LOSS));
    table.value("features rank", 2, by(Quantity::Kept));
    table.value("CALL rank", 2, by(Quantity::Call));
    table.write(html);
    html.note(
        "Wins and losses: against every other pipeline on every data set, where a test of the two \
         says that it is more than chance.",
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_the_longest_runs_within_the_critical_difference() {
        let order: Vec<Rank> = [1.0, 1.5, 2.4, 4.0, 4.5]
            .into_iter()
            .enumerate()
            .map(|(pipeline, average)| Rank {
                pipeline,
                average,
                competition: average,
            })
            .collect();
        // Below 1: 1.0-1.5, 1.5-2.4, 4.0-4.5.
        assert_eq!(groups(&order, 1.0), [(0, 1), (1, 2), (3, 4)]);
        assert_eq!(groups(&order, 9.0), [(0, 4)]);
        assert_eq!(groups(&order, 0.1), []);
    }
}
