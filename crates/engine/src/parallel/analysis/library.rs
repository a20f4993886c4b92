//! Which library functions only compute.

use riverhawk_syntax::ast::LibraryFn;

/// Whether a call without arrays has no effect but its value.
pub(super) fn only_computes(function: LibraryFn) -> bool {
    matches!(
        function,
        LibraryFn::Gensub
            | LibraryFn::Strtonum
            | LibraryFn::Systime
            | LibraryFn::Strftime
            | LibraryFn::Mktime
            | LibraryFn::And
            | LibraryFn::Or
            | LibraryFn::Xor
            | LibraryFn::Compl
            | LibraryFn::Lshift
            | LibraryFn::Rshift
            | LibraryFn::Typeof
            | LibraryFn::Isarray
            | LibraryFn::Mkbool
            | LibraryFn::Dcgettext
            | LibraryFn::Dcngettext
            | LibraryFn::TextGraphemes
            | LibraryFn::TextCodepoints
            | LibraryFn::TextNormalize
            | LibraryFn::TextWidth
            | LibraryFn::TextReplace
            | LibraryFn::TextUrlEncode
            | LibraryFn::TextUrlDecode
            | LibraryFn::TextEncode
            | LibraryFn::TextDecode
            | LibraryFn::TimeNow
            | LibraryFn::TimeParse
            | LibraryFn::TimeFormat
            | LibraryFn::TimeMake
            | LibraryFn::TimeAdd
            | LibraryFn::TimeSeconds
            | LibraryFn::TimeDuration
    )
}
