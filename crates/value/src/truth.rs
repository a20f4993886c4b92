//! Values that are true or false by their type: those of `mkbool`, and the three words of JSON.

/// A value that is true or not, and how it is written. Among numbers it is 1 or 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Truth {
    /// `mkbool` of something false: `0`.
    Zero,
    /// `mkbool` of something true: `1`.
    One,
    /// JSON's `false`.
    False,
    /// JSON's `true`.
    True,
    /// JSON's `null`, which is as good as false.
    Null,
}

impl Truth {
    /// What `mkbool` makes.
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

    /// As it is printed.
    pub fn text(self) -> &'static [u8] {
        match self {
            Truth::Zero => b"0",
            Truth::One => b"1",
            word => word.word(),
        }
    }

    /// As JSON has it.
    pub fn word(self) -> &'static [u8] {
        match self {
            Truth::Zero | Truth::False => b"false",
            Truth::One | Truth::True => b"true",
            Truth::Null => b"null",
        }
    }
}
