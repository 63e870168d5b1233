//! What is known about one feature.

use super::ProfileOptions;
use super::labels::{FewIntegers, Labels, WholeNumber};
use super::numbers::{NumberCells, ProfileRows};
use crate::data::domains::no_bins;
use crate::data::{Column, ColumnDomain, Discretizer, Domain, KindOrigin, Nominal, Values};
use crate::wording::grouped;
use crate::{Error, Result, parameter};

/// The cells of a feature so far.
///
/// A block alone cannot tell what the column is: a block of few whole numbers may be a part of
/// many numbers or of text. So all that may matter is kept, until the last block.
#[derive(Debug)]
pub(super) struct FeatureProfile {
    pub(super) name: String,
    /// Numbers were met among text, so the cells were read once more as text.
    pub(super) is_text: bool,
    /// Some block was of a kind that was declared, or made here.
    pub(super) is_declared: bool,
    pub(super) is_derived: bool,
    /// Missing cells of the rows that count, and of all rows.
    pub(super) n_missing: u64,
    pub(super) n_missing_of_all: u64,
    pub(super) labels: Labels,
    pub(super) few: FewIntegers,
    pub(super) numbers: Option<NumberCells>,
}

impl FeatureProfile {
    pub(super) fn new(name: &str, options: &ProfileOptions) -> Self {
        FeatureProfile {
            name: name.to_owned(),
            is_text: false,
            is_declared: false,
            is_derived: false,
            n_missing: 0,
            n_missing_of_all: 0,
            labels: Labels::new(options.max_labels),
            few: FewIntegers::default(),
            numbers: None,
        }
    }

    /// Takes the cells of some rows.
    pub(super) fn observe(
        &mut self,
        column: &Column,
        rows: ProfileRows<'_>,
        options: &ProfileOptions,
    ) {
        self.is_declared |= column.origin() == KindOrigin::Declared;
        self.is_derived |= column.origin() == KindOrigin::Derived;
        self.n_missing_of_all += column.n_missing() as u64;
        self.n_missing += n_missing(column, rows.used);
        let zeros;
        let rows = if options.coding.discretizer.uses_class() {
            rows
        } else {
            zeros = vec![0; column.len()];
            ProfileRows {
                classes: &zeros,
                n_classes: 1,
                ..rows
            }
        };
        match column.values() {
            Values::Numeric(numbers) => self.numbers(options).observe(numbers, rows),
            Values::Nominal(nominal) if column.origin() == KindOrigin::FewIntegers => {
                self.observe_few(nominal, rows, options);
            }
            Values::Nominal(nominal) => self.observe_labels(nominal, rows),
        }
    }

    fn observe_labels(&mut self, nominal: &Nominal, rows: ProfileRows<'_>) {
        let present = nominal.values_present(None);
        let used = rows.used.map(|used| nominal.values_present(Some(used)));
        let used = used.as_ref().unwrap_or(&present);
        for (code, label) in nominal.domain.labels().iter().enumerate() {
            if present[code] {
                self.labels.add(label, used[code]);
            }
        }
    }

    fn observe_few(&mut self, nominal: &Nominal, rows: ProfileRows<'_>, options: &ProfileOptions) {
        let present = nominal.values_present(None);
        let counts = class_counts(nominal, rows);
        let counts = counts.chunks(rows.n_classes.max(1));
        for ((label, is_present), counts) in nominal.domain.labels().iter().zip(present).zip(counts)
        {
            match WholeNumber::new(label, counts.to_vec()) {
                _ if !is_present => {}
                Some(number) => self.few.add(number),
                None => self
                    .labels
                    .add(label, counts.iter().any(|&count| count > 0)),
            }
        }
        self.settle(options);
    }

    /// The numbers, and those that looked few among them.
    fn numbers(&mut self, options: &ProfileOptions) -> &mut NumberCells {
        let numbers = self
            .numbers
            .get_or_insert_with(|| NumberCells::new(options.max_numbers));
        self.few.move_into(numbers);
        numbers
    }

    /// Few whole numbers that are many by now, or stand beside other numbers, are numbers.
    fn settle(&mut self, options: &ProfileOptions) {
        if self.few.are_many() || (self.numbers.is_some() && !self.few.is_empty()) {
            self.numbers(options);
        }
    }

    /// Takes few whole numbers as numbers where a frame in memory would; whether there were any.
    pub(super) fn take_few_as_numbers(&mut self, options: &ProfileOptions) -> bool {
        let are_numbers = !self.is_mixed() && self.few.are_numbers_in_memory();
        if are_numbers {
            self.numbers(options);
        }
        are_numbers
    }

    /// Takes in another profile of the same feature; `classes` are the places of its classes.
    pub(super) fn merge(
        &mut self,
        other: &FeatureProfile,
        classes: &[u32],
        options: &ProfileOptions,
    ) {
        // Where classes are not told apart there is one place, the first.
        let classes = if options.coding.discretizer.uses_class() {
            classes
        } else {
            &[]
        };
        self.is_declared |= other.is_declared;
        self.is_derived |= other.is_derived;
        self.n_missing += other.n_missing;
        self.n_missing_of_all += other.n_missing_of_all;
        self.labels.merge(&other.labels);
        for few in other.few.iter() {
            self.few.add(WholeNumber {
                counts: moved(&few.counts, classes),
                ..few.clone()
            });
        }
        if let Some(numbers) = &other.numbers {
            self.numbers(options).merge(numbers, classes);
        }
        self.settle(options);
    }

    /// Whether numbers were met among text: their texts are needed, and gone.
    pub(super) fn is_mixed(&self) -> bool {
        !self.labels.is_empty() && (self.numbers.is_some() || !self.few.is_empty())
    }

    fn origin_or(&self, inferred: KindOrigin) -> KindOrigin {
        match self {
            _ if self.is_text => KindOrigin::Text,
            _ if self.is_declared => KindOrigin::Declared,
            _ if self.is_derived => KindOrigin::Derived,
            _ => inferred,
        }
    }

    /// The domain; `classes` are the final places of the classes.
    ///
    /// # Errors
    /// Too many labels, or numbers without bins.
    pub(super) fn finish(
        &self,
        classes: &[Option<u32>],
        n_classes: usize,
        options: &ProfileOptions,
    ) -> Result<ColumnDomain> {
        let has_missing_value = options.coding.missing.has_value_for(self.n_missing);
        let mut bins = None;
        let (domain, origin) = if let Some(numbers) = &self.numbers {
            let discretizer = options.coding.discretizer;
            if discretizer == Discretizer::None {
                return Err(no_bins(&self.name));
            }
            let cuts = numbers.cut_points(discretizer, classes, n_classes)?;
            (
                Domain::ordered(bins.insert(cuts).labels()),
                KindOrigin::Numbers,
            )
        } else if !self.few.is_empty() {
            (self.few.domain(), KindOrigin::FewIntegers)
        } else {
            self.check_labels(options)?;
            (self.labels.domain(), KindOrigin::Text)
        };
        let n_labels = domain.labels().len();
        let numbers = self.numbers.as_ref();
        Ok(ColumnDomain {
            name: self.name.clone(),
            origin: self.origin_or(origin),
            n_distinct: numbers.map_or(n_labels, NumberCells::n_distinguished) as u64,
            domain: domain.with_missing_value(has_missing_value),
            cuts: bins,
            has_more_values: numbers.is_some_and(NumberCells::are_shared),
            n_missing: self.n_missing,
        })
    }

    fn check_labels(&self, options: &ProfileOptions) -> Result<()> {
        if !self.labels.is_over {
            return Ok(());
        }
        let name = &self.name;
        let (what, hint) = if self.labels.are_numbers {
            (
                "numbers taken as labels",
                format!(
                    "Take them as numbers ({numeric}), or leave the column out ({ignore}).",
                    numeric = parameter("numeric").is(name),
                    ignore = parameter("ignore").is(name)
                ),
            )
        } else {
            (
                "labels",
                format!(
                    "It looks like a name of every row: leave the column out ({}).",
                    parameter("ignore").is(name)
                ),
            )
        };
        let most = grouped(options.max_labels as u64);
        let message = format!("there are more than {most} different {what}");
        let hint = if options.max_labels < ProfileOptions::default().max_labels {
            format!(
                "{hint} Or raise the limit, which grows with the memory ({memory}).",
                memory = parameter("memory")
            )
        } else {
            hint
        };
        Err(Error::data(message).in_column(name).with_hint(hint))
    }
}

/// The counts of the classes at their new places.
fn moved(counts: &[u64], classes: &[u32]) -> Vec<u64> {
    let place = |class: usize| classes.get(class).map_or(class, |&class| class as usize);
    let n_classes = (0..counts.len()).map(|class| place(class) + 1).max();
    let mut moved = vec![0; n_classes.unwrap_or(0)];
    for (class, &count) in counts.iter().enumerate() {
        moved[place(class)] += count;
    }
    moved
}

/// Missing cells of the rows that count.
fn n_missing(column: &Column, used: Option<&[u32]>) -> u64 {
    let Some(used) = used else {
        return column.n_missing() as u64;
    };
    let rows = used.iter().map(|&row| row as usize);
    let n_missing = match column.values() {
        Values::Nominal(nominal) => rows.filter(|&row| nominal.codes.get(row).is_none()).count(),
        Values::Numeric(numbers) => rows.filter(|&row| numbers[row].is_nan()).count(),
    };
    n_missing as u64
}

/// The rows of every label and class.
fn class_counts(nominal: &Nominal, rows: ProfileRows<'_>) -> Vec<u64> {
    let n_classes = rows.n_classes.max(1);
    let mut counts = vec![0; nominal.n_values() * n_classes];
    let mut count = |row: usize| {
        if let Some(code) = nominal.codes.get(row) {
            counts[code as usize * n_classes + rows.classes[row] as usize] += 1;
        }
    };
    match rows.used {
        None => (0..nominal.codes.len()).for_each(&mut count),
        Some(used) => used.iter().for_each(|&row| count(row as usize)),
    }
    counts
}
