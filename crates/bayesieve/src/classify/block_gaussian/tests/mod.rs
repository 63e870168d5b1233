use super::*;
use crate::Silent;
use crate::classify::network_model::NetworkModel;
use crate::classify::prediction::{Decision, by_size, predict_codes};
use crate::classify::score::ScoredRows;
use crate::counts::CountColumn;
use crate::data::Codes;
use crate::network::{Dag, FamilyCounts, Smoothing, Variable};
use crate::separation::Symmetric;

mod offsets;
mod pairs;
mod trained;

fn symmetric(rows: &[&[f64]]) -> Symmetric {
    Symmetric::from_fn(rows.len(), |row, column| rows[row][column])
}

fn block(features: &[usize], means: &[&[f64]], covariances: Vec<Symmetric>) -> NormalBlock {
    NormalBlock {
        features: features.to_vec(),
        means: means.iter().map(|mean| mean.to_vec()).collect(),
        covariances,
        offsets: vec![0.0; means.len()],
    }
}

/// Classes and probabilities of rows given column by column, where so many training rows were
/// of each class.
fn predict(blocks: &BlockGaussian, counts: &[u64], columns: &[&[f64]]) -> (Vec<u32>, Vec<f64>) {
    let class = (0..)
        .zip(counts)
        .flat_map(|(class, &n)| vec![Some(class); n as usize]);
    let codes = Codes::new(counts.len(), class);
    let column = CountColumn {
        codes: &codes,
        n_values: counts.len(),
    };
    let variable = Variable {
        name: "class".into(),
        states: (0..counts.len()).map(|class| class.to_string()).collect(),
    };
    let families = vec![FamilyCounts::count(column, &[]).unwrap()];
    let smoothing = Smoothing::Laplace(1.0);
    let model =
        NetworkModel::from_counts(vec![variable], Dag::new(1), families, smoothing, Vec::new())
            .unwrap()
            .with_blocks(blocks.clone());
    let features = model.number_features();
    let numbers: Vec<&[f64]> = features.iter().map(|&feature| columns[feature]).collect();
    let rows = ScoredRows {
        codes: &[],
        numbers: &numbers,
        gappy: &[],
        n_rows: columns[0].len(),
    };
    let decision = Decision::new(counts, by_size(counts));
    predict_codes(&model, rows, &decision, &Silent).unwrap()
}

fn assert_near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (place, (x, e)) in found.iter().zip(expected).enumerate() {
        assert!((x - e).abs() <= tolerance, "{place}: {x} {e}");
    }
}

/// Four features in two blocks, three classes, common or own covariances.
fn mixed(covariances: [Vec<Symmetric>; 2], weights: Vec<PairWeights>) -> BlockGaussian {
    let [first, second] = covariances;
    let blocks = vec![
        block(&[0, 2], &[&[0.0, 1.0], &[1.0, -1.0], &[-0.5, 0.25]], first),
        block(&[1, 3], &[&[2.0, 0.0], &[0.0, 0.5], &[1.0, 1.0]], second),
    ];
    BlockGaussian::new(blocks, weights)
}

fn common() -> [Vec<Symmetric>; 2] {
    [
        vec![symmetric(&[&[2.0], &[0.5, 1.0]])],
        vec![symmetric(&[&[1.0], &[-0.75, 1.5]])],
    ]
}

fn own() -> [Vec<Symmetric>; 2] {
    let three = |a: f64, b: f64, c: f64| {
        let matrix = |r: f64| symmetric(&[&[1.0 + r * r], &[r, 1.0]]);
        vec![matrix(a), matrix(b), matrix(c)]
    };
    [three(0.5, -0.25, 0.0), three(-1.0, 0.75, 0.25)]
}

/// Some rows of four columns, without a plan.
fn columns(n_rows: usize) -> Vec<Vec<f64>> {
    let cell = |row: usize, column: usize| {
        let mixed = (row * 4 + column + 1).wrapping_mul(2_654_435_761) % 1_009;
        mixed as f64 / 168.0 - 3.0
    };
    let column = |column| (0..n_rows).map(|row| cell(row, column)).collect();
    (0..4).map(column).collect()
}

fn slices(columns: &[Vec<f64>]) -> Vec<&[f64]> {
    columns.iter().map(Vec::as_slice).collect()
}

fn logistic(score: f64) -> f64 {
    1.0 / (1.0 + (-score).exp())
}

fn pair(a: usize, b: usize, weights: &[f64]) -> PairWeights {
    PairWeights {
        classes: [a, b],
        weights: weights.to_vec(),
    }
}

#[test]
fn the_linear_discriminant_of_a_worked_example() {
    // S = I, d = mu1 - mu0 = (1, 2), halfway (0.5, 1): at (1, 1) the score of class 1 is
    // (1, 2) · (0.5, 0) = 0.5, at (0, 0) it is -2.5; three of four rows are of class 0.
    let unit = symmetric(&[&[1.0], &[0.0, 1.0]]);
    let blocks = vec![block(&[0, 1], &[&[0.0, 0.0], &[1.0, 2.0]], vec![unit])];
    let model = BlockGaussian::new(blocks, Vec::new());
    let columns: [&[f64]; 2] = [&[1.0, 0.0], &[1.0, 0.0]];
    let (classes, probabilities) = predict(&model, &[5, 5], &columns);
    assert_eq!(classes, [1, 0]);
    let (first, second) = (logistic(0.5), logistic(-2.5));
    assert_near(
        &probabilities,
        &[1.0 - first, first, 1.0 - second, second],
        1e-15,
    );
    let (classes, probabilities) = predict(&model, &[6, 2], &columns);
    let (first, second) = (logistic(0.5 - 3f64.ln()), logistic(-2.5 - 3f64.ln()));
    assert_eq!(classes, [0, 0]);
    assert_near(
        &probabilities,
        &[1.0 - first, first, 1.0 - second, second],
        1e-15,
    );
}

#[test]
fn the_quadratic_discriminant_of_two_worked_examples() {
    // N(0, 1) against N(1, 4) at 2: -2 against -1/8 - ln 2.
    let variance = |v: f64| symmetric(&[&[v]]);
    let covariances = vec![variance(1.0), variance(4.0)];
    let one = BlockGaussian::new(vec![block(&[0], &[&[0.0], &[1.0]], covariances)], vec![]);
    let (_, probabilities) = predict(&one, &[1, 1], &[&[2.0]]);
    assert_near(&probabilities[1..], &[logistic(1.875 - 2f64.ln())], 1e-15);
    // S0 = (2, 1; 1, 2), inverse (2, -1; -1, 2) / 3, determinant 3; S1 = I; both means 0. At
    // (1, 2): quadratic forms (2 - 4 + 8) / 3 = 2 and 5; class 0 leads by 1.5 - ln(3) / 2.
    let covariances = vec![
        symmetric(&[&[2.0], &[1.0, 2.0]]),
        symmetric(&[&[1.0], &[0.0, 1.0]]),
    ];
    let means: [&[f64]; 2] = [&[0.0, 0.0], &[0.0, 0.0]];
    let two = BlockGaussian::new(vec![block(&[0, 1], &means, covariances)], vec![]);
    let (_, probabilities) = predict(&two, &[1, 1], &[&[1.0], &[2.0]]);
    assert_near(
        &probabilities[..1],
        &[logistic(1.5 - 3f64.ln() / 2.0)],
        1e-15,
    );
}

#[test]
fn a_gap_leaves_the_distribution_of_the_others() {
    let nan = f64::NAN;
    for covariances in [common(), own()] {
        let whole = mixed(covariances.clone(), Vec::new());
        // The first block without its second feature, the second without its first: by hand,
        // the elements of means and covariances that belong to what is left.
        let corner = |place: usize| {
            let pick = move |s: &Symmetric| symmetric(&[&[s.get(place, place)]]);
            move |list: &Vec<Symmetric>| list.iter().map(pick).collect::<Vec<_>>()
        };
        let left = BlockGaussian::new(
            vec![
                block(&[0], &[&[0.0], &[1.0], &[-0.5]], corner(0)(&covariances[0])),
                block(&[3], &[&[0.0], &[0.5], &[1.0]], corner(1)(&covariances[1])),
            ],
            Vec::new(),
        );
        let with_gaps: [&[f64]; 4] = [&[0.7, nan, nan], &[nan; 3], &[nan; 3], &[-0.2, 1.5, nan]];
        let counts = [3, 4, 5];
        let (classes, probabilities) = predict(&whole, &counts, &with_gaps);
        let (expected_classes, expected) = predict(&left, &counts, &with_gaps);
        assert_eq!(classes, expected_classes);
        assert_near(&probabilities, &expected, 1e-15);
        // Nothing known: the shares.
        assert_near(&probabilities[6..], &[0.25, 1.0 / 3.0, 5.0 / 12.0], 1e-15);
        assert_eq!(classes[2], 2);
        // The last column alone, by a block of one.
        let alone = BlockGaussian::new(left.blocks()[1..].to_vec(), Vec::new());
        let (_, expected) = predict(&alone, &counts, &with_gaps);
        assert_near(&probabilities[3..6], &expected[3..6], 1e-15);
    }
}

#[test]
fn a_row_is_scored_alike_in_any_company() {
    let mut columns = columns(5_003);
    for row in (0..5_003).step_by(7) {
        columns[row % 4][row] = f64::NAN;
    }
    let weights = vec![
        pair(0, 1, &[0.5, 1.5]),
        pair(0, 2, &[1.0, 0.0]),
        pair(1, 2, &[2.0, 0.25]),
    ];
    for (covariances, weights) in [(common(), vec![]), (own(), vec![]), (own(), weights)] {
        let model = mixed(covariances, weights);
        let (classes, probabilities) = predict(&model, &[3, 4, 5], &slices(&columns));
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(3)
            .build()
            .unwrap();
        let threaded = pool.install(|| predict(&model, &[3, 4, 5], &slices(&columns)));
        assert_eq!(threaded, (classes.clone(), probabilities.clone()));
        for row in [0, 7, 31, 32, 2_047, 2_048, 4_095, 5_002] {
            let alone: Vec<&[f64]> = columns.iter().map(|column| &column[row..=row]).collect();
            let (class, p) = predict(&model, &[3, 4, 5], &alone);
            assert_eq!(class[0], classes[row]);
            assert_eq!(p, probabilities[3 * row..3 * row + 3]);
        }
    }
}

#[test]
fn large_numbers_of_small_spread_lose_nothing() {
    // All numbers are quarters and the shift a power of two: every difference is exact.
    let unit = symmetric(&[&[1.0], &[0.25, 2.0]]);
    let second = symmetric(&[&[2.0], &[0.5, 1.0]]);
    for covariances in [vec![unit.clone()], vec![unit, second]] {
        let predict_at = |shift: f64| {
            let means: [&[f64]; 2] = [&[shift, shift + 1.0], &[shift + 0.5, shift - 1.0]];
            let model =
                BlockGaussian::new(vec![block(&[0, 1], &means, covariances.clone())], vec![]);
            let column = |step: f64| {
                (0..40)
                    .map(|row| shift + f64::from(row % 9) * step)
                    .collect()
            };
            predict(&model, &[1, 2], &slices(&[column(0.25), column(-0.5)]))
        };
        assert_eq!(predict_at(2f64.powi(30)), predict_at(0.0));
    }
}

#[test]
fn units_do_not_matter() {
    let columns = columns(60);
    for covariances in [common(), own()] {
        let (classes, expected) = predict(
            &mixed(covariances.clone(), vec![]),
            &[1, 1, 1],
            &slices(&columns),
        );
        // The first block in other units.
        let (a, b) = (1e5, 1e-7);
        let mut scaled = columns.clone();
        scaled[0].iter_mut().for_each(|x| *x *= a);
        scaled[2].iter_mut().for_each(|x| *x *= b);
        let units = [a, b];
        let model = mixed(covariances, vec![]);
        let mut blocks = model.blocks().to_vec();
        for mean in &mut blocks[0].means {
            mean.iter_mut().zip(units).for_each(|(x, unit)| *x *= unit);
        }
        for s in &mut blocks[0].covariances {
            *s = Symmetric::from_fn(2, |i, j| s.get(i, j) * units[i] * units[j]);
        }
        let model = BlockGaussian::new(blocks, vec![]);
        let (found, probabilities) = predict(&model, &[1, 1, 1], &slices(&scaled));
        assert_eq!(found, classes);
        assert_near(&probabilities, &expected, 1e-12);
    }
}

#[test]
fn rows_that_are_very_far_away_get_probabilities() {
    let tiny = |x: f64| symmetric(&[&[x], &[0.0, x]]);
    for covariances in [vec![tiny(1e-300)], vec![tiny(1e-300), tiny(1e300)]] {
        for weights in [vec![], vec![pair(0, 1, &[1e308])]] {
            let means: [&[f64]; 2] = [&[-1e100, 1e8], &[1e100, -1e8]];
            let model =
                BlockGaussian::new(vec![block(&[0, 1], &means, covariances.clone())], weights);
            let far = [1e308, -1e308, 0.0, 1e308, f64::NAN];
            let (_, p) = predict(&model, &[1, 1], &[&far, &[-1e308, -1e308, 0.0, 1.0, 1e308]]);
            for p in p.chunks(2) {
                assert!((p[0] + p[1] - 1.0).abs() < 1e-12, "{p:?}");
            }
        }
    }
    // Far out on the side of class 1.
    let unit = vec![symmetric(&[&[1.0]])];
    let model = BlockGaussian::new(vec![block(&[0], &[&[-2.0], &[2.0]], unit)], vec![]);
    let (classes, p) = predict(&model, &[1, 1], &[&[1e308, -1e308]]);
    assert_eq!((classes, p), (vec![1, 0], vec![0.0, 1.0, 1.0, 0.0]));
}

#[test]
fn a_class_without_rows_is_never_predicted() {
    let columns = columns(50);
    let weights = vec![pair(0, 2, &[1.0, 0.5])];
    for weights in [vec![], weights] {
        let model = mixed(own(), weights);
        let (classes, p) = predict(&model, &[3, 0, 5], &slices(&columns));
        assert!(classes.iter().all(|&class| class != 1));
        assert!(
            p.chunks(3)
                .all(|p| p[1] == 0.0 && (p.iter().sum::<f64>() - 1.0).abs() < 1e-12)
        );
    }
}

#[test]
fn parameters_are_means_and_halves_of_covariances() {
    // Two blocks of two features and three classes: 6 means and 3 elements each, or 9.
    assert_eq!(mixed(common(), vec![]).n_parameters(), 2 * (6 + 3));
    assert_eq!(mixed(own(), vec![]).n_parameters(), 2 * (6 + 9));
}
