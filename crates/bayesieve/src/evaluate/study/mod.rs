//! Long studies: many independent units of work, each computed once, kept and resumed.
//!
//! A study is a list of groups; what the units of a group come back with makes one entry of a
//! table. Groups go one after the other, the units of a group in parallel. A unit depends on
//! nothing but the study's settings and its data, so that the same unit of another run, with
//! more or fewer groups, can be taken from its checkpoint.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Observer;
use crate::journal::{Checkpoint, Journal, broken};
use crate::search::Limits;
use crate::{Error, ErrorKind, Result, quoted};

const SCHEMA: &str = "bayesieve.study-checkpoint.v1";

/// Units whose results make one entry of a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Group {
    /// Names it in messages and in the checkpoint; unique in the study.
    pub name: String,
    /// Tells its data apart from others, as a short text.
    pub data: String,
    /// Number of units.
    pub n_units: usize,
    /// How long a unit takes, roughly, in any measure that all groups share.
    pub cost: u64,
}

/// Many independent units of work.
pub trait Study: Sync {
    /// What a unit comes back with.
    type Measure: Serialize + DeserializeOwned + Clone + Send + Sync;

    /// All that decides what a unit comes back with, besides its group and the data: the
    /// seed, and whatever can be set.
    fn settings(&self) -> Map<String, Value>;

    /// What there is to do, in order.
    fn groups(&self) -> Vec<Group>;

    /// Whether a unit can have come back with this: what a checkpoint holds may have been
    /// changed.
    fn is_possible(&self, _group: usize, _unit: usize, _measure: &Self::Measure) -> bool {
        true
    }

    /// Computes one unit of a group, both counted from 0: the same on every machine, for any
    /// number of threads.
    ///
    /// # Errors
    /// Whatever makes the unit impossible, or the observer cancelled.
    fn measure(&self, group: usize, unit: usize, observer: &dyn Observer) -> Result<Self::Measure>;
}

/// How far a study came.
#[derive(Debug, Clone, PartialEq)]
pub struct Conducted<M> {
    /// By group: what its units came back with, in order; nothing where the run ended before
    /// the last of them.
    pub groups: Vec<Option<Vec<M>>>,
    /// Units that were taken from the checkpoint.
    pub n_resumed: usize,
    /// Whether the run was cut short.
    pub is_cut_short: bool,
    /// What the user should know.
    pub warnings: Vec<String>,
}

/// Computes all units of a study that its checkpoint does not hold.
///
/// # Errors
/// A checkpoint of other settings or other data, one that cannot be read or written, or
/// whatever made a unit impossible. A run that is cancelled is no error: it has the groups
/// that were finished by then.
///
/// # Example
/// ```
/// use bayesieve::evaluate::{Group, Study, conduct};
/// use bayesieve::search::Limits;
/// use bayesieve::{Observer, Result, Silent};
/// use serde_json::{Map, Value};
///
/// /// Squares of the units' numbers.
/// struct Squares;
///
/// impl Study for Squares {
///     type Measure = usize;
///     fn settings(&self) -> Map<String, Value> {
///         Map::new()
///     }
///     fn groups(&self) -> Vec<Group> {
///         vec![Group { name: "squares".into(), data: "none".into(), n_units: 3, cost: 1 }]
///     }
///     fn measure(&self, _: usize, unit: usize, _: &dyn Observer) -> Result<usize> {
///         Ok(unit * unit)
///     }
/// }
/// let conducted = conduct(&Squares, None, &Limits::new(&Silent))?;
/// assert_eq!(conducted.groups, [Some(vec![0, 1, 4])]);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn conduct<S: Study>(
    study: &S,
    checkpoint: Option<&Checkpoint>,
    limits: &Limits<'_>,
) -> Result<Conducted<S::Measure>> {
    let groups = study.groups();
    let known = KnownUnits::open(study, &groups, checkpoint)?;
    let mut conducted = Conducted {
        groups: vec![None; groups.len()],
        n_resumed: 0,
        is_cut_short: false,
        warnings: known
            .journal
            .iter()
            .filter_map(|j| j.note.clone())
            .collect(),
    };
    let watch = StudyProgress {
        limits,
        done: AtomicU64::new(0),
        total: groups.iter().map(Group::total_cost).sum(),
    };
    for (number, group) in groups.iter().enumerate() {
        let units = if limits.is_cancelled() {
            Err(Error::interrupted())
        } else {
            measured(study, (number, group), &known, &watch)
        };
        match units {
            Ok(units) => {
                conducted.n_resumed += known.n_of(group);
                conducted.groups[number] = Some(units);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {
                conducted.is_cut_short = true;
                break;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(conducted)
}

/// All units of a group, those that are not known computed in parallel.
fn measured<S: Study>(
    study: &S,
    (number, group): (usize, &Group),
    known: &KnownUnits<S::Measure>,
    watch: &StudyProgress<'_>,
) -> Result<Vec<S::Measure>> {
    let measured: Vec<Result<S::Measure>> = (0..group.n_units)
        .into_par_iter()
        .map(|unit| {
            let watched = WatchedUnit::new(watch, group);
            let measure = match known.get(group, unit) {
                Some(measure) if study.is_possible(number, unit, measure) => measure.clone(),
                Some(_) => {
                    let whom = format!("{}, unit {}", group.name, unit + 1);
                    return Err(broken(&format!("{whom} cannot have come to this")));
                }
                None => {
                    let measure = study.measure(number, unit, &watched)?;
                    known.keep(group, unit, &measure)?;
                    measure
                }
            };
            watched.advance(group.cost);
            Ok(measure)
        })
        .collect();
    // In order, so that the error does not depend on the threads.
    measured.into_iter().collect()
}

impl Group {
    fn total_cost(&self) -> u64 {
        self.cost.saturating_mul(self.n_units as u64)
    }
}

/// A line of a checkpoint.
#[derive(Serialize, Deserialize)]
struct UnitLine<M> {
    group: String,
    data: String,
    unit: usize,
    measure: M,
}

/// What a checkpoint holds of a study.
struct KnownUnits<M> {
    journal: Option<Journal>,
    /// By group and unit.
    units: BTreeMap<String, BTreeMap<usize, M>>,
}

impl<M: DeserializeOwned> KnownUnits<M> {
    fn open<S: Study<Measure = M>>(
        study: &S,
        groups: &[Group],
        checkpoint: Option<&Checkpoint>,
    ) -> Result<Self> {
        let mut units: BTreeMap<String, BTreeMap<usize, M>> = BTreeMap::new();
        let Some(checkpoint) = checkpoint else {
            let journal = None;
            return Ok(KnownUnits { journal, units });
        };
        let mut run = Map::new();
        run.insert("schema".into(), SCHEMA.into());
        run.insert("version".into(), env!("CARGO_PKG_VERSION").into());
        run.extend(study.settings());
        let data: BTreeMap<&str, &str> = groups
            .iter()
            .map(|group| (group.name.as_str(), group.data.as_str()))
            .collect();
        let (journal, entries) = Journal::open(checkpoint, run, |line| {
            let entry: UnitLine<M> =
                serde_json::from_str(line).map_err(|_| broken("this is no unit's result"))?;
            let is_other = |data: &&str| *data != entry.data;
            if data.get(entry.group.as_str()).is_some_and(is_other) {
                return Err(other_data(&entry.group));
            }
            Ok(entry)
        })?;
        for entry in entries {
            let group = units.entry(entry.group).or_default();
            group.insert(entry.unit, entry.measure);
        }
        let journal = Some(journal);
        Ok(KnownUnits { journal, units })
    }
}

impl<M: Serialize> KnownUnits<M> {
    fn get(&self, group: &Group, unit: usize) -> Option<&M> {
        self.units.get(&group.name)?.get(&unit)
    }

    /// Number of units of a group.
    fn n_of(&self, group: &Group) -> usize {
        let units = self.units.get(&group.name);
        units.map_or(0, |units| units.range(..group.n_units).count())
    }

    /// Adds a unit to the checkpoint, if one is kept.
    fn keep(&self, group: &Group, unit: usize, measure: &M) -> Result<()> {
        let Some(journal) = &self.journal else {
            return Ok(());
        };
        let entry = UnitLine {
            group: group.name.clone(),
            data: group.data.clone(),
            unit,
            measure,
        };
        let line = serde_json::to_string(&entry)
            .map_err(|error| Error::internal(format!("a unit's result is no JSON: {error}")))?;
        journal.append(&(line + "\n"))
    }
}

fn other_data(group: &str) -> Error {
    let group = quoted(group);
    Error::data(format!(
        "the checkpoint has {group} of other data or settings"
    ))
    .with_hint("Use those it was made with, or another file.")
}

/// How far the whole study is.
struct StudyProgress<'a> {
    limits: &'a Limits<'a>,
    done: AtomicU64,
    total: u64,
}

/// How far one unit is: its reports become those of the whole.
struct WatchedUnit<'a> {
    watch: &'a StudyProgress<'a>,
    group: &'a Group,
    done: AtomicU64,
}

impl<'a> WatchedUnit<'a> {
    fn new(watch: &'a StudyProgress<'a>, group: &'a Group) -> Self {
        WatchedUnit {
            watch,
            group,
            done: AtomicU64::new(0),
        }
    }

    /// So much of the unit's cost is behind it.
    fn advance(&self, done: u64) {
        let before = self.done.fetch_max(done, Ordering::Relaxed);
        let more = done.saturating_sub(before);
        let all = self.watch.done.fetch_add(more, Ordering::Relaxed) + more;
        let limits = self.watch.limits;
        limits.progress(&self.group.name, all, self.watch.total);
    }
}

impl Observer for WatchedUnit<'_> {
    fn progress(&self, _: &str, done: u64, total: u64) {
        let share = u128::from(self.group.cost) * u128::from(done) / u128::from(total.max(1));
        self.advance(share.min(u128::from(self.group.cost)) as u64);
    }

    fn is_cancelled(&self) -> bool {
        self.watch.limits.is_cancelled()
    }
}

#[cfg(test)]
mod tests;
