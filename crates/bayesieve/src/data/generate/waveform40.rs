//! Three triangular waves, mixed two by two, under noise; and nineteen columns of noise alone.
//!
//! Source: Breiman, Friedman, Olshen and Stone, 1984, section 2.6. The best classifier is
//! right about 86 % of the time.

use rand_chacha::ChaCha8Rng;

use super::columns::{from_millionths, many_with_room, nominal, numeric, table, with_room};
use super::normal::Normal;
use super::{GeneratorDescription, SEED, rows};
use crate::Result;
use crate::data::Table;
use crate::random::{below, unit};

pub(super) static DESCRIPTION: GeneratorDescription = GeneratorDescription {
    name: "waveform40",
    summary: "mixtures of two of three waves in 21 noisy numbers, and 19 numbers of noise",
    source: "Breiman, Friedman, Olshen and Stone, 1984",
    settings: &[rows("5000"), SEED],
    draw,
};

const N_POINTS: usize = 21;
const N_NOISE: usize = 19;

/// Where the waves h1, h2 and h3 peak.
const PEAKS: [f64; 3] = [11.0, 15.0, 7.0];

/// The waves that classes 1, 2 and 3 mix, counted from 0.
const MIXED: [[usize; 2]; 3] = [[0, 1], [0, 2], [1, 2]];

/// Draws, row by row: the class, the share of its first wave, the noise of all 40 columns.
fn draw(n_rows: usize, rng: &mut ChaCha8Rng) -> Result<Table> {
    let mut features: Vec<Vec<f64>> = many_with_room(N_POINTS + N_NOISE, n_rows)?;
    let mut class = with_room(n_rows)?;
    let mut normal = Normal::default();
    for _ in 0..n_rows {
        let drawn = below(rng, 3) as usize;
        let [first, second] = MIXED[drawn].map(|wave| PEAKS[wave]);
        let share = unit(rng);
        for (i, column) in features.iter_mut().enumerate() {
            let mut x = normal.next(rng);
            if i < N_POINTS {
                let time = (i + 1) as f64;
                x += share * height(first, time) + (1.0 - share) * height(second, time);
            }
            // Rounding also hides the last digit of the logarithm, which machines differ in.
            column.push(from_millionths((x * 1e6).round()));
        }
        class.push(drawn as u8);
    }
    table(features, numeric, nominal("class", class, 1))
}

/// A wave at a time: 6 at its peak, falling by 1 a step to 0 on both sides.
fn height(peak: f64, time: f64) -> f64 {
    (6.0 - (time - peak).abs()).max(0.0)
}

#[cfg(test)]
mod tests {
    use crate::data::Generator;

    #[test]
    fn class_means_are_the_means_of_two_waves() {
        let n_rows = 15_000;
        let table = Generator::Waveform40.generate(n_rows, 1).unwrap();
        let class = &table.column("class").unwrap().as_nominal().unwrap();
        assert_eq!(class.domain.labels(), ["1", "2", "3"]);
        let mean = |name: &str, code: u32| {
            let numbers = table.column(name).unwrap().as_numeric().unwrap();
            let of_class: Vec<f64> = (0..n_rows)
                .filter(|&row| class.codes.get(row) == Some(code))
                .map(|row| numbers[row])
                .collect();
            // 5,000 expected; four standard deviations are 231.
            assert!(of_class.len().abs_diff(5_000) < 231, "{}", of_class.len());
            of_class.iter().sum::<f64>() / of_class.len() as f64
        };
        // At 7, the waves h1, h2, h3 are 2, 0, 6; at 11: 6, 2, 2; at 15: 2, 6, 0; at 1 and 40: 0.
        let expected = [
            ("x1", [0.0, 0.0, 0.0]),
            ("x7", [1.0, 4.0, 3.0]),
            ("x11", [4.0, 4.0, 2.0]),
            ("x15", [4.0, 1.0, 3.0]),
            ("x40", [0.0, 0.0, 0.0]),
        ];
        for (name, means) in expected {
            for (code, expected) in means.into_iter().enumerate() {
                let found = mean(name, code as u32);
                // Variance 1 + (a - b)^2/12 <= 4; four standard errors of 4,769 rows at least.
                assert!(
                    (found - expected).abs() < 0.116,
                    "{name} of class {code}: {found}"
                );
            }
        }
    }

    #[test]
    fn noise_columns_have_variance_one() {
        let table = Generator::Waveform40.generate(5_000, 1).unwrap();
        for i in 22..41 {
            let numbers = table
                .column(&format!("x{i}"))
                .unwrap()
                .as_numeric()
                .unwrap();
            let variance = numbers.iter().map(|x| x * x).sum::<f64>() / 5_000.0;
            // Four standard errors, sqrt(2/5,000) each.
            assert!((variance - 1.0).abs() < 0.08, "x{i}: {variance}");
        }
    }

    #[test]
    fn numbers_have_six_decimals_at_most() {
        let table = Generator::Waveform40.generate(200, 1).unwrap();
        for column in &table.columns()[..40] {
            for x in column.as_numeric().unwrap() {
                let text = format!("{x:.6}");
                assert_eq!(text.parse::<f64>().unwrap().to_bits(), x.to_bits(), "{x}");
            }
        }
    }

    #[test]
    fn the_first_number_of_seed_one_is_pinned() {
        let table = Generator::Waveform40.generate(1, 1).unwrap();
        let numbers = table.column("x1").unwrap().as_numeric().unwrap();
        assert_eq!(numbers, [0.007911]);
    }
}
