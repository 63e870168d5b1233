//! Tables from files: CSV, ARFF, Parquet and Arrow IPC.

mod coded;
mod csv;
mod dictionary;
mod encode;
mod fault;
mod options;
mod sniff;
mod source;

pub use self::csv::read_csv;
pub use options::{ColumnChoice, ReadOptions};
