//! A study that counts how often its units are computed.

use std::sync::atomic::AtomicUsize;

use super::*;
use crate::Silent;

/// Ten times the group plus the unit, with a count of calls.
struct Tens {
    groups: Vec<Group>,
    seed: u64,
    n_calls: AtomicUsize,
    /// Cancels when so many units have been computed.
    cancels_at: usize,
}

fn group(name: &str, data: &str) -> Group {
    Group {
        name: name.into(),
        data: data.into(),
        n_units: 3,
        cost: 10,
    }
}

impl Tens {
    fn new(groups: Vec<Group>) -> Self {
        Tens {
            groups,
            seed: 1,
            n_calls: AtomicUsize::new(0),
            cancels_at: usize::MAX,
        }
    }

    fn n_calls(&self) -> usize {
        self.n_calls.load(Ordering::Relaxed)
    }

    fn conduct(&self, checkpoint: Option<&Checkpoint>) -> Result<Conducted<f64>> {
        conduct(self, checkpoint, &Limits::new(self))
    }
}

impl Study for Tens {
    type Measure = f64;

    fn settings(&self) -> Map<String, Value> {
        Map::from_iter([("seed".to_owned(), self.seed.into())])
    }

    fn groups(&self) -> Vec<Group> {
        self.groups.clone()
    }

    fn measure(&self, group: usize, unit: usize, observer: &dyn Observer) -> Result<f64> {
        crate::check(observer)?;
        self.n_calls.fetch_add(1, Ordering::Relaxed);
        observer.progress("unit", 1, 2);
        // A number with no short decimal form: it must come back to the last bit.
        Ok((10 * group + unit) as f64 / 3.0)
    }
}

impl Observer for Tens {
    fn progress(&self, stage: &str, done: u64, total: u64) {
        assert!(self.groups.iter().any(|group| group.name == stage));
        assert!(done <= total);
    }

    fn is_cancelled(&self) -> bool {
        self.n_calls() >= self.cancels_at
    }
}

fn thirds(numbers: [u32; 3]) -> Option<Vec<f64>> {
    Some(numbers.map(|n| f64::from(n) / 3.0).to_vec())
}

#[test]
fn units_of_a_checkpoint_are_not_computed_again_whatever_else_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("c");
    let first = Tens::new(vec![group("a", "1"), group("b", "2")]);
    let checkpoint = Checkpoint::create(&file).unwrap();
    first.conduct(Some(&checkpoint)).unwrap();
    assert_eq!(first.n_calls(), 6);
    let more = Tens::new(vec![group("b", "2"), group("c", "3")]);
    let resumed = more.conduct(Some(&Checkpoint::resume(&file))).unwrap();
    assert_eq!((more.n_calls(), resumed.n_resumed), (3, 3));
    // Group b was the second when it was computed.
    assert_eq!(resumed.groups, [thirds([10, 11, 12]), thirds([10, 11, 12])]);
    assert!(!resumed.is_cut_short);
}

#[test]
fn a_run_that_is_cancelled_has_the_groups_finished_by_then_and_goes_on_from_there() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("c");
    let groups = || vec![group("a", "1"), group("b", "2"), group("c", "3")];
    let mut study = Tens::new(groups());
    study.cancels_at = 4;
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    let checkpoint = Checkpoint::create(&file).unwrap();
    let cut = threads
        .install(|| study.conduct(Some(&checkpoint)))
        .unwrap();
    assert!(cut.is_cut_short);
    assert_eq!(cut.groups, [thirds([0, 1, 2]), None, None]);
    let again = Tens::new(groups());
    let whole = again.conduct(Some(&Checkpoint::resume(&file))).unwrap();
    assert_eq!((again.n_calls(), whole.n_resumed), (5, 4)); // one unit of b was done
    let plain = Tens::new(groups()).conduct(None).unwrap();
    assert_eq!(whole.groups, plain.groups);
}

#[test]
fn a_checkpoint_of_other_settings_or_data_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("c");
    let checkpoint = Checkpoint::create(&file).unwrap();
    Tens::new(vec![group("a", "1")])
        .conduct(Some(&checkpoint))
        .unwrap();
    let resumed = Checkpoint::resume(&file);
    let error = Tens::new(vec![group("a", "2")])
        .conduct(Some(&resumed))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Data);
    assert!(
        error
            .to_string()
            .contains("the checkpoint has \"a\" of other data")
    );
    let mut other = Tens::new(vec![group("a", "1")]);
    other.seed = 2;
    let error = other.conduct(Some(&resumed)).unwrap_err();
    assert!(
        error.to_string().contains("its seed is 1, this one's 2"),
        "{error}"
    );
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text + "{\"group\":\"a\"}\n").unwrap();
    let error = Tens::new(vec![group("a", "1")])
        .conduct(Some(&resumed))
        .unwrap_err();
    assert_eq!(error.line(), Some(5)); // the run, three units, and this
}

#[test]
fn a_unit_that_fails_is_an_error() {
    struct Fails;
    impl Study for Fails {
        type Measure = f64;
        fn settings(&self) -> Map<String, Value> {
            Map::new()
        }
        fn groups(&self) -> Vec<Group> {
            vec![group("a", "1")]
        }
        fn measure(&self, _: usize, unit: usize, _: &dyn Observer) -> Result<f64> {
            match unit {
                1 => Err(Error::data("no")),
                _ => Ok(0.0),
            }
        }
    }
    let error = conduct(&Fails, None, &Limits::new(&Silent)).unwrap_err();
    assert_eq!(error.to_string(), "no");
}
