//! awk's conversions between numbers and text, correctly rounded.
//!
//! [`to_number`] reads the longest numeric beginning of a text (`"3 apples" + 0` is 3).
//! [`looks_numeric`] requires *all* of it to be a number, apart from blanks: the strnum rule.
//! [`number_to_text`] writes integers with all their digits, the rest by CONVFMT or OFMT.

mod blank;
mod decimal;
mod digits;
mod exponent;
mod long;
mod point;
mod powers;
mod precise;
mod read;
mod small;
mod syntax;
mod write;

pub use crate::format::{number_to_text, precise_to_text};
pub use blank::is_blank;
pub(crate) use decimal::{fixed_digits, general_digits};
pub(crate) use digits::{first_word, whole_number};
pub use point::DecimalPoint;
pub(crate) use point::{decimal_point, group_separator, localise};
pub(crate) use precise::special;
pub use precise::{precise_number, precise_written_in_c};
pub use read::{looks_numeric, parse_prefix, to_number, to_number_within};
pub use small::{INTEGER_LIMIT, is_small};
pub use syntax::NumberSyntax;
pub(crate) use write::{I64_LIMIT, special_text, write_integral};
pub use write::{is_integral, write_integer};
