//! Arrow IPC: a stream of messages, as it is or inside a file.
//!
//! A file is the stream between a magic word and an index for readers that jump; we read
//! in order, so both are one format here. The messages are cut here and not by the library
//! below, because it trusts the lengths that a message states and asks for as much memory.

use std::io::{ErrorKind, Read};
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::reader::StreamDecoder;
use arrow_ipc::root_as_message;
use arrow_schema::{Schema, SchemaRef};

use super::guard::{broken, guarded};
use super::{Rows, check_not_empty};
use crate::Observer;
use crate::data::Table;
use crate::data::read::ReadOptions;
use crate::data::read::source::Source;
use crate::{Error, Result};

const MAGIC: &[u8] = b"ARROW1";

/// Least that stands before the stream in a file: the magic word, padded.
const FILE_START: u64 = 8;

/// What stands before the length of a message, but in files of the oldest versions.
const CONTINUATION: [u8; 4] = [0xFF; 4];

/// Most bytes that one byte can be unpacked to: a block of zstd turns 4 into 128 KiB.
const MOST_UNPACKED: u64 = 32_768;

/// Reads an Arrow IPC file (also called Feather, version 2) or stream.
///
/// As [`read_parquet`](crate::data::read_parquet) in all other respects.
///
/// # Errors
/// As [`read_parquet`](crate::data::read_parquet), and: a stream without its end mark.
pub fn read_arrow(path: &Path, options: &ReadOptions, observer: &dyn Observer) -> Result<Table> {
    let source = Source::open(path, observer)?;
    read(&source, options, observer)
}

/// Reads an opened source.
pub(in super::super) fn read(
    source: &Source,
    options: &ReadOptions,
    observer: &dyn Observer,
) -> Result<Table> {
    read_batches(source, options, observer).map_err(|error| source.blame(error))
}

fn read_batches(source: &Source, options: &ReadOptions, observer: &dyn Observer) -> Result<Table> {
    let mut batches = Batches::open(source)?;
    Rows::default().read(&batches.schema(), options, |_| {
        source.report(observer)?;
        batches.next()
    })
}

/// The batches of a file or stream, from the first on.
pub(in super::super) struct Batches<'a> {
    source: &'a Source,
    messages: Messages<'a>,
    decoder: StreamDecoder,
    message: Buffer,
    /// The first batch, or the end: the schema is known once it has been met.
    first: Option<Option<RecordBatch>>,
    schema: SchemaRef,
}

impl<'a> Batches<'a> {
    pub(in super::super) fn open(source: &'a Source) -> Result<Self> {
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

    pub(in super::super) fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }

    /// The next batch, `None` at a proper end.
    pub(in super::super) fn next(&mut self) -> Result<Option<RecordBatch>> {
        let batch = match self.first.take() {
            Some(first) => first,
            None => self.decode()?,
        };
        let source = self.source;
        let is_file = source.sample().starts_with(MAGIC) && !source.is_gzip();
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
            is_padded: source.sample().starts_with(MAGIC),
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
        let limit = packed.len() as u64 * MOST_UNPACKED;
        if u64::try_from(i64::from_le_bytes(length)).is_ok_and(|length| length > limit) {
            return Err(broken("a buffer states an impossible length"));
        }
    }
    Ok(())
}
