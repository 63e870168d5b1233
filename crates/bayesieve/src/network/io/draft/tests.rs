//! Cells and rows by hand, cycles, limits.

use super::*;
use std::borrow::Cow;

fn name(text: &str) -> Name<'_> {
    Name {
        text: Cow::Borrowed(text),
        at: 0,
    }
}

fn row<'a>(values: &'a [u32], cells: &'a [f64]) -> DraftRow<'a> {
    DraftRow {
        values,
        cells,
        at: 0,
    }
}

/// Nodes a, b and c of 2, 3 and 2 states.
fn draft() -> Draft<'static> {
    let mut draft = Draft::new("");
    for (node, states) in [("a", "01"), ("b", "012"), ("c", "01")] {
        let states: Vec<Name<'_>> = states
            .split("")
            .filter(|s| !s.is_empty())
            .map(name)
            .collect();
        draft.declare(&name(node), &states).unwrap();
    }
    draft
}

#[test]
fn cells_move_to_rising_parents_whatever_the_order_of_the_file() {
    // c given (b, a): the file's rows are b0a0, b0a1, b1a0, b1a1, b2a0, b2a1, each with
    // its number in sixteenths. By rising parents: a0b0, a0b1, a0b2, a1b0, a1b1, a1b2.
    let p = |row: usize| row as f64 / 16.0;
    let expected: Vec<f64> = [0, 2, 4, 1, 3, 5]
        .iter()
        .flat_map(|&row| [p(row), 1.0 - p(row)])
        .collect();
    let fastest: Vec<f64> = (0..6).flat_map(|row| [p(row), 1.0 - p(row)]).collect();
    let slowest: Vec<f64> = (0..6)
        .map(p)
        .chain((0..6).map(|row| 1.0 - p(row)))
        .collect();
    for (values, layout) in [
        (fastest, Layout::NodeFastest),
        (slowest, Layout::NodeSlowest),
    ] {
        let mut draft = draft();
        let family = draft.family(2, vec![1, 0], 0).unwrap();
        let places = vec![0; values.len()];
        draft
            .set_cells(family, &Numbers { values, places }, layout)
            .unwrap();
        let table = draft.nodes[2].table.as_ref().unwrap();
        assert_eq!(table.parents, [0, 1]);
        assert_eq!(table.cpt.as_dense(), Some(&expected[..]));
    }
}

#[test]
fn rows_in_any_order_give_the_same_table_as_the_list_of_cells() {
    let mut draft = draft();
    let family = draft.family(2, vec![1, 0], 0).unwrap();
    let mut rows = DraftRows::default();
    for (b, a) in [(2, 1), (0, 0), (1, 1), (1, 0), (0, 1), (2, 0)] {
        let p = f64::from(2 * b + a) / 16.0;
        draft
            .add_row(&family, &mut rows, row(&[b, a], &[p, 1.0 - p]))
            .unwrap();
    }
    draft.set_rows(family, rows).unwrap();
    let cpt = &draft.nodes[2].table.as_ref().unwrap().cpt;
    // Parents a and b: row (a1, b2) is number 5 of the file's list.
    assert_eq!(*cpt.row(&[1, 2]), [5.0 / 16.0, 11.0 / 16.0]);
    assert_eq!(*cpt.row(&[0, 1]), [2.0 / 16.0, 14.0 / 16.0]);
}

#[test]
fn the_first_missing_row_is_named() {
    let mut draft = draft();
    let family = draft.family(2, vec![1, 0], 0).unwrap();
    let mut rows = DraftRows::default();
    for (b, a) in [(0, 0), (2, 0), (0, 1), (1, 1), (2, 1)] {
        draft
            .add_row(&family, &mut rows, row(&[b, a], &[0.5, 0.5]))
            .unwrap();
    }
    let error = draft.set_rows(family, rows).unwrap_err().to_string();
    assert_eq!(
        error,
        "line 1: node \"c\", given \"b\" = \"1\", \"a\" = \"0\": this row is missing"
    );
}

#[test]
fn a_cycle_is_found_and_named_in_the_direction_of_its_arcs() {
    // 0 → 1 → 2 → 3 → 1.
    let parents = [vec![], vec![0, 3], vec![1], vec![2]];
    let find_cycle = |parents: &[Vec<usize>]| Dag::or_cycle(parents.to_vec()).unwrap().err();
    assert_eq!(find_cycle(&parents), Some(vec![2, 3, 1]));
    assert_eq!(find_cycle(&[vec![], vec![0], vec![0, 1]]), None);
    assert_eq!(find_cycle(&[vec![0]]), Some(vec![0]));
}

#[test]
fn a_chain_of_a_hundred_thousand_nodes_needs_no_deep_stack() {
    let parents: Vec<Vec<usize>> = (0..100_000)
        .map(|node| vec![node + 1])
        .chain([vec![]])
        .collect();
    assert!(Dag::from_parents(parents).is_ok());
}

#[test]
fn default_rows_that_stand_for_too_many_cells_are_refused() {
    // 2^20 cells each: the seventeenth is one too many.
    let mut draft = Draft::new("");
    let states: Vec<String> = (0..1024).map(|s| s.to_string()).collect();
    let states: Vec<Name<'_>> = states.iter().map(|s| name(s)).collect();
    let names: Vec<String> = (0..19).map(|n| n.to_string()).collect();
    for (node, node_name) in names.iter().enumerate() {
        let n_states = if node == 0 {
            512
        } else if node == 1 {
            1024
        } else {
            2
        };
        draft
            .declare(&name(node_name), &states[..n_states])
            .unwrap();
    }
    for node in 2..19 {
        let family = draft.family(node, vec![0, 1], 0).unwrap();
        let mut rows = DraftRows::default();
        draft
            .set_default(&family, &mut rows, row(&[], &[0.5, 0.5]))
            .unwrap();
        assert_eq!(draft.set_rows(family, rows).is_ok(), node < 18, "{node}");
    }
}

#[test]
fn parents_of_one_state_are_no_digits() {
    let mut draft = draft();
    draft.declare(&name("one"), &[name("0")]).unwrap();
    // The file counts b slowest, then one, then a: b moves on every 2 rows, a every row.
    let family = draft.family(2, vec![1, 3, 0], 0).unwrap();
    assert_eq!(family.digits(), (vec![2, 3], vec![1, 2]));
    assert_eq!(
        family.places_in_file().collect::<Vec<_>>(),
        [0, 2, 4, 1, 3, 5]
    );
}
