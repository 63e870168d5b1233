//! How the library below asks for bytes.

use std::io::{BufReader, Read};

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

use crate::data::read::source::{BytesFrom, SharedFile};

/// Bytes of a page's head that are read at once.
const HEAD_BYTES: usize = 4_096;

impl Length for SharedFile {
    fn len(&self) -> u64 {
        self.n_bytes()
    }
}

impl ChunkReader for SharedFile {
    type T = BufReader<BytesFrom>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(BufReader::with_capacity(HEAD_BYTES, self.bytes_from(start)))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        // A length that is wrong must not be asked for as memory.
        if start.saturating_add(length as u64) > self.n_bytes() {
            return Err(ParquetError::EOF(format!(
                "{length} bytes from {start} on, of {}",
                self.n_bytes()
            )));
        }
        let mut bytes = vec![0; length];
        self.bytes_from(start).read_exact(&mut bytes)?;
        Ok(bytes.into())
    }
}
