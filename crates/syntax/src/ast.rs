//! The tree of a program, with every name resolved.
//!
//! Nodes live in arenas and refer to each other by number. So a deep tree is dropped without
//! recursion, and a pass can keep its facts in vectors.

use std::ops::Index;

pub use crate::dialect::Dialect;
pub use crate::extension::Extension;
use crate::host::HostDeclaration;
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
            /// Index.
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
    /// A host function in [`Program::host_functions`].
    HostId;
}

/// Globals that every program has. The engine reads or fills them.
impl GlobalId {
    /// `ARGC`.
    pub const ARGC: GlobalId = GlobalId(0);
    /// `ARGV`.
    pub const ARGV: GlobalId = GlobalId(1);
    /// `ENVIRON`.
    pub const ENVIRON: GlobalId = GlobalId(2);
    /// Their names, in the order of their numbers.
    pub const PREDEFINED: [&'static str; 3] = ["ARGC", "ARGV", "ENVIRON"];
    /// Arrays that the engine fills if the program mentions them.
    pub const FILLED: [&'static str; 3] = ["PROCINFO", "SYMTAB", "FUNCTAB"];
}

/// A whole program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Expressions.
    pub exprs: Vec<Expr>,
    /// Statements.
    pub stmts: Vec<Stmt>,
    /// `BEGIN` actions.
    pub begin: Vec<RuleAction>,
    /// Pattern-action rules.
    pub rules: Vec<Rule>,
    /// `END` actions.
    pub end: Vec<RuleAction>,
    /// The strings `_"..."`, to be translated.
    pub begin_file: Vec<RuleAction>,
    /// `ENDFILE` actions.
    pub end_file: Vec<RuleAction>,
    /// User functions in the order of their first mention.
    pub functions: Vec<FunctionDefinition>,
    /// Global variables; the first are [`GlobalId::PREDEFINED`].
    pub globals: Vec<Global>,
    /// Language.
    pub dialect: Dialect,
    /// The strings `_"..."`, meant for translation.
    pub translatable: Vec<ExprId>,
    /// The texts of number constants that a double may not hold: all but integers below 2^53. For
    /// `-M`.
    pub numerals: Vec<(ExprId, Vec<u8>)>,
    /// The comments, from `#` to the end of the line.
    pub comments: Vec<Span>,
    /// `@include`, `@load` and `@namespace` with a name.
    pub directives: Vec<Directive>,
    /// How many expressions at the end of the arena are not in the text: bodies of built-in
    /// functions for indirect calls.
    pub synthesized: usize,
    /// Loaded extensions.
    pub extensions: Vec<Extension>,
    /// The host functions that were declared, called or not.
    pub host_functions: Vec<HostDeclaration>,
}

/// A directive, outside rules and functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// From the `@` to the closing quote of the name.
    pub span: Span,
    /// Kind.
    pub kind: DirectiveKind,
}

/// Which directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DirectiveKind {
    /// `@include`, with the number of the piece read; none if it had been read before.
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

impl Program {
    /// The expression within any parentheses.
    pub fn peel(&self, mut id: ExprId) -> ExprId {
        while let ExprKind::Group(inner) = self[id].kind {
            id = inner;
        }
        id
    }

    /// Whether a condition is made of others by `&&` or `||`.
    pub fn is_compound(&self, mut id: ExprId) -> bool {
        while let ExprKind::Group(inner) | ExprKind::Not(inner) = self[id].kind {
            id = inner;
        }
        matches!(self[id].kind, ExprKind::And(..) | ExprKind::Or(..))
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
    /// Name.
    pub name: String,
    /// Its uses.
    pub usage: Usage,
}

/// What the text proves about the use of a name. Both may be set, since gawk fails only at run
/// time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Used as a scalar.
    pub scalar: bool,
    /// Used as an array: subscripted, `in`, `delete`, an argument of `split` ...
    pub array: bool,
}

/// A `BEGIN`, `END`, `BEGINFILE` or `ENDFILE` action.
#[derive(Clone, Debug)]
pub struct RuleAction {
    /// Statements.
    pub body: Vec<StmtId>,
    /// From the keyword to the closing brace.
    pub span: Span,
}

/// A pattern with its action.
#[derive(Clone, Debug)]
pub struct Rule {
    /// When the action runs.
    pub pattern: RulePattern,
    /// `None` means `{ print }`.
    pub action: Option<Vec<StmtId>>,
    /// Whole rule.
    pub span: Span,
}

/// When a rule's action runs.
#[derive(Clone, Copy, Debug)]
pub enum RulePattern {
    /// For every record.
    Always,
    /// When the expression is true.
    Expr(ExprId),
    /// From a record for which the first expression is true to the next, possibly the same, for
    /// which the second is.
    Range(ExprId, ExprId),
}

/// A user function.
#[derive(Clone, Debug)]
pub struct FunctionDefinition {
    /// Name.
    pub name: String,
    /// Parameters. A call with too many arguments adds parameters without a name: gawk evaluates
    /// such arguments and drops them.
    pub params: Vec<Param>,
    /// Statements.
    pub body: Vec<StmtId>,
    /// The whole definition.
    pub span: Span,
    /// The name in the definition.
    pub name_span: Span,
    /// Whether there is a definition. Without one a call is an error when it is reached, as in
    /// gawk.
    pub defined: bool,
    /// A built-in function for indirect calls; its body is the direct call.
    pub builtin: bool,
    /// Part of the library written in awk, whose text gives no warnings.
    pub in_library: bool,
}

/// A formal parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Name.
    pub name: String,
    /// What the text proves about its use.
    pub usage: Usage,
    /// Declaration.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Kind.
    pub kind: StmtKind,
    /// Place.
    pub span: Span,
}

/// Kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// An expression for its effect.
    Expr(ExprId),
    /// `print args`; no arguments prints `$0`.
    Print {
        /// Arguments.
        args: Vec<ExprId>,
        /// Redirection.
        to: Option<Redirection>,
    },
    /// `printf format, args`. Without arguments it is an error when reached, or does nothing
    /// without gawk's extensions.
    Printf {
        /// Format first.
        args: Vec<ExprId>,
        /// Redirection.
        to: Option<Redirection>,
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
        /// Any lvalue, as in gawk's grammar.
        target: ExprId,
        /// Array.
        array: Name,
        /// Body.
        body: StmtId,
    },
    /// `switch (subject) { cases }`.
    Switch {
        /// Compared with the labels.
        subject: ExprId,
        /// In order; one falls through to the next.
        cases: Vec<SwitchCase>,
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
        /// Array.
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
pub struct SwitchCase {
    /// A `Number`, `String`, `Regex` or `TypedRegex`; none for `default`.
    pub label: Option<ExprId>,
    /// Statements.
    pub body: Vec<StmtId>,
    /// The word `case` or `default`.
    pub span: Span,
}

/// A redirection.
#[derive(Clone, Copy, Debug)]
pub struct Redirection {
    /// How.
    pub kind: RedirectKind,
    /// File name or command.
    pub target: ExprId,
}

/// Kinds of redirection.
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

/// Where a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariablePlace {
    /// A global.
    Global(GlobalId),
    /// The function's parameter with this index.
    Param(u16),
    /// A variable whose reading or writing has effects.
    Special(Special),
}

/// A variable, an array, or an element that is an array.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    /// Where the variable is.
    pub place: VariablePlace,
    /// Position in the text.
    pub span: Span,
    /// If the array is an element: this [`ExprKind::Element`].
    pub element: Option<ExprId>,
}

macro_rules! specials {
    ($($(#[doc = $doc:literal])* $name:ident $text:literal;)*) => {
        /// Variables of the engine. Reading one may compute its value; assigning one may have
        /// effects.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Special { $($(#[doc = $doc])* $name),* }
        impl Special {
            /// All, in this order.
            pub const ALL: &'static [Special] = &[$(Special::$name),*];
            /// The name a program uses.
            pub fn name(self) -> &'static str {
                match self { $(Special::$name => $text),* }
            }
            /// What it holds, in a few words.
            pub fn summary(self) -> &'static str {
                match self { $(Special::$name => concat!($($doc),*).trim_ascii()),* }
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
    /// Why the last operation failed, in words.
    Errno "ERRNO";
    /// The encoding of files opened from now on; empty for UTF-8.
    Encoding "ENCODING";
    /// The index in ARGV of the current input file.
    Argind "ARGIND";
    /// The widths of fields.
    Fieldwidths "FIELDWIDTHS";
    /// A regular expression that fields match.
    Fpat "FPAT";
    /// Whether upper and lower case are the same.
    Ignorecase "IGNORECASE";
    /// Files are binary.
    Binmode "BINMODE";
    /// Whether to warn about doubtful constructs.
    Lint "LINT";
    /// The domain that messages are translated in.
    Textdomain "TEXTDOMAIN";
    /// Precision in bits, with arithmetic of any precision.
    Prec "PREC";
    /// Rounding mode, with arithmetic of any precision.
    Roundmode "ROUNDMODE";
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Kind.
    pub kind: ExprKind,
    /// Position.
    pub span: Span,
}

/// Kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A numeric constant.
    Number(f64),
    /// A string constant, escapes already processed.
    String(Vec<u8>),
    /// `/re/`: the text between the slashes, in which only `\/` has become `/`. It means `$0 ~
    /// /re/`, except after `~` and as a regex argument.
    Regex(Vec<u8>),
    /// `@/re/`: the regex as a value.
    TypedRegex(Vec<u8>),
    /// A variable.
    Var(VariablePlace),
    /// `array[subscripts]`.
    Element {
        /// Array.
        array: Name,
        /// Several are joined by SUBSEP.
        subscripts: Vec<ExprId>,
    },
    /// `$index`.
    Field(ExprId),
    /// `(inner)`. Kept, because `print (a)(b) > "x"`, `(a ~ b)` and the rules for strnums depend on
    /// it.
    Group(ExprId),
    /// `subscripts in array`.
    In {
        /// One or more.
        subscripts: Vec<ExprId>,
        /// Array.
        array: Name,
    },
    /// `target = value`, or `target op= value`.
    Assign {
        /// `None` for plain `=`.
        op: Option<BinaryOp>,
        /// An lvalue: `Var`, `Element` or `Field`.
        target: ExprId,
        /// Value.
        value: ExprId,
    },
    /// `++x`, `x++`, `--x`, `x--`.
    Step {
        /// Whether the operator is before the variable; then the result is the new value.
        prefix: bool,
        /// Whether it is `--`, not `++`.
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
        /// The function.
        function: FunctionId,
        /// At most one for each parameter. A bare `Var` may be an array.
        args: Vec<ExprId>,
    },
    /// `@name(args)`: calls the function whose name the variable holds.
    IndirectCall {
        /// Variable.
        name: ExprId,
        /// Arguments. A bare `Var` may be an array.
        args: Vec<ExprId>,
    },
    /// A call of a built-in function. Array arguments are `Var` nodes.
    Builtin {
        /// The function.
        builtin: Builtin,
        /// Arguments; their number is correct.
        args: Vec<ExprId>,
    },
    /// A call of a host function. Array arguments are `Var` nodes.
    Host {
        /// The function.
        function: HostId,
        /// Arguments; their number is correct.
        args: Vec<ExprId>,
    },
    /// A call of a library function. Array arguments are `Var` nodes.
    Library {
        /// The function.
        function: LibraryFn,
        /// Arguments; their number is correct.
        args: Vec<ExprId>,
    },
    /// A call that fails when its arguments have been evaluated.
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
        /// The source.
        from: GetlineFrom,
        /// The lvalue that receives the record; `None` for `$0`.
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
    ($($(#[doc = $doc:literal])* $name:ident $text:literal $min:literal ..= $max:literal;)*) => {
        /// The built-in functions.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Builtin { $($(#[doc = $doc])* $name),* }
        impl Builtin {
            /// All, in this order.
            pub const ALL: &'static [Builtin] = &[$(Builtin::$name),*];
            /// The name a program uses.
            pub const fn name(self) -> &'static str {
                match self { $(Builtin::$name => $text),* }
            }
            /// The forms of a call with parentheses, as in the manual: `substr(s, m [, n])`.
            pub fn signatures(self) -> impl Iterator<Item = &'static str> {
                let forms: &'static str = match self { $(Builtin::$name => concat!($($doc),*)),* };
                forms.split('`').skip(1).step_by(2).filter(|form| form.contains('('))
            }
            /// The built-in with this name.
            pub fn from_name(name: &str) -> Option<Builtin> {
                match name { $($text => Some(Builtin::$name),)* _ => None }
            }
            /// Minimum and maximum number of arguments.
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
