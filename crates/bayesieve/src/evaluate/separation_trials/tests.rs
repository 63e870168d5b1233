//! Trials against the means of 300 others, drawn by another program.

use super::*;
use crate::Silent;
use crate::evaluate::conduct;
use crate::search::Limits;
use crate::separation::limiting_distance;

const DESIGN: SeparationDesign = SeparationDesign {
    n_blocks: 100,
    block_size: 12,
    n_rows: 1200,
};

/// The law of blocks whose distances J are uniform from 0 to b: scores reach n b / 2.
fn uniform(b: f64) -> ScoreSource {
    ScoreSource::Uniform { most: 600.0 * b }
}

fn chi_square_law(degrees_of_freedom: f64) -> ScoreSource {
    ScoreSource::ChiSquare {
        degrees_of_freedom: Span::only(degrees_of_freedom),
        noncentrality: Span::only(0.0),
    }
}

fn irrelevant(share: f64, score: f64) -> ScoreSource {
    ScoreSource::Irrelevant { share, score }
}

fn trials(source: ScoreSource, n_trials: usize) -> Vec<SeparationTrial> {
    let study = SeparationStudy::new(DESIGN, vec![source], n_trials, 1).unwrap();
    let conducted = conduct(&study, None, &Limits::new(&Silent)).unwrap();
    conducted.groups[0].clone().unwrap()
}

/// Four standard errors, where the other program's mean of as many trials has one too.
fn assert_same(ours: Average, theirs: f64, rounding: f64, what: &str) {
    let error = ours.standard_error.unwrap();
    let limit = 4.0 * std::f64::consts::SQRT_2 * error + rounding;
    assert!(
        (ours.mean - theirs).abs() < limit,
        "{what}: {} ± {error} is not {theirs}",
        ours.mean
    );
}

/// A law; blocks kept; D and D of the kept, and the gain, by truth and by plug-in.
type Row = (ScoreSource, f64, [f64; 3], [f64; 3]);

#[test]
fn means_are_those_of_another_program() {
    let table: [Row; 10] = [
        (
            uniform(0.02),
            63.7,
            [0.576, 0.533, -0.021],
            [0.572, 0.703, 0.064],
        ),
        (
            uniform(0.05),
            77.1,
            [1.179, 1.160, -0.011],
            [1.181, 1.245, 0.038],
        ),
        (
            uniform(0.1),
            85.2,
            [1.887, 1.880, -0.005],
            [1.884, 1.918, 0.025],
        ),
        (
            uniform(0.3),
            93.4,
            [3.635, 3.635, 0.0005],
            [3.636, 3.646, 0.011],
        ),
        (
            uniform(1.3),
            98.3,
            [7.948, 7.949, 0.0002],
            [7.948, 7.950, 0.003],
        ),
        (
            chi_square_law(1.0),
            48.6,
            [0.114, 0.104, -0.005],
            [0.123, 0.373, 0.104],
        ),
        (
            chi_square_law(12.0),
            78.7,
            [1.002, 0.946, -0.032],
            [1.002, 1.055, 0.030],
        ),
        (
            irrelevant(0.5, 30.0),
            58.0,
            [1.177, 1.282, 0.063],
            [1.176, 1.341, 0.097],
        ),
        (
            irrelevant(0.5, 60.0),
            55.0,
            [1.889, 2.011, 0.087],
            [1.892, 2.045, 0.110],
        ),
        (
            irrelevant(0.8, 60.0),
            35.1,
            [1.002, 1.177, 0.098],
            [0.999, 1.290, 0.160],
        ),
    ];
    for (source, n_kept, by_truth, by_plug_in) in table {
        let means = TrialMeans::of(&trials(source, 300)).unwrap();
        assert_same(means.kept, n_kept, 0.05, &format!("{source}: kept"));
        for (ours, theirs) in [(means.by_truth, by_truth), (means.by_plug_in, by_plug_in)] {
            let [distance, kept, gain] = theirs;
            assert_same(ours.distance, distance, 5e-4, &format!("{source}: D"));
            assert_same(ours.distance_kept, kept, 5e-4, &format!("{source}: D kept"));
            assert_same(ours.gain, gain, 5e-4, &format!("{source}: gain"));
            // Three in a thousand are below the error of a mean.
            if gain.abs() >= 0.005 {
                assert_eq!(ours.gain.mean > 0.0, gain > 0.0, "{source}");
            }
        }
    }
}

#[test]
fn choosing_helps_where_many_blocks_tell_nothing() {
    // A hundred seeds, one trial each: +0.098 by another program's 300 trials.
    let source = irrelevant(0.8, 60.0);
    let of_seed = |seed| {
        let study = SeparationStudy::new(DESIGN, vec![source], 1, seed).unwrap();
        study.measure(0, 0, &Silent).unwrap()
    };
    let trials: Vec<SeparationTrial> = (1..=100).map(of_seed).collect();
    let means = TrialMeans::of(&trials).unwrap().by_truth;
    assert_same(means.gain, 0.098, 5e-4, "gain");
    assert!(means.risk_kept.mean < means.risk.mean);
    let n_better = trials
        .iter()
        .filter(|t| t.gain(Judged::Truth) > 0.0)
        .count();
    assert!(n_better >= 95, "{n_better} of 100");
}

#[test]
fn risks_without_choosing_follow_equation_nine() {
    // Each trial beside (9) at its own J; the bias 2 rho m is 2.
    for b in [0.02, 0.05, 0.1, 0.2, 0.3] {
        let trials = trials(uniform(b), 300);
        let differences: Vec<f64> = trials
            .iter()
            .map(|t| risk(t.all.by_truth) - risk(limiting_distance(t.j, 2.0)))
            .collect();
        let all = mean_sd(&differences).unwrap();
        let error = all.sd.unwrap() / 300f64.sqrt();
        assert!(all.mean.abs() < 4.0 * error, "{b}: {} ± {error}", all.mean);
        assert!(error < 1e-3, "{b}: {error}");
    }
}

#[test]
fn estimated_scores_are_too_large_by_their_parameters() {
    // (14): mean g + m, variance 2 (m + 2 g), of 20,000 draws.
    let mut rng = stream(1, Purpose::Trial, 0);
    for g in [0.0, 6.0, 12.0, 30.0] {
        let draws = (0..20_000).map(|_| squared_length(&mut rng, f64::sqrt(g), 12.0).1);
        let all = mean_sd(&draws.collect::<Vec<f64>>()).unwrap();
        let variance: f64 = 2.0 * (12.0 + 2.0 * g);
        let error = (variance / 20_000.0).sqrt();
        assert!(
            (all.mean - g - 12.0).abs() < 4.0 * error,
            "{g}: {}",
            all.mean
        );
        // The variance of a sample variance is about (2 + excess) v^2 / n, the excess kurtosis
        // 12 (m + 4 g) / (m + 2 g)^2 being at most 1 here.
        let error = variance * (3.0f64 / 20_000.0).sqrt();
        let found = all.sd.unwrap().powi(2);
        assert!((found - variance).abs() < 4.0 * error, "{g}: {found}");
    }
}

#[test]
fn threads_and_other_laws_change_nothing() {
    let sources = vec![uniform(0.1), irrelevant(0.5, 30.0)];
    let study = SeparationStudy::new(DESIGN, sources, 20, 7).unwrap();
    let with = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
        let pool = pool.build().unwrap();
        pool.install(|| conduct(&study, None, &Limits::new(&Silent)).unwrap().groups)
    };
    let groups = with(1);
    assert_eq!(groups, with(2));
    let alone = SeparationStudy::new(DESIGN, vec![irrelevant(0.5, 30.0)], 10, 7).unwrap();
    let alone = conduct(&alone, None, &Limits::new(&Silent)).unwrap().groups;
    assert_eq!(
        alone[0].as_ref().unwrap()[..],
        groups[1].as_ref().unwrap()[..10]
    );
}

#[test]
fn a_trial_of_two_blocks_is_worked_out_by_hand() {
    // Scores 10 and 0.5 of two features, 20 rows per class, true scores 9 and 0: block two is
    // out. By truth 3 z_1 / sqrt(10 sum), by plug-in as in the paper's formulas.
    let block = |separation, score| DrawnBlock {
        separation,
        sample: SampleScore {
            score,
            parameters: 2.0,
        },
    };
    let blocks = [block(3.0 * 3.1, 10.0), block(0.0, 0.5)];
    assert_eq!(kept(&blocks), [0]);
    let all = Verdict::of(blocks.iter(), 10.0);
    assert!((all.by_truth - 9.3 / 105f64.sqrt()).abs() < 1e-14);
    assert!((all.by_plug_in - 0.65 / 1.05f64.sqrt()).abs() < 1e-14);
    let kept = Verdict::of(blocks[..1].iter(), 10.0);
    assert!((kept.by_truth - 0.93).abs() < 1e-14);
    assert!((kept.by_plug_in - 0.8).abs() < 1e-14);
    let trial = SeparationTrial {
        j: 0.9,
        n_kept: 1,
        all,
        kept,
    };
    // 1 - 0.344578 / 0.375558.
    assert!((trial.gain(Judged::PlugIn) - 0.082491).abs() < 2e-6);
    // All equal and small: equation (22) keeps none, so the first of the best stays.
    let weak = [block(0.0, 1.0), block(0.0, 1.0)];
    assert_eq!(super::kept(&weak), [0]);
}

#[test]
fn gains_stay_finite_where_risks_are_too_small_for_numbers() {
    let verdict = |distance| Verdict {
        by_truth: distance,
        by_plug_in: distance,
    };
    let trial = |all, kept| SeparationTrial {
        j: 1.0,
        n_kept: 1,
        all: verdict(all),
        kept: verdict(kept),
    };
    assert_eq!(trial(200.0, 200.0).gain(Judged::Truth), 0.0);
    assert_eq!(trial(200.0, 900.0).gain(Judged::Truth), 1.0);
    assert!(trial(200.0, 0.0).gain(Judged::Truth).is_finite());
}

#[test]
fn laws_and_designs_that_cannot_be_are_refused() {
    for source in [
        ScoreSource::Uniform { most: -1.0 },
        ScoreSource::Uniform { most: f64::NAN },
        chi_square_law(0.5),
        irrelevant(1.5, 3.0),
        irrelevant(0.5, f64::INFINITY),
    ] {
        let error = SeparationStudy::new(DESIGN, vec![source], 1, 1).unwrap_err();
        assert!(error.to_string().contains("cannot be drawn"), "{error}");
    }
    let empty = SeparationDesign {
        n_blocks: 0,
        ..DESIGN
    };
    assert!(SeparationStudy::new(empty, vec![], 1, 1).is_err());
}
