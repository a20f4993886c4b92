//! Cases: a whole program, or small cases that share a process.

use crate::bytes;
use crate::constants::Flavour;
use crate::dialect::Dialect;
use crate::dice::Dice;
use crate::expressions::Writer;
use crate::inputs;
use crate::switches::Switches;
use crate::tree::{Node, fixed, optional};

#[derive(Clone)]
pub struct Case {
    pub program: Node,
    pub input: Vec<String>,
    /// Without operands the program reads standard input; `in1` and `in2` hold halves of the input.
    pub operands: Vec<String>,
    pub unterminated: bool,
    pub bytes: bool,
    pub dialect: Dialect,
    pub switches: Switches,
}

const RECORDS: usize = 3;

/// Begins the line that names the case, unlike any generated constant.
const MARK: &str = "#case ";

impl Case {
    pub fn text(&self) -> String {
        self.program.text()
    }

    /// Under --posix gawk orders texts by the locale, a stated divergence: this one orders by
    /// bytes.
    pub fn locale(&self) -> &'static str {
        match (self.bytes, self.dialect) {
            (true, _) => "C",
            (false, Dialect::Posix) => "C.UTF-8",
            (false, _) => "en_US.UTF-8",
        }
    }

    /// Whether gawk computes with freed memory: -M and a negated text, or fields cut from a number
    /// ([`shows_freed_fields`]); or stated divergences: `\u` where characters are bytes, grouped
    /// blanks and hexadecimal digits with -M, a locale under -b, and whether the result of gensub
    /// is true.
    pub fn is_beyond_oracle(&self) -> bool {
        let text = self.text();
        self.switches.precise && (text.contains("!\"") || text.contains("! \""))
            || (self.bytes || self.switches.bytes) && text.contains("\\u")
            || (self.switches.precise || self.switches.bytes) && text.contains("%'")
            || text.contains("!gensub")
            || shows_freed_fields(&text)
    }

    pub fn input_bytes(&self) -> Vec<u8> {
        self.joined(&self.input)
    }

    pub fn halves(&self) -> [Vec<u8>; 2] {
        let (first, second) = self.input.split_at(self.input.len() / 2);
        [self.joined(first), self.joined(second)]
    }

    fn joined(&self, lines: &[String]) -> Vec<u8> {
        let mut text = lines.iter().fold(Vec::new(), |mut text, line| {
            text.extend(bytes::written(line));
            text.push(b'\n');
            text
        });
        if self.unterminated {
            text.pop();
        }
        text
    }

    pub fn size(&self) -> usize {
        let input: usize = self.input.iter().map(|line| line.len() + 1).sum();
        self.text().len() + input + self.operands.concat().len() + usize::from(self.unterminated)
    }
}

/// Whether `$0` may be a number that is written in another format while fields point into its old
/// text, which gawk frees.
fn shows_freed_fields(text: &str) -> bool {
    let formats = ["CONVFMT = \"", "OFMT = \"%.3f", "OFMT = \"%.2f", "OFMT = \"%.10g", "OFMT=%"]
        .iter()
        .any(|format| text.contains(format));
    let assigned = ["=", "+=", "-=", "*=", "/=", "%=", "^="]
        .iter()
        .any(|by| text.contains(&format!("$0 {by} ")));
    formats && assigned && text.contains("END ")
}

/// Small cases over three records each, with variables of their own; special variables are
/// restored.
pub struct Batch {
    bodies: Vec<Node>,
    records: Vec<String>,
    bytes: bool,
    dialect: Dialect,
    switches: Switches,
}

impl Batch {
    pub fn new(dice: &mut Dice, size: usize, dialect: Dialect, switches: Switches) -> Batch {
        let flavour = Flavour::roll(dice);
        let bodies = (0..size).map(|number| body(dice, number, flavour, dialect)).collect();
        let records = (0..size).flat_map(|_| inputs::lines(dice, flavour, RECORDS)).collect();
        Batch { bodies, records, bytes: flavour.bytes, dialect, switches }
    }

    pub fn together(&self, start: usize) -> Case {
        let mut parts = Vec::new();
        for (number, body) in self.bodies.iter().enumerate().skip(start) {
            let first = (number - start) * RECORDS + 1;
            let last = first + RECORDS - 1;
            // By a counter of its own: getline may add to NR.
            parts.push(optional![
                format!(
                    "at >= {first} && at <= {last} {{ print \"{MARK}{number}\"; case{number}() }}\n"
                ),
                body.clone()
            ]);
        }
        parts.insert(0, fixed!["{ at++ }\n"]);
        parts.push(fixed![
            "{ FPAT = \"[^[:space:]]+\"; FS = \" \"; OFS = \" \"; SUBSEP = \"\\034\"; CONVFMT = OFMT = \"%.6g\"; RSTART = 0; RLENGTH = -1; IGNORECASE = 0 }\n"
        ]);
        Case {
            program: Node::list(parts),
            input: self.records[start * RECORDS..].to_vec(),
            operands: Vec::new(),
            unterminated: false,
            bytes: self.bytes,
            dialect: self.dialect,
            switches: self.switches,
        }
    }

    pub fn single(&self, start: usize) -> impl Iterator<Item = Case> + '_ {
        self.bodies.iter().enumerate().skip(start).map(|(number, body)| Case {
            program: fixed![format!("{{ case{number}() }}\n"), body.clone()],
            input: self.records[number * RECORDS..(number + 1) * RECORDS].to_vec(),
            operands: Vec::new(),
            unterminated: false,
            bytes: self.bytes,
            dialect: self.dialect,
            switches: self.switches,
        })
    }
}

pub fn last_begun(output: &[u8]) -> Option<usize> {
    let mut lines = output.rsplit(|&byte| byte == b'\n');
    lines.find_map(|line| str::from_utf8(line.strip_prefix(MARK.as_bytes())?).ok()?.parse().ok())
}

/// The function of a case; its variables are global or parameters that no call passes.
fn body(dice: &mut Dice, number: usize, flavour: Flavour, dialect: Dialect) -> Node {
    let suffix = number.to_string();
    let mut writer = Writer::new(dice, suffix.clone(), flavour, dialect);
    let parameters = match writer.dice.once_in(2) {
        false => "",
        true if dialect.has_extensions() => "xN, yN, zN, aN, bN, iN, jN, mN, rN, qN",
        true => "xN, yN, zN, aN, bN, iN, jN",
    };
    let parameters = parameters.replace('N', &suffix);
    let statements = writer.statements(4, 2);
    let show = writer.show();
    fixed![format!("function case{number}({parameters}) {{\n  "), statements, show, "}\n"]
}
