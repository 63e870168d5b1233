//! Tables of three features given the class, from counts of rows that are somewhere else.

use super::MOST_JOINED;
use crate::Observer;
use crate::Result;
use crate::counts::{Cell, CountTable, JointTable, Shape, TableNodes};

/// A feature, and two others that are known.
pub(super) struct Triple {
    pub(super) given: [usize; 2],
    pub(super) feature: usize,
}

/// What `map` makes of the number of every triple and of its table: the feature with the two
/// others as one column of the values of both, as rows in memory would be counted.
pub(super) fn map<T: Send>(
    nodes: &TableNodes<'_>,
    triples: &[Triple],
    observer: &dyn Observer,
    map: impl Fn(usize, &CountTable) -> T + Sync,
) -> Result<Vec<T>> {
    let class = nodes.n_features();
    let set = |triple: &Triple| [&triple.given[..], &[class, triple.feature]].concat();
    let sets: Vec<Vec<usize>> = triples.iter().map(set).collect();
    nodes.map_joint(&sets, observer, |number, joint| {
        Ok(map(number, &as_pair(joint, nodes.n_rows())?))
    })
}

/// A table of two known features, the class and a feature as one of two columns.
fn as_pair(joint: &JointTable, n_rows: u64) -> Result<CountTable> {
    let n_values = joint.n_values();
    let n_behind = (n_values[2] * n_values[3]).max(1) as u64;
    let n_joined = n_values[0].saturating_mul(n_values[1]);
    // Of many combinations only those that occur are numbered.
    let mut seen: Vec<u64> = Vec::new();
    if n_joined > MOST_JOINED {
        seen = joint.iter().map(|(key, _)| key / n_behind).collect();
        seen.dedup();
    }
    let shape = Shape {
        n_classes: n_values[2],
        n_folds: 1,
        n_a: n_values[3],
        n_b: if n_joined > MOST_JOINED {
            seen.len()
        } else {
            n_joined
        },
    };
    let cells = joint.iter().map(|(key, n)| {
        let (given, rest) = (key / n_behind, (key % n_behind) as usize);
        let cell = Cell {
            class: rest / n_values[3],
            fold: 0,
            a: rest % n_values[3],
            b: if n_joined > MOST_JOINED {
                seen.partition_point(|&other| other < given)
            } else {
                given as usize
            },
        };
        (cell, n)
    });
    CountTable::from_cells(shape, cells, n_rows)
}
