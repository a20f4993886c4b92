//! Integers, in registers of their own.

use super::Lowering;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self as clif, InstBuilder, MemFlagsData, types};
use riverhawk_spesh::ir::{Integer, IntegerLimit, IntegerRange, Order, Value, ValueType};

impl Lowering<'_> {
    /// Converts an integer to a number.
    pub(super) fn take_number(&mut self, value: Value) -> clif::Value {
        let taken = self.take(value);
        match self.function.type_of(value) {
            ValueType::Integer => self.builder.ins().fcvt_from_sint(types::F64, taken),
            _ => taken,
        }
    }

    pub(super) fn integer(&mut self, integer: Integer) -> clif::Value {
        match integer {
            Integer::Constant(constant) => self.builder.ins().iconst(types::I64, constant),
            Integer::Of(a) => self.integer_of(a),
            Integer::Limit(a, limit) => self.limit_of(a, limit),
            Integer::Number(a) => self.take_number(a),
            Integer::IsWhole(a, range) => {
                let integer = self.integer_of(a);
                let number = self.take(a);
                let back = self.builder.ins().fcvt_from_sint(types::F64, integer);
                // Bitwise, since -0 is not an integer.
                let [bits, back] = [number, back].map(|number| {
                    self.builder.ins().bitcast(types::I64, MemFlagsData::new(), number)
                });
                let is_same = self.builder.ins().icmp(IntCC::Equal, bits, back);
                let is_within = self.is_in_range(integer, range);
                self.builder.ins().band(is_same, is_within)
            }
            Integer::IsWithin(a, range) => {
                let a = self.take(a);
                self.is_in_range(a, range)
            }
            Integer::Add(a, b) => {
                let (a, b) = (self.take(a), self.take(b));
                self.builder.ins().iadd(a, b)
            }
            Integer::Sub(a, b) => {
                let (a, b) = (self.take(a), self.take(b));
                self.builder.ins().isub(a, b)
            }
            Integer::Mul(a, b) => {
                let (a, b) = (self.take(a), self.take(b));
                self.builder.ins().imul(a, b)
            }
            Integer::Div(a, divisor) => {
                let a = self.take(a);
                self.builder.ins().udiv_imm_u(a, divisor)
            }
            Integer::Rem(a, divisor) => {
                let a = self.take(a);
                match (divisor as u64).is_power_of_two() {
                    true => self.builder.ins().band_imm_s(a, divisor - 1),
                    false => self.builder.ins().urem_imm_u(a, divisor),
                }
            }
            Integer::Compare(order, a, b) => {
                let (a, b) = (self.take(a), self.take(b));
                let condition = match order {
                    Order::Less => IntCC::SignedLessThan,
                    Order::LessEqual => IntCC::SignedLessThanOrEqual,
                    Order::Equal => IntCC::Equal,
                    Order::NotEqual => IntCC::NotEqual,
                };
                self.builder.ins().icmp(condition, a, b)
            }
        }
    }

    /// An infinity gives the last integer in its direction, beyond all that are compared.
    fn limit_of(&mut self, number: Value, limit: IntegerLimit) -> clif::Value {
        let number = self.take(number);
        let whole = match limit.is_next_above() {
            true => self.builder.ins().ceil(number),
            false => self.builder.ins().floor(number),
        };
        let whole = self.builder.ins().fcvt_to_sint_sat(types::I64, whole);
        let is_nan = self.builder.ins().fcmp(FloatCC::Unordered, number, number);
        let for_nan = self.builder.ins().iconst(types::I64, limit.for_nan());
        self.builder.ins().select(is_nan, for_nan, whole)
    }

    fn integer_of(&mut self, number: Value) -> clif::Value {
        let number = self.take(number);
        self.builder.ins().fcvt_to_sint_sat(types::I64, number)
    }

    /// For a signed range: whether the upper bits all equal the sign.
    fn is_in_range(&mut self, integer: clif::Value, range: IntegerRange) -> clif::Value {
        if !range.is_signed {
            return self.builder.ins().icmp_imm_u(
                IntCC::UnsignedLessThanOrEqual,
                integer,
                range.ends().1,
            );
        }
        let above = 63 - i64::from(range.bits);
        let cut = self.builder.ins().ishl_imm_u(integer, above);
        let back = self.builder.ins().sshr_imm_u(cut, above);
        self.builder.ins().icmp(IntCC::Equal, back, integer)
    }
}
