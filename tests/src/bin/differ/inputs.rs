//! Input: mixed lines, tables, CSV, paragraphs, columns of fixed width, other alphabets, invalid
//! bytes.

use crate::bytes;
use crate::constants::{self, Flavour};
use crate::dice::Dice;

#[derive(Clone, Copy)]
enum Shape {
    Mixed,
    Table,
    Quoted,
    Columns,
    Paragraphs,
}

pub fn lines(dice: &mut Dice, flavour: Flavour, count: usize) -> Vec<String> {
    let shape = match dice.below(10) {
        0..=4 => Shape::Mixed,
        5 => Shape::Table,
        6 => Shape::Quoted,
        7 => Shape::Columns,
        _ => Shape::Paragraphs,
    };
    (0..count).map(|_| line(dice, flavour, shape)).collect()
}

fn line(dice: &mut Dice, flavour: Flavour, shape: Shape) -> String {
    match shape {
        Shape::Mixed => mixed(dice, flavour),
        Shape::Table => {
            let cells: Vec<String> = (0..1 + dice.below(5)).map(|_| cell(dice, flavour)).collect();
            cells.join(dice.pick(&[" ", "\t", "  "]))
        }
        Shape::Quoted => {
            let cells: Vec<String> =
                (0..1 + dice.below(4)).map(|_| quoted(dice, flavour)).collect();
            cells.join(",")
        }
        Shape::Columns => {
            let cells: Vec<String> =
                (0..dice.below(4)).map(|_| format!("{:<4}", cell(dice, flavour))).collect();
            cells.concat()
        }
        Shape::Paragraphs if dice.once_in(3) => String::new(),
        Shape::Paragraphs => mixed(dice, flavour),
    }
}

fn cell(dice: &mut Dice, flavour: Flavour) -> String {
    match dice.below(4) {
        0 => dice.pick(&["ann", "bob", "Zoe", "tom", "x1", "-"]).to_owned(),
        1 => spelled(dice, flavour).replace([' ', '\t'], "_"),
        2 => (dice.below(2000) as i64 - 500).to_string(),
        _ => format!("{}.{}", dice.below(30), dice.below(100)),
    }
}

fn quoted(dice: &mut Dice, flavour: Flavour) -> String {
    match dice.below(4) {
        0 => format!("\"{}\"", spelled(dice, flavour)),
        1 => dice.pick(&["\"a,b\"", "\"\"", "", "\"x \"\"y\"\" z\"", "\"a"]).to_owned(),
        _ => cell(dice, flavour),
    }
}

fn mixed(dice: &mut Dice, flavour: Flavour) -> String {
    let mut line = String::new();
    for number in 0..dice.below(6) {
        if number > 0 || dice.once_in(8) {
            line.push_str(dice.pick(&[" ", " ", " ", "  ", "\t", ",", ":", ", "]));
        }
        line.push_str(&spelled(dice, flavour));
    }
    line
}

/// A text without escapes, perhaps with bytes that are not a character.
fn spelled(dice: &mut Dice, flavour: Flavour) -> String {
    let text = constants::text(dice, flavour);
    let mut text = text.replace("\\t", "\t").replace("\\n", "").replace("\\\\", "\\");
    if flavour.raw && dice.once_in(4) {
        let byte = [0x80, 0xbf, 0xc3, 0xe9, 0xed, 0xff][dice.below(6)];
        text.push(bytes::stands_for(byte));
    }
    text
}
