//! Many columns and few rows: what chance must not pass, and what must still be found.

use super::testing::{Run, coded, run_on};
use super::{METHODS, Method, SelectOptions, select};
use crate::Silent;
use crate::classify::ModelKind;
use crate::data::CodedTable;
use crate::random::{Purpose, stream, unit};
use crate::score::testing::example1;
use crate::search::Limits;

/// Rows of columns of noise; the class lifts the first ones.
fn table_of_noise(seed: u64, n_columns: usize, n_planted: usize) -> CodedTable {
    let mut rng = stream(seed, Purpose::Generate, 11);
    let mut text: String = (0..n_columns).map(|f| format!("x{f},")).collect();
    text += "class\n";
    for row in 0..100 {
        let class = row % 2;
        for column in 0..n_columns {
            let noise: f64 = (0..4).map(|_| unit(&mut rng)).sum();
            let lift = if column < n_planted { 1.2 } else { 0.0 };
            text += &format!("{:.6},", noise + lift * f64::from(class));
        }
        text += &format!("c{class}\n");
    }
    coded(&text)
}

fn with_names(table: &CodedTable) -> Vec<String> {
    let run = Run {
        settings: vec!["naming=on"],
        ..Run::of("mdl-fs")
    };
    let selection = run_on(table, run);
    let names = selection.kept_names();
    names.into_iter().map(str::to_owned).collect()
}

#[test]
fn names_leave_noise_out_and_planted_features_in() {
    let mut n_planted = 0;
    for seed in 1..=3 {
        let kept = with_names(&table_of_noise(seed, 400, 0));
        assert!(kept.len() <= 1, "{seed}: {kept:?}");
        // A lift of two standard deviations.
        let mut kept = with_names(&table_of_noise(seed, 400, 2));
        kept.sort_unstable();
        let planted = kept
            .iter()
            .filter(|name| ["x0", "x1"].contains(&name.as_str()));
        n_planted += planted.count();
        assert!(kept.len() <= 3, "{seed}: {kept:?}");
    }
    // The second one of two that say the same pays for its name with difficulty.
    assert!(n_planted >= 3, "{n_planted} of 6");
}

#[test]
fn a_reason_says_what_the_name_costs() {
    // Naming 2 of 8 features: log2(9) + log2(28) = 7.97728 bits on top of 1165.9962; a third one
    // would cost log2(6 / 3) = 1 bit more, in 3,200 rows.
    let options = SelectOptions::new(Method::named("mdl-fs").unwrap()).unwrap();
    let options = options.with_model(ModelKind::NaiveBayes).unwrap();
    let options = options.with_settings(["naming=on"]).unwrap();
    let selection = select(&example1(3200), &options, &Limits::new(&Silent)).unwrap();
    assert_eq!(selection.kept_names(), ["A2", "A6"]);
    assert_eq!(format!("{:.4}", selection.value), "1173.9735");
    let a1 = selection.dropped[0].reason.parts();
    let price = (3200.0_f64.log2() / 2.0 + 1.0) / 3200.0;
    assert_eq!(a1.numbers[2].0, "naming_bits");
    assert!((a1.numbers[2].1 - 1.0 / 3200.0).abs() < 1e-12);
    assert!((a1.numbers[1].1 - price).abs() < 1e-12);
    let sentence = selection.dropped[0].reason.sentence();
    assert!(
        sentence.contains("its table and its name cost 0.0021"),
        "{sentence}"
    );
}

/// Five columns of noise, which no cut point divides, and one that follows the class.
fn mostly_noise() -> CodedTable {
    let mut rng = stream(5, Purpose::Generate, 12);
    let mut text = String::from("a,b,c,d,e,signal,class\n");
    for row in 0..60 {
        let noise: String = (0..5).map(|_| format!("{:.6},", unit(&mut rng))).collect();
        let class = row % 2;
        let signal = f64::from(class) + 1.2 * unit(&mut rng);
        text += &format!("{noise}{signal:.6},c{class}\n");
    }
    coded(&text)
}

#[test]
fn a_count_is_met_by_columns_without_a_cut_point() {
    let table = mostly_noise();
    let n_cut = table
        .features
        .iter()
        .filter(|one| one.coded().is_some_and(|coded| coded.n_values() > 1));
    assert!(n_cut.count() < 4);
    let ordered = METHODS.iter().filter_map(|method| {
        let options = SelectOptions::new(method).unwrap();
        options.order().map(|_| options)
    });
    for options in ordered {
        let name = options.method().name;
        let options = options.with_count(4).unwrap();
        let selection = select(&table, &options, &Limits::new(&Silent)).unwrap();
        assert_eq!(selection.kept.len(), 4, "{name}");
        assert!(selection.kept_names().contains(&"signal"), "{name}");
        assert_eq!(selection.kept.len() + selection.dropped.len(), 6, "{name}");
        let is_note = |text: &String| text.contains("equal-frequency bins");
        let takes_numbers = options.method().takes.numbers && !options.method().takes.accuracy;
        assert!(
            takes_numbers || selection.warnings.iter().any(is_note),
            "{name}"
        );
    }
}

#[test]
fn without_a_count_columns_without_a_cut_point_stay_out() {
    let selection = run_on(&mostly_noise(), Run::of("mrmr"));
    let noise = selection.dropped.iter().find(|one| one.feature == "a");
    let noise = noise.map(|dropped| dropped.reason.sentence());
    assert!(noise.is_some_and(|text| text.contains("no cut")));
}

/// Schooling by name, by number and by initial, a column that is equal to the first, and the
/// class, which follows schooling.
fn schooling() -> CodedTable {
    let levels = [
        ("none", 0.5, "n"),
        ("school", 8.5, "s"),
        ("college", 16.5, "c"),
    ];
    let mut text = String::from("education,copy,initial,years,class\n");
    for row in 0..90 {
        let (name, years, initial) = levels[row % 3];
        let class = if row % 3 == 2 || row % 9 == 0 {
            "rich"
        } else {
            "poor"
        };
        text += &format!("{name},{name},{initial},{years},{class}\n");
    }
    coded(&text)
}

#[test]
fn recodings_are_duplicates_and_say_so() {
    let table = schooling();
    let options = SelectOptions::new(Method::named("mrmr").unwrap()).unwrap();
    let selection = select(
        &table,
        &options.clone().with_count(1).unwrap(),
        &Limits::new(&Silent),
    )
    .unwrap();
    assert_eq!(selection.kept_names(), ["education"]);
    let reason = |name: &str| {
        let found = selection.dropped.iter().find(|one| one.feature == name);
        found.unwrap().reason.clone()
    };
    assert_eq!(
        reason("copy").sentence(),
        "it says the same as education in every row"
    );
    assert!(!reason("copy").parts().recoding);
    assert_eq!(
        reason("initial").sentence(),
        "it recodes education, value for value"
    );
    assert!(reason("initial").parts().recoding);
    // Where duplicates are dropped before, so are numbers that stand for the labels.
    let mut options = options;
    options.drops_duplicates = true;
    let selection = select(&table, &options, &Limits::new(&Silent)).unwrap();
    assert_eq!(selection.kept_names(), ["education"]);
    let names: Vec<&str> = selection
        .dropped
        .iter()
        .map(|one| one.reason.name())
        .collect();
    assert_eq!(names, ["duplicate"; 3]);
    assert!(selection.dropped[2].reason.parts().recoding);
    // Unless so many features are asked for.
    let selection = select(
        &table,
        &options.with_count(3).unwrap(),
        &Limits::new(&Silent),
    )
    .unwrap();
    assert_eq!(selection.kept.len(), 3);
}

#[test]
fn a_feature_that_says_the_class_is_a_possible_leak() {
    let warned = |n_rows: usize, n_values: usize| {
        let mut text = String::from("code,other,class\n");
        for row in 0..n_rows {
            let other = row * 7 % 5;
            text += &format!("v{},o{other},c{}\n", row % n_values, row % 2);
        }
        let selection = run_on(&coded(&text), Run::of("mrmr"));
        let warnings = selection.warnings.into_iter();
        warnings
            .filter(|text| text.contains("almost perfectly"))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        warned(40, 4),
        ["code predicts the class almost perfectly by itself: is it known before the class?"]
    );
    // Six values in 40 rows are more than a tenth; 18 rows are too few to tell.
    assert!(warned(40, 6).is_empty());
    assert!(warned(18, 2).is_empty());
}
