//! The rows of a table as CSV.
//!
//! Labels are few and cells are many: every label gets its quotes once, and a cell is then a
//! copy of some bytes. Blocks of rows are put together in parallel and written in order.

use std::io::{self, Write};
use std::ops::Range;

use rayon::prelude::*;

use crate::data::{Codes, Column, Table, Values, format_number};

/// Bytes of a block, roughly: a table whose labels are long must not fill the memory.
const BLOCK_BYTES: usize = 1 << 20;

/// Blocks that are put together before any is written.
const N_BLOCKS: usize = 16;

/// Bytes of a number, at most.
const NUMBER_BYTES: usize = 24;

/// Writes all rows, behind a header where they are the first; see
/// [`write_csv`](super::write_csv).
pub(super) fn write_block(mut writer: impl Write, table: &Table, is_first: bool) -> io::Result<()> {
    if is_first {
        let mut header = csv::Writer::from_writer(Vec::new());
        header.write_record(table.names())?;
        writer.write_all(&header.into_inner().map_err(|error| error.into_error())?)?;
    }
    let columns: Vec<CellTexts<'_>> = table
        .columns()
        .iter()
        .map(|column| CellTexts::new(column, table.columns().len() == 1))
        .collect::<io::Result<_>>()?;
    let row_bytes: usize = columns.iter().map(|column| column.longest() + 1).sum();
    let n_rows = (BLOCK_BYTES / row_bytes.max(1)).max(1);
    let starts: Vec<usize> = (0..table.n_rows()).step_by(n_rows).collect();
    for starts in starts.chunks(N_BLOCKS) {
        let blocks: Vec<Vec<u8>> = starts
            .par_iter()
            .map(|&start| block(&columns, start..table.n_rows().min(start + n_rows)))
            .collect();
        for block in blocks {
            writer.write_all(&block)?;
        }
    }
    writer.flush()
}

fn block(columns: &[CellTexts<'_>], rows: Range<usize>) -> Vec<u8> {
    let mut out = Vec::new();
    for row in rows {
        for column in columns {
            column.add(row, &mut out);
            out.push(b',');
        }
        // The comma behind the last cell; a table without columns has no rows.
        out.pop();
        out.push(b'\n');
    }
    out
}

/// A column with the texts of its cells.
enum CellTexts<'t> {
    Labels {
        codes: &'t Codes,
        /// By code, with quotes where they are needed; then that of a missing cell.
        texts: Vec<Vec<u8>>,
    },
    Numbers {
        numbers: &'t [f64],
        missing: Vec<u8>,
    },
}

impl<'t> CellTexts<'t> {
    fn new(column: &'t Column, is_alone: bool) -> io::Result<Self> {
        let missing = quoted("", is_alone)?;
        Ok(match column.values() {
            Values::Nominal(nominal) => {
                let labels = nominal.domain.labels().iter();
                let mut texts: Vec<Vec<u8>> = labels
                    .map(|label| quoted(label, is_alone))
                    .collect::<io::Result<_>>()?;
                texts.push(missing);
                CellTexts::Labels {
                    codes: &nominal.codes,
                    texts,
                }
            }
            Values::Numeric(numbers) => CellTexts::Numbers { numbers, missing },
        })
    }

    /// The longest text, in bytes.
    fn longest(&self) -> usize {
        match self {
            CellTexts::Labels { texts, .. } => texts.iter().map(Vec::len).max().unwrap_or_default(),
            CellTexts::Numbers { .. } => NUMBER_BYTES,
        }
    }

    fn add(&self, row: usize, out: &mut Vec<u8>) {
        match self {
            CellTexts::Labels { codes, texts } => {
                // A code without a label is that of a missing cell that counts as a value.
                let last = texts.len() - 1;
                let code = codes.get(row).map_or(last, |code| code as usize);
                out.extend_from_slice(&texts[code.min(last)]);
            }
            CellTexts::Numbers { numbers, missing } if numbers[row].is_nan() => {
                out.extend_from_slice(missing);
            }
            CellTexts::Numbers { numbers, .. } => {
                out.extend_from_slice(format_number(numbers[row]).as_bytes());
            }
        }
    }
}

/// A cell with quotes where they are needed; an empty cell that is alone in its row has them,
/// because an empty line is no row.
fn quoted(text: &str, is_alone: bool) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let (record, n_end) = if is_alone {
        (&[text][..], 1)
    } else {
        (&[text, ""][..], 2)
    };
    writer.write_record(record)?;
    let mut line = writer.into_inner().map_err(|error| error.into_error())?;
    line.truncate(line.len() - n_end);
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{KindOrigin, Nominal};

    /// Cell by cell, as the `csv` crate writes them.
    fn plainly(table: &Table) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(table.names()).unwrap();
        for row in 0..table.n_rows() {
            for column in table.columns() {
                let text = match column.values() {
                    Values::Nominal(nominal) => nominal
                        .codes
                        .get(row)
                        .and_then(|code| nominal.domain.label(code))
                        .unwrap_or_default()
                        .to_owned(),
                    Values::Numeric(numbers) if numbers[row].is_nan() => String::new(),
                    Values::Numeric(numbers) => format_number(numbers[row]),
                };
                writer.write_field(text).unwrap();
            }
            writer.write_record(None::<&[u8]>).unwrap();
        }
        writer.into_inner().unwrap()
    }

    fn written(columns: Vec<Column>) -> (Vec<u8>, Vec<u8>) {
        let table = Table::new(columns).unwrap();
        let mut out = Vec::new();
        write_block(&mut out, &table, true).unwrap();
        (out, plainly(&table))
    }

    #[test]
    fn blocks_are_those_of_a_writer_that_goes_cell_by_cell() {
        let odd = ["a", "", "x,y", "q\"q", "line\nend", "cr\r", " blank ", "#"];
        // Rows of more than one batch of blocks.
        let n = 3 * N_BLOCKS * BLOCK_BYTES / 100;
        let label = |row: usize| (row % 11 != 3).then(|| odd[row * 7 % odd.len()]);
        let labels = Nominal::from_labels((0..n).map(label));
        let long = "y".repeat(60);
        let wide =
            Nominal::from_labels((0..n).map(|row| Some(if row % 2 == 0 { &long } else { "z" })));
        let numbers = (0..n).map(|row| match row % 5 {
            0 => f64::NAN,
            1 => -0.0,
            2 => 1e300,
            _ => row as f64 / 7.0,
        });
        let counted = Values::Nominal(labels.clone().with_missing_value());
        let columns = vec![
            Column::new("plain", Values::Nominal(labels), KindOrigin::Text),
            Column::new("with, missing", counted, KindOrigin::Text),
            Column::new("wide", Values::Nominal(wide), KindOrigin::Text),
            Column::new(
                "numbers",
                Values::Numeric(numbers.collect()),
                KindOrigin::Numbers,
            ),
        ];
        let (out, expected) = written(columns);
        assert!(out.len() > N_BLOCKS * BLOCK_BYTES);
        assert!(out == expected);
    }

    #[test]
    fn an_empty_cell_alone_in_its_row_has_quotes() {
        let labels = Nominal::from_labels([Some("a"), None, Some("")]);
        for values in [
            Values::Nominal(labels),
            Values::Numeric(vec![1.0, f64::NAN]),
        ] {
            let (out, expected) = written(vec![Column::new("c", values, KindOrigin::Text)]);
            assert_eq!(out, expected);
            assert!(String::from_utf8(out).unwrap().contains("\n\"\"\n"));
        }
    }

    #[test]
    fn rows_with_labels_longer_than_a_block_go_one_by_one() {
        let long = "x".repeat(BLOCK_BYTES + 1);
        let labels = Nominal::from_labels([Some(long.as_str()), Some("b"), None]);
        let column =
            |name: &str| Column::new(name, Values::Nominal(labels.clone()), KindOrigin::Text);
        let (out, expected) = written(vec![column("a"), column("b")]);
        assert!(out == expected);
    }
}
