//! What holds for the workspace as a whole: which crate uses which, which file imports which, and
//! the words that names are made of.

mod architecture;
mod modules;
mod sources;
mod words;
