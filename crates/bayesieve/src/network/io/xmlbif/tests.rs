use super::super::parse_bif;
use super::super::testing::{ASIA, cells, data_error, names, variable};
use super::*;

/// A file with the marks of WEKA, JavaBayes and pyAgrum.
const WEATHER: &str = r#"<?xml version="1.0"?>
<!-- DTD for the XMLBIF 0.3 format -->
<!DOCTYPE BIF [
    <!ELEMENT BIF ( NETWORK )*>
          <!ATTLIST BIF VERSION CDATA #REQUIRED>
    <!ELEMENT NETWORK ( NAME, ( PROPERTY | VARIABLE | DEFINITION )* )>
    <!ELEMENT NAME (#PCDATA)>
]>
<BIF VERSION="0.3" xmlns="http://www.cs.ubc.ca/labs/lci/fopi/ve/XMLBIFv0_3">
<NETWORK>
<NAME>weather</NAME>
<PROPERTY>software none</PROPERTY>
<DEFINITION>
    <FOR>wet</FOR> <GIVEN>x &amp; y</GIVEN> <GIVEN>rain</GIVEN>
    <TABLE>
        0.9 0.1 <!-- <5, no -->
        0.8 0.2
        0.7 0.3 <!-- <5, 1 -->
        <![CDATA[0.6]]> 4e-1 0.5 0.5 0.4 &#48;.6
    </TABLE>
</DEFINITION>
<VARIABLE TYPE="nature">
    <NAME> rain </NAME>
    <OUTCOME>no</OUTCOME>
    <OUTCOME>a<!-- much --> lot</OUTCOME>
    <OUTCOME>1</OUTCOME>
    <PROPERTY>position = (0,0)</PROPERTY>
</VARIABLE>
<VARIABLE><NAME>wet</NAME><OUTCOME>no</OUTCOME><OUTCOME>yes</OUTCOME></VARIABLE>
<VARIABLE TYPE="discrete"><NAME>x &amp; y</NAME>
    <OUTCOME>&lt;5</OUTCOME><OUTCOME><![CDATA[>=5]]></OUTCOME></VARIABLE>
<DEFINITION><FOR>rain</FOR><TABLE>0.5 0.3 0.2</TABLE></DEFINITION>
<DEFINITION><FOR>x &amp; y</FOR><TABLE>0.25 0.75</TABLE></DEFINITION>
</NETWORK>
</BIF>
"#;

#[test]
fn names_entities_comments_and_tables_are_read() {
    let network = parse_xmlbif(WEATHER).unwrap();
    assert_eq!(names(&network), ["rain", "wet", "x & y"]);
    assert_eq!(variable(&network, "rain").states, ["no", "a lot", "1"]);
    assert_eq!(variable(&network, "x & y").states, ["<5", ">=5"]);
    // By rising parents rain comes first: rain no with <5 and >=5, then rain a lot.
    let first: Vec<f64> = cells(&network, "wet").iter().copied().step_by(2).collect();
    assert_eq!(first, [0.9, 0.6, 0.8, 0.5, 0.7, 0.4]);
}

#[test]
fn line_ends_of_windows_change_nothing() {
    let network = parse_xmlbif(&WEATHER.replace('\n', "\r\n")).unwrap();
    assert_eq!(network, parse_xmlbif(WEATHER).unwrap());
}

#[test]
fn asia_is_written_one_row_a_line() {
    let asia = parse_bif(ASIA).unwrap();
    let text = to_xmlbif(&asia).unwrap();
    let tub = "<DEFINITION>\n\t<FOR>tub</FOR>\n\t<GIVEN>asia</GIVEN>\n\t<TABLE>\n\t\t0.05 0.95\n\
               \t\t0.01 0.99\n\t</TABLE>\n</DEFINITION>\n";
    assert!(text.contains(tub), "{text}");
    assert_eq!(parse_xmlbif(&text).unwrap(), asia);
}

#[test]
fn a_name_that_xml_cannot_hold_is_refused() {
    let text = "variable \"a\u{1}\" { type discrete [ 1 ] { s }; } probability ( \"a\u{1}\" ) { table 1; }";
    let error = to_xmlbif(&parse_bif(text).unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the name \"a\\u{1}\" has a character that XML cannot hold. Write .bif, .net or .json \
         instead."
    );
}

#[test]
fn what_is_wrong_is_refused_with_its_line() {
    let cases = [
        (
            "0.5 0.3 0.2",
            "0.5 0.3 0.1",
            "line 32: node \"rain\": the probabilities sum to 0.9, not to 1 within 0.001",
        ),
        (
            "0.7 0.3",
            "0.7 0.2",
            "line 18: node \"wet\", given \"x & y\" = \"<5\", \"rain\" = \"1\": the probabilities sum to 0.9, not to 1 within 0.001",
        ),
        ("0.8 0.2", "0.8 O.2", "line 17: \"O.2\" is not a number"),
        (
            "0.8 0.2",
            "0.8",
            "line 13: node \"wet\": 11 probabilities for 2 states and 6 combinations of the parents' states",
        ),
        (
            "<GIVEN>rain",
            "<GIVEN>rian",
            "line 14: there is no node \"rian\". Did you mean \"rain\"?",
        ),
        (
            "<TABLE>0.25 0.75",
            "<GIVEN>wet</GIVEN><TABLE>0.25 0.75 0.5 0.5",
            "line 13: the arcs form a cycle: \"x & y\" → \"wet\" → \"x & y\"",
        ),
        (
            "<FOR>rain",
            "<FOR>wet",
            "line 32: node \"wet\" has a second table; the first is in line 13",
        ),
        (
            "<OUTCOME>1<",
            "<OUTCOME>no<",
            "line 26: node \"rain\" has the state \"no\" twice",
        ),
        (
            "<OUTCOME>1<",
            "<OUTCOME> <",
            "line 26: this OUTCOME is empty",
        ),
        (
            "<OUTCOME>1<",
            "<OUTCOME><b/><",
            "line 26: \"b\" stands inside a name",
        ),
        (
            "TYPE=\"discrete\"",
            "TYPE=\"utility\"",
            "line 30: node \"x & y\" is of the kind \"utility\". Only discrete chance nodes can be read.",
        ),
        ("<NAME> rain </NAME>", "", "line 22: a VARIABLE has no NAME"),
        (
            "<TABLE>0.5 0.3 0.2</TABLE>",
            "",
            "line 32: the DEFINITION of node \"rain\" has no TABLE",
        ),
        (
            "\n<NETWORK>",
            "\n<NETWORK/><NETWORK>",
            "line 10: the document has a second NETWORK",
        ),
        (
            "<!ELEMENT BIF",
            "<!ENTITY a \"b\"><!ELEMENT BIF",
            "line 4: the document declares an entity of its own. Write the text that the entity stands for.",
        ),
    ];
    for (old, new, expected) in cases {
        let text = WEATHER.replacen(old, new, 1);
        assert_ne!(text, WEATHER, "{old}");
        assert_eq!(
            data_error(parse_xmlbif(&text)).to_string(),
            expected,
            "{new}"
        );
    }
}

#[test]
fn xml_that_is_not_well_formed_is_refused_with_its_line() {
    let cases = [
        ("</NETWORK>", "</NETWROK>", 34),
        ("x &amp; y</NAME>", "x & y</NAME>", 30),
        ("VERSION=\"0.3\"", "VERSION=0.3", 9),
        // What is never closed is missed at the end.
        ("</BIF>", "", 36),
        ("<!-- much -->", "<!-- much ", 36),
    ];
    for (old, new, line) in cases {
        let error = data_error(parse_xmlbif(&WEATHER.replacen(old, new, 1)));
        assert_eq!(error.line(), Some(line), "{error}");
        assert!(error.to_string().contains("the XML is not well-formed: "));
    }
}

#[test]
fn another_kind_of_xml_is_refused_by_its_root() {
    let error = data_error(parse_xmlbif("<smile version=\"1.0\"/>"));
    assert_eq!(
        error.to_string(),
        "line 1: the root of the XML is \"smile\", not \"BIF\". Only XMLBIF can be read."
    );
}

#[test]
fn a_table_the_other_way_round_is_told() {
    // Rows (0.1 0.3 0.6) and (0.2 0.4 0.4), the node's own state slowest.
    let text = "<BIF><NETWORK>
        <VARIABLE><NAME>a</NAME><OUTCOME>0</OUTCOME><OUTCOME>1</OUTCOME></VARIABLE>
        <VARIABLE><NAME>x</NAME><OUTCOME>0</OUTCOME><OUTCOME>1</OUTCOME><OUTCOME>2</OUTCOME></VARIABLE>
        <DEFINITION><FOR>a</FOR><TABLE>0.5 0.5</TABLE></DEFINITION>
        <DEFINITION><FOR>x</FOR><GIVEN>a</GIVEN><TABLE>0.1 0.2 0.3 0.4 0.6 0.4</TABLE></DEFINITION>
        </NETWORK></BIF>";
    let error = data_error(parse_xmlbif(text)).to_string();
    let hint = "In this format the node's own state changes fastest; here it seems not to.";
    assert!(error.ends_with(hint), "{error}");
}

#[test]
fn what_could_cost_a_parser_too_much_is_refused_before() {
    let attributes: String = (0..200_000).map(|i| format!(" a{i}=''")).collect();
    let nested: String = (0..60_000)
        .map(|i| format!("<a xmlns:a{i}='a'>\n"))
        .collect();
    let cases = [
        (
            format!("<BIF{attributes}/>"),
            "line 1: an element has more than 1000 attributes. XMLBIF needs one.",
        ),
        (
            format!("<BIF>{nested}</BIF>"),
            "line 1001: the document declares more than 1000 namespaces. XMLBIF needs none.",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(data_error(parse_xmlbif(&text)).to_string(), expected);
    }
}
