//! One named column: nominal codes with a domain, or numbers.

use bayesieve_counts::CountColumn;

use super::{Code, Codes, Domain, Notation};
use crate::with_codes;

/// Why a column has the kind it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KindOrigin {
    /// Some cell is text, so the column is nominal.
    Text,
    /// Whole numbers with few distinct values, so the column is nominal.
    FewIntegers,
    /// Numbers.
    Numbers,
    /// Texts that write numbers in this notation.
    Written(Notation),
    /// The user or the file's own schema said so.
    Declared,
    /// Made here: bins of a numeric column, or generated.
    Derived,
}

/// Cells that are codes into a domain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nominal {
    /// One code a row.
    pub codes: Codes,
    /// What the codes mean.
    pub domain: Domain,
}

impl<'a> From<&'a Nominal> for CountColumn<'a> {
    fn from(nominal: &'a Nominal) -> Self {
        CountColumn {
            codes: &nominal.codes,
            n_values: nominal.n_values(),
        }
    }
}

impl Nominal {
    /// Codes and what they mean.
    pub fn new(codes: Codes, domain: Domain) -> Self {
        Nominal { codes, domain }
    }

    /// From labels, `None` where missing; the domain is the sorted set of labels present.
    ///
    /// # Example
    /// ```
    /// use bayesieve::data::Nominal;
    ///
    /// let nominal = Nominal::from_labels([Some("b"), None, Some("a")]);
    /// assert_eq!(nominal.domain.labels(), ["a", "b"]);
    /// assert_eq!(nominal.codes.get(0), Some(1));
    /// ```
    pub fn from_labels<'a>(cells: impl IntoIterator<Item = Option<&'a str>>) -> Self {
        let cells: Vec<Option<&str>> = cells.into_iter().collect();
        let mut labels: Vec<&str> = cells.iter().flatten().copied().collect();
        labels.sort_unstable();
        labels.dedup();
        let codes = Codes::new(
            labels.len(),
            cells.iter().map(|cell| {
                cell.and_then(|label| labels.binary_search(&label).ok().map(|code| code as u32))
            }),
        );
        let (domain, map) = Domain::sorted(labels.iter().map(ToString::to_string).collect());
        Nominal::new(codes.recode(&map, domain.n_values(), None), domain)
    }

    /// Number of values, the missing value included where it counts as one.
    pub fn n_values(&self) -> usize {
        self.domain.n_values()
    }

    /// The given rows, in their order. The domain stays whole.
    #[must_use]
    pub fn take(&self, rows: &[u32]) -> Self {
        Nominal::new(self.codes.take(rows), self.domain.clone())
    }

    /// How many rows have each value.
    pub fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.n_values()];
        for code in self.codes.iter().flatten() {
            counts[code as usize] += 1;
        }
        counts
    }

    /// Which values some rows have, of all rows or of these.
    pub(super) fn values_present(&self, rows: Option<&[u32]>) -> Vec<bool> {
        fn mark<C: Code>(cells: &[C], is_present: &mut [bool], rows: Option<&[u32]>) {
            let mut mark = |cell: C| {
                // A missing cell is beyond the end.
                if let Some(is_present) = is_present.get_mut(cell.index()) {
                    *is_present = true;
                }
            };
            match rows {
                None => cells.iter().for_each(|&cell| mark(cell)),
                Some(rows) => rows.iter().for_each(|&row| mark(cells[row as usize])),
            }
        }
        let mut is_present = vec![false; self.n_values()];
        with_codes!(&self.codes, cells => mark(cells, &mut is_present, rows));
        is_present
    }

    /// The same column with only the labels that occur.
    #[must_use]
    pub fn with_labels_present(&self) -> Self {
        let is_present = self.values_present(None);
        if is_present.iter().all(|&present| present) {
            return self.clone();
        }
        let mut map = vec![0; self.n_values()];
        let mut kept = Vec::new();
        for (code, label) in self.domain.labels().iter().enumerate() {
            if is_present[code] {
                map[code] = kept.len() as u32;
                kept.push(label.clone());
            }
        }
        let codes = self.codes.recode(&map, kept.len(), None);
        Nominal::new(codes, Domain::ordered(kept))
    }

    /// The same column with its gaps as a value of their own, where it has any.
    #[must_use]
    pub fn with_missing_value(&self) -> Self {
        if self.codes.n_missing() == 0 {
            return self.clone();
        }
        let gap = self.domain.labels().len() as u32;
        let same: Vec<u32> = (0..gap).collect();
        let codes = self.codes.recode(&same, gap as usize + 1, Some(gap));
        Nominal::new(codes, self.domain.clone().with_missing_value(true))
    }
}

/// The cells of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Codes into a domain.
    Nominal(Nominal),
    /// Finite numbers; a missing cell is NaN.
    Numeric(Vec<f64>),
}

/// A named column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    name: String,
    values: Values,
    origin: KindOrigin,
}

impl Column {
    /// A column of either kind. Numbers must be finite, or NaN where missing.
    pub fn new(name: impl Into<String>, values: Values, origin: KindOrigin) -> Self {
        Column {
            name: name.into(),
            values,
            origin,
        }
    }

    /// A nominal column of so many rows, all without a value.
    pub(super) fn empty(name: &str, n_rows: usize) -> Self {
        let codes = Codes::new(0, std::iter::repeat_n(None, n_rows));
        let nominal = Nominal::new(codes, Domain::default());
        Column::new(name, Values::Nominal(nominal), KindOrigin::Text)
    }

    /// The same column, for another reason of the kind it has.
    #[must_use]
    pub fn with_origin(self, origin: KindOrigin) -> Self {
        Column { origin, ..self }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its cells.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Why it has the kind it has.
    pub fn origin(&self) -> KindOrigin {
        self.origin
    }

    /// Its codes and domain, where it is nominal.
    pub fn as_nominal(&self) -> Option<&Nominal> {
        match &self.values {
            Values::Nominal(nominal) => Some(nominal),
            Values::Numeric(_) => None,
        }
    }

    /// Its numbers, where it is numeric.
    pub fn as_numeric(&self) -> Option<&[f64]> {
        match &self.values {
            Values::Numeric(numbers) => Some(numbers),
            Values::Nominal(_) => None,
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        match &self.values {
            Values::Nominal(nominal) => nominal.codes.len(),
            Values::Numeric(numbers) => numbers.len(),
        }
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of missing cells; a missing value of the domain is one too.
    pub fn n_missing(&self) -> usize {
        match &self.values {
            Values::Nominal(nominal) if nominal.domain.has_missing_value() => {
                let missing = nominal.domain.labels().len() as u32;
                nominal.codes.iter().filter(|&c| c == Some(missing)).count()
            }
            Values::Nominal(nominal) => nominal.codes.n_missing(),
            Values::Numeric(numbers) => numbers.iter().filter(|x| x.is_nan()).count(),
        }
    }

    /// Whether every row has a value; a missing value of the domain is none.
    pub(crate) fn has_values(&self) -> Vec<bool> {
        match &self.values {
            Values::Nominal(nominal) => {
                let n_labels = nominal.domain.labels().len() as u32;
                let has_label = |code: Option<u32>| code.is_some_and(|code| code < n_labels);
                nominal.codes.iter().map(has_label).collect()
            }
            Values::Numeric(numbers) => numbers.iter().map(|x| !x.is_nan()).collect(),
        }
    }

    /// Takes the rows without a value out of those that are used.
    pub(super) fn unmark_missing(&self, is_used: &mut [bool]) {
        match &self.values {
            Values::Nominal(nominal) => {
                let cells = is_used.iter_mut().zip(nominal.codes.iter());
                cells.for_each(|(used, code)| *used &= code.is_some());
            }
            Values::Numeric(numbers) => {
                let cells = is_used.iter_mut().zip(numbers);
                cells.for_each(|(used, x)| *used &= !x.is_nan());
            }
        }
    }

    /// The first row without a value.
    pub(super) fn first_missing(&self) -> Option<usize> {
        match &self.values {
            Values::Nominal(nominal) => nominal.codes.iter().position(|code| code.is_none()),
            Values::Numeric(numbers) => numbers.iter().position(|x| x.is_nan()),
        }
    }

    /// Number of distinct values present, missing cells not counted.
    pub fn n_distinct(&self) -> usize {
        match &self.values {
            Values::Nominal(nominal) => {
                let present = nominal.values_present(None);
                let n_labels = nominal.domain.labels().len();
                present[..n_labels].iter().filter(|&&is| is).count()
            }
            Values::Numeric(numbers) => distinct_numbers(numbers.iter().copied()).len(),
        }
    }

    /// Whether no two values present differ; looks no further than the first that does.
    pub(crate) fn is_constant(&self) -> bool {
        match &self.values {
            Values::Nominal(_) => self.n_distinct() < 2,
            Values::Numeric(numbers) => {
                let mut present = numbers.iter().filter(|x| !x.is_nan());
                present
                    .next()
                    .is_none_or(|first| present.all(|x| x == first))
            }
        }
    }

    /// The same column with only the labels that occur; numbers stay as they are.
    #[must_use]
    pub fn with_labels_present(self) -> Self {
        match &self.values {
            Values::Numeric(_) => self,
            Values::Nominal(nominal) => {
                let values = Values::Nominal(nominal.with_labels_present());
                Column { values, ..self }
            }
        }
    }

    /// The given rows, in their order. The domain stays whole.
    #[must_use]
    pub fn take(&self, rows: &[u32]) -> Self {
        let values = match &self.values {
            Values::Nominal(nominal) => Values::Nominal(nominal.take(rows)),
            Values::Numeric(numbers) => {
                Values::Numeric(rows.iter().map(|&row| numbers[row as usize]).collect())
            }
        };
        Column::new(self.name.clone(), values, self.origin)
    }
}

/// The different numbers in rising order; NaN is none, and -0 is 0.
pub(super) fn distinct_numbers(numbers: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut distinct: Vec<f64> = numbers.filter(|x| !x.is_nan()).map(|x| x + 0.0).collect();
    distinct.sort_unstable_by(f64::total_cmp);
    distinct.dedup();
    distinct
}
