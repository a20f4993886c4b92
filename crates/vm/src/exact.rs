//! Integers exact at any size (`--exact-integers`), besides doubles.
//!
//! Programs compiled for it have their own interpreter loop. It uses these functions when an
//! operand or result is beyond 2^53; see [`riverhawk_value::exact`].

use crate::current::CurrentRecord;
use crate::precise::{check_power_room, check_room, fault};
use crate::runtime::Runtime;
use crate::workspace::Workspace;
use riverhawk_awkio::fault::Fallible;
use riverhawk_builtins::arithmetic::update;
use riverhawk_bytecode::Update;
use riverhawk_precise::Number;
use riverhawk_value::exact::{Exact, is_small, of_integers};
use riverhawk_value::{ArrayRef, Value};

fn symbol(op: Update) -> &'static str {
    match op {
        Update::Add => "+",
        Update::Sub => "-",
        Update::Mul => "*",
        Update::Div => "/",
        Update::Mod => "%",
        Update::Pow => "^",
    }
}

/// Whether the result of small operands may be rounded. A quotient or remainder is never larger
/// than the dividend.
#[inline(always)]
pub(crate) fn may_grow(op: Update) -> bool {
    !matches!(op, Update::Div | Update::Mod)
}

impl Runtime {
    pub(crate) fn update_field_exactly(
        &mut self,
        op: Update,
        n: usize,
        operand: &Value,
    ) -> Fallible<(Value, Value)> {
        let field = self.current.field(n);
        let old = self.current.exact_number(&field);
        let new = match (&old, self.current.exact_number(operand)) {
            (Value::Num(old), Value::Num(operand)) => Value::Num(update(op, *old, operand)?),
            _ => Value::Uninit,
        };
        let new = match new {
            Value::Num(new) if is_small(new) || !may_grow(op) => Value::Num(new),
            _ => self.current.exact(op, &old, operand)?,
        };
        self.set_field(n, &new)?;
        Ok((old, new))
    }
}

impl CurrentRecord {
    /// Whether a result that may be a rounded integer is computed again; never without `EXACT`.
    #[inline(always)]
    pub(crate) fn is_exact<const EXACT: bool>(&self) -> bool {
        EXACT && self.specials.exact_integers
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn exact(&self, op: Update, a: &Value, b: &Value) -> Fallible<Value> {
        let record = self.record.text();
        let (a, b) = match (a.exact(record), b.exact(record)) {
            (Exact::Integer(a), Exact::Integer(b)) => (a, b),
            (a, b) => return Ok(Value::Num(update(op, a.to_f64(), b.to_f64())?)),
        };
        let result = match op {
            Update::Add => of_integers(|a, b, context| Ok(a.add(b, context)), &a, &b),
            Update::Sub => of_integers(|a, b, context| Ok(a.sub(b, context)), &a, &b),
            Update::Mul => {
                check_room(a.bits() + b.bits())?;
                of_integers(Number::mul, &a, &b)
            }
            Update::Div => of_integers(Number::div, &a, &b),
            Update::Mod => of_integers(Number::rem, &a, &b),
            Update::Pow if b.is_below_zero() => {
                return Ok(Value::Num(update(op, a.to_f64(), b.to_f64())?));
            }
            Update::Pow => {
                check_power_room(&a, &b)?;
                of_integers(Number::pow, &a, &b)
            }
        };
        result.map_err(|error| fault(error, symbol(op)))
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn exact_negative(&self, a: &Value) -> Value {
        match a.exact(self.record.text()) {
            Exact::Integer(integer) => Value::from(integer.neg(&Default::default())),
            Exact::Double(double) => Value::Num(-double),
        }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn exact_number(&self, a: &Value) -> Value {
        a.exact(self.record.text()).into_value()
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn exact_int(&self, a: &Value) -> Value {
        match a.exact(self.record.text()) {
            Exact::Double(double) => Value::Num(double.trunc()),
            integer => integer.into_value(),
        }
    }
}

impl Workspace {
    pub(crate) fn exact_element(
        &mut self,
        current: &CurrentRecord,
        op: Update,
        array: &ArrayRef,
        key: &Value,
        operand: &Value,
    ) -> Fallible<(Value, Value)> {
        let old = self.with_key(current, key, |key| array.borrow_mut().place(key).to_value());
        let new = current.exact(op, &old, operand)?;
        self.with_key(current, key, |key| array.borrow_mut().set(key, new.clone()));
        Ok((current.exact_number(&old), new))
    }
}
