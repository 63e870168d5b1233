//! Pages of reproductions.

use super::*;
use crate::testing::check;

fn cell(published: Option<f64>, sd: Option<f64>, ours: Option<f64>) -> ReproducedCell {
    ReproducedCell {
        table: "<script>".into(),
        row: "<script>row".into(),
        column: "\"'".into(),
        measure: "accuracy".into(),
        published,
        published_sd: sd,
        ours,
        ours_sd: None,
    }
}

fn page(cells: Vec<ReproducedCell>, conclusions: &[ReproducedConclusion]) -> String {
    let panels = [ReproducedPanel {
        title: "Table <1>".into(),
        cells,
    }];
    let page = reproduction(&ReproductionReport {
        about: &About::default(),
        paper: "paper",
        citation: "<script>",
        summary: "",
        findings: &["<script>".into()],
        drawings: &[Svg::new("figure1", (10.0, 10.0), "<script>", "a drawing")],
        panels: &panels,
        conclusions,
        settings: &[],
        notes: &[],
    });
    check(&page);
    page
}

#[test]
fn differences_are_counted_in_published_standard_deviations() {
    let cells = vec![
        cell(Some(90.0), Some(1.0), Some(90.5)),
        cell(Some(90.0), Some(1.0), Some(91.5)),
        cell(Some(90.0), Some(0.0), Some(91.5)),
        cell(None, None, Some(3.0)),
        cell(Some(4.0), None, None),
        cell(Some(4.0), None, Some(f64::NAN)),
    ];
    let page = page(cells, &[]);
    assert!(page.contains("1 of 2 figures within one published standard deviation"));
    assert!(page.contains("Within two: 100.0 %."));
    assert!(page.contains(">+0.50<") && page.contains(">+1.5<"));
}

#[test]
fn conclusions_say_by_word_what_holds() {
    let conclusion = |ours| ReproducedConclusion {
        text: "<script> is best".into(),
        published: Some(true),
        published_detail: "3 of 3".into(),
        ours,
        ours_detail: String::new(),
    };
    let page = page(
        Vec::new(),
        &[
            conclusion(Some(true)),
            conclusion(Some(false)),
            conclusion(None),
        ],
    );
    assert!(page.contains("✓ holds: 3 of 3"));
    assert!(page.contains("✗ does not hold") && page.contains("? not known"));
    assert!(page.contains("<p class=\"figure\">1 of 2</p>"));
}

#[test]
fn many_figures_stay_a_page() {
    let cells = (0..3_000).map(|i| cell(Some(f64::from(i)), None, Some(f64::from(i) + 0.5)));
    let page = page(cells.collect(), &[]);
    assert!(page.contains("2,600 more"));
}
