//! Model files that training did not write: refused with the way out, never a panic.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use bayesieve::classify::{Classifier, ModelKind, TrainOptions};
use bayesieve::data::{
    CodedTable, CodingOptions, Column, Discretizer, KindOrigin, Nominal, RoleOptions, Roles, Table,
    Values,
};
use bayesieve::{ErrorKind, Silent};
use serde_json::{Value, json};

/// Two features of labels, one of numbers, and a class; f decides the class nearly alone.
fn table() -> Table {
    let labels = |name: &str, label: &dyn Fn(usize) -> &'static str| {
        let nominal = Nominal::from_labels((0..40).map(|row| Some(label(row))));
        Column::new(name, Values::Nominal(nominal), KindOrigin::Text)
    };
    let numbers = (0..40).map(|row| (row * 7 % 40) as f64 / 2.0).collect();
    Table::new(vec![
        labels("f", &|row| ["x", "y", "z"][row % 3]),
        labels("g", &|row| ["u", "v"][row / 3 % 2]),
        Column::new("h", Values::Numeric(numbers), KindOrigin::Numbers),
        labels("class", &|row| {
            if row % 3 == 0 || row % 11 == 0 {
                "a"
            } else {
                "b"
            }
        }),
    ])
    .unwrap()
}

fn model(kind: ModelKind, discretizer: Discretizer) -> Value {
    let table = table();
    let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
    let options = CodingOptions {
        discretizer,
        ..CodingOptions::default()
    };
    let coded = CodedTable::new(&table, &roles, options).unwrap();
    let classifier = Classifier::train(&coded, &TrainOptions::new(kind), &Silent).unwrap();
    serde_json::from_str(&classifier.to_json().unwrap()).unwrap()
}

fn models() -> Vec<Value> {
    let width = Discretizer::Width(2);
    let mut models: Vec<Value> = ModelKind::ALL.map(|kind| model(kind, width)).into();
    models.push(model(ModelKind::NaiveBayes, Discretizer::None));
    models.push(model(ModelKind::Id3, Discretizer::None));
    models.push(block_model());
    models
}

/// What is wrong with a model in which the value at a pointer is another.
fn refused(mut model: Value, pointer: &str, value: Value) -> String {
    *model.pointer_mut(pointer).unwrap() = value;
    let error = Classifier::from_json(&model.to_string())
        .map(|_| format!("{pointer} was taken"))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Data, "{error}");
    assert!(
        error.to_string().ends_with("Train the model again."),
        "{error}"
    );
    error.to_string()
}

#[test]
fn settings_and_columns_are_those_that_training_writes() {
    let nb = || model(ModelKind::NaiveBayes, Discretizer::Width(2));
    let cases = [
        ("/settings/divisor", json!("n+1"), "divisor \"n+1\""),
        ("/settings/stop", json!("late"), "stop \"late\""),
        ("/settings/smoothing", json!("much"), "smoothing \"much\""),
        ("/settings/alpha", json!(-1.0), "out of range"),
        ("/settings/level", json!(2.0), "out of range"),
        ("/class/labels/0", json!(""), "no label"),
        ("/class/labels/0", json!("b"), "same label"),
        ("/class/counts", json!([1]), "different numbers"),
        ("/class/counts", json!([40, 0]), "fewer than two classes"),
        ("/class/counts", json!([20, 20]), "class counts"),
        ("/features/0/name", json!("g"), "same name"),
        ("/features/0/name", json!("class"), "same name"),
        ("/features/0/name", json!(""), "no name"),
        ("/class/name", json!(""), "no name"),
        ("/features/0/labels/0", json!("y"), "stands twice"),
        ("/features/0/labels", json!([]), "no value"),
        ("/features/2/cut_points", json!([2.0, 1.0]), "cut points"),
    ];
    for (pointer, value, words) in cases {
        let text = refused(nb(), pointer, value);
        assert!(text.contains(words), "{pointer}: {text}");
    }
}

#[test]
fn a_graph_is_that_of_its_model() {
    let of = |kind| model(kind, Discretizer::Width(2));
    let tan = of(ModelKind::Tan);
    // Called naive Bayes, the tree of TAN is too much.
    assert!(refused(tan.clone(), "/model", json!("nb")).contains("said to be nb"));
    assert!(refused(tan.clone(), "/model", json!("id3")).contains("one tree"));
    assert!(refused(of(ModelKind::Id3), "/model", json!("k2")).contains("one network"));
    assert!(refused(tan.clone(), "/model", json!("tin")).contains("\"tin\""));
    // Nodes are f, g, h, class; the one with two parents has the class as the second.
    let node = (0..3)
        .find(|node| {
            tan["network"]["nodes"][node]["parents"]
                .as_array()
                .unwrap()
                .len()
                == 2
        })
        .unwrap();
    let parents = format!("/network/nodes/{node}/parents");
    let other = tan.pointer(&parents).unwrap()[0].clone();
    for wrong in [json!([other, other]), json!(["class", other])] {
        let text = refused(tan.clone(), &parents, wrong);
        assert!(text.contains("twice or in another order"), "{text}");
    }
    let text = refused(tan.clone(), &parents, json!([other]));
    assert!(
        text.contains("the class is not among the parents"),
        "{text}"
    );
    let text = refused(tan.clone(), &parents, json!([other, "nobody"]));
    assert!(text.contains("\"nobody\" is no node"), "{text}");
    let text = refused(tan.clone(), "/network/nodes/3/parents", json!(["f"]));
    assert!(text.contains("cycle"), "{text}");
    let text = refused(tan, "/network/nodes/0/counts/0/0", json!(4_000));
    assert!(text.contains("more rows than there are"), "{text}");
}

#[test]
fn moments_are_there_once_for_every_feature_of_numbers() {
    let nb = model(ModelKind::NaiveBayes, Discretizer::None);
    let moments = nb["network"]["gaussians"][0].clone();
    let refused = |pointer, value| refused(nb.clone(), pointer, value);
    let all = "/network/gaussians";
    assert!(refused(all, json!([moments, moments])).contains("twice"));
    assert!(refused(all, json!([])).contains("are missing"));
    assert!(refused("/network/gaussians/0/name", json!("f")).contains("no numeric feature"));
    assert!(refused("/network/gaussians/0/variances/0", json!(0.0)).contains("do not fit"));
    assert!(refused("/network/gaussians/0/means", json!([1.0])).contains("do not fit"));
}

#[test]
fn a_tree_is_one_that_could_have_been_grown() {
    let tree = model(ModelKind::Id3, Discretizer::Width(2));
    // The root asks for f, which has three values.
    let root = "/tree/nodes/0/split/Nominal";
    assert_eq!(tree.pointer(root).unwrap()["feature"], 0);
    let branches = tree.pointer(root).unwrap()["branches"].as_array().unwrap();
    let (first, last) = (branches[0].clone(), branches[2].clone());
    let beyond = json!([first, [7, last[1]]]);
    let at = |field: &str| format!("{root}/{field}");
    let cases = [
        (at("branches"), json!([last, first]), "order of the values"),
        (at("branches"), json!([first, first]), "order of the values"),
        (at("branches"), beyond, "does not have"),
        (at("branches"), json!([first]), "branch"),
        (at("largest"), json!(0), "largest branch"),
        (at("largest"), json!(99), "largest branch"),
        (at("feature"), json!(9), "not there"),
        ("/tree/nodes/0/class_counts".into(), json!([]), "no rows"),
        (
            "/tree/nodes/1/class_counts".into(),
            json!([[0, 1]]),
            "other rows",
        ),
        (
            "/tree/nodes/1/class_counts".into(),
            json!([[5, 1]]),
            "unknown classes",
        ),
        (
            "/tree/nodes/1/class_counts".into(),
            json!([[0, 1], [0, 1]]),
            "unknown classes",
        ),
        (
            "/tree/nodes/1/class_counts".into(),
            json!([[0, 1], [1, 3]]),
            "most frequent",
        ),
        (
            "/class/counts".into(),
            json!([20, 20]),
            "root has other class counts",
        ),
        ("/tree/n_classes".into(), json!(3), "not those of the model"),
    ];
    for (pointer, value, words) in cases {
        let text = refused(tree.clone(), &pointer, value.clone());
        assert!(text.contains(words), "{pointer} {value}: {text}");
    }
}

/// A model of two blocks, the second of which counts more.
fn block_model() -> Value {
    let numbers = |shift: usize| -> Vec<f64> {
        let number = |row: usize| ((row * 7 + shift) % 40) as f64 / 2.0 + (row * row % 5) as f64;
        (0..40).map(number).collect()
    };
    let mut columns: Vec<Column> = table().columns().iter().map(|c| (**c).clone()).collect();
    for (name, shift) in [("i", 3), ("j", 11)] {
        let values = Values::Numeric(numbers(shift));
        columns.insert(3, Column::new(name, values, KindOrigin::Numbers));
    }
    let table = Table::new(columns).unwrap();
    let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
    let coded = CodedTable::new(&table, &roles, CodingOptions::default()).unwrap();
    let settings = ["block_size=2", "weights=optimal"];
    let options = TrainOptions::new(ModelKind::Block).with_settings(settings);
    let classifier = Classifier::train(&coded, &options.unwrap(), &Silent).unwrap();
    serde_json::from_str(&classifier.to_json().unwrap()).unwrap()
}

#[test]
fn blocks_are_such_as_training_makes() {
    let block = block_model();
    let first = block["network"]["blocks"]["list"][0].clone();
    let features = first["features"].as_array().unwrap();
    assert_eq!(features.len(), 2);
    let at = |field: &str| format!("/network/blocks/list/0/{field}");
    let weights = "/network/blocks/weights";
    let weight = block.pointer(weights).unwrap()[0].clone();
    let flipped = json!([{"classes": ["b", "a"], "weights": weight["weights"]}]);
    let negative = json!([{"classes": ["a", "b"], "weights": [1.0, -1.0]}]);
    let cases = [
        (at("features"), json!([]), "no feature"),
        (at("features"), json!([features[0], "f"]), "none of numbers"),
        (at("features"), json!([features[0], "k"]), "none of numbers"),
        (
            at("features"),
            json!([features[1], features[0]]),
            "another order",
        ),
        (
            at("features"),
            json!([features[0], features[0]]),
            "stand twice",
        ),
        (at("means"), json!([[1.0, 2.0]]), "means of the block"),
        (at("means"), json!([[1.0], [2.0]]), "means of the block"),
        (at("covariances"), json!([]), "too many or too few"),
        (at("covariances"), json!([[1.0, 0.0]]), "positive definite"),
        (
            at("covariances"),
            json!([[1.0, 2.0, 1.0]]),
            "positive definite",
        ),
        (
            at("covariances"),
            json!([[1.0, 1.0, 1.0]]),
            "positive definite",
        ),
        (
            "/network/blocks/list/1".into(),
            first.clone(),
            "in two blocks",
        ),
        ("/network/blocks".into(), json!(null), "blocks are missing"),
        (weights.into(), flipped, "every two classes"),
        (weights.into(), negative, "do not fit"),
        (weights.into(), json!([weight, weight]), "more weights"),
        (
            "/settings/block/weights".into(),
            json!("none"),
            "settings have none",
        ),
        (
            "/settings/block/covariance".into(),
            json!("own"),
            "too many or too few",
        ),
        (
            "/settings/block/block_size".into(),
            json!("0"),
            "not a value",
        ),
        (
            "/settings/block".into(),
            json!(null),
            "settings of the blocks",
        ),
        ("/settings/block".into(), json!({}), "is missing"),
        ("/model".into(), json!("nb"), "nb"),
        ("/model".into(), json!("k2"), "k2"),
    ];
    for (pointer, value, words) in cases {
        let text = refused(block.clone(), &pointer, value.clone());
        assert!(text.contains(words), "{pointer} {value}: {text}");
    }
    let nb = model(ModelKind::NaiveBayes, Discretizer::None);
    let mut with_blocks = nb.clone();
    with_blocks["network"]["blocks"] = json!({"list": []});
    assert!(Classifier::from_json(&with_blocks.to_string()).is_err());
}

#[test]
fn offsets_of_blocks_are_one_finite_number_for_every_class() {
    let block = block_model();
    let place = "/network/blocks/list/0/offsets";
    for value in [json!([]), json!([0.5]), json!([0.5, 0.25, 0.0])] {
        let text = refused(block.clone(), place, value.clone());
        assert!(text.contains("offsets of the block"), "{value}: {text}");
    }
    // Numbers that are none: JSON has no word for them, and 1e999 is too large.
    let mut endless = block.clone();
    *endless.pointer_mut(place).unwrap() = json!(["endless", 0.0]);
    let endless = endless.to_string().replace("\"endless\"", "1e999");
    assert!(Classifier::from_json(&endless).is_err());
    let mut without = block.clone();
    let first = without.pointer_mut("/network/blocks/list/0").unwrap();
    first.as_object_mut().unwrap().remove("offsets").unwrap();
    let error = Classifier::from_json(&without.to_string()).unwrap_err();
    assert!(error.to_string().contains("offsets"), "{error}");
    // Without a correction there is nothing to add.
    let mut corrected = block;
    *corrected.pointer_mut(place).unwrap() = json!([0.5, 0.25]);
    let text = refused(corrected, "/settings/block/correction", json!("off"));
    assert!(text.contains("no correction"), "{text}");
}

#[test]
fn offsets_are_read_back_to_the_last_bit() {
    let mut block = block_model();
    let offsets = [[0.1 + 0.2, -1.0 / 3.0], [5e-324, 123_456.789e10]];
    for (place, offsets) in offsets.iter().enumerate() {
        block["network"]["blocks"]["list"][place]["offsets"] = json!(offsets);
    }
    let classifier = Classifier::from_json(&block.to_string()).unwrap();
    let text = classifier.to_json().unwrap();
    let again = Classifier::from_json(&text).unwrap();
    assert_eq!(again.to_json().unwrap(), text);
    for (block, offsets) in again.blocks().unwrap().blocks().iter().zip(offsets) {
        assert_eq!(block.offsets, offsets);
    }
}

/// Every place in a document.
fn pointers(value: &Value, here: &str, found: &mut Vec<String>) {
    found.push(here.to_owned());
    match value {
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                pointers(item, &format!("{here}/{place}"), found);
            }
        }
        Value::Object(fields) => {
            for (name, item) in fields {
                pointers(item, &format!("{here}/{name}"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn no_change_of_one_place_makes_a_model_that_panics() {
    let others = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(3),
        json!(1e308),
        json!(u64::MAX),
        json!(""),
        json!("f"),
        json!([]),
        json!([[0, 1]]),
        json!({}),
    ];
    let table = table();
    let mut n_refused = 0;
    for model in models() {
        let mut places = Vec::new();
        pointers(&model, "", &mut places);
        for place in places {
            for other in &others {
                let mut changed = model.clone();
                *changed.pointer_mut(&place).unwrap() = other.clone();
                match Classifier::from_json(&changed.to_string()) {
                    // A column of another name may be absent from the table.
                    Ok(classifier) => match classifier.predict(&table, &Silent) {
                        Ok(prediction) => {
                            let mut all = prediction.probabilities.iter();
                            assert!(all.all(|p| p.is_finite()), "{place} {other}");
                        }
                        Err(error) => assert_eq!(error.kind(), ErrorKind::Data, "{error}"),
                    },
                    Err(error) => {
                        n_refused += 1;
                        assert_eq!(error.kind(), ErrorKind::Data, "{place} {other}: {error}");
                        assert!(error.to_string().ends_with('.'), "{place} {other}: {error}");
                    }
                }
            }
        }
    }
    assert!(n_refused > 1_000, "{n_refused}");
}

#[test]
fn a_model_read_and_written_again_keeps_its_selection() {
    let classifier = Classifier::from_json(&model(ModelKind::Tan, Discretizer::Mdlp).to_string());
    let selection = serde_json::json!({"method": "mdl-fs", "kept": ["f0"]});
    let written = classifier.unwrap().with_selection(selection.clone());
    let again = Classifier::from_json(&written.to_json().unwrap()).unwrap();
    assert_eq!(again.selection(), &selection);
    assert_eq!(again.to_json().unwrap(), written.to_json().unwrap());
}

#[test]
fn cells_that_meant_nothing_are_remembered() {
    let text = model(ModelKind::NaiveBayes, Discretizer::None).to_string();
    let classifier = Classifier::from_json(&text).unwrap();
    assert_eq!(classifier.missing_cells(), None);
    let cells = vec![String::new(), "-9".into()];
    let written = classifier.with_missing_cells(cells.clone());
    let again = Classifier::from_json(&written.to_json().unwrap()).unwrap();
    assert_eq!(again.missing_cells(), Some(&cells[..]));
}
