//! How a run ended.

use crate::border::{guarded, rh_text};
use crate::value::rh_value;
use riverhawk::Outcome;
use std::str;

/// How a run ended. Freed with `rh_outcome_free`; texts and values are valid until then.
pub struct rh_outcome(pub(crate) Outcome);

/// The exit status: 0, or what the program says by `exit`.
#[unsafe(no_mangle)]
pub extern "C" fn rh_outcome_status(outcome: Option<&rh_outcome>) -> u8 {
    outcome.map_or(0, |outcome| outcome.0.status)
}

/// What was printed; empty if `rh_run_stdout` took it.
#[unsafe(no_mangle)]
pub extern "C" fn rh_outcome_stdout(outcome: Option<&rh_outcome>) -> rh_text<'_> {
    outcome.map_or(rh_text::EMPTY, |outcome| rh_text::new(&outcome.0.stdout))
}

/// What was printed to the standard error; empty if `rh_run_stderr` took it.
#[unsafe(no_mangle)]
pub extern "C" fn rh_outcome_stderr(outcome: Option<&rh_outcome>) -> rh_text<'_> {
    outcome.map_or(rh_text::EMPTY, |outcome| rh_text::new(&outcome.0.stderr))
}

/// Records read of the main input.
#[unsafe(no_mangle)]
pub extern "C" fn rh_outcome_records(outcome: Option<&rh_outcome>) -> u64 {
    outcome.map_or(0, |outcome| outcome.0.records)
}

/// A variable as the program left it; null if `rh_run_keep_variables` did not ask for them or the
/// program does not name it. It belongs to the outcome.
#[unsafe(no_mangle)]
pub extern "C" fn rh_outcome_variable<'o>(
    outcome: Option<&'o rh_outcome>,
    name: rh_text<'_>,
) -> Option<&'o rh_value> {
    let name = str::from_utf8(name.bytes()).ok()?;
    outcome?.0.variable(name).map(rh_value::borrowed)
}

/// How many variables there are.
#[unsafe(no_mangle)]
pub extern "C" fn rh_outcome_variable_count(outcome: Option<&rh_outcome>) -> usize {
    outcome.map_or(0, |outcome| outcome.0.variables().count())
}

/// A variable by its number, counted from 0: its value, and its name unless `name` is null. Null
/// beyond the last. They belong to the outcome.
#[unsafe(no_mangle)]
pub extern "C" fn rh_outcome_variable_at<'o>(
    outcome: Option<&'o rh_outcome>,
    at: usize,
    name: Option<&mut std::mem::MaybeUninit<rh_text<'o>>>,
) -> Option<&'o rh_value> {
    let (found, value) = outcome?.0.variables().nth(at)?;
    if let Some(name) = name {
        name.write(rh_text::new(found.as_bytes()));
    }
    Some(rh_value::borrowed(value))
}

/// Frees an outcome; null is allowed. One of `rh_error_outcome` is freed with its error instead.
#[unsafe(no_mangle)]
pub extern "C" fn rh_outcome_free(outcome: Option<Box<rh_outcome>>) {
    guarded((), || drop(outcome));
}
