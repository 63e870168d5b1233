use std::borrow::Cow;

use super::super::coding::EncodedCells;
use super::split::{ChanceTest, Margins, Worth};
use super::tally::{Cell, Size, Tally};
use super::*;
use crate::data::{Codes, KindOrigin};
use crate::math::NLogN;
use crate::testing::assert_stops;
use crate::{ErrorKind, Silent};

mod reference;

fn nominal(name: &str, labels: &[&str]) -> Column {
    let cells = labels.iter().map(|&label| (label != "?").then_some(label));
    let values = Values::Nominal(Nominal::from_labels(cells));
    Column::new(name, values, KindOrigin::Text)
}

fn numeric(name: &str, numbers: &[f64]) -> Column {
    Column::new(name, Values::Numeric(numbers.to_vec()), KindOrigin::Numbers)
}

fn labeled(labels: &[&str]) -> Nominal {
    Nominal::from_labels(labels.iter().map(|&label| (label != "?").then_some(label)))
}

fn by_ratio(alpha: f64) -> Id3Options {
    Id3Options {
        alpha,
        cuts: Id3Cuts::Ratio,
    }
}

fn fit(columns: &[Column], class: &Nominal, alpha: f64) -> Id3 {
    let columns: Vec<&Column> = columns.iter().collect();
    Id3::fit(&columns, class, &by_ratio(alpha), &Silent).unwrap()
}

fn predict(tree: &Id3, columns: &[Column]) -> Vec<u32> {
    let encoded: Vec<EncodedCells<'_>> = columns.iter().map(encoded).collect();
    let cells: Vec<_> = encoded.iter().map(Some).collect();
    let rows = 0..columns[0].len();
    rows.map(|row| tree.node_of(&cells, row).majority())
        .collect()
}

fn encoded(column: &Column) -> EncodedCells<'_> {
    match column.values() {
        Values::Nominal(nominal) => EncodedCells::Codes(Cow::Borrowed(&nominal.codes)),
        Values::Numeric(numbers) => EncodedCells::Numbers(Cow::Borrowed(numbers)),
    }
}

fn probabilities(tree: &Id3, columns: &[Column]) -> Vec<f64> {
    let encoded: Vec<EncodedCells<'_>> = columns.iter().map(encoded).collect();
    let cells: Vec<_> = encoded.iter().map(Some).collect();
    let rows = 0..columns[0].len();
    rows.flat_map(|row| {
        let mut cells_of_row = vec![0.0; tree.n_classes];
        tree.node_of(&cells, row)
            .write_probabilities(&mut cells_of_row);
        cells_of_row
    })
    .collect()
}

/// Quinlan's table: outlook, temperature, humidity, windy, and whether to play.
fn weather() -> (Vec<Column>, Nominal) {
    let rows = [
        "sunny hot high no N",
        "sunny hot high yes N",
        "overcast hot high no P",
        "rain mild high no P",
        "rain cool normal no P",
        "rain cool normal yes N",
        "overcast cool normal yes P",
        "sunny mild high no N",
        "sunny cool normal no P",
        "rain mild normal no P",
        "sunny mild normal yes P",
        "overcast mild high yes P",
        "overcast hot normal no P",
        "rain mild high yes N",
    ];
    let cells: Vec<Vec<&str>> = rows.iter().map(|row| row.split(' ').collect()).collect();
    let column = |i: usize| cells.iter().map(|row| row[i]).collect::<Vec<_>>();
    let names = ["outlook", "temperature", "humidity", "windy"];
    let features = names.iter().enumerate();
    let features = features.map(|(i, name)| nominal(name, &column(i)));
    (features.collect(), labeled(&column(4)))
}

fn count(column: &Column, class: &Nominal) -> Vec<Cell> {
    let nominal = column.as_nominal().unwrap();
    let pairs = nominal.codes.iter().zip(class.codes.iter());
    let pairs = pairs.filter_map(|(value, class)| Some((value?, class?)));
    let size = Size {
        n_values: nominal.n_values(),
        n_classes: class.n_values(),
        n_rows: class.codes.len(),
    };
    Tally::default().count(pairs, size).to_vec()
}

#[test]
fn the_weather_has_the_published_gains_and_tests() {
    let (columns, class) = weather();
    // gain, ratio, X2, degrees of freedom, p
    let expected = [
        (0.246750, 0.156428, 3.5467, 2.0, 0.1698),
        (0.029223, 0.018773, 0.5704, 2.0, 0.7519),
        (0.151836, 0.151836, 2.8000, 1.0, 0.0943),
        (0.048127, 0.048849, 0.9333, 1.0, 0.3340),
    ];
    for (column, (gain, ratio, statistic, degrees_of_freedom, p)) in columns.iter().zip(expected) {
        let cells = count(column, &class);
        let worth = Worth::of(&cells, 2, &NLogN::new(14));
        let test = ChanceTest::of(&cells, &Margins::of(&cells, 2)).unwrap();
        let name = column.name();
        assert!((worth.gain - gain).abs() < 5e-7, "{name}: {worth:?}");
        assert!((worth.ratio() - ratio).abs() < 5e-7, "{name}: {worth:?}");
        assert!(
            (test.statistic - statistic).abs() < 5e-5,
            "{name}: {test:?}"
        );
        assert_eq!(test.degrees_of_freedom, degrees_of_freedom, "{name}");
        assert!((test.ln_p.exp() - p).abs() < 5e-5, "{name}: {test:?}");
    }
}

#[test]
fn at_one_percent_the_weather_is_a_leaf() {
    let (columns, class) = weather();
    let tree = fit(&columns, &class, 0.01);
    assert_eq!(tree.nodes().len(), 1);
    assert_eq!(predict(&tree, &columns), [1; 14]); // nine of fourteen are P
    assert_eq!(tree.used_features(), [0; 0]);
}

#[test]
fn without_pruning_the_weather_is_quinlans_tree() {
    let (columns, class) = weather();
    let tree = fit(&columns, &class, 1.0);
    // Outlook; under sunny humidity, under rain windy; overcast is P.
    assert_eq!(tree.used_features(), [0, 2, 3]);
    assert_eq!(tree.nodes().len(), 8);
    let Some(Id3Split::Nominal {
        feature,
        branches,
        largest,
    }) = &tree.nodes()[0].split
    else {
        panic!("the root asks for a value");
    };
    assert_eq!((*feature, branches.len()), (0, 3));
    // Overcast has four rows, rain and sunny five each: rain is the first of these.
    assert_eq!(*largest, branches[1].1);
    let predicted = predict(&tree, &columns);
    assert!((0..14).all(|row| class.codes.get(row) == Some(predicted[row])));
    assert_eq!(tree.nodes()[0].class_counts, [(1, 9), (0, 5)]);
}

#[test]
fn between_the_levels_of_the_tests_the_tree_grows_so_far() {
    let (columns, class) = weather();
    // Outlook is at .1698. Below it, humidity under sunny and windy under rain are perfect
    // on five rows: X2 = 5 with one degree of freedom, p = .0253.
    assert_eq!(fit(&columns, &class, 0.169).nodes().len(), 1);
    assert_eq!(fit(&columns, &class, 0.170).nodes().len(), 8);
}

#[test]
fn a_better_ratio_does_not_help_below_the_mean_gain() {
    let class = labeled(&["y", "y", "y", "y", "n", "n", "n", "n"]);
    let columns = [
        nominal("a", &["u", "v", "v", "v", "v", "v", "v", "v"]),
        nominal("c", &["u", "u", "u", "v", "v", "v", "v", "u"]),
    ];
    let worth = columns.each_ref().map(|column| {
        let cells = count(column, &class);
        Worth::of(&cells, 2, &NLogN::new(8))
    });
    // a: 1 - 7/8 H(3/7) = .1379, split H(1/8) = .5436, ratio .2537.
    // c: 1 - H(1/4) = .1887, split 1, ratio .1887.
    assert!((worth[0].ratio() - 0.2537).abs() < 1e-4, "{worth:?}");
    assert!((worth[1].ratio() - 0.1887).abs() < 1e-4, "{worth:?}");
    // The mean gain is .1633: only c is above it.
    let tree = fit(&columns, &class, 1.0);
    assert!(matches!(
        tree.nodes()[0].split,
        Some(Id3Split::Nominal { feature: 1, .. })
    ));
}

#[test]
fn equal_features_give_the_lowest_column() {
    let class = labeled(&["y", "y", "n", "n"]);
    let copy = || nominal("a", &["u", "u", "v", "v"]);
    let tree = fit(
        &[nominal("x", &["u", "v", "u", "v"]), copy(), copy()],
        &class,
        1.0,
    );
    assert_eq!(tree.used_features(), [1]);
}

#[test]
fn numbers_are_cut_midway_between_two_values() {
    let class = labeled(&["n", "n", "n", "y", "y", "y"]);
    let columns = [numeric("x", &[3.0, -1.0, 2.0, 9.0, 5.0, 7.0])];
    let tree = fit(&columns, &class, 0.05); // X2 = 6, p = .0143
    let expected = Id3Split::Numeric {
        feature: 0,
        cut: 4.0,
        below: 1,
        above: 2,
        largest: 1,
    };
    assert_eq!(tree.nodes()[0].split, Some(expected));
    // A number on the cut goes below; one without a number to the first of equal branches.
    let asked = [numeric("x", &[4.0, 4.1, f64::NAN, -1e300])];
    assert_eq!(predict(&tree, &asked), [0, 1, 0, 0]);
}

#[test]
fn the_cut_is_the_one_of_largest_ratio_or_of_largest_gain() {
    // Classes along x: y y n y n, .9710 bits.
    // Cut after 2: gain .9710 - 3/5 H(1/3) = .4200, split .9710, ratio .4325.
    // Cut after 4: gain .9710 - 4/5 H(1/4) = .3219, split .7219, ratio .4459.
    let class = labeled(&["y", "y", "n", "y", "n"]);
    let x = numeric("x", &[1.0, 2.0, 3.0, 4.0, 5.0]);
    let root = |cuts| {
        let options = Id3Options { alpha: 1.0, cuts };
        let tree = Id3::fit(&[&x], &class, &options, &Silent).unwrap();
        match tree.nodes()[0].split {
            Some(Id3Split::Numeric { cut, .. }) => cut,
            _ => panic!("the root is cut"),
        }
    };
    assert_eq!(root(Id3Cuts::Ratio), 4.5);
    assert_eq!(root(Id3Cuts::Gain), 2.5);
}

#[test]
fn rows_without_a_value_do_not_count_and_go_with_most() {
    // On the six rows where it is present the feature says the class: gain 1 bit, ratio
    // 1 / H(1/3). The two others go to v, which has four rows.
    let columns = [nominal("a", &["u", "u", "v", "v", "v", "v", "?", "?"])];
    let class = labeled(&["y", "y", "n", "n", "n", "n", "y", "y"]);
    let tree = fit(&columns, &class, 1.0);
    assert_eq!(
        tree.nodes()[0].split,
        Some(Id3Split::Nominal {
            feature: 0,
            branches: vec![(0, 1), (1, 2)],
            largest: 2,
        })
    );
    assert_eq!(tree.nodes()[1].class_counts, [(1, 2)]);
    assert_eq!(tree.nodes()[2].class_counts, [(0, 4), (1, 2)]);
    // Missing ones, and codes that training had no name for, go the same way.
    let asked = Nominal {
        codes: Codes::U8(vec![0, 1, 2, 254, 255]),
        domain: columns[0].as_nominal().unwrap().domain.clone(),
    };
    let asked = [Column::new("a", Values::Nominal(asked), KindOrigin::Text)];
    assert_eq!(predict(&tree, &asked), [1, 0, 0, 0, 0]);
}

#[test]
fn a_value_without_a_branch_stops_at_the_node() {
    // b has three values; under a = u only two of them occur. Under a = u there are three
    // rows of class y and two of n.
    let columns = [
        nominal(
            "a",
            &["u", "u", "u", "u", "u", "v", "v", "v", "v", "v", "v", "v"],
        ),
        nominal(
            "b",
            &["p", "p", "p", "q", "q", "r", "r", "r", "p", "p", "q", "q"],
        ),
    ];
    let class = labeled(&["y", "y", "y", "n", "n", "n", "n", "n", "n", "n", "n", "n"]);
    let tree = fit(&columns, &class, 1.0);
    assert_eq!(tree.used_features(), [0, 1]);
    let asked = [nominal("a", &["u", "v"]).take(&[0]), columns[1].take(&[5])];
    assert_eq!(predict(&tree, &asked), [1]); // y: u, r
    assert_eq!(probabilities(&tree, &asked), [3.0 / 7.0, 4.0 / 7.0]);
}

#[test]
fn tied_leaves_take_the_class_more_frequent_above() {
    // Under u one row each of classes b and c; above, c has more rows than b.
    let columns = [nominal("x", &["u", "u", "v", "v", "v", "v", "v"])];
    let class = labeled(&["b", "c", "a", "a", "a", "a", "c"]);
    let tree = fit(&columns, &class, 1.0);
    assert_eq!(tree.nodes()[0].class_counts, [(0, 4), (2, 2), (1, 1)]);
    assert_eq!(predict(&tree, &columns), [2, 2, 0, 0, 0, 0, 0]);
    // In the root, the class of the first row.
    let tie = fit(&[], &labeled(&["b", "a"]), 1.0);
    assert_eq!(tie.nodes()[0].majority(), 1);
}

#[test]
fn features_that_tell_nothing_alone_are_not_asked() {
    // The class is the exclusive or of both.
    let columns = [
        nominal("a", &["0", "0", "1", "1"]),
        nominal("b", &["0", "1", "0", "1"]),
    ];
    let tree = fit(&columns, &labeled(&["n", "y", "y", "n"]), 1.0);
    assert_eq!(tree.nodes().len(), 1);
}

#[test]
fn probabilities_are_laplace_estimates_of_the_leaf() {
    let columns = [nominal("a", &["u", "u", "u", "v"])];
    let tree = fit(&columns, &labeled(&["x", "x", "y", "z"]), 1.0);
    // u: 2, 1, 0 rows of x, y, z; v: one row of z.
    let u = [3.0 / 6.0, 2.0 / 6.0, 1.0 / 6.0];
    let v = [1.0 / 4.0, 1.0 / 4.0, 2.0 / 4.0];
    assert_eq!(probabilities(&tree, &columns), [u, u, u, v].concat());
}

#[test]
fn rows_without_a_class_are_as_if_not_there() {
    let (columns, class) = weather();
    let with_gaps = Nominal {
        codes: Codes::new(
            2,
            (0..14).map(|row| class.codes.get(row).filter(|_| row % 3 != 0)),
        ),
        domain: class.domain.clone(),
    };
    let rows: Vec<u32> = (0..14).filter(|row| row % 3 != 0).collect();
    let taken: Vec<Column> = columns.iter().map(|column| column.take(&rows)).collect();
    let taken_class = Nominal {
        codes: class.codes.take(&rows),
        domain: class.domain,
    };
    assert_eq!(
        fit(&columns, &with_gaps, 1.0),
        fit(&taken, &taken_class, 1.0)
    );
}

#[test]
fn a_tree_may_be_as_deep_as_it_has_rows() {
    // Classes in turn: every cut splits off a row at one end.
    let n = 3000;
    let x: Vec<f64> = (0..n).map(f64::from).collect();
    let labels: Vec<&str> = (0..n).map(|i| if i % 2 == 0 { "y" } else { "n" }).collect();
    let columns = [numeric("x", &x)];
    let class = labeled(&labels);
    let tree = fit(&columns, &class, 1.0);
    let predicted = predict(&tree, &columns);
    assert!((0..n as usize).all(|row| class.codes.get(row) == Some(predicted[row])));
    assert_eq!(tree.nodes().len(), 2 * n as usize - 1);
}

#[test]
fn a_value_per_row_makes_a_branch_per_row() {
    let n = 20_000;
    let codes = Codes::new(n, (0..n as u32).map(Some));
    let labels = (0..n).map(|i| i.to_string()).collect();
    let domain = crate::data::Domain::ordered(labels);
    let values = Values::Nominal(Nominal { codes, domain });
    let columns = [Column::new("id", values, KindOrigin::Text)];
    let labels: Vec<&str> = (0..n).map(|i| ["x", "y", "z"][i % 3]).collect();
    let tree = fit(&columns, &labeled(&labels), 1.0);
    assert_eq!(tree.nodes().len(), n + 1);
    // X2 = 2 n with 2 (n - 1) degrees of freedom: p is about a half.
    assert_eq!(fit(&columns, &labeled(&labels), 0.4).nodes().len(), 1);
}

#[test]
fn what_cannot_be_is_refused() {
    let (columns, class) = weather();
    let columns: Vec<&Column> = columns.iter().collect();
    let kind = |result: Result<Id3>| result.unwrap_err().kind();
    for alpha in [-0.1, 1.1, f64::NAN] {
        let options = by_ratio(alpha);
        assert_eq!(
            kind(Id3::fit(&columns, &class, &options, &Silent)),
            ErrorKind::Usage
        );
    }
    let options = Id3Options::default();
    let short = columns[0].take(&[0, 1]);
    assert_eq!(
        kind(Id3::fit(&[&short], &class, &options, &Silent)),
        ErrorKind::Internal
    );
    let infinite = numeric("x", &[f64::INFINITY; 14]);
    assert_eq!(
        kind(Id3::fit(&[&infinite], &class, &options, &Silent)),
        ErrorKind::Data
    );
    let none = labeled(&["?"; 14]);
    assert_eq!(
        kind(Id3::fit(&columns, &none, &options, &Silent)),
        ErrorKind::Data
    );
}

#[test]
fn growing_stops_when_it_is_cancelled() {
    let table = crate::data::Generator::Waveform40.generate(500, 1).unwrap();
    let columns: Vec<&Column> = table.columns().iter().map(|column| &**column).collect();
    let (class, features) = columns.split_last().unwrap();
    let class = class.as_nominal().unwrap();
    let options = Id3Options::default();
    // Every feature is looked at in the root at least.
    assert_stops(40, |observer| Id3::fit(features, class, &options, observer));
}
