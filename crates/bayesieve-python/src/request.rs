//! What Python asks for, as documents of its own: one text with everything but the data.

use std::time::Duration;

use bayesieve::data::{CodedTable, CodingOptions, RoleOptions, Roles, Table};
use bayesieve::{Error, Observer, Result};
use bayesieve_report::About;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Reads a request.
pub(crate) fn parse<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| {
        Error::usage(format!("a parameter has a value of another type: {error}"))
            .with_hint("The documentation of the class says which it takes.")
    })
}

/// Writes one.
pub(crate) fn text<T: Serialize>(request: &T) -> Result<String> {
    serde_json::to_string(request).map_err(|error| Error::internal(error.to_string()))
}

/// How cells become codes.
#[derive(Deserialize)]
pub(crate) struct Coding {
    missing: String,
    discretize: String,
}

impl Coding {
    pub(crate) fn options(&self) -> Result<CodingOptions> {
        Ok(CodingOptions {
            missing: self.missing.parse()?,
            discretizer: self.discretize.parse()?,
        })
    }
}

/// What a page says about where it comes from.
#[derive(Deserialize, Default)]
pub(crate) struct Origin {
    data: String,
    call: String,
}

impl Origin {
    pub(crate) fn about(&self, seconds: f64) -> About<'_> {
        About {
            file: &self.data,
            command: &self.call,
            seconds: Some(seconds),
        }
    }
}

/// Seconds as a budget.
pub(crate) fn budget(seconds: Option<f64>) -> Result<Option<Duration>> {
    let Some(seconds) = seconds else {
        return Ok(None);
    };
    let budget = Duration::try_from_secs_f64(seconds).ok();
    let budget = budget.filter(|budget| !budget.is_zero());
    let wrong = || {
        Error::usage(format!("a budget of {seconds} seconds is none"))
            .with_hint("Give a number of seconds above zero.")
    };
    budget.ok_or_else(wrong).map(Some)
}

/// A table whose last column is the class, with all others as features.
pub(crate) struct Data<'a> {
    pub(crate) table: &'a Table,
    pub(crate) roles: Roles,
    pub(crate) coded: CodedTable,
}

impl<'a> Data<'a> {
    pub(crate) fn new(
        table: &'a Table,
        coding: CodingOptions,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let roles = roles(table)?;
        let coded = CodedTable::watched(table, &roles, coding, observer)?;
        Ok(Data {
            table,
            roles,
            coded,
        })
    }
}

/// The last column is the class.
pub(crate) fn roles(table: &Table) -> Result<Roles> {
    let class = table.names().last().map(str::to_owned);
    Roles::resolve(
        table,
        &RoleOptions {
            class,
            ..RoleOptions::default()
        },
    )
}
