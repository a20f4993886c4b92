//! Sums in a run whose answer must not depend on the order of the records: exact until they are
//! settled. A sum stays a [`Value::Num`] as long as no addition to it was rounded.

use crate::array::{Array, Place, Probe};
use crate::value::Value;
use riverhawk_precise::{ExactSum, exact_sum};

impl Value {
    /// Adds a number exactly.
    #[inline]
    pub fn add_exactly(&mut self, addend: f64) {
        if let Value::Num(number) = self
            && let Some(sum) = exact_sum(*number, addend)
        {
            *number = sum;
            return;
        }
        self.add_rest(addend);
    }

    #[cold]
    #[inline(never)]
    fn add_rest(&mut self, addend: f64) {
        if let Value::Sum(sum) = self {
            return sum.add(addend);
        }
        let number = self.number(b"");
        *self = match exact_sum(number, addend) {
            Some(sum) => Value::Num(sum),
            None => Value::Sum(Box::new(sum_of(number, addend))),
        };
    }

    /// Adds a sum exactly.
    pub fn add_sum(&mut self, other: &Value) {
        match other {
            Value::Sum(other) => {
                if !matches!(self, Value::Sum(_)) {
                    *self = Value::Sum(Box::new(ExactSum::from(self.number(b""))));
                }
                if let Value::Sum(sum) = self {
                    sum.add_all(other);
                }
            }
            other => self.add_exactly(other.number(b"")),
        }
    }

    /// Makes an exact sum the nearest number.
    pub fn settle_sum(&mut self) {
        if let Value::Sum(sum) = self {
            *self = Value::Num(sum.to_f64());
        }
    }
}

impl Array {
    /// From now on [`Array::add`] is exact.
    pub fn keep_sums(&mut self) {
        self.keeps_sums = true;
    }

    /// Makes the exact sums the nearest numbers; they are no longer kept.
    pub fn settle_sums(&mut self) {
        self.keeps_sums = false;
        self.all_values().for_each(Value::settle_sum);
    }

    /// Adds to an element unless it is an array; returns whether it did.
    #[inline]
    pub fn add(&mut self, probe: Probe<'_>, addend: f64) -> bool {
        let keeps_sums = self.keeps_sums;
        match self.place(probe) {
            place if place.is_array() => return false,
            mut place if !keeps_sums => place.set_number(place.number() + addend),
            Place::Value(value) => value.add_exactly(addend),
            Place::Packed(packed) => {
                let number = packed.number();
                match exact_sum(number, addend) {
                    Some(sum) => packed.set(sum),
                    None => self.set(probe, Value::Sum(Box::new(sum_of(number, addend)))),
                }
            }
        }
        true
    }
}

fn sum_of(number: f64, addend: f64) -> ExactSum {
    let mut sum = ExactSum::from(number);
    sum.add(addend);
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_is_exact_until_it_is_settled() {
        let mut sum = Value::Uninit;
        for addend in [0.1, 1e300, 0.2, -1e300, 0.3] {
            sum.add_exactly(addend);
        }
        let mut twice = Value::Num(-0.6);
        twice.add_sum(&sum);
        twice.add_sum(&sum);
        // Of the two doubles that are as near to the second, the even one.
        for (value, expected) in [(&mut sum, 0.6), (&mut twice, 0.600_000_000_000_000_1)] {
            assert!(matches!(value, Value::Sum(_)));
            value.settle_sum();
            assert!(matches!(value, Value::Num(number) if *number == expected), "{value:?}");
        }
    }

    #[test]
    fn whole_numbers_stay_numbers() {
        let mut sum = Value::from_input(b"7");
        for addend in 0..1000 {
            sum.add_exactly(f64::from(addend));
        }
        assert!(matches!(sum, Value::Num(499_507.0)));
    }

    #[test]
    fn elements_are_exact_only_while_sums_are_kept() {
        let keys = [Probe::Int(1), Probe::Int(2), Probe::Int(-5), Probe::Text(b"x")];
        let mut array = Array::default();
        let all = |array: &mut Array| {
            for key in keys {
                for addend in [0.1, 0.2, 0.3, -0.1, -0.2, -0.3] {
                    assert!(array.add(key, addend));
                }
            }
            keys.map(|key| array.get(key).map(|value| value.number(b"")))
        };
        assert!(all(&mut array).iter().all(|sum| sum.is_some_and(|sum| sum != 0.0)));
        let mut array = Array::default();
        array.keep_sums();
        assert_eq!(all(&mut array), [Some(0.0); 4]);
        array.settle_sums();
        assert!(array.all_values().all(|value| matches!(value, Value::Num(0.0))));
    }
}
