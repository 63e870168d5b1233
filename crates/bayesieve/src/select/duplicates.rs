//! Columns that say the same in every row: equal ones, and one-to-one recodings.

use std::collections::BTreeMap;

use super::method::Task;
use super::reason::Reason;
use crate::counts::{CountColumn, duplicate_columns};
use crate::data::{CodedTable, Column, Nominal, Values};

/// For some features of a table the place of the first one that each says the same as, if that is
/// another: by their codes, and labels that stand for numbers by the numbers themselves.
///
/// # Cost
/// O(N) for a column, as long as it looks like another.
pub(super) fn firsts(table: &CodedTable, places: &[usize]) -> Vec<Option<usize>> {
    let coded: Vec<(usize, &Nominal)> = places
        .iter()
        .filter_map(|&place| Some((place, table.features[place].coded()?)))
        .collect();
    let columns: Vec<CountColumn<'_>> = coded.iter().map(|(_, one)| (*one).into()).collect();
    let by_codes = duplicate_columns(&columns, usize::MAX);
    let mut first_of = BTreeMap::new();
    for (&(place, _), first) in coded.iter().zip(by_codes) {
        if let Some(first) = first {
            first_of.insert(place, coded[first].0);
        }
    }
    let is_open = |place: &&usize| !first_of.contains_key(*place);
    let open: Vec<usize> = places.iter().filter(is_open).copied().collect();
    for (number, &place) in open.iter().enumerate() {
        let column = &table.features[place].column;
        let mut before = open[..number].iter();
        let first = before.find(|&&first| is_recoding(&table.features[first].column, column));
        if let Some(&first) = first {
            first_of.insert(place, first);
        }
    }
    places
        .iter()
        .map(|place| first_of.get(place).copied())
        .collect()
}

/// Whether one column is labels and the other numbers, one-to-one; every value twice on average,
/// since numbers that are all distinct go with any labels that are.
fn is_recoding(a: &Column, b: &Column) -> bool {
    let (labels, numbers) = match (a.values(), b.values()) {
        (Values::Nominal(labels), Values::Numeric(numbers))
        | (Values::Numeric(numbers), Values::Nominal(labels)) => (labels, numbers),
        _ => return false,
    };
    let n_rows = numbers.len();
    let mut number_of: BTreeMap<u32, f64> = BTreeMap::new();
    let mut label_of: BTreeMap<u64, u32> = BTreeMap::new();
    for (row, &number) in numbers.iter().enumerate() {
        let label = match (labels.codes.get(row), number.is_nan()) {
            (Some(label), false) => label,
            (None, true) => continue,
            _ => return false,
        };
        // 0 and -0 are one number.
        let number = number + 0.0;
        let is_same = *number_of.entry(label).or_insert(number) == number
            && *label_of.entry(number.to_bits()).or_insert(label) == label;
        if !is_same || label_of.len() > n_rows / 2 {
            return false;
        }
    }
    label_of.len() > 1
}

/// Settles what duplicates are: a recoding or equal; and where the first one is dropped as well,
/// the reason that both share.
pub(super) fn settle(task: &Task<'_, '_>, dropped: &mut [(usize, Option<f64>, Reason)]) {
    let features = &task.table.features;
    let reasons: BTreeMap<&str, Reason> = dropped
        .iter()
        .map(|(place, _, reason)| (features[*place].column.name(), reason.clone()))
        .collect();
    for (place, _, reason) in dropped {
        let Reason::Duplicate { of, recoding } = reason else {
            continue;
        };
        if let Some(shared) = reasons.get(of.as_str()) {
            *reason = shared.clone();
            continue;
        }
        let first = features.iter().find(|feature| feature.column.name() == of);
        *recoding = first.is_some_and(|first| differ(&first.column, &features[*place].column));
    }
}

/// Whether two columns that say the same do not hold the same.
fn differ(a: &Column, b: &Column) -> bool {
    match (a.values(), b.values()) {
        (Values::Nominal(a), Values::Nominal(b)) => {
            if a.codes.is_empty() || b.codes.is_empty() {
                return a.domain.labels() != b.domain.labels();
            }
            let label = |column: &Nominal, row: usize| {
                let code = column.codes.get(row)?;
                column.domain.labels().get(code as usize).cloned()
            };
            let same_codes = a.domain.labels() == b.domain.labels();
            (0..a.codes.len()).any(|row| {
                let codes = (a.codes.get(row), b.codes.get(row));
                (!same_codes || codes.0 != codes.1) && label(a, row) != label(b, row)
            })
        }
        (Values::Numeric(_), Values::Numeric(_)) => false,
        _ => true,
    }
}
