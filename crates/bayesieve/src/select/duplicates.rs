//! Columns that say the same in every row: equal ones, and one-to-one recodings.

use std::collections::{BTreeMap, BTreeSet};

use super::method::Task;
use super::reason::Reason;
use crate::counts::{CountColumn, duplicate_columns};
use crate::data::{CodedTable, Column, Nominal, Values};

/// Numbers stand for labels where each comes so often on average: numbers that are all distinct go
/// with any labels that are.
const ROWS_PER_VALUE: usize = 2;

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
    first_of.extend(recodings(table, &open));
    places
        .iter()
        .map(|place| first_of.get(place).copied())
        .collect()
}

/// Labels that stand for the numbers of another column, or the other way round: the later one
/// with the earlier one.
///
/// # Cost
/// A pass over each number column that ends with more distinct numbers than any column has
/// labels; numbers with few distinct values are compared with labels as many.
fn recodings(table: &CodedTable, places: &[usize]) -> Vec<(usize, usize)> {
    let max_values = table.n_rows() / ROWS_PER_VALUE;
    let column = |place: usize| &*table.features[place].column;
    let mut by_n_labels: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &place in places {
        if let Some(labels) = column(place).as_nominal() {
            by_n_labels
                .entry(labels.n_values())
                .or_default()
                .push(place);
        }
    }
    let most = by_n_labels.keys().copied().filter(|&n| n <= max_values);
    let Some(most) = most.max() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for &place in places {
        let Some(numbers) = column(place).as_numeric() else {
            continue;
        };
        let n_distinct = n_distinct_up_to(numbers, most);
        let alike = by_n_labels.get(&n_distinct).into_iter().flatten();
        let mut alike = alike.filter(|&&labels| is_recoding(column(labels), numbers));
        if let Some(&labels) = alike.next() {
            found.push((place.max(labels), place.min(labels)));
        }
    }
    found
}

/// Distinct numbers, or one more than so many.
fn n_distinct_up_to(numbers: &[f64], max: usize) -> usize {
    let mut known = BTreeSet::new();
    for number in numbers.iter().filter(|number| !number.is_nan()) {
        // 0 and -0 are one number.
        known.insert((number + 0.0).to_bits());
        if known.len() > max {
            break;
        }
    }
    known.len()
}

/// Whether the labels of a column stand for the numbers of another, one-to-one.
fn is_recoding(labels: &Column, numbers: &[f64]) -> bool {
    let Some(labels) = labels.as_nominal() else {
        return false;
    };
    let mut number_of: BTreeMap<u32, f64> = BTreeMap::new();
    let mut label_of: BTreeMap<u64, u32> = BTreeMap::new();
    let is_same = |(row, &number): (usize, &f64)| match (labels.codes.get(row), number.is_nan()) {
        (Some(label), false) => {
            let number = number + 0.0;
            *number_of.entry(label).or_insert(number) == number
                && *label_of.entry(number.to_bits()).or_insert(label) == label
        }
        (None, true) => true,
        _ => false,
    };
    numbers.iter().enumerate().all(is_same)
}

/// Settles what duplicates are: a recoding or equal; and where only the first took part and is
/// dropped as well, the reason that both share.
pub(super) fn settle(task: &Task<'_, '_>, dropped: &mut [(usize, Option<f64>, Reason)]) {
    let is_duplicate = |reason: &Reason| matches!(reason, Reason::Duplicate { .. });
    if !dropped.iter().any(|(_, _, reason)| is_duplicate(reason)) {
        return;
    }
    let features = &task.table.features;
    let shared: BTreeMap<&str, Reason> = dropped
        .iter()
        .filter(|(_, _, reason)| task.options.drops_duplicates && !is_duplicate(reason))
        .map(|(place, _, reason)| (features[*place].column.name(), reason.clone()))
        .collect();
    let columns: BTreeMap<&str, &Column> = features
        .iter()
        .map(|feature| (feature.column.name(), &*feature.column))
        .collect();
    for (place, _, reason) in dropped {
        let Reason::Duplicate { of, recoding } = reason else {
            continue;
        };
        match (shared.get(of.as_str()), columns.get(of.as_str())) {
            (Some(shared), _) => *reason = shared.clone(),
            (None, Some(first)) => *recoding = differ(first, &features[*place].column),
            (None, None) => {}
        }
    }
}

/// Whether two columns that say the same do not hold the same: by their labels, which counts
/// know as well as rows.
fn differ(a: &Column, b: &Column) -> bool {
    match (a.values(), b.values()) {
        (Values::Nominal(a), Values::Nominal(b)) => a.domain.labels() != b.domain.labels(),
        (Values::Numeric(_), Values::Numeric(_)) => false,
        _ => true,
    }
}
