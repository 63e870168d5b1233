//! The page of a description: what the columns hold and what they tell about the class.

use bayesieve::data::format_number;
use bayesieve::describe::{Description, FeatureDescription, Kind};
use bayesieve::printable;
use bayesieve::wording::{counted, grouped};

use crate::balance::{self, most_frequent};
use crate::html::Html;
use crate::page::{About, Page, card, fact, more, notes, percent, section, worth_of_class};
use crate::table::{ColumnStyle, PageCell, PageTable};

/// Features that are listed.
const MAX_FEATURES: usize = 100;
/// Groups of equal columns that are listed.
const MAX_GROUPS: usize = 30;
/// Columns that are named in one sentence.
const MAX_NAMES: usize = 8;
/// Cut points that are named.
const MAX_CUTS: usize = 4;

/// What the page of a description is made from.
#[derive(Debug, Clone, Copy)]
pub struct DescriptionReport<'a> {
    /// Where it comes from.
    pub about: &'a About,
    /// What is known about the table.
    pub description: &'a Description,
    /// The class's name.
    pub class: &'a str,
    /// What the reader should know.
    pub notes: &'a [String],
}

/// Writes the page of a description.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::{CodedTable, CodingOptions, Generator, RoleOptions, Roles};
/// use bayesieve::describe::{Levels, describe};
/// use bayesieve_report::{About, DescriptionReport, description};
///
/// let table = Generator::Example1.generate(3200, 1)?;
/// let roles = Roles::resolve(&table, &RoleOptions::default())?;
/// let coded = CodedTable::new(&table, &roles, CodingOptions::default())?;
/// let page = description(&DescriptionReport {
///     about: &About { file: "example1.csv".into(), ..About::default() },
///     description: &describe(&coded, Levels::Auto, &Silent)?,
///     class: &coded.class_name,
///     notes: &[],
/// });
/// assert!(page.contains("4 of 8 features tell something about C"));
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn description(report: &DescriptionReport<'_>) -> String {
    let page = Page {
        kicker: "Bayesieve · description",
        title: &title(report),
        about: report.about,
        settings: Vec::new(),
    };
    page.write(|html| {
        overview(html, report);
        features(html, report.description);
        section(html, "How the classes share the rows", |html| {
            balance::write(html, report.class, &counts(report.description));
        });
        equal_columns(html, report.description);
        notes(html, report.notes);
    })
}

/// Features that tell more about the class than chance would.
fn n_telling(description: &Description) -> usize {
    let is_telling = |f: &&FeatureDescription| f.redundant_level0 == Some(false);
    description.features.iter().filter(is_telling).count()
}

fn title(report: &DescriptionReport<'_>) -> String {
    let n_telling = n_telling(report.description);
    let verb = if n_telling == 1 { "tells" } else { "tell" };
    format!(
        "{} of {} {verb} something about {}",
        grouped(n_telling as u64),
        counted(report.description.features.len() as u64, "feature"),
        printable(report.class, 40)
    )
}

fn counts(description: &Description) -> Vec<(&str, u64)> {
    let counts = description.class_counts.iter();
    counts.map(|(label, n)| (label.as_str(), *n)).collect()
}

fn overview(html: &mut Html, report: &DescriptionReport<'_>) {
    let description = report.description;
    html.element("p", &[("class", "soft")], |html| {
        html.name(&report.about.file);
        html.text("; the class is ");
        html.name(report.class);
        html.text(".");
    });
    html.division("cards", |html| {
        let duplicates = match description.duplicate_rows {
            Some(0) => "No two are equal.".into(),
            Some(n) => format!("{} equal to an earlier one.", grouped(n)),
            None => "Counted, without being kept.".into(),
        };
        fact(
            html,
            "Rows",
            &grouped(description.n_rows as u64),
            &duplicates,
        );
        let n_features = grouped(description.features.len() as u64);
        fact(
            html,
            "Features",
            &n_features,
            &format!("{}.", kinds(description)),
        );
        let n_missing: usize = description.features.iter().map(|f| f.n_missing).sum();
        let n_cells = description.n_rows * description.features.len();
        let share = percent(n_missing as f64 / n_cells.max(1) as f64);
        card(html, "Empty cells", &share, |html| {
            missing(html, description)
        });
        let n_classes = counted(description.class_counts.len() as u64, "value");
        card(html, "Class", &n_classes, |html| {
            if let Some((label, share)) = most_frequent(&counts(description)) {
                let share = format!(", has {} of the rows.", percent(share));
                html.sentence("The most frequent, ", label, &share);
            }
        });
    });
}

fn kinds(description: &Description) -> String {
    let kinds = [Kind::Nominal, Kind::Numeric, Kind::Constant, Kind::Empty];
    let parts = kinds.iter().filter_map(|&kind| {
        let features = description.features.iter();
        let n = features.filter(|feature| feature.kind == kind).count();
        (n > 0).then(|| format!("{} {}", grouped(n as u64), kind.name()))
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// Where most cells are empty.
fn missing(html: &mut Html, description: &Description) {
    let features = description.features.iter().rev();
    match features
        .max_by_key(|f| f.n_missing)
        .filter(|f| f.n_missing > 0)
    {
        None => html.paragraph("Every cell has a value."),
        Some(feature) => {
            let share = feature.n_missing as f64 / description.n_rows.max(1) as f64;
            let most = format!("Most in one column: {} of ", percent(share));
            html.sentence(&most, feature.column.name(), ".");
        }
    }
}

fn features(html: &mut Html, description: &Description) {
    let mut order: Vec<&FeatureDescription> = description.features.iter().collect();
    let bits = |feature: &FeatureDescription| feature.information.map_or(-1.0, |i| i.mutual);
    // Stable: ties stay in file order.
    order.sort_by(|a, b| bits(b).total_cmp(&bits(a)));
    let most = order.first().map_or(0.0, |feature| bits(feature));
    section(html, "What every feature tells about the class", |html| {
        let entropy = description.class_entropy;
        html.paragraph(&worth_of_class(entropy));
        let known = |f: &FeatureDescription| f.information.map(|information| information.mutual);
        let mut table = PageTable::new("Features", order.iter().copied().take(MAX_FEATURES));
        table.words("feature", |f| PageCell::Name(f.column.name()));
        table.value("bits", 4, known);
        table.column("", ColumnStyle::Bar, |f| {
            let is_telling = f.redundant_level0 == Some(false);
            match known(f).filter(|_| most > 0.0) {
                Some(bits) => PageCell::Bar(bits / most, if is_telling { "" } else { "quiet" }),
                None => PageCell::Empty,
            }
        });
        table.number("share", |f| {
            let bits = known(f).filter(|_| entropy > 0.0);
            bits.map_or("–".into(), |bits| percent(bits / entropy))
        });
        table.column("kind", ColumnStyle::Plain, |f| f.kind.name());
        table.number("values", FeatureDescription::distinct_values);
        table.number("empty", |f| grouped(f.n_missing as u64));
        table.words("remark", |f| remark(description, f));
        table.write(html);
        let rest = " that tell less; the JSON document (-o FILE) has them all.";
        more(html, order.len(), MAX_FEATURES, rest);
        if !description.has_level1 {
            html.note("Whether one feature repeats another was not looked at (--levels 1).");
        }
    });
}

/// The most important thing to say about a feature.
fn remark(description: &Description, feature: &FeatureDescription) -> String {
    match feature.kind {
        Kind::Empty => return "no value in any row".into(),
        Kind::Constant => return "the same in every row".into(),
        Kind::Nominal | Kind::Numeric => {}
    }
    let cuts = feature.cut_points.as_deref();
    if cuts.is_some_and(<[f64]>::is_empty) && feature.n_missing == 0 {
        return "no cut of its numbers tells enough to pay".into();
    }
    if feature.redundant_level0 == Some(true) {
        return "less than chance can do with so many rows".into();
    }
    let cuts = cuts.filter(|cuts| !cuts.is_empty()).map(cut_at);
    let given = feature.redundant_level1.map(|given| {
        let known = printable(description.features[given.feature].column.name(), 32);
        format!(
            "little beyond {known}: {:.4} bits, and its table costs {:.4}",
            given.gain_bits, given.price_bits
        )
    });
    let parts: Vec<String> = cuts.into_iter().chain(given).collect();
    parts.join("; ")
}

/// Says where numbers are cut.
pub(crate) fn cut_at(cuts: &[f64]) -> String {
    let shown = cuts.iter().take(MAX_CUTS).map(|&cut| shortened(cut));
    let shown = shown.collect::<Vec<_>>().join(", ");
    match cuts.len().saturating_sub(MAX_CUTS) {
        0 => format!("cut at {shown}"),
        rest => format!("cut at {shown} and {rest} more"),
    }
}

/// A number to six digits: enough to know it by.
fn shortened(number: f64) -> String {
    let short = format!("{number:.5e}").parse();
    format_number(short.unwrap_or(number))
}

fn equal_columns(html: &mut Html, description: &Description) {
    // Columns without any value are the same, but nobody asks.
    let is_empty = |group: &&Vec<usize>| {
        let first = group.first().map(|&place| &description.features[place]);
        first.is_none_or(|feature| feature.kind == Kind::Empty)
    };
    let groups = description.duplicate_features.iter();
    let groups: Vec<&Vec<usize>> = groups.filter(|group| !is_empty(group)).collect();
    if groups.is_empty() {
        return;
    }
    section(html, "Columns with the same cells", |html| {
        html.element("ul", &[], |html| {
            for group in groups.iter().take(MAX_GROUPS) {
                let name = |&place: &usize| description.features[place].column.name();
                let names: Vec<&str> = group.iter().map(name).collect();
                html.element("li", &[], |html| html.names(&names, MAX_NAMES));
            }
            if groups.len() > MAX_GROUPS {
                let rest = counted((groups.len() - MAX_GROUPS) as u64, "group");
                html.words("li", &format!("and {rest} more"));
            }
        });
    });
}

#[cfg(test)]
mod tests {
    use bayesieve::Silent;
    use bayesieve::data::{
        CodedTable, CodingOptions, Column, KindOrigin, Nominal, RoleOptions, Roles, Table, Values,
    };
    use bayesieve::describe::{Levels, describe};

    use super::*;
    use crate::testing::check;

    fn page(columns: Vec<Column>) -> String {
        let table = Table::new(columns).unwrap();
        let roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
        let coded = CodedTable::new(&table, &roles, CodingOptions::default()).unwrap();
        let page = description(&DescriptionReport {
            about: &About::default(),
            description: &describe(&coded, Levels::Auto, &Silent).unwrap(),
            class: &coded.class_name,
            notes: &["<script>".into()],
        });
        check(&page);
        page
    }

    fn labels(name: &str, cells: &[Option<&str>]) -> Column {
        let nominal = Nominal::from_labels(cells.iter().copied());
        Column::new(name, Values::Nominal(nominal), KindOrigin::Text)
    }

    #[test]
    fn columns_of_every_kind_are_told_apart() {
        let class = ["x", "y"].repeat(40);
        let class: Vec<Option<&str>> = class.into_iter().map(Some).collect();
        let numbers: Vec<f64> = (0..80).map(|row| f64::from(row % 2) + 0.25).collect();
        let page = page(vec![
            labels("<script>", &class),
            labels("copy", &class),
            labels("same", &[Some("s"); 80]),
            labels("empty", &[None; 80]),
            Column::new("numbers", Values::Numeric(numbers), KindOrigin::FewIntegers),
            labels("class", &class),
        ]);
        assert!(page.contains("3 of 5 features tell something about class"));
        assert!(page.contains("2 nominal, 1 numeric, 1 constant, 1 empty."));
        assert!(page.contains("the same in every row"));
        assert!(page.contains("no value in any row"));
        assert!(page.contains("cut at 0.75"));
        assert!(page.contains("Columns with the same cells"));
        // 80 of 400 cells, all in one column.
        assert!(page.contains("<p class=\"figure\">20.0 %</p>"));
    }

    #[test]
    fn one_class_and_one_feature_have_a_page() {
        let page = page(vec![
            labels("a", &[Some("0"), Some("1")]),
            labels("class", &[Some("x"), Some("x")]),
        ]);
        assert!(page.contains("0 of 1 feature tell something about class"));
    }

    #[test]
    fn cuts_are_short_numbers() {
        assert_eq!(cut_at(&[0.5, 0.043910000000000005]), "cut at 0.5, 0.04391");
        assert_eq!(
            cut_at(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
            "cut at 1, 2, 3, 4 and 2 more"
        );
    }
}
