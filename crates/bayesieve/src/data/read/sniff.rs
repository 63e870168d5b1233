//! Which byte stands between the cells of a CSV file.

use csv::{ByteRecord, ReaderBuilder};

use super::encode::trim;

/// The candidates; of equals the first wins.
const CANDIDATES: [u8; 4] = [b',', b';', b'\t', b'|'];

/// How well the sample falls into columns, the better the larger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    /// Records with as many cells as the header.
    n_even: usize,
    /// Records with more than one cell.
    n_split: usize,
    /// Cells of the header.
    n_columns: usize,
}

/// The delimiter that cuts the sample into the most even columns.
///
/// A candidate must split the header and at least half of the records. Where none does,
/// as in a file of one column, it is the comma.
pub(super) fn sniff_delimiter(sample: &[u8], sample_is_whole: bool) -> u8 {
    let mut best: Option<(Fit, u8)> = None;
    for delimiter in CANDIDATES {
        if let Some(fit) = fit(sample, sample_is_whole, delimiter)
            && best.is_none_or(|(least, _)| fit > least)
        {
            best = Some((fit, delimiter));
        }
    }
    best.map_or(b',', |(_, delimiter)| delimiter)
}

fn fit(sample: &[u8], sample_is_whole: bool, delimiter: u8) -> Option<Fit> {
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .from_reader(sample);
    let mut record = ByteRecord::new();
    let mut lengths = Vec::new();
    while reader.read_byte_record(&mut record).unwrap_or(false) {
        if record.iter().any(|cell| !trim(cell).is_empty()) {
            lengths.push(record.len());
        }
    }
    // The sample may end inside a record; a cut header is better than none.
    if !sample_is_whole && lengths.len() > 1 {
        lengths.pop();
    }
    let (&n_columns, rows) = lengths.split_first()?;
    let n_split = rows.iter().filter(|&&n| n > 1).count();
    (n_columns > 1 && 2 * n_split >= rows.len()).then_some(Fit {
        n_even: rows.iter().filter(|&&n| n == n_columns).count(),
        n_split,
        n_columns,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sniff(text: &str) -> char {
        char::from(sniff_delimiter(text.as_bytes(), true))
    }

    #[test]
    fn each_delimiter_is_found() {
        for delimiter in [",", ";", "\t", "|"] {
            let text = "a,b,c\n1,2,3\n4,5,6\n".replace(',', delimiter);
            assert_eq!(sniff(&text).to_string(), delimiter);
        }
    }

    #[test]
    fn decimal_commas_do_not_hide_semicolons() {
        assert_eq!(sniff("a;b\n1,5;2,5\n1,0;3,5\n"), ';');
    }

    #[test]
    fn delimiters_inside_quotes_do_not_count() {
        assert_eq!(sniff("a,b\n\"1;2;3\",\"4\n;\"\n\";;\",5\n"), ',');
    }

    #[test]
    fn more_even_columns_win() {
        assert_eq!(
            sniff("name, first\tage\tcity\nDoe, J\t5\tX\nRoe, R\t6\tY\n"),
            '\t'
        );
    }

    #[test]
    fn one_ragged_row_does_not_change_the_delimiter() {
        assert_eq!(sniff("a;b;c\n1;2;3\n1;2\n1;2;3\n"), ';');
        assert_eq!(sniff("a;b;c\n1;2\n"), ';');
    }

    #[test]
    fn files_of_one_column_and_bare_headers_take_the_comma() {
        assert_eq!(sniff("text\na;b\nc;d\n"), ',');
        assert_eq!(sniff("a;b\nx\ny\nz\n"), ',');
        assert_eq!(sniff("a\n"), ',');
        assert_eq!(sniff(""), ',');
    }

    #[test]
    fn a_sample_that_ends_inside_a_record_still_tells() {
        assert_eq!(sniff_delimiter(b"a;b;c\n1;2;3\n4;", false), b';');
        assert_eq!(sniff_delimiter(b"x1;x2;x3;x", false), b';');
    }
}
