// AWK as rhawk reads it. It takes all that rhawk takes, and some more: what is wrong is for the language server to say.
//
// Expressions come in two sorts, as in POSIX's grammar: those that begin with `+`, `-` or a regexp cannot be the right
// side of a concatenation (`a -1` subtracts, `a /b/` divides); `plain` ones can. And each sort exists twice: in the list
// of a print, `>` and `|` redirect.

const PREC = {
    assign: 1,
    conditional: 2,
    or: 3,
    and: 4,
    in: 5,
    match: 6,
    compare: 7,
    concatenate: 8,
    file: 9,
    add: 10,
    multiply: 11,
    unary: 12,
    power: 13,
    step: 15,
    field: 16,
};

// They may be called with a blank before the parenthesis; `length` also without one.
const BUILT_IN = [
    "atan2", "close", "cos", "exp", "fflush", "gsub", "index", "int", "length", "log", "match", "rand", "sin", "split", "sprintf",
    "sqrt", "srand", "sub", "substr", "system", "tolower", "toupper",
];
// What gawk adds. Where a variable has such a name it is one.
const GAWKS = [
    "and", "asort", "asorti", "bindtextdomain", "compl", "dcgettext", "dcngettext", "gensub", "isarray", "lshift", "mkbool", "mktime",
    "or", "patsplit", "rshift", "strftime", "strtonum", "systime", "typeof", "xor",
];

const newlines = ($) => repeat($._newline);
const listOf = ($, item) => seq(item, repeat(seq(",", newlines($), item)));

/** The rules of expressions: where `>` and `|` are operators, or in the list of a print. */
function expressions(prefix, redirects) {
    const plain = `_${prefix}plain`;
    const other = `_${prefix}signed`;
    const any = ($) => choice($[plain], $[other]);

    const infix = ($, left) => {
        const binary = (associate, level, operators, between = []) =>
            associate(level, seq(field("left", left), field("operator", operators), ...between, field("right", any($))));
        const compared = redirects ? ["<", "<=", "==", "!=", ">="] : ["<", "<=", "==", "!=", ">", ">="];
        return choice(
            binary(prec.left, PREC.or, "||", [newlines($)]),
            binary(prec.left, PREC.and, "&&", [newlines($)]),
            binary(prec.left, PREC.match, choice("~", "!~")),
            binary(prec.left, PREC.compare, choice(...compared)),
            binary(prec.left, PREC.add, choice("+", "-")),
            binary(prec.left, PREC.multiply, choice("*", "/", "%")),
            binary(prec.right, PREC.power, choice("^", "**")),
        );
    };
    const conditional = ($, condition) =>
        prec.right(
            PREC.conditional,
            seq(
                field("condition", condition),
                "?",
                newlines($),
                field("yes", any($)),
                ":",
                newlines($),
                field("no", any($)),
            ),
        );
    const member = ($, left) => prec.left(PREC.in, seq(field("left", left), "in", field("array", $._array)));
    const concatenation = ($, left) => prec.left(PREC.concatenate, seq(field("left", left), field("right", choice($[plain], alias($._equals_regex, $.regex)))));
    const piped = ($, command) =>
        prec.right(
            PREC.concatenate,
            seq(field("command", command), choice("|", "|&"), "getline", optional(field("target", $._variable))),
        );

    const rules = {};
    const sorted = (name, node, make, more) => {
        for (const sort of [plain, other]) rules[`${sort}_${name}`] = ($) => make($, $[sort]);
        more.push([name, node]);
    };
    const infixes = [];
    sorted("infix", "binary_expression", infix, infixes);
    sorted("conditional", "conditional_expression", conditional, infixes);
    sorted("member", "in_expression", member, infixes);
    sorted("concatenation", "concatenation", concatenation, infixes);
    if (!redirects) sorted("piped", "getline_expression", piped, infixes);
    const after = ($, sort) => infixes.map(([name, node]) => alias($[`${sort}_${name}`], $[node]));

    rules[`_${prefix}assignment`] = ($) =>
        prec.right(
            PREC.assign,
            seq(
                field("left", $._variable),
                field("operator", choice("=", "+=", "-=", "*=", alias($._divide_assign, "/="), "%=", "^=", "**=")),
                field("right", any($)),
            ),
        );
    rules[`_${prefix}not`] = ($) => prec(PREC.unary, seq(field("operator", "!"), field("operand", any($))));
    rules[`_${prefix}sign`] = ($) =>
        prec(PREC.unary, seq(field("operator", choice("+", "-")), field("operand", any($))));
    rules[`_${prefix}getline`] = ($) =>
        prec.right(
            PREC.file,
            seq("getline", optional(field("target", $._variable)), optional(seq("<", field("file", any($))))),
        );

    rules[plain] = ($) =>
        choice(
            $._operand,
            alias($[`_${prefix}assignment`], $.assignment),
            alias($[`_${prefix}not`], $.unary_expression),
            alias($[`_${prefix}getline`], $.getline_expression),
            ...after($, plain),
        );
    rules[other] = ($) =>
        choice($.regex, alias($[`_${prefix}sign`], $.unary_expression), ...after($, other));
    return rules;
}

const expression = ($) => choice($._plain, $._signed);
const printedBy = ($) => [
    optional(choice(field("arguments", alias($._print_list, $.arguments)), $._list)),
    optional(seq(choice(">", ">>", "|", "|&"), field("target", expression($)))),
];
const printed = ($) => choice($._print_plain, $._print_signed);

module.exports = grammar({
    name: "rhawk",

    externals: ($) => [$.regex, $._end_of_block, $._divide_assign, $._equals_regex, $._error],
    extras: ($) => [/[ \t\r]/, /\\\r?\n/, $.comment],
    word: ($) => $.identifier,
    conflicts: ($) => [[$.for_in_statement, $._variable]],

    rules: {
        program: ($) => repeat(choice($._item, $._newline, ";")),

        _item: ($) => choice($.directive, $.function_definition, $.rule),

        directive: ($) => seq("@", field("kind", choice("include", "load", "namespace")), field("name", $.string)),

        function_definition: ($) =>
            seq(
                choice("function", "func"),
                field("name", $._name),
                "(",
                optional(field("parameters", $.parameters)),
                ")",
                newlines($),
                field("body", $.block),
            ),
        parameters: ($) => listOf($, $._name),

        rule: ($) =>
            choice(
                seq(field("pattern", choice("BEGIN", "END", "BEGINFILE", "ENDFILE")), field("action", $.block)),
                prec.right(seq(field("pattern", choice(expression($), $.range)), optional(field("action", $.block)))),
                field("action", $.block),
            ),
        range: ($) => seq(field("from", expression($)), ",", newlines($), field("to", expression($))),

        // A statement takes the ends of lines after it, so that an `else` is the next token.
        block: ($) => seq("{", newlines($), repeat($._statement), "}"),
        _statement: ($) =>
            choice(
                seq($._simple_statement, $._end),
                alias(";", $.empty_statement),
                seq(alias(";", $.empty_statement), repeat1($._newline)),
                seq($.block, newlines($)),
                $.if_statement,
                $.while_statement,
                $.do_statement,
                $.for_statement,
                $.for_in_statement,
                $.switch_statement,
            ),
        _end: ($) => choice(seq(choice(";", $._newline), newlines($)), $._end_of_block),

        _simple_statement: ($) =>
            choice(
                $.print_statement,
                $.printf_statement,
                $.delete_statement,
                $.break_statement,
                $.continue_statement,
                $.next_statement,
                $.nextfile_statement,
                $.exit_statement,
                $.return_statement,
                expression($),
            ),

        if_statement: ($) =>
            prec.right(
                seq(
                    "if",
                    $._condition,
                    newlines($),
                    field("then", $._statement),
                    optional(seq("else", newlines($), field("else", $._statement))),
                ),
            ),
        _condition: ($) => seq("(", field("condition", expression($)), ")"),
        while_statement: ($) => seq("while", $._condition, newlines($), field("body", $._statement)),
        do_statement: ($) =>
            seq("do", newlines($), field("body", $._statement), "while", $._condition, $._end),
        for_statement: ($) =>
            seq(
                "for",
                "(",
                optional(field("first", $._simple_statement)),
                ";",
                newlines($),
                optional(field("condition", expression($))),
                ";",
                newlines($),
                optional(field("step", $._simple_statement)),
                ")",
                newlines($),
                field("body", $._statement),
            ),
        for_in_statement: ($) =>
            seq(
                "for",
                "(",
                field("key", $._name),
                "in",
                field("array", $._array),
                ")",
                newlines($),
                field("body", $._statement),
            ),
        switch_statement: ($) =>
            seq("switch", $._condition, newlines($), "{", newlines($), repeat($.case), "}", newlines($)),
        case: ($) =>
            seq(
                choice(seq("case", field("value", choice($.number, $.string, $.regex, $.typed_regex, $.signed_number))), "default"),
                ":",
                newlines($),
                repeat($._statement),
            ),
        signed_number: ($) => seq(choice("+", "-"), $.number),

        print_statement: ($) => seq("print", ...printedBy($)),
        printf_statement: ($) => seq("printf", ...printedBy($)),
        _print_list: ($) => listOf($, printed($)),
        // `(a, b)`: keys, or all that a print has.
        _list: ($) => seq("(", expression($), repeat1(seq(",", newlines($), expression($))), ")"),

        delete_statement: ($) => seq("delete", choice($._array, seq("(", $._name, ")"), $.column)),
        break_statement: ($) => "break",
        continue_statement: ($) => "continue",
        next_statement: ($) => "next",
        nextfile_statement: ($) => "nextfile",
        exit_statement: ($) => seq("exit", optional(expression($))),
        return_statement: ($) => seq("return", optional(expression($))),

        ...expressions("", false),
        ...expressions("print_", true),

        _operand: ($) =>
            choice(
                $.number,
                $.string,
                $.typed_regex,
                $.group,
                alias($._keys_in, $.in_expression),
                $.function_call,
                $.indirect_call,
                $.prefix_expression,
                $.postfix_expression,
                $._variable,
            ),
        group: ($) => seq("(", expression($), ")"),
        _keys_in: ($) => prec(PREC.in, seq($._list, "in", field("array", $._array))),

        _variable: ($) => choice($._name, $.element, $.field, $.column),
        _array: ($) => choice($._name, $.element),
        element: ($) => seq(field("array", $._array), "[", field("keys", alias($._key_list, $.arguments)), "]"),
        _key_list: ($) => listOf($, expression($)),
        column: ($) => seq("@", $.string),
        field: ($) =>
            prec(
                PREC.field,
                seq(
                    "$",
                    choice($._operand, $.regex, alias($._field_sign, $.unary_expression)),
                ),
            ),
        _field_sign: ($) => prec(PREC.field, seq(choice("+", "-", "!"), choice($._operand, $.regex, alias($._field_sign, $.unary_expression)))),
        prefix_expression: ($) => prec(PREC.step, seq(field("operator", choice("++", "--")), field("operand", $._variable))),
        postfix_expression: ($) =>
            prec(PREC.field + 1, seq(field("operand", $._variable), field("operator", choice("++", "--")))),

        function_call: ($) =>
            choice(
                seq(field("name", $.identifier), token.immediate(prec(1, "(")), optional(field("arguments", $.arguments)), ")"),
                prec(2, seq(field("name", $.built_in), choice("(", token.immediate(prec(1, "("))), optional(field("arguments", $.arguments)), ")")),
                prec(1, field("name", alias("length", $.built_in))),
            ),
        built_in: ($) => choice(...BUILT_IN, ...GAWKS),
        _name: ($) => choice($.identifier, alias($._gawks, $.identifier)),
        _gawks: ($) => prec(-1, choice(...GAWKS)),
        arguments: ($) => listOf($, expression($)),
        indirect_call: ($) =>
            seq("@", field("name", $._name), token.immediate(prec(1, "(")), optional(field("arguments", $.arguments)), ")"),

        typed_regex: ($) => seq("@", $.regex),
        number: ($) => token(choice(/0[xX][0-9a-fA-F]+/, /(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/)),
        // With `_` it can be translated.
        string: ($) => token(seq(optional("_"), '"', repeat(choice(/[^"\\\n]/, /\\\r?\n/, /\\[^\r\n]/, /\\\r/)), '"')),
        identifier: ($) => /[A-Za-z_][A-Za-z0-9_]*(?:::[A-Za-z_][A-Za-z0-9_]*)?/,
        comment: ($) => token(/#[^\n]*/),
        _newline: ($) => /\r?\n/,
    },
});
