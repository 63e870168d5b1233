//! A file that several threads read at different places.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

/// Bytes of a page's head that are read at once.
const HEAD_BYTES: usize = 4_096;

/// Handles of one file share their place in it, so that one thread reads at a time.
#[derive(Debug, Clone)]
pub(super) struct SharedFile {
    file: Arc<Mutex<File>>,
    n_bytes: u64,
}

impl SharedFile {
    pub(super) fn new(file: File, n_bytes: u64) -> Self {
        SharedFile {
            file: Arc::new(Mutex::new(file)),
            n_bytes,
        }
    }

    fn read_at(&self, start: u64, buffer: &mut [u8]) -> io::Result<usize> {
        // Every reading begins with a seek, so one that was cut off does no harm.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(start))?;
        file.read(buffer)
    }
}

impl Length for SharedFile {
    fn len(&self) -> u64 {
        self.n_bytes
    }
}

impl ChunkReader for SharedFile {
    type T = BufReader<FromPlace>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        let from = FromPlace {
            file: self.clone(),
            place: start,
        };
        Ok(BufReader::with_capacity(HEAD_BYTES, from))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        // A length that is wrong must not be asked for as memory.
        if start.saturating_add(length as u64) > self.n_bytes {
            return Err(ParquetError::EOF(format!(
                "{length} bytes from {start} on, of {}",
                self.n_bytes
            )));
        }
        let mut bytes = vec![0; length];
        let mut from = FromPlace {
            file: self.clone(),
            place: start,
        };
        from.read_exact(&mut bytes)?;
        Ok(bytes.into())
    }
}

/// The bytes from a place on.
#[derive(Debug)]
pub(super) struct FromPlace {
    file: SharedFile,
    place: u64,
}

impl Read for FromPlace {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_read = self.file.read_at(self.place, buffer)?;
        self.place += n_read as u64;
        Ok(n_read)
    }
}
