//! Prints a page of a reproduction with made-up figures, to see what such pages look like:
//! `cargo run --release -p bayesieve-report --example reproduction_page > page.html`

use bayesieve_report::{
    About, ReproducedCell, ReproducedConclusion, ReproducedPanel, ReproductionReport, reproduction,
};

/// Figures of a table: published ones near 80 %, ours a little beside them.
fn panel(table: usize, measure: &str) -> ReproducedPanel {
    let rows = ["chess", "mushroom", "splice", "<script>alert(1)</script>"];
    let columns = ["all", "mdl-fs", "a column with a rather long name"];
    let places =
        (0..rows.len()).flat_map(|row| (0..columns.len()).map(move |column| (row, column)));
    let cells = places.map(|(row, column)| {
        let step = (7 * row + 3 * column + table) as f64;
        let published = 80.0 + 17.0 * (step * 0.7).sin();
        ReproducedCell {
            table: table.to_string(),
            row: rows[row].into(),
            column: columns[column].into(),
            measure: measure.into(),
            published: (row != 2).then_some(published),
            published_sd: (column != 0).then_some(1.2),
            ours: Some(published + 1.6 * (step * 1.9).cos()),
            ours_sd: Some(0.9),
        }
    });
    ReproducedPanel {
        title: format!("Table {table}: {measure} in %"),
        cells: cells.collect(),
    }
}

fn main() {
    let conclusion = |text: &str, ours| ReproducedConclusion {
        text: text.into(),
        published: Some(true),
        published_detail: "4 of 4".into(),
        ours,
        ours_detail: "3 of 4, not splice".into(),
    };
    let page = reproduction(&ReproductionReport {
        about: &About {
            file: "made up".into(),
            command: "bayesieve reproduce sample --report page.html".into(),
            seconds: None,
        },
        paper: "sample",
        citation: "A. Author and B. Author: A sample paper. Journal of Samples, 2010.",
        summary: "Made-up figures, to see what the page looks like.",
        findings: &["Ours lie within two units of the published figures.".into()],
        drawings: &[],
        panels: &[panel(1, "accuracy"), panel(2, "accuracy"), panel(3, "size")],
        conclusions: &[
            conclusion("fewer features predict as well", Some(true)),
            conclusion(
                "the second column is always ahead of the first",
                Some(false),
            ),
            conclusion("more rows make the difference smaller", None),
        ],
        settings: &[("seed".into(), "1".into())],
        notes: &["the figures are made up".into()],
    });
    print!("{page}");
}
