//! Text in an encoding, read, written and edited.

use crate::scratch::{Scratch, both_spews};
use riverhawk_slurp::{ErrorKind, Slurp, Spew, Step, TextForm, read_text};
use riverhawk_text::encoding::{
    Ascii, Encoding, Encodings, Latin1, Policy, Utf8, Utf8Clean8, Utf16, Utf16Be, Utf16Le,
};
use std::sync::Arc;

const TEXT: &str = "Grüße\nnaïve\n";

fn encodings() -> Vec<Arc<dyn Encoding>> {
    vec![
        Arc::new(Utf8),
        Arc::new(Latin1),
        Arc::new(Utf16),
        Arc::new(Utf16Le),
        Arc::new(Utf16Be),
        Arc::new(Utf8Clean8),
    ]
}

#[test]
fn every_function_honours_the_encoding() {
    let scratch = Scratch::new();
    for encoding in encodings() {
        for (name, spew) in both_spews() {
            let context = format!("{}, {name}", encoding.name());
            let path = scratch.join(encoding.name());
            let form = TextForm::new(Arc::clone(&encoding));
            let spew = spew.form(form.clone());
            let read = || Slurp::new().form(form.clone()).read_string(&path).unwrap();
            spew.write(&path, TEXT).unwrap();
            assert_eq!(read(), TEXT, "{context}");
            let plain = std::fs::read(&path).unwrap();
            assert_eq!(plain == TEXT.as_bytes(), encoding.name().starts_with("utf-8"), "{context}");
            spew.append(&path, "é\n").unwrap();
            assert_eq!(read(), format!("{TEXT}é\n"), "{context}");
            spew.prepend(&path, "à\n").unwrap();
            spew.edit(&path, |text| text.extend_from_slice("ö\n".as_bytes())).unwrap();
            spew.clone().chomp().edit_lines(&path, |line| line.extend("!".bytes())).unwrap();
            assert_eq!(read(), "à!\nGrüße!\nnaïve!\né!\nö!\n", "{context}");
            spew.write_with(&path, |out| "fü".chars().try_for_each(|c| write!(out, "{c}")))
                .unwrap();
            assert_eq!(read(), "fü", "{context}");
            spew.append(&path, "").unwrap();
            spew.write(&path, "").unwrap();
            assert_eq!(read(), "", "{context}");
            std::fs::remove_file(&path).unwrap();
            spew.append(&path, TEXT).unwrap();
            assert_eq!(
                std::fs::read(&path).unwrap(),
                plain,
                "{context}: appending to nothing is writing"
            );
            std::fs::remove_file(&path).unwrap();
        }
    }
}

#[test]
fn byte_order_and_mark_of_a_file_survive_every_change() {
    let scratch = Scratch::new();
    let utf_16 = |text: &str, mark: bool, big: bool| -> Vec<u8> {
        let text = format!("{}{text}", if mark { "\u{FEFF}" } else { "" });
        text.encode_utf16()
            .flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() })
            .collect()
    };
    for (big, mark) in [(false, true), (false, false), (true, true)] {
        for (name, spew) in both_spews() {
            let path = scratch.file("file", utf_16("b\n", mark, big));
            let spew = spew.form(TextForm::new(Utf16));
            spew.append(&path, "c\n").unwrap();
            spew.prepend(&path, "a\n").unwrap();
            spew.edit_lines(&path, |line| line.insert(0, b'-')).unwrap();
            let expected = utf_16("-a\n-b\n-c\n", mark, big);
            assert_eq!(std::fs::read(&path).unwrap(), expected, "big {big}, mark {mark}, {name}");
        }
    }
    for bom in ["", "\u{FEFF}"] {
        let path = scratch.file("file", format!("{bom}b\n"));
        let spew = Spew::new().form(TextForm::new(Utf8));
        spew.append(&path, "c\n").unwrap();
        spew.prepend(&path, "a\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{bom}a\nb\nc\n"));
        assert_eq!(read_text(&path, Utf8, Policy::Strict).unwrap(), "a\nb\nc\n");
    }
}

#[test]
fn what_cannot_be_decoded_or_encoded_follows_the_policy_and_strictly_changes_nothing() {
    let scratch = Scratch::new();
    let path = scratch.file("file", b"a\xFFb\n");
    let error = read_text(&path, Utf8, Policy::Strict).unwrap_err();
    assert_eq!((error.kind(), error.step()), (ErrorKind::Undecodable, Step::Decode));
    assert!(error.to_string().contains("line 1, column 2"), "{error}");
    assert_eq!(read_text(&path, Utf8, Policy::Replace).unwrap(), "a\u{FFFD}b\n");
    assert_eq!(read_text(&path, Latin1, Policy::Strict).unwrap(), "aÿb\n");
    let mut buffer = b"left over".to_vec();
    assert!(Slurp::new().form(TextForm::new(Utf8)).read_into(&path, &mut buffer).is_err());
    assert!(buffer.is_empty());

    for (_, spew) in both_spews() {
        let spew = spew.form(TextForm::new(Ascii));
        for error in [
            spew.write(&path, "é").unwrap_err(),
            spew.append(scratch.join("new"), "é").unwrap_err(),
            spew.write_with(&path, |out| out.write_all("é".as_bytes())).unwrap_err(),
        ] {
            assert_eq!((error.kind(), error.step()), (ErrorKind::Unencodable, Step::Encode));
        }
        assert_eq!(spew.edit(&path, |_| ()).unwrap_err().kind(), ErrorKind::Undecodable);
        assert_eq!(std::fs::read(&path).unwrap(), b"a\xFFb\n");
        assert_eq!(scratch.names(), ["file"]);
    }
    // Unedited text stays.
    let replacing = Spew::new().form(TextForm::new(Utf8).policy(Policy::Replace));
    assert!(!replacing.edit(&path, |_| ()).unwrap());
    assert_eq!(std::fs::read(&path).unwrap(), b"a\xFFb\n");
    let clean = Spew::new().form(TextForm::new(Utf8Clean8));
    clean.edit_lines(&path, |line| line.insert(0, b'>')).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b">a\xFFb\n");
}

#[test]
fn crlf_is_lf_in_memory_and_crlf_in_the_file_again() {
    let scratch = Scratch::new();
    let path = scratch.file("file", "a\r\nb\rc\r\n");
    let form = TextForm::binary().crlf();
    assert_eq!(Slurp::new().form(form.clone()).read(&path).unwrap(), b"a\nb\rc\n");
    assert_eq!(Slurp::new().read(&path).unwrap(), b"a\r\nb\rc\r\n");
    let spew = Spew::new().form(form);
    spew.append(&path, "d\n").unwrap();
    spew.prepend(&path, "0\n").unwrap();
    spew.edit_lines(&path, |line| {
        if line == b"a\n" {
            line.extend(b"a2\r\n")
        }
    })
    .unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"0\r\na\r\na2\r\nb\rc\r\nd\r\n");
    let utf_16 = TextForm::new(Utf16Le).crlf();
    Spew::new().form(utf_16.clone()).write(&path, "x\n").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"x\0\r\0\n\0");
    assert_eq!(Slurp::new().form(utf_16).read(&path).unwrap(), b"x\n");
}

#[test]
fn encodings_are_taken_by_name_from_the_registry() {
    let scratch = Scratch::new();
    let path = scratch.file("file", b"\xCC\xE8\xF0");
    let cyrillic = Encodings::new().get("windows-1251").unwrap();
    assert_eq!(read_text(&path, cyrillic, Policy::Strict).unwrap(), "Мир");
}

#[test]
fn a_binary_file_read_as_a_string_must_be_utf_8() {
    let scratch = Scratch::new();
    let path = scratch.file("file", b"ok");
    assert_eq!(Slurp::new().read_string(&path).unwrap(), "ok");
    std::fs::write(&path, b"\xFF").unwrap();
    assert_eq!(Slurp::new().read_string(&path).unwrap_err().kind(), ErrorKind::Undecodable);
}
