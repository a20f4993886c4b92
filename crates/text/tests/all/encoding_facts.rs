//! Names and properties of encodings and texts, and messages of errors.

use riverhawk_text::encoding::{
    Ascii, Encoder, Encoding, Latin1, NameError, Policy, Text, Utf8, Utf8Clean8, Utf16Le, Verbatim,
    Whatwg,
};
use riverhawk_text::{Unit, chars, graphemes};

#[test]
fn a_text_of_bytes_gives_its_bytes_back_and_knows_where_a_character_is_cut() {
    assert_eq!(Text::into_bytes(b"ab\xC3".to_vec()), b"ab\xC3");
    for (bytes, cut) in [(&b"ab"[..], 0), (b"ab\xC3", 1), (b"ab\xE2\x82", 2), ("é".as_bytes(), 0)]
    {
        for (kind, want) in [
            (Verbatim::Utf8, cut),
            (Verbatim::Bytes, cut),
            (Verbatim::Ascii, 0),
            (Verbatim::Nothing, 0),
        ] {
            assert_eq!(<Vec<u8> as Text>::tail(kind, bytes), want, "{bytes:x?} {kind:?}");
        }
    }
}

#[test]
fn pieces_say_how_many_there_may_be() {
    for text in ["", "abc", "é日\r\n", "👨‍👩‍👧é"] {
        for unit in [Unit::Byte, Unit::CodePoint, Unit::Grapheme] {
            let (least, most) = chars(text.as_bytes(), unit).size_hint();
            let count = chars(text.as_bytes(), unit).count();
            assert!(least <= count && most.is_some_and(|most| count <= most), "{text} {unit:?}");
            assert_eq!(least == 0, text.is_empty(), "{text} {unit:?}");
        }
        let (least, most) = graphemes(text.as_bytes()).size_hint();
        assert_eq!((least, most), (usize::from(!text.is_empty()), Some(text.len())));
    }
}

#[test]
fn a_name_that_is_taken_or_empty_is_said() {
    let taken = NameError::Taken { name: "latin1".into(), by: "iso-8859-1".into() };
    assert_eq!(taken.to_string(), r#"encoding name "latin1" is taken by "iso-8859-1""#);
    assert_eq!(
        NameError::Empty { encoding: "mine".into() }.to_string(),
        r#"encoding "mine" has an empty name"#
    );
}

#[test]
fn what_an_encoding_lacks_is_its_number_or_the_replacement() {
    let encoded = |encoding: &dyn Fn() -> Encoder| {
        let mut out = Vec::new();
        encoding().push_str("aé€", &mut out).unwrap();
        out
    };
    assert_eq!(encoded(&|| Encoder::new(Ascii).with_policy(Policy::Permissive)), b"a\xE9?");
    assert_eq!(encoded(&|| Encoder::new(Latin1).with_policy(Policy::Permissive)), b"a\xE9?");
    assert_eq!(encoded(&|| Encoder::new(Ascii).with_policy(Policy::Replace)), b"a??");
    assert_eq!(Utf8Clean8.replacement(), "\u{FFFD}");
}

#[test]
fn decoders_that_cannot_fail_say_so() {
    for (label, want) in [("iso-8859-2", true), ("koi8-r", true), ("iso-8859-7", false)] {
        let encoding = Whatwg::for_label(label).unwrap();
        assert_eq!(encoding.decoder().is_total(), want, "{label}");
    }
    assert!(!Utf8.decoder().is_total());
}

#[test]
fn utf_16_becomes_bytes_without_a_string_between() {
    let mut out = Vec::new();
    assert!(Utf16Le.decoder().decode_bytes(b"a\0\xE9\0", &mut out).is_some());
    assert_eq!(out, "aé".as_bytes());
}

#[test]
fn a_long_text_becomes_utf_16_block_by_block() {
    for unit in ["a", "é", "😀", "a日"] {
        let text = unit.repeat(10_000);
        let mut out = Vec::new();
        Encoder::new(Utf16Le).push_str(&text, &mut out).unwrap();
        let want: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(out == want, "{unit}");
    }
}
