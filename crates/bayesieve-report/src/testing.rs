//! What holds of every page.

/// Demands it.
pub(crate) fn check(page: &str) {
    assert!(!page.contains("<script") && !page.contains("onload='x'"));
    let place = page.find("NaN").or_else(|| page.find(">inf<"));
    let near = place.map(|place| &page[place.saturating_sub(80)..place + 5]);
    assert_eq!(near, None);
    // The name of a language, which nobody fetches, is the only address.
    let addresses = page.matches("://").count();
    assert_eq!(
        addresses,
        page.matches("xmlns=\"http://www.w3.org/2000/svg\"").count()
    );
    assert!(page.len() < 1_500_000, "{} bytes", page.len());
    for tag in [
        "section", "table", "tr", "td", "th", "p", "div", "svg", "bdi", "ul", "li",
    ] {
        let opened =
            page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
    }
}
