//! What the tests of the readers share.

use std::path::{Path, PathBuf};

use super::{ReadOptions, read_table};
use crate::Silent;
use crate::data::{Table, Values, format_number};
use crate::{Error, ErrorKind, Result};

/// Writes a file into a folder of its own and reads it back.
pub(super) fn read_bytes(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Table> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    read_table(&path, options, &Silent)
}

/// Reads text without any options.
pub(super) fn read_text(name: &str, text: &str) -> Table {
    read_bytes(name, text.as_bytes(), &ReadOptions::default()).unwrap()
}

/// The message of the data error that a file must give, without the folder.
pub(super) fn data_error(name: &str, bytes: &[u8]) -> String {
    let error = read_bytes(name, bytes, &ReadOptions::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Data, "{error}");
    without_folder(&error)
}

/// The message from the file's name on.
pub(super) fn without_folder(error: &Error) -> String {
    let text = error.to_string();
    let folder = text
        .split(['/', '\\'])
        .take_while(|part| !part.contains(": "));
    let n: usize = folder.map(|part| part.len() + 1).sum();
    text[n.min(text.len())..].to_owned()
}

/// The cells of a column as text, "-" where missing.
pub(super) fn cells(table: &Table, name: &str) -> Vec<String> {
    let column = table.column(name).unwrap();
    match column.values() {
        Values::Nominal(nominal) => {
            let label = |code: Option<u32>| code.and_then(|code| nominal.domain.label(code));
            let codes = nominal.codes.iter();
            codes
                .map(|code| label(code).unwrap_or("-").to_owned())
                .collect()
        }
        Values::Numeric(numbers) => numbers
            .iter()
            .map(|&x| {
                if x.is_nan() {
                    "-".into()
                } else {
                    format_number(x)
                }
            })
            .collect(),
    }
}

/// Whether two tables hold the same names and cells; why a column has its kind may differ.
pub(super) fn assert_same_cells(left: &Table, right: &Table) {
    let names = |table: &Table| table.names().map(String::from).collect::<Vec<_>>();
    assert_eq!(names(left), names(right));
    for (a, b) in left.columns().iter().zip(right.columns()) {
        assert_eq!(a.as_nominal(), b.as_nominal(), "column {}", a.name());
        let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(
            a.as_numeric().map(bits),
            b.as_numeric().map(bits),
            "column {}",
            a.name()
        );
    }
}

/// A file in a folder that lives as long as the first part.
pub(super) fn file(name: &str, bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

/// The bytes packed by gzip.
pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

/// Reads a path without any options and gives the error's kind and message.
pub(super) fn path_error(path: &Path) -> (ErrorKind, String) {
    let error = read_table(path, &ReadOptions::default(), &Silent).unwrap_err();
    (error.kind(), without_folder(&error))
}
