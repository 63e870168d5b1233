//! Tables of typed columns: read from files, binned, split, made up.

mod codes;
mod column;
mod domain;
mod names;
mod read;
mod table;

pub use codes::{Code, Codes};
pub use column::{Column, KindOrigin, Nominal, Values};
pub use domain::{Domain, format_number, parse_number};
pub use names::{nearest, unknown_name};
pub use read::{ColumnChoice, ReadOptions, read_arff, read_csv};
pub use table::Table;
