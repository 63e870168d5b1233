//! Training from counts of rows that are somewhere else.

use serde_json::Value;

use super::classifier::{Classifier, Trained, check_classes, has_values};
use super::coding::CodedFeature;
use super::model::{Learner, NetworkLearner};
use super::network_model::NetworkModel;
use super::options::TrainOptions;
use super::prediction::by_size;
use crate::data::Feature;
use crate::info::Counted;
use crate::network::{FamilyCounts, Variable};
use crate::{Error, Observer, Result};

impl Classifier {
    /// As [`Classifier::train`], from counts of rows that are somewhere else: the same model
    /// to the last count. Naive Bayes and TAN work on counts. Counts do not know which class
    /// comes first: of equally large classes that tie, the one of the lower code is predicted.
    ///
    /// # Errors
    /// Another model, rows of a single class, counts that cannot be had, or the observer
    /// cancelled.
    ///
    /// # Cost
    /// For TAN the pairs of all features, then a table of two features for every one; for
    /// naive Bayes the tables of single features.
    ///
    /// # Example
    /// ```
    /// use std::sync::Arc;
    ///
    /// use bayesieve::Silent;
    /// use bayesieve::classify::{Classifier, ModelKind, TrainOptions};
    /// use bayesieve::counts::CountFile;
    /// use bayesieve::data::{CodedTable, CodingOptions, Domains, Generator, RoleOptions, Roles};
    /// use bayesieve::info::Counted;
    ///
    /// let table = Generator::Example1.generate(320, 1)?;
    /// let roles = Roles::resolve(&table, &RoleOptions::default())?;
    /// let coded = CodedTable::new(&table, &roles, CodingOptions::default())?;
    /// let domains = Domains::of(&coded, CodingOptions::default())?;
    /// let mut counter = CountFile::counter(&domains)?;
    /// let features: Vec<_> = coded.features.iter().filter_map(|f| f.coded()).collect();
    /// let codes: Vec<_> = features.iter().map(|feature| &feature.codes).collect();
    /// counter.observe(&codes, &coded.class.codes)?;
    /// let file = CountFile::new(domains.clone(), "all", counter.finish())?;
    /// let counted = Counted::of_tables(&domains, Arc::new(file))?;
    ///
    /// let options = TrainOptions::new(ModelKind::Tan);
    /// let by_counts = Classifier::train_counted(&counted, &options, &Silent)?;
    /// let by_rows = Classifier::train(&coded, &options, &Silent)?;
    /// assert_eq!(by_counts.to_json()?, by_rows.to_json()?);
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    pub fn train_counted(
        counted: &Counted,
        options: &TrainOptions,
        observer: &dyn Observer,
    ) -> Result<Self> {
        options.model.check_counts()?;
        let Learner::Network(NetworkLearner {
            by_counts: Some(graph),
            ..
        }) = options.model.model().learner
        else {
            return Err(Error::internal("a model that is not learned from counts"));
        };
        let outline = counted.outline();
        let class_counts = counted.tables().class_counts().to_vec();
        check_classes(&class_counts, &outline.class_name)?;
        let features = outline.features.iter().enumerate();
        let features = features.filter(|(_, feature)| has_values(feature));
        let (places, features): (Vec<usize>, Vec<&Feature>) = features.unzip();
        let features: Vec<CodedFeature> = features.into_iter().map(CodedFeature::new).collect();
        let informations = counted.informations(&places)?;
        let dag = graph(&informations, observer)?;
        let class_labels = outline.class.domain.labels().to_vec();
        let class = Variable {
            name: outline.class_name.clone(),
            states: class_labels.clone(),
        };
        let variables = features.iter().filter_map(CodedFeature::variable);
        let variables = variables.chain([class]).collect();
        let family = |node: usize| [dag.parents(node), &[node]].concat();
        let sets: Vec<Vec<usize>> = (0..dag.n_nodes()).map(family).collect();
        let nodes = informations.nodes();
        let families = nodes.map_rows(&sets, observer, |_, rows| FamilyCounts::of_rows(rows))?;
        let model =
            NetworkModel::from_counts(variables, dag, families, options.smoothing, Vec::new())?;
        Ok(Classifier {
            class_name: outline.class_name.clone(),
            class_labels,
            class_order: by_size(&class_counts),
            class_counts,
            features,
            options: options.clone(),
            trained: Trained::Network(Box::new(model)),
            notes: Vec::new(),
            missing_cells: None,
            selection: Value::Null,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::ModelKind;
    use super::*;
    use crate::data::{CodedTable, MissingPolicy};
    use crate::info::testing::{counted, counted_pairs, counted_tight, mixed, named_tables};
    use crate::{ErrorKind, Silent};

    fn text(classifier: Result<Classifier>) -> String {
        let classifier = classifier.unwrap().with_missing_cells(vec!["?".into()]);
        classifier.to_json().unwrap()
    }

    fn options() -> Vec<TrainOptions> {
        let settings: [&[&str]; 4] = [
            &[],
            &["alpha=0.5"],
            &["smoothing=dirichlet"],
            &["smoothing=ml"],
        ];
        let models = [ModelKind::NaiveBayes, ModelKind::Tan];
        let models = models.iter().flat_map(|&model| {
            let with = move |settings: &&[&'static str]| {
                let options = TrainOptions::new(model);
                options.with_settings(settings.iter().copied()).unwrap()
            };
            settings.iter().map(with).collect::<Vec<_>>()
        });
        models.collect()
    }

    fn compare(name: &str, table: &CodedTable) {
        let sources = [
            counted(table, 57, 1 << 30),
            counted_tight(table),
            counted_pairs(table),
        ];
        for options in options() {
            let by_rows = text(Classifier::train(table, &options, &Silent));
            for source in &sources {
                let by_counts = text(Classifier::train_counted(source, &options, &Silent));
                assert_eq!(by_counts, by_rows, "{} on {name}", options.model);
            }
        }
    }

    #[test]
    fn counts_train_the_same_model_as_rows() {
        for (name, table) in named_tables() {
            compare(name, &table);
        }
    }

    #[test]
    fn gaps_left_open_are_counted_as_in_memory() {
        compare("gaps left open", &mixed(700, MissingPolicy::Available));
    }

    #[test]
    fn other_models_name_those_that_work_on_counts() {
        let (_, table) = named_tables().remove(0);
        let source = counted(&table, 57, 1 << 30);
        for model in ModelKind::ALL {
            let trained = Classifier::train_counted(&source, &TrainOptions::new(model), &Silent);
            if model.model().takes_counts() {
                assert!(trained.is_ok())
            } else {
                let error = trained.unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Usage);
                let text = error.to_string();
                assert!(
                    text.starts_with(&format!("{model} needs the rows")),
                    "{text}"
                );
                assert!(text.contains("nb or tan"), "{text}");
            }
        }
    }

    #[test]
    fn one_class_is_refused() {
        let text = "a,class\nx,k\ny,k\n";
        let source = counted(&crate::info::testing::coded(text), 57, 1 << 30);
        let options = TrainOptions::new(ModelKind::Tan);
        let error = Classifier::train_counted(&source, &options, &Silent).unwrap_err();
        assert!(error.to_string().contains("all rows are of one class"));
    }
}
