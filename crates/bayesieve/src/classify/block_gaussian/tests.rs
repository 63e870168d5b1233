use super::votes::Standing;
use super::*;
use crate::classify::network_model::NetworkModel;
use crate::classify::prediction::predict_codes;
use crate::classify::score::Rows;
use crate::counts::CountColumn;
use crate::data::Codes;
use crate::network::{Dag, FamilyCounts, Smoothing, Variable};
use crate::observer::Silent;

fn symmetric(rows: &[&[f64]]) -> Symmetric {
    Symmetric::from_fn(rows.len(), |row, column| rows[row][column])
}

fn block(features: &[usize], means: &[&[f64]], covariances: Vec<Symmetric>) -> NormalBlock {
    NormalBlock {
        features: features.to_vec(),
        means: means.iter().map(|mean| mean.to_vec()).collect(),
        covariances,
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
    let rows = Rows {
        codes: &[],
        numbers: &numbers,
        gappy: &[],
        n_rows: columns[0].len(),
    };
    predict_codes(&model, rows, counts, &Silent).unwrap()
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

fn pair(a: usize, b: usize, weights: &[f64]) -> PairWeights {
    PairWeights {
        classes: [a, b],
        weights: weights.to_vec(),
    }
}

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
    let order = crate::classify::by_size(&counts);
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

/// Rows of four numbers that lean on each other and on a class of three.
fn leaning() -> (Vec<Vec<f64>>, Vec<usize>) {
    let cell = |row: usize, j: usize| {
        let mixed = row * row * (31 + 7 * j) + row * 17 * (j + 1).pow(3) + 7 * j * j;
        (mixed % 101) as f64 / 25.0 - 2.0
    };
    let class = |row: usize| match row % 5 {
        0 => 0,
        _ => row % 3,
    };
    let column = |j: usize| {
        let shift = if j < 2 { 0.5 } else { 0.0 };
        let lean = if j == 1 { 0.75 } else { 0.0 };
        let number = |row| cell(row, j) + shift * class(row) as f64 + lean * cell(row, 0);
        (0..45).map(number).collect()
    };
    ((0..4).map(column).collect(), (0..45).map(class).collect())
}

#[test]
fn one_block_of_all_features_is_discriminant_analysis() {
    // scikit-learn 1.9.1 on the same rows; it divides by the rows of all classes (linear) or
    // of one (quadratic), training by three and by one less.
    let linear = [
        (
            0,
            [
                0.924_088_981_316_500_4,
                0.073_243_641_016_000_91,
                0.002_667_377_667_498_700_3,
            ],
        ),
        (
            1,
            [
                0.291_771_436_981_843_77,
                0.574_337_820_634_068_7,
                0.133_890_742_384_087_55,
            ],
        ),
        (
            20,
            [
                0.779_904_232_073_301_2,
                0.189_173_014_458_562_7,
                0.030_922_753_468_136_045,
            ],
        ),
        (
            44,
            [
                0.144_648_631_977_270_07,
                0.192_550_072_254_935_45,
                0.662_801_295_767_794_5,
            ],
        ),
    ];
    let quadratic = [
        (
            0,
            [
                0.912_841_633_286_861_2,
                0.086_935_534_328_471_34,
                0.000_222_832_384_667_475_45,
            ],
        ),
        (
            1,
            [
                0.193_512_251_808_269_3,
                0.805_152_590_998_198_1,
                0.001_335_157_193_532_467_8,
            ],
        ),
        (
            20,
            [
                0.586_178_322_447_936_8,
                0.343_445_646_527_671,
                0.070_376_031_024_392_2,
            ],
        ),
        (
            44,
            [
                0.158_490_627_697_677_33,
                0.110_431_670_485_326_98,
                0.731_077_701_816_995_7,
            ],
        ),
    ];
    let (columns, class) = leaning();
    let counts = [21, 12, 12];
    let labels = class.iter().map(|class| Some(["x", "y", "z"][*class]));
    let class = crate::data::Nominal::from_labels(labels);
    let names = ["a", "b", "c", "d"];
    let named: Vec<(&str, &[f64])> = names.into_iter().zip(slices(&columns)).collect();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("blocks.json");
    std::fs::write(&file, r#"[["a", "b", "c", "d"]]"#).unwrap();
    let whole = format!("blocks={}", file.display());
    for (covariance, divisors, expected) in [
        ("covariance=common", vec![42.0 / 45.0], linear),
        (
            "covariance=own",
            vec![20.0 / 21.0, 11.0 / 12.0, 11.0 / 12.0],
            quadratic,
        ),
    ] {
        let settings = [whole.as_str(), "correction=off", covariance];
        let settings = crate::setting::Settings::parse(crate::separation::MODEL_SETTINGS, settings);
        let options = crate::separation::SeparationOptions::from_settings(&settings.unwrap());
        let fit = crate::separation::fit_blocks(&named, &class, &options.unwrap(), &Silent);
        let fitted = BlockGaussian::from_fit(&fit.unwrap(), &[0, 1, 2, 3]);
        let mut block = fitted.blocks()[0].clone();
        for (s, factor) in block.covariances.iter_mut().zip(divisors) {
            *s = s.scaled(factor);
        }
        let model = BlockGaussian::new(vec![block], vec![]);
        let (_, probabilities) = predict(&model, &counts, &slices(&columns));
        for (row, expected) in expected {
            assert_near(&probabilities[3 * row..3 * row + 3], &expected, 1e-12);
        }
    }
}
