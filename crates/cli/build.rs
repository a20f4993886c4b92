//! How the command is linked.

use std::env;

/// Builds on Linux with glibc are linked at a fixed address. The machine-code generator brings 12,900 pointers in read-only tables, which a
/// position-independent executable would relocate at every start: 60 pages made private and 0.16 ms of 1.03, for an empty program.
fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |what: &str| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo:rustc-link-arg-bin=rhawk=-no-pie");
    }
}
