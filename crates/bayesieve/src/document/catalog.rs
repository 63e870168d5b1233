//! What there is, as it describes itself: schema `bayesieve.methods.v1`.

use serde_json::{Map, Value, json};

use super::Seconds;
use crate::classify::{MODELS, Model};
use crate::data::{DISCRETIZERS, DiscretizerDescription, Generator, MissingPolicy};
use crate::evaluate::Auto;
use crate::measure::{MEASURES, Measure};
use crate::network::{ALPHA, SMOOTHINGS, SmoothingRule};
use crate::search::Search;
use crate::select::{METHODS, Method, REASON_KINDS, ReasonKind};
use crate::setting::{Setting, SettingKind};
use crate::{Spelling, parameter};

/// Something that can be chosen by name, in the words of a surface.
#[derive(Debug, Clone, Default)]
pub struct CatalogEntry {
    /// What it is: `methods`, `searches`, `models` and so on.
    pub group: &'static str,
    /// How it is written.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// How it is asked for; empty where it cannot be.
    pub option: String,
    /// What it computes; empty where the summary says it all.
    pub formula: &'static str,
    /// What it costs.
    pub cost: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Its settings.
    pub settings: Vec<Setting>,
    /// What else it can be given, the default of a choice first.
    pub takes: Vec<String>,
    /// Whether the rows may be out of core, as it works on counts.
    pub is_on_counts: bool,
    /// Whether a count file is enough, by its own settings.
    pub is_on_count_files: bool,
    /// What a method takes besides its settings.
    method: Option<&'static Method>,
}

/// Lists everything there is, in the order it is shown.
pub fn catalog_entries(spelling: Spelling) -> Vec<CatalogEntry> {
    let mut entries = vec![of_auto()];
    entries.extend(METHODS.iter().map(|method| of_method(method)));
    entries.extend(Search::all().map(of_search));
    entries.extend(MODELS.map(of_model));
    entries.extend(MEASURES.map(of_measure));
    entries.extend(SMOOTHINGS.iter().map(of_smoothing));
    entries.extend(DISCRETIZERS.map(of_discretizer));
    entries.extend(MissingPolicy::ALL.map(of_missing));
    entries.extend(Generator::ALL.map(of_generator));
    entries.extend(REASON_KINDS.map(of_reason));
    for entry in &mut entries {
        entry.option = spelling.spell(&entry.option);
        let takes = entry.takes.iter_mut();
        takes.for_each(|taken| *taken = spelling.spell(taken));
    }
    entries
}

/// The document of some entries.
///
/// # Example
/// ```
/// use bayesieve::Spelling;
/// use bayesieve::document::{catalog, catalog_entries};
///
/// let entries = catalog_entries(Spelling::LIBRARY);
/// let document = catalog(&entries);
/// assert_eq!(document["entries"][1]["name"], "mdl-fs");
/// assert_eq!(document["entries"][1]["models"][0], "tan");
/// ```
pub fn catalog(entries: &[CatalogEntry]) -> Value {
    json!({
        "schema": "bayesieve.methods.v1",
        "entries": entries.iter().map(entry).collect::<Vec<_>>(),
        "seconds": Seconds { read: 0.0, run: 0.0 },
    })
}

fn entry(entry: &CatalogEntry) -> Value {
    let mut document = json!({
        "group": entry.group,
        "name": entry.name,
        "summary": entry.summary,
        "option": entry.option,
        "formula": entry.formula,
        "cost": entry.cost,
        "takes": entry.takes,
        "settings": entry.settings.iter().map(setting).collect::<Vec<_>>(),
        "source": entry.source,
    });
    if let (Some(method), Some(document)) = (entry.method, document.as_object_mut()) {
        document.extend(taken(method));
    }
    document
}

fn setting(setting: &Setting) -> Value {
    let mut document = json!({
        "name": setting.name,
        "default": setting.default,
        "range": setting.kind.to_string(),
        "meaning": setting.meaning,
    });
    if let SettingKind::Choice(words) = setting.kind {
        document["choices"] = json!(words);
    }
    document
}

/// What a method takes, as data.
fn taken(method: &Method) -> Map<String, Value> {
    let takes = method.takes;
    let models: Vec<&str> = takes.models.iter().map(|model| model.name()).collect();
    let taken = [
        ("count", json!(takes.has_order())),
        ("models", json!(models)),
        ("search", json!(takes.search.map(Search::name))),
    ];
    let named = taken.into_iter();
    named
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

fn select_by(name: &str) -> String {
    format!("select {}", parameter("method").is(name))
}

/// The choice among methods, which is none itself.
fn of_auto() -> CatalogEntry {
    let file = |name| parameter(name).is("FILE").to_string();
    CatalogEntry {
        group: "methods",
        name: Auto::NAME,
        summary: Auto::SUMMARY,
        option: format!("{} (the default)", select_by(Auto::NAME)),
        formula: Auto::FORMULA,
        cost: Auto::COST,
        source: Auto::SOURCE,
        takes: vec![
            format!("{}: only this one", parameter("model").is("MODEL")),
            file("folds"),
            file("checkpoint"),
            parameter("budget").is("TIME").to_string(),
        ],
        ..CatalogEntry::default()
    }
}

fn of_method(method: &'static Method) -> CatalogEntry {
    CatalogEntry {
        group: "methods",
        name: method.name,
        summary: method.summary,
        option: select_by(method.name),
        formula: method.formula,
        cost: method.cost,
        source: method.source,
        settings: method.settings.to_vec(),
        takes: options_of(method),
        is_on_counts: method.takes.counts,
        is_on_count_files: method.takes.pairs,
        method: Some(method),
    }
}

/// What a method can be given besides its settings, the default of a choice first.
fn options_of(method: &Method) -> Vec<String> {
    let takes = method.takes;
    let mut options = Vec::new();
    if !takes.models.is_empty() {
        let models: Vec<&str> = takes.models.iter().map(|model| model.name()).collect();
        options.push(parameter("model").is(models.join("|")).to_string());
    }
    if let Some(own) = takes.search {
        let others = Search::all().filter(|&other| other != own && takes.takes_search(other));
        let searches: Vec<&str> = [own].into_iter().chain(others).map(Search::name).collect();
        options.push(parameter("search").is(searches.join("|")).to_string());
    }
    let whose = match (takes.search.is_some(), takes.accuracy) {
        (true, true) => "settings of its search and its model",
        (true, false) => "settings of its search",
        (false, _) => "settings of its model",
    };
    let is_scored = takes.search.is_some() || takes.accuracy;
    let is_cross_validated = method.settings.iter().any(|setting| setting.name == "cv");
    let flags = [
        (is_scored, whose.to_owned()),
        (is_cross_validated, parameter("folds").to_string()),
        (is_scored, parameter("checkpoint").to_string()),
        (takes.has_order(), parameter("count").to_string()),
        (
            takes.available,
            parameter("missing").is("available").to_string(),
        ),
        (
            takes.numbers,
            parameter("discretize").is("none").to_string(),
        ),
    ];
    let taken = flags.into_iter().filter(|(is_taken, _)| *is_taken);
    options.extend(taken.map(|(_, option)| option));
    options.extend(without_rows(takes.counts, takes.pairs));
    options
}

/// What works without rows in memory.
fn without_rows(on_counts: bool, on_count_files: bool) -> Vec<String> {
    let memory = on_counts.then(|| parameter("memory").to_string());
    let counts = on_count_files.then(|| parameter("counts").to_string());
    memory.into_iter().chain(counts).collect()
}

fn of_search(search: Search) -> CatalogEntry {
    CatalogEntry {
        group: "searches",
        name: search.name(),
        summary: search.summary(),
        option: format!("select {}", parameter("search").is(search)),
        settings: search.settings().to_vec(),
        ..CatalogEntry::default()
    }
}

fn of_reason(kind: &'static ReasonKind) -> CatalogEntry {
    CatalogEntry {
        group: "reasons",
        name: kind.name,
        summary: kind.meaning.trim_end_matches('.'),
        ..CatalogEntry::default()
    }
}

fn of_model(model: &'static Model) -> CatalogEntry {
    let is_on_counts = model.takes_counts();
    CatalogEntry {
        group: "models",
        name: model.name,
        summary: model.summary,
        option: format!("train {}", parameter("model").is(model.name)),
        formula: model.formula,
        source: model.source,
        settings: model.settings.to_vec(),
        takes: without_rows(is_on_counts, is_on_counts),
        is_on_counts,
        is_on_count_files: is_on_counts,
        ..CatalogEntry::default()
    }
}

fn of_measure(measure: &'static Measure) -> CatalogEntry {
    let names = measure.scoring.iter();
    let known = names.map(|name| format!("{name} (scikit-learn's name)"));
    CatalogEntry {
        group: "measures",
        name: measure.name,
        summary: measure.summary,
        option: parameter("measure").is(measure.name).to_string(),
        formula: measure.formula,
        takes: known.collect(),
        ..CatalogEntry::default()
    }
}

fn of_smoothing(rule: &'static SmoothingRule) -> CatalogEntry {
    let alpha = rule.alpha.map(|default| Setting { default, ..ALPHA });
    CatalogEntry {
        group: "smoothings",
        name: rule.name,
        summary: rule.summary,
        option: format!("train {}", crate::setting("smoothing").is(rule.name)),
        formula: rule.formula,
        settings: alpha.into_iter().collect(),
        ..CatalogEntry::default()
    }
}

fn of_discretizer(discretizer: &'static DiscretizerDescription) -> CatalogEntry {
    CatalogEntry {
        group: "discretizers",
        name: discretizer.name,
        summary: discretizer.summary,
        option: parameter("discretize").is(discretizer.form()).to_string(),
        formula: discretizer.formula,
        source: discretizer.source,
        settings: discretizer.settings.to_vec(),
        ..CatalogEntry::default()
    }
}

fn of_missing(policy: MissingPolicy) -> CatalogEntry {
    let (summary, source) = match policy {
        MissingPolicy::Value => (
            "an empty cell is a value of its own, after binning a bin of its own",
            "",
        ),
        MissingPolicy::Drop => (
            "rows with an empty cell are left out",
            "Drugan and Wiering, 2010, section 6",
        ),
        MissingPolicy::Available => (
            "every table counts the rows that are complete in its own columns",
            "",
        ),
        MissingPolicy::Refuse => ("an empty cell is an error", ""),
    };
    CatalogEntry {
        group: "missing cells",
        name: policy.name(),
        summary,
        option: parameter("missing").is(policy.name()).to_string(),
        source,
        ..CatalogEntry::default()
    }
}

fn of_generator(generator: Generator) -> CatalogEntry {
    let description = generator.description();
    CatalogEntry {
        group: "generators",
        name: description.name,
        summary: description.summary,
        option: format!("generate {}", description.name),
        source: description.source,
        settings: description.settings.to_vec(),
        ..CatalogEntry::default()
    }
}
