//! Operations on texts; those that may fail are the interpreter's.

use super::super::build::Builder;
use super::super::function::*;
use super::super::slot::Slot;
use super::super::tags::TagSet;
use super::super::text::Text;
use super::super::value::List;
use super::super::view::Want;
use riverhawk_bytecode::{Dst, Op, Src, Srcs};
use riverhawk_value::layout::tag;

impl Builder<'_> {
    pub(super) fn text(&mut self, at: u32, op: &Op) -> bool {
        match *op {
            Op::Argument { d, s } => {
                self.settle(s.into());
                self.settle_before_clobber(at, at + 1);
                let copied = self.truth(Inst::Text(Text::Argument { d: d.into(), s: s.into() }));
                // The interpreter reports the use of an array.
                self.demand(at, copied, ExitReason::Operand);
                let tags = if self.is_text(s.into()) { TagSet::TEXT } else { TagSet::ANY };
                self.set_memory(d.into(), tags);
            }
            Op::Concat { d, a, b } => {
                self.settle_operands(at);
                self.text_to(
                    at,
                    d,
                    Text::Concat { d: d.into(), a: a.into(), b: b.into() },
                    TagSet::TEXT,
                );
            }
            Op::ConcatAll { d, parts } => {
                self.settle_operands(at);
                self.text_to(
                    at,
                    d,
                    Text::ConcatAll { d: d.into(), list: list(parts) },
                    TagSet::TEXT,
                );
            }
            Op::Append { v, s } if v.src() != s => {
                self.settle_operands(at);
                self.text_to(at, v, Text::Append { v: v.into(), s: s.into() }, TagSet::TEXT);
            }
            Op::SubstrFrom { view, d, s, m } => self.substr(at, view, d, s, m, None),
            Op::Substr { view, d, s, m, n } => self.substr(at, view, d, s, m, Some(n)),
            Op::ToLower { d, s } | Op::ToUpper { d, s } => {
                self.settle(s.into());
                let upper = matches!(op, Op::ToUpper { .. });
                self.text_to(
                    at,
                    d,
                    Text::ChangeCase { d: d.into(), s: s.into(), upper },
                    TagSet::TEXT,
                );
            }
            Op::Index { d, s, t } => {
                if let Some(found) = self.of_view(at, s, Want::Index { t: t.into() }) {
                    self.set_number(d.into(), found);
                    return true;
                }
                self.settle_operands(at);
                self.settle_before_clobber(at, at + 1);
                let text = self.constant(t.into()).and_then(|constant| constant.text);
                let byte = text.and_then(|text| match *text.as_bytes() {
                    [byte] if byte.is_ascii() => Some(byte),
                    _ => None,
                });
                self.set_to(d, Inst::Text(Text::Index { s: s.into(), t: t.into(), byte }));
            }
            Op::TakeFormatted { d } => {
                self.text_to(at, d, Text::TakeFormatted { d: d.into() }, TagSet::TEXT)
            }
            Op::OwnField { d, n } => {
                self.text_to(at, d, Text::OwnField { d: d.into(), n: n.0 }, TagSet::ANY)
            }
            Op::JoinKey { d, parts } => {
                self.settle_operands(at);
                self.text_to(at, d, Text::JoinKey { d: d.into(), list: list(parts) }, TagSet::TEXT);
            }
            Op::BeginKeys { d, array } if self.expect_array(at, array) => {
                self.text_to(
                    at,
                    d,
                    Text::BeginKeys { d: d.into(), array: array.into() },
                    TagSet::ANY,
                );
            }
            Op::HasElement { d, array, key } if self.expect_array(at, array) => {
                if let Some(has) = self.of_view(at, key, Want::Has { array: array.into() }) {
                    self.set_to(d, Inst::FromTruth(has));
                    return true;
                }
                self.settle(key.into());
                self.settle_before_clobber(at, at + 1);
                let has =
                    self.truth(Inst::Text(Text::HasUnder { array: array.into(), key: key.into() }));
                self.set_to(d, Inst::FromTruth(has));
            }
            Op::DeleteElement { array, key } if self.expect_array(at, array) => {
                self.settle(key.into());
                self.settle_before_clobber(at, at + 1);
                self.push(Inst::Text(Text::DeleteUnder { array: array.into(), key: key.into() }));
            }
            _ => return false,
        }
        true
    }

    fn substr(&mut self, at: u32, view: bool, d: Dst, s: Src, m: Src, n: Option<Src>) {
        let from = self.number(m.into());
        let length = n.map(|n| self.number(n.into()));
        self.settle(s.into());
        let is_one = n.is_some_and(|n| {
            self.constant(n.into()).and_then(|constant| constant.number) == Some(1.0)
        });
        // Machine code cuts one character, and a view, itself.
        if !view && !is_one {
            self.settle_before_clobber(at, at + 1);
        }
        let (d, s) = (d.into(), s.into());
        self.push(Inst::Text(Text::Substr { view, d, s, from, length, known: None }));
        let viewed = if view { TagSet::only(tag::VIEW) } else { TagSet::NONE };
        self.set_memory(d, TagSet::TEXT | viewed);
    }

    pub(super) fn next_key(&mut self, at: u32, d: Dst, keys: Dst, done: u32) -> BlockEnd {
        let (d, keys) = (Slot::from(d), Slot::from(keys));
        self.settle(d);
        self.settle_before_clobber(at, done);
        self.set_memory(d, TagSet::ANY);
        let found = self.truth(Inst::Text(Text::NextKey { d, keys }));
        self.branch(found, riverhawk_bytecode::CodeAt(done), at, false)
    }

    pub(super) fn settle_operands(&mut self, at: u32) {
        let op = &self.snapshot.code()[at as usize];
        let mut read = Vec::new();
        op.visit_slots(&self.snapshot.lists, |slot, access| {
            if access.reads() {
                read.push(Slot::from(slot));
            }
        });
        read.into_iter().for_each(|slot| self.settle(slot));
    }

    fn text_to(&mut self, at: u32, d: Dst, text: Text, tags: TagSet) {
        self.settle_before_clobber(at, at + 1);
        self.push(Inst::Text(text));
        self.set_memory(d.into(), tags);
    }

    /// Whether the slot holds text that is not input, and so compares as text.
    pub(super) fn is_text(&self, slot: Slot) -> bool {
        self.tags(slot).is_within(TagSet::TEXT)
    }
}

pub(super) fn list(parts: Srcs) -> List {
    List { at: parts.at, count: parts.count, base: 0 }
}
