//! Options that mean the same in every subcommand.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bayesieve::data::{
    CodedTable, CodingOptions, ColumnChoice, Discretizer, MissingPolicy, ReadOptions, RoleOptions,
    Roles, Table, read_table, unknown_name,
};
use bayesieve::separation::check_block_file;
use bayesieve::{Error, Result, quoted};
use clap::Args;

use crate::counted::CountedOptions;
use crate::progress::Progress;

/// What to read, and how.
#[derive(Args)]
pub(crate) struct ReadingOptions {
    /// CSV (any delimiter, also gzipped), ARFF, Parquet or Arrow IPC; `-` is CSV on
    /// standard input
    pub(crate) data: PathBuf,

    #[command(flatten)]
    pub(crate) how: HowToRead,
}

/// How cells become columns.
#[derive(Args, Clone, Debug)]
pub(crate) struct HowToRead {
    /// Columns to take as labels, or `all` [default: text, and whole numbers with at most
    /// 20 distinct values]
    #[arg(long, value_name = "A,B|all", allow_hyphen_values = true)]
    nominal: Option<String>,

    /// Columns to take as numbers, or `all` but the class
    #[arg(long, value_name = "A,B|all", allow_hyphen_values = true)]
    numeric: Option<String>,

    /// Cells that count as empty, besides really empty ones and NaN; '' for no others
    /// [default: ?,NA,null; for predict as in training]
    #[arg(long, value_name = "A,B", allow_hyphen_values = true)]
    na: Option<String>,

    /// Delimiter of a CSV file: auto, tab, or a mark such as , ; or | [default: auto]
    #[arg(long, value_name = "CHAR", value_parser = delimiter)]
    delimiter: Option<Delimiter>,
}

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

/// `--delimiter`: found by itself, or given.
#[derive(Clone, Copy, Debug)]
struct Delimiter(Option<u8>);

/// How a run behaves and where its result goes.
#[derive(Args)]
pub(crate) struct RunOptions {
    /// Threads to use, 0 for all cores; never changes an answer
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) threads: usize,

    /// Print one JSON document instead of the table for people
    #[arg(long)]
    pub(crate) json: bool,

    /// Also write the JSON document to this file, whole or not at all
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// No progress and no notes; errors still show
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// More threads than this only get in each other's way.
const MOST_THREADS: usize = 512;

/// Sets the number of threads for the whole run.
pub(crate) fn start_threads(threads: usize) -> Result<()> {
    if threads > MOST_THREADS {
        return Err(
            Error::usage(format!("--threads {threads} is above {MOST_THREADS}"))
                .with_hint("Use fewer threads, or 0 for all cores."),
        );
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .map_err(|error| {
            Error::usage(format!("--threads {threads}: {error}"))
                .with_hint("Use fewer threads, or 0 for all cores.")
        })
}

impl ReadingOptions {
    /// How to read the table, as far as the options say.
    pub(crate) fn options(&self) -> Result<ReadOptions> {
        let mut options = ReadOptions {
            delimiter: self.how.delimiter.and_then(|delimiter| delimiter.0),
            nominal: choice("--nominal", self.how.nominal.as_deref())?,
            numeric: choice("--numeric", self.how.numeric.as_deref())?,
            ..ReadOptions::default()
        };
        if let Some(na) = &self.how.na {
            options.missing = vec![String::new(), "NaN".into()];
            if !na.trim().is_empty() {
                options.missing.extend(names("--na", na)?);
            }
        }
        Ok(options)
    }

    /// Whether the user said which cells count as empty.
    pub(crate) fn names_empty_cells(&self) -> bool {
        self.how.na.is_some()
    }

    /// Reads the table. Nothing is written before, so a signal may end the run at once.
    pub(crate) fn read(&self, options: &ReadOptions, progress: &Progress) -> Result<Table> {
        progress.while_waiting(|| read_table(&self.data, options, progress))
    }
}

impl HowToRead {
    /// The options that say what cells are, each with whether it is given.
    pub(crate) fn kinds_given(&self) -> [(&'static str, bool); 3] {
        [
            ("--nominal", self.nominal.is_some()),
            ("--numeric", self.numeric.is_some()),
            ("--na", self.na.is_some()),
        ]
    }
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

/// Refuses `-` for an output that must be a file.
pub(crate) fn require_file(option: &str, path: &Path) -> Result<()> {
    if path.as_os_str() == "-" {
        return Err(Error::usage(format!("{option} - names no file"))
            .with_hint("Name the file to write; here standard output is for the summary."));
    }
    Ok(())
}

/// Refuses an output that is an input or another output, before anything is read.
pub(crate) fn check_paths(inputs: &[&Path], outputs: &[(&str, Option<&PathBuf>)]) -> Result<()> {
    // A file that does not exist yet has no canonical path; its folder has.
    let place = |path: &Path| {
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        path.canonicalize().unwrap_or_else(|_| {
            let folder = folder.unwrap_or(Path::new(".")).canonicalize();
            folder
                .unwrap_or_default()
                .join(path.file_name().unwrap_or_default())
        })
    };
    let mut taken: Vec<(&str, PathBuf)> =
        inputs.iter().map(|path| ("input", place(path))).collect();
    for (option, path) in outputs {
        let Some(path) = path else { continue };
        if path.as_os_str() == "-" {
            return Err(Error::usage(format!("{option} - names no file"))
                .with_hint("Leave the option out to write to standard output."));
        }
        let path = place(path);
        if let Some((other, _)) = taken.iter().find(|(_, known)| *known == path) {
            return Err(
                Error::usage(format!("{option} would overwrite the {other}"))
                    .in_file(&path)
                    .with_hint("Write to another file."),
            );
        }
        taken.push((option, path));
    }
    Ok(())
}

fn choice(option: &str, text: Option<&str>) -> Result<ColumnChoice> {
    Ok(match text {
        None => ColumnChoice::None,
        Some("all") => ColumnChoice::All,
        Some(text) => ColumnChoice::Names(names(option, text)?),
    })
}

/// Splits names at commas. A name in double quotes may hold commas; two quotes inside
/// stand for one.
pub(crate) fn names(option: &str, text: &str) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let mut rest = text.trim();
    loop {
        let (name, behind) = match rest.strip_prefix('"') {
            Some(quoted) => quoted_name(quoted).ok_or_else(|| {
                Error::usage(format!("{option}: a double quote is not closed"))
                    .with_hint("Write \"a,b\" for one name with a comma.")
            })?,
            None => {
                let end = rest.find(',').unwrap_or(rest.len());
                (rest[..end].trim().to_owned(), &rest[end..])
            }
        };
        if name.is_empty() {
            return Err(Error::usage(format!("{option}: a name is empty"))
                .with_hint("Separate names by single commas."));
        }
        names.push(name);
        match behind.trim_start().strip_prefix(',') {
            Some(next) => rest = next.trim_start(),
            None => return Ok(names),
        }
    }
}

/// A name up to its closing quote, and what stands behind it; only a comma may.
fn quoted_name(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut rest = text;
    loop {
        let (part, behind) = rest.split_once('"')?;
        name.push_str(part);
        match behind.strip_prefix('"') {
            Some(next) => {
                name.push('"');
                rest = next;
            }
            None => {
                let is_end = behind.trim_start().is_empty() || behind.trim_start().starts_with(',');
                return is_end.then_some((name, behind));
            }
        }
    }
}

/// `--budget`: 500ms, 30s, 5m, 1h30m.
pub(crate) fn budget(text: &str) -> std::result::Result<Duration, String> {
    const WRONG: &str = "write a time above zero with its unit: 500ms, 30s, 5m, 1h30m";
    let mut rest = text.trim();
    let mut total = Duration::ZERO;
    // Larger units come first, each once: 30m1h is a slip.
    let mut smallest = u64::MAX;
    while !rest.is_empty() {
        let end = rest
            .find(|ch: char| !ch.is_ascii_digit())
            .unwrap_or(rest.len());
        let number: u64 = rest[..end].parse().map_err(|_| WRONG)?;
        let behind = &rest[end..];
        let end = behind
            .find(|ch: char| ch.is_ascii_digit())
            .unwrap_or(behind.len());
        let milliseconds = match &behind[..end] {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            "h" => 3_600_000,
            _ => return Err(WRONG.into()),
        };
        if milliseconds >= smallest {
            return Err(WRONG.into());
        }
        smallest = milliseconds;
        let part = number.checked_mul(milliseconds).ok_or(WRONG)?;
        total = total
            .checked_add(Duration::from_millis(part))
            .ok_or(WRONG)?;
        rest = &behind[end..];
    }
    if total.is_zero() {
        return Err(WRONG.into());
    }
    Ok(total)
}

fn delimiter(text: &str) -> std::result::Result<Delimiter, String> {
    match text {
        "auto" => Ok(Delimiter(None)),
        "tab" | "\\t" => Ok(Delimiter(Some(b'\t'))),
        text => match text.as_bytes() {
            [byte]
                if byte.is_ascii()
                    && !b"\"\n\r".contains(byte)
                    && !byte.is_ascii_alphanumeric() =>
            {
                Ok(Delimiter(Some(*byte)))
            }
            _ => Err("use auto, tab, or one character such as , ; or |".into()),
        },
    }
}

/// Refuses a file of blocks that names what is no column of the table.
pub(crate) fn check_blocks(settings: &[String], table: &Table) -> Result<()> {
    check_block_files(&files_of_settings(settings), table)
}

/// The same for files that are known.
pub(crate) fn check_block_files(files: &[PathBuf], table: &Table) -> Result<()> {
    let names: Vec<&str> = table.names().collect();
    let mut files = files.iter();
    files.try_for_each(|file| check_block_file(file, &names))
}

/// A feature to keep must be a candidate: said before anything is computed.
pub(crate) fn check_keep(
    keep: &[String],
    (table, roles): (&Table, &Roles),
    options: &DataOptions,
) -> Result<()> {
    for name in keep {
        let Some(place) = table.position(name) else {
            let known = roles.features.iter().map(|&f| table.columns()[f].name());
            return Err(unknown_name("feature", name, known));
        };
        if place == roles.class {
            return Err(
                Error::usage(format!("--keep names the class {}", quoted(name)))
                    .with_hint("Name features only."),
            );
        }
        if roles.excluded.contains(&place) {
            let option = options.excluding_option();
            return Err(Error::usage(format!(
                "--keep names {}, which {option} leaves out",
                quoted(name)
            ))
            .with_hint("Name it in one of them."));
        }
    }
    Ok(())
}

/// Files that settings name: they are inputs.
pub(crate) fn files_of_settings(settings: &[String]) -> Vec<PathBuf> {
    let files = settings
        .iter()
        .filter_map(|text| text.strip_prefix("blocks="));
    files
        .filter(|&value| value != "found" && !value.starts_with('['))
        .map(PathBuf::from)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_split_at_commas_outside_quotes() {
        assert_eq!(names("--x", "a, b").unwrap(), ["a", "b"]);
        assert_eq!(names("--x", "\"a,b\",c").unwrap(), ["a,b", "c"]);
        assert_eq!(
            names("--x", "5\" pipe,\"q\"\"z\"").unwrap(),
            ["5\" pipe", "q\"z"]
        );
        assert!(names("--x", "a,,b").is_err());
        assert!(names("--x", "\"a").is_err());
    }

    #[test]
    fn an_output_must_not_be_an_input_or_another_output() {
        let folder = tempfile::tempdir().unwrap();
        let (data, new) = (
            folder.path().join("data.csv"),
            folder.path().join("new.csv"),
        );
        std::fs::write(&data, "a").unwrap();
        assert!(check_paths(&[&data], &[("-o", Some(&new))]).is_ok());
        assert!(check_paths(&[&data], &[("-o", Some(&data))]).is_err());
        assert!(check_paths(&[&data], &[("-o", Some(&new)), ("--pairs", Some(&new))]).is_err());
    }

    #[test]
    fn a_budget_is_a_time_with_its_unit() {
        assert_eq!(budget("500ms").unwrap(), Duration::from_millis(500));
        assert_eq!(budget("1h30m").unwrap(), Duration::from_secs(5_400));
        for bad in [
            "",
            "0s",
            "30",
            "-5s",
            "s",
            "1.5h",
            "30m1h",
            "5x",
            "99999999999999999999h",
        ] {
            assert!(budget(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_delimiter_is_one_mark() {
        assert_eq!(delimiter("tab").unwrap().0, Some(b'\t'));
        assert_eq!(delimiter(";").unwrap().0, Some(b';'));
        for bad in ["", "ab", "x", "\"", "ü"] {
            assert!(delimiter(bad).is_err(), "{bad}");
        }
    }
}
