//! Which laws the parts of the study are made of, and what was found of them.

use bayesieve::Result;
use bayesieve::evaluate::{
    Judged, JudgedMeans, ScoreSource, SeparationDesign, SeparationTrial, Span, TrialMeans,
};
use serde::Serialize;

/// Largest distances of blocks in figure 1, whose axis goes from 0 to 1.3.
const LARGEST_DISTANCES: [f64; 10] = [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.1, 1.3];
/// Degrees of freedom in figure 2, as far as there are so many features; then all of them.
const DEGREES_OF_FREEDOM: [f64; 10] = [1.0, 2.0, 5.0, 12.0, 25.0, 50.0, 100.0, 200.0, 400.0, 800.0];
/// Non-centralities in figure 2.
const NONCENTRALITY: Span = Span {
    from: 0.0,
    to: 10.0,
};
/// Shares of blocks that tell nothing, with the score of the others.
const IRRELEVANT: [(f64, f64); 3] = [(0.5, 30.0), (0.5, 60.0), (0.8, 60.0)];

/// A part of the study.
#[derive(Debug)]
pub(super) struct FigurePart {
    /// How options and documents call it.
    pub(super) name: &'static str,
    /// What people read above it.
    pub(super) title: &'static str,
    /// The file of its drawing; nothing for what the paper does not draw.
    pub(super) file: Option<&'static str>,
    /// What its laws go by in a table.
    pub(super) words: &'static [&'static str],
    /// Its laws, in order.
    pub(super) entries: fn(&SeparationDesign) -> Vec<ScoreEntry>,
}

pub(super) static UNIFORM: FigurePart = FigurePart {
    name: "1",
    title: "Figure 1: distances of blocks uniform from 0 to b",
    file: Some("figure1.svg"),
    words: &["b", "n b/2"],
    entries: uniform_entries,
};

pub(super) static CHI_SQUARE: FigurePart = FigurePart {
    name: "2",
    title: "Figure 2: scores of blocks by a non-central chi-square law",
    file: Some("figure2.svg"),
    words: &["df", "non-centrality", "mean"],
    entries: chi_square_entries,
};

pub(super) static NOT_IN_PAPER: FigurePart = FigurePart {
    name: "irrelevant",
    title: "Where blocks are truly irrelevant (not in the paper)",
    file: None,
    words: &["scores"],
    entries: irrelevant_entries,
};

pub(super) static PARTS: [&FigurePart; 3] = [&UNIFORM, &CHI_SQUARE, &NOT_IN_PAPER];

fn uniform_entries(design: &SeparationDesign) -> Vec<ScoreEntry> {
    let entries = LARGEST_DISTANCES.map(|b| ScoreEntry {
        part: &UNIFORM,
        source: ScoreSource::Uniform {
            most: design.n_rows as f64 * b / 2.0,
        },
        largest_distance: Some(b),
        is_on_curve: true,
    });
    entries.into()
}

fn chi_square_entries(design: &SeparationDesign) -> Vec<ScoreEntry> {
    let n_features = (design.n_blocks * design.block_size) as f64;
    let entry = |degrees_of_freedom, noncentrality, is_on_curve| ScoreEntry {
        part: &CHI_SQUARE,
        source: ScoreSource::ChiSquare {
            degrees_of_freedom,
            noncentrality,
        },
        largest_distance: None,
        is_on_curve,
    };
    let below = DEGREES_OF_FREEDOM.into_iter().filter(|k| *k < n_features);
    let curve = below.chain([n_features]);
    let curve = curve.map(|k| entry(Span::only(k), NONCENTRALITY, true));
    let drawn = Span {
        from: 1.0,
        to: n_features,
    };
    let central = [1.0, 12.0].map(|k| entry(Span::only(k), Span::only(0.0), false));
    curve
        .chain([entry(drawn, NONCENTRALITY, false)])
        .chain(central)
        .collect()
}

fn irrelevant_entries(_: &SeparationDesign) -> Vec<ScoreEntry> {
    let entries = IRRELEVANT.map(|(share, score)| ScoreEntry {
        part: &NOT_IN_PAPER,
        source: ScoreSource::Irrelevant { share, score },
        largest_distance: None,
        is_on_curve: false,
    });
    entries.into()
}

/// A law of the true scores.
#[derive(Debug, Clone)]
pub(super) struct ScoreEntry {
    pub(super) part: &'static FigurePart,
    pub(super) source: ScoreSource,
    /// The b of figure 1.
    pub(super) largest_distance: Option<f64>,
    /// Whether it is a point of the figure's lines.
    pub(super) is_on_curve: bool,
}

impl ScoreEntry {
    /// Its place on the horizontal axis: the largest score in figure 1, else the mean.
    pub(super) fn place(&self) -> f64 {
        match self.source {
            ScoreSource::Uniform { most } => most,
            other => other.mean(),
        }
    }
}

/// What a law came to.
pub(super) struct ScoreResult {
    pub(super) entry: ScoreEntry,
    pub(super) trials: Vec<SeparationTrial>,
    pub(super) means: TrialMeans,
}

impl ScoreResult {
    pub(super) fn new(entry: ScoreEntry, trials: Vec<SeparationTrial>) -> Result<Self> {
        Ok(ScoreResult {
            means: TrialMeans::of(&trials)?,
            entry,
            trials,
        })
    }

    pub(super) fn by(&self, judged: Judged) -> &JudgedMeans {
        match judged {
            Judged::Truth => &self.means.by_truth,
            Judged::PlugIn => &self.means.by_plug_in,
        }
    }
}

/// What was found of all laws.
pub(super) struct TrialResults {
    pub(super) found: Vec<ScoreResult>,
    /// Laws that were asked for.
    pub(super) n_asked: usize,
    pub(super) design: SeparationDesign,
    pub(super) n_trials: usize,
    pub(super) parts: Vec<&'static FigurePart>,
}

impl TrialResults {
    /// Returns the laws of a part that were finished.
    pub(super) fn of(&self, part: &FigurePart) -> impl Iterator<Item = &ScoreResult> {
        let found = self.found.iter();
        found.filter(move |one| one.entry.part.name == part.name)
    }

    /// Whether all laws of a part were finished.
    pub(super) fn is_whole(&self, part: &FigurePart) -> bool {
        self.of(part).count() == (part.entries)(&self.design).len()
    }

    /// Returns the least and the largest mean gain over the laws of some parts.
    pub(super) fn gains(&self, parts: &[&FigurePart], judged: Judged) -> Option<(f64, f64)> {
        let found = parts.iter().flat_map(|part| self.of(part));
        let gains = found.map(|one| one.by(judged).gain.mean);
        gains.fold(None, |range, gain| match range {
            None => Some((gain, gain)),
            Some((least, most)) => Some((gain.min(least), gain.max(most))),
        })
    }

    /// Counts how often gains of each size came, over the laws that a part's figure draws, or
    /// over all where it draws none.
    pub(super) fn histogram(&self, part: &FigurePart, judged: Judged) -> GainHistogram {
        let has_curve = part.file.is_some();
        let found = self
            .of(part)
            .filter(|one| one.entry.is_on_curve == has_curve);
        let trials = found.flat_map(|one| &one.trials);
        GainHistogram::of(trials.map(|trial| trial.gain(judged)))
    }
}

/// How often numbers came, by intervals of one width.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct GainHistogram {
    /// Numbers below the first interval.
    pub(super) below: usize,
    pub(super) counts: Vec<usize>,
    /// Numbers at or above the end of the last.
    pub(super) above: usize,
}

impl GainHistogram {
    pub(super) const FROM: f64 = -0.5;
    pub(super) const WIDTH: f64 = 0.01;
    pub(super) const N_BINS: usize = 100;

    fn of(numbers: impl Iterator<Item = f64>) -> Self {
        let mut histogram = GainHistogram {
            below: 0,
            counts: vec![0; Self::N_BINS],
            above: 0,
        };
        for x in numbers {
            let place = ((x - Self::FROM) / Self::WIDTH).floor();
            if place < 0.0 {
                histogram.below += 1;
            } else {
                match histogram.counts.get_mut(place as usize) {
                    Some(count) => *count += 1,
                    None => histogram.above += 1,
                }
            }
        }
        histogram
    }

    /// Returns where a bin begins.
    pub(super) fn start(bin: usize) -> f64 {
        Self::FROM + Self::WIDTH * bin as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DESIGN: SeparationDesign = SeparationDesign {
        n_blocks: 100,
        block_size: 12,
        n_rows: 1200,
    };

    #[test]
    fn figure_one_ends_where_the_papers_axis_does() {
        // n b / 2 = 1200 x 1.3 / 2.
        let entries = uniform_entries(&DESIGN);
        assert_eq!(entries[0].place(), 12.0);
        assert_eq!(entries[9].place(), 780.0);
    }

    #[test]
    fn figure_two_goes_up_to_the_number_of_features() {
        let places = |design: &SeparationDesign| -> Vec<f64> {
            let entries = chi_square_entries(design).into_iter();
            let curve = entries.filter(|entry| entry.is_on_curve);
            curve.map(|entry| entry.place()).collect()
        };
        // Degrees of freedom and the mean non-centrality, 5.
        let all = places(&DESIGN);
        assert_eq!((all[0], all[10], all.len()), (6.0, 1205.0, 11));
        let small = SeparationDesign {
            n_blocks: 3,
            block_size: 4,
            ..DESIGN
        };
        assert_eq!(places(&small), [6.0, 7.0, 10.0, 17.0]);
        let one = SeparationDesign {
            n_blocks: 1,
            block_size: 1,
            ..DESIGN
        };
        assert_eq!(places(&one), [6.0]);
    }

    #[test]
    fn every_number_is_counted_once() {
        let numbers = [-7.0, -0.5, -0.001, 0.0, 0.004, 0.4999, 0.5, 1.0];
        let histogram = GainHistogram::of(numbers.into_iter());
        assert_eq!((histogram.below, histogram.above), (1, 2));
        assert_eq!(histogram.counts.iter().sum::<usize>(), 5);
        assert_eq!((histogram.counts[49], histogram.counts[50]), (1, 2));
        assert!(GainHistogram::start(50).abs() < 1e-12);
    }
}
