//! Tables of typed columns: read from files, binned, split, made up.

mod codes;
mod column;
mod domain;
mod names;
pub mod read;
mod table;
pub mod write;

pub use codes::{Code, Codes};
pub use column::{Column, KindOrigin, Nominal, Values};
pub use domain::{Domain, format_number, parse_number};
pub use names::{nearest, unknown_name};
pub use read::{
    ColumnChoice, ReadOptions, read_arff, read_arrow, read_csv, read_parquet, read_table,
};
pub use table::Table;
pub use write::{write_csv, write_table, write_whole};
