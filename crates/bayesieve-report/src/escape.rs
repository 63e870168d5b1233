//! Texts that cannot leave their place, in HTML and SVG alike.

use bayesieve::printable;

/// Longer texts are cut: no name fills a page.
const MAX_CHARACTERS: usize = 2_000;

/// The text with every mark escaped that HTML or XML would read as its own. What no document
/// can hold, or what turns the order of the text around, is spelled out.
pub(crate) fn escaped(text: &str) -> String {
    whole(&printable(text, MAX_CHARACTERS))
}

/// As [`escaped`], however long the text is: of a command every word counts.
pub(crate) fn escaped_whole(text: &str) -> String {
    whole(&printable(text, usize::MAX))
}

fn whole(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for ch in text.chars() {
        match ch {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            // Neither is a character of XML.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            ch => out.push(ch),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_the_language_become_entities() {
        assert_eq!(
            escaped("<a href='x'>\"&\""),
            "&lt;a href=&#39;x&#39;&gt;&quot;&amp;&quot;"
        );
    }

    #[test]
    fn what_a_document_cannot_hold_is_spelled_out() {
        assert_eq!(
            escaped("a\u{0}b\u{202e}c\u{ffff}"),
            "a\\u{0}b\\u{202e}c\u{fffd}"
        );
        assert_eq!(escaped(&"x".repeat(9_999)).chars().count(), 2_001);
    }
}
