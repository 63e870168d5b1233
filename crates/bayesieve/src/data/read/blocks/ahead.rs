//! The next block is read while the last one is worked on.

use std::panic::resume_unwind;
use std::sync::mpsc::sync_channel;
use std::thread;

use super::{RowBlock, Visit};
use crate::{Error, Result};

/// Runs a reader on a thread of its own: one block is read while another is worked on.
pub(in super::super) fn read_ahead(
    read: impl FnOnce(&mut Visit<'_>) -> Result<()> + Send,
    visit: &mut Visit<'_>,
) -> Result<()> {
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel::<RowBlock>(0);
        let reader = scope.spawn(move || {
            // Nobody takes the block: the visitor failed, and its error is the one to tell.
            read(&mut |block| sender.send(block).map_err(|_| Error::interrupted()))
        });
        for block in receiver {
            visit(block)?;
        }
        reader.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// Runs a reader on a thread of its own for whoever takes the blocks one by one.
pub(super) fn pulled<T>(
    read: impl FnOnce(&mut Visit<'_>) -> Result<()> + Send,
    take: impl FnOnce(&mut dyn Iterator<Item = Result<RowBlock>>) -> T,
) -> T {
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(0);
        scope.spawn(move || {
            let send = |block| sender.send(block).map_err(|_| Error::interrupted());
            let done = read(&mut |block| send(Ok(block)));
            // Where nobody listens any more, nobody wants to know.
            let _ = done.or_else(|error| send(Err(error)));
        });
        take(&mut receiver.into_iter())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Table;

    fn block() -> RowBlock {
        RowBlock {
            table: Table::new(Vec::new()).unwrap(),
            unclear: Vec::new(),
        }
    }

    #[test]
    fn blocks_can_be_taken_one_by_one_or_left() {
        let three = |visit: &mut Visit<'_>| (0..3).try_for_each(|_| visit(block()));
        assert_eq!(pulled(three, |blocks| blocks.count()), 3);
        assert!(pulled(three, |blocks| blocks.next().unwrap().is_ok()));
        let broken = |visit: &mut Visit<'_>| {
            visit(block())?;
            Err(Error::data("broken"))
        };
        let last = pulled(broken, |blocks| blocks.last().unwrap());
        assert_eq!(last.unwrap_err().to_string(), "broken");
    }

    #[test]
    fn blocks_come_through_and_errors_of_both_sides_end_it() {
        let three = |visit: &mut Visit<'_>| (0..3).try_for_each(|_| visit(block()));
        let mut n_seen = 0;
        let count = |n_seen: &mut usize| {
            *n_seen += 1;
            Ok(())
        };
        read_ahead(three, &mut |_| count(&mut n_seen)).unwrap();
        assert_eq!(n_seen, 3);
        let failed = read_ahead(three, &mut |_| Err(Error::data("enough")));
        assert_eq!(failed.unwrap_err().to_string(), "enough");
        let broken = |visit: &mut Visit<'_>| {
            visit(block())?;
            Err(Error::data("broken"))
        };
        let failed = read_ahead(broken, &mut |_| count(&mut n_seen));
        assert_eq!(failed.unwrap_err().to_string(), "broken");
        assert_eq!(n_seen, 4);
    }
}
