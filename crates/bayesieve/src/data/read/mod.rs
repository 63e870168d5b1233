//! Tables from files: CSV, ARFF, Parquet and Arrow IPC.

mod arff;
mod coded;
mod csv;
mod dictionary;
mod encode;
mod fault;
mod lines;
mod options;
mod sniff;
mod source;

pub use self::csv::read_csv;
pub use arff::read_arff;
pub use options::{ColumnChoice, ReadOptions};
