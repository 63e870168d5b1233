//! Tables in memory as if their rows were somewhere else, for tests.

use std::sync::Arc;

use super::{ColumnFacts, Counted};
use crate::Result;
use crate::counts::{CountColumn, CountFile, CountTable, JointTable, TableOptions, Tables};
use crate::data::{
    CodedTable, CodingOptions, Column, Domains, Generator, MissingPolicy, ReadOptions, RoleOptions,
    Roles, read_table,
};
use crate::random::{Purpose, below, stream};
use crate::testing::tables;
use crate::{Observer, Silent};

/// A table from the text of a CSV file.
pub(crate) fn coded(text: &str) -> CodedTable {
    coded_with(text, CodingOptions::default())
}

fn coded_with(text: &str, options: CodingOptions) -> CodedTable {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.csv");
    std::fs::write(&path, text).unwrap();
    let table = read_table(&path, &ReadOptions::default(), &Silent).unwrap();
    let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
    CodedTable::new(&table, &roles, options).unwrap()
}

fn generated(generator: Generator, n_rows: usize) -> CodedTable {
    let table = generator.generate(n_rows, 3).unwrap();
    let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
    CodedTable::new(&table, &roles, CodingOptions::default()).unwrap()
}

/// Three to six values, gaps, a copy under other labels, a constant column, three classes.
pub(crate) fn mixed(n_rows: u64, missing: MissingPolicy) -> CodedTable {
    let mut rng = stream(5, Purpose::Generate, 0);
    let mut text = String::from("a,b,c,d,e,copy,constant,gappy,class\n");
    for _ in 0..n_rows {
        let [a, b, c, d, e] = [3, 4, 5, 6, 3].map(|n| below(&mut rng, n));
        let noise = u64::from(below(&mut rng, 5) == 0);
        let class = (a + (b > 1) as u64 * noise + c / 3) % 3;
        let gappy = match below(&mut rng, 6) {
            0 => String::new(),
            n => format!("v{}", (n + class) % 4),
        };
        let d = if d == 5 {
            String::new()
        } else {
            format!("d{}", (d + a) % 5)
        };
        text += &format!(
            "a{a},b{b},c{c},{d},e{},x{},one,{gappy},k{class}\n",
            (e + b) % 3,
            2 - a
        );
    }
    let options = CodingOptions {
        missing,
        ..CodingOptions::default()
    };
    coded_with(&text, options)
}

/// Numbers with gaps, a copy of them, numbers that no cut divides, whole numbers as labels
/// with a copy, a column without any value.
pub(crate) fn numbers(n_rows: u64, missing: MissingPolicy) -> CodedTable {
    let mut rng = stream(6, Purpose::Generate, 0);
    let mut text = String::from("x,copy,noise,few,same,empty,class\n");
    for _ in 0..n_rows {
        let x = below(&mut rng, 1_000);
        let few = below(&mut rng, 4);
        let class = u64::from(x > 400) + u64::from(below(&mut rng, 7) + few > 8);
        let x = match below(&mut rng, 9) {
            0 => String::new(),
            _ => format!("{}.5", x),
        };
        let noise = below(&mut rng, 5_000);
        text += &format!("{x},{x},{noise}.25,{few},{few},,k{class}\n");
    }
    let options = CodingOptions {
        missing,
        ..CodingOptions::default()
    };
    coded_with(&text, options)
}

/// Tables that are counted in many ways.
pub(crate) fn named_tables() -> Vec<(&'static str, CodedTable)> {
    vec![
        ("example1", generated(Generator::Example1, 320)),
        (
            "example1 of many rows",
            generated(Generator::Example1, 3200),
        ),
        ("led24", generated(Generator::Led24, 500)),
        ("redundant21", generated(Generator::Redundant21, 400)),
        ("gaps as values", mixed(700, MissingPolicy::Value)),
        ("numbers", numbers(600, MissingPolicy::Value)),
    ]
}

/// Counted in blocks of so many rows; with little memory pairs are not kept.
pub(crate) fn counted(table: &CodedTable, n_rows_of_block: usize, memory: u64) -> Counted {
    let tables = counts(table, n_rows_of_block, memory);
    Counted::new(table.without_rows(), tables, facts(table)).unwrap()
}

/// As [`counted`], with room for what methods ask, but not for all pairs.
pub(crate) fn counted_tight(table: &CodedTable) -> Counted {
    let n_values = table.features.iter().map(|f| f.coded().unwrap().n_values());
    let options = TableOptions {
        n_values: n_values.collect(),
        n_classes: table.class.n_values(),
        memory: 0,
    };
    counted(table, 101, 2 * options.bytes_of_all_pairs() - 2)
}

/// The count file of a table.
pub(crate) fn count_file(table: &CodedTable, options: CodingOptions) -> CountFile {
    let domains = Domains::of(table, options).unwrap();
    let mut counter = CountFile::counter(&domains).unwrap();
    let codes = table.features.iter().map(|f| &f.coded().unwrap().codes);
    counter
        .observe(&codes.collect::<Vec<_>>(), &table.class.codes)
        .unwrap();
    CountFile::new(domains, "all", counter.finish()).unwrap()
}

/// As [`counted`], of pairs only.
pub(crate) fn counted_pairs(table: &CodedTable) -> Counted {
    let tables = Arc::new(PairsOnly(counts(table, 57, 1 << 30)));
    Counted::new(table.without_rows(), tables, facts(table)).unwrap()
}

fn counts(table: &CodedTable, n_rows_of_block: usize, memory: u64) -> Arc<dyn Tables> {
    let features = table.features.iter().map(|f| f.coded().unwrap().into());
    let features: Vec<CountColumn<'_>> = features.collect();
    let class = (&table.class).into();
    Arc::new(tables(&features, class, n_rows_of_block, memory))
}

fn facts(table: &CodedTable) -> Vec<ColumnFacts> {
    let fact = |column: &Column| ColumnFacts {
        n_distinct: column.n_distinct(),
        has_more_values: false,
        n_missing: column.n_missing(),
    };
    table.features.iter().map(|f| fact(&f.column)).collect()
}

/// Counts that have no table of more than two features.
#[derive(Debug)]
struct PairsOnly(Arc<dyn Tables>);

impl Tables for PairsOnly {
    fn n_rows(&self) -> u64 {
        self.0.n_rows()
    }

    fn class_counts(&self) -> &[u64] {
        self.0.class_counts()
    }

    fn n_values(&self) -> &[usize] {
        self.0.n_values()
    }

    fn singles(&self) -> &[CountTable] {
        self.0.singles()
    }

    fn pairs(&self, pairs: &[(usize, usize)], observer: &dyn Observer) -> Result<Vec<CountTable>> {
        self.0.pairs(pairs, observer)
    }

    fn joint(&self, sets: &[Vec<usize>], observer: &dyn Observer) -> Result<Vec<JointTable>> {
        let class = self.n_values().len();
        for set in sets {
            let n_features = set.iter().filter(|&&node| node < class).count();
            assert!(n_features <= 2, "{set:?} was asked for");
        }
        self.0.joint(sets, observer)
    }

    fn max_features(&self) -> Option<usize> {
        Some(2)
    }
}

impl Counted {
    pub(crate) fn of_file(file: CountFile) -> Result<Self> {
        let domains = file.domains().clone();
        Counted::of_tables(&domains, Arc::new(file))
    }
}
