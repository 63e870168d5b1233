//! The document of scored sets: schema `bayesieve.score.v1`.

use serde_json::{Map, Value, json};

use super::{Seconds, whole};
use crate::data::CodedTable;
use crate::measure::MeasuredValues;
use crate::score::{Structure, Terms};

/// Scored sets, with all that is shown of them.
#[derive(Debug)]
pub struct ScoreOutcome {
    /// The columns, with or without their rows.
    pub coded: CodedTable,
    /// The classifier.
    pub model: Structure,
    /// Number of rows.
    pub n_rows: u64,
    /// The sets.
    pub sets: Vec<ScoredSet>,
    /// Whether the sets are a list, be it of one.
    pub is_list: bool,
    /// What the reader should know.
    pub notes: Vec<String>,
    /// How long it took.
    pub seconds: Seconds,
}

/// A set of features with every term of its scores.
#[derive(Debug)]
pub struct ScoredSet {
    /// The names of the features.
    pub features: Vec<String>,
    /// The terms.
    pub terms: Terms,
    /// How often models of the set are right, where that was asked for.
    pub accuracy: Option<SetAccuracy>,
    /// Every measure of the models on the test rows of the folds, where that was asked for.
    pub measures: Option<MeasuredValues>,
}

/// Shares of rows that a model predicts right.
#[derive(Debug, Clone, Copy)]
pub struct SetAccuracy {
    /// On the rows it was trained on.
    pub train: f64,
    /// On the rows of every fold, by a model of the others: the mean over folds.
    pub cross_validated: f64,
    /// Number of folds.
    pub n_folds: usize,
}

impl ScoreOutcome {
    /// The document of the scores, schema `bayesieve.score.v1`: one set with its terms beside the
    /// head, more as a list.
    pub fn document(&self) -> Value {
        let mut document = Map::new();
        let mut put = |name: &str, value: Value| document.insert(name.to_owned(), value);
        put("schema", json!("bayesieve.score.v1"));
        put("model", json!(self.model.name()));
        put("rows", json!(self.n_rows));
        let sets = self.sets.iter().map(|set| terms(&self.coded, set));
        let mut sets: Vec<Map<String, Value>> = sets.collect();
        if self.is_list || sets.len() != 1 {
            put("subsets", json!(sets));
        } else {
            document.append(&mut sets[0]);
        }
        document.insert("seconds".to_owned(), json!(self.seconds));
        document.insert("warnings".to_owned(), json!(self.notes));
        Value::Object(document)
    }
}

fn terms(coded: &CodedTable, scored: &ScoredSet) -> Map<String, Value> {
    let name = |feature: usize| coded.features[feature].column.name();
    let edges = |edges: &[(usize, usize)]| -> Value {
        let edges = edges.iter();
        edges.map(|&(a, b)| json!([name(a), name(b)])).collect()
    };
    let terms = &scored.terms;
    let accuracy = scored.accuracy.map(|accuracy| {
        json!({
            "train": accuracy.train,
            "cv": accuracy.cross_validated,
            "folds": accuracy.n_folds,
        })
    });
    let fields = json!({
        "features": scored.features,
        "parameters": whole(terms.parameters),
        "isolated_parameters": whole(terms.isolated_parameters),
        "log_likelihood": terms.log_likelihood,
        "auxiliary_log_likelihood": terms.auxiliary_log_likelihood,
        "mdl": terms.mdl,
        "mdl_fs": terms.mdl_fs,
        "call_per_row": terms.call_per_row,
        "call_per_row_without_class": terms.call_per_row_without_class,
        "tree": edges(&terms.tree),
        "auxiliary_tree": edges(&terms.auxiliary_tree),
        "bic": terms.bic,
        "bdeu": terms.bdeu,
        "class_entropy": terms.class_entropy,
        "conditional_entropy": terms.conditional_entropy,
        "cfs_merit": terms.cfs_merit,
        "accuracy": accuracy,
        "measures": scored.measures,
    });
    fields.as_object().cloned().unwrap_or_default()
}
