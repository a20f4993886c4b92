//! Codes of messages: each is its message's for good, and documented.

use riverhawk_syntax::code::{MessageCode, all, groups};
use std::collections::HashSet;

/// Each published code with its message. Lines are added, never changed.
const PUBLISHED: &str = include_str!("codes.txt");

#[test]
fn codes_are_what_they_were() {
    let listed: Vec<String> = all().map(|(code, message)| format!("{code} {message}")).collect();
    let published: Vec<&str> = PUBLISHED.lines().collect();
    assert_eq!(listed, published, "a code is new (add it to codes.txt) or was changed");
    let codes: HashSet<MessageCode> = all().map(|(code, _)| code).collect();
    let messages: HashSet<&str> = all().map(|(_, message)| message).collect();
    assert_eq!((codes.len(), messages.len()), (listed.len(), listed.len()), "each once");
    let mut numbers: Vec<u16> = groups().map(|(number, _)| number).collect();
    numbers.dedup();
    assert!(numbers.is_sorted() && numbers.len() == groups().count());
}

#[test]
fn each_template_is_found_by_its_own_words() {
    for (code, message) in all() {
        assert_eq!(MessageCode::of(&message.replace("{}", "7")), Some(code), "{message}");
    }
    assert_eq!(MessageCode::of("no message of this kind"), None);
}

#[test]
fn the_page_of_errors_has_each_code() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/errors.md");
    let page = std::fs::read_to_string(page).unwrap();
    for (code, message) in all() {
        let cell = message.replace('|', "\\|");
        let cell = if cell.contains('`') { format!("`` {cell} ``") } else { format!("`{cell}`") };
        let row = format!("| {code} | {cell} |");
        assert!(page.lines().any(|line| line == row), "docs/errors.md lacks: {row}");
    }
    let rows = page.lines().filter(|line| line.starts_with("| RH")).count();
    assert_eq!(rows, all().count());
    assert!(groups().all(|(_, title)| page.contains(&format!("\n#### {title}\n"))));
}
