//! Where a text is, and its address in the protocol.

use riverhawk_system::names::{OsStrExt, OsStringExt};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use lsp_types::Uri;

/// A file, or what an editor has without one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Place {
    /// By its path.
    File(PathBuf),
    /// By its address, such as `untitled:1`.
    Other(String),
}

impl Place {
    /// The place of an address. Two spellings of a path are one place.
    pub fn of(uri: &Uri) -> Place {
        let text = uri.as_str();
        let Some(rest) = text.strip_prefix("file://") else { return Place::Other(text.to_owned()) };
        // A host may precede the path.
        let Some(at) = rest.find('/') else { return Place::Other(text.to_owned()) };
        Place::File(PathBuf::from(OsString::from_vec(decoded(&rest.as_bytes()[at..]))))
    }

    /// The address.
    ///
    /// # Panics
    /// Never: what is encoded is an address.
    pub fn uri(&self) -> Uri {
        let text = match self {
            Place::File(path) => format!("file://{}", encoded(path.as_os_str().as_bytes())),
            Place::Other(text) => text.clone(),
        };
        Uri::from_str(&text).unwrap_or_else(|_| Uri::from_str("untitled:none").expect("an address"))
    }

    /// The path of a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Place::File(path) => Some(path),
            Place::Other(_) => None,
        }
    }

    /// The name in messages.
    pub fn name(&self) -> String {
        match self {
            Place::File(path) => path.to_string_lossy().into_owned(),
            Place::Other(text) => text.clone(),
        }
    }
}

fn decoded(text: &[u8]) -> Vec<u8> {
    let digit = |at: usize| char::from(*text.get(at)?).to_digit(16);
    let (mut found, mut at) = (Vec::with_capacity(text.len()), 0);
    while let Some(&byte) = text.get(at) {
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                found.push((high * 16 + low) as u8);
                at += 3;
            }
            _ => {
                found.push(byte);
                at += 1;
            }
        }
    }
    found
}

fn encoded(path: &[u8]) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    path.iter().fold(String::new(), |mut text, &byte| {
        match plain(byte) {
            true => text.push(char::from(byte)),
            false => text += &format!("%{byte:02X}"),
        }
        text
    })
}

#[cfg(test)]
mod tests {
    use super::Place;

    #[test]
    fn two_spellings_of_a_path_are_one_place() {
        for spelling in ["file:///a%20b/%C3%A9.awk", "file:///a%20b/%c3%a9%2Eawk"] {
            let place = Place::of(&spelling.parse().unwrap());
            assert_eq!(place, Place::File("/a b/\u{e9}.awk".into()));
            assert_eq!(place.uri().as_str(), "file:///a%20b/%C3%A9.awk");
        }
        let untitled = Place::of(&"untitled:1".parse().unwrap());
        assert_eq!((untitled.uri().as_str(), untitled.path()), ("untitled:1", None));
    }
}
