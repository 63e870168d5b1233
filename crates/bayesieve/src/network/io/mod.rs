//! Networks from and to files.
//!
//! | format | extensions | read | written |
//! |---|---|---|---|
//! | [BIF](parse_bif) | `.bif` | yes | yes |
//! | [XMLBIF 0.3](parse_xmlbif) | `.xml`, `.xmlbif`, `.bifxml` | yes | yes |
//! | [Hugin's NET](parse_net) | `.net`, `.hugin` | yes | yes |
//! | [JSON](parse_json) | `.json` | yes | yes |
//! | [DOT](to_dot) | `.dot`, `.gv` | no | the graph alone |
//!
//! What is written reads back as an equal network: names, states and their order, arcs, and
//! every probability to the last bit. A format that cannot hold a name or a table gives an
//! error, never another name. Rows are never scaled: a row that sums to 1 within 1e-3 is
//! kept as it stands, any other is an error.

mod bif;
mod dot;
mod draft;
mod json;
mod net;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod text;
mod xmlbif;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::str::FromStr;

pub use self::bif::{parse_bif, to_bif};
pub use self::dot::{to_dot, to_dot_with_blocks};
pub use self::json::{parse_json, to_json};
pub use self::net::{parse_net, to_net};
use self::text::{Comments, Scanner, Stops, line_at};
pub use self::xmlbif::{parse_xmlbif, to_xmlbif};
use super::Network;
use crate::data::{check_folder, unknown_name, write_whole};
use crate::{Error, Result, quoted};

/// Formats that a network can be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NetworkFormat {
    /// The Bayesian interchange format.
    Bif,
    /// Its XML form.
    Xmlbif,
    /// Hugin's.
    Net,
    /// The graph alone, for drawing.
    Dot,
    /// JSON.
    Json,
}

impl FromStr for NetworkFormat {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "bif" => Ok(NetworkFormat::Bif),
            "xmlbif" => Ok(NetworkFormat::Xmlbif),
            "net" => Ok(NetworkFormat::Net),
            "dot" => Ok(NetworkFormat::Dot),
            "json" => Ok(NetworkFormat::Json),
            _ => Err(unknown_name(
                "format",
                text,
                ["bif", "xmlbif", "net", "dot", "json"],
            )),
        }
    }
}

impl NetworkFormat {
    /// The network as a text.
    ///
    /// # Errors
    /// A name or a table that the format cannot hold.
    pub(crate) fn text(self, network: &Network) -> Result<String> {
        match self {
            NetworkFormat::Bif => Ok(to_bif(network)),
            NetworkFormat::Xmlbif => to_xmlbif(network),
            NetworkFormat::Net => to_net(network),
            NetworkFormat::Json => Ok(to_json(network)),
            NetworkFormat::Dot => Ok(to_dot(network)),
        }
    }

    fn of_extension(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_string_lossy().to_ascii_lowercase();
        match extension.as_str() {
            "bif" => Some(NetworkFormat::Bif),
            "xml" | "xmlbif" | "bifxml" => Some(NetworkFormat::Xmlbif),
            "net" | "hugin" => Some(NetworkFormat::Net),
            "json" => Some(NetworkFormat::Json),
            "dot" | "gv" => Some(NetworkFormat::Dot),
            _ => None,
        }
    }

    /// By the first sign or word that is no comment.
    fn of_content(text: &str) -> Option<Self> {
        let mut scanner = Scanner::new(text, Comments::Slashes);
        // The comments of NET, which no other format begins with.
        while scanner.peek().ok()?? == b'%' {
            let rest = &text[scanner.place()..];
            scanner = scanner.at_place(scanner.place() + rest.find('\n')?);
        }
        match scanner.peek().ok()?? {
            b'<' => return Some(NetworkFormat::Xmlbif),
            b'{' => return Some(NetworkFormat::Json),
            _ => {}
        }
        let word = scanner.word(Stops::new(b"{}()[],;|=")).ok()??;
        match word.text {
            "network" | "variable" | "probability" => Some(NetworkFormat::Bif),
            "net" | "class" | "node" | "discrete" | "continuous" | "potential" => {
                Some(NetworkFormat::Net)
            }
            "digraph" | "graph" | "strict" => Some(NetworkFormat::Dot),
            _ => None,
        }
    }
}

/// Reads a network from a file in BIF, XMLBIF, NET or JSON.
///
/// The first sign or word tells the format, and where it does not, the extension.
///
/// # Errors
/// A file that is missing, unreadable, empty, of another format, or broken: data errors
/// that name the file and the line.
///
/// # Example
/// ```
/// use bayesieve::network::read_network;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("coin.bif");
/// std::fs::write(
///     &path,
///     "variable coin { type discrete [ 2 ] { head, tail }; }
///      probability ( coin ) { table 0.5, 0.6; }",
/// )?;
/// let error = read_network(&path).unwrap_err().to_string();
/// assert!(error.ends_with(
///     "coin.bif, line 2: node \"coin\": the probabilities sum to 1.1, not to 1 within 0.001"
/// ));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_network(path: &Path) -> Result<Network> {
    let read = || {
        let bytes = fs::read(path).map_err(Error::unreadable)?;
        let text = text_of(&bytes)?;
        let format = NetworkFormat::of_content(text).or_else(|| NetworkFormat::of_extension(path));
        match format {
            _ if text.trim_ascii().is_empty() => Err(Error::data("the file is empty")),
            Some(NetworkFormat::Bif) => parse_bif(text),
            Some(NetworkFormat::Xmlbif) => parse_xmlbif(text),
            Some(NetworkFormat::Net) => parse_net(text),
            Some(NetworkFormat::Json) => parse_json(text),
            Some(NetworkFormat::Dot) => Err(Error::data("DOT holds a graph without probabilities")
                .with_hint("Give the network as BIF, XMLBIF, NET or JSON.")),
            None => Err(Error::data("the file is neither BIF, XMLBIF, NET nor JSON")),
        }
    };
    read().map_err(|error| error.in_file(path))
}

/// The bytes as text, without a byte order mark.
fn text_of(bytes: &[u8]) -> Result<&str> {
    if bytes.starts_with(b"\x1F\x8B") {
        return Err(Error::data("the file is packed by gzip").with_hint("Unpack it first: gunzip."));
    }
    if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
        return Err(Error::data("the text is UTF-16, not UTF-8")
            .with_hint("Convert it with iconv -f UTF-16 -t UTF-8."));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        Error::data("the bytes are not UTF-8")
            .at_line(line_at(&before, before.len()))
            .with_hint("Convert the file, for example with iconv -f LATIN1 -t UTF-8.")
    })?;
    Ok(text.strip_prefix('\u{FEFF}').unwrap_or(text))
}

/// Writes a network by the extension of the path: `.bif`, `.xml` or `.xmlbif`, `.net`,
/// `.json`, or `.dot` for the graph alone.
///
/// The file is written whole or not at all; see [`write_whole`].
///
/// # Errors
/// An extension that names no format (a usage error), a name or table that the format cannot
/// hold, or a file that cannot be written.
///
/// # Example
/// ```
/// use bayesieve::network::{parse_bif, read_network, write_network};
///
/// let network = parse_bif(
///     "variable coin { type discrete [ 2 ] { head, tail }; }
///      probability ( coin ) { table 0.5, 0.5; }",
/// )?;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("coin.net");
/// write_network(&path, &network)?;
/// assert_eq!(read_network(&path)?, network);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_network(path: &Path, network: &Network) -> Result<()> {
    let text = writing_format(path)?.text(network);
    let text = text.map_err(|error| error.in_file(path))?;
    write_whole(path, |writer| writer.write_all(text.as_bytes()))
}

/// Checks that a network can be written under this name, before the network is there.
///
/// # Errors
/// An extension that names no format (a usage error), or a folder that does not exist.
///
/// # Example
/// ```
/// use bayesieve::network::check_network_path;
///
/// assert!(check_network_path("alarm.net".as_ref()).is_ok());
/// assert!(check_network_path("alarm.txt".as_ref()).is_err());
/// ```
pub fn check_network_path(path: &Path) -> Result<()> {
    writing_format(path)?;
    check_folder(path)
}

fn writing_format(path: &Path) -> Result<NetworkFormat> {
    NetworkFormat::of_extension(path).ok_or_else(|| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Error::usage(format!("no format belongs to the name {}", quoted(&name)))
            .with_hint("Let it end in .bif, .xml, .net, .json or .dot.")
    })
}

/// Writes probabilities, each as the shortest decimal that reads back as the same number.
fn push_numbers(out: &mut String, numbers: &[f64], between: &str) {
    for (place, number) in numbers.iter().enumerate() {
        out.push_str(if place == 0 { "" } else { between });
        // Debug, not Display: it turns to exponents where Display writes many zeros. + 0.0
        // makes -0 a 0. Writing to a string cannot fail.
        let _ = write!(out, "{:?}", number + 0.0);
    }
}

/// Refuses tables that do not hold all their rows, for formats that know no default row.
fn check_whole_tables(network: &Network, format: &str) -> Result<()> {
    let mut nodes = network.variables().iter().enumerate();
    match nodes.find(|&(node, _)| network.table(node).default_row().is_some()) {
        Some((node, variable)) => {
            let n_rows = network
                .table(node)
                .parent_states()
                .iter()
                .map(|&n| n as f64);
            Err(Error::output(format!(
                "the table of node {} has {:.0} rows, too many to write them all, and {format} \
                 has no default row",
                quoted(&variable.name),
                n_rows.product::<f64>()
            ))
            .with_hint("Write .bif or .json instead."))
        }
        None => Ok(()),
    }
}
