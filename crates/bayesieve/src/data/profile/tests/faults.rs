//! What cannot be profiled, merged or read is refused.

use super::*;
use crate::ErrorKind;
use crate::fingerprint::Fingerprint;

/// Labels, few whole numbers, many numbers, gaps, rows without a class.
fn sample(coding: CodingOptions) -> Profile {
    let mut csv = "city,few,x,class\n".to_owned();
    for i in 0..24 {
        let city = ["Rome", "Bonn", "", "Oslo"][i % 4];
        let class = ["a", "b", "b", "a", ""][i % 5];
        csv += &format!("{city},{},{},{class}\n", i % 3, i as f64 / 8.0);
    }
    let options = ProfileOptions {
        coding,
        max_numbers: 12,
        ..ProfileOptions::default()
    };
    let mut profile = Profile::new(&columns(&["city", "few", "x"]), &options).unwrap();
    profile.observe(&table(&csv)).unwrap();
    profile
}

fn samples() -> Vec<Profile> {
    let coding = |missing, discretizer| CodingOptions {
        missing,
        discretizer,
    };
    let mut few = profile(&["x"]);
    few.observe(&table("x,class\n1,0\n2,1\n2,1\n")).unwrap();
    few.observe(&table("x,class\n1.5,0\n2,1.5\n")).unwrap();
    vec![
        sample(coding(MissingPolicy::Value, Discretizer::Mdlp)),
        sample(coding(MissingPolicy::Drop, Discretizer::Frequency(3))),
        few,
        profile(&["x"]),
    ]
}

#[test]
fn bytes_that_were_changed_or_cut_are_refused() {
    for profile in samples() {
        let bytes = profile.to_bytes();
        assert_eq!(Profile::from_bytes(&bytes).unwrap().to_bytes(), bytes);
        for place in 0..bytes.len() {
            let error = Profile::from_bytes(&bytes[..place]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Data, "{place} bytes: {error}");
            for flip in [1, 0x80, 0xff] {
                let mut changed = bytes.clone();
                changed[place] ^= flip;
                assert!(Profile::from_bytes(&changed).is_err(), "byte {place}");
            }
        }
        assert!(Profile::from_bytes(&[&bytes[..], &[0]].concat()).is_err());
    }
}

/// The bytes with a checksum that is right.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() - 8);
    let mut hash = Fingerprint::new();
    hash.bytes(&bytes);
    bytes.extend(hash.value().to_le_bytes());
    bytes
}

/// Uses all that a profile can do; errors are fine.
fn use_all(bytes: &[u8], other: &Profile) {
    let Ok(mut profile) = Profile::from_bytes(bytes) else {
        return;
    };
    let _ = profile.finish();
    let _ = profile.columns_to_read_again();
    let again = Profile::from_bytes(&profile.to_bytes()).unwrap();
    let _ = profile.merge(other);
    let _ = profile.merge(&again);
    let _ = profile.finish();
    let _ = profile.observe(&table("city,few,x,class\nRome,1,0.5,a\nBonn,,7,c\n"));
    let _ = profile.finish();
}

#[test]
fn what_a_forger_writes_is_refused_or_used_without_harm() {
    for profile in samples() {
        let bytes = profile.to_bytes();
        let body = 8..bytes.len() - 8;
        for place in body.clone() {
            for value in [
                0,
                1,
                2,
                0x7f,
                0x80,
                0xff,
                bytes[place] ^ 1,
                bytes[place] ^ 0x40,
            ] {
                let mut forged = bytes.clone();
                forged[place] = value;
                use_all(&sealed(forged), &profile);
            }
        }
        // Words of eight bytes: the largest numbers and those around a sign.
        for place in body {
            for word in [u64::MAX, i64::MAX as u64, 1 << 53, 1 << 32] {
                let mut forged = bytes.clone();
                let end = (place + 8).min(bytes.len() - 8);
                forged[place..end].copy_from_slice(&word.to_le_bytes()[..end - place]);
                use_all(&sealed(forged), &profile);
            }
            let cut = [&bytes[..place], &[0; 8]].concat();
            use_all(&sealed(cut), &profile);
        }
    }
}

#[test]
fn profiles_of_other_columns_or_options_are_not_merged() {
    let mut mine = profile(&["x"]);
    assert!(mine.merge(&profile(&["y"])).is_err());
    assert!(mine.merge(&profile(&["x", "y"])).is_err());
    let changes: [fn(&mut ProfileOptions); 5] = [
        |options| options.coding.missing = MissingPolicy::Drop,
        |options| options.coding.discretizer = Discretizer::Width(2),
        |options| options.max_numbers = 99,
        |options| options.max_labels = 99,
        |options| options.empty_cells.clear(),
    ];
    for change in changes {
        let mut options = ProfileOptions::default();
        change(&mut options);
        let other = Profile::new(&columns(&["x"]), &options).unwrap();
        let error = mine.merge(&other).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Data, "{error}");
    }
    assert!(mine.merge(&profile(&["x"])).is_ok());
}

#[test]
fn columns_that_cannot_be_profiled_are_refused() {
    let new = |columns: &ProfileColumns| Profile::new(columns, &ProfileOptions::default());
    assert!(new(&columns(&[])).is_err());
    assert!(new(&columns(&["x", "x"])).is_err());
    assert!(new(&columns(&["class"])).is_err());
    for (max_labels, max_numbers) in [(0, 2), (1, 1)] {
        let options = ProfileOptions {
            max_labels,
            max_numbers,
            ..ProfileOptions::default()
        };
        assert!(Profile::new(&columns(&["x"]), &options).is_err());
    }
    for csv in ["x,y\n1,2\n", "y,class\n1,2\n"] {
        let error = profile(&["x"]).observe(&table(csv)).unwrap_err();
        assert!(error.to_string().contains("there is no column"), "{error}");
    }
}

#[test]
fn more_labels_than_the_limit_are_refused_with_the_way_out() {
    let options = ProfileOptions {
        max_labels: 2,
        ..ProfileOptions::default()
    };
    let as_text = ReadOptions {
        nominal: ColumnChoice::Names(vec!["x".into()]),
        ..ReadOptions::default()
    };
    for (labels, way_out) in [
        (["a", "1", "b"], "ignore=x"),
        (["1", "2", "3"], "numeric=x"),
    ] {
        let mut profile = Profile::new(&columns(&["x"]), &options).unwrap();
        for label in labels {
            let mut part = Profile::new(&columns(&["x"]), &options).unwrap();
            part.observe(&read(&format!("x,class\n{label},k\n"), &as_text))
                .unwrap();
            profile
                .merge(&Profile::from_bytes(&part.to_bytes()).unwrap())
                .unwrap();
        }
        let error = profile.finish().unwrap_err().to_string();
        assert!(error.contains("more than 2 different"), "{error}");
        assert!(error.contains(way_out), "{error}");
        // A limit below the usual one was set, mostly by the memory.
        assert!(error.contains("memory"), "{error}");
    }
}

#[test]
fn more_classes_than_there_can_be_are_refused_as_they_come() {
    let labels = |of: &dyn Fn(u32) -> String| {
        let rows: String = (0..1_001).map(|n| format!("1,{}\n", of(n))).collect();
        table(&format!("x,class\n{rows}"))
    };
    let text = labels(&|n| format!("k{n}"));
    let error = profile(&["x"]).observe(&text).unwrap_err().to_string();
    assert!(error.contains("at most 1000 can be classes"), "{error}");
    let numbers = labels(&|n| n.to_string());
    let error = profile(&["x"]).observe(&numbers).unwrap_err().to_string();
    assert!(error.contains("numeric with 1001 distinct"), "{error}");
}

#[test]
fn a_number_that_was_met_as_one_of_few_and_of_many_is_one_class() {
    // 600 numbers, twenty at a time and all at once, and a word: 601 labels.
    let rows = |numbers: std::ops::Range<u32>| {
        let rows: String = numbers.map(|n| format!("1,{n}\n")).collect();
        table(&format!("x,class\n{rows}"))
    };
    let mut profile = profile(&["x"]);
    for start in (0..600).step_by(20) {
        profile.observe(&rows(start..start + 20)).unwrap();
    }
    profile.observe(&table("x,class\n1,word\n")).unwrap();
    profile.observe(&rows(0..600)).unwrap();
    assert_eq!(profile.columns_to_read_again(), ["class"]);
}

#[test]
fn refused_gaps_are_counted() {
    let options = ProfileOptions {
        coding: CodingOptions {
            missing: MissingPolicy::Refuse,
            ..CodingOptions::default()
        },
        ..ProfileOptions::default()
    };
    let mut profile = Profile::new(&columns(&["x", "y"]), &options).unwrap();
    profile
        .observe(&table("x,y,class\n1,,a\n2,,\n3,4,b\n"))
        .unwrap();
    // One of the two gaps is in a row without a class: it was in the file all the same.
    let error = profile.finish().unwrap_err().to_string();
    assert!(
        error.contains("2 cells are missing") && error.contains("\"y\""),
        "{error}"
    );
}
