//! What tells two domains apart, in words.

use super::file::origin_name;
use super::{ColumnDomain, Domains};
use crate::data::format_number;
use crate::{Error, Result, parameter, quoted};

impl Domains {
    /// Checks that cells become the same codes by the same rules in both, so that what was
    /// counted by one can be added to what was counted by the other.
    ///
    /// # Errors
    /// A data error that names the first column that differs, and how.
    pub fn check_same(&self, other: &Domains) -> Result<()> {
        match self.difference(other) {
            Some(error) => Err(error.with_hint(format!(
                "Learn the domains once ({}), on all parts, and count every part by them ({}).",
                parameter("domains-only"),
                parameter("domains")
            ))),
            None => Ok(()),
        }
    }

    fn difference(&self, other: &Domains) -> Option<Error> {
        if self.class.name != other.class.name {
            let [mine, theirs] = [self, other].map(|domains| quoted(&domains.class.name));
            let what = format!("the class is {mine} in one, {theirs} in the other");
            return Some(domains_differ(what));
        }
        if let Some(what) = self.difference_of_names(other) {
            return Some(domains_differ(what));
        }
        let mine = self.features.iter().chain([&self.class]);
        let columns = mine.zip(other.features.iter().chain([&other.class]));
        let mut columns = columns.filter_map(|(mine, other)| {
            let what = mine.difference(other)?;
            Some(domains_differ(what).in_column(mine.name.as_str()))
        });
        columns.next().or_else(|| self.difference_of_rules(other))
    }

    fn difference_of_names(&self, other: &Domains) -> Option<String> {
        let n_features = self.features.len().max(other.features.len());
        let name = |domains: &Domains, place: usize| {
            let feature = domains.features.get(place);
            feature.map(|feature| feature.name.clone())
        };
        let mut pairs = (0..n_features).map(|place| (name(self, place), name(other, place)));
        Some(match pairs.find(|(mine, other)| mine != other)? {
            (Some(mine), Some(other)) => format!(
                "one has the feature {} where the other has {}",
                quoted(&mine),
                quoted(&other)
            ),
            (mine, other) => {
                let only = mine.or(other).unwrap_or_default();
                format!("the feature {} is in one only", quoted(&only))
            }
        })
    }

    fn difference_of_rules(&self, other: &Domains) -> Option<Error> {
        let rules = [
            (
                "missing",
                self.missing.to_string(),
                other.missing.to_string(),
            ),
            (
                "discretize",
                self.discretizer.to_string(),
                other.discretizer.to_string(),
            ),
            (
                "texts of empty cells",
                self.empty_cells.join(","),
                other.empty_cells.join(","),
            ),
            (
                "columns that are left out",
                self.excluded.join(","),
                other.excluded.join(","),
            ),
        ];
        let (rule, mine, other) = rules.into_iter().find(|(_, mine, other)| mine != other)?;
        Some(domains_differ(format!(
            "{rule}: {} in one, {} in the other",
            quoted(&mine),
            quoted(&other)
        )))
    }

    /// Takes over what another, of the same codes, says of the rows it was learned on: of
    /// every number the larger, and all notes. In any order, and however often, the same.
    pub fn join_facts(&mut self, other: &Domains) {
        self.n_rows = self.n_rows.max(other.n_rows);
        let mine = self.features.iter_mut().chain([&mut self.class]);
        for (mine, other) in mine.zip(other.features.iter().chain([&other.class])) {
            mine.n_distinct = mine.n_distinct.max(other.n_distinct);
            mine.has_more_values |= other.has_more_values;
            mine.n_missing = mine.n_missing.max(other.n_missing);
        }
        if self.notes != other.notes {
            self.notes.extend(other.notes.iter().cloned());
            self.notes.sort_unstable();
            self.notes.dedup();
        }
    }
}

fn domains_differ(how: String) -> Error {
    Error::data(format!("the domains differ: {how}"))
}

impl ColumnDomain {
    /// How two columns of one name differ.
    fn difference(&self, other: &ColumnDomain) -> Option<String> {
        let of_codes = match (&self.cuts, &other.cuts) {
            (None, None) => difference_of_labels(self.domain.labels(), other.domain.labels()),
            (Some(mine), Some(other)) => difference_of_cuts(mine.as_slice(), other.as_slice()),
            _ => Some("labels in one, numbers in the other".to_owned()),
        };
        of_codes.or_else(|| {
            let gap = |column: &ColumnDomain| column.domain.has_missing_value();
            if gap(self) != gap(other) {
                return Some("an empty cell is a value in one only".to_owned());
            }
            let [mine, other] = [self, other].map(|column| origin_name(column.origin));
            (mine != other)
                .then(|| format!("its kind is that of {mine} in one, of {other} in the other"))
        })
    }
}

fn difference_of_labels(mine: &[String], other: &[String]) -> Option<String> {
    let first_missing = |of: &[String], among: &[String]| {
        let mut among: Vec<&String> = among.iter().collect();
        among.sort_unstable();
        let is_missing = |label: &&String| among.binary_search(label).is_err();
        of.iter().find(is_missing).cloned()
    };
    if let Some(label) = first_missing(mine, other).or_else(|| first_missing(other, mine)) {
        return Some(format!("the label {} is in one only", quoted(&label)));
    }
    let differs = mine.iter().zip(other).find(|(mine, other)| mine != other);
    differs.map(|(mine, other)| {
        let (mine, other) = (quoted(mine), quoted(other));
        format!("the label {mine} stands in one where {other} stands in the other")
    })
}

fn difference_of_cuts(mine: &[f64], other: &[f64]) -> Option<String> {
    let is_in = |cut: &f64, cuts: &[f64]| cuts.iter().any(|other| other == cut);
    let of_mine = mine.iter().find(|cut| !is_in(cut, other));
    let cut = of_mine.or_else(|| other.iter().find(|cut| !is_in(cut, mine)))?;
    Some(format!("the cut at {} is in one only", format_number(*cut)))
}
