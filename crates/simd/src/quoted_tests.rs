use super::*;
use crate::FINISHED;
use crate::naive;
use crate::quoting::parity_by_shifts;
use proptest::prelude::*;

const TSV_LIKE: Quoting = Quoting { separator: b'\t', quote: b'\'' };

fn marked(
    text: &[u8],
    quoting: Quoting,
    cuts: &[usize],
    mark: impl Fn(&[u8], Quoting, &mut QuoteState, &mut [u64], &mut [u64]),
) -> (Vec<usize>, QuoteState) {
    let (mut state, mut found, mut from_at) = (QuoteState::START, Vec::new(), 0);
    let mut cuts: Vec<usize> =
        cuts.iter().map(|cut| cut % (text.len() + 1)).chain([text.len()]).collect();
    cuts.sort_unstable();
    for to_at in cuts {
        let part = &text[from_at..to_at];
        let mut marks = vec![0x5555; part.len().div_ceil(64)];
        let mut high = vec![0; part.len().div_ceil(4096)];
        mark(part, quoting, &mut state, &mut marks, &mut high);
        for (block, bytes) in part.chunks(64).enumerate() {
            assert_eq!(high[block / 64] >> (block % 64) & 1 == 0, bytes.is_ascii());
        }
        found.extend(
            (0..64 * marks.len())
                .filter(|bit| marks[bit / 64] >> (bit % 64) & 1 == 1)
                .map(|at| from_at + at),
        );
        from_at = to_at;
    }
    (found, state)
}

fn check(text: &[u8], cuts: &[usize], step: usize) {
    for quoting in [Quoting::CSV, TSV_LIKE] {
        assert_eq!(
            marked(text, quoting, cuts, mark_rows),
            marked(text, quoting, &[], naive::mark_rows)
        );
        let (mut fast, mut slow) = (Vec::new(), Vec::new());
        let split = split_quoted(text, quoting, 0, usize::MAX, &mut fast);
        let twin = naive::split_quoted(text, quoting, 0, usize::MAX, &mut slow);
        assert_eq!(fast, slow);
        assert_eq!(split.resume_at, FINISHED);
        assert!(
            twin.is_literal || !split.is_literal,
            "a field that is not its own text was taken for one"
        );
        let (mut at, mut resumed) = (0, Vec::new());
        while at != FINISHED {
            at = split_quoted(text, quoting, at, step, &mut resumed).resume_at;
        }
        assert_eq!(resumed, slow);
    }
}

#[test]
fn parity_is_the_number_of_lower_bits_modulo_two() {
    for bits in [0u64, 1, !0, 0x8000_0000_0000_0001, 0x0123_4567_89AB_CDEF] {
        let expected =
            (0..64).fold(0, |word, i| word | u64::from((bits << (63 - i)).count_ones() & 1) << i);
        assert_eq!(parity_by_shifts(bits), expected);
    }
}

#[test]
fn a_quoted_field_of_every_length_at_every_place_of_a_block() {
    for before in 0..70 {
        for length in [0, 1, 2, 30, 62, 63, 64, 65, 130] {
            let mut text = vec![b'x'; before];
            text.extend_from_slice(b",\"");
            text.extend(std::iter::repeat_n(b'\n', length));
            text.extend_from_slice(b"\",y\nz");
            check(&text, &[before], 1);
            text.remove(before);
            check(&text, &[before], 1);
        }
    }
}

#[test]
fn regular_rows_are_known_to_be_literal_wherever_blocks_end() {
    for before in 0..140 {
        let text = [&vec![b'x'; before][..], br#","a,b","","c"#, b"\n", br#"d",e"#].concat();
        let mut fields = Vec::new();
        assert!(split_quoted(&text, Quoting::CSV, 0, usize::MAX, &mut fields).is_literal);
        assert_eq!(fields.len(), 5);
        for odd in [&br#","a""b",c"#[..], b",\"a\r\nb\",c", br#","ab"c,d"#, br#","abc"#] {
            let text = [&vec![b'x'; before][..], odd].concat();
            assert!(
                !split_quoted(&text, Quoting::CSV, 0, usize::MAX, &mut fields).is_literal,
                "{before}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn rows_and_fields_equal_the_twins_however_cut(
        text in proptest::collection::vec(proptest::sample::select(&b"\"\"\",,\n\nab\r\xC3'\t"[..]), 0..400),
        cuts in proptest::collection::vec(0usize..400, 0..6),
        step in 1usize..9,
    ) {
        check(&text, &cuts, step);
    }

    #[test]
    fn regular_text_equals_the_twins_however_cut(
        fields in proptest::collection::vec(("[ab,\n\"é]{0,9}", 0..3u8), 0..60),
        cuts in proptest::collection::vec(0usize..400, 0..6),
        step in 1usize..9,
    ) {
        let mut text = Vec::new();
        for (field, end) in fields {
            text.push(b'"');
            text.extend_from_slice(field.replace('"', "\"\"").as_bytes());
            text.extend_from_slice(if end == 0 { b"\"\n" } else { b"\"," });
        }
        check(&text, &cuts, step);
    }
}
