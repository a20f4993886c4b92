//! Random programs in two shapes: small cases that share a process, and whole programs with everything awk has around rules.

use crate::constants::{self, Flavour};
use crate::dice::Dice;
use crate::expressions::Writer;
use crate::tree::{Node, fixed, optional};

/// A program, what it reads, and the locale both awks run in.
#[derive(Clone)]
pub struct Case {
    pub program: Node,
    pub input: Vec<String>,
    pub bytes: bool,
}

/// Records that each small case sees.
const RECORDS: usize = 3;

/// What every program may call.
pub const PRELUDE: &str = r#"function cap(v) { return length(v) > 60 ? substr(v, 1, 7) : v }
function dump(name, array,   k, n, i, j, t, keys) {
  for (k in array) keys[++n] = k ""
  for (i = 2; i <= n; i++) for (j = i; j > 1 && keys[j - 1] > keys[j]; j--) { t = keys[j]; keys[j] = keys[j - 1]; keys[j - 1] = t }
  for (i = 1; i <= n; i++) print name "[" keys[i] "]=<" array[keys[i]] ">"
}
"#;

impl Case {
    pub fn text(&self) -> String {
        self.program.text()
    }

    pub fn input_text(&self) -> String {
        self.input.iter().map(|line| format!("{line}\n")).collect()
    }
}

/// Small cases over three records each. Every one has variables of its own and finds the special ones as they were.
pub struct Batch {
    bodies: Vec<Node>,
    records: Vec<String>,
    bytes: bool,
}

impl Batch {
    pub fn new(dice: &mut Dice, size: usize) -> Batch {
        let bytes = dice.once_in(5);
        let flavour = Flavour::roll(dice, bytes);
        let bodies = (0..size).map(|number| body(dice, number, flavour)).collect();
        let records = (0..size * RECORDS).map(|_| constants::line(dice, flavour)).collect();
        Batch { bodies, records, bytes }
    }

    /// All of them as one program.
    pub fn together(&self) -> Case {
        let mut parts = Vec::new();
        for (number, body) in self.bodies.iter().enumerate() {
            let first = number * RECORDS + 1;
            let last = first + RECORDS - 1;
            parts.push(optional![
                format!("NR >= {first} && NR <= {last} {{ print \"#{number}\"; case{number}() }}\n"),
                body.clone()
            ]);
        }
        parts.push(fixed![
            "{ FS = \" \"; OFS = \" \"; SUBSEP = \"\\034\"; CONVFMT = OFMT = \"%.6g\"; RSTART = 0; RLENGTH = -1 }\n"
        ]);
        Case { program: Node::list(parts), input: self.records.clone(), bytes: self.bytes }
    }

    /// Each for itself.
    pub fn single(&self) -> impl Iterator<Item = Case> + '_ {
        self.bodies.iter().enumerate().map(|(number, body)| Case {
            program: fixed![format!("{{ case{number}() }}\n"), body.clone()],
            input: self.records[number * RECORDS..(number + 1) * RECORDS].to_vec(),
            bytes: self.bytes,
        })
    }
}

/// A function that is the case; its variables are global or parameters that nobody passes.
fn body(dice: &mut Dice, number: usize, flavour: Flavour) -> Node {
    let suffix = number.to_string();
    let mut writer = Writer { dice, suffix: suffix.clone(), flavour, loops: 0, functions: Vec::new(), may_read: false };
    let parameters = if writer.dice.once_in(2) { "xN, yN, zN, aN, bN, iN, jN" } else { "" }.replace('N', &suffix);
    let statements = writer.statements(4, 2);
    let show = writer.show();
    fixed![format!("function case{number}({parameters}) {{\n  "), statements, show, "}\n"]
}

/// A whole program.
pub fn whole(dice: &mut Dice) -> Case {
    let bytes = dice.once_in(5);
    let flavour = Flavour::roll(dice, bytes);
    let input = (0..dice.below(7)).map(|_| constants::line(dice, flavour)).collect();
    let mut writer = Writer { dice, suffix: String::new(), flavour, loops: 0, functions: Vec::new(), may_read: false };
    let mut parts = Vec::new();
    for name in ["f", "g"] {
        if writer.dice.once_in(2) {
            parts.push(function(&mut writer, name));
            writer.functions.push(name);
        }
    }
    if writer.dice.once_in(2) {
        let settings = settings(writer.dice);
        let statements = writer.statements(2, 1);
        parts.push(optional!["BEGIN { ", settings, statements, "}\n"]);
    }
    writer.may_read = true;
    for _ in 0..1 + writer.dice.below(3) {
        let pattern = pattern(&mut writer);
        let action = match writer.dice.below(5) {
            0 => fixed![""],
            _ => {
                let statements = writer.statements(3, 2);
                let jump = match writer.dice.below(8) {
                    0 => optional!["if (NR % 3 == 1) next; "],
                    1 => optional!["if (NR > 3) exit NR; "],
                    2 => optional!["if (x > 5) exit; "],
                    _ => fixed![""],
                };
                fixed![" { ", statements, jump, "print NR; }"]
            }
        };
        // Without an action a pattern must be there.
        let pattern = if action.text().is_empty() && pattern.text().is_empty() { fixed!["1"] } else { pattern };
        parts.push(optional![pattern, action, "\n"]);
    }
    let statements = writer.statements(2, 1);
    let show = writer.show();
    parts.push(optional!["END { ", statements, show, "}\n"]);
    Case { program: Node::list(parts), input, bytes }
}

fn function(writer: &mut Writer, name: &str) -> Node {
    let statements = writer.statements(2, 1);
    let value = writer.any(2);
    let value = writer.capped(value);
    let again = match writer.dice.below(3) {
        0 => optional![format!("if (level < 2) {{ level++; y = cap({name}(y, a)); level-- }}\n  ")],
        _ => fixed![""],
    };
    fixed![format!("function {name}(x, a,   y, b, i, j) {{\n  "), again, statements, "return ", value, "\n}\n"]
}

/// Separators and formats. A blank RS with a regular expression as FS is a stated divergence.
fn settings(dice: &mut Dice) -> Node {
    let pair = dice.pick(&[
        "",
        "",
        "FS = \",\"; ",
        "FS = \"[ ,:]+\"; ",
        "FS = \"\"; ",
        "FS = \"\\t\"; ",
        "FS = \"a\"; ",
        "FS = \"|\"; ",
        "RS = \" \"; ",
        "RS = \"a\"; ",
        "RS = \"[,:]\"; ",
        "RS = \"ab|b\"; ",
        "RS = \"\\n+\"; ",
        "RS = \"\"; ",
        "RS = \"\"; FS = \",\"; ",
        "RS = \",\"; FS = \"b\"; ",
    ]);
    let more = dice.pick(&[
        "",
        "",
        "OFS = \":\"; ",
        "ORS = \"|\\n\"; ",
        "CONVFMT = \"%.3g\"; ",
        "OFMT = \"%.2f\"; ",
        "NR = 10; ",
    ]);
    Node::list(vec![optional![pair], optional![more]])
}

fn pattern(writer: &mut Writer) -> Node {
    match writer.dice.below(6) {
        0 => fixed![""],
        1 => {
            let regex = constants::regex(writer.dice, writer.flavour.unicode, writer.flavour.unicode);
            fixed!["/", regex, "/"]
        }
        2 => {
            let (from, to) = (writer.grouped(2), writer.grouped(2));
            fixed![from, ", ", to]
        }
        3 => fixed![writer.dice.pick(&[
            "NR == 2",
            "NR == 2, NR == 4",
            "NF > 2",
            "$1 == $2",
            "$1 < $2",
            "NR % 2",
            "$2 + 0",
            "!x++"
        ])],
        _ => writer.any(3),
    }
}
