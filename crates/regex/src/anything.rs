//! `.*` and `.+`, which match anything that is valid: so it is enough to find what stands around them.

use regex_syntax::hir::{
    Class, ClassBytesRange, ClassUnicodeRange, Hir, HirKind, Look, Repetition,
};

/// A search that may need another automaton.
pub(crate) type Known<T> = Result<T, Unknown>;

/// The text between two parts is not valid, or a table does not know a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unknown;

/// What a character is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Characters {
    Utf8,
    Bytes,
}

impl Characters {
    pub(crate) fn are_valid(self, text: &[u8]) -> bool {
        self == Characters::Bytes
            || riverhawk_simd::is_ascii(text)
            || std::str::from_utf8(text).is_ok()
    }
}

pub(crate) fn is_look(hir: &Hir, look: Look) -> bool {
    matches!(hir.kind(), HirKind::Look(found) if *found == look)
}

/// A concatenation without the anchors at its ends.
pub(crate) struct Unanchored<'h> {
    pub subs: &'h [Hir],
    /// It began with `^`.
    pub at_start: bool,
    /// The `$` that it ended with.
    pub end: Option<&'h Hir>,
}

impl Unanchored<'_> {
    pub(crate) fn of(subs: &[Hir]) -> Unanchored<'_> {
        let (at_start, subs) = match subs.split_first() {
            Some((first, rest)) if is_look(first, Look::Start) => (true, rest),
            _ => (false, subs),
        };
        match subs.split_last() {
            Some((last, rest)) if is_look(last, Look::End) || is_look(last, Look::EndLF) => {
                Unanchored { subs: rest, at_start, end: Some(last) }
            }
            _ => Unanchored { subs, at_start, end: None },
        }
    }
}

/// In which texts a pattern is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Texts {
    All,
    /// Without a newline, which anything need not match.
    Lines,
}

pub(crate) struct Anything<'h> {
    /// Of all characters.
    pub class: &'h Hir,
    /// 0 or 1.
    pub least: u32,
}

/// `.*` or `.+`.
pub(crate) fn anything(hir: &Hir, texts: Texts) -> Option<Anything<'_>> {
    match hir.kind() {
        HirKind::Repetition(Repetition { min: least @ (0 | 1), max: None, sub, .. })
            if is_any(sub, texts) =>
        {
            Some(Anything { class: sub, least: *least })
        }
        _ => None,
    }
}

fn is_any(hir: &Hir, texts: Texts) -> bool {
    let are_all = |ranges: &[(u32, u32)], last| match *ranges {
        [(0, end)] => end == last,
        [(0, 9), (11, end)] => end == last && texts == Texts::Lines,
        _ => false,
    };
    match hir.kind() {
        HirKind::Class(Class::Unicode(class)) => {
            let ends =
                |range: &ClassUnicodeRange| (u32::from(range.start()), u32::from(range.end()));
            are_all(&class.iter().map(ends).collect::<Vec<_>>(), u32::from(char::MAX))
        }
        HirKind::Class(Class::Bytes(class)) => {
            let ends = |range: &ClassBytesRange| (u32::from(range.start()), u32::from(range.end()));
            are_all(&class.iter().map(ends).collect::<Vec<_>>(), 255)
        }
        _ => false,
    }
}

/// No assertions, and whole characters only.
pub(crate) fn is_plain(hir: &Hir, characters: Characters) -> bool {
    let bytes = || characters == Characters::Bytes;
    match hir.kind() {
        HirKind::Empty | HirKind::Class(Class::Unicode(_)) => true,
        HirKind::Look(_) => false,
        HirKind::Literal(literal) => bytes() || std::str::from_utf8(&literal.0).is_ok(),
        HirKind::Class(Class::Bytes(class)) => bytes() || class.is_ascii(),
        HirKind::Repetition(repetition) => is_plain(&repetition.sub, characters),
        HirKind::Capture(capture) => is_plain(&capture.sub, characters),
        HirKind::Concat(subs) | HirKind::Alternation(subs) => {
            subs.iter().all(|sub| is_plain(sub, characters))
        }
    }
}
