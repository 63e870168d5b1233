//! The JSON of `reproduce`: schema `bayesieve.reproduction.v1`.

use serde_json::{Map, Value, json};

use super::reproduction::{Cell, Reproduction};
use crate::output::Seconds;

pub(super) fn new(reproduction: &Reproduction, seconds: Seconds) -> Value {
    let paper = &reproduction.paper;
    let cells: Vec<Value> = reproduction
        .cells
        .iter()
        .map(|one| cell(one, reproduction.measure))
        .collect();
    json!({
        "schema": "bayesieve.reproduction.v1",
        "paper": {
            "name": paper.name,
            "citation": paper.citation,
            "summary": paper.summary,
        },
        "settings": reproduction.settings,
        "seed": reproduction.seed,
        "measure": reproduction.measure,
        "cells": cells,
        "summary": summary(reproduction),
        "stop": {
            "reason": if reproduction.is_cut_short { "interrupted" } else { "finished" },
            "cells": reproduction.cells.len(),
            "of": reproduction.n_asked,
        },
        "warnings": reproduction.warnings,
        "seconds": seconds,
    })
}

fn cell(cell: &Cell, measure: &str) -> Value {
    let place = cell.place.iter();
    let mut entries: Map<String, Value> = place
        .map(|(name, word)| ((*name).to_owned(), word.clone()))
        .collect();
    entries.insert("method".into(), cell.method.into());
    entries.insert(measure.into(), cell.value.into());
    entries.insert("standard_error".into(), json!(cell.standard_error));
    let others = cell.others.iter();
    entries.extend(others.map(|(name, value)| ((*name).to_owned(), json!(value))));
    entries.insert("published".into(), json!(cell.published));
    entries.insert("difference".into(), json!(cell.difference()));
    entries.insert("units".into(), cell.n_units.into());
    Value::Object(entries)
}

fn summary(reproduction: &Reproduction) -> Value {
    let methods = reproduction.nearness().into_iter().map(|near| {
        json!({
            "method": near.method,
            "cells": near.n_cells,
            "mean_absolute_difference": near.mean_absolute_difference,
            "mean_difference": near.mean_difference,
            "largest_absolute_difference": near.largest,
        })
    });
    let leads = reproduction.leads().into_iter().map(|lead| {
        json!({
            "first": lead.first,
            "second": lead.second,
            "ahead": lead.n_ahead,
            "published_ahead": lead.n_ahead_published,
            "cells": lead.n_cells,
        })
    });
    json!({
        "methods": methods.collect::<Vec<Value>>(),
        "leads": leads.collect::<Vec<Value>>(),
    })
}
