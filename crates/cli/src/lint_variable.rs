//! `LINT` on the command line: with `-v` it means `--lint`, as an operand it takes effect when
//! reached.

use crate::parse::Invocation;
use riverhawk::engine::Lint;

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct LintVariable {
    pub assigns: bool,
    /// The option asked for lint, and the variable turned it off.
    pub turned_off: bool,
    pub says_none: bool,
}

/// Turns `-v LINT=...` into the option.
pub fn apply(invocation: &mut Invocation) -> LintVariable {
    if !invocation.compile.dialect.has_extensions() {
        return LintVariable::default();
    }
    let last = invocation
        .config
        .machine
        .command_line
        .assignments
        .iter()
        .rev()
        .find(|assignment| assignment.name() == "LINT");
    if let Some(value) = last.map(|assignment| assignment.value().to_vec()) {
        let portable = invocation.compile.lint.is_some_and(|lint| lint.portable);
        let old = invocation.compile.lint.is_some_and(|lint| lint.old);
        let (on, extensions) = match &value[..] {
            b"" | b"0" => (false, false),
            b"no-ext" => (true, false),
            _ => (true, true),
        };
        let was_on = invocation.compile.lint.is_some_and(|lint| lint.suspicious);
        let wanted = on || portable || old;
        invocation.compile.lint =
            wanted.then_some(Lint { suspicious: on, extensions, portable, old });
        invocation.compile.lint_is_fatal = value == b"fatal";
        return LintVariable { assigns: true, turned_off: was_on && !on, says_none: !on };
    }
    let assigns = invocation
        .config
        .machine
        .command_line
        .operands
        .iter()
        .any(|operand| operand.starts_with(b"LINT="));
    LintVariable { assigns, ..LintVariable::default() }
}
