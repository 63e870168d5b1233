//! Counts of one part of the rows, made where the rows are.

use bayesieve::counts::{CountPlan, Counter, JointCounter, PairChoice, Partial, Shard};
use bayesieve::data::{Codes, Domains};
use bayesieve::run::request_from_json;
use bayesieve::{Error, Result};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3_arrow::PyRecordBatch;
use serde::{Deserialize, Serialize};

use crate::blocks::{Kinds, Part};
use crate::errors::OrRaise;

/// What to count; features and nodes are numbered as in the coding, the class last.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Wanted {
    /// Single tables of these features, and pair tables of some of them.
    Tables {
        features: Vec<usize>,
        #[serde(with = "Pairs")]
        pairs: PairChoice,
    },
    /// Joint tables of sets of these nodes.
    Joint {
        nodes: Vec<usize>,
        sets: Vec<Vec<usize>>,
    },
}

/// Pairs of features, by their places in the list, as they are written.
#[derive(Serialize, Deserialize)]
#[serde(remote = "PairChoice", rename_all = "lowercase")]
enum Pairs {
    None,
    All,
    List(Vec<(usize, usize)>),
}

impl Wanted {
    /// All features.
    pub(crate) fn all(domains: &Domains, pairs: PairChoice) -> Self {
        Wanted::Tables {
            features: (0..domains.features.len()).collect(),
            pairs,
        }
    }

    /// As Python hands it to whoever counts.
    pub(crate) fn text(&self) -> Result<String> {
        serde_json::to_string(self).map_err(|error| Error::internal(error.to_string()))
    }

    /// The nodes to code, in the order in which they are counted.
    fn nodes(&self, domains: &Domains) -> Vec<usize> {
        match self {
            Wanted::Tables { features, .. } => {
                let class = domains.class_node();
                features.iter().copied().chain([class]).collect()
            }
            Wanted::Joint { nodes, .. } => nodes.clone(),
        }
    }

    /// Counts of no rows.
    pub(crate) fn counting(&self, domains: &Domains) -> Result<Counting> {
        let n_values = |nodes: &[usize]| -> Result<Vec<usize>> {
            let columns = nodes.iter().map(|&node| domains.column(node));
            columns.map(|column| Ok(column?.n_values())).collect()
        };
        Ok(match self {
            Wanted::Tables { features, pairs } => Counting::Tables(Counter::new(CountPlan {
                n_classes: domains.n_classes(),
                n_values: n_values(features)?,
                pairs: pairs.clone(),
            })?),
            Wanted::Joint { nodes, sets } => {
                Counting::Joint(JointCounter::new(&n_values(nodes)?, sets.clone())?)
            }
        })
    }
}

/// Counts on their way.
#[derive(Clone)]
pub(crate) enum Counting {
    Tables(Counter),
    Joint(JointCounter),
}

impl Counting {
    fn observe(&mut self, columns: &[&Codes]) -> Result<()> {
        match (self, columns.split_last()) {
            (Counting::Tables(counter), Some((class, features))) => {
                counter.observe(features, class)
            }
            (Counting::Joint(counter), Some(_)) => counter.observe(columns),
            (_, None) => Err(Error::internal("a part without columns")),
        }
    }

    /// The counts as those of a part.
    pub(crate) fn into_partial(self, fingerprint: u64, part: Shard) -> Partial {
        match self {
            Counting::Tables(counter) => Partial::of_tables(fingerprint, part.id, counter),
            Counting::Joint(counter) => Partial::of_joint(fingerprint, part, counter),
        }
    }
}

/// The counts of one part, fed batch by batch.
#[pyclass(module = "bayesieve._engine")]
pub(crate) struct PartCounts {
    domains: Domains,
    nodes: Vec<usize>,
    counting: Counting,
    /// Rows that count.
    n_rows: u64,
    part: Part,
}

#[pymethods]
impl PartCounts {
    /// Counts what is wanted by a coding; the part is what tells these rows from all others.
    #[new]
    fn new(coding: &str, wanted: &str, part: String) -> PyResult<Self> {
        let wanted: Wanted = request_from_json(wanted).or_raise()?;
        let domains = Domains::from_json(coding).or_raise()?;
        let nodes = wanted.nodes(&domains);
        let (columns, kinds) = columns_of(&domains, &nodes).or_raise()?;
        Ok(PartCounts {
            counting: wanted.counting(&domains).or_raise()?,
            nodes,
            domains,
            n_rows: 0,
            part: Part::new(part, columns, kinds)?,
        })
    }

    /// Counts some rows; where they cannot be coded none of them is.
    fn observe(&mut self, py: Python<'_>, batches: Vec<PyRecordBatch>) -> PyResult<()> {
        let (domains, nodes) = (&self.domains, &self.nodes);
        let (counting, n_rows) = (&mut self.counting, &mut self.n_rows);
        self.part.take(py, batches, |rows| {
            let codes = domains.code(nodes, rows)?;
            counting.observe(&codes.iter().collect::<Vec<_>>())?;
            *n_rows += codes.first().map_or(0, |codes| codes.len() as u64);
            Ok(())
        })
    }

    /// The counts, to be sent.
    fn to_bytes(&self, py: Python<'_>) -> Vec<u8> {
        py.detach(|| {
            let shard = Shard {
                id: self.part.name.clone(),
                n_rows: self.n_rows,
            };
            let counting = self.counting.clone();
            let partial = counting.into_partial(self.domains.fingerprint(), shard);
            partial.to_bytes()
        })
    }
}

/// The columns that some nodes need, with their kinds.
fn columns_of(domains: &Domains, nodes: &[usize]) -> Result<(Vec<String>, Kinds)> {
    let needed = domains.nodes_to_read(nodes);
    let columns = needed.iter().map(|&node| domains.column(node));
    let columns: Vec<_> = columns.collect::<Result<_>>()?;
    let names = columns.iter().map(|one| one.name.clone());
    let kinds = columns.iter().map(|one| (one.name.clone(), one.kind()));
    Ok((names.collect(), kinds.collect()))
}

/// The columns that a part must have so that something can be counted.
#[pyfunction]
pub(crate) fn wanted_columns(coding: &str, wanted: &str) -> PyResult<Vec<String>> {
    let wanted: Wanted = request_from_json(wanted).or_raise()?;
    let domains = Domains::from_json(coding).or_raise()?;
    let (columns, _) = columns_of(&domains, &wanted.nodes(&domains)).or_raise()?;
    Ok(columns)
}

/// All single and pair tables, as a request.
#[pyfunction]
pub(crate) fn wanted_counts(coding: &str) -> PyResult<String> {
    let domains = Domains::from_json(coding).or_raise()?;
    Wanted::all(&domains, PairChoice::All).text().or_raise()
}

/// The counts of several parts as one; a part that is there twice is refused.
#[pyfunction]
pub(crate) fn merge_parts(py: Python<'_>, parts: Vec<PyBackedBytes>) -> PyResult<Vec<u8>> {
    let merged = || -> Result<Vec<u8>> {
        let sum = merged(&parts)?;
        let sum = sum.ok_or_else(|| Error::internal("no parts to merge"))?;
        Ok(sum.to_bytes())
    };
    py.detach(merged).or_raise()
}

/// The sum of parts; `None` for none.
pub(crate) fn merged(parts: &[PyBackedBytes]) -> Result<Option<Partial>> {
    let mut sum: Option<Partial> = None;
    for bytes in parts {
        let part = Partial::from_bytes(bytes)?;
        match &mut sum {
            None => sum = Some(part),
            Some(sum) => sum.merge(part)?,
        }
    }
    Ok(sum)
}
