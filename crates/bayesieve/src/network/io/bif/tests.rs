use super::super::testing::{ASIA, cells, data_error, names, variable};
use super::*;

#[test]
fn asia_has_its_nodes_arcs_and_probabilities() {
    let asia = parse_bif(ASIA).unwrap();
    assert_eq!(
        names(&asia),
        [
            "asia", "tub", "smoke", "lung", "bronc", "either", "xray", "dysp"
        ]
    );
    assert_eq!((asia.dag().n_arcs(), asia.n_parameters()), (8, 18.0));
    assert_eq!(cells(&asia, "xray"), [0.98, 0.02, 0.05, 0.95]);
    // Parents of either by rising node: tub (1), lung (3). The file names lung first.
    let either = asia.node("either").unwrap();
    assert_eq!(asia.dag().parents(either), [1, 3]);
    assert_eq!(
        cells(&asia, "either"),
        [1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0]
    );
    // Parents of dysp: bronc (4), either (5), as in the file: yes yes, yes no, no yes, no no.
    assert_eq!(
        cells(&asia, "dysp"),
        [0.9, 0.1, 0.8, 0.2, 0.7, 0.3, 0.1, 0.9]
    );
}

#[test]
fn asia_is_written_as_bnlearn_writes_it() {
    let asia = parse_bif(ASIA).unwrap();
    let text = to_bif(&asia);
    // Only the order of parents and rows differs: rising parents, the first slowest.
    let expected = ASIA
        .replace("either | lung, tub", "either | tub, lung")
        .replace(
            "  (no, yes) 0.7, 0.3;\n  (yes, no) 0.8, 0.2;\n",
            "  (yes, no) 0.8, 0.2;\n  (no, yes) 0.7, 0.3;\n",
        )
        .replace(
            "  (no, yes) 1.0, 0.0;\n  (yes, no) 1.0, 0.0;\n",
            "  (yes, no) 1.0, 0.0;\n  (no, yes) 1.0, 0.0;\n",
        );
    assert_eq!(text, expected);
}

/// Nodes a and x, and this for the table of x given a.
fn with_table(table: &str) -> String {
    format!(
        "variable a {{ type discrete [ 2 ] {{ 0, 1 }}; }}\n\
         variable x {{ type discrete [ 3 ] {{ u, v, w }}; }}\n\
         probability ( a ) {{ table 0.5 0.5; }}\n\
         probability ( x | a ) {{\n{table}\n}}\n"
    )
}

#[test]
fn every_way_to_write_a_table_gives_the_same_one() {
    let cases = [
        "(0) 0.2, 0.3, 0.5;\n(1) 0.6, 0.3, 0.1;",
        "(1) 6e-1 .3 1.E-1; (\"0\") +0.2 0.3 0.5;",
        // The node's own state changes slowest.
        "table 0.2, 0.6, 0.3, 0.3, 0.5, 0.1;",
        "default 0.2, 0.3, 0.5; (1) 0.6, 0.3, 0.1;",
        "property \"a;}\" ; (0) /* } */ 0.2, 0.3, // 0.9\n 0.5; (1) 0.6, 0.3, 0.1;",
    ];
    for table in cases {
        let network = parse_bif(&with_table(table)).unwrap();
        assert_eq!(
            cells(&network, "x"),
            [0.2, 0.3, 0.5, 0.6, 0.3, 0.1],
            "{table}"
        );
    }
}

#[test]
fn a_list_of_cells_has_the_last_parent_fastest() {
    // Cells x0: a0b0 a0b1 a0b2 a1b0 a1b1 a1b2, then x1 in the same order.
    let text = "variable b { type discrete[3] { 0 1 2 }; }
        variable a { type discrete[2] { 0 1 }; }
        variable x { type discrete[2] { 0 1 }; }
        probability ( b ) { table 0.2 0.3 0.5; }
        probability ( a ) { table 0.5 0.5; }
        probability ( x | a, b ) {
          table 0.01 0.02 0.03 0.04 0.05 0.06 0.99 0.98 0.97 0.96 0.95 0.94;
        }";
    let network = parse_bif(text).unwrap();
    // By rising parents b is first: b0a0, b0a1, b1a0, ...
    let first: Vec<f64> = cells(&network, "x").iter().copied().step_by(2).collect();
    assert_eq!(first, [0.01, 0.04, 0.02, 0.05, 0.03, 0.06]);
}

#[test]
fn the_old_form_without_commas_and_bars_is_read() {
    let text = r#"
        // Bayesian network in the Interchange Format
        network "Dog-Problem" { //5 variables and 5 probability distributions
            property "credal-set constant-density-bounded 1.1" ;
        }
        variable  "light-on" { //2 values
            type discrete[2] {  "true"  "false" };
            property "position = (218, 195)" ;
        }
        variable  "family-out" {
            type discrete[2] {  true  false };
            property "position = (257, 99)" ;
        }
        probability (  "light-on"  "family-out" ) { //2 variable(s) and 4 values
            table 0.6 0.05 0.4 0.95 ;
        }
        probability (  "family-out" ) {
            table 0.15 0.85 ;
        }"#;
    let dog = parse_bif(text).unwrap();
    assert_eq!(names(&dog), ["light-on", "family-out"]);
    assert_eq!(variable(&dog, "family-out").states, ["true", "false"]);
    assert_eq!(cells(&dog, "light-on"), [0.6, 0.4, 0.05, 0.95]);
}

#[test]
fn names_may_be_numbers_signs_and_have_blanks() {
    let text = "variable my  node { type discrete [ 3 ] { <7.5, 7.5 - 10, >=10% }; }
        variable 7 { type discrete [ 1 ] { a b }; }
        variable x/y { type discrete [ 2 ] { f(x), +1 }; }
        probability ( my node ) { table 0.2, 0.3, 0.5; }
        probability ( 7 | my node, x/y ) {
          (<7.5, f(x)) 1; (<7.5, +1) 1; (7.5 - 10, f(x)) 1; (7.5 - 10, +1) 1;
          (>=10%, f(x)) 1; (>=10%, +1) 1;
        }
        probability ( x/y | my node ) { (<7.5) 1, 0; (7.5  -  10) 0, 1; (>=10%) 1, 0; }";
    let network = parse_bif(text).unwrap();
    assert_eq!(names(&network), ["my node", "7", "x/y"]);
    assert_eq!(
        variable(&network, "my node").states,
        ["<7.5", "7.5 - 10", ">=10%"]
    );
    assert_eq!(variable(&network, "7").states, ["a b"]);
    assert_eq!(cells(&network, "x/y"), [1.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
}

#[test]
fn tables_may_stand_before_their_nodes() {
    let (nodes, tables) = ASIA.split_at(ASIA.find("probability").unwrap());
    let turned = format!("{tables}{nodes}");
    assert_eq!(parse_bif(&turned).unwrap(), parse_bif(ASIA).unwrap());
}

#[test]
fn sums_near_one_are_kept_as_they_are() {
    let network = parse_bif(&with_table("default 0.3, 0.3, 0.3999997;")).unwrap();
    assert_eq!(
        cells(&network, "x"),
        [0.3, 0.3, 0.3999997, 0.3, 0.3, 0.3999997]
    );
}

#[test]
fn a_table_that_is_wrong_is_refused_with_its_line() {
    let cases = [
        (
            "(0) 0.2, 0.3, 0.5;\n(1) 0.6, 0.3, 0.2;",
            "line 6: node \"x\", given \"a\" = \"1\": the probabilities sum to 1.1, not to 1 \
             within 0.001",
        ),
        (
            "(0) 0.2, 0.3, 0.5;\n(1) 1.1, 0, -0.1;",
            "line 6: node \"x\", given \"a\" = \"1\": 1.1 is not a probability. Probabilities \
             are from 0 to 1.",
        ),
        ("(0) nan, 0.3, 0.5;", "line 5: \"nan\" is not a number"),
        (
            "(0) 0.2, 0.3, 0.5;",
            "line 4: node \"x\", given \"a\" = \"1\": this row is missing",
        ),
        (
            "(0) 0.2, 0.3, 0.5;\n(1) 1, 0, 0;\n(0) 0.2, 0.3, 0.5;",
            "line 7: node \"x\", given \"a\" = \"0\": this row stands twice, first in line 5",
        ),
        (
            "(0) 0.2, 0.8;",
            "line 5: node \"x\": 2 probabilities for 3 states",
        ),
        (
            "(0, 1) 0.2, 0.3, 0.5;",
            "line 5: node \"x\": a row names 2 states for 1 parent",
        ),
        (
            "(2) 0.2, 0.3, 0.5;",
            "line 5: node \"a\" has no state \"2\"",
        ),
        (
            "table 0.2, 0.3, 0.5;",
            "line 4: node \"x\": 3 probabilities for 3 states and 2 combinations of the \
             parents' states",
        ),
        (
            "\ntable 0.1, 0.3, 0.6,\n 0.2, 0.4, 0.4;",
            "line 6: node \"x\", given \"a\" = \"0\": the probabilities sum to 1.1, not to 1 \
             within 0.001. In this format the node's own state changes slowest; here it seems \
             not to.",
        ),
        (
            "table 0.2, 0.6, 0.3, 0.3, 0.5, 0.1;\ntable 0.2, 0.6, 0.3, 0.3, 0.5, 0.1;",
            "line 6: node \"x\" has a second table",
        ),
        (
            "table 0.2, 0.6, 0.3, 0.3, 0.5, 0.1; (0) 0.2, 0.3, 0.5;",
            "line 4: node \"x\" has a table and rows beside it",
        ),
        (
            "default 1, 0, 0;\ndefault 1, 0, 0;",
            "line 6: node \"x\", default row: it stands twice",
        ),
        (
            "(0) 0.2, 0.3, 0.5",
            "line 6: \"}\" stands where \";\" should",
        ),
        (
            "tabel 1, 0, 0;",
            "line 5: \"tabel\" stands where a row, table, default, property or \"}\" should",
        ),
    ];
    for (table, expected) in cases {
        let error = data_error(parse_bif(&with_table(table)));
        assert_eq!(error.to_string(), expected, "{table}");
    }
}

#[test]
fn a_network_that_is_wrong_is_refused_with_its_line() {
    let a = "variable a { type discrete [ 2 ] { 0, 1 }; }\n";
    let b = "variable b { type discrete [ 2 ] { 0, 1 }; }\n";
    let cases = [
        (
            format!("{a}{a}"),
            "line 2: node \"a\" is declared twice, first in line 1",
        ),
        (a.to_string(), "line 1: node \"a\" has no table"),
        (
            "\nvariable a { type discrete [ 2 ] { 0, 0 }; }".into(),
            "line 2: node \"a\" has the state \"0\" twice",
        ),
        (
            "variable a {\n type discrete [ 3 ] { 0, 1 }; }".into(),
            "line 2: node \"a\" lists 2 states, but announces 3",
        ),
        (
            "variable a { type discrete [ 0 ] { }; }".into(),
            "line 1: node \"a\" has no states",
        ),
        (
            "variable a { type continuous [ 2 ] { 0, 1 }; }".into(),
            "line 1: node \"a\" is of type \"continuous\". Only discrete nodes can be read.",
        ),
        ("variable a { }".into(), "line 1: node \"a\" has no type"),
        (
            format!("{a}probability ( a | bb ) {{ }}\n{b}"),
            "line 2: there is no node \"bb\". Did you mean \"b\"?",
        ),
        (
            format!("{a}probability ( a | a ) {{ default 1, 0; }}"),
            "line 2: the arcs form a cycle: \"a\" → \"a\"",
        ),
        (
            format!(
                "{a}{b}\nprobability ( a | b ) {{ default 1, 0; }}\n\
                 probability ( b | a ) {{ default 1, 0; }}"
            ),
            "line 4: the arcs form a cycle: \"b\" → \"a\" → \"b\"",
        ),
        (
            format!("{a}{b}probability ( a | b, b ) {{ default 1, 0; }}"),
            "line 3: node \"a\" has the parent \"b\" twice",
        ),
        (
            format!("{a}probability ( a ) {{ table 1, 0; }}\nprobability ( a ) {{ table 1, 0; }}"),
            "line 3: node \"a\" has a second table; the first is in line 2",
        ),
        (
            format!("{a}probability ( a ) {{ table 1, 0;"),
            "line 2: the block that begins here is never closed",
        ),
        (
            format!("{a}probability ( a "),
            "line 2: the file ends where \"{\" should stand. It was cut short.",
        ),
        (
            "variables a { }".into(),
            "line 1: \"variables\" stands where network, variable or probability should",
        ),
        (
            "variable \"a\" b { type discrete [ 2 ] { 0, 1 }; }".into(),
            "line 1: a name goes on behind its quotes; is a comma missing?",
        ),
        (
            format!(
                "variable p {{ type discrete [ 2 ] {{ x{{y, z }}; }}\n{a}\
                 probability ( p ) {{ table 1, 0; }}\n\
                 probability ( a | p ) {{ (x{{y) 1, 0; (z) 1, 0; }} junk }}"
            ),
            "line 4: the braces up to here do not match. Put names that hold braces in quotes.",
        ),
        ("network x {}".into(), "no node is declared"),
    ];
    for (text, expected) in cases {
        assert_eq!(data_error(parse_bif(&text)).to_string(), expected, "{text}");
    }
}
