//! A column as codes into a dictionary, and what it becomes.

use super::dictionary::{Dictionary, Slots};
use crate::data::{Codes, Column, Domain, KindOrigin, Nominal, Values};

/// Most distinct values of a column of whole numbers that is taken as nominal.
pub(in crate::data) const MAX_NOMINAL_INTEGERS: usize = 20;

/// From here on a float no longer tells neighboring integers apart.
pub(in crate::data) const EXACT_INTEGERS: f64 = 9_007_199_254_740_992.0;

/// The cells of a column so far.
#[derive(Debug)]
pub(super) struct Coded {
    codes: Codes,
    pub(super) dictionary: Dictionary,
    /// The value of every label, while all of them are numbers and may make the column one.
    pub(super) numbers: Option<Vec<f64>>,
    /// Whether the labels are all there from the start.
    pub(super) is_closed: bool,
    /// Codes by the bits of a number, for cells that come as numbers.
    pub(super) by_bits: Slots,
}

impl Coded {
    pub(super) fn new(numbers: Option<Vec<f64>>) -> Self {
        Coded {
            codes: Codes::U8(Vec::new()),
            dictionary: Dictionary::new(),
            numbers,
            is_closed: false,
            by_bits: Slots::default(),
        }
    }

    /// The same, with room for so many cells.
    pub(super) fn with_room(mut self, n_rows: usize) -> Self {
        self.codes = Codes::U8(Vec::with_capacity(n_rows));
        self
    }

    #[inline]
    pub(super) fn push(&mut self, code: u32) {
        // Cutting the code for "no value" gives that of every width.
        match &mut self.codes {
            Codes::U8(cells) => cells.push(code as u8),
            Codes::U16(cells) => cells.push(code as u16),
            Codes::U32(cells) => cells.push(code),
        }
    }

    /// Gives a text the next code, and the codes room for it.
    pub(super) fn add(&mut self, text: &str) -> u32 {
        let code = self.dictionary.add(text);
        let is_full = match self.codes {
            Codes::U8(_) => code >= u32::from(u8::MAX),
            Codes::U16(_) => code >= u32::from(u16::MAX),
            Codes::U32(_) => false,
        };
        if is_full {
            self.codes = Codes::new(self.dictionary.len(), self.codes.iter());
        }
        code
    }

    /// The numbers behind the codes, if all labels are numbers.
    fn as_numbers(&self) -> Option<Vec<f64>> {
        let values = self.numbers.as_ref()?;
        let number = |code: Option<u32>| code.map_or(f64::NAN, |code| values[code as usize]);
        Some(self.codes.iter().map(number).collect())
    }

    /// The numbers behind the codes, if all labels are numbers, and not so few whole ones
    /// that the column may be nominal.
    pub(super) fn as_many_numbers(&self) -> Option<Vec<f64>> {
        let mut values = self.numbers.clone()?;
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        let is_many =
            values.len() > MAX_NOMINAL_INTEGERS || values.iter().any(|value| value.fract() != 0.0);
        is_many.then(|| self.as_numbers()).flatten()
    }

    /// Whether some label is not a number, or none may make the column numeric.
    pub(super) fn is_text(&self) -> bool {
        self.numbers.as_ref().is_none_or(Vec::is_empty)
    }

    /// Nominal for few whole numbers, else numeric.
    pub(super) fn into_column_of_numbers(self, name: &str) -> Column {
        let values = self.numbers.as_deref().unwrap_or_default();
        if values.iter().all(|value| value.fract() == 0.0) {
            let same = equal_numbers(&self.dictionary, values);
            let n_distinct = same
                .iter()
                .zip(0..)
                .filter(|&(&same, code)| same == code)
                .count();
            if n_distinct <= MAX_NOMINAL_INTEGERS {
                return self.into_nominal(name, Some(&same), KindOrigin::FewIntegers);
            }
        }
        let numbers = self.as_numbers().unwrap_or_default();
        Column::new(name, Values::Numeric(numbers), KindOrigin::Numbers)
    }

    /// The column of the labels in use; `same` names the label that stands for each.
    pub(super) fn into_nominal(
        self,
        name: &str,
        same: Option<&[u32]>,
        origin: KindOrigin,
    ) -> Column {
        let n_labels = self.dictionary.len();
        let stands_for = |code: usize| same.map_or(code, |same| same[code] as usize);
        let mut is_used = vec![!self.is_closed; n_labels];
        if self.is_closed {
            for code in self.codes.iter().flatten() {
                is_used[code as usize] = true;
            }
        }
        let mut kept = Vec::new();
        let mut new_codes = vec![0; n_labels];
        for (code, label) in self.dictionary.labels().enumerate() {
            if is_used[code] && stands_for(code) == code {
                new_codes[code] = kept.len();
                kept.push(label.to_owned());
            }
        }
        let (domain, sorted) = Domain::sorted(kept);
        // A label that is not used has no place, and no cell that asks for it.
        let place = |code| sorted.get(new_codes[stands_for(code)]).copied();
        let map: Vec<u32> = (0..n_labels).map(|code| place(code).unwrap_or(0)).collect();
        let codes = self.codes.recode(&map, domain.n_values(), None);
        Column::new(name, Values::Nominal(Nominal { codes, domain }), origin)
    }
}

/// For every text the text that stands for all of equal value: the shortest, then the
/// first by code point.
fn equal_numbers(dictionary: &Dictionary, values: &[f64]) -> Vec<u32> {
    let labels: Vec<&str> = dictionary.labels().collect();
    let mut order: Vec<u32> = (0..labels.len() as u32).collect();
    let rank = |code: u32| {
        let label = labels[code as usize];
        (label.len(), label)
    };
    order.sort_unstable_by(|&a, &b| {
        let (x, y) = (values[a as usize] + 0.0, values[b as usize] + 0.0);
        x.total_cmp(&y).then_with(|| rank(a).cmp(&rank(b)))
    });
    let mut same: Vec<u32> = (0..labels.len() as u32).collect();
    for pair in order.windows(2) {
        let (first, second) = (pair[0] as usize, pair[1] as usize);
        // Long integers that round to one float are still two labels.
        if values[first] == values[second] && values[first].abs() < EXACT_INTEGERS {
            same[second] = same[first];
        }
    }
    same
}
