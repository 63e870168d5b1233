use super::*;
use crate::data::{Generator, RoleOptions, read_table};
use crate::search::Stop;
use std::time::Duration;

fn choose(table: &Table, options: &AutoOptions, limits: &Limits<'_>) -> Result<AutoChoice> {
    let roles = Roles::resolve(table, &RoleOptions::default())?;
    let auto = Auto {
        table,
        roles: &roles,
        options,
    };
    auto.choose(None, limits)
}

/// By naive Bayes alone, which is fast also where nothing is optimized.
fn options() -> AutoOptions {
    AutoOptions {
        model: Some(ModelKind::NaiveBayes),
        ..AutoOptions::default()
    }
}

fn chosen(table: &Table) -> AutoChoice {
    choose(table, &options(), &Limits::new(&Silent)).unwrap()
}

fn read(text: &str) -> Table {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.csv");
    std::fs::write(&path, text).unwrap();
    read_table(&path, &Default::default(), &Silent).unwrap()
}

/// How the choice was made.
fn report(found: &AutoChoice) -> &AutoReport {
    found.selection.auto.as_ref().unwrap()
}

#[test]
fn led24_keeps_about_the_seven_segments() {
    let table = Generator::Led24.generate(300, 1).unwrap();
    let found = chosen(&table);
    let kept = found.selection.kept_names();
    assert!((6..=9).contains(&kept.len()), "{kept:?}");
    let report = report(&found);
    assert_eq!((report.n_folds, report.candidates.len()), (10, 8));
    let corrected = report.corrected.unwrap();
    // No classifier can do better than 0.74.
    assert!(corrected.mean <= report.accuracy + 0.005, "{report:?}");
    assert!((0.6..0.76).contains(&corrected.mean), "{report:?}");
    let right: u64 = (0..10).map(|class| report.confusion[class][class]).sum();
    assert!((right as f64 / 300.0 - report.accuracy).abs() < 1e-12);
    assert_eq!(report.confusion.iter().flatten().sum::<u64>(), 300);
    let best = &report.candidates[report.chosen];
    assert_eq!(best.agreement, Some(1.0));
    assert_eq!(found.training.model.name(), best.model);
    assert_eq!(found.selection.method, best.method);
    assert_eq!(found.selection.auto.as_ref(), Some(report));
}

#[test]
fn threads_change_nothing_but_the_clock() {
    let table = Generator::Example1.generate(96, 3).unwrap();
    let on = |n_threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
        pool.build().unwrap().install(|| {
            let found = chosen(&table);
            let candidates = report(&found).candidates.iter();
            let summaries: Vec<_> = candidates
                .map(|one| (one.name.clone(), one.accuracy, one.mean_kept, one.agreement))
                .collect();
            let kept = found.selection.kept.iter().map(|kept| kept.feature.clone());
            (
                summaries,
                kept.collect::<Vec<_>>(),
                report(&found).corrected,
            )
        })
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn a_budget_that_is_over_at_once_leaves_the_first_candidate() {
    let table = Generator::Led24.generate(200, 1).unwrap();
    let limits = Limits::new(&Silent).with_budget(Some(Duration::ZERO));
    let found = choose(&table, &AutoOptions::default(), &limits).unwrap();
    assert_eq!(found.selection.stop, Stop::Budget);
    assert_eq!(
        (found.selection.method, report(&found).corrected),
        ("mdl-fs", None)
    );
    assert!(report(&found).is_cut_short);
    assert!(
        found
            .selection
            .warnings
            .iter()
            .any(|w| w.contains("mdl-fs/nb"))
    );
}

/// Says stop at the given look, as a budget does that is over on the way.
struct StopsAt(std::sync::atomic::AtomicU64);

impl Observer for StopsAt {
    fn progress(&self, _: &str, _: u64, _: u64) {}

    fn is_cancelled(&self) -> bool {
        use std::sync::atomic::Ordering::Relaxed;
        self.0
            .fetch_update(Relaxed, Relaxed, |n| Some(n.saturating_sub(1)))
            == Ok(0)
    }
}

#[test]
fn a_run_that_is_stopped_on_the_way_chooses_among_those_that_were_finished() {
    let table = Generator::Example1.generate(96, 1).unwrap();
    // How often it looks before a method is finished depends on the threads.
    let found = [50u64, 100, 200, 400, 800, 1_600]
        .into_iter()
        .find_map(|n_looks| {
            let stops = StopsAt(n_looks.into());
            let found = choose(&table, &options(), &Limits::new(&stops)).ok()?;
            let n_known = report(&found).n_compared();
            (1..8).contains(&n_known).then_some(found)
        });
    let found = found.expect("a stop between the first method and the last");
    let report = report(&found);
    assert!(report.is_cut_short, "{report:?}");
    assert!(report.corrected.is_some());
    assert_eq!(found.selection.stop, Stop::Interrupted);
}

#[test]
fn features_to_keep_are_in_whatever_is_chosen() {
    let table = Generator::Example1.generate(96, 1).unwrap();
    let last = table.columns()[6].name().to_owned();
    let options = AutoOptions {
        keep: vec![last.clone()],
        ..options()
    };
    let found = choose(&table, &options, &Limits::new(&Silent)).unwrap();
    assert!(found.selection.kept_names().contains(&last.as_str()));
}

#[test]
fn one_class_is_an_error_and_a_rare_class_is_not() {
    let rows: String = (0..12).map(|row| format!("{},x\n", row % 3)).collect();
    let one = read(&format!("a,class\n{rows}"));
    let error = choose(&one, &AutoOptions::default(), &Limits::new(&Silent)).unwrap_err();
    assert!(error.to_string().contains("of one class"), "{error}");
    let rare = read(&format!("a,class\n{rows}1,y\n"));
    assert!(chosen(&rare).selection.auto.unwrap().accuracy > 0.9);
}

#[test]
fn a_checkpoint_spares_what_it_holds() {
    let table = Generator::Example1.generate(96, 1).unwrap();
    let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
    let options = options();
    let auto = Auto {
        table: &table,
        roles: &roles,
        options: &options,
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("folds.txt");
    let run = |checkpoint: Checkpoint| {
        let found = auto
            .choose(Some(&checkpoint), &Limits::new(&Silent))
            .unwrap();
        report(&found).clone()
    };
    let first = run(Checkpoint::create(&file).unwrap());
    // Seconds are those of the first run: nothing was computed again.
    assert_eq!(run(Checkpoint::resume(&file)), first);
}

/// Rows of two classes, so many of the rarer one: three features tell of it, seven are noise.
fn rare_class(n_rows: u32, one_in: u32) -> Table {
    use crate::random::{Purpose, below, stream};
    let mut rng = stream(3, Purpose::Generate, 0);
    let mut text = String::from("a,b,c,n1,n2,n3,n4,n5,n6,n7,class\n");
    for row in 0..n_rows {
        let is_rare = row % one_in == 0;
        for _ in 0..3 {
            let is_on = below(&mut rng, 10) < if is_rare { 7 } else { 3 };
            text += if is_on { "y," } else { "n," };
        }
        for _ in 0..7 {
            text += ["p,", "q,", "r,"][below(&mut rng, 3) as usize];
        }
        text += if is_rare { "rare\n" } else { "usual\n" };
    }
    read(&text)
}

#[test]
fn a_rare_class_keeps_the_features_that_tell_of_it() {
    let found = chosen(&rare_class(3_000, 33));
    let mut kept = found.selection.kept_names();
    kept.sort_unstable();
    assert_eq!(kept, ["a", "b", "c"]);
    let performance = found.selection.performance.unwrap();
    let auc = performance.get("auc".parse().unwrap()).unwrap();
    assert!(auc.mean > 0.75 && auc.baseline == Some(0.5), "{auc:?}");
    let log_loss = performance.get(Measure::DEFAULT).unwrap();
    assert!(log_loss.mean < log_loss.baseline.unwrap(), "{log_loss:?}");
}

#[test]
fn noise_keeps_nothing_and_says_so() {
    let table = rare_class(200, 2);
    let columns = table.columns().iter();
    let noise = columns.filter(|column| !["a", "b", "c"].contains(&column.name()));
    let noise = Table::new(noise.map(|column| (**column).clone()).collect()).unwrap();
    let found = chosen(&noise);
    assert!(
        found.selection.kept.is_empty(),
        "{:?}",
        found.selection.kept
    );
    let reasons = found.selection.dropped.iter();
    assert_eq!(reasons.len(), 7);
}

#[test]
fn the_path_adds_up_to_the_kept_features_and_folds_are_counted() {
    let found = chosen(&rare_class(1_000, 4));
    let path = &found.selection.path;
    let n_kept = found.selection.kept.len();
    let point = path.iter().position(|point| point.size == n_kept).unwrap();
    let added = path[..=point]
        .iter()
        .flat_map(|point| &point.features_added);
    let mut added: Vec<&str> = added.map(String::as_str).collect();
    let mut kept = found.selection.kept_names();
    added.sort_unstable();
    kept.sort_unstable();
    assert_eq!(added, kept);
    assert_eq!(found.selection.n_folds, Some(10));
    assert!(
        found
            .selection
            .kept
            .iter()
            .all(|kept| kept.kept_in_folds.is_some_and(|n| n >= 8))
    );
}

#[test]
fn a_number_of_features_is_kept_to() {
    for count in [1, 5, 10] {
        let options = AutoOptions {
            count: Some(count),
            ..options()
        };
        let found = choose(&rare_class(500, 4), &options, &Limits::new(&Silent)).unwrap();
        assert_eq!(found.selection.kept.len(), count);
    }
}

#[test]
fn a_measure_decides() {
    let table = rare_class(3_000, 33);
    for name in ["accuracy", "auc", "average-precision", "brier"] {
        let options = AutoOptions {
            measure: name.parse().unwrap(),
            ..options()
        };
        let found = choose(&table, &options, &Limits::new(&Silent)).unwrap();
        assert_eq!(report(&found).measure.name, name);
        let n_kept = found.selection.kept.len();
        // At 3 % no row is more likely of the rare class: always saying the other is as accurate
        // as any.
        assert_eq!(n_kept == 0, name == "accuracy", "{name}: {n_kept}");
    }
}
