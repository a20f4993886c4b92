//! All tests in one program: it is linked once.

mod errors;
mod host;
mod robustness;
mod rows;
mod sources;
mod trees;
mod usage;
