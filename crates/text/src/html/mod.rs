//! HTML's character references: written for the five characters that need them, read in all forms.

mod escape;
mod reference;

pub use escape::{html_escape, html_unescape};
