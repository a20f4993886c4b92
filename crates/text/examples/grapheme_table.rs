//! Prints `src/grapheme/table.rs`: the class of every code point as a two-stage table.
//!
//! The classes are `icu_properties`'. For a new version of Unicode: update the dependency, `cargo
//! run -p riverhawk-text --example grapheme_table > crates/text/src/grapheme/table.rs`, format, and
//! run the tests.

use icu_properties::props::{ExtendedPictographic, GraphemeClusterBreak, IndicConjunctBreak};
use icu_properties::{CodePointMapData, CodePointSetData};

/// Code points per block: 128 makes the smallest pair of stages.
const BLOCK: usize = 128;

/// The number of a code point's class, in the order of `Class` in `src/grapheme/rules.rs`.
fn class(code: u32) -> u8 {
    let cluster = CodePointMapData::<GraphemeClusterBreak>::new().get32(code);
    let conjunct = CodePointMapData::<IndicConjunctBreak>::new().get32(code);
    let pictograph = CodePointSetData::new::<ExtendedPictographic>().contains32(code);
    match cluster {
        GraphemeClusterBreak::CR => 1,
        GraphemeClusterBreak::LF => 2,
        GraphemeClusterBreak::Control => 3,
        GraphemeClusterBreak::Extend if conjunct == IndicConjunctBreak::Extend => 4,
        GraphemeClusterBreak::Extend if conjunct == IndicConjunctBreak::Linker => 6,
        GraphemeClusterBreak::Extend => 5,
        GraphemeClusterBreak::ZWJ => 7,
        GraphemeClusterBreak::SpacingMark => 8,
        GraphemeClusterBreak::Prepend => 9,
        GraphemeClusterBreak::RegionalIndicator => 10,
        GraphemeClusterBreak::L => 14,
        GraphemeClusterBreak::V => 15,
        GraphemeClusterBreak::T => 16,
        GraphemeClusterBreak::LV => 17,
        GraphemeClusterBreak::LVT => 18,
        _ if pictograph => 11,
        _ if conjunct == IndicConjunctBreak::Consonant => 12,
        _ if conjunct == IndicConjunctBreak::Linker => 13,
        _ => 0,
    }
}

fn print_array(name: &str, comment: &str, values: &[u8]) {
    println!("\n/// {comment}\npub(super) static {name}: [u8; {}] = [", values.len());
    for row in values.chunks(40) {
        let row: Vec<String> = row.iter().map(u8::to_string).collect();
        println!("    {},", row.join(", "));
    }
    println!("];");
}

fn main() {
    let classes: Vec<u8> = (0..0x11_0000).map(class).collect();
    let mut blocks: Vec<&[u8]> = Vec::new();
    let first: Vec<u8> = classes
        .chunks(BLOCK)
        .map(|block| {
            let at = blocks.iter().position(|known| *known == block).unwrap_or_else(|| {
                blocks.push(block);
                blocks.len() - 1
            });
            u8::try_from(at).expect("no more than 256 different blocks")
        })
        .collect();
    println!(
        "//! The class of every code point, Unicode 18.0. Printed by `examples/grapheme_table.rs`; do not edit."
    );
    println!("\n/// How many bits of a code point are its place in a block.");
    println!("pub(super) const SHIFT: u32 = {};", BLOCK.trailing_zeros());
    print_array("BLOCK_OF", "The block of each stretch of code points.", &first);
    print_array("CLASS_IN", "The classes of each block, block after block.", &blocks.concat());
}
