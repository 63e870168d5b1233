//! Text and booleans: every distinct one is a label.

use arrow_array::cast::AsArray;
use arrow_array::{Array, BooleanArray, GenericStringArray, OffsetSizeTrait, StringViewArray};

use super::nominal::write_gaps;
use super::{Request, not_a_number};
use crate::Result;
use crate::data::read::coded::Coded;
use crate::data::read::dictionary::{MISSING_CODE, key_within};
use crate::data::read::options::ColumnKind;
use crate::data::{Code, Codes, Column, Domain, KindOrigin, Nominal, Values};

/// An array of texts.
pub(super) trait Texts: Array {
    /// The text of a row.
    fn text(&self, row: usize) -> &str;
    /// The key of a row in a [`Dictionary`](crate::data::read::dictionary::Dictionary),
    /// where it can be had without asking how long the text is: which way such a question
    /// goes cannot be foreseen, and costs more than the rest.
    fn key(&self, row: usize) -> Option<u64>;
}

impl<O: OffsetSizeTrait> Texts for GenericStringArray<O> {
    fn text(&self, row: usize) -> &str {
        self.value(row)
    }
    #[inline]
    fn key(&self, row: usize) -> Option<u64> {
        let [start, end] = *self.value_offsets()[row..].first_chunk::<2>()?;
        let (start, end) = (start.as_usize(), end.as_usize());
        let bytes = self.value_data().get(start..)?.first_chunk()?;
        key_within(*bytes, end.checked_sub(start)?)
    }
}

impl Texts for StringViewArray {
    fn text(&self, row: usize) -> &str {
        self.value(row)
    }
    #[inline]
    fn key(&self, row: usize) -> Option<u64> {
        // Four bytes of length, then the text itself where it is short.
        let view = self.views()[row];
        key_within(((view >> 32) as u64).to_le_bytes(), view as u32 as usize)
    }
}

/// The column of texts.
pub(super) fn column<A: Texts>(request: &Request<'_>, chunks: &[&A]) -> Result<Column> {
    let cells = chunks
        .iter()
        .flat_map(|chunk| (0..chunk.len()).map(|row| chunk.is_valid(row).then_some((*chunk, row))));
    if request.kind == Some(ColumnKind::Numeric) {
        return match cells.enumerate().find_map(|(row, cell)| Some((row, cell?))) {
            Some((row, (chunk, at))) => Err(not_a_number(chunk.text(at), row)),
            None => Ok(request.empty_column()),
        };
    }
    let mut coded = Coded::new(None).with_room(request.n_rows);
    for chunk in chunks {
        let nulls = chunk.nulls();
        for row in 0..chunk.len() {
            let code = if nulls.is_some_and(|nulls| nulls.is_null(row)) {
                MISSING_CODE
            } else {
                code_of(&mut coded, *chunk, row)
            };
            coded.push(code);
        }
    }
    Ok(coded.into_nominal(request.name, None, request.origin_or(KindOrigin::Text)))
}

#[inline]
fn code_of(coded: &mut Coded, texts: &impl Texts, row: usize) -> u32 {
    let known = match texts.key(row) {
        Some(key) => coded.dictionary.find_key(key),
        None => coded.dictionary.find(texts.text(row).as_bytes()),
    };
    known.unwrap_or_else(|| coded.add(texts.text(row)))
}

/// The column of booleans, with the labels `false` and `true` as far as they occur.
pub(super) fn booleans(request: &Request<'_>) -> Result<Column> {
    let chunks: Vec<&BooleanArray> = request.chunks.iter().map(|c| c.as_boolean()).collect();
    let mut cells = chunks.iter().flat_map(|chunk| chunk.iter());
    if request.kind == Some(ColumnKind::Numeric) {
        return match cells.enumerate().find_map(|(row, cell)| Some((row, cell?))) {
            Some((row, flag)) => Err(not_a_number(&flag.to_string(), row)),
            None => Ok(request.empty_column()),
        };
    }
    let first = cells.find_map(|cell| cell);
    let Some(first) = first else {
        return Ok(request.empty_column());
    };
    let has_both = cells.flatten().any(|flag| flag != first);
    let labels = if has_both {
        vec![false, true]
    } else {
        vec![first]
    };
    let mut codes: Vec<u8> = Vec::with_capacity(request.n_rows);
    for chunk in chunks {
        let start = codes.len();
        codes.extend(chunk.values().iter().map(|flag| u8::from(flag && has_both)));
        write_gaps(
            &mut codes[start..],
            chunk.nulls().map(|nulls| nulls.valid_slices()),
            u8::MISSING,
        );
    }
    let nominal = Nominal::new(
        Codes::U8(codes),
        Domain::ordered(labels.iter().map(bool::to_string).collect()),
    );
    let origin = request.origin_or(KindOrigin::Text);
    Ok(Column::new(request.name, Values::Nominal(nominal), origin))
}
