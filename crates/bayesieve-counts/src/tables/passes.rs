//! Tables from rows that are gone through again and again.

use super::joint_counter::MAX_JOINT_CELLS;
use super::{JointCounter, JointTable, Tables};
use crate::codes::Codes;
use crate::counter::{CountPlan, Counter, Counts, MAX_CELLS, PairChoice};
use crate::error::{Error, Result};
use crate::gathering::GatheringCounter;
use crate::known::KnownTables;
use crate::observer::{Observer, check};
use crate::parameter::parameter;
use crate::table::CountTable;
use crate::wording::grouped;

/// Features up to which all pairs are counted with the first tables, memory permitting: more
/// cost more than the passes that they save.
const MAX_FEATURES_OF_ALL_PAIRS: usize = 1_000;

/// What a table costs in memory besides its cells.
const BYTES_PER_TABLE: u64 = 96;

/// Bytes of a cell that is kept one by one, with its place.
const BYTES_PER_LISTED_CELL: u64 = 16;

/// Bytes that such cells may always take.
const LEAST_MEMORY: u64 = 1 << 24;

/// Rows that can be gone through as often as needed, block by block.
pub trait Passes: std::fmt::Debug + Send + Sync {
    /// Hands every block of rows to `visit` as the codes of these nodes, in this order; the
    /// class is the node behind the last feature. Every pass has the same rows; their order
    /// and their blocks do not matter.
    ///
    /// # Errors
    /// The rows cannot be read, `visit` failed, or the observer cancelled.
    fn pass(
        &self,
        nodes: &[usize],
        observer: &dyn Observer,
        visit: &mut dyn FnMut(&[&Codes]) -> Result<()>,
    ) -> Result<()>;
}

/// The values of the columns and the memory that tables may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableOptions {
    /// Number of values of every feature.
    pub n_values: Vec<usize>,
    /// Number of classes.
    pub n_classes: usize,
    /// Bytes that all tables held at a time may take.
    pub memory: u64,
}

impl TableOptions {
    /// Whether all pair tables are counted in the first pass and kept.
    pub fn keeps_all_pairs(&self) -> bool {
        // Also where memory is no question there are more than a counter takes.
        let room = (self.memory / 2).min(8 * MAX_CELLS);
        self.n_values.len() <= MAX_FEATURES_OF_ALL_PAIRS && self.bytes_of_all_pairs() <= room
    }

    /// Bytes of all pair tables.
    pub fn bytes_of_all_pairs(&self) -> u64 {
        let sum: u64 = self.n_values.iter().map(|&n| n as u64).sum();
        let squares = self
            .n_values
            .iter()
            .map(|&n| (n as u64).saturating_mul(n as u64));
        let squares = squares.fold(0, u64::saturating_add);
        let cells = sum.saturating_mul(sum).saturating_sub(squares) / 2;
        let n = self.n_values.len() as u64;
        let n_tables = n * n.saturating_sub(1) / 2;
        cells
            .saturating_mul(self.n_classes as u64)
            .saturating_mul(8)
            .saturating_add(n_tables * BYTES_PER_TABLE)
    }
}

/// [`Tables`] of rows that are gone through again and again: all single tables in the first
/// pass, all pair tables with them where they fit, everything else when it is asked for.
#[derive(Debug)]
pub struct PassTables<P> {
    passes: P,
    options: TableOptions,
    /// All single tables, and all pairs or none.
    counts: Counts,
}

impl<P: Passes> PassTables<P> {
    /// Goes through the rows once.
    ///
    /// # Errors
    /// Those of [`Passes::pass`], and tables that do not fit in memory.
    pub fn new(passes: P, options: TableOptions, observer: &dyn Observer) -> Result<Self> {
        let n_features = options.n_values.len();
        let pairs = if options.keeps_all_pairs() {
            PairChoice::All
        } else {
            PairChoice::None
        };
        let plan = CountPlan {
            n_classes: options.n_classes,
            n_values: options.n_values.clone(),
            pairs,
        };
        let nodes: Vec<usize> = (0..=n_features).collect();
        let counts = counted(&passes, plan, &nodes, options.memory, observer)?;
        Ok(PassTables {
            passes,
            options,
            counts,
        })
    }

    /// The rows.
    pub fn passes(&self) -> &P {
        &self.passes
    }

    /// Joint tables by a pass over the rows.
    fn count_joint(&self, sets: &[Vec<usize>], observer: &dyn Observer) -> Result<Vec<JointTable>> {
        let (nodes, sets) = renumbered(sets);
        let n_values: Vec<usize> = nodes.iter().map(|&node| self.n_values_of(node)).collect();
        let mut counter = JointCounter::with_room(&n_values, sets, self.room() as usize)?;
        self.passes.pass(&nodes, observer, &mut |block| {
            check(observer)?;
            counter.observe(block)
        })?;
        Ok(counter.finish())
    }

    fn n_values_of(&self, node: usize) -> usize {
        let n_values = self.options.n_values.get(node);
        n_values.copied().unwrap_or(self.options.n_classes)
    }
}

/// The nodes that some sets name, rising, and the sets by the places of their nodes: what is
/// counted of rows of which only these nodes are read.
pub fn renumbered(sets: &[Vec<usize>]) -> (Vec<usize>, Vec<Vec<usize>>) {
    let mut nodes: Vec<usize> = sets.iter().flatten().copied().collect();
    nodes.sort_unstable();
    nodes.dedup();
    let place = |node: &usize| nodes.partition_point(|other| other < node);
    let sets = sets.iter().map(|set| set.iter().map(place).collect());
    let sets = sets.collect();
    (nodes, sets)
}

/// Counts some features and the class, the last of the nodes, in one pass.
fn counted<P: Passes>(
    passes: &P,
    plan: CountPlan,
    nodes: &[usize],
    memory: u64,
    observer: &dyn Observer,
) -> Result<Counts> {
    let mut counter = GatheringCounter::with_room(Counter::new(plan)?, memory / 3);
    passes.pass(nodes, observer, &mut |block| {
        check(observer)?;
        counter.observe(block)?;
        check_listed(counter.counted_so_far().counts(), memory)
    })?;
    let counts = counter.finish()?.finish();
    check_listed(&counts, memory)?;
    Ok(counts)
}

/// Tables that hold all of their cells were asked for by the room there is; of those that hold
/// what occurs nobody knew how much that is.
fn check_listed(counts: &Counts, memory: u64) -> Result<()> {
    let tables = counts.singles.iter().chain(&counts.pairs);
    let n_listed: usize = tables.map(CountTable::n_listed).sum();
    if n_listed as u64 * BYTES_PER_LISTED_CELL <= memory.max(LEAST_MEMORY) {
        return Ok(());
    }
    // The memory was asked for, so that it is no fault of the data.
    Err(Error::usage(format!(
        "{} combinations of the values of features occur so far, and there is no room for more",
        grouped(n_listed as u64)
    ))
    .with_hint(format!(
        "Give the run more memory ({memory}), or leave out columns of many values ({ignore}).",
        memory = parameter("memory"),
        ignore = parameter("ignore")
    )))
}

impl<P: Passes> Tables for PassTables<P> {
    fn n_rows(&self) -> u64 {
        self.counts.n_rows
    }

    fn class_counts(&self) -> &[u64] {
        &self.counts.class_counts
    }

    fn n_values(&self) -> &[usize] {
        &self.options.n_values
    }

    fn singles(&self) -> &[CountTable] {
        &self.counts.singles
    }

    fn pairs(&self, pairs: &[(usize, usize)], observer: &dyn Observer) -> Result<Vec<CountTable>> {
        if let Some(known) = KnownTables::new(&self.counts).pairs(pairs)? {
            return Ok(known);
        }
        let as_sets: Vec<Vec<usize>> = pairs.iter().map(|&(a, b)| vec![a, b]).collect();
        let (mut nodes, sets) = renumbered(&as_sets);
        let plan = CountPlan {
            n_classes: self.options.n_classes,
            n_values: nodes.iter().map(|&node| self.n_values_of(node)).collect(),
            pairs: PairChoice::List(sets.iter().map(|set| (set[0], set[1])).collect()),
        };
        nodes.push(self.options.n_values.len());
        let memory = self.options.memory;
        Ok(counted(&self.passes, plan, &nodes, memory, observer)?.pairs)
    }

    fn joint(&self, sets: &[Vec<usize>], observer: &dyn Observer) -> Result<Vec<JointTable>> {
        KnownTables::new(&self.counts).joint(sets, |sets| self.count_joint(sets, observer))
    }

    fn room(&self) -> u64 {
        // No counter takes more, however much memory there is.
        (self.options.memory / 8).min(MAX_JOINT_CELLS as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{InBlocks, tables};
    use crate::{CountColumn, RowIndex, Silent, count_codes};

    fn codes(n_values: u32, step: u32) -> Codes {
        let code = |row: u32| row.wrapping_mul(step) / 7 % n_values;
        Codes::new(n_values as usize, (0..97).map(|row| Some(code(row))))
    }

    #[test]
    fn more_memory_than_any_counter_takes_is_no_error() {
        // 499,500 pairs of 20 x 20 cells and 2 classes are 400 million cells.
        let options = TableOptions {
            n_values: vec![20; 1_000],
            n_classes: 2,
            memory: 1 << 40,
        };
        assert!(!options.keeps_all_pairs());
        let passes = InBlocks {
            columns: vec![Codes::U8(vec![1, 0]); 1_001],
            n_rows_of_block: 2,
        };
        let tables = PassTables::new(passes, options, &Silent).unwrap();
        let pair = tables.pairs(&[(3, 999)], &Silent).unwrap();
        assert_eq!(pair[0].n_rows(), 2);
        // Tables are asked for in parts of so many cells, which a counter takes.
        assert_eq!(tables.room(), 1 << 27);
    }

    #[test]
    fn more_combinations_than_the_memory_holds_are_an_error() {
        // Two columns of 2,000 values: 1,200,000 different rows take 19 MB.
        let n_rows = 1_200_000u32;
        let codes = |code: &dyn Fn(u32) -> u32| {
            let cells = (0..n_rows).map(|row| Some(code(row)));
            Codes::new(2_000, cells)
        };
        let passes = InBlocks {
            columns: vec![
                codes(&|row| row % 2_000),
                codes(&|row| row / 2_000),
                Codes::U8(vec![0; n_rows as usize]),
            ],
            n_rows_of_block: 400_000,
        };
        let options = |memory| TableOptions {
            n_values: vec![2_000, 2_000],
            n_classes: 1,
            memory,
        };
        let small = PassTables::new(passes, options(1 << 20), &Silent).unwrap();
        let error = small.pairs(&[(0, 1)], &Silent).unwrap_err().to_string();
        assert!(error.contains("1,200,000 combinations"), "{error}");
        assert!(error.contains("(memory)"), "{error}");
        let large = PassTables::new(small.passes, options(20_000_000), &Silent).unwrap();
        let pair = large.pairs(&[(0, 1)], &Silent).unwrap();
        assert_eq!(pair[0].n_listed(), 1_200_000);
    }

    /// Rows that can be gone through once.
    #[derive(Debug)]
    struct Once(InBlocks, std::sync::atomic::AtomicBool);

    impl Passes for Once {
        fn pass(
            &self,
            nodes: &[usize],
            observer: &dyn Observer,
            visit: &mut dyn FnMut(&[&Codes]) -> Result<()>,
        ) -> Result<()> {
            if self.1.swap(true, std::sync::atomic::Ordering::Relaxed) {
                Err(Error::data("a second pass"))
            } else {
                self.0.pass(nodes, observer, visit)
            }
        }
    }

    #[test]
    fn what_the_first_pass_tells_needs_no_other() {
        let passes = InBlocks {
            columns: vec![Codes::U8(vec![0, 1, 1]); 4],
            n_rows_of_block: 2,
        };
        let options = TableOptions {
            n_values: vec![2; 3],
            n_classes: 2,
            memory: 1 << 20,
        };
        let tables = PassTables::new(Once(passes, false.into()), options, &Silent).unwrap();
        let known = [vec![3, 0], vec![2, 1], vec![0, 3, 2], vec![3], vec![1]];
        for (set, n_cells) in known.iter().zip([4, 4, 8, 2, 2]) {
            let table = tables.joint(std::slice::from_ref(set), &Silent).unwrap();
            assert_eq!((table[0].n_cells(), table[0].n_rows()), (n_cells, 3));
        }
        assert!(tables.joint(&[vec![0, 1, 2]], &Silent).is_err());
    }

    #[test]
    fn tables_are_those_of_the_rows_whether_pairs_are_kept_or_not() {
        let features = [(2, 3), (3, 5), (4, 11)].map(|(n, step)| (codes(n, step), n as usize));
        let columns = features.each_ref().map(|(codes, n_values)| CountColumn {
            codes,
            n_values: *n_values,
        });
        let class = codes(2, 13);
        let class = CountColumn {
            codes: &class,
            n_values: 2,
        };
        let index = RowIndex::new(&columns, class).unwrap();
        for (n_rows_of_block, memory) in [(97, 1 << 20), (10, 1 << 20), (10, 600)] {
            let tables = tables(&columns, class, n_rows_of_block, memory);
            assert_eq!(tables.counts.pairs.is_empty(), memory == 600);
            assert_eq!(tables.n_rows(), 97);
            assert_eq!(tables.class_counts(), &count_codes(class.codes, 2)[..2]);
            for feature in 0..3 {
                assert_eq!(
                    tables.singles()[feature],
                    index.count_single(feature).unwrap()
                );
            }
            let pairs = [(1, 2), (0, 2), (0, 1)];
            let expected = index.count_pairs(&pairs).unwrap();
            assert_eq!(tables.pairs(&pairs, &Silent).unwrap(), expected);
            assert!(tables.pairs(&[(1, 0)], &Silent).is_err());
            let joint = tables.joint(&[vec![3, 2], vec![2]], &Silent).unwrap();
            let single = index.count_single(2).unwrap();
            assert_eq!(joint[0].dense(8).unwrap()[..], *single.as_dense().unwrap());
            assert_eq!(joint[1].n_rows(), 97);
            assert!(tables.joint(&[vec![4]], &Silent).is_err());
        }
    }
}
