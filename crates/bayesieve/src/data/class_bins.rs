//! A class of many numbers as a class of bins.

use super::{Codes, Column, Discretizer, KindOrigin, Table, Training, Values, parse_number};
use crate::{Error, Result, parameter, quoted};

/// Bins that a class may have.
const CLASS_BINS: std::ops::RangeInclusive<usize> = 2..=100;

/// Refuses a number of bins that no class can have.
pub(crate) fn check_class_bins(n_bins: usize) -> Result<()> {
    if CLASS_BINS.contains(&n_bins) {
        return Ok(());
    }
    Err(Error::usage(format!(
        "{} is invalid: a class has from {} to {} bins",
        parameter("bins").is(n_bins),
        CLASS_BINS.start(),
        CLASS_BINS.end()
    )))
}

impl Table {
    /// The same with the numbers of a class in bins of equally many rows, and the note that says
    /// so. Equal numbers stay together, so that there may be fewer bins.
    ///
    /// # Errors
    /// A class that is not of numbers, or whose numbers make fewer than two bins.
    pub(crate) fn with_binned_class(self, class: usize, n_bins: usize) -> Result<(Self, String)> {
        check_class_bins(n_bins)?;
        let column = &self.columns()[class];
        let name = column.name();
        let numbers = numbers(column)?;
        let one_class = Codes::new(1, numbers.iter().map(|_| Some(0)));
        let training = Training {
            class: &one_class,
            n_classes: 1,
            rows: None,
        };
        let cuts = Discretizer::Frequency(n_bins).fit(&numbers, &training);
        let cuts = cuts.map_err(|error| error.in_column(name))?;
        if cuts.n_bins() < 2 {
            return Err(Error::data("the numbers of the class make one bin only")
                .in_column(name)
                .with_hint(format!("Name another class ({}).", parameter("class"))));
        }
        let binned = Values::Nominal(cuts.apply(&numbers).with_labels_present());
        let binned = Column::new(name, binned, KindOrigin::Derived);
        let note = format!(
            "the class {} is cut into {} bins of about equally many rows",
            quoted(name),
            cuts.n_bins()
        );
        let columns = self.columns().iter().enumerate();
        let columns = columns.map(|(place, column)| {
            if place == class {
                binned.clone()
            } else {
                Column::clone(column)
            }
        });
        Ok((Table::new(columns.collect())?, note))
    }
}

/// The numbers of a class; few whole numbers were read as labels.
fn numbers(class: &Column) -> Result<Vec<f64>> {
    let nominal = match class.values() {
        Values::Numeric(numbers) => return Ok(numbers.clone()),
        Values::Nominal(nominal) => nominal,
    };
    let labels = nominal.domain.labels().iter();
    let numbers: Vec<f64> = labels
        .map(|label| {
            parse_number(label).ok_or_else(|| {
                Error::usage(format!(
                    "{} is for a class of numbers, and {} is none",
                    parameter("bins"),
                    quoted(label)
                ))
                .in_column(class.name())
                .with_hint(format!("Leave {} out.", parameter("bins")))
            })
        })
        .collect::<Result<_>>()?;
    let number = |code: Option<u32>| code.and_then(|code| numbers.get(code as usize).copied());
    let cells = nominal.codes.iter().map(number);
    Ok(cells.map(|number| number.unwrap_or(f64::NAN)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::data::Nominal;

    fn binned(class: Values, n_bins: usize) -> Result<Nominal> {
        let class = Column::new("y", class, KindOrigin::Numbers);
        let (table, _) = Table::new(vec![class])?.with_binned_class(0, n_bins)?;
        Ok(table.columns()[0]
            .as_nominal()
            .expect("bins are labels")
            .clone())
    }

    #[test]
    fn a_class_of_numbers_has_bins_of_equally_many_rows() {
        // Twelve rows in three bins: four each; the missing one stays missing.
        let numbers = (0..12).map(|row| f64::from(row * row)).chain([f64::NAN]);
        let bins = binned(Values::Numeric(numbers.collect()), 3).unwrap();
        assert_eq!(bins.counts(), [4, 4, 4]);
        assert_eq!(bins.codes.get(12), None);
    }

    #[test]
    fn whole_numbers_that_were_read_as_labels_are_binned_too() {
        let labels = Nominal::from_labels(["10", "2", "1", "30"].map(Some));
        let bins = binned(Values::Nominal(labels), 2).unwrap();
        let codes: Vec<Option<u32>> = bins.codes.iter().collect();
        assert_eq!(codes, [Some(1), Some(0), Some(0), Some(1)]);
    }

    #[test]
    fn what_cannot_be_binned_is_refused() {
        let words = Values::Nominal(Nominal::from_labels(["a", "b"].map(Some)));
        let cases = [
            (words, 2, ErrorKind::Usage),
            (Values::Numeric(vec![1.5, 1.5]), 2, ErrorKind::Data),
            (Values::Numeric(vec![1.5, 2.5]), 1, ErrorKind::Usage),
            (Values::Numeric(vec![1.5, 2.5]), 101, ErrorKind::Usage),
        ];
        for (class, n_bins, expected) in cases {
            assert_eq!(binned(class, n_bins).unwrap_err().kind(), expected);
        }
    }
}
