//! The frame that every page has: what it is, what it says, how to repeat it.

use bayesieve::wording::grouped;

use crate::html::Html;

/// Where a page comes from.
#[derive(Debug, Clone, Default)]
pub struct About {
    /// The data as the user named them.
    pub file: String,
    /// The command that makes this page again, as it was typed.
    pub command: String,
    /// Seconds that the run took; a page without them is the same on every machine.
    pub seconds: Option<f64>,
}

/// A page: its head, and what follows.
pub(crate) struct Page<'a> {
    /// What it is, in two words.
    pub(crate) kicker: &'a str,
    /// The answer, in a line.
    pub(crate) title: &'a str,
    pub(crate) about: &'a About,
    /// What is needed besides the command to get the same numbers.
    pub(crate) settings: Vec<(&'a str, String)>,
}

/// Nothing runs, nothing is fetched: browsers hold the page to it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

impl Page<'_> {
    /// Returns the page with its sections.
    pub(crate) fn write(&self, sections: impl FnOnce(&mut Html)) -> String {
        let mut html = Html::default();
        html.element("html", &[("lang", "en")], |html| {
            html.element("head", &[], |html| self.head(html));
            html.element("body", &[], |html| {
                html.element("header", &[], |html| {
                    html.styled("p", "kicker", self.kicker);
                    html.words("h1", self.title);
                });
                html.element("main", &[], sections);
                html.element("footer", &[], |html| self.foot(html));
            });
        });
        format!("<!DOCTYPE html>\n{}", html.finish())
    }

    fn head(&self, html: &mut Html) {
        html.begin("meta", &[("charset", "utf-8")]);
        let viewport = "width=device-width, initial-scale=1";
        html.begin("meta", &[("name", "viewport"), ("content", viewport)]);
        let policy = ("http-equiv", "Content-Security-Policy");
        html.begin("meta", &[policy, ("content", POLICY)]);
        let schemes = ("content", "light dark");
        html.begin("meta", &[("name", "color-scheme"), schemes]);
        // Else browsers ask for one.
        html.begin("link", &[("rel", "icon"), ("href", "data:,")]);
        html.words("title", &format!("{} – {}", self.title, self.about.file));
        html.style(include_str!("style.css"));
    }

    fn foot(&self, html: &mut Html) {
        html.words("h2", "How to repeat it");
        html.element("pre", &[], |html| {
            html.element("code", &[], |html| html.whole_text(&self.about.command));
        });
        html.paragraph(&format!(
            "With the same data and version {} of Bayesieve the numbers are the same to the last \
             digit, on any machine and with any number of threads, but for times and what a \
             --budget cuts short.",
            env!("CARGO_PKG_VERSION")
        ));
        html.element("ul", &[("class", "legend note")], |html| {
            let seconds = self.about.seconds.filter(|seconds| seconds.is_finite());
            let seconds = seconds.map(|seconds| ("seconds", format!("{seconds:.2}")));
            for (name, value) in self.settings.iter().cloned().chain(seconds) {
                html.element("li", &[], |html| {
                    html.text(&format!("{name}: "));
                    html.words("b", &value);
                });
            }
        });
    }
}

/// Writes a part of a page under its own title.
pub(crate) fn section(html: &mut Html, title: &str, inside: impl FnOnce(&mut Html)) {
    html.element("section", &[], |html| {
        html.words("h2", title);
        inside(html);
    });
}

/// Writes a box with a number in large letters and what it means.
pub(crate) fn card(html: &mut Html, label: &str, figure: &str, inside: impl FnOnce(&mut Html)) {
    html.division("card", |html| {
        html.styled("p", "label", label);
        html.styled("p", "figure", figure);
        inside(html);
    });
}

/// Writes a card whose number a sentence explains.
pub(crate) fn fact(html: &mut Html, label: &str, figure: &str, sentence: &str) {
    card(html, label, figure, |html| html.paragraph(sentence));
}

/// What a bit is.
pub(crate) const BIT: &str = "A bit is what the answer to one question with yes or no tells, where \
    both are equally likely.";

/// Says what a bit is, and how many of them knowing the class is worth.
pub(crate) fn worth_of_class(entropy: f64) -> String {
    format!(
        "{BIT} Knowing the class is worth {entropy:.4} bits per row; a feature that tells 100 % of \
         that decides the class alone."
    )
}

/// Shows a share as a percentage.
pub(crate) fn percent(share: f64) -> String {
    if share.is_finite() {
        format!("{:.1} %", share * 100.0)
    } else {
        "not known".into()
    }
}

/// Shows a number with four digits behind the point, where it has a readable size.
pub(crate) fn digits(x: f64) -> String {
    match x {
        x if !x.is_finite() => "–".into(),
        x if x != 0.0 && x.abs() < 0.001 => format!("{x:.1e}"),
        x if x.abs() >= 1e9 => format!("{x:.3e}"),
        x if x.abs() >= 1_000.0 => format!("{x:.1}"),
        x => format!("{x:.4}"),
    }
}

/// Says how many digits behind the point all numbers of a column get: as the largest bears.
pub(crate) fn column_digits(numbers: impl IntoIterator<Item = f64>) -> usize {
    let finite = numbers.into_iter().filter(|number| number.is_finite());
    match finite.fold(0.0, |most, number| f64::max(most, number.abs())) {
        most if most >= 10_000.0 => 0,
        most if most >= 100.0 => 2,
        _ => 4,
    }
}

/// Says how many of all are not shown, and where they are.
pub(crate) fn more(html: &mut Html, n_all: usize, n_shown: usize, where_they_are: &str) {
    if n_all > n_shown {
        let rest = grouped((n_all - n_shown) as u64);
        html.note(&format!("{rest} more{where_they_are}"));
    }
}

/// Writes the notes of a run, where there are any.
pub(crate) fn notes(html: &mut Html, notes: &[String]) {
    const MAX_NOTES: usize = 20;
    if notes.is_empty() {
        return;
    }
    section(html, "Notes", |html| {
        html.element("ul", &[], |html| {
            for note in notes.iter().take(MAX_NOTES) {
                html.words("li", note);
            }
            if notes.len() > MAX_NOTES {
                html.words("li", &format!("and {} more", notes.len() - MAX_NOTES));
            }
        });
    });
}
