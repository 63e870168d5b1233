//! Which laws the parts of the study are made of, and what was found of them.

use bayesieve::evaluate::{
    Judged, ScoreSource, SeparationDesign, SeparationTrial, Span, TrialMeans,
};

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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Figure 1.
    Uniform,
    /// Figure 2.
    ChiSquare,
    /// Not in the paper.
    Irrelevant,
}

impl Part {
    pub(super) const ALL: [Part; 3] = [Part::Uniform, Part::ChiSquare, Part::Irrelevant];

    /// How options and documents call it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Part::Uniform => "1",
            Part::ChiSquare => "2",
            Part::Irrelevant => "irrelevant",
        }
    }

    /// What people read above it.
    pub(super) fn title(self) -> &'static str {
        match self {
            Part::Uniform => "Figure 1: distances of blocks uniform from 0 to b",
            Part::ChiSquare => "Figure 2: scores of blocks by a non-central chi-square law",
            Part::Irrelevant => "Where blocks are truly irrelevant (not in the paper)",
        }
    }

    /// What its drawing goes by on a page.
    pub(super) fn id(self) -> &'static str {
        match self {
            Part::Uniform => "figure1",
            Part::ChiSquare => "figure2",
            Part::Irrelevant => "irrelevant",
        }
    }

    /// The file of its drawing.
    pub(super) fn file(self) -> Option<&'static str> {
        match self {
            Part::Uniform => Some("figure1.svg"),
            Part::ChiSquare => Some("figure2.svg"),
            Part::Irrelevant => None,
        }
    }

    /// Its laws, in order.
    pub(super) fn entries(self, design: &SeparationDesign) -> Vec<Entry> {
        match self {
            Part::Uniform => LARGEST_DISTANCES
                .map(|b| Entry {
                    part: self,
                    source: ScoreSource::Uniform {
                        most: design.n_rows as f64 * b / 2.0,
                    },
                    largest_distance: Some(b),
                    is_on_curve: true,
                })
                .to_vec(),
            Part::ChiSquare => chi_square_entries(design),
            Part::Irrelevant => IRRELEVANT
                .map(|(share, score)| Entry::of(self, ScoreSource::Irrelevant { share, score }))
                .to_vec(),
        }
    }
}

fn chi_square_entries(design: &SeparationDesign) -> Vec<Entry> {
    let n_features = (design.n_blocks * design.block_size) as f64;
    let law = |degrees_of_freedom: Span, noncentrality: Span| {
        let source = ScoreSource::ChiSquare {
            degrees_of_freedom,
            noncentrality,
        };
        Entry::of(Part::ChiSquare, source)
    };
    let below = DEGREES_OF_FREEDOM.into_iter().filter(|k| *k < n_features);
    let curve = below.chain([n_features]).map(|k| Entry {
        is_on_curve: true,
        ..law(Span::only(k), NONCENTRALITY)
    });
    let drawn = Span {
        from: 1.0,
        to: n_features,
    };
    let central = [1.0, 12.0].map(|k| law(Span::only(k), Span::only(0.0)));
    curve
        .chain([law(drawn, NONCENTRALITY)])
        .chain(central)
        .collect()
}

/// A law of the true scores.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) part: Part,
    pub(super) source: ScoreSource,
    /// The b of figure 1.
    pub(super) largest_distance: Option<f64>,
    /// Whether it is a point of the figure's lines.
    pub(super) is_on_curve: bool,
}

impl Entry {
    fn of(part: Part, source: ScoreSource) -> Self {
        Entry {
            part,
            source,
            largest_distance: None,
            is_on_curve: false,
        }
    }

    /// Its place on the horizontal axis: the largest score in figure 1, else the mean.
    pub(super) fn place(&self) -> f64 {
        match self.source {
            ScoreSource::Uniform { most } => most,
            other => other.mean(),
        }
    }
}

/// What a law came to.
pub(super) struct Found {
    pub(super) entry: Entry,
    pub(super) trials: Vec<SeparationTrial>,
    pub(super) means: TrialMeans,
}

/// What was found of all laws.
pub(super) struct Results {
    pub(super) found: Vec<Found>,
    /// Laws that were asked for.
    pub(super) n_asked: usize,
    pub(super) design: SeparationDesign,
    pub(super) n_trials: usize,
    pub(super) parts: Vec<Part>,
}

impl Results {
    /// The laws of a part that were finished.
    pub(super) fn of(&self, part: Part) -> impl Iterator<Item = &Found> {
        self.found.iter().filter(move |one| one.entry.part == part)
    }

    pub(super) fn is_cut_short(&self) -> bool {
        self.found.len() < self.n_asked
    }

    /// Whether all laws of a part were finished.
    pub(super) fn is_whole(&self, part: Part) -> bool {
        self.of(part).count() == part.entries(&self.design).len()
    }

    /// The least and the largest mean gain over the laws of some parts.
    pub(super) fn gains(&self, parts: &[Part], judged: Judged) -> Option<(f64, f64)> {
        let found = self
            .found
            .iter()
            .filter(|one| parts.contains(&one.entry.part));
        let gains = found.map(|one| match judged {
            Judged::Truth => one.means.by_truth.gain.mean,
            Judged::PlugIn => one.means.by_plug_in.gain.mean,
        });
        gains.fold(None, |range, gain| match range {
            None => Some((gain, gain)),
            Some((least, most)) => Some((gain.min(least), gain.max(most))),
        })
    }

    /// How often gains of each size came, over the laws that a part's figure draws, or over
    /// all where it draws none.
    pub(super) fn histogram(&self, part: Part, judged: Judged) -> Histogram {
        let has_curve = part.file().is_some();
        let found = self
            .of(part)
            .filter(|one| one.entry.is_on_curve == has_curve);
        let trials = found.flat_map(|one| &one.trials);
        Histogram::of(trials.map(|trial| trial.gain(judged)))
    }
}

/// How often numbers came, by intervals of one width.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Histogram {
    /// Numbers below the first interval.
    pub(super) n_below: usize,
    pub(super) counts: [usize; Histogram::N_BINS],
    /// Numbers at or above the end of the last.
    pub(super) n_above: usize,
}

impl Histogram {
    pub(super) const FROM: f64 = -0.5;
    pub(super) const WIDTH: f64 = 0.01;
    pub(super) const N_BINS: usize = 100;

    fn of(numbers: impl Iterator<Item = f64>) -> Self {
        let mut histogram = Histogram {
            n_below: 0,
            counts: [0; Histogram::N_BINS],
            n_above: 0,
        };
        for x in numbers {
            let place = ((x - Histogram::FROM) / Histogram::WIDTH).floor();
            if place < 0.0 {
                histogram.n_below += 1;
            } else {
                match histogram.counts.get_mut(place as usize) {
                    Some(count) => *count += 1,
                    None => histogram.n_above += 1,
                }
            }
        }
        histogram
    }

    /// Where a bin begins.
    pub(super) fn start(bin: usize) -> f64 {
        Histogram::FROM + Histogram::WIDTH * bin as f64
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
        let entries = Part::Uniform.entries(&DESIGN);
        assert_eq!(entries[0].place(), 12.0);
        assert_eq!(entries[9].place(), 780.0);
    }

    #[test]
    fn figure_two_goes_up_to_the_number_of_features() {
        let places = |design: &SeparationDesign| -> Vec<f64> {
            let entries = Part::ChiSquare.entries(design).into_iter();
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
        let histogram = Histogram::of(numbers.into_iter());
        assert_eq!((histogram.n_below, histogram.n_above), (1, 2));
        assert_eq!(histogram.counts.iter().sum::<usize>(), 5);
        assert_eq!((histogram.counts[49], histogram.counts[50]), (1, 2));
        assert!(Histogram::start(50).abs() < 1e-12);
    }
}
