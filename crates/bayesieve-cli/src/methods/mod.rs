//! `bayesieve methods`: what there is.

mod markdown;

use bayesieve::Result;
use bayesieve::data::unknown_name;
use bayesieve::document::{CatalogEntry, catalog, catalog_entries, to_text};
use clap::Args;

use crate::{output, text};

/// List what there is, with settings: methods, searches, models, measures, smoothings,
/// discretizers, missing cells, generators, reasons
#[derive(Args)]
#[command(after_help = "\
Examples:
  bayesieve methods
  bayesieve methods mdl-fs
  bayesieve methods --markdown > methods.md")]
pub(crate) struct Arguments {
    /// Show only this one, with its settings
    name: Option<String>,

    /// Print one JSON document
    #[arg(long, conflicts_with = "markdown")]
    json: bool,

    /// Print as Markdown, with settings as tables
    #[arg(long)]
    markdown: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut chosen = catalog_entries(crate::FLAGS);
    if let Some(name) = &arguments.name {
        if !chosen.iter().any(|page| page.name == name) {
            let known = chosen.iter().map(|page| page.name);
            return Err(unknown_name("method", name, known));
        }
        // One name may stand for two things: `genetic` is a search, and may be a method.
        chosen.retain(|page| page.name == name);
    }
    if arguments.json {
        return output::print(&to_text(&catalog(&chosen))?);
    }
    if arguments.markdown {
        return output::print(&markdown::page(&chosen));
    }
    output::print(&match arguments.name {
        Some(_) => chosen.iter().map(details).collect(),
        None => overview(&chosen),
    })
}

fn overview(entries: &[CatalogEntry]) -> String {
    let mut out = String::new();
    for group in entries.chunk_by(|a, b| a.group == b.group) {
        let has_marks = group.iter().any(|entry| !without_rows(entry).is_empty());
        let row = |entry: &CatalogEntry| {
            let marks = has_marks.then(|| without_rows(entry));
            let name = [format!("  {}", entry.name)].into_iter();
            name.chain(marks)
                .chain([entry.summary.to_owned()])
                .collect()
        };
        let rows = group.iter().map(row).collect();
        out += &format!("{}\n{}\n", group[0].group, text::rows(&[], rows));
    }
    out + "\
m: works on rows that stay in their file (--memory)
c: works on a file of counts (--counts), by its own settings
All others need the rows in memory.

More about one: bayesieve methods NAME
"
}

/// What a thing can do without rows in memory, in marks.
fn without_rows(entry: &CatalogEntry) -> String {
    let marks = [(entry.is_on_counts, "m"), (entry.is_on_count_files, "c")];
    let taken = marks.iter().filter(|(is_taken, _)| *is_taken);
    taken.map(|&(_, mark)| mark).collect()
}

/// What there is to say about an entry besides its summary, line by line; the words of people
/// go through `escape`.
fn lines(entry: &CatalogEntry, escape: impl Fn(&str) -> String) -> Vec<(&'static str, String)> {
    let lines = [
        ("also takes", entry.takes.join(", ")),
        ("computes", entry.formula.to_owned()),
        ("cost", entry.cost.to_owned()),
        ("source", entry.source.to_owned()),
    ];
    let lines = lines.iter().filter(|(_, line)| !line.is_empty());
    lines.map(|(what, line)| (*what, escape(line))).collect()
}

fn details(entry: &CatalogEntry) -> String {
    let mut out = format!("{} ({})\n  {}\n", entry.name, entry.group, entry.summary);
    if !entry.option.is_empty() {
        out += &format!("  use: {}\n", entry.option);
    }
    for (what, line) in lines(entry, str::to_owned) {
        out += &format!("  {what}: {line}\n");
    }
    for setting in &entry.settings {
        out += &format!(
            "  --set {}={} by default: {} ({})\n",
            setting.name, setting.default, setting.meaning, setting.kind
        );
    }
    out
}
