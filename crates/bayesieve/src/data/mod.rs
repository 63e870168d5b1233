//! Tables of typed columns: read from files, binned, split, made up.

mod codes;
mod column;
pub mod discretize;
mod domain;
pub mod generate;
pub mod split;
mod table;

pub use codes::{Code, Codes};
pub use column::{Column, KindOrigin, Nominal, Values};
pub use discretize::{CutPoints, Discretizer, Training};
pub use domain::{Domain, parse_number};
pub use generate::Generator;
pub use split::{Folds, Split};
pub use table::Table;
