//! Whether messages may be coloured.

use std::ffi::OsString;
use std::io::IsTerminal;

/// Standard error is a terminal that understands colour, and nobody has asked for none (<https://no-color.org>).
pub(crate) fn colour_on_stderr() -> bool {
    std::io::stderr().is_terminal() && environment_allows(|name| std::env::var_os(name))
}

fn environment_allows(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let no_color = variable("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = variable("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    !no_color && !dumb
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_color_and_dumb_terminals_are_honoured() {
        let allowed = |no_color: Option<&'static str>, term: Option<&'static str>| {
            environment_allows(|name| if name == "TERM" { term } else { no_color }.map(OsString::from))
        };
        assert!(allowed(None, Some("xterm")));
        assert!(allowed(Some(""), Some("xterm")));
        assert!(!allowed(Some("1"), Some("xterm")));
        assert!(!allowed(None, Some("dumb")));
        assert!(!allowed(None, None));
    }
}
