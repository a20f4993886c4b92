//! The library's namespaces that a program declares, or defines functions in. The library's
//! functions in them are then hidden, so that programs keep their meaning when the library grows.

use super::Lexer;
use crate::library::LibraryFn;
use crate::source::SourceMap;
use crate::written::{WRITTEN, mentions};

pub(crate) fn is_of_library(namespace: &str) -> bool {
    LibraryFn::NAMESPACES.contains(&namespace)
        || WRITTEN.iter().any(|written| written.name == namespace)
}

impl Lexer<'_> {
    /// Whether a namespace of the library is the program's own. Its declaration may follow its
    /// first use, so all of the text is searched.
    pub(crate) fn is_own(&mut self, namespace: &str) -> bool {
        let source = self.source;
        self.own_namespaces
            .get_or_insert_with(|| declared(source))
            .iter()
            .any(|own| own == namespace)
    }

    pub(crate) fn has_own(&mut self, word: u32) -> bool {
        let namespace = self.words.text(word).split("::").next().unwrap_or_default().to_owned();
        self.is_own(&namespace)
    }

    pub(crate) fn in_library(&self) -> bool {
        self.pieces[self.piece].is_library
    }
}

fn declared(source: &SourceMap) -> Vec<String> {
    let names =
        LibraryFn::NAMESPACES.iter().copied().chain(WRITTEN.iter().map(|written| written.name));
    let is_declared = |name: &str| {
        let pieces = source.pieces().iter().filter(|piece| !piece.is_library);
        pieces.into_iter().any(|piece| {
            declares(&piece.text, name) || mentions(&piece.text, name) && defines(&piece.text, name)
        })
    };
    names.filter(|name| is_declared(name)).map(str::to_owned).collect()
}

fn declares(text: &[u8], name: &str) -> bool {
    behind(text, b"@namespace").any(|rest| {
        let rest = rest.trim_ascii_start();
        rest.strip_prefix(b"\"")
            .and_then(|rest| rest.strip_prefix(name.as_bytes()))
            .is_some_and(|rest| rest.starts_with(b"\""))
    })
}

fn defines(text: &[u8], name: &str) -> bool {
    behind(text, b"func").any(|rest| {
        let rest = rest.strip_prefix(b"tion").unwrap_or(rest);
        let named = rest.trim_ascii_start();
        named.len() < rest.len()
            && named.strip_prefix(name.as_bytes()).is_some_and(|rest| rest.starts_with(b"::"))
    })
}

fn behind<'t>(text: &'t [u8], word: &'static [u8]) -> impl Iterator<Item = &'t [u8]> {
    let starts =
        (0..text.len().saturating_sub(word.len())).filter(move |&at| text[at..].starts_with(word));
    let in_comment = |at: usize| {
        text[..at].iter().rev().take_while(|&&byte| byte != b'\n').any(|&byte| byte == b'#')
    };
    starts.filter(move |&at| !in_comment(at)).map(move |at| &text[at + word.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_namespace_is_the_programs_by_a_directive_or_a_definition() {
        for text in [
            "@namespace \"math\"",
            "BEGIN { }\n  @namespace  \"math\"; x",
            "function math::f() { }",
            "func\tmath::f",
        ] {
            assert!(
                declares(text.as_bytes(), "math") || defines(text.as_bytes(), "math"),
                "{text}"
            );
        }
        for text in [
            "# @namespace \"math\"",
            "@namespace \"maths\"",
            "math::f()",
            "# function math::f",
            "functionmath::f",
        ] {
            assert!(
                !declares(text.as_bytes(), "math") && !defines(text.as_bytes(), "math"),
                "{text}"
            );
        }
    }
}
