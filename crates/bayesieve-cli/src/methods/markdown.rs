//! What there is, as Markdown: `docs/methods.md` is made by it.

use bayesieve::document::CatalogEntry;

use super::lines;

/// All entries, by group.
pub(super) fn page(entries: &[CatalogEntry]) -> String {
    let mut out = String::from("# What there is\n\nMade by `bayesieve methods --markdown`.\n");
    for group in entries.chunk_by(|a, b| a.group == b.group) {
        out += &format!("\n## {}\n", capitalized(group[0].group));
        group.iter().for_each(|entry| out += &part(entry));
    }
    out
}

fn part(entry: &CatalogEntry) -> String {
    let summary = capitalized(&escaped(entry.summary));
    let mut out = format!("\n### {}\n\n{summary}.\n", entry.name);
    if !entry.option.is_empty() {
        out += &format!("\n- use: `{}`\n", entry.option);
    }
    for (what, line) in lines(entry, escaped) {
        out += &format!("- {what}: {line}\n");
    }
    if !entry.settings.is_empty() {
        out += "\n| `--set` | default | meaning |\n|---|---|---|\n";
    }
    for setting in &entry.settings {
        out += &format!(
            "| `{}` | `{}` | {} ({}) |\n",
            setting.name,
            setting.default,
            escaped(setting.meaning),
            escaped(&setting.kind.to_string())
        );
    }
    out
}

/// Marks that Markdown would take for its own.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for ch in text.chars() {
        if "|*_<>[]`\\".contains(ch) {
            out.push('\\');
        }
        out.push(ch);
    }
    out
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stay_themselves() {
        assert_eq!(escaped("a|b <c> d_e"), "a\\|b \\<c\\> d\\_e");
        assert_eq!(capitalized("über"), "Über");
    }
}
