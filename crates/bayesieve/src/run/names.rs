//! Names of columns in a list.

use crate::{Error, Result};

/// Splits names at commas. A name in double quotes may hold commas; two quotes inside
/// stand for one.
///
/// # Errors
/// A name that is empty, or a quote that is not closed.
///
/// # Example
/// ```
/// use bayesieve::run::split_names;
///
/// assert_eq!(split_names(r#"age, "city, zip""#)?, ["age", "city, zip"]);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn split_names(text: &str) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let mut rest = text.trim();
    loop {
        let (name, behind) = match rest.strip_prefix('"') {
            Some(quoted) => quoted_name(quoted).ok_or_else(|| {
                Error::usage("a double quote is not closed")
                    .with_hint("Write \"a,b\" for one name with a comma.")
            })?,
            None => {
                let end = rest.find(',').unwrap_or(rest.len());
                (rest[..end].trim().to_owned(), &rest[end..])
            }
        };
        if name.is_empty() {
            return Err(
                Error::usage("a name is empty").with_hint("Separate names by single commas.")
            );
        }
        names.push(name);
        match behind.trim_start().strip_prefix(',') {
            Some(next) => rest = next.trim_start(),
            None => return Ok(names),
        }
    }
}

/// A name up to its closing quote, and what stands behind it; only a comma may.
fn quoted_name(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut rest = text;
    loop {
        let (part, behind) = rest.split_once('"')?;
        name.push_str(part);
        match behind.strip_prefix('"') {
            Some(next) => {
                name.push('"');
                rest = next;
            }
            None => {
                let is_end = behind.trim_start().is_empty() || behind.trim_start().starts_with(',');
                return is_end.then_some((name, behind));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_split_at_commas_outside_quotes() {
        assert_eq!(split_names("a, b").unwrap(), ["a", "b"]);
        assert_eq!(split_names("\"a,b\",c").unwrap(), ["a,b", "c"]);
        assert_eq!(
            split_names("5\" pipe,\"q\"\"z\"").unwrap(),
            ["5\" pipe", "q\"z"]
        );
        assert!(split_names("a,,b").is_err());
        assert!(split_names("\"a").is_err());
    }
}
