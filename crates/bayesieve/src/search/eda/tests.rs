//! The loop that all population searches share.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::testing::{Toy, even, even_folds, scattered_folds};
use super::*;
use crate::score::{Estimated, Remembered, Score};
use crate::search::{Advance, Crossover, Limits, Search, SearchOptions, Strategy};
use crate::stats::Better;
use crate::{Error, ErrorKind, Observer, Silent};

fn population_searches() -> impl Iterator<Item = Search> {
    SEARCHES.iter().copied().map(Search)
}

/// The search of a name.
fn named(name: &str) -> Search {
    Search::named(name).unwrap()
}

/// The evolution of a search.
fn evolution<'w, 'a>(name: &str, task: &'w SearchTask<'a>) -> Evolution<'w, 'a> {
    match &named(name).0.strategy {
        Strategy::Draws(population) => Evolution::new(population, task).unwrap(),
        _ => panic!("{name} draws no sets"),
    }
}

fn found(search: Search, score: &dyn Score, options: SearchOptions) -> Result<SearchResult> {
    let candidates: Vec<usize> = (0..score.n_features()).collect();
    search.run(&SearchTask {
        score,
        candidates: &candidates,
        keep: &[],
        limits: &Limits::new(&Silent),
        seed: 1,
        options,
    })
}

fn of_size(population: usize) -> SearchOptions {
    SearchOptions {
        population: Some(population),
        ..SearchOptions::default()
    }
}

fn set(n_features: usize, features: &[usize]) -> FeatureSet {
    FeatureSet::of(n_features, features.iter().copied()).unwrap()
}

/// Calls `check` with the sets of the start alone, four of which live.
fn with_evolution(score: &Toy, check: impl Fn(&mut Evolution<'_, '_>)) {
    let candidates: Vec<usize> = (0..score.n_features).collect();
    let walk = SearchTask {
        score,
        candidates: &candidates,
        keep: &[],
        limits: &Limits::new(&Silent),
        seed: 1,
        options: of_size(4),
    };
    check(&mut evolution("umda", &walk));
}

fn living(evolution: &Evolution<'_, '_>) -> Vec<Vec<usize>> {
    let sets = evolution.population.iter();
    sets.map(|one| one.bits.iter().collect()).collect()
}

#[test]
fn the_searches_that_draw_are_those_of_this_module() {
    let drawing = Search::all().filter(|search| search.draws());
    let names: Vec<&str> = drawing.map(Search::name).collect();
    assert_eq!(
        names,
        [
            "genetic", "ebna", "umda", "pbil", "mimic", "tree-eda", "bmda"
        ]
    );
}

#[test]
fn the_best_live_and_ties_go_to_fewer_and_lower_features() {
    // Of four features 0 and 2 are right. Wrong features: {} 2, {0} 1, {2} 1, {0,1,2} 1,
    // {0,2} 0, {1,3} 4.
    let score = Toy::new(4, even);
    with_evolution(&score, |evolution| {
        let drawn = [&[1, 3][..], &[0, 1, 2], &[2], &[0]].map(|features| set(4, features));
        evolution.take(drawn.to_vec(), OldSets::Compete).unwrap();
        assert_eq!(living(evolution), [&[0][..], &[2], &[0, 1, 2], &[]]);
        // Equal sets live side by side; none was scored twice.
        let drawn = [&[0, 2][..], &[0], &[0, 2]].map(|features| set(4, features));
        evolution.take(drawn.to_vec(), OldSets::Compete).unwrap();
        assert_eq!(living(evolution), [&[0, 2][..], &[0, 2], &[0], &[0]]);
        assert_eq!((evolution.known.len(), evolution.n_repeated), (6, 2));
    });
    assert_eq!(score.n_scored.into_inner(), 6);
}

#[test]
fn the_best_of_all_is_kept_when_old_sets_go() {
    with_evolution(&Toy::new(4, even), |evolution| {
        let take = |evolution: &mut Evolution<'_, '_>, features: [&[usize]; 2]| {
            let drawn = features.map(|features| set(4, features));
            evolution.take(drawn.to_vec(), OldSets::Go).unwrap();
        };
        take(evolution, [&[0, 2], &[1]]);
        assert_eq!(living(evolution), [&[0, 2][..], &[1]]);
        take(evolution, [&[1, 3], &[3]]);
        assert_eq!(living(evolution), [&[3][..], &[1, 3]]);
        assert_eq!(evolution.best.bits, set(4, &[0, 2]));
    });
}

#[test]
fn the_first_sets_are_tosses_of_a_coin() {
    let score = Toy::new(50, even);
    let candidates: Vec<usize> = (0..50).collect();
    let walk = SearchTask {
        score: &score,
        candidates: &candidates,
        keep: &[],
        limits: &Limits::new(&Silent),
        seed: 1,
        options: of_size(201),
    };
    let sets = evolution("ebna", &walk).first_sets();
    let n_in: usize = sets.iter().map(FeatureSet::len).sum();
    // 200 sets of 50 bits: 5,000 expected; four standard deviations are 200.
    assert_eq!(sets.len(), 200);
    assert!(n_in.abs_diff(5_000) < 200, "{n_in}");
}

#[test]
fn forty_features_on_their_own_are_all_found() {
    let score = Toy::new(40, even);
    for search in population_searches() {
        let options = SearchOptions {
            // PBIL moves slowly.
            generations: 300,
            ..SearchOptions::default()
        };
        let found = found(search, &score, options).unwrap();
        let expected: Vec<usize> = (0..40).step_by(2).collect();
        assert_eq!(found.kept, expected, "{search} {found:?}");
        assert_eq!(found.value, 1.0);
    }
}

#[test]
fn generations_count_what_they_drew() {
    for search in population_searches() {
        let score = Toy::new(40, even);
        let options = SearchOptions {
            generations: 3,
            ..of_size(50)
        };
        let found = found(search, &score, options).unwrap();
        assert_eq!(found.stop, Stop::Generations { n: 3 }, "{search}");
        assert_eq!(found.n_evaluations, score.n_scored.into_inner() as u64);
        // The start and 49 sets, then three times 49; 50 where the best is kept apart.
        let n_new = if search.name() == "pbil" { 50 } else { 49 };
        let n_drawn = found.n_evaluations + found.n_repeated;
        assert_eq!(n_drawn, 50 + 3 * n_new, "{search}");
    }
}

#[test]
fn more_generations_are_never_worse() {
    for search in population_searches() {
        let value = |generations| {
            let options = SearchOptions {
                generations,
                ..of_size(30)
            };
            let found = found(search, &Toy::new(40, even), options);
            found.unwrap().value
        };
        let values: Vec<f64> = (0..10).map(value).collect();
        assert!(values.is_sorted(), "{search} {values:?}");
        assert!(values[9] > values[0], "{search} {values:?}");
    }
}

#[test]
fn a_population_of_equal_sets_ends_the_search() {
    // Nothing is better than nothing: the empty set fills the population.
    let score = Toy::new(5, |set| -(set.len() as f64));
    for search in population_searches() {
        let options = SearchOptions {
            patience: Some(1_000),
            generations: 1_000,
            ..of_size(20)
        };
        let found = found(search, &score, options).unwrap();
        assert_eq!(
            (found.stop, found.value),
            (Stop::Converged, 0.0),
            "{search}"
        );
    }
}

#[test]
fn generations_without_progress_end_the_search() {
    for n in [1, 3] {
        let options = SearchOptions {
            patience: Some(n),
            ..of_size(20)
        };
        // All sets are worth the same.
        let found = found(named("ebna"), &Toy::new(30, |_| 0.5), options).unwrap();
        let of = "generations";
        assert_eq!(found.stop, Stop::Stale { n, of });
        // The empty set of all equal ones, and n + 1 times 19 sets.
        assert!(found.kept.is_empty());
        assert_eq!(
            found.n_evaluations + found.n_repeated,
            1 + (n as u64 + 1) * 19
        );
    }
}

#[test]
fn an_estimate_is_given_up_after_one_generation_without_progress() {
    for search in population_searches() {
        let score = Toy {
            folds: Some(|_| vec![0.5; 10]),
            ..Toy::new(30, |_| 0.5)
        };
        let found = found(search, &score, of_size(20)).unwrap();
        let n = if search.name() == "pbil" { 20 } else { 1 };
        let of = "generations";
        assert_eq!(found.stop, Stop::Stale { n, of }, "{search}");
    }
}

#[test]
fn a_gain_that_could_be_chance_is_thrown_away() {
    for search in population_searches() {
        let run = |generations, n_rows| {
            let score = Toy {
                folds: Some(scattered_folds),
                n_rows,
                ..Toy::new(60, even)
            };
            let options = SearchOptions {
                generations,
                patience: Some(5),
                ..SearchOptions::default()
            };
            found(search, &score, options).unwrap()
        };
        let (first, tested) = (run(0, 1_000), run(50, 1_000));
        let Stop::NotSignificant { p, alpha } = tested.stop else {
            panic!("{search}: {:?}", tested.stop);
        };
        assert!(p >= alpha && alpha == 0.1, "{search}: {p}");
        assert_eq!((tested.kept, tested.value), (first.kept, first.value));
        // One more row, and plain improvement counts.
        assert!(run(50, 1_001).value > first.value, "{search}");
    }
}

#[test]
fn a_gain_of_every_fold_is_progress() {
    // All folds are better by as much: p = 0, as often as a generation is better at all.
    for search in population_searches() {
        let run = |advance| {
            let score = Toy {
                folds: Some(even_folds),
                ..Toy::new(60, even)
            };
            let options = SearchOptions {
                advance,
                ..SearchOptions::default()
            };
            found(search, &score, options).unwrap()
        };
        let [tested, better, auto] =
            [Advance::Significant, Advance::Better, Advance::Auto].map(run);
        assert_eq!(tested, auto, "{search}");
        // Of sets of the same value the last test decides, without one the fewer features.
        let said = |found: &SearchResult| (found.value, found.stop, found.n_evaluations);
        assert_eq!(said(&tested), said(&better), "{search}");
        assert!(better.kept.len() <= tested.kept.len(), "{search}");
        assert!(tested.value > 0.8, "{search}: {}", tested.value);
    }
}

#[test]
fn a_test_without_folds_is_refused() {
    let options = SearchOptions {
        advance: Advance::Significant,
        ..SearchOptions::default()
    };
    let error = found(named("ebna"), &Toy::new(5, even), options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(error.to_string().contains("folds"), "{error}");
}

#[test]
fn populations_that_cannot_be_are_refused() {
    for search in population_searches() {
        let error = found(search, &Toy::new(5, even), of_size(1)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage, "{search}");
        let options = SearchOptions {
            selected: Some(11),
            ..of_size(10)
        };
        let error = found(search, &Toy::new(5, even), options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage, "{search}");
    }
}

#[test]
fn the_fewest_features_and_the_smallest_populations_work() {
    for search in population_searches() {
        for n_features in 0..3 {
            let whole = found(
                search,
                &Toy::new(n_features, even),
                SearchOptions::default(),
            );
            let whole = whole.unwrap();
            let expected: Vec<usize> = (0..n_features).step_by(2).collect();
            assert_eq!(whole.kept, expected, "{search}");
            for population in 2..5 {
                let small = found(search, &Toy::new(n_features, even), of_size(population));
                assert!(small.unwrap().value >= whole.start, "{search}");
            }
        }
    }
}

#[test]
fn what_must_stay_is_no_bit_and_candidates_may_come_in_any_order() {
    for search in population_searches() {
        let score = Toy::new(12, even);
        let run = |candidates: &[usize]| {
            let limits = Limits::new(&Silent);
            search.run(&SearchTask {
                score: &score,
                candidates,
                keep: &[3],
                limits: &limits,
                seed: 1,
                options: SearchOptions::default(),
            })
        };
        let found = run(&[0, 1, 2, 3, 4, 5, 6]).unwrap();
        assert_eq!(found.kept, [0, 2, 3, 4, 6], "{search}");
        // The features 7 to 11 are no candidates: 2^6 sets.
        assert!(found.n_evaluations <= 64, "{search}");
        assert_eq!(run(&[6, 2, 5, 3, 0, 1, 4, 2]).unwrap(), found, "{search}");
    }
}

#[test]
fn another_seed_draws_other_sets() {
    let score = Toy::new(40, even);
    let candidates: Vec<usize> = (0..40).collect();
    let run = |seed| {
        let limits = Limits::new(&Silent);
        named("umda").run(&SearchTask {
            score: &score,
            candidates: &candidates,
            keep: &[],
            limits: &limits,
            seed,
            options: SearchOptions {
                generations: 2,
                ..of_size(20)
            },
        })
    };
    assert_eq!(run(1).unwrap(), run(1).unwrap());
    assert_ne!(run(1).unwrap().kept, run(2).unwrap().kept);
}

#[test]
fn crossovers_differ_and_both_find_the_best() {
    let run = |crossover| {
        let options = SearchOptions {
            crossover,
            ..SearchOptions::default()
        };
        found(named("genetic"), &Toy::new(25, even), options).unwrap()
    };
    let (one_point, uniform) = (run(Crossover::OnePoint), run(Crossover::Uniform));
    assert_eq!((one_point.value, uniform.value), (1.0, 1.0));
    assert_ne!(one_point.n_evaluations, uniform.n_evaluations);
}

/// Cancels once so many sets have been scored.
struct CancelsAfter<'a>(&'a AtomicUsize, usize);

impl Observer for CancelsAfter<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= self.1
    }
}

#[test]
fn a_stop_within_a_generation_keeps_what_was_scored() {
    for search in population_searches() {
        let score = Toy::new(30, even);
        let candidates: Vec<usize> = (0..30).collect();
        let observer = CancelsAfter(&score.n_scored, 2);
        let found = search.run(&SearchTask {
            score: &score,
            candidates: &candidates,
            keep: &[],
            limits: &Limits::new(&observer),
            seed: 1,
            options: of_size(1_000),
        });
        // The start, and one batch of the 999 first sets.
        let found = found.unwrap();
        assert_eq!(
            (found.stop, found.n_evaluations),
            (Stop::Interrupted, 257),
            "{search}"
        );
        assert!(found.value > found.start, "{search}");
    }
}

/// Refuses to score anything.
struct Silenced<'a>(&'a Toy);

impl Score for Silenced<'_> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn unit(&self) -> &'static str {
        self.0.unit()
    }

    fn better(&self) -> Better {
        self.0.better()
    }

    fn n_features(&self) -> usize {
        self.0.n_features()
    }

    fn evaluate(&self, sets: &[FeatureSet], _: &dyn Observer) -> Result<Vec<f64>> {
        match sets.len() {
            0 => Ok(Vec::new()),
            n => Err(Error::internal(format!("{n} sets are not remembered"))),
        }
    }

    fn estimate(&self, set: &FeatureSet, observer: &dyn Observer) -> Result<Option<Estimated>> {
        self.0.estimate(set, observer)
    }
}

#[test]
fn a_search_over_remembered_values_finds_the_same() {
    for search in population_searches() {
        let score = Toy {
            folds: Some(even_folds),
            ..Toy::new(25, even)
        };
        let plain = found(search, &score, of_size(300)).unwrap();
        let values = Mutex::new(Vec::new());
        let listener = |new: &[(FeatureSet, f64)]| {
            values.lock().unwrap().extend_from_slice(new);
            Ok(())
        };
        let remembered = Remembered::new(&score).with_listener(&listener);
        assert_eq!(found(search, &remembered, of_size(300)).unwrap(), plain);
        let silenced = Silenced(&score);
        let replayed = Remembered::new(&silenced).with_values(values.into_inner().unwrap());
        assert_eq!(
            found(search, &replayed, of_size(300)).unwrap(),
            plain,
            "{search}"
        );
    }
}
