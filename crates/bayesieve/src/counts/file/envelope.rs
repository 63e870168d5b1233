//! What all files of counts have in common: a mark, a version, packed sections, a checksum.

use std::io::Read;

use super::packing::{check_unpacking, checksum, packed, unpacked};
use crate::data::COUNTS_MAGIC as MAGIC;
use crate::{Error, Result, parameter};

/// The version that is written and read.
const VERSION: u16 = 1;

/// Bytes before the sections: the mark, the version, the kind.
const HEAD: usize = MAGIC.len() + 3;

/// Bytes of the checksum, the last ones.
const TAIL: usize = 4;

/// The way out of a broken file.
const AGAIN: &str = "Copy the file again, or count its rows again.";

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CountFileKind {
    /// Finished counts of whole shards.
    Counts,
    /// Counts of a shard that is not finished.
    Checkpoint,
    /// Counts of a part of the rows, on their way to be merged.
    Partial,
}

impl CountFileKind {
    const ALL: [CountFileKind; 3] = [
        CountFileKind::Counts,
        CountFileKind::Checkpoint,
        CountFileKind::Partial,
    ];

    fn mark(self) -> u8 {
        match self {
            CountFileKind::Counts => b'C',
            CountFileKind::Checkpoint => b'R',
            CountFileKind::Partial => b'P',
        }
    }

    /// A file of this kind where another was wanted.
    fn unwanted(self) -> Error {
        match self {
            CountFileKind::Counts => Error::data("this is a file of finished counts"),
            CountFileKind::Checkpoint => Error::data("these counts are not finished").with_hint(
                format!("Finish them: count again with {}.", parameter("resume")),
            ),
            CountFileKind::Partial => Error::data("these are counts of a part, not a count file"),
        }
        .with_hint("Give a file that bayesieve count or merge wrote.")
    }
}

/// A broken file.
pub(super) fn broken(what: impl std::fmt::Display) -> Error {
    Error::data(format!("the counts are broken: {what}")).with_hint(AGAIN)
}

/// Bytes that cannot be what they say they are, although the checksum is right.
pub(super) fn contradiction(error: Error) -> Error {
    broken(format!("they contradict themselves: {error}"))
}

/// Sections as the bytes of a file.
pub(super) fn pack(kind: CountFileKind, sections: [&[u8]; 3]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.push(kind.mark());
    for section in sections {
        let section = packed(section);
        bytes.extend((section.len() as u64).to_le_bytes());
        bytes.extend(section);
    }
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// The sections of a file, still packed.
///
/// # Errors
/// Bytes that are no such file, of another version or kind, or not all that were written.
pub(super) fn unpack(wanted: CountFileKind, bytes: &[u8]) -> Result<[Section<'_>; 3]> {
    let is_begun = !bytes.is_empty() && MAGIC.starts_with(&bytes[..bytes.len().min(MAGIC.len())]);
    if is_begun && bytes.len() < MAGIC.len() {
        return Err(cut_off());
    }
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        return Err(Error::data("this is no file of counts")
            .with_hint("Give a file that bayesieve count or merge wrote."));
    };
    check_unpacking()?;
    let [low, high, mark, ..] = *rest else {
        return Err(cut_off());
    };
    let version = u16::from_le_bytes([low, high]);
    if version > VERSION {
        return Err(Error::data(format!(
            "the counts are of version {version}, and this program reads up to {VERSION}"
        ))
        .with_hint("Use a newer bayesieve, or count again with this one."));
    }
    let Some((body, sum)) = bytes.split_last_chunk::<TAIL>() else {
        return Err(cut_off());
    };
    let packed = sections(body)?;
    if checksum(body) != u32::from_le_bytes(*sum) {
        return Err(broken("the checksum is wrong"));
    }
    let kind = CountFileKind::ALL
        .into_iter()
        .find(|kind| kind.mark() == mark);
    match kind {
        _ if version == 0 => Err(broken("their version is 0")),
        None => Err(broken("their kind is unknown")),
        Some(kind) if kind != wanted => Err(kind.unwanted()),
        Some(_) => Ok(packed),
    }
}

fn cut_off() -> Error {
    broken("the file ends too early")
}

/// Takes the sections apart by their lengths.
fn sections(body: &[u8]) -> Result<[Section<'_>; 3]> {
    let mut rest = body.get(HEAD..).ok_or_else(cut_off)?;
    let mut next = || -> Result<Section<'_>> {
        let (n_bytes, behind) = rest.split_first_chunk::<8>().ok_or_else(cut_off)?;
        let n_bytes = usize::try_from(u64::from_le_bytes(*n_bytes)).map_err(|_| cut_off())?;
        let (section, behind) = behind.split_at_checked(n_bytes).ok_or_else(cut_off)?;
        rest = behind;
        Ok(Section(section))
    };
    let sections = [next()?, next()?, next()?];
    if rest.is_empty() {
        Ok(sections)
    } else {
        Err(broken("there are bytes behind the end"))
    }
}

/// A packed section.
#[derive(Debug, Clone, Copy)]
pub(super) struct Section<'a>(&'a [u8]);

/// Bytes of a section of JSON: more columns than can be counted.
const MAX_JSON: u64 = 1 << 30;

impl<'a> Section<'a> {
    /// The bytes, one after the other.
    pub(super) fn reader(self) -> impl Read + 'a {
        unpacked(self.0)
    }

    /// A section of JSON.
    pub(super) fn json<T: serde::de::DeserializeOwned>(self) -> Result<T> {
        serde_json::from_str(&self.text()?).map_err(broken)
    }

    /// A section of text.
    pub(super) fn text(self) -> Result<String> {
        let mut text = String::new();
        let read = self.reader().take(MAX_JSON).read_to_string(&mut text);
        read.map_err(broken)?;
        Ok(text)
    }
}
