//! The labels of a column, and those that may yet turn out to be numbers.

use std::collections::HashMap;

use super::numbers::NumberCells;
use crate::data::read::{EXACT_INTEGERS, MAX_NOMINAL_INTEGERS};
use crate::data::{Domain, parse_number};

/// Different texts, up to a limit.
#[derive(Debug)]
pub(super) struct Labels {
    most: usize,
    places: HashMap<String, u32>,
    /// In order of first sight.
    labels: Vec<String>,
    /// Whether a row that counts has it.
    is_used: Vec<bool>,
    /// There are more labels than the limit.
    pub(super) is_over: bool,
    /// Every label is a number.
    pub(super) are_numbers: bool,
}

impl Labels {
    pub(super) fn new(most: usize) -> Self {
        Labels {
            most,
            places: HashMap::new(),
            labels: Vec::new(),
            is_used: Vec::new(),
            is_over: false,
            are_numbers: true,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Takes a label that some row has; `is_used` where a row that counts does.
    pub(super) fn add(&mut self, label: &str, is_used: bool) {
        if let Some(&place) = self.places.get(label) {
            self.is_used[place as usize] |= is_used;
            return;
        }
        self.are_numbers &= parse_number(label).is_some();
        if self.labels.len() >= self.most {
            self.is_over = true;
            return;
        }
        self.places
            .insert(label.to_owned(), self.labels.len() as u32);
        self.labels.push(label.to_owned());
        self.is_used.push(is_used);
    }

    pub(super) fn merge(&mut self, other: &Labels) {
        for (label, is_used) in other.iter() {
            self.add(label, is_used);
        }
        self.is_over |= other.is_over;
        self.are_numbers &= other.are_numbers;
    }

    /// The labels and whether each is used.
    fn iter(&self) -> impl Iterator<Item = (&str, bool)> {
        let labels = self.labels.iter().map(String::as_str);
        labels.zip(self.is_used.iter().copied())
    }

    /// The same by code point, for a form that does not depend on the order of the rows.
    pub(super) fn sorted(&self) -> Vec<(&str, bool)> {
        let mut sorted: Vec<(&str, bool)> = self.iter().collect();
        sorted.sort_unstable();
        sorted
    }

    /// The domain of the labels in use. The order is that of all labels: a word that only
    /// rows without a class have still makes the column one of words.
    pub(super) fn domain(&self) -> Domain {
        domain_of_used(self.iter())
    }
}

/// The domain of labels in use, in the order that all of them have.
pub(super) fn domain_of_used<'a>(labels: impl Iterator<Item = (&'a str, bool)>) -> Domain {
    let (labels, is_used): (Vec<String>, Vec<bool>) =
        labels.map(|(label, used)| (label.to_owned(), used)).unzip();
    let (domain, map) = Domain::sorted(labels);
    if is_used.iter().all(|&used| used) {
        return domain;
    }
    let mut is_used_there = vec![false; is_used.len()];
    for (&place, is_used) in map.iter().zip(is_used) {
        is_used_there[place as usize] = is_used;
    }
    let used = domain.labels().iter().zip(is_used_there);
    let used = used.filter(|(_, used)| *used).map(|(label, _)| label);
    Domain::ordered(used.cloned().collect())
}

/// A whole number as it was written, and the rows of every class that have it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WholeNumber {
    pub(super) label: String,
    pub(super) number: f64,
    pub(super) counts: Vec<u64>,
}

impl WholeNumber {
    /// `None` where the label is no whole number.
    pub(super) fn new(label: &str, counts: Vec<u64>) -> Option<Self> {
        let number = parse_number(label).filter(|number| number.fract() == 0.0)?;
        Some(WholeNumber {
            label: label.to_owned(),
            number,
            counts,
        })
    }

    /// Whether two labels are one number: "1" and "01". Long integers that round to one float
    /// are still two.
    pub(super) fn is_same(&self, other: &WholeNumber) -> bool {
        let is_exact = self.number.abs() < EXACT_INTEGERS;
        (is_exact && self.number == other.number) || self.label == other.label
    }

    fn is_used(&self) -> bool {
        self.counts.iter().any(|&count| count > 0)
    }
}

/// Of two labels of one number the one that stands for both: the shorter, then the first by
/// code point.
pub(super) fn shorter<'a>(a: &'a str, b: &'a str) -> &'a str {
    if (a.len(), a) <= (b.len(), b) { a } else { b }
}

/// The whole numbers of a column that has few of them so far.
#[derive(Debug, Default)]
pub(super) struct FewIntegers {
    numbers: Vec<WholeNumber>,
}

impl FewIntegers {
    pub(super) fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Whether they are more than a nominal column may have.
    pub(super) fn are_many(&self) -> bool {
        self.numbers.len() > MAX_NOMINAL_INTEGERS
    }

    /// Whether a frame or an array that held them has said that they are numbers: they are not
    /// the two values of yes and no, and floats tell them apart.
    pub(super) fn are_numbers_in_memory(&self) -> bool {
        let mut numbers = self.numbers.iter();
        self.numbers.len() > 2 && numbers.all(|known| known.number.abs() < EXACT_INTEGERS)
    }

    pub(super) fn add(&mut self, new: WholeNumber) {
        let Some(known) = self.numbers.iter_mut().find(|known| known.is_same(&new)) else {
            self.numbers.push(new);
            return;
        };
        known.label = shorter(&known.label, &new.label).to_owned();
        if known.counts.len() < new.counts.len() {
            known.counts.resize(new.counts.len(), 0);
        }
        for (count, more) in known.counts.iter_mut().zip(&new.counts) {
            *count += more;
        }
    }

    /// Hands the numbers over to a column of many.
    pub(super) fn move_into(&mut self, cells: &mut NumberCells) {
        for known in self.numbers.drain(..) {
            cells.add_counts(known.number, &known.counts);
        }
    }

    /// The numbers in a form that does not depend on the order of the rows.
    pub(super) fn sorted(&self) -> Vec<&WholeNumber> {
        let mut sorted: Vec<&WholeNumber> = self.numbers.iter().collect();
        sorted.sort_unstable_by(|a, b| a.label.cmp(&b.label));
        sorted
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &WholeNumber> {
        self.numbers.iter()
    }

    pub(super) fn domain(&self) -> Domain {
        let numbers = self.numbers.iter();
        domain_of_used(numbers.map(|known| (known.label.as_str(), known.is_used())))
    }
}
