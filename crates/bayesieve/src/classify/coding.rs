//! How a trained model reads a column: labels to codes, numbers to bins, gaps and values
//! it never saw.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::data::{
    Codes, Column, CutPoints, Domain, Feature, KindOrigin, Notation, Values, format_number,
    parse_number,
};
use crate::network::Variable;
use crate::{Error, Result};

/// What a feature's cells meant in training.
#[derive(Debug, Clone, PartialEq)]
pub enum Coding {
    /// Labels, in code order.
    Labels(Domain),
    /// Numbers in bins; where gaps were a value, it is the last bin.
    Bins {
        /// Where the numbers are cut.
        cuts: CutPoints,
        /// Whether training counted gaps as a value.
        has_missing_value: bool,
    },
    /// Numbers as they are.
    Numbers,
}

/// A feature that a model reads.
#[derive(Debug, Clone, PartialEq)]
pub struct CodedFeature {
    /// The column's name.
    pub name: String,
    /// What its cells mean.
    pub coding: Coding,
    /// How its numbers were written in training, where not in plain decimals.
    pub notation: Option<Notation>,
}

/// A column as a model sees it.
///
/// Cells that mean the same as they stand are borrowed.
#[derive(Debug, Clone)]
pub struct EncodedColumn<'a> {
    /// Codes or numbers; what is missing or was never seen is missing here.
    pub cells: EncodedCells<'a>,
    /// Cells that are empty, where training had none.
    pub n_missing: u64,
    /// Cells with a value that training never saw.
    pub n_unseen: u64,
}

/// The cells of an [`EncodedColumn`].
#[derive(Debug, Clone)]
pub enum EncodedCells<'a> {
    /// Codes of the training domain.
    Codes(Cow<'a, Codes>),
    /// Numbers; NaN where missing.
    Numbers(Cow<'a, [f64]>),
}

impl CodedFeature {
    /// As a table was coded for training.
    pub fn new(feature: &Feature) -> Self {
        let coding = match (feature.coded(), &feature.cuts) {
            (None, _) => Coding::Numbers,
            (Some(coded), Some(cuts)) => Coding::Bins {
                cuts: cuts.clone(),
                has_missing_value: coded.domain.has_missing_value(),
            },
            (Some(coded), None) => Coding::Labels(coded.domain.clone()),
        };
        CodedFeature {
            name: feature.column.name().to_owned(),
            coding,
            notation: notation(feature),
        }
    }

    /// As a model reads it that takes all numbers as they are, also where the table has them in
    /// bins.
    pub fn with_numbers(feature: &Feature) -> Self {
        match feature.column.as_numeric() {
            Some(_) => CodedFeature {
                name: feature.column.name().to_owned(),
                coding: Coding::Numbers,
                notation: notation(feature),
            },
            None => CodedFeature::new(feature),
        }
    }

    /// Whether its cells are numbers, in bins or not.
    pub fn is_number(&self) -> bool {
        !matches!(self.coding, Coding::Labels(_))
    }

    /// Number of codes; 0 for numbers as they are.
    pub fn n_values(&self) -> usize {
        match &self.coding {
            Coding::Labels(domain) => domain.n_values(),
            Coding::Bins {
                cuts,
                has_missing_value,
            } => cuts.n_bins() + usize::from(*has_missing_value),
            Coding::Numbers => 0,
        }
    }

    /// The names of the codes, in code order; a gap that counts as a value is `?`.
    pub fn state_names(&self) -> Vec<String> {
        let (mut names, has_missing) = match &self.coding {
            Coding::Labels(domain) => (domain.labels().to_vec(), domain.has_missing_value()),
            Coding::Bins {
                cuts,
                has_missing_value,
            } => (cuts.labels(), *has_missing_value),
            Coding::Numbers => (Vec::new(), false),
        };
        if has_missing {
            // A label may be a question mark itself: lengthen until it is new.
            let mut name = String::from("?");
            while names.contains(&name) {
                name.push('?');
            }
            names.push(name);
        }
        names
    }

    /// The node of a network that it is; `None` for numbers as they are.
    pub(super) fn variable(&self) -> Option<Variable> {
        (self.coding != Coding::Numbers).then(|| Variable {
            name: self.name.clone(),
            states: self.state_names(),
        })
    }

    /// Reads a column of another file as training read its own.
    ///
    /// # Errors
    /// Text where the model needs numbers.
    pub fn encode<'a>(&self, column: &'a Column) -> Result<EncodedColumn<'a>> {
        let (cells, counts_gaps) = match &self.coding {
            Coding::Labels(domain) => return Ok(encode_labels(domain, column)),
            Coding::Bins {
                cuts,
                has_missing_value,
            } => {
                let missing = has_missing_value.then_some(cuts.n_bins() as u32);
                let numbers = self.numbers(column)?;
                let code = |&x: &f64| {
                    if x.is_nan() {
                        missing
                    } else {
                        Some(cuts.bin(x))
                    }
                };
                let codes = Codes::new(self.n_values(), numbers.iter().map(code));
                (EncodedCells::Codes(Cow::Owned(codes)), !has_missing_value)
            }
            Coding::Numbers => (EncodedCells::Numbers(self.numbers(column)?), true),
        };
        Ok(EncodedColumn {
            cells,
            n_missing: if counts_gaps {
                column.n_missing() as u64
            } else {
                0
            },
            n_unseen: 0,
        })
    }
}

/// How the numbers of a feature are written.
fn notation(feature: &Feature) -> Option<Notation> {
    match feature.column.origin() {
        KindOrigin::Written(notation) => Some(notation),
        _ => None,
    }
}

fn encode_labels<'a>(domain: &Domain, column: &'a Column) -> EncodedColumn<'a> {
    let known = KnownLabels::new(domain);
    let missing = domain
        .has_missing_value()
        .then_some(domain.labels().len() as u32);
    let n_values = domain.n_values();
    let n_gaps = column.n_missing() as u64;
    let codes = match column.values() {
        Values::Nominal(nominal) => {
            let labels = nominal.domain.labels().iter();
            let mut map: Vec<Option<u32>> = labels.map(|label| known.code(label)).collect();
            if nominal.domain.has_missing_value() {
                map.push(missing);
            }
            let is_same = map.iter().zip(0..).all(|(new, old)| *new == Some(old));
            if is_same && (missing.is_none() || n_gaps == 0) {
                return EncodedColumn {
                    cells: EncodedCells::Codes(Cow::Borrowed(&nominal.codes)),
                    n_missing: n_gaps,
                    n_unseen: 0,
                };
            }
            translate(&nominal.codes, &map, n_values, missing)
        }
        Values::Numeric(numbers) => {
            let code = |&x: &f64| {
                if x.is_nan() {
                    missing
                } else {
                    known.code(&format_number(x))
                }
            };
            Codes::new(n_values, numbers.iter().map(code))
        }
    };
    // What had a value and has no code was never seen.
    let n_without_code = codes.n_missing() as u64;
    let n_missing = if missing.is_some() { 0 } else { n_gaps };
    EncodedColumn {
        n_missing,
        n_unseen: n_without_code.saturating_sub(n_missing),
        cells: EncodedCells::Codes(Cow::Owned(codes)),
    }
}

/// Codes of one domain as codes of another, missing where they have no place there.
fn translate(codes: &Codes, map: &[Option<u32>], n_values: usize, missing: Option<u32>) -> Codes {
    if let Codes::U8(cells) = codes
        && n_values <= usize::from(u8::MAX)
    {
        // Nearly every column: one look into a small table a cell.
        let mut table = [u8::MAX; 256];
        for (entry, code) in table.iter_mut().zip(map) {
            *entry = code.map_or(u8::MAX, |code| code as u8);
        }
        table[255] = missing.map_or(u8::MAX, |code| code as u8);
        return Codes::U8(cells.iter().map(|&cell| table[usize::from(cell)]).collect());
    }
    let new = |cell: Option<u32>| match cell {
        Some(code) => map.get(code as usize).copied().flatten(),
        None => missing,
    };
    Codes::new(n_values, codes.iter().map(new))
}

/// Finds labels by text, then by value: a file may write 1.0 where training read 1, or True where
/// training read true.
struct KnownLabels<'a> {
    by_text: HashMap<&'a str, u32>,
    /// By the bits of their numbers; of equal ones the first.
    by_value: HashMap<u64, u32>,
    by_truth: [Option<u32>; 2],
}

/// Whether a label is a truth value, and which.
fn truth(label: &str) -> Option<bool> {
    let is = |word: &str| label.eq_ignore_ascii_case(word);
    is("true").then_some(true).or(is("false").then_some(false))
}

impl<'a> KnownLabels<'a> {
    fn new(domain: &'a Domain) -> Self {
        let mut known = KnownLabels {
            by_text: HashMap::new(),
            by_value: HashMap::new(),
            by_truth: [None; 2],
        };
        for (label, code) in domain.labels().iter().zip(0..) {
            known.by_text.insert(label, code);
            if let Some(bits) = bits(label) {
                known.by_value.entry(bits).or_insert(code);
            }
            if let Some(truth) = truth(label) {
                known.by_truth[usize::from(truth)].get_or_insert(code);
            }
        }
        known
    }

    fn code(&self, label: &str) -> Option<u32> {
        self.by_text
            .get(label)
            .copied()
            .or_else(|| match truth(label) {
                Some(truth) => self.by_truth[usize::from(truth)],
                None => self.by_value.get(&bits(label)?).copied(),
            })
    }
}

/// The bits of the number that a label is, -0 as 0.
fn bits(label: &str) -> Option<u64> {
    let number = parse_number(label).filter(|x| !x.is_nan())?;
    Some((number + 0.0).to_bits())
}

impl CodedFeature {
    /// The numbers of a column; a column of few whole numbers was read as labels, and so was one
    /// in the notation of training.
    fn numbers<'a>(&self, column: &'a Column) -> Result<Cow<'a, [f64]>> {
        let nominal = match column.values() {
            Values::Numeric(numbers) => return Ok(Cow::Borrowed(numbers)),
            Values::Nominal(nominal) => nominal,
        };
        let number = |label: &String| match self.notation {
            Some(notation) => notation.number(label).or_else(|| parse_number(label)),
            None => parse_number(label),
        };
        let numbers = nominal.domain.labels().iter().map(|label| {
            number(label).ok_or_else(|| {
                let shown = crate::quoted(label);
                Error::data(format!(
                    "{shown} is not a number, but the model was trained on numbers"
                ))
                .in_column(column.name())
                .with_hint("Correct the cells, or leave them empty.")
            })
        });
        let numbers: Vec<f64> = numbers.collect::<Result<_>>()?;
        let cell = |code: Option<u32>| {
            code.and_then(|code| numbers.get(code as usize).copied())
                .unwrap_or(f64::NAN)
        };
        Ok(nominal.codes.iter().map(cell).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Nominal;

    fn labels(cells: &[Option<&str>]) -> Column {
        let nominal = Nominal::from_labels(cells.iter().copied());
        Column::new("x", Values::Nominal(nominal), KindOrigin::Text)
    }

    #[test]
    fn truth_values_are_known_in_any_letter_case() {
        let (domain, _) = Domain::sorted(vec!["true".into(), "false".into()]);
        let column = labels(&[Some("True"), Some("FALSE"), Some("true"), Some("yes")]);
        let encoded = encode_labels(&domain, &column);
        assert_eq!(encoded.n_unseen, 1);
        assert_eq!(codes(encoded), [Some(1), Some(0), Some(1), None]);
    }

    fn codes(encoded: EncodedColumn<'_>) -> Vec<Option<u32>> {
        match encoded.cells {
            EncodedCells::Codes(codes) => codes.iter().collect(),
            EncodedCells::Numbers(_) => panic!("codes were expected"),
        }
    }

    #[test]
    fn labels_are_found_by_text_then_by_value() {
        let domain = Domain::sorted(vec!["1".into(), "2".into()]).0;
        let feature = CodedFeature {
            name: "x".into(),
            coding: Coding::Labels(domain),
            notation: None,
        };
        let column = labels(&[Some("2.0"), Some("1"), Some("zzz"), None]);
        let encoded = feature.encode(&column).unwrap();
        assert_eq!((encoded.n_missing, encoded.n_unseen), (1, 1));
        assert_eq!(codes(encoded), [Some(1), Some(0), None, None]);
        let numbers = Column::new("x", Values::Numeric(vec![2.0, 7.5]), KindOrigin::Numbers);
        assert_eq!(codes(feature.encode(&numbers).unwrap()), [Some(1), None]);
    }

    #[test]
    fn a_gap_is_a_value_where_training_had_gaps() {
        let domain = Domain::ordered(vec!["a".into()]).with_missing_value(true);
        let feature = CodedFeature {
            name: "x".into(),
            coding: Coding::Labels(domain),
            notation: None,
        };
        let column = labels(&[None, Some("a")]);
        let encoded = feature.encode(&column).unwrap();
        assert_eq!(encoded.n_missing, 0);
        assert_eq!(codes(encoded), [Some(1), Some(0)]);
        assert_eq!(feature.state_names(), ["a", "?"]);
    }

    #[test]
    fn whole_numbers_read_as_labels_are_numbers_again() {
        let cuts = CutPoints::new(vec![1.5]).unwrap();
        let coding = Coding::Bins {
            cuts,
            has_missing_value: false,
        };
        let feature = CodedFeature {
            name: "x".into(),
            coding,
            notation: None,
        };
        let column = labels(&[Some("1"), Some("2"), None]);
        let encoded = feature.encode(&column).unwrap();
        assert_eq!(encoded.n_missing, 1);
        assert_eq!(codes(encoded), [Some(0), Some(1), None]);
        let error = feature.encode(&labels(&[Some("many")])).unwrap_err();
        assert!(
            error.to_string().contains("\"many\" is not a number"),
            "{error}"
        );
    }

    #[test]
    fn numbers_are_read_in_the_notation_of_training() {
        let feature = |notation| CodedFeature {
            name: "x".into(),
            coding: Coding::Numbers,
            notation,
        };
        // One cell alone does not tell: a thousand and more, or a bit more than one.
        let column = labels(&[Some("1,234"), None]);
        let numbers = |notation| match feature(Some(notation)).encode(&column).unwrap().cells {
            EncodedCells::Numbers(numbers) => numbers[0],
            EncodedCells::Codes(_) => panic!("numbers were expected"),
        };
        assert_eq!(numbers(Notation::Thousands), 1234.0);
        assert_eq!(numbers(Notation::DecimalComma), 1.234);
        assert!(feature(None).encode(&column).is_err());
    }

    #[test]
    fn labels_that_keep_their_codes_are_borrowed() {
        let domain = Domain::ordered(vec!["a".into(), "b".into(), "c".into()]);
        let feature = |domain: Domain| CodedFeature {
            name: "x".into(),
            coding: Coding::Labels(domain),
            notation: None,
        };
        let is_borrowed = |feature: &CodedFeature, column: &Column| {
            let encoded = feature.encode(column).unwrap();
            matches!(encoded.cells, EncodedCells::Codes(Cow::Borrowed(_)))
        };
        let plain = feature(domain.clone());
        assert!(is_borrowed(&plain, &labels(&[Some("b"), Some("a"), None])));
        assert!(!is_borrowed(&plain, &labels(&[Some("b"), Some("c")])));
        // Where a gap is a value, gaps need its code.
        let with_gaps = feature(domain.with_missing_value(true));
        assert!(is_borrowed(&with_gaps, &labels(&[Some("b"), Some("a")])));
        assert!(!is_borrowed(&with_gaps, &labels(&[Some("a"), None])));
    }
}
