//! All tests in one program, so that it is linked once.

mod arrays;
mod calls;
mod run;
mod variables;
mod views;
mod windows;
