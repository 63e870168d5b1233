//! The data sets and models of the study.

use bayesieve::data::Generator;

use super::super::recipe::{PaperData, Source, Step};

const NUMBERS: &[Step] = &[Step::Numbers { but: &[] }];
/// Four columns of anneal are labels that look like numbers.
const ANNEAL: &[Step] = &[Step::Numbers {
    but: &["formability", "enamelability", "bore", "packing"],
}];

const fn in_file(name: &'static str, file: &'static str, steps: &'static [Step]) -> PaperData {
    PaperData {
        name,
        source: Source::File(file),
        steps,
    }
}

const fn generated(name: &'static str, generator: Generator, n_rows: usize) -> PaperData {
    PaperData {
        name,
        source: Source::Generated(generator, n_rows),
        steps: &[],
    }
}

/// The data sets, in the paper's order and by its names.
pub(super) const DATA: [PaperData; 8] = [
    in_file("Ionosphere", "ionosphere", NUMBERS),
    in_file("Horse-colic", "horse-colic", NUMBERS),
    in_file("Anneal", "anneal", ANNEAL),
    generated("LED24", Generator::Led24, 1000),
    in_file("Image", "segment", NUMBERS),
    generated("Redundant21", Generator::Redundant21, 2500),
    in_file("Sick-euthyroid", "sick-euthyroid", NUMBERS),
    in_file("Chess", "chess", &[]),
];

/// All features, and those of FSS-EBNA.
pub(super) const SIDES: [&str; 2] = ["without", "with"];

/// A model, and where its figures are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Model {
    pub(super) name: &'static str,
    /// As the paper writes it.
    pub(super) published: &'static str,
    /// The tables of accuracies and of numbers of features.
    pub(super) tables: [&'static str; 2],
    settings: &'static str,
}

/// The models, naive Bayes first: it is the faster one.
pub(super) const MODELS: [Model; 2] = [
    Model {
        name: "nb",
        published: "NB",
        tables: ["3", "5"],
        settings: "",
    },
    Model {
        name: "id3",
        published: "ID3",
        tables: ["2", "4"],
        settings: ",level=0.5,cuts=gain",
    },
];

impl Model {
    /// Its pipeline without or with FSS-EBNA; the paper returns the best set as it is.
    pub(super) fn pipeline(&self, side: &str, population: u32) -> String {
        let (name, settings) = (self.name, self.settings);
        match side {
            "without" => format!("all/{name}{settings}"),
            _ => format!("fss-ebna/{name},rule=best,population={population}{settings}"),
        }
    }
}
