//! What to expect of new rows: measures, confusion matrix, and the curve over sizes.

use bayesieve::measure::Measure;
use bayesieve::select::{MeasuredPerformance, Performance, RunnerUp, Selection};
use bayesieve::stats::Better;
use bayesieve::wording::{counted, grouped};

use crate::text::{TextTable, name};

/// Classes above which no confusion matrix is printed.
const MAX_CLASSES: usize = 10;

/// Features of the runner-up that are named.
const MAX_NAMED: usize = 12;

/// The measure that decides and accuracy, in a line.
pub(super) fn promise(selection: &Selection) -> String {
    let Some(performance) = &selection.performance else {
        return String::new();
    };
    let decides = selection.measure().filter(|one| *one != Measure::ACCURACY);
    let shown = decides.into_iter().chain([Measure::ACCURACY]);
    let shown: Vec<String> = shown
        .filter_map(|measure| performance.get(measure))
        .map(measured)
        .collect();
    if shown.is_empty() {
        return String::new();
    }
    format!(
        "{} to expect on new rows ({})\n",
        shown.join(", "),
        protocol(selection, performance)
    )
}

/// How it was measured.
fn protocol(selection: &Selection, performance: &Performance) -> String {
    let mut out = performance.protocol.clone();
    if let Some(honest) = &selection.honest {
        out += &format!(
            ": selection and training with {} repeated, {:.1} features kept on average",
            honest.model, honest.mean_kept
        );
    }
    if let (Some(report), true) = (&selection.auto, performance.n_draws > 0) {
        out += &format!(
            ", corrected for having chosen among {}",
            counted(report.n_compared() as u64, "candidate")
        );
    }
    out
}

fn measured(one: &MeasuredPerformance) -> String {
    let measure = one.measure;
    let mut about: Vec<String> = Vec::new();
    if let Some(error) = one.standard_error.filter(|error| error.is_finite()) {
        about.push(format!("s.e. {}", bare(measure, error)));
    }
    if let Some(baseline) = one.baseline {
        let what = match measure.key {
            "accuracy" => "majority-class baseline",
            _ => "baseline",
        };
        about.push(format!("{what} {}", with_unit(measure, baseline)));
    }
    let mean = with_unit(measure, one.mean);
    let words = words_of(measure);
    if about.is_empty() {
        format!("{words} {mean}")
    } else {
        format!("{words} {mean} ({})", about.join(", "))
    }
}

fn words_of(measure: &Measure) -> String {
    measure.name.replace('-', " ")
}

/// The value as it is shown: shares of rows in percent.
fn bare(measure: &Measure, value: f64) -> String {
    match measure.key {
        "accuracy" => format!("{:.2}", value * 100.0),
        _ => format!("{value:.3}"),
    }
}

fn with_unit(measure: &Measure, value: f64) -> String {
    match measure.key {
        "accuracy" => format!("{} %", bare(measure, value)),
        _ => bare(measure, value),
    }
}

/// The confusion matrix with the recall of every class, where they are not many.
pub(super) fn confusion(selection: &Selection) -> String {
    let labels = &selection.data.classes;
    let Some(performance) = &selection.performance else {
        return String::new();
    };
    let counts = &performance.confusion;
    if counts.len() != labels.len() || !(2..=MAX_CLASSES).contains(&labels.len()) {
        return String::new();
    }
    let mut table = TextTable::new(labels.iter().zip(counts).enumerate());
    table.words("  true \\ predicted", |(_, (label, _))| {
        format!("  {}", name(label))
    });
    for (predicted, label) in labels.iter().enumerate() {
        table.number(&name(label), |(_, (_, counts))| grouped(counts[predicted]));
    }
    table.number("recall %", |(class, (_, counts))| {
        match counts.iter().sum::<u64>() {
            0 => "–".to_owned(),
            n => format!("{:.1}", 100.0 * counts[class] as f64 / n as f64),
        }
    });
    let times = match selection.honest {
        Some(_) => "; every row is tested five times",
        None => "",
    };
    format!("\nTest rows by class{times}\n{}", table.print())
}

/// The curve over numbers of features, and a smaller set that predicts nearly as well.
pub(super) fn sizes(selection: &Selection) -> String {
    let mut out = String::new();
    if let (Some(report), [first, .., last]) = (&selection.auto, selection.path.as_slice()) {
        let values = selection.path.iter().map(|point| point.value);
        out += &format!(
            "\n{} with {} to {} features: {} (higher bars are better; {} taken)\n",
            words_of(report.measure),
            first.size,
            last.size,
            sparkline(&values.collect::<Vec<_>>(), report.measure.better),
            selection.kept.len()
        );
    }
    let report = selection.auto.as_ref();
    let runner_up = report.and_then(|report| report.runner_up.as_ref());
    out + &runner_up.map_or(String::new(), nearly_as_well)
}

fn nearly_as_well(runner_up: &RunnerUp) -> String {
    let n = runner_up.features.len();
    let named = runner_up.features.iter().take(MAX_NAMED);
    let mut named: Vec<String> = named.map(|feature| name(feature)).collect();
    if n > MAX_NAMED {
        named.push(format!("and {} more", grouped((n - MAX_NAMED) as u64)));
    }
    let predict = if n == 1 { "predicts" } else { "predict" };
    format!(
        "{} {predict} nearly as well ({:+.1} points of accuracy; {}): {}\n",
        counted(n as u64, "feature"),
        runner_up.accuracy_difference * 100.0,
        runner_up.name,
        named.join(", ")
    )
}

/// A bar for every value, from the worst to the best.
fn sparkline(values: &[f64], better: Better) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let gain = |value: &f64| match better {
        Better::Higher => *value,
        Better::Lower => -value,
    };
    let gains: Vec<f64> = values.iter().map(gain).collect();
    let worst = gains.iter().copied().fold(f64::INFINITY, f64::min);
    let best = gains.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let bar = |gain: &f64| {
        let share = (gain - worst) / (best - worst);
        // Where all are equal, all are the best.
        let height = if share.is_finite() { share } else { 1.0 };
        BARS[(height * (BARS.len() - 1) as f64).round() as usize]
    };
    gains.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_rise_with_what_is_better() {
        // Of seven steps: 0, 3.5 (rounds to 4) and 7.
        assert_eq!(sparkline(&[0.0, 0.5, 1.0], Better::Higher), "▁▅█");
        assert_eq!(sparkline(&[0.0, 0.5, 1.0], Better::Lower), "█▅▁");
        assert_eq!(sparkline(&[0.3, 0.3], Better::Lower), "██");
        assert_eq!(sparkline(&[], Better::Lower), "");
    }

    #[test]
    fn a_runner_up_says_how_many_points_of_accuracy_it_costs() {
        let runner_up = RunnerUp {
            name: "mrmr/nb".into(),
            features: vec!["a".into(), "b".into()],
            log_loss: 0.5,
            accuracy: 0.75,
            accuracy_difference: -0.004,
            difference: 0.01,
        };
        assert_eq!(
            nearly_as_well(&runner_up),
            "2 features predict nearly as well (-0.4 points of accuracy; mrmr/nb): a, b\n"
        );
    }

    #[test]
    fn a_measure_has_its_standard_error_and_its_baseline_by_name() {
        let one = |measure, mean, baseline| MeasuredPerformance {
            measure,
            mean,
            standard_error: Some(0.0125),
            on_folds: mean,
            baseline,
        };
        assert_eq!(
            measured(&one(Measure::ACCURACY, 0.75, Some(0.7))),
            "accuracy 75.00 % (s.e. 1.25, majority-class baseline 70.00 %)"
        );
        assert_eq!(
            measured(&one(Measure::LOG_LOSS, 0.5, None)),
            "log loss 0.500 (s.e. 0.013)"
        );
    }
}
