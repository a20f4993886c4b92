//! `LINT` on the command line: as `-v` it says what `--lint` says, as an operand it says so when its turn comes.

use crate::parse::Invocation;
use riverhawk_engine::Lint;
use std::os::unix::ffi::OsStrExt;

/// Takes `-v LINT=...` for the option; whether the variable is assigned from the command line at all.
pub fn heed(invocation: &mut Invocation) -> bool {
    if !invocation.dialect.has_extensions() {
        return false;
    }
    let last = invocation.assignments.iter().rev().find(|assignment| assignment.name() == "LINT");
    if let Some(value) = last.map(|assignment| assignment.value().to_vec()) {
        let portable = invocation.lint.is_some_and(|lint| lint.portable);
        let old = invocation.lint.is_some_and(|lint| lint.old);
        let (on, extensions) = match &value[..] {
            b"" | b"0" => (false, false),
            b"no-ext" => (true, false),
            _ => (true, true),
        };
        let wanted = on || portable || old;
        invocation.lint = wanted.then_some(Lint { suspicious: on, extensions, portable, old });
        invocation.lint_is_fatal = value == b"fatal";
        return true;
    }
    invocation.operands.iter().any(|operand| operand.as_bytes().starts_with(b"LINT="))
}
