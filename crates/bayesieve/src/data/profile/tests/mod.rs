//! Profiles of any parts, merged in any tree, give the domains of the whole table.

mod faults;
mod many_numbers;

use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::Silent;
use crate::data::{
    CodedTable, ColumnChoice, KindOrigin, MissingPolicy, RoleOptions, Roles, Values, read_table,
};
use crate::random::{Purpose, below, shuffle, stream};

/// What the cells of a column look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    FewIntegers,
    /// Few whole numbers, each written in several ways.
    Spelled,
    /// Whole numbers of about as many values as a nominal column may have.
    AboutTwenty,
    ManyIntegers,
    FewFloats,
    ManyFloats,
    Dates,
    /// Whole numbers that a float does not tell apart.
    Huge,
    ManyHuge,
    /// Numbers, and now and then a word.
    LateWord,
    Constant,
    Empty,
    DeclaredNominal,
    DeclaredNumeric,
}

const FEATURES: [Kind; 15] = [
    Kind::Text,
    Kind::FewIntegers,
    Kind::Spelled,
    Kind::AboutTwenty,
    Kind::ManyIntegers,
    Kind::FewFloats,
    Kind::ManyFloats,
    Kind::Dates,
    Kind::Huge,
    Kind::ManyHuge,
    Kind::LateWord,
    Kind::Constant,
    Kind::Empty,
    Kind::DeclaredNominal,
    Kind::DeclaredNumeric,
];

const CLASSES: [Kind; 11] = [
    Kind::Text,
    Kind::FewIntegers,
    Kind::Spelled,
    Kind::AboutTwenty,
    Kind::ManyIntegers,
    Kind::FewFloats,
    Kind::Huge,
    Kind::ManyHuge,
    Kind::LateWord,
    Kind::Constant,
    Kind::Empty,
];

impl Kind {
    fn cell(self, draw: u32) -> String {
        let (n, gap) = (draw / 9, draw % 9);
        let pick = |all: &[&str]| all[n as usize % all.len()].to_owned();
        match self {
            Kind::Empty => pick(&["", "NA", "?"]),
            _ if gap == 0 => pick(&["", "NA", "?"]),
            Kind::Text => pick(&["a", "b", "bb", "ä", "A"]),
            Kind::FewIntegers | Kind::DeclaredNumeric => (n % 5).to_string(),
            Kind::Spelled | Kind::DeclaredNominal => {
                pick(&["1", "01", "1.0", "+1", "1e0", "0", "-0", "0.0", "2", "20"])
            }
            Kind::AboutTwenty => (n % 22).to_string(),
            Kind::ManyIntegers => (i64::from(n % 60) - 20).to_string(),
            Kind::FewFloats => pick(&["0.5", ".5", "1", "1.0", "2", "-0.25", "0", "-0"]),
            Kind::ManyFloats => (f64::from(n) / 7.0 - 3.0).to_string(),
            Kind::Dates => format!("2024-01-{:02}", n % 28 + 1),
            Kind::Huge => (9_007_199_254_740_988 + u64::from(n % 9)).to_string(),
            Kind::ManyHuge => (9_007_199_254_740_980 + u64::from(n % 40)).to_string(),
            Kind::LateWord if n % 16 == 3 => pick(&["none", "many"]),
            Kind::LateWord => (n % 30).to_string(),
            Kind::Constant => "7".to_owned(),
        }
    }
}

/// A table as cells to be written: a draw for every row and column, the class last.
#[derive(Debug, Clone)]
struct Drawn {
    kinds: Vec<Kind>,
    rows: Vec<Vec<u32>>,
}

fn any_table() -> impl Strategy<Value = Drawn> {
    let features = prop::collection::vec(prop::sample::select(&FEATURES[..]), 1..5);
    let kinds = (features, prop::sample::select(&CLASSES[..]));
    let kinds = kinds.prop_map(|(features, class)| [features, vec![class]].concat());
    kinds.prop_flat_map(|kinds| {
        let row = prop::collection::vec(0u32..9_000, kinds.len());
        let rows = prop::collection::vec(row, 1..50);
        (Just(kinds), rows).prop_map(|(kinds, rows)| Drawn { kinds, rows })
    })
}

impl Drawn {
    fn columns(&self) -> ProfileColumns {
        ProfileColumns {
            class: "class".into(),
            features: self.features().map(|(name, _)| name).collect(),
            excluded: Vec::new(),
        }
    }

    fn features(&self) -> impl Iterator<Item = (String, Kind)> {
        let features = &self.kinds[..self.kinds.len() - 1];
        (0..)
            .zip(features)
            .map(|(i, &kind)| (format!("f{i}"), kind))
    }

    /// Some rows, as a file of their own is read; some columns are taken as text.
    fn read(&self, rows: &[usize], as_text: &[String]) -> Table {
        let names = self.columns();
        let mut csv = names.features.join(",") + ",class\n";
        for &row in rows {
            let cells = self.kinds.iter().zip(&self.rows[row]);
            let cells: Vec<String> = cells.map(|(kind, &draw)| kind.cell(draw)).collect();
            csv += &(cells.join(",") + "\n");
        }
        let declared = |wanted: Kind| {
            let columns = self.features().filter(move |(_, kind)| *kind == wanted);
            columns.map(|(name, _)| name).collect::<Vec<_>>()
        };
        let options = ReadOptions {
            delimiter: Some(b','),
            nominal: ColumnChoice::Names(
                [declared(Kind::DeclaredNominal), as_text.to_vec()].concat(),
            ),
            numeric: ColumnChoice::Names(declared(Kind::DeclaredNumeric)),
            ..ReadOptions::default()
        };
        read(&csv, &options)
    }

    /// The domains of the whole table in memory.
    fn whole(&self, coding: CodingOptions) -> Result<Domains> {
        let table = self.read(&(0..self.rows.len()).collect::<Vec<_>>(), &[]);
        let roles = Roles::resolve(&table, &RoleOptions::default())?;
        Domains::of(&CodedTable::new(&table, &roles, coding)?, coding)
    }

    /// The same from parts, read again where that is asked for.
    fn in_parts(&self, options: &ProfileOptions, rng: &mut ChaCha8Rng) -> Result<Domains> {
        let new = || Profile::new(&self.columns(), options).unwrap();
        let mut profile = self.merged(&[], new, rng)?;
        let mut as_text: Vec<String> = Vec::new();
        loop {
            let again = profile.columns_to_read_again();
            if again.is_empty() {
                return profile.finish();
            }
            assert!(profile.finish().is_err());
            // Every time others: in other blocks other columns turn out to be text.
            assert!(
                again
                    .iter()
                    .all(|name| !as_text.iter().any(|known| known == name))
            );
            as_text.extend(again.into_iter().map(String::from));
            profile = self.merged(
                &as_text,
                || profile.start_again(&std::collections::BTreeSet::new()),
                rng,
            )?;
        }
    }

    /// Rows in any order, in blocks of any size, in profiles that are merged in any order.
    fn merged(
        &self,
        as_text: &[String],
        new: impl Fn() -> Profile,
        rng: &mut ChaCha8Rng,
    ) -> Result<Profile> {
        let mut parts = vec![new()];
        for block in blocks(self.rows.len(), rng) {
            if below(rng, 2) == 0 {
                parts.push(new());
            }
            let last = parts.len() - 1;
            parts[last].observe(&self.read(&block, as_text))?;
        }
        merge_in_any_order(parts, rng)
    }
}

fn read(csv: &str, options: &ReadOptions) -> Table {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    std::fs::write(&path, csv).unwrap();
    read_table(&path, options, &Silent).unwrap()
}

/// So many rows in any order, cut anywhere.
fn blocks(n_rows: usize, rng: &mut ChaCha8Rng) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..n_rows).collect();
    shuffle(&mut order, rng);
    let mut blocks = Vec::new();
    while !order.is_empty() {
        let n = 1 + below(rng, order.len() as u64) as usize;
        blocks.push(order.split_off(order.len() - n));
    }
    blocks
}

fn merge_in_any_order(mut parts: Vec<Profile>, rng: &mut ChaCha8Rng) -> Result<Profile> {
    while parts.len() > 1 {
        let mut one = parts.swap_remove(below(rng, parts.len() as u64) as usize);
        let other = parts.swap_remove(below(rng, parts.len() as u64) as usize);
        match below(rng, 2) {
            0 => one.merge(&other)?,
            // As it comes from another machine.
            _ => one.merge(&Profile::from_bytes(&other.to_bytes())?)?,
        }
        parts.push(one);
    }
    Ok(parts.remove(0))
}

fn any_coding() -> impl Strategy<Value = CodingOptions> {
    let missing = prop::sample::select(vec![
        MissingPolicy::Value,
        MissingPolicy::Drop,
        MissingPolicy::Available,
        MissingPolicy::Refuse,
    ]);
    let discretizer = prop::sample::select(vec![
        Discretizer::Mdlp,
        Discretizer::Width(3),
        Discretizer::Frequency(4),
        Discretizer::None,
    ]);
    (missing, discretizer).prop_map(|(missing, discretizer)| CodingOptions {
        missing,
        discretizer,
    })
}

proptest! {
    #[test]
    fn parts_give_the_domains_of_the_whole_table(
        table in any_table(),
        coding in any_coding(),
        seed in any::<u64>(),
    ) {
        let options = ProfileOptions { coding, ..ProfileOptions::default() };
        let mut rng = stream(seed, Purpose::Generate, 0);
        match (table.whole(coding), table.in_parts(&options, &mut rng)) {
            (Ok(whole), Ok(parts)) => prop_assert_eq!(parts, whole),
            (Err(whole), Err(parts)) => {
                prop_assert_eq!(parts.kind(), whole.kind(), "{} / {}", parts, whole);
            }
            (whole, parts) => prop_assert!(false, "{:?} of the whole, {:?}", whole, parts),
        }
    }
}

fn table(csv: &str) -> Table {
    read(csv, &ReadOptions::default())
}

fn columns(features: &[&str]) -> ProfileColumns {
    ProfileColumns {
        class: "class".into(),
        features: features.iter().map(ToString::to_string).collect(),
        excluded: Vec::new(),
    }
}

fn profile(features: &[&str]) -> Profile {
    Profile::new(&columns(features), &ProfileOptions::default()).unwrap()
}

#[test]
fn text_after_numbers_is_read_again_as_text() {
    let (numbers, text) = ("x,class\n1.0,0\n2.5,1\n", "x,class\nwide,a\n1,b\n");
    let mut first = profile(&["x"]);
    first.observe(&table(numbers)).unwrap();
    assert!(first.columns_to_read_again().is_empty());
    first.observe(&table(text)).unwrap();
    assert_eq!(first.columns_to_read_again(), ["x", "class"]);
    let error = first.finish().unwrap_err().to_string();
    assert!(
        error.contains("text among numbers") && error.contains("nominal=x"),
        "{error}"
    );

    let mut second = first.start_again(&std::collections::BTreeSet::new());
    // What was taken as numbers does not go together with what is taken as text.
    assert!(second.merge(&first).is_err());
    let as_text = ReadOptions {
        nominal: ColumnChoice::All,
        ..ReadOptions::default()
    };
    for csv in [text, numbers] {
        let mut part = Profile::from_bytes(
            &first
                .start_again(&std::collections::BTreeSet::new())
                .to_bytes(),
        )
        .unwrap();
        part.observe(&read(csv, &as_text)).unwrap();
        second.merge(&part).unwrap();
    }
    let domains = second.finish().unwrap();
    let labels = &domains.features[0].domain;
    assert_eq!(labels.labels(), ["1", "1.0", "2.5", "wide"]);
    assert_eq!(domains.class.domain.labels(), ["0", "1", "a", "b"]);
    // As it would be found in the whole file.
    assert_eq!(domains.features[0].origin, KindOrigin::Text);
}

#[test]
fn few_whole_numbers_stay_labels_until_they_are_many() {
    let of = |range: std::ops::Range<u32>| {
        let rows: String = range.map(|n| format!("{n},a\n")).collect();
        table(&format!("x,class\n{rows}"))
    };
    let mut profile = profile(&["x"]);
    profile.observe(&of(10..20)).unwrap();
    profile.observe(&of(0..20)).unwrap();
    let few = profile.finish().unwrap();
    assert_eq!(few.features[0].domain.labels()[..2], ["0", "1"]);
    assert_eq!(few.features[0].origin, KindOrigin::FewIntegers);
    profile.observe(&of(20..21)).unwrap();
    let many = profile.finish().unwrap();
    assert_eq!(many.features[0].origin, KindOrigin::Numbers);
    assert_eq!(many.features[0].n_distinct, 21);
}

#[test]
fn few_whole_numbers_of_typed_rows_are_numbers() {
    let mut profile = profile(&["few", "flag", "text"]);
    for rows in ["0,0,u,a\n1,1,v,a\n", "5,0,u,b\n6,1,v,b\n"] {
        let block = table(&format!("few,flag,text,class\n{rows}"));
        profile.observe(&block).unwrap();
    }
    let note = profile.take_few_as_numbers().unwrap();
    assert!(note.starts_with("column \"few\" holds"), "{note}");
    let features = profile.finish().unwrap().features;
    let origins: Vec<KindOrigin> = features.iter().map(|feature| feature.origin).collect();
    assert_eq!(
        origins,
        [
            KindOrigin::Numbers,
            KindOrigin::FewIntegers,
            KindOrigin::Text
        ]
    );
    assert_eq!(features[0].n_distinct, 4);
    assert_eq!(profile.take_few_as_numbers(), None);
}

#[test]
fn parts_without_rows_change_nothing() {
    let rows = table("x,class\n1,a\n2,b\n");
    let mut profile = profile(&["x"]);
    profile.observe(&rows).unwrap();
    let domains = profile.finish().unwrap();
    profile.observe(&rows.take_rows(&[])).unwrap();
    profile.merge(&self::profile(&["x"])).unwrap();
    assert_eq!(profile.finish().unwrap(), domains);
    let mut empty = self::profile(&["x"]);
    empty.merge(&profile).unwrap();
    assert_eq!(empty.finish().unwrap(), domains);
    assert!(self::profile(&["x"]).finish().is_err());
}
