//! The library: gawk's functions beyond POSIX, and our own, which are in namespaces (`file::slurp`)
//! so that existing programs keep their meaning.
//!
//! Each row has its documentation, which users read, then name, required parameters, optional ones,
//! and `more` if any number may follow. Parser, compiler, machine and manual use this table.

/// What a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// The value of any expression.
    Value,
    /// An array, which the function fills.
    Array,
    /// A regular expression, not a match of the record.
    Pattern,
    /// Anything. A variable without a value may later become an array.
    Any,
}

/// A parameter of a library function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in the documentation.
    pub name: &'static str,
    /// What it takes.
    pub kind: ParameterKind,
}

macro_rules! library {
    ($(
        $(#[doc = $doc:literal])*
        $variant:ident $name:literal ($($required:ident: $required_kind:ident),*) [$($optional:ident: $optional_kind:ident),*]
            $($more:ident)?;
    )*) => {
        /// A library function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum LibraryFn { $($(#[doc = $doc])* $variant),* }

        impl LibraryFn {
            /// All of them, in the table's order.
            pub const ALL: &'static [LibraryFn] = &[$(LibraryFn::$variant),*];

            /// The name, with its namespace.
            pub const fn name(self) -> &'static str {
                match self { $(LibraryFn::$variant => $name),* }
            }

            /// The parameters in order.
            pub fn parameters(self) -> &'static [Parameter] {
                match self {$(
                    LibraryFn::$variant => const { &[
                        $(Parameter { name: stringify!($required), kind: ParameterKind::$required_kind },)*
                        $(Parameter { name: stringify!($optional), kind: ParameterKind::$optional_kind },)*
                    ] },
                )*}
            }

            fn optional(self) -> usize {
                match self { $(LibraryFn::$variant => const { let names: &[&str] = &[$(stringify!($optional)),*]; names.len() }),* }
            }

            fn takes_more(self) -> bool {
                match self { $(LibraryFn::$variant => const { let marks: &[&str] = &[$(stringify!($more))?]; !marks.is_empty() }),* }
            }

            /// What it does, in words.
            pub fn documentation(self) -> &'static str {
                match self { $(LibraryFn::$variant => concat!($($doc, "\n"),*).trim_ascii()),* }
            }
        }
    };
}

library! {
    /// What s is when the matches of re that how says are replaced: by its number, or all for "g".
    Gensub "gensub" (re: Pattern, new: Value, how: Value) [s: Value];
    /// What re matches in s becomes the array, from 1, and what stands around the matches the other, from 0; how many.
    Patsplit "patsplit" (s: Value, array: Array) [re: Pattern, between: Array];
    /// The elements of an array in order become the array from 1, or another one; how many.
    Asort "asort" (array: Array) [into: Array, how: Value];
    /// The keys of an array in order become the array from 1, or another one; how many.
    Asorti "asorti" (array: Array) [into: Array, how: Value];
    /// The number that a text is, in C's hexadecimal and octal too.
    Strtonum "strtonum" (s: Value) [];
    /// Seconds since 1970.
    Systime "systime" () [];
    /// A time as text.
    Strftime "strftime" () [format: Value, time: Value, utc: Value];
    /// The time that `YYYY MM DD HH MM SS [DST]` is, in seconds since 1970; or -1.
    Mktime "mktime" (date: Value) [utc: Value];
    /// The bits that all have.
    And "and" (a: Value, b: Value) [] more;
    /// The bits that one has.
    Or "or" (a: Value, b: Value) [] more;
    /// The bits that an odd number have.
    Xor "xor" (a: Value, b: Value) [] more;
    /// The bits of 53 that it lacks.
    Compl "compl" (n: Value) [];
    /// The bits, count places up.
    Lshift "lshift" (n: Value, count: Value) [];
    /// The bits, count places down.
    Rshift "rshift" (n: Value, count: Value) [];
    /// What the value is, in a word.
    Typeof "typeof" (x: Any) [array: Array];
    /// Whether it is an array.
    Isarray "isarray" (x: Any) [];
    /// Whether it is true, as a number that knows it is an answer.
    Mkbool "mkbool" (x: Value) [];
    /// Where messages are translated from.
    Bindtextdomain "bindtextdomain" (directory: Value) [domain: Value];
    /// The translation of a text.
    Dcgettext "dcgettext" (text: Value) [domain: Value, category: Value];
    /// The translation of a text for so many.
    Dcngettext "dcngettext" (one: Value, many: Value, count: Value) [domain: Value, category: Value];
    /// The text of a whole file; nothing assigned when it cannot be read.
    FileSlurp "file::slurp" (path: Value) [limit: Value];
    /// The lines of a file become the array, from 1; how many, or -1.
    FileLines "file::lines" (path: Value, array: Array) [];
    /// The text becomes the content of the file; 1, or -1.
    FileSpew "file::spew" (path: Value, text: Value) [flags: Value];
    /// The text comes after what the file holds; 1, or -1.
    FileAppend "file::append" (path: Value, text: Value) [flags: Value];
    /// The text comes before what the file holds; 1, or -1.
    FilePrepend "file::prepend" (path: Value, text: Value) [flags: Value];
    /// The function's answer becomes the content of the file; 1, 0 if it stays the same, or -1.
    FileEdit "file::edit" (path: Value, function: Value) [];
    /// The function's answer to each line takes its place in the file; 1, 0 if all stay the same, or -1.
    FileEditLines "file::edit_lines" (path: Value, function: Value) [];
    /// The names in a directory become the array, from 1 and sorted; how many, or -1.
    FileDir "file::dir" (path: Value, array: Array) [];
    /// What the system knows about a file becomes the array; 1, or -1.
    FileStat "file::stat" (path: Value, array: Array) [follow: Value];
    /// How many grapheme clusters the text has; they become the array, from 1.
    TextGraphemes "text::graphemes" (s: Value) [array: Array];
    /// How many code points the text has; they become the array, from 1.
    TextCodepoints "text::codepoints" (s: Value) [array: Array];
    /// The text in a normal form: NFC, NFD, NFKC or NFKD.
    TextNormalize "text::normalize" (s: Value) [form: Value];
    /// How many columns of a terminal the text takes.
    TextWidth "text::width" (s: Value) [];
    /// The text with old replaced by new wherever it stands, or the first count times.
    TextReplace "text::replace" (s: Value, old: Value, new: Value) [count: Value];
    /// What re matches in s becomes the array, from 1, each an array of the match, its groups, start and length; how many.
    TextMatches "text::matches" (s: Value, re: Pattern, array: Array) [];
    /// The text with every byte that may not stand in a part of a URL as %XX.
    TextUrlEncode "text::url_encode" (s: Value) [];
    /// The text with every %XX replaced by the byte that it stands for.
    TextUrlDecode "text::url_decode" (s: Value) [];
    /// The text as the bytes that it is in an encoding; nothing assigned when it cannot be written so.
    TextEncode "text::encode" (s: Value, encoding: Value) [];
    /// The text that bytes are in an encoding; nothing assigned when they are not valid in it.
    TextDecode "text::decode" (s: Value, encoding: Value) [];
    /// The time now, in seconds since 1970 with their fraction.
    TimeNow "time::now" () [];
    /// The time that a text is, by its shape or in a format; nothing assigned when it is none.
    TimeParse "time::parse" (text: Value) [format: Value, zone: Value];
    /// A time as text, in ISO 8601 or in a format.
    TimeFormat "time::format" (time: Value) [format: Value, zone: Value];
    /// The time that `YYYY MM DD HH MM SS [DST]` is; nothing assigned when it is none.
    TimeMake "time::make" (date: Value) [zone: Value];
    /// The time that is a duration later, by the calendar of a zone.
    TimeAdd "time::add" (time: Value, duration: Value) [zone: Value];
    /// The seconds that a duration is.
    TimeSeconds "time::seconds" (duration: Value) [];
    /// Seconds as a duration: short, iso or clock.
    TimeDuration "time::duration" (seconds: Value) [style: Value];
    /// What a JSON text is; of an object or array its text, or its members become the array: how many, or -1. Nothing assigned when it is no JSON.
    JsonParse "json::parse" (text: Value) [array: Array];
    /// The value or the array as JSON: an object, or an array if its keys are 1, 2 and so on.
    JsonFormat "json::format" (x: Any) [];
    /// What JSON calls true.
    JsonTrue "json::true" () [];
    /// What JSON calls false.
    JsonFalse "json::false" () [];
    /// What JSON calls null.
    JsonNull "json::null" () [];
    /// The directory to work in becomes another; 0, or -1.
    Chdir "chdir" (path: Value) [];
    /// What the system knows about a file becomes the array; 0, or -1.
    Stat "stat" (path: Value, array: Array) [follow: Value];
    /// Whether a name is of a shell pattern: 0, else 1.
    Fnmatch "fnmatch" (pattern: Value, name: Value, flags: Value) [];
    /// The number of the first character.
    Ord "ord" (s: Value) [];
    /// The character of a number.
    Chr "chr" (n: Value) [];
    /// The text of a whole file; empty when it cannot be read.
    Readfile "readfile" (path: Value) [];
    /// Seconds since 1970, with their fraction.
    Gettimeofday "gettimeofday" () [];
    /// Waits; 0, or -1.
    Sleep "sleep" (seconds: Value) [];
    /// The time that a text is in a format, in seconds since 1970; or -1.
    Strptime "strptime" (text: Value, format: Value) [];
    /// What is below the paths becomes the array, with what the system knows of each; 0, or -1.
    Fts "fts" (paths: Array, flags: Value, tree: Array) [];
    /// What the system knows about the file system of a file becomes the array; 0, or -1.
    Statvfs "statvfs" (path: Value, array: Array) [];
    /// Quotient and remainder of the integers become the array; 0, or -1.
    Intdiv "intdiv" (a: Value, b: Value, array: Array) [];
    /// The array becomes the content of the file; 1, or 0.
    Writea "writea" (path: Value, array: Array) [];
    /// What was written becomes the array; 1, or 0.
    Reada "reada" (path: Value, array: Array) [];
    /// All variables become the content of the file; 1, or 0.
    Writeall "writeall" (path: Value) [];
    /// What was written becomes the variables that have no value; 1, or 0.
    Readall "readall" (path: Value) [];
    /// From here on there are two processes: 0 in the new one, its number in this one, or -1.
    Fork "fork" () [];
    /// Whether a process that was forked has ended: its number, 0 or -1.
    Waitpid "waitpid" (pid: Value) [];
    /// Waits for any process that was forked: its number, or -1.
    Wait "wait" () [];
}

impl LibraryFn {
    pub(crate) const NAMESPACES: &'static [&'static str] = &["file", "json", "text", "time"];

    /// The number of functions that need no `@load`; those of extensions follow.
    pub(crate) const RESERVED: usize = LibraryFn::Chdir as usize;

    /// The functions that need no `@load`.
    pub fn reserved() -> impl Iterator<Item = LibraryFn> {
        LibraryFn::ALL[..LibraryFn::RESERVED].iter().copied()
    }

    /// The function with this name, extensions left out.
    pub fn from_name(name: &str) -> Option<LibraryFn> {
        LibraryFn::reserved().find(|function| function.name() == name)
    }

    /// The namespace in its name.
    pub fn namespace(self) -> Option<&'static str> {
        self.name().split_once("::").map(|(namespace, _)| namespace)
    }

    /// Whether it may call functions of the program.
    pub fn calls_back(self) -> bool {
        matches!(
            self,
            LibraryFn::Asort | LibraryFn::Asorti | LibraryFn::FileEdit | LibraryFn::FileEditLines
        )
    }

    /// Whether it may read or assign variables that the call does not name.
    pub fn reaches_variables(self) -> bool {
        matches!(self, LibraryFn::Writeall | LibraryFn::Readall)
    }

    /// Minimum and maximum number of arguments.
    pub fn arity(self) -> (usize, usize) {
        let most = self.parameters().len();
        (most - self.optional(), if self.takes_more() { usize::MAX } else { most })
    }

    /// What the argument at this index must be.
    pub fn parameter(self, at: usize) -> ParameterKind {
        self.parameters().get(at).map_or(ParameterKind::Value, |parameter| parameter.kind)
    }

    /// Whether it fills an array when called with `count` arguments.
    pub fn fills_arrays(self, count: usize) -> bool {
        self.parameters().iter().take(count).any(|parameter| parameter.kind == ParameterKind::Array)
    }

    /// Name and parameters as in the documentation: `text::graphemes(s [, array])`.
    pub fn signature(self) -> String {
        let least = self.arity().0;
        let mut signature = format!("{}(", self.name());
        for (at, parameter) in self.parameters().iter().enumerate() {
            if at >= least {
                signature.push_str(if at > 0 { " [" } else { "[" });
            }
            if at > 0 {
                signature.push_str(", ");
            }
            signature.push_str(parameter.name);
        }
        signature.push_str(&"]".repeat(self.optional()));
        if self.takes_more() {
            signature.push_str(", ...");
        }
        signature.push(')');
        signature
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_is_found_by_its_name_and_lives_in_one_of_the_namespaces_or_in_none() {
        for &function in LibraryFn::ALL {
            let is_reserved = crate::extension::Extension::of(function).is_none();
            assert_eq!(LibraryFn::from_name(function.name()), is_reserved.then_some(function));
            assert!(!function.documentation().is_empty());
            let namespace = function.namespace();
            assert!(namespace.is_none_or(|namespace| LibraryFn::NAMESPACES.contains(&namespace)));
        }
        assert_eq!(LibraryFn::from_name("file::nothing"), None);
        assert_eq!(LibraryFn::from_name("slurp"), None);
    }

    #[test]
    fn a_signature_puts_what_may_be_left_out_in_brackets() {
        for (function, arity, signature) in [
            (LibraryFn::FileSlurp, (1, 2), "file::slurp(path [, limit])"),
            (LibraryFn::FileLines, (2, 2), "file::lines(path, array)"),
            (LibraryFn::TextGraphemes, (1, 2), "text::graphemes(s [, array])"),
            (LibraryFn::Xor, (2, usize::MAX), "xor(a, b, ...)"),
            (LibraryFn::Strftime, (0, 3), "strftime([format [, time [, utc]]])"),
            (LibraryFn::TextReplace, (3, 4), "text::replace(s, old, new [, count])"),
        ] {
            assert_eq!((function.arity(), function.signature().as_str()), (arity, signature));
        }
    }

    #[test]
    fn arrays_stand_where_the_table_says() {
        assert_eq!(LibraryFn::FileLines.parameter(0), ParameterKind::Value);
        assert_eq!(LibraryFn::FileLines.parameter(1), ParameterKind::Array);
        assert!(LibraryFn::TextGraphemes.fills_arrays(2));
        assert!(!LibraryFn::TextGraphemes.fills_arrays(1));
        assert!(!LibraryFn::FileSpew.fills_arrays(2));
    }
}
