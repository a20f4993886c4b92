//! Which way a result is rounded that has more bits than there is room for.

/// A direction of rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest; of two that are equally near, to the one that ends in a zero bit.
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
    /// All of them.
    pub const ALL: [Rounding; 5] =
        [Rounding::Nearest, Rounding::Zero, Rounding::Up, Rounding::Down, Rounding::Away];

    /// The direction that ROUNDMODE names by a letter, in either case.
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

    /// Whether the magnitude that was cut off grows by one in its last place. `odd`: it ends in a
    /// one; `half`: the first bit that was cut off; `rest`: whether anything but zeros follows
    /// that.
    #[inline]
    pub(crate) fn grows(self, negative: bool, odd: bool, half: bool, rest: bool) -> bool {
        match self {
            Rounding::Nearest => half && (rest || odd),
            Rounding::Zero => false,
            Rounding::Up => !negative && (half || rest),
            Rounding::Down => negative && (half || rest),
            Rounding::Away => half || rest,
        }
    }

    /// Whether magnitudes of this sign that do not fit become the larger neighbour.
    pub(crate) fn is_away(self, negative: bool) -> bool {
        match self {
            Rounding::Nearest | Rounding::Away => true,
            Rounding::Zero => false,
            Rounding::Up => !negative,
            Rounding::Down => negative,
        }
    }
}
