//! What a method may choose from.

use super::duplicates;
use super::options::SelectOptions;
use super::reason::Reason;
use super::source::SelectionSource;
use crate::classify::NumberUse;
use crate::data::{CodedTable, Feature, Nominal, unknown_name};
use crate::{Error, Result, parameter, quoted};

/// The features a method may choose from.
pub(super) struct Candidates<'a> {
    /// Their places in the table.
    pub(super) places: Vec<usize>,
    pub(super) names: Vec<&'a str>,
    /// Their codes; `None` for numbers without bins.
    pub(super) coded: Vec<Option<&'a Nominal>>,
    /// The places of features that can tell nothing, and why.
    pub(super) silent: Vec<(usize, Reason)>,
    table: &'a CodedTable,
}

impl<'a> Candidates<'a> {
    pub(super) fn new(source: SelectionSource<'a>, options: &SelectOptions) -> Result<Self> {
        let table = source.table();
        let mut candidates = Candidates {
            places: Vec::new(),
            names: Vec::new(),
            coded: Vec::new(),
            silent: Vec::new(),
            table,
        };
        let takes_numbers = options.takes_numbers();
        for (place, feature) in table.features.iter().enumerate() {
            let name = feature.column.name();
            if feature.coded().is_none() && !takes_numbers {
                return Err(numbers_refused(options).in_column(name));
            }
            // A feature the user wants stays, even if it tells nothing.
            let is_wanted = options.keep.iter().any(|keep| keep == name);
            // Models see numbers as they are coded, but for blocks; other methods may look behind
            // the codes.
            let model = options.model().map(|kind| kind.model().numbers);
            let is_block = model == Some(NumberUse::Plain);
            let as_coded =
                options.method().takes.accuracy && feature.coded().is_some() && !is_block;
            let takes_numbers = takes_numbers && !as_coded;
            let is_constant = || source.is_constant(place);
            match silence(feature, is_constant, takes_numbers).filter(|_| !is_wanted) {
                Some(reason) => candidates.silent.push((place, reason)),
                None => {
                    candidates.places.push(place);
                    candidates.names.push(name);
                    candidates.coded.push(feature.coded());
                }
            }
        }
        if let (true, SelectionSource::Rows(_)) = (options.drops_duplicates, source) {
            candidates.drop_duplicates(options);
        }
        Ok(candidates)
    }

    /// Leaves the first of columns that say the same, and those that the user wants.
    fn drop_duplicates(&mut self, options: &SelectOptions) {
        let firsts = duplicates::firsts(self.table, &self.places);
        let is_wanted = |name: &str| options.keep.iter().any(|keep| keep == name);
        for (number, first) in firsts.into_iter().enumerate().rev() {
            let first = first.filter(|_| !is_wanted(self.names[number]));
            let Some(first) = first else { continue };
            let of = self.table.features[first].column.name().to_owned();
            let reason = Reason::Duplicate {
                of,
                recoding: false,
            };
            self.silent.push((self.places.remove(number), reason));
            self.names.remove(number);
            self.coded.remove(number);
        }
    }

    /// Columns that were looked at: also numbers that no cut point divides.
    pub(super) fn n_offered(&self) -> usize {
        let silent = self.silent.iter();
        let n_uncut = silent.filter(|(_, reason)| *reason == Reason::Uncut);
        self.places.len() + n_uncut.count()
    }

    /// The features to keep, by number.
    pub(super) fn find(&self, keep: &[String]) -> Result<Vec<usize>> {
        let mut found = Vec::new();
        for wanted in keep {
            if *wanted == self.table.class_name {
                return Err(Error::usage(format!(
                    "{keep} names the class {}",
                    quoted(wanted),
                    keep = parameter("keep")
                ))
                .with_hint("Name features only."));
            }
            let place = self.names.iter().position(|name| name == wanted);
            let place =
                place.ok_or_else(|| unknown_name("feature", wanted, self.names.iter().copied()))?;
            if found.contains(&place) {
                return Err(Error::usage(format!(
                    "{keep} names {} twice",
                    quoted(wanted),
                    keep = parameter("keep")
                ))
                .with_hint("Name it once."));
            }
            found.push(place);
        }
        Ok(found)
    }
}

fn numbers_refused(options: &SelectOptions) -> Error {
    let method = options.method();
    match options.model().filter(|_| method.takes.numbers) {
        Some(model) => {
            Error::usage(format!("{model} counts values, not numbers")).with_hint(format!(
                "Leave {discretize} out, or use {model}, block or id3.",
                discretize = parameter("discretize").is("none"),
                model = parameter("model").is("nb")
            ))
        }
        None => Error::usage(format!("{} counts values, not numbers", method.name)).with_hint(
            format!("Bin it: leave {} out.", parameter("discretize").is("none")),
        ),
    }
}

/// Why a feature can tell nothing, if it cannot.
fn silence(
    feature: &Feature,
    is_constant: impl FnOnce() -> bool,
    takes_numbers: bool,
) -> Option<Reason> {
    let is_coded_alike = |coded: &Nominal| coded.n_values() < 2;
    let has_one_code = feature.coded().is_none_or(is_coded_alike);
    if !has_one_code {
        return None;
    }
    if feature.column.as_numeric().is_none() || is_constant() {
        return Some(Reason::Constant);
    }
    (!takes_numbers).then_some(Reason::Uncut)
}

pub(crate) fn check_class(class: &Nominal, name: &str) -> Result<()> {
    check_class_counts(&class.counts(), class.domain.labels(), name)
}

/// Refuses fewer than two classes with rows.
pub(super) fn check_class_counts(counts: &[u64], labels: &[String], name: &str) -> Result<()> {
    let present: Vec<usize> = (0..counts.len()).filter(|&code| counts[code] > 0).collect();
    let message = match present[..] {
        [] => "no row has a class: there is nothing to tell".to_owned(),
        [only] => format!(
            "all rows are of one class, {}: there is nothing to tell",
            quoted(&labels[only])
        ),
        _ => return Ok(()),
    };
    Err(Error::data(message)
        .in_column(name)
        .with_hint(format!("Choose another class ({}).", parameter("class"))))
}
