//! Numbers and nouns in messages.

/// A number with its thousands apart.
///
/// # Example
/// ```
/// assert_eq!(bayesieve_counts::wording::grouped(1234567), "1,234,567");
/// assert_eq!(bayesieve_counts::wording::grouped(999), "999");
/// ```
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number and its noun, in the plural where it must be.
///
/// # Example
/// ```
/// assert_eq!(bayesieve_counts::wording::counted(1, "row"), "1 row");
/// assert_eq!(bayesieve_counts::wording::counted(1000, "row"), "1,000 rows");
/// ```
pub fn counted(n: u64, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(n))
}
