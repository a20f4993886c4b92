//! The option table, from which the parser, help, man page and completions are generated.

use riverhawk::engine::PASSES;

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Opt {
    /// For the parser.
    pub id: Id,
    /// The letter after one dash.
    pub short: Option<char>,
    /// The word after two dashes.
    pub long: &'static str,
    /// What the option takes; `None` for a flag.
    pub argument: Option<Argument>,
    /// Where `--help` lists it.
    pub group: Group,
    /// For `--help` and completions: one line without a full stop, at most 60 characters.
    pub help: &'static str,
    /// For the man page: whole sentences, may be empty.
    pub detail: &'static str,
}

impl Opt {
    /// The environment variable for the option, used by test suites.
    pub fn variable(&self) -> Option<String> {
        let name = || format!("RHAWK_{}", self.long.replace('-', "_").to_uppercase());
        matches!(self.group, Group::Specialiser).then(name)
    }
}

/// Identifies an option to the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Id {
    /// `-F`
    FieldSeparator,
    /// `-v`
    Assign,
    /// `-f`
    File,
    /// `-e`
    Source,
    /// `-b`
    CharactersAsBytes,
    /// `--graphemes`
    Graphemes,
    /// `--library`
    Library,
    /// `--encoding`
    Encoding,
    /// `--output-encoding`
    OutputEncoding,
    /// `--line-ending`
    LineEnding,
    /// `--csv`
    Csv,
    /// `--tsv`
    Tsv,
    /// `--jsonl`
    Jsonl,
    /// `--json`
    Json,
    /// `--edit`
    Edit,
    /// `--output-jsonl`
    OutputJsonl,
    /// `--output-json`
    OutputJson,
    /// `--csv-separator`
    CsvSeparator,
    /// `--output-csv`
    OutputCsv,
    /// `--output-tsv`
    OutputTsv,
    /// `--output-separator`
    OutputSeparator,
    /// `--output-table`
    OutputTable,
    /// `--output-markdown`
    OutputMarkdown,
    /// `--output-html`
    OutputHtml,
    /// `-H`
    Header,
    /// `--keep-header`
    KeepHeader,
    /// `--strict`
    Strict,
    /// `-c`
    Traditional,
    /// `-C`
    Copyright,
    /// `-E`
    Exec,
    /// `-g`
    GenPot,
    /// `-l`
    Load,
    /// `-N`
    UseLcNumeric,
    /// `-M`
    Bignum,
    /// `--exact-integers`
    ExactIntegers,
    /// `-n`
    NonDecimalData,
    /// `-O`
    Optimize,
    /// `-P`
    Posix,
    /// `-r`
    ReInterval,
    /// `-s`
    NoOptimize,
    /// `-o`
    PrettyPrint,
    /// `--format`
    Format,
    /// `--lsp`
    Lsp,
    /// `--dap`
    Dap,
    /// `--check`
    Check,
    /// `--fix`
    Fix,
    /// `--test`
    Test,
    /// `--test-only`
    TestOnly,
    /// `--coverage`
    Coverage,
    /// `-d`
    DumpVariables,
    /// `-I`
    Trace,
    /// `-p`
    Profile,
    /// `-L`
    Lint,
    /// `-t`
    LintOld,
    /// `-S`
    Sandbox,
    /// `-D`
    Debug,
    /// `--strip-bom`
    StripBom,
    /// `--no-decompress`
    NoDecompress,
    /// `--memory-limit`
    MemoryLimit,
    /// `--timeout`
    Timeout,
    /// `--max-record`
    MaxRecord,
    /// `--max-output`
    MaxOutput,
    /// `--max-steps`
    MaxSteps,
    /// `--max-records`
    MaxRecords,
    /// `--decompress-limit`
    DecompressLimit,
    /// `--compress-output`
    CompressOutput,
    /// `--in-place`
    InPlace,
    /// `--allow-empty`
    AllowEmpty,
    /// `--diff`
    Diff,
    /// `--dry-run`
    DryRun,
    /// `--follow`
    Follow,
    /// `-i`
    Include,
    /// `-h`
    Help,
    /// `-V`
    Version,
    /// `--message-format`
    MessageFormat,
    /// `--color`
    Color,
    /// `--dump`
    Dump,
    /// `--stats`
    Stats,
    /// `--window-size`
    WindowSize,
    /// `-j`
    Jobs,
    /// `--piece-size`
    PieceSize,
    /// `--relaxed-sums`
    RelaxedSums,
    /// `--explain`
    Explain,
    /// `--progress`
    Progress,
    /// `--no-jit`
    NoJit,
    /// `--no-osr`
    NoOsr,
    /// `--no-inline`
    NoInline,
    /// `--no-pass`
    NoPass,
    /// `--inline-log`
    InlineLog,
    /// `--perf-map`
    PerfMap,
    /// `--jitdump`
    Jitdump,
    /// `--spesh-log`
    SpeshLog,
    /// `--pool-log`
    PoolLog,
    /// `--spesh-blocking`
    SpeshBlocking,
    /// `--spesh-nodelay`
    SpeshNodelay,
    /// `--spesh-limit`
    SpeshLimit,
    /// `--spesh-buffer`
    SpeshBuffer,
}

/// What an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// In help.
    pub name: &'static str,
    /// Its form.
    pub kind: ArgumentKind,
    /// It may be missing; otherwise it is in the same word: `-ofile`, `--pretty-print=file`.
    pub optional: bool,
}

/// Forms of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// Any text.
    Text,
    /// The name of a file.
    File,
    /// A whole number.
    Number,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// The name of an encoding.
    Encoding,
    /// The name of an extension, as `@load` takes it.
    Extension,
    /// The name of an awk source file, or `inplace`.
    Library,
    /// The name of a file, with an optional format before it.
    Profile,
    /// A part of the manual.
    Topic,
}

/// A heading in help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// In every awk.
    Posix,
    /// As in gawk.
    Gawk,
    /// Characters and encodings; not in gawk.
    Text,
    /// CSV and its like.
    Table,
    /// Compressed and edited files.
    Files,
    /// Several cores; not in gawk.
    Parallel,
    /// The specialiser; not in gawk.
    Specialiser,
    /// Messages to the user.
    Messages,
    /// Not in gawk.
    Own,
}

impl Group {
    /// In the order of help.
    pub const ALL: [Group; 9] = [
        Group::Posix,
        Group::Gawk,
        Group::Text,
        Group::Table,
        Group::Files,
        Group::Parallel,
        Group::Messages,
        Group::Specialiser,
        Group::Own,
    ];

    /// The heading.
    pub fn title(self) -> &'static str {
        match self {
            Group::Posix => "POSIX options",
            Group::Gawk => "Options as in gawk",
            Group::Text => "Encodings and characters",
            Group::Table => "Tables",
            Group::Files => "Files: compressed, edited, followed",
            Group::Parallel => "Several cores",
            Group::Specialiser => "Specialiser and machine code",
            Group::Messages => "Messages",
            Group::Own => "Looking inside",
        }
    }
}

const fn argument(name: &'static str, kind: ArgumentKind) -> Option<Argument> {
    Some(Argument { name, kind, optional: false })
}

const fn optional(name: &'static str, kind: ArgumentKind) -> Option<Argument> {
    Some(Argument { name, kind, optional: true })
}

/// In the order of help.
pub const OPTIONS: &[Opt] = &[
    Opt {
        id: Id::FieldSeparator,
        short: Some('F'),
        long: "field-separator",
        argument: argument("fs", ArgumentKind::Text),
        group: Group::Posix,
        help: "separate fields by fs (sets FS)",
        detail: "The same as -v FS=fs; the last one given wins. A single space, the default, separates by runs of blanks; any other \
                 single character separates by itself; anything longer is a regular expression. Escape sequences such as \\t work. As \
                 in gawk, -Ft means the letter t.",
    },
    Opt {
        id: Id::Assign,
        short: Some('v'),
        long: "assign",
        argument: argument("var=value", ArgumentKind::Text),
        group: Group::Posix,
        help: "set a variable before the program starts",
        detail: "Escape sequences in the value work. The variable is set before BEGIN runs, unlike with an operand of this form. May be \
                 given many times.",
    },
    Opt {
        id: Id::File,
        short: Some('f'),
        long: "file",
        argument: argument("progfile", ArgumentKind::File),
        group: Group::Posix,
        help: "read program text from a file (- is standard input)",
        detail: "May be given many times and mixed with -e: the texts are joined in order.",
    },
    Opt {
        id: Id::Source,
        short: Some('e'),
        long: "source",
        argument: argument("text", ArgumentKind::Text),
        group: Group::Gawk,
        help: "use text as program text; may be mixed with -f",
        detail: "",
    },
    Opt {
        id: Id::Sandbox,
        short: Some('S'),
        long: "sandbox",
        argument: None,
        group: Group::Gawk,
        help: "allow only reading the operands and printing; =list adds",
        detail: "Commands, connections, writing files and reading any file but the operands are refused: system, redirections, getline \
                 from a name, the functions of the namespace file and new files in ARGV are errors. On Linux the kernel enforces it too \
                 (Landlock), if it is new enough. --sandbox=read:/data,write:/tmp/out,exec:none,net:none lists what to allow in \
                 addition: files and folders to read and to write (a path, all or none; may be repeated), commands and connections (all \
                 or none). What the list does not name is refused. Commands that the program starts are held to the same list.",
    },
    Opt {
        id: Id::LintOld,
        short: Some('t'),
        long: "lint-old",
        argument: None,
        group: Group::Gawk,
        help: "warn about what the awk of 1979 lacks",
        detail: "",
    },
    Opt {
        id: Id::CharactersAsBytes,
        short: Some('b'),
        long: "characters-as-bytes",
        argument: None,
        group: Group::Gawk,
        help: "treat every byte as a character",
        detail: "A C or POSIX locale that is set explicitly, or one with a character set other than UTF-8, does the same.",
    },
    Opt {
        id: Id::Traditional,
        short: Some('c'),
        long: "traditional",
        argument: None,
        group: Group::Gawk,
        help: "turn off gawk's extensions",
        detail: "Keywords and functions that only gawk has are ordinary names, and variables that only gawk has are ordinary variables. \
                 RS is one character; regular expressions have no \\y, \\<, \\s and similar; no output file has a special name. -Ft \
                 means a tab.",
    },
    Opt {
        id: Id::Copyright,
        short: Some('C'),
        long: "copyright",
        argument: None,
        group: Group::Gawk,
        help: "print the licence and exit",
        detail: "",
    },
    Opt {
        id: Id::DumpVariables,
        short: Some('d'),
        long: "dump-variables",
        argument: optional("file", ArgumentKind::File),
        group: Group::Gawk,
        help: "list the global variables when the program ends",
        detail: "The list is sorted by name and written to the file, or to awkvars.out; - is standard output.",
    },
    Opt {
        id: Id::Debug,
        short: Some('D'),
        long: "debug",
        argument: optional("file", ArgumentKind::File),
        group: Group::Gawk,
        help: "run the program under the debugger",
        detail: "Commands come from the terminal, with line editing, or from standard input; commands in the file, if given, run first. \
                 The commands are gawk's; the command help lists them.",
    },
    Opt {
        id: Id::Exec,
        short: Some('E'),
        long: "exec",
        argument: argument("progfile", ArgumentKind::File),
        group: Group::Gawk,
        help: "as -f, but ends the options; operands are files",
        detail: "For scripts that begin with #!: the rest of the command line belongs to the program, and no operand sets a variable.",
    },
    Opt {
        id: Id::GenPot,
        short: Some('g'),
        long: "gen-pot",
        argument: None,
        group: Group::Gawk,
        help: "print the translatable texts as a .pot file; do not run",
        detail: "These are the strings written _\"...\" and the texts of dcgettext and dcngettext.",
    },
    Opt {
        id: Id::Trace,
        short: Some('I'),
        long: "trace",
        argument: None,
        group: Group::Gawk,
        help: "print each statement to standard error before it runs",
        detail: "",
    },
    Opt {
        id: Id::Lint,
        short: Some('L'),
        long: "lint",
        argument: optional(
            "kind",
            ArgumentKind::Choice(&["fatal", "invalid", "no-ext", "portable", "off"]),
        ),
        group: Group::Gawk,
        help: "warn about dubious code and extensions",
        detail: "fatal makes the first warning an error, with status 2. no-ext does not warn about extensions. invalid is accepted and \
                 changes nothing. portable also warns about what other awks lack, and names them: mawk, onetrue-awk, busybox. off \
                 silences the warnings that gawk does not give by default.",
    },
    Opt {
        id: Id::Load,
        short: Some('l'),
        long: "load",
        argument: argument("name", ArgumentKind::Extension),
        group: Group::Gawk,
        help: "load an extension, as @load does",
        detail: "The extensions have gawk's names and are built in; shared libraries cannot be loaded. A program text is still \
                 required.",
    },
    Opt {
        id: Id::UseLcNumeric,
        short: Some('N'),
        long: "use-lc-numeric",
        argument: None,
        group: Group::Gawk,
        help: "read and write numbers with the locale's decimal point",
        detail: "The locale is the value of LC_ALL, LC_NUMERIC or LANG. Only its name counts: it need not be installed. Where the \
                 decimal point is a comma, periods group digits. Program text and JSON always use a period. --posix has the same \
                 effect.",
    },
    Opt {
        id: Id::Bignum,
        short: Some('M'),
        long: "bignum",
        argument: None,
        group: Group::Gawk,
        help: "arithmetic of arbitrary precision",
        detail: "Integers are exact at any size. Other numbers have PREC bits (by default 53) and are rounded according to ROUNDMODE.",
    },
    Opt {
        id: Id::ExactIntegers,
        short: None,
        long: "exact-integers",
        argument: None,
        group: Group::Own,
        help: "exact integers of any size; other numbers are doubles",
        detail: "+ - * % ^ ++ and --, comparisons, int, %d and subscripts keep every digit of an integer, so 64-bit identifiers stay \
                 exact. Numbers with a fraction, a point or an exponent are doubles, and so is a quotient that is not an integer. \
                 --jsonl implies it.",
    },
    Opt {
        id: Id::NonDecimalData,
        short: Some('n'),
        long: "non-decimal-data",
        argument: None,
        group: Group::Gawk,
        help: "read octal and hexadecimal numbers in input",
        detail: "011 in the input is then nine and 0x11 seventeen, as they always are in program text. strtonum accepts them without \
                 this option.",
    },
    Opt {
        id: Id::Optimize,
        short: Some('O'),
        long: "optimize",
        argument: None,
        group: Group::Gawk,
        help: "optimize the program (the default)",
        detail: "",
    },
    Opt {
        id: Id::PrettyPrint,
        short: Some('o'),
        long: "pretty-print",
        argument: optional("file", ArgumentKind::File),
        group: Group::Gawk,
        help: "reformat the program; do not run it",
        detail: "The text is written to the file, or to awkprof.out; - is standard output. Comments stay, and nothing is added or \
                 dropped. Included files are printed in place of their @include, which becomes a comment.",
    },
    Opt {
        id: Id::Profile,
        short: Some('p'),
        long: "profile",
        argument: optional("file", ArgumentKind::Profile),
        group: Group::Gawk,
        help: "write the program with counts, or a profile of time",
        detail: "The profile, written to the file or to awkprof.out, is the program formatted as by --pretty-print with counts in the \
                 margin: how often a statement ran, a loop body was entered, a pattern was tested or a function called. After the \
                 opening brace: how often a pattern matched or a condition was true. If the argument is text:, callgrind:, folded: or \
                 svg: and a file name, the profile shows how the time is spent: as a table, for callgrind_annotate and KCachegrind, as \
                 stacks for flame graph tools, or as a flame graph. Rules and functions have their time and how often they ran \
                 interpreted, as machine code and inlined; such a run uses one thread. May be given many times. For a file whose name \
                 begins with such a word, write ./text:name.",
    },
    Opt {
        id: Id::Posix,
        short: Some('P'),
        long: "posix",
        argument: None,
        group: Group::Gawk,
        help: "turn off everything that POSIX does not have",
        detail: "As --traditional, and also without func, ** and **=, \\x in strings, and line breaks after ? and :. Input numbers are \
                 read as by the C function strtod. Setting the environment variable POSIXLY_CORRECT does the same.",
    },
    Opt {
        id: Id::ReInterval,
        short: Some('r'),
        long: "re-interval",
        argument: None,
        group: Group::Gawk,
        help: "allow intervals in regular expressions (always allowed)",
        detail: "",
    },
    Opt {
        id: Id::NoOptimize,
        short: Some('s'),
        long: "no-optimize",
        argument: None,
        group: Group::Gawk,
        help: "accepted for compatibility; results do not depend on it",
        detail: "",
    },
    Opt {
        id: Id::Help,
        short: Some('h'),
        long: "help",
        argument: optional("topic", ArgumentKind::Topic),
        group: Group::Gawk,
        help: "print help and exit; --help=all, --help=topics",
        detail: "all lists every option. The name of a function, a variable, an option or a chapter prints its part of the manual. \
                 topics lists what can be named.",
    },
    Opt {
        id: Id::Version,
        short: Some('V'),
        long: "version",
        argument: None,
        group: Group::Gawk,
        help: "print the version and exit",
        detail: "Also prints the target, the features and, if known, the commit it was built from.",
    },
    Opt {
        id: Id::Encoding,
        short: None,
        long: "encoding",
        argument: argument("name", ArgumentKind::Encoding),
        group: Group::Text,
        help: "encoding of the input, if not UTF-8 (sets ENCODING)",
        detail: "The same as -v ENCODING=name. The operand ENCODING=name sets it for the files after it, and the program may assign it. \
                 It applies to files that operands or getline open from then on, and to standard input until it is first read; never to \
                 commands. Inside the program, text is UTF-8. The encodings are utf-8, utf-16, utf-16le, utf-16be, ascii, iso-8859-1 \
                 and all of the WHATWG standard, under all their names. Bytes that cannot be decoded are an error; name:replace \
                 replaces them with U+FFFD (or with ?, in an encoding that lacks it), and name:permissive reads unmapped bytes as the \
                 characters with the same numbers. Without this option nothing is decoded and bytes are written unchanged.",
    },
    Opt {
        id: Id::OutputEncoding,
        short: None,
        long: "output-encoding",
        argument: argument("name", ArgumentKind::Encoding),
        group: Group::Text,
        help: "encoding of standard output and written files",
        detail: "The default is UTF-8; commands and messages always get UTF-8. A character that the encoding lacks is an error; \
                 name:replace writes ? instead.",
    },
    Opt {
        id: Id::LineEnding,
        short: None,
        long: "line-ending",
        argument: argument("kind", ArgumentKind::Choice(&["lf", "crlf", "any"])),
        group: Group::Text,
        help: "how lines end (sets RS, and ORS for crlf)",
        detail: "With lf, the default, a carriage return is part of the line. With crlf, lines are read and written with CR LF. With \
                 any, LF, CR LF or CR ends an input line, and lines are written with LF.",
    },
    Opt {
        id: Id::StripBom,
        short: None,
        long: "strip-bom",
        argument: None,
        group: Group::Text,
        help: "drop a byte order mark at the beginning of files",
        detail: "Without it, the mark is part of the first record.",
    },
    Opt {
        id: Id::Graphemes,
        short: None,
        long: "graphemes",
        argument: None,
        group: Group::Text,
        help: "count grapheme clusters instead of code points",
        detail: "length, substr, index, match, split with an empty separator, toupper, tolower and the widths of printf count and cut \
                 at cluster boundaries only; regular expressions match code points.",
    },
    Opt {
        id: Id::Csv,
        short: Some('k'),
        long: "csv",
        argument: None,
        group: Group::Table,
        help: "input is CSV: fields between commas, optionally quoted",
        detail: "A field in double quotes may contain commas, newlines and doubled quotes; $1 and the other fields are their values \
                 without quotes. A newline outside quotes ends a record, with or without a carriage return before it. $0 is the \
                 unchanged record. split(s, a) splits the same way; assigning FS or RS has no effect and gives a warning. getline reads \
                 CSV too.",
    },
    Opt {
        id: Id::Tsv,
        short: None,
        long: "tsv",
        argument: None,
        group: Group::Table,
        help: "input is TSV: fields between tabs, with \\t \\n \\r \\\\",
        detail: "Quotes are not special. In a field, \\t, \\n, \\r and \\\\ stand for a tab, a newline, a carriage return and a \
                 backslash; any other backslash is literal.",
    },
    Opt {
        id: Id::Jsonl,
        short: None,
        long: "jsonl",
        argument: None,
        group: Group::Table,
        help: "input is JSON Lines: a JSON value on each line",
        detail: "$1 and the other fields are the members of the object or the elements of the array; @\"a.b[0]\" is the value at the \
                 path, or unassigned if there is none. Numbers keep their text; strings are always text; true, false and null have that \
                 truth value in conditions. An assignment changes that value in $0 and nothing else. A line that is not JSON is an \
                 error with line and column. Implies --exact-integers.",
    },
    Opt {
        id: Id::Json,
        short: None,
        long: "json",
        argument: None,
        group: Group::Table,
        help: "input is JSON: values, or the elements of arrays",
        detail: "As --jsonl, but values may contain newlines and need not have a line each. Each element of a top-level array is a \
                 record; they are read one at a time, so the array may be larger than memory. With --edit or --in-place the text around \
                 them stays as it is.",
    },
    Opt {
        id: Id::Edit,
        short: None,
        long: "edit",
        argument: None,
        group: Group::Table,
        help: "write the input table with the program's changes",
        detail: "For --csv, --tsv or --jsonl. print writes in the format of the input, with its line endings; of a changed record only \
                 the assigned fields are rewritten. Columns have names as with -H, and the header is written as with --keep-header. A \
                 program that changes nothing writes its input, byte for byte. --in-place with -H implies it.",
    },
    Opt {
        id: Id::OutputJsonl,
        short: None,
        long: "output-jsonl",
        argument: None,
        group: Group::Table,
        help: "print writes JSON Lines",
        detail: "One argument of print is a value, several are an array. A record of another format is an object if -H gave names, else \
                 an array. Numbers, and input that looks like one in JSON, are numbers; everything else is a string.",
    },
    Opt {
        id: Id::OutputJson,
        short: None,
        long: "output-json",
        argument: None,
        group: Group::Table,
        help: "print writes the elements of a JSON array",
        detail: "As --output-jsonl, in brackets and with commas: each output is one array, which ends when the output is closed or \
                 printf writes to it.",
    },
    Opt {
        id: Id::CsvSeparator,
        short: None,
        long: "csv-separator",
        argument: argument("char", ArgumentKind::Text),
        group: Group::Table,
        help: "field separator of CSV, if not a comma",
        detail: "A single ASCII character other than a quote, a newline or a carriage return, or \\t. It applies to input and output; \
                 -F with one character sets it for the input only, --output-separator for the output only.",
    },
    Opt {
        id: Id::OutputCsv,
        short: None,
        long: "output-csv",
        argument: None,
        group: Group::Table,
        help: "print writes CSV",
        detail: "The arguments of print become the fields of a row, quoted where needed. So does $0 when a field is assigned: if the \
                 input is CSV too, the other fields keep every byte. Records in another format are converted when they are printed. \
                 printf is not affected.",
    },
    Opt {
        id: Id::OutputTsv,
        short: None,
        long: "output-tsv",
        argument: None,
        group: Group::Table,
        help: "print writes TSV",
        detail: "As --output-csv, with tabs and escapes instead of commas and quotes.",
    },
    Opt {
        id: Id::OutputSeparator,
        short: None,
        long: "output-separator",
        argument: argument("char", ArgumentKind::Text),
        group: Group::Table,
        help: "print writes CSV with this separator",
        detail: "As --csv-separator, for the output only. By default CSV is written with the separator of the input.",
    },
    Opt {
        id: Id::OutputTable,
        short: None,
        long: "output-table",
        argument: None,
        group: Group::Table,
        help: "print writes aligned columns",
        detail: "Each column is as wide as its widest field on a terminal; columns of numbers are aligned right. The first row has the \
                 names of the columns if -H gave them. All rows are kept in memory until the table ends: when the output is closed or \
                 printf writes to it. The arguments of print are the fields of a row, as with --output-csv.",
    },
    Opt {
        id: Id::OutputMarkdown,
        short: None,
        long: "output-markdown",
        argument: None,
        group: Group::Table,
        help: "print writes a Markdown table",
        detail: "In GitHub's format, row by row. Without -H the first row is the header. Markup characters are escaped.",
    },
    Opt {
        id: Id::OutputHtml,
        short: None,
        long: "output-html",
        argument: None,
        group: Group::Table,
        help: "print writes an HTML table",
        detail: "An element table, written row by row, with a header if -H gave names.",
    },
    Opt {
        id: Id::Header,
        short: Some('H'),
        long: "header",
        argument: None,
        group: Group::Table,
        help: "the first record of each file names its columns",
        detail: "The header is not a record: NR does not count it and no rule sees it. @\"name\" is the field in that column and may be \
                 used like any field, also assigned. FIELDS[n] is the name of column n, FIELDS[name] its number. Repeated names get a \
                 number (name_2) and a warning. Works for every input format, not only CSV; files that getline reads have no header.",
    },
    Opt {
        id: Id::KeepHeader,
        short: None,
        long: "keep-header",
        argument: None,
        group: Group::Table,
        help: "write a header to standard output; implies -H",
        detail: "The header matches the rows. If the first print of the rules (or of functions, or else of END) prints the record, the \
                 header is that of the first file, with the columns that the program adds and without those it deletes; if that print \
                 has several arguments, the header is their names. An unchanged header is written as it was read, a changed one as a \
                 row of the output. Columns of later files are written under those names.",
    },
    Opt {
        id: Id::Strict,
        short: None,
        long: "strict",
        argument: optional("warn", ArgumentKind::Choice(&["warn"])),
        group: Group::Table,
        help: "treat malformed rows as errors",
        detail: "A row with more or fewer columns than the header or the first row, text after a closing quote, or a quote that is \
                 never closed ends the run with status 2; the message has file, record and column. With warn they are read, and a \
                 warning at the end of each file gives the number of each kind and the place of the first. Without this option they are \
                 read as gawk reads them. Empty lines are ignored. Needs --csv, --tsv, --jsonl or -H.",
    },
    Opt {
        id: Id::NoDecompress,
        short: None,
        long: "no-decompress",
        argument: None,
        group: Group::Files,
        help: "read compressed files without decompressing them",
        detail: "By default files in gzip, zstd, bzip2, xz or lz4 format, recognised by their content, are decompressed wherever they \
                 are opened: operands, standard input, getline, file::slurp. Output of commands is not.",
    },
    Opt {
        id: Id::DecompressLimit,
        short: None,
        long: "decompress-limit",
        argument: argument("bytes", ArgumentKind::Number),
        group: Group::Files,
        help: "maximum decompressed size of a file (0: no limit)",
        detail: "A larger file is an error. The default is 1 GiB or 10,000 times the size of the file, whichever is larger.",
    },
    Opt {
        id: Id::CompressOutput,
        short: None,
        long: "compress-output",
        argument: None,
        group: Group::Files,
        help: "compress output files according to their suffix",
        detail: "print > \"x.gz\" writes gzip; .zst, .bz2, .xz and .lz4 work the same way. >> appends a member.",
    },
    Opt {
        id: Id::InPlace,
        short: None,
        long: "in-place",
        argument: optional("suffix", ArgumentKind::Text),
        group: Group::Files,
        help: "replace each file with what is printed while reading it",
        detail: "When an operand has been read to its end, it is replaced atomically by what was printed to standard output meanwhile; \
                 with a suffix, the old file is kept under its name plus the suffix. Mode, owner, access lists and attributes are \
                 preserved, the target of a symbolic link is replaced, and a compressed file is compressed again; other hard links keep \
                 the old content. An unchanged file is not touched. After an error or exit, the file being read is left unchanged. A \
                 file that cannot be read or replaced does not stop the others: the status is 2, and all of them are reported at the \
                 end.",
    },
    Opt {
        id: Id::Diff,
        short: None,
        long: "diff",
        argument: None,
        group: Group::Files,
        help: "print what --in-place would change; change nothing",
        detail: "A unified diff for each file, in colour on a terminal. No file is replaced, but commands that the program starts do \
                 run. For compressed files the decompressed text is compared.",
    },
    Opt {
        id: Id::DryRun,
        short: None,
        long: "dry-run",
        argument: None,
        group: Group::Files,
        help: "the same as --diff",
        detail: "",
    },
    Opt {
        id: Id::AllowEmpty,
        short: None,
        long: "allow-empty",
        argument: None,
        group: Group::Files,
        help: "let --in-place empty a file if nothing is printed",
        detail: "Without it such a file is left unchanged, and the status is 2: the program probably lacks a print.",
    },
    Opt {
        id: Id::Follow,
        short: None,
        long: "follow",
        argument: None,
        group: Group::Files,
        help: "keep reading files as they grow, like tail -F",
        detail: "Several files are followed at once. When a file is truncated or replaced by a new one of the same name, the rest of \
                 the old one is read, then the new one from its beginning; a line on standard error says so. Ctrl-C or SIGTERM ends the \
                 input: ENDFILE and END run. Compressed files cannot be followed.",
    },
    Opt {
        id: Id::Include,
        short: Some('i'),
        long: "include",
        argument: argument("file", ArgumentKind::Library),
        group: Group::Gawk,
        help: "include a file as @include does; -i inplace is --in-place",
        detail: "A program text is still required. Files are searched for in AWKPATH. As with gawk's library inplace, -v \
                 inplace::suffix=.bak keeps the old files, and the operands inplace::enable=0 and inplace::enable=1 turn editing off \
                 and on for the files after them.",
    },
    Opt {
        id: Id::Jobs,
        short: Some('j'),
        long: "jobs",
        argument: argument("n", ArgumentKind::Number),
        group: Group::Parallel,
        help: "process pieces of the input on n threads (0: all cores)",
        detail: "Output, its order, the exit status and what END sees are the same as with one thread. A program for which this cannot \
                 be proved runs on one thread, without a message; --explain shows why.",
    },
    Opt {
        id: Id::Explain,
        short: None,
        long: "explain",
        argument: None,
        group: Group::Parallel,
        help: "show what -j can do with the program; do not run it",
        detail: "Shows for each rule whether it can run in pieces, how results are joined, and what prevents it, with its place in the \
                 program.",
    },
    Opt {
        id: Id::RelaxedSums,
        short: None,
        long: "relaxed-sums",
        argument: None,
        group: Group::Parallel,
        help: "keep sums of fractions exactly, so that -j can add them",
        detail: "Sums of whole numbers are always exact. The last bits of a sum of fractions depend on the order, so without this \
                 option -j continues on one thread at the first fraction. With it such sums are exact and rounded once, before END: \
                 the same on any number of threads.",
    },
    Opt {
        id: Id::Progress,
        short: None,
        long: "progress",
        argument: None,
        group: Group::Parallel,
        help: "show on the terminal how much input has been read",
        detail: "One line on standard error: bytes, rate, time left; it appears after one second. It is erased before the program \
                 prints to the same terminal. Nothing is shown if standard error is not a terminal.",
    },
    Opt {
        id: Id::PoolLog,
        short: None,
        long: "pool-log",
        argument: argument("file", ArgumentKind::File),
        group: Group::Parallel,
        help: "write the thread pool's decisions to file",
        detail: "A line for each thread that is started or retired, with the reason, and a summary at the end. The pool runs pieces, \
                 decompression, the specialiser and the line of --progress.",
    },
    Opt {
        id: Id::PieceSize,
        short: None,
        long: "piece-size",
        argument: argument("bytes", ArgumentKind::Number),
        group: Group::Parallel,
        help: "approximate size of a piece for -j: for tests and tuning",
        detail: "The default is 4194304. Pieces are cut at the beginning of a record, so results do not depend on the size.",
    },
    Opt {
        id: Id::MessageFormat,
        short: None,
        long: "message-format",
        argument: argument(
            "form",
            ArgumentKind::Choice(&["human", "short", "json", "github", "sarif"]),
        ),
        group: Group::Messages,
        help: "human, short, json, github or sarif",
        detail: "human, the default, shows the line of the program, a caret and a hint. short is one line, file:line:column: error: \
                 text; related places have lines of their own. json is one object per line, with severity, message, file, line, column \
                 and what else is known. github is a workflow command per message, which GitHub shows beside the line. sarif, with --check, \
                 is one log for code scanning. The program's own output is not affected.",
    },
    Opt {
        id: Id::Color,
        short: None,
        long: "color",
        argument: argument("when", ArgumentKind::Choice(&["auto", "always", "never"])),
        group: Group::Messages,
        help: "colour messages: auto, always, never",
        detail: "auto, the default, colours messages on a terminal unless NO_COLOR is set or TERM is dumb, and everywhere if \
                 CLICOLOR_FORCE or FORCE_COLOR is set.",
    },
    Opt {
        id: Id::NoJit,
        short: None,
        long: "no-jit",
        argument: None,
        group: Group::Specialiser,
        help: "do not generate machine code",
        detail: "By default the parts of a program that run often are compiled to machine code for the types seen in them. Results do \
                 not depend on it: this option and those below only help to find the cause of a problem.",
    },
    Opt {
        id: Id::NoOsr,
        short: None,
        long: "no-osr",
        argument: None,
        group: Group::Specialiser,
        help: "do not enter machine code in the middle of a loop",
        detail: "Functions are still entered when they are called.",
    },
    Opt {
        id: Id::NoInline,
        short: None,
        long: "no-inline",
        argument: None,
        group: Group::Specialiser,
        help: "do not inline functions",
        detail: "",
    },
    Opt {
        id: Id::NoPass,
        short: None,
        long: "no-pass",
        argument: argument("pass", ArgumentKind::Choice(PASSES)),
        group: Group::Specialiser,
        help: "leave out a pass of the compiler; may be repeated",
        detail: "To see what a pass gains, or whether it is at fault.",
    },
    Opt {
        id: Id::InlineLog,
        short: None,
        long: "inline-log",
        argument: argument("file", ArgumentKind::File),
        group: Group::Specialiser,
        help: "write inlining decisions and their reasons to file",
        detail: "",
    },
    Opt {
        id: Id::PerfMap,
        short: None,
        long: "perf-map",
        argument: None,
        group: Group::Specialiser,
        help: "write the symbols of machine code to /tmp/perf-PID.map",
        detail: "perf report reads the names of functions from there. The file is not deleted.",
    },
    Opt {
        id: Id::Jitdump,
        short: None,
        long: "jitdump",
        argument: None,
        group: Group::Specialiser,
        help: "write machine code with its lines to jit-PID.dump",
        detail: "The file is in the working directory, for perf record -k mono and then perf inject --jit; perf annotate then shows the \
                 code.",
    },
    Opt {
        id: Id::SpeshLog,
        short: None,
        long: "spesh-log",
        argument: argument("file", ArgumentKind::File),
        group: Group::Specialiser,
        help: "write the specialiser's observations and plans to file",
        detail: "For each buffer of observations: how often frames were entered, by callsite and argument types; the types seen at each \
                 operation; and the resulting specialisations.",
    },
    Opt {
        id: Id::SpeshBlocking,
        short: None,
        long: "spesh-blocking",
        argument: None,
        group: Group::Specialiser,
        help: "wait for the specialiser: makes runs repeatable",
        detail: "",
    },
    Opt {
        id: Id::SpeshNodelay,
        short: None,
        long: "spesh-nodelay",
        argument: None,
        group: Group::Specialiser,
        help: "specialise code after a single execution",
        detail: "By default a program must run for a while first. Together with --spesh-blocking, even the shortest test is \
                 specialised.",
    },
    Opt {
        id: Id::SpeshLimit,
        short: None,
        long: "spesh-limit",
        argument: argument("n", ArgumentKind::Number),
        group: Group::Specialiser,
        help: "make at most n specialisations; 0 only observes",
        detail: "With --spesh-blocking, bisecting n finds a faulty specialisation.",
    },
    Opt {
        id: Id::SpeshBuffer,
        short: None,
        long: "spesh-buffer",
        argument: argument("n", ArgumentKind::Number),
        group: Group::Specialiser,
        help: "observations per buffer: for tests and tuning",
        detail: "Also the number of loop iterations and calls before the first observation. The defaults are 16384 and 20000.",
    },
    Opt {
        id: Id::Library,
        short: None,
        long: "library",
        argument: argument("namespace", ArgumentKind::Choice(&["array", "math", "text"])),
        group: Group::Own,
        help: "print the library functions written in awk; do not run",
        detail: "To read them, or to copy them into a program for other awks.",
    },
    Opt {
        id: Id::Dump,
        short: None,
        long: "dump",
        argument: argument("what", ArgumentKind::Choice(&["ast", "bytecode", "ir", "asm"])),
        group: Group::Own,
        help: "print the program's syntax tree, bytecode or machine code",
        detail: "ast (the tree) and bytecode are printed instead of running the program. Machine code is generated while it runs; its \
                 intermediate representation (ir) or the code itself (asm) is printed to standard error when the program ends.",
    },
    Opt {
        id: Id::Check,
        short: None,
        long: "check",
        argument: None,
        group: Group::Own,
        help: "print what is wrong with the program; do not run it",
        detail: "Errors and warnings go to standard output. The status is 0 if there are none, 1 for warnings and syntax errors. Without \
                 --lint, warnings are those of --lint=no-ext. With --format, checks only the layout: prints what would change as a \
                 diff, with status 1 if anything would.",
    },
    Opt {
        id: Id::Fix,
        short: None,
        long: "fix",
        argument: None,
        group: Group::Own,
        help: "apply fixes to the program's files; do not run it",
        detail: "Only fixes that do not change what the program does, for the warnings of --check or --lint. Files of -f are replaced \
                 atomically, included files are left alone, and program text from the command line is printed. What remains is \
                 reported. With --format, the files are formatted instead.",
    },
    Opt {
        id: Id::Format,
        short: None,
        long: "format",
        argument: optional("width", ArgumentKind::Number),
        group: Group::Own,
        help: "print the program reformatted; do not run it",
        detail: "As --pretty-print=-, but single empty lines between statements are kept, and so are @include directives, without the \
                 text of the files. With a width, longer lines are broken behind commas, && and ||. See also --check and --fix.",
    },
    Opt {
        id: Id::Test,
        short: None,
        long: "test",
        argument: optional("format", ArgumentKind::Choice(&["human", "tap", "junit"])),
        group: Group::Own,
        help: "run the functions test_* of the operands, which are programs",
        detail: "Each operand is a program of its own, with the program text of -f, -e and -i; of a folder, the files *_test.awk and \
                 test_*.awk in it and below. Each function is run with fresh variables, after the rules if the comment above it has \
                 input. -j runs several at once. The report goes to standard output: for people, in the Test Anything Protocol, or \
                 JUnit's XML. The status is 1 if a test fails, and 2 if tests cannot be run.",
    },
    Opt {
        id: Id::TestOnly,
        short: None,
        long: "test-only",
        argument: argument("text", ArgumentKind::Text),
        group: Group::Own,
        help: "run only tests with this text in their name",
        detail: "Needs --test.",
    },
    Opt {
        id: Id::Coverage,
        short: None,
        long: "coverage",
        argument: argument("form", ArgumentKind::Text),
        group: Group::Own,
        help: "report what ran: lcov:file, html:folder, text or text:file",
        detail: "Statements, branches and functions of the program and the files that it includes, also of tests. An lcov file that exists \
                 is added to, and what it held is in the other forms of the same command. text goes to standard error. May be given \
                 many times. The run is interpreted and uses one thread.",
    },
    Opt {
        id: Id::Lsp,
        short: None,
        long: "lsp",
        argument: None,
        group: Group::Own,
        help: "serve an editor, in the Language Server Protocol",
        detail: "The editor starts it and talks to it over standard input and output. Options after it are ignored.",
    },
    Opt {
        id: Id::Dap,
        short: None,
        long: "dap",
        argument: None,
        group: Group::Own,
        help: "debug for an editor, in the Debug Adapter Protocol",
        detail: "The editor starts it, talks to it over standard input and output, and says there which program to run. Options after it \
                 are ignored.",
    },
    Opt {
        id: Id::Stats,
        short: None,
        long: "stats",
        argument: None,
        group: Group::Own,
        help: "print counters to standard error when the program ends",
        detail: "",
    },
    Opt {
        id: Id::MemoryLimit,
        short: None,
        long: "memory-limit",
        argument: argument("size", ArgumentKind::Number),
        group: Group::Own,
        help: "maximum memory of the program",
        detail: "A number of bytes, or a number followed by K, M or G for KiB, MiB or GiB. A program that needs more ends with status \
                 2; the message names what uses most: an array, the text of a variable, the record. Without this option the system's \
                 limits apply, and the error is the same.",
    },
    Opt {
        id: Id::Timeout,
        short: None,
        long: "timeout",
        argument: argument("time", ArgumentKind::Text),
        group: Group::Own,
        help: "maximum run time",
        detail: "Seconds, or a number followed by ms, s, m or h: 500ms, 1.5, 2m. Then the program ends with status 2, even while it \
                 waits; its output so far is written, and the commands it started are ended. Such a run uses one thread.",
    },
    Opt {
        id: Id::MaxRecord,
        short: None,
        long: "max-record",
        argument: argument("size", ArgumentKind::Number),
        group: Group::Own,
        help: "maximum size of a record",
        detail: "A size as for --memory-limit. A longer record in any input ends the program with status 2, after the records before it \
                 have been processed. The default is 4 GiB.",
    },
    Opt {
        id: Id::MaxOutput,
        short: None,
        long: "max-output",
        argument: argument("size", ArgumentKind::Number),
        group: Group::Own,
        help: "maximum size of the output",
        detail: "A size as for --memory-limit, of all outputs together before compression or encoding. When it is reached, the program \
                 ends with status 2; the output up to there is written. Output of commands does not count; file::spew, append and \
                 prepend count, and return -1 instead.",
    },
    Opt {
        id: Id::MaxSteps,
        short: None,
        long: "max-steps",
        argument: argument("number", ArgumentKind::Number),
        group: Group::Own,
        help: "maximum number of iterations and calls",
        detail: "Counts iterations of loops, calls of functions and records, all together. One more is an error: the program ends with \
                 status 2. Unlike a time limit, it does not depend on the speed of the machine.",
    },
    Opt {
        id: Id::MaxRecords,
        short: None,
        long: "max-records",
        argument: argument("number", ArgumentKind::Number),
        group: Group::Own,
        help: "maximum number of records of the main input",
        detail: "One more record is an error: the program ends with status 2, and END does not run. Records that getline reads from \
                 elsewhere do not count.",
    },
    Opt {
        id: Id::WindowSize,
        short: None,
        long: "window-size",
        argument: argument("bytes", ArgumentKind::Number),
        group: Group::Own,
        help: "initial size of the input window: for tests and tuning",
        detail: "The default is 262144. The window grows for longer records, so results do not depend on the size.",
    },
];

impl Opt {
    /// Whether gawk has it.
    pub fn is_of_gawk(&self) -> bool {
        matches!(self.group, Group::Posix | Group::Gawk) || self.id == Id::Csv
    }

    /// As in help: `--dump=what`, `-F, --field-separator=fs`.
    pub fn usage(&self) -> String {
        let long = match self.argument {
            Some(argument) if argument.optional => format!("--{}[={}]", self.long, argument.name),
            Some(argument) => format!("--{}={}", self.long, argument.name),
            None => format!("--{}", self.long),
        };
        match self.short {
            Some(short) => format!("-{short}, {long}"),
            None => format!("    {long}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_name_stands_for_two_options() {
        let shorts: Vec<char> = OPTIONS.iter().filter_map(|opt| opt.short).collect();
        let longs: Vec<&str> = OPTIONS.iter().map(|opt| opt.long).collect();
        assert_eq!(shorts.iter().collect::<HashSet<_>>().len(), shorts.len());
        assert_eq!(longs.iter().collect::<HashSet<_>>().len(), longs.len());
    }

    #[test]
    fn help_lines_fit_their_form() {
        for opt in OPTIONS {
            assert!(opt.help.len() <= 60 && !opt.help.ends_with('.'), "{}", opt.long);
            assert!(opt.detail.is_empty() || opt.detail.ends_with('.'), "{}", opt.long);
        }
    }
}
