//! As many candidates as were asked for: numbers that no supervised cut point divides take part by
//! equal-frequency bins, and duplicates as well where even those are too few.

use super::candidates::Candidates;
use super::options::SelectOptions;
use super::reason::Reason;
use super::source::SelectionSource;
use crate::Result;
use crate::data::{CodedTable, Discretizer, Feature, Training};
use crate::wording::counted;

/// Bins of a number column without a cut point.
const N_BINS: usize = 5;

/// Bins where so many values are equal that the others are in one bin with them.
const FEWEST_BINS: usize = 2;

/// What a run chooses from instead of what it was given, where that is not enough.
pub(super) struct Widened {
    table: Option<CodedTable>,
    options: Option<SelectOptions>,
    n_binned: usize,
    /// Columns that would be needed, but whose rows are elsewhere.
    n_left_out: usize,
}

impl Widened {
    /// # Errors
    /// As [`Candidates::new`].
    ///
    /// # Cost
    /// Nothing where the candidates are enough; else a copy of the codes.
    pub(super) fn new(source: SelectionSource<'_>, options: &SelectOptions) -> Result<Self> {
        let mut widened = Widened {
            table: None,
            options: None,
            n_binned: 0,
            n_left_out: 0,
        };
        if options.n_needed == 0 {
            return Ok(widened);
        }
        let candidates = Candidates::new(source, options)?;
        let mut n_lacking = options.n_needed.saturating_sub(candidates.places.len());
        if n_lacking == 0 {
            return Ok(widened);
        }
        let silent = candidates.silent.iter();
        let uncut: Vec<usize> = silent
            .filter(|(_, reason)| *reason == Reason::Uncut)
            .map(|(place, _)| *place)
            .collect();
        // What is counted elsewhere cannot be binned anew.
        let SelectionSource::Rows(table) = source else {
            widened.n_left_out = uncut.len();
            return Ok(widened);
        };
        if !uncut.is_empty() {
            let mut binned = table.clone();
            for &place in &uncut {
                binned.features[place] = in_bins(table, place)?;
            }
            widened.table = Some(binned);
            widened.n_binned = uncut.len();
            n_lacking = n_lacking.saturating_sub(uncut.len());
        }
        if n_lacking > 0 && options.drops_duplicates {
            let mut options = options.clone();
            options.drops_duplicates = false;
            widened.options = Some(options);
        }
        Ok(widened)
    }

    /// What to choose from, and by what.
    pub(super) fn parts<'a>(
        &'a self,
        source: SelectionSource<'a>,
        options: &'a SelectOptions,
    ) -> (SelectionSource<'a>, &'a SelectOptions) {
        let table = self.table.as_ref().map(SelectionSource::Rows);
        (
            table.unwrap_or(source),
            self.options.as_ref().unwrap_or(options),
        )
    }

    /// How many columns were binned.
    pub(super) fn note(&self) -> Option<String> {
        let n = self.n_binned + self.n_left_out;
        let (have, are) = match n {
            0 => return None,
            1 => ("has", "it is"),
            _ => ("have", "they are"),
        };
        let columns = counted(n as u64, "number column");
        let fate = if self.n_left_out > 0 {
            "left out: other bins need the rows in memory".to_owned()
        } else {
            format!("ranked by {N_BINS} equal-frequency bins")
        };
        Some(format!(
            "{columns} {have} no cut point that tells enough about the class: {are} {fate}"
        ))
    }
}

/// A number column in bins that do not depend on the class; two at least.
fn in_bins(table: &CodedTable, place: usize) -> Result<Feature> {
    let feature = &table.features[place];
    let numbers = feature.column.as_numeric().unwrap_or_default();
    let training = Training {
        class: &table.class.codes,
        n_classes: table.class.n_values(),
        rows: None,
    };
    let mut cuts = Discretizer::Frequency(N_BINS).fit(numbers, &training)?;
    if cuts.n_bins() < FEWEST_BINS {
        cuts = Discretizer::Width(FEWEST_BINS).fit(numbers, &training)?;
    }
    Ok(Feature {
        column: feature.column.clone(),
        recoded: Some(cuts.apply(numbers)),
        cuts: Some(cuts),
    })
}
