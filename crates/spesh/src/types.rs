//! Types in the log.
//!
//! The log has the tag of a value and, for input text and arrays, its class: whether the text looks
//! numeric, or the type of the elements. A [`Type`] combines both, as far as a guard can check.

use std::fmt;

/// The visible type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Tag {
    /// A number.
    Num,
    /// A string.
    Str,
    /// Input text; its [`TypeClass`] says how it compares.
    Strnum,
    /// An uninitialised scalar.
    Uninit,
    /// A regular expression as a value (gawk's `@/.../`).
    Regex,
    /// An array; its [`TypeClass`] describes the elements.
    Array,
    /// A variable that may still become an array.
    Untyped,
}

/// Completes a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TypeClass {
    /// A strnum that looks like a number.
    Numeric,
    /// A strnum that does not.
    Text,
    /// An array with elements of this type.
    Elements(Type),
    /// An array without elements.
    Empty,
}

/// A type in statistics, tuples and guards. Guards check an array's elements where they are read.
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
    /// An uninitialised scalar.
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

    /// The tag of this type.
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

    /// Combines tag and class. None if the class is missing: a guess would make a rare type look
    /// usual.
    pub fn resolve(tag: Tag, class: Option<TypeClass>) -> Option<Type> {
        Some(match (tag, class) {
            (Tag::Num, None) => Type::Num,
            (Tag::Str, None) => Type::Str,
            (Tag::Strnum, Some(TypeClass::Numeric)) => Type::StrnumNumeric,
            (Tag::Strnum, Some(TypeClass::Text)) => Type::StrnumText,
            (Tag::Uninit, None) => Type::Uninit,
            (Tag::Regex, None) => Type::Regex,
            (Tag::Array, Some(TypeClass::Elements(_) | TypeClass::Empty)) => Type::Array,
            (Tag::Untyped, None) => Type::Untyped,
            _ => return None,
        })
    }

    /// The name shown in statistics and plans.
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
        assert_eq!(Type::resolve(Tag::Strnum, Some(TypeClass::Numeric)), Some(Type::StrnumNumeric));
        assert_eq!(Type::resolve(Tag::Strnum, Some(TypeClass::Text)), Some(Type::StrnumText));
    }

    #[test]
    fn an_array_needs_a_class_and_all_classes_give_one_type() {
        assert_eq!(Type::resolve(Tag::Array, None), None);
        assert_eq!(Type::resolve(Tag::Array, Some(TypeClass::Empty)), Some(Type::Array));
        assert_eq!(
            Type::resolve(Tag::Array, Some(TypeClass::Elements(Type::Num))),
            Some(Type::Array)
        );
        assert_eq!(Type::resolve(Tag::Num, Some(TypeClass::Empty)), None);
    }

    #[test]
    fn every_type_has_the_place_of_its_number() {
        for (at, ty) in Type::ALL.into_iter().enumerate() {
            assert_eq!(ty as usize, at);
        }
    }
}
