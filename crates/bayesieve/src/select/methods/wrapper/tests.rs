//! All methods that go by accuracy.

use crate::Silent;
use crate::classify::ModelKind;
use crate::data::{CodedTable, CodingOptions, Folds, Generator, RoleOptions, Roles};
use crate::random::{Purpose, stream, unit};
use crate::score::testing::example1;
use crate::search::{Action, Limits, Search};
use crate::select::testing::{CancelsAfter, Run, coded, numbers, run, run_on, run_without_time};
use crate::select::{Method, Reason, SelectOptions, Selection, select};

fn options(method: &str) -> SelectOptions {
    SelectOptions::new(Method::named(method).unwrap()).unwrap()
}

fn selected(table: &CodedTable, options: &SelectOptions) -> Selection {
    select(table, options, &Limits::new(&Silent)).unwrap()
}

/// Sixty rows of two classes: `strong` is the class, `weak` in three rows of four, `noise`
/// in every second; `copy` is `strong` by other names.
fn strong_and_weak() -> CodedTable {
    let mut text = String::from("noise,strong,weak,copy,same,class\n");
    for row in 0..60 {
        let class = row % 2;
        let weak = if row % 8 < 2 { 1 - class } else { class };
        let noise = row / 2 % 2;
        text += &format!("n{noise},s{class},w{weak},c{class},x,{class}\n");
    }
    coded(&text)
}

fn led24(n_rows: usize) -> CodedTable {
    let table = Generator::Led24.generate(n_rows, 1).unwrap();
    let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
    CodedTable::new(&table, &roles, CodingOptions::default()).unwrap()
}

#[test]
fn naive_as_on_all_rows_adds_as_the_worked_numbers_say() {
    // 24 of 32 rows are of class 1; A6 alone gets 28 right, and no second feature more.
    let selection = run("naive-as", 320, &["estimate=train"]);
    assert_eq!(selection.start, 0.75);
    assert_eq!(numbers(&selection), ["A6 0.875000"]);
    assert_eq!(selection.search, None);
    // The empty set, eight, and seven more.
    assert_eq!(selection.n_evaluations, 1 + 8 + 7);
}

#[test]
fn k2_as_stops_where_k2_as_le_goes_on() {
    // With the class itself known nothing can be better, and noise makes nothing worse.
    let table = strong_and_weak();
    let first = run_on(&table, Run::of("k2-as"));
    assert_eq!(first.kept_names(), ["strong"]);
    assert!(first.start < 0.6);
    assert_eq!(first.value, 1.0);
    assert_eq!(first.n_evaluations, 1 + 4 + 3);
    let all = run_on(&table, Run::of("k2-as-le"));
    assert_eq!(all.kept_names(), ["strong", "noise", "weak", "copy"]);
    assert_eq!(all.stop.name(), "exhausted");
    let model = options("k2-as").final_training().unwrap().model;
    assert_eq!(model, ModelKind::Cb);
}

#[test]
fn what_is_out_says_its_estimates_unless_it_is_a_copy_or_constant() {
    for method in ["wrapper", "naive-as", "k2-as"] {
        let selection = run_on(&strong_and_weak(), Run::of(method));
        assert_eq!(selection.kept_names(), ["strong"], "{method}");
        let names: Vec<&str> = selection.dropped.iter().map(|d| d.reason.name()).collect();
        let estimated = "worse-by-estimate";
        assert_eq!(names, [estimated, estimated, "duplicate", "constant"]);
        let noise = &selection.dropped[0].reason;
        assert!(matches!(
            noise,
            Reason::WorseByEstimate { with, without, .. } if *with == 1.0 && *without == 1.0
        ));
        // Alone it tells nothing about the class: redundant at level 0.
        assert_eq!(noise.parts().level, Some(0));
        assert!(
            noise
                .sentence()
                .starts_with("accuracy no better with it: 100.00 %")
        );
    }
}

#[test]
fn with_nothing_to_start_from_one_feature_joins_in_any_case() {
    // Two rows of three are of class a, with either value of f.
    let text = "f,class\nx,a\nx,a\nx,b\ny,a\ny,a\ny,b\n";
    let table = coded(text);
    let with = |empty| {
        let given = options("wrapper")
            .with_model(ModelKind::NaiveBayes)
            .unwrap();
        let given = given.with_settings(["estimate=train", empty]).unwrap();
        selected(&table, &given)
    };
    let guessing = with("empty=majority");
    assert!(guessing.kept.is_empty());
    assert_eq!(guessing.start, 2.0 / 3.0);
    let nothing = with("empty=nothing");
    assert_eq!(nothing.kept_names(), ["f"]);
    assert_eq!((nothing.start, nothing.value), (0.0, 2.0 / 3.0));
}

#[test]
fn every_search_and_model_work_together() {
    let table = example1(64);
    for search in Search::all() {
        for model in ModelKind::ALL {
            let given = options("wrapper").with_model(model).unwrap();
            let given = given.with_search(search).unwrap();
            let mut settings = vec!["cv=2", "repeat=1"];
            if search.draws() {
                settings.extend(["population=12", "generations=2"]);
            }
            let selection = selected(&table, &given.with_settings(settings).unwrap());
            let case = format!("{search} {model}");
            assert_eq!(selection.kept.len() + selection.dropped.len(), 8, "{case}");
            let estimate = selection.estimate.unwrap();
            assert_eq!(estimate.mean, selection.value, "{case}");
            assert_eq!((estimate.n_folds, estimate.n_runs), (2, 1), "{case}");
            assert!(selection.value >= selection.start.min(0.5), "{case}");
        }
    }
}

#[test]
fn one_standard_error_gives_features_away_and_not_more() {
    let table = led24(300);
    let given = options("wrapper")
        .with_search(Search::named("backward").unwrap())
        .unwrap();
    let settings = ["repeat=1", "cv=5"];
    let best = selected(&table, &given.clone().with_settings(settings).unwrap());
    let mut options = given
        .with_settings(["repeat=1", "cv=5", "rule=one-se"])
        .unwrap();
    let smaller = selected(&table, &options);
    assert!(smaller.kept.len() < best.kept.len());
    let least = best.value - best.estimate.unwrap().standard_error;
    assert!(smaller.value >= least - 1e-9);
    let given_away = &smaller.steps[best.steps.len()..];
    assert_eq!(given_away.len(), best.kept.len() - smaller.kept.len());
    assert!(given_away.iter().all(|step| step.action == Action::Remove));
    assert_eq!(given_away.last().unwrap().score, smaller.value);
    // What must stay stays, however little it is missed.
    let first = given_away[0].feature.clone();
    options.keep = vec![first.clone()];
    assert!(
        selected(&table, &options)
            .kept_names()
            .contains(&first.as_str())
    );
}

#[test]
fn features_join_a_population_that_stopped_too_early() {
    // Two sets of one generation: hardly one of them is good.
    let table = led24(300);
    let run = |rule: &str| {
        let settings = ["population=2", "generations=1", "repeat=1", "cv=5", rule];
        selected(
            &table,
            &options("fss-ebna").with_settings(settings).unwrap(),
        )
    };
    let (best, settled) = (run("rule=best"), run("rule=one-se"));
    let error = best.estimate.unwrap().standard_error;
    assert!(settled.value > best.value + error);
    assert_eq!(settled.steps[0].action, Action::Add);
    assert!(settled.steps[0].score > best.value + error);
}

#[test]
fn a_population_of_many_features_is_drawn_by_a_simpler_model() {
    let names: Vec<String> = (0..101).map(|f| format!("f{f}")).collect();
    let mut text = names.join(",") + ",class\n";
    for row in 0..24 {
        let cells = (0..101).map(|f| (row >> (f % 4) & 1).to_string());
        text += &(cells.collect::<Vec<_>>().join(",") + &format!(",{}\n", row % 2));
    }
    let table = coded(&text);
    let settings = ["population=10", "generations=1", "cv=2", "repeat=1"];
    let run = |options: SelectOptions| selected(&table, &options.with_settings(settings).unwrap());
    let own = run(options("fss-ebna"));
    assert_eq!(own.search, Some("umda"));
    assert!(own.warnings[0].starts_with("101 features are many for ebna"));
    let asked = run(options("fss-ebna").with_search(Search::EBNA).unwrap());
    assert_eq!(asked.search, Some("ebna"));
    assert!(!asked.warnings.iter().any(|w| w.contains("are many for")));
    let error = options("fss-ebna")
        .with_search(Search::FORWARD)
        .unwrap_err();
    assert!(
        error.to_string().contains("Use genetic, ebna, umda"),
        "{error}"
    );
}

#[test]
fn settings_of_method_search_and_model_are_one_list() {
    let given = options("wrapper").with_model(ModelKind::Cb).unwrap();
    let given = given.with_search(Search::EBNA).unwrap();
    let given = given
        .with_settings(["level=0.1", "population=50", "cv=5"])
        .unwrap();
    assert_eq!(given.training().level, 0.1);
    let all = given.all_settings();
    for expected in [
        ("cv", "5"),
        ("population", "50"),
        ("level", "0.1"),
        ("stop", "accuracy"),
    ] {
        assert!(
            all.contains(&(expected.0, expected.1.to_owned())),
            "{expected:?}"
        );
    }
    let error = given
        .with_settings(["populaton=50"])
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("wrapper with ebna and cb has no setting \"populaton\""));
    assert!(error.contains("Did you mean \"population\"?") && error.contains("smoothing"));
    // Plain naive Bayes has no tests.
    assert!(options("wrapper").with_settings(["level=0.1"]).is_err());
    assert!(options("wrapper").with_settings(["repeat=0"]).is_err());
    assert!(options("wrapper").with_settings(["repeat=auto"]).is_ok());
}

#[test]
fn given_folds_are_the_folds() {
    // In fold 0 the feature is the class, in fold 1 its opposite: every prediction is wrong.
    let rows = (0..40).map(|row| format!("v{},{}\n", row % 2, (row % 2) ^ (row / 20)));
    let table = coded(&format!("a,class\n{}", rows.collect::<String>()));
    let numbers: Vec<i64> = (0..40).map(|row| row / 20).collect();
    let folds = Folds::from_numbers(&numbers).unwrap();
    let mut options = options("wrapper").with_folds(folds.clone()).unwrap();
    options.keep = vec!["a".into()];
    let selection = selected(&table, &options);
    assert_eq!(selection.value, 0.0);
    let estimate = selection.estimate.unwrap();
    assert_eq!((estimate.n_folds, estimate.n_runs), (2, 1));
    for (method, settings) in [
        ("naive-as", &[][..]),
        ("mdl-fs", &[]),
        ("wrapper", &["estimate=holdout"]),
    ] {
        let options = Run {
            settings: settings.to_vec(),
            ..Run::of(method)
        };
        let error = options.options().unwrap().with_folds(folds.clone());
        assert!(error.unwrap_err().to_string().contains("folds"), "{method}");
    }
}

#[test]
fn numbers_without_bins_go_with_models_that_take_them() {
    let table = Generator::Waveform40.generate(80, 1).unwrap();
    let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
    let coding = CodingOptions {
        discretizer: crate::data::Discretizer::None,
        ..CodingOptions::default()
    };
    let table = CodedTable::new(&table, &roles, coding).unwrap();
    let of = |model| {
        let given = options("wrapper").with_model(model).unwrap();
        let given = given.with_coding(coding).unwrap();
        let given = given.with_settings(["repeat=1", "cv=3"]).unwrap();
        select(&table, &given, &Limits::new(&Silent))
    };
    assert!(of(ModelKind::NaiveBayes).unwrap().value > 0.7);
    for model in [ModelKind::Tan, ModelKind::K2, ModelKind::Cb] {
        let error = of(model).unwrap_err().to_string();
        assert!(error.contains("nb, block or id3"), "{error}");
    }
}

#[test]
fn a_population_cut_off_in_its_first_generation_gives_the_best_so_far() {
    let table = led24(100);
    let given = options("fss-ebna").with_model(ModelKind::Id3).unwrap();
    let settings = ["population=300", "generations=1", "cv=3", "repeat=1"];
    let given = given.with_settings(settings).unwrap();
    let run = |observer: &CancelsAfter| select(&table, &given, &Limits::new(observer)).unwrap();
    let counts = CancelsAfter::new(u64::MAX);
    let whole = run(&counts);
    // One generation is drawn and a second from it: a quarter is within the first.
    let cut = run(&CancelsAfter::new(counts.n_asked() / 4));
    assert_eq!(cut.stop.name(), "interrupted");
    assert!(cut.value <= whole.value);
    assert!(!cut.kept.is_empty() && cut.value > cut.start);
    assert_eq!(cut.estimate.unwrap().mean, cut.value);
}

#[test]
fn a_run_without_time_keeps_nothing_and_says_so() {
    for method in ["wrapper", "fss-ebna", "naive-as", "k2-as", "k2-as-le"] {
        let selection = run_without_time(&example1(320), &Run::of(method));
        assert!(selection.kept.is_empty(), "{method}");
        assert_eq!(selection.stop.name(), "budget", "{method}");
        // Three of four rows are of the larger class; halves may have some more.
        assert!((selection.value - 0.75).abs() < 0.05, "{method}");
    }
}

/// Four thousand rows, three of a hundred of the rarer class: three planted features are three
/// times as frequent in it, too few to predict it even together; four others are noise.
fn rare_class() -> CodedTable {
    let mut rng = stream(7, Purpose::Generate, 0);
    let mut text = String::from("n1,p1,n2,p2,n3,p3,n4,class\n");
    for row in 0..4_000 {
        let is_rare = row % 100 < 3;
        for column in 0..7 {
            let share = match (column % 2 == 1, is_rare) {
                (true, true) => 0.6,
                (true, false) => 0.2,
                (false, _) => 0.4,
            };
            text += if unit(&mut rng) < share { "y," } else { "n," };
        }
        text += if is_rare { "rare\n" } else { "usual\n" };
    }
    coded(&text)
}

#[test]
fn log_loss_finds_the_features_of_a_rare_class_where_accuracy_finds_none() {
    let table = rare_class();
    let by = |measure: &str| {
        let mut given = options("wrapper").with_settings(["repeat=1"]).unwrap();
        given.measure = measure.parse().unwrap();
        selected(&table, &given)
    };
    // One feature raises the odds of 3 to 97 threefold at most: the usual class always wins.
    assert!(by("accuracy").kept.is_empty());
    for measure in ["log-loss", "auc", "brier"] {
        let found = by(measure);
        let mut first: Vec<&str> = found.kept_names()[..3].to_vec();
        first.sort_unstable();
        assert_eq!(first, ["p1", "p2", "p3"], "{measure}");
        assert_eq!(found.score.name, measure);
        assert_eq!(found.estimate.unwrap().mean, found.value);
    }
}

#[test]
fn every_method_by_accuracy_goes_by_other_measures_too() {
    for method in ["wrapper", "fss-ebna", "naive-as", "k2-as", "k2-as-le"] {
        let mut given = options(method);
        if method == "fss-ebna" {
            let settings = ["population=12", "generations=2", "cv=3", "repeat=1"];
            given = given.with_settings(settings).unwrap();
        }
        given.measure = "log-loss".parse().unwrap();
        let selection = selected(&strong_and_weak(), &given);
        let names = selection.kept_names();
        assert!(
            names.contains(&"strong") || names.contains(&"copy"),
            "{method}"
        );
        let kind = (selection.score.name, selection.score.unit);
        assert_eq!(kind, ("log-loss", "nats"), "{method}");
        // Half of the rows are of either class; halves may differ.
        assert!((selection.start - 2f64.ln()).abs() < 0.15, "{method}");
        assert!(selection.value < 0.2, "{method}");
        let estimate = selection.estimate.unwrap();
        assert_eq!(estimate.mean, selection.value, "{method}");
        assert!(estimate.standard_error.is_finite(), "{method}");
        let estimated = selection
            .dropped
            .iter()
            .filter(|dropped| matches!(dropped.reason, Reason::WorseByEstimate { .. }));
        for dropped in estimated {
            assert!(dropped.reason.sentence().contains("log-loss"), "{method}");
        }
    }
}

#[test]
fn one_standard_error_of_a_loss_is_above_it() {
    let table = led24(300);
    let given = options("wrapper")
        .with_search(Search::named("backward").unwrap())
        .unwrap();
    let by = |rule: &str| {
        let settings = ["repeat=1", "cv=5", rule];
        let mut given = given.clone().with_settings(settings).unwrap();
        given.measure = "brier".parse().unwrap();
        selected(&table, &given)
    };
    let (best, smaller) = (by("rule=best"), by("rule=one-se"));
    assert!(best.value < best.start);
    assert!(smaller.kept.len() < best.kept.len());
    let most = best.value + best.estimate.unwrap().standard_error;
    assert!(smaller.value <= most + 1e-9);
}

#[test]
fn with_every_row_wrong_at_the_start_one_feature_joins_by_any_measure() {
    // As above: f says nothing, and its table is (3/6, 3/6) in both classes.
    let table = coded("f,class\nx,a\nx,a\nx,b\ny,a\ny,a\ny,b\n");
    let with = |empty| {
        let given = options("wrapper")
            .with_model(ModelKind::NaiveBayes)
            .unwrap();
        let mut given = given.with_settings(["estimate=train", empty]).unwrap();
        given.measure = "log-loss".parse().unwrap();
        selected(&table, &given)
    };
    let guessing = with("empty=majority");
    assert!(guessing.kept.is_empty());
    // -(2/3 ln 2/3 + 1/3 ln 1/3)
    assert!((guessing.start - 0.636_514).abs() < 1e-6);
    let nothing = with("empty=nothing");
    assert_eq!(nothing.kept_names(), ["f"]);
    assert!(nothing.start > 36.0 && (nothing.value - 0.636_514).abs() < 1e-6);
}
