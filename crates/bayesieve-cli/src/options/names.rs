//! Names of columns in a list.

use bayesieve::{Error, Result};

/// The names of an option that may be absent.
pub(crate) fn list(option: &str, text: Option<&str>) -> Result<Option<Vec<String>>> {
    text.map(|text| names(option, text)).transpose()
}

/// Splits names at commas. A name in double quotes may hold commas; two quotes inside
/// stand for one.
pub(crate) fn names(option: &str, text: &str) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let mut rest = text.trim();
    loop {
        let (name, behind) = match rest.strip_prefix('"') {
            Some(quoted) => quoted_name(quoted).ok_or_else(|| {
                Error::usage(format!("{option}: a double quote is not closed"))
                    .with_hint("Write \"a,b\" for one name with a comma.")
            })?,
            None => {
                let end = rest.find(',').unwrap_or(rest.len());
                (rest[..end].trim().to_owned(), &rest[end..])
            }
        };
        if name.is_empty() {
            return Err(Error::usage(format!("{option}: a name is empty"))
                .with_hint("Separate names by single commas."));
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
        assert_eq!(names("--x", "a, b").unwrap(), ["a", "b"]);
        assert_eq!(names("--x", "\"a,b\",c").unwrap(), ["a,b", "c"]);
        assert_eq!(
            names("--x", "5\" pipe,\"q\"\"z\"").unwrap(),
            ["5\" pipe", "q\"z"]
        );
        assert!(names("--x", "a,,b").is_err());
        assert!(names("--x", "\"a").is_err());
    }
}
