//! XMLBIF 0.3, the XML form of BIF.
//!
//! Read: what WEKA, JavaBayes, pgmpy and pyAgrum write. In a `TABLE` the node's own state
//! changes fastest and the first `GIVEN` slowest. Blanks around names do not count unless
//! the element says `xml:space="preserve"`. Comments may stand between numbers; properties
//! are passed over.
//!
//! Well-formedness is left to a maintained parser, which never calls itself for nested
//! elements and says the line. What can cost it more than linear work, entities of a
//! document's own and thousands of attributes or namespaces, is refused before.
//!
//! Written: without a document type, which pyAgrum cannot read.

use std::borrow::Cow;
use std::fmt::Write;

use roxmltree::{Document, Node, ParsingOptions};

use super::super::Network;
use super::draft::{Draft, Layout, Numbers};
use super::text::{Name, line_at};
use super::{check_whole_tables, push_numbers};
use crate::data::parse_number;
use crate::{Error, Result, printable, quoted};

/// Most attributes of an element, and namespaces of a document; XMLBIF has one and none.
const MAX_ATTRIBUTES: usize = 1_000;

/// The blanks of XML.
const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

/// Reads a network from text in XMLBIF 0.3.
///
/// # Errors
/// Text that is no well-formed XML, nodes that are not chance nodes, or no network: each
/// error names the line.
///
/// # Example
/// ```
/// use bayesieve::network::parse_xmlbif;
///
/// let network = parse_xmlbif(
///     "<BIF VERSION='0.3'><NETWORK><NAME>weather</NAME>
///      <VARIABLE TYPE='nature'><NAME>rain</NAME><OUTCOME>no</OUTCOME><OUTCOME>yes</OUTCOME></VARIABLE>
///      <VARIABLE TYPE='nature'><NAME>wet</NAME><OUTCOME>no</OUTCOME><OUTCOME>yes</OUTCOME></VARIABLE>
///      <DEFINITION><FOR>rain</FOR><TABLE>0.8 0.2</TABLE></DEFINITION>
///      <DEFINITION><FOR>wet</FOR><GIVEN>rain</GIVEN><TABLE>0.9 0.1  0.3 0.7</TABLE></DEFINITION>
///      </NETWORK></BIF>",
/// )?;
/// assert_eq!(network.dag().n_arcs(), 1);
/// assert_eq!(*network.table(1).row(&[1]), [0.3, 0.7]);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn parse_xmlbif(text: &str) -> Result<Network> {
    // The line ends of XML, made here so that places in the text stay right.
    let text = if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    };
    refuse_bombs(&text)?;
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(&text, options)
        .map_err(|error| not_well_formed(&text, &error))?;
    let mut reader = Reader {
        text: &text,
        draft: Draft::new(&text),
    };
    let network = reader.network(document.root_element())?;
    for variable in elements(network, "VARIABLE") {
        reader.variable(variable)?;
    }
    for definition in elements(network, "DEFINITION") {
        reader.definition(definition)?;
    }
    reader.draft.finish()
}

/// Refuses what a parser of XML may need more than linear time or memory for.
fn refuse_bombs(text: &str) -> Result<()> {
    let refused = |at, what: String, hint: &str| {
        Err(Error::data(what).at_line(line_at(text, at)).with_hint(hint))
    };
    if let Some(at) = text.find("<!ENTITY") {
        let what = "the document declares an entity of its own".into();
        return refused(at, what, "Write the text that the entity stands for.");
    }
    if let Some((at, _)) = text.match_indices("xmlns").nth(MAX_ATTRIBUTES) {
        let what = format!("the document declares more than {MAX_ATTRIBUTES} namespaces");
        return refused(at, what, "XMLBIF needs none.");
    }
    let mut at = 0;
    // A tag has no "<" inside, so a piece is at most one tag and the text behind it.
    for piece in text.split('<') {
        let n_equals = piece.bytes().filter(|&byte| byte == b'=').count();
        if n_equals > MAX_ATTRIBUTES {
            let what = format!("an element has more than {MAX_ATTRIBUTES} attributes");
            return refused(at, what, "XMLBIF needs one.");
        }
        at += piece.len() + 1;
    }
    Ok(())
}

/// The children of a name.
fn elements<'a, 'd>(
    parent: Node<'a, 'd>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'd>> {
    parent
        .children()
        .filter(move |child| child.has_tag_name(name))
}

struct Reader<'d> {
    text: &'d str,
    draft: Draft<'d>,
}

impl<'d> Reader<'d> {
    /// The one network of a document.
    fn network<'a>(&self, root: Node<'a, 'd>) -> Result<Node<'a, 'd>> {
        if !root.has_tag_name("BIF") {
            let what = format!(
                "the root of the XML is {}, not \"BIF\"",
                quoted(root.tag_name().name())
            );
            return Err(self.error(root, what).with_hint("Only XMLBIF can be read."));
        }
        self.only_child(root, "NETWORK", "the document")
    }

    fn variable(&mut self, variable: Node<'_, 'd>) -> Result<()> {
        let name = self.name(self.only_child(variable, "NAME", "a VARIABLE")?)?;
        let kind = variable.attribute("TYPE").unwrap_or("nature");
        if !matches!(kind, "nature" | "discrete") {
            let what = format!(
                "node {} is of the kind {}",
                quoted(&name.text),
                quoted(kind)
            );
            let error = self.error(variable, what);
            return Err(error.with_hint("Only discrete chance nodes can be read."));
        }
        let states = elements(variable, "OUTCOME").map(|outcome| self.name(outcome));
        let states: Vec<Name<'_>> = states.collect::<Result<_>>()?;
        self.draft.declare(&name, &states).map(drop)
    }

    fn definition(&mut self, definition: Node<'_, 'd>) -> Result<()> {
        let node = self.name(self.only_child(definition, "FOR", "a DEFINITION")?)?;
        let node = self.draft.known_node(&node)?;
        let mut parents = Vec::new();
        for given in elements(definition, "GIVEN") {
            parents.push(self.draft.known_node(&self.name(given)?)?);
        }
        let family = self.draft.family(node, parents, definition.range().start)?;
        let owner = format!("the DEFINITION of {}", self.draft.label(node));
        let table = self.only_child(definition, "TABLE", &owner)?;
        let cells = self.numbers(table)?;
        self.draft.set_cells(family, &cells, Layout::NodeFastest)
    }

    /// The one child of a name.
    fn only_child<'a>(
        &self,
        parent: Node<'a, 'd>,
        name: &'static str,
        owner: &str,
    ) -> Result<Node<'a, 'd>> {
        let mut children = elements(parent, name);
        match (children.next(), children.next()) {
            (Some(child), None) => Ok(child),
            (None, _) => Err(self.error(parent, format!("{owner} has no {name}"))),
            (_, Some(second)) => Err(self.error(second, format!("{owner} has a second {name}"))),
        }
    }

    /// The text of an element as a name.
    fn name(&self, element: Node<'_, 'd>) -> Result<Name<'static>> {
        let mut text = String::new();
        for child in element.children() {
            if child.is_element() {
                let tag = quoted(child.tag_name().name());
                return Err(self.error(child, format!("{tag} stands inside a name")));
            }
            text.push_str(child.text().filter(|_| child.is_text()).unwrap_or_default());
        }
        let space = (roxmltree::NS_XML_URI, "space");
        if element.attribute(space) != Some("preserve") {
            text = text.trim_matches(BLANKS).to_string();
            if text.is_empty() {
                let what = format!("this {} is empty", element.tag_name().name());
                return Err(self.error(element, what));
            }
        }
        Ok(Name {
            text: Cow::Owned(text),
            at: element.range().start,
        })
    }

    /// The numbers in an element, comments passed over.
    fn numbers(&self, element: Node<'_, 'd>) -> Result<Numbers> {
        let mut numbers = Numbers::default();
        for child in element.children().filter(Node::is_text) {
            let start = child.range().start;
            let text = child.text().unwrap_or_default();
            // Text with references or CDATA is not in the document as it stands.
            let is_in_place = self.text[start..].starts_with(text);
            let mut rest = text.trim_start_matches(BLANKS);
            while !rest.is_empty() {
                let offset = if is_in_place {
                    text.len() - rest.len()
                } else {
                    0
                };
                let (word, tail) = rest.split_at(rest.find(BLANKS).unwrap_or(rest.len()));
                rest = tail.trim_start_matches(BLANKS);
                let Some(number) = parse_number(word) else {
                    let what = format!("{} is not a number", quoted(word));
                    return Err(self.draft.error(start + offset, what));
                };
                numbers.push((number, start + offset));
            }
        }
        Ok(numbers)
    }

    fn error(&self, element: Node<'_, 'd>, message: impl Into<String>) -> Error {
        self.draft.error(element.range().start, message)
    }
}

/// The error for text that is no XML.
fn not_well_formed(text: &str, error: &roxmltree::Error) -> Error {
    use roxmltree::Error::{NoRootNode, UnclosedRootNode, UnexpectedEndOfStream};
    let line = match error {
        // These happen at the end of the text.
        NoRootNode | UnclosedRootNode | UnexpectedEndOfStream => line_at(text, text.len()),
        _ => u64::from(error.pos().row),
    };
    let what = printable(&error.to_string(), 200);
    Error::data(format!("the XML is not well-formed: {what}")).at_line(line)
}

/// The network as text in XMLBIF 0.3.
///
/// Probabilities have as many digits as it takes to read the same numbers back. A name that
/// is empty or has blanks around it is marked by `xml:space="preserve"`.
///
/// # Errors
/// A name with a control character that XML cannot hold, or a table that does not hold all
/// its rows: XMLBIF knows whole tables only.
///
/// # Example
/// ```
/// use bayesieve::network::{parse_bif, parse_xmlbif, to_xmlbif};
///
/// let network = parse_bif(
///     "variable x { type discrete [ 2 ] { <5, >=5 }; }
///      probability ( x ) { table 0.25, 0.75; }",
/// )?;
/// let text = to_xmlbif(&network)?;
/// assert!(text.contains("<OUTCOME>&lt;5</OUTCOME>"));
/// assert_eq!(parse_xmlbif(&text)?, network);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn to_xmlbif(network: &Network) -> Result<String> {
    check_whole_tables(network, "XMLBIF")?;
    let variables = network.variables();
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <BIF VERSION=\"0.3\">\n<NETWORK>\n<NAME>unknown</NAME>\n",
    );
    for variable in variables {
        out.push_str("<VARIABLE TYPE=\"nature\">\n");
        push_name(&mut out, "NAME", &variable.name)?;
        for state in &variable.states {
            push_name(&mut out, "OUTCOME", state)?;
        }
        out.push_str("</VARIABLE>\n");
    }
    for (node, variable) in variables.iter().enumerate() {
        out.push_str("<DEFINITION>\n");
        push_name(&mut out, "FOR", &variable.name)?;
        for &parent in network.dag().parents(node) {
            push_name(&mut out, "GIVEN", &variables[parent].name)?;
        }
        out.push_str("\t<TABLE>\n");
        network.table(node).for_each_row(|_, row| {
            out.push_str("\t\t");
            push_numbers(&mut out, row, " ");
            out.push('\n');
        });
        out.push_str("\t</TABLE>\n</DEFINITION>\n");
    }
    out.push_str("</NETWORK>\n</BIF>\n");
    Ok(out)
}

/// Writes a name as the text of an element.
fn push_name(out: &mut String, tag: &str, name: &str) -> Result<()> {
    let is_bare = !name.is_empty() && name.trim_matches(BLANKS) == name;
    let space = if is_bare {
        ""
    } else {
        " xml:space=\"preserve\""
    };
    // Writing to a string cannot fail.
    let _ = write!(out, "\t<{tag}{space}>");
    for letter in name.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // Bare, it would be read as a line feed.
            '\r' => out.push_str("&#13;"),
            '\t' | '\n' => out.push(letter),
            '\0'..='\x1F' | '\u{FFFE}' | '\u{FFFF}' => {
                let what = format!(
                    "the name {} has a character that XML cannot hold",
                    quoted(name)
                );
                return Err(Error::output(what).with_hint("Write .bif, .net or .json instead."));
            }
            _ => out.push(letter),
        }
    }
    let _ = writeln!(out, "</{tag}>");
    Ok(())
}

#[cfg(test)]
mod tests;
