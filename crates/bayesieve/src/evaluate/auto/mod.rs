//! The choice of a method by the data: the fast methods, each with naive Bayes and TAN, on the
//! same folds, and the smallest set that does about as well as the best.
//!
//! Which ones take part is decided by the size of the data alone, so that the answer is the
//! same on every machine. Every row is tested once, by a procedure (bins, selection, model)
//! learned on the other folds. Of the candidates within one standard error of the best, the one
//! that keeps the fewest features of all rows is taken.
//! What it promises is corrected for having been chosen: bootstrap bias corrected
//! cross-validation (Tsamardinos, Greasidou and Borboudakis, 2018).
//! Cost: one run of every candidate for every fold, and one more.

mod candidates;
mod choice;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::pipeline::Pipeline;
use super::study::{Conducted, Group, Study, conduct};
use super::trial::Trial;
use crate::classify::{ModelKind, TrainOptions};
use crate::data::split::{Folds, Rows};
use crate::data::{
    CodedTable, CodingOptions, Nominal, Roles, Table, add_column, add_nominal, class_codes,
};
use crate::fingerprint::Fingerprint;
use crate::journal::Checkpoint;
use crate::search::Limits;
use crate::select::{AutoCandidate, AutoReport, Chosen, Selection, check_class, choose, select};
use crate::{Error, ErrorKind, Result};
use crate::{Observer, Silent};
use candidates::TableSize;
use choice::{CandidateTally, Tested};

/// Settings of the choice.
#[derive(Debug, Clone)]
pub struct AutoOptions {
    /// The only model to take part; naive Bayes and TAN without.
    pub model: Option<ModelKind>,
    /// How cells become codes.
    pub coding: CodingOptions,
    /// Features that must stay in.
    pub keep: Vec<String>,
    /// The folds; drawn ones without.
    pub folds: Option<Folds>,
    /// The seed of the folds, of methods that draw, and of the correction.
    pub seed: u64,
}

impl Default for AutoOptions {
    fn default() -> Self {
        AutoOptions {
            model: None,
            coding: CodingOptions::default(),
            keep: Vec::new(),
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
/// assert!(found.selection.kept.len() <= 4);
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

/// What one fold of a candidate gave, or all rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct FoldRun {
    /// What was kept: places among the features.
    kept: Vec<u32>,
    /// Rows that were predicted wrong, and what they were taken for; none of all rows, where
    /// nothing is left to predict.
    wrong: Vec<(u32, Option<u32>)>,
    /// Why nothing came of it.
    failure: Option<String>,
    seconds: f64,
}

impl Auto<'_> {
    /// How the choice is called where a method is named.
    pub const NAME: &'static str = "auto";

    pub(crate) const SUMMARY: &'static str = "tries the fast methods with nb and tan on the same folds and takes the smallest set that \
         does about as well as the best";

    pub(crate) const FORMULA: &'static str = "of mdl-fs, cfs, mrmr, all, mdl, koller-sahami, rpdmb, cdc-as and fss-ebna (those that are \
         fast at the size of the data; fss-ebna with repeat=1), the fewest features within one \
         standard error of the best accuracy over 10 folds (5 above 20,000 rows, 3 above 200,000); \
         the accuracy to expect is corrected for the choice by bootstrap";

    pub(crate) const COST: &'static str =
        "one run of every candidate for every fold, and one of the chosen one on all rows";

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
        let study = FoldStudy::new(self)?;
        let conducted = conduct(&study, checkpoint, limits)?;
        let tested = tested(&conducted);
        let tally = CandidateTally::new(self.table.n_rows(), &tested);
        let best = tally.choose();
        if best.is_none() {
            if limits.without_budget().is_cancelled() {
                return Err(Error::interrupted());
            }
            if !conducted.is_cut_short {
                return Err(without_candidates(&tested));
            }
        }
        // Where nobody was compared, the fastest has to do.
        let chosen = best.unwrap_or(0);
        let pipeline = study.pipelines.get(chosen);
        let pipeline = pipeline.ok_or_else(Error::interrupted)?;
        let (mut selection, training) = self.on_all_rows(pipeline, limits)?;
        match best {
            Some(_) => selection.warnings.extend(conducted.warnings.clone()),
            None => selection.warnings.push(format!(
                "the time was over before any method was compared: this is {}",
                pipeline.name()
            )),
        }
        if conducted.is_cut_short {
            selection.stop = limits.stop();
        }
        selection.auto = Some(AutoReport {
            chosen,
            candidates: study.candidates(&tested, chosen),
            not_tried: study.not_tried.clone(),
            n_folds: study.folds.n_folds(),
            accuracy: best.map_or(f64::NAN, |best| tally.accuracy(best)),
            standard_error: best.map_or(f64::NAN, |best| tally.standard_error(best)),
            confusion: best.map_or_else(Vec::new, |best| study.confusion(&tested[best])),
            corrected: match best {
                Some(_) => tally.corrected(self.options.seed)?,
                None => None,
            },
            is_cut_short: conducted.is_cut_short,
        });
        Ok(AutoChoice {
            selection,
            training,
        })
    }

    /// The same for the features alone.
    pub(super) fn features(&self, limits: &Limits<'_>) -> Result<(Chosen, TrainOptions)> {
        let study = FoldStudy::new(self)?;
        let conducted = conduct(&study, None, limits)?;
        if conducted.is_cut_short {
            return Err(Error::interrupted());
        }
        let tested = tested(&conducted);
        let chosen = CandidateTally::new(self.table.n_rows(), &tested).choose();
        let chosen = chosen.ok_or_else(|| without_candidates(&tested))?;
        let training = study.pipelines[chosen].training();
        let kept = tested[chosen].kept().unwrap_or_default().iter();
        let chosen = Chosen {
            kept: kept.map(|&place| place as usize).collect(),
            estimate: None,
            n_asked: 0,
        };
        Ok((chosen, training.cloned().ok_or_else(nested)?))
    }

    /// A candidate on all rows. It is fast: neither a budget that is over nor a run that is
    /// being stopped stops it, as the best so far is wanted then.
    fn on_all_rows(
        &self,
        pipeline: &Pipeline,
        limits: &Limits<'_>,
    ) -> Result<(Selection, TrainOptions)> {
        let options = pipeline.selection().ok_or_else(nested)?;
        let coded = CodedTable::new(self.table, self.roles, self.options.coding)?;
        let whole = limits.without_budget();
        let limits = if whole.is_cancelled() {
            Limits::new(&Silent)
        } else {
            whole
        };
        let selection = select(&coded, options, &limits)?;
        Ok((selection, pipeline.training().cloned().ok_or_else(nested)?))
    }
}

/// What is known of every candidate.
fn tested(conducted: &Conducted<FoldRun>) -> Vec<Tested<'_>> {
    let groups = conducted.groups.iter();
    groups
        .map(|runs| Tested {
            runs: runs.as_deref(),
        })
        .collect()
}

fn without_candidates(tested: &[Tested<'_>]) -> Error {
    let why = tested.iter().find_map(|one| one.failure());
    let why = why.unwrap_or("no method was left to try");
    Error::data(format!("no method works on these data: {why}"))
}

fn nested() -> Error {
    Error::internal("a candidate of auto is no method")
}

/// What the choice of candidates goes by.
fn size(auto: &Auto<'_>, class: &Nominal) -> Result<TableSize> {
    let coded = CodedTable::new(auto.table, auto.roles, auto.options.coding)?;
    let coded_features = coded.features.iter().filter_map(|f| f.coded());
    let mut n_values: Vec<usize> = coded_features.map(Nominal::n_values).collect();
    n_values.sort_unstable_by(|a, b| b.cmp(a));
    let largest = n_values.iter().take(2);
    Ok(TableSize {
        n_rows: auto.table.n_rows(),
        n_features: auto.roles.features.len(),
        n_cells: largest.fold(class.n_values(), |cells, &n| cells.saturating_mul(n)),
    })
}

/// Candidates on folds: groups are candidates, units are folds.
struct FoldStudy<'a> {
    auto: &'a Auto<'a>,
    class: Nominal,
    pipelines: Vec<Pipeline>,
    not_tried: Vec<String>,
    folds: Folds,
    data: String,
}

impl<'a> FoldStudy<'a> {
    fn new(auto: &'a Auto<'a>) -> Result<Self> {
        let column = &auto.table.columns()[auto.roles.class];
        let class = class_codes(column)?;
        check_class(&class, column.name())?;
        let n_rows = auto.table.n_rows();
        let folds = match &auto.options.folds {
            Some(folds) => folds.clone(),
            None => {
                let n_folds = candidates::n_folds(n_rows);
                Folds::draw(
                    Rows::Stratified(&class.codes),
                    n_folds,
                    auto.options.seed,
                    0,
                )?
            }
        };
        let (pipelines, not_tried) = candidates::of_size(size(auto, &class)?, auto.options)?;
        let mut hash = Fingerprint::new();
        let features = auto.roles.features.iter();
        features.for_each(|&place| add_column(&mut hash, &auto.table.columns()[place]));
        add_nominal(&mut hash, &class);
        hash.text(&format!("{:?}", folds.fold_of_row()));
        hash.text(&format!(
            "{:?} {:?}",
            auto.options.coding, auto.options.keep
        ));
        Ok(FoldStudy {
            data: hash.to_string(),
            auto,
            class,
            pipelines,
            not_tried,
            folds,
        })
    }

    /// `[true class][predicted class]` over all rows, each tested once.
    fn confusion(&self, tested: &Tested<'_>) -> Vec<Vec<u64>> {
        let n_classes = self.class.n_values();
        let mut confusion = vec![vec![0; n_classes]; n_classes];
        let truth = |row: u32| self.class.codes.get(row as usize).map(|code| code as usize);
        for (class, &n) in self.class.counts().iter().enumerate() {
            confusion[class][class] = n;
        }
        for &(row, predicted) in tested.wrong() {
            if let Some(truth) = truth(row) {
                confusion[truth][truth] -= 1;
                if let Some(predicted) = predicted {
                    confusion[truth][predicted as usize] += 1;
                }
            }
        }
        confusion
    }

    fn candidates(&self, tested: &[Tested<'_>], chosen: usize) -> Vec<AutoCandidate> {
        let n_rows = self.auto.table.n_rows();
        let all = self.pipelines.iter().zip(tested);
        let all = all.map(|(pipeline, one)| AutoCandidate {
            name: pipeline.name().to_owned(),
            method: pipeline.method(),
            model: pipeline.model_name(),
            accuracy: one.accuracy(n_rows),
            standard_error: one
                .accuracy(n_rows)
                .map(|p| choice::standard_error(p, n_rows)),
            n_kept: one.kept().map(<[u32]>::len),
            mean_kept: one.mean_kept(),
            agreement: one.agreement(&tested[chosen]),
            seconds: one.seconds(),
            failure: one.failure().map(str::to_owned),
        });
        all.collect()
    }
}

impl Study for FoldStudy<'_> {
    type Measure = FoldRun;

    fn settings(&self) -> Map<String, Value> {
        let mut settings = Map::new();
        settings.insert("study".into(), "auto".into());
        settings.insert("seed".into(), self.auto.options.seed.into());
        settings
    }

    fn groups(&self) -> Vec<Group> {
        let groups = self.pipelines.iter().map(|pipeline| Group {
            name: format!("trying {}", pipeline.name()),
            data: self.data.clone(),
            // The last one is all rows.
            n_units: self.folds.n_folds() + 1,
            cost: pipeline.weight(),
        });
        groups.collect()
    }

    fn measure(&self, group: usize, unit: usize, observer: &dyn Observer) -> Result<FoldRun> {
        let start = std::time::Instant::now();
        let run = if unit == self.folds.n_folds() {
            self.on_all_rows(group, observer)
        } else {
            self.on_fold(group, unit, observer)
        };
        let mut run = match run {
            Ok(run) => run,
            // A method that cannot work on these data is out; the others go on.
            Err(error) => match error.kind() {
                ErrorKind::Internal | ErrorKind::Interrupted => return Err(error),
                _ => FoldRun {
                    failure: Some(error.to_string()),
                    ..FoldRun::default()
                },
            },
        };
        run.seconds = start.elapsed().as_secs_f64();
        Ok(run)
    }
}

impl FoldStudy<'_> {
    /// Learns on the other folds and tests this one.
    fn on_fold(&self, group: usize, fold: usize, observer: &dyn Observer) -> Result<FoldRun> {
        let split = self.folds.split(fold);
        let trial = Trial {
            table: self.auto.table,
            roles: self.auto.roles,
            class: &self.class,
            chooser: self.pipelines[group].chooser(),
            training: self.pipelines[group].training(),
            split: &split,
            has_call: false,
        };
        let tried = trial.run(observer)?;
        let rows = split.test.iter().zip(&tried.predicted);
        let wrong = rows.filter(|&(&row, &predicted)| {
            predicted.is_none() || self.class.codes.get(row as usize) != predicted
        });
        Ok(FoldRun {
            wrong: wrong.map(|(&row, &predicted)| (row, predicted)).collect(),
            kept: tried.kept,
            ..FoldRun::default()
        })
    }

    /// What a candidate keeps of all rows.
    fn on_all_rows(&self, group: usize, observer: &dyn Observer) -> Result<FoldRun> {
        let options = self.pipelines[group].selection().ok_or_else(nested)?;
        let auto = self.auto;
        let coded = CodedTable::new(auto.table, auto.roles, auto.options.coding)?;
        let chosen = choose(&coded, options, &Limits::new(observer))?;
        if observer.is_cancelled() {
            return Err(Error::interrupted());
        }
        let kept = chosen.kept.iter();
        Ok(FoldRun {
            kept: kept.map(|&place| place as u32).collect(),
            ..FoldRun::default()
        })
    }
}

#[cfg(test)]
mod tests;
