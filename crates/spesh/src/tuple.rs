//! Tuples of argument types, and what a specialisation is known by.

use crate::callsite::Callsite;
use crate::types::Type;

/// The type of every argument that one call passed; one left out before others counts as untyped.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeTuple(pub Box<[Type]>);

/// The types that a specialisation relies on; `None` where anything may come.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GuardedTypes(pub Box<[Option<Type>]>);

impl GuardedTypes {
    /// Whether a call with these types may use the specialisation.
    pub fn admit(&self, tuple: &TypeTuple) -> bool {
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

/// What identifies a specialisation of a frame: there is one for each key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpecialisationKey {
    /// The shape of the calls it serves; none for those without an interned callsite.
    pub callsite: Option<Callsite>,
    /// The types it relies on; none when it relies on the callsite alone.
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
