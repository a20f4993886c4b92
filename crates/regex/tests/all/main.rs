//! All tests in one program, linked once.

mod facts;
mod gawk_differential;
mod limits;
mod recorded;
mod reference;
mod rows;
