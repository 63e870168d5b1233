//! What predictions are judged by.

use std::path::PathBuf;

use bayesieve::measure::{CostSource, Measure};
use bayesieve::run::MeasureRequest;
use clap::Args;

#[derive(Args)]
pub(crate) struct MeasureOptions {
    /// Measure that decides: log-loss, accuracy, balanced-accuracy, auc, average-precision, f1,
    /// brier, calibration or cost [default: log-loss; accuracy for compare, wrapper, fss-ebna,
    /// naive-as and k2-as]
    #[arg(long, alias = "scoring", value_name = "MEASURE")]
    measure: Option<&'static Measure>,

    /// Positive class, for auc, average-precision and f1 [default: the rarest class]
    #[arg(long, value_name = "LABEL", allow_hyphen_values = true)]
    positive: Option<String>,

    /// CSV with what mistakes cost: the true class in the first column, one column per predicted
    /// class
    #[arg(long, value_name = "FILE")]
    costs: Option<PathBuf>,
}

impl MeasureOptions {
    pub(crate) fn request(&self) -> MeasureRequest {
        MeasureRequest {
            measure: self.measure,
            positive: self.positive.clone(),
            costs: self.costs.clone().map(CostSource::File),
        }
    }

    /// The file that it reads.
    pub(crate) fn file(&self) -> Option<&std::path::Path> {
        self.costs.as_deref()
    }
}
