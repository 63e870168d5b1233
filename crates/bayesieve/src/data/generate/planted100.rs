//! A hundred columns of two or three values, quickly made: for tables of many rows.
//!
//! The class is one of two. x1 to x20 tell something about it, the first most; x21 to x40
//! repeat them with errors, so that they tell nothing more; x41 to x100 are noise. Columns of
//! odd number have two values, the others three.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::columns::{many_with_room, table, whole, with_room};
use super::{GeneratorDescription, SEED, rows};
use crate::Result;
use crate::data::Table;

pub(super) static DESCRIPTION: GeneratorDescription = GeneratorDescription {
    name: "planted100",
    summary: "20 features that say something about the class, 20 noisy copies of them, and 60 of noise",
    source: "",
    settings: &[rows("100000"), SEED],
    draw,
};

const N_TELLING: usize = 20;
const N_COPIES: usize = 20;
const N_FEATURES: usize = 100;

/// Of 256 draws, those in which feature x1 is the class itself; each later one has fewer.
const FIRST_SHARE: u8 = 160;
const LESS_EACH: u8 = 7;

/// Of 256 draws, those in which a copy is not what it repeats.
const COPY_ERRORS: u8 = 32;

/// Draws row by row: two bytes for every feature, and one for the class.
fn draw(n_rows: usize, rng: &mut ChaCha8Rng) -> Result<Table> {
    let mut features: Vec<Vec<u8>> = many_with_room(N_FEATURES, n_rows)?;
    let mut class = with_room(n_rows)?;
    let mut bytes = [0u8; 2 * N_FEATURES + 8];
    for _ in 0..n_rows {
        rng.fill_bytes(&mut bytes);
        let of_class = bytes[2 * N_FEATURES] & 1;
        class.push(of_class);
        for (i, draw) in bytes[..2 * N_FEATURES].chunks_exact(2).enumerate() {
            let n_values = 2 + (i % 2) as u16;
            let drawn = ((u16::from(draw[0]) * n_values) >> 8) as u8;
            let is_told = match i {
                ..N_TELLING => draw[1] < FIRST_SHARE - LESS_EACH * i as u8,
                _ => draw[1] >= COPY_ERRORS,
            };
            let cell = match i {
                ..N_TELLING if is_told => of_class,
                N_TELLING.. if i < N_TELLING + N_COPIES && is_told => {
                    features[i - N_TELLING][class.len() - 1]
                }
                _ => drawn,
            };
            features[i].push(cell);
        }
    }
    table(features, whole, whole("class".to_owned(), class))
}

#[cfg(test)]
mod tests {
    use crate::data::{CodedTable, CodingOptions, Generator, Nominal, RoleOptions, Roles};
    use crate::info::Informations;

    #[test]
    fn telling_features_tell_less_and_less_and_noise_tells_nothing() {
        let table = Generator::Planted100.generate(20_000, 1).unwrap();
        let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
        let coded = CodedTable::new(&table, &roles, CodingOptions::default()).unwrap();
        let features = coded.features.iter().filter_map(|feature| feature.coded());
        let features: Vec<&Nominal> = features.collect();
        let told = Informations::new(&features, &coded.class).unwrap();
        // x1 is the class in 160 of 256 rows and else a coin: it is right in 208 of 256, and
        // 1 - H(208/256) = 0.304 bits.
        assert!((told.single(0).mutual - 0.304).abs() < 0.02);
        assert!(told.single(0).mutual > told.single(10).mutual);
        assert!(told.single(10).mutual > told.single(19).mutual);
        // x21 repeats x1 with errors.
        assert!(told.single(20).mutual < told.single(0).mutual);
        assert!(told.single(20).mutual > told.single(19).mutual);
        for noise in 40..100 {
            assert!(told.single(noise).mutual < 0.001, "x{}", noise + 1);
        }
        assert_eq!(told.n_values(0), 2);
        assert_eq!(told.n_values(1), 3);
    }
}
