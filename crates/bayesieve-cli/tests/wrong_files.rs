//! Files of one kind where another is wanted, and what is said of them.

mod common;

use common::Folder;

/// 16 rows, their counts and their domains.
fn folder() -> Folder {
    let folder = Folder::new();
    let rows = "a,b,class\n0,x,0\n1,y,1\n".to_owned() + &"0,y,1\n1,x,0\n".repeat(7);
    folder.write("rows.csv", rows);
    for arguments in [
        &["count", "rows.csv", "-o", "rows.counts"][..],
        &["count", "rows.csv", "--domains-only", "-o", "rows.json"],
    ] {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
    folder
}

#[test]
fn counts_are_told_from_rows() {
    let folder = folder();
    for arguments in [
        &["select", "rows.counts"][..],
        &["describe", "rows.counts", "--memory", "1GB"],
        &["count", "rows.counts", "-o", "new.counts"],
        &["compare", "rows.counts"],
    ] {
        let expected = ["rows.counts", "one of counts, not of rows", "--counts"];
        folder.run(arguments).fails(3, &expected);
    }
}

#[test]
fn counts_are_told_from_domains() {
    let folder = folder();
    let count = ["count", "rows.csv", "-o", "new.counts", "--domains"];
    let with = |file: &'static str| folder.run(&[&count[..], &[file]].concat());
    let expected = ["rows.counts: this is a file of counts", "--domains-only"];
    with("rows.counts").fails(3, &expected);
    folder.write("noise", b"\xFF\xFE\x00");
    with("noise").fails(3, &["noise: these are no domains", "--domains-only"]);
    with("rows.csv").fails(
        3,
        &["rows.csv: the domains cannot be read", "--domains-only"],
    );
}

#[test]
fn what_the_domains_settle_is_not_to_be_said_again() {
    let folder = folder();
    let count = ["count", "rows.csv", "-o", "new.counts"];
    let count = [&count[..], &["--domains", "rows.json"]].concat();
    for (option, value) in [
        ("--missing", "drop"),
        ("--class", "class"),
        ("--discretize", "mdlp"),
        ("--features", "a"),
        ("--ignore", "a"),
        ("--nominal", "all"),
        ("--numeric", "all"),
        ("--na", "x"),
    ] {
        let ran = folder.run(&[&count[..], &[option, value]].concat());
        let settled = format!("{option} is settled by the domains");
        let leave = format!("Leave {option} out");
        ran.fails(2, &[&settled, &leave, "--domains-only"]);
    }
}

#[test]
fn an_absent_file_is_told_in_the_same_words_everywhere() {
    let folder = folder();
    for arguments in [
        &["select", "absent"][..],
        &["select", "absent", "--memory", "1GB"],
        &["select", "--counts", "absent"],
        &["count", "absent", "-o", "x"],
        &["count", "rows.csv", "absent", "--domains-only", "-o", "x"],
        &["count", "absent", "--domains", "rows.json", "-o", "x"],
        &["count", "rows.csv", "--domains", "absent", "-o", "x"],
        &["merge", "rows.counts", "absent", "-o", "x"],
        &["score", "rows.csv", "--subsets", "absent"],
        &["score", "rows.csv", "--folds", "absent"],
        &["predict", "absent", "rows.csv"],
        &["train", "rows.csv", "--selection", "absent", "-o", "x"],
        &["compare", "absent"],
        &["network", "info", "absent"],
    ] {
        let expected = ["bayesieve: absent: there is no such file"];
        folder.run(arguments).fails(3, &expected);
    }
    for arguments in [
        &["select", "."][..],
        &["select", "--counts", "."],
        &["count", ".", "-o", "x"],
        &["count", "rows.csv", "--domains", ".", "-o", "x"],
        &["merge", ".", "-o", "x"],
    ] {
        let expected = ["bayesieve: .: this is a folder, not a file"];
        folder.run(arguments).fails(3, &expected);
    }
}

#[test]
fn what_is_asked_of_counts_in_vain_comes_with_what_does_with_less() {
    let folder = folder();
    let counts = ["--counts", "rows.counts"];
    let complete = ["score", "--model", "nb", "--set", "auxiliary=complete"];
    // Features that go together, for tables of three of them.
    for arguments in [
        &["generate", "led24", "--rows", "2000", "-o", "rows.csv"][..],
        &["count", "rows.csv", "-o", "rows.counts"],
    ] {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
    let ran = folder.run(&[&complete[..], &counts].concat());
    ran.fails(
        2,
        &[
            "auxiliary=complete",
            "table of 24 features",
            "--set auxiliary=tree",
        ],
    );
    let select = ["select", "--method", "iamb"];
    let ran = folder.run(&[&select[..], &counts].concat());
    let names = "mdl-fs, mdl, koller-sahami, cfs, mrmr, mrmr-miq, jmi, cmim, fcbf, all";
    ran.fails(2, &["iamb: a table of 3 features", names, "--memory"]);
    // Whoever has rows is not expected of counts.
    let memory = ["select", "rows.csv", "--memory", "1GB", "--method"];
    let ran = folder.run(&[&memory[..], &["relief-f"]].concat());
    ran.fails(2, &["works with --memory: mdl-fs", "cig-as", "iamb"]);
    assert!(!ran.stderr.contains("counts"), "{}", ran.stderr);
    let ran = folder.run(&["score", "rows.csv", "--memory", "1GB"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let expected = "accuracies need the rows in memory";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
}
