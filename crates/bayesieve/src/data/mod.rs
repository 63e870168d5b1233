//! Tables of typed columns: read from files, binned, split, made up.

mod codes;
mod column;
mod domain;
mod table;

pub use codes::{Code, Codes};
pub use column::{Column, KindOrigin, Nominal, Values};
pub use domain::{Domain, parse_number};
pub use table::Table;
