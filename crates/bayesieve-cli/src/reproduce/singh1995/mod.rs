//! Networks on features chosen by information, against naive Bayes, K2-AS and CB.
//!
//! Paper: Singh and Provan, 1995, tables 2 to 11. Thirty times, rows of fixed numbers are drawn
//! to learn from and to test on; two-sided paired t tests at 95 percent. Its learning curves
//! are figures without numbers, and C4.5 is not among our models: both are left out.

mod conclusions;
mod recipe;
mod tables;

use bayesieve::data::split::HoldoutSize;
use bayesieve::data::{CodingOptions, Discretizer, MissingPolicy};
use bayesieve::evaluate::{Pipeline, Protocol};
use bayesieve::{Error, Result};
use clap::Args;
use serde_json::{Map, Value, json};

use self::recipe::{DATA, METHODS, Method};
use self::tables::Results;
use super::comparison::{ComparisonOptions, Findings, Plan, PlannedData};
use super::options::chosen;
use super::published::Published;
use super::recipe::PaperData;

/// The published figures.
pub(super) const FIGURES: &str = include_str!("../../../../../papers/singh1995.toml");

/// Runs of the paper, and of a first look.
const N_RUNS: u32 = 30;
const N_QUICK: u32 = 5;

/// The one pair that the paper leaves out.
const LEFT_OUT: (&str, &str) = ("Splice", "k2-as-le");

/// Networks on features chosen by information against naive Bayes, K2-AS and CB (tables 2 to 11)
///
/// Thirty times, rows of fixed numbers are drawn to learn from and to test on. Accuracies, their
/// differences and the t of paired tests stand beside the published figures.
#[derive(Args)]
#[command(after_help = "\
The folder, or the folder uci inside it, holds the tables as CSV files (or ARFF, Parquet, Arrow),
each with a column named class: chess, votes (Voting; Voting1 is without physician-fee-freeze),
soybean-large, mushroom, splice. What is not there is left out. C4.5 and the learning curves,
which the paper has as drawings only, are left out too.
--quick makes 5 runs instead of 30.

Examples:
  bayesieve reproduce singh1995 --data DIR --quick
  bayesieve reproduce singh1995 --data DIR --datasets Voting,Voting1 --methods cb,cgr-as
  bayesieve reproduce singh1995 --data DIR --checkpoint run.txt --resume -o singh1995.json")]
pub(super) struct Arguments {
    #[command(flatten)]
    shared: ComparisonOptions,

    /// Runs of every method on every data set: 30, with --quick 5
    #[arg(long, value_name = "N", conflicts_with = "quick", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    runs: Option<u32>,

    /// Only these methods: naive-all, naive-as, k2-as, k2-as-le, cb, cig-as, cgr-as, cdc-as
    #[arg(long, value_name = "A,B")]
    methods: Option<String>,

    /// Networks in the order that the tests of CB give, the class anywhere among the features
    #[arg(long)]
    free_order: bool,
}

/// What was asked for.
struct Asked {
    data: Vec<PaperData>,
    methods: Vec<Method>,
    n_runs: u32,
    is_free: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let paper = Published::read(FIGURES)?;
    let asked = Asked::new(arguments)?;
    let compared = arguments.shared.compare(asked.plan(&paper)?)?;
    let results = Results::new(&paper, &compared, &asked.methods);
    let findings = Findings {
        settings: asked.settings(),
        panels: results.panels()?,
        conclusions: results.conclusions()?,
        n_cells: 1,
        paper: paper.clone(),
    };
    arguments.shared.finish(&compared, findings)
}

impl Asked {
    fn new(arguments: &Arguments) -> Result<Self> {
        let shared = &arguments.shared;
        let data = shared.data(&DATA)?;
        let names = METHODS.map(|method| method.name);
        let methods = chosen(
            ("--methods", "method of this study"),
            arguments.methods.as_deref(),
            &names,
        )?;
        let methods = METHODS.into_iter().filter(|m| methods.contains(&m.name));
        Ok(Asked {
            data,
            methods: methods.collect(),
            n_runs: match (arguments.runs, shared.quick) {
                (Some(runs), _) => runs,
                (None, true) => N_QUICK,
                (None, false) => N_RUNS,
            },
            is_free: arguments.free_order,
        })
    }

    fn plan(&self, paper: &Published) -> Result<Plan> {
        let coding = CodingOptions {
            missing: MissingPolicy::Value,
            discretizer: Discretizer::None,
        };
        let pipelines = self.methods.iter().map(|method| {
            Pipeline::named(&method.named(self.is_free))?
                .with_coding(coding)
                .map(|pipeline| pipeline.with_name(method.name))
        });
        let data = self.data.iter().map(|&data| self.planned(paper, data));
        let left_out = self.methods.iter().position(|m| m.name == LEFT_OUT.1);
        Ok(Plan {
            known: &DATA,
            data: data.collect::<Result<_>>()?,
            pipelines: pipelines.collect::<Result<_>>()?,
            coding,
            left_out: left_out
                .map(|place| (LEFT_OUT.0, place))
                .into_iter()
                .collect(),
        })
    }

    /// With the rows of Table 1.
    fn planned(&self, paper: &Published, data: PaperData) -> Result<PlannedData> {
        let table = paper.table("1")?;
        let value = |column| table.value(&[data.name], column);
        let rows = |column| {
            let missing = || Error::internal(format!("{} has no {column}", data.name));
            value(column).map(|n| n as usize).ok_or_else(missing)
        };
        let size = HoldoutSize::Fixed {
            train: rows("training rows")?,
            test: rows("test rows")?,
        };
        Ok(PlannedData {
            data,
            protocol: Protocol::Holdout {
                n_runs: self.n_runs,
                size,
            },
            published_size: ["rows", "features"].map(value),
        })
    }

    fn settings(&self) -> Map<String, Value> {
        let recipes = self.data.iter();
        let recipes = recipes.map(|data| (data.name.to_owned(), json!(data.recipe())));
        let methods = self.methods.iter();
        let pipeline = |method: &Method| method.named(self.is_free).into();
        let methods = methods.map(|method| (method.name.to_owned(), pipeline(method)));
        let settings = [
            ("runs", json!(self.n_runs)),
            ("methods", Value::Object(methods.collect())),
            ("data", Value::Object(recipes.collect())),
        ];
        let settings = settings.into_iter();
        settings
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}
