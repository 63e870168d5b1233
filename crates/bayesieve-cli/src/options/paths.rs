//! Files that get in each other's way.

use std::path::{Path, PathBuf};

use bayesieve::{Error, Result};

/// Refuses `-` for an output that must be a file.
pub(crate) fn require_file(option: &str, path: &Path) -> Result<()> {
    if path.as_os_str() == "-" {
        return Err(Error::usage(format!("{option} - names no file"))
            .with_hint("Name the file to write; here standard output is for the summary."));
    }
    Ok(())
}

/// Refuses an output that is an input or another output, before anything is read.
pub(crate) fn check_paths(inputs: &[&Path], outputs: &[(&str, Option<&PathBuf>)]) -> Result<()> {
    // A file that does not exist yet has no canonical path; its folder has.
    let place = |path: &Path| {
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        path.canonicalize().unwrap_or_else(|_| {
            let folder = folder.unwrap_or(Path::new(".")).canonicalize();
            folder
                .unwrap_or_default()
                .join(path.file_name().unwrap_or_default())
        })
    };
    let mut taken: Vec<(&str, PathBuf)> =
        inputs.iter().map(|path| ("input", place(path))).collect();
    for (option, path) in outputs {
        let Some(path) = path else { continue };
        if path.as_os_str() == "-" {
            return Err(Error::usage(format!("{option} - names no file"))
                .with_hint("Leave the option out to write to standard output."));
        }
        let path = place(path);
        if let Some((other, _)) = taken.iter().find(|(_, known)| *known == path) {
            return Err(
                Error::usage(format!("{option} would overwrite the {other}"))
                    .in_file(&path)
                    .with_hint("Write to another file."),
            );
        }
        taken.push((option, path));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_must_not_be_an_input_or_another_output() {
        let folder = tempfile::tempdir().unwrap();
        let (data, new) = (
            folder.path().join("data.csv"),
            folder.path().join("new.csv"),
        );
        std::fs::write(&data, "a").unwrap();
        assert!(check_paths(&[&data], &[("-o", Some(&new))]).is_ok());
        assert!(check_paths(&[&data], &[("-o", Some(&data))]).is_err());
        assert!(check_paths(&[&data], &[("-o", Some(&new)), ("--pairs", Some(&new))]).is_err());
    }
}
