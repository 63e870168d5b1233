//! Parameters in messages: the library names them, every surface spells them its own way.

use std::fmt;

use crate::error::printable;

/// Marks around a parameter in a message. Names and values of users never hold them: control
/// characters are escaped on their way into a message.
const OPTION: char = '\u{1}';
const SETTING: char = '\u{2}';
const VALUE: char = '\u{3}';
const END: char = '\u{4}';

/// A parameter in a message, with or without a value.
///
/// # Example
/// ```
/// use bayesieve_counts::{Error, Spelling, parameter, setting};
///
/// let error = Error::usage(format!("{} would keep nothing", parameter("count").is(0)))
///     .with_hint(format!("Leave {} out.", setting("max_cells")));
/// assert_eq!(error.to_string(), "count=0 would keep nothing. Leave max_cells out.");
/// let flags = Spelling { parameter: "/", setting: "/set:", is: ":" };
/// assert_eq!(error.spelled(flags), "/count:0 would keep nothing. Leave /set:max_cells out.");
/// ```
#[derive(Debug, Clone)]
pub struct Parameter<'a> {
    mark: char,
    name: &'a str,
    value: Option<String>,
}

/// Names a parameter of a request: `count`, `missing`, `class`.
pub fn parameter(name: &str) -> Parameter<'_> {
    Parameter {
        mark: OPTION,
        name,
        value: None,
    }
}

/// Names a setting of a method, a search or a model: `alpha`, `population`.
pub fn setting(name: &str) -> Parameter<'_> {
    Parameter {
        mark: SETTING,
        ..parameter(name)
    }
}

impl Parameter<'_> {
    /// Gives the value it has or should have.
    #[must_use]
    pub fn is(mut self, value: impl fmt::Display) -> Self {
        self.value = Some(value.to_string());
        self
    }
}

impl fmt::Display for Parameter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.mark, printable(self.name, 60))?;
        if let Some(value) = &self.value {
            write!(f, "{VALUE}{}", printable(value, 200))?;
        }
        write!(f, "{END}")
    }
}

/// How a surface writes parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spelling {
    /// Before the name of a parameter.
    pub parameter: &'static str,
    /// Before the name of a setting.
    pub setting: &'static str,
    /// Between the name of a parameter and its value; settings have `=`.
    pub is: &'static str,
}

impl Spelling {
    /// `count=50`, as keyword arguments and fields are.
    pub const LIBRARY: Spelling = Spelling {
        parameter: "",
        setting: "",
        is: "=",
    };

    /// Spells all parameters of a message.
    pub fn spell(self, message: &str) -> String {
        let mut out = String::with_capacity(message.len());
        let mut is_setting = false;
        for ch in message.chars() {
            match ch {
                OPTION | SETTING => {
                    is_setting = ch == SETTING;
                    out += if is_setting {
                        self.setting
                    } else {
                        self.parameter
                    };
                }
                VALUE => out += if is_setting { "=" } else { self.is },
                END => (),
                ch => out.push(ch),
            }
        }
        out
    }
}
