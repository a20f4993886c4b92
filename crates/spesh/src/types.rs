//! What the log says about a value: its type, and never the value.
//!
//! The tag is what a value shows at once. Two tags hide something: a strnum looks numeric or does
//! not, and an array has elements of some type. That is logged as a second entry, the class. A
//! [`Type`] is both together, as far as a guard can check it.

use std::fmt;

/// What a value shows at first sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Tag {
    /// A number.
    Num,
    /// A string.
    Str,
    /// Text from outside the program; its [`Class`] says how it compares.
    Strnum,
    /// A scalar that was never assigned.
    Uninit,
    /// A regular expression as a value (gawk's `@/.../`).
    Regex,
    /// An array; its [`Class`] says what it holds.
    Array,
    /// A variable that may still become an array.
    Untyped,
}

/// What stands behind a tag that does not say all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// A strnum that looks like a number.
    Numeric,
    /// A strnum that does not.
    Text,
    /// An array whose elements were seen to have this type.
    Elements(Type),
    /// An array without elements.
    Empty,
}

/// A type as statistics, tuples and guards know it. The element type of an array is not part of it:
/// a guard where an element is read checks that anyway.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Type {
    /// A number.
    Num,
    /// A string.
    Str,
    /// A strnum that looks like a number.
    StrnumNumeric,
    /// A strnum that does not look like a number.
    StrnumText,
    /// A scalar that was never assigned.
    Uninit,
    /// A regular expression as a value.
    Regex,
    /// An array.
    Array,
    /// A variable that may still become an array.
    Untyped,
}

impl Type {
    /// How many there are.
    pub const COUNT: usize = 8;

    /// Every type, in order.
    pub const ALL: [Type; Type::COUNT] = [
        Type::Num,
        Type::Str,
        Type::StrnumNumeric,
        Type::StrnumText,
        Type::Uninit,
        Type::Regex,
        Type::Array,
        Type::Untyped,
    ];

    /// The tag that a value of this type shows.
    #[inline]
    pub const fn tag(self) -> Tag {
        match self {
            Type::Num => Tag::Num,
            Type::Str => Tag::Str,
            Type::StrnumNumeric | Type::StrnumText => Tag::Strnum,
            Type::Uninit => Tag::Uninit,
            Type::Regex => Tag::Regex,
            Type::Array => Tag::Array,
            Type::Untyped => Tag::Untyped,
        }
    }

    /// Puts a type together from its two log entries; none when the class is missing or is that of
    /// another tag. Filling the gap by a class that happens to be known would make a rare type look
    /// usual.
    pub fn resolve(tag: Tag, class: Option<Class>) -> Option<Type> {
        Some(match (tag, class) {
            (Tag::Num, None) => Type::Num,
            (Tag::Str, None) => Type::Str,
            (Tag::Strnum, Some(Class::Numeric)) => Type::StrnumNumeric,
            (Tag::Strnum, Some(Class::Text)) => Type::StrnumText,
            (Tag::Uninit, None) => Type::Uninit,
            (Tag::Regex, None) => Type::Regex,
            (Tag::Array, Some(Class::Elements(_) | Class::Empty)) => Type::Array,
            (Tag::Untyped, None) => Type::Untyped,
            _ => return None,
        })
    }

    /// As statistics and plans show it.
    pub const fn name(self) -> &'static str {
        match self {
            Type::Num => "num",
            Type::Str => "str",
            Type::StrnumNumeric => "strnum (numeric)",
            Type::StrnumText => "strnum (text)",
            Type::Uninit => "uninit",
            Type::Regex => "regex",
            Type::Array => "array",
            Type::Untyped => "untyped",
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strnum_without_its_class_has_no_type() {
        assert_eq!(Type::resolve(Tag::Strnum, None), None);
        assert_eq!(Type::resolve(Tag::Strnum, Some(Class::Numeric)), Some(Type::StrnumNumeric));
        assert_eq!(Type::resolve(Tag::Strnum, Some(Class::Text)), Some(Type::StrnumText));
    }

    #[test]
    fn an_array_needs_a_class_and_all_classes_give_one_type() {
        assert_eq!(Type::resolve(Tag::Array, None), None);
        assert_eq!(Type::resolve(Tag::Array, Some(Class::Empty)), Some(Type::Array));
        assert_eq!(Type::resolve(Tag::Array, Some(Class::Elements(Type::Num))), Some(Type::Array));
        assert_eq!(Type::resolve(Tag::Num, Some(Class::Empty)), None);
    }

    #[test]
    fn every_type_has_the_place_of_its_number() {
        for (at, ty) in Type::ALL.into_iter().enumerate() {
            assert_eq!(ty as usize, at);
        }
    }
}
