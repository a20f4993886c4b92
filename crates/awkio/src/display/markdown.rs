//! GitHub's Markdown tables. Markup is escaped, newlines become `<br>`.

use super::cells::Cells;
use riverhawk_memory::Growing;

/// With the line that Markdown requires under it.
pub(super) fn head(cells: &Cells, out: &mut Vec<u8>) {
    row(cells, cells.count(), out);
    for _ in 0..cells.count().max(1) {
        out.extend_by(b"| --- ");
    }
    out.extend_by(b"|\n");
}

/// Extra cells are written, though most renderers drop them.
pub(super) fn row(cells: &Cells, columns: usize, out: &mut Vec<u8>) {
    for cell in cells.iter() {
        out.extend_by(b"| ");
        write_cell(cell, out);
        out.extend_by(b" ");
    }
    for _ in cells.count()..columns.max(1) {
        out.extend_by(b"|  ");
    }
    out.extend_by(b"|\n");
}

fn write_cell(cell: &[u8], out: &mut Vec<u8>) {
    let is_word = |at: Option<usize>| {
        at.and_then(|at| cell.get(at))
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
    };
    for (at, &byte) in cell.iter().enumerate() {
        match byte {
            b'\n' => out.extend_by(b"<br>"),
            // Before a newline; alone it would end the row.
            b'\r' if cell.get(at + 1) == Some(&b'\n') => {}
            b'\r' => out.extend_by(b"<br>"),
            b'<' => out.extend_by(b"&lt;"),
            b'&' => out.extend_by(b"&amp;"),
            // Within a word it is text: `snake_case`.
            b'_' if is_word(at.checked_sub(1)) && is_word(Some(at + 1)) => out.extend_by(b"_"),
            b'|' | b'\\' | b'`' | b'*' | b'_' | b'[' | b']' | b'~' => out.extend_by(&[b'\\', byte]),
            byte => out.extend_by(&[byte]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_cells_is_text() {
        let cells: Cells =
            [&b"a|b\\"[..], b"snake_case _x_ *y*", b"<b>&", b"two\r\nlines\rthree", b""]
                .into_iter()
                .collect();
        let mut out = Vec::new();
        head(&cells, &mut out);
        let expected = "| a\\|b\\\\ | snake_case \\_x\\_ \\*y\\* | &lt;b>&amp; | two<br>lines<br>three |  |\n\
                        | --- | --- | --- | --- | --- |\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
