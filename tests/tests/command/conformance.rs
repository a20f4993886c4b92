//! `docs/conformance.md` agrees with the corpus.

use riverhawk_tests::{conformance, load};

#[test]
fn the_page_is_what_the_corpus_gives() {
    let files = load::load(&[]).unwrap_or_else(|message| panic!("{message}"));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/conformance.md");
    let page = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        page == conformance::page(&files),
        "docs/conformance.md is out of date: cargo run -p riverhawk-tests --bin conformance"
    );
}
