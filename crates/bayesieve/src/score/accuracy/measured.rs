//! Every measure of models over sets of features.

use rayon::prelude::*;

use super::division::RowDivision;
use super::{AccuracyOptions, FoldRows, judge_of};
use crate::data::CodedTable;
use crate::measure::{MeasuredValues, PredictedRows, Stakes};
use crate::score::FeatureSet;
use crate::{Observer, Result, check};

/// Every measure of models over sets of all features of a table: the mean over the test parts of
/// one run on which it is defined.
pub(crate) fn measured_sets(
    table: &CodedTable,
    sets: &[FeatureSet],
    options: &AccuracyOptions,
    stakes: &Stakes,
    observer: &dyn Observer,
) -> Result<Vec<MeasuredValues>> {
    let folds = options.folds.clone();
    let division = RowDivision::new(options.estimate, folds, options.seed, table.n_rows())?;
    let splits = division.splits(0, &table.class)?;
    let places: Vec<usize> = (0..table.features.len()).collect();
    let by_fold = splits.par_iter().map(|split| {
        let part = FoldRows::new(table, &places, split, options.coding)?;
        let (truth, n_classes) = (part.test_classes().to_vec(), part.n_classes());
        let judge = judge_of(part.into(), &options.training, splits.len())?;
        let measured = sets.iter().map(|set| {
            check(observer)?;
            let order: Vec<usize> = set.iter().collect();
            let posteriors = judge.predict(&order, observer)?;
            let rows = PredictedRows {
                truth: &truth,
                predicted: &posteriors.predicted,
                probabilities: &posteriors.probabilities,
                n_classes,
            };
            Ok(MeasuredValues::new(&rows, stakes))
        });
        measured.collect::<Result<Vec<MeasuredValues>>>()
    });
    let by_fold = by_fold.collect::<Result<Vec<_>>>()?;
    let means = (0..sets.len()).map(|set| mean_of(by_fold.iter().map(|fold| fold[set])));
    Ok(means.collect())
}

/// The mean of every measure over the parts on which it is defined.
fn mean_of(parts: impl Iterator<Item = MeasuredValues>) -> MeasuredValues {
    let mut means = MeasuredValues::default();
    let parts: Vec<MeasuredValues> = parts.collect();
    for (place, mean) in means.0.iter_mut().enumerate() {
        let values: Vec<f64> = parts.iter().filter_map(|part| part.0[place]).collect();
        let sum: f64 = values.iter().sum();
        *mean = (!values.is_empty()).then(|| sum / values.len() as f64);
    }
    means
}
