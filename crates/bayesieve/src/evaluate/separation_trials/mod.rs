//! What choosing blocks by their separation scores brings, where the true scores are known.
//!
//! Paper: Pavlenko, Hall and von Rosen, 2004, figures 1 and 2. True scores g are drawn from a
//! law. The estimated difference of the classes in a block is a normal vector z around
//! (sqrt(g), 0, ...), one entry per feature, and |z|^2 is the block's estimated score;
//! equation (22) says which blocks stay. The classifier over them is judged twice: by the
//! true parameters, D = sum sqrt(g) z_1 / sqrt(nh sum |z|^2), and by the estimates it was
//! chosen by, which promise too much.
//! Cost: two random numbers per block, some 20 microseconds per trial of 100 blocks: of z only
//! the first entry and the squared length of the rest are needed.
//! Where the paper is silent: it draws degrees of freedom and non-centrality of figure 2, and
//! does not say of what; here they are of the law of the scores.

use std::fmt;

use rand::Rng;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::study::{Group, Study};
use crate::random::{Purpose, chi_square, normal, seed_of, stream, unit};
use crate::separation::{self, Effect, PlugIn, SampleScore, asymptotic_thresholds, gain, risk};
use crate::stats::mean_sd;
use crate::{Error, Result};
use crate::{Observer, check};

/// Numbers from one to another, all equally likely.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// The smallest.
    pub from: f64,
    /// The largest; the same for a number that is not drawn.
    pub to: f64,
}

impl Span {
    /// A number that is not drawn.
    pub fn only(value: f64) -> Self {
        Span {
            from: value,
            to: value,
        }
    }

    /// The mean.
    pub fn middle(self) -> f64 {
        self.from + (self.to - self.from) / 2.0
    }

    fn draw(self, rng: &mut impl Rng) -> f64 {
        self.from + (self.to - self.from) * unit(rng)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.from == self.to {
            write!(f, "{}", self.from)
        } else {
            write!(f, "{} to {}", self.from, self.to)
        }
    }
}

/// Where the true scores of a trial come from. Its text is its name: what is drawn depends on
/// it, on the seed and on the number of the trial.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ScoreSource {
    /// From 0 to this, equally likely.
    Uniform {
        /// The largest score.
        most: f64,
    },
    /// A non-central chi-square distribution, one for all blocks of a trial.
    ChiSquare {
        /// At least 1; a span is drawn from anew for every trial.
        degrees_of_freedom: Span,
        /// The same.
        noncentrality: Span,
    },
    /// Some blocks tell nothing, the others have one score.
    Irrelevant {
        /// The share of blocks that tell nothing.
        share: f64,
        /// The score of the others.
        score: f64,
    },
}

impl fmt::Display for ScoreSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScoreSource::Uniform { most } => write!(f, "uniform 0 to {most}"),
            ScoreSource::ChiSquare {
                degrees_of_freedom,
                noncentrality,
            } => write!(
                f,
                "chi-square, {degrees_of_freedom} df, non-centrality {noncentrality}"
            ),
            ScoreSource::Irrelevant { share, score } => {
                write!(f, "{} % 0, rest {score}", 100.0 * share)
            }
        }
    }
}

impl ScoreSource {
    /// The mean score.
    pub fn mean(&self) -> f64 {
        match *self {
            ScoreSource::Uniform { most } => most / 2.0,
            ScoreSource::ChiSquare {
                degrees_of_freedom,
                noncentrality,
            } => degrees_of_freedom.middle() + noncentrality.middle(),
            ScoreSource::Irrelevant { share, score } => (1.0 - share) * score,
        }
    }

    fn check(&self) -> Result<()> {
        let is_score = |score: f64| (0.0..1e12).contains(&score);
        let is_span = |span: Span, least: f64| {
            is_score(span.from) && is_score(span.to) && (least..=span.to).contains(&span.from)
        };
        let is_fit = match *self {
            ScoreSource::Uniform { most } => is_score(most),
            ScoreSource::ChiSquare {
                degrees_of_freedom,
                noncentrality,
            } => is_span(degrees_of_freedom, 1.0) && is_span(noncentrality, 0.0),
            ScoreSource::Irrelevant { share, score } => {
                (0.0..=1.0).contains(&share) && is_score(score)
            }
        };
        if is_fit {
            return Ok(());
        }
        Err(Error::usage(format!(
            "scores cannot be drawn from the law {self}"
        )))
    }

    fn draw(&self, n_blocks: usize, rng: &mut impl Rng) -> Vec<f64> {
        match *self {
            ScoreSource::Uniform { most } => (0..n_blocks).map(|_| most * unit(rng)).collect(),
            ScoreSource::ChiSquare {
                degrees_of_freedom,
                noncentrality,
            } => {
                let (k, g) = (degrees_of_freedom.draw(rng), noncentrality.draw(rng));
                let mut score = || squared_length(rng, g.sqrt(), k).1;
                (0..n_blocks).map(|_| score()).collect()
            }
            ScoreSource::Irrelevant { share, score } => {
                let n_irrelevant = (share * n_blocks as f64).round() as usize;
                let score = |block: usize| if block < n_irrelevant { 0.0 } else { score };
                (0..n_blocks).map(score).collect()
            }
        }
    }
}

/// The first entry and the squared length of a normal vector around `(shift, 0, ...)` of so
/// many entries, which need not be a whole number.
fn squared_length(rng: &mut impl Rng, shift: f64, n_entries: f64) -> (f64, f64) {
    let first = shift + normal(rng);
    (first, first * first + chi_square(rng, n_entries - 1.0))
}

/// The classifier of a study.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeparationDesign {
    /// Number of blocks.
    pub n_blocks: usize,
    /// Features of a block.
    pub block_size: usize,
    /// Training rows of each class.
    pub n_rows: usize,
}

impl SeparationDesign {
    /// Rows as scores count them: `n1 n2 / (n1 + n2)`.
    fn rows(&self) -> f64 {
        self.n_rows as f64 / 2.0
    }

    fn trial(&self, source: &ScoreSource, rng: &mut impl Rng) -> SeparationTrial {
        let true_scores = source.draw(self.n_blocks, rng);
        let parameters = self.block_size as f64;
        let blocks: Vec<DrawnBlock> = true_scores
            .iter()
            .map(|score| {
                let root = score.sqrt();
                let (first, score) = squared_length(rng, root, parameters);
                DrawnBlock {
                    separation: root * first,
                    sample: SampleScore { score, parameters },
                }
            })
            .collect();
        let kept = kept(&blocks);
        SeparationTrial {
            j: true_scores.iter().sum::<f64>() / self.rows(),
            n_kept: kept.len(),
            all: Verdict::of(blocks.iter(), self.rows()),
            kept: Verdict::of(kept.into_iter().map(|place| &blocks[place]), self.rows()),
        }
    }
}

/// What was drawn of a block.
struct DrawnBlock {
    /// What it truly adds to the distance of the classes.
    separation: f64,
    sample: SampleScore,
}

/// The blocks that equation (22) keeps; the best one where it keeps none.
fn kept(blocks: &[DrawnBlock]) -> Vec<usize> {
    let samples: Vec<SampleScore> = blocks.iter().map(|block| block.sample).collect();
    let is_kept = separation::kept(&samples, &asymptotic_thresholds(&samples));
    let places = is_kept.into_iter().enumerate();
    places
        .filter_map(|(place, is_kept)| is_kept.then_some(place))
        .collect()
}

/// The distance of the classes in a classifier, judged twice.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// By the true parameters.
    pub by_truth: f64,
    /// By the estimates that it was made from.
    pub by_plug_in: f64,
}

/// Who judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judged {
    /// By the true parameters.
    Truth,
    /// By the estimates.
    PlugIn,
}

impl Verdict {
    fn of<'a>(blocks: impl Iterator<Item = &'a DrawnBlock>, rows: f64) -> Self {
        let (mut separation, mut score, mut parameters) = (0.0, 0.0, 0.0);
        for block in blocks {
            separation += block.separation;
            score += block.sample.score;
            parameters += block.sample.parameters;
        }
        let effect = Effect {
            separation,
            variance: score,
        };
        Verdict {
            by_truth: effect.distance(1.0 / rows),
            by_plug_in: PlugIn::new(SampleScore { score, parameters }, rows).distance,
        }
    }

    /// One of the two.
    pub fn by(&self, judged: Judged) -> f64 {
        match judged {
            Judged::Truth => self.by_truth,
            Judged::PlugIn => self.by_plug_in,
        }
    }
}

/// What one trial came to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SeparationTrial {
    /// The true distance of the classes: the sum of the blocks' distances.
    pub j: f64,
    /// Blocks that were kept.
    pub n_kept: usize,
    /// With all blocks.
    pub all: Verdict,
    /// With the kept ones.
    pub kept: Verdict,
}

impl SeparationTrial {
    /// The part of the risk that choosing blocks takes off: negative where it adds.
    pub fn gain(&self, judged: Judged) -> f64 {
        gain(self.all.by(judged), self.kept.by(judged))
    }
}

/// A mean over trials.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Average {
    /// The mean.
    pub mean: f64,
    /// The Monte-Carlo error of it; one trial has none.
    pub standard_error: Option<f64>,
}

/// What trials came to on average, by one judge.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct JudgedMeans {
    /// D with all blocks.
    pub distance: Average,
    /// D with the kept ones.
    pub distance_kept: Average,
    /// The risk with all blocks.
    pub risk: Average,
    /// The risk with the kept ones.
    pub risk_kept: Average,
    /// The part of the risk that choosing takes off, by trial.
    pub gain: Average,
}

/// What trials came to on average.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrialMeans {
    /// Blocks that were kept.
    pub kept: Average,
    /// By the true parameters.
    pub by_truth: JudgedMeans,
    /// By the estimates.
    pub by_plug_in: JudgedMeans,
}

impl TrialMeans {
    /// Of some trials.
    ///
    /// # Errors
    /// No trials, or numbers that are not finite.
    pub fn of(trials: &[SeparationTrial]) -> Result<Self> {
        let average = |part: &dyn Fn(&SeparationTrial) -> f64| -> Result<Average> {
            let values: Vec<f64> = trials.iter().map(part).collect();
            let all = mean_sd(&values)?;
            Ok(Average {
                mean: all.mean,
                standard_error: all.sd.map(|sd| sd / (values.len() as f64).sqrt()),
            })
        };
        let by = |judged: Judged| -> Result<JudgedMeans> {
            Ok(JudgedMeans {
                distance: average(&|trial| trial.all.by(judged))?,
                distance_kept: average(&|trial| trial.kept.by(judged))?,
                risk: average(&|trial| risk(trial.all.by(judged)))?,
                risk_kept: average(&|trial| risk(trial.kept.by(judged)))?,
                gain: average(&|trial| trial.gain(judged))?,
            })
        };
        Ok(TrialMeans {
            kept: average(&|trial| trial.n_kept as f64)?,
            by_truth: by(Judged::Truth)?,
            by_plug_in: by(Judged::PlugIn)?,
        })
    }
}

/// Trials over several laws of the true scores.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::evaluate::{
///     ScoreSource, SeparationDesign, SeparationStudy, TrialMeans, conduct,
/// };
/// use bayesieve::search::Limits;
///
/// let design = SeparationDesign { n_blocks: 100, block_size: 12, n_rows: 1200 };
/// let source = ScoreSource::Irrelevant { share: 0.8, score: 60.0 };
/// let study = SeparationStudy::new(design, vec![source], 100, 1)?;
/// let conducted = conduct(&study, None, &Limits::new(&Silent))?;
/// let trials = conducted.groups[0].as_deref().unwrap_or_default();
/// let means = TrialMeans::of(trials)?;
/// // Of 80 blocks that tell nothing most are dropped, and the risk falls by a tenth; by the
/// // estimates it would be more.
/// assert!((30.0..40.0).contains(&means.kept.mean));
/// assert!((0.08..0.12).contains(&means.by_truth.gain.mean));
/// assert!(means.by_plug_in.gain.mean > means.by_truth.gain.mean);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct SeparationStudy {
    design: SeparationDesign,
    sources: Vec<ScoreSource>,
    n_trials: usize,
    seed: u64,
}

impl SeparationStudy {
    /// So many trials of every law.
    ///
    /// # Errors
    /// A design without blocks, features, or rows, or a law that nothing can be drawn from.
    pub fn new(
        design: SeparationDesign,
        sources: Vec<ScoreSource>,
        n_trials: usize,
        seed: u64,
    ) -> Result<Self> {
        if [design.n_blocks, design.block_size, design.n_rows].contains(&0) {
            return Err(Error::usage("a trial needs blocks, features and rows"));
        }
        sources.iter().try_for_each(ScoreSource::check)?;
        Ok(SeparationStudy {
            design,
            sources,
            n_trials,
            seed,
        })
    }
}

impl Study for SeparationStudy {
    type Measure = SeparationTrial;

    fn settings(&self) -> Map<String, Value> {
        let settings = json!({
            "study": "separation",
            "seed": self.seed,
            "blocks": self.design.n_blocks,
            "block_size": self.design.block_size,
            "rows": self.design.n_rows,
        });
        match settings {
            Value::Object(settings) => settings,
            _ => Map::new(),
        }
    }

    fn groups(&self) -> Vec<Group> {
        let group = |source: &ScoreSource| Group {
            name: source.to_string(),
            data: "drawn".into(),
            n_units: self.n_trials,
            cost: 1,
        };
        self.sources.iter().map(group).collect()
    }

    fn measure(
        &self,
        group: usize,
        unit: usize,
        observer: &dyn Observer,
    ) -> Result<SeparationTrial> {
        check(observer)?;
        let source = &self.sources[group];
        let seed = seed_of(self.seed, &source.to_string());
        let part = u32::try_from(unit)
            .map_err(|_| Error::usage("a law can have at most 4,294,967,296 trials"))?;
        let mut rng = stream(seed, Purpose::Trial, part);
        Ok(self.design.trial(source, &mut rng))
    }
}

#[cfg(test)]
mod tests;
