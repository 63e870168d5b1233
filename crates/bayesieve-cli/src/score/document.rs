//! The JSON of `score`: schema `bayesieve.score.v1`.

use bayesieve::data::CodedTable;
use serde_json::{Map, Value, json};

use super::{Arguments, Found, Scored};
use crate::output;

const SCHEMA: &str = "bayesieve.score.v1";

pub(super) fn new(arguments: &Arguments, found: &Found) -> Value {
    let coded = &found.coded;
    let head = [
        ("schema", json!(SCHEMA)),
        ("model", json!(arguments.model.name())),
        ("rows", json!(found.n_rows)),
    ];
    let mut document = Map::new();
    let mut put = |name: &str, value: Value| {
        document.insert(name.to_owned(), value);
    };
    head.into_iter().for_each(|(name, value)| put(name, value));
    match (found.scored.as_slice(), &arguments.subsets) {
        ([only], None) => {
            let terms = terms_document(coded, only);
            terms
                .into_iter()
                .for_each(|(name, value)| put(&name, value));
        }
        (scored, _) => {
            let sets = scored.iter();
            let sets = sets.map(|set| Value::Object(terms_document(coded, set)));
            put("subsets", sets.collect());
        }
    }
    put("seconds", json!(found.seconds));
    put("warnings", json!(found.notes));
    Value::Object(document)
}

fn terms_document(coded: &CodedTable, scored: &Scored) -> Map<String, Value> {
    let name = |feature: usize| coded.features[feature].column.name();
    let edges = |edges: &[(usize, usize)]| -> Value {
        edges
            .iter()
            .map(|&(a, b)| json!([name(a), name(b)]))
            .collect()
    };
    let terms = &scored.terms;
    let accuracy = scored.accuracy.map(|accuracy| {
        json!({
            "train": accuracy.train,
            "cv": accuracy.cross_validated,
            "folds": accuracy.n_folds,
        })
    });
    let fields = [
        ("features", json!(scored.features)),
        ("parameters", output::whole(terms.parameters)),
        (
            "isolated_parameters",
            output::whole(terms.isolated_parameters),
        ),
        ("log_likelihood", json!(terms.log_likelihood)),
        (
            "auxiliary_log_likelihood",
            json!(terms.auxiliary_log_likelihood),
        ),
        ("mdl", json!(terms.mdl)),
        ("mdl_fs", json!(terms.mdl_fs)),
        ("call_per_row", json!(terms.call_per_row)),
        (
            "call_per_row_without_class",
            json!(terms.call_per_row_without_class),
        ),
        ("tree", edges(&terms.tree)),
        ("auxiliary_tree", edges(&terms.auxiliary_tree)),
        ("bic", json!(terms.bic)),
        ("bdeu", json!(terms.bdeu)),
        ("class_entropy", json!(terms.class_entropy)),
        ("conditional_entropy", json!(terms.conditional_entropy)),
        ("cfs_merit", json!(terms.cfs_merit)),
        ("accuracy", json!(accuracy)),
    ];
    fields
        .map(|(name, value)| (name.to_owned(), value))
        .into_iter()
        .collect()
}
