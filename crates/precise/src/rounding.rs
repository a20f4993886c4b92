//! Rounding directions, and what they decide by.

use dashu_base::Sign;
use dashu_int::UBig;

/// The direction in which a result is rounded that has more bits than the precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest, ties to even.
    #[default]
    Nearest,
    /// Toward zero.
    Zero,
    /// Toward plus infinity.
    Up,
    /// Toward minus infinity.
    Down,
    /// Away from zero.
    Away,
}

impl Rounding {
    /// All directions.
    pub const ALL: [Rounding; 5] =
        [Rounding::Nearest, Rounding::Zero, Rounding::Up, Rounding::Down, Rounding::Away];

    /// The direction that awk's ROUNDMODE names by a letter, in either case.
    pub fn of_name(name: &[u8]) -> Option<Rounding> {
        match name {
            b"N" | b"n" => Some(Rounding::Nearest),
            b"Z" | b"z" => Some(Rounding::Zero),
            b"U" | b"u" => Some(Rounding::Up),
            b"D" | b"d" => Some(Rounding::Down),
            b"A" | b"a" => Some(Rounding::Away),
            _ => None,
        }
    }

    /// Whether a truncated magnitude is incremented in its last place.
    #[inline]
    pub(crate) fn increments(self, sign: Sign, cut: Cut) -> bool {
        match self {
            Rounding::Nearest => cut.half && (cut.rest || cut.odd),
            _ => self.is_away(sign) && (cut.half || cut.rest),
        }
    }

    /// Whether a magnitude that overflows becomes infinite, not the largest finite number.
    #[inline]
    pub(crate) fn is_away(self, sign: Sign) -> bool {
        match self {
            Rounding::Nearest | Rounding::Away => true,
            Rounding::Zero => false,
            Rounding::Up => sign == Sign::Positive,
            Rounding::Down => sign == Sign::Negative,
        }
    }
}

/// What rounding has to know of a magnitude and the bits that were cut off it.
pub(crate) struct Cut {
    /// The last bit that is kept.
    pub odd: bool,
    /// The first bit that is cut off.
    pub half: bool,
    /// Whether anything but zeros follows that.
    pub rest: bool,
}

/// Whether an exact result has bits that are not zero below those of its mantissa.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sticky {
    Clear,
    Set,
}

impl Sticky {
    /// Set if a division or root leaves a remainder.
    pub fn of(remainder: &UBig) -> Sticky {
        if remainder.is_zero() { Sticky::Clear } else { Sticky::Set }
    }
}
