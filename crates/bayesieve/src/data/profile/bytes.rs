//! A profile as bytes, for workers on other machines.
//!
//! A magic word with the version, the head (columns and options), the counts, and a checksum
//! of all before it. Whole numbers are eight bytes, the lowest first; texts have their length
//! before them. Classes stand in the order in which they came, so the same rows in another
//! order may give other bytes; the domains that they lead to are the same.

use super::class::{ClassProfile, ClassValue};
use super::feature::FeatureProfile;
use super::labels::{Labels, WholeNumber};
use super::numbers::NumberCells;
use super::{Profile, ProfileColumns, ProfileOptions};
use crate::data::CodingOptions;
use crate::fingerprint::Fingerprint;
use crate::{Error, Result};

const MAGIC: &[u8; 8] = b"BSPROF01";

/// Rows that a float still counts exactly; sums of a few such numbers still fit.
const MOST_ROWS: u64 = 1 << 53;

impl Profile {
    /// The profile as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer(MAGIC.to_vec());
        out.0.extend(self.head());
        out.wholes(&[self.n_rows, self.n_without_class, self.n_with_gaps]);
        out.class(&self.class);
        self.features
            .iter()
            .for_each(|feature| out.feature(feature));
        let mut hash = Fingerprint::new();
        hash.bytes(&out.0);
        out.whole(hash.value());
        out.0
    }

    /// The profile of some bytes.
    ///
    /// # Errors
    /// Bytes that [`Profile::to_bytes`] did not make, or not all of them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let body = bytes.strip_prefix(MAGIC);
        let body = body.ok_or_else(|| broken("they are of another kind or version"))?;
        let (body, checksum) = body
            .split_last_chunk::<8>()
            .ok_or_else(|| broken("they are cut short"))?;
        let mut hash = Fingerprint::new();
        hash.bytes(&bytes[..bytes.len() - checksum.len()]);
        if hash.value() != u64::from_le_bytes(*checksum) {
            return Err(broken("they were changed or cut short"));
        }
        let mut input = Reader(body);
        input
            .profile()
            .ok_or_else(|| broken("they contradict themselves"))
    }

    /// Columns and options, which profiles to be merged share.
    pub(super) fn head(&self) -> Vec<u8> {
        let mut out = Writer(Vec::new());
        let options = &self.options;
        out.text(&options.coding.missing.to_string());
        out.text(&options.coding.discretizer.to_string());
        out.texts(&options.empty_cells);
        out.wholes(&[options.max_labels as u64, options.max_numbers as u64]);
        out.texts(&self.excluded);
        out.text(&self.class.name);
        out.flag(self.class.is_text);
        out.whole(self.features.len() as u64);
        for feature in &self.features {
            out.text(&feature.name);
            out.flag(feature.is_text);
        }
        out.0
    }
}

fn broken(what: &str) -> Error {
    Error::data(format!("these bytes are no profile: {what}"))
        .with_hint("Profile the rows again, with one version of this program everywhere.")
}

struct Writer(Vec<u8>);

impl Writer {
    fn whole(&mut self, n: u64) {
        self.0.extend(n.to_le_bytes());
    }

    fn wholes(&mut self, all: &[u64]) {
        all.iter().for_each(|&n| self.whole(n));
    }

    fn flag(&mut self, flag: bool) {
        self.0.push(u8::from(flag));
    }

    fn text(&mut self, text: &str) {
        self.whole(text.len() as u64);
        self.0.extend(text.as_bytes());
    }

    fn texts(&mut self, texts: &[String]) {
        self.whole(texts.len() as u64);
        texts.iter().for_each(|text| self.text(text));
    }

    fn class(&mut self, class: &ClassProfile) {
        self.whole(class.entries.len() as u64);
        for entry in &class.entries {
            match &entry.value {
                ClassValue::Text(label) => {
                    self.whole(0);
                    self.text(label);
                }
                ClassValue::Whole { label, .. } => {
                    self.whole(1);
                    self.text(label);
                }
                ClassValue::Number(number) => {
                    self.whole(2);
                    self.whole(number.to_bits());
                }
            }
            self.whole(entry.n_used);
        }
    }

    fn feature(&mut self, feature: &FeatureProfile) {
        self.flag(feature.is_declared);
        self.flag(feature.is_derived);
        self.wholes(&[feature.n_missing, feature.n_missing_of_all]);
        self.flag(feature.labels.is_over);
        self.flag(feature.labels.are_numbers);
        let labels = feature.labels.sorted();
        self.whole(labels.len() as u64);
        for (label, is_used) in labels {
            self.text(label);
            self.flag(is_used);
        }
        let few = feature.few.sorted();
        self.whole(few.len() as u64);
        for number in few {
            self.text(&number.label);
            self.whole(number.counts.len() as u64);
            self.wholes(&number.counts);
        }
        self.flag(feature.numbers.is_some());
        if let Some(numbers) = &feature.numbers {
            let (shift, n_classes, cells) = numbers.parts();
            self.wholes(&[u64::from(shift), n_classes as u64, numbers.len() as u64]);
            for (keys, counts) in cells {
                self.wholes(&keys);
                self.wholes(counts);
            }
        }
    }
}

/// Every part is `None` where the bytes do not have it.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn whole(&mut self) -> Option<u64> {
        let (word, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*word))
    }

    /// A number of things of which each takes a byte at least, so that no number that cannot
    /// be asks for memory.
    fn length(&mut self) -> Option<usize> {
        let n = usize::try_from(self.whole()?).ok()?;
        (n <= self.0.len()).then_some(n)
    }

    fn flag(&mut self) -> Option<bool> {
        let (&flag, rest) = self.0.split_first()?;
        self.0 = rest;
        (flag <= 1).then_some(flag == 1)
    }

    fn text(&mut self) -> Option<String> {
        let n = self.length()?;
        let (text, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        String::from_utf8(text.to_vec()).ok()
    }

    fn texts(&mut self) -> Option<Vec<String>> {
        let n = self.length()?;
        (0..n).map(|_| self.text()).collect()
    }

    fn wholes(&mut self, n: usize) -> Option<Vec<u64>> {
        (n <= self.0.len() / 8)
            .then(|| (0..n).map(|_| self.whole()).collect())
            .flatten()
    }

    fn profile(&mut self) -> Option<Profile> {
        let options = ProfileOptions {
            coding: CodingOptions {
                missing: self.text()?.parse().ok()?,
                discretizer: self.text()?.parse().ok()?,
            },
            empty_cells: self.texts()?,
            max_labels: usize::try_from(self.whole()?).ok()?,
            max_numbers: usize::try_from(self.whole()?).ok()?,
        };
        let excluded = self.texts()?;
        let (class, class_is_text) = (self.text()?, self.flag()?);
        let n_features = self.length()?;
        let (mut features, mut are_text) = (Vec::new(), Vec::new());
        for _ in 0..n_features {
            features.push(self.text()?);
            are_text.push(self.flag()?);
        }
        let columns = ProfileColumns {
            class,
            features,
            excluded,
        };
        let mut profile = Profile::new(&columns, &options).ok()?;
        profile.n_rows = self.whole()?;
        profile.n_without_class = self.whole()?;
        profile.n_with_gaps = self.whole()?;
        profile.class.is_text = class_is_text;
        self.class(&mut profile.class)?;
        let n_classes = profile.class.entries.len();
        for (feature, is_text) in profile.features.iter_mut().zip(are_text) {
            feature.is_text = is_text;
            self.feature(feature, n_classes, &options)?;
        }
        (self.0.is_empty() && is_of_rows(&profile)).then_some(profile)
    }

    fn class(&mut self, class: &mut ClassProfile) -> Option<()> {
        for place in 0..self.length()? {
            let value = match self.whole()? {
                0 => ClassValue::Text(self.text()?),
                1 => {
                    let WholeNumber { label, number, .. } =
                        WholeNumber::new(&self.text()?, Vec::new())?;
                    ClassValue::Whole { label, number }
                }
                2 => {
                    let number = f64::from_bits(self.whole()?);
                    ClassValue::Number(Some(number).filter(|x| x.is_finite())?)
                }
                _ => return None,
            };
            // One that is there already, or one too many, is none that was written.
            let is_new = class.place(value).ok()? as usize == place;
            class.entries.get_mut(place).filter(|_| is_new)?.n_used = self.whole()?;
        }
        Some(())
    }

    fn feature(
        &mut self,
        feature: &mut FeatureProfile,
        n_classes: usize,
        options: &ProfileOptions,
    ) -> Option<()> {
        feature.is_declared = self.flag()?;
        feature.is_derived = self.flag()?;
        feature.n_missing = self.whole()?;
        feature.n_missing_of_all = self.whole()?;
        let (is_over, are_numbers) = (self.flag()?, self.flag()?);
        let mut labels = Labels::new(options.max_labels);
        for _ in 0..self.length()? {
            let label = self.text()?;
            labels.add(&label, self.flag()?);
        }
        labels.is_over |= is_over;
        labels.are_numbers &= are_numbers;
        feature.labels = labels;
        for _ in 0..self.length()? {
            let label = self.text()?;
            let n = self.length().filter(|&n| n <= n_classes.max(1))?;
            let counts = self.wholes(n)?;
            feature.few.add(WholeNumber::new(&label, counts)?);
        }
        if self.flag()? {
            feature.numbers = Some(self.numbers(n_classes, options)?);
        }
        Some(())
    }

    fn numbers(&mut self, n_classes: usize, options: &ProfileOptions) -> Option<NumberCells> {
        let shift = u32::try_from(self.whole()?)
            .ok()
            .filter(|&shift| shift < 64)?;
        let stride = usize::try_from(self.whole()?).ok();
        let stride = stride.filter(|&stride| (1..=n_classes.max(1)).contains(&stride))?;
        let mut numbers = NumberCells::with_shift(options.max_numbers, shift, stride);
        for _ in 0..self.length()? {
            let keys = [self.whole()?, self.whole()?];
            let counts = self.wholes(stride)?;
            numbers.push_part(keys, &counts).then_some(())?;
        }
        Some(numbers)
    }
}

/// Whether all that was counted can be of one set of rows.
fn is_of_rows(profile: &Profile) -> bool {
    let used: Vec<u64> = profile.class.entries.iter().map(|c| c.n_used).collect();
    let outside = [profile.n_without_class, profile.n_with_gaps];
    let n_all = sum(outside.into_iter().chain([profile.n_rows]));
    let Some(n_all) = n_all.filter(|&n| n <= MOST_ROWS) else {
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
        let counts = counts.iter().enumerate();
        let mut taken = counts.map(|(class, &n)| {
            let left = left.get_mut(class)?;
            *left = left.checked_sub(n)?;
            Some(())
        });
        taken.all(|taken| taken.is_some())
    };
    let few = feature.few.iter().all(|number| take(&number.counts));
    let numbers = feature.numbers.as_ref().map(NumberCells::parts);
    few && numbers.is_none_or(|(_, _, mut cells)| cells.all(|(_, counts)| take(counts)))
}

fn sum(mut counts: impl Iterator<Item = u64>) -> Option<u64> {
    counts.try_fold(0u64, u64::checked_add)
}
