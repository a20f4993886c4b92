//! Random expressions, one function per level of precedence, so that parentheses appear only where
//! they are rolled.
//!
//! Stated divergences (`docs/divergences.md`) are avoided.

use crate::bytes;
use crate::constants::{self, Flavour};
use crate::dialect::Dialect;
use crate::dice::Dice;
use crate::patterns::{self, Wish};
use crate::tree::{Node, expression, fixed};

pub struct Writer<'a> {
    pub dice: &'a mut Dice,
    /// Ends every name, so that programs can share a process.
    pub suffix: String,
    pub flavour: Flavour,
    pub dialect: Dialect,
    pub loops: usize,
    /// Functions callable with a scalar, an array and a regular number; not the one being written.
    pub functions: Vec<&'static str>,
    pub may_read: bool,
    pub namespaced: bool,
    /// RS is empty. Fields then stay as they are: regular expressions as FS, and FS after FPAT, are
    /// stated divergences.
    pub paragraphs: bool,
}

/// Levels, loosest first, by what may be an operand without parentheses.
const ASSIGNMENT: usize = 0;
const CONDITIONAL: usize = 1;
const OR: usize = 2;
const AND: usize = 3;
const MEMBERSHIP: usize = 4;
const MATCHING: usize = 5;
const COMPARISON: usize = 6;
pub const CONCATENATION: usize = 7;
const ADDITION: usize = 8;
const MULTIPLICATION: usize = 9;
const UNARY: usize = 10;
const POWER: usize = 11;
const STEP: usize = 12;
pub const PRIMARY: usize = 13;

impl<'a> Writer<'a> {
    pub fn new(
        dice: &'a mut Dice,
        suffix: String,
        flavour: Flavour,
        dialect: Dialect,
    ) -> Writer<'a> {
        let functions = Vec::new();
        let (may_read, namespaced, paragraphs) = (false, false, false);
        Writer {
            dice,
            suffix,
            flavour,
            dialect,
            loops: 0,
            functions,
            may_read,
            namespaced,
            paragraphs,
        }
    }

    pub fn any(&mut self, depth: usize) -> Node {
        self.level(ASSIGNMENT, depth)
    }

    /// An expression for a `print` list or an argument, without an unparenthesised `>`.
    pub fn listed(&mut self, depth: usize) -> Node {
        if self.dice.once_in(3) { self.grouped(depth) } else { self.level(CONCATENATION, depth) }
    }

    pub fn grouped(&mut self, depth: usize) -> Node {
        let inner = self.any(depth);
        expression!["(", inner, ")"]
    }

    pub fn level(&mut self, level: usize, depth: usize) -> Node {
        if depth == 0 {
            return self.leaf();
        }
        // Most levels pass on; otherwise every expression would be an assignment.
        let here = match level {
            CONCATENATION | ADDITION | PRIMARY => true,
            COMPARISON if self.flavour.infinite => false,
            _ => self.dice.once_in(4),
        };
        if !here || (matches!(level, CONCATENATION | ADDITION) && self.dice.once_in(2)) {
            return self.level((level + 1).min(PRIMARY), depth);
        }
        let below = depth - 1;
        match level {
            ASSIGNMENT => {
                let target = self.target(below);
                let operator = self.dice.pick(&[
                    "=",
                    "=",
                    "=",
                    "+=",
                    "-=",
                    "*=",
                    "%=",
                    "/=",
                    match self.flavour.infinite {
                        true if self.dialect.has_extensions() => "**=",
                        true => "^=",
                        false => "=",
                    },
                ]);
                let value = match operator {
                    "/=" | "%=" => self.divisor(),
                    "^=" | "**=" => fixed![self.exponent()],
                    _ => self.level(ASSIGNMENT, below),
                };
                if operator == "=" && self.loops > 0 {
                    return expression![target, " = ", self.capped(value)];
                }
                expression![target, " ", operator, " ", value]
            }
            CONDITIONAL => {
                let (cond, yes, no) = (
                    self.level(OR, below),
                    self.level(CONDITIONAL, below),
                    self.level(CONDITIONAL, below),
                );
                expression![cond, " ? ", yes, " : ", no]
            }
            OR | AND => {
                let (left, right) = (self.level(level, below), self.level(level + 1, below));
                expression![left, if level == OR { " || " } else { " && " }, right]
            }
            MEMBERSHIP => {
                let array = self.array();
                if self.dice.once_in(4) {
                    let (first, second) = (self.any(below), self.any(below));
                    return expression!["(((", first, ") \"\", ", second, ") in ", array, ")"];
                }
                let key = self.level(MATCHING, below);
                expression!["((", key, ") \"\" in ", array, ")"]
            }
            MATCHING => {
                let (text, regex) = (self.level(COMPARISON, below), self.regex_operand());
                expression![text, self.dice.pick(&[" ~ ", " ~ ", " !~ "]), regex]
            }
            COMPARISON => {
                let (left, right) =
                    (self.level(CONCATENATION, below), self.level(CONCATENATION, below));
                let operator = self.dice.pick(&[" < ", " <= ", " == ", " != ", " > ", " >= "]);
                // Always in parentheses: `print a > b` is a redirection.
                expression!["(", left, operator, right, ")"]
            }
            CONCATENATION => {
                let (left, right) = (self.level(CONCATENATION, below), self.level(ADDITION, below));
                expression![left, " ", right]
            }
            ADDITION => {
                let (left, right) =
                    (self.level(ADDITION, below), self.level(MULTIPLICATION, below));
                let operator = self.dice.pick(&[" + ", " - ", " -", "-"]);
                // `--` would be a step.
                let operator = if right.text().starts_with('-') { " - " } else { operator };
                expression![left, operator, right]
            }
            MULTIPLICATION => {
                let left = self.level(MULTIPLICATION, below);
                if self.dice.once_in(2) {
                    let right = self.level(UNARY, below);
                    return expression![left, " * ", right];
                }
                let right = self.divisor();
                expression![left, self.dice.pick(&[" / ", " % "]), right]
            }
            UNARY => {
                let inner = self.level(UNARY, below);
                expression![self.dice.pick(&["- ", "+ ", "! ", "!"]), inner]
            }
            POWER => {
                let left = self.level(STEP, below);
                let left =
                    if self.flavour.infinite { left } else { expression!["((", left, ") % 100)"] };
                let right = self.exponent();
                expression![
                    left,
                    self.dice.pick(&[
                        " ^ ",
                        "^",
                        if self.dialect.is_whole() { " ** " } else { "^" }
                    ]),
                    right
                ]
            }
            STEP => {
                let target = self.target(below);
                match self.dice.below(4) {
                    0 => expression!["(", target, "++)"],
                    1 => expression!["(", target, "--)"],
                    2 => expression!["(++", target, ")"],
                    _ => expression!["(--", target, ")"],
                }
            }
            _ => self.primary(below),
        }
    }

    fn primary(&mut self, depth: usize) -> Node {
        if self.dialect.has_extensions() && self.dice.once_in(3) {
            return self.extended_call(depth);
        }
        match self.dice.below(12) {
            0..=2 => self.grouped(depth),
            3..=8 => self.call(depth),
            9 if self.may_read => {
                let target = self.target(depth);
                fixed![
                    "(getline ",
                    self.dice.pick(&["", "x", "y"]).to_owned(),
                    ") (",
                    target,
                    " \"\")"
                ]
            }
            10 if !self.functions.is_empty() => {
                let (scalar, array) = (self.any(depth), self.array());
                let name = self.functions[self.dice.below(self.functions.len())];
                expression![name, "(t = ", scalar, ", ", array, ")"]
            }
            _ => self.leaf(),
        }
    }

    /// A value that a loop may store. Long ones are cut through a variable: gawk 5.2.1 can take an
    /// argument without a value for an array.
    pub fn capped(&self, value: Node) -> Node {
        fixed![format!("cap(t{} = ", self.suffix), value, ")"]
    }

    /// Exponents that keep numbers below 100 finite, unless infinities are allowed.
    fn exponent(&mut self) -> &'static str {
        if self.flavour.infinite {
            return self.dice.pick(&["2", "-1", "0.5", "- 2", "1e3"]);
        }
        self.dice.pick(&["2", "3", "0", "2 ^ 2", "63", "53", "- 0"])
    }

    /// Never 0: a division by zero would end both programs.
    fn divisor(&mut self) -> Node {
        match self.dice.below(3) {
            0 => fixed![self.dice.pick(&["2", "3", "7", "10", "0.5", "-4", "1e3", "256"])],
            1 => {
                let leaf = self.leaf();
                expression!["(1 + (", leaf, ") ^ 2)"]
            }
            _ => fixed!["(length() + 1)"],
        }
    }

    pub fn leaf(&mut self) -> Node {
        match self.dice.below(10) {
            0..=2 => {
                if self.dialect.has_extensions() && self.dice.once_in(12) {
                    return expression![constants::gawk_number(self.dice)];
                }
                let number = constants::number(self.dice);
                expression![number]
            }
            3 | 4 => self.string(),
            5 | 6 => self.scalar(),
            7 => {
                let number = self.dice.below(6);
                self.field(number)
            }
            8 => {
                let (array, key) = (self.array(), self.key());
                expression![array, "[", key, "]"]
            }
            _ => {
                let special = self.dice.pick(&[
                    "NF", "NF", "RSTART", "RLENGTH", "NR", "FNR", "OFS", "CONVFMT", "$0", "$NF",
                ]);
                expression![special]
            }
        }
    }

    fn field(&mut self, number: usize) -> Node {
        match self.dice.below(4) {
            0 => expression![format!("(NF >= {number} ? ${number} : \"none\")")],
            1 => expression![format!("(${number} + 0)")],
            _ => expression![format!("${number}")],
        }
    }

    pub fn string(&mut self) -> Node {
        if self.flavour.raw && self.dice.once_in(8) {
            let byte = [0x80, 0xc3, 0xe9, 0xff][self.dice.below(4)];
            return expression![format!("\"a{}b\"", bytes::stands_for(byte))];
        }
        let text = match self.dialect.has_extensions() && self.dice.once_in(12) {
            true => constants::gawk_text(self.dice),
            false => constants::text(self.dice, self.flavour),
        };
        expression!["\"", text, "\""]
    }

    pub fn scalar(&mut self) -> Node {
        let name = self.dice.pick(&["x", "y", "z"]);
        expression![format!("{name}{}", self.suffix)]
    }

    pub fn array(&mut self) -> Node {
        let name = self.dice.pick(&["a", "b"]);
        fixed![format!("{name}{}", self.suffix)]
    }

    pub fn key(&mut self) -> Node {
        match self.dice.below(8) {
            // For gawk's orders a key stays the number it was made from, a stated divergence.
            0 if !self.dialect.has_extensions() => {
                expression![self.dice.pick(&["0.1 + 0.2", "12345678.9"])]
            }
            0..=2 => expression![self.dice.pick(&["1", "2", "3", "01", "0.1", "-1", "1e6"])],
            3 | 4 => self.string(),
            5 => {
                let scalar = self.scalar();
                expression!["(", scalar, " \"\")"]
            }
            6 => {
                let (first, second) = (self.leaf(), self.leaf());
                expression![first, ", ", second]
            }
            _ => self.plain_key(),
        }
    }

    /// A computed subscript, as text: after `delete` gawk 5.2.1 accepts no element without a value,
    /// and distinguishes it from a number that CONVFMT rounds to an integer.
    pub fn plain_key(&mut self) -> Node {
        let key = self.level(ADDITION, 1);
        fixed!["(", key, ") \"\""]
    }

    pub fn target(&mut self, depth: usize) -> Node {
        match self.dice.below(8) {
            0..=3 => self.scalar(),
            4 | 5 => {
                let (array, key) = (self.array(), self.key());
                fixed![array, "[", key, "]"]
            }
            _ if self.flavour.infinite => self.scalar(),
            6 => fixed![format!("${}", self.dice.below(5))],
            _ if depth > 0 => {
                fixed![self.dice.pick(&["$(NF + 1)", "$NF", "$(1 + 1)", "$(NF > 1 ? 2 : 1)"])]
            }
            _ => self.scalar(),
        }
    }

    pub fn pattern(&mut self) -> String {
        self.pattern_that_is(self.flavour.unicode)
    }

    /// One that matches no empty text.
    pub fn solid_pattern(&mut self) -> String {
        self.pattern_that_is(true)
    }

    fn pattern_that_is(&mut self, solid: bool) -> String {
        let wish = Wish { flavour: self.flavour, dialect: self.dialect, solid };
        patterns::regex(self.dice, wish)
    }

    pub fn regex_operand(&mut self) -> Node {
        self.operand_that_is(false)
    }

    pub fn replaced_operand(&mut self) -> Node {
        self.operand_that_is(self.flavour.unicode)
    }

    fn operand_that_is(&mut self, solid: bool) -> Node {
        let pattern = self.pattern_that_is(solid || self.flavour.unicode);
        match self.dice.below(4) {
            0 if !solid => {
                let inner = pattern.replace("\\/", "/").replace('\\', "\\\\").replace('"', "\\\"");
                expression!["\"", inner, "\""]
            }
            // As text: gawk 5.2.1 may use the pattern of a number that the variable held before.
            1 if !solid && self.dice.once_in(3) => {
                let scalar = self.scalar();
                fixed!["(", scalar, " \"\")"]
            }
            2 if self.dialect.has_extensions() && !self.flavour.unicode && self.dice.once_in(3) => {
                expression!["r", self.suffix.clone()]
            }
            // In one piece: a part might match the empty text, a stated divergence in other
            // alphabets.
            _ if self.flavour.unicode => fixed!["/", pattern, "/"],
            _ => expression!["/", pattern, "/"],
        }
    }
}
