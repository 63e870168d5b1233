//! What features tell about the class and one another: singles at once, pairs on demand.
//!
//! Methods differ in the pairs they look at: a forward step needs those of the features
//! already in, a backward walk needs all. So pairs are counted when they are asked for,
//! a batch at a time, and only [`PairRows`] keeps them.

use std::sync::OnceLock;

use rayon::prelude::*;

use super::{PairInformation, SingleInformation, entropy};
use crate::counts::{CountColumn, CountTable, PairKind, TableNodes};
use crate::data::Nominal;
use crate::{Error, Result};
use crate::{Observer, Part};

/// Pairs counted in one call; bounds the memory of a wide table.
const BATCH: usize = 1 << 20;

/// Features and a class with what each feature tells, ready to be asked about pairs.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::Nominal;
/// use bayesieve::info::Informations;
///
/// let a = Nominal::from_labels(["0", "0", "1", "1"].map(Some));
/// let b = Nominal::from_labels(["0", "1", "0", "1"].map(Some));
/// let either = Nominal::from_labels(["0", "1", "1", "0"].map(Some)); // one, not both
/// let info = Informations::new(&[&a, &b], &either)?;
/// assert_eq!(info.single(0).mutual, 0.0);
/// let pair = &info.pairs(&[(0, 1)], &Silent)?[0];
/// assert_eq!(pair.with_class, 1.0); // alone they tell nothing, together all
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug)]
pub struct Informations<'a> {
    nodes: TableNodes<'a>,
    singles: Vec<SingleInformation>,
}

impl<'a> Informations<'a> {
    /// Counts every feature with the class.
    ///
    /// # Errors
    /// Columns of different lengths, or a row without a class.
    pub fn new(features: &[&'a Nominal], class: &'a Nominal) -> Result<Self> {
        let columns: Vec<CountColumn<'a>> =
            features.iter().map(|&feature| feature.into()).collect();
        Informations::of(TableNodes::of_rows(&columns, class.into())?)
    }

    /// From the counts of rows, wherever they are: the same to the last bit.
    ///
    /// # Errors
    /// More rows than this machine can number.
    pub fn of(nodes: TableNodes<'a>) -> Result<Self> {
        if usize::try_from(nodes.n_rows()).is_err() {
            return Err(Error::data("there are too many rows to be numbered here"));
        }
        // The first look counts all of them, on all threads.
        let tables: Vec<&CountTable> = (0..nodes.n_features()).map(|f| nodes.single(f)).collect();
        let singles = tables.into_par_iter().map(SingleInformation::new).collect();
        Ok(Informations { singles, nodes })
    }

    /// Number of features.
    pub fn n_features(&self) -> usize {
        self.singles.len()
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.nodes.n_rows() as usize
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.class_counts().len()
    }

    /// Number of values of a feature.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn n_values(&self, feature: usize) -> usize {
        self.nodes.n_values()[..self.n_features()][feature]
    }

    /// Rows of every class.
    pub fn class_counts(&self) -> &[u64] {
        self.nodes.class_counts()
    }

    /// `H(C)`, in bits.
    pub fn class_entropy(&self) -> f64 {
        entropy(self.class_counts())
    }

    /// Where the counts come from.
    pub fn nodes(&self) -> &TableNodes<'a> {
        &self.nodes
    }

    /// Whether a feature has missing cells.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn has_gaps(&self, feature: usize) -> bool {
        self.singles[feature].n_rows < self.n_rows() as u64
    }

    /// What a feature tells about the class.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn single(&self, feature: usize) -> &SingleInformation {
        &self.singles[feature]
    }

    /// What every feature tells about the class.
    pub fn singles(&self) -> &[SingleInformation] {
        &self.singles
    }

    /// What each pair tells, in the order asked for; `a` is the first of the pair.
    ///
    /// # Errors
    /// There is no such feature, or the observer cancelled.
    ///
    /// # Cost
    /// A pair table given the class each; nothing is kept.
    pub fn pairs(
        &self,
        pairs: &[(usize, usize)],
        observer: &dyn Observer,
    ) -> Result<Vec<PairInformation>> {
        self.map_pairs(pairs, observer, |pair| *pair)
    }

    /// As [`Informations::pairs`], keeping of each pair only what `map` makes of it.
    ///
    /// # Errors
    /// As [`Informations::pairs`].
    pub fn map_pairs<T: Send>(
        &self,
        pairs: &[(usize, usize)],
        observer: &dyn Observer,
        map: impl Fn(&PairInformation) -> T + Sync,
    ) -> Result<Vec<T>> {
        self.map_pairs_of(PairKind::GivenClass, pairs, observer, map)
    }

    /// As [`Informations::map_pairs`], from tables without the class: only what the two
    /// features tell about each other is known.
    ///
    /// # Errors
    /// As [`Informations::pairs`].
    pub fn map_plain_pairs<T: Send>(
        &self,
        pairs: &[(usize, usize)],
        observer: &dyn Observer,
        map: impl Fn(&PairInformation) -> T + Sync,
    ) -> Result<Vec<T>> {
        self.map_pairs_of(PairKind::Plain, pairs, observer, map)
    }

    /// A pair is counted with the lower feature first, so that it has one value to the last
    /// bit whichever way it is asked for.
    fn map_pairs_of<T: Send>(
        &self,
        kind: PairKind,
        pairs: &[(usize, usize)],
        observer: &dyn Observer,
        map: impl Fn(&PairInformation) -> T + Sync,
    ) -> Result<Vec<T>> {
        self.nodes.map_pairs(pairs, kind, observer, |place, table| {
            let pair = PairInformation::new(table);
            let (a, b) = pairs[place];
            map(&if a > b { pair.swapped() } else { pair })
        })
    }

    /// Counts every pair (a, b) of some features, which rise, with a < b once, a batch at a
    /// time, and hands over what `map` makes of it.
    ///
    /// # Errors
    /// The observer cancelled.
    ///
    /// # Cost
    /// All pair tables; memory for one batch.
    pub(crate) fn for_each_pair<T: Send>(
        &self,
        features: &[usize],
        observer: &dyn Observer,
        map: impl Fn(&PairInformation) -> T + Sync,
        mut each: impl FnMut(usize, usize, T),
    ) -> Result<()> {
        let n = features.len() as u64;
        let firsts = features.iter().enumerate();
        let mut pairs = firsts.flat_map(|(i, &a)| features[i + 1..].iter().map(move |&b| (a, b)));
        let mut part = Part {
            whole: observer,
            n_before: 0,
            n_all: n * n.saturating_sub(1) / 2,
        };
        loop {
            let batch: Vec<(usize, usize)> = pairs.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                return Ok(());
            }
            let values = self.map_pairs(&batch, &part, &map)?;
            for (&(a, b), value) in batch.iter().zip(values) {
                each(a, b, value);
            }
            part.n_before += batch.len() as u64;
        }
    }

    /// All features by number.
    pub(crate) fn features(&self) -> Vec<usize> {
        (0..self.n_features()).collect()
    }
}

/// One quantity of pairs, kept row by row: the pairs of a feature with all features.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::Nominal;
/// use bayesieve::info::{Informations, PairRows};
///
/// let a = Nominal::from_labels(["0", "0", "1", "1"].map(Some));
/// let b = Nominal::from_labels(["0", "1", "0", "1"].map(Some));
/// let info = Informations::new(&[&a, &b, &a], &b)?;
/// let mutual = PairRows::new(&info, |pair| pair.mutual);
/// assert_eq!(mutual.row(0, &Silent)?, [0.0, 0.0, 1.0]); // nothing for a feature and itself
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug)]
pub struct PairRows<'i, 'a, T> {
    source: &'i Informations<'a>,
    map: fn(&PairInformation) -> T,
    rows: Vec<OnceLock<Box<[T]>>>,
}

impl<'i, 'a, T: Copy + Default + Send + Sync> PairRows<'i, 'a, T> {
    /// Keeps what `map` makes of a pair whose `a` is the feature of the row.
    pub fn new(source: &'i Informations<'a>, map: fn(&PairInformation) -> T) -> Self {
        let mut rows = Vec::new();
        rows.resize_with(source.n_features(), OnceLock::new);
        PairRows { source, map, rows }
    }

    /// The pairs of a feature with every feature, the default with itself.
    ///
    /// # Errors
    /// There is no such feature, or the observer cancelled.
    ///
    /// # Cost
    /// The pair tables of the feature, the first time.
    pub fn row(&self, feature: usize, observer: &dyn Observer) -> Result<&[T]> {
        self.count_rows(&[feature], observer)?;
        let row = self.rows.get(feature).and_then(OnceLock::get);
        row.map(|row| &row[..])
            .ok_or_else(|| Error::internal("a row of pairs was not kept"))
    }

    /// Counts the rows of some features in one go.
    ///
    /// # Errors
    /// There is no such feature, or the observer cancelled.
    ///
    /// # Cost
    /// The pair tables of those features that were not counted yet.
    pub fn count_rows(&self, features: &[usize], observer: &dyn Observer) -> Result<()> {
        let n = self.rows.len();
        let is_new = |&feature: &usize| self.rows.get(feature).is_some_and(|r| r.get().is_none());
        let new: Vec<usize> = features.iter().copied().filter(is_new).collect();
        // Most features need nearly all pairs: each is counted once then.
        if 2 * new.len() > n {
            return self.fill(observer);
        }
        for features in new.chunks((BATCH / n.max(1)).max(1)) {
            let mut pairs = Vec::with_capacity(features.len() * (n - 1));
            for &feature in features {
                let others = (0..feature).chain(feature + 1..n);
                pairs.extend(others.map(|other| (feature, other)));
            }
            let counted = self.source.map_pairs(&pairs, observer, self.map)?;
            for (&feature, counted) in features.iter().zip(counted.chunks(n - 1)) {
                let (before, behind) = counted.split_at(feature);
                let row = [before, &[T::default()], behind].concat();
                // Whoever was first has stored the same values.
                let _ = self.rows[feature].set(row.into_boxed_slice());
            }
        }
        Ok(())
    }

    /// Counts all pairs at once, each table once.
    ///
    /// # Errors
    /// The observer cancelled.
    ///
    /// # Cost
    /// All pair tables; memory for both directions of every pair.
    pub fn fill(&self, observer: &dyn Observer) -> Result<()> {
        let n = self.rows.len();
        if self.rows.iter().all(|row| row.get().is_some()) {
            return Ok(());
        }
        let mut rows = vec![vec![T::default(); n]; n];
        let both = |pair: &PairInformation| ((self.map)(pair), (self.map)(&pair.swapped()));
        self.source.for_each_pair(
            &self.source.features(),
            observer,
            both,
            |a, b, (forth, back)| {
                rows[a][b] = forth;
                rows[b][a] = back;
            },
        )?;
        for (slot, row) in self.rows.iter().zip(rows) {
            let _ = slot.set(row.into_boxed_slice());
        }
        Ok(())
    }

    /// The pair, if its row has been counted.
    pub fn known(&self, a: usize, b: usize) -> Option<T> {
        self.rows.get(a)?.get()?.get(b).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

    fn column(cells: &[u8]) -> Nominal {
        let labels: Vec<String> = cells.iter().map(u8::to_string).collect();
        Nominal::from_labels(labels.iter().map(|label| Some(label.as_str())))
    }

    #[test]
    fn rows_one_by_one_and_all_at_once_are_equal_to_the_last_bit() {
        let columns = [
            column(&[0, 1, 2, 0, 1, 2, 2, 2, 1]),
            column(&[0, 0, 1, 1, 0, 0, 1, 1, 1]),
            column(&[0, 1, 1, 1, 1, 0, 3, 3, 0]),
        ];
        let class = column(&[0, 1, 0, 1, 1, 1, 0, 0, 1]);
        let features: Vec<&Nominal> = columns.iter().collect();
        let info = Informations::new(&features, &class).unwrap();
        let gain = |pair: &PairInformation| pair.class_from_a_given_b;
        let (lazy, full) = (PairRows::new(&info, gain), PairRows::new(&info, gain));
        full.fill(&Silent).unwrap();
        assert_eq!(lazy.known(1, 0), None);
        for feature in 0..3 {
            let (row, again) = (lazy.row(feature, &Silent), full.row(feature, &Silent));
            assert_eq!(row.unwrap(), again.unwrap());
        }
        // Directed: what 0 tells given 1 is not what 1 tells given 0.
        assert_ne!(full.known(0, 1), full.known(1, 0));
        let both = info.pairs(&[(0, 1), (1, 0)], &Silent).unwrap();
        assert_eq!(both[0].swapped(), both[1]);
        assert_eq!(both[0].class_from_b_given_a, full.known(1, 0).unwrap());
        assert!(lazy.row(3, &Silent).is_err());
    }

    #[test]
    fn tables_without_the_class_give_the_same_information_of_a_pair() {
        let (a, b) = (column(&[0, 1, 1, 0, 1]), column(&[0, 1, 0, 0, 1]));
        let class = column(&[0, 1, 1, 1, 0]);
        let info = Informations::new(&[&a, &b], &class).unwrap();
        let plain = info.map_plain_pairs(&[(0, 1)], &Silent, |pair| pair.mutual);
        let given = &info.pairs(&[(0, 1)], &Silent).unwrap()[0];
        assert!((plain.unwrap()[0] - given.mutual).abs() < 1e-12);
        assert_eq!(info.class_counts(), [2, 3]);
    }
}
