//! printf: formats compiled once. [`Format::parse`] cuts a format into pieces; [`Format::write`]
//! takes their arguments from [`FormatArgs`]. Digits are exact at any precision, integers at any
//! size.
//!
//! Where C leaves a choice we follow gawk: `%d` of 2^70 has all its digits, `%x` of a number that
//! is no 64-bit integer is written by `%g`, infinities always have a sign, an unknown conversion
//! prints itself.

mod character;
mod convert;
mod error;
mod hexadecimal;
mod integer;
mod layout;
mod parse;
mod placed;
mod precise;
mod real;

pub(crate) use convert::spelled_by;
pub use convert::{number_to_text, precise_to_text};
pub use error::{FormatError, MAX_FIELD};
pub(crate) use real::write_general;

use crate::number::{is_small, write_integer, write_integral};
use integer::Radix;
use layout::{Case, Flags, Layout, write_special};
use riverhawk_memory::Growing;
use riverhawk_precise::{Context, Number};
use riverhawk_text::Unit;
use std::ops::Range;

/// Bytes that may be read past each literal.
const LITERAL_SLACK: usize = 16;

/// The arguments of one printf. Indexes count from 0 and are below [`count`].
///
/// [`count`]: FormatArgs::count
pub trait FormatArgs {
    /// Number of arguments.
    fn count(&self) -> usize;

    /// Argument `i` as a number.
    fn number(&mut self, i: usize) -> f64;

    /// Argument `i` as a number of any precision, for [`Format::write_precise`].
    fn precise(&mut self, i: usize) -> Number {
        Number::from_f64(self.number(i))
    }

    /// The integer that argument `i` is, if a double does not hold it. Called for large numbers
    /// only.
    fn large_integer(&mut self, _i: usize) -> Option<Number> {
        None
    }

    /// Argument `i` if it is text already: its length is then known before it is appended.
    fn as_text(&self, i: usize) -> Option<&[u8]> {
        let _ = i;
        None
    }

    /// Appends argument `i` as text.
    fn text(&mut self, i: usize, out: &mut Vec<u8>);

    /// Whether `%c` treats argument `i` as a number, as it does a numeric strnum.
    fn is_number(&mut self, i: usize) -> bool;
}

/// A compiled format.
///
/// ```
/// use riverhawk_text::Unit;
/// use riverhawk_value::format::{Format, FormatArgs};
///
/// struct Prices<'a>(&'a [(&'a str, f64)]);
/// impl FormatArgs for Prices<'_> {
///     fn count(&self) -> usize { 2 * self.0.len() }
///     fn number(&mut self, i: usize) -> f64 { self.0[i / 2].1 }
///     fn text(&mut self, i: usize, out: &mut Vec<u8>) { out.extend_from_slice(self.0[i / 2].0.as_bytes()) }
///     fn is_number(&mut self, i: usize) -> bool { i % 2 == 1 }
/// }
///
/// let mut out = Vec::new();
/// let format = Format::parse("%-6s %6.2f €".as_bytes());
/// format.write(&mut Prices(&[("café", 2.5)]), Unit::CodePoint, &mut out)?;
/// assert_eq!(out, "café     2.50 €".as_bytes());
/// # Ok::<(), riverhawk_value::format::FormatError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Format {
    pieces: Vec<Piece>,
    /// The texts between conversions, and [`LITERAL_SLACK`] bytes more.
    literals: Vec<u8>,
    needed: usize,
    wants: Vec<Want>,
    /// An error in the format itself, reported on use, since awk compiles formats at run time.
    error: Option<FormatError>,
    /// The precision, if the whole format is `%.Ng`.
    general: Option<u8>,
}

#[derive(Clone, Debug)]
enum Piece {
    /// A range of `literals`.
    Literal(Range<usize>),
    /// `%s`.
    Text(usize),
    /// `%d` or `%i`.
    Integer(usize),
    /// `%.2f`: argument and places.
    Fixed(usize, u8),
    General(usize, u8),
    Conversion(Conversion),
}

#[derive(Clone, Debug)]
struct Conversion {
    letter: Letter,
    flags: Flags,
    width: Count,
    precision: Option<Count>,
    argument: usize,
}

#[derive(Clone, Debug)]
struct Want {
    argument: usize,
    conversion_at: usize,
    numbered: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Letter {
    Character,
    Text,
    Integer,
    Unsigned(Radix),
    Real { form: real::Form, case: Case },
}

/// A width or precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    Fixed(usize),
    Argument(usize),
}

/// Which awk's formats are accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FormatRules {
    /// Everything.
    #[default]
    Gawk,
    /// No arguments by number: `%2$s` is an error.
    Traditional,
    /// Nor modifiers of length: `%ld` is an error.
    Posix,
}

impl Format {
    /// Compiles `format`. Never fails: errors are reported by [`Format::write`], as in awk.
    pub fn parse(format: &[u8]) -> Format {
        Format::parse_by(FormatRules::Gawk, format)
    }

    /// As [`Format::parse`], by other rules.
    pub fn parse_by(rules: FormatRules, format: &[u8]) -> Format {
        parse::parse(format, rules)
    }

    /// Compiles CONVFMT or OFMT: one that is broken or needs more arguments is an error.
    pub fn for_numbers(rules: FormatRules, format: &[u8]) -> Result<Format, FormatError> {
        let parsed = Format::parse_by(rules, format);
        parsed.check(1)?;
        Ok(parsed)
    }

    /// Appends the formatted text to `out`; on an error `out` is unchanged.
    ///
    /// Widths and precisions of text count characters of `unit`. Surplus arguments are ignored. The
    /// `'` flag groups digits by commas in code points, and does nothing in bytes (the C locale).
    #[inline]
    pub fn write<A: FormatArgs + ?Sized>(
        &self,
        args: &mut A,
        unit: Unit,
        out: &mut Vec<u8>,
    ) -> Result<(), FormatError> {
        if self.error.is_some() || args.count() < self.needed {
            return self.check(args.count());
        }
        let start = out.len();
        for piece in &self.pieces {
            match piece {
                Piece::Literal(range) => self.write_literal(range, out),
                Piece::Text(argument) => args.text(*argument, out),
                Piece::Integer(argument) => {
                    let n = args.number(*argument);
                    let integer = n as i64;
                    if integer as f64 == n && integer.unsigned_abs() < 1 << 53 {
                        write_integer(integer, out);
                    } else if is_small(n) {
                        write_integral(n.trunc(), out);
                    } else {
                        write_beyond(args, *argument, Letter::Integer, &Layout::default(), out)?;
                    }
                }
                Piece::Fixed(argument, places) => {
                    let n = args.number(*argument);
                    if is_small(n) {
                        real::write_fixed(n, (*places).into(), out);
                    } else {
                        let layout =
                            Layout { precision: Some((*places).into()), ..Layout::default() };
                        write_beyond(args, *argument, Letter::FIXED, &layout, out)?;
                    }
                }
                Piece::General(argument, precision) => {
                    let n = args.number(*argument);
                    if n.is_finite() {
                        write_general(n, *precision, out);
                    } else {
                        write_special(n, Case::Lower, &Layout::default(), out)?;
                    }
                }
                Piece::Conversion(conversion) => {
                    if let Err(error) = conversion.write(args, unit, out) {
                        out.truncate(start);
                        return Err(error);
                    }
                }
            }
        }
        Ok(())
    }

    /// Appends a literal: most are a few bytes, for which one store avoids a call.
    #[inline(always)]
    fn write_literal(&self, range: &Range<usize>, out: &mut Vec<u8>) {
        match self.literals[range.start..].first_chunk::<LITERAL_SLACK>() {
            Some(block) if range.len() <= LITERAL_SLACK => {
                out.extend_by(block);
                out.truncate(out.len() - LITERAL_SLACK + range.len());
            }
            _ => out.extend_by(&self.literals[range.clone()]),
        }
    }

    /// Appends one number, as CONVFMT and OFMT do.
    ///
    /// # Errors
    /// As [`Format::write`].
    pub fn write_number(&self, n: f64, out: &mut Vec<u8>) -> Result<(), FormatError> {
        self.write(&mut OneNumber(n), Unit::CodePoint, out)
    }

    /// The precision, if the whole format is `%.Ng`.
    #[inline]
    pub fn general_precision(&self) -> Option<u8> {
        self.general
    }

    #[cold]
    fn check(&self, given: usize) -> Result<(), FormatError> {
        match self.wants.iter().find(|want| want.argument >= given) {
            Some(want) if want.numbered => {
                Err(FormatError::NoSuchArgument { index: want.argument + 1, given })
            }
            Some(want) => {
                Err(FormatError::NotEnoughArguments { conversion_at: want.conversion_at, given })
            }
            None => self.error.map_or(Ok(()), Err),
        }
    }
}

impl Letter {
    const FIXED: Letter = Letter::Real { form: real::Form::Fixed, case: Case::Lower };

    #[inline]
    fn write(self, number: f64, layout: &Layout, out: &mut Vec<u8>) -> Result<(), FormatError> {
        match self {
            Letter::Unsigned(radix) => integer::write_unsigned(number, radix, layout, out),
            Letter::Real { form, case } => real::write(number, form, case, layout, out),
            _ => integer::write_signed(number, layout, out),
        }
    }
}

/// Appends a number beyond 2^53, infinite or NaN.
#[cold]
#[inline(never)]
fn write_beyond<A: FormatArgs + ?Sized>(
    args: &mut A,
    argument: usize,
    letter: Letter,
    layout: &Layout,
    out: &mut Vec<u8>,
) -> Result<(), FormatError> {
    match (args.large_integer(argument), letter) {
        (Some(large), Letter::Integer) => precise::write_signed(&large, layout, out),
        (Some(large), Letter::Unsigned(radix)) => {
            precise::write_unsigned(&precise::wrapped(large), radix, layout, out)
        }
        (Some(large), Letter::Real { form: form @ real::Form::Fixed, case }) => {
            precise::write_real(&large, form, case, layout, &Context::default(), out)
        }
        _ => letter.write(args.number(argument), layout, out),
    }
}

impl Conversion {
    #[inline]
    fn layout<A: FormatArgs + ?Sized>(
        &self,
        args: &mut A,
        unit: Unit,
        count: impl Fn(&mut A, usize) -> i64,
    ) -> Result<Layout, FormatError> {
        let mut layout = Layout { flags: self.flags, ..Layout::default() };
        (layout.width, layout.flags.left) = match self.width {
            Count::Fixed(width) => (width, self.flags.left),
            Count::Argument(index) => {
                let width = count(args, index);
                (
                    usize::try_from(width.unsigned_abs()).unwrap_or(usize::MAX),
                    self.flags.left || width < 0,
                )
            }
        };
        layout.precision = match self.precision {
            None => None,
            Some(Count::Fixed(precision)) => Some(precision),
            // A negative precision counts as none.
            Some(Count::Argument(index)) => usize::try_from(count(args, index)).ok(),
        };
        if layout.width.max(layout.precision.unwrap_or(0)) > MAX_FIELD {
            return Err(FormatError::TooWide);
        }
        layout.flags.group &= unit != Unit::Byte;
        Ok(layout)
    }

    fn write<A: FormatArgs + ?Sized>(
        &self,
        args: &mut A,
        unit: Unit,
        out: &mut Vec<u8>,
    ) -> Result<(), FormatError> {
        let layout = self.layout(args, unit, |args, at| whole_number(args.number(at)))?;
        let letter = match self.letter {
            Letter::Text => return character::write_text(args, self.argument, &layout, unit, out),
            Letter::Character => {
                return character::write_character(args, self.argument, &layout, unit, out);
            }
            letter => letter,
        };
        let number = args.number(self.argument);
        match is_small(number) {
            true => letter.write(number, &layout, out),
            false => write_beyond(args, self.argument, letter, &layout, out),
        }
    }
}

fn whole_number(n: f64) -> i64 {
    n as i64
}

struct OneNumber(f64);

impl FormatArgs for OneNumber {
    fn count(&self) -> usize {
        1
    }

    fn number(&mut self, _: usize) -> f64 {
        self.0
    }

    /// CONVFMT="%s" would recurse without end; it gets `%.6g`.
    fn text(&mut self, _: usize, out: &mut Vec<u8>) {
        write_general(self.0, 6, out);
    }

    fn is_number(&mut self, _: usize) -> bool {
        true
    }
}
