//! What the paper says about its tables.

use bayesieve::Result;

use super::super::statement::Statement;
use super::figures::{Figures, Key, Measure};
use super::recipe::{DATA, METHODS, MODELS, N_PUBLISHED};

/// Figures that differ by less than half of the last printed digit are equal.
const EQUAL_CALL: f64 = 0.005;
const EQUAL_PERCENT: f64 = 0.5;

/// The paper's statements, put to some figures.
pub(super) fn statements(figures: &Figures) -> Result<Vec<Statement>> {
    let mut statements = Vec::new();
    for model in MODELS {
        statements.push(keeps_no_more(figures, model));
        statements.push(predicts_alike(figures, model));
    }
    statements.extend(signs_of_call(figures));
    statements.extend(trees_against_naive(figures));
    statements.push(better_than_full(figures));
    statements.extend(MODELS.map(|model| wrapper_predicts_best(figures, model)));
    for model in MODELS {
        statements.extend(places(figures, model)?);
    }
    statements.push(most_is_lost_on_car(figures));
    statements.extend(features_of_the_example(figures));
    Ok(statements)
}

/// `naive Bayes` or `TAN`.
fn named(model: &str) -> &str {
    match model {
        "nb" => "naive Bayes",
        _ => "TAN",
    }
}

fn cases(
    pairs: &[(&'static str, [f64; 2])],
    holds: impl Fn(f64, f64) -> bool,
) -> Vec<(&'static str, bool)> {
    let cases = pairs.iter().map(|&(data, [a, b])| (data, holds(a, b)));
    cases.collect()
}

fn keeps_no_more(figures: &Figures, model: &'static str) -> Statement {
    let pairs = figures.pairs((model, Measure::Selected), ["mdl-fs", "mdl"]);
    let text = format!(
        "MDL-FS keeps fewer features than MDL or as many, {}",
        named(model)
    );
    Statement::of_all(text, &cases(&pairs, |fs, mdl| fs <= mdl + 1e-9))
}

fn predicts_alike(figures: &Figures, model: &'static str) -> Statement {
    let mean = |method| figures.mean(model, method, Measure::Accuracy);
    let text = format!(
        "MDL-FS predicts as well as MDL on average, to one percent, {}",
        named(model)
    );
    Statement::of_numbers(text, [mean("mdl-fs"), mean("mdl")], |fs, mdl| {
        (fs - mdl).abs() <= 1.0
    })
}

fn signs_of_call(figures: &Figures) -> Vec<Statement> {
    let call = |model, method| figures.pairs((model, Measure::Call), [method, method]);
    let both = |model, methods| figures.pairs((model, Measure::Call), methods);
    vec![
        Statement::of_all(
            "CALL is positive with MDL-FS, naive Bayes",
            &cases(&call("nb", "mdl-fs"), |fs, _| fs > 0.0),
        ),
        Statement::of_exactly(
            "CALL is positive with MDL on car and nursery alone, naive Bayes",
            &cases(&call("nb", "mdl"), |mdl, _| mdl > 0.0),
            &["car", "nursery"],
        ),
        Statement::of_all(
            "CALL with MDL-FS is below that with MDL or equal, TAN",
            &cases(&both("tan", ["mdl-fs", "mdl"]), |fs, mdl| {
                fs <= mdl + EQUAL_CALL
            }),
        ),
        Statement::of_all(
            "CALL is positive with all features, TAN",
            &cases(&call("tan", "full"), |full, _| full > 0.0),
        ),
        Statement::of_exactly(
            "CALL is positive with all features on car and nursery alone, naive Bayes",
            &cases(&call("nb", "full"), |full, _| full > 0.0),
            &["car", "nursery"],
        ),
    ]
}

/// The full classifiers: TAN against naive Bayes.
fn trees_against_naive(figures: &Figures) -> Vec<Statement> {
    let both = |measure| {
        let pairs = DATA.iter().filter_map(|data| {
            let of = |model| {
                figures.get(Key {
                    model,
                    data: data.name,
                    method: "full",
                    measure,
                })
            };
            Some((data.name, [of("nb")?, of("tan")?]))
        });
        pairs.collect::<Vec<_>>()
    };
    vec![
        Statement::of_all(
            "CALL of TAN is above that of naive Bayes, all features",
            &cases(&both(Measure::Call), |nb, tan| tan > nb),
        ),
        Statement::of_exactly(
            "naive Bayes predicts better than TAN on splice, german and credit alone, all features",
            &cases(&both(Measure::Accuracy), |nb, tan| nb > tan + EQUAL_PERCENT),
            &["splice", "german", "credit"],
        ),
    ]
}

fn better_than_full(figures: &Figures) -> Statement {
    let pairs = figures.pairs(("nb", Measure::Accuracy), ["mdl-fs", "full"]);
    let named = ["artif", "chess", "spam"];
    let pairs: Vec<_> = pairs
        .into_iter()
        .filter(|(data, _)| named.contains(data))
        .collect();
    Statement::of_all(
        "MDL-FS predicts better than all features on artif, chess and spam, naive Bayes",
        &cases(&pairs, |fs, full| fs > full),
    )
}

fn wrapper_predicts_best(figures: &Figures, model: &'static str) -> Statement {
    let mean = |method| figures.mean(model, method, Measure::Accuracy);
    let others = METHODS[1..N_PUBLISHED].iter().map(|method| method.name);
    let others = others.filter(|&method| method != "accuracy");
    let cases: Option<Vec<(&str, bool)>> = others
        .map(|method| Some((method, mean("accuracy")? >= mean(method)?)))
        .collect();
    let text = format!(
        "no other selection predicts better than the wrapper on average, {}",
        named(model)
    );
    Statement::of_all(text, &cases.unwrap_or_default())
}

/// The places of MDL-FS among the selections, by mean ranks.
fn places(figures: &Figures, model: &'static str) -> Result<Vec<Statement>> {
    let place = |measure: Measure| -> Result<Option<(usize, String)>> {
        let ranks = figures.mean_ranks(model, measure)?;
        // The full classifier is no selection.
        let mut ranks: Vec<(&str, f64)> = ranks.into_iter().skip(1).collect();
        ranks.sort_by(|a, b| a.1.total_cmp(&b.1));
        let shown: Vec<String> = ranks.iter().map(|(m, r)| format!("{m} {r:.2}")).collect();
        let own = ranks.iter().find(|(method, _)| *method == "mdl-fs");
        let n_before = own.map(|own| ranks.iter().filter(|other| other.1 < own.1 - 1e-9).count());
        Ok(n_before.map(|n| (n + 1, shown.join(", "))))
    };
    let statement = |text: String, measure, most: usize| -> Result<Statement> {
        let place = place(measure)?;
        Ok(Statement {
            text,
            holds: place.as_ref().map(|(place, _)| *place <= most),
            detail: place.map_or_else(|| "–".into(), |(_, shown)| shown),
        })
    };
    let model_name = named(model);
    let (word, most) = if model == "nb" {
        ("first", 1)
    } else {
        ("second", 2)
    };
    Ok(vec![
        statement(
            format!("MDL-FS is second or better of the selections by features, {model_name}"),
            Measure::Selected,
            2,
        )?,
        statement(
            format!("MDL-FS is {word} or better of the selections by CALL, {model_name}"),
            Measure::Call,
            most,
        )?,
    ])
}

fn most_is_lost_on_car(figures: &Figures) -> Statement {
    let mut losses = figures.pairs(("tan", Measure::Accuracy), ["full", "mdl-fs"]);
    let has_car = losses.iter().any(|(data, _)| *data == "car");
    losses.sort_by(|(_, [a, b]), (_, [c, d])| (c - d).total_cmp(&(a - b)));
    let worst = losses.first().filter(|_| has_car);
    Statement {
        text: "MDL-FS costs most accuracy on car, TAN".into(),
        holds: worst.map(|(data, _)| *data == "car"),
        detail: worst.map_or("–".into(), |(data, [full, fs])| {
            format!("{data}, {full:.1} to {fs:.1}")
        }),
    }
}

/// {A2, A6} of eight with naive Bayes, {A1, A2, A4, A6} with TAN.
fn features_of_the_example(figures: &Figures) -> Vec<Statement> {
    let statement = |(model, wanted): (&'static str, f64)| {
        let key = Key {
            model,
            data: "artif",
            method: "mdl-fs",
            measure: Measure::Selected,
        };
        let text = format!(
            "MDL-FS keeps {wanted:.0} % of the features of artif, {}",
            named(model)
        );
        Statement::of_numbers(text, [figures.get(key), Some(wanted)], |kept, wanted| {
            (kept - wanted).abs() < EQUAL_PERCENT
        })
    };
    [("nb", 25.0), ("tan", 50.0)].map(statement).into()
}

#[cfg(test)]
mod tests {
    use super::super::super::published::Published;
    use super::super::FIGURES;
    use super::*;

    fn holds(statements: &[Statement], start: &str) -> Option<bool> {
        let found = statements.iter().find(|one| one.text.starts_with(start));
        found.unwrap_or_else(|| panic!("{start}")).holds
    }

    #[test]
    fn the_published_figures_bear_out_what_is_said_but_for_splice() {
        let paper = Published::read(FIGURES).unwrap();
        let statements = statements(&Figures::published(&paper).unwrap()).unwrap();
        let wrong = statements.iter().filter(|one| one.holds != Some(true));
        let wrong: Vec<&str> = wrong.map(|one| one.detail.as_str()).collect();
        // The text names car and nursery; its table has splice too.
        assert_eq!(wrong, ["splice, car, nursery"]);
        assert_eq!(
            statements[0].text,
            "MDL-FS keeps fewer features than MDL or as many, naive Bayes"
        );
        assert_eq!(statements[0].detail, "15 of 15");
    }

    #[test]
    fn figures_of_one_data_set_are_judged_alone() {
        let mut figures = Figures::default();
        let mut insert = |method, measure, figure| {
            let (model, data) = ("nb", "chess");
            let key = Key {
                model,
                data,
                method,
                measure,
            };
            figures.insert(key, figure);
        };
        insert("mdl-fs", Measure::Selected, 60.0);
        insert("mdl", Measure::Selected, 58.0);
        insert("mdl-fs", Measure::Accuracy, 90.0);
        insert("mdl", Measure::Accuracy, 91.5);
        insert("mdl-fs", Measure::Call, 0.4);
        insert("mdl", Measure::Call, 0.1);
        let statements = statements(&figures).unwrap();
        let of = |start| holds(&statements, start);
        assert_eq!(of("MDL-FS keeps fewer features"), Some(false));
        assert_eq!(of("MDL-FS predicts as well as MDL"), Some(false));
        assert_eq!(of("CALL is positive with MDL-FS"), Some(true));
        assert_eq!(of("CALL is positive with MDL on car"), Some(false));
        // Nothing to tell by.
        assert_eq!(of("CALL of TAN is above"), None);
        assert_eq!(of("MDL-FS costs most accuracy on car"), None);
    }
}
