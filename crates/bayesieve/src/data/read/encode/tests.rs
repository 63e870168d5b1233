use super::*;
use crate::data::ReadOptions;

fn usual() -> Missing {
    Missing::new(&ReadOptions::default().missing)
}

fn finished(wanted: Wanted, cells: &[&str]) -> Finished {
    let missing = usual();
    let mut encoder = Encoder::new(&missing, wanted);
    for (place, cell) in (0..).zip(cells) {
        encoder.push(cell.as_bytes(), place).unwrap();
    }
    encoder.finish("x")
}

fn column(wanted: Wanted, cells: &[&str]) -> Column {
    match finished(wanted, cells) {
        Finished::Column(column) => column,
        other => panic!("{other:?}"),
    }
}

fn labels(column: &Column) -> Vec<&str> {
    let nominal = column.as_nominal().unwrap();
    nominal.domain.labels().iter().map(String::as_str).collect()
}

/// The cells of a nominal column as labels, "-" where missing.
fn cells(column: &Column) -> Vec<&str> {
    let nominal = column.as_nominal().unwrap();
    let label = |code: Option<u32>| code.and_then(|code| nominal.domain.label(code));
    nominal
        .codes
        .iter()
        .map(|code| label(code).unwrap_or("-"))
        .collect()
}

#[test]
fn text_is_nominal() {
    let column = column(Wanted::Inferred, &["b", " a\t", "?", "10", "a"]);
    assert_eq!(column.origin(), KindOrigin::Text);
    assert_eq!(labels(&column), ["10", "a", "b"]);
    assert_eq!(cells(&column), ["b", "a", "-", "10", "a"]);
}

#[test]
fn whole_numbers_are_nominal_up_to_twenty_values() {
    let texts: Vec<String> = (0..21).map(|i| i.to_string()).collect();
    let all: Vec<&str> = texts.iter().map(String::as_str).collect();
    let few = column(Wanted::Inferred, &all[..20]);
    assert_eq!(few.origin(), KindOrigin::FewIntegers);
    assert_eq!(labels(&few), all[..20]);
    let many = column(Wanted::Inferred, &all);
    assert_eq!(many.origin(), KindOrigin::Numbers);
    assert_eq!(many.as_numeric().unwrap()[20], 20.0);
    // Twenty values in more than twenty texts.
    let mut doubled = all[..20].to_vec();
    doubled.extend(["0.0", "1.00", "+7"]);
    assert_eq!(labels(&column(Wanted::Inferred, &doubled)), all[..20]);
}

#[test]
fn one_fraction_makes_a_column_numeric() {
    let column = column(Wanted::Inferred, &["1", "1.5", "NA", "2"]);
    assert_eq!(column.origin(), KindOrigin::Numbers);
    let numbers = column.as_numeric().unwrap();
    assert_eq!(numbers[..2], [1.0, 1.5]);
    assert!(numbers[2].is_nan());
}

#[test]
fn texts_of_equal_value_are_one_label_the_shortest() {
    let column = column(Wanted::Inferred, &["01", "1.0", "1", "-0", "+0", "2e0"]);
    assert_eq!(column.origin(), KindOrigin::FewIntegers);
    assert_eq!(labels(&column), ["+0", "1", "2e0"]);
    assert_eq!(cells(&column), ["1", "1", "1", "+0", "+0", "2e0"]);
}

#[test]
fn integers_that_round_to_one_float_stay_two_labels() {
    let ids = ["9007199254740992", "9007199254740993"];
    assert_eq!(labels(&column(Wanted::Inferred, &ids)), ids);
}

#[test]
fn in_a_declared_column_text_is_text() {
    let wanted = Wanted::Nominal(KindOrigin::Declared);
    let column = column(wanted, &["1", "1.0", "01", "inf"]);
    assert_eq!(column.origin(), KindOrigin::Declared);
    assert_eq!(labels(&column), ["01", "1", "1.0", "inf"]);
}

#[test]
fn a_column_without_any_value_is_nominal_and_has_no_labels() {
    let empty = column(Wanted::Inferred, &["", "?", "nan"]);
    assert_eq!(labels(&empty), [""; 0]);
    assert_eq!(empty.n_missing(), 3);
    let declared = column(Wanted::Numeric, &["", "?"]);
    assert_eq!(declared.n_missing(), 2);
    assert_eq!(declared.origin(), KindOrigin::Declared);
    assert!(declared.as_numeric().is_some());
}

#[test]
fn an_infinite_number_is_refused_among_numbers_and_a_word_among_words() {
    for infinite in ["inf", "-Infinity", "1e999"] {
        let end = finished(Wanted::Inferred, &["1.5", infinite, "2"]);
        match end {
            Finished::Infinite { place, text } => {
                assert_eq!((place, text.as_str()), (1, infinite));
            }
            other => panic!("{other:?}"),
        }
        let words = column(Wanted::Inferred, &["1.5", infinite, "x"]);
        assert_eq!(words.origin(), KindOrigin::Text);
        assert_eq!(cells(&words)[1], infinite);
    }
}

#[test]
fn a_declared_numeric_column_refuses_text() {
    let missing = usual();
    let mut encoder = Encoder::new(&missing, Wanted::Numeric);
    assert_eq!(encoder.push(b" 1e3 ", 0), Ok(()));
    assert_eq!(encoder.push(b"NaN", 0), Ok(()));
    assert_eq!(encoder.push(b"12a", 0), Err(Problem::NotANumber));
    assert_eq!(encoder.push(b"inf", 0), Err(Problem::Infinite));
    assert_eq!(encoder.push(b"\xFF", 0), Err(Problem::NotUtf8));
    assert_eq!(encoder.push(b"1\0", 0), Err(Problem::Nul));
}

#[test]
fn a_number_may_mean_no_value() {
    let missing = Missing::new(&["-9".into()]);
    for wanted in [Wanted::Inferred, Wanted::Numeric] {
        let mut encoder = Encoder::new(&missing, wanted);
        for i in 0..2 * MAX_NUMBER_LABELS {
            encoder.push(format!("{i}.5").as_bytes(), 0).unwrap();
            encoder.push(b"-9", 0).unwrap();
            encoder.push_number(-9.0, 1, 0, || "-9".into()).unwrap();
        }
        let Finished::Column(column) = encoder.finish("x") else {
            panic!("not a column");
        };
        assert_eq!(column.n_missing(), 4 * MAX_NUMBER_LABELS);
    }
}

#[test]
fn few_numbers_in_many_spellings_are_still_few() {
    let missing = usual();
    let mut encoder = Encoder::new(&missing, Wanted::Inferred).in_table_of(usize::MAX);
    for zeros in 0..500 {
        let text = format!("{}.{}", zeros % 3, "0".repeat(zeros));
        encoder.push(text.as_bytes(), 0).unwrap();
    }
    let Finished::Column(column) = encoder.finish("x") else {
        panic!("not a column");
    };
    assert_eq!(column.origin(), KindOrigin::FewIntegers);
    assert_eq!(labels(&column), ["0.", "1.0", "2.00"]);
}

#[test]
fn many_numbers_are_kept_as_numbers_and_text_after_them_asks_again() {
    let texts: Vec<String> = (0..10_000).map(|i| format!("{i}.25")).collect();
    let mut all: Vec<&str> = texts.iter().map(String::as_str).collect();
    let numeric = column(Wanted::Inferred, &all);
    let expected: Vec<f64> = (0..10_000).map(|i| f64::from(i) + 0.25).collect();
    assert_eq!(numeric.as_numeric(), Some(&expected[..]));
    all.push("x");
    let end = finished(Wanted::Inferred, &all);
    assert!(matches!(end, Finished::ReadAgain), "{end:?}");
    let again = column(Wanted::Nominal(KindOrigin::Text), &all);
    assert_eq!(cells(&again), all);
    all.truncate(10_000);
    all.push("inf");
    let end = finished(Wanted::Inferred, &all);
    assert!(matches!(end, Finished::Infinite { place: 10_000, .. }));
}

#[test]
fn codes_widen_with_the_labels() {
    for n in [255, 256, 65_535, 65_536, 70_000] {
        let mut texts: Vec<String> = (0..n).map(|i| format!("label {i}")).collect();
        texts.insert(1, String::new());
        let all: Vec<&str> = texts.iter().map(String::as_str).collect();
        let column = column(Wanted::Inferred, &all);
        assert_eq!(column.n_missing(), 1);
        assert_eq!(column.n_distinct(), n);
        let read = cells(&column);
        assert_eq!((read[0], read[1]), ("label 0", "-"));
        assert_eq!(read[2..], all[2..]);
    }
}

#[test]
fn listed_labels_are_the_only_ones_and_unused_ones_go() {
    let missing = usual();
    let listed = ["z", "NA", "a", "z"].map(String::from);
    let mut encoder = Encoder::with_labels(&missing, &listed);
    encoder.push(b"a", 0).unwrap();
    encoder.push(b"NA", 0).unwrap();
    encoder.push(b"null", 0).unwrap();
    assert_eq!(encoder.push(b"b", 0), Err(Problem::NotListed));
    let Finished::Column(column) = encoder.finish("x") else {
        panic!("not a column");
    };
    assert_eq!(labels(&column), ["NA", "a"]);
    assert_eq!(cells(&column), ["a", "NA", "-"]);
}

#[test]
fn cells_that_come_as_numbers_read_like_their_texts() {
    let missing = usual();
    let mut encoder = Encoder::new(&missing, Wanted::Inferred);
    for number in [1.0_f64, 2.0, 1.0, -0.0, 0.0] {
        let text = || crate::data::format_number(number);
        encoder
            .push_number(number, number.to_bits(), 0, text)
            .unwrap();
    }
    encoder.push_missing();
    let Finished::Column(read) = encoder.finish("x") else {
        panic!("not a column");
    };
    assert_eq!(
        read,
        column(Wanted::Inferred, &["1", "2", "1", "0", "0", ""])
    );
}
