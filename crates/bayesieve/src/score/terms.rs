//! Every term of the scores of one set, to be shown.

use std::f64::consts::LN_2;

use super::description_length::Added;
use super::{Auxiliary, DescriptionLength, FeatureSet, Merit, NetworkScore, Score, Structure};
use crate::info::{Informations, conditional_entropy};
use crate::math::OrderFreeSum;
use crate::network::learn::LocalScore;
use crate::{ErrorKind, Observer, Result};

/// Which classifier is scored, and how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TermsOptions {
    /// The classifier.
    pub structure: Structure,
    /// What MDL-FS measures it against.
    pub auxiliary: Auxiliary,
    /// What BDeu's prior is worth, in rows.
    pub equivalent_sample_size: f64,
}

impl Default for TermsOptions {
    fn default() -> Self {
        TermsOptions {
            structure: Structure::default(),
            auxiliary: Auxiliary::default(),
            equivalent_sample_size: 1.0,
        }
    }
}

/// What a classifier's likelihood says beyond that of an auxiliary network over the features
/// alone, per row, in bits.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::Nominal;
/// use bayesieve::info::Informations;
/// use bayesieve::score::{Auxiliary, Call, FeatureSet, Structure};
///
/// let a = Nominal::from_labels(["0", "0", "1", "1"].map(Some));
/// let info = Informations::new(&[&a], &a)?;
/// let how = (Structure::NaiveBayes, Auxiliary::Tree);
/// let call = Call::new(&info, &FeatureSet::full(1), how, &Silent)?;
/// assert_eq!((call.per_row, call.per_row_without_class), (0.0, 1.0));
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Call {
    /// The difference of the two log-likelihoods.
    pub per_row: f64,
    /// The same less the part that the class alone has, as the paper's tables print it.
    pub per_row_without_class: f64,
}

impl Call {
    /// Of a set, by a classifier and what it is measured against.
    ///
    /// # Errors
    /// Fewer than two rows, or the observer cancelled.
    pub fn new(
        info: &Informations<'_>,
        set: &FeatureSet,
        (structure, auxiliary): (Structure, Auxiliary),
        observer: &dyn Observer,
    ) -> Result<Self> {
        let score = DescriptionLength::mdl_fs(info, structure, auxiliary)?;
        Ok(Call::of(info, &score.added(set, observer)?))
    }

    fn of(info: &Informations<'_>, added: &Added) -> Self {
        let without_class = added.information.value() - added.auxiliary.value();
        Call {
            per_row: without_class - info.class_entropy(),
            per_row_without_class: without_class,
        }
    }
}

/// Every term of the scores of one set. Logarithms are base 2 but for BIC and BDeu.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::Nominal;
/// use bayesieve::info::Informations;
/// use bayesieve::score::{FeatureSet, Terms, TermsOptions};
///
/// let a = Nominal::from_labels(["0", "0", "1", "1"].map(Some));
/// let info = Informations::new(&[&a], &a)?;
/// let terms = Terms::new(&info, &FeatureSet::full(1), TermsOptions::default(), &Silent)?;
/// assert_eq!(terms.parameters, 3.0); // one of the class, one of the feature in each class
/// assert_eq!(terms.call_per_row, 0.0);
/// assert_eq!(terms.conditional_entropy, Some(0.0)); // the feature decides
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    /// Parameters of the class and the set.
    pub parameters: f64,
    /// Parameters of the features that are out, as isolated nodes.
    pub isolated_parameters: f64,
    /// Log-likelihood of the classifier with all features, in bits.
    pub log_likelihood: f64,
    /// Log-likelihood of the auxiliary network with all features, in bits.
    pub auxiliary_log_likelihood: f64,
    /// The description length, in bits.
    pub mdl: f64,
    /// The description length for feature selection, in bits.
    pub mdl_fs: f64,
    /// The difference of the two log-likelihoods per row, in bits.
    pub call_per_row: f64,
    /// The same less the part that the class alone has, as the paper's tables print it.
    pub call_per_row_without_class: f64,
    /// The edges of the classifier's tree, the lower feature first.
    pub tree: Vec<(usize, usize)>,
    /// The edges of the auxiliary tree.
    pub auxiliary_tree: Vec<(usize, usize)>,
    /// BIC of the class and the set alone, in nats.
    pub bic: f64,
    /// BDeu of the class and the set alone, in nats.
    pub bdeu: f64,
    /// `H(C)`, in bits.
    pub class_entropy: f64,
    /// `H(C | set)`, in bits; `None` where the table of the set cannot be counted.
    pub conditional_entropy: Option<f64>,
    /// The merit of correlation-based selection.
    pub cfs_merit: f64,
}

impl Terms {
    /// Computes all terms of a set.
    ///
    /// # Errors
    /// Fewer than two rows, a prior that is not positive, or the observer cancelled.
    pub fn new(
        info: &Informations<'_>,
        set: &FeatureSet,
        options: TermsOptions,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let score = DescriptionLength::mdl_fs(info, options.structure, options.auxiliary)?;
        let plain = DescriptionLength::mdl(info, options.structure)?;
        let added = score.added(set, observer)?;
        let edges = score.edges(set, observer)?;
        let local = LocalScore::Bdeu {
            equivalent_sample_size: options.equivalent_sample_size,
        };
        let bdeu = NetworkScore::new(info, options.structure, local)?;
        let n = info.n_rows() as f64;
        let class_entropy = info.class_entropy();
        let entropies = |is_in: &dyn Fn(usize) -> bool| {
            let mut sum = OrderFreeSum::default();
            let features = (0..info.n_features()).filter(|&f| is_in(f));
            features.for_each(|f| sum.add(info.single(f).feature_entropy));
            sum.value()
        };
        let (all, inside) = (entropies(&|_| true), entropies(&|f| set.contains(f)));
        let free = |n: usize| n.saturating_sub(1) as f64;
        let free_of = |is_in: &dyn Fn(usize) -> bool| {
            let features = (0..info.n_features()).filter(|&f| is_in(f));
            features.map(|f| free(info.n_values(f))).sum::<f64>()
        };
        let parameters =
            free(info.n_classes()) + free_of(&|f| set.contains(f)) + added.n_parameters;
        let information_bits = added.information.value();
        let call = Call::of(info, &added);
        Ok(Terms {
            parameters,
            isolated_parameters: free_of(&|f| !set.contains(f)),
            log_likelihood: -n * (class_entropy + all - information_bits),
            auxiliary_log_likelihood: -n * (all - added.auxiliary.value()),
            mdl: plain.value(&added),
            mdl_fs: score.value(&added),
            call_per_row: call.per_row,
            call_per_row_without_class: call.per_row_without_class,
            tree: edges.classifier,
            auxiliary_tree: edges.auxiliary,
            bic: -n * LN_2 * (class_entropy + inside - information_bits)
                - n.ln() / 2.0 * parameters,
            bdeu: bdeu.alone(set, observer)?,
            class_entropy,
            conditional_entropy: known_entropy(info, set, observer)?,
            cfs_merit: Merit::new(info).evaluate(std::slice::from_ref(set), observer)?[0],
        })
    }
}

/// `H(C | set)`, over the joint values that occur, where their table can be had.
fn known_entropy(
    info: &Informations<'_>,
    set: &FeatureSet,
    observer: &dyn Observer,
) -> Result<Option<f64>> {
    let n = set.len();
    let nodes = set.iter().chain([info.n_features()]).collect();
    let entropy = info.nodes().with_rows(nodes, observer, |rows| {
        Ok(conditional_entropy(&rows.count(&rows.parts(0..n)?, n)?))
    });
    match entropy {
        // There is no room for it, or its cells cannot be numbered.
        Err(error) if matches!(error.kind(), ErrorKind::Usage | ErrorKind::Data) => Ok(None),
        entropy => entropy.map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{example1, features};
    use super::*;
    use crate::Silent;
    use crate::info::testing::{counted, counted_pairs, counted_tight, named_tables};

    fn terms(n_rows: usize, structure: Structure, numbers: &[usize]) -> Terms {
        let table = example1(n_rows);
        let info = Informations::new(&features(&table), &table.class).unwrap();
        let set = FeatureSet::of(8, numbers.iter().map(|n| n - 1)).unwrap();
        let options = TermsOptions {
            structure,
            ..TermsOptions::default()
        };
        Terms::new(&info, &set, options, &Silent).unwrap()
    }

    #[test]
    fn example_1_has_the_terms_of_its_worked_numbers() {
        let nb = terms(3200, Structure::NaiveBayes, &[2, 6]);
        assert_eq!((nb.parameters, nb.isolated_parameters), (5.0, 6.0));
        assert_eq!(format!("{:.4}", nb.mdl), "24260.1312");
        assert_eq!(format!("{:.4}", nb.mdl_fs), "1165.9962");
        assert_eq!(format!("{:.4}", nb.call_per_row_without_class), "0.4669");
        assert_eq!(format!("{:.4}", nb.cfs_merit), "0.5061");
        assert_eq!(format!("{:.4}", nb.class_entropy), "0.8113");
        assert_eq!(nb.tree, []);
        assert_eq!(nb.auxiliary_tree, [(1, 5)]);
        // MDL is the penalty less the likelihood: log2(3200)/2 * 11.
        let penalty = 3200f64.log2() / 2.0 * 11.0;
        assert!((nb.mdl - (penalty - nb.log_likelihood)).abs() < 1e-9);
        let call = nb.log_likelihood - nb.auxiliary_log_likelihood;
        assert!((nb.mdl_fs - (penalty - call)).abs() < 1e-9);
        assert!((nb.call_per_row - call / 3200.0).abs() < 1e-12);

        let tan = terms(3200, Structure::Tan, &[1, 2, 4, 6]);
        assert_eq!(tan.parameters, 15.0);
        assert_eq!(format!("{:.4}", tan.call_per_row_without_class), "0.7523");
        assert!(tan.conditional_entropy.unwrap() < 1e-12); // A1, A2, A4 decide
        for (structure, parameters, call) in [
            (Structure::NaiveBayes, 17.0, "-1.7352"),
            (Structure::Tan, 31.0, "0.7523"),
        ] {
            let all = terms(32, structure, &[1, 2, 3, 4, 5, 6, 7, 8]);
            assert_eq!(all.parameters, parameters);
            assert_eq!(format!("{:.4}", all.call_per_row_without_class), call);
        }
    }

    #[test]
    fn bic_is_that_of_the_families() {
        let table = example1(320);
        let info = Informations::new(&features(&table), &table.class).unwrap();
        let set = FeatureSet::of(8, [0, 1, 5]).unwrap();
        let terms = Terms::new(&info, &set, TermsOptions::default(), &Silent).unwrap();
        let families = NetworkScore::new(&info, Structure::Tan, LocalScore::Bic).unwrap();
        let expected = families.alone(&set, &Silent).unwrap();
        assert!(
            (terms.bic - expected).abs() < 1e-9,
            "{} {expected}",
            terms.bic
        );
    }

    #[test]
    fn counts_give_the_same_terms_as_rows() {
        for (name, table) in named_tables() {
            let columns = features(&table);
            let by_rows = Informations::new(&columns, &table.class).unwrap();
            let all: Vec<usize> = (0..columns.len()).collect();
            let sources = [
                counted(&table, 57, 1 << 30),
                counted_tight(&table),
                counted_pairs(&table),
            ];
            for structure in [Structure::NaiveBayes, Structure::Tan] {
                for auxiliary in ["tree", "own-tree", "empty", "complete"] {
                    let options = TermsOptions {
                        structure,
                        auxiliary: crate::setting::choice(auxiliary).unwrap(),
                        ..TermsOptions::default()
                    };
                    for places in [&[][..], &[2], &[1, 3], &[0, 2, 3, 5]] {
                        let set = FeatureSet::of(all.len(), places.iter().copied()).unwrap();
                        let rows = Terms::new(&by_rows, &set, options, &Silent).unwrap();
                        for source in &sources {
                            let info = source.informations(&all).unwrap();
                            let is_narrow = info.nodes().max_features() == Some(2);
                            let terms = Terms::new(&info, &set, options, &Silent);
                            if is_narrow && places.len() > 2 && auxiliary == "complete" {
                                let error = terms.unwrap_err().to_string();
                                assert!(error.starts_with("a table of 4 features"), "{error}");
                                continue;
                            }
                            let mut counts = terms.unwrap();
                            if is_narrow && places.len() > 2 {
                                assert_eq!(counts.conditional_entropy, None);
                                counts.conditional_entropy = rows.conditional_entropy;
                            }
                            // Numbers are written to the last bit.
                            let (counts, rows) = (format!("{counts:?}"), format!("{rows:?}"));
                            assert_eq!(counts, rows, "{name} {structure} {auxiliary:?} {places:?}");
                        }
                    }
                }
            }
        }
    }
}
