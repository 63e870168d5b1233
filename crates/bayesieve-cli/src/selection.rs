//! Selection files, as far as training uses them.

use std::path::{Path, PathBuf};

use bayesieve::classify::ModelKind;
use bayesieve::data::{CodingOptions, Roles, Table, nearest};
use bayesieve::{Error, Result, quoted};
use serde_json::{Map, Value};

const SCHEMA: &str = "bayesieve.selection.v1";

/// What a model remembers of the selection that led to it: enough to repeat it.
const REMEMBERED: [&str; 11] = [
    "schema", "data", "method", "auto", "model", "search", "settings", "coding", "seed", "kept",
    "score",
];

/// A selection that was read from a file.
pub(crate) struct Selection {
    file: PathBuf,
    document: Map<String, Value>,
    kept: Vec<String>,
}

impl Selection {
    /// Reads the file and checks what can be checked without the data.
    pub(crate) fn read(file: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(file).map_err(|error| {
            match error.kind() {
                std::io::ErrorKind::NotFound => Error::data("there is no such file"),
                _ => Error::data("the selection cannot be read").with_source(error),
            }
            .in_file(file)
            .with_hint("Give a file that `select` wrote.")
        })?;
        let document = parse(&text).map_err(|error| error.in_file(file))?;
        let kept = kept(&document).map_err(|error| error.in_file(file))?;
        Ok(Selection {
            file: file.to_owned(),
            document,
            kept,
        })
    }

    /// The features that it keeps.
    pub(crate) fn kept(&self) -> &[String] {
        &self.kept
    }

    /// The model that it chose by, or was chosen with.
    pub(crate) fn model(&self) -> Option<ModelKind> {
        let of_auto = self.document.get("auto").and_then(|auto| auto.get("model"));
        let name = of_auto.or_else(|| self.document.get("model"))?;
        name.as_str()?.parse().ok()
    }

    /// What differs in how cells become codes, as a note: the features were chosen for other
    /// bins then.
    pub(crate) fn coding_note(&self, coding: CodingOptions) -> Option<String> {
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
            format!("the selection was made with --{name} {made}, this model with {ours}")
        })
    }

    /// Refuses data that the selection was not made for; `roles` are those of all features.
    pub(crate) fn check(&self, table: &Table, roles: &Roles) -> Result<()> {
        let class = table.columns()[roles.class].name();
        if let Some(chosen_for) = self.class().filter(|name| *name != class) {
            return Err(Error::data(format!(
                "the selection was made for the class {}, but the class is {}",
                quoted(chosen_for),
                quoted(class)
            ))
            .with_hint("Name that class (--class), or select again.")
            .in_file(&self.file));
        }
        for name in &self.kept {
            let problem = match table.position(name) {
                None => self.absent(name, table),
                Some(place) if place == roles.class => Error::data(format!(
                    "the selection keeps {}, which is the class",
                    quoted(name)
                ))
                .with_hint("Name another class (--class), or select again."),
                Some(place) if roles.excluded.contains(&place) => Error::usage(format!(
                    "the selection keeps {}, which --ignore names",
                    quoted(name)
                ))
                .with_hint("Do not ignore it, or select again without it."),
                Some(_) => continue,
            };
            return Err(problem.in_file(&self.file));
        }
        Ok(())
    }

    /// What the model remembers.
    pub(crate) fn remembered(&self) -> Value {
        let fields = REMEMBERED.iter().filter_map(|&name| {
            let value = self.document.get(name)?;
            Some((name.to_owned(), value.clone()))
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

fn parse(text: &str) -> Result<Map<String, Value>> {
    let other = |what: String| Error::data(what).with_hint("Give a file that `select` wrote.");
    let document: Map<String, Value> = serde_json::from_str(text)
        .map_err(|error| other(format!("this is no selection file: {error}")))?;
    match document.get("schema").and_then(Value::as_str) {
        Some(SCHEMA) => Ok(document),
        Some(schema) if schema.starts_with("bayesieve.selection.") => Err(Error::data(format!(
            "the selection has schema {}, this version reads {SCHEMA}",
            quoted(schema)
        ))
        .with_hint("Use the version that wrote it, or a newer one.")),
        Some(schema) => Err(other(format!(
            "this is no selection but {}",
            quoted(schema)
        ))),
        None => Err(other(
            "this is no selection file: it names no schema".into(),
        )),
    }
}

fn kept(document: &Map<String, Value>) -> Result<Vec<String>> {
    let again = |what: String| Error::data(what).with_hint("Select again.");
    let kept = document.get("kept").and_then(Value::as_array);
    let kept = kept.ok_or_else(|| again("the selection has no list \"kept\"".into()))?;
    if kept.is_empty() {
        return Err(Error::data("the selection keeps no feature")
            .with_hint("Name features (--features), or select with other settings."));
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
