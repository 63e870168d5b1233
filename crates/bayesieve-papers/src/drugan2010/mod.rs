//! MDL-FS against MDL, the wrapper by accuracy, Koller-Sahami and Hall, with naive Bayes and
//! TAN.
//!
//! Paper: Drugan and Wiering, 2010, tables 2, 3 and 4. Fifty times, two thirds of the rows are
//! drawn to learn from; probabilities are plain frequencies; CALL is that of the training rows,
//! by row, without the term of the class.

mod redundancy;

use std::sync::LazyLock;

use bayesieve::Result;
use bayesieve::evaluate::Run;
use bayesieve::stats::{Alternative, Better, Ties, WilcoxonMethod, ranks, wilcoxon};

use crate::comparison::{self, Sheet};
use crate::published::{Figure, PaperMethod, Published, StudyMeasure};
use crate::request::Paper;
use crate::statement::Figures;
use crate::tables::FigureCell;

static FIGURES: LazyLock<Published> =
    LazyLock::new(|| Published::known(include_str!("../../papers/drugan2010.toml")));

pub(crate) static PAPER: Paper = Paper {
    published: &FIGURES,
    plan: |request| comparison::plan(&FIGURES, request, fill),
};

const MODELS: [&str; 2] = ["nb", "tan"];

/// The level of the paper's Wilcoxon tests.
const LEVEL: f64 = 0.05;

/// Fills tables 2, 3 and 4.
fn fill(sheet: &mut Sheet<'_>) -> Result<()> {
    redundant(sheet)?;
    for model in MODELS {
        for measure in &FIGURES.measures {
            let title = format!("tables 2 and 3, {model}: {}", measure.title);
            sheet.panel(title, if measure.name == "call" { 2 } else { 1 });
            for data in FIGURES.data_names() {
                // Table 2 has no column for what is 100 percent by definition.
                let full = format!("{model}/full/selected");
                sheet.published.insert(data, &full, 100.0);
                for method in &FIGURES.methods {
                    let table = if method.name == "full" { "2" } else { "3" };
                    let place = [("model", model), ("data", data)];
                    let values = values(sheet, [&method.name, model], data, measure);
                    let published = printed([model, data, &measure.name], method);
                    let cell =
                        FigureCell::new(table, &place, &method.name, &measure.name, published);
                    sheet.mean(cell, values.as_deref())?;
                }
            }
        }
    }
    insert_ranks(&mut sheet.published)?;
    insert_ranks(&mut sheet.ours)?;
    let whole = sheet.runs.map(|runs| &runs.comparison);
    let whole = whole.filter(|all| all.n_asked == all.entries.len() && all.data.len() > 1);
    if let Some(n_sets) = whole.map(|all| all.data.len()) {
        for model in MODELS {
            summaries(sheet, model, n_sets)?;
        }
    }
    Ok(())
}

/// The shares of redundant features; the levels take the place of methods.
fn redundant(sheet: &mut Sheet<'_>) -> Result<()> {
    let title = "table 2: % of the features that are redundant in the training rows";
    sheet.panel(title, 1);
    let Some(runs) = sheet.runs.filter(|runs| !runs.comparison.is_cut_short) else {
        return Ok(());
    };
    for ((prepared, _), shares) in runs.tables.iter().zip(redundancy::shares(runs)?) {
        let place = [("data", prepared.name)];
        let levels = ["redundant_level0", "redundant_level1"]
            .into_iter()
            .enumerate();
        for (level, measure) in levels {
            let values = shares.iter().flatten().map(|share| share[level]);
            let values: Vec<f64> = values.collect();
            let published = FIGURES.figure("2", &[prepared.name], measure);
            let method = ["level 0", "level 1"][level];
            let cell = FigureCell::new("2", &place, method, measure, published);
            sheet.mean(cell, shares.as_ref().map(|_| &*values))?;
        }
    }
    Ok(())
}

/// One number of every run; percents as percents.
fn values(
    sheet: &Sheet<'_>,
    [method, model]: [&str; 2],
    data: &str,
    measure: &StudyMeasure,
) -> Option<Vec<f64>> {
    let sets = &sheet.runs?.comparison.data;
    let n_features = sets.iter().find(|set| set.name == data)?.features.len() as f64;
    let number = |run: &Run| match measure.name.as_str() {
        // What all features are cannot depend on constant ones.
        "selected" if method == "full" => Some(100.0),
        "selected" => Some(100.0 * run.kept.len() as f64 / n_features),
        "accuracy" => Some(100.0 * run.accuracy),
        _ => run.call_per_row_without_class,
    };
    sheet.values(data, &format!("{method}/{model}"), number)
}

/// What the paper prints: the full classifiers in Table 2, the others in Table 3.
fn printed([model, data, measure]: [&str; 3], method: &PaperMethod) -> Option<Figure> {
    match method.published.as_deref()? {
        "Full" => FIGURES.figure("2", &[data], &format!("{model} {measure}")),
        published => FIGURES.figure("3", &[model, data, published], measure),
    }
}

/// Table 4 for a model: means, significant wins and losses of MDL-FS, ranks.
fn summaries(sheet: &mut Sheet<'_>, model: &'static str, n_sets: usize) -> Result<()> {
    let titles = ["mean", "significant wins and losses of MDL-FS", "mean rank"];
    for (panel, title) in titles.into_iter().enumerate() {
        sheet.panel(
            format!("table 4: {title} over {n_sets} data sets, {model}"),
            2,
        );
        for measure in &FIGURES.measures {
            for method in &FIGURES.methods {
                let words = format!("{model}/{}/{}", method.name, measure.name);
                let [wins, losses] = wins(sheet, model, method, measure)?;
                let [mean_name, wins_name, losses_name, rank_name] = &measure.summaries;
                let rank = sheet.ours.get("", &format!("{words}_rank"));
                let figures = match panel {
                    0 => vec![(mean_name, "", sheet.ours.mean(&words))],
                    1 => vec![(wins_name, " wins", wins), (losses_name, " losses", losses)],
                    _ => vec![(rank_name, " rank", rank)],
                };
                for (name, column, figure) in figures {
                    let place = [("model", model), ("figure", name)];
                    let column = format!("{}{column}", measure.name);
                    let row = method.published.as_deref().map(|method| [model, method]);
                    let published = row.and_then(|row| FIGURES.figure("4", &row, &column));
                    let cell = FigureCell::new("4", &place, &method.name, name, published);
                    sheet.number(cell, figure);
                }
            }
        }
    }
    Ok(())
}

/// On how many data sets MDL-FS is significantly better than a method, and worse.
fn wins(
    sheet: &Sheet<'_>,
    model: &str,
    method: &PaperMethod,
    measure: &StudyMeasure,
) -> Result<[Option<f64>; 2]> {
    let mut counts = [None, None];
    if method.name == "mdl-fs" {
        return Ok(counts);
    }
    for data in &FIGURES.data {
        let values = |method| values(sheet, [method, model], &data.name, measure);
        let (Some(own), Some(other)) = (values("mdl-fs"), values(&method.name)) else {
            continue;
        };
        let is_win = is_win(&own, &other, measure.better())?;
        for (count, wanted) in counts.iter_mut().zip([true, false]) {
            let one = f64::from(u8::from(is_win == Some(wanted)));
            *count = Some(count.unwrap_or(0.0) + one);
        }
    }
    Ok(counts)
}

/// Whether the first values are significantly better than the second; nothing where neither
/// are.
fn is_win(own: &[f64], other: &[f64], better: Better) -> Result<Option<bool>> {
    let test = wilcoxon(own, other, Alternative::TwoSided, WilcoxonMethod::Auto)?;
    if test.p > LEVEL {
        return Ok(None);
    }
    let is_above = test.w_plus > test.w_minus;
    Ok(Some(is_above == (better == Better::Higher)))
}

/// The methods of the paper, the full classifier first.
fn of_paper() -> Vec<&'static str> {
    let methods = FIGURES.methods.iter();
    let methods = methods.filter(|method| method.published.is_some());
    methods.map(|method| &*method.name).collect()
}

/// Adds the mean ranks of the paper's methods over the data sets that have all of them: on
/// figures as they are printed, equal ones share the smallest rank.
fn insert_ranks(figures: &mut Figures) -> Result<()> {
    for (model, measure) in MODELS
        .into_iter()
        .flat_map(|model| FIGURES.measures.iter().map(move |m| (model, m)))
    {
        let words = of_paper().into_iter();
        let words = words.map(|method| format!("{model}/{method}/{}", measure.name));
        let words: Vec<String> = words.collect();
        let scale = 10_f64.powi(measure.n_printed);
        let mut sums = vec![0.0; words.len()];
        let mut n = 0.0;
        for data in FIGURES.data_names() {
            let row = words.iter().map(|words| figures.get(data, words));
            let row = row.map(|figure| Some((figure? * scale).round() / scale));
            if let Some(row) = row.collect::<Option<Vec<f64>>>() {
                let ranks = ranks(&row, measure.better(), Ties::Smallest)?;
                sums.iter_mut()
                    .zip(ranks)
                    .for_each(|(sum, rank)| *sum += rank);
                n += 1.0;
            }
        }
        if n > 0.0 {
            for (words, sum) in words.iter().zip(sums) {
                figures.insert("", &format!("{words}_rank"), sum / n);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::published_figures;
    use crate::statement::{holds, wrong};

    fn published() -> Figures {
        published_figures(&FIGURES, fill)
    }

    #[test]
    fn every_figure_of_the_tables_is_there() {
        let figures = published();
        // Two models, fifteen data sets, six methods, three measures.
        let printed = || figures.iter().filter(|(data, _, _)| !data.is_empty());
        assert_eq!(printed().count(), 2 * 15 * 6 * 3);
        // Typed right: sums of both tables, added by another program. Table 2 has 100 percent
        // of the features for 30 full classifiers besides.
        let sum = |is_full: bool| {
            let figures = printed();
            let figures = figures.filter(|(_, words, _)| words.contains("/full/") == is_full);
            figures.map(|(_, _, figure)| figure).sum::<f64>()
        };
        assert!((sum(false) - 18_702.59).abs() < 1e-6);
        let full = 1272.0 - 29.83 + 1305.0 + 18.55; // by column
        assert!((sum(true) - 3000.0 - full).abs() < 1e-6);
    }

    #[test]
    fn the_means_of_table_four_are_those_of_the_columns_but_for_slips() {
        let figures = published();
        let mut strange = Vec::new();
        for model in MODELS {
            for method in FIGURES.methods.iter().filter(|m| m.published.is_some()) {
                for measure in &FIGURES.measures {
                    let row = [model, method.published.as_deref().unwrap()];
                    let printed = FIGURES.value("4", &row, &measure.name).unwrap();
                    let words = format!("{model}/{}/{}", method.name, measure.name);
                    let mean = figures.mean(&words).unwrap();
                    let step = 10_f64.powi(-measure.n_printed);
                    if (mean - printed).abs() > 0.72 * step {
                        strange.push(words);
                    }
                }
            }
        }
        assert_eq!(
            strange,
            [
                "nb/mdl-fs/call",
                "nb/mdl/call",
                "tan/mdl-fs/selected",
                "tan/mdl-fs/call",
                "tan/mdl/selected",
            ]
        );
    }

    #[test]
    fn ranks_on_printed_figures_share_the_smallest() {
        let figures = published();
        let ranks = |model: &str, measure: &str| {
            let words = of_paper().into_iter();
            let words = words.map(|method| format!("{model}/{method}/{measure}_rank"));
            let ranks = words.map(|words| figures.get("", &words).unwrap());
            let hundredths = ranks.map(|rank| (rank * 100.0).round() / 100.0);
            hundredths.collect::<Vec<f64>>()
        };
        // Recomputed by another program; the published ones differ by up to 0.33.
        assert_eq!(ranks("nb", "selected"), [6.0, 2.2, 4.8, 2.73, 2.53, 2.07]);
        assert_eq!(ranks("nb", "call"), [5.2, 1.6, 4.6, 2.8, 2.93, 2.8]);
        assert_eq!(
            ranks("tan", "accuracy"),
            [2.27, 2.93, 2.33, 1.8, 4.27, 3.93]
        );
    }

    #[test]
    fn a_win_is_significant_and_on_the_better_side() {
        // Six pairs of one sign: exact p = 2 / 64.
        let (low, high) = ([1.0; 6], [1.1, 1.2, 1.3, 1.4, 1.5, 1.6]);
        assert_eq!(is_win(&high, &low, Better::Higher).unwrap(), Some(true));
        assert_eq!(is_win(&high, &low, Better::Lower).unwrap(), Some(false));
        assert_eq!(is_win(&low, &high, Better::Lower).unwrap(), Some(true));
        // Five pairs cannot be: 2 / 32 is above 0.05.
        assert_eq!(is_win(&high[1..], &low[1..], Better::Higher).unwrap(), None);
    }

    #[test]
    fn the_papers_methods_come_first() {
        let is_published = FIGURES
            .methods
            .iter()
            .map(|method| method.published.is_some());
        assert!(is_published.is_sorted_by(|before, after| before >= after));
        assert_eq!(of_paper()[0], "full");
    }

    #[test]
    fn the_published_figures_bear_out_what_is_said_but_for_splice() {
        let wrong = wrong(&FIGURES.sentences, &published());
        // The text names car and nursery; its table has splice too.
        let details: Vec<&str> = wrong.iter().map(|(_, detail)| &**detail).collect();
        assert_eq!(details, ["splice, car, nursery"]);
    }

    #[test]
    fn figures_of_one_data_set_are_judged_alone() {
        let mut figures = Figures::new(FIGURES.data_names());
        for (words, figure) in [
            ("nb/mdl-fs/selected", 60.0),
            ("nb/mdl/selected", 58.0),
            ("nb/mdl-fs/accuracy", 90.0),
            ("nb/mdl/accuracy", 91.5),
            ("nb/mdl-fs/call", 0.4),
            ("nb/mdl/call", 0.1),
        ] {
            figures.insert("chess", words, figure);
        }
        let of = |start| holds(&FIGURES.sentences, &figures, [start, ""]);
        assert_eq!(of("MDL-FS keeps fewer features"), Some(false));
        assert_eq!(of("MDL-FS predicts as well as MDL"), Some(false));
        assert_eq!(of("CALL is positive with MDL-FS"), Some(true));
        assert_eq!(of("CALL is positive with MDL on car"), Some(false));
        // Nothing to tell by.
        assert_eq!(of("CALL of TAN is above"), None);
        assert_eq!(of("MDL-FS costs most accuracy on car"), None);
    }
}
