//! Whether the environment's locale makes a character one byte.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

/// Whether the locale asks for bytes instead of UTF-8 characters.
///
/// The first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set and not empty decides, as POSIX says:
/// - `C` and `POSIX` mean bytes;
/// - a value that names a character set (the part after `.`) means bytes unless the set is UTF-8: `en_US.ISO-8859-1` is bytes,
///   `C.UTF-8` and `de_DE.utf8@euro` are not;
/// - a value without a character set, and no value at all, mean UTF-8. Here gawk differs: with nothing set it works in bytes.
///
/// No locale has to be installed: the names alone are looked at, so the answer is the same on every machine.
pub fn locale_is_bytes(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let decides = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(variable).find(|value| !value.is_empty());
    decides.is_some_and(|value| names_bytes(&value))
}

fn names_bytes(locale: &OsStr) -> bool {
    let locale = locale.as_bytes();
    if locale == b"C" || locale == b"POSIX" {
        return true;
    }
    let without_modifier = locale.split(|&byte| byte == b'@').next().unwrap_or(locale);
    match without_modifier.iter().position(|&byte| byte == b'.') {
        Some(dot) => {
            let set = &without_modifier[dot + 1..];
            !(set.eq_ignore_ascii_case(b"UTF-8") || set.eq_ignore_ascii_case(b"UTF8"))
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(lc_all: Option<&str>, lc_ctype: Option<&str>, lang: Option<&str>) -> bool {
        locale_is_bytes(|name| {
            let value = match name {
                "LC_ALL" => lc_all,
                "LC_CTYPE" => lc_ctype,
                "LANG" => lang,
                _ => None,
            };
            value.map(OsString::from)
        })
    }

    #[test]
    fn unset_and_empty_mean_utf8() {
        assert!(!bytes(None, None, None));
        assert!(!bytes(Some(""), Some(""), Some("")));
    }

    #[test]
    fn an_explicit_c_or_posix_means_bytes() {
        assert!(bytes(Some("C"), None, None));
        assert!(bytes(None, Some("POSIX"), None));
        assert!(bytes(None, None, Some("C")));
    }

    #[test]
    fn the_first_that_is_not_empty_decides() {
        assert!(!bytes(Some("en_US.UTF-8"), Some("C"), Some("C")));
        assert!(bytes(Some(""), Some("C"), Some("en_US.UTF-8")));
        assert!(!bytes(None, Some("C.UTF-8"), Some("C")));
    }

    #[test]
    fn a_named_character_set_decides() {
        assert!(bytes(Some("en_US.ISO-8859-1"), None, None));
        assert!(bytes(Some("de_DE.ISO-8859-15@euro"), None, None));
        assert!(!bytes(Some("de_DE.utf8@euro"), None, None));
        assert!(!bytes(Some("de_DE"), None, None));
    }
}
