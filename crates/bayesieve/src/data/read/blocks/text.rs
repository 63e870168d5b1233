//! Blocks of a CSV file.

use super::super::csv::{CsvFile, Pass};
use super::super::encode::{Encoder, Wanted};
use super::super::fault::no_rows;
use super::super::options::ReadOptions;
use super::super::source::Source;
use super::{Job, RowBlock, Visit};
use crate::Result;
use crate::data::{Codes, Column, Domain, KindOrigin, Nominal, Table, Values};

/// A CSV file whose header is known.
pub(super) struct CsvRows<'a> {
    file: CsvFile<'a>,
}

impl<'a> CsvRows<'a> {
    /// The names in the header.
    pub(super) fn names(source: &Source, options: &ReadOptions) -> Result<Vec<String>> {
        Ok(CsvFile::open(source, options)?.names)
    }

    pub(super) fn new(job: &Job<'a>, options: &ReadOptions) -> Result<Self> {
        let file = CsvFile::open(job.source, options)?;
        Ok(CsvRows { file })
    }

    pub(super) fn read(&self, job: &Job<'_>, visit: &mut Visit<'_>) -> Result<()> {
        let most = job.n_rows_of_block as u64;
        let mut pass = Pass::begin(&self.file)?;
        let n_names = self.file.names.len();
        let mut skipping: Vec<Encoder<'_>> = (0..n_names)
            .map(|_| Encoder::skipping(job.missing))
            .collect();
        for _ in 0..job.request.n_skipped {
            // The last rows: there is nothing behind them.
            if pass.feed(&mut skipping, most, job.observer)? < most {
                return Ok(());
            }
        }
        loop {
            let mut encoders = self.encoders(job);
            let n_rows = pass.feed(&mut encoders, most, job.observer)?;
            if n_rows > 0 {
                visit(self.block(job, encoders, n_rows as usize)?)?;
            }
            if n_rows < most {
                break;
            }
        }
        match pass.n_rows() {
            0 => Err(job.source.blame(no_rows())),
            _ => Ok(()),
        }
    }

    /// One for every column of the file; those that are not asked for keep nothing.
    fn encoders<'m>(&self, job: &Job<'m>) -> Vec<Encoder<'m>> {
        let n_names = self.file.names.len();
        let mut encoders: Vec<Encoder<'m>> = (0..n_names)
            .map(|_| Encoder::skipping(job.missing))
            .collect();
        for (&place, &kind) in job.request.columns.iter().zip(job.request.kinds) {
            let wanted = Wanted::declared_or(kind, Wanted::Inferred);
            encoders[place] = Encoder::new(job.missing, wanted).in_table_of(n_names);
        }
        encoders
    }

    fn block(&self, job: &Job<'_>, encoders: Vec<Encoder<'_>>, n_rows: usize) -> Result<RowBlock> {
        let mut finished = self.file.finish(encoders)?;
        let mut unclear = Vec::new();
        let mut column = |&place: &usize| {
            let name = &self.file.names[place];
            finished[place].take().unwrap_or_else(|| {
                unclear.push(name.clone());
                empty_column(name, n_rows)
            })
        };
        let columns: Vec<Column> = job.request.columns.iter().map(&mut column).collect();
        Ok(RowBlock {
            table: Table::new(columns)?,
            unclear,
        })
    }
}

fn empty_column(name: &str, n_rows: usize) -> Column {
    let nominal = Nominal {
        codes: Codes::new(0, std::iter::repeat_n(None, n_rows)),
        domain: Domain::default(),
    };
    Column::new(name, Values::Nominal(nominal), KindOrigin::Text)
}
