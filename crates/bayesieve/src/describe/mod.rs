//! What a table holds and what each column tells about the class.
//!
//! Redundancy is that of Drugan and Wiering, 2010, Definition 3: at level 0 a feature
//! tells less about the class than its table costs; at level 1 it does so once some other
//! feature is known.
//! Cost: one pass for single tables; for level 1 all pair tables, O(n^2 N / 64) words.

mod counted;
mod duplicates;
mod level1;

pub use counted::{describe_counted, describe_counted_pairs};
pub use level1::Given;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use rayon::prelude::*;

use crate::Observer;
use crate::data::{CodedTable, Column, Feature, KindOrigin, Nominal, Values};
use crate::info::{ColumnFacts, Informations, SingleInformation, is_redundant, price_bits};
use crate::wording::grouped;
use crate::{Error, Result, quoted};

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

impl FromStr for Levels {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "auto" => Ok(Levels::Auto),
            "0" => Ok(Levels::Zero),
            "1" => Ok(Levels::One),
            other => Err(
                Error::usage(format!("{} is no level of redundancy", quoted(other)))
                    .with_hint("Use auto, 0 or 1."),
            ),
        }
    }
}

impl fmt::Display for Levels {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Levels::Auto => "auto",
            Levels::Zero => "0",
            Levels::One => "1",
        })
    }
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
    /// Whether there are more of them: in rows that are not in memory so many numbers are not
    /// told apart.
    pub has_more_values: bool,
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
    /// Rows that equal an earlier row, class included; `None` where the rows are somewhere
    /// else.
    pub duplicate_rows: Option<u64>,
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
    let info = informations(table)?;
    let columns: Vec<&Column> = table.features.iter().map(|f| &*f.column).collect();
    let facts = columns.par_iter().map(|column| ColumnFacts {
        n_distinct: column.n_distinct(),
        has_more_values: false,
        n_missing: column.n_missing(),
    });
    let known = DescribedColumns {
        table,
        facts: &facts.collect::<Vec<_>>(),
        info: &info,
    };
    Ok(Description {
        duplicate_features: duplicates::columns(&columns),
        duplicate_rows: Some(duplicates::rows(&columns, &table.class.codes)),
        ..known.describe(levels, observer)?
    })
}

/// What a description is made of, wherever the rows are.
struct DescribedColumns<'a> {
    /// The columns, with or without their rows.
    table: &'a CodedTable,
    facts: &'a [ColumnFacts],
    /// Of the features that are coded, in order.
    info: &'a Informations<'a>,
}

impl DescribedColumns<'_> {
    /// Everything but what occurs twice.
    fn describe(&self, levels: Levels, observer: &dyn Observer) -> Result<Description> {
        let (table, info) = (self.table, self.info);
        let features = table.features.iter().zip(self.facts);
        let mut features: Vec<FeatureDescription> = features
            .map(|(feature, &facts)| look_at(feature, facts))
            .collect();
        let positions = positions(table);
        for (i, &position) in positions.iter().enumerate() {
            let information = *info.single(i);
            let price = price_bits(
                information.n_rows,
                info.n_values(i),
                table.class.n_values(),
                1,
            );
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
            for (given, &position) in level1::find(info, observer)?.into_iter().zip(&positions) {
                features[position].redundant_level1 = given.map(|given| Given {
                    feature: positions[given.feature],
                    ..given
                });
            }
        }
        let labels = table.class.domain.labels().iter().cloned();
        Ok(Description {
            n_rows: info.n_rows(),
            class_entropy: info.class_entropy(),
            class_counts: labels.zip(info.class_counts().iter().copied()).collect(),
            features,
            has_level1,
            duplicate_features: Vec::new(),
            duplicate_rows: None,
        })
    }
}

/// What every pair of features tells about each other, in the order (0,1), (0,2), ….
///
/// Numbers that were not binned have no pairs.
///
/// # Errors
/// The observer cancelled.
pub fn describe_pairs(table: &CodedTable, observer: &dyn Observer) -> Result<Vec<PairDescription>> {
    pairs_of(&informations(table)?, &positions(table), observer)
}

fn pairs_of(
    info: &Informations<'_>,
    positions: &[usize],
    observer: &dyn Observer,
) -> Result<Vec<PairDescription>> {
    let mut described = Vec::new();
    info.for_each_pair(
        &info.features(),
        observer,
        |pair| (pair.mutual, pair.given_class),
        |a, b, (information_bits, information_given_class_bits)| {
            described.push(PairDescription {
                pair: (positions[a], positions[b]),
                information_bits,
                information_given_class_bits,
            });
        },
    )?;
    Ok(described)
}

/// What the coded features tell.
fn informations(table: &CodedTable) -> Result<Informations<'_>> {
    if table.n_rows() == 0 {
        return Err(no_row());
    }
    let columns = table.features.iter().filter_map(Feature::coded);
    Informations::new(&columns.collect::<Vec<&Nominal>>(), &table.class)
}

fn no_row() -> Error {
    Error::data("there is no row to describe")
}

/// The positions of the coded features among all.
fn positions(table: &CodedTable) -> Vec<usize> {
    let features = table.features.iter().enumerate();
    let coded = features.filter(|(_, feature)| feature.coded().is_some());
    coded.map(|(position, _)| position).collect()
}

/// All that needs no class.
fn look_at(feature: &Feature, facts: ColumnFacts) -> FeatureDescription {
    let column = &feature.column;
    let ColumnFacts {
        n_distinct,
        has_more_values,
        n_missing,
    } = facts;
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
        has_more_values,
        n_missing,
        cut_points: feature.cuts.as_ref().map(|cuts| cuts.as_slice().to_vec()),
        information: None,
        redundant_level0: None,
        redundant_level1: None,
    }
}

impl FeatureDescription {
    /// How many distinct values there are, for people: `>16,384` where there are more than that.
    pub fn distinct_values(&self) -> String {
        let more = if self.has_more_values { ">" } else { "" };
        format!("{more}{}", grouped(self.n_distinct as u64))
    }

    /// Whether whole numbers were taken as labels without being told to.
    pub fn is_integers_as_labels(&self) -> bool {
        self.column.origin() == KindOrigin::FewIntegers
    }
}
