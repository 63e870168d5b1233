use std::sync::Mutex;

use proptest::prelude::*;

use super::super::testing::{
    assert_same_cells, cells, data_error, file, gzip, path_error, read_bytes, read_text,
    without_folder,
};
use super::super::{ColumnChoice, ReadOptions, read_table};
use super::*;
use crate::Observer;
use crate::data::{Nominal, Values, write_csv, write_table};
use crate::{ErrorKind, Silent};

fn error_of(text: &str) -> String {
    data_error("a.csv", text.as_bytes())
}

fn names(names: &[&str]) -> ColumnChoice {
    ColumnChoice::Names(names.iter().map(ToString::to_string).collect())
}

#[test]
fn cells_may_hold_delimiters_quotes_and_line_ends() {
    let table = read_text(
        "a.csv",
        "\u{FEFF}name , \"note\"\r\n x y ,\"a, \"\"b\"\"\"\r\nz,\"two\r\nlines\"\r\n",
    );
    assert_eq!(table.names().collect::<Vec<_>>(), ["name", "note"]);
    assert_eq!(cells(&table, "name"), ["x y", "z"]);
    assert_eq!(cells(&table, "note"), ["a, \"b\"", "two\r\nlines"]);
}

#[test]
fn blanks_before_a_quote_do_not_make_it_a_letter() {
    let table = read_text("a.csv", "a, \"b\"\n1, \"x \"\"y\"\"\" \n2, \"\n3,\t\"\"\n");
    assert_eq!(table.names().collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(cells(&table, "b"), ["x \"y\"", "\"", "-"]);
}

#[test]
fn every_delimiter_and_line_end_gives_the_same_table() {
    let plain = "a,b,c\n1.5,x,7\n,y,8\n2.5,,7\n";
    let expected = read_text("a.csv", plain);
    assert_eq!(cells(&expected, "a"), ["1.5", "-", "2.5"]);
    for delimiter in [",", ";", "\t", "|"] {
        for line_end in ["\n", "\r\n", "\r"] {
            let text = plain.replace(',', delimiter).replace('\n', line_end);
            assert_same_cells(&read_text("a.csv", &text), &expected);
            assert_same_cells(&read_text("a.csv", text.trim_end()), &expected);
        }
    }
}

#[test]
fn a_given_delimiter_is_taken() {
    let options = ReadOptions {
        delimiter: Some(b':'),
        ..ReadOptions::default()
    };
    let table = read_bytes("a.csv", b"a:b\n1,5:2\n", &options).unwrap();
    assert_eq!(cells(&table, "a"), ["1,5"]);
    for bad in [b'"', b'\n', b'\r', 0, 0xE9] {
        let options = ReadOptions {
            delimiter: Some(bad),
            ..ReadOptions::default()
        };
        let error = read_bytes("a.csv", b"a\n1\n", &options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage);
    }
}

#[test]
fn blank_lines_are_no_rows() {
    let table = read_text("a.csv", "\n  \na,b\n\n1,x\n \t \n2,y\n\n");
    assert_eq!(cells(&table, "a"), ["1", "2"]);
    // With tabs between cells, a line of one tab is a row of two gaps.
    let table = read_text("a.tsv", "a\tb\n1\tx\n\t\n2\ty\n");
    assert_eq!(cells(&table, "b"), ["x", "-", "y"]);
}

#[test]
fn in_a_single_column_blanks_and_empty_quotes_are_missing() {
    let table = read_text("a.csv", " \na\nx\n\"\"\n \n\ny\n");
    assert_eq!(cells(&table, "a"), ["x", "-", "-", "y"]);
}

#[test]
fn kinds_follow_the_cells_unless_they_are_declared() {
    let text = "zip,age,code\n01,31,1\n1,40,1.0\n01,31,01\n";
    let table = read_text("a.csv", text);
    assert_eq!(cells(&table, "zip"), ["1", "1", "1"]);
    assert_eq!(cells(&table, "code"), ["1", "1", "1"]);
    let options = ReadOptions {
        nominal: names(&["zip"]),
        numeric: names(&["age"]),
        ..ReadOptions::default()
    };
    let table = read_bytes("a.csv", text.as_bytes(), &options).unwrap();
    assert_eq!(cells(&table, "zip"), ["01", "1", "01"]);
    let origins: Vec<KindOrigin> = table.columns().iter().map(|c| c.origin()).collect();
    use KindOrigin::{Declared, FewIntegers};
    assert_eq!(origins, [Declared, Declared, FewIntegers]);
    assert_eq!(
        table.column("age").unwrap().as_numeric(),
        Some(&[31.0, 40.0, 31.0][..])
    );
}

#[test]
fn names_in_options_that_do_not_exist_are_usage_errors() {
    let options = ReadOptions {
        numeric: names(&["aeg"]),
        ..ReadOptions::default()
    };
    let error = read_bytes("a.csv", b"age,b\n1,2\n", &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert_eq!(
        error.to_string(),
        "there is no column \"aeg\". Did you mean \"age\"?"
    );
}

#[test]
fn text_in_a_column_declared_numeric_names_line_column_and_value() {
    let options = ReadOptions {
        numeric: ColumnChoice::Names(vec!["b".into()]),
        ..ReadOptions::default()
    };
    let error = read_bytes("a.csv", b"a,b\n1,2\n3,x1\n", &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Data);
    assert_eq!(
        without_folder(&error),
        "a.csv, line 3, column \"b\": \"x1\" is not a number, but the column is declared \
         numeric. Correct the cell, or do not declare the column numeric."
    );
}

#[test]
fn an_infinite_number_names_its_line_even_after_line_ends_in_cells() {
    assert_eq!(
        error_of("a,b\n\"x\ny\",1.5\nz,-inf\nz,2.5\n"),
        "a.csv, line 4, column \"b\": \"-inf\" is an infinite number. Write a finite number, \
         leave the cell empty, or declare the column nominal."
    );
    let table = read_text("a.csv", "a,b\nx,1.5\nz,inf\nz,up\n");
    assert_eq!(cells(&table, "b"), ["1.5", "inf", "up"]);
}

#[test]
fn empty_files_and_bare_headers_are_refused() {
    for text in ["", "\n\r\n\n", "  \n\t\n", "\u{FEFF}"] {
        assert_eq!(error_of(text), "a.csv: the file is empty");
    }
    for text in ["a,b", "a,b\n", "a,b\n\n \n"] {
        assert_eq!(error_of(text), "a.csv: there are names, but no rows");
    }
}

#[test]
fn ragged_rows_name_the_line_and_both_counts() {
    let hint = "Every row needs a cell for every column; quote cells that hold delimiters.";
    assert_eq!(
        error_of("a,b,c\n1,2,3\n\n1,\"x\ny\"\n"),
        format!("a.csv, line 4: 2 cells for 3 columns. {hint}")
    );
    assert_eq!(
        error_of("a,b\r1,2\r\r1,2,3\r"),
        format!("a.csv, line 4: 3 cells for 2 columns. {hint}")
    );
    assert_eq!(
        error_of("a,b\n1\n1,2\n1,2\n"),
        format!("a.csv, line 2: 1 cell for 2 columns. {hint}")
    );
}

#[test]
fn names_must_be_there_and_differ() {
    assert_eq!(
        error_of("\na,b, a \n1,2,3\n"),
        "a.csv, line 2: the name \"a\" stands over columns 1 and 3. \
         Give every column a name of its own."
    );
    assert_eq!(
        error_of("a,,c\n1,2,3\n"),
        "a.csv, line 1: column 2 has no name. Give every column a name in the first line."
    );
    assert_eq!(
        error_of("\"\"\n1\n"),
        "a.csv, line 1: column 1 has no name. Give every column a name in the first line."
    );
}

#[test]
fn bytes_that_are_no_text_name_line_and_column() {
    let hint = "Convert the file, for example with iconv -f LATIN1 -t UTF-8, \
                or save it as CSV UTF-8.";
    assert_eq!(
        data_error("a.csv", b"a,b\n1,x\n2,caf\xE9\n"),
        format!("a.csv, line 3, column \"b\": the bytes are not UTF-8. {hint}")
    );
    assert_eq!(
        data_error("a.csv", b"a,caf\xE9\n1,x\n"),
        format!("a.csv, line 1, column \"caf\u{FFFD}\": the bytes are not UTF-8. {hint}")
    );
    assert_eq!(
        data_error("a.csv", b"a,b\n1,x\n2,y\0\n3,z\n"),
        "a.csv, line 3, column \"b\": there is a NUL byte. Is this a text file?"
    );
    assert_eq!(
        data_error("a.csv", b"a\nx\n\0\ny\n"),
        "a.csv, line 3: there is a NUL byte. Is this a text file?"
    );
    assert_eq!(
        data_error("a.csv", b"a\nx\n\0"),
        "a.csv, line 3: there is a NUL byte. Is this a text file?"
    );
    for bytes in [b"\xFF\xFEa\0,\0b\0\n\0", b"\xFE\xFF\0a\0,\0b\0\n"] {
        assert_eq!(
            data_error("a.csv", bytes),
            "a.csv: the text is UTF-16, not UTF-8. \
             Convert it with iconv -f UTF-16 -t UTF-8, or save it as CSV UTF-8."
        );
    }
}

#[test]
fn an_open_quote_names_the_line_where_its_row_began() {
    let expected = |line: u64| {
        format!(
            "a.csv, line {line}: a quote is opened in this row and never closed. \
             Close it, or write two quotes for one inside a quoted cell."
        )
    };
    assert_eq!(error_of("a,b\n1,x\n2,\"y\n3,z\n4,w\n"), expected(3));
    assert_eq!(error_of("a,b\n1,x\n\"2,y"), expected(3));
    assert_eq!(error_of("a,b\n1,\""), expected(2));
    assert_eq!(error_of("a,b\n1,\"x\"\""), expected(2));
    assert_eq!(error_of("a,\"b\n1,x\n"), expected(1));
    assert_eq!(error_of("\"a"), expected(1));
    // Closed by the last byte of the file.
    assert_eq!(cells(&read_text("a.csv", "a,b\n1,\"x\""), "b"), ["x"]);
}

#[test]
fn gzip_is_unpacked_and_its_faults_are_told() {
    let text = "a,b\n1,x\n2,y\n";
    let packed = gzip(text.as_bytes());
    let plain = read_text("a.csv", text);
    let options = ReadOptions::default();
    assert_same_cells(&read_bytes("a.csv.gz", &packed, &options).unwrap(), &plain);
    // The magic bytes count, not the name; members one after another are one text.
    let mut two = gzip(b"a,b\n1,x\n");
    two.extend(gzip(b"2,y\n"));
    assert_same_cells(&read_bytes("a.csv", &two, &options).unwrap(), &plain);
    for n in [2, 10, packed.len() - 9, packed.len() - 1] {
        assert_eq!(
            data_error("a.csv.gz", &packed[..n]),
            "a.csv.gz: the gzip stream ends too early. \
             The file was cut short: copy or download it again.",
            "{n} bytes"
        );
    }
    let mut wrong = packed.clone();
    let checksum = packed.len() - 8;
    wrong[checksum] ^= 0xFF;
    let text = data_error("a.csv.gz", &wrong);
    assert!(
        text.starts_with("a.csv.gz: the gzip stream is broken: "),
        "{text}"
    );
}

#[test]
fn files_that_cannot_be_opened_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let (kind, text) = path_error(&folder.path().join("none.csv"));
    assert_eq!(
        (kind, text.as_str()),
        (ErrorKind::Data, "none.csv: there is no such file")
    );
    let (kind, text) = path_error(folder.path());
    assert_eq!(kind, ErrorKind::Data);
    assert!(text.ends_with(": this is a folder, not a file"), "{text}");
}

#[test]
fn a_long_column_of_numbers_that_turns_to_text_keeps_its_texts() {
    let mut text = String::from("a,b,c\n");
    for i in 0..6_000 {
        text += &format!("{i}.50,x{},0{i}\n", i % 3);
    }
    text += "word,y,1\n";
    let table = read_text("a.csv", &text);
    let a = cells(&table, "a");
    assert_eq!(
        (a[0].as_str(), a[5_999].as_str(), a[6_000].as_str()),
        ("0.50", "5999.50", "word")
    );
    let column = table.column("a").unwrap();
    assert_eq!(
        (column.origin(), column.n_distinct()),
        (KindOrigin::Text, 6_001)
    );
    assert_eq!(table.column("b").unwrap().n_distinct(), 4);
    assert_eq!(
        table.column("c").unwrap().as_numeric().map(|c| c[5_999]),
        Some(5_999.0)
    );
}

#[test]
fn wide_tables_many_labels_and_huge_labels_are_read() {
    let header: Vec<String> = (0..10_000).map(|i| format!("column{i}")).collect();
    let row: Vec<String> = (0..10_000).map(|i| (i % 7).to_string()).collect();
    let text = format!(
        "{}\n{}\n{}\n",
        header.join("|"),
        row.join("|"),
        row.join("|")
    );
    let table = read_text("wide.csv", &text);
    assert_eq!((table.columns().len(), table.n_rows()), (10_000, 2));
    assert_eq!(cells(&table, "column9999"), ["3", "3"]);

    let labels: Vec<String> = (0..70_000).map(|i| format!("label-{i}")).collect();
    let table = read_text("long.csv", &format!("a\n{}\n", labels.join("\n")));
    assert_eq!(cells(&table, "a"), labels);

    let huge = "y".repeat(1_000_000);
    let table = read_text("huge.csv", &format!("a,b\n1,{huge}\n2,z\n"));
    assert_eq!(cells(&table, "b"), [huge.as_str(), "z"]);
}

/// Notes every report and cancels at the first one of a given number of bytes.
struct Watcher {
    seen: Mutex<Vec<(String, u64, u64)>>,
    cancels: bool,
}

impl Observer for Watcher {
    fn progress(&self, stage: &str, done: u64, total: u64) {
        self.seen
            .lock()
            .unwrap()
            .push((stage.to_owned(), done, total));
    }

    fn is_cancelled(&self) -> bool {
        self.cancels
    }
}

#[test]
fn progress_is_told_and_a_cancelled_run_stops() {
    let text = "a,b\n".to_owned() + &"1,x\n".repeat(200_000);
    let (_folder, path) = file("a.csv", text.as_bytes());
    let mut watcher = Watcher {
        seen: Mutex::default(),
        cancels: false,
    };
    read_table(&path, &ReadOptions::default(), &watcher).unwrap();
    let seen = watcher.seen.lock().unwrap().clone();
    let n_bytes = text.len() as u64;
    assert!(seen.len() >= 4, "{seen:?}");
    assert!(seen.windows(2).all(|pair| pair[0].1 <= pair[1].1));
    assert_eq!(seen.last(), Some(&("reading".to_owned(), n_bytes, n_bytes)));

    watcher.cancels = true;
    let error = read_table(&path, &ReadOptions::default(), &watcher).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Interrupted);
}

/// Labels that read back as they are: not blank at the ends, not missing, not numbers.
fn label() -> impl Strategy<Value = Option<String>> {
    let text = "[a-z\"',;|\\n\\r\\t é漢%{}?]{0,6}";
    proptest::option::of(text.prop_map(|text| format!("x{text}x")))
}

proptest! {
    #[test]
    fn what_is_written_reads_back(
        rows in proptest::collection::vec((label(), label(), proptest::option::of(-1e9..1e9f64)), 1..20)
    ) {
        let nominal = |labels: Vec<Option<&str>>| Values::Nominal(Nominal::from_labels(labels));
        let a = nominal(rows.iter().map(|row| row.0.as_deref()).collect());
        let b = nominal(rows.iter().map(|row| row.1.as_deref()).collect());
        let c = rows.iter().map(|row| row.2.unwrap_or(f64::NAN)).collect();
        let table = Table::new(vec![
            Column::new("a", a, KindOrigin::Text),
            Column::new("b b", b, KindOrigin::Text),
            Column::new("\"c\",", Values::Numeric(c), KindOrigin::Numbers),
        ]).unwrap();
        let mut text = Vec::new();
        write_csv(&mut text, &table).unwrap();
        let options = ReadOptions {
            numeric: names(&["\"c\","]),
            ..ReadOptions::default()
        };
        assert_same_cells(&read_bytes("a.csv", &text, &options).unwrap(), &table);
        let (_folder, path) = file("a.parquet", b"");
        write_table(&path, &table, &crate::Silent).unwrap();
        assert_same_cells(&read_table(&path, &options, &Silent).unwrap(), &table);
    }

    #[test]
    fn one_column_with_gaps_reads_back(labels in proptest::collection::vec(label(), 1..20)) {
        let nominal = Nominal::from_labels(labels.iter().map(Option::as_deref));
        let column = Column::new("a", Values::Nominal(nominal), KindOrigin::Text);
        let table = Table::new(vec![column]).unwrap();
        let mut text = Vec::new();
        write_csv(&mut text, &table).unwrap();
        let read = read_bytes("a.csv", &text, &ReadOptions::default()).unwrap();
        assert_same_cells(&read, &table);
    }

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let (_folder, path) = file("a.csv", &bytes);
        let _ = read_table(&path, &ReadOptions::default(), &Silent);
    }

    #[test]
    fn random_text_never_panics_and_never_is_a_defect(text in "[ab1,;\"\\n\\r\\t .\\x00é-]{0,60}") {
        let (_folder, path) = file("a.csv", text.as_bytes());
        if let Err(error) = read_table(&path, &ReadOptions::default(), &Silent) {
            prop_assert_eq!(error.kind(), ErrorKind::Data, "{}", error);
        }
    }
}
