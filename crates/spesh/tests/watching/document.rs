//! The documentation shows what the example prints.

use crate::program::Paper;

#[allow(dead_code, reason = "its `main` is for the command line")]
#[path = "../../examples/replay.rs"]
mod replay;

#[test]
fn the_dumps_in_the_documentation_are_those_of_the_example() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/specialiser.md");
    let text = std::fs::read_to_string(path).expect("the documentation is there");
    let paper = Paper::default();
    replay::replay(500, Box::new(paper.clone())).unwrap();
    let printed = paper.text();
    let blocks: Vec<&str> =
        text.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(blocks.len(), 3);
    for block in blocks {
        assert!(printed.contains(block), "the example does not print\n{block}\nbut\n{printed}");
    }
}
