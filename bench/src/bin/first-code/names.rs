//! Names of functions in a binary.

/// What matches a mangled name in the next build too: it has `*` for the hashes of crates and instances, in both of Rust's schemes.
///
/// So a generic function's name stands for all its instances. Those that no run executes come along, a tenth of the code in one place;
/// leaving out functions with many instances brought 0.3 MiB more into memory, not less, for those that runs do execute.
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
    // What LLVM counts functions of one name with.
    match rest.rsplit_once('.') {
        Some((name, count)) if count.bytes().all(|byte| byte.is_ascii_digit()) => pattern + name + ".*",
        _ => pattern + rest,
    }
}

#[cfg(test)]
mod tests {
    use super::pattern;

    #[test]
    fn hashes_are_left_open_in_both_schemes() {
        let old = "_ZN12riverhawk_vm7machine7Machine4over17hf86481d590a6c48fE";
        assert_eq!(pattern(old), "_ZN12riverhawk_vm7machine7Machine4over17h*");
        assert_eq!(pattern(&format!("{old}.llvm.123")), pattern(old));
        let new = "_RNvMs4_NtCslNYArtu3iFV_5alloc7raw_vecNtB5_11RawVecInner11finish_growCsjrHSEGnQ3l9_3std";
        assert_eq!(pattern(new), "_RNvMs4_NtCs*_5alloc7raw_vecNtB5_11RawVecInner11finish_growCs*_3std");
        assert_eq!(pattern(&format!("{new}.1011")), pattern(new) + ".*");
        assert_eq!(pattern("main"), "main");
    }
}
