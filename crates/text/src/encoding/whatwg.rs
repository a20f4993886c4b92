//! The encodings of the WHATWG Encoding Standard, through `encoding_rs`.
//!
//! Its decoders consume the beginning of a character, which [`Decode`] requires to stay unconsumed.
//! So [`TableDecode`] feeds the last bytes of its input one by one, notes where text came, and
//! reports the bytes after that as unconsumed, though they were seen.

use super::single_byte::SingleByte;
use super::{Decode, Decoded, Encode, Encoded, Encoding, Verbatim};
use encoding_rs::{DecoderResult, EncoderResult};
use riverhawk_simd::ByteTable;
use std::sync::Arc;

/// An encoding of the WHATWG standard: `windows-1252`, `shift_jis`, `gb18030`, `koi8-r` and so on.
#[derive(Clone, Copy, Debug)]
pub struct Whatwg {
    table: &'static encoding_rs::Encoding,
}

impl Whatwg {
    /// The encoding with this label; case and blanks around it do not matter.
    ///
    /// `None` for `replacement`. Labels have the web's meaning: `latin1` and `ascii` are
    /// windows-1252. [`Encodings`](super::Encodings) has the true ones.
    pub fn for_label(label: &str) -> Option<Whatwg> {
        let table = encoding_rs::Encoding::for_label_no_replacement(label.as_bytes())?;
        Some(Whatwg { table })
    }

    pub(crate) fn table(&self) -> &'static encoding_rs::Encoding {
        self.table
    }
}

impl Encoding for Whatwg {
    fn name(&self) -> &str {
        self.table.name()
    }

    fn replacement(&self) -> &str {
        if std::ptr::eq(self.table, encoding_rs::GB18030) { "\u{FFFD}" } else { "?" }
    }

    fn decoder(&self) -> Box<dyn Decode> {
        if self.table.is_single_byte() {
            return Box::new(SingleByte::new(Arc::new(single_bytes(self.table))));
        }
        Box::new(TableDecode::new(self.table, Vec::new()))
    }

    fn encoder(&self) -> Box<dyn Encode> {
        Box::new(TableEncode { encoder: self.table.new_encoder(), table: self.table })
    }
}

fn single_bytes(table: &'static encoding_rs::Encoding) -> ByteTable {
    ByteTable::new(|byte| {
        let mut text = String::with_capacity(16);
        let mut decoder = table.new_decoder_without_bom_handling();
        match decoder.decode_to_string_without_replacement(&[byte], &mut text, true) {
            (DecoderResult::InputEmpty, _) => text.chars().next(),
            _ => None,
        }
    })
}

fn verbatim(table: &'static encoding_rs::Encoding) -> Verbatim {
    if table.is_ascii_compatible() { Verbatim::Ascii } else { Verbatim::Nothing }
}

/// Maximum bytes between characters: an escape sequence of ISO-2022-JP and a character are five.
const LONGEST_SILENCE: usize = 8;

struct TableDecode {
    table: &'static encoding_rs::Encoding,
    inner: encoding_rs::Decoder,
    /// Bytes that `inner` has consumed and that were reported as unconsumed.
    seen: Vec<u8>,
    /// Input that puts a new decoder into the state before `seen` (ISO-2022-JP).
    shift: Vec<u8>,
}

impl TableDecode {
    fn new(table: &'static encoding_rs::Encoding, shift: Vec<u8>) -> Self {
        let mut inner = table.new_decoder_without_bom_handling();
        if !shift.is_empty() {
            let mut ignored = String::with_capacity(64);
            let _ = inner.decode_to_string_without_replacement(&shift, &mut ignored, false);
        }
        TableDecode { table, inner, seen: Vec::new(), shift }
    }

    fn restart(&mut self) {
        *self = TableDecode::new(self.table, std::mem::take(&mut self.shift));
    }

    /// Feeds `input[from..to]`; returns where undecodable bytes are.
    fn feed(
        &mut self,
        input: &[u8],
        from: usize,
        to: usize,
        text: &mut String,
    ) -> Result<(), (usize, usize)> {
        let mut at = from;
        loop {
            let room = self.inner.max_utf8_buffer_length_without_replacement(to - at);
            text.reserve(room.unwrap_or(0).max(16));
            let (result, read) =
                self.inner.decode_to_string_without_replacement(&input[at..to], text, false);
            at += read;
            match result {
                DecoderResult::InputEmpty => return Ok(()),
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(length, after) => {
                    let end = at.saturating_sub(usize::from(after));
                    return Err((end.saturating_sub(usize::from(length)), end));
                }
            }
        }
    }

    fn note_shift(&mut self, consumed: &[u8]) {
        if !std::ptr::eq(self.table, encoding_rs::ISO_2022_JP) || consumed.is_empty() {
            return;
        }
        // Each escape is followed by a character, since two escapes in a row are an error.
        const SHIFTS: [(&[u8], &[u8]); 5] = [
            (b"\x1B(B", b"a"),
            (b"\x1B(J", b"a"),
            (b"\x1B(I", b"!"),
            (b"\x1B$@", b"0!"),
            (b"\x1B$B", b"0!"),
        ];
        let last = memchr::memrchr_iter(0x1B, consumed).find_map(|at| {
            Some((at, SHIFTS.iter().find(|(escape, _)| consumed[at..].starts_with(escape))?))
        });
        let is_followed = match last {
            Some((at, (escape, _))) => {
                self.shift = escape.to_vec();
                at + escape.len() < consumed.len()
            }
            None => true,
        };
        if let Some((_, character)) =
            SHIFTS.iter().find(|(escape, _)| is_followed && *escape == self.shift)
        {
            self.shift.extend_from_slice(character);
        }
    }
}

impl Decode for TableDecode {
    fn decode(&mut self, input: &[u8], text: &mut String) -> Decoded {
        if !input.starts_with(&self.seen) {
            // The unconsumed bytes were taken by other means.
            self.restart();
        }
        let seen = self.seen.len();
        let singly_from = input.len().saturating_sub(LONGEST_SILENCE).max(seen);
        let mut consumed = 0;
        let mut fed = self.feed(input, seen, singly_from, text);
        for at in singly_from..input.len() {
            if fed.is_err() {
                break;
            }
            let before = text.len();
            fed = self.feed(input, at, at + 1, text);
            if text.len() > before {
                consumed = at + 1;
            }
        }
        let undecodable = match fed {
            Ok(()) => 0,
            Err((start, end)) => {
                consumed = start;
                end - start
            }
        };
        self.note_shift(&input[..consumed]);
        if undecodable > 0 {
            // The escape after an error counts as a character.
            self.note_shift(b"a");
        }
        self.seen.clear();
        if undecodable > 0 {
            self.restart();
        } else {
            self.seen.extend_from_slice(&input[consumed..]);
        }
        Decoded { consumed, undecodable }
    }

    fn fork(&self) -> Box<dyn Decode> {
        Box::new(TableDecode::new(self.table, self.shift.clone()))
    }

    fn verbatim(&self) -> Verbatim {
        verbatim(self.table)
    }

    fn finish(&mut self, tail: &[u8], _: &mut String) -> Decoded {
        // A whole escape sequence at the end changes the state; it is no part of a character.
        let has_shifts = !self.table.is_ascii_compatible();
        let shift = if has_shifts && tail.starts_with(b"\x1B") && tail.len() >= 3 { 3 } else { 0 };
        self.note_shift(&tail[..shift]);
        let rest = &tail[shift..];
        // Only the ESC is undecodable; the bytes after it are text.
        let undecodable = if has_shifts && rest.starts_with(b"\x1B") { 1 } else { rest.len() };
        Decoded { consumed: shift, undecodable }
    }
}

struct TableEncode {
    table: &'static encoding_rs::Encoding,
    encoder: encoding_rs::Encoder,
}

impl Encode for TableEncode {
    fn encode(&mut self, text: &str, bytes: &mut Vec<u8>) -> Encoded {
        let mut from = 0;
        loop {
            let rest = &text[from..];
            let room = self.encoder.max_buffer_length_from_utf8_without_replacement(rest.len());
            bytes.reserve(room.unwrap_or(0).max(16));
            let (result, read) =
                self.encoder.encode_from_utf8_to_vec_without_replacement(rest, bytes, false);
            from += read;
            match result {
                EncoderResult::InputEmpty => return Encoded::All,
                EncoderResult::OutputFull => {}
                // The character reported may be another one (ISO-2022-JP).
                EncoderResult::Unmappable(reported) => {
                    let (at, character) =
                        text[..from].char_indices().next_back().unwrap_or((0, reported));
                    return Encoded::Unmappable { at, character };
                }
            }
        }
    }

    fn finish(&mut self, bytes: &mut Vec<u8>) {
        bytes.reserve(16);
        let _ = self.encoder.encode_from_utf8_to_vec_without_replacement("", bytes, true);
    }

    fn verbatim(&self) -> Verbatim {
        verbatim(self.table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(label: &str) -> Whatwg {
        Whatwg::for_label(label).expect("a label of the standard")
    }

    fn fed(label: &str, input: &[u8], step: usize) -> String {
        let mut decoder = table(label).decoder();
        let (mut text, mut from, mut to) = (String::new(), 0, 0);
        while to < input.len() {
            to = (to + step).min(input.len());
            loop {
                let decoded = decoder.decode(&input[from..to], &mut text);
                from += decoded.consumed;
                if decoded.undecodable == 0 {
                    break;
                }
                for byte in &input[from..from + decoded.undecodable] {
                    text += &format!("<{byte:02X}>");
                }
                from += decoded.undecodable;
            }
        }
        let tail = &input[from..];
        if !tail.is_empty() && decoder.finish(tail, &mut text).undecodable > 0 {
            text += "<end>";
        }
        text
    }

    #[test]
    fn cut_anywhere_each_encoding_says_the_same() {
        let rows: [(&str, &[u8], &str); 9] = [
            ("shift_jis", b"a\x93\xFA\x96{\x5C", "a日本\\"),
            ("shift_jis", b"a\x93\xFA\x96", "a日<end>"),
            ("gb18030", b"\x81\x30\x81\x30\x84\x31\xA4\x37x", "\u{80}\u{FFFD}x"),
            ("gb18030", b"\x81\x30\x81Ax", "<81>0丄x"),
            ("euc-jp", b"\x8F\xA2\xB7\xA4\xA2", "\u{FF5E}あ"),
            ("iso-2022-jp", b"a\x1B$B$\"$\"\x1B(Bb", "aああb"),
            ("iso-2022-jp", b"\x1B$B$\"\x1B(B", "あ"),
            ("windows-1253", b"\xE1\xD2b", "α<D2>b"),
            ("big5", b"\x88\x62\xA4\xA4", "\u{CA}\u{304}中"),
        ];
        for (label, input, expected) in rows {
            for step in 1..=input.len() {
                assert_eq!(fed(label, input, step), expected, "{label} {input:x?} by {step}");
            }
        }
    }

    #[test]
    fn a_fork_continues_in_the_same_shift_state() {
        let mut decoder = table("iso-2022-jp").decoder();
        let mut text = String::new();
        assert_eq!(decoder.decode(b"\x1B$B$\"", &mut text).consumed, 5);
        let mut fork = decoder.fork();
        assert_eq!(fork.decode(b"$\"\x1B(Bx", &mut text), Decoded { consumed: 6, undecodable: 0 });
        assert_eq!(text, "ああx");
    }

    #[test]
    fn the_end_of_a_stream_returns_to_the_initial_state() {
        let mut encoder = table("iso-2022-jp").encoder();
        let mut bytes = Vec::new();
        assert_eq!(encoder.encode("aあ", &mut bytes), Encoded::All);
        encoder.finish(&mut bytes);
        assert_eq!(bytes, b"a\x1B$B$\"\x1B(B");
        assert_eq!(encoder.encode("é", &mut bytes), Encoded::Unmappable { at: 0, character: 'é' });
    }
}
