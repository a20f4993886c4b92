//! Rows for people: Markdown, HTML, and aligned columns.
//!
//! A table begins with its first row and ends with other output or at close. An aligned table is
//! kept in memory until its last row, which may be the widest.

mod cells;
pub use cells::Cells;

mod aligned;
mod html;
mod markdown;

use aligned::Aligned;

/// The format of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Display {
    /// In columns as wide as their widest field.
    Aligned,
    /// As a table of HTML.
    Html,
    /// As a table in GitHub's Markdown.
    Markdown,
}

/// A table being written.
pub enum Shown {
    /// With the columns of its head, once written.
    Markdown(Option<usize>),
    /// HTML, row by row.
    Html {
        /// Whether rows of the body have been written.
        in_body: bool,
    },
    /// With all its rows.
    Aligned(Aligned),
    /// A JSON array.
    List {
        /// Elements so far.
        count: u64,
    },
}

impl Shown {
    /// Begins a table with the names `head`, which may be empty.
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
            // Markdown tables need a head.
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

    /// So that it can be left out.
    pub(crate) fn is_unwritten(&self) -> bool {
        matches!(self, Shown::List { count: 0 })
    }

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
