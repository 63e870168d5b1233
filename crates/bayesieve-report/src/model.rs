//! The page of a trained model: what it reads, how its features hang together.

use bayesieve::classify::{Classifier, Coding, Evaluation};
use bayesieve::printable;
use bayesieve::wording::{counted, grouped};

use crate::balance::{self, most_frequent};
use crate::confusion::Confusion;
use crate::description::cut_at;
use crate::html::Html;
use crate::network::{Graph, write_graph};
use crate::page::{About, Page, card, fact, more, notes, percent, section};
use crate::table::{ColumnStyle, PageCell, PageTable};

/// Features that are listed.
const MAX_FEATURES: usize = 100;
/// Labels of a feature that are named.
const MAX_LABELS: usize = 6;

/// What the page of a model is made from.
#[derive(Debug, Clone, Copy)]
pub struct ModelReport<'a> {
    /// Where it comes from.
    pub about: &'a About,
    /// The model.
    pub model: &'a Classifier,
    /// Its settings as they were given, name and value.
    pub settings: &'a [String],
    /// How well it predicts the rows it was trained on.
    pub training: Option<&'a Evaluation>,
    /// What the reader should know.
    pub notes: &'a [String],
}

/// Writes the page of a model.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::classify::{Classifier, ModelKind, TrainOptions};
/// use bayesieve::data::{CodedTable, CodingOptions, Generator, RoleOptions, Roles};
/// use bayesieve_report::{About, ModelReport, model};
///
/// let table = Generator::Example1.generate(320, 1)?;
/// let roles = Roles::resolve(&table, &RoleOptions::default())?;
/// let coded = CodedTable::new(&table, &roles, CodingOptions::default())?;
/// let tan = Classifier::train(&coded, &TrainOptions::new(ModelKind::Tan), &Silent)?;
/// let page = model(&ModelReport {
///     about: &About { file: "example1.csv".into(), ..About::default() },
///     model: &tan,
///     settings: &[],
///     training: None,
///     notes: &[],
/// });
/// assert!(page.contains("tan predicts C from 8 features"));
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn model(report: &ModelReport<'_>) -> String {
    let model = report.model;
    let title = format!(
        "{} predicts {} from {}",
        model.options().model,
        printable(model.class_name(), 40),
        counted(model.features().len() as u64, "feature")
    );
    let mut settings = vec![("model", model.options().model.name().to_owned())];
    let given = report.settings.iter();
    let given = given.filter_map(|text| text.split_once('='));
    settings.extend(given.map(|(name, value)| (name, printable(value, 200))));
    let page = Page {
        kicker: "Bayesieve · trained model",
        title: &title,
        about: report.about,
        settings,
    };
    page.write(|html| {
        overview(html, report);
        drawing(html, model);
        features(html, model);
        section(html, "How the classes share the training rows", |html| {
            balance::write(html, model.class_name(), &counts(model));
        });
        training(html, report);
        notes(html, report.notes);
    })
}

fn counts(model: &Classifier) -> Vec<(&str, u64)> {
    let labels = model.class_labels().iter().map(String::as_str);
    labels.zip(model.class_counts().iter().copied()).collect()
}

fn overview(html: &mut Html, report: &ModelReport<'_>) {
    let model = report.model;
    html.element("p", &[("class", "soft")], |html| {
        html.name(&report.about.file);
        let n_rows = model.class_counts().iter().sum();
        html.text(&format!(": trained on {}.", counted(n_rows, "row")));
    });
    html.paragraph(model.options().model.model().explanation);
    html.division("cards", |html| {
        let n_read = grouped(model.required_features().len() as u64);
        let n_features = grouped(model.features().len() as u64);
        let figure = format!("{n_read} of {n_features}");
        let text = "features; the others may be absent from new data.";
        fact(html, "Read by prediction", &figure, text);
        let is_tree = model.network().is_none();
        let (label, text) = if is_tree {
            ("Leaves", "answers at the ends of the tree.")
        } else {
            ("Parameters", "numbers that were learned from the rows.")
        };
        let n_parameters = model.n_parameters();
        let shown = if n_parameters < 1e15 {
            grouped(n_parameters.max(0.0) as u64)
        } else {
            format!("{n_parameters:.2e}")
        };
        fact(html, label, &shown, text);
        if let Some(training) = report.training {
            let right = percent(training.accuracy());
            card(html, "Right on its own training rows", &right, |html| {
                html.paragraph("Optimistic: expect less of rows it has not seen.");
                if let Some((label, share)) = most_frequent(&counts(model)) {
                    html.sentence("Always guessing ", label, &format!(": {}.", percent(share)));
                }
            });
        }
    });
}

fn drawing(html: &mut Html, model: &Classifier) {
    let required = model.required_features();
    let is_read = |name: &str| {
        let mut places = required.iter();
        let is_read = places.any(|&place| model.features()[place].name == name);
        f64::from(u8::from(is_read))
    };
    let Some(graph) = Graph::of_model(model, is_read) else {
        return;
    };
    section(html, "How the features hang together", |html| {
        write_graph(
            html,
            &graph,
            "An arrow means that the feature at its tip is predicted from the one at its start.",
            "come first among those that prediction reads",
        );
    });
}

fn features(html: &mut Html, model: &Classifier) {
    let required = model.required_features();
    section(html, "What the model knows of every feature", |html| {
        let shown = model.features().iter().enumerate().take(MAX_FEATURES);
        let mut table = PageTable::new("Features of the model", shown);
        table.words("feature", |(_, feature)| PageCell::Name(&feature.name));
        table.column("kind", ColumnStyle::Plain, |(_, feature)| {
            match feature.coding {
                Coding::Labels(_) => "labels",
                Coding::Bins { .. } => "bins",
                Coding::Numbers => "numbers",
            }
        });
        table.words("values", |(_, feature)| values(&feature.coding));
        table.column("read by prediction", ColumnStyle::Plain, |(place, _)| {
            let is_read = required.binary_search(&place).is_ok();
            if is_read { "yes" } else { "no" }
        });
        table.write(html);
        let n = model.features().len();
        more(html, n, MAX_FEATURES, "; the model file has them all.");
    });
}

/// What the model knows of a feature's values.
fn values(coding: &Coding) -> String {
    match coding {
        Coding::Labels(domain) => labels(domain.labels()),
        Coding::Bins { cuts, .. } => {
            let cuts = cuts.as_slice();
            let n = counted(cuts.len() as u64 + 1, "bin");
            if cuts.is_empty() {
                n
            } else {
                format!("{n}, {}", cut_at(cuts))
            }
        }
        Coding::Numbers => "mean and variance by class".into(),
    }
}

fn labels(labels: &[String]) -> String {
    let shown = labels.iter().take(MAX_LABELS);
    let shown: Vec<String> = shown.map(|label| printable(label, 24)).collect();
    let rest = match labels.len().saturating_sub(MAX_LABELS) {
        0 => String::new(),
        rest => format!(" and {} more", grouped(rest as u64)),
    };
    format!(
        "{}: {}{rest}",
        grouped(labels.len() as u64),
        shown.join(", ")
    )
}

fn training(html: &mut Html, report: &ModelReport<'_>) {
    let Some(training) = report.training else {
        return;
    };
    let confusion = Confusion {
        classes: report.model.class_labels(),
        counts: &training.confusion,
    };
    if !confusion.is_whole() {
        return;
    }
    section(html, "Which class it takes for which", |html| {
        html.paragraph(
            "On the rows it was trained on, so better than on new ones: bayesieve compare, or \
             predict on rows that were set apart, says how good it really is.",
        );
        confusion.write(html);
    });
}

#[cfg(test)]
mod tests {
    use bayesieve::Silent;
    use bayesieve::classify::{ModelKind, TrainOptions};
    use bayesieve::data::{CodedTable, CodingOptions, Discretizer, Generator, RoleOptions, Roles};

    use super::*;
    use crate::testing::check;

    fn page(generator: Generator, kind: ModelKind, discretizer: Discretizer) -> String {
        let table = generator.generate(200, 1).unwrap();
        let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
        let coding = CodingOptions {
            discretizer,
            ..CodingOptions::default()
        };
        let coded = CodedTable::new(&table, &roles, coding).unwrap();
        let trained = Classifier::train(&coded, &TrainOptions::new(kind), &Silent).unwrap();
        let prediction = trained.predict(&table, &Silent).unwrap();
        let training = prediction.evaluate(&table, &trained).unwrap();
        let page = model(&ModelReport {
            about: &About::default(),
            model: &trained,
            settings: &["alpha=<script>".into()],
            training: Some(&training),
            notes: trained.notes(),
        });
        check(&page);
        page
    }

    #[test]
    fn every_model_has_a_page() {
        let kinds = [
            ModelKind::NaiveBayes,
            ModelKind::Tan,
            ModelKind::K2,
            ModelKind::Cb,
            ModelKind::Id3,
        ];
        for kind in kinds {
            let page = page(Generator::Led24, kind, Discretizer::Mdlp);
            assert!(page.contains("Optimistic"), "{kind}");
            // A tree of questions is no network.
            assert_eq!(
                page.contains("Drawing of the network"),
                kind != ModelKind::Id3
            );
        }
    }

    #[test]
    fn numbers_as_they_are_hang_on_the_class() {
        let page = page(
            Generator::Waveform40,
            ModelKind::NaiveBayes,
            Discretizer::None,
        );
        assert!(page.contains("mean and variance by class"));
        // 40 features in a frame: every one has its box, the class has one.
        assert_eq!(page.matches("<g><title>").count(), 41);
        let blocks = self::page(Generator::Waveform40, ModelKind::Block, Discretizer::None);
        assert!(blocks.contains(">block 1</text>"));
    }
}
