//! `bayesieve methods`: what there is.

mod markdown;

use bayesieve::Result;
use bayesieve::data::unknown_name;
use bayesieve::document::to_text;
use clap::Args;
use serde_json::{Value, json};

use crate::catalog::{self, COUNTS, MEMORY, Page};
use crate::{output, text};

/// List what there is, with settings: methods, searches, models, discretizers, missing
/// cells, generators
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
    let mut chosen = catalog::pages();
    if let Some(name) = &arguments.name {
        if !chosen.iter().any(|page| page.name == name) {
            let known = chosen.iter().map(|page| page.name);
            return Err(unknown_name("method", name, known));
        }
        // One name may stand for two things: `genetic` is a search, and may be a method.
        chosen.retain(|page| page.name == name);
    }
    if arguments.json {
        let entries: Vec<Value> = chosen.iter().map(document).collect();
        let seconds = json!({"read": 0.0, "run": 0.0});
        let document = json!({
            "schema": "bayesieve.methods.v1",
            "entries": entries,
            "seconds": seconds,
        });
        return output::print(&to_text(&document)?);
    }
    if arguments.markdown {
        return output::print(&markdown::pages(&chosen));
    }
    output::print(&match arguments.name {
        Some(_) => chosen.iter().map(details).collect(),
        None => overview(&chosen),
    })
}

fn document(page: &Page) -> Value {
    let settings: Vec<Value> = page
        .settings
        .iter()
        .map(|setting| {
            json!({
                "name": setting.name,
                "default": setting.default,
                "range": setting.range,
                "meaning": setting.meaning,
            })
        })
        .collect();
    json!({
        "group": page.group,
        "name": page.name,
        "summary": page.summary,
        "option": page.option,
        "formula": page.formula,
        "cost": page.cost,
        "takes": page.takes,
        "settings": settings,
        "source": page.source,
    })
}

fn overview(pages: &[Page]) -> String {
    let mut out = String::new();
    for group in pages.chunk_by(|a, b| a.group == b.group) {
        let has_marks = group.iter().any(|page| !without_rows(page).is_empty());
        let row = |page: &Page| {
            let marks = has_marks.then(|| without_rows(page));
            let name = [format!("  {}", page.name)].into_iter();
            name.chain(marks).chain([page.summary.to_owned()]).collect()
        };
        let rows = group.iter().map(row).collect();
        out += &format!("{}\n{}\n", group[0].group, text::rows(rows));
    }
    out + "\
m: works on rows that stay in their file (--memory)
c: works on a file of counts (--counts), by its own settings
All others need the rows in memory.

More about one: bayesieve methods NAME
"
}

/// What a thing can do without rows in memory, in marks.
fn without_rows(page: &Page) -> String {
    let marks = [(MEMORY, "m"), (COUNTS, "c")];
    let taken = marks
        .iter()
        .filter(|(option, _)| page.takes.iter().any(|taken| taken == option));
    taken.map(|&(_, mark)| mark).collect()
}

fn details(page: &Page) -> String {
    let mut out = format!("{} ({})\n  {}\n", page.name, page.group, page.summary);
    let lines = [
        ("use", page.option.as_str()),
        ("also takes", &page.takes.join(", ")),
        ("computes", page.formula),
        ("cost", page.cost),
        ("source", page.source),
    ];
    for (what, line) in lines.iter().filter(|(_, line)| !line.is_empty()) {
        out += &format!("  {what}: {line}\n");
    }
    for setting in &page.settings {
        let range = match setting.range.as_str() {
            "" => String::new(),
            range => format!(" ({range})"),
        };
        out += &format!(
            "  --set {}={} by default: {}{range}\n",
            setting.name, setting.default, setting.meaning
        );
    }
    out
}
