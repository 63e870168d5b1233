//! Statistical tests and the distributions behind them.
//!
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
mod paired;
mod quadrature;
mod ranks;
mod special;
mod tail;
mod wilcoxon;

pub use contingency::{DegreesOfFreedom, IndependenceTest, Layers, Statistic, has_power};
pub use five_by_two::{FiveByTwo, FiveByTwoTest, five_by_two_f, five_by_two_t};
pub use friedman::{FriedmanTest, FriedmanVariant, RankTest, Scores};
pub use moments::{MeanSd, mean_sd};
pub use nemenyi::{nemenyi_critical_difference, nemenyi_p};
pub use paired::{Alternative, TTest, corrected_t, paired_t};
pub use ranks::{Better, Ties, ranks};
pub use tail::{Tail, chi_square_tail, f_tail, normal_tail, t_tail};
pub use wilcoxon::{WilcoxonMethod, WilcoxonTest, wilcoxon};
