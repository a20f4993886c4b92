//! HTML tables. Newlines become `<br>`, invalid UTF-8 and control characters U+FFFD.

use super::cells::Cells;
use riverhawk_memory::Growing;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Head,
    Body,
}

pub(super) fn begin(head: Option<&Cells>, out: &mut Vec<u8>) {
    out.extend_by(b"<table>\n");
    if let Some(head) = head {
        out.extend_by(b"<thead>\n");
        row(head, Part::Head, out);
        out.extend_by(b"</thead>\n");
    }
}

pub(super) fn begin_body(out: &mut Vec<u8>) {
    out.extend_by(b"<tbody>\n");
}

pub(super) fn end(in_body: bool, out: &mut Vec<u8>) {
    if in_body {
        out.extend_by(b"</tbody>\n");
    }
    out.extend_by(b"</table>\n");
}

pub(super) fn row(cells: &Cells, part: Part, out: &mut Vec<u8>) {
    let tag: &[u8] = if part == Part::Head { b"th>" } else { b"td>" };
    out.extend_by(b"<tr>");
    for cell in cells.iter() {
        out.extend_by(b"<");
        out.extend_by(tag);
        write_text(cell, out);
        out.extend_by(b"</");
        out.extend_by(tag);
    }
    out.extend_by(b"</tr>\n");
}

fn write_text(text: &[u8], out: &mut Vec<u8>) {
    for chunk in text.utf8_chunks() {
        let mut characters = chunk.valid().chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '&' => out.extend_by(b"&amp;"),
                '<' => out.extend_by(b"&lt;"),
                '>' => out.extend_by(b"&gt;"),
                '"' => out.extend_by(b"&quot;"),
                '\r' if characters.peek() == Some(&'\n') => {}
                '\n' | '\r' => out.extend_by(b"<br>"),
                '\t' => out.extend_by(b"\t"),
                control if control.is_control() => out.extend_by("\u{FFFD}".as_bytes()),
                character => out.extend_by(character.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        if !chunk.invalid().is_empty() {
            out.extend_by("\u{FFFD}".as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let cells: Cells =
            [&b"<a href=\"x\">&"[..], b"two\r\nlines", b"\xff\0"].into_iter().collect();
        let mut out = Vec::new();
        row(&cells, Part::Body, &mut out);
        let expected = "<tr><td>&lt;a href=&quot;x&quot;&gt;&amp;</td><td>two<br>lines</td><td>\u{FFFD}\u{FFFD}</td></tr>\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
