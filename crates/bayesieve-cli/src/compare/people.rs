//! The tables of `compare` for people.

use bayesieve::Result;
use bayesieve::document::{CompareOutcome, Early};
use bayesieve::evaluate::{Comparison, Entry, Measure, PairTestKind, RankSummary, Standing};
use bayesieve::stats::MeanSd;
use bayesieve::wording::{counted, grouped};

use crate::text::{self, name};

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
    let mut out = format!(
        "{}: {}, {}, class {}; {}, {}; guessing gets {:.1} % right\n",
        name(&data.name),
        counted(data.n_rows as u64, "row"),
        counted(data.features.len() as u64, "feature"),
        name(&data.class),
        data.protocol,
        counted(data.protocol.n_splits() as u64, "split"),
        100.0 * data.guessing()
    );
    let entries = (0..comparison.pipelines.len()).filter_map(|p| comparison.entry(place, p));
    let entries: Vec<&Entry> = entries.collect();
    let has_inner = entries.iter().any(|entry| entry.inner_accuracy().is_some());
    let standings = comparison.standings(place, shown.test, shown.alpha)?;
    let mut header = vec![
        "  pipeline",
        "",
        "accuracy %",
        "log loss",
        "kept",
        "CALL",
        "stable",
        "s",
    ];
    if has_inner {
        header.push("own estimate %");
    }
    let n_columns = header.len();
    let rows = entries.iter().zip(standings).map(|(entry, (_, standing))| {
        let pipeline = &comparison.pipelines[entry.pipeline];
        let mut row = vec![
            format!("  {}", name(&pipeline.name)),
            mark(standing).to_owned(),
        ];
        row.extend(numbers(entry, data.features.len()));
        row.truncate(n_columns);
        row
    });
    let right: Vec<usize> = (2..header.len()).collect();
    out += &text::table(&header, &right, rows.collect());
    Ok(out)
}

/// What a row shows of an entry.
fn numbers(entry: &Entry, n_features: usize) -> [String; 7] {
    let number = |value: Option<f64>, digits: usize| {
        value.map_or("–".to_owned(), |value| format!("{value:.digits$}"))
    };
    let seconds = entry.mean_sd(Measure::Seconds).map(|of_runs| of_runs.mean);
    let inner = entry.inner_accuracy().map(|inner| inner * 100.0);
    [
        about(entry.mean_sd(Measure::Accuracy), 100.0, 2),
        about(entry.mean_sd(Measure::LogLoss), 1.0, 3),
        about(entry.mean_sd(Measure::Kept), 1.0, 1),
        about(entry.mean_sd(Measure::Call), 1.0, 3),
        number(entry.stability(n_features), 2),
        number(seconds, 3),
        number(inner, 2),
    ]
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
    let names = comparison
        .pipelines
        .iter()
        .map(|pipeline| name(&pipeline.name));
    let names: Vec<String> = names.collect();
    let mut header = vec!["  accuracy % from rows"];
    header.extend(names.iter().map(String::as_str));
    let rows = sizes.iter().map(|&size| {
        let mut row = vec![format!("  {}", grouped(size as u64))];
        row.extend(curves.iter().map(|curve| {
            let point = curve.iter().find(|(n_train, _)| *n_train == size);
            let accuracy = point.and_then(|(_, entry)| entry.mean_sd(Measure::Accuracy));
            accuracy.map_or("–".into(), |accuracy| {
                format!("{:.2}", accuracy.mean * 100.0)
            })
        }));
        row
    });
    let right: Vec<usize> = (1..header.len()).collect();
    "\n".to_owned() + &text::table(&header, &right, rows.collect())
}

fn over_all(shown: &CompareOutcome) -> Result<String> {
    let ranked = shown.comparison.all_ranks()?;
    let by = |measure: Measure| ranked.iter().find(|summary| summary.measure == measure);
    let Some(by_accuracy) = by(Measure::Accuracy) else {
        return Ok(String::new());
    };
    let comparison = &shown.comparison;
    let mut out = format!(
        "over {}: mean ranks, 1 is best\n",
        counted(by_accuracy.data.len() as u64, "data set")
    );
    let verdicts = comparison.verdicts(Measure::Accuracy, shown.test, shown.alpha)?;
    let rank = |summary: Option<&RankSummary>, pipeline: usize| {
        let found = summary.and_then(|s| s.ranks.iter().find(|rank| rank.pipeline == pipeline));
        found.map_or("–".into(), |rank| format!("{:.2}", rank.average))
    };
    let mut order: Vec<usize> = (0..by_accuracy.ranks.len()).collect();
    order.sort_by(|&a, &b| {
        let of = |place: usize| by_accuracy.ranks[place].average;
        of(a).total_cmp(&of(b)).then(a.cmp(&b))
    });
    let rows = order.iter().map(|&place| {
        let ranks = &by_accuracy.ranks[place];
        let pipeline = ranks.pipeline;
        let verdicts = verdicts[pipeline];
        vec![
            format!("  {}", name(&comparison.pipelines[pipeline].name)),
            format!("{:.2}", ranks.average),
            format!("{:.2}", ranks.competition),
            format!("{}-{}", verdicts.wins, verdicts.losses),
            rank(by(Measure::LogLoss), pipeline),
            rank(by(Measure::Kept), pipeline),
            rank(by(Measure::Call), pipeline),
        ]
    });
    let header = [
        "  pipeline",
        "accuracy",
        "competition",
        "wins-losses",
        "log loss",
        "kept",
        "CALL",
    ];
    out += &text::table(&header, &[1, 2, 3, 4, 5, 6], rows.collect());
    out += &friedman(shown, by_accuracy)?;
    Ok(out + "\n")
}

fn friedman(shown: &CompareOutcome, by_accuracy: &RankSummary) -> Result<String> {
    let Some(friedman) = &by_accuracy.friedman else {
        return Ok(String::new());
    };
    let chi = friedman.tie_corrected.chi_square;
    let f = friedman.tie_corrected.iman_davenport;
    let corrected = if f.statistic.is_finite() {
        format!("F {:.3}, p {}", f.statistic, probability(f.p))
    } else {
        "F infinite: all data sets agree on the order".to_owned()
    };
    let mut out = format!(
        "Friedman, accuracy: X2 {:.3}, p {}; Iman-Davenport {corrected}\n",
        chi.statistic,
        probability(chi.p)
    );
    if let Some(critical) = by_accuracy.critical_difference(shown.alpha)? {
        out += &format!(
            "Nemenyi: accuracy ranks {critical:.2} apart differ at {}\n",
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
    let mut kinds: Vec<&str> = Vec::new();
    for data in 0..shown.comparison.data.len() {
        let protocol = shown.comparison.data[data].protocol;
        let name = PairTestKind::for_protocol(shown.test, protocol).name();
        if !kinds.contains(&name) {
            kinds.push(name);
        }
    }
    let mut out = format!(
        "* best accuracy, = not told apart from it ({} at {}); ± is the sd over splits\n",
        kinds.join(", "),
        shown.alpha
    );
    out += "kept: features; CALL: bits a row that the classifier tells beyond a tree over the features; \
            stable: 1 where every\nsplit keeps the same features, 0 where they agree by chance; s: seconds \
            a split\n";
    if shown.comparison.data.len() > 1 {
        out += "competition: mean ranks where ties share the smallest; wins-losses: significant ones, of \
                accuracy\n";
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
