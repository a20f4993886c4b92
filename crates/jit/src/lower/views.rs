//! Unmaterialised strings. Pieces of ASCII, single ASCII characters and comparisons with short
//! constants are emitted inline; the rest calls helpers.
//!
//! `if (substr(s, i, 1) == "a")` takes about thirty instructions instead of 410.

use super::piece::{Piece, SlowComparison};
use super::{FLAGS, Lowering, TruthUse};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self as clif, BlockArg, InstBuilder, MemFlagsData, types};
use riverhawk_spesh::ir::{Known, List, Order, Slot, TagSet, Value, ValueType, View, Want};
use riverhawk_value::SmallStr;
use riverhawk_value::layout::{self, heap, tag};
use riverhawk_vm::native::{COMPARES_OTHERWISE_AT, Context, Helper, IGNORE_CASE_AT};

/// 2^52: from there to 2^53 doubles are the integers.
const INTEGERS_FROM: f64 = (1u64 << 52) as f64;

/// The highest bits of a short text's bytes, in the two halves of a value: set if not ASCII.
const HIGH_BITS: [i64; 2] = [0x8080_8080_8080_0000_u64 as i64, 0x8080_8080_8080_8080_u64 as i64];

/// In bytes; longer constants are compared by a helper.
const MAX_COMPARED: usize = 8;

#[derive(Clone, Copy)]
struct Bytes {
    at: clif::Value,
    size: clif::Value,
    /// 1 if its characters are known to be its bytes; `None` if not known.
    is_cut_by_bytes: Option<clif::Value>,
}

/// Address, size, flags, and whether its characters are its bytes.
struct LongText {
    text: clif::Value,
    size: clif::Value,
    facts: clif::Value,
    is_ascii: clif::Value,
}

impl Lowering<'_> {
    pub(super) fn view(&mut self, view: View, want: Want, truth: TruthUse) -> clif::Value {
        if let (
            View::Piece { s, from, length, known: Some(known) },
            Want::Equals { other, text: Some(text) },
        ) = (view, want)
            && text.len() <= MAX_COMPARED
        {
            let piece = Piece { s, from, length, known: Some(known) };
            return self.known_piece_equals(piece, other, text, truth);
        }
        let bytes = match view {
            View::Piece { s, from, length, known } => self.piece(Piece { s, from, length, known }),
            View::Case { s, upper } => {
                let (s, upper) = (self.address(s), self.word(u32::from(upper)));
                self.found(Helper::ViewCase, &[s, upper])
            }
            View::Joined { a, b } => {
                let (a, b) = (self.address(a), self.address(b));
                self.found(Helper::ViewJoined, &[a, b])
            }
            View::JoinedAll(list) => self.found_in_list(Helper::ViewJoinedAll, list),
            View::Key(list) => self.found_in_list(Helper::ViewKey, list),
        };
        let Bytes { at, size, .. } = bytes;
        match want {
            Want::Length => match bytes.is_cut_by_bytes {
                Some(known) => self.either(
                    known,
                    types::F64,
                    |this| this.builder.ins().fcvt_from_sint(types::F64, size),
                    |this| this.call_rarely_for(Helper::LengthOfView, &[at, size]),
                ),
                None => self.call_for(Helper::LengthOfView, &[at, size]),
            },
            Want::Number => self.call_for(Helper::NumberOfView, &[at, size]),
            Want::Index { t } => {
                let t = self.address(t);
                self.call_for(Helper::IndexInView, &[at, size, t])
            }
            Want::Equals { other, text } => match text.filter(|text| text.len() <= MAX_COMPARED) {
                Some(text) => self.equals_short(bytes, other, text),
                None => self.equals_other(bytes, other),
            },
            Want::Order { order, other, byte, view_first } => {
                let other = self.address(other);
                match byte.filter(|_| bytes.is_cut_by_bytes.is_some()) {
                    Some(byte) => {
                        let is_plain = self.compares_by_bytes();
                        self.either(
                            is_plain,
                            types::I8,
                            |this| this.is_ordered(bytes, byte, order, view_first),
                            |this| {
                                let found =
                                    this.call_rarely_for(Helper::OrderOfView, &[at, size, other]);
                                this.view_ordered(order, found, view_first)
                            },
                        )
                    }
                    None => {
                        let found = self.call_for(Helper::OrderOfView, &[at, size, other]);
                        self.view_ordered(order, found, view_first)
                    }
                }
            }
            Want::Has { array } => {
                let array = self.address(array);
                let has = self.call_for(Helper::HasUnderView, &[array, at, size]);
                self.builder.ins().icmp_imm_u(IntCC::NotEqual, has, 0)
            }
            Want::Element { array } => {
                let array = self.address(array);
                self.call_for(Helper::ElementUnderView, &[array, at, size])
            }
        }
    }

    fn found(&mut self, helper: Helper, arguments: &[clif::Value]) -> Bytes {
        self.call(helper, arguments);
        let (at, size) = self.found_text();
        Bytes { at, size, is_cut_by_bytes: None }
    }

    fn found_in_list(&mut self, helper: Helper, list: List) -> Bytes {
        let base = self.address(Slot::Register(list.base));
        let (at, count) = (self.word(list.at), self.word(list.count));
        self.found(helper, &[base, at, count])
    }

    fn found_text(&mut self) -> (clif::Value, clif::Value) {
        let at = self.builder.ins().load(types::I64, FLAGS, self.context, Context::TEXT_AT as i32);
        let size =
            self.builder.ins().load(types::I64, FLAGS, self.context, Context::TEXT_SIZE_AT as i32);
        (at, size)
    }

    fn piece(&mut self, piece: Piece) -> Bytes {
        let [slow, on] = [(); 2].map(|()| self.builder.create_block());
        self.builder.set_cold_block(slow);
        let [at, size] = [(); 2].map(|()| self.builder.append_block_param(on, types::I64));
        let known = self.builder.append_block_param(on, types::I8);
        let (first, count) = self.piece_of_ascii(piece, slow);
        let count = match count {
            Some(count) => count,
            None => self.builder.ins().iconst(types::I64, 1),
        };
        let yes = self.builder.ins().iconst(types::I8, 1);
        self.builder.ins().jump(on, &[first, count, yes].map(BlockArg::Value));

        self.builder.switch_to_block(slow);
        let (found, bytes) = self.piece_by_helper(piece);
        let no = self.builder.ins().iconst(types::I8, 0);
        self.builder.ins().jump(on, &[found, bytes, no].map(BlockArg::Value));
        self.builder.switch_to_block(on);
        Bytes { at, size, is_cut_by_bytes: Some(known) }
    }

    /// Address and size, 0 if empty. To the slow block unless characters are bytes and the numbers
    /// whole and within the text.
    fn piece_of_ascii(
        &mut self,
        piece: Piece,
        otherwise: clif::Block,
    ) -> (clif::Value, Option<clif::Value>) {
        let (start, whole) = self.ascii(piece.s, piece.known, otherwise);
        let index = self.index_below(piece.from, 1.0, whole, otherwise);
        let count = match piece.length {
            Some(length) if self.constants.get(&length) == Some(&1.0) => None,
            Some(length) => {
                let most = self.builder.ins().iconst(types::I64, 1 << 51);
                let length = self.index_below(length, 0.0, most, otherwise);
                let rest = self.builder.ins().isub(whole, index);
                let is_less = self.builder.ins().icmp(IntCC::UnsignedLessThan, length, rest);
                Some(self.builder.ins().select(is_less, length, rest))
            }
            None => Some(self.builder.ins().isub(whole, index)),
        };
        (self.builder.ins().iadd(start, index), count)
    }

    fn piece_by_helper(
        &mut self,
        Piece { s, from, length, .. }: Piece,
    ) -> (clif::Value, clif::Value) {
        let (s, from) = (self.address(s), self.take_number(from));
        let length = match length {
            Some(length) => self.take_number(length),
            None => self.builder.ins().f64const(f64::INFINITY),
        };
        self.call_rarely(Helper::ViewPiece, &[s, from, length]);
        self.found_text()
    }

    fn view_ordered(&mut self, order: Order, found: clif::Value, view_first: bool) -> clif::Value {
        match view_first {
            true => self.ordered(order, found),
            false => self.ordered_exchanged(order, found),
        }
    }

    /// For a text whose address is known, when case matters.
    fn known_piece_equals(
        &mut self,
        piece: Piece,
        other: Slot,
        text: SmallStr,
        truth: TruthUse,
    ) -> clif::Value {
        let slow = self.builder.create_block();
        self.builder.set_cold_block(slow);
        let (at, size) = self.piece_of_ascii(piece, slow);
        let equal = match (size, text.as_bytes()) {
            (None, &[byte]) => {
                let has = self.builder.ins().load(types::I8, FLAGS, at, 0);
                self.builder.ins().icmp_imm_u(IntCC::Equal, has, i64::from(byte))
            }
            (None, _) => self.builder.ins().iconst(types::I8, 0),
            (Some(size), text) => self.is_spelled(Bytes { at, size, is_cut_by_bytes: None }, text),
        };
        if truth == TruthUse::Branch {
            self.slow_comparison = Some(SlowComparison { block: slow, piece, other });
            return equal;
        }
        let on = self.builder.create_block();
        let result = self.builder.append_block_param(on, types::I8);
        self.builder.ins().jump(on, &[BlockArg::Value(equal)]);
        let equal = self.equals_slowly(SlowComparison { block: slow, piece, other });
        self.builder.ins().jump(on, &[BlockArg::Value(equal)]);
        self.builder.switch_to_block(on);
        result
    }

    pub(super) fn equals_slowly(
        &mut self,
        SlowComparison { block, piece, other }: SlowComparison,
    ) -> clif::Value {
        self.builder.switch_to_block(block);
        let (at, size) = self.piece_by_helper(piece);
        let other = self.address(other);
        let equal = self.call_rarely_for(Helper::EqualsView, &[at, size, other]);
        self.builder.ins().icmp_imm_u(IntCC::NotEqual, equal, 0)
    }

    /// In the slot if the text is short, in the record if it is a view.
    pub(super) fn known_at(&mut self, s: Slot) -> clif::Value {
        let place = self.place(s);
        let tag = self.tag_at(place);
        let is_short = self.is_tag_of_two(tag, tag::SMALL);
        let short = self
            .builder
            .ins()
            .iadd_imm_s(place.0, i64::from(place.1) + layout::SHORT_BYTES_AT as i64);
        let text =
            self.builder.ins().load(types::I64, FLAGS, place.0, place.1 + layout::TEXT_AT as i32);
        let long = self.builder.ins().iadd_imm_s(text, heap::BYTES as i64);
        let own = self.builder.ins().select(is_short, short, long);
        if let Slot::Static(_) = s {
            return own;
        }
        let is_view = self.builder.ins().icmp_imm_u(IntCC::Equal, tag, i64::from(tag::VIEW));
        let [viewed, _] = self.text_of_view(place);
        self.builder.ins().select(is_view, viewed, own)
    }

    /// Of a whole number from `origin`, below a limit; otherwise to the slow block.
    pub(super) fn index_below(
        &mut self,
        number: Value,
        origin: f64,
        limit: clif::Value,
        otherwise: clif::Block,
    ) -> clif::Value {
        if let Some(&number) = self.constants.get(&number)
            && number.fract() == 0.0
            && (origin..origin + f64::from(u32::MAX)).contains(&number)
        {
            let index = self.builder.ins().iconst(types::I64, (number - origin) as i64);
            let is_below = self.builder.ins().icmp(IntCC::UnsignedLessThan, index, limit);
            self.continue_if(is_below, otherwise);
            return index;
        }
        let integer = match self.function.type_of(number) {
            ValueType::Integer => Some(self.take(number)),
            _ => self.whole.get(&number).copied(),
        };
        if let Some(integer) = integer {
            let index = self.builder.ins().iadd_imm_s(integer, -(origin as i64));
            let is_below = self.builder.ins().icmp(IntCC::UnsignedLessThan, index, limit);
            self.continue_if(is_below, otherwise);
            return index;
        }
        let number = self.take(number);
        let far = self.builder.ins().f64const(INTEGERS_FROM - origin);
        let sum = self.builder.ins().fadd(number, far);
        let back = self.builder.ins().fsub(sum, far);
        let is_whole = self.builder.ins().fcmp(FloatCC::Equal, back, number);
        let bits = self.builder.ins().bitcast(types::I64, MemFlagsData::new(), sum);
        let base = self.builder.ins().iconst(types::I64, INTEGERS_FROM.to_bits() as i64);
        let index = self.builder.ins().isub(bits, base);
        let is_below = self.builder.ins().icmp(IntCC::UnsignedLessThan, index, limit);
        let both = self.builder.ins().band(is_whole, is_below);
        self.continue_if(both, otherwise);
        index
    }

    /// If characters are known to be bytes; otherwise to the slow block, or none.
    fn ascii(
        &mut self,
        s: Slot,
        known: Option<Known>,
        otherwise: clif::Block,
    ) -> (clif::Value, clif::Value) {
        if let Some(known) = known {
            return (self.take(known.at), self.take(known.size));
        }
        let [long, other, short, on, short_on] = [(); 5].map(|()| self.builder.create_block());
        let [at, size] = [(); 2].map(|()| self.builder.append_block_param(on, types::I64));
        let place = self.place(s);
        let tag = self.tag_at(place);
        let LongText { text, size: length, is_ascii, .. } = self.long_text(place, tag, long, other);
        let bytes = self.builder.ins().iadd_imm_s(text, heap::BYTES as i64);
        self.builder.ins().brif(
            is_ascii,
            on,
            &[bytes, length].map(BlockArg::Value),
            otherwise,
            &[],
        );

        self.builder.switch_to_block(other);
        let is_short = self.is_tag_of_two(tag, tag::SMALL);
        let no_text = self.unless_static(s, otherwise);
        self.builder.ins().brif(is_short, short, &[], no_text, &[]);
        if no_text != otherwise {
            self.builder.switch_to_block(no_text);
            let text = self.ascii_view(place, tag, otherwise);
            self.builder.ins().jump(on, &text.map(BlockArg::Value));
        }

        self.builder.switch_to_block(short);
        let (length, is_ascii) = self.short_length(place);
        self.builder.ins().brif(is_ascii, short_on, &[], otherwise, &[]);
        self.builder.switch_to_block(short_on);
        let bytes = self
            .builder
            .ins()
            .iadd_imm_s(place.0, i64::from(place.1) + layout::SHORT_BYTES_AT as i64);
        self.builder.ins().jump(on, &[bytes, length].map(BlockArg::Value));

        self.builder.switch_to_block(on);
        (at, size)
    }

    /// A new block, or this one if the slot never holds a view.
    fn unless_static(&mut self, s: Slot, otherwise: clif::Block) -> clif::Block {
        match s {
            Slot::Register(_) => self.builder.create_block(),
            Slot::Static(_) => otherwise,
        }
    }

    /// The next tag is the same text as input.
    pub(super) fn is_tag_of_two(&mut self, tag: clif::Value, first: u8) -> clif::Value {
        let from = self.builder.ins().iadd_imm_s(tag, -i64::from(first));
        self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, from, 2)
    }

    fn long_text(
        &mut self,
        place: (clif::Value, i32),
        tag: clif::Value,
        long: clif::Block,
        other: clif::Block,
    ) -> LongText {
        let is_long = self.is_tag_of_two(tag, tag::STR);
        self.builder.ins().brif(is_long, long, &[], other, &[]);
        self.builder.switch_to_block(long);
        let text =
            self.builder.ins().load(types::I64, FLAGS, place.0, place.1 + layout::TEXT_AT as i32);
        let facts = self.builder.ins().load(types::I8, FLAGS, text, heap::FACTS as i32);
        let mask = self.cut_by_bytes();
        let is_ascii = self.builder.ins().band(facts, mask);
        let size = self.builder.ins().load(types::I64, FLAGS, text, heap::LENGTH as i32);
        LongText { text, size, facts, is_ascii }
    }

    pub(super) fn cut_by_bytes(&mut self) -> clif::Value {
        let readonly = FLAGS.with_readonly();
        self.builder.ins().load(types::I8, readonly, self.context, Context::CUT_BY_BYTES_AT as i32)
    }

    /// With whether its characters are its bytes.
    fn short_length(&mut self, place: (clif::Value, i32)) -> (clif::Value, clif::Value) {
        let high = [0, 1].map(|half| {
            let word = self.builder.ins().load(types::I64, FLAGS, place.0, place.1 + 8 * half);
            let mask = self.builder.ins().iconst(types::I64, HIGH_BITS[half as usize]);
            self.builder.ins().band(word, mask)
        });
        let high = self.builder.ins().bor(high[0], high[1]);
        let is_ascii = self.builder.ins().icmp_imm_u(IntCC::Equal, high, 0);
        let mask = self.cut_by_bytes();
        let is_ascii = self.builder.ins().band(is_ascii, mask);
        let length = self.builder.ins().load(
            types::I8,
            FLAGS,
            place.0,
            place.1 + layout::SHORT_LENGTH_AT as i32,
        );
        (self.builder.ins().uextend(types::I64, length), is_ascii)
    }

    fn equals_short(&mut self, bytes: Bytes, other: Slot, text: SmallStr) -> clif::Value {
        let is_plain = self.cares_for_case();
        self.either(
            is_plain,
            types::I8,
            |this| this.is_spelled(bytes, text.as_bytes()),
            |this| this.equals(bytes, other),
        )
    }

    /// By a helper: rare for a piece.
    fn equals(&mut self, bytes: Bytes, other: Slot) -> clif::Value {
        let arguments = [bytes.at, bytes.size, self.address(other)];
        let equal = match bytes.is_cut_by_bytes {
            Some(_) => self.call_rarely_for(Helper::EqualsView, &arguments),
            None => self.call_for(Helper::EqualsView, &arguments),
        };
        self.builder.ins().icmp_imm_u(IntCC::NotEqual, equal, 0)
    }

    pub(super) fn cares_for_case(&mut self) -> clif::Value {
        let readonly = FLAGS.with_readonly();
        let machine =
            self.builder.ins().load(types::I64, readonly, self.context, Context::MACHINE_AT as i32);
        let ignores = self.builder.ins().load(types::I8, FLAGS, machine, IGNORE_CASE_AT as i32);
        self.builder.ins().icmp_imm_u(IntCC::Equal, ignores, 0)
    }

    /// As opposed to the order of the locale.
    fn compares_by_bytes(&mut self) -> clif::Value {
        let readonly = FLAGS.with_readonly();
        let machine =
            self.builder.ins().load(types::I64, readonly, self.context, Context::MACHINE_AT as i32);
        let otherwise =
            self.builder.ins().load(types::I8, FLAGS, machine, COMPARES_OTHERWISE_AT as i32);
        self.builder.ins().icmp_imm_u(IntCC::Equal, otherwise, 0)
    }

    /// Orders a text and one byte: by the text's first byte, then by its length.
    fn is_ordered(
        &mut self,
        bytes: Bytes,
        byte: u8,
        order: Order,
        view_first: bool,
    ) -> clif::Value {
        let [look, on] = [(); 2].map(|()| self.builder.create_block());
        let result = self.builder.append_block_param(on, types::I8);
        let yes = self.builder.ins().iconst(types::I8, 1);
        // The empty text is the smallest.
        self.builder.ins().brif(bytes.size, look, &[], on, &[BlockArg::Value(yes)]);
        self.builder.switch_to_block(look);
        let first =
            self.builder.ins().load(types::I8, MemFlagsData::new().with_notrap(), bytes.at, 0);
        let mut is_before =
            self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, first, i64::from(byte));
        // `view <= byte`, or the negation of `byte < view`.
        if (order == Order::LessEqual) == view_first {
            let is_same = self.builder.ins().icmp_imm_u(IntCC::Equal, first, i64::from(byte));
            let is_one = self.builder.ins().icmp_imm_u(IntCC::Equal, bytes.size, 1);
            let is_equal = self.builder.ins().band(is_same, is_one);
            is_before = self.builder.ins().bor(is_before, is_equal);
        }
        self.builder.ins().jump(on, &[BlockArg::Value(is_before)]);
        self.builder.switch_to_block(on);
        if view_first { result } else { self.builder.ins().icmp_imm_u(IntCC::Equal, result, 0) }
    }

    fn is_spelled(&mut self, bytes: Bytes, wanted: &[u8]) -> clif::Value {
        let is_as_long =
            self.builder.ins().icmp_imm_u(IntCC::Equal, bytes.size, wanted.len() as i64);
        if wanted.is_empty() {
            return is_as_long;
        }
        // Two loads, which may overlap.
        let (width, ty) = match wanted.len() {
            1 => (1, types::I8),
            2 | 3 => (2, types::I16),
            4..8 => (4, types::I32),
            _ => (8, types::I64),
        };
        let [look, on] = [(); 2].map(|()| self.builder.create_block());
        let result = self.builder.append_block_param(on, types::I8);
        let no = self.builder.ins().iconst(types::I8, 0);
        self.builder.ins().brif(is_as_long, look, &[], on, &[BlockArg::Value(no)]);
        self.builder.switch_to_block(look);
        let unaligned = MemFlagsData::new().with_notrap();
        let mut same = None;
        for at in [0, wanted.len() - width] {
            if at == 0 && same.is_some() {
                continue;
            }
            let mut word = [0; 8];
            word[..width].copy_from_slice(&wanted[at..at + width]);
            let has = self.builder.ins().load(ty, unaligned, bytes.at, at as i32);
            let word =
                self.builder.ins().iconst(ty, sign_extended(u64::from_le_bytes(word), width));
            let equal = self.builder.ins().icmp(IntCC::Equal, has, word);
            same = Some(same.map_or(equal, |before| self.builder.ins().band(before, equal)));
        }
        self.builder.ins().jump(on, &[BlockArg::Value(same.unwrap_or(no))]);
        self.builder.switch_to_block(on);
        result
    }

    /// Inline if both are one byte.
    fn equals_other(&mut self, bytes: Bytes, other: Slot) -> clif::Value {
        let place = self.place(other);
        let header = self.builder.ins().load(types::I16, FLAGS, place.0, place.1);
        let one = i64::from(tag::SMALL) | 1 << (8 * layout::SHORT_LENGTH_AT);
        let is_one = self.builder.ins().icmp_imm_u(IntCC::Equal, header, one);
        let has_one = self.builder.ins().icmp_imm_u(IntCC::Equal, bytes.size, 1);
        let is_plain = self.cares_for_case();
        let both = self.builder.ins().band(is_one, has_one);
        let all = self.builder.ins().band(both, is_plain);
        self.either(
            all,
            types::I8,
            |this| {
                let has = this.builder.ins().load(types::I8, FLAGS, bytes.at, 0);
                let wanted = this.builder.ins().load(
                    types::I8,
                    FLAGS,
                    place.0,
                    place.1 + layout::SHORT_BYTES_AT as i32,
                );
                this.builder.ins().icmp(IntCC::Equal, has, wanted)
            },
            |this| this.equals(bytes, other),
        )
    }

    /// Inline if the character is ASCII.
    pub(super) fn one_character(&mut self, d: Slot, s: Slot, from: Value, known: Option<Known>) {
        let [slow, on] = [(); 2].map(|()| self.builder.create_block());
        self.builder.set_cold_block(slow);
        let (start, whole) = self.ascii(s, known, slow);
        let index = self.index_below(from, 1.0, whole, slow);
        let first = self.builder.ins().iadd(start, index);
        let byte = self.builder.ins().load(types::I8, FLAGS, first, 0);
        let to = self.place(d);
        let is_plain = self.is(d, TagSet::PLAIN);
        self.continue_if(is_plain, slow);

        let byte = self.builder.ins().uextend(types::I64, byte);
        let byte = self.builder.ins().ishl_imm_u(byte, 8 * layout::SHORT_BYTES_AT as i64);
        let header = i64::from(tag::SMALL) | 1 << (8 * layout::SHORT_LENGTH_AT);
        let word = self.builder.ins().bor_imm_u(byte, header);
        let none = self.builder.ins().iconst(types::I64, 0);
        self.builder.ins().store(FLAGS, word, to.0, to.1);
        self.builder.ins().store(FLAGS, none, to.0, to.1 + 8);
        self.builder.ins().jump(on, &[]);

        self.builder.switch_to_block(slow);
        let (d, s, from) = (self.address(d), self.address(s), self.take_number(from));
        let one = self.builder.ins().f64const(1.0);
        self.call_rarely(Helper::Substr, &[d, s, from, one]);
        self.builder.ins().jump(on, &[]);
        self.builder.switch_to_block(on);
    }

    pub(super) fn known_length(&mut self, s: Slot, known: Known) -> clif::Value {
        let size = self.take(known.size);
        self.either(
            size,
            types::F64,
            |this| this.builder.ins().fcvt_from_sint(types::F64, size),
            |this| {
                let s = this.address(s);
                this.call_rarely_for(Helper::Length, &[s])
            },
        )
    }

    /// Characters; those of texts are mostly known.
    pub(super) fn length(&mut self, s: Slot) -> clif::Value {
        let [long, uncounted, other, short, known, slow, on] =
            [(); 7].map(|()| self.builder.create_block());
        self.builder.set_cold_block(slow);
        let length = self.builder.append_block_param(known, types::I64);
        let result = self.builder.append_block_param(on, types::F64);
        let place = self.place(s);
        let tag = self.tag_at(place);
        let LongText { text, size, facts, is_ascii } = self.long_text(place, tag, long, other);
        self.builder.ins().brif(is_ascii, known, &[BlockArg::Value(size)], uncounted, &[]);
        self.builder.switch_to_block(uncounted);
        let is_counted = self.builder.ins().band_imm_u(facts, i64::from(heap::CHARS_ARE_KNOWN));
        let chars = self.builder.ins().load(types::I64, FLAGS, text, heap::CHARS as i32);
        self.builder.ins().brif(is_counted, known, &[BlockArg::Value(chars)], slow, &[]);

        self.builder.switch_to_block(other);
        let is_short = self.is_tag_of_two(tag, tag::SMALL);
        let no_text = self.unless_static(s, slow);
        self.builder.ins().brif(is_short, short, &[], no_text, &[]);
        if no_text != slow {
            self.builder.switch_to_block(no_text);
            let [_, size] = self.ascii_view(place, tag, slow);
            self.builder.ins().jump(known, &[BlockArg::Value(size)]);
        }
        self.builder.switch_to_block(short);
        let (size, is_ascii) = self.short_length(place);
        self.builder.ins().brif(is_ascii, known, &[BlockArg::Value(size)], slow, &[]);

        self.builder.switch_to_block(known);
        let number = self.builder.ins().fcvt_from_sint(types::F64, length);
        self.builder.ins().jump(on, &[BlockArg::Value(number)]);
        self.builder.switch_to_block(slow);
        let s = self.address(s);
        let counted = self.call_rarely_for(Helper::Length, &[s]);
        self.builder.ins().jump(on, &[BlockArg::Value(counted)]);
        self.builder.switch_to_block(on);
        result
    }
}

fn sign_extended(word: u64, width: usize) -> i64 {
    let unused = 64 - 8 * width as u32;
    (word << unused) as i64 >> unused
}
