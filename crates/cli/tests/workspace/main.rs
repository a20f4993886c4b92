//! Checks of the whole workspace: dependencies of crates, imports of files, words in names.

mod architecture;
mod modules;
mod sources;
mod words;
