//! Booleans with a spelling.

/// A truth value and its spelling: from `mkbool`, or a word of JSON. As a number it is 1 or 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Truth {
    /// `mkbool(0)`: `0`.
    Zero,
    /// `mkbool(1)`: `1`.
    One,
    /// JSON's `false`.
    False,
    /// JSON's `true`.
    True,
    /// JSON's `null`, which is false.
    Null,
}

impl Truth {
    /// The result of `mkbool`.
    #[inline]
    pub fn of(truth: bool) -> Truth {
        if truth { Truth::One } else { Truth::Zero }
    }

    /// Whether it is true.
    #[inline]
    pub fn is_true(self) -> bool {
        matches!(self, Truth::One | Truth::True)
    }

    /// 1 or 0.
    #[inline]
    pub fn number(self) -> f64 {
        f64::from(u8::from(self.is_true()))
    }

    /// Its text in awk.
    pub fn text(self) -> &'static [u8] {
        match self {
            Truth::Zero => b"0",
            Truth::One => b"1",
            word => word.word(),
        }
    }

    /// Its text in JSON.
    pub fn word(self) -> &'static [u8] {
        match self {
            Truth::Zero | Truth::False => b"false",
            Truth::One | Truth::True => b"true",
            Truth::Null => b"null",
        }
    }
}
