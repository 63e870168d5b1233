//! `--delimiter`: a mark between the cells of a line.

/// `--delimiter`: found by itself, or given.
#[derive(Clone, Copy, Debug)]
pub(super) struct Delimiter(pub(super) Option<u8>);

/// auto, tab, or a mark.
pub(super) fn delimiter(text: &str) -> std::result::Result<Delimiter, String> {
    match text {
        "auto" => Ok(Delimiter(None)),
        "tab" | "\\t" => Ok(Delimiter(Some(b'\t'))),
        text => match text.as_bytes() {
            [byte]
                if byte.is_ascii()
                    && !b"\"\n\r".contains(byte)
                    && !byte.is_ascii_alphanumeric() =>
            {
                Ok(Delimiter(Some(*byte)))
            }
            _ => Err("use auto, tab, or one character such as , ; or |".into()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delimiter_is_one_mark() {
        assert_eq!(delimiter("tab").unwrap().0, Some(b'\t'));
        assert_eq!(delimiter(";").unwrap().0, Some(b';'));
        for bad in ["", "ab", "x", "\"", "ü"] {
            assert!(delimiter(bad).is_err(), "{bad}");
        }
    }
}
