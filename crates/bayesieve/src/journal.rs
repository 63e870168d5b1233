//! Journals: what a long run has found so far, from which a run that was cut off goes on.
//!
//! The first line says of what run it is; then comes a line for everything that was found.
//! Lines are only ever added, so that a killed process leaves whole lines and at most one
//! half.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value};

use crate::{Error, Result, parameter, printable, quoted};

/// The file that what a run finds is written to, as it comes.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::{CodedTable, CodingOptions, Generator, RoleOptions, Roles};
/// use bayesieve::journal::Checkpoint;
/// use bayesieve::search::Limits;
/// use bayesieve::select::{Method, SelectOptions, select};
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
        .with_hint(format!(
            "Add {} to go on from it, or remove it.",
            parameter("resume")
        ))
}

fn unwritable(file: &Path, error: std::io::Error) -> Error {
    Error::output("the checkpoint cannot be written")
        .in_file(file)
        .with_source(error)
}

/// A checkpoint in use: where what is found goes.
#[derive(Debug)]
pub(crate) struct Journal {
    checkpoint: Checkpoint,
    /// The first line.
    run: String,
    /// Bytes of whole lines; the half line of a process that was killed goes.
    n_whole: u64,
    /// Opened when there is something to write: a run that fails leaves no file.
    out: Mutex<Option<File>>,
    /// What the user should know about how it was opened.
    pub(crate) note: Option<String>,
}

impl Journal {
    /// Reads what there is of this run, line by line.
    ///
    /// `run` says what makes two runs the same, its schema among it.
    pub(crate) fn open<T>(
        checkpoint: &Checkpoint,
        run: Map<String, Value>,
        parse: impl Fn(&str) -> Result<T>,
    ) -> Result<(Self, Vec<T>)> {
        let path = &checkpoint.file;
        let bytes = checkpoint.read()?;
        let last = bytes.iter().rposition(|&byte| byte == b'\n');
        let whole = &bytes[..last.map_or(0, |last| last + 1)];
        let first_line = format!("{}\n", Value::Object(run.clone()));
        // What a killed process left of a first line may go; anything else is not ours.
        if whole.is_empty() && !first_line.as_bytes().starts_with(&bytes) {
            return Err(broken("it says of no run").at_line(1).in_file(path));
        }
        let known = read(whole, &run, parse).map_err(|error| error.in_file(path))?;
        let begins_anew = whole.is_empty() && checkpoint.start == Start::Resumed;
        let journal = Journal {
            checkpoint: checkpoint.clone(),
            run: Value::Object(run).to_string(),
            n_whole: whole.len() as u64,
            out: Mutex::default(),
            note: begins_anew.then(|| {
                let file = printable(&path.display().to_string(), 400);
                format!("there is nothing to resume in {file}: this run begins anew")
            }),
        };
        Ok((journal, known))
    }

    /// Adds whole lines.
    pub(crate) fn append(&self, lines: &str) -> Result<()> {
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

/// What whole lines say, after the first, which must be that of this run.
fn read<T>(
    whole: &[u8],
    run: &Map<String, Value>,
    parse: impl Fn(&str) -> Result<T>,
) -> Result<Vec<T>> {
    let text = std::str::from_utf8(whole).map_err(|_| broken("it is not UTF-8 text").at_line(1))?;
    let mut lines = text.lines().zip(1..);
    let Some((first, _)) = lines.next() else {
        return Ok(Vec::new());
    };
    let before: Map<String, Value> =
        serde_json::from_str(first).map_err(|_| broken("it says of no run").at_line(1))?;
    check_same(&before, run)?;
    lines
        .map(|(line, number)| parse(line).map_err(|error| error.at_line(number)))
        .collect()
}

/// A file that no run can have written.
pub(crate) fn broken(what: &str) -> Error {
    Error::data(format!("the checkpoint is broken: {what}")).with_hint("Remove it and begin anew.")
}

/// Refuses the checkpoint of another run, and says what is different.
fn check_same(before: &Map<String, Value>, run: &Map<String, Value>) -> Result<()> {
    if before.get("schema") != run.get("schema") {
        let schema = shown(run.get("schema"));
        return Err(broken(&format!("its schema is not {schema}")).at_line(1));
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
