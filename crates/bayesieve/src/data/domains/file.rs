//! Domains as JSON.

use serde::{Deserialize, Serialize};

use super::{ColumnDomain, Domains};
use crate::data::{CutPoints, Domain, KindOrigin};
use crate::{Error, Result, parameter, quoted};

/// The schema of a file of domains.
pub const DOMAINS_SCHEMA: &str = "bayesieve.domains.v1";

#[derive(Serialize, Deserialize)]
struct DomainsEntry {
    schema: String,
    rows: u64,
    missing: String,
    discretize: String,
    empty_cells: Vec<String>,
    class: ColumnEntry,
    features: Vec<ColumnEntry>,
    excluded: Vec<String>,
    notes: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct ColumnEntry {
    name: String,
    kind: String,
    origin: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    labels: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut_points: Option<Vec<f64>>,
    missing_value: bool,
    values: u64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    more_values: bool,
    missing: u64,
}

const ORIGINS: [(&str, KindOrigin); 5] = [
    ("text", KindOrigin::Text),
    ("few-integers", KindOrigin::FewIntegers),
    ("numbers", KindOrigin::Numbers),
    ("declared", KindOrigin::Declared),
    ("derived", KindOrigin::Derived),
];

/// Why a column has its kind, in a word.
pub(super) fn origin_name(origin: KindOrigin) -> &'static str {
    let found = ORIGINS.iter().find(|(_, known)| *known == origin);
    found.map_or("derived", |(name, _)| name)
}

impl ColumnEntry {
    fn new(column: &ColumnDomain) -> Self {
        let (labels, cut_points) = match &column.cuts {
            None => (Some(column.domain.labels().to_vec()), None),
            Some(cuts) => (None, Some(cuts.as_slice().to_vec())),
        };
        ColumnEntry {
            name: column.name.clone(),
            kind: if labels.is_some() {
                "nominal".to_owned()
            } else {
                "numeric".to_owned()
            },
            origin: origin_name(column.origin).to_owned(),
            missing_value: column.domain.has_missing_value(),
            values: column.n_distinct,
            more_values: column.has_more_values,
            missing: column.n_missing,
            labels,
            cut_points,
        }
    }

    fn column(self) -> Result<ColumnDomain> {
        let origin = ORIGINS.iter().find(|(name, _)| *name == self.origin);
        let (_, origin) = origin.ok_or_else(|| broken("a column has an unknown origin"))?;
        let (labels, cuts) = match (self.labels, self.cut_points) {
            (Some(labels), None) => {
                let mut seen: Vec<&String> = labels.iter().collect();
                seen.sort_unstable();
                if let Some(pair) = seen.windows(2).find(|pair| pair[0] == pair[1]) {
                    let label = quoted(pair[0]);
                    return Err(broken(&format!("the label {label} stands twice")));
                }
                (labels, None)
            }
            (None, Some(cuts)) => {
                let cuts =
                    CutPoints::new(cuts).map_err(|_| broken("the cut points do not rise"))?;
                (cuts.labels(), Some(cuts))
            }
            _ => return Err(broken("a column needs either labels or cut points")),
        };
        Ok(ColumnDomain {
            name: self.name,
            origin: *origin,
            domain: Domain::ordered(labels).with_missing_value(self.missing_value),
            cuts,
            n_distinct: self.values,
            has_more_values: self.more_values,
            n_missing: self.missing,
        })
    }
}

impl Domains {
    /// As a JSON document, the same text for the same domains.
    pub fn to_json(&self) -> String {
        let entry = DomainsEntry {
            schema: DOMAINS_SCHEMA.to_owned(),
            rows: self.n_rows,
            missing: self.missing.to_string(),
            discretize: self.discretizer.to_string(),
            empty_cells: self.empty_cells.clone(),
            class: ColumnEntry::new(&self.class),
            features: self.features.iter().map(ColumnEntry::new).collect(),
            excluded: self.excluded.clone(),
            notes: self.notes.clone(),
        };
        let mut text =
            serde_json::to_string_pretty(&entry).expect("texts and numbers can be written");
        text.push('\n');
        text
    }

    /// Reads a JSON document.
    ///
    /// # Errors
    /// Text that is no such document, one of a newer schema, or one that contradicts itself.
    pub fn from_json(text: &str) -> Result<Self> {
        let value: serde_json::Value =
            serde_json::from_str(text).map_err(|error| broken(&error.to_string()))?;
        let schema = value.get("schema").and_then(|schema| schema.as_str());
        if schema != Some(DOMAINS_SCHEMA) {
            let found = schema.map_or("none".to_owned(), quoted);
            return Err(broken(&format!(
                "the schema is {found}, not {}",
                quoted(DOMAINS_SCHEMA)
            )));
        }
        let entry: DomainsEntry =
            serde_json::from_value(value).map_err(|error| broken(&error.to_string()))?;
        let names = entry.features.iter().map(|column| column.name.as_str());
        let mut names: Vec<&str> = names.chain([entry.class.name.as_str()]).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(broken(&format!(
                "the column {} stands twice",
                quoted(pair[0])
            )));
        }
        let column = |entry: ColumnEntry| {
            let name = entry.name.clone();
            entry.column().map_err(|error| error.in_column(name))
        };
        let domains = Domains {
            class: column(entry.class)?,
            features: entry
                .features
                .into_iter()
                .map(column)
                .collect::<Result<_>>()?,
            missing: entry.missing.parse()?,
            discretizer: entry.discretize.parse()?,
            empty_cells: entry.empty_cells,
            excluded: entry.excluded,
            n_rows: entry.rows,
            notes: entry.notes,
        };
        if domains.class.cuts.is_some() {
            return Err(broken("the class has cut points"));
        }
        Ok(domains)
    }
}

fn broken(what: &str) -> Error {
    Error::data(format!("the domains cannot be read: {what}")).with_hint(format!(
        "Learn them again ({}), and write them to another file.",
        parameter("domains-only")
    ))
}
