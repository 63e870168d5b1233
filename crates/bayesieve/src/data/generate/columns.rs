//! Cells made row by row, put together as columns.

use crate::data::{Codes, Column, Domain, KindOrigin, Nominal, Table, Values};
use crate::{Error, Result};

/// An empty column with room for its rows.
pub(super) fn with_room<T>(n_rows: usize) -> Result<Vec<T>> {
    let mut cells = Vec::new();
    cells.try_reserve_exact(n_rows).map_err(|_| {
        Error::usage(format!("{n_rows} rows are more than memory can hold"))
            .with_hint("Ask for fewer rows.")
    })?;
    Ok(cells)
}

/// So many empty columns with room for their rows.
pub(super) fn many_with_room<T>(n_columns: usize, n_rows: usize) -> Result<Vec<Vec<T>>> {
    (0..n_columns).map(|_| with_room(n_rows)).collect()
}

/// A nominal column: cell c stands for the whole number `first_label + c`.
///
/// Its domain holds the labels that occur and no other, as if read from a file.
pub(super) fn nominal(name: impl Into<String>, cells: Vec<u8>, first_label: u32) -> Column {
    let mut is_present = [false; 256];
    for &cell in &cells {
        is_present[usize::from(cell)] = true;
    }
    let present = (0..256).filter(|&cell| is_present[cell]);
    let labels: Vec<String> = present
        .map(|cell| (first_label + cell as u32).to_string())
        .collect();
    let mut new_code = [0_u32; 256];
    for cell in 1..256 {
        new_code[cell] = new_code[cell - 1] + u32::from(is_present[cell - 1]);
    }
    let cells = cells.iter().map(|&cell| Some(new_code[usize::from(cell)]));
    let nominal = Nominal::new(Codes::new(labels.len(), cells), Domain::ordered(labels));
    Column::new(name, Values::Nominal(nominal), KindOrigin::Derived)
}

/// A numeric column.
pub(super) fn numeric(name: String, numbers: Vec<f64>) -> Column {
    Column::new(name, Values::Numeric(numbers), KindOrigin::Derived)
}

/// A nominal column of whole numbers from 0 on.
pub(super) fn whole(name: String, cells: Vec<u8>) -> Column {
    nominal(name, cells, 0)
}

/// Features x1, x2 and so on, and the class behind them.
pub(super) fn table<T>(
    features: Vec<Vec<T>>,
    feature: impl Fn(String, Vec<T>) -> Column,
    class: Column,
) -> Result<Table> {
    let named = features.into_iter().zip(1..);
    let columns = named.map(|(cells, i)| feature(format!("x{i}"), cells));
    Table::new(columns.chain([class]).collect())
}

/// A whole number of millionths as the nearest float, which prints with six decimals at most.
pub(super) fn from_millionths(millionths: f64) -> f64 {
    // The quotient is rounded once, as reading the decimal is: both give the same float.
    // + 0.0 makes -0 the 0 that a file would hold.
    millionths / 1e6 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_hold_what_occurs() {
        let column = nominal("a", vec![4, 2, 4], 1);
        let made = column.as_nominal().unwrap();
        assert_eq!(made.domain.labels(), ["3", "5"]);
        assert_eq!(made.codes, Codes::U8(vec![1, 0, 1]));
    }

    #[test]
    fn millionths_read_back_as_written() {
        for (millionths, text) in [(3_141_593.0, "3.141593"), (-1.0, "-0.000001"), (-0.0, "0")] {
            let x = from_millionths(millionths);
            assert_eq!(x.to_string(), text);
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), x.to_bits());
        }
    }

    #[test]
    fn too_large_a_column_is_an_error() {
        assert!(with_room::<f64>(usize::MAX).is_err());
    }
}
