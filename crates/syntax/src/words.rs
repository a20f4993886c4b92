//! The words of a program, each stored once: reserved words and built-ins first, then names as they appear.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::ast::Builtin;
use crate::library::LibraryFn;
use crate::token::{KEYWORDS, TokenKind};

/// The table of words. A word's number is its place in order of appearance; the reserved ones come first.
pub(crate) struct Words {
    numbers: HashMap<Box<str>, u32, RandomState>,
    texts: Vec<Box<str>>,
}

/// First number of the built-in functions.
const BUILTINS: u32 = KEYWORDS.len() as u32;
/// First number of the library functions.
const LIBRARY: u32 = BUILTINS + Builtin::ALL.len() as u32;
/// First number of the functions of extensions, which are names like others until `@load` brings them in.
const EXTENSIONS: u32 = LIBRARY + LibraryFn::RESERVED as u32;
/// First number of the names.
const NAMES: u32 = LIBRARY + LibraryFn::ALL.len() as u32;

impl Words {
    /// In place of a word's number, in the token of a string that is marked for translation.
    pub const MARK: u32 = u32::MAX;

    /// A table with the reserved words.
    pub fn new() -> Words {
        let mut words = Words { numbers: HashMap::default(), texts: Vec::new() };
        let builtins = Builtin::ALL.iter().map(|builtin| builtin.name());
        let library = LibraryFn::ALL.iter().map(|function| function.name());
        let keywords = KEYWORDS.iter().map(|&(text, _)| text);
        for text in keywords.chain(builtins).chain(library) {
            words.number(text);
        }
        words
    }

    /// The number of a word, new or known.
    pub fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.texts.len() as u32;
        self.texts.push(text.into());
        self.numbers.insert(text.into(), number);
        number
    }

    /// The word with this number.
    pub fn text(&self, number: u32) -> &str {
        &self.texts[number as usize]
    }

    /// The token kind of a word.
    pub fn kind(number: u32) -> TokenKind {
        if number < BUILTINS {
            KEYWORDS[number as usize].1
        } else if number < EXTENSIONS {
            TokenKind::Builtin
        } else {
            TokenKind::Name
        }
    }

    /// The built-in that a word of kind [`TokenKind::Builtin`] names; `None` for library functions.
    pub fn builtin(number: u32) -> Option<Builtin> {
        Builtin::ALL.get(number.checked_sub(BUILTINS)? as usize).copied()
    }

    /// The function of an extension that a word may name.
    pub fn extension(number: u32) -> Option<LibraryFn> {
        if (EXTENSIONS..NAMES).contains(&number) { Words::library(number) } else { None }
    }

    /// The library function that a word of kind [`TokenKind::Builtin`] names.
    pub fn library(number: u32) -> Option<LibraryFn> {
        LibraryFn::ALL.get(number.checked_sub(LIBRARY)? as usize).copied()
    }
}

/// Whether the language keeps this word for itself, so that no variable can have it as its name: a keyword or a built-in
/// function of this version.
pub fn is_reserved(name: &str) -> bool {
    KEYWORDS.iter().any(|&(keyword, _)| keyword == name)
        || Builtin::from_name(name).is_some()
        || LibraryFn::from_name(name).is_some()
}

/// Whether a text has the form of a variable's name, `name` or `namespace::name`. It may be reserved all the same.
pub fn is_variable_name(text: &str) -> bool {
    let is_plain = |part: &str| {
        let starts_well = part.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        starts_well && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    match text.split_once("::") {
        Some((namespace, name)) => is_plain(namespace) && is_plain(name),
        None => is_plain(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extension::Extension;

    #[test]
    fn keywords_and_built_ins_are_reserved_and_other_names_are_not() {
        for word in ["if", "func", "BEGIN", "BEGINFILE", "getline", "length", "gensub", "file::slurp"] {
            assert!(is_reserved(word), "{word}");
        }
        for word in ["", "If", "x", "NF", "length1"] {
            assert!(!is_reserved(word), "{word}");
        }
    }

    #[test]
    fn every_reserved_word_has_its_kind_and_names_come_after() {
        let mut words = Words::new();
        assert_eq!(Words::kind(words.number("while")), TokenKind::While);
        assert_eq!(Words::kind(words.number("func")), TokenKind::Function);
        for &builtin in Builtin::ALL {
            let number = words.number(builtin.name());
            assert_eq!((Words::kind(number), Words::builtin(number)), (TokenKind::Builtin, Some(builtin)));
        }
        for &function in LibraryFn::ALL {
            let number = words.number(function.name());
            if Extension::of(function).is_some() {
                assert_eq!((Words::kind(number), Words::extension(number)), (TokenKind::Name, Some(function)));
                continue;
            }
            assert_eq!((Words::kind(number), Words::library(number)), (TokenKind::Builtin, Some(function)));
            assert_eq!(Words::builtin(number), None);
        }
        let number = words.number("whilst");
        assert_eq!((Words::kind(number), words.text(number)), (TokenKind::Name, "whilst"));
        assert_eq!(words.number("whilst"), number);
    }
}
