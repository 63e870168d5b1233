//! Markov boundaries: mRMR and RPDMB on samples of six networks.
//!
//! Paper: Acid, de Campos and Fernández, 2011, Table II.

use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Instant;

use bayesieve::document::Seconds;
use bayesieve::evaluate::{
    BoundaryCell, BoundaryLearner, BoundaryStudy, Conducted, Recovery, conduct,
};
use bayesieve::network::{Network, read_network};
use bayesieve::search::Limits;
use bayesieve::wording::counted;
use bayesieve::{Error, Observer, Result, printable};
use serde_json::{Value, json};

use crate::comparison::resumed;
use crate::outcome::{PaperOutcome, PaperRun, object};
use crate::published::Published;
use crate::request::{OpenCheckpoint, Paper, PaperPlan, PaperRequest};
use crate::tables::{FigureCell, Panel, PanelLayout};

static FIGURES: LazyLock<Published> =
    LazyLock::new(|| Published::known(include_str!("../papers/acid2011.toml")));

pub(crate) static PAPER: Paper = Paper {
    published: &FIGURES,
    plan,
};

/// The folder inside that of the data where networks may be.
const FOLDER: &str = "networks";

/// What to compute.
struct BoundaryRecipe {
    networks: Vec<&'static str>,
    files: Vec<PathBuf>,
    sizes: Vec<usize>,
    learners: Vec<BoundaryLearner>,
    n_samples: usize,
    seed: u64,
}

fn plan(request: &PaperRequest) -> Result<PaperPlan> {
    let known = FIGURES.columns("II");
    let networks = request.chosen("networks", "network of this paper", &known)?;
    let sizes = FIGURES.first_words("II");
    let sizes = request.chosen("sizes", "size of this paper", &sizes)?;
    let sizes = sizes.iter().map(|size| {
        let size = size.parse();
        size.map_err(|_| Error::internal("a published size is no number"))
    });
    let methods = BoundaryLearner::ALL.map(BoundaryLearner::name);
    let methods = request.chosen("methods", "method of this study", &methods)?;
    let learners = BoundaryLearner::ALL.into_iter();
    let learners = learners.filter(|learner| methods.contains(&learner.name()));
    let find = |network: &&str| request.file(FOLDER, &[format!("{network}.bif")]);
    let files = networks.iter().map(|network| {
        find(network).ok_or_else(|| {
            let places = [request.data.clone(), request.data.join(FOLDER)];
            let [first, second] = places.map(|place| printable(&place.display().to_string(), 400));
            Error::data(format!(
                "there is no file {network}.bif in {first} or {second}"
            ))
            .with_hint("Name the folder that holds it with --data.")
        })
    });
    let recipe = BoundaryRecipe {
        sizes: sizes.collect::<Result<_>>()?,
        learners: learners.collect(),
        files: files.collect::<Result<_>>()?,
        networks,
        n_samples: request.number("samples") as usize,
        seed: request.seed,
    };
    Ok(PaperPlan {
        inputs: known.iter().filter_map(find).collect(),
        drawings: Vec::new(),
        work: Box::new(move |observer, open| recipe.run(observer, open)),
    })
}

impl BoundaryRecipe {
    fn run(&self, observer: &dyn Observer, open: OpenCheckpoint<'_>) -> Result<PaperOutcome> {
        let checkpoint = open()?;
        let start = Instant::now();
        observer.progress("reading", 0, 0);
        let networks = self.files.iter().map(|file| read_network(file));
        let networks: Vec<Network> = networks.collect::<Result<_>>()?;
        let read = start.elapsed();
        let named = self.networks.iter().zip(&networks);
        let strange = named.filter_map(|(name, network)| strangeness(name, network));
        let mut warnings: Vec<String> = strange.collect();

        let start = Instant::now();
        let cells = self.cells();
        let n_nodes = networks.iter().map(|network| network.dag().n_nodes());
        let n_nodes: Vec<usize> = n_nodes.collect();
        let names = self.networks.iter().map(|&name| name.to_owned());
        let networks = names.zip(networks);
        let study =
            BoundaryStudy::new(networks.collect(), cells.clone(), self.n_samples, self.seed);
        let conducted = conduct(&study, checkpoint.as_ref(), &Limits::new(observer))?;
        warnings.extend(conducted.warnings.iter().cloned());
        warnings.extend(resumed(conducted.n_resumed, "sample"));
        let found = self.found(&cells, &n_nodes, &conducted)?;
        let run = PaperRun {
            paper: &FIGURES,
            settings: self.settings(),
            seed: self.seed,
            measure: "f",
            n_units: found.iter().map(|cell| cell.n_units).sum(),
            n_asked: cells.len(),
            is_cut_short: conducted.is_cut_short,
            warnings,
            seconds: Seconds::new(read, start.elapsed()),
        };
        let has_errors = found.iter().any(|cell| cell.standard_error.is_some());
        let titles = ["mean f", "mean f ± its standard error"];
        let panel = Panel {
            title: titles[usize::from(has_errors)].to_owned(),
            layout: PanelLayout::Wide,
            cells: found,
        };
        PaperOutcome::of_tables(run, vec![panel], Vec::new())
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

    fn settings(&self) -> Value {
        let methods: Vec<String> = self.learners.iter().map(ToString::to_string).collect();
        object([
            ("networks", json!(self.networks)),
            ("sizes", json!(self.sizes)),
            ("samples", json!(self.n_samples)),
            ("methods", json!(methods)),
        ])
    }

    /// The cells that were finished, beside the published ones.
    fn found(
        &self,
        cells: &[BoundaryCell],
        n_nodes: &[usize],
        conducted: &Conducted<Recovery>,
    ) -> Result<Vec<FigureCell>> {
        let finished = cells.iter().zip(&conducted.groups);
        let finished = finished.filter_map(|(cell, samples)| Some((cell, samples.as_ref()?)));
        finished
            .map(|(cell, samples)| {
                let network = self.networks[cell.network];
                let row = [&cell.n_rows.to_string(), cell.learner.name()];
                let mean = |part: fn(&Recovery) -> f64| {
                    let values: Vec<f64> = samples.iter().map(part).collect();
                    FigureCell::default().with_mean(&values)
                };
                Ok(FigureCell {
                    table: "II",
                    measure: "f",
                    place: vec![("network", json!(network)), ("rows", json!(cell.n_rows))],
                    method: cell.learner.name(),
                    others: vec![
                        ("precision", mean(|sample| sample.precision)?.value),
                        ("recall", mean(|sample| sample.recall)?.value),
                    ],
                    published: FIGURES.figure("II", &row, network),
                    n_units: samples.len() * n_nodes[cell.network],
                    ..mean(|sample| sample.f)?
                })
            })
            .collect()
    }
}

/// Says what is not as in the paper's Table I.
fn strangeness(name: &str, network: &Network) -> Option<String> {
    let ours = [network.dag().n_nodes(), network.dag().n_arcs()].map(|n| n as u64);
    let theirs = ["nodes", "arcs"].map(|column| FIGURES.value("I", &[name], column));
    let theirs = theirs.map(|n| n.unwrap_or_default() as u64);
    let size = |[nodes, arcs]: [u64; 2]| {
        format!("{} and {}", counted(nodes, "node"), counted(arcs, "arc"))
    };
    let (own, of_paper) = (size(ours), size(theirs));
    (ours != theirs).then(|| format!("{name}.bif has {own}; the paper's network has {of_paper}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_table_has_sixty_figures_and_rpdmb_ahead_in_25_of_30() {
        let (mut n, mut n_ahead, mut sum) = (0, 0, 0.0);
        for size in FIGURES.first_words("II") {
            for network in FIGURES.columns("II") {
                let value = |method| FIGURES.value("II", &[size, method], network).unwrap();
                let (mrmr, rpdmb) = (value("mrmr"), value("rpdmb"));
                assert!((0.0..=1.0).contains(&mrmr) && (0.0..=1.0).contains(&rpdmb));
                n += 2;
                n_ahead += usize::from(rpdmb > mrmr);
                sum += mrmr + rpdmb;
            }
        }
        assert_eq!((n, n_ahead), (60, 25));
        // Typed right: the sum of all figures, added by another program.
        assert!((sum - 32.6471).abs() < 1e-9);
    }

    #[test]
    fn the_papers_units_are_fifteen_thousand_eight_hundred_a_method() {
        // (37 + 48 + 23 + 56 + 27 + 441) nodes x 5 sizes x 5 samples.
        let networks = FIGURES.columns("II").into_iter();
        let nodes = networks.map(|name| FIGURES.value("I", &[name], "nodes").unwrap());
        let n_nodes: f64 = nodes.sum();
        assert_eq!(
            n_nodes * FIGURES.first_words("II").len() as f64 * 5.0,
            15_800.0
        );
    }
}
