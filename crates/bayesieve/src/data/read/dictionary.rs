//! The distinct texts of a column, numbered in order of first sight.
//!
//! Single letters are found by one look into a table; cells of up to seven bytes, nearly
//! all others, by one multiplication and one comparison of machine words; longer ones by a
//! hash and a comparison of bytes.

/// The code of a text that means "no value".
///
/// Cut to any width it is that width's missing code.
pub(super) const MISSING_CODE: u32 = u32::MAX;

/// The code of a single letter that was not seen yet.
const UNKNOWN: u32 = u32::MAX - 1;

/// Longest cell whose key holds the cell itself.
const SHORT: usize = 7;

/// Texts and their codes; see the module.
#[derive(Debug)]
pub(super) struct Dictionary {
    /// Open addressing, linear probing, a power of two of slots, at most half in use.
    slots: Vec<Slot>,
    n_used: usize,
    /// The codes of single letters.
    by_letter: [u32; 128],
    /// The labels end to end, and where each ends.
    text: String,
    ends: Vec<usize>,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    /// 0 where the slot is free.
    key: u64,
    code: u32,
}

const FREE: Slot = Slot { key: 0, code: 0 };

impl Dictionary {
    pub(super) fn new() -> Self {
        Dictionary {
            slots: vec![FREE; 16],
            n_used: 0,
            by_letter: [UNKNOWN; 128],
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
            _ if cell.len() <= SHORT => self.find_short(short_key(cell)),
            _ => self.find_long(cell),
        }
    }

    /// The code of a single letter seen before; `None` for every other text.
    #[inline]
    pub(super) fn find_letter(&self, cell: &[u8]) -> Option<u32> {
        let [letter] = cell else { return None };
        let code = *self.by_letter.get(usize::from(*letter))?;
        (code != UNKNOWN).then_some(code)
    }

    #[inline]
    fn find_short(&self, key: u64) -> Option<u32> {
        let mut at = first_slot(key, self.slots.len());
        loop {
            let slot = self.slots[at];
            if slot.key == key {
                return Some(slot.code);
            }
            if slot.key == 0 {
                return None;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    fn find_long(&self, cell: &[u8]) -> Option<u32> {
        let key = long_key(cell);
        let mut at = first_slot(key, self.slots.len());
        loop {
            let slot = self.slots[at];
            if slot.key == key && self.label(slot.code).as_bytes() == cell {
                return Some(slot.code);
            }
            if slot.key == 0 {
                return None;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
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
            return;
        }
        let key = if cell.len() <= SHORT {
            short_key(cell)
        } else {
            long_key(cell)
        };
        if 2 * (self.n_used + 1) > self.slots.len() {
            let larger = vec![FREE; 2 * self.slots.len()];
            for slot in std::mem::replace(&mut self.slots, larger) {
                if slot.key != 0 {
                    place(&mut self.slots, slot);
                }
            }
        }
        place(&mut self.slots, Slot { key, code });
        self.n_used += 1;
    }
}

fn place(slots: &mut [Slot], slot: Slot) {
    let mut at = first_slot(slot.key, slots.len());
    while slots[at].key != 0 {
        at = (at + 1) & (slots.len() - 1);
    }
    slots[at] = slot;
}

/// An odd number with well mixed bits: 2^64 over the golden ratio.
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

/// Where to look first: the upper bits of the product, which depend on all of the key.
#[inline]
fn first_slot(key: u64, n_slots: usize) -> usize {
    (key.wrapping_mul(MIX) >> 32) as usize & (n_slots - 1)
}

/// The bytes of the cell, and in the top byte its length plus one: never 0, and no two
/// cells alike.
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
    bytes | ((n as u64 + 1) << 56)
}

/// A hash of the cell under a top byte that no short cell has. Equal keys do not mean
/// equal cells.
fn long_key(cell: &[u8]) -> u64 {
    let mut hash = cell.len() as u64;
    for chunk in cell.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let product = u128::from(hash ^ u64::from_le_bytes(word)) * u128::from(MIX);
        hash = (product >> 64) as u64 ^ product as u64;
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
    fn a_nul_byte_does_not_look_like_the_end() {
        let mut dictionary = Dictionary::new();
        dictionary.add("a");
        assert_eq!(dictionary.find(b"a\0"), None);
        assert_eq!(dictionary.find(b"\0"), None);
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
