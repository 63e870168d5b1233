//! Columns of typed cells, equal to those that the readers of whole files make.

use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;

use super::super::encode::{Encoder, Wanted};
use super::super::options::{ColumnKind, Missing};
use super::{Feed, column_from_arrow, finish_column, push_array};
use crate::Result;
use crate::data::{Code, Column, Domain, KindOrigin, Nominal, Values};

/// A column of a file that knows the types of its cells.
#[derive(Debug, Clone)]
pub(in super::super) struct TypedColumn<'a> {
    pub(super) name: &'a str,
    pub(super) feed: Feed,
    pub(super) kind: Option<ColumnKind>,
    pub(super) missing: &'a Missing,
}

impl TypedColumn<'_> {
    /// The column of some arrays; the first cell is that of a row of the file.
    ///
    /// # Errors
    /// Cells that the reader of the whole file refuses, too.
    pub(in super::super) fn read(&self, first_row: u64, chunks: &[ArrayRef]) -> Result<Column> {
        // What the quick way refuses, the other one refuses with the row of the file.
        let quick = self.read_quickly(chunks);
        quick.map_or_else(|| self.read_cell_by_cell(first_row, chunks), Ok)
    }

    fn read_quickly(&self, chunks: &[ArrayRef]) -> Option<Column> {
        let data_type = chunks.first()?.data_type();
        match self.feed {
            Feed::Integers | Feed::Unsigned | Feed::Floats => {
                let is_plain = !matches!(data_type, DataType::Dictionary(..));
                let is_quick = is_plain && !self.missing.has_numbers();
                is_quick.then(|| column_from_arrow(self.name, chunks, self.kind).ok())?
            }
            Feed::Text if self.kind != Some(ColumnKind::Numeric) && is_text(data_type) => {
                let column = column_from_arrow(self.name, chunks, self.kind).ok()?;
                self.cleaned(column)
            }
            Feed::Text | Feed::NumbersAsText => None,
        }
    }

    /// A column of text as files mean it: without blanks around labels, and with labels that
    /// mean "no value".
    fn cleaned(&self, column: Column) -> Option<Column> {
        let origin = match self.kind {
            Some(_) => KindOrigin::Declared,
            None => KindOrigin::Text,
        };
        let nominal = column.as_nominal()?;
        let labels = nominal.domain.labels();
        if labels.iter().any(|label| label.contains('\0')) {
            return None;
        }
        let clean = |label: &String| {
            let label = label.trim_matches([' ', '\t']);
            (!self.missing.contains(label.as_bytes())).then(|| label.to_owned())
        };
        let cleaned: Vec<Option<String>> = labels.iter().map(clean).collect();
        let is_clean =
            |(cleaned, label): (&Option<String>, &String)| cleaned.as_ref() == Some(label);
        if cleaned.iter().zip(labels).all(is_clean) {
            return Some(column.with_origin(origin));
        }
        let mut distinct: Vec<String> = cleaned.iter().flatten().cloned().collect();
        distinct.sort_unstable();
        distinct.dedup();
        let (domain, _) = Domain::sorted(distinct);
        // Cutting the code for "no value" gives that of every width.
        let code = |label: &Option<String>| {
            let code = label.as_deref().and_then(|label| domain.code(label));
            code.unwrap_or(u32::MISSING)
        };
        let map: Vec<u32> = cleaned.iter().map(code).collect();
        let codes = nominal.codes.recode(&map, domain.n_values(), None);
        let values = Values::Nominal(Nominal { codes, domain });
        Some(Column::new(self.name, values, origin))
    }

    fn read_cell_by_cell(&self, first_row: u64, chunks: &[ArrayRef]) -> Result<Column> {
        let mut encoder = self.encoder();
        let mut row = first_row;
        for chunk in chunks {
            self.push(&mut encoder, row, chunk)?;
            row += chunk.len() as u64;
        }
        self.finish(encoder)
    }

    /// An encoder for cells that come array by array.
    pub(in super::super) fn encoder(&self) -> Encoder<'_> {
        let wanted = Wanted::declared_or(self.kind, self.feed.wanted());
        Encoder::new(self.missing, wanted)
    }

    /// Feeds an array to the encoder.
    pub(in super::super) fn push(
        &self,
        encoder: &mut Encoder<'_>,
        first_row: u64,
        array: &ArrayRef,
    ) -> Result<()> {
        let pushed = push_array(encoder, self.feed, array, first_row);
        pushed.map_err(|error| error.in_column(self.name))
    }

    /// The column of all that was fed.
    pub(in super::super) fn finish(&self, encoder: Encoder<'_>) -> Result<Column> {
        finish_column(encoder, self.name)
    }
}

/// Whether cells are text, or point to some.
fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Boolean => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}
