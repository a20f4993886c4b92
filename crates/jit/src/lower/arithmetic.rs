//! Comparisons and remainders.

use super::Lowering;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self as clif, InstBuilder, types};
use riverhawk_spesh::ir::{Binary, Order, Slot, Unary, Value};
use riverhawk_value::exact::INTEGER_LIMIT;
use riverhawk_value::layout::tag;
use riverhawk_vm::native::Helper;

impl Lowering<'_> {
    pub(super) fn binary(&mut self, op: Binary, a: Value, b: Value) -> clif::Value {
        match op {
            Binary::Rem if self.constants.get(&b).is_some_and(|b| is_whole_divisor(*b)) => {
                return self.remainder_by(a, b, self.constants[&b]);
            }
            Binary::Mul if self.is_constant(b, 2.0) => return self.doubled(a),
            Binary::Mul if self.is_constant(a, 2.0) => return self.doubled(b),
            Binary::Div if let Some(inverse) = self.exact_inverse(b) => {
                let (a, inverse) = (self.take(a), self.builder.ins().f64const(inverse));
                return self.builder.ins().fmul(a, inverse);
            }
            _ => {}
        }
        let (a, b) = (self.take(a), self.take(b));
        match op {
            Binary::Add => self.builder.ins().fadd(a, b),
            Binary::Sub => self.builder.ins().fsub(a, b),
            Binary::Mul => self.builder.ins().fmul(a, b),
            Binary::Div => self.builder.ins().fdiv(a, b),
            Binary::Rem => self.call_for(Helper::Remainder, &[a, b]),
            Binary::Pow => self.call_for(Helper::Power, &[a, b]),
            Binary::Atan2 => self.call_for(Helper::Atan2, &[a, b]),
            Binary::And | Binary::Or | Binary::Xor | Binary::ShiftLeft | Binary::ShiftRight => {
                let [a, b] =
                    [a, b].map(|number| self.builder.ins().fcvt_to_sint_sat(types::I64, number));
                let bits = match op {
                    Binary::And => self.builder.ins().band(a, b),
                    Binary::Or => self.builder.ins().bor(a, b),
                    Binary::Xor => self.builder.ins().bxor(a, b),
                    // Alone this one can reach the highest bit.
                    Binary::ShiftLeft => {
                        let bits = self.builder.ins().ishl(a, b);
                        return self.builder.ins().fcvt_from_uint(types::F64, bits);
                    }
                    _ => self.builder.ins().ushr(a, b),
                };
                self.builder.ins().fcvt_from_sint(types::F64, bits)
            }
        }
    }

    pub(super) fn unary(&mut self, op: Unary, a: Value) -> clif::Value {
        let a = self.take(a);
        match op {
            Unary::Neg => self.negative(a),
            Unary::Int => self.builder.ins().trunc(a),
            Unary::Sqrt => self.builder.ins().sqrt(a),
            Unary::Sin => self.call_for(Helper::Sin, &[a]),
            Unary::Cos => self.call_for(Helper::Cos, &[a]),
            Unary::Exp => self.call_for(Helper::Exp, &[a]),
            Unary::Log => self.call_for(Helper::Log, &[a]),
        }
    }

    pub(super) fn truth_of(&mut self, slot: Slot) -> clif::Value {
        let place = self.place(slot);
        let is_number = self.tag_is(place, tag::NUM);
        self.either(
            is_number,
            types::I8,
            |this| {
                let number = this.number_at(place);
                this.not_zero(number)
            },
            |this| {
                let address = this.address(slot);
                let truth = this.call_rarely_for(Helper::Truth, &[address]);
                this.builder.ins().icmp_imm_u(IntCC::NotEqual, truth, 0)
            },
        )
    }

    pub(super) fn not_zero(&mut self, number: clif::Value) -> clif::Value {
        let zero = self.builder.ins().f64const(0.0);
        self.builder.ins().fcmp(FloatCC::NotEqual, number, zero)
    }

    /// Within 2^53 of zero.
    pub(super) fn is_small(&mut self, number: clif::Value) -> clif::Value {
        let magnitude = self.builder.ins().fabs(number);
        let limit = self.constant_in_register(INTEGER_LIMIT);
        self.builder.ins().fcmp(FloatCC::LessThan, magnitude, limit)
    }

    /// The operand of a comparison, in a register. An immediate would pass through an integer
    /// register in each iteration and displace an addition; a load moves to the preheader.
    pub(super) fn limit(&mut self, value: Value) -> clif::Value {
        match self.constants.get(&value) {
            Some(&number) if self.is_in_loop && number.to_bits() != 0 => {
                self.constant_in_register(number)
            }
            _ => self.take(value),
        }
    }

    fn constant_in_register(&mut self, number: f64) -> clif::Value {
        let both = [number.to_le_bytes(); 2].concat();
        let both =
            self.builder.func.dfg.constants.insert(clif::ConstantData::from(both.as_slice()));
        let both = self.builder.ins().vconst(types::F64X2, both);
        self.builder.ins().extractlane(both, 0)
    }

    pub(super) fn is_constant(&self, value: Value, number: f64) -> bool {
        self.constants.get(&value) == Some(&number)
    }

    /// By addition: a cycle less than a product, and the same result.
    pub(super) fn doubled(&mut self, a: Value) -> clif::Value {
        let a = self.take(a);
        self.builder.ins().fadd(a, a)
    }

    /// Exact inverses exist for powers of two.
    pub(super) fn exact_inverse(&self, divisor: Value) -> Option<f64> {
        const MANTISSA: u64 = (1 << 52) - 1;
        let divisor = *self.constants.get(&divisor)?;
        let is_power = divisor.is_normal() && divisor.to_bits() & MANTISSA == 0;
        Some(divisor.recip()).filter(|inverse| is_power && inverse.is_normal())
    }

    /// Changes the sign. The code generator drops two negations in a product, which is wrong for
    /// NaN, whose sign is printed.
    pub(super) fn negative(&mut self, a: clif::Value) -> clif::Value {
        let sign = self.builder.ins().f64const(-0.0);
        self.builder.ins().bxor(a, sign)
    }

    pub(super) fn compare_slots(&mut self, order: Order, a: Slot, b: Slot) -> clif::Value {
        let (place_a, place_b) = (self.place(a), self.place(b));
        let (is_a, is_b) = (self.tag_is(place_a, tag::NUM), self.tag_is(place_b, tag::NUM));
        let both = self.builder.ins().band(is_a, is_b);
        self.either(
            both,
            types::I8,
            |this| {
                let (a, b) = (this.number_at(place_a), this.number_at(place_b));
                this.builder.ins().fcmp(float_order(order), a, b)
            },
            |this| {
                let (a, b) = (this.address(a), this.address(b));
                let found = this.call_rarely_for(Helper::Compare, &[a, b]);
                this.ordered(order, found)
            },
        )
    }

    /// As in the interpreter, by integer division for a whole number that is not negative.
    pub(super) fn remainder_by(&mut self, a: Value, b: Value, divisor: f64) -> clif::Value {
        let (a, b) = (self.take(a), self.take(b));
        let whole = self.builder.ins().fcvt_to_sint_sat(types::I64, a);
        let back = self.builder.ins().fcvt_from_sint(types::F64, whole);
        let is_whole = self.builder.ins().fcmp(FloatCC::Equal, back, a);
        // From 1 to 2^53: a zero may have a sign to keep.
        let less = self.builder.ins().iadd_imm_s(whole, -1);
        let is_small = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, less, (1 << 53) - 1);
        let usual = self.builder.ins().band(is_whole, is_small);
        self.either(
            usual,
            types::F64,
            |this| {
                let rest = this.builder.ins().urem_imm_u(whole, divisor as i64);
                this.builder.ins().fcvt_from_sint(types::F64, rest)
            },
            |this| this.call_rarely_for(Helper::Remainder, &[a, b]),
        )
    }

    /// A comparing helper's result as a truth.
    pub(super) fn ordered(&mut self, order: Order, found: clif::Value) -> clif::Value {
        let (condition, number) = match order {
            Order::Less => (IntCC::Equal, 0),
            Order::LessEqual => (IntCC::UnsignedLessThanOrEqual, 1),
            Order::Equal => (IntCC::Equal, 1),
            Order::NotEqual => (IntCC::NotEqual, 1),
        };
        self.builder.ins().icmp_imm_u(condition, found, number)
    }

    /// As [`ordered`](Self::ordered), when the helper was given the operands exchanged.
    pub(super) fn ordered_exchanged(&mut self, order: Order, found: clif::Value) -> clif::Value {
        match order {
            Order::Less => self.builder.ins().icmp_imm_u(IntCC::Equal, found, 2),
            Order::LessEqual => {
                // Equal or greater, not NaN.
                let less = self.builder.ins().iadd_imm_s(found, -1);
                self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, less, 2)
            }
            Order::Equal | Order::NotEqual => self.ordered(order, found),
        }
    }
}

pub(super) fn is_whole_divisor(divisor: f64) -> bool {
    divisor.fract() == 0.0 && divisor >= 1.0 && divisor < (1u64 << 53) as f64
}

pub(super) fn float_order(order: Order) -> FloatCC {
    match order {
        Order::Less => FloatCC::LessThan,
        Order::LessEqual => FloatCC::LessThanOrEqual,
        Order::Equal => FloatCC::Equal,
        Order::NotEqual => FloatCC::NotEqual,
    }
}
