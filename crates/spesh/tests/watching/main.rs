//! The whole specialiser, with programs run by hand.

mod budget;
mod determinism;
mod document;
mod production;
mod program;
mod quota;
mod simulation;
mod traces;
