//! What programs are told about the system's errors.

use std::io;

/// The system's words, without Rust's `(os error 28)`.
pub fn words(error: &io::Error) -> String {
    let mut text = error.to_string();
    text.truncate(text.rfind(" (os error ").unwrap_or(text.len()));
    text
}

/// The C library's number, or 0.
pub fn number(error: &io::Error) -> i32 {
    error.raw_os_error().unwrap_or(0)
}
