//! Text and booleans: every distinct one is a label.

use arrow_array::cast::AsArray;
use arrow_array::{Array, BooleanArray};

use super::nominal::write_gaps;
use super::{Request, not_a_number};
use crate::data::read::coded::Coded;
use crate::data::read::dictionary::MISSING_CODE;
use crate::data::read::options::ColumnKind;
use crate::data::{Code, Codes, Column, Domain, KindOrigin, Nominal, Values};
use crate::error::Result;

/// The column of texts, which come chunk by chunk.
pub(super) fn column<'c, C: Iterator<Item = Option<&'c str>>>(
    request: &Request<'_>,
    chunks: impl Iterator<Item = C>,
) -> Result<Column> {
    if request.kind == Some(ColumnKind::Numeric) {
        return match chunks
            .flatten()
            .enumerate()
            .find_map(|(row, cell)| Some((row, cell?)))
        {
            Some((row, text)) => Err(not_a_number(text, row)),
            None => Ok(request.empty_column()),
        };
    }
    let mut coded = Coded::new(None).with_room(request.n_rows);
    for cells in chunks {
        // Not one iterator over all cells, which asks at each whether its chunk has ended.
        for cell in cells {
            let code = match cell {
                Some(text) => match coded.dictionary.find(text.as_bytes()) {
                    Some(code) => code,
                    None => coded.add(text),
                },
                None => MISSING_CODE,
            };
            coded.push(code);
        }
    }
    Ok(coded.into_nominal(request.name, None, request.origin_or(KindOrigin::Text)))
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
    let nominal = Nominal {
        codes: Codes::U8(codes),
        domain: Domain::ordered(labels.iter().map(bool::to_string).collect()),
    };
    let origin = request.origin_or(KindOrigin::Text);
    Ok(Column::new(request.name, Values::Nominal(nominal), origin))
}
