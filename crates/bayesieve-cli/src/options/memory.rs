//! `--memory`: how much a run may take.

use bayesieve::stream::MIN_MEMORY;

/// 2GB, 500MB, 1.5GiB; 64MiB at least.
pub(crate) fn memory(text: &str) -> Result<u64, String> {
    const WRONG: &str = "write a size with its unit: 500MB, 2GB, 1.5GiB";
    let text = text.trim();
    let end = text
        .find(|ch: char| !ch.is_ascii_digit() && ch != '.')
        .unwrap_or(text.len());
    let number: f64 = text[..end].parse().map_err(|_| WRONG)?;
    let unit: f64 = match text[end..].trim_start().to_ascii_lowercase().as_str() {
        "kb" | "k" => 1e3,
        "mb" | "m" => 1e6,
        "gb" | "g" => 1e9,
        "tb" | "t" => 1e12,
        "kib" => 1024.0,
        "mib" => 1024f64.powi(2),
        "gib" => 1024f64.powi(3),
        "tib" => 1024f64.powi(4),
        _ => return Err(WRONG.into()),
    };
    let bytes = number * unit;
    if !(1.0..1e18).contains(&bytes) {
        return Err(WRONG.into());
    }
    let bytes = bytes as u64;
    if bytes >= MIN_MEMORY {
        Ok(bytes)
    } else {
        Err(format!("this is too little, give {MIN_IN_WORDS} at least"))
    }
}

/// The least, rounded up where it is no round number.
const MIN_IN_WORDS: &str = "68MB or 64MiB";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_is_what_is_said() {
        for enough in ["68MB", "64MiB", "0.0625GiB"] {
            assert!(memory(enough).is_ok(), "{enough}");
        }
        for little in ["67MB", "64MB", "63MiB", "1KB"] {
            let told = memory(little).unwrap_err();
            assert_eq!(told, "this is too little, give 68MB or 64MiB at least");
        }
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(memory("2GB"), Ok(2_000_000_000));
        assert_eq!(memory("1.5 GiB"), Ok(1_610_612_736));
        assert_eq!(memory("500mb"), Ok(500_000_000));
        for wrong in [
            "", "2", "GB", "-1GB", "0GB", "1e3MB", "2GBs", "1.2.3GB", "NaNGB",
        ] {
            assert!(memory(wrong).is_err(), "{wrong}");
        }
    }
}
