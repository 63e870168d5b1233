//! `--report`: pages for people.

mod common;

use common::Folder;

/// Twelve rows in which `a` decides the class.
fn data(folder: &Folder) -> &'static str {
    let rows: String = (0..12)
        .map(|row| format!("{},{},{}\n", row % 2, row % 3, row % 2))
        .collect();
    folder.write("data.csv", format!("a,\"<script>b\",class\n{rows}"))
}

fn page(folder: &Folder, name: &str) -> String {
    let page = std::fs::read_to_string(folder.path(name)).expect("a page");
    assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
    assert!(page.ends_with("</html>\n"));
    assert!(!page.contains("<script"));
    page
}

#[test]
fn select_writes_a_page_beside_its_result() {
    let folder = Folder::new();
    let data = data(&folder);
    let plain = folder.run(&[
        "select",
        data,
        "--method",
        "mdl-fs",
        "--no-honest",
        "--quiet",
    ]);
    let ran = folder.run(&[
        "select",
        data,
        "--method",
        "mdl-fs",
        "--no-honest",
        "--quiet",
        "--report",
        "page.html",
    ]);
    assert_eq!((ran.code, &ran.stdout), (Some(0), &plain.stdout));
    let page = page(&folder, "page.html");
    assert!(page.contains("<h1>Keeps 1 of 2 features to predict class</h1>"));
    // The command, as it was typed.
    assert!(page.contains(
        "bayesieve select data.csv --method mdl-fs --no-honest --quiet --report page.html"
    ));
    assert!(page.contains("&lt;script&gt;b"));
    assert!(page.contains("Network of the class and the features"));
    assert!(page.contains("not measured"));
}

#[test]
fn a_page_tests_the_selection_on_other_rows() {
    let folder = Folder::new();
    let data = data(&folder);
    let ran = folder.run(&[
        "select",
        data,
        "--method",
        "mdl-fs",
        "--report",
        "page.html",
        "--json",
    ]);
    assert_eq!(ran.json()["estimate"]["honest"]["protocol"], "5x2cv");
    assert!(page(&folder, "page.html").contains("Which class is taken for which"));
}

#[test]
fn a_page_goes_to_a_file_of_its_own() {
    let folder = Folder::new();
    let data = data(&folder);
    let ran = folder.run(&["select", data, "--report", "x.html", "-o", "./x.html"]);
    ran.fails(2, &["--report would overwrite the -o"]);
    folder.write("data.html", "a,class\n1,1\n2,2\n");
    let ran = folder.run(&["select", "data.html", "--report", "data.html"]);
    ran.fails(2, &["--report would overwrite the input"]);
    assert_eq!(folder.files(), ["data.csv", "data.html"]);
}

#[test]
fn a_page_that_cannot_be_written_is_told_before_anything_is_read() {
    let folder = Folder::new();
    let ran = folder.run(&["select", "absent.csv", "--report", "page.csv"]);
    ran.fails(2, &["page.csv", ".html"]);
    let ran = folder.run(&["select", "absent.csv", "--report", "absent/page.html"]);
    ran.fails(1, &["absent/page.html", "folder"]);
    let ran = folder.run(&["select", "absent.csv", "--report", "-"]);
    ran.fails(2, &["--report"]);
}

#[test]
fn describe_and_train_write_pages_too() {
    let folder = Folder::new();
    let data = data(&folder);
    let ran = folder.run(&["describe", data, "--report", "page.html", "--quiet"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(page(&folder, "page.html").contains("1 of 2 features tells something about class"));
    let ran = folder.run(&[
        "train",
        data,
        "-o",
        "model.json",
        "--report",
        "page.html",
        "--set",
        "alpha=0.5",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let page = page(&folder, "page.html");
    assert!(page.contains("tan predicts class from 2 features"));
    assert!(page.contains("alpha: <b>0.5</b>"));
    let ran = folder.run(&["train", data, "-o", "x.html", "--report", "x.html"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    let ran = folder.run(&["describe", data, "--report", "data.csv"]);
    ran.fails(2, &["--report would overwrite the input"]);
}

#[test]
fn compare_writes_a_page_too() {
    let folder = Folder::new();
    let data = data(&folder);
    let arguments = [
        "compare",
        data,
        "--methods",
        "all,mrmr",
        "--protocol",
        "cv:2",
        "--quiet",
    ];
    let ran = folder.run(&[&arguments[..], &["--report", "page.html"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let page = page(&folder, "page.html");
    assert!(page.contains("No difference among 4 pipelines"));
    assert!(page.contains("Accuracy and kept features on data"));
    let ran = folder.run(&[&arguments[..], &["--report", "data.csv"]].concat());
    ran.fails(2, &["--report would overwrite the input"]);
}
