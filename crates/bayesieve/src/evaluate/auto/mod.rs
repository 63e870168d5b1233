//! The choice of a method, a model and a number of features by the data.
//!
//! Methods order the features on the training rows of every fold; naive Bayes and TAN are judged
//! along these orders on the test rows, all on the same folds. Taken is the smallest set whose
//! mean loss is not more than one standard error of the paired difference above the best.
//! Which methods take part is decided by the size of the data alone, so that the answer is the
//! same on every machine.
//! What it promises is corrected for having been chosen: bootstrap bias corrected
//! cross-validation (Tsamardinos, Greasidou and Borboudakis, 2018).
//! Cost: an order by every method for every fold, and one more; then sums along the orders.

mod candidates;
mod choice;
mod correction;
mod judge;
mod paths;

use super::study::{Conducted, conduct};
use crate::classify::{ModelKind, TrainOptions};
use crate::data::split::Folds;
use crate::data::{CodingOptions, Roles, Table};
use crate::journal::Checkpoint;
use crate::measure::{Measure, Stakes};
use crate::search::{Limits, Stop};
use crate::select::{
    AutoCandidate, AutoReport, Chosen, CorrectedAccuracy, PathPoint, Performance, RunnerUp,
    SelectOptions, Selection, select,
};
use crate::{Error, Result};
use crate::{Observer, Silent};
use choice::LossTable;
use correction::{MAX_FINALISTS, TestedRows};
use judge::{Candidate, Judge, Judgement, MethodPaths};
use paths::{MethodPath, PathStudy};

/// Settings of the choice.
#[derive(Debug, Clone)]
pub struct AutoOptions {
    /// The only method to take part, for a choice of its number of features.
    pub method: Option<Box<SelectOptions>>,
    /// The only model to take part; naive Bayes and TAN without.
    pub model: Option<ModelKind>,
    /// How cells become codes.
    pub coding: CodingOptions,
    /// Features that must stay in.
    pub keep: Vec<String>,
    /// How many features to keep; the choice's own without.
    pub count: Option<usize>,
    /// What decides.
    pub measure: &'static Measure,
    /// The positive class and the costs of mistakes; the rarest class and none without.
    pub stakes: Option<Stakes>,
    /// How far from the best the measure may be; one standard error of the paired difference
    /// without.
    pub tolerance: Option<f64>,
    /// The folds; drawn ones without.
    pub folds: Option<Folds>,
    /// The seed of the folds, of randomized methods, and of the correction.
    pub seed: u64,
}

impl Default for AutoOptions {
    fn default() -> Self {
        AutoOptions {
            method: None,
            model: None,
            coding: CodingOptions::default(),
            keep: Vec::new(),
            count: None,
            measure: Measure::DEFAULT,
            stakes: None,
            tolerance: None,
            folds: None,
            seed: 1,
        }
    }
}

/// The choice of a method for some rows.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::{Generator, RoleOptions, Roles};
/// use bayesieve::evaluate::{Auto, AutoOptions};
/// use bayesieve::search::Limits;
///
/// let table = Generator::Example1.generate(320, 1)?;
/// let roles = Roles::resolve(&table, &RoleOptions::default())?;
/// let options = AutoOptions::default();
/// let auto = Auto { table: &table, roles: &roles, options: &options };
/// let found = auto.choose(None, &Limits::new(&Silent))?;
/// // A1, A2 and A4 decide the class.
/// assert_eq!(found.selection.auto.map(|report| report.accuracy), Some(1.0));
/// assert!(found.selection.kept.len() <= 5);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Auto<'a> {
    /// Rows that can be used, every one with its class.
    pub table: &'a Table,
    /// The class and the candidates.
    pub roles: &'a Roles,
    /// Its settings.
    pub options: &'a AutoOptions,
}

/// What was chosen.
#[derive(Debug, Clone)]
pub struct AutoChoice {
    /// The chosen method on all rows; [`Selection::auto`] says who was compared, and how the
    /// choice was made.
    pub selection: Selection,
    /// How to train on what it keeps.
    pub training: TrainOptions,
}

/// A smaller set is worth a word where it brings so much of what the taken one brings beyond the
/// shares of the classes, with at most so large a part of its features.
const RUNNER_UP_GAIN: f64 = 0.9;
const RUNNER_UP_SIZE: f64 = 0.67;

impl Auto<'_> {
    /// How the choice is called where a method is named.
    pub const NAME: &'static str = "auto";

    pub(crate) const SUMMARY: &'static str = "orders the features by the fast methods, judges nb and tan along the orders on the same \
         folds, and takes the smallest set that predicts about as well as the best";

    pub(crate) const FORMULA: &'static str = "of mdl-fs, mrmr, jmi, cfs, all, koller-sahami, rpdmb and cdc-as (those that are fast at the \
         size of the data) with every number of features up to 32 and some beyond, the fewest \
         features whose mean log loss (or another measure) over 10 folds (5 above 20,000 rows, 3 \
         above 200,000) is within one standard error of the paired difference from the best; what \
         to expect is corrected for the choice by bootstrap";

    pub(crate) const COST: &'static str =
        "an order by every method for every fold and for all rows; sums of logs along the orders";

    pub(crate) const SOURCE: &'static str =
        "Tsamardinos, Greasidou and Borboudakis, 2018 (the correction)";

    /// Compares the candidates, takes one, and runs it on all rows.
    ///
    /// A budget may cut the comparison short: the choice is then among those that were
    /// finished, and the selection says so.
    ///
    /// # Errors
    /// Rows of one class, no candidate that works on these data, or cancelled before any was
    /// finished.
    pub fn choose(
        &self,
        checkpoint: Option<&Checkpoint>,
        limits: &Limits<'_>,
    ) -> Result<AutoChoice> {
        let study = PathStudy::new(self)?;
        let conducted = conduct(&study, checkpoint, limits)?;
        let paths: Vec<MethodPaths<'_>> = finished(&conducted);
        if paths.iter().all(Option::is_none) {
            if limits.without_budget().is_cancelled() {
                return Err(Error::interrupted());
            }
            if !conducted.is_cut_short {
                return Err(without_candidates(&conducted));
            }
            return self.first(&study, limits);
        }
        let stop = limits.stop();
        // What was ordered is judged in any case: that is fast, and the best so far is wanted.
        let whole = limits.without_budget();
        let limits = if whole.is_cancelled() {
            Limits::new(&Silent)
        } else {
            whole
        };
        let stakes = self.stakes(&study);
        let judge = Judge {
            study: &study,
            paths: &paths,
            measure: self.options.measure,
            stakes: &stakes,
        };
        let judgement = judge.judge(&limits)?;
        let verdict = Verdict::new(&judge, &judgement, &conducted)?;
        verdict.choice(stop, &limits)
    }

    /// The same for the features alone.
    pub(super) fn features(&self, limits: &Limits<'_>) -> Result<(Chosen, TrainOptions)> {
        let study = PathStudy::new(self)?;
        let conducted = conduct(&study, None, limits)?;
        if conducted.is_cut_short {
            return Err(Error::interrupted());
        }
        let paths: Vec<MethodPaths<'_>> = finished(&conducted);
        if paths.iter().all(Option::is_none) {
            return Err(without_candidates(&conducted));
        }
        let stakes = self.stakes(&study);
        let judge = Judge {
            study: &study,
            paths: &paths,
            measure: self.options.measure,
            stakes: &stakes,
        };
        let judgement = judge.judge(limits)?;
        let verdict = Verdict::new(&judge, &judgement, &conducted)?;
        let taken = verdict.taken();
        let mut kept: Vec<usize> = verdict.order(taken).iter().map(|&f| f as usize).collect();
        kept.sort_unstable();
        let chosen = Chosen {
            kept,
            estimate: None,
            n_asked: 0,
            merit: f64::NAN,
        };
        let training = &study.methods[taken.method].models[taken.model];
        Ok((chosen, training.clone()))
    }

    fn stakes(&self, study: &PathStudy<'_>) -> Stakes {
        let given = self.options.stakes.clone();
        given.unwrap_or_else(|| Stakes::new(&study.class.counts()))
    }

    /// Where nobody was compared, the fastest has to do.
    fn first(&self, study: &PathStudy<'_>, limits: &Limits<'_>) -> Result<AutoChoice> {
        let method = study.methods.first().ok_or_else(Error::interrupted)?;
        let mut selection = select(&study.coded, &method.selection, &limits.without_budget())?;
        selection.warnings.push(format!(
            "the time was over before any method was compared: this is {}",
            method.name(0)
        ));
        selection.stop = limits.stop();
        selection.auto = Some(AutoReport {
            chosen: 0,
            candidates: candidates_of(study, |_, _| None),
            not_tried: study.not_tried.clone(),
            n_folds: study.folds.n_folds(),
            accuracy: f64::NAN,
            standard_error: f64::NAN,
            confusion: Vec::new(),
            corrected: None,
            is_cut_short: true,
            is_of_one_method: self.options.method.is_some(),
            measure: self.options.measure,
            tolerance: self.options.tolerance,
            runner_up: None,
        });
        Ok(AutoChoice {
            selection,
            training: method.models[0].clone(),
        })
    }
}

/// The paths of every method that worked everywhere.
fn finished(conducted: &Conducted<MethodPath>) -> Vec<MethodPaths<'_>> {
    let groups = conducted.groups.iter();
    groups
        .map(|paths| {
            let paths = paths.as_deref()?;
            paths
                .iter()
                .all(|path| path.failure.is_none())
                .then_some(paths)
        })
        .collect()
}

fn failure(paths: &Option<Vec<MethodPath>>) -> Option<&str> {
    let mut paths = paths.iter().flatten();
    paths.find_map(|path| path.failure.as_deref())
}

fn without_candidates(conducted: &Conducted<MethodPath>) -> Error {
    let why = conducted.groups.iter().find_map(failure);
    let why = why.unwrap_or("no method was left to try");
    Error::data(format!("no method works on these data: {why}"))
}

/// A candidate for every method and model.
fn candidates_of(
    study: &PathStudy<'_>,
    fill: impl Fn(usize, usize) -> Option<AutoCandidate>,
) -> Vec<AutoCandidate> {
    let methods = study.methods.iter().enumerate();
    let all = methods.flat_map(|(place, method)| {
        let models = method.models.iter().enumerate();
        models.map(move |(model, training)| (place, method, model, training))
    });
    all.map(|(place, method, model, training)| AutoCandidate {
        name: method.name(model),
        method: method.selection.method().name,
        model: training.model.name(),
        ..fill(place, model).unwrap_or_default()
    })
    .collect()
}

/// Who is taken, and all that is said about it.
struct Verdict<'v> {
    judge: &'v Judge<'v, 'v>,
    judgement: &'v Judgement,
    conducted: &'v Conducted<MethodPath>,
    losses: LossTable<'v>,
    /// The place of the candidate that is taken.
    taken: usize,
}

impl<'v> Verdict<'v> {
    fn new(
        judge: &'v Judge<'_, '_>,
        judgement: &'v Judgement,
        conducted: &'v Conducted<MethodPath>,
    ) -> Result<Self> {
        let losses = LossTable::new(judgement, judge.study.auto.options.tolerance);
        let taken = losses.choose(&losses.all(), None);
        Ok(Verdict {
            taken: taken.ok_or_else(|| Error::internal("nothing to choose from"))?,
            judge,
            judgement,
            conducted,
            losses,
        })
    }

    fn taken(&self) -> Candidate {
        self.judgement.candidates[self.taken].candidate
    }

    /// The features of all rows that a candidate keeps, the best first where there is an order.
    fn order(&self, candidate: Candidate) -> &'v [u32] {
        let paths = self.judge.paths[candidate.method];
        let order = paths
            .and_then(|paths| paths.last())
            .map_or(&[][..], |path| &path.order);
        &order[..candidate.n_kept]
    }

    fn names(&self, places: &[u32]) -> Vec<String> {
        let features = &self.judge.study.coded.features;
        let names = places
            .iter()
            .map(|&place| features[place as usize].column.name());
        names.map(str::to_owned).collect()
    }

    /// The measure of a candidate, as people read it.
    fn value(&self, place: usize) -> f64 {
        self.judge.measure.loss(self.losses.mean(place, None))
    }

    fn accuracy(&self, place: usize) -> f64 {
        let n_rows = self.judge.study.auto.table.n_rows();
        self.judgement.candidates[place].n_right as f64 / n_rows as f64
    }

    fn log_loss(&self, place: usize) -> f64 {
        self.judgement.candidates[place].log_loss / self.judgement.n_known.max(1) as f64
    }

    /// The selection on all rows, with everything that is known about it.
    fn choice(&self, stop: Stop, limits: &Limits<'_>) -> Result<AutoChoice> {
        let study = self.judge.study;
        let taken = self.taken();
        let method = &study.methods[taken.method];
        let mut selection = self.on_all_rows(limits)?;
        selection
            .warnings
            .extend(self.conducted.warnings.iter().cloned());
        if self.conducted.is_cut_short {
            selection.stop = stop;
        }
        let finalists = self.losses.finalists(self.taken, MAX_FINALISTS);
        let candidates: Vec<Candidate> = finalists
            .iter()
            .map(|&place| self.judgement.candidates[place].candidate)
            .collect();
        let tested = TestedRows::new(self.judge, &candidates, limits)?;
        let place = finalists.iter().position(|&place| place == self.taken);
        let performance = tested.performance(
            (&self.losses, &finalists, place.unwrap_or(0)),
            self.judge.stakes,
            study.auto.options.seed,
        )?;
        selection.auto = Some(self.report(&performance));
        selection.path = self.path();
        selection.performance = Some(performance);
        self.count_folds(&mut selection);
        Ok(AutoChoice {
            selection,
            training: method.models[taken.model].clone(),
        })
    }

    /// The taken method on all rows, asked for the taken number of features.
    fn on_all_rows(&self, limits: &Limits<'_>) -> Result<Selection> {
        let study = self.judge.study;
        let taken = self.taken();
        let options = &study.methods[taken.method].selection;
        if options.order().is_none() {
            return select(&study.coded, options, limits);
        }
        let counted = options.clone().with_count(taken.n_kept.max(1))?;
        let mut selection = select(&study.coded, &counted, limits)?;
        selection.end_path(taken.n_kept);
        if study.auto.options.count.is_none() && selection.stop == Stop::Count {
            selection.stop = Stop::Size;
        }
        Ok(selection)
    }

    fn report(&self, performance: &Performance) -> AutoReport {
        let study = self.judge.study;
        let accuracy = performance.get(Measure::ACCURACY);
        let of = |method: usize, model: usize| {
            let taken = self.taken();
            let best = if (taken.method, taken.model) == (method, model) {
                self.taken
            } else {
                self.losses.choose(&self.places_of(method, model), None)?
            };
            Some(self.candidate(best))
        };
        let candidates = candidates_of(study, |method, model| {
            let failed = self.conducted.groups.get(method).and_then(failure);
            let failed = failed.map(|why| AutoCandidate {
                failure: Some(why.to_owned()),
                ..AutoCandidate::default()
            });
            failed.or_else(|| of(method, model))
        });
        let name = study.methods[self.taken().method].name(self.taken().model);
        let n_rows = study.auto.table.n_rows() as f64;
        let right = self.accuracy(self.taken);
        AutoReport {
            chosen: candidates
                .iter()
                .position(|one| one.name == name)
                .unwrap_or(0),
            candidates,
            not_tried: study.not_tried.clone(),
            n_folds: study.folds.n_folds(),
            accuracy: right,
            standard_error: (right * (1.0 - right) / n_rows).sqrt(),
            confusion: performance.confusion.clone(),
            corrected: accuracy.map(|accuracy| CorrectedAccuracy {
                mean: accuracy.mean,
                sd: accuracy.standard_error,
                n_draws: performance.n_draws,
            }),
            is_cut_short: self.conducted.is_cut_short,
            is_of_one_method: study.auto.options.method.is_some(),
            measure: self.judge.measure,
            tolerance: study.auto.options.tolerance,
            runner_up: self.runner_up(),
        }
    }

    /// All sizes of a method with a model.
    fn places_of(&self, method: usize, model: usize) -> Vec<usize> {
        let is_it = |place: &usize| {
            let candidate = self.judgement.candidates[*place].candidate;
            (candidate.method, candidate.model) == (method, model)
        };
        self.losses.all().into_iter().filter(is_it).collect()
    }

    fn candidate(&self, place: usize) -> AutoCandidate {
        let judged = &self.judgement.candidates[place];
        let study = self.judge.study;
        let n_rows = study.auto.table.n_rows() as f64;
        let accuracy = self.accuracy(place);
        let n_folds = study.folds.n_folds().max(1) as f64;
        let paths = self.judge.paths[judged.candidate.method].unwrap_or_default();
        AutoCandidate {
            accuracy: Some(accuracy),
            standard_error: Some((accuracy * (1.0 - accuracy) / n_rows).sqrt()),
            log_loss: Some(self.log_loss(place)),
            value: Some(self.value(place)),
            n_kept: Some(judged.candidate.n_kept),
            mean_kept: Some(judged.n_kept_in_folds as f64 / n_folds),
            agreement: Some(self.agreement(judged.candidate)),
            seconds: Some(paths.iter().map(|path| path.seconds).sum()),
            ..AutoCandidate::default()
        }
    }

    /// How much a candidate's set is the taken one: features in both over features in one of
    /// them, of all rows; equal where both are empty.
    fn agreement(&self, candidate: Candidate) -> f64 {
        let (a, b) = (self.order(candidate), self.order(self.taken()));
        let n_both = a.iter().filter(|place| b.contains(place)).count();
        match a.len() + b.len() - n_both {
            0 => 1.0,
            n_any => n_both as f64 / n_any as f64,
        }
    }

    /// The smallest set that brings most of what the taken one brings.
    fn runner_up(&self) -> Option<RunnerUp> {
        let taken = self.taken();
        let max_size = (taken.n_kept as f64 * RUNNER_UP_SIZE) as usize;
        let loss = |place: usize| self.losses.mean(place, None);
        let all = self.losses.all();
        let n_kept = |place: usize| self.judgement.candidates[place].candidate.n_kept;
        let empty = all.iter().copied().find(|&place| n_kept(place) == 0)?;
        let (worst, best) = (loss(empty), loss(self.taken));
        let enough = worst - RUNNER_UP_GAIN * (worst - best);
        let small = all.iter().copied().filter(|&place| {
            (1..=max_size).contains(&n_kept(place)) && loss(place) <= enough && worst > best
        });
        let place =
            small.min_by(|&a, &b| n_kept(a).cmp(&n_kept(b)).then(loss(a).total_cmp(&loss(b))))?;
        let candidate = self.judgement.candidates[place].candidate;
        Some(RunnerUp {
            name: self.judge.study.methods[candidate.method].name(candidate.model),
            features: self.names(self.order(candidate)),
            log_loss: self.log_loss(place),
            accuracy: self.accuracy(place),
            accuracy_difference: self.accuracy(place) - self.accuracy(self.taken),
            difference: self.value(place) - self.value(self.taken),
        })
    }

    /// The curve over sizes of the taken method and model, where it has an order.
    fn path(&self) -> Vec<PathPoint> {
        let taken = self.taken();
        let places = self.places_of(taken.method, taken.model);
        if self.judge.study.methods[taken.method]
            .selection
            .order()
            .is_none()
        {
            return Vec::new();
        }
        let mut n_before = 0;
        let points = places.into_iter().map(|place| {
            let candidate = self.judgement.candidates[place].candidate;
            let added = &self.order(candidate)[n_before.min(candidate.n_kept)..];
            n_before = candidate.n_kept;
            PathPoint {
                size: candidate.n_kept,
                features_added: self.names(added),
                log_loss: self.log_loss(place),
                accuracy: self.accuracy(place),
                value: self.value(place),
                standard_error: self
                    .losses
                    .difference(place, self.taken, None)
                    .standard_error,
            }
        });
        points.collect()
    }

    /// Says of every feature in how many folds it was kept.
    fn count_folds(&self, selection: &mut Selection) {
        let taken = self.taken();
        let (Some(paths), n_folds) = (
            self.judge.paths[taken.method],
            self.judge.study.folds.n_folds(),
        ) else {
            return;
        };
        let features = &self.judge.study.coded.features;
        let n_kept = |name: &str| {
            let folds = paths.iter().take(n_folds);
            let keeps = |path: &&MethodPath| {
                let kept = path.order.iter().take(taken.size);
                kept.into_iter()
                    .any(|&place| features[place as usize].column.name() == name)
            };
            folds.filter(keeps).count()
        };
        selection.n_folds = Some(n_folds);
        for kept in &mut selection.kept {
            kept.kept_in_folds = Some(n_kept(&kept.feature));
        }
        for dropped in &mut selection.dropped {
            dropped.kept_in_folds = Some(n_kept(&dropped.feature));
        }
    }
}

#[cfg(test)]
mod tests;
