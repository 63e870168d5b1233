//! The graph of a network classifier: which learner, in which order of nodes.

use super::network_model::{NetworkModel, count_families};
use super::options::{CbOrder, CbStop, ModelKind, TrainOptions};
use super::prediction::predict_codes;
use super::score::Rows;
use crate::Observer;
use crate::Result;
use crate::counts::{CountColumn, RowIndex};
use crate::data::Codes;
use crate::network::learn::{
    self, CbOptions, FamilyScorer, K2Options, LocalScore, cb, k2, tan_dag, tan_tree,
};
use crate::network::{Dag, Smoothing, Variable};

/// Learns the graph over the features in order and the class, the last node.
pub(super) fn learn(
    features: &[CountColumn<'_>],
    class: CountColumn<'_>,
    options: &TrainOptions,
    observer: &dyn Observer,
) -> Result<Dag> {
    let class_node = features.len();
    if options.model == ModelKind::Tan {
        let index = RowIndex::new(features, class)?;
        return tan_dag(&tan_tree(&index, observer)?, class_node, None);
    }
    let columns: Vec<CountColumn<'_>> = features.iter().copied().chain([class]).collect();
    let k2_options = K2Options {
        max_parents: Some(options.max_parents),
    };
    match options.model {
        ModelKind::K2 => {
            // The class first, so that every feature may hang on it; then column order.
            let order: Vec<usize> = std::iter::once(class_node).chain(0..class_node).collect();
            let scorer = FamilyScorer::new(&columns, LocalScore::K2)?;
            k2(&scorer, &order, k2_options, observer)
        }
        ModelKind::Cb => {
            let scorer = FamilyScorer::new(&columns, LocalScore::K2)?;
            let cb_options = CbOptions {
                alpha: options.level,
                k2: k2_options,
                first: (options.cb_order == CbOrder::ClassFirst).then_some(class_node),
                ..CbOptions::default()
            };
            let quality = |dag: &Dag| training_accuracy(dag, &columns, observer);
            let stop = match options.cb_stop {
                CbStop::Accuracy => learn::CbStop::Quality(&quality),
                CbStop::Score => learn::CbStop::Score,
            };
            Ok(cb(&scorer, cb_options, stop, observer)?.dag)
        }
        _ => naive(class_node),
    }
}

/// The class as the only parent of every feature.
pub(super) fn naive(n_features: usize) -> Result<Dag> {
    let mut dag = Dag::new(n_features + 1);
    for feature in 0..n_features {
        dag.add_arc(n_features, feature)?;
    }
    Ok(dag)
}

/// Share of the training rows whose class a graph predicts, with one added to every cell.
fn training_accuracy(
    dag: &Dag,
    columns: &[CountColumn<'_>],
    observer: &dyn Observer,
) -> Result<f64> {
    let variables = columns.iter().enumerate().map(|(node, column)| Variable {
        name: node.to_string(),
        states: (0..column.n_values)
            .map(|state| state.to_string())
            .collect(),
    });
    let variables: Vec<Variable> = variables.collect();
    let families = count_families(&variables, dag, columns, observer)?;
    let smoothing = Smoothing::Laplace(1.0);
    let model = NetworkModel::from_counts(variables, dag.clone(), families, smoothing, Vec::new())?;
    let class = columns[model.class_node()].codes;
    let codes: Vec<&Codes> = columns.iter().map(|column| column.codes).collect();
    let gappy: Vec<bool> = codes.iter().map(|codes| codes.n_missing() > 0).collect();
    let rows = Rows {
        codes: &codes[..model.class_node()],
        numbers: &[],
        n_rows: class.len(),
        gappy: &gappy,
    };
    let (classes, _) = predict_codes(&model, rows, &model.class_counts(), observer)?;
    let right = classes
        .iter()
        .zip(class.iter())
        .filter(|(p, c)| Some(**p) == *c);
    Ok(right.count() as f64 / class.len().max(1) as f64)
}
