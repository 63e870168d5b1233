//! Text cut into words: what the readers of BIF and NET share.
//!
//! A word in quotes may hold anything; `\"` and `\\` in it are a quote and a backslash. A
//! bare word goes on to a blank, a comment or a byte that means something where it stands.
//! Nothing here calls itself, so that no nesting is too deep.

use std::borrow::Cow;

use crate::data::parse_number;
use crate::{Error, Result, quoted};

/// How comments are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comments {
    /// `//` to the end of the line, and `/*` to `*/`.
    Slashes,
    /// `%` to the end of the line.
    Percent,
}

/// The bytes that end a bare word: some of ASCII, and blanks always.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stops(u128);

impl Stops {
    /// Blanks and these.
    pub(super) const fn new(bytes: &[u8]) -> Self {
        const BLANKS: u128 =
            1 << b' ' | 1 << b'\t' | 1 << b'\n' | 1 << b'\r' | 1 << 0x0B | 1 << 0x0C;
        let mut set = BLANKS;
        let mut i = 0;
        while i < bytes.len() {
            set |= 1 << bytes[i];
            i += 1;
        }
        Stops(set)
    }

    fn contains(self, byte: u8) -> bool {
        byte.is_ascii() && self.0 >> byte & 1 == 1
    }
}

/// Everything that is no part of a word in text that is only passed over.
const PUNCTUATION: Stops = Stops::new(b"{}()[],;|=");

/// A word as it stands in the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word<'a> {
    /// Its letters, without the quotes around them.
    pub(super) text: &'a str,
    /// Whether it stands in quotes.
    pub(super) is_quoted: bool,
    /// Where it begins.
    pub(super) at: usize,
}

impl<'a> Word<'a> {
    /// What the word means.
    pub(super) fn name(&self) -> Name<'a> {
        let text = if self.is_quoted && self.text.contains('\\') {
            Cow::Owned(unescaped(self.text))
        } else {
            Cow::Borrowed(self.text)
        };
        Name { text, at: self.at }
    }
}

/// The name of a node or a state, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) at: usize,
}

impl<'a> Name<'a> {
    /// The name that words between two commas make; `None` where there are more than one
    /// and quotes around some.
    pub(super) fn of(words: &[Word<'a>]) -> Option<Self> {
        if let [word] = words {
            return Some(word.name());
        }
        if words.iter().any(|word| word.is_quoted) {
            return None;
        }
        let at = words.first()?.at;
        let words: Vec<&str> = words.iter().map(|word| word.text).collect();
        let text = Cow::Owned(words.join(" "));
        Some(Name { text, at })
    }
}

/// A quote and a backslash behind a backslash; any other backslash is itself.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let escaped = letters.next_if(|&next| letter == '\\' && matches!(next, '"' | '\\'));
        out.push(escaped.unwrap_or(letter));
    }
    out
}

/// A name in quotes, as [`Word::name`] reads it back.
pub(super) fn in_quotes(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 2);
    out.push('"');
    for letter in name.chars() {
        if matches!(letter, '"' | '\\') {
            out.push('\\');
        }
        out.push(letter);
    }
    out.push('"');
    out
}

/// Words and commas: the items of a list. Kept to be filled again.
#[derive(Debug, Default)]
pub(super) struct List<'a> {
    words: Vec<Word<'a>>,
    /// Where the words of every item end.
    ends: Vec<usize>,
}

impl<'a> List<'a> {
    /// Number of items.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// All words, whatever commas stand between them.
    pub(super) fn words(&self) -> &[Word<'a>] {
        &self.words
    }

    /// The words of every item.
    pub(super) fn items(&self) -> impl Iterator<Item = &[Word<'a>]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let bounds = starts.zip(&self.ends);
        bounds.map(|(start, &end)| &self.words[start..end])
    }

    fn clear(&mut self) {
        self.words.clear();
        self.ends.clear();
    }
}

/// Reads a text from left to right.
#[derive(Debug, Clone)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    comments: Comments,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str, comments: Comments) -> Self {
        Scanner {
            text,
            at: 0,
            comments,
        }
    }

    /// The same text from another place on.
    pub(super) fn at_place(&self, at: usize) -> Self {
        Scanner { at, ..self.clone() }
    }

    /// Where the reading is.
    pub(super) fn place(&self) -> usize {
        self.at
    }

    /// The next byte that is neither blank nor comment, left where it is.
    pub(super) fn peek(&mut self) -> Result<Option<u8>> {
        loop {
            let rest = &self.text.as_bytes()[self.at..];
            let Some(&byte) = rest.first() else {
                return Ok(None);
            };
            match (self.comments, byte) {
                (_, b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C) => self.at += 1,
                (Comments::Slashes, b'/') if rest.starts_with(b"/*") => {
                    let end = self.text[self.at + 2..].find("*/");
                    let end = end.ok_or_else(|| {
                        self.error(self.at, "the comment that begins here has no end")
                    })?;
                    self.at += 2 + end + 2;
                }
                (Comments::Slashes, b'/') if rest.starts_with(b"//") => self.skip_line(),
                (Comments::Percent, b'%') => self.skip_line(),
                _ => return Ok(Some(byte)),
            }
        }
    }

    fn skip_line(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.find(['\n', '\r']).unwrap_or(rest.len());
    }

    /// Whether the next byte is this one; then it is taken.
    pub(super) fn take(&mut self, byte: u8) -> Result<bool> {
        let is_there = self.peek()? == Some(byte);
        self.at += usize::from(is_there);
        Ok(is_there)
    }

    /// Takes a byte that must come next.
    pub(super) fn expect(&mut self, byte: u8) -> Result<()> {
        if self.take(byte)? {
            return Ok(());
        }
        Err(self.unexpected(&format!("\"{}\"", char::from(byte))))
    }

    /// The next word; `None` at one of the stops and at the end.
    pub(super) fn word(&mut self, stops: Stops) -> Result<Option<Word<'a>>> {
        match self.peek()? {
            Some(b'"') => self.quoted_word().map(Some),
            Some(byte) if !stops.contains(byte) => Ok(Some(self.bare_word(stops))),
            _ => Ok(None),
        }
    }

    fn quoted_word(&mut self) -> Result<Word<'a>> {
        let at = self.at;
        let start = at + 1;
        let bytes = self.text.as_bytes();
        let mut end = start;
        loop {
            match bytes.get(end..).unwrap_or_default() {
                [] => return Err(self.error(at, "the quotes that open here are never closed")),
                [b'"', ..] => break,
                [b'\\', b'"' | b'\\', ..] => end += 2,
                _ => end += 1,
            }
        }
        self.at = end + 1;
        Ok(Word {
            text: &self.text[start..end],
            is_quoted: true,
            at,
        })
    }

    fn bare_word(&mut self, stops: Stops) -> Word<'a> {
        let at = self.at;
        let bytes = self.text.as_bytes();
        let mut depth = 0usize;
        while let Some(&byte) = bytes.get(self.at) {
            let is_comment = match self.comments {
                Comments::Slashes => {
                    byte == b'/' && matches!(bytes.get(self.at + 1), Some(b'/' | b'*'))
                }
                Comments::Percent => byte == b'%',
            };
            // A pair of parentheses inside a word belongs to it.
            let is_inside = byte == b')' && depth > 0;
            if is_comment || (stops.contains(byte) && !is_inside) {
                break;
            }
            depth += usize::from(byte == b'(');
            depth -= usize::from(is_inside);
            self.at += 1;
        }
        Word {
            text: &self.text[at..self.at],
            is_quoted: false,
            at,
        }
    }

    /// A word that must be there.
    pub(super) fn expect_word(&mut self, stops: Stops, what: &str) -> Result<Word<'a>> {
        match self.word(stops)? {
            Some(word) => Ok(word),
            None => Err(self.unexpected(what)),
        }
    }

    /// The next number, and where it stands; `None` at one of the stops and at the end.
    pub(super) fn number(&mut self, stops: Stops) -> Result<Option<(f64, usize)>> {
        let Some(word) = self.word(stops)? else {
            return Ok(None);
        };
        let number = Some(word.text).filter(|_| !word.is_quoted);
        let Some(number) = number.and_then(parse_number) else {
            let what = format!("{} is not a number", quoted(word.text));
            return Err(self.error(word.at, what));
        };
        Ok(Some((number, word.at)))
    }

    /// Reads the items of a list up to one of the closing bytes, and says which it was.
    pub(super) fn list(&mut self, close: &[u8], list: &mut List<'a>) -> Result<u8> {
        let mut stops = Stops::new(b",");
        stops.0 |= Stops::new(close).0;
        list.clear();
        loop {
            while let Some(word) = self.word(stops)? {
                list.words.push(word);
            }
            let is_empty = list.ends.last().copied().unwrap_or(0) == list.words.len();
            match self.peek()? {
                Some(b',') if !is_empty => list.ends.push(list.words.len()),
                Some(byte) if byte != b',' && (!is_empty || list.ends.is_empty()) => {
                    if !is_empty {
                        list.ends.push(list.words.len());
                    }
                    self.at += 1;
                    return Ok(byte);
                }
                _ => return Err(self.unexpected("a name")),
            }
            self.at += 1;
        }
    }

    /// Goes past the next of these bytes outside quotes and comments, and says which it
    /// was; `None` at the end.
    fn skip_past(&mut self, ends: &[u8]) -> Result<Option<u8>> {
        while let Some(byte) = self.peek()? {
            if ends.contains(&byte) {
                self.at += 1;
                return Ok(Some(byte));
            }
            if self.word(PUNCTUATION)?.is_none() {
                self.at += 1;
            }
        }
        Ok(None)
    }

    /// Passes over the rest of a statement, up to and with its semicolon.
    pub(super) fn skip_statement(&mut self) -> Result<()> {
        let at = self.at;
        match self.skip_past(b";}")? {
            Some(b';') => Ok(()),
            _ => Err(self.error(at, "there is no \";\" at the end of this")),
        }
    }

    /// Passes over a block in braces and what stands before it.
    pub(super) fn skip_block(&mut self) -> Result<()> {
        while !matches!(self.peek()?, Some(b'{' | b'}' | b';') | None) {
            if self.word(PUNCTUATION)?.is_none() {
                self.at += 1;
            }
        }
        self.expect(b'{')?;
        let at = self.at;
        let mut depth = 1;
        while depth > 0 {
            match self.skip_past(b"{}")? {
                Some(b'{') => depth += 1,
                Some(_) => depth -= 1,
                None => return Err(self.error(at, "the block that begins here is never closed")),
            }
        }
        Ok(())
    }

    /// Refuses a block that does not end where [`Scanner::skip_block`] saw its end.
    pub(super) fn expect_end(&self, end: usize) -> Result<()> {
        if self.at == end {
            return Ok(());
        }
        let error = self.error(self.at, "the braces up to here do not match");
        Err(error.with_hint("Put names that hold braces in quotes."))
    }

    /// The error for what stands here instead of something else.
    pub(super) fn unexpected(&self, expected: &str) -> Error {
        let mut rest = self.clone();
        let found = match rest.word(PUNCTUATION) {
            Ok(Some(word)) => quoted(word.text),
            _ => match rest.text[rest.at..].chars().next() {
                Some(letter) => quoted(letter.encode_utf8(&mut [0; 4])),
                None => {
                    return self
                        .error(
                            rest.at,
                            format!("the file ends where {expected} should stand"),
                        )
                        .with_hint("It was cut short.");
                }
            },
        };
        self.error(rest.at, format!("{found} stands where {expected} should"))
    }

    /// An error at a place.
    pub(super) fn error(&self, at: usize, message: impl Into<String>) -> Error {
        Error::data(message).at_line(line_at(self.text, at))
    }
}

/// The line of a place, from 1. A line ends at `\n`, at `\r`, or at both in this order.
pub(super) fn line_at(text: &str, at: usize) -> u64 {
    let before = &text.as_bytes()[..at.min(text.len())];
    let ends = before.iter().zip(before.iter().skip(1).chain([&b' ']));
    let is_end = |&(&byte, &next): &(&u8, &u8)| byte == b'\n' || (byte == b'\r' && next != b'\n');
    1 + ends.filter(is_end).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scanner(text: &str) -> Scanner<'_> {
        Scanner::new(text, Comments::Slashes)
    }

    fn names(text: &str) -> Vec<Option<String>> {
        let mut list = List::default();
        scanner(text).list(b"}", &mut list).unwrap();
        let name = |words: &[Word<'_>]| Name::of(words).map(|name| name.text.into_owned());
        list.items().map(name).collect()
    }

    #[test]
    fn items_go_on_to_a_comma_and_lose_only_blanks_and_comments() {
        let cases = [
            ("a, b }", vec!["a", "b"]),
            (
                "<7.5,>=7.5,-1/2%,x=y,(a),[0;1[}",
                vec!["<7.5", ">=7.5", "-1/2%", "x=y", "(a)", "[0;1["],
            ),
            (
                "no  problem // none\n, \" a,}b \" }",
                vec!["no problem", " a,}b "],
            ),
            (
                r#""say \"x\"", "C:\dir\\" /* , */ }"#,
                vec![r#"say "x""#, r"C:\dir\"],
            ),
            ("5\", è}", vec!["5\"", "è"]),
            ("}", vec![]),
        ];
        for (text, expected) in cases {
            let expected: Vec<_> = expected.into_iter().map(|n| Some(n.to_string())).collect();
            assert_eq!(names(text), expected, "{text}");
        }
        assert_eq!(names("\"a\" b, c}"), [None, Some("c".to_string())]);
    }

    #[test]
    fn quotes_read_back_as_they_were_written() {
        for name in ["", "a", "\"", "\\", "\\\"", "a\\\\\"\nb", " é "] {
            let text = in_quotes(name);
            let word = scanner(&text).word(Stops::new(b"")).unwrap().unwrap();
            assert_eq!(word.name().text, name);
        }
    }

    #[test]
    fn parentheses_inside_a_word_belong_to_it() {
        let mut list = List::default();
        scanner("f(x), (b))").list(b")", &mut list).unwrap();
        let texts: Vec<_> = list.words().iter().map(|word| word.text).collect();
        assert_eq!(texts, ["f(x)", "(b)"]);
    }

    #[test]
    fn gaps_in_a_list_are_errors() {
        for text in ["a,,b}", ",a}", "a,}", "a, b"] {
            let error = scanner(text).list(b"}", &mut List::default()).unwrap_err();
            assert!(
                error.to_string().contains("a name should"),
                "{text}: {error}"
            );
        }
    }

    #[test]
    fn blocks_are_passed_over_whatever_quotes_and_comments_hold() {
        let mut scanner = scanner("{ a { \"}\" } // }\n /* } */ 5\" } z");
        scanner.skip_block().unwrap();
        assert_eq!(scanner.word(PUNCTUATION).unwrap().unwrap().text, "z");
    }

    #[test]
    fn what_is_never_closed_is_an_error_where_it_begins() {
        let cases = [
            (
                "\n\"a\n",
                "line 2: the quotes that open here are never closed",
            ),
            (
                "\r\n\n/* a\n",
                "line 3: the comment that begins here has no end",
            ),
        ];
        for (text, message) in cases {
            let error = scanner(text).word(PUNCTUATION).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
        let error = scanner("\n{\n{ }\n").skip_block().unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 2: the block that begins here is never closed"
        );
    }

    #[test]
    fn a_line_ends_at_either_sign_or_both() {
        let text = "a\r\nb\rc\nd";
        let lines: Vec<u64> = (0..=text.len()).map(|at| line_at(text, at)).collect();
        assert_eq!(lines, [1, 1, 2, 2, 2, 3, 3, 4, 4]);
    }
}
