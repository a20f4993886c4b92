//! The build's target and, for releases, commit: for `--version`. The manual's chapters, compressed.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The commit for `--version`, in builds outside a checkout.
const COMMIT: &str = "RIVERHAWK_COMMIT";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-env=RIVERHAWK_TARGET={}", env::var("TARGET").unwrap_or_default());
    name_commit();
    #[cfg(feature = "compress")]
    compress_manual().expect("the manual's chapters are read, and written to OUT_DIR");
}

/// Each chapter by its name: 0.2 MB of the command instead of 0.45.
#[cfg(feature = "compress")]
fn compress_manual() -> std::io::Result<()> {
    println!("cargo:rerun-if-changed=manual");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("manual");
    let mut folders = vec![PathBuf::from("manual")];
    while let Some(folder) = folders.pop() {
        let below = out.join(folder.strip_prefix("manual").unwrap_or(&folder));
        fs::create_dir_all(&below)?;
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                let text = fs::read(&path)?;
                let level = flate2::Compression::best();
                let mut compressed = flate2::read::DeflateEncoder::new(&text[..], level);
                let name = path.file_name().unwrap_or_default();
                std::io::copy(&mut compressed, &mut fs::File::create(below.join(name))?)?;
            }
        }
    }
    Ok(())
}

/// From the environment, or the checkout. Only releases name one: otherwise every commit would
/// cause a rebuild.
fn name_commit() {
    println!("cargo:rerun-if-env-changed={COMMIT}");
    let commit = env::var(COMMIT).ok().filter(|commit| !commit.is_empty());
    let commit = commit.or_else(|| if is_release() { checked_out() } else { None });
    if let Some(commit) = commit {
        println!("cargo:rustc-env=RIVERHAWK_BUILT_FROM={commit}");
    }
}

/// Read without git, which may not be installed.
fn checked_out() -> Option<String> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?).join("../..");
    // The package may be unpacked within another repository.
    if !root.join("crates/cli/Cargo.toml").is_file() {
        return None;
    }
    let text = |path: &Path| fs::read_to_string(path).ok().map(|text| text.trim().to_owned());
    let git = root.join(".git");
    // In a worktree it is a file with the path.
    let folder = match text(&git) {
        Some(text) => root.join(text.strip_prefix("gitdir: ")?),
        None => git,
    };
    let common =
        text(&folder.join("commondir")).map_or_else(|| folder.clone(), |path| folder.join(path));
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

/// Whether the profile is for packages.
fn is_release() -> bool {
    // The folder is PROFILE/build/PACKAGE/out.
    let folder = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    let profile = folder.ancestors().nth(3).and_then(Path::file_name);
    profile.is_some_and(|profile| profile == "release" || profile == "dist")
}
