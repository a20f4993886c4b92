//! The guarantees of the decoder, one test each.

use riverhawk_text::decoder::{
    Decoder, MAX_SEPARATOR_LENGTH, MAX_SEPARATORS, SeparatorError, Separators, TextReader,
};
use riverhawk_text::encoding::{
    Ascii, DecodeErrorKind, Encoding, Encodings, Latin1, NameError, Policy, Utf8, Utf8Clean8,
    Utf16, Utf16Be, Utf16Le, Whatwg,
};

fn lines_of_60(count: usize) -> Vec<u8> {
    b"the quick brown fox jumps over the lazy dog, and over again\n".repeat(count)
}

#[test]
fn nine_operations_work_without_a_handle_and_not_yet_is_a_value() {
    let mut decoder = Decoder::new(Utf8);
    assert!(decoder.is_empty());
    assert_eq!(decoder.take_line(), Ok(None));
    assert_eq!(decoder.take_chars(1), Ok(None));
    assert_eq!(decoder.take_bytes(1), None);
    decoder.add("añb\nsecond\r\nthird;rest".as_bytes().to_vec());
    assert_eq!(decoder.bytes_available(), 23);
    assert_eq!(decoder.take_chars(2), Ok(Some("añ")));
    assert_eq!(decoder.bytes_available(), 20);
    assert_eq!(decoder.take_line(), Ok(Some("b")));
    assert_eq!(decoder.take_line_with_separator(), Ok(Some("second\r\n")));
    decoder.set_separators(Separators::strings([";"]).unwrap());
    assert_eq!(decoder.take_line(), Ok(Some("third")));
    assert_eq!(decoder.take_bytes(2), Some(&b"re"[..]));
    assert_eq!(decoder.take_chars(3), Ok(None));
    assert_eq!(decoder.take_available(), Ok("st"));
    decoder.add_slice(b"end");
    decoder.finish();
    assert_eq!(decoder.take_chars(10), Ok(Some("end")));
    assert_eq!(decoder.take_chars(10), Ok(None));
    assert_eq!(decoder.take_all(), Ok(""));
    assert!(decoder.is_empty());
    assert_eq!(decoder.byte_offset(), 26);
}

#[test]
fn chunks_are_adopted_and_empty_ones_dropped() {
    let mut decoder = Decoder::new(Utf8);
    decoder.add(Vec::new());
    decoder.add_slice(b"");
    assert!(decoder.is_empty());
    let chunk = lines_of_60(1000);
    let memory = chunk.as_ptr();
    decoder.add(chunk);
    let first = decoder.take_line().unwrap().unwrap();
    assert_eq!(first.as_ptr(), memory);
    let counters = decoder.counters();
    assert_eq!(
        (counters.adopted_bytes, counters.copied_in_bytes, counters.converted_bytes),
        (60_000, 0, 0)
    );
}

#[test]
fn the_holder_of_joined_lines_grows_to_the_lines_and_stays() {
    let mut decoder = Decoder::new(Utf8);
    let mut memory = None;
    for _ in 0..50 {
        decoder.add(b"x".repeat(700));
        assert_eq!(decoder.take_line(), Ok(None));
        decoder.add([b"y".repeat(700), b"\n".to_vec()].concat());
        let line = decoder.take_line().unwrap().unwrap();
        assert_eq!(line.len(), 1400);
        // The same memory from line to line.
        assert_eq!(*memory.get_or_insert(line.as_ptr()), line.as_ptr());
    }
}

#[test]
fn separators_are_several_of_many_characters_and_limited() {
    let mut decoder =
        Decoder::new(Utf8).with_separators(Separators::strings(["--", "€€", "\n"]).unwrap());
    for byte in "a-b--c€d€€e\n".bytes() {
        decoder.add_slice(&[byte]);
    }
    for line in ["a-b", "c€d", "e"] {
        assert_eq!(decoder.take_line(), Ok(Some(line)));
    }
    let many = |count: usize| Separators::strings((0..count).map(|n| format!("<{n}>")));
    assert!(many(MAX_SEPARATORS).is_ok());
    assert_eq!(many(MAX_SEPARATORS + 1), Err(SeparatorError::TooMany));
    assert!(Separators::strings(["é".repeat(MAX_SEPARATOR_LENGTH)]).is_ok());
    assert_eq!(
        Separators::strings(["a".to_owned(), "é".repeat(MAX_SEPARATOR_LENGTH + 1)]),
        Err(SeparatorError::TooLong { index: 1, length: MAX_SEPARATOR_LENGTH + 1 })
    );
    assert_eq!(Separators::strings(Vec::<&str>::new()), Err(SeparatorError::None));
    let mut decoder = Decoder::new(Utf8).with_separators(many(MAX_SEPARATORS).unwrap());
    decoder.add_slice(b"a<4094>b<17>c<5000>");
    decoder.finish();
    assert_eq!(decoder.take_line(), Ok(Some("a")));
    assert_eq!(decoder.take_line(), Ok(Some("b")));
    assert_eq!(decoder.take_line(), Ok(Some("c<5000>")));
}

#[test]
fn the_default_is_lf_and_crlf_and_lf_alone_leaves_cr_in_the_line() {
    for (separators, expected) in [
        (Separators::default(), &["a", "b\rc", "d"][..]),
        (Separators::lf(), &["a\r", "b\rc", "d"]),
        (Separators::any_line_ending(), &["a", "b", "c", "d"]),
        (Separators::strings(["\n", "\r\n"]).unwrap(), &["a", "b\rc", "d"]),
    ] {
        for step in 1..=9 {
            let mut decoder = Decoder::new(Latin1).with_separators(separators.clone());
            b"a\r\nb\rc\nd".chunks(step).for_each(|piece| decoder.add_slice(piece));
            decoder.finish();
            for line in expected {
                assert_eq!(decoder.take_line(), Ok(Some(*line)), "{separators:?} by {step}");
            }
            assert_eq!(decoder.take_line(), Ok(None));
        }
    }
}

#[test]
fn a_separator_is_confirmed_across_chunks_and_never_reaches_into_what_was_taken() {
    let mut decoder =
        Decoder::new(Utf8).with_separators(Separators::strings(["abc", "zz"]).unwrap());
    // Large chunks are not appended, so the separator spans three.
    decoder.add([b"x".repeat(600), b"a".to_vec()].concat());
    assert_eq!(decoder.take_line(), Ok(None));
    decoder.add_slice(b"b");
    assert_eq!(decoder.take_line(), Ok(None));
    decoder.add([b"c".to_vec(), b"y".repeat(600), b"zzz".to_vec()].concat());
    assert_eq!(decoder.take_line().unwrap().map(str::len), Some(600));
    assert_eq!(decoder.take_line().unwrap().map(str::len), Some(600));
    decoder.add_slice(b"zz");
    assert_eq!(decoder.take_line(), Ok(Some("")));
    assert_eq!(decoder.take_all(), Ok("z"));
    assert_eq!(decoder.counters().searched_bytes, 601 + 1 + 604 + 2);
}

#[test]
fn of_separators_that_end_together_the_first_listed_is_one_and_the_first_end_counts() {
    let lines = |order: [&str; 2], text: &[u8]| {
        let mut decoder = Decoder::new(Utf8).with_separators(Separators::strings(order).unwrap());
        decoder.add_slice(text);
        std::iter::from_fn(|| decoder.take_line().unwrap().map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(lines(["ab", "b"], b"xabyb"), ["x", "y"]);
    assert_eq!(lines(["b", "ab"], b"xabyb"), ["xa", "y"]);
    for order in [["\n", "\r\n"], ["\r\n", "\n"]] {
        assert_eq!(lines(order, b"x\r\ny\n"), ["x", "y"], "CRLF is one character");
    }
    assert_eq!(lines(["\n", "x\r\n"], b"x\r\ny\r\n"), ["", "y\r"]);
}

#[test]
fn a_line_that_is_exactly_one_chunk_is_handed_over() {
    let mut decoder = Decoder::new(Utf8);
    for line in [&b"short\r\n"[..], &[b"l".repeat(5000), b"\n".to_vec()].concat()] {
        let chunk = line.to_vec();
        let memory = chunk.as_ptr();
        decoder.add(chunk);
        let taken = decoder.take_line_owned().unwrap().unwrap();
        assert_eq!(taken.as_ptr(), memory);
        assert_eq!(taken.as_bytes(), line.trim_ascii_end());
    }
    assert_eq!(decoder.counters().handed_over, 2);
    assert_eq!(decoder.counters().copied_out_bytes, 0);
    decoder.add_slice(b"next\n\xFF");
    assert_eq!(decoder.take_line(), Ok(Some("next")));
    let error = decoder.take_line().unwrap_err();
    assert_eq!((error.line, error.byte_offset), (4, 7 + 5001 + 5));
}

#[test]
fn at_the_end_the_unterminated_record_is_returned_and_leftover_bytes_are_an_error() {
    let mut decoder = Decoder::new(Utf16Be);
    decoder.add_slice(b"\0a\0\n\0b\xD8");
    decoder.finish();
    assert_eq!(decoder.take_line(), Ok(Some("a")));
    let error = decoder.take_line().unwrap_err();
    assert_eq!(
        (error.kind, error.byte_offset, error.line, error.column),
        (DecodeErrorKind::Incomplete, 6, 2, 2)
    );
    decoder.set_policy(Policy::Replace);
    assert_eq!(decoder.take_line(), Ok(Some("b\u{FFFD}")));
    assert_eq!(decoder.take_line(), Ok(None));
}

#[test]
fn after_a_piece_that_needs_work_the_next_is_adopted_again() {
    let mut decoder = Decoder::new(Utf8).with_policy(Policy::Replace);
    for round in 0..10 {
        let mut chunk = lines_of_60(1000);
        if round == 4 {
            chunk[30_000] = 0xFF;
        }
        decoder.add(chunk);
        for index in 0..1000 {
            let line = decoder.take_line().unwrap().unwrap();
            assert_eq!(line.contains('\u{FFFD}'), (round, index) == (4, 500));
        }
    }
    let counters = decoder.counters();
    assert_eq!(counters.adopted_bytes + counters.converted_bytes, 600_000);
    // The bytes before the bad one are copied, one block is converted, the rest is adopted.
    assert!(counters.converted_bytes <= 30_000 + 1024, "{counters:?}");
}

#[test]
fn malformed_utf_8_is_reported_with_its_neighbours_and_its_place() {
    let mut decoder = Decoder::new(Utf8);
    decoder.add_slice("\u{FEFF}a\r\nü\r€".as_bytes());
    decoder.add_slice(b"x\xED\xA0\x80yz!");
    assert_eq!(decoder.take_available(), Ok("a\r\nü\r€x"));
    let error = decoder.take_available().unwrap_err();
    assert_eq!((error.line, error.column, error.byte_offset), (3, 3, 3 + 3 + 3 + 4));
    assert_eq!(
        (&error.before[..], &error.bytes[..], &error.after[..]),
        (&b"\x82\xACx"[..], &b"\xED"[..], &b"\xA0\x80y"[..])
    );
    assert_eq!(
        error.to_string(),
        "utf-8: undecodable bytes ED at line 3, column 3 (byte 13, after 82 AC 78, before A0 80 79)"
    );
}

#[test]
fn a_byte_order_mark_is_stepped_over_at_offset_0_and_nowhere_else() {
    for step in 1..8 {
        let mut decoder = Decoder::new(Utf8);
        b"\xEF\xBB\xBFa\xEF\xBB\xBFb".chunks(step).for_each(|piece| decoder.add_slice(piece));
        assert_eq!(decoder.take_all(), Ok("a\u{FEFF}b"));
        let mut decoder = Decoder::new(Utf8).with_bom_kept();
        b"\xEF\xBB\xBFa".chunks(step).for_each(|piece| decoder.add_slice(piece));
        assert_eq!(decoder.take_all(), Ok("\u{FEFF}a"));
    }
    let mut decoder = Decoder::new(Utf8).with_policy(Policy::Replace);
    decoder.add_slice(b"\xEF\xBB");
    assert_eq!(decoder.take_available(), Ok(""));
    assert_eq!(decoder.take_all(), Ok("\u{FFFD}"));
    for (encoding, input) in [
        (Encodings::new().get("utf-16le").unwrap(), b"\xFF\xFEa\0"),
        (Encodings::new().get("utf-16be").unwrap(), b"\xFE\xFF\0a"),
    ] {
        let mut decoder = Decoder::new(encoding);
        decoder.add_slice(input);
        assert_eq!(decoder.take_available(), Ok("a"));
    }
}

#[test]
fn ascii_over_127_is_an_error_and_a_folded_cr_is_held_one_byte() {
    let mut decoder = Decoder::new(Ascii);
    decoder.add_slice(b"ab\x80");
    assert_eq!(decoder.take_available(), Ok("ab"));
    assert_eq!(decoder.take_available().unwrap_err().bytes[..], [0x80]);
    for encoding in
        [Encodings::new().get("ascii").unwrap(), Encodings::new().get("iso-8859-1").unwrap()]
    {
        let mut decoder = Decoder::new(encoding).with_folded_crlf();
        decoder.add_slice(b"a\r");
        assert_eq!(decoder.take_available(), Ok("a"));
        decoder.add_slice(b"\nb\r");
        assert_eq!(decoder.take_available(), Ok("\nb"));
        decoder.add_slice(b"c\r");
        assert_eq!(decoder.take_available(), Ok("\rc"));
        assert_eq!(decoder.take_bytes(1), Some(&b"\r"[..]));
        assert!(decoder.is_empty());
    }
}

#[test]
fn clean_8_lets_every_byte_pass() {
    let all: Vec<u8> = (0..=255).rev().collect();
    let mut decoder =
        Decoder::bytes(Utf8Clean8).with_separators(Separators::strings(["no"]).unwrap());
    decoder.add(all.clone());
    let memory = decoder.take_all_owned().unwrap();
    assert_eq!(memory, all);
    let mut decoder = Decoder::new(Utf8Clean8);
    decoder.add(b"a\xFFb".to_vec());
    assert_eq!(decoder.take_chars(3), Ok(Some("a\u{10FFFF}b")));
}

#[test]
fn bytes_and_characters_may_be_taken_in_turns_in_every_encoding() {
    for name in ["utf-8", "utf-16le", "shift_jis", "iso-2022-jp", "gb18030", "euc-jp"] {
        let encoding = Encodings::new().get(name).unwrap();
        let mut encoder = riverhawk_text::encoding::Encoder::new(encoding.clone());
        let mut head = Vec::new();
        encoder.push_str("length: 日本\n", &mut head).unwrap();
        encoder.finish(&mut head).unwrap();
        let input = [&head[..], b"\xFF\x00\xFE\x1B", &head, b"\x00"].concat();
        for step in [1, 2, 3, 5, input.len()] {
            let mut decoder = Decoder::new(encoding.clone());
            input.chunks(step).for_each(|piece| decoder.add_slice(piece));
            assert_eq!(decoder.take_line(), Ok(Some("length: 日本")), "{name} by {step}");
            assert_eq!(decoder.byte_offset(), head.len() as u64);
            assert_eq!(decoder.take_bytes(4), Some(&b"\xFF\x00\xFE\x1B"[..]), "{name} by {step}");
            assert_eq!(decoder.take_chars(8), Ok(Some("length: ")));
            assert_eq!(decoder.take_line(), Ok(Some("日本")), "{name} by {step}");
            assert_eq!(decoder.bytes_available(), 1);
            assert_eq!(decoder.into_undecoded(), b"\x00");
        }
    }
}

#[test]
fn another_encoding_gets_the_undecoded_bytes() {
    // A header names the encoding of the rest.
    let mut reader =
        TextReader::new(Decoder::new(Ascii), &b"charset: koi8-r\n\xED\xC9\xD2\n\xED\xC9\xD2"[..]);
    let name = reader.read_line().unwrap().unwrap().trim_start_matches("charset: ").to_owned();
    reader.set_encoding(Encodings::new().get(&name).unwrap());
    assert_eq!(reader.read_line().unwrap(), Some("Мир"));
    reader.set_encoding(Whatwg::for_label("windows-1252").unwrap());
    assert_eq!(reader.read_line().unwrap(), Some("íÉÒ"));
    // From an encoding with an incomplete character.
    let mut decoder = Decoder::new(Utf16Le);
    decoder.add_slice(b"a\0b");
    assert_eq!(decoder.take_available(), Ok("a"));
    decoder.set_encoding(Utf8);
    decoder.add_slice("é".as_bytes());
    assert_eq!(decoder.take_available(), Ok("bé"));
}

#[test]
fn the_registry_knows_names_and_aliases_in_any_case_and_refuses_duplicates() {
    let mut encodings = Encodings::new();
    for (alias, name) in [
        ("UTF8", "utf-8"),
        ("utf8-c8", "utf-8-c8"),
        ("UTF-16", "utf-16"),
        ("utf16LE", "utf-16le"),
        ("utf-16BE", "utf-16be"),
        ("US-ASCII", "ascii"),
        ("Latin-1", "iso-8859-1"),
        ("cp819", "iso-8859-1"),
        ("windows-1251", "windows-1251"),
        ("Windows-1252", "windows-1252"),
        ("windows-932", "Shift_JIS"),
        ("sjis", "Shift_JIS"),
        ("gb2312", "GBK"),
        ("gb18030", "gb18030"),
    ] {
        assert_eq!(
            encodings.get(alias).map(|found| found.name().to_owned()).as_deref(),
            Some(name),
            "{alias}"
        );
    }
    for alias in Latin1.aliases() {
        assert_eq!(encodings.get(&alias.to_uppercase()).unwrap().name(), "iso-8859-1");
    }
    assert!(encodings.get("replacement").is_none() && encodings.get("").is_none());
    struct Named(&'static str, &'static [&'static str]);
    impl Encoding for Named {
        fn name(&self) -> &str {
            self.0
        }
        fn aliases(&self) -> &[&str] {
            self.1
        }
        fn decoder(&self) -> Box<dyn riverhawk_text::encoding::Decode> {
            Utf8.decoder()
        }
        fn encoder(&self) -> Box<dyn riverhawk_text::encoding::Encode> {
            Utf8.encoder()
        }
    }
    let taken = |name: &str, by: &str| Err(NameError::Taken { name: name.into(), by: by.into() });
    assert_eq!(encodings.add(Named("Utf-8", &[])), taken("Utf-8", "utf-8"));
    assert_eq!(encodings.add(Named("mine", &["x", "CP1252"])), taken("CP1252", "windows-1252"));
    assert!(encodings.get("mine").is_none() && encodings.get("x").is_none());
    assert_eq!(encodings.add(Named("mine", &["Mine"])), taken("Mine", "mine"));
    assert_eq!(
        encodings.add(Named("mine", &[" "])),
        Err(NameError::Empty { encoding: "mine".into() })
    );
    assert_eq!(encodings.add(Named("mine", &["yours"])), Ok(()));
    assert_eq!(encodings.get("YOURS").unwrap().name(), "mine");
    assert_eq!(encodings.iter().count(), 7 + 36 + 1);
}

#[test]
fn the_replacement_is_fffd_for_all_of_unicode_and_a_question_mark_for_the_rest() {
    let rows: [(&str, &[u8], &str, &str); 5] = [
        ("utf-8", b"a\xFFb", "a\u{FFFD}b", "a\u{FF}b"),
        ("utf-16be", b"\0a\xDC\0\0b", "a\u{FFFD}b", "a\u{FFFD}b"),
        ("ascii", b"a\x81b", "a?b", "a\u{81}b"),
        ("windows-1253", b"a\xAAb", "a?b", "a\u{AA}b"),
        ("shift_jis", b"a\xFFb", "a?b", "a\u{FF}b"),
    ];
    for (name, input, replaced, permitted) in rows {
        for (policy, expected) in [
            (Policy::Replace, replaced),
            (Policy::Permissive, permitted),
            (Policy::ReplaceWith("<bad>".into()), "a<bad>b"),
            (Policy::ReplaceWith(String::new()), "ab"),
        ] {
            let mut decoder = Decoder::new(Encodings::new().get(name).unwrap()).with_policy(policy);
            decoder.add_slice(input);
            assert_eq!(decoder.take_all(), Ok(expected), "{name}");
        }
    }
}

#[test]
fn a_source_is_read_64_kib_at_a_time() {
    struct Source(Vec<usize>);
    impl std::io::Read for Source {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            if self.0.len() == 3 {
                self.0.push(0);
                return Err(std::io::ErrorKind::Interrupted.into());
            }
            self.0.push(buffer.len());
            if self.0.len() > 5 {
                return Ok(0);
            }
            buffer.fill(b'a');
            Ok(buffer.len())
        }
    }
    let mut reader = TextReader::new(Decoder::new(Utf8), Source(Vec::new()));
    assert_eq!(reader.read_all().unwrap().len(), 4 * 65_536);
    let (_, source) = reader.into_parts();
    assert_eq!(source.0, [65_536, 65_536, 65_536, 0, 65_536, 65_536]);
}

#[test]
fn steady_lines_are_neither_copied_nor_converted() {
    let input = lines_of_60(200_000);
    let mut reader = TextReader::new(Decoder::new(Utf8), &input[..]);
    let mut lines = 0;
    while let Some(line) = reader.read_line().unwrap() {
        assert_eq!(line.len(), 59);
        lines += 1;
    }
    let counters = reader.decoder().counters();
    assert_eq!(lines, 200_000);
    // A short read is copied, to free a large buffer.
    assert_eq!(counters.adopted_bytes + counters.converted_bytes, input.len() as u64);
    // One line in a thousand spans two chunks.
    let copied = counters.copied_in_bytes
        + counters.converted_bytes
        + counters.joined_bytes
        + counters.copied_out_bytes;
    assert!(copied * 20 < input.len() as u64, "{counters:?}");
    assert_eq!(counters.searched_bytes, input.len() as u64);
}

#[test]
fn grapheme_clusters_are_taken_whole_and_given_as_soon_as_they_are_certain() {
    let clusters = ["a", "e\u{301}", "\r\n", "👨\u{200D}👩\u{200D}👧", "🇩🇪", "🇫🇷", "z"];
    let text = clusters.concat();
    for step in 1..=text.len() {
        let mut decoder = Decoder::new(Utf8);
        let mut taken = Vec::new();
        for piece in text.as_bytes().chunks(step) {
            decoder.add_slice(piece);
            while let Some(cluster) = decoder.take_graphemes(1).unwrap() {
                taken.push(cluster.to_owned());
            }
        }
        assert_eq!(taken, clusters[..6], "{step}");
        decoder.finish();
        assert_eq!(decoder.take_graphemes(1), Ok(Some("z")));
        assert_eq!(decoder.take_graphemes(1), Ok(None));
        let mut decoder = Decoder::new(Utf8);
        text.as_bytes().chunks(step).for_each(|piece| decoder.add_slice(piece));
        assert_eq!(decoder.take_graphemes(8), Ok(None));
        assert_eq!(decoder.take_graphemes(5).unwrap(), Some(&clusters[..5].concat()[..]));
        decoder.finish();
        assert_eq!(decoder.take_graphemes(8).unwrap(), Some(&clusters[5..].concat()[..]));
    }
    // A line is complete at its LF.
    let mut decoder = Decoder::new(Utf8);
    decoder.add_slice(b"ab\n");
    assert_eq!(decoder.take_graphemes(3), Ok(Some("ab\n")));
}

#[test]
fn utf_16_without_a_mark_is_little_endian_and_with_one_what_it_says() {
    for (input, text) in [(&b"a\0"[..], "a"), (b"\xFE\xFF\0a", "a"), (b"\xFF\xFEa\0", "a")] {
        for step in 1..=4 {
            let mut decoder = Decoder::new(Utf16);
            input.chunks(step).for_each(|piece| decoder.add_slice(piece));
            assert_eq!(decoder.take_all(), Ok(text));
        }
    }
}

#[test]
fn for_each_line_gives_what_take_line_gives_and_stops_when_told() {
    let input = b"a\nbb\r\n\nc\r\r\nd";
    for separators in [
        Separators::lines(),
        Separators::lf(),
        Separators::any_line_ending(),
        Separators::paragraphs(),
    ] {
        for step in 1..=input.len() {
            let mut one = Decoder::new(Utf8).with_separators(separators.clone());
            let mut all = Decoder::new(Utf8).with_separators(separators.clone());
            let (mut expected, mut lines) = (Vec::new(), Vec::new());
            for piece in input.chunks(step) {
                one.add_slice(piece);
                all.add_slice(piece);
                while let Some(line) = one.take_line_owned().unwrap() {
                    expected.push(line);
                }
                while !all
                    .for_each_line(|line| {
                        lines.push(line.to_owned());
                        lines.len() % 2 == 0
                    })
                    .unwrap()
                {}
            }
            assert_eq!(lines, expected);
            assert_eq!(all.take_all(), one.take_all());
        }
    }
}

#[test]
fn a_mark_at_the_start_is_stepped_over_however_it_comes_and_half_of_one_is_bytes() {
    let mut decoder = Decoder::new(Utf8);
    assert_eq!(decoder.take_line(), Ok(None));
    for byte in "\u{FEFF}a\n".bytes() {
        assert_eq!(decoder.take_line(), Ok(None));
        decoder.add_slice(&[byte]);
    }
    assert_eq!(decoder.take_line(), Ok(Some("a")));
    let mut decoder = Decoder::new(Utf8).with_policy(Policy::Replace);
    decoder.add_slice(b"\xEF\xBB");
    decoder.finish();
    assert_eq!(decoder.take_all(), Ok("\u{FFFD}"));
}

#[test]
fn lines_go_on_where_characters_were_taken_up_to() {
    // Marks are made for 4 KiB at a time; taking characters must not consume them.
    for taken in [2, 64, 66, 130, 600] {
        let mut decoder = Decoder::new(Utf8);
        decoder.add("x\n".repeat(400).into_bytes());
        assert_eq!(decoder.take_line(), Ok(Some("x")));
        assert_eq!(decoder.take_chars(taken).unwrap().map(str::len), Some(taken));
        decoder.finish();
        let mut lines = 0;
        while let Some(line) = decoder.take_line().unwrap() {
            assert_eq!(line, "x");
            lines += 1;
        }
        assert_eq!(lines, 399 - taken / 2);
    }
}
