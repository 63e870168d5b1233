//! Studies of networks small enough to know what must come out.

use super::*;
use crate::Silent;
use crate::evaluate::{Conducted, conduct};
use crate::info::Informations;
use crate::journal::Checkpoint;
use crate::network::{Cpt, Dag, Variable};
use crate::select::{Method, rank};

fn variable(name: &str) -> Variable {
    Variable {
        name: name.into(),
        states: vec!["no".into(), "yes".into()],
    }
}

/// a → c ← b, c → d, and e alone and always the same.
fn collider() -> Network {
    let dag = Dag::from_parents(vec![vec![], vec![], vec![0, 1], vec![2], vec![]]).unwrap();
    let tables = vec![
        Cpt::dense(2, vec![], vec![0.5, 0.5]).unwrap(),
        Cpt::dense(2, vec![], vec![0.4, 0.6]).unwrap(),
        Cpt::dense(
            2,
            vec![2, 2],
            vec![0.95, 0.05, 0.3, 0.7, 0.4, 0.6, 0.1, 0.9],
        )
        .unwrap(),
        Cpt::dense(2, vec![2], vec![0.9, 0.1, 0.2, 0.8]).unwrap(),
        Cpt::dense(2, vec![], vec![1.0, 0.0]).unwrap(),
    ];
    let variables = ["a", "b", "c", "d", "e"].map(variable).to_vec();
    Network::new(variables, dag, tables).unwrap()
}

fn cell(n_rows: usize, learner: BoundaryLearner) -> BoundaryCell {
    BoundaryCell {
        network: 0,
        n_rows,
        learner,
    }
}

fn study(cells: Vec<BoundaryCell>) -> BoundaryStudy {
    BoundaryStudy::new(vec![("collider".into(), collider())], cells, 3, 1)
}

fn all_cells() -> Vec<BoundaryCell> {
    let learners = BoundaryLearner::ALL.into_iter();
    learners
        .flat_map(|learner| [100, 2_000].map(|n_rows| cell(n_rows, learner)))
        .collect()
}

fn run(study: &BoundaryStudy, checkpoint: Option<&Checkpoint>) -> Conducted<Recovery> {
    conduct(study, checkpoint, &Limits::new(&Silent)).unwrap()
}

#[test]
fn mrmr_of_the_true_size_finds_what_informations_alone_can_find() {
    // Boundaries: a {b, c}, b {a, c}, c {a, b, d}, d {c}, e {}. With many rows c is found
    // first for a, b and d. For a the second is b, which tells nothing of a and little of c,
    // and d, which tells of a less than of c, is out; the same for b. For c three are all that
    // vary. So all are right, and e with an empty one too.
    let conducted = run(&study(vec![cell(2_000, BoundaryLearner::Mrmr)]), None);
    let samples = conducted.groups[0].as_ref().unwrap();
    assert_eq!(samples.len(), 3);
    assert!(samples.iter().all(|sample| sample.f == 1.0), "{samples:?}");
}

#[test]
fn known_informations_rank_as_counted_ones() {
    let network = collider();
    let table = network.sample(300, 7, &Silent).unwrap();
    let columns: Vec<&Nominal> = table
        .columns()
        .iter()
        .filter_map(|c| c.as_nominal())
        .collect();
    let informations = MutualInformations::new(&columns, &Silent).unwrap();
    let limits = Limits::new(&Silent);
    for class in 0..4 {
        let features: Vec<usize> = (0..4).filter(|&node| node != class).collect();
        let among = Among {
            informations: &informations,
            class,
            features: &features,
        };
        let known = rank_among(among, 3, &limits).unwrap();
        let counted: Vec<&Nominal> = features.iter().map(|&node| columns[node]).collect();
        let counted = Informations::new(&counted, columns[class]).unwrap();
        let counted = rank(&counted, Method::named("mrmr").unwrap(), 3, &limits).unwrap();
        for ((node, value), (place, again)) in known.into_iter().zip(counted) {
            assert_eq!(node, features[place]);
            assert!((value - again).abs() < 1e-12);
        }
    }
    for (class, features) in [(0, [0]), (0, [5]), (5, [0])] {
        let among = Among {
            informations: &informations,
            class,
            features: &features,
        };
        assert!(rank_among(among, 1, &limits).is_err());
    }
}

#[test]
fn numbers_do_not_depend_on_threads_or_on_what_else_is_asked_for() {
    let whole = run(&study(all_cells()), None);
    for n_threads in [1, 2] {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
        let threads = threads.build().unwrap();
        let again = threads.install(|| run(&study(all_cells()), None));
        assert_eq!(again, whole);
    }
    let last = all_cells().pop().unwrap();
    let alone = run(&study(vec![last]), None);
    assert_eq!(alone.groups.last(), whole.groups.last());
}

#[test]
fn a_resumed_study_ends_at_the_same_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("c");
    let whole = run(
        &study(all_cells()),
        Some(&Checkpoint::create(&file).unwrap()),
    );
    let text = std::fs::read_to_string(&file).unwrap();
    let half: Vec<&str> = text.lines().take(1 + 4).collect();
    std::fs::write(&file, half.join("\n") + "\n{\"gro").unwrap();
    let again = run(&study(all_cells()), Some(&Checkpoint::resume(&file)));
    assert_eq!(again.groups, whole.groups);
    assert_eq!(again.n_resumed, 4);
}

#[test]
fn a_changed_network_is_other_data() {
    let fingerprint = |network: &Network| fingerprint(network).to_string();
    let network = collider();
    assert_eq!(fingerprint(&network), fingerprint(&collider()));
    let tables: Vec<Cpt> = (0..5).map(|node| network.table(node).clone()).collect();
    let mut other = tables.clone();
    other[4] = Cpt::dense(2, vec![], vec![0.0, 1.0]).unwrap();
    let other = Network::new(network.variables().to_vec(), network.dag().clone(), other).unwrap();
    assert_ne!(fingerprint(&network), fingerprint(&other));
    let mut names = network.variables().to_vec();
    names[4].name = "f".into();
    let other = Network::new(names, network.dag().clone(), tables).unwrap();
    assert_ne!(fingerprint(&network), fingerprint(&other));
}

#[test]
fn a_study_stops_soon_wherever_it_is() {
    let truth = Truth::new("collider".into(), collider());
    let table = truth.network.sample(100, 1, &Silent).unwrap();
    let sample = Sample::new(&table, &truth.boundaries).unwrap();
    for learner in BoundaryLearner::ALL {
        crate::testing::assert_stops(10, |observer| sample.learn(learner, observer));
    }
}
