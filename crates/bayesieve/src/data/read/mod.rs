//! Tables from files: CSV, ARFF, Parquet and Arrow IPC.
//!
//! Every reader cuts its file into cells and feeds them to the same encoders, so that equal
//! content gives equal tables, whatever the format.

mod arff;
mod arrow;
mod blocks;
mod coded;
mod csv;
mod dictionary;
mod encode;
mod fault;
mod lines;
mod options;
mod sniff;
mod source;
#[cfg(test)]
mod testing;

use std::path::Path;

pub use self::arff::read_arff;
pub use self::arrow::{column_from_arrow, read_arrow, read_parquet};
pub use self::blocks::{BlockRequest, RowBlock, RowBlocks};
pub(super) use self::coded::{EXACT_INTEGERS, MOST_NOMINAL_INTEGERS};
pub use self::csv::read_csv;
pub(super) use self::dictionary::Slots;
pub use self::options::{ColumnChoice, ColumnKind, ReadOptions};
use self::source::Source;
use super::Table;
use crate::Observer;
use crate::{Error, Result};

/// Reads a table from a file of any format; `-` is standard input.
///
/// The first bytes tell the format, and where they do not, the extension: `.arff`,
/// `.parquet`, `.arrow`, `.feather` and `.ipc`, with or without `.gz`; everything else is
/// CSV.
///
/// # Errors
/// As [`read_csv`], [`read_arff`], [`read_parquet`] and [`read_arrow`], and: a file that is
/// none of these but known to be something else.
///
/// # Example
/// ```
/// use bayesieve::data::{ReadOptions, read_table};
/// use bayesieve::Silent;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("weather");
/// std::fs::write(&path, "wind\tplay\nweak\tyes\nstrong\tno\n")?;
/// let table = read_table(&path, &ReadOptions::default(), &Silent)?;
/// assert_eq!(table.names().collect::<Vec<_>>(), ["wind", "play"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_table(path: &Path, options: &ReadOptions, observer: &dyn Observer) -> Result<Table> {
    let source = Source::open(path, observer)?;
    match format_of(source.sample(), path).map_err(|error| source.blame(error))? {
        Format::Csv => csv::read(&source, options, observer),
        Format::Arff => arff::read(&source, options, observer),
        Format::Parquet => arrow::read_parquet_source(&source, options, observer),
        Format::Arrow => arrow::read_ipc_source(&source, options, observer),
    }
}

/// The formats that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Csv,
    Arff,
    Parquet,
    Arrow,
}

/// First bytes of a file of counts, which stands in for rows but holds none.
pub(crate) const COUNTS_MAGIC: &[u8; 8] = b"BSVCOUNT";

/// First bytes of formats that users take for tables, and what to do.
const OTHER_FORMATS: [(&[u8], &str, &str); 6] = [
    (
        COUNTS_MAGIC,
        "one of counts, not of rows",
        "Give it as counts in place of the data, or merge it with others.",
    ),
    (
        b"PK\x03\x04",
        "a ZIP archive, perhaps a spreadsheet",
        "Save the sheet as CSV.",
    ),
    (
        b"\x28\xB5\x2F\xFD",
        "packed by zstd",
        "Unpack it first: unzstd.",
    ),
    (b"\xFD7zXZ\0", "packed by xz", "Unpack it first: unxz."),
    (b"BZh", "packed by bzip2", "Unpack it first: bunzip2."),
    (
        b"FEA1",
        "Feather of version 1",
        "Write it as Feather of version 2 or as Parquet.",
    ),
];

fn format_of(sample: &[u8], path: &Path) -> Result<Format> {
    if sample.starts_with(b"PAR1") {
        return Ok(Format::Parquet);
    }
    if sample.starts_with(b"ARROW1") || sample.starts_with(b"\xFF\xFF\xFF\xFF") {
        return Ok(Format::Arrow);
    }
    if is_arff(sample) {
        return Ok(Format::Arff);
    }
    // "BZh" alone may start a header; a packed file is no text.
    let is_text = std::str::from_utf8(&sample[..sample.len().min(16)]).is_ok();
    let other = OTHER_FORMATS
        .iter()
        .find(|(magic, ..)| sample.starts_with(magic));
    if let Some((_, what, hint)) = other
        && (!is_text || sample.contains(&0))
    {
        return Err(Error::data(format!("the file is {what}")).with_hint(*hint));
    }
    Ok(format_by_extension(path))
}

fn format_by_extension(path: &Path) -> Format {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("arff") => Format::Arff,
        Some("parquet" | "pq") => Format::Parquet,
        Some("arrow" | "arrows" | "feather" | "ipc") => Format::Arrow,
        _ => Format::Csv,
    }
}

/// Whether the first line that is no comment declares an ARFF relation.
fn is_arff(sample: &[u8]) -> bool {
    let lines = sample.split(|&byte| byte == b'\n' || byte == b'\r');
    let mut lines = lines.map(encode::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"%"));
    first.is_some_and(|line| {
        line.get(..9)
            .is_some_and(|word| word.eq_ignore_ascii_case(b"@relation"))
    })
}

#[cfg(test)]
mod tests {
    use super::testing::{assert_same_cells, data_error, read_bytes, read_text};
    use super::*;
    use crate::Silent;
    use crate::data::{KindOrigin, write_table};

    /// A column of every kind: numbers, few whole numbers, text, flags, gaps, nothing.
    const CSV: &str = "x,few,city,flag,none,class\n\
                       1.5,0,New York,true,,b\n\
                       -2,1,\"Rome, Italy\",false,,a\n\
                       ,0,?,,,b\n\
                       1e300,,naïve,true,,a\n";

    const ARFF: &str = "@relation all\n\
                        @attribute x numeric\n@attribute few {0, 1, 2}\n@attribute city string\n\
                        @attribute flag {true, false}\n@attribute none {}\n@attribute class {b, a}\n\
                        @data\n\
                        1.5, 0, 'New York', true, ?, b\n\
                        -2, 1, 'Rome, Italy', false, ?, a\n\
                        ?, 0, ?, ?, ?, b\n\
                        1e300, ?, naïve, true, ?, a\n";

    #[test]
    fn equal_content_gives_equal_tables_in_every_format() {
        let csv = read_text("a.csv", CSV);
        assert_same_cells(&read_text("a.arff", ARFF), &csv);
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.csv", "b.csv.gz", "b.parquet"] {
            let path = folder.path().join(name);
            write_table(&path, &csv, &crate::Silent).unwrap();
            let again = read_table(&path, &ReadOptions::default(), &Silent).unwrap();
            assert_same_cells(&again, &csv);
        }
        let origins: Vec<KindOrigin> = csv.columns().iter().map(|c| c.origin()).collect();
        use KindOrigin::{FewIntegers, Numbers, Text};
        assert_eq!(origins, [Numbers, FewIntegers, Text, Text, Text, Text]);
    }

    #[test]
    fn the_content_tells_the_format_then_the_name() {
        let arff = "% note\n\n @Relation r\n@attribute a {x}\n@data\nx\n";
        for name in ["a.arff", "a.csv", "a"] {
            assert_eq!(read_text(name, arff).names().collect::<Vec<_>>(), ["a"]);
        }
        let path = |name| format_of(b"a,b\n", Path::new(name)).unwrap();
        assert_eq!(path("x/a.CSV.gz"), Format::Csv);
        assert_eq!(path("x/a.Arff.gz"), Format::Arff);
        assert_eq!(path("a.parquet"), Format::Parquet);
        assert_eq!(path("a.feather"), Format::Arrow);
        assert_eq!(path("parquet"), Format::Csv);
        let text = data_error("a.parquet", b"a,b\n1,2\n");
        let start = "a.parquet: the file is broken: Parquet error";
        assert!(text.starts_with(start), "{text}");
    }

    #[test]
    fn other_formats_are_named() {
        assert_eq!(
            data_error("a.xlsx", b"PK\x03\x04\x14\0\x06\0"),
            "a.xlsx: the file is a ZIP archive, perhaps a spreadsheet. Save the sheet as CSV."
        );
        assert_eq!(
            data_error("a.csv", b"\x28\xB5\x2F\xFD\x04\0\x11"),
            "a.csv: the file is packed by zstd. Unpack it first: unzstd."
        );
        let table = read_bytes("a.csv", b"BZh,b\n1,2\n", &ReadOptions::default()).unwrap();
        assert_eq!(table.names().next(), Some("BZh"));
    }
}
