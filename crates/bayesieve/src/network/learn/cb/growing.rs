//! Families that gain one parent after the other.
//!
//! In the first round of CB most pairs of nodes are adjacent and a node may get hundreds of
//! parents. Rows are kept grouped by the parents so far, so that one more costs one pass over
//! the rows and not one per parent.

use crate::Result;
use crate::counts::Partition;
use crate::network::learn::FamilyScorer;

/// Memory for groups of rows; nodes beyond it are grouped anew each time.
const MAX_BYTES: usize = 1 << 28;

/// Every node with its parents so far.
pub(super) struct GrowingFamilies<'s, 'a> {
    scorer: &'s FamilyScorer<'a>,
    families: Vec<Family>,
    /// How many more nodes may keep their groups.
    n_free: usize,
}

#[derive(Default)]
struct Family {
    parents: Vec<usize>,
    /// Rows by the values of the parents, once asked for.
    groups: Option<Partition>,
    /// The score with the parents so far, once asked for.
    score: Option<f64>,
}

impl<'s, 'a> GrowingFamilies<'s, 'a> {
    /// Nodes without parents.
    pub(super) fn new(scorer: &'s FamilyScorer<'a>) -> Self {
        Self::with_bytes(scorer, MAX_BYTES)
    }

    fn with_bytes(scorer: &'s FamilyScorer<'a>, max_bytes: usize) -> Self {
        let n_bytes = scorer.n_rows().max(1) * size_of::<u32>();
        GrowingFamilies {
            scorer,
            families: (0..scorer.n_nodes()).map(|_| Family::default()).collect(),
            n_free: max_bytes / n_bytes,
        }
    }

    /// Gives a node one more parent.
    pub(super) fn add_parent(&mut self, node: usize, parent: usize) -> Result<()> {
        let family = &mut self.families[node];
        family.parents.push(parent);
        family.score = None;
        if let Some(groups) = &mut family.groups {
            *groups = self.scorer.refine(groups, parent)?;
        }
        Ok(())
    }

    /// What one more parent would add to the score of a node.
    pub(super) fn gain(&mut self, node: usize, parent: usize) -> Result<f64> {
        let scorer = self.scorer;
        let family = &mut self.families[node];
        let mut made = None;
        let groups = match &family.groups {
            Some(groups) => groups,
            None => made.insert(scorer.partition(&family.parents)?),
        };
        let before = match family.score {
            Some(score) => score,
            None => scorer.score_in(node, &family.parents, groups)?,
        };
        let wider = [&family.parents[..], &[parent]].concat();
        let after = scorer.score_in(node, &wider, &scorer.refine(groups, parent)?)?;
        family.score = Some(before);
        if made.is_some() && self.n_free > 0 {
            self.n_free -= 1;
            family.groups = made;
        }
        Ok(after - before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::CountColumn;
    use crate::data::Codes;
    use crate::network::learn::LocalScore;

    #[test]
    fn gains_are_differences_of_scores_with_and_without_memory() {
        let cell = |row: u32, column: u32| Some((row * (column + 3) / 7 + row / 5) % 3);
        let column = |c: u32| Codes::new(3, (0..60).map(move |row| cell(row, c)));
        let mut codes: Vec<Codes> = (0..5).map(column).collect();
        // A row with a gap leaves every family that it is in.
        codes[2] = Codes::new(3, (0..60).map(|row| cell(row, 2).filter(|_| row != 17)));
        let columns: Vec<CountColumn<'_>> = codes
            .iter()
            .map(|codes| CountColumn { codes, n_values: 3 })
            .collect();
        let scorer = FamilyScorer::new(&columns, LocalScore::K2).unwrap();
        for max_bytes in [0, 240, 1 << 20] {
            let mut families = GrowingFamilies::with_bytes(&scorer, max_bytes);
            let mut parents = Vec::new();
            for parent in [3, 2, 1, 4] {
                let before = scorer.score(0, &parents).unwrap();
                let wider = [&parents[..], &[parent]].concat();
                let expected = scorer.score(0, &wider).unwrap() - before;
                assert_eq!(families.gain(0, parent).unwrap(), expected, "{wider:?}");
                families.gain(parent, 0).unwrap();
                families.add_parent(0, parent).unwrap();
                parents = wider;
            }
        }
    }
}
