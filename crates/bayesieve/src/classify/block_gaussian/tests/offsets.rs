//! Offsets: what makes up for the moments of a class that are known from few rows.

use super::*;
use crate::data::Nominal;
use crate::random::{Purpose, normal, stream};
use crate::separation::{Correction, Covariance, SeparationOptions, Weighting, fit_blocks};

fn with_offsets(block: NormalBlock, offsets: &[f64]) -> NormalBlock {
    NormalBlock {
        offsets: offsets.to_vec(),
        ..block
    }
}

fn variances(variances: &[f64]) -> Vec<Symmetric> {
    variances.iter().map(|&v| symmetric(&[&[v]])).collect()
}

/// The probabilities of class 1 of two equally large ones.
fn of_second(model: &BlockGaussian, columns: &[&[f64]]) -> Vec<f64> {
    let (_, probabilities) = predict(model, &[1, 1], columns);
    probabilities.chunks(2).map(|p| p[1]).collect()
}

#[test]
fn an_offset_is_added_to_the_score_of_its_class() {
    // Halfway between two means of one variance class 1 leads by the offsets, 1 - 1/4.
    let linear = block(&[0], &[&[0.0], &[1.0]], variances(&[2.0]));
    let model = BlockGaussian::new(vec![with_offsets(linear, &[0.25, 1.0])], vec![]);
    assert_near(&of_second(&model, &[&[0.5]]), &[logistic(0.75)], 1e-15);
    // N(0, 1) against N(1, 4) at 2: -2 + 1 against -1/8 - ln 2 + 1/4.
    let quadratic = block(&[0], &[&[0.0], &[1.0]], variances(&[1.0, 4.0]));
    let model = BlockGaussian::new(vec![with_offsets(quadratic, &[1.0, 0.25])], vec![]);
    let expected = logistic(1.125 - 2f64.ln());
    assert_near(&of_second(&model, &[&[2.0]]), &[expected], 1e-15);
}

#[test]
fn an_offset_counts_as_often_as_its_block() {
    // Two blocks that tell nothing, with leads of 0.5 and -0.2; weights 2 and 1/2: 1 - 0.1.
    let nothing = |feature, offsets: &[f64]| {
        let block = block(&[feature], &[&[0.0], &[0.0]], variances(&[1.0]));
        with_offsets(block, offsets)
    };
    let blocks = vec![nothing(0, &[0.0, 0.5]), nothing(1, &[0.3, 0.1])];
    let columns: [&[f64]; 2] = [&[3.0], &[-1.0]];
    let plain = BlockGaussian::new(blocks.clone(), vec![]);
    assert_near(&of_second(&plain, &columns), &[logistic(0.3)], 1e-15);
    let weighted = BlockGaussian::new(blocks, vec![pair(0, 1, &[2.0, 0.5])]);
    assert_near(&of_second(&weighted, &columns), &[logistic(0.9)], 1e-15);
}

#[test]
fn a_gap_takes_its_share_of_the_offset() {
    // Three features that tell nothing, and an offset of 0.6: 0.4 are left with one gap, 0.2
    // with two, and nothing with three.
    let nan = f64::NAN;
    let columns: [&[f64]; 3] = [
        &[1.0, nan, nan, nan],
        &[2.0, 2.0, nan, nan],
        &[3.0, 3.0, 3.0, nan],
    ];
    let unit = symmetric(&[&[1.0], &[0.5, 1.0], &[0.25, 0.0, 1.0]]);
    for n_covariances in [1, 2] {
        let means: [&[f64]; 2] = [&[0.0; 3]; 2];
        let block = block(&[0, 1, 2], &means, vec![unit.clone(); n_covariances]);
        let model = BlockGaussian::new(vec![with_offsets(block, &[0.0, 0.6])], vec![]);
        let expected = [0.6, 0.4, 0.2, 0.0].map(logistic);
        assert_near(&of_second(&model, &columns), &expected, 1e-15);
    }
}

#[test]
fn offsets_without_measure_leave_probabilities() {
    for covariances in [&[1.0][..], &[1.0, 2.0]] {
        let blocks = [0, 1].map(|feature| {
            let block = block(&[feature], &[&[0.0], &[1.0]], variances(covariances));
            with_offsets(block, &[f64::MAX, -f64::MAX])
        });
        for weights in [vec![], vec![pair(0, 1, &[1e308, 1.0])]] {
            let model = BlockGaussian::new(blocks.to_vec(), weights);
            let found = of_second(&model, &[&[0.0, 1.0, 1e100], &[0.0, f64::NAN, -1e100]]);
            assert_eq!(found, [0.0; 3]);
        }
    }
}

/// How many of the rows of each of two classes are recognized where 400 numbers tell nothing,
/// 40 and 12 rows are there to learn from, and neither class is taken to be more frequent:
/// eight times 50 fresh rows, every second one of the small class.
fn recalls_in_noise(correction: Correction) -> [f64; 2] {
    let options = SeparationOptions {
        block_size: 1,
        covariance: Covariance::Common,
        correction,
        weights: Weighting::None,
        ..SeparationOptions::default()
    };
    let class = Nominal::from_labels((0..52).map(|row| Some(if row < 40 { "a" } else { "b" })));
    let positions: Vec<usize> = (0..400).collect();
    let names: Vec<String> = positions.iter().map(usize::to_string).collect();
    let mut n_right = [0.0; 2];
    for part in 0..8 {
        let mut rng = stream(1, Purpose::Generate, part);
        let mut noise = |n_rows: usize| -> Vec<Vec<f64>> {
            let mut column = |_: &usize| (0..n_rows).map(|_| normal(&mut rng)).collect();
            positions.iter().map(&mut column).collect()
        };
        let (training, fresh) = (noise(52), noise(50));
        let named = names.iter().map(String::as_str).zip(slices(&training));
        let named: Vec<(&str, &[f64])> = named.collect();
        let fit = fit_blocks(&named, &class, &options, &Silent).unwrap();
        let model = BlockGaussian::from_fit(fit, &positions);
        let (classes, _) = predict(&model, &[1, 1], &slices(&fresh));
        for (row, class) in classes.into_iter().enumerate() {
            if class as usize == row % 2 {
                n_right[row % 2] += 1.0;
            }
        }
    }
    n_right.map(|n| n / 200.0)
}

#[test]
fn noise_does_not_lean_to_the_larger_class() {
    // Not corrected, the larger class leads by 400/2 (1/12 - 1/40) = 11.7 on average, with a
    // deviation of the root of 400 (1/12 + 1/40), 6.6: one row in 26 goes to the small class.
    let [large, small] = recalls_in_noise(Correction::Off);
    assert!(large > 0.9 && small < 0.1, "{large} {small}");
    let [large, small] = recalls_in_noise(Correction::On);
    assert!((large - small).abs() < 0.2, "{large} {small}");
}
