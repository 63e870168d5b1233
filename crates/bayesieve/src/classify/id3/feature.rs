//! A feature at a node: what it is worth and where its rows go.

use super::Id3Cuts;
use super::bitmaps::{Bitmaps, NodeMaps};
use super::cut::{Ranked, Sorted};
use super::split::Worth;
use super::tally::{Cell, Size, Tally};
use crate::data::{Code, Codes, Column, Nominal, Values};
use crate::math::NLogN;
use crate::{Error, Result, with_codes};

/// The cells of a feature.
pub(super) enum Feature<'a> {
    Nominal {
        codes: &'a Codes,
        n_values: usize,
        bitmaps: Bitmaps,
    },
    Numeric(&'a [f64]),
}

/// The rows of a node as a feature sees them.
#[derive(Clone, Copy)]
pub(super) struct NodeRows<'a> {
    /// In row order.
    pub(super) rows: &'a [u32],
    /// In order of a numeric feature, those without a number last; empty for a nominal one.
    pub(super) sorted: &'a [Ranked],
    /// Classes by row.
    pub(super) classes: &'a [u32],
    pub(super) n_classes: usize,
    /// What makes a cut of numbers the best.
    pub(super) cuts: Id3Cuts,
    /// The rows by class, where that is worth it.
    pub(super) maps: Option<&'a NodeMaps>,
}

/// A way to divide rows by a feature.
#[derive(Debug, Clone, Copy)]
pub(super) struct Division {
    pub(super) worth: Worth,
    /// Where it is cut; not looked at in a nominal feature.
    pub(super) cut: f64,
}

impl<'a> Feature<'a> {
    /// Checks a column against the class.
    pub(super) fn new(column: &'a Column, class: &Nominal) -> Result<Self> {
        let n_rows = class.codes.len();
        if column.len() != n_rows {
            return Err(Error::internal(format!(
                "{} rows in a column, {n_rows} in the class",
                column.len()
            ))
            .in_column(column.name()));
        }
        match column.values() {
            Values::Nominal(nominal) => Ok(Feature::Nominal {
                codes: &nominal.codes,
                n_values: nominal.n_values(),
                bitmaps: Bitmaps::new(&nominal.codes, nominal.n_values(), class.n_values()),
            }),
            Values::Numeric(values) if values.iter().any(|x| x.is_infinite()) => {
                Err(Error::data("an infinite number cannot be cut from others")
                    .in_column(column.name())
                    .with_hint("Leave the cell empty, or cap it at a finite number."))
            }
            Values::Numeric(values) => Ok(Feature::Numeric(values)),
        }
    }

    /// The best way to divide the rows, `None` where all present cells are equal.
    pub(super) fn divide(
        &self,
        at: NodeRows<'_>,
        n_log_n: &NLogN,
        tally: &mut Tally,
    ) -> Option<Division> {
        match self {
            Feature::Nominal { .. } => {
                let cells = self.count(at, f64::NAN, tally);
                let (first, last) = (cells.first()?, cells.last()?);
                (first.value != last.value).then(|| Division {
                    worth: Worth::of(cells, at.n_classes, n_log_n),
                    cut: f64::NAN,
                })
            }
            Feature::Numeric(numbers) => {
                let is_present = |ranked: &Ranked| ranked.rank != Ranked::MISSING;
                let n_present = at.sorted.partition_point(is_present);
                let sorted = Sorted {
                    numbers,
                    classes: at.classes,
                    rows: &at.sorted[..n_present],
                };
                let best = sorted.best_cut(at.n_classes, at.cuts, n_log_n)?;
                Some(Division {
                    worth: best.worth,
                    cut: best.at,
                })
            }
        }
    }

    /// Rows by value and class; the values of a numeric feature are 0 up to the cut and 1
    /// above. Rows without a value are not counted.
    pub(super) fn count<'t>(&self, at: NodeRows<'_>, cut: f64, tally: &'t mut Tally) -> &'t [Cell] {
        let class = |row: u32| at.classes[row as usize];
        let size = |n_values| Size {
            n_values,
            n_classes: at.n_classes,
            n_rows: at.rows.len(),
        };
        match self {
            Feature::Nominal { bitmaps, .. }
                if at
                    .maps
                    .is_some_and(|node| bitmaps.count(node, &mut tally.cells)) =>
            {
                &tally.cells
            }
            Feature::Nominal {
                codes, n_values, ..
            } => with_codes!(*codes, cells => {
                let pairs = at.rows.iter().filter_map(|&row| {
                    let value = cells[row as usize].index();
                    (value < *n_values).then(|| (value as u32, class(row)))
                });
                tally.count(pairs, size(*n_values))
            }),
            Feature::Numeric(numbers) => {
                let pairs = at.rows.iter().filter_map(|&row| {
                    let side = side(numbers[row as usize], cut)?;
                    Some((side, class(row)))
                });
                tally.count(pairs, size(2))
            }
        }
    }

    /// The value of a row as [`Feature::count`] has it, `None` where it is missing.
    #[inline]
    pub(super) fn value(&self, row: u32, cut: f64) -> Option<u32> {
        match self {
            Feature::Nominal {
                codes, n_values, ..
            } => {
                let code = codes.get(row as usize);
                code.filter(|&code| (code as usize) < *n_values)
            }
            Feature::Numeric(numbers) => side(numbers[row as usize], cut),
        }
    }

    /// Number of values that [`Feature::value`] can have.
    pub(super) fn n_values(&self) -> usize {
        match self {
            Feature::Nominal { n_values, .. } => *n_values,
            Feature::Numeric(_) => 2,
        }
    }
}

/// 0 up to the cut, 1 above, `None` where there is no number.
#[inline]
fn side(x: f64, cut: f64) -> Option<u32> {
    (!x.is_nan()).then(|| u32::from(x > cut))
}
