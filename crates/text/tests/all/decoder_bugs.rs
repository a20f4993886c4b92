//! Fourteen bugs known from other decoders: the input, and the right output.

use riverhawk_text::decoder::{Decoder, SeparatorError, Separators, TextReader};
use riverhawk_text::encoding::{Ascii, DecodeErrorKind, Latin1, Policy, Utf8, Utf8Clean8};
use std::io::Read;

fn utf8(pieces: &[&[u8]]) -> Decoder {
    let mut decoder = Decoder::new(Utf8);
    pieces.iter().for_each(|piece| decoder.add_slice(piece));
    decoder
}

fn rest_of(decoder: &mut Decoder) -> Vec<String> {
    let mut lines = Vec::new();
    while let Some(line) = decoder.take_line_owned().expect("decodable") {
        lines.push(line);
    }
    lines
}

#[test]
fn bug_1_a_character_cut_by_the_end_is_an_error_and_the_text_before_it_is_not_lost() {
    let mut decoder = utf8(&[b"a\xC2"]);
    assert_eq!(decoder.take_line(), Ok(None));
    decoder.finish();
    let error = decoder.take_line().unwrap_err();
    assert_eq!(
        (error.kind, error.byte_offset, &error.bytes[..]),
        (DecodeErrorKind::Incomplete, 1, &b"\xC2"[..])
    );
    assert_eq!(
        error.to_string(),
        "utf-8: incomplete character at the end of the input, C2 at line 1, column 2 (byte 1, after 61)"
    );
    // The error is repeated.
    assert_eq!(decoder.take_line(), Err(error.clone()));
    assert_eq!(decoder.take_all(), Ok("a"));
    assert_eq!(decoder.take_all(), Err(error));
    assert!(!decoder.is_empty());
    assert_eq!(decoder.take_bytes(1), Some(&b"\xC2"[..]));
    assert!(decoder.is_empty());
    assert_eq!(decoder.take_all(), Ok(""));
}

#[test]
fn bug_2_an_invalid_byte_after_a_newline_leaves_the_line_before_it_alone() {
    for pieces in
        [&[&b"ok\n\xFF.."[..]][..], &[b"ok\n", b"\xFF.."], &[b"ok", b"\n\xFF"], &[b"ok\nabc\xFF"]]
    {
        let mut decoder = utf8(pieces);
        assert_eq!(decoder.take_line(), Ok(Some("ok")), "{pieces:x?}");
        let error = decoder.take_line().unwrap_err();
        assert_eq!((error.line, &error.bytes[..]), (2, &b"\xFF"[..]));
    }
}

#[test]
fn bug_3_a_take_after_one_at_the_end_of_input_does_not_glue_lines() {
    let mut decoder = utf8(&[b"a\nb\nc"]);
    decoder.finish();
    assert_eq!(decoder.take_line(), Ok(Some("a")));
    decoder.add_slice(b"d\ne");
    assert_eq!(decoder.take_line(), Ok(Some("b")));
    assert_eq!(decoder.take_line(), Ok(Some("cd")));
    assert_eq!(decoder.take_line(), Ok(None));
    decoder.finish();
    assert_eq!(decoder.take_line(), Ok(Some("e")));
    decoder.add_slice(b"f\ng\n");
    assert_eq!(rest_of(&mut decoder), ["f", "g"]);
}

#[test]
fn bug_4_new_separators_are_found_in_text_that_was_already_searched() {
    let mut decoder = utf8(&[b"a;b;c\nd;", b"e;f"]);
    assert_eq!(decoder.take_line(), Ok(Some("a;b;c")));
    assert_eq!(decoder.take_line(), Ok(None));
    decoder.set_separators(Separators::strings([";"]).unwrap());
    assert_eq!(decoder.take_line(), Ok(Some("d")));
    assert_eq!(decoder.take_line(), Ok(Some("e")));
    assert_eq!(decoder.take_line(), Ok(None));
    decoder.set_separators(Separators::lf());
    decoder.add_slice(b"\n");
    assert_eq!(decoder.take_line(), Ok(Some("f")));
}

#[test]
fn bug_5_crlf_alone_is_found_at_once_in_byte_encodings_too() {
    for mut decoder in [Decoder::new(Ascii), Decoder::new(Latin1), Decoder::new(Utf8)] {
        decoder.set_separators(Separators::strings(["\r\n"]).unwrap());
        decoder.add_slice(b"a\nb\r");
        assert_eq!(decoder.take_line(), Ok(None));
        decoder.add_slice(b"\nc");
        assert_eq!(decoder.take_line(), Ok(Some("a\nb")));
        assert_eq!(decoder.take_line(), Ok(None));
    }
}

#[test]
fn bug_6_with_crlf_folded_a_crlf_separator_still_matches() {
    for step in 1..10 {
        let mut decoder = Decoder::new(Utf8)
            .with_separators(Separators::strings(["\r\n"]).unwrap())
            .with_folded_crlf();
        b"one\r\ntwo\r\nr\rx\r".chunks(step).for_each(|piece| decoder.add_slice(piece));
        assert_eq!(decoder.take_line_with_separator(), Ok(Some("one\n")));
        decoder.set_separators(Separators::strings(["o\r\n"]).unwrap());
        assert_eq!(decoder.take_line(), Ok(Some("tw")));
        assert_eq!(decoder.take_line(), Ok(None));
        // The last CR may be the start of a CRLF.
        assert_eq!(decoder.take_available(), Ok("r\rx"));
        assert!(!decoder.is_empty());
        assert_eq!(decoder.bytes_available(), 1);
        assert_eq!(decoder.take_all(), Ok("\r"));
    }
}

#[test]
fn bug_7_at_the_end_nothing_pending_is_no_line_and_an_empty_line_is_one() {
    let mut decoder = utf8(&[]);
    decoder.finish();
    assert_eq!(decoder.take_line(), Ok(None));
    assert!(decoder.is_empty());
    let mut decoder = utf8(&[b"\n"]);
    decoder.finish();
    assert_eq!(decoder.take_line(), Ok(Some("")));
    assert_eq!(decoder.take_line(), Ok(None));
}

#[test]
fn bug_8_what_is_complete_is_available() {
    let mut decoder = utf8(&["e".as_bytes()]);
    assert_eq!(decoder.take_available(), Ok("e"));
    decoder.add_slice("\u{301}x\u{20AC}".as_bytes());
    assert_eq!(decoder.take_available(), Ok("\u{301}x\u{20AC}"));
    decoder.add_slice(b"y\xE2\x82");
    assert_eq!(decoder.take_available(), Ok("y"));
    assert_eq!(decoder.take_available(), Ok(""));
    decoder.add_slice(b"\xAC");
    assert_eq!(decoder.take_available(), Ok("\u{20AC}"));
}

#[test]
fn bug_9_clean_8_keeps_everything_in_any_number_of_chunks() {
    let input: Vec<u8> = (0..=255u8)
        .chain("é€😀\u{10FFFF}".bytes())
        .chain([0xE2, 0x82])
        .cycle()
        .take(20_000)
        .collect();
    for step in [1, 2, 3, 7, 600, 4096, 20_000] {
        let mut bytes = Decoder::bytes(Utf8Clean8);
        let mut text = Decoder::new(Utf8Clean8);
        let mut out = Vec::new();
        let mut encoded = Vec::new();
        let mut encoder = riverhawk_text::encoding::Encoder::new(Utf8Clean8);
        for piece in input.chunks(step) {
            bytes.add_slice(piece);
            out.extend_from_slice(bytes.take_available().unwrap());
            text.add_slice(piece);
            encoder.push_str(text.take_available().unwrap(), &mut encoded).unwrap();
        }
        out.extend_from_slice(bytes.take_all().unwrap());
        encoder.push_str(text.take_all().unwrap(), &mut encoded).unwrap();
        assert!(out == input && encoded == input, "{step}");
        assert!(bytes.is_empty() && text.is_empty());
    }
}

#[test]
fn bug_10_a_record_of_megabytes_is_searched_once() {
    let mut decoder = utf8(&[]);
    decoder.set_separators(Separators::strings([">"]).unwrap());
    let piece = vec![b'g'; 1000];
    for _ in 0..5000 {
        decoder.add_slice(&piece);
        assert_eq!(decoder.take_line(), Ok(None));
    }
    decoder.add_slice(b">");
    assert_eq!(decoder.take_line().unwrap().map(str::len), Some(5_000_000));
    let counters = decoder.counters();
    assert_eq!(counters.searched_bytes, 5_000_001);
    // Joined once, not once for each piece.
    assert!(counters.joined_bytes <= 5_000_001, "{counters:?}");
}

#[test]
fn bug_11_lines_and_the_whole_agree_on_cr() {
    let input = b"a\r\nb\rc\n\rd";
    for (fold, whole, lines) in [
        (false, "a\r\nb\rc\n\rd", ["a", "b\rc", "\rd"]),
        (true, "a\nb\rc\n\rd", ["a", "b\rc", "\rd"]),
    ] {
        let new = || if fold { Decoder::new(Utf8).with_folded_crlf() } else { Decoder::new(Utf8) };
        let mut all = new();
        all.add_slice(input);
        assert_eq!(all.take_all(), Ok(whole));
        let mut decoder = new();
        decoder.add_slice(input);
        decoder.finish();
        assert_eq!(rest_of(&mut decoder), lines);
    }
}

/// A source that fails the test if more than necessary is read.
struct Terminal<'a>(Vec<&'a [u8]>);

impl Read for Terminal<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        assert!(!self.0.is_empty(), "would wait");
        let piece = self.0.remove(0);
        buffer[..piece.len()].copy_from_slice(piece);
        Ok(piece.len())
    }
}

#[test]
fn bug_12_what_a_source_has_given_is_delivered_without_waiting_for_a_full_block() {
    let mut reader =
        TextReader::new(Decoder::new(Utf8), Terminal(vec![b"one\n", b"tw", b"o\nthree\nfo"]));
    for line in ["one", "two", "three"] {
        assert_eq!(reader.read_line().unwrap(), Some(line));
    }
    assert_eq!(reader.read_chars(2).unwrap(), Some("fo"));
}

#[test]
fn bug_13_paragraphs_are_first_class_and_an_empty_separator_is_a_clean_error() {
    assert_eq!(Separators::strings(["\n", ""]), Err(SeparatorError::Empty { index: 1 }));
    let input = b"\n\na\nb\n\n\n\nc\n\nd\n";
    for step in 1..=input.len() {
        let mut decoder = Decoder::new(Utf8).with_separators(Separators::paragraphs());
        let mut paragraphs = Vec::new();
        for piece in input.chunks(step) {
            decoder.add_slice(piece);
            paragraphs.append(&mut rest_of(&mut decoder));
        }
        decoder.finish();
        paragraphs.append(&mut rest_of(&mut decoder));
        assert_eq!(paragraphs, ["a\nb", "c", "d"], "{step}");
        assert!(decoder.is_empty());
    }
    let mut decoder = Decoder::new(Utf8).with_separators(Separators::paragraphs());
    decoder.add_slice(b"a\n\n");
    assert_eq!(decoder.take_line(), Ok(Some("a")));
    decoder.add_slice(b"\n\n\n");
    decoder.finish();
    assert_eq!(decoder.take_line(), Ok(None));
}

#[test]
fn bug_14_an_error_in_large_input_is_raised_and_decoding_goes_on() {
    let mut input = "long enough to be a block of its own é\n".repeat(2000).into_bytes();
    let bad_at = input.len() - 5;
    input[bad_at] = 0xFF;
    let mut decoder = utf8(&[&input]);
    let mut lines = 0;
    let error = loop {
        match decoder.take_line() {
            Ok(line) => lines += usize::from(line.is_some()),
            Err(error) => break error,
        }
    };
    assert_eq!((lines, error.byte_offset as usize, error.line), (1999, bad_at, 2000));
    decoder.set_policy(Policy::Replace);
    assert!(decoder.take_line().unwrap().is_some_and(|line| line.contains('\u{FFFD}')));
    let other = std::thread::spawn(|| {
        let mut decoder = utf8(&[b"x\n"]);
        decoder.take_line_owned().unwrap()
    });
    assert_eq!(other.join().unwrap().as_deref(), Some("x"));
}

#[test]
fn a_line_that_is_handed_over_begins_where_the_line_does() {
    // It does not include the text taken before.
    let mut decoder = Decoder::new(Utf8);
    decoder.add(b"taken rest of the line\n".to_vec());
    assert_eq!(decoder.take_chars(6), Ok(Some("taken ")));
    assert_eq!(decoder.take_line_owned().unwrap().as_deref(), Some("rest of the line"));
    decoder.add(b"a".to_vec());
    decoder.add(b"bcd".to_vec());
    assert_eq!(decoder.take_chars(2), Ok(Some("ab")));
    decoder.finish();
    assert_eq!(decoder.take_all_owned().unwrap(), "cd");
}

#[test]
fn what_is_gathered_from_chunks_has_its_own_length() {
    for cut in 1..12 {
        let mut decoder = Decoder::new(Utf8);
        b"one two three\nfour\n".chunks(cut).for_each(|piece| decoder.add(piece.to_vec()));
        assert_eq!(decoder.take_chars(5), Ok(Some("one t")), "{cut}");
        assert_eq!(decoder.take_line(), Ok(Some("wo three")), "{cut}");
        assert_eq!(decoder.take_line_owned().unwrap().as_deref(), Some("four"), "{cut}");
        assert!(decoder.is_empty());
    }
}

#[test]
fn leaving_the_fast_path_divides_no_character() {
    // No half code points.
    let line = format!("{}é e\u{301} 日🦅{}", "a".repeat(40), "b".repeat(40));
    let text = format!("{line}\n").repeat(300);
    for encoding in [
        riverhawk_text::encoding::Encodings::new().get("utf-8"),
        riverhawk_text::encoding::Encodings::new().get("utf-16le"),
    ] {
        let encoding = encoding.expect("built in");
        let mut bytes = Vec::new();
        riverhawk_text::encoding::Encoder::new(encoding.clone())
            .push_str(&text, &mut bytes)
            .unwrap();
        for cut in [1, 7, 64, 4099, 65_536] {
            let mut decoder: Decoder = Decoder::new(encoding.clone());
            bytes.chunks(cut).for_each(|piece| decoder.add_slice(piece));
            decoder.finish();
            for _ in 0..300 {
                assert_eq!(decoder.take_line(), Ok(Some(&*line)), "by {cut}");
            }
            assert_eq!(decoder.take_line(), Ok(None));
        }
    }
}

#[test]
fn a_whole_character_is_given_without_waiting_for_four_bytes() {
    let mut decoder = Decoder::new(Utf8);
    for character in ["a", "é", "日", "🦅"] {
        decoder.add_slice(character.as_bytes());
        assert_eq!(decoder.take_chars(1), Ok(Some(character)));
        assert!(decoder.is_empty());
    }
}
