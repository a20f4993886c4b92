//! A user's encodings through every operation: a code page, and a stateful one with two bytes per
//! character.

use riverhawk_text::decoder::{Decoder, Separators, TextReader};
use riverhawk_text::encoding::{
    Decode, Decoded, Encode, EncodeError, Encoded, Encoding, Encodings, Policy, Verbatim,
};

/// ASCII, and four letters from 0x80 on.
#[derive(Clone)]
struct CodePage;

const LETTERS: [char; 4] = ['α', 'ß', '€', '😀'];

impl Encoding for CodePage {
    fn name(&self) -> &str {
        "x-four"
    }
    fn aliases(&self) -> &[&str] {
        &["four"]
    }
    fn decoder(&self) -> Box<dyn Decode> {
        Box::new(CodePage)
    }
    fn encoder(&self) -> Box<dyn Encode> {
        Box::new(CodePage)
    }
}

impl Decode for CodePage {
    fn decode(&mut self, input: &[u8], text: &mut String) -> Decoded {
        for (consumed, byte) in input.iter().enumerate() {
            match byte {
                0..=0x7F => text.push(char::from(*byte)),
                0x80..=0x83 => text.push(LETTERS[usize::from(byte - 0x80)]),
                _ => return Decoded { consumed, undecodable: 1 },
            }
        }
        Decoded { consumed: input.len(), undecodable: 0 }
    }
    fn fork(&self) -> Box<dyn Decode> {
        Box::new(CodePage)
    }
    fn verbatim(&self) -> Verbatim {
        Verbatim::Ascii
    }
}

impl Encode for CodePage {
    fn encode(&mut self, text: &str, bytes: &mut Vec<u8>) -> Encoded {
        for (at, character) in text.char_indices() {
            match LETTERS.iter().position(|letter| *letter == character) {
                Some(index) => bytes.push(0x80 + index as u8),
                None if character.is_ascii() => bytes.push(character as u8),
                None => return Encoded::Unmappable { at, character },
            }
        }
        Encoded::All
    }
}

/// Two hexadecimal digits per byte; `<` and `>` turn upper case on and off.
#[derive(Clone)]
struct ShiftedHex {
    upper: bool,
}

impl Encoding for ShiftedHex {
    fn name(&self) -> &str {
        "x-shifted-hex"
    }
    fn bom(&self) -> &[u8] {
        b"hex:"
    }
    fn replacement(&self) -> &str {
        "#"
    }
    fn decoder(&self) -> Box<dyn Decode> {
        Box::new(self.clone())
    }
    fn encoder(&self) -> Box<dyn Encode> {
        Box::new(self.clone())
    }
}

impl Decode for ShiftedHex {
    fn decode(&mut self, input: &[u8], text: &mut String) -> Decoded {
        let mut consumed = 0;
        loop {
            match &input[consumed..] {
                [b'<' | b'>', ..] => {
                    self.upper = input[consumed] == b'<';
                    consumed += 1;
                }
                [high, low, ..] => {
                    let digit = |byte: &u8| char::from(*byte).to_digit(16);
                    let Some((high, low)) =
                        digit(high).zip(digit(low)).filter(|(high, _)| *high < 8)
                    else {
                        return Decoded { consumed, undecodable: 1 };
                    };
                    let character = char::from((high * 16 + low) as u8);
                    text.push(if self.upper { character.to_ascii_uppercase() } else { character });
                    consumed += 2;
                }
                _ => return Decoded { consumed, undecodable: 0 },
            }
        }
    }
    fn fork(&self) -> Box<dyn Decode> {
        Box::new(self.clone())
    }
}

impl Encode for ShiftedHex {
    fn encode(&mut self, text: &str, bytes: &mut Vec<u8>) -> Encoded {
        for (at, character) in text.char_indices() {
            if !character.is_ascii() {
                return Encoded::Unmappable { at, character };
            }
            if character.is_ascii_uppercase() != self.upper {
                self.upper = !self.upper;
                bytes.push(if self.upper { b'<' } else { b'>' });
            }
            bytes.extend_from_slice(
                format!("{:02x}", character.to_ascii_lowercase() as u8).as_bytes(),
            );
        }
        Encoded::All
    }
    fn finish(&mut self, bytes: &mut Vec<u8>) {
        if std::mem::take(&mut self.upper) {
            bytes.push(b'>');
        }
    }
}

fn registered() -> Encodings {
    let mut encodings = Encodings::new();
    encodings.add(CodePage).expect("free");
    encodings.add(ShiftedHex { upper: false }).expect("free");
    encodings
}

#[test]
fn a_code_page_goes_through_every_operation() {
    let four = registered().get("FOUR").expect("just added");
    let input = b"a\x80\nplain ascii line\r\n\x81\x82;\x83\n\x80end";
    for step in 1..=input.len() {
        let mut decoder = Decoder::new(four.clone());
        for piece in input.chunks(step) {
            if step % 2 == 0 { decoder.add(piece.to_vec()) } else { decoder.add_slice(piece) }
        }
        assert_eq!(decoder.take_chars(1), Ok(Some("a")));
        assert_eq!(decoder.bytes_available(), input.len() - 1);
        assert_eq!(decoder.take_line_with_separator(), Ok(Some("α\n")));
        assert_eq!(decoder.byte_offset(), 3);
        assert_eq!(decoder.take_line(), Ok(Some("plain ascii line")));
        decoder.set_separators(Separators::strings(["€;", ";"]).expect("two"));
        assert_eq!(decoder.take_line(), Ok(Some("ß")));
        assert_eq!(decoder.take_bytes(2), Some(&b"\x83\n"[..]));
        assert_eq!(decoder.take_available(), Ok("αend"));
        assert!(decoder.is_empty());
        decoder.add_slice(b"x\xF0y");
        decoder.finish();
        assert_eq!(decoder.take_line().unwrap_err().byte_offset, input.len() as u64 + 1);
        decoder.set_policy(Policy::Replace);
        assert_eq!(decoder.take_all(), Ok("x?y"));
    }
    let mut reader = TextReader::new(Decoder::new(four), &input[..]);
    let mut count = 0;
    assert!(
        reader
            .for_each_line(|_| {
                count += 1;
                true
            })
            .expect("decodable")
    );
    assert_eq!(count, 5 - 1);
}

#[test]
fn a_stateful_encoding_keeps_its_state_across_cuts_takes_and_returns() {
    let encoding = registered().get("x-Shifted-Hex").expect("just added");
    let mut bytes = Vec::new();
    let mut encoder = riverhawk_text::encoding::Encoder::new(encoding.clone()).with_bom();
    encoder.push_str("Hello\nWO", &mut bytes).expect("ascii");
    encoder.push(b"rld", &mut bytes).expect("ascii");
    encoder.finish(&mut bytes).expect("whole");
    assert_eq!(bytes, b"hex:<68>656c6c6f0a<776f>726c64");
    for step in 1..=bytes.len() {
        let mut decoder = Decoder::new(encoding.clone());
        let mut direct = Decoder::bytes(encoding.clone());
        let mut utf8 = Vec::new();
        for piece in bytes.chunks(step) {
            decoder.add_slice(piece);
            direct.add_slice(piece);
            direct.take_available_into(&mut utf8).expect("decodable");
        }
        direct.finish();
        direct.take_available_into(&mut utf8).expect("whole");
        assert_eq!(utf8, b"Hello\nWOrld", "{step}");
        assert_eq!(decoder.take_line(), Ok(Some("Hello")));
        assert_eq!(decoder.take_chars(1), Ok(Some("W")));
        assert_eq!(decoder.take_bytes(2), Some(&b"6f"[..]), "{step}");
        assert_eq!(decoder.take_all(), Ok("rld"));
    }
}

#[test]
fn an_unmappable_character_is_named_with_its_place_or_replaced() {
    let encoding = registered().get("four").expect("just added");
    let mut bytes = Vec::new();
    let mut strict = riverhawk_text::encoding::Encoder::new(encoding.clone());
    strict.push_str("ab", &mut bytes).expect("ascii");
    assert_eq!(
        strict.push("α日".as_bytes(), &mut bytes),
        Err(EncodeError::Unmappable {
            encoding: "x-four".into(), character: '日', byte_offset: 4
        })
    );
    assert_eq!(bytes, b"ab\x80");
    let mut replacing = riverhawk_text::encoding::Encoder::new(encoding)
        .with_policy(Policy::ReplaceWith("€!".into()));
    bytes.clear();
    replacing.push_str("é日a", &mut bytes).expect("replaced");
    assert_eq!(bytes, b"\x82!\x82!a");
}

/// A decoder that breaks every rule.
struct Liar;

impl Decode for Liar {
    fn decode(&mut self, _: &[u8], text: &mut String) -> Decoded {
        text.push('!');
        Decoded { consumed: usize::MAX, undecodable: usize::MAX }
    }
    fn fork(&self) -> Box<dyn Decode> {
        Box::new(Liar)
    }
}

impl Encoding for Liar {
    fn name(&self) -> &str {
        "liar"
    }
    fn decoder(&self) -> Box<dyn Decode> {
        Box::new(Liar)
    }
    fn encoder(&self) -> Box<dyn Encode> {
        Box::new(CodePage)
    }
}

#[test]
fn a_decoder_that_breaks_its_contract_causes_no_panic_and_no_endless_loop() {
    let mut decoder = Decoder::new(Liar);
    decoder.add_slice(b"abc");
    assert_eq!(decoder.take_available(), Ok("!"));
    assert!(decoder.is_empty());
}
