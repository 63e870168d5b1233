//! Statistical tests and the distributions behind them.
//!
//! | question | here |
//! |---|---|
//! | are two columns independent, perhaps given others? | [`Layers`] |
//! | is one method better than another on the same splits? | [`paired_t`], [`corrected_t`], [`wilcoxon`] |
//! | the same on five times two-fold cross-validation? | [`five_by_two_f`] |
//! | do several methods differ over several data sets, and which? | [`Scores::friedman`], [`nemenyi_p`] |
//! | how probable is a statistic this large? | [`chi_square_tail`], [`normal_tail`] |
//! | what is the law of an estimated separation score? | [`NoncentralChiSquare`] |
//!
//! Probabilities are exact to 1e-12 relative, and each comes with its logarithm, which
//! stays exact where the probability itself is too small for a number.

mod beta;
mod contingency;
mod five_by_two;
mod friedman;
mod gamma;
mod moments;
mod nemenyi;
mod noncentral;
mod paired;
pub(crate) mod quadrature;
mod ranks;
mod special;
mod tail;
mod wilcoxon;

pub use contingency::{DegreesOfFreedom, IndependenceTest, Layers, Statistic, has_power};
pub use five_by_two::{FiveByTwo, FiveByTwoTest, five_by_two_f};
pub use friedman::{FriedmanTest, FriedmanVariant, RankTest, Scores};
pub use moments::{MeanSd, mean_sd};
pub use nemenyi::{nemenyi_critical_difference, nemenyi_p};
pub use noncentral::NoncentralChiSquare;
pub use paired::{Alternative, TTest, corrected_t, paired_t};
pub use ranks::{Better, Ties, ranks};
pub use tail::{Tail, chi_square_tail, normal_tail};
pub use wilcoxon::{WilcoxonMethod, WilcoxonTest, wilcoxon};
