//! ID3: a tree that asks for one feature after the other.
//!
//! Papers: Quinlan, 1986; as used by Inza, Larrañaga, Etxeberria and Sierra, 2000.
//! A node is split by the feature of largest gain ratio among those whose gain is at least
//! the mean of the positive gains; it becomes a leaf where a chi-square test finds that the
//! split may be chance. Nominal features have a branch per value seen at the node, numeric
//! ones are cut in two midway between two values, at the cut of largest gain ratio or gain.
//! By ratio, cuts that split off a few rows look good: such trees are deep, take long and
//! predict worse; the trees of Inza and others must have been cut by gain.
//! Cost: one pass over the rows of a node per feature, by bitmaps where it has many rows;
//! numbers are sorted once, in the beginning.
//! Where the papers are silent: only rows with the feature present count in its gain and
//! test, and the others go into the largest branch (the first of equals); a value without a
//! branch stops at the node, where its majority decides. Of classes that tie, the one more
//! frequent in the parent wins, and so on up, in the root the one whose first row comes
//! first. Gains and ratios are compared after rounding to 1e-10; of equals the lowest column
//! and the lowest cut win.

mod bitmaps;
mod check;
mod cut;
mod feature;
mod grow;
mod predict;
mod split;
mod tally;

pub(crate) use cut::Presorted;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::data::{Column, Nominal, Values};
use crate::{Error, Observer, Result, check};

/// The settings of ID3.
///
/// | name | default | meaning | range |
/// |---|---|---|---|
/// | `alpha` | 0.01 | a split is made where its chi-square test has p of at most this; 1 makes all | 0 to 1 |
/// | `cuts` | by ratio | what makes a cut of numbers the best of its feature | ratio, gain |
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Id3Options {
    /// The level of the chi-square test before a split.
    pub alpha: f64,
    /// What makes a cut of numbers the best of its feature.
    pub cuts: Id3Cuts,
}

/// What makes a cut of numbers the best of its feature; features go by gain ratio in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Id3Cuts {
    /// The gain ratio, as for features.
    #[default]
    Ratio,
    /// The gain: cuts nearer to the middle, and trees less deep.
    Gain,
}

impl Default for Id3Options {
    fn default() -> Self {
        Id3Options {
            alpha: 0.01,
            cuts: Id3Cuts::default(),
        }
    }
}

/// A decision tree.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::classify::{Id3, Id3Options};
/// use bayesieve::data::{Column, KindOrigin, Nominal, Values};
///
/// // Below 10 the class is "no", above it depends on the light.
/// let numbers: Vec<f64> = (0..40).map(f64::from).map(|i| i / 2.0).collect();
/// let light: Vec<&str> = (0..40).map(|i| if i % 2 == 0 { "on" } else { "off" }).collect();
/// let class = (0..40).map(|i| Some(if i < 20 || i % 2 == 0 { "no" } else { "yes" }));
/// let class = Nominal::from_labels(class);
/// let heat = Column::new("heat", Values::Numeric(numbers), KindOrigin::Numbers);
/// let light = Nominal::from_labels(light.into_iter().map(Some));
/// let light = Column::new("light", Values::Nominal(light), KindOrigin::Text);
///
/// let tree = Id3::fit(&[&heat, &light], &class, &Id3Options::default(), &Silent)?;
/// assert_eq!(tree.used_features(), [0, 1]);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Id3 {
    /// The first is the root; children stand behind their parents.
    nodes: Vec<Id3Node>,
    /// Of every column: number of values where it is nominal, `None` where numeric.
    kinds: Vec<Option<usize>>,
    n_classes: usize,
}

/// A node of the tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Id3Node {
    /// Classes of the training rows that came here, each with their number; the most
    /// frequent first, which is the one predicted.
    pub class_counts: Vec<(u32, u32)>,
    /// What is asked here; `None` in a leaf.
    pub split: Option<Id3Split>,
}

/// What a node asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Id3Split {
    /// A value.
    Nominal {
        /// Column.
        feature: usize,
        /// Codes seen here, rising, each with its node.
        branches: Vec<(u32, usize)>,
        /// The node where rows without a value go.
        largest: usize,
    },
    /// A number.
    Numeric {
        /// Column.
        feature: usize,
        /// The largest number that goes below.
        cut: f64,
        /// The node of numbers up to the cut.
        below: usize,
        /// The node of numbers above the cut.
        above: usize,
        /// The node where rows without a number go.
        largest: usize,
    },
}

impl Id3 {
    /// Grows a tree. Rows without a class are not used, so that the rows held out of a fold
    /// need no copy of the columns: a class column with gaps is enough.
    ///
    /// # Errors
    /// Columns of different lengths, no row with a class, an infinite number, or an alpha
    /// outside 0 to 1, or the observer cancelled.
    pub fn fit(
        columns: &[&Column],
        class: &Nominal,
        options: &Id3Options,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let sort = |column: &&Column| {
            check(observer)?;
            Presorted::new(column, class)
        };
        let sorted: Vec<Presorted> = columns.par_iter().map(sort).collect::<Result<_>>()?;
        let columns: Vec<(&Column, &Presorted)> = columns.iter().copied().zip(&sorted).collect();
        Id3::fit_presorted(&columns, class, options, observer)
    }

    /// As [`Id3::fit`], with columns whose rows are in order already: for many trees over the
    /// same rows.
    pub(crate) fn fit_presorted(
        columns: &[(&Column, &Presorted)],
        class: &Nominal,
        options: &Id3Options,
        observer: &dyn Observer,
    ) -> Result<Self> {
        if !(0.0..=1.0).contains(&options.alpha) {
            return Err(Error::usage(format!("an alpha of {}", options.alpha))
                .with_hint("Use a probability: 0.01 for few splits, 1 for all."));
        }
        let kinds = columns.iter().map(|(column, _)| kind(column)).collect();
        Ok(Id3 {
            nodes: grow::grow(columns, class, options, observer)?,
            kinds,
            n_classes: class.n_values(),
        })
    }

    /// The nodes; the first is the root, and children stand behind their parents.
    pub fn nodes(&self) -> &[Id3Node] {
        &self.nodes
    }

    /// The columns that some node asks for, rising.
    pub fn used_features(&self) -> Vec<usize> {
        let splits = self.nodes.iter().filter_map(|node| node.split.as_ref());
        let mut used: Vec<usize> = splits
            .map(|split| match split {
                Id3Split::Nominal { feature, .. } | Id3Split::Numeric { feature, .. } => *feature,
            })
            .collect();
        used.sort_unstable();
        used.dedup();
        used
    }
}

impl Id3Node {
    /// The class predicted here.
    pub fn majority(&self) -> u32 {
        self.class_counts.first().map_or(0, |&(class, _)| class)
    }
}

/// The number of values of a nominal column.
fn kind(column: &Column) -> Option<usize> {
    match column.values() {
        Values::Nominal(nominal) => Some(nominal.n_values()),
        Values::Numeric(_) => None,
    }
}

#[cfg(test)]
mod tests;
