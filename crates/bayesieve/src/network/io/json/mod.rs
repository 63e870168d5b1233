//! JSON, for programs.
//!
//! ```json
//! {"schema": "bayesieve.network.v1",
//!  "nodes": ["rain", "wet"],
//!  "states": {"rain": ["no", "yes"], "wet": ["no", "yes"]},
//!  "parents": {"rain": [], "wet": ["rain"]},
//!  "tables": {"rain": [[0.8, 0.2]], "wet": [[0.9, 0.1], [0.3, 0.7]]}}
//! ```
//! A table has one row per combination of the parents' states, the first parent changing
//! slowest. One that does not hold all its rows is
//! `{"default": [0.5, 0.5], "rows": [[["yes"], [0.3, 0.7]]]}`. Fields that are not known are
//! passed over.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::{self, Write};

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::super::{Cpt, Network};
use super::draft::{Draft, DraftRow, DraftRows, Family, Layout, Numbers};
use super::push_numbers;
use super::text::{Name, line_at};
use crate::{Error, Result, printable, quoted};

const SCHEMA: &str = "bayesieve.network.v1";

/// Reads a network from JSON as [`to_json`] writes it.
///
/// # Errors
/// Text that is no JSON, another schema, or no network: each error names the line.
///
/// # Example
/// ```
/// use bayesieve::network::parse_json;
///
/// let network = parse_json(
///     r#"{"schema": "bayesieve.network.v1", "nodes": ["x"], "states": {"x": ["no", "yes"]},
///         "parents": {"x": []}, "tables": {"x": [[0.25, 0.75]]}}"#,
/// )?;
/// assert_eq!(*network.table(0).row(&[]), [0.25, 0.75]);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn parse_json(text: &str) -> Result<Network> {
    // First of all, so that a file of another schema is not blamed for its other fields.
    let head: Head = parse(text, text)?;
    if head.schema.as_deref() != Some(SCHEMA) {
        let schema = head.schema.as_deref();
        let is_model = schema.is_some_and(|schema| schema.starts_with("bayesieve.model."));
        let what = match head.schema {
            Some(other) => format!("the schema is {}", quoted(&other)),
            None => "there is no field \"schema\"".into(),
        };
        let hint = if is_model {
            "This is a model file, for predicting; export its network as BIF.".into()
        } else {
            format!("It must be \"{SCHEMA}\".")
        };
        return Err(Error::data(what).with_hint(hint));
    }
    let file: File<'_> = parse(text, text)?;
    let mut draft = Draft::new(text);
    let names: Vec<String> = parse(text, file.nodes.get())?;
    for name in &names {
        let part = file.states.part(text, "states", name)?;
        let states: Vec<String> = parse(text, part)?;
        let at = place_of(text, part);
        let states: Vec<Name<'_>> = states.iter().map(|state| name_at(state, at)).collect();
        draft.declare(&name_at(name, at), &states)?;
    }
    for fields in [&file.states, &file.parents, &file.tables] {
        for (name, part) in &fields.parts {
            draft.known_node(&name_at(name, place_of(text, part)))?;
        }
    }
    for (node, name) in names.iter().enumerate() {
        let part = file.parents.part(text, "parents", name)?;
        let parents: Vec<String> = parse(text, part)?;
        let at = place_of(text, part);
        let parents = parents
            .iter()
            .map(|parent| draft.known_node(&name_at(parent, at)));
        let parents = parents.collect::<Result<Vec<usize>>>()?;
        let table = file.tables.part(text, "tables", name)?;
        let family = draft.family(node, parents, place_of(text, table))?;
        set_table(&mut draft, family, text, table)?;
    }
    draft.finish()
}

/// What tells the schema.
#[derive(Deserialize)]
struct Head {
    schema: Option<String>,
}

#[derive(Deserialize)]
struct File<'a> {
    #[serde(borrow)]
    nodes: &'a RawValue,
    #[serde(borrow)]
    states: Fields<'a>,
    #[serde(borrow)]
    parents: Fields<'a>,
    #[serde(borrow)]
    tables: Fields<'a>,
}

/// A table that does not hold all its rows.
#[derive(Deserialize)]
struct SparseTable {
    default: Vec<f64>,
    rows: Vec<(Vec<String>, Vec<f64>)>,
}

/// The fields of an object, each once, with their values as they stand in the text.
struct Fields<'a> {
    parts: Vec<(String, &'a str)>,
    places: HashMap<String, usize>,
}

impl<'a> Fields<'a> {
    /// The value of a field that must be there.
    fn part(&self, text: &str, what: &str, name: &str) -> Result<&'a str> {
        let place = self.places.get(name).ok_or_else(|| {
            let what = format!("node {} has no field in \"{what}\"", quoted(name));
            // Where the object begins is not known, but its first field is near.
            let at = self
                .parts
                .first()
                .map_or(0, |(_, part)| place_of(text, part));
            Error::data(what).at_line(line_at(text, at))
        })?;
        Ok(self.parts[*place].1)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with a field for every node")
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut map: A,
            ) -> std::result::Result<Self::Value, A::Error> {
                let mut fields = Fields {
                    parts: Vec::new(),
                    places: HashMap::new(),
                };
                while let Some(name) = map.next_key::<String>()? {
                    let place = fields.parts.len();
                    if fields.places.insert(name.clone(), place).is_some() {
                        return Err(A::Error::custom(format!(
                            "node {} stands twice",
                            quoted(&name)
                        )));
                    }
                    let value: &'de RawValue = map.next_value()?;
                    fields.parts.push((name, value.get()));
                }
                Ok(fields)
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// Reads a part of a text.
fn parse<'a, T: Deserialize<'a>>(text: &str, part: &'a str) -> Result<T> {
    serde_json::from_str(part).map_err(|error| {
        let before = line_at(text, place_of(text, part)) - 1;
        let message = error.to_string();
        // The line is named once, and it is that of the whole text.
        let what = message.split(" at line ").next().unwrap_or_default();
        Error::data(printable(what, 200)).at_line(before + error.line().max(1) as u64)
    })
}

/// Where a part of a text begins.
fn place_of(text: &str, part: &str) -> usize {
    part.as_ptr().addr().saturating_sub(text.as_ptr().addr())
}

fn name_at(text: &str, at: usize) -> Name<'_> {
    let text = Cow::Borrowed(text);
    Name { text, at }
}

fn set_table(draft: &mut Draft<'_>, family: Family, text: &str, part: &str) -> Result<()> {
    let at = place_of(text, part);
    if !part.starts_with('{') {
        let mut numbers = Numbers::default();
        for cells in parse::<Vec<Vec<f64>>>(text, part)? {
            let (values, cells) = (&[][..], &cells[..]);
            draft.check_length(&family, DraftRow { values, cells, at })?;
            cells.iter().for_each(|&p| numbers.push((p, at)));
        }
        return draft.set_cells(family, &numbers, Layout::NodeFastest);
    }
    let table: SparseTable = parse(text, part)?;
    let mut rows = DraftRows::default();
    let (values, cells) = (&[][..], &table.default[..]);
    draft.set_default(&family, &mut rows, DraftRow { values, cells, at })?;
    for (states, cells) in &table.rows {
        draft.check_values(&family, states.len(), at)?;
        let codes = family.parents().iter().zip(states);
        let codes = codes.map(|(&parent, state)| draft.known_code(parent, &name_at(state, at)));
        let values = &codes.collect::<Result<Vec<u32>>>()?[..];
        draft.add_row(&family, &mut rows, DraftRow { values, cells, at })?;
    }
    draft.set_rows(family, rows)
}

/// The network as JSON, one line per node and field.
///
/// # Example
/// ```
/// use bayesieve::network::{parse_bif, parse_json, to_json};
///
/// let network = parse_bif(
///     "variable x { type discrete [ 2 ] { no, yes }; } probability ( x ) { table 0.25, 0.75; }",
/// )?;
/// assert!(to_json(&network).contains(r#""tables": {"#));
/// assert_eq!(parse_json(&to_json(&network))?, network);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn to_json(network: &Network) -> String {
    let variables = network.variables();
    let names: Vec<String> = variables.iter().map(|v| text_in_json(&v.name)).collect();
    let states: Vec<Vec<String>> = variables
        .iter()
        .map(|v| v.states.iter().map(|state| text_in_json(state)).collect())
        .collect();
    let object = |value: &dyn Fn(usize) -> String| {
        let line = |(node, name): (usize, &String)| format!("    {name}: {}", value(node));
        let lines: Vec<String> = names.iter().enumerate().map(line).collect();
        format!("{{\n{}\n  }}", lines.join(",\n"))
    };
    let states_object = object(&|node| format!("[{}]", states[node].join(", ")));
    let parents_object = object(&|node| {
        let parents = network.dag().parents(node).iter();
        let parents: Vec<&str> = parents.map(|&parent| names[parent].as_str()).collect();
        format!("[{}]", parents.join(", "))
    });
    let tables_object = object(&|node| {
        let parents = network.dag().parents(node).iter();
        let parents: Vec<&[String]> = parents.map(|&parent| &states[parent][..]).collect();
        table_in_json(network.table(node), &parents)
    });
    format!(
        "{{\n  \"schema\": \"{SCHEMA}\",\n  \"nodes\": [{}],\n  \"states\": {states_object},\n  \
         \"parents\": {parents_object},\n  \"tables\": {tables_object}\n}}\n",
        names.join(", ")
    )
}

fn table_in_json(table: &Cpt, parents: &[&[String]]) -> String {
    let mut out = String::new();
    let default = table.default_row();
    if let Some(default) = default {
        out.push_str("{\"default\": [");
        push_numbers(&mut out, default, ", ");
        out.push_str("], \"rows\": ");
    }
    out.push('[');
    let mut is_first = true;
    table.for_each_row(|values, row| {
        out.push_str(if is_first { "" } else { ", " });
        is_first = false;
        if default.is_some() {
            let states = parents.iter().zip(values);
            let states: Vec<&str> = states.map(|(s, &v)| s[v as usize].as_str()).collect();
            // Writing to a string cannot fail.
            let _ = write!(out, "[[{}], ", states.join(", "));
        }
        out.push('[');
        push_numbers(&mut out, row, ", ");
        out.push_str(if default.is_some() { "]]" } else { "]" });
    });
    out.push_str(if default.is_some() { "]}" } else { "]" });
    out
}

fn text_in_json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests;
