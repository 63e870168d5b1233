//! Columns of more different numbers than are kept apart.

use super::*;
use crate::data::{Column, Nominal};
use crate::random::{normal, unit};

fn number_table(numbers: &[f64], classes: &[u32]) -> Table {
    let labels: Vec<String> = classes.iter().map(u32::to_string).collect();
    let class = Nominal::from_labels(labels.iter().map(|label| Some(label.as_str())));
    let numbers = Values::Numeric(numbers.to_vec());
    Table::new(vec![
        Column::new("x", numbers, KindOrigin::Numbers),
        Column::new("class", Values::Nominal(class), KindOrigin::Text),
    ])
    .unwrap()
}

fn options(discretizer: Discretizer, max_numbers: usize) -> ProfileOptions {
    ProfileOptions {
        coding: CodingOptions {
            discretizer,
            ..CodingOptions::default()
        },
        max_numbers,
        ..ProfileOptions::default()
    }
}

fn profiled(table: &Table, options: &ProfileOptions) -> Domains {
    let mut profile = Profile::new(&columns(&["x"]), options).unwrap();
    profile.observe(table).unwrap();
    profile.finish().unwrap()
}

fn cuts(domains: &Domains) -> &[f64] {
    domains.features[0].cuts.as_ref().unwrap().as_slice()
}

proptest! {
    #[test]
    fn neither_blocks_nor_order_nor_merges_move_a_cut(
        rows in prop::collection::vec((any::<i16>(), 0u32..3), 1..150),
        by in prop::sample::select(vec![1.0, 7.0, 1e-9, 3e200]),
        discretizer in prop::sample::select(vec![
            Discretizer::Mdlp, Discretizer::Width(5), Discretizer::Frequency(6)]),
        max_numbers in 2usize..40,
        seed in any::<u64>(),
    ) {
        let numbers: Vec<f64> = rows.iter().map(|&(x, _)| f64::from(x) / by).collect();
        // The class has something to do with the number, so that there is a reason to cut.
        let class = |&(x, noise): &(i16, u32)| u32::from(x > 99) + noise / 2;
        let table = number_table(&numbers, &rows.iter().map(class).collect::<Vec<_>>());
        let options = options(discretizer, max_numbers);
        let whole = profiled(&table, &options);
        let mut rng = stream(seed, Purpose::Generate, 0);
        let new = || Profile::new(&columns(&["x"]), &options).unwrap();
        let mut parts = vec![new()];
        for block in blocks(numbers.len(), &mut rng) {
            if below(&mut rng, 2) == 0 {
                parts.push(new());
            }
            let last = parts.len() - 1;
            let block: Vec<u32> = block.iter().map(|&row| row as u32).collect();
            parts[last].observe(&table.take_rows(&block)).unwrap();
        }
        let merged = merge_in_any_order(parts, &mut rng).unwrap();
        prop_assert_eq!(merged.finish().unwrap(), whole);
    }
}

/// A million numbers of a kind that columns have.
fn drawn(kind: &str) -> Vec<f64> {
    let mut rng = stream(7, Purpose::Generate, 1);
    let draw = |_| match kind {
        "uniform" => unit(&mut rng),
        "normal" => normal(&mut rng),
        "log-normal" => normal(&mut rng).exp(),
        // Seconds of one year since 1970.
        _ => 1.7e9 + (unit(&mut rng) * 31_536_000.0).floor(),
    };
    (0..1_000_000).map(draw).collect()
}

const KINDS: [&str; 4] = ["uniform", "normal", "log-normal", "times"];

/// How many of the sorted numbers are on the left of every cut.
fn ranks(sorted: &[f64], cuts: &[f64]) -> Vec<usize> {
    let rank = |&cut: &f64| sorted.partition_point(|&x| x <= cut);
    cuts.iter().map(rank).collect()
}

#[test]
fn cuts_of_equal_frequency_are_off_by_a_thirtieth_of_a_percent_of_the_rows_at_most() {
    for kind in KINDS {
        let mut numbers = drawn(kind);
        let table = number_table(&numbers, &vec![0; numbers.len()]);
        let domains = profiled(&table, &options(Discretizer::Frequency(100), 16_384));
        assert!(domains.notes[0].contains("more than 16,384 different numbers"));
        numbers.sort_by(f64::total_cmp);
        let ranks = ranks(&numbers, cuts(&domains));
        assert_eq!(ranks.len(), 99, "{kind}");
        let aims = (1..100).map(|i| 10_000 * i);
        let off = ranks
            .iter()
            .zip(aims)
            .map(|(&rank, aim)| rank.abs_diff(aim));
        let most = off.max().unwrap();
        assert!(most <= 300, "{kind}: {most} rows of a million");
    }
}

#[test]
fn mdlp_finds_the_cuts_of_all_numbers_within_a_thousandth_of_the_rows() {
    for kind in KINDS {
        let mut numbers = drawn(kind);
        numbers.truncate(200_000);
        let mut sorted = numbers.clone();
        sorted.sort_by(f64::total_cmp);
        let [low, high] = [sorted[60_000], sorted[150_000]];
        let mut rng = stream(8, Purpose::Generate, 1);
        // Three quarters of the rows are of the class that their third suggests.
        let class = |x: &f64| match below(&mut rng, 4) {
            0 => below(&mut rng, 3) as u32,
            _ => u32::from(*x > low) + u32::from(*x > high),
        };
        let classes: Vec<u32> = numbers.iter().map(class).collect();
        let table = number_table(&numbers, &classes);
        let [grouped, exact] = [16_384, 1 << 20].map(|most| {
            let domains = profiled(&table, &options(Discretizer::Mdlp, most));
            ranks(&sorted, cuts(&domains))
        });
        assert_eq!(exact.len(), 2, "{kind}");
        // A cut inside a group may become two, one on either side of it.
        for (some, others) in [(&grouped, &exact), (&exact, &grouped)] {
            for &rank in some {
                let off = others.iter().map(|&other| rank.abs_diff(other)).min();
                assert!(
                    off.unwrap() < 200,
                    "{kind}: {grouped:?} for {exact:?} of 200,000"
                );
            }
        }
    }
}

#[test]
fn bins_of_equal_width_are_exact_for_any_number_of_numbers() {
    let numbers: Vec<f64> = (0..5_000).map(|i| f64::from(i) / 3.0).collect();
    let table = number_table(&numbers, &vec![0; numbers.len()]);
    let [few, all] = [2, 5_000].map(|most| profiled(&table, &options(Discretizer::Width(7), most)));
    assert_eq!(cuts(&few), cuts(&all));
    assert!(few.notes.is_empty());
}

#[test]
fn numbers_that_are_not_told_apart_are_not_counted() {
    let numbers: Vec<f64> = (0..100).map(f64::from).collect();
    let table = number_table(&numbers, &[0; 100]);
    for (most, told) in [(100, (100, false)), (99, (99, true)), (7, (7, true))] {
        let domains = profiled(&table, &options(Discretizer::Width(4), most));
        let x = &domains.features[0];
        assert_eq!((x.n_distinct, x.has_more_values), told, "{most}");
        // What is written is read again.
        assert_eq!(Domains::from_json(&domains.to_json()).unwrap(), domains);
    }
}
