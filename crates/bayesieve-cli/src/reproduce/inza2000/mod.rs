//! FSS-EBNA with naive Bayes and ID3 against all features.
//!
//! Paper: Inza, Larrañaga, Etxeberria and Sierra, 2000, tables 2 to 6. Five times two halves;
//! numbers stay numbers: normal within a class for naive Bayes, cut in two by ID3.

mod conclusions;
mod recipe;
mod tables;

use bayesieve::Result;
use bayesieve::data::{CodingOptions, Discretizer, MissingPolicy};
use bayesieve::evaluate::{Pipeline, Protocol};
use clap::Args;
use serde_json::{Map, Value, json};

use self::recipe::{DATA, MODELS, Model, SIDES};
use self::tables::Results;
use super::comparison::{ComparisonOptions, Findings, Plan, PlannedData};
use super::options::chosen;
use super::published::Published;
use super::recipe::PaperData;

/// The published figures.
pub(super) const FIGURES: &str = include_str!("../../../../../papers/inza2000.toml");

/// Replications of a first look.
const N_QUICK: u32 = 2;

/// FSS-EBNA with naive Bayes and ID3 against all features (tables 2 to 6)
///
/// Five times the rows are halved; on each half features are chosen and a model is trained, the
/// other half tests it. Accuracies, the p of the 5x2cv F test, numbers of features and the
/// generations in which searches stop stand beside the published figures.
#[derive(Args)]
#[command(after_help = "\
The folder, or the folder uci inside it, holds the tables as CSV files (or ARFF, Parquet, Arrow),
each with a column named class: ionosphere, horse-colic, anneal, segment (the paper's Image),
sick-euthyroid, chess. What is not there is left out; LED24 and Redundant21 are generated.
--quick makes 2 of the 5 replications; the F test needs all.

Examples:
  bayesieve reproduce inza2000 --data DIR --models nb
  bayesieve reproduce inza2000 --data DIR --quick --datasets LED24,Redundant21
  bayesieve reproduce inza2000 --data DIR --checkpoint run.txt --resume -o inza2000.json")]
pub(super) struct Arguments {
    #[command(flatten)]
    shared: ComparisonOptions,

    /// Only these models: nb, id3
    #[arg(long, value_name = "A,B")]
    models: Option<String>,

    /// Sets that live at a time: 1000 in the paper
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=100_000))]
    population: u32,
}

/// What was asked for.
struct Asked {
    data: Vec<PaperData>,
    models: Vec<Model>,
    protocol: Protocol,
    population: u32,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let paper = Published::read(FIGURES)?;
    let asked = Asked::new(arguments)?;
    let compared = arguments.shared.compare(asked.plan(&paper)?)?;
    let results = Results {
        paper: &paper,
        compared: &compared,
        models: &asked.models,
        population: u64::from(asked.population),
    };
    let findings = Findings {
        settings: asked.settings(),
        panels: results.panels()?,
        conclusions: results.conclusions()?,
        n_cells: 2,
        paper: paper.clone(),
    };
    arguments.shared.finish(&compared, findings)
}

impl Asked {
    fn new(arguments: &Arguments) -> Result<Self> {
        let shared = &arguments.shared;
        let data = shared.data(&DATA)?;
        let names = MODELS.map(|model| model.name);
        let models = chosen(
            ("--models", "model of this paper"),
            arguments.models.as_deref(),
            &names,
        )?;
        let models = MODELS.into_iter().filter(|m| models.contains(&m.name));
        Ok(Asked {
            data,
            models: models.collect(),
            protocol: if shared.quick {
                // The first replications of the paper's five.
                Protocol::CrossValidation {
                    n_folds: 2,
                    n_runs: N_QUICK,
                }
            } else {
                Protocol::FiveByTwo
            },
            population: arguments.population,
        })
    }

    fn plan(&self, paper: &Published) -> Result<Plan> {
        let coding = CodingOptions {
            missing: MissingPolicy::Value,
            discretizer: Discretizer::None,
        };
        let table = paper.table("1")?;
        let pipelines = self.models.iter().flat_map(|model| {
            SIDES.map(|side| {
                Pipeline::named(&model.pipeline(side, self.population))?
                    .with_coding(coding)
                    .map(|pipeline| pipeline.with_name(format!("{side}/{}", model.name)))
            })
        });
        let data = self.data.iter().map(|&data| PlannedData {
            data,
            protocol: self.protocol,
            published_size: ["rows", "features"].map(|column| table.value(&[data.name], column)),
        });
        Ok(Plan {
            known: &DATA,
            data: data.collect(),
            pipelines: pipelines.collect::<Result<_>>()?,
            coding,
            left_out: Vec::new(),
        })
    }

    fn settings(&self) -> Map<String, Value> {
        let recipes = self.data.iter();
        let recipes = recipes.map(|data| (data.name.to_owned(), json!(data.recipe())));
        let methods = self.models.iter().flat_map(|model| {
            SIDES.map(|side| {
                let pipeline = model.pipeline(side, self.population);
                (format!("{side}/{}", model.name), pipeline.into())
            })
        });
        let settings = [
            ("protocol", json!(self.protocol.to_string())),
            ("population", json!(self.population)),
            ("methods", Value::Object(methods.collect())),
            ("data", Value::Object(recipes.collect())),
        ];
        let settings = settings.into_iter();
        settings
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}
