//! Weights of pairs of classes, and votes.

use super::super::votes::Standing;
use super::*;

#[test]
fn weights_of_one_change_nothing() {
    let columns = columns(300);
    let ones = vec![
        pair(0, 1, &[1.0; 2]),
        pair(0, 2, &[1.0; 2]),
        pair(1, 2, &[1.0; 2]),
    ];
    for covariances in [common(), own()] {
        let plain = predict(
            &mixed(covariances.clone(), vec![]),
            &[3, 4, 5],
            &slices(&columns),
        );
        let voted = predict(
            &mixed(covariances, ones.clone()),
            &[3, 4, 5],
            &slices(&columns),
        );
        assert_eq!(plain.0, voted.0);
        assert_near(&voted.1, &plain.1, 1e-12);
    }
}

#[test]
fn weighted_pairs_of_a_worked_example() {
    // One feature a block, unit variances, means 0, 1, 2 and 0, 2, 0. At (1, 1) the scores of
    // the classes are (-1/2, 0, -1/2) and (-1/2, -1/2, -1/2); the shares are equal.
    let unit = || vec![symmetric(&[&[1.0]])];
    let blocks = vec![
        block(&[0], &[&[0.0], &[1.0], &[2.0]], unit()),
        block(&[1], &[&[0.0], &[2.0], &[0.0]], unit()),
    ];
    let weights = vec![
        pair(0, 1, &[2.0, 1.0]),
        pair(0, 2, &[1.0, 3.0]),
        pair(1, 2, &[0.5, 1.0]),
    ];
    let model = BlockGaussian::new(blocks, weights);
    // s01 = 2 (-1/2) = -1, s02 = 0, s12 = 0.5 (1/2) = 0.25: class 1 wins both of its pairs.
    let (classes, p) = predict(&model, &[2, 2, 2], &[&[1.0], &[1.0]]);
    assert_eq!(classes, [1]);
    let e = f64::exp;
    let odds = [
        1.0 / (1.0 + e(1.0) + 1.0),
        1.0 / (1.0 + e(-1.0) + e(-0.25)),
        1.0 / (1.0 + 1.0 + e(0.25)),
    ];
    let sum: f64 = odds.iter().sum();
    assert_near(&p, &odds.map(|o| o / sum), 1e-15);
    // A block without weight is not read.
    let blocks = vec![
        block(&[0], &[&[0.0], &[1.0]], unit()),
        block(&[1], &[&[0.0], &[2.0]], unit()),
    ];
    let model = BlockGaussian::new(blocks, vec![pair(0, 1, &[0.0, 2.0])]);
    assert_eq!(model.used_features().collect::<Vec<_>>(), [1]);
    let (classes, p) = predict(&model, &[2, 2], &[&[f64::NAN], &[3.0]]);
    // Class 1 leads by 2 (9/2 - 1/2) = 8.
    assert_eq!(classes, [1]);
    assert_near(&p, &[logistic(-8.0), logistic(8.0)], 1e-15);
}

/// Who is elected, where the scores of (0, 1), (0, 2), (1, 2) are these.
fn elected(counts: [u64; 3], sums: [f64; 3]) -> u32 {
    let pairs = vec![pair(0, 1, &[]), pair(0, 2, &[]), pair(1, 2, &[])];
    let model = BlockGaussian::new(vec![], pairs);
    let scorer = BlockScorer::new(&model, 3, &[]);
    let order = by_size(&counts);
    let votes = Votes::new(&scorer, &order);
    votes.decide(&mut [0.0; 3], &sums, &mut [Standing::default(); 3])
}

#[test]
fn ties_of_votes_go_to_margins_then_to_size_then_to_order() {
    // 0 beats 1 by 1, 2 beats 0 by 3, 1 beats 2 by 2: one pair each, 2 by the largest margin.
    assert_eq!(elected([9, 9, 1], [1.0, -3.0, 2.0]), 2);
    // Margins equal: the larger class, then the first.
    assert_eq!(elected([4, 9, 5], [1.0, -1.0, 1.0]), 1);
    assert_eq!(elected([5, 4, 5], [1.0, -1.0, 1.0]), 0);
    // No pair decided, or one within rounding.
    assert_eq!(elected([4, 5, 9], [0.0, 0.0, 1e-12]), 2);
    // More pairs count for more than larger margins.
    assert_eq!(elected([1, 9, 9], [0.5, 0.5, 100.0]), 0);
}
