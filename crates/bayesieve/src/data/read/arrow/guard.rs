//! A wall around the libraries that read Parquet and Arrow.
//!
//! They report most faults of a file as errors, but notice some only by a panic: a length
//! or an offset that fits nothing. Such a panic is an error of the file too. It must not
//! print either, so the process's panic hook is wrapped, once, by one that is silent on a
//! thread inside the wall and passes everything else on.

use std::cell::Cell;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use crate::{Error, Result, printable};

thread_local! {
    static IS_INSIDE: Cell<bool> = const { Cell::new(false) };
}

static HOOK: Once = Once::new();

/// Runs a piece of these libraries; errors and panics become errors of the file.
pub(in super::super) fn guarded<T, E: Display>(
    run: impl FnOnce() -> std::result::Result<T, E>,
) -> Result<T> {
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_INSIDE.get() {
                usual(panic);
            }
        }));
    });
    IS_INSIDE.set(true);
    let outcome = catch_unwind(AssertUnwindSafe(run));
    IS_INSIDE.set(false);
    match outcome {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(error)) => Err(broken(&error.to_string())),
        Err(_) => Err(broken("its parts do not fit together")),
    }
}

/// The error for a file that cannot be what it seems to be.
pub(in super::super) fn broken(detail: &str) -> Error {
    let detail = printable(detail, 200);
    Error::data(format!("the file is broken: {detail}")).with_hint("Copy or write it again.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_and_panics_become_errors_of_the_file() {
        let error = guarded(|| Err::<(), _>("no footer")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the file is broken: no footer. Copy or write it again."
        );
        let error = guarded(|| -> std::result::Result<(), String> { panic!("offset") });
        assert_eq!(
            error.unwrap_err().to_string(),
            "the file is broken: its parts do not fit together. Copy or write it again."
        );
        assert_eq!(guarded(|| Ok::<_, String>(7)).unwrap(), 7);
        assert!(!IS_INSIDE.get());
    }
}
