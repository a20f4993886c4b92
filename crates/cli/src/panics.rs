//! A panic is a bug in rhawk; the user gets one line instead of Rust's message.

use std::io::Write;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};

/// As for a fatal error.
const STATUS: u8 = 2;

/// Runs the command; a panic becomes a message and a status.
pub fn guarded(command: impl FnOnce() -> u8) -> u8 {
    panic::set_hook(Box::new(report));
    panic::catch_unwind(AssertUnwindSafe(command)).unwrap_or(STATUS)
}

fn report(info: &PanicHookInfo<'_>) {
    let payload = info.payload();
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let what = text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("unknown");
    let place = info
        .location()
        .map_or_else(String::new, |place| format!(" at {}:{}", place.file(), place.line()));
    let message = format!(
        "rhawk: internal error: {what}{place}\nrhawk: this is a bug in rhawk {}; please report it at {}/issues\n",
        crate::VERSION,
        env!("CARGO_PKG_REPOSITORY"),
    );
    // `eprint!` would panic if standard error is closed.
    let _ = std::io::stderr().write_all(message.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_fatal_status_and_all_else_passes() {
        assert_eq!(guarded(|| 7), 7);
        assert_eq!(guarded(|| panic!("on purpose")), STATUS);
        assert_eq!(guarded(|| [0_u8][std::hint::black_box(1)]), STATUS);
    }
}
