//! How the command is linked.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Set to anything, it leaves the code where the compiler put it: `first.ld` is made of such a build.
const UNORDERED: &str = "RIVERHAWK_UNORDERED";

/// The commit that `--version` names, for builds that are not made in a checkout.
const COMMIT: &str = "RIVERHAWK_COMMIT";

/// Builds on Linux with glibc are linked at a fixed address. The machine-code generator brings 12,900 pointers in read-only tables, which a
/// position-independent executable would relocate at every start: 60 pages made private and 0.16 ms of 1.03, for an empty program.
///
/// Where the linker can, two things more save a fifth of an empty program's time and a megabyte of memory: the code of every run lies in one
/// place (`first.ld`), and what unwinds the stack is part of the binary instead of one more library to load.
fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=first.ld");
    println!("cargo:rustc-env=RIVERHAWK_TARGET={}", env::var("TARGET").unwrap_or_default());
    name_commit();
    let target = |what: &str| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    if target("OS") != "linux" || target("ENV") != "gnu" {
        return;
    }
    println!("cargo:rustc-link-arg-bin=rhawk=-no-pie");
    if !is_release() {
        return;
    }
    let script = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("first.ld");
    let ordered = format!("-Wl,-T,{}", script.display());
    println!("cargo:rerun-if-env-changed={UNORDERED}");
    if env::var_os(UNORDERED).is_none() && links(&["-C", &format!("link-arg={ordered}")]) {
        println!("cargo:rustc-link-arg-bin=rhawk={ordered}");
    }
    // Functions of the same code, as those of generic ones often are, become one. Nobody compares their addresses.
    if links(&["-C", "link-arg=-Wl,--icf=all"]) {
        println!("cargo:rustc-link-arg-bin=rhawk=-Wl,--icf=all");
    }
    if links(&["-l", "static=gcc_eh"]) {
        println!("cargo:rustc-link-lib=static:-bundle=gcc_eh");
    }
}

/// Says what commit `--version` names: that of the environment, or that of the checkout this lies in. Other builds than releases name none,
/// so that a commit is no reason to build them again.
fn name_commit() {
    println!("cargo:rerun-if-env-changed={COMMIT}");
    let commit = env::var(COMMIT).ok().filter(|commit| !commit.is_empty());
    let commit = commit.or_else(|| if is_release() { checked_out() } else { None });
    if let Some(commit) = commit {
        println!("cargo:rustc-env=RIVERHAWK_BUILT_FROM={commit}");
    }
}

/// The commit of the checkout. Git itself is not asked: it may not be there.
fn checked_out() -> Option<String> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?).join("../..");
    // The package may have been unpacked within somebody else's repository.
    if !root.join("crates/cli/Cargo.toml").is_file() {
        return None;
    }
    let text = |path: &Path| std::fs::read_to_string(path).ok().map(|text| text.trim().to_owned());
    let git = root.join(".git");
    // In a worktree it is a file that says where.
    let folder = match text(&git) {
        Some(text) => root.join(text.strip_prefix("gitdir: ")?),
        None => git,
    };
    let common = text(&folder.join("commondir")).map_or_else(|| folder.clone(), |path| folder.join(path));
    let head = folder.join("HEAD");
    println!("cargo:rerun-if-changed={}", head.display());
    let head = text(&head)?;
    let Some(name) = head.strip_prefix("ref: ") else { return Some(head) };
    let file = common.join(name);
    if file.is_file() {
        println!("cargo:rerun-if-changed={}", file.display());
        return text(&file);
    }
    let packed = text(&common.join("packed-refs"))?;
    packed.lines().find_map(|line| line.strip_suffix(name)).map(|commit| commit.trim().to_owned())
}

/// Whether the profile is `release` itself. Others are linked often and looked at with tools: valgrind names no functions but those of `.text`.
fn is_release() -> bool {
    // The folder is PROFILE/build/PACKAGE/out.
    let folder = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    folder.ancestors().nth(3).and_then(Path::file_name).is_some_and(|profile| profile == "release")
}

/// Whether a program can be linked with these arguments, by the compiler and the linker that the command is built with: distributions
/// have their own, and not every linker knows every option.
fn links(arguments: &[&str]) -> bool {
    let (Some(rustc), Some(folder), Some(target)) =
        (env::var_os("RUSTC"), env::var_os("OUT_DIR"), env::var_os("TARGET"))
    else {
        return false;
    };
    let source = Path::new(&folder).join("links.rs");
    if std::fs::write(&source, "fn main() {}\n").is_err() {
        return false;
    }
    let mut command = Command::new(rustc);
    command.arg(&source).arg("--target").arg(target).arg("--out-dir").arg(&folder).args(arguments);
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        command.arg("-C").arg(format!("linker={}", linker.display()));
    }
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    command.args(flags.split('\x1f').filter(|flag| !flag.is_empty()));
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
