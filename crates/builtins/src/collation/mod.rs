//! A locale's collation, where there are locales.

#[cfg_attr(unix, path = "c_library.rs")]
#[cfg_attr(not(unix), path = "none.rs")]
mod this;

pub use this::Collation;
