//! Tables that tests of scores, searches and methods share.

use crate::data::{CodedTable, CodingOptions, Generator, Nominal, RoleOptions, Roles};

/// Example 1 of the MDL-FS paper: features A1 to A8 at places 0 to 7, class C.
pub(crate) fn example1(n_rows: usize) -> CodedTable {
    let table = Generator::Example1.generate(n_rows, 1).unwrap();
    let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
    CodedTable::new(&table, &roles, CodingOptions::default()).unwrap()
}

/// The codes of all features.
pub(crate) fn features(table: &CodedTable) -> Vec<&Nominal> {
    let coded = table.features.iter().map(|f| f.coded().unwrap());
    coded.collect()
}
