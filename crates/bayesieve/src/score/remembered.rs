//! A score that remembers: every set is scored once, however often it is asked for.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Estimated, FeatureSet, Score};
use crate::stats::Better;
use crate::{Error, Observer, Result};

/// Sets that go to the score at a time where someone listens, so that little is lost when the
/// run is.
const HEARD: usize = 16;

/// Is told of every set that has just been scored.
pub type Listener<'a> = dyn Fn(&[(FeatureSet, f64)]) -> Result<()> + Sync + 'a;

/// Any score, with every set scored once.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::Nominal;
/// use bayesieve::info::Informations;
/// use bayesieve::score::{FeatureSet, Merit, Remembered, Score};
///
/// let a = Nominal::from_labels(["0", "0", "1", "1"].map(Some));
/// let info = Informations::new(&[&a], &a)?;
/// let merit = Merit::new(&info);
/// let remembered = Remembered::new(&merit);
/// let sets = [FeatureSet::of(1, [0])?, FeatureSet::of(1, [0])?];
/// assert_eq!(remembered.evaluate(&sets, &Silent)?, [1.0, 1.0]);
/// assert_eq!((remembered.n_distinct(), remembered.n_repeated()), (1, 1));
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub struct Remembered<'a> {
    score: &'a dyn Score,
    known: Mutex<KnownValue>,
    listener: Option<&'a Listener<'a>>,
}

/// Looked up only, never listed: the order of a map cannot reach a result.
#[derive(Default)]
struct KnownValue {
    values: HashMap<FeatureSet, f64>,
    /// Sets that were asked for; some values may be known from an earlier run.
    asked: HashSet<FeatureSet>,
    n_repeated: u64,
}

impl<'a> Remembered<'a> {
    /// Remembers nothing yet.
    pub fn new(score: &'a dyn Score) -> Self {
        Remembered {
            score,
            known: Mutex::default(),
            listener: None,
        }
    }

    /// With values of an earlier run of the same score.
    #[must_use]
    pub fn with_values(self, values: impl IntoIterator<Item = (FeatureSet, f64)>) -> Self {
        self.known().values.extend(values);
        self
    }

    /// With someone who is told of every set that has been scored, some dozens at a time.
    #[must_use]
    pub fn with_listener(mut self, listener: &'a Listener<'a>) -> Self {
        self.listener = Some(listener);
        self
    }

    /// How many different sets were asked for.
    pub fn n_distinct(&self) -> u64 {
        self.known().asked.len() as u64
    }

    /// How often a set was asked for again.
    pub fn n_repeated(&self) -> u64 {
        self.known().n_repeated
    }

    fn known(&self) -> MutexGuard<'_, KnownValue> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The values of sets, of which `score` gets those that are not known by their places.
    fn values(
        &self,
        sets: &[FeatureSet],
        observer: &dyn Observer,
        score: impl Fn(&[usize]) -> Result<Vec<f64>>,
    ) -> Result<Vec<f64>> {
        let n_before = self.n_distinct();
        let new = self.new_places(sets);
        let n_at_a_time = self.listener.map_or(usize::MAX, |_| HEARD);
        for (batch, places) in new.chunks(n_at_a_time).enumerate() {
            if batch > 0 {
                let n_done = (batch * n_at_a_time) as u64;
                observer.progress("scoring sets", n_done, new.len() as u64);
            }
            let values = score(places)?;
            let sets = places.iter().map(|&place| sets[place].clone());
            let scored: Vec<(FeatureSet, f64)> = sets.zip(values).collect();
            let mut known = self.known();
            known
                .asked
                .extend(scored.iter().map(|(set, _)| set.clone()));
            known.values.extend(scored.iter().cloned());
            drop(known);
            if let Some(listener) = self.listener {
                listener(&scored)?;
            }
        }
        let mut known = self.known();
        for set in sets {
            if !known.asked.contains(set) {
                known.asked.insert(set.clone());
            }
        }
        let n_first = known.asked.len() as u64 - n_before;
        known.n_repeated += sets.len() as u64 - n_first;
        let value = |set| known.values.get(set).copied();
        let values: Option<Vec<f64>> = sets.iter().map(value).collect();
        values.ok_or_else(|| Error::internal("a set that was scored has no value"))
    }

    /// The first place of every set whose value is not known.
    fn new_places(&self, sets: &[FeatureSet]) -> Vec<usize> {
        let known = self.known();
        let mut seen = HashSet::new();
        (0..sets.len())
            .filter(|&place| {
                let set = &sets[place];
                !known.values.contains_key(set) && seen.insert(set)
            })
            .collect()
    }
}

impl Score for Remembered<'_> {
    fn name(&self) -> &'static str {
        self.score.name()
    }

    fn unit(&self) -> &'static str {
        self.score.unit()
    }

    fn better(&self) -> Better {
        self.score.better()
    }

    fn n_features(&self) -> usize {
        self.score.n_features()
    }

    fn evaluate(&self, sets: &[FeatureSet], observer: &dyn Observer) -> Result<Vec<f64>> {
        self.values(sets, observer, |places| {
            let sets: Vec<FeatureSet> = places.iter().map(|&place| sets[place].clone()).collect();
            self.score.evaluate(&sets, observer)
        })
    }

    fn change(
        &self,
        base: &FeatureSet,
        candidates: &[usize],
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        self.values(&base.changed(candidates), observer, |places| {
            let candidates: Vec<usize> = places.iter().map(|&place| candidates[place]).collect();
            self.score.change(base, &candidates, observer)
        })
    }

    fn estimate(&self, set: &FeatureSet, observer: &dyn Observer) -> Result<Option<Estimated>> {
        self.score.estimate(set, observer)
    }

    fn gain(&self, value: f64, than: f64) -> f64 {
        self.score.gain(value, than)
    }

    fn is_better(&self, value: f64, than: f64) -> bool {
        self.score.is_better(value, than)
    }

    fn is_new_best(&self, value: f64, than: f64) -> bool {
        self.score.is_new_best(value, than)
    }

    fn best(&self, values: &[f64]) -> Option<usize> {
        self.score.best(values)
    }
}
