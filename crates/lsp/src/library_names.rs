//! What the library and the engine have: names, forms of calls, summaries.

use riverhawk_syntax::ast::{Builtin, GlobalId, LibraryFn, Special};
use riverhawk_syntax::written::WrittenFn;

/// The names of all functions that need no definition.
pub(crate) fn functions() -> impl Iterator<Item = &'static str> {
    let builtins = Builtin::ALL.iter().map(|builtin| builtin.name());
    let library = LibraryFn::reserved().map(LibraryFn::name);
    builtins.chain(library).chain(WrittenFn::all().map(WrittenFn::name))
}

/// The names that the manual is asked about.
pub fn described() -> impl Iterator<Item = &'static str> {
    let specials = Special::ALL.iter().map(|special| special.name());
    let arrays = GlobalId::PREDEFINED.into_iter().chain(GlobalId::FILLED);
    functions().chain(specials).chain(arrays)
}

/// The forms of a call of a function of this name, extensions included.
pub(crate) fn signatures(name: &str) -> Vec<String> {
    if let Some(builtin) = Builtin::from_name(name) {
        return builtin.signatures().map(str::to_owned).collect();
    }
    let library = LibraryFn::ALL.iter().find(|function| function.name() == name);
    let written = || WrittenFn::from_name(name).map(|function| function.signature.to_owned());
    library.map(|function| function.signature()).or_else(written).into_iter().collect()
}

/// What a function of the library does, if its table says so.
pub(crate) fn summary(name: &str) -> Option<&'static str> {
    LibraryFn::ALL.iter().find(|function| function.name() == name).map(|it| it.summary())
}

/// The parameters in a form of a call: where each is in the text.
///
/// `substr(s, m [, n])` has `s`, `m` and `n`.
pub(crate) fn parameters(signature: &str) -> Vec<std::ops::Range<usize>> {
    let start = signature.find('(').map_or(signature.len(), |at| at + 1);
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    for (at, byte) in signature.bytes().enumerate().skip(start).filter(|(_, byte)| is_part(*byte)) {
        debug_assert!(is_part(byte));
        match found.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => found.push(at..at + 1),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_has_a_form_with_its_parameters() {
        for name in functions() {
            let forms = signatures(name);
            assert!(!forms.is_empty() && forms.iter().all(|form| form.starts_with(name)), "{name}");
        }
        let form = &signatures("substr")[0];
        let texts: Vec<&str> = parameters(form).into_iter().map(|at| &form[at]).collect();
        assert_eq!(texts, ["s", "m", "n"]);
    }
}
