//! Random calls of the functions that every awk has.

use crate::expressions::{PRIMARY, Writer};
use crate::formats::{self, Wanted};
use crate::tree::{Node, expression, fixed};

impl Writer<'_> {
    pub fn call(&mut self, depth: usize) -> Node {
        // Both keep bytes that are not a character, a stated divergence.
        let kept = [3, 4, 5, 18, 19];
        match self.dice.below(24) {
            number if kept.contains(&number) && self.flavour.raw && !self.flavour.bytes => {
                self.leaf()
            }
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
                // --posix and --traditional refuse the fourth argument, gawk only when it is
                // reached.
                match self.dice.below(if self.dialect.is_whole() { 4 } else { 3 }) {
                    0 => expression!["split(", text, ", ", array, ")"],
                    1 => {
                        // A lone /^/ makes gawk 5.2.1 lose the first character.
                        let pattern = self.solid_pattern();
                        expression!["split(", text, ", ", array, ", /", pattern, "/)"]
                    }
                    2 => {
                        let separator = self
                            .dice
                            .pick(&[" ", ",", "", ":", "a", "\\t", ".", "|", "  ", "[ ]", "\\\\"]);
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
                let (pattern, replacement) = (self.replaced_operand(), self.replacement());
                if self.dice.once_in(4) {
                    return expression![name, "(", pattern, ", ", replacement, ")"];
                }
                let target = self.target(depth);
                expression![name, "(", pattern, ", ", replacement, ", ", target, ")"]
            }
            13 | 14 => {
                let (text, pattern) = (self.any(depth), self.regex_operand());
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

    /// Start and length: around the ends and fractions. Beyond 2^63 gawk's answer depends on its
    /// machine.
    fn position(&mut self, depth: usize) -> Node {
        match self.dice.below(3) {
            0 => fixed![self.dice.pick(&[
                "0", "1", "2", "-1", "0.5", "1.5", "2.5", "-0.5", "1e9", "-1e9", "1e18", "\"2x\""
            ])],
            1 => expression!["length($0) - 1"],
            _ => {
                let value = self.any(depth);
                expression!["(", value, ") % 7"]
            }
        }
    }

    pub fn replacement(&mut self) -> Node {
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

    pub fn format(&mut self, depth: usize) -> (Node, Node) {
        let (text, wanted) = formats::format(self.dice, self.dialect, self.flavour);
        let arguments = wanted.into_iter().map(|wanted| match wanted {
            Wanted::Anything => {
                let value = self.listed(depth);
                fixed![", ", value]
            }
            Wanted::Width => {
                fixed![", ", self.dice.pick(&["0", "1", "5", "-6", "12", "2.9", "\"3\""])]
            }
            Wanted::Precision => {
                fixed![", ", self.dice.pick(&["1", "2", "5", "-6", "12", "2.9", "\"3\""])]
            }
            Wanted::ByteCharacter => {
                fixed![
                    ", ",
                    self.dice.pick(&["65", "\"abc\"", "97.9", "\"65\"", "48 + 1", "0", "\"\""])
                ]
            }
            Wanted::Character => fixed![
                ", ",
                self.dice.pick(&[
                    "65", "\"abc\"", "97.9", "\"65\"", "\"1\" $1", "256", "8364", "\"x\" x",
                    "48 + 1"
                ])
            ],
        });
        let arguments = Node::list(arguments.collect());
        (fixed!["\"", text, "\""], arguments)
    }
}
