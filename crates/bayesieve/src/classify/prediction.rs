//! Classes and probabilities for the rows of a table.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::classifier::{Classifier, Trained};
use super::coding::{CodedFeature, EncodedCells, EncodedColumn};
use super::evaluation::Evaluation;
use super::id3::Id3;
use super::network_model::NetworkModel;
use super::score::{ScoredRows, Scorer};
use crate::data::{Codes, Table, nearest, places_by_first_row, unknown_name};
use crate::measure::Stakes;
use crate::{Error, Observer, Result, check, parameter, quoted};

/// Rows scored at a time by one thread.
const BLOCK: usize = 2_048;

/// What the observer hears.
const STAGE: &str = "predicting";

/// Log scores nearer than this are a tie.
pub(crate) const TIE: f64 = 1e-10;

/// The class of every row, and how sure the model is.
#[derive(Debug, Clone)]
pub struct Prediction {
    /// The predicted class of every row, as a code of [`Classifier::class_labels`].
    pub classes: Vec<u32>,
    /// `P(class | row)`, all classes of a row one behind the other.
    pub probabilities: Vec<f64>,
    /// Columns in which cells were missing or unseen.
    pub notes: Vec<ColumnNote>,
}

/// What a required column that is not in the table means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AbsentColumns {
    /// An error that names it.
    #[default]
    Refuse,
    /// It is missing in every row and summed out.
    SumOut,
}

impl FromStr for AbsentColumns {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "refuse" => Ok(AbsentColumns::Refuse),
            "sum-out" => Ok(AbsentColumns::SumOut),
            _ => Err(unknown_name("way", text, ["refuse", "sum-out"])),
        }
    }
}

impl fmt::Display for AbsentColumns {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            AbsentColumns::Refuse => "refuse",
            AbsentColumns::SumOut => "sum-out",
        })
    }
}

/// What a column held that training did not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnNote {
    /// The column.
    pub name: String,
    /// Empty cells, where training had none.
    pub n_missing: u64,
    /// Cells with a value that training never saw.
    pub n_unseen: u64,
}

impl Classifier {
    /// Predicts the rows of a table, whatever the order of its columns.
    ///
    /// Cells that are empty where training had none, and values that training never saw,
    /// are summed out exactly. Ties go to the larger class in training, then to the one whose
    /// first training row comes first; by code where a model was trained on counts alone.
    ///
    /// # Errors
    /// A required column ([`Classifier::required_features`]) is absent, or holds text where
    /// the model needs numbers; the features that are known in a row leave so many tangled
    /// that they cannot be summed out; or the observer cancelled.
    pub fn predict(&self, table: &Table, observer: &dyn Observer) -> Result<Prediction> {
        self.predict_with(table, AbsentColumns::Refuse, observer)
    }

    /// As [`Classifier::predict`], with a choice what an absent column means.
    ///
    /// # Errors
    /// As [`Classifier::predict`].
    pub fn predict_with(
        &self,
        table: &Table,
        absent: AbsentColumns,
        observer: &dyn Observer,
    ) -> Result<Prediction> {
        if absent == AbsentColumns::Refuse {
            self.refuse_absent(table)?;
        }
        let encoded = self.encode(table, observer)?;
        let n_rows = table.n_rows();
        let (classes, probabilities) = self.predict_encoded(&encoded, n_rows, observer)?;
        Ok(Prediction {
            classes,
            probabilities,
            notes: self.column_notes(&encoded, n_rows),
        })
    }

    /// The class and the probabilities of every row of columns in the model's codes; `None`
    /// for a column that is absent.
    pub(crate) fn predict_encoded(
        &self,
        encoded: &[Option<EncodedColumn<'_>>],
        n_rows: usize,
        observer: &dyn Observer,
    ) -> Result<(Vec<u32>, Vec<f64>)> {
        match &self.trained {
            Trained::Network(model) => self.predict_network(model, encoded, n_rows, observer),
            Trained::Tree(tree) => self.predict_tree(tree, encoded, n_rows, observer),
        }
    }

    /// What the columns held that training did not.
    fn column_notes(
        &self,
        encoded: &[Option<EncodedColumn<'_>>],
        n_rows: usize,
    ) -> Vec<ColumnNote> {
        let required = self.required_features();
        let noted = |&feature: &usize| {
            let (n_missing, n_unseen) = match &encoded[feature] {
                Some(column) => (column.n_missing, column.n_unseen),
                None => (n_rows as u64, 0),
            };
            (n_missing + n_unseen > 0).then(|| ColumnNote {
                name: self.features[feature].name.clone(),
                n_missing,
                n_unseen,
            })
        };
        // Only what prediction reads: gaps elsewhere change nothing.
        required.iter().filter_map(noted).collect()
    }

    /// Names the required columns that are not there.
    fn refuse_absent(&self, table: &Table) -> Result<()> {
        let required = self.required_features();
        let absent: Vec<&str> = required
            .iter()
            .map(|&feature| self.features[feature].name.as_str())
            .filter(|name| table.column(name).is_none())
            .collect();
        if let [first, ..] = absent[..] {
            let shown: Vec<String> = absent.iter().take(5).map(|name| quoted(name)).collect();
            let more = if absent.len() > 5 { " and others" } else { "" };
            let error = Error::data(format!(
                "the model needs columns that are not there: {}{more}",
                shown.join(", ")
            ));
            // A column that the model reads under its own name is no other column.
            let is_known = |name: &str| {
                name == self.class_name || self.features.iter().any(|f| f.name == name)
            };
            let others = table.names().filter(|name| !is_known(name));
            return Err(match nearest(first, others) {
                Some(near) => error.with_hint(format!(
                    "Is {} called {} here?",
                    quoted(first),
                    quoted(near)
                )),
                None => error.with_hint(format!(
                    "Add them, or sum them out as if they were empty ({}).",
                    parameter("absent").is("sum-out")
                )),
            });
        }
        Ok(())
    }

    /// Every feature's column as the model's codes; `None` for one that is absent.
    fn encode<'a>(
        &self,
        table: &'a Table,
        observer: &dyn Observer,
    ) -> Result<Vec<Option<EncodedColumn<'a>>>> {
        let required = self.required_features();
        let encode = |(position, feature): (usize, &CodedFeature)| {
            check(observer)?;
            let Some(column) = table.column(&feature.name) else {
                return Ok(None);
            };
            match feature.encode(column) {
                // Text in numbers is no mistake where nothing needs the numbers.
                Err(_) if required.binary_search(&position).is_err() => Ok(None),
                encoded => encoded.map(Some),
            }
        };
        self.features.par_iter().enumerate().map(encode).collect()
    }

    fn predict_network(
        &self,
        model: &NetworkModel,
        encoded: &[Option<EncodedColumn<'_>>],
        n_rows: usize,
        observer: &dyn Observer,
    ) -> Result<(Vec<u32>, Vec<f64>)> {
        let unknown = Codes::U8(vec![u8::MAX; n_rows]);
        let unknown_numbers = vec![f64::NAN; n_rows];
        let codes: Vec<&Codes> = self
            .node_features()
            .iter()
            .map(|&feature| match &encoded[feature] {
                Some(EncodedColumn {
                    cells: EncodedCells::Codes(codes),
                    ..
                }) => &**codes,
                _ => &unknown,
            })
            .collect();
        let numbers: Vec<&[f64]> = model
            .number_features()
            .iter()
            .map(|&feature| match &encoded[feature] {
                Some(EncodedColumn {
                    cells: EncodedCells::Numbers(numbers),
                    ..
                }) => &numbers[..],
                _ => &unknown_numbers[..],
            })
            .collect();
        // An absent column is missing in every row.
        let is_gappy = |&feature: &usize| {
            encoded[feature]
                .as_ref()
                .is_none_or(|column| column.n_missing + column.n_unseen > 0)
        };
        let gappy: Vec<bool> = self.node_features().iter().map(is_gappy).collect();
        let rows = ScoredRows {
            codes: &codes,
            numbers: &numbers,
            gappy: &gappy,
            n_rows,
        };
        let decision = Decision::new(&self.class_counts, self.class_order.clone());
        predict_codes(model, rows, &decision, observer)
    }

    fn predict_tree(
        &self,
        tree: &Id3,
        encoded: &[Option<EncodedColumn<'_>>],
        n_rows: usize,
        observer: &dyn Observer,
    ) -> Result<(Vec<u32>, Vec<f64>)> {
        let cells = encoded.iter().map(|column| Some(&column.as_ref()?.cells));
        let columns: Vec<Option<&EncodedCells<'_>>> = cells.collect();
        let n_classes = self.class_labels.len();
        in_blocks(
            n_rows,
            n_classes,
            observer,
            |start, probabilities, classes| {
                let rows = probabilities.chunks_mut(n_classes).zip(classes);
                for (row, (probabilities, class)) in (start..).zip(rows) {
                    let node = tree.node_of(&columns, row);
                    *class = node.majority();
                    node.write_probabilities(probabilities);
                }
                Ok(())
            },
        )
    }
}

/// Predicts rows in blocks on all threads: `predict` fills the probabilities and the classes of the
/// rows from a start on.
fn in_blocks(
    n_rows: usize,
    n_classes: usize,
    observer: &dyn Observer,
    predict: impl Fn(usize, &mut [f64], &mut [u32]) -> Result<()> + Sync,
) -> Result<(Vec<u32>, Vec<f64>)> {
    let mut probabilities = vec![0.0; n_rows * n_classes];
    let mut classes = vec![0; n_rows];
    let n_done = AtomicU64::new(0);
    probabilities
        .par_chunks_mut(BLOCK * n_classes)
        .zip(classes.par_chunks_mut(BLOCK))
        .enumerate()
        .try_for_each(|(block, (probabilities, classes))| {
            check(observer)?;
            predict(block * BLOCK, probabilities, classes)?;
            let n = classes.len() as u64;
            let done = n_done.fetch_add(n, Ordering::Relaxed) + n;
            observer.progress(STAGE, done, n_rows as u64);
            Ok(())
        })?;
    Ok((classes, probabilities))
}

/// The class of every row and the probabilities of all classes, on all threads.
///
/// # Errors
/// Gaps that cannot be summed out, or the observer cancelled.
pub(super) fn predict_codes(
    model: &NetworkModel,
    rows: ScoredRows<'_>,
    decision: &Decision,
    observer: &dyn Observer,
) -> Result<(Vec<u32>, Vec<f64>)> {
    let scorer = Scorer::new(model, rows);
    let votes = scorer.votes(&decision.order);
    let n_classes = decision.order.len();
    in_blocks(
        rows.n_rows,
        n_classes,
        observer,
        |start, scores, classes| {
            scorer.score(start, scores, observer)?;
            match &votes {
                None => decision.decide_all(scores, classes),
                Some(votes) => {
                    votes.decide_all(start, scores, classes, observer)?;
                    decision.weigh_all(scores);
                }
            }
            Ok(())
        },
    )
}

/// Classes by falling size in training, then by their first training rows: of classes that tie,
/// the first wins, whatever they are called.
pub(crate) fn by_size_and_row(class_counts: &[u64], codes: &Codes) -> Vec<usize> {
    let places = places_by_first_row(codes);
    let mut order = by_size(class_counts);
    // Stable: classes without rows stay in the order of their codes.
    order.sort_by_key(|&class| {
        let place = places.get(class).copied().unwrap_or(u32::MAX);
        (std::cmp::Reverse(class_counts[class]), place)
    });
    order
}

/// Classes by falling size in training, then by code, where the rows are not known.
pub(crate) fn by_size(class_counts: &[u64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..class_counts.len()).collect();
    order.sort_by_key(|&class| (std::cmp::Reverse(class_counts[class]), class));
    order
}

/// Turns log scores into probabilities and a class.
pub(super) struct Decision {
    /// Classes by falling size in training: of classes that tie, the first wins.
    order: Vec<usize>,
    prior: Vec<f64>,
}

impl Decision {
    /// From the rows of each class in training, and the classes as ties go.
    pub(super) fn new(class_counts: &[u64], order: Vec<usize>) -> Self {
        let n: u64 = class_counts.iter().sum();
        let prior = class_counts
            .iter()
            .map(|&k| k as f64 / n.max(1) as f64)
            .collect();
        Decision { order, prior }
    }

    fn decide_all(&self, scores: &mut [f64], classes: &mut [u32]) {
        let rows = scores.chunks_exact_mut(self.order.len().max(1));
        for (scores, class) in rows.zip(classes) {
            *class = self.decide(scores);
        }
    }

    /// The scores become probabilities, whatever class is predicted.
    fn weigh_all(&self, scores: &mut [f64]) {
        for scores in scores.chunks_exact_mut(self.order.len().max(1)) {
            self.decide(scores);
        }
    }

    /// The class of the largest score; the scores become probabilities. Where no class is
    /// possible, the classes' shares in training are all there is to say.
    fn decide(&self, scores: &mut [f64]) -> u32 {
        let mut best = self.order[0];
        for &class in &self.order[1..] {
            if scores[class] > scores[best] + TIE {
                best = class;
            }
        }
        let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if largest == f64::NEG_INFINITY {
            scores.copy_from_slice(&self.prior);
            return self.order[0] as u32;
        }
        let mut sum = 0.0;
        // In this order, so that the codes of classes cannot change a digit.
        for &class in &self.order {
            let score = &mut scores[class];
            // e^0, without asking for it: it is every row's largest.
            *score = if *score == largest {
                1.0
            } else {
                (*score - largest).exp()
            };
            sum += *score;
        }
        scores.iter_mut().for_each(|score| *score /= sum);
        best as u32
    }
}

impl Prediction {
    /// Compares with the class column of the table that was predicted
    /// ([`Classifier::class_column`]); rows without a class are passed over.
    ///
    /// # Errors
    /// The table has no such column.
    pub fn evaluate(&self, table: &Table, classifier: &Classifier) -> Result<Evaluation> {
        self.evaluate_with(table, classifier, Stakes::new(classifier.class_counts()))
    }

    /// The same with a positive class other than the rarest one of training, and with costs.
    ///
    /// # Errors
    /// As [`Prediction::evaluate`].
    pub fn evaluate_with(
        &self,
        table: &Table,
        classifier: &Classifier,
        stakes: Stakes,
    ) -> Result<Evaluation> {
        let column = classifier.class_column(table).ok_or_else(|| {
            Error::data("there is no class column to compare with")
                .in_column(classifier.class_name())
        })?;
        Ok(Evaluation::new(
            self,
            column,
            classifier.class_labels(),
            stakes,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_the_larger_class_then_to_the_first_row() {
        let counts = [3, 5, 5];
        let codes = Codes::new(3, [0, 2, 1].map(Some));
        let by_row = Decision::new(&counts, by_size_and_row(&counts, &codes));
        assert_eq!(by_row.decide(&mut [-1.0, -1.0, -1.0]), 2);
        let decision = Decision::new(&counts, by_size(&counts));
        assert_eq!(decision.decide(&mut [-1.0, -1.0, -1.0]), 1);
        assert_eq!(decision.decide(&mut [-1.0, -2.0, -1.0 + 1e-12]), 2);
        assert_eq!(decision.decide(&mut [-1.0, -2.0, -3.0]), 0);
    }

    #[test]
    fn impossible_rows_get_the_shares_of_training() {
        let decision = Decision::new(&[1, 3], vec![1, 0]);
        let mut scores = [f64::NEG_INFINITY; 2];
        assert_eq!(decision.decide(&mut scores), 1);
        assert_eq!(scores, [0.25, 0.75]);
    }
}
