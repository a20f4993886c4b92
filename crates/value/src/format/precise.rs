//! printf of numbers of any precision, with every digit, rounded by this thread's context.
//!
//! MPFR's answer is taken where it differs from C's: `%a` puts the point after a whole hexadecimal
//! digit, and `%x` of any non-negative number has all its digits.

use super::integer::Radix;
use super::layout::{self, Case, Flags, Layout, group, insert};
use super::{
    Conversion, Format, FormatArgs, FormatError, Letter, OneNumber, Piece, character, integer, real,
};
use crate::number::{localise, special};
use real::Form;
use riverhawk_precise::{Context, Float, IBig, Number, Sign, decimal, in_base};
use riverhawk_text::Unit;

impl Format {
    /// As [`Format::write`], with numbers of any precision ([`FormatArgs::precise`]).
    ///
    /// # Errors
    /// As [`Format::write`].
    pub fn write_precise<A: FormatArgs + ?Sized>(
        &self,
        args: &mut A,
        unit: Unit,
        out: &mut Vec<u8>,
    ) -> Result<(), FormatError> {
        if self.error.is_some() || args.count() < self.needed {
            return self.check(args.count());
        }
        let context = Context::current();
        let start = out.len();
        for piece in &self.pieces {
            let plain = |precision| Layout { precision, ..Layout::default() };
            let written = match piece {
                Piece::Literal(range) => {
                    out.extend_from_slice(&self.literals[range.clone()]);
                    Ok(())
                }
                Piece::Text(argument) => {
                    args.text(*argument, out);
                    Ok(())
                }
                Piece::Integer(argument) => {
                    write_signed(&args.precise(*argument), &plain(None), out)
                }
                Piece::Fixed(argument, places) => {
                    let layout = plain(Some(usize::from(*places)));
                    write_real(
                        &args.precise(*argument),
                        Form::Fixed,
                        Case::Lower,
                        &layout,
                        &context,
                        out,
                    )
                }
                Piece::General(argument, precision) => {
                    let layout = plain(Some(usize::from(*precision)));
                    write_real(
                        &args.precise(*argument),
                        Form::General,
                        Case::Lower,
                        &layout,
                        &context,
                        out,
                    )
                }
                Piece::Conversion(conversion) => {
                    conversion.write_precise(args, unit, &context, out)
                }
            };
            if let Err(error) = written {
                out.truncate(start);
                return Err(error);
            }
        }
        Ok(())
    }

    pub(crate) fn general_digits(&self) -> Option<u8> {
        match (self.pieces.as_slice(), &self.error) {
            ([Piece::General(_, digits)], None) => Some(*digits),
            _ => None,
        }
    }

    /// As [`Format::write_number`], of any precision; writes nothing if the format needs more than
    /// one number.
    pub fn write_precise_number(&self, number: &Number, out: &mut Vec<u8>) {
        if let ([Piece::General(_, precision)], None) = (self.pieces.as_slice(), &self.error) {
            let layout = Layout { precision: Some(usize::from(*precision)), ..Layout::default() };
            let _ =
                write_real(number, Form::General, Case::Lower, &layout, &Context::current(), out);
            return;
        }
        let mut one = OnePrecise(number, OneNumber(number.to_f64()));
        if self.write_precise(&mut one, Unit::CodePoint, out).is_err() {
            let layout = Layout { precision: Some(6), ..Layout::default() };
            let _ =
                write_real(number, Form::General, Case::Lower, &layout, &Context::current(), out);
        }
    }
}

struct OnePrecise<'a>(&'a Number, OneNumber);

impl FormatArgs for OnePrecise<'_> {
    fn count(&self) -> usize {
        1
    }

    fn number(&mut self, i: usize) -> f64 {
        self.1.number(i)
    }

    fn precise(&mut self, _: usize) -> Number {
        self.0.clone()
    }

    fn text(&mut self, i: usize, out: &mut Vec<u8>) {
        self.1.text(i, out);
    }

    fn is_number(&mut self, _: usize) -> bool {
        true
    }
}

impl Conversion {
    fn write_precise<A: FormatArgs + ?Sized>(
        &self,
        args: &mut A,
        unit: Unit,
        context: &Context,
        out: &mut Vec<u8>,
    ) -> Result<(), FormatError> {
        // Rounded, where C truncates.
        let layout = self.layout(args, unit, |args, at| {
            let whole =
                args.precise(at).as_float().to_integer(context.rounding).unwrap_or_default();
            i64::try_from(&whole).unwrap_or(if whole < IBig::ZERO { i64::MIN } else { i64::MAX })
        })?;
        match self.letter {
            Letter::Text => character::write_text(args, self.argument, &layout, unit, out),
            Letter::Character if args.is_number(self.argument) => character::write_code(
                code(&args.precise(self.argument), context),
                &layout,
                unit,
                out,
            ),
            Letter::Character => {
                character::write_character(args, self.argument, &layout, unit, out)
            }
            Letter::Integer => write_signed(&args.precise(self.argument), &layout, out),
            Letter::Unsigned(radix) => {
                write_unsigned(&args.precise(self.argument), radix, &layout, out)
            }
            Letter::Real { form, case } => {
                write_real(&args.precise(self.argument), form, case, &layout, context, out)
            }
        }
    }
}

/// The code that `%c` writes: the nearest double towards 0 of an integer, as in GMP; otherwise the
/// nearest unsigned 64-bit number, as in MPFR. Only the low bits count.
fn code(number: &Number, context: &Context) -> u32 {
    match number {
        Number::Integer(integer) => {
            let (sign, magnitude) = integer.clone().into_parts();
            let Ok(whole) = u64::try_from(&magnitude) else { return 0 };
            let kept = whole
                & u64::MAX << (64 - whole.leading_zeros()).saturating_sub(f64::MANTISSA_DIGITS);
            match sign {
                Sign::Positive => kept as u32,
                Sign::Negative if kept <= 1 << 63 => kept.wrapping_neg() as u32,
                Sign::Negative => 0,
            }
        }
        Number::Float(float) if float.is_nan() || float.is_negative() => 0,
        Number::Float(float) => {
            let whole = float.to_integer(context.rounding);
            whole.map_or(u64::MAX, |whole| u64::try_from(&whole).unwrap_or(u64::MAX)) as u32
        }
    }
}

/// Appends infinity or NaN as for doubles, but unsigned when not negative, as in MPFR; false if
/// finite.
fn write_special(
    number: &Number,
    case: Case,
    layout: &Layout,
    out: &mut Vec<u8>,
) -> Result<bool, FormatError> {
    let Number::Float(float) = number else { return Ok(false) };
    let layout = Layout { flags: Flags { plus: false, space: false, ..layout.flags }, ..*layout };
    let sign = if float.is_nan() { Sign::Positive } else { Sign::from(float.is_negative()) };
    layout::write_words(special(float), sign, case, &layout, out)
}

/// `%d` and `%i` truncate, whatever the rounding mode.
pub(super) fn write_signed(
    number: &Number,
    layout: &Layout,
    out: &mut Vec<u8>,
) -> Result<(), FormatError> {
    if write_special(number, Case::Lower, layout, out)? {
        return Ok(());
    }
    let (sign, magnitude) = number.truncate().unwrap_or_default().into_parts();
    let start = out.len();
    out.extend_from_slice(layout.sign(sign));
    let digits_at = out.len();
    if !number.is_zero() || layout.precision != Some(0) {
        out.extend_from_slice(&decimal(&magnitude));
    }
    if layout.flags.group {
        let end = out.len();
        group(out, digits_at, end);
    }
    layout.finish_integer(start, digits_at, out)
}

/// `%u`, `%o`, `%x`, `%X`: all digits. A minus is right before them and counts as a digit, as in
/// gawk.
pub(super) fn write_unsigned(
    number: &Number,
    radix: Radix,
    layout: &Layout,
    out: &mut Vec<u8>,
) -> Result<(), FormatError> {
    if write_special(number, radix.case(), layout, out)? {
        return Ok(());
    }
    let start = out.len();
    if !number.is_zero() {
        out.extend_from_slice(radix.prefix(layout));
    }
    let digits_at = out.len();
    if !number.is_zero() || layout.precision != Some(0) {
        let base = match radix {
            Radix::Decimal => 10,
            Radix::Octal => 8,
            Radix::Hexadecimal(_) => 16,
        };
        out.extend_from_slice(&in_base(&number.truncate().unwrap_or_default(), base));
        if radix.case() == Case::Upper {
            out[digits_at..].make_ascii_uppercase();
        }
    }
    integer::finish_unsigned(radix, start, digits_at, layout, out)
}

/// As C does it without a sign: a negative integer of 64 bits wraps around.
pub(super) fn wrapped(number: Number) -> Number {
    match number {
        Number::Integer(integer) if i64::try_from(&integer).is_ok_and(|small| small < 0) => {
            Number::Integer(integer + (IBig::ONE << 64))
        }
        other => other,
    }
}

pub(super) fn write_real(
    number: &Number,
    form: Form,
    case: Case,
    layout: &Layout,
    context: &Context,
    out: &mut Vec<u8>,
) -> Result<(), FormatError> {
    if write_special(number, case, layout, out)? {
        return Ok(());
    }
    let float = number.as_float();
    let start = out.len();
    out.extend_from_slice(layout.sign(Sign::from(float.is_negative())));
    let mut digits_at = out.len();
    let alternate = layout.flags.alternate;
    let precision = layout.precision.unwrap_or(6);
    match form {
        Form::Fixed => {
            write_fixed(&float, precision, context, out)?;
            if alternate && precision == 0 {
                out.push(b'.');
            }
        }
        Form::Exponent => {
            let (digits, exponent) = first_digits(&float, precision.saturating_add(1), context);
            real::place_exponent(&digits, exponent, precision, layout.flags, case, out)?;
        }
        Form::General => {
            let precision = precision.max(1);
            let (mut digits, exponent) = first_digits(&float, precision, context);
            if alternate {
                let len = digits.len();
                insert(&mut digits, len, precision.saturating_sub(len), b'0')?;
            }
            real::place_general(&digits, exponent, precision, layout.flags, case, out);
        }
        Form::Hexadecimal => {
            out.extend_from_slice(case.hexadecimal_prefix());
            digits_at = out.len();
            write_hexadecimal(&float, precision, layout.flags, case, context, out)?;
        }
    }
    localise(out, start);
    if layout.flags.group && matches!(form, Form::Fixed | Form::General) {
        let whole = out[digits_at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        group(out, digits_at, digits_at + whole);
    }
    layout.pad_number(out, start, digits_at)
}

fn write_fixed(
    float: &Float,
    places: usize,
    context: &Context,
    out: &mut Vec<u8>,
) -> Result<(), FormatError> {
    // Further places are zeros.
    let kept = places.min(float.decimal_places());
    let digits = float.fixed_digits(kept, context.rounding).unwrap_or_default();
    if digits.len() > kept {
        out.extend_from_slice(&digits[..digits.len() - kept]);
    } else {
        out.push(b'0');
    }
    if places > 0 {
        out.push(b'.');
    }
    out.resize(out.len() + kept.saturating_sub(digits.len()), b'0');
    out.extend_from_slice(&digits[digits.len().saturating_sub(kept)..]);
    let end = out.len();
    insert(out, end, places - kept, b'0')
}

fn first_digits(float: &Float, count: usize, context: &Context) -> (Vec<u8>, i32) {
    match float.significant_digits(count.min(float.most_digits()), context.rounding) {
        Some(digits) => (digits.digits, digits.exponent as i32),
        None => (b"0".to_vec(), 0),
    }
}

fn write_hexadecimal(
    float: &Float,
    precision: usize,
    flags: Flags,
    case: Case,
    context: &Context,
    out: &mut Vec<u8>,
) -> Result<(), FormatError> {
    let kept = precision.min(float.most_digits());
    let digits = float.hexadecimal_digits(Some(kept), context.rounding);
    let (mut digits, exponent) =
        digits.map_or((b"0".to_vec(), 0), |digits| (digits.digits, digits.exponent));
    if case == Case::Upper {
        digits.make_ascii_uppercase();
    }
    out.push(digits[0]);
    if precision > 0 || flags.alternate {
        out.push(b'.');
    }
    out.extend_from_slice(&digits[1..]);
    let end = out.len();
    insert(out, end, precision.saturating_sub(digits.len() - 1), b'0')?;
    out.push(case.letter(b'p'));
    out.push(if exponent < 0 { b'-' } else { b'+' });
    crate::number::write_integer(exponent.abs(), out);
    Ok(())
}
