//! Selections that were written, as far as training uses them.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::selection::SCHEMA;
use crate::classify::ModelKind;
use crate::data::{CodingOptions, Roles, Table, nearest};
use crate::{Error, Result, parameter, quoted};

/// What a model remembers of the selection that led to it: enough to repeat it.
const REMEMBERED: [&str; 11] = [
    "schema", "data", "method", "auto", "model", "search", "settings", "coding", "seed", "kept",
    "score",
];

/// A selection that was written by [`selection()`](super::selection()) and read again.
///
/// # Example
/// ```
/// use bayesieve::classify::ModelKind;
/// use bayesieve::data::{Generator, RoleOptions, Roles};
/// use bayesieve::document::SelectionFile;
///
/// let text = r#"{"schema": "bayesieve.selection.v1", "model": "tan", "kept": ["A6", "A2"]}"#;
/// let selection = SelectionFile::from_json(text)?;
/// assert_eq!(selection.kept(), ["A6", "A2"]);
/// assert_eq!(selection.model(), Some(ModelKind::Tan));
///
/// let example1 = Generator::Example1.generate(320, 1)?;
/// selection.check(&example1, &Roles::resolve(&example1, &RoleOptions::default())?)?;
/// let led24 = Generator::Led24.generate(100, 1)?;
/// let roles = Roles::resolve(&led24, &RoleOptions::default())?;
/// let error = selection.check(&led24, &roles).unwrap_err().to_string();
/// assert!(error.starts_with("the selection keeps \"A6\", which is no column of the data"));
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "Map<String, Value>", into = "Map<String, Value>")]
pub struct SelectionFile {
    /// Where it was read, for messages.
    file: Option<PathBuf>,
    document: Map<String, Value>,
    kept: Vec<String>,
}

impl SelectionFile {
    /// Reads a file and checks what can be checked without the data.
    ///
    /// # Errors
    /// There is no such file, or as [`SelectionFile::from_json`]; all errors name the file.
    pub fn read(file: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(file).map_err(|error| {
            Error::unreadable(error)
                .in_file(file)
                .with_hint("Give a file that `select` wrote.")
        })?;
        let selection = SelectionFile::from_json(&text).map_err(|error| error.in_file(file))?;
        Ok(SelectionFile {
            file: Some(file.to_owned()),
            ..selection
        })
    }

    /// Reads the text of a document and checks what can be checked without the data.
    ///
    /// # Errors
    /// It is no JSON, no selection or one of another schema, or it keeps nothing, something
    /// without a name or the same twice.
    pub fn from_json(text: &str) -> Result<Self> {
        let document: Map<String, Value> = serde_json::from_str(text)
            .map_err(|error| no_selection(format!("this is no selection file: {error}")))?;
        document.try_into()
    }

    /// The features that it keeps.
    pub fn kept(&self) -> &[String] {
        &self.kept
    }

    /// The model that it chose by, or was chosen with.
    pub fn model(&self) -> Option<ModelKind> {
        let of_auto = self.document.get("auto").and_then(|auto| auto.get("model"));
        let name = of_auto.or_else(|| self.document.get("model"))?;
        name.as_str()?.parse().ok()
    }

    /// What differs in how cells become codes, as a note: the features were chosen for other
    /// bins then.
    pub fn coding_note(&self, coding: CodingOptions) -> Option<String> {
        let made = self.document.get("coding")?;
        let ours = [
            ("discretize", coding.discretizer.to_string()),
            ("missing", coding.missing.to_string()),
        ];
        let differs = ours.iter().find_map(|(name, ours)| {
            let made = made.get(name)?.as_str()?;
            (made != ours).then_some((name, made, ours))
        });
        differs.map(|(name, made, ours)| {
            format!("the selection was made with {name} {made}, this model with {ours}")
        })
    }

    /// Refuses data that the selection was not made for; `roles` are those of all features.
    ///
    /// # Errors
    /// The class is another one, or a kept feature is no column of the data, the class, or left
    /// out.
    pub fn check(&self, table: &Table, roles: &Roles) -> Result<()> {
        self.checked(table, roles)
            .map_err(|error| match &self.file {
                Some(file) => error.in_file(file),
                None => error,
            })
    }

    fn checked(&self, table: &Table, roles: &Roles) -> Result<()> {
        let class = table.columns()[roles.class].name();
        if let Some(chosen_for) = self.class().filter(|name| *name != class) {
            return Err(Error::data(format!(
                "the selection was made for the class {}, but the class is {}",
                quoted(chosen_for),
                quoted(class)
            ))
            .with_hint(format!(
                "Name that class ({}), or select again.",
                parameter("class")
            )));
        }
        for name in &self.kept {
            let problem = match table.position(name) {
                None => self.absent(name, table),
                Some(place) if place == roles.class => Error::data(format!(
                    "the selection keeps {}, which is the class",
                    quoted(name)
                ))
                .with_hint(format!(
                    "Name another class ({}), or select again.",
                    parameter("class")
                )),
                Some(place) if roles.excluded.contains(&place) => Error::usage(format!(
                    "the selection keeps {}, which {ignore} names",
                    quoted(name),
                    ignore = parameter("ignore")
                ))
                .with_hint("Do not ignore it, or select again without it."),
                Some(_) => continue,
            };
            return Err(problem);
        }
        Ok(())
    }

    /// What a model that is trained by it remembers of it: enough to repeat it.
    pub fn remembered(&self) -> Value {
        let fields = REMEMBERED.iter().filter_map(|&name| {
            let mut value = self.document.get(name)?.clone();
            if let ("data", Some(data)) = (name, value.as_object_mut()) {
                // A model of a few features does not carry the names of thousands.
                data.shift_remove("columns");
            }
            Some((name.to_owned(), value))
        });
        Value::Object(fields.collect())
    }

    /// The class it was made for, where it says so.
    fn class(&self) -> Option<&str> {
        self.document.get("data")?.get("class")?.as_str()
    }

    fn absent(&self, name: &str, table: &Table) -> Error {
        let is_kept = |other: &str| self.kept.iter().any(|kept| kept == other);
        let others = table.names().filter(|other| !is_kept(other));
        let error = Error::data(format!(
            "the selection keeps {}, which is no column of the data",
            quoted(name)
        ));
        match nearest(name, others) {
            Some(near) => error.with_hint(format!("Is it called {} here?", quoted(near))),
            None => error.with_hint("Select again on these data."),
        }
    }
}

impl TryFrom<Map<String, Value>> for SelectionFile {
    type Error = Error;

    fn try_from(document: Map<String, Value>) -> Result<Self> {
        check_schema(&document)?;
        Ok(SelectionFile {
            file: None,
            kept: kept(&document)?,
            document,
        })
    }
}

impl From<SelectionFile> for Map<String, Value> {
    fn from(selection: SelectionFile) -> Self {
        selection.document
    }
}

fn no_selection(what: String) -> Error {
    Error::data(what).with_hint("Give a file that `select` wrote.")
}

fn check_schema(document: &Map<String, Value>) -> Result<()> {
    match document.get("schema").and_then(Value::as_str) {
        Some(SCHEMA) => Ok(()),
        Some(schema) if schema.starts_with("bayesieve.selection.") => Err(Error::data(format!(
            "the selection has schema {}, this version reads {SCHEMA}",
            quoted(schema)
        ))
        .with_hint("Use the version that wrote it, or a newer one.")),
        Some(schema) => Err(no_selection(format!(
            "this is no selection but {}",
            quoted(schema)
        ))),
        None => Err(no_selection(
            "this is no selection file: it names no schema".into(),
        )),
    }
}

fn kept(document: &Map<String, Value>) -> Result<Vec<String>> {
    let again = |what: String| Error::data(what).with_hint("Select again.");
    let kept = document.get("kept").and_then(Value::as_array);
    let kept = kept.ok_or_else(|| again("the selection has no list \"kept\"".into()))?;
    if kept.is_empty() {
        return Err(
            Error::data("the selection keeps no feature").with_hint(format!(
                "Name features ({}), or select with other settings.",
                parameter("features")
            )),
        );
    }
    let mut names: Vec<String> = Vec::new();
    for value in kept {
        let name = value
            .as_str()
            .ok_or_else(|| again("a kept feature of the selection has no name".into()))?;
        if names.iter().any(|known| known == name) {
            return Err(again(format!("the selection keeps {} twice", quoted(name))));
        }
        names.push(name.to_owned());
    }
    Ok(names)
}
