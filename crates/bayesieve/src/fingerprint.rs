//! A number that tells what was read apart.

use std::fmt;

/// A hash of all that a run reads. FNV-1a with 64 bits: the same on every machine, and no
/// guard against those who mean to deceive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fingerprint(u64);

impl Fingerprint {
    /// Of nothing yet.
    pub(crate) fn new() -> Self {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }

    /// As a number.
    pub(crate) fn value(self) -> u64 {
        self.0
    }

    /// Takes in some bytes.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    /// Takes in a text, with its length, so that the ends of texts cannot shift.
    pub(crate) fn text(&mut self, text: &str) {
        self.whole(text.len() as u64);
        self.bytes(text.as_bytes());
    }

    /// Takes in a whole number.
    pub(crate) fn whole(&mut self, n: u64) {
        self.bytes(&n.to_le_bytes());
    }

    /// Takes in a number, every bit of it.
    pub(crate) fn number(&mut self, x: f64) {
        self.whole(x.to_bits());
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv_1a() {
        // The published value of "a" with 64 bits.
        let mut hash = Fingerprint::new();
        hash.bytes(b"a");
        assert_eq!(hash.to_string(), "af63dc4c8601ec8c");
    }
}
