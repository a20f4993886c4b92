//! Strings that known implementations got wrong.

use riverhawk_text::{
    NormalForm, Unit, concat_normalized, grapheme_count, graphemes, index, length, normalize,
    str_graphemes, to_lower,
};

/// Code points after normalisation.
fn code_points(text: &str, form: NormalForm) -> usize {
    length(&normalize(text.as_bytes(), form), Unit::CodePoint)
}

#[test]
fn runs_of_three_code_point_graphemes_of_any_length() {
    for n in [10, 100, 1_000, 10_000] {
        let text = "D\u{307}\u{323}".repeat(n);
        assert_eq!(grapheme_count(text.as_bytes()), n);
        assert_eq!(code_points(&text, NormalForm::Nfc), 2 * n);
        assert_eq!(code_points(&text, NormalForm::Nfd), 3 * n);
    }
}

#[test]
fn a_string_under_many_marks_has_14_graphemes() {
    let text = concat!(
        "N\u{334}\u{308}\u{354}F\u{337}\u{341}\u{35A}G\u{336}\u{308}\u{301}\u{354} \u{337}\u{303}\u{35C}i\u{334}\u{321}\u{358}",
        "s\u{334}\u{358}\u{330} \u{336}\u{309}\u{32B}a\u{335}\u{346}\u{32C}w\u{334}\u{352}\u{322}\u{119}\u{334}\u{30F}",
        "s\u{334}\u{30B}\u{331}o\u{334}\u{313}\u{32B}m\u{338}\u{350}\u{31C}e\u{336}\u{30B}\u{325}"
    );
    assert_eq!(grapheme_count(text.as_bytes()), 14);
    assert_eq!(code_points(text, NormalForm::Nfc), 56);
    assert_eq!(code_points(text, NormalForm::Nfd), 57);
}

#[test]
fn no_number_of_marks_is_too_many() {
    let text = format!("7{}x", "\u{308}".repeat(150_000));
    assert_eq!(grapheme_count(text.as_bytes()), 2);
    assert_eq!(graphemes(text.as_bytes()).map(<[u8]>::len).collect::<Vec<_>>(), [300_001, 1]);
}

#[test]
fn four_threads_agree_on_random_strings() {
    let alphabet: Vec<char> =
        "ae\u{301}\u{307}\u{323}\u{200D}👩🚀🇦🇧कि\u{94D}\r\n가\u{11A8}".chars().collect();
    let strings: Vec<String> = (0..2_000u64)
        .map(|n| {
            let mut seed = n.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
            (0..n % 40)
                .map(|_| {
                    seed ^= seed << 13;
                    seed ^= seed >> 7;
                    seed ^= seed << 17;
                    alphabet[(seed % alphabet.len() as u64) as usize]
                })
                .collect()
        })
        .collect();
    let measure = || -> Vec<(usize, Vec<u8>)> {
        strings
            .iter()
            .map(|text| {
                (
                    grapheme_count(text.as_bytes()),
                    normalize(text.as_bytes(), NormalForm::Nfc).into_owned(),
                )
            })
            .collect()
    };
    let alone = measure();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(measure)).collect();
        for thread in threads {
            assert!(thread.join().expect("no panic") == alone);
        }
    });
}

#[test]
fn cr_lf_is_one_grapheme_and_only_cr_lf() {
    for (text, count) in
        [("\r\n", 1), ("\n\r", 2), ("\r\r\n", 2), ("\r\u{301}", 2), ("\n\u{301}", 2), ("a\r\nb", 3)]
    {
        assert_eq!(grapheme_count(text.as_bytes()), count, "{text:?}");
        assert_eq!(length(text.as_bytes(), Unit::Grapheme), count, "{text:?}");
    }
    let lines = "0123456789\r\n".repeat(500);
    assert_eq!(grapheme_count(lines.as_bytes()), 11 * 500);
}

#[test]
fn broken_bytes_join_nothing() {
    let rows: [(&[u8], usize); 8] = [
        (b"\xFF", 1),
        (b"e\xFF\xCC\x81", 3),
        (b"\xFF\xCC\x81x", 3),
        (b"e\xCC", 2),
        (b"e\xCC\x81\xCC", 2),
        (b"\xD8\x80\xFF", 2),
        (b"\xF0\x9F\x87\xF0\x9F\x87\xA6", 4),
        (b"\xED\xA0\x80", 3),
    ];
    for (text, count) in rows {
        assert_eq!(grapheme_count(text), count, "{text:x?}");
        assert_eq!(graphemes(text).count(), count);
        assert_eq!(graphemes(text).map(<[u8]>::to_vec).collect::<Vec<_>>().concat(), text);
    }
}

#[test]
fn flags_pair_from_the_left() {
    for (text, flags) in
        [("🇦", 1), ("🇦🇧", 1), ("🇦🇧🇨", 2), ("🇦🇧🇨🇩", 2), ("🇦\u{301}🇧", 2), ("🇦\u{200D}🇧🇨", 2)]
    {
        assert_eq!(grapheme_count(text.as_bytes()), flags, "{text:?}");
    }
    let text = "🇦".repeat(1001);
    assert_eq!(grapheme_count(text.as_bytes()), 501);
    // A flag is not found across two other flags.
    assert_eq!(index("🇦🇧🇨🇩".as_bytes(), "🇧🇨".as_bytes(), Unit::Grapheme), 0);
    assert_eq!(index("🇦🇧🇨🇩".as_bytes(), "🇨🇩".as_bytes(), Unit::Grapheme), 2);
}

#[test]
fn prepended_marks_belong_to_what_follows() {
    for (text, count) in [
        ("\u{600}a", 1),
        ("\u{600}\u{600}á\u{30C}", 1),
        ("\u{600}\n", 2),
        ("\u{600}", 1),
        ("a\u{600}b", 2),
    ] {
        assert_eq!(grapheme_count(text.as_bytes()), count, "{text:?}");
        assert_eq!(
            grapheme_count(format!("{text}01234567").as_bytes()),
            count + 8 - usize::from(text == "\u{600}"),
            "{text:?}"
        );
    }
}

#[test]
fn hangul_in_syllables_and_in_letters() {
    let syllables = "한국어 글자";
    let letters = normalize(syllables.as_bytes(), NormalForm::Nfd);
    assert_eq!(length(&letters, Unit::CodePoint), 14);
    assert_eq!(grapheme_count(&letters), 6);
    assert_eq!(grapheme_count(syllables.as_bytes()), 6);
    assert_eq!(str_graphemes("각\u{11A8}가\u{11A8}ᄀᄀ가").count(), 3);
}

#[test]
fn the_joiner_of_marks_stays_inside() {
    // U+034F between marks, and alone after a letter.
    for text in ["a\u{34F}", "a\u{30A}\u{34F}\u{323}", "\u{34F}", "e\u{34F}\u{301}"] {
        assert_eq!(grapheme_count(text.as_bytes()), 1, "{text:?}");
    }
}

#[test]
fn marks_join_across_concatenation_in_any_order() {
    let join = |parts: &[&str]| {
        parts.iter().fold(Vec::new(), |left, right| {
            concat_normalized(&left, right.as_bytes(), NormalForm::Nfc)
        })
    };
    let (base, above, below) = ("D", "\u{307}", "\u{323}");
    assert_eq!(join(&[base, above, below]), join(&[base, below, above]));
    for between in [above, below, "\u{307}\u{323}"] {
        assert_eq!(grapheme_count(&join(&[base, between, base, between, base])), 3);
    }
}

#[test]
fn case_and_search_work_on_whole_graphemes() {
    let mut out = Vec::new();
    to_lower("D\u{323}\u{307}ẞİ".as_bytes(), Unit::Grapheme, &mut out);
    assert_eq!(out, "d\u{323}\u{307}ßi\u{307}".as_bytes());
    assert_eq!(index("re\u{301}sume".as_bytes(), b"e", Unit::Grapheme), 6);
    assert_eq!(index(b"a\r\nb", b"\n", Unit::Grapheme), 0);
    assert_eq!(index(b"a\r\nb", b"b", Unit::Grapheme), 3);
}

#[test]
fn code_points_beyond_every_table_have_properties() {
    // In the last planes.
    for character in [
        '\u{E0001}',
        '\u{E007F}',
        '\u{E0FFF}',
        '\u{E1000}',
        '\u{F0000}',
        '\u{10FFFF}',
        '\u{2FA1F}',
        '\u{323AF}',
    ] {
        let text = format!("a{character}b");
        let count = length(text.as_bytes(), Unit::Grapheme);
        assert!((2..=3).contains(&count), "{character:?}: {count}");
        assert_eq!(length(character.to_string().as_bytes(), Unit::Grapheme), 1, "{character:?}");
    }
}

#[test]
fn a_search_that_begins_at_any_boundary_finds_the_same_ones_behind_it() {
    // The boundary must not depend on where the search begins.
    let text = "e\u{301}\u{308}🇫🇷🇩🇪👨\u{200D}👩\u{200D}👧क्\u{200D}ष\r\n각\u{600}1x".as_bytes();
    let mut boundaries = vec![0];
    for cluster in riverhawk_text::graphemes(text) {
        boundaries.push(boundaries[boundaries.len() - 1] + cluster.len());
    }
    assert!(boundaries.len() > 6 && boundaries.last() == Some(&text.len()));
    for (index, from) in boundaries.iter().enumerate() {
        let mut at = *from;
        for cluster in riverhawk_text::graphemes(&text[*from..]) {
            at += cluster.len();
            assert!(boundaries[index..].contains(&at), "from {from}: {at}");
        }
        let count = riverhawk_text::grapheme_count(&text[*from..]);
        assert_eq!(count as usize, boundaries.len() - 1 - index, "from {from}");
    }
}
