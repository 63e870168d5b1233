//! All searches under the same conditions.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::*;
use crate::Silent;
use crate::data::Nominal;
use crate::info::Informations;
use crate::random::{Purpose, below, stream};
use crate::score::testing::{example1, features};
use crate::score::{Auxiliary, DescriptionLength, Merit, Structure};

/// The search of a name.
fn named(name: &str) -> Search {
    Search::named(name).unwrap()
}

fn walk_with(
    search: Search,
    score: &dyn Score,
    keep: &[usize],
    limits: &Limits<'_>,
) -> Result<SearchResult> {
    let all: Vec<usize> = (0..score.n_features()).collect();
    search.run(&SearchTask {
        score,
        candidates: &all,
        keep,
        limits,
        seed: 1,
        options: super::SearchOptions::default(),
    })
}

fn walk(search: Search, score: &dyn Score, keep: &[usize]) -> SearchResult {
    walk_with(search, score, keep, &Limits::new(&Silent)).unwrap()
}

/// Seven columns of up to three values, one of them a copy, and a class that leans on them.
fn random_columns(seed: u64) -> Vec<Nominal> {
    let mut rng = stream(seed, Purpose::Generate, 3);
    let mut cells: Vec<Vec<u64>> = vec![Vec::new(); 8];
    for _ in 0..30 + below(&mut rng, 60) {
        let row: Vec<u64> = (0..6).map(|f| below(&mut rng, 2 + f % 2)).collect();
        let noise = below(&mut rng, 5) / 4;
        cells[7].push((row[0] + row[1] * row[3] + noise) % 3);
        cells[6].push(row[seed as usize % 6]);
        row.into_iter()
            .zip(&mut cells)
            .for_each(|(cell, column)| column.push(cell));
    }
    let column = |cells: Vec<u64>| {
        let labels: Vec<String> = cells.iter().map(u64::to_string).collect();
        Nominal::from_labels(labels.iter().map(|label| Some(label.as_str())))
    };
    cells.into_iter().map(column).collect()
}

/// Calls `check` with several scores over random columns.
fn for_each_score(seeds: std::ops::Range<u64>, check: impl Fn(&dyn Score)) {
    for seed in seeds {
        let columns = random_columns(seed);
        let features: Vec<&Nominal> = columns[..7].iter().collect();
        let informations = Informations::new(&features, &columns[7]).unwrap();
        let tree = Auxiliary::Tree;
        for structure in [Structure::NaiveBayes, Structure::Tan] {
            check(&DescriptionLength::mdl(&informations, structure).unwrap());
            check(&DescriptionLength::mdl_fs(&informations, structure, tree).unwrap());
        }
        check(&Merit::new(&informations));
    }
}

#[test]
fn example_1_backward_keeps_all_eight_by_mdl_and_tan() {
    let table = example1(3200);
    let informations = Informations::new(&features(&table), &table.class).unwrap();
    let score = DescriptionLength::mdl(&informations, Structure::Tan).unwrap();
    let found = walk(named("backward"), &score, &[]);
    assert_eq!(found.kept, [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(format!("{:.4}", found.start), "15184.3898");
    assert_eq!((found.stop, found.n_evaluations), (Stop::NoImprovement, 9));
}

#[test]
fn example_1_backward_by_mdl_fs_drops_what_is_not_needed() {
    // From all eight at 369.0672 down to {A1,A2,A4,A6} at 299.2041, or better.
    let table = example1(3200);
    let informations = Informations::new(&features(&table), &table.class).unwrap();
    let score = DescriptionLength::mdl_fs(&informations, Structure::Tan, Auxiliary::Tree).unwrap();
    let found = walk(named("backward"), &score, &[]);
    assert!(found.value <= 299.2042, "{found:?}");
    assert!(found.steps.iter().all(|step| step.action == Action::Remove));
    let all = walk(named("exhaustive"), &score, &[]);
    assert_eq!(all.n_evaluations, 256);
    assert!(all.value <= found.value + 1e-9);
}

#[test]
fn the_exhaustive_search_finds_what_a_plain_loop_finds() {
    for_each_score(0..10, |score| {
        let rank = rank::SetOrder::new(
            score,
            score.evaluate(&[FeatureSet::empty(7)], &Silent).unwrap()[0],
        );
        let mut best: Option<(i64, usize, Vec<usize>)> = None;
        for bits in 0..128usize {
            let members: Vec<usize> = (0..7).filter(|f| bits >> f & 1 == 1).collect();
            let set = FeatureSet::of(7, members.iter().copied()).unwrap();
            let value = rank.of(score.evaluate(&[set], &Silent).unwrap()[0]);
            let key = (value, members.len(), members);
            if best.as_ref().is_none_or(|best| key < *best) {
                best = Some(key);
            }
        }
        let found = walk(named("exhaustive"), score, &[]);
        assert_eq!(found.kept, best.unwrap().2, "{}", score.name());
        assert_eq!(found.n_evaluations, 128);
    });
}

#[test]
fn no_search_is_worse_than_its_start_or_better_than_all_sets() {
    for_each_score(0..6, |score| {
        let best = walk(named("exhaustive"), score, &[]).value;
        for search in Search::all() {
            let found = walk(search, score, &[]);
            assert!(!score.is_better(found.start, found.value), "{search}");
            assert!(!score.is_better(found.value, best), "{search}");
            let set = FeatureSet::of(7, found.kept.iter().copied()).unwrap();
            let value = score.evaluate(&[set], &Silent).unwrap()[0];
            assert_eq!(value, found.value, "{search}");
            if search.draws() {
                // 100 sets of 128: it cannot miss the best for 20 generations.
                assert!(!score.is_better(best, found.value));
            }
        }
    });
}

#[test]
fn what_must_stay_is_in_every_result() {
    for_each_score(0..3, |score| {
        for search in Search::all() {
            let found = walk(search, score, &[5, 2]);
            assert!(
                found.kept.contains(&5) && found.kept.contains(&2),
                "{search}"
            );
            let mut sorted = found.kept.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), found.kept.len());
            match search.name() {
                "forward" | "floating" => assert_eq!(found.kept[..2], [5, 2]),
                _ => assert_eq!(sorted, found.kept, "{search}"),
            }
        }
    });
}

#[test]
fn steps_lead_from_the_start_to_the_result() {
    for_each_score(0..6, |score| {
        for search in Search::all() {
            let found = walk(search, score, &[1]);
            let start = match search.name() {
                "exhaustive" => continue,
                _ if search.draws() => continue,
                "backward" | "backward-floating" => FeatureSet::full(7),
                _ => FeatureSet::of(7, [1]).unwrap(),
            };
            let mut set = start;
            for step in &found.steps {
                match step.action {
                    Action::Add => set.insert(step.feature),
                    Action::Remove => set.remove(step.feature),
                }
                let value = score.evaluate(std::slice::from_ref(&set), &Silent).unwrap()[0];
                assert_eq!(value, step.score, "{search}");
            }
            let mut kept = found.kept.clone();
            kept.sort_unstable();
            assert_eq!(kept, set.iter().collect::<Vec<_>>(), "{search}");
        }
    });
}

#[test]
fn floating_is_never_worse_than_the_plain_first_steps() {
    for_each_score(0..20, |score| {
        for (plain, floating) in [
            (named("forward"), named("floating")),
            (named("backward"), named("backward-floating")),
        ] {
            let (plain, floating) = (walk(plain, score, &[]), walk(floating, score, &[]));
            // Until a step back pays, both walk alike.
            let n = plain.steps.len().min(floating.steps.len());
            let is_onward = |step: &&Step| step.action == plain.steps[0].action;
            let n_alike = floating.steps.iter().take(n).take_while(is_onward).count();
            assert_eq!(plain.steps[..n_alike], floating.steps[..n_alike]);
        }
    });
}

#[test]
fn threads_change_nothing() {
    for_each_score(0..2, |score| {
        for search in Search::all() {
            let runs = [1, 2, 8].map(|n_threads| {
                let pool = rayon::ThreadPoolBuilder::new()
                    .num_threads(n_threads)
                    .build();
                pool.unwrap().install(|| walk(search, score, &[]))
            });
            assert_eq!(runs[0], runs[1], "{search}");
            assert_eq!(runs[0], runs[2], "{search}");
        }
    });
}

#[test]
fn no_time_at_all_still_gives_the_start() {
    for_each_score(0..1, |score| {
        for search in Search::all() {
            let limits = Limits::new(&Silent).with_budget(Some(Duration::ZERO));
            let found = walk_with(search, score, &[3], &limits).unwrap();
            assert_eq!(found.stop, Stop::Budget, "{search}");
            // A set of some features needs counts, for which there is no time.
            assert!(found.value.is_nan() && found.start.is_nan(), "{search}");
            assert!(found.steps.is_empty() && found.kept.contains(&3));
            let found = walk_with(search, score, &[], &limits).unwrap();
            assert_eq!(found.stop, Stop::Budget, "{search}");
        }
    });
}

/// Cancels once a search has reported a step.
#[derive(Default)]
struct CancelsAfterAStep {
    n_reports: AtomicU64,
}

impl Observer for CancelsAfterAStep {
    fn progress(&self, stage: &str, _: u64, _: u64) {
        if stage.starts_with("searching") {
            self.n_reports.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.n_reports.load(Ordering::Relaxed) > 0
    }
}

struct Cancelled;

impl Observer for Cancelled {
    fn is_cancelled(&self) -> bool {
        true
    }
}

#[test]
fn an_interrupted_search_gives_the_best_so_far_if_there_is_any() {
    let table = example1(3200);
    let informations = Informations::new(&features(&table), &table.class).unwrap();
    let score = DescriptionLength::mdl_fs(&informations, Structure::Tan, Auxiliary::Tree).unwrap();
    for search in Search::all() {
        let at_once = walk_with(search, &score, &[], &Limits::new(&Cancelled));
        assert_eq!(at_once.unwrap_err().kind(), ErrorKind::Interrupted);
        let observer = CancelsAfterAStep::default();
        let found = walk_with(search, &score, &[], &Limits::new(&observer)).unwrap();
        assert!(score.is_better(found.value, found.start), "{search}");
        // 256 sets are one batch: that search was done when it reported.
        if search != named("exhaustive") {
            assert_eq!(found.stop, Stop::Interrupted, "{search}");
        }
    }
}

#[test]
fn too_many_features_for_all_sets_are_refused() {
    let column = Nominal::from_labels(["0", "1", "1"].map(Some));
    let informations = Informations::new(&[&column; 26], &column).unwrap();
    let error = walk_with(
        named("exhaustive"),
        &Merit::new(&informations),
        &[],
        &Limits::new(&Silent),
    );
    let error = error.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(error.to_string().contains("26 features"), "{error}");
    // What must stay does not come and go: 2^2 sets.
    let keep: Vec<usize> = (0..24).collect();
    let found = walk(named("exhaustive"), &Merit::new(&informations), &keep);
    assert_eq!((found.n_evaluations, found.stop), (4, Stop::Exhausted));
}

#[test]
fn nothing_to_choose_from_is_the_start() {
    let class = Nominal::from_labels(["0", "1", "1"].map(Some));
    let informations = Informations::new(&[], &class).unwrap();
    for search in Search::all() {
        let found = walk(search, &Merit::new(&informations), &[]);
        assert!(found.kept.is_empty(), "{search}");
        assert_eq!(found.value, 0.0);
    }
}

#[test]
fn names_come_back() {
    for search in Search::all() {
        assert_eq!(search.name().parse::<Search>().unwrap(), search);
    }
    let error = "best".parse::<Search>().unwrap_err().to_string();
    assert!(error.contains("best-first"), "{error}");
}

#[test]
fn stops_read_well() {
    let of = "generations";
    for (stop, name, text) in [
        (
            Stop::Stale { n: 1, of },
            "stale",
            "the last generation brought nothing better",
        ),
        (
            Stop::Stale { n: 20, of },
            "stale",
            "20 generations in a row brought nothing better",
        ),
        (
            Stop::Generations { n: 1 },
            "generations",
            "the limit of 1 generation was reached",
        ),
        (
            Stop::Converged,
            "converged",
            "all sets of the population are the same",
        ),
        (
            Stop::NotSignificant {
                p: 0.25,
                alpha: 0.1,
            },
            "not-significant",
            "the next gain could be chance: p = 0.250, level 0.1",
        ),
    ] {
        assert_eq!((stop.name(), stop.to_string().as_str()), (name, text));
    }
}
