//! How cells become codes, settled before the rows are counted.
//!
//! Rows that are counted apart, on other days or other machines, can only be added up if
//! every part has the same columns with the same labels and the same cut points. [`Domains`]
//! are learned once, stored, and applied to every part.

mod block;
mod difference;
mod file;

use std::collections::HashMap;
use std::sync::Arc;

pub use file::DOMAINS_SCHEMA;

use super::{
    CodedTable, Codes, Column, ColumnKind, CutPoints, Discretizer, Domain, Feature, KindOrigin,
    MissingPolicy, Nominal, Values, parse_number,
};
use crate::fingerprint::Fingerprint;
use crate::{Error, Result, parameter, quoted};

/// What the cells of one column become.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnDomain {
    /// The column's name.
    pub name: String,
    /// Why it has its kind.
    pub origin: KindOrigin,
    /// The names of the codes, bins included.
    pub domain: Domain,
    /// Where numbers are cut; `None` where every label has a code.
    pub cuts: Option<CutPoints>,
    /// Different values of the rows it was learned on, missing ones not among them.
    pub n_distinct: u64,
    /// Whether there are more of them: so many numbers are not told apart.
    pub has_more_values: bool,
    /// Missing cells of the rows it was learned on.
    pub n_missing: u64,
}

/// How all cells of a table become codes.
///
/// # Example
/// ```
/// use bayesieve::data::{Domains, Generator, CodedTable, CodingOptions, RoleOptions, Roles};
///
/// let table = Generator::Example1.generate(320, 1)?;
/// let roles = Roles::resolve(&table, &RoleOptions::default())?;
/// let coded = CodedTable::new(&table, &roles, CodingOptions::default())?;
/// let domains = Domains::of(&coded, CodingOptions::default())?;
/// let again = Domains::from_json(&domains.to_json())?;
/// assert_eq!(again, domains);
/// // The same rows give the same codes.
/// let codes = domains.code(&[0, domains.class_node()], &table)?;
/// assert_eq!(codes[0], coded.features[0].coded().unwrap().codes);
/// assert_eq!(codes[1], coded.class.codes);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Domains {
    /// The class; its labels are all there are.
    pub class: ColumnDomain,
    /// The features, in file order.
    pub features: Vec<ColumnDomain>,
    /// What an empty cell of a feature means.
    pub missing: MissingPolicy,
    /// How numbers were cut.
    pub discretizer: Discretizer,
    /// Texts that mean "no value".
    pub empty_cells: Vec<String>,
    /// Columns that are left out, in file order.
    pub excluded: Vec<String>,
    /// Rows it was learned on.
    pub n_rows: u64,
    /// What there is to say about the columns, as sentences.
    pub notes: Vec<String>,
}

impl ColumnDomain {
    /// The class of a table.
    pub(super) fn of_class(name: &str, domain: Domain) -> Self {
        ColumnDomain {
            name: name.to_owned(),
            origin: KindOrigin::Derived,
            n_distinct: domain.labels().len() as u64,
            domain,
            cuts: None,
            has_more_values: false,
            n_missing: 0,
        }
    }

    /// Number of codes.
    pub fn n_values(&self) -> usize {
        self.domain.n_values()
    }

    /// The kind to declare when the column is read.
    pub fn kind(&self) -> ColumnKind {
        match self.cuts {
            None => ColumnKind::Nominal,
            Some(_) => ColumnKind::Numeric,
        }
    }

    /// The codes of a column of any rows.
    ///
    /// # Errors
    /// A label that is not known, a gap where there was none, or text among numbers.
    fn codes(&self, column: &Column, missing: MissingPolicy) -> Result<Codes> {
        let gap = self.domain.labels().len() as u32;
        let gap = self.domain.has_missing_value().then_some(gap);
        let codes = match &self.cuts {
            None => {
                let nominal = as_nominal(column);
                let map = self.map(&nominal)?;
                nominal.codes.recode(&map, self.n_values(), gap)
            }
            Some(cuts) => {
                let same: Vec<u32> = (0..cuts.n_bins() as u32).collect();
                let binned = cuts.apply(&as_numbers(column)?);
                binned.codes.recode(&same, self.n_values(), gap)
            }
        };
        if gap.is_none() && missing.has_value_for(codes.n_missing() as u64) {
            let error =
                Error::data("an empty cell, where the domains know of none").with_hint(format!(
                    "Learn the domains on rows that have some, or with {}.",
                    parameter("missing").is("drop")
                ));
            return Err(match codes.iter().position(|code| code.is_none()) {
                Some(row) => error.at_row_of_part(row as u64),
                None => error,
            });
        }
        Ok(codes)
    }

    /// The code of every label of a part's column.
    fn map(&self, nominal: &Nominal) -> Result<Vec<u32>> {
        let labels = self.domain.labels();
        let known: HashMap<&str, u32> = (0..).zip(labels).map(|(c, l)| (l.as_str(), c)).collect();
        let is_number = !matches!(self.origin, KindOrigin::Text | KindOrigin::Declared);
        let by_number = |label: &str| {
            let number = parse_number(label).filter(|_| is_number)?;
            let mut labels = (0..).zip(labels);
            let same = labels.find(|(_, known)| parse_number(known) == Some(number));
            same.map(|(code, _)| code)
        };
        let code = |label: &str| known.get(label).copied().or_else(|| by_number(label));
        of_labels(nominal, code).map_err(|unknown| {
            Error::data(format!(
                "{} is not among the labels of the domains",
                quoted(unknown.label)
            ))
            .at_row_of_part(unknown.row)
            .with_hint("Learn the domains on all rows, or on rows that have every label.")
        })
    }
}

/// A label that stands for nothing, and the first row of the part that has it.
struct Unknown<'a> {
    label: &'a str,
    row: u64,
}

/// What every label of a part's column stands for, and anything for those that no row of the
/// part has: a part may know the labels of all rows. The first label that some row has and
/// that stands for nothing is the error.
fn of_labels<T: Default>(
    nominal: &Nominal,
    of: impl Fn(&str) -> Option<T>,
) -> std::result::Result<Vec<T>, Unknown<'_>> {
    let labels = nominal.domain.labels();
    let found: Vec<Option<T>> = labels.iter().map(|label| of(label)).collect();
    if found.iter().any(Option::is_none) {
        let is_unknown = |code: u32| found.get(code as usize).is_some_and(Option::is_none);
        let cells = (0..).zip(nominal.codes.iter());
        let cells = cells.filter_map(|(row, code)| Some((code.filter(|&c| is_unknown(c))?, row)));
        if let Some((code, row)) = cells.min() {
            let label = &labels[code as usize];
            return Err(Unknown { label, row });
        }
    }
    Ok(found.into_iter().map(Option::unwrap_or_default).collect())
}

/// A column as labels: numbers are those of their text.
fn as_nominal(column: &Column) -> std::borrow::Cow<'_, Nominal> {
    match column.values() {
        Values::Nominal(nominal) => std::borrow::Cow::Borrowed(nominal),
        Values::Numeric(numbers) => std::borrow::Cow::Owned(super::roles::number_labels(numbers)),
    }
}

/// A column as numbers: labels are what they say.
fn as_numbers(column: &Column) -> Result<std::borrow::Cow<'_, [f64]>> {
    let nominal = match column.values() {
        Values::Numeric(numbers) => return Ok(std::borrow::Cow::Borrowed(numbers)),
        Values::Nominal(nominal) => nominal,
    };
    let numbers = of_labels(nominal, parse_number).map_err(|unknown| {
        Error::data(format!(
            "{} is no number, but the domains have bins",
            quoted(unknown.label)
        ))
        .at_row_of_part(unknown.row)
        .with_hint(format!(
            "Learn the domains on all rows, or declare the column {}.",
            parameter("nominal")
        ))
    })?;
    let cells = nominal.codes.iter();
    let cells = cells.map(|code| code.map_or(f64::NAN, |code| numbers[code as usize]));
    Ok(std::borrow::Cow::Owned(cells.collect()))
}

impl Domains {
    /// The domains of a table in memory.
    ///
    /// # Errors
    /// Numbers without bins.
    pub fn of(table: &CodedTable, options: super::CodingOptions) -> Result<Self> {
        let feature = |feature: &Feature| {
            let column = &feature.column;
            let coded = feature.coded().ok_or_else(|| no_bins(column.name()))?;
            Ok(ColumnDomain {
                name: column.name().to_owned(),
                origin: column.origin(),
                domain: coded.domain.clone(),
                cuts: feature.cuts.clone(),
                n_distinct: column.n_distinct() as u64,
                has_more_values: false,
                n_missing: column.n_missing() as u64,
            })
        };
        Ok(Domains {
            class: ColumnDomain::of_class(&table.class_name, table.class.domain.clone()),
            features: table.features.iter().map(feature).collect::<Result<_>>()?,
            missing: options.missing,
            discretizer: options.discretizer,
            empty_cells: super::ReadOptions::default().missing,
            excluded: Vec::new(),
            n_rows: table.n_rows() as u64,
            notes: table.notes.clone(),
        })
    }

    /// The node of the class, behind the features.
    pub fn class_node(&self) -> usize {
        self.features.len()
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.class.n_values()
    }

    /// Number of codes of every feature.
    pub fn n_values(&self) -> Vec<usize> {
        self.features.iter().map(ColumnDomain::n_values).collect()
    }

    /// The column of a node.
    ///
    /// # Errors
    /// There is no such node.
    pub fn column(&self, node: usize) -> Result<&ColumnDomain> {
        let class = std::iter::once(&self.class);
        let mut columns = self.features.iter().chain(class);
        columns
            .nth(node)
            .ok_or_else(|| Error::internal(format!("node {node} of {}", self.features.len() + 1)))
    }

    /// A number that tells these domains from others: equal for all that give the same codes.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = Fingerprint::new();
        hash.text(&self.missing.to_string());
        hash.whole(self.features.len() as u64);
        for column in self.features.iter().chain([&self.class]) {
            hash.text(&column.name);
            hash.whole(column.n_values() as u64);
            match &column.cuts {
                Some(cuts) => cuts.as_slice().iter().for_each(|&cut| hash.number(cut)),
                None => column
                    .domain
                    .labels()
                    .iter()
                    .for_each(|label| hash.text(label)),
            }
        }
        hash.value()
    }

    /// The columns without rows.
    pub fn outline(&self) -> CodedTable {
        let feature = |column: &ColumnDomain| {
            let coded = Nominal::new(Codes::new(column.n_values(), []), column.domain.clone());
            let (values, recoded) = match column.cuts {
                Some(_) => (Values::Numeric(Vec::new()), Some(coded)),
                None => (Values::Nominal(coded), None),
            };
            Feature {
                column: Arc::new(Column::new(column.name.as_str(), values, column.origin)),
                recoded,
                cuts: column.cuts.clone(),
            }
        };
        CodedTable {
            features: self.features.iter().map(feature).collect(),
            class_name: self.class.name.clone(),
            class: Nominal::new(Codes::new(self.n_classes(), []), self.class.domain.clone()),
            rows: None,
            notes: self.notes.clone(),
        }
    }
}

pub(super) fn no_bins(column: &str) -> Error {
    Error::usage("numbers are counted in bins only")
        .in_column(column)
        .with_hint(format!("Leave {} out.", parameter("discretize").is("none")))
}

#[cfg(test)]
mod tests;
