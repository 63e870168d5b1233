//! The same folds, selections and measures, whatever the classes are called.

use bayesieve::Silent;
use bayesieve::classify::ModelKind;
use bayesieve::data::{
    CodingOptions, Column, KindOrigin, Nominal, RoleOptions, Roles, Table, Values,
};
use bayesieve::evaluate::{
    Auto, AutoOptions, ComparisonStudy, DataSet, Honest, Pipeline, Run, conduct,
};
use bayesieve::measure::Measure;
use bayesieve::search::{Limits, Search};
use bayesieve::select::{METHODS, Method, SelectOptions};

use super::selections::{ByColumn, labels, numbers, runs, said, selected, suits};

/// Measures may differ by the order of a sum and by nothing else.
const TOLERANCE: f64 = 1e-12;

/// Tables of two and of three classes, the two of equal size, so that only the tie rule decides
/// between them where nothing else does.
fn tables() -> Vec<(&'static str, Table)> {
    vec![
        ("two classes", first_two_classes(&labels())),
        ("three classes", labels()),
        ("numbers, two classes", first_two_classes(&numbers())),
        ("numbers, three classes", numbers()),
    ]
}

/// Equally many rows of the first two classes.
fn first_two_classes(table: &Table) -> Table {
    let class = table.column("class").unwrap().as_nominal().unwrap();
    let of_class = |code: u32| -> Vec<u32> {
        let rows = 0..table.n_rows() as u32;
        rows.filter(|&row| class.codes.get(row as usize) == Some(code))
            .collect()
    };
    let rows = [of_class(0), of_class(1)];
    let n_each = rows.iter().map(Vec::len).min().unwrap();
    let mut rows: Vec<u32> = rows
        .iter()
        .flat_map(|rows| &rows[..n_each])
        .copied()
        .collect();
    rows.sort_unstable();
    table.take_rows(&rows).with_labels_present()
}

/// The same rows with classes that sort in the opposite order.
fn renamed(table: &Table) -> Table {
    let columns = table.columns().iter().map(|column| match column.values() {
        Values::Nominal(nominal) if column.name() == "class" => {
            let cells: Vec<Option<String>> = nominal
                .codes
                .iter()
                .map(|code| code.map(|code| format!("k{}", 9 - code)))
                .collect();
            let nominal = Nominal::from_labels(cells.iter().map(Option::as_deref));
            Column::new("class", Values::Nominal(nominal), KindOrigin::Text)
        }
        _ => (**column).clone(),
    });
    Table::new(columns.collect()).unwrap()
}

/// The same rows with the columns in another order.
fn moved(table: &Table) -> Table {
    let columns = table.columns();
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by_key(|&place| (place as u32 + 1).wrapping_mul(2_654_435_761));
    assert!(!order.is_sorted());
    Table::new(
        order
            .iter()
            .map(|&place| (*columns[place]).clone())
            .collect(),
    )
    .unwrap()
}

fn roles(table: &Table) -> Roles {
    let named = RoleOptions {
        class: Some("class".into()),
        ..RoleOptions::default()
    };
    Roles::resolve(table, &named).unwrap()
}

fn assert_near(found: Option<f64>, expected: Option<f64>, whom: &str) {
    match (found, expected) {
        (Some(found), Some(expected)) => assert!(
            (found - expected).abs() <= TOLERANCE * expected.abs().max(1.0),
            "{whom}: {found} and {expected}"
        ),
        (found, expected) => assert_eq!(found, expected, "{whom}"),
    }
}

#[test]
fn renaming_reverses_the_codes_of_classes() {
    for (name, table) in tables() {
        let codes = |table: &Table| -> Vec<u32> {
            let class = table.column("class").unwrap().as_nominal().unwrap();
            class.codes.iter().flatten().collect()
        };
        let last = codes(&table).into_iter().max().unwrap();
        let reversed: Vec<u32> = codes(&table).iter().map(|code| last - code).collect();
        assert_eq!(codes(&renamed(&table)), reversed, "{name}");
    }
}

#[test]
fn selections_do_not_depend_on_the_names_of_classes() {
    for (name, table) in tables() {
        let other = renamed(&table);
        // Rows that are equally near are taken in row order, which stays.
        let is_run = |options: &&SelectOptions| {
            options.method().name == "relief-f" || suits(options, &table)
        };
        for options in runs().iter().filter(is_run) {
            let whom = format!("{name}: {} {:?}", options.method().name, options.search());
            let [one, two] = [&table, &other].map(|table| selected(table, options));
            assert_eq!(
                said(&one, ByColumn::Still),
                said(&two, ByColumn::Still),
                "{whom}"
            );
            let mean =
                |estimate: Option<bayesieve::select::InnerEstimate>| estimate.map(|e| e.mean);
            assert_near(mean(two.estimate), mean(one.estimate), &whom);
        }
    }
}

/// Every method with naive Bayes, and every other model on all features.
fn pipelines(table: &Table) -> Vec<Pipeline> {
    let method = |method: &&&'static Method| {
        let options = SelectOptions::new(method).unwrap();
        suits(&options, table)
    };
    let of_methods = METHODS
        .iter()
        .filter(method)
        .map(|method| format!("{}/nb", method.name));
    let of_models = ["tan", "id3", "k2", "cb", "block"].map(|model| format!("all/{model}"));
    let names = of_methods.chain(of_models);
    names.map(|name| Pipeline::named(&name).unwrap()).collect()
}

/// The names of what was kept, and the measures, of every run of a pipeline.
fn runs_of(table: &Table, pipeline: &Pipeline) -> Option<Vec<(Vec<String>, Run)>> {
    let data = DataSet::new(
        "data",
        (table.clone(), roles(table)),
        CodingOptions::default(),
        "cv:3".parse().unwrap(),
    )
    .unwrap();
    let features: Vec<String> = data.features().map(str::to_owned).collect();
    let study = ComparisonStudy::of_all(vec![data], vec![pipeline.clone()], 1);
    // Blocks cannot be made of labels or of few rows, whatever the classes are called.
    let conducted = conduct(&study, None, &Limits::new(&Silent)).ok()?;
    let comparison = study.comparison(conducted);
    let runs = comparison.entry(0, 0).unwrap().runs.iter().map(|run| {
        let kept = run
            .kept
            .iter()
            .map(|&place| features[place as usize].clone());
        let mut kept: Vec<String> = kept.collect();
        kept.sort();
        (kept, run.clone())
    });
    Some(runs.collect())
}

fn assert_same_runs(table: &Table, other: &Table, pipeline: &Pipeline, whom: &str) {
    let (one, two) = (runs_of(table, pipeline), runs_of(other, pipeline));
    assert_eq!(one.is_some(), two.is_some(), "{whom}");
    let needs_numbers = whom.contains("separation") || whom.contains("block");
    assert!(one.is_some() || needs_numbers, "{whom}");
    for ((kept, one), (kept_too, two)) in one.iter().flatten().zip(two.iter().flatten()) {
        assert_eq!(kept, kept_too, "{whom}");
        assert_eq!(one.accuracy, two.accuracy, "{whom}");
        assert_near(two.log_loss, one.log_loss, whom);
        assert_near(two.brier, one.brier, whom);
    }
}

#[test]
fn whole_procedures_do_not_depend_on_the_names_of_classes() {
    for (name, table) in tables() {
        let other = renamed(&table);
        for pipeline in pipelines(&table) {
            let whom = format!("{name}: {}", pipeline.name());
            assert_same_runs(&table, &other, &pipeline, &whom);
        }
    }
}

#[test]
fn whole_procedures_do_not_depend_on_the_order_of_columns() {
    // Not of numbers in few rows: three of them in bins can decide the class, and others tie.
    for (name, table) in [
        ("two classes", first_two_classes(&labels())),
        ("three classes", labels()),
    ] {
        let other = moved(&table);
        for method in METHODS {
            let options = SelectOptions::new(method).unwrap();
            // Accuracies are shares of few rows and often equal: then the lowest column
            // decides. Searches that draw meet other bits under other columns.
            let has_ties = method.takes.accuracy || options.search().is_some_and(Search::draws);
            if has_ties || !suits(&options, &table) {
                continue;
            }
            // Late in an order features tie: once the others decide the class, none adds a bit.
            let count = if options.order().is_some() { ":4" } else { "" };
            let pipeline = Pipeline::named(&format!("{}{count}/nb", method.name)).unwrap();
            let whom = format!("{name}: {}", pipeline.name());
            assert_same_runs(&table, &other, &pipeline, &whom);
        }
    }
}

#[test]
fn halves_do_not_depend_on_the_names_of_classes() {
    let ebna = Search::named("ebna").unwrap();
    let named = |name: &str| SelectOptions::new(Method::named(name).unwrap()).unwrap();
    let table = first_two_classes(&labels());
    for options in [
        named("mdl-fs"),
        named("naive-as"),
        named("wrapper").with_search(ebna).unwrap(),
    ] {
        let [one, two] = [&table, &renamed(&table)].map(|table| {
            let honest = Honest {
                table,
                roles: &roles(table),
                options: &options,
                measure: None,
                stakes: None,
            };
            honest.estimate(&Silent).unwrap()
        });
        assert_eq!(one.accuracies, two.accuracies, "{}", options.method().name);
        assert_eq!(one.mean_kept, two.mean_kept, "{}", options.method().name);
        // Classes are listed by label, and so the other way round.
        let turned: Vec<Vec<u64>> = two
            .confusion
            .iter()
            .rev()
            .map(|row| row.iter().rev().copied().collect())
            .collect();
        assert_eq!(one.confusion, turned, "{}", options.method().name);
    }
}

/// What `auto` keeps, what it promises, and what it says of the candidates.
struct AutoAnswer {
    kept: Vec<String>,
    measures: Vec<Option<f64>>,
    candidates: Vec<String>,
}

fn chosen(table: &Table, model: Option<ModelKind>) -> AutoAnswer {
    let options = AutoOptions {
        model,
        ..AutoOptions::default()
    };
    let auto = Auto {
        table,
        roles: &roles(table),
        options: &options,
    };
    let found = auto.choose(None, &Limits::new(&Silent)).unwrap().selection;
    let mut kept: Vec<String> = found.kept.iter().map(|kept| kept.feature.clone()).collect();
    kept.sort();
    let performance = found.performance.unwrap();
    let measures = [Measure::DEFAULT, Measure::ACCURACY]
        .into_iter()
        .flat_map(|measure| {
            let one = performance.get(measure).unwrap();
            [
                Some(one.mean),
                Some(one.on_folds),
                one.standard_error,
                one.baseline,
            ]
        });
    let candidates = found.auto.unwrap().candidates;
    let candidates = candidates
        .iter()
        .map(|one| format!("{} {:?} {:?}", one.name, one.n_kept, one.accuracy));
    AutoAnswer {
        kept,
        measures: measures.collect(),
        candidates: candidates.collect(),
    }
}

fn assert_same_answers(one: &AutoAnswer, other: &AutoAnswer, whom: &str) {
    assert_eq!(one.kept, other.kept, "{whom}");
    assert_eq!(one.candidates, other.candidates, "{whom}");
    for (one, other) in one.measures.iter().zip(&other.measures) {
        assert_near(*other, *one, whom);
    }
}

#[test]
fn auto_does_not_depend_on_the_names_of_classes() {
    for (name, table) in tables() {
        let [one, other] = [&table, &renamed(&table)].map(|table| chosen(table, None));
        assert_same_answers(&one, &other, name);
    }
}

#[test]
fn auto_does_not_depend_on_the_order_of_columns() {
    // The first column is the root of a tree, and so the tables of TAN depend on it.
    let nb = Some(ModelKind::NaiveBayes);
    for table in [first_two_classes(&labels()), labels()] {
        let [one, other] = [&table, &moved(&table)].map(|table| chosen(table, nb));
        assert_same_answers(&one, &other, "other columns");
    }
}
