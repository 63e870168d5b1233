//! What is compared in a chart can be known: by a letter first, then by shape, dashes and color.

use crate::draw::Svg;
use crate::html::Html;

const COLORS: [&str; 8] = [
    "var(--s1)",
    "var(--s2)",
    "var(--s3)",
    "var(--s4)",
    "var(--s5)",
    "var(--s6)",
    "var(--s7)",
    "var(--s8)",
];

const DASHES: [&str; 4] = ["", "7 4", "2 3", "9 3 2 3"];

/// Returns the letter of what is compared: A to Z, then A1, B1, ….
pub(crate) fn key(place: usize) -> String {
    let letter = char::from(b'A' + (place % 26) as u8);
    match place / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}

/// Returns its color.
pub(crate) fn color(place: usize) -> &'static str {
    COLORS[place % COLORS.len()]
}

/// Returns the dashes of its line.
pub(crate) fn dashes(place: usize) -> &'static str {
    DASHES[place % DASHES.len()]
}

/// Draws its mark at a point: a circle, a square, a diamond or a triangle.
pub(crate) fn mark(svg: &mut Svg, place: usize, (x, y): (f64, f64)) {
    let color = color(place);
    let corners: &[(f64, f64)] = match place % 4 {
        0 => return svg.dot((x, y), 4.2, color),
        1 => &[(-3.8, -3.8), (3.8, -3.8), (3.8, 3.8), (-3.8, 3.8)],
        2 => &[(0.0, -5.4), (5.4, 0.0), (0.0, 5.4), (-5.4, 0.0)],
        _ => &[(0.0, -5.0), (5.0, 4.2), (-5.0, 4.2)],
    };
    let corners: Vec<_> = corners.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
    svg.polygon(&corners, color);
}

/// Writes the letters and what they stand for.
pub(crate) fn legend<'a>(html: &mut Html, names: impl Iterator<Item = (usize, &'a str)>) {
    html.element("ul", &[("class", "legend")], |html| {
        for (place, name) in names {
            html.element("li", &[], |html| {
                html.styled("span", "key", &key(place));
                html.name(name);
            });
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_never_end() {
        assert_eq!([0, 25, 26, 53].map(key), ["A", "Z", "A1", "B2"]);
    }
}
