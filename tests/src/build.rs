//! Builds rhawk for the tests.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// `RHAWK` if set, else the command built like the tests, with overflow checks and debug
/// assertions.
pub fn rhawk() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| match std::env::var_os("RHAWK") {
        Some(path) => std::path::absolute(&path).unwrap_or_else(|_| path.into()),
        None => build(&["--profile", "test", "-p", "riverhawk-cli"], "debug/rhawk"),
    })
}

/// rhawk without `spesh` and `jit`: `RHAWK_NAIVE` if set, else built here.
pub fn naive() -> PathBuf {
    match std::env::var_os("RHAWK_NAIVE") {
        Some(path) => std::path::absolute(&path).unwrap_or_else(|_| path.into()),
        None => build(&["--profile", "test", "-p", "riverhawk-naive"], "debug/rhawk-naive"),
    }
}

fn build(arguments: &[&str], binary: &str) -> PathBuf {
    // The package may have moved since the tests were built.
    let package =
        std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let workspace = Path::new(&package).parent().unwrap_or(Path::new("."));
    let target = target_dir().unwrap_or_else(|| workspace.join("target"));
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(workspace)
        .args(["build", "--quiet", "--target-dir"])
        .arg(&target)
        .args(arguments)
        .status();
    assert!(status.as_ref().is_ok_and(|s| s.success()), "building rhawk failed: {status:?}");
    target.join(binary)
}

/// `target`, from `target/debug/deps/corpus-0123` or `target/debug/corpus`.
fn target_dir() -> Option<PathBuf> {
    let exe = std::env::current_exe().ok()?;
    let profile = exe.ancestors().skip(1).find(|dir| !dir.ends_with("deps"))?;
    Some(profile.parent()?.to_owned())
}
