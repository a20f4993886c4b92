//! Whether text is ASCII.

/// Whether a text is known to be ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Ascii {
    /// Every byte is.
    Certain,
    /// Not checked.
    Unknown,
}

impl Ascii {
    /// [`Ascii::Certain`] if `certain`.
    #[inline(always)]
    pub fn when(certain: bool) -> Ascii {
        if certain { Ascii::Certain } else { Ascii::Unknown }
    }
}
