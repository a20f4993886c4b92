//! JSON: each record is a JSON value, on a line of its own or wherever it stands.
//!
//! - `scan`: where values begin and end, and what is wrong with a text that is none;
//! - `path`: `a.b[0]`, and what it leads to;
//! - `value`: JSON values as awk's values and back;
//! - `array`: objects and arrays as awk's arrays and back;
//! - `frames`: what stands around values that are not lines;
//! - `record`: fields, fields by path, and assignments to both.
//!
//! A number keeps its text until somebody calculates with it, so `12345678901234567890` and `1.50`
//! come out as they came in. A string is text and never compares as a number, whatever it looks
//! like.

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
pub use scan::{JsonFlaw, check};
pub use value::{Nested, write_compact, write_text, write_value};
