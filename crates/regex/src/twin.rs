//! A pattern changed for texts of many lines.
//!
//! It cannot match a newline, and its `^` and `$` match at line ends. So its matches are those of the
//! original in each line, and the match that ends first is in the first line that has one.

use regex_automata::MatchKind;
use regex_automata::meta;
use regex_automata::util::prefilter::Prefilter;
use regex_syntax::hir::{
    Class, ClassBytes, ClassBytesRange, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look,
};

use crate::anything::{Characters, Texts};
use crate::automata::prefilter_pays;
use crate::chain::Chain;
use crate::limits::{LAZY_CACHE_BYTES, NFA_BYTES};

/// What threads share of it.
pub(crate) struct Twin {
    pub regex: meta::Regex,
    /// The first of its parts is searched in many lines, the others in those that have it.
    pub chain: Option<Chain>,
}

impl Twin {
    /// `None` if the pattern needs a newline.
    pub(crate) fn of(hir: &Hir, characters: Characters) -> Option<Twin> {
        let hir = within_lines(hir)?;
        let config = meta::Config::new()
            .match_kind(MatchKind::LeftmostFirst)
            .utf8_empty(false)
            .nfa_size_limit(Some(NFA_BYTES))
            .hybrid_cache_capacity(LAZY_CACHE_BYTES)
            .auto_prefilter(prefilter_pays(&hir))
            .prefilter(first_literal(&hir));
        let regex = meta::Builder::new().configure(config).build_from_hir(&hir).ok()?;
        let chain = Chain::of(&hir, characters, Texts::Lines).filter(Chain::has_first_part);
        Some(Twin { regex, chain })
    }
}

/// Searches for the literal that matches begin with. What is chosen without this is a single byte
/// where a class follows: for `" 5[0-9]`, eight in a line of a log.
fn first_literal(hir: &Hir) -> Option<Prefilter> {
    let HirKind::Concat(subs) = hir.kind() else { return None };
    match subs.first()?.kind() {
        HirKind::Literal(literal) if literal.0.len() > 1 => {
            Prefilter::new(MatchKind::LeftmostFirst, &[&literal.0])
        }
        _ => None,
    }
}

/// Removes newlines and makes anchors match at lines, if possible.
fn within_lines(hir: &Hir) -> Option<Hir> {
    Some(match hir.kind() {
        HirKind::Empty => Hir::empty(),
        HirKind::Literal(literal) if literal.0.contains(&b'\n') => return None,
        HirKind::Literal(_) => hir.clone(),
        HirKind::Look(Look::Start) => Hir::look(Look::StartLF),
        HirKind::Look(Look::End) => Hir::look(Look::EndLF),
        HirKind::Look(_) => hir.clone(),
        HirKind::Class(Class::Unicode(class)) => {
            let mut class = class.clone();
            class.difference(&ClassUnicode::new([ClassUnicodeRange::new('\n', '\n')]));
            Hir::class(Class::Unicode(class))
        }
        HirKind::Class(Class::Bytes(class)) => {
            let mut class = class.clone();
            class.difference(&ClassBytes::new([ClassBytesRange::new(b'\n', b'\n')]));
            Hir::class(Class::Bytes(class))
        }
        HirKind::Repetition(repetition) => {
            Hir::repetition(repetition.with(within_lines(&repetition.sub)?))
        }
        HirKind::Capture(capture) => within_lines(&capture.sub)?,
        HirKind::Concat(subs) => Hir::concat(subs.iter().map(within_lines).collect::<Option<_>>()?),
        HirKind::Alternation(subs) => {
            Hir::alternation(subs.iter().map(within_lines).collect::<Option<_>>()?)
        }
    })
}
