//! What features tell about the class and one another: singles at once, pairs on demand.
//!
//! Methods differ in the pairs they look at: a forward step needs those of the features
//! already in, a backward walk needs all. So pairs are counted when they are asked for,
//! a batch at a time, and only [`PairRows`] keeps them.

use std::sync::OnceLock;

use rayon::prelude::*;

use super::{PairInformation, Rows, SingleInformation, entropy};
use crate::counts::{CountColumn, CountTable, RowIndex, TableNodes, WeightedRows};
use crate::data::{Codes, Nominal};
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
/// let told = Informations::new(&[&a, &b], &either)?;
/// assert_eq!(told.single(0).mutual, 0.0);
/// let pair = &told.pairs(&[(0, 1)], &Silent)?[0];
/// assert_eq!(pair.with_class, 1.0); // alone they tell nothing, together all
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug)]
pub struct Informations<'a> {
    origin: Origin<'a>,
    singles: Vec<SingleInformation>,
    class_counts: Vec<u64>,
}

/// Where the counts come from.
#[derive(Debug)]
enum Origin<'a> {
    Rows(Box<InMemory<'a>>),
    Tables(TableNodes<'a>),
}

/// Rows in memory.
#[derive(Debug)]
struct InMemory<'a> {
    features: Vec<&'a Nominal>,
    class: &'a Nominal,
    index: RowIndex<'a>,
    /// The same columns with all rows in one class, for tables without the class.
    plain: OnceLock<RowIndex<'a>>,
}

impl<'a> Informations<'a> {
    /// Counts every feature with the class.
    ///
    /// # Errors
    /// Columns of different lengths, or a row without a class.
    pub fn new(features: &[&'a Nominal], class: &'a Nominal) -> Result<Self> {
        let columns: Vec<CountColumn<'a>> =
            features.iter().map(|&feature| feature.into()).collect();
        let index = RowIndex::new(&columns, class.into())?;
        let singles = (0..features.len())
            .into_par_iter()
            .map(|feature| Ok(SingleInformation::new(&index.count_single(feature)?)))
            .collect::<Result<_>>()?;
        Ok(Informations {
            origin: Origin::Rows(Box::new(InMemory {
                features: features.to_vec(),
                class,
                index,
                plain: OnceLock::new(),
            })),
            singles,
            class_counts: class.counts(),
        })
    }

    /// From the counts of rows that are somewhere else: the same to the last bit.
    ///
    /// # Errors
    /// More rows than this machine can number.
    pub fn from_tables(nodes: TableNodes<'a>) -> Result<Self> {
        if usize::try_from(nodes.n_rows()).is_err() {
            return Err(Error::data("there are too many rows to be numbered here"));
        }
        let features = 0..nodes.n_features();
        let singles = features.map(|feature| SingleInformation::new(nodes.single(feature)));
        Ok(Informations {
            singles: singles.collect(),
            class_counts: nodes.class_counts().to_vec(),
            origin: Origin::Tables(nodes),
        })
    }

    /// Number of features.
    pub fn n_features(&self) -> usize {
        self.singles.len()
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        match &self.origin {
            Origin::Rows(rows) => rows.index.n_rows(),
            Origin::Tables(nodes) => nodes.n_rows() as usize,
        }
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.class_counts.len()
    }

    /// Number of values of a feature.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn n_values(&self, feature: usize) -> usize {
        match &self.origin {
            Origin::Rows(rows) => rows.features[feature].n_values(),
            Origin::Tables(nodes) => nodes.n_values()[..nodes.n_features()][feature],
        }
    }

    /// Rows of every class.
    pub fn class_counts(&self) -> &[u64] {
        &self.class_counts
    }

    /// `H(C)`, in bits.
    pub fn class_entropy(&self) -> f64 {
        entropy(&self.class_counts)
    }

    /// Where the counts come from when the rows are not in memory.
    pub fn nodes(&self) -> Option<&TableNodes<'a>> {
        match &self.origin {
            Origin::Rows(_) => None,
            Origin::Tables(nodes) => Some(nodes),
        }
    }

    /// Whether a feature has missing cells.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn has_gaps(&self, feature: usize) -> bool {
        self.singles[feature].n_rows < self.n_rows() as u64
    }

    fn rows(&self) -> Result<&InMemory<'a>> {
        match &self.origin {
            Origin::Rows(rows) => Ok(rows),
            Origin::Tables(_) => Err(Error::internal(
                "rows were asked for where there are counts only",
            )),
        }
    }

    /// The class of every row.
    ///
    /// # Errors
    /// The rows are not in memory.
    pub fn class(&self) -> Result<&'a Nominal> {
        Ok(self.rows()?.class)
    }

    /// The values of a feature in every row.
    ///
    /// # Errors
    /// The rows are not in memory.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn feature(&self, feature: usize) -> Result<&'a Nominal> {
        Ok(self.rows()?.features[feature])
    }

    /// The rows themselves, for tables that nothing here gives.
    ///
    /// # Errors
    /// The rows are not in memory.
    pub fn index(&self) -> Result<&RowIndex<'a>> {
        Ok(&self.rows()?.index)
    }

    /// The same features with all rows in one class: tables without the class are
    /// cheaper to count, most of all where rows are few.
    ///
    /// # Errors
    /// The rows are not in memory.
    pub fn plain_index(&self) -> Result<&RowIndex<'a>> {
        self.rows()?.plain()
    }

    /// The rows of sets of features with the class, to be told apart.
    ///
    /// # Errors
    /// There is no such feature, the observer cancelled, or the tables do not fit in memory.
    ///
    /// # Cost
    /// Nothing for rows in memory, else a joint table for every set.
    pub(crate) fn rows_of(
        &self,
        sets: &[Vec<usize>],
        observer: &dyn Observer,
    ) -> Result<Vec<Rows<'a>>> {
        match &self.origin {
            Origin::Rows(rows) => {
                let of = |set: &Vec<usize>| {
                    let columns = set.iter().map(|&feature| rows.features[feature]);
                    Rows::InMemory(columns.chain([rows.class]).collect())
                };
                Ok(sets.iter().map(of).collect())
            }
            Origin::Tables(nodes) => {
                let class = nodes.n_features();
                let sets = sets.iter().map(|set| [set.as_slice(), &[class]].concat());
                nodes.map_joint(&sets.collect::<Vec<_>>(), observer, |_, table| {
                    Ok(Rows::Counted(WeightedRows::new(table)))
                })
            }
        }
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
        match &self.origin {
            Origin::Rows(rows) => ordered_pairs(&rows.index, pairs, observer, map),
            Origin::Tables(nodes) => counted_pairs(nodes, pairs, observer, |table| table, map),
        }
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
        match &self.origin {
            Origin::Rows(rows) => ordered_pairs(rows.plain()?, pairs, observer, map),
            Origin::Tables(nodes) => {
                counted_pairs(nodes, pairs, observer, |table| table.over_classes(), map)
            }
        }
    }

    /// Counts every pair (a, b) with a < b once, a batch at a time, and hands over what `map`
    /// makes of it.
    ///
    /// # Errors
    /// The observer cancelled.
    ///
    /// # Cost
    /// All pair tables; memory for one batch.
    pub(crate) fn for_each_pair<T: Send>(
        &self,
        observer: &dyn Observer,
        map: impl Fn(&PairInformation) -> T + Sync,
        mut each: impl FnMut(usize, usize, T),
    ) -> Result<()> {
        let n = self.n_features();
        let mut pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
        let mut part = Part {
            whole: observer,
            n_before: 0,
            n_all: (n as u64 * n.saturating_sub(1) as u64) / 2,
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
}

impl<'a> InMemory<'a> {
    fn plain(&self) -> Result<&RowIndex<'a>> {
        if let Some(plain) = self.plain.get() {
            return Ok(plain);
        }
        let columns: Vec<CountColumn<'a>> = self.features.iter().map(|&f| f.into()).collect();
        let one_class = Codes::U8(vec![0; self.index.n_rows()]);
        let plain = RowIndex::new(
            &columns,
            CountColumn {
                codes: &one_class,
                n_values: 1,
            },
        )?;
        Ok(self.plain.get_or_init(|| plain))
    }
}

/// Counts pairs with the lower feature first, so that a pair has one value to the last bit
/// whichever way it is asked for.
fn ordered_pairs<T: Send>(
    index: &RowIndex<'_>,
    pairs: &[(usize, usize)],
    observer: &dyn Observer,
    map: impl Fn(&PairInformation) -> T + Sync,
) -> Result<Vec<T>> {
    index.map_pairs(&ordered(pairs), observer, |place, table: &CountTable| {
        map(&turned(PairInformation::new(table), pairs[place]))
    })
}

/// The same from tables that somebody else counts, after `change`.
fn counted_pairs<T: Send>(
    nodes: &TableNodes<'_>,
    pairs: &[(usize, usize)],
    observer: &dyn Observer,
    change: impl Fn(CountTable) -> CountTable + Sync,
    map: impl Fn(&PairInformation) -> T + Sync,
) -> Result<Vec<T>> {
    let ordered = ordered(pairs);
    let is_pair = |&(a, b): &(usize, usize)| a < b && b < nodes.n_features();
    if !ordered.iter().all(is_pair) {
        return Err(Error::internal("a pair of features that do not exist"));
    }
    let n_rows = nodes.n_rows();
    let mut values = Vec::with_capacity(pairs.len());
    nodes.pairs(&ordered, observer, |start, tables| {
        let tables = tables.into_par_iter().zip(&pairs[start..]);
        values.par_extend(tables.map(|(table, &pair)| {
            let table = change(table).laid_out(n_rows);
            map(&turned(PairInformation::new(&table), pair))
        }));
        observer.progress("counting pairs", values.len() as u64, pairs.len() as u64);
        Ok(())
    })?;
    if values.len() == pairs.len() {
        Ok(values)
    } else {
        Err(Error::internal("a pair was not counted"))
    }
}

/// Pairs with the lower feature first.
fn ordered(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    pairs.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect()
}

/// What was counted with the lower feature first, the way it was asked for.
fn turned(pair: PairInformation, (a, b): (usize, usize)) -> PairInformation {
    if a > b { pair.swapped() } else { pair }
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
/// let told = Informations::new(&[&a, &b, &a], &b)?;
/// let mutual = PairRows::new(&told, |pair| pair.mutual);
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
        let slot = self.rows.get(feature).ok_or_else(|| {
            Error::internal(format!(
                "feature {feature} of {} was asked for",
                self.rows.len()
            ))
        })?;
        if slot.get().is_none() {
            let n = self.rows.len();
            let others = (0..feature).chain(feature + 1..n);
            let pairs: Vec<(usize, usize)> = others.map(|other| (feature, other)).collect();
            let mut row = self.source.map_pairs(&pairs, observer, self.map)?;
            row.insert(feature, T::default());
            // Whoever was first has stored the same values.
            let _ = slot.set(row.into_boxed_slice());
        }
        slot.get()
            .map(|row| &row[..])
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
        let is_new = |&feature: &usize| self.rows.get(feature).is_none_or(|r| r.get().is_none());
        let new: Vec<usize> = features.iter().copied().filter(is_new).collect();
        if new.is_empty() || n < 2 || self.source.nodes().is_none() {
            // Rows in memory are counted one by one just as fast.
            let mut rows = new.iter().map(|&feature| self.row(feature, observer));
            return rows.try_for_each(|row| row.map(|_| ()));
        }
        for features in new.chunks((BATCH / n).max(1)) {
            let others = |&f: &usize| (0..f).chain(f + 1..n).map(move |other| (f, other));
            let pairs: Vec<(usize, usize)> = features.iter().flat_map(others).collect();
            let counted = self.source.map_pairs(&pairs, observer, self.map)?;
            for (&feature, others) in features.iter().zip(counted.chunks(n - 1)) {
                let mut row = others.to_vec();
                row.insert(feature, T::default());
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
        self.source
            .for_each_pair(observer, both, |a, b, (forth, back)| {
                rows[a][b] = forth;
                rows[b][a] = back;
            })?;
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
        let told = Informations::new(&features, &class).unwrap();
        let gain = |pair: &PairInformation| pair.class_from_a_given_b;
        let (lazy, full) = (PairRows::new(&told, gain), PairRows::new(&told, gain));
        full.fill(&Silent).unwrap();
        assert_eq!(lazy.known(1, 0), None);
        for feature in 0..3 {
            let (row, again) = (lazy.row(feature, &Silent), full.row(feature, &Silent));
            assert_eq!(row.unwrap(), again.unwrap());
        }
        // Directed: what 0 tells given 1 is not what 1 tells given 0.
        assert_ne!(full.known(0, 1), full.known(1, 0));
        let both = told.pairs(&[(0, 1), (1, 0)], &Silent).unwrap();
        assert_eq!(both[0].swapped(), both[1]);
        assert_eq!(both[0].class_from_b_given_a, full.known(1, 0).unwrap());
        assert!(lazy.row(3, &Silent).is_err());
    }

    #[test]
    fn tables_without_the_class_give_the_same_information_of_a_pair() {
        let (a, b) = (column(&[0, 1, 1, 0, 1]), column(&[0, 1, 0, 0, 1]));
        let class = column(&[0, 1, 1, 1, 0]);
        let told = Informations::new(&[&a, &b], &class).unwrap();
        let plain = told.plain_index().unwrap().count_pair(0, 1).unwrap();
        let given = &told.pairs(&[(0, 1)], &Silent).unwrap()[0];
        assert!((PairInformation::new(&plain).mutual - given.mutual).abs() < 1e-12);
        assert_eq!(told.class_counts(), [2, 3]);
    }
}
