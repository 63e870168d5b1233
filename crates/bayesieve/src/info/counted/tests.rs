use super::testing::{count_file, counted, mixed, named_tables, numbers};
use super::{ColumnFacts, Counted};
use crate::Silent;
use crate::data::{CodedTable, CodingOptions, MissingPolicy};

fn facts(table: &CodedTable) -> Vec<ColumnFacts> {
    let columns = table.features.iter().map(|feature| &feature.column);
    let fact = |column: &std::sync::Arc<crate::data::Column>| ColumnFacts {
        n_distinct: column.n_distinct(),
        has_more_values: false,
        n_missing: column.n_missing(),
    };
    columns.map(fact).collect()
}

#[test]
fn a_count_file_knows_the_facts_of_every_column() {
    for missing in [
        MissingPolicy::Value,
        MissingPolicy::Available,
        MissingPolicy::Drop,
    ] {
        let options = CodingOptions {
            missing,
            ..CodingOptions::default()
        };
        for table in [mixed(90, missing), mixed(700, missing)] {
            let counted = Counted::of_file(count_file(&table, options)).unwrap();
            assert_eq!(counted.facts(), facts(&table), "{missing}");
            assert_eq!(counted.tables().max_features(), Some(2));
        }
    }
    let table = numbers(300, MissingPolicy::Value);
    let counted = Counted::of_file(count_file(&table, CodingOptions::default())).unwrap();
    assert_eq!(counted.facts(), facts(&table));
    // Some gaps, and a column of nothing else.
    assert!(counted.facts()[0].n_missing > 10);
    assert_eq!(counted.facts()[5].n_missing, 300);
}

#[test]
fn some_features_tell_what_they_told_among_all() {
    for (name, table) in named_tables() {
        let all = counted(&table, 57, 1 << 30);
        let places: Vec<usize> = (0..table.features.len()).filter(|p| p % 3 != 1).collect();
        let some = all.with_features(&places).unwrap();
        let n = places.len();
        assert_eq!(some.outline().features.len(), n);
        assert_eq!(some.facts()[n - 1], all.facts()[places[n - 1]]);
        let numbered: Vec<usize> = (0..n).collect();
        let ours = some.informations(&numbered).unwrap();
        let theirs = all.informations(&places).unwrap();
        assert_eq!(ours.singles(), theirs.singles(), "{name}");
        let pairs: Vec<(usize, usize)> = (1..n).map(|b| (b - 1, b)).collect();
        assert_eq!(
            ours.pairs(&pairs, &Silent).unwrap(),
            theirs.pairs(&pairs, &Silent).unwrap(),
            "{name}"
        );
    }
    let all = counted(&named_tables().remove(0).1, 57, 1 << 30);
    assert!(all.with_features(&[3, 1]).is_err());
    assert!(all.with_features(&[8]).is_err());
}
