//! Rows of CSV and TSV read byte by byte, directly by the rules in `docs/tables.md`: the reference
//! for the real readers.

type Row = Vec<Vec<u8>>;

/// The rows of CSV.
pub fn naive_csv(text: &[u8], separator: u8) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let mut row = Vec::new();
        if let Some(length) = line_end(text, at) {
            // An empty line is a record without fields.
            at += length;
            rows.push(row);
            continue;
        }
        loop {
            let mut field = Vec::new();
            if text.get(at) == Some(&b'"') {
                at = quoted(text, at + 1, &mut field);
            }
            // Text after a closing quote is appended.
            while at < text.len() && text[at] != separator && line_end(text, at).is_none() {
                field.push(text[at]);
                at += 1;
            }
            row.push(field);
            if text.get(at) != Some(&separator) {
                break;
            }
            at += 1;
        }
        at += line_end(text, at).unwrap_or(0);
        rows.push(row);
    }
    rows
}

/// A quoted field from after its quote; gives its end.
fn quoted(text: &[u8], mut at: usize, field: &mut Vec<u8>) -> usize {
    while at < text.len() {
        match (text[at], text.get(at + 1)) {
            (b'"', Some(b'"')) => {
                field.push(b'"');
                at += 2;
            }
            (b'"', _) => return at + 1,
            (b'\r', Some(b'\n')) => {
                field.push(b'\n');
                at += 2;
            }
            (byte, _) => {
                field.push(byte);
                at += 1;
            }
        }
    }
    at
}

/// Length of a line end, if there is one.
fn line_end(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at..)? {
        [b'\n', ..] => Some(1),
        [b'\r', b'\n', ..] => Some(2),
        _ => None,
    }
}

/// The rows of TSV.
pub fn naive_tsv(text: &[u8]) -> Vec<Row> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let rows = text.split(|&byte| byte == b'\n');
    rows.map(|row| {
        if row.is_empty() {
            Row::new()
        } else {
            row.split(|&byte| byte == b'\t').map(unescaped).collect()
        }
    })
    .collect()
}

fn unescaped(field: &[u8]) -> Vec<u8> {
    let (mut out, mut at) = (Vec::new(), 0);
    while at < field.len() {
        let meant = match (field[at], field.get(at + 1)) {
            (b'\\', Some(b't')) => b'\t',
            (b'\\', Some(b'n')) => b'\n',
            (b'\\', Some(b'r')) => b'\r',
            (b'\\', Some(b'\\')) => b'\\',
            (byte, _) => {
                out.push(byte);
                at += 1;
                continue;
            }
        };
        out.push(meant);
        at += 2;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_naive_readers_follow_the_rules() {
        let rows = naive_csv(b"a,\"b,\"\"c\"\"\",\r\n\n\"x\r\ny\"z\"w,5\" \"\rq", b',');
        let expected: [&[&[u8]]; 3] = [&[b"a", b"b,\"c\"", b""], &[], &[b"x\nyz\"w", b"5\" \"\rq"]];
        assert_eq!(rows, expected);
        assert_eq!(naive_csv(b"\"never, closed\n", b','), [[b"never, closed\n"]]);
        assert_eq!(
            naive_tsv(b"a\\tb\t\\x\\\n\nc"),
            [vec![&b"a\tb"[..], b"\\x\\"], vec![], vec![b"c"]]
        );
    }
}
