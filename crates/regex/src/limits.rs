//! Every threshold of the crate, with unit and origin.

/// Bytes of Thompson automaton; a larger pattern is an error.
pub(crate) const NFA_BYTES: usize = 10 << 20;

/// Estimated states above which [`crate::Regex::new`] builds the automaton at once; smaller
/// patterns cannot exceed [`NFA_BYTES`].
pub(crate) const EAGER_COST: u64 = 4_000;

/// Largest count in an interval: glibc's `RE_DUP_MAX`, as in gawk.
pub(crate) const REPEAT_MAX: u32 = 32_767;

/// Nesting, as in regex-syntax's parser: recursion fits in a 2 MiB stack.
pub(crate) const NEST_MAX: usize = 250;

/// Thompson states up to which a table is tried: building takes 4-57 us, above it milliseconds.
pub(crate) const TABLE_NFA_STATES: usize = 160;

/// Rows of a table, 512 bytes each.
pub(crate) const TABLE_ROWS: usize = 128;

/// Ranges above which a class is large (`[[:alpha:]]` has some 700): tables then have only its
/// ASCII part.
pub(crate) const LARGE_CLASS_RANGES: usize = 12;

pub(crate) const LAZY_CACHE_BYTES: usize = 2 << 20;

/// Bytes read by failed runs before a search starts its memo.
pub(crate) const WASTE_BYTES: usize = 2_048;

/// Longest text with a memo, 2 bytes per byte.
pub(crate) const MEMO_TEXT_BYTES: usize = 64 << 20;

/// Visited bits of the backtracker for groups.
pub(crate) const BACKTRACK_BITS: usize = 64 << 20;

pub(crate) const ONE_PASS_BYTES: usize = 256 << 10;

/// Longer texts are not searched by the library, which cannot be ended in the middle: some ms where
/// the automaton is small.
pub(crate) const LIBRARY_BYTES: usize = 2 << 20;

/// The same for large automata: bytes times states, since each byte may take a step through all.
pub(crate) const LIBRARY_STEPS: usize = 4 << 20;

/// Bytes times states that a lazy DFA reads at once: a ms where its cache is too small.
pub(crate) const STEPS_AT_ONCE: usize = 256 << 10;
