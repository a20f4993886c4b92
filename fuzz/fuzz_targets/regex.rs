//! Any pattern on any text: no panic, and all searches agree.
//!
//! Input: one byte of options, the pattern up to the first 0xFE byte, the text.

#![cfg_attr(fuzzing, no_main)]

use riverhawk_regex::{Arrival, MatchProgress, Options, Partial, Regex};

riverhawk_fuzz::target!(|input: &[u8]| {
    let Some((&flags, rest)) = input.split_first() else { return };
    let cut = rest.iter().position(|&byte| byte == 0xfe).unwrap_or(rest.len());
    let (pattern, text) = (&rest[..cut], rest.get(cut + 1..).unwrap_or_default());
    // Long texts under wide intervals are slow, but not wrong.
    if pattern.len() > 200 || text.len() > 2_000 {
        return;
    }
    let options =
        Options { bytes: flags & 1 != 0, ignore_case: flags & 2 != 0, ..Options::default() };
    let regex = match Regex::new(pattern, &options) {
        Ok(regex) => regex,
        Err(error) => {
            assert!(error.offset() <= pattern.len());
            return;
        }
    };
    let found = regex.find(text);
    assert_eq!(regex.is_match(text), found.is_some());
    assert_eq!(regex.matches(text).next(), found);

    let mut groups = Vec::new();
    assert_eq!(regex.captures(text, &mut groups), found.is_some());
    if let Some(whole) = found {
        assert_eq!(groups[0], Some(whole));
        for group in groups.iter().flatten() {
            assert!(
                whole.start <= group.start && group.start <= group.end && group.end <= whole.end
            );
        }
    }

    let mut last_end = 0;
    for each in regex.matches(text) {
        assert!(each.start >= last_end && each.end >= each.start);
        last_end = each.end;
    }

    // In pieces, cut by the flags.
    let step = usize::from(flags >> 2).max(1);
    let (mut resume_at, mut seen) = (0, 0);
    let mut progress = MatchProgress::default();
    let streamed = loop {
        seen = (seen + step).min(text.len());
        let arrival = if seen == text.len() { Arrival::Complete } else { Arrival::Partial };
        match regex.find_in_stream(&text[..seen], resume_at, arrival, &mut progress) {
            Partial::Found(early) => break Some(early),
            Partial::NotYet { resume_from } => {
                assert!(resume_from >= resume_at);
                resume_at = resume_from;
            }
        }
        if seen == text.len() {
            break None;
        }
    };
    // There an empty match is none.
    assert_eq!(
        streamed,
        (0..text.len()).filter_map(|at| regex.find_at(text, at)).find(|found| !found.is_empty())
    );
});
