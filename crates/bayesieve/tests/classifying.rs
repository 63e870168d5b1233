//! Every model: exact with missing and unseen values, the same after a file, invariant.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests stop at the first surprise"
)]

use std::sync::atomic::{AtomicU64, Ordering};

use bayesieve::classify::{AbsentColumns, Classifier, ModelKind, TrainOptions};
use bayesieve::data::{
    CodedTable, CodingOptions, Column, Discretizer, Generator, KindOrigin, MissingPolicy, Nominal,
    RoleOptions, Roles, Table, Values,
};
use bayesieve::network::Network;
use bayesieve::random::{Purpose, stream};
use bayesieve::{ErrorKind, Observer, Silent};
use rand::RngExt;

const NETWORKS: [ModelKind; 5] = [
    ModelKind::NaiveBayes,
    ModelKind::Tan,
    ModelKind::K2,
    ModelKind::Cb,
    ModelKind::Block,
];

fn coded(table: &Table, options: CodingOptions) -> CodedTable {
    let roles = Roles::resolve(table, &RoleOptions::default()).unwrap();
    CodedTable::new(table, &roles, options).unwrap()
}

fn train(table: &Table, model: ModelKind) -> Classifier {
    Classifier::train(
        &coded(table, CodingOptions::default()),
        &TrainOptions::new(model),
        &Silent,
    )
    .unwrap()
}

/// Random labels that lean on each other, the class last.
fn random_table(n_rows: usize, n_features: usize, seed: u64) -> Table {
    let mut rng = stream(seed, Purpose::Generate, 7);
    let mut cells: Vec<Vec<String>> = vec![Vec::new(); n_features + 1];
    for _ in 0..n_rows {
        let class = rng.random_range(0..3u32);
        let mut before = class;
        for (feature, column) in cells.iter_mut().enumerate() {
            let k = 2 + feature as u32 % 3;
            let value = match rng.random_range(0..4) {
                0 => class % k,
                1 => before % k,
                _ => rng.random_range(0..k),
            };
            before = value;
            column.push(if feature == n_features {
                format!("c{class}")
            } else {
                format!("v{value}")
            });
        }
    }
    let columns = cells.iter().enumerate().map(|(feature, cells)| {
        let name = if feature == n_features {
            "class".into()
        } else {
            format!("f{feature}")
        };
        let nominal = Nominal::from_labels(cells.iter().map(|cell| Some(cell.as_str())));
        Column::new(name, Values::Nominal(nominal), KindOrigin::Text)
    });
    Table::new(columns.collect()).unwrap()
}

/// The same table with some feature cells empty.
fn with_gaps(table: &Table, seed: u64) -> Table {
    let mut rng = stream(seed, Purpose::Generate, 8);
    let columns = table.columns().iter().map(|column| {
        let nominal = column.as_nominal().unwrap();
        let labels = nominal.domain.labels();
        let is_class = column.name() == "class";
        let cells = nominal.codes.iter().map(|code| {
            let is_gap = !is_class && rng.random_range(0..5u32) < 2;
            code.filter(|_| !is_gap)
                .map(|code| labels[code as usize].as_str())
        });
        let values = Values::Nominal(Nominal::from_labels(cells));
        Column::new(column.name(), values, KindOrigin::Text)
    });
    Table::new(columns.collect()).unwrap()
}

/// The probability of a complete row, one code per node.
fn probability(network: &Network, row: &[u32]) -> f64 {
    let of_node = |node: usize| {
        let parents = network.dag().parents(node).iter();
        let parents: Vec<u32> = parents.map(|&parent| row[parent]).collect();
        network
            .table(node)
            .probability(&parents, row[node] as usize)
    };
    (0..row.len()).map(of_node).product()
}

/// `P(class | known cells)` by adding up every completion.
fn by_enumeration(network: &Network, row: &[Option<u32>]) -> Vec<f64> {
    let n_classes = network.variables()[row.len()].states.len();
    let mut sums = vec![0.0; n_classes];
    let mut rows = vec![vec![]];
    for (node, cell) in row.iter().enumerate() {
        let values = match cell {
            Some(value) => vec![*value],
            None => (0..network.variables()[node].states.len() as u32).collect(),
        };
        rows = rows
            .into_iter()
            .flat_map(|row: Vec<u32>| values.iter().map(move |&v| [&row[..], &[v]].concat()))
            .collect();
    }
    for row in rows {
        for (class, sum) in sums.iter_mut().enumerate() {
            let complete = [&row[..], &[class as u32]].concat();
            *sum += probability(network, &complete);
        }
    }
    let total: f64 = sums.iter().sum();
    sums.iter().map(|sum| sum / total).collect()
}

#[test]
fn missing_features_are_summed_out_as_by_enumeration() {
    for seed in 0..12 {
        let table = random_table(60, 5, seed);
        let gaps = with_gaps(&table, seed);
        for model in NETWORKS {
            let classifier = train(&table, model);
            let network = classifier.network().unwrap();
            let prediction = classifier.predict(&gaps, &Silent).unwrap();
            for (row, probabilities) in prediction.probabilities.chunks(3).enumerate() {
                let cells: Vec<Option<u32>> = (0..5)
                    .map(|feature| {
                        // Labels of a table with gaps may be fewer: look them up by name.
                        let nominal = gaps.columns()[feature].as_nominal().unwrap();
                        let code = nominal.codes.get(row)?;
                        let label = &nominal.domain.labels()[code as usize];
                        let states = &network.variables()[feature].states;
                        states
                            .iter()
                            .position(|state| state == label)
                            .map(|s| s as u32)
                    })
                    .collect();
                let expected = by_enumeration(network, &cells);
                for (p, e) in probabilities.iter().zip(&expected) {
                    assert!(
                        (p - e).abs() < 1e-12,
                        "{model}, seed {seed}, row {row}: {p} {e}"
                    );
                }
            }
        }
    }
}

#[test]
fn an_unseen_value_counts_as_missing_and_is_reported() {
    let table = random_table(80, 4, 3);
    let rename = |label: Option<&'static str>| {
        let columns = table.columns().iter().map(|column| {
            if column.name() != "f1" {
                return (**column).clone();
            }
            let values = Values::Nominal(Nominal::from_labels(vec![label; table.n_rows()]));
            Column::new("f1", values, KindOrigin::Text)
        });
        Table::new(columns.collect()).unwrap()
    };
    for model in NETWORKS {
        let classifier = train(&table, model);
        let unseen = classifier.predict(&rename(Some("zzz")), &Silent).unwrap();
        let missing = classifier.predict(&rename(None), &Silent).unwrap();
        assert_eq!(unseen.probabilities, missing.probabilities, "{model}");
        assert_eq!(unseen.notes[0].n_unseen, 80, "{model}");
        assert_eq!(missing.notes[0].n_missing, 80, "{model}");
    }
}

#[test]
fn naive_bayes_follows_its_formula() {
    // Class a: x x y; class b: y. Laplace: P(x|a) = 3/5, P(x|b) = 1/3; priors 3/4, 1/4.
    let labels = |cells: [&'static str; 4]| Values::Nominal(Nominal::from_labels(cells.map(Some)));
    let table = Table::new(vec![
        Column::new("f", labels(["x", "x", "y", "y"]), KindOrigin::Text),
        Column::new("class", labels(["a", "a", "a", "b"]), KindOrigin::Text),
    ])
    .unwrap();
    let prediction = train(&table, ModelKind::NaiveBayes)
        .predict(&table, &Silent)
        .unwrap();
    let a = 0.75 * 0.6;
    let b = 0.25 / 3.0;
    assert!((prediction.probabilities[0] - a / (a + b)).abs() < 1e-15);
    assert_eq!(prediction.classes, [0, 0, 0, 0]);
}

#[test]
fn a_model_read_back_predicts_the_same_to_the_last_bit() {
    let nominal = random_table(100, 5, 5);
    let numeric = Generator::Waveform40.generate(200, 1).unwrap();
    let as_numbers = CodingOptions {
        discretizer: Discretizer::None,
        ..CodingOptions::default()
    };
    for model in ModelKind::ALL {
        let mut cases = vec![
            (&nominal, CodingOptions::default()),
            (&numeric, CodingOptions::default()),
        ];
        let takes_numbers = matches!(
            model,
            ModelKind::NaiveBayes | ModelKind::Id3 | ModelKind::Block
        );
        if takes_numbers {
            cases.push((&numeric, as_numbers));
        }
        for (table, options) in cases {
            let classifier =
                Classifier::train(&coded(table, options), &TrainOptions::new(model), &Silent)
                    .unwrap();
            let text = classifier.to_json().unwrap();
            let again = Classifier::from_json(&text).unwrap();
            assert_eq!(again.to_json().unwrap(), text, "{model}");
            let (first, second) = (
                classifier.predict(table, &Silent).unwrap(),
                again.predict(table, &Silent).unwrap(),
            );
            assert_eq!(first.classes, second.classes, "{model}");
            assert_eq!(first.probabilities, second.probabilities, "{model}");
        }
    }
}

#[test]
fn broken_model_files_are_refused() {
    let text = train(&random_table(50, 3, 1), ModelKind::Tan)
        .to_json()
        .unwrap();
    let cases = [
        ("", "no model file"),
        ("{}", "names no schema"),
        ("[1, 2", "no model file"),
        (&text[..text.len() / 2], "no model file"),
        (
            &text.replace("bayesieve.model.v1", "bayesieve.model.v9"),
            "schema \"bayesieve.model.v9\"",
        ),
        (
            &text.replace("\"model\": \"tan\"", "\"model\": \"tin\""),
            "no model \"tin\"",
        ),
        (&text.replacen("\"f1\"", "\"f9\"", 1), ""),
        (&text.replace("\"counts\": [", "\"counts\": [7,"), ""),
    ];
    for (text, words) in cases {
        let error = Classifier::from_json(text).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn the_order_of_rows_and_columns_and_the_threads_do_not_matter() {
    let table = random_table(150, 5, 9);
    let mut rows: Vec<u32> = (0..150).collect();
    rows.sort_by_key(|row| (row + 1).wrapping_mul(2_654_435_761));
    let shuffled = table.take_rows(&rows);
    for model in ModelKind::ALL {
        let expected = train(&table, model).predict(&table, &Silent).unwrap();
        let other = train(&shuffled, model).predict(&table, &Silent).unwrap();
        assert_eq!(expected.classes, other.classes, "{model}");
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(3)
            .build()
            .unwrap();
        let threaded = pool.install(|| train(&table, model).predict(&table, &Silent).unwrap());
        assert_eq!(expected.probabilities, threaded.probabilities, "{model}");
        let columns: Vec<Column> = table
            .columns()
            .iter()
            .rev()
            .map(|c| (**c).clone())
            .collect();
        let reversed = Table::new(columns).unwrap();
        let reordered = train(&table, model).predict(&reversed, &Silent).unwrap();
        assert_eq!(expected.probabilities, reordered.probabilities, "{model}");
    }
}

#[test]
fn gaps_in_training_are_values_of_their_own_or_dropped() {
    let table = with_gaps(&random_table(100, 4, 2), 4);
    let drop = CodingOptions {
        missing: MissingPolicy::Drop,
        ..CodingOptions::default()
    };
    for model in ModelKind::ALL {
        let kept = train(&table, model).predict(&table, &Silent).unwrap();
        assert_eq!(kept.notes, [], "{model}: gaps were seen in training");
        let options = TrainOptions::new(model);
        let dropped = Classifier::train(&coded(&table, drop), &options, &Silent).unwrap();
        let prediction = dropped.predict(&table, &Silent).unwrap();
        assert!(
            model == ModelKind::Id3 || prediction.notes.iter().any(|note| note.n_missing > 0),
            "{model}"
        );
        assert!(
            prediction.probabilities.iter().all(|p| p.is_finite()),
            "{model}"
        );
    }
}

#[test]
fn required_columns_that_are_absent_are_named() {
    let table = random_table(60, 3, 1);
    let classifier = train(&table, ModelKind::NaiveBayes);
    let columns = table
        .columns()
        .iter()
        .filter(|c| c.name() != "f1")
        .map(|c| (**c).clone());
    let error = classifier
        .predict(&Table::new(columns.collect()).unwrap(), &Silent)
        .unwrap_err();
    assert!(error.to_string().contains("\"f1\""), "{error}");
}

#[test]
fn absent_columns_can_be_summed_out() {
    let table = random_table(60, 3, 1);
    let without = |gone: &str| {
        let columns = table
            .columns()
            .iter()
            .filter(|c| c.name() != gone)
            .map(|c| (**c).clone());
        Table::new(columns.collect()).unwrap()
    };
    for model in ModelKind::ALL {
        let classifier = train(&table, model);
        let prediction = classifier
            .predict_with(&without("f1"), AbsentColumns::SumOut, &Silent)
            .unwrap();
        let is_required = classifier.required_features().contains(&1);
        let noted = prediction
            .notes
            .iter()
            .any(|note| note.name == "f1" && note.n_missing == 60);
        assert_eq!(noted, is_required, "{model}");
    }
}

#[test]
fn columns_of_thousands_of_values_make_small_models_that_follow_the_formula() {
    let (n_rows, n_labels) = (5_000, 2_000);
    let mut rng = stream(8, Purpose::Generate, 0);
    let first: Vec<u32> = (0..n_rows).map(|_| rng.random_range(0..n_labels)).collect();
    let second: Vec<u32> = first
        .iter()
        .map(|&a| {
            let is_copy = rng.random_range(0..2) == 0;
            if is_copy {
                a
            } else {
                rng.random_range(0..n_labels)
            }
        })
        .collect();
    let class: Vec<u32> = first.iter().map(|a| a % 3 / 2).collect();
    let nominal = |name: &str, cells: &[u32]| {
        let labels: Vec<String> = cells.iter().map(|cell| format!("v{cell:04}")).collect();
        let labels = labels.iter().map(|label| Some(label.as_str()));
        let values = Values::Nominal(Nominal::from_labels(labels));
        Column::new(name, values, KindOrigin::Text)
    };
    let columns = vec![
        nominal("a", &first),
        nominal("b", &second),
        nominal("class", &class),
    ];
    let table = Table::new(columns).unwrap();
    let classifier = train(&table, ModelKind::Tan);
    let text = classifier.to_json().unwrap();
    assert!(text.len() < 500_000, "{} bytes", text.len());

    let read = Classifier::from_json(&text).unwrap();
    let prediction = read.predict(&table, &Silent).unwrap();
    let before = classifier.predict(&table, &Silent).unwrap();
    assert_eq!(prediction.probabilities, before.probabilities);
    // P(c) P(a | c) P(b | a, c), one added to every cell but those of the class.
    let states = |name: &str| {
        let column = table.column(name).and_then(Column::as_nominal);
        column.unwrap().n_values() as f64
    };
    let count = |is_in: &dyn Fn(usize) -> bool| (0..n_rows).filter(|&i| is_in(i)).count() as f64;
    for row in (0..n_rows).step_by(100) {
        let (a, b) = (first[row], second[row]);
        let joint = [0, 1].map(|c| {
            let n_c = count(&|i| class[i] == c);
            let n_ac = count(&|i| class[i] == c && first[i] == a);
            let n_abc = count(&|i| class[i] == c && first[i] == a && second[i] == b);
            n_c / n_rows as f64 * (n_ac + 1.0) / (n_c + states("a")) * (n_abc + 1.0)
                / (n_ac + states("b"))
        });
        for (c, p) in joint.iter().enumerate() {
            let expected = p / (joint[0] + joint[1]);
            let found = prediction.probabilities[row * 2 + c];
            assert!(
                (found - expected).abs() < 1e-12,
                "row {row}: {found} {expected}"
            );
        }
    }
}

#[test]
fn one_class_is_refused() {
    let labels = |cells: [&'static str; 2]| Values::Nominal(Nominal::from_labels(cells.map(Some)));
    let table = Table::new(vec![
        Column::new("f", labels(["x", "y"]), KindOrigin::Text),
        Column::new("class", labels(["a", "a"]), KindOrigin::Text),
    ])
    .unwrap();
    for model in ModelKind::ALL {
        let result = Classifier::train(
            &coded(&table, CodingOptions::default()),
            &TrainOptions::new(model),
            &Silent,
        );
        assert!(
            result.unwrap_err().to_string().contains("one class"),
            "{model}"
        );
    }
}

/// Every model with what it predicts on a table, whole and with gaps.
fn cases(n_rows: usize) -> Vec<(Classifier, Table)> {
    let table = random_table(n_rows, 6, 21);
    let gaps = with_gaps(&table, 22);
    ModelKind::ALL
        .into_iter()
        .flat_map(|model| {
            let classifier = train(&table, model);
            [&table, &gaps].map(|table| (classifier.clone(), table.clone()))
        })
        .collect()
}

#[test]
fn any_number_of_threads_predicts_the_same_to_the_last_bit() {
    for (classifier, table) in cases(9_000) {
        let model = classifier.options().model;
        let predict = |n_threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(n_threads)
                .build()
                .unwrap();
            pool.install(|| classifier.predict(&table, &Silent).unwrap())
        };
        let one = predict(1);
        for n_threads in [2, 8] {
            let more = predict(n_threads);
            assert_eq!(one.classes, more.classes, "{model}");
            assert_eq!(one.probabilities, more.probabilities, "{model}");
            assert_eq!(one.notes, more.notes, "{model}");
        }
    }
}

#[test]
fn a_row_is_predicted_alike_whatever_rows_stand_beside_it() {
    // Rows are worked on in runs of 256 and blocks of 2,048.
    for (classifier, table) in cases(2_049) {
        let model = classifier.options().model;
        let all = classifier.predict(&table, &Silent).unwrap();
        for n_rows in [1, 255, 256, 257, 2_047, 2_048] {
            let rows: Vec<u32> = (2_049 - n_rows..2_049).collect();
            let part = classifier
                .predict(&table.take_rows(&rows), &Silent)
                .unwrap();
            let first = (2_049 - n_rows) as usize;
            assert_eq!(part.classes, all.classes[first..], "{model}, {n_rows} rows");
            assert_eq!(
                part.probabilities,
                all.probabilities[first * 3..],
                "{model}, {n_rows} rows"
            );
        }
    }
}

#[test]
fn every_combination_of_gaps_is_summed_out_as_by_enumeration() {
    let table = random_table(80, 6, 31);
    let rows: Vec<u32> = (0..64).collect();
    let some = table.take_rows(&rows);
    // Row r misses the features whose bits are set in r.
    let columns = some.columns().iter().enumerate().map(|(feature, column)| {
        let nominal = column.as_nominal().unwrap();
        let labels = nominal.domain.labels();
        let cells = (0..)
            .zip(nominal.codes.iter())
            .map(|(row, code): (u32, _)| {
                let is_gap = feature < 6 && row >> feature & 1 == 1;
                let code = code.filter(|_| !is_gap);
                code.map(|code| labels[code as usize].as_str())
            });
        let values = Values::Nominal(Nominal::from_labels(cells));
        Column::new(column.name(), values, KindOrigin::Text)
    });
    let gaps = Table::new(columns.collect()).unwrap();
    for model in NETWORKS {
        let classifier = train(&table, model);
        let network = classifier.network().unwrap();
        let prediction = classifier.predict(&gaps, &Silent).unwrap();
        for (row, probabilities) in prediction.probabilities.chunks(3).enumerate() {
            let cells: Vec<Option<u32>> = (0..6)
                .map(|feature| {
                    let code = some.columns()[feature].as_nominal()?.codes.get(row);
                    code.filter(|_| row >> feature & 1 == 0)
                })
                .collect();
            for (p, e) in probabilities.iter().zip(by_enumeration(network, &cells)) {
                assert!((p - e).abs() < 1e-12, "{model}, row {row}: {p} {e}");
            }
        }
    }
}

/// Cancels after so many reports.
struct Impatient {
    n_left: AtomicU64,
}

impl Observer for Impatient {
    fn progress(&self, stage: &str, done: u64, total: u64) {
        assert_eq!(stage, "predicting");
        assert!(done <= total);
        let n_left = self.n_left.load(Ordering::Relaxed);
        self.n_left
            .store(n_left.saturating_sub(1), Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.n_left.load(Ordering::Relaxed) == 0
    }
}

#[test]
fn an_observer_stops_a_prediction() {
    for (classifier, table) in cases(5_000) {
        let model = classifier.options().model;
        let predict = |n_reports| {
            let n_left = AtomicU64::new(n_reports);
            classifier.predict(&table, &Impatient { n_left })
        };
        let error = predict(0).map(|_| ()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Interrupted, "{model}");
        assert!(predict(1_000).is_ok(), "{model}");
        if model != ModelKind::Id3 {
            // 5,000 rows are three blocks: the first report comes before the last begins.
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(1)
                .build()
                .unwrap();
            let error = pool.install(|| predict(1).map(|_| ()).unwrap_err());
            assert_eq!(error.kind(), ErrorKind::Interrupted, "{model}");
        }
    }
}
