//! Sets of tags: what the compiler knows about a slot's value.

use riverhawk_bytecode::ResultType;
use riverhawk_value::layout::tag;
use std::fmt;
use std::ops::BitOr;

/// A set of tags.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TagSet(u16);

impl TagSet {
    /// The empty set.
    pub const NONE: TagSet = TagSet(0);
    /// Any value.
    pub const ANY: TagSet = TagSet(u16::MAX >> (16 - tag::COUNT));
    /// A number.
    pub const NUM: TagSet = TagSet::only(tag::NUM);
    /// An array.
    pub const ARRAY: TagSet = TagSet::only(tag::ARRAY);
    /// Uninitialised.
    pub const UNINIT: TagSet = TagSet::only(tag::UNINIT);
    pub(crate) const TYPED: TagSet =
        TagSet(TagSet::ANY.0 & !(1 << tag::UNINIT | 1 << tag::UNTYPED));
    /// Text that is not input.
    pub const TEXT: TagSet = TagSet(1 << tag::SMALL | 1 << tag::STR);
    /// Needs no drop when overwritten.
    pub const PLAIN: TagSet = TagSet((1 << tag::FIRST_COUNTED) - 1);

    /// The set of one tag.
    pub const fn only(tag: u8) -> TagSet {
        TagSet(1 << tag)
    }

    /// Whether it is a subset.
    pub const fn is_within(self, other: TagSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether overwriting needs no drop.
    pub const fn is_plain(self) -> bool {
        self.is_within(TagSet::PLAIN)
    }

    /// Whether it is numbers only.
    pub fn is_number(self) -> bool {
        self == TagSet::NUM
    }

    /// One bit for each tag.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The tag of a set of one.
    pub fn single(self) -> Option<u8> {
        self.0.is_power_of_two().then(|| self.0.trailing_zeros() as u8)
    }
}

impl From<ResultType> for TagSet {
    fn from(result: ResultType) -> TagSet {
        match result {
            ResultType::Number => TagSet::NUM,
            ResultType::Array => TagSet::ARRAY,
            ResultType::Any => TagSet::ANY,
        }
    }
}

impl BitOr for TagSet {
    type Output = TagSet;
    fn bitor(self, other: TagSet) -> TagSet {
        TagSet(self.0 | other.0)
    }
}

const NAMES: [&str; tag::COUNT as usize] = [
    "uninit",
    "unassigned",
    "nofield",
    "num",
    "view",
    "small",
    "input",
    "bool",
    "str",
    "longinput",
    "array",
    "untyped",
    "regex",
    "keys",
    "precise",
    "sum",
];

impl fmt::Display for TagSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            TagSet::ANY => return f.write_str("any"),
            TagSet::PLAIN => return f.write_str("plain"),
            TagSet::NONE => return f.write_str("none"),
            _ => {}
        }
        let mut names =
            NAMES.iter().enumerate().filter(|(at, _)| self.0 & 1 << at != 0).map(|(_, name)| name);
        if let Some(first) = names.next() {
            f.write_str(first)?;
        }
        names.try_for_each(|name| write!(f, "|{name}"))
    }
}

impl fmt::Debug for TagSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_plain_as_long_as_nothing_in_it_is_counted() {
        assert!(TagSet::NUM.is_plain() && TagSet::PLAIN.is_plain() && TagSet::NONE.is_plain());
        assert!(!TagSet::ARRAY.is_plain() && !TagSet::ANY.is_plain());
        assert!(!(TagSet::NUM | TagSet::only(tag::STR)).is_plain());
    }

    #[test]
    fn sets_are_shown_by_the_names_in_them() {
        assert_eq!((TagSet::NUM | TagSet::UNINIT).to_string(), "uninit|num");
        assert_eq!((TagSet::NUM | TagSet::UNINIT).single(), None);
        assert_eq!(TagSet::ARRAY.single(), Some(tag::ARRAY));
        assert_eq!(TagSet::ANY.to_string(), "any");
    }
}
