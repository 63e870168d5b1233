//! MDL-FS against MDL, the wrapper by accuracy, Koller-Sahami and Hall, with naive Bayes and
//! TAN.
//!
//! Paper: Drugan and Wiering, 2010, tables 2, 3 and 4. Fifty times, two thirds of the rows are
//! drawn to learn from; probabilities are plain frequencies; CALL is that of the training rows,
//! by row, without the term of the class.

mod conclusions;
mod figures;
mod recipe;
mod redundancy;
mod tables;

use bayesieve::Result;
use bayesieve::data::split::HoldoutSize;
use bayesieve::data::{CodingOptions, Discretizer, MissingPolicy};
use bayesieve::evaluate::{Pipeline, Protocol};
use clap::Args;
use serde_json::{Map, Value, json};

use self::recipe::{DATA, METHODS, MODELS, Method, N_PUBLISHED, cut_in_training};
use self::tables::Results;
use super::comparison::{ComparisonOptions, Findings, Plan, PlannedData};
use super::options::chosen;
use super::published::Published;
use super::recipe::PaperData;

/// The published figures.
pub(super) const FIGURES: &str = include_str!("../../../../../papers/drugan2010.toml");

/// Runs of the paper, and of a first look.
const N_RUNS: u32 = 50;
const N_QUICK: u32 = 5;

/// Naive Bayes and TAN on the features that five methods keep (tables 2, 3 and 4)
///
/// Fifty times, two thirds of the rows are drawn to learn from and the others to test on. The
/// share of features that a method keeps, the accuracy of the classifier on them and its CALL
/// stand beside the published figures, then means, significant wins of MDL-FS and ranks.
#[derive(Args)]
#[command(after_help = "\
The folder, or the folder uci inside it, holds the tables as CSV files (or ARFF, Parquet, Arrow),
each with a column named class: chess, mushroom, splice, spambase, adult, car, nursery, connect-4,
german, votes, spect, pima, credit. What is not there is left out; oesoca is not public.
--quick makes 5 runs instead of 50.

Examples:
  bayesieve reproduce drugan2010 --data DIR --quick
  bayesieve reproduce drugan2010 --data DIR --datasets car,nursery --models nb
  bayesieve reproduce drugan2010 --data DIR --checkpoint run.txt --resume -o drugan2010.json")]
pub(super) struct Arguments {
    #[command(flatten)]
    shared: ComparisonOptions,

    /// Runs of every method on every data set: 50, with --quick 5
    #[arg(long, value_name = "N", conflicts_with = "quick", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    runs: Option<u32>,

    /// Only these methods: full, mdl-fs, mdl, accuracy, koller-sahami, hall (the paper's), and
    /// beyond the paper koller-sahami-min (blanket=min)
    #[arg(long, value_name = "A,B")]
    methods: Option<String>,

    /// Only these models: nb, tan
    #[arg(long, value_name = "A,B")]
    models: Option<String>,

    /// Cut numbers by the training rows of every run alone; the paper cuts them by all rows
    #[arg(long)]
    discretize_training: bool,
}

/// What was asked for.
struct Asked {
    data: Vec<PaperData>,
    methods: Vec<Method>,
    models: Vec<&'static str>,
    n_runs: u32,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let paper = Published::read(FIGURES)?;
    let asked = Asked::new(arguments)?;
    let compared = arguments.shared.compare(asked.plan(&paper)?)?;
    let redundancy = if compared.comparison.is_cut_short {
        Vec::new()
    } else {
        let seed = arguments.shared.study.seed;
        redundancy::shares(&compared.tables, asked.protocol(), seed, &compared.progress)?
    };
    let results = Results::new(&paper, &compared, (&asked.models, &asked.methods))?;
    let results = results.with_redundancy(redundancy);
    let findings = Findings {
        settings: asked.settings(),
        panels: results.panels()?,
        conclusions: results.conclusions()?,
        n_cells: 3,
        paper: paper.clone(),
    };
    arguments.shared.finish(&compared, findings)
}

impl Asked {
    fn new(arguments: &Arguments) -> Result<Self> {
        let shared = &arguments.shared;
        let data = shared.data(&DATA)?;
        let data = data.into_iter().map(|one| {
            if arguments.discretize_training {
                cut_in_training(one)
            } else {
                one
            }
        });
        let names = METHODS.map(|method| method.name);
        // Without the option those of the paper.
        let known = match arguments.methods {
            Some(_) => &names[..],
            None => &names[..N_PUBLISHED],
        };
        let methods = chosen(
            ("--methods", "method of this study"),
            arguments.methods.as_deref(),
            known,
        )?;
        let methods = METHODS.into_iter().filter(|m| methods.contains(&m.name));
        Ok(Asked {
            data: data.collect(),
            methods: methods.collect(),
            models: chosen(
                ("--models", "model of this paper"),
                arguments.models.as_deref(),
                &MODELS,
            )?,
            n_runs: match (arguments.runs, shared.quick) {
                (Some(runs), _) => runs,
                (None, true) => N_QUICK,
                (None, false) => N_RUNS,
            },
        })
    }

    fn protocol(&self) -> Protocol {
        Protocol::Holdout {
            n_runs: self.n_runs,
            size: HoldoutSize::Share {
                numerator: 2,
                denominator: 3,
            },
        }
    }

    fn plan(&self, paper: &Published) -> Result<Plan> {
        let table = paper.table("2")?;
        let coding = CodingOptions {
            missing: MissingPolicy::Value,
            discretizer: Discretizer::Mdlp,
        };
        let pipelines = self.models.iter().flat_map(|model| {
            let methods = self.methods.iter();
            methods.map(move |method| {
                Pipeline::named(&method.pipeline(model))?
                    .with_coding(coding)
                    .map(|pipeline| pipeline.with_name(format!("{}/{model}", method.name)))
            })
        });
        let data = self.data.iter().map(|&data| PlannedData {
            data,
            protocol: self.protocol(),
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
        let methods = self.methods.iter();
        let methods =
            methods.map(|method| (method.name.to_owned(), method.pipeline("MODEL").into()));
        let settings = [
            ("runs", json!(self.n_runs)),
            ("protocol", json!(self.protocol().to_string())),
            ("models", json!(self.models)),
            ("methods", Value::Object(methods.collect())),
            ("data", Value::Object(recipes.collect())),
        ];
        let settings = settings.into_iter();
        settings
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}
