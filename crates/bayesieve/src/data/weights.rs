//! Weights of rows: every row is taken as often as its weight says.
//!
//! Counts are whole numbers, and so are weights: repeating a row is exact for every method, model,
//! fold and measure, because none of them can tell a weight from repeated rows. A fraction of a
//! row cannot be repeated, and scaling all weights until they are whole would change the number of
//! rows that description lengths and tests go by, so that is left to the user.

use std::borrow::Cow;

use super::{Column, Table, Values, format_number, parse_number};
use crate::wording::{counted, grouped};
use crate::{Error, Result, quoted};

/// Rows that a table in memory may have once they are repeated.
pub(crate) const MAX_WEIGHTED_ROWS: u64 = 100_000_000;

/// Factors that are tried to make fractions whole, for the advice in a message.
const MAX_FACTOR: u32 = 1_000;

/// A weight this near to a whole number, relative to its size, is that number.
const ROUNDING: f64 = 1e-9;

/// The way out of large weights.
const DIVIDE: &str = "Divide all weights by one number and round them.";

/// How often every row is taken.
///
/// # Example
/// ```
/// use bayesieve::data::RowWeights;
///
/// let weights = RowWeights::new(&[2.0, 0.0, 1.0])?;
/// assert_eq!(weights.n_units(), 3);
/// assert_eq!(weights.rows(), [0, 0, 2]);
/// assert!(RowWeights::new(&[0.5, 1.0]).is_err()); // no row can be taken half
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowWeights {
    times: Vec<u32>,
    n_units: u64,
}

impl RowWeights {
    /// Checks one weight per row.
    ///
    /// # Errors
    /// A weight that is missing, negative, infinite or a fraction, weights that are all 0, or a
    /// sum above 100,000,000.
    pub fn new(weights: &[f64]) -> Result<Self> {
        let checked = RowWeights::of_block(weights).map_err(|error| error.behind_rows(0))?;
        if checked.n_units == 0 {
            return Err(Error::data("all weights are zero, so that no row is left")
                .with_hint("Give at least one row a weight of 1 or more."));
        }
        if checked.n_units > MAX_WEIGHTED_ROWS {
            return Err(Error::data(format!(
                "the weights sum to {}: {}",
                grouped(checked.n_units),
                too_many()
            ))
            .with_hint(DIVIDE));
        }
        Ok(checked)
    }

    /// As [`RowWeights::new`] for some of the rows, which may all weigh 0.
    pub(super) fn of_block(weights: &[f64]) -> Result<Self> {
        let check = |(row, &weight): (usize, &f64)| match whole(weight) {
            Some(times) => Ok(times),
            None => Err(refused(row, weight, weights)),
        };
        let times: Vec<u32> = weights
            .iter()
            .enumerate()
            .map(check)
            .collect::<Result<_>>()?;
        Ok(RowWeights {
            n_units: times.iter().map(|&times| u64::from(times)).sum(),
            times,
        })
    }

    /// Checks the weights in a column: numbers, or labels that are numbers.
    ///
    /// # Errors
    /// As [`RowWeights::new`], and text; all name the column.
    pub fn of_column(column: &Column) -> Result<Self> {
        let checked = numbers(column).and_then(|weights| RowWeights::new(&weights));
        checked.map_err(|error| error.in_column(column.name()))
    }

    /// As [`RowWeights::of_column`] for some of the rows, which may all weigh 0.
    pub(super) fn of_block_column(column: &Column) -> Result<Self> {
        let checked = numbers(column).and_then(|weights| RowWeights::of_block(&weights));
        checked.map_err(|error| error.in_column(column.name()))
    }

    /// The sum of all weights: the number of rows that count.
    pub fn n_units(&self) -> u64 {
        self.n_units
    }

    /// Number of rows that have a weight.
    pub fn n_rows(&self) -> usize {
        self.times.len()
    }

    /// The rows, rising, each as often as its weight says.
    pub fn rows(&self) -> Vec<u32> {
        self.each_row().collect()
    }

    /// The same, one after the other.
    pub(super) fn each_row(&self) -> impl Iterator<Item = u32> {
        let rows = (0..).zip(&self.times);
        rows.flat_map(|(row, &times)| std::iter::repeat_n(row, times as usize))
    }

    /// Whether some row has weight 0.
    pub(super) fn drops_rows(&self) -> bool {
        self.times.contains(&0)
    }

    /// A table of these rows with every row as often as its weight says. Labels that only rows
    /// of weight 0 have are gone, as if these rows had never been there.
    ///
    /// # Errors
    /// A table of another number of rows.
    pub fn repeat(&self, table: &Table) -> Result<Table> {
        if table.n_rows() != self.n_rows() {
            let (weights, rows) = (self.n_rows() as u64, table.n_rows() as u64);
            return Err(Error::data(format!(
                "{} for {}",
                counted(weights, "weight"),
                counted(rows, "row")
            ))
            .with_hint("Give one weight per row."));
        }
        if self.times.iter().all(|&times| times == 1) {
            return Ok(table.clone());
        }
        let repeated = table.take_rows(&self.rows());
        Ok(if self.drops_rows() {
            repeated.with_labels_present()
        } else {
            repeated
        })
    }

    /// What the reader should know: how many rows count as how many.
    pub fn note(&self, name: &str) -> String {
        let dropped = match self.n_dropped() {
            0 => String::new(),
            n_dropped => format!("; {} of weight 0 left out", counted(n_dropped, "row")),
        };
        format!(
            "rows count by their weight {}: {} as {}{dropped}",
            quoted(name),
            counted(self.n_rows() as u64, "row"),
            grouped(self.n_units)
        )
    }

    /// Rows of weight 0.
    fn n_dropped(&self) -> u64 {
        self.times.iter().filter(|&&times| times == 0).count() as u64
    }
}

/// A weight as a number of rows.
fn whole(weight: f64) -> Option<u32> {
    let rounded = weight.round();
    let is_whole = (weight - rounded).abs() <= ROUNDING * weight.abs();
    // False for NaN, and for infinite numbers.
    let is_in_range = (0.0..=MAX_WEIGHTED_ROWS as f64).contains(&rounded);
    // A negative zero is 0, and nothing else below 0 rounds to it.
    (is_whole && is_in_range).then_some(rounded as u32)
}

/// The error of a weight that is none.
fn refused(row: usize, weight: f64, weights: &[f64]) -> Error {
    let number = format_number(weight);
    let expected = "expected a whole number, 0 or more";
    let (message, hint) = if weight.is_nan() {
        (
            format!("the weight is missing: {expected}"),
            "Fill it in; a weight of 0 leaves the row out.".to_owned(),
        )
    } else if weight < 0.0 || weight.is_infinite() {
        (
            format!("the weight is {number}: {expected}"),
            "A weight says how many rows a row stands for.".to_owned(),
        )
    } else if weight > MAX_WEIGHTED_ROWS as f64 {
        (
            format!("the weight is {number}: {}", too_many()),
            DIVIDE.to_owned(),
        )
    } else {
        let hint = match whole_factor(weights) {
            Some(factor) => format!(
                "Round all weights, or multiply them by {factor}: then they are whole, and \
                 description lengths and tests go by {factor} times as many rows."
            ),
            None => "Round all weights, or scale them before.".to_owned(),
        };
        (
            format!("the weight is the fraction {number}: {expected}"),
            hint,
        )
    };
    let error = Error::data(message).with_hint(hint);
    error.at_row_of_part(row as u64)
}

/// Why a large weight cannot be.
fn too_many() -> String {
    format!(
        "rows are repeated by their weights, up to {} rows",
        grouped(MAX_WEIGHTED_ROWS)
    )
}

/// The smallest factor that makes all weights whole, if a small one does.
fn whole_factor(weights: &[f64]) -> Option<u32> {
    (2..=MAX_FACTOR).find(|&factor| {
        let mut scaled = weights.iter().map(|weight| weight * f64::from(factor));
        scaled.all(|weight| whole(weight).is_some())
    })
}

/// The numbers of a column of weights.
fn numbers(column: &Column) -> Result<Cow<'_, [f64]>> {
    let nominal = match column.values() {
        Values::Numeric(numbers) => return Ok(Cow::Borrowed(numbers)),
        Values::Nominal(nominal) => nominal,
    };
    let label = |label: &String| {
        parse_number(label).ok_or_else(|| {
            Error::data(format!("a weight is {}, no number", quoted(label)))
                .with_hint("Name a column of whole numbers as the weight.")
        })
    };
    let labels = nominal.domain.labels().iter().map(label);
    let labels: Vec<f64> = labels.collect::<Result<_>>()?;
    let number = |row| {
        let code = nominal.codes.get(row);
        code.and_then(|code| labels.get(code as usize))
            .copied()
            .unwrap_or(f64::NAN)
    };
    Ok((0..nominal.codes.len()).map(number).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::data::{KindOrigin, Nominal};

    fn error(weights: &[f64]) -> String {
        let error = RowWeights::new(weights).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Data);
        error.to_string()
    }

    #[test]
    fn rows_are_taken_as_often_as_they_weigh() {
        let weights = RowWeights::new(&[3.0, 1.0 + 1e-12, 0.0, -0.0, 2.0]).unwrap();
        assert_eq!(weights.n_units(), 6);
        assert_eq!(weights.rows(), [0, 0, 0, 1, 4, 4]);
        assert_eq!(
            weights.note("w"),
            "rows count by their weight \"w\": 5 rows as 6; 2 rows of weight 0 left out"
        );
    }

    #[test]
    fn labels_of_rows_that_are_left_out_are_gone() {
        let labels = Nominal::from_labels([Some("a"), Some("b"), Some("c")]);
        let column = Column::new("x", Values::Nominal(labels), KindOrigin::Text);
        let table = Table::new(vec![column]).unwrap();
        let repeated = RowWeights::new(&[2.0, 0.0, 1.0]).unwrap().repeat(&table);
        let repeated = repeated.unwrap();
        let nominal = repeated.columns()[0].as_nominal().unwrap();
        assert_eq!(nominal.domain.labels(), ["a", "c"]);
        let codes: Vec<_> = (0..3).map(|row| nominal.codes.get(row)).collect();
        assert_eq!(codes, [Some(0), Some(0), Some(1)]);
        let few = RowWeights::new(&[1.0]).unwrap().repeat(&table);
        assert!(few.unwrap_err().to_string().contains("1 weight for 3 rows"));
    }

    #[test]
    fn a_weight_is_a_whole_number_of_rows() {
        let cases = [
            (vec![1.0, f64::NAN], "row 2: the weight is missing"),
            (vec![-1.0], "row 1: the weight is -1"),
            (vec![1.0, f64::INFINITY], "row 2: the weight is inf"),
            (vec![0.0, 0.0], "all weights are zero"),
            (vec![1e9], "up to 100,000,000 rows"),
            (vec![6e7, 6e7], "sum to 120,000,000"),
        ];
        for (weights, part) in cases {
            let text = error(&weights);
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn fractions_are_refused_with_the_factor_that_makes_them_whole() {
        // 1/4, 1/2 and 3 are 1, 2 and 12 quarters.
        let text = error(&[0.25, 0.5, 3.0]);
        assert!(
            text.contains("row 1: the weight is the fraction 0.25"),
            "{text}"
        );
        assert!(text.contains("multiply them by 4:"), "{text}");
        let thirds = error(&[1.0 / 3.0, 2.0 / 3.0]);
        assert!(thirds.contains("multiply them by 3:"), "{thirds}");
        let none = error(&[std::f64::consts::PI]);
        assert!(!none.contains("multiply"), "{none}");
    }

    #[test]
    fn labels_that_are_numbers_are_weights() {
        let column = |labels: [Option<&str>; 3]| {
            let values = Values::Nominal(Nominal::from_labels(labels));
            Column::new("w", values, KindOrigin::FewIntegers)
        };
        let weights = RowWeights::of_column(&column([Some("2"), Some("0"), Some("1")]));
        assert_eq!(weights.unwrap().rows(), [0, 0, 2]);
        let text = RowWeights::of_column(&column([Some("2"), Some("many"), None]));
        let text = text.unwrap_err().to_string();
        assert!(
            text.contains("\"w\"") && text.contains("\"many\""),
            "{text}"
        );
        let missing = RowWeights::of_column(&column([Some("2"), None, Some("1")]));
        assert!(missing.unwrap_err().to_string().contains("is missing"));
    }
}
