//! What is known about the bytes of a text.

/// Whether every byte of a text is ASCII, as far as that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ascii {
    /// Every byte is.
    Certain,
    /// Not looked at.
    Unknown,
}

impl Ascii {
    /// What is known when it is known to be `certain`.
    #[inline(always)]
    pub fn when(certain: bool) -> Ascii {
        if certain { Ascii::Certain } else { Ascii::Unknown }
    }
}
