//! Whole random programs: rules, functions, separators, namespaces, several files.

use crate::constants::Flavour;
use crate::dialect::Dialect;
use crate::dice::Dice;
use crate::expressions::Writer;
use crate::inputs;
use crate::programs::Case;
use crate::switches::Switches;
use crate::tree::{Node, fixed, optional};

/// gawk accepts no constant as a pattern right after `@namespace`.
const NAMESPACE: &str = r#"@namespace "lib"
function sum(v, w) { total += v; return total + w }
function apply(fn, v) { return @fn(v) }
function count(name) { return ++seen[name] }
BEGIN { total = 1; seen["x"]; awk::shared = 2 }
END { print "lib", total, NR, length(seen), awk::shared; awk::dump("seen", seen) }
@namespace "awk"
function back() { return 1 }
"#;

pub fn whole(dice: &mut Dice, dialect: Dialect, switches: Switches) -> Case {
    let flavour = Flavour::roll(dice);
    let count = dice.below(9);
    let input = inputs::lines(dice, flavour, count);
    let operands = operands(dice);
    let mut writer = Writer::new(dice, String::new(), flavour, dialect);
    writer.paragraphs = writer.dice.once_in(12);
    let mut parts = Vec::new();
    let extended = dialect.has_extensions();
    if extended && writer.dice.once_in(4) {
        parts.push(fixed![NAMESPACE]);
        writer.namespaced = true;
    }
    for name in ["f", "g"] {
        if writer.dice.once_in(2) {
            parts.push(function(&mut writer, name));
            writer.functions.push(name);
        }
    }
    if writer.paragraphs || writer.dice.once_in(2) {
        let settings = settings(&mut writer);
        let statements = writer.statements(2, 1);
        parts.push(optional!["BEGIN { ", settings, statements, "}\n"]);
    }
    writer.may_read = true;
    if extended {
        files(&mut writer, &mut parts);
    }
    for _ in 0..1 + writer.dice.below(3) {
        parts.push(rule(&mut writer));
    }
    if extended && writer.dice.once_in(2) {
        parts.push(optional![
            "{ printf \"%d\", NF; for (e = 1; e <= NF && e < 30; e++) printf \"<%s>\", $e; print \"|\" RT \"|\" }\n"
        ]);
    }
    if extended && writer.dice.once_in(8) {
        parts.insert(0, fixed!["@load \"intdiv\"\n"]);
        let value = writer.any(1);
        parts.push(optional![
            "END { if (intdiv(",
            value,
            ", 1 + NR, res) == 0) walk(\"res\", res) }\n"
        ]);
    }
    let statements = writer.statements(2, 1);
    let show = writer.show();
    parts.push(optional!["END { ", statements, show, "}\n"]);
    let unterminated = writer.dice.once_in(6);
    Case {
        program: Node::list(parts),
        input,
        operands,
        unterminated,
        bytes: flavour.bytes,
        dialect,
        switches,
    }
}

/// None: standard input. The files `in1` and `in2` hold its halves.
fn operands(dice: &mut Dice) -> Vec<String> {
    let words = match dice.below(12) {
        0 => "in1 in2",
        1 => "in1 x=5 in2",
        2 => "OFMT=%.2g in1 OFS=- in2",
        3 => "in1 RS=a in2",
        4 => "in2 in1 in2 NR=100",
        _ => "",
    };
    words.split_whitespace().map(str::to_owned).collect()
}

fn rule(writer: &mut Writer) -> Node {
    let pattern = pattern(writer);
    let action = match writer.dice.below(5) {
        0 => fixed![""],
        _ => {
            let statements = writer.statements(3, 2);
            let jump = match writer.dice.below(10) {
                0 => optional!["if (NR % 3 == 1) next; "],
                1 => optional!["if (NR > 3) exit NR; "],
                2 => optional!["if (x > 5) exit; "],
                3 if writer.dialect.has_extensions() => optional!["if (FNR > 1) nextfile; "],
                _ => fixed![""],
            };
            fixed![" { ", statements, jump, "print NR; }"]
        }
    };
    // Without an action a pattern is required.
    let pattern =
        if action.text().is_empty() && pattern.text().is_empty() { fixed!["1"] } else { pattern };
    optional![pattern, action, "\n"]
}

fn files(writer: &mut Writer, parts: &mut Vec<Node>) {
    if writer.dice.once_in(3) {
        writer.may_read = false;
        let statements = writer.statements(1, 1);
        let jump = match writer.dice.below(4) {
            0 => optional!["if (ERRNO || ++starts == 2) nextfile; "],
            _ => fixed![""],
        };
        parts.push(optional![
            "BEGINFILE { print \"start\", FILENAME, FNR, NR, NF, $0; ",
            statements,
            jump,
            "}\n"
        ]);
        writer.may_read = true;
    }
    if writer.dice.once_in(3) {
        writer.may_read = false;
        let statements = writer.statements(1, 1);
        parts.push(optional![
            "ENDFILE { print \"end\", FILENAME, FNR, NR, NF, $0; ",
            statements,
            "}\n"
        ]);
        writer.may_read = true;
    }
}

fn function(writer: &mut Writer, name: &str) -> Node {
    let statements = writer.statements(2, 1);
    let value = writer.any(2);
    let value = writer.capped(value);
    let again = match writer.dice.below(3) {
        0 => optional![format!("if (level < 2) {{ level++; y = cap({name}(y, a)); level-- }}\n  ")],
        _ => fixed![""],
    };
    fixed![
        format!("function {name}(x, a,   y, b, i, j) {{\n  "),
        again,
        statements,
        "return ",
        value,
        "\n}\n"
    ]
}

fn settings(writer: &mut Writer) -> Node {
    let (folds, extended) = (writer.may_fold(), writer.dialect.has_extensions());
    let dice = &mut *writer.dice;
    if writer.paragraphs {
        return paragraphs(dice, extended);
    }
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
    let extended = match dice.below(3) {
        _ if !extended => "",
        0 if folds => dice.pick(&[
            "IGNORECASE = 1; ",
            "IGNORECASE = 1; RS = \"A\"; ",
            "IGNORECASE = 1; FS = \"B\"; ",
            "IGNORECASE = 1; RS = \"x|AB\"; ",
        ]),
        0 => "",
        _ => dice.pick(&[
            "",
            "FPAT = \"([^,]*)|(\\\"[^\\\"]+\\\")\"; ",
            "FPAT = \"[a-z]+\"; ",
            "FIELDWIDTHS = \"3 1:2 *\"; ",
            "FIELDWIDTHS = \"4 4 4\"; ",
            "RS = \"\\n\\n+\"; ",
            "RS = \"([0-9])|,\"; ",
            "RS = \"\\r?\\n\"; ",
            "RS = \"^a\"; ",
            "RS = \"^a|b\"; ",
            "RS = \"a$\"; ",
            "PROCINFO[\"sorted_in\"] = \"@ind_str_asc\"; ",
            "ARGV[ARGC++] = \"/dev/null\"; ",
            "ARGV[1] = \"\"; ",
        ]),
    };
    Node::list(vec![optional![pair], optional![more], optional![extended]])
}

/// RS is empty; the field separator is set once.
fn paragraphs(dice: &mut Dice, extended: bool) -> Node {
    let fields = match extended && dice.once_in(2) {
        true => dice.pick(&[
            "FIELDWIDTHS = \"2 2\"; ",
            "FPAT = \"[a-z]+\"; ",
            "FS = \"|\"; ",
            "FS = \"\\t\"; ",
        ]),
        false => dice.pick(&["", "", "FS = \",\"; ", "FS = \"a\"; ", "FS = \"1\"; "]),
    };
    fixed!["RS = \"\"; ", optional![fields]]
}

fn pattern(writer: &mut Writer) -> Node {
    match writer.dice.below(6) {
        0 => fixed![""],
        1 => {
            let regex = writer.pattern();
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
