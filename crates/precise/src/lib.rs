//! Integers of any size and binary floating-point numbers of any precision, every operation
//! correctly rounded.
//!
//! A [`Number`] is what awk's arithmetic works on: an integer, exact at any size, or a [`Float`]. A
//! [`Context`] says to how many bits floats are rounded, in which direction ([`Rounding`]), and
//! between which exponents they lie. The result of each operation is the exact result, rounded once:
//! sums, products, quotients, remainders and square roots are computed exactly as far as rounding
//! can tell, elementary functions until every number within the bound on the error is rounded to the
//! same (Ziv's loop). Text is read and [`Digits`] are written in the same way.
//!
//! An [`ExactSum`] of doubles is rounded only when it is read, so their order does not matter.
//!
//! What it is not: decimal arithmetic, interval arithmetic, or a library of special functions. The
//! integers are those of `dashu-int`.
//!
//! ```
//! use riverhawk_precise::{Context, Float, Number, Rounding};
//!
//! let context = Context::bits(200).rounding(Rounding::Up);
//! let third = Number::from_f64(1.0).div(&Number::from_f64(3.0), &context).unwrap();
//! let digits = third.to_float().significant_digits(62, Rounding::Nearest).unwrap();
//! assert_eq!(digits.exponent, -1);
//! assert_eq!(digits.digits, b"33333333333333333333333333333333333333333333333333333333333344");
//! ```

#![forbid(unsafe_code)]

mod arithmetic;
mod circular;
mod constants;
mod context;
mod digits;
mod dword;
mod exact_sum;
mod exponential;
mod fixed;
mod float;
mod number;
mod read;
mod rounding;
mod ten;
mod word;
mod ziv;

pub use context::{Context, MAX_INTEGER_BITS, MAX_PRECISION, MIN_PRECISION, Range};
pub use dashu_base::Sign;
pub use dashu_int::{IBig, UBig};
pub use digits::{Digits, decimal, in_base};
pub use exact_sum::{ExactSum, exact_sum};
pub use float::Float;
pub use number::{Function, Number, NumberError, Outcome};
pub use rounding::Rounding;
