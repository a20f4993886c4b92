//! Random expressions, one function per level of precedence, so that parentheses appear only where somebody rolls them.
//!
//! What rhawk deliberately does otherwise than gawk (`docs/divergences.md`) is kept out here, each at its place.

use crate::constants::{self, Flavour, Wanted};
use crate::dice::Dice;
use crate::tree::{Node, expression, fixed};

/// Writes the parts of one program.
pub struct Writer<'a> {
    pub dice: &'a mut Dice,
    /// Ends every name, so that programs can share a process.
    pub suffix: String,
    pub flavour: Flavour,
    /// How many loops there are around.
    pub loops: usize,
    /// Functions that may be called with a scalar, an array and a regular number: not the one being written.
    pub functions: Vec<&'static str>,
    /// The main input may be read.
    pub may_read: bool,
}

/// Levels, loosest first: what may stand without parentheses as an operand.
const ASSIGNMENT: usize = 0;
const CONDITIONAL: usize = 1;
const OR: usize = 2;
const AND: usize = 3;
const MEMBERSHIP: usize = 4;
const MATCHING: usize = 5;
const COMPARISON: usize = 6;
const CONCATENATION: usize = 7;
const ADDITION: usize = 8;
const MULTIPLICATION: usize = 9;
const UNARY: usize = 10;
const POWER: usize = 11;
const STEP: usize = 12;
const PRIMARY: usize = 13;

impl Writer<'_> {
    /// Any expression, of at most this depth.
    pub fn any(&mut self, depth: usize) -> Node {
        self.level(ASSIGNMENT, depth)
    }

    /// An expression that may stand in a `print` list or as an argument without parentheses around `>`.
    pub fn listed(&mut self, depth: usize) -> Node {
        if self.dice.once_in(3) { self.grouped(depth) } else { self.level(CONCATENATION, depth) }
    }

    pub fn grouped(&mut self, depth: usize) -> Node {
        let inner = self.any(depth);
        expression!["(", inner, ")"]
    }

    fn level(&mut self, level: usize, depth: usize) -> Node {
        if depth == 0 {
            return self.leaf();
        }
        // Most levels pass on; without that every expression would be an assignment.
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
                    if self.flavour.infinite { "^=" } else { "=" },
                ]);
                let value = match operator {
                    "/=" | "%=" => self.divisor(),
                    "^=" => fixed![self.exponent()],
                    _ => self.level(ASSIGNMENT, below),
                };
                if operator == "=" && self.loops > 0 {
                    return expression![target, " = ", self.capped(value)];
                }
                expression![target, " ", operator, " ", value]
            }
            CONDITIONAL => {
                let (cond, yes, no) =
                    (self.level(OR, below), self.level(CONDITIONAL, below), self.level(CONDITIONAL, below));
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
                let (text, regex) = (self.level(COMPARISON, below), self.regex_operand(false));
                expression![text, self.dice.pick(&[" ~ ", " ~ ", " !~ "]), regex]
            }
            COMPARISON => {
                let (left, right) = (self.level(CONCATENATION, below), self.level(CONCATENATION, below));
                let operator = self.dice.pick(&[" < ", " <= ", " == ", " != ", " > ", " >= "]);
                // Everywhere in parentheses: `print a > b` is a redirection.
                expression!["(", left, operator, right, ")"]
            }
            CONCATENATION => {
                let (left, right) = (self.level(CONCATENATION, below), self.level(ADDITION, below));
                expression![left, " ", right]
            }
            ADDITION => {
                let (left, right) = (self.level(ADDITION, below), self.level(MULTIPLICATION, below));
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
                let left = if self.flavour.infinite { left } else { expression!["((", left, ") % 100)"] };
                let right = self.exponent();
                expression![left, self.dice.pick(&[" ^ ", "^", " ** "]), right]
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
        match self.dice.below(12) {
            0..=2 => self.grouped(depth),
            3..=8 => self.call(depth),
            9 if self.may_read => {
                let target = self.target(depth);
                fixed!["(getline ", self.dice.pick(&["", "x", "y"]).to_owned(), ") (", target, " \"\")"]
            }
            10 if !self.functions.is_empty() => {
                let (scalar, array) = (self.any(depth), self.array());
                let name = self.functions[self.dice.below(self.functions.len())];
                expression![name, "(t = ", scalar, ", ", array, ")"]
            }
            _ => self.leaf(),
        }
    }

    /// A value that a loop may store: what is long is cut. By way of a variable, because gawk 5.2.1 can take an element without a
    /// value for an array when it is an argument.
    pub fn capped(&self, value: Node) -> Node {
        fixed![format!("cap(t{} = ", self.suffix), value, ")"]
    }

    /// The exponents that make no infinity of numbers below 100, but where infinities belong.
    fn exponent(&mut self) -> &'static str {
        if self.flavour.infinite {
            return self.dice.pick(&["2", "-1", "0.5", "- 2", "1e3"]);
        }
        self.dice.pick(&["2", "3", "0", "2 ^ 2", "63", "53", "- 0"])
    }

    /// Something that is surely not 0: a division by zero ends both programs, and the rest is not compared.
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
                let special =
                    self.dice.pick(&["NF", "NF", "RSTART", "RLENGTH", "NR", "FNR", "OFS", "CONVFMT", "$0", "$NF"]);
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
        let text = constants::text(self.dice, self.flavour);
        expression!["\"", text, "\""]
    }

    fn scalar(&mut self) -> Node {
        let name = self.dice.pick(&["x", "y", "z"]);
        expression![format!("{name}{}", self.suffix)]
    }

    pub fn array(&mut self) -> Node {
        let name = self.dice.pick(&["a", "b"]);
        fixed![format!("{name}{}", self.suffix)]
    }

    /// What stands in a subscript: few values, so that they meet.
    pub fn key(&mut self) -> Node {
        match self.dice.below(8) {
            0..=2 => expression![self.dice.pick(&["1", "2", "3", "01", "0.1", "-1", "1e6", "0.1 + 0.2", "12345678.9"])],
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

    /// A computed subscript. As text (here and before `in`), because gawk 5.2.1 takes no element without a value after `delete`, and keeps a number
    /// that CONVFMT rounds to a whole one apart from that whole number.
    pub fn plain_key(&mut self) -> Node {
        let key = self.level(ADDITION, 1);
        fixed!["(", key, ") \"\""]
    }

    /// What can be assigned to.
    pub fn target(&mut self, depth: usize) -> Node {
        match self.dice.below(8) {
            0..=3 => self.scalar(),
            4 | 5 => {
                let (array, key) = (self.array(), self.key());
                fixed![array, "[", key, "]"]
            }
            _ if self.flavour.infinite => self.scalar(),
            6 => fixed![format!("${}", self.dice.below(5))],
            _ if depth > 0 => fixed![self.dice.pick(&["$(NF + 1)", "$NF", "$(1 + 1)", "$(NF > 1 ? 2 : 1)"])],
            _ => self.scalar(),
        }
    }

    /// The right side of `~` and first argument of `sub`.
    pub fn regex_operand(&mut self, solid: bool) -> Node {
        let pattern = constants::regex(self.dice, self.flavour.unicode, solid || self.flavour.unicode);
        match self.dice.below(4) {
            0 if !solid => {
                let inner = pattern.replace("\\/", "/").replace('\\', "\\\\").replace('"', "\\\"");
                expression!["\"", inner, "\""]
            }
            // As text: gawk 5.2.1 may go on with the pattern of a number that the variable held before.
            1 if !solid && self.dice.once_in(3) => {
                let scalar = self.scalar();
                fixed!["(", scalar, " \"\")"]
            }
            _ => expression!["/", pattern, "/"],
        }
    }

    fn call(&mut self, depth: usize) -> Node {
        match self.dice.below(24) {
            0..=2 => {
                let text = self.listed(depth);
                expression!["length(", text, ")"]
            }
            3..=5 => {
                let (text, start) = (self.any(depth), self.position(depth));
                if self.dice.once_in(3) {
                    return expression!["substr(", text, ", ", start, ")"];
                }
                let length = self.position(depth);
                expression!["substr(", text, ", ", start, ", ", length, ")"]
            }
            6 | 7 => {
                let (text, part) = (self.any(depth), self.any(depth));
                expression!["index(", text, ", ", part, ")"]
            }
            8 | 9 => {
                let (text, array) = (self.any(depth), self.array());
                match self.dice.below(4) {
                    0 => expression!["split(", text, ", ", array, ")"],
                    1 => {
                        // A lone /^/ makes gawk 5.2.1 lose the first character.
                        let pattern = constants::regex(self.dice, self.flavour.unicode, true);
                        expression!["split(", text, ", ", array, ", /", pattern, "/)"]
                    }
                    2 => {
                        let separator = self.dice.pick(&[" ", ",", "", ":", "a", "\\t", ".", "|", "  ", "[ ]", "\\\\"]);
                        expression!["split(", text, ", ", array, ", \"", separator, "\")"]
                    }
                    _ => {
                        let separators = format!("s{}", self.suffix);
                        expression![
                            "split(",
                            text,
                            ", ",
                            array,
                            ", ",
                            self.dice.pick(&["\" \"", "/[ ,]+/", "\"\"", "/a|b/"]),
                            ", ",
                            separators,
                            ")"
                        ]
                    }
                }
            }
            10..=12 => {
                let name = self.dice.pick(&["sub", "gsub", "gsub"]);
                let (pattern, replacement) = (self.regex_operand(self.flavour.unicode), self.replacement());
                if self.dice.once_in(4) {
                    return expression![name, "(", pattern, ", ", replacement, ")"];
                }
                let target = self.target(depth);
                expression![name, "(", pattern, ", ", replacement, ", ", target, ")"]
            }
            13 | 14 => {
                let (text, pattern) = (self.any(depth), self.regex_operand(false));
                if self.dice.once_in(4) {
                    let array = self.array();
                    return expression!["match(", text, ", ", pattern, ", ", array, ")"];
                }
                expression!["match(", text, ", ", pattern, ")"]
            }
            15..=17 => {
                let (format, arguments) = self.format(depth);
                expression!["sprintf(", format, arguments, ")"]
            }
            18 | 19 => {
                let text = self.any(depth);
                expression![self.dice.pick(&["tolower(", "toupper("]), text, ")"]
            }
            20 | 21 => {
                let value = self.any(depth);
                expression!["int(", value, ")"]
            }
            22 => {
                let value = self.level(PRIMARY, depth);
                expression![self.dice.pick(&["sin(", "cos(", "exp(- "]), value, ")"]
            }
            _ => {
                let value = self.leaf();
                expression![self.dice.pick(&["sqrt(", "log("]), "1 + (", value, ") ^ 2)"]
            }
        }
    }

    /// Where `substr` starts and how much it takes: around the ends and between whole numbers. Beyond 2^63 gawk's answer is
    /// whatever its machine makes of the conversion.
    fn position(&mut self, depth: usize) -> Node {
        match self.dice.below(3) {
            0 => fixed![
                self.dice.pick(&["0", "1", "2", "-1", "0.5", "1.5", "2.5", "-0.5", "1e9", "-1e9", "1e18", "\"2x\""])
            ],
            1 => expression!["length($0) - 1"],
            _ => {
                let value = self.any(depth);
                expression!["(", value, ") % 7"]
            }
        }
    }

    fn replacement(&mut self) -> Node {
        if self.dice.once_in(3) {
            return self.leaf();
        }
        let text = self.dice.pick(&[
            "",
            "x",
            "&",
            "<&>",
            "\\\\&",
            "&&",
            "\\\\\\\\&",
            "a\\\\b",
            "[\\\\&]",
            "1",
            " ",
            "\\\\",
            "\\\\\\\\",
        ]);
        expression!["\"", text, "\""]
    }

    /// A format string and the rest of the argument list.
    pub fn format(&mut self, depth: usize) -> (Node, Node) {
        let (text, wanted) = constants::format(self.dice);
        let arguments = wanted.into_iter().map(|wanted| match wanted {
            Wanted::Anything => {
                let value = self.listed(depth);
                fixed![", ", value]
            }
            Wanted::Width => fixed![", ", self.dice.pick(&["0", "1", "5", "-6", "12", "2.9", "\"3\""])],
            Wanted::Precision => fixed![", ", self.dice.pick(&["1", "2", "5", "-6", "12", "2.9", "\"3\""])],
            Wanted::Character => fixed![
                ", ",
                self.dice.pick(&["65", "\"abc\"", "97.9", "\"65\"", "\"1\" $1", "256", "8364", "\"x\" x", "48 + 1"])
            ],
        });
        let arguments = Node::list(arguments.collect());
        (fixed!["\"", text, "\""], arguments)
    }
}
