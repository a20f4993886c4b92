//! The option table, from which the parser, help, man page and completions are generated.

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
        detail: "The same as -v FS=fs; of several, the last wins. A single space, the default, separates by runs of blanks; any \
                 other single character separates by itself; anything longer is a regular expression. Escape sequences such as \\t \
                 are understood. As in gawk, -Ft means the letter t.",
    },
    Opt {
        id: Id::Assign,
        short: Some('v'),
        long: "assign",
        argument: argument("var=value", ArgumentKind::Text),
        group: Group::Posix,
        help: "set a variable before the program starts",
        detail: "Escape sequences in the value are understood. BEGIN already sees it, unlike an operand of this form. May be \
                 given many times.",
    },
    Opt {
        id: Id::File,
        short: Some('f'),
        long: "file",
        argument: argument("progfile", ArgumentKind::File),
        group: Group::Posix,
        help: "read program text from a file (- is standard input)",
        detail: "May be given many times and mixed with -e: the texts are laid end to end in order.",
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
        help: "only read the operands and print; =list allows more",
        detail: "No command is started, no connection made, no other file read and none written: system, redirections, \
                 getline from a name, the functions of the namespace file and new files in ARGV are errors. On Linux the kernel \
                 enforces it too (Landlock), where it is new enough. --sandbox=read:/data,write:/tmp/out,exec:none,net:none is a list of \
                 what is allowed besides: files and folders to read and to write (a path, all or none; more than one of each), commands and \
                 connections (all or none). What is not on the list is not allowed. Commands, too, are kept to it.",
    },
    Opt {
        id: Id::LintOld,
        short: Some('t'),
        long: "lint-old",
        argument: None,
        group: Group::Gawk,
        help: "warn of what the awk of 1979 did not have",
        detail: "",
    },
    Opt {
        id: Id::CharactersAsBytes,
        short: Some('b'),
        long: "characters-as-bytes",
        argument: None,
        group: Group::Gawk,
        help: "treat every byte as a character",
        detail: "So does an explicit C or POSIX locale, and one that names a character set other than UTF-8.",
    },
    Opt {
        id: Id::Traditional,
        short: Some('c'),
        long: "traditional",
        argument: None,
        group: Group::Gawk,
        help: "no extensions of gawk",
        detail: "Words and functions that only gawk has are names like any other, the variables that only gawk keeps are plain variables; RS is one character; regular expressions have no \\y, \\<, \\s and the like, and no output file has a special name. -Ft means a tab.",
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
        help: "list the global variables when the program has ended",
        detail: "In the order of their names, to the file, or to awkvars.out; - is the standard output.",
    },
    Opt {
        id: Id::Debug,
        short: Some('D'),
        long: "debug",
        argument: optional("file", ArgumentKind::File),
        group: Group::Gawk,
        help: "run the program under the debugger",
        detail: "Commands come from the terminal, with line editing, or from the standard input; those of the file, if there is one, come \
                 first. The command help lists them: they are gawk's.",
    },
    Opt {
        id: Id::Exec,
        short: Some('E'),
        long: "exec",
        argument: argument("progfile", ArgumentKind::File),
        group: Group::Gawk,
        help: "as -f, and end the options; operands are files",
        detail: "For scripts that begin with #!: what follows belongs to the program, and no operand sets a variable.",
    },
    Opt {
        id: Id::GenPot,
        short: Some('g'),
        long: "gen-pot",
        argument: None,
        group: Group::Gawk,
        help: "print the translatable texts as a .pot file; do not run",
        detail: "Those are the strings written _\"...\" and the texts of dcgettext and dcngettext.",
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
        help: "warn of what is dubious or an extension",
        detail: "With fatal the first warning ends everything, status 2; with no-ext extensions are no reason to warn; invalid is the same as nothing. With portable, what other awks lack is named, with those awks: mawk, onetrue-awk, busybox. With off nothing is said that gawk does not say unasked.",
    },
    Opt {
        id: Id::Load,
        short: Some('l'),
        long: "load",
        argument: argument("name", ArgumentKind::Extension),
        group: Group::Gawk,
        help: "have the functions of an extension, as @load does",
        detail: "There are no shared libraries: the extensions that there are have gawk's names and are built in. A program text is still \
                 needed.",
    },
    Opt {
        id: Id::UseLcNumeric,
        short: Some('N'),
        long: "use-lc-numeric",
        argument: None,
        group: Group::Gawk,
        help: "read and write numbers with the locale's decimal point",
        detail: "What LC_ALL, LC_NUMERIC or LANG names decides, by its name alone: no locale has to be installed. Where the point is a comma, \
                 periods group digits. Program text and JSON always have a period. --posix does the same.",
    },
    Opt {
        id: Id::Bignum,
        short: Some('M'),
        long: "bignum",
        argument: None,
        group: Group::Gawk,
        help: "arithmetic of any precision",
        detail: "Integers are exact at any size. Other numbers have PREC bits (53 unless the program or -v says otherwise) and are rounded as \
                 ROUNDMODE says.",
    },
    Opt {
        id: Id::ExactIntegers,
        short: None,
        long: "exact-integers",
        argument: None,
        group: Group::Own,
        help: "integers are exact at any size, other numbers doubles",
        detail: "+ - * % ^ ++ and --, comparisons, int, %d and subscripts keep every digit of an integer, as identifiers of 64 bits have more than \
                 a double holds. What has a fraction, a point or an exponent is a double as ever, and so is a quotient that is no integer. --jsonl \
                 implies it.",
    },
    Opt {
        id: Id::NonDecimalData,
        short: Some('n'),
        long: "non-decimal-data",
        argument: None,
        group: Group::Gawk,
        help: "input may have octal and hexadecimal numbers",
        detail: "Then 011 in the input is nine and 0x11 seventeen, as they always are in program text. strtonum does it without this option.",
    },
    Opt {
        id: Id::Optimize,
        short: Some('O'),
        long: "optimize",
        argument: None,
        group: Group::Gawk,
        help: "optimize the program, which is the default",
        detail: "",
    },
    Opt {
        id: Id::PrettyPrint,
        short: Some('o'),
        long: "pretty-print",
        argument: optional("file", ArgumentKind::File),
        group: Group::Gawk,
        help: "lay the program out anew; do not run it",
        detail: "The text goes to the file, or to awkprof.out; - is the standard output. Comments stay, and nothing is added or dropped. \
                 Files that the program includes are printed where it does so, and the directive becomes a comment.",
    },
    Opt {
        id: Id::Profile,
        short: Some('p'),
        long: "profile",
        argument: optional("file", ArgumentKind::Profile),
        group: Group::Gawk,
        help: "write the program with counts, or a profile of time",
        detail: "The file, or awkprof.out, then has the program laid out as by --pretty-print. In the margin stands how often a statement ran, the body of a loop was entered, a pattern was looked at or a function called; behind the brace, how often a pattern held or a condition was true. If the argument is text:, callgrind:, folded: or svg: and the name of a file, it is where the time of the run went: as a table, for callgrind_annotate and KCachegrind, as stacks for flame graph tools, or as a flame graph. Rules and functions have how often they were entered, interpreted, as machine code and inlined, and how long they took; such a run is on one thread. May be given many times. A file whose name begins so is ./text:name.",
    },
    Opt {
        id: Id::Posix,
        short: Some('P'),
        long: "posix",
        argument: None,
        group: Group::Gawk,
        help: "nothing that POSIX does not have",
        detail: "As --traditional, and also without func, ** and **=, \\x in strings, and line ends after ? and :; input numbers are what the C function strtod takes. The environment variable POSIXLY_CORRECT asks for the same.",
    },
    Opt {
        id: Id::ReInterval,
        short: Some('r'),
        long: "re-interval",
        argument: None,
        group: Group::Gawk,
        help: "regular expressions have intervals, as they always do",
        detail: "",
    },
    Opt {
        id: Id::NoOptimize,
        short: Some('s'),
        long: "no-optimize",
        argument: None,
        group: Group::Gawk,
        help: "accepted for gawk's sake; answers do not depend on it",
        detail: "",
    },
    Opt {
        id: Id::Help,
        short: Some('h'),
        long: "help",
        argument: optional("topic", ArgumentKind::Topic),
        group: Group::Gawk,
        help: "print help and exit; --help=all, --help=topics",
        detail: "With all, every option has a line; with the name of a function, a variable, an option or a chapter of the manual, what the manual \
                 says of it is printed; with topics, what there is to read.",
    },
    Opt {
        id: Id::Version,
        short: Some('V'),
        long: "version",
        argument: None,
        group: Group::Gawk,
        help: "print the version and exit",
        detail: "And what it was built for, with which features, and from which commit, if that is known.",
    },
    Opt {
        id: Id::Encoding,
        short: None,
        long: "encoding",
        argument: argument("name", ArgumentKind::Encoding),
        group: Group::Text,
        help: "what input files are in, if not UTF-8 (sets ENCODING)",
        detail: "The same as -v ENCODING=name; the operand ENCODING=name says it for the files after it, and the program may assign \
                 it. It counts for files opened from then on, named by operands or by getline, and for the standard input until it \
                 is first read; never for commands. Inside, text is UTF-8. Known are utf-8, utf-16, utf-16le, utf-16be, ascii, \
                 iso-8859-1 and all encodings of the WHATWG standard, under all their names. Bytes that cannot be decoded are an \
                 error; name:replace puts U+FFFD (or ?, where the encoding is not one of all of Unicode) in their place, and name:permissive takes unmapped bytes for characters by \
                 number. Without this option nothing is decoded and every byte goes out as it came in.",
    },
    Opt {
        id: Id::OutputEncoding,
        short: None,
        long: "output-encoding",
        argument: argument("name", ArgumentKind::Encoding),
        group: Group::Text,
        help: "what standard output and files are written in",
        detail: "UTF-8 unless this says otherwise; commands and messages get UTF-8 always. Characters that the encoding lacks are an \
                 error; name:replace writes ? in their place.",
    },
    Opt {
        id: Id::LineEnding,
        short: None,
        long: "line-ending",
        argument: argument("kind", ArgumentKind::Choice(&["lf", "crlf", "any"])),
        group: Group::Text,
        help: "how lines end (sets RS, and ORS for crlf)",
        detail: "With lf, the default, a carriage return belongs to its line. With crlf, lines read and written end with both \
                 characters. With any, each of LF, CR LF and CR ends a line that is read, and lines are written with LF.",
    },
    Opt {
        id: Id::StripBom,
        short: None,
        long: "strip-bom",
        argument: None,
        group: Group::Text,
        help: "drop a byte order mark at the beginning of files",
        detail: "Without it the mark belongs to the first record, as every byte does.",
    },
    Opt {
        id: Id::Graphemes,
        short: None,
        long: "graphemes",
        argument: None,
        group: Group::Text,
        help: "count grapheme clusters, what a reader calls a character",
        detail: "length, substr, index, match, split with an empty separator, toupper, tolower and the widths of printf count and \
                 cut by cluster only; regular expressions go by code points.",
    },
    Opt {
        id: Id::Csv,
        short: Some('k'),
        long: "csv",
        argument: None,
        group: Group::Table,
        help: "input is CSV: fields between commas, quoted if need be",
        detail: "A field in double quotes may hold commas, newlines and doubled quotes, and $1 and the others are what is meant, \
                 without quotes. Records end with a newline outside quotes, with or without a carriage return before it. $0 is the \
                 record as it came. split(s, a) cuts the same way; assigning FS or RS has no effect and is warned of. Works for \
                 getline too.",
    },
    Opt {
        id: Id::Tsv,
        short: None,
        long: "tsv",
        argument: None,
        group: Group::Table,
        help: "input is TSV: fields between tabs, with \\t \\n \\r \\\\",
        detail: "Quotes are nothing special. In a field, \\t, \\n, \\r and \\\\ stand for a tab, a newline, a carriage return and a \
                 backslash; any other backslash is one.",
    },
    Opt {
        id: Id::Jsonl,
        short: None,
        long: "jsonl",
        argument: None,
        group: Group::Table,
        help: "input is JSON Lines: a JSON value on each line",
        detail: "$1 and the others are the members of the object or the elements of the array, @\"a.b[0]\" is what the path leads to, nothing if \
                 it leads nowhere. Numbers keep their text; strings are text, whatever they look like; true, false and null are so in conditions. Assigning puts the new \
                 value into $0 and leaves the rest as it is. A line that is no JSON is an error with its line and column. Implies --exact-integers.",
    },
    Opt {
        id: Id::Json,
        short: None,
        long: "json",
        argument: None,
        group: Group::Table,
        help: "input is JSON: values, or the elements of an array",
        detail: "As --jsonl, and values may have newlines between and inside. An array at the outermost level is no record, its elements are, \
                 read one by one however large it is. With --edit or --in-place what stands around them stays as it is.",
    },
    Opt {
        id: Id::Edit,
        short: None,
        long: "edit",
        argument: None,
        group: Group::Table,
        help: "what is written is the table that is read",
        detail: "With --csv, --tsv or --jsonl. What print writes has the format of the input and ends as its rows do; of an edited record only \
                 the assigned fields are written anew. Columns have names as with -H, and their header is written as with --keep-header. A program \
                 that changes nothing writes what it has read, byte for byte. --in-place with -H implies it.",
    },
    Opt {
        id: Id::OutputJsonl,
        short: None,
        long: "output-jsonl",
        argument: None,
        group: Group::Table,
        help: "print writes JSON Lines",
        detail: "One argument is a value, several are an array; records of another format are objects if -H gave names, else arrays. Numbers, \
                 and input that is spelled as one, are numbers; everything else is a string.",
    },
    Opt {
        id: Id::OutputJson,
        short: None,
        long: "output-json",
        argument: None,
        group: Group::Table,
        help: "print writes the elements of a JSON array",
        detail: "As --output-jsonl, in brackets and with commas: each output is one array, which ends where it is closed or printf writes.",
    },
    Opt {
        id: Id::CsvSeparator,
        short: None,
        long: "csv-separator",
        argument: argument("char", ArgumentKind::Text),
        group: Group::Table,
        help: "what separates fields of CSV, if not a comma",
        detail: "A single ASCII character other than a quote, a newline or a carriage return, or \\t. Of input and of output; -F with one character \
                 says it of the input, and --output-separator of the output.",
    },
    Opt {
        id: Id::OutputCsv,
        short: None,
        long: "output-csv",
        argument: None,
        group: Group::Table,
        help: "print writes CSV",
        detail: "The arguments of print become the fields of a row, quoted where they must be. So does $0 when a field is assigned: \
                 the fields that were not keep every byte they had if the input is CSV too. Records that came in another format \
                 are converted when they are printed. printf writes what it says.",
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
        detail: "As --csv-separator, of the output alone. Without it CSV is written with the separator that it is read with.",
    },
    Opt {
        id: Id::OutputTable,
        short: None,
        long: "output-table",
        argument: None,
        group: Group::Table,
        help: "print writes columns aligned for the eye",
        detail: "Each as wide as its widest field is on a terminal, those of numbers at the right; under the names of the columns if -H gave some. \
                 All rows are kept until the last has come. The arguments of print are the fields of a row, as with --output-csv; a table ends \
                 where printf writes something, or its output is closed.",
    },
    Opt {
        id: Id::OutputMarkdown,
        short: None,
        long: "output-markdown",
        argument: None,
        group: Group::Table,
        help: "print writes a table of Markdown",
        detail: "As GitHub has it, row by row. Without -H the first row is its head. What would be markup is escaped.",
    },
    Opt {
        id: Id::OutputHtml,
        short: None,
        long: "output-html",
        argument: None,
        group: Group::Table,
        help: "print writes a table of HTML",
        detail: "An element table, row by row, with a head if -H gave names.",
    },
    Opt {
        id: Id::Header,
        short: Some('H'),
        long: "header",
        argument: None,
        group: Group::Table,
        help: "the first record of each file names its columns",
        detail: "It is no record itself: NR does not count it and no rule sees it. @\"name\" is the field of the column so named, \
                 wherever a field may stand, also to be assigned. FIELDS[n] is the name of column n, FIELDS[name] its number. Of names \
                 that repeat, the later ones get a number (name_2) and a warning. Works for every kind of input, not only for CSV; \
                 files that getline reads have no header.",
    },
    Opt {
        id: Id::KeepHeader,
        short: None,
        long: "keep-header",
        argument: None,
        group: Group::Table,
        help: "write a header to standard output; implies -H",
        detail: "It fits the rows: if the first print of the rules (or of functions, or else of END) writes the record, it is the header of the first \
                 file, with the columns that the program makes and without those that it deletes; if it writes several things, their names. As it \
                 was read if nothing of it changes, else as a row of the output. Columns of further files go under its names.",
    },
    Opt {
        id: Id::Strict,
        short: None,
        long: "strict",
        argument: optional("warn", ArgumentKind::Choice(&["warn"])),
        group: Group::Table,
        help: "refuse rows that are not as they should be",
        detail: "A row with more or fewer columns than the header or the first row, text after a closing quote, and a quote that is \
                 never closed end the run with status 2, and the message has file, record and column. With warn they are read, and a warning at \
                 the end of each file says how many there are of each kind, and where the first is. Without this option they are \
                 read as gawk reads them. Empty lines are let by. Needs --csv, --tsv, --jsonl or -H.",
    },
    Opt {
        id: Id::NoDecompress,
        short: None,
        long: "no-decompress",
        argument: None,
        group: Group::Files,
        help: "read compressed files as they are",
        detail: "Otherwise files whose content is that of gzip, zstd, bzip2, xz or lz4, whatever their name, are decompressed wherever they \
                 are opened: operands, the standard input, getline, file::slurp. What commands write is not.",
    },
    Opt {
        id: Id::DecompressLimit,
        short: None,
        long: "decompress-limit",
        argument: argument("bytes", ArgumentKind::Number),
        group: Group::Files,
        help: "the most that a compressed file may become (0: no limit)",
        detail: "More is an error. The default is 1 GiB or 10,000 times the size of the file, whichever is more.",
    },
    Opt {
        id: Id::CompressOutput,
        short: None,
        long: "compress-output",
        argument: None,
        group: Group::Files,
        help: "compress files by the ending of their name",
        detail: "print > \"x.gz\" writes gzip, and so do .zst, .bz2, .xz and .lz4; >> appends a member.",
    },
    Opt {
        id: Id::InPlace,
        short: None,
        long: "in-place",
        argument: optional("suffix", ArgumentKind::Text),
        group: Group::Files,
        help: "what is printed while a file is read takes its place",
        detail: "Each file among the operands is replaced, when it has been read to its end and in one step, by what was printed to the \
                 standard output meanwhile; with a suffix the old one is kept under its name and the suffix. Mode, owner, access lists and \
                 attributes stay, a symbolic link stays and its target is replaced, a compressed file is compressed again; other hard links keep the \
                 old content. A file in which nothing has changed is not touched. After an error or exit the file being read stays as \
                 it was. A file that cannot be read or replaced does not stop the others: the status is 2, and all are reported at the end.",
    },
    Opt {
        id: Id::Diff,
        short: None,
        long: "diff",
        argument: None,
        group: Group::Files,
        help: "print what --in-place would change, and change nothing",
        detail: "A unified diff for each file, in colour on a terminal. No file is touched; what commands of the program do, they do. Of compressed \
                 files the text is compared.",
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
        help: "let --in-place empty a file for which nothing is printed",
        detail: "Without it such a file stays as it was, and the status is 2: the program probably lacks a print.",
    },
    Opt {
        id: Id::Follow,
        short: None,
        long: "follow",
        argument: None,
        group: Group::Files,
        help: "read files on as they grow, as tail -F does",
        detail: "Several at once, whichever has something. A file that was truncated, and a new one that has taken the name of another, is read \
                 from its beginning when the rest of the old one has been read; a line on standard error says so. Ctrl-C or SIGTERM is \
                 the end of the input: ENDFILE and END run. Compressed files cannot be followed.",
    },
    Opt {
        id: Id::Include,
        short: Some('i'),
        long: "include",
        argument: argument("file", ArgumentKind::Library),
        group: Group::Gawk,
        help: "include a file as @include does; -i inplace is --in-place",
        detail: "A program text is still needed. Files are looked for in AWKPATH. With inplace, as with gawk's library of that name, -v inplace::suffix=.bak keeps the old files, and the operands inplace::enable=0 and \
                 inplace::enable=1 say which of the files after them are edited.",
    },
    Opt {
        id: Id::Jobs,
        short: Some('j'),
        long: "jobs",
        argument: argument("n", ArgumentKind::Number),
        group: Group::Parallel,
        help: "run pieces of the input on n threads (0: all cores)",
        detail: "Output, its order, the exit status and what END sees are those of a run on one: a program that is not proved to \
                 give the same runs on one, silently. See --explain.",
    },
    Opt {
        id: Id::Explain,
        short: None,
        long: "explain",
        argument: None,
        group: Group::Parallel,
        help: "say what -j can do with the program; do not run it",
        detail: "Goes through the program rule by rule: what can run in pieces, how results are joined, and what stands in the \
                 way, with its place.",
    },
    Opt {
        id: Id::RelaxedSums,
        short: None,
        long: "relaxed-sums",
        argument: None,
        group: Group::Parallel,
        help: "let -j add fractions in another order",
        detail: "Sums of whole numbers are always exact. Those of fractions depend on the order in their last bits, so without \
                 this option a run with -j notices the first fraction and goes on as one piece.",
    },
    Opt {
        id: Id::Progress,
        short: None,
        long: "progress",
        argument: None,
        group: Group::Parallel,
        help: "show on the terminal how far the input has been read",
        detail: "One line on standard error: bytes, rate, time left, from the end of the first second on. What the program prints on the same \
                 terminal wipes it out first. Nothing is shown when that is no terminal.",
    },
    Opt {
        id: Id::PoolLog,
        short: None,
        long: "pool-log",
        argument: argument("file", ArgumentKind::File),
        group: Group::Parallel,
        help: "write what the thread pool decided to file",
        detail: "A line for each thread that is started or sent away, with the reason, and at the end what the pool has done. It runs                  everything that is done beside the program: pieces, decompression, the specialiser, the line of --progress.",
    },
    Opt {
        id: Id::PieceSize,
        short: None,
        long: "piece-size",
        argument: argument("bytes", ArgumentKind::Number),
        group: Group::Parallel,
        help: "about how much -j gives a thread: for tests and tuning",
        detail: "The default is 4194304. Pieces are cut where records begin, so any size gives the same answers.",
    },
    Opt {
        id: Id::MessageFormat,
        short: None,
        long: "message-format",
        argument: argument("form", ArgumentKind::Choice(&["human", "short", "json"])),
        group: Group::Messages,
        help: "how errors and warnings are written: human, short, json",
        detail: "With short each is one line, file:line:column: error: text, and other places that matter are lines of their own; with json \
                 each is an object on a line, with severity, message, file, line, column and what else is known. The default is human: the line \
                 of the program, a caret and what to do. What the program itself writes is not changed.",
    },
    Opt {
        id: Id::Color,
        short: None,
        long: "color",
        argument: argument("when", ArgumentKind::Choice(&["auto", "always", "never"])),
        group: Group::Messages,
        help: "whether messages are coloured: auto, always, never",
        detail: "With auto, the default, they are on a terminal, unless NO_COLOR is set or TERM is dumb, and wherever CLICOLOR_FORCE or \
                 FORCE_COLOR is set.",
    },
    Opt {
        id: Id::NoJit,
        short: None,
        long: "no-jit",
        argument: None,
        group: Group::Specialiser,
        help: "make no machine code",
        detail: "Programs that run for long are made faster while they run: what they do often is compiled for the types they do it \
                 with. Nothing that a program does depends on that: this option and those below only help to find out \
                 where something comes from.",
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
        help: "do not copy functions into their callers",
        detail: "",
    },
    Opt {
        id: Id::InlineLog,
        short: None,
        long: "inline-log",
        argument: argument("file", ArgumentKind::File),
        group: Group::Specialiser,
        help: "write which functions were copied, or why not, to file",
        detail: "",
    },
    Opt {
        id: Id::PerfMap,
        short: None,
        long: "perf-map",
        argument: None,
        group: Group::Specialiser,
        help: "list machine code in /tmp/perf-PID.map",
        detail: "There perf report looks for the names of functions. The file stays.",
    },
    Opt {
        id: Id::Jitdump,
        short: None,
        long: "jitdump",
        argument: None,
        group: Group::Specialiser,
        help: "write machine code with its lines to jit-PID.dump",
        detail: "In the working folder, for perf record -k mono and then perf inject --jit, after which perf annotate shows \
                 the code.",
    },
    Opt {
        id: Id::SpeshLog,
        short: None,
        long: "spesh-log",
        argument: argument("file", ArgumentKind::File),
        group: Group::Specialiser,
        help: "write what was observed and planned to file",
        detail: "For each buffer of observations: how often frames were entered, by callsite and types of the arguments; the types \
                 seen at each operation; and which specialisations that leads to.",
    },
    Opt {
        id: Id::SpeshBlocking,
        short: None,
        long: "spesh-blocking",
        argument: None,
        group: Group::Specialiser,
        help: "wait for the specialiser: every run goes the same way",
        detail: "",
    },
    Opt {
        id: Id::SpeshNodelay,
        short: None,
        long: "spesh-nodelay",
        argument: None,
        group: Group::Specialiser,
        help: "specialise what was seen once",
        detail: "Otherwise a program has to run for a while before it is even looked at. Together with --spesh-blocking the \
                 shortest test is specialised.",
    },
    Opt {
        id: Id::SpeshLimit,
        short: None,
        long: "spesh-limit",
        argument: argument("n", ArgumentKind::Number),
        group: Group::Specialiser,
        help: "make at most n specialisations; 0 only observes",
        detail: "With --spesh-blocking, halving n finds the one that is made wrong.",
    },
    Opt {
        id: Id::SpeshBuffer,
        short: None,
        long: "spesh-buffer",
        argument: argument("n", ArgumentKind::Number),
        group: Group::Specialiser,
        help: "hand over n observations at a time: for tests and tuning",
        detail: "Also how many loop turns and calls go by before the first. The defaults are 16384 and 20000.",
    },
    Opt {
        id: Id::Library,
        short: None,
        long: "library",
        argument: argument("namespace", ArgumentKind::Choice(&["array", "math", "text"])),
        group: Group::Own,
        help: "print the library's functions written in awk, and exit",
        detail: "To read them, or to copy them into a program for other awks.",
    },
    Opt {
        id: Id::Dump,
        short: None,
        long: "dump",
        argument: argument("what", ArgumentKind::Choice(&["ast", "bytecode", "ir", "asm"])),
        group: Group::Own,
        help: "print the program's tree, bytecode, or machine code",
        detail: "The tree (ast) and the bytecode are printed instead of running the program. Machine code is made while it runs; its \
                 intermediate representation (ir) or the code itself (asm) is printed to standard error when the program ends.",
    },
    Opt {
        id: Id::Format,
        short: None,
        long: "format",
        argument: None,
        group: Group::Own,
        help: "print the program laid out anew; do not run it",
        detail: "As --pretty-print=-, and single empty lines between statements stay, and so do @include and the files it names.",
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
        help: "the most memory that the program may take",
        detail: "A number of bytes; K, M and G behind it are for KiB, MiB and GiB. A program that needs more ends with status 2, and the \
                 message names what holds most: an array, the text of a variable, the record. Without this option the system's limits hold, \
                 and the error is the same.",
    },
    Opt {
        id: Id::Timeout,
        short: None,
        long: "timeout",
        argument: argument("time", ArgumentKind::Text),
        group: Group::Own,
        help: "the longest that the program may run",
        detail: "Seconds, or a number with ms, s, m or h behind it: 500ms, 1.5, 2m. Then it ends with status 2, whatever it does or waits for; what \
                 it has printed is written, and the commands that it has started are ended. Such a run is on one thread.",
    },
    Opt {
        id: Id::MaxRecord,
        short: None,
        long: "max-record",
        argument: argument("size", ArgumentKind::Number),
        group: Group::Own,
        help: "the longest that a record may be",
        detail: "As --memory-limit. A longer one, in any input, ends the program with status 2 when the records before it have been worked on. \
                 Without this option it is 4 GiB.",
    },
    Opt {
        id: Id::MaxOutput,
        short: None,
        long: "max-output",
        argument: argument("size", ArgumentKind::Number),
        group: Group::Own,
        help: "the most that the program may print",
        detail: "As --memory-limit, to all outputs together and before they are compressed or encoded. So much is written; then the \
                 program ends with status 2. What commands print themselves does not count; \
                 file::spew, append and prepend, which count, are -1 instead.",
    },
    Opt {
        id: Id::MaxSteps,
        short: None,
        long: "max-steps",
        argument: argument("number", ArgumentKind::Number),
        group: Group::Own,
        help: "the most iterations and calls",
        detail: "More iterations of loops, calls of functions and records than this number, all together, are an error: the program ends \
                 with status 2. It is the same program each time, however fast the machine is.",
    },
    Opt {
        id: Id::MaxRecords,
        short: None,
        long: "max-records",
        argument: argument("number", ArgumentKind::Number),
        group: Group::Own,
        help: "the most records of the main input",
        detail: "A record more than this number is an error: the program ends with status 2, and END does not run. Records that getline \
                 reads from elsewhere do not count.",
    },
    Opt {
        id: Id::WindowSize,
        short: None,
        long: "window-size",
        argument: argument("bytes", ArgumentKind::Number),
        group: Group::Own,
        help: "first size of the input window: for tests and tuning",
        detail: "The default is 262144. The window grows when a record is longer, so any size gives the same answers.",
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
