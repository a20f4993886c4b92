//! The library: gawk's functions beyond POSIX, and our own, which are in namespaces (`file::slurp`)
//! so that existing programs keep their meaning.
//!
//! Each row has its documentation, then name, required parameters, optional ones, and `more` if any
//! number may follow. Parser, compiler, machine and manual use this table.

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

            /// What it does, in a sentence or two.
            pub fn summary(self) -> &'static str {
                match self { $(LibraryFn::$variant => concat!($($doc),*).trim_ascii()),* }
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
        }
    };
}

library! {
    /// `s` (default `$0`) with the matches of `re` replaced by `new`: match number `how`, or all for "g".
    Gensub "gensub" (re: Pattern, new: Value, how: Value) [s: Value];
    /// Fills `array` from 1 with the matches of `re` in `s`, and `between` from 0 with the text around them; returns the number of matches.
    Patsplit "patsplit" (s: Value, array: Array) [re: Pattern, between: Array];
    /// Sorts the elements of `array`, into `into` if given, numbered from 1; returns their number.
    Asort "asort" (array: Array) [into: Array, how: Value];
    /// Sorts the subscripts of `array`, into `into` if given, numbered from 1; returns their number.
    Asorti "asorti" (array: Array) [into: Array, how: Value];
    /// Converts text to a number; accepts hexadecimal and octal as in C.
    Strtonum "strtonum" (s: Value) [];
    /// The current time in whole seconds since 1970.
    Systime "systime" () [];
    /// Formats a time as text.
    Strftime "strftime" () [format: Value, time: Value, utc: Value];
    /// Converts `YYYY MM DD HH MM SS [DST]` to seconds since 1970; -1 on failure.
    Mktime "mktime" (date: Value) [utc: Value];
    /// Bitwise AND of all arguments.
    And "and" (a: Value, b: Value) [] more;
    /// Bitwise OR of all arguments.
    Or "or" (a: Value, b: Value) [] more;
    /// Bitwise exclusive OR of all arguments.
    Xor "xor" (a: Value, b: Value) [] more;
    /// Bitwise complement, in 53 bits.
    Compl "compl" (n: Value) [];
    /// `n` shifted left by `count` bits.
    Lshift "lshift" (n: Value, count: Value) [];
    /// `n` shifted right by `count` bits.
    Rshift "rshift" (n: Value, count: Value) [];
    /// The name of the type of `x`.
    Typeof "typeof" (x: Any) [array: Array];
    /// 1 if `x` is an array, else 0.
    Isarray "isarray" (x: Any) [];
    /// The truth value of `x`: a number, 1 or 0, of type `number|bool`.
    Mkbool "mkbool" (x: Value) [];
    /// Sets the directory of a domain's message catalogues; returns the directory in use.
    Bindtextdomain "bindtextdomain" (directory: Value) [domain: Value];
    /// The translation of `text`.
    Dcgettext "dcgettext" (text: Value) [domain: Value, category: Value];
    /// The translation of `one` or `many`, whichever form `count` requires.
    Dcngettext "dcngettext" (one: Value, many: Value, count: Value) [domain: Value, category: Value];
    /// The content of a whole file; unassigned when it cannot be read.
    FileSlurp "file::slurp" (path: Value) [limit: Value];
    /// Fills `array` from 1 with the lines of a file; returns their number, or -1 on failure.
    FileLines "file::lines" (path: Value, array: Array) [];
    /// Replaces the content of a file with `text`; returns 1, or -1 on failure.
    FileSpew "file::spew" (path: Value, text: Value) [flags: Value];
    /// Appends `text` to a file; returns 1, or -1 on failure.
    FileAppend "file::append" (path: Value, text: Value) [flags: Value];
    /// Inserts `text` at the start of a file; returns 1, or -1 on failure.
    FilePrepend "file::prepend" (path: Value, text: Value) [flags: Value];
    /// Replaces the content of a file with what the function returns for it; returns 1, 0 if nothing changed, or -1 on failure.
    FileEdit "file::edit" (path: Value, function: Value) [];
    /// Replaces each line of a file with what the function returns for it; returns 1, 0 if nothing changed, or -1 on failure.
    FileEditLines "file::edit_lines" (path: Value, function: Value) [];
    /// Fills `array` from 1 with the sorted names in a directory; returns their number, or -1 on failure.
    FileDir "file::dir" (path: Value, array: Array) [];
    /// Fills `array` with a file's metadata; returns 1, or -1 on failure.
    FileStat "file::stat" (path: Value, array: Array) [follow: Value];
    /// The number of grapheme clusters in `s`; fills `array` with them, from 1.
    TextGraphemes "text::graphemes" (s: Value) [array: Array];
    /// The number of code points in `s`; fills `array` with them, from 1.
    TextCodepoints "text::codepoints" (s: Value) [array: Array];
    /// `s` in a Unicode normalization form: NFC, NFD, NFKC or NFKD.
    TextNormalize "text::normalize" (s: Value) [form: Value];
    /// The number of terminal columns that `s` occupies.
    TextWidth "text::width" (s: Value) [];
    /// `s` with every `old` replaced by `new`, or only the first `count` of them.
    TextReplace "text::replace" (s: Value, old: Value, new: Value) [count: Value];
    /// Fills `array` from 1 with the matches of `re` in `s`, each an array of match, groups, start and length; returns their number.
    TextMatches "text::matches" (s: Value, re: Pattern, array: Array) [];
    /// `s` with each byte that is not allowed in a part of a URL written as %XX.
    TextUrlEncode "text::url_encode" (s: Value) [];
    /// `s` with each %XX replaced by its byte.
    TextUrlDecode "text::url_decode" (s: Value) [];
    /// `s` as bytes in an encoding; unassigned when the encoding lacks a character.
    TextEncode "text::encode" (s: Value, encoding: Value) [];
    /// Bytes in an encoding as text; unassigned when they are invalid.
    TextDecode "text::decode" (s: Value, encoding: Value) [];
    /// The current time in seconds since 1970, with a fraction.
    TimeNow "time::now" () [];
    /// Parses a time, in a format or in one that is recognised; unassigned when the text is not a time.
    TimeParse "time::parse" (text: Value) [format: Value, zone: Value];
    /// Formats a time as text, by default in ISO 8601.
    TimeFormat "time::format" (time: Value) [format: Value, zone: Value];
    /// Converts `YYYY MM DD HH MM SS [DST]` to a time; unassigned when it is not a date.
    TimeMake "time::make" (date: Value) [zone: Value];
    /// The time plus a duration, by the calendar of a time zone.
    TimeAdd "time::add" (time: Value, duration: Value) [zone: Value];
    /// Converts a duration to seconds.
    TimeSeconds "time::seconds" (duration: Value) [];
    /// Formats seconds as a duration: short, iso or clock.
    TimeDuration "time::duration" (seconds: Value) [style: Value];
    /// Parses JSON: returns a scalar's value, or an object or array as text; with `array`, fills it with the members and returns their number, or -1. Unassigned when the text is not JSON.
    JsonParse "json::parse" (text: Value) [array: Array];
    /// Formats a value or an array as JSON: an array if its subscripts are 1, 2 and so on, else an object.
    JsonFormat "json::format" (x: Any) [];
    /// The JSON value `true`.
    JsonTrue "json::true" () [];
    /// The JSON value `false`.
    JsonFalse "json::false" () [];
    /// The JSON value `null`.
    JsonNull "json::null" () [];
    /// Ends the run with an error unless `got` equals `want`: two values, or two arrays with the same elements.
    AssertEqual "assert::equal" (got: Any, want: Any) [message: Value];
    /// Ends the run with an error if `got` equals `other`.
    AssertDifferent "assert::different" (got: Any, other: Any) [message: Value];
    /// Ends the run with an error unless the numbers differ by no more than `tolerance` (default 1e-9), absolutely or relative to `want`.
    AssertNear "assert::near" (got: Value, want: Value) [tolerance: Value, message: Value];
    /// Ends the run with an error unless `s` matches `re`.
    AssertMatches "assert::matches" (s: Value, re: Pattern) [message: Value];
    /// Ends the run with an error unless `condition` is true.
    AssertTrue "assert::true" (condition: Value) [message: Value];
    /// Ends the run with an error unless `condition` is false.
    AssertFalse "assert::false" (condition: Value) [message: Value];
    /// Ends the run with an error.
    AssertFail "assert::fail" () [message: Value];
    /// Changes the working directory; returns 0, or -1 on failure.
    Chdir "chdir" (path: Value) [];
    /// Fills `array` with a file's metadata; returns 0, or -1 on failure.
    Stat "stat" (path: Value, array: Array) [follow: Value];
    /// 0 if `name` matches the shell pattern, else 1.
    Fnmatch "fnmatch" (pattern: Value, name: Value, flags: Value) [];
    /// The number of the first character.
    Ord "ord" (s: Value) [];
    /// The character with this number.
    Chr "chr" (n: Value) [];
    /// The content of a whole file; empty when it cannot be read.
    Readfile "readfile" (path: Value) [];
    /// The current time in seconds since 1970, with a fraction.
    Gettimeofday "gettimeofday" () [];
    /// Waits for a number of seconds; returns 0, or -1 on failure.
    Sleep "sleep" (seconds: Value) [];
    /// Parses a time in a format; returns seconds since 1970, or -1 on failure.
    Strptime "strptime" (text: Value, format: Value) [];
    /// Fills `tree` with the files below `paths` and their metadata; returns 0, or -1 on failure.
    Fts "fts" (paths: Array, flags: Value, tree: Array) [];
    /// Fills `array` with the metadata of a path's file system; returns 0, or -1 on failure.
    Statvfs "statvfs" (path: Value, array: Array) [];
    /// Fills `array` with the quotient and the remainder of an integer division; returns 0, or -1 on failure.
    Intdiv "intdiv" (a: Value, b: Value, array: Array) [];
    /// Writes an array to a file; returns 1, or 0 on failure.
    Writea "writea" (path: Value, array: Array) [];
    /// Reads an array that `writea` wrote; returns 1, or 0 on failure.
    Reada "reada" (path: Value, array: Array) [];
    /// Writes all variables to a file; returns 1, or 0 on failure.
    Writeall "writeall" (path: Value) [];
    /// Reads the variables that `writeall` wrote, except those that have a value; returns 1, or 0 on failure.
    Readall "readall" (path: Value) [];
    /// Starts a copy of the process; returns 0 in the copy, its process id in the original, or -1 on failure.
    Fork "fork" () [];
    /// Checks a forked process: returns its process id if it has ended, 0 if not, or -1 on failure.
    Waitpid "waitpid" (pid: Value) [];
    /// Waits for any forked process to end; returns its process id, or -1 on failure.
    Wait "wait" () [];
}

impl LibraryFn {
    pub(crate) const NAMESPACES: &'static [&'static str] =
        &["assert", "file", "json", "text", "time"];

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
