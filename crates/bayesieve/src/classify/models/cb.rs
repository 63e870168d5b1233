//! CB: tests of independence give an order of the nodes, K2 the network.

use super::super::model::{GraphShape, Learner, Model, ModelKind, NetworkLearner, NumberUse};
use super::super::network_model::{NetworkModel, count_families};
use super::super::options::{CbOrder, CbStop, TrainOptions};
use super::super::prediction::{Decision, by_size_and_row, predict_codes};
use super::super::score::ScoredRows;
use super::k2::{PARENTS, columns, k2_options};
use crate::counts::CountColumn;
use crate::data::Codes;
use crate::network::learn::{self, CbOptions, FamilyScorer, LocalScore, cb};
use crate::network::{ALPHA, Dag, SMOOTHING, Smoothing, Variable};
use crate::setting::{Setting, SettingKind};
use crate::{Observer, Result};

pub(crate) static CB: Model = Model {
    kind: ModelKind::Cb,
    name: "cb",
    summary: "a network learned by CB: tests of independence give an order, then K2",
    formula: "P(c | x) proportional to the product of P(x_i | parents), the order of K2 from \
              chi-square tests of independence",
    source: "Singh and Valtorta, 1993; Singh and Provan, 1995",
    explanation: "CB: a network learned by tests and a score; only features around the class speak \
                  about it.",
    settings: &[SMOOTHING, ALPHA, PARENTS, LEVEL, STOP, ORDER],
    numbers: NumberUse::Binned,
    learner: Learner::Network(NetworkLearner {
        by_rows: |features, class, options, observer| {
            learn_graph(&columns(features, class), options, observer)
        },
        by_counts: None,
        shape: GraphShape::Free,
    }),
};

const LEVEL: Setting = Setting {
    name: "level",
    default: "0.05",
    kind: SettingKind::Number { min: 0.0, max: 1.0 },
    meaning: "level of the chi-square tests",
};

const STOP: Setting = Setting {
    name: "stop",
    default: "accuracy",
    kind: SettingKind::Choice(&["accuracy", "score"]),
    meaning: "stop when accuracy, or the score, no longer rises",
};

const ORDER: Setting = Setting {
    name: "order",
    default: "tests",
    kind: SettingKind::Choice(&["tests", "class-first"]),
    meaning: "the order that K2 is given: that of the tests, or class-first",
};

fn learn_graph(
    columns: &[CountColumn<'_>],
    options: &TrainOptions,
    observer: &dyn Observer,
) -> Result<Dag> {
    let cb_options = CbOptions {
        alpha: options.level,
        k2: k2_options(options),
        first: (options.cb_order == CbOrder::ClassFirst).then_some(columns.len() - 1),
        ..CbOptions::default()
    };
    let quality = |dag: &Dag| training_accuracy(dag, columns, observer);
    let stop = match options.cb_stop {
        CbStop::Accuracy => learn::CbStop::Quality(&quality),
        CbStop::Score => learn::CbStop::Score,
    };
    let scorer = FamilyScorer::new(columns, LocalScore::K2)?;
    Ok(cb(&scorer, cb_options, stop, observer)?.dag)
}

/// Share of the training rows whose class a graph predicts, with one added to every cell.
fn training_accuracy(
    dag: &Dag,
    columns: &[CountColumn<'_>],
    observer: &dyn Observer,
) -> Result<f64> {
    let variable = |(node, column): (usize, &CountColumn<'_>)| Variable {
        name: node.to_string(),
        states: (0..column.n_values)
            .map(|state| state.to_string())
            .collect(),
    };
    let variables: Vec<Variable> = columns.iter().enumerate().map(variable).collect();
    let families = count_families(&variables, dag, columns, observer)?;
    let smoothing = Smoothing::Laplace(1.0);
    let model = NetworkModel::from_counts(variables, dag.clone(), families, smoothing, Vec::new())?;
    let class = columns[model.class_node()].codes;
    let codes: Vec<&Codes> = columns.iter().map(|column| column.codes).collect();
    let gappy: Vec<bool> = codes.iter().map(|codes| codes.n_missing() > 0).collect();
    let rows = ScoredRows {
        codes: &codes[..model.class_node()],
        numbers: &[],
        n_rows: class.len(),
        gappy: &gappy,
    };
    let counts = model.class_counts();
    let decision = Decision::new(&counts, by_size_and_row(&counts, class));
    let (classes, _) = predict_codes(&model, rows, &decision, observer)?;
    let right = classes
        .iter()
        .zip(class.iter())
        .filter(|(p, c)| Some(**p) == *c);
    Ok(right.count() as f64 / class.len().max(1) as f64)
}
