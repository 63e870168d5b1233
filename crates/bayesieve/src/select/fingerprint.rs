//! A number that tells tables apart.

use crate::data::{CodedTable, Codes, Folds, Nominal, Values};
use crate::fingerprint::Fingerprint;

/// Of all that a run reads of a table: names, labels, cells, classes and folds.
pub(super) fn of(table: &CodedTable, folds: Option<&Folds>) -> Fingerprint {
    let mut hash = Fingerprint::new();
    hash.text(&table.class_name);
    add_nominal(&mut hash, &table.class);
    for feature in &table.features {
        hash.text(feature.column.name());
        match feature.column.values() {
            Values::Nominal(nominal) => add_nominal(&mut hash, nominal),
            Values::Numeric(numbers) => numbers.iter().for_each(|&x| hash.number(x)),
        }
    }
    let folds = folds.map_or(&[][..], Folds::fold_of_row);
    folds
        .iter()
        .for_each(|fold| hash.bytes(&fold.to_le_bytes()));
    hash
}

fn add_nominal(hash: &mut Fingerprint, nominal: &Nominal) {
    let labels = nominal.domain.labels();
    hash.whole(labels.len() as u64);
    labels.iter().for_each(|label| hash.text(label));
    add_codes(hash, &nominal.codes);
}

fn add_codes(hash: &mut Fingerprint, codes: &Codes) {
    let cells = codes.iter().map(|code| code.unwrap_or(u32::MAX));
    cells.for_each(|code| hash.bytes(&code.to_le_bytes()));
}

#[cfg(test)]
mod tests {
    use crate::select::testing::coded;

    fn of(text: &str) -> String {
        super::of(&coded(text), None).to_string()
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
