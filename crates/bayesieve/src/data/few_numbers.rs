//! Columns of few distinct whole numbers that are numbers: worth a word, since they may be codes.

use super::read::MAX_NOMINAL_INTEGERS;
use super::{Column, KindOrigin, Table};
use crate::quoted;

/// Columns that are named in a note.
const MAX_NAMED: usize = 3;

/// What there is to say about columns at these places that hold at most 20 distinct whole numbers
/// and are taken as numbers without anybody having said so.
pub(crate) fn few_numbers_note(table: &Table, places: &[usize]) -> Option<String> {
    let columns = places.iter().map(|&place| &table.columns()[place]);
    let names: Vec<String> = columns
        .filter(|column| holds_few_whole_numbers(column))
        .map(|column| quoted(column.name()))
        .collect();
    few_numbers_named(&names)
}

/// The same about columns that are known to be such, by their quoted names.
pub(super) fn few_numbers_named(names: &[String]) -> Option<String> {
    let (what, those) = match names.len() {
        0 => return None,
        1 => (format!("column {} holds", names[0]), "it nominal if they"),
        n if n <= MAX_NAMED => (
            format!("columns {} hold", names.join(", ")),
            "those nominal that",
        ),
        n => (
            format!("{n} columns ({}, …) hold", names[..MAX_NAMED].join(", ")),
            "those nominal that",
        ),
    };
    Some(format!(
        "{what} at most {MAX_NOMINAL_INTEGERS} distinct whole numbers, taken as numbers; declare \
         {those} are codes"
    ))
}

fn holds_few_whole_numbers(column: &Column) -> bool {
    let Some(numbers) = column.as_numeric() else {
        return false;
    };
    let mut distinct: Vec<f64> = Vec::new();
    column.origin() == KindOrigin::Numbers
        && numbers.iter().filter(|x| !x.is_nan()).all(|x| {
            if !distinct.contains(x) {
                distinct.push(*x);
            }
            x.fract() == 0.0 && distinct.len() <= MAX_NOMINAL_INTEGERS
        })
        && distinct.len() > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Values;

    #[test]
    fn columns_of_few_whole_numbers_are_named() {
        let column = |name: &str, n: usize, step: f64| {
            let numbers = (0..60).map(|row| (row % n) as f64 * step).collect();
            Column::new(name, Values::Numeric(numbers), KindOrigin::Numbers)
        };
        let table = Table::new(vec![
            column("few", 3, 1.0),
            column("many", 21, 1.0),
            column("halves", 3, 0.5),
            column("same", 1, 1.0),
        ]);
        let note = few_numbers_note(&table.unwrap(), &[0, 1, 2, 3]).unwrap();
        assert!(note.starts_with("column \"few\" holds"), "{note}");
    }
}
