//! Which blocks of a table's features hold its classes apart.

use rayon::prelude::*;

use super::block_file::read_blocks;
use super::fit::{MAX_EDGES, blocks_of, check_classes, moments_of, pairs_of, scored};
use super::numbers::ClassedNumbers;
use super::options::{BlockSource, SeparationOptions};
use super::pair::PairScores;
use super::tables::{BlockTable, Tables};
use crate::data::Nominal;
use crate::wording::counted;
use crate::{Observer, Result};

/// A feature whose separation is asked for.
#[derive(Debug, Clone, Copy)]
pub enum Scored<'a> {
    /// Numbers, NaN where missing.
    Numbers(&'a [f64]),
    /// Values.
    Values(&'a Nominal),
}

/// Blocks of all features and their scores for every two classes.
#[derive(Debug, Clone)]
pub struct Separation {
    /// Positions of every block's features, rising; blocks of numbers come first. A feature
    /// that is constant in the rows that are used is in none.
    pub blocks: Vec<Vec<usize>>,
    /// Every two classes that have rows, the lower one first, with the scores of all blocks.
    pub pairs: Vec<PairScores>,
    /// What the reader should know.
    pub warnings: Vec<String>,
}

impl Separation {
    /// Whether a block is kept for some two classes.
    pub fn is_kept(&self, block: usize) -> bool {
        self.pairs.iter().any(|pair| pair.blocks[block].is_kept)
    }
}

/// Scores blocks of numbers by the distance of classes, blocks of values by information.
///
/// # Errors
/// A class with fewer than two rows without gaps in its numbers, one class only, numbers that
/// are too large, a file of blocks that is wrong, too many classes, or the observer cancelled.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::Nominal;
/// use bayesieve::separation::{Scored, SeparationOptions, separate};
///
/// let x: Vec<f64> = (0..40).map(|i| f64::from(i % 7) + f64::from(i / 20) * 4.0).collect();
/// let y = Nominal::from_labels((0..40).map(|i| Some(if i % 2 == 0 { "u" } else { "v" })));
/// let class = Nominal::from_labels((0..40).map(|i| Some(if i < 20 { "a" } else { "b" })));
/// let features = [("x", Scored::Numbers(&x)), ("y", Scored::Values(&y))];
/// let separation = separate(&features, &class, &SeparationOptions::default(), &Silent)?;
/// assert_eq!(separation.blocks, [[0], [1]]);
/// assert!(separation.is_kept(0) && !separation.is_kept(1));
/// assert_eq!(separation.pairs[0].blocks[1].distance, 0.0); // half of each class
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn separate(
    features: &[(&str, Scored<'_>)],
    class: &Nominal,
    options: &SeparationOptions,
    observer: &dyn Observer,
) -> Result<Separation> {
    let names: Vec<&str> = features.iter().map(|&(name, _)| name).collect();
    let kinds = Kinds::new(features);
    let mut warnings = Vec::new();
    let numbers = ClassedNumbers::new(&kinds.columns, class)?;
    let classes = numbers.classes();
    check_classes(&classes)?;
    let among = (kinds.columns.as_slice(), names.as_slice());
    let found = blocks_of(&numbers, among, options, &mut warnings, observer)?;
    let moments = moments_of(&numbers, &found, options, &mut warnings);
    let mut blocks: Vec<Vec<usize>> = found
        .iter()
        .map(|block| kinds.places_of(&numbers, block))
        .collect();

    let used = UsedRows::new(&numbers, &kinds.nominal, class);
    let tables = used.tables(&kinds.nominal, class);
    let own = kinds.nominal_places.iter().map(|&place| names[place]);
    let of_values = match read_blocks(&options.blocks, &own.collect::<Vec<_>>())? {
        None => tables.find_blocks(options, MAX_EDGES, observer)?,
        Some((given, _)) => {
            warnings.extend(kinds.split_by(&options.blocks, &names)?);
            given
        }
    };
    let of_blocks: Vec<BlockTable> = of_values.par_iter().map(|b| tables.table(b)).collect();
    let places = |block: &Vec<usize>| block.iter().map(|&f| kinds.nominal_places[f]).collect();
    blocks.extend(of_values.iter().map(places));

    let pairs = scored(&pairs_of(&classes), blocks.len(), |classes| {
        let n_rows = numbers.n_rows_of(classes);
        let of_numbers = moments.iter().map(|block| block.sample(classes, n_rows));
        let of_values = of_blocks.iter().map(|table| table.score(classes));
        let samples: Vec<_> = of_numbers.chain(of_values).collect();
        PairScores::new(classes, n_rows, &samples, options, observer)
    })?;
    Ok(Separation {
        blocks,
        pairs,
        warnings,
    })
}

/// Features by kind, with their places among all.
struct Kinds<'a> {
    columns: Vec<(&'a str, &'a [f64])>,
    places: Vec<usize>,
    nominal: Vec<&'a Nominal>,
    nominal_places: Vec<usize>,
}

impl<'a> Kinds<'a> {
    fn new(features: &[(&'a str, Scored<'a>)]) -> Self {
        let mut kinds = Kinds {
            columns: Vec::new(),
            places: Vec::new(),
            nominal: Vec::new(),
            nominal_places: Vec::new(),
        };
        for (place, &(name, feature)) in features.iter().enumerate() {
            match feature {
                Scored::Numbers(numbers) => {
                    kinds.columns.push((name, numbers));
                    kinds.places.push(place);
                }
                Scored::Values(values) => {
                    kinds.nominal.push(values);
                    kinds.nominal_places.push(place);
                }
            }
        }
        kinds
    }

    /// What to say of given blocks that hold features of both kinds.
    fn split_by(&self, source: &BlockSource, names: &[&str]) -> Result<Option<String>> {
        let (blocks, _) = read_blocks(source, names)?.unwrap_or_default();
        let is_number = |place: &usize| self.places.binary_search(place).is_ok();
        let is_mixed =
            |block: &&Vec<usize>| block.iter().any(is_number) && !block.iter().all(is_number);
        let n_mixed = blocks.iter().filter(is_mixed).count() as u64;
        Ok((n_mixed > 0).then(|| {
            let blocks = counted(n_mixed, "block");
            format!("{blocks} given with both numbers and labels: each is taken as two")
        }))
    }

    fn places_of(&self, numbers: &ClassedNumbers, block: &[usize]) -> Vec<usize> {
        let columns = block
            .iter()
            .map(|&feature| numbers.features[feature].column);
        columns.map(|column| self.places[column]).collect()
    }
}

/// Columns without the rows that have a gap in a number, so that all blocks are scored over
/// the same rows; nothing where no row is left out.
struct UsedRows(Option<(Vec<Nominal>, Nominal)>);

impl UsedRows {
    fn new(numbers: &ClassedNumbers, nominal: &[&Nominal], class: &Nominal) -> Self {
        let taken = |column: &Nominal| Nominal {
            codes: column.codes.take(&numbers.rows),
            domain: column.domain.clone(),
        };
        UsedRows((numbers.n_dropped_rows > 0).then(|| {
            let columns = nominal.iter().map(|column| taken(column));
            (columns.collect(), taken(class))
        }))
    }

    fn tables<'t>(&'t self, nominal: &[&'t Nominal], class: &'t Nominal) -> Tables<'t> {
        match &self.0 {
            Some((columns, class)) => Tables::new(columns.iter().collect(), class),
            None => Tables::new(nominal.to_vec(), class),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;
    use crate::random::{Purpose, normal, stream};

    #[test]
    fn three_classes_are_compared_two_by_two() {
        // x sets a apart from the others, the value v sets c apart.
        let class = Nominal::from_labels((0..90).map(|row| Some(["a", "b", "c"][row % 3])));
        let x: Vec<f64> = (0..90)
            .map(|row| f64::from(row / 3 * 7 % 11) + if row % 3 == 0 { 15.0 } else { 0.0 })
            .collect();
        let v = Nominal::from_labels((0..90).map(|row| Some(["n", "n", "y"][row % 3])));
        // The same five numbers in every class.
        let noise: Vec<f64> = (0..90).map(|row| f64::from(row / 3 % 5)).collect();
        let features = [
            ("v", Scored::Values(&v)),
            ("noise", Scored::Numbers(&noise)),
            ("x", Scored::Numbers(&x)),
        ];
        let options = SeparationOptions {
            block_size: 1,
            ..SeparationOptions::default()
        };
        let separation = separate(&features, &class, &options, &Silent).unwrap();
        assert_eq!(separation.blocks, [[1], [2], [0]]);
        let kept = separation.pairs.iter().map(|pair| {
            let kept = pair.blocks.iter().map(|block| block.is_kept);
            (pair.classes, kept.collect::<Vec<bool>>())
        });
        assert_eq!(
            kept.collect::<Vec<_>>(),
            [
                ([0, 1], vec![false, true, false]),
                ([0, 2], vec![false, true, true]),
                ([1, 2], vec![false, false, true]),
            ]
        );
        let is_kept: Vec<bool> = (0..3).map(|block| separation.is_kept(block)).collect();
        assert_eq!(is_kept, [false, true, true]);
    }

    #[test]
    fn any_small_table_gives_numbers_or_an_error() {
        use super::super::{Correction, Covariance, ThresholdRule, Weighting};
        use crate::random::below;
        let mut n_scored = 0;
        for seed in 0..300 {
            let mut rng = stream(seed, Purpose::Generate, 3);
            let n_rows = 4 + below(&mut rng, 12) as usize;
            let sizes = [1.0, 1e-60, 1e60, 1e-3];
            let mut columns: Vec<Vec<f64>> = Vec::new();
            for _ in 0..1 + below(&mut rng, 6) {
                let (kind, size) = (below(&mut rng, 6), sizes[below(&mut rng, 4) as usize]);
                let draw = |row: usize| match kind {
                    0 => 7.0,
                    1 if row.is_multiple_of(5) => f64::NAN,
                    2 => (row % 2) as f64,
                    _ => size * normal(&mut rng),
                };
                let drawn = (0..n_rows).map(draw).collect();
                let copied = columns.last().filter(|_| kind == 5).cloned();
                columns.push(copied.unwrap_or(drawn));
            }
            let label = |row: usize| ["a", "b", "c"][row % (2 + seed as usize % 2)];
            let class = Nominal::from_labels((0..n_rows).map(|row| Some(label(row))));
            let value = |row: usize| ["u", "v", "w", "u"][row * row % 4];
            let values = Nominal::from_labels((0..n_rows).map(|row| Some(value(row))));
            let mut features: Vec<(&str, Scored<'_>)> =
                columns.iter().map(|c| ("x", Scored::Numbers(c))).collect();
            features.push(("v", Scored::Values(&values)));
            let options = SeparationOptions {
                block_size: 1 + seed as usize % 4,
                covariance: [Covariance::Common, Covariance::Own][seed as usize % 2],
                correction: [Correction::On, Correction::Off][seed as usize / 2 % 2],
                threshold: [ThresholdRule::Asymptotic, ThresholdRule::Exact][seed as usize / 4 % 2],
                weights: [Weighting::None, Weighting::Optimal][seed as usize / 8 % 2],
                ..SeparationOptions::default()
            };
            let Ok(separation) = separate(&features, &class, &options, &Silent) else {
                continue;
            };
            n_scored += 1;
            for pair in &separation.pairs {
                let separates = pair.blocks.iter().any(|block| block.sample.score > 1e-9);
                let keeps = pair.blocks.iter().any(|block| block.is_kept);
                assert_eq!(keeps, separates, "{seed}");
                for block in &pair.blocks {
                    let numbers = [block.sample.score, block.threshold, block.weight];
                    assert!(numbers.iter().all(|x| x.is_finite() && *x >= 0.0), "{seed}");
                }
                assert!((0.0..=1.0).contains(&pair.selected.risk), "{seed}");
            }
        }
        assert!(n_scored > 200, "{n_scored}");
    }

    #[test]
    fn all_blocks_are_scored_over_the_same_rows() {
        // Rows 4 and 5 have no number; without them v is the same in both classes.
        let class = Nominal::from_labels("a b a b a b".split(' ').map(Some));
        let v = Nominal::from_labels("1 1 2 2 1 2".split(' ').map(Some));
        let x = [1.0, 2.0, 4.0, 3.0, f64::NAN, f64::NAN];
        let features = [("v", Scored::Values(&v)), ("x", Scored::Numbers(&x))];
        let options = SeparationOptions::default();
        let separation = separate(&features, &class, &options, &Silent).unwrap();
        assert_eq!(separation.blocks, [[1], [0]]);
        assert_eq!(separation.pairs[0].n_rows, 1.0);
        assert_eq!(separation.pairs[0].blocks[1].sample.score, 0.0);
        assert!(separation.warnings[0].starts_with("2 rows with an empty cell"));
    }

    #[test]
    fn a_file_may_name_features_of_both_kinds() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("blocks.json");
        std::fs::write(&file, r#"[["x", "v", "y"]]"#).unwrap();
        let class = Nominal::from_labels("a a a b b b".split(' ').map(Some));
        let v = Nominal::from_labels("1 2 1 2 1 2".split(' ').map(Some));
        let (x, y) = (
            [1.0, 2.0, 4.0, 3.0, 2.0, 9.0],
            [0.0, 1.0, 5.0, 5.0, 7.0, 7.5],
        );
        let features = [
            ("x", Scored::Numbers(&x)),
            ("v", Scored::Values(&v)),
            ("y", Scored::Numbers(&y)),
        ];
        let options = SeparationOptions {
            blocks: BlockSource::File(file),
            ..SeparationOptions::default()
        };
        let separation = separate(&features, &class, &options, &Silent).unwrap();
        assert_eq!(separation.blocks, [vec![0, 2], vec![1]]);
        let warning = &separation.warnings[0];
        assert!(warning.starts_with("1 block given with both"), "{warning}");
    }
}
