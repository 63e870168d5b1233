//! Pages of selections that are hard to show.

use std::time::Duration;

use bayesieve::Silent;
use bayesieve::classify::Classifier;
use bayesieve::data::{
    CodedTable, CodingOptions, Column, Generator, KindOrigin, Nominal, RoleOptions, Roles, Table,
    Values,
};
use bayesieve::document::Seconds;
use bayesieve::evaluate::Honest;
use bayesieve::search::Limits;
use bayesieve::select::{Method, SelectOptions, select};

use super::*;
use crate::testing::check;

/// Names that would be read as something else on a page that does not escape them.
const HOSTILE: [&str; 5] = [
    "<script>alert(1)</script>",
    "\"' onload='x' \"",
    "&lt;b&gt; </title></style></svg>",
    "\u{202e}\u{0}\u{7}",
    "]]><!--",
];

/// The page of a method on a table, with all that it can have.
fn page(table: &Table, method: &str) -> String {
    let roles = Roles::resolve(table, &RoleOptions::default()).unwrap();
    let coded = CodedTable::new(table, &roles, CodingOptions::default()).unwrap();
    let options = SelectOptions::new(Method::named(method).unwrap()).unwrap();
    let mut found = select(&coded, &options, &Limits::new(&Silent)).unwrap();
    let honest = Honest {
        table,
        roles: &roles,
        options: &options,
        measure: None,
        stakes: None,
    };
    if honest.is_small() {
        found.honest = honest.estimate(&Silent).ok();
    }
    let kept = roles.features.iter().copied();
    let name = |place: usize| table.columns()[place].name();
    let kept = kept.filter(|&place| found.kept.iter().any(|kept| kept.feature == name(place)));
    let features = kept.collect();
    let kept = CodedTable::new(
        table,
        &Roles { features, ..roles },
        CodingOptions::default(),
    );
    let training = options.final_training().unwrap();
    let model = Classifier::train(&kept.unwrap(), &training, &Silent).ok();
    let about = About {
        file: "<data>.csv".into(),
        command: "bayesieve select '<data>.csv'".into(),
        seconds: None,
    };
    let outcome = SelectOutcome {
        selection: found,
        model,
        coding: CodingOptions::default(),
        class_counts: coded.class.counts(),
        seconds: Seconds::new(Duration::ZERO, Duration::ZERO),
        is_interrupted: false,
    };
    let page = selection(&about, &outcome);
    check(&page);
    page
}

fn table(columns: Vec<(String, Vec<String>)>) -> Table {
    let columns = columns.into_iter().map(|(name, cells)| {
        let nominal = Nominal::from_labels(cells.iter().map(|cell| Some(cell.as_str())));
        Column::new(name, Values::Nominal(nominal), KindOrigin::Text)
    });
    Table::new(columns.collect()).unwrap()
}

/// A column of so many rows by a rule.
fn column(name: &str, n_rows: usize, cell: impl Fn(usize) -> String) -> (String, Vec<String>) {
    (name.to_owned(), (0..n_rows).map(cell).collect())
}

#[test]
fn the_answer_comes_first_and_the_same_data_give_the_same_page() {
    let table = Generator::Example1.generate(320, 1).unwrap();
    let first = page(&table, "mdl-fs");
    assert!(first.contains("<h1>Keeps 4 of 8 features to predict C</h1>"));
    // Four of eight are out: three copies or parts of kept ones and one of noise.
    assert!(first.contains("<p class=\"label\">Dropped</p>\n<p class=\"figure\">4</p>"));
    assert!(first.contains("Right on rows not seen before"));
    assert!(
        first.contains(
            "Always guessing <bdi class=\"name\">1</bdi>, the most frequent class: 75.0 %."
        )
    );
    assert!(first.contains("Which class is taken for which"));
    assert_eq!(first, page(&table, "mdl-fs"));
}

#[test]
fn every_method_has_a_page() {
    let table = Generator::Example1.generate(320, 1).unwrap();
    for method in [
        "mdl-fs",
        "koller-sahami",
        "cfs",
        "wrapper",
        "cig-as",
        "mrmr",
        "relief-f",
        "all",
    ] {
        page(&table, method);
    }
    let boundary = page(&table, "rpdmb");
    assert!(boundary.contains("Markov boundary"));
    assert!(
        boundary.contains(">parent</text>")
            || boundary.contains(">sibling</text>")
            || boundary.contains(">child</text>")
    );
    let waves = Generator::Waveform40.generate(200, 1).unwrap();
    assert!(page(&waves, "separation").contains("Blocks of features"));
}

#[test]
fn hostile_names_and_labels_stay_text() {
    let n_rows = 80;
    let mut columns: Vec<(String, Vec<String>)> = HOSTILE
        .iter()
        .enumerate()
        .map(|(i, name)| {
            // The first column decides the class, the others are noise or copies.
            column(name, n_rows, move |row| {
                format!(
                    "{}{}",
                    HOSTILE[i],
                    if i < 2 { row % 2 } else { (row / (i + 1)) % 2 }
                )
            })
        })
        .collect();
    columns.push(column("<script>class", n_rows, |row| {
        format!("<script>{}", row % 2)
    }));
    let table = table(columns);
    for method in ["mdl-fs", "mrmr", "iamb", "rpdmb", "wrapper", "all"] {
        let page = page(&table, method);
        assert!(page.contains("&lt;script&gt;"));
        assert!(page.contains("&lt;data&gt;.csv"));
    }
}

#[test]
fn forty_classes_and_long_names_fit() {
    let n_rows = 400;
    let name = "a feature whose name is far too long ".repeat(9);
    let table = table(vec![
        column(&name, n_rows, |row| (row % 8).to_string()),
        column("tens", n_rows, |row| (row % 40 / 8).to_string()),
        column("class", n_rows, |row| format!("class {}", row % 40)),
    ]);
    let page = page(&table, "mrmr");
    assert!(page.contains("has 40 values."));
    assert_eq!(page.matches("class=\"right\"").count(), 40);
    assert!(page.contains(&format!("title=\"{name}\"")));
}

#[test]
fn one_feature_and_nothing_kept_have_pages_too() {
    let one_feature = table(vec![
        column("a", 40, |row| (row % 2).to_string()),
        column("class", 40, |row| (row % 2).to_string()),
    ]);
    assert!(page(&one_feature, "mdl-fs").contains("The one feature is kept to predict class"));
    let noise = table(vec![
        column("a", 40, |row| (row % 2).to_string()),
        column("b", 40, |_| "same".into()),
        column("class", 40, |row| (row / 2 % 2).to_string()),
    ]);
    for method in ["mdl-fs", "iamb", "rpdmb", "cfs"] {
        let page = page(&noise, method);
        assert!(page.contains("None of 2 features is kept"), "{method}");
        assert!(page.contains("Always the same: 1 feature"), "{method}");
    }
}

#[test]
fn seven_thousand_features_stay_a_small_page() {
    let n_rows = 60;
    let mut columns: Vec<(String, Vec<String>)> = (0..7_000)
        .map(|i: usize| {
            // A number of many bits for every feature: one bit per row.
            let bits = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            column(&format!("gene {i}"), n_rows, move |row| {
                (bits >> row & 1).to_string()
            })
        })
        .collect();
    columns.push(column("class", n_rows, |row| (row % 2).to_string()));
    let page = page(&table(columns), "all");
    assert!(page.contains("Keeps all 7,000 features"));
    assert!(page.contains("Drawn are the 60 that tell most about the class; 6,940 features more"));
}
