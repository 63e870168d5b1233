//! Every way to a score, and what is refused.

use proptest::prelude::*;

use super::*;
use crate::Silent;

const SCORES: [LocalScore; 3] = [
    LocalScore::Bic,
    LocalScore::Bdeu {
        equivalent_sample_size: 10.0,
    },
    LocalScore::K2,
];

/// Columns of 2, 3, 4 and 70,000 values, some cells missing.
fn columns(rows: &[(u32, u32, u32, u32)]) -> Vec<(Codes, usize)> {
    let gap = |cell: u32, n: u32| (cell < n).then_some(cell);
    vec![
        (Codes::new(2, rows.iter().map(|r| gap(r.0, 2))), 2),
        (Codes::new(3, rows.iter().map(|r| gap(r.1, 3))), 3),
        (Codes::new(4, rows.iter().map(|r| gap(r.2, 4))), 4),
        (
            Codes::new(70_000, rows.iter().map(|r| Some(r.3 * 9_999))),
            70_000,
        ),
    ]
}

fn scorer(columns: &[(Codes, usize)], score: LocalScore) -> FamilyScorer<'_> {
    let columns: Vec<CountColumn<'_>> = columns
        .iter()
        .map(|(codes, n_values)| CountColumn {
            codes,
            n_values: *n_values,
        })
        .collect();
    FamilyScorer::new(&columns, score).unwrap()
}

fn rows() -> impl Strategy<Value = Vec<(u32, u32, u32, u32)>> {
    prop::collection::vec((0u32..3, 0u32..4, 0u32..4, 0u32..7), 0..60)
}

proptest! {
    #[test]
    fn every_way_to_a_score_gives_the_same_bits(rows in rows()) {
        let columns = columns(&rows);
        for score in SCORES {
            let one_by_one = scorer(&columns, score);
            let together = scorer(&columns, score).with_cache_bytes(0);
            let pairs = one_by_one.score_pairs(&Silent).unwrap();
            for node in 0..4 {
                for parents in [&[][..], &[(node + 1) % 4], &[(node + 3) % 4, (node + 1) % 4]] {
                    let candidates: Vec<usize> = (0..4).filter(|&c| c != node).collect();
                    let found = together.score_with_each(node, parents, &candidates, &Silent).unwrap();
                    let others: Vec<usize> = candidates
                        .iter()
                        .copied()
                        .filter(|c| !parents.contains(c))
                        .collect();
                    let each = together.score_each(&others, parents, &Silent).unwrap();
                    for (&other, found) in others.iter().zip(each) {
                        let expected = one_by_one.score(other, parents).unwrap();
                        prop_assert_eq!(found.to_bits(), expected.to_bits());
                    }
                    for (&candidate, found) in candidates.iter().zip(found) {
                        let wider = [parents, &[candidate]].concat();
                        let expected = one_by_one.score(node, &wider).unwrap();
                        prop_assert_eq!(found.to_bits(), expected.to_bits());
                        if parents.is_empty() {
                            let pair = pairs.get(node, candidate);
                            prop_assert_eq!(pair.to_bits(), expected.to_bits());
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_order_of_rows_and_values_changes_no_bit(rows in rows()) {
        let mut other = rows.clone();
        other.reverse();
        for row in &mut other {
            row.2 = 3 - row.2;
            row.3 = 6 - row.3;
        }
        let (columns, other) = (columns(&rows), columns(&other));
        for score in SCORES {
            let (scorer, other) = (scorer(&columns, score), scorer(&other, score));
            for (node, parents) in [(2, &[1, 3][..]), (3, &[2]), (0, &[3, 2, 1])] {
                let expected = scorer.score(node, parents).unwrap();
                prop_assert_eq!(other.score(node, parents).unwrap().to_bits(), expected.to_bits());
            }
        }
    }
}

#[test]
fn a_full_cache_is_emptied_and_forgets_nothing_that_matters() {
    let rows: Vec<_> = (0..50).map(|i| (i % 2, i % 3, i % 4, i % 7)).collect();
    let columns = columns(&rows);
    // Room for two families.
    let scorer = scorer(&columns, LocalScore::K2).with_cache_bytes(2 * (ENTRY_BYTES + 16));
    let first: Vec<f64> = (1..4).map(|p| scorer.score(0, &[p]).unwrap()).collect();
    assert_eq!(scorer.cache().scores.len(), 1);
    let again: Vec<f64> = (1..4).map(|p| scorer.score(0, &[p]).unwrap()).collect();
    assert_eq!(first, again);
    assert!(scorer.cache().n_bytes <= 2 * (ENTRY_BYTES + 16));
}

#[test]
fn threads_share_one_scorer() {
    let rows: Vec<_> = (0..200).map(|i| (i % 2, i % 3, i * i % 4, i % 7)).collect();
    let columns = columns(&rows);
    let scorer = scorer(&columns, LocalScore::Bic);
    let expected = scorer.score(2, &[0, 1]).unwrap();
    let fresh = scorer.with_cache_bytes(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(fresh.score(2, &[1, 0]).unwrap(), expected));
        }
    });
}

#[test]
fn families_that_cannot_be_are_errors() {
    let columns = columns(&[(0, 1, 2, 3)]);
    let scorer = scorer(&columns, LocalScore::Bic);
    assert!(scorer.score(4, &[]).is_err());
    assert!(scorer.score(0, &[4]).is_err());
    assert!(scorer.score(0, &[1, 0]).is_err());
    assert!(scorer.score_with_each(0, &[1], &[0], &Silent).is_err());
    assert!(scorer.score_dag(&Dag::new(3)).is_err());
    // A parent given twice counts once.
    assert_eq!(
        scorer.score(0, &[1, 1]).unwrap(),
        scorer.score(0, &[1]).unwrap()
    );
    let bad = LocalScore::Bdeu {
        equivalent_sample_size: 0.0,
    };
    assert!(FamilyScorer::new(&[], bad).is_err());
}

impl FamilyScorer<'_> {
    fn with_cache_bytes(self, max_bytes: usize) -> Self {
        self.cache().max_bytes = max_bytes;
        self
    }
}
