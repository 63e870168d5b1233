//! The numbers of the training rows in rising order, each with its class.

use super::{ROWS_PER_LOOK, Training};
use crate::{Error, Observer, Result, check};

/// One training row: its number as an integer of the same order, and its class.
///
/// Integers sort faster than floats, and equal ones are equal numbers: -0 is stored as 0.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Observation {
    key: u64,
    /// The class; 0 where nobody asked for it.
    pub(super) class: u32,
}

const SIGN: u64 = 1 << 63;

/// A number as an integer of the same order; -0 is 0.
#[inline]
pub(crate) fn order_key(x: f64) -> u64 {
    let bits = (x + 0.0).to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

/// The number of an integer that [`order_key`] made.
#[inline]
pub(crate) fn number_of_key(key: u64) -> f64 {
    f64::from_bits(if key & SIGN == 0 { !key } else { key ^ SIGN })
}

/// Rows that a slot holds on average: few, so that sorting a slot costs little.
const ROWS_PER_SLOT: usize = 2;

impl Observation {
    fn new(x: f64, class: u32) -> Self {
        Observation {
            key: order_key(x),
            class,
        }
    }

    /// The number.
    pub(super) fn value(self) -> f64 {
        number_of_key(self.key)
    }

    /// Whether the other one has the same number.
    pub(super) fn is_equal(self, other: Self) -> bool {
        self.key == other.key
    }
}

/// Sorts column after column in the same memory: fresh pages cost as much as the sorting.
#[derive(Debug, Default)]
pub(super) struct Sorter {
    unsorted: Vec<Observation>,
    sorted: Vec<Observation>,
    slots: Vec<u32>,
}

impl Sorter {
    /// The rows that have a number, in its order, and a class where the discretizer
    /// `uses_class`; else their class is 0.
    ///
    /// # Errors
    /// An infinite number, or a class outside the classes.
    pub(super) fn observations(
        &mut self,
        values: &[f64],
        training: &Training,
        uses_class: bool,
        observer: &dyn Observer,
    ) -> Result<&[Observation]> {
        self.unsorted.clear();
        for (i, row) in training.row_numbers().enumerate() {
            if i.is_multiple_of(ROWS_PER_LOOK) {
                check(observer)?;
            }
            let x = checked(values[row])?;
            let class = if uses_class {
                training.class.get(row)
            } else {
                Some(0)
            };
            let Some(class) = class else {
                continue;
            };
            if uses_class && class as usize >= training.n_classes {
                return Err(Error::internal(format!(
                    "class {class} of {} classes",
                    training.n_classes
                )));
            }
            if !x.is_nan() {
                self.unsorted.push(Observation::new(x, class));
            }
        }
        self.sort(observer)
    }

    /// Sorts by number: first into slots of equal width, then inside each slot.
    ///
    /// On numbers that spread out, this halves the time of a plain sort. On numbers that
    /// crowd in few slots it becomes that plain sort, so no input is slow.
    fn sort(&mut self, observer: &dyn Observer) -> Result<&[Observation]> {
        let numbers = || self.unsorted.iter().map(|one| one.value());
        let low = numbers().fold(f64::INFINITY, f64::min);
        let high = numbers().fold(f64::NEG_INFINITY, f64::max);
        let n_slots = self.unsorted.len() / ROWS_PER_SLOT + 1;
        let scale = (n_slots - 1) as f64 / (high - low);
        // Subtraction, product and truncation all keep the order, whatever they round; NaN
        // (from a width of 0 or beyond the largest float) becomes slot 0.
        let slot = |x: f64| (((x - low) * scale) as usize).min(n_slots - 1);

        // Where the next row of every slot goes: first a count, then a running sum.
        self.slots.clear();
        self.slots.resize(n_slots + 1, 0);
        for block in self.unsorted.chunks(ROWS_PER_LOOK) {
            check(observer)?;
            for one in block {
                self.slots[slot(one.value()) + 1] += 1;
            }
        }
        for i in 0..n_slots {
            self.slots[i + 1] += self.slots[i];
        }
        self.sorted
            .resize(self.unsorted.len(), Observation::default());
        for block in self.unsorted.chunks(ROWS_PER_LOOK) {
            check(observer)?;
            for &one in block {
                let place = &mut self.slots[slot(one.value())];
                self.sorted[*place as usize] = one;
                *place += 1;
            }
        }
        // Now every slot's place is its end, where the one after it starts.
        let mut start = 0;
        for block in self.slots[..n_slots].chunks(ROWS_PER_LOOK / ROWS_PER_SLOT) {
            check(observer)?;
            for &end in block {
                let end = end as usize;
                self.sorted[start..end].sort_unstable_by_key(|one| one.key);
                start = end;
            }
        }
        Ok(&self.sorted)
    }
}

/// The number, unless it is infinite.
pub(super) fn checked(x: f64) -> Result<f64> {
    if x.is_infinite() {
        return Err(Error::data("an infinite number cannot be put into a bin")
            .with_hint("Leave the cell empty, or cap it at a finite number."));
    }
    Ok(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;
    use crate::data::Codes;

    fn sorted_values(values: &[f64]) -> Vec<f64> {
        let mut sorter = Sorter {
            unsorted: values.iter().map(|&x| Observation::new(x, 0)).collect(),
            ..Sorter::default()
        };
        sorter
            .sort(&Silent)
            .unwrap()
            .iter()
            .map(|one| one.value())
            .collect()
    }

    #[test]
    fn numbers_of_all_sizes_come_in_order() {
        let tiny = f64::from_bits(1);
        let cases: [&[f64]; 6] = [
            &[],
            &[7.0],
            &[2.0, 2.0, 2.0],
            // The width overflows.
            &[f64::MAX, -1.0, f64::MIN, 1.0, 0.0],
            // The scale overflows.
            &[2.0 * tiny, 0.0, tiny, -tiny],
            &[3.5, -2.25, 1e-9, 1e9, -7.0, 3.5, 0.5],
        ];
        for case in cases {
            let mut expected = case.to_vec();
            expected.sort_by(f64::total_cmp);
            assert_eq!(sorted_values(case), expected);
        }
    }

    #[test]
    fn minus_zero_is_zero() {
        assert!(Observation::new(-0.0, 0).is_equal(Observation::new(0.0, 1)));
        assert_eq!(Observation::new(-0.0, 0).value().to_bits(), 0);
    }

    #[test]
    fn a_used_sorter_forgets_the_column_before() {
        let class = Codes::new(2, [Some(1), Some(0), Some(1)]);
        let training = Training {
            class: &class,
            n_classes: 2,
            rows: None,
        };
        let mut sorter = Sorter::default();
        let first = sorter
            .observations(&[3.0, 1.0, 2.0], &training, true, &Silent)
            .unwrap();
        let classes: Vec<u32> = first.iter().map(|one| one.class).collect();
        assert_eq!(classes, [0, 1, 1]);
        let nan = f64::NAN;
        let second = sorter
            .observations(&[nan, 5.0, nan], &training, false, &Silent)
            .unwrap();
        let values: Vec<f64> = second.iter().map(|one| one.value()).collect();
        assert_eq!(values, [5.0]);
    }
}
