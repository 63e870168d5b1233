//! Options, rows and columns; the cuts themselves are tested beside their rules.

use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::ErrorKind;
use crate::data::{KindOrigin, Values};

fn column(name: &str, values: &[f64]) -> Column {
    Column::new(name, Values::Numeric(values.to_vec()), KindOrigin::Numbers)
}

#[test]
fn every_way_is_read_as_it_is_written() {
    for text in ["mdlp", "none", "width:1", "width:255", "frequency:10"] {
        let read: Discretizer = text.parse().unwrap();
        assert_eq!(read.to_string(), text);
    }
}

#[test]
fn wrong_ways_say_what_is_right() {
    for (text, advice) in [
        ("", "mdlp, width:K, frequency:K or none; K is from 1 to 255"),
        ("MDLP", "mdlp, width:K"),
        ("mdlp:3", "mdlp, width:K"),
        ("width", "as in width:10"),
        ("width:", "from 1 to 255"),
        ("width:0", "from 1 to 255, not 0"),
        ("frequency:256", "from 1 to 255, not 256"),
        ("frequency:-1", "from 1 to 255, not \"-1\""),
        ("frequency:1e1", "from 1 to 255"),
    ] {
        let error = text.parse::<Discretizer>().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage, "{text}");
        assert!(error.to_string().contains(advice), "{text}: {error}");
    }
}

#[test]
fn only_the_given_rows_are_learned_from() {
    let values = [1.0, 2.0, 3.0, 100.0, f64::NAN];
    let class = Codes::new(1, [Some(0); 5]);
    let fit = |rows| {
        let training = Training {
            class: &class,
            n_classes: 1,
            rows,
        };
        Discretizer::Width(2).fit(&values, &training).unwrap()
    };
    assert_eq!(fit(Some(&[0, 2, 4])).as_slice(), [2.0]);
    assert_eq!(fit(None).as_slice(), [50.5]);
    assert_eq!(fit(Some(&[])).n_bins(), 1);
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let class = Codes::new(2, [Some(0), Some(1)]);
    let training = Training {
        class: &class,
        n_classes: 2,
        rows: None,
    };
    let fit = |values: &[f64], training: &Training| {
        Discretizer::Mdlp.fit(values, training).unwrap_err().kind()
    };
    assert_eq!(fit(&[1.0], &training), ErrorKind::Internal);
    let far = Training {
        rows: Some(&[2]),
        ..training
    };
    assert_eq!(fit(&[1.0, 2.0], &far), ErrorKind::Internal);
    let few = Training {
        n_classes: 1,
        ..training
    };
    assert_eq!(fit(&[1.0, 2.0], &few), ErrorKind::Internal);
    assert_eq!(fit(&[1.0, f64::INFINITY], &training), ErrorKind::Data);
    let none = Discretizer::None.fit(&[1.0, 2.0], &training).unwrap_err();
    assert_eq!(none.kind(), ErrorKind::Usage);
    let zero = Discretizer::Frequency(0).fit(&[1.0, 2.0], &training);
    assert_eq!(zero.unwrap_err().kind(), ErrorKind::Usage);
}

#[test]
fn columns_are_fitted_alike_on_any_number_of_threads() {
    let numbers = |step: u64| -> Vec<f64> { (0..500).map(|i| (i * step % 499) as f64).collect() };
    let columns: Vec<Column> = (1..20)
        .map(|step| column(&format!("x{step}"), &numbers(step)))
        .collect();
    let columns: Vec<&Column> = columns.iter().collect();
    let class = Codes::new(3, (0..500).map(|i| Some(i / 170)));
    let training = Training {
        class: &class,
        n_classes: 3,
        rows: None,
    };
    let fit = |n_threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
        let pool = pool.build().unwrap();
        pool.install(|| {
            Discretizer::Mdlp
                .fit_columns(&columns, &training, &crate::Silent)
                .unwrap()
        })
    };
    let one = fit(1);
    assert_eq!(one, fit(2));
    assert_eq!(one, fit(7));
    let single = Discretizer::Mdlp.fit(&numbers(1), &training).unwrap();
    assert_eq!(one[0], single);
    // Classes change at rows 170 and 340, numbers there are the row numbers.
    assert_eq!(single.as_slice(), [169.5, 339.5]);
}

#[test]
fn the_first_bad_column_is_named() {
    let good = column("good", &[1.0]);
    let bad = column("bad", &[f64::NEG_INFINITY]);
    let worse = column("worse", &[f64::INFINITY]);
    let class = Codes::new(1, [Some(0)]);
    let training = Training {
        class: &class,
        n_classes: 1,
        rows: None,
    };
    let error = Discretizer::Width(2)
        .fit_columns(&[&good, &bad, &worse], &training, &crate::Silent)
        .unwrap_err();
    assert_eq!(error.column(), Some("bad"));
}

/// Cancels from the given look on, and counts the looks.
struct CancelsAtLook {
    look: u64,
    n_looks: AtomicU64,
}

impl CancelsAtLook {
    fn new(look: u64) -> Self {
        CancelsAtLook {
            look,
            n_looks: AtomicU64::new(0),
        }
    }
}

impl Observer for CancelsAtLook {
    fn is_cancelled(&self) -> bool {
        self.n_looks.fetch_add(1, Ordering::Relaxed) >= self.look
    }
}

#[test]
fn a_long_column_is_left_in_the_middle_when_cancelled() {
    // Three blocks of rows, the last one short; the class is that of the number's parity.
    let n_rows = 2 * ROWS_PER_LOOK as u32 + 1;
    let values: Vec<f64> = (0..n_rows).rev().map(f64::from).collect();
    let column = column("x", &values);
    let class = Codes::new(2, (0..n_rows).map(|row| Some(row % 2)));
    let training = Training {
        class: &class,
        n_classes: 2,
        rows: None,
    };
    // Once for the column; three times each to gather, to count slots and to move rows into
    // them; twice to sort the slots, which are half as many; for cuts, three times as well: the
    // runs are as many as the rows, the last is none to cut after, and no cut pays.
    for (discretizer, n_looks) in [
        (Discretizer::Mdlp, 1 + 3 + 3 + 3 + 3 + 2),
        (Discretizer::Frequency(5), 1 + 3 + 3 + 3 + 3),
    ] {
        let fit =
            |observer: &CancelsAtLook| discretizer.fit_columns(&[&column], &training, observer);
        let whole = CancelsAtLook::new(u64::MAX);
        fit(&whole).unwrap();
        assert_eq!(whole.n_looks.into_inner(), n_looks, "{discretizer}");
        for look in 0..n_looks {
            let watch = CancelsAtLook::new(look);
            let error = fit(&watch).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Interrupted, "{discretizer} {look}");
            assert_eq!(watch.n_looks.into_inner(), look + 1, "{discretizer}");
        }
    }
}
