//! `bayesieve methods`: what there is.

use bayesieve::Result;
use bayesieve::data::unknown_name;
use clap::Args;
use serde_json::{Value, json};

use crate::catalog::{ENTRIES, Entry};
use crate::{output, text};

/// List what there is, with settings: models, discretizers, missing cells, generators
#[derive(Args)]
#[command(after_help = "\
Examples:
  bayesieve methods
  bayesieve methods mdlp")]
pub(crate) struct Arguments {
    /// Show only this one, with its settings
    name: Option<String>,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let chosen: Vec<&Entry> = match &arguments.name {
        None => ENTRIES.iter().collect(),
        Some(name) => {
            let found = ENTRIES.iter().find(|entry| entry.name == name);
            let known = || ENTRIES.iter().map(|entry| entry.name);
            vec![found.ok_or_else(|| unknown_name("method", name, known()))?]
        }
    };
    if arguments.json {
        let entries: Vec<Value> = chosen.iter().map(|entry| document(entry)).collect();
        let seconds = json!({"read": 0.0, "run": 0.0});
        let document = json!({
            "schema": "bayesieve.methods.v1",
            "entries": entries,
            "seconds": seconds,
        });
        return output::print(&output::json(&document)?);
    }
    output::print(&match (&arguments.name, &chosen[..]) {
        (Some(_), [entry]) => details(entry),
        _ => overview(&chosen),
    })
}

fn document(entry: &Entry) -> Value {
    let settings: Vec<Value> = entry
        .settings
        .iter()
        .map(|(name, default, meaning)| json!({"name": name, "default": default, "meaning": meaning}))
        .collect();
    json!({
        "group": entry.group,
        "name": entry.name,
        "summary": entry.summary,
        "option": entry.option,
        "settings": settings,
        "source": entry.source,
    })
}

fn overview(entries: &[&Entry]) -> String {
    let mut out = String::new();
    for group in entries.chunk_by(|a, b| a.group == b.group) {
        let rows = group
            .iter()
            .map(|entry| vec![format!("  {}", entry.name), entry.summary.to_owned()])
            .collect();
        out += &format!("{}\n{}\n", group[0].group, text::rows(rows));
    }
    out + "More about one: bayesieve methods NAME\n\
           Selection methods are not part of this version yet.\n"
}

fn details(entry: &Entry) -> String {
    let mut out = format!("{} ({})\n  {}\n", entry.name, entry.group, entry.summary);
    out += &format!("  use: {}\n", entry.option);
    if !entry.source.is_empty() {
        out += &format!("  source: {}\n", entry.source);
    }
    for (name, default, meaning) in entry.settings {
        out += &format!("  {name} (default {default}): {meaning}\n");
    }
    out
}
