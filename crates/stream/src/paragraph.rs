//! Records separated by blank lines, as awk's `RS=""`, with gawk's RT.

use crate::ends::Ends;
use crate::separator::{Found, Input, Separator};
use memchr::memmem;

/// Separates at runs of two or more newlines. As in gawk a run at the end of the text waits for
/// more. At the end of input a single newline ends the last paragraph.
///
/// The caller skips newlines before the record.
#[derive(Debug)]
pub struct Paragraph {
    blank_line: Box<memmem::Finder<'static>>,
    /// The known end of the run at `resume_from`, so that it is not scanned again.
    run_to: usize,
}

impl Default for Paragraph {
    fn default() -> Self {
        Self { blank_line: Box::new(memmem::Finder::new(b"\n\n")), run_to: 0 }
    }
}

impl Separator for Paragraph {
    fn find(&mut self, text: &[u8], search_from: usize, input: Input) -> Found {
        let at_end = input == Input::Ends;
        let known_to = if search_from == 0 { 0 } else { self.run_to };
        self.run_to = 0;
        let start = if known_to > search_from {
            search_from
        } else if let Some(length) = self.blank_line.find(&text[search_from..]) {
            search_from + length
        } else if let Some((b'\n', before)) = text.split_last() {
            // The next byte may make a blank line.
            let start = before.len();
            return if at_end {
                Found::At { start, end: text.len() }
            } else {
                Found::NotYet { resume_from: start }
            };
        } else {
            return Found::NotYet { resume_from: text.len() };
        };
        let from = known_to.max(start);
        let end = from + text[from..].iter().take_while(|&&byte| byte == b'\n').count();
        if end == text.len() && !at_end {
            self.run_to = end;
            return Found::NotYet { resume_from: start };
        }
        Found::At { start, end }
    }

    fn find_more(&mut self, text: &[u8], ends: &mut Ends) {
        let mut at = 0;
        while let Some(length) = self.blank_line.find(&text[at..]) {
            let start = at + length;
            let newlines = text[start..].iter().take_while(|&&byte| byte == b'\n').count();
            at = start + newlines;
            if at == text.len() || !ends.push(start, at) {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_newlines_is_one_separator_and_waits_for_its_end() {
        let mut paragraph = Paragraph::default();
        assert_eq!(
            paragraph.find(b"a\nb\n\n", 0, Input::Continues),
            Found::NotYet { resume_from: 3 }
        );
        assert_eq!(
            paragraph.find(b"a\nb\n\n\n", 3, Input::Continues),
            Found::NotYet { resume_from: 3 }
        );
        assert_eq!(
            paragraph.find(b"a\nb\n\n\nc", 3, Input::Continues),
            Found::At { start: 3, end: 6 }
        );
        assert_eq!(paragraph.find(b"c", 0, Input::Continues), Found::NotYet { resume_from: 1 });
    }

    #[test]
    fn at_the_end_all_newlines_belong_to_the_separator() {
        // As in gawk, RT of the last paragraph is all newlines after it.
        for (text, start) in [("a\n", 1), ("a\n\n", 1), ("a\n\n\n", 1), ("a\nb\n", 3)] {
            let found = Paragraph::default().find(text.as_bytes(), 0, Input::Ends);
            assert_eq!(found, Found::At { start, end: text.len() });
        }
        assert_eq!(
            Paragraph::default().find(b"a", 0, Input::Ends),
            Found::NotYet { resume_from: 1 }
        );
    }
}
