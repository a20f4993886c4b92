//! The environment's locale: unit of characters, decimal point, collation.

use riverhawk_system::names::OsStrExt;
use std::ffi::{OsStr, OsString};

use riverhawk_syntax::Dialect;
use riverhawk_value::number::{DecimalPoint, NumberSyntax};

/// Whether characters are bytes instead of UTF-8.
///
/// As POSIX says, the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set and not empty decides:
/// - `C` and `POSIX` mean bytes;
/// - a character set (the part after `.`) means bytes unless it is UTF-8: `en_US.ISO-8859-1` is
///   bytes, `C.UTF-8` and `de_DE.utf8@euro` are not;
/// - a value without a character set, or no value, means UTF-8. Without a value gawk uses bytes.
///
/// Only names are used, so no locale must be installed, and the result is the same on every
/// machine.
pub fn locale_is_bytes(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let decides = deciding("LC_CTYPE", variable);
    decides.is_some_and(|value| names_bytes(&value))
}

fn deciding(category: &str, variable: impl Fn(&str) -> Option<OsString>) -> Option<OsString> {
    ["LC_ALL", category, "LANG"].into_iter().filter_map(variable).find(|value| !value.is_empty())
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

/// The locale that orders texts, from `LC_ALL`, `LC_COLLATE` or `LANG`; `None` for the order of
/// bytes.
pub fn locale_collation(variable: impl Fn(&str) -> Option<OsString>) -> Option<OsString> {
    let decides = deciding("LC_COLLATE", variable)?;
    let name = decides.as_bytes();
    (name != b"C" && name != b"POSIX" && !name.starts_with(b"C.")).then_some(decides)
}

/// The decimal point, from the first of `LC_ALL`, `LC_NUMERIC` and `LANG` that is set and not
/// empty. As in [`locale_is_bytes`] only names are used; the GNU C library's locales decide.
///
/// ```
/// use riverhawk_engine::{DecimalPoint, locale_decimal_point};
///
/// let german = locale_decimal_point(|name| (name == "LANG").then(|| "de_DE.UTF-8".into()));
/// assert_eq!(german, DecimalPoint::Comma);
/// ```
pub fn locale_decimal_point(variable: impl Fn(&str) -> Option<OsString>) -> DecimalPoint {
    let decides = deciding("LC_NUMERIC", variable);
    match decides.is_some_and(|value| has_comma(value.as_bytes())) {
        true => DecimalPoint::Comma,
        false => DecimalPoint::Period,
    }
}

/// Which input text is a number: with gawk's extensions what was requested (`asked`), in POSIX what
/// `strtod` reads, otherwise only decimal numbers.
pub fn number_syntax(dialect: Dialect, bignum: bool, asked: NumberSyntax) -> NumberSyntax {
    match dialect {
        Dialect::Posix if bignum => NumberSyntax::PosixDecimal,
        Dialect::Posix => NumberSyntax::Posix,
        _ if dialect.has_extensions() => asked,
        _ => NumberSyntax::Decimal,
    }
}

/// The language decides, unless the country differs.
fn has_comma(locale: &[u8]) -> bool {
    let name = locale.split(|byte| matches!(byte, b'.' | b'@')).next().unwrap_or(locale);
    let name = String::from_utf8_lossy(name);
    // Only these may lack a country.
    let Some((language, country)) = name.split_once('_') else {
        return matches!(&*name, "eo" | "ia");
    };
    match language {
        "az" => country == "AZ",
        "de" => !matches!(country, "CH" | "LI"),
        "en" => country == "DK",
        "es" => !matches!(country, "DO" | "GT" | "HN" | "MX" | "NI" | "PA" | "PR" | "SV" | "US"),
        "fr" | "it" => country != "CH",
        language => COMMA_LANGUAGES.binary_search(&language).is_ok(),
    }
}

/// Languages with a comma in all their locales of the GNU C library 2.36.
const COMMA_LANGUAGES: &[&str] = &[
    "agr", "an", "ast", "ayc", "be", "bg", "br", "bs", "ca", "ce", "crh", "cs", "csb", "cv", "da",
    "dsb", "el", "eo", "et", "eu", "ff", "fi", "fo", "fur", "fy", "gl", "hr", "hsb", "ht", "hu",
    "ia", "id", "is", "ka", "kab", "kk", "kl", "ku", "ky", "lb", "li", "lij", "ln", "lt", "lv",
    "mg", "mhr", "mk", "mn", "nb", "nds", "nl", "nn", "oc", "os", "pap", "pl", "pt", "quz", "ro",
    "ru", "rw", "sah", "sc", "se", "sgs", "sk", "sl", "sq", "sr", "sv", "szl", "tg", "tr", "tt",
    "uk", "vi", "wa", "wo",
];

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
    fn the_decimal_point_is_the_languages_unless_the_country_has_another() {
        let point = |name: &'static str, value: &'static str| {
            locale_decimal_point(|asked| (asked == name).then(|| OsString::from(value)))
        };
        for comma in [
            "de_DE",
            "de_AT.UTF-8",
            "fr_FR.utf8@euro",
            "ru_RU.KOI8-R",
            "es_ES",
            "en_DK",
            "eo",
            "wo_SN",
        ] {
            assert_eq!(point("LC_ALL", comma), DecimalPoint::Comma, "{comma}");
            assert_eq!(point("LC_NUMERIC", comma), DecimalPoint::Comma, "{comma}");
            assert_eq!(point("LC_CTYPE", comma), DecimalPoint::Period, "{comma}");
        }
        for period in [
            "de_CH.UTF-8",
            "fr_CH",
            "es_MX",
            "en_US.UTF-8",
            "C",
            "POSIX",
            "C.UTF-8",
            "de",
            "ja_JP",
            "",
            "_",
            "nowhere",
        ] {
            assert_eq!(point("LANG", period), DecimalPoint::Period, "{period}");
        }
        assert!(COMMA_LANGUAGES.is_sorted());
    }

    #[test]
    fn the_order_of_texts_is_the_locales_unless_it_is_that_of_bytes() {
        let order = |name: &'static str, value: &'static str| {
            locale_collation(|asked| (asked == name).then(|| OsString::from(value)))
        };
        assert_eq!(order("LC_COLLATE", "de_DE.UTF-8"), Some("de_DE.UTF-8".into()));
        assert_eq!(order("LC_CTYPE", "de_DE.UTF-8"), None);
        for bytes in ["C", "POSIX", "C.UTF-8", ""] {
            assert_eq!(order("LC_ALL", bytes), None, "{bytes}");
        }
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
