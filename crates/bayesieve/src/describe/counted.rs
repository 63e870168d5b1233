//! Descriptions from counts of rows that are somewhere else.

use super::{DescribedColumns, Description, Levels, PairDescription, no_row, pairs_of, positions};
use crate::Observer;
use crate::Result;
use crate::counts::CountTable;
use crate::data::Feature;
use crate::fingerprint::Fingerprint;
use crate::info::Counted;

/// As [`describe`](super::describe), from counts of rows that are somewhere else: the same to
/// the last bit but for what occurs twice.
///
/// Which rows are equal is not known. Columns of numbers are compared by their bins: two of
/// equal cut points whose bins agree in every row count as equal, where there is a cut.
///
/// # Errors
/// There is no row, counts that cannot be had, or the observer cancelled.
///
/// # Cost
/// For level 1 the tables of all pairs; else those of columns that may be equal.
pub fn describe_counted(
    counted: &Counted,
    levels: Levels,
    observer: &dyn Observer,
) -> Result<Description> {
    let table = counted.outline();
    if counted.tables().n_rows() == 0 {
        return Err(no_row());
    }
    let known = DescribedColumns {
        table,
        facts: counted.facts(),
        info: &counted.informations(&positions(table))?,
    };
    Ok(Description {
        duplicate_features: counted.tables().equal_groups(
            alike(counted),
            observer,
            |pair, table| is_copy(counted, pair, table),
        )?,
        ..known.describe(levels, observer)?
    })
}

/// As [`describe_pairs`](super::describe_pairs), from counts.
///
/// # Errors
/// Counts that cannot be had, or the observer cancelled.
pub fn describe_counted_pairs(
    counted: &Counted,
    observer: &dyn Observer,
) -> Result<Vec<PairDescription>> {
    let positions = positions(counted.outline());
    pairs_of(&counted.informations(&positions)?, &positions, observer)
}

/// Groups of features that may be equal: values, cut points and counts are.
fn alike(counted: &Counted) -> Vec<Vec<usize>> {
    let features = counted.outline().features.iter().enumerate();
    let may_be = features.filter(|(_, feature)| can_be_compared(feature));
    let mut prints: Vec<(u64, usize)> = may_be
        .map(|(place, feature)| (fingerprint(counted, place, feature), place))
        .collect();
    prints.sort_unstable();
    let groups = prints.chunk_by(|x, y| x.0 == y.0);
    let groups = groups.map(|group| group.iter().map(|&(_, place)| place).collect());
    groups
        .filter(|group: &Vec<usize>| group.len() > 1)
        .collect()
}

/// Numbers without a cut may be anything.
fn can_be_compared(feature: &Feature) -> bool {
    let has_cut = |feature: &Feature| {
        let cuts = feature.cuts.as_ref();
        cuts.is_some_and(|cuts| !cuts.as_slice().is_empty())
    };
    feature.column.as_numeric().is_none() || has_cut(feature)
}

fn fingerprint(counted: &Counted, place: usize, feature: &Feature) -> u64 {
    let mut hash = Fingerprint::new();
    hash.whole(u64::from(feature.cuts.is_some()));
    match (&feature.cuts, feature.coded()) {
        (Some(cuts), _) => cuts.as_slice().iter().for_each(|&cut| hash.number(cut)),
        (None, Some(coded)) => {
            let labels = coded.domain.labels();
            labels.iter().for_each(|label| hash.text(label));
        }
        (None, None) => {}
    }
    let facts = counted.facts()[place];
    hash.whole(facts.n_distinct as u64);
    hash.whole(facts.n_missing as u64);
    counted.tables().single(place).for_each(|cell, n| {
        let numbers = [cell.class as u64, cell.a as u64, n];
        numbers.iter().for_each(|&number| hash.whole(number));
    });
    hash.value()
}

/// Whether two features have the same codes in every row, for the same values.
fn is_copy(counted: &Counted, (a, b): (usize, usize), table: &CountTable) -> bool {
    let feature = |place: usize| &counted.outline().features[place];
    let (first, second) = (feature(a), feature(b));
    let labels = |feature: &Feature| feature.coded().map(|coded| coded.domain.clone());
    let means_the_same = first.cuts == second.cuts && labels(first) == labels(second);
    let mut is_diagonal = true;
    table.for_each(|cell, _| is_diagonal &= cell.a == cell.b);
    // With gaps left open, copies have them in the same rows.
    let n_rows = |place: usize| counted.tables().single(place).n_rows();
    let shares_gaps = [a, b].iter().all(|&place| n_rows(place) == table.n_rows());
    means_the_same && is_diagonal && shares_gaps
}

#[cfg(test)]
mod tests {
    use super::super::{describe, describe_pairs};
    use super::*;
    use crate::Silent;
    use crate::data::{CodedTable, CodingOptions, MissingPolicy};
    use crate::info::testing::{
        coded, count_file, counted, counted_pairs, counted_tight, mixed, named_tables, numbers,
    };

    /// Everything a description says, with numbers to the last bit, and columns by name.
    fn said(description: &Description) -> String {
        let mut description = description.clone();
        description.duplicate_rows = None;
        let features = description.features.iter_mut();
        let names = features.map(|feature| {
            let name = feature.column.name().to_owned();
            // Its rows are not there.
            feature.column = std::sync::Arc::new(feature.column.take(&[]));
            name
        });
        let names: Vec<String> = names.collect();
        format!("{names:?} {description:#?}")
    }

    fn compare(name: &str, table: &CodedTable) {
        let sources = [
            counted(table, 57, 1 << 30),
            counted_tight(table),
            counted_pairs(table),
        ];
        for levels in [Levels::Zero, Levels::One] {
            let by_rows = describe(table, levels, &Silent).unwrap();
            assert!(by_rows.duplicate_rows.is_some());
            for source in &sources {
                let by_counts = describe_counted(source, levels, &Silent).unwrap();
                assert_eq!(by_counts.duplicate_rows, None);
                assert_eq!(said(&by_counts), said(&by_rows), "{name}");
            }
        }
        let by_rows = describe_pairs(table, &Silent).unwrap();
        for source in &sources {
            let by_counts = describe_counted_pairs(source, &Silent).unwrap();
            assert_eq!(by_counts, by_rows, "{name}");
        }
    }

    #[test]
    fn counts_describe_the_same_as_rows() {
        for (name, table) in named_tables() {
            compare(name, &table);
        }
        for missing in [MissingPolicy::Available, MissingPolicy::Drop] {
            compare("mixed", &mixed(700, missing));
        }
    }

    #[test]
    fn a_count_file_describes_numbers_and_empty_columns() {
        let table = numbers(300, MissingPolicy::Value);
        let file = count_file(&table, CodingOptions::default());
        let counted = Counted::of_file(file).unwrap();
        let by_counts = describe_counted(&counted, Levels::Auto, &Silent).unwrap();
        let kinds: Vec<&str> = by_counts.features.iter().map(|f| f.kind.name()).collect();
        let nominal = ["nominal", "nominal", "empty"];
        assert_eq!(kinds[..3], ["numeric"; 3]);
        assert_eq!(kinds[3..], nominal);
        assert_eq!(by_counts.duplicate_features, [[0, 1], [3, 4]]);
    }

    #[test]
    fn equal_columns_have_equal_labels_in_every_row() {
        // b and d are a under other labels and with one row changed; c and f are copies of it.
        let text = "a,b,c,d,e,f,class\n\
                    x,1,x,x,x,x,k\n\
                    x,1,x,x,y,x,l\n\
                    y,2,y,y,x,y,k\n\
                    y,2,y,x,y,y,l\n\
                    x,1,x,y,x,x,l\n";
        let table = coded(text);
        compare("copies", &table);
        let by_counts = describe_counted(&counted_pairs(&table), Levels::Zero, &Silent).unwrap();
        assert_eq!(by_counts.duplicate_features, [[0, 2, 5]]);
    }
}
