//! Which class is the positive one, and what mistakes cost.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::data::{Nominal, unknown_name};
use crate::{Error, Result, parameter, quoted};

/// What measures know about the classes besides the rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Stakes {
    positive: usize,
    costs: Option<CostMatrix>,
}

impl Stakes {
    /// The rarest class is the positive one, of equals the last; mistakes have no cost.
    pub fn new(class_counts: &[u64]) -> Self {
        let classes = class_counts.iter().enumerate().filter(|(_, n)| **n > 0);
        let rarest = classes.min_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(&a.0)));
        Stakes {
            positive: rarest.map_or(0, |(class, _)| class),
            costs: None,
        }
    }

    /// With another positive class.
    ///
    /// # Errors
    /// There is no such class.
    pub fn with_positive(mut self, label: &str, labels: &[String]) -> Result<Self> {
        let place = labels.iter().position(|known| known == label);
        let known = labels.iter().map(String::as_str);
        self.positive = place.ok_or_else(|| unknown_name("class", label, known))?;
        Ok(self)
    }

    /// With what mistakes cost.
    #[must_use]
    pub fn with_costs(self, costs: CostMatrix) -> Self {
        Stakes {
            costs: Some(costs),
            ..self
        }
    }

    /// The same for some of the classes, numbered anew; without the positive class, the rarest
    /// of them is.
    pub(crate) fn among(&self, classes: &Nominal, some: &Nominal) -> Self {
        let labels = classes.domain.labels();
        let code = |label: &String| labels.iter().position(|known| known == label);
        let codes: Vec<usize> = some.domain.labels().iter().filter_map(code).collect();
        let positive = codes.iter().position(|&code| code == self.positive);
        let costs = self.costs.as_ref().map(|costs| CostMatrix {
            n_classes: codes.len(),
            costs: codes
                .iter()
                .flat_map(|&truth| codes.iter().map(move |&taken| costs.of(truth, taken)))
                .collect(),
        });
        Stakes {
            positive: positive.unwrap_or_else(|| Stakes::new(&some.counts()).positive),
            costs,
        }
    }

    /// Whether they can be those of so many classes.
    pub(crate) fn fit(&self, n_classes: usize) -> bool {
        let costs = self.costs.as_ref();
        self.positive < n_classes && costs.is_none_or(|costs| costs.n_classes == n_classes)
    }

    /// The code of the positive class.
    pub fn positive(&self) -> usize {
        self.positive
    }

    /// What mistakes cost, where that is known.
    pub fn costs(&self) -> Option<&CostMatrix> {
        self.costs.as_ref()
    }
}

/// What it costs to take one class for another.
#[derive(Debug, Clone, PartialEq)]
pub struct CostMatrix {
    n_classes: usize,
    /// By true class, then predicted class.
    costs: Vec<f64>,
}

impl CostMatrix {
    /// The largest cost.
    pub(crate) fn largest(&self) -> f64 {
        self.costs.iter().copied().fold(0.0, f64::max)
    }

    /// Every cost, by true class, then predicted class.
    pub(crate) fn costs(&self) -> &[f64] {
        &self.costs
    }

    /// The cost of a true class that is taken for another.
    pub(super) fn of(&self, truth: usize, predicted: usize) -> f64 {
        self.costs[truth * self.n_classes + predicted]
    }
}

/// Costs as they are given: by label, before the classes are known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CostTable {
    /// The predicted class of every column.
    pub predicted: Vec<String>,
    /// The true class of every row, and its costs.
    pub rows: Vec<(String, Vec<f64>)>,
}

impl CostTable {
    /// Reads a CSV with the true class in the first column and one column per predicted class.
    ///
    /// # Errors
    /// A file that cannot be read, a cell that is no number from 0 on, or a row of another
    /// length.
    pub fn read(path: &Path) -> Result<Self> {
        let about = |message: String| Error::usage(message).in_file(path);
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .from_path(path)
            .map_err(|error| about(format!("cannot read the costs: {error}")))?;
        let header = reader.headers().map_err(|error| about(error.to_string()))?;
        let predicted: Vec<String> = header.iter().skip(1).map(str::to_owned).collect();
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| about(error.to_string()))?;
            let truth = record.get(0).unwrap_or_default();
            let costs = record.iter().skip(1).zip(&predicted).map(|(text, column)| {
                let cost = text
                    .parse()
                    .ok()
                    .filter(|cost: &f64| cost.is_finite() && *cost >= 0.0);
                cost.ok_or_else(|| {
                    about(format!(
                        "the cost of taking {} for {} must be a number from 0 on, got {}",
                        quoted(truth),
                        quoted(column),
                        quoted(text)
                    ))
                })
            });
            rows.push((truth.to_owned(), costs.collect::<Result<_>>()?));
        }
        Ok(CostTable { predicted, rows })
    }

    /// The costs of the classes of some labels.
    ///
    /// # Errors
    /// A label without a row or a column, or twice; a label that is no class; a negative cost.
    pub fn matrix(&self, labels: &[String]) -> Result<CostMatrix> {
        let truths: Vec<&str> = self.rows.iter().map(|(truth, _)| truth.as_str()).collect();
        let predicted: Vec<&str> = self.predicted.iter().map(String::as_str).collect();
        let (of_rows, of_columns) = (places(&truths, labels)?, places(&predicted, labels)?);
        let mut costs = Vec::with_capacity(labels.len() * labels.len());
        for &row in &of_rows {
            for &column in &of_columns {
                let cost = self.rows[row].1.get(column).copied();
                let cost = cost.ok_or_else(|| misshapen(labels.len()))?;
                if !cost.is_finite() || cost < 0.0 {
                    return Err(Error::usage(format!(
                        "{} must be numbers from 0 on, got {cost}",
                        parameter("costs")
                    )));
                }
                costs.push(cost);
            }
        }
        Ok(CostMatrix {
            n_classes: labels.len(),
            costs,
        })
    }
}

fn misshapen(n_classes: usize) -> Error {
    Error::usage(format!(
        "{} must have a row and a column for each of the {n_classes} classes",
        parameter("costs")
    ))
    .with_hint(
        "Write a CSV with the true class in the first column and one column per predicted class.",
    )
}

/// Where each label stands among the given ones, each once.
fn places(given: &[&str], labels: &[String]) -> Result<Vec<usize>> {
    if let Some(stranger) = given.iter().find(|name| !labels.iter().any(|l| l == *name)) {
        let known = labels.iter().map(String::as_str);
        return Err(unknown_name("class", stranger, known).about("costs"));
    }
    if given.len() != labels.len() {
        return Err(misshapen(labels.len()));
    }
    let place = |label: &String| given.iter().position(|name| name == label);
    let places = labels
        .iter()
        .map(|label| place(label).ok_or_else(|| misshapen(labels.len())));
    places.collect()
}

/// Where costs come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CostSource {
    /// A file.
    File(PathBuf),
    /// A table.
    Table(CostTable),
}

impl CostSource {
    /// The table.
    ///
    /// # Errors
    /// As [`CostTable::read`].
    pub fn table(&self) -> Result<CostTable> {
        match self {
            CostSource::File(path) => CostTable::read(path),
            CostSource::Table(table) => Ok(table.clone()),
        }
    }
}
