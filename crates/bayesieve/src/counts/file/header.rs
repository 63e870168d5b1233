//! What a file of counts says of itself: its shards, the domains it was counted by.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::envelope::broken;
use crate::{Error, Result, parameter, quoted};

/// The schema of the header of a count file.
const SCHEMA: &str = "bayesieve.counts.v1";

/// A part of the rows that is counted in one place, and never twice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// What tells it from all others.
    pub id: String,
    /// Rows that were counted.
    #[serde(rename = "rows")]
    pub n_rows: u64,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct CountFileHeader {
    schema: String,
    fingerprint: String,
    pub(super) shards: Vec<Shard>,
    /// What it takes to go on with counts that are not finished.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub(super) mark: Value,
}

impl CountFileHeader {
    pub(super) fn new(shards: &[Shard], fingerprint: u64, mark: Value) -> Self {
        CountFileHeader {
            schema: SCHEMA.to_owned(),
            fingerprint: format!("{fingerprint:016x}"),
            shards: shards.to_vec(),
            mark,
        }
    }

    /// The same text for the same header.
    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("texts and numbers can be written")
    }

    pub(super) fn check(&self) -> Result<()> {
        if self.schema == SCHEMA {
            check_order(&self.shards)
        } else {
            Err(broken(format!("their schema is {}", quoted(&self.schema))))
        }
    }

    pub(super) fn check_fingerprint(&self, fingerprint: u64) -> Result<()> {
        if self.fingerprint == format!("{fingerprint:016x}") {
            Ok(())
        } else {
            Err(broken("they are of other domains than they say"))
        }
    }
}

/// Shards stand by rising id, each once.
pub(super) fn check_order(shards: &[Shard]) -> Result<()> {
    if shards.windows(2).all(|pair| pair[0].id < pair[1].id) {
        Ok(())
    } else {
        Err(broken("the shards are not in order"))
    }
}

/// The shards of both, by rising id.
///
/// # Errors
/// One is in both.
pub(super) fn merged(mine: &[Shard], other: &[Shard]) -> Result<Vec<Shard>> {
    let mut shards = [mine, other].concat();
    shards.sort_unstable_by(|a, b| a.id.cmp(&b.id));
    match shards.windows(2).find(|pair| pair[0].id == pair[1].id) {
        Some(pair) => Err(Error::data(format!(
            "the shard {} is in both: its rows would count twice",
            quoted(&pair[0].id)
        ))
        .with_hint(format!(
            "Give every shard once; other rows need another name ({}).",
            parameter("shard")
        ))),
        None => Ok(shards),
    }
}
