//! Bytes that nobody writes, under a checksum that is right.

use super::*;

/// What changes the header, the domains and the cells.
type Change<'c> = &'c dyn Fn(&mut String, &mut String, &mut Vec<u8>);

/// As a file is written, with whatever sections, so that only what they say is wrong.
fn forged(change: impl Fn(&mut String, &mut String, &mut Vec<u8>)) -> Error {
    let file = small();
    let header = CountFileHeader::new(&file.shards, file.domains.fingerprint(), Value::Null);
    let (mut header, mut domains) = (header.to_json(), file.domains.to_json());
    let mut cells = cells_of(&file.counts);
    change(&mut header, &mut domains, &mut cells);
    let bytes = pack(
        CountFileKind::Counts,
        [header.as_bytes(), domains.as_bytes(), &cells],
    );
    CountFile::from_bytes(&bytes).unwrap_err()
}

#[test]
fn contradictions_under_a_right_checksum_are_refused() {
    let cases: [(&str, Change<'_>); 8] = [
        ("schema", &|header, _, _| {
            *header = header.replace("counts.v1", "counts.v9");
        }),
        ("add up to the rows", &|header, _, _| {
            *header = header.replace("\"rows\":7", "\"rows\":8");
        }),
        ("rows", &|header, _, _| {
            *header = header.replace("\"rows\":7", "\"rows\":18446744073709551615");
        }),
        ("other domains", &|_, domains, _| {
            *domains = domains.replace("\"b\"", "\"c\"");
        }),
        ("domains", &|_, domains, _| domains.truncate(9)),
        ("cut off", &|_, _, cells| cells.truncate(20)),
        ("more cells", &|_, _, cells| cells.push(0)),
        ("more rows than there are", &|_, _, cells| cells[2] = 7),
    ];
    for (word, change) in cases {
        let text = forged(change).to_string();
        assert!(text.contains(word), "no {word:?} in {text:?}");
        assert!(text.contains(". "), "no way out in {text:?}");
    }
}

/// Uses all that a file can do; errors are fine.
fn use_file(bytes: &[u8]) {
    let Ok(mut file) = CountFile::from_bytes(bytes) else {
        return;
    };
    let again = CountFile::from_bytes(&file.to_bytes()).unwrap();
    assert_eq!(again, file);
    let _ = file.pairs(&[(0, 1)], &Silent);
    let _ = file.joint(&[vec![0, 1], vec![2, 0]], &Silent);
    let _ = file.merge(small());
}

/// Every single byte changed, and every cut.
fn changed(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let places = 0..bytes.len();
    let changed = places.clone().flat_map(move |place| {
        let old = bytes[place];
        let new = [0, b'0', b'9', b'"', b']', 0x7f, 0xff, old ^ 1, old ^ 0x80];
        new.into_iter().map(move |byte| {
            let mut changed = bytes.to_vec();
            changed[place] = byte;
            changed
        })
    });
    changed.chain(places.map(move |place| bytes[..place].to_vec()))
}

#[test]
fn what_a_forger_writes_is_refused_or_used_without_harm() {
    let file = small();
    let header = CountFileHeader::new(&file.shards, file.domains.fingerprint(), Value::Null);
    let (header, domains) = (header.to_json(), file.domains.to_json());
    let cells = cells_of(&file.counts);
    let packed = |header: &[u8], domains: &[u8], cells: &[u8]| {
        use_file(&pack(CountFileKind::Counts, [header, domains, cells]));
    };
    for header in changed(header.as_bytes()) {
        packed(&header, domains.as_bytes(), &cells);
    }
    for cells in changed(&cells) {
        packed(header.as_bytes(), domains.as_bytes(), &cells);
    }
    for domains in changed(domains.as_bytes()) {
        packed(header.as_bytes(), &domains, &cells);
        // And with the number of the domains that they are now.
        let text = std::str::from_utf8(&domains);
        if let Some(other) = text.ok().and_then(|text| Domains::from_json(text).ok()) {
            let header =
                CountFileHeader::new(&file.shards, other.fingerprint(), Value::Null).to_json();
            packed(header.as_bytes(), &domains, &cells);
        }
    }
}

/// The same for parts of both kinds.
#[test]
fn parts_of_a_forger_are_refused_or_used_without_harm() {
    let table = table(&ROWS);
    let domains = coded(&table, MissingPolicy::Value).1;
    let nodes: Vec<usize> = (0..=domains.class_node()).collect();
    let codes = domains.code(&nodes, &table).unwrap();
    let mut joint = JointCounter::new(&[4, 3, 2], vec![vec![0, 1, 2], vec![2]]).unwrap();
    joint.observe(&codes.iter().collect::<Vec<_>>()).unwrap();
    let shard = Shard {
        id: "0".into(),
        n_rows: 7,
    };
    let parts = [
        Partial::of_tables(1, "0", counted(&domains, &table)),
        Partial::of_joint(1, shard, joint),
    ];
    for part in parts {
        let bytes = part.to_bytes();
        let [header, _, cells] = unpack(CountFileKind::Partial, &bytes).unwrap();
        let header = header.text().unwrap();
        let mut of_cells = Vec::new();
        std::io::Read::read_to_end(&mut cells.reader(), &mut of_cells).unwrap();
        let headers = changed(header.as_bytes()).map(|header| (header, of_cells.clone()));
        let cells = changed(&of_cells).map(|cells| (header.clone().into_bytes(), cells));
        for (header, cells) in headers.chain(cells) {
            let bytes = pack(CountFileKind::Partial, [&header, &[], &cells]);
            let Ok(mut found) = Partial::from_bytes(&bytes) else {
                continue;
            };
            assert!(Partial::from_bytes(&found.to_bytes()).is_ok());
            let _ = found.merge(part.clone());
            let _ = found.clone().into_counts();
            let _ = found.into_joint();
        }
    }
}

/// The bytes of a part that says so much of itself.
fn part_of(content: &str, cells: &[u8]) -> String {
    let header = format!(
        "{{\"schema\":\"bayesieve.partial.v1\",\"fingerprint\":\"1\",\
         \"parts\":[{{\"id\":\"a\",\"rows\":5}}],\"content\":{content}}}"
    );
    let bytes = pack(CountFileKind::Partial, [header.as_bytes(), &[], cells]);
    Partial::from_bytes(&bytes).unwrap_err().to_string()
}

#[test]
fn what_would_take_too_much_memory_is_refused_before_it_is_read() {
    let tables = |values: &str, pairs: &str| {
        let content =
            format!("{{\"tables\":{{\"classes\":2,\"values\":[{values}],\"pairs\":{pairs}}}}}");
        // All zeros, of which a million are packed in a thousand bytes.
        part_of(&content, &vec![0; 1 << 20])
    };
    let text = tables(&vec!["2"; 100_000].join(","), "\"all\"");
    assert!(text.contains("too many pairs"), "{text}");
    let text = tables(&vec!["300"; 100].join(","), "\"all\"");
    assert!(text.contains("limit 268435456"), "{text}");
    let text = tables("2,2", "{\"list\":[[0,2]]}");
    assert!(text.contains("pair (0, 2)"), "{text}");
    // Five rows, and more cells than can be.
    let mut cells = Vec::new();
    push(&mut cells, 1 << 40);
    let text = part_of(
        "{\"joint\":{\"values\":[9000,9000],\"sets\":[[0,1]]}}",
        &cells,
    );
    assert!(text.contains("more cells than fit"), "{text}");
}

#[test]
fn counts_that_contradict_each_other_are_no_file() {
    let file = small();
    let with = |change: &dyn Fn(&mut Counts)| {
        let mut counts = file.counts.clone();
        change(&mut counts);
        CountFile::new(file.domains.clone(), "all", counts)
    };
    assert_eq!(with(&|_| {}).unwrap(), file);
    assert!(with(&|counts| counts.n_rows = 8).is_err());
    assert!(with(&|counts| counts.class_counts = vec![3, 3]).is_err());
    assert!(with(&|counts| counts.class_counts = vec![7]).is_err());
    assert!(with(&|counts| drop(counts.pairs.pop())).is_err());
    assert!(with(&|counts| counts.singles.swap(0, 1)).is_err());
}
