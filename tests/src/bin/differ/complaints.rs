//! What standard error says, as far as two awks can agree on it: whether anything was warned of, and whether anything was an error.

/// Whether there are warnings and errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Complaints {
    pub warnings: bool,
    pub errors: bool,
}

/// What is not warned of at the same time, constants in what is never reached, and what only gawk warns of, stated divergences: bytes that are no character, an escaped slash in a string,
/// and variables of gawk that are ordinary ones in the dialect.
const NOT_COMPARED: [&str; 5] =
    ["regexp escape sequence", "nvalid multibyte", "`\\/'", "`IGNORECASE' is a gawk", "`BINMODE' is a gawk"];

impl Complaints {
    pub fn of(stderr: &[u8]) -> Complaints {
        let text = String::from_utf8_lossy(stderr);
        let mut lines = text.lines().filter(|line| !NOT_COMPARED.iter().any(|only| line.contains(only)));
        let is_error = |line: &str| line.contains("fatal:") || line.contains("error:");
        let (mut warnings, mut errors) = (false, false);
        lines.by_ref().for_each(|line| {
            warnings |= line.contains("warning:");
            errors |= is_error(line);
        });
        Complaints { warnings, errors }
    }
}
