//! Names of functions in a binary.

use std::io;
use std::path::Path;
use std::process::Command;

/// The functions of a binary that has its symbols, by mangled name, with their sizes in bytes.
///
/// # Errors
/// When `nm` cannot be run, or there are no symbols.
pub fn sizes(binary: &Path) -> io::Result<Vec<(String, u64)>> {
    let output = Command::new("nm").arg("-S").arg(binary).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let sizes: Vec<_> = text.lines().filter_map(line).collect();
    match sizes.is_empty() {
        true => Err(io::Error::other("no symbols: build it with CARGO_PROFILE_RELEASE_STRIP=none")),
        false => Ok(sizes),
    }
}

/// `address size kind name`, of a function.
fn line(line: &str) -> Option<(String, u64)> {
    let mut words = line.split_ascii_whitespace();
    let (_, size, kind, name) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let is_code = kind.eq_ignore_ascii_case("t");
    is_code.then_some((name.to_owned(), u64::from_str_radix(size, 16).ok()?))
}

/// What matches a mangled name in the next build too: it has `*` for the hashes of crates and instances, in both of Rust's schemes.
pub fn pattern(name: &str) -> String {
    // The older scheme ends in the hash of the instance, and what LLVM adds to a function that it has split or copied.
    if let Some((path, _)) = name.strip_prefix("_ZN").and_then(|_| name.rsplit_once("17h")) {
        return format!("{path}17h*");
    }
    // The newer one has a hash in base 62 for each crate: `Cs`, digits, `_`, and the length of the crate's name.
    let mut pattern = String::new();
    let mut rest = name;
    while let Some(at) = rest.find("Cs") {
        let (before, hash) = rest.split_at(at + 2);
        pattern.push_str(before);
        let digits = hash.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let is_crate = digits >= 8 && hash[digits..].starts_with('_');
        if is_crate {
            pattern.push('*');
        }
        rest = if is_crate { &hash[digits..] } else { hash };
    }
    pattern + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_left_open_in_both_schemes() {
        let old = "_ZN12riverhawk_vm7machine7Machine4over17hf86481d590a6c48fE";
        assert_eq!(pattern(old), "_ZN12riverhawk_vm7machine7Machine4over17h*");
        assert_eq!(pattern(&format!("{old}.llvm.123")), pattern(old));
        let new = "_RNvMs4_NtCslNYArtu3iFV_5alloc7raw_vecNtB5_11RawVecInner11finish_growCsjrHSEGnQ3l9_3std";
        assert_eq!(pattern(new), "_RNvMs4_NtCs*_5alloc7raw_vecNtB5_11RawVecInner11finish_growCs*_3std");
        assert_eq!(pattern("main"), "main");
    }

    #[test]
    fn only_code_counts() {
        assert_eq!(line("0000000000b6b1a0 000000000000b098 t name"), Some((String::from("name"), 0xb098)));
        assert_eq!(line("00000000002a37ee 0000000000009330 r data"), None);
        assert_eq!(line("                 U malloc"), None);
    }
}
