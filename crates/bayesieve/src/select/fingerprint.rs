//! A number that tells tables apart.

use super::SelectOptions;
use crate::data::{CodedTable, Folds, add_column, add_nominal};
use crate::fingerprint::Fingerprint;

/// Of all that a run reads: names, labels, cells, classes, folds, and a file of blocks.
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
    hash
}

#[cfg(test)]
mod tests {
    use crate::select::testing::coded;
    use crate::select::{Method, SelectOptions};

    fn of(text: &str) -> String {
        let options = SelectOptions::new(Method::named("all").unwrap()).unwrap();
        super::of(&coded(text), &options).to_string()
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
