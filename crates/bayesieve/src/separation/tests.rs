//! The distribution, its weights, thresholds and classifiers, against numbers worked out elsewhere.
//!
//! Unless said otherwise a hundred blocks of twelve features and 1,200 rows per class: the
//! paper's rho is 1/12, blocks per row 1/6 and the bias of the distance 2.

use super::distribution::ScoreDistribution;
use super::threshold::exact_thresholds;
use super::*;
use crate::stats::NoncentralChiSquare;
use crate::{Observer, Silent};

const BLOCKS_PER_ROW: f64 = 1.0 / 6.0;
const BIAS: f64 = 2.0;

struct Cancelled;

impl Observer for Cancelled {
    fn is_cancelled(&self) -> bool {
        true
    }
}

fn sample(score: f64, parameters: f64) -> SampleScore {
    SampleScore { score, parameters }
}

fn half_and_half(score: f64) -> ScoreDistribution {
    ScoreDistribution::discrete(vec![0.0, score], vec![0.5, 0.5])
}

fn assert_near(value: f64, expected: f64, error: f64) {
    assert!(
        (value - expected).abs() <= error,
        "{value} is not {expected}"
    );
}

#[test]
fn weights_under_a_uniform_law_are_the_known_ones() {
    let distribution = ScoreDistribution::uniform(60.0);
    assert_near(distribution.mean(), 30.0, 1e-12);
    let table = [
        (5.0, 0.22771),
        (12.0, 0.35389),
        (24.0, 0.58854),
        (48.0, 0.76839),
        (72.0, 0.74928),
    ];
    for (score, expected) in table {
        assert_near(distribution.weight(12.0, score), expected, 5e-6);
    }
}

#[test]
fn weights_under_a_chi_square_law_of_the_same_size_are_one_half() {
    let distribution = ScoreDistribution::chi_square(NoncentralChiSquare::new(12.0, 0.0).unwrap());
    for score in [0.0, 0.01, 5.0, 12.0, 48.0, 90.0] {
        assert_near(distribution.weight(12.0, score), 0.5, 1e-9);
    }
}

#[test]
fn weights_under_laws_whose_masses_vanish_at_the_ends_are_those_of_another_library() {
    // Integrals by scipy. Close to 0 a distribution of 80 degrees of freedom has no mass that is a number.
    for (freedom, parameters, score, expected) in [
        (80.0, 12.0, 150.0, 0.769_691_858_412_102_5),
        (80.0, 12.0, 5.0, 2.069_568_070_041_912_6),
        (400.0, 2.0, 300.0, 1.101_124_839_114_851_8),
    ] {
        let distribution =
            ScoreDistribution::chi_square(NoncentralChiSquare::new(freedom, 0.0).unwrap());
        assert_near(distribution.weight(parameters, score) / expected, 1.0, 1e-8);
    }
}

#[test]
fn chi_square_laws_have_their_moments_even_where_the_density_is_infinite() {
    for (k, g) in [
        (0.5, 0.0),
        (1.0, 0.0),
        (1.5, 3.0),
        (2.0, 10.0),
        (12.0, 5.0),
        (1200.0, 10.0),
        (1e9, 0.0),
    ] {
        let distribution = NoncentralChiSquare::new(k, g).unwrap();
        let nodes = ScoreDistribution::chi_square(distribution);
        let spread = |(node, mass): (f64, f64)| mass * (node - distribution.mean()).powi(2);
        let variance: f64 = nodes.pairs().map(spread).sum();
        assert_near(nodes.mean() / distribution.mean(), 1.0, 1e-6);
        assert_near(variance / distribution.variance(), 1.0, 1e-5);
        assert_near(nodes.masses.iter().sum(), 1.0, 1e-12);
    }
}

#[test]
fn the_weight_under_a_single_score_is_a_ratio_of_bessel_functions() {
    // sqrt(g/u) I_6(sqrt(g u)) / I_5(sqrt(g u)) with g = 12.
    let distribution = ScoreDistribution::point(12.0);
    for (score, expected) in [
        (5.0, 0.77451),
        (12.0, 0.63102),
        (24.0, 0.50949),
        (48.0, 0.39650),
    ] {
        assert_near(distribution.weight(12.0, score), expected, 5e-6);
    }
    // I_6(z) / I_5(z) goes to z/12 with z, so the weight at 0 is g/12.
    assert_near(distribution.weight(12.0, 0.0), 1.0, 1e-11);
}

#[test]
fn weights_are_finite_and_not_negative_whatever_is_asked() {
    let distributions = [
        ScoreDistribution::point(0.0),
        ScoreDistribution::point(1e300),
        ScoreDistribution::uniform(60.0),
        half_and_half(1e8),
    ];
    let numbers = [
        0.0,
        -1.0,
        1e-310,
        1e-9,
        3.0,
        1e3,
        1e12,
        1e300,
        f64::INFINITY,
        f64::NAN,
    ];
    for distribution in &distributions {
        for parameters in numbers {
            for score in numbers {
                let weight = distribution.weight(parameters, score);
                assert!(
                    weight.is_finite() && weight >= 0.0,
                    "{parameters} {score}: {weight}"
                );
            }
        }
    }
    assert_eq!(distributions[0].weight(12.0, 40.0), 0.0);
    // At 0 only e^(-g/2) tells the nodes apart: 8 e^-4 / (1 + e^-4) / m.
    let distribution = half_and_half(8.0);
    let limit = 8.0 * (-4f64).exp() / (1.0 + (-4f64).exp()) / 3.0;
    assert_near(distribution.weight(3.0, 0.0), limit, 1e-12);
    assert_near(distribution.weight(3.0, 1e-9), limit, 1e-9);
}

#[test]
fn distributions_that_cannot_be_are_points_at_zero() {
    let zero = ScoreDistribution::point(0.0);
    assert_eq!(ScoreDistribution::uniform(-3.0), zero);
    assert_eq!(ScoreDistribution::uniform(f64::NAN), zero);
    assert_eq!(ScoreDistribution::plug_in(&[]), zero);
    assert_eq!(ScoreDistribution::plug_in(&[sample(3.0, 12.0)]), zero);
    // Equal nodes are one, and masses are shares.
    let distribution =
        ScoreDistribution::discrete(vec![4.0, 1.0, 4.0, 9.0], vec![1.0, 2.0, 1.0, 0.0]);
    assert_eq!(distribution.nodes, [1.0, 4.0]);
    assert_eq!(distribution.masses, [0.5, 0.5]);
}

#[test]
fn distributions_of_a_kind_take_the_mean_of_the_scores() {
    // Less their bias: 8, -2, 30 and 4, on average 10.
    let scores = [(20.0, 12.0), (10.0, 12.0), (42.0, 12.0), (6.0, 2.0)].map(|(u, m)| sample(u, m));
    let of = |kind, scores: &[SampleScore]| ScoreDistribution::of(kind, scores, &Silent).unwrap();
    let uniform = of(PriorKind::Uniform, &scores);
    assert_eq!(uniform, ScoreDistribution::uniform(20.0));
    let chi_square = of(PriorKind::ChiSquare, &scores);
    assert_near(chi_square.mean(), 10.0, 1e-9);
    let plug_in = of(PriorKind::PlugIn, &scores);
    assert_eq!(plug_in.nodes, [0.0, 4.0, 8.0, 30.0]);
    for kind in [PriorKind::Uniform, PriorKind::ChiSquare, PriorKind::PlugIn] {
        assert_eq!(
            of(kind, &[sample(3.0, 12.0)]),
            ScoreDistribution::point(0.0)
        );
        assert_eq!(of(kind, &[]), ScoreDistribution::point(0.0));
    }
}

#[test]
fn the_best_weights_separate_as_much_as_they_blur() {
    // With 200 midpoints in place of 2,000, which moves D by 1.4e-6: the square of D is
    // INT E(u)^2 / V(u) du / 6, with another library's densities 1.904678^2.
    let nodes = (0..200).map(|i| 60.0 * (f64::from(i) + 0.5) / 200.0);
    let distribution = ScoreDistribution::discrete(nodes.collect(), vec![1.0; 200]);
    let best = distribution.effect_of_weight(12.0, |score| distribution.weight(12.0, score));
    assert_near(best.separation / best.variance, 1.0, 1e-10);
    let distance = best.distance(BLOCKS_PER_ROW);
    assert_near(distance, 1.904678, 2e-6);
    assert_near(risk(distance), 0.170463, 1e-6);
    assert_near(risk(limiting_distance(5.0, BIAS)), 0.17235, 5e-6);
}

#[test]
fn integrals_over_scores_agree_with_their_closed_forms() {
    let distributions = [
        ScoreDistribution::point(0.0),
        ScoreDistribution::point(7.0),
        half_and_half(900.0),
    ];
    for distribution in &distributions {
        for parameters in [1.0, 12.0, 90.0, 1000.0] {
            let all = distribution.effect_of_weight(parameters, |_| 1.0);
            // Without a threshold: the mean true score, and the mean estimated one.
            assert_near(
                all.separation,
                distribution.mean(),
                1e-9 * distribution.mean(),
            );
            let mean = distribution.mean() + parameters;
            assert_near(all.variance, mean, 1e-9 * mean);
            assert_near(
                distribution.effect_of_threshold(parameters, 0.0).variance,
                mean,
                1e-12 * mean,
            );
        }
    }
}

#[test]
fn the_effect_of_a_threshold_is_that_of_shifted_normal_vectors() {
    // E[1(|z|^2 > 16) gamma z_1] for z normal around (gamma, 0, ...) in twelve dimensions was
    // drawn as 4.099 and 29.945, with errors in the last digit but one.
    for (score, expected) in [(6.0, 4.098), (30.0, 29.939)] {
        let effect = ScoreDistribution::point(score).effect_of_threshold(12.0, 16.0);
        assert_near(effect.separation, expected, 5e-4);
    }
    // A score of 0 separates nothing; its noise is 12 P(chi^2_14 > 16).
    let nothing = ScoreDistribution::point(0.0).effect_of_threshold(12.0, 16.0);
    let tail = crate::stats::chi_square_tail(16.0, 14.0).unwrap();
    assert_eq!(nothing.separation, 0.0);
    assert_near(nothing.variance, 12.0 * tail.p, 1e-13);
}

#[test]
fn limiting_distances_follow_equation_nine() {
    for (j, expected) in [
        (0.995, 0.38684),
        (2.489, 0.27848),
        (5.021, 0.17171),
        (9.994, 0.07452),
        (15.03, 0.03430),
    ] {
        // R = Phi(-(sqrt(J)/2) / sqrt(1 + 2 m rho / J)), J known to three digits behind the
        // point or two.
        let distance = limiting_distance(j, BIAS);
        assert_near(distance, j.sqrt() / (1.0 + BIAS / j).sqrt(), 1e-14);
        assert_near(risk(distance), expected, 5e-5);
    }
    assert_eq!(limiting_distance(0.0, 0.0), 0.0);
    assert_eq!(risk(0.0), 0.5);
    assert_eq!(risk(f64::NAN), 0.5);
}

#[test]
fn dropping_a_few_blocks_changes_the_distance_as_theorem_one_says() {
    // rho = 1/12, m = 12, J = 5: a fraction 1e-6 of the blocks, all of one true score g, goes.
    let (rho, m, j, fraction) = (1.0 / 12.0, 12.0, 5.0, 1e-6);
    for (score, expected) in [(3.0, 5.612e-7), (10.0, -5.102e-7), (20.0, -2.041e-6)] {
        let square = |share: f64| {
            let left = j - share * 2.0 * rho * score;
            limiting_distance(left, 2.0 * rho * m * (1.0 - share)).powi(2)
        };
        let change = square(fraction) - square(0.0);
        assert_near(change, expected, 6e-10);
        // (19), with the sample score g + m for its gamma_0^2.
        let bias = 2.0 * rho * m;
        let by_formula = -fraction * rho * 2.0 * j / (j + bias).powi(2)
            * ((score + m) * (j + 2.0 * bias) - 2.0 * m * (j + bias));
        assert_near(by_formula, change, 1e-11);
    }
}

#[test]
fn thresholds_of_equation_22_follow_the_worked_example() {
    // m = 2, two blocks, 20 rows per class, distances 1 and 0.05: scores 10 and 0.5.
    let scores = [sample(10.0, 2.0), sample(0.5, 2.0)];
    let thresholds = asymptotic_thresholds(&scores);
    assert_near(thresholds[0], 2.896552, 5e-7);
    assert_eq!(thresholds[0], thresholds[1]);
    let all = PlugIn::new(sample(10.5, 4.0), 10.0);
    let kept = PlugIn::new(scores[0], 10.0);
    assert_near(all.distance, 0.634335, 5e-7);
    assert_near(kept.distance, 0.8, 1e-15);
    assert_near(all.risk, 0.375558, 5e-7);
    assert_near(kept.risk, 0.344578, 5e-7);
    let nothing = PlugIn::new(sample(0.0, 0.0), 10.0);
    assert_eq!((nothing.distance, nothing.risk), (0.0, 0.5));
}

#[test]
fn thresholds_of_equation_22_lie_between_nothing_and_twice_the_parameters() {
    assert_eq!(asymptotic_thresholds(&[]), [0.0; 0]);
    assert_eq!(asymptotic_thresholds(&[sample(0.0, 3.0)]), [0.0]);
    let endless = [sample(f64::INFINITY, 3.0), sample(1.0, 5.0)];
    assert_eq!(asymptotic_thresholds(&endless), [6.0, 10.0]);
    // Sizes share one factor: U = 30, M = 10, 2 U / (U + M) = 1.5.
    let mixed = [sample(20.0, 8.0), sample(10.0, 2.0)];
    assert_eq!(asymptotic_thresholds(&mixed), [12.0, 3.0]);
}

#[test]
fn exact_thresholds_make_the_distance_largest() {
    // Law, the best threshold, D without one, with (22) and with the best. (22) has the limit
    // 2 m (J + 2) / (J + 4), 18.67 and 16.62.
    let table = [
        (
            ScoreDistribution::uniform(60.0),
            12.2744,
            [1.8898, 1.8846, 1.8913],
        ),
        (half_and_half(30.0), 21.5043, [1.1785, 1.2839, 1.3054]),
    ];
    for (distribution, expected, distances) in table {
        let scores = [sample(5.0, 12.0), sample(100.0, 12.0)];
        let thresholds = exact_thresholds(&distribution, &scores, &Silent).unwrap();
        let best = thresholds[0];
        assert_near(best, expected, 1e-4);
        let j = distribution.mean() * BLOCKS_PER_ROW;
        let asymptotic = 24.0 * (j + 2.0) / (j + 4.0);
        for (threshold, distance) in [0.0, asymptotic, best].into_iter().zip(distances) {
            let effect = distribution.effect_of_threshold(12.0, threshold);
            assert_near(effect.distance(BLOCKS_PER_ROW), distance, 5e-5);
        }
        // Where the distance is largest, the weight of the threshold is E / 2V.
        let effect = distribution.effect_of_threshold(12.0, best);
        let slope = effect.separation / (2.0 * effect.variance);
        assert_near(distribution.weight(12.0, best), slope, 1e-8);
    }
}

#[test]
fn exact_thresholds_of_several_sizes_are_best_together() {
    // Found by Nelder and Mead's method from several starts with another library's tails:
    // 5.35534481, 22.35734172, 66.84858152 with E / sqrt(V) = 9.414172311786677.
    let distribution = ScoreDistribution::discrete(vec![0.0, 10.0, 45.0], vec![0.5, 0.3, 0.2]);
    let sizes = [(12.0, 6), (3.0, 4), (40.0, 2)];
    let blocks = sizes
        .into_iter()
        .flat_map(|(m, n)| vec![sample(100.0, m); n]);
    let scores: Vec<SampleScore> = blocks.collect();
    let thresholds = exact_thresholds(&distribution, &scores, &Silent).unwrap();
    for (place, expected) in [(0, 22.35734172), (6, 5.35534481), (10, 66.84858152)] {
        assert_near(thresholds[place], expected, 1e-6);
    }
    let effects = scores.iter().zip(&thresholds);
    let total = effects.fold(Effect::default(), |sum, (block, &threshold)| {
        sum.plus(distribution.effect_of_threshold(block.parameters, threshold))
    });
    assert_near(total.distance(1.0), 9.414172311786677, 1e-12);
}

#[test]
fn exact_thresholds_are_zero_where_every_block_helps_or_none() {
    let scores = [sample(60.0, 12.0), sample(500.0, 30.0), sample(0.0, 1.0)];
    for distribution in [
        ScoreDistribution::point(50.0),
        ScoreDistribution::point(0.0),
    ] {
        let thresholds = exact_thresholds(&distribution, &scores, &Silent).unwrap();
        assert_eq!(thresholds, [0.0; 3]);
    }
    assert_eq!(
        exact_thresholds(&ScoreDistribution::point(5.0), &[], &Silent).unwrap(),
        [0.0; 0]
    );
    // No threshold above the largest score, though the best would be 21.5.
    let low = [sample(15.0, 12.0); 3];
    let thresholds = exact_thresholds(&half_and_half(30.0), &low, &Silent).unwrap();
    assert!(
        thresholds[0] > 14.9 && thresholds[0] <= 15.0,
        "{thresholds:?}"
    );
    assert!(exact_thresholds(&half_and_half(30.0), &low, &Cancelled).is_err());
}

#[test]
fn huge_scores_and_blocks_need_no_more_than_small_ones() {
    let scores = [
        sample(1e12, 1000.0),
        sample(900.0, 1000.0),
        sample(1.0, 1e11),
    ];
    let distribution = ScoreDistribution::estimate(&scores, &Silent).unwrap();
    let thresholds = exact_thresholds(&distribution, &scores, &Silent).unwrap();
    assert!(thresholds.iter().all(|t| t.is_finite() && *t >= 0.0));
}
