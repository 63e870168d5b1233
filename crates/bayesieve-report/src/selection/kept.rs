//! Kept features: what each tells, alone and besides the others.

use bayesieve::run::SelectOutcome;
use bayesieve::select::{KeptFeature, Selection};

use crate::html::Html;
use crate::page::{BIT, column_digits, more, percent, section, worth_of_class};
use crate::table::{ColumnStyle, PageCell, PageTable};

/// Kept features that are listed.
const MAX_KEPT: usize = 60;
/// Dropped features whose bars are shown for comparison.
const MAX_DROPPED: usize = 12;

pub(super) fn write(html: &mut Html, report: &SelectOutcome) {
    let selection = &report.selection;
    let entropy = entropy(&report.class_counts);
    let kept_bits = selection.kept.iter().filter_map(|kept| kept.alone_bits);
    let dropped_bits = selection
        .dropped
        .iter()
        .filter_map(|dropped| dropped.alone_bits);
    let most = kept_bits.chain(dropped_bits).fold(0.0, f64::max);
    if selection.kept.is_empty() && most <= 0.0 {
        return;
    }
    let scale = BitScale { most, entropy };
    section(html, "What the features tell", |html| {
        html.paragraph(&entropy.map_or(BIT.into(), worth_of_class));
        if !selection.kept.is_empty() {
            html.words("h3", "Kept");
            kept(html, selection, scale);
        }
        compared(html, selection, scale);
    });
}

/// What bits are compared with.
#[derive(Debug, Clone, Copy)]
struct BitScale {
    /// What the most telling feature tells.
    most: f64,
    /// What knowing the class is worth.
    entropy: Option<f64>,
}

impl BitScale {
    /// Adds the columns that show what features tell alone.
    fn columns<'a, T: Copy>(
        self,
        table: &mut PageTable<'a, T>,
        style: &'static str,
        bits: impl Fn(T) -> Option<f64>,
    ) {
        let known = |item: T| bits(item).filter(|_| self.most > 0.0);
        table.value("bits alone", 4, &bits);
        table.column("", ColumnStyle::Bar, |item| match known(item) {
            Some(bits) => PageCell::Bar(bits / self.most, style),
            None => PageCell::Empty,
        });
        table.number("share", |item| match known(item).zip(self.entropy) {
            Some((bits, entropy)) => percent(bits / entropy),
            None => "–".into(),
        });
    }
}

/// The entropy of the class in bits.
fn entropy(counts: &[u64]) -> Option<f64> {
    let n = counts.iter().sum::<u64>() as f64;
    let parts = counts.iter().filter(|count| **count > 0);
    let parts = parts.map(|&count| count as f64 / n);
    let entropy: f64 = parts.map(|p| -p * p.log2()).sum();
    (entropy > 0.0).then_some(entropy)
}

fn kept(html: &mut Html, selection: &Selection, scale: BitScale) {
    let shown = &selection.kept[..selection.kept.len().min(MAX_KEPT)];
    let has_rest = shown.iter().any(|kept| kept.given_rest_bits.is_some());
    let mut table = PageTable::new("Kept features", shown);
    table.words("feature", |kept| PageCell::Name(&kept.feature));
    scale.columns(&mut table, "", |kept| kept.alone_bits);
    if has_rest {
        table.value("bits besides the others", 4, |kept| kept.given_rest_bits);
    }
    method_columns(&mut table, selection);
    table.write(html);
    if has_rest {
        html.note(
            "“Besides the others” is what a feature still tells once all other kept ones are known.",
        );
    }
    more(html, selection.kept.len(), MAX_KEPT, "");
}

/// Adds what the method itself says of kept features: roles in a boundary, or scores.
fn method_columns<'a>(table: &mut PageTable<'a, &'a KeptFeature>, selection: &Selection) {
    if let Some(boundary) = &selection.boundary {
        let member = |kept: &KeptFeature| boundary.member(&kept.feature);
        table.column("role", ColumnStyle::Plain, |kept| {
            member(kept).map_or("asked for", |member| member.role.name())
        });
        table.words("what speaks for it", |kept| {
            member(kept).map_or(String::new(), |member| member.evidence.sentence())
        });
        return;
    }
    let score = |kept: &KeptFeature| {
        let mut steps = selection.steps.iter().rev();
        let step = steps.find(|step| step.feature == kept.feature)?;
        Some(step.score).filter(|score| score.is_finite())
    };
    let scores: Vec<f64> = table.items().filter_map(score).collect();
    if !scores.is_empty() {
        let n_digits = column_digits(scores);
        table.value("score with it", n_digits, score);
    }
}

/// Writes the dropped features that tell most alone, for comparison.
fn compared(html: &mut Html, selection: &Selection, scale: BitScale) {
    let mut dropped: Vec<(&str, f64)> = selection
        .dropped
        .iter()
        .filter_map(|dropped| Some((dropped.feature.as_str(), dropped.alone_bits?)))
        .filter(|(_, bits)| *bits > 0.0)
        .collect();
    // Stable: ties stay in column order.
    dropped.sort_by(|a, b| b.1.total_cmp(&a.1));
    dropped.truncate(MAX_DROPPED);
    if dropped.is_empty() {
        return;
    }
    html.words("h3", "For comparison: dropped ones that tell most alone");
    let mut table = PageTable::new("Dropped features that tell most", dropped);
    table.words("feature", |(name, _)| PageCell::Name(name));
    scale.columns(&mut table, "quiet", |(_, bits)| Some(bits));
    table.write(html);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entropy_of_the_class_follows_its_counts() {
        assert_eq!(entropy(&[5, 5]), Some(1.0));
        assert_eq!(entropy(&[5, 5, 0, 5, 5]), Some(2.0));
        assert_eq!(entropy(&[7]), None);
        assert_eq!(entropy(&[]), None);
    }
}
