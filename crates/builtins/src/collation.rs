//! The order of texts that a locale says, for `<`, `<=`, `>` and `>=` under `--posix`: the C
//! library's, which has the tables.
//!
//! Everywhere else texts are in the order of their bytes, whatever the locale, as in gawk.

use std::cmp::Ordering;
use std::ffi::{CStr, CString, c_char, c_int};

unsafe extern "C" {
    /// POSIX's, which the bindings that are used elsewhere lack.
    fn strcoll_l(a: *const c_char, b: *const c_char, locale: libc::locale_t) -> c_int;
}

/// A locale's order of texts.
#[derive(Debug)]
pub struct Collation {
    /// Made by `newlocale`, not null, ours alone.
    locale: libc::locale_t,
}

impl Collation {
    /// The order of the locale of this name; `None` if it is not installed.
    pub fn new(name: &[u8]) -> Option<Collation> {
        let name = CString::new(name).ok()?;
        let mask = libc::LC_COLLATE_MASK | libc::LC_CTYPE_MASK;
        // SAFETY: the name ends with a NUL, and nothing is the locale that is made anew.
        let locale = unsafe { libc::newlocale(mask, name.as_ptr(), std::ptr::null_mut()) };
        // Made only where there is a locale: what is made is freed.
        if locale.is_null() { None } else { Some(Collation { locale }) }
    }

    /// Two texts in the locale's order; texts that it takes for the same are in the order of their
    /// bytes.
    pub fn order(&self, a: &[u8], b: &[u8]) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        // The C library's texts end at a NUL, so what stands between them is compared part by part.
        let parts = |text: &[u8]| -> Vec<CString> {
            text.split(|&byte| byte == 0)
                .map(|part| CString::new(part).unwrap_or_default())
                .collect()
        };
        let (a_parts, b_parts) = (parts(a), parts(b));
        let differing = a_parts.iter().zip(&b_parts).map(|(a, b)| self.order_parts(a, b));
        let first = differing.into_iter().find(|order| order.is_ne());
        first.unwrap_or_else(|| a_parts.len().cmp(&b_parts.len())).then_with(|| a.cmp(b))
    }

    fn order_parts(&self, a: &CStr, b: &CStr) -> Ordering {
        // SAFETY: both end with a NUL; the locale is ours and lives.
        unsafe { strcoll_l(a.as_ptr(), b.as_ptr(), self.locale) }.cmp(&0)
    }
}

impl Drop for Collation {
    fn drop(&mut self) {
        // SAFETY: made by `newlocale`, and nobody else has it.
        unsafe { libc::freelocale(self.locale) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_c_locale_is_the_order_of_bytes() {
        let collation = Collation::new(b"C").expect("every system has it");
        for (a, b) in
            [("a", "B"), ("", "a"), ("a\0b", "a\0a"), ("a", "a\0"), ("same", "same"), ("é", "f")]
        {
            assert_eq!(
                collation.order(a.as_bytes(), b.as_bytes()),
                a.as_bytes().cmp(b.as_bytes()),
                "{a:?} {b:?}"
            );
        }
    }

    #[test]
    fn a_locale_that_is_not_there_is_none() {
        assert!(Collation::new(b"xx_NOWHERE.UTF-8").is_none());
        assert!(Collation::new(b"with\0nul").is_none());
    }

    #[test]
    fn letters_come_before_case_in_english_where_it_is_installed() {
        let Some(english) = Collation::new(b"en_US.UTF-8") else { return };
        assert_eq!(english.order(b"a", b"B"), Ordering::Less);
        assert_eq!(english.order(b"Z", b"a"), Ordering::Greater);
        assert_eq!(english.order("é".as_bytes(), b"f"), Ordering::Less);
    }
}
