//! How counts become probabilities: the smoothings there are, each described once.

use super::FamilyCounts;
use super::sparse::SparseRows;
use crate::setting::{Setting, SettingKind};
use crate::{Error, Result};

/// How counts become probabilities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Smoothing {
    /// Plain frequencies. A parent combination that was never seen gets the node's own
    /// frequencies.
    MaximumLikelihood,
    /// This much is added to every cell: `(N_jk + a) / (N_j + a r)`.
    Laplace(f64),
    /// A Dirichlet prior worth this many rows over the whole table, equal in every cell:
    /// `(N_jk + s/(r q)) / (N_j + s/q)`.
    Dirichlet(f64),
    /// Mixed with the node's own frequencies, which count as this many rows
    /// (Friedman, Geiger and Goldszmidt, 1997): `(N_j P(k|j) + s P(k)) / (N_j + s)`.
    MarginalMixing(f64),
}

/// A smoothing by name: one text for help, documents and errors.
#[derive(Debug, Clone, Copy)]
pub struct SmoothingRule {
    /// How it is written.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// What it computes, as plain text: rows of value k and parent combination j, values r of the
    /// node, combinations q of its parents.
    pub formula: &'static str,
    /// Its constant when none is given, as it is written; `None` where it has none.
    pub alpha: Option<&'static str>,
    make: fn(f64) -> Smoothing,
}

const LAPLACE: SmoothingRule = SmoothingRule {
    name: "laplace",
    summary: "adds alpha to every cell",
    formula: "(N_jk + alpha) / (N_j + alpha r)",
    alpha: Some("1"),
    make: Smoothing::Laplace,
};

const MAXIMUM_LIKELIHOOD: SmoothingRule = SmoothingRule {
    name: "ml",
    summary: "plain frequencies; those of the node alone where its parents' values never occur",
    formula: "N_jk / N_j",
    alpha: None,
    make: |_| Smoothing::MaximumLikelihood,
};

const DIRICHLET: SmoothingRule = SmoothingRule {
    name: "dirichlet",
    summary: "a prior worth alpha rows over the whole table, equal in every cell",
    formula: "(N_jk + alpha / (r q)) / (N_j + alpha / q)",
    alpha: Some("1"),
    make: Smoothing::Dirichlet,
};

const MARGINAL_MIXING: SmoothingRule = SmoothingRule {
    name: "mixing",
    summary: "mixes with the frequencies of the node alone, which count as alpha rows",
    formula: "(N_jk + alpha P(k)) / (N_j + alpha)",
    alpha: Some("5"),
    make: Smoothing::MarginalMixing,
};

/// The smoothing of every model unless it is told another.
const DEFAULT: SmoothingRule = LAPLACE;

/// Every smoothing, in the order it is shown.
pub static SMOOTHINGS: &[SmoothingRule] =
    &[LAPLACE, MAXIMUM_LIKELIHOOD, DIRICHLET, MARGINAL_MIXING];

/// Largest constant of a smoothing.
pub(crate) const MAX_ALPHA: f64 = 1e9;

/// The setting of models that names their smoothing.
pub(crate) const SMOOTHING: Setting = Setting {
    name: "smoothing",
    default: DEFAULT.name,
    kind: SettingKind::Choice(&[
        LAPLACE.name,
        MAXIMUM_LIKELIHOOD.name,
        DIRICHLET.name,
        MARGINAL_MIXING.name,
    ]),
    meaning: "laplace, ml (plain frequencies), dirichlet, or mixing with the marginal",
};

/// The setting of models that is the constant of their smoothing.
pub(crate) const ALPHA: Setting = Setting {
    name: "alpha",
    default: match DEFAULT.alpha {
        Some(alpha) => alpha,
        None => "0",
    },
    kind: SettingKind::Number {
        min: 0.0,
        max: MAX_ALPHA,
    },
    meaning: "what laplace adds to every cell; the weight of dirichlet (1) and mixing (5)",
};

impl Default for Smoothing {
    fn default() -> Self {
        DEFAULT.with_default()
    }
}

impl SmoothingRule {
    /// The smoothing of a name.
    pub fn named(name: &str) -> Option<&'static SmoothingRule> {
        SMOOTHINGS.iter().find(|rule| rule.name == name)
    }

    /// With this constant, which is passed over where it has none.
    pub fn with_alpha(&self, alpha: f64) -> Smoothing {
        (self.make)(alpha)
    }

    /// With its own constant.
    pub fn with_default(&self) -> Smoothing {
        self.with_alpha(
            self.alpha
                .and_then(|alpha| alpha.parse().ok())
                .unwrap_or(0.0),
        )
    }
}

impl Smoothing {
    /// Its description.
    pub fn rule(self) -> &'static SmoothingRule {
        match self {
            Smoothing::MaximumLikelihood => &MAXIMUM_LIKELIHOOD,
            Smoothing::Laplace(_) => &LAPLACE,
            Smoothing::Dirichlet(_) => &DIRICHLET,
            Smoothing::MarginalMixing(_) => &MARGINAL_MIXING,
        }
    }

    /// Its constant; 0 for plain frequencies.
    pub fn alpha(self) -> f64 {
        match self {
            Smoothing::MaximumLikelihood => 0.0,
            Smoothing::Laplace(alpha)
            | Smoothing::Dirichlet(alpha)
            | Smoothing::MarginalMixing(alpha) => alpha,
        }
    }
}

/// A smoothing with what it needs of the counts.
pub(super) struct Smoother {
    /// Added to every cell, already weighted.
    prior: Vec<f64>,
    /// What a row without any count and any prior becomes.
    fallback: Vec<f64>,
}

impl Smoother {
    pub(super) fn new(family: &FamilyCounts, smoothing: Smoothing) -> Result<Self> {
        let r = family.n_states();
        let alpha = smoothing.alpha();
        if !(alpha >= 0.0 && alpha.is_finite()) {
            return Err(Error::usage(format!("a smoothing constant of {alpha}"))
                .with_hint("Use 0 or a positive number."));
        }
        let marginal = family.marginal();
        let n: u64 = marginal.iter().sum();
        let fallback = if n == 0 {
            vec![1.0 / r as f64; r]
        } else {
            marginal.iter().map(|&k| k as f64 / n as f64).collect()
        };
        let prior = match smoothing {
            Smoothing::MaximumLikelihood => vec![0.0; r],
            Smoothing::Laplace(alpha) => vec![alpha; r],
            Smoothing::Dirichlet(size) => vec![size / (r as f64 * family.n_configurations()); r],
            Smoothing::MarginalMixing(size) => fallback.iter().map(|p| size * p).collect(),
        };
        Ok(Smoother { prior, fallback })
    }

    /// The rows of the combinations that occur, and the one of all others.
    pub(super) fn rows(self, family: &FamilyCounts) -> SparseRows {
        let prior_sum: f64 = self.prior.iter().sum();
        let default = if prior_sum == 0.0 {
            self.fallback
        } else {
            self.prior.iter().map(|prior| prior / prior_sum).collect()
        };
        let n_parents = family.parent_states().len();
        let mut rows = SparseRows::new(default, self.prior.clone(), n_parents);
        for (values, counts) in family.iter() {
            // Positive: a combination that occurs has a count.
            let sum = counts.iter().map(|&(_, n)| n).sum::<u64>() as f64 + prior_sum;
            let cell =
                |&(state, n): &(u32, u64)| (state, (n as f64 + self.prior[state as usize]) / sum);
            rows.push(values, sum, counts.iter().map(cell));
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_smoothing_is_described_and_found_by_its_name() {
        for rule in SMOOTHINGS {
            let made = rule.with_default();
            assert_eq!(made.rule().name, rule.name);
            assert_eq!(
                SmoothingRule::named(rule.name).map(|r| r.name),
                Some(rule.name)
            );
            let alpha = rule.alpha.map_or(0.0, |alpha| alpha.parse().unwrap());
            assert_eq!(made.alpha(), alpha);
        }
        let names: Vec<&str> = SMOOTHINGS.iter().map(|rule| rule.name).collect();
        assert!(matches!(SMOOTHING.kind, SettingKind::Choice(words) if *words == *names));
        assert_eq!(Smoothing::default(), Smoothing::Laplace(1.0));
    }
}
