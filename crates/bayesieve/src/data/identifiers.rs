//! Columns that name the rows instead of describing them.
//!
//! A text with a value of its own in (nearly) every row, or whole numbers that count the rows,
//! look informative on the rows at hand and say nothing about others.

use super::{Column, KindOrigin, Roles, Table, Values};
use crate::wording::grouped;
use crate::{Error, Result, parameter, quoted};

/// In fewer rows a column of distinct values is no surprise.
pub(super) const MIN_ROWS_OF_IDENTIFIER: u64 = 20;

/// A column with so many distinct values per hundred rows with a value is an identifier.
const MIN_PERCENT_DISTINCT: u64 = 95;

/// A column that is set aside because it names the rows.
///
/// # Example
/// ```
/// use bayesieve::data::{Column, KindOrigin, Nominal, RoleOptions, Roles, Table, Values};
///
/// let names: Vec<String> = (0..40).map(|row| format!("patient {row}")).collect();
/// let names = Nominal::from_labels(names.iter().map(|name| Some(name.as_str())));
/// let ages = (0..40).map(|row| f64::from(row % 7) + 0.5).collect();
/// let class = Nominal::from_labels((0..40).map(|row| Some(["no", "yes"][row % 2])));
/// let table = Table::new(vec![
///     Column::new("name", Values::Nominal(names), KindOrigin::Text),
///     Column::new("age", Values::Numeric(ages), KindOrigin::Numbers),
///     Column::new("class", Values::Nominal(class), KindOrigin::Text),
/// ])?;
/// let roles = Roles::resolve(&table, &RoleOptions::default())?.without_identifiers(&table);
/// assert_eq!(roles.features, [1]);
/// assert_eq!(roles.identifiers[0].n_distinct, 40);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identifier {
    /// Its place among the columns.
    pub place: usize,
    /// Distinct values.
    pub n_distinct: u64,
    /// Rows with a value.
    pub n_rows: u64,
    /// Whether it is whole numbers that count the rows.
    pub is_counter: bool,
}

impl Identifier {
    /// What there is to say about it: why it is set aside, and how to overrule that.
    pub fn note(&self, name: &str) -> String {
        let name = quoted(name);
        if self.is_counter {
            format!(
                "column {name} numbers the {} rows one by one, so it is set aside as an \
                 identifier; declare it numeric to use it",
                grouped(self.n_rows)
            )
        } else {
            format!(
                "column {name} has {} distinct values in {} rows, so it is set aside as an \
                 identifier; declare it nominal to use it",
                grouped(self.n_distinct),
                grouped(self.n_rows)
            )
        }
    }
}

impl Roles {
    /// The same without features that name the rows. Columns whose kind was declared stay, and
    /// so does a table's only feature: whoever gives no other means it.
    #[must_use]
    pub fn without_identifiers(mut self, table: &Table) -> Self {
        if self.features.len() < 2 {
            return self;
        }
        self.identifiers = identifiers(table, &self.features);
        let is_identifier = |place: &usize| self.identifiers.iter().any(|one| one.place == *place);
        self.features.retain(|place| !is_identifier(place));
        self
    }

    /// Refuses a table whose only features name its rows.
    ///
    /// # Errors
    /// That.
    pub fn check_features(&self) -> Result<()> {
        if !self.features.is_empty() {
            return Ok(());
        }
        Err(
            Error::data("there is no feature beside the class and identifiers of the rows")
                .with_hint(format!(
                    "To use such a column all the same, name it in {} or {}.",
                    parameter("nominal"),
                    parameter("numeric")
                )),
        )
    }

    /// The same with some identifiers as features again.
    #[must_use]
    pub fn with_identifiers(mut self, is_wanted: impl Fn(usize) -> bool) -> Self {
        let (wanted, others): (Vec<Identifier>, Vec<Identifier>) = self
            .identifiers
            .iter()
            .partition(|one| is_wanted(one.place));
        self.identifiers = others;
        self.features.extend(wanted.iter().map(|one| one.place));
        self.features.sort_unstable();
        self
    }

    /// What there is to say about the identifiers that are set aside.
    pub fn identifier_notes<'a>(&'a self, table: &'a Table) -> impl Iterator<Item = String> + 'a {
        let note = |one: &Identifier| one.note(table.columns()[one.place].name());
        self.identifiers.iter().map(note)
    }
}

/// Whether so many distinct values in so many rows name the rows.
pub(super) fn names_rows(n_distinct: u64, n_rows: u64) -> bool {
    n_rows >= MIN_ROWS_OF_IDENTIFIER && n_distinct * 100 >= n_rows * MIN_PERCENT_DISTINCT
}

/// The identifiers among some columns, in their order.
fn identifiers(table: &Table, places: &[usize]) -> Vec<Identifier> {
    let columns = table.columns();
    let counters: Vec<usize> = places
        .iter()
        .copied()
        .filter(|&place| is_counter(&columns[place]))
        .collect();
    // Ranks are consecutive too, but two columns of ranks order the rows differently.
    let agree = counters
        .windows(2)
        .all(|pair| differ_by_a_constant(&columns[pair[0]], &columns[pair[1]]));
    let counters = if agree { counters } else { Vec::new() };
    let identifier = |&place: &usize| {
        let column = &columns[place];
        if counters.contains(&place) {
            let n_rows = column.len() as u64;
            return Some(Identifier {
                place,
                n_distinct: n_rows,
                n_rows,
                is_counter: true,
            });
        }
        text_identifier(place, column)
    };
    places.iter().filter_map(identifier).collect()
}

fn text_identifier(place: usize, column: &Column) -> Option<Identifier> {
    let nominal = column.as_nominal()?;
    // Every label of a text occurs; a quick no for nearly all columns.
    let n_distinct = nominal.domain.labels().len() as u64;
    let is_text = column.origin() == KindOrigin::Text;
    if !is_text || n_distinct * 100 < MIN_ROWS_OF_IDENTIFIER * MIN_PERCENT_DISTINCT {
        return None;
    }
    let n_rows = (column.len() - column.n_missing()) as u64;
    names_rows(n_distinct, n_rows).then_some(Identifier {
        place,
        n_distinct,
        n_rows,
        is_counter: false,
    })
}

/// Whether a column holds each of as many consecutive whole numbers as there are rows once.
fn is_counter(column: &Column) -> bool {
    let Values::Numeric(numbers) = column.values() else {
        return false;
    };
    let is_short = (numbers.len() as u64) < MIN_ROWS_OF_IDENTIFIER;
    if is_short || column.origin() != KindOrigin::Numbers {
        return false;
    }
    if numbers.iter().any(|x| x.is_nan() || x.fract() != 0.0) {
        return false;
    }
    let first = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let mut is_seen = vec![false; numbers.len()];
    numbers.iter().all(|x| {
        // Beyond the last place where the numbers leave a gap or are too large to be exact.
        match is_seen.get_mut((x - first) as usize) {
            Some(is_seen) => !std::mem::replace(is_seen, true),
            None => false,
        }
    })
}

fn differ_by_a_constant(one: &Column, other: &Column) -> bool {
    let (Some(one), Some(other)) = (one.as_numeric(), other.as_numeric()) else {
        return false;
    };
    let mut differences = one.iter().zip(other).map(|(x, y)| x - y);
    differences
        .next()
        .is_none_or(|first| differences.all(|difference| difference == first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::data::{Nominal, RoleOptions};

    fn text(name: &str, cells: impl Iterator<Item = Option<String>>, origin: KindOrigin) -> Column {
        let cells: Vec<Option<String>> = cells.collect();
        let nominal = Nominal::from_labels(cells.iter().map(Option::as_deref));
        Column::new(name, Values::Nominal(nominal), origin)
    }

    fn numbers(name: &str, cells: impl Iterator<Item = f64>) -> Column {
        Column::new(name, Values::Numeric(cells.collect()), KindOrigin::Numbers)
    }

    fn set_aside(columns: Vec<Column>) -> Result<Vec<usize>> {
        let n_rows = columns[0].len();
        let class = text(
            "class",
            (0..n_rows).map(|row| Some(format!("{}", row % 2))),
            KindOrigin::Text,
        );
        let table = Table::new(columns.into_iter().chain([class]).collect())?;
        let roles = Roles::resolve(&table, &RoleOptions::default())?;
        let roles = roles.without_identifiers(&table);
        roles.check_features()?;
        Ok(roles.identifiers.iter().map(|one| one.place).collect())
    }

    #[test]
    fn texts_with_their_own_value_in_nearly_every_row_are_set_aside() {
        // 40 rows: 38 distinct values are 95 %, 37 are not.
        let distinct = |n: usize| move |row: usize| Some(format!("row {}", row.min(n - 1)));
        let cases = [
            (40, distinct(40), KindOrigin::Text, true),
            (40, distinct(38), KindOrigin::Text, true),
            (40, distinct(37), KindOrigin::Text, false),
            (40, distinct(40), KindOrigin::Declared, false),
            (19, distinct(19), KindOrigin::Text, false),
        ];
        for (n_rows, cell, origin, is_expected) in cases {
            let half = numbers("half", (0..n_rows).map(|row| row as f64 / 2.0));
            let id = text("id", (0..n_rows).map(cell), origin);
            let found = set_aside(vec![half, id]).unwrap();
            assert_eq!(found == [1], is_expected, "{n_rows} rows: {found:?}");
        }
    }

    #[test]
    fn rows_without_a_value_do_not_count() {
        // 25 values in 40 rows, all different.
        let id = text(
            "id",
            (0..40).map(|row| (row < 25).then(|| format!("r{row}"))),
            KindOrigin::Text,
        );
        let half = numbers("half", (0..40).map(|row| f64::from(row) / 2.0));
        assert_eq!(set_aside(vec![id, half]).unwrap(), [0]);
    }

    #[test]
    fn whole_numbers_that_count_the_rows_are_set_aside_in_any_order() {
        let half = || numbers("half", (0..30).map(|row| f64::from(row) / 2.0));
        // 7 and 30 have no common divisor, so that 7 row mod 30 takes every value once.
        let shuffled = numbers("id", (0..30).map(|row| f64::from(row * 7 % 30)));
        assert_eq!(set_aside(vec![half(), shuffled]).unwrap(), [1]);
        let with_a_gap = numbers("id", (0..30).map(|row| f64::from(row + row / 29)));
        assert_eq!(set_aside(vec![half(), with_a_gap]).unwrap(), [0usize; 0]);
        let counters = ["a", "b"].map(|name| numbers(name, (5..35).map(f64::from)));
        assert_eq!(
            set_aside([vec![half()], counters.to_vec()].concat()).unwrap(),
            [1, 2]
        );
        // Columns of ranks.
        let rising = numbers("a", (0..30).map(f64::from));
        let other = numbers("b", (0..30).map(|row| f64::from(row * 7 % 30)));
        assert_eq!(set_aside(vec![half(), rising, other]).unwrap(), [0usize; 0]);
    }

    #[test]
    fn identifiers_alone_are_no_table_and_come_back_where_they_are_wanted() {
        let id_of = |name: &str| numbers(name, (0..30).map(f64::from));
        let id = || id_of("id");
        assert_eq!(set_aside(vec![id()]).unwrap(), [0usize; 0]);
        let error = set_aside(vec![id(), id_of("row")]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Data);
        let half = numbers("half", (0..30).map(|row| f64::from(row) / 2.0));
        let class = text(
            "class",
            (0..30).map(|row| Some(format!("{}", row % 2))),
            KindOrigin::Text,
        );
        let table = Table::new(vec![half, id(), class]).unwrap();
        let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
        let roles = roles.without_identifiers(&table);
        assert_eq!(roles.identifier_notes(&table).count(), 1);
        let roles = roles.with_identifiers(|place| place == 1);
        assert_eq!((roles.features, roles.identifiers.len()), (vec![0, 1], 0));
    }
}
