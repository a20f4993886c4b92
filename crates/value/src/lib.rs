//! The values of an awk program.
//!
//! A [`Value`] is 16 bytes: a number, text, an array, or unassigned. Text from outside the program
//! is *input text*, awk's strnum, which compares as a number when it looks like one. [`Array`] is
//! the associative array, [`mod@number`] converts text and numbers, [`mod@format`] is printf.
//! Numbers that do not fit a double are [`precise`]; integers may be kept [`exact`].
//!
//! It reads no input and runs no program. Values never cross threads, so counts are not atomic.
//!
//! ```
//! use riverhawk_value::{Array, Probe, Value};
//!
//! let mut count = Array::default();
//! for word in ["tea", "coffee", "tea"] {
//!     let element = count.entry(Probe::from_text(word.as_bytes()));
//!     *element = Value::Num(element.number(b"") + 1.0);
//! }
//! assert_eq!(count.get(Probe::Text(b"tea")).map(|value| value.number(b"")), Some(2.0));
//! ```

#![deny(unsafe_code)]

pub mod array;
pub mod ascii;
mod counted;
pub mod exact;
pub mod format;
#[allow(unsafe_code)]
pub mod heap;
mod joining;
#[cfg_attr(test, allow(unsafe_code))]
pub mod layout;
pub mod number;
pub mod precise;
#[allow(unsafe_code)]
pub mod small;
mod sum;
pub mod truth;
pub mod untyped;
pub mod value;

pub use array::{Array, ArrayRef, KeyIter, Packed, Place, Probe, ShortKey, new_array};
pub use ascii::Ascii;
pub use counted::PreciseRef;
pub use heap::HeapStr;
pub use joining::join_texts;
pub use layout::{DenseLayout, VectorLayout};
pub use small::{SMALL_CAPACITY, SmallStr};
pub use truth::Truth;
pub use untyped::Untyped;
pub use value::{NumberFormat, TextKind, UntypedRef, Value, View};
