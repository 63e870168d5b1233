//! A trained model with what it needs to read other tables.

use serde_json::Value;

use super::block_gaussian::BlockGaussian;
use super::coding::{CodedFeature, Coding};
use super::gaussian::Gaussian;
use super::id3::{Id3, Id3Options};
use super::model::{Learner, NetworkLearner, NumberUse};
use super::network_model::{NetworkModel, count_families};
use super::options::TrainOptions;
use super::prediction::{by_size, by_size_and_row};
use crate::counts::CountColumn;
use crate::data::{CodedTable, Codes, Column, Feature, Table};
use crate::network::{Network, Variable};
use crate::separation::fit_blocks;
use crate::{Error, Observer, Result};

/// A trained classifier.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::classify::{Classifier, ModelKind, TrainOptions};
/// use bayesieve::data::{CodedTable, CodingOptions, Generator, RoleOptions, Roles};
///
/// let table = Generator::Example1.generate(320, 1)?;
/// let roles = Roles::resolve(&table, &RoleOptions::default())?;
/// let coded = CodedTable::new(&table, &roles, CodingOptions::default())?;
/// let classifier = Classifier::train(&coded, &TrainOptions::new(ModelKind::Tan), &Silent)?;
/// let prediction = classifier.predict(&table, &Silent)?;
/// let accuracy = prediction.evaluate(&table, &classifier)?.accuracy();
/// assert_eq!(accuracy, 1.0); // a tree over the features knows the exclusive or
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Classifier {
    pub(super) class_name: String,
    pub(super) class_labels: Vec<String>,
    pub(super) class_counts: Vec<u64>,
    /// Classes by falling size: of classes that tie, the first is predicted.
    pub(super) class_order: Vec<usize>,
    pub(super) features: Vec<CodedFeature>,
    pub(super) options: TrainOptions,
    pub(super) trained: Trained,
    /// What training has to say, in sentences.
    pub(super) notes: Vec<String>,
    /// Cells that meant "no value" when the training table was read, where that is known.
    pub(super) missing_cells: Option<Vec<String>>,
    /// The selection that chose the features, null where there was none.
    pub(super) selection: Value,
}

/// What was learned.
#[derive(Debug, Clone)]
pub(super) enum Trained {
    /// Naive Bayes, TAN, K2, CB, block.
    Network(Box<NetworkModel>),
    /// ID3.
    Tree(Id3),
}

impl Classifier {
    /// The same with ties of equally large classes going to the one whose training row comes
    /// first, so that no measure depends on how classes are called. A model that is kept goes by
    /// its labels: counts know no rows.
    #[must_use]
    pub(crate) fn with_ties_by_row(mut self, class: &Codes) -> Self {
        self.class_order = by_size_and_row(&self.class_counts, class);
        self
    }

    /// Trains a model on a coded table.
    ///
    /// # Errors
    /// A single class, numbers that were not binned where the model needs labels, or the
    /// observer cancelled.
    pub fn train(
        table: &CodedTable,
        options: &TrainOptions,
        observer: &dyn Observer,
    ) -> Result<Self> {
        check_classes(&table.class.counts(), &table.class_name)?;
        let has_values = |feature: &&Feature| match options.model.model().numbers {
            // A column of gaps is a bin of its own for others, but no number.
            NumberUse::Plain if feature.column.as_numeric().is_some() => {
                feature.column.n_distinct() > 0
            }
            _ => has_values(feature),
        };
        let features: Vec<&Feature> = table.features.iter().filter(has_values).collect();
        Classifier::train_features(table, &features, options, observer)
    }

    /// Trains a model on some features of a coded table, each of which has values, in this
    /// order.
    ///
    /// # Errors
    /// As [`Classifier::train`], but for a single class.
    pub(crate) fn train_features(
        table: &CodedTable,
        features: &[&Feature],
        options: &TrainOptions,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let mut notes = Vec::new();
        let model = options.model.model();
        let trained = match &model.learner {
            Learner::Tree => {
                let columns: Vec<Column> = features.iter().map(|f| tree_column(f)).collect();
                let columns: Vec<&Column> = columns.iter().collect();
                let settings = Id3Options {
                    alpha: options.level,
                    cuts: options.cuts,
                };
                Trained::Tree(Id3::fit(&columns, &table.class, &settings, observer)?)
            }
            Learner::Network(learner) => {
                let mut fitted = fit_network(table, features, learner, options, observer)?;
                if model.numbers == NumberUse::Plain {
                    let blocks;
                    (blocks, notes) = fit_numbers(table, features, options, observer)?;
                    fitted = fitted.with_blocks(blocks);
                }
                Trained::Network(Box::new(fitted))
            }
        };
        let class_counts = table.class.counts();
        Ok(Classifier {
            class_name: table.class_name.clone(),
            class_labels: table.class.domain.labels().to_vec(),
            class_order: by_size(&class_counts),
            class_counts,
            features: features
                .iter()
                .map(|feature| match model.numbers {
                    NumberUse::Plain => CodedFeature::with_numbers(feature),
                    NumberUse::Binned | NumberUse::Either => CodedFeature::new(feature),
                })
                .collect(),
            options: options.clone(),
            trained,
            notes,
            missing_cells: None,
            selection: Value::Null,
        })
    }

    /// The same, remembering which cells of the training file meant "no value"
    /// ([`ReadOptions::missing`](crate::data::ReadOptions)), so that other files can be read
    /// as that one was.
    #[must_use]
    pub fn with_missing_cells(mut self, cells: Vec<String>) -> Self {
        self.missing_cells = Some(cells);
        self
    }

    /// Cells that meant "no value" when the training file was read, where that is known.
    pub fn missing_cells(&self) -> Option<&[String]> {
        self.missing_cells.as_deref()
    }

    /// The same, remembering the selection that chose its features, as a document.
    #[must_use]
    pub fn with_selection(mut self, selection: Value) -> Self {
        self.selection = selection;
        self
    }

    /// The selection that chose the features, null where none is known.
    pub fn selection(&self) -> &Value {
        &self.selection
    }

    /// The class's name.
    pub fn class_name(&self) -> &str {
        &self.class_name
    }

    /// The class column of a table: of exactly this name, else the only one of this name in
    /// another letter case that is none of the features.
    pub fn class_column<'a>(&self, table: &'a Table) -> Option<&'a Column> {
        let names: Vec<String> = table.names().map(str::to_owned).collect();
        let place = self.class_place(&names)?;
        Some(&table.columns()[place])
    }

    /// The place of the class among names, as [`Classifier::class_column`] finds it.
    pub(super) fn class_place(&self, names: &[String]) -> Option<usize> {
        let exact = names.iter().position(|name| *name == self.class_name);
        exact.or_else(|| {
            let wanted = self.class_name.to_lowercase();
            let is_feature = |name: &str| self.features.iter().any(|f| f.name == name);
            let mut found = (0..names.len())
                .filter(|&i| names[i].to_lowercase() == wanted && !is_feature(&names[i]));
            match (found.next(), found.next()) {
                (Some(only), None) => Some(only),
                _ => None,
            }
        })
    }

    /// The classes, in code order.
    pub fn class_labels(&self) -> &[String] {
        &self.class_labels
    }

    /// Rows of each class in training.
    pub fn class_counts(&self) -> &[u64] {
        &self.class_counts
    }

    /// The features it was trained on.
    pub fn features(&self) -> &[CodedFeature] {
        &self.features
    }

    /// How it was trained.
    pub fn options(&self) -> &TrainOptions {
        &self.options
    }

    /// The network, where the model is one.
    pub fn network(&self) -> Option<&Network> {
        match &self.trained {
            Trained::Network(model) => Some(model.network()),
            Trained::Tree(_) => None,
        }
    }

    /// The blocks of numbers, where the model has them.
    pub fn blocks(&self) -> Option<&BlockGaussian> {
        match &self.trained {
            Trained::Network(model) => model.blocks.as_ref(),
            Trained::Tree(_) => None,
        }
    }

    /// What training has to say about the data, in sentences; not kept in files.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Positions of the features that prediction reads: those in the class's boundary and
    /// those of blocks that count, or those that a tree asks for.
    pub fn required_features(&self) -> Vec<usize> {
        match &self.trained {
            Trained::Network(model) => {
                let nodes = self.node_features();
                let read = model.network().dag().boundary(model.class_node());
                let mut required: Vec<usize> = read.iter().map(|&node| nodes[node]).collect();
                required.extend(model.number_features());
                required.sort_unstable();
                required
            }
            Trained::Tree(tree) => tree.used_features(),
        }
    }

    /// The feature of every node of the network but the class.
    pub(super) fn node_features(&self) -> Vec<usize> {
        let is_coded = |feature: &CodedFeature| feature.coding != Coding::Numbers;
        (0..self.features.len())
            .filter(|&i| is_coded(&self.features[i]))
            .collect()
    }

    /// Number of free parameters; of a tree, its leaves.
    pub fn n_parameters(&self) -> f64 {
        match &self.trained {
            Trained::Network(model) => {
                let gaussians = model.gaussians.len() * self.class_labels.len() * 2;
                let blocks = model.blocks.as_ref().map_or(0, BlockGaussian::n_parameters);
                model.network().n_parameters() + (gaussians + blocks) as f64
            }
            Trained::Tree(tree) => {
                let leaves = tree.nodes().iter().filter(|node| node.split.is_none());
                leaves.count() as f64
            }
        }
    }
}

/// Refuses rows of fewer than two classes.
pub(super) fn check_classes(counts: &[u64], name: &str) -> Result<()> {
    match counts.iter().filter(|&&n| n > 0).count() {
        0 | 1 => Err(Error::data("all rows are of one class")
            .in_column(name)
            .with_hint("A classifier needs rows of two classes at least.")),
        _ => Ok(()),
    }
}

/// A feature without any value, not even a gap that counts as one, tells nothing.
pub(crate) fn has_values(feature: &Feature) -> bool {
    match feature.coded() {
        Some(coded) => coded.n_values() > 0,
        None => feature.column.n_distinct() > 0,
    }
}

/// A column for a tree: codes where there are any, else numbers.
pub(crate) fn tree_column(feature: &Feature) -> Column {
    use crate::data::{KindOrigin, Values};
    let values = match feature.coded() {
        Some(coded) => Values::Nominal(coded.clone()),
        None => feature.column.values().clone(),
    };
    Column::new(feature.column.name(), values, KindOrigin::Derived)
}

fn fit_network(
    table: &CodedTable,
    features: &[&Feature],
    learner: &NetworkLearner,
    options: &TrainOptions,
    observer: &dyn Observer,
) -> Result<NetworkModel> {
    let (mut variables, mut columns, mut gaussians) = (Vec::new(), Vec::new(), Vec::new());
    let n_classes = table.class.n_values();
    for (position, feature) in features.iter().enumerate() {
        let name = feature.column.name();
        let in_bins = feature.coded();
        match (options.model.model().numbers, feature.column.as_numeric()) {
            // They are in blocks.
            (NumberUse::Plain, Some(_)) => {}
            (NumberUse::Either, Some(numbers)) if in_bins.is_none() => {
                let codes = &table.class.codes;
                let fitted = Gaussian::fit(position, numbers, codes, n_classes, options.divisor);
                gaussians.push(fitted.map_err(|error| error.in_column(name))?);
            }
            _ => {
                let coded = in_bins.ok_or_else(|| options.model.needs_bins().in_column(name))?;
                variables.extend(CodedFeature::new(feature).variable());
                columns.push(CountColumn::from(coded));
            }
        }
    }
    let class = CountColumn::from(&table.class);
    let dag = (learner.by_rows)(&columns, class, options, observer)?;
    variables.push(Variable {
        name: table.class_name.clone(),
        states: table.class.domain.labels().to_vec(),
    });
    columns.push(class);
    let families = count_families(&variables, &dag, &columns, observer)?;
    NetworkModel::from_counts(variables, dag, families, options.smoothing, gaussians)
}

/// The blocks of all numbers, and what there is to say about them.
fn fit_numbers(
    table: &CodedTable,
    features: &[&Feature],
    options: &TrainOptions,
    observer: &dyn Observer,
) -> Result<(BlockGaussian, Vec<String>)> {
    let numbers = features
        .iter()
        .enumerate()
        .filter_map(|(position, feature)| {
            let numbers = feature.column.as_numeric()?;
            Some((position, (feature.column.name(), numbers)))
        });
    let (positions, columns): (Vec<usize>, Vec<(&str, &[f64])>) = numbers.unzip();
    if columns.is_empty() {
        return Ok((BlockGaussian::new(Vec::new(), Vec::new()), Vec::new()));
    }
    let mut fit = fit_blocks(&columns, &table.class, &options.block, observer)?;
    let warnings = std::mem::take(&mut fit.warnings);
    Ok((BlockGaussian::from_fit(fit, &positions), warnings))
}
