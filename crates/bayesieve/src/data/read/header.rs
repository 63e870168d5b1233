//! Whether the first line of a CSV file holds names or data.

use std::collections::HashSet;

use csv::{ByteRecord, ReaderBuilder};

use super::encode::trim;
use super::options::Missing;
use crate::data::parse_number;
use crate::{Error, parameter};

/// Rows below the first that are looked at.
const MAX_ROWS_LOOKED_AT: usize = 100;

/// The start of a file, and how it falls into cells.
pub(super) struct FirstLines<'a> {
    pub(super) sample: &'a [u8],
    pub(super) is_whole: bool,
    pub(super) delimiter: u8,
    pub(super) missing: &'a Missing,
}

/// Names for columns that have none.
pub(super) fn numbered_names(n_columns: usize) -> Vec<String> {
    (1..=n_columns).map(|n| format!("column{n}")).collect()
}

/// The error for a first line that holds data.
pub(super) fn first_line_is_data() -> Error {
    Error::data("the first line looks like data, not like the names of columns").with_hint(format!(
        "If the file has no line of names, say so ({}); else give the columns names that are no \
         numbers.",
        parameter("no-header")
    ))
}

impl FirstLines<'_> {
    /// Whether the first line looks like the lines below it: numbers over every column of
    /// numbers, and words that occur below over every other one. Numbers that count up are names.
    pub(super) fn start_with_data(&self) -> bool {
        let mut records = self.records().into_iter();
        let (Some(first), rows) = (records.next(), records.collect::<Vec<_>>()) else {
            return false;
        };
        if rows.is_empty() {
            return false;
        }
        let mut numbers = Vec::new();
        for (place, cell) in first.iter().enumerate() {
            let below = rows.iter().filter_map(|row| row.get(place));
            let below: HashSet<&[u8]> = below
                .map(Vec::as_slice)
                .filter(|cell| !self.missing.contains(cell))
                .collect();
            let are_numbers = !below.is_empty() && below.iter().all(|cell| number(cell).is_some());
            match number(cell) {
                Some(number) if are_numbers => numbers.push(number),
                // A name over numbers, or a word of its own over words.
                None if are_numbers && !cell.is_empty() => return false,
                // Over nothing, a number says nothing.
                Some(_) if below.is_empty() => {}
                _ if !are_numbers && !cell.is_empty() && !below.contains(cell.as_slice()) => {
                    return false;
                }
                _ => {}
            }
        }
        let counts_up =
            numbers.len() > 1 && numbers.windows(2).all(|pair| pair[1] - pair[0] == 1.0);
        !numbers.is_empty() && !counts_up
    }

    /// The cells of the first lines.
    fn records(&self) -> Vec<Vec<Vec<u8>>> {
        let mut reader = ReaderBuilder::new()
            .delimiter(self.delimiter)
            .has_headers(false)
            .flexible(true)
            .from_reader(self.sample);
        let mut record = ByteRecord::new();
        let mut records = Vec::new();
        while records.len() <= MAX_ROWS_LOOKED_AT
            && reader.read_byte_record(&mut record).unwrap_or(false)
        {
            if record.iter().any(|cell| !trim(cell).is_empty()) {
                records.push(record.iter().map(|cell| trim(cell).to_vec()).collect());
            }
        }
        // The sample may end inside a record.
        if !self.is_whole && records.len() <= MAX_ROWS_LOOKED_AT {
            records.pop();
        }
        records
    }
}

fn number(cell: &[u8]) -> Option<f64> {
    parse_number(std::str::from_utf8(cell).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::ReadOptions;

    #[test]
    fn names_are_told_from_data() {
        let cases = [
            ("a,b\n1,2\n", false),
            ("5.1,3.5,setosa\n4.9,3.0,setosa\n6.3,2.9,virginica\n", true),
            ("5.1,3.5,kind\n4.9,3.0,setosa\n6.3,2.9,virginica\n", false),
            ("1,0\n0,1\n1,1\n", true),
            ("1,1,0\n0,1,0\n", true),
            // As pandas writes columns without names, and years.
            ("0,1,2\n5,6,7\n", false),
            ("2001,2002,2003\n5,6,7\n", false),
            ("0,1,class\n5,6,yes\n", false),
            ("yes,no\nyes,yes\n", false),
            (",5.5\n1,2\n", true),
            ("5.5,7\n", false),
            ("5.5,7\n?,2\nNA,3\n", true),
            ("", false),
        ];
        let missing = Missing::new(&ReadOptions::default().missing);
        for (text, expected) in cases {
            let lines = FirstLines {
                sample: text.as_bytes(),
                is_whole: true,
                delimiter: b',',
                missing: &missing,
            };
            assert_eq!(lines.start_with_data(), expected, "{text:?}");
        }
    }

    #[test]
    fn columns_without_names_are_numbered() {
        assert_eq!(numbered_names(2), ["column1", "column2"]);
    }
}
