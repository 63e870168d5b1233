//! What is known about the class, and the class of every row of a block.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::labels::{WholeNumber, domain_of_used, shorter};
use crate::Result;
use crate::data::column::distinct_numbers;
use crate::data::read::MAX_NOMINAL_INTEGERS;
use crate::data::roles::{check_classes, check_numeric_classes, no_class};
use crate::data::{Column, Domain, KindOrigin, Nominal, Values, format_number};

/// The class of a row without one.
pub(super) const NO_CLASS: u32 = u32::MAX;

/// Whole numbers that stay apart however large: by their labels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum ClassValue {
    /// A label that is text.
    Text(String),
    /// A label that is a whole number.
    Whole { label: String, number: f64 },
    /// A number.
    Number(f64),
}

/// A class that some row has, and the rows that count among them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ClassEntry {
    pub(super) value: ClassValue,
    pub(super) n_used: u64,
}

/// The classes in order of first sight.
#[derive(Debug)]
pub(super) struct ClassProfile {
    pub(super) name: String,
    /// Numbers were met among text, so the cells were read once more as text.
    pub(super) is_text: bool,
    pub(super) entries: Vec<ClassEntry>,
}

/// The classes in their final order.
#[derive(Debug)]
pub(super) struct Classes {
    pub(super) domain: Domain,
    /// The place of every entry, `None` where no row that counts has it.
    pub(super) places: Vec<Option<u32>>,
}

impl ClassValue {
    /// The same, unless it is none that a row can have.
    pub(super) fn checked(self) -> Option<Self> {
        let is_right = match &self {
            ClassValue::Text(_) => true,
            ClassValue::Whole { label, number } => {
                WholeNumber::new(label, Vec::new()).is_some_and(|whole| whole.number == *number)
            }
            ClassValue::Number(number) => number.is_finite(),
        };
        is_right.then_some(self)
    }

    fn number(&self) -> Option<f64> {
        match self {
            ClassValue::Text(_) => None,
            ClassValue::Whole { number, .. } | ClassValue::Number(number) => Some(*number),
        }
    }

    /// Whether two are one class: numbers by their value, as far as a float tells them apart.
    fn is_same(&self, other: &ClassValue) -> bool {
        match (self, other) {
            (ClassValue::Text(a), ClassValue::Text(b)) => a == b,
            (ClassValue::Whole { label: a, .. }, ClassValue::Whole { label: b, .. }) => {
                let [a, b] = [a, b].map(|label| WholeNumber::new(label, Vec::new()));
                a.zip(b).is_some_and(|(a, b)| a.is_same(&b))
            }
            (ClassValue::Number(a), ClassValue::Number(b)) => a == b,
            // A whole number of a block of few and the same among fractions.
            _ => false,
        }
    }
}

impl ClassProfile {
    pub(super) fn new(name: &str) -> Self {
        ClassProfile {
            name: name.to_owned(),
            is_text: false,
            entries: Vec::new(),
        }
    }

    /// The place of a class, old or new.
    ///
    /// # Errors
    /// More classes than there can be.
    pub(super) fn place(&mut self, new: ClassValue) -> Result<u32> {
        let same = self
            .entries
            .iter()
            .position(|entry| entry.value.is_same(&new));
        let Some(place) = same else {
            self.entries.push(ClassEntry {
                value: new,
                n_used: 0,
            });
            self.check()?;
            return Ok(self.entries.len() as u32 - 1);
        };
        if let (ClassValue::Whole { label, .. }, ClassValue::Whole { label: new, .. }) =
            (&mut self.entries[place].value, &new)
        {
            *label = shorter(label, new).to_owned();
        }
        Ok(place as u32)
    }

    /// Refuses more classes than there can be, whatever is still to come. A number may have
    /// two entries, as one of few and as one of many.
    fn check(&self) -> Result<()> {
        if check_classes(&self.name, self.entries.len()).is_ok() {
            return Ok(());
        }
        let n_numbers = self.distinct_numbers().len();
        let values = self.entries.iter().map(|entry| entry.value.number());
        match values.filter(Option::is_none).count() {
            0 => check_numeric_classes(&self.name, n_numbers),
            n_texts => check_classes(&self.name, n_texts + n_numbers),
        }
    }

    /// The class of every row, [`NO_CLASS`] where it is missing.
    ///
    /// # Errors
    /// More classes than there can be.
    pub(super) fn observe(&mut self, column: &Column) -> Result<Vec<u32>> {
        match column.values() {
            Values::Nominal(nominal) => {
                let is_whole = column.origin() == KindOrigin::FewIntegers;
                let places = self.places_of_labels(nominal, is_whole)?;
                let class = |code: Option<u32>| {
                    let place = code.and_then(|code| places.get(code as usize));
                    place.copied().unwrap_or(NO_CLASS)
                };
                Ok(nominal.codes.iter().map(class).collect())
            }
            Values::Numeric(numbers) => {
                let mut known: HashMap<u64, u32> = HashMap::new();
                let mut class = |&x: &f64| {
                    let x = x + 0.0;
                    if x.is_nan() {
                        return Ok(NO_CLASS);
                    }
                    if let Some(&place) = known.get(&x.to_bits()) {
                        return Ok(place);
                    }
                    let place = self.place(ClassValue::Number(x))?;
                    known.insert(x.to_bits(), place);
                    Ok(place)
                };
                numbers.iter().map(&mut class).collect()
            }
        }
    }

    /// The places of the labels that occur.
    fn places_of_labels(&mut self, nominal: &Nominal, is_whole: bool) -> Result<Vec<u32>> {
        let is_present = nominal.values_present(None);
        let labels = nominal.domain.labels().iter().zip(is_present);
        let mut places = Vec::with_capacity(labels.len());
        for (label, is_present) in labels {
            let whole = WholeNumber::new(label, Vec::new()).filter(|_| is_whole);
            let value = match whole {
                Some(whole) => ClassValue::Whole {
                    label: whole.label,
                    number: whole.number,
                },
                None => ClassValue::Text(label.clone()),
            };
            places.push(if is_present {
                self.place(value)?
            } else {
                NO_CLASS
            });
        }
        Ok(places)
    }

    /// Counts rows that count.
    pub(super) fn count(&mut self, classes: impl Iterator<Item = u32>) {
        for class in classes {
            if let Some(entry) = self.entries.get_mut(class as usize) {
                entry.n_used += 1;
            }
        }
    }

    /// Takes in another profile's classes and tells their places.
    ///
    /// # Errors
    /// More classes than there can be.
    pub(super) fn merge(&mut self, other: &ClassProfile) -> Result<Vec<u32>> {
        let mut places = Vec::with_capacity(other.entries.len());
        for entry in &other.entries {
            let place = self.place(entry.value.clone())?;
            self.entries[place as usize].n_used += entry.n_used;
            places.push(place);
        }
        Ok(places)
    }

    fn has_text(&self) -> bool {
        let mut values = self.entries.iter().map(|entry| &entry.value);
        values.any(|value| matches!(value, ClassValue::Text(_)))
    }

    /// Whether numbers were met among text: their texts are needed, and gone.
    pub(super) fn is_mixed(&self) -> bool {
        self.has_text()
            && self
                .entries
                .iter()
                .any(|entry| entry.value.number().is_some())
    }

    /// The different numbers in rising order.
    fn distinct_numbers(&self) -> Vec<f64> {
        distinct_numbers(self.entries.iter().filter_map(|entry| entry.value.number()))
    }

    /// The classes in their order.
    ///
    /// # Errors
    /// A class that cannot be one.
    pub(super) fn finish(&self) -> Result<Classes> {
        if self.entries.is_empty() {
            return Err(no_class(&self.name));
        }
        let is_number = |entry: &ClassEntry| matches!(entry.value, ClassValue::Number(_));
        let has_numbers = self.entries.iter().any(is_number);
        let are_many = self.entries.len() > MAX_NOMINAL_INTEGERS && !self.has_text();
        let label = |entry: &ClassEntry| match &entry.value {
            // Numbers are written anew where some have fractions.
            value if has_numbers || are_many => {
                value.number().map(format_number).unwrap_or_default()
            }
            ClassValue::Text(label) | ClassValue::Whole { label, .. } => label.clone(),
            ClassValue::Number(number) => format_number(*number),
        };
        if has_numbers || are_many {
            check_numeric_classes(&self.name, self.distinct_numbers().len())?;
        }
        let mut labels: Vec<(String, bool)> = Vec::new();
        for entry in &self.entries {
            let (label, is_used) = (label(entry), entry.n_used > 0);
            match labels.iter_mut().find(|(known, _)| *known == label) {
                Some((_, used)) => *used |= is_used,
                None => labels.push((label, is_used)),
            }
        }
        check_classes(&self.name, labels.len())?;
        let labels = labels.iter().map(|(label, used)| (label.as_str(), *used));
        let domain = domain_of_used(labels);
        let places = self.entries.iter().map(|entry| domain.code(&label(entry)));
        Ok(Classes {
            places: places.collect(),
            domain,
        })
    }
}
