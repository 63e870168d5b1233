//! Numbers and dates as files write them: thousands separators, decimal commas, dates.
//!
//! A column of texts becomes a column of numbers where every text fits one notation and no
//! other: "1,234" alone may be a thousand or a bit more than one, "1,234.50" may not.

use std::fmt;
use std::str::FromStr;

use super::read::MAX_NOMINAL_INTEGERS;
use super::{Column, KindOrigin, Table, Values, parse_number, unknown_name};
use crate::{Error, Result, quoted};

/// How the numbers of a column are written, where not in plain decimals.
///
/// # Example
/// ```
/// use bayesieve::data::Notation;
///
/// let texts = |texts: &[&str]| texts.iter().map(|text| text.to_string()).collect::<Vec<_>>();
/// assert_eq!(Notation::of(&texts(&["1,234.50", "7"])), Some(Notation::Thousands));
/// assert_eq!(Notation::of(&texts(&["3,14", "2"])), Some(Notation::DecimalComma));
/// assert_eq!(Notation::of(&texts(&["1,234"])), None);
/// assert_eq!(Notation::IsoDate.number("1970-01-02"), Some(86_400.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// Commas between groups of three digits: `1,234.50`.
    Thousands,
    /// A comma before the decimals, points between groups of three digits: `1.234,50`.
    DecimalComma,
    /// Dates with the year first: `2022-03-15`, `2022-03-15T12:30:00`.
    IsoDate,
    /// Dates with the day first: `15/03/2022`, `15.03.2022 12:30`.
    DayFirst,
    /// Dates with the month first: `03/15/2022`.
    MonthFirst,
}

/// What becomes of columns of dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DatesPolicy {
    /// Seconds since 1970, UTC.
    #[default]
    Seconds,
    /// Labels, as they stand.
    Label,
}

impl FromStr for DatesPolicy {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "seconds" => Ok(DatesPolicy::Seconds),
            "label" => Ok(DatesPolicy::Label),
            _ => Err(unknown_name(
                "way to take dates",
                text,
                ["seconds", "label"],
            )),
        }
    }
}

impl fmt::Display for DatesPolicy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            DatesPolicy::Seconds => "seconds",
            DatesPolicy::Label => "label",
        })
    }
}

/// All notations with their names in files; of two that fit dates the first is taken.
const NOTATIONS: [(&str, Notation); 5] = [
    ("thousands", Notation::Thousands),
    ("decimal-comma", Notation::DecimalComma),
    ("iso-date", Notation::IsoDate),
    ("day-first", Notation::DayFirst),
    ("month-first", Notation::MonthFirst),
];

impl FromStr for Notation {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let found = NOTATIONS.iter().find(|(name, _)| *name == text);
        let names = NOTATIONS.iter().map(|(name, _)| *name);
        let (_, notation) = found.ok_or_else(|| unknown_name("notation", text, names))?;
        Ok(*notation)
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NOTATIONS.iter().find(|(_, notation)| notation == self);
        out.write_str(name.map_or("", |(name, _)| name))
    }
}

impl Notation {
    /// The notation that all texts share, where it is clear; `None` for plain numbers too.
    pub fn of(texts: &[String]) -> Option<Self> {
        let fits = |notation: Notation| texts.iter().all(|text| notation.number(text).is_some());
        let has_comma = texts.iter().any(|text| text.contains(','));
        if texts.is_empty() {
            return None;
        }
        if has_comma {
            return match [Notation::Thousands, Notation::DecimalComma].map(fits) {
                [true, false] => Some(Notation::Thousands),
                [false, true] => Some(Notation::DecimalComma),
                _ => None,
            };
        }
        let dates = [Notation::IsoDate, Notation::DayFirst, Notation::MonthFirst];
        dates.into_iter().find(|&notation| fits(notation))
    }

    /// Whether it writes dates.
    pub fn is_date(self) -> bool {
        !matches!(self, Notation::Thousands | Notation::DecimalComma)
    }

    /// The number that a text stands for; dates are seconds since 1970.
    pub fn number(self, text: &str) -> Option<f64> {
        match self {
            Notation::Thousands => grouped_number(
                text,
                Marks {
                    group: ',',
                    decimal: '.',
                },
            ),
            Notation::DecimalComma => grouped_number(
                text,
                Marks {
                    group: '.',
                    decimal: ',',
                },
            ),
            Notation::IsoDate | Notation::DayFirst | Notation::MonthFirst => date(text, self),
        }
    }

    /// What it is called in a note.
    fn description(self) -> &'static str {
        match self {
            Notation::Thousands => "numbers with thousands separators",
            Notation::DecimalComma => "numbers with decimal commas",
            Notation::IsoDate => "dates (year-month-day)",
            Notation::DayFirst => "dates (day/month/year)",
            Notation::MonthFirst => "dates (month/day/year)",
        }
    }
}

/// The marks of a number.
#[derive(Clone, Copy)]
struct Marks {
    group: char,
    decimal: char,
}

/// A number with or without groups of three digits.
fn grouped_number(text: &str, marks: Marks) -> Option<f64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, decimals) = match digits.split_once(marks.decimal) {
        Some((whole, decimals)) => (whole, Some(decimals)),
        None => (digits, None),
    };
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let mut groups = whole.split(marks.group);
    let first = groups.next()?;
    let is_grouped = whole.contains(marks.group);
    let is_first = is_digits(first) && !first.is_empty() && !(is_grouped && first.len() > 3);
    // No number of a thousand or more starts with 0.
    let is_whole = is_first
        && !(is_grouped && first.starts_with('0'))
        && groups.all(|group| group.len() == 3 && is_digits(group));
    let has_decimals = decimals.is_none_or(|part| !part.is_empty() && is_digits(part));
    if !is_whole || !has_decimals {
        // Exponents and the like have neither mark.
        let is_plain = !text.contains([marks.group, ',']);
        return parse_number(text).filter(|_| is_plain);
    }
    let sign = if text.starts_with('-') { "-" } else { "" };
    let whole: String = whole.chars().filter(char::is_ascii_digit).collect();
    parse_number(&format!("{sign}{whole}.{}", decimals.unwrap_or("0")))
}

/// Seconds since 1970 of a date with or without a time.
fn date(text: &str, notation: Notation) -> Option<f64> {
    let (day, time) = match text.split_once(['T', ' ']) {
        Some((day, time)) => (day, Some(time)),
        None => (text, None),
    };
    let mark = ['-', '/', '.']
        .into_iter()
        .find(|&mark| day.contains(mark))?;
    let parts: Vec<&str> = day.split(mark).collect();
    let [first, second, third] = parts[..] else {
        return None;
    };
    let (year, month, day) = match notation {
        Notation::DayFirst => (third, second, first),
        Notation::MonthFirst => (third, first, second),
        _ => (first, second, third),
    };
    let days = days_since_1970(
        digits(year, 4..=4)?,
        digits(month, 1..=2)?,
        digits(day, 1..=2)?,
    )?;
    let seconds = time.map_or(Some(0.0), time_of_day)?;
    Some(days as f64 * 86_400.0 + seconds)
}

/// A whole number of so many digits.
fn digits(text: &str, length: std::ops::RangeInclusive<usize>) -> Option<i64> {
    let is_number = length.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// Seconds since midnight of `12:30`, `12:30:00` and `12:30:00.5`, with or without a final `Z`.
fn time_of_day(text: &str) -> Option<f64> {
    let text = text.strip_suffix('Z').unwrap_or(text);
    let mut parts = text.split(':');
    let hours = digits(parts.next()?, 1..=2).filter(|&hours| hours < 24)?;
    let minutes = digits(parts.next()?, 2..=2).filter(|&minutes| minutes < 60)?;
    let seconds = match parts.next() {
        None => 0.0,
        Some(text) => {
            let is_start = digits(text.get(..2)?, 2..=2).is_some();
            parse_number(text).filter(|&seconds| is_start && seconds < 60.0)?
        }
    };
    let is_end = parts.next().is_none();
    is_end.then_some((hours * 3_600 + minutes * 60) as f64 + seconds)
}

/// Days between a date of the Gregorian calendar and the first of January 1970.
fn days_since_1970(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let february = if is_leap { 29 } else { 28 };
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let place = usize::try_from(month.checked_sub(1)?).ok()?;
    let length = *lengths.get(place)?;
    if !(1..=length).contains(&day) || year < 1 {
        return None;
    }
    // Leap days of the years before, from the year 1 on; 1970 began on day 719,162.
    let before = year - 1;
    let days = 365 * before + before / 4 - before / 100 + before / 400;
    Some(days + lengths[..place].iter().sum::<i64>() + day - 1 - 719_162)
}

impl Table {
    /// The same with texts as numbers where a whole column is written in one notation, and what
    /// there is to say about that. Only the columns at these places are looked at.
    ///
    /// # Errors
    /// Those of [`Table::new`], which cannot arise.
    pub(crate) fn with_notations(
        self,
        places: &[usize],
        dates: DatesPolicy,
    ) -> Result<(Self, Vec<String>)> {
        let mut notes = Vec::new();
        let mut read: Vec<Option<Column>> = Vec::new();
        let mut is_asked = vec![false; self.columns().len()];
        places.iter().for_each(|&place| is_asked[place] = true);
        for (place, column) in self.columns().iter().enumerate() {
            let numbers = is_asked[place]
                .then(|| read_notation(column, dates))
                .flatten();
            read.push(numbers.map(|(numbers, note)| {
                notes.push(note);
                numbers
            }));
        }
        if notes.is_empty() {
            return Ok((self, notes));
        }
        let columns = read.into_iter().zip(self.columns());
        let columns = columns.map(|(read, old)| read.unwrap_or_else(|| Column::clone(old)));
        Ok((Table::new(columns.collect())?, notes))
    }
}

/// A column of texts as numbers, and the note that says so.
fn read_notation(column: &Column, dates: DatesPolicy) -> Option<(Column, String)> {
    if column.origin() != KindOrigin::Text {
        return None;
    }
    let nominal = column.as_nominal()?;
    let labels = nominal.domain.labels();
    let notation = Notation::of(labels)?;
    if notation.is_date() && dates == DatesPolicy::Label {
        return None;
    }
    let numbers: Vec<f64> = labels
        .iter()
        .map(|label| notation.number(label))
        .collect::<Option<_>>()?;
    let is_few = numbers.len() <= MAX_NOMINAL_INTEGERS;
    if !notation.is_date() && is_few && numbers.iter().all(|number| number.fract() == 0.0) {
        // As for plain whole numbers: few of them are labels.
        return None;
    }
    let cell = |code: Option<u32>| {
        let number = code.and_then(|code| numbers.get(code as usize));
        number.copied().unwrap_or(f64::NAN)
    };
    let cells = nominal.codes.iter().map(cell).collect();
    let origin = KindOrigin::Written(notation);
    let read = Column::new(column.name(), Values::Numeric(cells), origin);
    let (name, what) = (quoted(column.name()), notation.description());
    let note = if notation.is_date() {
        format!(
            "column {name} holds {what}, taken as seconds since 1970 (UTC), unless dates are to \
             be labels"
        )
    } else {
        format!("column {name} holds {what}, taken as numbers; declare it nominal to keep labels")
    };
    Some((read, note))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str]) -> Option<Notation> {
        let texts: Vec<String> = texts.iter().map(ToString::to_string).collect();
        Notation::of(&texts)
    }

    #[test]
    fn a_notation_is_found_where_no_other_fits() {
        use Notation::{DayFirst, DecimalComma, IsoDate, MonthFirst, Thousands};
        let cases: [(&[&str], Option<Notation>); 14] = [
            (&["1,234.50", "-1,000", "7"], Some(Thousands)),
            (&["1,234,567"], Some(Thousands)),
            (&["1,234", "0.5"], Some(Thousands)),
            (&["3,14", "1,234"], Some(DecimalComma)),
            (&["0,125"], Some(DecimalComma)),
            (&["1.234,5", "2"], Some(DecimalComma)),
            (&["1,234"], None),
            (&["1,234.5", "3,14"], None),
            (&["a,b", "1,234.5"], None),
            (&["2022-03-15", "2024-02-29T12:30:00Z"], Some(IsoDate)),
            (&["01/02/2022", "15/03/2022 12:30"], Some(DayFirst)),
            (&["01/02/2022", "03/15/2022"], Some(MonthFirst)),
            (&["15/03/2022", "03/15/2022"], None),
            (&["2023-02-29"], None),
        ];
        for (texts, expected) in cases {
            assert_eq!(of(texts), expected, "{texts:?}");
        }
    }

    #[test]
    fn texts_are_the_numbers_they_stand_for() {
        let cases = [
            (Notation::Thousands, "-1,234.50", Some(-1234.5)),
            (Notation::Thousands, "12,34", None),
            (Notation::Thousands, "1e3", Some(1000.0)),
            (Notation::DecimalComma, "1.234,50", Some(1234.5)),
            (Notation::DecimalComma, "-0,5", Some(-0.5)),
            (Notation::DecimalComma, "3,", None),
            (Notation::IsoDate, "1970-01-01", Some(0.0)),
            (Notation::IsoDate, "2000-03-01", Some(951_868_800.0)),
            (Notation::IsoDate, "1969-12-31 23:59:59", Some(-1.0)),
            (Notation::DayFirst, "15/03/2022", Some(1_647_302_400.0)),
            (
                Notation::DayFirst,
                "15.03.2022T00:01",
                Some(1_647_302_460.0),
            ),
            (Notation::MonthFirst, "3/15/2022", Some(1_647_302_400.0)),
            (Notation::IsoDate, "2022-13-01", None),
            (Notation::IsoDate, "2022-01-01 25:00", None),
            (Notation::IsoDate, "2022-01-01 é", None),
        ];
        for (notation, text, expected) in cases {
            assert_eq!(notation.number(text), expected, "{text}");
        }
    }

    #[test]
    fn notations_are_known_by_their_names() {
        for (name, notation) in NOTATIONS {
            assert_eq!(name.parse::<Notation>().unwrap(), notation);
            assert_eq!(notation.to_string(), name);
        }
        assert!("weeks".parse::<Notation>().is_err());
    }
}
