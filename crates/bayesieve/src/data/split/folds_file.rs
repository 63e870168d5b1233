//! A file of folds: one integer for each data row, one a line.

use crate::data::parse_number;
use crate::{Error, Result, quoted};

const ADVICE: &str = "Write one whole number for each data row, in the order of the data.";

/// The integers of a file that must have `n_rows` of them.
pub(super) fn parse(bytes: &[u8], n_rows: usize) -> Result<Vec<i64>> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let bytes = bytes.trim_ascii_end();
    if bytes.is_empty() {
        return Err(Error::data("the folds file is empty").with_hint(ADVICE));
    }
    let mut numbers = Vec::with_capacity(n_rows.min(bytes.len()));
    let mut line = 0;
    for text in bytes.split(|&byte| byte == b'\n') {
        line += 1;
        let Some(number) = number(text, line)? else {
            continue;
        };
        if numbers.len() == n_rows {
            return Err(
                Error::data(format!("one fold more than the {n_rows} rows of the data"))
                    .at_line(line)
                    .with_hint(ADVICE),
            );
        }
        numbers.push(number);
    }
    if numbers.len() < n_rows {
        return Err(Error::data(format!(
            "the folds end after {} of {n_rows} data rows",
            numbers.len()
        ))
        .at_line(line)
        .with_hint(ADVICE));
    }
    Ok(numbers)
}

/// The integer of a line, `None` for a header.
fn number(text: &[u8], line: u64) -> Result<Option<i64>> {
    let wrong = |what: String| Error::data(what).at_line(line).with_hint(ADVICE);
    let text = std::str::from_utf8(text)
        .map_err(|_| wrong("the line is not UTF-8 text".to_owned()))?
        .trim();
    match text.parse() {
        Ok(number) => Ok(Some(number)),
        Err(_) if line == 1 && parse_number(text).is_none() => Ok(None),
        Err(_) if text.is_empty() => Err(wrong("the line is empty".to_owned())),
        Err(_) => Err(wrong(format!("{} is not a whole number", quoted(text)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn headers_byte_order_marks_and_line_ends_are_understood() {
        for text in [
            "1\n-2\n3",
            "fold\n1\n-2\n3\n",
            "\u{feff}1\r\n-2\r\n3\r\n",
            "\u{feff}fold\n 1 \n\t-2\n+3\n\n\n",
            "\"fold\"\n1\n-2\n3\n",
        ] {
            assert_eq!(parse(text.as_bytes(), 3).unwrap(), [1, -2, 3], "{text:?}");
        }
    }

    #[test]
    fn mistakes_are_shown_with_their_line() {
        let cases: [(&[u8], Option<u64>, &str); 9] = [
            (b"", None, "empty"),
            (b"\n \n", None, "empty"),
            (b"fold", Some(1), "end after 0 of 3"),
            (b"1\n2\n", Some(2), "end after 2 of 3"),
            (b"fold\n1\n2\n3\n4\n", Some(5), "more than the 3 rows"),
            (b"1\n\n2\n3\n", Some(2), "the line is empty"),
            (b"1\ntwo\n3\n", Some(2), "\"two\" is not a whole number"),
            // A number, so no header; but no integer.
            (b"1.5\n2\n3\n4\n", Some(1), "\"1.5\" is not a whole number"),
            (b"1\n2\n\xff\n", Some(3), "not UTF-8"),
        ];
        for (bytes, line, text) in cases {
            let error = parse(bytes, 3).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Data);
            assert_eq!(error.line(), line, "{error}");
            assert!(error.to_string().contains(text), "{error}");
        }
    }

    #[test]
    fn an_integer_beyond_64_bits_is_refused() {
        let error = parse(b"1\n99999999999999999999\n", 2).unwrap_err();
        assert_eq!(error.line(), Some(2));
    }
}
