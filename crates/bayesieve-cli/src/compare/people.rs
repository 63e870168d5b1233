//! The tables of `compare` for people.

use bayesieve::Result;
use bayesieve::document::{CompareOutcome, Early};
use bayesieve::evaluate::{Comparison, Entry, PairTestKind, Quantity, Rank, RankSummary, Standing};
use bayesieve::measure::Measure;
use bayesieve::stats::MeanSd;
use bayesieve::wording::{counted, grouped};

use crate::text::{TextTable, name};

pub(super) fn show(shown: &CompareOutcome) -> Result<String> {
    let comparison = &shown.comparison;
    let mut out = String::new();
    for place in 0..comparison.data.len() {
        out += &data_set(shown, place)?;
        out += &curves(comparison, place);
        out += "\n";
    }
    if comparison.data.len() > 1 {
        out += &over_all(shown)?;
    }
    out += &explained(shown);
    if let Some(early) = shown.early {
        let why = match early {
            Early::Budget => "the time was over",
            Early::Interrupted => "interrupted",
        };
        let (done, asked) = (comparison.entries.len(), comparison.n_asked);
        out += &format!("stopped early, {why}: {done} of {asked} cells are finished\n");
    }
    Ok(out)
}

/// Mean and standard deviation, in units that are shown.
fn about(of_runs: Option<MeanSd>, unit: f64, digits: usize) -> String {
    let Some(of_runs) = of_runs else {
        return "–".into();
    };
    let mean = of_runs.mean * unit;
    match of_runs.sd {
        Some(sd) => format!("{mean:.digits$} ± {:.digits$}", sd * unit),
        None => format!("{mean:.digits$}"),
    }
}

fn data_set(shown: &CompareOutcome, place: usize) -> Result<String> {
    let comparison = &shown.comparison;
    let data = &comparison.data[place];
    let out = format!(
        "{}: {}, {}, class {}; {}, {}; majority-class baseline {:.1} %\n",
        name(&data.name),
        counted(data.n_rows as u64, "row"),
        counted(data.features.len() as u64, "feature"),
        name(&data.class),
        data.protocol,
        counted(data.protocol.n_splits() as u64, "split"),
        100.0 * data.guessing()
    );
    let entries = (0..comparison.pipelines.len()).filter_map(|p| comparison.entry(place, p));
    let standings = comparison.standings(place, shown.test, shown.alpha)?;
    let entries: Vec<(&Entry, Standing)> = entries
        .zip(standings.into_iter().map(|(_, standing)| standing))
        .collect();
    let inner = |entry: &Entry| entry.inner_accuracy().map(|inner| inner * 100.0);
    let has_inner = entries.iter().any(|(entry, _)| inner(entry).is_some());
    let of_runs = |quantity: Quantity, unit: f64, digits: usize| {
        move |(entry, _): (&Entry, Standing)| about(entry.mean_sd(quantity), unit, digits)
    };
    let n_features = data.features.len();
    let mut table = TextTable::new(entries);
    table.words("  pipeline", |(entry, _)| {
        format!("  {}", name(&comparison.pipelines[entry.pipeline].name))
    });
    table.words("", |(_, standing)| mark(standing).to_owned());
    for measure in measures(comparison) {
        let (unit, digits) = measure_unit(measure);
        let quantity = Quantity::Measured(measure);
        table.number(&measure_heading(measure), of_runs(quantity, unit, digits));
    }
    table.number("kept", of_runs(Quantity::Kept, 1.0, 1));
    table.number("CALL", of_runs(Quantity::Call, 1.0, 3));
    table.number("stable", |(entry, _)| {
        number(entry.stability(n_features), 2)
    });
    table.number("s", |(entry, _)| {
        let seconds = entry.mean_sd(Quantity::Seconds);
        number(seconds.map(|of_runs| of_runs.mean), 3)
    });
    if has_inner {
        table.number("own estimate %", |(entry, _)| number(inner(entry), 2));
    }
    Ok(out + &table.print())
}

/// The measure that decides, then accuracy and log loss.
fn measures(comparison: &Comparison) -> Vec<&'static Measure> {
    let usual = [Measure::ACCURACY, Measure::LOG_LOSS];
    let decides = Some(comparison.measure).filter(|measure| !usual.contains(measure));
    decides.into_iter().chain(usual).collect()
}

/// What a measure is multiplied by to be shown, and its digits.
fn measure_unit(measure: &Measure) -> (f64, usize) {
    match measure.key {
        "accuracy" => (100.0, 2),
        _ => (1.0, 3),
    }
}

fn measure_heading(measure: &Measure) -> String {
    match measure.key {
        "accuracy" => "accuracy %".to_owned(),
        _ => words_of(measure),
    }
}

fn words_of(measure: &Measure) -> String {
    measure.name.replace('-', " ")
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.digits$}"))
}

fn mark(standing: Standing) -> &'static str {
    match standing {
        Standing::Best => "*",
        Standing::Even => "=",
        Standing::Worse => "",
        Standing::Untested => "?",
    }
}

/// A row for every number of training rows, a column for every pipeline.
fn curves(comparison: &Comparison, data: usize) -> String {
    let pipelines = 0..comparison.pipelines.len();
    let curves: Vec<_> = pipelines.map(|p| comparison.curve(data, p)).collect();
    let mut sizes: Vec<usize> = curves
        .iter()
        .flatten()
        .map(|(n_train, _)| *n_train)
        .collect();
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.is_empty() {
        return String::new();
    }
    let decides = comparison.measure;
    let (unit, digits) = measure_unit(decides);
    let mut table = TextTable::new(&sizes);
    let heading = format!("  {} from rows", measure_heading(decides));
    table.words(&heading, |&size| format!("  {}", grouped(size as u64)));
    for (pipeline, curve) in comparison.pipelines.iter().zip(&curves) {
        table.number(&name(&pipeline.name), |size| {
            let point = curve.iter().find(|(n_train, _)| n_train == size);
            let of_runs = point.and_then(|(_, entry)| entry.mean_sd(Quantity::Measured(decides)));
            number(of_runs.map(|of_runs| of_runs.mean * unit), digits)
        });
    }
    "\n".to_owned() + &table.print()
}

fn over_all(shown: &CompareOutcome) -> Result<String> {
    let ranked = shown.comparison.all_ranks()?;
    let by = |quantity: Quantity| ranked.iter().find(|summary| summary.quantity == quantity);
    let decides = Quantity::Measured(shown.comparison.measure);
    let Some(by_measure) = by(decides) else {
        return Ok(String::new());
    };
    let comparison = &shown.comparison;
    let mut out = format!(
        "over {}: mean ranks, 1 is best\n",
        counted(by_measure.data.len() as u64, "data set")
    );
    let verdicts = comparison.verdicts(decides, shown.test, shown.alpha)?;
    let rank = |quantity: Quantity| {
        let summary = by(quantity);
        move |ranks: &Rank| {
            let mut found = summary.iter().flat_map(|summary| &summary.ranks);
            let rank = found.find(|rank| rank.pipeline == ranks.pipeline);
            number(rank.map(|rank| rank.average), 2)
        }
    };
    let mut order: Vec<&Rank> = by_measure.ranks.iter().collect();
    // Stable: ties stay in the order of the pipelines.
    order.sort_by(|a, b| a.average.total_cmp(&b.average));
    let mut table = TextTable::new(order);
    table.words("  pipeline", |rank| {
        format!("  {}", name(&comparison.pipelines[rank.pipeline].name))
    });
    table.number(&words_of(comparison.measure), |rank| {
        format!("{:.2}", rank.average)
    });
    table.number("competition", |rank| format!("{:.2}", rank.competition));
    table.number("wins-losses", |rank| {
        let verdicts = verdicts[rank.pipeline];
        format!("{}-{}", verdicts.wins, verdicts.losses)
    });
    for measure in [Measure::ACCURACY, Measure::LOG_LOSS] {
        if measure != comparison.measure {
            table.number(&words_of(measure), rank(Quantity::Measured(measure)));
        }
    }
    table.number("kept", rank(Quantity::Kept));
    table.number("CALL", rank(Quantity::Call));
    out += &table.print();
    out += &friedman(shown, by_measure)?;
    Ok(out + "\n")
}

fn friedman(shown: &CompareOutcome, by_measure: &RankSummary) -> Result<String> {
    let Some(friedman) = &by_measure.friedman else {
        return Ok(String::new());
    };
    let measure = words_of(shown.comparison.measure);
    let chi = friedman.tie_corrected.chi_square;
    let f = friedman.tie_corrected.iman_davenport;
    let corrected = if f.statistic.is_finite() {
        format!("F {:.3}, p {}", f.statistic, probability(f.p))
    } else {
        "F infinite: all data sets agree on the order".to_owned()
    };
    let mut out = format!(
        "Friedman, {measure}: X2 {:.3}, p {}; Iman-Davenport {corrected}\n",
        chi.statistic,
        probability(chi.p)
    );
    if let Some(critical) = by_measure.critical_difference(shown.alpha)? {
        out += &format!(
            "Nemenyi: {measure} ranks {critical:.2} apart differ at {}\n",
            shown.alpha
        );
    }
    Ok(out)
}

fn probability(p: f64) -> String {
    match p {
        p if p < 1e-4 => format!("{p:.1e}"),
        p => format!("{p:.4}"),
    }
}

/// What the marks mean.
fn explained(shown: &CompareOutcome) -> String {
    let measure = words_of(shown.comparison.measure);
    let mut kinds: Vec<&str> = Vec::new();
    for data in 0..shown.comparison.data.len() {
        let protocol = shown.comparison.data[data].protocol;
        let name = PairTestKind::for_protocol(shown.test, protocol).name();
        if !kinds.contains(&name) {
            kinds.push(name);
        }
    }
    let mut out = format!(
        "* best {measure}, = not significantly different from it ({} at {}); ± is the sd over \
         splits\n",
        kinds.join(", "),
        shown.alpha
    );
    out += "kept: features; CALL: bits per row of the classifier beyond a tree over the features; \
            stable: 1 where every\nsplit keeps the same features, 0 where they agree by chance; s: seconds \
            a split\n";
    if shown.comparison.data.len() > 1 {
        out += &format!(
            "competition: mean ranks where ties share the smallest; wins-losses: significant ones, \
             of {measure}\n"
        );
    }
    let mut data = shown.comparison.data.iter();
    if data.any(|data| data.protocol.n_splits() < 2) {
        out += "? not tested: one split is too few\n";
    }
    let mut entries = shown.comparison.wholes();
    if entries.any(|entry| entry.inner_accuracy().is_some()) {
        out += "own estimate: the accuracy that the search went by, optimistic\n";
    }
    out
}
