//! Who takes part: decided by the size of the data alone.

use super::AutoOptions;
use crate::Result;
use crate::classify::TrainOptions;
use crate::evaluate::pipeline::Pipeline;
use crate::select::SelectOptions;

/// Up to so many features methods take part that look at all pairs of features.
const MAX_FEATURES_OF_PAIRS: usize = 1_000;

/// Up to so many rows a method takes part that counts joint tables of all kept features.
const MAX_ROWS_OF_JOINT_TABLES: usize = 200_000;

/// Up to this size every number of features is judged; beyond, sizes grow by a quarter.
const LAST_OF_ALL_SIZES: usize = 32;

/// Features at the front of an order that are judged; fewer where there are so many that some
/// come first by chance.
const MAX_PATH: usize = 128;
const MAX_PATH_OF_MANY: usize = 64;

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
}

/// A method with the models that are judged on what it keeps.
#[derive(Debug, Clone)]
pub(super) struct AutoMethod {
    pub(super) selection: SelectOptions,
    pub(super) models: Vec<TrainOptions>,
}

impl AutoMethod {
    /// Method and model, as pipelines are named.
    pub(super) fn name(&self, model: usize) -> String {
        let method = self.selection.method().name;
        format!("{method}/{}", self.models[model].model.name())
    }

    /// Its name in messages: what chooses.
    pub(super) fn title(&self) -> String {
        let by_model = self.selection.model().map(|model| format!("/{model}"));
        format!(
            "{}{}",
            self.selection.method().name,
            by_model.unwrap_or_default()
        )
    }
}

/// The methods, the fastest first: a budget that cuts them short leaves these; and the names of
/// those that are not fast at this size.
pub(super) fn of_size(
    size: TableSize,
    options: &AutoOptions,
) -> Result<(Vec<AutoMethod>, Vec<String>)> {
    if let Some(selection) = &options.method {
        return Ok((vec![alone(selection, options)?], Vec::new()));
    }
    let models = match options.model {
        Some(model) => vec![model.name()],
        None => vec!["nb", "tan"],
    };
    let (mut methods, mut slow): (Vec<AutoMethod>, Vec<String>) = Default::default();
    for method in METHODS {
        for model in &models {
            let name = format!("{method}/{model}");
            if !size.is_fast(method, model) {
                slow.push(name);
                continue;
            }
            let pipeline = Pipeline::named(&name)?
                .with_seed(options.seed)
                .with_keep(&options.keep)
                .with_coding(options.coding);
            // Missing values left as they are, as one example, are not for every method.
            let Ok(pipeline) = pipeline else { continue };
            let (Some(selection), Some(training)) = (pipeline.selection(), pipeline.training())
            else {
                continue;
            };
            let mut selection = priced(selection)?;
            selection.n_needed = options.count.unwrap_or(0);
            selection.drops_duplicates = true;
            let selection = &selection;
            if options.count.is_some() && selection.order().is_none() {
                continue;
            }
            let same = methods
                .iter_mut()
                .find(|known| known.selection.is_same(selection));
            match same {
                Some(same) => same.models.push(training.clone()),
                None => methods.push(AutoMethod {
                    selection: selection.clone(),
                    models: vec![training.clone()],
                }),
            }
        }
    }
    Ok((methods, slow))
}

/// The method with the names of the features in its price, where it can have them: the choice is
/// for tables of any width.
fn priced(selection: &SelectOptions) -> Result<SelectOptions> {
    let selection = selection.clone();
    if selection.has_setting("naming") {
        return selection.with_settings(["naming=on"]);
    }
    Ok(selection)
}

/// A method that was named, with the model that goes with it.
fn alone(selection: &SelectOptions, options: &AutoOptions) -> Result<AutoMethod> {
    let models = match (options.model, selection.model()) {
        (Some(model), _) | (None, Some(model)) => vec![TrainOptions::new(model)],
        (None, None) => {
            let own = selection.final_training()?;
            let tan = TrainOptions::new(crate::classify::ModelKind::Tan);
            if own.model == tan.model {
                vec![own]
            } else {
                vec![own, tan]
            }
        }
    };
    Ok(AutoMethod {
        selection: selection.clone(),
        models,
    })
}

impl TableSize {
    fn is_fast(self, method: &str, model: &str) -> bool {
        let has_few_features = self.n_features <= MAX_FEATURES_OF_PAIRS;
        match method {
            "cdc-as" => has_few_features && self.n_rows <= MAX_ROWS_OF_JOINT_TABLES,
            "cfs" | "koller-sahami" | "rpdmb" => has_few_features,
            // A network over all features looks at all pairs of them.
            "all" => has_few_features || model == "nb",
            _ => true,
        }
    }

    /// How far orders are judged.
    pub(super) fn max_path(self) -> usize {
        let most = if self.n_features > MAX_FEATURES_OF_PAIRS {
            MAX_PATH_OF_MANY
        } else {
            MAX_PATH
        };
        most.min(self.n_features)
    }
}

/// Numbers of features to judge, up to a largest one.
pub(super) fn sizes(from: usize, max: usize) -> Vec<usize> {
    let mut sizes: Vec<usize> = (from..=max.min(LAST_OF_ALL_SIZES).max(from)).collect();
    let mut size = LAST_OF_ALL_SIZES;
    while size < max {
        size = (size + size / 4).min(max);
        if size > from {
            sizes.push(size);
        }
    }
    sizes
}

/// All that may take part, the fastest first.
const METHODS: [&str; 8] = [
    "mdl-fs",
    "mrmr",
    "jmi",
    "cfs",
    "all",
    "koller-sahami",
    "rpdmb",
    "cdc-as",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::ModelKind;
    use crate::data::{CodingOptions, MissingPolicy};

    fn names(n_rows: usize, n_features: usize, options: &AutoOptions) -> Vec<String> {
        let size = TableSize { n_rows, n_features };
        let (methods, _) = of_size(size, options).unwrap();
        let names = methods
            .iter()
            .flat_map(|method| (0..method.models.len()).map(|model| method.name(model)));
        names.collect()
    }

    #[test]
    fn the_size_decides() {
        let options = AutoOptions::default();
        let has = |n_rows, n_features, method: &str| {
            let names = names(n_rows, n_features, &options);
            names.contains(&format!("{method}/nb")) && names.contains(&format!("{method}/tan"))
        };
        assert!(has(1_000_000, 1_000, "rpdmb") && !has(10, 1_001, "rpdmb"));
        assert!(has(200_000, 1_000, "cdc-as") && !has(200_001, 10, "cdc-as"));
        for method in ["mdl-fs", "jmi", "mrmr"] {
            assert!(has(1_000_000, 100_000, method), "{method}");
        }
        assert!(has(10, 1_000, "all") && !has(10, 1_001, "all"));
        assert!(names(10, 1_001, &options).contains(&"all/nb".to_owned()));
        assert_eq!([3, 20_000, 20_001, 300_000].map(n_folds), [3, 10, 5, 3]);
    }

    #[test]
    fn a_model_that_is_asked_for_is_the_only_one() {
        let options = AutoOptions {
            model: Some(ModelKind::Id3),
            ..AutoOptions::default()
        };
        let names = names(100, 10, &options);
        let is_tree = |name: &String| name.ends_with("/id3");
        assert!(
            names.len() == METHODS.len() && names.iter().all(is_tree),
            "{names:?}"
        );
    }

    #[test]
    fn a_number_of_features_leaves_the_methods_with_an_order() {
        let options = AutoOptions {
            count: Some(3),
            ..AutoOptions::default()
        };
        let names = names(100, 10, &options);
        assert!(names.contains(&"mrmr/nb".to_owned()), "{names:?}");
        assert!(
            !names.iter().any(|name| name.starts_with("rpdmb")),
            "{names:?}"
        );
    }

    #[test]
    fn missing_values_left_as_they_are_leave_those_that_can_do_with_them() {
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

    #[test]
    fn every_size_up_to_32_is_judged_and_a_quarter_more_beyond() {
        assert_eq!(sizes(0, 3), [0, 1, 2, 3]);
        assert_eq!(sizes(2, 2), [2]);
        assert_eq!(sizes(0, 64)[32..], [32, 40, 50, 62, 64]);
    }
}
