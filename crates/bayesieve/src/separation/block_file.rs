//! Blocks that the user gives: a list of lists of names as JSON, mostly in a file.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::options::BlockSource;
use crate::data::unknown_name;
use crate::wording::counted;
use crate::{Error, Result, quoted};

/// What a file looks like, for the way out of an error.
const FORM: &str = "Write a list of lists of names, such as [[\"a\", \"b\"], [\"c\"]].";

/// Refuses a file of blocks that is none, or that names what is no column.
///
/// # Errors
/// No such file, another form, a name that is not known or stands twice.
pub fn check_block_file(file: &Path, known: &[&str]) -> Result<()> {
    let (_, strangers) = read_file(file, known)?;
    match strangers.first() {
        None => Ok(()),
        Some(name) => {
            let unknown = unknown_name("column", name, known.iter().copied()).to_string();
            Err(Error::data(unknown).in_file(file))
        }
    }
}

/// Blocks as positions among some names, and names that are not among these, which are passed
/// over.
type Blocks = (Vec<Vec<usize>>, Vec<String>);

/// The blocks that the user gives among `names`; none where they are to be found. What is in no
/// block is a block by itself.
///
/// # Errors
/// No such file, another form, or one of the names twice.
pub(super) fn read_blocks(source: &BlockSource, names: &[&str]) -> Result<Option<Blocks>> {
    match source {
        BlockSource::Found => Ok(None),
        BlockSource::File(file) => read_file(file, names).map(Some),
        BlockSource::Given(text) => parse_blocks(text, names).map(Some),
    }
}

fn read_file(file: &Path, names: &[&str]) -> Result<Blocks> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Error::unreadable(error).in_file(file).with_hint(FORM))?;
    parse_blocks(&text, names).map_err(|error| error.in_file(file))
}

/// What to say of names in a file that are not among the features.
pub(super) fn passed_over(strangers: &[String], features: &[&str]) -> Option<String> {
    let known: HashSet<&str> = features.iter().copied().collect();
    let mut names = strangers
        .iter()
        .filter(|name| !known.contains(name.as_str()));
    let first = names.next()?;
    let others = match names.count() {
        0 => String::new(),
        n => format!(" and {}", counted(n as u64, "other")),
    };
    Some(format!(
        "the blocks name {}{others}, not among the features: passed over",
        quoted(first)
    ))
}

fn parse_blocks(text: &str, names: &[&str]) -> Result<Blocks> {
    // Some editors begin a file with a mark of its encoding.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let blocks: Vec<Vec<String>> = serde_json::from_str(text)
        .map_err(|error| Error::data(format!("these are no blocks: {error}")).with_hint(FORM))?;
    let places: HashMap<&str, usize> = names.iter().copied().zip(0..).collect();
    let mut block_of: Vec<Option<usize>> = vec![None; names.len()];
    let mut strangers = Vec::new();
    for (block, features) in blocks.iter().enumerate() {
        for name in features {
            let Some(&place) = places.get(name.as_str()) else {
                strangers.push(name.clone());
                continue;
            };
            if block_of[place].replace(block).is_some() {
                return Err(
                    Error::data(format!("{} stands in two places", quoted(name)))
                        .with_hint("A feature is in one block at most, once."),
                );
            }
        }
    }
    let mut given: Vec<Vec<usize>> = vec![Vec::new(); blocks.len()];
    let mut alone = Vec::new();
    for (place, block) in block_of.iter().enumerate() {
        match *block {
            Some(block) => given[block].push(place),
            None => alone.push(vec![place]),
        }
    }
    given.extend(alone);
    given.retain(|block| !block.is_empty());
    given.sort_unstable();
    Ok((given, strangers))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_positions_and_the_rest_stands_alone() {
        let names = ["a", "b", "c", "d"];
        let (blocks, strangers) = parse_blocks(r#"[["d", "b"], ["x"], []]"#, &names).unwrap();
        assert_eq!(blocks, [vec![0], vec![1, 3], vec![2]]);
        assert_eq!(strangers, ["x"]);
        assert_eq!(parse_blocks("[]", &names).unwrap().0.len(), 4);
    }

    #[test]
    fn a_wrong_file_says_what_is_wrong() {
        let error = |text: &str| {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("blocks.json");
            std::fs::write(&file, text).unwrap();
            let blocks = check_block_file(&file, &["abc", "b", "x"]);
            blocks.unwrap_err().to_string()
        };
        assert!(error("").contains("list of lists"));
        assert!(error(r#"{"a": 1}"#).contains("list of lists"));
        assert!(error(r#"[["abd"]]"#).contains("Did you mean \"abc\"?"));
        assert!(error(r#"[["b"], ["b"]]"#).contains("\"b\" stands in two places"));
        assert!(error(r#"[["b", "b"]]"#).contains("in two places"));
        let absent = read_file(Path::new("no/such.json"), &["b"]).unwrap_err();
        assert!(absent.to_string().contains("no such file"));
    }
}
