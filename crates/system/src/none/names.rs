//! Names of the system as bytes, and bytes as names. No file has one; what the embedding program
//! gives has names in bytes, which are kept where they are UTF-8. Others become a NUL.

use std::ffi::{OsStr, OsString};

/// The name of bytes that cannot be one.
const NO_NAME: &str = "\0";

/// What separates the folders of a list such as `AWKPATH`.
pub const PATH_SEPARATOR: u8 = b':';

/// Whether it separates the parts of a path.
pub fn is_separator(byte: u8) -> bool {
    byte == b'/'
}

/// Whether a name says in which folder the file is.
pub fn has_folder(name: &[u8]) -> bool {
    name.contains(&b'/')
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
        OsStr::new(std::str::from_utf8(bytes).unwrap_or(NO_NAME))
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
        String::from_utf8(bytes).unwrap_or_else(|_| NO_NAME.into()).into()
    }

    fn into_vec(self) -> Vec<u8> {
        self.into_encoded_bytes()
    }
}
