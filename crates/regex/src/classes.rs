//! Sets of characters: named classes, ranges, folding.
//!
//! In UTF-8 a set holds characters and invalid bytes (`\377`); in byte mode only bytes.

use std::sync::OnceLock;

use regex_syntax::hir::{
    Class, ClassBytes, ClassBytesRange, ClassUnicode, ClassUnicodeRange, Hir, HirKind,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dialect {
    /// Bytes (C locale) instead of code points.
    pub bytes: bool,
    /// Simple folding; ASCII in byte mode.
    pub ignore_case: bool,
    /// Named classes have only their ASCII characters: for tables that quit at other bytes.
    pub ascii_part: bool,
    /// gawk's operators are literal.
    pub posix: bool,
    /// A repeat of nothing is an error.
    pub strict: bool,
    /// `^` never matches.
    pub continued: bool,
}

pub(crate) struct Set {
    chars: ClassUnicode,
    bytes: ClassBytes,
}

impl Set {
    pub(crate) fn new() -> Set {
        Set { chars: ClassUnicode::empty(), bytes: ClassBytes::empty() }
    }

    /// For `low <= high`.
    pub(crate) fn add_range(&mut self, low: char, high: char) {
        self.chars.push(ClassUnicodeRange::new(low, high));
    }

    pub(crate) fn add_bytes(&mut self, low: u8, high: u8) {
        self.bytes.push(ClassBytesRange::new(low, high));
    }

    /// False if the class is unknown.
    pub(crate) fn add_named(&mut self, name: &[u8], dialect: Dialect) -> bool {
        let Some(class) = NamedClass::of(name) else { return false };
        // With folding, gawk's matcher takes `upper` and `lower` for `alpha`.
        let class = match class {
            NamedClass::Upper | NamedClass::Lower if dialect.ignore_case => NamedClass::Alpha,
            other => other,
        };
        if dialect.bytes || dialect.ascii_part {
            for &(low, high) in class.ascii() {
                self.add_range(low, high);
            }
        } else {
            self.chars.union(class.unicode());
        }
        true
    }

    pub(crate) fn into_hir(mut self, dialect: Dialect) -> Hir {
        if dialect.bytes {
            return Hir::class(Class::Bytes(self.into_bytes(dialect)));
        }
        if dialect.ignore_case {
            fold(&mut self.chars);
        }
        if self.bytes.ranges().is_empty() {
            return Hir::class(Class::Unicode(self.chars));
        }
        Hir::alternation(vec![
            Hir::class(Class::Unicode(self.chars)),
            Hir::class(Class::Bytes(self.bytes)),
        ])
    }

    /// In UTF-8 no negated set has invalid bytes.
    pub(crate) fn into_negated_hir(mut self, dialect: Dialect) -> Hir {
        if dialect.bytes {
            let mut bytes = self.into_bytes(dialect);
            bytes.negate();
            return Hir::class(Class::Bytes(bytes));
        }
        if dialect.ignore_case {
            fold(&mut self.chars);
        }
        self.chars.negate();
        Hir::class(Class::Unicode(self.chars))
    }

    fn into_bytes(self, dialect: Dialect) -> ClassBytes {
        let mut set = self.bytes;
        for range in self.chars.ranges() {
            // Code points of byte mode are at most 255.
            let (low, high) = (range.start() as u32 as u8, range.end() as u32 as u8);
            set.push(ClassBytesRange::new(low, high));
        }
        if dialect.ignore_case {
            set.case_fold_simple();
        }
        set
    }
}

/// Simple folding, by built-in tables: it cannot fail.
fn fold(chars: &mut ClassUnicode) {
    let _ = chars.try_case_fold_simple();
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NamedClass {
    Alnum,
    Alpha,
    Blank,
    Cntrl,
    Digit,
    Graph,
    Lower,
    Print,
    Punct,
    Space,
    Upper,
    Xdigit,
}

impl NamedClass {
    pub(crate) fn of(name: &[u8]) -> Option<NamedClass> {
        Some(match name {
            b"alnum" => NamedClass::Alnum,
            b"alpha" => NamedClass::Alpha,
            b"blank" => NamedClass::Blank,
            b"cntrl" => NamedClass::Cntrl,
            b"digit" => NamedClass::Digit,
            b"graph" => NamedClass::Graph,
            b"lower" => NamedClass::Lower,
            b"print" => NamedClass::Print,
            b"punct" => NamedClass::Punct,
            b"space" => NamedClass::Space,
            b"upper" => NamedClass::Upper,
            b"xdigit" => NamedClass::Xdigit,
            _ => return None,
        })
    }

    /// In the C locale.
    pub(crate) fn ascii(self) -> &'static [(char, char)] {
        match self {
            NamedClass::Alnum => &[('0', '9'), ('A', 'Z'), ('a', 'z')],
            NamedClass::Alpha => &[('A', 'Z'), ('a', 'z')],
            NamedClass::Blank => &[('\t', '\t'), (' ', ' ')],
            NamedClass::Cntrl => &[('\0', '\x1f'), ('\x7f', '\x7f')],
            NamedClass::Digit => &[('0', '9')],
            NamedClass::Graph => &[('!', '~')],
            NamedClass::Lower => &[('a', 'z')],
            NamedClass::Print => &[(' ', '~')],
            NamedClass::Punct => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
            NamedClass::Space => &[('\t', '\r'), (' ', ' ')],
            NamedClass::Upper => &[('A', 'Z')],
            NamedClass::Xdigit => &[('0', '9'), ('A', 'F'), ('a', 'f')],
        }
    }

    /// Over Unicode, by the C library's definitions: letters include digits of other scripts,
    /// blanks exclude no-break spaces, digits are ASCII.
    pub(crate) fn unicode(self) -> &'static ClassUnicode {
        static TABLES: [OnceLock<ClassUnicode>; 12] = [const { OnceLock::new() }; 12];
        TABLES[self as usize].get_or_init(|| {
            let mut class = ClassUnicode::empty();
            let expression = match self {
                NamedClass::Alnum => r"[\p{Alphabetic}\p{Nd}]",
                NamedClass::Alpha => r"[[\p{Alphabetic}\p{Nd}]--[0-9]]",
                NamedClass::Blank => r"[\t\p{Zs}--[\u00a0\u2007\u202f]]",
                NamedClass::Cntrl => r"[\p{Cc}\u2028\u2029]",
                NamedClass::Graph => r"[^\p{White_Space}\p{Cc}\p{Cn}]",
                NamedClass::Lower => r"[\p{Lowercase}--[ªº]]",
                NamedClass::Print => r"[^\p{Cc}\p{Cn}\u2028\u2029]",
                NamedClass::Punct => r"[^\p{Alphabetic}\p{Nd}\p{White_Space}\p{Cc}\p{Cn}]",
                NamedClass::Space => r"[\t-\r\p{Zs}\p{Zl}\p{Zp}--[\u00a0\u2007\u202f]]",
                NamedClass::Upper => r"[\p{Uppercase}\p{Lt}]",
                NamedClass::Digit | NamedClass::Xdigit => "",
            };
            if let Ok(HirKind::Class(Class::Unicode(table))) =
                regex_syntax::parse(expression).map(Hir::into_kind)
            {
                class = table;
            }
            for &(low, high) in self.ascii() {
                class.push(ClassUnicodeRange::new(low, high));
            }
            class
        })
    }
}

#[cfg(test)]
mod tests {
    use super::NamedClass;

    #[test]
    fn every_unicode_class_was_found_in_the_tables() {
        for name in [
            "alnum", "alpha", "blank", "cntrl", "graph", "lower", "print", "punct", "space",
            "upper",
        ] {
            let class = NamedClass::of(name.as_bytes()).unwrap();
            assert!(class.unicode().ranges().last().unwrap().end() as u32 > 0x7f, "{name}");
        }
    }
}
