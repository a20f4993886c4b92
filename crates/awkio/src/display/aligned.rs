//! Columns as wide as their widest field, in terminal cells. Columns of numbers are aligned right.

use super::cells::Cells;
use riverhawk_memory::{self as memory, Growing};
use riverhawk_text::display_width;
use riverhawk_value::Value;

const GAP: &[u8] = b"  ";

#[derive(Clone, Copy)]
struct Column {
    width: usize,
    numbers: Numbers,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    NoneYet,
    All,
    NotAll,
}

/// A table whose rows are kept until the last.
pub struct Aligned {
    columns: Vec<Column>,
    cells: Cells,
    row_ends: Vec<usize>,
    has_head: bool,
}

impl Aligned {
    pub(super) fn new(head: Option<&Cells>) -> Aligned {
        let mut table = Aligned {
            columns: Vec::new(),
            cells: Cells::default(),
            row_ends: Vec::new(),
            has_head: head.is_some(),
        };
        if let Some(head) = head {
            table.push(head);
            // A column's name does not count.
            table.columns.iter_mut().for_each(|column| column.numbers = Numbers::NoneYet);
        }
        table
    }

    pub(super) fn push(&mut self, cells: &Cells) {
        for (at, cell) in cells.iter().enumerate() {
            let cell = visible(cell);
            if at == self.columns.len() {
                memory::push(&mut self.columns, Column { width: 0, numbers: Numbers::NoneYet });
            }
            let Some(column) = self.columns.get_mut(at) else { return };
            column.width = column.width.max(display_width(&cell));
            if !cell.is_empty() {
                let is_number = Value::from_input(&cell).is_numeric(&[]);
                column.numbers = match column.numbers {
                    Numbers::NotAll => Numbers::NotAll,
                    _ if is_number => Numbers::All,
                    _ => Numbers::NotAll,
                };
            }
            self.cells.push(&cell);
        }
        memory::push(&mut self.row_ends, self.cells.count());
    }

    pub(super) fn write(self, out: &mut Vec<u8>) {
        let mut cells = self.cells.iter();
        let mut start = 0;
        for (row, &end) in self.row_ends.iter().enumerate() {
            let row_at = out.len();
            for (at, cell) in cells.by_ref().take(end - start).enumerate() {
                write_cell(cell, self.columns[at], at, out);
            }
            end_line(row_at, out);
            if row == 0 && self.has_head {
                let row_at = out.len();
                for (at, column) in self.columns.iter().enumerate() {
                    write_cell(&b"-".repeat(column.width), *column, at, out);
                }
                end_line(row_at, out);
            }
            start = end;
        }
    }
}

fn write_cell(cell: &[u8], column: Column, at: usize, out: &mut Vec<u8>) {
    if at > 0 {
        out.extend_by(GAP);
    }
    let blanks = b" ".repeat(column.width.saturating_sub(display_width(cell)));
    let (before, behind): (&[u8], &[u8]) = match column.numbers {
        Numbers::All => (&blanks, b""),
        _ => (b"", &blanks),
    };
    out.extend_by(before);
    out.extend_by(cell);
    out.extend_by(behind);
}

/// Removes blanks at the end of the line.
fn end_line(row_at: usize, out: &mut Vec<u8>) {
    while out.len() > row_at && out.last() == Some(&b' ') {
        out.pop();
    }
    out.extend_by(b"\n");
}

/// Control characters are escaped: `\n`, `\t`, `\x1b`.
fn visible(cell: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    if !cell.iter().any(u8::is_ascii_control) {
        return cell.into();
    }
    let mut out = Vec::new();
    for &byte in cell {
        match byte {
            b'\n' => out.extend_by(b"\\n"),
            b'\r' => out.extend_by(b"\\r"),
            b'\t' => out.extend_by(b"\\t"),
            byte if byte.is_ascii_control() => out.extend_by(format!("\\x{byte:02x}").as_bytes()),
            byte => out.extend_by(&[byte]),
        }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(head: Option<&[&str]>, rows: &[&[&str]]) -> String {
        let cells = |row: &[&str]| row.iter().map(|cell| cell.as_bytes()).collect::<Cells>();
        let mut table = Aligned::new(head.map(cells).as_ref());
        rows.iter().for_each(|row| table.push(&cells(row)));
        let mut out = Vec::new();
        table.write(&mut out);
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn columns_are_as_wide_as_they_look_and_numbers_stand_at_the_right() {
        let rows: &[&[&str]] =
            &[&["東京", "1.5", "x\ty"], &["e\u{301}", "", "\x1b[1m"], &["🇩🇪", "-10"]];
        let expected = "city    n  note\n----  ---  -------\n東京  1.5  x\\ty\ne\u{301}          \\x1b[1m\n🇩🇪    -10\n";
        assert_eq!(table(Some(&["city", "n", "note"]), rows), expected);
    }

    #[test]
    fn rows_of_any_width_and_none() {
        assert_eq!(table(None, &[&["a"], &[], &["b", "c"]]), "a\n\nb  c\n");
        assert_eq!(table(Some(&["a", "b"]), &[]), "a  b\n-  -\n");
        assert_eq!(table(None, &[]), "");
    }
}
