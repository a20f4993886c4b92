//! The specialiser as a whole: programs are run by hand and watched.

mod budget;
mod determinism;
mod document;
mod production;
mod program;
mod quota;
mod simulation;
mod traces;
