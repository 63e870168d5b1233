//! The JSON of `reproduce`: schema `bayesieve.reproduction.v1`.

use bayesieve::document::Seconds;
use serde_json::{Map, Value, json};

use super::published::Published;
use super::reproduction::{Cell, Reproduction};
use super::statement::Conclusion;

/// What the documents of all papers have.
pub(super) struct Parts<'a> {
    pub(super) paper: &'a Published,
    /// What was asked for.
    pub(super) settings: &'a Map<String, Value>,
    pub(super) seed: u64,
    /// The name of the measure that cells are about.
    pub(super) measure: &'a str,
    pub(super) cells: Vec<Value>,
    /// Cells that were asked for.
    pub(super) n_asked: usize,
    pub(super) is_cut_short: bool,
    /// What a paper has besides: behind the cells.
    pub(super) more: Vec<(&'static str, Value)>,
    pub(super) warnings: &'a [String],
    pub(super) seconds: Seconds,
}

impl Parts<'_> {
    pub(super) fn document(self) -> Value {
        let paper = self.paper;
        let stop = json!({
            "reason": if self.is_cut_short { "interrupted" } else { "finished" },
            "cells": self.cells.len(),
            "of": self.n_asked,
        });
        let head = [
            ("schema", json!("bayesieve.reproduction.v1")),
            (
                "paper",
                json!({
                    "name": paper.name,
                    "citation": paper.citation,
                    "summary": paper.summary,
                }),
            ),
            ("settings", json!(self.settings)),
            ("seed", json!(self.seed)),
            ("measure", json!(self.measure)),
            ("cells", Value::Array(self.cells)),
        ];
        let tail = [
            ("stop", stop),
            ("warnings", json!(self.warnings)),
            ("seconds", json!(self.seconds)),
        ];
        let entries = head.into_iter().chain(self.more).chain(tail);
        Value::Object(
            entries
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        )
    }
}

pub(super) fn new(reproduction: &Reproduction, seconds: Seconds) -> Value {
    let cells = reproduction.cells();
    let mut more = vec![("summary", summary(reproduction))];
    if !reproduction.conclusions.is_empty() {
        let conclusions = reproduction.conclusions.iter().map(Conclusion::document);
        more.push(("conclusions", conclusions.collect()));
    }
    let parts = Parts {
        paper: &reproduction.paper,
        settings: &reproduction.settings,
        seed: reproduction.seed,
        measure: reproduction.measure,
        cells: cells.map(cell).collect(),
        n_asked: reproduction.n_asked,
        is_cut_short: reproduction.is_cut_short,
        more,
        warnings: &reproduction.warnings,
        seconds,
    };
    parts.document()
}

fn cell(cell: &Cell) -> Value {
    let place = cell.place.iter();
    let mut entries: Map<String, Value> = place
        .map(|(name, word)| ((*name).to_owned(), word.clone()))
        .collect();
    entries.insert("method".into(), cell.method.into());
    entries.insert("table".into(), cell.table.into());
    entries.insert("measure".into(), cell.measure.into());
    // Under the name of the measure too, beside its companions in `others`.
    entries.insert(cell.measure.into(), cell.value.into());
    entries.insert("ours".into(), cell.value.into());
    entries.insert("sd".into(), json!(cell.sd));
    entries.insert("standard_error".into(), json!(cell.standard_error));
    let others = cell.others.iter();
    entries.extend(others.map(|(name, value)| ((*name).to_owned(), json!(value))));
    let published = cell.published;
    let figures = [
        ("published", published.map(|published| published.value)),
        ("published_sd", published.and_then(|published| published.sd)),
        ("difference", cell.difference()),
        ("difference_in_sd", cell.difference_in_sd()),
    ];
    entries.extend(figures.map(|(name, figure)| (name.to_owned(), json!(figure))));
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
    let agreements = reproduction.agreements().into_iter().map(|one| {
        json!({
            "table": one.table,
            "measure": one.measure,
            "cells": one.n_cells,
            "cells_with_sd": one.n_with_sd,
            "within_one_sd": one.shares().map(|shares| shares[0]),
            "within_two_sd": one.shares().map(|shares| shares[1]),
            "mean_difference": one.means.map(|means| means.difference),
            "mean_absolute_difference": one.means.map(|means| means.absolute_difference),
        })
    });
    json!({
        "methods": methods.collect::<Vec<Value>>(),
        "leads": leads.collect::<Vec<Value>>(),
        "agreement": agreements.collect::<Vec<Value>>(),
    })
}
