//! Backtraces of run-time errors as text.

use riverhawk_syntax::source::SourceMap;

use super::location;
use super::plain_text::plain;
use crate::{Backtrace, Frame};

/// One line for each call that was kept, and one for the number of others.
pub(super) fn draw(sources: &SourceMap, backtrace: &Backtrace) -> String {
    if backtrace.innermost.is_empty() {
        return String::new();
    }
    let mut text = String::from("backtrace, innermost call first:\n");
    let frames = |text: &mut String, frames: &[Frame]| {
        for frame in frames {
            let place = location(sources, frame.call);
            text.push_str(&format!("  {}(), called at {place}\n", plain(&frame.function)));
        }
    };
    frames(&mut text, &backtrace.innermost);
    if backtrace.omitted > 0 {
        text.push_str(&format!("  ... {} more\n", grouped(backtrace.omitted)));
    }
    frames(&mut text, &backtrace.outermost);
    text
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn digits_are_grouped_by_three() {
        for (number, text) in [
            (7, "7"),
            (999, "999"),
            (1000, "1,000"),
            (999_985, "999,985"),
            (1_000_000, "1,000,000"),
        ] {
            assert_eq!(grouped(number), text);
        }
    }
}
