//! A locale's collation, for comparisons under `--posix`, by the C library.
//!
//! Elsewhere texts compare by bytes, as in gawk.

use std::cmp::Ordering;
use std::ffi::{CStr, CString, c_char, c_int};

unsafe extern "C" {
    /// Missing in the libc crate.
    fn strcoll_l(a: *const c_char, b: *const c_char, locale: libc::locale_t) -> c_int;
}

/// A locale's collation.
#[derive(Debug)]
pub struct Collation {
    /// From `newlocale`, not null, owned.
    locale: libc::locale_t,
}

impl Collation {
    /// `None` if the locale is not installed.
    pub fn new(name: &[u8]) -> Option<Collation> {
        let name = CString::new(name).ok()?;
        let mask = libc::LC_COLLATE_MASK | libc::LC_CTYPE_MASK;
        // SAFETY: the name ends with a NUL, and the null base makes a new locale.
        let locale = unsafe { libc::newlocale(mask, name.as_ptr(), std::ptr::null_mut()) };
        if locale.is_null() { None } else { Some(Collation { locale }) }
    }

    /// Texts equal in the locale compare by bytes.
    pub fn order(&self, a: &[u8], b: &[u8]) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        // C strings end at a NUL, so parts are compared.
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
        // SAFETY: both end with a NUL; the locale is owned and live.
        unsafe { strcoll_l(a.as_ptr(), b.as_ptr(), self.locale) }.cmp(&0)
    }
}

impl Drop for Collation {
    fn drop(&mut self) {
        // SAFETY: made by `newlocale`, without another owner.
        unsafe { libc::freelocale(self.locale) };
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
