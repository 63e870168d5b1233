//! Where the bytes come from: a file or standard input, packed by gzip or not.
//!
//! A source can be read more than once: a reader that meets an error reads again to find
//! the line, and a column may need a second pass. What cannot be read twice, a pipe, is
//! copied to a temporary file first.

use std::fs::{File, Metadata};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use crate::Observer;
use crate::{Error, Result};

/// How much of a file is looked at to tell what it is.
pub(super) const SAMPLE_BYTES: usize = 64 * 1024;

/// How much is read at a time.
pub(super) const BUFFER_BYTES: usize = 256 * 1024;

/// First bytes of what gzip packed.
pub(super) const GZIP_MAGIC: &[u8] = b"\x1F\x8B";

const UTF8_BOM: &[u8] = b"\xEF\xBB\xBF";

/// A file that can be read from the start as often as needed.
#[derive(Debug)]
pub(super) struct Source {
    name: PathBuf,
    file: SharedFile,
    pub(super) is_gzip: bool,
    has_bom: bool,
    pub(super) sample: Vec<u8>,
    pub(super) sample_is_whole: bool,
    /// Length and time of the last change, as far as the system tells.
    state: Option<(u64, SystemTime)>,
}

impl Source {
    /// Opens a file; `-` is standard input.
    pub(super) fn open(path: &Path, observer: &dyn Observer) -> Result<Self> {
        if path == Path::new("-") {
            return Source::spooled(PathBuf::from("standard input"), io::stdin(), observer);
        }
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
        let (metadata, file) = opened.map_err(|error| Error::unreadable(error).in_file(path))?;
        if metadata.is_dir() {
            return Err(Error::data("this is a folder, not a file").in_file(path));
        }
        if metadata.is_file() {
            Source::new(path.to_owned(), file)
        } else {
            Source::spooled(path.to_owned(), file, observer)
        }
    }

    /// Copies what can be read only once.
    fn spooled(name: PathBuf, mut from: impl Read, observer: &dyn Observer) -> Result<Self> {
        let cannot_copy =
            |error| Error::output("cannot copy the input to a temporary file").with_source(error);
        let mut file = tempfile::tempfile().map_err(cannot_copy)?;
        let mut buffer = vec![0; BUFFER_BYTES];
        let mut done = 0;
        loop {
            if observer.is_cancelled() {
                return Err(Error::interrupted());
            }
            match from.read(&mut buffer) {
                Ok(0) => break,
                Ok(n) => {
                    file.write_all(&buffer[..n]).map_err(cannot_copy)?;
                    done += n as u64;
                    observer.progress("reading", done, 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::unreadable(error).in_file(name)),
            }
        }
        Source::new(name, file)
    }

    fn new(name: PathBuf, file: File) -> Result<Self> {
        let metadata = match file.metadata() {
            Ok(metadata) => metadata,
            Err(error) => return Err(Error::unreadable(error).in_file(name)),
        };
        let mut source = Source {
            name,
            state: state_of(&metadata),
            file: SharedFile(Arc::new(FileHandle {
                file: Mutex::new(file),
                n_bytes: metadata.len(),
                bytes_read: AtomicU64::new(0),
            })),
            is_gzip: false,
            has_bom: false,
            sample: Vec::new(),
            sample_is_whole: false,
        };
        source.sample = source.read_sample()?;
        if cfg!(feature = "gzip") && source.sample.starts_with(GZIP_MAGIC) {
            source.is_gzip = true;
            source.sample = source.read_sample()?;
        }
        source.sample_is_whole = source.sample.len() < SAMPLE_BYTES;
        if source.sample.starts_with(UTF8_BOM) {
            source.has_bom = true;
            source.sample.drain(..UTF8_BOM.len());
        }
        Ok(source)
    }

    fn read_sample(&self) -> Result<Vec<u8>> {
        let mut sample = Vec::new();
        let limit = SAMPLE_BYTES as u64;
        match self.reader()?.take(limit).read_to_end(&mut sample) {
            // What is broken further on is reported when the reading gets there.
            Err(error) if sample.is_empty() => Err(self.read_error(error)),
            _ => Ok(sample),
        }
    }

    /// Bytes of the file as it stands.
    pub(super) fn n_bytes(&self) -> u64 {
        self.file.0.n_bytes
    }

    /// The bytes as they stand in the file.
    pub(super) fn file(&self) -> &SharedFile {
        &self.file
    }

    /// The unpacked bytes from the start, after a byte order mark. Every reader has a place of
    /// its own.
    pub(super) fn reader(&self) -> Result<Box<dyn Read + '_>> {
        let failed = |error| self.read_error(error);
        self.file.0.bytes_read.store(0, Ordering::Relaxed);
        let mut reader: Box<dyn Read + '_> = Box::new(self.file.bytes_from(0));
        #[cfg(feature = "gzip")]
        if self.is_gzip {
            let packed = BufReader::with_capacity(BUFFER_BYTES, reader);
            reader = Box::new(flate2::bufread::MultiGzDecoder::new(packed));
        }
        if self.has_bom {
            reader
                .read_exact(&mut [0; UTF8_BOM.len()])
                .map_err(failed)?;
        }
        Ok(reader)
    }

    /// The unpacked bytes behind a large buffer.
    pub(super) fn buffered(&self) -> Result<BufReader<Box<dyn Read + '_>>> {
        Ok(BufReader::with_capacity(BUFFER_BYTES, self.reader()?))
    }

    /// Whether the file, as it stands, ends with these bytes.
    pub(super) fn ends_with(&self, end: &[u8]) -> Result<bool> {
        let Some(start) = self.n_bytes().checked_sub(end.len() as u64) else {
            return Ok(false);
        };
        let mut last = vec![0; end.len()];
        let read = self.file.bytes_from(start).read_exact(&mut last);
        read.map_err(|error| self.read_error(error))?;
        Ok(last == end)
    }

    /// The line, from 1, of the first byte at or after `place` that ends no line.
    pub(super) fn line_at(&self, place: u64) -> Result<u64> {
        let mut reader = self.buffered()?;
        let mut line = 1;
        let mut last = 0;
        let mut at = 0;
        loop {
            let buffer = io::BufRead::fill_buf(&mut reader).map_err(|e| self.read_error(e))?;
            if buffer.is_empty() {
                return Ok(line);
            }
            for &byte in buffer {
                if at >= place && byte != b'\n' && byte != b'\r' {
                    return Ok(line);
                }
                // A line ends at "\n", at "\r", or at both in this order.
                line += u64::from(byte == b'\r' || (byte == b'\n' && last != b'\r'));
                last = byte;
                at += 1;
            }
            let n = buffer.len();
            io::BufRead::consume(&mut reader, n);
        }
    }

    /// Tells the observer how far the reading is; an error where it should stop.
    pub(super) fn report(&self, observer: &dyn Observer) -> Result<()> {
        if observer.is_cancelled() {
            return Err(Error::interrupted());
        }
        observer.progress("reading", self.file.n_read(), self.n_bytes());
        Ok(())
    }

    /// Tells the observer how far the reading is, for readers that jump in the file.
    pub(super) fn report_share(&self, share: f64, observer: &dyn Observer) -> Result<()> {
        let done = self.n_bytes() as f64 * share.clamp(0.0, 1.0);
        self.file.0.bytes_read.store(done as u64, Ordering::Relaxed);
        self.report(observer)
    }

    /// The share of the file that was read so far.
    pub(super) fn share_read(&self) -> f64 {
        self.file.n_read() as f64 / self.n_bytes().max(1) as f64
    }

    /// Refuses to go on with a file that is no longer the same.
    pub(super) fn check_unchanged(&self) -> Result<()> {
        let metadata = self.file.lock().metadata().ok();
        if metadata.as_ref().and_then(state_of) == self.state {
            Ok(())
        } else {
            Err(self.blame(changed()))
        }
    }

    /// Names this file in an error of the data.
    pub(super) fn blame(&self, error: Error) -> Error {
        error.in_file_of_data(&self.name)
    }

    /// Names this file and the line at a place in an error.
    pub(super) fn blame_place(&self, error: Error, place: u64) -> Error {
        match self.line_at(place) {
            Ok(line) => self.blame(error.at_line(line)),
            Err(worse) => worse,
        }
    }

    /// The error for bytes that cannot be had.
    pub(super) fn read_error(&self, error: io::Error) -> Error {
        use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
        let error = match error.kind() {
            UnexpectedEof if self.is_gzip => Error::data("the gzip stream ends too early")
                .with_hint("The file was cut short: copy or download it again."),
            InvalidData | InvalidInput if self.is_gzip => {
                Error::data("the gzip stream is broken").with_source(error)
            }
            _ => Error::unreadable(error),
        };
        self.blame(error)
    }
}

/// What shows that a file was changed.
fn state_of(metadata: &Metadata) -> Option<(u64, SystemTime)> {
    Some((metadata.len(), metadata.modified().ok()?))
}

/// The error for a file that is another one by now.
pub(super) fn changed() -> Error {
    Error::data("the file changed while it was read")
        .with_hint("Run again when nobody writes to it.")
}

/// An open file that several readers share, each at a place of its own.
#[derive(Debug, Clone)]
pub(super) struct SharedFile(Arc<FileHandle>);

#[derive(Debug)]
struct FileHandle {
    file: Mutex<File>,
    n_bytes: u64,
    /// Bytes that left the file since somebody began at its start.
    bytes_read: AtomicU64,
}

impl SharedFile {
    /// Bytes of the file.
    pub(super) fn n_bytes(&self) -> u64 {
        self.0.n_bytes
    }

    /// The bytes from a place on.
    pub(super) fn bytes_from(&self, place: u64) -> BytesFrom {
        BytesFrom {
            file: self.clone(),
            place,
        }
    }

    fn n_read(&self) -> u64 {
        self.0.bytes_read.load(Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, File> {
        // Every reading begins with a seek, so one that was cut off does no harm.
        self.0.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bytes of a file from a place on.
#[derive(Debug)]
pub(super) struct BytesFrom {
    file: SharedFile,
    place: u64,
}

impl Read for BytesFrom {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let mut file = self.file.lock();
            file.seek(SeekFrom::Start(self.place))?;
            match file.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(n) => {
                    self.place += n as u64;
                    let bytes_read = &self.file.0.bytes_read;
                    bytes_read.fetch_add(n as u64, Ordering::Relaxed);
                    return Ok(n);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorKind, Silent};

    fn source(bytes: &[u8]) -> Source {
        Source::spooled(PathBuf::from("pipe"), bytes, &Silent).unwrap()
    }

    #[test]
    fn a_pipe_can_be_read_again_and_again() {
        let source = source(b"\xEF\xBB\xBFa,b\n1,2\n");
        for _ in 0..3 {
            let mut text = String::new();
            source.reader().unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "a,b\n1,2\n");
        }
        assert_eq!(source.sample, b"a,b\n1,2\n");
        assert!(source.sample_is_whole);
        assert!(source.ends_with(b"2\n").unwrap() && !source.ends_with(b"2").unwrap());
    }

    #[test]
    fn lines_are_counted_whatever_ends_them() {
        let source = source(b"a\nb\r\nc\rd\n\ne");
        // Places are bytes; a place at a line end belongs to the next line with text.
        let lines = [
            (0, 1),
            (1, 2),
            (2, 2),
            (3, 3),
            (4, 3),
            (5, 3),
            (7, 4),
            (8, 6),
            (10, 6),
        ];
        for (place, line) in lines {
            assert_eq!(source.line_at(place).unwrap(), line, "byte {place}");
        }
    }

    #[test]
    fn a_cancelled_copy_stops() {
        struct Cancelled;
        impl Observer for Cancelled {
            fn is_cancelled(&self) -> bool {
                true
            }
        }
        let error = Source::spooled(PathBuf::from("pipe"), &b"a"[..], &Cancelled).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Interrupted);
    }

    #[test]
    fn files_that_may_not_be_read_are_data_errors_with_the_reason() {
        let denied = Error::unreadable(io::Error::from(io::ErrorKind::PermissionDenied));
        assert_eq!(denied.kind(), ErrorKind::Data);
        assert_eq!(denied.to_string(), "cannot be read: permission denied");
    }
}
