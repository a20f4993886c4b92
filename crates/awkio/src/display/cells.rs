//! The texts of a row.

use riverhawk_memory::{self as memory, Growing};

/// The texts of a row.
#[derive(Default)]
pub struct Cells {
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl Cells {
    /// Adds a cell.
    pub fn push(&mut self, cell: &[u8]) {
        self.text.extend_by(cell);
        memory::push(&mut self.ends, self.text.len());
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| self.text.get(start..end).unwrap_or_default())
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.ends.len()
    }
}

impl<'a> FromIterator<&'a [u8]> for Cells {
    fn from_iter<I: IntoIterator<Item = &'a [u8]>>(texts: I) -> Cells {
        let mut cells = Cells::default();
        texts.into_iter().for_each(|text| cells.push(text));
        cells
    }
}
