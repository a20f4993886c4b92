//! Operations on texts, by helpers.

use super::piece::Piece;
use super::{FLAGS, Lowering, TruthUse};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, BlockArg, InstBuilder, types};
use riverhawk_spesh::ir::{List, Order, Performer, Slot, Text};
use riverhawk_value::SmallStr;
use riverhawk_value::layout::{self, tag};
use riverhawk_vm::native::Helper;

impl Lowering<'_> {
    pub(super) fn text(&mut self, text: Text, truth: TruthUse) -> Option<clif::Value> {
        match text {
            Text::Concat { d, a, b } => {
                let slots = [d, a, b].map(|slot| self.address(slot));
                self.call(Helper::Concat, &slots)
            }
            Text::Argument { d, s } => self.truth_of_slots(Helper::Argument, d, s),
            Text::ConcatAll { d, list } => self.with_list(Helper::ConcatAll, d, list),
            Text::JoinKey { d, list } => self.with_list(Helper::JoinKey, d, list),
            Text::Append { v, s } => self.with_slots(Helper::Append, v, s),
            Text::View { view, want } => Some(self.view(view, want, truth)),
            Text::KnownSize { s, compared } => {
                let (s, compared) = (self.address(s), self.word(u32::from(compared)));
                Some(self.call_rarely_for(Helper::KnownSize, &[s, compared]))
            }
            Text::KnownAt { s } => Some(self.known_at(s)),
            Text::Substr { view: true, d, s, from, length, .. } => {
                self.part(d, Piece { s, from, length, known: None });
                None
            }
            Text::Substr { d, s, from, length: Some(length), known, .. }
                if self.constants.get(&length) == Some(&1.0) =>
            {
                self.one_character(d, s, from, known);
                None
            }
            Text::Substr { d, s, from, length, .. } => {
                let mut arguments = vec![self.address(d), self.address(s), self.take_number(from)];
                arguments.extend(length.map(|length| self.take_number(length)));
                let helper = if length.is_some() { Helper::Substr } else { Helper::SubstrFrom };
                self.call(helper, &arguments)
            }
            Text::ChangeCase { d, s, upper: false } => self.with_slots(Helper::Lower, d, s),
            Text::ChangeCase { d, s, upper: true } => self.with_slots(Helper::Upper, d, s),
            Text::Index { s, t, byte: Some(byte) } => Some(self.index_of_byte(s, t, byte)),
            Text::Index { s, t, byte: None } => self.with_slots(Helper::Index, s, t),
            Text::TakeFormatted { d } => {
                let d = self.address(d);
                self.call(Helper::TakeFormatted, &[d])
            }
            Text::OwnField { d, n } => {
                let (d, n) = (self.address(d), self.word(n));
                self.call(Helper::OwnField, &[d, n])
            }
            Text::BeginKeys { d, array } => self.with_slots(Helper::BeginKeys, d, array),
            Text::NextKey { d, keys } => self.truth_of_slots(Helper::NextKey, d, keys),
            Text::HasUnder { array, key } => self.truth_of_slots(Helper::HasUnder, array, key),
            Text::DeleteUnder { array, key } => self.with_slots(Helper::DeleteUnder, array, key),
        }
    }

    fn with_slots(&mut self, helper: Helper, a: Slot, b: Slot) -> Option<clif::Value> {
        let (a, b) = (self.address(a), self.address(b));
        self.call(helper, &[a, b])
    }

    fn truth_of_slots(&mut self, helper: Helper, a: Slot, b: Slot) -> Option<clif::Value> {
        let word = self.with_slots(helper, a, b)?;
        Some(self.builder.ins().icmp_imm_u(IntCC::NotEqual, word, 0))
    }

    fn with_list(&mut self, helper: Helper, d: Slot, list: List) -> Option<clif::Value> {
        let base = self.address(Slot::Register(list.base));
        let (d, at, count) = (self.address(d), self.word(list.at), self.word(list.count));
        self.call(helper, &[base, d, at, count])
    }

    /// When one slot holds text: no numeric comparison, and equality by bytes.
    pub(super) fn compare_texts(&mut self, order: Order, a: Slot, b: Slot) -> clif::Value {
        let slots = [self.address(a), self.address(b)];
        match order {
            Order::Equal | Order::NotEqual => {
                // A static more often is a text of the program, a register input.
                let (a, b) = if let Slot::Static(_) = a { (b, a) } else { (a, b) };
                let condition = if order == Order::Equal { IntCC::NotEqual } else { IntCC::Equal };
                let equal = self.equal_texts(a, b, slots);
                self.builder.ins().icmp_imm_u(condition, equal, 0)
            }
            Order::Less | Order::LessEqual => {
                let found = self.call_for(Helper::Compare, &slots);
                self.ordered(order, found)
            }
        }
    }

    /// Whether a slot holds this text. That of a short text is in two words; a view mostly differs in
    /// length or in the first byte.
    pub(super) fn equals_text(
        &mut self,
        slot: Slot,
        constant: Slot,
        text: SmallStr,
    ) -> clif::Value {
        let place = self.place(slot);
        let [short, no_short, view, look, ask, on] = [(); 6].map(|()| self.builder.create_block());
        let equal = self.builder.append_block_param(on, types::I8);
        let no = self.builder.ins().iconst(types::I8, 0);
        if !text.is_empty() {
            let is_plain = self.cares_for_case();
            self.continue_if(is_plain, ask);
        }
        let tag = self.tag_at(place);
        let is_short = self.is_tag_of_two(tag, tag::SMALL);
        self.builder.ins().brif(is_short, short, &[], no_short, &[]);

        self.builder.switch_to_block(short);
        let is_same = self.is_short_text(place, text);
        self.builder.ins().jump(on, &[BlockArg::Value(is_same)]);

        self.builder.switch_to_block(no_short);
        let is_view = self.builder.ins().icmp_imm_u(IntCC::Equal, tag, i64::from(tag::VIEW));
        self.builder.ins().brif(is_view, view, &[], ask, &[]);

        self.builder.switch_to_block(view);
        let [at, size] = self.text_of_view(place);
        let is_as_long = self.builder.ins().icmp_imm_u(IntCC::Equal, size, text.len() as i64);
        let &[first, ..] = text.as_bytes() else {
            self.builder.ins().jump(on, &[BlockArg::Value(is_as_long)]);
            return self.asked_whether_equal([slot, constant], [ask, on], equal);
        };
        self.builder.ins().brif(is_as_long, look, &[], on, &[BlockArg::Value(no)]);
        self.builder.switch_to_block(look);
        let has = self.builder.ins().load(types::I8, FLAGS, at, 0);
        let is_same = self.builder.ins().icmp_imm_u(IntCC::Equal, has, i64::from(first));
        self.builder.ins().brif(is_same, ask, &[], on, &[BlockArg::Value(no)]);
        self.asked_whether_equal([slot, constant], [ask, on], equal)
    }

    fn asked_whether_equal(
        &mut self,
        slots: [Slot; 2],
        [ask, on]: [clif::Block; 2],
        equal: clif::Value,
    ) -> clif::Value {
        self.builder.switch_to_block(ask);
        let slots = slots.map(|slot| self.address(slot));
        let found = self.call_for(Helper::EqualTexts, &slots);
        let found = self.builder.ins().icmp_imm_u(IntCC::NotEqual, found, 0);
        self.builder.ins().jump(on, &[BlockArg::Value(found)]);
        self.builder.switch_to_block(on);
        equal
    }

    /// Whether a place that holds a short text holds this one.
    fn is_short_text(&mut self, (base, offset): (clif::Value, i32), text: SmallStr) -> clif::Value {
        if text.is_empty() {
            let length = offset + layout::SHORT_LENGTH_AT as i32;
            let length = self.builder.ins().load(types::I8, FLAGS, base, length);
            return self.builder.ins().icmp_imm_u(IntCC::Equal, length, 0);
        }
        let [low, high] = text.halves();
        let own = self.builder.ins().load(types::I64, FLAGS, base, offset);
        // The tags may differ.
        let own = self.builder.ins().ushr_imm_u(own, 8);
        let wanted = self.builder.ins().iconst(types::I64, (low >> 8) as i64);
        let is_same = self.builder.ins().icmp(IntCC::Equal, own, wanted);
        if text.len() <= layout::SIZE / 2 - layout::SHORT_BYTES_AT {
            // The length is the same, so there is no more.
            return is_same;
        }
        let own =
            self.builder.ins().load(types::I64, FLAGS, base, offset + layout::SIZE as i32 / 2);
        let wanted = self.builder.ins().iconst(types::I64, high as i64);
        let is_same_end = self.builder.ins().icmp(IntCC::Equal, own, wanted);
        self.builder.ins().band(is_same, is_same_end)
    }

    /// Not 0 if equal; inline if `b` is short text, and `a` short text or input.
    fn equal_texts(&mut self, a: Slot, b: Slot, slots: [clif::Value; 2]) -> clif::Value {
        let [of_a, of_b] = [a, b].map(|slot| self.place(slot));
        let (tag, text) = (self.tag_at(of_a), self.tag_is(of_b, tag::SMALL));
        let is_short = self.is_tag_of_two(tag, tag::SMALL);
        let both = self.builder.ins().band(is_short, text);
        let is_plain = self.cares_for_case();
        let all = self.builder.ins().band(both, is_plain);
        self.either(
            all,
            types::I32,
            |this| {
                let [low, high] = [0, layout::SIZE as i32 / 2].map(|half| {
                    let [a, b] = [of_a, of_b].map(|(base, offset)| {
                        this.builder.ins().load(types::I64, FLAGS, base, offset + half)
                    });
                    this.builder.ins().bxor(a, b)
                });
                // The tags may differ.
                let low = this.builder.ins().ushr_imm_u(low, 8);
                let differences = this.builder.ins().bor(low, high);
                let equal = this.builder.ins().icmp_imm_u(IntCC::Equal, differences, 0);
                this.builder.ins().uextend(types::I32, equal)
            },
            |this| this.call_for(Helper::EqualTexts, &slots),
        )
    }
}

pub(super) fn helper_of(performer: Performer) -> Helper {
    match performer {
        Performer::Interpreter => Helper::Perform,
        Performer::Print => Helper::Print,
        Performer::PrintJoined => Helper::PrintJoined,
        Performer::PrintJoinedTo => Helper::PrintJoinedTo,
        Performer::PrintRecord => Helper::PrintRecord,
        Performer::PrintTo => Helper::PrintTo,
        Performer::SetField => Helper::SetField,
        Performer::SetFieldAt => Helper::SetFieldAt,
        Performer::UpdateField => Helper::UpdateField,
        Performer::StepField => Helper::StepField,
        Performer::GetSpecial => Helper::GetSpecial,
        Performer::SetSpecial => Helper::SetSpecial,
        Performer::TakeElement => Helper::TakeElement,
        Performer::AppendElement => Helper::AppendElement,
        Performer::ClearArray => Helper::ClearArray,
        Performer::GetSubarray => Helper::GetSubarray,
        Performer::Getline => Helper::Getline,
        Performer::GetlineVar => Helper::GetlineVar,
        Performer::GetlineFrom => Helper::GetlineFrom,
        Performer::GetlineFromVar => Helper::GetlineFromVar,
        Performer::ArgumentByName => Helper::ArgumentByName,
        Performer::Library => Helper::Library,
        Performer::CallHost => Helper::CallHost,
        Performer::Format => Helper::Format,
        Performer::PrintFormatted => Helper::PrintFormatted,
        Performer::Matches => Helper::Matches,
        Performer::JumpMatches => Helper::JumpMatches,
        Performer::MatchAt => Helper::MatchAt,
        Performer::Substitute | Performer::CutEdge(_) => Helper::Substitute,
        Performer::Split => Helper::Split,
    }
}
