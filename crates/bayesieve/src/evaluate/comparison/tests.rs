use super::*;
use crate::Silent;
use crate::data::{Generator, RoleOptions, read_table};
use crate::evaluate::conduct;
use crate::journal::Checkpoint;
use crate::search::Limits;

fn pipelines(names: &[&str]) -> Vec<Pipeline> {
    let named = names.iter().map(|name| Pipeline::named(name).unwrap());
    named.collect()
}

fn set(name: &str, table: Table, protocol: &str) -> DataSet {
    let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
    let protocol = protocol.parse().unwrap();
    DataSet::new(name, (table, roles), CodingOptions::default(), protocol).unwrap()
}

fn led24(protocol: &str) -> DataSet {
    set(
        "led24",
        Generator::Led24.generate(300, 1).unwrap(),
        protocol,
    )
}

fn read(text: &str) -> Table {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.csv");
    std::fs::write(&path, text).unwrap();
    read_table(&path, &Default::default(), &Silent).unwrap()
}

fn compared(study: &ComparisonStudy) -> Comparison {
    let conducted = conduct(study, None, &Limits::new(&Silent)).unwrap();
    study.comparison(conducted)
}

/// A comparison of accuracies alone: by data set, pipeline and run.
fn made(accuracies: &[&[&[f64]]], protocol: &str) -> Comparison {
    let table = Generator::Example1.generate(32, 1).unwrap();
    let names = ["all/nb", "all/tan", "all/k2"];
    let n_pipelines = accuracies[0].len();
    let sets = (0..accuracies.len()).map(|n| set(&format!("set {n}"), table.clone(), protocol));
    let study = ComparisonStudy::of_all(sets.collect(), pipelines(&names[..n_pipelines]), 1);
    let run = |accuracy: f64| Run {
        run: 1,
        fold: 1,
        n_train: 20,
        n_test: 10,
        kept: vec![0],
        accuracy,
        log_loss: None,
        brier: None,
        measures: MeasuredValues::default(),
        call_per_row: None,
        call_per_row_without_class: None,
        inner_accuracy: None,
        n_used: 0,
        n_asked: 0,
        seconds: 0.0,
    };
    let cells = accuracies.iter().flat_map(|set| set.iter());
    let groups = cells.map(|runs| Some(runs.iter().map(|&accuracy| run(accuracy)).collect()));
    study.comparison(Conducted {
        groups: groups.collect(),
        n_resumed: 0,
        is_cut_short: false,
        warnings: Vec::new(),
    })
}

#[test]
fn pipelines_are_tested_on_the_same_rows() {
    let study = ComparisonStudy::of_all(
        vec![led24("cv:3x2")],
        pipelines(&["all/nb", "all/nb,alpha=1", "mrmr:7/tan"]),
        1,
    );
    let comparison = compared(&study);
    let runs = |pipeline| &comparison.entry(0, pipeline).unwrap().runs;
    // Equal pipelines are equal in every run, but for the clock.
    let results = |pipeline| -> Vec<_> {
        let runs = runs(pipeline).iter();
        runs.map(|run| (run.run, run.fold, run.accuracy, run.log_loss))
            .collect()
    };
    assert_eq!(results(0), results(1));
    assert_eq!(runs(0).len(), 6);
    assert!(
        runs(2)
            .iter()
            .all(|run| run.kept.len() == 7 && run.n_test == 100)
    );
}

#[test]
fn call_is_that_of_the_kept_features_on_the_training_rows() {
    // All rows of Example 1 a hundred times over; of 3,200 rows any two thirds tell nearly
    // what the whole does: 0.7523 for TAN over {A1, A2, A4, A6}, by the class 0.8113 less.
    let table = Generator::Example1.generate(3200, 1).unwrap();
    let study = ComparisonStudy::of_all(
        vec![set("example1", table, "holdout:4:2/3")],
        pipelines(&["mdl-fs/tan", "mdl-fs/id3"]),
        1,
    );
    let comparison = compared(&study);
    let mean = |pipeline, quantity| {
        let entry = comparison.entry(0, pipeline).unwrap();
        entry.mean_sd(quantity).map(|of_runs| of_runs.mean)
    };
    assert!((mean(0, Quantity::Call).unwrap() - 0.7523).abs() < 0.02);
    let class = mean(0, Quantity::Call).unwrap() - mean(0, Quantity::CallWithClass).unwrap();
    assert!((class - 0.8113).abs() < 0.01);
    assert_eq!(mean(1, Quantity::Call), None);
    assert_eq!(mean(0, Quantity::Kept), Some(4.0));
}

#[test]
fn training_rows_of_one_class_predict_that_class() {
    // Nine rows of x, one of y: in most halves all training rows are x.
    let rows: String = (0..9).map(|row| format!("{},x\n", row % 3)).collect();
    let table = read(&format!("a,class\n{rows}1,y\n"));
    let study = ComparisonStudy::of_all(
        vec![set("rare", table, "split:2/8x6")],
        pipelines(&["mdl-fs/nb"]),
        1,
    );
    let comparison = compared(&study);
    let runs = &comparison.entry(0, 0).unwrap().runs;
    let of_one_class = runs.iter().filter(|run| run.accuracy == 7.0 / 8.0).count();
    assert!(of_one_class >= 3, "{runs:?}");
}

#[test]
fn curves_rise_to_the_whole_training_part() {
    let study = ComparisonStudy::of_all(vec![led24("holdout:3:2/3")], pipelines(&["all/nb"]), 1);
    let comparison = compared(&study.with_curve(&[20, 60, 500]));
    let curve = comparison.curve(0, 0);
    let sizes: Vec<usize> = curve.iter().map(|(n_train, _)| *n_train).collect();
    assert_eq!(sizes, [20, 60, 200]); // 500 is above the 200 there are
    let accuracy = |point: usize| curve[point].1.mean_sd(Quantity::ACCURACY).unwrap().mean;
    assert!(accuracy(0) < accuracy(1) && accuracy(1) < accuracy(2));
    assert_eq!(comparison.wholes().count(), 1);
}

#[test]
fn a_run_that_is_resumed_ends_as_one_that_was_not() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("units.txt");
    let first = ComparisonStudy::of_all(vec![led24("cv:3")], pipelines(&["all/nb"]), 1);
    let checkpoint = Checkpoint::create(&file).unwrap();
    conduct(&first, Some(&checkpoint), &Limits::new(&Silent)).unwrap();

    let more = pipelines(&["all/nb", "mdl-fs/nb"]);
    let study = ComparisonStudy::of_all(vec![led24("cv:3")], more, 1);
    let resumed = Checkpoint::resume(&file);
    let conducted = conduct(&study, Some(&resumed), &Limits::new(&Silent)).unwrap();
    assert_eq!(conducted.n_resumed, 3);
    let (resumed, fresh) = (study.comparison(conducted), compared(&study));
    for (a, b) in resumed.entries.iter().zip(&fresh.entries) {
        assert_eq!(a.values(Quantity::ACCURACY), b.values(Quantity::ACCURACY));
    }

    // The same name with another protocol or seed is another study.
    for other in [
        ComparisonStudy::of_all(vec![led24("cv:4")], pipelines(&["all/nb"]), 1),
        ComparisonStudy::of_all(vec![led24("cv:3")], pipelines(&["all/nb"]), 2),
    ] {
        let resumed = Checkpoint::resume(&file);
        assert!(conduct(&other, Some(&resumed), &Limits::new(&Silent)).is_err());
    }
}

#[test]
fn pairs_are_tested_as_the_worked_example_has_it() {
    let a = [0.80, 0.82, 0.78, 0.81, 0.79, 0.83, 0.80, 0.77, 0.82, 0.78];
    let b = [0.78, 0.81, 0.78, 0.79, 0.80, 0.80, 0.78, 0.77, 0.80, 0.77];
    let comparison = made(&[&[&a, &b]], "cv:10");
    let of = |kind| {
        let test = comparison.pair_test(kind, (0, 1), 0, Quantity::ACCURACY);
        test.unwrap().unwrap()
    };
    let t = of(PairTestKind::PairedT);
    assert!((t.statistic - 3.086975).abs() < 5e-7 && (t.p - 0.012993).abs() < 5e-7);
    // Ten test rows for twenty training rows: 1/10 becomes 1/10 + 1/2.
    let corrected = of(PairTestKind::CorrectedT);
    assert!((corrected.statistic - t.statistic / 6f64.sqrt()).abs() < 1e-12);
    let ranks = of(PairTestKind::Wilcoxon);
    assert_eq!((ranks.statistic, ranks.p), (2.0, 0.03125));
    assert!((ranks.difference - 0.012).abs() < 1e-12);

    let wins = |kind| {
        comparison
            .verdicts(Quantity::ACCURACY, Some(kind), 0.05)
            .unwrap()
    };
    let decided = wins(PairTestKind::Wilcoxon);
    assert_eq!((decided[0].wins, decided[0].losses), (1, 0));
    assert_eq!((decided[1].wins, decided[1].losses), (0, 1));
    assert_eq!(wins(PairTestKind::CorrectedT)[0].draws, 1);
    // Fewer features are better, and both kept one.
    let kept = comparison.verdicts(Quantity::Kept, None, 0.05).unwrap();
    assert_eq!((kept[0].draws, kept[0].wins), (1, 0));
}

#[test]
fn halves_are_tested_by_alpaydins_f() {
    let a = [0.02, 0.03, 0.01, 0.04, 0.0, 0.02, 0.03, 0.01, 0.02, 0.02];
    let comparison = made(&[&[&a, &[0.0; 10]]], "5x2cv");
    let tests = comparison.pair_tests().unwrap();
    let f = tests
        .iter()
        .find(|test| test.kind == PairTestKind::FiveByTwoF)
        .unwrap();
    assert!((f.statistic - 2.888889).abs() < 5e-7 && (f.p - 0.126598).abs() < 5e-7);
}

#[test]
fn ranks_over_data_sets_are_those_of_the_worked_example() {
    let means = [
        [0.80, 0.82, 0.85],
        [0.70, 0.71, 0.75],
        [0.90, 0.88, 0.91],
        [0.60, 0.66, 0.66],
        [0.75, 0.74, 0.79],
        [0.81, 0.83, 0.82],
    ];
    let runs: Vec<Vec<[f64; 1]>> = means.iter().map(|row| row.map(|x| [x]).to_vec()).collect();
    let runs: Vec<Vec<&[f64]>> = runs
        .iter()
        .map(|row| row.iter().map(|run| &run[..]).collect())
        .collect();
    let runs: Vec<&[&[f64]]> = runs.iter().map(Vec::as_slice).collect();
    let comparison = made(&runs, "cv:10");
    let summary = comparison.ranks(Quantity::ACCURACY).unwrap().unwrap();
    let averages: Vec<f64> = summary.ranks.iter().map(|rank| rank.average).collect();
    assert!((averages[0] - 8.0 / 3.0).abs() < 1e-12);
    assert!((averages[1] - 25.0 / 12.0).abs() < 1e-12);
    assert_eq!(averages[2], 1.25);
    assert!((summary.ranks[2].competition - 7.0 / 6.0).abs() < 1e-12);
    let critical = summary.critical_difference(0.05).unwrap().unwrap();
    assert!((critical - 1.352732).abs() < 5e-7);
    let friedman = summary.friedman.as_ref().unwrap();
    assert!((friedman.tie_corrected.chi_square.statistic - 6.347826).abs() < 5e-7);
    // The first and the last lie 17/12 apart: farther than the critical difference.
    let nemenyi = summary.nemenyi().unwrap();
    assert!(nemenyi.iter().find(|t| (t.0, t.1) == (0, 2)).unwrap().3 < 0.05);
    assert!(nemenyi.iter().find(|t| (t.0, t.1) == (0, 1)).unwrap().3 > 0.05);
    // No run has a log loss.
    assert_eq!(comparison.ranks(Quantity::LOG_LOSS).unwrap(), None);
}

#[test]
fn one_class_or_too_few_rows_are_errors_of_their_own() {
    let table = read("a,class\n1,x\n2,x\n3,x\n");
    let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
    let protocol = "cv:3".parse().unwrap();
    let error = DataSet::new("one", (table, roles), CodingOptions::default(), protocol);
    assert!(error.unwrap_err().to_string().contains("of one class"));

    let study = ComparisonStudy::of_all(vec![led24("split:250/100x2")], pipelines(&["all/nb"]), 1);
    let message = study.check().unwrap_err().to_string();
    assert!(message.contains("led24 has 300 rows"), "{message}");
}

#[test]
fn rows_without_a_class_have_no_part() {
    let rows: Vec<String> = (0..21)
        .map(|row| format!("{},{}", row % 5, ["x", "y", ""][row % 3]))
        .collect();
    let data = set(
        "gaps",
        read(&format!("a,class\n{}\n", rows.join("\n"))),
        "cv:2",
    );
    assert_eq!(data.n_rows(), 14);
    assert!(
        data.notes().iter().any(|note| note.contains("7 rows")),
        "{:?}",
        data.notes()
    );
}

#[test]
fn folds_that_are_given_take_the_place_of_drawn_ones() {
    let rows: Vec<String> = (0..21)
        .map(|row| format!("{},{}", row % 5, ["x", "y", ""][row % 3]))
        .collect();
    let table = read(&format!("a,class\n{}\n", rows.join("\n")));
    let numbers: Vec<i64> = (0..21).map(|row| i64::from(row >= 9)).collect();
    let folds = Folds::from_numbers(&numbers).unwrap();
    let data = set("gaps", table, "cv:5").with_folds(folds).unwrap();
    let study = ComparisonStudy::of_all(vec![data], pipelines(&["all/nb"]), 1);
    study.check().unwrap();
    let comparison = compared(&study);
    let runs = &comparison.entry(0, 0).unwrap().runs;
    // Of nine rows three have no class, of twelve four.
    let sizes: Vec<(u32, usize)> = runs.iter().map(|run| (run.fold, run.n_test)).collect();
    assert_eq!(sizes, [(1, 6), (2, 8)]);
}

#[test]
fn labels_of_test_rows_are_news_to_what_is_learned() {
    // Three features that know something of the class; in test rows the first gets labels
    // that no training row has, and the class one more.
    let text = |is_test: &dyn Fn(u32) -> bool| {
        let rows = (0..30u32).map(|row| {
            let class = row % 2;
            let noisy = |every: u32| if row % every == 0 { 1 - class } else { class };
            if is_test(row) {
                format!("new{},{},{},third", row % 6, noisy(7), noisy(5))
            } else {
                format!("{},{},{},{class}", noisy(9), noisy(7), noisy(5))
            }
        });
        let rows: Vec<String> = rows.collect();
        format!("f,g,h,class\n{}\n", rows.join("\n"))
    };
    let plain = set("plain", read(&text(&|_| false)), "split:20/10x1");
    let split = plain.split(0, None, 1).unwrap().split;
    let changed = read(&text(&|row| split.test.contains(&row)));
    let changed = set("changed", changed, "split:20/10x1");
    assert_eq!(changed.split(0, None, 1).unwrap().split, split);
    let names = [
        "mdl-fs/nb",
        "mdl/tan",
        "cfs/nb",
        "iamb/nb",
        "rpdmb/nb",
        "mrmr/nb",
        "cdc-as/nb",
    ];
    let study = ComparisonStudy::of_all(vec![plain, changed], pipelines(&names), 1);
    let comparison = compared(&study);
    for (pipeline, name) in names.iter().enumerate() {
        let [a, b] = [0, 1].map(|data| &comparison.entry(data, pipeline).unwrap().runs[0]);
        assert_eq!(a.kept, b.kept, "{}", name);
        assert_eq!(a.call_per_row, b.call_per_row, "{}", name);
        // All test rows are of a class that training did not have.
        assert_eq!((b.accuracy, b.log_loss), (0.0, None), "{}", name);
    }
}

#[test]
fn randomized_methods_draw_anew_in_every_run() {
    // The same rows every time, so that nothing but the seed can differ.
    let set = led24("holdout:1:2/3");
    let pipeline = Pipeline::named("fss-ebna/nb").unwrap();
    let first = set.split(0, None, 1).unwrap();
    let kept = |number: u32| {
        let numbered = ProtocolSplit {
            run: number,
            ..first.clone()
        };
        let run = run(&set, &pipeline, &numbered, &Silent).unwrap();
        (run.kept, run.n_asked)
    };
    assert_eq!(kept(1), kept(1));
    assert!((2..6).any(|number| kept(number) != kept(1)));
}

#[test]
fn another_measure_can_decide_who_is_best() {
    let auc: &'static Measure = "auc".parse().unwrap();
    let study =
        ComparisonStudy::of_all(vec![led24("cv:3")], pipelines(&["mrmr:1/nb", "all/nb"]), 1)
            .with_measure(auc);
    let comparison = compared(&study);
    let entry = comparison.entry(0, 1).unwrap();
    // Measures of a run are those of its own fields, and more.
    let run = &entry.runs[0];
    assert_eq!(run.measured(Measure::ACCURACY), Some(run.accuracy));
    assert_eq!(run.measures.get(Measure::LOG_LOSS), run.log_loss);
    // One of seven segments does not order ten digits as all of them do.
    assert!(entry.mean_sd(Quantity::Measured(auc)).unwrap().mean > 0.9);
    let standings = comparison.standings(0, None, 0.05).unwrap();
    assert_eq!(standings[1], (1, Standing::Best));
    assert_eq!(comparison.all_ranks().unwrap()[0].quantity.name(), "auc");
    assert_eq!(comparison.pair_tests().unwrap()[0].quantity.name(), "auc");
}

#[test]
fn runs_of_older_checkpoints_have_three_measures() {
    let comparison = made(&[&[&[0.75, 0.5]]], "cv:2");
    let mut run = serde_json::to_value(&comparison.entries[0].runs[0]).unwrap();
    run.as_object_mut().unwrap().remove("measures");
    let run: Run = serde_json::from_value(run).unwrap();
    assert_eq!(Quantity::ACCURACY.of(&run), Some(0.75));
    assert_eq!(Quantity::Measured("auc".parse().unwrap()).of(&run), None);
}

#[test]
fn another_positive_class_is_another_study() {
    let labels = ["0", "1"].map(str::to_owned);
    let plain = set(
        "example1",
        Generator::Example1.generate(32, 1).unwrap(),
        "cv:2",
    );
    let same = plain
        .clone()
        .with_stakes(Stakes::new(&plain.class_counts()));
    assert_eq!(same.fingerprint, plain.fingerprint);
    // The rarer class is 0.
    let stakes = Stakes::new(&plain.class_counts());
    let other = stakes.with_positive("1", &labels).unwrap();
    assert_ne!(
        plain.clone().with_stakes(other).fingerprint,
        plain.fingerprint
    );
}
