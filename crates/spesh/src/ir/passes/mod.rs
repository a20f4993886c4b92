//! Passes over the intermediate representation.
//!
//! Each keeps an [`IrFunction`] valid, as [`verify`](super::verify) checks in debug builds. Each
//! can be left out, which helps to find a wrong one.

mod conditions;
mod dead;
mod headers;
pub mod inline;
mod integers;
mod invariants;
mod parameters;

use super::function::IrFunction;
use super::verify::verify;

/// A pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// Folds known branches and guards, and conversions to another type and back.
    Conditions,
    /// Removes block parameters that always have the same value.
    Parameters,
    /// Splits headers that loops share.
    Headers,
    /// Computes in the preheader what a loop does not change.
    Invariants,
    /// Gives innermost loops a version over integers.
    Integers,
    /// Leaves strings unmaterialised while a function is built; running it does nothing.
    Views,
    /// Removes unused values and unreachable blocks.
    Dead,
}

impl Pass {
    /// Each pass makes work for later ones.
    pub const ORDER: [Pass; 8] = [
        Pass::Dead,
        Pass::Parameters,
        Pass::Conditions,
        Pass::Headers,
        Pass::Invariants,
        Pass::Integers,
        Pass::Parameters,
        Pass::Dead,
    ];

    /// Each once.
    pub const ALL: [Pass; 7] = [
        Pass::Conditions,
        Pass::Dead,
        Pass::Headers,
        Pass::Integers,
        Pass::Invariants,
        Pass::Parameters,
        Pass::Views,
    ];

    /// The pass with this name.
    pub fn named(name: &str) -> Option<Pass> {
        Pass::ALL.into_iter().find(|pass| pass.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Pass::Conditions => "conditions",
            Pass::Parameters => "parameters",
            Pass::Headers => "headers",
            Pass::Invariants => "invariants",
            Pass::Integers => "integers",
            Pass::Views => "views",
            Pass::Dead => "dead",
        }
    }

    /// Runs the pass.
    pub fn run(self, function: &mut IrFunction) {
        match self {
            Pass::Conditions => conditions::run(function),
            Pass::Parameters => parameters::run(function),
            Pass::Headers => headers::run(function),
            Pass::Invariants => invariants::run(function),
            Pass::Integers => integers::run(function),
            Pass::Views => {}
            Pass::Dead => dead::run(function),
        }
    }
}

/// Runs all passes but those left out; `after` gets each result.
pub fn run(function: &mut IrFunction, left_out: &[Pass], mut after: impl FnMut(Pass, &IrFunction)) {
    for pass in Pass::ORDER {
        if left_out.contains(&pass) {
            continue;
        }
        pass.run(function);
        debug_assert_eq!(verify(function), Ok(()), "after {}", pass.name());
        after(pass, function);
    }
}
