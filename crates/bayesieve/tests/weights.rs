//! Rows with weights give what repeated rows give, in every task and wherever the rows are.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests stop at the first surprise"
)]

use std::path::Path;

use bayesieve::data::{
    BlockRequest, Column, Generator, KindOrigin, Nominal, ReadOptions, RowBlocks, Table, Values,
    write_table,
};
use bayesieve::run::{
    CompareRequest, DataRequest, Dataset, DescribeRequest, FoldSource, NamedDataset,
    PredictRequest, ScoreRequest, SelectRequest, TrainRequest,
};
use bayesieve::select::METHODS;
use bayesieve::{ErrorKind, Silent};
use serde_json::Value;

/// How often the rows count, over and over.
const WEIGHTS: [u32; 5] = [1, 2, 0, 3, 1];

/// Rows once, the same with their weights in the first column, and repeated.
struct Weighted {
    weighted: Table,
    repeated: Table,
}

impl Weighted {
    fn new(columns: Vec<Column>) -> Self {
        let n_rows = columns[0].len();
        let times: Vec<u32> = (0..n_rows)
            .map(|row| WEIGHTS[row % WEIGHTS.len()])
            .collect();
        let rows: Vec<u32> = (0..)
            .zip(&times)
            .flat_map(|(row, &times)| vec![row; times as usize])
            .collect();
        let numbers = Values::Numeric(times.iter().map(|&times| f64::from(times)).collect());
        let weight = Column::new("w", numbers, KindOrigin::Numbers);
        let repeated = Table::new(columns.clone()).unwrap().take_rows(&rows);
        let weighted = [weight].into_iter().chain(columns).collect();
        Weighted {
            weighted: Table::new(weighted).unwrap(),
            repeated: repeated.with_labels_present(),
        }
    }

    /// Eight columns of numbers and a class of three values.
    fn numbers(n_rows: usize) -> Self {
        let table = Generator::Waveform40.generate(n_rows, 3).unwrap();
        let columns = table.columns();
        let class = columns.last().unwrap();
        let chosen = columns[5..13].iter().chain([class]);
        Weighted::new(chosen.map(|column| Column::clone(column)).collect())
    }

    /// Labels, numbers and missing values; one label is only in rows of weight 0.
    fn mixed(n_rows: usize) -> Self {
        let table = Generator::Example1.generate(n_rows, 2).unwrap();
        let mut columns: Vec<Column> = table.columns().iter().map(|c| Column::clone(c)).collect();
        let cell = |row: usize| match row % 15 {
            2 => Some("never"),
            4 => None,
            place if place % 2 == 0 => Some("even"),
            _ => Some("odd"),
        };
        let labels = Values::Nominal(Nominal::from_labels((0..n_rows).map(cell)));
        columns.insert(0, Column::new("label", labels, KindOrigin::Text));
        let numbers = (0..n_rows).map(|row| (row * 37 % 101) as f64 / 7.0);
        let numbers = Values::Numeric(numbers.collect());
        columns.insert(0, Column::new("number", numbers, KindOrigin::Numbers));
        Weighted::new(columns)
    }

    fn datasets(&self) -> [Dataset; 2] {
        let weighing = DataRequest {
            weight: Some("w".into()),
            ..DataRequest::default()
        };
        [
            Dataset::of_table(self.weighted.clone(), weighing).unwrap(),
            Dataset::of_table(self.repeated.clone(), DataRequest::default()).unwrap(),
        ]
    }
}

/// A document without how long it took and what was said beside it.
fn plain(mut document: Value) -> Value {
    match &mut document {
        Value::Object(entries) => {
            entries.retain(|name, _| !["seconds", "warnings"].contains(&&**name));
            entries.values_mut().for_each(|value| {
                *value = plain(value.take());
            });
        }
        Value::Array(values) => values.iter_mut().for_each(|value| {
            *value = plain(value.take());
        }),
        _ => {}
    }
    document
}

#[test]
fn every_method_selects_as_on_repeated_rows() {
    let rows = Weighted::numbers(120);
    let [weighted, repeated] = rows.datasets();
    let names = METHODS.iter().map(|method| method.name);
    for name in names.chain(["auto"]) {
        let request = SelectRequest::method(name).unwrap();
        let [left, right] = [&weighted, &repeated].map(|data| {
            let outcome = request.run(data, &Silent);
            plain(outcome.unwrap_or_else(|e| panic!("{name}: {e}")).document())
        });
        // 24 times 1 + 2 + 0 + 3 + 1.
        assert_eq!(left["data"]["rows"], 168, "{name}");
        assert_eq!(left, right, "{name}");
    }
}

#[test]
fn the_outcome_says_that_rows_count_by_weight() {
    let [weighted, _] = Weighted::mixed(60).datasets();
    let request = SelectRequest::method("mdl-fs").unwrap();
    let document = request.run(&weighted, &Silent).unwrap().document();
    let notes = document["warnings"].as_array().unwrap();
    let note = "rows count by their weight \"w\": 60 rows as 84; 12 rows of weight 0 left out";
    assert!(notes.contains(&note.into()), "{notes:?}");
    let columns = document["data"]["columns"].as_array().unwrap();
    assert!(!columns.contains(&"w".into()), "{columns:?}");
}

#[test]
fn descriptions_and_scores_are_those_of_repeated_rows() {
    let rows = Weighted::mixed(150);
    let documents = rows.datasets().map(|data| {
        let described = DescribeRequest::default().run(&data, &Silent).unwrap();
        let scored = ScoreRequest::default().run(&data, &Silent).unwrap();
        [plain(described.document()), plain(scored.document())]
    });
    assert_eq!(documents[0], documents[1]);
    assert_eq!(documents[0][1]["rows"], 210);
    let text = documents[0][0].to_string();
    assert!(text.contains("even") && !text.contains("never"), "{text}");
}

#[test]
fn models_and_their_predictions_are_those_of_repeated_rows() {
    let rows = Weighted::mixed(150);
    for model in ["nb", "tan", "id3"] {
        let request = TrainRequest {
            model: Some(model.parse().unwrap()),
            with_evaluation: true,
            ..TrainRequest::default()
        };
        let [left, right] = rows.datasets().map(|data| {
            let trained = request.run(&data, &Silent).unwrap();
            let predicted = trained.classifier.predict(&rows.repeated, &Silent).unwrap();
            let evaluated = trained.evaluation.unwrap();
            assert_eq!(trained.n_rows, 210);
            assert_eq!(evaluated.n_rows, 210);
            let file = trained.classifier.to_json().unwrap();
            (file, format!("{predicted:?} {evaluated:?}"))
        });
        assert_eq!(left, right, "{model}");
    }
}

#[test]
fn copies_of_a_row_share_its_fold() {
    let rows = Weighted::mixed(100);
    let once: Vec<i64> = (0..100).map(|row| row % 5 / 2).collect();
    let times = |row: usize| vec![once[row]; WEIGHTS[row % WEIGHTS.len()] as usize];
    let repeated: Vec<i64> = (0..100).flat_map(times).collect();
    let [left, right] = rows.datasets();
    let scored = [(left, once.clone()), (right, repeated.clone())].map(|(data, folds)| {
        let request = ScoreRequest {
            folds: Some(FoldSource::Numbers(folds)),
            ..ScoreRequest::default()
        };
        plain(request.run(&data, &Silent).unwrap().document())
    });
    assert_eq!(scored[0], scored[1]);
    let [left, right] = rows.datasets();
    let compared = [(left, once), (right, repeated)].map(|(data, folds)| {
        let request = CompareRequest {
            pipelines: vec!["all/nb".into(), "mdl-fs/tan".into()],
            folds: Some(FoldSource::Numbers(folds)),
            ..CompareRequest::default()
        };
        let name = "data".to_owned();
        let outcome = request.run(vec![NamedDataset { name, data }], &Silent);
        plain(outcome.unwrap().document().unwrap())
    });
    assert_eq!(compared[0], compared[1]);
}

#[test]
fn files_larger_than_memory_count_by_weight_too() {
    let rows = Weighted::mixed(150);
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, table: &Table| {
        let path = folder.path().join(name);
        write_table(&path, table, &Silent).unwrap();
        path
    };
    let weighted = DataRequest {
        weight: Some("w".into()),
        memory: Some(100_000_000),
        ..DataRequest::file(write("weighted.csv", &rows.weighted))
    };
    let repeated = DataRequest::file(write("repeated.csv", &rows.repeated));
    for name in ["mdl-fs", "mrmr", "iamb"] {
        let documents = [&weighted, &repeated].map(|request| {
            let data = Dataset::open(request, &Silent).unwrap();
            let request = SelectRequest {
                honest: Some(false).filter(|_| data.kind() == bayesieve::run::DataKind::Memory),
                ..SelectRequest::method(name).unwrap()
            };
            plain(request.run(&data, &Silent).unwrap().document())
        });
        for key in ["kept", "score", "steps", "dropped"] {
            assert_eq!(documents[0][key], documents[1][key], "{name}: {key}");
        }
        assert_eq!(documents[0]["data"]["rows"], 210, "{name}");
    }
}

/// The labels of column `x`, block by block.
fn blocks(path: &Path, n_skipped: usize) -> Vec<Vec<String>> {
    let options = ReadOptions {
        weight: Some("w".into()),
        ..ReadOptions::default()
    };
    // The least a block can have is 64 rows.
    let file = RowBlocks::open(path, &options, 1, &Silent).unwrap();
    let request = BlockRequest {
        columns: &[0, 2],
        kinds: &[None, None],
        n_skipped,
    };
    let mut blocks = Vec::new();
    let read = file.read(request, &Silent, &mut |block| {
        assert_eq!(block.table.names().collect::<Vec<_>>(), ["x", "y"]);
        let x = block.table.columns()[0].as_nominal().unwrap();
        let label = |row| {
            x.codes
                .get(row)
                .map(|code| x.domain.labels()[code as usize].clone())
        };
        blocks.push((0..block.table.n_rows()).filter_map(label).collect());
        Ok(())
    });
    read.unwrap();
    blocks
}

#[test]
fn large_weights_come_in_pieces_of_a_block() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    std::fs::write(&path, "x,w,y\na,100,0\nb,0,1\nc,30,1\n").unwrap();
    let all = blocks(&path, 0);
    let lengths: Vec<usize> = all.iter().map(Vec::len).collect();
    assert_eq!(lengths, [64, 64, 2]);
    let together = all.concat();
    assert_eq!(together.iter().filter(|label| *label == "a").count(), 100);
    assert_eq!(together.iter().filter(|label| *label == "c").count(), 30);
    assert_eq!(blocks(&path, 2), all[2..]);
}

#[test]
fn weights_that_are_none_are_refused_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    let cases = [
        ("2\n-1", ErrorKind::Data, "the weight is -1"),
        ("2\n0.5", ErrorKind::Data, "the weight is the fraction 0.5"),
        ("2\n?", ErrorKind::Data, "the weight is missing"),
        ("2\nmany", ErrorKind::Data, "many"),
        ("2\ninf", ErrorKind::Data, "inf"),
        ("0\n0", ErrorKind::Data, "all weights are zero"),
    ];
    for (cells, kind, part) in cases {
        let (first, second) = cells.split_once('\n').unwrap();
        std::fs::write(&path, format!("x,w,class\na,{first},0\nb,{second},1\n")).unwrap();
        let request = DataRequest {
            weight: Some("w".into()),
            ..DataRequest::file(&path)
        };
        let error = Dataset::open(&request, &Silent).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        let text = error.to_string();
        assert!(text.contains(part) && text.contains("a.csv"), "{text}");
    }
    let request = DataRequest {
        weight: Some("v".into()),
        ..DataRequest::file(&path)
    };
    let error = Dataset::open(&request, &Silent).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
}

#[test]
fn counts_and_predictions_refuse_weights_by_name() {
    let counts = DataRequest {
        counts: Some("a.counts".into()),
        weight: Some("w".into()),
        ..DataRequest::default()
    };
    let error = counts.check().unwrap_err();
    assert!(
        error.to_string().starts_with("weight was settled"),
        "{error}"
    );
    let rows = Weighted::mixed(40);
    let [weighted, _] = rows.datasets();
    let trained = TrainRequest::default().run(&weighted, &Silent).unwrap();
    let request = DataRequest {
        weight: Some("w".into()),
        ..DataRequest::file("a.csv")
    };
    let predicted =
        PredictRequest::default().run(&trained.classifier, &request, &mut |_| Ok(()), &Silent);
    let error = predicted.unwrap_err();
    assert!(
        error.to_string().contains("weight does not go with"),
        "{error}"
    );
}
