//! Arrow arrays in memory into columns, against a hash map of owned strings per column.
//!
//! `cargo bench --bench columns`

mod common;

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int8Type;
use arrow_array::{
    Array, ArrayRef, DictionaryArray, Float64Array, Int8Array, Int64Array, StringArray,
};
use arrow_cast::cast;
use arrow_schema::DataType;
use bayesieve::data::{Column, column_from_arrow};
use bayesieve::random::{Purpose, stream};
use common::{W1, WD, Workload, bytes, fastest, on_one_thread, report};
use rand::RngExt;

fn main() {
    on_one_thread(|| {
        labels();
        numbers();
    });
}

/// The plain way: every cell an owned string, looked up in a map.
fn plain(array: &ArrayRef) -> Vec<Option<u32>> {
    let texts = cast(array, &DataType::LargeUtf8).expect("text");
    let mut map: HashMap<String, u32> = HashMap::new();
    let mut code = |text: &str| {
        let next = map.len() as u32;
        *map.entry(text.to_owned()).or_insert(next)
    };
    let cells = texts.as_string::<i64>().iter();
    cells.map(|cell| cell.map(&mut code)).collect()
}

fn labels() {
    let work = Workload::new(W1);
    let values: ArrayRef = Arc::new(StringArray::from(vec!["low", "middle", "high"]));
    let dictionary = |keys: Int8Array| -> ArrayRef {
        let array = DictionaryArray::<Int8Type>::try_new(keys, values.clone());
        Arc::new(array.expect("keys of the dictionary"))
    };
    type Build<'a> = &'a dyn Fn(&[u8]) -> ArrayRef;
    let whole: Build<'_> = &|codes| {
        let keys = codes.iter().map(|&code| code as i8);
        dictionary(Int8Array::from_iter_values(keys))
    };
    let gaps: Build<'_> = &|codes| {
        let keys = codes.iter().zip(0u32..);
        let keys = keys.map(|(&code, row)| {
            let is_gap = row.wrapping_mul(0x9E37_79B9) >> 16 & 15 == 0;
            (!is_gap).then_some(code as i8)
        });
        dictionary(keys.collect())
    };
    let integers: Build<'_> = &|codes| {
        Arc::new(Int64Array::from_iter_values(
            codes.iter().map(|&c| i64::from(c)),
        ))
    };
    let texts: Build<'_> = &|codes| {
        let values = values.as_string::<i32>();
        let texts = codes.iter().map(|&code| values.value(usize::from(code)));
        Arc::new(StringArray::from_iter_values(texts))
    };
    let kinds = [
        ("Dictionary<Int8, Utf8>", whole),
        ("the same, one cell in 16 null", gaps),
        ("Int64", integers),
        ("Utf8", texts),
    ];
    for (what, build) in kinds {
        let arrays: Vec<ArrayRef> = work
            .columns
            .iter()
            .map(|codes| build(bytes(codes)))
            .collect();
        let columns = compare(&format!("W1: {what}"), &arrays);
        for (column, array) in columns.iter().zip(&arrays) {
            check(column, array);
        }
    }
}

/// Cells are equal where they are equal in the plain way.
fn check(column: &Column, array: &ArrayRef) {
    let codes = &column.as_nominal().expect("labels").codes;
    let mut pairs: Vec<_> = codes.iter().zip(plain(array)).collect();
    pairs.sort_unstable();
    pairs.dedup();
    assert!(pairs.len() <= 4, "codes differ: {pairs:?}");
    assert!(pairs.iter().all(|(a, b)| a.is_some() == b.is_some()));
}

fn numbers() {
    let mut rng = stream(1, Purpose::Generate, 0);
    let arrays: Vec<ArrayRef> = (0..WD.n_columns)
        .map(|_| {
            let cells = (0..WD.n_rows).map(|_| rng.random::<f64>());
            Arc::new(Float64Array::from_iter_values(cells)) as ArrayRef
        })
        .collect();
    let columns = compare("WD: Float64", &arrays[..]);
    for (column, array) in columns.iter().zip(&arrays) {
        let cells: &[f64] = array
            .as_primitive::<arrow_array::types::Float64Type>()
            .values();
        assert_eq!(column.as_numeric(), Some(cells));
    }
}

fn compare(what: &str, arrays: &[ArrayRef]) -> Vec<Column> {
    let (slow, _) = fastest(1, || arrays.iter().map(plain).collect::<Vec<_>>());
    let (seconds, columns) = fastest(5, || {
        let column = |array: &ArrayRef| column_from_arrow("x", std::slice::from_ref(array), None);
        let columns = arrays.iter().map(column);
        columns
            .collect::<bayesieve::Result<Vec<_>>>()
            .expect("columns")
    });
    report(what, seconds, slow);
    let cells: usize = arrays.iter().map(|array| array.len()).sum();
    println!(
        "{:<58} {:>10.2} ns per cell",
        "",
        seconds / cells as f64 * 1e9
    );
    columns
}
