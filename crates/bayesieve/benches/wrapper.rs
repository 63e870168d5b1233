//! Accuracy by cross-validation, against a classifier trained for every set and fold.
//!
//! `cargo bench --bench wrapper`; with a model's name behind ` -- `, that model alone

mod common;

use common::{Size, W4, Workload, coded, fastest, on_one_thread, report, report_alone};

use bayesieve::Silent;
use bayesieve::classify::{Classifier, ModelKind, TrainOptions};
use bayesieve::data::split::{Folds, Rows};
use bayesieve::data::{CodedTable, CodingOptions, Roles, Table};
use bayesieve::measure::Measure;
use bayesieve::random::{Purpose, stream};
use bayesieve::score::{Accuracy, AccuracyOptions, Estimate, FeatureSet, Runs, Score};
use bayesieve::search::{Limits, Search, SearchOptions, SearchResult, SearchTask};
use rand::RngExt;

fn main() {
    on_one_thread(|| {
        let asked: Option<ModelKind> = std::env::args().find_map(|word| word.parse().ok());
        // Of the plain way, as many sets as it can do in a few seconds.
        for (model, n_sets, n_plain) in [
            (ModelKind::NaiveBayes, 1_000, 20),
            (ModelKind::Tan, 1_000, 20),
            (ModelKind::K2, 10, 5),
            (ModelKind::Id3, 100, 20),
        ] {
            if asked.is_none_or(|asked| asked == model) {
                random_sets(model, n_sets, n_plain);
            }
        }
        if asked.is_some() {
            return;
        }
        for search in ["forward", "backward", "floating"] {
            let bench = Bench::new(W4);
            let (seconds, found) = fastest(3, || bench.walk(ModelKind::NaiveBayes, search));
            let n_kept = found.kept.len();
            let what = format!("W4: accuracy of nb, {search}, {n_kept} kept, from codes on");
            report_alone(&what, seconds);
        }
        for n_times in [1, 4, 16] {
            let bench = Bench::new(Size {
                n_rows: W4.n_rows * n_times,
                ..W4
            });
            let accuracy = bench.accuracy(ModelKind::NaiveBayes);
            let sets = bench.sets(1_000);
            prepare(&accuracy);
            let (seconds, _) = fastest(1, || accuracy.evaluate(&sets, &Silent).expect("scored"));
            let what = format!("W4 with {n_times} times the rows: 1,000 sets, nb");
            report_alone(&what, seconds);
        }
    });
}

/// A table with its folds.
struct Bench {
    table: Table,
    roles: Roles,
    coded: CodedTable,
    folds: Folds,
}

impl Bench {
    fn new(size: Size) -> Self {
        let table = Workload::new(size).table();
        let (roles, coded) = coded(&table);
        let rows = Rows::Stratified(&coded.class.codes);
        let folds = Folds::draw(rows, 10, 1, 0).expect("folds");
        Bench {
            table,
            roles,
            coded,
            folds,
        }
    }

    fn accuracy(&self, model: ModelKind) -> Accuracy<'_> {
        let options = AccuracyOptions {
            training: TrainOptions::new(model),
            coding: CodingOptions::default(),
            estimate: Estimate::CrossValidation {
                n_folds: 10,
                runs: Runs::Fixed(1),
            },
            folds: Some(self.folds.clone()),
            seed: 1,
            measure: Measure::ACCURACY,
            stakes: None,
        };
        let places: Vec<usize> = (0..self.coded.features.len()).collect();
        Accuracy::new(&self.coded, &places, options).expect("accuracy")
    }

    /// Sets that hold every feature with probability one half.
    fn sets(&self, n_sets: usize) -> Vec<FeatureSet> {
        let n = self.coded.features.len();
        let mut rng = stream(1, Purpose::Population, 0);
        let mut set = || FeatureSet::of(n, (0..n).filter(|_| rng.random())).expect("a set");
        (0..n_sets).map(|_| set()).collect()
    }

    fn walk(&self, model: ModelKind, search: &str) -> SearchResult {
        let search = Search::named(search).expect("a search");
        let candidates: Vec<usize> = (0..self.coded.features.len()).collect();
        let found = search.run(&SearchTask {
            score: &self.accuracy(model),
            candidates: &candidates,
            keep: &[],
            limits: &Limits::new(&Silent),
            seed: 1,
            options: SearchOptions::default(),
        });
        found.expect("found")
    }

    /// The plain way: rows are taken, coded, learned from and predicted for every fold.
    fn by_training(&self, model: ModelKind, set: &FeatureSet) -> f64 {
        let mut roles = self.roles.clone();
        let features = set.iter().map(|feature| self.roles.features[feature]);
        roles.features = features.collect();
        let shares = self.folds.splits().map(|split| {
            let train = self.table.take_rows(&split.train);
            let coded = CodedTable::new(&train, &roles, CodingOptions::default()).expect("coded");
            let model = Classifier::train(&coded, &TrainOptions::new(model), &Silent);
            let model = model.expect("trained");
            let test = self.table.take_rows(&split.test);
            let prediction = model.predict(&test, &Silent).expect("predicted");
            prediction
                .evaluate(&test, &model)
                .expect("known")
                .accuracy()
        });
        shares.sum::<f64>() / self.folds.n_folds() as f64
    }
}

/// Counting is done before the clock starts.
fn prepare(accuracy: &Accuracy<'_>) {
    let full = FeatureSet::full(accuracy.n_features());
    accuracy.evaluate(&[full], &Silent).expect("scored");
}

fn random_sets(model: ModelKind, n_sets: usize, n_plain: usize) {
    let bench = Bench::new(W4);
    let sets = bench.sets(n_sets);
    let (plain, expected) = fastest(1, || -> Vec<f64> {
        let sets = sets.iter().take(n_plain);
        sets.map(|set| bench.by_training(model, set)).collect()
    });
    let plain = plain * n_sets as f64 / n_plain as f64;
    let (mut seconds, mut values) = (f64::INFINITY, Vec::new());
    let (counting, _) = fastest(3, || prepare(&bench.accuracy(model)));
    for _ in 0..3 {
        // What is remembered of sets would make a second time cheap.
        let accuracy = bench.accuracy(model);
        prepare(&accuracy);
        let (time, scored) = fastest(1, || accuracy.evaluate(&sets, &Silent).expect("scored"));
        seconds = seconds.min(time);
        values = scored;
    }
    for (value, plain) in values.iter().zip(&expected) {
        assert!((value - plain).abs() < 1e-12, "{model}: {value} {plain}");
    }
    let what = format!("W4: accuracy of {model}, {n_sets} sets");
    report(&format!("{what}, trained anew"), plain, plain);
    report(&what, seconds, plain);
    let what = format!("W4: accuracy of {model}, folds prepared");
    report_alone(&what, counting);
}
