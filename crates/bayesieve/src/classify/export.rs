//! The network of a model as a text of any format.

use super::classifier::Classifier;
use super::coding::{CodedFeature, Coding};
use super::model::{Learner, Model, ModelKind, NumberUse};
use crate::network::io::{NetworkFormat, to_dot_with_blocks};
use crate::{Error, Result, parameter};

impl NetworkFormat {
    /// Refuses a format that cannot hold a model of this kind.
    ///
    /// # Errors
    /// A tree, which is no network; the numbers of a block model in anything but a drawing.
    pub fn check(self, model: ModelKind) -> Result<()> {
        let Model {
            learner, numbers, ..
        } = model.model();
        if let Learner::Tree = learner {
            let what = format!("{model} is no network and cannot be written as one");
            let way = parameter("format").is("model");
            return Err(Error::usage(what).with_hint(format!("Write the model ({way}).")));
        }
        if *numbers == NumberUse::Plain && self != NetworkFormat::Dot {
            let what = "a network file cannot hold the numbers of a block model";
            let [model, graph] = ["model", "dot"].map(|way| parameter("format").is(way));
            return Err(Error::usage(what)
                .with_hint(format!("Write the model ({model}) or its graph ({graph}).")));
        }
        Ok(())
    }
}

impl Classifier {
    /// The names of the features of every block, where the model has blocks.
    pub fn block_names(&self) -> Option<Vec<Vec<&str>>> {
        let name = |&feature: &usize| self.features()[feature].name.as_str();
        let blocks = self.blocks()?.blocks().iter();
        let named = blocks.map(|block| block.features.iter().map(name).collect());
        Some(named.collect())
    }

    /// The network as a text.
    ///
    /// # Errors
    /// As [`NetworkFormat::check`]; numbers that are not binned; a name that the format cannot
    /// hold.
    ///
    /// # Example
    /// ```
    /// use bayesieve::Silent;
    /// use bayesieve::classify::{Classifier, ModelKind, NetworkFormat, TrainOptions};
    /// use bayesieve::data::{CodedTable, CodingOptions, Generator, RoleOptions, Roles};
    ///
    /// let table = Generator::Example1.generate(320, 1)?;
    /// let roles = Roles::resolve(&table, &RoleOptions::default())?;
    /// let coded = CodedTable::new(&table, &roles, CodingOptions::default())?;
    /// let train = |model| Classifier::train(&coded, &TrainOptions::new(model), &Silent);
    /// let dot = train(ModelKind::Tan)?.network_text(NetworkFormat::Dot)?;
    /// assert!(dot.starts_with("digraph"));
    /// assert!(train(ModelKind::Id3)?.network_text(NetworkFormat::Dot).is_err());
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    pub fn network_text(&self, format: NetworkFormat) -> Result<String> {
        let model = self.options().model;
        format.check(model)?;
        let is_number = |feature: &&CodedFeature| feature.coding == Coding::Numbers;
        let number = self.features().iter().find(is_number);
        if let Some(feature) = number.filter(|_| model.model().numbers != NumberUse::Plain) {
            return Err(
                Error::usage("a network file cannot hold numbers that are not binned")
                    .in_column(&feature.name)
                    .with_hint(format!(
                        "Bin them ({discretize}), or write the model ({format}).",
                        discretize = parameter("discretize").is("mdlp"),
                        format = parameter("format").is("model")
                    )),
            );
        }
        let network = self
            .network()
            .ok_or_else(|| Error::internal("a model without a network to write"))?;
        if format == NetworkFormat::Dot {
            // The class is the last node.
            let class = network.variables().len() - 1;
            let blocks = self.block_names().unwrap_or_default();
            return Ok(to_dot_with_blocks(network, class, &blocks));
        }
        format.text(network)
    }
}
