//! Which strings end a line.

use std::collections::HashSet;
use std::fmt;

/// The strings that end a line.
///
/// The line ends at the first position where one of them ends. If several end there, the one listed
/// first is the separator. CRLF counts as one character: what ends in CRLF precedes others, and
/// CRLF is one line end even if CR is one too. So `{LF, CRLF}` in any order strips the CR of a
/// CRLF, and `{LF}` leaves it, as awk's `RS="\n"` does. A separator that begins with another is
/// never reached.
///
/// ```
/// use riverhawk_text::decoder::Separators;
/// let separators = Separators::strings(["--\n", "\n", "€"])?;
/// assert_eq!(separators, Separators::strings(["€", "--\n", "\n", "\n"])?);
/// # Ok::<(), riverhawk_text::decoder::SeparatorError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Separators {
    /// Separators by their last byte; within a group by precedence.
    groups: Vec<Group>,
    paragraphs: bool,
    shape: Shape,
}

/// The usual sets, for which the groups need not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Byte,
    LfOrCrlf,
    Other,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub last: u8,
    pub strings: Vec<Box<[u8]>>,
    /// For each string: whether the next byte decides, because it ends in CR and with LF it is a
    /// separator too.
    pub waits_for_lf: Vec<bool>,
}

/// The maximum number of separators.
pub const MAX_SEPARATORS: usize = 4_095;

/// Maximum length of a separator, in characters.
pub const MAX_SEPARATOR_LENGTH: usize = 65_535;

impl Separators {
    /// LF and CRLF, the default.
    pub fn lines() -> Separators {
        Separators::of(vec!["\n", "\r\n"], false)
    }

    /// LF alone; a CR before it stays in the line.
    pub fn lf() -> Separators {
        Separators::of(vec!["\n"], false)
    }

    /// LF, CRLF and CR. A final CR waits for the next byte.
    pub fn any_line_ending() -> Separators {
        Separators::of(vec!["\n", "\r\n", "\r"], false)
    }

    /// One or more empty lines, as awk's `RS=""`. Leading ones are skipped, and one LF at the end
    /// of the last paragraph belongs to its separator.
    ///
    /// A paragraph is complete at its second LF; further ones are skipped with the next paragraph.
    pub fn paragraphs() -> Separators {
        Separators::of(vec!["\n\n"], true)
    }

    /// Any strings; duplicates do not matter.
    ///
    /// # Errors
    /// No string, more than [`MAX_SEPARATORS`], an empty one (use
    /// [paragraphs](Separators::paragraphs)), or one of more than [`MAX_SEPARATOR_LENGTH`]
    /// characters.
    pub fn strings<S: AsRef<str>>(
        strings: impl IntoIterator<Item = S>,
    ) -> Result<Separators, SeparatorError> {
        let mut all = Vec::new();
        for (index, string) in strings.into_iter().enumerate() {
            let length = string.as_ref().chars().count();
            match length {
                _ if index >= MAX_SEPARATORS => return Err(SeparatorError::TooMany),
                0 => return Err(SeparatorError::Empty { index }),
                _ if length > MAX_SEPARATOR_LENGTH => {
                    return Err(SeparatorError::TooLong { index, length });
                }
                _ => all.push(string),
            }
        }
        if all.is_empty() {
            return Err(SeparatorError::None);
        }
        Ok(Separators::of(all.iter().map(AsRef::as_ref).collect(), false))
    }

    fn of(mut strings: Vec<&str>, paragraphs: bool) -> Separators {
        let mut is_separator = HashSet::new();
        strings.retain(|string| is_separator.insert(*string));
        strings.sort_by_key(|string| !string.ends_with("\r\n"));
        let mut groups: Vec<Group> = Vec::new();
        for string in &strings {
            let Some(last) = string.as_bytes().last().copied() else { continue };
            let at = groups.iter().position(|group| group.last == last).unwrap_or_else(|| {
                groups.push(Group { last, strings: Vec::new(), waits_for_lf: Vec::new() });
                groups.len() - 1
            });
            groups[at].strings.push(string.as_bytes().into());
            groups[at]
                .waits_for_lf
                .push(last == b'\r' && is_separator.contains(format!("{string}\n").as_str()));
        }
        groups.sort_by_key(|group| group.last);
        let shape = match strings[..] {
            _ if paragraphs => Shape::Other,
            [one] if one.len() == 1 => Shape::Byte,
            ["\r\n", "\n"] => Shape::LfOrCrlf,
            _ => Shape::Other,
        };
        Separators { groups, paragraphs, shape }
    }

    /// As they are in folded text, where CRLF is LF.
    pub(super) fn folded(&self) -> Separators {
        let strings: Vec<String> = self.iter().map(|string| string.replace("\r\n", "\n")).collect();
        Separators::of(strings.iter().map(String::as_str).collect(), self.paragraphs)
    }

    /// The separators, grouped by their last byte; within a group by precedence.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.groups
            .iter()
            .flat_map(|group| &group.strings)
            .filter_map(|bytes| std::str::from_utf8(bytes).ok())
    }

    /// Whether empty lines separate paragraphs.
    pub fn is_paragraphs(&self) -> bool {
        self.paragraphs
    }

    #[inline]
    pub(super) fn shape(&self) -> Shape {
        self.shape
    }

    pub(super) fn groups(&self) -> &[Group] {
        &self.groups
    }
}

impl Default for Separators {
    fn default() -> Self {
        Separators::lines()
    }
}

/// Why strings cannot separate lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SeparatorError {
    /// There are no strings.
    None,
    /// There are more than [`MAX_SEPARATORS`].
    TooMany,
    /// One of them is empty.
    Empty {
        /// Which, counted from 0.
        index: usize,
    },
    /// One of them has more than [`MAX_SEPARATOR_LENGTH`] characters.
    TooLong {
        /// Which, counted from 0.
        index: usize,
        /// How many characters it has.
        length: usize,
    },
}

impl fmt::Display for SeparatorError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SeparatorError::None => out.write_str("no separator"),
            SeparatorError::TooMany => write!(out, "more than {MAX_SEPARATORS} separators"),
            SeparatorError::Empty { index } => write!(out, "separator {index} is empty"),
            SeparatorError::TooLong { index, length } => {
                write!(
                    out,
                    "separator {index} has {length} characters, more than {MAX_SEPARATOR_LENGTH}"
                )
            }
        }
    }
}

impl std::error::Error for SeparatorError {}
