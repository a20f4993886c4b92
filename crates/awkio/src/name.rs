//! File names in awk programs: the special names, and the bytes passed to the system.

use riverhawk_handle::InetName;
use riverhawk_system::names::OsStrExt;
use std::ffi::{OsStr, OsString};

/// The meaning of a file name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileName<'a> {
    /// `/dev/fd/0` to `2`, and `-`, `/dev/stdin`, `/dev/stdout` by direction.
    Standard(Standard),
    /// `/dev/fd/N`: an inherited descriptor.
    Descriptor(i32),
    /// Any other name.
    Path(&'a [u8]),
}

/// A standard descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// Descriptor 0.
    Input,
    /// Descriptor 1.
    Output,
    /// Descriptor 2.
    Error,
}

impl<'a> FileName<'a> {
    /// `-` is the standard input.
    pub fn for_reading(name: &'a [u8]) -> Self {
        if name == b"-" { Self::Standard(Standard::Input) } else { Self::special(name) }
    }

    /// `-` is the standard output, as in gawk.
    pub(crate) fn for_writing(name: &'a [u8]) -> Self {
        if name == b"-" { Self::Standard(Standard::Output) } else { Self::special(name) }
    }

    /// A name where no name is special.
    pub fn plain(name: &'a [u8]) -> Self {
        Self::Path(until_nul(name))
    }

    fn special(name: &'a [u8]) -> Self {
        match name {
            b"/dev/stdin" => return Self::Standard(Standard::Input),
            b"/dev/stdout" => return Self::Standard(Standard::Output),
            b"/dev/stderr" => return Self::Standard(Standard::Error),
            _ => {}
        }
        // Only decimal digits: `/dev/fd/1x` is an ordinary name.
        let digits =
            name.strip_prefix(b"/dev/fd/").and_then(|digits| std::str::from_utf8(digits).ok());
        let number = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
        match number.and_then(|digits| digits.parse().ok()) {
            Some(0) => Self::Standard(Standard::Input),
            Some(1) => Self::Standard(Standard::Output),
            Some(2) => Self::Standard(Standard::Error),
            Some(number) => Self::Descriptor(number),
            None => Self::Path(until_nul(name)),
        }
    }
}

/// Up to the first NUL, as in gawk.
pub(super) fn until_nul(name: &[u8]) -> &[u8] {
    name.iter().position(|&byte| byte == 0).map_or(name, |nul_at| &name[..nul_at])
}

pub(super) fn os_string(name: &[u8]) -> OsString {
    OsStr::from_bytes(until_nul(name)).to_owned()
}

/// Whether a name is a connection, `/inet/...`, in any redirection.
pub fn is_inet(name: &[u8]) -> bool {
    InetName::parse(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dash_follows_the_direction() {
        assert_eq!(FileName::for_reading(b"-"), FileName::Standard(Standard::Input));
        assert_eq!(FileName::for_writing(b"-"), FileName::Standard(Standard::Output));
    }

    #[test]
    fn only_digits_make_a_descriptor() {
        assert_eq!(FileName::for_reading(b"/dev/fd/7"), FileName::Descriptor(7));
        assert_eq!(FileName::for_reading(b"/dev/fd/02"), FileName::Standard(Standard::Error));
        for plain in
            [&b"/dev/fd/"[..], b"/dev/fd/1x", b"/dev/fd/-1", b"/dev/fd/99999999999", b"/dev/fd/+1"]
        {
            assert_eq!(FileName::for_reading(plain), FileName::Path(plain));
        }
    }

    #[test]
    fn a_name_ends_at_its_first_nul() {
        assert_eq!(FileName::for_writing(b"nul\0x"), FileName::Path(b"nul"));
    }
}
