//! The block model, trained and predicting: numbers stay numbers, units and orders do not matter.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use bayesieve::Silent;
use bayesieve::classify::{AbsentColumns, Classifier, Coding, ModelKind, Prediction, TrainOptions};
use bayesieve::data::{
    CodedTable, CodingOptions, Column, Discretizer, Generator, KindOrigin, Nominal, RoleOptions,
    Roles, Table, Values,
};
use bayesieve::evaluate::Honest;
use bayesieve::search::Limits;
use bayesieve::select::{Method, SelectOptions, select};

fn labels(name: &str, cells: &[Option<&str>]) -> Column {
    let nominal = Nominal::from_labels(cells.iter().copied());
    Column::new(name, Values::Nominal(nominal), KindOrigin::Text)
}

fn numbers(name: &str, cells: Vec<f64>) -> Column {
    Column::new(name, Values::Numeric(cells), KindOrigin::Numbers)
}

/// Four numbers, of which b leans on a and both on the class of three, and a label.
fn table(n_rows: usize) -> Table {
    let cell = |row: usize, j: usize| {
        let mixed = row * row * (31 + 7 * j) + row * 17 * (j + 1).pow(3) + 7 * j * j;
        (mixed % 101) as f64 / 25.0 - 2.0
    };
    let class = |row: usize| match row % 5 {
        0 => 0,
        _ => row % 3,
    };
    let column = |j: usize| {
        let shift = if j < 2 { 0.5 } else { 0.0 };
        let lean = if j == 1 { 0.75 } else { 0.0 };
        let number = |row| cell(row, j) + shift * class(row) as f64 + lean * cell(row, 0);
        (0..n_rows).map(number).collect()
    };
    let text = |of: &dyn Fn(usize) -> &'static str| {
        let cells: Vec<Option<&str>> = (0..n_rows).map(|row| Some(of(row))).collect();
        cells
    };
    Table::new(vec![
        numbers("a", column(0)),
        numbers("b", column(1)),
        labels(
            "l",
            &text(&|row| ["u", "v", "w"][(row * 7 + class(row)) % 3]),
        ),
        numbers("c", column(2)),
        numbers("d", column(3)),
        labels("class", &text(&|row| ["x", "y", "z"][class(row)])),
    ])
    .unwrap()
}

fn coded(table: &Table, discretizer: Discretizer) -> CodedTable {
    let roles = Roles::resolve(table, &RoleOptions::default()).unwrap();
    let options = CodingOptions {
        discretizer,
        ..CodingOptions::default()
    };
    CodedTable::new(table, &roles, options).unwrap()
}

fn train(table: &Table, settings: &[&str]) -> Classifier {
    let options = TrainOptions::new(ModelKind::Block);
    let options = options.with_settings(settings.iter().copied()).unwrap();
    Classifier::train(&coded(table, Discretizer::None), &options, &Silent).unwrap()
}

fn predict(classifier: &Classifier, table: &Table) -> Prediction {
    classifier.predict(table, &Silent).unwrap()
}

/// The same table with other numbers in its columns of numbers.
fn changed(table: &Table, change: impl Fn(&str, usize, f64) -> f64) -> Table {
    let columns = table
        .columns()
        .iter()
        .map(|column| match column.as_numeric() {
            None => (**column).clone(),
            Some(cells) => {
                let cells = cells.iter().enumerate();
                let cells = cells.map(|(row, &x)| change(column.name(), row, x));
                numbers(column.name(), cells.collect())
            }
        });
    Table::new(columns.collect()).unwrap()
}

fn assert_alike(a: &Prediction, b: &Prediction, tolerance: f64, what: &str) {
    assert_eq!(a.classes, b.classes, "{what}");
    for (p, q) in a.probabilities.iter().zip(&b.probabilities) {
        assert!((p - q).abs() < tolerance, "{what}: {p} {q}");
    }
}

const SETTINGS: [&[&str]; 5] = [
    &[],
    &["covariance=own"],
    &["weights=threshold"],
    &["weights=optimal"],
    &[
        "weights=optimal",
        "covariance=own",
        "threshold=exact",
        "block_size=2",
    ],
];

#[test]
fn blocks_of_one_feature_are_gaussian_naive_bayes() {
    let table = table(60);
    let settings = ["block_size=1", "covariance=own", "correction=off"];
    let block = train(&table, &settings);
    assert_eq!(block.blocks().unwrap().blocks().len(), 4);
    let options = TrainOptions::new(ModelKind::NaiveBayes);
    let nb = Classifier::train(&coded(&table, Discretizer::None), &options, &Silent).unwrap();
    assert_alike(&predict(&block, &table), &predict(&nb, &table), 1e-12, "");
    assert_eq!(block.n_parameters(), nb.n_parameters());
    assert_eq!(block.required_features(), nb.required_features());
}

#[test]
fn without_numbers_it_is_naive_bayes() {
    let table = Generator::Led24.generate(100, 1).unwrap();
    let options = |model| TrainOptions::new(model);
    let of = |model| {
        Classifier::train(&coded(&table, Discretizer::Mdlp), &options(model), &Silent).unwrap()
    };
    let (block, nb) = (of(ModelKind::Block), of(ModelKind::NaiveBayes));
    let (found, expected) = (predict(&block, &table), predict(&nb, &table));
    assert_eq!(found.probabilities, expected.probabilities);
    assert_eq!(block.blocks().unwrap().blocks(), []);
}

#[test]
fn numbers_stay_numbers_also_where_they_are_in_bins() {
    let table = table(60);
    let options = TrainOptions::new(ModelKind::Block);
    let of = |discretizer| {
        let classifier = Classifier::train(&coded(&table, discretizer), &options, &Silent);
        classifier.unwrap()
    };
    let binned = of(Discretizer::Width(3));
    assert_eq!(binned.features()[0].coding, Coding::Numbers);
    assert_eq!(
        binned.to_json().unwrap(),
        of(Discretizer::None).to_json().unwrap()
    );
}

#[test]
fn units_and_origins_do_not_matter() {
    let table = table(80);
    let moved = changed(&table, |name, _, x| match name {
        "a" => 1e6 + 3.0 * x,
        "b" => -1e-3 * x,
        "c" => 7e5 * x - 1e9,
        _ => x,
    });
    for settings in SETTINGS {
        let expected = predict(&train(&table, settings), &table);
        let found = predict(&train(&moved, settings), &moved);
        assert_alike(&found, &expected, 1e-6, &format!("{settings:?}"));
    }
}

#[test]
fn the_order_of_rows_and_columns_does_not_matter() {
    let table = table(80);
    let mut rows: Vec<u32> = (0..80).collect();
    rows.sort_by_key(|row| (row + 1).wrapping_mul(2_654_435_761));
    let shuffled = table.take_rows(&rows);
    let columns = table
        .columns()
        .iter()
        .rev()
        .map(|column| (**column).clone());
    let reversed = Table::new(columns.collect()).unwrap();
    for settings in SETTINGS {
        let expected = predict(&train(&table, settings), &table);
        let other_rows = predict(&train(&shuffled, settings), &table);
        assert_alike(&other_rows, &expected, 1e-9, &format!("rows {settings:?}"));
        let other_columns = predict(&train(&reversed, settings), &table);
        assert_alike(
            &other_columns,
            &expected,
            1e-9,
            &format!("columns {settings:?}"),
        );
    }
}

#[test]
fn a_row_of_gaps_has_the_shares_of_training() {
    let table = table(60);
    for settings in SETTINGS {
        let classifier = train(&table, settings);
        let gaps = Table::new(vec![
            numbers("a", vec![f64::NAN]),
            numbers("b", vec![f64::NAN]),
            labels("l", &[None]),
            numbers("c", vec![f64::NAN]),
            numbers("d", vec![f64::NAN]),
        ]);
        let prediction = predict(&classifier, &gaps.unwrap());
        let counts = classifier.class_counts();
        for (p, &n) in prediction.probabilities.iter().zip(counts) {
            assert!((p - n as f64 / 60.0).abs() < 1e-12, "{settings:?}: {p}");
        }
        assert_eq!(prediction.classes, [0]);
    }
}

#[test]
fn an_absent_column_is_as_an_empty_one() {
    let table = table(60);
    for settings in SETTINGS {
        let classifier = train(&table, settings);
        let columns = table.columns().iter().filter(|c| c.name() != "b");
        let without = Table::new(columns.map(|c| (**c).clone()).collect()).unwrap();
        let error = classifier.predict(&without, &Silent).unwrap_err();
        assert!(error.to_string().contains("\"b\""), "{error}");
        let absent = classifier.predict_with(&without, AbsentColumns::SumOut, &Silent);
        let empty = changed(&table, |name, _, x| if name == "b" { f64::NAN } else { x });
        let empty = predict(&classifier, &empty);
        let absent = absent.unwrap();
        assert_eq!(absent.probabilities, empty.probabilities, "{settings:?}");
        assert_eq!(absent.notes, empty.notes);
        assert_eq!(absent.notes[0].n_missing, 60);
    }
}

#[test]
fn gaps_in_training_are_told_and_change_nothing_but_the_moments() {
    let table = table(60);
    assert!(train(&table, &[]).notes().is_empty());
    let gaps = changed(&table, |name, row, x| {
        let is_gap = name == "c" && row % 20 == 3;
        if is_gap { f64::NAN } else { x }
    });
    let classifier = train(&gaps, &[]);
    let notes = classifier.notes();
    assert!(
        notes.iter().any(|note| note.starts_with("3 rows")),
        "{notes:?}"
    );
    assert_eq!(classifier.class_counts().iter().sum::<u64>(), 60);
    let prediction = predict(&classifier, &gaps);
    assert_eq!(prediction.notes[0].n_missing, 3);
    // A column of gaps alone is no feature.
    let empty = changed(&table, |name, _, x| if name == "c" { f64::NAN } else { x });
    let names: Vec<String> = train(&empty, &[])
        .features()
        .iter()
        .map(|f| f.name.clone())
        .collect();
    assert_eq!(names, ["a", "b", "l", "d"]);
}

#[test]
fn a_model_read_back_is_the_same_to_the_last_bit() {
    let table = table(60);
    let gaps = changed(&table, |_, row, x| if row % 7 == 0 { f64::NAN } else { x });
    for settings in SETTINGS {
        let classifier = train(&table, settings);
        let text = classifier.to_json().unwrap();
        let again = Classifier::from_json(&text).unwrap();
        assert_eq!(again.to_json().unwrap(), text, "{settings:?}");
        assert_eq!(again.options(), classifier.options());
        let (first, second) = (predict(&classifier, &gaps), predict(&again, &gaps));
        assert_eq!(first.classes, second.classes, "{settings:?}");
        assert_eq!(first.probabilities, second.probabilities, "{settings:?}");
    }
}

#[test]
fn many_more_features_than_rows_are_no_obstacle() {
    let n_features = 2_000;
    let cell = |row: usize, j: usize| {
        let mixed = ((row * n_features + j + 1) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40;
        mixed as f64 / f64::from(1 << 23) + if j < 20 { (row % 2) as f64 } else { 0.0 }
    };
    let column = |j| numbers(&format!("f{j}"), (0..50).map(|row| cell(row, j)).collect());
    let mut columns: Vec<Column> = (0..n_features).map(column).collect();
    let class: Vec<Option<&str>> = (0..50).map(|row| Some(["n", "p"][row % 2])).collect();
    columns.push(labels("class", &class));
    let table = Table::new(columns).unwrap();
    for settings in [&[][..], &["weights=threshold"], &["weights=optimal"]] {
        let classifier = train(&table, settings);
        let prediction = predict(&classifier, &table);
        let accuracy = prediction.evaluate(&table, &classifier).unwrap().accuracy();
        assert!(accuracy > 0.9, "{settings:?}: {accuracy}");
        assert!(prediction.probabilities.iter().all(|p| p.is_finite()));
    }
}

#[test]
fn wrappers_and_honest_tests_train_it() {
    let table = table(150);
    let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
    let options = SelectOptions::new(Method::named("wrapper").unwrap()).unwrap();
    let options = options.with_model(ModelKind::Block).unwrap();
    let options = options.with_settings(["cv=3", "repeat=1", "covariance=own", "level=0.1"]);
    let options = options.unwrap();
    let value = |name: &str| {
        let all = options.all_settings();
        all.into_iter().find(|(known, _)| *known == name).unwrap().1
    };
    assert_eq!(
        (value("covariance"), value("level")),
        ("own".into(), "0.1".into())
    );
    for discretizer in [Discretizer::Mdlp, Discretizer::None] {
        let coding = CodingOptions {
            discretizer,
            ..CodingOptions::default()
        };
        let options = options.clone().with_coding(coding).unwrap();
        let found = select(&coded(&table, discretizer), &options, &Limits::new(&Silent)).unwrap();
        // 70 of 150 rows are of the largest class.
        assert!(found.value > 0.5, "{}", found.value);
        let honest = Honest {
            table: &table,
            roles: &roles,
            options: &options,
            measure: None,
            stakes: None,
        };
        assert_eq!(honest.estimate(&Silent).unwrap().model, "block");
    }
}
