//! `--budget`: a time with its unit.

use std::time::Duration;

/// `--budget`: 500ms, 30s, 5m, 1h30m.
pub(crate) fn budget(text: &str) -> std::result::Result<Duration, String> {
    const WRONG: &str = "write a time above zero with its unit: 500ms, 30s, 5m, 1h30m";
    let mut rest = text.trim();
    let mut total = Duration::ZERO;
    // Larger units come first, each once: 30m1h is a slip.
    let mut smallest = u64::MAX;
    while !rest.is_empty() {
        let end = rest
            .find(|ch: char| !ch.is_ascii_digit())
            .unwrap_or(rest.len());
        let number: u64 = rest[..end].parse().map_err(|_| WRONG)?;
        let behind = &rest[end..];
        let end = behind
            .find(|ch: char| ch.is_ascii_digit())
            .unwrap_or(behind.len());
        let milliseconds = match &behind[..end] {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            "h" => 3_600_000,
            _ => return Err(WRONG.into()),
        };
        if milliseconds >= smallest {
            return Err(WRONG.into());
        }
        smallest = milliseconds;
        let part = number.checked_mul(milliseconds).ok_or(WRONG)?;
        total = total
            .checked_add(Duration::from_millis(part))
            .ok_or(WRONG)?;
        rest = &behind[end..];
    }
    if total.is_zero() {
        return Err(WRONG.into());
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_a_time_with_its_unit() {
        assert_eq!(budget("500ms").unwrap(), Duration::from_millis(500));
        assert_eq!(budget("1h30m").unwrap(), Duration::from_secs(5_400));
        for bad in [
            "",
            "0s",
            "30",
            "-5s",
            "s",
            "1.5h",
            "30m1h",
            "5x",
            "99999999999999999999h",
        ] {
            assert!(budget(bad).is_err(), "{bad}");
        }
    }
}
