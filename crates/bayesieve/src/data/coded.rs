//! From a table to codes: rows without a class out, gaps settled, numbers binned.

use std::sync::Arc;

use super::identifiers::MIN_ROWS_OF_IDENTIFIER;
use super::missing::RowsInUse;
use super::roles::class_codes;
use super::{
    Column, CutPoints, Discretizer, KindOrigin, MissingPolicy, Nominal, Roles, Table, Training,
    Values, parse_number,
};
use crate::{Error, Observer, Result, Silent, check, parameter, quoted};

/// How a table becomes codes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CodingOptions {
    /// What an empty cell means.
    pub missing: MissingPolicy,
    /// How numbers become bins.
    pub discretizer: Discretizer,
}

/// A feature as codes.
#[derive(Debug, Clone)]
pub struct Feature {
    /// Its column as read, without the rows that were dropped.
    pub column: Arc<Column>,
    /// Its codes where they are others than those of the column.
    pub(crate) recoded: Option<Nominal>,
    /// Where its numbers were cut.
    pub cuts: Option<CutPoints>,
}

impl Feature {
    /// Its codes; `None` where numbers stay numbers ([`Discretizer::None`]).
    pub fn coded(&self) -> Option<&Nominal> {
        self.recoded.as_ref().or_else(|| self.column.as_nominal())
    }
}

/// Features and a class, ready to be counted.
#[derive(Debug, Clone)]
pub struct CodedTable {
    /// The candidates, in file order.
    pub features: Vec<Feature>,
    /// The class's name.
    pub class_name: String,
    /// The class of every row; none is missing.
    pub class: Nominal,
    /// The rows of the table that were used, rising; `None` for all of them.
    pub rows: Option<Vec<u32>>,
    /// What was dropped, as sentences.
    pub notes: Vec<String>,
}

impl CodingOptions {
    /// Refuses gaps that are left open where tables larger than pairs are counted.
    ///
    /// # Errors
    /// They are.
    pub fn refuse_available(self, command: &str) -> Result<()> {
        match self.missing {
            MissingPolicy::Available => Err(Error::usage(format!(
                "{missing} does not work with {command}",
                missing = parameter("missing").is("available")
            ))
            .with_hint("Use value, drop or refuse.")),
            _ => Ok(()),
        }
    }
}

impl CodedTable {
    /// The same rows with some of the features, in this order.
    pub(crate) fn with_features(&self, places: &[usize]) -> Self {
        CodedTable {
            features: places.iter().map(|&f| self.features[f].clone()).collect(),
            class_name: self.class_name.clone(),
            class: self.class.clone(),
            rows: self.rows.clone(),
            notes: self.notes.clone(),
        }
    }

    /// The rows of a table that are used, of the one that was coded.
    #[must_use]
    pub fn used_rows(&self, table: &Table) -> Table {
        match &self.rows {
            Some(rows) => table.take_rows(rows),
            None => table.clone(),
        }
    }

    /// Codes the table, learning cut points on all of its rows.
    ///
    /// # Errors
    /// A class that cannot be one, no row left, or a missing cell where they are refused.
    pub fn new(table: &Table, roles: &Roles, options: CodingOptions) -> Result<Self> {
        CodedTable::watched(table, roles, options, &Silent)
    }

    /// As [`CodedTable::new`], with someone who may stop it: bins of many numbers take seconds.
    ///
    /// # Errors
    /// As [`CodedTable::new`], and the observer cancelled.
    pub fn watched(
        table: &Table,
        roles: &Roles,
        options: CodingOptions,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let class_column = &table.columns()[roles.class];
        let class_name = class_column.name().to_owned();
        let class = class_codes(class_column)?;
        let columns: Vec<Arc<Column>> = roles
            .features
            .iter()
            .map(|&f| Arc::clone(&table.columns()[f]))
            .collect();

        let used = rows_to_use(class_column, &columns, options.missing)?;
        let mut notes = RowsInUse::notes(used.n_without_class, used.n_with_gaps, &class_name);
        let (class, columns) = match &used.rows {
            None => (class, columns),
            Some(rows) => {
                // As if the rows had never been in the file: labels that only they had go.
                let part = |c: &Arc<Column>| {
                    check(observer)?;
                    Ok(Arc::new(c.take(rows).with_labels_present()))
                };
                let class = class.take(rows).with_labels_present();
                let columns = columns.iter().map(part).collect::<Result<_>>()?;
                (class, columns)
            }
        };
        notes.extend(columns.iter().filter_map(|column| {
            let labels = column.as_nominal()?.domain.labels();
            nearly_numeric(column.name(), column.origin(), labels)
        }));
        notes.extend(columns.iter().filter_map(|column| {
            // Only text is asked how many values it has: that takes a pass.
            let text = Some(column).filter(|column| column.origin() == KindOrigin::Text)?;
            let (n_distinct, n_rows) = (text.n_distinct() as u64, text.len() as u64);
            identifier(text.name(), text.origin(), n_distinct, n_rows)
        }));
        let features = code_columns(columns, &class, options, observer)?;
        Ok(CodedTable {
            features,
            class_name,
            class,
            rows: used.rows,
            notes,
        })
    }

    /// Some of the features over some of the rows, coded anew: cut points are learned on
    /// these rows alone. Labels keep their codes, also those that no row has.
    ///
    /// # Errors
    /// Numbers that cannot be binned.
    pub(crate) fn part(
        &self,
        places: &[usize],
        rows: &[u32],
        options: CodingOptions,
    ) -> Result<CodedTable> {
        let class = self.class.take(rows);
        let columns = places.iter().map(|&place| &self.features[place].column);
        let columns = columns.map(|column| Arc::new(column.take(rows))).collect();
        Ok(CodedTable {
            features: code_columns(columns, &class, options, &Silent)?,
            class_name: self.class_name.clone(),
            class,
            rows: Some(rows.to_vec()),
            notes: Vec::new(),
        })
    }

    /// The same names, domains and cut points without any row.
    #[must_use]
    pub fn without_rows(&self) -> CodedTable {
        let feature = |feature: &Feature| Feature {
            column: Arc::new(feature.column.take(&[])),
            recoded: feature.recoded.as_ref().map(|coded| coded.take(&[])),
            cuts: feature.cuts.clone(),
        };
        CodedTable {
            features: self.features.iter().map(feature).collect(),
            class_name: self.class_name.clone(),
            class: self.class.take(&[]),
            rows: None,
            notes: self.notes.clone(),
        }
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.class.codes.len()
    }
}

/// What there is to say about a column: numbers but for a word or two are often a mark for a
/// missing cell.
pub(super) fn nearly_numeric(name: &str, origin: KindOrigin, labels: &[String]) -> Option<String> {
    let is_word = |label: &&String| parse_number(label).is_none();
    let words: Vec<&String> = labels.iter().filter(is_word).collect();
    let is_near = (1..=2).contains(&words.len()) && labels.len() >= 10;
    (origin == KindOrigin::Text && is_near).then(|| {
        let words: Vec<&str> = words.iter().map(|word| word.as_str()).collect();
        format!(
            "column {} holds numbers but for {}, so it is taken as labels; if that means \
             missing, name it as an empty cell",
            quoted(name),
            words
                .iter()
                .map(|word| quoted(word))
                .collect::<Vec<_>>()
                .join(" and "),
        )
    })
}

/// What there is to say about a column of so many different values: a text of its own in every
/// row tells nothing about other rows.
pub(super) fn identifier(
    name: &str,
    origin: KindOrigin,
    n_distinct: u64,
    n_rows: u64,
) -> Option<String> {
    let is_text = origin == KindOrigin::Text;
    let is_own = is_text && n_rows >= MIN_ROWS_OF_IDENTIFIER && n_distinct == n_rows;
    is_own.then(|| {
        format!(
            "column {} has a distinct value in every row; if it is an identifier, ignore it",
            quoted(name),
        )
    })
}

/// The error where no row is left.
pub(super) fn no_row_left() -> Error {
    Error::data("no row is complete").with_hint(format!(
        "Keep rows with missing cells ({missing}), or leave out columns that are \
         mostly empty ({ignore}).",
        missing = parameter("missing").is("value"),
        ignore = parameter("ignore")
    ))
}

/// The rows that count.
fn rows_to_use(
    class: &Column,
    features: &[Arc<Column>],
    missing: MissingPolicy,
) -> Result<RowsInUse> {
    let features: Vec<&Column> = features.iter().map(|column| &**column).collect();
    if let Some((column, row)) = missing.refused_cell(features.iter().copied()) {
        missing.refuse(column.name(), column.n_missing() as u64, Some(row))?;
    }
    let used = missing.used_rows(class, &features);
    if used.n_used == 0 {
        return Err(no_row_left());
    }
    Ok(used)
}

fn code_columns(
    columns: Vec<Arc<Column>>,
    class: &Nominal,
    options: CodingOptions,
    observer: &dyn Observer,
) -> Result<Vec<Feature>> {
    let training = Training {
        class: &class.codes,
        n_classes: class.n_values(),
        rows: None,
    };
    let numeric: Vec<&Column> = columns
        .iter()
        .map(|c| &**c)
        .filter(|c| c.as_numeric().is_some())
        .collect();
    let mut cuts = match options.discretizer {
        Discretizer::None => Vec::new(),
        discretizer => discretizer.fit_columns(&numeric, &training, observer)?,
    }
    .into_iter();
    let with_gaps = |nominal: &Nominal| {
        let n_missing = nominal.codes.n_missing() as u64;
        let has_value = options.missing.has_value_for(n_missing);
        has_value.then(|| nominal.with_missing_value())
    };
    let code = |column: Arc<Column>| {
        check(observer)?;
        let (recoded, cuts) = match column.values() {
            Values::Nominal(nominal) => (with_gaps(nominal), None),
            Values::Numeric(numbers) => {
                let cuts = cuts.next();
                let binned = cuts.as_ref().map(|cuts| cuts.apply(numbers));
                let recoded = binned.map(|binned| with_gaps(&binned).unwrap_or(binned));
                (recoded, cuts)
            }
        };
        Ok(Feature {
            column,
            recoded,
            cuts,
        })
    };
    columns.into_iter().map(code).collect()
}
