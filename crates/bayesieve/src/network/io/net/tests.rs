use super::super::parse_bif;
use super::super::testing::{ASIA, cells, data_error, names, variable};
use super::*;

/// A file with the marks of Hugin, GeNIe and pyAgrum.
const WEATHER: &str = r#"
% Made by hand.
net
{
  node_size = (80 40);
  HR_Desc = "a } brace; in \"quotes\"";
}
discrete node rain
{
  label = "Rain; or not";
  position = (10 20);
  states = ("no" "a lot" "1");
  HR_State_0 = "";
}
node wet {
  states = (no yes );
  ID = "wet";
}
node x_1 { states = ("<5" "%"); }
potential (rain) { data = ( 0.5 0.3 0.2 ); }
potential ( wet | x_1 rain )
{
  model_nodes = ();
  data = ((( 0.9 0.1 )  % x_1=<5 rain=no
           ( 0.8 0.2 ) ( 0.7 0.3 ))
          ((0.6 4e-1)(0.5 0.5)(0.4 0.6)));
}
potential ( x_1 | ) { data = (0.25 0.75); }
"#;

#[test]
fn states_fields_comments_and_nested_data_are_read() {
    let network = parse_net(WEATHER).unwrap();
    assert_eq!(names(&network), ["rain", "wet", "x_1"]);
    assert_eq!(variable(&network, "rain").states, ["no", "a lot", "1"]);
    assert_eq!(variable(&network, "wet").states, ["no", "yes"]);
    assert_eq!(variable(&network, "x_1").states, ["<5", "%"]);
    // By rising parents rain comes first: rain no with x_1 <5 and %, then rain a lot.
    let first: Vec<f64> = cells(&network, "wet").iter().copied().step_by(2).collect();
    assert_eq!(first, [0.9, 0.6, 0.8, 0.5, 0.7, 0.4]);
}

#[test]
fn flat_data_means_the_same_as_nested_data() {
    let start = WEATHER.find("(((").unwrap();
    let end = WEATHER.find(")));").unwrap();
    let flat = WEATHER[start..end].replace(['(', ')'], " ");
    let text = format!("{}({flat}{}", &WEATHER[..start], &WEATHER[end + 2..]);
    assert_eq!(parse_net(&text).unwrap(), parse_net(WEATHER).unwrap());
}

#[test]
fn asia_is_written_with_nested_data() {
    let text = to_net(&parse_bif(ASIA).unwrap()).unwrap();
    assert!(text.starts_with("net\n{\n}\nnode asia\n{\n  states = ( \"yes\" \"no\" );\n}\n"));
    let dysp = "potential ( dysp | bronc either )\n{\n  data = (((0.9 0.1)\n    (0.8 0.2))\n    \
                ((0.7 0.3)\n    (0.1 0.9)));\n}\n";
    assert!(text.ends_with(dysp), "{text}");
}

#[test]
fn names_that_are_no_identifiers_come_back_from_a_field() {
    let odd = ["wet grass", "7", "_7_1", "node", "", "é\"\\", "wet_grass"];
    let mut text = String::new();
    for (node, name) in odd.iter().enumerate() {
        let name = in_quotes(name);
        text += &format!("variable {name} {{ type discrete [ 1 ] {{ s{node} }}; }}\n");
        text += &format!("probability ( {name} ) {{ table 1; }}\n");
    }
    let network = parse_bif(&text).unwrap();
    let written = to_net(&network).unwrap();
    assert_eq!(parse_net(&written).unwrap(), network);
    assert!(written.contains("node _wet_grass_0\n"), "{written}");
    assert!(written.contains("  label = \"wet grass\";\n"), "{written}");
    // The letters and the number of the second node make the third node's name.
    assert!(written.contains("node _7_1_\n"), "{written}");
    assert!(written.contains("node wet_grass\n"), "{written}");
}

#[test]
fn what_is_wrong_is_refused_with_its_line() {
    let a = "node a { states = (\"0\" \"1\"); }\n";
    let cases = [
        (
            "net {}\ncontinuous node y { }".into(),
            "line 2: node \"y\" is of the kind \"continuous\". Only discrete chance nodes can \
             be read.",
        ),
        (
            "decision d { states = (\"0\"); }".into(),
            "line 1: node \"d\" is of the kind \"decision\". Only discrete chance nodes can be \
             read.",
        ),
        (
            format!("{a}utility u {{ }}"),
            "line 2: node \"u\" is of the kind \"utility\". Only discrete chance nodes can be \
             read.",
        ),
        (
            "class c { }".into(),
            "line 1: the network is made of classes. Save it as one plain network, without \
             instances.",
        ),
        ("node a { }".into(), "line 1: node \"a\" has no states"),
        (
            format!("{a}{a}"),
            "line 2: node \"a\" is declared twice, first in line 1",
        ),
        (a.to_string(), "line 1: node \"a\" has no table"),
        (
            format!("{a}potential ( b ) {{ }}"),
            "line 2: there is no node \"b\"",
        ),
        (
            format!("{a}potential ( a a ) {{ }}"),
            "line 2: \"a\" stands where \")\" should",
        ),
        (
            format!("{a}potential ( a ) {{ }}"),
            "line 2: the table of node \"a\" has no data",
        ),
        (
            format!("{a}potential ( a ) {{ data = (1); }}"),
            "line 2: node \"a\": 1 probability for 2 states",
        ),
        (
            format!("{a}potential ( a ) {{\n data = (0.5\n 0.6); }}"),
            "line 3: node \"a\": the probabilities sum to 1.1, not to 1 within 0.001",
        ),
        (
            format!("{a}potential ( a ) {{ data = ((0.5 0.5); }}"),
            "line 2: \";\" stands where a number or \")\" should",
        ),
        (
            format!("{a}potential ( a ) {{ data = (0.5 0.5) }}"),
            "line 2: \"}\" stands where \";\" should",
        ),
        (
            format!("{a}potential ( a ) {{ data = (normal 0.5); }}"),
            "line 2: \"normal\" is not a number",
        ),
        (
            "node a { states = (\"0\" \"1\") }".into(),
            "line 1: \"}\" stands where \";\" should",
        ),
        (
            "node a { label = \"x\" }".into(),
            "line 1: there is no \";\" at the end of this",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(data_error(parse_net(&text)).to_string(), expected, "{text}");
    }
}
