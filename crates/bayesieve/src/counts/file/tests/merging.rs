//! Shards in any order and tree, counted in one go or put aside in between.

use super::*;
use crate::random::{Purpose, below, stream};

/// Merges in any order, some of them as they are read again.
fn merged_in_any_order(mut files: Vec<CountFile>, seed: u64) -> CountFile {
    let mut rng = stream(seed, Purpose::Generate, 0);
    while files.len() > 1 {
        let mut one = files.swap_remove(below(&mut rng, files.len() as u64) as usize);
        let other = files.swap_remove(below(&mut rng, files.len() as u64) as usize);
        if below(&mut rng, 2) == 0 {
            one = CountFile::from_bytes(&one.to_bytes()).unwrap();
        }
        one.merge(other).unwrap();
        files.push(one);
    }
    files.remove(0)
}

proptest! {
    #[test]
    fn shards_in_any_tree_of_merges_give_the_same_bytes(
        rows in prop::collection::vec(
            (prop::option::weighted(0.8, 0u32..5), 0u32..300, 0u32..3), 4..60),
        n_parts in 1u32..9,
        seeds in any::<[u64; 2]>(),
    ) {
        let mut rows = rows;
        rows[0] = (Some(0), 0, 0);
        rows[1] = (None, 1, 1);
        let table = table(&rows);
        let domains = coded(&table, MissingPolicy::Value).1;
        let shards = || -> Vec<CountFile> {
            let parts = parts(&table, n_parts).into_iter().enumerate();
            parts.map(|(i, part)| file(&domains, &format!("{i}"), &part)).collect()
        };
        let [one, two] = seeds.map(|seed| merged_in_any_order(shards(), seed));
        prop_assert_eq!(one.to_bytes(), two.to_bytes());
        prop_assert_eq!(&one.counts, &file(&domains, "whole", &table).counts);
        // None of them can be added once more, however the sum was made.
        for shard in shards() {
            let mut sum = one.clone();
            let text = sum.merge(shard.clone()).unwrap_err().to_string();
            let wanted = format!("{:?} is in both", shard.shards[0].id);
            prop_assert!(text.contains(&wanted), "{}", text);
            prop_assert_eq!(&sum, &one);
        }
    }
}

fn rows_of(table: &Table, rows: std::ops::Range<u32>) -> Table {
    table.take_rows(&rows.collect::<Vec<_>>())
}

#[test]
fn a_counter_that_is_put_aside_after_every_batch_goes_on_as_if_it_never_was() {
    let table = table(&ROWS);
    let domains = coded(&table, MissingPolicy::Value).1;
    let count = |is_put_aside: bool| {
        let mut counter = ShardCounter::new(domains.clone()).unwrap();
        for (place, shard) in [0..3, 3..4, 4..7].into_iter().enumerate() {
            for row in shard {
                counter.observe(&rows_of(&table, row..row + 1)).unwrap();
                if is_put_aside {
                    let bytes = counter.to_checkpoint(&(place, row)).unwrap();
                    assert!(CountFile::from_bytes(&bytes).is_err());
                    let (again, mark) =
                        ShardCounter::from_checkpoint::<(usize, u32)>(&bytes).unwrap();
                    assert_eq!(mark, (place, row));
                    assert!(ShardCounter::from_checkpoint::<String>(&bytes).is_err());
                    counter = again;
                }
            }
            let name = format!("s{place}");
            counter.finish_shard(ShardName::WithContent(&name)).unwrap();
        }
        counter.finish().unwrap()
    };
    let whole = count(false);
    assert_eq!(whole.to_bytes(), count(true).to_bytes());
    assert_eq!(
        whole.shards.iter().map(|shard| shard.n_rows).sum::<u64>(),
        7
    );
}

#[test]
fn a_name_with_content_is_the_same_for_the_same_rows_only() {
    let table = table(&ROWS);
    let domains = coded(&table, MissingPolicy::Value).1;
    let ids = |shards: &[&[u32]]| -> Vec<String> {
        let mut counter = ShardCounter::new(domains.clone()).unwrap();
        for rows in shards {
            counter.observe(&table.take_rows(rows)).unwrap();
            counter.finish_shard(ShardName::WithContent("day")).unwrap();
        }
        let file = counter.finish().unwrap();
        file.shards.into_iter().map(|shard| shard.id).collect()
    };
    let [monday] = &ids(&[&[0, 1, 2]])[..] else {
        panic!("one shard")
    };
    assert_eq!(ids(&[&[2, 0, 1]])[0], *monday);
    assert_ne!(ids(&[&[0, 1, 3]])[0], *monday);
    // Whatever was counted before.
    assert!(ids(&[&[5, 6], &[1, 2, 0]]).contains(monday));
}

#[test]
fn rows_of_a_shard_that_is_not_finished_are_no_file() {
    let table = table(&ROWS);
    let domains = coded(&table, MissingPolicy::Value).1;
    let mut counter = ShardCounter::new(domains).unwrap();
    counter.observe(&rows_of(&table, 0..2)).unwrap();
    counter.finish_shard(ShardName::Exact("a")).unwrap();
    let before = counter.clone();
    counter.observe(&rows_of(&table, 2..3)).unwrap();
    assert!(counter.clone().finish().is_err());
    assert!(counter.finish_shard(ShardName::Exact("a")).is_err());
    // A batch that cannot be coded counts nothing.
    let mut counter = before;
    let other = super::table(&[(Some(0), 99, 0)]);
    let text = counter.observe(&other).unwrap_err().to_string();
    assert!(text.contains("\"99\""), "{text}");
    assert_eq!(counter.finish().unwrap().n_rows(), 2);
}
