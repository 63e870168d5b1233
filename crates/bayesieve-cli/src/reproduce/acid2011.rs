//! Markov boundaries: mRMR and RPDMB on samples of six networks.
//!
//! Paper: Acid, de Campos and Fernández, 2011, Table II.

use std::path::PathBuf;
use std::time::Instant;

use bayesieve::evaluate::{
    BoundaryCell, BoundaryLearner, BoundaryStudy, Conducted, Recovery, conduct,
};
use bayesieve::network::{Network, read_network};
use bayesieve::search::Limits;
use bayesieve::stats::mean_sd;
use bayesieve::wording::counted;
use bayesieve::{Error, Result};
use clap::Args;
use serde_json::{Map, Value, json};

use super::options::{CheckpointOptions, DataFolder, Outcome, StudyOptions, Times, chosen};
use super::published::Published;
use super::reproduction::{Cell, Layout, Panel, Reproduction};

/// The published figures.
pub(super) const FIGURES: &str = include_str!("../../../../papers/acid2011.toml");

/// The folder inside that of the data where networks may be.
const FOLDER: &str = "networks";

/// Markov boundaries learned from samples of six networks (mRMR, RPDMB)
///
/// Every node of a network is the class in turn; the boundary that a method finds in a sample
/// is compared with the true one, and F is averaged over nodes and samples.
#[derive(Args)]
#[command(after_help = "\
The folder, or the folder networks inside it, holds alarm.bif, barley.bif, boblo.bif,
hailfinder.bif, insurance.bif and pigs.bif; only those asked for are needed.

Examples:
  bayesieve reproduce acid2011 --data DIR
  bayesieve reproduce acid2011 --data DIR --networks alarm,pigs --sizes 100,10000 --methods mrmr")]
pub(super) struct Arguments {
    #[command(flatten)]
    folder: DataFolder,

    #[command(flatten)]
    checkpoint: CheckpointOptions,

    #[command(flatten)]
    study: StudyOptions,

    /// Only these networks: alarm, barley, boblo, hailfinder, insurance, pigs
    #[arg(long, value_name = "A,B")]
    networks: Option<String>,

    /// Only samples of so many rows: 100, 200, 500, 1000, 10000
    #[arg(long, value_name = "N,M")]
    sizes: Option<String>,

    /// Samples of every size
    #[arg(
        long,
        default_value_t = 5,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=10_000)
    )]
    samples: u32,

    /// Only these methods: mrmr, rpdmb (the paper's), and beyond the paper rpdmb-link (children
    /// go by their link to the class alone), rpdmb-smart (pruning=smart), iamb
    #[arg(long, value_name = "A,B")]
    methods: Option<String>,
}

/// What to compute.
struct Plan {
    paper: Published,
    networks: Vec<String>,
    sizes: Vec<usize>,
    learners: Vec<BoundaryLearner>,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let plan = Plan::new(arguments)?;
    let files = plan.files(&arguments.folder)?;
    let precious = plan.precious(&arguments.folder)?;
    let checkpoint = &arguments.checkpoint;
    let progress = arguments.study.start(&precious, &[checkpoint.output()])?;
    let checkpoint = checkpoint.open()?;

    let start = Instant::now();
    progress.stage("reading");
    let networks: Vec<Network> = files
        .iter()
        .map(|file| read_network(file))
        .collect::<Result<_>>()?;
    let read = start.elapsed();
    let mut warnings = plan.strangers(&networks)?;

    let start = Instant::now();
    let cells = plan.cells();
    let n_nodes: Vec<usize> = networks
        .iter()
        .map(|network| network.dag().n_nodes())
        .collect();
    let networks = plan.networks.iter().cloned().zip(networks).collect();
    let n_samples = arguments.samples as usize;
    let study = BoundaryStudy::new(networks, cells.clone(), n_samples, arguments.study.seed);
    let conducted = conduct(&study, checkpoint.as_ref(), &Limits::new(&progress))?;
    drop(progress);

    warnings.extend(notes(&conducted));
    let found = plan.found(&cells, &n_nodes, &conducted)?;
    let reproduction = Reproduction {
        settings: plan.settings(n_samples),
        seed: arguments.study.seed,
        measure: "f",
        n_units: found.iter().map(|cell| cell.n_units).sum(),
        panels: vec![Plan::panel(found)],
        conclusions: Vec::new(),
        n_asked: cells.len(),
        is_cut_short: conducted.is_cut_short,
        warnings,
        paper: plan.paper,
    };
    let outcome = Outcome::of(reproduction, Times { read, start })?;
    arguments.study.finish(&outcome)
}

impl Plan {
    fn new(arguments: &Arguments) -> Result<Self> {
        let paper = Published::read(FIGURES)?;
        let table = paper.table("II")?;
        let networks: Vec<&str> = table.columns.iter().map(String::as_str).collect();
        let networks = chosen(
            ("--networks", "network of this paper"),
            arguments.networks.as_deref(),
            &networks,
        )?;
        let sizes = chosen(
            ("--sizes", "size of this paper"),
            arguments.sizes.as_deref(),
            &table.words(0),
        )?;
        let sizes = sizes.iter().map(|size| {
            let size = size.parse();
            size.map_err(|_| Error::internal("a published size is no number"))
        });
        let sizes: Vec<usize> = sizes.collect::<Result<_>>()?;
        let known = BoundaryLearner::ALL.map(BoundaryLearner::name);
        let methods = chosen(
            ("--methods", "method of this study"),
            arguments.methods.as_deref(),
            &known,
        )?;
        let learners = BoundaryLearner::ALL.into_iter();
        Ok(Plan {
            networks: networks.iter().map(|&name| name.to_owned()).collect(),
            sizes,
            learners: learners
                .filter(|learner| methods.contains(&learner.name()))
                .collect(),
            paper,
        })
    }

    /// The file of every network.
    fn files(&self, folder: &DataFolder) -> Result<Vec<PathBuf>> {
        let names = self.networks.iter();
        names.map(|name| file(folder, name)).collect()
    }

    /// The paper's files, asked for or not: nothing may be written over them.
    fn precious(&self, folder: &DataFolder) -> Result<Vec<PathBuf>> {
        let names = &self.paper.table("II")?.columns;
        let files = names.iter().map(|name| file(folder, name));
        Ok(files.filter_map(Result::ok).collect())
    }

    /// What is not as in the paper's Table I.
    fn strangers(&self, networks: &[Network]) -> Result<Vec<String>> {
        let table = self.paper.table("I")?;
        let strange = self
            .networks
            .iter()
            .zip(networks)
            .filter_map(|(name, network)| {
                let dag = network.dag();
                let ours = [dag.n_nodes(), dag.n_arcs()];
                let theirs = ["nodes", "arcs"].map(|column| table.value(&[name], column));
                let is_same = theirs == ours.map(|n| Some(n as f64));
                let size = |[nodes, arcs]: [u64; 2]| {
                    format!("{} and {}", counted(nodes, "node"), counted(arcs, "arc"))
                };
                (!is_same).then(|| {
                    let ours = size(ours.map(|n| n as u64));
                    let theirs = size(theirs.map(|n| n.unwrap_or_default() as u64));
                    format!("{name}.bif has {ours}; the paper's network has {theirs}")
                })
            });
        Ok(strange.collect())
    }

    /// By network, then size, then method.
    fn cells(&self) -> Vec<BoundaryCell> {
        let mut cells = Vec::new();
        for network in 0..self.networks.len() {
            for &n_rows in &self.sizes {
                cells.extend(self.learners.iter().map(|&learner| BoundaryCell {
                    network,
                    n_rows,
                    learner,
                }));
            }
        }
        cells
    }

    fn settings(&self, n_samples: usize) -> Map<String, Value> {
        let methods: Vec<String> = self.learners.iter().map(ToString::to_string).collect();
        let settings = json!({
            "networks": self.networks,
            "sizes": self.sizes,
            "samples": n_samples,
            "methods": methods,
        });
        match settings {
            Value::Object(settings) => settings,
            _ => Map::new(),
        }
    }

    /// What people see.
    fn panel(cells: Vec<Cell>) -> Panel {
        let has_errors = cells.iter().any(|cell| cell.standard_error.is_some());
        let about = if has_errors {
            " ± its standard error"
        } else {
            ""
        };
        Panel {
            title: format!("mean f{about}"),
            layout: Layout::Wide,
            cells,
        }
    }

    /// The cells that were finished, beside the published ones.
    fn found(
        &self,
        cells: &[BoundaryCell],
        n_nodes: &[usize],
        conducted: &Conducted<Recovery>,
    ) -> Result<Vec<Cell>> {
        let table = self.paper.table("II")?;
        let finished = cells.iter().zip(&conducted.groups);
        let finished = finished.filter_map(|(cell, samples)| Some((cell, samples.as_ref()?)));
        finished
            .map(|(cell, samples)| {
                let network = &self.networks[cell.network];
                let row = [&cell.n_rows.to_string(), cell.learner.name()];
                let mean = |part: fn(&Recovery) -> f64| {
                    mean_sd(&samples.iter().map(part).collect::<Vec<f64>>())
                };
                let f = mean(|sample| sample.f)?;
                let n_samples = samples.len();
                Ok(Cell {
                    table: "II",
                    measure: "f",
                    place: vec![("network", json!(network)), ("rows", json!(cell.n_rows))],
                    method: cell.learner.name(),
                    value: f.mean,
                    sd: f.sd,
                    standard_error: f.sd.map(|sd| sd / (n_samples as f64).sqrt()),
                    others: vec![
                        ("precision", mean(|sample| sample.precision)?.mean),
                        ("recall", mean(|sample| sample.recall)?.mean),
                    ],
                    published: table.figure(&row, network),
                    n_units: n_samples * n_nodes[cell.network],
                })
            })
            .collect()
    }
}

/// The file of a network.
fn file(folder: &DataFolder, network: &str) -> Result<PathBuf> {
    folder.find(FOLDER, &format!("{network}.bif"))
}

/// What the user should know about how the run went.
fn notes(conducted: &Conducted<Recovery>) -> Vec<String> {
    let mut notes = conducted.warnings.clone();
    if conducted.n_resumed > 0 {
        let samples = counted(conducted.n_resumed as u64, "sample");
        notes.push(format!("{samples} came from the checkpoint"));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_table_has_sixty_figures_and_rpdmb_ahead_in_25_of_30() {
        let paper = Published::read(FIGURES).unwrap();
        let table = paper.table("II").unwrap();
        let (mut n, mut n_ahead) = (0, 0);
        for size in table.words(0) {
            for network in &table.columns {
                let value = |method| table.value(&[size, method], network).unwrap();
                let (mrmr, rpdmb) = (value("mrmr"), value("rpdmb"));
                assert!((0.0..=1.0).contains(&mrmr) && (0.0..=1.0).contains(&rpdmb));
                n += 2;
                n_ahead += usize::from(rpdmb > mrmr);
            }
        }
        assert_eq!((n, n_ahead), (60, 25));
        // Typed right: the sum of all figures, added by another program.
        let rows = table.words(0).into_iter().flat_map(|size| {
            ["mrmr", "rpdmb"].map(|method| {
                let values = table
                    .columns
                    .iter()
                    .map(|c| table.value(&[size, method], c));
                values.flatten().sum::<f64>()
            })
        });
        assert!((rows.sum::<f64>() - 32.6471).abs() < 1e-9);
    }

    #[test]
    fn the_papers_units_are_fifteen_thousand_eight_hundred_a_method() {
        // (37 + 48 + 23 + 56 + 27 + 441) nodes x 5 sizes x 5 samples.
        let paper = Published::read(FIGURES).unwrap();
        let (networks, table) = (paper.table("I").unwrap(), paper.table("II").unwrap());
        let nodes = table
            .columns
            .iter()
            .map(|name| networks.value(&[name], "nodes"));
        let n_nodes: f64 = nodes.flatten().sum();
        assert_eq!(n_nodes * table.words(0).len() as f64 * 5.0, 15_800.0);
    }
}
