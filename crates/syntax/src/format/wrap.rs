//! Breaks long lines behind commas, `&&` and `||`, where every awk allows it.

/// A blank that may become a line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Break {
    /// Where it is in the text.
    pub at: usize,
    /// How many brackets are open there.
    pub depth: usize,
}

const TAB: usize = 8;
/// What continues a line is indented further than a body is.
const CONTINUED: &[u8] = b"\t\t";

/// The text with lines of at most `width` columns, as far as there are places to break them.
pub(super) fn wrapped(text: &[u8], breaks: &[Break], width: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + text.len() / 16);
    let mut start = 0;
    let mut breaks = breaks.iter().copied().peekable();
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let end = start + line.len();
        let mut here = Vec::new();
        while let Some(found) = breaks.next_if(|found| found.at < end) {
            here.push(Break { at: found.at - start, ..found });
        }
        wrap_line(line, &here, width, &mut out);
        start = end;
    }
    out
}

/// Each part ends at the last of the outermost places that fit; if none fits, at the first.
fn wrap_line(line: &[u8], breaks: &[Break], width: usize, out: &mut Vec<u8>) {
    let indent = line.iter().take_while(|&&byte| byte == b'\t').count();
    let (mut start, mut used) = (0, 0);
    let mut rest = breaks;
    while used + columns(line[start..].trim_ascii_end()) > width && !rest.is_empty() {
        let fits = |found: &&Break| used + columns(&line[start..found.at]) <= width;
        let fitting = rest.iter().take_while(fits).count();
        let outermost = rest[..fitting].iter().map(|found| found.depth).min();
        let chosen = match outermost {
            Some(depth) => rest[..fitting].iter().rposition(|found| found.depth == depth),
            None => Some(0),
        };
        let Some(chosen) = chosen else { break };
        out.extend_from_slice(&line[start..rest[chosen].at]);
        out.push(b'\n');
        out.extend_from_slice(&line[..indent]);
        out.extend_from_slice(CONTINUED);
        start = rest[chosen].at + 1;
        used = (indent + CONTINUED.len()) * TAB;
        rest = &rest[chosen + 1..];
    }
    out.extend_from_slice(&line[start..]);
}

fn columns(text: &[u8]) -> usize {
    text.iter().fold(0, |columns, &byte| match byte {
        b'\t' => columns / TAB * TAB + TAB,
        0x80..0xC0 => columns,
        _ => columns + 1,
    })
}
