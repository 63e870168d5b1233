//! What a paper takes, what is wanted of it, and the run that is ready to start.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::LazyLock;

use bayesieve::data::unknown_name;
use bayesieve::journal::Checkpoint;
use bayesieve::{Error, Observer, Result};

use crate::data::PaperData;
use crate::outcome::PaperOutcome;
use crate::published::{PaperMethod, PaperOptionKind, Published};

/// A paper whose tables can be computed again.
pub struct Paper {
    pub(crate) published: &'static LazyLock<Published>,
    pub(crate) plan: fn(&PaperRequest) -> Result<PaperPlan>,
}

/// What a caller wants of a paper.
#[derive(Debug, Clone, Default)]
pub struct PaperRequest {
    /// The folder with the paper's data.
    pub data: PathBuf,
    /// Seed of all that is drawn.
    pub seed: u64,
    /// The names that options ask for; without an option all.
    pub names: BTreeMap<&'static str, Vec<String>>,
    /// The numbers that options ask for.
    pub numbers: BTreeMap<&'static str, u32>,
    /// The flags that are set.
    pub flags: BTreeSet<&'static str>,
}

/// Opens the file that finished units are kept in, where one is wanted.
pub(crate) type OpenCheckpoint<'a> = &'a dyn Fn() -> Result<Option<Checkpoint>>;

/// The work behind a plan.
type PaperWork = dyn FnOnce(&dyn Observer, OpenCheckpoint<'_>) -> Result<PaperOutcome>;

/// A run that is ready to start.
pub struct PaperPlan {
    /// The paper's files, wanted or not: nothing may be written over them.
    pub inputs: Vec<PathBuf>,
    /// The files of the drawings that a whole run makes.
    pub drawings: Vec<&'static str>,
    pub(crate) work: Box<PaperWork>,
}

impl PaperPlan {
    /// Does the work.
    ///
    /// `open` opens the checkpoint: it is called once all that could be refused was not, so that
    /// a refused run leaves no file.
    ///
    /// # Errors
    /// Data that are missing or cannot be read, whatever made a unit impossible, or a run that
    /// was stopped before anything was finished.
    pub fn run(
        self,
        observer: &dyn Observer,
        open: &dyn Fn() -> Result<Option<Checkpoint>>,
    ) -> Result<PaperOutcome> {
        (self.work)(observer, open)
    }
}

impl Paper {
    /// What it is called, the options it takes and the figures it prints.
    pub fn published(&self) -> &'static Published {
        self.published
    }

    /// Checks what is wanted.
    ///
    /// # Errors
    /// A name that the paper does not know, a number out of range, or a file that is not there.
    pub fn plan(&self, request: &PaperRequest) -> Result<PaperPlan> {
        let mut request = request.clone();
        for option in &self.published.options {
            let PaperOptionKind::Number { default, min, max } = &option.kind else {
                continue;
            };
            let name = &*option.name;
            let default = default.as_ref().and_then(|default| default.parse().ok());
            if let Some(default) = default {
                request.numbers.entry(name).or_insert(default);
            }
            let number = request.numbers.get(name);
            if let Some(number) = number.filter(|number| !(min..=max).contains(number)) {
                let message = format!("{name} must be {min} to {max}, got {number}");
                return Err(Error::usage(message));
            }
        }
        (self.plan)(&request)
    }
}

impl PaperRequest {
    /// Returns those of the known names that an option asks for, in the order they are known in.
    pub(crate) fn chosen<'a>(
        &self,
        option: &str,
        what: &str,
        known: &[&'a str],
    ) -> Result<Vec<&'a str>> {
        let Some(asked) = self.names.get(option) else {
            return Ok(known.to_vec());
        };
        if let Some(name) = asked.iter().find(|name| !known.contains(&name.as_str())) {
            return Err(unknown_name(what, name, known.iter().copied()));
        }
        let is_asked = |name: &&&str| asked.iter().any(|asked| asked == **name);
        Ok(known.iter().filter(is_asked).copied().collect())
    }

    /// Returns the data sets that are wanted.
    pub(crate) fn data_sets(&self, paper: &'static Published) -> Result<Vec<&'static PaperData>> {
        let names = self.chosen("datasets", "data set of this paper", &paper.data_names())?;
        let wanted = paper.data.iter();
        Ok(wanted.filter(|data| names.contains(&&*data.name)).collect())
    }

    /// Returns the methods that are wanted; without the option those of the paper alone.
    pub(crate) fn methods(&self, paper: &'static Published) -> Result<Vec<&'static PaperMethod>> {
        let is_known = |method: &&PaperMethod| {
            self.names.contains_key("methods") || method.published.is_some()
        };
        let known: Vec<&PaperMethod> = paper.methods.iter().filter(is_known).collect();
        let names: Vec<&str> = known.iter().map(|method| &*method.name).collect();
        let names = self.chosen("methods", "method of this study", &names)?;
        let wanted = known.into_iter();
        Ok(wanted
            .filter(|method| names.contains(&&*method.name))
            .collect())
    }

    /// Returns the number that an option asks for.
    pub(crate) fn number(&self, option: &str) -> u32 {
        self.numbers.get(option).copied().unwrap_or_default()
    }

    /// Finds the first of these files in the folder of the data, or in this folder inside it.
    pub(crate) fn file(&self, folder: &str, names: &[String]) -> Option<PathBuf> {
        let places = [self.data.clone(), self.data.join(folder)];
        let mut files = places
            .iter()
            .flat_map(|place| names.iter().map(|name| place.join(name)));
        files.find(|file| file.exists())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_comes_in_the_order_of_the_paper() {
        let known = ["alarm", "boblo", "pigs"];
        let of = |names: Option<&[&str]>| {
            let names = names.map(|names| names.iter().map(|&name| name.to_owned()).collect());
            let names = names.into_iter().map(|names| ("networks", names));
            let request = PaperRequest {
                names: names.collect(),
                ..PaperRequest::default()
            };
            request.chosen("networks", "network", &known)
        };
        assert_eq!(of(None).unwrap(), known);
        assert_eq!(
            of(Some(&["pigs", "alarm", "pigs"])).unwrap(),
            ["alarm", "pigs"]
        );
        let error = of(Some(&["alarm", "bobo"])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no network \"bobo\". Did you mean \"boblo\"?"
        );
    }

    #[test]
    fn a_number_out_of_range_is_refused_and_a_missing_one_has_its_default() {
        let paper = crate::papers()[0];
        let mut request = PaperRequest {
            numbers: [("samples", 0)].into(),
            ..PaperRequest::default()
        };
        let error = paper.plan(&request).err().unwrap();
        assert_eq!(error.to_string(), "samples must be 1 to 10000, got 0");
        request.numbers.clear();
        // The next thing that is missing is the folder.
        let error = paper.plan(&request).err().unwrap();
        assert!(error.to_string().contains("there is no file alarm.bif"));
    }

    #[test]
    fn methods_beyond_the_paper_must_be_asked_for() {
        let paper = crate::papers()[1].published();
        let mut request = PaperRequest::default();
        assert_eq!(request.methods(paper).unwrap().len(), 6);
        let beyond = vec!["koller-sahami-min".to_owned()];
        request.names.insert("methods", beyond);
        assert_eq!(request.methods(paper).unwrap().len(), 1);
    }
}
