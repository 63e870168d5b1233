//! The distinct values of a column of numbers.
//!
//! Where all are whole and near to the first, a table over its neighbors finds a value by one
//! subtraction; where they are apart, a hash does.

use std::ops::ControlFlow;

use arrow_array::ArrowPrimitiveType;

use super::numbers::{Cells, Narrow, Number, Wide};
use crate::data::read::coded::MAX_NOMINAL_INTEGERS;
use crate::data::read::dictionary::Slots;

/// How far below the first number a number may be to be near it, and nearly how far above.
const NEAR: usize = 2_048;

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
            Rule::FewWhole => MAX_NOMINAL_INTEGERS,
        }
    }

    fn allows(self, number: impl Number) -> bool {
        self == Rule::All || number.is_whole()
    }
}

/// What came of a search among the neighbors of the first number.
enum Search<N> {
    Found(Distinct<N>),
    /// Some number is not among them.
    Outside,
    /// There are more numbers than the rule allows.
    Broken,
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
        let origin = first(cells).and_then(|first| first.before(NEAR));
        let near = origin.map(|origin| Distinct::near(cells, origin, rule));
        match near.unwrap_or(Search::Outside) {
            Search::Found(distinct) => Some(distinct),
            Search::Broken => None,
            Search::Outside => Distinct::apart(cells, rule),
        }
    }

    fn near<T>(cells: &Cells<'_, T>, origin: N, rule: Rule) -> Search<N>
    where
        T: ArrowPrimitiveType,
        T::Native: Narrow<Wide = N>,
    {
        let mut is_present = vec![false; 2 * NEAR];
        let mut n_present = 0;
        let mut is_outside = false;
        let _ = cells.visit(|run| {
            for x in run.iter().map(|x| x.widen()).filter(|x| !x.is_missing()) {
                match is_present.get_mut(x.steps_from(origin)) {
                    Some(is_present) if x.is_whole() => {
                        n_present += usize::from(!*is_present);
                        *is_present = true;
                    }
                    _ => {
                        is_outside = true;
                        break;
                    }
                }
            }
            stop_if(is_outside || n_present > rule.most())
        });
        if n_present > rule.most() {
            return Search::Broken;
        }
        let first = is_present.iter().position(|&is_present| is_present);
        let last = is_present.iter().rposition(|&is_present| is_present);
        match (first, last) {
            (Some(first), Some(last)) if !is_outside => Search::Found(Distinct::Near {
                least: origin.after(first),
                is_present: is_present[first..=last].to_vec(),
            }),
            _ => Search::Outside,
        }
    }

    fn apart<T>(cells: &Cells<'_, T>, rule: Rule) -> Option<Self>
    where
        T: ArrowPrimitiveType,
        T::Native: Narrow<Wide = N>,
    {
        let mut values = Vec::new();
        let mut places = Slots::default();
        let mut is_broken = false;
        let _ = cells.visit(|run| {
            for x in run.iter().map(|x| x.widen()).filter(|x| !x.is_missing()) {
                if places.find(x.bits()).is_none() {
                    places.insert(x.bits(), values.len() as u32);
                    values.push(x);
                    is_broken |= !rule.allows(x) || values.len() > rule.most();
                }
                if is_broken {
                    break;
                }
            }
            stop_if(is_broken)
        });
        (!is_broken).then_some(Distinct::Apart { values, places })
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

/// The first number that is not missing.
fn first<T>(cells: &Cells<'_, T>) -> Option<Wide<T>>
where
    T: ArrowPrimitiveType,
    T::Native: Narrow,
{
    let mut first = None;
    let _ = cells.visit(|run| {
        first = run.iter().map(|x| x.widen()).find(|x| !x.is_missing());
        stop_if(first.is_some())
    });
    first
}
