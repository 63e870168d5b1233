//! Values of requests in JSON: names as texts, times as seconds.

/// Whatever is written and read by its name.
pub(super) mod as_text {
    use std::borrow::Cow;
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::Error;

    pub(in crate::run) fn serialize<T: Display, S: Serializer>(
        value: &T,
        out: S,
    ) -> Result<S::Ok, S::Error> {
        out.collect_str(value)
    }

    pub(in crate::run) fn deserialize<'de, T, D>(input: D) -> Result<T, D::Error>
    where
        T: FromStr<Err = Error>,
        D: Deserializer<'de>,
    {
        let text = Cow::<'_, str>::deserialize(input)?;
        text.parse().map_err(D::Error::custom)
    }
}

/// The same where it may be absent.
pub(super) mod as_optional_text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::Error;

    pub(in crate::run) fn serialize<T: Display, S: Serializer>(
        value: &Option<T>,
        out: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => out.collect_str(value),
            None => out.serialize_none(),
        }
    }

    pub(in crate::run) fn deserialize<'de, T, D>(input: D) -> Result<Option<T>, D::Error>
    where
        T: FromStr<Err = Error>,
        D: Deserializer<'de>,
    {
        let text = Option::<String>::deserialize(input)?;
        let value = text.map(|text| text.parse()).transpose();
        value.map_err(D::Error::custom)
    }
}

/// A time limit as a number of seconds.
pub(super) mod as_seconds {
    use std::time::Duration;

    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(in crate::run) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        out: S,
    ) -> Result<S::Ok, S::Error> {
        time.map(|time| time.as_secs_f64()).serialize(out)
    }

    pub(in crate::run) fn deserialize<'de, D: Deserializer<'de>>(
        input: D,
    ) -> Result<Option<Duration>, D::Error> {
        let Some(seconds) = Option::<f64>::deserialize(input)? else {
            return Ok(None);
        };
        let time = Duration::try_from_secs_f64(seconds).ok();
        match time.filter(|time| !time.is_zero()) {
            Some(time) => Ok(Some(time)),
            None => Err(D::Error::custom(format!(
                "a budget of {seconds} seconds is not possible. Give a number of seconds above \
                 zero."
            ))),
        }
    }
}

/// Settings as `name=value`, or as an object of numbers, truth values and texts; null stands for
/// the default.
pub(super) mod as_settings {
    use serde::{Deserialize, Deserializer};
    use serde_json::{Map, Value};

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Texts(Vec<String>),
        Values(Map<String, Value>),
    }

    pub(in crate::run) fn deserialize<'de, D>(input: D) -> Result<Vec<String>, D::Error>
    where
        D: Deserializer<'de>,
    {
        Ok(match Written::deserialize(input)? {
            Written::Texts(texts) => texts,
            Written::Values(values) => values.iter().filter_map(text).collect(),
        })
    }

    fn text((name, value): (&String, &Value)) -> Option<String> {
        Some(match value {
            Value::Null => return None,
            Value::Bool(true) => format!("{name}=on"),
            Value::Bool(false) => format!("{name}=off"),
            Value::String(text) => format!("{name}={text}"),
            other => format!("{name}={other}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::run::{TrainRequest, request_from_json};

    #[test]
    fn settings_are_texts_or_values_of_their_types() {
        let settings = |text: &str| {
            let request: TrainRequest = request_from_json(text).unwrap();
            request.settings
        };
        let texts = settings(r#"{"settings": ["parents=3", "stop=score"]}"#);
        assert_eq!(texts, ["parents=3", "stop=score"]);
        let values =
            r#"{"parents": 3, "level": 0.5, "correction": true, "alpha": null, "stop": "score"}"#;
        let values = settings(&format!("{{\"settings\": {values}}}"));
        assert_eq!(
            values,
            ["parents=3", "level=0.5", "correction=on", "stop=score"]
        );
        assert!(request_from_json::<TrainRequest>(r#"{"settings": 3}"#).is_err());
    }
}
