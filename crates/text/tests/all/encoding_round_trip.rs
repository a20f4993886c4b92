//! Text through an encoder and back through a decoder, with any cuts; the same with bytes that are
//! not text.

use proptest::prelude::*;
use riverhawk_text::decoder::Decoder;
use riverhawk_text::encoding::{
    DecodeErrorKind, EncodeError, Encoder, Encodings, Policy, Utf8, Utf8Clean8, Utf16, Utf16Le,
    Whatwg,
};

fn pieces<'a>(bytes: &'a [u8], cuts: &[prop::sample::Index]) -> Vec<&'a [u8]> {
    let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    at.sort_unstable();
    let mut from = 0;
    let mut pieces: Vec<&[u8]> = Vec::new();
    for to in at.into_iter().chain([bytes.len()]) {
        pieces.push(&bytes[from..to]);
        from = to;
    }
    pieces
}

fn decoded(mut decoder: Decoder<Vec<u8>>, pieces: &[&[u8]]) -> Vec<u8> {
    let mut out = Vec::new();
    for piece in pieces {
        decoder.add_slice(piece);
        decoder.take_available_into(&mut out).expect("decodable");
    }
    decoder.finish();
    decoder.take_available_into(&mut out).expect("whole");
    out
}

proptest! {
    #[test]
    fn clean_8_restores_random_bytes_exactly_as_bytes_and_as_text(
        bytes in proptest::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(b"\xF4\x8F\xBE\xBF\xE2\x82\xAC\n\xEF\xBB\xBF".to_vec())], 0..300),
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        prop_assert_eq!(decoded(Decoder::bytes(Utf8Clean8), &pieces(&bytes, &cuts)), bytes.clone());
        let mut decoder = Decoder::new(Utf8Clean8);
        let mut encoder = Encoder::new(Utf8Clean8);
        let mut restored = Vec::new();
        for piece in pieces(&bytes, &cuts) {
            decoder.add_slice(piece);
            while let Some(line) = decoder.take_line_with_separator().expect("nothing is undecodable") {
                encoder.push_str(line, &mut restored).expect("nothing is unmappable");
            }
        }
        encoder.push_str(decoder.take_all().expect("nothing is undecodable"), &mut restored).expect("as before");
        prop_assert_eq!(restored, bytes);
    }

    #[test]
    fn what_an_encoding_can_say_comes_back_in_every_encoding(
        text in "[a-e\\n\\r é€日яαñ😀\u{10FFE9}~\\\\]{0,120}",
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        for encoding in Encodings::new().iter() {
            // First the text, limited to what the encoding has; then the round trip.
            let mut bytes = Vec::new();
            let mut encoder = Encoder::new(encoding.clone()).with_policy(Policy::Replace);
            for piece in pieces(text.as_bytes(), &cuts) {
                encoder.push(piece, &mut bytes).expect("replaced");
            }
            encoder.finish(&mut bytes).expect("whole");
            let once = decoded(Decoder::bytes(encoding.clone()), &pieces(&bytes, &cuts));
            let mut again = Vec::new();
            let mut encoder = Encoder::new(encoding.clone());
            encoder.push(&once, &mut again).expect("it came from there");
            encoder.finish(&mut again).expect("whole");
            prop_assert_eq!(&decoded(Decoder::bytes(encoding.clone()), &[&again]), &once, "{}", encoding.name());
            if encoding.name().to_ascii_lowercase().starts_with("utf-") || encoding.name() == "gb18030" {
                prop_assert_eq!(&once, text.as_bytes(), "{}", encoding.name());
            }
        }
    }

    #[test]
    fn a_decoder_replaces_as_the_standard_library_does(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        let decoder = Decoder::bytes(Utf8).with_policy(Policy::Replace).with_bom_kept();
        let expected = String::from_utf8_lossy(&bytes).into_owned().into_bytes();
        prop_assert_eq!(decoded(decoder, &pieces(&bytes, &cuts)), expected);
    }

    #[test]
    fn a_decoder_and_encoding_rs_agree_on_noise(
        bytes in proptest::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(b"\x1B\x1B$$((BJI@!0".to_vec())], 0..200),
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        for label in ["shift_jis", "euc-jp", "gb18030", "big5", "euc-kr", "iso-2022-jp", "windows-1257", "utf-16le", "utf-16be"] {
            let table = encoding_rs::Encoding::for_label(label.as_bytes()).expect("known");
            let (expected, _) = table.decode_without_bom_handling(&bytes);
            let encoding = Encodings::new().get(label).expect("built in");
            let decoder = Decoder::bytes(encoding).with_policy(Policy::ReplaceWith("\u{FFFD}".into())).with_bom_kept();
            let got = decoded(decoder, &pieces(&bytes, &cuts));
            prop_assert_eq!(String::from_utf8(got).expect("utf-8"), expected, "{}", label);
        }
    }

    #[test]
    fn text_taken_in_pieces_and_text_decoded_in_place_are_the_same_text(
        text in "[ab\\r\\né日]{0,80}",
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..8),
        fold: bool,
    ) {
        for encoding in Encodings::new().iter() {
            let mut bytes = Vec::new();
            let mut encoder = Encoder::new(encoding.clone()).with_policy(Policy::Replace);
            encoder.push(text.as_bytes(), &mut bytes).expect("replaced");
            encoder.finish(&mut bytes).expect("whole");
            let new = || {
                let decoder = Decoder::bytes(encoding.clone());
                if fold { decoder.with_folded_crlf() } else { decoder }
            };
            let expected = decoded(new(), &[&bytes]);
            let (mut decoder, mut out) = (new(), Vec::new());
            for (index, piece) in pieces(&bytes, &cuts).into_iter().enumerate() {
                decoder.add_slice(piece);
                match index % 3 {
                    0 => out.extend_from_slice(decoder.take_available().expect("decodable")),
                    1 => out.extend_from_slice(
                        decoder.take_chars(1).expect("decodable").unwrap_or_default(),
                    ),
                    _ => decoder.take_available_into(&mut out).expect("decodable"),
                }
            }
            decoder.finish();
            decoder.take_available_into(&mut out).expect("whole");
            prop_assert_eq!(&out, &expected, "{}", encoding.name());
        }
    }

    #[test]
    fn folding_is_replacing_crlf_whatever_the_cuts(
        text in "[ab\\r\\né]{0,80}", cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..8), clean: bool,
    ) {
        let decoder = if clean { Decoder::bytes(Utf8Clean8) } else { Decoder::bytes(Utf8) };
        let got = decoded(decoder.with_folded_crlf(), &pieces(text.as_bytes(), &cuts));
        prop_assert_eq!(String::from_utf8(got).expect("utf-8"), text.replace("\r\n", "\n"));
    }
}

#[test]
fn half_an_escape_sequence_at_the_end_loses_none_of_its_bytes() {
    let table = encoding_rs::ISO_2022_JP;
    // In ASCII, in katakana, and where a character has two bytes.
    for shift in [&b"a"[..], b"\x1B(Ia", b"\x1B$B$\""] {
        for half in [&b"\x1B"[..], b"\x1B(", b"\x1B$", b"\x1B$("] {
            let bytes = [shift, half].concat();
            let (expected, _) = table.decode_without_bom_handling(&bytes);
            for at in 0..=bytes.len() {
                let encoding = Encodings::new().get("iso-2022-jp").expect("built in");
                let policy = Policy::ReplaceWith("\u{FFFD}".into());
                let got = decoded(
                    Decoder::bytes(encoding.clone()).with_policy(policy.clone()),
                    &[&bytes[..at], &bytes[at..]],
                );
                assert_eq!(String::from_utf8_lossy(&got), expected, "{bytes:x?} cut at {at}");
                let mut decoder = Decoder::new(encoding).with_policy(policy);
                decoder.add_slice(&bytes[..at]);
                decoder.add_slice(&bytes[at..]);
                decoder.finish();
                assert_eq!(
                    decoder.take_all().expect("replaced"),
                    expected,
                    "{bytes:x?} cut at {at}"
                );
            }
        }
    }
}

#[test]
fn the_byte_order_mark_is_written_once_even_for_empty_text() {
    let rows: [(Encoder, &[u8]); 4] = [
        (Encoder::new(Utf8).with_bom(), b"\xEF\xBB\xBFab"),
        (Encoder::new(Utf8), b"ab"),
        (Encoder::new(Utf16Le).with_bom(), b"\xFF\xFEa\0b\0"),
        (Encoder::new(Utf16), b"\xFF\xFEa\0b\0"),
    ];
    for (mut encoder, expected) in rows {
        let mut out = Vec::new();
        encoder.push(b"a", &mut out).unwrap();
        encoder.push_str("b", &mut out).unwrap();
        encoder.finish(&mut out).unwrap();
        assert_eq!(out, expected);
    }
    let mut out = Vec::new();
    Encoder::new(Utf16).finish(&mut out).unwrap();
    assert_eq!(out, b"\xFF\xFE");
}

#[test]
fn errors_of_a_decoder_have_a_place_in_the_whole_stream() {
    let mut decoder = Decoder::bytes(Whatwg::for_label("shift_jis").unwrap());
    let mut out = Vec::new();
    decoder.add_slice(b"a\n\x93");
    decoder.take_available_into(&mut out).unwrap();
    decoder.add_slice(b"\xFA!\x93\xFF");
    let error = decoder.take_available_into(&mut out).unwrap_err();
    assert_eq!(out, "a\n日!".as_bytes());
    assert_eq!(
        (error.line, error.column, error.byte_offset, error.kind),
        (2, 3, 5, DecodeErrorKind::Undecodable)
    );
    let mut decoder = Decoder::bytes(Utf8);
    decoder.add_slice(b"a\xE2\x82");
    decoder.take_available_into(&mut out).unwrap();
    decoder.finish();
    let error = decoder.take_available_into(&mut out).unwrap_err();
    assert_eq!(
        (error.kind, error.byte_offset, &error.bytes[..]),
        (DecodeErrorKind::Incomplete, 1, &b"\xE2\x82"[..])
    );
}

#[test]
fn an_encoder_names_bytes_that_are_not_utf_8_or_replaces_them() {
    let mut out = Vec::new();
    let mut strict = Encoder::new(Utf16Le);
    strict.push(b"ab\xE2", &mut out).unwrap();
    assert_eq!(
        strict.push(b"x", &mut out),
        Err(EncodeError::NotUtf8 { byte_offset: 2, bytes: vec![0xE2] })
    );
    out.clear();
    let mut replacing = Encoder::new(riverhawk_text::encoding::Latin1).with_policy(Policy::Replace);
    replacing.push(b"\xC3", &mut out).unwrap();
    replacing.push(b"\xA9\xFF\xE2\x82", &mut out).unwrap();
    replacing.finish(&mut out).unwrap();
    assert_eq!(out, b"\xE9??");
}
