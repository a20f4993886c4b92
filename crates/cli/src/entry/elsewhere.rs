//! Rust's own start-up, on systems without signals.

use std::process::ExitCode;

use riverhawk::engine::system::arguments;
use riverhawk_cli::{command, panics};

pub(crate) fn main() -> ExitCode {
    crate::keep_reserve();
    enter_folder();
    let status = panics::guarded(|| command::run(arguments()));
    ExitCode::from(status)
}

/// A WebAssembly host has no current folder, but may say by PWD which one its user is in. Where
/// that folder is not given to the command, names are relative to the first folder that is.
fn enter_folder() {
    if let Some(folder) = std::env::var_os("PWD").filter(|_| cfg!(target_os = "wasi")) {
        let _ = std::env::set_current_dir(folder);
    }
}
