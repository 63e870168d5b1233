//! The distinct values of a column of numbers.
//!
//! Where the least and the greatest are near to each other, a table over all numbers between
//! them finds a value by one subtraction; where they are apart, a hash does.

use std::ops::ControlFlow;

use arrow_array::ArrowPrimitiveType;

use super::numbers::{Cells, Narrow, Number};
use crate::data::read::coded::MOST_NOMINAL_INTEGERS;
use crate::data::read::dictionary::Slots;

/// Most entries of a table over a range.
const MOST_ENTRIES: usize = 1 << 16;

/// Which columns are nominal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// All.
    All,
    /// Those of few values, all of them whole.
    FewWhole,
}

impl Rule {
    fn most(self) -> usize {
        match self {
            Rule::All => usize::MAX,
            Rule::FewWhole => MOST_NOMINAL_INTEGERS,
        }
    }
}

/// Distinct numbers.
pub(super) enum Distinct<N> {
    /// Whole numbers near to each other: which of them occur, from the least on.
    Near { least: N, is_present: Vec<bool> },
    /// Any numbers in order of first sight, and their places by their bits.
    Apart { values: Vec<N>, places: Slots },
}

impl<N: Number> Distinct<N> {
    /// The numbers of a column, missing ones left out; `None` as soon as the rule is broken.
    pub(super) fn of<T>(cells: &Cells<'_, T>, rule: Rule) -> Option<Self>
    where
        T: ArrowPrimitiveType,
        T::Native: Narrow<Wide = N>,
    {
        let range = Range::of(cells);
        if rule == Rule::FewWhole && !range.is_whole {
            return None;
        }
        match range.n_entries() {
            Some(n) => Distinct::near(cells, range.least, (n, rule.most())),
            None => Distinct::apart(cells, rule.most()),
        }
    }

    fn near<T>(cells: &Cells<'_, T>, least: N, (n_entries, most): (usize, usize)) -> Option<Self>
    where
        T: ArrowPrimitiveType,
        T::Native: Narrow<Wide = N>,
    {
        let mut is_present = vec![false; n_entries];
        let mut n_present = 0;
        let stop = n_entries.min(most.saturating_add(1));
        let _ = cells.visit(|run| {
            for x in run.iter().map(|x| x.widen()).filter(|x| !x.is_missing()) {
                if let Some(is_present) = is_present.get_mut(x.steps_from(least))
                    && !*is_present
                {
                    *is_present = true;
                    n_present += 1;
                }
            }
            stop_if(n_present >= stop)
        });
        (n_present <= most).then_some(Distinct::Near { least, is_present })
    }

    fn apart<T>(cells: &Cells<'_, T>, most: usize) -> Option<Self>
    where
        T: ArrowPrimitiveType,
        T::Native: Narrow<Wide = N>,
    {
        let mut values = Vec::new();
        let mut places = Slots::default();
        let _ = cells.visit(|run| {
            for x in run.iter().map(|x| x.widen()).filter(|x| !x.is_missing()) {
                if places.find(x.bits()).is_none() {
                    places.insert(x.bits(), values.len() as u32);
                    values.push(x);
                }
            }
            stop_if(values.len() > most)
        });
        (values.len() <= most).then_some(Distinct::Apart { values, places })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.values().next().is_none()
    }

    /// The numbers; [`Distinct::table`] takes their codes in this order.
    pub(super) fn values(&self) -> impl Iterator<Item = N> + '_ {
        let (near, apart) = match self {
            Distinct::Near { least, is_present } => {
                let steps = (0..is_present.len()).filter(|&step| is_present[step]);
                (Some(steps.map(|step| least.after(step))), None)
            }
            Distinct::Apart { values, .. } => (None, Some(values.iter().copied())),
        };
        near.into_iter()
            .flatten()
            .chain(apart.into_iter().flatten())
    }

    /// The codes by the step from the least, or by the place.
    pub(super) fn table(&self, codes: &[u32]) -> Vec<Option<u32>> {
        match self {
            Distinct::Near { is_present, .. } => {
                let mut codes = codes.iter().copied();
                let code = |&is_present: &bool| is_present.then(|| codes.next()).flatten();
                is_present.iter().map(code).collect()
            }
            Distinct::Apart { .. } => codes.iter().copied().map(Some).collect(),
        }
    }
}

fn stop_if(condition: bool) -> ControlFlow<()> {
    if condition {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}

/// The least and the greatest number of a column.
struct Range<N> {
    least: N,
    greatest: N,
    /// Whether all numbers are whole; if not, the rest counts for the cells before the end
    /// of the search only.
    is_whole: bool,
}

impl<N: Number> Range<N> {
    fn of<T>(cells: &Cells<'_, T>) -> Self
    where
        T: ArrowPrimitiveType,
        T::Native: Narrow<Wide = N>,
    {
        let mut range = Range {
            least: N::GREATEST,
            greatest: N::LEAST,
            is_whole: true,
        };
        let _ = cells.visit(|run| {
            for x in run.iter().map(|x| x.widen()) {
                range.least = range.least.lesser(x);
                range.greatest = range.greatest.greater(x);
                range.is_whole &= x.is_whole() || x.is_missing();
            }
            stop_if(!range.is_whole)
        });
        range
    }

    /// How many numbers there are from the least to the greatest, if few enough for a table.
    fn n_entries(&self) -> Option<usize> {
        let is_empty = self.least.lesser(self.greatest) != self.least;
        if !self.is_whole || is_empty {
            return None;
        }
        let n = self.greatest.steps_from(self.least).checked_add(1)?;
        (n <= MOST_ENTRIES).then_some(n)
    }
}
