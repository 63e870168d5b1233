//! The figures of tables 2 and 3, published or ours, and what follows from them.

use std::collections::BTreeMap;

use bayesieve::Result;
use bayesieve::stats::{Better, Ties, ranks};

use super::super::published::{Figure, Published};
use super::recipe::{DATA, METHODS, MODELS, Method, N_PUBLISHED};

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Measure {
    /// Percent of the features that are kept.
    Selected,
    /// Percent of the test rows whose class is predicted.
    Accuracy,
    /// Conditional auxiliary log-likelihood per training row, in bits, without the term of
    /// the class.
    Call,
}

impl Measure {
    pub(super) const ALL: [Measure; 3] = [Measure::Selected, Measure::Accuracy, Measure::Call];

    pub(super) fn name(self) -> &'static str {
        match self {
            Measure::Selected => "selected",
            Measure::Accuracy => "accuracy",
            Measure::Call => "call",
        }
    }

    /// Decimals that the paper prints, for most data sets.
    fn decimals(self) -> i32 {
        match self {
            Measure::Call => 2,
            _ => 0,
        }
    }

    pub(super) fn better(self) -> Better {
        match self {
            Measure::Selected => Better::Lower,
            _ => Better::Higher,
        }
    }
}

/// Which figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) model: &'static str,
    pub(super) data: &'static str,
    pub(super) method: &'static str,
    pub(super) measure: Measure,
}

/// Mean figures.
#[derive(Debug, Clone, Default)]
pub(super) struct Figures(BTreeMap<Key, f64>);

impl Figures {
    /// All that the paper prints.
    pub(super) fn published(paper: &Published) -> Result<Self> {
        let mut figures = Figures::default();
        for key in keys() {
            if let Some(figure) = printed(paper, key)? {
                figures.insert(key, figure.value);
            }
        }
        Ok(figures)
    }

    pub(super) fn insert(&mut self, key: Key, figure: f64) {
        self.0.insert(key, figure);
    }

    pub(super) fn get(&self, key: Key) -> Option<f64> {
        self.0.get(&key).copied()
    }

    /// By data set, where both methods have the measure with this model.
    pub(super) fn pairs(
        &self,
        (model, measure): (&'static str, Measure),
        methods: [&'static str; 2],
    ) -> Vec<(&'static str, [f64; 2])> {
        let pairs = DATA.iter().filter_map(|data| {
            let figure = |method| {
                self.get(Key {
                    model,
                    data: data.name,
                    method,
                    measure,
                })
            };
            let [a, b] = methods.map(figure);
            Some((data.name, [a?, b?]))
        });
        pairs.collect()
    }

    /// The mean over the data sets; nothing without any.
    pub(super) fn mean(
        &self,
        model: &'static str,
        method: &'static str,
        measure: Measure,
    ) -> Option<f64> {
        let pairs = self.pairs((model, measure), [method, method]);
        let n = pairs.len() as f64;
        (!pairs.is_empty()).then(|| pairs.iter().map(|(_, [x, _])| x).sum::<f64>() / n)
    }

    /// The mean ranks of the paper's methods over the data sets that have all of them: on
    /// figures as they are printed, equal ones share the smallest rank.
    pub(super) fn mean_ranks(
        &self,
        model: &'static str,
        measure: Measure,
    ) -> Result<Vec<(&'static str, f64)>> {
        let methods = || METHODS[..N_PUBLISHED].iter();
        let mut sums = [0.0; N_PUBLISHED];
        let mut n = 0.0;
        for data in &DATA {
            let figure = |method: &Method| {
                let figure = self.get(Key {
                    model,
                    data: data.name,
                    method: method.name,
                    measure,
                });
                figure.map(|figure| rounded(figure, measure.decimals()))
            };
            let Some(row) = methods().map(figure).collect::<Option<Vec<f64>>>() else {
                continue;
            };
            let ranks = ranks(&row, measure.better(), Ties::Smallest)?;
            sums.iter_mut()
                .zip(ranks)
                .for_each(|(sum, rank)| *sum += rank);
            n += 1.0;
        }
        let means = methods().zip(sums);
        let means = means.map(|(method, sum)| (method.name, sum / n));
        Ok(means.filter(|(_, mean)| mean.is_finite()).collect())
    }
}

fn rounded(figure: f64, decimals: i32) -> f64 {
    let scale = 10_f64.powi(decimals);
    (figure * scale).round() / scale
}

/// All figures that tables 2 and 3 could have.
pub(super) fn keys() -> impl Iterator<Item = Key> {
    let keys = MODELS.into_iter().flat_map(|model| {
        let data = DATA.iter().map(move |data| (model, data.name));
        data.flat_map(|(model, data)| {
            let methods = METHODS[..N_PUBLISHED].iter();
            methods.map(move |method| (model, data, method.name))
        })
    });
    keys.flat_map(|(model, data, method)| {
        Measure::ALL.map(|measure| Key {
            model,
            data,
            method,
            measure,
        })
    })
}

/// What the paper prints: the full classifiers in Table 2, the others in Table 3. The full
/// ones have all features.
pub(super) fn printed(paper: &Published, key: Key) -> Result<Option<Figure>> {
    let method = METHODS.iter().find(|method| method.name == key.method);
    let Some(published) = method.and_then(|method| method.published) else {
        return Ok(None);
    };
    if published != "Full" {
        let table = paper.table("3")?;
        return Ok(table.figure(&[key.model, key.data, published], key.measure.name()));
    }
    Ok(match key.measure {
        Measure::Selected => Some(Figure {
            value: 100.0,
            sd: None,
        }),
        measure => {
            let column = format!("{} {}", key.model, measure.name());
            paper.table("2")?.figure(&[key.data], &column)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::FIGURES;
    use super::*;

    fn published() -> (Published, Figures) {
        let paper = Published::read(FIGURES).unwrap();
        let figures = Figures::published(&paper).unwrap();
        (paper, figures)
    }

    #[test]
    fn every_figure_of_the_tables_is_there() {
        let (_, figures) = published();
        // Two models, fifteen data sets, six methods, three measures.
        assert_eq!(figures.0.len(), 2 * 15 * 6 * 3);
        // Typed right: sums of both tables, added by another program. Table 2 has 100 percent
        // of the features for 30 full classifiers besides.
        let sum = |of: fn(&Key) -> bool| {
            let figures = figures.0.iter().filter(|(key, _)| of(key));
            figures.map(|(_, figure)| figure).sum::<f64>()
        };
        assert!((sum(|key| key.method != "full") - 18_702.59).abs() < 1e-6);
        let full = 1272.0 - 29.83 + 1305.0 + 18.55; // by column
        assert!((sum(|key| key.method == "full") - 3000.0 - full).abs() < 1e-6);
    }

    #[test]
    fn the_means_of_table_four_are_those_of_the_columns_but_for_slips() {
        let (paper, figures) = published();
        let table = paper.table("4").unwrap();
        let mut strange = Vec::new();
        for model in MODELS {
            for method in &METHODS[..N_PUBLISHED] {
                for measure in Measure::ALL {
                    let row = [model, method.published.unwrap()];
                    let printed = table.value(&row, measure.name()).unwrap();
                    let mean = figures.mean(model, method.name, measure).unwrap();
                    let step = 10_f64.powi(-measure.decimals());
                    if (mean - printed).abs() > 0.72 * step {
                        strange.push((model, method.name, measure.name()));
                    }
                }
            }
        }
        assert_eq!(
            strange,
            [
                ("nb", "mdl-fs", "call"),
                ("nb", "mdl", "call"),
                ("tan", "mdl-fs", "selected"),
                ("tan", "mdl-fs", "call"),
                ("tan", "mdl", "selected"),
            ]
        );
    }

    #[test]
    fn ranks_on_printed_figures_share_the_smallest() {
        let (_, figures) = published();
        let ranks = |model, measure| {
            let ranks = figures.mean_ranks(model, measure).unwrap();
            let hundredths = ranks.iter().map(|(_, rank)| (rank * 100.0).round() / 100.0);
            hundredths.collect::<Vec<f64>>()
        };
        // Recomputed by another program; the published ones differ by up to 0.33.
        let nb = MODELS[0];
        assert_eq!(
            ranks(nb, Measure::Selected),
            [6.0, 2.2, 4.8, 2.73, 2.53, 2.07]
        );
        assert_eq!(ranks(nb, Measure::Call), [5.2, 1.6, 4.6, 2.8, 2.93, 2.8]);
        assert_eq!(
            ranks(MODELS[1], Measure::Accuracy),
            [2.27, 2.93, 2.33, 1.8, 4.27, 3.93]
        );
    }
}
