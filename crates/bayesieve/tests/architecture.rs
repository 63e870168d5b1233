//! Modules stand in a line; each uses only what stands before it.

use std::fs;
use std::path::{Path, PathBuf};

/// What every module may use.
const BASE: [&str; 7] = [
    "fingerprint",
    "journal",
    "math",
    "random",
    "setting",
    "testing",
    "wording",
];

/// What the crate of counts has for every module.
const OF_COUNTS: [&str; 13] = [
    "Error",
    "ErrorKind",
    "Hushed",
    "Observer",
    "Part",
    "Result",
    "Silent",
    "Spelling",
    "check",
    "parameter",
    "printable",
    "quoted",
    "with_codes",
];

/// The line, as in ARCHITECTURE.md: data flows from left to right.
const ORDER: [&str; 17] = [
    "data",
    "counts",
    "info",
    "stream",
    "stats",
    "measure",
    "describe",
    "network",
    "separation",
    "classify",
    "score",
    "search",
    "boundary",
    "select",
    "evaluate",
    "document",
    "run",
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The modules of this crate that some code names: `crate::data::…`, `crate::{data, info}`.
fn modules_named(code: &str) -> Vec<String> {
    let names = |text: &str| -> Vec<String> {
        let is_name = |ch: char| ch.is_alphanumeric() || ch == '_';
        text.split(',')
            .map(|part| {
                part.trim_start()
                    .chars()
                    .take_while(|&ch| is_name(ch))
                    .collect()
            })
            .filter(|name: &String| !name.is_empty())
            .collect()
    };
    code.match_indices("crate::")
        .flat_map(|(at, found)| {
            let rest = &code[at + found.len()..];
            match rest.strip_prefix('{') {
                Some(list) => names(list.split('}').next().unwrap_or_default()),
                None => names(rest.split(',').next().unwrap_or_default()),
            }
        })
        .collect()
}

/// The code of a file without comments and unit tests: those may look ahead.
fn code(file: &Path) -> String {
    if file
        .file_stem()
        .is_some_and(|stem| stem == "tests" || stem == "testing")
    {
        return String::new();
    }
    let text = fs::read_to_string(file).expect("a readable file");
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

fn place(module: &str) -> Option<usize> {
    ORDER.iter().position(|known| *known == module)
}

#[test]
fn every_module_uses_only_what_stands_before_it() {
    for (position, module) in ORDER.iter().enumerate() {
        for file in rust_files(&source().join(module)) {
            for used in modules_named(&code(&file)) {
                let is_before = place(&used).is_some_and(|at| at <= position);
                let is_base = BASE.contains(&used.as_str());
                let is_of_counts = OF_COUNTS.contains(&used.as_str());
                assert!(
                    is_before || is_base || is_of_counts,
                    "{} uses crate::{used}, which does not stand before {module}",
                    file.display()
                );
            }
        }
    }
}

#[test]
fn the_line_names_every_module() {
    for entry in fs::read_dir(source()).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        let name = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or_default();
        let is_known = place(name).is_some() || BASE.contains(&name) || name == "lib";
        assert!(is_known, "{name} has no place in the line");
    }
}

#[test]
fn names_are_found_wherever_they_stand() {
    let code = "use crate::data::{Codes, x}; use crate::{counts::a,\n info}; crate::stats::t()";
    assert_eq!(modules_named(code), ["data", "counts", "info", "stats"]);
}

#[test]
fn unsafe_code_stays_in_the_kernels() {
    let counts = source().join("../../bayesieve-counts/src");
    let kernels = counts.join("kernel");
    for file in [rust_files(&source()), rust_files(&counts)].concat() {
        let text = fs::read_to_string(&file).expect("a readable file");
        let has_unsafe = text.contains("unsafe {") || text.contains("unsafe fn");
        assert!(
            !has_unsafe || file.starts_with(&kernels),
            "{}",
            file.display()
        );
    }
}

/// The table of CONTRIBUTING.md: which files a change touches.
#[test]
fn the_files_that_contributing_names_are_there() {
    let root = source().join("../../..");
    let text = fs::read_to_string(root.join("CONTRIBUTING.md")).expect("a readable file");
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| ")).collect();
    assert!(rows.len() > 11, "{} rows", rows.len());
    let paths = rows
        .iter()
        .flat_map(|row| row.split('`').skip(1).step_by(2));
    for path in paths.filter(|path| path.contains('/') && !path.contains("NAME")) {
        let is_outside = ["crates/", "python/", "docs/"]
            .iter()
            .any(|start| path.starts_with(start));
        let file = if is_outside {
            root.join(path)
        } else {
            source().join(path)
        };
        assert!(file.exists(), "{path} is not there");
    }
}

#[test]
fn a_method_is_named_in_its_file_and_in_the_list_alone() {
    let methods = source().join("select/methods");
    let list = methods.join("mod.rs");
    let listed = code(&list);
    let names: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.trim().strip_prefix('&')?.strip_suffix(','))
        .collect();
    assert!(names.len() >= 25, "{} methods", names.len());
    for file in rust_files(&source()).iter().filter(|&file| *file != list) {
        let text = code(file);
        let named = names.iter().find(|&&name| text.contains(name));
        assert!(named.is_none(), "{} names {named:?}", file.display());
    }
}
