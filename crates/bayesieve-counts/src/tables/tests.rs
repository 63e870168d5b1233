//! Rows in memory, and in blocks under any memory, give the tables that counting row by row
//! gives.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::Silent;
use crate::codes::Codes;

/// Rows in memory, handed over in blocks; the class is the last column.
#[derive(Debug, Clone)]
struct InBlocks {
    columns: Vec<Codes>,
    n_rows: usize,
    n_rows_of_block: usize,
}

impl CodedBlocks for InBlocks {
    fn n_rows(&self) -> Option<u64> {
        None
    }

    fn blocks(
        &self,
        n_skipped: usize,
        nodes: &[usize],
        _: &dyn Observer,
        visit: &mut dyn FnMut(Vec<Codes>) -> Result<()>,
    ) -> Result<()> {
        let rows: Vec<u32> = (0..self.n_rows as u32).collect();
        for rows in rows.chunks(self.n_rows_of_block).skip(n_skipped) {
            visit(nodes.iter().map(|&n| self.columns[n].take(rows)).collect())?;
        }
        Ok(())
    }
}

/// Rows of features of so many values, the class last; a feature without values is all gaps.
#[derive(Debug, Clone)]
struct Rows {
    n_values: Vec<usize>,
    rows: Vec<Vec<Option<u32>>>,
}

const N_VALUES: [usize; 8] = [0, 1, 2, 3, 17, 254, 255, 256];

prop_compose! {
    fn any_rows()(n_values in prop::collection::vec(prop::sample::select(&N_VALUES[..]), 1..6),
                  n_classes in 1usize..4)
        (cells in prop::collection::vec(
            prop::collection::vec(prop::option::weighted(0.85, any::<u32>()), n_values.len() + 1),
            0..40),
         n_values in Just(n_values), n_classes in Just(n_classes)) -> Rows {
        let mut n_values = n_values;
        n_values.push(n_classes);
        let code = |(place, cell): (usize, &Option<u32>)| {
            let cell = cell.and_then(|cell| cell.checked_rem(n_values[place] as u32));
            // Every row has a class.
            if place + 1 == n_values.len() { cell.or(Some(0)) } else { cell }
        };
        let row = |row: &Vec<Option<u32>>| row.iter().enumerate().map(code).collect();
        let rows = cells.iter().map(row).collect();
        Rows { n_values, rows }
    }
}

impl Rows {
    fn in_blocks(&self, n_rows_of_block: usize) -> InBlocks {
        let column = |place: usize| {
            let cells = self.rows.iter().map(|row| row[place]);
            Codes::new(self.n_values[place], cells)
        };
        InBlocks {
            columns: (0..self.n_values.len()).map(column).collect(),
            n_rows: self.rows.len(),
            n_rows_of_block,
        }
    }

    /// The combinations of some nodes that occur, without gaps.
    fn counted(&self, set: &[usize]) -> BTreeMap<Vec<u32>, u64> {
        let mut counts = BTreeMap::new();
        for row in &self.rows {
            let values: Option<Vec<u32>> = set.iter().map(|&node| row[node]).collect();
            if let Some(values) = values {
                *counts.entry(values).or_default() += 1;
            }
        }
        counts
    }

    fn tables(&self, n_rows_of_block: usize, kept: u64, memory: u64) -> impl Tables {
        let rows = KeptRows::new(self.in_blocks(n_rows_of_block), self.n_values.clone(), kept);
        let (&n_classes, n_values) = self.n_values.split_last().unwrap();
        let options = TableOptions {
            n_values: n_values.to_vec(),
            n_classes,
            memory,
        };
        PassTables::new(rows, options, &Silent).unwrap()
    }
}

/// The cells that are not zero as class, first and second value.
fn cells(table: &CountTable) -> BTreeMap<Vec<u32>, u64> {
    let mut cells = BTreeMap::new();
    table.for_each(|cell, n| {
        let values = [cell.class, cell.a, cell.b].map(|value| value as u32);
        cells.insert(values.to_vec(), n);
    });
    cells
}

fn joint_cells(table: &JointTable) -> BTreeMap<Vec<u32>, u64> {
    let cells = table.iter().map(|(key, n)| (table.values_of(key), n));
    cells.collect()
}

proptest! {
    #[test]
    fn tables_count_every_row_once_in_any_blocks_and_memory(
        rows in any_rows(),
        n_rows_of_block in 1usize..12,
        kept in prop::sample::select(vec![0u64, 5, 40, 1 << 20]),
        // Room for joint tables of what occurs, up to room for all pairs.
        memory in prop::sample::select(vec![5_000u64, 100_000, 1 << 30]),
    ) {
        let in_blocks = rows.tables(n_rows_of_block, kept, memory);
        check_tables(&rows, &(Arc::new(in_blocks) as Arc<dyn Tables>))?;
        let columns = rows.in_blocks(1).columns;
        let columns = columns.iter().zip(&rows.n_values);
        let columns: Vec<CountColumn<'_>> = columns
            .map(|(codes, &n_values)| CountColumn { codes, n_values })
            .collect();
        let (&class, features) = columns.split_last().unwrap();
        let in_memory = MemoryTables::new(features, class).unwrap();
        check_tables(&rows, &(Arc::new(in_memory) as Arc<dyn Tables + '_>))?;
    }
}

fn check_tables(
    rows: &Rows,
    tables: &Arc<dyn Tables + '_>,
) -> std::result::Result<(), TestCaseError> {
    let class = rows.n_values.len() - 1;
    prop_assert_eq!(tables.n_rows(), rows.rows.len() as u64);
    for (code, &n) in (0..).zip(tables.class_counts()) {
        let expected = rows.counted(&[class]).get(&vec![code]).copied();
        prop_assert_eq!(n, expected.unwrap_or(0));
    }
    for (feature, single) in tables.singles().iter().enumerate() {
        let expected = rows.counted(&[class, feature]);
        let with_second = expected
            .into_iter()
            .map(|(key, n)| ([&key[..], &[0]].concat(), n));
        prop_assert_eq!(cells(single), with_second.collect::<BTreeMap<_, _>>());
    }
    let all = (0..class).flat_map(|a| (a + 1..class).map(move |b| (a, b)));
    let pairs: Vec<(usize, usize)> = all.collect();
    for (&(a, b), table) in pairs.iter().zip(tables.pairs(&pairs, &Silent).unwrap()) {
        prop_assert_eq!(cells(&table), rows.counted(&[class, a, b]));
    }
    // By nodes, which ask for as much at a time as there is room for.
    let nodes = TableNodes::all(Arc::clone(tables));
    let triples = pairs.iter().map(|&(a, b)| vec![b, class, a]);
    let sets: Vec<Vec<usize>> = (0..=class).map(|node| vec![node]).chain(triples).collect();
    for _ in 0..2 {
        // Anew, then remembered.
        let found = nodes.map_joint(&sets, &Silent, |_, table| Ok(joint_cells(table)));
        for (set, found) in sets.iter().zip(found.unwrap()) {
            prop_assert_eq!(found, rows.counted(set), "{:?}", set);
        }
    }
    let found = nodes.map_pairs(&pairs, PairKind::GivenClass, &Silent, |_, table| {
        cells(table)
    });
    for (&(a, b), found) in pairs.iter().zip(found.unwrap()) {
        prop_assert_eq!(found, rows.counted(&[class, a, b]));
    }
    let found = nodes.map_pairs(&pairs, PairKind::Plain, &Silent, |_, table| cells(table));
    for (&(a, b), found) in pairs.iter().zip(found.unwrap()) {
        let expected = rows.counted(&[a, b]).into_iter();
        let of_one_class = expected.map(|(key, n)| ([&[0], &key[..]].concat(), n));
        prop_assert_eq!(found, of_one_class.collect::<BTreeMap<_, _>>());
    }
    // Parts of rows have the sizes that the combinations have.
    let sizes = nodes.map_rows(&sets, &Silent, |_, rows| {
        Ok(rows.sizes(&rows.parts(0..rows.n_nodes())?))
    });
    for (set, sizes) in sets.iter().zip(sizes.unwrap()) {
        prop_assert_eq!(sizes, rows.counted(set).into_values().collect::<Vec<_>>());
    }
    Ok(())
}

/// Sees how often rows are gone through.
#[derive(Debug)]
struct CountedPasses<P> {
    passes: P,
    n_passes: std::sync::atomic::AtomicUsize,
}

impl<P: Passes> Passes for CountedPasses<P> {
    fn pass(
        &self,
        nodes: &[usize],
        observer: &dyn Observer,
        visit: &mut dyn FnMut(&[&Codes]) -> Result<()>,
    ) -> Result<()> {
        let n_passes = &self.n_passes;
        n_passes.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        self.passes.pass(nodes, observer, visit)
    }
}

#[test]
fn pairs_are_counted_in_as_many_passes_as_the_room_needs() {
    // Five features of 10 values and 2 classes: ten pair tables of 200 cells.
    let row = |row: u32| -> Vec<Option<u32>> {
        let feature = |feature: u32| Some((row / (feature + 1)) % 10);
        (0..5).map(feature).chain([Some(row % 2)]).collect()
    };
    let rows = Rows {
        n_values: vec![10, 10, 10, 10, 10, 2],
        rows: (0..300).map(row).collect(),
    };
    let pairs: Vec<(usize, usize)> = (0..5)
        .flat_map(|a| (a + 1..5).map(move |b| (a, b)))
        .collect();
    // Bytes, and passes behind the first one: all kept, five tables at a time in half of the
    // room, one table although it is larger than the room.
    for (memory, n_more) in [(1 << 20, 0), (16 * 1_000, 2), (8 * 100, 10)] {
        let kept = KeptRows::new(rows.in_blocks(64), rows.n_values.clone(), 1 << 20);
        let passes = CountedPasses {
            passes: kept,
            n_passes: 0.into(),
        };
        let options = TableOptions {
            n_values: vec![10; 5],
            n_classes: 2,
            memory,
        };
        let tables = Arc::new(PassTables::new(passes, options, &Silent).unwrap());
        let nodes = TableNodes::all(tables.clone());
        nodes
            .map_pairs(&pairs, PairKind::GivenClass, &Silent, |_, _| ())
            .unwrap();
        let n_passes = tables
            .passes()
            .n_passes
            .load(std::sync::atomic::Ordering::Relaxed);
        assert_eq!(n_passes, 1 + n_more, "{memory} bytes");
    }
}

#[test]
fn no_row_at_all_is_counted_too() {
    let rows = Rows {
        n_values: vec![2, 0, 3, 2],
        rows: Vec::new(),
    };
    for memory in [0, 1 << 20] {
        let tables = rows.tables(10, memory, memory);
        assert_eq!((tables.n_rows(), tables.class_counts()), (0, &[0, 0][..]));
        let pairs = tables.pairs(&[(0, 1), (0, 2)], &Silent).unwrap();
        assert_eq!(pairs.iter().map(CountTable::n_rows).sum::<u64>(), 0);
        assert!(tables.pairs(&[], &Silent).unwrap().is_empty());
        assert!(tables.joint(&[], &Silent).unwrap().is_empty());
        let joint = tables.joint(&[vec![3, 2]], &Silent).unwrap();
        assert_eq!((joint[0].n_cells(), joint[0].n_rows()), (6, 0));
    }
}

#[test]
fn chosen_features_have_the_tables_they_had_among_all() {
    let row = |row: u32| {
        [row % 2, row % 3, row / 2 % 2, row / 3 % 2]
            .map(Some)
            .to_vec()
    };
    let rows = Rows {
        n_values: vec![2, 3, 2, 2],
        rows: (0..11).map(row).collect(),
    };
    let all = TableNodes::all(Arc::new(rows.tables(4, 0, 1 << 20)));
    let chosen = all.choose(&[0, 2]).unwrap();
    assert_eq!(chosen.n_values(), [2, 2, 2]);
    assert_eq!(chosen.single(1), all.single(2));
    let pair = |nodes: &TableNodes<'_>, pair| {
        nodes.map_pairs(&[pair], PairKind::GivenClass, &Silent, |_, table| {
            cells(table)
        })
    };
    assert_eq!(pair(&chosen, (0, 1)).unwrap(), pair(&all, (0, 2)).unwrap());
    assert!(pair(&chosen, (0, 2)).is_err());
    // The class, the node behind both, then the second feature.
    let joint = |nodes: &TableNodes<'_>, set| {
        nodes.map_joint(&[set], &Silent, |_, table| Ok(joint_cells(table)))
    };
    assert_eq!(
        joint(&chosen, vec![2, 1]).unwrap(),
        joint(&all, vec![3, 2]).unwrap()
    );
    assert!(all.choose(&[2, 1]).is_err());
}
