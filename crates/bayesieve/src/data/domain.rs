//! The values a nominal column can take, in an order that no file can change.

use std::cmp::Ordering;

/// The labels of a nominal column, and whether a missing cell counts as a value.
///
/// Labels are sorted: by value when all of them are numbers (equal numbers by code
/// point), else by code point.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Domain {
    labels: Vec<String>,
    has_missing_value: bool,
}

impl Domain {
    /// Sorts the labels and says where each went: `map[old] = new`.
    ///
    /// # Example
    /// ```
    /// use bayesieve::data::Domain;
    ///
    /// let (domain, map) = Domain::sorted(vec!["10".into(), "9".into()]);
    /// assert_eq!(domain.labels(), ["9", "10"]);
    /// assert_eq!(map, [1, 0]);
    /// let (domain, _) = Domain::sorted(vec!["10".into(), "9".into(), "x".into()]);
    /// assert_eq!(domain.labels(), ["10", "9", "x"]);
    /// ```
    pub fn sorted(labels: Vec<String>) -> (Self, Vec<u32>) {
        let numbers: Option<Vec<f64>> = labels.iter().map(|label| parse_number(label)).collect();
        let mut order: Vec<u32> = (0..labels.len() as u32).collect();
        order.sort_by(|&a, &b| {
            let (a, b) = (a as usize, b as usize);
            let by_value = numbers.as_ref().map_or(Ordering::Equal, |numbers| {
                // + 0.0 makes -0 and 0 one number.
                (numbers[a] + 0.0).total_cmp(&(numbers[b] + 0.0))
            });
            by_value.then_with(|| labels[a].cmp(&labels[b]))
        });
        let mut map = vec![0; labels.len()];
        let mut labels = labels;
        let sorted = order
            .iter()
            .enumerate()
            .map(|(new, &old)| {
                map[old as usize] = new as u32;
                std::mem::take(&mut labels[old as usize])
            })
            .collect();
        (Domain::ordered(sorted), map)
    }

    /// Labels whose order already means something: bins from left to right.
    pub fn ordered(labels: Vec<String>) -> Self {
        Domain {
            labels,
            has_missing_value: false,
        }
    }

    /// The same domain, in which a missing cell is one more value, the last, or is none.
    #[must_use]
    pub(crate) fn with_missing_value(mut self, has_missing_value: bool) -> Self {
        self.has_missing_value = has_missing_value;
        self
    }

    /// The labels in code order, without the missing value.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Whether a missing cell is a value of its own, with the last code.
    pub fn has_missing_value(&self) -> bool {
        self.has_missing_value
    }

    /// Number of values, the missing value included where it counts as one.
    pub fn n_values(&self) -> usize {
        self.labels.len() + usize::from(self.has_missing_value)
    }

    /// The label of a code; `None` for the missing value.
    pub fn label(&self, code: u32) -> Option<&str> {
        self.labels.get(code as usize).map(String::as_str)
    }

    /// The code of a label.
    pub fn code(&self, label: &str) -> Option<u32> {
        // Not a binary search: bins and numbers are not in code-point order.
        self.labels
            .iter()
            .position(|known| known == label)
            .map(|code| code as u32)
    }
}

/// A finite number written in decimal, or `None`: the one reading of "is it a number".
///
/// # Example
/// ```
/// use bayesieve::data::parse_number;
///
/// assert_eq!(parse_number("-1.5e3"), Some(-1500.0));
/// assert_eq!(parse_number("inf"), None);
/// assert_eq!(parse_number("12a"), None);
/// ```
pub fn parse_number(text: &str) -> Option<f64> {
    // Rust also reads "inf", "infinity" and "nan": words, not decimals.
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// A number as text: the shortest decimal that reads back as the same number.
///
/// # Example
/// ```
/// use bayesieve::data::format_number;
///
/// assert_eq!(format_number(3.0), "3");
/// assert_eq!(format_number(0.1), "0.1");
/// assert_eq!(format_number(-0.0), "0");
/// assert_eq!(format_number(1e300), "1e300");
/// ```
pub fn format_number(number: f64) -> String {
    // Debug, not Display: it turns to exponents where Display writes 300 zeros.
    let mut text = format!("{:?}", number + 0.0);
    if text.ends_with(".0") {
        text.truncate(text.len() - 2);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_stay_apart_in_code_point_order() {
        let labels = ["1.0", "-0", "1", "0"].map(String::from).to_vec();
        let (domain, map) = Domain::sorted(labels);
        assert_eq!(domain.labels(), ["-0", "0", "1", "1.0"]);
        assert_eq!(map, [3, 0, 2, 1]);
    }

    #[test]
    fn the_missing_value_is_the_last_and_has_no_label() {
        let domain = Domain::ordered(vec!["a".into()]).with_missing_value(true);
        assert_eq!(domain.n_values(), 2);
        assert_eq!(domain.label(0), Some("a"));
        assert_eq!(domain.label(1), None);
    }
}
