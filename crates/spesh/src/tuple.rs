//! Tuples of argument types, and the keys of specialisations.

use crate::callsite::Callsite;
use crate::types::Type;

/// The types of a call's arguments; an omitted one is untyped.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeTuple(pub Box<[Type]>);

/// The types that a specialisation relies on; `None` is any.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GuardedTypes(pub Box<[Option<Type>]>);

impl GuardedTypes {
    pub(crate) fn admit(&self, tuple: &TypeTuple) -> bool {
        self.0.len() == tuple.0.len()
            && self
                .0
                .iter()
                .zip(&tuple.0)
                .all(|(guarded, ty)| guarded.is_none_or(|guarded| guarded == *ty))
    }
}

impl From<&TypeTuple> for GuardedTypes {
    fn from(tuple: &TypeTuple) -> GuardedTypes {
        GuardedTypes(tuple.0.iter().copied().map(Some).collect())
    }
}

/// Identifies a specialisation of a frame.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpecialisationKey {
    /// The shape of its calls; none without an interned callsite.
    pub callsite: Option<Callsite>,
    /// Its types; none when it relies on the callsite alone.
    pub types: Option<GuardedTypes>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_positions_admit_anything_and_known_ones_only_their_type() {
        let derived = GuardedTypes([Some(Type::Array), None].into());
        assert!(derived.admit(&TypeTuple([Type::Array, Type::Num].into())));
        assert!(derived.admit(&TypeTuple([Type::Array, Type::StrnumText].into())));
        assert!(!derived.admit(&TypeTuple([Type::Untyped, Type::Num].into())));
        assert!(!derived.admit(&TypeTuple([Type::Array].into())));
    }
}
