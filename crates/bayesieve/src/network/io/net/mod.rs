//! NET, the format of Hugin.
//!
//! Read: what Hugin, bnlearn, pgmpy and pyAgrum write for networks of discrete chance nodes.
//! - `data` lists all cells, in nested parentheses or in one pair: the node's own state
//!   changes fastest, then the last parent.
//! - States are in quotes or bare. Fields of no concern here are passed over.
//!
//! Written: the name of a node in NET must be an identifier. A node whose name is none gets
//! one made of its letters and its number; its real name stands in the fields `label`, which
//! Hugin shows, and `bayesieve_name`, which the reader of this module takes.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use super::super::Network;
use super::draft::{Draft, Layout, Numbers};
use super::text::{Comments, Name, Scanner, Stops, Word, in_quotes};
use super::{check_whole_tables, push_numbers};
use crate::{Error, Result, quoted};

/// What ends a word or a number.
const STOPS: Stops = Stops::new(b"{}()|=;\"");

/// The field that holds a name which is no identifier.
const NAME_FIELD: &str = "bayesieve_name";

/// Words with a meaning of their own, which no node should have for a name.
const KEYWORDS: [&str; 11] = [
    "net",
    "class",
    "node",
    "discrete",
    "continuous",
    "boolean",
    "decision",
    "utility",
    "function",
    "instance",
    "potential",
];

/// Reads a network from text in Hugin's NET.
///
/// # Errors
/// Text that is no NET, nodes that are not discrete chance nodes, or no network: each error
/// names the line.
///
/// # Cost
/// Two passes over the text.
///
/// # Example
/// ```
/// use bayesieve::network::parse_net;
///
/// let network = parse_net(
///     "net { }
///      node rain { states = (\"no\" \"yes\"); }
///      node wet { states = (\"no\" \"yes\"); label = \"Wet grass\"; }
///      potential ( rain ) { data = (0.8 0.2); }
///      potential ( wet | rain ) { data = ((0.9 0.1) % no
///                                         (0.3 0.7)); }",
/// )?;
/// assert_eq!(network.dag().n_arcs(), 1);
/// assert_eq!(*network.table(1).row(&[1]), [0.3, 0.7]);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn parse_net(text: &str) -> Result<Network> {
    let mut reader = Reader {
        scanner: Scanner::new(text, Comments::Percent),
        draft: Draft::new(text),
        nodes: HashMap::new(),
    };
    let mut tables = Vec::new();
    while reader.scanner.peek()?.is_some() {
        let what = "net, node or potential";
        let mut word = reader.scanner.expect_word(STOPS, what)?;
        if word.text == "discrete" {
            word = reader.scanner.expect_word(STOPS, "the kind of the node")?;
        }
        match word.text {
            "net" => reader.scanner.skip_block()?,
            "node" => reader.node()?,
            // A table may stand before the nodes it names.
            "potential" => {
                let start = reader.scanner.place();
                reader.scanner.skip_block()?;
                tables.push((start, reader.scanner.place()));
            }
            "continuous" | "boolean" | "decision" | "utility" | "function" | "instance" => {
                return Err(reader.other_kind(word)?);
            }
            "class" => {
                let error = reader
                    .scanner
                    .error(word.at, "the network is made of classes");
                return Err(error.with_hint("Save it as one plain network, without instances."));
            }
            _ => return Err(reader.scanner.at_place(word.at).unexpected(what)),
        }
    }
    for (start, end) in tables {
        reader.scanner = reader.scanner.at_place(start);
        reader.potential(start)?;
        reader.scanner.expect_end(end)?;
    }
    reader.draft.finish()
}

struct Reader<'a> {
    scanner: Scanner<'a>,
    draft: Draft<'a>,
    /// The nodes by their identifiers.
    nodes: HashMap<&'a str, usize>,
}

impl<'a> Reader<'a> {
    /// The error for a node that is no discrete chance node, behind its kind.
    fn other_kind(&mut self, kind: Word<'a>) -> Result<Error> {
        let mut name = self.scanner.expect_word(STOPS, "the name of a node")?;
        if KEYWORDS.contains(&name.text) {
            name = self.scanner.expect_word(STOPS, "the name of a node")?;
        }
        let what = format!(
            "node {} is of the kind {}",
            quoted(name.text),
            quoted(kind.text)
        );
        let error = self.scanner.error(kind.at, what);
        Ok(error.with_hint("Only discrete chance nodes can be read."))
    }

    /// A node, behind the word `node`.
    fn node(&mut self) -> Result<()> {
        let identifier = self.scanner.expect_word(STOPS, "the name of a node")?;
        let mut name = identifier.name();
        let mut states = None;
        self.scanner.expect(b'{')?;
        while !self.scanner.take(b'}')? {
            let field = self.scanner.expect_word(STOPS, "a field or \"}\"")?;
            match field.text {
                "states" if states.is_some() => {
                    let what = format!("node {} has its states twice", quoted(identifier.text));
                    return Err(self.scanner.error(field.at, what));
                }
                "states" => states = Some(self.states()?),
                NAME_FIELD => {
                    self.scanner.expect(b'=')?;
                    name = self.scanner.expect_word(STOPS, "a name in quotes")?.name();
                    self.scanner.expect(b';')?;
                }
                _ => self.scanner.skip_statement()?,
            }
        }
        let node = self.draft.declare(&name, &states.unwrap_or_default())?;
        if self.nodes.insert(identifier.text, node).is_some() {
            let what = format!("node {} is declared twice", quoted(identifier.text));
            return Err(self.scanner.error(identifier.at, what));
        }
        Ok(())
    }

    /// The states of a node, behind the word `states`.
    fn states(&mut self) -> Result<Vec<Name<'a>>> {
        self.scanner.expect(b'=')?;
        self.scanner.expect(b'(')?;
        let mut states = Vec::new();
        while let Some(word) = self.scanner.word(STOPS)? {
            states.push(word.name());
        }
        self.scanner.expect(b')')?;
        self.scanner.expect(b';')?;
        Ok(states)
    }

    /// A table, behind the word `potential`.
    fn potential(&mut self, at: usize) -> Result<()> {
        self.scanner.expect(b'(')?;
        let word = self.scanner.expect_word(STOPS, "the name of a node")?;
        let node = self.known_node(word)?;
        let mut parents = Vec::new();
        if self.scanner.take(b'|')? {
            while let Some(word) = self.scanner.word(STOPS)? {
                parents.push(self.known_node(word)?);
            }
        }
        self.scanner.expect(b')')?;
        let family = self.draft.family(node, parents, at)?;
        let mut cells = None;
        self.scanner.expect(b'{')?;
        while !self.scanner.take(b'}')? {
            let field = self.scanner.expect_word(STOPS, "a field or \"}\"")?;
            match field.text {
                "data" if cells.is_some() => {
                    let what = format!("{} has its data twice", self.draft.label(node));
                    return Err(self.scanner.error(field.at, what));
                }
                "data" => cells = Some(self.data()?),
                _ => self.scanner.skip_statement()?,
            }
        }
        let Some(cells) = cells else {
            let what = format!("the table of {} has no data", self.draft.label(node));
            return Err(self.scanner.error(at, what));
        };
        self.draft.set_cells(family, &cells, Layout::NodeFastest)
    }

    fn known_node(&self, word: Word<'a>) -> Result<usize> {
        match self.nodes.get(word.text) {
            Some(&node) => Ok(node),
            None => self.draft.known_node(&word.name()),
        }
    }

    /// All cells, behind the word `data`.
    fn data(&mut self) -> Result<Numbers> {
        self.scanner.expect(b'=')?;
        self.scanner.expect(b'(')?;
        let mut depth = 1usize;
        let mut cells = Numbers::default();
        while depth > 0 {
            if self.scanner.take(b'(')? {
                depth += 1;
            } else if self.scanner.take(b')')? {
                depth -= 1;
            } else if let Some(number) = self.scanner.number(STOPS)? {
                cells.push(number);
            } else {
                return Err(self.scanner.unexpected("a number or \")\""));
            }
        }
        self.scanner.expect(b';')?;
        Ok(cells)
    }
}

/// The network as text in Hugin's NET.
///
/// Probabilities have as many digits as it takes to read the same numbers back. A name that
/// is no identifier goes into a field of its own, under an identifier made for it; names
/// with a quote or a backslash are written with a backslash before it, which other programs
/// may not know.
///
/// # Errors
/// A table that does not hold all its rows: NET knows whole tables only.
///
/// # Example
/// ```
/// use bayesieve::network::{parse_net, to_net};
///
/// let text = "net\n{\n}\nnode x\n{\n  states = ( \"no\" \"yes\" );\n}\n\
///             potential ( x )\n{\n  data = (0.25 0.75);\n}\n";
/// assert_eq!(to_net(&parse_net(text)?)?, text);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn to_net(network: &Network) -> Result<String> {
    check_whole_tables(network, "NET")?;
    let identifiers = identifiers(network);
    let mut out = String::from("net\n{\n}\n");
    for (variable, identifier) in network.variables().iter().zip(&identifiers) {
        let states: Vec<String> = variable
            .states
            .iter()
            .map(|state| in_quotes(state))
            .collect();
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "node {identifier}\n{{\n  states = ( {} );\n",
            states.join(" ")
        );
        if *identifier != variable.name {
            let name = in_quotes(&variable.name);
            let _ = write!(out, "  label = {name};\n  {NAME_FIELD} = {name};\n");
        }
        out.push_str("}\n");
    }
    for (node, identifier) in identifiers.iter().enumerate() {
        let parents = network.dag().parents(node);
        let names: Vec<&str> = parents.iter().map(|&p| identifiers[p].as_str()).collect();
        let bar = if parents.is_empty() { "" } else { " | " };
        let _ = write!(
            out,
            "potential ( {identifier}{bar}{} )\n{{\n  data = ",
            names.join(" ")
        );
        let table = network.table(node);
        let mut is_first = true;
        table.for_each_row(|values, row| {
            // A parenthesis opens for each parent that begins again, and one for the row.
            let n_open = values.iter().rev().take_while(|&&value| value == 0).count();
            let last = values.iter().zip(table.parent_states()).rev();
            let n_close = last
                .take_while(|&(&value, &n)| value as usize + 1 == n)
                .count();
            out.push_str(if is_first { "" } else { "\n    " });
            is_first = false;
            out.extend(std::iter::repeat_n('(', n_open + 1));
            push_numbers(&mut out, row, " ");
            out.extend(std::iter::repeat_n(')', n_close + 1));
        });
        out.push_str(";\n}\n");
    }
    Ok(out)
}

/// An identifier for every node: its name where that is one.
fn identifiers(network: &Network) -> Vec<String> {
    let names = || network.variables().iter().map(|v| v.name.as_str());
    let mut taken: HashSet<String> = names()
        .filter(|n| is_identifier(n))
        .map(Into::into)
        .collect();
    let mut made = Vec::with_capacity(taken.len());
    for (node, name) in names().enumerate() {
        if is_identifier(name) {
            made.push(name.to_string());
            continue;
        }
        let is_letter = |letter: char| letter.is_ascii_alphanumeric();
        let letters = name.chars().map(|l| if is_letter(l) { l } else { '_' });
        let mut identifier: String = std::iter::once('_').chain(letters).collect();
        // The number of the node sets names of equal letters apart.
        let _ = write!(identifier, "_{node}");
        while !taken.insert(identifier.clone()) {
            identifier.push('_');
        }
        made.push(identifier);
    }
    made
}

fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    letters
        .next()
        .is_some_and(|l| l.is_ascii_alphabetic() || l == '_')
        && letters.all(|l| l.is_ascii_alphanumeric() || l == '_')
        && !KEYWORDS.contains(&name)
}

#[cfg(test)]
mod tests;
