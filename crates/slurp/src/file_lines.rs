//! A file's lines and their buffer.

use crate::lines::{Lines, Separator};

/// The text of a file with its lines, found again by each iteration.
///
/// ```
/// # let path = std::env::temp_dir().join(format!("riverhawk-slurp-doc-lines-{}", std::process::id()));
/// # std::fs::write(&path, "one\ntwo\n").unwrap();
/// let lines = riverhawk_slurp::lines(&path)?;
/// for line in &lines {
///     assert_eq!(line.len(), 3);
/// }
/// assert_eq!(lines.to_vec(), [b"one", b"two"]);
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), riverhawk_slurp::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct FileLines {
    pub(crate) text: Vec<u8>,
    pub(crate) separator: Separator,
    pub(crate) keep_separators: bool,
}

impl FileLines {
    /// The lines, borrowed.
    pub fn iter(&self) -> Lines<'_> {
        let lines = Lines::new(&self.text, &self.separator);
        if self.keep_separators { lines } else { lines.chomp() }
    }

    /// The lines, copied.
    pub fn to_vec(&self) -> Vec<Vec<u8>> {
        self.iter().map(<[u8]>::to_vec).collect()
    }

    /// The whole text.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Gives the text without a copy.
    pub fn into_text(self) -> Vec<u8> {
        self.text
    }
}

impl<'a> IntoIterator for &'a FileLines {
    type Item = &'a [u8];
    type IntoIter = Lines<'a>;

    fn into_iter(self) -> Lines<'a> {
        self.iter()
    }
}
