//! Callsites: how many arguments a call has, and how each is passed.
//!
//! Equal shapes share one number in the whole process. With fewer than 8 arguments the number
//! encodes the shape, which needs no lock and is the same in every run; longer shapes are numbered
//! by a table.

use crate::thresholds::INTERNED_ARITY;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};

/// How an argument is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum ArgumentShape {
    /// A scalar, by value.
    Scalar,
    /// An array, by reference.
    Array,
    /// A variable that the callee may turn into an array.
    Untyped,
    /// Not passed: the parameter is a local variable of the callee.
    Omitted,
}

impl ArgumentShape {
    const ALL: [ArgumentShape; 4] = [
        ArgumentShape::Scalar,
        ArgumentShape::Array,
        ArgumentShape::Untyped,
        ArgumentShape::Omitted,
    ];

    /// The name shown in plans.
    pub const fn name(self) -> &'static str {
        match self {
            ArgumentShape::Scalar => "scalar",
            ArgumentShape::Array => "array",
            ArgumentShape::Untyped => "untyped variable",
            ArgumentShape::Omitted => "omitted",
        }
    }

    pub(crate) const fn is_typed(self) -> bool {
        !matches!(self, ArgumentShape::Omitted)
    }
}

/// The interned shape of a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Callsite(NonZeroU32);

static LONG: Mutex<LongShapes> =
    Mutex::new(LongShapes { numbers: BTreeMap::new(), shapes: Vec::new() });

struct LongShapes {
    numbers: BTreeMap<Arc<[ArgumentShape]>, u32>,
    shapes: Vec<Arc<[ArgumentShape]>>,
}

/// Set in numbers from the table.
const TABLE: u32 = 1 << 31;
/// Keeps the number of the empty shape from being zero.
const SHORT: u32 = 1 << 30;
const ARITY_SHIFT: u32 = 16;

impl Callsite {
    /// The call without arguments; also enters `BEGIN`, `END` and the record loop.
    pub const EMPTY: Callsite = Callsite(NonZeroU32::new(SHORT).expect("not zero"));

    /// The callsite of a shape; arguments omitted at its end do not count. None if it is too long.
    pub fn intern(shape: &[ArgumentShape]) -> Option<Callsite> {
        let shape = passed(shape);
        if shape.len() >= INTERNED_ARITY {
            return None;
        }
        let kinds = shape.iter().rev().fold(0, |kinds, &argument| kinds << 2 | argument as u32);
        NonZeroU32::new(SHORT | (shape.len() as u32) << ARITY_SHIFT | kinds).map(Callsite)
    }

    /// As [`Callsite::intern`], for any length. None when the table, which is never freed, is full.
    pub fn intern_any(shape: &[ArgumentShape]) -> Option<Callsite> {
        let shape = passed(shape);
        if shape.len() < INTERNED_ARITY {
            return Callsite::intern(shape);
        }
        let mut long = LONG.lock().unwrap_or_else(PoisonError::into_inner);
        let number = match long.numbers.get(shape) {
            Some(&number) => number,
            None => {
                let number =
                    u32::try_from(long.shapes.len()).ok().filter(|&number| number < TABLE)?;
                let shape: Arc<[ArgumentShape]> = shape.into();
                long.shapes.push(Arc::clone(&shape));
                long.numbers.insert(shape, number);
                number
            }
        };
        NonZeroU32::new(TABLE | number).map(Callsite)
    }

    /// The number of arguments.
    pub fn arity(self) -> usize {
        if self.is_short() {
            (self.0.get() >> ARITY_SHIFT & 0xf) as usize
        } else {
            self.shape().len()
        }
    }

    /// The kind of each argument.
    pub fn shape(self) -> Arc<[ArgumentShape]> {
        if self.is_short() {
            (0..self.arity()).filter_map(|at| self.argument(at)).collect()
        } else {
            let long = LONG.lock().unwrap_or_else(PoisonError::into_inner);
            let number = (self.0.get() & !TABLE) as usize;
            long.shapes.get(number).cloned().unwrap_or_default()
        }
    }

    /// The kind of an argument; none past the last.
    pub fn argument(self, index: usize) -> Option<ArgumentShape> {
        if !self.is_short() {
            return self.shape().get(index).copied();
        }
        (index < self.arity())
            .then(|| ArgumentShape::ALL[(self.0.get() >> (2 * index) & 3) as usize])
    }

    fn is_short(self) -> bool {
        self.0.get() & TABLE == 0
    }
}

fn passed(shape: &[ArgumentShape]) -> &[ArgumentShape] {
    let count = shape
        .iter()
        .rposition(|&argument| argument != ArgumentShape::Omitted)
        .map_or(0, |last| last + 1);
    &shape[..count]
}

/// By arity, then by shape, to be the same in every run.
impl Ord for Callsite {
    fn cmp(&self, other: &Callsite) -> Ordering {
        if self == other {
            return Ordering::Equal;
        }
        if self.is_short() && other.is_short() {
            return self.0.cmp(&other.0);
        }
        self.arity().cmp(&other.arity()).then_with(|| self.shape().cmp(&other.shape()))
    }
}

impl PartialOrd for Callsite {
    fn partial_cmp(&self, other: &Callsite) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Callsite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Callsite{:?}", self.shape())
    }
}

/// `2 arguments: array, scalar`
impl fmt::Display for Callsite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.shape();
        match shape.len() {
            0 => return f.write_str("no arguments"),
            1 => f.write_str("1 argument: ")?,
            count => write!(f, "{count} arguments: ")?,
        }
        for (at, argument) in shape.iter().enumerate() {
            if at > 0 {
                f.write_str(", ")?;
            }
            f.write_str(argument.name())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ArgumentShape::*;

    #[test]
    fn every_short_shape_comes_back_from_its_number() {
        let mut seen = std::collections::BTreeSet::new();
        for arity in 0..INTERNED_ARITY {
            for kinds in 0..4usize.pow(arity as u32) {
                let shape: Vec<ArgumentShape> =
                    (0..arity).map(|at| ArgumentShape::ALL[kinds >> (2 * at) & 3]).collect();
                if shape.last() == Some(&Omitted) {
                    continue;
                }
                let callsite = Callsite::intern(&shape).expect("short");
                assert_eq!(*callsite.shape(), *shape);
                assert_eq!(callsite.arity(), arity);
                assert!(seen.insert(callsite), "{shape:?} shares a number");
            }
        }
    }

    #[test]
    fn arguments_omitted_at_the_end_are_folded() {
        assert_eq!(Callsite::intern(&[Scalar, Omitted, Omitted]), Callsite::intern(&[Scalar]));
        assert_eq!(Callsite::intern(&[Omitted]), Some(Callsite::EMPTY));
        assert_ne!(Callsite::intern(&[Omitted, Scalar]), Callsite::intern(&[Scalar]));
    }

    #[test]
    fn eight_arguments_are_interned_only_by_force() {
        assert_eq!(Callsite::intern(&[Scalar; 8]), None);
        let forced = Callsite::intern_any(&[Scalar; 8]).expect("room");
        assert_eq!(Callsite::intern_any(&[Scalar; 8]), Some(forced));
        assert_eq!(*forced.shape(), [Scalar; 8]);
        assert_eq!(Callsite::intern_any(&[Array]), Callsite::intern(&[Array]));
    }

    #[test]
    fn order_is_by_arity_and_shape_whatever_was_interned_first() {
        let later = Callsite::intern_any(&[Array; 9]).expect("room");
        let earlier = Callsite::intern_any(&[Scalar; 9]).expect("room");
        assert!(earlier < later);
        assert!(Callsite::intern(&[Array]).expect("short") < earlier);
        assert!(Callsite::EMPTY < earlier);
    }

    #[test]
    fn threads_that_intern_one_shape_get_one_callsite() {
        let shape = [Scalar, Array, Scalar, Array, Scalar, Array, Scalar, Array, Untyped, Untyped];
        let threads: Vec<_> =
            (0..4).map(|_| std::thread::spawn(move || Callsite::intern_any(&shape))).collect();
        let mut callsites: Vec<_> =
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect();
        callsites.dedup();
        assert_eq!(callsites.len(), 1);
    }
}
