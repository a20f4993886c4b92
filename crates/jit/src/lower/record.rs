//! Views of the current record.

use super::piece::Piece;
use super::{FLAGS, Lowering};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, BlockArg, InstBuilder, types};
use riverhawk_spesh::ir::{Slot, TagSet};
use riverhawk_value::layout::{self, tag};
use riverhawk_value::{Ascii, TextKind};
use riverhawk_vm::native::{Context, Helper, record_at};

/// Bytes of a text that are loaded at once.
const LOADED: i64 = 16;

impl Lowering<'_> {
    pub(super) fn of_record(&mut self, ty: clif::Type, at: usize) -> clif::Value {
        let readonly = FLAGS.with_readonly();
        let machine =
            self.builder.ins().load(types::I64, readonly, self.context, Context::MACHINE_AT as i32);
        self.builder.ins().load(ty, FLAGS, machine, at as i32)
    }

    /// `$0`: its text, unless a field or the record was assigned.
    pub(super) fn record(&mut self, d: Slot) {
        let [untouched, slow, on] = [(); 3].map(|()| self.builder.create_block());
        self.builder.set_cold_block(slow);
        let touched = self.of_record(types::I8, record_at::TOUCHED);
        self.builder.ins().brif(touched, slow, &[], untouched, &[]);
        self.builder.switch_to_block(untouched);
        let is_plain = self.is(d, TagSet::PLAIN);
        self.continue_if(is_plain, slow);
        let start = self.builder.ins().iconst(types::I64, 0);
        let end = self.of_record(types::I64, record_at::SIZE);
        let kind = self.of_record(types::I8, record_at::KIND);
        let kind = self.builder.ins().uextend(types::I64, kind);
        self.put_view(d, start, end, kind);
        self.builder.ins().jump(on, &[]);

        self.builder.switch_to_block(slow);
        let (address, n) = (self.address(d), self.word(0));
        self.call_rarely(Helper::Field, &[address, n]);
        self.builder.ins().jump(on, &[]);
        self.builder.switch_to_block(on);
    }

    /// `substr`, inline for a view of an ASCII record.
    pub(super) fn part(&mut self, d: Slot, piece: Piece) {
        let [slow, on] = [(); 2].map(|()| self.builder.create_block());
        self.builder.set_cold_block(slow);
        let (place, to) = (self.place(piece.s), self.address(d));
        let is_plain = self.is(d, TagSet::PLAIN);
        self.continue_if(is_plain, slow);
        let tag = self.tag_at(place);
        self.expect_ascii_view(tag, slow);
        let [start, end] = self.view_at(place);
        let size = self.builder.ins().isub(end, start);
        // Behind the last character nothing is left.
        let limit = self.builder.ins().iadd_imm_s(size, 1);
        let index = self.index_below(piece.from, 1.0, limit, slow);
        let first = self.builder.ins().iadd(start, index);
        let end = match piece.length {
            Some(length) => {
                let most = self.builder.ins().iconst(types::I64, 1 << 51);
                let length = self.index_below(length, 0.0, most, slow);
                let last = self.builder.ins().iadd(first, length);
                let is_less = self.builder.ins().icmp(IntCC::UnsignedLessThan, last, end);
                self.builder.ins().select(is_less, last, end)
            }
            None => end,
        };
        let kind = self.builder.ins().iconst(types::I64, TextKind::Text as i64);
        self.put_view(d, first, end, kind);
        self.builder.ins().jump(on, &[]);

        self.builder.switch_to_block(slow);
        let (s, from) = (self.address(piece.s), self.take_number(piece.from));
        let length = match piece.length {
            Some(length) => self.take_number(length),
            None => self.builder.ins().f64const(f64::INFINITY),
        };
        self.call_rarely(Helper::Part, &[to, s, from, length]);
        self.builder.ins().jump(on, &[]);
        self.builder.switch_to_block(on);
    }

    /// `index` of an ASCII character, inline for the first bytes of a view of an ASCII record.
    pub(super) fn index_of_byte(&mut self, s: Slot, t: Slot, byte: u8) -> clif::Value {
        let [absent, found, slow, on] = [(); 4].map(|()| self.builder.create_block());
        self.builder.set_cold_block(slow);
        let [index, whole] =
            [types::F64, types::I64].map(|ty| self.builder.append_block_param(on, ty));
        let is_exact = self.cares_for_case();
        self.continue_if(is_exact, slow);
        let place = self.place(s);
        let tag = self.tag_at(place);
        self.expect_ascii_view(tag, slow);
        let [start, end] = self.view_at(place);
        let text = self.of_record(types::I64, record_at::TEXT);
        let reach = self.of_record(types::I64, record_at::REACH);
        let last = self.builder.ins().iadd_imm_s(start, LOADED);
        let is_within = self.builder.ins().icmp(IntCC::UnsignedLessThanOrEqual, last, reach);
        self.continue_if(is_within, slow);

        let at = self.builder.ins().iadd(text, start);
        let bytes = self.builder.ins().load(types::I8X16, FLAGS, at, 0);
        let wanted = self.builder.ins().iconst(types::I8, i64::from(byte));
        let wanted = self.builder.ins().splat(types::I8X16, wanted);
        let equal = self.builder.ins().icmp(IntCC::Equal, bytes, wanted);
        let places = self.builder.ins().vhigh_bits(types::I32, equal);
        // One behind the last that is looked at, so that there always is a lowest bit.
        let places = self.builder.ins().bor_imm_u(places, 1 << LOADED);
        let place = self.builder.ins().ctz(places);
        let place = self.builder.ins().uextend(types::I64, place);
        let size = self.builder.ins().isub(end, start);
        let is_inside = self.builder.ins().icmp(IntCC::UnsignedLessThan, place, size);
        self.builder.ins().brif(is_inside, found, &[], absent, &[]);
        self.builder.switch_to_block(absent);
        let none = [self.builder.ins().f64const(0.0), self.builder.ins().iconst(types::I64, 0)];
        self.builder.ins().jump(on, &none.map(BlockArg::Value));
        self.builder.switch_to_block(found);
        let place_after = self.builder.ins().iadd_imm_s(place, 1);
        let position = self.builder.ins().fcvt_from_sint(types::F64, place_after);
        let is_certain = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, place, LOADED);
        let both = [position, place_after].map(BlockArg::Value);
        self.builder.ins().brif(is_certain, on, &both, slow, &[]);

        self.builder.switch_to_block(slow);
        let slots = [self.address(s), self.address(t)];
        let position = self.call_rarely_for(Helper::Index, &slots);
        let integer = self.builder.ins().fcvt_to_sint_sat(types::I64, position);
        self.builder.ins().jump(on, &[position, integer].map(BlockArg::Value));
        self.builder.switch_to_block(on);
        self.made_whole = Some(whole);
        index
    }

    /// Start and end of a view in the record.
    pub(super) fn view_at(&mut self, place: (clif::Value, i32)) -> [clif::Value; 2] {
        [layout::VIEW_START_AT, layout::VIEW_END_AT].map(|at| {
            let part = self.builder.ins().load(types::I32, FLAGS, place.0, place.1 + at as i32);
            self.builder.ins().uextend(types::I64, part)
        })
    }

    /// Address and size of a view's text, if it is a view of an ASCII record.
    pub(super) fn ascii_view(
        &mut self,
        place: (clif::Value, i32),
        tag: clif::Value,
        otherwise: clif::Block,
    ) -> [clif::Value; 2] {
        self.expect_ascii_view(tag, otherwise);
        self.text_of_view(place)
    }

    /// Address and size of a view's text.
    pub(super) fn text_of_view(&mut self, place: (clif::Value, i32)) -> [clif::Value; 2] {
        let [start, end] = self.view_at(place);
        let text = self.of_record(types::I64, record_at::TEXT);
        [self.builder.ins().iadd(text, start), self.builder.ins().isub(end, start)]
    }

    /// Goes elsewhere unless it is the tag of a view whose characters are known to be its bytes.
    fn expect_ascii_view(&mut self, tag: clif::Value, otherwise: clif::Block) {
        let is_view = self.builder.ins().icmp_imm_u(IntCC::Equal, tag, i64::from(tag::VIEW));
        self.continue_if(is_view, otherwise);
        let ascii = self.of_record(types::I8, record_at::ASCII);
        let certain = i64::from(Ascii::Certain as u8);
        let is_ascii = self.builder.ins().icmp_imm_u(IntCC::Equal, ascii, certain);
        self.continue_if(is_ascii, otherwise);
        let mask = self.cut_by_bytes();
        self.continue_if(mask, otherwise);
    }

    /// Into a slot without a counted value.
    pub(super) fn put_view(
        &mut self,
        d: Slot,
        start: clif::Value,
        end: clif::Value,
        kind: clif::Value,
    ) {
        let to = self.place(d);
        let tag = self.builder.ins().iconst(types::I64, i64::from(tag::VIEW));
        let mut words = [None; 2];
        for (part, at) in [
            (tag, 0),
            (start, layout::VIEW_START_AT),
            (end, layout::VIEW_END_AT),
            (kind, layout::VIEW_KIND_AT),
        ] {
            let word = &mut words[at / 8];
            let part = match at % 8 {
                0 => part,
                at => self.builder.ins().ishl_imm_u(part, 8 * at as i64),
            };
            *word = Some(word.map_or(part, |word| self.builder.ins().bor(word, part)));
        }
        // Two whole words, since a copy loads them as such.
        for (word, at) in words.into_iter().flatten().zip([0, 8]) {
            self.builder.ins().store(FLAGS, word, to.0, to.1 + at);
        }
    }
}
