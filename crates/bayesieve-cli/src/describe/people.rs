//! The table of `describe` for people.

use std::path::Path;

use bayesieve::describe::{Description, FeatureDescription, Kind};

use bayesieve::wording::{counted, grouped};

use crate::text::{self, TextTable, bar, name};

/// Characters of the longest bar.
const BAR: usize = 16;

/// Classes listed before the rest is summed up.
const MAX_CLASSES: usize = 20;

/// Names listed in a note.
const MAX_NAMES: usize = 6;

/// How the kinds were decided, as notes.
pub(super) fn kinds(description: &Description) -> String {
    let labels: Vec<&str> = description
        .features
        .iter()
        .filter(|feature| feature.is_integers_as_labels())
        .map(|feature| feature.column.name())
        .collect();
    let numeric = description
        .features
        .iter()
        .filter(|f| f.column.as_numeric().is_some())
        .count() as u64;
    let nominal = description.features.len() as u64 - numeric;
    let mut text = format!("{} nominal, {} numeric", grouped(nominal), grouped(numeric));
    if !labels.is_empty() {
        text += &format!(
            "; whole numbers with at most 20 values are taken as labels: {} (--numeric to \
             change)",
            listed(&labels)
        );
    }
    text
}

fn listed(names: &[&str]) -> String {
    let mut shown: Vec<String> = names.iter().take(MAX_NAMES).map(|n| name(n)).collect();
    if names.len() > MAX_NAMES {
        shown.push(format!("… ({} in all)", grouped(names.len() as u64)));
    }
    shown.join(", ")
}

pub(super) fn show(file: &Path, class: &str, description: &Description, top: usize) -> String {
    let mut out = format!(
        "{}: {}, {}, class {}\n\n",
        text::file(file),
        counted(description.n_rows as u64, "row"),
        counted(description.features.len() as u64, "feature"),
        name(class)
    );
    out += &classes(description);
    out += &features(description, top);
    out += &duplicates(description);
    out
}

fn classes(description: &Description) -> String {
    let n_rows = description.n_rows as f64;
    let shown = description.class_counts.iter().take(MAX_CLASSES);
    let mut rows: Vec<Vec<String>> = shown
        .map(|(label, n)| {
            let share = *n as f64 / n_rows;
            vec![
                name(label),
                grouped(*n),
                format!("{:.1} %", share * 100.0),
                bar(share, BAR),
            ]
        })
        .collect();
    let rest = description.class_counts.len().saturating_sub(MAX_CLASSES);
    if rest > 0 {
        rows.push(vec![format!("and {rest} more")]);
    }
    let table = text::table(&["class", "rows", "share", ""], &[1, 2], rows);
    format!(
        "{table}  knowing the class is worth {:.4} bits\n\n",
        description.class_entropy
    )
}

fn features(description: &Description, top: usize) -> String {
    let mut order: Vec<&FeatureDescription> = description.features.iter().collect();
    let bits = |feature: &FeatureDescription| feature.information.map(|one| one.mutual);
    // Stable: ties stay in file order.
    order.sort_by(|a, b| {
        let [a, b] = [a, b].map(|feature| bits(feature).unwrap_or(-1.0));
        b.total_cmp(&a)
    });
    let n_shown = if top == 0 {
        order.len()
    } else {
        order.len().min(top)
    };
    let shown = &order[..n_shown];
    let entropy = description.class_entropy.max(f64::MIN_POSITIVE);
    let mut table = TextTable::new(shown.iter().copied());
    table.words("feature", |feature| name(feature.column.name()));
    table.words("kind", |feature| feature.kind.name().into());
    table.number("values", FeatureDescription::distinct_values);
    table.number("missing", |feature| grouped(feature.n_missing as u64));
    table.number("tells (bits)", |feature| {
        bits(feature).map_or("-".into(), |bits| format!("{bits:.4}"))
    });
    table.words("", |feature| {
        bits(feature).map_or(String::new(), |bits| bar(bits / entropy, BAR))
    });
    table.words("remark", |feature| remark(description, feature));
    let mut out = table.print();
    let is_given =
        |f: &&FeatureDescription| f.redundant_level1.is_some() && f.redundant_level0 == Some(false);
    if shown.iter().any(is_given) {
        out += "  given X: a of b means that with X known it adds a bits, and its table costs b\n";
    }
    if n_shown < order.len() {
        let rest = (order.len() - n_shown) as u64;
        out += &format!(
            "… and {} telling less (--top 0 shows all)\n",
            counted(rest, "feature")
        );
    }
    out
}

/// The most important thing to say about a feature.
fn remark(description: &Description, feature: &FeatureDescription) -> String {
    match feature.kind {
        Kind::Empty => return "no value in any row".into(),
        Kind::Constant => return "the same in every row".into(),
        Kind::Nominal | Kind::Numeric => {}
    }
    if feature.cut_points.as_ref().is_some_and(Vec::is_empty) && feature.n_missing == 0 {
        return "no cut pays".into();
    }
    if feature.redundant_level0 == Some(true) {
        return "less than its table costs".into();
    }
    match feature.redundant_level1 {
        Some(given) => {
            let known = name(description.features[given.feature].column.name());
            format!(
                "given {known}: {:.4} of {:.4}",
                given.gain_bits, given.price_bits
            )
        }
        None => String::new(),
    }
}

fn duplicates(description: &Description) -> String {
    let mut out = String::new();
    // Columns without any value are the same, but nobody asks.
    let is_empty = |group: &&Vec<usize>| description.features[group[0]].kind == Kind::Empty;
    let groups: Vec<&Vec<usize>> = description
        .duplicate_features
        .iter()
        .filter(|group| !is_empty(group))
        .collect();
    for group in groups.iter().take(MAX_CLASSES) {
        let names: Vec<&str> = group
            .iter()
            .map(|&i| description.features[i].column.name())
            .collect();
        out += &format!("same cells: {}\n", listed(&names));
    }
    let rest = groups.len().saturating_sub(MAX_CLASSES);
    if rest > 0 {
        out += &format!("… and {rest} more groups of columns with the same cells\n");
    }
    if let Some(n_rows) = description.duplicate_rows.filter(|&n| n > 0) {
        let rows = counted(n_rows, "row");
        out += &format!("equal to an earlier row: {rows}\n");
    }
    if out.is_empty() {
        out
    } else {
        format!("\n{out}")
    }
}
