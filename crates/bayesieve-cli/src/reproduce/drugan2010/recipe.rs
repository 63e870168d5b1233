//! The data sets, methods and models of the study.

use bayesieve::data::Generator;

use super::super::recipe::{PaperData, Source, Step};

/// Incomplete rows are out, and numbers are in bins before rows are split.
const BINNED: &[Step] = &[Step::Numbers { but: &[] }, Step::Complete, Step::Bins];
/// The same, with bins by the training rows of every run.
const IN_NUMBERS: &[Step] = &[Step::Numbers { but: &[] }, Step::Complete];
const LABELS: &[Step] = &[Step::Complete];
/// Letters that stand for several bases are incomplete cells.
const BASES: &[Step] = &[Step::Only(&["A", "C", "G", "T"])];

/// A data set in a file of labels.
const fn labels(name: &'static str, file: &'static str) -> PaperData {
    PaperData {
        name,
        source: Source::File(file),
        steps: LABELS,
    }
}

/// A data set in a file with numbers.
const fn numbers(name: &'static str, file: &'static str) -> PaperData {
    PaperData {
        name,
        source: Source::File(file),
        steps: BINNED,
    }
}

/// The data sets, in the paper's order and by its names.
pub(super) const DATA: [PaperData; 15] = [
    PaperData {
        name: "oesoca",
        source: Source::NotPublic,
        steps: &[],
    },
    PaperData {
        name: "artif",
        source: Source::Generated(Generator::Example1, 3200),
        steps: &[],
    },
    labels("chess", "chess"),
    labels("mush", "mushroom"),
    PaperData {
        name: "splice",
        source: Source::File("splice"),
        steps: BASES,
    },
    numbers("spam", "spambase"),
    numbers("adult", "adult"),
    labels("car", "car"),
    labels("nursery", "nursery"),
    labels("conn", "connect-4"),
    numbers("german", "german"),
    labels("votes", "votes"),
    labels("spect", "spect"),
    numbers("pima", "pima"),
    numbers("credit", "credit"),
];

/// A data set whose numbers are cut by training rows alone.
pub(super) fn cut_in_training(data: PaperData) -> PaperData {
    let steps = if data.steps == BINNED {
        IN_NUMBERS
    } else {
        data.steps
    };
    PaperData { steps, ..data }
}

/// The models.
pub(super) const MODELS: [&str; 2] = ["nb", "tan"];

/// A way to select features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Method {
    pub(super) name: &'static str,
    /// What the paper calls it; nothing for what it does not have.
    pub(super) published: Option<&'static str>,
    /// The library's method, and its settings.
    method: &'static str,
    settings: &'static str,
}

/// The methods in the order of Table 4, then those beyond the paper.
pub(super) const METHODS: [Method; 7] = [
    method("full", Some("Full"), "all", ""),
    method("mdl-fs", Some("MDL-FS"), "mdl-fs", ""),
    method("mdl", Some("MDL"), "mdl", ""),
    method(
        "accuracy",
        Some("Acc"),
        "wrapper",
        ",estimate=train,empty=nothing",
    ),
    method(
        "koller-sahami",
        Some("K&S"),
        "koller-sahami",
        ",blanket=strongest",
    ),
    method("hall", Some("Hall"), "cfs", ",search=forward"),
    method("koller-sahami-min", None, "koller-sahami", ",blanket=min"),
];

/// The methods of the paper.
pub(super) const N_PUBLISHED: usize = 6;

const fn method(
    name: &'static str,
    published: Option<&'static str>,
    method: &'static str,
    settings: &'static str,
) -> Method {
    Method {
        name,
        published,
        method,
        settings,
    }
}

impl Method {
    /// As a pipeline with a model; the paper takes plain frequencies for probabilities.
    pub(super) fn pipeline(&self, model: &str) -> String {
        format!("{}/{model},smoothing=ml{}", self.method, self.settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_move_into_training_where_there_are_numbers() {
        let steps = |name: &str| {
            let data = DATA.iter().find(|data| data.name == name).unwrap();
            cut_in_training(*data).steps
        };
        assert!(!steps("adult").contains(&Step::Bins));
        assert_eq!(steps("chess"), LABELS);
        assert_eq!(steps("splice"), BASES);
    }

    #[test]
    fn the_papers_methods_come_first() {
        let (paper, beyond) = METHODS.split_at(N_PUBLISHED);
        assert!(paper.iter().all(|method| method.published.is_some()));
        assert!(beyond.iter().all(|method| method.published.is_none()));
    }
}
