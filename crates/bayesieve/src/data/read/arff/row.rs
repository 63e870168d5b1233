//! One line of ARFF cut into cells.

use super::super::encode::trim;

/// Why a line cannot be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowProblem {
    /// A quote is never closed.
    OpenQuote,
    /// A brace is never closed.
    OpenBrace,
    /// Something stands between the end of a cell or row and what may follow it.
    TextAfterEnd,
    /// The row has a weight, in braces at its end.
    Weight,
    /// A sparse cell that does not start with the number of its column.
    NoIndex,
}

/// A cell of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell<'a> {
    /// Its bytes, without quotes and escapes.
    pub(super) bytes: &'a [u8],
    /// Whether it stood in quotes.
    pub(super) is_quoted: bool,
}

impl<'a> Cell<'a> {
    /// A cell as if it stood in quotes.
    pub(super) fn quoted(text: &'a str) -> Self {
        Cell {
            bytes: text.as_bytes(),
            is_quoted: true,
        }
    }
}

/// What ends a cell that is not quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// A comma.
    Comma,
    /// A blank or tab.
    Blank,
    /// A comma or a closing brace.
    Brace,
}

/// The cells of one line. Made once and filled for every row.
#[derive(Debug, Default)]
pub(super) struct Row {
    text: Vec<u8>,
    /// Where each cell ends in the text, and whether it was quoted.
    ends: Vec<(usize, bool)>,
    /// The columns of the cells of a sparse row, from 0.
    indices: Option<Vec<usize>>,
}

impl Row {
    /// Cuts a line of data. Cells stand between commas; where there is no comma at all and
    /// more than one column, between blanks.
    pub(super) fn split(&mut self, line: &[u8], n_columns: usize) -> Result<(), RowProblem> {
        let line = skip_blanks(line);
        if let Some(inner) = line.strip_prefix(b"{") {
            return self.cut_sparse(inner);
        }
        self.cut(line, Ends::Comma)?;
        if let [(_, false)] = self.ends[..]
            && n_columns > 1
        {
            self.cut(line, Ends::Blank)?;
        }
        Ok(())
    }

    /// Cuts one line of a list of labels; what follows the closing brace comes back, `None`
    /// where the list goes on.
    pub(super) fn split_list<'l>(
        &mut self,
        line: &'l [u8],
    ) -> Result<Option<&'l [u8]>, RowProblem> {
        let rest = self.cut(line, Ends::Brace)?;
        Ok(rest.strip_prefix(b"}"))
    }

    /// Takes one word, quoted or up to a blank or brace; the rest comes back.
    pub(super) fn split_word<'l>(&mut self, line: &'l [u8]) -> Result<&'l [u8], RowProblem> {
        self.clear();
        let end = line.iter().position(|&byte| byte == b'{');
        match (line.first(), end) {
            (Some(b'\'' | b'"'), _) | (_, None) => self.take_cell(line, Ends::Blank),
            (_, Some(end)) => {
                let rest = self.take_cell(&line[..end], Ends::Blank)?;
                Ok(&line[end - rest.len()..])
            }
        }
    }

    /// The column of each cell, where the last line was `{index value, ...}`.
    pub(super) fn indices(&self) -> Option<&[usize]> {
        self.indices.as_deref()
    }

    /// Number of cells.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The cells in their order.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        let mut start = 0;
        self.ends.iter().map(move |&(end, is_quoted)| {
            let bytes = &self.text[start..end];
            start = end;
            Cell { bytes, is_quoted }
        })
    }

    /// The cells as labels, without blanks around them. Bytes that are not UTF-8 must have
    /// been refused before.
    pub(super) fn labels(&self) -> impl Iterator<Item = String> {
        self.cells()
            .map(|cell| String::from_utf8_lossy(trim(cell.bytes)).into_owned())
    }

    fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.indices = None;
    }

    /// Cuts a line into cells; what ends the last cell comes back.
    fn cut<'l>(&mut self, line: &'l [u8], ends: Ends) -> Result<&'l [u8], RowProblem> {
        self.clear();
        let mut rest = skip_blanks(line);
        loop {
            if ends == Ends::Comma && !self.ends.is_empty() && rest.starts_with(b"{") {
                return Err(RowProblem::Weight);
            }
            rest = self.take_cell(rest, ends)?;
            match (ends, rest) {
                (_, [] | [b'%', ..]) | (Ends::Brace, [b'}', ..]) => return Ok(rest),
                (Ends::Comma | Ends::Brace, [b',', after @ ..]) => rest = skip_blanks(after),
                (Ends::Blank, _) => {}
                _ => return Err(RowProblem::TextAfterEnd),
            }
        }
    }

    fn cut_sparse(&mut self, inner: &[u8]) -> Result<(), RowProblem> {
        self.clear();
        let mut indices = Vec::new();
        let mut rest = skip_blanks(inner);
        while !rest.starts_with(b"}") {
            let n_digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let (digits, after) = rest.split_at(n_digits);
            let index = std::str::from_utf8(digits)
                .ok()
                .and_then(|d| d.parse().ok());
            match (index, after.first()) {
                (_, None) => return Err(RowProblem::OpenBrace),
                (Some(index), Some(b' ' | b'\t')) => indices.push(index),
                _ => return Err(RowProblem::NoIndex),
            }
            rest = self.take_cell(skip_blanks(after), Ends::Brace)?;
            match rest {
                [] | [b'%', ..] => return Err(RowProblem::OpenBrace),
                [b',', after @ ..] => rest = skip_blanks(after),
                [b'}', ..] => {}
                _ => return Err(RowProblem::TextAfterEnd),
            }
        }
        self.indices = Some(indices);
        match skip_blanks(&rest[1..]) {
            [] | [b'%', ..] => Ok(()),
            [b',', after @ ..] if skip_blanks(after).starts_with(b"{") => Err(RowProblem::Weight),
            _ => Err(RowProblem::TextAfterEnd),
        }
    }

    /// Takes one cell and the blanks behind it; the rest starts at what ended it.
    fn take_cell<'l>(&mut self, line: &'l [u8], ends: Ends) -> Result<&'l [u8], RowProblem> {
        let (rest, is_quoted) = match line {
            [quote @ (b'\'' | b'"'), rest @ ..] => (self.take_quoted(rest, *quote)?, true),
            _ => {
                let end = plain_end(line, ends);
                self.text.extend_from_slice(&line[..end]);
                (&line[end..], false)
            }
        };
        self.ends.push((self.text.len(), is_quoted));
        Ok(skip_blanks(rest))
    }

    /// Takes the text up to the closing quote; the rest starts behind it.
    fn take_quoted<'l>(&mut self, line: &'l [u8], quote: u8) -> Result<&'l [u8], RowProblem> {
        let mut rest = line;
        loop {
            match rest {
                [] => return Err(RowProblem::OpenQuote),
                [b'\\', after @ ..] => rest = self.take_escape(after),
                [byte, after @ ..] if *byte == quote => return Ok(after),
                [byte, after @ ..] => {
                    self.text.push(*byte);
                    rest = after;
                }
            }
        }
    }

    /// Takes what follows a backslash; a letter without a meaning of its own keeps it.
    fn take_escape<'l>(&mut self, line: &'l [u8]) -> &'l [u8] {
        let [letter, rest @ ..] = line else {
            self.text.push(b'\\');
            return line;
        };
        match letter {
            b'n' => self.text.push(b'\n'),
            b'r' => self.text.push(b'\r'),
            b't' => self.text.push(b'\t'),
            b'\\' | b'\'' | b'"' | b'%' => self.text.push(*letter),
            b'u' if let Some(ch) = unicode(rest) => {
                let mut utf8 = [0; 4];
                self.text
                    .extend_from_slice(ch.encode_utf8(&mut utf8).as_bytes());
                return &rest[4..];
            }
            _ => self.text.extend_from_slice(&[b'\\', *letter]),
        }
        rest
    }
}

/// Where a cell without quotes ends.
fn plain_end(line: &[u8], ends: Ends) -> usize {
    let mut is_after_blank = true;
    let end = line.iter().position(|&byte| {
        let is_end = match ends {
            Ends::Comma => byte == b',',
            Ends::Blank => is_blank(byte),
            Ends::Brace => byte == b',' || byte == b'}',
        };
        // A comment starts a line or follows a blank: "5%" is a value.
        let is_comment = byte == b'%' && is_after_blank;
        is_after_blank = is_blank(byte);
        is_end || is_comment
    });
    end.unwrap_or(line.len())
}

/// The character of the four hexadecimal digits at the start.
fn unicode(text: &[u8]) -> Option<char> {
    let digits = std::str::from_utf8(text.get(..4)?).ok()?;
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    char::from_u32(u32::from_str_radix(digits, 16).ok()?)
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// The text from its first byte that is no blank.
pub(super) fn skip_blanks(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|&byte| !is_blank(byte));
    &text[start.unwrap_or(text.len())..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &str, n_columns: usize) -> Result<Vec<String>, RowProblem> {
        let mut row = Row::default();
        row.split(line.as_bytes(), n_columns)?;
        let show = |cell: Cell<'_>| {
            let text = String::from_utf8_lossy(cell.bytes).trim().to_owned();
            if cell.is_quoted {
                format!("<{text}>")
            } else {
                text
            }
        };
        let cells: Vec<String> = row.cells().map(show).collect();
        Ok(match row.indices() {
            Some(indices) => indices
                .iter()
                .zip(cells)
                .map(|(i, cell)| format!("{i}:{cell}"))
                .collect(),
            None => cells,
        })
    }

    #[test]
    fn lines_fall_into_cells() {
        let cases: [(&str, &[&str]); 12] = [
            ("1,b,?", &["1", "b", "?"]),
            ("  1 ,\tb ,, c d ", &["1", "b", "", "c d"]),
            ("'a, b',\"c'd\",'e\"f'", &["<a, b>", "<c'd>", "<e\"f>"]),
            (
                r"'it\'s','\\','a\tb','\u00e9','\q'",
                &["<it's>", "<\\>", "<a\tb>", "<é>", "<\\q>"],
            ),
            ("'' , 'x' ", &["<>", "<x>"]),
            ("1,2 % note", &["1", "2"]),
            ("5%,6%", &["5%", "6%"]),
            ("1 2\t 3", &["1", "2", "3"]),
            ("{1 x, 3 'y z',4 5}", &["1:x", "3:<y z>", "4:5"]),
            ("{ } % none", &[]),
            ("5'-end,x", &["5'-end", "x"]),
            ("{0 x}", &["0:x"]),
        ];
        for (line, cells) in cases {
            assert_eq!(split(line, 3).unwrap(), cells, "{line}");
        }
    }

    #[test]
    fn a_line_of_one_column_keeps_its_blanks() {
        assert_eq!(split("New York", 1).unwrap(), ["New York"]);
        assert_eq!(split("New York", 2).unwrap(), ["New", "York"]);
    }

    #[test]
    fn lines_that_cannot_be_cut_say_why() {
        let cases = [
            ("'a,b", RowProblem::OpenQuote),
            ("'a\\", RowProblem::OpenQuote),
            ("'a'b,c", RowProblem::TextAfterEnd),
            ("1,2,{5}", RowProblem::Weight),
            ("{0 1}, {5}", RowProblem::Weight),
            ("{0 1} x", RowProblem::TextAfterEnd),
            ("{0 1", RowProblem::OpenBrace),
            ("{0", RowProblem::OpenBrace),
            ("{x 1}", RowProblem::NoIndex),
            ("{0, 1 2}", RowProblem::NoIndex),
            ("{99999999999999999999999 1}", RowProblem::NoIndex),
            ("{0 'a}", RowProblem::OpenQuote),
        ];
        for (line, problem) in cases {
            assert_eq!(split(line, 3), Err(problem), "{line}");
        }
    }
}
