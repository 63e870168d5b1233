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
    let names: Vec<String> = network
        .variables()
        .iter()
        .map(|v| name_in_dot(&v.name))
        .collect();
    let mut out = String::from("digraph network {\n");
    for (variable, name) in network.variables().iter().zip(&names) {
        out.push_str("  ");
        out.push_str(name);
        // Labels, which are the names by default, may hold entities of HTML.
        if variable.name.contains('&') {
            out.push_str(" [label=");
            out.push_str(&name.replace('&', "&amp;"));
            out.push(']');
        }
        out.push_str(";\n");
    }
    for (from, to) in network.dag().arcs() {
        out.extend([
            "  ",
            names[from].as_str(),
            " -> ",
            names[to].as_str(),
            ";\n",
        ]);
    }
    out.push_str("}\n");
    out
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
