use super::*;
use crate::Silent;
use crate::data::{CodingOptions, ReadOptions, RoleOptions, Roles, Table, read_table};

fn read(csv: &str) -> Table {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    std::fs::write(&path, csv).unwrap();
    read_table(&path, &ReadOptions::default(), &Silent).unwrap()
}

fn learned(csv: &str, missing: MissingPolicy) -> (Table, CodedTable, Domains) {
    let table = read(csv);
    let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
    let options = CodingOptions {
        missing,
        discretizer: Discretizer::Width(2),
    };
    let coded = CodedTable::new(&table, &roles, options).unwrap();
    let domains = Domains::of(&coded, options).unwrap();
    (table, coded, domains)
}

const CSV: &str = "x,few,city,class\n1.5,0,Rome,b\n-2,01,,a\n,1,Bonn,b\n7,0,Rome,\n3,1,Rome,a\n";

#[test]
fn every_policy_codes_the_rows_as_in_memory() {
    for missing in [
        MissingPolicy::Value,
        MissingPolicy::Drop,
        MissingPolicy::Available,
    ] {
        let (table, coded, domains) = learned(CSV, missing);
        let nodes: Vec<usize> = (0..=domains.class_node()).collect();
        let codes = domains.code(&nodes, &table).unwrap();
        for (feature, codes) in coded.features.iter().zip(&codes) {
            assert_eq!(&feature.coded().unwrap().codes, codes, "{missing}");
        }
        assert_eq!(codes[3], coded.class.codes);
        let again = Domains::from_json(&domains.to_json()).unwrap();
        assert_eq!(again, domains);
        assert_eq!(again.fingerprint(), domains.fingerprint());
    }
}

#[test]
fn one_number_has_one_code_however_it_is_written() {
    let (_, _, domains) = learned(CSV, MissingPolicy::Value);
    let part = read("few,class\n1.0,a\n0,b\n");
    let codes = domains.code(&[1], &part).unwrap();
    assert_eq!(codes[0], Codes::U8(vec![1, 0]));
}

#[test]
fn what_the_domains_do_not_know_is_named() {
    let (_, _, domains) = learned(
        "x,city,class\n1.5,Rome,a\n2.5,Bonn,b\n",
        MissingPolicy::Value,
    );
    let said = |csv: &str, node: usize| domains.code(&[node], &read(csv)).unwrap_err().to_string();
    let text = said("x,city,class\n1.5,Oslo,a\n", 1);
    assert!(text.contains("\"Oslo\"") && text.contains("city"), "{text}");
    let text = said("x,city,class\n1.5,Rome,a\n1.5,,b\n", 1);
    assert!(text.contains("empty cell"), "{text}");
    let text = said("x,city,class\nwide,Rome,a\n", 0);
    assert!(text.contains("\"wide\" is no number"), "{text}");
    let text = said("x,class\n1,a\n", 1);
    assert!(text.contains("no column \"city\""), "{text}");
    let text = said("x,city,class\n1,Rome,c\n", 2);
    assert!(text.contains("\"c\""), "{text}");
}

#[test]
fn a_label_that_no_row_of_a_part_has_need_not_be_known() {
    // Oslo stands in a row without a class, so the domains do not know it; parts that are
    // taken from the table still do.
    let csv = "x,city,class\n1.5,Rome,a\n2.5,Bonn,b\n3.5,Oslo,\n";
    let (table, coded, domains) = learned(csv, MissingPolicy::Value);
    let part = table.take_rows(&[0, 1]);
    let codes = domains.code(&[1], &part).unwrap();
    assert_eq!(codes[0], coded.features[1].coded().unwrap().codes);
    // The same where bins are made of labels.
    let numbers = read("x,class\n1.5,a\n2.5,b\nwide,a\n");
    let codes = domains.code(&[0], &numbers.take_rows(&[1, 0])).unwrap();
    assert_eq!(codes[0], Codes::U8(vec![1, 0]));
    let error = domains.code(&[0], &numbers).unwrap_err();
    assert!(
        error.to_string().contains("\"wide\" is no number"),
        "{error}"
    );
}

#[test]
fn documents_that_contradict_themselves_are_refused() {
    let (_, _, domains) = learned(
        "x,city,class\n1.5,Rome,a\n2.5,Bonn,b\n",
        MissingPolicy::Value,
    );
    let json = domains.to_json();
    for (old, new) in [
        ("bayesieve.domains.v1", "bayesieve.domains.v9"),
        ("\"city\"", "\"x\""),
        ("\"Bonn\"", "\"Rome\""),
        ("\"mdlp\"", "\"mdlp"),
        ("\"labels\"", "\"lables\""),
        ("width:2", "width:zwei"),
    ] {
        let changed = json.replace(old, new);
        if changed != json {
            assert!(Domains::from_json(&changed).is_err(), "{new}");
        }
    }
    assert!(Domains::from_json("").is_err());
}
