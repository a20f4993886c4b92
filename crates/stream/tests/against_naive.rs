//! The reader against a naive splitter, with every separator, chunk size and window.

use proptest::prelude::*;
use riverhawk_stream::{
    EndOfInput, Ends, Found, Input, Quoting, RecordSeparator, Records, ScriptedSource, Separator,
    Source, Step,
};

type Pair = (Vec<u8>, Vec<u8>);

const WINDOWS: [usize; 6] = [1, 2, 3, 7, 64, 64 * 1024];

#[derive(Debug, Clone)]
enum Kind {
    Strings(Vec<&'static str>),
    Paragraph,
    Runs,
    Rows(Option<Quoting>),
}

/// A match at the end of the text may become longer.
struct Runs;

impl Separator for Runs {
    fn find(&mut self, text: &[u8], search_from: usize, input: Input) -> Found {
        let at_end = input == Input::Ends;
        let Some(start) = text[search_from..].iter().position(|&byte| byte == b'x') else {
            return Found::NotYet { resume_from: text.len() };
        };
        let start = search_from + start;
        let end = start + text[start..].iter().take_while(|&&byte| byte == b'x').count();
        if end == text.len() && !at_end {
            return Found::NotYet { resume_from: start };
        }
        Found::At { start, end }
    }

    fn find_more(&mut self, text: &[u8], ends: &mut Ends) {
        let mut at = 0;
        while let Found::At { start, end } = self.find(text, at, Input::Continues)
            && ends.push(start, end)
        {
            at = end;
        }
    }
}

impl Kind {
    fn separator(&self) -> RecordSeparator {
        match self {
            Kind::Strings(strings) => RecordSeparator::strings(strings).unwrap(),
            Kind::Paragraph => RecordSeparator::paragraph(),
            Kind::Runs => RecordSeparator::custom(Runs),
            Kind::Rows(quoting) => RecordSeparator::Rows(*quoting),
        }
    }

    fn first(&self, text: &[u8]) -> Option<(usize, usize)> {
        if let Kind::Rows(quoting) = self {
            return first_row(text, *quoting);
        }
        if let Kind::Strings(strings) = self {
            return first_string(text, strings);
        }
        (0..text.len()).find_map(|at| {
            let rest = &text[at..];
            let run = |byte| rest.iter().take_while(|&&b| b == byte).count();
            let length = match self {
                Kind::Paragraph => {
                    Some(run(b'\n')).filter(|&n| n > 1 || n == rest.len()).unwrap_or(0)
                }
                Kind::Runs => run(b'x'),
                Kind::Strings(_) | Kind::Rows(_) => 0,
            };
            (length > 0).then_some((at, at + length))
        })
    }

    /// The first record and the rest.
    fn cut<'t>(&self, mut text: &'t [u8]) -> Option<(Pair, &'t [u8])> {
        if let Kind::Paragraph = self {
            text = text.trim_ascii_start_newlines();
        }
        if text.is_empty() {
            return None;
        }
        if let Kind::Rows(Some(quoting)) = self {
            return quoted_row(text, *quoting);
        }
        let (start, end) = self.first(text).unwrap_or((text.len(), text.len()));
        Some(((text[..start].to_vec(), text[start..end].to_vec()), &text[end..]))
    }
}

/// Ends first; of several, what ends in CRLF, then list order. CR waits for LF if CRLF is in the
/// set.
fn first_string(text: &[u8], strings: &[&str]) -> Option<(usize, usize)> {
    (1..=text.len()).find_map(|end| {
        let ending = strings.iter().filter(|s| text[..end].ends_with(s.as_bytes()));
        let first = ending.min_by_key(|s| !s.ends_with("\r\n"))?;
        let crlf = format!("{first}\n");
        let waits = first.ends_with('\r') && strings.contains(&crlf.as_str());
        let is_cut = waits && text.get(end) == Some(&b'\n');
        (!is_cut).then(|| (end - first.len(), end))
    })
}

/// A newline after an even number of quotes ends a row.
fn first_row(text: &[u8], quoting: Option<Quoting>) -> Option<(usize, usize)> {
    let mut is_quoted = false;
    for (at, byte) in text.iter().enumerate() {
        if quoting.is_some_and(|quoting| *byte == quoting.quote) {
            is_quoted = !is_quoted;
        }
        if *byte == b'\n' && !is_quoted {
            let end = if at > 0 && text[at - 1] == b'\r' { at - 1 } else { at };
            return Some((end, at + 1));
        }
    }
    None
}

/// As in gawk, a CR at the end of a row or text is dropped.
fn quoted_row(text: &[u8], quoting: Quoting) -> Option<(Pair, &[u8])> {
    match first_row(text, Some(quoting)) {
        Some((start, end)) => Some(((text[..start].to_vec(), b"\n".to_vec()), &text[end..])),
        None => {
            let row = text.strip_suffix(b"\r").unwrap_or(text);
            (!row.is_empty()).then(|| ((row.to_vec(), Vec::new()), &text[text.len()..]))
        }
    }
}

trait TrimNewlines {
    fn trim_ascii_start_newlines(&self) -> &Self;
}

impl TrimNewlines for [u8] {
    fn trim_ascii_start_newlines(&self) -> &Self {
        &self[self.iter().take_while(|&&byte| byte == b'\n').count()..]
    }
}

fn naive(text: &[u8], kinds: &[Kind]) -> Vec<Pair> {
    let (mut rest, mut pairs) = (text, Vec::new());
    while let Some((pair, after)) = kinds[pairs.len().min(kinds.len() - 1)].cut(rest) {
        pairs.push(pair);
        rest = after;
    }
    pairs
}

fn read(source: impl Source + 'static, window: usize, kinds: &[Kind]) -> Vec<Pair> {
    let mut records = Records::with_window(source, window);
    records.set_separator(kinds[0].separator());
    let mut pairs: Vec<Pair> = Vec::new();
    loop {
        let marked = match pairs.len() % 5 {
            1 => records.next_marked(),
            2 => records.next_marked_ascii(),
            3 => records.next_ended(),
            4 => records.next_ended_ascii(),
            _ => None,
        };
        match marked.map_or_else(|| records.next_buffered(), Step::Record) {
            Step::Record(record) => {
                let text = records.text(&record);
                assert!(!record.ascii || text.is_ascii(), "{text:?} was called ASCII");
                pairs.push((text.to_vec(), records.terminator(&record).to_vec()));
                if let Some(kind) = kinds.get(pairs.len()) {
                    records.set_separator(kind.separator());
                }
            }
            Step::NeedMore => {
                records.refill().unwrap();
            }
            Step::End => {
                assert_eq!(records.next_buffered(), Step::End);
                assert_eq!(records.refill().unwrap(), 0);
                assert_eq!(records.next_buffered(), Step::End);
                return pairs;
            }
        }
    }
}

fn check(text: &[u8], kinds: &[Kind]) {
    let expected = naive(text, kinds);
    for window in WINDOWS {
        for chunk in [1, 2, 5, 64, 1 << 20] {
            let found = read(ScriptedSource::chunked(text, chunk), window, kinds);
            assert_eq!(found, expected, "window {window}, chunks of {chunk}, {kinds:?}");
        }
    }
}

#[test]
fn a_separator_cut_at_every_byte_by_a_refill_is_found() {
    for kind in [
        Kind::Strings(vec!["\r\n"]),
        Kind::Strings(vec!["<end>"]),
        Kind::Strings(vec!["aab"]),
        Kind::Strings(vec!["aa"]),
        Kind::Strings(vec!["a long separator"]),
        Kind::Strings(vec!["ab", "b", "abcde"]),
        Kind::Runs,
        Kind::Paragraph,
    ] {
        let text = b"one\r\ntwo<end>aaab\n\n\n\nxxxabcdabcdeb\r\n\nthree<en\r<end>x";
        let expected = naive(text, std::slice::from_ref(&kind));
        for cut in 0..=text.len() {
            let pieces = [&text[..cut], &text[cut..]]
                .map(|piece| riverhawk_stream::Piece::Bytes(piece.to_vec()));
            assert_eq!(
                read(ScriptedSource::new(pieces), 64, std::slice::from_ref(&kind)),
                expected,
                "{kind:?} {cut}"
            );
        }
    }
}

#[test]
fn what_is_found_together_ends_anywhere() {
    // Some chunks of 4 KiB, with separators at all places of their borders.
    let text: Vec<u8> = (0..12_000_u32)
        .flat_map(|n| {
            let separator = ["xx", "\r\n", "\n\n\n", "aab", "é", "x\r"][n as usize % 6];
            format!("{}{separator}", "ab".repeat(n as usize * n as usize % 11)).into_bytes()
        })
        .collect();
    for kind in [
        Kind::Strings(vec!["\r\n"]),
        Kind::Strings(vec!["baa"]),
        Kind::Strings(vec!["abababab"]),
        Kind::Runs,
        Kind::Paragraph,
    ] {
        let expected = naive(&text, std::slice::from_ref(&kind));
        assert!(expected.len() > 500, "{kind:?}");
        for (window, chunk) in [(1, 1), (1, 4_095), (64 << 10, 4_097), (64 << 10, 1 << 20)] {
            let found =
                read(ScriptedSource::chunked(&text, chunk), window, std::slice::from_ref(&kind));
            assert!(found == expected, "window {window}, chunks of {chunk}, {kind:?}");
        }
    }
}

#[test]
fn rows_cut_at_every_byte_by_a_refill_are_found() {
    for text in [
        &b"a,\"b\nc\",d\r\n\"e\"\"\n\",\r\n\r\nlast"[..],
        b"5\" pipe,\"in\r\n\"\nx\"y\n\"z\"t\"u\n\r\n",
        b"\"never closed\n,\n",
        b"\r\n\n\r",
    ] {
        for kind in [Kind::Rows(None), Kind::Rows(Some(Quoting::CSV))] {
            check(text, std::slice::from_ref(&kind));
        }
    }
}

#[test]
fn what_gawk_does_with_blank_lines() {
    // Recorded from gawk 5.2.1: record, RT.
    let rows: [(&str, &[(&str, &str)]); 8] = [
        ("\n\na\nb\n\n\nc\n", &[("a\nb", "\n\n\n"), ("c", "\n")]),
        ("a\n\n\n", &[("a", "\n\n\n")]),
        ("a\n\n", &[("a", "\n\n")]),
        ("a\n", &[("a", "\n")]),
        ("a", &[("a", "")]),
        ("\n\n\n", &[]),
        ("\n", &[]),
        ("a\n\n\n\nb", &[("a", "\n\n\n\n"), ("b", "")]),
    ];
    for (text, expected) in rows {
        let expected: Vec<Pair> =
            expected.iter().map(|(r, t)| (r.as_bytes().to_vec(), t.as_bytes().to_vec())).collect();
        for window in WINDOWS {
            assert_eq!(
                read(ScriptedSource::chunked(text.as_bytes(), 1), window, &[Kind::Paragraph]),
                expected
            );
        }
    }
}

#[test]
fn an_empty_input_has_no_record_and_a_lone_newline_has_one_empty_record() {
    let newline = Kind::Strings(vec!["\n"]);
    check(b"", std::slice::from_ref(&newline));
    check(b"\n", std::slice::from_ref(&newline));
    assert_eq!(naive(b"\n", &[newline]), [(vec![], b"\n".to_vec())]);
}

#[test]
fn a_new_separator_applies_to_text_that_was_already_searched_for_the_old_one() {
    let kinds = [
        Kind::Strings(vec!["\n"]),
        Kind::Strings(vec![";"]),
        Kind::Paragraph,
        Kind::Strings(vec!["b", "bc"]),
    ];
    check(b"one\ntwo;three\nfour;\n\nfive\nsix\n\n\nabcbbc", &kinds);
}

#[test]
fn a_discarding_reader_drops_an_unterminated_last_record() {
    for window in WINDOWS {
        let mut records = Records::with_window(ScriptedSource::chunked(b"a\nbc", 1), window);
        records.set_end_of_input(EndOfInput::Discard);
        let mut seen = Vec::new();
        loop {
            match records.next_buffered() {
                Step::Record(record) => seen.push(records.text(&record).to_vec()),
                Step::NeedMore => drop(records.refill().unwrap()),
                Step::End => break,
            }
        }
        assert_eq!(seen, [b"a"]);
        assert_eq!(records.pending(), b"bc");
    }
}

#[test]
fn a_separator_that_matches_nothing_or_too_much_is_not_believed() {
    struct Wrong(Found);
    impl Separator for Wrong {
        fn find(&mut self, _: &[u8], _: usize, _: Input) -> Found {
            self.0
        }
    }
    for found in [
        Found::At { start: 0, end: 0 },
        Found::At { start: 1, end: 99 },
        Found::NotYet { resume_from: 99 },
    ] {
        let mut records = Records::new(ScriptedSource::chunked(b"abc", 1));
        records.set_separator(RecordSeparator::custom(Wrong(found)));
        let record = loop {
            match records.next_buffered() {
                Step::Record(record) => break record,
                Step::NeedMore => drop(records.refill().unwrap()),
                Step::End => panic!("the text is lost"),
            }
        };
        assert_eq!(records.text(&record), b"abc");
        assert_eq!(records.next_buffered(), Step::End);
    }
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        Just(Kind::Strings(vec!["\n"])),
        Just(Kind::Strings(vec!["x"])),
        Just(Kind::Strings(vec!["\r\n"])),
        Just(Kind::Strings(vec!["\n", "\r\n"])),
        Just(Kind::Strings(vec!["\n", "\r", "\r\n", "a\r"])),
        Just(Kind::Strings(vec!["abb", "b"])),
        Just(Kind::Strings(vec!["ab", "b"])),
        Just(Kind::Strings(vec!["a", "abb", "bx\n"])),
        Just(Kind::Strings(vec!["aabaa", "ba\n\n"])),
        Just(Kind::Paragraph),
        Just(Kind::Runs),
        Just(Kind::Rows(None)),
        Just(Kind::Rows(Some(Quoting::CSV))),
        Just(Kind::Rows(Some(Quoting { separator: b'a', quote: b'"' }))),
    ]
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(proptest::sample::select(&b"aaabbx\n\n\r,,\"\"\xC3\xA9"[..]), 0..300)
}

proptest! {
    #[test]
    fn all_windows_and_chunkings_equal_the_naive_reader(text in text(), kind in kind()) {
        check(&text, &[kind]);
    }

    #[test]
    fn separators_changed_at_any_record_equal_the_naive_reader(
        text in text(),
        kinds in proptest::collection::vec(kind(), 1..8),
    ) {
        check(&text, &kinds);
    }

    #[test]
    fn skipping_counts_what_reading_counts(text in text(), kind in kind(), window in 1usize..100, taken in 0usize..5) {
        let expected = naive(&text, std::slice::from_ref(&kind));
        let mut records = Records::with_window(ScriptedSource::chunked(&text, 50), window);
        records.set_separator(kind.separator());
        let (mut count, mut last) = (0, None);
        loop {
            for _ in 0..taken {
                let Step::Record(record) = records.next_buffered() else { break };
                count += 1;
                last = Some((records.text(&record).to_vec(), records.terminator(&record).to_vec()));
            }
            let skipped = records.skip_buffered();
            count += skipped.count as usize;
            if let Some(record) = skipped.last {
                last = Some((records.text(&record).to_vec(), records.terminator(&record).to_vec()));
            }
            match records.next_buffered() {
                Step::Record(_) => prop_assert!(false, "skipping left a record behind"),
                Step::NeedMore => drop(records.refill().unwrap()),
                Step::End => break,
            }
        }
        prop_assert_eq!(count, expected.len());
        prop_assert_eq!(last, expected.last().cloned());
    }
}
