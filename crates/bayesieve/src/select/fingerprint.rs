//! A number that tells tables apart.

use std::fmt;

use crate::data::{CodedTable, Codes, Folds, Nominal, Values};

/// A hash of all that a run reads: names, labels, cells, classes and folds. FNV-1a with 64
/// bits: the same on every machine, and no guard against those who mean to deceive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fingerprint(u64);

impl Fingerprint {
    /// Of a table and folds of its rows.
    pub(super) fn of(table: &CodedTable, folds: Option<&Folds>) -> Self {
        let mut hash = Fingerprint(0xcbf2_9ce4_8422_2325);
        hash.text(&table.class_name);
        hash.nominal(&table.class);
        for feature in &table.features {
            hash.text(feature.column.name());
            match feature.column.values() {
                Values::Nominal(nominal) => hash.nominal(nominal),
                Values::Numeric(numbers) => numbers.iter().for_each(|&x| hash.number(x)),
            }
        }
        let folds = folds.map_or(&[][..], Folds::fold_of_row);
        folds
            .iter()
            .for_each(|fold| hash.bytes(&fold.to_le_bytes()));
        hash
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    /// With its length, so that the ends of texts cannot shift.
    fn text(&mut self, text: &str) {
        self.bytes(&(text.len() as u64).to_le_bytes());
        self.bytes(text.as_bytes());
    }

    fn number(&mut self, x: f64) {
        self.bytes(&x.to_bits().to_le_bytes());
    }

    fn nominal(&mut self, nominal: &Nominal) {
        let labels = nominal.domain.labels();
        self.bytes(&(labels.len() as u64).to_le_bytes());
        labels.iter().for_each(|label| self.text(label));
        self.codes(&nominal.codes);
    }

    fn codes(&mut self, codes: &Codes) {
        let cells = codes.iter().map(|code| code.unwrap_or(u32::MAX));
        cells.for_each(|code| self.bytes(&code.to_le_bytes()));
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::testing::coded;

    fn of(text: &str) -> String {
        Fingerprint::of(&coded(text), None).to_string()
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

    #[test]
    fn the_hash_is_fnv_1a() {
        // The published value of "a" with 64 bits.
        let mut hash = Fingerprint(0xcbf2_9ce4_8422_2325);
        hash.bytes(b"a");
        assert_eq!(hash.to_string(), "af63dc4c8601ec8c");
    }
}
