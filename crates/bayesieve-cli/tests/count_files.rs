//! Rows counted into files, apart and together, and what is selected from them.

mod common;

use std::time::Duration;

use common::{Folder, Ran};

const N_SHARDS: usize = 16;

/// 800 rows of led24 in one file and in sixteen.
fn folder_of_shards() -> Folder {
    let folder = Folder::new();
    let made = folder.run(&["generate", "led24", "--rows", "800", "-o", "all.csv"]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let text = std::fs::read_to_string(folder.path("all.csv")).expect("made by this test");
    let mut lines = text.lines();
    let header = lines.next().expect("made by this test");
    let mut parts = vec![format!("{header}\n"); N_SHARDS];
    for (row, line) in lines.enumerate() {
        // Parts of different lengths.
        let part = (row * row + row / 7) % N_SHARDS;
        parts[part] += &format!("{line}\n");
    }
    for (part, text) in parts.iter().enumerate() {
        folder.write(&format!("part-{part:02}.csv"), text);
    }
    done(&folder.run(&["count", "all.csv", "--domains-only", "-o", "domains.json"]));
    folder
}

fn done(ran: &Ran) {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

fn count(folder: &Folder, data: &str, output: &str) {
    done(&folder.run(&["count", data, "--domains", "domains.json", "-o", output]));
}

fn merge(folder: &Folder, files: &[String], output: &str) {
    let mut arguments = vec!["merge", "-o", output];
    arguments.extend(files.iter().map(String::as_str));
    done(&folder.run(&arguments));
}

fn bytes(folder: &Folder, name: &str) -> Vec<u8> {
    std::fs::read(folder.path(name)).expect("made by this test")
}

#[test]
fn sixteen_shards_merged_in_any_order_are_the_same_file() {
    let folder = folder_of_shards();
    let name = |part: usize| format!("{part}.counts");
    for part in 0..N_SHARDS {
        count(&folder, &format!("part-{part:02}.csv"), &name(part));
    }
    let forward: Vec<String> = (0..N_SHARDS).map(name).collect();
    let backward: Vec<String> = (0..N_SHARDS).rev().map(name).collect();
    // 5 is prime to 16: every file once.
    let mixed: Vec<String> = (0..N_SHARDS).map(|i| name(5 * i % N_SHARDS)).collect();
    merge(&folder, &forward, "forward.all");
    merge(&folder, &backward, "backward.all");
    merge(&folder, &mixed, "mixed.all");
    let tree: Vec<String> = (0..4).map(|i| format!("{i}.tree")).collect();
    for (branch, output) in mixed.chunks(4).zip(&tree) {
        merge(&folder, branch, output);
    }
    merge(&folder, &tree, "tree.all");
    let mut at_once = vec!["count", "--domains", "domains.json", "-o", "once.all"];
    let parts: Vec<String> = (0..N_SHARDS).map(|i| format!("part-{i:02}.csv")).collect();
    at_once.extend(parts.iter().map(String::as_str));
    done(&folder.run(&at_once));
    for other in ["backward.all", "mixed.all", "tree.all", "once.all"] {
        assert_eq!(
            bytes(&folder, "forward.all"),
            bytes(&folder, other),
            "{other}"
        );
    }
}

#[test]
fn a_shard_is_refused_where_it_is_already() {
    let folder = folder_of_shards();
    count(&folder, "part-00.csv", "a.counts");
    count(&folder, "part-00.csv", "b.counts");
    assert_eq!(bytes(&folder, "a.counts"), bytes(&folder, "b.counts"));
    let ran = folder.run(&["merge", "a.counts", "b.counts", "-o", "sum.counts"]);
    ran.fails(3, &["b.counts", "part-00.csv#", "twice", "--shard"]);
    std::fs::create_dir(folder.path("copies")).unwrap();
    std::fs::copy(
        folder.path("part-00.csv"),
        folder.path("copies/part-00.csv"),
    )
    .unwrap();
    let ran = folder.run(&[
        "count",
        "part-00.csv",
        "copies/part-00.csv",
        "--domains",
        "domains.json",
        "-o",
        "sum.counts",
    ]);
    ran.fails(3, &["part-00.csv#", "twice"]);
    assert!(!folder.files().contains(&"sum.counts".to_owned()));
    // Other rows under the same name are another shard.
    std::fs::rename(folder.path("part-01.csv"), folder.path("part-00.csv")).unwrap();
    count(&folder, "part-00.csv", "c.counts");
    merge(
        &folder,
        &["a.counts".into(), "c.counts".into()],
        "sum.counts",
    );
}

#[test]
fn different_domains_are_refused_with_the_column() {
    let folder = Folder::new();
    folder.write(
        "a.csv",
        "city,x,class\nRome,1.5,a\nBonn,2.5,b\nRome,3.5,a\n",
    );
    folder.write(
        "b.csv",
        "city,x,class\nRome,1.5,a\nOslo,2.5,b\nRome,3.5,a\n",
    );
    for name in ["a", "b"] {
        let (data, output) = (format!("{name}.csv"), format!("{name}.counts"));
        done(&folder.run(&["count", &data, "-o", &output]));
    }
    let ran = folder.run(&["merge", "a.counts", "b.counts", "-o", "sum.counts"]);
    ran.fails(
        3,
        &[
            "b.counts",
            "\"city\"",
            "label \"Bonn\"",
            "Learn the domains once",
        ],
    );
    done(&folder.run(&["count", "a.csv", "--domains-only", "-o", "a.json"]));
    let ran = folder.run(&["count", "b.csv", "--domains", "a.json", "-o", "x.counts"]);
    ran.fails(3, &["b.csv", "\"city\"", "\"Oslo\""]);
    let ran = folder.run(&["count", "b.csv", "--domains", "b.csv", "-o", "x.counts"]);
    ran.fails(3, &["b.csv", "domains cannot be read"]);
    folder.write("c.json", "{}");
    let ran = folder.run(&["count", "b.csv", "--domains", "c.json", "-o", "x.counts"]);
    ran.fails(3, &["c.json", "Learn them again"]);
}

#[test]
fn files_that_are_no_counts_are_refused_by_name() {
    let folder = folder_of_shards();
    count(&folder, "part-00.csv", "a.counts");
    let good = bytes(&folder, "a.counts");
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 1;
    folder.write("flipped.counts", &flipped);
    folder.write("short.counts", &good[..good.len() - 9]);
    for (file, words) in [
        ("flipped.counts", ["broken", "again"]),
        ("short.counts", ["broken", "again"]),
        ("part-01.csv", ["no file of counts", "bayesieve count"]),
        ("absent.counts", ["there is no such file", "absent"]),
    ] {
        let ran = folder.run(&["merge", "a.counts", file, "-o", "sum.counts"]);
        ran.fails(3, &[file, words[0], words[1]]);
    }
}

/// Two blocks of rows and a few, with the domains of the few.
fn folder_of_blocks() -> Folder {
    let folder = Folder::new();
    for (rows, file) in [("300000", "large.csv"), ("2000", "small.csv")] {
        done(&folder.run(&["generate", "led24", "--rows", rows, "-o", file]));
    }
    done(&folder.run(&["count", "small.csv", "--domains-only", "-o", "domains.json"]));
    folder
}

/// Kills a run to `cut.counts` once it has put something aside. Nobody reads the pipe that it
/// writes to, so that it cannot end before.
#[cfg(unix)]
fn cut_off(folder: &Folder, arguments: &[&str]) {
    let pipe = folder.path("cut.counts");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("a command of every system").success());
    // A block takes longer to count than that.
    let every = ["--checkpoint-every", "1ms"];
    let mut child = folder
        .command(&[arguments, &every].concat())
        .spawn()
        .expect("the command runs");
    while !folder.path("cut.counts.part").exists() {
        let ended = child.try_wait().expect("it was started here");
        assert_eq!(ended, None, "nothing was put aside");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("it cannot have ended");
    child.wait().expect("it was started here");
    std::fs::remove_file(pipe).expect("made by this test");
}

#[cfg(unix)]
#[test]
fn a_count_that_was_killed_goes_on_to_the_same_bytes() {
    let folder = folder_of_blocks();
    let whole = ["count", "small.csv", "large.csv", "--domains"];
    let whole = [&whole[..], &["domains.json", "-o"]].concat();
    done(&folder.run(&[&whole[..], &["whole.counts"]].concat()));
    let again = [&whole[..], &["cut.counts"]].concat();
    cut_off(&folder, &again);

    folder
        .run(&again)
        .fails(2, &["cut.counts.part", "--resume"]);
    let other = [&again[..], &["--resume", "--shard", "x"]].concat();
    folder
        .run(&other)
        .fails(3, &["options were others", "Remove"]);
    done(&folder.run(&[&again[..], &["--resume"]].concat()));
    assert_eq!(bytes(&folder, "cut.counts"), bytes(&folder, "whole.counts"));
    assert!(!folder.path("cut.counts.part").exists());
}

#[cfg(unix)]
#[test]
fn a_resumed_count_wants_the_same_file() {
    let folder = folder_of_blocks();
    let arguments = ["count", "large.csv", "-o", "cut.counts"];
    cut_off(&folder, &arguments);
    let mut rows = std::fs::read_to_string(folder.path("large.csv")).expect("made by this test");
    let last = rows.lines().last().expect("made by this test").to_owned();
    rows += &format!("{last}\n");
    folder.write("large.csv", rows);
    let resumed = [&arguments[..], &["--resume"]].concat();
    folder.run(&resumed).fails(
        3,
        &[
            "cut.counts.part: this run cannot be resumed",
            "large.csv has changed since. Remove the file to begin anew.",
        ],
    );
    assert!(!folder.path("cut.counts").exists());
}

#[test]
fn what_is_put_aside_and_broken_is_to_be_removed() {
    let folder = folder_of_shards();
    let resumed = ["count", "all.csv", "-o", "all.counts", "--resume"];
    let ran = folder.run(&resumed);
    done(&ran);
    assert!(ran.stderr.contains("nothing to resume"), "{}", ran.stderr);
    folder.write("all.counts.part", "half");
    folder.run(&resumed).fails(
        3,
        &["all.counts.part: this run cannot be resumed: this is no file of counts. Remove the file"],
    );
}

#[test]
fn a_file_that_is_given_twice_is_refused_before_it_is_counted() {
    let folder = folder_of_shards();
    let twice = ["count", "all.csv", "./all.csv", "-o", "all.counts"];
    folder.run(&twice).fails(2, &["all.csv", "given twice"]);
}

#[test]
fn a_fault_of_the_data_names_its_row_and_leaves_nothing_behind() {
    let folder = folder_of_blocks();
    let mut rows = std::fs::read_to_string(folder.path("large.csv")).expect("made by this test");
    // All cells of the last row are 7; the labels of the features are 0 and 1.
    rows += &format!("{}7\n", "7,".repeat(24));
    folder.write("faulty.csv", rows);
    let count = ["count", "faulty.csv", "--domains", "domains.json"];
    let often = ["-o", "x.counts", "--checkpoint-every", "1ms"];
    let ran = folder.run(&[&count[..], &often].concat());
    ran.fails(3, &["faulty.csv, row 300001, column \"x1\": \"7\" is not"]);
    let files = folder.files();
    assert!(
        !files.iter().any(|name| name.starts_with("x.counts")),
        "{files:?}"
    );
}

#[cfg(unix)]
#[test]
fn more_files_than_can_be_open_are_learned_one_after_the_other() {
    let folder = Folder::new();
    let names: Vec<String> = (0..100).map(|i| format!("part-{i:02}.csv")).collect();
    for (i, name) in names.iter().enumerate() {
        folder.write(name, format!("city,class\n{},{}\n", i % 3, i % 2));
    }
    let run = |output: &str| {
        let mut limited = std::process::Command::new("sh");
        limited.args(["-c", "ulimit -n 64 && exec \"$0\" \"$@\""]);
        limited.arg(folder.command(&[]).get_program());
        limited.args(["count", "--json", "-o", output]).args(&names);
        Ran::of(limited.current_dir(folder.path("")).output().expect("sh"))
    };
    let document = run("all.counts").json();
    assert_eq!(document["rows"], 100);
    assert_eq!(document["shards"].as_array().map(Vec::len), Some(100));
    folder.write("part-57.csv", "town,class\n0,1\n");
    run("other.counts").fails(3, &["part-57.csv", "no column \"city\""]);
}

#[test]
fn summaries_say_what_was_counted() {
    let folder = folder_of_shards();
    let ran = folder.run(&[
        "count",
        "all.csv",
        "-o",
        "all.counts",
        "--shard",
        "x",
        "--json",
    ]);
    let document = ran.json();
    assert_eq!(document["schema"], "bayesieve.counting.v1");
    assert_eq!(document["rows"], 800);
    assert_eq!(document["shards"][0]["id"], "x");
    assert_eq!(document["features"], 24);
    let ran = folder.run(&["merge", "all.counts", "-o", "again.counts"]);
    done(&ran);
    assert!(
        ran.stdout
            .contains("800 rows of 1 shard: 24 features and 276 pairs"),
        "{}",
        ran.stdout
    );
    assert_eq!(bytes(&folder, "all.counts"), bytes(&folder, "again.counts"));
}
