use super::*;
use crate::Silent;
use crate::classify::Classifier;
use crate::data::split::Rows;
use crate::data::{
    Column, Discretizer, Generator, KindOrigin, MissingPolicy, Nominal, RoleOptions, Roles, Table,
    Values,
};
use crate::network::Smoothing;
use crate::random::{Purpose, below, stream, unit};
use crate::score::Remembered;
use crate::testing::assert_stops;

pub(super) const CV: Estimate = Estimate::CrossValidation {
    n_folds: 5,
    runs: Runs::Fixed(1),
};

pub(super) fn options(model: ModelKind, estimate: Estimate) -> AccuracyOptions {
    AccuracyOptions {
        training: TrainOptions::new(model),
        coding: CodingOptions::default(),
        estimate,
        folds: None,
        seed: 1,
        measure: Measure::ACCURACY,
        stakes: None,
    }
}

pub(super) fn coded(table: &Table, coding: CodingOptions) -> CodedTable {
    let roles = Roles::resolve(table, &RoleOptions::default()).unwrap();
    CodedTable::new(table, &roles, coding).unwrap()
}

/// Labels, numbers, gaps, a label that one row has, and a class that leans on some of them.
pub(super) fn mixed(n_rows: usize, n_classes: u64, seed: u64) -> Table {
    let mut rng = stream(seed, Purpose::Generate, 11);
    let class: Vec<u64> = (0..n_rows).map(|_| below(&mut rng, n_classes)).collect();
    let nominal = |name: &str, cells: Vec<Option<String>>| {
        let labels = cells.iter().map(Option::as_deref);
        let nominal = Nominal::from_labels(labels);
        Column::new(name, Values::Nominal(nominal), KindOrigin::Text)
    };
    let mut columns = Vec::new();
    for (feature, n_values) in [2, 3, 4, 2, 3].into_iter().enumerate() {
        let cells = class.iter().enumerate().map(|(row, &class)| {
            if row == 3 && feature == 2 {
                return Some("once".to_owned());
            }
            let has_gap = feature == 3 && below(&mut rng, 40) == 0;
            let drawn = below(&mut rng, n_values);
            let leans = unit(&mut rng) < 0.2 * feature as f64;
            let value = if leans { class % n_values } else { drawn };
            (!has_gap).then(|| format!("v{value}"))
        });
        columns.push(nominal(&format!("f{feature}"), cells.collect()));
    }
    for feature in 0..3 {
        let numbers = class.iter().map(|&class| {
            let noise = unit(&mut rng) + unit(&mut rng);
            match below(&mut rng, 50) {
                0 => f64::NAN,
                _ => class as f64 * 0.3 * f64::from(feature) + noise,
            }
        });
        let values = Values::Numeric(numbers.collect());
        columns.push(Column::new(
            format!("x{feature}"),
            values,
            KindOrigin::Numbers,
        ));
    }
    let class = class.iter().map(|class| Some(format!("c{class}")));
    columns.push(nominal("class", class.collect()));
    Table::new(columns).unwrap()
}

/// The plain way: a classifier per fold, trained on its rows.
fn by_training(table: &CodedTable, set: &FeatureSet, options: &AccuracyOptions) -> f64 {
    let division = RowDivision::new(
        options.estimate,
        options.folds.clone(),
        options.seed,
        table.n_rows(),
    );
    let splits = division.unwrap().splits(0, &table.class).unwrap();
    let n_folds = splits.len() as f64;
    let shares = splits.iter().map(|split| {
        let places: Vec<usize> = set.iter().collect();
        let train = table.part(&places, &split.train, options.coding).unwrap();
        let model = Classifier::train(&train, &options.training, &Silent)
            .unwrap()
            .with_ties_by_row(&train.class.codes);
        let columns = places
            .iter()
            .map(|&place| table.features[place].column.take(&split.test));
        let test = Table::new(columns.collect()).unwrap();
        let classes = if places.is_empty() {
            // A table without columns has no rows.
            let class = &train.class;
            let order = crate::classify::by_size_and_row(&class.counts(), &class.codes);
            vec![order[0] as u32; split.test.len()]
        } else {
            model.predict(&test, &Silent).unwrap().classes
        };
        let right = split
            .test
            .iter()
            .zip(classes)
            .filter(|&(&row, class)| table.class.codes.get(row as usize) == Some(class));
        right.count() as f64 / split.test.len() as f64
    });
    shares.sum::<f64>() / n_folds
}

pub(super) fn random_sets(n_features: usize, n_sets: usize, seed: u64) -> Vec<FeatureSet> {
    let mut rng = stream(seed, Purpose::Generate, 12);
    let mut sets: Vec<FeatureSet> = (0..n_sets)
        .map(|_| {
            let features = (0..n_features).filter(|_| below(&mut rng, 2) == 1);
            FeatureSet::of(n_features, features).unwrap()
        })
        .collect();
    sets.push(FeatureSet::empty(n_features));
    sets.push(FeatureSet::full(n_features));
    sets
}

fn assert_as_trained(table: &CodedTable, options: &AccuracyOptions, n_sets: usize, what: &str) {
    let places: Vec<usize> = (0..table.features.len()).collect();
    let accuracy = Accuracy::new(table, &places, options.clone()).unwrap();
    let sets = random_sets(places.len(), n_sets, 3);
    let values = accuracy.evaluate(&sets, &Silent).unwrap();
    for (set, value) in sets.iter().zip(&values) {
        let plain = by_training(table, set, options);
        assert!(
            (value - plain).abs() < 1e-12,
            "{what}: {set} {value} {plain}"
        );
    }
    // One feature more or less, from sums that are known.
    let base = &sets[0];
    let (inside, outside): (Vec<usize>, Vec<usize>) =
        places.iter().partition(|&&feature| base.contains(feature));
    for candidates in [outside, inside] {
        let fresh = Accuracy::new(table, &places, options.clone()).unwrap();
        let values = fresh.change(base, &candidates, &Silent).unwrap();
        let sets = base.changed(&candidates);
        let whole = accuracy.evaluate(&sets, &Silent).unwrap();
        assert_eq!(values, whole, "{what}");
    }
}

#[test]
fn every_model_predicts_as_if_trained_on_each_fold() {
    for (n_rows, n_classes, seed) in [(60, 2, 1), (90, 3, 2), (150, 2, 3), (200, 5, 4)] {
        let table = mixed(n_rows, n_classes, seed);
        for missing in [MissingPolicy::Value, MissingPolicy::Drop] {
            let coding = CodingOptions {
                missing,
                ..CodingOptions::default()
            };
            let table = coded(&table, coding);
            for model in ModelKind::ALL {
                let n_sets = if matches!(model, ModelKind::K2 | ModelKind::Cb) {
                    5
                } else {
                    40
                };
                let options = AccuracyOptions {
                    coding,
                    ..options(model, CV)
                };
                assert_as_trained(
                    &table,
                    &options,
                    n_sets,
                    &format!("{model} {missing:?} {seed}"),
                );
            }
        }
    }
}

#[test]
fn numbers_stay_numbers_for_models_that_take_them() {
    let coding = CodingOptions {
        discretizer: Discretizer::None,
        ..CodingOptions::default()
    };
    let table = coded(&mixed(120, 3, 5), coding);
    for model in [ModelKind::NaiveBayes, ModelKind::Id3, ModelKind::Block] {
        let options = AccuracyOptions {
            coding,
            ..options(model, CV)
        };
        assert_as_trained(&table, &options, 40, model.name());
    }
    let places: Vec<usize> = (0..8).collect();
    let refused = Accuracy::new(
        &table,
        &places,
        AccuracyOptions {
            coding,
            ..options(ModelKind::Tan, CV)
        },
    );
    assert!(refused.err().unwrap().to_string().contains("nb or id3"));
}

#[test]
fn impossible_values_veto_as_in_training() {
    let table = coded(&mixed(80, 3, 6), CodingOptions::default());
    for smoothing in [
        Smoothing::MaximumLikelihood,
        Smoothing::Dirichlet(1.0),
        Smoothing::MarginalMixing(5.0),
        Smoothing::Laplace(0.0),
    ] {
        for model in [ModelKind::NaiveBayes, ModelKind::Tan] {
            let mut options = options(model, CV);
            options.training.smoothing = smoothing;
            assert_as_trained(&table, &options, 30, &format!("{model} {smoothing:?}"));
        }
    }
}

#[test]
fn halves_and_training_rows_are_divisions_too() {
    let table = coded(&mixed(81, 3, 7), CodingOptions::default());
    for estimate in [Estimate::Holdout, Estimate::Training] {
        for model in [ModelKind::NaiveBayes, ModelKind::Tan, ModelKind::Id3] {
            let options = options(model, estimate);
            assert_as_trained(&table, &options, 20, &format!("{model} {estimate:?}"));
        }
    }
    // 81 rows: 41 to learn from, 40 to be tested on.
    let division = RowDivision::new(Estimate::Holdout, None, 1, 81).unwrap();
    let splits = division.splits(0, &table.class).unwrap();
    assert_eq!((splits[0].train.len(), splits[0].test.len()), (41, 40));
}

#[test]
fn given_folds_are_used_once() {
    let table = coded(&mixed(60, 2, 8), CodingOptions::default());
    let folds = Folds::draw(Rows::Plain(60), 7, 99, 0).unwrap();
    let auto = Estimate::CrossValidation {
        n_folds: 10,
        runs: Runs::Auto,
    };
    let options = AccuracyOptions {
        folds: Some(folds),
        ..options(ModelKind::NaiveBayes, auto)
    };
    assert_as_trained(&table, &options, 10, "folds");
    let places: Vec<usize> = (0..8).collect();
    let accuracy = Accuracy::new(&table, &places, options).unwrap();
    let estimate = accuracy
        .estimate(&FeatureSet::full(8), &Silent)
        .unwrap()
        .unwrap();
    assert_eq!((estimate.first_run.len(), estimate.n_runs), (7, 1));
}

#[test]
fn unsure_estimates_are_repeated_up_to_five_times() {
    // 60 rows in ten folds: the standard error is far above 1 %.
    let noisy = coded(&mixed(60, 3, 9), CodingOptions::default());
    let auto = Estimate::CrossValidation {
        n_folds: 10,
        runs: Runs::Auto,
    };
    let places: Vec<usize> = (0..8).collect();
    let accuracy = Accuracy::new(&noisy, &places, options(ModelKind::NaiveBayes, auto)).unwrap();
    let set = FeatureSet::full(8);
    let unsure = accuracy.estimate(&set, &Silent).unwrap().unwrap();
    assert_eq!(
        (unsure.n_runs, unsure.first_run.len(), unsure.n_rows),
        (5, 10, 60)
    );
    assert_eq!(accuracy.evaluate(&[set], &Silent).unwrap(), [unsure.mean]);
    // Example 1 by TAN is always right: one run is enough.
    let sure = coded(
        &Generator::Example1.generate(320, 1).unwrap(),
        CodingOptions::default(),
    );
    let accuracy = Accuracy::new(&sure, &places, options(ModelKind::Tan, auto)).unwrap();
    let sure = accuracy
        .estimate(&FeatureSet::full(8), &Silent)
        .unwrap()
        .unwrap();
    assert_eq!((sure.n_runs, sure.mean, sure.standard_error), (1, 1.0, 0.0));
}

#[test]
fn the_standard_error_is_that_of_the_mean_over_folds() {
    let table = coded(&mixed(100, 2, 10), CodingOptions::default());
    let places: Vec<usize> = (0..8).collect();
    let accuracy = Accuracy::new(&table, &places, options(ModelKind::NaiveBayes, CV)).unwrap();
    let estimate = accuracy
        .estimate(&FeatureSet::full(8), &Silent)
        .unwrap()
        .unwrap();
    let folds = &estimate.first_run;
    let mean = folds.iter().sum::<f64>() / 5.0;
    let squares: f64 = folds
        .iter()
        .map(|share| (share - mean) * (share - mean))
        .sum();
    assert!((estimate.standard_error - (squares / 4.0).sqrt() / 5f64.sqrt()).abs() < 1e-15);
    // One half: the binomial error of 50 rows.
    let halves = options(ModelKind::NaiveBayes, Estimate::Holdout);
    let accuracy = Accuracy::new(&table, &places, halves).unwrap();
    let half = accuracy
        .estimate(&FeatureSet::full(8), &Silent)
        .unwrap()
        .unwrap();
    let binomial = (half.mean * (1.0 - half.mean) / 50.0).sqrt();
    assert!((half.standard_error - binomial).abs() < 1e-15);
}

#[test]
fn a_fold_of_one_class_predicts_it() {
    // Six rows of one class and one of another: it is alone in a fold.
    let cells = |of: fn(usize) -> &'static str| {
        let nominal = Nominal::from_labels((0..7).map(|row| Some(of(row))));
        Values::Nominal(nominal)
    };
    let feature = cells(|row| if row % 2 == 0 { "x" } else { "y" });
    let class = cells(|row| if row == 3 { "rare" } else { "usual" });
    let columns = [("f", feature), ("class", class)];
    let columns = columns.map(|(name, values)| Column::new(name, values, KindOrigin::Text));
    let table = coded(
        &Table::new(columns.into()).unwrap(),
        CodingOptions::default(),
    );
    for model in ModelKind::ALL {
        let leave_one_out = Estimate::CrossValidation {
            n_folds: 10,
            runs: Runs::Fixed(1),
        };
        let accuracy = Accuracy::new(&table, &[0], options(model, leave_one_out)).unwrap();
        let value = accuracy.evaluate(&[FeatureSet::full(1)], &Silent).unwrap();
        assert!((value[0] - 6.0 / 7.0).abs() < 1e-12, "{model}");
    }
}

#[test]
fn one_row_cannot_be_divided() {
    assert!(RowDivision::new(CV, None, 1, 1).is_err());
}

#[test]
fn a_value_does_not_depend_on_what_else_is_asked() {
    let table = coded(&mixed(130, 3, 12), CodingOptions::default());
    let places: Vec<usize> = (0..8).collect();
    for model in [ModelKind::NaiveBayes, ModelKind::Tan, ModelKind::Id3] {
        let new = || Accuracy::new(&table, &places, options(model, CV)).unwrap();
        let sets = random_sets(8, 100, 4);
        let together = new().evaluate(&sets, &Silent).unwrap();
        let alone = new();
        for (set, value) in sets.iter().zip(together) {
            assert_eq!(
                alone.evaluate(std::slice::from_ref(set), &Silent).unwrap(),
                [value]
            );
        }
    }
}

#[test]
fn known_values_are_not_asked_for_again() {
    let table = coded(&mixed(60, 2, 13), CodingOptions::default());
    let places: Vec<usize> = (0..8).collect();
    let accuracy = Accuracy::new(&table, &places, options(ModelKind::NaiveBayes, CV)).unwrap();
    let set = FeatureSet::full(8);
    let invented = Remembered::new(&accuracy).with_values([(set.clone(), 2.0)]);
    let values = invented
        .evaluate(&[set.clone(), set.without(1), set], &Silent)
        .unwrap();
    assert_eq!((values[0], values[2]), (2.0, 2.0));
    assert!(values[1] <= 1.0);
    assert_eq!((invented.n_distinct(), invented.n_repeated()), (2, 1));
}

#[test]
fn accuracy_can_be_stopped() {
    let table = coded(&mixed(60, 3, 14), CodingOptions::default());
    let places: Vec<usize> = (0..8).collect();
    for (model, n_sets) in [
        (ModelKind::NaiveBayes, 3_000),
        (ModelKind::Tan, 300),
        (ModelKind::K2, 40),
        (ModelKind::Id3, 40),
    ] {
        let sets = random_sets(8, n_sets, 5);
        assert_stops(10, |observer| {
            let accuracy = Accuracy::new(&table, &places, options(model, CV)).unwrap();
            accuracy.evaluate(&sets, observer)
        });
    }
}

#[test]
fn example_1_has_the_accuracies_of_its_worked_numbers() {
    // A6 alone: 87.5 %; NB over A2 and A6 the same; all eight by NB: 81.25 %; TAN over all
    // is never wrong. 24 of every 32 rows are of class 1.
    let table = Generator::Example1.generate(320, 1).unwrap();
    let table = coded(&table, CodingOptions::default());
    let places: Vec<usize> = (0..8).collect();
    let value = |model, features: &[usize]| {
        let accuracy = Accuracy::new(&table, &places, options(model, Estimate::Training)).unwrap();
        let set = FeatureSet::of(8, features.iter().copied()).unwrap();
        accuracy.evaluate(&[set], &Silent).unwrap()[0]
    };
    assert_eq!(value(ModelKind::NaiveBayes, &[5]), 0.875);
    assert_eq!(value(ModelKind::NaiveBayes, &[1, 5]), 0.875);
    assert_eq!(value(ModelKind::NaiveBayes, &places), 0.8125);
    assert_eq!(value(ModelKind::Tan, &places), 1.0);
    for model in ModelKind::ALL {
        assert_eq!(value(model, &[]), 0.75);
    }
}

#[test]
fn a_number_far_outside_does_not_swallow_the_others_when_it_leaves() {
    // One row of every column is so far away that its log density is about -1e15.
    let table = mixed(120, 2, 15);
    let columns = table.columns().iter().map(|column| match column.values() {
        Values::Nominal(_) => (**column).clone(),
        Values::Numeric(numbers) => {
            let mut numbers = numbers.clone();
            numbers[7] = 1e8;
            Column::new(column.name(), Values::Numeric(numbers), column.origin())
        }
    });
    let table = Table::new(columns.collect()).unwrap();
    let coding = CodingOptions {
        discretizer: Discretizer::None,
        ..CodingOptions::default()
    };
    let table = coded(&table, coding);
    let options = AccuracyOptions {
        coding,
        ..options(ModelKind::NaiveBayes, CV)
    };
    let places: Vec<usize> = (0..8).collect();
    let new = || Accuracy::new(&table, &places, options.clone()).unwrap();
    let full = FeatureSet::full(8);
    let reduced = new().change(&full, &places, &Silent).unwrap();
    let direct = new().evaluate(&full.changed(&places), &Silent).unwrap();
    assert_eq!(reduced, direct);
}

#[test]
fn a_fold_for_every_row_is_drawn_once() {
    let division = |n_folds| {
        let estimate = Estimate::CrossValidation {
            n_folds,
            runs: Runs::Auto,
        };
        RowDivision::new(estimate, None, 1, 40).unwrap().max_runs()
    };
    assert_eq!((division(10), division(40), division(1_000)), (5, 1, 1));
}

#[test]
fn a_class_too_rare_for_blocks_is_an_error_that_names_the_fold() {
    // Two rows of the third class: where one is tested, one is left to learn from.
    let numbers = Values::Numeric((0..30).map(|row| f64::from(row * 7 % 13) / 2.0).collect());
    let label = |row: usize| Some(if row < 2 { "rare" } else { ["x", "y"][row % 2] });
    let class = Values::Nominal(Nominal::from_labels((0..30).map(label)));
    let columns = [("f", numbers), ("class", class)];
    let columns = columns.map(|(name, values)| Column::new(name, values, KindOrigin::Text));
    let table = coded(
        &Table::new(columns.into()).unwrap(),
        CodingOptions::default(),
    );
    let folds = Folds::from_numbers(&(0..30).map(|row| row % 3).collect::<Vec<_>>()).unwrap();
    let options = AccuracyOptions {
        folds: Some(folds),
        ..options(ModelKind::Block, CV)
    };
    let accuracy = Accuracy::new(&table, &[0], options).unwrap();
    let error = accuracy.evaluate(&[FeatureSet::full(1)], &Silent);
    let error = error.unwrap_err();
    assert_eq!(error.kind(), crate::ErrorKind::Data);
    let words = "in the training rows of a fold, class \"rare\"";
    assert!(error.to_string().contains(words), "{error}");
}
