//! ID3: a decision tree.

use super::super::model::{Learner, Model, ModelKind, NumberUse};
use crate::setting::{Setting, SettingKind};

pub(crate) static ID3: Model = Model {
    kind: ModelKind::Id3,
    name: "id3",
    summary: "a decision tree by gain ratio, pruned by chi-square tests while it grows",
    formula: "every node asks for the feature of largest gain ratio, I(X; C) / H(X), among those of \
              at least mean gain",
    source: "Quinlan, 1986",
    explanation: "ID3: a tree of questions, one feature after the other.",
    settings: &[LEVEL, CUTS],
    numbers: NumberUse::Either,
    learner: Learner::Tree,
};

const LEVEL: Setting = Setting {
    name: "level",
    default: "0.01",
    kind: SettingKind::Number { min: 0.0, max: 1.0 },
    meaning: "level of the chi-square tests",
};

const CUTS: Setting = Setting {
    name: "cuts",
    default: "ratio",
    kind: SettingKind::Choice(&["ratio", "gain"]),
    meaning: "what makes a cut of numbers the best of its feature, ratio or gain",
};
