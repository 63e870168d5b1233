//! The columns of a model: the class with its labels, the features with their codes.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::super::coding::{CodedFeature, Coding};
use super::broken;
use crate::data::{CutPoints, Domain, Notation};
use crate::{Result, quoted};

/// More rows than any table has: sums of fewer never overflow.
const MAX_ROWS: u64 = 1 << 48;

#[derive(Serialize, Deserialize)]
pub(super) struct ClassEntry {
    pub(super) name: String,
    pub(super) labels: Vec<String>,
    pub(super) counts: Vec<u64>,
}

impl ClassEntry {
    /// Refuses a class that training would not have taken.
    pub(super) fn check(&self) -> Result<()> {
        let broken = |what: &str| Err(broken(what).in_column(&self.name));
        if self.labels.iter().any(|label| label.is_empty()) {
            return broken("a class has no label");
        }
        if first_twice(&self.labels).is_some() {
            return broken("two classes have the same label");
        }
        if self.counts.len() != self.labels.len() {
            return broken("the classes and their counts are of different numbers");
        }
        if self.counts.iter().filter(|&&n| n > 0).count() < 2 {
            return broken("fewer than two classes have rows");
        }
        let total = self
            .counts
            .iter()
            .try_fold(0u64, |sum, &n| sum.checked_add(n));
        if total.is_none_or(|n| n >= MAX_ROWS) {
            return broken("the classes have more rows than any table");
        }
        Ok(())
    }

    /// Rows of all classes; of a class that was checked.
    pub(super) fn n_rows(&self) -> u64 {
        self.counts.iter().sum()
    }
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum FeatureEntry {
    Nominal {
        name: String,
        labels: Vec<String>,
        missing_value: bool,
    },
    Binned {
        name: String,
        cut_points: Vec<f64>,
        missing_value: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        notation: Option<String>,
    },
    Numeric {
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        notation: Option<String>,
    },
}

impl FeatureEntry {
    pub(super) fn new(feature: &CodedFeature) -> Self {
        let name = feature.name.clone();
        let notation = feature.notation.map(|notation| notation.to_string());
        match &feature.coding {
            Coding::Labels(domain) => FeatureEntry::Nominal {
                name,
                labels: domain.labels().to_vec(),
                missing_value: domain.has_missing_value(),
            },
            Coding::Bins {
                cuts,
                has_missing_value,
            } => FeatureEntry::Binned {
                name,
                cut_points: cuts.as_slice().to_vec(),
                missing_value: *has_missing_value,
                notation,
            },
            Coding::Numbers => FeatureEntry::Numeric { name, notation },
        }
    }

    fn name(&self) -> &str {
        match self {
            FeatureEntry::Nominal { name, .. }
            | FeatureEntry::Binned { name, .. }
            | FeatureEntry::Numeric { name, .. } => name,
        }
    }

    fn notation(&self) -> Result<Option<Notation>> {
        let name = match self {
            FeatureEntry::Nominal { .. } => None,
            FeatureEntry::Binned { notation, .. } | FeatureEntry::Numeric { notation, .. } => {
                notation.as_ref()
            }
        };
        let notation = name.map(|name| name.parse()).transpose();
        notation.map_err(|_| broken("the numbers are in an unknown notation"))
    }

    fn coding(&self) -> Result<Coding> {
        Ok(match self {
            FeatureEntry::Nominal {
                labels,
                missing_value,
                ..
            } => {
                if let Some(label) = first_twice(labels) {
                    return Err(broken(format!("the label {} stands twice", quoted(label))));
                }
                let domain = Domain::ordered(labels.clone());
                Coding::Labels(domain.with_missing_value(*missing_value))
            }
            FeatureEntry::Binned {
                cut_points,
                missing_value,
                ..
            } => Coding::Bins {
                cuts: CutPoints::new(cut_points.clone())
                    .map_err(|_| broken("the cut points do not rise"))?,
                has_missing_value: *missing_value,
            },
            FeatureEntry::Numeric { .. } => Coding::Numbers,
        })
    }
}

/// Reads the features of a model whose class has this name.
pub(super) fn read_features(entries: &[FeatureEntry], class: &str) -> Result<Vec<CodedFeature>> {
    let names = || entries.iter().map(FeatureEntry::name).chain([class]);
    if names().any(str::is_empty) {
        return Err(broken("a column has no name"));
    }
    if let Some(name) = first_twice(names()) {
        return Err(broken("two columns have the same name").in_column(name));
    }
    let read = |entry: &FeatureEntry| {
        let name = entry.name();
        let coding = entry.coding().map_err(|error| error.in_column(name))?;
        let feature = CodedFeature {
            name: name.to_owned(),
            coding,
            notation: entry.notation().map_err(|error| error.in_column(name))?,
        };
        if feature.coding != Coding::Numbers && feature.n_values() == 0 {
            return Err(broken("the feature has no value").in_column(name));
        }
        Ok(feature)
    };
    entries.iter().map(read).collect()
}

/// The first text that stands there a second time.
fn first_twice<'a, T>(texts: impl IntoIterator<Item = &'a T>) -> Option<&'a T>
where
    T: std::hash::Hash + Eq + ?Sized + 'a,
{
    let mut seen = HashSet::new();
    texts.into_iter().find(|text| !seen.insert(*text))
}
