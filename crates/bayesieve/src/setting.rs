//! Settings of methods and searches: described once, checked before anything runs.

use std::fmt;

use serde::de::IntoDeserializer;
use serde::{Deserialize, Serialize};

use crate::data::unknown_name;
use crate::{Error, Result, quoted, setting};

/// What values a setting takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SettingKind {
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A whole number within these bounds.
    Integer {
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
    },
    /// A word, or a whole number within these bounds.
    WordOrInteger {
        /// The word.
        word: &'static str,
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
    },
    /// A word, or the name of a file.
    WordOrFile {
        /// The word.
        word: &'static str,
    },
    /// A number within these bounds.
    Number {
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
    },
}

impl fmt::Display for SettingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingKind::Choice(words) => f.write_str(&words.join(", ")),
            SettingKind::Integer { min, max: u64::MAX } => {
                write!(f, "a whole number from {min} on")
            }
            SettingKind::Integer { min, max } => write!(f, "a whole number, {min} to {max}"),
            SettingKind::WordOrInteger { word, min, max } => {
                write!(f, "{word}, or a whole number, {min} to {max}")
            }
            SettingKind::WordOrFile { word } => write!(f, "{word}, or a file"),
            SettingKind::Number { min, max } if min.is_infinite() && max.is_infinite() => {
                f.write_str("a number")
            }
            SettingKind::Number { min, max } if max.is_infinite() => {
                write!(f, "a number from {min} on")
            }
            SettingKind::Number { min, max } => write!(f, "a number, {min} to {max}"),
        }
    }
}

/// A setting of a method: one text for help, documents and errors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting {
    /// How it is written.
    pub name: &'static str,
    /// Its value when it is not given.
    pub default: &'static str,
    /// What it takes.
    pub kind: SettingKind,
    /// What it does, in one sentence.
    pub meaning: &'static str,
}

impl Setting {
    fn check(&self, value: &str) -> Result<()> {
        let is_right = match self.kind {
            SettingKind::Choice(words) => words.contains(&value),
            SettingKind::WordOrInteger { word, .. } if value == word => true,
            SettingKind::Integer { min, max } | SettingKind::WordOrInteger { min, max, .. } => {
                let number = value.parse::<u64>();
                number.is_ok_and(|number| (min..=max).contains(&number))
            }
            SettingKind::WordOrFile { .. } => !value.is_empty(),
            SettingKind::Number { min, max } => {
                let number = value.parse::<f64>();
                number.is_ok_and(|x| x.is_finite() && (min..=max).contains(&x))
            }
        };
        if is_right {
            return Ok(());
        }
        let (name, kind) = (self.name, self.kind);
        Err(Error::usage(format!(
            "{}: not a value of this setting",
            setting(name).is(value)
        ))
        .with_hint(format!("It takes {kind}; the default is {}.", self.default)))
    }
}

/// The settings of one run, every one with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    values: Vec<(&'static str, String)>,
    /// Those that do not have their defaults, in the order they were given.
    given: Vec<&'static str>,
}

impl Settings {
    /// Checks `name=value` texts against what the method takes; the others have their
    /// defaults.
    ///
    /// # Errors
    /// A text without `=`, a name the method does not have or that comes twice, or a value
    /// out of range.
    pub fn parse<'t>(known: &[Setting], given: impl IntoIterator<Item = &'t str>) -> Result<Self> {
        let defaults = known.iter().map(|s| (s.name, s.default.to_owned()));
        let mut settings = Settings {
            values: defaults.collect(),
            given: Vec::new(),
        };
        for text in given {
            let (name, value) = text.split_once('=').ok_or_else(|| {
                Error::usage(format!("{} has no value", setting(text)))
                    .with_hint(format!("Write {}.", setting("name").is("value")))
            })?;
            let (name, value) = (name.trim(), value.trim());
            let place = known.iter().position(|setting| setting.name == name);
            let place = place.ok_or_else(|| unknown(known, name))?;
            if settings.given.contains(&name) {
                return Err(Error::usage(format!("{} is given twice", setting(name)))
                    .with_hint("Give it once."));
            }
            known[place].check(value)?;
            settings.given.push(known[place].name);
            value.clone_into(&mut settings.values[place].1);
        }
        Ok(settings)
    }

    /// Whether there is such a setting.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The value of a setting, where there is such a setting.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value)
    }

    /// Names and values, in the order of the method's description.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.values
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
    }

    /// The names of the settings that were given.
    pub fn given(&self) -> &[&'static str] {
        &self.given
    }

    /// The value of a setting the method has.
    ///
    /// # Errors
    /// There is no such setting, or it is of another kind.
    pub fn text(&self, name: &str) -> Result<&str> {
        self.get(name)
            .ok_or_else(|| Error::internal(format!("the method has no setting {name}")))
    }

    /// The value of a setting that takes a number.
    ///
    /// # Errors
    /// There is no such setting, or it is of another kind.
    pub fn number(&self, name: &str) -> Result<f64> {
        let value = self.text(name)?.parse();
        value.map_err(|_| Error::internal(format!("the setting {name} is no number")))
    }

    /// The value of a setting that takes a whole number.
    ///
    /// # Errors
    /// There is no such setting, or it is of another kind.
    pub fn integer(&self, name: &str) -> Result<usize> {
        let value = self.text(name)?.parse();
        value.map_err(|_| Error::internal(format!("the setting {name} is no whole number")))
    }
}

/// The choice that a word stands for, as its type writes it.
pub(crate) fn choice<'w, T: Deserialize<'w>>(word: &'w str) -> Result<T> {
    let choice = T::deserialize(word.into_deserializer());
    choice.map_err(|error: serde::de::value::Error| Error::internal(error.to_string()))
}

/// The word of a choice, as its type writes it.
pub(crate) fn word(choice: impl Serialize) -> String {
    match serde_json::to_value(choice) {
        Ok(serde_json::Value::String(word)) => word,
        other => unreachable!("a choice is written as a word, not as {other:?}"),
    }
}

fn unknown(known: &[Setting], name: &str) -> Error {
    if known.is_empty() {
        return Error::usage(format!("there is no setting {}", quoted(name)))
            .with_hint("This method has none.");
    }
    unknown_name("setting", name, known.iter().map(|setting| setting.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [Setting; 2] = [
        Setting {
            name: "gamma",
            default: "0.05",
            kind: SettingKind::Number { min: 0.0, max: 1.0 },
            meaning: "",
        },
        Setting {
            name: "stop",
            default: "zero",
            kind: SettingKind::Choice(&["zero", "chi2"]),
            meaning: "",
        },
    ];

    #[test]
    fn what_is_not_given_has_its_default() {
        let settings = Settings::parse(&KNOWN, ["stop=chi2"]).unwrap();
        let all: Vec<(&str, &str)> = settings.iter().collect();
        assert_eq!(all, [("gamma", "0.05"), ("stop", "chi2")]);
        assert_eq!(settings.number("gamma").unwrap(), 0.05);
    }

    #[test]
    fn a_wrong_setting_says_what_is_right() {
        let error = |text: &str| {
            let error = Settings::parse(&KNOWN, text.split(' ')).unwrap_err();
            error.to_string()
        };
        assert!(error("gama=1").contains("Did you mean \"gamma\"?"));
        assert!(error("gamma").contains("name=value"));
        assert!(error("gamma=2").contains("0 to 1"));
        assert!(error("gamma=nan").contains("0 to 1"));
        assert!(error("stop=never").contains("zero, chi2"));
        assert!(error("stop=zero stop=zero").contains("twice"));
        let none = Settings::parse(&[], ["a=1"]).unwrap_err().to_string();
        assert!(none.contains("has none"));
    }
}
