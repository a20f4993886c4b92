//! Invalid regular expressions.

use riverhawk_awkio::fault::Fault;

/// An invalid regular expression.
#[derive(Clone, Debug)]
pub struct PatternError {
    /// The message.
    pub message: String,
}

/// Characters of the pattern shown before and after the error.
const SHOWN_AROUND: usize = 40;

impl PatternError {
    /// An error of the regex engine for this pattern.
    pub fn new(pattern: &[u8], error: &riverhawk_regex::Error) -> PatternError {
        let (before, from) = pattern.split_at(error.offset().min(pattern.len()));
        let (before, from) = (String::from_utf8_lossy(before), String::from_utf8_lossy(from));
        let (place, rest) = (before.chars().count(), from.chars().count());
        let cut = place.saturating_sub(SHOWN_AROUND);
        let mut shown = if cut > 0 { "...".to_owned() } else { String::new() };
        shown.extend(before.chars().skip(cut));
        shown.extend(from.chars().take(SHOWN_AROUND));
        if rest > SHOWN_AROUND {
            shown.push_str("...");
        }
        let (what, place) = (error.message(), place + 1);
        PatternError {
            message: format!("invalid regular expression /{shown}/: {what} at character {place}"),
        }
    }
}

impl From<PatternError> for Fault {
    fn from(error: PatternError) -> Fault {
        Fault::new(error.message)
    }
}
