//! Arithmetic with the state of the run.

use crate::ignore_case::folded;
use crate::precise::PreciseState;
use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fallible;
use riverhawk_builtins::arithmetic::math;
use riverhawk_builtins::random::Random;
use riverhawk_bytecode::MathFn;
use riverhawk_value::Value;

/// Numbers of any precision, and random ones.
#[derive(Default)]
pub(crate) struct Arithmetic {
    /// With `-M`.
    pub(crate) precise: PreciseState,
    /// `rand`.
    pub(crate) random: Random,
}

impl Runtime {
    /// A function of one number.
    pub fn math(&mut self, f: MathFn, a: f64) -> Fallible<f64> {
        let (result, is_odd) = math(f, a);
        if is_odd {
            self.warn_argument(f, a)?;
        }
        Ok(result)
    }

    /// `log`, `sqrt` and `exp` complain as gawk does.
    #[cold]
    pub(crate) fn warn_argument(&mut self, f: MathFn, a: f64) -> Fallible<()> {
        let number = crate::lint::general(a);
        self.warn_here(&match f {
            MathFn::Exp => format!("exp: argument {number} is out of range"),
            MathFn::Log => format!("log: received negative argument {number}"),
            _ => format!("sqrt: received negative argument {number}"),
        })
    }

    /// Seconds since 1970, which is what `srand()` seeds by.
    pub fn time_of_day() -> f64 {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(0.0, |since| since.as_secs() as f64)
    }

    /// A comparison's text form of equality and order, `None` when a NaN is involved.
    #[inline]
    pub fn compare(&self, a: &Value, b: &Value) -> Option<std::cmp::Ordering> {
        if self.current.specials.compares_otherwise {
            return self.compare_otherwise(a, b);
        }
        if self.current.specials.compares_exactly {
            return self.compare_exactly(a, b);
        }
        a.compare(b, self.current.record.text(), &self.current.specials.convfmt)
    }

    /// What decides about [`Specials::compares_otherwise`](crate::specials::Specials) may have
    /// changed.
    pub(crate) fn note_how_to_compare(&mut self) {
        self.current.specials.compares_otherwise =
            self.current.specials.ignore_case || self.program.precise || self.locale.collation.is_some();
        self.current.specials.compares_exactly = self.program.exact;
    }

    #[inline(never)]
    fn compare_exactly(&self, a: &Value, b: &Value) -> Option<std::cmp::Ordering> {
        a.compare_exactly(b, self.current.record.text(), &self.current.specials.convfmt)
    }

    /// As [`Runtime::compare`] where numbers are of any precision, integers exact, or texts are not
    /// in the order of their bytes: by case that does not count, by a locale.
    #[cold]
    #[inline(never)]
    fn compare_otherwise(&self, a: &Value, b: &Value) -> Option<std::cmp::Ordering> {
        let (record, convfmt) = (self.current.record.text(), &self.current.specials.convfmt);
        let ordering = match (self.program.precise, self.program.exact) {
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
        match &self.locale.collation {
            _ if self.current.specials.ignore_case => Some(folded(a, self.locale.unit).cmp(&folded(b, self.locale.unit))),
            Some(collation) => Some(collation.order(a, b)),
            None => ordering,
        }
    }
}
