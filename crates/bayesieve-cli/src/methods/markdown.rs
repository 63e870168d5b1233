//! What there is, as Markdown: `docs/methods.md` is made by it.

use crate::catalog::{Page, SettingText};

/// All pages, by group.
pub(super) fn pages(pages: &[Page]) -> String {
    let mut out = String::from("# What there is\n\nMade by `bayesieve methods --markdown`.\n");
    for group in pages.chunk_by(|a, b| a.group == b.group) {
        out += &format!("\n## {}\n", capitalized(group[0].group));
        group.iter().for_each(|one| out += &page(one));
    }
    out
}

fn page(page: &Page) -> String {
    let mut out = format!(
        "\n### {}\n\n{}.\n",
        page.name,
        capitalized(&escaped(page.summary))
    );
    let takes = page.takes.join(", ");
    let lines = [
        ("use", format!("`{}`", page.option)),
        ("also takes", escaped(&takes)),
        ("computes", escaped(page.formula)),
        ("cost", escaped(page.cost)),
        ("source", escaped(page.source)),
    ];
    let lines = lines.iter().filter(|(_, line)| !line.is_empty());
    let lines: Vec<String> = lines
        .map(|(what, line)| format!("- {what}: {line}\n"))
        .collect();
    if !lines.is_empty() {
        out += &format!("\n{}", lines.concat());
    }
    if !page.settings.is_empty() {
        out += "\n| `--set` | default | meaning |\n|---|---|---|\n";
        page.settings.iter().for_each(|one| out += &setting(one));
    }
    out
}

fn setting(setting: &SettingText) -> String {
    let range = match setting.range.as_str() {
        "" => String::new(),
        range => format!(" ({})", escaped(range)),
    };
    format!(
        "| `{}` | `{}` | {}{range} |\n",
        setting.name,
        setting.default,
        escaped(setting.meaning)
    )
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
