//! What holds for every format: nothing is lost on the way, nothing breaks a reader.

use std::path::Path;

use proptest::prelude::*;

use super::super::{Cpt, Dag, Variable};
use super::testing::{ASIA, data_error};
use super::*;
use crate::ErrorKind;

type Parse = fn(&str) -> Result<Network>;
type Show = fn(&Network) -> Result<String>;

/// Every format that is read and written.
const FORMATS: [(&str, Parse, Show); 4] = [
    ("bif", parse_bif, |network| Ok(to_bif(network))),
    ("xml", parse_xmlbif, to_xmlbif),
    ("net", parse_net, to_net),
    ("json", parse_json, |network| Ok(to_json(network))),
];

/// A name with anything in it that means something in some format.
fn odd_name() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-zA-Z0-9_]{1,4}",
        "[ -~]{0,3}",
        r#"[ \t\n\r"'\\<>&%,;|(){}=/*\[\]-]{1,3}"#,
        "[àéß中\u{a0}\u{2003}🙂]{1,2}",
        Just("//".to_string()),
        Just("]]>".to_string()),
        Just("&amp;".to_string()),
        Just("node".to_string()),
    ];
    prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

/// Distinct names: equal ones get their number.
fn distinct(names: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    let mut distinct = Vec::new();
    for (place, name) in names.into_iter().enumerate() {
        let name = if seen.contains(&name) {
            format!("{name}#{place}")
        } else {
            name
        };
        seen.insert(name.clone());
        distinct.push(name);
    }
    distinct
}

/// A row of probabilities from weights; the last takes the rest so that sums are near 1.
fn row(weights: &[f64]) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

prop_compose! {
    /// A network of up to six nodes: any names, any graph, probabilities of all sizes.
    fn any_network()(
        names in prop::collection::vec(odd_name(), 1..6),
        states in prop::collection::vec(prop::collection::vec(odd_name(), 1..4), 6),
        arcs in prop::collection::vec(any::<bool>(), 15),
        is_turned in any::<bool>(),
        weights in prop::collection::vec(
            prop_oneof![Just(0.0), 1e-12..1.0, 0.1..1.0], 4_000
        ),
    ) -> Network {
        let n = names.len();
        let variables: Vec<Variable> = distinct(names)
            .into_iter()
            .zip(states)
            .map(|(name, states)| Variable { name, states: distinct(states) })
            .collect();
        let mut parents = vec![Vec::new(); n];
        let pairs = (0..n).flat_map(|to| (0..to).map(move |from| (from, to)));
        for ((from, to), _) in pairs.zip(arcs).filter(|(_, is_arc)| *is_arc) {
            let (from, to) = if is_turned { (n - 1 - from, n - 1 - to) } else { (from, to) };
            parents[to].push(from);
        }
        let dag = Dag::from_parents(parents).unwrap();
        let mut weights = weights.into_iter().cycle();
        let tables = (0..n).map(|node| {
            let n_states = variables[node].states.len();
            let parents = dag.parents(node).iter().map(|&p| variables[p].states.len());
            let parents: Vec<usize> = parents.collect();
            let n_rows: usize = parents.iter().product();
            let cells = (0..n_rows).flat_map(|_| {
                let mut cells: Vec<f64> = weights.by_ref().take(n_states).collect();
                cells[0] += 1e-3;
                row(&cells)
            });
            Cpt::dense(n_states, parents, cells.collect()).unwrap()
        });
        let tables = tables.collect();
        Network::new(variables, dag, tables).unwrap()
    }
}

proptest! {
    #[test]
    fn what_is_written_reads_back_equal_in_every_format(network in any_network()) {
        for (format, parse, show) in FORMATS {
            let text = show(&network).unwrap();
            let back = parse(&text);
            prop_assert!(back.is_ok(), "{format}: {:?}\n{text}", back);
            prop_assert!(back.unwrap() == network, "{format}\n{text}");
            let path = format!("x.{format}");
            let known = NetworkFormat::of_content(&text);
            prop_assert_eq!(known, NetworkFormat::of_extension(Path::new(&path)), "{}", text);
        }
    }

    #[test]
    fn no_text_breaks_a_reader(text in any::<String>()) {
        for (_, parse, _) in FORMATS {
            let _ = parse(&text);
        }
    }

    #[test]
    fn no_pieces_of_a_format_break_its_reader(
        pieces in prop::collection::vec(
            prop_oneof![
                Just("variable a { type discrete [ 2 ] { 0, 1 }; }"),
                Just("probability ( a ) {"), Just("probability ( a | b ) {"), Just("table"),
                Just("default"), Just("(0)"), Just("0.5"), Just(","), Just(";"), Just("}"),
                Just("{"), Just("net"), Just("node b { states = (\"0\" \"1\"); }"), Just("("),
                Just(")"), Just("potential (b) {"), Just("data ="), Just("|"), Just("\""),
                Just("/*"), Just("*/"), Just("//"), Just("%"), Just("\n"), Just("<BIF>"),
                Just("</BIF>"), Just("<NETWORK>"), Just("<VARIABLE>"), Just("<!--"), Just("]]>"),
                Just("&lt;"), Just("\\"), Just("[0.5, 0.5]"), Just("é"), Just("1e999"),
            ],
            0..40,
        )
    ) {
        for text in [pieces.concat(), pieces.join(" ")] {
            for (_, parse, _) in FORMATS {
                let _ = parse(&text);
            }
        }
    }

    #[test]
    fn no_change_of_some_bytes_breaks_a_reader(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)
    ) {
        let asia = parse_bif(ASIA).unwrap();
        for (_, parse, show) in FORMATS {
            let mut bytes = show(&asia).unwrap().into_bytes();
            for (place, byte) in &changes {
                let place = place.index(bytes.len());
                bytes[place] = *byte;
            }
            let text = String::from_utf8_lossy(&bytes);
            if let Err(error) = parse(&text) {
                prop_assert_eq!(error.kind(), ErrorKind::Data, "{}", error);
            }
        }
    }
}

#[test]
fn a_file_that_is_cut_short_is_never_taken_for_a_whole_one() {
    let asia = parse_bif(ASIA).unwrap();
    for (format, parse, show) in FORMATS {
        let text = show(&asia).unwrap();
        for end in 0..text.trim_ascii_end().len() {
            let error = data_error(parse(&text[..end]));
            // A text in which nothing was cut off a node has no place to name.
            let is_named = error.line().is_some() || error.to_string() == "no node is declared";
            assert!(is_named, "{format} cut at {end}: {error}");
        }
    }
}

#[test]
fn no_nesting_is_too_deep() {
    let many = |text: &str| text.repeat(200_000);
    let texts = [
        format!("variable a {}", many("{")),
        format!("probability {} {}", many("("), many("{")),
        format!("net {}", many("{")),
        format!(
            "node a {{ states = (\"0\"); }} potential (a) {{ data = {}1{}; }}",
            many("("),
            many(")")
        ),
        format!("<BIF>{}", many("<a>")),
        format!("<BIF>{}{}</BIF>", many("<a>"), many("</a>")),
        format!(
            "{{\"schema\": \"bayesieve.network.v1\", \"nodes\": {}",
            many("[")
        ),
        format!("{{\"a\": {}{}}}", many("["), many("]")),
    ];
    for text in texts {
        for (_, parse, _) in FORMATS {
            let _ = parse(&text);
        }
    }
}

#[test]
fn tables_that_hold_some_rows_only_come_back_where_a_format_knows_default_rows() {
    // Parents of 2,000 and 1,000 states: 4 million cells.
    let states = |n: usize| (0..n).map(|s| format!("s {s}")).collect::<Vec<_>>();
    let variable = |name: &str, n| Variable {
        name: name.into(),
        states: states(n),
    };
    let flat = |n: usize| Cpt::dense(n, vec![], vec![1.0 / n as f64; n]).unwrap();
    let rows = [
        (vec![0, 7], vec![0.1, 0.9]),
        (vec![1_999, 0], vec![0.3, 0.7]),
    ];
    let sparse = Cpt::with_default(vec![0.5, 0.5], vec![2_000, 1_000], &rows).unwrap();
    let network = Network::new(
        vec![variable("a", 2_000), variable("b", 1_000), variable("x", 2)],
        Dag::from_parents(vec![vec![], vec![], vec![0, 1]]).unwrap(),
        vec![flat(2_000), flat(1_000), sparse],
    )
    .unwrap();
    assert_eq!(parse_bif(&to_bif(&network)).unwrap(), network);
    assert_eq!(parse_json(&to_json(&network)).unwrap(), network);
    for error in [to_net(&network), to_xmlbif(&network)].map(|text| text.unwrap_err()) {
        assert_eq!(error.kind(), ErrorKind::Output);
        let message = error.to_string();
        assert!(message.contains("node \"x\" has 2000000 rows"), "{message}");
    }
}

#[test]
fn the_content_tells_the_format_before_the_extension() {
    let asia = parse_bif(ASIA).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (_, _, show) in FORMATS {
        let path = folder.path().join("asia.txt");
        let text = format!("\u{feff}{}", show(&asia).unwrap());
        std::fs::write(&path, text).unwrap();
        assert_eq!(read_network(&path).unwrap(), asia);
    }
    let known = [
        (
            "// a net\n/* node */ network x {}",
            Some(NetworkFormat::Bif),
        ),
        ("% BIF\n  %\nnet{}", Some(NetworkFormat::Net)),
        ("\n<?xml", Some(NetworkFormat::Xmlbif)),
        ("strict digraph {", Some(NetworkFormat::Dot)),
        ("% only", None),
        ("/* open", None),
        ("hello", None),
    ];
    for (text, format) in known {
        assert_eq!(NetworkFormat::of_content(text), format, "{text}");
    }
}

#[test]
fn files_that_are_no_networks_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&str, &[u8], &str); 8] = [
        ("a.bif", b"", "a.bif: the file is empty"),
        ("a.net", b" \n ", "a.net: the file is empty"),
        (
            "a.csv",
            b"a,b\n1,2\n",
            "a.csv: the file is neither BIF, XMLBIF, NET nor JSON",
        ),
        (
            "a.bif",
            b"hello",
            "a.bif, line 1: \"hello\" stands where network, variable or probability should",
        ),
        (
            "a.dot",
            b"digraph { }",
            "a.dot: DOT holds a graph without probabilities. Give the network as BIF, XMLBIF, \
             NET or JSON.",
        ),
        (
            "a.gz",
            b"\x1F\x8B\x08",
            "a.gz: the file is packed by gzip. Unpack it first: gunzip.",
        ),
        (
            "a.net",
            b"net {}\nnode \xE6 {",
            "a.net, line 2: the bytes are not UTF-8. Convert the file, for example with iconv \
             -f LATIN1 -t UTF-8.",
        ),
        (
            "a.xml",
            b"\xFF\xFE<\0",
            "a.xml: the text is UTF-16, not UTF-8. Convert it with iconv -f UTF-16 -t UTF-8.",
        ),
    ];
    for (name, bytes, expected) in cases {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let message = data_error(read_network(&path)).to_string();
        assert!(message.ends_with(expected), "{message}");
    }
    let message = data_error(read_network(&folder.path().join("no.bif"))).to_string();
    assert!(
        message.ends_with("no.bif: there is no such file"),
        "{message}"
    );
    let message = data_error(read_network(folder.path())).to_string();
    assert!(
        message.ends_with(": this is a folder, not a file"),
        "{message}"
    );
}

#[test]
fn a_file_is_written_by_its_extension() {
    let asia = parse_bif(ASIA).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.bif", "a.xml", "a.xmlbif", "a.NET", "a.json"] {
        let path = folder.path().join(name);
        write_network(&path, &asia).unwrap();
        assert_eq!(read_network(&path).unwrap(), asia, "{name}");
    }
    let path = folder.path().join("a.dot");
    write_network(&path, &asia).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), to_dot(&asia));
    let error = write_network(Path::new("a.xdsl"), &asia).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert_eq!(
        error.to_string(),
        "no format belongs to the name \"a.xdsl\". Let it end in .bif, .xml, .net, .json or .dot."
    );
}

#[test]
fn the_smallest_and_the_longest_numbers_come_back_to_the_last_bit() {
    let cells = vec![
        5e-324,
        2.2250738585072014e-308,
        0.1 + 0.2,
        1.0 / 3.0,
        1.0 - 0.3 - 1.0 / 3.0 - 1e-17,
    ];
    let states = (0..5).map(|s| s.to_string()).collect();
    let variable = Variable {
        name: "x".into(),
        states,
    };
    let cpt = Cpt::dense(5, vec![], cells).unwrap();
    let network = Network::new(vec![variable], Dag::new(1), vec![cpt]).unwrap();
    for (format, parse, show) in FORMATS {
        let back = parse(&show(&network).unwrap()).unwrap();
        let bits = |network: &Network| -> Vec<u64> {
            let cells = network.table(0).as_dense().unwrap();
            cells.iter().map(|p| p.to_bits()).collect()
        };
        assert_eq!(bits(&back), bits(&network), "{format}");
    }
}
