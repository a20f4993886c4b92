//! The record against a model that splits eagerly.

use super::*;
use proptest::prelude::*;
use riverhawk_regex::{Options, Regex};
use riverhawk_text::Unit;
use std::rc::Rc;

#[derive(Clone, Copy, Debug)]
enum Cut {
    Blanks,
    Comma,
    CommaAndSpaces,
    Characters,
}

impl Cut {
    fn splitter(self) -> Splitter {
        match self {
            Cut::Blanks => Splitter::Blanks,
            Cut::Comma => Splitter::Byte(b','),
            Cut::CommaAndSpaces => {
                Splitter::Regex(Rc::new(Regex::new(b", *", &Options::default()).expect("a regex")))
            }
            Cut::Characters => Splitter::Characters(Unit::CodePoint),
        }
    }

    fn naively(self, text: &str) -> Vec<String> {
        match self {
            Cut::Blanks => text
                .split([' ', '\t', '\n'])
                .filter(|piece| !piece.is_empty())
                .map(str::to_owned)
                .collect(),
            Cut::Characters => text.chars().map(String::from).collect(),
            _ if text.is_empty() => Vec::new(),
            Cut::Comma => text.split(',').map(str::to_owned).collect(),
            Cut::CommaAndSpaces => {
                let pieces = text.split(',').enumerate();
                pieces
                    .map(|(at, piece)| {
                        if at == 0 { piece } else { piece.trim_start_matches(' ') }.to_owned()
                    })
                    .collect()
            }
        }
    }
}

#[derive(Clone, Debug)]
enum Act {
    /// The next record, in the window.
    Read(String),
    /// The window will be overwritten.
    Refill,
    /// The window's block is handed over.
    GiveBlock,
    /// `$0 = ...`
    SetText(String),
    /// `$0 = substr($0, 2)`, whose source is the old text.
    CutText,
    /// What `sub` does to `$0`.
    SwapText(String),
    /// What `sub` does that only takes away characters at the start or the end.
    Cut(usize, usize),
    /// `$n = ...`
    SetField(usize, String),
    /// `$n = number`
    SetNumber(usize, i32),
    /// `NF = n`
    SetCount(usize),
    /// `sub(/no match/, "", $n)`
    Reach(usize),
    /// `FS = ...`
    SetCut(Cut),
    ReadField(usize),
    ReadText,
    ReadCount,
}

fn act() -> impl Strategy<Value = Act> {
    let text = || "[ab, \té]{0,12}";
    let cut = prop_oneof![
        Just(Cut::Blanks),
        Just(Cut::Comma),
        Just(Cut::CommaAndSpaces),
        Just(Cut::Characters)
    ];
    prop_oneof![
        3 => text().prop_map(Act::Read),
        1 => Just(Act::Refill),
        1 => Just(Act::GiveBlock),
        1 => text().prop_map(Act::SetText),
        1 => Just(Act::CutText),
        1 => text().prop_map(Act::SwapText),
        2 => (0..4usize, 0..4usize).prop_map(|(first, last)| Act::Cut(first, last)),
        3 => (1..8usize, text()).prop_map(|(n, text)| Act::SetField(n, text)),
        1 => (1..8usize, any::<i32>()).prop_map(|(n, number)| Act::SetNumber(n, number)),
        2 => (0..8usize).prop_map(Act::SetCount),
        1 => (1..8usize).prop_map(Act::Reach),
        1 => cut.prop_map(Act::SetCut),
        4 => (1..8usize).prop_map(Act::ReadField),
        3 => Just(Act::ReadText),
        3 => Just(Act::ReadCount),
    ]
}

/// Joins `$0` on reading, since a field named as a target becomes part of it, as in gawk.
struct Model {
    text: String,
    stale: bool,
    fields: Vec<String>,
    cut: Cut,
}

impl Model {
    fn set_text(&mut self, text: &str) {
        self.text = text.to_owned();
        self.stale = false;
        self.fields = self.cut.naively(text);
    }

    fn reach(&mut self, n: usize) {
        if self.fields.len() < n {
            self.fields.resize(n, String::new());
        }
    }

    fn whole(&mut self) -> &str {
        if std::mem::take(&mut self.stale) {
            self.text = self.fields.join("-");
        }
        &self.text
    }
}

struct Subject {
    record: Record,
    window: Vec<u8>,
    convfmt: NumberFormat,
}

impl Subject {
    fn read(&mut self, text: &str) {
        self.overwrite_window();
        self.window = format!("before{text}after").into_bytes();
        // SAFETY: the window is unchanged until `overwrite_window`, which calls `leave_window`
        // first, or until the record owns the block.
        unsafe {
            self.record.set_window(&self.window[6..], text.len(), Ascii::when(text.is_ascii()))
        };
    }

    fn overwrite_window(&mut self) {
        self.record.leave_window();
        self.window.fill(b'#');
    }

    fn whole(&mut self) -> String {
        let value =
            self.record.whole(Joining { separator: b"-", convfmt: &self.convfmt, row: None });
        String::from_utf8_lossy(value.bytes(self.record.text()).expect("text")).into_owned()
    }

    fn field(&mut self, n: usize) -> String {
        let value = self.record.field(n);
        let mut scratch = Vec::new();
        String::from_utf8_lossy(value.text(self.record.text(), &self.convfmt, &mut scratch))
            .into_owned()
    }
}

fn same_as_the_model(acts: Vec<Act>, expected_fields: usize) -> Result<(), TestCaseError> {
    let mut model =
        Model { text: String::new(), stale: false, fields: Vec::new(), cut: Cut::Blanks };
    let mut subject = Subject {
        record: Record::new(Splitter::Blanks),
        window: Vec::new(),
        convfmt: NumberFormat::parse(b"%.6g"),
    };
    subject.record.expect_fields(1..=expected_fields);
    for act in acts {
        match act {
            Act::Read(text) => {
                subject.read(&text);
                model.set_text(&text);
            }
            Act::Refill => subject.overwrite_window(),
            Act::GiveBlock => {
                // A wrong start must be harmless.
                let block = std::mem::take(&mut subject.window);
                let text = subject.record.text().as_ptr() as usize;
                let start_at = text.wrapping_sub(block.as_ptr() as usize);
                let start_at = if start_at < block.len() { start_at } else { 6 };
                subject.record.leave_window_with(block, start_at);
            }
            Act::SetText(text) => {
                subject.record.set_text(text.as_bytes(), TextKind::Text);
                model.set_text(&text);
            }
            Act::CutText => {
                let text: String = model.whole().chars().skip(1).collect();
                let whole = subject.whole();
                subject
                    .record
                    .set_text(&whole.as_bytes()[whole.len() - text.len()..], TextKind::Input);
                model.set_text(&text);
            }
            Act::SwapText(text) => {
                let mut out = text.clone().into_bytes();
                subject.record.swap_text(&mut out, Ascii::when(text.is_ascii()));
                model.set_text(&text);
            }
            Act::Cut(first, last) => {
                let text = subject.whole();
                let before: usize = text.chars().take(first).map(char::len_utf8).sum();
                let after: usize =
                    text[before..].chars().rev().take(last).map(char::len_utf8).sum();
                let end = text.len() - after;
                subject.record.cut(before, end);
                model.whole();
                model.set_text(&text[before..end]);
            }
            Act::SetField(n, text) => {
                subject.record.set_field(n, Value::from_input(text.as_bytes()));
                model.reach(n);
                model.fields[n - 1] = text;
                model.stale = true;
            }
            Act::SetNumber(n, number) => {
                subject.record.set_field(n, Value::Num(f64::from(number)));
                model.reach(n);
                model.fields[n - 1] = number.to_string();
                model.stale = true;
            }
            Act::SetCount(count) => {
                // As the runtime does, pending assignments are joined first.
                subject.whole();
                model.whole();
                subject.record.set_count(count, Value::Num(count as f64));
                model.fields.resize(count, String::new());
                model.stale = true;
            }
            Act::Reach(n) => {
                subject.record.reach(n);
                model.reach(n);
            }
            Act::SetCut(cut) => {
                subject.record.set_splitter(cut.splitter());
                model.cut = cut;
            }
            Act::ReadField(n) => {
                let expected = model.fields.get(n - 1).map_or("", String::as_str);
                prop_assert_eq!(subject.field(n), expected);
                if let Some(view) = subject.record.known_field(n) {
                    prop_assert_eq!(view.of(subject.record.text()), expected.as_bytes());
                }
            }
            Act::ReadText => prop_assert_eq!(subject.whole(), model.whole()),
            Act::ReadCount => prop_assert_eq!(subject.record.count(), model.fields.len()),
        }
        if let Some(count) = subject.record.known_count() {
            prop_assert_eq!(count, model.fields.len());
        }
        if subject.record.is_ascii() && !subject.record.is_stale() {
            prop_assert!(subject.record.text().is_ascii());
        }
        let record = &subject.record;
        prop_assert!(record.text_and_behind().starts_with(record.text()));
    }
    prop_assert_eq!(subject.record.count(), model.fields.len());
    let fields: Vec<String> = (1..=model.fields.len()).map(|n| subject.field(n)).collect();
    prop_assert_eq!(&fields, &model.fields);
    prop_assert_eq!(subject.whole(), model.whole());
    Ok(())
}

proptest! {
    #[test]
    fn split_as_far_as_asked_is_what_splitting_at_once_gives(
        acts in proptest::collection::vec(act(), 0..40),
        expected_fields in 0usize..4,
    ) {
        same_as_the_model(acts, expected_fields)?;
    }
}

#[test]
fn a_view_taken_before_the_window_moves_reads_the_same_after_it() {
    let mut window = b"one two three".to_vec();
    let mut record = Record::new(Splitter::Blanks);
    // SAFETY: the window is overwritten only after `leave_window`.
    unsafe { record.set_window(&window, window.len(), Ascii::Certain) };
    let Value::View(second) = record.field(2) else { panic!("a field of the window is a view") };
    record.leave_window();
    window.fill(b'#');
    assert_eq!(second.of(record.text()), b"two");
    assert_eq!(record.field(3).bytes(record.text()), Some(&b"three"[..]));
}

#[test]
fn a_block_too_short_for_the_record_is_copied_from_instead_of_kept() {
    let window = b"some record".to_vec();
    let mut record = Record::new(Splitter::Blanks);
    // SAFETY: the window goes to `leave_window_with`, which reads it before dropping it.
    unsafe { record.set_window(&window[5..], 6, Ascii::Certain) };
    record.leave_window_with(window, 7);
    assert_eq!(record.text(), b"record");
}

#[test]
fn fields_are_found_only_as_far_as_asked() {
    let mut record = Record::new(Splitter::Byte(b','));
    record.set_text(b"a,b,c,d,e,f", TextKind::Input);
    assert_eq!(record.fields.len(), 0);
    record.field(2);
    assert!(record.fields.len() < 6, "{} fields were found for the second", record.fields.len());
    assert_eq!(record.count(), 6);
}

#[test]
fn fields_are_counted_once() {
    let mut record = Record::new(Splitter::Blanks);
    for text in ["a b c", "a"] {
        record.set_text(text.as_bytes(), TextKind::Input);
        assert_eq!(record.known_count(), None);
        let count = record.count();
        assert_eq!((record.fields.len(), record.known_count()), (0, Some(count)));
    }
}

#[test]
fn fields_are_the_same_among_the_marks_and_behind_them() {
    let mut record = Record::new(Splitter::Blanks);
    record.expect_fields([1, 6, 3].into_iter());
    // So many that the marks are given up, for long records and then for short ones, too.
    for length in (0..90).chain((0..30).cycle().take(90)).chain(60..70) {
        let words: Vec<String> = (1..=5).map(|at| "x".repeat(length * at / 15 + 1)).collect();
        let window = format!(" {}  {} behind", words.join("\t "), "y".repeat(20));
        let text = &window[..window.len() - " behind".len()];
        // SAFETY: the window is left before it is dropped.
        unsafe { record.set_window(window.as_bytes(), text.len(), Ascii::Certain) };
        for n in [3, 1, 7, 6, 5, 3] {
            let field = record.field(n);
            let field = field.bytes(record.text()).expect("text");
            let expected = text.split_whitespace().nth(n - 1).unwrap_or("");
            assert_eq!(field, expected.as_bytes(), "field {n} of {text:?}");
        }
        assert_eq!(record.count(), 6);
        record.leave_window();
    }
}

#[test]
fn a_footprint_counts_what_is_held() {
    let mut record = Record::new(Cut::Comma.splitter());
    let empty = record.footprint();
    record.set_text("a,bc,".repeat(1_000).as_bytes(), TextKind::Input);
    let text = record.footprint();
    assert!((empty + 5_000..empty + 10_100).contains(&text), "{text}");
    assert_eq!(record.count(), 2_001);
    let split = record.footprint();
    assert!((text + 8 * 2_001..text + 8 * 4_100).contains(&split), "{split} after {text}");
    record.set_field(2_001, Value::Num(1.0));
    let assigned = record.footprint() - split;
    assert!((16 * 2_001..16 * 4_100).contains(&assigned), "{assigned}");
    let window = [b'x'; 3_000];
    let before = record.footprint();
    // SAFETY: the window outlives the record's use of it.
    unsafe { record.set_window(&window, window.len(), Ascii::Certain) };
    assert_eq!(record.footprint(), before + 3_000);
    record.leave_window();
    assert!((before..before + 3_000).contains(&record.footprint()), "there was room for it");
}
