//! Worked numbers, and that growing and shrinking give what scoring afresh does.

use proptest::prelude::*;

use super::*;
use crate::Silent;
use crate::data::Nominal;
use crate::score::testing::{example1, features};

/// The set of Example 1's features by their numbers from 1.
fn set(numbers: &[usize]) -> FeatureSet {
    FeatureSet::of(8, numbers.iter().map(|n| n - 1)).unwrap()
}

#[test]
fn example_1_has_the_scores_of_its_worked_numbers() {
    let (all, nb, tan) = (
        [1, 2, 3, 4, 5, 6, 7, 8],
        Structure::NaiveBayes,
        Structure::Tan,
    );
    let cases: [(usize, Structure, &[usize], f64, f64); 9] = [
        (32, nb, &[], 283.8159, 48.4609),
        (32, nb, &[2], 276.3550, 41.0000),
        (32, nb, &[2, 6], 269.4609, 38.5196),
        (32, nb, &all, 272.1396, 123.9864),
        (32, tan, &all, 227.5391, 79.3859),
        (3200, nb, &[2, 6], 24260.1312, 1165.9962),
        (3200, tan, &[1, 2, 4, 6], 22510.6166, 299.2041),
        (3200, tan, &[1, 2, 3, 4, 6, 8], 18349.4582, 334.1356),
        (3200, tan, &all, 15184.3898, 369.0672),
    ];
    for (n_rows, structure, numbers, mdl, mdl_fs) in cases {
        let table = example1(n_rows);
        let info = Informations::new(&features(&table), &table.class).unwrap();
        let plain = DescriptionLength::mdl(&info, structure).unwrap();
        let fs = DescriptionLength::mdl_fs(&info, structure, Auxiliary::Tree).unwrap();
        let value = |score: &DescriptionLength<'_, '_>| {
            score.evaluate(&[set(numbers)], &Silent).unwrap()[0]
        };
        assert!(
            (value(&plain) - mdl).abs() < 5e-5,
            "{numbers:?}: {}",
            value(&plain)
        );
        assert!(
            (value(&fs) - mdl_fs).abs() < 5e-5,
            "{numbers:?}: {}",
            value(&fs)
        );
    }
}

fn scores<'i, 'a>(info: &'i Informations<'a>) -> Vec<DescriptionLength<'i, 'a>> {
    let mut scores = Vec::new();
    for structure in [Structure::NaiveBayes, Structure::Tan] {
        scores.push(DescriptionLength::mdl(info, structure).unwrap());
        for auxiliary in [
            Auxiliary::Tree,
            Auxiliary::OwnTree,
            Auxiliary::Empty,
            Auxiliary::Complete,
        ] {
            let score = || DescriptionLength::mdl_fs(info, structure, auxiliary).unwrap();
            scores.push(score());
            scores.push(score().with_naming(9, vec![0, 2, 1]));
        }
    }
    scores
}

/// Four cells and the class.
type Row = (u8, u8, u8, u8, u8);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Four columns of up to three values, and every way to a set of three.
    #[test]
    fn joining_and_leaving_one_by_one_gives_the_same_to_the_last_bit(
        rows in prop::collection::vec((0u8..3, 0u8..2, 0u8..3, 0u8..4, 0u8..3), 2..60),
    ) {
        let column = |cell: &dyn Fn(&Row) -> u8| {
            let labels: Vec<String> = rows.iter().map(|row| cell(row).to_string()).collect();
            Nominal::from_labels(labels.iter().map(|label| Some(label.as_str())))
        };
        let columns = [
            column(&|r| r.0), column(&|r| r.1), column(&|r| r.2), column(&|r| r.3),
        ];
        let class = column(&|r| r.4);
        let columns: Vec<&Nominal> = columns.iter().collect();
        let info = Informations::new(&columns, &class).unwrap();
        for score in scores(&info) {
            for base in 0..16usize {
                let members = (0..4).filter(|f| base >> f & 1 == 1);
                let base = FeatureSet::of(4, members).unwrap();
                let outside: Vec<usize> = (0..4).filter(|&f| !base.contains(f)).collect();
                let sets: Vec<FeatureSet> = outside.iter().map(|&f| base.with(f)).collect();
                let extended = score.change(&base, &outside, &Silent).unwrap();
                let whole = score.evaluate(&sets, &Silent).unwrap();
                prop_assert_eq!(extended, whole);
                let inside: Vec<usize> = base.iter().collect();
                let sets: Vec<FeatureSet> = inside.iter().map(|&f| base.without(f)).collect();
                let reduced = score.change(&base, &inside, &Silent).unwrap();
                let whole = score.evaluate(&sets, &Silent).unwrap();
                prop_assert_eq!(reduced, whole);
            }
        }
    }
}

#[test]
fn the_empty_auxiliary_network_orders_as_mdl_does() {
    let table = example1(320);
    let info = Informations::new(&features(&table), &table.class).unwrap();
    let sets = [set(&[2]), set(&[2, 8]), set(&[1, 4, 6])];
    for structure in [Structure::NaiveBayes, Structure::Tan] {
        let mdl = DescriptionLength::mdl(&info, structure).unwrap();
        let empty = DescriptionLength::mdl_fs(&info, structure, Auxiliary::Empty).unwrap();
        let (mdl, empty) = (
            mdl.evaluate(&sets, &Silent).unwrap(),
            empty.evaluate(&sets, &Silent).unwrap(),
        );
        for i in 1..3 {
            let difference = (mdl[i] - mdl[0]) - (empty[i] - empty[0]);
            assert!(difference.abs() < 1e-9);
        }
    }
}

#[test]
fn the_complete_auxiliary_network_is_the_joint_entropy() {
    // NB over A1 and A4 (fair, independent): CALL/N = -H(C) + 0 + 0 - (1 + 1 - 2).
    // Over A2 and its copy A8: sum I = 2 * 0.311278, W = H(A2) + H(A8) - 1 = 1.
    let table = example1(32);
    let info = Informations::new(&features(&table), &table.class).unwrap();
    let structure = Structure::NaiveBayes;
    let score = DescriptionLength::mdl_fs(&info, structure, Auxiliary::Complete).unwrap();
    let values = score
        .evaluate(&[set(&[1, 4]), set(&[2, 8])], &Silent)
        .unwrap();
    // 11 parameters: 1 + 8 isolated and 2 more.
    let penalty = 2.5 * 11.0;
    assert!((values[0] - (penalty + 32.0 * 0.811278)).abs() < 1e-4);
    assert!((values[1] - (penalty + 32.0 * (0.811278 - 0.622556 + 1.0))).abs() < 1e-4);
}

#[test]
fn one_row_has_no_description_length() {
    let one = Nominal::from_labels([Some("x")]);
    let info = Informations::new(&[&one], &one).unwrap();
    assert!(DescriptionLength::mdl(&info, Structure::Tan).is_err());
}

#[test]
fn names_add_their_bits_to_the_worked_numbers() {
    // Example 1 with 32 rows: MDL-FS of {A2, A6} is 38.5196 bits. Naming 2 of 8 features
    // costs log2(9) + log2(28) = 3.169925 + 4.807355 bits; of 2,000, log2(2001) +
    // log2(1999000) = 10.966505 + 20.930848.
    let table = example1(32);
    let info = Informations::new(&features(&table), &table.class).unwrap();
    let structure = Structure::NaiveBayes;
    for (n_candidates, naming) in [(8, 7.977_280), (2_000, 31.897_353)] {
        let score = DescriptionLength::mdl_fs(&info, structure, Auxiliary::Tree).unwrap();
        let score = score.with_naming(n_candidates, Vec::new());
        let value = score.evaluate(&[set(&[2, 6])], &Silent).unwrap()[0];
        assert!((value - (38.5196 + naming)).abs() < 1e-4, "{value}");
    }
    // Fewer candidates than features is no number: all features are candidates.
    let score = DescriptionLength::mdl(&info, structure).unwrap();
    assert_eq!(score.naming_bits(0, 0), 0.0);
    let score = score.with_naming(0, vec![1]);
    assert!((score.naming_bits(1, 0) - 3.0).abs() < 1e-12);
    // The first one has a cut point, one of 31.
    assert!((score.naming_bits(0, 0) - (3.0 + 31.0_f64.log2())).abs() < 1e-12);
}
