//! Passes over the intermediate representation before code is made of it.
//!
//! Each is a function from a valid [`Function`] to a valid one: [`verify`](super::verify) runs
//! after each in debug builds. Each can be left out, which is how a wrong one is found.

mod conditions;
mod dead;
mod headers;
pub mod inline;
mod integers;
mod invariants;
mod parameters;
mod stores;

use super::function::Function;
use super::verify::verify;

/// A pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// Branches and guards whose outcome is known; conversions there and back.
    Conditions,
    /// Block parameters that always have the same value.
    Parameters,
    /// Headers that an outer and an inner loop share.
    Headers,
    /// Where texts lie that a loop looks into is found before it.
    Invariants,
    /// Innermost loops that gain by it get a version over integers.
    Integers,
    /// Stores of what the slot holds already.
    Stores,
    /// Strings that only the following operation looks at stay unmaterialised. This is decided
    /// while a function is built, where it is known what is still read; run here it does nothing.
    Views,
    /// Instructions whose value nobody uses, and blocks that nobody reaches.
    Dead,
}

impl Pass {
    /// The order in which they run: each makes work for those after it.
    pub const ORDER: [Pass; 9] = [
        Pass::Dead,
        Pass::Parameters,
        Pass::Conditions,
        Pass::Headers,
        Pass::Invariants,
        Pass::Integers,
        Pass::Parameters,
        Pass::Stores,
        Pass::Dead,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Pass::Conditions => "conditions",
            Pass::Parameters => "parameters",
            Pass::Headers => "headers",
            Pass::Invariants => "invariants",
            Pass::Integers => "integers",
            Pass::Stores => "stores",
            Pass::Views => "views",
            Pass::Dead => "dead",
        }
    }

    /// Runs it.
    pub fn run(self, function: &mut Function) {
        match self {
            Pass::Conditions => conditions::run(function),
            Pass::Parameters => parameters::run(function),
            Pass::Headers => headers::run(function),
            Pass::Invariants => invariants::run(function),
            Pass::Integers => integers::run(function),
            Pass::Stores => stores::run(function),
            Pass::Views => {}
            Pass::Dead => dead::run(function),
        }
    }
}

/// Runs all passes but those left out; `after` sees what each has made.
pub fn run(function: &mut Function, left_out: &[Pass], mut after: impl FnMut(Pass, &Function)) {
    for pass in Pass::ORDER {
        if left_out.contains(&pass) {
            continue;
        }
        pass.run(function);
        debug_assert_eq!(verify(function), Ok(()), "after {}", pass.name());
        after(pass, function);
    }
}
