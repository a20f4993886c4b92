//! Errors of a format or its arguments.

use std::fmt;

/// Maximum width and precision, as in C.
pub const MAX_FIELD: usize = i32::MAX as usize;

/// Why a format could not be used. Ends the awk program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormatError {
    /// `printf "%s %s", "a"`: a conversion without its argument.
    NotEnoughArguments {
        /// Index of the conversion in the format, in bytes.
        conversion_at: usize,
        /// Number of arguments.
        given: usize,
    },
    /// `printf "%3$s", "a"`: no argument of that number.
    NoSuchArgument {
        /// The number after `%`.
        index: usize,
        /// Number of arguments.
        given: usize,
    },
    /// `printf "%0$s", "a"`: arguments are numbered from 1.
    ZeroIndex,
    /// `printf "%1$s %s", "a"`: all conversions number their arguments or none.
    MixedIndexes,
    /// `printf "%*1d", 5`: digits after `*` need a `$`.
    NoDollar,
    /// `printf "%1$s", "a"` without numbered arguments in the rules.
    IndexNotPermitted,
    /// `printf "%ld", 1` by POSIX's rules.
    ModifierNotPermitted {
        /// The modifier.
        letter: u8,
    },
    /// `printf "%99999999999d", 1`: a width or precision above [`MAX_FIELD`].
    TooWide,
    /// No memory for this width or precision.
    OutOfMemory {
        /// Bytes requested.
        wanted: usize,
    },
}

impl FormatError {
    /// As [`Display`](fmt::Display), and names the conversion.
    pub fn explain(&self, format: &[u8]) -> String {
        let Self::NotEnoughArguments { conversion_at, .. } = *self else { return self.to_string() };
        let (before, from) = format.split_at(conversion_at.min(format.len()));
        let inside = |byte: &&u8| byte.is_ascii_digit() || b"%#+- '*.$hlLjztHDw".contains(byte);
        let letter_at = from.iter().take_while(inside).count();
        let letter = String::from_utf8_lossy(&from[letter_at..]).chars().next();
        let mut conversion = String::from_utf8_lossy(&from[..letter_at]).into_owned();
        conversion.extend(letter);
        let character = String::from_utf8_lossy(before).chars().count() + 1;
        format!("{self}, none left for `{conversion}' at character {character}")
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotEnoughArguments { given, .. } => {
                write!(f, "not enough arguments to satisfy format string: {given} given")
            }
            Self::NoSuchArgument { index, given } => {
                write!(
                    f,
                    "argument index {index} greater than total number of supplied arguments ({given})"
                )
            }
            Self::ZeroIndex => f.write_str("argument index with `$' must be > 0"),
            Self::MixedIndexes => f.write_str("must use `count$' on all formats or none"),
            Self::NoDollar => {
                f.write_str("no `$' supplied for positional field width or precision")
            }
            Self::IndexNotPermitted => f.write_str("`$' is not permitted in awk formats"),
            Self::ModifierNotPermitted { letter } => {
                write!(f, "`{}' is not permitted in POSIX awk formats", char::from(*letter))
            }
            Self::TooWide => write!(f, "width or precision in format over {MAX_FIELD}"),
            Self::OutOfMemory { wanted } => {
                write!(f, "no memory for a formatted field of {wanted} bytes")
            }
        }
    }
}

impl std::error::Error for FormatError {}

#[cfg(test)]
mod tests {
    use crate::format::Format;

    #[test]
    fn the_conversion_that_got_no_argument_is_named() {
        for (format, given, part) in [
            ("%s %s %d\n", 2, "2 given, none left for `%d' at character 7"),
            ("%-5.2lf%%", 0, "0 given, none left for `%-5.2lf' at character 1"),
            ("é %*d", 1, "1 given, none left for `%*d' at character 3"),
        ] {
            let error = Format::parse(format.as_bytes()).check(given).unwrap_err();
            let text = error.explain(format.as_bytes());
            assert_eq!(text, format!("not enough arguments to satisfy format string: {part}"));
        }
    }
}
