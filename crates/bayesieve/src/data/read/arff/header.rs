//! The head of an ARFF file: which columns there are.

use std::collections::HashSet;

use super::super::encode::{checked_text, trim};
use super::super::fault::{cell_error, check_names, empty_file};
use super::super::lines::Lines;
use super::row::{Row, RowProblem, skip_blanks};
use super::row_error;
use crate::{Error, Result, quoted};

/// What a file says about a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// Numbers.
    Numeric,
    /// One of these labels.
    Nominal(Vec<String>),
    /// Any text.
    Text,
}

impl Kind {
    /// The value of a column that a sparse row leaves out, if it has one.
    pub(super) fn absent(&self) -> Option<&str> {
        match self {
            Kind::Numeric => Some("0"),
            Kind::Nominal(labels) => labels.first().map(String::as_str),
            Kind::Text => None,
        }
    }
}

/// The columns that a file declares.
#[derive(Debug, Default)]
pub(super) struct Header {
    pub(super) names: Vec<String>,
    pub(super) kinds: Vec<Kind>,
}

impl Header {
    /// Reads up to the line `@data`. Errors name the line, not the file.
    pub(super) fn read(lines: &mut Lines<'_>) -> Result<Self> {
        let mut header = Header::default();
        let mut seen = HashSet::new();
        let mut line = Vec::new();
        let mut is_empty = true;
        while lines.next(&mut line)? {
            let at = lines.number();
            let text = checked_line(&line).map_err(|error| error.at_line(at))?;
            if text.is_empty() || text.starts_with('%') {
                continue;
            }
            is_empty = false;
            let (word, rest) = first_word(text);
            match word.to_ascii_lowercase().as_str() {
                "@relation" => {}
                "@attribute" => {
                    let (name, kind) = column(rest, lines).map_err(|error| error.at_line(at))?;
                    let is_good = !name.is_empty() && seen.insert(name.clone());
                    header.names.push(name);
                    header.kinds.push(kind);
                    if !is_good {
                        check_names(&header.names).map_err(|error| error.at_line(at))?;
                    }
                }
                "@data" if header.names.is_empty() => {
                    return Err(Error::data("no column is declared before @data").at_line(at));
                }
                "@data" => return Ok(header),
                _ => return Err(unknown_declaration(word).at_line(at)),
            }
        }
        if is_empty {
            return Err(empty_file());
        }
        Err(Error::data("there is no line @data")
            .with_hint("The file was cut short, or it is not ARFF."))
    }
}

fn unknown_declaration(word: &str) -> Error {
    Error::data(format!(
        "{} is neither @relation, @attribute nor @data",
        quoted(word)
    ))
}

/// A line of the head as text, without blanks around it.
fn checked_line(line: &[u8]) -> Result<&str> {
    let line = trim(line);
    checked_text(line).map_err(|problem| cell_error(problem, line))
}

/// The text up to a blank, and from the next letter on.
fn first_word(text: &str) -> (&str, &str) {
    let end = text.find([' ', '\t']).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    (word, rest.trim_start_matches([' ', '\t']))
}

/// The name and the kind that a declaration gives.
fn column(declaration: &str, lines: &mut Lines<'_>) -> Result<(String, Kind)> {
    let mut row = Row::default();
    let rest = row.split_word(declaration.as_bytes()).map_err(row_error)?;
    let name = row.labels().next().unwrap_or_default();
    if let Some(list) = rest.strip_prefix(b"{") {
        let labels = labels(list, lines).map_err(|error| error.in_column(&*name))?;
        return Ok((name, Kind::Nominal(labels)));
    }
    let rest = String::from_utf8_lossy(rest);
    // Some writers give the range of the numbers: real [0, 1].
    let end = rest.find([' ', '\t', '[']).unwrap_or(rest.len());
    let kind = match rest[..end].to_ascii_lowercase().as_str() {
        "numeric" | "real" | "integer" => Kind::Numeric,
        "string" | "date" => Kind::Text,
        "relational" => {
            return Err(Error::data("a table inside a table cannot be read")
                .in_column(name)
                .with_hint("Write the inner columns as columns of their own."));
        }
        "" => return Err(Error::data("the declaration has no type").in_column(name)),
        other => {
            return Err(Error::data(format!("there is no type {}", quoted(other)))
                .in_column(name)
                .with_hint("The types are numeric, real, integer, string, date, {a, b}."));
        }
    };
    Ok((name, kind))
}

/// The labels of a list after its opening brace; it may go on over more lines.
fn labels(first: &[u8], lines: &mut Lines<'_>) -> Result<Vec<String>> {
    let mut row = Row::default();
    let mut labels = Vec::new();
    let mut line = first.to_vec();
    loop {
        checked_line(&line)?;
        let rest = row.split_list(&line).map_err(row_error)?;
        // An empty label stands in quotes; other gaps are commas at the end of a line.
        let given = row.cells().zip(row.labels());
        let given = given.filter(|(cell, label)| cell.is_quoted || !label.is_empty());
        labels.extend(given.map(|(cell, label)| (label, cell.is_quoted)));
        if let Some(rest) = rest {
            if !matches!(skip_blanks(rest), [] | [b'%', ..]) {
                return Err(row_error(RowProblem::TextAfterEnd));
            }
            break;
        }
        if !lines.next(&mut line)? {
            return Err(row_error(RowProblem::OpenBrace));
        }
    }
    // Without a comma, blanks stand between the labels.
    if let [(only, false)] = &labels[..] {
        return Ok(only
            .split([' ', '\t'])
            .filter(|l| !l.is_empty())
            .map(String::from)
            .collect());
    }
    Ok(labels.into_iter().map(|(label, _)| label).collect())
}
