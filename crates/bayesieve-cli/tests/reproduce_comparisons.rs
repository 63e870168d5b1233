//! `reproduce` for papers that compare selections, on data made here.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod common;

use common::Folder;
use serde_json::Value;

/// So many rows like the paper's votes: three votes that go with the party less and less, and
/// one empty cell in ten.
fn votes(n_rows: usize) -> String {
    let mut csv = String::from("adoption,physician-fee-freeze,crime,class\n");
    for row in 0..n_rows {
        let party = row % 2;
        let vote = |every: usize| {
            let is_other = row % every == 0;
            if (party == 1) != is_other { "y" } else { "n" }
        };
        let crime = if row % 10 == 3 { "" } else { vote(3) };
        let label = ["democrat", "republican"][party];
        csv += &format!("{},{},{crime},{label}\n", vote(7), vote(29));
    }
    csv
}

fn cells<'a>(document: &'a Value, of: &[(&str, &str)]) -> Vec<&'a Value> {
    let cells = document["cells"].as_array().unwrap().iter();
    let fits = |cell: &&Value| of.iter().all(|(name, word)| cell[*name] == *word);
    cells.filter(fits).collect()
}

/// The document without what a clock or a checkpoint may change.
fn timeless(mut document: Value) -> Value {
    let entries = document.as_object_mut().unwrap();
    entries.remove("seconds").unwrap();
    entries.remove("warnings");
    for cell in document["cells"].as_array_mut().unwrap() {
        cell.as_object_mut().unwrap().remove("seconds");
    }
    document
}

#[test]
fn a_folder_without_the_papers_files_is_wrong_data() {
    let folder = Folder::new();
    for paper in ["drugan2010", "inza2000", "singh1995"] {
        let ran = folder.run(&["reproduce", paper, "--data", "."]);
        ran.fails(3, &["none of the data sets is in .", "--data"]);
        let ran = folder.run(&["reproduce", paper, "--data", ".", "--datasets", "irsi"]);
        ran.fails(2, &["there is no data set of this paper \"irsi\""]);
    }
    assert!(folder.files().is_empty());
}

#[test]
fn the_papers_are_listed() {
    let listed = Folder::new().run(&["reproduce"]);
    let papers = [
        "acid2011",
        "drugan2010",
        "inza2000",
        "pavlenko2004",
        "singh1995",
    ];
    for word in papers {
        assert!(listed.stdout.contains(word), "{}", listed.stdout);
    }
}

#[test]
fn the_example_of_mdl_fs_keeps_what_the_paper_says() {
    let folder = Folder::new();
    let arguments = [
        "reproduce",
        "drugan2010",
        "--data",
        ".",
        "--datasets",
        "artif",
        "--quick",
        "--json",
        "--methods",
        "mdl-fs,mdl,hall",
    ];
    let document = folder.run(&arguments).json();
    assert_eq!(document["schema"], "bayesieve.reproduction.v1");
    assert_eq!(document["settings"]["runs"], 5);
    // Two levels of redundancy; two models, three methods, three measures.
    assert_eq!(document["cells"].as_array().unwrap().len(), 2 + 18);
    let kept = [
        ("nb", "mdl-fs", 25),
        ("tan", "mdl-fs", 50),
        ("nb", "mdl", 50),
        ("nb", "hall", 25),
    ];
    for (model, method, percent) in kept {
        let of = [
            ("model", model),
            ("method", method),
            ("measure", "selected"),
        ];
        let [cell] = cells(&document, &of)[..] else {
            panic!("one cell of {of:?}");
        };
        assert_eq!(cell["ours"].as_f64(), Some(f64::from(percent)));
        assert_eq!((&cell["table"], &cell["units"]), (&"3".into(), &5.into()));
        // What is printed behind ± is 0: nothing can be counted in it.
        assert_eq!(
            (&cell["published_sd"], &cell["difference_in_sd"]),
            (&0.0.into(), &Value::Null)
        );
    }
    let of = [("model", "tan"), ("method", "mdl-fs"), ("measure", "call")];
    let call = cells(&document, &of)[0];
    let in_sd = (call["ours"].as_f64().unwrap() - 0.76) / 0.01;
    assert!((call["difference_in_sd"].as_f64().unwrap() - in_sd).abs() < 1e-9);
    assert!(in_sd.abs() < 2.0, "{call}");

    let conclusions = document["conclusions"].as_array().unwrap();
    let said = "MDL-FS keeps 50 % of the features of artif, TAN";
    let one = conclusions.iter().find(|one| one["text"] == said).unwrap();
    assert_eq!(
        (&one["published"], &one["ours"]),
        (&true.into(), &true.into())
    );
    // The full classifiers were not asked for.
    let unknown = conclusions
        .iter()
        .filter(|one| one["ours"].is_null())
        .count();
    assert!(unknown > 0);
    let agreement = document["summary"]["agreement"].as_array().unwrap();
    assert_eq!(agreement.last().unwrap()["cells"], 20);
}

#[test]
fn a_run_of_votes_goes_on_from_its_checkpoint() {
    let folder = Folder::new();
    folder.write("votes.csv", votes(435));
    let plain = [
        "reproduce",
        "singh1995",
        "--data",
        ".",
        "--datasets",
        "Voting,Voting1,Chess",
        "--quick",
        "--methods",
        "naive-all,cb,cgr-as",
        "--checkpoint",
        "c",
        "--json",
    ];
    let ran = folder.run(&plain);
    let document = ran.json();
    let warnings = document["warnings"].to_string();
    assert!(warnings.contains("Chess is left out"), "{warnings}");
    assert!(
        warnings.contains("Voting is 435 rows of 3 features here, 435 rows of 16 features"),
        "{warnings}"
    );
    // Without the vote that decides, less is known.
    let accuracy = |data| {
        let of = [("data", data), ("method", "cb"), ("measure", "accuracy")];
        cells(&document, &of)[0]["ours"].as_f64().unwrap()
    };
    assert!(accuracy("Voting") > 95.0 && accuracy("Voting1") < 90.0);
    // CGR-AS against naive-all and CB, on two data sets: difference, t and mark.
    assert!(cells(&document, &[("method", "cgr-as"), ("measure", "mark")]).len() == 4);

    let text = std::fs::read_to_string(folder.path("c")).unwrap();
    folder.write("c", &text[..text.len() / 2]);
    let resumed = folder.run(&[&plain[..], &["--resume"]].concat());
    assert!(resumed.stderr.contains("came from the checkpoint"));
    assert_eq!(timeless(resumed.json()), timeless(document));
    let own = ["reproduce", "singh1995", "--data", ".", "-o", "votes.csv"];
    folder.run(&own).fails(2, &["would overwrite the input"]);
}

#[test]
fn two_replications_have_no_test() {
    let folder = Folder::new();
    let arguments = [
        "reproduce",
        "inza2000",
        "--data",
        ".",
        "--datasets",
        "LED24",
        "--models",
        "nb",
        "--population",
        "20",
    ];
    let quick = folder
        .run(&[&arguments[..], &["--quick", "--json"]].concat())
        .json();
    assert!(cells(&quick, &[("measure", "p")]).is_empty());
    let features = cells(&quick, &[("measure", "features"), ("method", "without")])[0];
    assert_eq!(
        (&features["ours"], &features["units"]),
        (&24.0.into(), &4.into())
    );
    let whole = folder.run(&[&arguments[..], &["--json"]].concat()).json();
    let p = cells(&whole, &[("measure", "p")])[0]["ours"]
        .as_f64()
        .unwrap();
    assert!((0.0..=1.0).contains(&p));
    let people = folder.run(&[&arguments[..], &["--quick", "--quiet"]].concat());
    assert_eq!((people.code, people.stderr.as_str()), (Some(0), ""));
    let widest = people.stdout.lines().map(|line| line.chars().count()).max();
    assert!(people.stdout.contains("what the paper says"));
    assert!(widest.unwrap() <= 110, "{}", people.stdout);
}
