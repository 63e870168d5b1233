//! Ranks over several data sets, and which of them differ by more than chance.

use bayesieve::Result;
use bayesieve::evaluate::{Comparison, Measure, Rank, RankSummary, Verdicts};
use bayesieve::printable;
use bayesieve::wording::counted;

use super::ComparisonReport;
use crate::draw::{Anchor, Svg, Text};
use crate::html::Html;
use crate::labels::spread;
use crate::page::section;
use crate::series::key;
use crate::table::{Cell, Kind, Table};

/// Ranks and what tests say of them.
pub(super) struct Ranked<'a> {
    pub(super) ranked: &'a [RankSummary],
    pub(super) verdicts: &'a [Verdicts],
    /// How far accuracy ranks must lie apart to differ.
    pub(super) critical: Option<f64>,
}

/// The ranks by every measure that pipelines have.
pub(super) fn ranked(found: &Comparison) -> Result<Vec<RankSummary>> {
    let measures = Measure::TESTED.iter();
    let ranked = measures.map(|&measure| found.ranks(measure));
    let ranked: Vec<Option<RankSummary>> = ranked.collect::<Result<_>>()?;
    Ok(ranked.into_iter().flatten().collect())
}

pub(super) fn write(html: &mut Html, report: &ComparisonReport<'_>, ranked: &Ranked<'_>) {
    let by_accuracy = ranked
        .ranked
        .iter()
        .find(|ranks| ranks.measure == Measure::Accuracy);
    let Some(by_accuracy) = by_accuracy else {
        return;
    };
    section(html, "Over all data sets", |html| {
        html.words(
            "p",
            &format!(
                "On each of {} the pipelines are ranked by their mean accuracy, 1 for the best; \
                 shown are the means of these ranks.",
                counted(by_accuracy.data.len() as u64, "data set")
            ),
        );
        html.element("div", &[("class", "charts")], |html| {
            html.element("div", &[], |html| {
                if let Some(critical) = ranked.critical {
                    html.drawing(diagram(report, by_accuracy, critical));
                }
            });
            html.element("div", &[], |html| {
                tested(html, report, by_accuracy, ranked.critical)
            });
        });
        table(html, report, by_accuracy, ranked);
    });
}

/// Ranks from the best on.
fn in_order(ranks: &RankSummary) -> Vec<Rank> {
    let mut order = ranks.ranks.clone();
    // Stable: ties stay in the order of the pipelines.
    order.sort_by(|a, b| a.average.total_cmp(&b.average));
    order
}

fn tested(
    html: &mut Html,
    report: &ComparisonReport<'_>,
    ranks: &RankSummary,
    critical: Option<f64>,
) {
    if let Some(friedman) = &ranks.friedman {
        let f = friedman.tie_corrected.iman_davenport;
        let verdict = match f.p < report.alpha {
            true => "more than chance would do",
            false => "no more than chance would do",
        };
        html.words(
            "p",
            &format!(
                "All together the ranks differ {verdict} (Friedman's test as Iman and Davenport \
                 correct it: F = {:.2}, p = {}).",
                f.statistic,
                probability(f.p)
            ),
        );
    }
    if let Some(critical) = critical {
        html.words(
            "p",
            &format!(
                "Two pipelines differ by more than chance where their ranks lie {critical:.2} or \
                 more apart (Nemenyi's test at level {}). In the drawing, a bar joins those that \
                 do not.",
                report.alpha
            ),
        );
    }
}

fn probability(p: f64) -> String {
    match p {
        p if p < 1e-4 => format!("{p:.1e}"),
        p => format!("{p:.4}"),
    }
}

/// The critical-difference diagram, turned upright: labels have room there on any screen.
fn diagram(report: &ComparisonReport<'_>, ranks: &RankSummary, critical: f64) -> Svg {
    let order = in_order(ranks);
    let n = order.len() as f64;
    let (top, length) = (34.0, f64::max(200.0, 21.0 * (n - 1.0)));
    let name = |rank: &Rank| printable(&report.comparison.pipelines[rank.pipeline].name, 26);
    let spoken: Vec<String> = order
        .iter()
        .map(|rank| format!("{} {:.2}", name(rank), rank.average))
        .collect();
    let groups = groups(&order, critical);
    let description = format!(
        "Mean ranks from the best on: {}. The critical difference is {critical:.2}; {} cannot be \
         told apart.",
        spoken.join(", "),
        counted(groups.len() as u64, "group")
    );
    let title = "Critical-difference diagram of the accuracy ranks";
    let size = (420.0, top + length + 22.0);
    let mut svg = Svg::inline("ranks", size, title, &description);
    let soft = svg.theme().soft_ink;
    let y = |rank: f64| top + length * (rank - 1.0) / f64::max(n - 1.0, 1.0);
    let axis = 118.0;
    svg.text(
        Text::at(4.0, 14.0).bold().sized(13.0),
        "mean rank, 1 is best",
    );
    svg.line(&[(axis, y(1.0)), (axis, y(n))], (soft, 1.2), "");
    for tick in 1..=order.len() {
        let at = y(tick as f64);
        svg.line(&[(axis - 4.0, at), (axis, at)], (soft, 1.0), "");
        if order.len() <= 20 || tick == 1 || tick == order.len() || tick % 5 == 0 {
            let text = Text::at(axis - 8.0, at + 4.0).anchored(Anchor::End);
            svg.text(text.sized(11.0).soft(), &tick.to_string());
        }
    }
    // The critical difference as a length to compare with, cut off where it is longer than all.
    let longest = f64::min(critical, n - 1.0);
    let measure = [(12.0, y(1.0)), (12.0, y(1.0 + longest))];
    svg.line(&measure, (soft, 1.2), "");
    for end in measure {
        svg.line(&[(8.0, end.1), (16.0, end.1)], (soft, 1.2), "");
    }
    let middle = f64::midpoint(measure[0].1, measure[1].1) + 4.0;
    svg.text(
        Text::at(20.0, middle).sized(11.0).soft(),
        &format!("CD {critical:.2}"),
    );
    for (place, (first, last)) in groups.iter().enumerate() {
        let x = axis - 30.0 - 7.0 * (place % 3) as f64;
        let (from, to) = (
            y(order[*first].average) - 3.0,
            y(order[*last].average) + 3.0,
        );
        svg.line(&[(x, from), (x, to)], ("var(--accent)", 4.0), "");
    }
    let wanted: Vec<f64> = order.iter().map(|rank| y(rank.average) - top).collect();
    for (rank, place) in order.iter().zip(spread(&wanted, 20.0, length)) {
        let (from, to) = (y(rank.average), top + place);
        let path = [
            (axis, from),
            (axis + 16.0, from),
            (axis + 34.0, to),
            (axis + 42.0, to),
        ];
        svg.line(&path, (soft, 1.0), "");
        svg.dot((axis, from), 3.6, "var(--accent)");
        let label = format!("{} {} {:.2}", key(rank.pipeline), name(rank), rank.average);
        svg.text(Text::at(axis + 46.0, to + 4.2), &label);
    }
    svg
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
    report: &ComparisonReport<'_>,
    by_accuracy: &RankSummary,
    ranked: &Ranked<'_>,
) {
    let of = |measure: Measure, pipeline: usize| {
        let ranks = ranked
            .ranked
            .iter()
            .find(|ranks| ranks.measure == measure)?;
        let rank = ranks.ranks.iter().find(|rank| rank.pipeline == pipeline)?;
        Some(rank.average)
    };
    let rows = in_order(by_accuracy).into_iter().map(|rank| {
        let pipeline = rank.pipeline;
        let name = printable(&report.comparison.pipelines[pipeline].name, 48);
        let verdicts = ranked.verdicts.get(pipeline).copied().unwrap_or_default();
        vec![
            Cell::Text(format!("{} {name}", key(pipeline))),
            Cell::number(Some(rank.average), 2),
            Cell::number(Some(rank.competition), 2),
            Cell::Text(verdicts.wins.to_string()),
            Cell::Text(verdicts.draws.to_string()),
            Cell::Text(verdicts.losses.to_string()),
            Cell::number(of(Measure::LogLoss, pipeline), 2),
            Cell::number(of(Measure::Kept, pipeline), 2),
            Cell::number(of(Measure::Call, pipeline), 2),
        ]
    });
    html.words("h3", "Ranks and wins");
    let table = Table {
        label: "Mean ranks and wins",
        head: &[
            ("pipeline", Kind::Words),
            ("accuracy rank", Kind::Number),
            ("ties share the best", Kind::Number),
            ("wins", Kind::Number),
            ("draws", Kind::Number),
            ("losses", Kind::Number),
            ("log loss rank", Kind::Number),
            ("features rank", Kind::Number),
            ("CALL rank", Kind::Number),
        ],
        rows: rows.collect(),
    };
    table.write(html);
    html.styled(
        "p",
        "note",
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
