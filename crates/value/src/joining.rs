//! Texts put together from values.

use crate::value::{NumberFormat, Value};
use riverhawk_memory::{Appender, PART};

/// Replaces `out` by the texts of values, one behind the other with `between` between two, and
/// zeros. Gives the length without these, which are there so that a short text can be loaded whole.
///
/// `record` is the text of views and what lies behind it in memory; numbers are written by `format`.
pub fn join_texts<'a>(
    values: impl Iterator<Item = &'a Value>,
    record: &[u8],
    format: &NumberFormat,
    between: &[u8],
    out: &mut Vec<u8>,
) -> usize {
    out.clear();
    let mut out = Appender::new(out);
    for (at, value) in values.enumerate() {
        match *between {
            [byte] if at > 0 => out.push(byte),
            [_, ..] if at > 0 => out.put(between, 0..between.len()),
            _ => {}
        }
        match value {
            Value::View(view) => out.put(record, view.range()),
            Value::Small(small) | Value::SmallInput(small) => {
                out.put_start(small.padded(), small.len());
            }
            other => out.put_by(|out| other.append_to(record, format, out)),
        }
    }
    let length = out.text_len();
    out.put_start(&[0; PART], PART);
    length
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HeapStr, View};

    #[test]
    fn texts_of_all_kinds_are_joined_and_zeros_follow() {
        let record = b"a record that is longer than sixteen bytes";
        let format = NumberFormat::parse(b"%.6g");
        let values = [
            Value::View(View::input(2, 8)),
            Value::Num(0.1),
            Value::from_text(b"short"),
            Value::View(View::input(2, 40)),
            Value::Uninit,
            Value::Str(HeapStr::new(b"on the heap, too long for a value")),
            Value::View(View::input(42, 42)),
            Value::Num(1e6),
        ];
        for between in [&b""[..], b"|", b"<>", b"a separator of more than sixteen"] {
            for room in [0, 20, 1000] {
                let mut out = Vec::with_capacity(room);
                for count in 0..=values.len() {
                    let texts: Vec<Vec<u8>> = values[..count]
                        .iter()
                        .map(|value| value.text(record, &format, &mut Vec::new()).to_vec())
                        .collect();
                    let expected = texts.join(between);
                    let length =
                        join_texts(values[..count].iter(), record, &format, between, &mut out);
                    assert_eq!(out[..length], expected);
                    assert_eq!(out[length..], [0; PART]);
                }
            }
        }
    }
}
