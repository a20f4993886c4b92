//! The words of a program, each stored once.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::ast::Builtin;
use crate::library::LibraryFn;
use crate::token::{KEYWORDS, TokenKind};

/// Words are numbered in order of appearance. Reserved words have the first numbers and are not in
/// the table: filling it took a tenth of the time of an empty program.
pub(crate) struct Words {
    numbers: HashMap<Box<str>, u32, RandomState>,
    texts: Vec<Box<str>>,
}

const BUILTINS: u32 = KEYWORDS.len() as u32;
const LIBRARY: u32 = BUILTINS + Builtin::ALL.len() as u32;
const EXTENSIONS: u32 = LIBRARY + LibraryFn::RESERVED as u32;
const NAMES: u32 = LIBRARY + LibraryFn::ALL.len() as u32;

const RESERVED: [&str; NAMES as usize] = {
    let mut words = [""; NAMES as usize];
    let mut at = 0;
    while at < words.len() {
        words[at] = if at < BUILTINS as usize {
            KEYWORDS[at].0
        } else if at < LIBRARY as usize {
            Builtin::ALL[at - BUILTINS as usize].name()
        } else {
            LibraryFn::ALL[at - LIBRARY as usize].name()
        };
        at += 1;
    }
    words
};

const SORTED: [u16; NAMES as usize] = {
    let mut sorted = [0; NAMES as usize];
    let mut at = 0;
    while at < sorted.len() {
        let mut place = at;
        while place > 0
            && is_less(RESERVED[at].as_bytes(), RESERVED[sorted[place - 1] as usize].as_bytes())
        {
            sorted[place] = sorted[place - 1];
            place -= 1;
        }
        sorted[place] = at as u16;
        at += 1;
    }
    sorted
};

/// `a < b` in a constant, where `Ord` is not available.
const fn is_less(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at < b.len() && (at == a.len() || a[at] < b[at])
}

fn reserved(text: &str) -> Option<u32> {
    let place = SORTED.binary_search_by(|&number| RESERVED[number as usize].cmp(text)).ok()?;
    Some(u32::from(SORTED[place]))
}

impl Words {
    /// In the token of a string that is to be translated, this replaces the word's number.
    pub(crate) const MARK: u32 = u32::MAX;

    pub(crate) fn new() -> Words {
        Words { numbers: HashMap::default(), texts: Vec::new() }
    }

    pub(crate) fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text).copied().or_else(|| reserved(text)) {
            return number;
        }
        let number = NAMES + self.texts.len() as u32;
        self.texts.push(text.into());
        self.numbers.insert(text.into(), number);
        number
    }

    pub(crate) fn text(&self, number: u32) -> &str {
        match number.checked_sub(NAMES) {
            Some(name) => &self.texts[name as usize],
            None => RESERVED[number as usize],
        }
    }

    pub(crate) fn kind(number: u32) -> TokenKind {
        if number < BUILTINS {
            KEYWORDS[number as usize].1
        } else if number < EXTENSIONS {
            TokenKind::Builtin
        } else {
            TokenKind::Name
        }
    }

    /// `None` for library functions.
    pub(crate) fn builtin(number: u32) -> Option<Builtin> {
        Builtin::ALL.get(number.checked_sub(BUILTINS)? as usize).copied()
    }

    pub(crate) fn extension(number: u32) -> Option<LibraryFn> {
        if (EXTENSIONS..NAMES).contains(&number) { Words::library(number) } else { None }
    }

    pub(crate) fn library(number: u32) -> Option<LibraryFn> {
        LibraryFn::ALL.get(number.checked_sub(LIBRARY)? as usize).copied()
    }
}

/// The words of the grammar.
pub fn keywords() -> impl Iterator<Item = &'static str> {
    KEYWORDS.iter().map(|&(keyword, _)| keyword)
}

/// Whether this is a keyword or a built-in function.
pub fn is_reserved(name: &str) -> bool {
    KEYWORDS.iter().any(|&(keyword, _)| keyword == name)
        || Builtin::from_name(name).is_some()
        || LibraryFn::from_name(name).is_some()
}

/// Whether a text has the form of a variable's name, `name` or `namespace::name`. It may still be
/// reserved.
pub fn is_variable_name(text: &str) -> bool {
    let is_plain = |part: &str| {
        let starts_well =
            part.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        starts_well && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    match text.split_once("::") {
        Some((namespace, name)) => is_plain(namespace) && is_plain(name),
        None => is_plain(text),
    }
}

/// Whether a name has a namespace.
pub fn has_namespace(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.contains(':')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extension::Extension;

    #[test]
    fn keywords_and_built_ins_are_reserved_and_other_names_are_not() {
        for word in
            ["if", "func", "BEGIN", "BEGINFILE", "getline", "length", "gensub", "file::slurp"]
        {
            assert!(is_reserved(word), "{word}");
        }
        for word in ["", "If", "x", "NF", "length1"] {
            assert!(!is_reserved(word), "{word}");
        }
    }

    #[test]
    fn reserved_words_are_sorted() {
        assert!(SORTED.is_sorted_by_key(|&number| RESERVED[number as usize]));
        for (number, &word) in RESERVED.iter().enumerate() {
            assert_eq!(reserved(word), Some(number as u32));
        }
    }

    #[test]
    fn every_reserved_word_has_its_kind_and_names_come_after() {
        let mut words = Words::new();
        assert_eq!(Words::kind(words.number("while")), TokenKind::While);
        assert_eq!(Words::kind(words.number("func")), TokenKind::Function);
        for &builtin in Builtin::ALL {
            let number = words.number(builtin.name());
            assert_eq!(
                (Words::kind(number), Words::builtin(number)),
                (TokenKind::Builtin, Some(builtin))
            );
        }
        for &function in LibraryFn::ALL {
            let number = words.number(function.name());
            if Extension::of(function).is_some() {
                assert_eq!(
                    (Words::kind(number), Words::extension(number)),
                    (TokenKind::Name, Some(function))
                );
                continue;
            }
            assert_eq!(
                (Words::kind(number), Words::library(number)),
                (TokenKind::Builtin, Some(function))
            );
            assert_eq!(Words::builtin(number), None);
        }
        let number = words.number("whilst");
        assert_eq!((Words::kind(number), words.text(number)), (TokenKind::Name, "whilst"));
        assert_eq!(words.number("whilst"), number);
    }
}
