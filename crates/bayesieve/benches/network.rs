//! Drawing rows and posteriors, against the plain way to do each, row by row.
//!
//! `cargo bench --bench network`

mod common;

use bayesieve::Silent;
use bayesieve::data::Codes;
use bayesieve::network::{Dag, Network, PosteriorBuffer, PosteriorPlan};
use bayesieve::random::{Purpose, below, stream, unit};
use common::{fastest, on_one_thread, random_table, report};
use rand_chacha::ChaCha8Rng;

/// As many nodes as the alarm network has.
const N_NODES: usize = 37;

fn main() {
    on_one_thread(|| {
        let network = network(&mut stream(1, Purpose::Generate, 0));
        let n_rows = 1_000_000;
        let (plain, _) = fastest(1, || plain_rows(&network, n_rows));
        let (seconds, columns) = fastest(5, || {
            network.sample_codes(n_rows, 1, &Silent).expect("drawn")
        });
        report(&format!("{n_rows} rows of {N_NODES} nodes"), seconds, plain);
        for one_unknown_in in [37, 10, 3] {
            posteriors(&network, &columns, one_unknown_in);
        }
    });
}

/// Nodes of two to four states with up to four of the eight nodes before as parents.
fn network(rng: &mut ChaCha8Rng) -> Network {
    let n_states: Vec<usize> = (0..N_NODES).map(|_| 2 + below(rng, 3) as usize).collect();
    let mut dag = Dag::new(N_NODES);
    for node in 1..N_NODES {
        for _ in 0..below(rng, 5) {
            let back = 1 + below(rng, node.min(8) as u64) as usize;
            dag.add_arc(node - back, node)
                .expect("parents stand before");
        }
    }
    let tables = (0..N_NODES).map(|node| {
        let parents = dag.parents(node).iter().map(|&p| n_states[p]).collect();
        random_table(rng, n_states[node], parents, 0.01)
    });
    let tables = tables.collect();
    common::network(&n_states, dag, tables)
}

/// Every row node by node, from running sums of probabilities.
fn plain_rows(network: &Network, n_rows: usize) -> Vec<Vec<u8>> {
    let mut rng = stream(1, Purpose::Sample, 0);
    let order = network.dag().topological_order();
    let mut columns = vec![Vec::new(); N_NODES];
    let mut row = [0; N_NODES];
    let mut parents = Vec::new();
    for _ in 0..n_rows {
        for &node in &order {
            parents.clear();
            let codes = network.dag().parents(node).iter();
            parents.extend(codes.map(|&parent| u32::from(row[parent])));
            let mut rest = unit(&mut rng);
            let probabilities = network.table(node).row(&parents);
            let state = probabilities.iter().position(|p| {
                rest -= p;
                rest < 0.0
            });
            row[node] = state.unwrap_or(probabilities.len() - 1) as u8;
        }
        for (column, &code) in columns.iter_mut().zip(&row) {
            column.push(code);
        }
    }
    columns
}

/// One plan for all rows against a posterior planned anew for every row.
fn posteriors(network: &Network, columns: &[Codes], one_unknown_in: usize) {
    let n_rows = 10_000;
    let known: Vec<bool> = (0..N_NODES).map(|i| i % one_unknown_in != 1).collect();
    let rows: Vec<Vec<u32>> = (0..n_rows)
        .map(|row| {
            let cells = columns.iter().map(|column| column.get(row));
            cells.map(|code| code.expect("no gaps")).collect()
        })
        .collect();
    let (plain, _) = fastest(1, || {
        for row in &rows {
            let evidence: Vec<Option<u32>> = row
                .iter()
                .zip(&known)
                .map(|(&code, &known)| known.then_some(code))
                .collect();
            network.posterior(0, &evidence).expect("small tables");
        }
    });
    let (seconds, ()) = fastest(5, || {
        let plan = PosteriorPlan::new(network, 0, &known).expect("small tables");
        let mut buffer = PosteriorBuffer::default();
        for row in &rows {
            plan.posterior(row, &mut buffer).expect("a row");
        }
    });
    let n_unknown = known.iter().filter(|&&known| !known).count();
    report(
        &format!("{n_rows} posteriors, {n_unknown} of {N_NODES} unknown"),
        seconds,
        plain,
    );
}
