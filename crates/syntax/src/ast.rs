//! The tree of a program: every name resolved, every node with its place in the source.
//!
//! Nodes are in arenas and refer to each other by id: a deep tree is dropped without recursion, and
//! a pass keeps facts in vectors indexed by id.

use std::ops::Index;

pub use crate::dialect::Dialect;
pub use crate::extension::Extension;
pub use crate::library::LibraryFn;

/// A range of bytes in the program's text; see [`crate::source::SourceMap`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);
        impl $name {
            /// The id as an index.
            pub fn index(self) -> usize { self.0 as usize }
        }
    )*};
}

ids! {
    /// An expression in [`Program::exprs`].
    ExprId;
    /// A statement in [`Program::stmts`].
    StmtId;
    /// A global variable in [`Program::globals`].
    GlobalId;
    /// A user function in [`Program::functions`].
    FunctionId;
}

/// Globals that every program has; the engine reads or fills them.
impl GlobalId {
    /// `ARGC`.
    pub const ARGC: GlobalId = GlobalId(0);
    /// `ARGV`.
    pub const ARGV: GlobalId = GlobalId(1);
    /// `ENVIRON`.
    pub const ENVIRON: GlobalId = GlobalId(2);
    /// Their names, in id order.
    pub const PREDEFINED: [&'static str; 3] = ["ARGC", "ARGV", "ENVIRON"];
    /// Arrays that the engine fills if the program mentions them.
    pub const FILLED: [&'static str; 3] = ["PROCINFO", "SYMTAB", "FUNCTAB"];
}

/// A whole program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Arena of expressions.
    pub exprs: Vec<Expr>,
    /// Arena of statements.
    pub stmts: Vec<Stmt>,
    /// `BEGIN` actions in source order.
    pub begin: Vec<Action>,
    /// Pattern-action rules in source order.
    pub rules: Vec<Rule>,
    /// `END` actions in source order.
    pub end: Vec<Action>,
    /// `BEGINFILE` actions in source order.
    pub begin_file: Vec<Action>,
    /// `ENDFILE` actions in source order.
    pub end_file: Vec<Action>,
    /// User functions in the order of their first mention.
    pub functions: Vec<Function>,
    /// Global variables; the first are [`GlobalId::PREDEFINED`].
    pub globals: Vec<Global>,
    /// What the program was read as.
    pub dialect: Dialect,
    /// The strings `_"..."`, meant for translation.
    pub translatable: Vec<ExprId>,
    /// The texts of constants that are not integers below 2^53: `-M` needs more than a double.
    pub numerals: Vec<(ExprId, Vec<u8>)>,
    /// The comments, from `#` to the end of the line.
    pub comments: Vec<Span>,
    /// `@include`, `@load` and `@namespace` with a name.
    pub directives: Vec<Directive>,
    /// How many expressions at the end of the arena are not in the text: bodies of built-in
    /// functions for indirect calls.
    pub made_up: usize,
    /// Extensions that are loaded.
    pub extensions: Vec<Extension>,
}

/// A directive, outside rules and functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// From the `@` to the closing quote of the name.
    pub span: Span,
    /// Which it is.
    pub kind: DirectiveKind,
}

/// Which directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DirectiveKind {
    /// `@include`; the piece that was read, none if it had been read before.
    Include(Option<usize>),
    /// `@load`
    Load,
    /// `@namespace`, with its name.
    Namespace(String),
}

impl Index<ExprId> for Program {
    type Output = Expr;
    fn index(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }
}

impl Index<StmtId> for Program {
    type Output = Stmt;
    fn index(&self, id: StmtId) -> &Stmt {
        &self.stmts[id.index()]
    }
}

/// A global variable, without side effects (see [`Special`]).
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name.
    pub name: String,
    /// How the program's text uses it.
    pub usage: Usage,
}

/// What the text proves about a name. Both may be set: gawk runs the program until the conflict
/// happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Used as a scalar.
    pub scalar: bool,
    /// Used as an array: subscripted, `in`, `delete`, an argument of `split` ...
    pub array: bool,
}

/// A `BEGIN`, `END`, `BEGINFILE` or `ENDFILE` action.
#[derive(Clone, Debug)]
pub struct Action {
    /// The statements.
    pub body: Vec<StmtId>,
    /// From the keyword to the closing brace.
    pub span: Span,
}

/// A pattern with its action.
#[derive(Clone, Debug)]
pub struct Rule {
    /// When the action runs.
    pub pattern: Pattern,
    /// `None` means `{ print }`.
    pub action: Option<Vec<StmtId>>,
    /// The whole rule.
    pub span: Span,
}

/// When a rule's action runs.
#[derive(Clone, Copy, Debug)]
pub enum Pattern {
    /// For every record.
    Always,
    /// When the expression is true.
    Expr(ExprId),
    /// From a record for which the first is true to the next, possibly the same, for which the
    /// second is.
    Range(ExprId, ExprId),
}

/// A user function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Parameters in order. A call with more arguments adds parameters without a name: gawk
    /// evaluates such arguments and drops them.
    pub params: Vec<Param>,
    /// The statements.
    pub body: Vec<StmtId>,
    /// The whole definition.
    pub span: Span,
    /// The name in the definition.
    pub name_span: Span,
    /// Whether there is a definition. Without one there are no statements and a parameter for each
    /// argument; reaching a call is an error, as in gawk.
    pub defined: bool,
    /// A built-in function, for indirect calls: its body is the direct call.
    pub builtin: bool,
    /// Part of the library written in awk: its text gives no warnings.
    pub in_library: bool,
}

/// A formal parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// What the function's text and its calls prove. Both may be set: awk decides at run time.
    pub usage: Usage,
    /// Where it is declared.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it is.
    pub span: Span,
}

/// The kinds of statement.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// An expression for its effect.
    Expr(ExprId),
    /// `print args`; no arguments prints `$0`.
    Print {
        /// What to print.
        args: Vec<ExprId>,
        /// Where to, when not standard output.
        to: Option<Redirect>,
    },
    /// `printf format, args`. Without any, an error when reached, or nothing without gawk's
    /// extensions.
    Printf {
        /// Format first.
        args: Vec<ExprId>,
        /// Where to, when not standard output.
        to: Option<Redirect>,
    },
    /// `if (cond) then else otherwise`.
    If {
        /// Condition.
        cond: ExprId,
        /// When true.
        then: StmtId,
        /// When false.
        otherwise: Option<StmtId>,
    },
    /// `while (cond) body`.
    While {
        /// Condition.
        cond: ExprId,
        /// Body.
        body: StmtId,
    },
    /// `do body while (cond)`.
    DoWhile {
        /// Body.
        body: StmtId,
        /// Condition.
        cond: ExprId,
    },
    /// `for (init; cond; step) body`.
    For {
        /// Before the loop.
        init: Option<StmtId>,
        /// Missing means true.
        cond: Option<ExprId>,
        /// After each turn.
        step: Option<StmtId>,
        /// Body.
        body: StmtId,
    },
    /// `for (target in array) body`.
    ForIn {
        /// An lvalue expression, as in gawk's grammar.
        target: ExprId,
        /// The array.
        array: Name,
        /// Body.
        body: StmtId,
    },
    /// `switch (subject) { cases }`.
    Switch {
        /// What the labels are compared with.
        subject: ExprId,
        /// In order; one falls through to the next.
        cases: Vec<Case>,
    },
    /// `{ ... }`; also the empty statement `;`.
    Block(Vec<StmtId>),
    /// `next`.
    Next,
    /// `nextfile`.
    NextFile,
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `exit [status]`.
    Exit(Option<ExprId>),
    /// `return [value]`.
    Return(Option<ExprId>),
    /// `delete array` or `delete array[subscripts]`.
    Delete {
        /// The array.
        array: Name,
        /// `None` deletes every element.
        subscripts: Option<Vec<ExprId>>,
    },
    /// `delete @"name"`: a column of a table.
    DeleteField {
        /// A `Field`.
        field: ExprId,
    },
}

/// One `case` of a `switch`, or its `default`.
#[derive(Clone, Debug)]
pub struct Case {
    /// A `Number`, `String`, `Regex` or `TypedRegex`; none for `default`.
    pub label: Option<ExprId>,
    /// The statements.
    pub body: Vec<StmtId>,
    /// The word `case` or `default`.
    pub span: Span,
}

/// Where output goes.
#[derive(Clone, Copy, Debug)]
pub struct Redirect {
    /// How.
    pub kind: RedirectKind,
    /// File name or command.
    pub target: ExprId,
}

/// How output is redirected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectKind {
    /// `> file`.
    Truncate,
    /// `>> file`.
    Append,
    /// `| command`.
    Pipe,
    /// `|& command`: the command's output comes back by `command |& getline`.
    Coprocess,
}

/// A variable by where it lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A global.
    Global(GlobalId),
    /// The function's parameter with this index.
    Param(u16),
    /// A variable whose reading or writing has effects.
    Special(Special),
}

/// A name of a variable or array, or an element that is an array.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    /// Where the variable lives.
    pub place: Place,
    /// Where the name stands.
    pub span: Span,
    /// The array is this [`ExprKind::Element`] of the variable.
    pub element: Option<ExprId>,
}

macro_rules! specials {
    ($($(#[$doc:meta])* $name:ident $text:literal;)*) => {
        /// Variables of the engine: reading may compute, writing may act, as NF splits and rebuilds
        /// the record.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Special { $($(#[$doc])* $name),* }
        impl Special {
            /// All of them, in declaration order.
            pub const ALL: &'static [Special] = &[$(Special::$name),*];
            /// The name a program uses.
            pub fn name(self) -> &'static str {
                match self { $(Special::$name => $text),* }
            }
            /// The special with this name.
            pub fn from_name(name: &str) -> Option<Special> {
                match name { $($text => Some(Special::$name),)* _ => None }
            }
        }
    };
}

specials! {
    /// Number of fields.
    Nf "NF";
    /// Records read.
    Nr "NR";
    /// Records read from this file.
    Fnr "FNR";
    /// Field separator.
    Fs "FS";
    /// Output field separator.
    Ofs "OFS";
    /// Output record separator.
    Ors "ORS";
    /// Record separator.
    Rs "RS";
    /// What ended the record.
    Rt "RT";
    /// Joins multiple subscripts.
    Subsep "SUBSEP";
    /// Number to string, in general.
    Convfmt "CONVFMT";
    /// Number to string, in print.
    Ofmt "OFMT";
    /// Where `match` matched, 1-based.
    Rstart "RSTART";
    /// How long `match`'s match is.
    Rlength "RLENGTH";
    /// The current input file.
    Filename "FILENAME";
    /// The reason of the last failure, in words.
    Errno "ERRNO";
    /// The encoding of files opened from now on; empty for UTF-8.
    Encoding "ENCODING";
    /// The index in ARGV of the current input file.
    Argind "ARGIND";
    /// Fields by their widths.
    Fieldwidths "FIELDWIDTHS";
    /// What a field looks like.
    Fpat "FPAT";
    /// Upper and lower case are the same.
    Ignorecase "IGNORECASE";
    /// Files are binary.
    Binmode "BINMODE";
    /// Warnings about doubtful constructs.
    Lint "LINT";
    /// Where messages are translated from.
    Textdomain "TEXTDOMAIN";
    /// Bits of a float in arithmetic of any precision.
    Prec "PREC";
    /// Which way they are.
    Roundmode "ROUNDMODE";
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it is.
    pub span: Span,
}

/// The kinds of expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A numeric constant.
    Number(f64),
    /// A string constant, escapes already processed.
    String(Vec<u8>),
    /// `/re/`: the text between the slashes with only `\/` undone. As a value it means `$0 ~ /re/`;
    /// at `~`, or as a regex argument, it is the regex itself.
    Regex(Vec<u8>),
    /// `@/re/`: the regex itself, everywhere.
    TypedRegex(Vec<u8>),
    /// A variable.
    Var(Place),
    /// `array[subscripts]`.
    Element {
        /// The array.
        array: Name,
        /// Several are joined by SUBSEP.
        subscripts: Vec<ExprId>,
    },
    /// `$index`.
    Field(ExprId),
    /// `(inner)`: kept because `print (a)(b) > "x"`, `(a ~ b)` and strnum rules depend on it.
    Group(ExprId),
    /// `subscripts in array`.
    In {
        /// One or more.
        subscripts: Vec<ExprId>,
        /// The array.
        array: Name,
    },
    /// `target = value`, or `target op= value`.
    Assign {
        /// `None` is plain `=`.
        op: Option<BinaryOp>,
        /// An lvalue: `Var`, `Element` or `Field`.
        target: ExprId,
        /// The value.
        value: ExprId,
    },
    /// `++x`, `x++`, `--x`, `x--`.
    Step {
        /// Before the variable: the result is the new value.
        prefix: bool,
        /// `--` rather than `++`.
        down: bool,
        /// An lvalue.
        target: ExprId,
    },
    /// `cond ? yes : no`.
    Cond {
        /// Condition.
        cond: ExprId,
        /// When true.
        yes: ExprId,
        /// When false.
        no: ExprId,
    },
    /// `a && b`.
    And(ExprId, ExprId),
    /// `a || b`.
    Or(ExprId, ExprId),
    /// `!a`.
    Not(ExprId),
    /// `-a`.
    Minus(ExprId),
    /// `+a`.
    Plus(ExprId),
    /// Arithmetic, concatenation, comparison.
    Binary(BinaryOp, ExprId, ExprId),
    /// `text ~ regex`, `text !~ regex`; the right side is an [`ExprKind::Regex`] or a dynamic
    /// regex.
    Match {
        /// `!~`.
        negated: bool,
        /// Left side.
        text: ExprId,
        /// Right side.
        regex: ExprId,
    },
    /// A call of a user function.
    Call {
        /// Which.
        function: FunctionId,
        /// At most one per parameter. A bare `Var` may be an array.
        args: Vec<ExprId>,
    },
    /// `@name(args)`: calls the function whose name the variable holds.
    IndirectCall {
        /// The variable.
        name: ExprId,
        /// Arguments. A bare `Var` may be an array.
        args: Vec<ExprId>,
    },
    /// A call of a built-in function. Array arguments (`split`'s second, `length`'s) are `Var`
    /// nodes.
    Builtin {
        /// Which.
        builtin: Builtin,
        /// Arguments, their number already checked.
        args: Vec<ExprId>,
    },
    /// A call of a library function. Array arguments are `Var` nodes.
    Library {
        /// Which.
        function: LibraryFn,
        /// Arguments, their number already checked.
        args: Vec<ExprId>,
    },
    /// A call that fails when it is reached, after evaluating the arguments.
    CannotWork {
        /// The function's name.
        function: &'static str,
        /// What the error says.
        complaint: String,
        /// Arguments. A bare `Var` may be an array.
        args: Vec<ExprId>,
    },
    /// A getline form; its value is 1, 0 or -1.
    Getline {
        /// Where from.
        from: GetlineFrom,
        /// The lvalue that receives the record; `None` is `$0`.
        target: Option<ExprId>,
    },
}

/// Where getline reads from.
#[derive(Clone, Copy, Debug)]
pub enum GetlineFrom {
    /// The main input.
    Main,
    /// `getline < file`.
    File(ExprId),
    /// `command | getline`.
    Command(ExprId),
    /// `command |& getline`.
    Coprocess(ExprId),
}

/// Operators with two operands and no control flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Mod,
    /// `^`, `**`
    Pow,
    /// juxtaposition
    Concat,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl BinaryOp {
    /// How a program writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Mod => "%",
            BinaryOp::Pow => "^",
            BinaryOp::Concat => "",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
        }
    }
}

macro_rules! builtins {
    ($($(#[$doc:meta])* $name:ident $text:literal $min:literal ..= $max:literal;)*) => {
        /// The built-in functions.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Builtin { $($(#[$doc])* $name),* }
        impl Builtin {
            /// All of them, in declaration order.
            pub const ALL: &'static [Builtin] = &[$(Builtin::$name),*];
            /// The name a program uses.
            pub const fn name(self) -> &'static str {
                match self { $(Builtin::$name => $text),* }
            }
            /// The built-in with this name.
            pub fn from_name(name: &str) -> Option<Builtin> {
                match name { $($text => Some(Builtin::$name),)* _ => None }
            }
            /// Least and greatest number of arguments.
            pub fn arity(self) -> (usize, usize) {
                match self { $(Builtin::$name => ($min, $max)),* }
            }
        }
    };
}

builtins! {
    /// `length`, `length x`, `length(x)`, `length(array)`.
    Length "length" 0 ..= 1;
    /// `substr(s, m [, n])`.
    Substr "substr" 2 ..= 3;
    /// `index(s, t)`.
    Index "index" 2 ..= 2;
    /// `split(s, a [, fs [, seps]])`.
    Split "split" 2 ..= 4;
    /// `sub(re, repl [, target])`.
    Sub "sub" 2 ..= 3;
    /// `gsub(re, repl [, target])`.
    Gsub "gsub" 2 ..= 3;
    /// `match(s, re [, array])`.
    Match "match" 2 ..= 3;
    /// `sprintf(format, ...)`.
    Sprintf "sprintf" 1 ..= 65535;
    /// `tolower(s)`.
    Tolower "tolower" 1 ..= 1;
    /// `toupper(s)`.
    Toupper "toupper" 1 ..= 1;
    /// `sin(x)`.
    Sin "sin" 1 ..= 1;
    /// `cos(x)`.
    Cos "cos" 1 ..= 1;
    /// `atan2(y, x)`.
    Atan2 "atan2" 2 ..= 2;
    /// `exp(x)`.
    Exp "exp" 1 ..= 1;
    /// `log(x)`.
    Log "log" 1 ..= 1;
    /// `sqrt(x)`.
    Sqrt "sqrt" 1 ..= 1;
    /// `int(x)`.
    Int "int" 1 ..= 1;
    /// `rand()`.
    Rand "rand" 0 ..= 0;
    /// `srand([seed])`.
    Srand "srand" 0 ..= 1;
    /// `close(name)`.
    Close "close" 1 ..= 2;
    /// `fflush([name])`.
    Fflush "fflush" 0 ..= 1;
    /// `system(command)`.
    System "system" 1 ..= 1;
}
