//! For every encoding, set of separators and cut, the records are those of a decode in one piece
//! and of a simple reference.

use proptest::prelude::*;
use riverhawk_text::decoder::{Decoder, Separators};
use riverhawk_text::encoding::{Encoder, Encoding, Encodings, Policy, Text};
use std::sync::Arc;

const SETS: [&[&str]; 11] = [
    &["\n", "\r\n"],
    &["\n"],
    &["\r\n"],
    &["\n", "\r\n", "\r"],
    &["b", "ab", "\n", "a\r\n"],
    &["ab", "b", "a\r\n", "\n", "\r"],
    &["ab", "b"],
    &["aab", "€", "a\n"],
    &["aaaaaaaaab", "\n\n"],
    &["é"],
    &["a", "b", "c", "d", "é", "\n", "\r\n", "z", "0", "1", "2", "€"],
];

/// The shortest prefix of `text` that ends in a separator. If several do: CRLF, then the order of
/// the list.
fn reference(text: &str, separators: &[&str]) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    let mut start = 0;
    let mut end = 0;
    while end < text.len() {
        end += 1;
        if !text.is_char_boundary(end) {
            continue;
        }
        let line = &text[start..end];
        let Some(separator) =
            separators.iter().filter(|s| line.ends_with(**s)).min_by_key(|s| !s.ends_with("\r\n"))
        else {
            continue;
        };
        if *separator == "\r" && separators.contains(&"\r\n") && text[end..].starts_with('\n') {
            continue;
        }
        lines.push((line[..line.len() - separator.len()].to_owned(), line.to_owned()));
        start = end;
    }
    if start < text.len() {
        lines.push((text[start..].to_owned(), text[start..].to_owned()));
    }
    lines
}

fn lines<T: Text>(
    mut decoder: Decoder<T>,
    input: &[u8],
    cuts: &[usize],
    keep: bool,
    adopt: bool,
) -> Vec<Vec<u8>> {
    let mut out: Vec<Vec<u8>> = Vec::new();
    let mut from = 0;
    for to in cuts.iter().copied().chain([input.len()]) {
        let piece = &input[from..to];
        from = to;
        if adopt {
            decoder.add(piece.to_vec())
        } else {
            decoder.add_slice(piece)
        }
        if to == input.len() {
            decoder.finish();
        }
        loop {
            let line = if keep { decoder.take_line_with_separator() } else { decoder.take_line() };
            match line.expect("decodable") {
                Some(line) => out.push(line.as_ref().to_vec()),
                None => break,
            }
        }
    }
    assert!(decoder.is_empty());
    assert_eq!(decoder.byte_offset(), input.len() as u64);
    out
}

fn cuts_of(length: usize) -> impl Strategy<Value = Vec<usize>> {
    prop_oneof![
        Just((1..length).collect::<Vec<_>>()),
        Just(Vec::new()),
        proptest::collection::vec(0..=length, 0..12).prop_map(|mut cuts| {
            cuts.sort_unstable();
            cuts
        }),
    ]
}

fn encoded(encoding: &Arc<dyn Encoding>, text: &str) -> Vec<u8> {
    let mut encoder = Encoder::new(Arc::clone(encoding)).with_policy(Policy::Replace);
    let mut bytes = Vec::new();
    encoder.push_str(text, &mut bytes).expect("replaced");
    encoder.finish(&mut bytes).expect("whole");
    bytes
}

fn whole(encoding: &Arc<dyn Encoding>, bytes: &[u8]) -> String {
    let mut decoder = Decoder::new(Arc::clone(encoding));
    decoder.add_slice(bytes);
    decoder.take_all_owned().expect("just encoded")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn records_do_not_depend_on_cuts_in_any_encoding(
        (text, cuts) in "[ab\\n\\r€é日x01я]{0,120}".prop_flat_map(|text| {
            let length = text.len();
            (Just(text), proptest::collection::vec(0..=2 * length + 2, 0..10))
        }),
        set in 0..SETS.len(),
        keep: bool,
        adopt: bool,
        every: bool,
    ) {
        for encoding in Encodings::new().iter() {
            let bytes = encoded(encoding, &text);
            let mut cuts: Vec<usize> = if every { (1..bytes.len()).collect() } else {
                cuts.iter().copied().filter(|cut| *cut <= bytes.len()).collect()
            };
            cuts.sort_unstable();
            let text = whole(encoding, &bytes);
            let expected: Vec<Vec<u8>> = reference(&text, SETS[set]).into_iter()
                .map(|(line, kept)| if keep { kept } else { line }.into_bytes()).collect();
            let separators = Separators::strings(SETS[set]).expect("few and short");
            let decoder = Decoder::new(Arc::clone(encoding)).with_separators(separators.clone());
            prop_assert_eq!(&lines(decoder, &bytes, &cuts, keep, adopt), &expected, "{}", encoding.name());
            let decoder = Decoder::bytes(Arc::clone(encoding)).with_separators(separators);
            prop_assert_eq!(&lines(decoder, &bytes, &cuts, keep, adopt), &expected, "{} as bytes", encoding.name());
        }
    }

    #[test]
    fn undecodable_bytes_are_replaced_alike_however_they_are_cut(
        (bytes, cuts) in proptest::collection::vec(prop_oneof![4 => any::<u8>(), 2 => Just(b'\n'), 1 => Just(b'\x1B')], 0..80)
            .prop_flat_map(|bytes| { let length = bytes.len(); (Just(bytes), cuts_of(length)) }),
        policy in prop_oneof![
            Just(Policy::Replace), Just(Policy::Permissive), Just(Policy::ReplaceWith("<?>\n".into())),
            Just(Policy::ReplaceWith(String::new())),
        ],
    ) {
        for encoding in Encodings::new().iter() {
            let decoder = || Decoder::new(Arc::clone(encoding)).with_policy(policy.clone());
            let expected = lines(decoder(), &bytes, &[], true, false);
            prop_assert_eq!(&lines(decoder(), &bytes, &cuts, true, true), &expected, "{}", encoding.name());
        }
    }

    #[test]
    fn a_strict_decoder_gives_the_lines_before_the_error_and_its_exact_place(
        (bytes, cuts) in proptest::collection::vec(prop_oneof![6 => b'a'..=b'c', 2 => Just(b'\n'), 1 => any::<u8>()], 0..60)
            .prop_flat_map(|bytes| { let length = bytes.len(); (Just(bytes), cuts_of(length)) }),
    ) {
        let mut decoder = Decoder::new(riverhawk_text::encoding::Utf8).with_separators(Separators::lf())
            .with_bom_kept();
        let (mut from, mut got, mut error) = (0, Vec::new(), None);
        for to in cuts.into_iter().chain([bytes.len()]) {
            decoder.add_slice(&bytes[from..to]);
            from = to;
            if to == bytes.len() {
                decoder.finish();
            }
            error = loop {
                match decoder.take_line_owned() {
                    Ok(Some(line)) => got.push(line),
                    Ok(None) => break None,
                    Err(error) => break Some(error),
                }
            };
        }
        match std::str::from_utf8(&bytes) {
            Ok(text) => {
                prop_assert_eq!(error, None);
                prop_assert_eq!(got.concat(), text.replace('\n', ""));
            }
            Err(expected) => {
                let error = error.expect("undecodable");
                let before = std::str::from_utf8(&bytes[..expected.valid_up_to()]).expect("valid");
                let complete = before.rfind('\n').map_or(0, |at| at + 1);
                prop_assert_eq!(got.concat(), before[..complete].replace('\n', ""));
                prop_assert_eq!(error.byte_offset as usize, expected.valid_up_to());
                prop_assert_eq!(error.bytes.len(), expected.error_len().unwrap_or(bytes.len() - before.len()));
                prop_assert_eq!(&error.bytes[..], &bytes[before.len()..before.len() + error.bytes.len()]);
                prop_assert_eq!(&error.before[..], &before.as_bytes()[before.len().saturating_sub(3)..]);
                let normal = before.replace("\r\n", "\n").replace('\r', "\n");
                prop_assert_eq!(error.line as usize, normal.matches('\n').count() + 1);
                let line_at = normal.rfind('\n').map_or(0, |at| at + 1);
                prop_assert_eq!(error.column as usize, normal[line_at..].chars().count() + 1);
                // Nothing is lost: text, bad bytes and the rest are still there.
                if complete < before.len() {
                    prop_assert_eq!(decoder.take_available().expect("text first"), &before[complete..]);
                }
                prop_assert_eq!(decoder.into_undecoded(), &bytes[before.len()..]);
            }
        }
    }

    #[test]
    fn any_mix_of_operations_gives_each_character_once(
        text in "[a-c\\n\\r€é日😀]{0,200}",
        steps in proptest::collection::vec((0usize..9, 0usize..40), 0..60),
        name in prop::sample::select(vec!["utf-8", "utf-16be", "gb18030", "utf-8-c8", "utf-16"]),
    ) {
        let encoding = Encodings::new().get(name).expect("built in");
        let bytes = encoded(&encoding, &text);
        let mut decoder = Decoder::new(Arc::clone(&encoding));
        let mut out: Vec<u8> = Vec::new();
        let mark = if name == "utf-16" { 2 } else { 0 };
        let again = |text: &str| encoded(&encoding, text)[mark..].to_vec();
        let mut fed = 0;
        for (operation, n) in steps {
            match operation {
                0..=2 => {
                    let to = (fed + n).min(bytes.len());
                    decoder.add_slice(&bytes[fed..to]);
                    fed = to;
                }
                3 => out.extend(decoder.take_line_with_separator().expect("valid").map(again).unwrap_or_default()),
                4 => {
                    let chars = decoder.take_chars(n).expect("valid").map(|text| (again(text), text.chars().count()));
                    if let Some((bytes, count)) = chars {
                        prop_assert_eq!(count, n);
                        out.extend(bytes);
                    }
                }
                5 => out.extend(again(decoder.take_available().expect("valid"))),
                6 if fed > mark => {
                    // A decoder that started inside a character would read another stream.
                    let before = decoder.byte_offset();
                    let all = decoder.bytes_available();
                    if let Some(bytes) = decoder.take_bytes(0) {
                        prop_assert!(bytes.is_empty());
                    }
                    prop_assert_eq!((decoder.byte_offset(), decoder.bytes_available()), (before, all));
                }
                7 => decoder.set_separators(Separators::strings(SETS[n % SETS.len()]).expect("few and short")),
                _ => if let Some(line) = decoder.take_line_owned().expect("valid") {
                    out.extend(again(&line));
                    let end = decoder.byte_offset() as usize;
                    let from = out.len() + mark;
                    out.extend(&bytes[from..end]);
                },
            }
        }
        decoder.add_slice(&bytes[fed..]);
        out.extend(again(decoder.take_all().expect("valid")));
        prop_assert_eq!(out, &bytes[mark..]);
        prop_assert!(decoder.is_empty());
        prop_assert_eq!(decoder.bytes_available(), 0);
    }
}
