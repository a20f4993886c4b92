//! Options for edited files.

/// Options for edited files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edits {
    /// For a file for which nothing was printed.
    pub empty: Emptying,
    /// For the others.
    pub effect: Effect,
}

/// Whether an edit may empty a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Emptying {
    /// The file stays: a missing `print` is likely a mistake.
    #[default]
    Refuse,
    /// It becomes empty.
    Allow,
}

/// The effect of an edit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effect {
    /// The file is replaced.
    #[default]
    Replace,
    /// The file stays, and the diff is printed.
    Show(Colours),
}

/// Colours of the diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// As plain text.
    None,
    /// With the colours of terminals.
    Ansi,
}
