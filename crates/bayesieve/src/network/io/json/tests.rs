use super::super::parse_bif;
use super::super::testing::{ASIA, cells, data_error};
use super::*;

const WEATHER: &str = r#"{
  "schema": "bayesieve.network.v1",
  "nodes": ["rain", "wet"],
  "states": {"rain": ["no", "yes"], "wet": ["no", "yes"]},
  "parents": {
    "rain": [],
    "wet": ["rain"]
  },
  "tables": {
    "rain": [[0.8, 0.2]],
    "wet": [[0.9, 0.1], [0.3, 0.7]]
  },
  "note": {"made": [null]}
}"#;

#[test]
fn asia_has_a_line_for_every_node() {
    let asia = parse_bif(ASIA).unwrap();
    let text = to_json(&asia);
    assert!(
        text.contains("\n    \"either\": [\"tub\", \"lung\"],\n"),
        "{text}"
    );
    assert!(
        text.contains("\n    \"tub\": [[0.05, 0.95], [0.01, 0.99]],\n"),
        "{text}"
    );
    assert_eq!(parse_json(&text).unwrap(), asia);
}

#[test]
fn parents_in_any_order_mean_the_same() {
    let text = r#"{"schema": "bayesieve.network.v1", "nodes": ["a", "b", "x"],
        "states": {"a": ["0", "1"], "b": ["0", "1"], "x": ["0", "1"]},
        "parents": {"a": [], "b": [], "x": ["b", "a"]},
        "tables": {"a": [[1, 0]], "b": [[1, 0]], "x": [[0, 1], [0.1, 0.9], [0.2, 0.8], [0.3, 0.7]]}}"#;
    let network = parse_json(text).unwrap();
    // The file's rows are b0a0, b0a1, b1a0, b1a1; by rising parents a0b0, a0b1, a1b0, a1b1.
    assert_eq!(
        cells(&network, "x"),
        [0.0, 1.0, 0.2, 0.8, 0.1, 0.9, 0.3, 0.7]
    );
}

#[test]
fn what_is_wrong_is_refused_with_its_line() {
    let cases = [
        (
            ".v1",
            ".v2",
            "the schema is \"bayesieve.network.v2\". It must be \"bayesieve.network.v1\".",
        ),
        (
            "\"schema\"",
            "\"scheme\"",
            "there is no field \"schema\". It must be \"bayesieve.network.v1\".",
        ),
        ("\"nodes\"", "\"node\"", "line 14: missing field `nodes`"),
        (
            "[[0.8, 0.2]]",
            "[[0.8, 0.3]]",
            "line 10: node \"rain\": the probabilities sum to 1.1, not to 1 within 0.001",
        ),
        (
            "[0.3, 0.7]",
            "[0.3, 0.8]",
            "line 11: node \"wet\", given \"rain\" = \"yes\": the probabilities sum to 1.1, not to 1 within 0.001",
        ),
        (
            "[0.3, 0.7]",
            "[1]",
            "line 11: node \"wet\": 1 probability for 2 states",
        ),
        (
            ", [0.3, 0.7]",
            "",
            "line 11: node \"wet\": 2 probabilities for 2 states and 2 combinations of the parents' states",
        ),
        (
            "[0.3, 0.7]",
            "[0.3, null]",
            "line 11: invalid type: null, expected f64",
        ),
        (
            "[[0.8, 0.2]],",
            "[[0.8, 0.2]]",
            "line 11: expected `,` or `}`",
        ),
        (
            "\"wet\": [\"rain\"]",
            "\"wet\": [\"wet\"]",
            "line 11: the arcs form a cycle: \"wet\" → \"wet\"",
        ),
        (
            "\"wet\": [\"rain\"]",
            "\"rain\": [\"wet\"]",
            "line 7: node \"rain\" stands twice",
        ),
        (
            "\"wet\": [\"rain\"]",
            "\"wett\": [\"rain\"]",
            "line 7: there is no node \"wett\". Did you mean \"wet\"?",
        ),
        (
            "\"wet\": [\"no\", \"yes\"]",
            "\"wet\": [\"no\", \"no\"]",
            "line 4: node \"wet\" has the state \"no\" twice",
        ),
        (
            ", \"wet\": [\"no\", \"yes\"]",
            "",
            "line 4: node \"wet\" has no field in \"states\"",
        ),
        (
            "[\"rain\", \"wet\"]",
            "[\"rain\", \"wet\", \"wet\"]",
            "line 4: node \"wet\" is declared twice, first in line 4",
        ),
        (
            "[[0.8, 0.2]]",
            "{\"default\": [0.8, 0.2], \"rows\": [[[\"no\"], [1, 0]]]}",
            "line 10: node \"rain\": a row names 1 state for 0 parents",
        ),
    ];
    for (old, new, expected) in cases {
        let text = WEATHER.replacen(old, new, 1);
        assert_ne!(text, WEATHER, "{old}");
        assert_eq!(data_error(parse_json(&text)).to_string(), expected, "{new}");
    }
}
