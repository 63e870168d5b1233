//! What a run has counted so far, beside the file that it will write.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use bayesieve::counts::ShardCounter;
use bayesieve::data::write_whole;
use bayesieve::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};

use super::Arguments;

/// `OUTPUT.part`.
pub(super) struct Aside(PathBuf);

/// How far a run is, and of what run it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Mark {
    files: Vec<FileMark>,
    /// The options that tell what is counted.
    options: String,
    domains: Option<FileMark>,
    /// Blocks of another program may be others.
    version: String,
    pub(super) n_files_done: usize,
    pub(super) n_blocks_done: usize,
    pub(super) n_rows_done: u64,
}

/// A file, and what shows that it is still the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct FileMark {
    path: PathBuf,
    /// `None` for what is no plain file, and gives its rows only once.
    state: Option<(u64, u128)>,
}

impl FileMark {
    fn new(path: &Path) -> Result<Self> {
        let unreadable = |error| Error::unreadable(error).in_file(path);
        let is_stdin = path == Path::new("-");
        let metadata = if is_stdin {
            None
        } else {
            Some(std::fs::metadata(path).map_err(unreadable)?)
        };
        let state = metadata.filter(std::fs::Metadata::is_file).map(|metadata| {
            let modified = metadata.modified().ok();
            let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            (metadata.len(), since.map_or(0, |since| since.as_nanos()))
        });
        Ok(FileMark {
            path: path.to_owned(),
            state,
        })
    }
}

impl Mark {
    /// A run that has not begun.
    pub(super) fn new(arguments: &Arguments) -> Result<Self> {
        let files = arguments.data.iter().map(|file| FileMark::new(file));
        let domains = arguments.domains.as_deref().map(FileMark::new);
        Ok(Mark {
            files: files.collect::<Result<_>>()?,
            options: format!(
                "{:?} {:?} {:?}",
                arguments.how, arguments.columns, arguments.shard
            ),
            domains: domains.transpose()?,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            n_files_done: 0,
            n_blocks_done: 0,
            n_rows_done: 0,
        })
    }

    pub(super) fn finish_block(&mut self, n_rows: u64) {
        self.n_blocks_done += 1;
        self.n_rows_done += n_rows;
    }

    pub(super) fn finish_file(&mut self) {
        self.n_files_done += 1;
        self.n_blocks_done = 0;
        self.n_rows_done = 0;
    }

    /// Whether the rows can be read a second time.
    pub(super) fn can_resume(&self) -> bool {
        self.files.iter().all(|file| file.state.is_some())
    }

    /// What differs in the run that a mark is of.
    fn difference(&self, other: &Mark) -> Option<String> {
        let [mine, others] = [self, other].map(|mark| mark.files.iter().map(|file| &file.path));
        if mine.ne(others) {
            return Some("it is of other files".to_owned());
        }
        let mut files = self.files.iter().zip(&other.files);
        if let Some((file, _)) = files.find(|(file, other)| file != other) {
            let path = crate::text::file(&file.path);
            return Some(format!("{path} has changed since"));
        }
        if self.domains != other.domains {
            return Some("the domains are others".to_owned());
        }
        if self.version != other.version {
            return Some("it is of another version of this program".to_owned());
        }
        (self.options != other.options).then(|| "its options were others".to_owned())
    }
}

impl Aside {
    pub(super) fn of(output: &Path) -> Self {
        let mut name = output.file_name().unwrap_or_default().to_owned();
        name.push(".part");
        Aside(output.with_file_name(name))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Refuses to begin anew where an earlier run was cut off.
    pub(super) fn refuse(&self) -> Result<()> {
        match self.0.symlink_metadata() {
            Ok(_) => Err(Error::usage("an earlier run was cut off")
                .in_file(&self.0)
                .with_hint("Add --resume to go on from it, or remove it.")),
            Err(_) => Ok(()),
        }
    }

    /// What an earlier run has counted, if it is the same run.
    pub(super) fn resumed(&self, run: &Mark) -> Result<Option<(ShardCounter, Mark)>> {
        let bytes = match std::fs::read(&self.0) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::unreadable(error).in_file(&self.0)),
        };
        let cannot = |error: Error| {
            let error = error.about("this run cannot be resumed");
            let error = error.with_other_hint("Remove the file to begin anew.");
            error.in_file(&self.0)
        };
        let (counter, mark) = ShardCounter::from_checkpoint::<Mark>(&bytes).map_err(cannot)?;
        match run.difference(&mark) {
            Some(what) => Err(cannot(Error::data(what))),
            None => Ok(Some((counter, mark))),
        }
    }

    /// Writes what is counted so far, whole or not at all.
    pub(super) fn put(&self, counter: &mut ShardCounter, mark: &Mark) -> Result<()> {
        let bytes = counter.to_checkpoint(mark)?;
        write_whole(&self.0, |out| out.write_all(&bytes))
    }

    /// What is left after an error, and told with it: nothing where the same run would come to
    /// the same end. That is not so where the system is at fault, or a file of the data is gone:
    /// it may come back, as a folder of another machine does.
    pub(super) fn after(&self, error: Error, data: &[PathBuf]) -> Error {
        let is_gone = |file: &PathBuf| file.as_os_str() != "-" && !file.exists();
        let is_of_the_system =
            std::error::Error::source(&error).is_some() || data.iter().any(is_gone);
        match error.kind() {
            // It says itself how to go on.
            ErrorKind::Interrupted => error,
            ErrorKind::Data | ErrorKind::Usage if !is_of_the_system => {
                self.remove();
                error
            }
            _ if self.0.exists() => error.with_hint(format!(
                "What was counted is in {}: the same command with --resume goes on.",
                crate::text::file(&self.0)
            )),
            _ => error,
        }
    }

    /// The run is finished.
    pub(super) fn remove(&self) {
        // What is left over does no harm: it only has to be removed before the next run.
        let _ = std::fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_gone_may_come_back_and_a_fault_of_its_rows_stays() {
        let folder = tempfile::tempdir().unwrap();
        let data = [folder.path().join("a.csv")];
        let aside = Aside::of(&folder.path().join("a.counts"));
        std::fs::write(aside.path(), "counts").unwrap();
        let error = aside.after(Error::data("there is no such file"), &data);
        assert!(error.to_string().contains("--resume"), "{error}");
        assert!(aside.path().exists());
        std::fs::write(&data[0], "x,y\n").unwrap();
        let error = aside.after(Error::data("a cell is wrong"), &data);
        assert_eq!(error.to_string(), "a cell is wrong");
        assert!(!aside.path().exists());
    }
}
