//! A stable code for each message about a program: `RH0101`.
//!
//! Groups have two digits, messages in a group two more. A message is found by its words, so what
//! emits it need not know its code. Codes are published: a new message goes to the end of its group,
//! and one that is no longer emitted leaves an empty text.

use std::fmt;

/// The code of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MessageCode(u16);

impl MessageCode {
    /// The code of a message without its position; `None` for one that has none yet.
    ///
    /// ```
    /// use riverhawk_syntax::code::MessageCode;
    ///
    /// let code = MessageCode::of("cannot assign to an expression").unwrap();
    /// assert_eq!(code.to_string(), "RH0206");
    /// ```
    pub fn of(message: &str) -> Option<MessageCode> {
        let matching = all().filter(|(_, template)| matches(template, message));
        // The most specific: an error may contain another.
        matching.max_by_key(|(_, template)| template.replace("{}", "").len()).map(|(code, _)| code)
    }

    /// By its name: `RH0101`. `None` if there is no message with this code.
    pub fn from_name(name: &str) -> Option<MessageCode> {
        let digits = name.strip_prefix("RH").filter(|digits| digits.len() == 4)?;
        let code = MessageCode(digits.parse().ok()?);
        all().any(|(known, _)| known == code).then_some(code)
    }

    /// The words of its messages; `{}` stands for any text.
    pub fn template(self) -> &'static str {
        all().find(|(code, _)| *code == self).map_or("", |(_, template)| template)
    }

    /// The digits of it: 101 for `RH0101`.
    pub fn number(self) -> u16 {
        self.0
    }
}

impl fmt::Display for MessageCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RH{:04}", self.0)
    }
}

/// Messages of one kind.
struct Group {
    number: u16,
    title: &'static str,
    /// `{}` stands for any text.
    messages: &'static [&'static str],
}

/// Each code with the template of its messages.
pub fn all() -> impl Iterator<Item = (MessageCode, &'static str)> {
    GROUPS.iter().flat_map(|group| {
        let numbered = (group.number * 100 + 1..).zip(group.messages);
        numbered.filter(|(_, text)| !text.is_empty()).map(|(code, text)| (MessageCode(code), *text))
    })
}

/// The groups' numbers and titles.
pub fn groups() -> impl Iterator<Item = (u16, &'static str)> {
    GROUPS.iter().map(|group| (group.number, group.title))
}

fn matches(template: &str, message: &str) -> bool {
    let Some((before, last)) = template.rsplit_once("{}") else { return template == message };
    let mut parts = before.split("{}");
    let Some(mut rest) = message.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

const GROUPS: &[Group] = &[
    Group {
        number: 1,
        title: "Words and characters",
        messages: &[
            "unterminated string",
            "unterminated regexp",
            "invalid character {} in an expression",
            "invalid character '\\{}' in source code",
            "backslash not last character on line",
            "identifier `{}': namespace separator can only appear once in a qualified name",
            "qualified identifier `{}' is badly formed",
            "using reserved identifier `{}' as a namespace is not allowed",
            "using reserved identifier `{}' as second component of a qualified name is not allowed",
        ],
    },
    Group {
        number: 2,
        title: "Expressions",
        messages: &[
            "expected {}, found {}",
            "`$` cannot be applied to a list in parentheses",
            "comparisons cannot be chained: found {} after a comparison",
            "cannot assign a value to the result of a field post-increment expression",
            "cannot assign to an expression in parentheses",
            "cannot assign to an expression",
            "a typed regexp is always true: `@/{}/' is used as a condition",
            "a regexp takes no modifiers",
            "invalid regular expression /{}/: {} at character {}",
            "invalid regular expression /...(((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((",
        ],
    },
    Group {
        number: 3,
        title: "Statements",
        messages: &[
            "expected `}`, found the end of the program",
            "expected `}`, found {}",
            "`{}` is a keyword, not a variable",
            "`break' is not allowed outside a loop or switch",
            "`continue' is not allowed outside a loop",
            "the path \"{}\": {} at character {} is not an array index",
            "`{}' used in {} action",
            "non-redirected `getline' invalid inside `{}' rule",
            "`return' used outside function context",
            "duplicate case values in switch body: {}",
            "duplicate `default' detected in switch body",
        ],
    },
    Group {
        number: 4,
        title: "Rules and functions",
        messages: &[
            "{} blocks must have an action part",
            "unexpected `}`",
            "each rule must have a pattern or an action part",
            "function `{}': parameter #{}, `{}', duplicates parameter #{}",
            "function `{}': cannot use function name as parameter name",
            "function `{}': cannot use special variable `{}' as a function parameter",
            "function `{}': parameter `{}' cannot contain a namespace",
            "`{}' is a built-in function, it cannot be redefined",
            "function name `{}' previously defined",
            "`{}' is a function of the library, which this program calls",
            "function `{}' called with space between name and `(', or used as a variable or an array",
            "attempt to use non-function `{}' in function call",
            "cannot use special variable `{}' for indirect function call",
            "{} is invalid as number of arguments for {}",
            "{} third parameter is not a changeable object",
            "index: regexp constant as second argument is not allowed",
            "there is no function `{}`",
        ],
    },
    Group {
        number: 5,
        title: "Other files, and what is switched off",
        messages: &[
            "cannot open source file `{}' for reading: {}",
            "cannot {} source file `{}'{}: {}",
            "cannot include `{}' and use it as a program file",
            "`@include`, `@load` and `@namespace` are allowed only outside rules and functions",
            "cannot open shared library `{}' for reading: there are no shared libraries",
            "the extension `{}' is not available",
            "-l (--load) is a gawk extension",
            "namespace name `{}' must meet identifier naming rules",
            "multidimensional arrays are a gawk extension",
            "{}: {} argument is a gawk extension",
            "POSIX does not allow physical newlines in string values",
        ],
    },
    Group {
        number: 6,
        title: "Limits of a program",
        messages: &[
            "the time limit of {} is reached{}",
            "nested too deeply: more than {} levels",
            "function `{}' has more than {} parameters",
            "the expression needs too many registers",
        ],
    },
    Group {
        number: 7,
        title: "Warnings before the program runs",
        messages: &[
            "function `{}' called with more arguments than declared",
            "function `{}' is called but not defined",
            "`{}' is read as the program text, but there is a file of this name",
            "escape sequence `\\{}' treated as plain `{}'",
            "no hex digits in `\\x' escape sequence",
            "no hex digits in `\\{}' escape sequence",
            "invalid `\\u' escape sequence",
            "regexp escape sequence `\\{}' is not a known regexp operator",
            "`={}' assigns: it does not {} the variable",
            "assignment used as a pattern: it does not compare",
        ],
    },
    Group {
        number: 8,
        title: "Lint before the program runs",
        messages: &[
            "statement has no effect",
            "assignment used in conditional context",
            "regular expression on right of assignment",
            "regular expression on left of `~' or `!~' operator",
            "regular expression on right of comparison",
            "regexp constant for parameter #{} yields boolean value",
            "regexp constant `//' looks like a C++ comment, but is not",
            "regexp constant `{}' looks like a C comment, but is not",
            "tawk regex modifier `/.../{}' doesn't work in gawk",
            "hex escape \\x{} of {} characters probably not interpreted the way you expect",
            "POSIX does not allow `\\{}' escapes",
            "numeric constant `{}' treated as octal",
            "numeric constant `{}' treated as hexadecimal",
            "call of `length' without parentheses is not portable",
            "{}: string literal as last argument of substitute has no effect",
            "concatenation as I/O `>' redirection target is ambiguous",
            "plain `print' in BEGIN or END rule should probably be `print \"\"'",
            "non-redirected `getline' undefined inside {} action",
            "`delete(array)' is a non-portable tawk extension",
            "function `{}' defined but never called directly",
            "function `{}': parameter `{}' shadows global variable",
            "`goto' considered harmful!",
            "already loaded shared library `{}'",
            "`{}' is a gawk extension",
            "{} is a gawk extension",
            "indirect function calls are a gawk extension",
            "POSIX does not allow operator `**='",
            "POSIX does not allow `func'",
            "backslash string continuation is not portable",
            "source file does not end in newline",
            "source file `{}' is empty",
            "empty program text on command line",
            "already included source file `{}'",
            "POSIX does not allow operator `**'",
            "no program text at all!",
            "`allow({})' allows nothing",
            "`allow({})': there is no warning with this code",
            "`rhawk: {}' is not understood: write `# rhawk: allow(RH0101)'",
        ],
    },
    Group {
        number: 9,
        title: "Lint about other awks",
        messages: &[
            "{} is not portable: {}",
            "`{}' is only here: no other awk has it",
            "`{}' is not supported in old awk",
            "operator `{}' is not supported in old awk",
            "old awk does not support {}",
        ],
    },
    Group {
        number: 11,
        title: "Values, arrays and fields",
        messages: &[
            "division by zero in `{}'",
            "attempt to use the {}{} `{}' as {}",
            "attempt to use the scalar `{}' as an array",
            "attempt to use the special variable `{}' as an array",
            "attempt to use the {} `{}[\"{}\"]' as {}",
            "attempt to use the array parameter `{}' of `{}' as a scalar",
            "attempt to use array `{}' in a scalar context",
            "attempt to use array `SYMTAB[\"{}\"]' in a scalar context",
            "cannot assign to arbitrary elements of SYMTAB",
            "reference to uninitialized element `{}[\"{}\"] is not allowed'",
            "cannot assign to elements of FUNCTAB",
            "`delete' is not allowed with {}",
            "attempt to access field {}: field numbers start at 0",
            "field {} is past the limit of {} fields",
            "NF set to a negative value ({})",
            "invalid FIELDWIDTHS value, for field {}, near `{}'",
            "`*' must be the last designator in FIELDWIDTHS",
            "printf: no arguments",
            "sprintf: no arguments",
            "{}: called with less than two arguments",
            "{}: called with {} arguments, expecting at least {}",
            "{}: {} argument is not an array",
            "{}, none left for `{}' at character {}",
            "{}: an integer would have more than the limit of {} bits",
        ],
    },
    Group {
        number: 12,
        title: "Functions",
        messages: &[
            "function `{}' is not defined",
            "function calls are nested deeper than the limit of {}: does the recursion end?",
            "built-in functions that call functions are nested deeper than {}",
            "`{}' is not a function, so it cannot be called indirectly",
            "{}: can be called indirectly only with two arguments",
            "{}: called with {} arguments",
            "`{}' cannot be used in a function called from {}",
            "`exit' cannot be used in a function called from a built-in function",
            "sort comparison function `{}' is not defined",
            "{}: cannot use {}",
            "{}: first argument cannot be {} without a second argument",
            "{}: cannot use {} as {} argument",
            "out of memory: {}",
            "the limit of {} steps is reached{}",
            "the limit of {} records is reached{}",
            "cannot read {} any further: {}",
            "cannot read {} any further, after record {}: {}",
            "cannot {} {}: {}",
            "patsplit: third argument must be non-null",
            "argument index {} greater than total number of supplied arguments ({})",
            "argument index with `$' must be > 0",
            "must use `count$' on all formats or none",
            "no `$' supplied for positional field width or precision",
            "`{}' is not permitted in POSIX awk formats",
            "`$' is not permitted in awk formats",
            "width or precision in format over {}",
            "compl({}): negative value is not allowed",
            "{}: argument {} negative value {} is not allowed",
            "{}({}, {}): negative values are not allowed",
            "{}: `{}' is not a valid locale category",
            "close: the second argument must be `to' or `from', not `{}'",
            "{}: there is no {} \"{}\"; {}",
            "{}: \"{}\" is not an octal mode such as mode=644",
            "time::parse: there is no conversion \"{}\"{}",
            "sleep: cannot wait for {} seconds",
        ],
    },
    Group {
        number: 13,
        title: "Warnings while the program runs",
        messages: &[
            "log: received negative argument {}",
            "sqrt: received negative argument {}",
            "exp: argument {} is out of range",
            "fflush: `{}' is not an open file, pipe or co-process",
            "fflush: `{}' is open for reading, not writing",
            "gensub: third argument `{}' treated as 1",
            "asort/asorti: using the same array as source and destination without a third argument is silly.",
            "intdiv: {}",
            "{} value `{}' is invalid",
            "getline fails: {}; it returns -1, which is true, and the loop continues",
            "readall: unable to set {}",
        ],
    },
    Group {
        number: 14,
        title: "Lint while the program runs",
        messages: &[
            "reference to uninitialized {} `{}'",
            "reference to uninitialized element `{}'",
            "reference to uninitialized field `${}'",
            "subscript of array `{}' is null string",
            "delete: index `{}' not in array `{}'",
            "behavior of `for' loop on untyped variable is not defined by POSIX",
            "attempt to field reference from non-numeric value",
            "attempt to field reference from null string",
            "accessing fields from an END rule may not be portable",
            "decrementing NF is not portable to many awk versions",
            "{}: received non-numeric {}",
            "{}: received non-string {}",
            "`length(array)' is a gawk extension",
            "substr: start index {} is invalid, using 1",
            "substr: length {} is not >= 1",
            "substr: non-integer start index {} will be truncated",
            "substr: non-integer length {} will be truncated",
            "substr: source string is zero length",
            "substr: start index {} is past end of string",
            "substr: length {} at start index {} exceeds length of first argument ({})",
            "substr: length {} too big for string indexing, truncating to {}",
            "split: null string for third arg is a non-standard extension",
            "strftime: received empty format string",
            "strftime: second argument out of range for time_t",
            "strftime: format value in PROCINFO[\"strftime\"] has numeric type",
            "mktime: at least one of the values is out of the default range",
            "{}: argument {} is non-numeric",
            "{}({}, {}): too large shift value will give strange results",
            "{}({}, {}): fractional values will be truncated",
            "compl({}): fractional value will be truncated",
            "too many arguments supplied for format string",
            "{} ignored for `%%' specifier",
            "`{}' is meaningless in awk formats; ignored",
            "[s]printf: format specifier does not have control letter",
            "[s]printf: value {} is not a valid wide character",
            "%a format is POSIX standard but not portable to other awks",
            "printf/sprintf: received non-string format string argument",
            "bad `{}' specification `{}'",
            "`IGNORECASE' is a gawk extension",
            "multicharacter value of `RS' is a gawk extension",
            "null string for `FS' is a gawk extension",
            "BINMODE value `{}' is invalid, treated as 3",
            "turning off `--lint' due to assignment to `LINT'",
            "expression in `{}' redirection is a number",
            "filename `{}' for `{}' redirection may be result of logical expression",
            "unnecessary mixing of `>' and `>>' for file `{}'",
            "`{}' used for {} and {}",
            "close: `{}' is not an open file, pipe or co-process",
            "close: redirection `{}' not opened with `|&', second argument ignored",
            "no explicit close of {} `{}' provided",
            "failure status ({}) on {} close of `{}'",
            "data file `{}' is empty",
            "`{}' is not a variable name, looking for file `{}'",
            "reference to uninitialized {} `{}', which is an array elsewhere",
        ],
    },
    Group {
        number: 21,
        title: "Input",
        messages: &[
            "cannot open \"{}\" for reading: {}",
            "the operand {} is a directory: skipped",
            "the name that getline reads from is empty",
            "{} bytes of {} data became more than {}, over the limit for decompression",
            "operand \"{}\": {}",
            "identifier {}: namespace separator is two colons, not one",
        ],
    },
    Group {
        number: 22,
        title: "Output",
        messages: &[
            "the name that output is redirected to is empty",
            "cannot start {}: {}",
            "`/magic/mirror' cannot be written: its end \"to\" was closed",
            "`/magic/mirror' cannot be read: its end \"from\" was closed",
            "{}: cannot encode U+{} (byte {} of the text)",
            "{} is not a regular file: not edited in place",
            "{}; the file is unchanged",
            "{} has been replaced: reading the new file",
            "{} has been truncated: reading it from its beginning",
            "{} has been removed: waiting for a new file of that name",
            "{} is no longer a regular file: waiting for a new one",
            "in place: {} edited, {} unchanged, {} failed",
            "fork: not allowed while files are edited in place: both processes would replace them",
            "fork: not allowed while other threads run: `{}'",
        ],
    },
    Group {
        number: 23,
        title: "Tables",
        messages: &[
            "the program names the column \"{}\": add -H (--header) to read names, or --jsonl or --json if the input is JSON",
            "{} has no column \"{}\"; {}",
            "{} has no column \"{}\": {}",
            "FIELDS[{}] is not the next column: {} has {}",
            "field {} has no name in the header that was written: assign it as @\"name\", or name it in BEGIN with FIELDS[{}] = \"name\"",
            "{}the row has {} fields and the header {} columns, and the program adds, deletes or moves columns: {}",
            "{} has a column \"{}\", which is not in the header that was written: print the columns by their names",
            "the header has {}, but another print of the program writes {}",
            "no header has been read yet, so there is no column \"{}\"",
            "{}: columns {} and {} are both named \"{}\"; the second is \"{}\" here",
            "integer {} is {} as the double {}; --exact-integers keeps every digit",
            "assignment to {} has no effect when using {}",
            "{}: JSON Lines, line {}, column {}: {}{}",
            "the path \"{}\" matches nothing in any record",
            "the record has a member \"{}\", which is not in the header that was written: print the columns by their names",
            "there is no array to append to",
            "JSON, column {}: {}",
            "the JSON record has no member {} to assign: name it, as in @\"name\"",
            "NF cannot add a member to a JSON object: assign it by name, as in @\"name\"",
            "a JSON record that is no object and no array cannot have {} members",
            "there is no object to hold a member \"{}\"",
            "{} elements are more than the {} that NF can add to an array",
            "element {} cannot be created in a new array",
            "the array has {} elements: element {} cannot be made",
            "there is no array to hold an element {}",
            "{}: record {}, column {} is missing: it has {}, not {}",
            "{}: record {}, column {} is one too many: it has {}, not {}",
            "{}, column {}, byte {}: a quote that is never closed",
            "{}, column {}, byte {}: text after a closing quote",
            "{} too few columns, the first in {}",
            "{} too many columns, the first in {}",
            "{} a quote that is never closed, the first in {}",
            "{} text after a closing quote, the first in {}",
            "{}: JSON, line {}, column {}: {}",
        ],
    },
    Group {
        number: 24,
        title: "Permissions",
        messages: &[
            "'system' function not allowed in sandbox mode",
            "redirection not allowed in sandbox mode",
            "{} not allowed in sandbox mode",
            "cannot add a new file ({}) to ARGV in sandbox mode",
            "the sandbox does not allow {}: {} allows it",
            "editing files in place not allowed in sandbox mode",
        ],
    },
    Group {
        number: 25,
        title: "Embedding and limits of a run",
        messages: &[
            "the run was cancelled",
            "the run has no permission for {}",
            "the progress callback panicked: {}",
            "a host function has this name",
            "the program was compiled with {} host functions; this run has {}",
            "{} needs the file system, which this run does not use",
            "a memory limit needs the allocator riverhawk_memory::Checked, which counts what is held",
            "cannot limit the time: {}",
            "the limit of {} bytes for all output is reached",
        ],
    },
    Group {
        number: 26,
        title: "Tests",
        messages: &["assertion failed: {}", "there is no function `{}' to test"],
    },
];
