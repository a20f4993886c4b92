//! Colours, and the terminal's width.

use std::ffi::OsString;
use std::io::IsTerminal;

/// `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// On terminals, unless the environment says otherwise.
    #[default]
    Auto,
    Always,
    Never,
}

pub(crate) fn colours(color: Color, stream: &impl IsTerminal) -> bool {
    is_coloured(color, stream.is_terminal(), |name| std::env::var_os(name))
}

/// `None` unless it is a terminal with a width.
pub(crate) fn columns_of_stderr() -> Option<usize> {
    let stderr = std::io::stderr();
    let size = stderr
        .is_terminal()
        .then(|| riverhawk::engine::system::termios::tcgetwinsize(&stderr).ok())
        .flatten()?;
    Some(usize::from(size.ws_col)).filter(|&columns| columns > 0)
}

/// The option decides; then NO_COLOR (<https://no-color.org>), CLICOLOR_FORCE and FORCE_COLOR
/// (<https://bixense.com/clicolors>, <https://force-color.org>), then whether it is a terminal.
fn is_coloured(
    color: Color,
    is_terminal: bool,
    variable: impl Fn(&str) -> Option<OsString>,
) -> bool {
    let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
    let forces = |name| is_set(name) && variable(name).is_some_and(|value| value != "0");
    let dumb = || variable("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    let off = || variable("CLICOLOR").is_some_and(|value| value == "0");
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto if is_set("NO_COLOR") => false,
        Color::Auto if forces("CLICOLOR_FORCE") || forces("FORCE_COLOR") => true,
        Color::Auto => is_terminal && !dumb() && !off(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_option_comes_first_then_the_environment_then_the_terminal() {
        let coloured = |color, is_terminal, set: &[(&str, &str)]| {
            is_coloured(color, is_terminal, |name| {
                set.iter().find(|(set, _)| *set == name).map(|(_, value)| OsString::from(value))
            })
        };
        let xterm = ("TERM", "xterm");
        for (color, is_terminal, set, expected) in [
            (Color::Auto, true, &[xterm][..], true),
            (Color::Auto, false, &[xterm], false),
            (Color::Auto, true, &[xterm, ("NO_COLOR", "")], true),
            (Color::Auto, true, &[xterm, ("NO_COLOR", "1")], false),
            (Color::Auto, true, &[("TERM", "dumb")], false),
            (Color::Auto, true, &[], false),
            (Color::Auto, true, &[xterm, ("CLICOLOR", "0")], false),
            (Color::Auto, false, &[("CLICOLOR_FORCE", "1")], true),
            (Color::Auto, false, &[("CLICOLOR_FORCE", "0")], false),
            (Color::Auto, false, &[("FORCE_COLOR", "1")], true),
            (Color::Auto, false, &[("FORCE_COLOR", "")], false),
            (Color::Auto, false, &[("FORCE_COLOR", "1"), ("NO_COLOR", "1")], false),
            (Color::Always, false, &[("NO_COLOR", "1")], true),
            (Color::Never, true, &[xterm, ("FORCE_COLOR", "1")], false),
        ] {
            assert_eq!(
                coloured(color, is_terminal, set),
                expected,
                "{color:?} {is_terminal} {set:?}"
            );
        }
    }
}
