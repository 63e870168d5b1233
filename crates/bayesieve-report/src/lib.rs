//! Pages for people about what Bayesieve found: one file each, with nothing to fetch and nothing
//! that runs, drawings included, readable on a phone, on paper, in the dark and by ear.
//!
//! | function | the page says |
//! |---|---|
//! | [`description()`] | what the columns hold and tell about the class |
//! | [`selection()`] | which features are kept, what they buy, why the others are out |
//! | [`model()`] | what a trained model reads and how its features hang together |
//! | [`comparison()`] | who predicts best from how many features, and what is chance |
//! | [`reproduction()`] | a paper's figures and ours |
//!
//! A page is a text; whoever asks for it writes it where it belongs. The same results give the
//! same page, to the last byte. Everything that comes from data is escaped on its way in.
//!
//! # How do I get a page about a selection?
//! ```
//! use bayesieve::Silent;
//! use bayesieve::data::Generator;
//! use bayesieve::run::{DataRequest, Dataset, SelectRequest};
//! use bayesieve_report::{About, selection};
//!
//! let table = Generator::Example1.generate(320, 1)?;
//! let data = Dataset::of_table(table, DataRequest::default())?;
//! let outcome = SelectRequest::method("mdl-fs")?.run(&data, &Silent)?;
//! let about = About { file: "example1.csv".into(), ..About::default() };
//! let page = selection(&about, &outcome);
//! assert!(page.starts_with("<!DOCTYPE html>"));
//! assert!(page.contains("Keeps 4 of 8 features to predict C"));
//! # Ok::<(), bayesieve::Error>(())
//! ```

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod balance;
mod chart;
mod comparison;
mod confusion;
mod description;
pub mod draw;
mod escape;
mod html;
mod labels;
mod model;
mod network;
mod page;
mod reproduction;
mod scatter;
mod selection;
mod series;
mod table;
#[cfg(test)]
mod testing;

pub use comparison::comparison;
pub use description::{DescriptionReport, description};
pub use model::{ModelReport, model};
pub use page::About;
pub use reproduction::{
    ReproducedCell, ReproducedConclusion, ReproducedPanel, ReproductionReport, reproduction,
};
pub use selection::selection;
