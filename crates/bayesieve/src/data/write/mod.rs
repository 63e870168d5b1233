//! Tables to files, whole or not at all.

mod csv;
#[cfg(feature = "parquet")]
mod parquet;

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::Table;
use super::names::any_of;
use crate::Observer;
use crate::{Error, Result, quoted};

/// How the blocks of a table are written in one format.
struct TableFormat {
    /// The ends of names, in lower case, that ask for it.
    extensions: &'static [&'static str],
    write: WriteBlocks,
}

type WriteBlocks =
    fn(&mut (dyn Write + Send), &mut dyn Iterator<Item = io::Result<Table>>) -> io::Result<()>;

static FORMATS: &[TableFormat] = &[
    TableFormat {
        extensions: &[".csv"],
        write: |writer, blocks| write_as_csv(writer, blocks),
    },
    #[cfg(feature = "gzip")]
    TableFormat {
        extensions: &[".csv.gz"],
        write: |writer, blocks| {
            let level = flate2::Compression::default();
            let mut packed = flate2::write::GzEncoder::new(writer, level);
            write_as_csv(&mut packed, blocks)?;
            packed.finish().map(drop)
        },
    },
    #[cfg(feature = "parquet")]
    TableFormat {
        extensions: &[".parquet", ".pq"],
        write: parquet::write_blocks,
    },
];

/// The format that a name asks for.
fn format_of(path: &Path) -> Result<&'static TableFormat> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_ascii_lowercase();
    let is_asked = |format: &&TableFormat| format.extensions.iter().any(|end| name.ends_with(end));
    FORMATS.iter().find(is_asked).ok_or_else(|| {
        let ends: Vec<&str> = FORMATS.iter().map(|format| format.extensions[0]).collect();
        Error::usage(format!("no format belongs to the name {}", quoted(&name)))
            .with_hint(format!("Let it end in {}.", any_of(&ends)))
    })
}

/// Writes a table by the extension of the path: `.csv`, `.csv.gz` or `.parquet`.
///
/// The file is written whole or not at all; see [`write_whole`]. A CSV file is written as
/// by [`write_csv`]. In a Parquet file nominal columns are dictionaries of strings, numeric
/// ones floats of 64 bits, and missing cells are null.
///
/// # Errors
/// An extension that names no format (a usage error), a file that cannot be written, or the
/// observer cancelled; then no file is left.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::{Column, KindOrigin, Nominal, Table, Values, write_table};
///
/// let labels = Nominal::from_labels([Some("no, never"), None]);
/// let column = Column::new("smoker", Values::Nominal(labels), KindOrigin::Text);
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("out.csv");
/// write_table(&path, &Table::new(vec![column])?, &Silent)?;
/// assert_eq!(std::fs::read_to_string(&path)?, "smoker\n\"no, never\"\n\"\"\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_table(path: &Path, table: &Table, observer: &dyn Observer) -> Result<()> {
    write_blocks(path, [Ok(table.clone())], observer)
}

/// As [`write_table`], for rows that come block by block and need never be in memory together.
/// Every block has the same columns; in a Parquet file a block is a row group.
///
/// # Errors
/// As [`write_table`], and those of the blocks; then no file is left.
pub fn write_blocks(
    path: &Path,
    blocks: impl IntoIterator<Item = Result<Table>>,
    observer: &dyn Observer,
) -> Result<()> {
    let format = format_of(path)?;
    let mut failed = None;
    // A block that fails makes the writing fail, so that no file is left.
    let mut blocks = blocks.into_iter().map(|block| {
        block.map_err(|error| {
            failed = Some(error);
            io::Error::other("a block of rows cannot be had")
        })
    });
    let written = write_whole(path, |writer| {
        let mut writer = Watched { writer, observer };
        (format.write)(&mut writer, &mut blocks)
    });
    if let Some(error) = failed {
        return Err(error);
    }
    if observer.is_cancelled() && written.is_err() {
        return Err(Error::interrupted());
    }
    written
}

/// Checks that a table can be written under this name, before the table is made.
///
/// # Errors
/// An extension that names no format, or a folder that does not exist.
pub fn check_table_path(path: &Path) -> Result<()> {
    format_of(path)?;
    check_folder(path)
}

/// Checks that the folder of a file to be written exists, before there is anything to write.
///
/// # Errors
/// A folder that does not exist, or a path that is a folder itself.
///
/// # Example
/// ```
/// use bayesieve::data::check_folder;
///
/// let folder = tempfile::tempdir()?;
/// assert!(check_folder(&folder.path().join("model.json")).is_ok());
/// assert!(check_folder(&folder.path().join("absent/model.json")).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn check_folder(path: &Path) -> Result<()> {
    if path.is_dir() {
        return Err(Error::output("this is a folder, not a file").in_file(path));
    }
    if !folder_of(path).is_dir() {
        return Err(Error::output("the folder does not exist")
            .in_file(path)
            .with_hint("Make the folder first, or write to another."));
    }
    Ok(())
}

/// Stops writing when the run is cancelled.
struct Watched<'a> {
    writer: &'a mut (dyn Write + Send),
    observer: &'a dyn Observer,
}

impl Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.observer.is_cancelled() {
            return Err(io::Error::other("cancelled"));
        }
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Writes a table as CSV with commas, a header, and quotes where they are needed.
///
/// A missing cell is empty; a table of one column has a pair of quotes there, because an
/// empty line is no row. CSV cannot tell a label from a text that means "no value" to
/// whoever reads it: the labels `""`, `?`, `NA`, `NaN` and `null` read back as missing
/// unless the reader is told otherwise, and blanks around a label are lost. No table read
/// from a file with the same options has such labels. Numbers are written with as many
/// digits as it takes to read the same number back.
///
/// # Errors
/// A writer that fails.
///
/// # Example
/// ```
/// use bayesieve::data::{Column, KindOrigin, Table, Values, write_csv};
///
/// let ages = Values::Numeric(vec![31.0, 0.1]);
/// let table = Table::new(vec![Column::new("age", ages, KindOrigin::Numbers)])?;
/// let mut out = Vec::new();
/// write_csv(&mut out, &table)?;
/// assert_eq!(out, b"age\n31\n0.1\n");
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn write_csv(writer: impl Write, table: &Table) -> Result<()> {
    write_csv_blocks(writer, [Ok(table.clone())])
}

/// As [`write_csv`], for rows that come block by block.
///
/// # Errors
/// As [`write_csv`], and those of the blocks.
pub fn write_csv_blocks(
    mut writer: impl Write,
    blocks: impl IntoIterator<Item = Result<Table>>,
) -> Result<()> {
    for (place, block) in blocks.into_iter().enumerate() {
        csv::write_block(&mut writer, &block?, place == 0).map_err(cannot_write)?;
    }
    Ok(())
}

fn write_as_csv(
    writer: &mut dyn Write,
    blocks: &mut dyn Iterator<Item = io::Result<Table>>,
) -> io::Result<()> {
    for (place, block) in blocks.enumerate() {
        csv::write_block(&mut *writer, &block?, place == 0)?;
    }
    Ok(())
}

/// Writes a file whole or not at all.
///
/// The bytes go to a temporary file in the same folder, which takes the path's place at the
/// end and is removed on any error. A link is followed; what is no plain file, such as a
/// device or a pipe, is written straight.
///
/// # Errors
/// A folder that does not exist, a folder or file that may not be written, or an error of
/// `write`: an output error that names the path.
///
/// # Example
/// ```
/// use bayesieve::data::write_whole;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("result.json");
/// write_whole(&path, |writer| writer.write_all(b"{}"))?;
/// assert_eq!(std::fs::read(&path)?, b"{}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> Result<()> {
    let written = match fs::metadata(path) {
        Ok(old) if old.is_dir() => {
            return Err(Error::output("this is a folder, not a file").in_file(path));
        }
        Ok(old) if old.is_file() => fs::canonicalize(path).and_then(|target| {
            // Replacing a file takes no right to write it; ask for that right all the same.
            OpenOptions::new().write(true).open(&target)?;
            replace(&target, Some(&old), write)
        }),
        Ok(_) => OpenOptions::new()
            .write(true)
            .open(path)
            .and_then(|file| write_buffered(&file, write)),
        Err(_) => replace(path, None, write),
    };
    written.map_err(|error| match error.kind() {
        // Some folders, such as those of devices, take no files.
        io::ErrorKind::NotFound if folder_of(path).is_dir() => {
            Error::output("no file can be made in this folder").in_file(path)
        }
        _ => cannot_write(error).in_file(path),
    })
}

fn cannot_write(error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::NotFound => Error::output("the folder does not exist"),
        _ => Error::output("cannot be written").with_source(error),
    }
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Writes beside the target, then puts the result in its place.
fn replace(
    target: &Path,
    old: Option<&Metadata>,
    write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> io::Result<()> {
    let folder = folder_of(target);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Those of any new file; a temporary one would be the owner's alone.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // The kind alone: the name of the temporary file would only puzzle.
    let file = builder
        .tempfile_in(folder)
        .map_err(|error| io::Error::from(error.kind()))?;
    if let Some(old) = old {
        file.as_file().set_permissions(old.permissions())?;
    }
    write_buffered(file.as_file(), write)?;
    file.persist(target).map(drop).map_err(|error| error.error)
}

fn write_buffered(
    file: &File,
    write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> io::Result<()> {
    let mut writer = BufWriter::with_capacity(64 * 1024, file);
    write(&mut writer)?;
    writer.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::data::{Column, KindOrigin, Nominal, Values};

    fn names_in(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<String> = entries
            .map(|entry| name(entry).to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    fn small_table() -> Table {
        let labels = Nominal::from_labels([Some("a\"b"), None, Some("x,y")]);
        let numbers = vec![1.5, f64::NAN, -3.0];
        Table::new(vec![
            Column::new("l", Values::Nominal(labels.clone()), KindOrigin::Text),
            Column::new(
                "m",
                Values::Nominal(labels.with_missing_value()),
                KindOrigin::Text,
            ),
            Column::new("n", Values::Numeric(numbers), KindOrigin::Numbers),
        ])
        .unwrap()
    }

    #[test]
    fn a_block_that_fails_leaves_the_file_that_was_there() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.csv", "a.csv.gz", "a.parquet"] {
            let path = folder.path().join(name);
            fs::write(&path, "before").unwrap();
            let blocks = [Ok(small_table()), Err(Error::data("a broken block"))];
            let error = write_blocks(&path, blocks, &crate::Silent).unwrap_err();
            assert_eq!(error.to_string(), "a broken block");
            assert_eq!(fs::read(&path).unwrap(), b"before", "{name}");
        }
        assert_eq!(names_in(folder.path()), ["a.csv", "a.csv.gz", "a.parquet"]);
    }

    #[test]
    fn csv_quotes_where_needed_and_leaves_missing_cells_empty() {
        let mut out = Vec::new();
        write_csv(&mut out, &small_table()).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "l,m,n\n\"a\"\"b\",\"a\"\"b\",1.5\n,,\n\"x,y\",\"x,y\",-3\n"
        );
    }

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.txt");
        let failed = write_whole(&path, |writer| {
            writer.write_all(b"half")?;
            Err(io::Error::other("no more"))
        });
        let error = failed.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Output);
        assert!(
            error
                .to_string()
                .ends_with("out.txt: cannot be written: no more")
        );
        assert!(names_in(folder.path()).is_empty());

        write_whole(&path, |writer| writer.write_all(b"whole")).unwrap();
        let again = write_whole(&path, |_| Err(io::Error::other("no")));
        assert!(again.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(names_in(folder.path()), ["out.txt"]);
    }

    #[test]
    fn what_cannot_be_written_is_an_output_error_with_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let cases = [
            (folder.path().to_owned(), "this is a folder, not a file"),
            (
                folder.path().join("no/out.csv"),
                "the folder does not exist",
            ),
        ];
        for (path, reason) in cases {
            let error = write_whole(&path, |_| Ok(())).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Output);
            assert_eq!(error.to_string(), format!("{}: {reason}", path.display()));
        }
        // What exists takes no file: the folder is not the reason.
        let error = write_whole(Path::new("/proc/out.csv"), |_| Ok(())).unwrap_err();
        #[cfg(target_os = "linux")]
        assert_eq!(
            error.to_string(),
            "/proc/out.csv: no file can be made in this folder"
        );
        assert_eq!(error.kind(), ErrorKind::Output);
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let error = write_whole(&file.join("out.csv"), |_| Ok(())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Output);
        assert_eq!(names_in(folder.path()), ["file"]);
    }

    #[test]
    fn an_unknown_extension_is_a_usage_error() {
        let error = write_table(Path::new("out.xlsx"), &small_table(), &crate::Silent).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage);
        assert_eq!(
            error.to_string(),
            "no format belongs to the name \"out.xlsx\". Let it end in .csv, .csv.gz or .parquet."
        );
    }

    #[cfg(unix)]
    #[test]
    fn devices_links_and_permissions_are_respected() {
        use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
        write_whole(Path::new("/dev/null"), |writer| writer.write_all(b"gone")).unwrap();
        assert!(
            fs::metadata("/dev/null")
                .unwrap()
                .file_type()
                .is_char_device()
        );

        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&real, &link).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        write_whole(&link, |writer| writer.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(mode(&real), 0o640);

        let (plain, whole) = (folder.path().join("plain"), folder.path().join("whole"));
        fs::write(&plain, "").unwrap();
        write_whole(&whole, |_| Ok(())).unwrap();
        assert_eq!(mode(&whole), mode(&plain));
    }
}
