//! What becomes of files that are edited.

/// What becomes of a file that has been read, and of what was printed meanwhile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edits {
    /// What becomes of a file for which nothing was printed.
    pub empty: Emptying,
    /// What becomes of the others.
    pub effect: Effect,
}

/// Whether a file that has something may become one that has nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Emptying {
    /// A program without a `print` was hardly meant: the file stays.
    #[default]
    Refuse,
    /// It becomes empty.
    Allow,
}

/// What an edit does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effect {
    /// The file is replaced.
    #[default]
    Replace,
    /// The file stays, and what would change is printed.
    Show(Colours),
}

/// How what would change is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// As plain text.
    None,
    /// With the colours of terminals.
    Ansi,
}
