//! What the user may say about a file before it is read.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::super::names::unknown_name;
use super::super::roles::{class_position, weight_position};
use crate::data::parse_number;
use crate::{Error, Result, quoted};

/// Columns picked by the user.
///
/// # Example
/// ```
/// use bayesieve::data::ColumnChoice;
///
/// let choice = ColumnChoice::Names(vec!["age".into()]);
/// assert_ne!(choice, ColumnChoice::All);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColumnChoice {
    /// No column.
    #[default]
    None,
    /// Every column that the opposite choice does not name.
    All,
    /// These columns.
    Names(Vec<String>),
}

/// How to read a table.
///
/// | field | default | meaning |
/// |---|---|---|
/// | `delimiter` | `None` | the byte between cells of a CSV file; `None` finds it |
/// | `has_header` | yes | whether the first line of a CSV file holds the names of the columns |
/// | `missing` | `""`, `"?"`, `"NA"`, `"NaN"`, `"null"` | cells that mean "no value" |
/// | `nominal` | none | columns that are nominal whatever they hold |
/// | `numeric` | none | columns that are numeric and must hold numbers |
/// | `class` | `None` | the class, which `numeric: All` leaves alone; `None` is one named `class`, else the last |
/// | `weight` | `None` | how often every row counts: numbers, and never the class |
///
/// A cell is compared with `missing` after blanks and tabs around it are gone; where
/// `"NaN"` is listed, any letter case of it is missing. Columns under neither choice get
/// the kind their cells suggest: text is nominal; whole numbers with at most 20 distinct
/// values are nominal; other numbers are numeric.
///
/// # Example
/// ```
/// use bayesieve::data::{ColumnChoice, ReadOptions};
///
/// let options = ReadOptions {
///     nominal: ColumnChoice::Names(vec!["zip".into()]),
///     ..ReadOptions::default()
/// };
/// assert_eq!(options.missing, ["", "?", "NA", "NaN", "null"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadOptions {
    /// The byte between cells of a CSV file; `None` finds it among comma, semicolon, tab
    /// and bar.
    pub delimiter: Option<u8>,
    /// Whether the first line of a CSV file holds the names of the columns.
    pub has_header: bool,
    /// Cells that mean "no value".
    pub missing: Vec<String>,
    /// Columns that are nominal whatever they hold.
    pub nominal: ColumnChoice,
    /// Columns that are numeric and must hold numbers.
    pub numeric: ColumnChoice,
    /// The class column, found as by [`Roles::resolve`](crate::data::Roles::resolve). Where
    /// all columns are numeric, that means the features: the class keeps the kind its cells
    /// suggest.
    pub class: Option<String>,
    /// The column that says how often every row counts. It is read as numbers, and rows that
    /// come in blocks come as often as it says, without it.
    pub weight: Option<String>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            delimiter: None,
            has_header: true,
            missing: ["", "?", "NA", "NaN", "null"].map(String::from).to_vec(),
            nominal: ColumnChoice::None,
            numeric: ColumnChoice::None,
            class: None,
            weight: None,
        }
    }
}

/// Which kind a column shall have, whatever its cells suggest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Every distinct value is a label.
    Nominal,
    /// Every value is a number.
    Numeric,
}

impl ReadOptions {
    /// The kind the user gave to each of the columns, `None` where they gave none.
    pub(super) fn declared_kinds(&self, names: &[String]) -> Result<Vec<Option<ColumnKind>>> {
        use ColumnChoice::{All, Names};
        let everywhere = match (&self.nominal, &self.numeric) {
            (All, All) => {
                return Err(
                    Error::usage("all columns are declared both nominal and numeric")
                        .with_hint("Name the columns of one of the two."),
                );
            }
            (All, _) => Some(ColumnKind::Nominal),
            (_, All) => Some(ColumnKind::Numeric),
            _ => None,
        };
        let weight = self.weight_position(names)?;
        let mut kinds = vec![everywhere; names.len()];
        if everywhere == Some(ColumnKind::Numeric) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            if let Some((class, _)) = class_position(&names, self.class.as_deref(), weight) {
                kinds[class] = None;
            }
        }
        let positions: HashMap<&str, usize> = names
            .iter()
            .enumerate()
            .map(|(i, n)| (n.as_str(), i))
            .collect();
        let mut named = vec![None; names.len()];
        let choices = [
            (&self.nominal, ColumnKind::Nominal),
            (&self.numeric, ColumnKind::Numeric),
        ];
        for (choice, kind) in choices {
            let Names(chosen) = choice else { continue };
            for name in chosen {
                let &position = positions.get(name.as_str()).ok_or_else(|| {
                    unknown_name("column", name, names.iter().map(String::as_str))
                })?;
                if named[position].is_some_and(|earlier| earlier != kind) {
                    return Err(Error::usage(format!(
                        "column {} is declared both nominal and numeric",
                        quoted(name)
                    ))
                    .with_hint("Leave it in one of the two lists."));
                }
                named[position] = Some(kind);
                kinds[position] = Some(kind);
            }
        }
        if let Some(weight) = weight {
            kinds[weight] = Some(ColumnKind::Numeric);
        }
        Ok(kinds)
    }

    /// Where the weights are.
    pub(super) fn weight_position(&self, names: &[String]) -> Result<Option<usize>> {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        weight_position(&names, self.weight.as_deref())
    }
}

/// The texts that mean "no value", ready to be asked often.
#[derive(Debug)]
pub(super) struct Missing {
    tokens: Vec<Vec<u8>>,
    has_nan: bool,
    has_numbers: bool,
}

impl Missing {
    pub(super) fn new(tokens: &[String]) -> Self {
        let tokens: Vec<&str> = tokens.iter().map(|t| t.trim_matches([' ', '\t'])).collect();
        Missing {
            has_nan: tokens.contains(&"NaN"),
            has_numbers: tokens.iter().any(|token| parse_number(token).is_some()),
            tokens: tokens
                .iter()
                .map(|token| token.as_bytes().to_vec())
                .collect(),
        }
    }

    /// Whether a cell without blanks around it means "no value".
    pub(super) fn contains(&self, cell: &[u8]) -> bool {
        self.tokens.iter().any(|token| token == cell)
            || (self.has_nan && cell.eq_ignore_ascii_case(b"nan"))
    }

    /// Whether some token is itself a number, so that a cell that parses may be missing.
    pub(super) fn has_numbers(&self) -> bool {
        self.has_numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> ColumnChoice {
        ColumnChoice::Names(names.iter().map(ToString::to_string).collect())
    }

    fn kinds(
        nominal: ColumnChoice,
        numeric: ColumnChoice,
    ) -> std::result::Result<Vec<Option<ColumnKind>>, String> {
        let options = ReadOptions {
            nominal,
            numeric,
            ..ReadOptions::default()
        };
        options
            .declared_kinds(&["age".into(), "zip".into(), "class".into()])
            .map_err(|error| {
                assert_eq!(error.kind(), crate::ErrorKind::Usage);
                error.to_string()
            })
    }

    #[test]
    fn names_overrule_all() {
        assert_eq!(
            kinds(names(&["class"]), ColumnChoice::All),
            Ok(vec![
                Some(ColumnKind::Numeric),
                Some(ColumnKind::Numeric),
                Some(ColumnKind::Nominal)
            ])
        );
    }

    #[test]
    fn the_class_is_no_number_because_all_are() {
        let kinds = |class: Option<&str>| {
            let options = ReadOptions {
                numeric: ColumnChoice::All,
                class: class.map(str::to_owned),
                ..ReadOptions::default()
            };
            let names = ["age".into(), "zip".into(), "class".into()];
            options.declared_kinds(&names).unwrap()
        };
        let number = Some(ColumnKind::Numeric);
        assert_eq!(kinds(None), [number, number, None]);
        assert_eq!(kinds(Some("Zip")), [number, None, number]);
        assert_eq!(kinds(Some("other")), [number, number, number]);
    }

    #[test]
    fn weights_are_numbers_and_no_class() {
        let kinds = |weight: &str| {
            let options = ReadOptions {
                nominal: names(&["w"]),
                numeric: ColumnChoice::All,
                weight: Some(weight.to_owned()),
                ..ReadOptions::default()
            };
            options.declared_kinds(&["age".into(), "y".into(), "w".into()])
        };
        let number = Some(ColumnKind::Numeric);
        assert_eq!(kinds("w").unwrap(), [number, None, number]);
        assert!(kinds("v").unwrap_err().to_string().contains("\"v\""));
    }

    #[test]
    fn an_unknown_name_suggests_the_nearest() {
        let text = kinds(names(&["Class"]), ColumnChoice::None).unwrap_err();
        assert_eq!(
            text,
            "there is no column \"Class\". Did you mean \"class\"?"
        );
    }

    #[test]
    fn a_column_cannot_be_of_both_kinds() {
        let text = kinds(names(&["age", "zip"]), names(&["zip"])).unwrap_err();
        assert_eq!(
            text,
            "column \"zip\" is declared both nominal and numeric. \
             Leave it in one of the two lists."
        );
        assert!(kinds(ColumnChoice::All, ColumnChoice::All).is_err());
        assert!(kinds(names(&["age", "age"]), ColumnChoice::None).is_ok());
    }

    #[test]
    fn nan_is_missing_in_any_letter_case_but_only_where_it_is_listed() {
        let usual = Missing::new(&ReadOptions::default().missing);
        for cell in ["", "?", "NA", "NaN", "nan", "NAN", "null"] {
            assert!(usual.contains(cell.as_bytes()), "{cell:?}");
        }
        for cell in ["na", "Null", "NULL", "-"] {
            assert!(!usual.contains(cell.as_bytes()), "{cell:?}");
        }
        let other = Missing::new(&["-9".into()]);
        assert!(other.has_numbers() && !usual.has_numbers());
        assert!(!other.contains(b"nan") && !other.contains(b""));
    }
}
