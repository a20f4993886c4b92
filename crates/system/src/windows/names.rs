//! Names of the system as bytes, and bytes as names.
//!
//! A name is UTF-16 that need not be valid; its bytes are UTF-8 where it is, and WTF-8 where it is
//! not: half of a surrogate pair is three bytes. Nothing of a name is lost in bytes. Bytes that are
//! no WTF-8 are no name: they become one with a NUL in it, which every call of the system refuses.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::os::windows::ffi::OsStringExt as _;
use std::sync::{Mutex, PoisonError};

/// The name of bytes that cannot be one.
const NO_NAME: &str = "\0";

/// What separates the folders of a list such as `AWKPATH`: a colon stands behind a drive.
pub const PATH_SEPARATOR: u8 = b';';

/// Whether it separates the parts of a path.
pub fn is_separator(byte: u8) -> bool {
    matches!(byte, b'/' | b'\\')
}

/// Whether a name says in which folder, or on which drive, the file is.
pub fn has_folder(name: &[u8]) -> bool {
    name.iter().any(|&byte| is_separator(byte)) || name.get(1) == Some(&b':')
}

/// A name as bytes, and bytes as a name.
pub trait OsStrExt {
    /// The name that has these bytes.
    fn from_bytes(bytes: &[u8]) -> &Self;
    /// Its bytes.
    fn as_bytes(&self) -> &[u8];
}

impl OsStrExt for OsStr {
    fn from_bytes(bytes: &[u8]) -> &OsStr {
        match std::str::from_utf8(bytes) {
            Ok(text) => OsStr::new(text),
            Err(_) => kept(wide(bytes)),
        }
    }

    fn as_bytes(&self) -> &[u8] {
        self.as_encoded_bytes()
    }
}

/// As [`OsStrExt`], for what owns its name.
pub trait OsStringExt {
    /// The name that has these bytes.
    fn from_vec(bytes: Vec<u8>) -> Self;
    /// Its bytes.
    fn into_vec(self) -> Vec<u8>;
}

impl OsStringExt for OsString {
    fn from_vec(bytes: Vec<u8>) -> OsString {
        String::from_utf8(bytes).map_or_else(|error| wide(error.as_bytes()), OsString::from)
    }

    fn into_vec(self) -> Vec<u8> {
        self.into_encoded_bytes()
    }
}

/// The name of bytes that are no UTF-8.
fn wide(bytes: &[u8]) -> OsString {
    match units(bytes) {
        Some(units) => OsString::from_wide(&units),
        None => NO_NAME.into(),
    }
}

/// The UTF-16 of WTF-8.
fn units(bytes: &[u8]) -> Option<Vec<u16>> {
    let mut units = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let chunk = rest.utf8_chunks().next()?;
        units.extend(chunk.valid().encode_utf16());
        rest = &rest[chunk.valid().len()..];
        match *rest {
            [] => {}
            [0xED, high @ 0xA0..=0xBF, low @ 0x80..=0xBF, ..] => {
                units.push(0xD000 | u16::from(high & 0x3F) << 6 | u16::from(low & 0x3F));
                rest = &rest[3..];
            }
            _ => return None,
        }
    }
    Some(units)
}

/// Names that are no Unicode, each kept once and for good: there are few, and a reference to bytes
/// in another form has to live somewhere.
fn kept(name: OsString) -> &'static OsStr {
    static KEPT: Mutex<Option<HashSet<&'static OsStr>>> = Mutex::new(None);
    if name == NO_NAME {
        return OsStr::new(NO_NAME);
    }
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = kept.get_or_insert_default();
    match kept.get(name.as_os_str()) {
        Some(known) => known,
        None => {
            let known: &'static OsStr = Box::leak(name.into_boxed_os_str());
            kept.insert(known);
            known
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_the_system_keeps_its_bytes() {
        for units in [&[0x61, 0xE9][..], &[0xD83D, 0xDE00], &[0xD800, 0x62], &[0xDC00]] {
            let name = OsString::from_wide(units);
            let bytes = name.clone().into_vec();
            assert_eq!(OsString::from_vec(bytes.clone()), name);
            assert_eq!(OsStr::from_bytes(&bytes), name);
        }
    }

    #[test]
    fn bytes_that_are_no_text_name_no_file() {
        for bytes in [&b"a\xFF"[..], b"\xED\xA0", b"\xC0\x80"] {
            assert!(std::fs::metadata(OsStr::from_bytes(bytes)).is_err());
        }
    }
}
