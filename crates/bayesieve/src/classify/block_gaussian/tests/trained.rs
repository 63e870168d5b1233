//! Blocks that are fitted to rows, against another program.

use super::*;
use crate::data::Nominal;
use crate::separation::{BlockSource, Correction, Covariance, SeparationOptions, fit_blocks};

/// Rows whose probabilities are known.
const ROWS: [usize; 4] = [0, 1, 20, 44];

/// What scikit-learn 1.9.1 finds for them by linear discriminant analysis.
const LINEAR: [[f64; 3]; 4] = [
    [
        0.924_088_981_316_500_4,
        0.073_243_641_016_000_91,
        0.002_667_377_667_498_700_3,
    ],
    [
        0.291_771_436_981_843_77,
        0.574_337_820_634_068_7,
        0.133_890_742_384_087_55,
    ],
    [
        0.779_904_232_073_301_2,
        0.189_173_014_458_562_7,
        0.030_922_753_468_136_045,
    ],
    [
        0.144_648_631_977_270_07,
        0.192_550_072_254_935_45,
        0.662_801_295_767_794_5,
    ],
];

/// What it finds by quadratic discriminant analysis.
const QUADRATIC: [[f64; 3]; 4] = [
    [
        0.912_841_633_286_861_2,
        0.086_935_534_328_471_34,
        0.000_222_832_384_667_475_45,
    ],
    [
        0.193_512_251_808_269_3,
        0.805_152_590_998_198_1,
        0.001_335_157_193_532_467_8,
    ],
    [
        0.586_178_322_447_936_8,
        0.343_445_646_527_671,
        0.070_376_031_024_392_2,
    ],
    [
        0.158_490_627_697_677_33,
        0.110_431_670_485_326_98,
        0.731_077_701_816_995_7,
    ],
];

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

/// One block of all four numbers, not corrected.
fn fitted(columns: &[Vec<f64>], class: &[usize], covariance: Covariance) -> NormalBlock {
    let labels = class.iter().map(|class| Some(["x", "y", "z"][*class]));
    let names = ["a", "b", "c", "d"];
    let named: Vec<(&str, &[f64])> = names.into_iter().zip(slices(columns)).collect();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("blocks.json");
    std::fs::write(&file, r#"[["a", "b", "c", "d"]]"#).unwrap();
    let options = SeparationOptions {
        blocks: BlockSource::File(file),
        covariance,
        correction: Correction::Off,
        ..SeparationOptions::default()
    };
    let fit = fit_blocks(&named, &Nominal::from_labels(labels), &options, &Silent).unwrap();
    let fitted = BlockGaussian::from_fit(fit, &[0, 1, 2, 3]);
    fitted.blocks()[0].clone()
}

#[test]
fn one_block_of_all_features_is_discriminant_analysis() {
    let (columns, class) = leaning();
    // scikit-learn divides by the rows of all classes (linear) or of one (quadratic), training
    // by three and by one less.
    let linear = vec![42.0 / 45.0];
    let quadratic = vec![20.0 / 21.0, 11.0 / 12.0, 11.0 / 12.0];
    for (covariance, factors, expected) in [
        (Covariance::Common, linear, LINEAR),
        (Covariance::Own, quadratic, QUADRATIC),
    ] {
        let mut block = fitted(&columns, &class, covariance);
        for (s, factor) in block.covariances.iter_mut().zip(factors) {
            *s = s.scaled(factor);
        }
        let model = BlockGaussian::new(vec![block], vec![]);
        let (_, probabilities) = predict(&model, &[21, 12, 12], &slices(&columns));
        for (row, expected) in ROWS.into_iter().zip(expected) {
            assert_near(&probabilities[3 * row..3 * row + 3], &expected, 1e-12);
        }
    }
}
