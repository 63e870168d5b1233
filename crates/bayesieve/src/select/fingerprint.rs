//! A number that tells tables apart.

use super::SelectOptions;
use crate::data::{CodedTable, Folds, add_column, add_nominal};
use crate::fingerprint::Fingerprint;
use crate::measure::Measure;

/// Of all that a run reads: names, labels, cells, classes, folds, a file of blocks, and the
/// measure where it is not accuracy.
pub(super) fn of(table: &CodedTable, options: &SelectOptions) -> Fingerprint {
    let mut hash = Fingerprint::new();
    hash.text(&table.class_name);
    add_nominal(&mut hash, &table.class);
    for feature in &table.features {
        add_column(&mut hash, &feature.column);
    }
    // A file that cannot be read is an error of its own as soon as blocks are made.
    let blocks = options.training().block.file().map(std::fs::read);
    if let Some(Ok(blocks)) = blocks {
        hash.bytes(&blocks);
    }
    let folds = options.folds().map_or(&[][..], Folds::fold_of_row);
    folds
        .iter()
        .for_each(|fold| hash.bytes(&fold.to_le_bytes()));
    if options.measure != Measure::ACCURACY {
        hash.text(options.measure.name);
        if let Some(stakes) = &options.stakes {
            hash.bytes(&(stakes.positive() as u64).to_le_bytes());
            let costs = stakes.costs().map_or(&[][..], |costs| costs.costs());
            costs
                .iter()
                .for_each(|cost| hash.bytes(&cost.to_bits().to_le_bytes()));
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use crate::measure::Stakes;
    use crate::select::testing::coded;
    use crate::select::{Method, SelectOptions};

    fn of(text: &str) -> String {
        let options = SelectOptions::new(Method::named("all").unwrap()).unwrap();
        super::of(&coded(text), &options).to_string()
    }

    #[test]
    fn the_measure_shows_unless_it_is_accuracy() {
        let table = coded("a,b,class\nx,1.5,0\ny,2.5,1\n");
        let accuracy = SelectOptions::new(Method::named("wrapper").unwrap()).unwrap();
        let by = |measure: &str, positive: Option<&str>| {
            let mut options = accuracy.clone();
            options.measure = measure.parse().unwrap();
            let labels = ["0".to_owned(), "1".to_owned()];
            let stakes = Stakes::new(&[1, 1]);
            let with = |label| stakes.clone().with_positive(label, &labels).unwrap();
            options.stakes = positive.map(with);
            super::of(&table, &options).to_string()
        };
        assert_eq!(by("accuracy", Some("0")), by("accuracy", None));
        assert_ne!(by("accuracy", None), by("auc", None));
        assert_ne!(by("auc", Some("0")), by("auc", Some("1")));
        assert_ne!(by("auc", Some("0")), by("f1", Some("0")));
    }

    #[test]
    fn every_change_of_the_data_shows() {
        let plain = "a,b,class\nx,1.5,0\ny,2.5,1\n";
        assert_eq!(of(plain), of(plain));
        for other in [
            "a,c,class\nx,1.5,0\ny,2.5,1\n",
            "a,b,class\ny,1.5,0\nx,2.5,1\n",
            "a,b,class\nx,1.5,1\ny,2.5,0\n",
            "a,b,class\nx,1.5,0\ny,-2.5,1\n",
            "a,b,class\nx,1.5,0\nz,2.5,1\n",
            "a,b,class\nx,1.5,0\n,2.5,1\n",
        ] {
            assert_ne!(of(plain), of(other), "{other}");
        }
    }
}
