//! A profile as bytes, for workers on other machines.
//!
//! A magic word with the version, a JSON document, and a checksum of all before it. Classes
//! stand in the order in which they came, so the same rows in another order may give other
//! bytes; the domains that they lead to are the same.

use serde::{Deserialize, Serialize};

use super::class::ClassValue;
use super::feature::FeatureProfile;
use super::labels::{Labels, WholeNumber};
use super::numbers::{NumberCell, NumberCells};
use super::{Profile, ProfileColumns, ProfileOptions};
use crate::data::CodingOptions;
use crate::fingerprint::Fingerprint;
use crate::{Error, Result};

const MAGIC: &[u8; 8] = b"BSPROF02";

/// Rows that a float still counts exactly; sums of a few such numbers still fit.
const MAX_ROWS: u64 = 1 << 53;

#[derive(Serialize, Deserialize)]
struct ProfileEntry {
    missing: String,
    discretize: String,
    empty_cells: Vec<String>,
    max_labels: usize,
    max_numbers: usize,
    excluded: Vec<String>,
    rows: u64,
    rows_without_class: u64,
    rows_with_gaps: u64,
    class: String,
    class_is_text: bool,
    classes: Vec<(ClassValue, u64)>,
    features: Vec<FeatureEntry>,
}

#[derive(Serialize, Deserialize)]
struct FeatureEntry {
    name: String,
    is_text: bool,
    is_declared: bool,
    is_derived: bool,
    missing: u64,
    missing_of_all: u64,
    labels_are_over: bool,
    labels_are_numbers: bool,
    labels: Vec<(String, bool)>,
    few: Vec<(String, Vec<u64>)>,
    numbers: Option<NumbersEntry>,
}

#[derive(Serialize, Deserialize)]
struct NumbersEntry {
    shift: u32,
    n_classes: usize,
    /// The smallest and the largest key of a cell, and its counts.
    cells: Vec<(u64, u64, Vec<u64>)>,
}

impl Profile {
    /// The profile as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        serde_json::to_writer(&mut bytes, &ProfileEntry::new(self))
            .expect("texts and numbers can be written");
        bytes.extend(checksum(&bytes));
        bytes
    }

    /// The profile of some bytes.
    ///
    /// # Errors
    /// Bytes that [`Profile::to_bytes`] did not make, or not all of them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        if !bytes.starts_with(MAGIC) {
            return Err(broken("they are of another kind or version"));
        }
        let sealed = bytes.split_last_chunk::<8>();
        let (body, _) = sealed
            .filter(|(body, sum)| body.len() >= MAGIC.len() && checksum(body) == **sum)
            .ok_or_else(|| broken("they were changed or cut short"))?;
        let entry = serde_json::from_slice(&body[MAGIC.len()..]).ok();
        entry
            .and_then(ProfileEntry::profile)
            .ok_or_else(|| broken("they contradict themselves"))
    }
}

fn checksum(bytes: &[u8]) -> [u8; 8] {
    let mut hash = Fingerprint::new();
    hash.bytes(bytes);
    hash.value().to_le_bytes()
}

fn broken(what: &str) -> Error {
    Error::data(format!("these bytes are no profile: {what}"))
        .with_hint("Profile the rows again, with one version of this program everywhere.")
}

impl ProfileEntry {
    fn new(profile: &Profile) -> Self {
        let options = &profile.options;
        let classes = profile.class.entries.iter();
        ProfileEntry {
            missing: options.coding.missing.to_string(),
            discretize: options.coding.discretizer.to_string(),
            empty_cells: options.empty_cells.clone(),
            max_labels: options.max_labels,
            max_numbers: options.max_numbers,
            excluded: profile.excluded.clone(),
            rows: profile.n_rows,
            rows_without_class: profile.n_without_class,
            rows_with_gaps: profile.n_with_gaps,
            class: profile.class.name.clone(),
            class_is_text: profile.class.is_text,
            classes: classes.map(|c| (c.value.clone(), c.n_used)).collect(),
            features: profile.features.iter().map(FeatureEntry::new).collect(),
        }
    }

    /// `None` where the parts cannot belong together.
    fn profile(self) -> Option<Profile> {
        let options = ProfileOptions {
            coding: CodingOptions {
                missing: self.missing.parse().ok()?,
                discretizer: self.discretize.parse().ok()?,
            },
            empty_cells: self.empty_cells,
            max_labels: self.max_labels,
            max_numbers: self.max_numbers,
        };
        let columns = ProfileColumns {
            class: self.class,
            features: self.features.iter().map(|f| f.name.clone()).collect(),
            excluded: self.excluded,
        };
        let mut profile = Profile::new(&columns, &options).ok()?;
        profile.n_rows = self.rows;
        profile.n_without_class = self.rows_without_class;
        profile.n_with_gaps = self.rows_with_gaps;
        profile.class.is_text = self.class_is_text;
        let n_classes = self.classes.len();
        for (place, (value, n_used)) in self.classes.into_iter().enumerate() {
            // One that is there already, or one too many, is none that was written.
            let is_new = profile.class.place(value.checked()?).ok()? as usize == place;
            profile
                .class
                .entries
                .get_mut(place)
                .filter(|_| is_new)?
                .n_used = n_used;
        }
        for (feature, entry) in profile.features.iter_mut().zip(self.features) {
            entry.fill(feature, n_classes, &options)?;
        }
        is_of_rows(&profile).then_some(profile)
    }
}

impl FeatureEntry {
    fn new(feature: &FeatureProfile) -> Self {
        let labels = feature.labels.sorted().into_iter();
        let few = feature.few.sorted().into_iter();
        FeatureEntry {
            name: feature.name.clone(),
            is_text: feature.is_text,
            is_declared: feature.is_declared,
            is_derived: feature.is_derived,
            missing: feature.n_missing,
            missing_of_all: feature.n_missing_of_all,
            labels_are_over: feature.labels.is_over,
            labels_are_numbers: feature.labels.are_numbers,
            labels: labels
                .map(|(label, used)| (label.to_owned(), used))
                .collect(),
            few: few.map(|n| (n.label.clone(), n.counts.clone())).collect(),
            numbers: feature.numbers.as_ref().map(|numbers| NumbersEntry {
                shift: numbers.shift,
                n_classes: numbers.n_classes,
                cells: numbers
                    .cells()
                    .map(|cell| (cell.least, cell.largest, cell.counts.to_vec()))
                    .collect(),
            }),
        }
    }

    fn fill(
        self,
        feature: &mut FeatureProfile,
        n_classes: usize,
        options: &ProfileOptions,
    ) -> Option<()> {
        feature.is_text = self.is_text;
        feature.is_declared = self.is_declared;
        feature.is_derived = self.is_derived;
        feature.n_missing = self.missing;
        feature.n_missing_of_all = self.missing_of_all;
        let mut labels = Labels::new(options.max_labels);
        for (label, is_used) in self.labels {
            labels.add(&label, is_used);
        }
        labels.is_over |= self.labels_are_over;
        labels.are_numbers &= self.labels_are_numbers;
        feature.labels = labels;
        let max_classes = n_classes.max(1);
        for (label, counts) in self.few {
            let number = WholeNumber::new(&label, counts)?;
            feature
                .few
                .add(Some(number).filter(|n| n.counts.len() <= max_classes)?);
        }
        if let Some(entry) = self.numbers {
            let is_right = entry.shift < 64 && (1..=max_classes).contains(&entry.n_classes);
            is_right.then_some(())?;
            let mut numbers =
                NumberCells::with_shift(options.max_numbers, entry.shift, entry.n_classes);
            for (least, largest, counts) in entry.cells {
                let counts = &counts;
                let cell = NumberCell {
                    least,
                    largest,
                    counts,
                };
                numbers.push_cell(cell).then_some(())?;
            }
            feature.numbers = Some(numbers);
        }
        Some(())
    }
}

/// Whether all that was counted can be of one set of rows.
fn is_of_rows(profile: &Profile) -> bool {
    let used: Vec<u64> = profile.class.entries.iter().map(|c| c.n_used).collect();
    let outside = [profile.n_without_class, profile.n_with_gaps];
    let n_all = sum(outside.into_iter().chain([profile.n_rows]));
    let Some(n_all) = n_all.filter(|&n| n <= MAX_ROWS) else {
        return false;
    };
    // Classes are told apart where cut points depend on them, once there are any.
    let by_class = if profile.options.coding.discretizer.uses_class() && !used.is_empty() {
        used.clone()
    } else {
        vec![profile.n_rows]
    };
    sum(used.into_iter()) == Some(profile.n_rows)
        && profile.features.iter().all(|feature| {
            feature.n_missing <= profile.n_rows
                && feature.n_missing_of_all <= n_all
                && is_within(feature, &by_class)
        })
}

/// Whether the numbers of a feature have no more rows of a class than there are.
fn is_within(feature: &FeatureProfile, by_class: &[u64]) -> bool {
    let mut left = by_class.to_vec();
    let mut take = |counts: &[u64]| {
        let mut counts = counts.iter().enumerate();
        counts.all(|(class, &n)| {
            let left = left.get_mut(class).and_then(|left| {
                *left = left.checked_sub(n)?;
                Some(())
            });
            left.is_some()
        })
    };
    let few = feature.few.iter().all(|number| take(&number.counts));
    let numbers = feature.numbers.as_ref();
    few && numbers.is_none_or(|numbers| numbers.cells().all(|cell| take(cell.counts)))
}

fn sum(mut counts: impl Iterator<Item = u64>) -> Option<u64> {
    counts.try_fold(0u64, u64::checked_add)
}
