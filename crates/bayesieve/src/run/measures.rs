//! What predictions are judged by.

use serde::{Deserialize, Serialize};

use super::text::as_optional_text;
use crate::measure::{CostSource, Measure, Stakes};
use crate::{Error, Result, parameter};

/// What predictions are judged by: part of every request that judges some.
///
/// | field | default | meaning |
/// |---|---|---|
/// | `measure` | log loss | what decides |
/// | `positive` | the rarest class | the class of AUC, average precision and F1 |
/// | `costs` | none | what it costs to take one class for another |
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MeasureRequest {
    /// What decides.
    #[serde(with = "as_optional_text")]
    pub measure: Option<&'static Measure>,
    /// The positive class.
    pub positive: Option<String>,
    /// What it costs to take one class for another.
    pub costs: Option<CostSource>,
}

impl MeasureRequest {
    /// Refuses what cannot be done, before anything is read.
    ///
    /// # Errors
    /// The mean cost without costs.
    pub fn check(&self) -> Result<()> {
        let needs_costs = self.measure.is_some_and(|measure| measure.key == "cost");
        if needs_costs && self.costs.is_none() {
            let message = format!("{} needs costs", parameter("measure").is("cost"));
            return Err(Error::usage(message)
                .with_hint(format!("Give a matrix of costs ({}).", parameter("costs"))));
        }
        Ok(())
    }

    /// Whether anything was asked for.
    pub(super) fn given(&self) -> [(&'static str, bool); 3] {
        [
            ("measure", self.measure.is_some()),
            ("positive", self.positive.is_some()),
            ("costs", self.costs.is_some()),
        ]
    }

    /// What decides.
    pub fn decides(&self) -> &'static Measure {
        self.measure.unwrap_or(Measure::DEFAULT)
    }

    /// The positive class and the costs, for classes with so many rows.
    ///
    /// # Errors
    /// There is no such class, or costs that do not fit the classes.
    pub fn stakes(&self, labels: &[String], counts: &[u64]) -> Result<Stakes> {
        let mut stakes = Stakes::new(counts);
        if let Some(positive) = &self.positive {
            let given = parameter("positive").is(positive).to_string();
            stakes = stakes
                .with_positive(positive, labels)
                .map_err(|error| error.about(&given))?;
        }
        if let Some(costs) = &self.costs {
            stakes = stakes.with_costs(costs.table()?.matrix(labels)?);
        }
        Ok(stakes)
    }
}
