use std::sync::Arc;

use ::parquet::arrow::ArrowWriter;
use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::types::ArrowDictionaryKeyType;
use arrow_array::{
    Array, BinaryArray, BooleanArray, Date32Array, Decimal128Array, DictionaryArray,
    DurationSecondArray, Float32Array, Float64Array, Int8Array, Int16Array, Int32Array, Int64Array,
    LargeStringArray, NullArray, PrimitiveArray, RecordBatch, StringArray, StringViewArray,
    Time32SecondArray, TimestampSecondArray, UInt8Array, UInt16Array, UInt32Array, UInt64Array,
};
use proptest::prelude::*;

use super::super::super::encode::{Encoder, Wanted};
use super::super::super::options::Missing;
use super::super::super::testing::{cells, read_bytes};
use super::super::super::{ColumnChoice, ReadOptions};
use super::super::{Feed, finish_column, push_array};
use super::*;
use crate::data::{Codes, Nominal, Table, write_table};
use crate::{ErrorKind, Silent};

const KINDS: [Option<ColumnKind>; 3] = [None, Some(ColumnKind::Nominal), Some(ColumnKind::Numeric)];

/// The way of the readers: everything cast to three types, cell by cell into an encoder.
fn plain(chunks: &[ArrayRef], kind: Option<ColumnKind>) -> Result<Column> {
    let data_type = chunks[0].data_type();
    let feed = Feed::of(data_type).unwrap();
    let otherwise = match data_type {
        DataType::Dictionary(..) => Wanted::Nominal(KindOrigin::Declared),
        _ => feed.wanted(),
    };
    let missing = Missing::new(&[]);
    let mut encoder = Encoder::new(&missing, Wanted::declared_or(kind, otherwise));
    let mut row = 0;
    for chunk in chunks {
        push_array(&mut encoder, feed, chunk, row).map_err(|error| error.in_column("x"))?;
        row += chunk.len() as u64;
    }
    finish_column(encoder, "x")
}

/// What a file of the same content gives.
fn from_parquet(chunks: &[ArrayRef], kind: Option<ColumnKind>) -> Result<Column> {
    let batches: Vec<RecordBatch> = chunks
        .iter()
        .map(|chunk| {
            RecordBatch::try_from_iter_with_nullable([("x", chunk.clone(), true)]).unwrap()
        })
        .collect();
    let mut writer = ArrowWriter::try_new(Vec::new(), batches[0].schema(), None).unwrap();
    batches
        .iter()
        .for_each(|batch| writer.write(batch).unwrap());
    let is_dictionary = matches!(chunks[0].data_type(), DataType::Dictionary(..));
    let choice = |is_chosen: bool| {
        if is_chosen {
            ColumnChoice::Names(vec!["x".into()])
        } else {
            ColumnChoice::None
        }
    };
    let options = ReadOptions {
        missing: Vec::new(),
        nominal: choice(kind == Some(ColumnKind::Nominal) || is_dictionary && kind.is_none()),
        numeric: choice(kind == Some(ColumnKind::Numeric)),
        ..ReadOptions::default()
    };
    let table = read_bytes("a.parquet", &writer.into_inner().unwrap(), &options)?;
    Ok(table.column("x").unwrap().clone())
}

/// Equal in all but the sign of zero and the bits of NaN.
fn assert_same(left: &Column, right: &Column) {
    assert_eq!(left.as_nominal(), right.as_nominal());
    let bits = |column: &Column| {
        let canonical = |x: &f64| if x.is_nan() { 1 } else { (x + 0.0).to_bits() };
        column
            .as_numeric()
            .map(|x| x.iter().map(canonical).collect::<Vec<_>>())
    };
    assert_eq!(bits(left), bits(right));
    assert_eq!(left.origin(), right.origin());
}

/// The same column or the same refusal, as the plain way and as from a file.
fn assert_as_plain(chunks: &[ArrayRef]) {
    let n_rows: usize = chunks.iter().map(|chunk| chunk.len()).sum();
    // The one type here that the Parquet library cannot read back.
    let is_for_files = !matches!(chunks[0].data_type(), DataType::Dictionary(_, values)
        if **values == DataType::Float16);
    for kind in KINDS {
        match (column_from_arrow("x", chunks, kind), plain(chunks, kind)) {
            (Ok(column), Ok(expected)) => {
                assert_same(&column, &expected);
                if n_rows > 0 && is_for_files {
                    assert_same(&column, &from_parquet(chunks, kind).unwrap());
                }
            }
            (Err(error), Err(expected)) => {
                assert_eq!(error.to_string(), expected.to_string());
                assert!(from_parquet(chunks, kind).is_err());
            }
            (ours, expected) => panic!("{kind:?}: {ours:?} and {expected:?}"),
        }
    }
}

type Build<V> = fn(&[Option<V>]) -> ArrayRef;

/// An array of integers cut to the type.
macro_rules! whole {
    ($($array:ty: $native:ty),*) => {[$(
        |cells| Arc::new(cells.iter().map(|x| x.map(|x| x as $native)).collect::<$array>()) as _
    ),*]};
}

const WHOLE: [Build<i64>; 8] = whole!(
    Int8Array: i8, Int16Array: i16, Int32Array: i32, Int64Array: i64,
    UInt8Array: u8, UInt16Array: u16, UInt32Array: u32, UInt64Array: u64
);

const FLOATS: [Build<f64>; 3] = [
    |cells| Arc::new(cells.iter().copied().collect::<Float64Array>()),
    |cells| {
        Arc::new(
            cells
                .iter()
                .map(|x| x.map(|x| x as f32))
                .collect::<Float32Array>(),
        )
    },
    |cells| {
        let wide: ArrayRef = Arc::new(cells.iter().copied().collect::<Float64Array>());
        cast(&wide, &DataType::Float16).unwrap()
    },
];

const TEXTS: [Build<&str>; 3] = [
    |cells| Arc::new(cells.iter().copied().collect::<StringArray>()),
    |cells| Arc::new(cells.iter().copied().collect::<LargeStringArray>()),
    |cells| Arc::new(cells.iter().copied().collect::<StringViewArray>()),
];

fn dictionary<K: ArrowDictionaryKeyType>(keys: &ArrayRef, values: &ArrayRef) -> ArrayRef {
    let keys: PrimitiveArray<K> = keys.as_primitive::<K>().clone();
    Arc::new(DictionaryArray::try_new(keys, values.clone()).unwrap())
}

const DICTIONARIES: [fn(&ArrayRef, &ArrayRef) -> ArrayRef; 8] = [
    dictionary::<Int8Type>,
    dictionary::<Int16Type>,
    dictionary::<Int32Type>,
    dictionary::<Int64Type>,
    dictionary::<UInt8Type>,
    dictionary::<UInt16Type>,
    dictionary::<UInt32Type>,
    dictionary::<UInt64Type>,
];

/// Chunks of places in a palette, and how many cells each is cut by at its start.
#[derive(Debug, Clone)]
struct Places {
    chunks: Vec<Vec<Option<usize>>>,
    n_cut: usize,
}

impl Places {
    fn any() -> impl Strategy<Value = Places> {
        let cell = prop_oneof![9 => (0..1_000usize).prop_map(Some), 1 => Just(None)];
        let whole_cell = (0..1_000usize).prop_map(Some);
        let chunk = prop_oneof![
            proptest::collection::vec(cell, 0..60),
            proptest::collection::vec(whole_cell, 0..60),
        ];
        (proptest::collection::vec(chunk, 1..4), 0..3usize)
            .prop_map(|(chunks, n_cut)| Places { chunks, n_cut })
    }

    /// The arrays of one palette, with offsets.
    fn arrays<V: Copy>(&self, palette: &[Option<V>], build: Build<V>) -> Vec<ArrayRef> {
        let cell = |place: &Option<usize>| palette[(*place)? % palette.len()];
        let array = |chunk: &Vec<_>| build(&chunk.iter().map(cell).collect::<Vec<_>>());
        self.chunks
            .iter()
            .map(array)
            .map(|array| self.cut(&array))
            .collect()
    }

    /// Dictionary arrays whose dictionaries hold the palette in another order each.
    fn dictionaries<V: Copy>(
        &self,
        palette: &[Option<V>],
        build: Build<V>,
        key: usize,
    ) -> Vec<ArrayRef> {
        let mut palette = palette.to_vec();
        let array = |chunk: &Vec<Option<usize>>| {
            palette.rotate_left(1);
            let keys: Vec<Option<i64>> = chunk
                .iter()
                .map(|place| place.map(|place| (place % palette.len()) as i64))
                .collect();
            DICTIONARIES[key](&WHOLE[key](&keys), &build(&palette))
        };
        let arrays: Vec<ArrayRef> = self.chunks.iter().map(array).collect();
        arrays.iter().map(|array| self.cut(array)).collect()
    }

    fn cut(&self, array: &ArrayRef) -> ArrayRef {
        let n_cut = self.n_cut.min(array.len());
        array.slice(n_cut, array.len() - n_cut)
    }
}

/// Few or many numbers, near to each other or apart, some entries null.
fn whole_palette() -> impl Strategy<Value = Vec<Option<i64>>> {
    let number = |range: std::ops::Range<i64>| proptest::option::weighted(0.9, range);
    let any = proptest::option::weighted(0.9, any::<i64>());
    prop_oneof![
        proptest::collection::vec(number(-2..3), 1..6),
        proptest::collection::vec(number(-30..31), 1..60),
        proptest::collection::vec(number(i64::MAX - 9..i64::MAX), 1..30),
        proptest::collection::vec(any, 1..60),
    ]
}

fn float_palette() -> impl Strategy<Value = Vec<Option<f64>>> {
    let odd = prop_oneof![
        Just(-0.0),
        Just(f64::NAN),
        Just(1e16),
        Just(1e300),
        Just(0.1)
    ];
    let infinite =
        prop_oneof![20 => Just(-0.0), 1 => Just(f64::INFINITY), 1 => Just(f64::NEG_INFINITY)];
    let whole = (-30..31i32).prop_map(f64::from);
    let whole_or_odd = prop_oneof![9 => whole.clone(), 1 => odd, 1 => infinite];
    prop_oneof![
        proptest::collection::vec(proptest::option::weighted(0.9, whole), 1..40),
        proptest::collection::vec(proptest::option::weighted(0.9, whole_or_odd), 1..40),
        proptest::collection::vec(proptest::option::weighted(0.9, any::<f64>()), 1..40),
    ]
}

const WORDS: [&str; 9] = [
    "a",
    "b",
    "",
    "10",
    "9",
    "naïve",
    "a long label",
    "a long labeL",
    "no",
];

fn text_palette() -> impl Strategy<Value = Vec<Option<&'static str>>> {
    let word = proptest::option::weighted(0.9, 0..WORDS.len());
    proptest::collection::vec(word.prop_map(|place| place.map(|place| WORDS[place])), 1..9)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn integers_are_as_from_files(places in Places::any(), palette in whole_palette()) {
        for build in WHOLE {
            assert_as_plain(&places.arrays(&palette, build));
        }
    }

    #[test]
    fn floats_are_as_from_files(places in Places::any(), palette in float_palette()) {
        for build in FLOATS {
            assert_as_plain(&places.arrays(&palette, build));
        }
    }

    #[test]
    fn decimals_are_as_from_files(places in Places::any(), palette in whole_palette()) {
        for scale in [0, 2] {
            let decimals = |array: ArrayRef| -> ArrayRef {
                let numbers = array.as_primitive::<Int64Type>().iter();
                let array: Decimal128Array = numbers.map(|x| x.map(i128::from)).collect();
                Arc::new(array.with_precision_and_scale(30, scale).unwrap())
            };
            let arrays = places.arrays(&palette, WHOLE[3]).into_iter().map(decimals);
            assert_as_plain(&arrays.collect::<Vec<_>>());
        }
    }

    #[test]
    fn dictionaries_of_integers_are_as_from_files(
        places in Places::any(),
        palette in whole_palette(),
        key in 0..8usize,
    ) {
        for build in WHOLE {
            assert_as_plain(&places.dictionaries(&palette, build, key));
        }
    }

    #[test]
    fn dictionaries_of_floats_are_as_from_files(
        places in Places::any(),
        palette in float_palette(),
        key in 0..8usize,
    ) {
        for build in FLOATS {
            assert_as_plain(&places.dictionaries(&palette, build, key));
        }
    }

    #[test]
    fn texts_are_the_labels_that_occur(
        places in Places::any(),
        palette in text_palette(),
        key in 0..8usize,
    ) {
        let cell = |place: &Option<usize>| palette[(*place)? % palette.len()];
        let rows = places.chunks.iter().flat_map(|chunk| chunk.iter().skip(places.n_cut));
        let expected = Nominal::from_labels(rows.map(cell));
        for build in TEXTS {
            let arrays = places.arrays(&palette, build);
            let column = column_from_arrow("x", &arrays, None).unwrap();
            prop_assert_eq!(column.as_nominal(), Some(&expected));
            prop_assert_eq!(column.origin(), KindOrigin::Text);
            let arrays = places.dictionaries(&palette, build, key);
            assert_same(
                &column_from_arrow("x", &arrays, None).unwrap(),
                &plain(&arrays, None).unwrap(),
            );
        }
    }

    #[test]
    fn booleans_are_labels(places in Places::any(), palette in proptest::collection::vec(any::<bool>(), 1..3)) {
        let palette: Vec<Option<bool>> = palette.into_iter().map(Some).collect();
        let build: Build<bool> = |cells| Arc::new(cells.iter().copied().collect::<BooleanArray>());
        for arrays in [places.arrays(&palette, build), places.dictionaries(&palette, build, 0)] {
            for kind in [None, Some(ColumnKind::Nominal)] {
                let column = column_from_arrow("x", &arrays, kind).unwrap();
                assert_same(&column, &plain(&arrays, kind).unwrap());
            }
        }
    }

    #[test]
    fn numbers_are_as_from_csv(places in Places::any(), palette in float_palette()) {
        let arrays = places.arrays(&palette, FLOATS[0]);
        let Ok(column) = column_from_arrow("x", &arrays, None) else { return Ok(()) };
        prop_assume!(!column.is_empty());
        let rows = (0..column.len()).map(|row| row as f64 + 0.5).collect();
        let rows = Column::new("row", Values::Numeric(rows), KindOrigin::Numbers);
        let table = Table::new(vec![rows, column.clone()]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        write_table(&path, &table, &Silent).unwrap();
        let again = super::super::super::read_table(&path, &ReadOptions::default(), &Silent);
        assert_same(again.unwrap().column("x").unwrap(), &column);
    }
}

fn array(cells: impl Array + 'static) -> ArrayRef {
    Arc::new(cells)
}

fn message(array: ArrayRef, kind: Option<ColumnKind>) -> String {
    let error = column_from_arrow("x", &[array], kind).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Data, "{error}");
    error.to_string()
}

fn labels(array: ArrayRef, kind: Option<ColumnKind>) -> Vec<String> {
    let column = column_from_arrow("x", &[array], kind).unwrap();
    cells(&Table::new(vec![column]).unwrap(), "x")
}

#[test]
fn every_text_is_a_label_as_it_stands() {
    let texts = vec![
        Some(" a"),
        Some("a"),
        Some(""),
        Some("NA"),
        Some("a\0"),
        None,
        Some("NaN"),
    ];
    let expected = [" a", "a", "", "NA", "a\0", "-", "NaN"];
    for build in TEXTS {
        assert_eq!(labels(build(&texts), None), expected);
        assert_eq!(labels(build(&texts), Some(ColumnKind::Nominal)), expected);
    }
}

#[test]
fn more_labels_than_a_byte_holds_get_wider_codes() {
    for n in [255, 256, 65_535, 65_536] {
        let keys: ArrayRef = array(Int32Array::from_iter_values((0..n).rev()));
        let values: ArrayRef = array(Int64Array::from_iter_values((0..n).map(i64::from)));
        let cells = [
            (dictionary::<Int32Type>(&keys, &values), None),
            (values.clone(), Some(ColumnKind::Nominal)),
            (cast(&values, &DataType::Utf8).unwrap(), None),
            // Too far apart for a table.
            (
                array(Int64Array::from_iter_values(
                    (0..n).map(|x| i64::from(x) << 20),
                )),
                Some(ColumnKind::Nominal),
            ),
        ];
        for (array, kind) in cells {
            let column = column_from_arrow("x", &[array], kind).unwrap();
            let nominal = column.as_nominal().unwrap();
            assert_eq!(nominal.domain.n_values(), n as usize);
            let is_expected = matches!(
                (&nominal.codes, n),
                (Codes::U8(_), 255) | (Codes::U16(_), 256 | 65_535) | (Codes::U32(_), 65_536)
            );
            assert!(is_expected, "{n} labels");
            assert_eq!(nominal.counts(), vec![1; n as usize]);
        }
    }
}

#[test]
fn twenty_whole_numbers_are_labels_and_one_more_makes_them_numbers() {
    for step in [1, 100_000] {
        for n in [20, 21] {
            let numbers = || (0..200).map(|i| (i % n) * step);
            let whole = array(Int64Array::from_iter_values(numbers()));
            let floats = array(Float64Array::from_iter_values(numbers().map(|x| x as f64)));
            for array in [whole, floats] {
                let column = column_from_arrow("x", &[array], None).unwrap();
                assert_eq!(
                    column.as_nominal().is_some(),
                    n == 20,
                    "{n} numbers, step {step}"
                );
            }
        }
    }
}

#[test]
fn columns_without_a_value_are_nominal_unless_declared_numeric() {
    let arrays = [
        array(NullArray::new(3)),
        array(Float64Array::from(vec![None, Some(f64::NAN), None])),
        array(Int8Array::from(vec![None; 3])),
        array(StringArray::from(vec![None::<&str>; 3])),
        array(BooleanArray::from(vec![None; 3])),
        dictionary::<Int8Type>(
            &array(Int8Array::from(vec![None; 3])),
            &array(StringArray::from(vec!["a"])),
        ),
    ];
    for array in arrays {
        for kind in KINDS {
            let column = column_from_arrow("x", std::slice::from_ref(&array), kind).unwrap();
            assert_eq!((column.len(), column.n_missing()), (3, 3));
            assert_eq!(
                column.as_numeric().is_some(),
                kind == Some(ColumnKind::Numeric)
            );
        }
    }
    assert!(column_from_arrow("x", &[], None).unwrap().is_empty());
}

#[test]
fn infinite_numbers_are_refused_in_numeric_columns_and_labels_in_nominal_ones() {
    let floats = array(Float64Array::from(vec![
        Some(0.5),
        None,
        Some(f64::NEG_INFINITY),
    ]));
    let expected = "row 3, column \"x\": \"-inf\" is an infinite number. Write a finite number, \
                    leave the cell empty, or declare the column nominal.";
    assert_eq!(message(floats.clone(), None), expected);
    assert_eq!(message(floats.clone(), Some(ColumnKind::Numeric)), expected);
    assert_eq!(
        labels(floats.clone(), Some(ColumnKind::Nominal)),
        ["0.5", "-", "-inf"]
    );
    let keys = array(Int8Array::from(vec![0, 1, 2]));
    let pointers = dictionary::<Int8Type>(&keys, &floats);
    assert_eq!(message(pointers, Some(ColumnKind::Numeric)), expected);
}

#[test]
fn labels_are_no_numbers() {
    let text = array(StringArray::from(vec![None, Some("1")]));
    let flags = array(BooleanArray::from(vec![None, Some(true)]));
    let keys = array(Int8Array::from(vec![1, 0]));
    let pointers = dictionary::<Int8Type>(&keys, &array(StringArray::from(vec![Some("1"), None])));
    for (array, cell) in [(text, "1"), (flags, "true"), (pointers, "1")] {
        assert_eq!(
            message(array, Some(ColumnKind::Numeric)),
            format!(
                "row 2, column \"x\": \"{cell}\" is no number, but the column is declared \
                 numeric. Turn the column into numbers, or do not declare it numeric."
            )
        );
    }
}

#[test]
fn dates_and_times_are_refused_with_the_way_out() {
    let arrays = [
        array(Date32Array::from(vec![0])),
        array(TimestampSecondArray::from(vec![0])),
        array(Time32SecondArray::from(vec![0])),
        array(DurationSecondArray::from(vec![0])),
        dictionary::<Int8Type>(
            &array(Int8Array::from(vec![0])),
            &array(Date32Array::from(vec![0])),
        ),
    ];
    for (array, name) in
        arrays
            .into_iter()
            .zip(["Date32", "Timestamp", "Time32", "Duration", "Date32"])
    {
        let text = message(array, None);
        assert!(
            text.starts_with(&format!("column \"x\": the type {name}")),
            "{text}"
        );
        let end = "is a date or a time. Turn it into numbers such as days since a date, or into \
                   text such as the weekday or month.";
        assert!(text.ends_with(end), "{text}");
    }
}

#[test]
fn bytes_and_lists_are_refused() {
    let mut lists = ListBuilder::new(StringBuilder::new());
    lists.append_value([Some("a")]);
    for array in [
        array(lists.finish()),
        array(BinaryArray::from_vec(vec![b"p"])),
    ] {
        let text = message(array, None);
        assert!(
            text.contains("cannot be read. Leave the column out"),
            "{text}"
        );
    }
}

#[test]
fn keys_beyond_their_dictionary_are_noticed() {
    // Arrays from other programs come unchecked.
    use super::numbers::Key;
    assert!(!i8::is_any_beyond(&[0, 1], 2) && i8::is_any_beyond(&[0, 2], 2));
    assert!(i8::is_any_beyond(&[-1], 300) && !i8::is_any_beyond(&[127], 300));
    assert!(!u8::is_any_beyond(&[255], 256) && u8::is_any_beyond(&[255], 255));
    assert!(u64::is_any_beyond(&[u64::MAX], 9) && !u64::is_any_beyond(&[], 0));
    assert!(i64::is_any_beyond(&[0], 0));
}

#[test]
fn chunks_of_two_types_are_a_defect_of_the_caller() {
    let chunks = [
        array(Int8Array::from(vec![1])),
        array(Int16Array::from(vec![1])),
    ];
    let error = column_from_arrow("x", &chunks, None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Internal);
}
