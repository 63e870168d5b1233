//! What is read, which column is which, and how it becomes codes.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bayesieve::data::{
    CodedTable, CodingOptions, Discretizer, MissingPolicy, ReadOptions, RoleOptions, Roles, Table,
};
use bayesieve::run::DataRequest;
use bayesieve::{Error, Result};
use clap::Args;

use super::{HowToRead, ReadingOptions, list, names};
use crate::counted::CountedOptions;
use crate::progress::Progress;

/// What to read, which column is which, and how it becomes codes.
#[derive(Args, Clone)]
pub(crate) struct DataOptions {
    /// CSV (any delimiter, also gzipped), ARFF, Parquet or Arrow IPC; `-` is CSV on
    /// standard input
    data: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) counted: CountedOptions,

    #[command(flatten)]
    how: HowToRead,

    #[command(flatten)]
    columns: ColumnOptions,
}

/// Which column is which, and how columns become codes.
#[derive(Args, Clone, Debug)]
pub(crate) struct ColumnOptions {
    /// The class column [default: the column named `class`, else the last]
    #[arg(
        long,
        visible_alias = "target",
        value_name = "NAME",
        allow_hyphen_values = true
    )]
    class: Option<String>,

    /// Use only these features; a name with a comma goes in double quotes
    #[arg(long, value_name = "A,B", allow_hyphen_values = true)]
    features: Option<String>,

    /// Never use these columns
    #[arg(long, value_name = "A,B", allow_hyphen_values = true)]
    ignore: Option<String>,

    /// Empty cells: `value`, a value of their own; `drop` their rows; `available`, count
    /// the complete rows of every table; `refuse` [default: value]
    #[arg(long, value_name = "POLICY")]
    missing: Option<MissingPolicy>,

    /// How numbers become bins: mdlp (where it pays for the class), width:K, frequency:K,
    /// or none [default: mdlp]
    #[arg(long, value_name = "HOW")]
    discretize: Option<Discretizer>,
}

impl ColumnOptions {
    /// The options that say how columns become codes, each with whether it is given.
    pub(crate) fn coding_given(&self) -> [(&'static str, bool); 3] {
        [
            ("--class", self.class.is_some()),
            ("--missing", self.missing.is_some()),
            ("--discretize", self.discretize.is_some()),
        ]
    }

    /// The options that choose among columns, each with whether it is given.
    pub(crate) fn chosen(&self) -> [(&'static str, bool); 2] {
        [
            ("--features", self.features.is_some()),
            ("--ignore", self.ignore.is_some()),
        ]
    }

    /// How cells become codes.
    pub(crate) fn coding(&self) -> CodingOptions {
        CodingOptions {
            missing: self.missing.unwrap_or_default(),
            discretizer: self.discretize.unwrap_or_default(),
        }
    }
}

impl DataOptions {
    /// A file of rows.
    pub(crate) fn of_file(file: &Path, how: &HowToRead, columns: &ColumnOptions) -> Self {
        DataOptions {
            data: Some(file.to_owned()),
            counted: CountedOptions::default(),
            how: how.clone(),
            columns: columns.clone(),
        }
    }

    /// What requests are told of it.
    pub(crate) fn request(&self) -> Result<DataRequest> {
        let columns = &self.columns;
        Ok(DataRequest {
            file: self.data.clone(),
            counts: self.counted.file().map(Path::to_owned),
            memory: self.counted.memory(),
            class: columns.class.clone(),
            features: list("--features", columns.features.as_deref())?,
            ignore: list("--ignore", columns.ignore.as_deref())?.unwrap_or_default(),
            missing: columns.missing,
            discretize: columns.discretize,
            ..self.how.request()?
        })
    }

    /// Refuses two sources and none.
    pub(crate) fn check(&self) -> Result<()> {
        match (&self.data, self.counted.file()) {
            (None, _) if self.counted.is_streamed() => {
                Err(Error::usage("there is nothing to read")
                    .with_hint("--memory needs the file of DATA."))
            }
            (None, None) => Err(Error::usage("there is nothing to read")
                .with_hint("Name the file of DATA, or a file of counts by --counts.")),
            (Some(_), Some(_)) => Err(Error::usage("both DATA and --counts are given")
                .with_hint("Leave one out: counts take the place of the rows.")),
            (None, Some(_)) => self.refuse_what_is_settled(),
            (Some(_), None) => Ok(()),
        }
    }

    /// Refuses to tell how rows are read where there are none.
    fn refuse_what_is_settled(&self) -> Result<()> {
        let delimiter = [("--delimiter", self.how.delimiter.is_some())];
        let given = self.columns.coding_given().into_iter();
        let mut given = given.chain(self.how.kinds_given()).chain(delimiter);
        match given.find(|(_, is_given)| *is_given) {
            Some((option, _)) => Err(Error::usage(format!(
                "{option} was settled when the rows were counted"
            ))
            .with_hint(format!("Leave it out, or count again with {option}."))),
            None => Ok(()),
        }
    }

    /// The file of rows, or that of counts.
    pub(crate) fn file(&self) -> &Path {
        let file = self.data.as_deref().or(self.counted.file());
        // None at all was refused before.
        file.unwrap_or(Path::new(""))
    }

    /// The same where the class is known.
    pub(crate) fn with_class(&self, name: &str) -> Self {
        let mut options = self.clone();
        options.columns.class = Some(name.to_owned());
        options
    }

    /// How to read the table.
    pub(crate) fn read_options(&self) -> Result<ReadOptions> {
        Ok(ReadOptions {
            class: self.columns.class.clone(),
            ..self.reading().options()?
        })
    }

    fn reading(&self) -> ReadingOptions {
        ReadingOptions {
            data: self.file().to_owned(),
            how: self.how.clone(),
        }
    }

    /// Reads the table, and says how long that took.
    pub(crate) fn read(&self, progress: &Progress) -> Result<(Table, Duration)> {
        let start = Instant::now();
        progress.stage("reading");
        let table = self.reading().read(&self.read_options()?, progress)?;
        Ok((table, start.elapsed()))
    }

    /// Finds the class and the features.
    pub(crate) fn roles(&self, table: &Table) -> Result<Roles> {
        self.roles_of(table, None)
    }

    /// As [`DataOptions::roles`], with other features than the options name.
    pub(crate) fn roles_of(&self, table: &Table, features: Option<Vec<String>>) -> Result<Roles> {
        let features = match (features, &self.columns.features) {
            (None, Some(text)) => Some(names("--features", text)?),
            (features, _) => features,
        };
        self.roles_among(table, features)
    }

    /// As [`DataOptions::roles`], with every column that is not ignored as a feature.
    pub(crate) fn roles_of_all(&self, table: &Table) -> Result<Roles> {
        self.roles_among(table, None)
    }

    /// What the options say about the columns.
    pub(crate) fn role_options(&self) -> Result<RoleOptions> {
        let named = |option, text: &Option<String>| {
            let text = text.as_deref();
            text.map(|text| names(option, text)).transpose()
        };
        Ok(RoleOptions {
            class: self.columns.class.clone(),
            features: named("--features", &self.columns.features)?,
            ignore: named("--ignore", &self.columns.ignore)?.unwrap_or_default(),
        })
    }

    fn roles_among(&self, table: &Table, features: Option<Vec<String>>) -> Result<Roles> {
        let options = RoleOptions {
            features,
            ..self.role_options()?
        };
        Roles::resolve(table, &options).map_err(|error| error.in_file_of_data(self.file()))
    }

    /// How cells become codes.
    pub(crate) fn coding(&self) -> CodingOptions {
        self.columns.coding()
    }

    /// Turns the table into codes.
    pub(crate) fn code(&self, table: &Table, roles: &Roles) -> Result<CodedTable> {
        CodedTable::new(table, roles, self.coding()).map_err(|error| error.in_file(self.file()))
    }

    /// What `--features` says, as it was written.
    pub(crate) fn features(&self) -> Option<&str> {
        self.columns.features.as_deref()
    }

    /// The option that leaves columns out.
    pub(crate) fn excluding_option(&self) -> &'static str {
        if self.columns.ignore.is_some() {
            "--ignore"
        } else {
            "--features"
        }
    }

    /// Refuses `--missing available` where tables larger than pairs are counted.
    pub(crate) fn refuse_available(&self, command: &str) -> Result<()> {
        self.coding().refuse_available(command)
    }
}
