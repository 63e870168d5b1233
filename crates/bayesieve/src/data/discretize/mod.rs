//! Numeric columns into bins: cut points learned on some rows, applied to any.

mod counted;
mod cuts;
mod equal;
mod mdlp;
mod sorted;

use std::fmt;
use std::str::FromStr;

use rayon::prelude::*;

pub(crate) use counted::{CountedNumbers, Span};
pub use cuts::CutPoints;
pub(crate) use cuts::between;
pub(crate) use sorted::{number_of_key, order_key};

use super::names::any_of;
use super::{Codes, Column};
use crate::math::NLogN;
use crate::setting::{Setting, SettingKind};
use crate::{Error, Observer, Result, Silent, check, quoted};

/// The largest number of bins that can be asked for: what fits a byte of codes.
const MAX_BINS: usize = 255;

/// Rows that are worked on between two looks whether the run is cancelled: about a millisecond.
const ROWS_PER_LOOK: usize = 1 << 16;

/// How cut points are found.
///
/// | written | cuts |
/// |---|---|
/// | `mdlp` | where they tell more about the class than they cost to describe (Fayyad and Irani, 1993); none if nothing pays |
/// | `width:K` | K bins of equal width between the smallest and the largest training number |
/// | `frequency:K` | at most K bins with nearly equally many training rows; equal numbers stay together |
/// | `none` | numbers stay numbers |
///
/// K is from 1 to 255.
///
/// # Example
/// ```
/// use bayesieve::data::{Codes, Discretizer, Training};
///
/// let values: Vec<f64> = (1..=36).map(f64::from).collect();
/// let class = Codes::new(2, (0..36).map(|i| Some(u32::from((12..24).contains(&i)))));
/// let training = Training { class: &class, n_classes: 2, rows: None };
///
/// let discretizer: Discretizer = "mdlp".parse()?;
/// assert_eq!(discretizer.fit(&values, &training)?.as_slice(), [12.5, 24.5]);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Discretizer {
    /// Cuts that pay for themselves in bits about the class.
    #[default]
    Mdlp,
    /// This many bins of equal width.
    Width(usize),
    /// At most this many bins with nearly equally many rows.
    Frequency(usize),
    /// No bins.
    None,
}

/// What a way to find cut points is: one text for help, lists and errors.
#[derive(Debug, Clone, Copy)]
pub struct DiscretizerDescription {
    /// How it is written, without its number of bins.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// What it computes, as plain text.
    pub formula: &'static str,
    /// Where it comes from; empty where it is common knowledge.
    pub source: &'static str,
    /// Its settings: the number of bins K behind a colon, or none.
    pub settings: &'static [Setting],
    /// The way with so many bins, where it takes a number.
    with_bins: fn(usize) -> Discretizer,
}

impl DiscretizerDescription {
    /// How it is written, with K for the number of bins.
    pub fn form(&self) -> String {
        let settings = self
            .settings
            .iter()
            .map(|setting| format!(":{}", setting.name));
        std::iter::once(self.name.to_owned())
            .chain(settings)
            .collect()
    }
}

/// The ways to find cut points; the first is the default.
pub static DISCRETIZERS: [&DiscretizerDescription; 4] =
    [&mdlp::DESCRIPTION, &equal::WIDTH, &equal::FREQUENCY, &NONE];

static NONE: DiscretizerDescription = DiscretizerDescription {
    name: "none",
    summary: "numbers stay numbers",
    formula: "",
    source: "",
    settings: &[],
    with_bins: |_| Discretizer::None,
};

/// The number of bins.
const BINS: Setting = Setting {
    name: "K",
    default: "must be given",
    kind: SettingKind::Integer {
        min: 1,
        max: MAX_BINS as u64,
    },
    meaning: "number of bins",
};

/// What cut points are learned from.
#[derive(Debug, Clone, Copy)]
pub struct Training<'a> {
    /// The class of every row of the column; only [`Discretizer::Mdlp`] looks at it, and
    /// passes over rows without one.
    pub class: &'a Codes,
    /// Number of classes; every class code is below it.
    pub n_classes: usize,
    /// The rows to learn from, `None` for all.
    pub rows: Option<&'a [u32]>,
}

impl Discretizer {
    /// What it is.
    pub fn description(self) -> &'static DiscretizerDescription {
        match self {
            Discretizer::Mdlp => &mdlp::DESCRIPTION,
            Discretizer::Width(_) => &equal::WIDTH,
            Discretizer::Frequency(_) => &equal::FREQUENCY,
            Discretizer::None => &NONE,
        }
    }

    /// Whether cut points depend on the class.
    pub(crate) fn uses_class(self) -> bool {
        match self {
            Discretizer::Mdlp => true,
            Discretizer::Width(_) | Discretizer::Frequency(_) | Discretizer::None => false,
        }
    }

    /// Learns the cut points of a column; missing (NaN) cells are passed over.
    ///
    /// # Errors
    /// [`Discretizer::None`], which has no bins to offer; a number of bins that is not from
    /// 1 to 255; an infinite number.
    ///
    /// # Cost
    /// One sort, O(N log N) at most (`width:K`: one pass); for `mdlp` also one pass over a
    /// part of the rows for every cut that is tried in it.
    pub fn fit(self, values: &[f64], training: &Training) -> Result<CutPoints> {
        Fit::new(self, training).cut_points(values, &mut Workspace::default(), &Silent)
    }

    /// Learns the cut points of many columns at once, on all threads.
    ///
    /// # Errors
    /// Those of [`Discretizer::fit`], with the name of the first such column; a column that
    /// is not numeric; or the observer cancelled.
    pub fn fit_columns(
        self,
        columns: &[&Column],
        training: &Training,
        observer: &dyn Observer,
    ) -> Result<Vec<CutPoints>> {
        let fit = Fit::new(self, training);
        let fitted: Vec<Result<CutPoints>> = columns
            .par_iter()
            .map_init(Workspace::default, |workspace, column| {
                check(observer)?;
                column
                    .as_numeric()
                    .ok_or_else(|| Error::internal("bins are for numeric columns"))
                    .and_then(|values| fit.cut_points(values, workspace, observer))
                    .map_err(|error| error.in_column(column.name()))
            })
            .collect();
        // In column order, so that the error does not depend on the threads.
        fitted.into_iter().collect()
    }
}

/// What the columns of one training share.
struct Fit<'a> {
    discretizer: Discretizer,
    training: &'a Training<'a>,
    /// Empty where the class does not matter.
    table: NLogN,
}

impl<'a> Fit<'a> {
    fn new(discretizer: Discretizer, training: &'a Training<'a>) -> Self {
        let n_looked_up = if discretizer.uses_class() {
            training.n_rows()
        } else {
            0
        };
        Fit {
            discretizer,
            training,
            table: NLogN::new(n_looked_up),
        }
    }

    fn cut_points(
        &self,
        values: &[f64],
        workspace: &mut Workspace,
        observer: &dyn Observer,
    ) -> Result<CutPoints> {
        let training = self.training;
        training.check(values)?;
        let Workspace { sorter, runs } = workspace;
        let cuts = match self.discretizer {
            Discretizer::Mdlp => {
                let observations = sorter.observations(values, training, true, observer)?;
                mdlp::find_runs(observations, training.n_classes, runs);
                let rows = mdlp::cut_rows(runs, training.n_classes, &self.table, observer)?;
                cuts_at(observations, &rows)
            }
            Discretizer::Width(n_bins) => {
                check_bins(n_bins)?;
                let (low, high) = training.range(values)?;
                equal::width_cuts(low, high, n_bins)
            }
            Discretizer::Frequency(n_bins) => {
                check_bins(n_bins)?;
                let observations = sorter.observations(values, training, false, observer)?;
                let rows = equal::frequency_rows(&equal::rows_up_to(observations), n_bins);
                cuts_at(observations, &rows)
            }
            Discretizer::None => return Err(no_bins()),
        };
        CutPoints::new(cuts)
    }
}

/// The cuts that have so many of the sorted rows on their left.
fn cuts_at(observations: &[sorted::Observation], rows: &[u64]) -> Vec<f64> {
    let cut = |&row: &u64| {
        let row = row as usize;
        between(observations[row - 1].value(), observations[row].value())
    };
    rows.iter().map(cut).collect()
}

fn no_bins() -> Error {
    Error::usage("numeric columns need bins here, and \"none\" makes none")
        .with_hint("Choose mdlp, width:K or frequency:K.")
}

/// Memory that one thread uses for column after column.
#[derive(Debug, Default)]
struct Workspace {
    sorter: sorted::Sorter,
    runs: Vec<mdlp::Run>,
}

impl Training<'_> {
    fn n_rows(&self) -> usize {
        self.rows.map_or(self.class.len(), <[u32]>::len)
    }

    /// The rows to learn from.
    fn row_numbers(&self) -> impl Iterator<Item = usize> {
        (0..self.n_rows()).map(|i| self.rows.map_or(i, |rows| rows[i] as usize))
    }

    /// Whether column, class and rows belong together.
    fn check(&self, values: &[f64]) -> Result<()> {
        let n_rows = self.class.len();
        if values.len() != n_rows {
            return Err(Error::internal(format!(
                "{} numbers, but {n_rows} rows have a class",
                values.len()
            )));
        }
        let rows = self.rows.unwrap_or_default();
        if let Some(row) = rows.iter().find(|&&row| row as usize >= n_rows) {
            return Err(Error::internal(format!("row {row} of {n_rows} rows")));
        }
        if u32::try_from(self.n_rows()).is_err() {
            return Err(Error::data(format!(
                "{} rows are too many to learn bins from: at most {}",
                self.n_rows(),
                u32::MAX
            )));
        }
        Ok(())
    }

    /// The smallest and the largest number; the wrong way round where there is none.
    fn range(&self, values: &[f64]) -> Result<(f64, f64)> {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for row in self.row_numbers() {
            let x = sorted::checked(values[row])?;
            low = low.min(x);
            high = high.max(x);
        }
        Ok((low, high))
    }
}

impl FromStr for Discretizer {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (way, n_bins) = match text.split_once(':') {
            Some((way, n_bins)) => (way, Some(n_bins)),
            None => (text, None),
        };
        let way = DISCRETIZERS.iter().find(|known| known.name == way);
        match (way, n_bins) {
            (Some(way), None) if way.settings.is_empty() => Ok((way.with_bins)(0)),
            (Some(way), None) => Err(Error::usage(format!(
                "{0} needs a number of bins, as in {0}:10",
                way.name
            ))),
            (Some(way), Some(n_bins)) if !way.settings.is_empty() => {
                let n_bins = n_bins.parse().map_err(|_| wrong_bins(&quoted(n_bins)))?;
                check_bins(n_bins)?;
                Ok((way.with_bins)(n_bins))
            }
            _ => {
                let error = format!("{} is no way to bin numbers", quoted(text));
                let forms = DISCRETIZERS.map(DiscretizerDescription::form);
                let forms = any_of(&forms.each_ref().map(String::as_str));
                let hint = format!("Choose {forms}; K is from 1 to {MAX_BINS}.");
                Err(Error::usage(error).with_hint(hint))
            }
        }
    }
}

impl fmt::Display for Discretizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.description().name;
        match self {
            Discretizer::Mdlp | Discretizer::None => f.write_str(name),
            Discretizer::Width(n_bins) | Discretizer::Frequency(n_bins) => {
                write!(f, "{name}:{n_bins}")
            }
        }
    }
}

fn check_bins(n_bins: usize) -> Result<()> {
    if !(1..=MAX_BINS).contains(&n_bins) {
        return Err(wrong_bins(&n_bins.to_string()));
    }
    Ok(())
}

fn wrong_bins(given: &str) -> Error {
    Error::usage(format!(
        "the number of bins is a whole number from 1 to {MAX_BINS}, not {given}"
    ))
}

#[cfg(test)]
mod tests;
