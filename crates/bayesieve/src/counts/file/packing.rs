//! How sections are packed: by zlib, under the checksum that gzip has.

use std::io::{Read, Write};

use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

use crate::Result;

/// Packed sections can be read.
pub(super) fn check_unpacking() -> Result<()> {
    Ok(())
}

/// Packs some bytes.
pub(super) fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::default());
    packer
        .write_all(bytes)
        .and_then(|()| packer.finish())
        .expect("a vector takes all bytes")
}

/// The bytes of what was packed.
pub(super) fn unpacked(packed: &[u8]) -> impl Read + '_ {
    ZlibDecoder::new(packed)
}

/// The checksum of some bytes.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}
