//! What a table holds and what each column tells about the class.
//!
//! Redundancy is that of Drugan and Wiering, 2010, Definition 3: at level 0 a feature
//! tells less about the class than its table costs; at level 1 it does so once some other
//! feature is known.
//! Cost: one pass for single tables; for level 1 all pair tables, O(n^2 N / 64) words.

mod duplicates;
mod level1;

pub use level1::Given;

use std::sync::Arc;

use rayon::prelude::*;

use crate::counts::{CountColumn, RowIndex};
use crate::data::{CodedTable, Column, Feature, KindOrigin, Values};
use crate::error::{Error, Result};
use crate::info::{PairInformation, SingleInformation, is_redundant, price_bits};
use crate::observer::Observer;

/// Above this many features redundancy at level 1 is left out unless asked for.
pub const LEVEL_1_FEATURES: usize = 1_000;

/// How deep redundancy is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Levels {
    /// Level 1 up to [`LEVEL_1_FEATURES`] features, else level 0.
    #[default]
    Auto,
    /// Level 0 only.
    Zero,
    /// Levels 0 and 1, however many features there are.
    One,
}

/// What kind of column it is, for a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Labels.
    Nominal,
    /// Numbers.
    Numeric,
    /// One value in every row.
    Constant,
    /// No value in any row.
    Empty,
}

impl Kind {
    /// Its name in tables and documents.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Nominal => "nominal",
            Kind::Numeric => "numeric",
            Kind::Constant => "constant",
            Kind::Empty => "empty",
        }
    }
}

/// What is known about one feature.
#[derive(Debug, Clone)]
pub struct FeatureDescription {
    /// Its column.
    pub column: Arc<Column>,
    /// Its kind.
    pub kind: Kind,
    /// Distinct values, missing cells not counted.
    pub n_distinct: usize,
    /// Missing cells.
    pub n_missing: usize,
    /// Where its numbers were cut; `None` for labels and for numbers that stay numbers.
    pub cut_points: Option<Vec<f64>>,
    /// What it tells about the class; `None` for numbers that were not binned.
    pub information: Option<SingleInformation>,
    /// Whether it tells less than its table costs.
    pub redundant_level0: Option<bool>,
    /// The feature given which it tells least, where that is less than its table costs.
    pub redundant_level1: Option<Given>,
}

/// What is known about a table.
#[derive(Debug, Clone)]
pub struct Description {
    /// Rows described.
    pub n_rows: usize,
    /// Labels and rows of every class, in label order.
    pub class_counts: Vec<(String, u64)>,
    /// Entropy of the class, in bits.
    pub class_entropy: f64,
    /// The features in file order.
    pub features: Vec<FeatureDescription>,
    /// Whether level 1 was looked at.
    pub has_level1: bool,
    /// Groups of features with the same cells, as positions in `features`.
    pub duplicate_features: Vec<Vec<usize>>,
    /// Rows that equal an earlier row, class included.
    pub duplicate_rows: u64,
}

/// What two features tell about each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairDescription {
    /// Positions of the two features.
    pub pair: (usize, usize),
    /// `I(A; B)` in bits.
    pub information_bits: f64,
    /// `I(A; B | C)` in bits.
    pub information_given_class_bits: f64,
}

/// Describes a coded table.
///
/// # Errors
/// The observer cancelled.
///
/// # Example
/// ```
/// use bayesieve::data::{CodedTable, CodingOptions, Generator, RoleOptions, Roles};
/// use bayesieve::describe::{Levels, describe};
/// use bayesieve::Silent;
///
/// let table = Generator::Example1.generate(3200, 1)?;
/// let roles = Roles::resolve(&table, &RoleOptions::default())?;
/// let coded = CodedTable::new(&table, &roles, CodingOptions::default())?;
/// let description = describe(&coded, Levels::Auto, &Silent)?;
/// let a2 = &description.features[1];
/// let bits = a2.information.map(|i| i.mutual).unwrap_or_default();
/// assert_eq!(format!("{bits:.6}"), "0.311278");
/// assert_eq!(description.duplicate_features, [[1, 7], [4, 6]]); // A2 = A8, A5 = A7
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn describe(
    table: &CodedTable,
    levels: Levels,
    observer: &dyn Observer,
) -> Result<Description> {
    let (index, positions) = index(table)?;
    let classes = &table.class;
    let class_counts = classes.counts();
    let informations = (0..positions.len())
        .into_par_iter()
        .map(|i| Ok(SingleInformation::new(&index.count_single(i)?)))
        .collect::<Result<Vec<_>>>()?;
    let mut features: Vec<FeatureDescription> = table.features.par_iter().map(look_at).collect();
    for (i, (&position, information)) in positions.iter().zip(informations).enumerate() {
        let price = price_bits(information.n_rows, index.n_values(i), classes.n_values(), 1);
        let feature = &mut features[position];
        feature.redundant_level0 = Some(is_redundant(information.mutual, price));
        feature.information = Some(information);
    }
    let has_level1 = match levels {
        Levels::Auto => table.features.len() <= LEVEL_1_FEATURES,
        Levels::Zero => false,
        Levels::One => true,
    };
    if has_level1 {
        for (given, &position) in level1::find(&index, observer)?.into_iter().zip(&positions) {
            features[position].redundant_level1 = given.map(|given| Given {
                feature: positions[given.feature],
                ..given
            });
        }
    }
    let columns: Vec<&Column> = table.features.iter().map(|f| &*f.column).collect();
    Ok(Description {
        n_rows: table.n_rows(),
        class_entropy: crate::info::entropy(&class_counts),
        class_counts: classes
            .domain
            .labels()
            .iter()
            .cloned()
            .zip(class_counts)
            .collect(),
        features,
        has_level1,
        duplicate_features: duplicates::columns(&columns),
        duplicate_rows: duplicates::rows(&columns, &classes.codes),
    })
}

/// What every pair of features tells about each other, in the order (0,1), (0,2), ….
///
/// Numbers that were not binned have no pairs.
///
/// # Errors
/// The observer cancelled.
pub fn describe_pairs(table: &CodedTable, observer: &dyn Observer) -> Result<Vec<PairDescription>> {
    let (index, positions) = index(table)?;
    let n = positions.len();
    let pairs: Vec<(usize, usize)> = (0..n)
        .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
        .collect();
    index.map_pairs(&pairs, observer, |place, table| {
        let information = PairInformation::new(table);
        let (a, b) = pairs[place];
        PairDescription {
            pair: (positions[a], positions[b]),
            information_bits: information.mutual,
            information_given_class_bits: information.given_class,
        }
    })
}

/// The coded features ready to be counted, and their positions among all features.
fn index(table: &CodedTable) -> Result<(RowIndex<'_>, Vec<usize>)> {
    let (positions, columns): (Vec<usize>, Vec<CountColumn<'_>>) = table
        .features
        .iter()
        .enumerate()
        .filter_map(|(position, feature)| Some((position, CountColumn::from(feature.coded()?))))
        .unzip();
    if table.n_rows() == 0 {
        return Err(Error::data("there is no row to describe"));
    }
    Ok((RowIndex::new(&columns, (&table.class).into())?, positions))
}

/// All that needs no class.
fn look_at(feature: &Feature) -> FeatureDescription {
    let column = &feature.column;
    let (n_distinct, n_missing) = (column.n_distinct(), column.n_missing());
    // One value and gaps: a column that still tells a gap from a value is not constant.
    let tells_gaps = feature.coded().is_some_and(|coded| coded.n_values() > 1);
    let kind = match column.values() {
        _ if n_distinct == 0 => Kind::Empty,
        _ if n_distinct == 1 && (n_missing == 0 || !tells_gaps) => Kind::Constant,
        Values::Nominal(_) => Kind::Nominal,
        Values::Numeric(_) => Kind::Numeric,
    };
    FeatureDescription {
        column: Arc::clone(column),
        kind,
        n_distinct,
        n_missing,
        cut_points: feature.cuts.as_ref().map(|cuts| cuts.as_slice().to_vec()),
        information: None,
        redundant_level0: None,
        redundant_level1: None,
    }
}

impl FeatureDescription {
    /// Whether whole numbers were taken as labels without being told to.
    pub fn is_integers_as_labels(&self) -> bool {
        self.column.origin() == KindOrigin::FewIntegers
    }
}
