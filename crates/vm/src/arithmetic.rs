//! How numbers are read, written and compared.

use crate::current::CurrentRecord;
use crate::ignore_case::folded;
use crate::locale::Locale;
use crate::outside::Outside;
use crate::precise::PreciseState;
use riverhawk_awkio::fault::Fallible;
use riverhawk_builtins::arithmetic::math;
use riverhawk_builtins::random::Random;
use riverhawk_bytecode::MathFn;
use riverhawk_bytecode::Unit as Program;
use riverhawk_value::Value;
use riverhawk_value::number::{DecimalPoint, NumberSyntax};
use std::cell::Cell;

thread_local! {
    static FORMS_SET: Cell<u32> = const { Cell::new(0) };
}

/// Changes when another run on this thread sets the forms of numbers.
#[inline]
pub(crate) fn forms_set() -> u32 {
    FORMS_SET.get()
}

pub(crate) struct Arithmetic {
    pub(crate) precise: PreciseState,
    pub(crate) numbers: NumberSyntax,
    pub(crate) decimal_point: DecimalPoint,
    pub(crate) random: Random,
}

impl Default for Arithmetic {
    fn default() -> Arithmetic {
        Arithmetic {
            precise: PreciseState::default(),
            numbers: NumberSyntax::Decimal,
            decimal_point: DecimalPoint::Period,
            random: Random::default(),
        }
    }
}

impl Arithmetic {
    pub(crate) fn seed(&mut self, seed: u32) {
        self.random = Random::new(f64::from(seed));
        self.precise.seed(seed);
    }

    pub(crate) fn set_number_forms(&self) {
        self.numbers.set();
        self.decimal_point.set();
        self.precise.context.set_current();
        FORMS_SET.set(FORMS_SET.get().wrapping_add(1));
    }
}

impl Outside {
    pub fn math(&mut self, current: &CurrentRecord, f: MathFn, a: f64) -> Fallible<f64> {
        let (result, is_odd) = math(f, a);
        if is_odd {
            self.warn_argument(current, f, a)?;
        }
        Ok(result)
    }

    #[cold]
    pub(crate) fn warn_argument(
        &mut self,
        current: &CurrentRecord,
        f: MathFn,
        a: f64,
    ) -> Fallible<()> {
        let number = crate::lint::general(a);
        self.warn_here(
            current,
            &match f {
                MathFn::Exp => format!("exp: argument {number} is out of range"),
                MathFn::Log => format!("log: received negative argument {number}"),
                _ => format!("sqrt: received negative argument {number}"),
            },
        )
    }
}

impl Locale {
    #[inline]
    pub fn compare(
        &self,
        program: &Program,
        current: &CurrentRecord,
        a: &Value,
        b: &Value,
    ) -> Option<std::cmp::Ordering> {
        if current.specials.compares_otherwise {
            return self.compare_otherwise(program, current, a, b);
        }
        if current.specials.exact_integers {
            return current.compare_exactly(a, b);
        }
        a.compare(b, current.record.text(), &current.specials.convfmt)
    }

    pub(crate) fn update_comparison(&self, program: &Program, current: &mut CurrentRecord) {
        current.specials.compares_otherwise =
            current.specials.ignore_case || program.precise || self.collation.is_some();
    }

    #[cold]
    #[inline(never)]
    fn compare_otherwise(
        &self,
        program: &Program,
        current: &CurrentRecord,
        a: &Value,
        b: &Value,
    ) -> Option<std::cmp::Ordering> {
        let (record, convfmt) = (current.record.text(), &current.specials.convfmt);
        let ordering = match (program.precise, program.exact) {
            (true, _) => a.compare_precisely(b, record, convfmt),
            (_, true) => a.compare_exactly(b, record, convfmt),
            _ => a.compare(b, record, convfmt),
        };
        let are_numbers = || a.is_numeric(record) && b.is_numeric(record);
        if ordering.is_none_or(std::cmp::Ordering::is_eq) || are_numbers() {
            return ordering;
        }
        let (mut a_number, mut b_number) = (Vec::new(), Vec::new());
        let (a, b) =
            (a.text(record, convfmt, &mut a_number), b.text(record, convfmt, &mut b_number));
        match &self.collation {
            _ if current.specials.ignore_case => {
                Some(folded(a, self.unit).cmp(&folded(b, self.unit)))
            }
            Some(collation) => Some(collation.order(a, b)),
            None => ordering,
        }
    }
}

impl CurrentRecord {
    #[inline(never)]
    fn compare_exactly(&self, a: &Value, b: &Value) -> Option<std::cmp::Ordering> {
        a.compare_exactly(b, self.record.text(), &self.specials.convfmt)
    }
}
