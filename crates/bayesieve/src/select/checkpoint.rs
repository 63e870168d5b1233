//! Checkpoints: a journal of scored sets, from which a run that was cut off goes on.
//!
//! The first line says of what run it is; then comes a line for every set that was scored.
//! Lines are only ever added, some hundred at a time, so that a killed process leaves whole
//! lines and at most one half. A run that is resumed walks again from the start with the
//! known scores at hand: its result is that of a run never cut off, by construction.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value, json};

use super::fingerprint::Fingerprint;
use super::options::SelectOptions;
use crate::data::CodedTable;
use crate::error::{Error, Result, printable, quoted};
use crate::score::FeatureSet;

const SCHEMA: &str = "bayesieve.checkpoint.v1";

/// Where the sets scored in a run are written, as they come.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::{CodedTable, CodingOptions, Generator, RoleOptions, Roles};
/// use bayesieve::search::Limits;
/// use bayesieve::select::{Checkpoint, Method, SelectOptions, select};
///
/// let table = Generator::Example1.generate(320, 1)?;
/// let roles = Roles::resolve(&table, &RoleOptions::default())?;
/// let coded = CodedTable::new(&table, &roles, CodingOptions::default())?;
/// let mut options = SelectOptions::new(Method::named("cfs")?)?;
/// let folder = tempfile::tempdir().expect("a folder to write in");
/// let file = folder.path().join("run.checkpoint");
///
/// options.checkpoint = Some(Checkpoint::create(&file)?);
/// let first = select(&coded, &options, &Limits::new(&Silent))?;
/// options.checkpoint = Some(Checkpoint::resume(&file));
/// let again = select(&coded, &options, &Limits::new(&Silent))?;
/// assert_eq!(first.kept, again.kept); // and nothing was scored a second time
/// assert!(Checkpoint::create(&file).is_err()); // it is there already
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    file: PathBuf,
    start: Start,
}

/// Whether a file may be there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    New,
    Resumed,
}

impl Checkpoint {
    /// A new file.
    ///
    /// # Errors
    /// There is one of that name.
    pub fn create(file: impl AsRef<Path>) -> Result<Self> {
        let file = file.as_ref().to_owned();
        if file.symlink_metadata().is_ok() {
            return Err(exists(&file));
        }
        Ok(Checkpoint {
            file,
            start: Start::New,
        })
    }

    /// A file to go on with; a new one where there is none yet.
    pub fn resume(file: impl AsRef<Path>) -> Self {
        Checkpoint {
            file: file.as_ref().to_owned(),
            start: Start::Resumed,
        }
    }

    /// The bytes that are there; none where the file is new.
    fn read(&self) -> Result<Vec<u8>> {
        match std::fs::read(&self.file) {
            Ok(_) if self.start == Start::New => Err(exists(&self.file)),
            Ok(bytes) => Ok(bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(Error::data("the checkpoint cannot be read")
                .in_file(&self.file)
                .with_source(error)),
        }
    }

    /// The file, with so many bytes of what is there, ready for more.
    fn open(&self, n_bytes: u64) -> Result<File> {
        let mut options = OpenOptions::new();
        options.write(true).truncate(false);
        match self.start {
            Start::New => options.create_new(true),
            Start::Resumed => options.create(true),
        };
        let opened = options.open(&self.file).and_then(|mut file| {
            file.set_len(n_bytes)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        });
        opened.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => exists(&self.file),
            _ => unwritable(&self.file, error),
        })
    }
}

fn exists(file: &Path) -> Error {
    Error::usage("the checkpoint exists")
        .in_file(file)
        .with_hint("Add --resume to go on from it, or remove it.")
}

fn unwritable(file: &Path, error: std::io::Error) -> Error {
    Error::output("the checkpoint cannot be written")
        .in_file(file)
        .with_source(error)
}

/// A checkpoint in use: what is known, and where more goes.
#[derive(Debug)]
pub(super) struct Journal {
    checkpoint: Checkpoint,
    /// The first line.
    run: String,
    /// Bytes of whole lines; the half line of a process that was killed goes.
    n_whole: u64,
    /// Opened when there is something to write: a run that fails leaves no file.
    out: Mutex<Option<File>>,
    known: Vec<(FeatureSet, f64)>,
    /// What the user should know about how it was opened.
    pub(super) note: Option<String>,
}

impl Journal {
    /// Reads what there is of this run.
    pub(super) fn new(checkpoint: &Checkpoint, run: Map<String, Value>) -> Result<Self> {
        let path = &checkpoint.file;
        let bytes = checkpoint.read()?;
        let last = bytes.iter().rposition(|&byte| byte == b'\n');
        let whole = &bytes[..last.map_or(0, |last| last + 1)];
        let first_line = format!("{}\n", Value::Object(run.clone()));
        // What a killed process left of a first line may go; anything else is not ours.
        if whole.is_empty() && !first_line.as_bytes().starts_with(&bytes) {
            return Err(broken("it says of no run", 1).in_file(path));
        }
        let known = read(whole, &run).map_err(|error| error.in_file(path))?;
        let begins_anew = whole.is_empty() && checkpoint.start == Start::Resumed;
        Ok(Journal {
            checkpoint: checkpoint.clone(),
            run: Value::Object(run).to_string(),
            n_whole: whole.len() as u64,
            out: Mutex::default(),
            known,
            note: begins_anew.then(|| {
                let file = printable(&path.display().to_string(), 400);
                format!("there is nothing to resume in {file}: this run begins anew")
            }),
        })
    }

    /// The sets that were scored before.
    pub(super) fn known(&self) -> &[(FeatureSet, f64)] {
        &self.known
    }

    /// Adds sets that have just been scored.
    pub(super) fn append(&self, scored: &[(FeatureSet, f64)]) -> Result<()> {
        let lines = scored.iter().filter(|(_, value)| value.is_finite());
        let lines = lines.map(|(set, value)| {
            let bits = (0..set.n_features()).map(|f| if set.contains(f) { '1' } else { '0' });
            // The shortest number that reads back as the same.
            format!("{} {value:?}\n", bits.collect::<String>())
        });
        self.write(&lines.collect::<String>())
    }

    fn write(&self, lines: &str) -> Result<()> {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, text) = match &mut *out {
            Some(file) => (file, lines.to_owned()),
            none => {
                let file = none.insert(self.checkpoint.open(self.n_whole)?);
                let is_new = self.n_whole == 0;
                let first = is_new.then(|| format!("{}\n", self.run));
                (file, first.unwrap_or_default() + lines)
            }
        };
        file.write_all(text.as_bytes())
            .map_err(|error| unwritable(&self.checkpoint.file, error))
    }
}

/// What makes two runs the same, for the first line.
pub(super) fn run_of(
    table: &CodedTable,
    options: &SelectOptions,
    n_features: usize,
) -> Map<String, Value> {
    let settings = options.all_settings().into_iter();
    let settings: Map<String, Value> = settings
        .map(|(name, value)| (name.to_owned(), value.into()))
        .collect();
    let coding = options.coding();
    let run = json!({
        "schema": SCHEMA,
        "version": env!("CARGO_PKG_VERSION"),
        "data": Fingerprint::of(table, options.folds()).to_string(),
        "candidates": n_features,
        "method": options.method().name,
        "model": options.model().map(|model| model.name()),
        "search": options.search_among(n_features).map(|search| search.name()),
        "settings": settings,
        "seed": options.seed,
        "keep": options.keep,
        "missing": coding.missing.to_string(),
        "discretize": coding.discretizer.to_string(),
    });
    match run {
        Value::Object(run) => run,
        _ => Map::new(),
    }
}

/// The sets of whole lines, after the first, which must be that of this run.
fn read(whole: &[u8], run: &Map<String, Value>) -> Result<Vec<(FeatureSet, f64)>> {
    let text = std::str::from_utf8(whole).map_err(|_| broken("it is not UTF-8 text", 1))?;
    let mut lines = text.lines().zip(1..);
    let Some((first, _)) = lines.next() else {
        return Ok(Vec::new());
    };
    let before: Map<String, Value> =
        serde_json::from_str(first).map_err(|_| broken("it says of no run", 1))?;
    check_same(&before, run)?;
    let n_features = run.get("candidates").and_then(Value::as_u64);
    let n_features = n_features.unwrap_or_default() as usize;
    lines
        .map(|(line, number)| {
            let scored = parse(line, n_features);
            scored.ok_or_else(|| broken("this is no set with its score", number))
        })
        .collect()
}

fn broken(what: &str, line: u64) -> Error {
    Error::data(format!("the checkpoint is broken: {what}"))
        .at_line(line)
        .with_hint("Remove it and begin anew.")
}

/// Refuses the checkpoint of another run, and says what is different.
fn check_same(before: &Map<String, Value>, run: &Map<String, Value>) -> Result<()> {
    if before.get("schema").and_then(Value::as_str) != Some(SCHEMA) {
        return Err(broken(&format!("its schema is not {SCHEMA}"), 1));
    }
    let is_other = |key: &&String| before.get(*key) != run.get(*key);
    let Some(key) = run.keys().chain(before.keys()).find(is_other) else {
        return Ok(());
    };
    let what = match key.as_str() {
        "data" => "other data".to_owned(),
        key => {
            let (before, now) = (shown(before.get(key)), shown(run.get(key)));
            format!("another run: its {key} is {before}, this one's {now}")
        }
    };
    Err(Error::data(format!("the checkpoint is of {what}"))
        .with_hint("Use the data and options it was made with, or another file."))
}

fn shown(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => quoted(text),
        Some(value) => printable(&value.to_string(), 400),
        None => "not given".to_owned(),
    }
}

/// A set as bits, and its score.
fn parse(line: &str, n_features: usize) -> Option<(FeatureSet, f64)> {
    let (bits, value) = line.split_once(' ')?;
    let value = value.parse().ok().filter(|value: &f64| value.is_finite())?;
    if bits.len() != n_features || !bits.bytes().all(|bit| matches!(bit, b'0' | b'1')) {
        return None;
    }
    let members = bits.bytes().enumerate().filter(|&(_, bit)| bit == b'1');
    let set = FeatureSet::of(n_features, members.map(|(feature, _)| feature));
    Some((set.ok()?, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observer::Silent;
    use crate::score::testing::example1;
    use crate::search::{Limits, Search};
    use crate::select::{Method, Selection, select};

    fn options() -> SelectOptions {
        let options = SelectOptions::new(Method::named("mdl-fs").unwrap()).unwrap();
        options.with_search(Search::Genetic).unwrap()
    }

    fn run(options: &SelectOptions) -> Result<Selection> {
        select(&example1(320), options, &Limits::new(&Silent))
    }

    fn checkpointed(checkpoint: Checkpoint) -> SelectOptions {
        let mut options = options();
        options.checkpoint = Some(checkpoint);
        options
    }

    #[test]
    fn a_journal_cut_anywhere_leads_to_the_same_result() {
        let expected = format!("{:?}", run(&options()).unwrap());
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("c");
        let first = run(&checkpointed(Checkpoint::create(&file).unwrap())).unwrap();
        assert_eq!(format!("{first:?}"), expected);
        let whole = std::fs::read(&file).unwrap();
        let header = whole.iter().position(|&byte| byte == b'\n').unwrap();
        // Cut after the first line, inside a line, and not at all.
        for length in [header + 1, header + 5, whole.len() / 2, whole.len()] {
            std::fs::write(&file, &whole[..length]).unwrap();
            let again = run(&checkpointed(Checkpoint::resume(&file))).unwrap();
            assert_eq!(format!("{again:?}"), expected);
            // What was cut off is there again, every set once.
            let mut lines: Vec<String> = [&whole, &std::fs::read(&file).unwrap()]
                .iter()
                .map(|bytes| {
                    let text = String::from_utf8((*bytes).clone()).unwrap();
                    let mut lines: Vec<&str> = text.lines().collect();
                    lines.sort_unstable();
                    lines.join("\n")
                })
                .collect();
            assert_eq!(lines.pop(), lines.pop());
        }
    }

    #[test]
    fn nothing_to_resume_is_said_and_begun() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("c");
        let selection = run(&checkpointed(Checkpoint::resume(&file))).unwrap();
        assert!(selection.warnings[0].contains("nothing to resume"));
        // Half of a first line is nothing too.
        std::fs::write(&file, "{\"schema\":\"bayes").unwrap();
        let selection = run(&checkpointed(Checkpoint::resume(&file))).unwrap();
        assert!(selection.warnings[0].contains("nothing to resume"));
        let error = Checkpoint::create(&file).unwrap_err();
        assert_eq!(error.kind(), crate::ErrorKind::Usage);
    }

    #[test]
    fn the_checkpoint_of_another_run_says_what_differs() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("c");
        run(&checkpointed(Checkpoint::create(&file).unwrap())).unwrap();
        let mut other = checkpointed(Checkpoint::resume(&file));
        other.seed = 2;
        let error = run(&other).unwrap_err();
        assert_eq!(error.kind(), crate::ErrorKind::Data);
        assert!(error.to_string().contains("its seed is 1, this one's 2"));
        let error = select(
            &example1(640),
            &checkpointed(Checkpoint::resume(&file)),
            &Limits::new(&Silent),
        );
        assert!(error.unwrap_err().to_string().contains("other data"));
        for junk in ["no checkpoint\n", "no checkpoint, not even a line", "\0\0"] {
            std::fs::write(&file, junk).unwrap();
            assert!(run(&checkpointed(Checkpoint::resume(&file))).is_err());
            assert_eq!(std::fs::read(&file).unwrap(), junk.as_bytes());
        }
    }

    #[test]
    fn a_line_is_a_set_and_a_number_that_reads_back() {
        let (set, value) = parse("0110 0.1", 4).unwrap();
        assert_eq!((set.iter().collect(), value), (vec![1, 2], 0.1));
        for line in [
            "0110", "0110 x", "0110 NaN", "011 1.0", "0120 1.0", "é1 1.0",
        ] {
            assert!(parse(line, 4).is_none(), "{line}");
        }
    }
}
