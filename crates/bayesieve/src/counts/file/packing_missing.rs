//! Without the feature `gzip`: count files are written, unpacked but valid, and not read.

use std::io::Read;

use crate::{Error, Result};

/// Bytes of a block that is not packed.
const MAX_STORED: usize = 65_535;

/// Refuses to read: most count files are packed.
pub(super) fn check_unpacking() -> Result<()> {
    Err(
        Error::data("the counts are packed, and this build cannot unpack them")
            .with_hint("Build with the feature \"gzip\"."),
    )
}

/// The bytes as zlib has them, in blocks that are not packed.
pub(super) fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0x78, 0x01];
    for block in bytes.chunks(MAX_STORED) {
        let length = block.len() as u16;
        out.push(0);
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(block);
    }
    // An empty last block, then Adler's checksum.
    out.extend([1, 0, 0, 0xFF, 0xFF]);
    let (low, high) = bytes.iter().fold((1, 0), |(low, high), &byte| {
        let low = (low + u32::from(byte)) % 65_521;
        (low, (high + low) % 65_521)
    });
    out.extend((high << 16 | low).to_be_bytes());
    out
}

/// Nothing: [`check_unpacking`] comes first.
pub(super) fn unpacked(_: &[u8]) -> impl Read + '_ {
    std::io::empty()
}

/// The checksum of some bytes: CRC-32, bit by bit.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ (0xEDB8_8320 * (crc & 1))
        })
    })
}
