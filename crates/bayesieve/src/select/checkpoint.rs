//! Checkpoints of searches: a journal of scored sets.
//!
//! Some hundred lines are added at a time. A run that is resumed walks again from the start
//! with the known scores at hand: its result is that of a run never cut off, by construction.

use serde_json::{Map, Value, json};

use super::fingerprint;
use super::options::SelectOptions;
use crate::Result;
use crate::data::CodedTable;
use crate::journal::{self, Checkpoint, broken};
use crate::score::FeatureSet;

const SCHEMA: &str = "bayesieve.checkpoint.v1";

/// A checkpoint in use: what is known, and where more goes.
#[derive(Debug)]
pub(super) struct Journal {
    lines: journal::Journal,
    pub(super) known: Vec<(FeatureSet, f64)>,
    /// What the user should know about how it was opened.
    pub(super) note: Option<String>,
}

impl Journal {
    /// Reads what there is of this run.
    pub(super) fn new(checkpoint: &Checkpoint, run: Map<String, Value>) -> Result<Self> {
        let n_features = run.get("candidates").and_then(Value::as_u64);
        let n_features = n_features.unwrap_or_default() as usize;
        let (lines, known) = journal::Journal::open(checkpoint, run, |line| {
            parse(line, n_features).ok_or_else(|| broken("this is no set with its score"))
        })?;
        Ok(Journal {
            note: lines.note.clone(),
            lines,
            known,
        })
    }

    /// Adds sets that have just been scored.
    pub(super) fn append(&self, scored: &[(FeatureSet, f64)]) -> Result<()> {
        let lines = scored.iter().filter(|(_, value)| value.is_finite());
        let lines = lines.map(|(set, value)| {
            let bits = (0..set.n_features()).map(|f| if set.contains(f) { '1' } else { '0' });
            // The shortest number that reads back as the same.
            format!("{} {value:?}\n", bits.collect::<String>())
        });
        self.lines.append(&lines.collect::<String>())
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
        "data": fingerprint::of(table, options).to_string(),
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
    use crate::Silent;
    use crate::score::testing::example1;
    use crate::search::{Limits, Search};
    use crate::select::{Method, Selection, select};

    fn options() -> SelectOptions {
        let options = SelectOptions::new(Method::named("mdl-fs").unwrap()).unwrap();
        options
            .with_search(Search::named("genetic").unwrap())
            .unwrap()
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
