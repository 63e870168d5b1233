//! Arrow IPC: a stream of messages, as it is or inside a file.
//!
//! A file is the stream between a magic word and an index for readers that jump; we read
//! in order, so both are one format here. The messages are cut here and not by the library
//! below, because it trusts the lengths that a message states and asks for as much memory.

use std::io::{ErrorKind, Read};

use arrow_array::{ArrayRef, RecordBatch};
use arrow_buffer::Buffer;
use arrow_ipc::reader::StreamDecoder;
use arrow_ipc::root_as_message;
use arrow_schema::{Schema, SchemaRef};

use super::arrow::{TypedColumn, TypedColumns, broken, guarded};
use super::blocks::{ReadJob, RowBlock, Visit, read_ahead};
use super::encode::Encoder;
use super::fault::{check_not_empty, check_row_limit, no_rows};
use super::source::Source;
use super::{Format, TableFile};
use crate::data::Table;
use crate::{Error, Result};

/// First and last bytes of a file.
const MAGIC: &[u8] = b"ARROW1";

/// Least that stands before the stream in a file: the magic word, padded.
const FILE_START: u64 = 8;

/// What stands before the length of a message, but in files of the oldest versions.
const CONTINUATION: [u8; 4] = [0xFF; 4];

/// Most bytes that one byte can be unpacked to: a block of zstd turns 4 into 128 KiB.
const MAX_UNPACKED: u64 = 32_768;

pub(super) static FORMAT: Format = Format {
    extensions: &["arrow", "arrows", "feather", "ipc"],
    is_start: |sample| sample.starts_with(MAGIC) || sample.starts_with(&CONTINUATION),
    open: |source, _, _| {
        let batches = Batches::open(source)?;
        Ok(Box::new(IpcFile(TypedColumns::new(&batches.schema)?)))
    },
};

/// An Arrow IPC file or stream whose schema was read.
#[derive(Debug)]
struct IpcFile(TypedColumns);

impl IpcFile {
    /// The columns asked for, in their order, with their places.
    fn columns<'a>(&'a self, job: &ReadJob<'a>) -> impl Iterator<Item = (usize, TypedColumn<'a>)> {
        let wanted = job.columns.iter().zip(job.kinds);
        let missing = job.missing;
        wanted.map(move |(&place, &kind)| (place, self.0.column(place, kind, missing)))
    }

    fn block(
        &self,
        job: &ReadJob<'_>,
        first_row: u64,
        batches: &[RecordBatch],
    ) -> Result<RowBlock> {
        let columns = self.columns(job).map(|(place, column)| {
            let chunks = batches
                .iter()
                .map(|batch| ArrayRef::clone(batch.column(place)));
            column.read(first_row, &chunks.collect::<Vec<_>>())
        });
        Ok(RowBlock {
            table: Table::new(columns.collect::<Result<_>>()?)?,
            unclear: Vec::new(),
        })
    }

    fn read_in_order(&self, job: &ReadJob<'_>, visit: &mut Visit<'_>) -> Result<()> {
        let blamed = |error| job.source.blame(error);
        let mut batches = Batches::open(job.source).map_err(blamed)?;
        let mut waiting = WaitingBatches::default();
        let (mut first_row, mut n_blocks) = (0, 0);
        loop {
            job.source.report(job.observer)?;
            let batch = batches.next().map_err(blamed)?;
            let is_end = batch.is_none();
            waiting.add(batch);
            while waiting.n_rows >= job.n_rows_of_block || (is_end && waiting.n_rows > 0) {
                let some = waiting.take(job.n_rows_of_block);
                let n_rows: usize = some.iter().map(RecordBatch::num_rows).sum();
                if n_blocks >= job.n_skipped {
                    visit(self.block(job, first_row, &some).map_err(blamed)?)?;
                }
                n_blocks += 1;
                first_row += n_rows as u64;
            }
            if is_end {
                break;
            }
        }
        if first_row == 0 {
            return Err(blamed(no_rows()));
        }
        Ok(())
    }
}

impl TableFile for IpcFile {
    fn names(&self) -> &[String] {
        &self.0.names
    }

    /// Batch by batch into encoders, so that the cells need not be in memory together.
    fn read_whole(&self, job: &ReadJob<'_>) -> Result<Table> {
        let mut batches = Batches::open(job.source)?;
        let columns: Vec<(usize, TypedColumn<'_>)> = self.columns(job).collect();
        let encoders = columns.iter().map(|(_, column)| column.encoder());
        let mut encoders: Vec<Encoder<'_>> = encoders
            .map(|encoder| encoder.in_table_of(columns.len()))
            .collect();
        let mut n_rows = 0;
        loop {
            job.source.report(job.observer)?;
            let Some(batch) = batches.next()? else { break };
            let first_row = n_rows;
            n_rows += batch.num_rows() as u64;
            check_row_limit(n_rows)?;
            for ((place, column), encoder) in columns.iter().zip(&mut encoders) {
                column.push(encoder, first_row, batch.column(*place))?;
            }
        }
        if n_rows == 0 {
            return Err(no_rows());
        }
        let columns = columns.iter().zip(encoders);
        let columns = columns.map(|((_, column), encoder)| column.finish(encoder));
        Table::new(columns.collect::<Result<_>>()?)
    }

    fn read_blocks(&self, job: &ReadJob<'_>, visit: &mut Visit<'_>) -> Result<()> {
        read_ahead(|visit| self.read_in_order(job, visit), visit)
    }
}

/// Batches that are not in a block yet.
#[derive(Default)]
struct WaitingBatches {
    batches: Vec<RecordBatch>,
    n_rows: usize,
}

impl WaitingBatches {
    fn add(&mut self, batch: Option<RecordBatch>) {
        let batch = batch.filter(|batch| batch.num_rows() > 0);
        self.n_rows += batch.as_ref().map_or(0, RecordBatch::num_rows);
        self.batches.extend(batch);
    }

    /// The first rows, so many at most.
    fn take(&mut self, max_rows: usize) -> Vec<RecordBatch> {
        let mut taken = Vec::new();
        let mut room = max_rows.min(self.n_rows);
        self.n_rows -= room;
        for batch in std::mem::take(&mut self.batches) {
            let n = batch.num_rows().min(room);
            room -= n;
            if n > 0 {
                taken.push(batch.slice(0, n));
            }
            if n < batch.num_rows() {
                self.batches.push(batch.slice(n, batch.num_rows() - n));
            }
        }
        taken
    }
}

/// The batches of a file or stream, from the first on.
struct Batches<'a> {
    source: &'a Source,
    messages: Messages<'a>,
    decoder: StreamDecoder,
    message: Buffer,
    /// The first batch, or the end: the schema is known once it has been met.
    first: Option<Option<RecordBatch>>,
    schema: SchemaRef,
}

impl<'a> Batches<'a> {
    fn open(source: &'a Source) -> Result<Self> {
        check_not_empty(source)?;
        let mut batches = Batches {
            source,
            messages: Messages::new(source)?,
            decoder: StreamDecoder::new(),
            message: Vec::<u8>::new().into(),
            first: None,
            schema: SchemaRef::new(Schema::empty()),
        };
        let first = batches.decode()?;
        let schema = batches.decoder.schema();
        batches.schema = schema.ok_or_else(|| broken("there is no schema"))?;
        batches.first = Some(first);
        Ok(batches)
    }

    /// The next batch, `None` at a proper end.
    fn next(&mut self) -> Result<Option<RecordBatch>> {
        let batch = match self.first.take() {
            Some(first) => first,
            None => self.decode()?,
        };
        let n_columns = self.schema.fields().len();
        if batch
            .as_ref()
            .is_some_and(|batch| batch.num_columns() != n_columns)
        {
            return Err(broken("a batch has other columns than the schema"));
        }
        let source = self.source;
        let is_file = source.sample.starts_with(MAGIC) && !source.is_gzip;
        if batch.is_none() && is_file && !source.ends_with(MAGIC)? {
            return Err(cut_short());
        }
        Ok(batch)
    }

    fn decode(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            let batch = guarded(|| self.decoder.decode(&mut self.message))?;
            if batch.is_some() {
                return Ok(batch);
            }
            match self.messages.next()? {
                Some(bytes) => self.message = bytes.into(),
                None => return Ok(None),
            }
        }
    }
}

/// The messages of a stream, whole and checked for the lengths they state.
struct Messages<'a> {
    source: &'a Source,
    reader: Box<dyn Read + 'a>,
    /// Whether zeros may come first: the magic word of a file is padded, more or less.
    is_padded: bool,
    is_at_end: bool,
}

impl<'a> Messages<'a> {
    fn new(source: &'a Source) -> Result<Self> {
        let mut messages = Messages {
            source,
            reader: Box::new(source.buffered()?),
            is_padded: source.sample.starts_with(MAGIC),
            is_at_end: false,
        };
        if messages.is_padded {
            messages.append(&mut Vec::new(), FILE_START)?;
        }
        Ok(messages)
    }

    /// The bytes of the next message; the end mark is the last.
    fn next(&mut self) -> Result<Option<Vec<u8>>> {
        if self.is_at_end {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        self.append(&mut bytes, 4)?;
        while self.is_padded && bytes == [0; 4] {
            bytes.clear();
            self.append(&mut bytes, 4)?;
        }
        self.is_padded = false;
        if bytes == CONTINUATION {
            self.append(&mut bytes, 4)?;
        }
        let start = bytes.len();
        let length = match bytes[start - 4..] {
            [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
            _ => 0,
        };
        if length == 0 {
            self.is_at_end = true;
            return Ok(Some(bytes));
        }
        self.append(&mut bytes, u64::from(length))?;
        let body_start = bytes.len();
        let message = root_as_message(&bytes[start..]);
        let message = message.map_err(|_| broken("a message cannot be read"))?;
        let body_length = u64::try_from(message.bodyLength());
        let body_length = body_length.map_err(|_| broken("a message has a negative length"))?;
        self.append(&mut bytes, body_length)?;
        let (head, body) = bytes.split_at(body_start);
        check_packed(&head[start..], body)?;
        Ok(Some(bytes))
    }

    /// Reads so many bytes more, or tells that they are not there.
    fn append(&mut self, bytes: &mut Vec<u8>, n: u64) -> Result<()> {
        // The length may be wrong: nothing is set aside before it is there.
        let read = (&mut self.reader).take(n).read_to_end(bytes);
        match read {
            Ok(n_read) if n_read as u64 == n => Ok(()),
            Ok(_) => Err(cut_short()),
            Err(error) if error.kind() == ErrorKind::OutOfMemory => {
                Err(broken("a message is larger than the memory"))
            }
            Err(error) => Err(self.source.read_error(error)),
        }
    }
}

fn cut_short() -> Error {
    Error::data("the Arrow data has no end mark")
        .with_hint("It was cut short, or its writer was not closed.")
}

/// Refuses packed buffers that claim to unpack to more than is possible.
fn check_packed(head: &[u8], body: &[u8]) -> Result<()> {
    let message = root_as_message(head).map_err(|_| broken("a message cannot be read"))?;
    let dictionary = message.header_as_dictionary_batch();
    let batch = message.header_as_record_batch();
    let Some(batch) = batch.or_else(|| dictionary.and_then(|dictionary| dictionary.data())) else {
        return Ok(());
    };
    if batch.compression().is_none() {
        return Ok(());
    }
    for buffer in batch.buffers().into_iter().flatten() {
        let packed = usize::try_from(buffer.offset())
            .ok()
            .and_then(|start| body.get(start..))
            .and_then(|rest| rest.get(..usize::try_from(buffer.length()).ok()?))
            .ok_or_else(|| broken("a buffer is outside its message"))?;
        // The length is the first word; it is -1 for what is not packed.
        let Some(&length) = packed.first_chunk::<8>() else {
            continue;
        };
        let limit = packed.len() as u64 * MAX_UNPACKED;
        if u64::try_from(i64::from_le_bytes(length)).is_ok_and(|length| length > limit) {
            return Err(broken("a buffer states an impossible length"));
        }
    }
    Ok(())
}
