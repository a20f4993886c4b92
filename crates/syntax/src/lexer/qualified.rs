//! Qualified names: `namespace::name`, without blanks around `::`.
//!
//! Library functions are recognised here, unless the program has that namespace for itself. `awk`
//! is the namespace of plain names.

use super::own::is_of_library;
use super::{Lexer, is_name_byte};
use crate::diagnostic::Diagnostic;
use crate::dialect::Dialect;
use crate::library::LibraryFn;
use crate::token::TokenKind;
use crate::words::{Words, is_reserved};
use crate::written::WrittenFn;

impl Lexer<'_> {
    pub(super) fn qualified(&mut self, start: usize) -> (TokenKind, u32) {
        while self.text[self.at..].starts_with(b"::") {
            self.at += 2;
            let rest = &self.text[self.at..];
            self.at += rest.iter().position(|&byte| !is_name_byte(byte)).unwrap_or(rest.len());
        }
        let text = std::str::from_utf8(&self.text[start..self.at]).unwrap_or_default();
        let (namespace, name) = text.split_once("::").unwrap_or((text, ""));
        let span = self.span_from(start);
        if let Some(found) = malformed(text, namespace, name) {
            self.report(Diagnostic::error(span, found.0, found.1));
            return (TokenKind::Name, self.words.number(text));
        }
        if namespace == "awk" {
            let word = self.words.number(name);
            return (Words::kind(word), word);
        }
        let word = self.words.number(text);
        if !is_of_library(namespace) {
            return (Words::kind(word), word);
        }
        let text = text.to_owned();
        let is_own = self.is_own(namespace);
        let kind = match LibraryFn::from_name(&text) {
            Some(_) if !is_own => TokenKind::Builtin,
            None if !is_own && self.at_paren() && WrittenFn::from_name(&text).is_none() => {
                TokenKind::Qualified
            }
            _ => TokenKind::Name,
        };
        (kind, word)
    }
}

/// Why a qualified name is not valid: the message and its label.
pub(crate) fn malformed(text: &str, namespace: &str, name: &str) -> Option<(String, &'static str)> {
    if name.contains("::") {
        let message = format!(
            "identifier `{text}': namespace separator can only appear once in a qualified name"
        );
        return Some((message, "one namespace and one name"));
    }
    if !name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
        let message = format!("qualified identifier `{text}' is badly formed");
        return Some((message, "expected a name right after the `::`"));
    }
    if is_reserved(namespace) && !Dialect::adds(namespace) {
        let message =
            format!("using reserved identifier `{namespace}' as a namespace is not allowed");
        return Some((message, "a word of the language"));
    }
    let is_gawk_function = Dialect::adds_function(name);
    if is_reserved(name) && !(is_gawk_function || namespace != "awk" && Dialect::adds(name)) {
        let message = format!(
            "using reserved identifier `{name}' as second component of a qualified name is not allowed"
        );
        return Some((message, "a word of the language"));
    }
    None
}
