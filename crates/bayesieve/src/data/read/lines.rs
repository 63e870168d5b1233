//! Text line by line, whatever ends the lines.

use std::io::{BufRead, BufReader, Read};

use super::source::Source;
use crate::Result;

/// The lines of a source, counted.
pub(super) struct Lines<'a> {
    source: &'a Source,
    reader: BufReader<Box<dyn Read + 'a>>,
    number: u64,
    /// Whether a `\n` that comes next belongs to a `\r`.
    is_after_return: bool,
}

impl<'a> Lines<'a> {
    pub(super) fn new(source: &'a Source) -> Result<Self> {
        Ok(Lines {
            source,
            reader: source.buffered()?,
            number: 0,
            is_after_return: false,
        })
    }

    /// The number of the last line read, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Reads the next line without its end; `false` where there is none.
    pub(super) fn next(&mut self, line: &mut Vec<u8>) -> Result<bool> {
        line.clear();
        let mut is_begun = false;
        loop {
            let buffer = self
                .reader
                .fill_buf()
                .map_err(|e| self.source.read_error(e))?;
            if buffer.is_empty() {
                break;
            }
            if self.is_after_return {
                self.is_after_return = false;
                if buffer[0] == b'\n' {
                    self.reader.consume(1);
                    continue;
                }
            }
            is_begun = true;
            let end = buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let Some(end) = end else {
                let n = buffer.len();
                line.extend_from_slice(buffer);
                self.reader.consume(n);
                continue;
            };
            line.extend_from_slice(&buffer[..end]);
            self.is_after_return = buffer[end] == b'\r';
            self.reader.consume(end + 1);
            break;
        }
        self.number += u64::from(is_begun);
        Ok(is_begun)
    }
}
