//! Artificial data whose relevant features are known.

mod columns;
mod example1;
mod led24;
mod normal;
mod planted100;
mod redundant21;
mod waveform40;

use std::fmt;
use std::str::FromStr;

use rand_chacha::ChaCha8Rng;

use super::Table;
use crate::random::{Purpose, stream};
use crate::setting::{Setting, SettingKind};
use crate::{Error, Result, quoted};

/// Rows of a block; a multiple of the 32 rows that `example1` repeats.
const ROWS_PER_BLOCK: usize = 1 << 20;

/// What a generator is: one text for help, lists and errors.
#[derive(Debug, Clone, Copy)]
pub struct GeneratorDescription {
    /// How it is written.
    pub name: &'static str,
    /// What it makes, in one sentence.
    pub summary: &'static str,
    /// Where it comes from; empty where nobody published it.
    pub source: &'static str,
    /// Its settings; the number of rows is the first.
    pub settings: &'static [Setting],
    /// Makes the next rows.
    draw: fn(usize, &mut ChaCha8Rng) -> Result<Table>,
}

/// The number of rows.
const fn rows(default: &'static str) -> Setting {
    Setting {
        name: "rows",
        default,
        kind: SettingKind::Integer {
            min: 1,
            max: u32::MAX as u64,
        },
        meaning: "number of rows",
    }
}

const SEED: Setting = Setting {
    name: "seed",
    default: "1",
    kind: SettingKind::Integer {
        min: 0,
        max: u64::MAX,
    },
    meaning: "random numbers",
};

/// A named source of artificial data.
///
/// The class is the last column. A longer table of the same seed begins with the rows of a
/// shorter one. Numbers have at most six decimals, so that a table written to a file is read
/// back as it was.
///
/// | name | rows by default | features | class |
/// |---|---|---|---|
/// | `example1` | 32 | 8 bits, some redundant, some noise | a function of three of them |
/// | `led24` | 1000 | 7 segments of a broken display and 17 noise bits | the digit |
/// | `planted100` | 100000 | 20 that tell something, 20 noisy copies of them, 60 of noise | one of two |
/// | `redundant21` | 2500 | 9 numbers and 12 copies of three of them | the nearer of two corners |
/// | `waveform40` | 5000 | 21 points of a noisy wave and 19 noise numbers | which two waves were mixed |
///
/// # Example
/// ```
/// use bayesieve::data::Generator;
///
/// let generator: Generator = "led24".parse()?;
/// let table = generator.generate(generator.default_rows(), 1)?;
/// assert_eq!(table.n_rows(), 1000);
/// assert_eq!(table.names().last(), Some("class"));
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Generator {
    /// Eight bits and a class that depends on three of them; no noise, no chance.
    Example1,
    /// A display whose segments fail one time in ten (Breiman et al., 1984).
    Led24,
    /// A hundred columns of two or three values, for tables of many rows.
    Planted100,
    /// Numbers in a cube, three of them repeated (Inza et al., 2000).
    Redundant21,
    /// Mixed triangular waves (Breiman et al., 1984).
    Waveform40,
}

impl Generator {
    /// All of them, by name.
    pub const ALL: [Generator; 5] = [
        Generator::Example1,
        Generator::Led24,
        Generator::Planted100,
        Generator::Redundant21,
        Generator::Waveform40,
    ];

    /// What it is.
    pub fn description(self) -> &'static GeneratorDescription {
        match self {
            Generator::Example1 => &example1::DESCRIPTION,
            Generator::Led24 => &led24::DESCRIPTION,
            Generator::Planted100 => &planted100::DESCRIPTION,
            Generator::Redundant21 => &redundant21::DESCRIPTION,
            Generator::Waveform40 => &waveform40::DESCRIPTION,
        }
    }

    /// The name it is asked for by.
    pub fn name(self) -> &'static str {
        self.description().name
    }

    /// How many rows the papers have.
    pub fn default_rows(self) -> usize {
        let rows = self.description().settings.first();
        rows.and_then(|rows| rows.default.parse().ok()).unwrap_or(1)
    }

    /// Makes a table of `n_rows` rows.
    ///
    /// # Errors
    /// No rows, more than 4,294,967,295, or more than memory can hold.
    pub fn generate(self, n_rows: usize, seed: u64) -> Result<Table> {
        self.check(n_rows)?;
        (self.description().draw)(n_rows, &mut stream(seed, Purpose::Generate, 0))
    }

    /// The same rows in blocks of at most 2^20, made when they are asked for: a table need not
    /// fit in memory.
    ///
    /// # Errors
    /// As [`Generator::generate`].
    ///
    /// # Example
    /// ```
    /// use bayesieve::data::Generator;
    ///
    /// let blocks = Generator::Led24.blocks(1_500_000, 1)?;
    /// let sizes: Result<Vec<usize>, _> = blocks.map(|block| Ok(block?.n_rows())).collect();
    /// assert_eq!(sizes?, [1 << 20, 1_500_000 - (1 << 20)]);
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    pub fn blocks(self, n_rows: usize, seed: u64) -> Result<impl Iterator<Item = Result<Table>>> {
        self.check(n_rows)?;
        // Rows draw one after the other, so that the next block goes on where one ended.
        let mut rng = stream(seed, Purpose::Generate, 0);
        let starts = (0..n_rows).step_by(ROWS_PER_BLOCK);
        let sizes = starts.map(move |start| ROWS_PER_BLOCK.min(n_rows - start));
        Ok(sizes.map(move |n_rows| (self.description().draw)(n_rows, &mut rng)))
    }

    fn check(self, n_rows: usize) -> Result<()> {
        if n_rows == 0 || u32::try_from(n_rows).is_err() {
            return Err(Error::usage(format!(
                "{} makes from 1 to {} rows, not {n_rows}",
                self.name(),
                u32::MAX
            )));
        }
        Ok(())
    }
}

impl FromStr for Generator {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut all = Generator::ALL.into_iter();
        all.find(|generator| generator.name() == text)
            .ok_or_else(|| {
                let names = Generator::ALL.map(Generator::name).join(", ");
                let error = format!("there is no artificial data named {}", quoted(text));
                Error::usage(error).with_hint(format!("Choose one of {names}."))
            })
    }
}

impl fmt::Display for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::data::{Column, KindOrigin};

    #[test]
    fn every_generator_is_found_by_its_name() {
        for generator in Generator::ALL {
            assert_eq!(generator.name().parse::<Generator>().unwrap(), generator);
        }
        let error = "led7".parse::<Generator>().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage);
        let text = error.to_string();
        assert!(
            text.contains("example1, led24, planted100, redundant21, waveform40"),
            "{text}"
        );
    }

    #[test]
    fn impossible_numbers_of_rows_are_refused() {
        for generator in Generator::ALL {
            for n_rows in [0, u32::MAX as usize + 1, usize::MAX] {
                let error = generator.generate(n_rows, 1).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Usage, "{generator} {n_rows}");
            }
        }
    }

    #[test]
    fn tables_have_their_shape_and_origin() {
        let shapes = [
            (9, "C"),
            (25, "class"),
            (101, "class"),
            (22, "class"),
            (41, "class"),
        ];
        for (generator, (n_columns, class)) in Generator::ALL.into_iter().zip(shapes) {
            let table = generator.generate(generator.default_rows(), 1).unwrap();
            assert_eq!(table.columns().len(), n_columns, "{generator}");
            assert_eq!(table.names().last(), Some(class), "{generator}");
            for column in table.columns() {
                assert_eq!(column.len(), generator.default_rows(), "{generator}");
                assert_eq!(column.origin(), KindOrigin::Derived, "{generator}");
                assert_eq!(column.n_missing(), 0, "{generator}");
            }
        }
    }

    #[test]
    fn a_longer_table_begins_with_the_shorter_one() {
        fn cell(column: &Column, row: usize) -> String {
            match (column.as_nominal(), column.as_numeric()) {
                (Some(nominal), _) => {
                    let code = nominal.codes.get(row).unwrap();
                    nominal.domain.label(code).unwrap().to_owned()
                }
                (_, Some(numbers)) => numbers[row].to_string(),
                _ => unreachable!("a column has one of two kinds"),
            }
        }
        for generator in Generator::ALL {
            let short = generator.generate(7, 5).unwrap();
            let long = generator.generate(50, 5).unwrap();
            for (a, b) in short.columns().iter().zip(long.columns()) {
                for row in 0..7 {
                    assert_eq!(cell(a, row), cell(b, row), "{generator} {}", a.name());
                }
            }
        }
    }

    #[test]
    fn blocks_are_the_rows_of_the_whole() {
        for generator in Generator::ALL {
            let n_rows = ROWS_PER_BLOCK + 3;
            let whole = generator
                .blocks(n_rows, 2)
                .unwrap()
                .nth(1)
                .unwrap()
                .unwrap();
            let mut rng = stream(2, Purpose::Generate, 0);
            // Drawing the first block in two goes changes nothing either.
            let draw = generator.description().draw;
            draw(64, &mut rng).unwrap();
            draw(ROWS_PER_BLOCK - 64, &mut rng).unwrap();
            let rest = draw(3, &mut rng).unwrap();
            assert_eq!(whole.columns(), rest.columns(), "{generator}");
        }
    }

    #[test]
    fn seeds_draw_different_tables() {
        for generator in [
            Generator::Led24,
            Generator::Planted100,
            Generator::Redundant21,
            Generator::Waveform40,
        ] {
            let [one, again, other] = [1, 1, 2].map(|seed| generator.generate(50, seed).unwrap());
            assert_eq!(one.columns(), again.columns(), "{generator}");
            assert_ne!(one.columns(), other.columns(), "{generator}");
        }
    }
}
