//! Normal forms: one spelling for texts that Unicode considers equal.
//!
//! NFC, NFD, NFKC and NFKD (UAX #15, Unicode 18.0) over bytes: [`normalize`],
//! [`is_normalized`], [`concat_normalized`]. Broken bytes stay, and nothing is reordered across
//! them. The rest of this crate compares and counts text without normalising it.
//!
//! ```
//! use riverhawk_text::{NormalForm, is_normalized, normalize};
//!
//! assert_eq!(&*normalize("e\u{301}".as_bytes(), NormalForm::Nfc), "é".as_bytes());
//! assert_eq!(&*normalize("ﬁ\u{E9}".as_bytes(), NormalForm::Nfkd), "fie\u{301}".as_bytes());
//! assert!(is_normalized("né\n".as_bytes(), NormalForm::Nfc));
//! // What was broken stays as it was.
//! assert_eq!(&*normalize(b"e\xFF\xCC\x81", NormalForm::Nfc), b"e\xFF\xCC\x81");
//! ```
//!
//! Tables and algorithm are `icu_normalizer`'s. Text below the form's first significant code point
//! (U+0300 for NFC) is skipped by a byte scan.

mod join;
mod sections;

pub use join::{append_normalized, concat_normalized};

use crate::valid::stretches;
use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use sections::Sections;
use std::borrow::Cow;

static NFC: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfc();
static NFD: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizerBorrowed::new_nfd();
static NFKC: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfkc();
static NFKD: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizerBorrowed::new_nfkd();

/// One of Unicode's four normal forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NormalForm {
    /// Canonical, composed: the usual form on the web.
    Nfc,
    /// Canonical, decomposed: base letters and their marks apart.
    Nfd,
    /// Compatibility, composed: `ﬁ` becomes `fi`, `²` becomes `2`.
    Nfkc,
    /// Compatibility, decomposed.
    Nfkd,
}

impl NormalForm {
    /// The form of this name, in any case: `nfc`, `NFD`, ...
    pub fn from_name(name: &[u8]) -> Option<NormalForm> {
        use NormalForm::{Nfc, Nfd, Nfkc, Nfkd};
        [(&b"nfc"[..], Nfc), (b"nfd", Nfd), (b"nfkc", Nfkc), (b"nfkd", Nfkd)]
            .into_iter()
            .find_map(|(known, form)| name.eq_ignore_ascii_case(known).then_some(form))
    }

    /// The lead byte of the first code point that the form can change or join: U+0300 for NFC,
    /// U+00C0 for NFD, U+0080 for the compatibility forms.
    fn first_lead(self) -> u8 {
        match self {
            NormalForm::Nfc => 0xCC,
            NormalForm::Nfd => 0xC3,
            NormalForm::Nfkc | NormalForm::Nfkd => 0xC2,
        }
    }

    /// The prefix of `text` that is already in this form, and the rest normalised.
    fn of(self, text: &str) -> Cow<'_, str> {
        match self {
            NormalForm::Nfc => NFC.normalize(text),
            NormalForm::Nfd => NFD.normalize(text),
            NormalForm::Nfkc => NFKC.normalize(text),
            NormalForm::Nfkd => NFKD.normalize(text),
        }
    }

    fn holds(self, text: &str) -> bool {
        match self {
            NormalForm::Nfc => NFC.is_normalized(text),
            NormalForm::Nfd => NFD.is_normalized(text),
            NormalForm::Nfkc => NFKC.is_normalized(text),
            NormalForm::Nfkd => NFKD.is_normalized(text),
        }
    }
}

/// `text` in the normal form; borrowed if unchanged.
pub fn normalize(text: &[u8], form: NormalForm) -> Cow<'_, [u8]> {
    let mut changed: Option<Vec<u8>> = None;
    // Until something changes, these bytes are the result.
    let mut done = 0;
    for (plain, section) in Sections::new(text, form.first_lead()) {
        keep(plain, &mut changed);
        done += plain.len();
        for (valid, broken) in stretches(section) {
            match form.of(valid) {
                Cow::Borrowed(same) => keep(same.as_bytes(), &mut changed),
                Cow::Owned(new) => changed
                    .get_or_insert_with(|| {
                        let mut out =
                            Vec::with_capacity(text.len() + new.len().saturating_sub(valid.len()));
                        out.extend_from_slice(&text[..done]);
                        out
                    })
                    .extend_from_slice(new.as_bytes()),
            }
            keep(broken, &mut changed);
            done += valid.len() + broken.len();
        }
    }
    changed.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Copies bytes, but only if something has changed.
fn keep(bytes: &[u8], changed: &mut Option<Vec<u8>>) {
    if let Some(out) = changed {
        out.extend_from_slice(bytes);
    }
}

/// Whether `text` is in the normal form; broken bytes are in all of them.
pub fn is_normalized(text: &[u8], form: NormalForm) -> bool {
    Sections::new(text, form.first_lead())
        .all(|(_, section)| stretches(section).all(|(valid, _)| form.holds(valid)))
}
