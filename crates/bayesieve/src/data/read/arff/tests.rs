use proptest::prelude::*;

use super::super::testing::{cells, data_error, file, gzip, read_bytes, read_text, without_folder};
use super::super::{ColumnChoice, ReadOptions, read_table};
use super::*;
use crate::{ErrorKind, Silent};

const HEAD: &str = "@relation r\n@attribute n numeric\n@attribute c {x, y, z}\n@data\n";

/// The error of rows under a head of four lines, a number and a label.
fn error_of(rows: &str) -> String {
    data_error("a.arff", format!("{HEAD}{rows}").as_bytes())
}

#[test]
fn kinds_are_those_of_the_head() {
    let table = read_text(
        "a.arff",
        "% made by hand\n\n@RELATION 'a test'\n\
         @Attribute 'my age' REAL [0, 120]\n\
         @attribute city string % free text\n\
         @attribute \"it\\'s\"{a, 'b c', \"d,e\", unused}\n\
         @attribute born date \"yyyy-MM-dd\"\n\
         @attribute few integer\n\
         @DATA\n\
         % a comment\n\
         31, 'New\\tYork', 'b c', \"1990-01-02\", 1\n\n\
         ?, Rome, 'd,e', ?, 0\n\
         40.5 ,'?',a,1991-03-04,1 % the last\n",
    );
    let names: Vec<&str> = table.names().collect();
    assert_eq!(names, ["my age", "city", "it's", "born", "few"]);
    assert_eq!(cells(&table, "my age"), ["31", "-", "40.5"]);
    assert_eq!(cells(&table, "city"), ["New\tYork", "Rome", "-"]);
    assert_eq!(cells(&table, "it's"), ["b c", "d,e", "a"]);
    assert_eq!(cells(&table, "born"), ["1990-01-02", "-", "1991-03-04"]);
    let nominal = table.column("it's").unwrap().as_nominal().unwrap();
    assert_eq!(nominal.domain.labels(), ["a", "b c", "d,e"]);
    // Declared numeric, whatever the count.
    assert_eq!(
        table.column("few").unwrap().as_numeric(),
        Some(&[1.0, 0.0, 1.0][..])
    );
    for column in table.columns() {
        assert_eq!(column.origin(), KindOrigin::Declared);
    }
}

#[test]
fn a_list_of_labels_may_span_lines_and_lack_commas() {
    let table = read_text(
        "a.arff",
        "@relation r\n@attribute a {x,\n % not a label\n 'y z',\n w}\n\
         @attribute b {u v}\n@data\n'y z',v\nw,u\n",
    );
    assert_eq!(cells(&table, "a"), ["y z", "w"]);
    assert_eq!(cells(&table, "b"), ["v", "u"]);
}

#[test]
fn options_overrule_the_head() {
    let options = ReadOptions {
        nominal: ColumnChoice::Names(vec!["n".into()]),
        numeric: ColumnChoice::Names(vec!["m".into()]),
        ..ReadOptions::default()
    };
    let text = "@relation r\n@attribute n numeric\n@attribute m {1, 2}\n@data\n1,1\n1.0,2\n";
    let table = read_bytes("a.arff", text.as_bytes(), &options).unwrap();
    assert_eq!(cells(&table, "n"), ["1", "1.0"]);
    assert!(table.column("n").unwrap().as_nominal().is_some());
    assert_eq!(
        table.column("m").unwrap().as_numeric(),
        Some(&[1.0, 2.0][..])
    );
}

#[test]
fn a_declared_label_comes_before_no_value() {
    let table = read_text(
        "a.arff",
        "@relation r\n@attribute a {NA, '?', x}\n@data\nNA\n'?'\n?\nnull\nx\n",
    );
    assert_eq!(cells(&table, "a"), ["NA", "?", "-", "-", "x"]);
}

#[test]
fn what_a_sparse_row_leaves_out_is_zero_or_the_first_label() {
    let table = read_text(
        "a.arff",
        &format!("{HEAD}{{0 5, 1 z}}\n{{1 'y'}}\n{{}}\n{{0 ?}}\n7, z\n"),
    );
    assert_eq!(cells(&table, "n"), ["5", "0", "0", "-", "7"]);
    assert_eq!(cells(&table, "c"), ["z", "y", "x", "x", "z"]);
}

#[test]
fn sparse_rows_that_make_no_sense_are_refused() {
    assert_eq!(
        error_of("{0 1}\n{2 1}\n"),
        "a.arff, line 6: there is no column 2: 2 columns, counted from 0"
    );
    assert_eq!(
        error_of("{0 1, 0 2}\n"),
        "a.arff, line 5, column \"n\": the sparse row names the column twice"
    );
    assert_eq!(
        error_of("{n 1}\n"),
        "a.arff, line 5: a sparse cell needs a column number and a value. \
         Write {0 value, 3 value}."
    );
    let text = "@relation r\n@attribute a numeric\n@attribute s string\n@data\n{0 1}\n";
    assert_eq!(
        data_error("a.arff", text.as_bytes()),
        "a.arff, line 5, column \"s\": the sparse row leaves out a column of text"
    );
}

#[test]
fn bad_rows_name_line_and_column() {
    let cases = [
        (
            "1,x\n\n% note\n1,w\n",
            "a.arff, line 8, column \"c\": \"w\" is not among the labels that the file \
             declares. Correct the cell, or add the label to the declaration.",
        ),
        (
            "1x,x\n",
            "a.arff, line 5, column \"n\": \"1x\" is not a number, but the column is declared \
             numeric. Correct the cell, or do not declare the column numeric.",
        ),
        (
            "-inf,x\n",
            "a.arff, line 5, column \"n\": \"-inf\" is an infinite number. Write a finite \
             number, leave the cell empty, or declare the column nominal.",
        ),
        (
            "1,x\n1\n",
            "a.arff, line 6: 1 cell for 2 columns. Every row needs a cell for every column; \
             quote cells that hold delimiters.",
        ),
        (
            "1,x,2\n",
            "a.arff, line 5: 3 cells for 2 columns. Every row needs a cell for every column; \
             quote cells that hold delimiters.",
        ),
        (
            "1,x,{5}\n",
            "a.arff, line 5: the row has a weight, and weights are not supported. \
             Remove the braces at the end of the rows.",
        ),
        (
            "1,'x\n",
            "a.arff, line 5: a quote is opened and never closed. \
             Close it, or write a backslash before a quote that is meant.",
        ),
        (
            "1,x\0\n",
            "a.arff, line 5, column \"c\": there is a NUL byte. Is this a text file?",
        ),
        ("% nothing\n", "a.arff: there are names, but no rows"),
    ];
    for (rows, message) in cases {
        assert_eq!(error_of(rows), message);
    }
    let mut bytes = HEAD.as_bytes().to_vec();
    bytes.extend(b"1,\xE9\n");
    let text = data_error("a.arff", &bytes);
    let start = "a.arff, line 5, column \"c\": the bytes are not UTF-8.";
    assert!(text.starts_with(start), "{text}");
}

#[test]
fn bad_heads_name_the_line() {
    let cases = [
        ("", "a.arff: the file is empty"),
        ("% only\n\n", "a.arff: the file is empty"),
        (
            "@relation r\n@attribute a real\n",
            "a.arff: there is no line @data. The file was cut short, or it is not ARFF.",
        ),
        (
            "@relation r\n@data\n1\n",
            "a.arff, line 2: no column is declared before @data",
        ),
        (
            "@relation r\n@inputs a\n",
            "a.arff, line 2: \"@inputs\" is neither @relation, @attribute nor @data",
        ),
        (
            "@relation r\n@attribute a real\n@attribute b relational\n",
            "a.arff, line 3, column \"b\": a table inside a table cannot be read. \
             Write the inner columns as columns of their own.",
        ),
        (
            "@relation r\n@attribute a real\n@attribute b real\n@attribute 'a' string\n",
            "a.arff, line 4: the name \"a\" stands over columns 1 and 3. \
             Give every column a name of its own.",
        ),
        (
            "@relation r\n@attribute '' real\n",
            "a.arff, line 2: column 1 has no name. Give every column a name in the first line.",
        ),
        (
            "@relation r\n@attribute a\n",
            "a.arff, line 2, column \"a\": the declaration has no type",
        ),
        (
            "@relation r\n@attribute a float\n",
            "a.arff, line 2, column \"a\": there is no type \"float\". \
             The types are numeric, real, integer, string, date, {a, b}.",
        ),
        (
            "@relation r\n@attribute a {x, y\n@data\nx\n",
            "a.arff, line 2, column \"a\": a brace is opened and never closed",
        ),
        (
            "@relation r\n@attribute a {x, y} z\n",
            "a.arff, line 2, column \"a\": there is text after a closing quote or brace. \
             Separate the cells by commas, or quote the whole cell.",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(data_error("a.arff", text.as_bytes()), message);
    }
}

#[test]
fn gzip_and_every_line_end_are_read() {
    let text = format!("{HEAD}1,x\n2,y\n");
    for line_end in ["\n", "\r\n", "\r"] {
        let packed = gzip(text.replace('\n', line_end).as_bytes());
        let table = read_bytes("a.arff.gz", &packed, &ReadOptions::default()).unwrap();
        assert_eq!(cells(&table, "c"), ["x", "y"]);
    }
    let cut = gzip(text.as_bytes());
    let text = data_error("a.arff.gz", &cut[..cut.len() - 4]);
    assert!(text.contains("the gzip stream ends too early"), "{text}");
}

#[test]
fn unknown_names_in_options_are_usage_errors() {
    let options = ReadOptions {
        nominal: ColumnChoice::Names(vec!["m".into()]),
        ..ReadOptions::default()
    };
    let text = format!("{HEAD}1,x\n");
    let error = read_bytes("a.arff", text.as_bytes(), &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(without_folder(&error).contains("there is no column \"m\""));
}

proptest! {
    #[test]
    fn random_rows_never_panic(rows in "[ xyz?01,.{}'\"%\\\\\\n\\t\\x00]{0,60}") {
        let (_folder, path) = file("a.arff", format!("{HEAD}{rows}").as_bytes());
        if let Err(error) = read_table(&path, &ReadOptions::default(), &Silent) {
            prop_assert_eq!(error.kind(), ErrorKind::Data, "{}", error);
        }
    }

    #[test]
    fn random_heads_never_panic(
        words in proptest::collection::vec(
            "@attribute|@data|@relation|numeric|string|[ab'\"{},%\\\\ \\n]{1,4}", 0..20)
    ) {
        let text = words.join(" ");
        let (_folder, path) = file("a.arff", text.as_bytes());
        if let Err(error) = read_table(&path, &ReadOptions::default(), &Silent) {
            prop_assert_eq!(error.kind(), ErrorKind::Data, "{}", error);
        }
    }

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let (_folder, path) = file("a.arff", &bytes);
        let _ = read_table(&path, &ReadOptions::default(), &Silent);
    }
}
