//! Reads Unicode's test data in the compact form of `tests/all/data`.

/// The lines that are not comments.
pub fn rows(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().filter(|line| !line.starts_with('#') && !line.is_empty())
}

/// A string from its code points in hexadecimal, separated by blanks.
pub fn string(codes: &str) -> String {
    codes
        .split_whitespace()
        .map(|code| {
            u32::from_str_radix(code, 16).ok().and_then(char::from_u32).expect("a code point")
        })
        .collect()
}
