//! Words and settings of models.

use crate::classify::ModelKind;
use crate::separation::MODEL_SETTINGS;
use crate::setting::{Setting, SettingKind};

/// Summary and source.
pub(super) fn words(model: ModelKind) -> (&'static str, &'static str) {
    match model {
        ModelKind::NaiveBayes => (
            "naive Bayes: features independent given the class; numbers in bins or normal",
            "Duda and Hart, 1973",
        ),
        ModelKind::Tan => (
            "naive Bayes with a tree over the features: each has at most one other as parent",
            "Friedman, Geiger and Goldszmidt, 1997",
        ),
        ModelKind::K2 => (
            "a network learned by K2, the class first, then the features in column order",
            "Cooper and Herskovits, 1992",
        ),
        ModelKind::Cb => (
            "a network learned by CB: tests of independence give an order, then K2",
            "Singh and Valtorta, 1993; Singh and Provan, 1995",
        ),
        ModelKind::Id3 => (
            "a decision tree by gain ratio, pruned by chi-square tests while it grows",
            "Quinlan, 1986",
        ),
        ModelKind::Block => (
            "naive Bayes over labels, with numbers that are jointly normal in blocks",
            "Pavlenko, Hall and von Rosen, 2004",
        ),
    }
}

pub(super) fn settings(model: ModelKind) -> Vec<Setting> {
    let smoothed = [SMOOTHING, ALPHA];
    match model {
        ModelKind::NaiveBayes => vec![SMOOTHING, ALPHA, DIVISOR],
        ModelKind::Tan => smoothed.to_vec(),
        ModelKind::K2 => vec![SMOOTHING, ALPHA, PARENTS],
        ModelKind::Cb => vec![SMOOTHING, ALPHA, PARENTS, LEVEL, STOP, ORDER],
        ModelKind::Id3 => vec![
            Setting {
                default: "0.01",
                ..LEVEL
            },
            CUTS,
        ],
        ModelKind::Block => smoothed.iter().chain(MODEL_SETTINGS).copied().collect(),
    }
}

const SMOOTHING: Setting = Setting {
    name: "smoothing",
    default: "laplace",
    kind: SettingKind::Choice(&["laplace", "ml", "dirichlet", "mixing"]),
    meaning: "laplace, ml (plain frequencies), dirichlet, or mixing with the marginal",
};

const ALPHA: Setting = Setting {
    name: "alpha",
    default: "1",
    kind: SettingKind::Number { min: 0.0, max: 1e9 },
    meaning: "what laplace adds to every cell; the weight of dirichlet (1) and mixing (5)",
};

const DIVISOR: Setting = Setting {
    name: "divisor",
    default: "n-1",
    kind: SettingKind::Choice(&["n-1", "n"]),
    meaning: "what variances are divided by, n-1 or n",
};

const PARENTS: Setting = Setting {
    name: "parents",
    default: "5",
    kind: SettingKind::Integer { min: 0, max: 100 },
    meaning: "most parents of a node",
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

const CUTS: Setting = Setting {
    name: "cuts",
    default: "ratio",
    kind: SettingKind::Choice(&["ratio", "gain"]),
    meaning: "what makes a cut of numbers the best of its feature, ratio or gain",
};
