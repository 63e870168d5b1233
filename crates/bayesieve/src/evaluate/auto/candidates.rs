//! Who takes part: decided by the size of the data alone.

use super::AutoOptions;
use crate::Result;
use crate::evaluate::pipeline::Pipeline;

/// Up to these sizes FSS-EBNA takes part.
const MAX_ROWS_OF_POPULATIONS: usize = 5_000;
const MAX_FEATURES_OF_POPULATIONS: usize = 100;

/// Up to so many cells in a table of two features FSS-EBNA takes part with networks.
const MAX_CELLS_OF_POPULATIONS: usize = 20_000;

/// Up to so many features methods take part that look at all pairs of features.
const MAX_FEATURES_OF_PAIRS: usize = 1_000;

/// Up to so many rows a method takes part that counts joint tables of all kept features.
const MAX_ROWS_OF_JOINT_TABLES: usize = 200_000;

/// Folds of a table of so many rows: fewer for many, where each fold is large anyway.
pub(super) fn n_folds(n_rows: usize) -> usize {
    let wished = match n_rows {
        0..=20_000 => 10,
        20_001..=200_000 => 5,
        _ => 3,
    };
    wished.min(n_rows).max(2)
}

/// What decides who takes part.
#[derive(Debug, Clone, Copy)]
pub(super) struct TableSize {
    pub(super) n_rows: usize,
    pub(super) n_features: usize,
    /// Cells of the largest table of two features and the class.
    pub(super) n_cells: usize,
}

/// The candidates, the fastest first: a budget that cuts them short leaves these; and the names
/// of those that are not fast at this size.
pub(super) fn of_size(
    size: TableSize,
    options: &AutoOptions,
) -> Result<(Vec<Pipeline>, Vec<String>)> {
    let models = match options.model {
        Some(model) => vec![model.name()],
        None => vec!["nb", "tan"],
    };
    let (mut pipelines, mut slow) = (Vec::new(), Vec::new());
    for method in METHODS {
        for model in &models {
            let name = format!("{method}/{model}");
            if !size.is_fast(method, model) {
                slow.push(name);
                continue;
            }
            let pipeline = Pipeline::named(&format!("{name}{}", settings(method)))?
                .with_name(name)
                .with_seed(options.seed)
                .with_keep(&options.keep);
            // Gaps left open, as one example, are not for every method.
            pipelines.extend(pipeline.with_coding(options.coding));
        }
    }
    Ok((pipelines, slow))
}

impl TableSize {
    fn is_fast(self, method: &str, model: &str) -> bool {
        let has_few_features = self.n_features <= MAX_FEATURES_OF_PAIRS;
        match method {
            "fss-ebna" => {
                let is_small = self.n_rows <= MAX_ROWS_OF_POPULATIONS
                    && self.n_features <= MAX_FEATURES_OF_POPULATIONS;
                // Thousands of networks are trained, each with tables of two features.
                is_small && (model == "nb" || self.n_cells <= MAX_CELLS_OF_POPULATIONS)
            }
            "cdc-as" => has_few_features && self.n_rows <= MAX_ROWS_OF_JOINT_TABLES,
            "mdl" | "koller-sahami" | "rpdmb" => has_few_features,
            // A network over all features looks at all pairs of them.
            "all" => has_few_features || model == "nb",
            _ => true,
        }
    }
}

/// All that may take part, the fastest first.
const METHODS: [&str; 9] = [
    "mdl-fs",
    "cfs",
    "mrmr",
    "all",
    "mdl",
    "koller-sahami",
    "rpdmb",
    "cdc-as",
    "fss-ebna",
];

/// Settings of candidates that are not the defaults.
fn settings(method: &str) -> &'static str {
    match method {
        // The folds of the choice test it anyway: one run of folds inside is enough.
        "fss-ebna" => ",repeat=1",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::ModelKind;
    use crate::data::{CodingOptions, MissingPolicy};

    fn names(n_rows: usize, n_features: usize, options: &AutoOptions) -> Vec<String> {
        let size = TableSize {
            n_rows,
            n_features,
            n_cells: 8,
        };
        let (pipelines, _) = of_size(size, options).unwrap();
        pipelines.iter().map(|one| one.name().to_owned()).collect()
    }

    #[test]
    fn the_size_decides() {
        let options = AutoOptions::default();
        let has = |n_rows, n_features, method: &str| {
            let names = names(n_rows, n_features, &options);
            names.contains(&format!("{method}/nb")) && names.contains(&format!("{method}/tan"))
        };
        assert!(has(5_000, 100, "fss-ebna"));
        assert!(!has(5_001, 100, "fss-ebna") && !has(5_000, 101, "fss-ebna"));
        assert!(has(1_000_000, 1_000, "rpdmb") && !has(10, 1_001, "rpdmb"));
        assert!(has(200_000, 1_000, "cdc-as") && !has(200_001, 10, "cdc-as"));
        for method in ["mdl-fs", "cfs", "mrmr"] {
            assert!(has(1_000_000, 100_000, method), "{method}");
        }
        assert!(has(10, 1_000, "all") && !has(10, 1_001, "all"));
        assert!(names(10, 1_001, &options).contains(&"all/nb".to_owned()));
        assert_eq!(
            [
                n_folds(3),
                n_folds(20_000),
                n_folds(20_001),
                n_folds(300_000)
            ],
            [3, 10, 5, 3]
        );
    }

    #[test]
    fn large_tables_leave_networks_of_populations_out() {
        let names_of = |n_cells| {
            let size = TableSize {
                n_rows: 900,
                n_features: 8,
                n_cells,
            };
            let (pipelines, slow) = of_size(size, &AutoOptions::default()).unwrap();
            assert_eq!(pipelines.len() + slow.len(), 18);
            slow
        };
        assert!(names_of(20_000).is_empty());
        assert_eq!(names_of(20_001), ["fss-ebna/tan"]);
    }

    #[test]
    fn a_model_that_is_asked_for_is_the_only_one() {
        let options = AutoOptions {
            model: Some(ModelKind::Id3),
            ..AutoOptions::default()
        };
        let names = names(100, 10, &options);
        assert!(
            names.len() == 9 && names.iter().all(|name| name.ends_with("/id3")),
            "{names:?}"
        );
    }

    #[test]
    fn open_gaps_leave_those_that_can_do_with_them() {
        let options = AutoOptions {
            coding: CodingOptions {
                missing: MissingPolicy::Available,
                ..CodingOptions::default()
            },
            ..AutoOptions::default()
        };
        let names = names(100, 10, &options);
        assert!(names.contains(&"cfs/nb".to_owned()), "{names:?}");
        assert!(!names.contains(&"mdl-fs/nb".to_owned()), "{names:?}");
    }
}
