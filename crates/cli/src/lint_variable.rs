//! `LINT` on the command line: with `-v` it means `--lint`, as an operand it does so when it is
//! reached.

use crate::parse::Invocation;
use riverhawk_engine::Lint;

/// What the command line says of the variable.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct LintVariable {
    /// It is assigned.
    pub assigns: bool,
    /// The option asked for lint, and the variable has turned it off.
    pub turned_off: bool,
    /// It asks for no warnings.
    pub says_none: bool,
}

/// Takes `-v LINT=...` for the option.
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
