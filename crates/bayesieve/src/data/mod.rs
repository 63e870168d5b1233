
mod codes;
mod column;
pub mod discretize;
mod domain;
mod table;

pub use codes::{Code, Codes};
pub use column::{Column, KindOrigin, Nominal, Values};
pub use discretize::{CutPoints, Discretizer, Training};
pub use domain::{Domain, parse_number};
pub use table::Table;
