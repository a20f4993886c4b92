//! The repository's man pages and completions are up to date. `RIVERHAWK_UPDATE=1 cargo test -p
//! riverhawk-cli --test command generated` writes them.

use std::path::Path;

use riverhawk_cli::{completions, man_page};

fn assert_current(path: &str, expected: String) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if std::env::var_os("RIVERHAWK_UPDATE").is_some() {
        std::fs::write(&file, expected).unwrap();
        return;
    }
    assert!(
        std::fs::read_to_string(file).is_ok_and(|committed| committed == expected),
        "{path} has drifted from the option table and the manual; run: \
         RIVERHAWK_UPDATE=1 cargo test -p riverhawk-cli --test command generated"
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
