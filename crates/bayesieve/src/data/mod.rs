//! Tables of typed columns: read from files, binned, split, made up.

mod appearance;
mod class_bins;
mod coded;
mod column;
pub mod discretize;
mod domain;
mod domains;
mod few_numbers;
mod fingerprint;
pub mod generate;
mod identifiers;
mod missing;
mod names;
mod notation;
mod profile;
pub mod read;
mod roles;
pub mod split;
mod table;
mod weights;
pub mod write;

pub(crate) use appearance::{class_fingerprint, places_by_first_row};
pub use bayesieve_counts::{Code, Codes};
pub(crate) use class_bins::check_class_bins;
pub use coded::{CodedTable, CodingOptions, Feature};
pub use column::{Column, KindOrigin, Nominal, Values};
pub use discretize::{CutPoints, DISCRETIZERS, Discretizer, DiscretizerDescription, Training};
pub use domain::{Domain, format_number, parse_number};
pub use domains::{ColumnDomain, DOMAINS_SCHEMA, Domains};
pub(crate) use few_numbers::few_numbers_note;
pub(crate) use fingerprint::{add_column, add_nominal};
pub use generate::{Generator, GeneratorDescription};
pub use identifiers::Identifier;
pub use missing::MissingPolicy;
pub use names::{nearest, unknown_name};
pub use notation::{DatesPolicy, Notation};
pub use profile::{EachFile, Profile, ProfileColumns, ProfileOptions, learn_domains};
pub(crate) use read::COUNTS_MAGIC;
#[cfg(feature = "arrow")]
pub use read::column_from_arrow;
pub use read::{
    BlockRequest, ColumnChoice, ColumnKind, ReadOptions, RowBlock, RowBlocks, read_table,
};
pub use roles::{RoleOptions, Roles, class_codes};
pub use split::{Folds, Split};
pub use table::Table;
pub use weights::RowWeights;
pub use write::{
    check_folder, check_table_path, write_blocks, write_csv, write_csv_blocks, write_table,
    write_whole,
};
