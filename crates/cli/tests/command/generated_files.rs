//! The man pages and completions in the repository are those that the option table gives.

use std::path::Path;

use riverhawk_cli::{completions, man_page};

fn assert_current(path: &str, expected: String) {
    let committed =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path));
    assert!(
        committed.is_ok_and(|committed| committed == expected),
        "{path} has drifted from the option table; run: cargo run -p riverhawk-cli --example generate"
    );
}

#[test]
fn the_man_page_is_current() {
    assert_current("man/rhawk.1", man_page::man_page());
    assert_current("man/rhawk-language.5", man_page::language_page());
}

#[test]
fn the_completions_are_current() {
    assert_current("completions/rhawk.bash", completions::bash());
    assert_current("completions/_rhawk", completions::zsh());
    assert_current("completions/rhawk.fish", completions::fish());
}
