//! `bayesieve network`: look at, sample, convert network files.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bayesieve::data::{check_table_path, unknown_name, write_table};
use bayesieve::document::{Seconds, to_text, whole};
use bayesieve::network::{Network, check_network_path, read_network, write_network};
use bayesieve::wording::{counted, grouped};
use bayesieve::{Observer, Result};
use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};

use crate::options::{check_paths, require_file, start};
use crate::output;
use crate::text::{self, TextTable};

/// Look at, sample and convert Bayesian networks (BIF, XMLBIF, Hugin NET, JSON)
#[derive(Args)]
#[command(arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  bayesieve network info alarm.bif
  bayesieve network boundary alarm.bif HR
  bayesieve network sample alarm.bif --rows 10000 -o alarm.csv
  bayesieve network convert alarm.bif -o alarm.net")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Count nodes, arcs and parameters; list states and parents
    Info {
        /// The network
        file: PathBuf,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// The Markov boundary of a node: parents, children and the children's other parents
    Boundary {
        /// The network
        file: PathBuf,
        /// The node
        node: String,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Draw rows from the network
    Sample(SampleArguments),
    /// Write the network in another format, by extension: .bif .xml .net .dot .json
    Convert(ConvertArguments),
}

#[derive(Args)]
struct SampleArguments {
    /// The network
    file: PathBuf,
    /// Number of rows
    #[arg(long, default_value_t = 1000, value_name = "N")]
    rows: usize,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Write to this file, CSV or Parquet by extension, instead of CSV on standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print a summary as JSON (with -o)
    #[arg(long, requires = "output")]
    json: bool,
    /// Threads to use, 0 for all cores; never changes an answer
    #[arg(long, default_value_t = 0, value_name = "N")]
    threads: usize,
    /// No notes; errors still show
    #[arg(long)]
    quiet: bool,
}

#[derive(Args)]
struct ConvertArguments {
    /// The network
    file: PathBuf,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Print a summary as JSON
    #[arg(long)]
    json: bool,
    /// No notes; errors still show
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.command {
        Command::Info { file, json } => info(file, *json),
        Command::Boundary { file, node, json } => boundary(file, node, *json),
        Command::Convert(arguments) => convert(arguments),
        Command::Sample(arguments) => draw(arguments),
    }
}

/// Reads the network, and writes it in the format of the other file.
fn convert(arguments: &ConvertArguments) -> Result<()> {
    let output = &arguments.output;
    require_file("-o", output)?;
    check_paths(&[&arguments.file], &[("-o", Some(output))])?;
    check_network_path(output)?;
    let (network, read) = read(&arguments.file)?;
    let start = Instant::now();
    write_network(output, &network)?;
    let (n_nodes, n_arcs) = (network.dag().n_nodes(), network.dag().n_arcs());
    if arguments.json {
        return output::print(&to_text(&json!({
            "schema": "bayesieve.conversion.v1",
            "nodes": n_nodes,
            "arcs": n_arcs,
            "file": output.to_string_lossy(),
            "seconds": Seconds::new(read, start.elapsed()),
        }))?);
    }
    let nodes = counted(n_nodes as u64, "node");
    let arcs = counted(n_arcs as u64, "arc");
    let to = text::file(output);
    output::note(
        arguments.quiet,
        &format!("wrote {nodes} and {arcs} to {to}"),
    );
    Ok(())
}

/// Reads a network and says how long it took.
fn read(file: &Path) -> Result<(Network, Duration)> {
    let start = Instant::now();
    let network = read_network(file)?;
    Ok((network, start.elapsed()))
}

fn info(file: &Path, is_json: bool) -> Result<()> {
    let (network, read) = read(file)?;
    let (dag, variables) = (network.dag(), network.variables());
    let name = |node: usize| variables[node].name.as_str();
    if is_json {
        let states: Map<String, Value> = variables
            .iter()
            .map(|v| (v.name.clone(), json!(v.states)))
            .collect();
        let parents: Map<String, Value> = (0..dag.n_nodes())
            .map(|node| {
                let parents: Vec<&str> = dag.parents(node).iter().map(|&p| name(p)).collect();
                (name(node).to_owned(), json!(parents))
            })
            .collect();
        return output::print(&to_text(&json!({
            "schema": "bayesieve.network-info.v1",
            "nodes": dag.n_nodes(),
            "arcs": dag.n_arcs(),
            "parameters": whole(network.n_parameters()),
            "states": states,
            "parents": parents,
            "seconds": Seconds::new(read, Duration::ZERO),
        }))?);
    }
    let mut table = TextTable::new(0..dag.n_nodes());
    table.words("node", |node| text::name(name(node)));
    table.number(
        "states",
        |node| grouped(variables[node].states.len() as u64),
    );
    table.words("parents", |node| {
        let parents = dag.parents(node).iter();
        let parents: Vec<String> = parents.map(|&p| text::name(name(p))).collect();
        parents.join(", ")
    });
    output::print(&format!(
        "{}: {}, {}, {}\n\n{}",
        text::file(file),
        counted(dag.n_nodes() as u64, "node"),
        counted(dag.n_arcs() as u64, "arc"),
        counted(network.n_parameters() as u64, "free parameter"),
        table.print()
    ))
}

fn boundary(file: &Path, node: &str, is_json: bool) -> Result<()> {
    let (network, read) = read(file)?;
    let start = Instant::now();
    let name = |node: usize| network.variables()[node].name.as_str();
    let names = (0..network.variables().len()).map(name);
    let found = network
        .node(node)
        .ok_or_else(|| unknown_name("node", node, names))?;
    let dag = network.dag();
    let parts = [
        ("parents", dag.parents(found).to_vec()),
        ("children", dag.children(found).to_vec()),
        ("spouses", dag.spouses(found)),
        ("boundary", dag.boundary(found)),
    ];
    if is_json {
        let mut document = json!({"schema": "bayesieve.boundary.v1", "node": node});
        for (what, nodes) in parts {
            document[what] = nodes.into_iter().map(name).collect();
        }
        document["seconds"] = json!(Seconds::new(read, start.elapsed()));
        return output::print(&to_text(&document)?);
    }
    let rows = parts.map(|(what, nodes)| {
        let names: Vec<String> = nodes.iter().map(|&node| text::name(name(node))).collect();
        vec![what.to_owned(), names.len().to_string(), names.join(", ")]
    });
    output::print(&text::rows(&[], rows.into()))
}

fn draw(arguments: &SampleArguments) -> Result<()> {
    let SampleArguments {
        file, rows, seed, ..
    } = arguments;
    let output = &arguments.output;
    check_paths(&[file], &[("-o", output.as_ref())])?;
    if let Some(path) = output {
        check_table_path(path)?;
    }
    let progress = start(arguments.threads, arguments.quiet)?;
    progress.stage("sampling");
    let (network, read) = read(file)?;
    let start = Instant::now();
    let table = network.sample(*rows, *seed, &progress)?;
    progress.check()?;
    let Some(path) = output else {
        return output::print_table(&table, &progress);
    };
    write_table(path, &table, &progress)?;
    drop(progress);
    let size = counted(table.n_rows() as u64, "row");
    output::note(
        arguments.quiet || arguments.json,
        &format!("wrote {size} to {}", text::file(path)),
    );
    if arguments.json {
        output::print(&to_text(&json!({
            "schema": "bayesieve.sample.v1",
            "rows": rows,
            "seed": seed,
            "columns": table.names().collect::<Vec<_>>(),
            "file": path.to_string_lossy(),
            "seconds": Seconds::new(read, start.elapsed()),
        }))?)?;
    }
    Ok(())
}
