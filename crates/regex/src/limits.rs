//! Every threshold of the crate, with its unit and where it comes from.

/// Bytes of Thompson automaton a pattern may need; beyond it compilation is an error.
pub(crate) const NFA_BYTES: usize = 10 << 20;

/// Rough automaton size (states) above which [`crate::Regex::new`] builds the automaton at once to
/// learn whether it fits; smaller patterns cannot exceed [`NFA_BYTES`] and wait for their first
/// use.
pub(crate) const EAGER_COST: u64 = 4_000;

/// Largest count in an interval: `RE_DUP_MAX` of glibc, which is what gawk accepts.
pub(crate) const REPEAT_MAX: u32 = 32_767;

/// Depth of nesting of groups and repeats; the limit of regex-syntax's own parser. Keeps every
/// recursive pass over the tree far from the end of a 2 MiB stack.
pub(crate) const NEST_MAX: usize = 250;

/// Thompson states up to which a table automaton is tried at all: 4-57 us of building, against
/// milliseconds above.
pub(crate) const TABLE_NFA_STATES: usize = 160;

/// Rows of a table automaton; 512 bytes each, so 64 KiB at most.
pub(crate) const TABLE_ROWS: usize = 128;

/// Ranges above which a class counts as large (`[[:alpha:]]` has some 700): tables are then built
/// from the ASCII part.
pub(crate) const LARGE_CLASS_RANGES: usize = 12;

/// Bytes that one lazy DFA may cache.
pub(crate) const LAZY_CACHE_BYTES: usize = 2 << 20;

/// Bytes read in vain, per find, before a search remembers where it has been.
pub(crate) const WASTE_BYTES: usize = 2_048;

/// Longest text for which a search remembers where it has been (2 bytes of memory per byte).
pub(crate) const MEMO_TEXT_BYTES: usize = 64 << 20;

/// Visited bits of the capture backtracker: 8 MiB.
pub(crate) const BACKTRACK_BITS: usize = 64 << 20;

/// Bytes of a one-pass automaton for groups.
pub(crate) const ONE_PASS_BYTES: usize = 256 << 10;
