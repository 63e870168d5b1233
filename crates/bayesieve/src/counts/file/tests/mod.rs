mod forged;
mod merging;

use proptest::prelude::*;

use super::*;
use crate::counts::{JointCounter, Tables};
use crate::data::{
    CodedTable, CodingOptions, Column, KindOrigin, MissingPolicy, Nominal, RoleOptions, Roles,
    Table, Values,
};
use crate::testing::tables;
use crate::{ErrorKind, Silent};

type Row = (Option<u32>, u32, u32);

/// Columns a (with gaps), b and the class.
fn table(rows: &[Row]) -> Table {
    let labels = |label: &dyn Fn(&Row) -> Option<u32>| {
        let labels: Vec<Option<String>> = rows
            .iter()
            .map(|row| label(row).map(|n| n.to_string()))
            .collect();
        Values::Nominal(Nominal::from_labels(labels.iter().map(Option::as_deref)))
    };
    Table::new(vec![
        Column::new("a", labels(&|row| row.0), KindOrigin::Text),
        Column::new("b", labels(&|row| Some(row.1)), KindOrigin::Text),
        Column::new("class", labels(&|row| Some(row.2)), KindOrigin::Text),
    ])
    .unwrap()
}

fn coded(table: &Table, missing: MissingPolicy) -> (CodedTable, Domains) {
    let options = CodingOptions {
        missing,
        ..CodingOptions::default()
    };
    let roles = Roles::resolve(table, &RoleOptions::default()).unwrap();
    let coded = CodedTable::new(table, &roles, options).unwrap();
    let domains = Domains::of(&coded, options).unwrap();
    (coded, domains)
}

fn counted(domains: &Domains, table: &Table) -> Counter {
    let nodes: Vec<usize> = (0..=domains.class_node()).collect();
    let codes = domains.code(&nodes, table).unwrap();
    let (class, features) = codes.split_last().unwrap();
    let mut counter = CountFile::counter(domains).unwrap();
    counter
        .observe(&features.iter().collect::<Vec<_>>(), class)
        .unwrap();
    counter
}

fn file(domains: &Domains, shard: &str, table: &Table) -> CountFile {
    CountFile::new(domains.clone(), shard, counted(domains, table).finish()).unwrap()
}

const ROWS: [Row; 7] = [
    (Some(0), 1, 0),
    (Some(1), 1, 1),
    (None, 0, 1),
    (Some(2), 0, 0),
    (Some(0), 2, 1),
    (None, 2, 0),
    (Some(1), 0, 1),
];

fn small() -> CountFile {
    let table = table(&ROWS);
    file(&coded(&table, MissingPolicy::Value).1, "all", &table)
}

/// One column has a label of its own in every row, so that its pairs are not held whole.
fn wide() -> (Table, Domains) {
    let rows: Vec<Row> = (0..1_500).map(|i| (Some(i), i % 131, i % 2)).collect();
    let table = table(&rows);
    let domains = coded(&table, MissingPolicy::Value).1;
    (table, domains)
}

fn parts(table: &Table, n: u32) -> Vec<Table> {
    let n_rows = table.n_rows() as u32;
    let rows = |part: u32| {
        (0..n_rows)
            .filter(|row| row % n == part)
            .collect::<Vec<_>>()
    };
    (0..n).map(|part| table.take_rows(&rows(part))).collect()
}

proptest! {
    #[test]
    fn what_is_read_is_what_was_written_and_shards_add_up_to_the_whole(
        rows in prop::collection::vec(
            (prop::option::weighted(0.8, 0u32..4), 0u32..300, 0u32..3), 2..50),
        n_parts in 1u32..5,
        missing in prop::sample::select(vec![
            MissingPolicy::Value, MissingPolicy::Drop, MissingPolicy::Available]),
    ) {
        let mut rows = rows;
        rows[0] = (Some(0), 0, 0);
        rows[1] = (Some(1), 1, 1);
        let table = table(&rows);
        let (_, domains) = coded(&table, missing);
        let whole = file(&domains, "whole", &table);
        prop_assert_eq!(&CountFile::from_bytes(&whole.to_bytes()).unwrap(), &whole);

        let shards = parts(&table, n_parts).into_iter().enumerate();
        let shards: Vec<CountFile> =
            shards.map(|(i, part)| file(&domains, &format!("{i}"), &part)).collect();
        let merged = |order: &mut dyn Iterator<Item = &CountFile>| {
            let mut sum = order.next().unwrap().clone();
            order.for_each(|shard| sum.merge(shard.clone()).unwrap());
            sum
        };
        let forward = merged(&mut shards.iter());
        prop_assert_eq!(&forward.counts, &whole.counts);
        prop_assert_eq!(forward.to_bytes(), merged(&mut shards.iter().rev()).to_bytes());
    }
}

#[test]
fn every_flipped_byte_and_every_cut_is_refused() {
    let bytes = small().to_bytes();
    for place in 0..bytes.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut broken = bytes.clone();
            broken[place] ^= flip;
            let error = CountFile::from_bytes(&broken).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Data, "byte {place}: {error}");
        }
        let error = CountFile::from_bytes(&bytes[..place]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Data, "{place} bytes: {error}");
    }
    let mut longer = bytes;
    longer.push(0);
    assert!(CountFile::from_bytes(&longer).is_err());
}

#[test]
fn what_is_no_count_file_is_told_apart() {
    let said = |bytes: &[u8]| CountFile::from_bytes(bytes).unwrap_err().to_string();
    for foreign in ["", "a,b,class\n1,2,3\n", "PAR1"] {
        let text = said(foreign.as_bytes());
        assert!(text.contains("this is no file of counts"), "{text}");
    }
    assert!(said(b"BSVC").contains("ends too early"));
    let mut newer = small().to_bytes();
    newer[8] = 2;
    assert!(said(&newer).contains("version 2"), "{}", said(&newer));
    let half = small().packed(CountFileKind::Checkpoint, serde_json::json!({"rows": 7}));
    assert!(said(&half).contains("resume"), "{}", said(&half));
    let (file, mark) = CountFile::unpacked(CountFileKind::Checkpoint, &half).unwrap();
    assert_eq!((file, mark["rows"].as_u64()), (small(), Some(7)));
}

#[test]
fn files_are_read_and_written_with_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shard.counts");
    small().write(&path).unwrap();
    assert_eq!(CountFile::read(&path).unwrap(), small());
    std::fs::write(&path, b"a,b\n").unwrap();
    let text = CountFile::read(&path).unwrap_err().to_string();
    assert!(text.contains("shard.counts: this is no file"), "{text}");
    let text = CountFile::read(&folder.path().join("none"))
        .unwrap_err()
        .to_string();
    assert!(text.ends_with("none: there is no such file"), "{text}");
}

#[test]
fn other_domains_are_refused_with_the_column_and_how_it_differs() {
    let said = |change: &dyn Fn(&mut Domains)| {
        let mut other = small();
        other.shards[0].id = "other".to_owned();
        change(&mut other.domains);
        let mut sum = small();
        let text = sum.merge(other).unwrap_err().to_string();
        assert_eq!(sum, small(), "nothing is added");
        text
    };
    let label = |label: &str| {
        let (domain, _) = crate::data::Domain::sorted(vec!["0".into(), label.into()]);
        domain
    };
    let text = said(&|domains| domains.class.domain = label("9"));
    assert!(
        text.contains("column \"class\"") && text.contains("label \"1\""),
        "{text}"
    );
    let text = said(&|domains| domains.features[1].name = "x".into());
    assert!(text.contains("\"b\" where the other has \"x\""), "{text}");
    let text = said(&|domains| drop(domains.features.pop()));
    assert!(text.contains("\"b\" is in one only"), "{text}");
    let text = said(&|domains| domains.features[1].origin = KindOrigin::Declared);
    assert!(
        text.contains("column \"b\"") && text.contains("text in one, of declared in"),
        "{text}"
    );
    let text = said(&|domains| domains.missing = MissingPolicy::Drop);
    assert!(text.contains("missing: "), "{text}");
    assert!(text.contains("Learn the domains once"), "{text}");
    let cuts = |cuts: &[f64]| Some(crate::data::CutPoints::new(cuts.to_vec()).unwrap());
    let text = said(&|domains| domains.features[0].cuts = cuts(&[1.0]));
    assert!(
        text.contains("column \"a\"") && text.contains("labels in one"),
        "{text}"
    );
    let (mut one, mut other) = (small().domains, small().domains);
    one.features[0].cuts = cuts(&[1.0, 2.5]);
    other.features[0].cuts = cuts(&[1.0, 2.0]);
    let text = one.check_same(&other).unwrap_err().to_string();
    assert!(text.contains("cut at 2.5"), "{text}");
}

#[test]
fn what_was_learned_on_other_rows_does_not_keep_files_apart() {
    let mut other = small();
    other.shards[0].id = "other".to_owned();
    other.domains.n_rows = 100;
    other.domains.features[0].n_distinct = 9;
    other.domains.notes = vec!["z".into(), "a".into()];
    let (mut one, mut two) = (small(), other.clone());
    one.merge(other).unwrap();
    two.merge(small()).unwrap();
    assert_eq!(one.to_bytes(), two.to_bytes());
    assert_eq!(one.domains.n_rows, 100);
    assert_eq!(one.domains.notes, ["a", "z"]);
}

#[test]
fn a_shard_is_never_added_twice() {
    let mut sum = small();
    let text = sum.merge(small()).unwrap_err().to_string();
    assert!(text.contains("\"all\" is in both"), "{text}");
    assert_eq!(sum, small());
}

#[test]
fn tables_that_are_not_held_whole_are_kept_too() {
    let (table, domains) = wide();
    let whole = file(&domains, "all", &table);
    // 1,500 x 131 x 2 cells, of which 1,500 are not zero.
    assert!(whole.counts.pairs[0].as_dense().is_none());
    assert_eq!(CountFile::from_bytes(&whole.to_bytes()).unwrap(), whole);
    let joint = whole.joint(&[vec![1, 2, 0]], &Silent).unwrap();
    assert_eq!(joint[0].n_rows(), 1_500);
    assert_eq!(joint[0].n_cells(), 131 * 2 * 1_500);
}

#[test]
fn answers_are_those_of_the_rows() {
    for missing in [MissingPolicy::Value, MissingPolicy::Available] {
        let table = table(&ROWS);
        let (coded, domains) = coded(&table, missing);
        let file = file(&domains, "all", &table);
        let features: Vec<&Nominal> = coded.features.iter().map(|f| f.coded().unwrap()).collect();
        let columns: Vec<_> = features.iter().map(|&feature| feature.into()).collect();
        let rows = tables(&columns, (&coded.class).into(), 3, 1 << 20);
        assert_eq!(file.class_counts(), rows.class_counts());
        assert_eq!(file.singles(), rows.singles());
        assert_eq!(
            file.pairs(&[(0, 1)], &Silent).unwrap(),
            rows.pairs(&[(0, 1)], &Silent).unwrap()
        );
        assert!(file.pairs(&[(1, 0)], &Silent).is_err());
        let sets: Vec<Vec<usize>> = [
            &[0][..],
            &[1],
            &[2],
            &[0, 1],
            &[1, 0],
            &[0, 2],
            &[2, 0],
            &[0, 1, 2],
            &[1, 2, 0],
            &[2, 1, 0],
        ]
        .map(<[usize]>::to_vec)
        .to_vec();
        assert_eq!(
            file.joint(&sets, &Silent).unwrap(),
            rows.joint(&sets, &Silent).unwrap()
        );
        for wrong in [vec![], vec![3], vec![0, 0], vec![2, 2]] {
            let error = file.joint(&[wrong], &Silent).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Internal);
        }
    }
}

#[test]
fn three_features_are_more_than_a_file_holds() {
    let labels = |step: usize| {
        let labels: Vec<String> = (0..6).map(|row| (row / step % 2).to_string()).collect();
        Nominal::from_labels(labels.iter().map(|label| Some(label.as_str())))
    };
    let column =
        |name: &str, step| Column::new(name, Values::Nominal(labels(step)), KindOrigin::Text);
    let columns = ["a", "b", "c", "class"].iter().zip(1..);
    let table = Table::new(columns.map(|(name, step)| column(name, step)).collect()).unwrap();
    let domains = coded(&table, MissingPolicy::Value).1;
    let file = file(&domains, "all", &table);
    assert_eq!(file.max_features(), Some(2));
    let error = file.joint(&[vec![0, 1, 2]], &Silent).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(
        error.to_string().contains("three or more features"),
        "{error}"
    );
}

#[test]
fn parts_of_joint_tables_are_merged_and_read_back() {
    let (table, domains) = wide();
    let nodes: Vec<usize> = (0..=domains.class_node()).collect();
    let part = |id: &str, rows: &Table| {
        let codes = domains.code(&nodes, rows).unwrap();
        let mut n_values = domains.n_values();
        n_values.push(domains.n_classes());
        let mut counter = JointCounter::new(&n_values, vec![vec![0, 1, 2], vec![2]]).unwrap();
        counter.observe(&codes.iter().collect::<Vec<_>>()).unwrap();
        let shard = Shard {
            id: id.to_owned(),
            n_rows: rows.n_rows() as u64,
        };
        Partial::of_joint(domains.fingerprint(), shard, counter)
    };
    let halves = parts(&table, 2);
    let mut sum = Partial::from_bytes(&part("0", &halves[0]).to_bytes()).unwrap();
    let other = Partial::from_bytes(&part("1", &halves[1]).to_bytes()).unwrap();
    sum.merge(other.clone()).unwrap();
    assert!(sum.merge(other).unwrap_err().to_string().contains("\"1\""));
    let whole = part("all", &table);
    assert_eq!(sum.n_rows(), whole.n_rows());
    let tables = sum.clone().into_joint().unwrap();
    assert_eq!(tables, whole.into_joint().unwrap());
    assert!(sum.clone().into_counts().is_err());
    let pairs = Partial::of_tables(domains.fingerprint(), "2", counted(&domains, &table));
    assert!(sum.merge(pairs).is_err());
}

#[test]
fn a_finished_partial_is_a_count_file() {
    let table = table(&ROWS);
    let domains = coded(&table, MissingPolicy::Value).1;
    let halves = parts(&table, 2);
    let part = |id: &str, rows: &Table| {
        Partial::of_tables(domains.fingerprint(), id, counted(&domains, rows))
    };
    let mut sum = part("1", &halves[1]);
    let bytes = part("0", &halves[0]).to_bytes();
    sum.merge(Partial::from_bytes(&bytes).unwrap()).unwrap();
    let merged = CountFile::from_partial(domains.clone(), sum.clone()).unwrap();
    assert_eq!(merged.counts, file(&domains, "all", &table).counts);
    assert_eq!(merged.shards.len(), 2);
    let mut other = domains.clone();
    other.missing = MissingPolicy::Drop;
    assert!(CountFile::from_partial(other, sum.clone()).is_err());
    let foreign = Partial::of_tables(1, "2", counted(&domains, &table));
    assert!(
        sum.merge(foreign)
            .unwrap_err()
            .to_string()
            .contains("different domains")
    );
    for place in 0..bytes.len() {
        assert!(Partial::from_bytes(&bytes[..place]).is_err());
        let mut broken = bytes.clone();
        broken[place] ^= 0x10;
        assert!(Partial::from_bytes(&broken).is_err(), "byte {place}");
    }
}
