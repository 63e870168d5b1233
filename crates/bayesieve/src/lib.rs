//! Finds the smallest set of features a Bayesian-network classifier needs, and says in
//! words and numbers why every other feature can go.
//!
//! This is the library; `cargo install bayesieve-cli` installs the command `bayesieve`.
//!
//! Tables, counts, information, tests, networks, models, scores, searches, selections, and
//! comparisons of all that on rows that were not seen.
//!
//! | type | in a line |
//! |---|---|
//! | [`run::Dataset`] | rows with a class, wherever they are: memory, large files, counts, partitions |
//! | [`run::SelectRequest`] | a question, checked and answered; one such type per task |
//! | [`data::Table`] | named columns, nominal or numeric, read from any common file |
//! | [`data::CodedTable`] | features and a class as codes: gaps settled, numbers binned |
//! | [`counts::RowIndex`] | columns ready to be counted in any combination |
//! | [`counts::CountTable`] | the counts of one or two columns given the class and the fold |
//! | [`counts::Counter`] | counts fed batch by batch, merged, finished |
//! | [`info::PairInformation`] | what two columns tell about each other and the class |
//! | [`describe::Description`] | what a table holds and what each feature tells |
//! | [`score::Score`] | what makes a set of features good, many sets at a time |
//! | [`score::Accuracy`] | one of these: how well a model predicts rows it has not seen |
//! | [`search::Search`] | how sets are walked |
//! | [`select::Selection`] | what was kept, what was dropped and why |
//! | [`network::Network`] | a Bayesian network: learned, read, sampled, asked |
//! | [`separation::Separation`] | how far blocks of features hold the classes apart |
//! | [`classify::Classifier`] | a trained model that reads and predicts other tables |
//! | [`evaluate::Auto`] | the method and the model by the data, corrected for the choice |
//! | [`evaluate::Comparison`] | methods and models on the same splits, with tests and ranks |
//! | [`evaluate::Honest`] | selection and training as one procedure, on rows it has not seen |
//! | [`evaluate::Study`] | many independent units of work, such as a paper's table, that resume |
//! | [`document::SelectionFile`] | a selection read again from the JSON that [`document`] writes |
//! | [`Error`] | what is wrong, where, and the way out |
//!
//! # Which features do I need, and why can the others go?
//! ```
//! use bayesieve::Silent;
//! use bayesieve::run::{Dataset, SelectRequest};
//! # use bayesieve::data::{Generator, write_table};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("data.csv");
//! # write_table(&path, &Generator::Example1.generate(3200, 1)?, &Silent)?;
//!
//! let data = Dataset::read(path)?;
//! let outcome = SelectRequest::method("mdl-fs")?.run(&data, &Silent)?;
//! assert_eq!(outcome.selection.kept_names(), ["A2", "A6", "A1", "A4"]);
//! let a3 = &outcome.selection.dropped[0];
//! assert_eq!(
//!     a3.reason.sentence(),
//!     "with A2 known it tells 0 bits about the class; its table costs 0.0036"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which method should choose them?
//! ```
//! use bayesieve::Silent;
//! use bayesieve::data::{Generator, RoleOptions, Roles};
//! use bayesieve::evaluate::{Auto, AutoOptions};
//! use bayesieve::search::Limits;
//!
//! let table = Generator::Example1.generate(320, 1)?;
//! let roles = Roles::resolve(&table, &RoleOptions::default())?;
//! let options = AutoOptions::default();
//! let auto = Auto { table: &table, roles: &roles, options: &options };
//! let found = auto.choose(None, &Limits::new(&Silent))?;
//! let report = found.selection.auto.as_ref();
//! let taken = report.map(|report| &report.candidates[report.chosen]);
//! assert_eq!(taken.and_then(|taken| taken.accuracy), Some(1.0)); // by rows that were held out
//! assert!(found.selection.kept.len() <= 5);
//! # Ok::<(), bayesieve::Error>(())
//! ```
//!
//! # Is one method better than another, or is it chance?
//! ```
//! use bayesieve::Silent;
//! use bayesieve::data::{Generator, RoleOptions, Roles};
//! use bayesieve::evaluate::{ComparisonStudy, DataSet, Quantity, PairTestKind, Pipeline, conduct};
//! use bayesieve::search::Limits;
//!
//! let table = Generator::Led24.generate(300, 1)?;
//! let roles = Roles::resolve(&table, &RoleOptions::default())?;
//! let data = DataSet::new("led24", (table, roles), Default::default(), "cv:10".parse()?)?;
//! let pipelines = ["all/nb", "mrmr:1/nb"].map(Pipeline::named);
//! let pipelines = pipelines.into_iter().collect::<bayesieve::Result<Vec<_>>>()?;
//! let study = ComparisonStudy::of_all(vec![data], pipelines, 1);
//! let comparison = study.comparison(conduct(&study, None, &Limits::new(&Silent))?);
//! let pair = (0, 1);
//! let test = comparison.pair_test(PairTestKind::CorrectedT, pair, 0, Quantity::ACCURACY)?;
//! assert!(test.is_some_and(|test| test.difference > 0.0 && test.p < 0.05));
//! # Ok::<(), bayesieve::Error>(())
//! ```
//!
//! # What does each column of my file tell about the class?
//! ```
//! use bayesieve::Silent;
//! use bayesieve::data::{CodedTable, CodingOptions, ReadOptions, RoleOptions, Roles, read_table};
//! use bayesieve::describe::{Levels, describe};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("weather.csv");
//! # std::fs::write(&path, "wind,sky,play\nno,sun,yes\nno,rain,yes\nyes,sun,no\nyes,rain,no\n")?;
//! let table = read_table(&path, &ReadOptions::default(), &Silent)?;
//! let roles = Roles::resolve(&table, &RoleOptions::default())?;
//! let coded = CodedTable::new(&table, &roles, CodingOptions::default())?;
//! let description = describe(&coded, Levels::Auto, &Silent)?;
//! let bits = |i: usize| description.features[i].information.map(|i| i.mutual);
//! assert_eq!(bits(0), Some(1.0)); // wind decides
//! assert_eq!(bits(1), Some(0.0)); // the sky tells nothing
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How often does each combination of two columns occur in each class?
//! ```
//! use bayesieve::counts::{Cell, RowIndex};
//! use bayesieve::data::Nominal;
//!
//! let a = Nominal::from_labels(["x", "y", "x", "x"].map(Some));
//! let b = Nominal::from_labels(["u", "u", "v", "u"].map(Some));
//! let class = Nominal::from_labels(["no", "no", "yes", "no"].map(Some));
//! let index = RowIndex::new(&[(&a).into(), (&b).into()], (&class).into())?;
//! let table = index.count_pair(0, 1)?;
//! assert_eq!(table.get(Cell { class: 0, a: 0, b: 0 }), 2); // no, x, u
//! # Ok::<(), bayesieve::Error>(())
//! ```
//!
//! # How do I train a classifier and use it?
//! ```
//! use bayesieve::Silent;
//! use bayesieve::classify::{Classifier, ModelKind, TrainOptions};
//! use bayesieve::data::{CodedTable, CodingOptions, Generator, RoleOptions, Roles};
//!
//! let table = Generator::Led24.generate(500, 1)?;
//! let roles = Roles::resolve(&table, &RoleOptions::default())?;
//! let coded = CodedTable::new(&table, &roles, CodingOptions::default())?;
//! let classifier = Classifier::train(&coded, &TrainOptions::new(ModelKind::NaiveBayes), &Silent)?;
//! let fresh = Generator::Led24.generate(500, 2)?;
//! let evaluation = classifier.predict(&fresh, &Silent)?.evaluate(&fresh, &classifier)?;
//! assert!(evaluation.accuracy() > 0.6); // no classifier can do better than 0.74
//! # Ok::<(), bayesieve::Error>(())
//! ```
//!
//! # How do I bin numbers?
//! ```
//! use bayesieve::data::{Codes, Discretizer, Training};
//!
//! let values: Vec<f64> = (0..100).map(f64::from).collect();
//! let class = Codes::new(2, (0..100).map(|i| Some(u32::from(i >= 40))));
//! let training = Training { class: &class, n_classes: 2, rows: None };
//! let cuts = Discretizer::Mdlp.fit(&values, &training)?;
//! assert_eq!(cuts.as_slice(), [39.5]);
//! # Ok::<(), bayesieve::Error>(())
//! ```

#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod boundary;
pub mod classify;
pub mod counts;
pub mod data;
pub mod describe;
pub mod document;
pub mod evaluate;
mod fingerprint;
pub mod info;
pub mod journal;
pub mod math;
pub mod measure;
pub mod network;
pub mod random;
pub mod run;
pub mod score;
pub mod search;
pub mod select;
pub mod separation;
pub mod setting;
pub mod stats;
pub mod stream;

#[cfg(test)]
pub(crate) use bayesieve_counts::testing;
pub use bayesieve_counts::{
    Error, ErrorKind, Observer, Parameter, Result, Silent, Spelling, parameter, printable, quoted,
    setting, wording,
};
pub(crate) use bayesieve_counts::{Hushed, Part, check, with_codes};

/// The README's program must compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
