//! What a program prints, pulled line by line.

use crate::border::{guarded, rh_text};
use crate::error::{attempt, rh_error};
use crate::program::rh_program;
use crate::run::rh_run;
use riverhawk::Records;
use std::mem::MaybeUninit;

/// What a program prints, line by line. One thread at a time uses it. Freed with `rh_records_free`.
pub struct rh_records {
    records: Records,
    line: Vec<u8>,
}

/// Begins a run whose output is pulled: the program runs on a thread of its own, at most two blocks of
/// 64 KiB ahead. Null if an argument was wrong.
///
/// The run is used up in any case; it is still to be freed. Its callbacks are called and dropped by that
/// thread.
///
/// `error` as for `rh_program_run`. Freed with `rh_records_free`.
#[unsafe(no_mangle)]
pub extern "C" fn rh_program_records(
    program: Option<&rh_program>,
    run: Option<&mut rh_run>,
    error: Option<&mut MaybeUninit<*mut rh_error>>,
) -> Option<Box<rh_records>> {
    attempt(error, || {
        let program = program.ok_or_else(|| rh_error::argument("no program"))?;
        let run = run.ok_or_else(|| rh_error::argument("no run"))?.take()?;
        Ok(Box::new(rh_records { records: program.0.records(run), line: Vec::new() }))
    })
}

/// The next line, without its newline; it is valid until the next call. False at the end, and if the
/// run failed.
///
/// `error` may be null; otherwise `*error` becomes null, or an error that is freed with
/// `rh_error_free`.
#[unsafe(no_mangle)]
pub extern "C" fn rh_records_next<'r>(
    records: Option<&'r mut rh_records>,
    line: Option<&mut MaybeUninit<rh_text<'r>>>,
    error: Option<&mut MaybeUninit<*mut rh_error>>,
) -> bool {
    let next = attempt(error, || {
        let records = records.ok_or_else(|| rh_error::argument("no records"))?;
        let Some(next) = records.records.next() else { return Ok(None) };
        records.line = next?;
        Ok(Some(rh_text::new(&records.line)))
    });
    let next = next.flatten();
    if let Some(line) = line {
        line.write(next.unwrap_or(rh_text::EMPTY));
    }
    next.is_some()
}

/// Frees the records, and ends the program if it still runs; null is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn rh_records_free(records: Option<Box<rh_records>>) {
    guarded((), || drop(records));
}
