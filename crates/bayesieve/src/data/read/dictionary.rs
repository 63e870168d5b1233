//! The distinct texts of a column, numbered in order of first sight.
//!
//! Single letters are found by one look into a table; cells of up to seven bytes, nearly
//! all others, by one multiplication and one comparison of machine words; longer ones by a
//! hash and a comparison of bytes.

/// The code of a text that means "no value".
///
/// Cut to any width it is that width's missing code.
pub(super) const MISSING_CODE: u32 = u32::MAX;

/// No code at all: a free slot, or a single letter that was not seen yet.
const UNKNOWN: u32 = u32::MAX - 1;

/// Longest cell whose key holds the cell itself.
const SHORT: usize = 7;

/// Texts and their codes; see the module.
#[derive(Debug)]
pub(super) struct Dictionary {
    /// The codes of single letters.
    by_letter: [u32; 128],
    /// The codes of all other texts.
    by_key: Slots,
    /// The labels end to end, and where each ends.
    text: String,
    ends: Vec<usize>,
}

impl Dictionary {
    pub(super) fn new() -> Self {
        Dictionary {
            by_letter: [UNKNOWN; 128],
            by_key: Slots::default(),
            text: String::new(),
            ends: Vec::new(),
        }
    }

    /// Number of labels; the texts that mean "no value" are not counted.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The label of a code.
    pub(super) fn label(&self, code: u32) -> &str {
        let code = code as usize;
        let start = if code == 0 { 0 } else { self.ends[code - 1] };
        &self.text[start..self.ends[code]]
    }

    /// All labels in code order.
    pub(super) fn labels(&self) -> impl Iterator<Item = &str> {
        (0..self.len() as u32).map(|code| self.label(code))
    }

    /// The code of a text seen before.
    #[inline]
    pub(super) fn find(&self, cell: &[u8]) -> Option<u32> {
        match cell {
            [_] => self.find_letter(cell),
            _ if cell.len() <= SHORT => self.by_key.find(short_key(cell)),
            _ => {
                let is_it = |code| self.label(code).as_bytes() == cell;
                self.by_key.find_where(long_key(cell), is_it)
            }
        }
    }

    /// The code of a single letter seen before; `None` for every other text.
    #[inline]
    pub(super) fn find_letter(&self, cell: &[u8]) -> Option<u32> {
        let [letter] = cell else { return None };
        let code = *self.by_letter.get(usize::from(*letter))?;
        (code != UNKNOWN).then_some(code)
    }

    /// The code of a text seen before, by its key of [`key_within`].
    #[inline]
    pub(super) fn find_key(&self, key: u64) -> Option<u32> {
        self.by_key.find(key)
    }

    /// Gives a new text the next code.
    pub(super) fn add(&mut self, label: &str) -> u32 {
        let code = self.len() as u32;
        self.text.push_str(label);
        self.ends.push(self.text.len());
        self.insert(label.as_bytes(), code);
        code
    }

    /// Remembers a text that means "no value", if it is short enough to be one key.
    pub(super) fn add_missing(&mut self, cell: &[u8]) {
        if cell.len() <= SHORT {
            self.insert(cell, MISSING_CODE);
        }
    }

    fn insert(&mut self, cell: &[u8], code: u32) {
        if let [letter] = cell
            && let Some(slot) = self.by_letter.get_mut(usize::from(*letter))
        {
            *slot = code;
        } else if cell.len() <= SHORT {
            self.by_key.insert(short_key(cell), code);
        } else {
            self.by_key.insert(long_key(cell), code);
        }
    }
}

/// Codes by 64-bit keys: open addressing, linear probing, a power of two of slots of which
/// at most half are in use.
#[derive(Debug, Default)]
pub(in crate::data) struct Slots {
    slots: Vec<Slot>,
    n_used: usize,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    key: u64,
    /// [`UNKNOWN`] where the slot is free.
    code: u32,
}

const FREE: Slot = Slot {
    key: 0,
    code: UNKNOWN,
};

impl Slots {
    /// The code of a key that stands for one thing only.
    #[inline]
    pub(in crate::data) fn find(&self, key: u64) -> Option<u32> {
        self.find_where(key, |_| true)
    }

    /// The code of a key for which the condition holds.
    #[inline]
    fn find_where(&self, key: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = first_slot(key) & mask;
        loop {
            let slot = self.slots[at];
            if slot.code == UNKNOWN {
                return None;
            }
            if slot.key == key && is_it(slot.code) {
                return Some(slot.code);
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds a key that is not there yet, or stands for one more thing.
    pub(in crate::data) fn insert(&mut self, key: u64, code: u32) {
        if 2 * (self.n_used + 1) > self.slots.len() {
            let larger = vec![FREE; (2 * self.slots.len()).max(16)];
            for slot in std::mem::replace(&mut self.slots, larger) {
                if slot.code != UNKNOWN {
                    self.place(slot);
                }
            }
        }
        self.place(Slot { key, code });
        self.n_used += 1;
    }

    fn place(&mut self, slot: Slot) {
        let mask = self.slots.len() - 1;
        let mut at = first_slot(slot.key) & mask;
        while self.slots[at].code != UNKNOWN {
            at = (at + 1) & mask;
        }
        self.slots[at] = slot;
    }
}

/// An odd number with well mixed bits: 2^64 over the golden ratio.
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

/// Where to look first.
#[inline]
fn first_slot(key: u64) -> usize {
    mixed(key) as usize
}

/// Both halves of a product, so that every bit of the result depends on all of the word:
/// the bits of round floats differ at the top only, those of short texts at the bottom.
#[inline]
fn mixed(word: u64) -> u64 {
    let product = u128::from(word) * u128::from(MIX);
    (product >> 64) as u64 ^ product as u64
}

/// The bytes of the cell, and in the top byte its length: no two cells alike.
#[inline]
fn short_key(cell: &[u8]) -> u64 {
    let n = cell.len();
    // Overlapping reads of fixed sizes cover every length without a loop.
    let bytes = match cell {
        [] => 0,
        [a] => u64::from(*a),
        [a, b] => u64::from(u16::from_le_bytes([*a, *b])),
        [a, b, c] => u64::from(u32::from_le_bytes([*a, *b, *c, 0])),
        [a, b, c, d, ..] => {
            let low = u64::from(u32::from_le_bytes([*a, *b, *c, *d]));
            let high = match cell {
                [.., w, x, y, z] => u64::from(u32::from_le_bytes([*w, *x, *y, *z])),
                _ => 0,
            };
            low | (high << (8 * (n - 4)))
        }
    };
    bytes | ((n as u64) << 56)
}

/// The key of a cell of two to seven bytes at the start of eight, whose others may be anything.
#[inline]
pub(super) fn key_within(bytes: [u8; 8], n: usize) -> Option<u64> {
    if !(2..=SHORT).contains(&n) {
        return None;
    }
    let bytes = u64::from_le_bytes(bytes) & ((1 << (8 * n)) - 1);
    Some(bytes | ((n as u64) << 56))
}

/// A hash of the cell under a top byte that no short cell has. Equal keys do not mean
/// equal cells.
fn long_key(cell: &[u8]) -> u64 {
    let mut hash = cell.len() as u64;
    for chunk in cell.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = mixed(hash ^ u64::from_le_bytes(word));
    }
    hash | 0xFF << 56
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_every_length_are_told_apart() {
        let mut texts = Vec::new();
        for n in 0..40 {
            texts.push("a".repeat(n));
            for at in 0..n {
                let mut text = "a".repeat(n);
                text.replace_range(at..=at, "b");
                texts.push(text);
            }
        }
        let mut dictionary = Dictionary::new();
        for (code, text) in texts.iter().enumerate() {
            assert_eq!(dictionary.find(text.as_bytes()), None, "{text}");
            assert_eq!(dictionary.add(text), code as u32);
        }
        for (code, text) in texts.iter().enumerate() {
            assert_eq!(dictionary.find(text.as_bytes()), Some(code as u32));
            assert_eq!(dictionary.label(code as u32), text);
        }
    }

    #[test]
    fn round_floats_do_not_crowd() {
        let keys: Vec<u64> = (0..1_000).map(|i| (f64::from(i) / 8.0).to_bits()).collect();
        let mut slots = Slots::default();
        for (code, &key) in (0..).zip(&keys) {
            slots.insert(key, code);
        }
        assert!(
            keys.iter()
                .zip(0..)
                .all(|(&key, code)| slots.find(key) == Some(code))
        );
        // 1,000 keys thrown at 2,048 slots hit 2,048 (1 - e^(-1000/2048)) = 791 of them.
        let firsts = keys
            .iter()
            .map(|&key| first_slot(key) & (slots.slots.len() - 1));
        let distinct: std::collections::HashSet<usize> = firsts.collect();
        assert!(distinct.len() > 600, "{} first slots", distinct.len());
    }

    #[test]
    fn a_nul_byte_does_not_look_like_the_end() {
        let mut dictionary = Dictionary::new();
        dictionary.add("a");
        assert_eq!(dictionary.find(b"a\0"), None);
        assert_eq!(dictionary.find(b"\0"), None);
    }

    #[test]
    fn a_key_is_the_same_with_other_bytes_behind_it() {
        let bytes = *b"abcdefgh";
        for n in 2..=SHORT {
            assert_eq!(
                key_within(bytes, n),
                Some(short_key(&bytes[..n])),
                "{n} bytes"
            );
        }
        assert_eq!([0, 1, 8].map(|n| key_within(bytes, n)), [None; 3]);
    }

    #[test]
    fn texts_for_no_value_take_no_code() {
        let mut dictionary = Dictionary::new();
        dictionary.add_missing(b"");
        dictionary.add_missing(b"not available");
        assert_eq!(dictionary.add("a"), 0);
        assert_eq!(dictionary.find(b""), Some(MISSING_CODE));
        assert_eq!(dictionary.find(b"not available"), None);
        assert_eq!(dictionary.labels().collect::<Vec<_>>(), ["a"]);
    }
}
