//! Whether pipelines differ over several data sets: ranks, Friedman's test, Nemenyi's.

use super::result::{Comparison, Quantity};
use crate::Result;
use crate::stats::{FriedmanTest, Scores, Ties, nemenyi_critical_difference, nemenyi_p};

/// The ranks of pipelines by one quantity, over the data sets on which all of them were
/// finished.
#[derive(Debug, Clone, PartialEq)]
pub struct RankSummary {
    /// What they are ranked by: means over the splits of a data set.
    pub quantity: Quantity,
    /// The data sets.
    pub data: Vec<usize>,
    /// One rank a pipeline, in the order of the pipelines; those without a value are left
    /// out.
    pub ranks: Vec<Rank>,
    /// Friedman's test, from two data sets on.
    pub friedman: Option<FriedmanTest>,
}

/// The mean rank of a pipeline, 1 for the best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rank {
    /// The place of the pipeline.
    pub pipeline: usize,
    /// Equal values share the average of their ranks.
    pub average: f64,
    /// Equal values share the smallest of their ranks.
    pub competition: f64,
}

impl RankSummary {
    /// How far average ranks must lie apart to differ at a level (Nemenyi); nothing for one
    /// data set.
    ///
    /// # Errors
    /// A level outside 1e-6 to 0.5.
    pub fn critical_difference(&self, alpha: f64) -> Result<Option<f64>> {
        match self.friedman {
            Some(_) => {
                nemenyi_critical_difference(self.ranks.len(), self.data.len(), alpha).map(Some)
            }
            None => Ok(None),
        }
    }

    /// Nemenyi's test of every pair: places of the pipelines, the distance of their average
    /// ranks, p.
    ///
    /// # Errors
    /// None but internal ones.
    pub fn nemenyi(&self) -> Result<Vec<(usize, usize, f64, f64)>> {
        let mut tests = Vec::new();
        if self.friedman.is_none() {
            return Ok(tests);
        }
        for (place, b) in self.ranks.iter().enumerate() {
            for a in &self.ranks[..place] {
                let distance = (a.average - b.average).abs();
                let p = nemenyi_p(distance, self.ranks.len(), self.data.len())?;
                tests.push((a.pipeline, b.pipeline, distance, p));
            }
        }
        Ok(tests)
    }
}

impl Comparison {
    /// The ranks by every quantity that tests are about, as far as pipelines have it.
    ///
    /// # Errors
    /// None but internal ones.
    pub fn all_ranks(&self) -> Result<Vec<RankSummary>> {
        let ranked = Quantity::tested(self.measure).into_iter();
        let ranked = ranked.filter_map(|quantity| self.ranks(quantity).transpose());
        ranked.collect()
    }

    /// The ranks by a quantity; nothing where fewer than two pipelines have it.
    ///
    /// # Errors
    /// None but internal ones.
    pub fn ranks(&self, quantity: Quantity) -> Result<Option<RankSummary>> {
        let means: Vec<Vec<Option<f64>>> = (0..self.data.len())
            .map(|data| self.means(data, quantity))
            .collect();
        let has_any = |pipeline: &usize| means.iter().any(|row| row[*pipeline].is_some());
        let ranked: Vec<usize> = (0..self.pipelines.len()).filter(has_any).collect();
        let is_whole = |data: &usize| ranked.iter().all(|&p| means[*data][p].is_some());
        let data: Vec<usize> = (0..self.data.len()).filter(is_whole).collect();
        if ranked.len() < 2 || data.is_empty() {
            return Ok(None);
        }
        let values = data
            .iter()
            .flat_map(|&data| ranked.iter().map(move |&p| (data, p)));
        let values: Vec<f64> = values.filter_map(|(data, p)| means[data][p]).collect();
        let scores = Scores::new(ranked.len(), &values, quantity.better())?;
        let both = scores
            .mean_ranks(Ties::Average)
            .into_iter()
            .zip(scores.mean_ranks(Ties::Smallest));
        let ranks = ranked.iter().zip(both);
        let ranks = ranks.map(|(&pipeline, (average, competition))| Rank {
            pipeline,
            average,
            competition,
        });
        Ok(Some(RankSummary {
            quantity,
            friedman: match data.len() {
                0 | 1 => None,
                _ => Some(scores.friedman()?),
            },
            ranks: ranks.collect(),
            data,
        }))
    }

    fn means(&self, data: usize, quantity: Quantity) -> Vec<Option<f64>> {
        let pipelines = 0..self.pipelines.len();
        let entries = pipelines.map(|pipeline| self.entry(data, pipeline));
        entries
            .map(|entry| entry?.mean_sd(quantity).map(|of_runs| of_runs.mean))
            .collect()
    }
}
