//! The first screen of a comparison.

use bayesieve::Result;
use bayesieve::document::CompareOutcome;
use bayesieve::evaluate::{Entry, Quantity, RankSummary, Standing};
use bayesieve::measure::Measure;
use bayesieve::printable;
use bayesieve::wording::counted;

use super::mean;
use crate::html::Html;
use crate::page::{card, fact, percent};

/// What the comparison answers.
pub(super) struct Answers<'a> {
    report: &'a CompareOutcome,
    by_measure: Option<&'a RankSummary>,
    /// Of every data set, the marks of its pipelines with their places.
    marks: Vec<Vec<(usize, Standing)>>,
}

impl<'a> Answers<'a> {
    pub(super) fn new(
        report: &'a CompareOutcome,
        by_measure: Option<&'a RankSummary>,
    ) -> Result<Self> {
        let marks = |data| report.comparison.standings(data, report.test, report.alpha);
        let data = 0..report.comparison.data.len();
        Ok(Answers {
            report,
            by_measure,
            marks: data.map(marks).collect::<Result<_>>()?,
        })
    }

    pub(super) fn marks(&self) -> &[Vec<(usize, Standing)>] {
        &self.marks
    }

    /// The ranks by the measure that decides, where they are of more than one data set.
    fn ranks_over_several(&self) -> Option<&'a RankSummary> {
        self.by_measure
            .filter(|_| self.report.comparison.data.len() > 1)
    }

    /// The pipelines that are ahead, more than one where they tie: by mean rank, or by accuracy
    /// on the one data set.
    fn winners(&self) -> Vec<usize> {
        match self.ranks_over_several() {
            Some(ranks) => {
                let averages = ranks.ranks.iter().map(|rank| rank.average);
                let first = averages.fold(f64::INFINITY, f64::min);
                // Means of ranks that tie differ in their last digits only.
                let ahead = ranks
                    .ranks
                    .iter()
                    .filter(|rank| rank.average <= first + 1e-9);
                ahead.map(|rank| rank.pipeline).collect()
            }
            None => {
                let marks = self.marks.first().into_iter().flatten();
                let best = marks.filter(|(_, mark)| *mark == Standing::Best);
                best.map(|(place, _)| *place).collect()
            }
        }
    }

    pub(super) fn title(&self) -> String {
        let found = &self.report.comparison;
        let n = found.pipelines.len();
        let winners = self.winners();
        let Some(&winner) = winners.first() else {
            return "No pipeline was finished".into();
        };
        if found.is_cut_short {
            let n_done = found.entries.len();
            return format!("Unfinished: {n_done} of {} cells", found.n_asked);
        }
        if winners.len() == n && n > 1 {
            return format!("No difference among {n} pipelines");
        }
        let name = printable(&found.pipelines[winner].name, 40);
        let (who, are) = match winners.len() - 1 {
            0 => (name, "is"),
            n => (format!("{name} and {}", counted(n as u64, "other")), "are"),
        };
        match found.data.as_slice() {
            [one] => {
                let data = printable(&one.name, 40);
                if found.measure == Measure::ACCURACY {
                    format!("{who} {are} the most accurate of {n} on {data}")
                } else {
                    format!("{who} {are} the best of {n} on {data} by {}", found.measure)
                }
            }
            data if self.may_be_chance() => format!(
                "{n} pipelines over {} data sets: mean ranks differ no more than by chance",
                data.len()
            ),
            data => format!("{who} {are} ahead among {n} over {} data sets", data.len()),
        }
    }

    /// Whether Friedman's test leaves it open that all ranks differ by chance.
    fn may_be_chance(&self) -> bool {
        let friedman = self.by_measure.and_then(|ranks| ranks.friedman.as_ref());
        friedman.is_some_and(|friedman| friedman.tie_corrected.chi_square.p >= self.report.alpha)
    }

    pub(super) fn write(&self, html: &mut Html) {
        let found = &self.report.comparison;
        let stopped = if found.is_cut_short {
            let n_cells = counted(found.entries.len() as u64, "cell");
            let n_asked = found.n_asked;
            format!(" The run ended early: {n_cells} of {n_asked} are finished.")
        } else {
            String::new()
        };
        let intro = format!(
            "{} on {}. On every split all is learned anew from the training rows, cut points and \
             selection included; the test rows say how good that is.{stopped}",
            counted(found.pipelines.len() as u64, "pipeline"),
            counted(found.data.len() as u64, "data set"),
        );
        html.styled("p", "soft", &intro);
        html.division("cards", |html| {
            self.ahead(html);
            self.smallest(html);
            self.guessing(html);
        });
    }

    fn ahead(&self, html: &mut Html) {
        let found = &self.report.comparison;
        let winners = self.winners();
        let Some(&winner) = winners.first() else {
            return;
        };
        let name = printable(&found.pipelines[winner].name, 32);
        let ranks = self.ranks_over_several();
        let rank = ranks.and_then(|ranks| ranks.ranks.iter().find(|rank| rank.pipeline == winner));
        let label = if found.measure == Measure::ACCURACY {
            "Most accurate".to_owned()
        } else {
            format!("Best by {}", found.measure)
        };
        card(html, &label, &name, |html| {
            match (rank, found.entry(0, winner)) {
                (Some(rank), _) => {
                    let mean = rank.average;
                    html.paragraph(&format!("Mean rank {mean:.2}, where 1 is best."));
                }
                (None, Some(entry)) => html.paragraph(&in_words(entry)),
                (None, None) => {}
            }
            if winners.len() > 1 {
                let others = counted(winners.len() as u64 - 1, "other");
                html.paragraph(&format!("As good: {others}."));
            }
        });
    }

    /// The fewest features that do as well as the best, as far as the test can tell.
    fn smallest(&self, html: &mut Html) {
        let found = &self.report.comparison;
        let [_] = found.data.as_slice() else {
            return self.often(html);
        };
        let even = self.marks.first().into_iter().flatten();
        let even = even.filter(|(_, mark)| *mark != Standing::Worse);
        let entries = even.filter_map(|(pipeline, _)| found.entry(0, *pipeline));
        let kept = |entry: &Entry| mean(entry, Quantity::Kept);
        let Some(least) = entries.min_by(|a, b| kept(a).total_cmp(&kept(b))) else {
            return;
        };
        let name = printable(&found.pipelines[least.pipeline].name, 32);
        let label = "Fewest features, not significantly different from it";
        fact(html, label, &name, &in_words(least));
    }

    /// On how many data sets nobody is better than the winner by more than chance.
    fn often(&self, html: &mut Html) {
        let Some(&winner) = self.winners().first() else {
            return;
        };
        let is_ahead = |marks: &&Vec<(usize, Standing)>| {
            let mut own = marks.iter().filter(|(pipeline, _)| *pipeline == winner);
            own.any(|(_, mark)| *mark != Standing::Worse)
        };
        let n = self.marks.iter().filter(is_ahead).count();
        let figure = format!("{n} of {}", self.marks.len());
        let label = "Data sets where nobody beats it";
        fact(html, label, &figure, "by more than chance.");
    }

    fn guessing(&self, html: &mut Html) {
        let data = &self.report.comparison.data;
        let shares = data.iter().map(|data| data.guessing());
        let mean = shares.sum::<f64>() / data.len().max(1) as f64;
        let text = match data.len() {
            1 => "is right without any feature.",
            _ => "is right on average, without any feature.",
        };
        fact(html, "Majority-class baseline", &percent(mean), text);
    }
}

/// Accuracy and size in a sentence.
fn in_words(entry: &Entry) -> String {
    let kept = mean(entry, Quantity::Kept);
    let accuracy = percent(mean(entry, Quantity::ACCURACY));
    format!("{accuracy} right with {kept:.1} features on average.")
}
