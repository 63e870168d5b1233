//! Cells in, a typed column out: what every reader feeds.
//!
//! A column starts as a dictionary and codes of one byte, which serves the columns of few
//! values that most tables consist of. Codes widen as labels arrive. A column of nothing
//! but numbers, too many to be nominal, gives up its dictionary when that grows large and
//! goes on as plain numbers; should text follow after all, the texts are gone, and the
//! column asks to be read again.

use super::coded::Coded;
use super::dictionary::MISSING_CODE;
use super::options::{ColumnKind, Missing};
use crate::data::{Column, KindOrigin, Values};

/// Most distinct texts that a column of numbers keeps.
const MAX_NUMBER_LABELS: usize = 4_096;

/// Most distinct texts that all columns of numbers keep together, if each keeps
/// [`MIN_NUMBER_LABELS`]; one takes about 60 bytes.
const NUMBER_LABELS_OF_TABLE: usize = 1_000_000;

/// Distinct texts that a column of numbers may keep in the widest table.
const MIN_NUMBER_LABELS: usize = 64;

/// What a column shall become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Whatever its cells suggest.
    Inferred,
    /// Nominal, each text a label, for this reason.
    Nominal(KindOrigin),
    /// Numeric, because someone said so.
    Numeric,
}

impl Wanted {
    /// What the user declared, else what the file suggests.
    pub(super) fn declared_or(declared: Option<ColumnKind>, otherwise: Wanted) -> Self {
        match declared {
            Some(ColumnKind::Nominal) => Wanted::Nominal(KindOrigin::Declared),
            Some(ColumnKind::Numeric) => Wanted::Numeric,
            None => otherwise,
        }
    }
}

/// Why a cell cannot be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Problem {
    /// Its bytes are not UTF-8.
    NotUtf8,
    /// It holds a NUL byte.
    Nul,
    /// It is text in a numeric column.
    NotANumber,
    /// It is an infinite number in a numeric column.
    Infinite,
    /// It is not among the labels that the file declares.
    NotListed,
}

/// How a column ends.
#[derive(Debug)]
pub(super) enum Finished {
    /// All well.
    Column(Column),
    /// Text came after the texts were given up: feed the cells again, to an encoder that
    /// wants a nominal column.
    ReadAgain,
    /// All cells are numbers, but one is infinite.
    Infinite { place: u64, text: String },
}

/// One column in the making.
#[derive(Debug)]
pub(super) struct Encoder<'a> {
    missing: &'a Missing,
    wanted: Wanted,
    cells: ColumnCells,
    /// A column of numbers with more labels than this may give them up.
    max_labels: usize,
    /// The first infinite number of a column that may still turn out to be text.
    infinite: Option<(u64, String)>,
}

#[derive(Debug)]
enum ColumnCells {
    Coded(Box<Coded>),
    Numbers(Vec<f64>),
    /// Not wanted, or to be read again.
    Skipped,
}

impl<'a> Encoder<'a> {
    pub(super) fn new(missing: &'a Missing, wanted: Wanted) -> Self {
        let cells = match wanted {
            Wanted::Numeric => ColumnCells::Numbers(Vec::new()),
            Wanted::Inferred => ColumnCells::Coded(Box::new(Coded::new(Some(Vec::new())))),
            Wanted::Nominal(_) => ColumnCells::Coded(Box::new(Coded::new(None))),
        };
        Encoder {
            missing,
            wanted,
            cells,
            max_labels: MAX_NUMBER_LABELS,
            infinite: None,
        }
    }

    /// The same, careful with memory where the table is wide.
    pub(super) fn in_table_of(mut self, n_columns: usize) -> Self {
        let share = NUMBER_LABELS_OF_TABLE / n_columns.max(1);
        self.max_labels = share.clamp(MIN_NUMBER_LABELS, MAX_NUMBER_LABELS);
        self
    }

    /// A nominal column whose labels the file lists; they come before "no value".
    pub(super) fn with_labels(missing: &'a Missing, labels: &[String]) -> Self {
        let mut coded = Coded::new(None);
        for label in labels {
            if coded.dictionary.find(label.as_bytes()).is_none() {
                coded.add(label);
            }
        }
        coded.is_closed = true;
        Encoder {
            cells: ColumnCells::Coded(Box::new(coded)),
            ..Encoder::new(missing, Wanted::Nominal(KindOrigin::Declared))
        }
    }

    /// An encoder that takes every cell and keeps none.
    pub(super) fn skipping(missing: &'a Missing) -> Self {
        Encoder {
            cells: ColumnCells::Skipped,
            ..Encoder::new(missing, Wanted::Inferred)
        }
    }

    /// Takes the next cell, blanks around it or not; `place` is where it stands, in the
    /// reader's own terms.
    // Once for every cell of a file: the call alone would cost a fifth of the reading.
    #[inline(always)]
    pub(super) fn push(&mut self, cell: &[u8], place: u64) -> Result<(), Problem> {
        match &mut self.cells {
            ColumnCells::Coded(coded) => {
                // A single letter that is known has no blanks around it.
                let mut code = coded.dictionary.find_letter(cell);
                if code.is_none() {
                    code = coded.dictionary.find(trim(cell));
                }
                if let Some(code) = code {
                    coded.push(code);
                    return Ok(());
                }
                self.push_new(trim(cell), place)
            }
            ColumnCells::Numbers(_) => self.push_text_as_number(trim(cell), place),
            ColumnCells::Skipped => Ok(()),
        }
    }

    /// Takes a missing cell.
    pub(super) fn push_missing(&mut self) {
        match &mut self.cells {
            ColumnCells::Coded(coded) => coded.push(MISSING_CODE),
            ColumnCells::Numbers(numbers) => numbers.push(f64::NAN),
            ColumnCells::Skipped => {}
        }
    }

    /// Takes a cell that comes as a number. `bits` tells it from every other number of
    /// the column; `text` is only asked where the column has not met it before.
    pub(super) fn push_number(
        &mut self,
        number: f64,
        bits: u64,
        place: u64,
        text: impl FnOnce() -> String,
    ) -> Result<(), Problem> {
        match &mut self.cells {
            ColumnCells::Coded(coded) => {
                if let Some(code) = coded.by_bits.find(bits) {
                    coded.push(code);
                    return Ok(());
                }
            }
            ColumnCells::Numbers(numbers) if number.is_finite() && !self.missing.has_numbers() => {
                numbers.push(number);
                return Ok(());
            }
            ColumnCells::Numbers(_) => {}
            ColumnCells::Skipped => return Ok(()),
        }
        let text = text();
        self.push(text.as_bytes(), place)?;
        if let ColumnCells::Coded(coded) = &mut self.cells
            && let Some(code) = coded.dictionary.find(text.as_bytes())
        {
            coded.by_bits.insert(bits, code);
        }
        Ok(())
    }

    #[cold]
    fn push_new(&mut self, cell: &[u8], place: u64) -> Result<(), Problem> {
        let ColumnCells::Coded(coded) = &mut self.cells else {
            return Ok(());
        };
        if self.missing.contains(cell) {
            coded.dictionary.add_missing(cell);
            coded.push(MISSING_CODE);
            return Ok(());
        }
        let text = checked_text(cell)?;
        if coded.is_closed {
            return Err(Problem::NotListed);
        }
        if let Some(numbers) = &mut coded.numbers {
            match text.parse::<f64>().ok().filter(|number| !number.is_nan()) {
                Some(number) => {
                    if number.is_infinite() && self.infinite.is_none() {
                        self.infinite = Some((place, text.to_owned()));
                    }
                    numbers.push(number);
                }
                None => coded.numbers = None,
            }
        }
        let code = coded.add(text);
        coded.push(code);
        if coded.dictionary.len() > self.max_labels {
            if let Some(numbers) = coded.as_many_numbers() {
                self.cells = ColumnCells::Numbers(numbers);
            } else {
                // Not to be asked at every label: few numbers may have many spellings.
                self.max_labels *= 2;
            }
        }
        Ok(())
    }

    fn push_text_as_number(&mut self, cell: &[u8], place: u64) -> Result<(), Problem> {
        let ColumnCells::Numbers(numbers) = &mut self.cells else {
            return Ok(());
        };
        if self.missing.has_numbers() && self.missing.contains(cell) {
            numbers.push(f64::NAN);
            return Ok(());
        }
        let parsed = std::str::from_utf8(cell)
            .ok()
            .and_then(|text| text.parse().ok());
        match parsed {
            Some(number) if f64::is_finite(number) => numbers.push(number),
            _ if self.missing.contains(cell) => numbers.push(f64::NAN),
            _ => {
                let text = checked_text(cell)?;
                let is_infinite = parsed.is_some_and(f64::is_infinite);
                match (self.wanted, is_infinite) {
                    (Wanted::Inferred, true) => {
                        self.infinite
                            .get_or_insert_with(|| (place, text.to_owned()));
                        numbers.push(f64::INFINITY);
                    }
                    (Wanted::Inferred, false) => self.cells = ColumnCells::Skipped,
                    (_, true) => return Err(Problem::Infinite),
                    (_, false) => return Err(Problem::NotANumber),
                }
            }
        }
        Ok(())
    }

    /// The column, with its labels in their order.
    pub(super) fn finish(self, name: &str) -> Finished {
        let column = match self.cells {
            ColumnCells::Skipped => return Finished::ReadAgain,
            ColumnCells::Numbers(mut numbers) => {
                numbers.shrink_to_fit();
                let origin = match self.wanted {
                    Wanted::Inferred => KindOrigin::Numbers,
                    _ => KindOrigin::Declared,
                };
                Column::new(name, Values::Numeric(numbers), origin)
            }
            ColumnCells::Coded(coded) if coded.is_text() => {
                let origin = match self.wanted {
                    Wanted::Nominal(origin) => origin,
                    _ => KindOrigin::Text,
                };
                // In text, an infinite number is a word like any other.
                return Finished::Column(coded.into_nominal(name, None, origin));
            }
            ColumnCells::Coded(coded) => coded.into_column_of_numbers(name),
        };
        match self.infinite {
            Some((place, text)) => Finished::Infinite { place, text },
            None => Finished::Column(column),
        }
    }
}

/// The cell as text, unless it holds what no text may hold.
pub(super) fn checked_text(cell: &[u8]) -> Result<&str, Problem> {
    if cell.contains(&0) {
        return Err(Problem::Nul);
    }
    std::str::from_utf8(cell).map_err(|_| Problem::NotUtf8)
}

/// The cell without the blanks and tabs around it.
#[inline]
pub(super) fn trim(cell: &[u8]) -> &[u8] {
    let mut cell = cell;
    while let [b' ' | b'\t', rest @ ..] = cell {
        cell = rest;
    }
    while let [rest @ .., b' ' | b'\t'] = cell {
        cell = rest;
    }
    cell
}

#[cfg(test)]
mod tests;
