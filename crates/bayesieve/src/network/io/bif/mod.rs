//! BIF, the format of the Bayesian network repository.
//!
//! Read: what the repository, bnlearn, pgmpy, pyAgrum and JavaBayes write.
//! - A name is bare or in quotes. A bare one goes on to a comma, a bar or the closing sign;
//!   a run of blanks inside it counts as one blank.
//! - Without commas, blanks stand between states and between parents, as in the old form
//!   `probability ( X A B )`, which also leaves out the bar.
//! - A table is one row per combination of the parents' states, or one list of all cells
//!   (`table`). In the list the node's own state changes slowest and the last parent
//!   fastest: so read pgmpy and pyAgrum, and so wrote JavaBayes; bnlearn knows rows only.
//! - `default` is the row of all combinations that have none of their own.
//! - Properties and the name of the network are passed over.
//!
//! Written: one row per combination, which nobody can misread, in bnlearn's layout. Names
//! stand bare where every reader of this module can tell their end, else in quotes.

use std::fmt::Write;

use super::super::Network;
use super::draft::{Draft, DraftRow, DraftRows, Family, Layout, Numbers};
use super::push_numbers;
use super::text::{Comments, List, Name, Scanner, Stops, Word, in_quotes};
use crate::{Result, quoted};

/// What ends a keyword or a number.
const STOPS: Stops = Stops::new(b"{}()[],;|=");

/// Reads a network from text in BIF.
///
/// # Errors
/// Text that is no BIF, or no network: each error names the line.
///
/// # Cost
/// Two passes over the text; linear but for sorting the rows of each table.
///
/// # Example
/// ```
/// use bayesieve::network::parse_bif;
///
/// let network = parse_bif(
///     "network weather { }
///      variable rain { type discrete [ 2 ] { no, yes }; }
///      variable wet { type discrete [ 2 ] { no, yes }; }
///      probability ( rain ) { table 0.8, 0.2; }
///      probability ( wet | rain ) { (no) 0.9, 0.1; (yes) 0.3, 0.7; }",
/// )?;
/// assert_eq!(network.dag().n_arcs(), 1);
/// assert_eq!(*network.table(1).row(&[1]), [0.3, 0.7]);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn parse_bif(text: &str) -> Result<Network> {
    let mut reader = Reader {
        scanner: Scanner::new(text, Comments::Slashes),
        draft: Draft::new(text),
        list: List::default(),
        codes: Vec::new(),
        numbers: Numbers::default(),
    };
    let mut tables = Vec::new();
    while reader.scanner.peek()?.is_some() {
        let what = "network, variable or probability";
        let word = reader.scanner.expect_word(STOPS, what)?;
        match word.text {
            "network" => reader.scanner.skip_block()?,
            "variable" => reader.variable()?,
            // A table may stand before the nodes it names.
            "probability" => {
                let start = reader.scanner.place();
                reader.scanner.skip_block()?;
                tables.push((start, reader.scanner.place()));
            }
            _ => return Err(reader.scanner.at_place(word.at).unexpected(what)),
        }
    }
    for (start, end) in tables {
        reader.scanner = reader.scanner.at_place(start);
        reader.table(start)?;
        reader.scanner.expect_end(end)?;
    }
    reader.draft.finish()
}

struct Reader<'a> {
    scanner: Scanner<'a>,
    draft: Draft<'a>,
    /// The list read last.
    list: List<'a>,
    /// The parents' values of the row read last.
    codes: Vec<u32>,
    /// The numbers read last.
    numbers: Numbers,
}

impl<'a> Reader<'a> {
    /// A node, behind the word `variable`.
    fn variable(&mut self) -> Result<()> {
        self.scanner.list(b"{", &mut self.list)?;
        let name = match self.list.len() {
            1 => self.name(self.list.words())?,
            _ => return Err(self.scanner.unexpected("the name of a node")),
        };
        let mut states = None;
        while !self.scanner.take(b'}')? {
            let what = "type, property or \"}\"";
            let word = self.scanner.expect_word(STOPS, what)?;
            match word.text {
                "type" if states.is_some() => {
                    let what = format!("node {} has a second type", quoted(&name.text));
                    return Err(self.scanner.error(word.at, what));
                }
                "type" => states = Some(self.states(&name)?),
                "property" => self.scanner.skip_statement()?,
                _ => return Err(self.scanner.at_place(word.at).unexpected(what)),
            }
        }
        let Some(states) = states else {
            let what = format!("node {} has no type", quoted(&name.text));
            return Err(self.scanner.error(name.at, what));
        };
        self.draft.declare(&name, &states).map(drop)
    }

    /// The states of a node, behind the word `type`.
    fn states(&mut self, node: &Name<'a>) -> Result<Vec<Name<'a>>> {
        let kind = self.scanner.expect_word(STOPS, "the word discrete")?;
        if kind.text != "discrete" {
            let (node, kind_name) = (quoted(&node.text), quoted(kind.text));
            let what = format!("node {node} is of type {kind_name}");
            let error = self.scanner.error(kind.at, what);
            return Err(error.with_hint("Only discrete nodes can be read."));
        }
        self.scanner.expect(b'[')?;
        let count = self.scanner.expect_word(STOPS, "the number of states")?;
        let Ok(n_states) = count.text.parse::<usize>() else {
            let what = format!("{} is not a number of states", quoted(count.text));
            return Err(self.scanner.error(count.at, what));
        };
        self.scanner.expect(b']')?;
        self.scanner.expect(b'{')?;
        self.scanner.list(b"}", &mut self.list)?;
        self.scanner.expect(b';')?;
        let has_no_commas = self.list.len() == 1 && n_states > 1;
        let states: Vec<Name<'a>> = if has_no_commas {
            self.list.words().iter().map(Word::name).collect()
        } else {
            let items = self.list.items();
            items.map(|words| self.name(words)).collect::<Result<_>>()?
        };
        if states.len() != n_states {
            let (node, n) = (quoted(&node.text), states.len());
            let what = format!("node {node} lists {n} states, but announces {n_states}");
            return Err(self.scanner.error(count.at, what));
        }
        Ok(states)
    }

    /// The name that the words of an item make.
    fn name(&self, words: &[Word<'a>]) -> Result<Name<'a>> {
        Name::of(words).ok_or_else(|| {
            let at = words.first().map_or(0, |word| word.at);
            let what = "a name goes on behind its quotes; is a comma missing?";
            self.scanner.error(at, what)
        })
    }

    /// A table, behind the word `probability`.
    fn table(&mut self, at: usize) -> Result<()> {
        let (node, parents) = self.header()?;
        let family = self.draft.family(node, parents, at)?;
        let mut has_cells = false;
        let mut cells = Numbers::default();
        let mut rows = DraftRows::default();
        self.scanner.expect(b'{')?;
        while !self.scanner.take(b'}')? {
            let at = self.scanner.place();
            if self.scanner.take(b'(')? {
                self.row_values(&family)?;
                self.numbers()?;
                let row = self.row(at);
                self.draft.add_row(&family, &mut rows, row)?;
                continue;
            }
            let what = "a row, table, default, property or \"}\"";
            let word = self.scanner.expect_word(STOPS, what)?;
            match word.text {
                "property" => self.scanner.skip_statement()?,
                "default" => {
                    self.numbers()?;
                    let row = self.row(word.at);
                    self.draft.set_default(&family, &mut rows, row)?;
                }
                "table" if has_cells => {
                    let what = format!("{} has a second table", self.draft.label(node));
                    return Err(self.scanner.error(word.at, what));
                }
                "table" => {
                    has_cells = true;
                    self.numbers()?;
                    cells = std::mem::take(&mut self.numbers);
                }
                _ => return Err(self.scanner.at_place(word.at).unexpected(what)),
            }
        }
        if !has_cells {
            return self.draft.set_rows(family, rows);
        }
        if !rows.is_empty() {
            let what = format!("{} has a table and rows beside it", self.draft.label(node));
            return Err(self.scanner.error(at, what));
        }
        self.draft.set_cells(family, &cells, Layout::NodeSlowest)
    }

    /// The node and its parents, in parentheses.
    fn header(&mut self) -> Result<(usize, Vec<usize>)> {
        self.scanner.expect(b'(')?;
        let mut parents = Vec::new();
        if self.scanner.list(b"|)", &mut self.list)? == b'|' {
            if self.list.len() != 1 {
                return Err(self
                    .scanner
                    .unexpected("the name of one node before the bar"));
            }
            let node = self.draft.known_node(&self.name(self.list.words())?)?;
            self.scanner.list(b")", &mut self.list)?;
            for words in self.list.items() {
                self.nodes(words, &mut parents)?;
            }
            return Ok((node, parents));
        }
        for words in self.list.items() {
            self.nodes(words, &mut parents)?;
        }
        match parents.split_first() {
            Some((&node, parents)) => Ok((node, parents.to_vec())),
            None => Err(self.scanner.unexpected("the name of a node in parentheses")),
        }
    }

    /// The nodes that the words of an item name: one, or else one per word.
    fn nodes(&self, words: &[Word<'a>], nodes: &mut Vec<usize>) -> Result<()> {
        if let Some(node) = Name::of(words).and_then(|name| self.draft.node(&name.text)) {
            nodes.push(node);
            return Ok(());
        }
        for word in words {
            nodes.push(self.draft.known_node(&word.name())?);
        }
        Ok(())
    }

    /// The parents' values of a row, behind its opening parenthesis.
    fn row_values(&mut self, family: &Family) -> Result<()> {
        let at = self.scanner.place();
        let parents = family.parents();
        self.scanner.list(b")", &mut self.list)?;
        self.codes.clear();
        let words = self.list.words();
        if self.list.len() == 1 && parents.len() > 1 && words.len() == parents.len() {
            for (word, &parent) in words.iter().zip(parents) {
                self.codes
                    .push(self.draft.known_code(parent, &word.name())?);
            }
            return Ok(());
        }
        self.draft.check_values(family, self.list.len(), at)?;
        for (words, &parent) in self.list.items().zip(parents) {
            let name = self.name(words)?;
            self.codes.push(self.draft.known_code(parent, &name)?);
        }
        Ok(())
    }

    /// The row read last.
    fn row(&self, at: usize) -> DraftRow<'_> {
        DraftRow {
            values: &self.codes,
            cells: &self.numbers.values,
            at,
        }
    }

    /// Numbers up to a semicolon, with or without commas between them.
    fn numbers(&mut self) -> Result<()> {
        self.numbers.clear();
        while let Some(number) = self.scanner.number(STOPS)? {
            self.numbers.push(number);
            self.scanner.take(b',')?;
        }
        self.scanner.expect(b';')
    }
}

/// The network as text in BIF.
///
/// Probabilities have as many digits as it takes to read the same numbers back. Any name
/// can be written; other programs may not know quotes around names.
///
/// # Example
/// ```
/// use bayesieve::network::{parse_bif, to_bif};
///
/// let text = "network unknown {\n}\nvariable x {\n  type discrete [ 2 ] { no, \"not at all\" };\n}\n\
///             probability ( x ) {\n  table 0.25, 0.75;\n}\n";
/// assert_eq!(to_bif(&parse_bif(text)?), text);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn to_bif(network: &Network) -> String {
    let names: Vec<String> = network
        .variables()
        .iter()
        .map(|v| name_in_bif(&v.name))
        .collect();
    let states: Vec<Vec<String>> = network
        .variables()
        .iter()
        .map(|v| v.states.iter().map(|state| name_in_bif(state)).collect())
        .collect();
    let mut out = String::from("network unknown {\n}\n");
    for (name, states) in names.iter().zip(&states) {
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "variable {name} {{\n  type discrete [ {} ] {{ {} }};\n}}\n",
            states.len(),
            states.join(", ")
        );
    }
    for (node, name) in names.iter().enumerate() {
        let parents = network.dag().parents(node);
        let parent_names: Vec<&str> = parents.iter().map(|&p| names[p].as_str()).collect();
        let bar = if parents.is_empty() { "" } else { " | " };
        let _ = writeln!(
            out,
            "probability ( {name}{bar}{} ) {{",
            parent_names.join(", ")
        );
        let table = network.table(node);
        if let Some(default) = table.default_row() {
            out.push_str("  default ");
            push_numbers(&mut out, default, ", ");
            out.push_str(";\n");
        }
        table.for_each_row(|values, row| {
            if parents.is_empty() {
                out.push_str("  table ");
            } else {
                out.push_str("  (");
                for (place, (&parent, &value)) in parents.iter().zip(values).enumerate() {
                    out.push_str(if place == 0 { "" } else { ", " });
                    out.push_str(&states[parent][value as usize]);
                }
                out.push_str(") ");
            }
            push_numbers(&mut out, row, ", ");
            out.push_str(";\n");
        });
        out.push_str("}\n");
    }
    out
}

/// A name as it stands in BIF: bare where nothing in it could end it.
fn name_in_bif(name: &str) -> String {
    let is_plain =
        |letter: char| letter.is_alphanumeric() || "_-+.<>=%/*&!?:'#@$^~".contains(letter);
    let has_comment = name.contains("//") || name.contains("/*");
    if !name.is_empty() && name.chars().all(is_plain) && !has_comment {
        return name.into();
    }
    in_quotes(name)
}

#[cfg(test)]
mod tests;
