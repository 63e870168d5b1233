//! Where results go: standard output and files, whole or not at all.

use std::io::{self, ErrorKind, Write};
use std::path::Path;

use bayesieve::data::{Table, write_csv, write_csv_blocks, write_whole};
use bayesieve::{Error, Observer, Result, printable};

use crate::progress::Progress;

/// Writes to standard output; a reader that has gone (`| head`) is no error.
pub(crate) fn print(text: &str) -> Result<()> {
    print_with(|out| out.write_all(text.as_bytes()))
}

/// As [`print()`], for output that is written piece by piece.
pub(crate) fn print_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut out = io::BufWriter::new(Patient(io::stdout().lock()));
    write(&mut out)
        .and_then(|()| out.flush())
        .map_err(|error| Error::output("cannot write to standard output").with_source(error))
}

/// Writes a table to standard output, as CSV.
pub(crate) fn print_table(table: &Table, progress: &Progress) -> Result<()> {
    progress.stage("");
    print_rows(progress, |out| write_csv(out, table))
}

/// Prints rows that come in blocks as one CSV table.
pub(crate) fn print_blocks(
    blocks: impl Iterator<Item = Result<Table>>,
    progress: &Progress,
) -> Result<()> {
    print_rows(progress, |out| write_csv_blocks(out, blocks))
}

/// Whoever reads may be slow, and nothing is left half done behind a pipe.
fn print_rows(progress: &Progress, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    progress.while_waiting(|| {
        let mut written = Ok(());
        print_with(|out| {
            written = write(out);
            Ok(())
        })?;
        written
    })
}

/// Writes on into the void once nobody reads any more, as `| head` does.
struct Patient<W>(W);

impl<W: Write> Write for Patient<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(bytes.len()),
            done => done,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0.flush() {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            done => done,
        }
    }
}

/// Writes a file, whole or not at all.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    write_whole(path, |out| out.write_all(text.as_bytes()))
}

/// Prints some notes on standard error, unless the run is quiet.
pub(crate) fn notes(quiet: bool, texts: &[String]) {
    texts.iter().for_each(|text| note(quiet, text));
}

/// Prints a note on standard error, unless the run is quiet.
pub(crate) fn note(quiet: bool, text: &str) {
    if !quiet {
        eprintln!("note: {}", printable(text, 2_000));
    }
}
