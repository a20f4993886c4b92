//! Tokens: their kinds, the reserved words, and their names in messages.

use crate::ast::Span;

/// A token. The value of a number or string is in the lexer until the next token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub span: Span,
    /// The number of its word in the lexer's table, for names, built-ins and keywords.
    pub word: u32,
}

macro_rules! tokens {
    ($($name:ident $text:literal,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(crate) enum TokenKind { $($name),* }
        impl TokenKind {
            pub(crate) fn describe(self) -> &'static str {
                match self { $(TokenKind::$name => $text),* }
            }
        }
    };
}

tokens! {
    Newline "the end of the line", Eof "the end of the program",
    // Operands.
    Number "a number", String "a string", Name "a name", Builtin "a built-in function",
    // A name in a namespace of the library that is not one of its functions.
    Qualified "a qualified name",
    LeftParen "`(`", RightParen "`)`", LeftBracket "`[`", RightBracket "`]`", LeftBrace "`{`", RightBrace "`}`",
    Semicolon "`;`", Comma "`,`", Question "`?`", Colon "`:`", Dollar "`$`",
    // Operators.
    Plus "`+`", Minus "`-`", Star "`*`", Slash "`/`", Percent "`%`", Caret "`^`", Not "`!`",
    Increment "`++`", Decrement "`--`", And "`&&`", Or "`||`", Match "`~`", NoMatch "`!~`",
    Less "`<`", LessEqual "`<=`", Equal "`==`", NotEqual "`!=`", Greater "`>`", GreaterEqual "`>=`",
    Append "`>>`", Pipe "`|`", Coprocess "`|&`", At "`@`",
    Assign "`=`", AddAssign "`+=`", SubAssign "`-=`", MulAssign "`*=`", DivAssign "`/=`", ModAssign "`%=`",
    PowAssign "`^=`",
    // Keywords.
    Begin "`BEGIN`", End "`END`", BeginFile "`BEGINFILE`", EndFile "`ENDFILE`", Function "`function`",
    If "`if`", Else "`else`", While "`while`", For "`for`", Do "`do`", Switch "`switch`", Case "`case`",
    Default "`default`", Break "`break`", Continue "`continue`", Next "`next`", NextFile "`nextfile`",
    Exit "`exit`", Return "`return`", Delete "`delete`", In "`in`", Getline "`getline`", Print "`print`",
    Printf "`printf`",
    // A character allowed only in strings, regexes and comments; the lexer has reported it.
    Invalid "an invalid character",
}

pub(crate) const KEYWORDS: &[(&str, TokenKind)] = &[
    ("BEGIN", TokenKind::Begin),
    ("END", TokenKind::End),
    ("BEGINFILE", TokenKind::BeginFile),
    ("ENDFILE", TokenKind::EndFile),
    ("function", TokenKind::Function),
    ("func", TokenKind::Function),
    ("if", TokenKind::If),
    ("else", TokenKind::Else),
    ("while", TokenKind::While),
    ("for", TokenKind::For),
    ("do", TokenKind::Do),
    ("switch", TokenKind::Switch),
    ("case", TokenKind::Case),
    ("default", TokenKind::Default),
    ("break", TokenKind::Break),
    ("continue", TokenKind::Continue),
    ("next", TokenKind::Next),
    ("nextfile", TokenKind::NextFile),
    ("exit", TokenKind::Exit),
    ("return", TokenKind::Return),
    ("delete", TokenKind::Delete),
    ("in", TokenKind::In),
    ("getline", TokenKind::Getline),
    ("print", TokenKind::Print),
    ("printf", TokenKind::Printf),
];
