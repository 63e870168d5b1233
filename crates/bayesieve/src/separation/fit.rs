//! Blocks from numbers: found or given, with their moments and their scores.
//!
//! Blocks are found as features that depend on each other given the class: pairs whose
//! correlation within classes is significant are joined, the strongest first, as long as
//! their blocks do not grow too large. Strengths that differ by less than 3e-10 are ties and
//! go by column.
//! Cost: O(p² N) for p features and N rows; memory for some millions of pairs, not for all.

use rayon::prelude::*;

use super::block_file::{passed_over, read_blocks};
use super::clusters::Clusters;
use super::correlations::Correlations;
use super::edges::merge;
use super::moments::{Moments, NormalBlock};
use super::numbers::ClassedNumbers;
use super::options::{Correction, Covariance, SeparationOptions, Weighting};
use super::pair::PairScores;
use crate::data::Nominal;
use crate::stats::chi_square_tail;
use crate::wording::{counted, grouped};
use crate::{Error, Observer, Result, quoted};

/// Pairs of features that are kept at a time, twice.
pub(super) const MAX_EDGES: usize = 1 << 22;

/// Most features of a block that is given: its covariance takes their square.
const MAX_GIVEN: usize = 2_000;

/// Scores of blocks for pairs of classes that are kept.
const MAX_SCORES: usize = 1 << 20;

/// Columns by name, NaN where missing.
type NamedNumbers<'c> = [(&'c str, &'c [f64])];

/// Blocks of numeric features, their moments and their scores; classes are numbered by code.
#[derive(Debug, Clone)]
pub struct BlockFit {
    /// The blocks, by their first features.
    pub blocks: Vec<NormalBlock>,
    /// Every two classes that have rows, the lower one first. None where there are too many
    /// to keep and no weight asks for them.
    pub pairs: Vec<PairScores>,
    /// What the reader should know.
    pub warnings: Vec<String>,
}

/// Makes blocks of numbers and scores them. `columns` are names and numbers, NaN where
/// missing; rows with a gap are left out, columns with one number only are in no block. Names
/// in a file of blocks that are none of the columns are passed over with a warning.
///
/// # Errors
/// A class with fewer than two rows without gaps, one class only, numbers that are too large,
/// a file of blocks that is wrong, too many classes to weigh, or the observer cancelled.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::Nominal;
/// use bayesieve::separation::{SeparationOptions, fit_blocks};
///
/// let x: Vec<f64> = (0..40).map(|i| f64::from(i % 7) + f64::from(i / 20) * 4.0).collect();
/// let y: Vec<f64> = (0..40).map(|i| f64::from(i * 3 % 11)).collect();
/// let class = Nominal::from_labels((0..40).map(|i| Some(if i < 20 { "a" } else { "b" })));
/// let columns: [(&str, &[f64]); 2] = [("x", &x), ("y", &y)];
/// let fit = fit_blocks(&columns, &class, &SeparationOptions::default(), &Silent)?;
/// let kept: Vec<bool> = fit.pairs[0].blocks.iter().map(|block| block.is_kept).collect();
/// assert_eq!(kept, [true, false]);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn fit_blocks(
    columns: &[(&str, &[f64])],
    class: &Nominal,
    options: &SeparationOptions,
    observer: &dyn Observer,
) -> Result<BlockFit> {
    let numbers = ClassedNumbers::new(columns, class)?;
    let classes = numbers.classes();
    check_classes(&classes)?;
    let mut warnings = Vec::new();
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let among = (columns, names.as_slice());
    let blocks = blocks_of(&numbers, among, options, &mut warnings, observer)?;
    let moments = moments_of(&numbers, &blocks, options, &mut warnings);
    let pairs = pairs_of(&classes);
    let has_too_many = pairs.len().saturating_mul(moments.len()) > MAX_SCORES;
    let pairs = if has_too_many && options.weights == Weighting::None {
        Vec::new()
    } else {
        scored(&pairs, moments.len(), |classes| {
            let n_rows = numbers.n_rows_of(classes);
            let samples = moments.iter().map(|block| block.sample(classes, n_rows));
            PairScores::new(
                classes,
                n_rows,
                &samples.collect::<Vec<_>>(),
                options,
                observer,
            )
        })?
    };
    Ok(BlockFit {
        pairs,
        blocks: moments.par_iter().map(Moments::fitted).collect(),
        warnings,
    })
}

pub(super) fn check_classes(classes: &[usize]) -> Result<()> {
    match classes.len() {
        0 | 1 => Err(Error::data("all rows are of one class")
            .with_hint("There is nothing to separate: choose another class.")),
        _ => Ok(()),
    }
}

/// The blocks, found or given, by number of the feature. A file may also name `all` the
/// features there are, or anything where that is not known.
pub(super) fn blocks_of(
    numbers: &ClassedNumbers,
    (columns, all): (&NamedNumbers<'_>, &[&str]),
    options: &SeparationOptions,
    warnings: &mut Vec<String>,
    observer: &dyn Observer,
) -> Result<Vec<Vec<usize>>> {
    if numbers.n_dropped_rows > 0 {
        let most = numbers.worst_gap.map_or(String::new(), |(column, n)| {
            format!(
                "; most gaps, {}, are in {}",
                grouped(n),
                quoted(columns[column].0)
            )
        });
        warnings.push(format!(
            "{} with an empty cell among the numbers left out, {} used{most}",
            counted(numbers.n_dropped_rows as u64, "row"),
            grouped(numbers.n_rows as u64)
        ));
    }
    let used = numbers.features.iter().map(|f| columns[f.column].0);
    let used: Vec<&str> = used.collect();
    let Some((blocks, strangers)) = read_blocks(&options.blocks, &used)? else {
        return found(numbers, options, warnings, observer);
    };
    warnings.extend(passed_over(&strangers, all));
    match blocks.iter().find(|block| block.len() > MAX_GIVEN) {
        None => Ok(blocks),
        Some(block) => {
            let error = Error::data(format!(
                "a block has {}, {} at most are possible",
                counted(block.len() as u64, "numeric feature"),
                grouped(MAX_GIVEN as u64)
            ))
            .with_hint("Divide it.");
            Err(match options.file() {
                Some(file) => error.in_file(file),
                None => error,
            })
        }
    }
}

/// The moments of all blocks.
pub(super) fn moments_of<'n>(
    numbers: &'n ClassedNumbers,
    blocks: &[Vec<usize>],
    options: &SeparationOptions,
    warnings: &mut Vec<String>,
) -> Vec<Moments<'n>> {
    let how = (options.covariance, options.correction);
    let moments = blocks
        .par_iter()
        .map(|block| Moments::new(numbers, block, how));
    let moments: Vec<Moments<'_>> = moments.collect();
    warnings.extend(warnings_of(&moments, options));
    moments
}

/// Features that depend on each other, in blocks of bounded size.
fn found(
    numbers: &ClassedNumbers,
    options: &SeparationOptions,
    warnings: &mut Vec<String>,
    observer: &dyn Observer,
) -> Result<Vec<Vec<usize>>> {
    let n_features = numbers.features.len();
    let fitting = most_features(numbers, options.covariance);
    let most = options.block_size.min(fitting);
    if most < options.block_size && n_features > most {
        warnings.push(format!(
            "blocks have {} at most: a covariance of more needs more rows",
            counted(most as u64, "feature")
        ));
    }
    if n_features > numbers.n_rows && most > 1 {
        warnings.push(
            "blocks were found in fewer rows than there are features: what looks alike by chance \
             shares a block, and scores and distances are too large, also before selection \
             (level=0 makes no blocks)"
                .into(),
        );
    }
    let mut clusters = Clusters::new(n_features, most);
    let columns = numbers.features.iter().map(|f| f.residuals.as_slice());
    // 2 N w = -N ln(1 - r²) must exceed the quantile.
    let least = least_statistic(options.level, 1.0)?;
    let least = -(-least / numbers.n_rows as f64).exp_m1();
    let source = Correlations {
        columns: columns.collect(),
        least,
    };
    merge(&source, &mut clusters, MAX_EDGES, observer)?;
    Ok(clusters.members())
}

/// How many features a covariance can have and still be corrected.
fn most_features(numbers: &ClassedNumbers, covariance: Covariance) -> usize {
    let degrees_of_freedom = match covariance {
        Covariance::Common => numbers.degrees_of_freedom(),
        Covariance::Own => {
            let rows = numbers.class_counts.iter().filter(|&&n| n > 0);
            rows.min().map_or(0, |&n| n as usize - 1)
        }
    };
    degrees_of_freedom.saturating_sub(2).max(1)
}

/// The chi-square statistic whose p is the level.
pub(super) fn least_statistic(level: f64, degrees_of_freedom: f64) -> Result<f64> {
    if level <= 0.0 {
        return Ok(f64::INFINITY);
    }
    let (mut low, mut high) = (0.0, 2.0 * degrees_of_freedom + 4_000.0); // p < 1e-300
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if chi_square_tail(middle, degrees_of_freedom)?.p < level {
            high = middle
        } else {
            low = middle
        }
    }
    Ok(low)
}

/// What is doubtful about the covariances.
fn warnings_of(moments: &[Moments<'_>], options: &SeparationOptions) -> Vec<String> {
    let n_singular = moments.iter().filter(|block| block.is_singular()).count();
    let n_wide = moments.iter().filter(|block| !block.has_room()).count();
    let mut warnings = Vec::new();
    if n_singular > 0 {
        warnings.push(format!(
            "{} with a singular covariance: a small ridge was added, distances there can be far \
             too large",
            counted(n_singular as u64, "block")
        ));
    }
    if n_wide > 0 && options.correction == Correction::On {
        let rows = match options.covariance {
            Covariance::Common => "rows",
            Covariance::Own => "rows of every class",
        };
        warnings.push(format!(
            "{} with too many features for so few {rows}: distances there are not corrected and \
             too large",
            counted(n_wide as u64, "block")
        ));
    }
    warnings
}

/// The scores of all blocks for every two classes.
pub(super) fn scored(
    pairs: &[[usize; 2]],
    n_blocks: usize,
    score: impl Fn([usize; 2]) -> Result<PairScores> + Sync,
) -> Result<Vec<PairScores>> {
    if pairs.len().saturating_mul(n_blocks) > MAX_SCORES {
        return Err(Error::data(format!(
            "{} of classes are too many to score {} for each",
            counted(pairs.len() as u64, "pair"),
            counted(n_blocks as u64, "block")
        ))
        .with_hint("Join classes, or leave features out."));
    }
    pairs.par_iter().map(|&classes| score(classes)).collect()
}

/// Every two of them, the lower one first.
pub(crate) fn pairs_of(classes: &[usize]) -> Vec<[usize; 2]> {
    let with_later = |(place, &a): (usize, &usize)| {
        let later = classes[place + 1..].iter();
        later.map(move |&b| [a, b]).collect::<Vec<_>>()
    };
    classes.iter().enumerate().flat_map(with_later).collect()
}

#[cfg(test)]
mod tests {
    use super::super::options::BlockSource;
    use super::super::testing::class_of_halves;
    use super::super::{PriorKind, ThresholdRule};
    use super::*;
    use crate::Silent;
    use crate::random::{Purpose, normal, shuffle, stream};

    type Columns = Vec<(String, Vec<f64>)>;

    fn fit(columns: &Columns, class: &Nominal, options: &SeparationOptions) -> Result<BlockFit> {
        let columns: Vec<(&str, &[f64])> = columns
            .iter()
            .map(|(name, numbers)| (name.as_str(), numbers.as_slice()))
            .collect();
        fit_blocks(&columns, class, options, &Silent)
    }

    fn blocks_file(text: &str) -> (tempfile::TempDir, BlockSource) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("blocks.json");
        std::fs::write(&file, text).unwrap();
        (folder, BlockSource::File(file))
    }

    /// Four numbers of 20 rows a class with covariance I to the last digit: the sixteen
    /// combinations of signs and four rows in the middle, times the root of 38 / 32.
    fn worked_example() -> Columns {
        let apart = [1.0, 0.0, 0.2, 0.1];
        let cell = |row: usize, feature: usize| {
            let sign = match row % 20 {
                at @ 0..16 => 1.0 - 2.0 * f64::from((at as u32 >> feature) & 1),
                _ => 0.0,
            };
            let shift = if row < 20 { apart[feature] } else { 0.0 };
            sign * (38.0f64 / 32.0).sqrt() + shift
        };
        let column = |f: usize| (0..40).map(|row| cell(row, f)).collect();
        (0..4).map(|f| (format!("x{f}"), column(f))).collect()
    }

    #[test]
    fn the_worked_example_comes_out_to_the_last_digit() {
        let (_folder, blocks) = blocks_file(r#"[["x0", "x1"], ["x2", "x3"]]"#);
        let options = SeparationOptions {
            blocks,
            correction: Correction::Off,
            ..SeparationOptions::default()
        };
        let fit = fit(&worked_example(), &class_of_halves(40), &options).unwrap();
        let pair = &fit.pairs[0];
        assert_eq!((pair.classes, pair.n_rows), ([0, 1], 10.0));
        let close = |x: f64, y: f64, digits: f64| assert!((x - y).abs() < digits, "{x} {y}");
        let [first, second] = &pair.blocks[..] else {
            panic!("two blocks");
        };
        close(first.distance, 1.0, 1e-14);
        close(first.sample.score, 10.0, 1e-13);
        close(second.distance, 0.05, 1e-14);
        close(first.threshold, 2.896_552, 5e-7);
        assert_eq!((first.is_kept, second.is_kept), (true, false));
        close(pair.all.distance, 0.634_335, 5e-7);
        close(pair.selected.distance, 0.8, 1e-13);
        close(pair.all.risk, 0.375_558, 5e-7);
        close(pair.selected.risk, 0.344_578, 5e-7);
        assert!(fit.warnings.is_empty(), "{:?}", fit.warnings);
        for row in 0..2 {
            let covariance = &fit.blocks[row].covariances[0];
            close(covariance.get(0, 0), 1.0, 1e-14);
            close(covariance.get(0, 1), 0.0, 1e-14);
        }
    }

    /// `n_blocks` groups of three numbers that share a part; the first group tells the class.
    fn grouped_numbers(n_blocks: usize, n_rows: usize, seed: u64) -> Columns {
        let mut rng = stream(seed, Purpose::Generate, 0);
        let mut columns = Vec::new();
        for block in 0..n_blocks {
            let shared: Vec<f64> = (0..n_rows).map(|_| normal(&mut rng)).collect();
            for i in 0..3 {
                let cell = |row: usize, own: f64| {
                    let is_apart = block == 0 && row < n_rows / 2;
                    2.0 * shared[row] + own + if is_apart { 4.0 } else { 0.0 }
                };
                let cells = (0..n_rows).map(|row| cell(row, normal(&mut rng))).collect();
                columns.push((format!("b{block}_{i}"), cells));
            }
        }
        columns
    }

    #[test]
    fn blocks_are_found_and_the_one_that_tells_is_kept() {
        let columns = grouped_numbers(12, 80, 1);
        let options = SeparationOptions {
            block_size: 3,
            ..SeparationOptions::default()
        };
        let fit = fit(&columns, &class_of_halves(80), &options).unwrap();
        let blocks: Vec<&[usize]> = fit.blocks.iter().map(|b| b.features.as_slice()).collect();
        let planted: Vec<Vec<usize>> = (0..12).map(|b| vec![3 * b, 3 * b + 1, 3 * b + 2]).collect();
        assert_eq!(blocks, planted);
        assert!(fit.pairs[0].blocks[0].is_kept);
        assert!(fit.pairs[0].selected.risk < fit.pairs[0].all.risk);
    }

    #[test]
    fn units_and_the_order_of_rows_change_nothing() {
        let columns = grouped_numbers(6, 60, 2);
        let class = class_of_halves(60);
        let scores = |columns: &Columns, class: &Nominal, covariance: Covariance| {
            let options = SeparationOptions {
                covariance,
                threshold: ThresholdRule::Exact,
                weights: Weighting::Optimal,
                prior: PriorKind::Em,
                ..SeparationOptions::default()
            };
            let fit = fit(columns, class, &options).unwrap();
            let blocks = fit.pairs[0].blocks.iter().zip(&fit.blocks);
            blocks
                .map(|(score, block)| {
                    let numbers = [score.sample.score, score.threshold, score.weight];
                    format!("{:?} {:.6?} {}", block.features, numbers, score.is_kept)
                })
                .collect::<Vec<String>>()
        };
        let mut order: Vec<usize> = (0..60).collect();
        shuffle(&mut order, &mut stream(3, Purpose::Generate, 1));
        let moved = |numbers: &[f64]| {
            order
                .iter()
                .map(|&row| numbers[row] * 250.0 - 1e4)
                .collect()
        };
        let other: Columns = columns.iter().map(|(n, c)| (n.clone(), moved(c))).collect();
        let labels = class.domain.labels();
        let moved_class = Nominal::from_labels(
            order
                .iter()
                .map(|&row| Some(labels[class.codes.get(row).unwrap() as usize].as_str())),
        );
        for covariance in [Covariance::Common, Covariance::Own] {
            let expected = scores(&columns, &class, covariance);
            assert_eq!(scores(&other, &moved_class, covariance), expected);
        }
    }

    #[test]
    fn hardly_any_rows_make_small_blocks_and_a_warning() {
        let mut columns = grouped_numbers(4, 4, 3);
        columns.push(("same".into(), vec![1.0; 4]));
        for covariance in [Covariance::Common, Covariance::Own] {
            let options = SeparationOptions {
                covariance,
                ..SeparationOptions::default()
            };
            let fit = fit(&columns, &class_of_halves(4), &options).unwrap();
            assert!(fit.blocks.iter().all(|block| block.features.len() == 1));
            assert!(
                fit.warnings[0].contains("1 feature at most"),
                "{:?}",
                fit.warnings
            );
            assert!(
                fit.pairs[0]
                    .blocks
                    .iter()
                    .all(|block| block.sample.score.is_finite())
            );
        }
    }

    #[test]
    fn a_wide_block_that_is_given_is_taken_with_a_warning() {
        let columns = grouped_numbers(4, 8, 4);
        let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
        let (_folder, blocks) = blocks_file(&serde_json::json!([names]).to_string());
        let options = SeparationOptions {
            blocks,
            ..SeparationOptions::default()
        };
        let fit = fit(&columns, &class_of_halves(8), &options).unwrap();
        assert_eq!(fit.blocks.len(), 1);
        assert!(
            fit.warnings
                .iter()
                .any(|warning| warning.contains("singular"))
        );
        assert!(fit.warnings[0].contains("singular"), "{:?}", fit.warnings);
        let warning = &fit.warnings[1];
        assert!(
            warning.contains("1 block with too many features"),
            "{warning}"
        );
    }

    #[test]
    fn many_rows_of_one_class_only_are_refused() {
        let class = Nominal::from_labels((0..8).map(|_| Some("a")));
        let error = fit(
            &grouped_numbers(1, 8, 5),
            &class,
            &SeparationOptions::default(),
        );
        assert!(error.unwrap_err().to_string().contains("one class"));
    }

    #[test]
    fn the_quantile_of_the_test_is_that_of_the_tables() {
        let statistic = |level, freedom| least_statistic(level, freedom).unwrap();
        assert!((statistic(0.05, 1.0) - 3.841_458_820_694_124).abs() < 1e-9);
        assert!((statistic(0.01, 1000.0) - 1_106.969).abs() < 1e-3);
        assert_eq!(statistic(0.0, 1.0), f64::INFINITY);
        assert!(statistic(1.0, 1.0) < 1e-9);
    }
}
