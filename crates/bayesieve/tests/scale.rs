//! Rows that are counted in blocks, under any memory, or in shards lead to the documents that
//! rows in memory lead to.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests stop at the first surprise"
)]

use std::sync::Arc;
use std::time::Duration;

use bayesieve::counts::{
    CodedBlocks, CountFile, KeptRows, PassTables, ShardCounter, ShardName, TableOptions, Tables,
};
use bayesieve::data::{
    CodedTable, Codes, CodingOptions, Column, Domains, Generator, KindOrigin, MissingPolicy,
    Nominal, Profile, ProfileColumns, ProfileOptions, RoleOptions, Roles, Table, Values,
};
use bayesieve::document::{self, Seconds};
use bayesieve::info::{ColumnFacts, Counted};
use bayesieve::random::{Purpose, below, shuffle, stream};
use bayesieve::search::{Limits, Search};
use bayesieve::select::{METHODS, SelectOptions, Selection, select, select_counted};
use bayesieve::{ErrorKind, Observer, Result, Silent};
use proptest::prelude::*;

/// A table in memory as if it were read block by block.
#[derive(Debug, Clone)]
struct InBlocks {
    table: Table,
    domains: Domains,
    n_rows_of_block: usize,
}

impl CodedBlocks for InBlocks {
    fn n_rows(&self) -> Option<u64> {
        Some(self.table.n_rows() as u64)
    }

    fn blocks(
        &self,
        n_skipped: usize,
        nodes: &[usize],
        _: &dyn Observer,
        visit: &mut dyn FnMut(Vec<Codes>) -> Result<()>,
    ) -> Result<()> {
        for block in blocks(&self.table, self.n_rows_of_block).skip(n_skipped) {
            visit(self.domains.code(nodes, &block)?)?;
        }
        Ok(())
    }
}

fn blocks(table: &Table, n_rows_of_block: usize) -> impl Iterator<Item = Table> {
    let starts = (0..table.n_rows()).step_by(n_rows_of_block);
    starts.map(move |start| {
        let rows = start..table.n_rows().min(start + n_rows_of_block);
        table.take_rows(&rows.map(|row| row as u32).collect::<Vec<_>>())
    })
}

/// Bytes for rows that are kept, and for tables.
#[derive(Debug, Clone, Copy)]
struct Memory {
    rows: u64,
    tables: u64,
}

/// All rows and all pairs; some rows, and pairs in several passes; no row, and a few tables at
/// a time.
const MEMORIES: [Memory; 3] = [
    Memory {
        rows: 1 << 30,
        tables: 1 << 30,
    },
    Memory {
        rows: 500,
        tables: 40_000,
    },
    Memory {
        rows: 0,
        tables: 16_000,
    },
];

/// What one pass over blocks learns.
fn profiled(table: &Table, coding: CodingOptions, n_rows_of_block: usize) -> Domains {
    let columns = ProfileColumns {
        class: "class".into(),
        features: table
            .names()
            .filter(|name| *name != "class")
            .map(String::from)
            .collect(),
        excluded: Vec::new(),
    };
    let options = ProfileOptions {
        coding,
        ..ProfileOptions::default()
    };
    let mut profile = Profile::new(&columns, &options).unwrap();
    for block in blocks(table, n_rows_of_block) {
        profile.observe(&block).unwrap();
    }
    profile.finish().unwrap()
}

fn with_facts(domains: &Domains, tables: Arc<dyn Tables>) -> Counted {
    let facts = domains.features.iter().map(|column| ColumnFacts {
        has_more_values: column.has_more_values,
        n_distinct: column.n_distinct as usize,
        n_missing: column.n_missing as usize,
    });
    Counted::new(domains.outline(), tables, facts.collect()).unwrap()
}

fn counted(
    table: &Table,
    coding: CodingOptions,
    n_rows_of_block: usize,
    memory: Memory,
) -> Counted {
    let domains = profiled(table, coding, n_rows_of_block);
    let rows = InBlocks {
        table: table.clone(),
        domains: domains.clone(),
        n_rows_of_block,
    };
    let mut n_values = domains.n_values();
    n_values.push(domains.n_classes());
    let options = TableOptions {
        n_values: domains.n_values(),
        n_classes: domains.n_classes(),
        memory: memory.tables,
    };
    let kept = KeptRows::new(rows, n_values, memory.rows);
    let tables = PassTables::new(kept, options, &Silent).unwrap();
    with_facts(&domains, Arc::new(tables))
}

fn coded(table: &Table, coding: CodingOptions) -> CodedTable {
    let named = RoleOptions {
        class: Some("class".into()),
        ..RoleOptions::default()
    };
    let roles = Roles::resolve(table, &named).unwrap();
    CodedTable::new(table, &roles, coding).unwrap()
}

/// Labels of two to six values with gaps, a copy, a constant, three classes.
fn labels() -> Table {
    let mut rng = stream(3, Purpose::Generate, 0);
    let mut rows: Vec<Vec<Option<String>>> = Vec::new();
    for _ in 0..500 {
        let class = below(&mut rng, 3);
        let noisy = |value: u64, wrong: u64, n: u64, rng: &mut _| match below(rng, 100) {
            draw if draw < wrong => below(rng, n),
            _ => value % n,
        };
        let (x, y) = (below(&mut rng, 2), below(&mut rng, 3));
        let a = noisy(class, 40, 3, &mut rng);
        let values = [
            a,
            noisy(class + 1, 55, 4, &mut rng),
            noisy(x + class, 25, 4, &mut rng),
            x,
            noisy(2 * x + y, 20, 6, &mut rng),
            y,
            2 - a,
            0,
            below(&mut rng, 3),
        ];
        let cells = values.iter().enumerate().map(|(place, value)| {
            let is_gap = place % 4 == 1 && below(&mut rng, 8) == 0;
            (!is_gap).then(|| format!("v{value}"))
        });
        let mut row: Vec<Option<String>> = cells.collect();
        row.push(Some(format!("k{class}")));
        rows.push(row);
    }
    let names = [
        "a", "b", "c", "d", "e", "f", "copy", "constant", "noise", "class",
    ];
    let column = |(place, name): (usize, &&str)| {
        let nominal = Nominal::from_labels(rows.iter().map(|row| row[place].as_deref()));
        Column::new(*name, Values::Nominal(nominal), KindOrigin::Text)
    };
    Table::new(names.iter().enumerate().map(column).collect()).unwrap()
}

/// Ten columns of numbers, three with gaps.
fn numbers() -> Table {
    let table = Generator::Waveform40.generate(400, 5).unwrap();
    let class = table.position("class").unwrap();
    let places = [3, 5, 8, 10, 11, 14, 16, 25, 30, 39, class];
    let column = |(at, place): (usize, usize)| {
        let column = &table.columns()[place];
        let Values::Numeric(numbers) = column.values() else {
            return (**column).clone();
        };
        let cell = |(row, &x): (usize, &f64)| {
            if at < 3 && (row + at) % 23 == 0 {
                f64::NAN
            } else {
                x
            }
        };
        let numbers = numbers.iter().enumerate().map(cell);
        Column::new(
            column.name(),
            Values::Numeric(numbers.collect()),
            column.origin(),
        )
    };
    Table::new(places.into_iter().enumerate().map(column).collect()).unwrap()
}

fn tables() -> [(&'static str, Table); 2] {
    [("labels", labels()), ("numbers", numbers())]
}

fn scrambled(table: &Table) -> Table {
    let mut order: Vec<u32> = (0..table.n_rows() as u32).collect();
    shuffle(&mut order, &mut stream(9, Purpose::Generate, 1));
    table.take_rows(&order)
}

/// Every method that works on counts, with every search it takes.
fn runs() -> Vec<SelectOptions> {
    let mut runs = Vec::new();
    for method in METHODS.iter().filter(|method| method.takes.counts) {
        let options = || SelectOptions::new(method).unwrap();
        runs.push(options());
        let searches = Search::all().filter(|&search| method.takes.takes_search(search));
        let others = searches.filter(|&search| Some(search) != method.takes.search);
        runs.extend(others.map(|search| options().with_search(search).unwrap()));
        if method.takes.order.is_some() {
            runs.push(options().with_count(3).unwrap());
        }
    }
    assert!(runs.len() > 20);
    runs
}

/// The default run of every method.
fn default_runs() -> impl Iterator<Item = SelectOptions> {
    let methods = METHODS.iter().filter(|method| method.takes.counts);
    methods.map(|method| SelectOptions::new(method).unwrap())
}

/// The document, or the error.
fn said(selection: Result<Selection>, coding: CodingOptions) -> String {
    match selection {
        Ok(selection) => {
            let seconds = Seconds::new(Duration::ZERO, Duration::ZERO);
            let document = document::selection(&selection, coding, seconds);
            document::to_text(&document).unwrap()
        }
        Err(error) => error.to_string(),
    }
}

fn by_counts(counted: &Counted, options: &SelectOptions) -> String {
    let found = select_counted(counted, options, &Limits::new(&Silent));
    said(found, options.coding())
}

/// What a run was, for a test that fails.
fn named(options: &SelectOptions) -> String {
    format!("{} {:?}", options.method().name, options.search())
}

#[test]
fn counts_in_blocks_lead_to_the_documents_of_the_rows() {
    let coding = CodingOptions::default();
    for (name, table) in tables() {
        let in_memory = coded(&table, coding);
        let blocks = [500, 64, 37];
        let counted: Vec<Counted> = blocks
            .into_iter()
            .zip(MEMORIES)
            .map(|(n_rows, memory)| counted(&table, coding, n_rows, memory))
            .collect();
        for options in runs() {
            let by_rows = said(select(&in_memory, &options, &Limits::new(&Silent)), coding);
            assert!(
                by_rows.starts_with('{'),
                "{} on {name}: {by_rows}",
                named(&options)
            );
            for (counted, memory) in counted.iter().zip(MEMORIES) {
                let found = by_counts(counted, &options);
                assert_eq!(found, by_rows, "{} on {name}, {memory:?}", named(&options));
            }
        }
    }
}

#[test]
fn every_way_to_treat_gaps_gives_the_documents_of_the_rows() {
    for missing in [MissingPolicy::Drop, MissingPolicy::Available] {
        let coding = CodingOptions {
            missing,
            ..CodingOptions::default()
        };
        let mut n_compared = 0;
        for (name, table) in tables() {
            let in_memory = coded(&table, coding);
            let counted = counted(&table, coding, 41, MEMORIES[1]);
            for options in default_runs() {
                let Ok(options) = options.with_coding(coding) else {
                    continue;
                };
                let by_rows = said(select(&in_memory, &options, &Limits::new(&Silent)), coding);
                let found = by_counts(&counted, &options);
                assert_eq!(found, by_rows, "{} on {name}, {missing}", named(&options));
                n_compared += 1;
            }
        }
        assert!(n_compared >= 12, "{n_compared} with {missing}");
    }
}

#[test]
fn neither_the_order_of_rows_nor_threads_change_what_counts_lead_to() {
    let coding = CodingOptions::default();
    for (name, table) in tables() {
        let other = scrambled(&table);
        let with = |table: &Table, n_rows_of_block: usize, n_threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
            pool.build().unwrap().install(|| -> Vec<String> {
                let counted = counted(table, coding, n_rows_of_block, MEMORIES[1]);
                let said = default_runs().map(|options| by_counts(&counted, &options));
                said.collect()
            })
        };
        let expected = with(&table, 50, 1);
        assert_eq!(with(&table, 50, 4), expected, "{name}");
        assert_eq!(with(&other, 71, 3), expected, "{name}");
    }
}

/// A count file of every so many rows.
fn shards(table: &Table, domains: &Domains, n_shards: usize) -> Vec<CountFile> {
    let shard = |place: usize| {
        let rows = (place..table.n_rows()).step_by(n_shards);
        let rows: Vec<u32> = rows.map(|row| row as u32).collect();
        let mut counter = ShardCounter::new(domains.clone()).unwrap();
        for block in blocks(&table.take_rows(&rows), 11) {
            counter.observe(&block).unwrap();
        }
        let name = format!("shard {place}");
        counter.finish_shard(ShardName::Exact(&name)).unwrap();
        CountFile::from_bytes(&counter.finish().unwrap().to_bytes()).unwrap()
    };
    (0..n_shards).map(shard).collect()
}

fn merged(shards: Vec<CountFile>) -> CountFile {
    let mut shards = shards.into_iter();
    let mut sum = shards.next().unwrap();
    shards.for_each(|shard| sum.merge(shard).unwrap());
    sum
}

#[test]
fn sixteen_shards_merged_in_any_order_lead_to_the_bytes_of_the_whole() {
    let coding = CodingOptions::default();
    for (name, table) in tables() {
        let domains = profiled(&table, coding, 99);
        let whole = merged(shards(&table, &domains, 1));
        let mut all = shards(&table, &domains, 16);
        let forward = merged(all.clone());
        shuffle(&mut all, &mut stream(4, Purpose::Generate, 2));
        let scrambled = merged(all);
        assert_eq!(scrambled.to_bytes(), forward.to_bytes());
        assert_eq!(scrambled.counts(), whole.counts());
        let of_file = |file: CountFile| with_facts(&domains, Arc::new(file));
        let (whole, scrambled) = (of_file(whole), of_file(scrambled));
        let in_memory = coded(&table, coding);
        let mut n_told = 0;
        for options in runs() {
            let expected = by_counts(&whole, &options);
            assert_eq!(
                by_counts(&scrambled, &options),
                expected,
                "{}",
                named(&options)
            );
            n_told += usize::from(compare_with_rows(&scrambled, &in_memory, &options, name));
        }
        assert!(n_told > 20, "{n_told} runs on {name}");
    }
}

/// Whether a method works on pairs; then it keeps what it keeps of the rows, by the same steps.
fn compare_with_rows(
    pairs: &Counted,
    rows: &CodedTable,
    options: &SelectOptions,
    name: &str,
) -> bool {
    let limits = Limits::new(&Silent);
    let by_rows = select(rows, options, &limits).unwrap();
    match select_counted(pairs, options, &limits) {
        Ok(found) => {
            let what = format!("{} on {name}", named(options));
            assert_eq!(found.kept_names(), by_rows.kept_names(), "{what}");
            assert_eq!(found.steps, by_rows.steps, "{what}");
            assert_eq!(found.value.to_bits(), by_rows.value.to_bits(), "{what}");
            true
        }
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
            assert!(error.to_string().contains("at most 2"), "{error}");
            false
        }
    }
}

#[test]
fn a_profile_of_blocks_is_that_of_the_rows() {
    for missing in [MissingPolicy::Value, MissingPolicy::Drop] {
        let coding = CodingOptions {
            missing,
            ..CodingOptions::default()
        };
        for (name, table) in tables() {
            let expected = Domains::of(&coded(&table, coding), coding).unwrap();
            for n_rows_of_block in [1, 30, 1_000] {
                let found = profiled(&scrambled(&table), coding, n_rows_of_block);
                assert_eq!(found, expected, "{name}, {missing}");
            }
        }
    }
}

/// A table of anything: few rows or many, columns of one value or of one for every row, gaps.
fn any_table() -> impl Strategy<Value = Table> {
    let n_values = prop::collection::vec(prop::sample::select(vec![1u32, 2, 3, 4, 9, 300]), 2..7);
    let n_rows = prop::sample::select(vec![1usize, 2, 5, 30, 120, 600]);
    (n_values, n_rows, any::<u64>()).prop_map(|(n_values, n_rows, seed)| {
        let mut rng = stream(seed, Purpose::Generate, 3);
        let gaps: Vec<u64> = n_values.iter().map(|_| below(&mut rng, 3)).collect();
        let mut cells: Vec<Vec<Option<String>>> = vec![Vec::new(); n_values.len()];
        for _ in 0..n_rows {
            // Columns have something to do with the one before, or with the first, the class.
            let mut before = 0;
            for (place, &n) in n_values.iter().enumerate() {
                let own = below(&mut rng, u64::from(n));
                let value = if below(&mut rng, 3) == 0 {
                    own
                } else {
                    before % u64::from(n)
                };
                let is_gap = gaps[place] == 0 && place > 0 && below(&mut rng, 9) == 0;
                cells[place].push((!is_gap).then(|| format!("v{value}")));
                if place % 2 == 0 {
                    before = value;
                }
            }
        }
        let column = |(place, cells): (usize, &Vec<Option<String>>)| {
            let name = match place {
                0 => "class".to_owned(),
                _ => format!("x{place}"),
            };
            let nominal = Nominal::from_labels(cells.iter().map(Option::as_deref));
            Column::new(name, Values::Nominal(nominal), KindOrigin::Text)
        };
        Table::new(cells.iter().enumerate().map(column).collect()).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn odd_tables_lead_to_the_same_documents_too(
        table in any_table(),
        missing in prop::sample::select(vec![
            MissingPolicy::Value, MissingPolicy::Drop, MissingPolicy::Available]),
        n_rows_of_block in 1usize..200,
        memory in prop::sample::select(&MEMORIES[..]),
    ) {
        let coding = CodingOptions { missing, ..CodingOptions::default() };
        let named_class = RoleOptions { class: Some("class".into()), ..RoleOptions::default() };
        let roles = Roles::resolve(&table, &named_class).unwrap();
        // Where no row is complete there is nothing to compare.
        if let Ok(in_memory) = CodedTable::new(&table, &roles, coding) {
            let counted = counted(&table, coding, n_rows_of_block, memory);
            for options in default_runs() {
                let Ok(options) = options.with_coding(coding) else { continue };
                let by_rows = said(select(&in_memory, &options, &Limits::new(&Silent)), coding);
                prop_assert_eq!(by_counts(&counted, &options), by_rows, "{}", named(&options));
            }
        }
    }
}
