//! Names the user typed: what was most likely meant.

use crate::{Error, quoted};

/// Names longer than this are compared whole, not letter by letter.
const MAX_COMPARED: usize = 100;

/// How many known names a message lists when none is near.
const MAX_LISTED: usize = 5;

/// The known name that is nearest to a mistyped one, if any is near enough to suggest.
///
/// Near means: at most one edit per three letters (at least one), where an edit adds,
/// drops or changes a letter or swaps two neighbors, and letter case is free. Of equally
/// near names the first wins.
///
/// # Example
/// ```
/// use bayesieve::data::nearest;
///
/// assert_eq!(nearest("clas", ["age", "class"]), Some("class"));
/// assert_eq!(nearest("AGE", ["age", "class"]), Some("age"));
/// assert_eq!(nearest("income", ["age", "class"]), None);
/// ```
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = folded(name);
    let limit = (typed.len() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in known {
        let letters = folded(candidate);
        // The edits are at least the difference in length.
        if letters.len().abs_diff(typed.len()) > limit {
            continue;
        }
        let distance = if typed.len().max(letters.len()) > MAX_COMPARED {
            if typed == letters { 0 } else { usize::MAX }
        } else {
            edit_distance(&typed, &letters)
        };
        // Another letter is another name, not a slip.
        let is_near = distance <= limit && distance < typed.len().max(letters.len()).max(1);
        if is_near && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// A usage error for a name that does not exist, with the nearest one, else the first few,
/// as the way out.
///
/// `what` says what the name should have been: `column`, `method`, `setting`.
///
/// # Example
/// ```
/// use bayesieve::data::unknown_name;
///
/// let error = unknown_name("column", "clas", ["age", "class"]);
/// assert_eq!(error.to_string(), "there is no column \"clas\". Did you mean \"class\"?");
/// ```
pub fn unknown_name<'a>(what: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Error {
    let known: Vec<&str> = known.into_iter().collect();
    let error = Error::usage(format!("there is no {what} {}", quoted(name)));
    if let Some(near) = nearest(name, known.iter().copied()) {
        return error.with_hint(format!("Did you mean {}?", quoted(near)));
    }
    if known.is_empty() {
        return error;
    }
    let mut listed: Vec<String> = known.iter().take(MAX_LISTED).map(|n| quoted(n)).collect();
    if known.len() > MAX_LISTED {
        listed.push(format!("and {} more", known.len() - MAX_LISTED));
    }
    error.with_hint(format!("There is: {}.", listed.join(", ")))
}

/// Words as a choice: "a, b or c".
pub(crate) fn any_of(words: &[&str]) -> String {
    match words {
        [first @ .., before, last] => {
            let first: String = first.iter().map(|word| format!("{word}, ")).collect();
            format!("{first}{before} or {last}")
        }
        _ => words.concat(),
    }
}

fn folded(name: &str) -> Vec<char> {
    name.chars().flat_map(char::to_lowercase).collect()
}

/// Least number of letters added, dropped, changed or swapped with their neighbor.
fn edit_distance(a: &[char], b: &[char]) -> usize {
    // Three rows of the table are enough: a swap looks back two.
    let mut before = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let changed = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = changed.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(a: &str, b: &str) -> usize {
        edit_distance(&folded(a), &folded(b))
    }

    #[test]
    fn every_kind_of_edit_counts_one() {
        assert_eq!(distance("age", "age"), 0);
        assert_eq!(distance("age", "aged"), 1);
        assert_eq!(distance("age", "ae"), 1);
        assert_eq!(distance("age", "ago"), 1);
        assert_eq!(distance("age", "gae"), 1);
        // kitten, sitten, sittin, sitting.
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
    }

    #[test]
    fn the_first_of_equally_near_names_is_suggested() {
        assert_eq!(nearest("x1", ["x2", "x3"]), Some("x2"));
        assert_eq!(nearest("x3", ["x2", "x3"]), Some("x3"));
    }

    #[test]
    fn huge_names_are_compared_whole() {
        let huge = "x".repeat(1_000_000);
        let other = "y".repeat(1_000_000);
        assert_eq!(nearest(&huge, [other.as_str()]), None);
        assert_eq!(nearest(&huge, [huge.as_str()]), Some(huge.as_str()));
    }

    #[test]
    fn without_a_near_name_the_first_few_are_listed() {
        let known = ["a", "b", "c", "d", "e", "f", "g"];
        let text = unknown_name("column", "income", known).to_string();
        assert_eq!(
            text,
            "there is no column \"income\". \
             There is: \"a\", \"b\", \"c\", \"d\", \"e\", and 2 more."
        );
    }
}
