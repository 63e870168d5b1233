//! The counts of a family in a model file: whole rows, or only the cells that occur.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use serde_json::value::RawValue;

use crate::network::FamilyCounts;
use crate::{Error, Result};

/// The counts of a node in every combination of its parents' values that occurs.
///
/// One of the two lists is there, whichever is shorter: for a column of thousands of values
/// most counts are 0.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct CountsEntry {
    /// The parents' values of every combination.
    combinations: OneLine<Vec<Vec<u32>>>,
    /// The counts of all values of the node in each.
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<OneLine<Vec<Vec<u64>>>>,
    /// The values of the node that occur in each, with their counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<OneLine<Vec<RowCells>>>,
}

/// The values of a node that occur in one combination, with their counts.
type RowCells = Vec<(u32, u64)>;

impl CountsEntry {
    pub(super) fn new(family: &FamilyCounts) -> Self {
        let combinations = family.iter().map(|(values, _)| values.to_vec()).collect();
        let n_whole = family.n_seen().saturating_mul(family.n_states());
        let whole = |cells: &[(u32, u64)]| {
            let mut counts = vec![0; family.n_states()];
            cells
                .iter()
                .for_each(|&(state, n)| counts[state as usize] = n);
            counts
        };
        // A cell is written with its value.
        let is_whole = n_whole <= 2 * family.n_cells();
        let rows = || family.iter().map(|(_, cells)| cells);
        CountsEntry {
            combinations: OneLine(combinations),
            counts: is_whole.then(|| OneLine(rows().map(whole).collect())),
            cells: (!is_whole).then(|| OneLine(rows().map(<[_]>::to_vec).collect())),
        }
    }

    /// The counts, checked against the states of the node and its parents.
    pub(super) fn read(&self, n_states: usize, parent_states: Vec<usize>) -> Result<FamilyCounts> {
        let thinned: Vec<RowCells>;
        let cells = match (&self.counts, &self.cells) {
            (Some(OneLine(counts)), None) => {
                if counts.iter().any(|counts| counts.len() != n_states) {
                    return Err(Error::data("counts are not one for every value"));
                }
                let thin = |counts: &Vec<u64>| {
                    let seen = (0..).zip(counts.iter().copied());
                    seen.filter(|&(_, n)| n > 0).collect()
                };
                thinned = counts.iter().map(thin).collect();
                &thinned
            }
            (None, Some(OneLine(cells))) => cells,
            _ => return Err(Error::data("neither counts nor cells, or both")),
        };
        let combinations = &self.combinations.0;
        if combinations.len() != cells.len() {
            return Err(Error::data(
                "combinations and counts are of different numbers",
            ));
        }
        let rows = combinations.iter().zip(cells);
        let rows = rows.map(|(values, cells)| (&values[..], &cells[..]));
        FamilyCounts::from_cells(n_states, parent_states, rows)
    }
}

/// A value that is written on one line, in a document that is otherwise spread out.
#[derive(Debug)]
pub(super) struct OneLine<T>(pub(super) T);

impl<T: Serialize> Serialize for OneLine<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let text = serde_json::to_string(&self.0).map_err(ser::Error::custom)?;
        let raw = RawValue::from_string(text).map_err(ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneLine<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        T::deserialize(deserializer)
            .map(OneLine)
            .map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::CountColumn;
    use crate::data::Codes;

    fn family(n_states: usize) -> FamilyCounts {
        let node = Codes::new(n_states, [0, 1, 1, 0].map(Some));
        let parent = Codes::new(3, [0, 2, 2, 2].map(Some));
        let column = |codes, n_values| CountColumn { codes, n_values };
        FamilyCounts::count(column(&node, n_states), &[column(&parent, 3)]).unwrap()
    }

    #[test]
    fn the_shorter_list_is_written_and_both_are_read() {
        let cases = [
            (2, r#"{"combinations":[[0],[2]],"counts":[[1,0],[1,2]]}"#),
            (
                9,
                r#"{"combinations":[[0],[2]],"cells":[[[0,1]],[[0,1],[1,2]]]}"#,
            ),
        ];
        for (n_states, text) in cases {
            let entry = CountsEntry::new(&family(n_states));
            assert_eq!(serde_json::to_string(&entry).unwrap(), text);
            let entry: CountsEntry = serde_json::from_str(text).unwrap();
            assert_eq!(entry.read(n_states, vec![3]).unwrap(), family(n_states));
            assert!(entry.read(1, vec![3]).is_err());
            assert!(entry.read(n_states, vec![2]).is_err());
        }
    }

    #[test]
    fn lists_that_do_not_fit_each_other_are_refused() {
        let bad = [
            r#"{"combinations":[[0]],"counts":[[1,0],[1,2]]}"#,
            r#"{"combinations":[[0]],"counts":[[1]]}"#,
            r#"{"combinations":[[0]],"cells":[]}"#,
            r#"{"combinations":[[0]]}"#,
            r#"{"combinations":[[0]],"counts":[[1,0]],"cells":[[[0,1]]]}"#,
        ];
        for text in bad {
            let entry: CountsEntry = serde_json::from_str(text).unwrap();
            assert!(entry.read(2, vec![3]).is_err(), "{text}");
        }
    }
}
