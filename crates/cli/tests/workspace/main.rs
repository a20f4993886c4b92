//! Checks of the whole workspace: dependencies of crates, imports of files, words in names.

mod architecture;
mod modules;
mod platforms;
mod sources;
mod words;
