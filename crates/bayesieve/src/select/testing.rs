//! Runs of methods that their tests share.

use std::time::Duration;

use super::{Method, SelectOptions, Selection, select};
use crate::data::CodedTable;
pub(super) use crate::info::testing::coded;
use crate::random::{Purpose, below, stream};
use crate::score::testing::example1;
use crate::search::{Limits, Search};
use crate::{Observer, Result, Silent};

/// A run of a method.
#[derive(Debug, Clone, Default)]
pub(super) struct Run {
    pub(super) method: &'static str,
    pub(super) settings: Vec<&'static str>,
    pub(super) search: Option<Search>,
    pub(super) keep: Vec<&'static str>,
}

impl Run {
    /// A method with its defaults.
    pub(super) fn of(method: &'static str) -> Self {
        Run {
            method,
            ..Run::default()
        }
    }

    pub(super) fn options(&self) -> Result<SelectOptions> {
        let mut options = SelectOptions::new(Method::named(self.method)?)?;
        if let Some(search) = self.search {
            options = options.with_search(search)?;
        }
        options = options.with_settings(self.settings.iter().copied())?;
        options.keep = self.keep.iter().map(|&name| name.into()).collect();
        Ok(options)
    }
}

/// A method on Example 1.
pub(super) fn run(method: &'static str, n_rows: usize, settings: &[&'static str]) -> Selection {
    run_on(
        &example1(n_rows),
        Run {
            settings: settings.to_vec(),
            ..Run::of(method)
        },
    )
}

pub(super) fn run_on(table: &CodedTable, run: Run) -> Selection {
    select(table, &run.options().unwrap(), &Limits::new(&Silent)).unwrap()
}

/// The steps as `A6 0.433356`.
pub(super) fn numbers(selection: &Selection) -> Vec<String> {
    let steps = selection.steps.iter();
    steps
        .map(|step| format!("{} {:.6}", step.feature, step.score))
        .collect()
}

/// A small random table: cells of up to three values, some columns copies, two or three
/// classes that lean on the first columns.
pub(super) fn random_table(seed: u64) -> CodedTable {
    let mut rng = stream(seed, Purpose::Generate, 7);
    let n_features = 3 + below(&mut rng, 5) as usize;
    let n_rows = 12 + below(&mut rng, 60);
    let mut text: String = (0..n_features).map(|f| format!("f{f},")).collect();
    text += "class\n";
    for row in 0..n_rows {
        let mut cells: Vec<u64> = (0..n_features)
            .map(|feature| below(&mut rng, 2 + feature as u64 % 2))
            .collect();
        if seed.is_multiple_of(3) {
            cells[n_features - 1] = cells[0];
        }
        let noise = u64::from(below(&mut rng, 4) == 0);
        // The first two rows differ, so that there are always two classes.
        let class = if row < 2 {
            row
        } else {
            (cells[0] + cells[1] * (seed % 2) + noise) % (2 + seed % 2)
        };
        let cells: String = cells.iter().map(|cell| format!("v{cell},")).collect();
        text += &format!("{cells}c{class}\n");
    }
    coded(&text)
}

/// Cancels from the n-th question on.
pub(super) struct CancelsAfter {
    n_asked: std::sync::atomic::AtomicU64,
    n: u64,
}

impl CancelsAfter {
    pub(super) fn new(n: u64) -> Self {
        CancelsAfter {
            n_asked: std::sync::atomic::AtomicU64::new(0),
            n,
        }
    }

    /// How often it was asked.
    pub(super) fn n_asked(&self) -> u64 {
        self.n_asked.load(std::sync::atomic::Ordering::Relaxed)
    }
}

impl Observer for CancelsAfter {
    fn is_cancelled(&self) -> bool {
        let before = self
            .n_asked
            .fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        before >= self.n
    }
}

/// A run that is out of time before it begins.
pub(super) fn run_without_time(table: &CodedTable, run: &Run) -> Selection {
    let limits = Limits::new(&Silent).with_budget(Some(Duration::ZERO));
    select(table, &run.options().unwrap(), &limits).unwrap()
}
