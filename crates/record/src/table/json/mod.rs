//! JSON: each record is a value, on a line of its own or not.
//!
//! - `scan`: the ends of values, and errors;
//! - `path`: `a.b[0]` and its value;
//! - `value`: JSON values to awk's and back;
//! - `array`: objects and arrays to awk's arrays and back;
//! - `frames`: the text around values;
//! - `record`: fields, fields by path, and assignments to both.
//!
//! A number keeps its text until used in arithmetic, so `12345678901234567890` and `1.50` are
//! unchanged. A string never compares as a number.

mod array;
mod frames;
mod path;
mod record;
mod scan;
mod value;

pub use array::{parse, parse_into, write_array};
pub use frames::Frames;
pub use path::Path;
pub use record::FIRST_PATH;
pub use scan::{JsonFlaw, check, skip_value};
pub(crate) use value::write_text;
pub use value::{Nested, decoded, write_compact, write_value};
