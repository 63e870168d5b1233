//! One division of the rows: a table to learn from, and rows to be tested on as it sees them.

use std::borrow::Cow;

use crate::classify::{CodedFeature, EncodedCells, EncodedColumn, by_size_and_row, has_values};
use crate::data::split::Split;
use crate::data::{CodedTable, CodingOptions};
use crate::{Error, Result};

/// Training rows, coded by themselves, and test rows in their codes.
#[derive(Debug)]
pub(crate) struct FoldRows {
    /// The training rows; features are numbered as in the score.
    pub(crate) train: CodedTable,
    /// The test rows of every feature; `None` for one without any value in training.
    pub(super) test: Vec<Option<EncodedColumn<'static>>>,
    /// Classes that occur in training, the largest first; of equals, that of the first row.
    pub(super) classes: Vec<u32>,
    /// The class of every test row, as a place in `classes`; `u32::MAX` for one that training
    /// never saw.
    pub(super) truth: Vec<u32>,
    /// The same as a code of the whole table.
    test_classes: Vec<u32>,
    /// Logs of the shares of the training rows that each of `classes` has.
    log_shares: Vec<f64>,
}

impl FoldRows {
    /// Codes the training rows and reads the test rows.
    pub(crate) fn new(
        table: &CodedTable,
        places: &[usize],
        split: &Split,
        coding: CodingOptions,
    ) -> Result<Self> {
        let train = table.part(places, &split.train, coding)?;
        let test = places.iter().zip(&train.features).map(|(&place, feature)| {
            if !has_values(feature) {
                return Ok(None);
            }
            let cells = table.features[place].column.take(&split.test);
            let encoded = CodedFeature::new(feature).encode(&cells)?;
            Ok(Some(EncodedColumn {
                cells: match encoded.cells {
                    EncodedCells::Codes(codes) => {
                        EncodedCells::Codes(Cow::Owned(codes.into_owned()))
                    }
                    EncodedCells::Numbers(x) => EncodedCells::Numbers(Cow::Owned(x.into_owned())),
                },
                n_missing: encoded.n_missing,
                n_unseen: encoded.n_unseen,
            }))
        });
        let test = test.collect::<Result<Vec<_>>>()?;
        let counts = train.class.counts();
        let order = by_size_and_row(&counts, &train.class.codes).into_iter();
        let classes: Vec<u32> = order
            .filter(|&class| counts[class] > 0)
            .map(|class| class as u32)
            .collect();
        let mut place_of = vec![u32::MAX; counts.len()];
        for (place, &class) in (0..).zip(&classes) {
            place_of[class as usize] = place;
        }
        let codes = &table.class.codes;
        let truth = split.test.iter().map(|&row| {
            let class = codes.get(row as usize);
            let class = class.ok_or_else(|| Error::internal("a row without a class"))?;
            Ok(place_of[class as usize])
        });
        let truth = truth.collect::<Result<Vec<u32>>>()?;
        let n_rows = train.n_rows() as f64;
        let log_share = |&class: &u32| (counts[class as usize] as f64 / n_rows).ln();
        let class_of = |&place: &u32| classes.get(place as usize).copied().unwrap_or(u32::MAX);
        Ok(FoldRows {
            test_classes: truth.iter().map(class_of).collect(),
            log_shares: classes.iter().map(log_share).collect(),
            truth,
            train,
            test,
            classes,
        })
    }

    /// The same with some of the features, numbered anew.
    pub(crate) fn with_features(&self, features: &[usize]) -> Self {
        FoldRows {
            train: self.train.with_features(features),
            test: features.iter().map(|&f| self.test[f].clone()).collect(),
            classes: self.classes.clone(),
            truth: self.truth.clone(),
            test_classes: self.test_classes.clone(),
            log_shares: self.log_shares.clone(),
        }
    }

    /// The class of every test row as a code of the whole table; `u32::MAX` for one that training
    /// never saw.
    pub(crate) fn test_classes(&self) -> &[u32] {
        &self.test_classes
    }

    /// Whether the training rows are of more than one class.
    pub(crate) fn has_classes(&self) -> bool {
        self.classes.len() > 1
    }

    /// Classes of the whole table.
    pub(crate) fn n_classes(&self) -> usize {
        self.train.class.n_values()
    }

    /// Number of test rows.
    pub(super) fn n_test(&self) -> usize {
        self.truth.len()
    }

    /// Logs of the shares of the training rows that each of `classes` has.
    pub(super) fn log_shares(&self) -> &[f64] {
        &self.log_shares
    }

    /// How many test rows are of the class that is largest in training.
    pub(super) fn n_of_largest_class(&self) -> u32 {
        self.truth.iter().filter(|&&place| place == 0).count() as u32
    }
}
