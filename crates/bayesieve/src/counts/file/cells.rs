//! Cells of tables as bytes.
//!
//! A number is as many bytes as it needs, seven bits in each, the lowest first; the highest
//! bit says that more follow. A table that is held whole is all of its cells. Of any other
//! the cells that are not zero are written: how many, and for each how many zeros stand
//! before it, and its count. Which of the two it is depends on the shape alone.

use std::io::{BufRead, BufReader, Read};

use super::envelope::broken;
use crate::Result;
use crate::counts::dense_cells;
use crate::counts::{CountTable, Shape};

/// More bytes than the longest number has.
const LONGEST: usize = 10;

/// Cells that a table may list, of sixteen bytes each.
const MAX_LISTED: u64 = 1 << 27;

/// Bytes that are unpacked at a time.
const BUFFER: usize = 1 << 16;

/// Adds a number.
pub(super) fn push(bytes: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        bytes.push(n as u8 | 0x80);
        n >>= 7;
    }
    bytes.push(n as u8);
}

/// Adds the cells of a table.
pub(super) fn push_table(bytes: &mut Vec<u8>, table: &CountTable) {
    if dense_cells(table.shape()).is_some() {
        table.all_cells().iter().for_each(|&n| push(bytes, n));
    } else {
        push_seen(bytes, &table.indexed().collect::<Vec<_>>());
    }
}

/// Adds cells that are not zero, by rising index.
pub(super) fn push_seen(bytes: &mut Vec<u8>, cells: &[(u64, u64)]) {
    push(bytes, cells.len() as u64);
    let mut next = 0;
    for &(index, n) in cells {
        push(bytes, index - next);
        push(bytes, n);
        next = index + 1;
    }
}

/// NumberReader from bytes.
pub(super) struct NumberReader<R>(BufReader<R>);

impl<R: Read> NumberReader<R> {
    pub(super) fn new(bytes: R) -> Self {
        NumberReader(BufReader::with_capacity(BUFFER, bytes))
    }

    /// The next number.
    pub(super) fn number(&mut self) -> Result<u64> {
        let mut n = 0u64;
        for place in 0..LONGEST {
            let buffer = self.0.fill_buf().map_err(broken)?;
            let &byte = buffer.first().ok_or_else(|| broken("a table is cut off"))?;
            self.0.consume(1);
            let bits = u64::from(byte & 0x7f);
            let shifted = bits << (7 * place);
            // The tenth byte has room for one bit, and no number ends in an empty byte.
            if shifted >> (7 * place) != bits || (byte == 0 && place > 0) {
                break;
            }
            n |= shifted;
            if byte < 0x80 {
                return Ok(n);
            }
        }
        Err(broken("a number is too long"))
    }

    /// The next numbers.
    pub(super) fn numbers(&mut self, n: usize) -> Result<Vec<u64>> {
        (0..n).map(|_| self.number()).collect()
    }

    /// A table of this shape.
    pub(super) fn table(&mut self, shape: Shape) -> Result<CountTable> {
        match dense_cells(shape) {
            Some(n_cells) => CountTable::dense(shape, self.numbers(n_cells)?),
            None => CountTable::sparse(shape, self.seen()?),
        }
    }

    /// Cells that are not zero, by rising index.
    pub(super) fn seen(&mut self) -> Result<Vec<(u64, u64)>> {
        let n_cells = self.number()?;
        if n_cells > MAX_LISTED {
            return Err(broken("a table lists more cells than fit in memory"));
        }
        // Not laid out by the number of cells that is stated.
        let mut cells = Vec::new();
        let mut next = 0u64;
        for _ in 0..n_cells {
            let (gap, n) = (self.number()?, self.number()?);
            let index = next.checked_add(gap).filter(|&at| at < u64::MAX);
            let index = index.ok_or_else(|| broken("a cell lies outside its table"))?;
            if n == 0 {
                return Err(broken("a cell that is not zero is zero"));
            }
            cells.push((index, n));
            next = index + 1;
        }
        Ok(cells)
    }

    /// An error if there is more.
    pub(super) fn finish(mut self) -> Result<()> {
        if self.0.fill_buf().map_err(broken)?.is_empty() {
            Ok(())
        } else {
            Err(broken("there are more cells than tables"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_length_are_read_back() {
        let numbers = [0, 1, 127, 128, 300, 1 << 35, u64::MAX - 1, u64::MAX];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&n| push(&mut bytes, n));
        // 300 = 2 * 128 + 44.
        assert_eq!(bytes[5..7], [0x80 | 44, 2]);
        let mut read = NumberReader::new(bytes.as_slice());
        assert_eq!(read.numbers(numbers.len()).unwrap(), numbers);
        read.finish().unwrap();
    }

    #[test]
    fn numbers_that_nobody_writes_are_refused() {
        let cases: [&[u8]; 5] = [
            &[],
            &[0x80],
            &[0x80, 0],
            &[0xff; 11],
            &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2],
        ];
        for bytes in cases {
            assert!(NumberReader::new(bytes).number().is_err(), "{bytes:?}");
        }
    }

    #[test]
    fn a_stated_number_of_cells_takes_no_memory() {
        let mut bytes = Vec::new();
        push(&mut bytes, u64::MAX);
        assert!(NumberReader::new(bytes.as_slice()).seen().is_err());
    }
}
