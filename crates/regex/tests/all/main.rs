//! All tests in one program, so that it is linked once.

mod facts;
mod gawk_differential;
mod limits;
mod recorded;
mod reference;
mod rows;
