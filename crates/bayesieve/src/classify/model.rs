//! What a model is: its description, which everything that names models reads.

use std::fmt;
use std::str::FromStr;

use super::models::{block, cb, id3, k2, naive_bayes, tan};
use super::options::TrainOptions;
use crate::counts::CountColumn;
use crate::data::unknown_name;
use crate::info::Informations;
use crate::network::Dag;
use crate::setting::Setting;
use crate::{Error, Observer, Result, parameter};

/// A named classifier: one text for help, documents and pages.
#[derive(Debug)]
pub struct Model {
    /// Which one it is.
    pub kind: ModelKind,
    /// How it is written.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// What it computes, as plain text.
    pub formula: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What it is, in a sentence for people who know no model.
    pub explanation: &'static str,
    /// Its settings, those of its smoothing first where it has one.
    pub settings: &'static [Setting],
    /// What it makes of numbers.
    pub numbers: NumberUse,
    pub(super) learner: Learner,
}

/// What a model makes of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberUse {
    /// It needs them in bins.
    Binned,
    /// It takes bins where there are any, else the numbers.
    Either,
    /// It takes the numbers, also where there are bins.
    Plain,
}

/// How a model is learned.
#[derive(Debug)]
pub(super) enum Learner {
    Network(NetworkLearner),
    Tree,
}

/// How the graph of a network is learned, over the features in order and the class, the last
/// node.
#[derive(Debug)]
pub(super) struct NetworkLearner {
    pub(super) by_rows: GraphOfRows,
    /// Where single and pair counts are enough.
    pub(super) by_counts: Option<GraphOfCounts>,
    /// What graphs it learns.
    pub(super) shape: GraphShape,
}

pub(super) type GraphOfRows =
    fn(&[CountColumn<'_>], CountColumn<'_>, &TrainOptions, &dyn Observer) -> Result<Dag>;

pub(super) type GraphOfCounts = fn(&Informations<'_>, &dyn Observer) -> Result<Dag>;

/// The graphs that a learner can have made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GraphShape {
    /// The class is a parent of every feature, beside at most this many features.
    Augmented { max_others: usize },
    /// The class has no parents.
    ClassFirst,
    /// Any.
    Free,
}

/// The models there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ModelKind {
    /// Naive Bayes: features independent given the class; numbers may stay numbers.
    NaiveBayes,
    /// Tree-augmented naive Bayes: every feature has at most one other as parent.
    Tan,
    /// A network learned by K2, the class first.
    K2,
    /// A network learned by CB: tests for an order, then K2.
    Cb,
    /// A decision tree by gain ratio.
    Id3,
    /// Naive Bayes over labels; numbers jointly normal in blocks.
    Block,
}

/// Every model, in the order it is shown.
///
/// # Example
/// ```
/// use bayesieve::classify::MODELS;
///
/// let names: Vec<&str> = MODELS.iter().map(|model| model.name).collect();
/// assert_eq!(names, ["nb", "tan", "k2", "cb", "id3", "block"]);
/// ```
pub static MODELS: [&Model; ModelKind::ALL.len()] = {
    let mut models = [ModelKind::ALL[0].model(); ModelKind::ALL.len()];
    let mut place = 1;
    while place < models.len() {
        models[place] = ModelKind::ALL[place].model();
        place += 1;
    }
    models
};

impl ModelKind {
    /// All models, in the order they are listed.
    pub const ALL: [ModelKind; 6] = [
        ModelKind::NaiveBayes,
        ModelKind::Tan,
        ModelKind::K2,
        ModelKind::Cb,
        ModelKind::Id3,
        ModelKind::Block,
    ];

    /// Its description.
    pub const fn model(self) -> &'static Model {
        match self {
            ModelKind::NaiveBayes => &naive_bayes::NAIVE_BAYES,
            ModelKind::Tan => &tan::TAN,
            ModelKind::K2 => &k2::K2,
            ModelKind::Cb => &cb::CB,
            ModelKind::Id3 => &id3::ID3,
            ModelKind::Block => &block::BLOCK,
        }
    }

    /// How it is written.
    pub fn name(self) -> &'static str {
        self.model().name
    }

    /// Refuses a model that cannot be trained from counts.
    ///
    /// # Errors
    /// It cannot; the models that can are named.
    pub fn check_counts(self) -> Result<()> {
        if self.model().takes_counts() {
            return Ok(());
        }
        let others = Model::names_of_those(Model::takes_counts);
        Err(
            Error::usage(format!("{self} needs the rows in memory")).with_hint(format!(
                "Load the table whole, or train {others} on counts."
            )),
        )
    }

    /// The error for numbers that are not in bins.
    pub(crate) fn needs_bins(self) -> Error {
        let others = Model::names_of_those(|model| model.numbers != NumberUse::Binned);
        let bins = parameter("discretize").is("mdlp");
        Error::usage(format!("{self} needs numbers in bins"))
            .with_hint(format!("Bin them ({bins}), or use {others}."))
    }
}

impl Model {
    /// Whether single and pair counts are enough to train it, so that the rows may be elsewhere.
    pub fn takes_counts(&self) -> bool {
        match &self.learner {
            Learner::Network(learner) => learner.by_counts.is_some(),
            Learner::Tree => false,
        }
    }

    fn names_of_those(is_one: impl Fn(&Model) -> bool) -> String {
        let those = MODELS.iter().filter(|model| is_one(model));
        let names: Vec<&str> = those.map(|model| model.name).collect();
        names.join(" or ")
    }
}

impl fmt::Display for ModelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ModelKind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let found = MODELS.iter().find(|model| model.name == text);
        found
            .map(|model| model.kind)
            .ok_or_else(|| unknown_name("model", text, MODELS.iter().map(|model| model.name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_describes_itself_and_reads_back_as_it_prints() {
        for (kind, model) in ModelKind::ALL.into_iter().zip(MODELS) {
            assert_eq!(model.kind, kind);
            assert_eq!(model.name.parse::<ModelKind>().unwrap(), kind);
            let texts = [
                model.summary,
                model.formula,
                model.source,
                model.explanation,
            ];
            assert!(texts.iter().all(|text| !text.is_empty()), "{kind}");
        }
        let error = "tam".parse::<ModelKind>().unwrap_err();
        assert!(error.to_string().contains("\"tan\""));
    }
}
