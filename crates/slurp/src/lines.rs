//! Text cut into borrowed lines by a literal separator.

use memchr::memmem;
use std::borrow::Cow;
use std::fmt;

/// What ends a line. Always literal: `"."` is a full stop, not a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Separator {
    /// At least one byte.
    Literal(Cow<'static, [u8]>),
    /// Two or more newlines, or one at the end; newlines before the first paragraph belong to none.
    Paragraph,
    /// None: the whole text is one line.
    Whole,
}

impl Separator {
    /// A newline; a carriage return before it stays in the line.
    pub const NEWLINE: Self = Self::Literal(Cow::Borrowed(b"\n"));
}

impl Default for Separator {
    fn default() -> Self {
        Self::NEWLINE
    }
}

/// An empty string means paragraphs, as in awk's `RS = ""`.
impl From<&str> for Separator {
    fn from(literal: &str) -> Self {
        literal.as_bytes().into()
    }
}

/// An empty string means paragraphs, as in awk's `RS = ""`.
impl From<&[u8]> for Separator {
    fn from(literal: &[u8]) -> Self {
        if literal.is_empty() { Self::Paragraph } else { Self::Literal(literal.to_vec().into()) }
    }
}

/// `None` makes the whole text one line.
impl<S: Into<Self>> From<Option<S>> for Separator {
    fn from(separator: Option<S>) -> Self {
        separator.map_or(Self::Whole, Into::into)
    }
}

/// The lines of a text in memory, without copies.
///
/// The last line may lack its separator; an empty text has no lines.
///
/// ```
/// use riverhawk_slurp::{Lines, Separator};
/// let lines = |text: &'static str| Lines::new(text.as_bytes(), &Separator::NEWLINE);
/// assert_eq!(lines("a\n\nb").collect::<Vec<_>>(), [&b"a\n"[..], b"\n", b"b"]);
/// assert_eq!(lines("a\n\nb").chomp().collect::<Vec<_>>(), [&b"a"[..], b"", b"b"]);
/// assert_eq!(lines("").next(), None);
/// ```
pub struct Lines<'a> {
    text: &'a [u8],
    line_at: usize,
    chomp: bool,
    cutter: Cutter<'a>,
}

enum Cutter<'a> {
    Byte(ByteMarks),
    String { found: memmem::FindIter<'a, 'a>, length: usize },
    Paragraph(memmem::Finder<'static>),
    Whole,
}

impl<'a> Lines<'a> {
    /// The lines of `text` with their separators.
    pub fn new(text: &'a [u8], separator: &'a Separator) -> Self {
        let mut line_at = 0;
        let cutter = match separator {
            Separator::Literal(literal) => match **literal {
                // Conversions cannot make an empty literal, but the variant is public: it separates
                // nothing.
                [] => Cutter::Whole,
                [byte] => Cutter::Byte(ByteMarks::new(byte)),
                _ => Cutter::String {
                    found: memmem::find_iter(text, &**literal),
                    length: literal.len(),
                },
            },
            Separator::Paragraph => {
                line_at = text.iter().take_while(|&&byte| byte == b'\n').count();
                Cutter::Paragraph(memmem::Finder::new(b"\n\n"))
            }
            Separator::Whole => Cutter::Whole,
        };
        Self { text, line_at, chomp: false, cutter }
    }

    /// Removes the separators.
    #[must_use]
    pub fn chomp(mut self) -> Self {
        self.chomp = true;
        self
    }

    /// Newlines before the first paragraph, until the first line is taken.
    pub(crate) fn before_first(&self) -> &'a [u8] {
        &self.text[..self.line_at]
    }

    /// The next line's text and its separator, which may be missing at the end.
    #[inline]
    pub fn next_parts(&mut self) -> Option<(&'a [u8], &'a [u8])> {
        if self.line_at == self.text.len() {
            return None;
        }
        let (end, next_line_at) =
            self.next_separator().unwrap_or((self.text.len(), self.text.len()));
        let parts = (&self.text[self.line_at..end], &self.text[end..next_line_at]);
        self.line_at = next_line_at;
        Some(parts)
    }

    #[inline]
    fn next_separator(&mut self) -> Option<(usize, usize)> {
        match &mut self.cutter {
            Cutter::Byte(marks) => marks.next(self.text).map(|at| (at, at + 1)),
            Cutter::String { found, length } => found.next().map(|at| (at, at + *length)),
            Cutter::Paragraph(blank_line) => {
                let rest = &self.text[self.line_at..];
                // As in awk, one newline at the very end belongs to the separator.
                let length = blank_line.find(rest).or(rest.strip_suffix(b"\n").map(<[u8]>::len))?;
                let at = self.line_at + length;
                let newlines = self.text[at..].iter().take_while(|&&byte| byte == b'\n').count();
                Some((at, at + newlines))
            }
            Cutter::Whole => None,
        }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        let from = self.line_at;
        let (line, separator) = self.next_parts()?;
        Some(if self.chomp { line } else { &self.text[from..from + line.len() + separator.len()] })
    }
}

impl std::iter::FusedIterator for Lines<'_> {}

impl fmt::Debug for Lines<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Lines")
            .field("line_at", &self.line_at)
            .field("chomp", &self.chomp)
            .finish_non_exhaustive()
    }
}

/// Blocks marked at once.
const BLOCKS: usize = 16;
const CHUNK: usize = BLOCKS * riverhawk_simd::BLOCK;

/// Positions of one byte, found 64 at a time: faster than a search per line.
struct ByteMarks {
    byte: u8,
    /// Remaining marks; bit 0 is the byte at `word_at`.
    word: u64,
    word_at: usize,
    next_word: usize,
    filled: usize,
    chunk_at: usize,
    words: [u64; BLOCKS],
}

impl ByteMarks {
    fn new(byte: u8) -> Self {
        Self { byte, word: 0, word_at: 0, next_word: 0, filled: 0, chunk_at: 0, words: [0; BLOCKS] }
    }

    #[inline]
    fn next(&mut self, text: &[u8]) -> Option<usize> {
        while self.word == 0 {
            if self.next_word == self.filled && !self.mark_chunk(text) {
                return None;
            }
            self.word = self.words[self.next_word % BLOCKS];
            self.word_at = self.chunk_at - CHUNK + 64 * self.next_word;
            self.next_word += 1;
        }
        let at = self.word_at + self.word.trailing_zeros() as usize;
        self.word &= self.word - 1;
        Some(at)
    }

    #[inline(never)]
    fn mark_chunk(&mut self, text: &[u8]) -> bool {
        let Some(rest) = text.get(self.chunk_at..).filter(|rest| !rest.is_empty()) else {
            return false;
        };
        let chunk = &rest[..rest.len().min(CHUNK)];
        let mut non_ascii = [0];
        riverhawk_simd::mark_byte(chunk, self.byte, &mut self.words[..], &mut non_ascii);
        self.next_word = 0;
        self.filled = chunk.len().div_ceil(riverhawk_simd::BLOCK);
        self.chunk_at += CHUNK;
        true
    }
}
