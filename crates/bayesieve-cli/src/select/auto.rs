//! `--method auto`: the method by the data.

use bayesieve::measure::Measure;
use bayesieve::printable;
use bayesieve::select::{AutoCandidate, AutoReport};
use bayesieve::wording::{counted, grouped};

use crate::text::TextTable;

/// Who was compared, for people.
pub(super) fn compared(report: &AutoReport) -> String {
    let failed = |one: &&AutoCandidate| one.failure.is_some();
    let mut out = format!(
        "\nCompared on {}; taken: the {}\n",
        counted(report.n_folds as u64, "fold"),
        report.rule()
    );
    let number = |value: Option<f64>, unit: f64, digits: usize| {
        value.map_or("–".to_owned(), |value| {
            format!("{:.digits$}", value * unit)
        })
    };
    let shown = report.candidates.iter().enumerate();
    let mut table = TextTable::new(shown.filter(|(_, one)| !failed(one)));
    table.words("  method/model", |(_, one)| format!("  {}", one.name));
    table.words("", |(place, _)| {
        if place == report.chosen { "*" } else { "" }.to_owned()
    });
    if report.measure != Measure::ACCURACY {
        table.number(&report.measure.name.replace('-', " "), |(_, one)| {
            number(one.value, 1.0, 3)
        });
    }
    table.number("accuracy %", |(_, one)| number(one.accuracy, 100.0, 2));
    table.number("s.e.", |(_, one)| number(one.standard_error, 100.0, 2));
    table.number("kept", |(_, one)| {
        one.n_kept.map_or("–".to_owned(), |n| grouped(n as u64))
    });
    table.number("in folds", |(_, one)| number(one.mean_kept, 1.0, 1));
    table.number("same set %", |(_, one)| number(one.agreement, 100.0, 0));
    table.number("s", |(_, one)| number(one.seconds, 1.0, 2));
    out += &table.print();
    out +=
        "  kept: of all rows; in folds: on average; same set: features shared with the taken one\n";
    let failures: Vec<&AutoCandidate> = report.candidates.iter().filter(failed).collect();
    if let Some(first) = failures.first() {
        let names: Vec<&str> = failures.iter().map(|one| one.name.as_str()).collect();
        let why = first.failure.as_deref().unwrap_or_default();
        out += &format!(
            "  does not work on these data: {}\n  {}: {}\n",
            names.join(", "),
            first.name,
            printable(why, 400)
        );
    }
    if !report.not_tried.is_empty() {
        let names = report.not_tried.join(", ");
        out += &format!("  not tried, slow at this size: {names}\n");
    }
    if report.is_cut_short {
        out += "  The time was over before all were compared.\n";
    }
    out
}
