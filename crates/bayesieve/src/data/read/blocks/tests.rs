//! Blocks put together again are the table that the whole file gives.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::parquet::arrow::ArrowWriter;
use ::parquet::file::properties::WriterProperties;
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int64Array, RecordBatch, StringArray,
};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use tempfile::TempDir;

use super::*;
use crate::ErrorKind;
use crate::Silent;
use crate::data::{Column, Values, read_table};

/// The texts of a column's cells; numbers as they print.
fn cells(column: &Column) -> Vec<Option<String>> {
    match column.values() {
        Values::Nominal(nominal) => {
            let label = |code: u32| nominal.domain.labels()[code as usize].clone();
            nominal.codes.iter().map(|code| code.map(label)).collect()
        }
        Values::Numeric(numbers) => {
            let text = |x: &f64| (!x.is_nan()).then(|| x.to_string());
            numbers.iter().map(text).collect()
        }
    }
}

/// Opens with the smallest blocks there are: 1,024 rows.
fn open(path: &Path) -> RowBlocks {
    RowBlocks::open(path, &ReadOptions::default(), 0, &Silent).unwrap()
}

/// All cells of some columns, read in blocks behind the first ones.
fn read(
    blocks: &RowBlocks,
    columns: &[usize],
    kinds: &[Option<ColumnKind>],
    n_skipped: usize,
) -> Result<Vec<Vec<Option<String>>>> {
    let mut all = vec![Vec::new(); columns.len()];
    let request = BlockRequest {
        columns,
        kinds,
        n_skipped,
    };
    blocks.read(request, &Silent, &mut |block| {
        assert!(block.table.n_rows() <= 1_024);
        for (all, column) in all.iter_mut().zip(block.table.columns()) {
            all.extend(cells(column));
        }
        Ok(())
    })?;
    Ok(all)
}

/// Rows with text, blanks around it, gaps of all sorts, few and many numbers, flags.
fn batch(first: usize, n_rows: usize) -> RecordBatch {
    let rows = || first..first + n_rows;
    let text = |row: usize| match row % 5 {
        0 => Some("red"),
        1 => Some(" blue "),
        2 => Some("?"),
        3 => None,
        _ => Some("green, light"),
    };
    let texts: StringArray = rows().map(text).collect();
    let pointed: DictionaryArray<Int32Type> =
        rows().map(|row| Some(["a", "b"][row / 3 % 2])).collect();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("text", Arc::new(texts)),
        ("pointed", Arc::new(pointed)),
        (
            "few",
            Arc::new(
                rows()
                    .map(|row| Some((row * row % 7) as i64))
                    .collect::<Int64Array>(),
            ),
        ),
        (
            "many",
            Arc::new(
                rows()
                    .map(|row| (row % 11 > 0).then_some(row as i64 * 3))
                    .collect::<Int64Array>(),
            ),
        ),
        (
            "x",
            Arc::new(
                rows()
                    .map(|row| Some(row as f64 / 8.0))
                    .collect::<Float64Array>(),
            ),
        ),
        (
            "flag",
            Arc::new(
                rows()
                    .map(|row| Some(row % 2 == 0))
                    .collect::<BooleanArray>(),
            ),
        ),
        (
            "class",
            Arc::new(
                rows()
                    .map(|row| Some(["no", "yes"][row % 3 / 2]))
                    .collect::<StringArray>(),
            ),
        ),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

/// The same rows in every format, cut in different ways.
fn files(folder: &TempDir) -> Vec<PathBuf> {
    let path = |name: &str| folder.path().join(name);
    // Row groups of many sizes, one empty.
    let groups = [10, 20, 3_000, 0, 1_024, 5, 441];
    let mut batches = Vec::new();
    let mut first = 0;
    for n_rows in groups {
        batches.push(batch(first, n_rows));
        first += n_rows;
    }
    for (name, with_dictionary) in [("a.parquet", true), ("b.parquet", false)] {
        let properties = WriterProperties::builder().set_dictionary_enabled(with_dictionary);
        let file = File::create(path(name)).unwrap();
        let properties = Some(properties.build());
        let mut writer = ArrowWriter::try_new(file, batches[0].schema(), properties).unwrap();
        for batch in &batches {
            writer.write(batch).unwrap();
            writer.flush().unwrap();
        }
        writer.close().unwrap();
    }
    let file = |name: &str| File::create(path(name)).unwrap();
    let mut writer = StreamWriter::try_new(file("b.arrows"), &batches[0].schema()).unwrap();
    for batch in &batches {
        writer.write(batch).unwrap();
    }
    writer.finish().unwrap();
    // A file has one dictionary for all batches.
    let whole = batch(0, first);
    let mut writer = FileWriter::try_new(file("a.arrow"), &whole.schema()).unwrap();
    writer.write(&whole).unwrap();
    writer.finish().unwrap();
    let table = read_table(&path("a.parquet"), &ReadOptions::default(), &Silent).unwrap();
    for name in ["a.csv", "a.csv.gz"] {
        crate::data::write_table(&path(name), &table, &Silent).unwrap();
    }
    let names = [
        "a.parquet",
        "b.parquet",
        "a.arrow",
        "b.arrows",
        "a.csv",
        "a.csv.gz",
    ];
    names.map(path).to_vec()
}

#[test]
fn blocks_put_together_are_the_whole_table() {
    let folder = tempfile::tempdir().unwrap();
    for path in files(&folder) {
        let whole = read_table(&path, &ReadOptions::default(), &Silent).unwrap();
        let expected: Vec<_> = whole.columns().iter().map(|column| cells(column)).collect();
        let kinds: Vec<Option<ColumnKind>> = whole
            .columns()
            .iter()
            .map(|column| match column.values() {
                Values::Nominal(_) => Some(ColumnKind::Nominal),
                Values::Numeric(_) => Some(ColumnKind::Numeric),
            })
            .collect();
        let blocks = open(&path);
        let columns: Vec<usize> = (0..whole.columns().len()).collect();
        assert_eq!(
            read(&blocks, &columns, &kinds, 0).unwrap(),
            expected,
            "{path:?}"
        );
        // Some columns, with the kinds that their cells suggest.
        let some = read(&blocks, &[0, 3], &[None; 2], 0).unwrap();
        assert_eq!(some, [expected[0].clone(), expected[3].clone()], "{path:?}");
        if let Some(n_rows) = blocks.n_rows() {
            assert_eq!(n_rows, whole.n_rows() as u64);
        }
    }
}

#[test]
fn blocks_at_the_start_can_be_left_out() {
    let folder = tempfile::tempdir().unwrap();
    for path in files(&folder) {
        let blocks = open(&path);
        let mut starts = vec![0];
        let request = BlockRequest {
            columns: &[4],
            kinds: &[None],
            n_skipped: 0,
        };
        blocks
            .read(request, &Silent, &mut |block| {
                starts.push(starts[starts.len() - 1] + block.table.n_rows());
                Ok(())
            })
            .unwrap();
        assert!(starts.len() >= 6, "{starts:?}");
        let all = read(&blocks, &[4], &[None], 0).unwrap();
        for (n_skipped, &start) in starts.iter().enumerate() {
            let rest = read(&blocks, &[4], &[None], n_skipped).unwrap();
            assert_eq!(rest[0], all[0][start..], "{path:?} behind {n_skipped}");
        }
    }
}

#[test]
fn a_fault_is_told_with_its_place_in_the_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    let mut text = "x,class\n".to_owned();
    for row in 0..3_000 {
        text += &format!(
            "{},{}\n",
            if row == 2_500 { "1e999" } else { "1.5" },
            row % 2
        );
    }
    std::fs::write(&path, text).unwrap();
    let error = read(&open(&path), &[0, 1], &[None; 2], 0).unwrap_err();
    let text = error.to_string();
    // The header is line 1, so row 2,500 from 0 on is line 2,502.
    assert!(
        text.contains("line 2502") && text.contains("column \"x\""),
        "{text}"
    );

    let path = folder.path().join("a.parquet");
    let x: Float64Array = (0..3_000)
        .map(|row| Some(if row == 2_500 { f64::INFINITY } else { 1.5 }))
        .collect();
    let batch = RecordBatch::try_from_iter([("x", Arc::new(x) as ArrayRef)]).unwrap();
    let file = File::create(&path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let text = read(&open(&path), &[0], &[None], 0)
        .unwrap_err()
        .to_string();
    assert!(
        text.contains("row 2501") && text.contains("column \"x\""),
        "{text}"
    );
}

#[test]
fn files_that_are_empty_broken_or_cut_short_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for path in files(&folder) {
        let bytes = std::fs::read(&path).unwrap();
        let n = bytes.len();
        for cut in [0, 1, 9, n / 4, n / 2, n - 9] {
            std::fs::write(&path, &bytes[..cut]).unwrap();
            let opened = RowBlocks::open(&path, &ReadOptions::default(), 0, &Silent);
            let n_columns = opened.as_ref().map_or(0, |blocks| blocks.names().len());
            let columns: Vec<usize> = (0..n_columns).collect();
            let kinds = vec![None; n_columns];
            let done = opened.and_then(|blocks| read(&blocks, &columns, &kinds, 0));
            let is_text = path.extension().is_some_and(|extension| extension == "csv");
            match done {
                // A text that is cut in a row is a shorter text.
                Ok(_) => assert!(is_text, "{path:?} cut at {cut}"),
                Err(error) => assert_eq!(error.kind(), ErrorKind::Data, "{error}"),
            }
        }
    }
}

#[test]
fn text_after_many_numbers_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    let mut text = "x,class\n".to_owned();
    // More numbers than keep their texts, then a word, all in one block.
    for row in 0..6_000 {
        text += &format!("{row},{}\n", row % 2);
    }
    text += "word,1\n";
    std::fs::write(&path, text).unwrap();
    let blocks = RowBlocks::open(&path, &ReadOptions::default(), 1 << 20, &Silent).unwrap();
    let mut unclear = Vec::new();
    let request = BlockRequest {
        columns: &[0, 1],
        kinds: &[None; 2],
        n_skipped: 0,
    };
    blocks
        .read(request, &Silent, &mut |block| {
            unclear.extend(block.unclear);
            Ok(())
        })
        .unwrap();
    assert_eq!(unclear, ["x"]);
    let as_text = BlockRequest {
        kinds: &[Some(ColumnKind::Nominal), None],
        ..request
    };
    let mut n_labels = 0;
    blocks
        .read(as_text, &Silent, &mut |block| {
            n_labels = block.table.columns()[0].n_distinct();
            Ok(())
        })
        .unwrap();
    assert_eq!(n_labels, 6_001);
}

#[test]
fn a_file_may_be_read_while_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    for path in files(&folder) {
        let blocks = open(&path);
        let all = read(&blocks, &[4], &[None], 0).unwrap();
        let mut outer = Vec::new();
        let request = BlockRequest {
            columns: &[4],
            kinds: &[None],
            n_skipped: 0,
        };
        let done = blocks.read(request, &Silent, &mut |block| {
            outer.extend(cells(&block.table.columns()[0]));
            assert_eq!(read(&blocks, &[4], &[None], 0)?, all, "{path:?}");
            Ok(())
        });
        done.unwrap();
        assert_eq!(outer, all[0], "{path:?}");
    }
}
