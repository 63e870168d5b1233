//! The numbers of a column, counted by class, in memory that does not grow with the rows.
//!
//! Up to a limit every number is kept for itself. Above it, neighbors share a cell: all
//! numbers whose keys (integers of the same order) agree but for their lowest `shift` bits,
//! with the least shift that leaves no more cells than the limit. Which shift that is depends
//! on the set of numbers alone: a part of the numbers never needs a larger one, so neither
//! the order of the rows nor how they were dealt out can change it.
//!
//! Cells count the rows of every class. So that many classes do not take more memory, the limit
//! is lower for them: from [`FREE_CLASSES`] on it falls as their number rises.
//!
//! A key is a number's sign, exponent and mantissa. So a cell is a range of one power of two,
//! the same share of it everywhere, and numbers that lie between B powers of two (those below
//! zero have their own) have at least `limit / (2 B)` cells in each: those of one cell differ
//! by less than `2 B / limit` of their size.

use crate::Result;
use crate::data::discretize::{CountedNumbers, Span, number_of_key, order_key};
use crate::data::read::Slots;
use crate::data::{CutPoints, Discretizer};

/// Classes up to which their number does not lower the limit.
const FREE_CLASSES: usize = 16;

/// Numbers in cells, each with the rows of every class.
#[derive(Debug)]
pub(super) struct NumberCells {
    most: usize,
    pub(super) shift: u32,
    /// The smallest and largest key of every cell, in order of first sight.
    least: Vec<u64>,
    largest: Vec<u64>,
    /// So many counts for every cell.
    pub(super) n_classes: usize,
    counts: Vec<u64>,
    /// The cells by their keys without the lowest bits.
    places: Slots,
}

/// Numbers that are counted together.
#[derive(Debug, Clone, Copy)]
pub(super) struct NumberCell<'a> {
    /// The smallest and the largest key.
    pub(super) least: u64,
    pub(super) largest: u64,
    /// The rows of every class.
    pub(super) counts: &'a [u64],
}

/// Rows to be counted: the class of every row, and which of them count.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProfileRows<'a> {
    /// A class for every row.
    pub(super) classes: &'a [u32],
    /// Number of classes so far.
    pub(super) n_classes: usize,
    /// The rows that count, `None` for all.
    pub(super) used: Option<&'a [u32]>,
}

impl NumberCells {
    /// No number yet; `most` cells are at least two.
    pub(super) fn new(most: usize) -> Self {
        NumberCells {
            most: most.max(2),
            shift: 0,
            least: Vec::new(),
            largest: Vec::new(),
            n_classes: 1,
            counts: Vec::new(),
            places: Slots::default(),
        }
    }

    /// Number of cells: of different numbers, where no two share one.
    pub(super) fn len(&self) -> usize {
        self.least.len()
    }

    /// Most cells for so many classes.
    fn most_for(&self, n_classes: usize) -> usize {
        let shared = self.most.saturating_mul(FREE_CLASSES) / n_classes.max(FREE_CLASSES);
        shared.max(2)
    }

    /// The limit: more different numbers share cells.
    pub(super) fn most(&self) -> usize {
        self.most_for(self.n_classes)
    }

    /// Different numbers, up to those that can be told apart.
    pub(super) fn n_distinguished(&self) -> usize {
        if self.are_shared() {
            self.most()
        } else {
            self.len()
        }
    }

    /// Whether different numbers share a cell: there are more of them than cells.
    pub(super) fn are_shared(&self) -> bool {
        self.shift > 0
    }

    /// Takes the numbers of some rows; NaN is passed over.
    pub(super) fn observe(&mut self, numbers: &[f64], rows: ProfileRows<'_>) {
        self.widen(rows.n_classes);
        match rows.used {
            None => {
                for (&x, &class) in numbers.iter().zip(rows.classes) {
                    self.add(x, class);
                }
            }
            Some(used) => {
                for row in used.iter().map(|&row| row as usize) {
                    self.add(numbers[row], rows.classes[row]);
                }
            }
        }
    }

    #[inline]
    fn add(&mut self, x: f64, class: u32) {
        if !x.is_nan() {
            let key = order_key(x);
            let place = self.place(key, key);
            self.counts[place * self.n_classes + class as usize] += 1;
        }
    }

    /// Takes a number of so many rows of every class.
    pub(super) fn add_counts(&mut self, x: f64, counts: &[u64]) {
        self.widen(counts.len());
        // A number without a row is not among those to be cut.
        if counts.iter().any(|&count| count > 0) {
            let key = order_key(x);
            let cell = NumberCell {
                least: key,
                largest: key,
                counts,
            };
            self.add_cell(cell, |class| class);
        }
    }

    fn add_cell(&mut self, cell: NumberCell<'_>, class: impl Fn(usize) -> usize) {
        let place = self.place(cell.least, cell.largest) * self.n_classes;
        let counts = cell.counts.iter().enumerate();
        for (other, &count) in counts.filter(|(_, count)| **count > 0) {
            self.counts[place + class(other)] += count;
        }
    }

    /// Takes in another profile's numbers, whose classes are these.
    pub(super) fn merge(&mut self, other: &NumberCells, classes: &[u32]) {
        let class = |other: usize| classes.get(other).map_or(other, |&class| class as usize);
        let n_classes = (0..other.n_classes).map(|other| class(other) + 1).max();
        // Classes that the other never met have no counts, and may be beyond its list.
        self.widen(n_classes.unwrap_or(1));
        if other.shift > self.shift {
            self.share(other.shift);
        }
        for cell in 0..other.len() {
            self.add_cell(other.cell(cell), class);
        }
    }

    /// The cell of two keys that share one.
    #[inline]
    fn place(&mut self, least: u64, largest: u64) -> usize {
        match self.places.find(least >> self.shift) {
            Some(place) => {
                let place = place as usize;
                if self.shift > 0 {
                    self.least[place] = self.least[place].min(least);
                    self.largest[place] = self.largest[place].max(largest);
                }
                place
            }
            None => self.new_place(least, largest),
        }
    }

    #[cold]
    fn new_place(&mut self, least: u64, largest: u64) -> usize {
        let place = self.len();
        self.places.insert(least >> self.shift, place as u32);
        self.least.push(least);
        self.largest.push(largest);
        self.counts.resize(self.counts.len() + self.n_classes, 0);
        if self.len() <= self.most() {
            return place;
        }
        self.share(self.shift_that_fits(self.most()));
        self.place(least, largest)
    }

    /// The least shift that leaves so many cells at most.
    fn shift_that_fits(&self, most: usize) -> u32 {
        let mut keys = self.least.clone();
        keys.sort_unstable();
        // Two neighbors share a cell from the shift on that cuts their highest difference.
        let mut n_sharing = [0; 65];
        for pair in keys.windows(2) {
            n_sharing[64 - (pair[0] ^ pair[1]).leading_zeros() as usize] += 1;
        }
        let mut n_cells = self.len();
        let fits = |&shift: &u32| {
            n_cells -= n_sharing[shift as usize];
            shift >= self.shift && n_cells <= most
        };
        (0..64).find(fits).unwrap_or(63)
    }

    /// Puts neighbors together.
    fn share(&mut self, shift: u32) {
        let mut cells = NumberCells {
            shift,
            n_classes: self.n_classes,
            ..NumberCells::new(self.most)
        };
        for cell in 0..self.len() {
            cells.add_cell(self.cell(cell), |class| class);
        }
        *self = cells;
    }

    /// Makes room for more classes.
    pub(super) fn widen(&mut self, n_classes: usize) {
        if n_classes <= self.n_classes {
            return;
        }
        let most = self.most_for(n_classes);
        if self.len() > most {
            self.share(self.shift_that_fits(most));
        }
        let mut counts = Vec::with_capacity(self.len() * n_classes);
        for cell in self.counts.chunks(self.n_classes) {
            counts.extend_from_slice(cell);
            counts.resize(counts.len() + n_classes - self.n_classes, 0);
        }
        self.counts = counts;
        self.n_classes = n_classes;
    }

    /// The cut points; `classes` are the final places of the classes.
    ///
    /// # Errors
    /// As [`Discretizer::fit`].
    pub(super) fn cut_points(
        &self,
        discretizer: Discretizer,
        classes: &[Option<u32>],
        n_classes: usize,
    ) -> Result<CutPoints> {
        let n_classes = if discretizer.uses_class() {
            n_classes
        } else {
            1
        };
        let mut counts = vec![0; self.len() * n_classes];
        let mut spans = Vec::with_capacity(self.len());
        for (place, cell) in self.cells().enumerate() {
            spans.push(Span {
                least: number_of_key(cell.least),
                largest: number_of_key(cell.largest),
            });
            for (class, &count) in cell.counts.iter().enumerate() {
                let class = classes.get(class).copied().flatten().unwrap_or(0) as usize;
                counts[place * n_classes + class.min(n_classes - 1)] += count;
            }
        }
        let numbers = CountedNumbers {
            spans: &spans,
            counts: &counts,
            n_classes,
        };
        numbers.cut_points(discretizer)
    }

    /// The cells from the smallest number on.
    pub(super) fn cells(&self) -> impl Iterator<Item = NumberCell<'_>> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_unstable_by_key(|&cell| self.least[cell]);
        order.into_iter().map(|cell| self.cell(cell))
    }

    fn cell(&self, cell: usize) -> NumberCell<'_> {
        NumberCell {
            least: self.least[cell],
            largest: self.largest[cell],
            counts: &self.counts[cell * self.n_classes..][..self.n_classes],
        }
    }

    /// An empty one that has such a shift and so many classes.
    pub(super) fn with_shift(most: usize, shift: u32, n_classes: usize) -> Self {
        NumberCells {
            shift,
            n_classes,
            ..NumberCells::new(most)
        }
    }

    /// Takes a cell of [`NumberCells::cells`]; `false` where it cannot be one.
    pub(super) fn push_cell(&mut self, cell: NumberCell<'_>) -> bool {
        let NumberCell {
            least,
            largest,
            counts,
        } = cell;
        let is_cell = least <= largest && least >> self.shift == largest >> self.shift;
        let is_finite = [least, largest].map(|key| number_of_key(key).is_finite()) == [true; 2];
        let follows = self
            .largest
            .last()
            .is_none_or(|&last| last < least && last >> self.shift < least >> self.shift);
        let fits = self.len() < self.most() && counts.len() == self.n_classes;
        let is_good = is_cell && is_finite && follows && fits && counts.iter().any(|&n| n > 0);
        if is_good {
            self.add_cell(cell, |class| class);
        }
        is_good
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cells(most: usize, numbers: &[(f64, u32)]) -> NumberCells {
        let mut cells = NumberCells::new(most);
        let (numbers, classes): (Vec<f64>, Vec<u32>) = numbers.iter().copied().unzip();
        let rows = ProfileRows {
            classes: &classes,
            n_classes: 3,
            used: None,
        };
        cells.observe(&numbers, rows);
        cells
    }

    type Parts = (u32, Vec<([u64; 2], Vec<u64>)>);

    fn parts(cells: &NumberCells) -> Parts {
        let parts = cells
            .cells()
            .map(|cell| ([cell.least, cell.largest], cell.counts.to_vec()));
        (cells.shift, parts.collect())
    }

    #[test]
    fn few_numbers_stay_apart() {
        let cells = cells(4, &[(1.0, 0), (-0.0, 1), (0.0, 1), (f64::NAN, 2), (2.5, 0)]);
        assert_eq!((cells.shift, cells.len()), (0, 3));
    }

    #[test]
    fn the_shift_is_the_least_that_fits() {
        // The keys of 1, 1.25, 1.5, 1.75 and 2 first differ in bits 50 and 51 of the
        // mantissa, and 2 in the exponent: with at most 3 cells, 1 and 1.25 share one, and so
        // do 1.5 and 1.75, once 51 bits are cut.
        let numbers = [1.0, 1.25, 1.5, 1.75, 2.0].map(|x| (x, 0));
        let cells = cells(3, &numbers);
        assert_eq!((cells.shift, cells.len()), (51, 3));
    }

    #[test]
    fn many_classes_lower_the_limit() {
        let mut cells = cells(4, &[1.0, 1.25, 1.5, 1.75].map(|x| (x, 0)));
        cells.widen(16);
        assert_eq!((cells.most(), cells.len()), (4, 4));
        // Three cells at most; see the_shift_is_the_least_that_fits.
        cells.widen(21);
        assert_eq!((cells.most(), cells.shift, cells.len()), (3, 51, 2));
        cells.widen(1_000);
        assert_eq!(cells.most(), 2);
        assert_eq!(cells.counts.len(), 2_000);
    }

    proptest! {
        #[test]
        fn order_and_parts_change_no_cell(
            numbers in proptest::collection::vec((any::<i16>(), 0u32..3), 0..300),
            by in 1i32..1000,
            most in 2usize..40,
            cut in 0usize..300,
        ) {
            let numbers: Vec<(f64, u32)> = numbers
                .iter()
                .map(|&(x, class)| (f64::from(x) / f64::from(by), class))
                .collect();
            let whole = parts(&cells(most, &numbers));
            let mut backwards = numbers.clone();
            backwards.reverse();
            prop_assert_eq!(&parts(&cells(most, &backwards)), &whole);
            let (a, b) = numbers.split_at(cut.min(numbers.len()));
            for (first, second) in [(a, b), (b, a)] {
                let mut merged = cells(most, first);
                merged.merge(&cells(most, second), &[0, 1, 2]);
                prop_assert_eq!(&parts(&merged), &whole);
            }
            // As wide as promised: so many powers of two, so many cells in each.
            let mut powers: Vec<u64> = numbers.iter().map(|&(x, _)| order_key(x) >> 52).collect();
            powers.sort_unstable();
            powers.dedup();
            if powers.len() <= most {
                let share = 2.0 * powers.len() as f64 / most as f64;
                for &([least, largest], _) in &whole.1 {
                    let [least, largest] = [least, largest].map(number_of_key);
                    prop_assert!(largest - least < share * least.abs().max(f64::MIN_POSITIVE));
                }
            }
            // No smaller shift would do.
            let (shift, cells) = whole;
            prop_assert!(cells.len() <= most);
            if shift > 0 {
                let mut keys: Vec<u64> =
                    numbers.iter().map(|&(x, _)| order_key(x) >> (shift - 1)).collect();
                keys.sort_unstable();
                keys.dedup();
                prop_assert!(keys.len() > most);
            }
        }
    }
}
