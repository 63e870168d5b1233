//! DOT, the format of Graphviz: the graph alone, to be drawn.

use super::super::Network;

/// The graph as text in DOT: nodes in their order, arcs by child, then by parent.
///
/// Backslashes and quotes of a name stand behind a backslash, as Graphviz wants it.
///
/// # Example
/// ```
/// use bayesieve::network::{parse_bif, to_dot};
///
/// let network = parse_bif(
///     "variable rain { type discrete [ 2 ] { no, yes }; }
///      variable \"wet grass\" { type discrete [ 2 ] { no, yes }; }
///      probability ( rain ) { table 0.8, 0.2; }
///      probability ( \"wet grass\" | rain ) { (no) 0.9, 0.1; (yes) 0.3, 0.7; }",
/// )?;
/// assert_eq!(
///     to_dot(&network),
///     "digraph network {\n  \"rain\";\n  \"wet grass\";\n  \"rain\" -> \"wet grass\";\n}\n"
/// );
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn to_dot(network: &Network) -> String {
    to_dot_with_blocks(network, 0, &[])
}

/// As [`to_dot`], with blocks of nodes that are not the network's: each is a cluster, whose
/// nodes hang on one node of the network and on those before them in the block.
///
/// # Example
/// ```
/// use bayesieve::network::{parse_bif, to_dot_with_blocks};
///
/// let class = "variable c { type discrete [ 2 ] { no, yes }; } probability ( c ) { table 0.5, 0.5; }";
/// let text = to_dot_with_blocks(&parse_bif(class)?, 0, &[vec!["x", "y"]]);
/// let cluster = "  subgraph \"cluster_0\" {\n    \"x\";\n    \"y\";\n  }\n";
/// let arcs = "  \"c\" -> \"x\";\n  \"c\" -> \"y\";\n  \"x\" -> \"y\";\n";
/// assert_eq!(text, format!("digraph network {{\n  \"c\";\n{cluster}{arcs}}}\n"));
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn to_dot_with_blocks(network: &Network, parent: usize, blocks: &[Vec<&str>]) -> String {
    let names = network.variables().iter();
    let names: Vec<String> = names.map(|v| name_in_dot(&v.name)).collect();
    let mut out = String::from("digraph network {\n");
    for variable in network.variables() {
        push_node(&mut out, "  ", &variable.name);
    }
    for (number, block) in blocks.iter().enumerate() {
        out.push_str(&format!("  subgraph \"cluster_{number}\" {{\n"));
        block
            .iter()
            .for_each(|name| push_node(&mut out, "    ", name));
        out.push_str("  }\n");
    }
    for (from, to) in network.dag().arcs() {
        push_arc(&mut out, &names[from], &names[to]);
    }
    for block in blocks {
        let names_of_block: Vec<String> = block.iter().map(|name| name_in_dot(name)).collect();
        for (place, to) in names_of_block.iter().enumerate() {
            push_arc(&mut out, &names[parent], to);
            let before = names_of_block[..place].iter();
            before.for_each(|from| push_arc(&mut out, from, to));
        }
    }
    out.push_str("}\n");
    out
}

fn push_node(out: &mut String, indent: &str, name: &str) {
    let text = name_in_dot(name);
    out.push_str(indent);
    out.push_str(&text);
    // Labels, which are the names by default, may hold entities of HTML.
    if name.contains('&') {
        out.push_str(" [label=");
        out.push_str(&text.replace('&', "&amp;"));
        out.push(']');
    }
    out.push_str(";\n");
}

fn push_arc(out: &mut String, from: &str, to: &str) {
    out.extend(["  ", from, " -> ", to, ";\n"]);
}

fn name_in_dot(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 2);
    out.push('"');
    for letter in name.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            _ => out.push(letter),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_for_graphviz() {
        let cases = [
            ("a", r#""a""#),
            ("a \"b\"", r#""a \"b\"""#),
            (r"C:\", r#""C:\\""#),
            ("a\nb", r#""a\nb""#),
            ("é -> {", r#""é -> {""#),
        ];
        for (name, expected) in cases {
            assert_eq!(name_in_dot(name), expected);
        }
    }
}
