use std::sync::Arc;

use ::parquet::arrow::ArrowWriter;
use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::types::Int8Type;
use arrow_array::{
    BinaryArray, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array,
    Float64Array, Int8Array, Int64Array, LargeStringArray, NullArray, RecordBatch, StringArray,
    StringViewArray, StructArray, TimestampMillisecondArray, UInt64Array,
};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::Field;
use proptest::prelude::*;

use super::super::testing::{
    assert_same_cells, cells, data_error, file, gzip, read_bytes, without_folder,
};
use super::super::{ColumnChoice, ReadOptions, read_table};
use super::*;
use crate::data::Table;
use crate::{ErrorKind, Silent};

/// Every format of this module, as a name and the bytes of a batch.
fn written(batch: &RecordBatch) -> [(&'static str, Vec<u8>); 3] {
    let schema = batch.schema();
    let mut parquet = ArrowWriter::try_new(Vec::new(), schema.clone(), None).unwrap();
    parquet.write(batch).unwrap();
    let mut ipc = FileWriter::try_new(Vec::new(), &schema).unwrap();
    ipc.write(batch).unwrap();
    let mut stream = StreamWriter::try_new(Vec::new(), &schema).unwrap();
    stream.write(batch).unwrap();
    [
        ("a.parquet", parquet.into_inner().unwrap()),
        ("a.arrow", ipc.into_inner().unwrap()),
        ("a.arrows", stream.into_inner().unwrap()),
    ]
}

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    let columns = columns.into_iter().map(|(name, array)| (name, array, true));
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

fn read_all(batch: &RecordBatch, options: &ReadOptions) -> Vec<Table> {
    let tables = written(batch).map(|(name, bytes)| read_bytes(name, &bytes, options).unwrap());
    tables.to_vec()
}

/// The message of the error that all formats must give, without the file.
fn error_of(batch: &RecordBatch, options: &ReadOptions) -> String {
    let messages = written(batch).map(|(name, bytes)| {
        let error = read_bytes(name, &bytes, options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Data, "{error}");
        let text = without_folder(&error);
        text.strip_prefix(name).unwrap().to_owned()
    });
    assert!(
        messages.iter().all(|message| *message == messages[0]),
        "{messages:?}"
    );
    messages[0].clone()
}

#[test]
fn every_plain_type_is_read() {
    let dictionary: DictionaryArray<Int8Type> = [Some("u"), None, Some("v")].into_iter().collect();
    let stamps = TimestampMillisecondArray::from(vec![Some(0), Some(1_500), None]);
    let decimals = Decimal128Array::from(vec![Some(1250), None, Some(-5)]);
    let columns: Vec<(&str, ArrayRef)> = vec![
        (
            "small",
            Arc::new(Int8Array::from(vec![Some(-1), None, Some(7)])),
        ),
        ("large", Arc::new(UInt64Array::from(vec![u64::MAX, 0, 1]))),
        (
            "float",
            Arc::new(Float64Array::from(vec![Some(0.5), Some(f64::NAN), None])),
        ),
        (
            "float32",
            Arc::new(Float32Array::from(vec![0.5, -0.25, 8.0])),
        ),
        (
            "flag",
            Arc::new(BooleanArray::from(vec![Some(true), Some(false), None])),
        ),
        (
            "text",
            Arc::new(StringArray::from(vec![Some(" b "), Some("NA"), Some("10")])),
        ),
        ("long", Arc::new(LargeStringArray::from(vec!["x", "", "y"]))),
        (
            "view",
            Arc::new(StringViewArray::from(vec!["1", "01", "2"])),
        ),
        ("dictionary", Arc::new(dictionary)),
        (
            "day",
            Arc::new(Date32Array::from(vec![Some(0), Some(31), None])),
        ),
        ("time", Arc::new(stamps)),
        (
            "price",
            Arc::new(decimals.with_precision_and_scale(6, 2).unwrap()),
        ),
        (
            "bytes",
            Arc::new(BinaryArray::from_vec(vec![b"p", b"q", b"p"])),
        ),
        ("nothing", Arc::new(NullArray::new(3))),
    ];
    for table in read_all(&batch(columns), &ReadOptions::default()) {
        let is_numeric = |name| table.column(name).unwrap().as_numeric().is_some();
        assert_eq!(cells(&table, "small"), ["-1", "-", "7"]);
        assert_eq!(cells(&table, "large"), ["18446744073709551615", "0", "1"]);
        assert_eq!(cells(&table, "float"), ["0.5", "-", "-"]);
        assert_eq!(cells(&table, "float32"), ["0.5", "-0.25", "8"]);
        assert_eq!(cells(&table, "flag"), ["true", "false", "-"]);
        assert_eq!(cells(&table, "text"), ["b", "-", "10"]);
        assert_eq!(cells(&table, "long"), ["x", "-", "y"]);
        // Typed as text, so text: two labels of equal value stay two.
        assert_eq!(cells(&table, "view"), ["1", "01", "2"]);
        assert_eq!(cells(&table, "dictionary"), ["u", "-", "v"]);
        assert_eq!(cells(&table, "day"), ["1970-01-01", "1970-02-01", "-"]);
        assert_eq!(
            cells(&table, "time"),
            ["1970-01-01T00:00:00", "1970-01-01T00:00:01.500", "-"]
        );
        assert_eq!(cells(&table, "price"), ["12.5", "-", "-0.05"]);
        assert_eq!(cells(&table, "bytes"), ["p", "q", "p"]);
        assert_eq!(cells(&table, "nothing"), ["-", "-", "-"]);
        assert!(!is_numeric("small") && is_numeric("float") && is_numeric("price"));
        assert_eq!(
            table.column("small").unwrap().origin(),
            KindOrigin::FewIntegers
        );
        assert_eq!(table.column("flag").unwrap().origin(), KindOrigin::Text);
    }
}

#[test]
fn many_batches_of_many_numbers_are_read() {
    let n = 20_000;
    let ints: Vec<i64> = (0..n).map(|i| i * 3).collect();
    let floats: Vec<f64> = (0..n).map(|i| (i % 5_000) as f64 / 4.0).collect();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("int", Arc::new(Int64Array::from(ints.clone()))),
        ("float", Arc::new(Float64Array::from(floats.clone()))),
    ];
    for table in read_all(&batch(columns), &ReadOptions::default()) {
        let ints: Vec<f64> = ints.iter().map(|&i| i as f64).collect();
        assert_eq!(table.column("int").unwrap().as_numeric(), Some(&ints[..]));
        assert_eq!(
            table.column("float").unwrap().as_numeric(),
            Some(&floats[..])
        );
    }
}

#[test]
fn options_overrule_the_types() {
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("n", Arc::new(Float64Array::from(vec![1.5, 2.0]))),
        ("s", Arc::new(StringArray::from(vec!["1", " 2.5"]))),
    ];
    let options = ReadOptions {
        nominal: ColumnChoice::Names(vec!["n".into()]),
        numeric: ColumnChoice::Names(vec!["s".into()]),
        ..ReadOptions::default()
    };
    for table in read_all(&batch(columns), &options) {
        let n = table.column("n").unwrap();
        assert_eq!((n.n_distinct(), n.origin()), (2, KindOrigin::Declared));
        assert_eq!(
            table.column("s").unwrap().as_numeric(),
            Some(&[1.0, 2.5][..])
        );
    }
}

#[test]
fn bad_cells_name_row_and_column() {
    let floats: ArrayRef = Arc::new(Float64Array::from(vec![0.5, 1.0, f64::NEG_INFINITY]));
    let infinite = ", row 3, column \"x\": \"-inf\" is an infinite number. Write a finite \
                    number, leave the cell empty, or declare the column nominal.";
    let inferred = ReadOptions::default();
    assert_eq!(
        error_of(&batch(vec![("x", floats.clone())]), &inferred),
        infinite
    );
    let declared = ReadOptions {
        numeric: ColumnChoice::Names(vec!["x".into()]),
        ..ReadOptions::default()
    };
    assert_eq!(error_of(&batch(vec![("x", floats)]), &declared), infinite);
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["1", "one"]));
    assert_eq!(
        error_of(&batch(vec![("x", texts)]), &declared),
        ", row 2, column \"x\": \"one\" is not a number, but the column is declared numeric. \
         Correct the cell, or do not declare the column numeric."
    );
}

#[test]
fn nested_types_are_refused_by_name() {
    let mut lists = ListBuilder::new(StringBuilder::new());
    lists.append_value([Some("a")]);
    let list: ArrayRef = Arc::new(lists.finish());
    let inner: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    let field = Arc::new(Field::new("inner", DataType::Int64, true));
    let record: ArrayRef = Arc::new(StructArray::from(vec![(field, inner.clone())]));
    for (name, array) in [("list", list), ("record", record)] {
        let text = error_of(
            &batch(vec![("a", inner.clone()), (name, array)]),
            &ReadOptions::default(),
        );
        let start = format!(", column \"{name}\": the type ");
        assert!(text.starts_with(&start), "{text}");
        assert!(
            text.contains("cannot be read. Leave the column out"),
            "{text}"
        );
    }
}

#[test]
fn times_in_a_place_are_read_only_by_their_distance_from_utc() {
    let times = |zone: &str| -> ArrayRef {
        Arc::new(TimestampMillisecondArray::from(vec![0]).with_timezone(zone))
    };
    for table in read_all(
        &batch(vec![("t", times("+02:00"))]),
        &ReadOptions::default(),
    ) {
        assert_eq!(cells(&table, "t"), ["1970-01-01T02:00:00+02:00"]);
    }
    let text = error_of(
        &batch(vec![("t", times("Mars/Base"))]),
        &ReadOptions::default(),
    );
    assert!(
        text.starts_with(", column \"t\": the type Timestamp"),
        "{text}"
    );
}

#[test]
fn tables_without_rows_columns_or_good_names_are_refused() {
    let none: ArrayRef = Arc::new(Int64Array::from(Vec::<i64>::new()));
    let options = ReadOptions::default();
    assert_eq!(
        error_of(&batch(vec![("a", none)]), &options),
        ": there are names, but no rows"
    );
    let one: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    let two = batch(vec![("a", one.clone()), (" a", one.clone())]);
    assert_eq!(
        error_of(&two, &options),
        ": the name \"a\" stands over columns 1 and 2. Give every column a name of its own."
    );
    assert_eq!(
        error_of(&batch(vec![("", one)]), &options),
        ": column 1 has no name. Give every column a name in the first line."
    );
    for name in ["a.parquet", "a.arrow"] {
        assert_eq!(data_error(name, b""), format!("{name}: the file is empty"));
    }
}

fn sample() -> RecordBatch {
    let texts: DictionaryArray<Int8Type> = (0..50).map(|i| ["x", "y", "z"][i % 3]).collect();
    batch(vec![
        (
            "n",
            Arc::new(Float64Array::from_iter_values((0..50).map(f64::from))),
        ),
        ("t", Arc::new(texts)),
        (
            "s",
            Arc::new(StringArray::from_iter_values(
                (0..50).map(|i| format!("label {i}")),
            )),
        ),
    ])
}

#[test]
fn files_cut_anywhere_are_refused() {
    for (name, bytes) in written(&sample()) {
        for n in (1..bytes.len()).step_by(7).chain([bytes.len() - 1]) {
            let error = read_bytes(name, &bytes[..n], &ReadOptions::default()).unwrap_err();
            assert_eq!(
                error.kind(),
                ErrorKind::Data,
                "{n} bytes of {name}: {error}"
            );
        }
    }
}

#[test]
fn gzip_around_arrow_is_unpacked_and_around_parquet_refused() {
    let [parquet, ipc, stream] = written(&sample());
    let options = ReadOptions::default();
    let plain = read_bytes(stream.0, &stream.1, &options).unwrap();
    for (name, bytes) in [ipc, stream] {
        assert_same_cells(&read_bytes(name, &gzip(&bytes), &options).unwrap(), &plain);
    }
    assert_eq!(
        data_error(parquet.0, &gzip(&parquet.1)),
        "a.parquet: the file is packed by gzip around a format that packs itself. \
         Unpack it first: gunzip."
    );
}

#[test]
fn packed_buffers_are_unpacked_and_impossible_lengths_refused() {
    let plain = sample();
    let options = IpcWriteOptions::default()
        .try_with_compression(Some(CompressionType::ZSTD))
        .unwrap();
    let schema = plain.schema();
    let mut writer = StreamWriter::try_new_with_options(Vec::new(), &schema, options).unwrap();
    writer.write(&plain).unwrap();
    let bytes = writer.into_inner().unwrap();
    let expected = read_all(&plain, &ReadOptions::default());
    let read = read_bytes("a.arrows", &bytes, &ReadOptions::default()).unwrap();
    assert_same_cells(&read, &expected[0]);
    // The 50 floats of the first column are 400 bytes, stated before the packed ones.
    let stated = 400_i64.to_le_bytes();
    let at = bytes.windows(8).position(|word| word == stated).unwrap();
    let mut wrong = bytes.clone();
    wrong[at + 6] = 0x40;
    assert_eq!(
        data_error("a.arrows", &wrong),
        "a.arrows: the file is broken: a buffer states an impossible length. \
         Copy or write it again."
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn files_with_wrong_bytes_never_panic(
        faults in proptest::collection::vec((0.0..1.0f64, any::<u8>()), 1..4),
    ) {
        for (name, mut bytes) in written(&sample()) {
            for &(place, byte) in &faults {
                let at = (place * bytes.len() as f64) as usize;
                bytes[at] = byte;
            }
            // A wrong byte inside a label is no error; all others are the data's.
            if let Err(error) = read_bytes(name, &bytes, &ReadOptions::default()) {
                prop_assert_eq!(error.kind(), ErrorKind::Data, "{}", error);
            }
        }
    }

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        for magic in [&b""[..], b"PAR1", b"ARROW1\0\0", b"\xFF\xFF\xFF\xFF"] {
            let mut content = magic.to_vec();
            content.extend(&bytes);
            content.extend(magic);
            let (_folder, path) = file("a", &content);
            let _ = read_table(&path, &ReadOptions::default(), &Silent);
        }
    }
}
