//! Who takes part: decided by the size of the data alone.

use super::AutoOptions;
use crate::error::Result;
use crate::evaluate::pipeline::Pipeline;

/// Up to these sizes FSS-EBNA takes part.
const MOST_ROWS_OF_POPULATIONS: usize = 5_000;
const MOST_FEATURES_OF_POPULATIONS: usize = 100;

/// Up to so many features methods take part that look at all pairs of features.
const MOST_FEATURES_OF_PAIRS: usize = 1_000;

/// Up to so many rows a method takes part that counts joint tables of all kept features.
const MOST_ROWS_OF_JOINT_TABLES: usize = 200_000;

/// Folds of a table of so many rows: fewer for many, where each fold is large anyway.
pub(super) fn n_folds(n_rows: usize) -> usize {
    let wished = match n_rows {
        0..=20_000 => 10,
        20_001..=200_000 => 5,
        _ => 3,
    };
    wished.min(n_rows).max(2)
}

/// The candidates, the fastest first: a budget that cuts them short leaves these.
pub(super) fn of_size(
    n_rows: usize,
    n_features: usize,
    options: &AutoOptions,
) -> Result<Vec<Pipeline>> {
    let takes_part = |method: &&&str| match **method {
        "fss-ebna" => {
            n_rows <= MOST_ROWS_OF_POPULATIONS && n_features <= MOST_FEATURES_OF_POPULATIONS
        }
        "cdc-as" => n_features <= MOST_FEATURES_OF_PAIRS && n_rows <= MOST_ROWS_OF_JOINT_TABLES,
        "mdl" | "koller-sahami" | "rpdmb" => n_features <= MOST_FEATURES_OF_PAIRS,
        _ => true,
    };
    let methods = [
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
    let models = match options.model {
        Some(model) => vec![model.name()],
        None => vec!["tan", "nb"],
    };
    let mut pipelines = Vec::new();
    let looks_at_pairs = |method: &str, model: &str| method == "all" && model != "nb";
    for method in methods.iter().filter(takes_part) {
        for model in &models {
            // A network over all features looks at all pairs of them.
            if n_features > MOST_FEATURES_OF_PAIRS && looks_at_pairs(method, model) {
                continue;
            }
            let name = format!("{method}/{model}");
            let pipeline = Pipeline::named(&format!("{name}{}", settings(method)))?
                .with_name(name)
                .with_seed(options.seed)
                .with_keep(&options.keep);
            // Gaps left open, as one example, are not for every method.
            pipelines.extend(pipeline.with_coding(options.coding));
        }
    }
    Ok(pipelines)
}

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
        let pipelines = of_size(n_rows, n_features, options).unwrap();
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
