//! Codes in the order of their first rows.
//!
//! Codes follow the labels. What must be the same whatever the labels are, as folds and ties
//! of classes, goes by this order instead.

use super::Codes;
use crate::fingerprint::Fingerprint;

/// The place of every code among the codes that have rows, by first row; `u32::MAX` for a code
/// without a row. Codes above all that have rows are left out.
pub(crate) fn places_by_first_row(codes: &Codes) -> Vec<u32> {
    let mut places: Vec<u32> = Vec::new();
    let mut n_placed = 0;
    for code in codes.iter().flatten() {
        let code = code as usize;
        if code >= places.len() {
            places.resize(code + 1, u32::MAX);
        }
        if places[code] == u32::MAX {
            places[code] = n_placed;
            n_placed += 1;
        }
    }
    places
}

/// A number that tells apart which rows share a class, whatever the classes are called.
pub(crate) fn class_fingerprint(class: &Codes) -> u64 {
    let places = places_by_first_row(class);
    let mut hash = Fingerprint::new();
    for code in class.iter() {
        let place = code.map_or(u32::MAX, |code| places[code as usize]);
        hash.bytes(&place.to_le_bytes());
    }
    hash.value()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_follow_first_rows() {
        let codes = Codes::new(5, [None, Some(3), Some(0), Some(3), Some(1)]);
        assert_eq!(places_by_first_row(&codes), [1, 2, u32::MAX, 0]);
        assert!(places_by_first_row(&Codes::new(2, [])).is_empty());
    }

    #[test]
    fn fingerprints_know_rows_and_not_codes() {
        let of = |codes: [u32; 4]| class_fingerprint(&Codes::new(3, codes.map(Some)));
        assert_eq!(of([0, 1, 1, 2]), of([2, 0, 0, 1]));
        assert_ne!(of([0, 1, 1, 2]), of([0, 1, 2, 2]));
    }
}
