//! What methods, searches and models there are, so that Python's classes can be held to it.

use bayesieve::classify::{ModelKind, TrainOptions};
use bayesieve::document;
use bayesieve::search::Search;
use bayesieve::select::{METHODS, Method};
use bayesieve::setting::{Setting, SettingKind};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::errors::OrRaise;

/// All methods, searches and models with their settings, as a document.
#[pyfunction]
pub(crate) fn catalog() -> PyResult<String> {
    let searches = Search::all().map(|search| {
        json!({
            "name": search.name(),
            "settings": settings(search.settings()),
        })
    });
    let models = ModelKind::ALL.iter().map(|&model| {
        json!({
            "name": model.name(),
            "settings": TrainOptions::setting_names(model),
        })
    });
    let catalog = json!({
        "methods": METHODS.iter().map(|one| method(one)).collect::<Vec<_>>(),
        "searches": searches.collect::<Vec<_>>(),
        "models": models.collect::<Vec<_>>(),
    });
    document::to_text(&catalog).or_raise()
}

fn method(method: &Method) -> Value {
    let takes = method.takes;
    let models = takes.models.iter().map(|model| model.name());
    json!({
        "name": method.name,
        "summary": method.summary,
        "settings": settings(method.settings),
        "count": takes.count,
        "models": models.collect::<Vec<_>>(),
        "search": takes.search.map(Search::name),
    })
}

fn settings(settings: &[Setting]) -> Vec<Value> {
    let described = settings.iter().map(|setting| {
        json!({
            "name": setting.name,
            "default": setting.default,
            "choices": match setting.kind {
                SettingKind::Choice(words) => Some(words),
                _ => None,
            },
            "takes": setting.kind.to_string(),
            "meaning": setting.meaning,
        })
    });
    described.collect()
}
