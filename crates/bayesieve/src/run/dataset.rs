//! Data that a run works on, wherever the rows are.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{DataKind, DataRequest, FoldSource};
use crate::counts::{CountFile, Tables};
use crate::data::{
    CodedTable, CodingOptions, Column, Domains, Folds, KindOrigin, RoleOptions, Roles, RowWeights,
    Table, Values, few_numbers_note, read_table, unknown_name,
};
use crate::document::Seconds;
use crate::info::Counted;
use crate::select::Reason;
use crate::separation::check_block_file;
use crate::stream::{Stream, StreamOptions};
use crate::wording::{counted, grouped};
use crate::{Error, Observer, Result, Silent, check, parameter, printable, quoted};

/// A pass that takes longer is announced.
const LONG_PASS: Duration = Duration::from_secs(2);

/// Rows with a class, wherever they are: a table in memory, a file larger than memory, a count
/// file, or partitions that an engine counts.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::run::{Dataset, SelectRequest};
/// # use bayesieve::data::{Generator, write_table};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("data.csv");
/// # write_table(&path, &Generator::Example1.generate(3200, 1)?, &Silent)?;
///
/// let data = Dataset::read(path)?;
/// let outcome = SelectRequest::method("mdl-fs")?.run(&data, &Silent)?;
/// assert_eq!(outcome.selection.kept_names(), ["A2", "A6", "A1", "A4"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Dataset {
    request: DataRequest,
    rows: RowSource,
    /// All columns; without rows unless these are in memory.
    header: Table,
    roles: Roles,
    /// How often every row of the file is among those in memory.
    weights: Option<RowWeights>,
    /// What it took so far to read it.
    read: Duration,
}

/// Where the rows are.
enum RowSource {
    /// In the header.
    Memory,
    OutOfCore(Stream),
    Counts {
        kind: DataKind,
        domains: Domains,
        count: Box<Count>,
    },
}

/// Gives tables of all features; whether pairs are of use is said in advance.
type Count = dyn Fn(NeedsPairs) -> Result<Arc<dyn Tables>> + Send + Sync;

/// Whether a run will ask for tables of pairs of features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NeedsPairs {
    /// It will.
    Yes,
    /// Single tables are enough.
    No,
}

impl From<bool> for NeedsPairs {
    fn from(needs_pairs: bool) -> Self {
        if needs_pairs {
            NeedsPairs::Yes
        } else {
            NeedsPairs::No
        }
    }
}

impl fmt::Debug for RowSource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RowSource::Memory => out.write_str("Memory"),
            RowSource::OutOfCore(stream) => stream.fmt(out),
            RowSource::Counts { kind, .. } => kind.fmt(out),
        }
    }
}

impl Dataset {
    /// Reads a file of rows, all by default.
    ///
    /// # Errors
    /// As [`Dataset::open`].
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        Dataset::open(&DataRequest::file(path), &Silent)
    }

    /// Reads what the request names: the rows, their counts, or, where they stay in their file,
    /// the names of its columns.
    ///
    /// # Errors
    /// Those of [`DataRequest::check`], of reading, and of [`Roles::resolve`].
    pub fn open(request: &DataRequest, observer: &dyn Observer) -> Result<Self> {
        request.check()?;
        let start = Instant::now();
        observer.stage("reading");
        let path = request.path().unwrap_or(Path::new(""));
        observer.waits(true);
        let opened = Dataset::opened(request, path, observer);
        observer.waits(false);
        let mut dataset = opened.map_err(|error| error.in_file_of_data(path))?;
        dataset.read = start.elapsed();
        Ok(dataset)
    }

    fn opened(request: &DataRequest, path: &Path, observer: &dyn Observer) -> Result<Self> {
        match (request.kind(), request.memory) {
            (DataKind::OutOfCore, Some(memory)) => {
                request.check_passes()?;
                let options = StreamOptions {
                    read: request.read_options(),
                    coding: request.coding(),
                    memory,
                };
                let stream = Stream::open(path, &options, observer)?;
                let header = header_of_names(stream.names())?;
                Dataset::new(RowSource::OutOfCore(stream), header, request.clone())
            }
            (DataKind::CountFile, _) => {
                let counts = Arc::new(CountFile::read(path)?);
                Dataset::of_counts(counts, request.clone())
            }
            _ => {
                let table = read_table(path, &request.read_options(), observer)?;
                Dataset::of_table(table, request.clone())
            }
        }
    }

    /// A table in memory. The request says which column is which and how cells become codes, and
    /// which column says how often every row counts.
    ///
    /// # Errors
    /// As [`Roles::resolve`], and weights that are none ([`RowWeights::of_column`]).
    pub fn of_table(table: Table, request: DataRequest) -> Result<Self> {
        let roles = Roles::resolve(&table, &request.role_options())?;
        let dates = request.dates.unwrap_or_default();
        let (mut table, mut notes) = table.with_notations(&roles.features, dates)?;
        notes.extend(few_numbers_note(&table, &roles.features));
        if let Some(n_bins) = request.bins {
            let (binned, note) = table.with_binned_class(roles.class, n_bins)?;
            table = binned;
            notes.push(note);
        }
        let mut dataset = Dataset::new(RowSource::Memory, table, request)?;
        dataset.roles.notes.extend(notes);
        // Whoever names the features wants them.
        if dataset.request.features.is_none() {
            dataset.roles = dataset.roles.without_identifiers(&dataset.header);
        }
        let weight = dataset.request.weight.as_deref();
        if let Some(column) = weight.and_then(|weight| dataset.header.column(weight)) {
            let weights = RowWeights::of_column(column)?;
            dataset.header = weights.repeat(&dataset.header)?;
            dataset.weights = Some(weights);
        }
        Ok(dataset)
    }

    /// Rows that are counted; the request says which features to use.
    ///
    /// # Errors
    /// As [`Roles::resolve`].
    pub fn of_counts(counts: Arc<CountFile>, request: DataRequest) -> Result<Self> {
        let domains = counts.domains().clone();
        let count = move |_| Ok(Arc::clone(&counts) as Arc<dyn Tables>);
        Dataset::of_domains((domains, DataKind::CountFile), Box::new(count), request)
    }

    /// Rows in partitions: their labels and cut points are known, and `count` gives tables of
    /// all of them. It is called once a run that needs tables begins.
    ///
    /// # Errors
    /// As [`Roles::resolve`].
    pub fn of_partitions(
        domains: Domains,
        count: impl Fn(NeedsPairs) -> Result<Arc<dyn Tables>> + Send + Sync + 'static,
        request: DataRequest,
    ) -> Result<Self> {
        Dataset::of_domains((domains, DataKind::Partitions), Box::new(count), request)
    }

    fn of_domains(
        (domains, kind): (Domains, DataKind),
        count: Box<Count>,
        mut request: DataRequest,
    ) -> Result<Self> {
        kind.refuse(&[("weight", request.weight.is_some())])?;
        request.class = Some(domains.class.name.clone());
        request.missing = Some(domains.missing);
        request.discretize = Some(domains.discretizer);
        let header = header_of_domains(&domains)?;
        let rows = RowSource::Counts {
            kind,
            domains,
            count,
        };
        Dataset::new(rows, header, request)
    }

    fn new(rows: RowSource, header: Table, request: DataRequest) -> Result<Self> {
        Ok(Dataset {
            roles: Roles::resolve(&header, &request.role_options())?,
            request,
            rows,
            header,
            weights: None,
            read: Duration::ZERO,
        })
    }

    /// Where the rows are.
    pub fn kind(&self) -> DataKind {
        match &self.rows {
            RowSource::Memory => DataKind::Memory,
            RowSource::OutOfCore(_) => DataKind::OutOfCore,
            RowSource::Counts { kind, .. } => *kind,
        }
    }

    /// All columns; without rows unless these are in memory.
    pub fn header(&self) -> &Table {
        &self.header
    }

    /// Which of them is which.
    pub fn roles(&self) -> &Roles {
        &self.roles
    }

    /// How cells become codes.
    pub fn coding(&self) -> CodingOptions {
        self.request.coding()
    }

    /// How long it took to read them so far.
    pub(super) fn read_time(&self) -> Duration {
        self.read
    }

    /// Whether the data are named by a file.
    pub(super) fn is_file(&self) -> bool {
        self.request.path().is_some()
    }

    /// Texts that meant a missing value: a matter of files.
    pub(super) fn empty_cells(&self) -> Option<Vec<String>> {
        self.is_file().then(|| match &self.rows {
            RowSource::Counts { domains, .. } => domains.empty_cells.clone(),
            _ => self.request.read_options().missing,
        })
    }

    /// The roles with these features in place of those of the request.
    pub(super) fn roles_of(&self, features: &[String]) -> Result<Roles> {
        let options = RoleOptions {
            features: Some(features.to_vec()),
            ..self.request.role_options()
        };
        Roles::resolve(&self.header, &options).map_err(|error| self.blame(error))
    }

    /// The roles with those identifiers as features that must be kept.
    pub(super) fn roles_keeping(&self, kept: &[String]) -> Roles {
        let is_kept = |place: usize| {
            let name = self.header.columns()[place].name();
            kept.iter().any(|kept| kept == name)
        };
        self.roles.clone().with_identifiers(is_kept)
    }

    /// The roles with all identifiers as features.
    pub(super) fn roles_with_identifiers(&self) -> Roles {
        self.roles.clone().with_identifiers(|_| true)
    }

    /// Names the file in an error of the data.
    pub(super) fn blame(&self, error: Error) -> Error {
        match self.request.path() {
            Some(path) => error.in_file_of_data(path),
            None => error,
        }
    }

    /// Refuses features to keep that are no candidates, before anything is counted.
    pub(super) fn check_keep(&self, kept: &[String]) -> Result<()> {
        let keep = parameter("keep");
        let name = |&place: &usize| self.header.columns()[place].name();
        for kept in kept {
            let Some(place) = self.header.position(kept) else {
                let known = self.roles.features.iter().map(name);
                return Err(unknown_name("feature", kept, known));
            };
            let kept = quoted(kept);
            if place == self.roles.class {
                return Err(Error::usage(format!("{keep} names the class {kept}"))
                    .with_hint("Name features only."));
            }
            if self.request.weight.as_deref() == Some(self.header.columns()[place].name()) {
                let weight = parameter("weight");
                return Err(
                    Error::usage(format!("{keep} and {weight} both name {kept}"))
                        .with_hint("Name it in one of them."),
                );
            }
            if self.roles.excluded.contains(&place) {
                let excluding = parameter(self.request.excluding_parameter());
                return Err(Error::usage(format!(
                    "{keep} names {kept}, which {excluding} leaves out"
                ))
                .with_hint("Name it in one of them."));
            }
        }
        Ok(())
    }

    /// Refuses files of blocks that name what is no column.
    pub(super) fn check_block_files<'f>(
        &self,
        files: impl IntoIterator<Item = &'f Path>,
    ) -> Result<()> {
        let names: Vec<&str> = self.header.names().collect();
        let mut files = files.into_iter();
        files.try_for_each(|file| check_block_file(file, &names))
    }

    /// Codes the rows, or counts them where they are not in memory.
    pub(super) fn prepare(
        &self,
        how: Preparation,
        observer: &dyn Observer,
    ) -> Result<Prepared<'_>> {
        let mut start = Instant::now();
        let roles = how.roles.unwrap_or_else(|| self.roles.clone());
        roles.check_features().map_err(|error| self.blame(error))?;
        let name = |&place: &usize| self.header.columns()[place].name().to_owned();
        let by_user = |name: String| (name, Reason::ExcludedByUser);
        let mut excluded: Vec<(String, Reason)> =
            roles.excluded.iter().map(name).map(by_user).collect();
        excluded.extend(roles.identifiers.iter().map(|one| {
            let (n_distinct, n_rows) = (one.n_distinct, one.n_rows);
            (name(&one.place), Reason::Identifier { n_distinct, n_rows })
        }));
        let mut read = self.read;
        let (rows, notes) = match &self.rows {
            RowSource::Memory => {
                observer.stage("binning");
                let coding = how.coding.unwrap_or(self.coding());
                let coded = CodedTable::watched(&self.header, &roles, coding, observer);
                let coded = coded.map_err(|error| self.blame(error))?;
                let notes = coded.notes.clone();
                (PreparedRows::Coded(coded), notes)
            }
            RowSource::OutOfCore(stream) => {
                observer.waits(true);
                let counted =
                    self.count_in_passes(stream.clone().with_roles(roles.clone()), observer);
                observer.waits(false);
                let (counted, notes) = counted?;
                (PreparedRows::Counted(counted), notes)
            }
            RowSource::Counts { domains, count, .. } => {
                let counted = Counted::of_tables(domains, count(how.needs_pairs)?)?;
                let counted = counted.with_features(&roles.features)?;
                excluded.splice(0..0, domains.excluded.iter().cloned().map(by_user));
                (PreparedRows::Counted(counted), domains.notes.clone())
            }
        };
        check(observer)?;
        if let PreparedRows::Counted(_) = rows {
            read += start.elapsed();
            start = Instant::now();
        }
        Ok(Prepared {
            dataset: self,
            notes: (roles.notes.iter().cloned())
                .chain(roles.identifier_notes(&self.header))
                .chain(self.weight_note())
                .chain(notes)
                .collect(),
            rows,
            roles,
            excluded,
            read,
            start,
        })
    }

    /// Learns labels and cut points in one pass, and counts in the next.
    fn count_in_passes(
        &self,
        stream: Stream,
        observer: &dyn Observer,
    ) -> Result<(Counted, Vec<String>)> {
        let pass = stream.probe(observer)?;
        if pass > LONG_PASS {
            let file = self.request.path().unwrap_or(Path::new(""));
            observer.note(&format!(
                "a pass over {} takes about {:.0} s; the first one learns labels and cut points",
                file_name(file),
                pass.as_secs_f64()
            ));
        }
        observer.stage("learning labels and cut points");
        let learned = stream.learn(observer)?;
        observer.note(&learned.plan().to_string());
        observer.stage("counting");
        let notes = learned.domains().notes.clone();
        Ok((learned.count(observer)?, notes))
    }

    /// Says that rows count by weight.
    fn weight_note(&self) -> Option<String> {
        let name = self.request.weight.as_deref()?;
        Some(match &self.weights {
            Some(weights) => weights.note(name),
            None => format!("rows count by their weight {}", quoted(name)),
        })
    }

    /// The folds of all rows, copies of a row in the fold of that row.
    pub(super) fn folds_of_all(&self, folds: &FoldSource) -> Result<Folds> {
        let Some(weights) = &self.weights else {
            return folds.read(self.header.n_rows());
        };
        let once = folds.read(weights.n_rows())?;
        let n_folds = once.fold_of_row().len();
        if n_folds != weights.n_rows() {
            return Err(Error::usage(format!(
                "{} gives the folds of {}, and there are {}",
                parameter("folds"),
                counted(n_folds as u64, "row"),
                grouped(weights.n_rows() as u64)
            ))
            .with_hint("Give one per row, however often it counts."));
        }
        once.take(&weights.rows())
            .map_err(|error| folds.blame(error))
    }

    /// The folds of the rows that are used.
    pub(super) fn folds(&self, folds: &FoldSource, coded: &CodedTable) -> Result<Folds> {
        let all = self.folds_of_all(folds)?;
        match &coded.rows {
            Some(rows) => all.take(rows).map_err(|error| folds.blame(error)),
            None => Ok(all),
        }
    }
}

/// What a request wants of the rows.
#[derive(Debug)]
pub(super) struct Preparation {
    /// Other roles than those of the data.
    pub(super) roles: Option<Roles>,
    /// Another coding than that of the data, for rows in memory.
    pub(super) coding: Option<CodingOptions>,
    pub(super) needs_pairs: NeedsPairs,
}

impl Default for Preparation {
    fn default() -> Self {
        Preparation {
            roles: None,
            coding: None,
            needs_pairs: NeedsPairs::Yes,
        }
    }
}

/// Rows that are ready to be worked on.
pub(super) struct Prepared<'d> {
    pub(super) dataset: &'d Dataset,
    pub(super) rows: PreparedRows,
    pub(super) roles: Roles,
    /// What there is to say about the columns.
    pub(super) notes: Vec<String>,
    /// Columns that are no candidates, now or since the rows were counted, and why.
    pub(super) excluded: Vec<(String, Reason)>,
    /// How long reading took, counting included where the rows are not in memory.
    read: Duration,
    /// When everything else began.
    start: Instant,
}

/// Rows as codes, or their counts.
pub(super) enum PreparedRows {
    Coded(CodedTable),
    Counted(Counted),
}

impl Prepared<'_> {
    /// The features and the class; without rows where these are counted.
    pub(super) fn outline(&self) -> &CodedTable {
        match &self.rows {
            PreparedRows::Coded(coded) => coded,
            PreparedRows::Counted(counted) => counted.outline(),
        }
    }

    /// Number of rows that are used.
    pub(super) fn n_rows(&self) -> u64 {
        match &self.rows {
            PreparedRows::Coded(coded) => coded.n_rows() as u64,
            PreparedRows::Counted(counted) => counted.tables().n_rows(),
        }
    }

    /// Rows of every class.
    pub(super) fn class_counts(&self) -> Vec<u64> {
        match &self.rows {
            PreparedRows::Coded(coded) => coded.class.counts(),
            PreparedRows::Counted(counted) => counted.tables().class_counts().to_vec(),
        }
    }

    /// The same for good.
    pub(super) fn into_outline(self) -> CodedTable {
        match self.rows {
            PreparedRows::Coded(coded) => coded,
            PreparedRows::Counted(counted) => counted.outline().clone(),
        }
    }

    /// How long it took until now.
    pub(super) fn seconds(&self) -> Seconds {
        Seconds::new(self.read, self.start.elapsed())
    }
}

/// The name of a file for people.
fn file_name(path: &Path) -> String {
    if path == Path::new("-") {
        return "standard input".into();
    }
    printable(&path.display().to_string(), 400)
}

/// The columns without rows, the class behind the features.
fn header_of_domains(domains: &Domains) -> Result<Table> {
    let outline = domains.outline();
    let features = outline.features.iter();
    let features = features.map(|feature| Column::clone(&feature.column));
    let class = Values::Nominal(outline.class.clone());
    let class = Column::new(outline.class_name.as_str(), class, KindOrigin::Derived);
    Table::new(features.chain([class]).collect())
}

/// The same for a file of which only the names are known.
fn header_of_names(names: &[String]) -> Result<Table> {
    let column = |name: &String| {
        let values = Values::Numeric(Vec::new());
        Column::new(name.as_str(), values, KindOrigin::Numbers)
    };
    Table::new(names.iter().map(column).collect())
}
