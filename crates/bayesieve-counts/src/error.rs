//! One error type: what is wrong, where, and the way out.
//!
//! A user error names the file, line, column or option and says what to do. An
//! internal error is a defect of this crate and says so. The kind decides the exit
//! code of the command; see [`ErrorKind::exit_code`].

use std::fmt;
use std::path::{Path, PathBuf};

use crate::parameter::Spelling;

/// The result of everything in this crate that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// Whose mistake it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An option with a bad value, or one that names something that does not exist.
    Usage,
    /// A file that is missing, unreadable, empty or broken, or data a method cannot use.
    Data,
    /// A result that cannot be written.
    Output,
    /// The run was stopped from outside before it had anything to show.
    Interrupted,
    /// A defect of this crate.
    Internal,
}

impl ErrorKind {
    /// The exit code of the command for an error of this kind.
    pub fn exit_code(self) -> u8 {
        match self {
            ErrorKind::Usage => 2,
            ErrorKind::Data => 3,
            ErrorKind::Output | ErrorKind::Internal => 1,
            ErrorKind::Interrupted => 130,
        }
    }
}

/// What went wrong, where it stands, and the way out.
///
/// # Example
/// ```
/// use bayesieve_counts::{Error, parameter};
///
/// let error = Error::data("812 distinct values are too many for a class")
///     .in_column("age")
///     .with_hint(format!("Bin it first, or declare it {}.", parameter("nominal").is("age")));
/// assert_eq!(
///     error.to_string(),
///     "column \"age\": 812 distinct values are too many for a class. \
///      Bin it first, or declare it nominal=age."
/// );
/// assert_eq!(error.kind().exit_code(), 3);
/// ```
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    message: String,
    file: Option<PathBuf>,
    line: Option<u64>,
    row: Option<u64>,
    row_of_part: Option<u64>,
    column: Option<String>,
    hint: Option<String>,
    source: Option<std::io::Error>,
}

impl Error {
    fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error(Box::new(Inner {
            kind,
            message: message.into(),
            file: None,
            line: None,
            row: None,
            row_of_part: None,
            column: None,
            hint: None,
            source: None,
        }))
    }

    /// A bad option, or one that names something that does not exist.
    pub fn usage(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Usage, message)
    }

    /// Data that cannot be read or used.
    pub fn data(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Data, message)
    }

    /// A file that cannot be opened or read.
    ///
    /// # Example
    /// ```
    /// use bayesieve_counts::Error;
    ///
    /// let absent = std::fs::read("absent.csv").map_err(Error::unreadable);
    /// let text = absent.map_err(|error| error.in_file("absent.csv").to_string());
    /// assert_eq!(text, Err("absent.csv: there is no such file".to_owned()));
    /// ```
    pub fn unreadable(source: std::io::Error) -> Self {
        match source.kind() {
            std::io::ErrorKind::NotFound => Error::data("there is no such file"),
            std::io::ErrorKind::IsADirectory => Error::data("this is a folder, not a file"),
            _ => Error::data("cannot be read").with_source(source),
        }
    }

    /// A result that cannot be written.
    pub fn output(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Output, message)
    }

    /// A run stopped from outside.
    pub fn interrupted() -> Self {
        Error::new(ErrorKind::Interrupted, "interrupted")
    }

    /// A defect of this crate: a state that its own code should have made impossible.
    pub fn internal(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Internal, message)
    }

    /// Names the file, unless a place nearer to the mistake has named one already.
    #[must_use]
    pub fn in_file(mut self, file: impl AsRef<Path>) -> Self {
        self.0.file.get_or_insert_with(|| file.as_ref().to_owned());
        self
    }

    /// Names the file of the data where the data are what is wrong.
    #[must_use]
    pub fn in_file_of_data(self, file: impl AsRef<Path>) -> Self {
        match self.kind() {
            ErrorKind::Data => self.in_file(file),
            _ => self,
        }
    }

    /// Names the line, counted from 1.
    #[must_use]
    pub fn at_line(mut self, line: u64) -> Self {
        self.0.line.get_or_insert(line);
        self
    }

    /// Names the row, counted from 1, of a file that has no lines.
    #[must_use]
    pub fn at_row(mut self, row: u64) -> Self {
        self.0.row.get_or_insert(row);
        self
    }

    /// Remembers the row, counted from 0, of a part of the rows. It is told once it is known
    /// how many rows come before the part.
    #[must_use]
    pub fn at_row_of_part(mut self, row: u64) -> Self {
        self.0.row_of_part.get_or_insert(row);
        self
    }

    /// The part was only these rows of a larger one.
    #[must_use]
    pub fn among_rows(mut self, rows: &[u32]) -> Self {
        let row = self.0.row_of_part;
        self.0.row_of_part = row.and_then(|row| rows.get(row as usize).copied().map(u64::from));
        self
    }

    /// Names the row, if it is known in its part, now that so many rows come before the part.
    #[must_use]
    pub fn behind_rows(self, n_rows_before: u64) -> Self {
        match self.0.row_of_part {
            Some(row) => self.at_row(n_rows_before + row + 1),
            None => self,
        }
    }

    /// Says what it is about, before the message.
    #[must_use]
    pub fn about(mut self, what: &str) -> Self {
        self.0.message = format!("{what}: {}", self.0.message);
        self
    }

    /// Names the column.
    #[must_use]
    pub fn in_column(mut self, column: impl Into<String>) -> Self {
        self.0.column.get_or_insert_with(|| column.into());
        self
    }

    /// Says the way out, as a sentence.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint.get_or_insert_with(|| hint.into());
        self
    }

    /// Says another way out than a place nearer to the mistake did.
    #[must_use]
    pub fn with_other_hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Keeps the operating system's error behind this one.
    #[must_use]
    pub fn with_source(mut self, source: std::io::Error) -> Self {
        self.0.source.get_or_insert(source);
        self
    }

    /// Whose mistake it is.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The line the error names, counted from 1.
    pub fn line(&self) -> Option<u64> {
        self.0.line
    }

    /// The column the error names.
    pub fn column(&self) -> Option<&str> {
        self.0.column.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spelled(Spelling::LIBRARY))
    }
}

impl Error {
    /// Writes the message as a surface spells parameters.
    pub fn spelled(&self, spelling: Spelling) -> String {
        let inner = &*self.0;
        let mut places = Vec::new();
        if let Some(file) = &inner.file {
            places.push(printable(&file.display().to_string(), 400));
        }
        if let Some(line) = inner.line {
            places.push(format!("line {line}"));
        }
        if let Some(row) = inner.row {
            places.push(format!("row {row}"));
        }
        if let Some(column) = &inner.column {
            places.push(format!("column {}", quoted(column)));
        }
        let mut text = places.join(", ");
        if !places.is_empty() {
            text += ": ";
        }
        if inner.kind == ErrorKind::Internal {
            text += "internal error, please report it: ";
        }
        text += &spelling.spell(&inner.message);
        if let Some(source) = &inner.source {
            text += &format!(": {source}");
        }
        if let Some(hint) = &inner.hint {
            text += &format!(". {}", spelling.spell(hint));
        }
        text
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|e| e as _)
    }
}

/// A name or label for a message: in quotes, on one line, cut to 60 characters.
///
/// # Example
/// ```
/// assert_eq!(bayesieve_counts::quoted("a\nb"), r#""a\nb""#);
/// assert_eq!(bayesieve_counts::quoted(&"x".repeat(1_000_000)).chars().count(), 63);
/// ```
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", printable(text, 60))
}

/// Characters that turn the order of the text around them.
fn is_reordering(ch: char) -> bool {
    matches!(ch, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text on one line: control characters escaped, cut to `limit` characters and a mark.
///
/// # Example
/// ```
/// assert_eq!(bayesieve_counts::printable("a\x1b[31m", 9), r"a\u{1b}[31m");
/// assert_eq!(bayesieve_counts::printable("abcdef", 3), "abc…");
/// ```
pub fn printable(text: &str, limit: usize) -> String {
    let mut out = String::new();
    for (i, ch) in text.chars().enumerate() {
        if i == limit {
            out.push('…');
            break;
        }
        if ch.is_control() || is_reordering(ch) {
            out.extend(ch.escape_default());
        } else {
            out.push(ch);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_every_place_once() {
        let error = Error::data("not a number")
            .in_column("age")
            .at_line(7)
            .in_file("a.csv")
            .at_line(9)
            .in_file("b.csv");
        assert_eq!(
            error.to_string(),
            "a.csv, line 7, column \"age\": not a number"
        );
    }

    #[test]
    fn a_row_of_a_part_is_told_once_its_place_is_known() {
        let error = || Error::data("no label").at_row_of_part(2);
        assert_eq!(error().to_string(), "no label");
        // Rows 0, 1, ..., 9 come before: it is the thirteenth.
        assert_eq!(error().behind_rows(10).to_string(), "row 13: no label");
        // Of the rows 4, 6 and 8 of a part it is row 8.
        let among = error().among_rows(&[4, 6, 8]).behind_rows(0);
        assert_eq!(among.to_string(), "row 9: no label");
        let unknown = Error::data("no label").behind_rows(10);
        assert_eq!(unknown.to_string(), "no label");
    }

    #[test]
    fn internal_errors_ask_for_a_report() {
        let text = Error::internal("tables of two shapes").to_string();
        assert!(text.starts_with("internal error, please report it"));
    }
}
