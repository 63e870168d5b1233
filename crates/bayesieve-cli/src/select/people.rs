//! The table of `select` for people.

use std::path::Path;

use bayesieve::search::Stop;
use bayesieve::select::{DroppedFeature, KeptFeature, Reason, Selection};
use bayesieve::wording::{counted, grouped};

use super::{auto, blocks, performance};
use crate::text::{self, TextTable, name};

pub(super) fn show(file: &Path, selection: &Selection, top: usize) -> String {
    let mut out = format!(
        "{}: {}, {}, class {}\n",
        text::file(file),
        counted(selection.data.n_rows as u64, "row"),
        counted(selection.data.features.len() as u64, "feature"),
        name(&selection.data.class)
    );
    out += &headline(selection);
    out += &estimates(selection);
    out += &performance::promise(selection);
    out += &match &selection.blocks {
        Some(blocks) if !selection.kept.is_empty() => blocks::show(selection, blocks, top),
        _ => kept(selection),
    };
    out += &performance::sizes(selection);
    out += &dropped(selection, top);
    out += &performance::confusion(selection);
    out += &selection
        .auto
        .as_ref()
        .map_or(String::new(), auto::compared);
    out + &format!("\nstopped: {}\n", selection.stop)
}

fn headline(selection: &Selection) -> String {
    let model = selection.model.map(|model| format!(" with {model}"));
    let search = selection.search.map(|search| format!(", {search}"));
    let unit = match selection.score.unit {
        _ if selection.value.is_nan() => String::new(),
        "" => String::new(),
        unit => format!(" {unit}"),
    };
    let name = selection.score.name;
    // A count, as the baseline's, needs no digits behind the point; the size of a boundary
    // is what is kept.
    let value = match name {
        "boundary-size" => counted(selection.n_evaluations, "test"),
        "features" => format!("{name} {}", grouped(selection.value as u64)),
        "risk" if selection.value.is_finite() => {
            format!("{name} {}, as the scores promise", number(selection.value))
        }
        _ => format!("{name} {}{unit}", number(selection.value)),
    };
    let auto = selection.auto.as_ref();
    let is_of_one_method = auto.is_some_and(|report| report.is_of_one_method);
    let chosen = auto;
    let chosen = chosen.and_then(|report| report.candidates.get(report.chosen));
    let who = match chosen {
        Some(chosen) if is_of_one_method => chosen.name.clone(),
        Some(chosen) => format!("auto took {}", chosen.name),
        None => format!("{}{}", selection.method, model.unwrap_or_default()),
    };
    format!(
        "{who}{}: keeps {} of {}; {value}\n",
        search.unwrap_or_default(),
        grouped(selection.kept.len() as u64),
        counted(selection.data.features.len() as u64, "feature"),
    )
}

/// The estimate that the search went by, and what shuffled classes do.
fn estimates(selection: &Selection) -> String {
    let percent = |share: f64| format!("{:.2}", share * 100.0);
    let mut out = String::new();
    if let Some(inner) = selection.estimate {
        let (shown, off) = if inner.is_accuracy() {
            let mean = format!("{} %", percent(inner.mean));
            (mean, percent(inner.standard_error))
        } else {
            (number(inner.mean), number(inner.standard_error))
        };
        let about = if inner.standard_error.is_finite() {
            format!(" (s.e. {off})")
        } else {
            String::new()
        };
        out += &format!(
            "{} {shown}{about} by the estimate that it searched with{}\n",
            inner.measure,
            match selection.n_evaluations {
                0 | 1 => String::new(),
                n => format!(": optimistic, chosen among {}", counted(n, "set")),
            }
        );
    }
    if let Some(test) = &selection.permutations {
        out += &format!(
            "shuffled classes do as well in {} of {} (p = {:.3}), with {:.1} features kept on \
             average\n",
            grouped(test.n_as_good as u64),
            grouped(test.n_shuffles as u64),
            test.p(),
            test.mean_kept,
        );
    }
    out
}

fn kept(selection: &Selection) -> String {
    if selection.kept.is_empty() {
        return match selection.stop {
            Stop::Budget | Stop::Interrupted => "\nNo feature was kept by then.\n".into(),
            _ if selection.estimate.is_some_and(|inner| inner.is_accuracy()) => {
                "\nNo feature makes it more accurate.\n".into()
            }
            _ if selection.estimate.is_some() => "\nNo feature makes predictions better.\n".into(),
            _ => "\nNo feature tells enough about the class to be kept.\n".into(),
        };
    }
    let bits = |bits: Option<f64>| bits.map_or(String::new(), |bits| format!("{bits:.4}"));
    let score = |kept: &KeptFeature| {
        let mut steps = selection.steps.iter().rev();
        let step = steps.find(|step| step.feature == kept.feature);
        step.map_or(String::new(), |step| number(step.score))
    };
    let mut table = TextTable::new((1..).zip(&selection.kept));
    table.number("", |(place, _): (usize, _)| place.to_string());
    table.words("kept", |(_, kept)| name(&kept.feature));
    table.number("bits alone", |(_, kept)| bits(kept.alone_bits));
    table.number("given the rest", |(_, kept)| bits(kept.given_rest_bits));
    if let Some(boundary) = &selection.boundary {
        let member = |kept: &KeptFeature| boundary.member(&kept.feature);
        table.words("", |(_, kept)| {
            member(kept).map_or("", |member| member.role.name()).into()
        });
        table.words("because", |(_, kept)| match member(kept) {
            Some(member) => member.evidence.sentence(),
            None => "as asked; not in the boundary".into(),
        });
    } else if selection.kept.iter().any(|kept| !score(kept).is_empty()) {
        table.number("score after", |(_, kept)| score(kept));
    }
    format!("\n{}", table.print())
}

fn dropped(selection: &Selection, top: usize) -> String {
    if selection.dropped.is_empty() {
        return "\nNothing is dropped.\n".into();
    }
    let mut shown: Vec<&DroppedFeature> = selection.dropped.iter().collect();
    let is_cut = top > 0 && shown.len() > top;
    if is_cut {
        // The ones a reader will ask about first; stable, so that others stay in order.
        let bits = |dropped: &DroppedFeature| dropped.alone_bits.unwrap_or(-1.0);
        shown.sort_by(|a, b| bits(b).total_cmp(&bits(a)));
        shown.truncate(top);
    }
    let mut table = TextTable::new(shown);
    table.words("dropped", |dropped| name(&dropped.feature));
    table.words("", |dropped| dropped.reason.name().to_owned());
    table.words("because", |dropped| dropped.reason.sentence());
    let table = table.print();
    let rest = if is_cut {
        let more = (selection.dropped.len() - top) as u64;
        format!(
            "… and {} more ({}); --top 0 shows all\n",
            grouped(more),
            tally(selection)
        )
    } else {
        String::new()
    };
    format!("\n{table}{rest}")
}

/// How many features went for each reason.
fn tally(selection: &Selection) -> String {
    let mut counts: Vec<(&str, u64)> = Vec::new();
    for name in selection.dropped.iter().map(|d| Reason::name(&d.reason)) {
        match counts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, n)) => *n += 1,
            None => counts.push((name, 1)),
        }
    }
    let parts = counts
        .iter()
        .map(|(name, n)| format!("{} {name}", grouped(*n)));
    format!("in all {}", parts.collect::<Vec<_>>().join(", "))
}

/// Four digits behind the point for numbers of a readable size.
pub(super) fn number(x: f64) -> String {
    if x.is_nan() {
        return "not known in time".into();
    }
    if x != 0.0 && x.abs() < 0.001 {
        format!("{x:.2e}")
    } else {
        format!("{x:.4}")
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bayesieve::Silent;
    use bayesieve::data::{CodedTable, CodingOptions, Generator, RoleOptions, Roles};
    use bayesieve::search::Limits;
    use bayesieve::select::{Method, SelectOptions, select};

    use super::*;

    #[test]
    fn a_run_without_time_does_not_say_that_no_feature_tells_enough() {
        let table = Generator::Example1.generate(320, 1).unwrap();
        let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
        let coded = CodedTable::new(&table, &roles, CodingOptions::default()).unwrap();
        let options = SelectOptions::new(Method::named("mrmr").unwrap()).unwrap();
        let limits = Limits::new(&Silent).with_budget(Some(Duration::ZERO));
        let selection = select(&coded, &options, &limits).unwrap();
        let text = show(Path::new("e.csv"), &selection, 0);
        assert!(text.contains("No feature was kept by then."), "{text}");
        assert!(
            text.contains("the run ended before its turn came"),
            "{text}"
        );
    }
}
