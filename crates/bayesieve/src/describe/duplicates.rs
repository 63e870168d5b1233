//! Columns and rows that occur twice.

use std::hash::{DefaultHasher, Hash, Hasher};

use rayon::prelude::*;

use crate::counts::equal_groups;
use crate::data::{Code, Codes, Column, Values};
use crate::with_codes;

/// Groups of columns with the same cells, as positions; first members in order.
pub(super) fn columns(columns: &[&Column]) -> Vec<Vec<usize>> {
    let prints: Vec<u64> = columns
        .par_iter()
        .map(|column| fingerprint(column))
        .collect();
    let are_equal = |i: usize, j: usize| are_equal(columns[i], columns[j]);
    equal_groups((0..columns.len()).collect(), |i| prints[i], are_equal)
}

fn fingerprint(column: &Column) -> u64 {
    // The hasher's keys are fixed; its value is never shown and never orders a result.
    let mut hasher = DefaultHasher::new();
    match column.values() {
        Values::Nominal(nominal) => {
            with_codes!(&nominal.codes, cells => cells.hash(&mut hasher));
        }
        Values::Numeric(numbers) => numbers
            .iter()
            .for_each(|x| number_bits(*x).hash(&mut hasher)),
    }
    hasher.finish()
}

/// One pattern for every zero and one for every missing number.
fn number_bits(x: f64) -> u64 {
    if x.is_nan() {
        u64::MAX
    } else {
        (x + 0.0).to_bits()
    }
}

/// Whether two columns have the same labels or numbers in every row.
fn are_equal(a: &Column, b: &Column) -> bool {
    match (a.values(), b.values()) {
        (Values::Nominal(a), Values::Nominal(b)) => a == b,
        (Values::Numeric(a), Values::Numeric(b)) => a
            .iter()
            .map(|x| number_bits(*x))
            .eq(b.iter().map(|x| number_bits(*x))),
        _ => false,
    }
}

/// Number of rows that equal an earlier one in every column and the class.
pub(super) fn rows(columns: &[&Column], class: &Codes) -> u64 {
    let mut prints = vec![0u64; class.len()];
    mix_codes(&mut prints, class);
    for column in columns {
        match column.values() {
            Values::Nominal(nominal) => mix_codes(&mut prints, &nominal.codes),
            Values::Numeric(numbers) => {
                for (print, x) in prints.iter_mut().zip(numbers) {
                    *print = mix(*print, number_bits(*x));
                }
            }
        }
    }
    let mut order: Vec<(u64, u32)> = prints.into_iter().zip(0..).collect();
    order.par_sort_unstable();
    let mut n_duplicates = 0;
    for run in order
        .chunk_by(|x, y| x.0 == y.0)
        .filter(|run| run.len() > 1)
    {
        // Equal fingerprints only promise equal rows: look.
        let mut kinds: Vec<usize> = Vec::new();
        for &(_, row) in run {
            let row = row as usize;
            let is_known = kinds.iter().any(|&kind| {
                class.get(kind) == class.get(row) && have_equal_rows(columns, kind, row)
            });
            if is_known {
                n_duplicates += 1;
            } else {
                kinds.push(row);
            }
        }
    }
    n_duplicates
}

fn mix_codes(prints: &mut [u64], codes: &Codes) {
    fn each<C: Code>(prints: &mut [u64], cells: &[C]) {
        for (print, cell) in prints.iter_mut().zip(cells) {
            *print = mix(*print, cell.index() as u64);
        }
    }
    with_codes!(codes, cells => each(prints, cells));
}

/// A multiply and a fold of the halves: cheap, and every bit reaches every other.
fn mix(print: u64, cell: u64) -> u64 {
    let product = u128::from(print ^ cell ^ 0x9E37_79B9_7F4A_7C15) * 0xD6E8_FEB8_6659_FD93;
    (product as u64 ^ (product >> 64) as u64).rotate_left(17)
}

fn have_equal_rows(columns: &[&Column], a: usize, b: usize) -> bool {
    columns.iter().all(|column| match column.values() {
        Values::Nominal(nominal) => nominal.codes.get(a) == nominal.codes.get(b),
        Values::Numeric(numbers) => number_bits(numbers[a]) == number_bits(numbers[b]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{KindOrigin, Nominal};

    fn labels(name: &str, cells: &[Option<&str>]) -> Column {
        let nominal = Nominal::from_labels(cells.iter().copied());
        Column::new(name, Values::Nominal(nominal), KindOrigin::Text)
    }

    fn numbers(name: &str, cells: &[f64]) -> Column {
        Column::new(name, Values::Numeric(cells.to_vec()), KindOrigin::Numbers)
    }

    #[test]
    fn columns_are_compared_by_labels_and_gaps() {
        let list = [
            labels("a", &[Some("x"), Some("y"), None]),
            labels("other labels", &[Some("p"), Some("q"), None]),
            labels("same as a", &[Some("x"), Some("y"), None]),
            numbers("b", &[0.0, f64::NAN, 2.0]),
            labels("no gap", &[Some("x"), Some("y"), Some("y")]),
            numbers("same as b", &[-0.0, f64::NAN, 2.0]),
        ];
        let list: Vec<&Column> = list.iter().collect();
        assert_eq!(columns(&list), [vec![0, 2], vec![3, 5]]);
    }

    #[test]
    fn the_class_is_part_of_a_row() {
        // Rows 0, 1, 3 agree in the feature, but row 1 has another class.
        let a = labels("a", &[Some("x"), Some("x"), Some("y"), Some("x")]);
        let class = Codes::U8(vec![0, 1, 0, 0]);
        assert_eq!(rows(&[&a], &class), 1);
        assert_eq!(rows(&[], &Codes::U8(vec![0, 0, 0])), 2);
    }
}
