//! Rows for readers: Markdown, HTML, and columns aligned for the eye.
//!
//! Each output has a table of its own, which begins with its first row and ends where something
//! else is written there (`printf`) or where it is closed. Markdown and HTML are written row by
//! row; what is aligned waits for its last row, since the widest field of each column decides: its
//! memory is that of the text of its rows.

mod cells;
pub use cells::Cells;

mod aligned;
mod html;
mod markdown;

use aligned::Aligned;

/// How rows are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Display {
    /// In columns as wide as their widest field.
    Aligned,
    /// As a table of HTML.
    Html,
    /// As a table of GitHub's Markdown.
    Markdown,
}

/// A table that is being written.
pub enum Shown {
    /// With the number of columns of its head, once that is written.
    Markdown(Option<usize>),
    /// With whether rows of the body have begun.
    Html {
        /// Rows of the body have been written, not only the head.
        in_body: bool,
    },
    /// With all its rows.
    Aligned(Aligned),
    /// No table: a JSON array that has so many elements so far.
    List {
        /// Elements so far.
        count: u64,
    },
}

impl Shown {
    /// A table with these names over its columns, if there are any.
    pub fn begin(display: Display, head: &[String], out: &mut Vec<u8>) -> Shown {
        let cells: Cells = head.iter().map(|name| name.as_bytes()).collect();
        let has_head = !head.is_empty();
        match display {
            Display::Markdown => {
                let mut columns = None;
                if has_head {
                    markdown::head(&cells, out);
                    columns = Some(cells.count());
                }
                Shown::Markdown(columns)
            }
            Display::Html => {
                html::begin(has_head.then_some(&cells), out);
                Shown::Html { in_body: false }
            }
            Display::Aligned => Shown::Aligned(Aligned::new(has_head.then_some(&cells))),
        }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: &Cells, out: &mut Vec<u8>) {
        match self {
            // Markdown has no table without a head.
            Shown::Markdown(columns @ None) => {
                markdown::head(cells, out);
                *columns = Some(cells.count());
            }
            Shown::Markdown(Some(columns)) => markdown::row(cells, *columns, out),
            Shown::Html { in_body } => {
                if !std::mem::replace(in_body, true) {
                    html::begin_body(out);
                }
                html::row(cells, html::Part::Body, out);
            }
            Shown::Aligned(aligned) => aligned.push(cells),
            Shown::List { .. } => {}
        }
    }

    /// Whether it may be left out, for nothing of it is written.
    pub(crate) fn is_unwritten(&self) -> bool {
        matches!(self, Shown::List { count: 0 })
    }

    /// What comes before the next element of a JSON array.
    pub(crate) fn before_element(&mut self) -> &'static [u8] {
        match self {
            Shown::List { count } => {
                *count += 1;
                if *count == 1 { b"[\n" } else { b",\n" }
            }
            _ => b"",
        }
    }

    /// Ends the table.
    pub fn end(self, out: &mut Vec<u8>) {
        match self {
            Shown::Markdown(_) => {}
            Shown::Html { in_body } => html::end(in_body, out),
            Shown::Aligned(aligned) => aligned.write(out),
            Shown::List { count: 0 } => out.extend_from_slice(b"[]\n"),
            Shown::List { .. } => out.extend_from_slice(b"\n]\n"),
        }
    }
}
