//! Tables as Parquet.

use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Float64Array, Int32Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use crate::data::{Column, Table, Values};

/// Rows that are handed over at a time.
const ROWS_PER_BATCH: usize = 65_536;

/// Writes every block as a row group.
pub(super) fn write_blocks(
    writer: &mut (dyn Write + Send),
    blocks: &mut dyn Iterator<Item = io::Result<Table>>,
) -> io::Result<()> {
    let Some(first) = blocks.next().transpose()? else {
        return Err(io::Error::other("there are no rows"));
    };
    let fields: Vec<Field> = first.columns().iter().map(|column| field(column)).collect();
    let schema = Arc::new(Schema::new(fields));
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .build();
    let mut out = ArrowWriter::try_new(writer, Arc::clone(&schema), Some(properties))
        .map_err(io::Error::other)?;
    for block in std::iter::once(Ok(first)).chain(blocks) {
        parquet_rows(&mut out, &schema, &block?)?;
    }
    out.close().map(drop).map_err(io::Error::other)
}

/// Writes one row group.
fn parquet_rows(
    out: &mut ArrowWriter<&mut (dyn Write + Send)>,
    schema: &Arc<Schema>,
    table: &Table,
) -> io::Result<()> {
    let columns = table.columns();
    let labels: Vec<Option<ArrayRef>> = columns.iter().map(|column| labels(column)).collect();
    for start in (0..table.n_rows()).step_by(ROWS_PER_BATCH) {
        let end = table.n_rows().min(start + ROWS_PER_BATCH);
        let arrays: std::result::Result<Vec<ArrayRef>, ArrowError> = columns
            .iter()
            .zip(&labels)
            .map(|(column, labels)| array(column, labels.as_ref(), start..end))
            .collect();
        let batch = arrays.and_then(|arrays| RecordBatch::try_new(Arc::clone(schema), arrays));
        out.write(&batch.map_err(io::Error::other)?)
            .map_err(io::Error::other)?;
    }
    out.flush().map_err(io::Error::other)
}

/// The labels of a nominal column as one array, shared by all of its batches.
fn labels(column: &Column) -> Option<ArrayRef> {
    let nominal = column.as_nominal()?;
    Some(Arc::new(StringArray::from_iter_values(
        nominal.domain.labels(),
    )))
}

fn field(column: &Column) -> Field {
    let data_type = match column.values() {
        Values::Nominal(_) => {
            DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
        }
        Values::Numeric(_) => DataType::Float64,
    };
    Field::new(column.name(), data_type, true)
}

/// The cells of some rows.
fn array(
    column: &Column,
    labels: Option<&ArrayRef>,
    rows: Range<usize>,
) -> std::result::Result<ArrayRef, ArrowError> {
    match (column.values(), labels) {
        (Values::Nominal(nominal), Some(labels)) => {
            let n_labels = nominal.domain.labels().len() as u32;
            let key = |row| nominal.codes.get(row).filter(|&code| code < n_labels);
            let keys = rows.map(|row| key(row).map(|code| code as i32));
            let keys: Int32Array = keys.collect();
            let cells = DictionaryArray::<Int32Type>::try_new(keys, Arc::clone(labels))?;
            Ok(Arc::new(cells))
        }
        (Values::Numeric(numbers), _) => {
            let cells = numbers[rows]
                .iter()
                .map(|&x| Some(x).filter(|x| !x.is_nan()));
            Ok(Arc::new(cells.collect::<Float64Array>()))
        }
        (Values::Nominal(_), None) => Err(ArrowError::InvalidArgumentError(
            "a nominal column without labels".into(),
        )),
    }
}
