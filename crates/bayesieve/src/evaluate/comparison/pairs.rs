//! Whether two pipelines differ on a data set: tests over the same splits.

use std::fmt;
use std::str::FromStr;

use super::super::protocol::Protocol;
use super::result::{Comparison, Entry, Quantity};
use crate::stats::{
    Alternative, Better, FiveByTwo, WilcoxonMethod, corrected_t, five_by_two_f, paired_t, wilcoxon,
};
use crate::{Error, Result, parameter, quoted};

/// Tests of two pipelines on the splits of one data set, two-sided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PairTestKind {
    /// Differences as if splits were independent: too often "significant" where training
    /// parts overlap.
    PairedT,
    /// The same with the variance that overlapping training parts need (Nadeau and Bengio,
    /// 2003).
    CorrectedT,
    /// The signed ranks of the differences.
    Wilcoxon,
    /// Alpaydin's F on five times two halves.
    FiveByTwoF,
}

impl PairTestKind {
    /// All there are.
    pub const ALL: [PairTestKind; 4] = [
        PairTestKind::PairedT,
        PairTestKind::CorrectedT,
        PairTestKind::Wilcoxon,
        PairTestKind::FiveByTwoF,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            PairTestKind::PairedT => "paired-t",
            PairTestKind::CorrectedT => "corrected-t",
            PairTestKind::Wilcoxon => "wilcoxon",
            PairTestKind::FiveByTwoF => "5x2cv-f",
        }
    }

    /// Those that go with a protocol, the one to prefer first.
    pub fn of_protocol(protocol: Protocol) -> &'static [PairTestKind] {
        use PairTestKind::{CorrectedT, FiveByTwoF, PairedT, Wilcoxon};
        match protocol {
            Protocol::FiveByTwo => &[FiveByTwoF, PairedT, CorrectedT, Wilcoxon],
            _ => &[CorrectedT, PairedT, Wilcoxon],
        }
    }

    /// Refuses a test that does not go with a protocol.
    ///
    /// # Errors
    /// It does not.
    pub fn check(self, protocol: Protocol) -> Result<()> {
        if PairTestKind::of_protocol(protocol).contains(&self) {
            Ok(())
        } else {
            Err(Error::usage(format!(
                "{test} does not go with {protocol}",
                test = parameter("test").is(self.name()),
                protocol = parameter("protocol").is(protocol)
            ))
            .with_hint(format!("It is for {}.", parameter("protocol").is("5x2cv"))))
        }
    }

    /// The one that was asked for, where it goes with a protocol, else the one to prefer.
    pub fn for_protocol(asked: Option<PairTestKind>, protocol: Protocol) -> PairTestKind {
        let known = PairTestKind::of_protocol(protocol);
        let asked = asked.filter(|kind| known.contains(kind));
        asked.unwrap_or(known[0])
    }

    /// The statistic and its p of two entries with the same splits, and how far the first is
    /// above the second as the test sees it; nothing where a run has no value, or one run is
    /// too few.
    fn test(self, a: &Entry, b: &Entry, quantity: Quantity) -> Result<Option<[f64; 3]>> {
        let values = a.values(quantity).zip(b.values(quantity));
        let Some((x, y)) = values.filter(|(x, y)| x.len() == y.len() && x.len() > 1) else {
            return Ok(None);
        };
        let two_sided = Alternative::TwoSided;
        Ok(match self {
            PairTestKind::PairedT => {
                let test = paired_t(&x, &y, two_sided)?;
                Some([test.t, test.p, test.mean])
            }
            PairTestKind::CorrectedT => {
                let test = corrected_t(&x, &y, test_to_train(a), two_sided)?;
                Some([test.t, test.p, test.mean])
            }
            PairTestKind::Wilcoxon => {
                let test = wilcoxon(&x, &y, two_sided, WilcoxonMethod::Auto)?;
                let smaller = test.w_plus.min(test.w_minus);
                Some([smaller, test.p, test.w_plus - test.w_minus])
            }
            PairTestKind::FiveByTwoF => match (halves(&x), halves(&y)) {
                (Some(x), Some(y)) => {
                    let test = five_by_two_f(&x, &y)?;
                    let sum = x.iter().flatten().sum::<f64>() - y.iter().flatten().sum::<f64>();
                    Some([test.statistic, test.p, sum])
                }
                _ => None,
            },
        })
    }
}

impl fmt::Display for PairTestKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for PairTestKind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == text);
        found.ok_or_else(|| {
            let names = Self::ALL.map(PairTestKind::name);
            Error::usage(format!("there is no test {}", quoted(text)))
                .with_hint(format!("Use {}.", names.join(", ")))
        })
    }
}

/// Test rows for every training row, over all splits.
fn test_to_train(entry: &Entry) -> f64 {
    let n_test: usize = entry.runs.iter().map(|run| run.n_test).sum();
    let n_train: usize = entry.runs.iter().map(|run| run.n_train).sum();
    n_test as f64 / n_train.max(1) as f64
}

fn halves(values: &[f64]) -> Option<FiveByTwo> {
    let pairs = values.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
    let pairs: Vec<[f64; 2]> = pairs.collect();
    pairs.try_into().ok()
}

/// The outcome of a test of two pipelines on a data set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairTest {
    /// Which test.
    pub kind: PairTestKind,
    /// The place of the one pipeline.
    pub a: usize,
    /// The place of the other.
    pub b: usize,
    /// The place of the data set.
    pub data: usize,
    /// What was compared.
    pub quantity: Quantity,
    /// The mean of the first less that of the second.
    pub difference: f64,
    /// How far the first is above the second as the test sees it: means, or sums of ranks.
    pub side: f64,
    /// The statistic; infinite where equal differences leave no spread.
    pub statistic: f64,
    /// Probability of a statistic at least as extreme, under "no difference".
    pub p: f64,
}

/// How often a pipeline was better and worse than others, beyond chance, over all data sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Verdicts {
    /// Significantly better.
    pub wins: usize,
    /// Significantly worse.
    pub losses: usize,
    /// Neither.
    pub draws: usize,
}

/// How a pipeline stands to the most accurate one on a data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is the most accurate one, or as accurate.
    Best,
    /// The test does not tell it apart from the best.
    Even,
    /// It is worse by more than chance.
    Worse,
    /// One split is too few for a test.
    Untested,
}

impl PairTest {
    /// Who is better at a level, and who worse; nobody where it may be chance.
    fn decided(&self, alpha: f64) -> Option<(usize, usize)> {
        let for_the_first = match self.quantity.better() {
            Better::Higher => self.side,
            Better::Lower => -self.side,
        };
        match for_the_first {
            side if self.p >= alpha || side == 0.0 => None,
            side if side > 0.0 => Some((self.a, self.b)),
            _ => Some((self.b, self.a)),
        }
    }
}

impl Comparison {
    /// All tests of all pairs of pipelines that go with the protocols, by quantity, data set,
    /// pair and test.
    ///
    /// # Errors
    /// None but internal ones.
    pub fn pair_tests(&self) -> Result<Vec<PairTest>> {
        let mut tests = Vec::new();
        for quantity in Quantity::tested(self.measure) {
            for (data, set) in self.data.iter().enumerate() {
                for b in 1..self.pipelines.len() {
                    for a in 0..b {
                        for &kind in PairTestKind::of_protocol(set.protocol) {
                            tests.extend(self.pair_test(kind, (a, b), data, quantity)?);
                        }
                    }
                }
            }
        }
        Ok(tests)
    }

    /// One test of two pipelines on a data set; nothing where it cannot be done.
    ///
    /// # Errors
    /// None but internal ones.
    pub fn pair_test(
        &self,
        kind: PairTestKind,
        (a, b): (usize, usize),
        data: usize,
        quantity: Quantity,
    ) -> Result<Option<PairTest>> {
        let Some((x, y)) = self.entry(data, a).zip(self.entry(data, b)) else {
            return Ok(None);
        };
        let means = x.mean_sd(quantity).zip(y.mean_sd(quantity));
        let tested = kind.test(x, y, quantity)?;
        Ok(means
            .zip(tested)
            .map(|((x, y), [statistic, p, side])| PairTest {
                kind,
                a,
                b,
                data,
                quantity,
                difference: x.mean - y.mean,
                side,
                statistic,
                p,
            }))
    }

    /// Wins and losses of every pipeline against all others at a level, by one test or by the
    /// one that each data set's protocol prefers.
    ///
    /// # Errors
    /// None but internal ones.
    pub fn verdicts(
        &self,
        quantity: Quantity,
        kind: Option<PairTestKind>,
        alpha: f64,
    ) -> Result<Vec<Verdicts>> {
        let mut verdicts = vec![Verdicts::default(); self.pipelines.len()];
        for (data, set) in self.data.iter().enumerate() {
            let kind = PairTestKind::for_protocol(kind, set.protocol);
            for b in 1..self.pipelines.len() {
                for a in 0..b {
                    let Some(test) = self.pair_test(kind, (a, b), data, quantity)? else {
                        continue;
                    };
                    match test.decided(alpha) {
                        Some((better, worse)) => {
                            verdicts[better].wins += 1;
                            verdicts[worse].losses += 1;
                        }
                        None => {
                            verdicts[a].draws += 1;
                            verdicts[b].draws += 1;
                        }
                    }
                }
            }
        }
        Ok(verdicts)
    }

    /// How the finished pipelines of a data set stand to the best one by the measure that decides, by one test or
    /// by the one that its protocol prefers.
    ///
    /// # Errors
    /// None but internal ones.
    pub fn standings(
        &self,
        data: usize,
        kind: Option<PairTestKind>,
        alpha: f64,
    ) -> Result<Vec<(usize, Standing)>> {
        let entries = (0..self.pipelines.len()).filter_map(|place| self.entry(data, place));
        let decides = Quantity::Measured(self.measure);
        let gain = |entry: &Entry| {
            let of_runs = entry.mean_sd(decides);
            of_runs.map_or(f64::NEG_INFINITY, |of_runs| {
                -self.measure.loss(of_runs.mean)
            })
        };
        let gains: Vec<(usize, f64)> = entries.map(|entry| (entry.pipeline, gain(entry))).collect();
        let best = gains.iter().map(|(_, gain)| *gain);
        let best = best.fold(f64::NEG_INFINITY, f64::max);
        let first = gains.iter().find(|(_, gain)| *gain >= best);
        let Some((&(first, _), set)) = first.zip(self.data.get(data)) else {
            return Ok(Vec::new());
        };
        let kind = PairTestKind::for_protocol(kind, set.protocol);
        let standings = gains.iter().map(|&(pipeline, gain)| {
            if gain.is_finite() && gain >= best {
                return Ok((pipeline, Standing::Best));
            }
            let test = self.pair_test(kind, (first, pipeline), data, decides)?;
            let standing = match test {
                None => Standing::Untested,
                Some(test) if test.p >= alpha => Standing::Even,
                Some(_) => Standing::Worse,
            };
            Ok((pipeline, standing))
        });
        standings.collect()
    }
}
