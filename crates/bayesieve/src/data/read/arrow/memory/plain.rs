//! Decimals, by way of their text.

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_cast::cast;
use arrow_schema::DataType;

use super::Request;
use crate::Result;
use crate::data::Column;
use crate::data::read::arrow::{finish_column, push_texts, unreadable};
use crate::data::read::encode::{Encoder, Wanted};
use crate::data::read::options::Missing;

/// Rows that are turned into text at a time.
const ROWS_AT_A_TIME: usize = 4_096;

/// The column of numbers that files hold as text.
pub(super) fn column(request: &Request<'_>) -> Result<Column> {
    let nothing = Missing::new(&[]);
    let wanted = Wanted::declared_or(request.kind, Wanted::Inferred);
    let mut encoder = Encoder::new(&nothing, wanted);
    let mut first = 0;
    for chunk in request.chunks {
        for start in (0..chunk.len()).step_by(ROWS_AT_A_TIME) {
            let rows = chunk.slice(start, ROWS_AT_A_TIME.min(chunk.len() - start));
            let texts = cast(&rows, &DataType::LargeUtf8)
                .map_err(|error| unreadable(rows.data_type(), Some(&error)))?;
            push_texts(&mut encoder, first, texts.as_string::<i64>().iter())?;
            first += rows.len() as u64;
        }
    }
    finish_column(encoder, request.name)
}
