//! The accuracy of a whole procedure: selection and training together, on other rows.
//!
//! Paper: Dietterich, 1998, and Alpaydin, 1999, for five times two halves; Inza and others,
//! 2000, for their use on wrappers.
//! On each half everything is learned anew: cut points, the features that are kept, the
//! model. The other half says how good that is. An estimate that a search went by is the
//! best of many; this one is of rows that had no part in the choice.
//! Cost: ten runs of the selection on half of the rows.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::protocol::Protocol;
use super::trial::{Chooser, Trial, Tried};
use crate::data::split::{Rows, Split, five_by_two};
use crate::data::{Nominal, Roles, Table, class_codes, class_fingerprint};
use crate::measure::{MEASURES, Measure, MeasuredValues, Stakes};
use crate::random::seed_of_split;
use crate::select::{HonestEstimate, MeasuredPerformance, Performance, SelectOptions, Selection};
use crate::stats::mean_sd;
use crate::{Error, ErrorKind, Result};
use crate::{Hushed, Observer};

/// Up to these sizes methods that go by accuracy are tested honestly without being asked:
/// a rule on the data, never on the clock, so that results do not depend on the machine.
const MAX_ROWS: usize = 5_000;
const MAX_FEATURES: usize = 100;

/// A selection and the training on what it keeps, as one procedure.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::{Generator, RoleOptions, Roles};
/// use bayesieve::evaluate::Honest;
/// use bayesieve::select::{Method, SelectOptions};
///
/// let table = Generator::Led24.generate(400, 1)?;
/// let roles = Roles::resolve(&table, &RoleOptions::default())?;
/// let options = SelectOptions::new(Method::named("naive-as")?)?;
/// let honest = Honest { table: &table, roles: &roles, options: &options, measure: None, stakes: None };
/// let estimate = honest.estimate(&Silent)?;
/// assert_eq!(estimate.accuracies.len(), 10);
/// assert!(estimate.mean < 0.75); // no classifier can do better than 0.74
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Honest<'a> {
    /// The rows that the selection used, every one with its class.
    pub table: &'a Table,
    /// The class and the candidates.
    pub roles: &'a Roles,
    /// How features are chosen.
    pub options: &'a SelectOptions,
    /// The measure that is asked for first, if one is.
    pub measure: Option<&'static Measure>,
    /// The positive class and the costs of mistakes; the rarest class and none without.
    pub stakes: Option<&'a Stakes>,
}

/// What the ten halves gave.
struct TestedHalves {
    class: Nominal,
    stakes: Stakes,
    splits: Vec<Split>,
    tried: Vec<Tried>,
    /// Every measure of always saying the shares of the training rows, by half.
    baselines: Vec<MeasuredValues>,
}

impl Honest<'_> {
    /// Whether this is worth its time without being asked for: methods that go by the
    /// accuracy of naive Bayes or TAN, up to 5,000 rows and 100 features.
    pub fn is_default(&self) -> bool {
        use crate::classify::ModelKind::{NaiveBayes, Tan};
        let options = self.options;
        options.method().takes.accuracy
            && matches!(options.model(), Some(NaiveBayes | Tan))
            && self.is_small()
    }

    /// Whether the data are small enough for ten more selections: up to 5,000 rows and 100
    /// features.
    pub fn is_small(&self) -> bool {
        self.table.n_rows() <= MAX_ROWS && self.roles.features.len() <= MAX_FEATURES
    }

    /// Puts the estimate into the selection that it is about; where there can be none, the
    /// selection says why.
    ///
    /// # Errors
    /// None but defects.
    pub fn add_to(&self, selection: &mut Selection, observer: &dyn Observer) -> Result<()> {
        let estimate = if selection.stop.is_early() {
            Err(Error::interrupted())
        } else {
            self.test(observer)
        };
        let why_not = match estimate {
            Ok(tested) => {
                selection.honest = Some(tested.estimate(self.options)?);
                selection.performance = Some(tested.performance(self.measure)?);
                return Ok(());
            }
            Err(error) => match error.kind() {
                ErrorKind::Internal => return Err(error),
                ErrorKind::Interrupted => "the run was over before".to_owned(),
                _ => format!("on a half of the rows, {error}"),
            },
        };
        let warning = format!("there is no estimate on other rows: {why_not}");
        selection.warnings.push(warning);
        Ok(())
    }

    /// Selects and trains on each half, and tests on the other: five times two.
    ///
    /// # Errors
    /// A half on which nothing can be selected or trained, as where it has one class only;
    /// or the observer cancelled.
    pub fn estimate(&self, observer: &dyn Observer) -> Result<HonestEstimate> {
        self.test(observer)?.estimate(self.options)
    }

    fn test(&self, observer: &dyn Observer) -> Result<TestedHalves> {
        let class = class_codes(&self.table.columns()[self.roles.class])?;
        let folds = five_by_two(Rows::Stratified(&class.codes), self.options.seed)?;
        let splits: Vec<Split> = folds.iter().flat_map(|folds| folds.splits()).collect();
        let data = class_fingerprint(&class.codes);
        let chooser = Chooser::Method(Box::new(self.options.clone()));
        let stakes = match self.stakes {
            Some(stakes) => stakes.clone(),
            None => Stakes::new(&class.counts()),
        };
        let n_done = AtomicU64::new(0);
        let tried = splits.par_iter().enumerate().map(|(place, split)| {
            let (run, fold) = (place as u32 / 2 + 1, place as u32 % 2 + 1);
            let trial = Trial {
                table: self.table,
                roles: self.roles,
                class: &class,
                chooser: &chooser,
                training: None,
                split,
                seed: seed_of_split(self.options.seed, data, run, fold),
                stakes: &stakes,
                has_call: false,
            };
            let tried = trial.run(&Hushed(observer))?;
            let n = n_done.fetch_add(1, Ordering::Relaxed) + 1;
            observer.progress("testing honestly", n, splits.len() as u64);
            Ok((tried, trial.baseline()))
        });
        let tried: Vec<Result<(Tried, MeasuredValues)>> = tried.collect();
        // In order, so that the error does not depend on the threads.
        let tried = tried.into_iter().collect::<Result<Vec<_>>>()?;
        let (tried, baselines) = tried.into_iter().unzip();
        Ok(TestedHalves {
            class,
            stakes,
            splits,
            tried,
            baselines,
        })
    }
}

impl TestedHalves {
    fn estimate(&self, options: &SelectOptions) -> Result<HonestEstimate> {
        let accuracies: Vec<f64> = self.tried.iter().map(Tried::accuracy).collect();
        let of_accuracies = mean_sd(&accuracies)?;
        let n_kept: usize = self.tried.iter().map(|tried| tried.kept.len()).sum();
        Ok(HonestEstimate {
            mean: of_accuracies.mean,
            sd: of_accuracies.sd.unwrap_or(f64::NAN),
            mean_kept: n_kept as f64 / self.tried.len() as f64,
            accuracies,
            confusion: self.confusion(),
            model: options.final_training()?.model.name(),
        })
    }

    /// `[true class][predicted class]` over all halves.
    fn confusion(&self) -> Vec<Vec<u64>> {
        let n_classes = self.class.n_values();
        let mut confusion = vec![vec![0; n_classes]; n_classes];
        for (split, tried) in self.splits.iter().zip(&self.tried) {
            for (&row, predicted) in split.test.iter().zip(&tried.predicted) {
                let truth = self.class.codes.get(row as usize);
                if let Some((truth, predicted)) = truth.zip(*predicted) {
                    confusion[truth as usize][predicted as usize] += 1;
                }
            }
        }
        confusion
    }

    /// Every measure over the halves that it is defined on; nothing was chosen by them, so there
    /// is nothing to correct.
    fn performance(&self, decides: Option<&'static Measure>) -> Result<Performance> {
        let mut measures = Vec::new();
        for measure in MEASURES {
            let values_of = |measured: &mut dyn Iterator<Item = &MeasuredValues>| -> Vec<f64> {
                measured.filter_map(|values| values.get(measure)).collect()
            };
            let values = values_of(&mut self.tried.iter().map(|tried| &tried.measures));
            if values.is_empty() {
                continue;
            }
            let of_halves = mean_sd(&values)?;
            let baselines = values_of(&mut self.baselines.iter());
            measures.push(MeasuredPerformance {
                measure,
                mean: of_halves.mean,
                standard_error: of_halves.sd.map(|sd| sd / (values.len() as f64).sqrt()),
                on_folds: of_halves.mean,
                baseline: mean_sd(&baselines).ok().map(|of_halves| of_halves.mean),
            });
        }
        Ok(Performance {
            protocol: Protocol::FiveByTwo.to_string(),
            measure: decides,
            measures,
            n_draws: 0,
            positive: self.stakes.positive(),
            confusion: self.confusion(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;
    use crate::classify::ModelKind;
    use crate::data::{CodedTable, Generator, RoleOptions};
    use crate::search::Limits;
    use crate::select::{Method, select};

    fn options(method: &str) -> SelectOptions {
        SelectOptions::new(Method::named(method).unwrap()).unwrap()
    }

    fn estimate(table: &Table, options: &SelectOptions) -> Result<HonestEstimate> {
        let roles = Roles::resolve(table, &RoleOptions::default())?;
        let honest = Honest {
            table,
            roles: &roles,
            options,
            measure: None,
            stakes: None,
        };
        honest.estimate(&Silent)
    }

    #[test]
    fn example_1_is_predicted_by_what_mdl_fs_keeps() {
        // Every half of 1,600 rows leads to {A2, A6, A1, A4}, with which TAN is never wrong.
        let table = Generator::Example1.generate(3200, 1).unwrap();
        let honest = estimate(&table, &options("mdl-fs")).unwrap();
        assert_eq!((honest.mean, honest.sd), (1.0, 0.0));
        assert_eq!((honest.mean_kept, honest.model), (4.0, "tan"));
        // Every row is tested five times: 3 of 4 are of class 1.
        assert_eq!(honest.confusion, [[4000, 0], [0, 12000]]);
    }

    #[test]
    fn every_measure_has_its_mean_over_the_halves_and_its_baseline() {
        let table = Generator::Example1.generate(320, 1).unwrap();
        let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
        let options = options("mdl-fs");
        let honest = Honest {
            table: &table,
            roles: &roles,
            options: &options,
            measure: Some(Measure::LOG_LOSS),
            stakes: None,
        };
        let coded = CodedTable::new(&table, &roles, Default::default()).unwrap();
        let mut selection = select(&coded, &options, &Limits::new(&Silent)).unwrap();
        honest.add_to(&mut selection, &Silent).unwrap();
        let performance = selection.performance.as_ref().unwrap();
        assert_eq!(
            (performance.protocol.as_str(), performance.n_draws),
            ("5x2cv", 0)
        );
        assert_eq!(selection.measure(), Some(Measure::LOG_LOSS));
        let accuracy = performance.get(Measure::ACCURACY).unwrap();
        let estimate = selection.honest.as_ref().unwrap();
        assert_eq!(accuracy.mean, estimate.mean);
        let error = accuracy.standard_error.unwrap();
        assert!((error - estimate.sd / 10f64.sqrt()).abs() < 1e-15);
        // Three of four rows are of the larger class, in every half: entropy of 1/4, in nats.
        assert_eq!(accuracy.baseline, Some(0.75));
        let log_loss = performance.get(Measure::LOG_LOSS).unwrap();
        let entropy = -(0.25 * 0.25f64.ln() + 0.75 * 0.75f64.ln());
        assert!((log_loss.baseline.unwrap() - entropy).abs() < 1e-12);
        assert_eq!(performance.confusion, estimate.confusion);
        // No costs are known.
        assert!(performance.get("cost".parse().unwrap()).is_none());
    }

    #[test]
    fn noise_looks_good_to_a_wrapper_and_not_to_other_rows() {
        // Twenty fair bits and a class that none of them knows: 50 %.
        let mut text: String = (0..20).map(|f| format!("f{f},")).collect();
        text += "class\n";
        let mut rng = crate::random::stream(1, crate::random::Purpose::Generate, 3);
        for _ in 0..120 {
            let bits = (0..21).map(|_| crate::random::below(&mut rng, 2).to_string());
            text += &(bits.collect::<Vec<_>>().join(",") + "\n");
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("noise.csv");
        std::fs::write(&path, text).unwrap();
        let table = crate::data::read_table(&path, &Default::default(), &Silent).unwrap();
        let options = options("wrapper");
        let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
        let coded = CodedTable::new(&table, &roles, Default::default()).unwrap();
        let selection = select(&coded, &options, &Limits::new(&Silent)).unwrap();
        let honest = estimate(&table, &options).unwrap();
        assert!(selection.value > 0.6, "{}", selection.value);
        assert!(honest.mean < 0.56, "{}", honest.mean);
    }

    #[test]
    fn a_half_of_one_class_predicts_that_class() {
        // One row of the second class: one of two halves has none.
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rare.csv");
        let rows: String = (0..9).map(|row| format!("{},x\n", row % 3)).collect();
        std::fs::write(&path, format!("a,class\n{rows}1,y\n")).unwrap();
        let table = crate::data::read_table(&path, &Default::default(), &Silent).unwrap();
        let honest = estimate(&table, &options("mrmr")).unwrap();
        // Five of five x where y is learned from, four of five where it is tested.
        assert_eq!(honest.accuracies, [[1.0, 0.8]; 5].concat());
    }

    #[test]
    fn the_rule_is_on_the_size_and_the_model() {
        let is_default = |n_rows: usize, options: &SelectOptions| {
            let table = Generator::Led24.generate(n_rows, 1).unwrap();
            let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
            let honest = Honest {
                table: &table,
                roles: &roles,
                options,
                measure: None,
                stakes: None,
            };
            honest.is_default()
        };
        let wrapper = options("wrapper");
        assert!(is_default(5_000, &wrapper));
        assert!(!is_default(5_001, &wrapper));
        assert!(!is_default(
            100,
            &wrapper.with_model(ModelKind::Id3).unwrap()
        ));
        assert!(!is_default(100, &options("mdl-fs")));
        assert!(!is_default(100, &options("k2-as")));
    }
}
