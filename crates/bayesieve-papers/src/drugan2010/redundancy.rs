//! The share of redundant features in training rows, the first columns of Table 2.
//!
//! Definition 2 of the paper, to the row: a feature is redundant given a set if in every
//! combination of their values the classes are shared out as in the values of the set alone.
//! At level 0 the set is empty, at level 1 it is some other feature. Noise makes features
//! irredundant, so that mostly constants and copies are found.

use bayesieve::data::{CodedTable, Codes, CodingOptions, Discretizer, MissingPolicy, Nominal};
use bayesieve::evaluate::{Group, Protocol, Study, conduct};
use bayesieve::search::Limits;
use bayesieve::{Error, Observer, Result};
use serde_json::{Map, Value};

use crate::comparison::ComparedRuns;
use crate::data::PreparedData;

/// A larger table of counts is no table of this paper.
const MAX_CELLS: usize = 1 << 24;

/// Percent of the features that are redundant at levels 0 and 1, run by run; nothing for a
/// data set that was not finished.
pub(super) type RedundantShares = Vec<Option<Vec<[f64; 2]>>>;

/// Finds the shares of every data set, on the rows that its runs learn from.
pub(super) fn shares(runs: &ComparedRuns<'_>) -> Result<RedundantShares> {
    let tables = runs.tables.iter();
    let study = RedundancyStudy {
        data: tables.map(CodedSet::new).collect::<Result<_>>()?,
        seed: runs.request.seed,
    };
    Ok(conduct(&study, None, &Limits::new(runs.observer))?.groups)
}

struct RedundancyStudy {
    data: Vec<CodedSet>,
    seed: u64,
}

/// A data set as codes, missing cells with one of their own.
struct CodedSet {
    name: &'static str,
    protocol: Protocol,
    class: CodeColumn,
    features: Vec<CodeColumn>,
    class_codes: Codes,
}

struct CodeColumn {
    codes: Vec<u32>,
    n_values: usize,
}

impl CodedSet {
    fn new((prepared, protocol): &(PreparedData, Protocol)) -> Result<Self> {
        let coding = CodingOptions {
            missing: MissingPolicy::Value,
            discretizer: Discretizer::Mdlp,
        };
        let coded = CodedTable::new(&prepared.table, &prepared.roles, coding)?;
        let features = coded.features.iter();
        let features = features.filter_map(|feature| feature.coded());
        Ok(CodedSet {
            name: prepared.name,
            protocol: *protocol,
            class: CodeColumn::new(&coded.class),
            features: features.map(CodeColumn::new).collect(),
            class_codes: coded.class.codes,
        })
    }
}

impl CodeColumn {
    fn new(nominal: &Nominal) -> Self {
        let n_values = nominal.n_values();
        let code = |code: Option<u32>| code.unwrap_or(n_values as u32);
        CodeColumn {
            codes: nominal.codes.iter().map(code).collect(),
            n_values: n_values + 1,
        }
    }
}

impl Study for RedundancyStudy {
    type Measure = [f64; 2];

    fn settings(&self) -> Map<String, Value> {
        Map::new()
    }

    fn groups(&self) -> Vec<Group> {
        let groups = self.data.iter().map(|set| {
            let cells = set.class.codes.len() * set.features.len().pow(2);
            Group {
                name: format!("redundancy of {}", set.name),
                data: String::new(),
                n_units: set.protocol.n_splits(),
                cost: cells as u64 / 1000 + 1,
            }
        });
        groups.collect()
    }

    fn measure(&self, group: usize, unit: usize, observer: &dyn Observer) -> Result<[f64; 2]> {
        let missing = || Error::internal(format!("there is no unit {unit} of group {group}"));
        let set = self.data.get(group).ok_or_else(missing)?;
        let split = set
            .protocol
            .split(unit, None, (&set.class_codes, self.seed))?;
        let rows = &split.split.train;
        let n_features = set.features.len();
        let mut n_redundant = [0, 0];
        for feature in 0..n_features {
            if observer.is_cancelled() {
                return Err(Error::interrupted());
            }
            let others = (0..n_features).filter(|&other| other != feature);
            let mut others = others.map(|other| Some(&set.features[other]));
            let feature = &set.features[feature];
            let is = |given: Option<&CodeColumn>| is_redundant(feature, &set.class, given, rows);
            n_redundant[0] += usize::from(is(None));
            n_redundant[1] += usize::from(others.any(is));
        }
        Ok(n_redundant.map(|n| 100.0 * n as f64 / n_features.max(1) as f64))
    }
}

/// Whether N(a, s, c) N(s) = N(a, s) N(s, c) wherever N(a, s) > 0.
fn is_redundant(
    feature: &CodeColumn,
    class: &CodeColumn,
    given: Option<&CodeColumn>,
    rows: &[u32],
) -> bool {
    let n_given = given.map_or(1, |given| given.n_values);
    let (n_values, n_classes) = (feature.n_values, class.n_values);
    if n_given * n_values * n_classes > MAX_CELLS {
        return false;
    }
    let mut counts = vec![0u64; n_given * n_values * n_classes];
    for &row in rows {
        let row = row as usize;
        let s = given.map_or(0, |given| given.codes[row] as usize);
        let a = feature.codes[row] as usize;
        counts[(s * n_values + a) * n_classes + class.codes[row] as usize] += 1;
    }
    counts.chunks(n_values * n_classes).all(|of_s| {
        let by_class = |class: usize| of_s.iter().skip(class).step_by(n_classes).sum::<u64>();
        let by_class: Vec<u64> = (0..n_classes).map(by_class).collect();
        let n_s: u64 = by_class.iter().sum();
        of_s.chunks(n_classes).all(|of_a| {
            let n_a: u64 = of_a.iter().sum();
            let mut cells = of_a.iter().zip(&by_class);
            cells.all(|(&n, &n_class)| n * n_s == n_a * n_class)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(codes: &[u32]) -> CodeColumn {
        CodeColumn {
            codes: codes.to_vec(),
            n_values: 3,
        }
    }

    #[test]
    fn redundancy_is_by_the_row() {
        let class = column(&[0, 1, 0, 1]);
        let rows = [0, 1, 2, 3];
        let is = |feature: &CodeColumn, given| is_redundant(feature, &class, given, &rows);
        // Half of the rows of each value are of each class.
        assert!(is(&column(&[0, 0, 1, 1]), None));
        assert!(is(&column(&[2, 2, 2, 2]), None));
        let copy = column(&[0, 1, 0, 1]);
        assert!(!is(&copy, None));
        assert!(is(&copy, Some(&copy)));
        // One row more is noise enough.
        assert!(!is(&column(&[0, 0, 0, 1]), None));
        // On the first two rows alone every feature that does not vary there is redundant.
        let pair = column(&[0, 0, 1, 0]);
        assert!(is_redundant(&pair, &class, None, &rows[..2]));
    }
}
